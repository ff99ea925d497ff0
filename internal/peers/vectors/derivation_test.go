package vectors_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

var errLarge = errors.New("too large")

// Derivations take every alternative, every bound and every edge, and each mutant is counted once.
func TestDerivations(t *testing.T) {
	for _, c := range []struct {
		about, text string
		words       []string // that are among them, accepted or not
		living      []string // mutants that no string kills
	}{
		{"an alternative", "s = \"(\" s \")\" / %s\"no\" / %s\"yes\"\n", []string{"no", "yes", "(no)"}, nil},
		{"bounds", "s = \"(\" s \")\" / 2*3%s\"x\"\n", []string{"x", "xx", "xxx", "xxxx"}, nil},
		{"an option", "s = \"(\" [ s ] \")\"\n", []string{"()", "(())", "(()())"}, nil},
		{"a class", "s = \"(\" s \")\" / %x62-64\n", []string{"a", "b", "d", "e"}, nil},
		{"one that derives the same", "s = \"(\" s \")\" / e / %s\"a\"\ne = %s\"a\"\n", []string{"a"}, []string{"s: without the alternative e", `s: without the alternative "a"`}},
	} {
		o := must.Of(catalog.Read("g.abnf", []byte(c.text), catalog.Usual))(t)
		s, _, err := conform.SubjectWithout(o, errLarge)
		if err != nil {
			t.Fatalf("%s: %v", c.about, err)
		}
		d := must.Of(s.Derivations())(t)
		for _, w := range c.words {
			if !slices.ContainsFunc(d.Words, func(e vectors.Example) bool { return e.Word == w }) {
				t.Errorf("%s: no string %q", c.about, w)
			}
		}
		if d.Mutants == 0 || d.Killed+len(d.Living)+d.Unseen != d.Mutants || d.Unseen > 0 || len(d.Lost) > 0 {
			t.Errorf("%s: %d mutants, %d killed, %d living, %d not looked at, lost %v", c.about, d.Mutants, d.Killed, len(d.Living), d.Unseen, d.Lost)
		}
		for _, living := range d.Living {
			if !slices.Contains(c.living, living) {
				t.Errorf("%s: not killed: %s", c.about, living)
			}
		}
	}
}

// A bound of more rounds than a string has is no part of the guarantee, and the suite says so.
func TestDerivationsBeyondLimits(t *testing.T) {
	for text, beyond := range map[string]int{
		"s = \"(\" s \")\" / *256%s\"x\"\n":            1, // 257 rounds
		"s = \"(\" s \")\" / *300%s\"x\"\n":            2, // 300 and 301
		"s = \"(\" s \")\" / 100*200(30%s\"x\")\n":     2, // 200 and 201 times 30 bytes
		"s = \"(\" s \")\" / *300n / %s\"x\"\nn = n\n": 0, // nothing derives n
	} {
		o := must.Of(catalog.Read("g.abnf", []byte(text), catalog.Usual))(t)
		s, _, err := conform.SubjectWithout(o, errLarge)
		must.Do(t, err)
		d := must.Of(s.Derivations())(t)
		if told := strings.Contains(fmt.Sprint(d.Undecided()), "left out"); d.Beyond != beyond || told != (beyond > 0) {
			t.Errorf("%q: %d strings beyond the limits, not %d: %v", text, d.Beyond, beyond, d.Undecided())
		}
	}
}

// What other parts of a suite have taken of the steps leaves enough for the mutants of derivations. Once they were only
// asked until a quarter of all steps was taken, by whatever part.
func TestDerivationsAfterOtherParts(t *testing.T) {
	o := must.Of(catalog.Read("g.abnf", []byte("s = \"(\" s \")\" / 2*3%s\"x\"\n"), catalog.Usual))(t)
	o.Grammar.Budget = budget.New(t.Context(), budget.Limits{})
	must.Do(t, o.ReadDeep(o.Grammar.Rule("s"), func(n *catalog.Opened) error {
		s, _, err := conform.Subject(n)
		must.Do(t, err)
		n.Within.Budget.Step(n.Within.Budget.Share(1))
		d := must.Of(s.Derivations())(t)
		if d.Mutants == 0 || d.Unseen > 0 {
			t.Errorf("after half of all steps, %d of %d mutants are not looked at", d.Unseen, d.Mutants)
		}
		return nil
	}))
}

