package vectors

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A mutant is a grammar with one mistake.
type mutant struct {
	grammar *expr.Grammar
	rule    string
	what    string // the mistake: "drop alternative 2"
}

// mutants returns the mutants of a rule: everywhere in its expression an alternative dropped, added, replaced by
// another or, in a PEG, exchanged with its neighbor; a class or byte widened, narrowed, shifted; a repetition that
// begins or ends elsewhere. Of long lists of alternatives only some are touched.
func mutants(g *expr.Grammar, r *expr.Rule) []mutant {
	var list []mutant
	add := func(e *expr.Expr, format string, args ...any) {
		list = append(list, mutant{g.Change(r.ID, e), r.ID, fmt.Sprintf(format, args...)})
	}
	// place(x) gives the rule's expression with x in place of e.
	var visit func(e *expr.Expr, place func(*expr.Expr) *expr.Expr)
	visit = func(e *expr.Expr, place func(*expr.Expr) *expr.Expr) {
		change := func(x *expr.Expr, format string, args ...any) { add(place(x), format, args...) }
		switch e.Op {
		case expr.Alt:
			for i := range e.Sub {
				if len(e.Sub) > 8 && i%5 != 0 {
					continue
				}
				change(with(e, i), "drop alternative %d of %s", i+1, brief(e))
				if i > 0 {
					change(with(e, i, e.Sub[i-1]), "alternative %d of %s becomes the one before", i+1, brief(e))
				}
				if g.Ordered && i > 0 {
					change(with(&expr.Expr{Op: expr.Alt, Sub: with(e, i, e.Sub[i-1]).Sub}, i-1, e.Sub[i]), "exchange alternatives %d and %d of %s", i, i+1, brief(e))
				}
			}
			for _, x := range []string{"~", "/", "%"} {
				change(expr.Or(e, expr.Lit(x)), "add %q to %s", x, brief(e))
			}
		case expr.Class:
			members := e.Set.Members()
			for _, x := range []byte{members[0], members[len(members)-1]} {
				change(expr.In(e.Set.Minus(singleByte(x))), "narrow %s by %q", e, x)
			}
			for _, x := range []byte{'~', '/', '%', '0'} {
				if !e.Set.Has(x) {
					change(expr.In(e.Set.Union(singleByte(x))), "widen %s by %q", e, x)
				}
			}
			var shifted expr.Set
			for _, x := range members {
				shifted.Add(x + 1)
			}
			change(expr.In(shifted), "shift %s", e)
		case expr.Literal:
			change(expr.Lit(e.Lit[:len(e.Lit)-1]), "shorten %s", e)
			change(expr.Lit(e.Lit[:len(e.Lit)-1]+string([]byte{e.Lit[len(e.Lit)-1] + 1})), "shift %s", e)
		case expr.Repeat:
			times := func(min, max int) {
				if max == expr.Unbounded || min <= max {
					change(expr.Times(e.Sub[0], min, max), "%s %s times", brief(e), interval(min, max))
				}
			}
			times(e.Min+1, e.Max)
			times(max(e.Min-1, 0), e.Max)
			if e.Max == expr.Unbounded {
				times(e.Min, e.Min+1)
				times(e.Min, e.Min+3)
			} else {
				times(e.Min, e.Max+1)
				times(e.Min, e.Max-1)
				times(e.Min, expr.Unbounded)
			}
		case expr.Not, expr.And:
			change(expr.Cat(), "forget %s", brief(e))
		case expr.Seq:
			for i := range e.Sub {
				change(expr.Cat(with(e, i).Sub...), "leave out %s", brief(e.Sub[i]))
			}
		}
		for i, sub := range e.Sub {
			visit(sub, func(x *expr.Expr) *expr.Expr { return place(with(e, i, x)) })
		}
	}
	visit(r.Expr, func(x *expr.Expr) *expr.Expr { return x })
	return list
}

// with returns e with others in place of its part i.
func with(e *expr.Expr, i int, others ...*expr.Expr) *expr.Expr {
	changed := *e
	changed.Sub = append(append(append([]*expr.Expr(nil), e.Sub[:i]...), others...), e.Sub[i+1:]...)
	if len(changed.Sub) == 1 && (e.Op == expr.Alt || e.Op == expr.Seq) {
		return changed.Sub[0]
	}
	return &changed
}

func interval(min, max int) string {
	if max == expr.Unbounded {
		return fmt.Sprintf("%d or more", min)
	}
	return fmt.Sprintf("%d to %d", min, max)
}

// brief prints an expression, cut where it is long.
func brief(e *expr.Expr) string {
	s := e.String()
	if len(s) > 40 {
		s = s[:37] + "..."
	}
	return s
}
