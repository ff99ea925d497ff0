package ast

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// General is a parser as tables for any context-free grammar, which generated code uses where
// neither code nor an [Automaton] can decide. For each production it has a network whose edges read
// a byte or call a production, with its choices in the order of preference.
//
// The tree is that of the rule by which all parsers choose: depth first and from left to right, of
// alternatives the first, of a repetition one more iteration, wherever the whole input can still be
// derived; an iteration beyond the least number is never empty. A production that uses itself at
// its end goes on there. A node never contains a node of its own production with the same text.
//
// Most inputs are parsed by a guide, in linear time: see generalguided.go. It follows several ways
// together as long as they call and end the same productions at the same places. If they part, and
// it is not known which is right, the parser goes over all derivations at once. It also does where a
// left-recursive production has several trees, and with Scanners.
//
// For that the input is read once, as J. Earley describes ("An efficient context-free parsing algorithm",
// 1970), by sets of states that are determinized as inputs need them (J. Aycock and N. Horspool,
// "Practical Earley Parsing", 2002). Derivations of the empty string are put in beforehand, and an
// item is made only if the next byte can follow. So time is linear where a byte of lookahead
// decides what ends, and at most cubic. Then the tree is built from its root: each production of the
// tree goes over its own places once, and over the productions that end at each, so that this is at
// most cubic too. If an input is long, items that the tree does not need are dropped before. That
// takes a constant for each item that was made.
//
// Productions that are proven are code inside: where it is known how far one goes, Proven makes its
// nodes. If moreover its text tells where it ends, it is read as one automaton.
//
// Packed holds the tables as in an [Automaton]. They are unpacked when they are first used. A
// General is safe for concurrent use, and must not be copied. One whose tables are damaged derives
// nothing.
type General struct {
	Packed string

	// Accepting, unless it is empty, holds other tables for [General.Accept], with everything
	// inlined that does not nest. If they take more than the limit on memory, those in Packed are
	// used.
	Accepting string

	// Proven is [Grammar.Parse] for the productions that are proven; nil if none is.
	Proven func(dst []Raw, start Kind, src string) ([]Raw, bool)

	// Scanners has the functions of the user that say where some productions end. None of these
	// derives the empty string or uses itself.
	Scanners map[Kind]Scanner

	once   sync.Once
	tables generalTables
	runs   sync.Pool // of *generalRun
	accept sync.Once
	faster *General // has the tables in Accepting
}

// generalTables is the unpacked form of the tables of a [General].
type generalTables struct {
	automatonTables
	same   []Kind // by kind: the production that it is, which goes on at the end of another where it is not its own
	node   []bool // by kind: it is a node
	proven []bool // by kind: its nodes are made by code
	first  []bool // by kind and class: what it derives can begin with it
	follow []bool // by kind and class, that of the end of the input too: it can follow

	marks []uint32 // by state that reads: an element of terms; empty where nothing is explained
	terms []string // what messages call what is read

	scanners []Scanner // by kind: nil if the grammar alone says where one ends; empty if there are none at all
	self     *General
	code     func(dst []Raw, start Kind, src string) ([]Raw, bool) // is self.Proven

	// These follow from the tables: link sets them.
	of     []Kind     // by state: the production that it is in
	plain  []bool     // by kind: no node is in it
	back   [][]uint32 // by state: those that have it as a successor
	finals []uint32   // by kind: the state in which it ends
	cyclic []bool     // by kind: it can be inside itself with the same text
	loose  []bool     // by kind: it is cyclic, or derives the empty string
	fills  []bool     // by kind: it is cyclic, or there can be nodes of the empty string in it

	guideLock sync.Mutex          // is held while what follows is used
	leftOf    []*leftComponent    // by kind: see findLeft
	reached   []uint8             // by state: see findReached
	guides    map[guideUse]*guide // by start, those that were asked for; nil for a start that has none
}

// unpacked returns the tables, which the first call unpacks. If they are damaged they are empty.
func (g *General) unpacked() *generalTables {
	g.once.Do(func() {
		r, t := newPackedReader(g.Packed), &g.tables
		r.tables(&t.automatonTables)
		for _, k := range r.list() {
			t.same = append(t.same, Kind(k))
			r.ok = r.ok && int(k) < len(t.starts)
		}
		for _, list := range []*[]bool{&t.node, &t.proven, &t.first, &t.follow} {
			for _, v := range r.list() {
				*list = append(*list, v != 0)
			}
		}
		t.marks = r.list()
		t.terms = make([]string, r.single())
		r.counted(len(t.terms), func(i int, list []uint32) { t.terms[i] = string(narrow[uint8](list)) })
		t.code, t.self = g.Proven, g
		if !r.ok || !t.isWhole() || !t.link() {
			*t = generalTables{}
		}
		g.runs.New = func() any { return newGeneralRun(t) }
	})
	return &g.tables
}

