package prove

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A report does not keep the rows that it was made of, whose automata are most of the memory of a proof: the reports on
// the built-in grammars kept 75 MB by it.
func TestReportKeepsNoRow(t *testing.T) {
	pair := must.Of(catalog.Files("x.abnf", []byte("a = \"b\"\n"), "x.peg", []byte("a <- \"b\"i\n"), catalog.FileOptions{}))(t)
	p := newProof(pair, Options{})
	must.Do(t, p.compile())
	for _, r := range p.rows {
		r.reportLanguages(p)
	}
	r := p.assembleReport()
	if len(r.Productions) != 1 || r.Productions[0].Decided == nil || !*r.Productions[0].Decided {
		t.Fatalf("the rule is not proven: %+v", r)
	}
	if r.Productions[0].Decided == &p.rows[0].Equal {
		t.Error("the report points into a row")
	}
}
