package jspackage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file packs tables as text: see docs/table-format.md. The lists of numbers are those that a Go
// package has compressed. Here they are text that a few lines of JavaScript unpack, and that gzip
// makes about as small, since a server compresses what it sends.

// digits has the 91 characters of packed text.
const digits = "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~"

// The first digits with a meaning of their own.
const (
	firstOfTwo  = 80 // up to the one before firstOfFour: one more digit follows
	firstOfFour = 88 // three more digits follow
	firstOfSix  = 89 // five more digits follow
	repeats     = 90 // a number follows: how often the number before comes again, less 1

	leastOfFour = firstOfTwo + (firstOfFour-firstOfTwo)*91
	leastOfSix  = leastOfFour + 91*91*91
	leastRun    = 4 // so many equal numbers in a row are written as a repetition
)

// pack returns lists as text: for each list its length and its numbers, which must be such that packNumber takes. A
// run of at least leastRun equal numbers is written as the number, the digit repeats, and the length of the run less
// 2.
func pack(lists ...[]int) string {
	var b strings.Builder
	for _, list := range lists {
		packNumber(&b, len(list))
		for i := 0; i < len(list); {
			packNumber(&b, list[i])
			run := 1
			for i+run < len(list) && list[i+run] == list[i] {
				run++
			}
			i++
			if run >= leastRun {
				b.WriteByte(digits[repeats])
				packNumber(&b, run-2)
				i += run - 1
			}
		}
	}
	return b.String()
}

// packNumber appends a number. It must not be negative, and must be less than 91 to the power of 5.
func packNumber(b *strings.Builder, n int) {
	more := 0 // the digits that follow the first one
	switch {
	case n < firstOfTwo:
		b.WriteByte(digits[n])
	case n < leastOfFour:
		n -= firstOfTwo
		b.WriteByte(digits[firstOfTwo+n/91])
		b.WriteByte(digits[n%91])
	case n < leastOfSix:
		b.WriteByte(digits[firstOfFour])
		n -= leastOfFour
		more = 3
	default:
		b.WriteByte(digits[firstOfSix])
		more = 5
	}
	var last []byte
	for ; more > 0; more-- {
		last = append(last, digits[n%91])
		n /= 91
	}
	slices.Reverse(last)
	b.Write(last)
}

// The places of two lists in tables of package annotated that have states.
const (
	nearList   = 6 // one number: what is added to the successors
	targetList = 7 // the successors, relative to the states that they follow
)

// repackStates returns tables of package annotated that have states as text. There a number is added to
// the successors, so that none is negative, which makes them large. Here a successor is a folded distance,
// and the list with that number is left out. It fails for tables that were not packed.
func repackStates(packed string) (string, error) {
	lists, err := annotated.Lists(packed)
	if err != nil {
		return "", err
	}
	near := lists[nearList][0]
	targets := make([]int, len(lists[targetList]))
	for i, to := range lists[targetList] {
		targets[i] = foldedDistance(to - near)
	}
	lists[targetList] = targets
	return pack(slices.Delete(lists, nearList, nearList+1)...), nil
}

// foldedDistance returns a distance as a number that is not negative, and small if the distance is: 0, -1, 1, -2 and 2
// become 0, 1, 2, 3 and 4.
func foldedDistance(distance int) int {
	if distance >= 0 {
		return 2 * distance
	}
	return -2*distance - 1
}

