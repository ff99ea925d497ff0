package ast

import (
	"encoding/binary"
	"math"
	"slices"
)

// This file parses by a guide (generalguide.go), in linear time and from left to right. It joins two
// known ideas. The guide, read backwards from the end of the input, tells at each place which states
// the rest can be read from: K. Čulik and R. Cohen, "LR-Regular Grammars", 1973. And states of which
// not even that tells which one is right are followed together, as long as they call and end the same
// productions at the same places, as an LR parser does.
//
// Each state that is followed is a thread, and the threads are in the order of the choices that led
// to them, the first choice first. Where two come to one state, the first stays. Threads that have
// opened and closed the same nodes are one group. As long as there is one group, its nodes are made
// at once; otherwise what happens is written into a log, and done when one group is left.
//
// No thread is ever given up from which the rest can be derived, with one exception: where threads
// part, since one calls or ends a production and another does not. Then those behind are dropped.
// So whoever comes to the end of the input has found a derivation, and no other one stands before it
// in the order of choices: that is the tree. Threads that called a production together need care
// here. If one is dropped inside the production, it may belong to the first of those that called, and
// so stand before the second. Of these the first alone goes on then.
//
// If no thread comes to the end, the input is not derived, unless one was dropped: then the general
// parser has to find out.
//
// Lists of threads, and what they do at a class or a set, are kept in tables as inputs need them, as
// the sets of the guide are. Sets are not made as long as the next byte alone decides.

// Bounds of what a parser by a guide keeps: bytes of sets, the elements of its other tables, and
// places from one input to the next.
const (
	guidedSets    = 4 << 20
	guidedKept    = 1 << 19
	guidedRoom    = 8 << 20
	guidedThreads = 512     // on a list
	guidedPause   = 1 << 20 // bytes that are read between two looks at the limits
)

// A guideMove is what is done with a list of threads at a class or a set: a byte is read, and the move
// is the row of the list behind it; or it is one of the following.
type guideMove uint32

const (
	guideUnknown guideMove = 1<<31 + iota
	guideDead              // no thread can go on
	guideLost              // no thread can go on, but some were dropped
	guideAsk               // the set decides
	guideSteps             // and more: a step
)

// A guideThread is a place on a list, and its group. Groups count from 0 in the order of the list.
type guideThread struct{ place, group uint32 }

// A guidePlace is a state of the guide, and where parts that cannot be inside themselves go on behind
// it: these are entered without a frame.
type guidePlace struct{ state, behind uint32 }

// A guideBehind is a call of such a part, and where the part around it goes on. Element 0 is none.
type guideBehind struct{ call, outer uint32 }

// A guideRow is a list of threads. Row 0 has none.
type guideRow struct {
	threads []guideThread
	groups  uint32
	asked   []guideMove // by set, where sets decide
}

// A guideAct changes the tree before a byte is read: a guideOp in the highest byte, and a kind.
type guideAct uint32

const guideActBits = 24

// A guideWay is how a group came about: from which group, and by which acts, an element of acts.
type guideWay struct{ from, acts uint32 }

// A guideStep is a move that is more than to read a byte.
type guideStep struct {
	does    guideDoing
	plain   bool     // there is one group before and behind, also among those that call
	dropped bool     // threads were dropped
	calls   []uint32 // frames that are pushed
	to      guideMove
	ways    []guideWay // by group behind it or, if it calls, of the frame that is pushed last
}

// A guideDoing is what a step does at last.
type guideDoing uint8

const (
	guideReads       guideDoing = iota // it reads a byte
	guideCalls                         // it calls a part, without reading
	guideReturns                       // it ends a part in which nothing was read
	guideReturnsSome                   // it ends a part
	guideAccepts                       // it ends the start
)

// A guideFrame is the threads that called a part together, and how they go on.
type guideFrame struct {
	threads []guideThread // of which the places are calls
	groups  uint32
	after   [2][2]guideAfter // after nothing or something was read; of all threads, or of the first alone
}

