package ast

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Checker checks that trees are derivations. It shares nothing with the parsers: of each node it finds whether the production derives
// the text with exactly the nodes below it. [Parser.Check] has it do so with every tree. A Checker is safe for concurrent use.
type Checker struct {
	rules []checkedRule // by Kind
}

type checkedRule struct {
	*checked
	lexical, circle bool // it is no node; it uses itself by way of such
}

// checked is an expression: the first letter of its word, and its parts.
type checked struct {
	op          byte
	set         ByteSet
	a, b        *checked
	kind        Kind
	least, most int
}

// NewChecker returns a checker for a grammar in the words of proof/check, the checker of trees that is proven in Rocq: for each
// production, in the order of its [Kind], a line of "node" or "lexical" and an expression, with each operator before its operands.
// These are empty, bytes SET as in "2d,30-39" or "none", rule KIND, seq A B, alt A B,
// star A, and times LEAST MOST A, where -1 is no most.
func NewChecker(grammar string) (*Checker, error) {
	c := &Checker{make([]checkedRule, 1)}
	for line := range strings.Lines(grammar) {
		w := &checkedWords{rest: strings.Fields(line), ok: len(line) < 1<<24}
		form := w.next()
		c.rules = append(c.rules, checkedRule{w.expression(), form == "lexical", false})
		if !w.ok || len(w.rest) > 0 || form != "node" && form != "lexical" {
			return nil, fmt.Errorf("line %d of the grammar of a checker is wrong, before its last %d words", len(c.rules)-1, len(w.rest))
		}
	}
	for k := range c.rules {
		c.rules[k].circle = c.rules[k].lexical && c.reaches(c.rules[k].checked, Kind(k), make([]bool, len(c.rules)))
	}
	return c, nil
}

// reaches reports whether e uses a production, by way of lexical ones.
func (c *Checker) reaches(e *checked, k Kind, seen []bool) bool {
	if e == nil || e.op != 'r' || int(e.kind) >= len(c.rules) || e.kind == k || seen[e.kind] {
		return e != nil && (c.reaches(e.a, k, seen) || c.reaches(e.b, k, seen) || e.op == 'r' && e.kind == k)
	}
	seen[e.kind] = true
	return c.rules[e.kind].lexical && c.reaches(c.rules[e.kind].checked, k, seen)
}

// checkedWords reads words.
type checkedWords struct {
	rest []string
	ok   bool
}

func (w *checkedWords) next() (word string) {
	if w.ok = w.ok && len(w.rest) > 0; w.ok {
		word, w.rest = w.rest[0], w.rest[1:]
	}
	return word
}

func (w *checkedWords) number(word string, base, bits int) int {
	n, err := strconv.ParseInt(word, base, bits)
	w.ok = w.ok && err == nil
	return int(n)
}

func (w *checkedWords) expression() *checked {
	word := w.next()
	e := &checked{op: (word + " ")[0]}
	switch word {
	case "empty":
	case "bytes":
		for part := range strings.SplitSeq(w.next(), ",") {
			low, high, ok := strings.Cut(part, "-")
			if !ok {
				high = low
			}
			if part != "none" {
				for b, last := w.number(low, 16, 9), w.number(high, 16, 9); w.ok && b <= last; b++ {
					e.set[b>>6&3] |= 1 << (b & 63)
				}
			}
		}
	case "rule":
		k := w.number(w.next(), 10, 17)
		e.kind, w.ok = Kind(k), w.ok && k > 0
	case "star":
		e.op, e.most, e.a = 't', -1, w.expression()
	case "times":
		e.least, e.most, e.a = w.number(w.next(), 10, 32), w.number(w.next(), 10, 32), w.expression()
	case "seq", "alt":
		if e.a, e.b = w.expression(), w.expression(); w.ok && e.op == 'a' && e.a.op == 'b' && e.b.op == 'b' {
			for i := range e.set {
				e.set[i] = e.a.set[i] | e.b.set[i]
			}
			e.op = 'b'
		}
	default:
		w.ok = false
	}
	return e
}

// Check returns an error unless t is a derivation. That is: the root is all of the source; nodes nest, in order; the expression of each
// node's production derives its text so that the productions that are no lexical ones derive exactly its children, each in its place. A
// production that uses itself at the end of a node may go on in that node. The error names the first node of which that is not true.
func (c *Checker) Check(t *Tree) error {
	if t == nil || len(t.Nodes) == 0 || int(t.Nodes[0].Next) != len(t.Nodes) || t.Nodes[0].Start != 0 || int(t.Nodes[0].End) != len(t.Source) {
		return fmt.Errorf("the root is not all of the tree")
	}
	for i, n := range t.Nodes {
		m := &checking{c: c, src: t.Source, kind: n.Kind, begin: place{n.Start, 0}}
		for at, j := n.Start, int32(i+1); j < n.Next; j = t.Nodes[j].Next {
			child := t.Nodes[j]
			if child.Next <= j || child.Next > n.Next || child.Start < at || child.End < child.Start || child.End > n.End {
				return fmt.Errorf("node %d does not lie in its place", j)
			}
			at, m.children = child.End, append(m.children, child)
		}
		m.whole = place{n.End, int32(len(m.children))}
		if n.Kind == 0 || int(n.Kind) >= len(c.rules) || !m.derives() {
			id := t.Grammar.Production(n.Kind).ID
			return fmt.Errorf("%s at %d does not derive %s with the nodes below it", id, n.Start, Quote(t.Source[n.Start:n.End]))
		}
	}
	return nil
}

