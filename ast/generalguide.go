package ast

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file makes the automaton by which most inputs of the general parser are parsed in linear
// time: a guide. How it is used, and why the tree is the right one, is told in generalguided.go.
//
// A guide is the networks of a start with productions put in where they are used, each time anew, so
// that a state knows for what it is used. What is put in opens and closes its own nodes. Whether a
// production has read something is part of a state too, since that decides how its user goes on.
// Read without a stack, where a production may return to any of its calls, a guide is a finite
// automaton. It accepts all that the networks derive, and some more.
//
// What is called and not put in is a part. There are two reasons to make a part of a production: it is
// inside itself, and then it has frames on a stack; or it would be put in so often that there would
// be too many states. Each circle of calls has a part with frames. Which one matters: threads stay
// together as long as they call such parts together, so that one with brackets is a good choice.

// A guideOp is what a state of a guide does.
type guideOp uint8

const (
	guideChoice guideOp = iota // goes on at the first successor that is possible; without any it is dead
	guideByte                  // reads a byte
	guideOpen                  // opens a node of the kind in its argument
	guideClose                 // closes the innermost node
	guideBegin                 // begins a production that is proven
	guideMake                  // ends it: code makes the nodes of the kind in its argument
	guideCall                  // calls the part in its argument: next has its entry, and what follows a string and nothing
	guideEnd                   // ends the part in its argument
)

// A guideState is a state of a guide. State 0 is dead.
type guideState struct {
	op   guideOp
	arg  uint32
	next []uint32
}

// A guide is the automaton of a start. It is not changed once it is made.
type guide struct {
	states []guideState
	parts  []guidePart
	back   [][]uint32 // by state: those that lead to it without reading, calls and returns included
	reads  [][]uint32 // by class: the states that read it
}

// A guidePart is a production that is called, or the start, which is part 0.
type guidePart struct {
	guideUse
	framed bool // it can be inside itself, or is the start
	entry  uint32
	ends   [2]uint32 // after nothing and after something was read: a state, or 0
}

// A guideUse is a production, and whether its nodes are made: inside what is proven they are not.
type guideUse struct {
	kind   Kind
	silent bool
}

// Bounds of a guide: so many states, as far as that can be told before they are made, and at most
// twice as many; and the states that only lead on to another and are passed in one go, of which
// circles in a network have no end.
const (
	guideStates = 1 << 12
	guidePassed = 1 << 16
)

// guideMany caps counts of states and copies, so that products of two fit into an int everywhere.
const guideMany = 1 << 15

// newGuide returns the guide of a start, or nil where there is none: in what can be inside itself at
// its beginning, in what can be repeated without reading, and where it would be too large. With
// tree set it makes nodes.
func (t *generalTables) newGuide(start Kind, tree bool) *guide {
	if len(t.scanners) > 0 || t.proven[start] {
		return nil
	}
	b := guideBuilder{generalTables: t, tree: tree}
	if !b.survey(start) {
		return nil
	}
	b.cut(start)
	b.framed = slices.Clone(b.called)
	for size := guideStates; size >= guideStates/8; size /= 2 {
		if !b.choose(start, size) || !b.build(start) {
			continue
		}
		if b.circular() {
			return nil
		}
		b.link()
		return b.guide
	}
	return nil
}

// A guideContext is where a production is put in: at a call, in a state of the production around it.
type guideContext struct {
	guideUse
	call  uint32
	read  bool  // the production around it has read something before
	outer int32 // its context; -1 where this is a part
	part  uint32
}

// A guideKey is a state in the making: that of a network, in a context. What ends a production has
// two: behind is the one after its node was closed.
type guideKey struct {
	state  uint32
	read   bool
	behind bool
	in     int32
}

// A guideBuilder makes a guide.
type guideBuilder struct {
	*generalTables
	*guide
	tree bool

	used   []bool // by kind: the start uses it
	uses   []guideUses
	begins []int  // by kind: with how many bytes it can begin
	framed []bool // by kind: it is a part, and can be inside itself
	called []bool // by kind: it is a part
	order  []Kind // those that are used; what is put in somewhere comes after what it is put into

	contexts []guideContext
	entered  map[guideContext]int32
	partOf   map[guideUse]uint32
	index    map[guideKey]uint32
	openings map[int32]uint32 // by context
	todo     []guideKey
	endless  bool // a circle in a network was met
}

