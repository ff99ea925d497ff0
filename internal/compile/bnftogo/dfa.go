package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A dfa is the subset automaton of an nfa, as far as it was asked for. Its states are sets of states of the nfa that read a
// byte or are the end of the input; state 0 is the empty set.
type dfa struct {
	n       *nfa
	part    *expr.Partition
	width   int      // classes
	holds   [][]bool // by set of the nfa: which classes it has
	sets    [][]int32
	next    [][]int32 // by state; nil if not asked for
	accepts []bool
	index   map[string]int32
	single  map[int32]int32 // state of the nfa to the set of what it reaches
	within  map[[2]int32]bool
	shared  map[[2]int32]shared
	seen    []int32 // marks of closure, by state of the nfa
	mark    int32
	limit   int
}

func newDFA(n *nfa, limit int) *dfa {
	d := &dfa{n: n, part: expr.NewPartition(), index: map[string]int32{}, single: map[int32]int32{}, within: map[[2]int32]bool{}, shared: map[[2]int32]shared{}, limit: limit}
	for _, s := range n.sets {
		d.part.Split(s)
	}
	d.width = d.part.N
	rep := d.part.Sets()
	for _, s := range n.sets {
		row := make([]bool, d.width)
		for c, r := range rep {
			row[c] = !r.Intersect(s).IsEmpty()
		}
		d.holds = append(d.holds, row)
	}
	d.seen = make([]int32, len(n.states))
	d.state(nil)
	return d
}

// state returns the state for a set.
func (d *dfa) state(set []int32) int32 {
	slices.Sort(set)
	d.n.budget.Step(1 + len(set))
	key := make([]byte, 0, 4*len(set))
	for _, q := range set {
		key = append32(key, q)
	}
	if s, ok := d.index[string(key)]; ok {
		return s
	}
	if len(d.sets) >= d.limit {
		panic(tooLarge{})
	}
	s := int32(len(d.sets))
	d.index[string(key)] = s
	d.sets = append(d.sets, slices.Clone(set))
	d.next = append(d.next, nil)
	d.accepts = append(d.accepts, slices.Contains(set, accept))
	return s
}

// reach appends the states that read a byte or end the input, and that q reaches without consuming anything.
func (d *dfa) reach(q int32, set []int32) []int32 {
	if d.seen[q] == d.mark {
		return set
	}
	d.n.budget.Step(1)
	d.seen[q] = d.mark
	switch s := &d.n.states[q]; s.op {
	case opAccept, opByte:
		return append(set, q)
	case opAct, opAlt:
		for _, p := range s.next {
			set = d.reach(p, set)
		}
	}
	return set
}

// of returns the state that accepts what the nfa accepts from one of the states.
func (d *dfa) of(states ...int32) int32 {
	if len(states) == 1 {
		if s, ok := d.single[states[0]]; ok {
			return s
		}
	}
	d.mark++
	var set []int32
	for _, q := range states {
		set = d.reach(q, set)
	}
	s := d.state(set)
	if len(states) == 1 {
		d.single[states[0]] = s
	}
	return s
}

// row returns the successors of s by class.
func (d *dfa) row(s int32) []int32 {
	if d.next[s] != nil {
		return d.next[s]
	}
	row := make([]int32, d.width)
	d.n.budget.Step(d.width * (1 + len(d.sets[s])/4))
	for c := range row {
		d.mark++
		var set []int32
		for _, q := range d.sets[s] {
			if st := &d.n.states[q]; st.op == opByte && d.holds[st.arg][c] {
				set = d.reach(st.next[0], set)
			}
		}
		row[c] = d.state(set)
	}
	d.next[s] = row
	return row
}

// contains reports whether everything that is accepted from b is accepted from a.
func (d *dfa) contains(a, b int32) bool {
	d.n.budget.Step(1 + (len(d.sets[a])+len(d.sets[b]))/8)
	if b == 0 || a == b || subset(d.sets[b], d.sets[a]) {
		return true
	}
	if a == 0 {
		return false // every other state accepts something
	}
	key := [2]int32{a, b}
	if is, ok := d.within[key]; ok {
		return is
	}
	seen := map[[2]int32]bool{key: true}
	is := true
	for todo := [][2]int32{key}; len(todo) > 0 && is; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if d.accepts[p[1]] && !d.accepts[p[0]] {
			is = false
			break
		}
		ra, rb := d.row(p[0]), d.row(p[1])
		d.n.budget.Step(2*d.width + (len(d.sets[p[0]])+len(d.sets[p[1]]))/8)
		for c := range rb {
			next := [2]int32{ra[c], rb[c]}
			if next[1] == 0 || next[0] == next[1] || seen[next] {
				continue
			}
			if known, ok := d.within[next]; ok {
				if known {
					continue
				}
				is = false
				break
			}
			if next[0] == 0 {
				is = false
				break
			}
			seen[next] = true
			if !subset(d.sets[next[1]], d.sets[next[0]]) {
				todo = append(todo, next)
			}
		}
	}
	if is {
		for p := range seen {
			d.within[p] = true
		}
	} else {
		d.within[key] = false
	}
	return is
}

// subset reports whether every element of a is in b, both sorted.
func subset(a, b []int32) bool {
	if len(a) > len(b) {
		return false
	}
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			return false
		}
	}
	return true
}

// common returns the shortest sequence of classes that is accepted from a and from b, and whether there is one.
func (d *dfa) common(a, b int32) ([]int, bool) {
	key := [2]int32{a, b}
	if w, ok := d.shared[key]; ok {
		return w.classes, w.ok
	}
	classes, ok := d.shortest(a, b)
	d.shared[key] = shared{classes, ok}
	return classes, ok
}

// shared is what common returns.
type shared struct {
	classes []int
	ok      bool
}

func (d *dfa) shortest(a, b int32) ([]int, bool) {
	type from struct {
		up    int
		class int
	}
	pairs := [][2]int32{{a, b}}
	ways := []from{{-1, 0}}
	seen := map[[2]int32]bool{pairs[0]: true}
	for i := 0; i < len(pairs); i++ {
		p := pairs[i]
		if d.accepts[p[0]] && d.accepts[p[1]] {
			var w []int
			for k := i; ways[k].up >= 0; k = ways[k].up {
				w = append(w, ways[k].class)
			}
			slices.Reverse(w)
			return w, true
		}
		ra, rb := d.row(p[0]), d.row(p[1])
		d.n.budget.Step(2*d.width + (len(d.sets[p[0]])+len(d.sets[p[1]]))/8)
		for c := range ra {
			next := [2]int32{ra[c], rb[c]}
			if next[0] != 0 && next[1] != 0 && !seen[next] {
				seen[next] = true
				pairs = append(pairs, next)
				ways = append(ways, from{i, c})
			}
		}
	}
	return nil, false
}
