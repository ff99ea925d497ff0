package ast

import (
	"cmp"
	"slices"
)

// This file finds the production that a rejection names, where productions nest and no table knows it.
//
// At the place where an input goes wrong, several productions could read the next byte. Each was
// called by others, which were called by others, up to the start: a graph of calls, whose nodes are
// productions that began at some offset. The rejection names the innermost production that is on
// every way from the start to every reader: the nearest common dominator. Dominators are computed
// as K. Cooper, T. Harvey and K. Kennedy describe ("A Simple, Fast Dominance Algorithm", 2001). On
// calls without left recursion that is one pass over the graph.
//
// In this package's tables a production that only goes on after an inner one has ended does not
// count (SyntaxError.In). Here all readers count: what nests is mostly separated by productions for
// white space, which could always go on, and which nobody wants to be told of.

// An invocation is a use of a production that began at an offset.
type invocation struct {
	kind Kind
	from int32
}

// maxPlaceCalls caps the invocations in the graph of one rejection, so that a message costs some
// megabytes at most. Beyond it the rejection names the start, which every reader shares.
const maxPlaceCalls = 1 << 18

// sharedProductions returns the production that a rejection names, then those of the readers, inner
// before outer and each once. Without readers it returns that of start alone. It sorts readers.
// start is the invocation of the start production, and callers returns the invocations that call a
// given one.
func sharedProductions(start invocation, readers []invocation, callers func(invocation) []invocation) []Kind {
	if len(readers) == 0 {
		return []Kind{start.kind}
	}
	g := newCallGraph(start, readers, callers)
	in := []Kind{start.kind}
	if g != nil {
		in[0] = g.order[g.sharedBy(readers)].kind
	}
	slices.SortStableFunc(readers, func(a, b invocation) int {
		return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(a.kind, b.kind))
	})
	known := map[Kind]bool{in[0]: true}
	for _, r := range readers {
		if !known[r.kind] {
			known[r.kind] = true
			in = append(in, r.kind)
		}
	}
	return in
}

// A callGraph is the calls on the ways from the start to the readers, numbered so that the start is
// 0 and, without left recursion, each call comes after its callers.
type callGraph struct {
	order     []invocation // by number
	number    map[invocation]int32
	callers   callLists // by number
	dominator []int32   // by number: the nearest call, outward, that is on all ways to it; 0 for the start
}

// An invocationCall is the call of one invocation by another, by their numbers.
type invocationCall struct{ from, to int32 }

// callLists is a list of numbers for each number. All are in one slice, since calls nest as deep as the
// input, and there is a graph for each place where one of thousands of inputs goes wrong.
type callLists struct {
	ends []int32 // by number: where its list ends in all; it begins where the one before ends
	all  []int32
}

// newCallLists returns a list for each of n numbers: what it calls, in the order of calls.
func newCallLists(n int, calls []invocationCall) callLists {
	l := callLists{ends: make([]int32, n+1), all: make([]int32, len(calls))}
	for _, c := range calls {
		l.ends[c.from+1]++
	}
	for i := range n {
		l.ends[i+1] += l.ends[i]
	}
	for _, c := range calls { // the beginning of each list moves to its end
		l.all[l.ends[c.from]] = c.to
		l.ends[c.from]++
	}
	return l
}

// of returns the list of a number.
func (l callLists) of(i int32) []int32 {
	if i == 0 {
		return l.all[:l.ends[0]]
	}
	return l.all[l.ends[i-1]:l.ends[i]]
}

// newCallGraph returns the graph of the ways from the start to the readers, with its dominators, or nil if it has
// more than maxPlaceCalls invocations. callers is asked once about each but the start. The slice that it returns may
// change with the next call of it.
func newCallGraph(start invocation, readers []invocation, callers func(invocation) []invocation) *callGraph {
	// First the calls, from the readers outward, numbered as they are found. Ways beyond the start do not
	// count: those are its own recursion.
	g := &callGraph{number: map[invocation]int32{start: 0}}
	found, todo := []invocation{start}, []int32(nil)
	visit := func(c invocation) int32 {
		n, ok := g.number[c]
		if !ok {
			n = int32(len(found))
			g.number[c] = n
			found, todo = append(found, c), append(todo, n)
		}
		return n
	}
	for _, r := range readers {
		visit(r)
	}
	var calls []invocationCall
	for len(todo) > 0 {
		to := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range callers(found[to]) {
			calls = append(calls, invocationCall{visit(from), to})
		}
		if len(found) > maxPlaceCalls {
			return nil
		}
	}
	order := postorder(newCallLists(len(found), calls), len(found))
	slices.Reverse(order)
	renumbered := make([]int32, len(found)) // by the number so far: the number in this order
	for i, n := range order {
		renumbered[n] = int32(i)
		g.order = append(g.order, found[n])
	}
	for c, n := range g.number {
		g.number[c] = renumbered[n]
	}
	for i, c := range calls { // turned around, so that the lists are those of the callers
		calls[i] = invocationCall{from: renumbered[c.to], to: renumbered[c.from]}
	}
	g.callers = newCallLists(len(found), calls)
	g.dominate()
	return g
}

// postorder returns the numbers below n that are reached from 0, in the order in which a depth-first search leaves
// them: without cycles, each after all that it leads to. It keeps its own stack, since calls nest as deep as the
// input.
func postorder(called callLists, n int) (order []int32) {
	type visit struct {
		c    int32
		next int // the index of the next call in it to visit
	}
	seen := make([]bool, n)
	seen[0] = true
	for stack := []visit{{}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		list := called.of(v.c)
		if v.next == len(list) {
			order = append(order, v.c)
			stack = stack[:len(stack)-1]
			continue
		}
		to := list[v.next]
		v.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{c: to})
		}
	}
	return order
}

// dominate sets the dominator of each call. One pass is enough unless there is left recursion, by which a call may
// have a caller with a larger number.
func (g *callGraph) dominate() {
	const unknown = -1
	g.dominator = slices.Repeat([]int32{unknown}, len(g.order))
	g.dominator[0] = 0
	for changed := true; changed; {
		changed = false
		for i := int32(1); int(i) < len(g.order); i++ {
			shared := int32(unknown)
			for _, from := range g.callers.of(i) {
				switch {
				case g.dominator[from] == unknown: // not reached yet: a caller by left recursion
				case shared == unknown:
					shared = from
				default:
					shared = g.common(shared, from)
				}
			}
			if g.dominator[i] != shared {
				g.dominator[i] = shared
				changed = true
			}
		}
	}
}

// common returns the innermost call that dominates both, by their numbers. Their dominators must be known.
func (g *callGraph) common(a, b int32) int32 {
	for a != b {
		if a > b {
			a = g.dominator[a]
		} else {
			b = g.dominator[b]
		}
	}
	return a
}

// sharedBy returns the number of the innermost call that dominates all readers, which are different
// calls. There must be a reader. Each call is dominated by one with a smaller number. So, counted from the
// last one on, the first call that has all readers inside is the innermost.
func (g *callGraph) sharedBy(readers []invocation) int32 {
	inside := make([]int, len(g.order))
	for _, r := range readers {
		inside[g.number[r]]++
	}
	call := int32(len(g.order) - 1)
	for ; inside[call] < len(readers); call-- {
		inside[g.dominator[call]] += inside[call]
	}
	return call
}