// A guideUses is what a production uses, once for each call, and how many states it has of its own.
type guideUses struct {
	calls []Kind
	own   int
}

// survey finds what a start uses, and with how many bytes each production can begin. It returns
// false if one of these can be inside itself with the same text, or if there are too many states.
func (b *guideBuilder) survey(start Kind) bool {
	kinds := len(b.starts)
	b.used, b.uses, b.called = make([]bool, kinds), make([]guideUses, kinds), make([]bool, kinds)
	for q, s := range b.states() {
		u := &b.uses[b.of[q]]
		u.own++
		if s.op == opcode.Call {
			u.calls = append(u.calls, Kind(s.arg))
		}
	}
	own := 0
	for todo := []Kind{start}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b.used[k] {
			continue
		}
		if own += b.uses[k].own; own > guideStates || b.cyclic[k] {
			return false
		}
		b.used[k] = true
		todo = append(todo, b.uses[k].calls...)
	}
	b.begins = make([]int, kinds)
	for x := range 256 {
		for k := range kinds {
			if b.first[k*b.width+int(b.classes[x])] {
				b.begins[k]++
			}
		}
	}
	for _, s := range b.states() {
		if s.op == opcode.Call && s.next[1] != 0 {
			b.begins[s.arg] = 256 // it may be passed as well
		}
	}
	return true
}

// cut makes parts of so much that no production that is put in is inside itself. Those that begin
// with few bytes come first, such as what is in brackets: where one of these begins, all threads
// mostly call it.
func (b *guideBuilder) cut(start Kind) {
	var list []Kind
	for k := range b.used {
		if b.used[k] {
			list = append(list, Kind(k))
		}
	}
	slices.SortStableFunc(list, func(x, y Kind) int { return b.begins[x] - b.begins[y] })
	var cut []Kind
	for _, k := range list {
		if !b.sort(start) && b.inside(k) {
			b.called[k] = true
			cut = append(cut, k)
		}
	}
	for _, k := range slices.Backward(cut) { // what the later ones make superfluous
		if b.called[k] = false; !b.sort(start) {
			b.called[k] = true
		}
	}
	b.sort(start)
}

// inside reports whether a production that is put in is inside itself.
func (b *guideBuilder) inside(k Kind) bool {
	seen := make([]bool, len(b.starts))
	for todo := slices.Clone(b.uses[k].calls); len(todo) > 0; {
		to := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if to == k {
			return true
		}
		if !seen[to] && !b.called[to] {
			seen[to] = true
			todo = append(todo, b.uses[to].calls...)
		}
	}
	return false
}

