package annotated

import (
	"cmp"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An alternative that derives nothing would still add its terminals to the expected terms, although no input
// ever goes on with them. So the automaton is built from the grammar without the parts that derive nothing.

// A pruner removes the parts of expressions that derive nothing. It embeds the facts that tell which these are.
type pruner struct{ *expr.Facts }

// prunedOrNothing returns prune's result for e or, if nothing is left, the empty class, which derives nothing.
func (p pruner) prunedOrNothing(e *expr.Expr) *expr.Expr {
	return cmp.Or(p.prune(e), &expr.Expr{Op: expr.Class, Pos: e.Pos})
}

// prune returns e without the parts that derive nothing, and nil if all of e derives nothing. The empty expression
// takes the place of a reference that derives the empty string alone, and of a repetition from 0 of what derives
// nothing. prune returns e itself if there is nothing to change, and never changes it.
func (p pruner) prune(e *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.Class, expr.Ref:
		if !p.Derives(e) {
			return nil
		}
		if !p.NonEmpty(e) { // A = *A derives the empty string alone, and would be entered without end
			return &expr.Expr{Op: expr.Empty, Pos: e.Pos}
		}
	case expr.Seq, expr.Alt, expr.Repeat:
		var sub []*expr.Expr
		same := true
		for _, s := range e.Sub {
			left := p.prune(s)
			same = same && left == s
			switch {
			case left != nil:
				sub = append(sub, left)
			case e.Op == expr.Repeat && e.Min == 0:
				return &expr.Expr{Op: expr.Empty, Pos: e.Pos}
			case e.Op != expr.Alt:
				return nil
			}
		}
		switch {
		case same:
			return e
		case len(sub) == 0:
			return nil
		case len(sub) == 1 && e.Op == expr.Alt:
			return sub[0]
		}
		c := *e
		c.Sub = sub
		return &c
	}
	return e
}
