package lang_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// load reads both sides of a published grammar, the rules of the PEG under the IDs of the productions.
func load(tb testing.TB, name string) (b, p *expr.Grammar) {
	tb.Helper()
	src := must.Of(bnf.Load(name))(tb)
	p = must.Of(peg.Load(src.Default))(tb)
	return src.Default, p
}

// Both roads from a PEG give the same automaton for every rule of the published grammars.
func TestEveryPublishedRuleBothWays(t *testing.T) {
	longtest.Need(t, "it builds every automaton in two ways")
	for _, name := range []string{"rfc1630", "rfc1738"} {
		_, g := load(t, name)
		p := must.Of(lang.NewPEG(g, lang.Limits{}))(t)
		for _, r := range g.Rules {
			a, err := p.Whole(expr.To(r.ID))
			if err != nil {
				t.Errorf("%s %s: %v", name, r.ID, err)
				continue
			}
			b, err := lang.FromPEGReverse(g, r.ID)
			if err != nil {
				t.Errorf("%s %s: %v", name, r.ID, err)
			} else if !a.Equal(b) {
				w, _ := a.SymmetricDifference(b).Shortest()
				t.Errorf("%s %s: the two ways differ on %q", name, r.ID, w)
			}
		}
	}
}
