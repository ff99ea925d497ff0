package ast

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// Automaton is a parser as tables, which generated code uses where straight-line code cannot
// decide. It is the grammar as one automaton, with every production inlined where it is used. Its
// choices are in the order of preference.
//
// A parser follows all possible ways at once. It keeps a list of the states that they have come to,
// the preferred first. Where two ways come to one state, only the preferred one stays. So at the
// end of the input the first accepting state has the tree that the rule chooses. States are one
// group if the same nodes began and ended on the way to them. While there is one group, its nodes
// are written at once. While there are several, the parser records how each group came from one
// before it; when one is left, it goes back along that record. The lists are the states of a
// deterministic automaton, which is built as inputs need it. So time is linear in the input, and
// mostly one look at a table for a byte.
//
// Packed holds the tables, compressed by DEFLATE and in printable ASCII. They are unpacked when
// they are first used. An Automaton is safe for concurrent use, and must not be copied. One whose
// tables are damaged accepts nothing.
type Automaton struct {
	Packed string

	once   sync.Once
	tables automatonTables
	walks  sync.Pool // of *automatonWalk
}

// automatonTables is the unpacked form of Packed: a nondeterministic automaton over classes of bytes.
type automatonTables struct {
	classes [256]uint8 // the class of a byte
	width   int        // the number of classes; the class of the end of the input is width
	members []bool     // by set and class
	states  []automatonState
	starts  []uint32 // by production: a state; 0 if it has no automaton
}

// An automatonState is a state of the tables, of an [Automaton] or of a [General]. State 0 leads
// nowhere. See [opcode.Op] for the argument and the successors of each op. A Call, which only a
// General has, has two successors: next[0] after a production that has read something, and next[1]
// after one that derived the empty string, or 0 if it cannot.
type automatonState struct {
	op   opcode.Op
	arg  uint32 // a set, an action, or a production
	next []uint32
}

// unpacked returns the tables, which the first call unpacks. If they are damaged they are empty.
func (automaton *Automaton) unpacked() *automatonTables {
	automaton.once.Do(func() {
		r := newPackedReader(automaton.Packed)
		if r.tables(&automaton.tables); !r.ok {
			automaton.tables = automatonTables{}
		}
		automaton.walks.New = func() any { return newAutomatonWalk(&automaton.tables) }
	})
	return &automaton.tables
}

// tables reads the tables of an [Automaton] into t. If they are damaged it sets r.ok to false, and
// t must not be used. The targets of a state are stored relative to its own number, plus near, so
// that most are small numbers.
func (r *packedReader) tables(t *automatonTables) {
	classes := r.list()
	t.width = r.single()
	if len(classes) != 256 || t.width == 0 || t.width > 256 {
		r.ok = false
		return
	}
	for x, c := range classes {
		t.classes[x] = uint8(c)
		r.ok = r.ok && int(c) < t.width
	}
	for _, m := range r.list() {
		t.members = append(t.members, m != 0)
	}
	ops, args, counts, near, next := r.list(), r.list(), r.list(), r.single(), r.list()
	t.starts = r.list()
	if !r.ok || len(args) != len(ops) || len(counts) != len(ops) {
		r.ok = false
		return
	}
	for i, op := range ops {
		r.ok = r.ok && op <= uint32(opcode.Call)
		n := int(counts[i])
		if n > len(next) {
			r.ok = false
			return
		}
		q := automatonState{op: opcode.Op(op), arg: args[i], next: next[:n:n]}
		next = next[n:]
		for k, v := range q.next { // each is packed as its distance from the state, plus near
			to := int(v) + i - near
			r.ok = r.ok && 0 <= to && to < len(ops)
			q.next[k] = uint32(to)
		}
		switch q.op {
		case opcode.Byte:
			r.ok = r.ok && n == 1 && (int(q.arg)+1)*t.width <= len(t.members)
		case opcode.Act:
			r.ok = r.ok && n == 1
		}
		t.states = append(t.states, q)
	}
	for _, q := range t.starts {
		r.ok = r.ok && int(q) < len(t.states)
	}
}

// Accept is [Grammar.Accept].
func (automaton *Automaton) Accept(start Kind, src string) bool {
	return automaton.run(start, src, func(w *automatonWalk, row uint32) bool { return w.accept(row, src) })
}

