package ast

import (
	"slices"
	"sort"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// A generalWalk builds the tree of an input that was read, from the root down. For each production
// it goes backwards from its ends to find, at each place, the states from which the rest of it can
// be derived. Then it takes the first way forward along these. What it finds out about a set of
// states it keeps with the set. If each item was reached in one way only, by one production, the
// items tell the tree.
type generalWalk struct {
	work    []generalPart  // the parts that are still to be appended, the next on top
	chained []generalAlive // of a production whose items were reached in one way each, the last place first
	nodes   []Raw
	base    int   // the length of nodes before the tree, from which Next counts
	packing bool  // nodes are packed into fresh
	last    int32 // the place of the event that was packed last
	frames  []generalFrame
	places  []generalPlace
	ended   []generalEnd
	todo    generalAgenda
	group   []generalLink
	order   []int32       // by item: see byOrigin
	begun   []generalFrom // by the first item of a place
	marked  []uint32      // by state, for leading
	exit    uint32        // the state that choose found
	both    bool          // the call at exit may derive the empty string as well
	path    []uint32      // the states up to exit; counts only if both
	empties []Kind        // the calls on that path that derive the empty string, the last first
	active  []Kind
	blanks  [][]Raw  // by kind: the nodes of the empty string, unless nil
	lasts   []uint32 // by kind: the set of the state in which it ends, unless 0
	noEnd   bool     // choose is not to end the frame
	chain   []Kind   // the productions that are all of the frame that was left last
	left    []int32  // its ends that are also ends of the frame around it
	begins  bool     // the frame is at its beginning, and can be inside itself with the same text
	trail   []uint32
}

// A generalFrame is a production whose nodes are being made.
type generalFrame struct {
	kind   Kind
	node   int32 // or -1
	place  int32 // an element of places, those of the frame are lo and the following; the last is its beginning
	lo     int32
	first  int32  // its first element of ended
	state  uint32 // where it goes on
	call   uint32 // the state whose call is being made
	passed []uint32

	// Of a production that can be inside itself with the same text:
	from     int32   // where it begins
	alone    []int32 // offsets of ends that it shares with the frame around it, which begins there too
	inner    []Kind  // the productions that are all of it up to innerEnd
	innerEnd int32
	noEnd    bool // it must not end next

	own  bool // no frame called it
	work int  // the length of the walk's work below it
}

// A generalPart is what is to be appended next: a production that begins at a place and ends as an
// item does. If the kind is 0, it is the end of a node at that place, and item is the node.
type generalPart struct {
	kind     Kind
	at, item int32 // item is partOfNothing if the production derives the empty string
}

const partOfNothing = -1

// A generalAlive is a place, the set of the states that are alive there, and the item that ends the
// production that these call, or generalNone if they read or end.
type generalAlive struct {
	at    int32
	live  uint32
	child int32
}

// A generalPlace is a place in a frame, the set of the states that are alive there, from which an
// end of the frame can be reached, and what these call: ended[lo:hi].
type generalPlace struct {
	at     int32
	live   uint32
	lo, hi int32
}

// A generalEnd is a set of states, and the item that ends the production that they call, or
// generalNone.
type generalEnd struct {
	live  uint32
	child int32
}

// A generalLink is a set of states that are alive at a place, in an item or, if item is -1, in none
// that was made. If they call, child is an end of what they call, otherwise generalNone.
type generalLink struct {
	at, item int32
	generalEnd
}

// A generalWay is what choose found from the state from.
type generalWay struct {
	from, exit uint32
	both       bool
	path       []uint32 // if both
	empties    []Kind
}

// derive appends the nodes of the input to r.nodes. The input was read with tree set, and is derived. If some nodes
// were packed, the items are gone afterwards. If a limit is passed, or the nodes cannot be made, r.over is set, and
// those in r.nodes are of no use.
func (r *generalRun) derive() {
	if len(r.src) == 0 {
		r.active = r.active[:0]
		r.over = !r.empty(r.start, 0, true)
		return
	}
	if len(r.pool) == 0 {
		r.nodes = slices.Grow(r.nodes, len(r.items)/4)
		r.walk(r.start, 0, true)
		return
	}
	// Much was packed, so the tree is large. It is packed as a whole first, and unpacked once the
	// memory of the items is free.
	nodes, base := r.nodes, r.base
	r.packing, r.last, r.nodes, r.base, r.fresh = true, 0, nil, 0, slices.Grow(r.fresh[:0], len(r.pool)*5/4)
	r.walk(r.start, 0, true)
	r.packing, r.nodes, r.base, r.items, r.origins, r.work, r.pool = false, nodes, base, nil, nil, nil, nil
	r.paste(r.fresh, 0, int32(len(r.src)))
}

// walk appends the nodes of production k, which begins at a place and ends as one of the items in r.ends: to
// r.nodes or, while the tree is being packed, to r.fresh. With root set, it has a node in any case. walk overwrites
// r.ends. If a limit is passed, or nodes cannot be made, r.over is set, and the nodes are of no use.
func (r *generalRun) walk(k Kind, at int32, root bool) {
	r.frames, r.ended, r.places, r.work = r.frames[:0], r.ended[:0], r.places[:0], r.work[:0]
	if len(r.ends) == 1 {
		r.put(generalPart{k, at, r.ends[0]}, root)
	} else {
		r.enter(k, at, r.ends, nil, false, root)
	}
	for !r.over {
		below := 0
		if n := len(r.frames); n > 0 {
			below = r.frames[n-1].work
		}
		if n := len(r.work) - 1; n >= below {
			p := r.work[n]
			r.work = r.work[:n]
			r.put(p, false)
		} else if len(r.frames) > 0 {
			r.move()
		} else {
			return
		}
	}
}

// put appends a part of the tree or, if the part has parts of its own, pushes these on r.work. If the items do not
// tell them, it enters a frame, for which it sets r.ends. With root set the part is the root of a tree, and has a
// node in any case. put may set r.over.
func (r *generalRun) put(p generalPart, root bool) {
	if p.kind == 0 {
		r.shut(p.item, p.at)
		return
	}
	if p.item == partOfNothing {
		r.blank(p.kind, p.at)
		return
	}
	x := &r.items[p.item]
	r.steps++
	switch k := p.kind; {
	case r.plain[k]:
		r.shut(r.open(k, p.at, root), x.at)
	case r.proven[k] && !(root && r.scanner(k) != nil):
		r.prove(k, p.at, x.at)
	case x.pred < -1: // a packed item: see generalItem
		r.paste(r.pool[-2-x.pred:x.child], p.at, x.at)
	default:
		pushed := !r.fills[k] && r.pushParts(p, root) || !r.cyclic[k] && r.pushPartsAlong(p, root)
		if !pushed {
			r.ends = append(r.ends[:0], p.item)
			r.enter(k, p.at, r.ends, nil, false, root)
			r.frames[len(r.frames)-1].own = true
		}
	}
}

// pushParts opens the node of a production, if it is one, and pushes its parts on r.work, the first on
// top: the productions that ended in it and, at the bottom, the end of its node. It returns false,
// and changes neither work nor nodes, if the items do not tell the parts: where an item was reached
// in several ways, or more than one production ended.
func (r *generalRun) pushParts(p generalPart, root bool) bool {
	n := len(r.work)
	if r.node[p.kind] || root {
		r.work = append(r.work, generalPart{0, r.items[p.item].at, int32(len(r.nodes))})
	}
	for x := &r.items[p.item]; x.pred >= 0; {
		from := &r.items[x.pred]
		if x.child != generalNone {
			k := r.onlyEnd(from, x)
			if k == 0 {
				r.work = r.work[:n]
				return false
			}
			r.work = append(r.work, generalPart{k, from.at, x.child})
		}
		x = from
		r.steps++
	}
	r.open(p.kind, p.at, root)
	return true
}

// onlyEnd returns the production whose end leads from an item to the next one, x. It returns 0 if several do, or if x
// was reached in another way as well.
func (r *generalRun) onlyEnd(from, x *generalItem) (only Kind) {
	if x.more() {
		return 0
	}
	for _, k := range r.done(x.child) {
		if r.after(from.set, k) != x.set {
			continue
		}
		if only != 0 {
			return 0
		}
		only = k
	}
	return only
}

// pushPartsAlong is pushParts for what the items alone do not tell: which productions derive the empty
// string between them, or which of several ended. As long as each item was reached in one way it
// follows them back to the beginning, with the states that are alive at each place, and then takes
// the first way along these, as a frame does, but without one.
//
// Like pushParts, it returns false where this does not decide, and then leaves work and nodes as they
// are. In any case it overwrites what wayFrom does.
func (r *generalRun) pushPartsAlong(p generalPart, root bool) bool {
	// Backward: live is the set of the states from which the rest of the production can be read.
	alive, live := r.chained[:0], r.lastOf(p.kind)
	x := &r.items[p.item]
	alive = append(alive, generalAlive{x.at, live, generalNone})
	for x.pred >= 0 {
		if x.more() {
			return false
		}
		from := &r.items[x.pred]
		if x.child != generalNone {
			live = r.aheadOfItem(live, x.child)
			alive = append(alive, generalAlive{from.at, live, x.child})
		} else {
			for at := x.at - 1; at >= from.at; at-- {
				live = r.before(live, int(r.classes[r.src[at]]))
				alive = append(alive, generalAlive{at, live, generalNone})
			}
		}
		x = from
	}
	r.chained = alive // the memory, for the next call
	r.steps += len(alive)

	// Forward, from the first state of the production: the first way that stays among the live ones.
	n := len(r.work)
	if r.node[p.kind] || root {
		r.work = append(r.work, generalPart{0, r.items[p.item].at, int32(len(r.nodes))})
	}
	first := len(r.work)
	for i, state := len(alive)-1, r.starts[p.kind]; i >= 0; i-- {
		a := &alive[i]
		w := r.wayFrom(state, a.live)
		if w == nil || w.both { // what may be empty as well is not decided by one place
			r.work = r.work[:n]
			return false
		}
		for _, k := range slices.Backward(w.empties) {
			r.work = append(r.work, generalPart{k, a.at, partOfNothing})
		}
		s := &r.states[w.exit]
		if s.op == opcode.Call {
			r.work = append(r.work, generalPart{Kind(s.arg), a.at, a.child})
		}
		if len(s.next) > 0 {
			state = s.next[0]
		}
	}
	slices.Reverse(r.work[first:]) // the last is appended first
	r.open(p.kind, p.at, root)
	return true
}

// lastOf returns the set of the state in which a production ends. The first call for it uses r.list, and may add a
// set.
func (r *generalRun) lastOf(k Kind) uint32 {
	if r.lasts[k] == 0 {
		r.lasts[k] = r.set(append(r.list[:0], r.finals[k]))
	}
	return r.lasts[k]
}

// aheadOfItem returns the set of the states that lead to those of a set by a production that ends
// as the item child does: set 0, which is empty, if there are none. It has the effects of ahead.
func (r *generalRun) aheadOfItem(live uint32, child int32) (to uint32) {
	for _, k := range r.done(child) {
		to = r.union(to, r.ahead(live, k))
	}
	return to
}

// open begins a node for production k, if it is one or root is set; while packing, it appends the event for that. It
// returns the argument for shut, which sets the node's end: the index of the node, 0 while packing, or -1 if there is
// none. If a limit is passed, r.over is set, and the node is begun all the same.
func (r *generalRun) open(k Kind, at int32, root bool) int32 {
	if !r.node[k] && !root {
		return -1
	}
	if r.packing {
		r.event(4*uint64(k), at)
		return 0
	}
	return r.begin(k, at)
}

// begin appends a node that begins at an offset, and returns its index in r.nodes. The caller sets
// its end. If a limit is passed, r.over is set, and the node is appended all the same.
func (r *generalRun) begin(k Kind, at int32) int32 {
	r.room(at)
	r.nodes = append(r.nodes, Raw{Kind: k, Start: at})
	return int32(len(r.nodes) - 1)
}

// shut ends the node that open began, at a place. For -1 it does nothing.
func (r *generalRun) shut(node, at int32) {
	if r.packing && node >= 0 {
		r.event(0, at)
	} else if node >= 0 {
		r.nodes[node].End, r.nodes[node].Next = at, int32(len(r.nodes)-r.base)
	}
}

// enter pushes a frame for production k, which begins at the offset at and ends as one of the items in ends, and
// begins its node if it has one. If none is set, it can derive the empty string as well. alone has, as offsets, those
// ends that are also ends of the frame around it. From all ends enter goes backwards through the items, and appends to
// r.places what is alive at each place, and to r.ended what is called there. If a limit is passed, r.over is set, and
// places may be missing.
func (r *generalRun) enter(k Kind, at int32, ends, alone []int32, none, root bool) {
	n := len(r.frames)
	r.frames = slices.Grow(r.frames, 1)[:n+1]
	f := &r.frames[n] // field by field, which is faster than a copy
	f.kind, f.node, f.state = k, r.open(k, at, root), r.starts[k]
	f.lo, f.first, f.work = int32(len(r.places)), int32(len(r.ended)), len(r.work)
	f.from, f.alone, f.inner, f.innerEnd = at, alone, nil, at
	f.passed, f.noEnd, f.own = nil, false, false
	end := generalEnd{r.lastOf(k), generalNone}
	for _, i := range ends {
		r.push(generalLink{r.items[i].at, i, end})
	}
	if none {
		r.push(generalLink{at, -1, end})
	}
	for len(r.todo.places) > 0 && !r.over {
		r.settle()
	}
	r.todo.clear()
	r.frames[len(r.frames)-1].place = int32(len(r.places)) - 1
}

// push adds a link to the agenda, unless nothing is alive in it. It sets r.over if a limit is passed.
func (r *generalRun) push(l generalLink) {
	if l.live == 0 {
		return
	}
	r.todo.add(l, len(r.src))
	r.steps++
	r.over = r.over || r.steps > r.pause && r.tired()
}

// settle takes the last place from the agenda, which is not empty, appends it to r.places with what is alive there
// and to r.ended what is called there, and pushes the links that lead backwards from its items. It may set r.over.
func (r *generalRun) settle() {
	at, first := r.todo.next()
	p := generalPlace{at: at, lo: int32(len(r.ended))}
	group := r.group[:0] // each item once, with all that is alive in it; there are few, since all have one origin
	for i := first; i != 0; i = r.todo.links[i-1].before {
		l := &r.todo.links[i-1]
		p.live = r.union(p.live, l.live)
		if l.child != generalNone {
			r.ended = append(r.ended, l.generalEnd)
		}
		k := len(group) - 1
		for k >= 0 && group[k].item != l.item {
			k--
		}
		if k < 0 {
			group = append(group, l.generalLink)
		} else {
			group[k].live = r.union(group[k].live, l.live)
		}
	}
	r.group = group
	p.hi = int32(len(r.ended))
	r.places = append(r.places, p)
	for i := range group {
		if item := group[i].item; item >= 0 && r.items[item].pred >= 0 {
			r.linkAll(item, group[i].live)
		}
	}
}

// linkAll pushes a link for each way to an item, with what is alive before it if live is alive in
// the item.
func (r *generalRun) linkAll(item int32, live uint32) {
	r.eachLink(item, func(q, child int32) { r.push(r.link(r.items[item].at, q, child, live)) })
}

// done returns the productions that end in item i, as far as the byte at its place, or the end of
// the input, allows.
func (r *generalRun) done(i int32) []Kind {
	return r.acts[r.cell(r.items[i].set, r.class(int(r.items[i].at))).act].done
}

// link returns the link to the item q, which leads to an item at place: by the production that the
// item child ends or, if child is generalNone, by bytes. live is alive at place, and the link has
// what is then alive in q. At the beginning of a production that can be inside itself with the same
// text, calls that are not allowed are left out. For bytes, link also appends the places in between to r.places,
// which must have one. It has the effects of before and ahead.
func (r *generalRun) link(place, q, child int32, live uint32) generalLink {
	at := r.items[q].at
	switch {
	case child != generalNone:
		to := r.aheadOfItem(live, child)
		f := &r.frames[len(r.frames)-1]
		end := r.finals[f.kind]
		if r.cyclic[f.kind] && r.items[q].pred < 0 && among(r.sets[live].states, end) {
			isEnd := func(s uint32) bool { return s == end }
			rest := r.leading(slices.DeleteFunc(slices.Clone(r.sets[live].states), isEnd))
			states := r.sets[r.items[q].set].states
			barred := func(s uint32) bool { return !among(states, s) || !r.allowed(s, child, rest) }
			to = r.set(slices.DeleteFunc(slices.Clone(r.sets[to].states), barred))
		}
		live = to
	default:
		for place--; place > at; place-- {
			live = r.before(live, int(r.classes[r.src[place]]))
			if r.places[len(r.places)-1].at > place { // else from another item
				r.places = append(r.places, generalPlace{place, live, int32(len(r.ended)), int32(len(r.ended))})
			}
			r.steps++
		}
		live = r.before(live, int(r.classes[r.src[at]]))
	}
	return generalLink{at, q, generalEnd{live, child}}
}

// among reports whether q is in states, which are sorted.
func among(states []uint32, q uint32) bool {
	if len(states) <= 8 {
		return slices.Contains(states, q)
	}
	_, ok := slices.BinarySearch(states, q)
	return ok
}

// leads makes the leads of a set, the states that lead to it by reading or calling once, unless they are made, and
// returns the set. The first call for a set also makes its bytes and callers, whose sets are all still unknown, and
// begins new marks. The pointer is valid until a set is added.
func (r *generalRun) leads(set uint32) *generalSet {
	s := &r.sets[set]
	if s.bytes == nil {
		s.leads = r.leading(s.states)
		s.bytes = slices.Repeat([]uint32{generalUnknown}, r.width)
		s.callers = r.calls(s.leads)
	}
	return s
}

// before returns the set of the states that lead to those of a set by a byte of the class, which is not that of the
// end of the input: set 0, which is empty, if there are none. It keeps the result with the set, may add a set, uses
// r.list, and may begin new marks.
func (r *generalRun) before(set uint32, class int) uint32 {
	s := r.leads(set)
	if to := s.bytes[class]; to != generalUnknown {
		return to
	}
	bytes := s.bytes // s itself is void if r.set adds a set
	r.list = r.list[:0]
	for _, q := range s.leads {
		if x := &r.states[q]; x.op == opcode.Byte && r.members[int(x.arg)*r.width+class] {
			r.list = append(r.list, q)
		}
	}
	bytes[class] = r.set(r.list)
	return bytes[class]
}

// ahead returns the set of the states that lead to those of a set by production k, or 0 if there are none. It keeps
// the result with the set, may add a set, and may begin new marks.
func (r *generalRun) ahead(set uint32, k Kind) uint32 {
	s := r.leads(set)
	c := call(s.callers, k)
	if c == nil {
		return 0
	}
	if c.to == generalUnknown {
		c.to = r.set(c.by)
	}
	return c.to
}

// leading returns the states that lead to one of the states in to by reading or calling once, and otherwise through
// choices and empty calls, each once. It begins new marks.
func (r *generalRun) leading(to []uint32) (out []uint32) {
	// Two marks: r.mark is of the states that are or were on the stack, which lead to one of to
	// without reading, and r.marked of those that are in out. A state can be both.
	r.next()
	var todo [32]uint32
	stack := append(todo[:0], to...)
	for _, q := range to {
		r.mark[q] = r.now
	}
	for len(stack) > 0 {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, p := range r.back[q] {
			s := &r.states[p]
			if s.op != opcode.Choice && s.next[0] == q && r.marked[p] != r.now {
				r.marked[p] = r.now
				out = append(out, p)
			}
			if (s.op == opcode.Choice || s.op == opcode.Call && s.next[1] == q) && r.mark[p] != r.now {
				r.mark[p] = r.now
				stack = append(stack, p)
			}
		}
	}
	r.steps += (len(to) + len(out)) / 4
	return out
}

// way finds the first way from the state of f, the innermost frame, to one of the states in the set
// live, which are alive at its place. It sets r.exit, r.both and r.empties as choose does, and
// r.path if r.both is set. It returns false if there is no such way. The caller sets r.begins.
func (r *generalRun) way(f *generalFrame, live uint32) bool {
	if !r.begins && !f.noEnd && len(f.passed) == 0 {
		w := r.wayFrom(f.state, live)
		if w == nil {
			return false
		}
		r.exit, r.both = w.exit, w.both
		r.path = append(r.path[:0], w.path...)
		r.empties = append(r.empties[:0], w.empties...)
		return true
	}
	r.next()
	for _, q := range f.passed {
		r.mark[q] = r.now
	}
	r.path, r.empties, r.trail, r.noEnd = r.path[:0], r.empties[:0], r.trail[:0], f.noEnd
	return r.choose(f.state, r.sets[live].states)
}

// wayFrom returns the first way from a state to one of a set, or nil if there is none. It keeps a way that it finds
// with the set; the pointer is valid until another way or set is added. It may overwrite all that choose uses or
// sets, r.noEnd and r.begins too.
func (r *generalRun) wayFrom(from, live uint32) *generalWay {
	for i := range r.sets[live].ways {
		if w := &r.sets[live].ways[i]; w.from == from {
			return w
		}
	}
	r.next()
	r.path, r.empties, r.trail, r.noEnd, r.begins = r.path[:0], r.empties[:0], r.trail[:0], false, false
	if !r.choose(from, r.sets[live].states) {
		return nil
	}
	w := generalWay{from: from, exit: r.exit, both: r.both, empties: slices.Clone(r.empties)}
	if w.both {
		w.path = slices.Clone(r.path)
	}
	s := &r.sets[live]
	s.ways = append(s.ways, w)
	return &s.ways[len(s.ways)-1]
}

// choose finds the first way from q to a state of alive that reads or calls or, unless r.noEnd is
// set, ends. It follows choices in their order, and goes past calls that can derive the empty
// string. It returns false if there is no such way. The caller begins new marks
// ([generalRun.next]), empties r.path, r.empties and r.trail, and sets r.begins: a state that is
// marked is not entered again.
//
// If there is a way, choose sets r.exit, the state that it leads to, and r.both, whether the call at exit may
// derive the empty string as well. It appends to r.path the states up to exit, and to r.empties the
// calls passed as empty (the last first). Otherwise r.exit and r.both mean nothing. In any case it appends to r.trail
// every state that it marked.
func (r *generalRun) choose(q uint32, alive []uint32) bool {
	if q == 0 || r.mark[q] == r.now {
		return false
	}
	r.mark[q] = r.now
	r.path = append(r.path, q)
	r.trail = append(r.trail, q)
	s := &r.states[q]
	live := s.op != opcode.Choice && among(alive, q)
	switch {
	case s.op == opcode.Choice:
		for _, to := range s.next {
			if r.choose(to, alive) {
				return true
			}
		}
	case s.op == opcode.Call:
		n := len(r.path)
		if s.next[1] != 0 && r.chooseEmpty(s, alive) {
			if !live { // no text of the call leads to alive
				r.empties = append(r.empties, Kind(s.arg))
				return true
			}
			// The call leads there with a text and without one: the way ends at it, undecided.
			r.both, r.exit, r.path, r.empties = true, q, r.path[:n], r.empties[:0]
			return true
		}
		r.both, r.exit = false, q
		if live {
			return true
		}
	case live && !(r.noEnd && s.op == opcode.End):
		r.both, r.exit = false, q
		return true
	}
	r.path = r.path[:len(r.path)-1]
	return false
}

// chooseEmpty is choose from the state after the call s, which can derive the empty string. At the
// beginning of a frame that can be inside itself, the call may be empty only because of a production
// around it. Then the frame must not end next, and if choose finds no other way the marks that it
// made are taken back, so that the states can be entered by way of another call.
func (r *generalRun) chooseEmpty(s *automatonState, alive []uint32) bool {
	if !r.begins || r.noEnd || r.void(Kind(s.arg)) {
		return r.choose(s.next[1], alive)
	}
	marked := len(r.trail)
	r.noEnd = true
	ok := r.choose(s.next[1], alive)
	r.noEnd = false
	if !ok {
		for _, q := range r.trail[marked:] {
			r.mark[q] = r.now - 1
		}
	}
	return ok
}

// move takes the next step in the innermost frame: it ends the frame, reads a byte, or calls a
// production. If put can append the production at once, it does, and otherwise a frame is entered.
// If a limit is passed, or nodes cannot be made, r.over is set.
func (r *generalRun) move() {
	f := &r.frames[len(r.frames)-1]
	place := r.places[f.place]
	r.begins = r.cyclic[f.kind] && place.at == f.from
	if r.steps++; !r.way(f, place.live) { // cannot happen: the sets have only states with a way
		r.over = true
		return
	}
	f.noEnd = false
	at, exit := place.at, r.exit
	s := &r.states[exit]
	// The calls that are passed as empty come first. At the beginning of a frame that can be inside
	// itself, their nodes depend on the productions around them.
	for _, k := range slices.Backward(r.empties) {
		if !r.begins {
			r.blank(k, at)
			continue
		}
		r.active = r.active[:0]
		if s.op == opcode.End {
			r.active = r.around(at)
		}
		nodes := len(r.nodes)
		if !r.empty(k, at, false) {
			r.over = true
			return
		}
		for _, n := range r.nodes[nodes:] {
			f.inner = append(f.inner, n.Kind)
		}
		if r.packing {
			r.pack()
		}
	}
	switch s.op {
	case opcode.End:
		r.shut(f.node, at)
		// r.chain and r.left are for leave below: the productions that have all of the text of this frame.
		r.chain, r.left = nil, f.alone
		if r.cyclic[f.kind] {
			if f.innerEnd == at {
				r.chain = f.inner
			}
			r.chain = append(r.chain, r.same[f.kind])
		}
		r.places, r.ended = r.places[:f.lo], r.ended[:f.first]
		own := f.own // f is gone after the next line
		r.frames = r.frames[:len(r.frames)-1]
		if len(r.frames) > 0 && !own {
			r.leave(at)
		}
	case opcode.Byte:
		f.state, f.passed = s.next[0], nil
		f.place--
	case opcode.Call:
		// The ends of the called production from which the rest of the frame is derived.
		r.ends = r.ends[:0]
		for _, e := range r.ended[place.lo:place.hi] {
			if among(r.sets[e.live].states, exit) {
				r.ends = append(r.ends, e.child)
			}
		}
		if len(r.ends) > 1 {
			slices.Sort(r.ends)
			r.ends = slices.Compact(r.ends)
		}
		f.call = exit
		k, same := Kind(s.arg), !r.both
		for _, c := range r.ends {
			same = same && r.items[c].at == r.items[r.ends[0]].at
		}
		// same: all ends are at one place, so that this frame can go on there at once.
		if same && (r.plain[k] || r.proven[k] || len(r.ends) == 1 && !r.cyclic[k]) {
			end := r.ends[0]
			r.chain = nil
			r.leave(r.items[end].at)
			r.put(generalPart{k, at, end}, false)
			return
		}
		if r.both {
			f.passed = append(slices.Clone(f.passed), r.path...)
		}
		var alone []int32
		if r.begins && r.cyclic[k] {
			alone = r.alone(exit, r.ends)
		}
		r.enter(k, at, r.ends, alone, r.both, false)
	}
}

// leave goes on in the innermost frame after the production that it called, which ended at the
// offset at. It sets the frame's state and place. If the frame can be inside itself with the same
// text, and the call stood at its beginning, and r.chain is not empty, leave also adds r.chain to
// inner and sets innerEnd and noEnd: choose must not end the frame next if that would put a
// production inside itself with the same text. An end in r.left is no such end: nothing else can
// follow there. The caller sets r.chain and r.left, or r.chain to nil.
func (r *generalRun) leave(at int32) {
	f := &r.frames[len(r.frames)-1]
	s := &r.states[f.call]
	if len(r.chain) > 0 && r.cyclic[f.kind] && r.places[f.place].at == f.from {
		if at > f.from { // what was inside up to an earlier place is not all of the text
			f.inner = nil
		}
		f.inner, f.innerEnd = append(f.inner, r.chain...), at
		inChain := func(k Kind) bool { return slices.Contains(r.chain, k) }
		f.noEnd = !slices.Contains(r.left, at) && slices.ContainsFunc(r.around(at), inChain)
	}
	if r.places[f.place].at == at {
		f.state = s.next[1]
		return
	}
	f.state, f.passed = s.next[0], nil
	f.place = r.placeOf(f, at)
}

// placeOf returns the element of r.places, among those of f before its current one, that is at the
// offset at. There must be one.
func (r *generalRun) placeOf(f *generalFrame, at int32) int32 {
	places := r.places[f.lo:f.place]
	if n := len(places) - 1; places[n].at == at {
		return f.lo + int32(n)
	}
	return f.lo + int32(sort.Search(len(places), func(i int) bool { return places[i].at <= at }))
}

// blank appends the nodes of production k, which derives the empty string, at an offset. No
// production around it has the same text, so that the nodes are the same each time: they are kept
// in r.blanks. If they cannot be made, r.over is set. While packing, they are packed. It overwrites r.active.
func (r *generalRun) blank(k Kind, at int32) {
	n := len(r.nodes)
	if r.blanks[k] == nil {
		r.active = r.active[:0]
		if !r.empty(k, 0, false) {
			r.over = true
			return
		}
		r.blanks[k] = append([]Raw{}, r.nodes[n:]...)
		for i := range r.blanks[k] {
			r.blanks[k][i].Next -= int32(n - r.base)
		}
		r.nodes = r.nodes[:n]
	}
	r.nodes = append(r.nodes, r.blanks[k]...)
	if r.shift(n, at); r.packing {
		r.pack()
	}
}

// empty appends the nodes of the derivation of the empty string from production k, at the offset
// at. It reports whether there is one without any of the productions in r.active, those that are
// being derived around it; if not, it appends nothing. With root set, the production has a node in
// any case. If a limit is passed, it returns false, and r.over is set.
func (r *generalRun) empty(k Kind, at int32, root bool) bool {
	if slices.Contains(r.active, r.same[k]) {
		return false
	}
	if r.proven[k] {
		return r.emptyProven(k, at)
	}
	r.active = append(r.active, r.same[k])
	nodes := len(r.nodes)
	node := int32(-1)
	if r.node[k] || root {
		node = r.begin(k, at)
	}
	ok := r.emptyFrom(r.starts[k], at, nil)
	r.active = r.active[:len(r.active)-1]
	if !ok {
		r.nodes = r.nodes[:nodes]
		return false
	}
	if node >= 0 {
		r.nodes[node].End, r.nodes[node].Next = at, int32(len(r.nodes)-r.base)
	}
	return true
}

// emptyProven is empty for a production that is proven: its code makes the nodes, since its network
// may have been put together with those of the productions that it uses, and then no longer tells
// them apart. It uses no production that uses itself, so nothing around it can be inside it.
func (r *generalRun) emptyProven(k Kind, at int32) bool {
	n, ok := len(r.nodes), false
	r.nodes, ok = r.code(r.nodes, k, "")
	r.shift(n, at)
	return ok
}

// emptyFrom is empty for the rest of a production, from a state that is reached along path without
// reading. It is false for 0, which is no state, and for a state in path. If a limit is passed, it is false and
// r.over is set.
func (r *generalRun) emptyFrom(q uint32, at int32, path []uint32) bool {
	if r.steps++; q == 0 || slices.Contains(path, q) || r.steps > r.pause && r.tired() {
		return false
	}
	path = append(path, q)
	switch s := &r.states[q]; s.op {
	case opcode.End:
		return true
	case opcode.Choice:
		for _, to := range s.next {
			if r.emptyFrom(to, at, path) {
				return true
			}
		}
	case opcode.Call:
		nodes := len(r.nodes)
		if s.next[1] != 0 && r.empty(Kind(s.arg), at, false) && r.emptyFrom(s.next[1], at, path) {
			return true
		}
		r.nodes = r.nodes[:nodes]
	}
	return false
}
