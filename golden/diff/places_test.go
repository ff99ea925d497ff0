package diff

import (
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// One side stops where a rejection of the witness says so, and of the productions that both name one stands in the
// other, for every cause of every comparison of published grammars. Most are the same. They need not be: a rejection
// knows how the productions around a place were reached (see annotated.Place), and the states of a comparison do not.
func TestDiffAndCheckNameTheSamePlace(t *testing.T) {
	longtest.Need(t, "it compares every production of every two texts")
	subjects := must.Of(catalog.Load(catalog.Version{}, catalog.Names()...))(t)
	compared, same := 0, 0
	for i, a := range subjects {
		for _, b := range subjects[i+1:] {
			for _, comparison := range diff.Standard(a, b) {
				d, err := comparison.Diff(diff.Options{MaxLength: 1}) // counts cost time
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range d.Causes {
					side, place, text := d.B, c.B, comparison.B.Grammar
					if c.Region == diff.OnlyB {
						side, place, text = d.A, c.A, comparison.A.Grammar
					}
					g, err := bnfcheck.Find(side.Grammar)
					if err != nil || side.Prefix != "" { // no parser, or not all of a production
						continue
					}
					k := must.Of(g.Lookup(side.Production))(t)
					why := g.Explain(k, string(c.Witness))
					if why == nil {
						t.Errorf("%s: %s accepts %s", d.Topic, side, c.Witness)
						continue
					}
					if why.Explained != k || len(why.In) == 0 {
						continue // the scheme's own production is explained
					}
					compared++
					last, named := place.Path[len(place.Path)-1], g.Production(why.In[0]).Name
					if last == named {
						same++
					}
					if c.Offset != why.Offset || !slices.Contains(place.Path, named) && !uses(text, last, named) {
						t.Errorf("%s: %s stops in %q at %d of %s; the rejection names %s at %d", d.Topic, side, place.Path, c.Offset, c.Witness, named, why.Offset)
					}
				}
			}
		}
	}
	if compared < 300 || same < compared*9/10 {
		t.Errorf("%d witnesses, %d of them with the same production; want 300, and nine in ten", compared, same)
	}
	t.Logf("%d witnesses, %d of them with the same production", compared, same)
}

// uses reports whether a production that is printed as name uses one that is printed as other, directly or not.
func uses(g *expr.Grammar, name, other string) bool {
	var ids []string
	for _, r := range g.Rules {
		if r.Name == name {
			ids = append(ids, r.ID)
		}
	}
	return slices.ContainsFunc(g.Reach(ids...), func(id string) bool { return g.Rule(id).Name == other })
}
