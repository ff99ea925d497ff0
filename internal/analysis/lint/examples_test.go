package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// An example that takes too many steps leaves its production undecided, and the report open.
func TestUndecidedExample(t *testing.T) {
	grammar := "; bnfcheck:accepts \"" + strings.Repeat("a", 6001) + "\"\ns = \"a\" s \"a\" / \"a\"\n"
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

// A parser of a PEG does not end where a repetition goes on without reading, so an example says nothing of it.
func TestEndlessExample(t *testing.T) {
	for rule, decided := range map[string]bool{`S <- ("a"*)*`: false, `S <- ("a"+)*`: true} {
		text := "// bnfcheck:accepts \"aa\"\n" + rule + "\n"
		g := must.Of(peg.Read("t.peg", []byte(text)))(t)
		report := must.Of(Lint(g, Options{Text: []byte(text)}))(t)
		undecided := slices.ContainsFunc(report.Findings, func(f Finding) bool { return f.Code == WrongExample && f.Level == results.Note })
		if undecided == decided {
			t.Errorf("%s: undecided: %t", rule, undecided)
		}
	}
}

// An example of a PEG that takes too many steps leaves its rule undecided, too: the other findings are not lost with it.
func TestUndecidedExampleOfPEG(t *testing.T) {
	text := "// bnfcheck:accepts \"" + strings.Repeat("a", 8000) + "\"\n" + `S <- ( "a"* "b" / "a" )*` + "\n"
	g := must.Of(peg.Read("t.peg", []byte(text)))(t)
	report := must.Of(Lint(g, Options{Text: []byte(text)}))(t)
	if report.Undecided != 1 || !report.Open() {
		t.Errorf("%d undecided; open: %t", report.Undecided, report.Open())
	}
	without := must.Of(Lint(g, Options{}))(t)
	if without.Open() {
		t.Error("the grammar is open without the example, which then shows nothing")
	}
}
