package gopackage

import (
	"fmt"
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// chooseNodes decides which productions are nodes.
//
// By default these are all but the lexical ones: the core rules of ABNF, the productions that derive only single characters,
// and those that only such use. A character is a byte, the UTF-8 encoding of one, or an escape that stands for one: "%" and
// two hexadecimal digits, or a backslash and what makes one character with it. A list of names replaces the default; names
// with "+" or "-" in front are added to it or taken from it. The production that Parse derives always is a node: the root.
func (p *writer) chooseNodes() error {
	exact, changed := map[string]bool{}, map[string]bool{}
	for _, name := range p.Nodes {
		plain := strings.TrimLeft(name, "+-")
		r, err := p.bnf.Lookup(plain)
		if err != nil {
			return fmt.Errorf("--nodes: %w", err)
		}
		if plain == name {
			exact[r.ID] = true
		} else {
			changed[r.ID] = name[0] == '+'
		}
	}
	if len(exact) > 0 && len(changed) > 0 {
		return fmt.Errorf("--nodes: either the names of all nodes, or changes to the default with + or -, as in +%s", strings.TrimLeft(p.Nodes[0], "+-"))
	}
	node := func(id string) bool { return exact[id] }
	known := map[string]int{}
	if len(exact) == 0 {
		lexical := bnf.LexicalBut(p.bnf, p.first.ID, func(r *expr.Rule) bool { return isCharacter(p.bnf, r, known) })
		node = func(id string) bool { return !lexical(id) }
	}
	for _, r := range p.bnf.Rules {
		p.node[r.ID] = node(r.ID)
		if is, ok := changed[r.ID]; ok {
			p.node[r.ID] = is
		}
	}
	p.node[p.first.ID] = p.node[p.first.ID] || !isCharacter(p.bnf, p.first, known)
	return nil
}

// longestCharacter is the length of the longest escape, \U0010FFFF.
const longestCharacter = 10

// isCharacter reports whether a production derives nothing but characters. Known is that of [expr.Grammar.Longest].
func isCharacter(g *expr.Grammar, r *expr.Rule, known map[string]int) bool {
	if g.Longest(r.Expr, longestCharacter+1, known) > longestCharacter {
		return false
	}
	d, err := lang.FromBNF(g, r.ID)
	return err == nil && d.Subset(characters()) && !d.Equal(lang.Empty())
}

// characters is the language of the characters.
var characters = sync.OnceValue(func() *lang.DFA {
	hex := expr.In(expr.Bytes("0123456789ABCDEFabcdef"))
	between := func(lo, hi byte) *expr.Expr { return expr.In(expr.Range(lo, hi)) }
	tail := between(0x80, 0xbf)
	one := expr.Or(
		expr.In(expr.AnyByte),
		expr.Cat(between(0xc2, 0xdf), tail),
		expr.Cat(between(0xe0, 0xef), tail, tail),
		expr.Cat(between(0xf0, 0xf4), tail, tail, tail),
		expr.Cat(expr.Lit("%"), hex, hex),
		expr.Cat(expr.Lit(`\`), expr.In(expr.AnyByte)),
		expr.Cat(expr.Lit(`\`), expr.In(expr.Bytes("uUx")), expr.Times(hex, 2, 8)),
	)
	d, err := lang.FromBNF(&expr.Grammar{Name: "characters", Rules: []*expr.Rule{{ID: "character", Name: "character", Expr: one}}}, "character")
	if err != nil {
		return lang.Empty()
	}
	return d
})

// A child is a production that is a child of a node, and how often: at least min times, and at most max, where many stands
// for more than once.
type child struct {
	id       string
	min, max int
}

const many = 2

// shape lists the children that a node of a production can have, in the order in which they are printed.
func (p *writer) shape(r *expr.Rule) []child {
	s := &shaping{p: p, of: map[string][]child{}, open: map[string]bool{}}
	if p.peg != nil {
		e := p.peg.Rule(r.ID).Expr
		if e.Op == expr.Node {
			e = e.Sub[0]
		}
		return s.children(e)
	}
	s.root = r.ID
	return s.children(r.Expr)
}

type shaping struct {
	p    *writer
	root string
	of   map[string][]child // by what is no node
	open map[string]bool
}

func (s *shaping) children(e *expr.Expr) []child {
	switch e.Op {
	case expr.Node:
		return []child{{e.Name, 1, 1}}
	case expr.And, expr.Not:
		return nil
	case expr.Ref:
		return s.ref(e.Name)
	case expr.Seq:
		return s.merged(e.Sub, func(a, b child) child { return child{a.id, min(a.min+b.min, many), min(a.max+b.max, many)} })
	case expr.Alt:
		return s.merged(e.Sub, func(a, b child) child { return child{a.id, min(a.min, b.min), max(a.max, b.max)} })
	case expr.Repeat:
		in := s.children(e.Sub[0])
		out := make([]child, 0, len(in))
		for _, c := range in {
			if e.Max != 0 {
				c.min = min(c.min*e.Min, many)
				if e.Max == expr.Unbounded || e.Max > 1 {
					c.max = many
				}
				out = append(out, c)
			}
		}
		return out
	}
	return nil
}

// merged returns the children of several parts. Each can lack a child of another.
func (s *shaping) merged(parts []*expr.Expr, both func(a, b child) child) []child {
	if len(parts) < 2 {
		if len(parts) == 0 {
			return nil
		}
		return s.children(parts[0])
	}
	a, b := s.merged(parts[:len(parts)/2], both), s.merged(parts[len(parts)/2:], both)
	other := make(map[string]child, len(b))
	for _, c := range b {
		other[c.id] = c
	}
	out := make([]child, 0, len(a)+len(b))
	for _, c := range a {
		o := other[c.id]
		delete(other, c.id)
		out = append(out, both(c, o))
	}
	for _, c := range b {
		if _, new := other[c.id]; new {
			out = append(out, both(child{id: c.id}, c))
		}
	}
	return out
}

func (s *shaping) ref(id string) []child {
	rule := s.p.bnf.Rule(id)
	if s.p.peg != nil {
		rule = s.p.peg.Rule(id)
		if rule != nil && rule.Expr.Op == expr.Node {
			return []child{{rule.Expr.Name, 1, 1}}
		}
	} else if s.p.node[id] {
		return []child{{id, 1, 1}}
	}
	if rule == nil {
		return nil
	}
	if in, ok := s.of[id]; ok {
		return in
	}
	if s.open[id] { // a recursion without a node: what is in it can come any number of times
		for open := range s.open {
			s.of[open] = nil
		}
		return nil
	}
	s.open[id] = true
	in := s.children(rule.Expr)
	delete(s.open, id)
	if _, loop := s.of[id]; loop {
		for i := range in {
			in[i].max = many
		}
	}
	s.of[id] = in
	return in
}
