package bnftopeg

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// What is written is a PEG, and a rule that is said to be proven matches the short strings that its production derives, and no others.
func FuzzPEG(f *testing.F) {
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		r, err := PEG(g, "r0", "g")
		if err != nil {
			return // it derives nothing, or has no start
		}
		rules, err := peg.Read("g.peg", r.Text)
		if err != nil {
			t.Fatalf("%v\n%sis written as\n%s", err, text, r.Text)
		}
		for _, rule := range r.Rules {
			if (rule.Form == Unproven) != (rule.Why != "") {
				t.Errorf("%s: form %d, because %q\n%s", rule.Production, rule.Form, rule.Why, text)
			}
			if rule.Form == Unproven {
				continue
			}
			for _, w := range fuzztest.Words[:40] { // of up to three letters
				ok := pegtest.Derives(g, rule.Production, w)
				if end, _ := peg.Match(rules, expr.To(rule.Production), w, 0); ok != (end == len(w)) {
					t.Fatalf("%s: %q is derived: %t\n%sis written as\n%s", rule.Production, w, ok, text, r.Text)
				}
			}
		}
	})
}
