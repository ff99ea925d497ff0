package lint

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// What a message or a name has of tabs, line feeds and places does not keep a finding from being known when it comes
// again, in other lines.
func TestBaselineKnowsWhatHasMoved(t *testing.T) {
	for _, test := range []struct{ file, before, after string }{
		{"a.abnf", "a\tb\nc\r", "a\tb\nc\r"},
		{"a\tb\n.abnf", "x", "x"},
		{"#a.abnf", "x", "x"},
		{"a.abnf", "lines 3-5 look like `a`; --lines 3-5 reads it", "lines 8-9 look like `a`; --lines 8-9 reads it"},
		{"a.abnf", "productions, from line 3 to 4, not read", "productions, from line 30 to 42, not read"},
		{"a.abnf", "line 3 looks like `a`, as lines 3 and 4 do", "line 4 looks like `a`, as lines 4 and 5 do"},
		{"a.abnf", "`a` (a.abnf:1:5) is too large", "`a` (a.abnf:2:5) is too large"},
	} {
		report := func(message string, line int) *Report {
			f := Finding{Code: Unread, Pos: expr.Pos{File: test.file, Line: line, Col: 1}, Message: message}
			return &Report{Grammar: &expr.Grammar{File: test.file}, Findings: []Finding{f}}
		}
		b := Baseline{}
		b.Add(report(test.before, 3))
		read, err := ReadBaseline("known.txt", b.Text("bnfcheck lint"))
		if err != nil {
			t.Errorf("%q: %v", test.before, err)
			continue
		}
		if s := read.Without(report(test.after, 4)); s.Known != 1 || len(s.Findings) > 0 {
			t.Errorf("%q of %q is not known any more: %q", test.before, test.file, b.Text("bnfcheck lint"))
		}
		again, _ := ReadBaseline("known.txt", b.Text("bnfcheck lint"))
		if left := again.Left([]*Report{report("", 1)}); len(left) != 1 {
			t.Errorf("%q of %q: %q is left", test.before, test.file, left)
		}
	}
	written, err := ReadBaseline("known.txt", []byte("a.abnf\ta\tunread\tlines 3-5 look like `a`\n"))
	if err != nil || written["a.abnf\ta\tunread\tother lines look like `a`"] != 1 {
		t.Errorf("of an earlier version: %v, %v", written, err)
	}
}

// A finding in a file that the document includes, and that is not found any more, is left.
func TestBaselineOfIncludedFiles(t *testing.T) {
	b := Baseline{"b.abnf\ta\tunused\tx": 1, "c.abnf\ta\tunused\tx": 1}
	r := &Report{Grammar: &expr.Grammar{File: "a.xml"}, Included: []string{"b.abnf"}}
	if left := b.Left([]*Report{r}); !slices.Equal(left, []string{"b.abnf: a: unused: x"}) {
		t.Errorf("%q is left", left)
	}
}

// A baseline that was written and read again takes all findings out of the report that it was made of, and names those that are
// gone.
func TestBaselineIsReadAsWritten(t *testing.T) {
	g := must.Of(bnf.ReadABNF("a.abnf", []byte("a = *( *\"b\" )\nc = \"d\"\n")))(t)
	r := must.Of(Lint(g, Options{}))(t)
	if len(r.Findings) < 2 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	b := Baseline{}
	b.Add(r)
	read := must.Of(ReadBaseline("known.txt", b.Text("bnfcheck lint")))(t)
	if left := read.Without(r); len(left.Findings) > 0 || left.Known != len(r.Findings) {
		t.Errorf("%d findings are left, %d are known", len(left.Findings), left.Known)
	}
	if gone := read.Left([]*Report{r}); len(gone) > 0 {
		t.Errorf("not found any more: %q", gone)
	}
	crlf := bytes.ReplaceAll(b.Text("bnfcheck lint"), []byte("\n"), []byte("\r\n"))
	if got := must.Of(ReadBaseline("known.txt", crlf))(t); !maps.Equal(got, b) {
		t.Errorf("with CRLF it reads %v, and not %v", got, b)
	}
	if _, err := ReadBaseline("known.txt", []byte("# x\nnonsense\n")); err == nil || !strings.HasPrefix(err.Error(), "known.txt:2: ") {
		t.Errorf("a line that is no finding: %v", err)
	}
	fewer := *r
	fewer.Findings = r.Findings[1:]
	again := must.Of(ReadBaseline("known.txt", b.Text("bnfcheck lint")))(t)
	again.Without(&fewer)
	if gone := again.Left([]*Report{&fewer}); len(gone) != 1 || !slices.ContainsFunc(gone, func(s string) bool { return strings.HasPrefix(s, "a.abnf: ") }) {
		t.Errorf("one finding is gone: %q", gone)
	}
}
