package ast

import (
	"encoding/binary"
	"slices"
)

// This file decides what a list of threads does next, and keeps that in tables which grow as inputs
// need them, as the tables of a lazily built DFA do. generalguided.go says what threads and groups
// are.
//
// A list of threads is a row of a table. Its cells say what to do at each class of bytes, and at the
// end of the input. If the next byte alone does not decide, the cell refers to the set of states
// from which the rest of the input can be read (generalguidesets.go), and the row has a move for
// each set.

// guidedKept caps the elements that these tables keep, and guidedThreads the threads of a list.
// guidedWork caps the steps that deciding takes, for all that is ever decided: where choices without
// a frame are inside each other, the places that a thread gets to without reading can double with
// each.
const (
	guidedKept    = 1 << 19
	guidedThreads = 512
	guidedWork    = 1 << 23
)

// A guideMove is what a list of threads does at a class or at a set. Below guideUnknown it only
// reads a byte, and is the row of the next list: the index of its first cell. From guideSteps up it
// is an element of steps, plus guideSteps.
type guideMove uint32

const (
	guideUnknown guideMove = 1<<31 + iota // not decided yet
	guideDead                             // no thread can go on
	guideLost                             // no thread can go on, but some were dropped in the same step
	guideAsk                              // the set decides
	guideSteps
)

// A guideThread is a place on a list, and its group. Groups count from 0 in the order of the list.
type guideThread struct{ place, group uint32 }

// placeSize is the number of elements that a place counts for: the place, its entry in the index,
// and its mark.
const placeSize = 4

// comparesByStep is the number of elements of a list that are compared in the time of one step.
const comparesByStep = 16

// A guidePlace is a state of the guide and, as an element of returns, where the part that it is in
// was called, if that part has no frame.
type guidePlace struct{ state, call uint32 }

// A guideReturn is a call of a part without a frame: the state that calls, and the call that this
// state is in itself. Element 0 of returns stands for no call.
type guideReturn struct{ state, call uint32 }

// A guideRow is a list of threads. Row 0 has none.
type guideRow struct {
	threads []guideThread
	groups  uint32
	asked   []guideMove // by set, where sets decide
}

// A guideAct changes the tree: a guideOp in its highest byte, and a kind in the others.
type guideAct uint32

const guideActBits = 24

// A guideWay is how a group of threads came about: from which group before, and by which acts, which
// are an element of acts.
type guideWay struct{ from, acts uint32 }

// A guideStep is a move that does more than read a byte. It pushes frames, changes the tree, and
// then does one thing.
type guideStep struct {
	does    guideDeed
	read    int      // if it returns: readNothing or readSome
	plain   bool     // there is one group before and after it, and in the frames that it pushes
	dropped bool     // threads are dropped
	calls   []uint32 // the frames that it pushes; all but the last have one thread
	to      guideMove
	ways    []guideWay // by group after it or, if it calls, of the last frame
}

// A guideDeed is how a step ends.
type guideDeed uint8

const (
	guideReads   guideDeed = iota // it reads a byte
	guideCalls                    // it goes on at the entry of a part
	guideReturns                  // it ends the part of the innermost frame
	guideAccepts                  // it ends the start
)

// A guideFrame is the threads that called a part together, and how they go on after it.
type guideFrame struct {
	threads []guideThread // at the states that call
	groups  uint32
	after   [2]guideReturnTo // by what was read
}

// A guideReturnTo is how the threads of a frame go on: all of them or, if some was dropped inside the
// part, the first alone.
type guideReturnTo struct{ all, first guideAfter }

// A guideAfter is the row after a call and, by its groups, the groups that they had at the call.
// differs is set if the guide is strict, and a thread of another group came to the same place.
type guideAfter struct {
	row     guideMove
	from    []uint32
	differs bool
}

// A guideLeaf is where a thread gets without reading, and by which way: a place that reads, or that
// calls or ends a framed part.
type guideLeaf struct {
	place uint32
	guideWay
}

