package lang

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// readable lists the bytes in the order in which words prefer them: lowercase letters, digits, uppercase letters, the
// other visible ASCII characters with those of URLs first, the space, and then the bytes that cannot be read: controls
// and the bytes above ASCII.
var readable = func() (order [256]byte) {
	visible := "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" +
		`.-_/:@?#=&;,+%~!*'()$"<>[]{}|\^` + "` "
	n := copy(order[:], visible)
	for x := range 256 {
		if x < ' ' || x >= 0x7f {
			order[n] = byte(x)
			n++
		}
	}
	return order
}()

// rank is the inverse of readable.
var rank = func() (rank [256]uint8) {
	for i, x := range readable {
		rank[x] = uint8(i)
	}
	return rank
}()

// Compare orders words: the shorter one first; of two of the same length, the one with the more readable byte where
// they first differ. Every function of this package that chooses or lists words does so in this order.
func Compare(v, w string) int {
	if c := cmp.Compare(len(v), len(w)); c != 0 {
		return c
	}
	for i := 0; i < len(v); i++ {
		if c := cmp.Compare(rank[v[i]], rank[w[i]]); c != 0 {
			return c
		}
	}
	return 0
}

// MostReadable returns the one of members that comes first in the order of [Compare]. There must be a member.
func MostReadable(members []byte) byte {
	return slices.MinFunc(members, func(x, y byte) int { return cmp.Compare(rank[x], rank[y]) })
}

// InOrder lists the bytes of a set in the order of [Compare].
func InOrder(s expr.Set) []byte {
	return slices.DeleteFunc(slices.Clone(readable[:]), func(x byte) bool { return !s.Has(x) })
}

// Readable returns the byte of class c that comes first in the order of [Compare].
func (a *DFA) Readable(c int) byte {
	return readable[slices.IndexFunc(readable[:], func(x byte) bool { return int(a.class[x]) == c })]
}

// representatives returns each class's most readable byte.
func (a *DFA) representatives() []byte {
	rep := make([]byte, a.k)
	for i := 255; i >= 0; i-- {
		rep[a.class[readable[i]]] = readable[i]
	}
	return rep
}

// Letters returns the most readable byte of each class, in the order of [Compare].
func (a *DFA) Letters() []byte { return jointOrder([]*DFA{a}) }

// Preferred lists the classes in the order of their [DFA.Letters].
func (a *DFA) Preferred() []int {
	var order []int
	for _, x := range a.Letters() {
		order = append(order, int(a.class[x]))
	}
	return order
}

// Shortest returns the first word of a in the order of [Compare]; ok is false if a is empty.
func (a *DFA) Shortest() (w string, ok bool) { return a.ShortestFrom(0) }

// ShortestFrom returns the first word that is accepted from q, in the order of [Compare]; ok is false if q is dead.
// For many states use Endings.
func (a *DFA) ShortestFrom(q int) (w string, ok bool) { return a.Endings()(q) }

// ShortestOutside returns the first word of a, in the order of [Compare], that is in none of others; ok is false if
// there is none. It does not build the automaton of the difference.
func (a *DFA) ShortestOutside(others ...*DFA) (w string, ok bool) {
	outside := func(states []int32) bool {
		for j, b := range others {
			if b.accept[states[1+j]] {
				return false
			}
		}
		return a.accept[states[0]]
	}
	never := func(states []int32) bool { return states[0] == a.dead }
	return shortestWhere(append([]*DFA{a}, others...), outside, never)
}

// ShortestDifference returns the first word, in the order of [Compare], that is in a or in b, and not in both; ok is
// false if there is none. It does not build the automaton of the difference.
func (a *DFA) ShortestDifference(b *DFA) (w string, ok bool) {
	differ := func(states []int32) bool { return a.accept[states[0]] != b.accept[states[1]] }
	never := func(states []int32) bool { return states[0] == a.dead && states[1] == b.dead }
	return shortestWhere([]*DFA{a, b}, differ, never)
}

// shortestWhere returns the first word, in the order of [Compare], that leads the automata to states that are asked
// for; ok is false if there is none. It walks them side by side, breadth-first, and stops at the word. It does not go
// on where never says that no word does. The steps are those of the first automaton's budget.
func shortestWhere(all []*DFA, wanted, never func(states []int32) bool) (w string, ok bool) {
	order, budget := jointOrder(all), all[0].budget
	type step struct {
		from int32 // the index in steps of the one that it goes on from
		byte byte
	}
	n := len(all)
	states, steps := make([]int32, n), []step{{}} // by place: a state of each automaton, and how it was reached
	met := map[string]bool{string(appendStates(nil, states)): true}
	var key []byte
	for i := 0; i < len(steps); i++ {
		budget.Step(n * len(order))
		budget.Room(int64(len(steps)) * int64(8*n+64))
		if wanted(states[i*n : (i+1)*n]) {
			var back []byte
			for ; i > 0; i = int(steps[i].from) {
				back = append(back, steps[i].byte)
			}
			slices.Reverse(back)
			return string(back), true
		}
		for _, x := range order {
			at := len(states)
			for j, b := range all {
				states = append(states, int32(b.Next(int(states[i*n+j]), x)))
			}
			key = appendStates(key[:0], states[at:])
			if never(states[at:]) || met[string(key)] {
				states = states[:at]
				continue
			}
			met[string(key)] = true
			steps = append(steps, step{int32(i), x})
		}
	}
	return "", false
}

// jointOrder returns one byte of each class that automata tell apart together: the one that comes first in the order of
// [Compare], in that order.
func jointOrder(automata []*DFA) (order []byte) {
	met := map[string]bool{}
	for _, x := range readable {
		var classes []byte
		for _, a := range automata {
			classes = append(classes, a.class[x])
		}
		if !met[string(classes)] {
			met[string(classes)] = true
			order = append(order, x)
		}
	}
	return order
}