// renumbered returns the automaton that explains rejections with its states numbered anew: depth-first
// from the starts of one production, and then from those of all others. So the rows that this
// production needs come first, and most rows lead to the next ones, so that distances are small
// numbers and come again. first is how many the former are, the dead state included. States that no start leads to are
// left out. t is not changed.
func renumbered(t *ast.Tables, start ast.Kind) (out *ast.Tables, first int) {
	number := make([]int, len(t.Note)) // by old number; 0 for none yet
	order := []int{0}
	visitAll := func(q int) {
		for stack := []int{q}; len(stack) > 0; {
			q := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if q == 0 || number[q] > 0 {
				continue
			}
			number[q] = len(order)
			order = append(order, q)
			for _, to := range slices.Backward(t.Next[q*t.Width : (q+1)*t.Width]) {
				stack = append(stack, int(to))
			}
		}
	}
	for _, s := range t.Starts[start] {
		visitAll(int(s.State))
	}
	first = len(order)
	for _, starts := range t.Starts {
		for _, s := range starts {
			visitAll(int(s.State))
		}
	}
	copied := *t
	copied.Next, copied.Note, copied.Starts = nil, nil, nil
	for _, q := range order {
		copied.Note = append(copied.Note, t.Note[q])
		for _, to := range t.Next[q*t.Width : (q+1)*t.Width] {
			copied.Next = append(copied.Next, uint16(number[to]))
		}
	}
	for _, starts := range t.Starts {
		list := slices.Clone(starts)
		for i := range list {
			list[i].State = uint16(number[list[i].State])
		}
		copied.Starts = append(copied.Starts, list)
	}
	return &copied, first
}

// tableParts returns an automaton in two texts: its rows up to a state, with the states in which a production
// begins; and all other rows with the starts of all productions. shapes has, by state, what rowPacker.shapeOf has.
func tableParts(t *ast.Tables, start ast.Kind, first int) (begin, rest string, shapes []int) {
	statesOf := func(k int) (list []int) {
		for _, s := range t.Starts[k] {
			list = append(list, int(s.State))
		}
		return list
	}
	rows := &rowPacker{t: t, shapes: map[string]int{}}
	begin = pack(slices.Concat(
		[][]int{annotated.Numbers(t.Classes[:]), {t.Width}, {len(t.Note)}},
		rows.pack(0, first),
		[][]int{statesOf(int(start))},
	)...)
	counts, states := annotated.Counted(len(t.Starts), statesOf)
	rest = pack(append(rows.pack(first, len(t.Note)), counts, states)...)
	return begin, rest, rows.shapeOf
}

// mostRecent is how many of the successors that came last are known by how long ago that was. Fewer miss more, and
// more take more different digits: of 8, 16 and 32, this is the best for RFC 3986.
const mostRecent = 16

// A rowPacker packs the rows of an automaton. Most rows differ from others in their successors alone: what such rows
// share is their shape, which says of each class whether it leads nowhere, or to which of the successors.
type rowPacker struct {
	t       *ast.Tables
	shapes  map[string]int // numbers of shapes, by their cells as text
	shapeOf []int          // by state: twice its shape, and 1 more if it accepts
	recent  []int          // the successors that came last, the last one first
}

// pack returns the rows of the states from one up to another, which is left out, as three lists: the cells of the
// shapes that are new; by state, its shape and whether it accepts; and the successors. The rows must be packed in
// their order, each once: it writes shapes and successors by those before, which it adds to p.shapes, p.shapeOf and
// p.recent.
func (p *rowPacker) pack(from, to int) (lists [][]int) {
	var cells, shapes, successors []int
	for q := from; q < to; q++ {
		shape, distinct := shapeOf(p.t.Next[q*p.t.Width : (q+1)*p.t.Width])
		for _, successor := range distinct {
			successors = append(successors, p.codeOf(q, successor))
		}
		key := fmt.Sprint(shape)
		number, known := p.shapes[key]
		if !known { // its cells are written once, before the states that have it
			number = len(p.shapes)
			p.shapes[key] = number
			cells = append(cells, shape...)
		}
		number *= 2 // the lowest bit says whether the state accepts
		if p.t.Notes[p.t.Note[q]].Accept {
			number++
		}
		shapes = append(shapes, number)
	}
	p.shapeOf = append(p.shapeOf, shapes...)
	return [][]int{cells, shapes, successors}
}

