package ast

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file lets a guide read left recursion as a loop: in the notation of ABNF, it reads A = A a / b
// as b *a. Where the b ends it closes a node of A, and each a adds a node of A that wraps all that was
// read since the b began. A node that wraps others is made after them, but the list of nodes is in
// pre-order: once the input is read, placeNodes moves it before them.
//
// Productions may also begin with each other: A = B a / b and B = A c / d. The loop of such a component
// starts in any of its productions, by an alternative that begins with none of them. Where one of them,
// say X, ends, the loop is left if X is the one that was called. Or it goes on in a production that
// begins with X, after that X. This is the left-corner transform of D. Rosenkrantz and P. Lewis,
// "Deterministic Left Corner Parsing", 1970, for the component alone.
//
// The order of choices is lost: a parser that descends chooses the outermost node first, and the loop
// the innermost. So such a guide is strict: it decides only if there is one tree, that is, if no two
// threads with different nodes are possible to the end.

// A leftComponent is the productions that can begin with each other, or one production that can begin
// with itself.
type leftComponent struct {
	kinds  []Kind
	calls  []uint32 // the states that call one of kinds at the beginning of one of them
	hidden bool     // one begins with another after the empty string, which is no beginning of a loop
	mixed  bool     // some are nodes and others are not, or code makes the nodes of some
}

// How a state of a network is reached from the beginning of its production, as bits.
const (
	reachedFirst   = 1 << iota // past no call, without reading
	reachedSkipped             // past calls of the empty string, without reading
	reachedReading             // after something was read
)

// findReached returns, by state, how it is reached from the beginning of its production, as the bits above: several
// if there are several ways, and 0 if there is none.
func (t *generalTables) findReached() []uint8 {
	reached := make([]uint8, len(t.states))
	type visit struct {
		state uint32
		how   uint8
	}
	var todo []visit
	for _, q := range t.starts {
		todo = append(todo, visit{q, reachedFirst})
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v.state == 0 || reached[v.state]&v.how != 0 {
			continue
		}
		reached[v.state] |= v.how
		switch s := &t.states[v.state]; s.op {
		case opcode.Byte:
			todo = append(todo, visit{s.next[0], reachedReading})
		case opcode.Call: // its first successor follows a call that read something, the second one that read nothing
			todo = append(todo, visit{s.next[0], reachedReading})
			// The larger of the two: what was reached by reading stays so.
			todo = append(todo, visit{s.next[1], max(v.how, reachedSkipped)})
		default: // nothing is read
			for _, to := range s.next {
				todo = append(todo, visit{to, v.how})
			}
		}
	}
	return reached
}

// findLeft sets t.reached, and t.leftOf to the component of each left-recursive production, nil for
// others. It does so once. The caller holds t.guideLock.
func (t *generalTables) findLeft() {
	if t.leftOf != nil {
		return
	}
	t.reached = t.findReached()
	begins := make([][]Kind, len(t.starts)) // by kind: the productions that it can begin with
	for q, s := range t.states {
		if s.op == opcode.Call && t.reached[q]&(reachedFirst|reachedSkipped) != 0 {
			begins[t.of[q]] = append(begins[t.of[q]], Kind(s.arg))
		}
	}
	t.leftOf = make([]*leftComponent, len(t.starts))
	components := map[int]*leftComponent{}
	for k, number := range onCycles(begins) {
		if number == 0 { // it is in no component
			continue
		}
		c := components[number]
		if c == nil {
			c = &leftComponent{}
			components[number] = c
		}
		t.leftOf[k] = c
		c.kinds = append(c.kinds, Kind(k))
		if t.node[k] != t.node[c.kinds[0]] || t.proven[k] {
			c.mixed = true
		}
	}
	for q, s := range t.states {
		if s.op != opcode.Call || !t.inOneLoop(t.of[q], Kind(s.arg)) {
			continue
		}
		c := t.leftOf[t.of[q]]
		c.hidden = c.hidden || t.reached[q]&reachedSkipped != 0
		if t.reached[q]&reachedFirst != 0 {
			c.calls = append(c.calls, uint32(q))
		}
	}
}

