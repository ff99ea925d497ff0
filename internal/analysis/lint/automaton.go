package lint

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An automaton has exactly one path for each derivation of an expression; the productions that the expression uses
// count as their languages. A state either chooses, by steps that read nothing, or reads, and then no byte leads to two
// states. The final state does neither. No cycle consists of steps alone.
type automaton struct {
	steps        [][]step
	arcs         [][]arc
	start, final int32
	budget       *budget.Budget
}

// A step reads nothing.
type step struct {
	to int32
	event
}

// An arc reads one byte of a set.
type arc struct {
	set expr.Set
	to  int32
}

// An event is a part of a derivation that is not a byte.
type event struct {
	op eventOp
	e  *expr.Expr
	i  int // the alternative that is taken
}

// An eventOp is a kind of event.
type eventOp uint8

const (
	nothing eventOp = iota
	takes           // alternative i of e
	repeats         // one more round of e
	ends            // no more round of e
	enters          // the reference e
	leaves          // the reference e
	goesOn          // in the reference e, which could end here
)

// A builder makes automata.
type builder struct {
	*automaton
	facts      *expr.Facts
	languageOf func(id string) *language
	limit      int
	needsTrim  bool // arcs may lead where no path leads to the final state
	err        error
}

// build returns the automaton of e; of returns the languages of productions, and facts remembers e. From each of its
// arcs a path leads to the final state; a step may lead to a state with neither steps nor arcs. build fails if a
// language is not known, if e has more than limit parts, or if the automaton needs more than limit states. It panics
// where left is used up.
func build(e *expr.Expr, facts *expr.Facts, of func(id string) *language, limit int,
	left *budget.Budget) (*automaton, error) {
	// Productions that were written in place are shared, so a small expression can stand for a very large one.
	size := unfoldedSize(e, limit, map[*expr.Expr]int{})
	if size > limit {
		return nil, lang.TooMany(limit, "states in the automaton of its derivations")
	}
	left.Step(size)
	facts.Remember(e) // otherwise each question about a part walks through all of it
	b := &builder{automaton: &automaton{budget: left}, facts: facts, languageOf: of, limit: limit}
	b.final = b.state()
	b.start = b.before(e, b.final)
	if b.err != nil {
		return nil, b.err
	}
	if b.needsTrim {
		b.trim()
	}
	return b.automaton, nil
}

// unfoldedSize returns the number of expressions in e as a tree, in which a shared part counts once for each
// of its places, but at most limit+1. known has the sizes of the parts met before; unfoldedSize adds to it.
func unfoldedSize(e *expr.Expr, limit int, known map[*expr.Expr]int) int {
	if n, ok := known[e]; ok {
		return n
	}
	n := 1
	for _, s := range e.Sub {
		n = min(n+unfoldedSize(s, limit, known), limit+1)
	}
	known[e] = n
	return n
}

// state returns a new state. Beyond the limit it sets b.err, and returns a new state all the same.
func (b *builder) state() int32 {
	if len(b.arcs) >= b.limit && b.err == nil {
		b.err = lang.TooMany(b.limit, "states in the automaton of its derivations")
	}
	b.budget.Step(4)
	b.steps = append(b.steps, nil)
	b.arcs = append(b.arcs, nil)
	return int32(len(b.arcs) - 1)
}

// choice returns a new state that chooses among steps.
func (b *builder) choice(steps ...step) int32 {
	q := b.state()
	b.steps[q] = steps
	return q
}

// before adds states that derive e, and returns the first; every derivation of e leads from it to the state to. It
// builds backward: the last part of a sequence comes first. For what derives nothing it returns a state that leads
// nowhere, and sets b.needsTrim. e must have no operators of PEGs, which count as the empty string here. After an
// error, which it leaves in b.err, the result means nothing.
func (b *builder) before(e *expr.Expr, to int32) int32 {
	switch {
	case b.err != nil:
		return to
	case !b.facts.Derives(e):
		b.needsTrim = true
		return b.state()
	case e.Op == expr.Ref && !b.facts.NonEmpty(e):
		// A use that derives the empty string alone. It is built backward: leaves comes after enters.
		return b.choice(step{b.choice(step{to, event{leaves, e, 0}}), event{enters, e, 0}})
	}
	switch e.Op {
	case expr.Class:
		q := b.state()
		b.arcs[q] = []arc{{e.Set, to}}
		return q
	case expr.Literal:
		for i := len(e.Lit) - 1; i >= 0; i-- {
			q := b.state()
			b.arcs[q] = []arc{{expr.Bytes(e.Lit[i : i+1]), to}}
			to = q
		}
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			to = b.before(e.Sub[i], to)
		}
	case expr.Alt:
		var steps []step
		for i, s := range e.Sub {
			steps = append(steps, step{b.before(s, to), event{takes, e, i}})
		}
		return b.choice(steps...)
	case expr.Repeat:
		return b.repeat(e, to)
	case expr.Ref:
		return b.reference(e, to)
	}
	return to
}

// repeat is before for a repetition. It takes no empty round beyond those that the count demands, except that an
// optional part may be there and empty.
func (b *builder) repeat(e *expr.Expr, to int32) int32 {
	body := e.Sub[0]
	round := b.before
	if e.Max != 1 && b.facts.Nullable(body) {
		round = b.nonEmpty
	}
	first := to
	if e.Max == expr.Unbounded {
		loop := b.choice()
		again := round(body, loop)
		b.steps[loop] = []step{{again, event{repeats, e, 0}}, {to, event{ends, e, 0}}}
		first = loop
	}
	for i := e.Min; i < e.Max && b.err == nil; i++ {
		first = b.choice(step{round(body, first), event{repeats, e, 0}}, step{to, event{ends, e, 0}})
	}
	for i := 0; i < e.Min && b.err == nil; i++ {
		first = b.choice(step{b.before(body, first), event{repeats, e, 0}})
	}
	return first
}

