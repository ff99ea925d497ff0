package ast

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file lets a guide read left recursion, as a loop: A = A a / b is read as b *a. A node of A is
// closed where the b ends, and each a has a node of A around all before it. Such nodes come too late
// in the list of nodes, which is in pre-order, and are put into their place once the input is read.
//
// Productions may also begin with each other: A = B a / b and B = A c / d. Of such a component, one
// begins without any of the others, and from the end of each the loop goes on in those that begin
// with it, until the one that was called has ended. This is the left-corner transform of D.
// Rosenkrantz and P. Lewis, "Deterministic Left Corner Parsing", 1970, for the component alone.
//
// The order of choices is lost: it begins with the outermost node, and the loop with the innermost.
// So such a guide is strict. It decides only if no two threads with different nodes are possible to
// the end, that is, if there is only one tree.

// A leftComponent is the productions that can begin with each other: a strongly connected component
// of a graph, or one production that begins with itself.
type leftComponent struct {
	kinds []Kind
	calls []uint32 // the states at the beginnings of kinds that call one of them

	// A component is hidden if what comes before one of its calls is the empty string, and such a
	// call is no beginning of a loop. It is mixed if some of its productions are nodes, and others
	// are not.
	hidden, mixed bool
}

// How a state of a network is reached from the beginning of its production, as bits.
const (
	reachedFirst   = 1 << iota // by choices alone
	reachedSkipped             // without reading, past calls of the empty string
	reachedReading             // after something was read
)

// findReached returns, by state, how it is reached from the beginning of its production.
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
		case opcode.Call:
			todo = append(todo, visit{s.next[0], reachedReading})
			todo = append(todo, visit{s.next[1], max(v.how, reachedSkipped)})
		default:
			for _, to := range s.next {
				todo = append(todo, visit{to, v.how})
			}
		}
	}
	return reached
}

// findLeft sets t.reached, and t.leftOf to the component of each left-recursive production, nil for others.
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
	for k, cycle := range onCycles(begins) {
		if cycle == 0 {
			continue
		}
		c := components[cycle]
		if c == nil {
			c = &leftComponent{}
			components[cycle] = c
		}
		t.leftOf[k] = c
		c.kinds = append(c.kinds, Kind(k))
		c.mixed = c.mixed || t.node[k] != t.node[c.kinds[0]] || t.proven[k]
	}
	for q, s := range t.states {
		c := t.leftOf[t.of[q]]
		if s.op != opcode.Call || c == nil || c != t.leftOf[s.arg] {
			continue
		}
		c.hidden = c.hidden || t.reached[q]&reachedSkipped != 0
		if t.reached[q]&reachedFirst != 0 {
			c.calls = append(c.calls, uint32(q))
		}
	}
}

// copiesOfCall returns how many copies of the called production a state of a network makes, for each
// copy of its own production: none for the beginning of a loop, and two in a loop if the state is
// reached before something was read and after it, as is usual there.
func (b *guideBuilder) copiesOfCall(q int) int {
	s, left := &b.states[q], b.leftOf[b.of[q]]
	switch {
	case s.op != opcode.Call, left != nil && left == b.leftOf[s.arg] && b.reached[q] == reachedFirst:
		return 0
	case left != nil && b.reached[q]&reachedReading != 0 && b.reached[q] != reachedReading:
		return 2
	}
	return 1
}

// joinUses makes the uses of each production of a component those of all of them, since a call of
// one is a loop through the copies of all.
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

// mostStates returns how many states a guide of the productions that are used may have, as estimated.
func (b *guideBuilder) mostStates() int {
	for _, k := range b.used {
		if b.leftOf[k] != nil {
			return guideLoopStates
		}
	}
	return guideStates
}

// isLoop reports whether a loop can stand for a component, in the guide of a start. The root is a
// node even if other nodes of its production are left out, so that it is not one of the loop then.
func (b *guideBuilder) isLoop(c *leftComponent, start Kind) bool {
	for _, k := range c.kinds {
		if b.cyclic[k] || b.tree && k == start && !b.node[k] {
			return false
		}
	}
	return !c.hidden && !(b.tree && c.mixed)
}

// enterLoop returns the state in which the loop of a left-recursive production begins, in its
// context: in any production of its component, without the calls of others at the beginning.
func (b *guideBuilder) enterLoop(in uint32) uint32 {
	if n, ok := b.loops[in]; ok {
		return n
	}
	n := b.add(guideState{}) // numbered before its successors, in case these lead back to it
	b.loops[in] = n
	c := b.contexts.list[in]
	b.made.strict = b.made.strict || !c.silent
	s := guideState{op: guideChoice}
	for _, k := range b.leftOf[c.kind].kinds {
		c.kind = k
		s.next = append(s.next, b.entry(b.contexts.number(c)))
	}
	b.made.states[n] = s
	return n
}

// turns reports whether a state ends a production of a loop that may go on around it.
func (b *guideBuilder) turns(k guideKey) bool {
	return b.leftOf[b.contexts.list[k.in].kind] != nil && !k.left
}

// makeTurn makes the state after a production of a loop has ended, and its node was closed: the loop
// goes on in each production that begins with it or, if it is the one that was called, is left.
func (b *guideBuilder) makeTurn(k guideKey) guideState {
	s := guideState{op: guideChoice}
	c := b.contexts.list[k.in]
	if c.kind == c.called {
		leaving := k
		leaving.left = true
		s.next = append(s.next, b.state(leaving))
	}
	for _, call := range b.leftOf[c.kind].calls {
		if Kind(b.states[call].arg) != c.kind {
			continue
		}
		after := b.states[call].next[1]
		if k.read {
			after = b.states[call].next[0]
		}
		around := c
		around.kind = b.of[call]
		to := b.state(guideKey{state: after, in: b.contexts.number(around), read: k.read})
		if _, _, ok := b.nodeOps(&around); ok && to != 0 {
			to = b.add(guideState{guideWrap, uint32(around.kind), []uint32{to}})
		}
		s.next = append(s.next, to)
	}
	return s
}

// wrap opens a node around the one that was closed last. The new node is too late in the list, which a
// Start of -1 tells, and the other one is wrapped, which its End tells: it is turned into its complement.
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

// guideWaiting is the nodes that wait for their place, as three lists, which take less memory than one of
// nodes: there may be as many as the tree has. An end is a complement if the node is wrapped itself.
type guideWaiting struct {
	kinds       []Kind
	ends, nexts []int32
}

// placeNodes moves the nodes that wrap others to their places. It goes from the last node to the first,
// and moves each as far back as there are nodes that wait: those that were met, and whose first node
// was not. A subtree takes the same nodes of the list before and after it, so that Next changes by as
// much as the first of them moves.
func (p *guided) placeNodes(r *generalRun) {
	if p.wraps == 0 {
		return
	}
	w := &p.waiting
	w.kinds = slices.Grow(w.kinds[:0], p.wraps)
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
		wrapped := false
		place := func(kind Kind, end, next int32) {
			wrapped = end < 0
			to--
			r.nodes[to] = Raw{kind, n.Start, max(end, ^end), next + int32(to-i)}
		}
		place(n.Kind, n.End, n.Next)
		for wrapped { // what waits next is around it
			last := len(w.kinds) - 1
			place(w.kinds[last], w.ends[last], w.nexts[last])
			w.kinds, w.ends, w.nexts = w.kinds[:last], w.ends[:last], w.nexts[:last]
		}
	}
}