// guideTables keeps what was decided.
type guideTables struct {
	places     numbering[guidePlace]
	returns    numbering[guideReturn]
	rows       []guideRow
	rowIndex   map[string]guideMove
	cells      []guideMove // by row and class
	steps      []guideStep
	frames     []guideFrame
	frameIndex map[string]uint32
	acts       [][]guideAct // element 0 is empty
	actIndex   map[string]uint32
	kept       int // the number of elements that are kept
	worked     int // the number of steps that were taken

	// For a step in the making.
	mark    []uint32 // by place: it was visited if this is now
	now     uint32
	ways    []guideWay // by place, of a strict guide: the way of the thread that visited it
	differs bool       // a thread came to a place by another way than the first, with other nodes
	from    uint32     // the group of the thread that is followed
	path    []guideAct // the acts on its way
	leaves  []guideLeaf
}

// place returns the number of a place, which is kept if it is new. If too much is kept then, p is spent.
func (p *guided) place(state, call uint32) uint32 {
	n := p.places.number(guidePlace{state, call})
	if int(n) == len(p.mark) {
		p.mark = append(p.mark, 0)
		if p.strict {
			p.ways = append(p.ways, guideWay{})
		}
		p.keep(placeSize)
	}
	return n
}

// entryOf returns the list of one thread at the beginning of a part that has a frame.
func (p *guided) entryOf(part uint32) []guideThread {
	return []guideThread{{place: p.place(p.parts[part].entry, 0)}}
}

// stateAt returns the state of a place.
func (p *guided) stateAt(place uint32) *guideState { return &p.states[p.places.list[place].state] }

// successor returns the place at a state that follows that of a place in the same part.
func (p *guided) successor(place, state uint32) uint32 {
	return p.place(state, p.places.list[place].call)
}

// threadKey sets p.key to the key of a list of threads, and returns it.
func (p *guided) threadKey(threads []guideThread) []byte {
	p.key = p.key[:0]
	for _, t := range threads {
		p.key = binary.AppendUvarint(p.key, uint64(t.place))
		p.key = binary.AppendUvarint(p.key, uint64(t.group))
	}
	return p.key
}

// indexOfPlace returns the index of the thread at a place, or -1.
func indexOfPlace(threads []guideThread, place uint32) int {
	return slices.IndexFunc(threads, func(t guideThread) bool { return t.place == place })
}

// groupsOf returns the number of groups of threads.
func groupsOf(threads []guideThread) (n uint32) {
	for _, t := range threads {
		n = max(n, t.group+1)
	}
	return n
}

// row returns the row of a list of threads. A new one is made, with a copy of the list, and its moves are not
// decided yet. If too much is kept then, p is spent.
func (p *guided) row(threads []guideThread) guideMove {
	row, ok := p.rowIndex[string(p.threadKey(threads))]
	if !ok {
		row = guideMove(len(p.cells))
		p.rowIndex[string(p.key)] = row
		p.rows = append(p.rows, guideRow{threads: slices.Clone(threads), groups: groupsOf(threads)})
		for range p.t.width + 1 {
			p.cells = append(p.cells, guideUnknown)
		}
		p.keep(p.t.width + 2*len(threads))
	}
	return row
}

// list returns the list of a row.
func (p *guided) list(row guideMove) *guideRow {
	return &p.rows[int(row)/(p.t.width+1)]
}

// keep counts n more elements as kept. If that is too much, p is spent.
func (p *guided) keep(n int) {
	p.kept += n
	p.spent = p.spent || p.kept > guidedKept
}

// work counts n more steps. If that is too much, p is spent.
func (p *guided) work(n int) {
	p.worked += n
	p.spent = p.spent || p.worked > guidedWork
}