// A checking finds whether the production of one node derives its text and children.
type checking struct {
	c            *Checker
	src          string
	kind         Kind
	children     []Raw
	begin, whole place
	empty        bool // the production derives nothing, without a child

	ends  map[checkedUse]*checkedEnds // of lexical productions that use themselves
	turn  int
	grown bool
}

// A place is an offset, and the number of children before it. At a spot the node goes on in itself from again, unless that is zero,
// and so whatever follows is empty.
type (
	place struct{ at, child int32 }
	spot  struct {
		place
		again place
	}
)

type (
	checkedUse struct {
		kind Kind
		from spot
	}
	checkedEnds struct {
		spots []spot
		turn  int
	}
)

func (m *checking) derives() bool {
	m.empty = slices.Contains(m.from(m.whole), spot{place: m.whole})
	seen := map[place]bool{m.begin: true}
	for todo := []place{m.begin}; len(todo) > 0; todo = todo[1:] {
		for _, s := range m.from(todo[0]) {
			if s == (spot{place: m.whole}) {
				return true
			} else if s.place == m.whole && !seen[s.again] {
				seen[s.again] = true
				todo = append(todo, s.again)
			}
		}
	}
	return false
}

// from returns the spots at which the production can end that begins at a place.
func (m *checking) from(p place) (out []spot) {
	m.ends = nil
	for m.turn, m.grown = 0, true; m.grown; {
		m.turn, m.grown = m.turn+1, false
		out = m.match(m.c.rules[m.kind].checked, []spot{{place: p}})
	}
	return out
}

// match returns the spots at which e can end that begins at any of some. They are in order.
func (m *checking) match(e *checked, from []spot) (out []spot) {
	if len(from) == 0 {
		return nil
	}
	switch e.op {
	case 'e':
		return from
	case 'b':
		for _, s := range from {
			end := m.whole.at
			if int(s.child) < len(m.children) {
				end = m.children[s.child].Start
			}
			if s.at < end && e.set.Has(m.src[s.at]) {
				out = append(out, spot{place{s.at + 1, s.child}, s.again})
			}
		}
	case 's':
		return m.match(e.b, m.match(e.a, from))
	case 'a':
		return union(union(nil, m.match(e.a, from)), m.match(e.b, from))
	case 't':
		for n := 0; n < e.least && len(from) > 0; n++ {
			from = m.match(e.a, from)
		}
		for n := e.least; len(from) > 0; n++ {
			from = slices.DeleteFunc(slices.Clone(from), func(s spot) bool { _, ok := slices.BinarySearchFunc(out, s, spot.compare); return ok })
			if out = union(out, from); n == e.most {
				break
			}
			from = m.match(e.a, from)
		}
	case 'r':
		if int(e.kind) < len(m.c.rules) {
			return m.use(e.kind, from)
		}
	}
	return out
}

// use matches a production: the next child if it is a node, else its expression.
func (m *checking) use(k Kind, from []spot) (out []spot) {
	r := m.c.rules[k]
	if r.lexical && !r.circle {
		return m.match(r.checked, from)
	}
	for _, s := range from {
		switch {
		case r.lexical:
			out = union(out, m.circle(k, s))
			continue
		case int(s.child) < len(m.children) && m.children[s.child].Kind == k && m.children[s.child].Start == s.at:
			out = union(out, []spot{{place{m.children[s.child].End, s.child + 1}, s.again}})
		}
		if k == m.kind && s.place != m.whole && s.place != m.begin {
			out = union(out, []spot{{m.whole, s.place}})
		} else if k == m.kind && s.place == m.whole && m.empty {
			out = union(out, []spot{s})
		}
	}
	return out
}

// circle matches a lexical production that uses itself, once in each turn.
func (m *checking) circle(k Kind, s spot) []spot {
	known := m.ends[checkedUse{k, s}]
	if known == nil {
		if known = (&checkedEnds{}); m.ends == nil {
			m.ends = map[checkedUse]*checkedEnds{}
		}
		m.ends[checkedUse{k, s}] = known
	}
	if known.turn != m.turn {
		known.turn = m.turn
		if all := union(slices.Clone(known.spots), m.match(m.c.rules[k].checked, []spot{s})); len(all) > len(known.spots) {
			known.spots, m.grown = all, true
		}
	}
	return known.spots
}

func (s spot) compare(t spot) int {
	return cmp.Or(cmp.Compare(s.at, t.at), cmp.Compare(s.child, t.child), cmp.Compare(s.again.at, t.again.at), cmp.Compare(s.again.child, t.again.child))
}

// union returns the spots of both in order. It may change a.
func union(a, b []spot) []spot {
	if len(a) == 0 {
		return slices.Clip(b)
	} else if len(b) == 0 {
		return a
	}
	a = append(a, b...)
	if i := len(a) - len(b); a[i-1].compare(b[0]) >= 0 {
		slices.SortFunc(a, spot.compare)
		a = slices.Compact(a)
	}
	return a
}
