// Package sample draws the words of a language that are worth trying, and holds laws on them: words of every length,
// each with the same probability; words along every transition of its automaton; and near misses, which are one edit
// away. It uses all cores, what it tries depends on a seed alone, and a word that breaks a law is made as short as it
// can be.
//
// In this package w is a word, q a state, c a class of bytes.
package sample

import (
	"math/rand/v2"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
)

// A Language is a language that is sampled. It may be shared between goroutines.
type Language struct {
	DFA *lang.DFA

	longest int
	uniform *lang.Sampler
	lengths []int // of words, up to the longest
	moves   [][]move
	through []step // the transitions between live states
	access  []string
	ending  func(q int) (w string, ok bool)
}

// A move leads to a live state on any of its bytes, and a step is one from a state.
type (
	move struct {
		to    int
		bytes []byte
	}
	step struct {
		q int
		move
	}
)

// New prepares to draw words of lengths up to longest; those along transitions may be longer.
func New(a *lang.DFA, longest int) *Language {
	l := &Language{DFA: a, longest: longest, uniform: a.Sampler(longest), access: a.AccessWords(), ending: a.Endings()}
	for n, count := range a.Counts(longest) {
		if count.Sign() > 0 {
			l.lengths = append(l.lengths, n)
		}
	}
	for q := range a.States() {
		var moves []move
		for c := range a.Classes() {
			if to := a.NextClass(q, c); a.Live(to) {
				set := a.ClassSet(c)
				m := move{to, set.Members()}
				moves, l.through = append(moves, m), append(l.through, step{q, m})
			}
		}
		l.moves = append(l.moves, moves)
	}
	return l
}

// Uniform returns a word of some length up to the longest, each with the same probability, and so its words. ok is
// false if there is none.
func (l *Language) Uniform(rng *rand.Rand) (w string, ok bool) {
	if len(l.lengths) == 0 {
		return "", false
	}
	return l.uniform.Sample(rng, l.lengths[rng.IntN(len(l.lengths))])
}

// Transitions returns the number of transitions between live states.
func (l *Language) Transitions() int { return len(l.through) }

// Through returns a word that takes the transition i: the first to its state, a byte, up to three more, the shortest
// end.
func (l *Language) Through(i int, rng *rand.Rand) string {
	s := l.through[i]
	return l.walk(append([]byte(l.access[s.q]), s.bytes[rng.IntN(len(s.bytes))]), s.to, rng.IntN(4), rng)
}

// Walk returns a word along random transitions, choosing rare ones as often as others. ok is false if there
// is none.
func (l *Language) Walk(rng *rand.Rand) (w string, ok bool) {
	if l.DFA.Dead(0) {
		return "", false
	}
	return l.walk(nil, 0, rng.IntN(l.longest+1), rng), true
}

// walk goes on from q by at most n random moves, and then the shortest way to an end.
func (l *Language) walk(w []byte, q, n int, rng *rand.Rand) string {
	for ; n > 0 && len(l.moves[q]) > 0; n-- {
		m := l.moves[q][rng.IntN(len(l.moves[q]))]
		w, q = append(w, m.bytes[rng.IntN(len(m.bytes))]), m.to
	}
	end, _ := l.ending(q)
	return string(append(w, end...))
}

// Near returns w after one edit: a byte more, less or another, or two neighbors exchanged. A new byte is visible, or
// of a class.
func (l *Language) Near(w string, rng *rand.Rand) string {
	if rng.IntN(2) == 0 {
		return Near(w, byte(' '+rng.IntN('~'-' '+1)), rng)
	}
	set := l.DFA.ClassSet(rng.IntN(l.DFA.Classes()))
	class := set.Members()
	return Near(w, class[rng.IntN(len(class))], rng)
}

// Near returns w after one edit: x inserted, a byte deleted or replaced by x, or two neighbors exchanged.
func Near(w string, x byte, rng *rand.Rand) string {
	b := []byte(w)
	i := rng.IntN(len(w) + 1)
	switch edit := rng.IntN(4); {
	case i == len(w) || edit == 0:
		return string(slices.Insert(b, i, x))
	case edit == 1:
		return string(slices.Delete(b, i, i+1))
	case edit == 2 && i+1 < len(w):
		b[i], b[i+1] = b[i+1], b[i]
	default:
		b[i] = x
	}
	return string(b)
}