// isWhole reports whether the lists from same to follow have an element for each kind, or for each kind
// and class, and whether there is code if something is proven.
func (t *generalTables) isWhole() bool {
	kinds := len(t.starts)
	switch {
	case len(t.same) != kinds, len(t.node) != kinds, len(t.proven) != kinds:
		return false
	case len(t.first) != kinds*t.width, len(t.follow) != kinds*(t.width+1):
		return false
	}
	return t.code != nil || !slices.Contains(t.proven, true)
}

// link sets the fields of t that are not stored because they follow from the others, and marks productions with
// scanners as proven: see linkScanners. It returns false, with some of the fields not set, where assignStates does.
func (t *generalTables) link() bool {
	if !t.assignStates() {
		return false
	}
	t.findPlain()
	t.circles()
	t.linkScanners()
	t.loose, t.fills = slices.Clone(t.cyclic), slices.Clone(t.cyclic)
	for q, s := range t.states {
		if s.op == opcode.Call && s.next[1] != 0 {
			t.loose[s.arg] = true
			if t.node[s.arg] || !t.plain[s.arg] {
				t.fills[t.of[q]] = true
			}
		}
	}
	return true
}

// assignStates finds the production of each state, the states that lead to each, and the state in which each
// production ends: t.of, t.back and t.finals. It returns false if a state is in two productions or has an operation
// that these tables do not have, and if a call has no two successors or calls no production of the tables.
func (t *generalTables) assignStates() bool {
	t.of = make([]Kind, len(t.states))
	t.back = make([][]uint32, len(t.states))
	t.finals = make([]uint32, len(t.starts))
	// A search from the start of each production stays inside it: what follows a call is its successor, and
	// the called production is reached from its own start.
	for k, q := range t.starts {
		for todo := []uint32{q}; len(todo) > 0; {
			q, todo = todo[len(todo)-1], todo[:len(todo)-1]
			if q == 0 || t.of[q] == Kind(k) { // no state, or one that was visited
				continue
			}
			if t.of[q] != 0 {
				return false // another production has it
			}
			t.of[q] = Kind(k)
			s := &t.states[q]
			switch s.op {
			case opcode.End:
				t.finals[k] = q
			case opcode.Act:
				return false
			case opcode.Call:
				// Two successors: after a call that reads something, and after one that reads nothing.
				if len(s.next) != 2 || int(s.arg) >= len(t.starts) || t.starts[s.arg] == 0 {
					return false
				}
			}
			for _, to := range s.next {
				if !slices.Contains(t.back[to], q) {
					t.back[to] = append(t.back[to], q)
				}
				todo = append(todo, to)
			}
		}
	}
	return true
}

// findPlain sets t.plain. All but those of proven code count as plain, until they are found to call
// one that is a node or is not plain.
func (t *generalTables) findPlain() {
	t.plain = make([]bool, len(t.starts))
	for k := range t.plain {
		t.plain[k] = !t.proven[k]
	}
	for changed := true; changed; {
		changed = false
		for q, s := range t.states {
			if s.op == opcode.Call && t.plain[t.of[q]] && (t.node[s.arg] || !t.plain[s.arg]) {
				t.plain[t.of[q]] = false
				changed = true
			}
		}
	}
}

// Accept is [Grammar.Accept].
func (g *General) Accept(start Kind, src string) bool {
	var run Run
	_, ok := g.Within(&run, nil, start, src, false)
	return ok
}

// Parse is [Grammar.Parse].
func (g *General) Parse(dst []Raw, start Kind, src string) ([]Raw, bool) {
	var run Run
	return g.Within(&run, dst, start, src, true)
}

// Within is [Grammar.Within]. It sets the results in run. Stopped and At must be 0 in it, since these two are written
// only if a limit is passed. If src is not derived, or a limit is passed, nodes is dst. If the start has a scanner,
// that must end it at the end of src; where it does not, run stays as it is.
func (g *General) Within(run *Run, dst []Raw, start Kind, src string, tree bool) (nodes []Raw, ok bool) {
	if scanner := g.Scanners[start]; scanner != nil {
		if end, ok := scanner(src, 0); !ok || end != len(src) {
			return dst, false
		}
	}
	return g.within(run, dst, start, src, tree)
}

