package bnftogo

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// tables puts the transducers of all productions together, in which equal states are one.
type tables struct {
	width  int
	next   [][]int32 // by node: its successors, by cell
	out    []string  // by node: what it is, and what its cells do
	acts   map[string]int
	starts []tableStart // by kind
}

type tableStart struct {
	node int32
	back *backward
	dfa  int32
}

// The actions of cells that do not decide, as package ast has them.
const (
	actLook = 1<<10 - 1
	actAsk  = 1<<10 - 2
)

const (
	nodeDead   = 0
	nodeAccept = 1
)

func newTables(width, kinds int) *tables {
	t := &tables{width: width, acts: map[string]int{"": 0}, starts: make([]tableStart, kinds+1)}
	for _, what := range []string{"dead", "accept"} {
		t.next = append(t.next, make([]int32, width+1))
		t.out = append(t.out, what+string(make([]byte, 4*(width+1))))
	}
	return t
}

// add adds the transducer of a production.
func (t *tables) add(kind int, x *transducer, dfaStart int32) {
	s := tableStart{dfa: dfaStart}
	if len(x.sites) > 0 {
		s.back = x.backward() // which may stop at a limit
	}
	base := int32(len(t.next))
	s.node = base
	looks := base + int32(len(x.rows))
	sites := looks + int32(len(x.looks))
	node := func(cells []cell, tag string) {
		next := make([]int32, len(cells))
		out := []byte(tag)
		for i, c := range cells {
			act := 0
			switch c.kind {
			case cellGo:
				next[i] = base + c.to
				if tag != "site" && i == t.width {
					next[i] = nodeAccept
				}
				id, ok := t.acts[c.acts]
				if !ok {
					id = len(t.acts)
					t.acts[c.acts] = id
				}
				act = id
			case cellLook:
				next[i] = looks + c.to
				act = -1
			case cellAsk:
				next[i] = sites + c.to
				act = -2
			}
			out = append32(out, int32(act))
		}
		t.next = append(t.next, next)
		t.out = append(t.out, string(out))
	}
	for _, r := range x.rows {
		node(r, "row")
	}
	for _, r := range x.looks {
		// The end of the input behind the byte that is consumed is no end here.
		node(r, "site")
		t.out[len(t.out)-1] = "look" + t.out[len(t.out)-1]
	}
	if len(x.sites) > 0 {
		for k, site := range x.sites {
			cells := make([]cell, len(s.back.next))
			for r, label := range s.back.labels[k] {
				if label >= 0 {
					cells[r] = site.cells[label]
				}
			}
			node(cells, "site")
			t.out[len(t.out)-1] = fmt.Sprintf("site %d %s", kind, t.out[len(t.out)-1])
		}
	}
	t.starts[kind] = s
}

// automaton returns the tables as a parser reads them.
func (t *tables) automaton(d *dfa) (*flat, error) {
	// Classes that no automaton tells apart are merged below, when both automata are known.
	block, n := refine(t.next, t.out, d.n.budget)
	first := make([]int, n)
	for i := len(block) - 1; i >= 0; i-- {
		first[block[i]] = i
	}
	// The rows of the acceptor.
	dfaIndex := map[int32]int32{}
	var states []int32
	use := func(s int32) int32 {
		i, ok := dfaIndex[s]
		if !ok {
			i = int32(len(states))
			dfaIndex[s] = i
			states = append(states, s)
		}
		return i
	}
	use(0)
	for _, s := range t.starts {
		use(s.dfa)
	}
	var next [][]int32
	for i := 0; i < len(states); i++ {
		row := make([]int32, d.width)
		for c, s := range d.row(states[i]) {
			row[c] = use(s)
		}
		next = append(next, row)
	}
	out := make([]string, len(states))
	for i, s := range states {
		if d.accepts[s] {
			out[i] = "x"
		}
	}
	merged, m := refine(next, out, d.n.budget)
	of := make([]int, m)
	for i := len(merged) - 1; i >= 0; i-- {
		of[merged[i]] = i
	}

	class, columns := t.columns(block, first, next, merged, of)
	width := len(columns)
	a := &flat{width: width, starts: make([]flatStart, len(t.starts))}
	for x := range 256 {
		a.classes[x] = uint8(class[d.part.Class[x]])
	}

	// Rows of the transducer get numbers in the order of the blocks, sites likewise.
	offset := make([]uint32, n)
	rows, sites := uint32(0), uint32(0)
	for b, i := range first {
		if t.out[i][:4] == "site" {
			offset[b] = sites
			sites++
		} else {
			offset[b] = rows * uint32(width+1)
			rows++
		}
	}
	if rows*uint32(width+1) >= 1<<22 || sites >= 1<<22 || len(t.acts) >= actAsk {
		return nil, errTooLarge
	}
	a.actions = make([][]uint16, len(t.acts))
	for acts, id := range t.acts {
		list := make([]uint16, 0, len(acts)/2)
		for i := 0; i < len(acts); i += 2 {
			list = append(list, uint16(acts[i])|uint16(acts[i+1])<<8)
		}
		a.actions[id] = list
	}
	cellOf := func(i, k int) uint32 { // cell k of node i
		to := t.next[i][k]
		if to == nodeDead {
			return 0
		}
		act := t.act(i, k)
		x := offset[block[to]]
		switch act {
		case -1:
			return actLook<<22 | x
		case -2:
			return actAsk<<22 | x
		}
		return uint32(act)<<22 | x
	}
	for _, i := range first {
		if t.out[i][:4] == "site" {
			row := make([]uint32, len(t.next[i]))
			for k := range row {
				row[k] = cellOf(i, k)
			}
			a.sites = append(a.sites, row)
			continue
		}
		for _, c := range columns {
			a.cells = append(a.cells, cellOf(i, c))
		}
		a.cells = append(a.cells, cellOf(i, t.width))
	}

	// Rows of the acceptor: the dead one, those that accept, the others.
	number := make([]uint32, m)
	count := uint32(1)
	dead := merged[0]
	for _, accepting := range []bool{true, false} {
		for b, i := range of {
			if int32(b) != dead && (out[i] != "") == accepting {
				number[b] = count * uint32(width)
				count++
			}
		}
		if accepting {
			a.final = count * uint32(width)
		}
	}
	a.step = make([]uint32, int(count)*width)
	for b, i := range of {
		for k, c := range columns {
			a.step[int(number[b])+k] = number[merged[next[i][c]]]
		}
	}
	for kind, s := range t.starts {
		if s.node == nodeDead {
			continue
		}
		st := flatStart{row: offset[block[s.node]], accept: number[merged[dfaIndex[s.dfa]]]}
		if s.back != nil {
			if len(s.back.next) > 1<<16 {
				return nil, errTooLarge
			}
			st.shift = uint8(bits.Len(uint(width - 1)))
			st.back = make([]uint16, len(s.back.next)<<st.shift)
			for q, row := range s.back.next {
				for k, c := range columns {
					st.back[q<<st.shift|k] = uint16(row[c])
				}
			}
		}
		a.starts[kind] = st
	}
	return a, nil
}

