package ast

import (
	"iter"
	"math"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// The text of one production can be all of the text of another, and the other way round. A
// derivation has no such production inside itself with the same text.

// circles finds the productions that can be inside themselves with the same text, and sets
// t.cyclic. Kinds that are one production (t.same) count as one. t.of and t.finals must be set.
func (t *generalTables) circles() {
	r := newGeneralRun(t)
	alone := make([][]Kind, len(t.starts)) // by kind: those that can be all of it
	for k, q := range t.starts {
		// What k calls before it reads anything can be all of k, if the rest of k after the call can be empty.
		r.list = r.list[:0]
		r.next()
		r.reach(q)
		for _, q := range slices.Clone(r.list) {
			if s := &t.states[q]; s.op == opcode.Call {
				r.list = r.list[:0]
				r.next()
				if r.reach(s.next[0]); slices.Contains(r.list, t.finals[k]) {
					alone[t.same[k]] = append(alone[t.same[k]], t.same[s.arg])
				}
			}
		}
	}
	cyclic := onCycles(alone)
	t.cyclic = make([]bool, len(t.starts))
	for i, k := range t.same {
		t.cyclic[i] = cyclic[k] > 0
	}
}

// onCycles returns, for each node of a graph that is given by the successors of each, a number that stands for its
// strongly connected component, or 0 if no path leads from the node back to itself. Nodes that lead to each other
// have the same number; the numbers are from 1, with gaps. It finds the components in linear time, as R. Tarjan
// does in "Depth-First Search and Linear Graph Algorithms", 1972, but without recursion.
func onCycles[Vertex Kind | uint32](next [][]Vertex) []int {
	cycles := make([]int, len(next))
	itself := make([]bool, len(next)) // it is a successor of itself
	number := make([]int, len(next))  // in the order of the search, from 1; 0 if it was not met
	lowest := make([]int, len(next))  // the lowest number that is known to be in the same component
	left := make([]int, len(next))    // how many of the successors are left to look at
	var path, open []Vertex           // open are those whose component is not complete
	met := 0
	enter := func(k Vertex) {
		met++
		number[k], lowest[k], left[k] = met, met, len(next[k])
		path, open = append(path, k), append(open, k)
	}
	const complete = math.MaxInt // in place of the number of a node whose component is complete
	for root := range next {
		if number[root] == 0 {
			enter(Vertex(root))
		}
		for len(path) > 0 {
			k := path[len(path)-1]
			if left[k] > 0 { // look at one more successor, inside it first if it is new
				left[k]--
				to := next[k][left[k]]
				itself[k] = itself[k] || to == k
				if number[to] == 0 {
					enter(to)
				} else {
					lowest[k] = min(lowest[k], number[to])
				}
				continue
			}
			// All that k leads to was looked at. What it leads back to, the node before it does too.
			path = path[:len(path)-1]
			if len(path) > 0 {
				around := path[len(path)-1]
				lowest[around] = min(lowest[around], lowest[k])
			}
			if lowest[k] < number[k] {
				continue // its component goes on with nodes that were met before it
			}
			// k is the first of its component, and those that were opened after it are the others.
			first := len(open) - 1
			for open[first] != k {
				first--
			}
			component := open[first:]
			for _, member := range component {
				if itself[member] || len(component) > 1 {
					cycles[member] = lowest[k]
				}
				number[member] = complete
			}
			open = open[:first]
		}
	}
	return cycles
}

// reachable returns, by kind, whether from leads to the production in one step or more. next
// returns the steps.
func (t *generalTables) reachable(from Kind, next func(k Kind) iter.Seq[Kind]) []bool {
	seen := make([]bool, len(t.starts))
	for todo := []Kind{from}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for to := range next(k) {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	return seen
}

// around returns the productions of the innermost frame and of those around it that have the same
// text if it ends at a place, as r.same has them, the innermost first.
func (r *generalRun) around(end int32) (list []Kind) {
	for i := len(r.frames) - 1; i >= 0; i-- {
		list = append(list, r.same[r.frames[i].kind])
		if !slices.Contains(r.frames[i].alone, end) {
			break
		}
	}
	return list
}

// grounded reports whether production k, ending as the item does, has a derivation in which no
// production of without is inside it with the same text. It is false if k itself is in without. It adds to without
// those that it asks about, so that each is asked about once. Following links takes steps, and may set r.over.
func (r *generalRun) grounded(k Kind, item int32, without *[]Kind) bool {
	if slices.Contains(*without, r.same[k]) {
		return false
	}
	*without = append(*without, r.same[k])
	x := r.items[item]
	found := false
	for i, end := r.span(item); i < end && !found; i++ {
		if r.items[i].origin != x.origin || !slices.Contains(r.done(i), k) {
			continue
		}
		r.eachLink(i, func(q, child int32) {
			if found || child == generalNone || r.items[q].pred >= 0 { // what ended is not all of the text
				found = true
				return
			}
			for _, inner := range r.done(child) {
				if r.after(r.items[q].set, inner) == r.items[i].set {
					found = found || !r.cyclic[inner] || r.grounded(inner, child, without)
				}
			}
		})
	}
	return found
}

// goesOn reports whether the innermost frame can read or call something more from state q at the offset
// at, without passing the states in without. It leaves the run as it was, except that the marks and
// r.trail change, r.empties is empty and r.noEnd is false.
func (r *generalRun) goesOn(q uint32, at int32, without []uint32) bool {
	exit, both, begins, path := r.exit, r.both, r.begins, r.path
	f := r.frames[len(r.frames)-1]
	if at > f.from {
		r.begins = false
		f.place = r.placeOf(&f, at)
	}
	r.next()
	for _, q := range without {
		r.mark[q] = r.now
	}
	p := r.places[f.place]
	r.path, r.noEnd = nil, true
	ok := r.choose(q, r.sets[p.live].states)
	r.exit, r.both, r.begins, r.path, r.noEnd, r.empties = exit, both, begins, path, false, r.empties[:0]
	return ok
}

// void reports whether a production derives the empty string without any of the productions around
// it that would have the same, empty text. There must be a frame. It sets r.active, and leaves
// r.nodes as they were.
func (r *generalRun) void(k Kind) bool {
	nodes := len(r.nodes)
	r.active = r.around(r.frames[len(r.frames)-1].from)
	ok := r.empty(k, 0, false)
	r.nodes = r.nodes[:nodes]
	return ok
}

// allowed reports whether the state call, at the beginning of the innermost frame, may call the
// production that item ends. It may not if that production would be all of the frame's text and
// has no derivation of this text without one of the productions around it (grounded). rest has the
// states after whose call more of the frame follows: from these every call is allowed.
func (r *generalRun) allowed(call uint32, item int32, rest []uint32) bool {
	k := Kind(r.states[call].arg)
	if !r.cyclic[k] || slices.Contains(rest, call) {
		return true
	}
	without := r.around(r.items[item].at)
	return r.grounded(k, item, &without)
}

// alone returns those ends of a call at the beginning of the innermost frame after which nothing more
// of the frame can follow, as offsets and each once. ends are the items that end the called production.
// r.both says that the call can derive the empty string as well: the beginning of the frame is then one
// of the ends. It changes the run as goesOn does.
func (r *generalRun) alone(call uint32, ends []int32) (list []int32) {
	for _, i := range ends {
		if at := r.items[i].at; !slices.Contains(list, at) && !r.goesOn(r.states[call].next[0], at, nil) {
			list = append(list, at)
		}
	}
	f := &r.frames[len(r.frames)-1]
	// After an empty call the frame is still at its beginning, and must not pass the same states again.
	if r.both && !r.goesOn(r.states[call].next[1], f.from, f.passed) {
		list = append(list, f.from)
	}
	return list
}
