package ast

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file reads off the general parser why an input is not derived.
//
// The parser stops at the first place where it has no item, and every item that it makes can still
// become a derivation, since no production in its tables derives nothing. So the last place that
// has items is the first byte with which no string goes on. While it reads, the parser leaves out
// what the next byte rules out. What could have stood there is what it left out at that one place:
// the states that can be reached from its items without reading. They are followed here once more,
// without a next byte, as J. Earley's predictor and completer do.

// A generalReader is a state that is reached at the last place, in a production that began at an
// origin, or at that place.
type generalReader struct {
	state  uint32
	origin int32 // an element of origins, or beginsHere
}

// beginsHere stands for an origin at the last place itself.
const beginsHere = -1

// A frontier holds the states that are reached at the last place of an input that can be read to.
type frontier struct {
	*generalRun
	readers []generalReader
	known   map[generalReader]bool
	at      int

	calls placeCalls // of the last place that was asked for
}

// placeCalls has the calls that were made at a place. Most places have a few, which are searched one by one;
// only where there are more is there a list for each production.
type placeCalls struct {
	found  bool // a place was asked for
	at     int
	few    []productionCall
	lists  map[Kind][]invocation // nil if all are in few
	picked []invocation          // what was found in few last
}

// fewCalls caps the calls of a place that are searched one by one.
const fewCalls = 8

// A productionCall is a call of a production.
type productionCall struct {
	from invocation
	to   Kind
}

// explainNested is [Grammar.Explain] by the general parser. It returns nil if src is derived,
// unless ends is set: then the error is at the end of src. An input that takes more than the
// default limits is explained by its offset alone.
func (g *Grammar) explainNested(start Kind, src string, ends bool) *SyntaxError {
	if scanner := g.Explaining.Scanners[start]; scanner != nil {
		if e, done := g.explainScanned(scanner, start, src); done {
			return e
		}
	}
	return g.explainByGrammar(start, src, ends)
}

// explainByGrammar is explainNested without asking a scanner of the start. Those of other productions are asked. If
// the tables have no such production, the error is at offset 0 and expects nothing.
func (g *Grammar) explainByGrammar(start Kind, src string, ends bool) *SyntaxError {
	e := g.unexplained(start, src)
	g.Explaining.atFrontier(start, src, func(f *frontier, derived bool) {
		switch {
		case derived && !ends:
			e = nil
		case f.over:
			e.Offset = f.at
		default:
			f.describe(g, e)
			if len(f.cut) > 0 {
				f.describeCut(g, e)
			} else {
				f.describeRefused(g, e)
			}
		}
	})
	return e
}

// atFrontier reads src as a string of start, as far as it is the beginning of one. It calls f with
// what was reached there, and whether src is derived. If the default limits are passed, f.over is set, and what was
// reached is not complete. It does not call f if the tables have no such production or src is too long for them.
func (g *General) atFrontier(start Kind, src string, f func(f *frontier, derived bool)) {
	var run Run
	g.with(&run, start, src, func(r *generalRun) {
		derived := r.read(false)
		front := &frontier{generalRun: r, known: map[generalReader]bool{}, at: r.at}
		if !r.over {
			front.reachAll()
		}
		f(front, derived)
	})
}

// reachAll finds the states that are reached at the last place, and puts them into f.readers. If a limit is
// passed it stops, and f.over is set.
func (f *frontier) reachAll() {
	first := len(f.items)
	for first > 0 && int(f.items[first-1].at) == f.at {
		first--
	}
	if f.at == 0 {
		f.reachFrom(f.starts[f.start], beginsHere)
	}
	for _, x := range f.items[first:] {
		if f.placeOfOrigin(x.origin) == f.at {
			continue // began here: it is reached from what called it
		}
		for _, q := range f.sets[x.set].states {
			f.addReader(generalReader{q, x.origin})
		}
	}
	for i := 0; i < len(f.readers) && !f.over; i++ {
		x := f.readers[i]
		switch s := &f.states[x.state]; s.op {
		case opcode.Call:
			if f.scanner(Kind(s.arg)) == nil {
				f.reachFrom(f.starts[s.arg], beginsHere)
			}
		case opcode.End:
			// What began here and ends here is empty. Its callers went on without it.
			if x.origin != beginsHere {
				f.completeHere(f.of[x.state], x.origin)
			}
		}
	}
}

