package lang

import (
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Refine returns the coarsest partition of the states of a deterministic automaton such that the states of a block
// are of one kind, have equally many successors, and have them in the same blocks; next[q][c] is a successor of
// state q. Blocks are numbered in the order of their first states.
func Refine(next [][]int32, kind []int32, left *budget.Budget) (block []int32, blocks int) {
	n := len(next)
	t := &table{accept: make([]bool, n), budget: left}
	for _, row := range next {
		t.k = max(t.k, len(row))
	}
	columns := map[string]bool{} // most occur several times
	var all [][]int32
	for c := range t.k {
		column, key := make([]int32, n), make([]byte, 0, 4*n)
		for q, row := range next {
			column[q] = int32(q) // without a successor it leads to itself; the number of successors is part of the kind
			if c < len(row) {
				column[q] = row[c]
			}
			key = binary.LittleEndian.AppendUint32(key, uint32(column[q]))
		}
		if !columns[string(key)] {
			columns[string(key)] = true
			all = append(all, column)
		}
	}
	t.k = len(all)
	type kindOf struct {
		kind int32
		size int
	}
	var kinds expr.Numbering[kindOf] // in the order of their first states, so that the steps never differ
	var of [][]int32                 // by kind: its states
	for q, row := range next {
		for _, column := range all {
			t.next = append(t.next, column[q])
		}
		i, fresh := kinds.Of(kindOf{kind[q], len(row)})
		if fresh {
			of = append(of, nil)
		}
		of[i] = append(of[i], int32(q))
	}
	p := newPartition(n)
	for _, group := range of {
		for _, q := range group {
			p.mark(q)
		}
		p.split(nil)
	}
	t.refine(p, t.inverse(), -1, nil)
	number := slices.Repeat([]int32{-1}, p.blocks())
	block = make([]int32, n)
	for q, b := range p.block {
		if number[b] < 0 {
			number[b] = int32(blocks)
			blocks++
		}
		block[q] = number[b]
	}
	return block, blocks
}

// Most transitions lead to states from which no word is accepted. Those are one block from the start, and never a
// splitter. The splitters of the other transitions tell apart everything that it would (A. Valmari, P. Lehtinen,
// "Efficient Minimization of DFAs with Partial Transition Functions", 2008).
func (t *table) minimize() (block []int32, blocks int) {
	n := len(t.accept)
	back := t.inverse()
	p := newPartition(n)
	for q := range n {
		if t.accept[q] {
			p.mark(int32(q))
		}
	}
	p.split(nil)
	idle := int32(-1)
	live := t.liveStates(back)
	for q := range n {
		if !live[q] {
			p.mark(int32(q))
			idle = int32(q)
		}
	}
	p.split(nil)
	if idle >= 0 {
		idle = p.block[idle]
	}
	t.refine(p, back, idle, nil)
	return p.block, p.blocks()
}

// liveStates returns, by state, whether some word is accepted from it.
func (t *table) liveStates(back sources) []bool {
	live := slices.Clone(t.accept)
	var todo []int32
	for q, ok := range live {
		if ok {
			todo = append(todo, int32(q))
		}
	}
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for c := range t.k {
			for _, p := range back.of(c, q) {
				if !live[p] {
					live[p], todo = true, append(todo, p)
				}
			}
		}
	}
	return live
}

// refine splits the blocks of p until the states of each lead to the same blocks. It charges steps to m or, if that
// is nil, to the budget of t. The block idle, -1 for none, is not used as a splitter. The caller must know that its
// states lead to no other block, and that states need not be told apart by leading to it.
func (t *table) refine(p *partition, back sources, idle int32, m *meter) {
	var work []int32
	waiting := make([]bool, p.blocks())
	for b := range waiting {
		if int32(b) != idle {
			work, waiting[b] = append(work, int32(b)), true
		}
	}
	var splitter []int32
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		waiting[b] = false
		splitter = append(splitter[:0], p.statesOf(b)...)
		m.step(len(splitter) * t.k)
		if m == nil {
			t.budget.Step(len(splitter) * t.k)
		}
		for c := range t.k {
			for _, q := range splitter {
				for _, r := range back.of(c, q) {
					p.mark(r)
				}
			}
			p.split(func(old, fresh int32) {
				waiting = append(waiting, false)
				// If old is waiting both halves have to be, and else the smaller one is enough.
				next := fresh
				if !waiting[old] && len(p.statesOf(old)) < len(p.statesOf(fresh)) {
					next = old
				}
				waiting[next] = true
				work = append(work, next)
			})
		}
	}
}

