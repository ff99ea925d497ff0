package lint

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// mostOrders caps the orders of a rule's alternatives that are tried one by one; a rule that has more is not tried in
// all of them.
const mostOrders = 720

// findOrder returns r's right-hand side with its alternatives in an order that loses nothing: r then matches exactly
// its language, whole. a is what r matches in the printed order; it must lack a string of whole. mended is nil if no
// order was found. none reports that no order helps, as is proven: there is only one, a string is lost in all of
// them, or all were tried. It is false without mended if there are more than mostOrders, or a limit was passed.
func (o *order) findOrder(r *expr.Rule, a, whole *lang.DFA) (mended *expr.Expr, none bool) {
	if w, _ := whole.ShortestOutside(a); countOrders(r.Expr) == 1 || o.hopeless(r.Expr, w) {
		return nil, true
	}
	if e := o.improve(r, a, whole); e != nil {
		return e, false
	}
	e := o.sortByPrefixes(r.Expr)
	if a := o.languageWith(r, e); a != nil && a.Equal(whole) {
		return e, false
	}
	if countOrders(r.Expr) > mostOrders {
		return nil, false
	}
	// It goes on while an order is known to lose something, and so never stops if all do.
	none = permute(r.Expr, func(e *expr.Expr) bool {
		a := o.languageWith(r, e)
		if a != nil && a.Equal(whole) {
			mended = e
		}
		return a != nil && mended == nil
	})
	return mended, none
}

// languageWith returns the language that the expression e matches, which is to be the right-hand side of r. Its
// references mean the rules as o.peg reads them: those that lose strings, r among them, match the longest string of
// their language. The effort for r is charged to the work of the document first. The result is nil if that is spent,
// or another limit is passed.
func (o *order) languageWith(r *expr.Rule, e *expr.Expr) *lang.DFA {
	if o.spread.charge(o.effort(r)) != nil {
		return nil
	}
	a, err := o.peg.Whole(e)
	if err != nil {
		return nil
	}
	return a
}

// improve moves alternatives of r before those that hide them until nothing is lost, and returns the
// right-hand side. a is what r matches in the printed order, and whole is its language. It returns nil if
// that does not help: a string is lost for another reason, a limit is passed, an order comes back, since
// each order leads to the same next one, or after 40 rounds.
func (o *order) improve(r *expr.Rule, a, whole *lang.DFA) *expr.Expr {
	const rounds = 40
	e := r.Expr
	seen := map[string]bool{e.String(): true}
	for range rounds {
		w, ok := whole.ShortestOutside(a)
		if !ok {
			return e
		}
		all := o.deviations(e, w, o.longest)
		i := slices.IndexFunc(all, func(d deviation) bool { return d.e.Op == expr.Alt })
		if i < 0 {
			return nil
		}
		d := all[i]
		moved := *d.e
		moved.Sub = slices.Insert(slices.Delete(slices.Clone(d.e.Sub), d.want, d.want+1), d.instead, d.e.Sub[d.want])
		e = e.With(d.e, &moved)
		if seen[e.String()] {
			return nil
		}
		seen[e.String()] = true
		a = o.languageWith(r, e)
		if a == nil {
			return nil
		}
	}
	return nil
}

// hopeless reports whether w is lost in every order: whether it is lost even if each alternative may be taken first,
// and a repetition ends only where its body can fail. It is false for a string of more than longestExplained bytes;
// false proves nothing.
func (o *order) hopeless(e *expr.Expr, w string) bool {
	if len(w) > longestExplained {
		return false
	}
	return !o.reader(w, o.longest).outcomes(e, 0, map[readAt]*outcome{}).ends[len(w)]
}

// An outcome is the set of offsets at which matches may end, over all orders of the alternatives, and whether there
// may be no match.
type outcome struct {
	ends  map[int]bool
	fails bool
}

