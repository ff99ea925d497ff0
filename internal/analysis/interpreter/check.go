package interpreter

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Named returns a grammar for trees of g that has the names of its productions, which are lexical unless node selects
// them, and nothing else: it parses nothing. Kinds are those of [New].
func Named(g *expr.Grammar, node func(id string) bool) *ast.Grammar {
	of := &ast.Grammar{Name: g.Name, Productions: []ast.Production{{}}}
	for _, r := range g.Rules {
		of.Productions = append(of.Productions, ast.Production{ID: r.ID, Name: r.Name, Lexical: !node(r.ID)})
	}
	return of
}

// CheckedBy returns g in the notation of [ast.NewChecker], for trees by the grammar named: a line for each production
// of named, with its expression in g, which must have no operator but those of a BNF. The productions of the two
// correspond by their IDs; of several in g with one ID it takes the first. A production that only one of the two has
// derives nothing, also where it is used.
func CheckedBy(g *expr.Grammar, named *ast.Grammar) string {
	kinds := map[string]string{}
	for k, p := range named.Productions {
		kinds[p.ID] = strconv.Itoa(k)
	}
	kinds[""] = "" // Productions[0] is none, but has this ID: a reference without a name must not get its kind 0
	var b strings.Builder
	for _, p := range named.Productions[1:] {
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

// NewChecker returns a checker of trees by the grammar named against g: see [CheckedBy]. It fails where ast.NewChecker
// does, as at an operator that a BNF does not have.
func NewChecker(g *expr.Grammar, named *ast.Grammar) (*ast.Checker, error) {
	return ast.NewChecker(CheckedBy(g, named))
}

// Bracketed returns the signs of a tree, as proof/check reads them: each byte of the source as two hexadecimal
// digits, "(12" before the bytes of a node of kind 12, and ")" after them. The tree must have a root.
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
		i++ // to the first node inside n; each call of write goes on to the node after its own
		for i < int(n.Next) {
			write(t.Nodes[i])
		}
		upTo(n.End)
		signs = append(signs, ")")
	}
	write(t.Nodes[0])
	return signs
}
