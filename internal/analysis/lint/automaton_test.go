package lint

import (
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A small expression whose parts are shared can stand for a tree of any size: its automaton is refused before it is begun,
// and before anything walks down the tree.
func TestSharedPartsAreCounted(t *testing.T) {
	e := expr.Lit("a")
	for range 100 {
		e = &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{e, e}}
	}
	const limit = 1000
	if n := unfoldedSize(e, limit, map[*expr.Expr]int{}); n != limit+1 {
		t.Errorf("2^100 letters have the size %d", n)
	}
	if n := unfoldedSize(expr.Cat(expr.Lit("a"), expr.Opt(expr.Lit("b"))), limit, map[*expr.Expr]int{}); n != 4 {
		t.Errorf(`"a" ["b"] has the size %d`, n)
	}
	if _, err := build(e, expr.Analyze(nil), nil, limit, nil); !errors.Is(err, budget.ErrTooLarge) {
		t.Errorf("got error %v", err)
	}
}
