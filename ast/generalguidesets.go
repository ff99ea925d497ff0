package ast

import (
	"encoding/binary"
	"math"
)

// This file reads a guide backwards from the end of the input, as a DFA that is built lazily. Its
// states are sets of states of the guide: the set at a place has those from which the guide accepts
// the rest of the input. The sets at the places of an input are remembered, so that it is read
// backwards once.

// guidedSets caps the bytes of the sets that are kept.
const guidedSets = 4 << 20

// guideSets is the DFA, and the sets at the places of an input. Set 0 is empty.
type guideSets struct {
	sets  [][]uint64 // bit q%64 of word q/64 is set if state q is in it
	index map[string]uint16
	last  []uint16   // by set and class: the set before it plus 1, or 0 if that is unknown
	until [][]uint64 // by class and at the end of the input: see possible; nil if that is unknown
	todo  []uint32

	at    []uint16 // by place of the input: the set there
	known int      // the sets from this place on are known
}

// empty returns a set without states.
func (p *guided) empty() []uint64 {
	return make([]uint64, (len(p.states)+63)/64)
}

// hasState reports whether a state is in a set.
func hasState(set []uint64, q uint32) bool { return set[q/64]>>(q%64)&1 != 0 }

// set returns the number of a set. It keeps a new set, and the slice with it. If too much would be
// kept, p is spent, and the number is 0.
func (p *guided) set(set []uint64) uint16 {
	p.key = p.key[:0]
	for _, word := range set {
		p.key = binary.LittleEndian.AppendUint64(p.key, word)
	}
	n, ok := p.index[string(p.key)]
	if ok {
		return n
	}
	if len(p.sets) == math.MaxUint16-1 || len(p.sets)*len(p.key) > guidedSets {
		p.spent = true
		return 0
	}
	n = uint16(len(p.sets))
	p.index[string(p.key)] = n
	p.sets = append(p.sets, set)
	p.last = append(p.last, make([]uint16, p.t.width)...)
	return n
}

// leading returns the set of the states in p.todo and of those that lead to them without reading.
// It empties p.todo.
func (p *guided) leading() []uint64 {
	set := p.empty()
	for _, q := range p.todo {
		set[q/64] |= 1 << (q % 64)
	}
	for len(p.todo) > 0 {
		q := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		for _, from := range p.back[q] {
			if !hasState(set, from) {
				set[from/64] |= 1 << (from % 64)
				p.todo = append(p.todo, from)
			}
		}
	}
	return set
}

// before computes the set before a byte of a class that leads to a set, and keeps it in p.last. The
// result counts only if p is not spent.
func (p *guided) before(set uint16, class int) uint16 {
	after := p.sets[set]
	p.todo = p.todo[:0]
	for _, q := range p.reads[class] {
		if hasState(after, p.states[q].next[0]) {
			p.todo = append(p.todo, q)
		}
	}
	n := p.set(p.leading())
	if !p.spent {
		p.last[int(set)*p.t.width+class] = n + 1
	}
	return n
}

// possible returns the states from which a byte of a class can be read next, whatever follows it.
// For the class of the end of the input it returns those from which the input can end. What it
// returns is kept, and must not be changed.
func (p *guided) possible(class int) []uint64 {
	if p.until[class] != nil {
		return p.until[class]
	}
	p.todo = p.todo[:0]
	if class < p.t.width {
		p.todo = append(p.todo, p.reads[class]...)
	} else {
		for _, q := range p.parts[0].ends {
			if q != 0 {
				p.todo = append(p.todo, q)
			}
		}
	}
	p.until[class] = p.leading()
	return p.until[class]
}

// setAt returns the set at a place. It reads the input backwards as far as that was not done before, and keeps the
// sets in p.at. src is the input that begin was called for. The result counts only if p is not spent.
func (p *guided) setAt(src string, at int) uint16 {
	if p.known <= at {
		return p.at[at]
	}
	if p.known > len(src) {
		if cap(p.at) <= len(src) {
			p.at = make([]uint16, len(src)+1)
		}
		p.at = p.at[:len(src)+1]
		p.known = len(src)
		p.at[p.known] = p.set(p.possible(p.t.width))
	}
	n, width, sets := p.at[p.known], p.t.width, p.at // locals, which is faster
	for i := p.known - 1; i >= at; i-- {
		class := int(p.t.classes[src[i]])
		before := p.last[int(n)*width+class]
		if before == 0 {
			before = p.before(n, class) + 1
			if p.spent {
				return 0
			}
		}
		n = before - 1
		sets[i] = n
	}
	p.known = at
	return n
}
