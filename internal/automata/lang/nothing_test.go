package lang

import (
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
)

// TestFindNothing: a reason is found for every production without a word, and for no other, of random grammars read as BNF and as
// PEG.
func TestFindNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	pick := func(list ...*expr.Expr) *expr.Expr { return list[rng.IntN(len(list))] }
	var part func(depth int, peg bool) *expr.Expr
	part = func(depth int, peg bool) *expr.Expr {
		if depth == 0 {
			return pick(expr.Lit("a"), expr.Lit("b"), expr.In(expr.Set{}), expr.To("s"), expr.To("t"), expr.Cat(), expr.Lit("ab"))
		}
		a, b := part(depth-1, peg), part(depth-1, peg)
		list := []*expr.Expr{expr.Cat(a, b), expr.Cat(a, b), expr.Or(a, b), expr.Times(a, 1, 2)}
		if peg {
			list = append(list, &expr.Expr{Op: expr.Not, Sub: []*expr.Expr{a}}, &expr.Expr{Op: expr.And, Sub: []*expr.Expr{b}})
		}
		return pick(list...)
	}
	for _, peg := range []bool{false, true} {
		empty, full := 0, 0
		for range longtest.Size(500, 20000) {
			g := (&expr.Grammar{Ordered: peg}).With([]*expr.Rule{{ID: "s", Expr: part(2, peg)}, {ID: "t", Expr: part(1, peg)}})
			language := FromBNF
			if peg {
				language = FromPEG
			}
			a, err := language(g, "s")
			if err != nil {
				continue // it nests, or calls itself before it reads
			}
			why, err := FindNothing(g, "s", Limits{})
			if err != nil || (why != nil) != a.IsEmpty() {
				t.Errorf("%v, %v: why %v, %v", g.Rule("s").Expr, g.Rule("t").Expr, why, err)
			}
			if a.IsEmpty() {
				empty++
			} else {
				full++
			}
		}
		if empty < 100 || full < 100 {
			t.Errorf("ordered %v: only %d without words and %d with", peg, empty, full)
		}
	}
}
