package lang

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A production that nests has, read to a depth, the words with a derivation within it.
func TestNestedBNFs(t *testing.T) {
	words := pegtest.Words("abc", 5)
	nested := 0
	for seed := range uint64(longtest.Size(60, 3000)) {
		m := maker{rand.New(rand.NewPCG(seed, 31)), 3, false, []string{"a", "b", "c"}}
		g := grammarOf(false, m.expr(3), m.expr(3), m.expr(2))
		n := g.Nesting()
		if !n.Nests("a") {
			continue
		}
		for most := range 3 {
			to := must.Of(n.To(most))(t)
			what := fmt.Sprintf("seed %d, to %d:\n%s", seed, most, show(g))
			a, err := FromBNF(to, "a")
			if errors.Is(err, ErrTooLarge) {
				break
			}
			if err != nil {
				t.Fatalf("%s%v", what, err)
			}
			checkWords(t, what, a, words, func(w string) bool {
				return pegtest.DerivesWithin(g, "a", most, w)
			})
			b, err := BuildNFA(to, "a", Options{})
			if err != nil {
				t.Fatalf("%s%v", what, err)
			}
			if b, err := b.Determinize(Limits{DFA: 1 << 18}); !errors.Is(err, ErrTooLarge) && !a.Equal(b) {
				t.Fatalf("%scopied, it differs: %v", what, err)
			}
		}
		nested++
	}
	if nested < longtest.Size(4, 40) {
		t.Errorf("only %d grammars nest", nested)
	}
}

// A rule that nests matches, read to a depth, what an interpreter with a counter matches, and comes deeper where that
// does. The alternating automaton finds the same.
func TestNestedPEGs(t *testing.T) {
	words := pegtest.Words("abc", 5)
	nested, deep, tooLarge := 0, 0, 0
	for seed := range uint64(longtest.Size(150, 30000)) {
		m := maker{rand.New(rand.NewPCG(seed, 32)), 3, true, []string{"a", "b", "c"}}
		g := grammarOf(true, m.expr(3), m.expr(3), m.expr(2))
		n := g.Nesting()
		if !n.Nests("a") && !n.Nests("b") && !n.Nests("c") {
			continue
		}
		if p, err := NewPEG(g, Limits{}); err != nil || p.WellFormed("a") != nil {
			continue
		}
		for most := range 3 {
			to := must.Of(n.To(most))(t)
			what := fmt.Sprintf("seed %d, to %d:\n%s", seed, most, show(g))
			p := must.Of(NewPEG(to, Limits{}))(t)
			whole, err := p.Whole(expr.To("a"))
			if err != nil {
				t.Fatalf("%s%v", what, err)
			}
			prefix, err := p.Prefix(expr.To("a"))
			if err != nil {
				t.Fatalf("%s%v", what, err)
			}
			deeperOf, err := p.s.DFAOf(p.DeeperOf(expr.To("a")))
			if err != nil {
				t.Fatalf("%s%v", what, err)
			}
			match := func(w string) int { return pegtest.MatchWithin(g, "a", most, w) }
			for _, w := range words {
				if len(w) > 4 {
					break
				}
				if end := match(w); end != pegtest.Deeper && end != pegtest.MatchWithin(g, "a", len(w)+2, w) {
					t.Fatalf("%s%q: another outcome deeper", what, w)
				}
			}
			checkWords(t, what, whole, words, func(w string) bool { return match(w) == len(w) })
			checkWords(t, "beginnings, "+what, prefix, words, func(w string) bool { return match(w) >= 0 })
			checkWords(t, "deeper, "+what, deeperOf, words, func(w string) bool { return match(w) == pegtest.Deeper })
			for _, other := range []struct {
				what string
				end  int32
				want *DFA
			}{
				{"whole", atEnd, whole},
				{"beginnings", anywhere, prefix},
				{"deeper", nowhere, deeperOf},
			} {
				a, err := must.Of(NewPEG(to, Limits{Steps: 1 << 22}))(t).reversed(expr.To("a"), other.end, smallCone)
				if errors.Is(err, ErrTooLarge) {
					tooLarge++
				} else if err != nil || !a.Equal(other.want) {
					t.Fatalf("%s, %sthe two ways differ: %v", other.what, what, err)
				}
			}
			if most == 2 {
				nested++
				if !deeperOf.IsEmpty() {
					deep++
				}
			}
		}
	}
	if nested < 10 || deep < 3 || tooLarge > nested {
		t.Errorf("%d grammars nest, %d come deeper, and %d times the alternating automaton was too large", nested, deep, tooLarge)
	}
}
