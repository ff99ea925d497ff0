package lint

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

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
