package diff

import (
	"encoding/json"
	"math/big"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Counts holds numbers of strings by their length. In JSON it is an array of strings of decimal digits, all of them: many
// are beyond 2^53, and most readers of JSON round larger numbers.
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

// count counts the strings of every cause: those of some length that lead to one of its pairs, times its bytes there,
// times the strings that the side which goes on accepts after that.
func (w *walk) count(max int, bytes [][]expr.Set, causes map[causeKey]*Cause) {
	type door struct {
		causeKey
		to int
	}
	through := map[door][]*big.Int{} // by length: the strings that have just parted
	product := new(big.Int)
	lead := w.lead(max)
	for i := range w.pairs {
		for _, x := range w.pairs[i].exits {
			for _, all := range within(bytes[x.group], x.bytes) {
				ways, read := int64(1), 0
				if w.groups[x.group].at == AtByte {
					ways, read = int64(all.Intersect(x.bytes).Len()), 1
				}
				k := door{causeKey{x.group, all}, x.to}
				if through[k] == nil {
					through[k] = zeros(max)
				}
				for n := 0; n+read <= max; n++ {
					if lead[n][i] != nil {
						through[k][n+read].Add(through[k][n+read], product.Mul(lead[n][i], big.NewInt(ways)))
					}
				}
			}
		}
	}
	behind := map[Region][]int{} // the states that are gone on from, and the place of each
	at := map[Region]map[int]int{OnlyA: {}, OnlyB: {}}
	for k := range through {
		region := w.groups[k.group].region
		if _, known := at[region][k.to]; !known && w.groups[k.group].at != AtEnd {
			at[region][k.to] = len(behind[region])
			behind[region] = append(behind[region], k.to)
		}
	}
	rest := map[Region][][]*big.Int{}
	for region, states := range behind {
		goes, _ := w.sides(region)
		rest[region] = goes.dfa.CountsFrom(max, states...)
	}
	for k, parted := range through {
		g, counts := w.groups[k.group], causes[k.causeKey].Counts
		if g.at == AtEnd {
			for n := range counts {
				counts[n].Add(counts[n], parted[n])
			}
			continue
		}
		follow := rest[g.region][at[g.region][k.to]]
		for n := range parted {
			for m := 0; n+m <= max && parted[n].Sign() > 0; m++ {
				counts[n+m].Add(counts[n+m], product.Mul(parted[n], follow[m]))
			}
		}
	}
}

// lead returns, by length and pair, the number of strings that lead to the pair, nil for none.
func (w *walk) lead(max int) [][]*big.Int {
	lead := make([][]*big.Int, max+1)
	for n := range lead {
		lead[n] = make([]*big.Int, len(w.pairs))
	}
	if len(w.pairs) > 0 {
		lead[0][0] = big.NewInt(1)
	}
	product := new(big.Int)
	for n := range max {
		w.a.nfa.Budget.Step(8 * len(w.pairs))
		for i := range w.pairs {
			if lead[n][i] == nil {
				continue
			}
			for _, s := range w.pairs[i].steps {
				if lead[n+1][s.to] == nil {
					lead[n+1][s.to] = new(big.Int)
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
