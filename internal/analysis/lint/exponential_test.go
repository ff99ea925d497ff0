package lint

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

func TestExponentialExpr(t *testing.T) {
	a, b := expr.Lit("a"), expr.Lit("b")
	star := func(e *expr.Expr) *expr.Expr { return expr.Times(e, 0, expr.Unbounded) }
	for _, c := range []struct {
		e    *expr.Expr
		want bool
	}{
		{star(a), false},
		{star(star(a)), true},
		{star(expr.Or(a, a)), true},
		{star(expr.Or(a, expr.Cat(a, a))), true},
		{expr.Cat(star(a), star(a)), false}, // in a quadratic number of ways
		{expr.Or(star(a), star(a)), false},
		{star(expr.Cat(star(a), b)), false},
		{star(expr.Cat(star(a), expr.Opt(b))), true},
		{star(expr.Or(expr.Cat(a, b), expr.Cat(a, expr.Or(a, b)))), true},
		{expr.Times(expr.Or(a, a), 0, 30), false}, // in no more ways than there are for 30
		{star(expr.Cat(a, star(b), a)), false},
	} {
		got, err := ExponentialExpr(c.e, nil)
		if err != nil || got != c.want {
			t.Errorf("%v: %v, %v", c.e, got, err)
		}
	}
}