// A guideAfter is the row behind a call, and by group of it the group of the call.
type guideAfter struct {
	row  guideMove
	from []uint32
}

// A guideLeaf is a place that reads, calls or ends, as a thread came to it.
type guideLeaf struct {
	place uint32
	guideWay
}

// A guideEvent is a step at a place, in the log; of what returned, with what followed.
type guideEvent struct {
	step  uint32
	at    int32
	after *guideAfter
	acts  uint32
}

// A guided is a parser by a guide. It is part of a run.
type guided struct {
	*guide
	t *generalTables

	// The sets of the guide that is read backwards. Set 0 is empty.
	sets  [][]uint64
	index map[string]uint16
	last  []uint16 // by set and class: the set before it plus 1, or 0 if that is unknown
	todo  []uint32
	until [][]uint64 // by class, that of the end too: the states that are possible before it; nil if that is unknown

	places     []guidePlace
	placeIndex map[guidePlace]uint32
	behinds    []guideBehind
	behindOf   map[guideBehind]uint32
	rows       []guideRow
	rowIndex   map[string]guideMove
	cells      []guideMove // by row and class
	steps      []guideStep
	frames     []guideFrame
	frameIndex map[string]uint32
	acts       [][]guideAct // element 0 is empty
	actIndex   map[string]uint32
	kept       int  // so many elements
	spent      bool // too much would be kept: it parses no more

	// For a step in the making.
	key    []byte
	mark   []uint32 // by place
	now    uint32
	from   uint32
	path   []guideAct
	leaves []guideLeaf

	// Of an input.
	at      []uint16 // by place of the input: the set there
	known   int      // from this place on they are known
	stack   []uint32 // frames
	unsafe  int      // of these so many of the lowest have a thread that was dropped inside
	split   int      // of these so many have several groups
	log     []guideEvent
	picks   []uint32
	top     int32 // the innermost open node
	began   int32 // where the production that is proven began
	dropped bool  // a thread was dropped
}

// newGuided returns a parser by a guide.
func newGuided(t *generalTables, g *guide) *guided {
	p := &guided{
		guide: g, t: t,
		index: map[string]uint16{}, rowIndex: map[string]guideMove{}, frameIndex: map[string]uint32{},
		acts: [][]guideAct{nil}, actIndex: map[string]uint32{"": 0},
		placeIndex: map[guidePlace]uint32{}, behinds: make([]guideBehind, 1), behindOf: map[guideBehind]uint32{},
		until: make([][]uint64, t.width+1),
	}
	p.row(nil)
	for i := range p.cells {
		p.cells[i] = guideDead
	}
	p.set(p.empty())
	return p
}

// empty returns a set without states.
func (p *guided) empty() []uint64 { return make([]uint64, (len(p.states)+63)/64) }

// hasState reports whether a state is in a set.
func hasState(set []uint64, q uint32) bool { return set[q/64]>>(q%64)&1 != 0 }

// set returns the number of a set. If too much would be kept, p is spent.
func (p *guided) set(set []uint64) uint16 {
	p.key = p.key[:0]
	for _, word := range set {
		p.key = binary.LittleEndian.AppendUint64(p.key, word)
	}
	n, ok := p.index[string(p.key)]
	if ok {
		return n
	}
	if len(p.sets) == math.MaxUint16-1 || len(p.sets)*len(p.key) > guidedSets {
		p.spent = true
		return 0
	}
	n = uint16(len(p.sets))
	p.index[string(p.key)] = n
	p.sets = append(p.sets, set)
	p.last = append(p.last, make([]uint16, p.t.width)...)
	return n
}

// leading returns a set of the states in todo and those that lead to them without reading.
func (p *guided) leading() []uint64 {
	set := p.empty()
	for _, q := range p.todo {
		set[q/64] |= 1 << (q % 64)
	}
	for len(p.todo) > 0 {
		q := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		for _, from := range p.back[q] {
			if !hasState(set, from) {
				set[from/64] |= 1 << (from % 64)
				p.todo = append(p.todo, from)
			}
		}
	}
	return set
}

