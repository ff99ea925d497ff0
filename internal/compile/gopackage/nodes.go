package gopackage

import (
	"fmt"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file decides which productions are nodes, and finds the children that a node can have.

// chooseNodes sets p.isNode: which productions are nodes.
//
// By default all are nodes but the lexical ones: the core rules of ABNF, the productions that derive only
// single characters, and those that only lexical productions use. A character is a byte, the UTF-8 encoding
// of one, or an escape for one: "%" and two hexadecimal digits, or a backslash and what makes one character
// with it. A list of names in p.Nodes replaces the default. Names with "+" or "-" in front are added to it or
// taken from it. The production that Parse derives is a node unless it derives characters only. chooseNodes
// fails if --nodes is wrong.
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
	longest := map[string]int{} // the memory of expr.Grammar.Longest
	if len(listed) == 0 {
		isLexical := bnf.LexicalBut(p.bnf, p.start.ID, func(r *expr.Rule) bool {
			return derivesCharacters(p.bnf, r, longest)
		})
		isNode = func(id string) bool { return !isLexical(id) }
	}
	for _, r := range p.bnf.Rules {
		p.isNode[r.ID] = isNode(r.ID)
		if is, ok := changed[r.ID]; ok {
			p.isNode[r.ID] = is
		}
	}
	if !derivesCharacters(p.bnf, p.start, longest) {
		p.isNode[p.start.ID] = true
	}
	return nil
}

// longestCharacter is the length of the longest escape, \U0010FFFF.
const longestCharacter = 10

// derivesCharacters reports whether a production derives single characters and nothing else, and at least
// one. It is false if an automaton is too large. longest is the memory of [expr.Grammar.Longest].
func derivesCharacters(g *expr.Grammar, r *expr.Rule, longest map[string]int) bool {
	// Most productions derive longer strings. That is known without an automaton.
	if g.Longest(r.Expr, longestCharacter+1, longest) > longestCharacter {
		return false
	}
	d, err := lang.FromBNF(g, r.ID)
	return err == nil && d.Subset(characterLanguage()) && !d.Equal(lang.Empty())
}

// characterLanguage returns the automaton of a single character: see [writer.chooseNodes].
var characterLanguage = sync.OnceValue(func() *lang.DFA {
	hex := expr.In(expr.Bytes("0123456789ABCDEFabcdef"))
	between := func(lo, hi byte) *expr.Expr { return expr.In(expr.Range(lo, hi)) }
	tail := between(0x80, 0xbf) // of UTF-8
	one := expr.Or(
		expr.In(expr.AnyByte),
		expr.Cat(between(0xc2, 0xdf), tail),
		expr.Cat(between(0xe0, 0xef), tail, tail),
		expr.Cat(between(0xf0, 0xf4), tail, tail, tail),
		expr.Cat(expr.Lit("%"), hex, hex),
		expr.Cat(expr.Lit(`\`), expr.In(expr.AnyByte)),
		expr.Cat(expr.Lit(`\`), expr.In(expr.Bytes("uUx")), expr.Times(hex, 2, 8)),
	)
	rule := &expr.Rule{ID: "character", Name: "character", Expr: one}
	g := &expr.Grammar{Name: "characters", Rules: []*expr.Rule{rule}}
	d, err := lang.FromBNF(g, rule.ID)
	if err != nil {
		return lang.Empty()
	}
	return d
})

// A child is a production that is a child of a node, and how often it is one: at least min times and at most
// max, where many stands for more than once.
type child struct {
	id       string
	min, max int
}

const many = 2

// childrenOf lists the children that a node of a production can have, in the order in which they
// are printed. The counts are bounds: a tree need not reach them.
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
// node around them.
type childFinder struct {
	p    *writer
	of   map[string][]child // by production that is no node; see childrenInRef for nil entries
	open map[string]bool    // the productions that are being looked through
}

// childrenIn returns the children that a match of e contributes to the node around it.
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

// merge returns the children of several parts. combine makes one child of two for the same production; if a
// part lacks a child, combine gets it with counts of 0. Halving keeps it quick for very many parts.
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
		other := inB[c.id] // the zero child if b has none
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
// it is a node, and otherwise the children inside it, which it keeps in f.of.
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
			in[i].max = many
		}
	}
	f.of[id] = in
	return in
}
