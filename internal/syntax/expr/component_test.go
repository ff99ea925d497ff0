package expr

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A Numbering gives the numbers that a map and a list give, few values or many.
func TestNumbering(t *testing.T) {
	type key struct {
		a int16
		b string
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1, fewNumbered, fewNumbered + 1, 100, 5000} {
		var n Numbering[key]
		known := map[key]int{}
		for range 4 * most {
			v := rng.IntN(most)
			k := key{int16(v % 7), fmt.Sprint(v)}
			want, met := known[k]
			if !met {
				want = len(known)
				known[k] = want
			}
			if i, fresh := n.Of(k); i != want || fresh == met || n.List[i] != k {
				t.Fatalf("of %d values, %v is number %d, fresh: %v; want %d, %v", most, k, i, fresh, want, !met)
			}
		}
		if len(n.List) != len(known) {
			t.Errorf("of %d values, %d are in the list, and %d were met", most, len(n.List), len(known))
		}
	}
}
