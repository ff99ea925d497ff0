package pegtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// RandomBNF returns an unordered grammar with some productions, r0 first, over the letters x, y and z. If ends, a
// production uses later ones, and itself at its end only.
func RandomBNF(r *rand.Rand, ends bool) *expr.Grammar {
	n := 1 + r.IntN(4)
	g := &expr.Grammar{Name: "random"}
	// make returns an expression of production i, nested to at most depth. last says that nothing follows it in the
	// production, so that it may use the production itself.
	var make func(i, depth int, last bool) *expr.Expr
	make = func(i, depth int, last bool) *expr.Expr {
		switch k := r.IntN(12); {
		case k < 3 || depth == 0 && (ends || k < 8): // a terminal, or nothing
			switch r.IntN(4) {
			case 0:
				return &expr.Expr{Op: expr.Empty}
			case 1:
				return expr.In(expr.Bytes("xy"))
			}
			return expr.Lit([]string{"x", "y", "xy", "xx", "z"}[r.IntN(5)])
		case k < 5 || depth == 0 || !ends && k > 9: // a production: the next one, or any if not ends
			to := i + 1
			if !ends {
				to = r.IntN(n)
			}
			if to >= n || last && r.IntN(4) == 0 {
				to = i
				if ends && !last {
					return expr.Lit("y")
				}
			}
			return expr.To(fmt.Sprint("r", to))
		case k < 7: // a sequence
			var all []*expr.Expr
			m := 2 + r.IntN(2)
			for j := range m {
				all = append(all, make(i, depth-1, last && j == m-1))
			}
			return expr.Cat(all...)
		case k < 10: // a choice
			all := []*expr.Expr{make(i, depth-1, last), make(i, depth-1, last)}
			return expr.Or(all...)
		}
		// A repetition. Its body is the last only if it cannot come again.
		least := r.IntN(3)
		most := least + r.IntN(3)
		if r.IntN(2) == 0 {
			most = expr.Unbounded
		}
		if most == 0 {
			most = 1
		}
		return expr.Times(make(i, depth-1, last && most == 1), least, most)
	}
	for i := range n {
		g.Rules = append(g.Rules, &expr.Rule{ID: fmt.Sprint("r", i), Name: fmt.Sprint("r", i), Expr: make(i, 3, true)})
		if !ends { // so that it derives something
			g.Rules[i].Expr = expr.Or(g.Rules[i].Expr, expr.Lit("x"))
		}
	}
	return g
}
