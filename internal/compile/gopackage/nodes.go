package gopackage

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file decides which productions are nodes, and finds the children that a node can have.

// chooseNodes sets p.isNode: which productions are nodes.
//
// By default all are nodes but the lexical ones, as [bnf.LexicalBut] has them. A list of names in p.Nodes replaces the
// default. Names with "+" or "-" in front are added to it or taken from it; of one that is listed several times, the
// last sign counts. Whatever p.Nodes says, the production that Parse derives is a node if it derives more than single
// characters. chooseNodes fails if p.Nodes has a name that is no production, or names both with and without a sign.
func (p *writer) chooseNodes() error {
	listed := map[string]bool{}  // names without a sign
	changed := map[string]bool{} // names with a sign: true for "+"
	for _, name := range p.Nodes {
		plain := strings.TrimLeft(name, "+-")
		r, err := p.bnf.Lookup(plain)
		if err != nil {
			return fmt.Errorf("--nodes: %w", err)
		}
		if plain == name {
			listed[r.ID] = true
		} else {
			changed[r.ID] = name[0] == '+'
		}
	}
	if len(listed) > 0 && len(changed) > 0 {
		const format = "--nodes: either the names of all nodes, or changes to the default with + or -, as in +%s"
		return fmt.Errorf(format, strings.TrimLeft(p.Nodes[0], "+-"))
	}
	isNode := func(id string) bool { return listed[id] }
	if len(listed) == 0 {
		isLexical := bnf.LexicalBut(p.bnf, p.start.ID)
		isNode = func(id string) bool { return !isLexical(id) }
	}
	for _, r := range p.bnf.Rules {
		p.isNode[r.ID] = isNode(r.ID)
		if is, ok := changed[r.ID]; ok {
			p.isNode[r.ID] = is
		}
	}
	if !bnf.DerivesCharacter(p.bnf, p.start) {
		p.isNode[p.start.ID] = true
	}
	return nil
}

// A child is a production that is a child of a node, and how often it is one: at least min times and at most
// max, where many stands for more than once.
type child struct {
	id       string
	min, max int
}

const many = 2

// childrenOf lists the children that a node of a production can have, in the order in which they are printed. The
// counts are bounds: a tree need not reach them. A child that cannot occur may be there, with a max of 0.
func (p *writer) childrenOf(r *expr.Rule) []child {
	f := &childFinder{p: p, of: map[string][]child{}, open: map[string]bool{}}
	if p.peg != nil {
		e := p.peg.Rule(r.ID).Expr
		if e.Op == expr.Node { // the node of r itself
			e = e.Sub[0]
		}
		return f.childrenIn(e)
	}
	return f.childrenIn(r.Expr)
}

// A childFinder looks through productions that are no nodes. Their children are children of the
// node around them. A childFinder is for one node: of productions that use each other only the first to be looked
// through has all children in of, which is enough since those of all uses are added up in that node.
type childFinder struct {
	p *writer

	// of has the children in a production that is no node. A nil entry for an open one says that its children recur.
	of   map[string][]child
	open map[string]bool // the productions that are being looked through
}

// childrenIn returns the children that a match of e contributes to the node around it, each once. A child may have
// a max of 0.
func (f *childFinder) childrenIn(e *expr.Expr) []child {
	switch e.Op {
	case expr.Node:
		return []child{{e.Name, 1, 1}}
	case expr.And, expr.Not: // a lookahead makes no nodes
		return nil
	case expr.Ref:
		return f.childrenInRef(e.Name)
	case expr.Seq:
		return f.merge(e.Sub, func(a, b child) child {
			return child{a.id, min(a.min+b.min, many), min(a.max+b.max, many)}
		})
	case expr.Alt:
		return f.merge(e.Sub, func(a, b child) child {
			return child{a.id, min(a.min, b.min), max(a.max, b.max)}
		})
	case expr.Repeat:
		once := f.childrenIn(e.Sub[0])
		all := make([]child, 0, len(once))
		for _, c := range once {
			if e.Max == 0 {
				continue
			}
			c.min = min(c.min*e.Min, many)
			if e.Max == expr.Unbounded || e.Max > 1 {
				c.max = many
			}
			all = append(all, c)
		}
		return all
	}
	return nil
}

// merge returns the children of several parts, each once. combine makes one child of two for the same production; if
// one half of the parts lacks a child, combine gets it with counts of 0 there. Halving keeps it quick for very many
// parts.
func (f *childFinder) merge(parts []*expr.Expr, combine func(a, b child) child) []child {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return f.childrenIn(parts[0])
	}
	half := len(parts) / 2
	a, b := f.merge(parts[:half], combine), f.merge(parts[half:], combine)
	inB := make(map[string]child, len(b))
	for _, c := range b {
		inB[c.id] = c
	}
	all := make([]child, 0, len(a)+len(b))
	for _, c := range a {
		other, ok := inB[c.id]
		if !ok {
			other = child{id: c.id}
		}
		delete(inB, c.id)
		all = append(all, combine(c, other))
	}
	for _, c := range b {
		if _, onlyB := inB[c.id]; onlyB {
			all = append(all, combine(child{id: c.id}, c))
		}
	}
	return all
}

// childrenInRef returns the children that a reference to a production contributes: the production itself if
// it is a node, and otherwise the children inside it, which it keeps in f.of. Productions without nodes that use each
// other have no end: the reference that comes back to an open one contributes nothing, and the children inside each
// open one then have a max of many. A name without a production contributes nothing.
func (f *childFinder) childrenInRef(id string) []child {
	rule := f.p.bnf.Rule(id)
	if f.p.peg != nil {
		rule = f.p.peg.Rule(id)
		if rule != nil && rule.Expr.Op == expr.Node {
			return []child{{rule.Expr.Name, 1, 1}}
		}
	} else if f.p.isNode[id] {
		return []child{{id, 1, 1}}
	}
	if rule == nil {
		return nil
	}
	if in, ok := f.of[id]; ok {
		return in
	}
	if f.open[id] {
		// Recursion without a node: the children inside can come any number of times. A nil entry
		// marks each production of the circle, and those around it.
		for open := range f.open {
			f.of[open] = nil
		}
		return nil
	}
	f.open[id] = true
	in := f.childrenIn(rule.Expr)
	delete(f.open, id)
	if _, recurs := f.of[id]; recurs {
		for i := range in {
			in[i].max = many // in may be the slice that of has for another production, which then recurs as well
		}
	}
	f.of[id] = in
	return in
}