// sources are the transitions of a table backwards.
type sources struct {
	n            int     // states
	from, states []int32 // class c leads states[from[c*n+q]:from[c*n+q+1]] to q
}

// of returns the states that class c leads to q.
func (s sources) of(c int, q int32) []int32 {
	i := c*s.n + int(q)
	return s.states[s.from[i]:s.from[i+1]]
}

// inverse returns the transitions backwards.
func (t *table) inverse() sources {
	// Let list i be that of class c and state q, for i = c*n+q. Its length is counted in from[i+2], so that after the
	// sums its beginning is in from[i+1]. Filling the list moves that to its end, which is where list i+1 begins.
	n := len(t.accept)
	s := sources{n, make([]int32, n*t.k+2), make([]int32, len(t.next))}
	for q := range n {
		for c, p := range t.next[q*t.k : (q+1)*t.k] {
			s.from[c*n+int(p)+2]++
		}
	}
	for i := 1; i < len(s.from); i++ {
		s.from[i] += s.from[i-1]
	}
	for q := range n {
		for c, p := range t.next[q*t.k : (q+1)*t.k] {
			at := &s.from[c*n+int(p)+1]
			s.states[*at] = int32(q)
			*at++
		}
	}
	return s
}

// A partition divides 0..n-1 into blocks that can be split in time proportional to the elements marked. Block b is
// elems[first[b]:end[b]], with its marked elements first. loc is the place of each element in elems.
type partition struct {
	elems, loc, block  []int32
	first, end, marked []int32
	touched            []int32 // blocks with marks
}

// newPartition returns the partition of 0..n-1 with one block.
func newPartition(n int) *partition {
	p := &partition{elems: make([]int32, n), loc: make([]int32, n), block: make([]int32, n)}
	for i := range p.elems {
		p.elems[i], p.loc[i] = int32(i), int32(i)
	}
	p.first, p.end, p.marked = []int32{0}, []int32{int32(n)}, []int32{0}
	return p
}

// blocks returns the number of blocks.
func (p *partition) blocks() int { return len(p.first) }

// statesOf returns the elements of the block b. The slice changes with the partition.
func (p *partition) statesOf(b int32) []int32 { return p.elems[p.first[b]:p.end[b]] }

// mark marks q: the next split takes it out of its block. Marking twice is marking once.
func (p *partition) mark(q int32) {
	b, i := p.block[q], p.loc[q]
	j := p.first[b] + p.marked[b]
	if i < j {
		return
	}
	if p.marked[b] == 0 {
		p.touched = append(p.touched, b)
	}
	p.elems[i], p.elems[j] = p.elems[j], q
	p.loc[p.elems[i]], p.loc[q] = i, j
	p.marked[b]++
}

// split makes the marked elements of each block a block of their own, unless all are marked, and removes the marks.
// It calls report, unless that is nil, with the block that keeps the other elements, and the fresh one.
func (p *partition) split(report func(old, fresh int32)) {
	for _, b := range p.touched {
		mid := p.first[b] + p.marked[b]
		p.marked[b] = 0
		if mid == p.end[b] {
			continue
		}
		fresh := int32(len(p.first))
		p.first = append(p.first, p.first[b])
		p.end = append(p.end, mid)
		p.marked = append(p.marked, 0)
		p.first[b] = mid
		for _, q := range p.statesOf(fresh) {
			p.block[q] = fresh
		}
		if report != nil {
			report(b, fresh)
		}
	}
	p.touched = p.touched[:0]
}
