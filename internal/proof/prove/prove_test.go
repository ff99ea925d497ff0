package prove

import (
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestEveryProductionEqualsItsBNF is the claim of the whole project.
func TestEveryProductionEqualsItsBNF(t *testing.T) {
	longtest.Need(t, "golden/proof has the same verdicts")
	for _, name := range names() {
		t.Run(name, func(t *testing.T) {
			r := proveNamed(t, name)
			for _, f := range r.Faults {
				t.Errorf("%s (%s)", f, f.Kind)
			}
			if len(r.Untranscribed)+len(r.Unprinted) > 0 {
				t.Errorf("without a rule: %q; without a production: %q", r.Untranscribed, r.Unprinted)
			}
			for _, p := range r.Productions {
				if !p.Equal || p.Tree != Proven {
					t.Errorf("%s: equal: %t, tree: %s", p.Production, p.Equal, p.Tree)
				}
			}
			for _, s := range r.Samples {
				if s.Trees < 1000 || s.Wrong > 0 {
					t.Errorf("the %s parser was given %d strings and made %d trees, %d wrong", s.Parser, s.Words, s.Trees, s.Wrong)
				}
			}
		})
	}
}

func proveNamed(t *testing.T, name string) *Report {
	t.Helper()
	pair := must.Of(catalog.PublishedPair(name))(t)
	return must.Of(Prove(pair, Options{}))(t)
}

// names lists the published grammars, in the order in which they were published.
func names() (list []string) {
	for _, g := range bnfcheck.Grammars() {
		list = append(list, g.Name)
	}
	return list
}
