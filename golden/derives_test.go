package golden

import (
	"fmt"
	"maps"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A judge decides whether the BNF derives the nodes of a tree: the text and children of each node, in order, by the right-hand
// side of its production as the ledger reads it. It does not use the PEG that the parsers are made from.
type judge map[string]*expr.Grammar

func newJudge(names ...string) (judge, error) {
	j := judge{}
	for _, name := range names {
		src, err := bnf.Load(name)
		if err != nil {
			return nil, err
		}
		j[name] = src.Default
	}
	return j, nil
}

// derived returns an error for the first node whose production does not derive it from its children.
func (j judge) derived(t *ast.Tree) error {
	for i := range t.Nodes {
		m := match{g: j[t.Grammar.Name], n: t.Node(i), source: t.Source}
		for c := range m.n.Children() {
			m.children = append(m.children, c)
		}
		if !m.derives() {
			return fmt.Errorf("%s %q is not derived from its children", m.n.ID(), m.n.Text())
		}
	}
	return nil
}

// A match is the matching of one node. It follows all alternatives at once, so that no choice is committed to.
type match struct {
	g        *expr.Grammar
	n        ast.Node
	children []ast.Node
	source   string
	again    spots // where the production begins again
}

// A spot is how far a match has come: an offset, and how many children end before it.
type spot struct{ at, child int }

type spots map[spot]bool

// derives reports whether the node's right-hand side leads from its start to its end. A production that is recursive at its
// right end is one node: where it recurs, its right-hand side is matched again, up to the end of the node.
func (m *match) derives() bool {
	rhs := m.g.Rule(m.n.ID()).Expr
	end := spot{m.n.End(), len(m.children)}
	for from := (spots{{m.n.Start(), 0}: true}); len(from) > 0; from = m.again {
		m.again = spots{}
		if m.expr(rhs, from)[end] {
			return true
		}
	}
	return false
}

// limit returns the end of the bytes at p that belong to the node itself: the start of its next child, or the node's end.
func (m *match) limit(p spot) int {
	if p.child < len(m.children) {
		return m.children[p.child].Start()
	}
	return m.n.End()
}

// expr returns the spots that e can lead to from one of the spots from.
func (m *match) expr(e *expr.Expr, from spots) spots {
	to := spots{}
	switch e.Op {
	case expr.Empty:
		return from
	case expr.Class:
		for p := range from {
			if p.at < m.limit(p) && e.Set.Has(m.source[p.at]) {
				to[spot{p.at + 1, p.child}] = true
			}
		}
	case expr.Literal:
		for p := range from {
			if end := p.at + len(e.Lit); end <= m.limit(p) && m.source[p.at:end] == e.Lit {
				to[spot{end, p.child}] = true
			}
		}
	case expr.Seq:
		for _, sub := range e.Sub {
			from = m.expr(sub, from)
		}
		return from
	case expr.Alt:
		for _, sub := range e.Sub {
			maps.Copy(to, m.expr(sub, from))
		}
	case expr.Repeat:
		for n := 0; len(from) > 0 && (n <= e.Max || e.Max == expr.Unbounded); n++ {
			next := spots{}
			for p := range from {
				if n < e.Min || !to[p] {
					next[p] = true
				}
			}
			if n >= e.Min {
				maps.Copy(to, next)
			}
			from = m.expr(e.Sub[0], next)
		}
	case expr.Ref:
		return m.ref(e.Name, from)
	}
	return to
}

// ref matches a child of the production id. A lexical production has no node; its right-hand side is matched instead.
func (m *match) ref(id string, from spots) spots {
	k, _ := m.n.Tree().Grammar.Kind(id)
	switch {
	case m.n.ID() == id:
		maps.Copy(m.again, from)
		return nil
	case m.n.Tree().Grammar.Production(k).Lexical:
		return m.expr(m.g.Rule(id).Expr, from)
	}
	to := spots{}
	for p := range from {
		if p.child < len(m.children) && m.children[p.child].Start() == p.at && m.children[p.child].Kind() == k {
			to[spot{m.children[p.child].End(), p.child + 1}] = true
		}
	}
	return to
}
