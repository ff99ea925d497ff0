package jspackage

import (
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
	leastRun    = 3 // equal numbers beyond the first that are written as a repetition
)

// pack returns lists as text.
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
			if run > leastRun {
				b.WriteByte(digits[repeats])
				packNumber(&b, run-2)
				i += run - 1
			}
		}
	}
	return b.String()
}

// packNumber appends a number.
func packNumber(b *strings.Builder, n int) {
	more := 0
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

// The places of lists in tables of package annotated that have states.
const (
	opList     = 3 // by state
	argList    = 4 // by state
	countList  = 5 // by state, how many successors it has
	nearList   = 6 // one number: what is added to the successors
	targetList = 7 // the successors, relative to the states that they follow
	startList  = 8 // by kind
)

// repackStates returns tables of package annotated that have states as text. What is added to the
// successors there makes them large numbers: here a successor is twice its distance, less 1 where that
// is backwards, and that list of one number is left out.
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

// foldedDistance returns a distance as a number that is not negative.
func foldedDistance(distance int) int {
	if distance >= 0 {
		return 2 * distance
	}
	return -2*distance - 1
}

// splitAutomaton is [repackStates] for an automaton, as two texts, since most programs parse by one
// production: the states that can be reached from the start of that one, and all others. They are numbered
// anew, the former before the latter, and otherwise in their order.
func splitAutomaton(packed string, start ast.Kind) (first, rest string, err error) {
	lists, err := annotated.Lists(packed)
	if err != nil {
		return "", "", err
	}
	states := len(lists[opList])
	next := make([][]int, states)
	read := 0
	for q, count := range lists[countList] {
		for _, to := range lists[targetList][read : read+count] {
			next[q] = append(next[q], q+to-lists[nearList][0])
		}
		read += count
	}
	order, reached := orderFrom(next, lists[startList][start])
	number := make([]int, states)
	for i, q := range order {
		number[q] = i
	}
	startsBelow := func(end int) []int {
		starts := make([]int, len(lists[startList]))
		for kind, q := range lists[startList] {
			if number[q] < end {
				starts[kind] = number[q]
			}
		}
		return starts
	}
	listsOf := func(from, to int) (part [][]int) {
		var ops, args, counts, targets []int
		for i, q := range order[from:to] {
			ops = append(ops, lists[opList][q])
			args = append(args, lists[argList][q])
			counts = append(counts, len(next[q]))
			for _, to := range next[q] {
				targets = append(targets, foldedDistance(number[to]-from-i))
			}
		}
		return [][]int{ops, args, counts, targets, startsBelow(to)}
	}
	return pack(append(lists[:opList:opList], listsOf(0, reached)...)...), pack(listsOf(reached, states)...), nil
}

// orderFrom returns all states, those first that can be reached from a start, and how many these are. The dead
// state, 0, is one of them.
func orderFrom(next [][]int, start int) (order []int, reached int) {
	isReached := make([]bool, len(next))
	isReached[0] = true
	for stack := []int{start}; len(stack) > 0; {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !isReached[q] {
			isReached[q] = true
			stack = append(stack, next[q]...)
		}
	}
	for _, wanted := range []bool{true, false} {
		for q := range next {
			if isReached[q] == wanted {
				order = append(order, q)
			}
		}
		if wanted {
			reached = len(order)
		}
	}
	return order, reached
}

// renumbered returns the automaton that explains rejections with its states numbered anew: depth-first
// from the starts of one production, and then from those of all others. So the rows that this
// production needs come first, and most rows lead to the next ones, so that distances are small
// numbers and come again. first is the number of the former, that of the dead state included.
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

// tableParts returns an automaton in three texts: its rows up to a state, with the states in which a
// production begins; all other rows with the starts of all productions; and the notes.
func tableParts(t *ast.Tables, start ast.Kind, first int) (begin, rest, notes string) {
	statesOf := func(k int) (list []int) {
		for _, s := range t.Starts[k] {
			list = append(list, int(s.State))
		}
		return list
	}
	begin = pack(slices.Concat(
		[][]int{annotated.Numbers(t.Classes[:]), {t.Width}, {len(t.Note)}},
		rowLists(t, 0, first),
		[][]int{statesOf(int(start))},
	)...)
	counts, states := annotated.Counted(len(t.Starts), statesOf)
	rest = pack(append(rowLists(t, first, len(t.Note)), counts, states)...)
	return begin, rest, packNotes(t)
}

// rowLists returns the rows of the states from one up to another as two lists: which accept, and
// where they lead.
func rowLists(t *ast.Tables, from, to int) [][]int {
	var accepts, leads []int
	for q := from; q < to; q++ {
		accept := 0
		if t.Notes[t.Note[q]].Accept {
			accept = 1
		}
		accepts = append(accepts, accept)
		for _, to := range t.Next[q*t.Width : (q+1)*t.Width] {
			lead := 0
			switch distance := int(to) - q; {
			case to == 0:
			case distance >= 0:
				lead = 2*distance + 1
			default:
				lead = -2 * distance
			}
			leads = append(leads, lead)
		}
	}
	return [][]int{accepts, leads}
}

// packNotes returns what is noted of the states.
func packNotes(t *ast.Tables) string {
	var lists [][]int
	counted := func(n int, at func(i int) []int) {
		counts, all := annotated.Counted(n, at)
		lists = append(lists, counts, all)
	}
	lists = append(lists, annotated.Numbers(t.Note))
	counted(len(t.Notes), func(i int) []int { return annotated.Numbers(t.Notes[i].In) })
	counted(len(t.Notes), func(i int) []int { return annotated.Numbers(t.Notes[i].Expected) })
	counted(len(t.Expectations), func(i int) []int { return annotated.Numbers([]byte(t.Expectations[i].Term)) })
	counted(len(t.Expectations), func(i int) []int { return annotated.Numbers(expr.Set(t.Expectations[i].First).Members()) })
	counted(len(t.Expectations), func(i int) []int { return annotated.Numbers(t.Expectations[i].In) })
	all := slices.Concat(t.Starts...)
	var explained []int
	for _, s := range all {
		explained = append(explained, int(s.Explained))
	}
	lists = append(lists, explained)
	counted(len(all), func(i int) []int { return annotated.Numbers([]byte(all[i].Prefix)) })
	return pack(lists...)
}
