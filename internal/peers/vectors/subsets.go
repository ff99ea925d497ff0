package vectors

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A subsets is the deterministic automaton of a marked one, by the subset construction. Its states keep the states
// that they stand for. It is shared by all searches for mutants, which change the fields at the end. In its methods a
// node is the number of a subset.
type subsets struct {
	*marked
	class   [256]uint8
	sets    []expr.Set // by class
	letters []byte     // the most readable byte of each class, in the order of lang.Compare
	column  []int      // by class: its place in letters
	nodes   []subset
	index   map[string]int32
	inNodes [][]int32 // by state: the subsets that hold it
	seen    []int32   // by state: the last round of close that met it
	round   int32
	columns [][][]uint8 // by state and edge: the places in letters of the bytes that it reads
	fanned  [][]int32
	closed  []int32
	after   []int32

	// Memory of the last search, for the next one.
	pairs    pairList
	kernels  []int32
	met      metPairs      // more: subsets with a state
	smallest pairsBySubset // less: the pairs

	// The mutant at hand: see setMutant.
	flippedGates []bool // the gates that it flips
	changedTerms []bool // the terms that it changes
	changedBytes expr.Set
	gains        bool

	steps int   // the steps left, for all mutants together
	bytes int64 // what one search may keep
}

type subset struct {
	kernel, closure []int32
	accept          bool
	next            []int32 // by place in letters
	word            string  // the first word that leads here
}

// newSubsets makes the marked automaton deterministic, with all gates as in the grammar. It fails with an error that
// wraps [lang.ErrTooLarge] if there are more than most subsets or the steps are used up. The steps that are left are
// for the mutants; bytes is how much each search for one may keep.
func newSubsets(m *marked, most, steps int, bytes int64) (*subsets, error) {
	x := &subsets{
		marked: m, steps: steps, bytes: bytes, index: map[string]int32{}, seen: make([]int32, len(m.arcs)),
		flippedGates: make([]bool, len(m.gates)), changedTerms: make([]bool, len(m.terms)),
	}
	p := expr.NewPartition()
	for _, edges := range m.edges {
		for _, e := range edges {
			p.Split(e.set)
		}
	}
	x.class = p.Class
	x.sets = p.Sets()
	x.column = make([]int, len(x.sets))
	for _, s := range x.sets {
		x.letters = append(x.letters, mostReadable(s))
	}
	slices.SortFunc(x.letters, byReadability)
	for i, b := range x.letters {
		x.column[x.class[b]] = i
	}
	// The letters that each edge reads; equal sets share their list.
	x.fanned = make([][]int32, len(x.letters))
	of := map[expr.Set][]uint8{}
	for _, edges := range m.edges {
		list := make([][]uint8, len(edges))
		for i, e := range edges {
			if of[e.set] == nil {
				for c, b := range x.letters {
					if e.set.Has(b) {
						of[e.set] = append(of[e.set], uint8(c))
					}
				}
			}
			list[i] = of[e.set]
		}
		x.columns = append(x.columns, list)
	}
	x.nodes = append(x.nodes, subset{kernel: []int32{0}})
	x.index[kernelKey(x.nodes[0].kernel)] = 0
	for i := 0; i < len(x.nodes); i++ {
		if i > most {
			return nil, lang.TooMany(most, "sets of states in the automaton of all mutants")
		}
		if x.steps < 0 {
			return nil, fmt.Errorf("%w: the automaton of all mutants has too many states at a time; "+
				"--limit-steps raises the limit", lang.ErrTooLarge)
		}
		n := &x.nodes[i]
		n.closure, n.accept = x.closureOf(n.kernel)
		n.closure = slices.Clone(n.closure)
		next := make([]int32, len(x.letters))
		for c, b := range x.letters {
			next[c] = x.intern(x.kernelAfter(n.closure, b), x.nodes[i].word, b)
		}
		x.nodes[i].next = next
	}
	x.inNodes = make([][]int32, len(m.arcs))
	for i, n := range x.nodes {
		for _, q := range n.closure {
			x.inNodes[q] = append(x.inNodes[q], int32(i))
		}
	}
	return x, nil
}

// byReadability compares bytes by their order in [lang.Compare], the most readable first.
func byReadability(a, b byte) int { return lang.Compare(string([]byte{a}), string([]byte{b})) }

// mostReadable returns the most readable member of s.
func mostReadable(s expr.Set) byte { return lang.MostReadable(s.Members()) }

