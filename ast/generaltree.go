package ast

import (
	"slices"
	"sort"
)

// A generalWalk builds the tree of an input that was read, from the root. At each production it finds from its ends backwards in which
// states, at which places, the rest of it can be derived, and then takes the first way along these.
type generalWalk struct {
	nodes   []Raw
	base    int
	frames  []generalFrame
	alive   []generalAlive
	places  []generalPlace
	todo    []generalLink
	group   []generalLink
	from    []uint32
	sources []uint32
	marked  []uint32 // by state, for sources
	exit    uint32   // what choose found
	both    bool     // the call at exit may derive the empty string as well
	path    []uint32 // to exit
	empties []Kind   // calls on that path that derive the empty string, the last first
	active  []Kind
	noEnd   bool    // choose is not to end the frame
	chain   []Kind  // what is all of the frame that was left last
	left    []int32 // its ends that are those of the frame around it
	begins  bool    // the frame is at its beginning, and can be inside itself with the same text
	trail   []uint32
}

// A generalFrame is a production in the making.
type generalFrame struct {
	kind   Kind
	node   int32 // or -1
	place  int32 // an element of places, those of the frame are lo and the following; the last is its beginning
	lo     int32
	first  int32  // of what is alive in the frame
	state  uint32 // what is to be done next
	call   uint32 // the state that called another
	passed []uint32

	// Of a production that can be inside itself with the same text:
	from     int32   // where it begins
	alone    []int32 // the ends that are those of the frame around it, which begins there as well
	inner    []Kind  // what is all of it up to innerEnd
	innerEnd int32
	noEnd    bool // it may not end next
}

// A generalPlace is what is alive at a place: states in the order of their numbers.
type generalPlace struct{ at, lo, hi int32 }

// A generalAlive is a state from which an end of the frame can be reached; of a call, with one item as the end of what is called.
type generalAlive struct {
	state uint32
	child int32
}

// A generalLink is a state that is alive at a place and, where it is in an item that was made, that item; otherwise -1.
type generalLink struct {
	at, item int32
	generalAlive
}

// derive appends the nodes of the input, which was read.
func (r *generalRun) derive() {
	r.frames, r.alive, r.places = r.frames[:0], r.alive[:0], r.places[:0]
	if len(r.src) == 0 {
		r.active = r.active[:0]
		r.over = !r.empty(r.start, 0, true)
		return
	}
	r.nodes = slices.Grow(r.nodes, len(r.items)/4)
	r.enter(r.start, 0, r.ends, nil, false, true)
	for len(r.frames) > 0 && !r.over {
		r.move()
	}
}

// open begins a node, if the production is one.
func (r *generalRun) open(k Kind, at int32, root bool) int32 {
	if !r.node[k] && !root {
		return -1
	}
	r.nodes = append(r.nodes, Raw{Kind: k, Start: at})
	return int32(len(r.nodes) - 1)
}

// shut ends the node that open began.
func (r *generalRun) shut(node, at int32) {
	if node >= 0 {
		r.nodes[node].End, r.nodes[node].Next = at, int32(len(r.nodes)-r.base)
	}
}

// enter begins a production at a place, which ends as one of some items or, if none is true, derives the empty string. Alone are the ends
// that are those of the innermost frame.
func (r *generalRun) enter(k Kind, at int32, ends, alone []int32, none, root bool) {
	r.frames = append(r.frames, generalFrame{kind: k, node: r.open(k, at, root), lo: int32(len(r.places)), first: int32(len(r.alive)), state: r.starts[k], from: at, innerEnd: at, alone: alone})
	end := r.finals[k]
	r.todo = r.todo[:0]
	for _, i := range ends {
		r.push(generalLink{r.items[i].at, i, generalAlive{end, generalNone}})
	}
	if none {
		r.push(generalLink{at, -1, generalAlive{end, generalNone}})
	}
	for len(r.todo) > 0 && !r.over {
		n := len(r.todo)
		place := r.todo[n-1].at
		for n > 0 && r.todo[n-1].at == place {
			n--
		}
		r.group = append(r.group[:0], r.todo[n:]...)
		r.todo = r.todo[:n]
		r.settle(place)
	}
	r.frames[len(r.frames)-1].place = int32(len(r.places)) - 1
}

