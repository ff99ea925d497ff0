package interpreter

import (
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
)

// A tree that the interpreter makes is a derivation. With one span, kind or node otherwise it is none.
func TestChecker(t *testing.T) {
	g, err := bnf.ReadABNF("test.abnf", []byte("a = b *(\",\" b) [\";\" c]\nb = 2letter [d]\nc = \"(\" *c \")\" / e\nd = 1*DIGIT\ne = letter [e]\nletter = %x61-7A / x\nx = \"*\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	of := &ast.Grammar{Name: "test", Productions: []ast.Production{{}}}
	for _, r := range g.Rules {
		of.Productions = append(of.Productions, ast.Production{ID: r.ID, Name: r.Name, Lexical: r.ID == "letter" || r.ID == "x"})
	}
	d, err := New(g, "a", func(id string) bool { k, _ := of.Kind(id); return !of.Production(k).Lexical })
	if err != nil {
		t.Fatal(err)
	}
	checker := NewChecker(g, of)
	for _, w := range []string{"ab", "a*", "ab12", "ab,cd3,ef", "ab;()", "ab;(()())", "ab1;ab*", "ab,cd;((xyz)(y)())"} {
		nodes, ok, err := d.Derive(nil, w)
		if !ok || err != nil {
			t.Fatal(w, err)
		}
		tree := &ast.Tree{Grammar: of, Source: w, Nodes: nodes}
		if err := checker.Check(tree); err != nil {
			t.Errorf("%q: %v", w, err)
		}
		for i := 1; i < len(nodes); i++ {
			for name, change := range map[string]func(n []ast.Raw) []ast.Raw{
				"begins later": func(n []ast.Raw) []ast.Raw { n[i].Start++; return n },
				"ends earlier": func(n []ast.Raw) []ast.Raw { n[i].End--; return n },
				"another kind": func(n []ast.Raw) []ast.Raw { n[i].Kind = n[i].Kind%5 + 1; return n },
				"left out": func(n []ast.Raw) []ast.Raw {
					for j := range n {
						if int(n[j].Next) > i {
							n[j].Next--
						}
					}
					return slices.Delete(n, i, i+1)
				},
			} {
				other := &ast.Tree{Grammar: of, Source: w, Nodes: change(slices.Clone(nodes))}
				if checker.Check(other) == nil {
					t.Errorf("%q, %s of node %d: taken for a derivation\n%s", w, name, i, other)
				}
			}
		}
	}
}