// within is Within without asking a scanner of the start. It tries a guide, unless run forbids that. Where a guide
// does not decide, it goes by items: without a tree by those of the tables that only accept, if there are such tables
// and they stay within the limit on memory, and otherwise by its own.
func (g *General) within(run *Run, dst []Raw, start Kind, src string, tree bool) (nodes []Raw, ok bool) {
	run.Guided, run.Taken = false, 0
	if !run.Unguided {
		nodes, ok = g.guided(run, dst, start, src, tree)
		if run.Guided {
			return nodes, ok
		}
	}
	if !tree && g.Accepting != "" {
		g.accept.Do(func() { g.faster = &General{Packed: g.Accepting} })
		nodes, ok = g.faster.byItems(run, dst, start, src, false)
		if run.Stopped != StopMemory {
			return nodes, ok
		}
		run.reset()
	}
	return g.byItems(run, dst, start, src, tree)
}

// guided is within by the guide of the start. It sets run.Guided to whether the guide decides; otherwise
// the results mean nothing, apart from run.Taken. The limit on steps and a context that has ended decide too:
// run.Stopped is then set. Where the limit on memory is passed, the guide decides nothing. If the tables do not have
// the start, or src is too long for them, run.Guided is left as it was: false.
func (g *General) guided(run *Run, dst []Raw, start Kind, src string, tree bool) (nodes []Raw, ok bool) {
	g.with(run, start, src, func(r *generalRun) {
		r.nodes, r.base = dst, len(dst)
		ok, run.Guided = r.guide(tree)
		if ok && tree {
			dst = r.nodes
		}
		r.finish(run)
	})
	return dst, ok
}

// byItems is within by items, without a guide. It counts on from run.Taken. If a limit is passed, ok is false and
// run.Stopped is set.
func (g *General) byItems(run *Run, dst []Raw, start Kind, src string, tree bool) (nodes []Raw, ok bool) {
	g.with(run, start, src, func(r *generalRun) {
		r.steps = run.Taken // those that a guide took in vain count too
		ok = r.read(tree)
		if ok && tree {
			r.nodes, r.base = dst, len(dst)
			if r.derive(); !r.over {
				dst = r.nodes
			}
		}
		ok = ok && !r.over
		r.finish(run)
	})
	return dst, ok
}

// finish writes into run how many steps r has taken and, if it is over, what stopped it. It drops r.nodes, which
// the caller has taken.
func (r *generalRun) finish(run *Run) {
	r.nodes = nil
	run.Taken = r.steps
	if r.over {
		run.Stopped, run.At = r.stopped(), r.at
	}
}

// with calls f with a run for src that no other goroutine uses, and that has the limits of run. f must not keep
// it: unless it has become large, it serves a later input. with does not call f if the tables have no such
// production, or if src is longer than math.MaxInt32.
func (g *General) with(run *Run, start Kind, src string, f func(r *generalRun)) {
	t := g.unpacked()
	if int(start) >= len(t.starts) || t.starts[start] == 0 || len(src) > math.MaxInt32 {
		return
	}
	r := g.runs.Get().(*generalRun)
	r.start, r.src, r.steps, r.over = start, src, 0, false
	r.limit(run)
	f(r)
	r.src, r.context = "", nil
	if len(r.cells) <= generalCells && cap(r.items)+cap(r.pool)/20 <= generalRoom { // else it keeps too much
		g.runs.Put(r)
	}
}

// generalLimits holds the limits of a run: the steps, and the items that there may be at a time.
// The packed nodes that stand for dropped items may take half as much memory.
type generalLimits struct{ steps, items int }

const (
	generalItemBytes = 20
	generalMostItems = 1 << 28 // so that their numbers and marks are in 32 bits
	generalPause     = 1 << 16 // steps between two looks at the context
)

// limit sets the limits and the context of a run, and the number of steps after which tired is called: all that may be
// taken or, with a context, none. The default limits are those for r.src, which must be set.
func (r *generalRun) limit(run *Run) {
	l := run.Limits.or(LimitsFor(len(r.src)))
	r.limits = generalLimits{l.Steps, min(l.Memory/generalItemBytes+1, generalMostItems)}
	r.context, r.pause = run.Context, l.Steps
	if r.context != nil {
		r.pause = 0
	}
}

// tired reports whether no further step may be taken, and then sets r.over. Otherwise, if there is a context, it
// sets r.pause to the steps after which it wants to be called again.
func (r *generalRun) tired() bool {
	if r.context != nil && r.context.Err() != nil || r.steps > r.limits.steps {
		r.over = true
	} else if r.context != nil {
		r.pause = min(r.limits.steps, r.steps+generalPause)
	}
	return r.over
}