// push adds a link, in the order of places.
func (r *generalRun) push(l generalLink) {
	i := len(r.todo)
	for i > 0 && r.todo[i-1].at > l.at {
		i--
	}
	r.todo = slices.Insert(r.todo, i, l)
	r.steps += len(r.todo) - i
	r.over = r.over || r.steps > r.limits.Steps
}

// settle notes what is alive at a place, which is the group, and follows the items in it backwards.
func (r *generalRun) settle(at int32) {
	g := r.group
	if len(g) > 1 {
		slices.SortFunc(g, func(a, b generalLink) int {
			if a.state != b.state {
				return int(a.state) - int(b.state)
			}
			if a.child != b.child {
				return int(a.child) - int(b.child)
			}
			return int(a.item) - int(b.item)
		})
	}
	lo := int32(len(r.alive))
	for i, l := range g {
		if i == 0 || l.generalAlive != g[i-1].generalAlive {
			r.alive = append(r.alive, l.generalAlive)
		}
	}
	r.places = append(r.places, generalPlace{at, lo, int32(len(r.alive))})
	if len(g) > 1 {
		slices.SortStableFunc(g, func(a, b generalLink) int { return int(a.item) - int(b.item) })
	}
	for len(g) > 0 {
		item := g[0].item
		r.from = r.from[:0]
		for len(g) > 0 && g[0].item == item {
			if n := len(r.from); n == 0 || r.from[n-1] != g[0].state {
				r.from = append(r.from, g[0].state)
			}
			g = g[1:]
		}
		if item >= 0 && r.items[item].pred >= 0 {
			r.trace(item)
		}
	}
}

// trace goes back from an item to those that it was reached from, and from the states in from.
func (r *generalRun) trace(item int32) {
	r.sources = r.leading(r.from, r.sources[:0])
	r.eachLink(item, func(q, child int32) { r.link(r.items[item], q, child) })
}

// eachLink calls f for each item that an item was reached from, and what ended between, if something did.
func (r *generalRun) eachLink(item int32, f func(q, child int32)) {
	x := r.items[item]
	if !x.more() {
		f(x.pred, x.by())
		return
	}
	if x.by() == generalNone {
		for q, end := r.span(r.items[x.pred].at); q < end; q++ {
			if r.items[q].origin == x.origin && r.reads(q, x) {
				f(q, generalNone)
			}
		}
	}
	for c, end := r.span(x.at); c < end; c++ {
		o := r.origins[r.items[c].origin]
		done := r.done(c)
		for q := o.lo; q < o.hi && len(done) > 0; q++ {
			r.steps++
			if r.items[q].origin == x.origin && slices.ContainsFunc(done, func(k Kind) bool { return r.behind(r.items[q].set, k) == x.set }) {
				f(q, c)
			}
		}
	}
}

// reads reports whether an item is reached from another one by the bytes between.
func (r *generalRun) reads(q int32, x generalItem) bool {
	set := r.items[q].set
	for at := r.items[q].at; at < x.at; at++ {
		set = r.cell(set, int(r.classes[r.src[at]])).to
	}
	return set == x.set
}

// span returns the items at a place.
func (r *generalRun) span(at int32) (lo, hi int32) {
	lo = int32(sort.Search(len(r.items), func(i int) bool { return r.items[i].at >= at }))
	for hi = lo; int(hi) < len(r.items) && r.items[hi].at == at; {
		hi++
	}
	return lo, hi
}

// done returns the productions that end in an item.
func (r *generalRun) done(i int32) []Kind {
	return r.acts[r.cell(r.items[i].set, r.class(int(r.items[i].at))).act].done
}

