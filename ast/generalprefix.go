package ast

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file finds the longest prefix of an input that the start derives, while the general parser
// reads the input once.
//
// The parser leaves out ends of productions that the next byte rules out, but after a prefix any
// byte may follow. So it does not know all places where the start could end. What it has, at each
// place, are items: sets of states of the productions that began at one origin and have read the
// byte before. A production that ends there ends the start too if one that called it at its origin
// can end right after it, without reading, and one that called that, and so on up to the start. This
// depends only on the production and its origin, not on the place. So for each origin, the
// productions for which it holds are found once. They depend on those of earlier origins, and of the
// same one, where productions that begin there call each other. All of it together takes time in the
// number of items, and of the productions that each calls.

// prefixEnds finds the longest prefix.
type prefixEnds struct {
	longest int // -1: none

	// By origin: the productions that, if they began there and end, end the start as well, sorted; nil
	// where they are not known yet. The start that began at origin 0 need not be among them: endsStart
	// knows that one.
	ending [][]Kind

	calls map[uint32][]prefixCall // by set: what callsOf returned
}

// A prefixCall is a production that a set calls, and the productions that call it there and can end
// right after it. It can be one of these itself.
type prefixCall struct {
	kind Kind
	ends []Kind
}

// longestPrefix returns the length of the longest prefix of src that start derives, or -1. If a
// limit is passed, it sets run.Stopped, and returns what was found until then.
func (g *General) longestPrefix(run *Run, start Kind, src string) (longest int) {
	longest = -1
	g.with(run, start, src, func(r *generalRun) {
		p := &prefixEnds{longest: -1, calls: map[uint32][]prefixCall{}}
		// The parser notes ends after a byte. Whether the empty prefix is derived is asked first.
		if r.derivesEmpty(start) {
			p.longest = 0
		}
		r.prefix = p
		r.read(false)
		r.prefix = nil
		longest = p.longest
		r.finish(run)
	})
	return longest
}

// note sets p.longest to the place that r has read to, if the start can end there.
func (p *prefixEnds) note(r *generalRun) {
	for i := r.cur; int(i) < len(r.items); i++ {
		x := r.items[i]
		for _, k := range r.endsOf(x.set) {
			if p.endsStart(r, k, x.origin) {
				p.longest = r.at
				return
			}
		}
		r.steps++
	}
}

// forget drops what is known of origins, because they get new numbers.
func (p *prefixEnds) forget() { p.ending = p.ending[:0] }

// endsOf returns the productions that a state of a set ends.
func (r *generalRun) endsOf(set uint32) (list []Kind) {
	for _, q := range r.sets[set].states {
		if r.states[q].op == opcode.End {
			list = append(list, r.of[q])
		}
	}
	return list
}

// endsStart reports whether the start ends where production k ends, which began at an origin.
func (p *prefixEnds) endsStart(r *generalRun, k Kind, origin int32) bool {
	if origin == 0 && k == r.start {
		return true
	}
	_, found := slices.BinarySearch(p.endingOf(r, origin), k)
	return found
}

// endingOf returns the element of p.ending for an origin, which is found if it is not known, as are those
// that it depends on. It may add sets to r, and so set r.over.
func (p *prefixEnds) endingOf(r *generalRun, origin int32) []Kind {
	for int(origin) >= len(p.ending) {
		p.ending = append(p.ending, nil)
	}
	// It depends on those of the items that wait at the origin for productions that began there. The
	// productions of such an item began at an earlier origin, or at the same one, which findEnding
	// takes care of. The earlier ones can be many, one after the other, so that a list takes the place
	// of recursion.
	for todo := []int32{origin}; len(todo) > 0; {
		o := todo[len(todo)-1]
		if p.ending[o] != nil {
			todo = todo[:len(todo)-1]
			continue
		}
		known := true
		for _, x := range r.waiting(o) {
			if x.origin != o && p.ending[x.origin] == nil {
				todo = append(todo, x.origin)
				known = false
			}
		}
		if known {
			p.findEnding(r, o)
		}
	}
	return p.ending[origin]
}

// waiting returns the items that wait for productions that began at an origin.
func (r *generalRun) waiting(origin int32) []generalItem {
	o := &r.origins[origin]
	return r.items[o.lo:o.hi]
}

// findEnding sets the element of p.ending for an origin. Those of the earlier origins at which
// productions of the items that wait there began are set. Productions that begin at one origin can call
// each other in any order, so findEnding first notes which of them end the start if another one does,
// and then goes from those that do to the others.
func (p *prefixEnds) findEnding(r *generalRun, origin int32) {
	list := []Kind{} // not nil: known, though none may be found
	// By production that begins here: those that it calls here, and that end the start if it does.
	var then map[Kind][]Kind
	for _, x := range r.waiting(origin) {
		calls := p.callsOf(r, x.set)
		r.steps += 1 + len(calls)
		for _, c := range calls {
			for _, k := range c.ends {
				switch {
				case x.origin != origin || origin == 0 && k == r.start:
					if p.endsStart(r, k, x.origin) {
						list = append(list, c.kind)
					}
				case then == nil:
					then = map[Kind][]Kind{k: {c.kind}}
				default:
					then[k] = append(then[k], c.kind)
				}
			}
		}
	}
	if then != nil {
		for i := 0; i < len(list); i++ {
			k := list[i]
			list = append(list, then[k]...)
			delete(then, k)
		}
	}
	slices.Sort(list)
	p.ending[origin] = slices.Compact(list)
}

// callsOf returns the productions that a set calls and right after which a production that calls them
// there can end, each with those that can. It keeps them in p.calls, and may add sets.
func (p *prefixEnds) callsOf(r *generalRun, set uint32) []prefixCall {
	list, known := p.calls[set]
	if !known {
		// A clone, because r.after may add sets, which moves those that there are.
		for _, c := range slices.Clone(r.sets[set].calls) {
			if ends := r.endsOf(r.after(set, c.kind)); len(ends) > 0 {
				list = append(list, prefixCall{c.kind, ends})
			}
		}
		p.calls[set] = list
	}
	return list
}
