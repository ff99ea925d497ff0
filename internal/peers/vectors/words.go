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
type network struct {
	*lang.NFA
	endings map[string]int32 // the states from which exactly this word leads to the end
}

// maxNetwork caps the states of a network.
const maxNetwork = 1 << 22

// newNetwork returns a network without words.
func newNetwork(b *budget.Budget) *network {
	return &network{lang.NewNFA(b), map[string]int32{}}
}

// addWord adds a path that reads w, from a state to the end. Words that end alike share the path of their common
// ending. So each word of a bounded repetition, which has as many words as its maximum, takes only one more state. The
// automaton that is made of the network then meets the same sets of states after words that leave the same to read.
func (n *network) addWord(from int32, w string) {
	shared := 0 // where the longest known ending of w begins
	for ; shared < len(w); shared++ {
		if _, ok := n.endings[w[shared:]]; ok {
			break
		}
	}
	to := n.Final
	if shared < len(w) {
		to = n.endings[w[shared:]]
	}
	for i := shared - 1; i >= 0; i-- {
		q := n.addState()
		n.Read(q, singleByte(w[i]), to)
		n.endings[w[i:]] = q
		to = q
	}
	n.Silent(from, to)
}

// addAccessTree makes n begin with the words that first lead to each state of a, and returns, by state of a, where they
// lead.
func (n *network) addAccessTree(a *lang.DFA) []int32 {
	tree := make([]int32, a.States())
	for q := range tree {
		tree[q] = n.addState()
	}
	for q, w := range a.AccessWords() {
		if w == "" {
			n.Start = tree[q]
		} else {
			parent := a.Run(0, w[:len(w)-1])
			n.Read(tree[parent], singleByte(w[len(w)-1]), tree[q])
		}
	}
	return tree
}

// addState adds a state. With maxNetwork states it panics, as where a budget is used up.
func (n *network) addState() int32 {
	n.Budget.Step(2)
	if len(n.States) >= maxNetwork {
		panic(budget.Stopped(lang.TooMany(maxNetwork, "states in the automaton of a suite")))
	}
	return n.State()
}

// finish returns the words, none of which may be longer than longest. It fails if a limit is passed.
func (n *network) finish(longest int) (*Words, error) {
	dfa, err := n.Determinize(lang.Limits{DFA: 1 << 20})
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
