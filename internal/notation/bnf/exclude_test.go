package bnf_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// An exclusion that begins with a name in angle brackets is no prose: that it cannot be computed is an error.
func TestExclusionOfAngleNames(t *testing.T) {
	text := "a = <b> - <c> ;\nb = \"x\" | \"(\", b, \")\" ;\nc = \"x\" ;"
	_, err := bnf.ReadDocument("x.ebnf", []byte(text), bnf.ISO, bnf.Usual)
	want := "x.ebnf:1:5: the exclusion <b> - <c> cannot be computed: x.ebnf:2:1: `b` embeds itself"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// A description in prose is no name that is missing, so it needs no stand-in.
func TestDescriptionsAreNotMissing(t *testing.T) {
	n := bnf.Usual
	n.DefineMissing = true
	text := "a = <any b except \"x\">\nb = %x61-7A\n"
	g := must.Of(bnf.ReadDocument("x.abnf", []byte(text), bnf.ABNF, n))(t).Grammar
	if len(g.Rules) != 2 {
		t.Errorf("%d rules, the last is %s", len(g.Rules), g.Rules[len(g.Rules)-1].ID)
	}
}
