package ast

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file finds where prefixes of an input end that the start derives, while the general parser reads the input once.
//
// The parser leaves out ends of productions that the next byte rules out, and at the end of a prefix any byte may be next. So it
// does not know all places where the start could end; but it has, at each place, an item for each production that has read the
// byte before. Whether the start ends there with one of them does not depend on the place, but only on the production and its
// origin: what called it there has to end after it without reading, and what called that, up to the start. For each origin those
// productions are found once, from the ones of earlier origins. All of it together takes time in the number of items.

// prefixEnds finds the longest prefix.
type prefixEnds struct {
	longest int // -1: none

	ending [][]Kind                // by origin: the productions with which the start ends, if they end; nil if they are not known
	behind map[uint32][]prefixCall // by set
}

// A prefixCall is a production that a set calls, and those that can end right behind it.
type prefixCall struct {
	kind Kind
	ends []Kind
}

// longestPrefix returns the length of the longest prefix of src that start derives, or -1. If a limit is passed, run says so.
func (g *General) longestPrefix(run *Run, start Kind, src string) (longest int) {
	longest = -1
	g.with(run, start, src, func(r *generalRun) {
		p := &prefixEnds{longest: -1, behind: map[uint32][]prefixCall{}}
		r.next()
		r.list = r.list[:0]
		r.reach(r.starts[start])
		if slices.ContainsFunc(r.list, func(q uint32) bool { return r.states[q].op == opcode.End }) {
			p.longest = 0
		}
		r.prefix = p
		r.read(false)
		r.prefix = nil
		longest, run.Taken = p.longest, r.steps
		if r.over {
			run.Stopped, run.At = r.stopped(), r.at
		}
	})
	return longest
}

// note sets p.longest if the start can end at the place that r has read to.
func (p *prefixEnds) note(r *generalRun) {
	for i := r.cur; int(i) < len(r.items); i++ {
		x := r.items[i]
		for _, k := range r.endsOf(x.set) {
			if x.origin == 0 && k == r.start || slices.Contains(p.endingOf(r, x.origin), k) {
				p.longest = r.at
				return
			}
		}
		r.steps++
	}
}

// forget drops what is known of origins, which are then numbered otherwise.
func (p *prefixEnds) forget() { p.ending = p.ending[:0] }

// endsOf returns the productions that end in a set.
func (r *generalRun) endsOf(set uint32) (list []Kind) {
	for _, q := range r.sets[set].states {
		if r.states[q].op == opcode.End {
			list = append(list, r.of[q])
		}
	}
	return list
}

// endingOf returns the productions that began at an origin and with which the start ends, if they end.
func (p *prefixEnds) endingOf(r *generalRun, origin int32) []Kind {
	for int(origin) >= len(p.ending) {
		p.ending = append(p.ending, nil)
	}
	// Those of an origin need those of the origins of the items that wait there, which are earlier ones.
	for todo := []int32{origin}; len(todo) > 0; {
		o := todo[len(todo)-1]
		before := len(todo)
		for i := r.origins[o].lo; i < r.origins[o].hi && p.ending[o] == nil; i++ {
			if from := r.items[i].origin; from != o && p.ending[from] == nil {
				todo = append(todo, from)
			}
		}
		if len(todo) == before {
			if p.ending[o] == nil {
				p.ending[o] = p.findEnding(r, o)
			}
			todo = todo[:len(todo)-1]
		}
	}
	return p.ending[origin]
}

// findEnding returns the productions of endingOf, which is known for all earlier origins. It is not nil.
func (p *prefixEnds) findEnding(r *generalRun, origin int32) []Kind {
	list := []Kind{}
	for grows := true; grows; {
		grows = false
		for _, x := range r.items[r.origins[origin].lo:r.origins[origin].hi] {
			r.steps++
			for _, c := range p.callsOf(r, x.set) {
				if slices.Contains(list, c.kind) {
					continue
				}
				ends := func(k Kind) bool {
					return x.origin == 0 && k == r.start || x.origin != origin && slices.Contains(p.ending[x.origin], k) ||
						x.origin == origin && slices.Contains(list, k)
				}
				if slices.ContainsFunc(c.ends, ends) {
					list = append(list, c.kind)
					grows = true
				}
			}
		}
	}
	return list
}

// callsOf returns the productions that a set calls and behind which another can end.
func (p *prefixEnds) callsOf(r *generalRun, set uint32) []prefixCall {
	list, known := p.behind[set]
	if !known {
		for _, c := range slices.Clone(r.sets[set].calls) {
			if ends := r.endsOf(r.behind(set, c.kind)); len(ends) > 0 {
				list = append(list, prefixCall{c.kind, ends})
			}
		}
		p.behind[set] = list
	}
	return list
}
