package grammartest

import (
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
)

// longest caps the length of the words that are drawn.
const longest = 64

// Words returns a sequence of n strings, each with whether the grammar derives it. In turn they are a word of a
// random length, with all words of that length equally likely; a word along random transitions of
// the grammar's automaton; and a word through one transition chosen at random. Every other string is
// changed by one edit, most often to a near miss. The same seed yields the same strings.
//
// All of this is computed when the sequence is ranged over, each time anew. A grammar without an automaton,
// and one that derives nothing, fail the test that loaded them, and yield nothing. A limit that is passed
// later fails it as well, and ends the sequence. The test goes on.
func (g *Grammar) Words(n int, seed uint64) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		var limit error
		defer func() {
			if limit != nil {
				g.t.Errorf("grammartest: %s: %v", g.name, g.inOptions(limit))
			}
		}()
		defer budget.Catch(&limit)
		a, err := g.language()
		if err != nil {
			g.t.Errorf("grammartest: %s: %v", g.name, err)
			return
		}
		l := sample.New(a, longest)
		rng := rand.New(rand.NewPCG(seed, 0))
		for i := range n {
			w, ok := "", false
			switch i % 3 {
			case 0:
				w, ok = l.Uniform(rng)
			case 1:
				w, ok = l.Walk(rng)
			}
			if !ok && l.Transitions() > 0 { // the third kind, or there is no word of the other two
				w = l.Through(rng.IntN(l.Transitions()), rng)
			}
			if i%2 == 1 {
				w = l.Near(w, rng)
			}
			if !yield(w, g.Accepts(w)) {
				return
			}
		}
	}
}

// Seed adds n strings of [Grammar.Words], of the seed 1, to the corpus of a fuzz test that takes one string.
// It adds fewer where Words ends early.
func (g *Grammar) Seed(f *testing.F, n int) {
	f.Helper()
	for w := range g.Words(n, 1) {
		f.Add(w)
	}
}
