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

// An engine computes the language of each triple that a certificate needs, and remembers it.
type engine struct {
	*terms
	*lang.Languages
	bnf, peg *side
	classes  int              // number of classes of bytes
	class    [256]uint8       // of each byte
	first    []byte           // one byte of each class
	known    map[triple]int32 // languages
	order    []triple         // the keys of known, as they were found
	pending  map[triple]bool  // triples that are being computed
	err      error            // the first error
}

// The languages that every [lang.Languages] begins with.
const (
	noWord int32 = iota
	everyWord
	emptyWord
)

// maxStates caps the states of one automaton during solveByDerivatives.
const maxStates = 1 << 17

// newEngine returns an engine for the two sides of a proof. Its classes of bytes are those that the terms tell apart.
// The sides must share one store of terms, which has to hold all their sets of bytes, as it does after findFaults: a
// set that is added later could split a class.
func newEngine(b, p *side, l lang.Limits) *engine {
	classes := expr.NewPartition()
	for _, t := range b.all {
		if t.kind == bytes {
			classes.Split(t.set)
		}
	}
	return &engine{
		terms: b.terms, Languages: lang.NewLanguages(classes.N, l), bnf: b, peg: p,
		classes: classes.N, class: classes.Class, first: classes.First(),
		known: map[triple]int32{}, pending: map[triple]bool{},
	}
}

// grammarSide returns the PEG if ordered is set, and the BNF if not.
func (e *engine) grammarSide(ordered bool) *side {
	if ordered {
		return e.peg
	}
	return e.bnf
}

// setError records an error in e.err, unless there is one already. After an error no result counts; the
// language that it returns is for the caller to return.
func (e *engine) setError(format string, args ...any) int32 {
	e.err = cmp.Or(e.err, fmt.Errorf(format, args...))
	return noWord
}

// languageOf returns the language of the triple of x and rest, and remembers it, with the languages of all
// triples that prove it. After an error, which is in e.err, the result does not count. A triple that needs
// its own language is such an error.
func (e *engine) languageOf(x, rest int32, ordered bool) int32 {
	if x == emptyTerm || e.err != nil {
		return rest
	}
	key := triple{x, rest, ordered}
	if l, ok := e.known[key]; ok {
		return l
	}
	if e.pending[key] {
		return e.setError("%s comes back to itself behind an ordered choice", e.describeTerm(x))
	}
	e.pending[key] = true
	l := e.computeLanguage(key)
	delete(e.pending, key)
	if e.err == nil {
		e.remember(key, l)
	}
	return l
}

// describeTerm returns the name of a term in errors.
func (e *engine) describeTerm(x int32) string {
	if n := e.all[x]; n.kind == rule {
		return n.name[len("bnf "):]
	}
	return "an expression"
}

// computeLanguage computes the language of a triple whose term is not the empty one. It does so from the
// languages of its parts; for a repetition or a recursive rule, by derivatives. If it cannot, it sets e.err.
func (e *engine) computeLanguage(t triple) int32 {
	n := e.all[t.term]
	of := func(x, rest int32) int32 { return e.languageOf(x, rest, t.ordered) }
	// fails returns the words of l that no match of a begins: there, an ordered choice tries b.
	fails := func(l int32) int32 { return e.Minus(l, of(n.a, everyWord)) }
	switch n.kind {
	case bytes:
		row := make([]int32, e.classes)
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
		l := e.solveByDerivatives(t)
		if e.err == nil {
			e.remember(t, l)
			end := t.rest
			if t.ordered {
				end = fails(end)
			}
			e.confirmEquation(t, l, e.Union(of(n.a, l), end))
		}
		return l
	case rule:
		return e.languageOfRule(t, n.name[len("bnf "):])
	}
	return e.setError("%s", n.name)
}

// languageOfRule is computeLanguage for the rule with a name. The language of a rule that uses itself is
// solved, remembered and confirmed here, or found by iteration. For a rule with a fault it sets e.err.
func (e *engine) languageOfRule(t triple, name string) int32 {
	s := e.grammarSide(t.ordered)
	if why := s.fault[name]; why != "" {
		return e.setError("%s", why)
	}
	if !s.loops[name] {
		return e.languageOf(s.body[name], t.rest, t.ordered)
	}
	if t.ordered && t.rest == everyWord {
		return e.iterateRule(t, s.body[name])
	}
	l := e.solveByDerivatives(t)
	if e.err == nil {
		e.remember(t, l)
		e.confirmEquation(t, l, e.recompute(s.body[name], t))
	}
	return l
}

// recompute returns the language of the body of a rule whose own language is remembered already. Triples that
// are being computed are computed again: now they no longer lead back.
func (e *engine) recompute(body int32, t triple) int32 {
	pending := e.pending
	e.pending = map[triple]bool{}
	l := e.languageOf(body, t.rest, t.ordered)
	e.pending = pending
	return l
}

