package diff

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
)

// Counts holds numbers of strings by their length. In JSON it is an array of strings of decimal digits, all of them:
// many are beyond 2^53, and most readers of JSON round larger numbers.
type Counts []*big.Int

// MarshalJSON returns the array of strings.
func (c Counts) MarshalJSON() ([]byte, error) {
	digits := make([]string, len(c))
	for i, n := range c {
		digits[i] = n.String()
	}
	return json.Marshal(digits)
}

// A Count is a number of strings. In JSON it is a string of decimal digits, as in [Counts].
type Count struct{ *big.Int }

// MarshalJSON returns the string.
func (c Count) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }

// countClasses counts the strings of each class, by length. It needs causeClasses and leadingCounts, which
// makeCauses sets; the latter also has the greatest length. of returns the Counts to add the strings of a
// class to, which go up to that length, or nil for a class that is not counted; several classes may share
// them.
//
// The strings of a class that part after a pair are as many as the strings that lead to the pair, times its
// bytes there, times the strings that the side that goes on accepts from then on. The last factor depends on
// few things only. So first the prefixes, up to and including the parting byte, are summed up by that factor
// (a door), and each sum is then multiplied once.
func (w *walk) countClasses(of func(classKey) Counts) {
	// A door is the way into a state of the side that goes on, for classes that are counted together.
	type door struct {
		region Region
		end    bool
		to     int
		counts *big.Int // identifies the Counts that of returned: the address of their first number
	}
	// A flow has, for a door, the number of strings that have come through it, by length, and the Counts to add to.
	type flow struct{ parted, counts Counts }
	through, max, product := map[door]flow{}, len(w.leadingCounts)-1, new(big.Int)
	// By state of the side that goes on: the strings accepted from there.
	rests := map[Region]map[int]Counts{OnlyA: {}, OnlyB: {}}
	for i := range w.pairs {
		for _, x := range w.pairs[i].exits {
			g := w.groups[x.group]
			for _, all := range classesMeeting(w.causeClasses[x.group], x.bytes) {
				k := w.classKeyOf(&w.pairs[i], x, all)
				counts := of(k)
				if counts == nil {
					continue
				}
				at := door{g.region, g.at == AtEnd, x.to, counts[0]}
				if _, ok := through[at]; !ok {
					w.chargeHeld(2 * 64 * max)
					through[at] = flow{zeros(max), counts}
					rests[g.region][x.to] = nil // this state is needed; it is counted below, for all at once
				}
				w.a.budget.Step(4 * max)
				ways, read := int64(1), 0
				if g.at == AtByte {
					ways, read = int64(k.part.Len()), 1
				}
				for n, parted := range through[at].parted[read:] {
					if w.leadingCounts[n][i] != nil {
						parted.Add(parted, product.Mul(w.leadingCounts[n][i], big.NewInt(ways)))
					}
				}
			}
		}
	}
	for region, byState := range rests {
		goes, _ := w.sidesOf(region)
		states := slices.Collect(maps.Keys(byState))
		for i, counts := range goes.dfa.CountsFrom(max, states...) {
			byState[states[i]] = counts
		}
	}
	for at, f := range through {
		rest := rests[at.region][at.to]
		if at.end {
			rest = Counts{big.NewInt(1)}
		}
		for n, parted := range f.parted {
			for m := 0; m < len(rest) && n+m <= max && parted.Sign() > 0; m++ {
				f.counts[n+m].Add(f.counts[n+m], product.Mul(parted, rest[m]))
			}
		}
	}
}

// countLeading returns, by length up to max and by pair, the number of strings that lead to the pair; nil for none.
// Each call counts anew and is charged to the budget; makeCauses keeps the result in w.leadingCounts.
func (w *walk) countLeading(max int) [][]*big.Int {
	w.chargeHeld(8 * (max + 1) * len(w.pairs))
	lead := make([][]*big.Int, max+1)
	for n := range lead {
		lead[n] = make([]*big.Int, len(w.pairs))
	}
	if len(w.pairs) > 0 {
		lead[0][0] = big.NewInt(1)
	}
	product := new(big.Int)
	for n := range max {
		w.a.budget.Step(8 * len(w.pairs))
		for i := range w.pairs {
			if lead[n][i] == nil {
				continue
			}
			w.a.budget.Step(4 * len(w.pairs[i].steps))
			for _, s := range w.pairs[i].steps {
				if lead[n+1][s.to] == nil {
					lead[n+1][s.to] = new(big.Int)
					w.chargeHeld(64)
				}
				lead[n+1][s.to].Add(lead[n+1][s.to], product.Mul(lead[n][i], big.NewInt(int64(s.bytes))))
			}
		}
	}
	return lead
}

// zeros returns the numbers 0 for 0 to max.
func zeros(max int) []*big.Int {
	out := make([]*big.Int, max+1)
	for n := range out {
		out[n] = new(big.Int)
	}
	return out
}