// before computes the set before a byte of a class that leads to a set.
func (p *guided) before(set uint16, class int) uint16 {
	behind := p.sets[set]
	p.todo = p.todo[:0]
	for _, q := range p.reads[class] {
		if hasState(behind, p.states[q].next[0]) {
			p.todo = append(p.todo, q)
		}
	}
	n := p.set(p.leading())
	if !p.spent {
		p.last[int(set)*p.t.width+class] = n + 1
	}
	return n
}

// possible returns the states from which a byte of a class can be read next, or all of the input can
// end.
func (p *guided) possible(class int) []uint64 {
	if p.until[class] == nil {
		p.todo = p.todo[:0]
		if class < p.t.width {
			p.todo = append(p.todo, p.reads[class]...)
		} else {
			for _, q := range p.parts[0].ends {
				if q != 0 {
					p.todo = append(p.todo, q)
				}
			}
		}
		p.until[class] = p.leading()
	}
	return p.until[class]
}

// setAt returns the set at a place. It reads the input backwards up to there where that was not done.
func (p *guided) setAt(src string, at int) uint16 {
	if p.known <= at {
		return p.at[at]
	}
	if p.known > len(src) {
		if cap(p.at) <= len(src) {
			p.at = make([]uint16, len(src)+1)
		}
		p.at = p.at[:len(src)+1]
		p.known = len(src)
		p.at[p.known] = p.set(p.possible(p.t.width))
	}
	n, width, at16 := p.at[p.known], p.t.width, p.at
	for i := p.known - 1; i >= at; i-- {
		class := int(p.t.classes[src[i]])
		to := p.last[int(n)*width+class]
		if to == 0 {
			if to = p.before(n, class) + 1; p.spent {
				return 0
			}
		}
		n = to - 1
		at16[i] = n
	}
	p.known = at
	return n
}

// place returns the number of a place.
func (p *guided) place(state, behind uint32) uint32 {
	at := guidePlace{state, behind}
	n, ok := p.placeIndex[at]
	if !ok {
		n = uint32(len(p.places))
		p.placeIndex[at] = n
		p.places, p.mark = append(p.places, at), append(p.mark, 0)
	}
	return n
}

// enter returns how a part goes on that a state calls without a frame.
func (p *guided) enter(call, outer uint32) uint32 {
	b := guideBehind{call, outer}
	n, ok := p.behindOf[b]
	if !ok {
		n = uint32(len(p.behinds))
		p.behindOf[b] = n
		p.behinds = append(p.behinds, b)
	}
	return n
}

// stateAt returns the state of a place.
func (p *guided) stateAt(place uint32) *guideState { return &p.states[p.places[place].state] }

// threadKey sets p.key to that of a list of threads.
func (p *guided) threadKey(threads []guideThread) []byte {
	p.key = p.key[:0]
	for _, t := range threads {
		p.key = binary.AppendUvarint(binary.AppendUvarint(p.key, uint64(t.place)), uint64(t.group))
	}
	return p.key
}

// groupsOf returns the number of groups of threads.
func groupsOf(threads []guideThread) (n uint32) {
	for _, t := range threads {
		n = max(n, t.group+1)
	}
	return n
}

// row returns the row of a list of threads.
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

// keep counts what is kept. If that is too much, p is spent.
func (p *guided) keep(n int) {
	p.kept += n
	p.spent = p.spent || p.kept > guidedKept
}

// list returns the list of a row.
func (p *guided) list(row guideMove) *guideRow { return &p.rows[int(row)/(p.t.width+1)] }

