package vectors

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An edit is one change of an expression. It closes and opens gates, or makes one of its classes lose or gain a byte,
// or replaces the expression.
type edit struct {
	what         string
	close, open  []int // roles of the gates
	at           int   // for a literal, the index of the byte
	byte         byte
	isByte, adds bool       // one byte is lost or, with adds, gained
	other        *expr.Expr // replaces the expression, where no gates can express the change
}

// gains reports whether the edit can add words to the language.
func (e *edit) gains() bool { return len(e.open) > 0 || e.isByte && e.adds }

// loses reports whether the edit can take words out of the language.
func (e *edit) loses() bool { return len(e.close) > 0 || e.isByte && !e.adds }

// monotone reports whether the edit can only take words away, or only add some.
func (e *edit) monotone() bool { return !e.gains() || !e.loses() }

// editsOf returns the edits of an expression itself, not of its parts; a reference has none. in is the recursive set of
// productions that the expression stands in; nil for none. Where parts of that recursion are exchanged or repeated, no
// gates can express the edit, and it replaces the expression. If a limit is passed it sets m.err.
func (m *marker) editsOf(e *expr.Expr, in *expr.Component) (list []edit) {
	gates := func(what string, close, open []int) { list = append(list, edit{what: what, close: close, open: open}) }
	if isCharacters(e) {
		lost, gained := m.sampleCharacters(e)
		for i, w := range lost {
			gates(fmt.Sprintf("%s without %+q", e.Chars, w), []int{i}, nil)
		}
		for i, w := range gained {
			gates(fmt.Sprintf("%s with %+q", e.Chars, w), nil, []int{len(lost) + i})
		}
		return list
	}
	switch e.Op {
	case expr.Class:
		return m.classEdits(nil, e.Set, 0)
	case expr.Literal:
		for i := range len(e.Lit) {
			list = m.classEdits(list, singleByte(e.Lit[i]), i)
		}
	case expr.Alt:
		for i, s := range e.Sub {
			gates("without the alternative "+s.String(), []int{i}, nil)
		}
	case expr.Seq:
		for i := range len(e.Sub) - 1 {
			what := fmt.Sprintf("%s and %s exchanged", e.Sub[i], e.Sub[i+1])
			if in == nil || !m.usesComponent(e.Sub[i], in) && !m.usesComponent(e.Sub[i+1], in) {
				gates(what, []int{2 * i}, []int{2*i + 1})
				continue
			}
			other := *e
			other.Sub = slices.Clone(e.Sub)
			other.Sub[i], other.Sub[i+1] = e.Sub[i+1], e.Sub[i]
			list = append(list, edit{what: what, other: &other})
		}
	case expr.Repeat:
		times := func(min, max int, close, open []int) {
			other := expr.Times(e.Sub[0], min, max)
			change := edit{what: other.String() + " for " + e.String(), close: close, open: open}
			// The gates of an option can express that it is mandatory, or never taken, even in a recursion.
			if in != nil && m.usesComponent(e.Sub[0], in) && (e.Min != 0 || e.Max != 1 || max > 1) {
				change = edit{what: change.what, other: other}
			}
			list = append(list, change)
		}
		if e.Min > 0 {
			times(e.Min-1, e.Max, nil, []int{leaveBefore})
		}
		if e.Max == expr.Unbounded || e.Min < e.Max {
			times(e.Min+1, e.Max, []int{leaveAtLeast}, nil)
		}
		if e.Max == expr.Unbounded {
			break
		}
		// The option of a recursive production has no bound of its own.
		if e.Min > 0 || e.Max != 1 || in == nil || !m.usesComponent(e.Sub[0], in) {
			times(e.Min, e.Max+1, nil, []int{enterMore})
		}
		if e.Min < e.Max {
			times(e.Min, e.Max-1, []int{enterLast}, nil)
			break
		}
		// A fixed number: both bounds move together.
		times(e.Max+1, e.Max+1, []int{leaveAtLeast}, []int{enterMore})
		if e.Min > 0 {
			times(e.Min-1, e.Max-1, []int{leaveAtLeast}, []int{leaveBefore})
		}
	}
	return list
}

// classEdits appends the edits of a class of bytes to list, and returns it: first one that loses each byte of the
// class, and then one for each byte that is gained, both in ascending order. Those that are gained are the neighbors
// of each range, the other case of each letter, and those of [marker.bytesGained]. at is the index of the byte in a
// literal.
func (m *marker) classEdits(list []edit, set expr.Set, at int) []edit {
	var near []byte
	for _, r := range set.Ranges() {
		if r[0] > 0 {
			near = append(near, r[0]-1)
		}
		if r[1] < 0xff {
			near = append(near, r[1]+1)
		}
	}
	for _, b := range set.Members() {
		if 'a' <= b|0x20 && b|0x20 <= 'z' {
			near = append(near, b^0x20)
		}
	}
	gained := m.bytesGained(set, near...)
	for _, b := range set.Members() {
		list = append(list, edit{what: fmt.Sprintf("%s without %q", set, b), at: at, byte: b, isByte: true})
	}
	for _, b := range gained.Members() {
		list = append(list, edit{what: fmt.Sprintf("%s with %q", set, b), at: at, byte: b, isByte: true, adds: true})
	}
	return list
}

// withDistinctParts returns a copy of the productions that id needs, itself included, in which no expression stands
// at two places, so that an edit changes one place. A name without a production stays undefined.
func withDistinctParts(g *expr.Grammar, id string) *expr.Grammar {
	var clone func(e *expr.Expr) *expr.Expr
	clone = func(e *expr.Expr) *expr.Expr { return e.Map(clone) }
	var rules []*expr.Rule
	for _, id := range g.Reach(id) {
		if r := g.Rule(id); r != nil {
			c := *r
			c.Expr = clone(r.Expr)
			rules = append(rules, &c)
		}
	}
	return g.With(rules)
}
