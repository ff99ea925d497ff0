package bnftogo

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Of what nests, ambiguities are found that need no deeper nesting than is searched, each with a
// shortest string, and none where there are none.
func TestNestedAmbiguities(t *testing.T) {
	for _, c := range []struct{ name, grammar, want string }{
		{"between two uses", `
list = "(" *expr ")"
expr = atom / list
atom = 1*ALPHA`, "atom#1 (AA)"},
		{"inside of brackets alone", `
s = "[" s "]" / a / b
a = "x"
b = "x" / "y"`, "s#1 x"},
		{"by the nesting itself", `
s = "(" s ")" / "((" s "))" / "x"`, "s#1 ((x))"},
		{"left recursion in the middle", `
e = e "+" e / "1"`, "e#1 1+1+1"},
		{"left recursion, and an empty part twice", `
s = d d s "x" / "y" / "(" s ")"
d = *"a"`, "d#1 ayx"},
		{"none", `
s = "[" *( s / "x" ) "]"`, ""},
		{"none, by a byte at the end", `
s = "a" s "b" / "a" s "c" / "x"`, ""},
	} {
		g := read(t, strings.TrimSpace(c.grammar))
		o := usual(g)
		o.Nodes = func(string) bool { return true }
		all := must.Of(compiled(g, o))(t)
		var got []string
		for _, a := range all.Ambiguities {
			got = append(got, a.Choice+" "+a.Shortest)
		}
		if is := strings.Join(got, ", "); is != c.want {
			t.Errorf("%s: found %q, want %q", c.name, is, c.want)
		}
	}
}
