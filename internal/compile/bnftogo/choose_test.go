package bnftogo

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// compiled is Compile for tests.
func compiled(g *expr.Grammar, o Options) (*compiler, error) {
	c, err := newCompiler(g, o)
	if err != nil {
		return nil, err
	}
	return c, c.compile()
}

// engine returns what p has become.
func (p *production) engine() string {
	switch {
	case p.nesting > 0:
		return "nested code"
	case p.code:
		return "code"
	case p.isGeneral():
		return "general"
	}
	return "table"
}

// run parses w as the file of c does.
func (c *compiler) run(p *production, w string) (tree []ast.Raw, parsed, accepted bool) {
	if p.code {
		tree = c.pegTree(p, w)
		return tree, tree != nil, tree != nil
	}
	if p.isGeneral() {
		tree, parsed = c.parser.Parse(nil, p.kind, w)
		return tree, parsed, c.parser.Accept(p.kind, w)
	}
	tree, parsed = c.automaton.Parse(nil, p.kind, w)
	return tree, parsed, c.automaton.Accept(p.kind, w)
}

// pegTree returns the nodes that the PEG of p makes of w.
func (c *compiler) pegTree(p *production, w string) []ast.Raw {
	end, nodes := peg.Match(c.checks, expr.To(p.ID), w, 0)
	if end != len(w) {
		return nil
	}
	if c.kind(p.ID) == 0 {
		nodes = []*peg.Node{{Name: p.ID, End: end}}
	}
	return c.flatten(nil, nodes)
}

func (c *compiler) flatten(to []ast.Raw, nodes []*peg.Node) []ast.Raw {
	for _, n := range nodes {
		at := len(to)
		to = append(to, ast.Raw{Kind: c.byID[n.Name].kind, Start: int32(n.Start), End: int32(n.End)})
		to = c.flatten(to, n.Children)
		to[at].Next = int32(len(to))
	}
	return to
}

func show(g *expr.Grammar) string {
	var b strings.Builder
	for _, r := range g.Rules {
		b.WriteString(r.ID + " = " + r.Expr.String() + "\n")
	}
	return b.String()
}