// outcomes returns the outcome of matching e at offset i, over all orders of the alternatives in e itself: what a
// use in it matches is settled, as r.match has it. memo holds the outcomes found so far, and gets this one.
//
// Sets of ends are carried through a sequence and the rounds of a repetition. An alternation fails only if all its
// alternatives do. A repetition ends where a further round may fail. Without an upper limit, it stops when a round
// reaches no new offset; one whose rounds always match without reading has no outcome, since the parser does not end.
func (r *reader) outcomes(e *expr.Expr, i int, memo map[readAt]*outcome) *outcome {
	key := readAt{e, i}
	if known := memo[key]; known != nil {
		return known
	}
	out := &outcome{ends: map[int]bool{}}
	memo[key] = out // it is filled below; e is not part of itself, so that nobody asks before
	// after joins the outcomes of e at each of some offsets.
	after := func(from map[int]bool, e *expr.Expr) (to map[int]bool, fails bool) {
		to = map[int]bool{}
		for j := range from {
			next := r.outcomes(e, j, memo)
			fails = fails || next.fails
			for k := range next.ends {
				to[k] = true
			}
		}
		return to, fails
	}
	switch e.Op {
	case expr.Seq:
		at := map[int]bool{i: true}
		for _, s := range e.Sub {
			var fails bool
			at, fails = after(at, s)
			out.fails = out.fails || fails
		}
		out.ends = at
	case expr.Alt:
		out.fails = true
		for _, s := range e.Sub {
			one := r.outcomes(s, i, memo)
			out.fails = out.fails && one.fails
			for k := range one.ends {
				out.ends[k] = true
			}
		}
	case expr.Repeat:
		at := map[int]bool{i: true}
		seen := map[int]bool{}
		for n := 0; len(at) > 0; n++ {
			if n >= e.Min && e.Max == expr.Unbounded { // further rounds are like this one
				fresh := false
				for j := range at {
					fresh = fresh || !seen[j]
					seen[j] = true
				}
				if !fresh {
					break
				}
			}
			if n == e.Max {
				for j := range at {
					out.ends[j] = true
				}
				break
			}
			next := map[int]bool{}
			for j := range at {
				round := r.outcomes(e.Sub[0], j, memo)
				if round.fails && n >= e.Min {
					out.ends[j] = true
				}
				out.fails = out.fails || round.fails && n < e.Min
				for k := range round.ends {
					next[k] = true
				}
			}
			at = next
		}
	default: // a terminal, or a use, whose order is settled
		end := r.match(e, i)
		out.fails = end < 0
		if end >= 0 {
			out.ends[end] = true
		}
	}
	return out
}

// sortByPrefixes returns e with the alternatives of each choice sorted: one comes before those whose strings are
// prefixes of its own strings. Of several that may come next, the first as printed does. Where circles leave none that
// may, it is the first as printed in a circle that no alternative outside of it must precede. A choice with an
// alternative whose language is not known keeps its order. e is not changed.
func (o *order) sortByPrefixes(e *expr.Expr) *expr.Expr {
	if len(e.Sub) == 0 {
		return e
	}
	e = e.Map(o.sortByPrefixes) // a copy, even if nothing in it has changed
	if e.Op != expr.Alt {
		return e
	}
	langs := make([]*lang.DFA, len(e.Sub))
	for i, s := range e.Sub {
		a, err := o.spread.derived(s)
		if err != nil {
			return e
		}
		langs[i] = a
	}
	longer := lang.OfSet(expr.AnyByte).Concat(lang.All())
	known := map[[2]int]bool{}
	mustPrecede := func(i, j int) bool {
		return i != j && expr.Memo(known, [2]int{i, j}, func() bool {
			return !langs[j].Concat(longer).Disjoint(langs[i])
		})
	}
	left := make([]int, len(e.Sub))
	for i := range left {
		left[i] = i
	}
	var order []*expr.Expr
	for len(left) > 0 {
		k := slices.IndexFunc(left, func(j int) bool {
			return !slices.ContainsFunc(left, func(i int) bool { return mustPrecede(i, j) })
		})
		if k < 0 {
			k = firstOfCircle(left, mustPrecede)
		}
		order = append(order, e.Sub[left[k]])
		left = slices.Delete(left, k, k+1)
	}
	e.Sub = order
	return e
}

// firstOfCircle returns the index in left of the first node in a circle that no node outside of the circle must
// precede. For each node of left there must be another that must precede it.
func firstOfCircle(left []int, mustPrecede func(i, j int) bool) int {
	earlier := func(k int) (list []int) { // indexes in left
		for i := range left {
			if mustPrecede(left[i], left[k]) {
				list = append(list, i)
			}
		}
		return list
	}
	first := len(left)
	for _, circle := range expr.Components(len(left), earlier) { // each in ascending order
		waits := slices.ContainsFunc(circle, func(k int) bool {
			return slices.ContainsFunc(earlier(k), func(i int) bool {
				_, in := slices.BinarySearch(circle, i)
				return !in
			})
		})
		if !waits {
			first = min(first, circle[0])
		}
	}
	return first
}

// countOrders returns the number of orders of all alternatives in e, but at most mostOrders+1.
func countOrders(e *expr.Expr) int {
	n := 1
	for _, s := range e.Sub {
		n = min(n*countOrders(s), mostOrders+1)
	}
	if e.Op == expr.Alt {
		for i := range e.Sub {
			n = min(n*(i+1), mostOrders+1)
		}
	}
	return n
}

// permute calls f with a copy of e for every order of its alternatives, and of those inside of it, until f returns
// false, and reports whether f never did. e is not changed, but the copies share its leaves.
func permute(e *expr.Expr, f func(*expr.Expr) bool) bool {
	if len(e.Sub) == 0 {
		return f(e)
	}
	sub := make([]*expr.Expr, len(e.Sub))
	used := make([]bool, len(e.Sub))
	var place func(i int) bool
	place = func(i int) bool {
		if i == len(sub) {
			c := *e
			c.Sub = slices.Clone(sub)
			return f(&c)
		}
		for j, s := range e.Sub {
			if used[j] || e.Op != expr.Alt && j != i { // only alternatives change places
				continue
			}
			used[j] = true
			more := permute(s, func(s *expr.Expr) bool {
				sub[i] = s
				return place(i + 1)
			})
			used[j] = false
			if !more {
				return false
			}
		}
		return true
	}
	return place(0)
}