// stopped returns why a run is over. It must be over. StopMemory stands for everything but the context and the
// steps: also for too many cells, and for nodes that the code of a proven production did not make.
func (r *generalRun) stopped() Stop {
	switch {
	case r.context != nil && r.context.Err() != nil:
		return StopContext
	case r.steps > r.limits.steps:
		return StopSteps
	}
	return StopMemory
}

const (
	generalCells = 1 << 19 // caps the cells that are kept from one input to the next
	generalRoom  = 5 << 20 // caps the items whose memory is kept
	generalMost  = 1 << 24 // caps the cells of a run
)

// A generalItem is a set of states, at a place, of productions that began at one origin. It was
// reached from the item pred: by the bytes in between or, if child is not generalNone, by a
// production that ends as the item child does. The pred of an item is -1 if its productions begin
// there.
//
// A pred below -1 is that of a packed item, the end of a production whose nodes are pool[b:e]: pred
// is -2-b, and child is e. See drop.
type generalItem struct {
	set    uint32
	origin int32 // an element of origins
	at     int32
	pred   int32 // -1: the productions begin here
	child  int32
}

// generalMore is added to the child of an item that was reached in another way as well.
const (
	generalMore = 1 << 30
	generalNone = generalMore - 1 // stands for no child
)

// more reports whether there are other ways to the item.
func (i *generalItem) more() bool { return i.child&generalMore != 0 }

// by returns the child without generalMore; it may be generalNone.
func (i *generalItem) by() int32 { return i.child &^ generalMore }

// A generalOrigin is a place where productions begin. items[first:hi] are all items at the place,
// and items[lo:hi] include all that wait for a production that begins there. The last of them is
// the item of the productions that begin there.
//
// passed is one more than the place at which a production that began here was last completed
// without an item: see passes.
type generalOrigin struct{ first, lo, hi, passed int32 }

// A generalSet is a set of states that read, call or end: those that some states lead to without
// reading.
type generalSet struct {
	states []uint32
	calls  []generalCall // the productions that states call

	// Set when a tree is built, by the method leads:
	leads   []uint32      // the states that lead to states by reading or calling once
	bytes   []uint32      // by class: the set of the leads that read it; nil if leads is not set
	callers []generalCall // the productions that leads call; to is the set of by
	ways    []generalWay
}

// A generalCall is a production that is called, the states that call it, and the set after it or, in callers, before
// it. It has the states so that nobody searches all states of a set for them: a set may call thousands of productions.
type generalCall struct {
	kind Kind
	to   uint32
	by   []uint32
}

// A generalCell is what a set does at a class: the number of the set after it, and an element of
// acts, 0 for none.
type generalCell struct{ to, act uint32 }

// begins reports whether a production may begin.
func (a *generalAct) begins() bool { return a.begin|a.scan != 0 }

// A generalAct is what a set does before it reads a class: the productions that end, the set of the
// states in which productions begin, and the productions that may begin if their scanners say so.
type generalAct struct {
	done  []Kind
	begin uint32
	scan  uint32 // an element of scanLists, 0 for none
}

const generalUnknown = ^uint32(0)

// A generalGoto is a call of after that was answered: to is the set after kind in set.
type generalGoto struct {
	set, to uint32
	kind    Kind
}

const generalGotos = 512

// A generalRun is a parser at work.
type generalRun struct {
	*generalTables
	start   Kind
	src     string
	limits  generalLimits
	pause   int // the number of steps after which the limits are looked at
	context context.Context

	// The determinized networks, which are kept. Set 0 is empty, act 0 does nothing.
	sets   []generalSet
	index  map[string]uint32
	cells  []generalCell // by set and class
	row    int           // the number of cells of a set: one for each class, and one for the end of the input
	acts   []generalAct
	unions map[[2]uint32]uint32
	gotos  [generalGotos]generalGoto // the last results of after, by a hash
	key    []byte
	list   []uint32
	mark   []uint32 // by state: equal to now if it is marked
	now    uint32

	items   []generalItem
	origins []generalOrigin
	cur     int32 // the first item at the place that is read
	at      int   // the place that is read
	hash    []int32
	hashed  int32 // items[place:hashed] are in hash
	place   int32
	tree    bool // items are kept as a tree needs them
	steps   int
	over    bool // a limit was passed
	ends    []int32
	prefix  *prefixEnds // notes where prefixes end; nil if nobody asks

	pool, fresh []byte // the packed nodes that stand for dropped items, and those that are being packed
	full        int    // the number of items at which drop is tried

	// Memory of drop: by item whether it is kept, by origin which of its ends is needed, the items
	// that are kept, and by item its new number.
	whole                 []bool
	wanted, kept, index32 []int32

	guided map[guideUse]*guided // the parsers by guides that were used; spent for a start that has none

	generalScans
	generalWalk
}

