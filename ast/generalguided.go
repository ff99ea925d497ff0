package ast

// This file parses by a guide (generalguide.go), from left to right and in linear time. It joins two
// known ideas. The guide, read backwards from the end of the input, tells at each place from which
// states the rest can be read: K. Čulik and R. Cohen, "LR-Regular Grammars", 1973. Where that leaves
// several states, they are followed together as long as they call and end the same framed parts at
// the same places, as an LR parser does.
//
// Each state that is followed is a thread. The threads of a list are in the order of the choices that
// led to them, the first choice first. Where two come to one state, the first stays. Threads that
// have opened and closed the same nodes are one group. While there is one group, its nodes are made
// at once. While there are several, steps are written into a log, which is replayed when one group
// is left.
//
// Why the tree is the right one: a thread from which the rest can be derived is dropped in one case
// only. That is where threads part, because one calls or ends a part and another does not. Then those
// that go with the first one stay, and the others are dropped. So a thread that comes to the end of
// the input has found a derivation, and none stands before it in the order of choices. That is the
// tree.
//
// In a strict guide the order of choices is another one: see generalguideleft.go. It gives no thread up
// but for one with the same nodes.
//
// Threads that called a part together need care. One that is dropped inside the part may belong to
// the first of the callers. It then stands before all that the second caller could still derive. So
// once a thread was dropped inside a part, only the first of its callers goes on after it.
//
// If no thread comes to the end, the input is not derived, unless one was dropped: then the general
// parser has to find out.

// Bounds of what a parser by a guide keeps from one input to the next, and the bytes that it reads
// between two looks at the limits.
const (
	guidedPlaces = 8 << 20 // places of the input
	guidedEvents = 1 << 19 // of the log
	guidedPause  = 1 << 20
)

// A guideEvent is a step that was taken at a place, in the log. after, unless it is nil, tells how
// the callers went on after a step that returned.
type guideEvent struct {
	step  uint32
	at    int32
	after *guideAfter
	acts  uint32 // of the group that is left; set by replay
}

// guideEventBytes is the size of a guideEvent on a machine of 64 bits.
const guideEventBytes = 24

// A guided is a parser by a guide. It is part of a run.
type guided struct {
	*guide
	t *generalTables
	guideSets
	guideTables
	start guideMove // the row of an input's beginning
	spent bool      // too much would be kept, so it parses no more
	key   []byte    // for a look into an index

	// Of an input.
	stack   []uint32 // frames
	lossy   int      // so many of the lowest frames had a thread dropped since they were pushed
	split   int      // so many frames have several groups
	log     []guideEvent
	picks   []uint32     // memory of replay
	top     int32        // the innermost open node
	closed  int32        // the node that was closed last
	wraps   int          // the number of nodes that were opened around another one
	waiting guideWaiting // memory of placeNodes
	began   int32        // where the proven production began that is being read
	dropped bool         // a thread was dropped
}

// newGuided returns a parser by a guide, whose tables have only the row in which inputs begin.
func newGuided(t *generalTables, g *guide) *guided {
	p := &guided{guide: g, t: t}
	p.guideSets = guideSets{
		index: map[string]uint16{},
		until: make([][]uint64, t.width+1),
	}
	p.guideTables = guideTables{
		rowIndex:   map[string]guideMove{},
		frameIndex: map[string]uint32{},
		acts:       [][]guideAct{nil},
		actIndex:   map[string]uint32{"": 0},
	}
	p.returns.number(guideReturn{})
	p.row(nil)
	for i := range p.cells {
		p.cells[i] = guideDead
	}
	p.start = p.row(p.entryOf(0))
	p.set(p.empty())
	return p
}

// guidesKept caps the elements that guides keep together, with the parsers by them. It does not cap how
// many there are: most are small, and building a guide takes a thousand times as long as a short input.
const guidesKept = 1 << 23

// makeRoomForGuide returns kept, a map of guides or of the parsers by them, if these keep at most guidesKept
// elements together. Otherwise, and for nil, it returns an empty map: all are forgotten.
func makeRoomForGuide[G interface{ size() int }](kept map[guideUse]G) map[guideUse]G {
	size := 0
	for _, g := range kept {
		size += g.size()
	}
	if kept == nil || size > guidesKept {
		return map[guideUse]G{}
	}
	return kept
}

// size returns about how many elements p keeps, with its guide.
func (p *guided) size() int {
	if p.guide == nil {
		return 0
	}
	ofSet := len(p.states)/32 + p.t.width
	return p.guide.size() + p.kept + len(p.sets)*ofSet
}

