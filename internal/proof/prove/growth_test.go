package prove

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A large is a grammar that grows with n, as a BNF and as a PEG.
type large struct {
	name  string
	rules func(n int) []*expr.Rule
}

var larges = []large{
	{"chain", func(n int) []*expr.Rule {
		return chained(n, func(next *expr.Expr) *expr.Expr { return expr.Cat(expr.Lit("a"), next) })
	}},
	{"comb", func(n int) []*expr.Rule {
		return chained(n, func(next *expr.Expr) *expr.Expr { return expr.Cat(expr.Lit("a"), next, expr.Lit("b")) })
	}},
	{"literal", func(n int) []*expr.Rule {
		return []*expr.Rule{{ID: "r0", Name: "r0", Expr: expr.Lit(strings.Repeat("abcabd", n)[:n])}}
	}},
	{"alternatives", func(n int) []*expr.Rule {
		var all []*expr.Expr
		for i := range n {
			all = append(all, expr.Lit(fmt.Sprintf("%06d", i)))
		}
		return []*expr.Rule{{ID: "r0", Name: "r0", Expr: expr.Or(all...)}}
	}},
}

// chained returns n rules of which each uses the next.
func chained(n int, link func(next *expr.Expr) *expr.Expr) []*expr.Rule {
	id := func(i int) string { return fmt.Sprintf("r%d", i) }
	rules := make([]*expr.Rule, n)
	for i := range rules {
		e := expr.Lit("c")
		if i < n-1 {
			e = link(expr.To(id(i + 1)))
		}
		rules[i] = &expr.Rule{ID: id(i), Name: id(i), Expr: e}
	}
	return rules
}

// TestGrowth: chains, long literals and many alternatives are proven, in memory that grows as n does. The table has the time
// and the bytes that were allocated, those given back included.
func TestGrowth(t *testing.T) {
	longtest.Need(t, "it proves chains of 10,000 rules")
	for _, l := range larges {
		perRule := map[int]uint64{}
		for n := 100; n <= longtest.Size(10000, 100000); n *= 10 {
			rules := l.rules(n)
			pair := catalog.Pair{
				BNF: &expr.Grammar{Name: "x", Title: "x", Rules: rules}, Start: "r0",
				PEG: &expr.Grammar{Name: "x", Title: "x", Rules: rules, Ordered: true},
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			r, err := Prove(pair, Options{})
			if err != nil || r.Verdict != VerdictProven {
				t.Fatalf("%s %d: %v %v", l.name, n, r.Summary(), err)
			}
			runtime.ReadMemStats(&after)
			perRule[n] = (after.TotalAlloc - before.TotalAlloc) / uint64(n)
			t.Logf("%-12s %6d %8v %8d bytes each", l.name, n, time.Since(start).Round(time.Millisecond), perRule[n])
			if n > 1000 && perRule[n] > 2*perRule[1000] {
				t.Errorf("%s: %d bytes each for 1000, %d for %d", l.name, perRule[1000], perRule[n], n)
			}
		}
	}
}

// TestChainOfAutomata is the chain without the proof by structure: all its automata have n states together.
func TestChainOfAutomata(t *testing.T) {
	for n := 1000; n <= longtest.Size(10000, 100000); n *= 10 {
		rules := larges[0].rules(n)
		bnf := &expr.Grammar{Name: "x", Rules: rules}
		peg := &expr.Grammar{Name: "x", Rules: rules, Ordered: true}
		s := lang.NewSpace(lang.Limits{}, []*expr.Grammar{bnf, peg})
		b := must.Of(s.BNF(bnf))(t)
		p := must.Of(s.PEG(peg))(t)
		for _, r := range rules {
			derived := must.Of(b.Of(r.ID))(t)
			matched, err := p.WholeOf(expr.To(r.ID))
			if err != nil || derived != matched {
				t.Fatalf("%s: %v", r.ID, err)
			}
		}
		bytes, steps := s.Left()
		t.Logf("%6d rules: %d bytes, %d steps", n, lang.DefaultBytes-bytes, lang.DefaultSteps-steps)
	}
}
