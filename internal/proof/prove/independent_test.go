package prove

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestRunsHaveTheWordsOfTheirRule checks the runs of every rule, by which the trees are proven, against the language that
// package lang finds for the rule in another way; and both kinds of bracketed words against the language.
func TestRunsHaveTheWordsOfTheirRule(t *testing.T) {
	for _, name := range names() {
		if name != "rfc1738" && !longtest.Enabled() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			pair := must.Of(catalog.PublishedPair(name))(t)
			p := newProof(pair, Options{})
			must.Do(t, p.compile())
			for _, r := range p.rows {
				r.reportLanguages(p)
				r.analyzeBrackets(p)
				for what, words := range map[string]func() (*lang.DFA, error){
					"the runs":                      func() (*lang.DFA, error) { return r.runs.language(p.limits) },
					"the trees that the rule makes": func() (*lang.DFA, error) { return r.stripBrackets(r.made, p.limits) },
					"the derivations of the BNF":    func() (*lang.DFA, error) { return r.stripBrackets(r.derived, p.limits) },
				} {
					if a, err := words(); err != nil || !a.Equal(p.words[r.Production]) {
						t.Errorf("%s: %s have other words (%v)", r.Production, what, err)
					}
				}
				// One path for every word, so that what the runs make is a function.
				if two, err := r.wordsNotBest(r.made, r.made, nil, p.limits); err != nil || two != nil {
					w, _ := two.Shortest()
					t.Errorf("%s makes two trees of %q (%v)", r.Production, w, err)
				}
			}
		})
	}
}