// frame returns the number of a frame of threads.
func (p *guided) frame(threads []guideThread) uint32 {
	n, ok := p.frameIndex[string(p.threadKey(threads))]
	if !ok {
		n = uint32(len(p.frames))
		p.frameIndex[string(p.key)] = n
		f := guideFrame{threads: threads, groups: groupsOf(threads)}
		for some := range f.after {
			f.after[some] = [2]guideAfter{p.behind(threads, some), p.behind(threads[:1], some)}
		}
		p.frames = append(p.frames, f)
		p.keep(4 * len(threads))
	}
	return n
}

// behind returns how threads go on after a call, in which something was read if some is 1.
func (p *guided) behind(calls []guideThread, some int) (a guideAfter) {
	var threads []guideThread
	for _, c := range calls {
		state := p.stateAt(c.place).next[2-some]
		to := p.place(state, p.places[c.place].behind)
		if state == 0 || slices.ContainsFunc(threads, func(t guideThread) bool { return t.place == to }) {
			continue
		}
		group := slices.Index(a.from, c.group)
		if group < 0 {
			group = len(a.from)
			a.from = append(a.from, c.group)
		}
		threads = append(threads, guideThread{to, uint32(group)})
	}
	a.row = p.row(threads)
	return a
}

// actsOf returns the number of a list of acts.
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

// move returns the move of a row at a class.
func (p *guided) move(row guideMove, class int) guideMove {
	m := p.cells[int(row)+class]
	if m == guideUnknown {
		m = p.decide(row, p.possible(class), true)
		p.cells[int(row)+class] = m
	}
	return m
}

// moveBy returns the move of a row where a set decides.
func (p *guided) moveBy(row guideMove, set uint16) guideMove {
	list := p.list(row)
	p.keep(max(0, int(set)+1-len(list.asked)))
	for len(list.asked) <= int(set) {
		list.asked = append(list.asked, guideUnknown)
	}
	m := list.asked[set]
	if m == guideUnknown {
		m = p.decide(row, p.sets[set], false)
		p.list(row).asked[set] = m
	}
	return m
}

// decide returns the move of a row where the states in a set are possible. With ask set it is
// guideAsk if there would be more groups behind it, or threads would be dropped.
//
// A step goes on through what one thread calls and what ends without having read, until a byte is
// read, so that most steps read one.
func (p *guided) decide(row guideMove, set []uint64, ask bool) guideMove {
	list := p.list(row)
	threads, most := list.threads, max(list.groups, 1)
	s := guideStep{plain: list.groups == 1}
	p.path = p.path[:0]
	for inside := false; ; inside = true {
		if p.now++; p.now == 0 {
			clear(p.mark)
			p.now = 1
		}
		p.leaves = p.leaves[:0]
		for _, t := range threads {
			if !inside {
				p.from = t.group
			}
			p.choose(p.places[t.place].state, p.places[t.place].behind, set)
		}
		if len(p.leaves) == 0 && s.dropped {
			return guideLost
		}
		if len(p.leaves) == 0 {
			return guideDead
		}
		first := p.stateAt(p.leaves[0].place)
		n := 1
		for n < len(p.leaves) && first.joins(p.stateAt(p.leaves[n].place)) {
			n++
		}
		leaves := p.leaves[:n]
		dropped := n < len(p.leaves)
		s.ways = s.ways[:0]
		var behind []guideThread
		for _, leaf := range leaves {
			group := slices.Index(s.ways, leaf.guideWay)
			if group < 0 {
				group = len(s.ways)
				s.ways = append(s.ways, leaf.guideWay)
			}
			behind = append(behind, guideThread{leaf.place, uint32(group)})
		}
		if ask && (dropped || len(s.ways) > int(most)) {
			return guideAsk
		}
		s.dropped = s.dropped || dropped
		switch first.op {
		case guideByte:
			p.read(&s, behind)
			return p.addStep(row, s)
		case guideCall:
			s.calls = append(s.calls, p.frame(behind))
			if n > 1 {
				s.does, s.to = guideCalls, p.row([]guideThread{{p.place(first.next[0], 0), 0}})
				s.plain = s.plain && len(s.ways) == 1
				return p.addStep(row, s)
			}
			threads = []guideThread{{p.place(first.next[0], 0), 0}}
		default:
			last := len(s.calls) - 1
			if last < 0 {
				s.does = guideReturns
				if p.places[leaves[0].place].state == p.parts[first.arg].ends[1] {
					s.does = guideReturnsSome
				}
				if first.arg == 0 {
					s.does = guideAccepts
				}
				return p.addStep(row, s)
			}
			call := p.frames[s.calls[last]].threads[0].place // in which nothing was read
			s.calls = s.calls[:last]
			threads = []guideThread{{p.place(p.stateAt(call).next[2], p.places[call].behind), 0}}
		}
		p.from, p.path = leaves[0].from, append(p.path[:0], p.acts[leaves[0].acts]...)
	}
}