// frame returns the number of a frame of threads, which has how they go on after the part that they
// call. If it is new, it is made, and keeps the slice, whose memory the caller must not use again.
// If too much is kept then, p is spent.
func (p *guided) frame(threads []guideThread) uint32 {
	n, ok := p.frameIndex[string(p.threadKey(threads))]
	if !ok {
		n = uint32(len(p.frames))
		p.frameIndex[string(p.key)] = n
		f := guideFrame{threads: threads, groups: groupsOf(threads)}
		for read := range f.after {
			f.after[read].all = p.afterCalls(threads, read)
			f.after[read].first = p.afterCalls(threads[:1], read)
		}
		p.frames = append(p.frames, f)
		p.keep(4 * len(threads))
	}
	return n
}

// afterCalls returns how threads that called a part go on after it. A thread that cannot go on is left out, and of
// those that come to one place the first stays. read is readNothing or readSome. If too much is kept then, p is spent.
func (p *guided) afterCalls(calls []guideThread, read int) (a guideAfter) {
	var threads []guideThread
	for _, c := range calls {
		state := p.stateAt(c.place).afterCall(read)
		to := p.successor(c.place, state)
		p.work(1 + len(threads)/comparesByStep)
		group := slices.Index(a.from, c.group)
		if state == 0 {
			continue
		}
		if first := indexOfPlace(threads, to); first >= 0 {
			a.differs = a.differs || p.strict && int(threads[first].group) != group
			continue
		}
		if group < 0 {
			group = len(a.from)
			a.from = append(a.from, c.group)
		}
		threads = append(threads, guideThread{to, uint32(group)})
	}
	a.row = p.row(threads)
	return a
}

// actsOf returns the number of a list of acts, of which it keeps a copy if it is new. If too much is kept then, p is
// spent.
func (p *guided) actsOf(acts []guideAct) uint32 {
	p.key = p.key[:0]
	for _, a := range acts {
		p.key = binary.LittleEndian.AppendUint32(p.key, uint32(a))
	}
	n, ok := p.actIndex[string(p.key)]
	if !ok {
		n = uint32(len(p.acts))
		p.actIndex[string(p.key)] = n
		p.acts = append(p.acts, slices.Clone(acts))
		p.keep(len(acts))
	}
	return n
}

// move returns the move of a row at a class. One that is not known it decides and keeps. It counts only if p is not
// spent.
func (p *guided) move(row guideMove, class int) guideMove {
	m := p.cells[int(row)+class]
	if m == guideUnknown {
		m = p.decide(row, p.possible(class), true)
		p.cells[int(row)+class] = m
	}
	return m
}

// moveBy returns the move of a row where a set decides. One that is not known it decides and keeps. It is never
// guideAsk, and counts only if p is not spent.
func (p *guided) moveBy(row guideMove, set uint16) guideMove {
	list := p.list(row)
	p.keep(max(0, int(set)+1-len(list.asked)))
	for len(list.asked) <= int(set) {
		list.asked = append(list.asked, guideUnknown)
	}
	m := list.asked[set]
	if m == guideUnknown {
		m = p.decide(row, p.sets[set], false)
		p.list(row).asked[set] = m // decide may have moved the rows
	}
	return m
}

