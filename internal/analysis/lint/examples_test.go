package lint

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// An example that takes too many steps leaves its production undecided, and the report open.
func TestUndecidedExample(t *testing.T) {
	grammar := "; bnfcheck:accepts \"" + strings.Repeat("a+", 3000) + "a\"\ne = e \"+\" e / \"a\"\n"
	g := must.Of(bnf.ReadABNF("a.abnf", []byte(grammar)))(t)
	report := must.Of(Lint(g, Options{Text: []byte(grammar)}))(t)
	if report.Undecided != 1 || !report.Open() {
		t.Errorf("%d undecided; open: %t", report.Undecided, report.Open())
	}
	without := must.Of(Lint(g, Options{}))(t)
	if without.Open() {
		t.Error("the grammar is open without the example, which then shows nothing")
	}
}
