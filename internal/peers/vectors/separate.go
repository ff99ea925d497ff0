package vectors

import (
	"math/bits"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
)

// separators holds, for one automaton, words that together separate any two states. A word separates two states if it
// is accepted from just one of them.
type separators struct {
	a      *lang.DFA
	ending func(q int) (w string, ok bool) // what [lang.DFA.Endings] returned
	words  []string                        // in the order of lang.Compare; the empty word is the first
	from   []states                        // from[i]: the states from which words[i] is accepted
}

// chargeLook charges the budget for splitting this many sets of states by each of the words.
func (s *separators) chargeLook(sets int) {
	s.a.Budget().Step(sets * len(s.words) * (4 + s.a.States()/512))
}

// newSeparators finds the words. They include, for each pair of states, the first word in the order of lang.Compare
// that separates the pair, and for each live state the first word that is accepted from it. The latter are often
// accepted from many states, so few of them separate the dead state from all others.
func newSeparators(a *lang.DFA) *separators {
	s := &separators{a: a, ending: a.Endings(), words: separatingWords(a)}
	for q := range a.States() {
		if w, ok := s.ending(q); ok {
			s.words = append(s.words, w)
		}
	}
	slices.SortFunc(s.words, lang.Compare)
	s.words = slices.Compact(s.words)
	// A word is accepted from the states whose successors by its first byte accept the rest of it, and the rest is a word
	// of the list itself.
	index := make(map[string]int, len(s.words))
	for i, w := range s.words {
		a.Budget().Step(a.States() / 4)
		from := newStates(a.States())
		for q := range a.States() {
			if w == "" && a.Accepts(q) || w != "" && s.from[index[w[1:]]].has(a.Next(q, w[0])) {
				from.add(q)
			}
		}
		s.from = append(s.from, from)
		index[w] = i
	}
	return s
}

// separatingWords returns the words that separate the pairs of states of a, which must be minimal: for each pair the
// first such word in the order of lang.Compare, each word once, and in no order. It is Moore's refinement
// ("Gedanken-Experiments on Sequential Machines", 1956), pair by pair: round i finds the pairs that need a word of
// length i. These lead by one byte to pairs of the round before, so that each round goes backward from those, and all
// together look once at each pair and class. The rest of a word without its first byte is a word, too.
func separatingWords(a *lang.DFA) []string {
	n := a.States()
	a.Budget().Room(12 * int64(n) * int64(n))
	classes := a.Preferred()
	before := make([][][]int32, a.Classes()) // by class and state: the states that lead there
	for _, c := range classes {
		before[c] = make([][]int32, n)
		for q := range n {
			to := a.NextClass(q, c)
			before[c][to] = append(before[c][to], int32(q))
		}
	}
	words := []string{""}
	type letterAndRest struct {
		class int
		rest  int32
	}
	index := map[letterAndRest]int32{}
	const open = -1
	wordOf := slices.Repeat([]int32{open}, n*n) // by pair: the index of its word
	place := func(p, q int32) int { return int(min(p, q))*n + int(max(p, q)) }
	var last [][2]int32
	for p := range int32(n) {
		for q := p + 1; q < int32(n); q++ {
			if a.Accepts(int(p)) != a.Accepts(int(q)) {
				wordOf[place(p, q)] = 0
				last = append(last, [2]int32{p, q})
			}
		}
	}
	a.Budget().Step(n * n / 8)
	for len(last) > 0 {
		var next [][2]int32
		// Classes go in order: the first that leads to a pair of the round before begins the first word.
		for _, c := range classes {
			steps := len(last)
			for _, pair := range last {
				key := letterAndRest{c, wordOf[place(pair[0], pair[1])]}
				steps += len(before[c][pair[0]]) * len(before[c][pair[1]])
				for _, p := range before[c][pair[0]] {
					for _, q := range before[c][pair[1]] {
						at := place(p, q)
						if wordOf[at] != open {
							continue
						}
						i, ok := index[key]
						if !ok {
							i = int32(len(words))
							index[key] = i
							words = append(words, string([]byte{a.Readable(c)})+words[key.rest])
						}
						wordOf[at] = i
						next = append(next, [2]int32{p, q})
					}
				}
			}
			a.Budget().Step(steps / 8)
		}
		last = next
	}
	return words
}

// characterizingSet returns a characterization set W: any two states are separated by one of its words. It is small
// but perhaps not the smallest: each step takes the word that separates the most blocks.
func (s *separators) characterizingSet() []string {
	blocks := []states{fullStates(s.a.States())}
	var set []string
	for next := 0; ; { // words[0] is the empty one
		set = append(set, s.words[next])
		blocks = splitBlocks(blocks, s.from[next])
		best := len(blocks)
		s.chargeLook(best)
		for i, from := range s.from {
			if n := len(splitBlocks(blocks, from)); n > best {
				best, next = n, i
			}
		}
		if best == len(blocks) {
			slices.SortFunc(set, lang.Compare)
			return set
		}
	}
}