// decide returns the move of a row where the states in a set are possible: guideDead if no thread can go on, or
// guideLost if some were dropped before that. With ask set it returns guideAsk if there would be more groups after it,
// or if threads would be dropped. In a strict guide no thread is given up but for one with the same nodes: where one
// would have to be, decide returns guideLost or, with ask set, guideAsk. It keeps the frames, rows and steps that it
// makes. The result counts only if p is not spent.
//
// Each thread is followed to its leaves. What the first leaf does decides: those that can do the
// same go on with it, and the others are dropped. A step does not end with a call that one thread
// makes alone, nor with the end of such a call in which nothing was read. It follows that thread on,
// so that most steps read a byte.
func (p *guided) decide(row guideMove, set []uint64, ask bool) guideMove {
	list := p.list(row)
	threads, most := list.threads, max(list.groups, 1) // row 0 has no group
	s := guideStep{plain: list.groups == 1}            // as long as it also leaves one group
	p.path = p.path[:0]
	p.differs = false
	for start := true; ; start = false {
		p.findLeaves(threads, set, start)
		switch {
		case len(p.leaves) == 0 && s.dropped:
			return guideLost
		case len(p.leaves) == 0:
			return guideDead
		}
		leaf := p.leaves[0]
		first := p.stateAt(leaf.place)
		joined, dropped := p.joinLeaves(&s)
		if ask && (dropped || len(s.ways) > int(most)) {
			return guideAsk
		}
		s.dropped = s.dropped || dropped
		if first.op == guideByte {
			p.read(&s, joined)
		}
		if p.strict && (s.dropped || p.differs) {
			if ask {
				return guideAsk
			}
			return guideLost
		}
		switch first.op {
		case guideByte:
			return p.addStep(row, s)
		case guideCall:
			s.calls = append(s.calls, p.frame(joined))
			threads = p.entryOf(first.arg)
			if len(joined) > 1 {
				s.does, s.to = guideCalls, p.row(threads)
				s.plain = s.plain && len(s.ways) == 1
				return p.addStep(row, s)
			}
		default: // guideEnd
			last := len(s.calls) - 1
			if last < 0 {
				s.does, s.read = guideReturns, p.readBefore(p.places.list[leaf.place].state)
				if first.arg == 0 {
					s.does = guideAccepts
				}
				return p.addStep(row, s)
			}
			// The step itself called the part. It has read nothing since, and one thread called.
			call := p.frames[s.calls[last]].threads[0].place
			s.calls = s.calls[:last]
			threads = []guideThread{{place: p.successor(call, p.stateAt(call).afterCall(readNothing))}}
		}
		// One thread goes on, with what was done on the way of the first leaf.
		p.from = leaf.from
		p.path = append(p.path[:0], p.acts[leaf.acts]...)
	}
}

// findLeaves sets p.leaves to those of threads, as far as the states in a set lead to them. With start
// each thread stands for its own group, and p.from changes. Without it all threads are of the group
// p.from, to which the caller has come by p.path.
func (p *guided) findLeaves(threads []guideThread, set []uint64, start bool) {
	p.now++
	if p.now == 0 {
		clear(p.mark)
		p.now = 1
	}
	p.leaves = p.leaves[:0]
	for _, t := range threads {
		if start {
			p.from = t.group
		}
		place := p.places.list[t.place]
		p.follow(place.state, place.call, set)
	}
}

// joinLeaves returns the threads that go on together: those of the first leaf, and of the following
// ones up to the first that does something else. It sets s.ways to how their groups came about.
// dropped is set if leaves are left over. There must be a leaf. p may be spent afterwards.
func (p *guided) joinLeaves(s *guideStep) (threads []guideThread, dropped bool) {
	first := p.stateAt(p.leaves[0].place)
	s.ways = s.ways[:0]
	for i, leaf := range p.leaves {
		if i > 0 && !first.joins(p.stateAt(leaf.place)) {
			return threads, true
		}
		p.work(1 + len(s.ways)/comparesByStep)
		group := slices.Index(s.ways, leaf.guideWay)
		if group < 0 {
			group = len(s.ways)
			s.ways = append(s.ways, leaf.guideWay)
		}
		threads = append(threads, guideThread{leaf.place, uint32(group)})
	}
	return threads, false
}

// joins reports whether threads at two leaves can go on together: both read, or both call the same
// part. Of those that end a part in the same way only the first is a leaf, since all come to the same
// place.
func (s *guideState) joins(o *guideState) bool {
	return s.op == o.op && (s.op == guideByte || s.op == guideCall && s.arg == o.arg)
}