// sort sets order. It returns false if some production that is put in is inside itself.
func (b *guideBuilder) sort(start Kind) bool {
	const around, done = 1, 2
	marks := make([]uint8, len(b.starts))
	b.order = b.order[:0]
	ok := true
	var visit func(k Kind)
	visit = func(k Kind) {
		marks[k] = around
		for _, to := range b.uses[k].calls {
			switch {
			case b.called[to]:
			case marks[to] == 0:
				visit(to)
			case marks[to] == around:
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

// choose makes parts of more productions until there are no more states than some: always of the one
// that costs most by being put in where it is used. It returns false if that is not enough.
func (b *guideBuilder) choose(start Kind, most int) bool {
	for {
		b.sort(start)
		copies, sizes := make([]int, len(b.starts)), make([]int, len(b.starts))
		copies[start] = 1
		for k := range b.called {
			if b.called[k] {
				copies[k] = 1
			}
		}
		total := 0
		for _, k := range b.order {
			for _, to := range b.uses[k].calls {
				if !b.called[to] {
					copies[to] = min(copies[to]+copies[k], guideMany)
				}
			}
			total = min(total+copies[k]*b.uses[k].own, guideMany)
		}
		if total <= most {
			return true
		}
		costs, costly := 0, Kind(0)
		for _, k := range slices.Backward(b.order) {
			sizes[k] = b.uses[k].own
			for _, to := range b.uses[k].calls {
				if !b.called[to] {
					sizes[k] = min(sizes[k]+sizes[to], guideMany)
				}
			}
			c := (copies[k] - 1) * sizes[k]
			if !b.called[k] && c > costs {
				costs, costly = c, k
			}
		}
		if costs == 0 {
			return false
		}
		b.called[costly] = true
	}
}

// states returns the states of the networks.
func (b *guideBuilder) states() []automatonState { return b.generalTables.automatonTables.states }

// build makes the states, and reports whether they are within the limit.
func (b *guideBuilder) build(start Kind) bool {
	b.guide = &guide{states: make([]guideState, 1)}
	b.contexts, b.todo = nil, nil
	b.entered, b.partOf, b.index = map[guideContext]int32{}, map[guideUse]uint32{}, map[guideKey]uint32{}
	b.openings = map[int32]uint32{}
	b.addPart(guideUse{start, !b.tree}, true)
	for len(b.todo) > 0 {
		if len(b.guide.states) > 2*guideStates || b.endless {
			return false
		}
		k := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		s := b.make(k)
		b.guide.states[b.index[k]] = s
	}
	return true
}

// addPart adds a production that is called, and returns its number. The start is a node always.
func (b *guideBuilder) addPart(u guideUse, root bool) uint32 {
	part := uint32(len(b.parts))
	b.parts = append(b.parts, guidePart{guideUse: u, framed: root || b.framed[u.kind]})
	if !root {
		b.partOf[u] = part
	}
	in := b.enter(guideContext{guideUse: u, outer: -1, part: part})
	b.parts[part].entry = b.opening(in)
	return part
}

// enter returns the number of a context.
func (b *guideBuilder) enter(c guideContext) int32 {
	n, ok := b.entered[c]
	if !ok {
		n = int32(len(b.contexts))
		b.entered[c] = n
		b.contexts = append(b.contexts, c)
	}
	return n
}

// state returns the number of a state, which is made later if it is new. What only leads on to another is
// that one: a choice with one successor, a call of what is put in, and its end.
func (b *guideBuilder) state(k guideKey) uint32 {
	for range guidePassed {
		if k.state == 0 {
			return 0
		}
		s := &b.states()[k.state]
		c := &b.contexts[k.in]
		switch {
		case s.op == opcode.Choice && len(s.next) == 1:
			k.state = s.next[0]
			continue
		case s.op == opcode.Call && !b.called[s.arg]:
			in := b.enter(guideContext{guideUse: b.useIn(Kind(s.arg), c), call: k.state, read: k.read, outer: k.in})
			if _, _, ok := b.brackets(&b.contexts[in]); ok {
				return b.opening(in)
			}
			k = guideKey{state: b.starts[s.arg], in: in}
			continue
		case s.op == opcode.End && c.outer >= 0:
			if _, _, ok := b.brackets(c); !ok || k.behind {
				next := b.states()[c.call].next
				if k.read {
					k = guideKey{state: next[0], read: true, in: c.outer}
				} else {
					k = guideKey{state: next[1], read: c.read, in: c.outer}
				}
				continue
			}
		}
		n, ok := b.index[k]
		if !ok {
			n = b.add(guideState{})
			b.index[k] = n
			b.todo = append(b.todo, k)
		}
		return n
	}
	b.endless = true
	return 0
}

// useIn returns the use of a production in a context.
func (b *guideBuilder) useIn(k Kind, c *guideContext) guideUse {
	return guideUse{k, c.silent || b.proven[c.kind] && !b.plain[c.kind]}
}

// add adds a state.
func (b *guideBuilder) add(s guideState) uint32 {
	b.guide.states = append(b.guide.states, s)
	return uint32(len(b.guide.states) - 1)
}

// brackets returns what stands around a production: the opening and closing of its node, or the making
// of nodes by code. ok is false where nothing does.
func (b *guideBuilder) brackets(c *guideContext) (before, after guideOp, ok bool) {
	root := c.outer < 0 && c.part == 0
	switch {
	case c.silent:
		return 0, 0, false
	case b.proven[c.kind] && !b.plain[c.kind] && !root:
		return guideBegin, guideMake, true
	case b.node[c.kind] || root:
		return guideOpen, guideClose, true
	}
	return 0, 0, false
}

// opening returns the state before the beginning of a production in a context.
func (b *guideBuilder) opening(in int32) uint32 {
	if n, ok := b.openings[in]; ok {
		return n
	}
	c := b.contexts[in]
	before, _, ok := b.brackets(&c)
	if !ok {
		return b.state(guideKey{state: b.starts[c.kind], in: in})
	}
	n := b.add(guideState{})
	b.openings[in] = n
	body := b.state(guideKey{state: b.starts[c.kind], in: in})
	b.guide.states[n] = guideState{before, uint32(c.kind), []uint32{body}}
	return n
}

// make returns what a state does.
func (b *guideBuilder) make(k guideKey) guideState {
	s := &b.states()[k.state]
	switch s.op {
	case opcode.Byte:
		return guideState{guideByte, s.arg, []uint32{b.state(guideKey{state: s.next[0], read: true, in: k.in})}}
	case opcode.Choice:
		var next []uint32
		for _, q := range s.next {
			if q != 0 {
				next = append(next, b.state(guideKey{state: q, read: k.read, in: k.in}))
			}
		}
		return guideState{op: guideChoice, next: next}
	case opcode.Call:
		return b.call(k, s)
	case opcode.End:
		return b.end(k)
	}
	return guideState{}
}

// call returns what the call of a part does.
func (b *guideBuilder) call(k guideKey, s *automatonState) guideState {
	use := b.useIn(Kind(s.arg), &b.contexts[k.in])
	part, ok := b.partOf[use]
	if !ok {
		part = b.addPart(use, false)
	}
	some := b.state(guideKey{state: s.next[0], read: true, in: k.in})
	none := b.state(guideKey{state: s.next[1], read: k.read, in: k.in})
	return guideState{guideCall, part, []uint32{b.parts[part].entry, some, none}}
}

// end returns what the end of a production does: it closes its node, or ends a part.
func (b *guideBuilder) end(k guideKey) guideState {
	c := b.contexts[k.in]
	if _, after, ok := b.brackets(&c); ok && !k.behind {
		behind := k
		behind.behind = true
		return guideState{after, uint32(c.kind), []uint32{b.state(behind)}}
	}
	some := 0
	if k.read {
		some = 1
	}
	b.parts[c.part].ends[some] = b.index[k]
	return guideState{op: guideEnd, arg: c.part}
}

// free returns the states to which one leads without reading, as long as no production ends.
func (s *guideState) free() []uint32 {
	switch s.op {
	case guideByte, guideEnd:
		return nil
	case guideCall:
		return []uint32{s.next[0], s.next[2]}
	}
	return s.next
}

// circular reports whether a state leads to itself without reading.
func (b *guideBuilder) circular() bool {
	const onPath, done = 1, 2
	marks := make([]uint8, len(b.guide.states))
	type step struct {
		q    uint32
		next []uint32
	}
	for q := range b.guide.states {
		if marks[q] != 0 {
			continue
		}
		marks[q] = onPath
		path := []step{{uint32(q), b.guide.states[q].free()}}
		for len(path) > 0 {
			top := &path[len(path)-1]
			if len(top.next) == 0 {
				marks[top.q] = done
				path = path[:len(path)-1]
				continue
			}
			to := top.next[0]
			top.next = top.next[1:]
			if marks[to] == onPath {
				return true
			}
			if marks[to] == 0 {
				marks[to] = onPath
				path = append(path, step{to, b.guide.states[to].free()})
			}
		}
	}
	return false
}

// link sets back and reads.
func (b *guideBuilder) link() {
	b.guide.back = make([][]uint32, len(b.guide.states))
	b.reads = make([][]uint32, b.width)
	lead := func(from, to uint32) {
		if from != 0 && to != 0 {
			b.guide.back[to] = append(b.guide.back[to], from)
		}
	}
	for i := range b.guide.states {
		s, q := &b.guide.states[i], uint32(i)
		switch s.op {
		case guideByte:
			for class := range b.width {
				if b.members[int(s.arg)*b.width+class] {
					b.reads[class] = append(b.reads[class], q)
				}
			}
		case guideCall:
			ends := b.parts[s.arg].ends
			lead(q, s.next[0])
			lead(ends[1], s.next[1])
			lead(ends[0], s.next[2])
		default:
			for _, to := range s.next {
				lead(q, to)
			}
		}
	}
}