// newGeneralRun returns a run that knows set 0, the empty one, alone.
func newGeneralRun(t *generalTables) *generalRun {
	r := &generalRun{generalTables: t, row: t.width + 1}
	r.index, r.unions = map[string]uint32{}, map[[2]uint32]uint32{}
	r.mark, r.marked = make([]uint32, len(t.states)), make([]uint32, len(t.states))
	r.acts = make([]generalAct, 1)
	r.blanks, r.lasts = make([][]Raw, len(t.starts)), make([]uint32, len(t.starts))
	r.set(nil)
	clear(r.cells)
	return r
}

// next begins a new round of marks: no state is marked any more.
func (r *generalRun) next() {
	if r.now++; r.now == 0 {
		clear(r.mark)
		clear(r.marked)
		r.now = 1
	}
}

// set returns the number of the set of these states, which must be distinct. It sorts states, and keeps a copy. A
// new set gets cells that are unknown; if there are more than generalMost cells r.over is set, and the number counts
// all the same. Pointers into r.sets and r.cells are void after a new set.
func (r *generalRun) set(states []uint32) uint32 {
	r.steps += len(states) / 4
	slices.Sort(states)
	r.key = r.key[:0]
	for _, q := range states {
		r.key = binary.AppendUvarint(r.key, uint64(q))
	}
	id, ok := r.index[string(r.key)]
	if !ok {
		id = uint32(len(r.sets))
		r.index[string(r.key)] = id
		r.sets = append(r.sets, generalSet{states: slices.Clone(states), calls: r.calls(states)})
		for range r.row {
			r.cells = append(r.cells, generalCell{act: generalUnknown})
		}
		r.over = r.over || len(r.cells) > generalMost
	}
	return id
}

// calls returns the productions that states call, in the order of kinds and each once, with to unknown. The states
// that call one are in the order that they have in states.
func (r *generalRun) calls(states []uint32) (list []generalCall) {
	var calling []uint32
	for _, q := range states {
		if r.states[q].op == opcode.Call {
			calling = append(calling, q)
		}
	}
	kind := func(q uint32) Kind { return Kind(r.states[q].arg) }
	slices.SortStableFunc(calling, func(a, b uint32) int { return int(kind(a)) - int(kind(b)) })
	for len(calling) > 0 {
		k, n := kind(calling[0]), 1
		for n < len(calling) && kind(calling[n]) == k {
			n++
		}
		list = append(list, generalCall{kind: k, to: generalUnknown, by: calling[:n:n]})
		calling = calling[n:]
	}
	return list
}

// fewCalled caps the productions that a set calls and that are searched one by one.
const fewCalled = 8

// call returns the element of calls for production k, or nil. calls are in the order of kinds.
func call(calls []generalCall, k Kind) *generalCall {
	i := 0
	if len(calls) > fewCalled {
		i, _ = slices.BinarySearchFunc(calls, k, func(c generalCall, k Kind) int { return int(c.kind) - int(k) })
	}
	for ; i < len(calls) && calls[i].kind <= k; i++ {
		if calls[i].kind == k {
			return &calls[i]
		}
	}
	return nil
}

// reach adds to r.list the states that read, call or end and that q leads to without reading. It
// goes past a call if the production can be empty: s.next[1] is then the state after it. It skips
// marked states; the caller begins new marks.
func (r *generalRun) reach(q uint32) {
	if q == 0 || r.mark[q] == r.now {
		return
	}
	r.mark[q] = r.now
	s := &r.states[q]
	switch s.op {
	case opcode.Choice:
		for _, to := range s.next {
			r.reach(to)
		}
	case opcode.Call:
		r.list = append(r.list, q)
		r.reach(s.next[1])
	default:
		r.list = append(r.list, q)
	}
}

// beginning adds to r.list the states in which production k begins, as far as the class can come next, and also
// those of the productions that these call. The class is that of a byte, and what ends without reading is left out.
// Calls of productions with a scanner are in the list, but these are not followed. A production whose beginning is
// marked is skipped; the caller begins new marks.
func (r *generalRun) beginning(k Kind, class int) {
	from := len(r.list)
	r.reach(r.starts[k])
	keep := from
	for i := from; i < len(r.list); i++ {
		q := r.list[i]
		s := &r.states[q]
		reads := s.op == opcode.Byte && r.members[int(s.arg)*r.width+class]
		calls := s.op == opcode.Call && r.first[int(s.arg)*r.width+class]
		if reads || calls {
			r.list[keep] = q
			keep++
		}
	}
	r.list = r.list[:keep]
	for i := from; i < keep; i++ {
		s := &r.states[r.list[i]]
		if s.op == opcode.Call && r.mark[r.starts[s.arg]] != r.now && r.scanner(Kind(s.arg)) == nil {
			r.beginning(Kind(s.arg), class)
		}
	}
}