// appendStates appends the numbers of states to buf, as the key of a map.
func appendStates(buf []byte, states []int32) []byte {
	for _, q := range states {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(q))
	}
	return buf
}

// Endings returns a function that computes what ShortestFrom does, and does the work that is common to all states
// once. The function may be called by several goroutines.
func (a *DFA) Endings() func(q int) (w string, ok bool) {
	dist, order, rep := a.distances(), a.Preferred(), a.representatives()
	return func(q int) (string, bool) {
		if a.Dead(q) {
			return "", false
		}
		a.budget.Step(1 + int(dist[q])*(2+a.k/16))
		w := make([]byte, 0, dist[q])
		for dist[q] > 0 {
			for _, c := range order {
				if p := a.NextClass(q, c); dist[p] == dist[q]-1 {
					w, q = append(w, rep[c]), p
					break
				}
			}
		}
		return string(w), true
	}
}

// distances returns the length of a shortest word accepted from each state. For the dead state it returns a number
// that is larger than all lengths.
func (a *DFA) distances() []int32 {
	a.budget.Step(len(a.next) / 4)
	n := int32(len(a.accept))
	dist := make([]int32, n)
	var level []int32
	for q := range dist {
		dist[q] = 2 * n
		if a.accept[q] {
			dist[q] = 0
			level = append(level, int32(q))
		}
	}
	back := (&table{a.class, a.k, a.next, a.accept, a.budget}).inverse()
	for i := 0; i < len(level); i++ {
		for c := range a.k {
			for _, p := range back.of(c, level[i]) {
				if dist[p] > dist[level[i]]+1 {
					dist[p] = dist[level[i]] + 1
					level = append(level, p)
				}
			}
		}
	}
	return dist
}

// AccessWords returns for each state the first word in the order of [Compare] that leads to it.
func (a *DFA) AccessWords() []string { return a.accessWords(a.roomForWords()) }

// roomForWords returns a function that charges the budget for one more word that is kept, and returns the word.
func (a *DFA) roomForWords() func(w string) string {
	held := int64(0)
	return func(w string) string {
		held += 16 + int64(len(w))
		a.budget.Room(held)
		return w
	}
}

// accessWords is AccessWords with each word passed through keep, which may charge for it. It visits the states
// breadth first, and bytes in the order of [Compare].
func (a *DFA) accessWords(keep func(w string) string) []string {
	words := make([]string, len(a.accept))
	seen := make([]bool, len(a.accept))
	seen[0] = true
	order, rep := a.Preferred(), a.representatives()
	for level := []int{0}; len(level) > 0; level = level[1:] { // the states in the order of their words
		q := level[0]
		for _, c := range order {
			if p := a.NextClass(q, c); !seen[p] {
				seen[p] = true
				words[p] = keep(words[q] + string([]byte{rep[c]}))
				a.budget.Step(1 + len(words[p])/8)
				level = append(level, p)
			}
		}
	}
	return words
}

// TransitionCover returns words that together take every transition of a, those of the dead state included, in the
// order of [Compare] and each once:
//
//   - for every state q and class c, the word that first leads to q, followed by the most readable byte of c;
//   - where that leads to a live state, the same word followed by the first word that is accepted from there;
//   - the empty word.
//
// So each transition into a live state is tried both as it stands and carried to an accepted word, and each class that
// leads to the dead state is tried once after each state.
func (a *DFA) TransitionCover() []string {
	keep := a.roomForWords()
	access, ending, rep := a.accessWords(keep), a.Endings(), a.representatives()
	ends := make([]string, len(a.accept))
	for q := range ends {
		if w, ok := ending(q); ok {
			ends[q] = keep(w)
		}
	}
	cover := []string{""}
	for q, w := range access {
		for c := range a.k {
			v := w + string([]byte{rep[c]})
			a.budget.Step(1 + (2*len(v)+len(ends[a.NextClass(q, c)]))/8)
			cover = append(cover, keep(v))
			if p := a.NextClass(q, c); ends[p] != "" {
				cover = append(cover, keep(v+ends[p]))
			}
		}
	}
	slices.SortFunc(cover, Compare)
	return slices.Compact(cover)
}

// Enumerate yields the words of a that are at most maxLen bytes long, in the order of [Compare].
func (a *DFA) Enumerate(maxLen int) iter.Seq[string] {
	return func(yield func(string) bool) {
		can := [][]bool{a.accept} // can[n][q]: some word of length n is accepted from q
		w := make([]byte, 0, max(maxLen, 0))
		viable := make([][]byte, len(a.accept)) // by state, in their order; made where a word leads
		var walk func(q, n int) bool
		walk = func(q, n int) bool {
			if n == 0 {
				return yield(string(w))
			}
			if viable[q] == nil {
				viable[q] = InOrder(a.Viable(q))
			}
			for _, x := range viable[q] {
				if p := a.Next(q, x); can[n-1][p] {
					w = append(w, x)
					if !walk(p, n-1) {
						return false
					}
					w = w[:len(w)-1]
				}
			}
			return true
		}
		for n := 0; n <= maxLen; n++ {
			if can[n][0] && !walk(0, n) {
				return
			}
			can = append(can, a.statesBefore(can[n]))
		}
	}
}

// statesBefore returns, by state, whether some byte leads from it into the set.
func (a *DFA) statesBefore(set []bool) []bool {
	out := make([]bool, len(set))
	for q := range out {
		out[q] = slices.ContainsFunc(a.next[q*a.k:(q+1)*a.k], func(p int32) bool { return set[p] })
	}
	return out
}
