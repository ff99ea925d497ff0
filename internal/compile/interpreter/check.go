package interpreter

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Checker checks that trees are derivations. It shares nothing with the engines of this package, nor with any parser, and may be
// used by several goroutines.
type Checker struct {
	g     *expr.Grammar
	kinds map[string]ast.Kind
	of    *ast.Grammar
	bytes map[*expr.Expr]expr.Set // of the expressions that derive single bytes, and have no node
}

// NewChecker returns a checker of trees of the grammar of, whose productions are those of g by their IDs.
func NewChecker(g *expr.Grammar, of *ast.Grammar) *Checker {
	c := &Checker{g: g, of: of, kinds: map[string]ast.Kind{}, bytes: map[*expr.Expr]expr.Set{}}
	for k, p := range of.Productions {
		c.kinds[p.ID] = ast.Kind(k)
	}
	for known := -1; known < len(c.bytes); { // until no more are found
		known = len(c.bytes)
		for _, r := range g.Rules {
			expr.Walk(r.Expr, func(e *expr.Expr) bool {
				if s, ok := c.single(e); ok {
					c.bytes[e] = s
				}
				return true
			})
		}
	}
	return c
}

// single returns the bytes of an expression that derives single bytes only.
func (c *Checker) single(e *expr.Expr) (s expr.Set, ok bool) {
	switch e.Op {
	case expr.Class:
		return e.Set, true
	case expr.Ref:
		r := c.g.Rule(e.Name)
		if r == nil || !c.lexical(e.Name) {
			return s, false
		}
		s, ok = c.bytes[r.Expr]
		return s, ok
	case expr.Alt:
		for _, sub := range e.Sub {
			t, ok := c.bytes[sub]
			if !ok {
				return s, false
			}
			s = s.Union(t)
		}
		return s, true
	}
	return s, false
}

func (c *Checker) lexical(id string) bool { return c.of.Production(c.kinds[id]).Lexical }

// Check returns an error where a well-formed tree is no derivation: the expression of each node's production derives the node's text,
// so that the productions that are nodes derive exactly its children, in their order and places. A production that goes on in itself
// at the end of a node may be part of that node. The error names the first node of which that is not true.
func (c *Checker) Check(t *ast.Tree) error {
	for _, n := range t.Root().All() {
		r := c.g.Rule(n.ID())
		if r == nil {
			return fmt.Errorf("%s is no production of %s", n.ID(), c.g.Name)
		}
		m := &matching{Checker: c, n: n, w: t.Source, ends: map[used]*ends{}}
		for child := range n.Children() {
			m.children = append(m.children, child)
		}
		whole := spot{n.End(), len(m.children)}
		for turn := 1; ; turn++ {
			m.grown, m.turn = false, turn
			if slices.Contains(m.match(r.Expr, []spot{{n.Start(), 0}}), whole) {
				break
			}
			if !m.cyclic || !m.grown { // a production that uses itself is complete when nothing grows
				return fmt.Errorf("%s at %d does not derive %s with the nodes below it", n.ID(), n.Start(), ast.Quote(n.Text()))
			}
		}
	}
	return nil
}

// A matching finds whether the production of one node derives its text and children.
type matching struct {
	*Checker
	n        ast.Node
	w        string
	children []ast.Node

	ends   map[used]*ends
	turn   int
	grown  bool
	cyclic bool // a production was used at a place while it was being matched there
}

// A spot is a place in the text and the number of children before it.
type spot struct{ at, child int }

// A use is of a production that is no node, and its ends are what is known so far of where that can end.
type (
	used struct {
		id   string
		from spot
	}
	ends struct {
		spots  []spot
		turn   int
		active bool
	}
)

// match returns the spots at which e can end that begins at any of some.
func (m *matching) match(e *expr.Expr, from []spot) (out []spot) {
	if set, ok := m.bytes[e]; ok && e.Op != expr.Ref {
		return m.read(from, 1, func(text string) bool { return set.Has(text[0]) })
	}
	switch e.Op {
	case expr.Empty:
		return from
	case expr.Literal:
		return m.read(from, len(e.Lit), func(text string) bool { return text == e.Lit })
	case expr.Ref:
		for _, s := range from {
			out = union(out, m.use(e, s))
		}
	case expr.Seq:
		for _, s := range e.Sub {
			from = m.match(s, from)
		}
		return from
	case expr.Alt:
		for _, s := range e.Sub {
			out = union(out, m.match(s, from))
		}
	case expr.Repeat:
		for range e.Min {
			from = m.match(e.Sub[0], from)
		}
		for n := e.Min; len(from) > 0; n++ {
			from = slices.DeleteFunc(slices.Clone(from), func(s spot) bool { return slices.Contains(out, s) })
			out = append(out, from...)
			if e.Max != expr.Unbounded && n >= e.Max {
				break
			}
			from = m.match(e.Sub[0], from)
		}
	}
	return out
}

func union(a, b []spot) []spot {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// read goes on over n bytes, which lie in front of the next child.
func (m *matching) read(from []spot, n int, ok func(text string) bool) (out []spot) {
	for _, s := range from {
		end := m.n.End()
		if s.child < len(m.children) {
			end = m.children[s.child].Start()
		}
		if s.at+n <= end && ok(m.w[s.at:s.at+n]) {
			out = append(out, spot{s.at + n, s.child})
		}
	}
	return out
}

// use matches a production: the next child if it is a node, else its expression.
func (m *matching) use(e *expr.Expr, from spot) (out []spot) {
	id := e.Name
	if from.child < len(m.children) {
		if next := m.children[from.child]; next.ID() == id && next.Start() == from.at {
			out = append(out, spot{next.End(), from.child + 1})
		}
	}
	r := m.g.Rule(id)
	if r == nil {
		return out
	}
	if set, ok := m.bytes[e]; ok {
		return union(out, m.read([]spot{from}, 1, func(text string) bool { return set.Has(text[0]) }))
	}
	lexical := m.lexical(id)
	if !lexical && id != m.n.ID() {
		return out
	}
	for _, s := range m.within(r, from) {
		if lexical || s == (spot{m.n.End(), len(m.children)}) {
			out = union(out, []spot{s})
		}
	}
	return out
}

// within matches the expression of a production, once in each turn at each spot.
func (m *matching) within(r *expr.Rule, from spot) []spot {
	k := used{r.ID, from}
	known := m.ends[k]
	switch {
	case known == nil:
		known = &ends{}
		m.ends[k] = known
	case known.active:
		m.cyclic = true
		return known.spots
	case known.turn == m.turn:
		return known.spots
	}
	known.active, known.turn = true, m.turn
	before := len(known.spots)
	known.spots = union(known.spots, m.match(r.Expr, []spot{from}))
	known.active = false
	m.grown = m.grown || len(known.spots) > before
	return known.spots
}