// Parse is [Grammar.Parse].
func (automaton *Automaton) Parse(dst []Raw, start Kind, src string) ([]Raw, bool) {
	before := len(dst)
	ok := automaton.run(start, src, func(w *automatonWalk, row uint32) bool {
		w.src, w.nodes, w.top = src, dst[before:], -1
		ok := w.parse(row) && len(w.nodes) <= math.MaxInt32
		if ok {
			dst = append(dst, w.nodes...)
		}
		w.src, w.nodes = "", nil
		return ok
	})
	return dst, ok
}

// run calls f with a walk that no other goroutine has, and the row that start begins in. It returns
// the result of f. If start has no automaton, or src is too long, it returns false without calling
// f.
func (automaton *Automaton) run(start Kind, src string, f func(w *automatonWalk, row uint32) bool) bool {
	t := automaton.unpacked()
	if int(start) >= len(t.starts) || t.starts[start] == 0 || len(src) > math.MaxInt32 {
		return false
	}
	w := automaton.walks.Get().(*automatonWalk)
	w.since = -1
	if len(w.hows) > automatonHows {
		w.forget(true)
	}
	w.threads = append(w.threads[:0], automatonThread{state: t.starts[start]})
	ok := f(w, w.list())
	automaton.walks.Put(w)
	return ok
}

// An automatonThread is a state on a list, and its group. Groups count from 0 in the order of the
// list: states that came from where the same nodes had begun and ended are of one group.
type automatonThread struct{ state, group uint32 }

// An automatonWay tells how a group came about when a byte was read: from which group before the
// byte, and with which actions, an element of the walk's actions.
type automatonWay struct{ from, action uint32 }

// An automatonWalk is a deterministic automaton and a tree, both in the making. A row of the
// automaton has a cell for each class and for the end of the input; its number is that of its first
// cell. While a node is open, its Next is the node around it, and its End the number of its marks.
type automatonWalk struct {
	t     *automatonTables
	next  []uint32 // by cell: the row of the list after it, or automatonUnknown; row 0 is dead
	how   []uint32 // by cell: an element of hows
	lists [][]automatonThread
	index map[string]uint32 // the rows of the lists, by key: see list

	hows     [][]automatonWay // element 0 is empty: every group stays as it is, without actions
	howIndex map[string]uint32
	actions  [][]opcode.Action // action 0 is none
	actIndex map[string]uint32

	// For a cell that is being made.
	threads []automatonThread
	ways    []automatonWay
	acts    []opcode.Action
	key     []byte
	mark    uint32
	passed  []uint32 // by state: equal to mark if reach has passed it
	arrived []uint32 // by state: equal to mark if arrive has added it

	src   string
	nodes []Raw
	top   int32    // the innermost open node
	since int      // the offset from which on there have been several groups; -1 if there is one
	room  []uint32 // by offset, from since on: the element of hows by which its byte was read; for decide
}

// automatonUnknown stands in next for a cell that is not computed yet.
const automatonUnknown = ^uint32(0)

// automatonCells and automatonHows cap the cells and the elements of hows that a walk keeps: some
// megabytes. Beyond them a walk forgets what it has made and makes it again as needed, so that time
// stays linear and memory bounded.
const (
	automatonCells = 1 << 18
	automatonHows  = 1 << 14
)

// newAutomatonWalk returns a walk that knows the dead row alone.
func newAutomatonWalk(t *automatonTables) *automatonWalk {
	w := &automatonWalk{t: t, passed: make([]uint32, len(t.states)), arrived: make([]uint32, len(t.states))}
	w.forget(true)
	return w
}

// forget drops all rows, and makes the dead row again; w.threads stays. With all set it also drops
// hows and actions. w.room refers to these, so all must be false unless w.since is -1.
func (w *automatonWalk) forget(all bool) {
	if all {
		w.hows, w.howIndex = [][]automatonWay{nil}, map[string]uint32{}
		w.actions, w.actIndex = [][]opcode.Action{nil}, map[string]uint32{"": 0}
	}
	w.next, w.how, w.lists, w.index = w.next[:0], w.how[:0], w.lists[:0], map[string]uint32{}
	threads := w.threads
	w.threads = nil
	w.list() // the row of a list without threads: the dead one
	w.threads = threads
	clear(w.next) // it leads nowhere
}