// inOneLoop reports whether two productions are in one component of left recursion.
func (t *generalTables) inOneLoop(k, other Kind) bool {
	return t.leftOf[k] != nil && t.leftOf[k] == t.leftOf[other]
}

// copiesOfCall estimates how many copies of the called production a state of a network makes, for each
// copy of its own production. It is none if the state calls nothing, or if the loop stands for the call.
// In a loop it is two if the state is reached before something was read and after it, as most are: in a
// guide these are two states.
func (b *guideBuilder) copiesOfCall(q int) int {
	s, kind, reached := &b.states[q], b.of[q], b.reached[q]
	switch {
	case s.op != opcode.Call:
		return 0
	case b.leftOf[kind] == nil:
		return 1
	case b.inOneLoop(kind, Kind(s.arg)) && reached == reachedFirst:
		return 0
	case reached&reachedReading != 0 && reached != reachedReading:
		return 2
	}
	return 1
}

// joinUses gives each production of a component the uses of all of them together, since a call of one
// is a loop through the copies of all. They share a slice.
func (b *guideBuilder) joinUses() {
	joined := map[*leftComponent]guideUses{}
	for k, c := range b.leftOf {
		if c != nil {
			all := joined[c]
			all.calls = append(all.calls, b.uses[k].calls...)
			all.own += b.uses[k].own
			joined[c] = all
		}
	}
	for k, c := range b.leftOf {
		if c != nil {
			b.uses[k] = joined[c]
		}
	}
}

// mostStates returns the limit on the estimated number of states of a guide of the productions that are
// used.
func (b *guideBuilder) mostStates() int {
	for _, k := range b.used {
		if b.leftOf[k] != nil {
			return guideLoopStates
		}
	}
	return guideStates
}

// isLoop reports whether a loop can stand for a component, in the guide of a start. It cannot if one of its
// productions begins with another after the empty string, or can be inside itself with the same text. In a guide
// that makes nodes it also cannot if only some of them are nodes, if code makes the nodes of some, or if the start
// is one of them and a node only as the root.
func (b *guideBuilder) isLoop(c *leftComponent, start Kind) bool {
	if c.hidden || b.tree && c.mixed {
		return false
	}
	for _, k := range c.kinds {
		// The root is a node even if its production is none elsewhere: in the rounds of its loop, say.
		isNodeAsRoot := b.tree && k == start && !b.node[k]
		if b.cyclic[k] || isNodeAsRoot {
			return false
		}
	}
	return true
}

// enterLoop returns the state in which the loop of a left-recursive production begins, in its context:
// a choice of the productions of its component, each without the calls of them at its beginning, which
// [guideBuilder.state] leaves out. The first call for a context adds the state. It makes all of the guide strict if
// nodes are made there.
func (b *guideBuilder) enterLoop(in uint32) uint32 {
	if n, ok := b.loops[in]; ok {
		return n
	}
	n := b.add(guideState{}) // numbered before its successors, in case these lead back to it
	b.loops[in] = n
	c := b.contexts.list[in]
	b.made.strict = b.made.strict || !c.silent // without nodes the order of choices does not matter
	s := guideState{op: guideChoice}
	for _, k := range b.leftOf[c.kind].kinds {
		member := c
		member.kind = k
		s.next = append(s.next, b.entry(b.contexts.number(member)))
	}
	b.made.states[n] = s
	return n
}

// turns reports whether at k, the end of a production, that is in a loop which was not left yet.
func (b *guideBuilder) turns(k guideKey) bool {
	return b.leftOf[b.contexts.list[k.in].kind] != nil && !k.exited
}

