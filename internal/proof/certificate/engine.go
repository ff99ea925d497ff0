package certificate

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A triple is a term in front of a language: for a BNF the words that are a word of the term followed by one of the
// language, for a PEG the inputs on which the term succeeds and leaves a rest that is in the language.
type triple struct {
	term, rest int32
	ordered    bool
}

// An engine finds the language of each triple that a certificate needs.
type engine struct {
	*terms
	*lang.Languages
	bnf, peg *side
	k        int
	class    [256]uint8
	first    []byte // one byte of each class
	known    map[triple]int32
	log      []triple // known's, in the order in which they were found
	pending  map[triple]bool
	err      error // the first; what is computed after it is not kept
}

// The languages that every [lang.Languages] begins with.
const (
	noWord int32 = iota
	everyWord
	emptyWord
)

// maxStates bounds an automaton on the way to a language.
const maxStates = 1 << 17

func newEngine(b, p *side, l lang.Limits) *engine {
	classes := expr.NewPartition()
	for _, t := range b.all {
		if t.kind == bytes {
			classes.Split(t.set)
		}
	}
	return &engine{
		terms: b.terms, Languages: lang.NewLanguages(classes.N, l), bnf: b, peg: p, k: classes.N, class: classes.Class,
		first: classes.First(), known: map[triple]int32{}, pending: map[triple]bool{},
	}
}

func (e *engine) side(ordered bool) *side {
	if ordered {
		return e.peg
	}
	return e.bnf
}

func (e *engine) fail(format string, args ...any) int32 {
	e.err = cmp.Or(e.err, fmt.Errorf(format, args...))
	return noWord
}

// language returns the language of a triple, once the languages of the parts are known that prove it.
func (e *engine) language(x, rest int32, ordered bool) int32 {
	if x == emptyTerm || e.err != nil {
		return rest
	}
	key := triple{x, rest, ordered}
	if l, ok := e.known[key]; ok {
		return l
	}
	if e.pending[key] {
		return e.fail("%s comes back to itself behind an ordered choice", e.describe(x))
	}
	e.pending[key] = true
	l := e.compute(key)
	delete(e.pending, key)
	if e.err == nil {
		e.keep(key, l)
	}
	return l
}

func (e *engine) describe(x int32) string {
	if n := e.all[x]; n.kind == rule {
		return n.name[len("bnf "):]
	}
	return "an expression"
}

func (e *engine) compute(t triple) int32 {
	n := e.all[t.term]
	of := func(x, rest int32) int32 { return e.language(x, rest, t.ordered) }
	fails := func(l int32) int32 { return e.Minus(l, of(n.a, everyWord)) } // and a fails here
	switch n.kind {
	case bytes:
		row := make([]int32, e.k)
		for c, b := range e.first {
			if n.set.Has(b) {
				row[c] = t.rest
			}
		}
		return e.Intern([]bool{false}, row)[0]
	case seq:
		return of(n.a, of(n.b, t.rest))
	case alt:
		b := of(n.b, t.rest)
		if t.ordered {
			b = fails(b)
		}
		return e.Union(of(n.a, t.rest), b)
	case not:
		return fails(t.rest)
	case star:
		l := e.solve(t)
		if e.err == nil {
			e.keep(t, l)
			end := t.rest
			if t.ordered {
				end = fails(end)
			}
			e.confirm(t, l, e.Union(of(n.a, l), end))
		}
		return l
	case rule:
		return e.rule(t, n.name[len("bnf "):])
	}
	return e.fail("%s", n.name)
}

func (e *engine) rule(t triple, name string) int32 {
	s := e.side(t.ordered)
	if why := s.fault[name]; why != "" {
		return e.fail("%s", why)
	}
	if !s.loops[name] {
		return e.language(s.body[name], t.rest, t.ordered)
	}
	if t.ordered && t.rest == everyWord {
		return e.iterate(t, s.body[name])
	}
	l := e.solve(t)
	if e.err == nil {
		e.keep(t, l)
		e.confirm(t, l, e.afresh(s.body[name], t))
	}
	return l
}

// afresh returns the language of a rule's body, once that of the rule is known: what is being computed may be computed again.
func (e *engine) afresh(body int32, t triple) int32 {
	pending := e.pending
	e.pending = map[triple]bool{}
	l := e.language(body, t.rest, t.ordered)
	e.pending = pending
	return l
}

// iterate returns the language of a recursive rule of a PEG in front of every word, which the derivatives of the rule need
// themselves. The rule reads something before it comes back, so that its equation has one solution.
func (e *engine) iterate(t triple, body int32) int32 {
	l := everyWord
	for range maxRounds {
		before := len(e.log)
		e.keep(t, l)
		next := e.afresh(body, t)
		if e.err != nil || next == l {
			return next
		}
		for _, k := range e.log[before:] {
			delete(e.known, k)
		}
		e.log = e.log[:before]
		l = next
	}
	return e.fail("%s comes back to itself behind an ordered choice", e.describe(t.term))
}