// nonEmpty is before without the derivations of the empty string. Arcs read a byte, and steps do not. So it builds the
// states of e twice. In the second copy nothing has been read yet: its steps stay in the copy, its arcs lead to the
// original, and its end leads nowhere. It sets b.needsTrim.
func (b *builder) nonEmpty(e *expr.Expr, to int32) int32 {
	b.needsTrim = true
	base := int32(len(b.arcs))
	end := b.choice(step{to: to})
	start := b.before(e, end)
	size := int32(len(b.arcs)) - base
	for i := range size { // the copy of state base+i is base+size+i
		q := b.state()
		if b.err != nil {
			return to
		}
		b.arcs[q] = b.arcs[base+i]
		if base+i == end {
			continue
		}
		for _, s := range b.steps[base+i] {
			b.steps[q] = append(b.steps[q], step{s.to + size, s.event})
		}
	}
	return start + size
}

// reference is before for a use of a production: it copies the minimal automaton of the production's language. An
// accepting state becomes a choice between leaving the production and going on in it. If that language is not known it
// sets b.err. It must have a string: before looks at that.
func (b *builder) reference(e *expr.Expr, to int32) int32 {
	used := b.languageOf(e.Name)
	if used.err != nil {
		b.err = used.err
		return to
	}
	a := used.dfa
	// A state of the language becomes one that reads and, if it accepts, one before that, which chooses.
	entry := make([]int32, a.States())
	reads := make([]int32, a.States())
	out := b.choice(step{to, event{leaves, e, 0}})
	for q := range entry {
		if b.err != nil {
			return to
		}
		if a.Dead(q) {
			continue
		}
		reads[q] = b.state()
		entry[q] = reads[q]
		if a.Accepts(q) {
			entry[q] = b.choice(step{out, event{}}, step{reads[q], event{goesOn, e, 0}})
		}
	}
	arcs := slices.Concat(used.arcsByState()...) // one piece of memory for all states; the dead one has no arcs
	for i := range arcs {
		arcs[i].to = entry[arcs[i].to]
	}
	for q, list := range used.arcsByState() {
		if n := len(list); n > 0 {
			b.arcs[reads[q]] = arcs[:n:n]
			arcs = arcs[n:]
		}
	}
	return b.choice(step{entry[0], event{enters, e, 0}})
}

// trim removes the steps and arcs that do not lead to the final state. The states stay.
func (a *automaton) trim() {
	ends := make([]bool, len(a.arcs))
	ends[a.final] = true
	live := lang.Live(ends, func(q int, visit func(to int32)) {
		for _, s := range a.steps[q] {
			visit(s.to)
		}
		for _, s := range a.arcs[q] {
			visit(s.to)
		}
	})
	if !slices.Contains(live, false) {
		return
	}
	for q := range a.arcs { // copied, since the copies that nonEmpty makes share arcs
		a.steps[q] = slices.DeleteFunc(slices.Clone(a.steps[q]), func(s step) bool { return !live[s.to] })
		a.arcs[q] = slices.DeleteFunc(slices.Clone(a.arcs[q]), func(s arc) bool { return !live[s.to] })
	}
}

// countArcs returns the number of arcs of a.
func (a *automaton) countArcs() (n int) {
	for _, arcs := range a.arcs {
		n += len(arcs)
	}
	return n
}

// nfa returns a without its events: an NFA of the same states, with the same budget.
func (a *automaton) nfa() *lang.NFA {
	n := &lang.NFA{States: make([]lang.NFAState, len(a.arcs)), Start: a.start, Final: a.final, Budget: a.budget}
	steps, arcs := 0, 0
	for q := range a.arcs {
		steps += len(a.steps[q])
		arcs += len(a.arcs[q])
	}
	silent, edges := make([]int32, 0, steps), make([]lang.Edge, 0, arcs) // one piece of memory for all states
	for q := range a.arcs {
		from := len(silent)
		for _, s := range a.steps[q] {
			silent = append(silent, s.to)
		}
		n.States[q].Epsilon = silent[from:len(silent):len(silent)]
		from = len(edges)
		for _, s := range a.arcs[q] {
			edges = append(edges, lang.Edge{Set: s.set, To: s.to})
		}
		n.States[q].Edges = edges[from:len(edges):len(edges)]
	}
	return n
}

// A mark is an event of a derivation, and the number of bytes before it.
type mark struct {
	event
	at int
}

// derivations returns the events of the first derivations of w, at most max of them; none if w is not a word
// of a. They come in the order of the steps. It searches depth-first and remembers the places from which w cannot be
// completed.
func (a *automaton) derivations(w string, max int) (all [][]mark) {
	type place struct {
		q int32
		i int
	}
	dead := map[place]bool{}
	var path []mark
	var walk func(p place) bool
	walk = func(p place) bool {
		a.budget.Step(1)
		if len(all) >= max || dead[p] {
			return false
		}
		if p.q == a.final && p.i == len(w) {
			all = append(all, append([]mark(nil), path...))
			return true
		}
		found := false
		for _, s := range a.steps[p.q] {
			n := len(path)
			if s.op != nothing {
				path = append(path, mark{s.event, p.i})
			}
			found = walk(place{s.to, p.i}) || found
			path = path[:n]
		}
		for _, s := range a.arcs[p.q] {
			if p.i < len(w) && s.set.Has(w[p.i]) {
				found = walk(place{s.to, p.i + 1}) || found
			}
		}
		if !found && len(all) < max { // not because enough were found already
			dead[p] = true
		}
		return found
	}
	walk(place{a.start, 0})
	return all
}