// act returns the action of cell k of node i.
func (t *tables) act(i, k int) int {
	b := t.out[i][len(t.out[i])-4*len(t.next[i])+4*k:]
	return int(int32(b[0]) | int32(b[1])<<8 | int32(b[2])<<16 | int32(int8(b[3]))<<24)
}

// columns merges the classes of bytes that no row tells apart. It returns the new class of each, and for each new class one
// of the old ones.
func (t *tables) columns(block []int32, first []int, next [][]int32, merged []int32, of []int) (class, columns []int) {
	class = make([]int, t.width)
	index := map[string]int{}
	for c := range t.width {
		var key []byte
		for _, i := range first {
			if t.out[i][:4] != "site" {
				key = append32(append32(key, block[t.next[i][c]]), int32(t.act(i, c)))
			}
		}
		for _, i := range of {
			key = append32(key, merged[next[i][c]])
		}
		for _, s := range t.starts {
			if s.back != nil {
				for _, row := range s.back.next {
					key = append32(key, row[c])
				}
			}
		}
		k, ok := index[string(key)]
		if !ok {
			k = len(columns)
			index[string(key)] = k
			columns = append(columns, c)
		}
		class[c] = k
	}
	return class, columns
}

// A flat holds the tables as package ast has them.
type flat struct {
	classes [256]uint8
	width   int
	starts  []flatStart
	cells   []uint32
	actions [][]uint16
	sites   [][]uint32
	step    []uint32
	final   uint32
}

type flatStart struct {
	row, accept uint32
	shift       uint8
	back        []uint16
}

// pack returns the tables as an [ast.Automaton] holds them.
func (a *flat) pack() string {
	var b []byte
	number := func(v uint32) { b = binary.AppendUvarint(b, uint64(v)) }
	list := func(n int, at func(i int) uint32) {
		number(uint32(n))
		for i := 0; i < n; {
			times := 1
			for i+times < n && at(i+times) == at(i) {
				times++
			}
			number(at(i))
			number(uint32(times))
			i += times
		}
	}
	list(256, func(i int) uint32 { return uint32(a.classes[i]) })
	number(uint32(a.width))
	row := uint32(a.width + 1)
	cells := func(cells []uint32) {
		list(len(cells), func(i int) uint32 {
			act, to := cells[i]>>22, cells[i]&(1<<22-1)
			if act != actAsk {
				to /= row
			}
			return to<<10 | act
		})
	}
	cells(a.cells)
	number(uint32(len(a.actions)))
	for _, l := range a.actions {
		list(len(l), func(i int) uint32 { return uint32(l[i]) })
	}
	number(uint32(len(a.sites)))
	for _, l := range a.sites {
		cells(l)
	}
	list(len(a.step), func(i int) uint32 { return a.step[i] / uint32(a.width) })
	number(a.final / uint32(a.width))
	number(uint32(len(a.starts)))
	for _, s := range a.starts {
		number(s.row / row)
		number(s.accept / uint32(a.width))
		number(uint32(s.shift))
		list(len(s.back), func(i int) uint32 { return uint32(s.back[i]) })
	}
	return base64.StdEncoding.EncodeToString(b)
}
