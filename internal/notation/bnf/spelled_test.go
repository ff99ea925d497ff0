package bnf

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A grammar that is read as it is spelled derives its words in that spelling alone, and all else as before.
func TestAsSpelled(t *testing.T) {
	g := must.Of(ReadABNF("a.abnf", []byte("level = \"Info\" *SP (\"T\" / %i\"a1-B\" \"c\" 2\"Z\" / %s\"x\" ALPHA)\n")))(t)
	spelled := g.AsSpelled()
	d, of := must.Of(lang.FromBNF(g, "level"))(t), must.Of(lang.FromBNF(spelled, "level"))(t)
	for _, c := range []struct {
		s             string
		derives, also bool // also as it is spelled
	}{
		{"InfoT", true, true},
		{"Infot", true, false},
		{"INFO T", true, false},
		{"Info a1-BcZZ", true, true},
		{"Infoa1-bcZZ", true, false},
		{"Infoa1-BcZz", true, false},
		{"Infoxq", true, true},
		{"InfoxQ", true, true},
		{"InfoXQ", false, false},
	} {
		if d.Match(c.s) != c.derives || of.Match(c.s) != c.also {
			t.Errorf("%s: %t and %t, want %t and %t", c.s, d.Match(c.s), of.Match(c.s), c.derives, c.also)
		}
	}
	if more, found := of.Minus(d).Shortest(); found {
		t.Errorf("only as it is spelled: %q", more)
	}
}

// Of a word of which a rewrite has left some letters, these keep their case.
func TestAsSpelledOfParts(t *testing.T) {
	g := must.Of(ReadABNF("a.abnf", []byte("level = \"Info\"\n")))(t)
	word := g.Rules[0].Expr
	cut := g.Change("level", expr.Cat(word.Sub[0], word.Sub[2], word.Sub[3]))
	d := must.Of(lang.FromBNF(cut.AsSpelled(), "level"))(t)
	if !d.Match("Ifo") || d.Match("ifo") || d.Match("IFO") {
		t.Errorf("Ifo: %t, ifo: %t, IFO: %t", d.Match("Ifo"), d.Match("ifo"), d.Match("IFO"))
	}
}