// list returns the row of the list in w.threads. A new one is made, with a copy of the list, and its cells are
// still unknown. The index of its first cell is its number.
func (w *automatonWalk) list() uint32 {
	w.key = w.key[:0]
	for _, t := range w.threads {
		w.key = binary.AppendUvarint(binary.AppendUvarint(w.key, uint64(t.state)), uint64(t.group))
	}
	row, ok := w.index[string(w.key)]
	if !ok {
		row = uint32(len(w.next))
		w.index[string(w.key)] = row
		w.lists = append(w.lists, append([]automatonThread(nil), w.threads...))
		for range w.t.width + 1 {
			w.next, w.how = append(w.next, automatonUnknown), append(w.how, 0)
		}
	}
	return row
}

// make computes the cell of a row and a class, stores it in next and how, and returns it. next is 0 if the class leads
// nowhere. If there are more than automatonCells cells it forgets all rows first, so the caller must load w.next and
// w.how again, and rows that it knows are void, but for the one that is returned. It overwrites w.threads.
//
// A cell that leaves every group as it is and does nothing has how 0, so that parse skips it.
func (w *automatonWalk) make(row uint32, class int) (next, how uint32) {
	from := w.lists[int(row)/(w.t.width+1)]
	if len(w.next) > automatonCells { // too many: they are made again as they are needed
		w.forget(w.since < 0)
		w.threads = append(w.threads[:0], from...)
		row = w.list()
	}
	if w.mark++; w.mark == 0 { // it has wrapped around
		clear(w.passed)
		clear(w.arrived)
		w.mark++
	}
	w.threads, w.ways = w.threads[:0], w.ways[:0]
	groups := uint32(0)
	for _, t := range from {
		w.acts = w.acts[:0]
		w.reach(t.state, t.group, class)
		groups = max(groups, t.group+1)
	}
	// The ways are not kept if they change nothing: each thread keeps its place, and has no action.
	idle := len(w.ways) > 1 || groups == 1
	w.key = w.key[:0]
	for i, x := range w.ways {
		idle = idle && int(x.from) == i && x.action == 0
		w.key = binary.AppendUvarint(binary.AppendUvarint(w.key, uint64(x.from)), uint64(x.action))
	}
	if !idle && len(w.ways) > 0 {
		var ok bool
		how, ok = w.howIndex[string(w.key)]
		if !ok {
			how = uint32(len(w.hows))
			w.howIndex[string(w.key)] = how
			w.hows = append(w.hows, append([]automatonWay(nil), w.ways...))
		}
	}
	if len(w.threads) > 0 {
		next = w.list()
	}
	w.next[row+uint32(class)], w.how[row+uint32(class)] = next, how
	return next, how
}

// reach adds to w.threads, the list in the making, the states that state q of a group leads to by a
// byte of the class, or at the end of the input. w.acts holds the actions on the way to q. A state
// that was reached before, and so by a preferred way, is skipped.
func (w *automatonWalk) reach(q, group uint32, class int) {
	if w.passed[q] == w.mark {
		return
	}
	w.passed[q] = w.mark
	s := &w.t.states[q]
	switch s.op {
	case opcode.End:
		if class == w.t.width {
			w.arrive(q, group)
		}
	case opcode.Byte:
		if class < w.t.width && w.t.members[int(s.arg)*w.t.width+class] {
			w.arrive(s.next[0], group)
		}
	case opcode.Choice:
		for _, to := range s.next {
			w.reach(to, group, class)
		}
	case opcode.Act:
		w.acts = append(w.acts, opcode.Action(s.arg))
		w.reach(s.next[0], group, class)
		w.acts = w.acts[:len(w.acts)-1]
	}
}

// arrive adds a state to the list in the making, unless it is there. Its group is that of all
// states that came the same way: from the same group, with the actions in w.acts.
func (w *automatonWalk) arrive(q, group uint32) {
	if w.arrived[q] == w.mark {
		return
	}
	w.arrived[q] = w.mark
	w.key = w.key[:0]
	for _, a := range w.acts {
		w.key = append(w.key, byte(a), byte(a>>8))
	}
	action, ok := w.actIndex[string(w.key)]
	if !ok {
		action = uint32(len(w.actions))
		w.actIndex[string(w.key)] = action
		w.actions = append(w.actions, append([]opcode.Action(nil), w.acts...))
	}
	way := automatonWay{group, action}
	k := slices.Index(w.ways, way)
	if k < 0 {
		k = len(w.ways)
		w.ways = append(w.ways, way)
	}
	w.threads = append(w.threads, automatonThread{q, uint32(k)})
}

