package ast

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"sync"
)

// Automaton is a parser as tables, as generated code writes it where straight-line code cannot decide. Each of its
// productions has a transducer, which reads the input once and writes the nodes, and a deterministic automaton, which only
// accepts.
//
// A row of the transducer has a cell for each class of bytes and one for the end of the input. In a state the cell of the
// next byte tells what nodes begin and end before that byte, and in which state to go on behind it. Where the byte does
// not decide, the cell leads to another row, for the byte that follows, or to a site: then the input is read once from its
// end by the backward automaton of the production, whose state behind the byte decides. So time is linear in the input.
//
// Packed holds the tables in the standard encoding of base64. They are unpacked when they are first used. An Automaton is
// safe for concurrent use, and must not be copied. One whose tables are damaged accepts nothing.
type Automaton struct {
	Packed string

	once   sync.Once
	tables automatonTables
}

type automatonTables struct {
	classes [256]uint8       // the class of a byte
	width   int              // the number of classes; the class of the end of the input is width
	starts  []automatonStart // by production
	cells   []uint32         // the rows of the transducer, width+1 cells each
	actions [][]uint16       // what cells do
	sites   [][]uint32       // by site and state of the backward automaton: a cell
	step    []uint32         // the rows of the accepting automata, width successors each
	final   uint32           // rows of step below this one, but not row 0, are accepting
}

// automatonStart is where the automata of a production begin.
type automatonStart struct {
	row    uint32   // of cells; 0 if the production has no automaton
	accept uint32   // of step
	shift  uint8    // the logarithm of the length of a row of back
	back   []uint16 // the rows of the backward automaton, by state and class; nil if the production needs none
}

// unpacked returns the tables.
func (automaton *Automaton) unpacked() *automatonTables {
	automaton.once.Do(func() {
		data, err := base64.StdEncoding.DecodeString(automaton.Packed)
		r := automatonReader{rest: data, ok: err == nil}
		if r.tables(&automaton.tables); !r.ok {
			automaton.tables = automatonTables{}
		}
	})
	return &automaton.tables
}

// An automatonReader reads packed tables: unsigned numbers, each in the variable length of encoding/binary. A list is its
// length, and then each value with the number of times that it follows. Rows are counted, in cells and in step.
type automatonReader struct {
	rest []byte
	ok   bool
}

func (r *automatonReader) number() uint32 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > math.MaxUint32 {
		r.ok, r.rest = false, nil
		return 0
	}
	r.rest = r.rest[n:]
	return uint32(v)
}

func (r *automatonReader) count() int {
	n := r.number()
	if n > 1<<26 {
		r.ok = false
		return 0
	}
	return int(n)
}

func (r *automatonReader) list() []uint32 {
	n := r.count()
	if n == 0 {
		return nil
	}
	list := make([]uint32, 0, n)
	for len(list) < n && r.ok {
		v := r.number()
		times := r.count()
		if times == 0 || times > n-len(list) {
			r.ok = false
		}
		for range times {
			if r.ok {
				list = append(list, v)
			}
		}
	}
	return list
}

