package prove

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
)

// BenchmarkProve is the whole of "bnfcheck prove".
func BenchmarkProve(b *testing.B) {
	var pairs []catalog.Pair
	for _, name := range names() {
		pair, err := catalog.Published(name)
		if err != nil {
			b.Fatal(err)
		}
		pairs = append(pairs, pair)
	}
	for b.Loop() {
		if _, err := ProveAll(pairs, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
