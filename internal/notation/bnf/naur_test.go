package bnf_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What has two meanings in BNF as people write it is read as one, and noticed at its place.
func TestNoticesOfNaur(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"a class", "<a> ::= \"x\" | [0-9]\n", "t.bnf:1:15: [0-9] is read as a class of characters; elsewhere here brackets hold what may be left out"},
		{"brackets beside a class", "<a> ::= \"x\" [0-9]\n<b> ::= [01]\n", "t.bnf:2:9: [01] is read as a class"},
		{"a name without brackets", "<a> ::= \"x\"\n b ::= <a>\n<c> ::= <a>\n", `t.bnf:2:2: what begins here is not read: the name "b" is defined without angle brackets`},
		{"a name without brackets before all", "b ::= <a>\n<a> ::= \"x\"\n", `t.bnf:1:1: what begins here is not read: the name "b" is defined`},
		{"a word without quotes", "<a> ::= \"x\" y\n", `t.bnf:1:13: "y" has no quotes, and is read as a terminal`},
	} {
		d := must.Of(bnf.ReadDocument("t.bnf", []byte(test.text), bnf.Naur, bnf.Usual))(t)
		var all []string
		for _, n := range d.Notices {
			all = append(all, n.String())
		}
		if !strings.Contains(strings.Join(all, "\n"), test.want) {
			t.Errorf("%s: %q, want %s", test.name, all, test.want)
		}
	}
}

// A text that EBNF does not read before its first production is noticed.
func TestNothingIsLostBeforeEBNF(t *testing.T) {
	for text, want := range map[string]string{
		"<s> : \"x\"\n# a ::= b\n":                    `t.ebnf:1:1: what stands here is not read: no "::=" defines a name in it`,
		"\ufeff/* so */ [1] a ::= 'y'\n[2] b ::= a\n": "",
	} {
		d := must.Of(bnf.ReadDocument("t.ebnf", []byte(text), bnf.EBNF, bnf.Usual))(t)
		var all []string
		for _, n := range d.Notices {
			if n.LeftOut {
				all = append(all, n.String())
			}
		}
		if got := strings.Join(all, "\n"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A backslash in a class stands before a whole character, be it one of several bytes.
func TestEscapedCharactersInClasses(t *testing.T) {
	for notation, text := range map[string]string{
		bnf.ISO:  "a = [%s] ;\n",
		bnf.Naur: "<a> ::= [%s] | 'x'\n<b> ::= [a-z]\n",
	} {
		language := func(class string) *lang.DFA {
			text := strings.Replace(text, "%s", class, 1)
			g := must.Of(bnf.ReadDocument("t.bnf", []byte(text), notation, bnf.Usual))(t).Grammar
			return must.Of(lang.FromBNF(g, "a"))(t)
		}
		if !language(`\é-\ü`).Equal(language("é-ü")) {
			t.Errorf("%s: the backslashes change the class", notation)
		}
	}
}