func (r *automatonReader) tables(t *automatonTables) {
	classes := r.list()
	t.width = r.count()
	if len(classes) != 256 || t.width == 0 || t.width > 256 {
		r.ok = false
		return
	}
	for x, c := range classes {
		t.classes[x] = uint8(c)
		r.ok = r.ok && int(c) < t.width
	}
	row, actions := uint32(t.width+1), uint32(0)
	cell := func(list []uint32) []uint32 { // the action stands in the lower bits
		for i, v := range list {
			act, to := v&(1<<10-1), v>>10
			if act != automatonAsk {
				to *= row
			}
			list[i] = act<<22 | to
		}
		return list
	}
	t.cells = cell(r.list())
	for range r.count() {
		var list []uint16
		for _, v := range r.list() {
			list = append(list, uint16(v))
		}
		t.actions = append(t.actions, list)
		actions++
	}
	for range r.count() {
		t.sites = append(t.sites, cell(r.list()))
	}
	t.step = r.list()
	for i := range t.step {
		t.step[i] *= uint32(t.width)
		r.ok = r.ok && int(t.step[i])+t.width <= len(t.step)
	}
	t.final = r.number() * uint32(t.width)
	for range r.count() {
		s := automatonStart{row: r.number() * row, accept: r.number() * uint32(t.width), shift: uint8(r.number())}
		for _, v := range r.list() {
			s.back = append(s.back, uint16(v))
		}
		t.starts = append(t.starts, s)
		r.ok = r.ok && int(s.row)+t.width < len(t.cells) && int(s.accept)+t.width <= len(t.step) && s.shift < 16 &&
			(s.row == 0 || t.width <= 1<<s.shift || s.back == nil)
		if !r.ok {
			return
		}
		for _, q := range s.back {
			r.ok = r.ok && int(q)<<s.shift+t.width <= len(s.back)
		}
	}
	for _, x := range t.cells {
		r.check(t, x)
	}
	for _, s := range t.sites {
		for _, x := range s {
			r.check(t, x)
		}
	}
}

// check reports a cell that leads nowhere.
func (r *automatonReader) check(t *automatonTables, x uint32) {
	if to := int(x & automatonRow); x>>22 == automatonAsk {
		r.ok = r.ok && to < len(t.sites)
	} else {
		r.ok = r.ok && to+t.width < len(t.cells)
	}
}

// A cell holds the number of a row in its lower bits and an action above. A cell with row 0 is an error.
const (
	automatonRow  = 1<<22 - 1
	automatonLook = 1<<10 - 1 // the row is that of the next byte but one, or if another such cell led here, of the one after
	automatonAsk  = 1<<10 - 2 // the row is a site
)

// Elements of an action. Every other one is the kind of a node that begins.
const (
	automatonClose   = 0      // the innermost open node ends
	automatonMark    = 0xffff // the innermost open node is marked
	automatonCloseTo = 0xfffe // all open nodes above the one that was marked last end, and that mark is removed
)

// Accept is [Grammar.Accept].
func (automaton *Automaton) Accept(start Kind, src string) bool {
	a := automaton.unpacked()
	if int(start) >= len(a.starts) || a.starts[start].row == 0 || len(src) > math.MaxInt32 {
		return false
	}
	row, step, classes := a.starts[start].accept, a.step, &a.classes
	for i := 0; i < len(src); i++ {
		row = step[row+uint32(classes[src[i]])]
		if row == 0 {
			return false
		}
	}
	return 0 < row && row < a.final
}

// Parse is [Grammar.Parse].
func (automaton *Automaton) Parse(dst []Raw, start Kind, src string) ([]Raw, bool) {
	a := automaton.unpacked()
	if int(start) >= len(a.starts) || a.starts[start].row == 0 || len(src) > math.MaxInt32 {
		return dst, false
	}
	if a.starts[start].back != nil {
		return a.parseBack(dst, &a.starts[start], src)
	}
	w := automatonWalk{a: a, start: &a.starts[start], src: src, nodes: dst[len(dst):], top: -1}
	return w.result(dst, nil)
}

// parseBack is Parse with room for the states of the backward automaton.
func (a *automatonTables) parseBack(dst []Raw, start *automatonStart, src string) ([]Raw, bool) {
	n := len(src) + 1
	w := automatonWalk{a: a, start: start, src: src, nodes: dst[len(dst):], top: -1, known: n}
	if n <= automatonRoom {
		var room [automatonRoom]uint16
		return w.result(dst, room[:n])
	}
	room := automatonRooms.Get().(*[]uint16)
	if cap(*room) < n {
		*room = make([]uint16, n+n/4)
	}
	dst, ok := w.result(dst, (*room)[:n])
	automatonRooms.Put(room)
	return dst, ok
}

