package diff

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// The regions, their counts and their shortest strings are what an interpreter of the two grammars counts, each string that one of them
// derives alone has one cause, of its region, and what a sentence says of the witnesses of its group holds.
func FuzzCompare(f *testing.F) {
	f.Add([]byte(nil), []byte{2, 2, 2})
	f.Fuzz(func(t *testing.T, one, other []byte) {
		texts := [2]string{fuzztest.New(one).ABNF(), fuzztest.New(other).ABNF()}
		var sides [2]catalog.Language
		for i, text := range texts {
			g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
			sides[i] = catalog.Language{Grammar: g, Production: "r0"}
		}
		d, err := Compare(sides[0], sides[1], Options{MaxLength: 4, Limits: lang.Limits{NFA: 1 << 12, DFA: 1 << 8}})
		if err != nil {
			return // not regular, or too large
		}
		counts := map[Region]int64{}
		shortest := map[Region]int{OnlyA: 5, Both: 5, OnlyB: 5}
		for _, w := range fuzztest.Words {
			a, b := pegtest.Derives(sides[0].Grammar, "r0", w), pegtest.Derives(sides[1].Grammar, "r0", w)
			region := Both
			switch {
			case a && !b:
				region = OnlyA
			case b && !a:
				region = OnlyB
			case !a && !b:
				region = ""
			}
			counts[region]++
			if region != "" {
				shortest[region] = min(shortest[region], len(w))
			}
			cause, ok := d.Cause(w)
			if ok != (a != b) || ok && cause.Region != region {
				t.Fatalf("%q is of the region %q, and has the cause %+v\n%s%s", w, region, cause, texts[0], texts[1])
			}
		}
		for region, part := range map[Region]Part{OnlyA: d.OnlyA, Both: d.Both, OnlyB: d.OnlyB} {
			if n := part.Total().Int64(); n != counts[region] {
				t.Errorf("%s: %d strings, want %d\n%s%s", region, n, counts[region], texts[0], texts[1])
			}
			if w := part.Shortest; shortest[region] < 5 && (w == nil || len(*w) != shortest[region]) {
				t.Errorf("%s: the shortest is %v, want %d bytes\n%s%s", region, w, shortest[region], texts[0], texts[1])
			}
		}
		for _, g := range d.Groups {
			side := 1
			if g.Region == OnlyB {
				side = 0
			}
			edited, ok := d.Edited(&g)
			if w := string(g.Witness); ok && !pegtest.Derives(edited, "r0", w) || pegtest.Derives(sides[side].Grammar, "r0", w) {
				t.Errorf("%s %q does not change sides\n%s%s", g.Sentence, w, texts[0], texts[1])
			}
		}
		equal := d.OnlyA.Shortest == nil && d.OnlyB.Shortest == nil
		if (d.Relation == Equal) != equal || equal != (len(d.Causes) == 0) {
			t.Errorf("%s with %d causes\n%s%s", d.Relation, len(d.Causes), texts[0], texts[1])
		}
	})
}
