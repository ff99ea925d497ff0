package annotated

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// writeTables minimizes the automaton and returns its tables. Live states are numbered from 1, breadth-first from
// the starts; all others are state 0, also as a start. It sets the State of each element of starts, which are in
// the order of b.from, and keeps starts in the tables. It panics with a [budget.ErrTooLarge] if states, notes or
// expectations exceed 16 bits.
func (b *builder) writeTables(starts [][]ast.TableStart) *ast.Tables {
	m := &ast.Tables{Notes: []ast.TableNote{{}}}
	notes := newNotebook(b, m)
	note := make([]int, len(b.sets))
	for q := range b.sets {
		note[q] = notes.noteOf(q)
	}
	if max(len(m.Notes), len(m.Expectations)) > math.MaxUint16 {
		panic(budget.Stopped(fmt.Errorf("%w: %s: the explanation automaton has %d notes and expects %d terms, at "+
			"most %d can be numbered",
			budget.ErrTooLarge, b.g.Name, len(m.Notes), len(m.Expectations), math.MaxUint16)))
	}
	live := lang.Live(b.ends, func(q int, visit func(to int32)) {
		for _, to := range b.next[q] {
			if to >= 0 {
				visit(int32(to))
			}
		}
	})
	block := b.partitionStates(note, live)

	number := map[int32]uint16{} // by block
	var order []int              // one state of each block, in the order of their numbers
	visit := func(q int) uint16 {
		if q < 0 || !live[q] {
			return 0
		}
		n, ok := number[block[q]]
		if !ok {
			order = append(order, q)
			n = uint16(len(order))
			number[block[q]] = n
		}
		return n
	}
	i := 0
	for k := range starts {
		for j := range starts[k] {
			starts[k][j].State = visit(b.from[i])
			i++
		}
	}
	rows := [][]uint16{make([]uint16, len(b.classes))}
	m.Note = []uint16{0}
	for i := 0; i < len(order); i++ {
		if len(order) > math.MaxUint16 {
			panic(budget.Stopped(fmt.Errorf("%w: %s: the explanation automaton has more than %d states",
				budget.ErrTooLarge, b.g.Name, math.MaxUint16)))
		}
		q := order[i]
		row := make([]uint16, len(b.classes))
		for c, to := range b.next[q] {
			row[c] = visit(to)
		}
		rows = append(rows, row)
		m.Note = append(m.Note, uint16(note[q]))
	}
	m.Starts = starts
	b.mergeColumns(m, rows)
	return m
}

// partitionStates returns the block of each state, in the coarsest partition in which the states of a block
// have the same note and, class by class, successors in the same block. A successor that is not live counts
// as the dead state; such a state itself has a block by its own note, which nothing leads to. The result has
// one more element, for the dead state, at the end.
func (b *builder) partitionStates(note []int, live []bool) []int32 {
	dead := len(b.sets) // the dead state follows the others
	next := make([][]int32, dead+1)
	kind := make([]int32, dead+1)
	next[dead] = slices.Repeat([]int32{int32(dead)}, len(b.classes))
	for q, row := range b.next {
		kind[q] = int32(note[q]) + 1
		next[q] = make([]int32, len(row))
		for c, to := range row {
			if to < 0 || !live[to] {
				to = dead
			}
			next[q][c] = int32(to)
		}
	}
	block, _ := lang.Refine(next, kind, b.g.Budget)
	return block
}

// mergeColumns writes rows, which have a successor for each of b.classes, to m as its table: bytes with equal columns
// get one class. It sets Classes, Width and Next.
func (b *builder) mergeColumns(m *ast.Tables, rows [][]uint16) {
	ids := map[string]int{}
	var keep []int // the first byte class with each column
	for c, set := range b.classes {
		key := make([]byte, 0, 2*len(rows))
		for _, row := range rows {
			key = binary.LittleEndian.AppendUint16(key, row[c])
		}
		id, ok := ids[string(key)]
		if !ok {
			id = len(keep)
			ids[string(key)] = id
			keep = append(keep, c)
		}
		for _, x := range set.Members() {
			m.Classes[x] = byte(id)
		}
	}
	m.Width = len(keep)
	for _, row := range rows {
		for _, c := range keep {
			m.Next = append(m.Next, row[c])
		}
	}
}

