package prove

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// BenchmarkProve is the whole of "bnfcheck prove".
func BenchmarkProve(b *testing.B) {
	var pairs []subject.Pair
	for _, name := range names() {
		pair, err := subject.Published(name)
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