// shapeOf returns the shape of a row, and its distinct successors in the order in which they come first. A cell of the
// shape is 0 where the class leads nowhere, and otherwise the place of its successor among these, from 1.
func shapeOf(row []uint16) (shape, successors []int) {
	shape = make([]int, len(row))
	for class, successor := range row {
		if successor == 0 {
			continue
		}
		at := slices.Index(successors, int(successor))
		if at < 0 {
			at = len(successors)
			successors = append(successors, int(successor))
		}
		shape[class] = at + 1
	}
	return shape, successors
}

// codeOf returns a successor as a number: 0 for the state that follows q, its place among the recent ones from 1, or
// its distance. Unless it is the state that follows q, it becomes the most recent one.
func (p *rowPacker) codeOf(q, successor int) int {
	if successor == q+1 {
		return 0
	}
	code := 1 + mostRecent + foldedDistance(successor-q)
	if at := slices.Index(p.recent, successor); at >= 0 {
		code = 1 + at
		p.recent = slices.Delete(p.recent, at, at+1)
	}
	p.recent = slices.Insert(p.recent, 0, successor)
	p.recent = p.recent[:min(len(p.recent), mostRecent)]
	return code
}

// A notePacker collects the different notes of an automaton. In a module a note is what messages say: notes that differ
// otherwise are one.
type notePacker struct {
	t          *ast.Tables
	codePoints bool
	notes      expr.Numbering[string] // by the text of what they say
	inside     []int                  // of each note in turn, the productions that are being matched, and 0
	expected   []int                  // of each note in turn, the codes of its terms, and 0
	terms      expr.Numbering[string]
}

// numberOf returns the number of a note, and whether it is new. A new one is appended to inside and expected, with its
// terms. Whether the state accepts is not part of a note here: its row has that.
func (p *notePacker) numberOf(n *ast.TableNote) (number int, isNew bool) {
	var list []ast.Expectation
	for _, x := range n.Expected {
		list = append(list, p.t.Expectations[x])
	}
	said := (&ast.SyntaxError{Grammar: &ast.Grammar{CodePoints: p.codePoints}, Expected: list}).Terms()
	number, isNew = p.notes.Of(fmt.Sprintf("%d %q", n.In, said))
	if !isNew {
		return number, false
	}
	p.inside = append(append(p.inside, annotated.Numbers(n.In)...), 0)
	// Terms that came up together have numbers in a row. So a term is written as its distance from the one that would
	// come next, plus 1, since 0 ends the list.
	next := 0
	for _, term := range said {
		i, _ := p.terms.Of(term)
		p.expected = append(p.expected, 1+foldedDistance(i-next))
		next = i + 1
	}
	p.expected = append(p.expected, 0)
	return number, true
}

// packNotes returns as text what messages say of the states, whose shapes are given, and for each start the production
// that it explains and its prefix. terms has the names of what could be read next.
//
// The code of a state says which note it has: 0 for that of the last state of its shape, since states of one shape
// mostly have one note; 1 for a new one; and 2+n for note n.
func packNotes(t *ast.Tables, shapes []int, codePoints bool) (packed string, terms []string) {
	p := &notePacker{t: t, codePoints: codePoints}
	last := map[int]int{} // the note of the last state of a shape
	var codes []int
	for q, note := range t.Note {
		number, isNew := p.numberOf(&t.Notes[note])
		before, known := last[shapes[q]]
		switch {
		case known && before == number:
			codes = append(codes, 0)
		case isNew:
			codes = append(codes, 1)
		default:
			codes = append(codes, 2+number)
		}
		last[shapes[q]] = number
	}
	var explained []int
	all := slices.Concat(t.Starts...)
	for _, s := range all {
		explained = append(explained, int(s.Explained))
	}
	counts, prefixes := annotated.Counted(len(all),
		func(i int) []int { return annotated.Numbers([]byte(all[i].Prefix)) })
	return pack(codes, p.inside, p.expected, explained, counts, prefixes), p.terms.List
}
