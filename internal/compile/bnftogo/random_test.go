package bnftogo

import (
	"fmt"
	"math/rand/v2"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// random returns a regular grammar.
func random(rng *rand.Rand) *expr.Grammar {
	g := &expr.Grammar{Name: "random", Notation: "abnf"}
	n := 2 + rng.IntN(4)
	var gen func(rule, depth int) *expr.Expr
	gen = func(rule, depth int) *expr.Expr {
		k := rng.IntN(10)
		if depth == 0 && k > 3 {
			k = rng.IntN(4)
		}
		switch {
		case k < 2:
			return expr.Lit([]string{"a", "b", "c", "ab", "bc", "aa"}[rng.IntN(6)])
		case k == 2:
			return expr.In(expr.Bytes([]string{"ab", "bc", "abc", "ac"}[rng.IntN(4)]))
		case k == 3:
			if rule+1 < n {
				return expr.To(fmt.Sprintf("r%d", rule+1+rng.IntN(n-rule-1)))
			}
			return expr.Lit("b")
		case k < 6:
			var es []*expr.Expr
			for range 2 + rng.IntN(2) {
				es = append(es, gen(rule, depth-1))
			}
			return expr.Cat(es...)
		case k < 8:
			var es []*expr.Expr
			for range 2 + rng.IntN(2) {
				es = append(es, gen(rule, depth-1))
			}
			return expr.Or(es...)
		}
		e := gen(rule, depth-1)
		min := rng.IntN(3)
		max := min + rng.IntN(3)
		if max == 0 || rng.IntN(2) == 0 {
			max = expr.Unbounded
		}
		if rng.IntN(3) == 0 {
			min, max = 0, 1
		}
		return expr.Times(e, min, max)
	}
	for i := range n {
		id := fmt.Sprintf("r%d", i)
		e := gen(i, 3)
		if rng.IntN(6) == 0 { // itself, or an earlier one, at its end
			again := expr.To(fmt.Sprintf("r%d", rng.IntN(i+1)))
			switch rng.IntN(3) {
			case 0:
				e = expr.Cat(e, expr.Opt(again))
			case 1:
				e = expr.Or(e, expr.Cat(gen(n, 1), again))
			case 2:
				e = expr.Or(expr.Cat(gen(n, 1), again), e)
			}
		}
		g.Rules = append(g.Rules, &expr.Rule{ID: id, Name: id, Expr: e})
	}
	return g
}

// randomNesting returns a regular grammar with a production that nests between brackets, the letters a and b mostly.
func randomNesting(rng *rand.Rand) *expr.Grammar {
	g := random(rng)
	inner := g.Rules[rng.IntN(len(g.Rules))].ID
	open, shut := expr.Lit("a"), expr.Lit("b")
	if rng.IntN(3) == 0 {
		open = expr.Cat(expr.Times(expr.Lit("c"), 0, expr.Unbounded), open)
	}
	self := []*expr.Expr{expr.To("n"), expr.Opt(expr.To("n")), expr.Times(expr.Or(expr.To("n"), expr.Lit("c")), 0, expr.Unbounded),
		expr.Or(expr.To("n"), expr.To(inner))}[rng.IntN(4)]
	nest := expr.Cat(open, self, shut)
	e := []*expr.Expr{expr.Or(nest, expr.Lit("c")), expr.Or(expr.Lit("c"), nest), expr.Or(nest, expr.To(inner)), nest}[rng.IntN(4)]
	g.Rules = append(g.Rules, &expr.Rule{ID: "n", Name: "n", Expr: e},
		&expr.Rule{ID: "m", Name: "m", Expr: expr.Cat(expr.To("n"), expr.Opt(expr.To(inner)))})
	return g
}
