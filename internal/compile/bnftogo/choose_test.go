package bnftogo

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/compile/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

func TestRandom(t *testing.T) {
	all := pegtest.Words("abc", 5)
	kinds := map[string]int{}
	compared, accepted := 0, 0
	for seed := range longtest.Size(80, 1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		g := random(rng)
		nodes := map[string]bool{}
		for _, r := range g.Rules {
			nodes[r.ID] = rng.IntN(3) > 0
		}
		c, err := compiled(g, Options{Package: "test", Kind: func(id string) string { return "K" + strings.ToUpper(id) }, Nodes: func(id string) bool { return nodes[id] }})
		if err != nil {
			t.Fatalf("%v\n%s", err, show(g))
		}
		for k, r := range g.Rules {
			p := c.productions[k]
			kinds[p.engine()]++
			d := must.Of(interpreter.New(g, r.ID, func(id string) bool { return nodes[id] }))(t)
			for _, w := range all {
				x, want, err := d.Derive(nil, w)
				if err != nil {
					kinds["skipped words"]++
					continue
				}
				tree, ok, got := c.run(p, w)
				compared++
				if got != want || ok != want {
					t.Fatalf("seed %d %s on %q: want %t, accept %t, parse %t\n%s", seed, r.ID, w, want, got, ok, show(g))
				}
				if want {
					accepted++
					if !slices.Equal(tree, x) {
						t.Fatalf("seed %d %s on %q: want %v, got %v\n%s", seed, r.ID, w, x, tree, show(g))
					}
				}
			}
		}
	}
	t.Log(kinds, compared, accepted)
}

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
		tree, parsed = c.parser.Parse(nil, ast.Kind(p.kind), w)
		return tree, parsed, c.parser.Accept(ast.Kind(p.kind), w)
	}
	tree, parsed = c.automaton.Parse(nil, ast.Kind(p.kind), w)
	return tree, parsed, c.automaton.Accept(ast.Kind(p.kind), w)
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
		to = append(to, ast.Raw{Kind: ast.Kind(c.byID[n.Name].kind), Start: int32(n.Start), End: int32(n.End)})
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