// completeHere goes on after production k, which began at an origin and ends at the last place, in
// all that called it. If a limit is passed, f.over is set.
func (f *frontier) completeHere(k Kind, origin int32) {
	o := f.origins[origin]
	f.steps += int(o.hi - o.lo)
	f.over = f.over || f.steps > f.pause && f.tired()
	for _, x := range f.items[o.lo:o.hi] {
		c := call(f.sets[x.set].calls, k)
		if c == nil {
			continue
		}
		for _, q := range c.by {
			f.reachFrom(f.states[q].next[0], x.origin)
		}
	}
}

// reachFrom adds the readers that q leads to without reading, in a production that began at an
// origin. It begins new marks, and overwrites the run's list.
func (f *frontier) reachFrom(q uint32, origin int32) {
	f.next()
	f.list = f.list[:0]
	f.reach(q)
	for _, to := range f.list {
		f.addReader(generalReader{to, origin})
	}
}

// addReader adds a state to f.readers, unless it is there.
func (f *frontier) addReader(x generalReader) {
	if f.steps++; !f.known[x] {
		f.known[x] = true
		f.readers = append(f.readers, x)
	}
}

// placeOfOrigin returns where the productions of an origin begin.
func (f *frontier) placeOfOrigin(origin int32) int {
	if origin == beginsHere {
		return f.at
	}
	return int(f.items[f.origins[origin].hi-1].at)
}

// invocationOf returns the production that a state is in, and where it began.
func (f *frontier) invocationOf(q uint32, origin int32) invocation {
	return invocation{f.same[f.of[q]], int32(f.placeOfOrigin(origin))}
}

// describe sets Offset, In and Section of e from the readers of f, and adds to Expected, which must be empty. A
// lexical production that begins here is expected by its name, in place of the bytes that it begins with, and one
// with a scanner as scannedExpectation has it. The end of the input comes last, if it may end here.
func (f *frontier) describe(g *Grammar, e *SyntaxError) {
	e.Offset = f.at
	root := invocation{f.start, 0}
	var reading []invocation
	known := map[invocation]bool{}
	terms := &expecting{e, map[string]int{}, map[termReader]bool{}}
	read := map[uint32]ByteSet{} // by index in members: thousands of readers may read the same bytes
	ends := false                // the input may end here
	for _, x := range f.readers {
		s := &f.states[x.state]
		c := f.invocationOf(x.state, x.origin)
		ends = ends || c == root && s.op == opcode.End
		if int(c.from) == f.at && c != root && g.Production(c.kind).Lexical {
			continue // its name stands for it
		}
		switch {
		case s.op == opcode.Byte:
			first, ok := read[s.arg]
			if !ok {
				first = f.bytesOf(f.members[int(s.arg)*f.width:][:f.width])
				read[s.arg] = first
			}
			terms.expect(f.term(x.state), first, c.kind)
		case s.op == opcode.Call && f.scanner(Kind(s.arg)) != nil:
			x := g.scannedExpectation(Kind(s.arg))
			terms.expect(x.Term, x.First, c.kind)
		case s.op == opcode.Call && g.Production(Kind(s.arg)).Lexical:
			first := f.bytesOf(f.first[int(s.arg)*f.width:][:f.width])
			terms.expect(g.Production(Kind(s.arg)).Name, first, c.kind)
		default:
			continue
		}
		if !known[c] {
			known[c] = true
			reading = append(reading, c)
		}
	}
	if ends {
		e.Expected = append(e.Expected, Expectation{Term: EndOfInput})
		if !known[root] { // with the end of the input, all readings share no more than the start
			reading = append(reading, root)
		}
	}
	e.In = sharedProductions(root, reading, f.callersOf)
	e.Section = g.Production(e.In[0]).Section
}