const maxRounds = 64

func (e *engine) keep(t triple, l int32) {
	if _, ok := e.known[t]; !ok {
		e.Take(128)
		e.log = append(e.log, t)
	}
	e.known[t] = l
}

// confirm holds what [engine.solve] found against the equation that the checker looks at.
func (e *engine) confirm(t triple, l, right int32) {
	if l != right && e.err == nil {
		delete(e.known, t)
		e.fail("%s: two ways of computing its language differ", e.describe(t.term))
	}
}

// A state of [engine.solve] is a language, and for each atom, a byte with the term behind it, the language of the input.
type state struct {
	closed int32
	atoms  []guarded // ascending
}

type guarded struct{ read, rest, guard int32 }

// solve returns the language of a triple by its derivatives.
func (e *engine) solve(t triple) int32 {
	d := &derivation{engine: e, end: t.rest, ordered: t.ordered}
	var states []state
	index := map[string]int32{}
	entry := func(s state) int32 {
		if len(s.atoms) == 0 || s.closed == everyWord {
			return s.closed
		}
		key := s.key()
		q, ok := index[key]
		if !ok {
			q = int32(len(states))
			index[key] = q
			states = append(states, s)
		}
		return lang.Local(q)
	}
	first := state{closed: noWord}
	d.enter(&first, t.term, emptyTerm, everyWord)
	if l := entry(first); l >= 0 {
		return l
	}
	var accept []bool
	var next []int32
	for i := 0; i < len(states) && e.err == nil; i++ {
		if i >= maxStates {
			return e.fail("%w: %s has more than %d states", lang.ErrTooLarge, e.describe(t.term), i)
		}
		accept = append(accept, e.Accepts(states[i].closed))
		for c := range e.k {
			out := state{closed: e.Derive(states[i].closed, c)}
			for _, a := range states[i].atoms {
				if e.all[a.read].set.Has(e.first[c]) {
					d.enter(&out, emptyTerm, a.rest, e.Derive(a.guard, c))
				}
			}
			next = append(next, entry(out))
		}
	}
	if e.err != nil {
		return noWord
	}
	return e.Intern(accept, next)[0]
}

func (s state) key() string {
	buf := binary.LittleEndian.AppendUint32(nil, uint32(s.closed))
	for _, a := range s.atoms {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.read))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.rest))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.guard))
	}
	return string(buf)
}

type derivation struct {
	*engine
	end     int32
	ordered bool
	steps   int
}

// enter adds to a state: the input is in the guard, and what it begins with matches x and then rest.
func (d *derivation) enter(to *state, x, rest, guard int32) {
	if x == emptyTerm && rest != emptyTerm {
		x, rest = rest, emptyTerm
	}
	if guard == noWord || d.err != nil {
		return
	}
	if d.steps++; d.steps > maxSteps {
		d.fail("%w: more than %d steps of a derivation", lang.ErrTooLarge, maxSteps)
		return
	}
	n := d.all[x]
	fails := func() int32 {
		if !d.ordered {
			return guard
		}
		return d.Minus(guard, d.language(n.a, everyWord, true))
	}
	switch n.kind {
	case empty:
		to.closed = d.Union(to.closed, d.Intersect(guard, d.end))
	case bytes:
		to.add(d.Languages, guarded{x, rest, guard})
	case seq:
		d.enter(to, n.a, d.seq(n.b, rest), guard)
	case alt:
		d.enter(to, n.a, rest, guard)
		d.enter(to, n.b, rest, fails())
	case star:
		d.enter(to, n.a, d.seq(x, rest), guard)
		d.enter(to, emptyTerm, rest, fails())
	case not:
		d.enter(to, emptyTerm, rest, fails())
	case rule:
		s, name := d.side(d.ordered), n.name[len("bnf "):]
		if why := s.fault[name]; why != "" {
			d.fail("%s", why)
			return
		}
		d.enter(to, s.body[name], rest, guard)
	default:
		d.fail("%s", n.name)
	}
}

const maxSteps = 1 << 22

func (s *state) add(l *lang.Languages, g guarded) {
	i, ok := slices.BinarySearchFunc(s.atoms, g, func(a, b guarded) int {
		if a.read != b.read {
			return int(a.read - b.read)
		}
		return int(a.rest - b.rest)
	})
	if ok {
		s.atoms[i].guard = l.Union(s.atoms[i].guard, g.guard)
	} else {
		s.atoms = slices.Insert(s.atoms, i, g)
	}
}