// intern returns the number of the subset with this kernel. A new one is added, with a copy of the kernel; word
// followed by b is then the first word that leads to it.
func (x *subsets) intern(kernel []int32, word string, b byte) int32 {
	k := kernelKey(kernel)
	i, ok := x.index[k]
	if !ok {
		i = int32(len(x.nodes))
		x.index[k] = i
		x.nodes = append(x.nodes, subset{kernel: slices.Clone(kernel), word: word + string([]byte{b})})
	}
	return i
}

// subsetAfter returns the subset that a byte leads to from another.
func (x *subsets) subsetAfter(node int32, b byte) int32 {
	return x.nodes[node].next[x.column[x.class[b]]]
}

// closureOf returns the states that the mutant at hand can enter from kernel without a byte, and whether the final
// state is among them. The next call overwrites the closure. It takes steps from x.steps; the caller checks whether
// any are left.
func (x *subsets) closureOf(kernel []int32) (closure []int32, accept bool) {
	x.round++
	closure = x.closed[:0]
	for _, q := range kernel {
		if x.seen[q] != x.round {
			x.seen[q] = x.round
			closure = append(closure, q)
		}
	}
	for i := 0; i < len(closure); i++ {
		q := closure[i]
		accept = accept || q == x.final
		for _, a := range x.arcs[q] {
			if (a.gate < 0 || x.gates[a.gate].open != x.flippedGates[a.gate]) && x.seen[a.to] != x.round {
				x.seen[a.to] = x.round
				closure = append(closure, a.to)
			}
		}
	}
	x.steps -= len(closure)
	x.closed = closure
	return closure, accept
}

// kernelAfter returns the states that follow a closure by a byte, in the mutant at hand. The next call overwrites
// them. It takes steps as closureOf does.
func (x *subsets) kernelAfter(closure []int32, b byte) []int32 {
	to := x.after[:0]
	for _, q := range closure {
		for i := range x.edges[q] {
			e := &x.edges[q][i]
			has := e.set.Has(b)
			if e.term >= 0 && x.changedTerms[e.term] && x.changedBytes.Has(b) {
				has = x.gains
			}
			if has {
				to = append(to, e.to)
			}
		}
	}
	x.steps -= len(closure)
	x.after = to
	slices.Sort(to)
	return slices.Compact(to)
}

// kernelsByLetter returns, for each place in letters, the states that the edges of a closure lead to in the mutant at
// hand, unsorted, some perhaps twice. The next call overwrites them. It takes steps as closureOf does.
func (x *subsets) kernelsByLetter(closure []int32) [][]int32 {
	for c := range x.fanned {
		x.fanned[c] = x.fanned[c][:0]
	}
	for _, q := range closure {
		for i := range x.edges[q] {
			e := &x.edges[q][i]
			// The letters of the edge in the grammar, without those that the mutant loses; and those that it gains.
			changed := e.term >= 0 && x.changedTerms[e.term]
			loses := changed && !x.gains
			for _, c := range x.columns[q][i] {
				if !loses || !x.changedBytes.Has(x.letters[c]) {
					x.fanned[c] = append(x.fanned[c], e.to)
				}
			}
			if changed && x.gains {
				for c, b := range x.letters {
					if x.changedBytes.Has(b) {
						x.fanned[c] = append(x.fanned[c], e.to)
					}
				}
			}
		}
	}
	x.steps -= len(closure)
	return x.fanned
}

// mutantAccepts reports whether the mutant at hand accepts w. It takes steps, and goes on even if none are left.
func (x *subsets) mutantAccepts(w string) bool {
	closure, accept := x.closureOf([]int32{0})
	for i := range len(w) {
		closure, accept = x.closureOf(x.kernelAfter(closure, w[i]))
	}
	return accept
}

// setMutant makes a mutant the one at hand: gates are flipped, and terms gain the bytes of by if add is set, or lose
// them. The caller calls restore before the next mutant.
func (x *subsets) setMutant(gates, terms []int32, by expr.Set, add bool) (restore func()) {
	for _, g := range gates {
		x.flippedGates[g] = true
	}
	for _, t := range terms {
		x.changedTerms[t] = true
	}
	x.changedBytes, x.gains = by, add
	return func() {
		for _, g := range gates {
			x.flippedGates[g] = false
		}
		for _, t := range terms {
			x.changedTerms[t] = false
		}
	}
}

// A direction is one of the two ways in which a mutant can differ from the grammar: it accepts a word more, or one
// less.
type direction bool

const (
	more direction = true
	less direction = false
)

