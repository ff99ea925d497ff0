package bnftogo

import (
	"maps"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What nests is code where regular languages tell its choices apart, however deep one must look
// for that, and goes to the general parser where none do.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		about, grammar string
		engine         map[string]int
	}{
		{"one level: brackets", `n = "(" [n] ")" / "x"`, map[string]int{"nested code": 1}},
		{"two levels: blanks before an operator and before a bracket", `
e = t *( "+" t )
t = f *( *" " "*" f )
f = 1*DIGIT / "(" e *" " ")"
`, map[string]int{"nested code": 3, "code": 1}},
		{"three levels: what follows stands two productions further out", `
e = t *( *" " "+" t )
t = f *( *" " "*" f )
f = p [ *" " "!" ]
p = "x" / "(" e *" " ")"
`, map[string]int{"nested code": 4}},
		{"a prefix that nests is common to both", `a = "(" a ")" "x" / "(" a ")" "y" / "z"`, map[string]int{"general": 1}},
		{"an operator on both sides", `a = a "+" a / "x"`, map[string]int{"general": 1}},
	} {
		g := must.Of(bnf.ReadABNF("x", []byte(c.grammar+"\n")))(t)
		p := must.Of(compiled(g, usual(g)))(t)
		got := map[string]int{}
		for _, p := range p.productions {
			got[p.engine()]++
		}
		if !maps.Equal(got, c.engine) {
			t.Errorf("%s: %v, want %v: %v", c.about, got, c.engine, p.General)
		}
	}
}
