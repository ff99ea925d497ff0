package ast

import (
	"encoding/binary"
	"math"
	"slices"
)

// drop drops the items that neither reading nor the tree needs any more, and renumbers the others.
// Needed are the items at the place that is read, those that wait for them, and, for the tree, those
// that these were reached from. Of a production that has ended, the tree may need no more than its
// nodes: where its end is one item, and nothing is open that began in it. Its nodes are then packed
// into r.pool, and the item of its end stands for them: its pred is -2 - b and its child e, if they
// are pool[b:e].
//
// drop takes at most dropSteps steps for each item that there is. If it would take more it leaves
// everything as it is, and the next attempt is made when there are twice as many items. Between two
// attempts at least half as many items are made as were left, so that all of them together cost a
// constant for each item that was made. The steps count for the run in any case: r.over is set if they
// pass a limit of it.
func (r *generalRun) drop(tree bool) {
	limit, pause := r.limits.steps, r.pause // put back below: for dropped, they are those of drop
	r.limits.steps = min(limit, r.steps+dropSteps*len(r.items))
	r.pause = min(pause, r.limits.steps)
	if !r.dropped(tree) {
		r.over, r.packing, r.ends = false, false, r.ends[:0]
		r.full = 2 * len(r.items)
	}
	r.limits.steps, r.pause = limit, pause
	r.over = r.over || r.steps > r.pause && r.tired()
	r.order, r.begun = r.order[:0], r.begun[:0]
}

// zeroed returns a slice of n zeros, in the memory of list if that is enough: what list held is lost then.
func zeroed[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	list = list[:n]
	clear(list)
	return list
}

// dropSteps caps the steps of drop for each item. An input that is not ambiguous takes far fewer.
const dropSteps = 4

