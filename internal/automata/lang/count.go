package lang

import (
	"math/big"
	"math/rand/v2"
)

// Count returns the number of words of length n, exactly. For a negative n that is 0.
func (a *DFA) Count(n int) *big.Int {
	if n < 0 {
		return new(big.Int)
	}
	counts := a.Counts(n)
	return counts[n]
}

// Counts returns the number of words of each length from 0 to max, exactly.
func (a *DFA) Counts(max int) []*big.Int {
	var out []*big.Int
	moves := a.moves()
	count := a.countEnd()
	for n := 0; n <= max; n++ {
		a.budget.Step(4 * len(a.accept))
		if n > 0 {
			count = countStep(moves, count)
		}
		out = append(out, new(big.Int).Set(count[0]))
	}
	return out
}

// Sample returns a word of length n, every one with the same probability; ok is false if there is none. To draw many
// words, make a [Sampler].
func (a *DFA) Sample(rng *rand.Rand, n int) (w string, ok bool) { return a.Sampler(n).Sample(rng, n) }

// A Sampler draws random words from a language. It never changes and may be shared between goroutines.
type Sampler struct {
	a     *DFA
	moves [][]move
	count [][]*big.Int // count[n][q]: words of length n accepted from q
}

// Sampler prepares to draw words of lengths up to max.
func (a *DFA) Sampler(max int) *Sampler {
	s := &Sampler{a: a, moves: a.moves(), count: [][]*big.Int{a.countEnd()}}
	for n := 1; n <= max; n++ {
		s.count = append(s.count, countStep(s.moves, s.count[n-1]))
	}
	return s
}

// Sample returns a word of length n, every one with the same probability; ok is false if there is none, or if n is beyond
// what s was prepared for.
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

// below returns a number from 0 to n-1, every one with the same probability.
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

func (a *DFA) moves() [][]move {
	out := make([][]move, len(a.accept))
	for q := range out {
		for _, e := range a.Edges(q) {
			out[q] = append(out[q], move{e.To, e.Set.Members()})
		}
	}
	return out
}

func (a *DFA) countEnd() []*big.Int {
	count := make([]*big.Int, len(a.accept))
	for q, ok := range a.accept {
		count[q] = new(big.Int)
		if ok {
			count[q].SetInt64(1)
		}
	}
	return count
}

func countStep(moves [][]move, count []*big.Int) []*big.Int {
	out := make([]*big.Int, len(count))
	term, size := new(big.Int), new(big.Int)
	for q := range out {
		out[q] = new(big.Int)
		for _, m := range moves[q] {
			out[q].Add(out[q], term.Mul(count[m.to], size.SetInt64(int64(len(m.bytes)))))
		}
	}
	return out
}