// cell returns the cell of a set and a class, which it computes if it is not known.
func (r *generalRun) cell(set uint32, class int) generalCell {
	c := r.cells[int(set)*r.row+class]
	if c.act == generalUnknown {
		c = r.computeCell(set, class)
	}
	return c
}

// computeCell computes the cell of a set and a class, and stores it: the set that the class leads
// to and, in its act, the productions that end before the class, the set of those that begin with it, and those
// that may begin if their scanners say so. It uses r.list, begins new marks, and may add sets: see set.
func (r *generalRun) computeCell(set uint32, class int) generalCell {
	var act generalAct
	states := r.sets[set].states
	r.list = r.list[:0]
	r.next()
	for _, q := range states {
		switch s := &r.states[q]; s.op {
		case opcode.Byte:
			if class < r.width && r.members[int(s.arg)*r.width+class] {
				r.reach(s.next[0])
			}
		case opcode.End:
			if k := r.of[q]; r.follow[int(k)*(r.width+1)+class] {
				act.done = append(act.done, k)
			}
		}
	}
	cell := generalCell{to: r.set(r.list)}
	if class < r.width { // no production is begun at the end of the input
		r.list = r.list[:0]
		r.next()
		for _, c := range r.sets[set].calls {
			if r.first[int(c.kind)*r.width+class] && r.mark[r.starts[c.kind]] != r.now && r.scanner(c.kind) == nil {
				r.beginning(c.kind, class)
			}
		}
		act.begin = r.set(r.list)
		if len(r.scanners) > 0 {
			act.scan = r.scanList(r.kindsToScan(set, act.begin, class))
		}
	}
	if act.begins() || len(act.done) > 0 {
		cell.act = uint32(len(r.acts))
		r.acts = append(r.acts, act)
	}
	r.cells[int(set)*r.row+class] = cell
	return cell
}

// after returns the set of the states after the calls of production k in a set, or 0 if none calls
// it. It keeps its last results in r.gotos.
func (r *generalRun) after(set uint32, k Kind) uint32 {
	g := &r.gotos[(set*37+uint32(k))%generalGotos]
	if g.set != set || g.kind != k {
		*g = generalGoto{set, r.computeAfter(set, k), k}
	}
	return g.to
}

// computeAfter is after without r.gotos. It keeps the result with the set. It uses r.list, begins new marks, and
// may add a set.
func (r *generalRun) computeAfter(set uint32, k Kind) uint32 {
	c := call(r.sets[set].calls, k)
	if c == nil {
		return 0
	}
	if c.to == generalUnknown {
		r.list = r.list[:0]
		r.next()
		for _, q := range c.by {
			r.reach(r.states[q].next[0])
		}
		c.to = r.set(r.list)
	}
	return c.to
}

// union returns the set of the states of both sets, which it makes as set does if it is new. Set 0 is empty.
func (r *generalRun) union(a, b uint32) uint32 {
	if a == b || b == 0 {
		return a
	}
	if a == 0 {
		return b
	}
	to, ok := r.unions[[2]uint32{a, b}]
	if !ok {
		list := append(slices.Clone(r.sets[a].states), r.sets[b].states...)
		slices.Sort(list)
		to = r.set(slices.Compact(list))
		r.unions[[2]uint32{a, b}] = to
	}
	return to
}

// class returns the class of the byte at a place, or that of the end of the input.
func (r *generalRun) class(at int) int {
	if at < len(r.src) {
		return int(r.classes[r.src[at]])
	}
	return r.width
}

// add adds an item at the place that is read. If there is one of this set and origin already, add notes another way
// to it instead. When the memory for items is used up, r.over is set.
func (r *generalRun) add(set uint32, origin, pred, child int32) {
	count := int32(len(r.items)) - r.cur
	if r.steps++; count <= fewItems {
		for i := len(r.items) - 1; i >= int(r.cur); i-- {
			if x := &r.items[i]; x.set == set && x.origin == origin {
				x.again(pred, child)
				return
			}
		}
	} else if i := r.find(set, origin); i >= 0 {
		r.items[i].again(pred, child)
		return
	}
	r.append(set, origin, pred, child)
}