// iterateRule returns the language of a recursive rule of a PEG before every word. The derivatives of the
// rule need this language themselves, so it is found by iteration from above. The rule reads something before
// it comes back to itself, so its equation has only one solution. It sets e.err if maxRounds rounds do not find it.
func (e *engine) iterateRule(t triple, body int32) int32 {
	l := everyWord
	for range maxRounds {
		before := len(e.order)
		e.remember(t, l)
		next := e.recompute(body, t)
		if e.err != nil || next == l {
			return next
		}
		// Forget this round: t and the triples that came after it rest on l, which was not the solution.
		for _, k := range e.order[before:] {
			delete(e.known, k)
		}
		e.order = e.order[:before]
		l = next
	}
	return e.setError("%s comes back to itself behind an ordered choice", e.describeTerm(t.term))
}

// maxRounds caps the rounds of iterateRule.
const maxRounds = 64

// remember records the language of a triple, in place of an earlier one.
func (e *engine) remember(t triple, l int32) {
	if _, ok := e.known[t]; !ok {
		e.Take(128)
		e.order = append(e.order, t)
	}
	e.known[t] = l
}

// confirmEquation compares the language l that solveByDerivatives found with right, the other side of the
// equation that the checker will look at. They can differ only by a defect in this program. If they do, the
// triple is forgotten, and e.err is set.
func (e *engine) confirmEquation(t triple, l, right int32) {
	if l != right && e.err == nil {
		delete(e.known, t)
		e.setError("%s: two ways of computing its language differ", e.describeTerm(t.term))
	}
}

// A state of solveByDerivatives stands for a union of languages: closed and, for each atom, the inputs in
// guard that begin with a byte of the term read and go on as the term rest.
type state struct {
	closed int32
	atoms  []atom // ascending
}

type atom struct{ read, rest, guard int32 }

// solveByDerivatives returns the language of a triple by Brzozowski's construction: the derivatives of the
// triple by each class of bytes are the states of an automaton, which is then minimized together with all
// other languages. While it runs, a negative number, from lang.Local, is a state of this automaton, and any
// other number a finished language. If it fails, it sets e.err.
func (e *engine) solveByDerivatives(t triple) int32 {
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
	d.addDerived(&first, t.term, emptyTerm, everyWord)
	if l := entry(first); l >= 0 {
		return l
	}
	var accept []bool
	var next []int32
	for i := 0; i < len(states) && e.err == nil; i++ {
		if i >= maxStates {
			return e.setError("%w: %s has more than %d states", lang.ErrTooLarge, e.describeTerm(t.term), i)
		}
		accept = append(accept, e.Accepts(states[i].closed))
		for c := range e.classes {
			out := state{closed: e.Derive(states[i].closed, c)}
			for _, a := range states[i].atoms {
				if e.all[a.read].set.Has(e.first[c]) { // one byte stands for its class, which no term splits
					d.addDerived(&out, emptyTerm, a.rest, e.Derive(a.guard, c))
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

// key returns a string that is equal for equal states.
func (s state) key() string {
	buf := binary.LittleEndian.AppendUint32(nil, uint32(s.closed))
	for _, a := range s.atoms {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.read))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.rest))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.guard))
	}
	return string(buf)
}

// A derivation is one call of solveByDerivatives.
type derivation struct {
	*engine
	end     int32
	ordered bool
	steps   int
}

// addDerived adds to the state to the inputs that are in guard and begin with a match of x, then one of rest,
// and then have an end in d.end. If x begins with a byte, that becomes an atom. It sets d.err at a term that
// is not covered, and after maxSteps calls.
func (d *derivation) addDerived(to *state, x, rest, guard int32) {
	if x == emptyTerm && rest != emptyTerm {
		x, rest = rest, emptyTerm
	}
	if guard == noWord || d.err != nil {
		return
	}
	if d.steps++; d.steps > maxSteps {
		d.setError("%w: more than %d steps of a derivation", lang.ErrTooLarge, maxSteps)
		return
	}
	n := d.all[x]
	// fails returns the inputs of guard that no match of the first part begins; for a BNF, all of guard.
	fails := func() int32 {
		if !d.ordered {
			return guard
		}
		return d.Minus(guard, d.languageOf(n.a, everyWord, true))
	}
	switch n.kind {
	case empty:
		to.closed = d.Union(to.closed, d.Intersect(guard, d.end))
	case bytes:
		to.addAtom(d.Languages, atom{x, rest, guard})
	case seq:
		d.addDerived(to, n.a, d.internSeq(n.b, rest), guard)
	case alt:
		d.addDerived(to, n.a, rest, guard)
		d.addDerived(to, n.b, rest, fails())
	case star:
		d.addDerived(to, n.a, d.internSeq(x, rest), guard)
		d.addDerived(to, emptyTerm, rest, fails())
	case not:
		d.addDerived(to, emptyTerm, rest, fails())
	case rule:
		s, name := d.grammarSide(d.ordered), n.name[len("bnf "):]
		if why := s.fault[name]; why != "" {
			d.setError("%s", why)
			return
		}
		d.addDerived(to, s.body[name], rest, guard)
	default:
		d.setError("%s", n.name)
	}
}

// maxSteps caps the calls of addDerived in one derivation.
const maxSteps = 1 << 22

// addAtom adds an atom, or widens the guard of one that reads and leaves the same. The atoms stay ascending.
func (s *state) addAtom(l *lang.Languages, g atom) {
	i, ok := slices.BinarySearchFunc(s.atoms, g, func(a, b atom) int {
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