// read has a step read a byte in some threads.
func (p *guided) read(s *guideStep, threads []guideThread) {
	ways := s.ways
	s.ways = nil
	var behind []guideThread
	groups := make([]int, len(ways)) // by group: the one behind plus 1, or 0
	if len(threads) > guidedThreads {
		threads, s.dropped = threads[:guidedThreads], true
	}
	for _, t := range threads {
		to := p.place(p.stateAt(t.place).next[0], p.places[t.place].behind)
		if slices.ContainsFunc(behind, func(t guideThread) bool { return t.place == to }) {
			continue
		}
		if groups[t.group] == 0 {
			s.ways = append(s.ways, ways[t.group])
			groups[t.group] = len(s.ways)
		}
		behind = append(behind, guideThread{to, uint32(groups[t.group] - 1)})
	}
	s.to = p.row(behind)
	s.plain = s.plain && len(s.ways) == 1
}

// joins reports whether threads in two leaves can go on together: both read, both call the same part, or
// both end it in the same way.
func (s *guideState) joins(o *guideState) bool {
	return s.op == o.op && (s.op == guideByte || s.op == guideCall && s.arg == o.arg)
}

// choose adds to leaves those that a place leads to, in the order of choices, as far as their states are in a
// set. Parts without frames it enters and leaves.
func (p *guided) choose(q, behind uint32, set []uint64) {
	if !hasState(set, q) {
		return
	}
	place := p.place(q, behind)
	if p.mark[place] == p.now {
		return
	}
	p.mark[place] = p.now
	switch s := &p.states[q]; s.op {
	case guideCall:
		if !p.parts[s.arg].framed {
			p.choose(s.next[0], p.enter(q, behind), set)
			return
		}
	case guideEnd:
		if !p.parts[s.arg].framed {
			some, b := 2, p.behinds[behind]
			if q == p.parts[s.arg].ends[1] {
				some = 1
			}
			p.choose(p.states[b.call].next[some], b.outer, set)
			return
		}
	case guideByte:
	case guideChoice:
		for _, to := range s.next {
			p.choose(to, behind, set)
		}
		return
	default:
		p.path = append(p.path, guideAct(s.op)<<guideActBits|guideAct(s.arg))
		p.choose(s.next[0], behind, set)
		p.path = p.path[:len(p.path)-1]
		return
	}
	p.leaves = append(p.leaves, guideLeaf{place, guideWay{p.from, p.actsOf(p.path)}})
}

// addStep returns a step of a row as a move.
func (p *guided) addStep(row guideMove, s guideStep) guideMove {
	simple := s.does == guideReads && len(s.calls) == 0 && !s.dropped
	simple = simple && len(s.ways) == int(p.list(row).groups)
	for i, w := range s.ways {
		simple = simple && w == guideWay{uint32(i), 0}
	}
	if simple {
		return s.to
	}
	s.ways = slices.Clone(s.ways)
	p.keep(len(s.ways) + len(s.calls) + 4)
	p.steps = append(p.steps, s)
	return guideSteps + guideMove(len(p.steps)-1)
}

