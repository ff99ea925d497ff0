package lint

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The users of what nests are those that a walk through the uses finds from each production.
func TestUsersOfNesting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	nesting := 0
	for range 60 {
		n := 1 + rng.IntN(150)
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "r%d = \"x\"", i)
			if rng.IntN(3) == 0 {
				fmt.Fprintf(&text, " / \"(\" r%d \")\"", i)
			}
			for range rng.IntN(3) {
				fmt.Fprintf(&text, " / r%d \"a\"", rng.IntN(n))
			}
			text.WriteString("\n")
		}
		l := newLinter(must.Of(bnf.ReadABNF("g.abnf", []byte(text.String())))(t), Options{})
		l.findRegular()
		facts := l.whereNamesDerive()
		regular := 0
		users := map[*expr.Component][]string{}
		for _, r := range l.own {
			below := map[*expr.Component]bool{}
			for _, id := range l.g.Reach(r.ID) {
				if c := facts.Component(id); c.Embeds() {
					below[c] = true
				}
			}
			for c := range below {
				users[c] = append(users[c], r.Name)
			}
			if l.regular[r.ID] != (len(below) == 0) {
				t.Fatalf("%s is regular: %v\n%s", r.Name, l.regular[r.ID], text.String())
			} else if len(below) == 0 {
				regular++
			}
		}
		if l.report.Regular != regular {
			t.Errorf("%d regular productions, want %d", l.report.Regular, regular)
		}
		for c, names := range users {
			nesting++
			has := func(f Finding) bool {
				return f.Code == Nesting && f.Pos == c.Rules[0].Pos &&
					strings.Contains(f.Message, fmt.Sprintf("so that %d of %d productions", len(names), n)) &&
					strings.Contains(strings.Join(f.Detail, "\n"), list(names)+": generate writes")
			}
			if !slices.ContainsFunc(l.report.Findings, has) {
				t.Fatalf("no finding about %s\n%s", c.Rules[0].Name, text.String())
			}
		}
	}
	if nesting < 500 {
		t.Errorf("only %d components nest", nesting)
	}
}

// A chain of productions that nest takes memory in proportion to its length, and not to its square: 10,000 of them
// took 2 GB.
func TestChainThatNests(t *testing.T) {
	allocated := func(n int) uint64 {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "r%d = r%d / \"x\" r%d \"y\"\n", i, i+1, i)
		}
		fmt.Fprintf(&text, "r%d = \"z\"\n", n)
		l := newLinter(must.Of(bnf.ReadABNF("g.abnf", []byte(text.String())))(t), Options{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		l.findRegular()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := allocated(500), allocated(4000); many > 12*few {
		t.Errorf("%d bytes for 500 productions, %d for 4,000", few, many)
	} else {
		t.Logf("%d bytes for 500 productions, %d for 4,000", few, many)
	}
}

// A choice of many alternatives has more pairs of them than are looked at, and then the search ends: it went through all
// five billion pairs of 100,000.
func TestPairsOfAlternatives(t *testing.T) {
	text := "s = " + strings.Repeat("\"a\" / ", 4000) + "\"b\"\n"
	g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
	a, err := build(g.Rules[0].Expr, expr.Analyze(nil), nil, 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	const limit = 100
	from, to := [3]int32{a.start, a.start}, [3]int32{a.final, a.final}
	_, _, err = newPumper(a, limit).search(2, from, to, func(int, int32) bool {
		asked++
		return true
	})
	if !errors.Is(err, lang.ErrTooLarge) || asked > 3*4001 {
		t.Errorf("%v, after %d states", err, asked)
	}
}
