package vectors

import (
	"iter"
	"math/big"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Words is a finite set of words, kept as the automaton that accepts exactly them.
type Words struct {
	dfa     *lang.DFA
	longest int // no word is longer
}

// All yields the words, each once, in the order of [lang.Compare].
func (w *Words) All() iter.Seq[string] { return w.dfa.Enumerate(w.longest) }

// Has reports whether v is among the words.
func (w *Words) Has(v string) bool { return w.dfa.Match(v) }

// Size returns the number of words and of their bytes, exactly, without going through them.
func (w *Words) Size() (words, bytes *big.Int) {
	words, bytes = new(big.Int), new(big.Int)
	for n, count := range w.dfa.Counts(w.longest) {
		words.Add(words, count)
		bytes.Add(bytes, new(big.Int).Mul(count, big.NewInt(int64(n))))
	}
	return words, bytes
}

// A network is the automaton of Words under construction.
type network struct{ *lang.NFA }

// newNetwork returns a network without words.
func newNetwork(b *budget.Budget) *network { return &network{lang.NewNFA(b)} }

// addWord adds a path that reads w, from a state to the end.
func (n *network) addWord(from int32, w string) {
	for i := range len(w) {
		to := n.State()
		n.Read(from, singleByte(w[i]), to)
		from = to
	}
	n.Silent(from, n.Final)
}

// finish returns the words, none of which may be longer than longest. It fails if a limit is passed.
func (n *network) finish(longest int) (*Words, error) {
	dfa, err := n.Determinize(lang.Limits{NFA: 1 << 22, DFA: 1 << 20})
	if err != nil {
		return nil, err
	}
	return &Words{dfa, longest}, nil
}

// lettersOf returns, for each class of a, the bytes that stand for it in a suite: its most readable one or, if
// everyByte is set, all of it.
func lettersOf(a *lang.DFA, everyByte bool) []expr.Set {
	sets := make([]expr.Set, a.Classes())
	for c := range sets {
		if everyByte {
			sets[c] = a.ClassSet(c)
		} else {
			sets[c] = singleByte(a.Readable(c))
		}
	}
	return sets
}

// singleByte returns the set of one byte.
func singleByte(x byte) expr.Set { return expr.Range(x, x) }

// longestLength returns the length of the longest word.
func longestLength(words []string) (n int) {
	for _, w := range words {
		n = max(n, len(w))
	}
	return n
}
