package regex

import (
	"sort"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Nothing explains why an expression matches no string: it returns the place and the text, cut at mostShown, of a part
// from which on nothing matches. It descends to the first part that no match gets past, whatever follows; into a
// choice it descends only by the first branch. If all parts can be passed, and yet no match can be whole, that is the
// last part. A part that cannot be decided within limits counts as one that can be passed. For an expression that
// matches some string the result means nothing.
func (r *Regex) Nothing(b *budget.Budget) (pos expr.Pos, text string) {
	n := r.root
	at := n
	var before []*node
	// fails reports whether nothing matches what was passed and these parts after it, whatever follows.
	fails := func(parts ...*node) bool {
		part := *r
		part.root = seq(append(before[:len(before):len(before)], parts...)...)
		a, err := part.DFA(b, Search)
		return err == nil && a.IsEmpty()
	}
	for n != nil {
		if n.end > n.at {
			at = n
		}
		var next *node
		switch {
		case n.op == opSeq && len(n.sub) > 0:
			// What fails, fails with more parts too, so the first is found by bisection; the last needs no test.
			i := sort.Search(len(n.sub)-1, func(i int) bool { return fails(n.sub[:i+1]...) })
			next = n.sub[i]
			before = append(before[:len(before):len(before)], n.sub[:i]...)
		case (n.op == opAlt || n.op == opGroup || n.op == opRepeat && n.min > 0) && n.anchor == 0 &&
			n.sub[0].end > n.sub[0].at:
			if next = n.sub[0]; !fails(next) {
				next = nil
			}
		}
		// Inside an anchor.
		if next != nil && next.at == n.at && next.end == n.end && next.op != opGroup && n.op != opGroup {
			break
		}
		n = next
	}
	text = r.Text[at.at:max(at.at, at.end)]
	return r.pos(at.at), shown(text)
}
