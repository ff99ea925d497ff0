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

// maxPlaceCalls caps the calls that the graph of one rejection may have, so that a message costs some
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
	number    map[invocation]int
	callers   [][]int // by number
	dominator []int   // by number: the nearest call, outward, that is on all ways to it; 0 for the start
}

// newCallGraph returns the graph, or nil if it has more than maxPlaceCalls calls.
func newCallGraph(start invocation, readers []invocation, callers func(invocation) []invocation) *callGraph {
	// First the calls, from the readers outward. Ways beyond the start do not count: those are its
	// own recursion.
	called := map[invocation][]invocation{start: nil} // by caller
	var todo []invocation
	found := map[invocation]bool{start: true}
	visit := func(c invocation) {
		if !found[c] {
			found[c] = true
			todo = append(todo, c)
		}
	}
	for _, r := range readers {
		visit(r)
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range callers(c) {
			called[from] = append(called[from], c)
			visit(from)
		}
		if len(found) > maxPlaceCalls {
			return nil
		}
	}
	g := &callGraph{number: map[invocation]int{}}
	g.sort(start, called)
	g.callers = make([][]int, len(g.order))
	for i, c := range g.order {
		for _, to := range called[c] {
			g.callers[g.number[to]] = append(g.callers[g.number[to]], i)
		}
	}
	g.dominate()
	return g
}

// sort numbers the calls in reverse postorder from the start. It keeps its own stack, since calls
// nest as deep as the input.
func (g *callGraph) sort(start invocation, called map[invocation][]invocation) {
	type visit struct {
		c    invocation
		next int // the index of the next call in it to visit
	}
	seen := map[invocation]bool{start: true}
	for stack := []visit{{c: start}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		if v.next == len(called[v.c]) {
			g.order = append(g.order, v.c)
			stack = stack[:len(stack)-1]
			continue
		}
		to := called[v.c][v.next]
		v.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{c: to})
		}
	}
	slices.Reverse(g.order)
	for i, c := range g.order {
		g.number[c] = i
	}
}

// dominate sets the dominator of each call. One pass is enough unless there is left recursion.
func (g *callGraph) dominate() {
	const unknown = -1
	g.dominator = slices.Repeat([]int{unknown}, len(g.order))
	g.dominator[0] = 0
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(g.order); i++ {
			shared := unknown
			for _, from := range g.callers[i] {
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

// common returns the innermost call that dominates both, by their numbers.
func (g *callGraph) common(a, b int) int {
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
func (g *callGraph) sharedBy(readers []invocation) int {
	inside := make([]int, len(g.order))
	for _, r := range readers {
		inside[g.number[r]]++
	}
	call := len(g.order) - 1
	for ; inside[call] < len(readers); call-- {
		inside[g.dominator[call]] += inside[call]
	}
	return call
}