// link adds what is alive in the item q if x is reached from there, by bytes or as the item child ends, and its sources are known.
func (r *generalRun) link(x generalItem, q, child int32) {
	at, states := r.items[q].at, r.sets[r.items[q].set].states
	if child != generalNone {
		done := r.done(child)
		f := &r.frames[len(r.frames)-1]
		circle := r.cyclic[f.kind] && r.items[q].pred < 0 && slices.Contains(r.from, r.finals[f.kind])
		var rest []uint32
		if circle {
			rest = r.leading(slices.DeleteFunc(slices.Clone(r.from), func(q uint32) bool { return q == r.finals[f.kind] }), nil)
		}
		for _, s := range r.sources {
			if y := &r.states[s]; y.op == automatonCall && slices.Contains(done, Kind(y.arg)) && among(states, s) && (!circle || r.allowed(s, child, rest)) {
				r.push(generalLink{at, q, generalAlive{s, child}})
			}
		}
		return
	}
	sources := r.sources
	var room [2][]uint32
	for m := x.at - 1; m >= at; m-- {
		class := int(r.classes[r.src[m]])
		r.steps++
		keep := room[m&1][:0]
		for _, s := range sources {
			if x := &r.states[s]; x.op == automatonByte && r.members[int(x.arg)*r.width+class] && (m > at || among(states, s)) {
				keep = append(keep, s)
				item := int32(-1)
				if m == at {
					item = q
				}
				r.push(generalLink{m, item, generalAlive{s, generalNone}})
			}
		}
		room[m&1] = keep
		if m > at {
			sources = r.leading(keep, nil)
		}
	}
}

func among(states []uint32, q uint32) bool {
	_, ok := slices.BinarySearch(states, q)
	return ok
}

// leading appends the states that lead to one of some by reading or calling once.
func (r *generalRun) leading(to, out []uint32) []uint32 {
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
			if s.op != automatonChoice && s.next[0] == q && r.marked[p] != r.now {
				r.marked[p] = r.now
				out = append(out, p)
			}
			if (s.op == automatonChoice || s.op == automatonCall && s.next[1] == q) && r.mark[p] != r.now {
				r.mark[p] = r.now
				stack = append(stack, p)
			}
		}
	}
	return out
}

// choose finds the first way from q, at a place, to a state that is alive there.
func (r *generalRun) choose(q uint32, alive []generalAlive) bool {
	if q == 0 || r.mark[q] == r.now {
		return false
	}
	r.mark[q] = r.now
	r.path = append(r.path, q)
	r.trail = append(r.trail, q)
	s := &r.states[q]
	live := s.op != automatonChoice && living(alive, q) < len(alive)
	switch {
	case s.op == automatonChoice:
		for _, to := range s.next {
			if r.choose(to, alive) {
				return true
			}
		}
	case s.op == automatonCall:
		n := len(r.path)
		if s.next[1] != 0 && r.chooseEmpty(s, alive) {
			if !live {
				r.empties = append(r.empties, Kind(s.arg))
				return true
			}
			r.both, r.exit, r.path, r.empties = true, q, r.path[:n], r.empties[:0]
			return true
		}
		r.both, r.exit = false, q
		if live {
			return true
		}
	case live && !(r.noEnd && s.op == automatonEnd):
		r.both, r.exit = false, q
		return true
	}
	r.path = r.path[:len(r.path)-1]
	return false
}

// chooseEmpty is choose behind a call that derives the empty string.
func (r *generalRun) chooseEmpty(s *automatonState, alive []generalAlive) bool {
	if !r.begins || r.noEnd || r.void(Kind(s.arg)) {
		return r.choose(s.next[1], alive)
	}
	marked := len(r.trail)
	r.noEnd = true
	ok := r.choose(s.next[1], alive)
	if r.noEnd = false; !ok {
		for _, q := range r.trail[marked:] {
			r.mark[q] = r.now - 1
		}
	}
	return ok
}

// living returns the place of a state in alive, or its length.
func living(alive []generalAlive, q uint32) int {
	if len(alive) > 8 {
		i, ok := slices.BinarySearchFunc(alive, q, func(a generalAlive, q uint32) int { return int(a.state) - int(q) })
		if !ok {
			return len(alive)
		}
		return i
	}
	for i := range alive {
		if alive[i].state == q {
			return i
		}
	}
	return len(alive)
}