// callersOf returns the invocations that call c, some of them twice. Those that began at one place are
// mostly asked for together, so the calls at the last place that was asked for are kept. The next call changes
// the slice.
func (f *frontier) callersOf(c invocation) []invocation {
	p := &f.calls
	if !p.found || p.at != int(c.from) {
		f.findCalls(int(c.from))
	}
	if p.lists != nil {
		return p.lists[c.kind]
	}
	p.picked = p.picked[:0]
	for _, x := range p.few {
		if x.to == c.kind {
			p.picked = append(p.picked, x.from)
		}
	}
	return p.picked
}

// findCalls sets f.calls to those that were made at a place. While they are few, one may be there twice.
func (f *frontier) findCalls(at int) {
	p := &f.calls
	p.found, p.at, p.few, p.lists = true, at, p.few[:0], nil
	var known map[productionCall]bool // the calls in p.lists
	put := func(x productionCall) {
		if !known[x] {
			known[x] = true
			p.lists[x.to] = append(p.lists[x.to], x.from)
		}
	}
	// add enters the call that state q makes, if it makes one, in a production that began at an origin.
	add := func(q uint32, origin int32) {
		s := &f.states[q]
		if s.op != opcode.Call {
			return
		}
		x := productionCall{f.invocationOf(q, origin), f.same[s.arg]}
		if p.lists == nil && len(p.few) < fewCalls {
			p.few = append(p.few, x)
			return
		}
		if p.lists == nil {
			known, p.lists = map[productionCall]bool{}, map[Kind][]invocation{}
			for _, y := range p.few {
				put(y)
			}
		}
		put(x)
	}
	if at == f.at { // here the items lack the calls that the next byte rules out
		for _, x := range f.readers {
			add(x.state, x.origin)
		}
		return
	}
	// Elsewhere the origin of the place has the items that wait for a production that begins there. A place
	// where none begins has no origin.
	i, ok := slices.BinarySearchFunc(f.origins, at, func(o generalOrigin, place int) int {
		return int(f.items[o.hi-1].at) - place
	})
	if !ok {
		return
	}
	o := f.origins[i]
	for _, x := range f.items[o.lo:o.hi] {
		for _, q := range f.sets[x.set].states {
			add(q, x.origin)
		}
	}
}

// term returns the name that messages have for what state q reads, or "" if it has none.
func (t *generalTables) term(q uint32) string {
	if int(q) < len(t.marks) && int(t.marks[q]) < len(t.terms) {
		return t.terms[t.marks[q]]
	}
	return ""
}

// bytesOf returns the bytes of the classes that are set.
func (t *generalTables) bytesOf(classes []bool) (s ByteSet) {
	for b, c := range t.classes {
		if classes[c] {
			s[b>>6] |= 1 << (b & 63)
		}
	}
	return s
}

// An expecting collects the expectations of an error. A production can have thousands of readers, so
// none of them is looked for in a list.
type expecting struct {
	*SyntaxError
	index map[string]int // in Expected, by term
	known map[termReader]bool
}

// A termReader is a production that reads a term.
type termReader struct {
	term int // in Expected
	in   Kind
}

// expect adds a term that the production in reads. Of a range of characters, each length of their
// encodings is a state of its own: those are one expectation.
func (e *expecting) expect(term string, first ByteSet, in Kind) {
	k, ok := e.index[term]
	if !ok {
		k = len(e.Expected)
		e.index[term] = k
		e.Expected = append(e.Expected, Expectation{Term: term})
	}
	if reader := (termReader{k, in}); !e.known[reader] {
		e.known[reader] = true
		e.Expected[k].In = append(e.Expected[k].In, in)
	}
	for w, bits := range first {
		e.Expected[k].First[w] |= bits
	}
}
