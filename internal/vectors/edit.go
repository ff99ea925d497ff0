package vectors

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// An edit is one change of an expression: gates that it closes and opens, or a byte that one of its classes loses or gains.
type edit struct {
	what        string
	close, open []int // by role
	at          int   // of a literal, which byte
	byte        byte
	bytes, adds bool       // a byte is lost or gained
	other       *expr.Expr // in place of the expression, where no gates do it
}

// monotone reports whether the edit can only take words away, or only add some.
func (e *edit) monotone() bool { return len(e.close) == 0 || len(e.open) == 0 }

// editing makes the edits of a grammar's expressions.
type editing struct {
	m *marker
	a *lang.DFA
}

// of returns the edits of an expression, which stands in a production that is one of a recursive set or of none.
func (d *editing) of(e *expr.Expr, in *recursive) (list []edit) {
	gates := func(what string, close, open []int) { list = append(list, edit{what: what, close: close, open: open}) }
	switch e.Op {
	case expr.Class:
		return d.class(nil, e.Set, 0, e.Chars != "")
	case expr.Literal:
		for i := range len(e.Lit) {
			list = d.class(list, byteSet(e.Lit[i]), i, false)
		}
	case expr.Alt:
		for i, s := range e.Sub {
			gates("without the alternative "+s.String(), []int{i}, nil)
		}
	case expr.Seq:
		for i := range len(e.Sub) - 1 {
			what := fmt.Sprintf("%s and %s exchanged", e.Sub[i], e.Sub[i+1])
			if in == nil || !d.m.recurs(e.Sub[i], in) && !d.m.recurs(e.Sub[i+1], in) {
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
			if in != nil && d.m.recurs(e.Sub[0], in) && (e.Min != 0 || e.Max != 1 || max > 1) {
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
		if e.Min > 0 || e.Max != 1 || in == nil || !d.m.recurs(e.Sub[0], in) { // an option of the production itself has no bound
			times(e.Min, e.Max+1, nil, []int{enterMore})
		}
		if e.Min < e.Max {
			times(e.Min, e.Max-1, []int{enterLast}, nil)
			break
		}
		times(e.Max+1, e.Max+1, []int{leaveAtLeast}, []int{enterMore})
		if e.Min > 0 {
			times(e.Min-1, e.Max-1, []int{leaveAtLeast}, []int{leaveBefore})
		}
	}
	return list
}

// class returns the edits of a class of bytes, in ascending order: each of its bytes is lost and, of the octets of a
// character beyond ASCII, the ends of each range and one between; gained are the neighbours of each range, the other case of
// each letter, bytes at which programs stumble, and one byte of each class of the automaton that has none among these.
func (d *editing) class(list []edit, set expr.Set, at int, octets bool) []edit {
	lost := set
	gained := expr.Bytes("\x00\n%\x80")
	if octets {
		lost = expr.Set{}
	}
	for _, r := range set.Ranges() {
		if octets {
			lost.Add(r[0])
			lost.Add(r[0] + (r[1]-r[0])/2)
			lost.Add(r[1])
		}
		if r[0] > 0 {
			gained.Add(r[0] - 1)
		}
		if r[1] < 0xff {
			gained.Add(r[1] + 1)
		}
	}
	for _, b := range set.Members() {
		if other := b ^ 0x20; 'a' <= b|0x20 && b|0x20 <= 'z' {
			gained.Add(other)
		}
	}
	gained = gained.Minus(set)
	for c := range d.a.Classes() {
		if rest := d.a.ClassSet(c).Minus(set); !rest.IsEmpty() && gained.Intersect(rest).IsEmpty() {
			gained.Add(mostReadable(rest))
		}
	}
	for _, b := range lost.Members() {
		list = append(list, edit{what: fmt.Sprintf("%s without %q", set, b), at: at, byte: b, bytes: true})
	}
	for _, b := range gained.Members() {
		list = append(list, edit{what: fmt.Sprintf("%s with %q", set, b), at: at, byte: b, bytes: true, adds: true})
	}
	return list
}

// distinct returns the productions that one uses, so that no expression stands twice.
func distinct(g *expr.Grammar, id string) *expr.Grammar {
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