// append appends an item at the place that is read, without looking whether it is there already:
// see add. When the memory for items is used up it sets r.over; the item is appended all the same.
func (r *generalRun) append(set uint32, origin, pred, child int32) {
	n := len(r.items)
	if n == cap(r.items) {
		more := min(len(r.items), 1<<18+len(r.items)/8) // few are copied often, and many leave little unused
		r.items = slices.Grow(r.items, max(64, min(more, r.limits.items-len(r.items))))
		r.over = r.over || len(r.items) >= r.limits.items
	}
	r.items = r.items[:n+1]
	x := &r.items[n] // field by field, which is faster than a copy
	x.set, x.origin, x.at, x.pred, x.child = set, origin, int32(r.at), pred, child
}

// again notes a way to an item that is there, unless it is the one that is known.
func (i *generalItem) again(pred, child int32) {
	if i.pred != pred || i.by() != child {
		i.child |= generalMore
	}
}

// find returns the item with this set and origin at the place that is read, or -1. It looks it up
// in a hash table.
func (r *generalRun) find(set uint32, origin int32) int32 {
	slot := func(set uint32, origin int32) uint32 {
		return (set*0x9E3779B1 ^ uint32(origin)*0x85EBCA77) * 0xC2B2AE35 >> 7
	}
	// The table has the items of one place. It is filled when it is asked, and is kept at most half full.
	if r.place != r.cur || 2*(len(r.items)-int(r.cur)) >= len(r.hash) {
		size := max(64, len(r.hash))
		for size < 4*(len(r.items)-int(r.cur)) {
			size *= 2
		}
		if size == len(r.hash) {
			clear(r.hash)
		} else {
			r.hash = make([]int32, size)
		}
		r.hashed, r.place = r.cur, r.cur
	}
	mask := uint32(len(r.hash) - 1)
	for ; int(r.hashed) < len(r.items); r.hashed++ {
		x := &r.items[r.hashed]
		h := slot(x.set, x.origin) & mask
		for r.hash[h] != 0 {
			h = (h + 1) & mask
		}
		r.hash[h] = r.hashed + 1
	}
	for h := slot(set, origin) & mask; r.hash[h] != 0; h = (h + 1) & mask {
		if x := &r.items[r.hash[h]-1]; x.set == set && x.origin == origin {
			return r.hash[h] - 1
		}
	}
	return -1
}

// derivesEmpty reports whether a production derives the empty string. It uses r.list and begins new marks.
func (r *generalRun) derivesEmpty(k Kind) bool {
	r.next()
	r.list = r.list[:0]
	r.reach(r.starts[k])
	return slices.ContainsFunc(r.list, func(q uint32) bool { return r.states[q].op == opcode.End })
}

