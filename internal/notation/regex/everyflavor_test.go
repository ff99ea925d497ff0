package regex_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// versionless returns the name of a flavor without the version at its end: js for js2025.
func versionless(flavor string) string { return strings.TrimRight(flavor, "0123456789.") }

// TestEveryFlavor: each flavor stands in all tables that the tests of this package have of flavors. For tables about a
// language, a version of it counts as the language.
func TestEveryFlavor(t *testing.T) {
	for _, flavor := range regex.Flavors() {
		if _, ok := engineOf(flavor); !ok {
			t.Errorf("%s is not in engines (engines_test.go)", flavor)
		}
		language := versionless(flavor)
		if len(known[language]) == 0 {
			t.Errorf("%s is not in known (compile_test.go)", language)
		}
		if bareTexts[language] == "" {
			t.Errorf("%s is not in bareTexts (literal_test.go)", language)
		}
		inTable := func(c noLiteral) bool { return c.flavor == language }
		if !slices.ContainsFunc(noLiterals, inTable) {
			t.Errorf("%s is not in noLiterals (literal_test.go)", language)
		}
	}
	for name := range engines {
		if flavor := strings.Fields(name)[0]; !slices.Contains(regex.Flavors(), flavor) {
			t.Errorf("%s is no flavor that is read", flavor)
		}
	}
}

// TestGroup: in each flavor an expression in a group is that expression. The empty one matches all strings.
func TestGroup(t *testing.T) {
	for _, flavor := range regex.Flavors() {
		for _, text := range []string{"", "a", "a|b"} {
			r := must.Of(regex.Read(flavor, flavor, regex.Group(flavor, text), nil, regex.Search))(t)
			if plain := must.Of(regex.Parse(flavor, text))(t); !same(t, r, plain) {
				t.Errorf("%s: %s is another language than %s", flavor, r.Text, text)
			}
		}
	}
}

// TestGrammars: the grammar of a random expression derives what the expression matches, or more where it says so, in
// each flavor.
func TestGrammars(t *testing.T) {
	limits := budget.Limits{Steps: 1 << 20}
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		flavor, _, other := strings.Cut(name, " ")
		if other { // another engine of the same flavor
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := engines[name]
			rng := rand.New(rand.NewPCG(*seed, 11))
			exactly, more, large := 0, 0, 0
			for range longtest.Size(100, 2000) {
				text := e.random(rng)
				r, err := regex.Parse(flavor, text)
				if err != nil {
					continue
				}
				a, err := r.DFA(budget.New(t.Context(), limits), regex.Search)
				if errors.Is(err, lang.ErrTooLarge) || errors.Is(err, budget.ErrTooLarge) {
					large++
					continue
				}
				must.Do(t, err)
				g, exact, err := r.Grammar(budget.New(t.Context(), limits), regex.Search)
				if errors.Is(err, lang.ErrTooLarge) || errors.Is(err, budget.ErrTooLarge) {
					large++
					continue
				}
				must.Do(t, err)
				derived, err := lang.FromBNF(g, regex.Start)
				if errors.Is(err, lang.ErrTooLarge) || errors.Is(err, budget.ErrTooLarge) {
					large++
					continue
				}
				must.Do(t, err)
				switch {
				case exact == nil && !derived.Equal(a):
					more, _ := derived.Minus(a).Shortest()
					less, _ := a.Minus(derived).Shortest()
					t.Errorf("%q: the grammar derives something else: of %q or %q", text, more, less)
				case exact != nil && (!exact.Equal(a) || !a.Subset(derived)):
					t.Errorf("%q: the grammar does not derive what is matched", text)
				case exact != nil:
					more++
				default:
					exactly++
				}
			}
			t.Logf("%d grammars derive what is matched, %d more; %d are too large", exactly, more, large)
			if exactly < longtest.Size(10, 200) {
				t.Errorf("only %d grammars are exact", exactly)
			}
		})
	}
}

// TestEngineEnds: an engine that hangs ends after a limit, together with a program that it runs.
func TestEngineEnds(t *testing.T) {
	for _, program := range []string{
		"while True: pass",
		"import subprocess; subprocess.run(['sleep', '600'])",
		"import ctypes; ctypes.CDLL(None).sleep(600)",
	} {
		e := engine{command: []string{"python3", "-c", program}}
		regex.NeedEngine(t, e.command)
		start := time.Now()
		_, err := e.answer(context.Background(), nil, time.Second)
		if err == nil || !strings.Contains(err.Error(), "has not answered after 1s") || time.Since(start) > time.Minute {
			t.Errorf("%s: %v, after %v", program, err, time.Since(start))
		}
	}
}

// TestSlowGrep: an expression that grep does not answer has no answer, and the next one does.
func TestSlowGrep(t *testing.T) {
	longtest.Need(t, "lets grep run into its limit")
	e := engines["posix grep"]
	answers := e.ask(t, []string{"a", "b"}, []string{"(a{1000}){1000}", "a"})
	if !slices.Equal(answers, []string{"??", "10"}) {
		t.Errorf("%q", answers)
	}
}

// TestVersionOfPOSIX: the engines of posix have the versions that the flavor is that of, as those of other flavors have
// by TestSweep.
func TestVersionOfPOSIX(t *testing.T) {
	longtest.Need(t, "asks for the versions of engines")
	e := engine{command: append(slices.Clone(posix.command), "version")}
	regex.NeedEngine(t, e.command)
	regex.NeedEngine(t, []string{"grep"})
	const want = "glibc 2.36 grep (GNU grep) 3.8"
	if got := must.Of(e.answer(t.Context(), nil, time.Minute))(t); strings.TrimSpace(string(got)) != want {
		t.Errorf("these are %s, and the flavor posix is that of %s", got, want)
	}
}