// automatonRoom is the greatest number of states that are held on the stack.
const automatonRoom = 512

var automatonRooms = sync.Pool{New: func() any { return new([]uint16) }}

// result appends the nodes of the walk to dst. What back holds is the state of the backward automaton at each place, as far as
// that is known; it is no part of w, so that it can lie on the stack.
func (w *automatonWalk) result(dst []Raw, back []uint16) ([]Raw, bool) {
	if !w.walk(back) || len(w.nodes) > math.MaxInt32 {
		return dst, false
	}
	return append(dst, w.nodes...), true
}

// An automatonWalk is a tree in the making. While a node is open, its Next is the node around it, and its End the number
// of its marks.
type automatonWalk struct {
	a     *automatonTables
	start *automatonStart
	src   string
	nodes []Raw
	top   int32 // the innermost open node
	known int   // the states of the backward automaton are known from here
}

// walk reads the input, and reports whether it is derived.
func (w *automatonWalk) walk(back []uint16) bool {
	cells, classes, src := w.a.cells, &w.a.classes, w.src
	row := w.start.row
	for i := 0; i < len(src); i++ {
		x := cells[row+uint32(classes[src[i]])]
		if x > automatonRow {
			if x>>22 >= automatonAsk {
				x = w.decide(x, i, back)
			}
			w.act(x>>22, i)
		}
		row = x & automatonRow
		if row == 0 {
			return false
		}
	}
	x := cells[row+uint32(w.a.width)]
	if x&automatonRow == 0 {
		return false
	}
	w.act(x>>22, len(src))
	return w.top < 0
}

// decide returns the cell that is right where x is not yet, the byte at i being the next one.
func (w *automatonWalk) decide(x uint32, i int, back []uint16) uint32 {
	for x>>22 == automatonLook {
		i++
		class := w.a.width
		if i < len(w.src) {
			class = int(w.a.classes[w.src[i]])
		} else if i > len(w.src) {
			return 0
		}
		x = w.a.cells[x&automatonRow+uint32(class)]
	}
	if x>>22 != automatonAsk {
		return x
	}
	if i++; i >= len(back) {
		return 0
	}
	if i < w.known {
		w.read(i, back)
	}
	site := w.a.sites[x&automatonRow]
	if q := back[i]; int(q) < len(site) {
		return site[q]
	}
	return 0
}

// read fills in the states of the backward automaton down to the place i.
func (w *automatonWalk) read(i int, back []uint16) {
	k, q := len(w.src), uint16(0)
	if w.known <= k {
		k, q = w.known, back[w.known]
	} else {
		back[k] = 0
	}
	table, shift, classes := w.start.back, w.start.shift&15, &w.a.classes
	for k > i {
		k--
		q = table[uint32(q)<<shift|uint32(classes[w.src[k]])]
		back[k] = q
	}
	w.known = i
}

// act performs an action before the byte at i.
func (w *automatonWalk) act(action uint32, i int) {
	if action >= uint32(len(w.a.actions)) {
		return
	}
	for _, k := range w.a.actions[action] {
		switch k {
		default:
			at := int32(len(w.nodes))
			w.nodes = append(w.nodes, Raw{Kind: Kind(k), Start: int32(i), Next: w.top})
			w.top = at
		case automatonClose:
			w.close(i)
		case automatonMark:
			if w.top >= 0 {
				w.nodes[w.top].End++
			}
		case automatonCloseTo:
			for w.top >= 0 && w.nodes[w.top].End == 0 {
				w.close(i)
			}
			if w.top >= 0 {
				w.nodes[w.top].End--
			}
		}
	}
}

func (w *automatonWalk) close(i int) {
	if w.top < 0 {
		return
	}
	n := &w.nodes[w.top]
	w.top, n.End, n.Next = n.Next, int32(i), int32(len(w.nodes))
}
