package engine

import (
	"math/rand/v2"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
)

// How many strings a person gets to look at, and how many are drawn at most to find them.
const (
	maxAccepted = 5
	maxRejected = 3
	maxDraws    = 200
)

// A Sample is strings that show what a grammar is about. Those that are rejected are one edit away from one that is
// accepted. Each is judged as any string is.
type Sample struct {
	Accepted [][]byte `json:"accepted"`
	Rejected [][]byte `json:"rejected"`
}

// sample draws up to maxAccepted and maxRejected different strings; another seed gives others. It stops after
// maxDraws, perhaps with fewer strings than there could be, and passes over a string that is not decided. For an
// empty language both lists are empty. It fails if the grammar has no automaton to draw from, or no parser to judge
// with.
func (s *Session) sample(q Question) (*Sample, error) {
	a, err := s.automatonToDraw(q.Grammar)
	if err != nil {
		return nil, err
	}
	h, err := s.open(fileName, q.Grammar, regex.Search)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(q.Seed, 0))
	w := &walker{DFA: a, rng: rng, taken: map[[2]int]int{}, ending: a.Endings()}
	out := &Sample{Accepted: [][]byte{}, Rejected: [][]byte{}}
	// take adds a word to a list if it is judged as the list has them, and is not in it yet.
	take := func(list *[][]byte, word string, accepted bool) error {
		if slices.ContainsFunc(*list, func(b []byte) bool { return string(b) == word }) {
			return nil
		}
		p, err := h.parserOf(word, false)
		if err != nil {
			return err
		}
		if is, err := s.accepts(h, p, word); err == nil && is == accepted {
			*list = append(*list, []byte(word))
		}
		return nil
	}
	for range maxDraws {
		if len(out.Accepted) >= maxAccepted && len(out.Rejected) >= maxRejected {
			break
		}
		word, ok := w.draw()
		if !ok {
			break // nothing is accepted
		}
		if len(out.Accepted) < maxAccepted {
			if err := take(&out.Accepted, word, true); err != nil {
				return nil, err
			}
		}
		if near := sample.Near(word, byte('!'+rng.IntN('~'-'!'+1)), rng); len(out.Rejected) < maxRejected {
			if err := take(&out.Rejected, near, false); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// automatonToDraw returns the automaton to draw strings from: for an expression that of the strings it matches as a
// whole, with nothing around the match; for a production that nests that of the strings that nest to a depth. It does
// not replace the grammar that the session keeps.
func (s *Session) automatonToDraw(src Source) (a *lang.DFA, err error) {
	h, err := s.open(fileName, src, regex.Full)
	if err != nil {
		return nil, err
	}
	start, err := h.Start()
	if err != nil {
		return nil, err
	}
	err = h.ReadDeep(start, func(n *catalog.Opened) error {
		a, err = n.Automaton(start)
		return err
	})
	return a, err
}

// maxSteps caps the steps of a random walk. The shortest way to an end follows.
const maxSteps = 16

// A walker draws words of an automaton by random walks. A walk takes the transitions that were taken least, so that
// a few words show much of a grammar. The walks of package sample, which are for tests, need many words for that,
// and have bytes that nobody can read.
type walker struct {
	*lang.DFA
	rng    *rand.Rand
	taken  map[[2]int]int // by state and class
	ending func(q int) (string, bool)
}

// draw returns a word that the automaton accepts, and counts the transitions of its walk in w.taken; false if there is
// no such word.
func (w *walker) draw() (string, bool) {
	if !w.Live(0) {
		return "", false
	}
	var word []byte
	q := 0
	for range 1 + w.rng.IntN(maxSteps) {
		if w.Accepts(q) && w.rng.IntN(4) == 0 {
			return string(word), true
		}
		best, least := -1, 0
		for _, c := range w.rng.Perm(w.Classes()) {
			n := w.taken[[2]int{q, c}]
			if w.Live(w.NextClass(q, c)) && (best < 0 || n < least) {
				best, least = c, n
			}
		}
		if best < 0 {
			break
		}
		w.taken[[2]int{q, best}]++
		word = append(word, w.randomByte(best))
		q = w.NextClass(q, best)
	}
	end, _ := w.ending(q)
	return string(word) + end, true
}

// randomByte returns a random one of the visible bytes of a class, or its most readable byte if none is visible.
func (w *walker) randomByte(c int) byte {
	set := w.ClassSet(c)
	visible := slices.DeleteFunc(set.Members(), func(b byte) bool { return b <= ' ' || b > '~' })
	if len(visible) == 0 {
		return w.Readable(c)
	}
	return visible[w.rng.IntN(len(visible))]
}