// makeTurn returns, for the caller to store, the state after a production of a loop has ended, and its node was
// closed: a choice of leaving the loop, if the production is the one that was called, and of going on after each call
// of it that is a beginning, within a new node if the calling production is one. It adds states for these.
func (b *guideBuilder) makeTurn(k guideKey) guideState {
	s := guideState{op: guideChoice}
	c := b.contexts.list[k.in]
	if c.kind == c.called {
		leaving := k
		leaving.exited = true
		s.next = append(s.next, b.state(leaving))
	}
	for _, call := range b.leftOf[c.kind].calls {
		if Kind(b.states[call].arg) != c.kind {
			continue
		}
		after := b.states[call].next[1] // if nothing was read
		if k.read {
			after = b.states[call].next[0]
		}
		around := c
		around.kind = b.of[call]
		to := b.state(guideKey{state: after, in: b.contexts.number(around), read: k.read})
		if _, _, isNode := b.nodeOps(&around); isNode && to != 0 { // 0 leads nowhere
			to = b.add(guideState{op: guideWrap, arg: uint32(around.kind), next: []uint32{to}})
		}
		s.next = append(s.next, to)
	}
	return s
}

// wrap opens a node around the one that was closed last, and makes it p.top. The new node starts
// where the other one does; at is how far the input was read, from which room estimates. r.over may
// be set, as by room. Until placeNodes has moved it, a Start of -1 marks the new node as a wrapper,
// which is too late in the list, and a complemented End marks the other one as wrapped.
func (p *guided) wrap(r *generalRun, kind Kind, at int32) {
	if len(r.nodes) == cap(r.nodes) {
		r.room(at)
	}
	closed := &r.nodes[p.closed]
	closed.End = ^closed.End
	r.nodes = append(r.nodes, Raw{Kind: kind, Start: -1, Next: p.top})
	p.top = int32(len(r.nodes) - 1)
	p.wraps++
}

// guideWaiting is the stack of wrappers that wait for their place. It has no Start: a wrapper starts where
// the node in it does. Three lists take less memory than one of nodes, and nearly all nodes may be
// wrappers. An end is a complement if the wrapper is wrapped itself.
type guideWaiting struct {
	kinds       []Kind
	ends, nexts []int32
}

// placeNodes restores the pre-order of the nodes from r.base on, in place, from the last one to the first, once all of
// them are closed. A wrapper waits on a stack. Any other node moves toward the end by as many places as wrappers wait,
// and the wrappers around it, which start where it does, are placed before it, the innermost first. A subtree has the
// same nodes afterwards, so Next changes by as much as the first of them moves; that of a wrapper, as much as the
// innermost node in it.
func (p *guided) placeNodes(r *generalRun) {
	if p.wraps == 0 {
		return
	}
	w := &p.waiting
	w.kinds = slices.Grow(w.kinds[:0], p.wraps) // all of them may wait at once
	w.ends = slices.Grow(w.ends[:0], p.wraps)
	w.nexts = slices.Grow(w.nexts[:0], p.wraps)
	to := len(r.nodes)
	for i := len(r.nodes) - 1; i >= r.base; i-- {
		n := r.nodes[i]
		if n.Start < 0 {
			w.kinds = append(w.kinds, n.Kind)
			w.ends = append(w.ends, n.End)
			w.nexts = append(w.nexts, n.Next)
			continue
		}
		place := func(kind Kind, end, next int32) (wrapped bool) {
			if wrapped = end < 0; wrapped {
				end = ^end
			}
			to--
			r.nodes[to] = Raw{Kind: kind, Start: n.Start, End: end, Next: next + int32(to-i)}
			return wrapped
		}
		wrapped := place(n.Kind, n.End, n.Next)
		for wrapped { // by the last of those that wait
			last := len(w.kinds) - 1
			wrapped = place(w.kinds[last], w.ends[last], w.nexts[last])
			w.kinds = w.kinds[:last]
			w.ends = w.ends[:last]
			w.nexts = w.nexts[:last]
		}
	}
}
