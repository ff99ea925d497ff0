package bnftogbnf

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A grammar is written, and read back it derives the same strings; what llama.cpp cannot do is refused with its reason.
func TestWrite(t *testing.T) {
	for _, c := range []struct{ text, start, want, refused string }{
		{"a = \"x\" / b\nb = 2*3%x41-43 [ %x22 ]\n", "a", "root ::= a\na ::= [Xx] | b\nb ::= [A-C]{2,3} \"\\\"\"?\n", ""},
		{"a = *( %x2D / %x5B-5D / %x5E ) %s\"\\\" %x0A\n", "a", "root ::= a\na ::= (\"-\" | [\\[-\\]] | \"^\")* \"\\\\\" \"\\n\"\n", ""},
		{"a_b = %x80-10FFFF / %xE9 %x1F600\n", "a_b", "", ""},
		{"root = %x41 root1\nroot1 = root / %x42\n", "root", "root ::= \"A\" root1\nroot1 ::= root | \"B\"\n", ""},
		{"a = %x28 a %x29 / *b c\nb = %x41 / %x42 a\nc = \"\" / %x43\n", "a", "", ""},
		{"a = b %x41 / %x42\nb = [a]\n", "a", "", "uses itself before anything is read"},
		{"a = *b %x41\nb = [%x42]\n", "a", "", "repeats without end what may be empty"},
		{"a = %xFF\n", "a", "", "octets that are no UTF-8"},
		{"a = %x41 a\n", "a", "root ::= a\na ::= \"A\" a\n", ""},
	} {
		g := must.Of(bnf.ReadABNF("x.abnf", []byte(c.text)))(t)
		text, err := Write(g, c.start)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%q: %v; want %s", c.text, err, c.refused)
			}
			continue
		}
		if err != nil || c.want != "" && text != c.want {
			t.Errorf("%q: %v\nhave %s\nwant %s", c.text, err, text, c.want)
			continue
		}
		again := must.Of(bnf.ReadDocument("x.gbnf", []byte(text), bnf.GBNF, bnf.Usual))(t).Grammar
		if a, err := lang.FromBNF(g, c.start); err == nil && !a.Equal(must.Of(lang.FromBNF(again, bnf.RootGBNF))(t)) {
			t.Errorf("%q is written as another language:\n%s", c.text, text)
		}
	}
}

// What is read back as something else is no proof.
func TestProve(t *testing.T) {
	g := must.Of(bnf.ReadABNF("x.abnf", []byte("a = %x28 a %x29 / b\nb = %x41 / %x42\n")))(t)
	w := &writer{grammar: g, facts: expr.Analyze(g.Rules), names: map[string]string{"a": "a", "b": "b"}}
	for _, c := range []struct{ text, want string }{
		{"a ::= \"(\" a \")\" | b\nb ::= [AB]\n", ""},
		{"a ::= \"(\" b \")\" | b\nb ::= [AB]\n", "`a` is read back as something else"},
		{"a ::= \"(\" a \")\" | b\nb ::= [A-C]\n", "`b` is read back as something else"},
		{"a ::= \"(\" a \")\" | b\n", "lacks `b`"},
		{"a ::= (\n", "not read back"},
	} {
		err := w.prove(c.text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}
