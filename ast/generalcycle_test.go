package ast

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
)

// Two nodes have the same number if a search from each of them finds the other, in random graphs.
func TestOnCycles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	on, off := 0, 0
	for range 5000 {
		next := make([][]Kind, 1+rng.IntN(9))
		for range rng.IntN(2 * len(next)) {
			from := rng.IntN(len(next))
			next[from] = append(next[from], Kind(rng.IntN(len(next))))
		}
		var tables generalTables
		tables.starts = make([]uint32, len(next))
		got := onCycles(next)
		for k := range next {
			successors := func(k Kind) iter.Seq[Kind] { return slices.Values(next[k]) }
			reached := tables.reachable(Kind(k), successors)
			for other := range next {
				both := reached[other] && tables.reachable(Kind(other), successors)[k]
				if same := got[k] > 0 && got[k] == got[other]; same != both {
					t.Fatalf("%v: nodes %d and %d are on the same cycles: %t, and not %t", next, k, other, same, both)
				}
			}
			if reached[k] {
				on++
			} else {
				off++
			}
		}
	}
	if on < 1000 || off < 1000 {
		t.Errorf("%d nodes are on cycles, %d are not", on, off)
	}
}
