package lang

import (
	"math/big"
	"math/rand/v2"
)

// Counts returns the exact number of words of each length from 0 to max.
func (a *DFA) Counts(max int) []*big.Int { return a.CountsFrom(max, 0)[0] }

// CountsFrom is [DFA.Counts] for several starts: it counts the words accepted from each of the states.
func (a *DFA) CountsFrom(max int, states ...int) [][]*big.Int {
	out := make([][]*big.Int, len(states))
	a.eachCount(max, states, func(count []*big.Int) {
		for i := range out {
			out[i] = append(out[i], new(big.Int).Set(count[i]))
		}
	})
	return out
}

// eachCount calls each, for all lengths n from 0 to max, with the numbers of words of length n that are accepted from
// the states that the given ones lead to in up to max-n steps. The order of states is breadth-first, the given ones
// first; the numbers are overwritten after the call. It returns the moves of these states, by their place in this
// order.
func (a *DFA) eachCount(max int, states []int, each func(count []*big.Int)) (moves [][]move) {
	at := map[int32]int32{}
	var near []int32
	for _, q := range states { // each has a place of its own, even if it is given twice
		at[int32(q)] = int32(len(near))
		near = append(near, int32(q))
	}
	within := []int{len(near)} // by number of steps: how many states are that near
	for n := range max {
		for i := len(moves); i < within[n]; i++ {
			var list []move
			for _, e := range a.Edges(int(near[i])) {
				to, ok := at[e.To]
				if !ok {
					to = int32(len(near))
					at[e.To] = to
					near = append(near, e.To)
				}
				list = append(list, move{to, e.Set.Members()})
			}
			moves = append(moves, list)
		}
		within = append(within, len(near))
	}
	count, next := newInts(len(near)), newInts(len(near))
	for i, q := range near {
		if a.accept[q] {
			count[i].SetInt64(1)
		}
	}
	term, size := new(big.Int), new(big.Int)
	for n := 0; ; n++ {
		a.budget.Step(4 * len(count))
		each(count)
		if n == max {
			return moves
		}
		next = next[:within[max-n-1]]
		for i := range next {
			next[i].SetInt64(0)
			for _, m := range moves[i] {
				if count[m.to].Sign() > 0 {
					next[i].Add(next[i], term.Mul(count[m.to], size.SetInt64(int64(len(m.bytes)))))
				}
			}
		}
		count, next = next, count
	}
}

// newInts returns n numbers, all 0.
func newInts(n int) []*big.Int {
	ints, list := make([]big.Int, n), make([]*big.Int, n)
	for i := range ints {
		list[i] = &ints[i]
	}
	return list
}

// A Sampler draws random words from a language. It never changes and may be shared between goroutines.
type Sampler struct {
	moves [][]move
	count [][]*big.Int // count[n][q]: the number of words of length n from state q; state 0 is the start
}

// Sampler prepares to draw words of lengths up to max.
func (a *DFA) Sampler(max int) *Sampler {
	s := &Sampler{}
	s.moves = a.eachCount(max, []int{0}, func(count []*big.Int) {
		kept := newInts(len(count))
		for i, n := range count {
			kept[i].Set(n)
		}
		s.count = append(s.count, kept)
	})
	return s
}

// Sample returns a word of length n, each with the same probability. ok is false if there is none, or if n exceeds
// the length that s was prepared for.
func (s *Sampler) Sample(rng *rand.Rand, n int) (w string, ok bool) {
	if n < 0 || n >= len(s.count) || s.count[n][0].Sign() == 0 {
		return "", false
	}
	// One number chooses the word: its place among all words of length n, ordered by what each move reads and by byte.
	place := below(rng, s.count[n][0])
	out := make([]byte, 0, n)
	var q int32
	for ; n > 0; n-- {
		for _, m := range s.moves[q] {
			each := s.count[n-1][m.to]
			if each.Sign() == 0 {
				continue
			}
			all := new(big.Int).Mul(each, big.NewInt(int64(len(m.bytes))))
			if place.Cmp(all) >= 0 {
				place.Sub(place, all)
				continue
			}
			i, rest := new(big.Int).QuoRem(place, each, new(big.Int))
			out, q, place = append(out, m.bytes[i.Int64()]), m.to, rest
			break
		}
	}
	return string(out), true
}

// below returns a number from 0 to n-1, each with the same probability.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	words := (n.BitLen() + 63) / 64
	buf := make([]byte, 8*words)
	v := new(big.Int)
	for {
		for i := 0; i < len(buf); i += 8 {
			for j, bits := 0, rng.Uint64(); j < 8; j++ {
				buf[i+j] = byte(bits >> (8 * j))
			}
		}
		v.SetBytes(buf)
		if v.Rsh(v, uint(64*words-n.BitLen())).Cmp(n) < 0 {
			return v
		}
	}
}

// A move leads to one live state on any of its bytes.
type move struct {
	to    int32
	bytes []byte
}
