package diff

import (
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The production in which one side stops is that which a rejection of the witness names, at the same offset: for every
// cause of every comparison of published grammars.
func TestDiffAndCheckNameTheSamePlace(t *testing.T) {
	longtest.Need(t, "it compares every production of every two texts")
	subjects := must.Of(catalog.Load(catalog.Version{}, catalog.Names()...))(t)
	compared := 0
	for i, a := range subjects {
		for _, b := range subjects[i+1:] {
			for _, comparison := range diff.Standard(a, b) {
				d, err := comparison.Diff(diff.Options{MaxLength: 1}) // counts cost time
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range d.Causes {
					side, place := d.B, c.B
					if c.Region == diff.OnlyB {
						side, place = d.A, c.A
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
					if got, want := place.Path[len(place.Path)-1], g.Production(why.In[0]).Name; got != want || c.Offset != why.Offset {
						t.Errorf("%s: %s stops in %q at %d of %s; the rejection names %s at %d", d.Topic, side, place.Path, c.Offset, c.Witness, want, why.Offset)
					}
				}
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d witnesses", compared)
	}
	t.Logf("%d witnesses", compared)
}
