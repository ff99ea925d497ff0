package lang

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A listIndex numbers lists as a map of their texts does: random short lists, many of which come again, the empty list
// among them.
func TestListIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var x listIndex
	want := map[string]int32{}
	again := 0
	for range 20_000 {
		list := make([]int32, rng.IntN(4))
		for i := range list {
			list[i] = int32(rng.IntN(20)) - 1
		}
		key := fmt.Sprint(list)
		n, met := want[key]
		if !met {
			n = int32(len(want))
			want[key] = n
		} else {
			again++
		}
		i, fresh := x.of(list)
		if i != n || fresh == met {
			t.Fatalf("%v has number %d, fresh %t; want %d, %t", list, i, fresh, n, !met)
		}
		if !slices.Equal(x.at(i), list) || x.len() != len(want) {
			t.Fatalf("list %d of %d is %v, want %v of %d", i, x.len(), x.at(i), list, len(want))
		}
	}
	if len(want) < 4000 || again < 4000 {
		t.Errorf("only %d lists, and %d that came again", len(want), again)
	}
}
