package annotated

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Where productions nest, a rejection names the innermost production that every reading shares, and not the one that began
// last.
func TestPlaceWhereProductionsNest(t *testing.T) {
	const brackets = `value = array / "x"
array = open [ value *( sep value ) ] close
open = ws "[" ws
close = ws "]" ws
sep = ws "," ws
ws = *" "
sum = sum "+" product / product
product = product "*" factor / factor
factor = "(" sum ")" / 1*%x30-39`
	for _, c := range []struct{ rule, input, want string }{
		{"value", "y", "value"},
		{"value", "[1, x]", "array"},
		{"value", "[x, y]", "array"},
		{"value", "[x, ", "array"},
		{"value", "[x", "array"},
		{"value", "[[x]y", "array"},
		{"value", "[ [ x , [x y", "array"},
		{"value", " x", "open"}, // after the space nothing else is possible
		{"sum", "", "factor"},   // nothing but a factor can begin
		{"sum", "1+", "factor"},
		{"sum", "1+2x", "sum"},
		{"sum", "1+2*(3", "factor"},
		{"sum", "(1]", "factor"},
	} {
		g := must.Of(bnf.ReadABNF("brackets.abnf", []byte(strings.ReplaceAll(brackets, "\n", "\r\n"))))(t)
		of := &ast.Grammar{
			Productions: []ast.Production{{}},
			Network:     must.Of(Network(g, func(string) bool { return false }))(t),
		}
		for _, r := range g.Rules {
			of.Productions = append(of.Productions, ast.Production{ID: r.ID, Name: r.Name})
		}
		k, _ := of.Kind(c.rule)
		if got := of.Production(of.Explain(k, c.input).In[0]).Name; got != c.want {
			t.Errorf("%s on %q: in %s, want %s", c.rule, c.input, got, c.want)
		}
	}
}
