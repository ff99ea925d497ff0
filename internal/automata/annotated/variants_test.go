package annotated_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestGeneric(t *testing.T) {
	for _, c := range []struct{ name, grammar, want string }{
		{"another name", `url = a / b / other` + "\n" + `other = generic`, "other"},
		{"no other name", `url = a / b / generic`, "generic"},
		{"written in place", `url = a / b / 1*ALPHA ":x"`, ""},
		{"two", `url = a / b / generic / other` + "\n" + `other = "x"`, ""},
		{"no choice", `url = generic`, ""},
		{"none", `url = a / b`, ""},
	} {
		g := must.Of(bnf.ReadABNF("x.abnf", []byte(c.grammar+"\n"+`a = %s"a:x"`+"\n"+`b = %s"b:x"`+"\n"+`generic = 1*ALPHA ":y"`)))(t)
		if got := annotated.Generic(g, "url"); got != c.want {
			t.Errorf("%s: have %q, want %q", c.name, got, c.want)
		}
	}
}