// A generalGuided is the parser by a guide for a start, with a tree or without, or nil if it has
// none.
type generalGuided struct {
	start  Kind
	tree   bool
	parser *guided
}

// guidesKept is how many guides are kept.
const guidesKept = 8

// guidedBy returns the parser by a guide for the start of r, or nil if it has none.
func (r *generalRun) guidedBy(tree bool) *guided {
	for _, p := range r.guided {
		if p.start == r.start && p.tree == tree {
			return p.parser
		}
	}
	if len(r.guided) >= guidesKept {
		r.guided = r.guided[:0]
	}
	var p *guided
	if g := r.guideOf(r.start, tree); g != nil {
		p = newGuided(r.generalTables, g)
	}
	r.guided = append(r.guided, generalGuided{r.start, tree, p})
	return p
}

// guideOf returns the guide of a start, or nil if it has none. It is made when it is first needed.
func (t *generalTables) guideOf(start Kind, tree bool) *guide {
	t.guideLock.Lock()
	defer t.guideLock.Unlock()
	use := guideUse{start, !tree}
	g, ok := t.guides[use]
	if !ok {
		g = t.newGuide(start, tree)
		if t.guides == nil || len(t.guides) >= guidesKept {
			t.guides = map[guideUse]*guide{}
		}
		t.guides[use] = g
	}
	return g
}

// dropGuide has a start have no guide from now on.
func (t *generalTables) dropGuide(start Kind, tree bool) {
	t.guideLock.Lock()
	defer t.guideLock.Unlock()
	t.guides[guideUse{start, !tree}] = nil
}

// guide parses the input by the guide of the start. done is false where that does not tell whether
// the input is derived. If a limit is passed, r is over. With tree set the nodes are appended to
// r.nodes if the input is derived.
func (r *generalRun) guide(tree bool) (ok, done bool) {
	p := r.guidedBy(tree)
	if p == nil || p.spent || 2*len(r.src) > r.limits.items*generalItemBytes {
		return false, false
	}
	nodes := len(r.nodes)
	ok, done = p.parse(r)
	if !ok {
		r.nodes = r.nodes[:nodes]
	}
	if cap(p.at) > guidedRoom {
		p.at = nil
	}
	if cap(p.log) > guidedRoom/16 {
		p.log = nil
	}
	if p.spent { // it is not used again, and what it keeps is of no use
		*p = guided{spent: true}
		r.dropGuide(r.start, tree)
	}
	return ok, done
}

// parse is [generalRun.guide].
func (p *guided) parse(r *generalRun) (ok, done bool) {
	src, classes := r.src, &p.t.classes
	p.known, p.stack, p.log = len(src)+1, p.stack[:0], p.log[:0]
	p.unsafe, p.split, p.top, p.dropped = 0, 0, -1, false
	q := p.row([]guideThread{{p.place(p.parts[0].entry, 0), 0}})
	cells := p.cells
	for i, end := 0, 0; ; {
		for i < end {
			m := cells[int(q)+int(classes[src[i]])]
			if m >= guideUnknown {
				break
			}
			q = m
			i++
		}
		if i == end && i < len(src) {
			end = min(len(src), i+guidedPause)
			if r.steps += end - i; r.steps > r.pause && r.tired() {
				r.at = i
				return false, true
			}
			continue
		}
		class := r.class(i)
		m := cells[int(q)+class]
		if m == guideUnknown {
			m = p.move(q, class)
		}
		if m == guideAsk {
			if set := p.setAt(src, i); !p.spent {
				m = p.moveBy(q, set)
			}
		}
		if cells = p.cells; p.spent {
			return false, false
		}
		switch {
		case m < guideUnknown:
			q = m
			i++
			continue
		case m <= guideLost:
			return false, m == guideDead && !p.dropped
		}
		s := &p.steps[m-guideSteps]
		if r.steps++; r.steps > r.pause && r.tired() {
			r.at = i
			return false, true
		}
		if len(s.calls) > 0 || s.dropped {
			if !p.call(r, s) {
				return false, false
			}
		}
		var after *guideAfter
		switch s.does {
		case guideReturns, guideReturnsSome:
			after = p.leave(int(s.does - guideReturns))
			q = after.row
		default:
			q = s.to
		}
		if s.plain && len(p.log) == 0 {
			ok = s.ways[0].acts == 0 || p.act(r, s.ways[0].acts, int32(i))
		} else {
			p.log = append(p.log, guideEvent{uint32(m - guideSteps), int32(i), after, 0})
			ok = p.split > 0 || s.does != guideAccepts && p.list(q).groups > 1 || p.settle(r)
		}
		if !ok {
			r.at = i
			return false, r.over
		}
		switch s.does {
		case guideReads:
			i++
		case guideAccepts:
			return true, true
		}
	}
}

