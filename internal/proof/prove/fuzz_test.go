package prove_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A rule that is proven matches each short string that an interpreter of the grammar derives, and no other. One that is refuted has a string
// on which the interpreters of the two part, and no shorter one.
func FuzzProve(f *testing.F) {
	f.Add([]byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, data, changes []byte) {
		g := fuzztest.New(data)
		abnf, rules := g.ABNF(), g.PEG(changes)
		pair, err := catalog.Files("g.abnf", []byte(abnf), "g.peg", []byte(rules), catalog.FileOptions{ActionsSucceed: true})
		if err != nil {
			t.Fatalf("%v\n%s%s", err, abnf, rules)
		}
		report, err := prove.Prove(pair, prove.Options{Limits: lang.Limits{NFA: 1 << 14, DFA: 1 << 10, Bytes: 16 << 20, Steps: 1 << 20}})
		if err != nil {
			return // it nests, is left-recursive, or too large
		}
		for _, row := range report.Productions {
			if row.Depth != nil || !row.Equal && row.BNFOnly == nil && row.PEGOnly == nil {
				continue // it holds up to a depth, or is open
			}
			if err := expr.NewForm(pair.PEG).WellFormed(row.Production); err != nil {
				t.Fatalf("%s is decided: %v\n%s%s", row.Production, err, abnf, rules)
			}
			derives := func(w string) bool { return pegtest.Derives(pair.BNF, row.Production, w) }
			matches := func(w string) bool {
				end, _ := peg.Match(pair.PEG, expr.To(row.Production), w, 0)
				return end == len(w)
			}
			var first [2]string // that only the production derives, that only the rule matches
			var parts [2]bool
			for _, w := range fuzztest.Words {
				switch a, b := derives(w), matches(w); {
				case a && !b && !parts[0]:
					first[0], parts[0] = w, true
				case b && !a && !parts[1]:
					first[1], parts[1] = w, true
				}
			}
			if row.Equal && (parts[0] || parts[1]) {
				t.Fatalf("%s is proven, and parts on %q\n%s%s", row.Production, first, abnf, rules)
			}
			for i, shown := range []*string{(*string)(row.BNFOnly), (*string)(row.PEGOnly)} {
				switch {
				case parts[i] && (shown == nil || len(*shown) != len(first[i])):
					t.Fatalf("%s parts first on %q, and %v is shown\n%s%s", row.Production, first[i], shown, abnf, rules)
				case shown != nil && (derives(*shown) != (i == 0) || matches(*shown) != (i == 1)):
					t.Fatalf("%s does not part on %q\n%s%s", row.Production, *shown, abnf, rules)
				}
			}
		}
	})
}