// guidedBy returns the parser by a guide for the start of r. If it has no guide, the parser is spent.
// With tree set, the guide makes nodes. If more than guidesKept is kept before a guide is built, all
// parsers are forgotten. It takes t.guideLock if r has no parser for the start yet.
func (r *generalRun) guidedBy(tree bool) *guided {
	use := guideUse{r.start, !tree}
	p, ok := r.guided[use]
	if !ok {
		r.guided = makeRoomForGuide(r.guided)
		p = &guided{spent: true}
		if g := r.guideOf(r.start, tree); g != nil {
			p = newGuided(r.generalTables, g)
		}
		r.guided[use] = p
	}
	return p
}

// guideOf returns the guide of a start, which makes nodes if tree is set, or nil if it has none. It is built when it
// is first needed. If guides have more than guidesKept elements by then, all of them are forgotten first, and it is
// forgotten which starts have none. It takes t.guideLock.
func (t *generalTables) guideOf(start Kind, tree bool) *guide {
	t.guideLock.Lock()
	defer t.guideLock.Unlock()
	use := guideUse{start, !tree}
	g, ok := t.guides[use]
	if !ok {
		t.guides = makeRoomForGuide(t.guides)
		g = t.newGuide(start, tree)
		t.guides[use] = g
	}
	return g
}

// dropGuide notes that a start has no guide. It takes t.guideLock.
func (t *generalTables) dropGuide(start Kind, tree bool) {
	t.guideLock.Lock()
	defer t.guideLock.Unlock()
	t.guides[guideUse{start, !tree}] = nil
}

// guide parses the input by the guide of the start. done is false if that does not tell whether the input is derived,
// or would take more memory than the limit; ok is then false. It is true if no further step may be taken, and r.over
// is set then. With tree set the nodes are appended to r.nodes if the input is derived. A parser that is spent
// afterwards is dropped, with the guide.
func (r *generalRun) guide(tree bool) (ok, done bool) {
	p := r.guidedBy(tree)
	setBytes := 2 * len(r.src) // in case that sets are needed, at each place
	if p.spent || setBytes > r.limits.items*generalItemBytes {
		return false, false
	}
	nodes := len(r.nodes)
	ok, done = p.parse(r)
	if !ok {
		r.nodes = r.nodes[:nodes]
	}
	if cap(p.at) > guidedPlaces {
		p.at = nil
	}
	if cap(p.log) > guidedEvents {
		p.log = nil
	}
	if cap(p.waiting.kinds) > guidedEvents {
		p.waiting = guideWaiting{}
	}
	if p.spent { // it is not used again, and what it keeps is of no use
		*p = guided{spent: true}
		r.dropGuide(r.start, tree)
	}
	return ok, done
}

// parse reads the input of r by the guide. Its results are those of [generalRun.guide], but if ok is false some nodes
// may be left in r.nodes. p must not be spent, and may be afterwards.
func (p *guided) parse(r *generalRun) (ok, done bool) {
	src, classes := r.src, &p.t.classes
	p.begin(len(src))
	row, cells := p.start, p.cells
	pause := 0 // where to look at the limits next
	for at := 0; ; {
		// Most moves only read a byte. They have a loop of their own, for speed.
		for at < pause {
			m := cells[int(row)+int(classes[src[at]])]
			if m >= guideUnknown {
				break
			}
			row = m
			at++
		}
		if at == pause && at < len(src) {
			pause = min(len(src), at+guidedPause)
			r.steps += pause - at
			if r.steps > r.pause && r.tired() {
				r.at = at
				return false, true
			}
			continue
		}
		class := r.class(at)
		m := cells[int(row)+class]
		if m == guideUnknown || m == guideAsk {
			m = p.findMove(src, at, row, class)
			if p.spent {
				return false, false
			}
			cells = p.cells
		}
		switch {
		case m < guideUnknown:
			row = m
			at++
			continue
		case m < guideSteps:
			return false, m == guideDead && !p.dropped // a thread that was dropped might have gone on
		}
		r.steps++
		if r.steps > r.pause && r.tired() {
			r.at = at
			return false, true
		}
		step := uint32(m - guideSteps)
		row, ok = p.take(r, step, int32(at))
		if !ok {
			r.at = at
			return false, r.over
		}
		switch p.steps[step].does {
		case guideReads:
			at++
		case guideAccepts:
			p.placeNodes(r)
			return true, true
		}
	}
}

// begin makes p ready for an input of so many bytes.
func (p *guided) begin(length int) {
	p.known = length + 1
	p.stack, p.log = p.stack[:0], p.log[:0]
	p.lossy, p.split = 0, 0
	p.top, p.dropped = -1, false
	p.wraps = 0
}

