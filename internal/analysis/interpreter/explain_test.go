package interpreter

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// explaining returns the general parser that explains rejections by g.
func explaining(t *testing.T, g *expr.Grammar) *ast.General {
	t.Helper()
	packed, _, err := Explaining(g)
	must.Do(t, err)
	return &ast.General{Packed: packed}
}

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
			Explaining:  explaining(t, g),
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

// Tables that explain may have more states than a uint16 counts.
func TestLargeExplanation(t *testing.T) {
	g := must.Of(bnf.ReadABNF("large.abnf", []byte("a = \"(\" b \")\"\nb = 70000%x78 / c\nc = a\n")))(t)
	of := &ast.Grammar{Explaining: explaining(t, g), Productions: make([]ast.Production, 4)}
	x := strings.Repeat("x", 70000)
	if e := of.Explain(1, "(("+x+"))"); e != nil {
		t.Errorf("rejected at %d", e.Offset)
	}
	if e := of.Explain(1, "(("+x[1:]+"))"); e == nil || e.Offset != len(x)+1 || len(e.Expected) != 1 {
		t.Errorf("%v", e)
	}
}

// A rejection is where the automaton of the grammar has it, with the same terms, for random grammars that have one.
func TestExplainsLikeTables(t *testing.T) {
	words := []string{""}
	for i := 0; len(words[i]) < longtest.Size(4, 5); i++ {
		for _, x := range "xyz" {
			words = append(words, words[i]+string(x))
		}
	}
	compared := 0
	for seed := range uint64(longtest.Size(200, 1500)) {
		g := random(rand.New(rand.NewPCG(seed, 7)), false)
		lexical := func(id string) bool { return seed%2 == 0 && g.Rule(id) != nil && len(expr.Refs(g.Rule(id).Expr)) == 0 }
		tables, err := annotated.Build(g, lexical)
		if err != nil {
			continue // it nests
		}
		of := &ast.Grammar{Productions: []ast.Production{{}}, Tables: tables}
		for _, r := range g.Rules {
			of.Productions = append(of.Productions, ast.Production{ID: r.ID, Name: r.Name, Lexical: lexical(r.ID)})
		}
		by := *of
		by.Tables, by.Explaining = nil, explaining(t, g)
		for k := 1; k < len(of.Productions); k++ {
			for _, w := range words {
				want, got := of.Explain(ast.Kind(k), w), by.Explain(ast.Kind(k), w)
				if said(want) != said(got) {
					t.Fatalf("seed %d: %s on %q: %s, by the tables %s\n%s", seed, of.Productions[k].ID, w, said(got), said(want), text(g))
				}
				compared++
			}
		}
	}
	t.Logf("%d rejections", compared)
	if compared < 10_000 {
		t.Errorf("only %d were compared", compared)
	}
}

// said returns what an explanation says, but for the production that it names and the order of terms. A word that is read from two
// of its bytes counts once.
func said(e *ast.SyntaxError) string {
	if e == nil {
		return "derived"
	}
	terms := map[string]ast.ByteSet{}
	for _, x := range e.Expected {
		set := terms[x.Term]
		for i, bits := range x.First {
			set[i] |= bits
		}
		terms[x.Term] = set
	}
	return fmt.Sprintf("at %d of %q, incomplete: %t, expected %v", e.Offset, e.Input, e.Incomplete, terms)
}