// dropped does the work of drop within r.limits.steps, and reports whether it got through. If it
// did not, no item is changed, but the caller has to reset r.over, r.packing and r.ends.
func (r *generalRun) dropped(tree bool) bool {
	r.whole = zeroed(r.whole, len(r.items))
	r.wanted = zeroed(r.wanted, len(r.origins)) // by origin: 0, the one end that is needed plus 1, or -1
	whole, wanted, todo := r.whole, r.wanted, r.kept[:0]
	defer func() { r.kept = todo }()
	keep := func(i int32) {
		if !whole[i] {
			whole[i] = true
			todo = append(todo, i)
		}
	}
	// Reading needs the items at its place, and those that wait for them.
	for i := range r.items[r.cur:] {
		keep(r.cur + int32(i))
	}
	keepWaiting := func(o int32) { // those that wait for what began at an origin
		for i := r.origins[o].lo; i < r.origins[o].hi && wanted[o] == 0; i++ {
			x := &r.items[i]
			if x.pred == -1 || r.acts[r.cell(x.set, r.class(int(x.at))).act].begins() {
				keep(i)
			}
		}
		wanted[o] = -1
	}
	for _, s := range r.scans {
		keepWaiting(s.origin)
	}
	for n := 0; n < len(todo); n++ {
		keepWaiting(r.items[todo[n]].origin)
	}
	// The tree needs what these were reached from. An item that is the only end that is needed of its
	// origin can be packed: it is wanted, and not kept.
	want := func(c int32) {
		w := &wanted[r.items[c].origin]
		done := r.done(c)
		hasRoom := len(r.pool) < min(10*r.limits.items, math.MaxInt32/2)
		if *w == 0 && len(done) == 1 && !r.loose[done[0]] && hasRoom {
			*w = c + 1
		}
		if *w == c+1 {
			return
		}
		if *w > 0 {
			keep(*w - 1)
		}
		*w = -1
		keep(c)
	}
	for n := 0; n < len(todo) && tree; n++ {
		if r.items[todo[n]].pred >= 0 {
			r.eachLink(todo[n], func(q, c int32) {
				keep(q)
				if c != generalNone {
					want(c)
				}
			})
			if r.steps++; r.steps > r.pause && r.tired() {
				return false
			}
		}
	}
	var made []generalItem // for each packed production the new pred and child of its end, whose number is in at
	r.packing, r.nodes, r.fresh = true, nil, slices.Grow(r.fresh[:0], len(r.pool)*5/4)
	// Pack the nodes of the productions whose one end is wanted.
	for _, w := range wanted {
		if c := w - 1; w > 0 && !whole[c] && r.items[c].pred >= 0 && !r.over {
			lo, k := len(r.fresh), r.done(c)[0]
			if !r.plain[k] && !r.proven[k] {
				r.last, r.ends = r.items[r.origins[r.items[c].origin].lo].at, append(r.ends[:0], c)
				r.walk(k, r.last, false)
			}
			made = append(made, generalItem{at: c, pred: -2 - int32(lo), child: int32(len(r.fresh))})
		}
	}
	if r.over {
		return false
	}
	r.packing = false
	// Nothing can fail from here on. Copy the nodes that were packed before and are still needed.
	for i, x := range r.items {
		if x.pred < -1 && (whole[i] || wanted[x.origin] == int32(i)+1) {
			lo := len(r.fresh)
			r.fresh = append(r.fresh, r.pool[-2-x.pred:x.child]...)
			r.items[i].pred, r.items[i].child = -2-int32(lo), int32(len(r.fresh))
		}
	}
	r.pool, r.fresh = r.fresh, r.pool
	for _, m := range made {
		r.items[m.at].pred, r.items[m.at].child = m.pred, m.child
	}
	r.steps += len(r.items)

	// Renumber the items and origins that are left.
	r.index32 = zeroed(r.index32, len(r.items)+1)
	index, n := r.index32, int32(0)
	for i, x := range r.items {
		index[i] = n
		if whole[i] || wanted[x.origin] == int32(i)+1 {
			n++
		}
	}
	index[len(r.items)] = n
	origins := r.origins[:0]
	for o, x := range r.origins {
		if wanted[o] != 0 {
			wanted[o] = int32(len(origins))
			origins = append(origins, generalOrigin{index[x.first], index[x.lo], index[x.hi], x.passed})
		}
	}
	for i, x := range r.items {
		if index[i] == index[i+1] {
			continue
		}
		x.origin = wanted[x.origin]
		if x.pred >= 0 {
			x.pred = index[x.pred]
			if c := x.by(); c != generalNone {
				x.child = index[c] | x.child&generalMore
			}
		}
		r.items[index[i]] = x
	}
	for i := range r.scans {
		r.scans[i].origin = wanted[r.scans[i].origin]
	}
	if r.prefix != nil {
		r.prefix.forget()
	}
	r.cur, r.place, r.items, r.origins, r.ends = index[r.cur], -1, r.items[:n], origins, r.ends[:0]
	r.full = len(r.items)*3/2 + len(r.pool)/64 + r.spare(tree)
	return true
}

// spare returns how many items may be made before drop is tried, on top of one and a half times
// those that the last drop left. It grows with the input, so that items take a few bytes for each of
// its bytes: without a tree two and a half, and as much again while their slice grows. With a tree it
// is larger: the tree itself takes more, and is made faster if its parts are moved seldom.
func (r *generalRun) spare(tree bool) int {
	if tree {
		return min(r.limits.items/16, max(leastSpareTree, len(r.src)/4))
	}
	return min(r.limits.items/4, max(leastSpare, min(len(r.src)/8, mostSpare)))
}

// Bounds of spare, found by measuring: below the least ones dropping costs more than it saves, and
// above mostSpare the items no longer fit the processor's cache.
const (
	leastSpare     = 1 << 11
	mostSpare      = 1 << 16
	leastSpareTree = 1 << 17
)

// Packed nodes are a list of events, the beginnings and ends of nodes in the order of the text. Each
// is a code as a varint: 4 times the kind of a node that begins, or 0 for the end of the innermost
// open node; plus 1 if its place is not that of the event before, and then the distance follows.
// Plus 2 stands for a whole production that is proven: its nodes are made when it is unpacked, and
// its length follows. packedMove, the 2 without a kind, only moves to another place.
const packedMove = 2

// event appends an event at an offset, which must not be before r.last, to r.fresh. code is one of those at
// packedMove, without the 1, which event adds. r.last is the place of the event before, and then of this one.
func (r *generalRun) event(code uint64, at int32) {
	if at == r.last {
		r.fresh = binary.AppendUvarint(r.fresh, code)
		return
	}
	r.fresh = binary.AppendUvarint(binary.AppendUvarint(r.fresh, code|1), uint64(at-r.last))
	r.last = at
}

