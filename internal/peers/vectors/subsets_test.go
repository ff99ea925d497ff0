package vectors

import (
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The rest of a word is accepted from a state if it is accepted there, however little of it is read.
func TestEditedWordAccepts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	word := func(n int) string {
		w := make([]byte, n)
		for i := range w {
			w[i] = "abc"[rng.IntN(3)]
		}
		return string(w)
	}
	rejected := 0
	for range 200 {
		n := lang.NFA{States: make([]lang.NFAState, 7), Final: 6}
		for q := range n.Final {
			for _, b := range []byte("abc") {
				n.States[q].Edges = append(n.States[q].Edges, lang.Edge{Set: expr.Range(b, b), To: int32(rng.IntN(7))})
			}
		}
		n.States[6] = n.States[3]
		a, err := n.Determinize(lang.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		x := newEditedWord(a)
		for range 50 {
			w := word(rng.IntN(9))
			if !a.Match(w) {
				continue
			}
			x.set(w)
			i := rng.IntN(len(w) + 1)
			q := a.Run(0, word(i))
			want := a.Accepts(a.Run(q, w[i:]))
			if !want {
				rejected++
			}
			if got := x.accepts(wordPlace{int32(i), int32(q)}); got != want {
				t.Fatalf("%q from %d in state %d: %v", w, i, q, got)
			}
		}
	}
	if rejected < 100 {
		t.Errorf("only %d rests were rejected", rejected)
	}
}

// A set of pairs is what a map would be, in each round, and takes few slots for the states of one subset.
func TestMetPairs(t *testing.T) {
	type key struct{ node, state int32 }
	rng := rand.New(rand.NewPCG(1, 2))
	var m metPairs
	for range 20 {
		m.reset()
		met := map[key]bool{}
		for range 5000 {
			k := key{rng.Int32N(40), rng.Int32N(300)}
			if got := m.add(k.node, k.state); got == met[k] {
				t.Fatalf("adding %v: %v", k, got)
			}
			met[k] = true
		}
	}
	m = metPairs{}
	m.reset()
	const pairs = 1 << 16
	for i := range int32(pairs) {
		m.add(7, i)
	}
	if len(m.slots) > pairs/16 {
		t.Errorf("%d slots for %d pairs", len(m.slots), pairs)
	}
}

// A search is charged for what it keeps itself, and not for the memory of the one before.
func TestSearchSize(t *testing.T) {
	for _, pairs := range []int32{1 << 10, 1 << 20} {
		s := &search{subsets: &subsets{}, way: more}
		s.met.reset()
		for i := range pairs {
			s.met.add(i, 0)
		}
		if got := s.size(); got < 24*int64(pairs) {
			t.Errorf("%d bytes for %d pairs", got, pairs)
		}
		s.met.reset()
		if got := s.size(); got != 0 {
			t.Errorf("%d bytes before the first pair, after a search with %d", got, pairs)
		}
	}
}

// A list of pairs stays where it is when it grows, and its memory is used again.
func TestPairList(t *testing.T) {
	var l pairList
	for i := range int32(3*pairChunk + 5) {
		l.add(pair{node: i})
	}
	first := l.at(0)
	for i := range l.n {
		if l.at(i).node != int32(i) {
			t.Fatalf("pair %d is %v", i, *l.at(i))
		}
	}
	l = l.emptied()
	l.add(pair{node: -1})
	if l.at(0) != first || l.n != 1 || first.node != -1 {
		t.Errorf("%v at %p, want it at %p; %d pairs", *l.at(0), l.at(0), first, l.n)
	}
}
