package lint

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Each finding has a place in the text and a check that has its level, and the string that it shows is derived by its production. That a
// production derives nothing, or calls itself before anything is read, is so.
func FuzzLint(f *testing.F) {
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		r, err := Lint(g, Options{Nesting: new(1), Limits: Limits{States: 1 << 10, Pairs: 1 << 12, Work: 1 << 18}})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, x := range r.Findings {
			check, known := Of(string(x.Code))
			if !known || x.Pos.Line < 1 || x.Pos.Line > len(g.Rules) || x.Pos.Col < 1 || x.Message == "" || check.Title == "" {
				t.Errorf("%+v\n%s", x, text)
			}
			level := false
			for _, l := range check.Levels {
				level = level || l == x.Level
			}
			if !level {
				t.Errorf("%s at level %s\n%s", x.Code, x.Level, text)
			}
			if x.Word == nil && x.Code != DerivesNothing {
				continue
			}
			switch {
			case x.Code == DerivesNothing:
				for _, w := range fuzztest.Words[:40] {
					if pegtest.Derives(g, x.ID, w) {
						t.Errorf("%s derives %q: %v\n%s", x.ID, w, x, text)
					}
				}
			case !pegtest.Derives(g, x.ID, string(*x.Word)):
				t.Errorf("%s does not derive %q: %v\n%s", x.ID, *x.Word, x, text)
			}
		}
	})
}