// pack moves r.nodes, which were made as nodes while the tree is being packed, into r.fresh as events,
// and empties r.nodes.
func (r *generalRun) pack() {
	var open []int32                                               // the nodes that are open, as indexes in r.nodes
	for i, n := range append(r.nodes, Raw{Start: math.MaxInt32}) { // the last one closes those still open
		for k := len(open) - 1; k >= 0 && r.nodes[open[k]].Next == int32(i); k-- {
			r.event(0, r.nodes[open[k]].End)
			open = open[:k]
		}
		if i < len(r.nodes) {
			r.event(4*uint64(n.Kind), n.Start)
			open = append(open, int32(i))
		}
	}
	r.nodes = r.nodes[:0]
}

// paste appends the packed nodes of a production that begins at the offset at and ends at end: to
// r.fresh as they are while the tree is being packed, and otherwise, unpacked, to r.nodes. r.over
// may be set, as by begin and prove; the nodes are then of no use.
func (r *generalRun) paste(packed []byte, at, end int32) {
	if r.packing {
		r.steps += len(packed) / 64
		if at != r.last {
			r.event(packedMove, at)
		}
		r.fresh, r.last = append(r.fresh, packed...), end
		return
	}
	r.steps += len(packed) / 4
	number := func() uint64 {
		v, n := binary.Uvarint(packed)
		packed = packed[n:]
		return v
	}
	for top := int32(-1); len(packed) > 0 && !r.over; {
		code := number()
		if code&1 != 0 {
			at += int32(number())
		}
		switch k := Kind(code / 4); {
		case k == 0 && code&2 == 0:
			// top is the innermost open node. Until a node ends, its Next is the node around it.
			n := &r.nodes[top]
			top = n.Next
			n.End, n.Next = at, int32(len(r.nodes)-r.base)
		case k != 0 && code&2 == 0:
			node := r.begin(k, at)
			r.nodes[node].Next, top = top, node
		case k != 0:
			from := at
			at += int32(number())
			r.prove(k, from, at)
		}
	}
}

// prove appends the nodes of a production that is code of its own, proven to be right, and is known to
// derive src[at:end]: the code makes them. While the tree is being packed it appends one event instead. If a limit
// is passed, or the code makes no nodes after all, r.over is set.
func (r *generalRun) prove(k Kind, at, end int32) {
	if r.packing {
		r.event(4*uint64(k)+2, at)
		r.fresh, r.last = binary.AppendUvarint(r.fresh, uint64(end-at)), end
		return
	}
	if r.room(at); r.over {
		return
	}
	n, ok := len(r.nodes), false
	if r.scanner(k) == nil {
		r.nodes, ok = r.code(r.nodes, k, r.src[at:end])
	} else {
		ok = r.nodesOfScanned(scanned{k, int(at), int(end)})
	}
	r.over = !ok // which the proof rules out
	r.shift(n, at)
}

// room makes room in r.nodes for at least 16 more nodes, if there is less. It expects that the rest
// of the input has as many nodes for each byte as src[:at] has. The beginning of an input may
// mislead: if that would be more than sixteen times as many as there are, it makes room for four
// times as many. It sets r.over if a limit is passed, and makes room all the same.
func (r *generalRun) room(at int32) {
	r.over = r.over || r.steps > r.pause && r.tired()
	n := len(r.nodes)
	if cap(r.nodes)-n >= 16 {
		return
	}
	most := int64(n-r.base+16) * int64(len(r.src)) / int64(at+1) * 17 / 16
	if most > 16*int64(n) {
		most = 4 * int64(n)
	}
	r.nodes = slices.Grow(r.nodes, max(int(most)-n, n/4)+16)
}

// shift moves the nodes from n on, which were made as those of a string of their own, to their place:
// by so many bytes later in the text, and with their Next counted from the first node of the tree.
func (r *generalRun) shift(n int, by int32) {
	r.steps += len(r.nodes) - n
	for i := range r.nodes[n:] {
		x := &r.nodes[n+i]
		x.Start, x.End, x.Next = x.Start+by, x.End+by, x.Next+int32(n-r.base)
	}
}