// move goes on in the innermost frame.
func (r *generalRun) move() {
	f := &r.frames[len(r.frames)-1]
	place := r.places[f.place]
	alive := r.alive[place.lo:place.hi]
	r.next()
	for _, q := range f.passed {
		r.mark[q] = r.now
	}
	r.path, r.empties, r.trail, r.noEnd = r.path[:0], r.empties[:0], r.trail[:0], f.noEnd
	f.noEnd, r.begins = false, r.cyclic[f.kind] && place.at == f.from
	if !r.choose(f.state, alive) { // which the sets rule out
		r.over = true
		return
	}
	at, exit := place.at, r.exit
	s := &r.states[exit]
	for _, k := range slices.Backward(r.empties) {
		r.active = r.active[:0]
		if r.begins && s.op == automatonEnd {
			r.active = r.around(at)
		}
		nodes := len(r.nodes)
		if !r.empty(k, at, false) {
			r.over = true
			return
		}
		if r.begins {
			for _, n := range r.nodes[nodes:] {
				f.inner = append(f.inner, n.Kind)
			}
		}
	}
	switch s.op {
	case automatonEnd:
		r.shut(f.node, at)
		r.chain, r.left = nil, f.alone
		if r.cyclic[f.kind] {
			if f.innerEnd == at {
				r.chain = f.inner
			}
			r.chain = append(r.chain, r.same[f.kind])
		}
		r.places, r.alive = r.places[:f.lo], r.alive[:f.first]
		r.frames = r.frames[:len(r.frames)-1]
		if len(r.frames) > 0 {
			r.leave(at)
		}
	case automatonByte:
		f.state, f.passed = s.next[0], nil
		f.place--
	case automatonCall:
		r.ends = r.ends[:0]
		for i := living(alive, exit); i < len(alive) && alive[i].state == exit; i++ {
			r.ends = append(r.ends, alive[i].child)
		}
		f.call = exit
		k, same := Kind(s.arg), !r.both
		for _, c := range r.ends {
			same = same && r.items[c].at == r.items[r.ends[0]].at
		}
		if same && r.plain[k] {
			end := r.items[r.ends[0]].at
			r.shut(r.open(k, at, false), end)
			r.chain = nil
			r.leave(end)
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

// leave goes on in the innermost frame behind what it called, which ends at a place.
func (r *generalRun) leave(at int32) {
	f := &r.frames[len(r.frames)-1]
	s := &r.states[f.call]
	if len(r.chain) > 0 && r.cyclic[f.kind] && r.places[f.place].at == f.from {
		if at > f.from {
			f.inner = nil
		}
		f.inner, f.innerEnd = append(f.inner, r.chain...), at
		f.noEnd = !slices.Contains(r.left, at) && slices.ContainsFunc(r.around(at), func(k Kind) bool { return slices.Contains(r.chain, k) })
	}
	if r.places[f.place].at == at {
		f.state = s.next[1]
		return
	}
	f.state, f.passed = s.next[0], nil
	f.place = r.placeOf(f, at)
}

// placeOf returns the place of a frame, before that which it is at, that is at an offset.
func (r *generalRun) placeOf(f *generalFrame, at int32) int32 {
	places := r.places[f.lo:f.place]
	return f.lo + int32(sort.Search(len(places), func(i int) bool { return places[i].at <= at }))
}

// empty appends the nodes of a production that derives the empty string. It reports whether there are any without one that contains
// itself.
func (r *generalRun) empty(k Kind, at int32, root bool) bool {
	if slices.Contains(r.active, r.same[k]) {
		return false
	}
	r.active = append(r.active, r.same[k])
	nodes := len(r.nodes)
	node := r.open(k, at, root)
	ok := r.emptyFrom(r.starts[k], at, nil)
	r.active = r.active[:len(r.active)-1]
	if !ok {
		r.nodes = r.nodes[:nodes]
		return false
	}
	r.shut(node, at)
	return true
}

func (r *generalRun) emptyFrom(q uint32, at int32, path []uint32) bool {
	if r.steps++; q == 0 || slices.Contains(path, q) || r.steps > r.limits.Steps {
		return false
	}
	path = append(path, q)
	switch s := &r.states[q]; s.op {
	case automatonEnd:
		return true
	case automatonChoice:
		for _, to := range s.next {
			if r.emptyFrom(to, at, path) {
				return true
			}
		}
	case automatonCall:
		nodes := len(r.nodes)
		if s.next[1] != 0 && r.empty(Kind(s.arg), at, false) && r.emptyFrom(s.next[1], at, path) {
			return true
		}
		r.nodes = r.nodes[:nodes]
	}
	return false
}