// A notebook numbers the notes of states and their expectations, so that equal ones have one number. It
// appends them to m.
type notebook struct {
	b        *builder
	m        *ast.Tables
	notes    map[string]int
	expected map[string]uint16
	first    map[termKey]expr.Set // the bytes that each term can begin with, anywhere in the grammar
}

// A read is a term that a state can read, with the productions that read it there.
type read struct {
	term termKey
	in   []ast.Kind
}

// A termKey identifies a term. Its ID tells two productions of one name apart, such as xalpha in RFC 1630's two BNFs,
// and read two places in one word, which go on with different bytes.
type termKey struct {
	name, lexical string
	read          int
}

// key returns the key of the term of l.
func (l label) key() termKey { return termKey{l.term, l.lexical, l.read} }

// newNotebook returns an empty notebook, which appends to m. It collects the bytes that the terms of b's
// items can begin with.
func newNotebook(b *builder, m *ast.Tables) *notebook {
	n := &notebook{b: b, m: m, notes: map[string]int{}, expected: map[string]uint16{}, first: map[termKey]expr.Set{}}
	for _, it := range b.items {
		n.first[it.label.key()] = n.first[it.label.key()].Union(it.set)
	}
	return n
}

// noteOf returns the index in n.m.Notes of state q's note: whether the input may end, the terms that its items
// expect, and the productions that they are in. A note that no state had before is appended, and so are its
// expectations.
func (n *notebook) noteOf(q int) int {
	var note ast.TableNote
	note.Accept = n.b.ends[q]
	items := slices.Clone(n.b.sets[q])
	for _, it := range items {
		n.b.g.Budget.Step(16 + it.label.path.depth*it.label.path.depth/4)
	}
	// Inner before outer, then in the order of the text: this is how a reader meets them.
	slices.SortStableFunc(items, func(a, b *item) int {
		x, y := a.label, b.label
		return cmp.Or(cmp.Compare(y.path.depth, x.path.depth),
			cmp.Compare(n.b.kinds[x.path.rule], n.b.kinds[y.path.rule]),
			cmp.Compare(x.from.Pos.Line, y.from.Pos.Line), cmp.Compare(x.from.Pos.Col, y.from.Pos.Col))
	})
	var reads []read
	index := map[termKey]int{} // in reads: a choice among words has a term for each of them
	for _, it := range items {
		i, known := index[it.label.key()]
		if !known {
			i = len(reads)
			index[it.label.key()] = i
			reads = append(reads, read{term: it.label.key()})
		}
		if k := n.b.kinds[it.label.path.rule]; !slices.Contains(reads[i].in, k) {
			reads[i].in = append(reads[i].in, k)
		}
	}
	for _, r := range reads {
		note.Expected = append(note.Expected, n.internExpectation(r))
	}
	note.In = n.matchedKinds(items, n.b.place[q])
	key := fmt.Sprint(note)
	id, ok := n.notes[key]
	if !ok {
		id = len(n.m.Notes)
		n.notes[key] = id
		n.m.Notes = append(n.m.Notes, note)
	}
	return id
}

// internExpectation returns the number of the expectation of r, from 0. Numbers of more than 16 bits wrap
// around; writeTables refuses these.
func (n *notebook) internExpectation(r read) uint16 {
	key := fmt.Sprintf("%q %q %d %v", r.term.name, r.term.lexical, r.term.read, r.in)
	id, ok := n.expected[key]
	if !ok {
		id = uint16(len(n.m.Expectations))
		n.expected[key] = id
		first := ast.ByteSet(n.first[r.term])
		n.m.Expectations = append(n.m.Expectations, ast.Expectation{Term: r.term.name, First: first, In: r.in})
	}
	return id
}

// matchedKinds lists productions that are being matched in a state with these items, each once: first place, the last
// one of their [Place], then the innermost production of each item's label, in the order of the items. It returns nil
// if there are no items.
func (n *notebook) matchedKinds(items []*item, place ast.Kind) []ast.Kind {
	if len(items) == 0 {
		return nil
	}
	out := []ast.Kind{place}
	for _, it := range items {
		if k := n.b.kinds[it.label.path.rule]; !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// ids returns the IDs of the productions of a path, outermost first.
func (p *path) ids() []string {
	ids := make([]string, p.depth)
	for ; p != nil; p = p.up {
		ids[p.depth-1] = p.rule
	}
	return ids
}
