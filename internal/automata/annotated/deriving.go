package annotated

import (
	"cmp"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Of a choice whose other alternative derives nothing, the text of that alternative is never to be expected. So the
// machine is built from the grammar without the parts that derive nothing.

// A pruner takes out what derives nothing. A rule that derives nothing as a whole becomes the empty class.
type pruner struct{ *expr.Facts }

// orNothing returns what prune leaves of e, or the empty class.
func (p pruner) orNothing(e *expr.Expr) *expr.Expr {
	return cmp.Or(p.prune(e), &expr.Expr{Op: expr.Class, Pos: e.Pos})
}

// prune returns e without the parts that derive nothing: e itself where there are none, nil where nothing is left.
func (p pruner) prune(e *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.Class, expr.Ref:
		if !p.Derives(e) {
			return nil
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
