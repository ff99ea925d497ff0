package ast

import (
	"iter"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file builds a guide: the finite automaton by which the general parser reads most inputs in
// linear time. generalguided.go says how it is used, and why the tree is the right one.
//
// A guide is made from the networks of a start by inlining: each call of a production is replaced by
// a copy of its network, so that a state knows what it is used for. Productions that are not inlined
// are parts, which states call. There are two reasons to make a part of a production:
//
//   - It is inside itself. Each cycle of calls has a part, since inlining would not end otherwise.
//     These parts are framed: a parser pushes a frame when it calls one.
//   - It is used so often that its copies would take too many states. Calls of such parts nest only
//     as deep as the grammar has productions, and need no frame.
//
// Read without a stack, where a part may return to any of its calls, a guide is a finite automaton.
// It accepts all that the start derives and some more: it is a regular approximation.
//
// Which production of a cycle becomes the part matters. Threads of the parser stay together as long
// as they call the same framed parts at the same places, so one that begins with a bracket is a good
// choice.

// A guideOp is the operation of a state of a guide.
type guideOp uint8

const (
	guideChoice guideOp = iota // goes on at the first possible successor; dead if there is none
	guideByte                  // reads a byte of the set in its argument
	guideOpen                  // opens a node of the kind in its argument
	guideClose                 // closes the innermost node
	guideBegin                 // begins a proven production
	guideMake                  // ends it: code makes the nodes of the kind in its argument
	guideCall                  // calls the part in its argument: next has its entry, and then see afterCall
	guideEnd                   // ends the part in its argument
	guideWrap                  // opens a node of the kind in its argument around the one that was closed last
)

// A caller goes on in one state if the call read nothing, and in another if it read something. What
// depends on that is an array with these two indexes.
const (
	readNothing = iota
	readSome
)

// A guideState is a state of a guide. State 0 is dead. The next of a call is the entry of the part,
// then the state after a part that has read nothing, then that after one that has read something;
// see afterCall.
type guideState struct {
	op   guideOp
	arg  uint32
	next []uint32
}

// afterCall returns the state after a call: read is readNothing or readSome.
func (s *guideState) afterCall(read int) uint32 { return s.next[1+read] }

// A guide is the automaton of a start. It does not change once it is built.
type guide struct {
	states []guideState
	parts  []guidePart
	back   [][]uint32 // by state: those that lead to it without reading, by calls and returns too
	reads  [][]uint32 // by class: the states that read it
	strict bool       // the order of its choices may not be that of the tree: see generalguideleft.go
}

// size returns about how many elements the lists of g have. g may be nil.
func (g *guide) size() int {
	if g == nil {
		return 0
	}
	n := 8 * len(g.states)
	for _, lists := range [][][]uint32{g.back, g.reads} {
		for _, list := range lists {
			n += len(list)
		}
	}
	return n
}

// readBefore returns whether the part that ends in a state has read something: readNothing or
// readSome.
func (g *guide) readBefore(end uint32) int {
	if g.parts[g.states[end].arg].ends[readSome] == end {
		return readSome
	}
	return readNothing
}

// A guidePart is a production that is called instead of inlined. Part 0 is the start.
type guidePart struct {
	guideUse
	framed bool // it can be inside itself, or is the start
	entry  uint32
	ends   [2]uint32 // the state that ends it after readNothing and after readSome, or 0
}

// A guideUse is a production, and whether its nodes are left out, as inside a proven one.
type guideUse struct {
	kind   Kind
	silent bool
}

// guideStates caps the states of a guide: as estimated before they are made, and doubled for those
// that are made. guidePassed caps the states that are skipped in one go, because all they do is lead
// to another one: a network can have a cycle of these.
const (
	guideStates = 1 << 12
	guidePassed = 1 << 16
)

// guideLoopStates is guideStates for a guide with loops of left recursion. Where these are inside each
// other, as the levels of an expression, to copy the inner ones pays less: most threads call them together.
const guideLoopStates = 1 << 10

// guideMany caps counts of states and copies, so that the product of two fits into any int.
const guideMany = 1 << 15

// newGuide returns the guide of a start; with tree set, it makes nodes. It returns nil if there are scanners, if the
// start is proven, if some production that it uses can be inside itself with the same text or has left recursion that
// no loop stands for (see isLoop), if something can be repeated without reading, and if the guide would be too large.
// The caller holds t.guideLock.
func (t *generalTables) newGuide(start Kind, tree bool) *guide {
	if len(t.scanners) > 0 || t.proven[start] {
		return nil
	}
	b := guideBuilder{generalTables: t, tree: tree}
	if !b.survey(start) {
		return nil
	}
	b.breakCycles(start)
	b.framed = slices.Clone(b.called)
	// The size is estimated. If the estimate was too low, the next attempt has more parts.
	most := b.mostStates()
	for size := most; size >= most/8; size /= 2 {
		if !b.limitStates(start, size) || !b.build(start) {
			continue
		}
		if b.loopsWithoutReading() {
			return nil
		}
		b.linkBack()
		return b.made
	}
	return nil
}

// A guideBuilder builds a guide. Its fields called states and back are those of the networks.
type guideBuilder struct {
	*generalTables
	tree bool
	made *guide

	used   []Kind      // the productions that the start uses
	uses   []guideUses // by kind
	begins []int       // by kind: with how many bytes it can begin; 256 if it derives the empty string
	called []bool      // by kind: it is a part
	framed []bool      // by kind: it is a part that can be inside itself
	order  []Kind      // those that are used, each after those that it is inlined into

	contexts numbering[guideContext]
	partOf   map[guideUse]uint32
	index    map[guideKey]uint32
	entries  map[uint32]uint32 // by context: the state that begins its node
	loops    map[uint32]uint32 // by context: the state that begins its loop
	todo     []guideKey        // the keys of states that are numbered, and not made yet
	endless  bool              // a cycle of states that do nothing was met
}

// A numbering numbers values from 0 on, in the order of their first use.
type numbering[K comparable] struct {
	list []K
	of   map[K]uint32
}

// number returns the number of a value. A new value gets the next one.
func (n *numbering[K]) number(k K) uint32 {
	i, ok := n.of[k]
	if !ok {
		if n.of == nil {
			n.of = map[K]uint32{}
		}
		i = uint32(len(n.list))
		n.of[k] = i
		n.list = append(n.list, k)
	}
	return i
}

// A guideContext is one copy of a production: it tells where the production is inlined.
type guideContext struct {
	guideUse
	called Kind   // it is in the loop of this production if it is left-recursive, and otherwise this one
	outer  uint32 // the context of the call, or outermost if the production is a part
	call   uint32 // the state of the network that calls it
	read   bool   // the production around it has read something before the call
	part   uint32 // of outermost: the part
}

// outermost is the outer of a context that is a part.
const outermost = ^uint32(0)

// A guideKey identifies a state of a guide: a state of a network, in a context. The end of a
// production that has a node is two states: the first closes the node, closed is set in the second.
// The end of a left-recursive one has one more, exited, in which its loop was left.
type guideKey struct {
	state  uint32
	in     uint32 // the context
	read   bool   // the production has read something
	closed bool
	exited bool
}

// A guideUses is the calls of a production, and the number of states of its network.
type guideUses struct {
	calls []Kind
	own   int
}

// survey sets b.used, the productions that a start uses with itself, and for all productions b.uses and b.begins, and
// makes b.called, without any part yet. It returns false if one that is used can be inside itself with the same text,
// or is left-recursive and no loop, or if their networks alone have too many states; b.used and b.begins are then not
// complete. The caller holds t.guideLock, since it also finds left recursion, as findLeft does.
func (b *guideBuilder) survey(start Kind) bool {
	kinds := len(b.starts)
	b.uses = make([]guideUses, kinds)
	b.begins = make([]int, kinds)
	b.called = make([]bool, kinds)
	b.findLeft()
	for q, s := range b.states {
		u := &b.uses[b.of[q]]
		u.own++
		for range b.copiesOfCall(q) { // a call is listed once for each copy
			u.calls = append(u.calls, Kind(s.arg))
		}
	}
	b.joinUses()
	own := 0
	for k, used := range b.reachable(start, b.inlinedCalls) { // so far everything is inlined
		if !used && Kind(k) != start {
			continue
		}
		b.used = append(b.used, Kind(k))
		own += b.uses[k].own
		if own > guideStates || b.cyclic[k] {
			return false
		}
		if c := b.leftOf[k]; c != nil && !b.isLoop(c, start) {
			return false
		}
	}
	for x := range 256 {
		for k := range kinds {
			if b.first[k*b.width+int(b.classes[x])] {
				b.begins[k]++
			}
		}
	}
	for _, s := range b.states {
		if s.op == opcode.Call && s.next[1] != 0 {
			b.begins[s.arg] = 256 // it derives the empty string, so that any byte may be next
		}
	}
	return true
}

// inlinedCalls returns the calls of a production that are inlined.
func (b *guideBuilder) inlinedCalls(k Kind) iter.Seq[Kind] {
	return func(yield func(Kind) bool) {
		for _, to := range b.uses[k].calls {
			if !b.called[to] && !yield(to) {
				return
			}
		}
	}
}

// breakCycles makes parts of productions until no production is inlined into itself. It is a greedy
// search for a small feedback vertex set. Productions that begin with few bytes, such as brackets,
// are tried first: where one of these begins, mostly all threads call it. b.order means nothing
// afterwards.
func (b *guideBuilder) breakCycles(start Kind) {
	list := slices.Clone(b.used)
	slices.SortStableFunc(list, func(x, y Kind) int { return b.begins[x] - b.begins[y] })
	var parts []Kind
	for _, k := range list {
		if b.sortCalls(start) {
			break // no cycle is left
		}
		if b.reachable(k, b.inlinedCalls)[k] {
			b.called[k] = true
			parts = append(parts, k)
		}
	}
	for _, k := range slices.Backward(parts) { // later parts may have made earlier ones superfluous
		b.called[k] = false
		if !b.sortCalls(start) {
			b.called[k] = true
		}
	}
}

// sortCalls sets b.order, a topological order of the inlined calls. It returns false if there is
// none, because some production is inlined into itself; b.order then means nothing.
func (b *guideBuilder) sortCalls(start Kind) bool {
	const onPath, done = 1, 2
	marks := make([]uint8, len(b.starts))
	b.order = b.order[:0]
	ok := true
	var visit func(k Kind)
	visit = func(k Kind) {
		marks[k] = onPath
		for to := range b.inlinedCalls(k) {
			switch marks[to] {
			case 0:
				visit(to)
			case onPath:
				ok = false
			}
		}
		marks[k] = done
		b.order = append(b.order, k)
	}
	visit(start)
	for k := range b.called {
		if b.called[k] && marks[k] == 0 {
			visit(Kind(k))
		}
	}
	slices.Reverse(b.order)
	return ok
}

// limitStates makes parts of more productions until the guide has at most that many states, as countCopies estimates
// them. No production may be inlined into itself any more: see breakCycles. Each time limitStates takes the
// production whose copies cost most, with a frame if it is left-recursive. It returns false if that is not enough. It
// sets b.order, and the parts stay in b.called and b.framed in any case.
func (b *guideBuilder) limitStates(start Kind, most int) bool {
	for {
		b.sortCalls(start)
		copies, states := b.countCopies(start)
		if states <= most {
			return true
		}
		k, ok := b.costliest(copies)
		if !ok {
			return false
		}
		b.called[k] = true
		b.framed[k] = b.leftOf[k] != nil // without a frame, a thread can be at twice as many places with each loop
	}
}

// countCopies returns, by kind, how many copies of each network the guide has, and how many states
// these have together, each number capped at guideMany. A production has a copy for each copy of those that it is
// inlined into, which come before it in b.order.
func (b *guideBuilder) countCopies(start Kind) (copies []int, states int) {
	copies = make([]int, len(b.starts))
	copies[start] = 1
	for k := range b.called {
		if b.called[k] {
			copies[k] = 1
		}
	}
	for _, k := range b.order {
		for to := range b.inlinedCalls(k) {
			copies[to] = min(copies[to]+copies[k], guideMany)
		}
		states = min(states+copies[k]*b.uses[k].own, guideMany)
	}
	return copies, states
}

// costliest returns the production that saves most states if it becomes a part. The copies beyond
// the first are saved, each with all that is inlined into it. ok is false if nothing saves any. copies and b.order are
// those of the parts so far.
func (b *guideBuilder) costliest(copies []int) (costly Kind, ok bool) {
	sizes := make([]int, len(b.starts)) // of a copy, with all that is inlined into it
	most := 0
	for _, k := range slices.Backward(b.order) {
		sizes[k] = b.uses[k].own
		for to := range b.inlinedCalls(k) {
			sizes[k] = min(sizes[k]+sizes[to], guideMany)
		}
		saved := (copies[k] - 1) * sizes[k]
		if !b.called[k] && saved > most {
			most, costly = saved, k
		}
	}
	return costly, most > 0
}

// build makes b.made anew, but for what linkBack sets. It returns false if there are more than
// twice guideStates states, or if states that do nothing form a cycle; b.made is then not complete.
// A cycle stays noted in b.endless, so that later attempts fail as well.
func (b *guideBuilder) build(start Kind) bool {
	b.made = &guide{states: make([]guideState, 1)}
	b.contexts, b.todo = numbering[guideContext]{}, nil
	b.partOf = map[guideUse]uint32{}
	b.index = map[guideKey]uint32{}
	b.entries = map[uint32]uint32{}
	b.loops = map[uint32]uint32{}
	b.addPart(guideUse{start, !b.tree}, true)
	for len(b.todo) > 0 {
		if len(b.made.states) > 2*guideStates || b.endless {
			return false
		}
		k := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		s := b.makeState(k)
		b.made.states[b.index[k]] = s
	}
	return !b.endless
}

// addPart adds a part with its entry, and returns its number. There must be none for this use yet. With root set it is
// the start, which is no callee: a call of the same production has another part.
func (b *guideBuilder) addPart(u guideUse, root bool) uint32 {
	part := uint32(len(b.made.parts))
	framed := root || b.framed[u.kind]
	b.made.parts = append(b.made.parts, guidePart{guideUse: u, framed: framed})
	if !root {
		b.partOf[u] = part
	}
	context := guideContext{guideUse: u, called: u.kind, outer: outermost, part: part}
	entry := b.enter(b.contexts.number(context))
	b.made.parts[part].entry = entry
	return part
}

// add adds a state, and returns its number.
func (b *guideBuilder) add(s guideState) uint32 {
	b.made.states = append(b.made.states, s)
	return uint32(len(b.made.states) - 1)
}

// state returns the number of the state for a key. A state that is new is made later, by build. A
// key that would do nothing but lead to another stands for that one: a choice with one successor,
// the call of an inlined production and, unless a node is still to be closed, its end. The number is 0 where nothing
// goes on, as at a call that a loop stands for. It is also 0 after guidePassed such keys, and b.endless is then set.
func (b *guideBuilder) state(k guideKey) uint32 {
	for range guidePassed {
		if k.state == 0 {
			return 0
		}
		s, c := &b.states[k.state], b.contexts.list[k.in]
		switch {
		case s.op == opcode.Choice && len(s.next) == 1:
			k.state = s.next[0]
		case s.op == opcode.Call && !k.read && b.inOneLoop(c.kind, Kind(s.arg)):
			return 0 // the loop begins with another production, and makeTurn goes on after the call
		case s.op == opcode.Call && !b.called[s.arg]:
			use := b.useIn(Kind(s.arg), &c)
			inner := guideContext{guideUse: use, called: use.kind, outer: k.in, call: k.state, read: k.read}
			in := b.contexts.number(inner)
			if _, _, ok := b.nodeOps(&inner); ok || b.leftOf[use.kind] != nil {
				return b.enter(in)
			}
			k = guideKey{state: b.starts[s.arg], in: in}
		case s.op == opcode.End && c.outer != outermost && !b.closes(k) && !b.turns(k):
			after := b.states[c.call].next
			if k.read {
				k = guideKey{state: after[0], in: c.outer, read: true}
			} else {
				k = guideKey{state: after[1], in: c.outer, read: c.read}
			}
		default:
			return b.numberOf(k)
		}
	}
	b.endless = true
	return 0
}

// numberOf returns the number of the state for a key as it stands, which build makes if it is new.
func (b *guideBuilder) numberOf(k guideKey) uint32 {
	n, ok := b.index[k]
	if !ok {
		n = b.add(guideState{})
		b.index[k] = n
		b.todo = append(b.todo, k)
	}
	return n
}

// useIn returns the use of a production in a context. Code makes all nodes of a proven production,
// so that what is inside one is silent.
func (b *guideBuilder) useIn(k Kind, c *guideContext) guideUse {
	return guideUse{k, c.silent || b.madeByCode(c.kind)}
}

// madeByCode reports whether code makes the nodes of a production: it is proven, and has some.
func (b *guideBuilder) madeByCode(k Kind) bool { return b.proven[k] && !b.plain[k] }

// nodeOps returns the operations before and after a production that make its nodes. ok is false if
// none are made, as in what is silent. Otherwise the start always has a node.
func (b *guideBuilder) nodeOps(c *guideContext) (before, after guideOp, ok bool) {
	root := c.outer == outermost && c.part == 0
	switch {
	case c.silent:
		return 0, 0, false
	case b.madeByCode(c.kind) && !root:
		return guideBegin, guideMake, true
	case b.node[c.kind] || root:
		return guideOpen, guideClose, true
	}
	return 0, 0, false
}

// closes reports whether the end of a production still has to close its node.
func (b *guideBuilder) closes(k guideKey) bool {
	_, _, ok := b.nodeOps(&b.contexts.list[k.in])
	return ok && !k.closed
}

// enter returns the state in which a production begins, in a context: that of its loop if it is
// left-recursive, and otherwise as entry does.
func (b *guideBuilder) enter(in uint32) uint32 {
	if b.leftOf[b.contexts.list[in].kind] != nil {
		return b.enterLoop(in)
	}
	return b.entry(in)
}

// entry returns the state in which a production begins, in a context. If the production has a node,
// this is the state that opens it, which the first call adds.
func (b *guideBuilder) entry(in uint32) uint32 {
	if n, ok := b.entries[in]; ok {
		return n
	}
	c := b.contexts.list[in]
	first := guideKey{state: b.starts[c.kind], in: in}
	before, _, ok := b.nodeOps(&c)
	if !ok {
		return b.state(first)
	}
	n := b.add(guideState{}) // numbered before its body, in case that leads back to it
	b.entries[in] = n
	body := b.state(first)
	b.made.states[n] = guideState{before, uint32(c.kind), []uint32{body}}
	return n
}

// makeState returns the state for a key, which the caller stores. It numbers the states that this one leads to, adds
// parts that it calls, and enters the end of a part into the ends of that part.
func (b *guideBuilder) makeState(k guideKey) guideState {
	s := &b.states[k.state]
	switch s.op {
	case opcode.Byte:
		to := b.state(guideKey{state: s.next[0], in: k.in, read: true})
		return guideState{guideByte, s.arg, []uint32{to}}
	case opcode.Choice:
		var next []uint32
		for _, q := range s.next {
			if q != 0 {
				next = append(next, b.state(guideKey{state: q, in: k.in, read: k.read}))
			}
		}
		return guideState{op: guideChoice, next: next}
	case opcode.Call:
		return b.makeCall(k, s)
	case opcode.End:
		return b.makeEnd(k)
	}
	return guideState{}
}

// makeCall makes the state that calls a part, and adds the part if there is none yet for this use.
func (b *guideBuilder) makeCall(k guideKey, s *automatonState) guideState {
	use := b.useIn(Kind(s.arg), &b.contexts.list[k.in])
	part, ok := b.partOf[use]
	if !ok {
		part = b.addPart(use, false)
	}
	some := b.state(guideKey{state: s.next[0], in: k.in, read: true})
	nothing := b.state(guideKey{state: s.next[1], in: k.in, read: k.read})
	return guideState{guideCall, part, []uint32{b.made.parts[part].entry, nothing, some}}
}

// makeEnd makes the state that ends a production. It closes its node, or goes on in its loop, or else
// ends the part that the production is, and is entered into the ends of that part.
func (b *guideBuilder) makeEnd(k guideKey) guideState {
	c := b.contexts.list[k.in]
	if b.closes(k) {
		_, after, _ := b.nodeOps(&c)
		closed := k
		closed.closed = true
		return guideState{after, uint32(c.kind), []uint32{b.state(closed)}}
	}
	if b.turns(k) {
		return b.makeTurn(k)
	}
	read := readNothing
	if k.read {
		read = readSome
	}
	b.made.parts[c.part].ends[read] = b.index[k]
	return guideState{op: guideEnd, arg: c.part}
}

// unread returns the successors of a state that are reached without reading. Parts that are called
// count as far as they read nothing; where a part that ends goes on is left to its callers.
func (s *guideState) unread() []uint32 {
	switch s.op {
	case guideByte, guideEnd:
		return nil
	case guideCall:
		return []uint32{s.next[0], s.afterCall(readNothing)}
	}
	return s.next
}

// loopsWithoutReading reports whether a state leads to itself without reading.
func (b *guideBuilder) loopsWithoutReading() bool {
	unread := make([][]uint32, len(b.made.states)) // by state: see unread
	for q := range unread {
		unread[q] = b.made.states[q].unread()
	}
	return slices.ContainsFunc(onCycles(unread), func(cycle int) bool { return cycle > 0 })
}

// linkBack sets back and reads of the guide, whose states are all made.
func (b *guideBuilder) linkBack() {
	g := b.made
	g.back = make([][]uint32, len(g.states))
	g.reads = make([][]uint32, b.width)
	link := func(from, to uint32) {
		if from != 0 && to != 0 {
			g.back[to] = append(g.back[to], from)
		}
	}
	for i := range g.states {
		s, q := &g.states[i], uint32(i)
		switch s.op {
		case guideByte:
			for class := range b.width {
				if b.members[int(s.arg)*b.width+class] {
					g.reads[class] = append(g.reads[class], q)
				}
			}
		case guideCall:
			// Where the call goes on, what comes before is the end of the part, not the call.
			link(q, s.next[0])
			for read, end := range g.parts[s.arg].ends {
				link(end, s.afterCall(read))
			}
		default:
			for _, to := range s.next {
				link(q, to)
			}
		}
	}
}