// distinguish returns a shortest word that exactly one of the mutant at hand and the grammar accepts: if gains is
// set, one that only the mutant accepts; if losses is set, one that only the grammar accepts. ok is false if there is
// none; if decided is false too, the steps were not enough. decided is true whenever ok is: then the steps may have run
// out in one of the two directions, and a shorter word be missed there. whole is for a mutant that both loses and gains
// words: see [search]. gates and terms are those that the mutant changes, as given to setMutant. The search may take so
// many of x.steps, and leaves the rest.
func (x *subsets) distinguish(gates, terms []int32, gains, losses, whole bool, steps int) (w string, ok, decided bool) {
	rest := x.steps - steps
	x.steps = steps
	defer func() { x.steps += rest }()
	starts, letters := x.partingSubsets(gates, terms)
	if whole {
		starts = []int32{0}
	}
	decided = true
	for _, d := range []direction{more, less} {
		if d == more && !gains || d == less && !losses {
			continue
		}
		x.met.reset()
		x.smallest.reset(len(x.nodes))
		s := &search{subsets: x, way: d, whole: whole, letters: letters, pairs: x.pairs.emptied(),
			kernels: x.kernels[:0]}
		v, found, done := s.run(starts, whole || len(gates) > 0, func(length int) bool { return ok && length > len(w) })
		x.pairs, x.kernels = s.pairs, s.kernels
		decided = decided && done
		if found && (!ok || lang.Compare(v, w) < 0) {
			w, ok = v, true
		}
	}
	return w, ok, decided || ok
}