// read lets a step end with a byte that some threads read. Of threads that come to the same place
// the first stays, and p.differs is set if the other has other nodes. After guidedThreads threads
// the rest is dropped. Groups that have none left are left out, and the others numbered anew. p may
// be spent afterwards.
func (p *guided) read(s *guideStep, threads []guideThread) {
	ways := s.ways
	s.ways = nil
	var after []guideThread
	groups := make([]int, len(ways)) // by group: its new number plus 1, or 0
	if len(threads) > guidedThreads {
		threads, s.dropped = threads[:guidedThreads], true
	}
	for _, t := range threads {
		to := p.successor(t.place, p.stateAt(t.place).next[0])
		if first := indexOfPlace(after, to); first >= 0 {
			// The group of the first has its new number, that of t may have none, which then is -1.
			p.differs = p.differs || int(after[first].group) != groups[t.group]-1
			continue
		}
		if groups[t.group] == 0 {
			s.ways = append(s.ways, ways[t.group])
			groups[t.group] = len(s.ways)
		}
		after = append(after, guideThread{to, uint32(groups[t.group] - 1)})
	}
	s.does, s.to = guideReads, p.row(after)
	s.plain = s.plain && len(s.ways) == 1
}

// follow adds to leaves those that a state leads to without reading, in the order of choices, as far
// as all states on the way are in a set. call is where the part that the state is in was called, if
// that part has no frame: such parts are entered and left on the way. A place that was visited in this search is
// left out; in a strict guide p.differs is set if this way to it has other nodes. If p is spent, follow stops.
func (p *guided) follow(q, call uint32, set []uint64) {
	if !hasState(set, q) {
		return
	}
	place := p.place(q, call)
	if p.spent {
		return
	}
	if p.mark[place] == p.now {
		p.differs = p.differs || p.strict && p.ways[place] != guideWay{p.from, p.actsOf(p.path)}
		return
	}
	p.mark[place] = p.now
	if p.strict {
		p.ways[place] = guideWay{p.from, p.actsOf(p.path)}
	}
	p.work(1 + len(p.path)/comparesByStep)
	s := &p.states[q]
	switch {
	case s.op == guideChoice:
		for _, to := range s.next {
			p.follow(to, call, set)
		}
	case s.op == guideCall && !p.parts[s.arg].framed:
		p.follow(s.next[0], p.returns.number(guideReturn{q, call}), set)
	case s.op == guideEnd && !p.parts[s.arg].framed:
		to := p.returns.list[call]
		p.follow(p.states[to.state].afterCall(p.readBefore(q)), to.call, set)
	case s.op == guideByte, s.op == guideCall, s.op == guideEnd:
		p.leaves = append(p.leaves, guideLeaf{place, guideWay{p.from, p.actsOf(p.path)}})
	default: // an act
		p.path = append(p.path, guideAct(s.op)<<guideActBits|guideAct(s.arg))
		p.follow(s.next[0], call, set)
		p.path = p.path[:len(p.path)-1]
	}
}

// addStep returns a step of a row as a move: the row after it if it does nothing but read, and
// otherwise the step, which it keeps. If too much is kept then, p is spent.
func (p *guided) addStep(row guideMove, s guideStep) guideMove {
	if s.onlyReads(p.list(row).groups) {
		return s.to
	}
	s.ways = slices.Clone(s.ways)
	p.keep(len(s.ways) + len(s.calls) + 4)
	p.steps = append(p.steps, s)
	return guideSteps + guideMove(len(p.steps)-1)
}

// onlyReads reports whether a step of so many groups does nothing but read: it does not change the
// tree, and each group stays and keeps its number.
func (s *guideStep) onlyReads(groups uint32) bool {
	if s.does != guideReads || len(s.calls) > 0 || s.dropped || len(s.ways) != int(groups) {
		return false
	}
	for i, w := range s.ways {
		if w != (guideWay{from: uint32(i)}) {
			return false
		}
	}
	return true
}
