package bnftogo

import (
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
)

// random returns a regular grammar.
func random(t *testing.T, rng *rand.Rand) *expr.Grammar {
	return read(t, fuzztest.New(fuzztest.Random(rng, 60, false)).ABNF())
}

// randomNesting returns a regular grammar with a production that nests between brackets, the
// letters a and b mostly.
func randomNesting(t *testing.T, rng *rand.Rand) *expr.Grammar {
	g := random(t, rng)
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