// read reads r.src, and reports whether r.start derives it. r.ends then holds the items that end the start, none for
// an empty r.src. r.at is the last place that was reached. With tree set, items are kept as derive needs them. If a
// limit is passed, which an empty r.src cannot, read returns false and r.over is set. The items of the last input are
// forgotten; r.steps counts on.
func (r *generalRun) read(tree bool) bool {
	r.items, r.origins, r.ends, r.tree = r.items[:0], r.origins[:0], r.ends[:0], tree
	r.pool, r.full, r.base = r.pool[:0], r.spare(tree), 0
	r.order, r.begun = r.order[:0], r.begun[:0]
	r.at, r.cur, r.place, r.over = 0, 0, -1, false // the cells kept from earlier inputs are few: see with
	r.clearScans()
	if len(r.src) == 0 {
		return r.derivesEmpty(r.start)
	}
	// begin is the set of the states in which productions begin at the place that is read: here
	// those at the beginning of the start.
	r.next()
	r.list = r.list[:0]
	r.beginning(r.start, r.class(0))
	begin := r.set(r.list)
	if len(r.scanners) > 0 {
		r.callScanners(r.kindsToScan(0, begin, r.class(0)))
	}
	// Each round reads one place. The items of that place are r.items[r.cur:].
	for begin != 0 || len(r.items) > int(r.cur) || len(r.scans) > 0 {
		if len(r.items) >= r.full {
			r.drop(tree)
		}
		if begin == 0 && len(r.items) == int(r.cur)+1 && r.prefix == nil {
			// Mostly there is one way to go on. Bytes that it only reads need no item each.
			x := &r.items[r.cur]
			set, at, end := x.set, r.at, min(len(r.src), r.landing)
			for at < end {
				c := r.cells[int(set)*r.row+int(r.classes[r.src[at]])]
				if c.act != 0 || c.to == 0 {
					break
				}
				set = c.to
				at++
			}
			r.steps += at - r.at
			x.set, x.at, r.at = set, int32(at), at
		}
		if len(r.scans) > 0 {
			r.land(begin != 0)
		}
		// What ends and what begins here. Ends append further items, whose turn comes in this loop too.
		class, waits := r.class(r.at), int32(math.MaxInt32) // the first item in which productions begin
		for i := r.cur; int(i) < len(r.items) && !r.over; i++ {
			c := r.cells[int(r.items[i].set)*r.row+class]
			if c.act == 0 {
				continue
			}
			if c.act == generalUnknown {
				c = r.computeCell(r.items[i].set, class)
				if c.act == 0 {
					continue
				}
			}
			origin, act := r.items[i].origin, r.acts[c.act]
			for _, k := range act.done {
				r.noteEnd(k, origin, i)
				r.complete(k, origin, i, class)
			}
			if act.begins() {
				begin, waits = r.union(begin, act.begin), min(waits, i)
				if act.scan != 0 {
					r.callScanners(r.scanLists[act.scan])
				}
			}
		}
		if r.prefix != nil {
			r.prefix.note(r)
		}
		r.over = r.over || r.steps > r.pause && r.tired() || len(r.items)+len(r.scans) >= r.limits.items
		if r.over {
			return false
		}
		if r.at == len(r.src) {
			return len(r.ends) > 0
		}
		// All productions that begin here share one item and one origin. When one of them ends, the
		// items of this place that may wait for it are looked at: those from waits to hi.
		lo, hi := r.cur, int32(len(r.items))
		if begin != 0 || len(r.called) > 0 {
			origin := int32(len(r.origins))
			r.append(begin, origin, -1, generalNone)
			r.cell(begin, class)
			hi++
			// If no item waits, it is the new item alone that is looked at.
			r.origins = append(r.origins, generalOrigin{first: lo, lo: min(waits, hi-1), hi: hi})
			begin = 0
			if r.scanAll(origin); r.over {
				return false
			}
		}
		// Over the byte: each item of this place leads to one of the next, or to none.
		r.at++
		r.cur = hi
		for i := lo; i < hi; i++ {
			if to := r.cells[int(r.items[i].set)*r.row+class].to; to != 0 { // which is known
				r.add(to, r.items[i].origin, i, generalNone)
			}
		}
	}
	r.at = max(r.at-1, 0) // the byte that nothing could read was counted
	return false
}

// complete goes on after production k, which began at an origin and ends as the item by does, in
// all items that wait for it: it adds the items that these lead to, as far as something can follow
// in them. Of items that would only end a production each, it may make none: it goes on after the
// last of these productions, and notes where one is the start. class is that of the next byte or of
// the end of the input. r.over may be set, as by add.
func (r *generalRun) complete(k Kind, origin, by int32, class int) {
	for {
		o := &r.origins[origin]
		lo, hi := o.lo, o.hi
		r.steps += int(hi - lo)
		next := Kind(0) // the production that ends with k, of which no item is made
		for i := lo; i < hi; i++ {
			x := &r.items[i]
			to := r.after(x.set, k)
			if to == 0 {
				continue
			}
			c := r.cell(to, class)
			if c.act|c.to == 0 {
				continue
			}
			if hi-lo == 1 && c.to == 0 && !r.tree { // without a tree, a chain of ends needs no items
				next = r.passes(c.act, x.origin)
				if next != 0 {
					origin = x.origin
					continue
				}
			}
			r.add(to, x.origin, i, by)
		}
		if next == 0 {
			return
		}
		k = next
		r.noteEnd(k, origin, by)
	}
}

// passes returns the production that an item would end, if the item would do nothing but end one;
// otherwise 0, and the caller makes the item. act is the act of the item, and origin is where it
// began. The caller builds no tree, so that nothing goes back to such an item, and it need not be
// made.
//
// passes also returns 0 for a production that can be inside itself with the same text, and where
// the origin was passed at this place before, which it notes in the origin. So what ends there in a
// second way gets its item, and a third way finds it.
func (r *generalRun) passes(act uint32, origin int32) Kind {
	a := &r.acts[act]
	o := &r.origins[origin]
	onlyEnds := !a.begins() && len(a.done) == 1
	if !onlyEnds || r.cyclic[a.done[0]] {
		return 0
	}
	if int(o.passed) == r.at+1 {
		return 0
	}
	o.passed = int32(r.at + 1)
	return a.done[0]
}

// noteEnd adds an item to r.ends if production k, which ends there and began at an origin, is the
// start, began where the input begins, and the input ends here too.
func (r *generalRun) noteEnd(k Kind, origin, item int32) {
	if r.at == len(r.src) && origin == 0 && k == r.start {
		r.ends = append(r.ends, item)
	}
}