// identifyingSets returns, for each state q, a set that separates q from every other state: the W_q of the method Wp.
// Each has the empty word; the others are chosen as wordsSeparating does.
func (s *separators) identifyingSets() [][]string {
	n := s.a.States()
	used := make([]bool, len(s.words))
	sets := make([][]string, n)
	for q := range n {
		sets[q] = s.wordsSeparating(q, fullStates(n), []int{0}, used) // words[0] is the empty one
	}
	return sets
}

// wordsSeparating returns words, in the order of lang.Compare, that separate q from every other state in others. It
// takes those at the indexes in first, and then greedily the word that separates q from the most states left; among
// equals the first one in use, if there is any. It marks the words that it takes in used. If it takes none, it
// returns the first word that is accepted from q, which shows more than a rejected one, or the empty word if q is dead.
func (s *separators) wordsSeparating(q int, others states, first []int, used []bool) []string {
	var set []string
	left := slices.Clone(others)
	left.remove(q)
	take := func(i int) {
		set = append(set, s.words[i])
		used[i] = true
		left = left.intersectOrMinus(s.from[i], s.from[i].has(q))
	}
	for _, i := range first {
		take(i)
	}
	for left.len() > 0 { // some word separates q from each state left, so this ends
		most, next := 0, 0
		s.chargeLook(1)
		for i, from := range s.from {
			gain := left.len() - left.intersectOrMinus(from, from.has(q)).len()
			if gain > most || gain == most && used[i] && !used[next] {
				most, next = gain, i
			}
		}
		take(next)
	}
	if len(set) == 0 {
		w, _ := s.ending(q)
		set = append(set, w)
	}
	slices.SortFunc(set, lang.Compare)
	return set
}

// harmonizedSets returns, for each state q, a set H_q such that any two states are separated by a word that is in
// both their sets, as HSI needs them. H_q has the words on the way from the root of a splitting tree to q. A node of
// the tree is a set of states, and its word splits the set. The word of the root is the empty one.
func (s *separators) harmonizedSets() [][]string {
	sets := make([][]string, s.a.States())
	type node struct {
		block states
		way   []string
	}
	var todo []node
	add := func(block states, word int, way []string) {
		for _, part := range splitBlocks([]states{block}, s.from[word]) {
			todo = append(todo, node{part, way})
		}
	}
	add(fullStates(s.a.States()), 0, []string{""}) // the root, whose word is the first, the empty one
	for len(todo) > 0 {
		top := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		// Choose the word that splits the block most evenly.
		next, best := 0, 0 // the word, and the size of its smaller part
		s.chargeLook(1)
		for i, from := range s.from {
			in := top.block.intersectOrMinus(from, false).len()
			if even := min(in, top.block.len()-in); even > best {
				next, best = i, even
			}
		}
		if best > 0 {
			add(top.block, next, append(slices.Clip(top.way), s.words[next]))
			continue
		}
		// No word splits the block, so the way is complete.
		for q := range sets {
			if top.block.has(q) {
				sets[q] = slices.Clone(top.way)
				slices.SortFunc(sets[q], lang.Compare)
			}
		}
	}
	return sets
}

// unionOfWords returns the words of all sets, each once and in the order of lang.Compare.
func unionOfWords(sets [][]string) []string {
	all := slices.Concat(sets...)
	slices.SortFunc(all, lang.Compare)
	return slices.Compact(all)
}

// states is a set of states.
type states []uint64

// newStates returns an empty set that has room for n states.
func newStates(n int) states { return make(states, (n+63)/64) }

// fullStates returns the set of all n states.
func fullStates(n int) states {
	s := newStates(n)
	for q := range n {
		s.add(q)
	}
	return s
}

// add adds a state to the set.
func (s states) add(q int) { s[q/64] |= 1 << (q % 64) }

// remove removes a state from the set.
func (s states) remove(q int) { s[q/64] &^= 1 << (q % 64) }

// has reports whether a state is in the set.
func (s states) has(q int) bool { return s[q/64]>>(q%64)&1 == 1 }

// len returns the number of states in the set.
func (s states) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// intersectOrMinus returns the states of s that are in t or, if in is false, those that are not.
func (s states) intersectOrMinus(t states, in bool) states {
	r := make(states, len(s))
	for i := range s {
		if in {
			r[i] = s[i] & t[i]
		} else {
			r[i] = s[i] &^ t[i]
		}
	}
	return r
}

// splitBlocks splits each block into the states that are not in t and those that are, in this order. Empty parts are
// dropped.
func splitBlocks(blocks []states, t states) []states {
	var out []states
	for _, b := range blocks {
		for _, in := range []bool{false, true} {
			if part := b.intersectOrMinus(t, in); part.len() > 0 {
				out = append(out, part)
			}
		}
	}
	return out
}