// partingSubsets returns the subsets after which the mutant and the grammar can part, shortest word first, and the
// bytes to read: one for each class and, if a byte of a class is lost or gained, that byte and another one of its
// class. A mutant with changed terms must change exactly one byte.
func (x *subsets) partingSubsets(gates, terms []int32) (starts []int32, letters []byte) {
	for _, g := range gates {
		for _, q := range x.gates[g].from {
			starts = append(starts, x.inNodes[q]...)
		}
	}
	for _, t := range terms {
		for _, q := range x.terms[t].from {
			starts = append(starts, x.inNodes[q]...)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	letters = x.letters
	if len(terms) > 0 {
		b := x.changedBytes.Members()[0]
		if rest := x.sets[x.class[b]].Minus(x.changedBytes); x.letters[x.column[x.class[b]]] != b {
			letters = append(slices.Clone(letters), b)
		} else if !rest.IsEmpty() { // the other bytes of the class are still read alike
			letters = append(slices.Clone(letters), mostReadable(rest))
		}
	}
	return starts, letters
}

// A search looks for a shortest word on which a mutant differs in one way. It goes, breadth first, through pairs of a
// subset of the grammar's automaton and the states that the mutant reaches on the same word instead.
//
// The two can only part after a state that is changed. So the search begins at the subsets with such a state, as if
// the mutant had reached all of it. For a mutant that only loses or only gains words that is exact. A mutant that
// does both may have lost the words that lead to the subset, and then the word that is found does not kill it.
// [hunt.killingWord] tries each word, and has such a mutant searched from the beginning, whole.
//
// Without pruning there are exponentially many pairs, as in *61( a / "-" ) *( "." ... ) with "-" for "." too: each
// "-" may end a label. Two prunings keep them few.
//
//   - If a mutant may accept more, the search is for one state: a state that is among the grammar's there, or that was
//     reached before together with this subset, leads to nothing new. So there are at most as many pairs as subsets
//     times states.
//   - If a mutant may accept less, the search is for a set of states from which a word is rejected. A set that includes
//     another one which was met with this subset rejects no more (De Wulf, Doyen, Henzinger, Raskin, "Antichains: A New
//     Algorithm for Checking Universality of Finite Automata", 2006).
type search struct {
	*subsets
	way     direction
	whole   bool // it begins with the empty word, and keeps pairs in which nothing has changed yet
	letters []byte
	pairs   pairList
	kernels []int32 // of all pairs
}

// A pair is a subset, and the states that the mutant reaches on the same word instead: kernels[from:to]. The word is
// that of the pair up, followed by the byte read; if up is negative, that of the subset -1-up, followed by the byte.
type pair struct{ node, up, from, to, read int32 }

// kernelOf returns the states of a pair.
func (s *search) kernelOf(p *pair) []int32 { return s.kernels[p.from:p.to] }

// A pairList is a list of pairs. A search can have millions of them, and so they stay where they are when the list
// grows: a slice would need the memory twice.
type pairList struct {
	chunks [][]pair // each of pairChunk pairs
	n      int
}

const pairChunk = 1 << 12

// emptied returns a list without pairs that uses the memory of l.
func (l *pairList) emptied() pairList { return pairList{chunks: l.chunks} }

// at returns the pair with a number.
func (l *pairList) at(i int) *pair { return &l.chunks[i/pairChunk][i%pairChunk] }

// add appends a pair.
func (l *pairList) add(p pair) {
	if l.n == len(l.chunks)*pairChunk {
		l.chunks = append(l.chunks, make([]pair, pairChunk))
	}
	l.n++
	*l.at(l.n - 1) = p
}

// run searches from all starts, shortest word first, for a word that the mutant gets wrong in the way s.way. starts
// are in the order of the lengths of their words. changed tells that the mutant may differ at a start before it reads
// another byte. run gives up without a word at a length for which enough returns true, and counts as done. done is
// false if the steps were used up, or the search kept too much.
func (s *search) run(starts []int32, changed bool, enough func(length int) bool) (w string, ok, done bool) {
	next := 0
	for length := 0; (len(starts) > 0 || next < s.pairs.n) && !enough(length); length++ {
		// The pairs with words of this length, and then the starts with such words.
		for end := s.pairs.n; next < end; next++ {
			if s.steps < 0 || s.size() > s.bytes {
				return "", false, false
			}
			p := s.pairs.at(next)
			closure, accept := s.closureOf(s.kernelOf(p))
			if accept == bool(s.way) && accept != s.nodes[p.node].accept {
				return s.wordOf(int32(next)), true, true
			}
			s.addPairs(p.node, int32(next), closure, s.letters)
		}
		for ; len(starts) > 0 && len(s.nodes[starts[0]].word) == length; starts = starts[1:] {
			if s.steps < 0 {
				return "", false, false
			}
			n := &s.nodes[starts[0]]
			if !changed { // the two can part only by a byte that is gained or lost
				s.addPairs(starts[0], -1-starts[0], n.closure, s.changedBytes.Members())
				continue
			}
			closure, accept := s.closureOf(n.kernel)
			if accept == bool(s.way) && accept != n.accept {
				return n.word, true, true
			}
			s.addPairs(starts[0], -1-starts[0], closure, s.letters)
		}
	}
	return "", false, true
}

// size returns how many bytes the search keeps. What an earlier search has left behind does not count.
func (s *search) size() int64 {
	const perPair, perState, perSlot, perListed = 20, 4, 24, 8
	size := perPair*int64(s.pairs.n) + perState*int64(len(s.kernels))
	if s.way == less {
		return size + perListed*int64(s.pairs.n) // each pair is in the list of its subset, which may be half empty
	}
	return size + perSlot*int64(s.met.slotsOfRound())
}

// addPairs adds the pairs that letters lead to from a subset and the states that the mutant reaches instead. up is
// the pair before, as in [pair].
func (s *search) addPairs(node, up int32, closure []int32, letters []byte) {
	var fan [][]int32
	if len(letters) > 1 {
		fan = s.kernelsByLetter(closure)
	}
	next := s.nodes[node].next
	for i, b := range letters {
		var kernel []int32
		to := next[s.column[s.class[b]]]
		if i < len(fan) {
			slices.Sort(fan[i])
			kernel = slices.Compact(fan[i])
		} else {
			kernel = s.kernelAfter(closure, b)
		}
		if !s.whole && slices.Equal(kernel, s.nodes[to].kernel) { // the mutant is where the grammar is again
			continue
		}
		if s.way == more {
			kernel = s.dropMet(to, kernel)
		}
		if s.way == more && len(kernel) == 0 || s.way == less && s.isCovered(to, kernel) {
			continue
		}
		if s.way == less {
			s.smallest.add(to, int32(s.pairs.n))
		}
		s.pairs.add(pair{to, up, int32(len(s.kernels)), int32(len(s.kernels) + len(kernel)), int32(b)})
		s.kernels = append(s.kernels, kernel...)
	}
}

// dropMet removes from a sorted kernel, in place, the states that have been met with this subset and, unless s.whole
// is set, those that the grammar is in as well. It enters the others as met, and returns them.
func (s *search) dropMet(node int32, kernel []int32) []int32 {
	var grammars []int32
	if !s.whole {
		grammars = s.nodes[node].kernel
	}
	left := kernel[:0]
	for _, q := range kernel {
		for len(grammars) > 0 && grammars[0] < q {
			grammars = grammars[1:]
		}
		if len(grammars) > 0 && grammars[0] == q {
			continue
		}
		if s.met.add(node, q) {
			left = append(left, q)
		}
	}
	return left
}

// isCovered reports whether a kernel includes one that was met with this subset, and so can be dropped. Unless the
// search is whole, the grammar's own kernel counts as met. It takes steps.
func (s *search) isCovered(node int32, kernel []int32) bool {
	if !s.whole && includesAll(kernel, s.nodes[node].kernel) {
		return true
	}
	for _, p := range s.smallest.pairsOf(node) {
		s.steps -= 1 + len(kernel)/4
		if includesAll(kernel, s.kernelOf(s.pairs.at(int(p)))) {
			return true
		}
	}
	return false
}

// includesAll reports whether a has all of b; both are in ascending order.
func includesAll(a, b []int32) bool {
	if len(a) < len(b) {
		return false
	}
	for _, q := range b {
		for len(a) > 0 && a[0] < q {
			a = a[1:]
		}
		if len(a) == 0 || a[0] != q {
			return false
		}
	}
	return true
}

// wordOf returns the word that leads to the pair with a number.
func (s *search) wordOf(p int32) string {
	var read []byte
	for ; p >= 0; p = s.pairs.at(int(p)).up {
		read = append(read, byte(s.pairs.at(int(p)).read))
	}
	slices.Reverse(read)
	return s.nodes[-1-p].word + string(read)
}

// A metPairs is a set of pairs of a subset and a state. Thousands of searches follow each other, most of them short, so
// it is emptied by beginning a new round: a slot of an earlier round is free. A slot has the pairs of one subset and of
// 64 states in a row, since a search through counts meets most of them.
type metPairs struct {
	slots []metSlot // open addressing; their number is a power of two
	round uint32
	used  int // in this round
}

type metSlot struct {
	states      uint64 // as bits
	node, block int32  // the states begin at 64 times block
	round       uint32
}

// keptSlots caps the slots that are kept for the next round, so that a large search leaves no more behind than most
// need.
const keptSlots = 1 << 18

// reset empties the set.
func (m *metPairs) reset() {
	m.used = 0
	if len(m.slots) > keptSlots {
		m.slots = nil
	}
	if m.round++; m.round == 0 { // the number has wrapped around, and old slots must not come back
		clear(m.slots)
		m.round++
	}
}

// slotsOfRound returns how many slots there would be without those that only earlier rounds needed.
func (m *metPairs) slotsOfRound() int { return min(len(m.slots), 4*m.used) }

// add adds a pair, and reports whether it is new.
func (m *metPairs) add(node, state int32) bool {
	if 2*m.used >= len(m.slots) {
		m.grow()
	}
	block, bit := state/64, uint64(1)<<(state%64)
	slot := m.find(node, block)
	switch {
	case slot.round != m.round:
		*slot = metSlot{bit, node, block, m.round}
		m.used++
	case slot.states&bit != 0:
		return false
	default:
		slot.states |= bit
	}
	return true
}

// find returns the slot of a subset and a block of states, or the free slot to put them in. There must be slots, and
// one of them free.
func (m *metPairs) find(node, block int32) *metSlot {
	const golden = 0x9e3779b97f4a7c15 // Fibonacci hashing: D. E. Knuth, The Art of Computer Programming, 6.4
	last := uint64(len(m.slots) - 1)
	for at := (uint64(uint32(node))<<32 | uint64(uint32(block))) * golden >> 32; ; at++ {
		slot := &m.slots[at&last]
		if slot.round != m.round || slot.node == node && slot.block == block {
			return slot
		}
	}
}

// grow doubles the slots, or makes the first 256. Only those of this round are kept.
func (m *metPairs) grow() {
	old := m.slots
	m.slots = make([]metSlot, max(256, 2*len(old)))
	for i := range old {
		if old[i].round == m.round {
			*m.find(old[i].node, old[i].block) = old[i]
		}
	}
}

// A pairsBySubset lists the pairs of a search by their subsets. It is emptied like a [metPairs].
type pairsBySubset struct {
	lists  [][]int32
	rounds []uint32 // the round in which each list was begun
	round  uint32
}

// reset empties all lists, and makes room for a number of subsets.
func (p *pairsBySubset) reset(subsets int) {
	if len(p.lists) < subsets {
		*p = pairsBySubset{lists: make([][]int32, subsets), rounds: make([]uint32, subsets)}
	}
	if p.round++; p.round == 0 {
		clear(p.rounds)
		p.round++
	}
}

// pairsOf returns the pairs of a subset in the order in which they were added.
func (p *pairsBySubset) pairsOf(node int32) []int32 {
	if p.rounds[node] != p.round {
		return nil
	}
	return p.lists[node]
}

// add adds a pair to the list of a subset, for which reset must have made room.
func (p *pairsBySubset) add(node, pair int32) {
	if p.rounds[node] != p.round {
		p.rounds[node] = p.round
		p.lists[node] = p.lists[node][:0]
	}
	p.lists[node] = append(p.lists[node], pair)
}
