package vectors_test

import (
	"bytes"
	"encoding/csv"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Each vector of a suite has the label that an interpreter of the grammar gives it, there are as many as was said, and
// a suite that is written is read as its inputs.
func FuzzPlan(f *testing.F) {
	f.Add([]byte(nil), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, extra uint8) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		a, err := lang.FromBNF(g, "r0")
		if err != nil || a.States() > 10 {
			return
		}
		model := vectors.Model{Name: "fuzz", About: "fuzz", DFA: a}
		p, err := model.Subject().Plan(vectors.Options{Extra: int(extra % 2)})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		said := 0
		for _, s := range p.Sizes() {
			said += int(s.Vectors.Int64())
		}
		if said > 200 {
			return // which take their time
		}
		var want []string
		for v := range p.Vectors() {
			want = append(want, v.Input)
			if ok := pegtest.Derives(g, "r0", v.Input); v.Accept[0] != ok {
				t.Fatalf("%q is labeled %t\n%s", v.Input, v.Accept[0], text)
			}
		}
		if said < len(want) {
			t.Errorf("%d vectors, and %d were said\n%s", len(want), said, text)
		}
		for _, format := range vectors.Formats {
			var b bytes.Buffer
			must.Do(t, p.Write(&b, format))
			switch format {
			case vectors.Lines, vectors.JSONLines:
				got, err := vectors.ReadInputs("suite", &b)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s: %v: %q is read as %q\n%s", format, err, want, got, text)
				}
			case vectors.CSV:
				if rows, err := csv.NewReader(&b).ReadAll(); err != nil || len(rows) < len(want) {
					t.Fatalf("%d rows of CSV, want %d (%v)", len(rows), len(want), err)
				}
			case vectors.GoTest:
				must.Of(parser.ParseFile(token.NewFileSet(), "x.go", b.Bytes(), 0))(t)
			}
		}
	})
}
