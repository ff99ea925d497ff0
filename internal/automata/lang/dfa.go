package lang

import (
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A DFA is the minimal complete deterministic automaton of a language over bytes.
//
// Two bytes share a class exactly if no state tells them apart; classes are numbered by their smallest byte. States
// are numbered breadth-first from the start, which is 0, along the classes in their order. Thus every language has
// one DFA, [DFA.Equal] is a comparison and [DFA.Key] a map key. A DFA never changes and may be shared between
// goroutines.
//
// Work with a DFA is charged to its budget, if it has one. Methods without an error panic as [budget.Budget.Step]
// does when that is used up.
type DFA struct {
	class  [256]uint8
	k      int        // number of classes
	sets   []expr.Set // by class: its bytes
	next   []int32    // next[q*k+c]
	accept []bool
	dead   int32 // the one state from which nothing is accepted, or -1
	budget *budget.Budget
}

// States returns the number of states, the dead one included.
func (a *DFA) States() int { return len(a.accept) }

// Budget returns the budget that work with a is charged to: that of the grammar whose language it is, or nil.
func (a *DFA) Budget() *budget.Budget { return a.budget }

// Charged returns the same automaton with another budget.
func (a *DFA) Charged(b *budget.Budget) *DFA {
	c := *a
	c.budget = b
	return &c
}

// Classes returns the number of byte classes.
func (a *DFA) Classes() int { return a.k }

// ClassOf returns the class of x.
func (a *DFA) ClassOf(x byte) int { return int(a.class[x]) }

// ClassSet returns the bytes of class c.
func (a *DFA) ClassSet(c int) expr.Set { return a.sets[c] }

// Next returns the state after q on x.
func (a *DFA) Next(q int, x byte) int { return int(a.next[q*a.k+int(a.class[x])]) }

// NextClass returns the state after q on any byte of class c.
func (a *DFA) NextClass(q, c int) int { return int(a.next[q*a.k+c]) }

// Accepts reports whether the empty word is accepted from q.
func (a *DFA) Accepts(q int) bool { return a.accept[q] }

// Dead reports whether no word at all is accepted from q. There is at most one such state.
func (a *DFA) Dead(q int) bool { return int32(q) == a.dead }

// Live reports whether some word is accepted from q.
func (a *DFA) Live(q int) bool { return int32(q) != a.dead }

// Run returns the state after q on w.
func (a *DFA) Run(q int, w string) int {
	for i := 0; i < len(w); i++ {
		q = int(a.next[q*a.k+int(a.class[w[i]])])
	}
	return q
}

// Match reports whether w is in the language.
func (a *DFA) Match(w string) bool { return a.accept[a.Run(0, w)] }

// Viable returns the bytes that may stand next after q: those that lead to a live state.
func (a *DFA) Viable(q int) expr.Set {
	var s expr.Set
	for x := range 256 {
		if a.Live(a.Next(q, byte(x))) {
			s.Add(byte(x))
		}
	}
	return s
}

// Equal reports whether a and b are the same language.
func (a *DFA) Equal(b *DFA) bool {
	return a == b ||
		a.k == b.k && a.class == b.class && slices.Equal(a.accept, b.accept) && slices.Equal(a.next, b.next)
}

// Key returns a string that is the same for two DFAs exactly if they are equal.
func (a *DFA) Key() string {
	key := make([]byte, 256, 256+4+len(a.accept)/8+2*len(a.next))
	copy(key, a.class[:])
	key = binary.AppendUvarint(key, uint64(len(a.accept)))
	for q := 0; q < len(a.accept); q += 8 {
		var bits byte
		for i, ok := range a.accept[q:min(q+8, len(a.accept))] {
			if ok {
				bits |= 1 << i
			}
		}
		key = append(key, bits)
	}
	for _, q := range a.next {
		key = binary.AppendUvarint(key, uint64(q))
	}
	return string(key)
}

// A table is an automaton on its way to a DFA: complete and deterministic, but with unreachable states, states that are
// equal, and more classes than needed, though none without a byte. k may be up to 256.
type table struct {
	class  [256]uint8
	k      int
	next   []int32
	accept []bool
	budget *budget.Budget
}

// dfa returns the DFA of the language that t accepts from start.
func (t *table) dfa(start int32) *DFA {
	t, start = t.trim(start)
	block, blocks := t.minimize()
	m := &table{class: t.class, k: t.k, next: make([]int32, blocks*t.k), accept: make([]bool, blocks), budget: t.budget}
	for q, b := range block {
		m.accept[b] = t.accept[q]
		for c := range t.k {
			m.next[int(b)*t.k+c] = block[t.next[q*t.k+c]]
		}
	}
	return m.number(block[start])
}

// trim returns the part of t that can be reached from start, and the number of start in it. If that is all of t, it
// returns t itself.
func (t *table) trim(start int32) (*table, int32) {
	order, index := t.reach(start)
	if len(order) == len(t.accept) {
		return t, start
	}
	r := &table{
		class: t.class, k: t.k, budget: t.budget,
		next: make([]int32, 0, len(order)*t.k), accept: make([]bool, len(order)),
	}
	for i, q := range order {
		r.accept[i] = t.accept[q]
		for _, p := range t.next[int(q)*t.k : int(q+1)*t.k] {
			r.next = append(r.next, index[p])
		}
	}
	return r, 0
}

// reach lists the states that can be reached from start, breadth-first along the classes in order. index holds the
// place of each state in that list, or -1 if it is not reached.
func (t *table) reach(start int32) (order, index []int32) {
	index = make([]int32, len(t.accept))
	for q := range index {
		index[q] = -1
	}
	order = append(order, start)
	index[start] = 0
	for i := 0; i < len(order); i++ {
		for _, p := range t.next[int(order[i])*t.k : int(order[i]+1)*t.k] {
			if index[p] < 0 {
				index[p] = int32(len(order))
				order = append(order, p)
			}
		}
	}
	return order, index
}

// number returns the DFA for a t in which no two states are equal. Unreachable states are left out.
func (t *table) number(start int32) *DFA {
	t, start = t.trim(start)
	a := &DFA{dead: -1, budget: t.budget}
	columns := t.mergeClasses(a)
	m := &table{k: a.k, next: make([]int32, 0, len(t.accept)*a.k), accept: t.accept}
	for q := range t.accept {
		for _, c := range columns {
			m.next = append(m.next, t.next[q*t.k+c])
		}
	}
	order, index := m.reach(start)
	a.next = make([]int32, 0, len(m.next))
	a.accept = make([]bool, len(order))
	for i, q := range order {
		a.accept[i] = m.accept[q]
		loops := true
		for _, p := range m.next[int(q)*m.k : int(q+1)*m.k] {
			a.next = append(a.next, index[p])
			loops = loops && p == q
		}
		if loops && !a.accept[i] {
			a.dead = int32(i)
		}
	}
	return a
}

// mergeClasses sets the classes of a, and their bytes: those of t, with equal columns merged, in the order of their
// smallest bytes. It returns a column of t for each class of a.
func (t *table) mergeClasses(a *DFA) (columns []int) {
	columnID := make([]int, t.k) // t's class -> a's class, or -1
	for c := range columnID {
		columnID[c] = -1
	}
	byHash := map[uint64][]int{} // hash of a column -> classes of a
	for x := range 256 {
		c := int(t.class[x])
		if columnID[c] < 0 {
			h := uint64(hashSeed)
			for q := range t.accept {
				h = hashStep(h, uint64(t.next[q*t.k+c]))
			}
			for _, d := range byHash[h] {
				if t.sameColumn(c, columns[d]) {
					columnID[c] = d
				}
			}
			if columnID[c] < 0 {
				columnID[c] = len(columns)
				byHash[h] = append(byHash[h], len(columns))
				columns = append(columns, c)
			}
		}
		a.class[x] = uint8(columnID[c])
	}
	a.k = len(columns)
	a.sets = make([]expr.Set, a.k)
	for x, c := range a.class {
		a.sets[c].Add(byte(x))
	}
	return columns
}

// sameColumn reports whether the classes c and d lead from every state to the same state.
func (t *table) sameColumn(c, d int) bool {
	for i := 0; i < len(t.next); i += t.k {
		if t.next[i+c] != t.next[i+d] {
			return false
		}
	}
	return true
}

// hashStep mixes v into h. A hash only tells where to look; equality is always decided on the things themselves.
func hashStep(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

const hashSeed = 0x243f6a8885a308d3
