package interpreter

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Named returns a grammar for trees of g that has the names of its productions, which are lexical unless node selects
// them, and nothing else: it parses nothing.
func Named(g *expr.Grammar, node func(id string) bool) *ast.Grammar {
	of := &ast.Grammar{Name: g.Name, Productions: []ast.Production{{}}}
	for _, r := range g.Rules {
		of.Productions = append(of.Productions, ast.Production{ID: r.ID, Name: r.Name, Lexical: !node(r.ID)})
	}
	return of
}

// CheckedBy writes g in the notation of [ast.NewChecker], for trees of the grammar of, whose productions are those of
// g by their IDs.
func CheckedBy(g *expr.Grammar, of *ast.Grammar) string {
	kinds := map[string]string{}
	for k, p := range of.Productions {
		kinds[p.ID] = strconv.Itoa(k)
	}
	kinds[""] = "" // names without a production
	var b strings.Builder
	for _, p := range of.Productions[1:] {
		form, words := "node ", "bytes none"
		if p.Lexical {
			form = "lexical "
		}
		if r := g.Rule(p.ID); r != nil {
			words = expr.Words(r.Expr, func(id string) string { return kinds[id] })
		}
		b.WriteString(form + words + "\n")
	}
	return b.String()
}

// NewChecker returns a checker of trees of the grammar of, whose productions are those of g by their IDs.
func NewChecker(g *expr.Grammar, of *ast.Grammar) (*ast.Checker, error) {
	return ast.NewChecker(CheckedBy(g, of))
}

// Bracketed returns the signs of a tree, as proof/check reads them: each byte of the source as two hexadecimal
// digits, in front of a node "(" with its kind, and ")" after it.
func Bracketed(t *ast.Tree) (signs []string) {
	i, at := 0, int32(0)
	upTo := func(to int32) {
		for ; at < to; at++ {
			signs = append(signs, fmt.Sprintf("%02x", t.Source[at]))
		}
	}
	var write func(n ast.Raw)
	write = func(n ast.Raw) {
		upTo(n.Start)
		signs = append(signs, fmt.Sprintf("(%d", n.Kind))
		for i++; i < int(n.Next); {
			write(t.Nodes[i])
		}
		upTo(n.End)
		signs = append(signs, ")")
	}
	write(t.Nodes[0])
	return signs
}