// accept reports whether src is accepted from a row. It is parse without nodes.
func (w *automatonWalk) accept(row uint32, src string) bool {
	next, classes := w.next, &w.t.classes
	for i := 0; i < len(src); i++ {
		class := classes[src[i]]
		to := next[row+uint32(class)]
		if to == automatonUnknown {
			to, _ = w.make(row, int(class))
			next = w.next
		}
		row = to
		if row == 0 {
			return false
		}
	}
	to := next[row+uint32(w.t.width)]
	if to == automatonUnknown {
		to, _ = w.make(row, w.t.width)
	}
	return to != 0
}

// parse reads w.src from a row, and appends its nodes to w.nodes. It reports whether the input is
// derived; if not, the nodes are of no use. The caller sets w.since to -1 and w.top to -1. As long
// as there is one group (w.since < 0), parse performs actions at once. With more, it records in
// w.room how each byte was read. It leaves the actions to decide, as soon as one group is left or
// the input ends.
func (w *automatonWalk) parse(row uint32) bool {
	src, classes := w.src, &w.t.classes
	next, how := w.next, w.how
	for i := 0; i < len(src); i++ {
		at := row + uint32(classes[src[i]])
		h := how[at]
		to := next[at]
		if to == automatonUnknown {
			to, h = w.make(row, int(at-row))
			next, how = w.next, w.how
		}
		row = to
		if row == 0 {
			return false
		}
		// With several ways, the actions wait in w.room until one way is left.
		if w.since < 0 {
			if h == 0 {
				continue
			}
			if ways := w.hows[h]; len(ways) == 1 {
				w.act(ways[0].action, i)
				continue
			}
			w.since = i
			if len(w.room) < len(src) {
				w.room = make([]uint32, len(src)+len(src)/4)
			}
		}
		w.room[i] = h
		if h != 0 && len(w.hows[h]) == 1 {
			w.decide(i+1, 0)
		}
	}
	at := row + uint32(w.t.width)
	h, to := how[at], next[at]
	if to == automatonUnknown {
		to, h = w.make(row, w.t.width)
	}
	if to == 0 {
		return false
	}
	var end automatonWay
	if h != 0 {
		end = w.hows[h][0]
	}
	if w.since >= 0 {
		w.decide(len(src), end.from)
	}
	w.act(end.action, len(src))
	return w.top < 0
}

// decide performs the actions since w.since that lead to a group, one of those at offset i, and
// sets w.since to -1. It goes back from i to find them, overwriting w.room from since on, and then
// forward to perform them.
func (w *automatonWalk) decide(i int, group uint32) {
	room := w.room[w.since:i]
	for k := len(room) - 1; k >= 0; k-- {
		if h := room[k]; h != 0 {
			way := w.hows[h][group]
			room[k], group = way.action, way.from
		}
	}
	for k, action := range room { // which has the actions of the one way now
		if action != 0 {
			w.act(action, w.since+k)
		}
	}
	w.since = -1
}

// act performs the actions of an element of w.actions, before the byte at i.
func (w *automatonWalk) act(action uint32, i int) {
	for _, k := range w.actions[action] {
		switch k {
		default: // a kind, whose node begins
			at := int32(len(w.nodes))
			w.nodes = append(w.nodes, Raw{Kind: Kind(k), Start: int32(i), Next: w.top})
			w.top = at
		case opcode.Close:
			w.close(i)
		case opcode.Mark:
			if w.top >= 0 {
				w.nodes[w.top].End++
			}
		case opcode.CloseTo:
			for w.top >= 0 && w.nodes[w.top].End == 0 {
				w.close(i)
			}
			if w.top >= 0 {
				w.nodes[w.top].End--
			}
		}
	}
}

// close ends the innermost open node at i. It does nothing if none is open.
func (w *automatonWalk) close(i int) {
	if w.top < 0 {
		return
	}
	n := &w.nodes[w.top]
	w.top, n.End, n.Next = n.Next, int32(i), int32(len(w.nodes))
}
