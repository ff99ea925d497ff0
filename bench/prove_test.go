package bench

import (
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// BenchmarkProve is the whole of "bnfcheck prove".
func BenchmarkProve(b *testing.B) {
	var pairs []catalog.Pair
	for _, g := range bnfcheck.Grammars() {
		pair, err := catalog.PublishedPair(g.Name)
		if err != nil {
			b.Fatal(err)
		}
		pairs = append(pairs, pair)
	}
	for b.Loop() {
		if _, err := prove.ProveAll(pairs, prove.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