// call pushes the frames of a step. It returns false if that takes too much memory.
func (p *guided) call(r *generalRun, s *guideStep) bool {
	for _, f := range s.calls {
		p.stack = append(p.stack, f)
		if p.frames[f].groups > 1 {
			p.split++
		}
	}
	if s.dropped {
		p.dropped = true
		p.unsafe = len(p.stack)
	}
	return 4*len(p.stack)+len(p.log)*24 < r.limits.items*generalItemBytes
}

// leave pops a frame, and returns how its threads go on. If a thread was dropped since they called,
// that is the first alone.
func (p *guided) leave(some int) *guideAfter {
	last := len(p.stack) - 1
	f := &p.frames[p.stack[last]]
	p.stack = p.stack[:last]
	if f.groups > 1 {
		p.split--
	}
	first := 0
	if p.unsafe > last {
		p.unsafe, first = last, 1
	}
	return &f.after[some][first]
}

// settle does what is in the log, once one group is left: it goes back from there to find which ways
// led to it, and then forward to act. It returns what act does.
func (p *guided) settle(r *generalRun) bool {
	group := uint32(0)
	p.picks = p.picks[:0] // groups of the frames that were left in the part of the log that is behind
	pick := func() (g uint32) {
		if n := len(p.picks) - 1; n >= 0 { // else the frame is still open, and has one group
			g = p.picks[n]
			p.picks = p.picks[:n]
		}
		return g
	}
	for i := len(p.log) - 1; i >= 0; i-- {
		e := &p.log[i]
		s := &p.steps[e.step]
		switch {
		case e.after != nil:
			p.picks = append(p.picks, e.after.from[group])
			group = 0
		case s.does == guideCalls:
			group = pick()
			for range len(s.calls) - 1 {
				pick()
			}
		default:
			for range s.calls {
				pick()
			}
		}
		e.acts = s.ways[group].acts
		group = s.ways[group].from
	}
	for _, e := range p.log {
		if e.acts != 0 && !p.act(r, e.acts, e.at) {
			return false
		}
	}
	p.log = p.log[:0]
	return true
}

// act changes the tree at a place. It returns false if a limit is passed, or else r.over is not set,
// if nodes cannot be made.
func (p *guided) act(r *generalRun, acts uint32, at int32) bool {
	for _, a := range p.acts[acts] {
		switch kind := Kind(a & (1<<guideActBits - 1)); guideOp(a >> guideActBits) {
		case guideOpen:
			if len(r.nodes) == cap(r.nodes) {
				r.room(at)
			}
			r.nodes = append(r.nodes, Raw{Kind: kind, Start: at, Next: p.top})
			p.top = int32(len(r.nodes) - 1)
		case guideClose:
			n := &r.nodes[p.top]
			p.top, n.End, n.Next = n.Next, at, int32(len(r.nodes)-r.base)
		case guideBegin:
			p.began = at
		case guideMake:
			if r.prove(kind, p.began, at); r.over {
				r.over = r.tired()
				return false
			}
		}
	}
	return true
}