// findMove returns the move of a row at a place by its class or, if that does not decide, by the set
// of the place. It is never guideUnknown or guideAsk, unless p is spent.
func (p *guided) findMove(src string, at int, row guideMove, class int) guideMove {
	m := p.move(row, class)
	if m == guideAsk {
		set := p.setAt(src, at)
		if !p.spent {
			m = p.moveBy(row, set)
		}
	}
	return m
}

// take takes a step at a place, and returns the row after it. ok is false if a limit is passed, if nodes cannot be
// made, or if, after a part, the callers that are left cannot go on or come to one place with different nodes. r.over
// is then set only if the general parser would not get further.
func (p *guided) take(r *generalRun, step uint32, at int32) (row guideMove, ok bool) {
	s := &p.steps[step]
	if len(s.calls) > 0 || s.dropped {
		p.push(s)
	}
	if 4*len(p.stack)+guideEventBytes*len(p.log) >= r.limits.items*generalItemBytes {
		return 0, false
	}
	row = s.to
	var after *guideAfter
	if s.does == guideReturns {
		after = p.pop(s.read)
		// Only the first caller is left, and it has no way to go on: a loop, say, does not repeat a part
		// that reads nothing. Another caller might have gone on.
		if len(after.from) == 0 || after.differs {
			return 0, false
		}
		row = after.row
	}
	if s.plain && len(p.log) == 0 {
		return row, p.act(r, s.ways[0].acts, at)
	}
	p.log = append(p.log, guideEvent{step: step, at: at, after: after})
	oneGroup := s.does == guideAccepts || p.list(row).groups <= 1
	if p.split > 0 || !oneGroup {
		return row, true
	}
	return row, p.replay(r)
}

// push pushes the frames of a step, and notes whether the step drops threads.
func (p *guided) push(s *guideStep) {
	for _, f := range s.calls {
		p.stack = append(p.stack, f)
		if p.frames[f].groups > 1 {
			p.split++
		}
	}
	if s.dropped {
		p.dropped = true
		p.lossy = len(p.stack)
	}
}

// pop pops a frame, and returns how its threads go on: if one was dropped since they called, the
// first alone. read is readNothing or readSome.
func (p *guided) pop(read int) *guideAfter {
	last := len(p.stack) - 1
	f := &p.frames[p.stack[last]]
	p.stack = p.stack[:last]
	if f.groups > 1 {
		p.split--
	}
	if p.lossy > last {
		p.lossy = last
		return &f.after[read].first
	}
	return &f.after[read].all
}

// replay makes the nodes of the steps in the log, once one group is left, and empties it. It goes
// backwards to find, for each step, the group from which that one comes, and then forwards to act.
// It returns false where act does; the log then stays.
func (p *guided) replay(r *generalRun) bool {
	// Between the call of a part and its end, groups are those of the part. Which group of the callers
	// went on is known from the end: it is picked there, and taken at the call.
	p.picks = p.picks[:0]
	take := func() (group uint32) {
		last := len(p.picks) - 1
		if last < 0 {
			return 0 // the part has not ended, and its frame has one group
		}
		group = p.picks[last]
		p.picks = p.picks[:last]
		return group
	}
	group := uint32(0)
	for i := len(p.log) - 1; i >= 0; i-- {
		e := &p.log[i]
		s := &p.steps[e.step]
		if e.after != nil {
			p.picks = append(p.picks, e.after.from[group])
			group = 0
		}
		frames := len(s.calls)
		if s.does == guideCalls {
			group = take()
			frames--
		}
		for range frames { // these have one group
			take()
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

// act changes the tree at a place. It returns false if code makes no nodes, and r.over is set then
// if that is because a limit was passed. A limit that is passed when a node is opened sets r.over
// alone: see room.
func (p *guided) act(r *generalRun, acts uint32, at int32) bool {
	for _, a := range p.acts[acts] {
		kind := Kind(a & (1<<guideActBits - 1))
		switch guideOp(a >> guideActBits) {
		case guideOpen:
			if len(r.nodes) == cap(r.nodes) {
				r.room(at)
			}
			// Until a node is closed, its Next is the node around it.
			r.nodes = append(r.nodes, Raw{Kind: kind, Start: at, Next: p.top})
			p.top = int32(len(r.nodes) - 1)
		case guideClose:
			n := &r.nodes[p.top]
			p.closed, p.top = p.top, n.Next
			n.End, n.Next = at, int32(len(r.nodes)-r.base)
		case guideWrap:
			p.wrap(r, kind, at)
		case guideBegin:
			p.began = at
		case guideMake:
			r.prove(kind, p.began, at)
			if r.over {
				r.over = r.tired() // else the code made no nodes
				return false
			}
		}
	}
	return true
}
