package learn

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// counterexample returns a word on which the hypothesis is wrong, or nil if it is right on all words that are
// to be tried. It sets l.phase, for the progress. Cheap words come first. Last are all words that were ever
// asked about, so that no answer contradicts the model. (They would find more if they were first; but then a
// run that continues from kept answers would take another way.) It panics as ask does, and also if the complete
// suite is too large.
func (l *learner) counterexample() *string {
	for _, try := range []struct {
		phase string
		words iter.Seq[string]
	}{
		{"tree", l.treeWords},
		{"words", l.o.Try},
		{"random", l.randomWords},
	} {
		if try.words == nil {
			continue
		}
		l.phase = try.phase
		if w := l.firstWrong(try.words); w != nil {
			return w
		}
	}
	l.phase = "bytes"
	if w := l.wrongByteWord(); w != nil {
		return w
	}
	l.phase = "suite"
	suite, err := vectors.CompleteSuite(l.dfa, vectors.Wp, l.o.Extra, false)
	l.endAt(err)
	if w := l.firstWrong(suite.All()); w != nil {
		return w
	}
	l.phase = "known"
	return l.firstWrong(slices.Values(l.o.Cache.wordsInOrder()))
}

// firstWrong returns the first of the words on which the hypothesis is wrong; nil if it is right on all. It
// asks about many at a time.
func (l *learner) firstWrong(words iter.Seq[string]) (wrong *string) {
	var some []string
	flush := func() bool {
		answers := l.ask(some)
		for i, w := range some {
			if l.states[l.stateAfter(0, w)].accept != answers[i] {
				wrong = &w
				return false
			}
		}
		some = some[:0]
		return true
	}
	more := true
	words(func(w string) bool {
		some = append(some, w)
		if len(some) == batch {
			more = flush()
		}
		return more
	})
	if more && len(some) > 0 {
		flush()
	}
	return wrong
}

// treeWords yields each state's access word followed by the questions on its way up the tree. If the
// hypothesis answers these right, no two of its states are equal.
func (l *learner) treeWords(yield func(string) bool) {
	for _, s := range l.states {
		for n := s.leaf.up; n != nil; n = n.up {
			if !yield(s.access + n.suffix) {
				return
			}
		}
	}
}

// randomWords yields words that begin like accepted ones and mostly stay on their ways: an access word; some
// bytes, three in four of them chosen so that something can still be accepted; and an end that the hypothesis
// accepts if there is one.
func (l *learner) randomWords(yield func(string) bool) {
	rng := rand.New(rand.NewPCG(l.o.Seed, uint64(len(l.states))<<32|uint64(len(l.letters))))
	ends := make([]string, len(l.states)) // the first word that is accepted from each live state
	alive := make([]bool, len(l.states))
	var live []int
	for q, s := range l.states {
		ends[q], alive[q] = l.dfa.ShortestFrom(l.dfa.Run(0, s.access))
		if alive[q] {
			live = append(live, q)
		}
	}
	if len(live) == 0 {
		live = append(live, 0)
	}
	onwards := make([][]byte, len(l.states)) // the representatives that lead from each state to a live one
	for q, s := range l.states {
		for c, p := range s.next {
			if alive[p] {
				onwards[q] = append(onwards[q], l.letters[c].rep)
			}
		}
	}
	for range l.o.Random {
		q := live[rng.IntN(len(live))]
		w := []byte(l.states[q].access)
		for range 1 + rng.IntN(8) {
			x := l.letters[rng.IntN(len(l.letters))].rep
			if n := len(onwards[q]); n > 0 && rng.IntN(4) > 0 {
				x = onwards[q][rng.IntN(n)]
			}
			if rng.IntN(8) == 0 { // another byte of its class
				others := l.letters[l.class[x]].set.Members()
				x = others[rng.IntN(len(others))]
			}
			w = append(w, x)
			q = l.states[q].next[l.class[x]]
		}
		end := ends[q]
		if !alive[q] {
			end = ends[live[rng.IntN(len(live))]]
		}
		if !yield(string(w) + end) {
			return
		}
	}
}

// wrongByteWord looks for a byte that does not lead where its class's representative does, after any state.
// It returns a word that shows one, or nil if there is none. It asks the questions that tell states apart, so
// that together they are a complete suite over all bytes for as many states as there are.
func (l *learner) wrongByteWord() *string {
	for q := range l.states {
		var words []string
		for x := range 256 {
			c := l.class[x]
			if byte(x) == l.letters[c].rep {
				continue
			}
			at := l.states[q].access + string([]byte{byte(x)})
			for n := l.states[l.states[q].next[c]].leaf.up; n != nil; n = n.up {
				words = append(words, at+n.suffix)
			}
		}
		if w := l.firstWrong(slices.Values(words)); w != nil {
			return w
		}
	}
	return nil
}