// Where the automaton of all mutants is too large, a grammar that nests is read to a lesser depth; at the least depth no
// mutant is made. More steps once led to a greater depth, at which none was.
func TestMutantsAtALesserDepth(t *testing.T) {
	for _, c := range []struct {
		limit, depth int
		made         bool
	}{{100, 2, true}, {40, 1, true}, {20, 0, true}, {5, 0, false}} {
		vectors.LimitSubsets(t, c.limit)
		o := must.Of(catalog.Read("g.abnf", []byte("s = \"(\" s \")\" / *( \"a\" / \"b\" ) \"a\" 3( \"a\" / \"b\" )\n"), catalog.Usual))(t)
		o.Grammar.Budget = budget.New(t.Context(), budget.Limits{})
		var suite *vectors.Mutation
		var depth int
		must.Do(t, o.ReadDeep(o.Grammar.Rule("s"), func(n *catalog.Opened) error {
			depth = *n.Depth
			s, _, err := conform.Subject(n)
			must.Do(t, err)
			suite, err = s.MutationSuite(nil)
			return err
		}))
		if made := suite.Unmade == nil && suite.Mutants > 0; depth != c.depth || made != c.made {
			t.Errorf("with %d sets of states, %d mutants at a depth of %d, and not %d (%v)",
				c.limit, suite.Mutants, depth, c.depth, suite.Unmade)
		}
	}
}

// Where the automaton of all mutants is too large, no more of it is made. Each production of a chain once had the
// automaton of all that come after it, far beyond the limit on states: half a million states for 1,000 productions.
func TestTooManyMutantsTakeLittle(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "r%d = \"(\" r%d / \"x\"\n", i, i+1)
	}
	text.WriteString("r1000 = \"y\"\n")
	o := must.Of(catalog.Read("g.abnf", []byte(text.String()), catalog.Usual))(t)
	o.Grammar.Budget = budget.New(t.Context(), budget.Limits{States: 3000})
	o.Asked = "r0"
	s, _, err := conform.Subject(o)
	must.Do(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	suite := must.Of(s.MutationSuite(nil))(t)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; suite.Unmade == nil || took > 200<<20 {
		t.Errorf("%d bytes for a suite that is too large: %v", took, suite.Unmade)
	} else {
		t.Logf("%d bytes", took)
	}
}

// A search for a word that kills a mutant keeps no more than the budget allows, and the mutant counts as living where
// that is too little. Counts in counts have as many pairs of states as the square of their states.
func TestSearchesKeepLittle(t *testing.T) {
	o := must.Of(catalog.Read("g.abnf", []byte("s = *40( \"a\" *40\"b\" )\n"), catalog.Usual))(t)
	o.Grammar.Budget = budget.New(t.Context(), budget.Limits{})
	o.Asked = "s"
	s, _, err := conform.Subject(o)
	must.Do(t, err)
	run := func() (living int, took uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		suite := must.Of(s.MutationSuite(nil))(t)
		runtime.ReadMemStats(&after)
		return len(suite.Living), after.TotalAlloc - before.TotalAlloc
	}
	living, took := run()
	o.Grammar.Budget.Bytes = 1 << 20
	if livingWithLess, _ := run(); living > 0 || livingWithLess == 0 || took > 50<<20 {
		t.Errorf("%d mutants live, and with 1 MB %d; want none, and some. %d bytes were taken", living, livingWithLess, took)
	}
}

// A mutant is read without the productions that no string as short as its own uses. Here a thousand of them stand after
// 5,000 bytes, and each of a hundred mutants was made of all.
func TestMutantsAreMadeOfWhatFits(t *testing.T) {
	allocated := func(productions int) uint64 {
		var text strings.Builder
		text.WriteString("s = \"(\" s \")\" / t")
		for i := range 20 {
			fmt.Fprintf(&text, " / \"w%dx\"", i)
		}
		text.WriteString("\nt = 5000\"x\" r0")
		for i := range productions {
			fmt.Fprintf(&text, "\nr%d = \"(\" r%d / \"x\"", i, (i+1)%productions)
		}
		o := must.Of(catalog.Read("g.abnf", []byte(text.String()+"\n"), catalog.Usual))(t)
		s, _, err := conform.SubjectWithout(o, errLarge)
		must.Do(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d := must.Of(s.Derivations())(t)
		runtime.ReadMemStats(&after)
		if d.Killed < 50 || d.Unseen > 0 {
			t.Errorf("%d of %d mutants are killed, and %d not looked at", d.Killed, d.Mutants, d.Unseen)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(10), allocated(1000)
	if t.Logf("%d bytes with 10 productions, and %d with 1,000", few, many); many > few+32<<20 {
		t.Errorf("%d bytes with 10 productions, and %d with 1,000", few, many)
	}
}
