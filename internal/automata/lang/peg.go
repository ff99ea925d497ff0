package lang

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// FromPEG returns the words that the rule, in the ordered grammar g, matches from their first byte to their last. To
// convert several rules of one grammar, share one [PEG]. Errors are those of [NewPEG] and [PEG.Whole].
func FromPEG(g *expr.Grammar, id string) (*DFA, error) {
	r, err := g.Lookup(id)
	if err != nil {
		return nil, err
	}
	p, err := NewPEG(g, Limits{})
	if err != nil {
		return nil, err
	}
	return p.Whole(expr.To(r.ID))
}

// A PEG computes the languages of an ordered grammar in a [Space], by boolean derivatives in a normal form.
//
// Write S(e, K) for the inputs on which e succeeds and leaves a rest that is in K. Then
//
//	S(x y, K)   = S(x, S(y, K))
//	S(x / y, K) = S(x, K) or (not S(x, all) and S(y, K))
//	S(!x, K)    = not S(x, all) and K
//	S(&x, K)    = S(x, all) and K
//	S(x*, K)    = S(x, S(x*, K)) or (not S(x, all) and K)
//
// All that stands under a negation or an "and" is of the form S(x, all): it is compiled at once, to a language of the
// pool. What remains is a union of guarded atoms, "the input is in the guard, and r K". K is a stack of expressions
// to come, and r is what is left to read of a rule or a terminal. So a state is one closed language and, for each
// atom r K, one guard, a closed language as well; both have normal forms, and the guards of one atom are united. A
// derivative acts on the closed language, on each guard, and on each atom.
//
// A rule is not a language that could be put where it is used: it is a choice of what to match, which the rest of the
// input decides as well. But it is a relation, of what it matches and of the rests before which it matches that: the
// words u#v such that the rule matches the beginning u of uv, where # is a class that no byte has. That relation is a
// regular language, and the whole of what a use of the rule does: S(R, K) is the words uv with u#v in it and v in K.
// So each rule is compiled once, from the minimal automata of those that it uses, and rules that call each other are
// expanded in each other only.
//
// The expression Deep, which stands where a recursion is not followed ([expr.Grammar.Nest]), is a third outcome besides
// success and failure, and ends the whole match. D(e) are the inputs on which e ends so:
//
//	D(x y)   = D(x) or S(x, D(y))
//	D(x / y) = D(x) or (not S(x, all) and not D(x) and D(y))
//	D(!x)    = D(x) = D(&x)
//	D(x*)    = D(x) or S(x, D(x*))
//
// and where "not S(x, all)" stands above, "and not D(x)" belongs after it. D(e) is S(e, nothing) in which Deep
// succeeds whatever K is, and is compiled as such.
//
// A PEG remembers what it has compiled. It is not safe for concurrent use.
type PEG struct {
	s    *Space
	g    *expr.Grammar
	form *pegForm
	pool *pool
	deep bool // some rule has a Deep
	*groups

	terms   termTable
	bodies  map[string]int32 // by rule: its term
	summary map[string]int32 // by rule: its relation
	prefix  map[int32]int32  // by term x: S(x, all); pending while it is being compiled
	deeper  map[int32]int32  // by term x: D(x); likewise
	stacks  map[stack]int32
	stackOf []stack
	inDeep  []bool // by stack: it ends in nowhere
	openOf  []openTerm
	opens   map[openTerm]int32
	entered map[[2]int32]state    // by stack and guard: the state before anything is read
	single  map[singleState]int32 // the languages of states with one atom

	longest map[string]func() Language // by rule that matches its longest word: its language; see NewPEGLongest
	unbegun map[int32]int32            // by language l: the words that begin with no word of l
}

// pending stands in PEG.prefix for a language that is being compiled.
const pending int32 = -1

// A stack is a term to be matched and the stack to be matched after it.
type stack struct{ term, rest int32 }

// The stacks without a term.
const (
	atEnd    int32 = iota // matches at the end of input only
	anywhere              // matches everywhere
	marked                // matches after the mark
	nowhere               // never matches: only Deep counts
	bottoms
)

// An openTerm is an atom: the relation that is left to read, and the stack to match after it.
type openTerm struct{ relation, rest int32 }

// A state is a union: a closed language, and guarded atoms in ascending order.
type state struct {
	closed int32
	atoms  []guarded
}

// A guarded is an atom and the guard that the input must be in.
type guarded struct{ atom, guard int32 }

// A singleState is a state with one atom.
type singleState struct {
	closed int32
	guarded
}

// NewPEG prepares to compile rules of the ordered grammar g, and expressions over it, in a [Space] of its own. An
// expression that is not a part of g and has terminals of its own must be among extra. It fails if the grammar is not
// ordered, and if the budget of g is used up.
func NewPEG(g *expr.Grammar, l Limits, extra ...*expr.Expr) (p *PEG, err error) {
	defer budget.Catch(&err)
	return NewSpace(l, []*expr.Grammar{g}, extra...).PEG(g)
}

// PEG returns a PEG that computes languages of g, which must be among the grammars that s was made for. It fails if g
// is not ordered.
func (s *Space) PEG(g *expr.Grammar) (*PEG, error) {
	if !g.Ordered {
		return nil, fmt.Errorf("%s: unordered alternatives cannot be read as ordered", g.Name)
	}
	p := &PEG{
		s:       s,
		g:       g,
		pool:    s.pool,
		terms:   termTable{s: s, index: map[term]int32{}, byExpr: map[*expr.Expr]int32{}, read: map[int32]int32{}},
		bodies:  map[string]int32{},
		summary: map[string]int32{},
		prefix:  map[int32]int32{},
		deeper:  map[int32]int32{},
		stacks:  map[stack]int32{},
		stackOf: make([]stack, bottoms),
		inDeep:  []bool{nowhere: true},
		opens:   map[openTerm]int32{},
		entered: map[[2]int32]state{},
		single:  map[singleState]int32{},
		form:    checkForm(g),
		groups:  newGroups(g, func(r *expr.Rule) []string { return expr.Refs(r.Expr) }),
	}
	p.deep = hasDeep(g)
	return p, nil
}

// Take copies to p the relations that q has computed for rules, by ID. q must be of the same [Space], and the rules
// must match the same in both.
func (p *PEG) Take(q *PEG, rules ...string) {
	for _, id := range rules {
		if relation, ok := q.summary[id]; ok {
			p.summary[id] = relation
		}
	}
}

// Whole returns S(e, {""}): the words that e matches from their first byte to their last.
//
// It fails if a rule is not defined; if something that can match the empty word is repeated without limit; if a rule
// can call itself before it has read anything, or other than at its end (so that no automaton follows it); if e has
// terminals that [NewPEG] was not told of; and if a limit is passed.
func (p *PEG) Whole(e *expr.Expr) (*DFA, error) { return p.s.DFAOf(p.WholeOf(e)) }

// Prefix returns S(e, all): the inputs that begin with a match of e. It fails where Whole does.
func (p *PEG) Prefix(e *expr.Expr) (*DFA, error) {
	return p.s.DFAOf(p.languageBefore(e, anywhere, nil))
}

// Space returns the Space that p computes languages in.
func (p *PEG) Space() *Space { return p.s }

// WholeOf is Whole as a language of the Space.
func (p *PEG) WholeOf(e *expr.Expr) (Language, error) { return p.languageBefore(e, atEnd, nil) }

// WholeIs reports whether e matches exactly the words of a, from their first byte to their last. If it does not, l is
// what it matches instead, as WholeOf returns it. That takes less time than WholeOf where e does: nothing is minimized
// then, and nothing added to the Space. It fails where Whole does.
func (p *PEG) WholeIs(e *expr.Expr, a *DFA) (same bool, l Language, err error) {
	x := p.s.expect(a)
	l, err = p.languageBefore(e, atEnd, x)
	if err != nil || x.met() {
		return err == nil, l, err
	}
	same, err = p.s.Is(l, a)
	return same, l, err
}

// DeeperOf returns D(e): the words on which the match of e comes to a Deep. It fails where Whole does.
func (p *PEG) DeeperOf(e *expr.Expr) (Language, error) { return p.languageBefore(e, nowhere, nil) }

// languageBefore returns S(e, K), where the stack end stands for K: only the empty rest (atEnd), or every rest
// (anywhere). For nowhere it returns D(e). With atEnd, only well-formed UTF-8 is kept if the grammar is one of text
// ([expr.Grammar.UTF8]), and it fails if e is a use of a refused rule. Other errors are those of [PEG.Whole]. If
// expected, which may be nil, is met, the language is not computed, and the result means nothing.
func (p *PEG) languageBefore(e *expr.Expr, end int32, expected *expectation) (Language, error) {
	if err := p.s.foreign(p.g, e); err != nil {
		return NoWord, err
	}
	if e.Op == expr.Ref && end == atEnd {
		if r := p.g.Rule(e.Name); r != nil && r.Refused != nil {
			return NoWord, r.Refused
		}
	}
	if err := p.form.check(e); err != nil {
		return NoWord, err
	}
	for _, id := range expr.Refs(e) { // their relations must be known before e's language is computed
		p.prepare(id)
		if err := p.failed[id]; err != nil {
			return NoWord, err
		}
	}
	var rule *expr.Rule
	if e.Op == expr.Ref {
		rule = p.g.Rule(e.Name)
	}
	var l Language
	err := p.s.meter.shareFor(rule, func() {
		x := p.terms.termOf(e)
		switch end {
		case anywhere:
			l = Language(p.succeeds(x))
		case nowhere:
			l = Language(p.deepens(x))
		default:
			if p.g.UTF8 { // what is compiled has other words, too
				expected = nil
			}
			l = Language(p.compileExpecting(x, end, expected))
		}
	})
	if err == nil && p.g.UTF8 && end == atEnd {
		return p.s.TextOf(l)
	}
	return l, err
}

// prepare finds the relation of a rule, after those of the rules that it uses, unless that was done. It enters them
// in p.summary, or an error in p.failed.
func (p *PEG) prepare(id string) {
	p.visit(id, func(id string) bool { _, ok := p.summary[id]; return ok }, func(members []*expr.Rule) (err error) {
		for _, r := range members {
			if err == nil {
				err = p.s.meter.shareFor(r, func() { p.summary[r.ID] = p.relationOf(r.ID) })
			}
		}
		for _, r := range members {
			if err != nil {
				delete(p.summary, r.ID)
			}
		}
		return err
	})
}

// relationOf computes the relation of a rule from those of the rules that it uses.
func (p *PEG) relationOf(id string) int32 {
	if language, ok := p.longest[id]; ok {
		return p.longestOf(int32(language()))
	}
	return p.compile(p.body(id), marked)
}

// succeeds returns S(x, all) for a term x.
func (p *PEG) succeeds(x int32) int32 {
	t := p.terms.term(x)
	switch {
	case t.op == termRead:
		return p.s.prefixTerminal(t.source, all)
	case p.deep:
	case p.terms.neverFails(x):
		return all
	case t.op == termSeq && p.terms.neverFails(t.b): // such as the end of each round of a count
		return p.succeeds(t.a)
	}
	return p.compileOnce(p.prefix, x, anywhere)
}

// deepens returns D(x) for a term x.
func (p *PEG) deepens(x int32) int32 {
	if !p.deep || p.terms.term(x).op == termRead {
		return none
	}
	return p.compileOnce(p.deeper, x, nowhere)
}

// compileOnce compiles x before end, unless known has the result: known is p.prefix for anywhere, and p.deeper for
// nowhere. If the compilation needs its own result, because a rule calls itself at its end after an ordered choice,
// the alternating automaton finds it, which does not need it.
func (p *PEG) compileOnce(known map[int32]int32, x, end int32) int32 {
	l, ok := known[x]
	switch {
	case !ok:
		known[x] = pending
		defer func() {
			if known[x] == pending { // a limit was passed
				delete(known, x)
			}
		}()
		known[x] = p.compile(x, end)
	case l == pending:
		known[x] = p.compileBackward(p.pushTerm(x, end), smallCone)
	}
	return known[x]
}

// compile returns S(x, end): the automaton of all states that the derivatives lead to, made part of the pool.
func (p *PEG) compile(x, end int32) int32 { return p.compileExpecting(x, end, nil) }

// compileExpecting is compile, unless expected, which may be nil, is met. Then nothing is made part of the pool, and
// the result means nothing.
func (p *PEG) compileExpecting(x, end int32, expected *expectation) int32 {
	var states []state
	var held int64
	defer func() { p.s.meter.release(held) }()
	var index listIndex
	var key []int32
	entry := func(s state) int32 { // returns the entry of a batch's row
		switch {
		case len(s.atoms) == 0 || s.closed == all:
			return s.closed
		case len(s.atoms) == 1:
			a := s.atoms[0]
			if s.closed == none && a.guard == all && p.openOf[a.atom].rest == marked {
				return p.openOf[a.atom].relation
			}
			if l, ok := p.single[singleState{s.closed, a}]; ok {
				return l
			}
		}
		key = s.key(key[:0])
		q, fresh := index.of(key)
		if fresh {
			size := int64(8*len(key) + memoBytes + 32)
			p.s.meter.chargeHeld(size)
			held += size
			states = append(states, s)
		}
		return local(q)
	}
	first := entry(p.enter(p.pushTerm(x, end), all))
	if first >= 0 {
		return first
	}
	b := p.pool.newBatch()
	defer b.release()
	expected.begin()
	const mostDistinct = 8     // caps the classes that the next one is compared with
	var known, entries []int32 // the derivatives of the first classes that differ, and where they lead
	for i := 0; i < len(states); i++ {
		p.s.meter.countState(i)
		s := states[i]
		q := b.addState(p.pool.accept[s.closed])
		b.rowOfState(q)[p.s.mark()] = p.pool.derive(s.closed, p.s.mark())
		known, entries = known[:0], entries[:0]
		for c := range p.s.first {
			from := len(known)
			known = p.derivatives(s, c, known)
			d, to := known[from:], int32(none)
			// Most classes lead where one before them does, by the same derivatives.
			k := 0
			for k < len(entries) && !slices.Equal(known[k*len(d):(k+1)*len(d)], d) {
				k++
			}
			if k < len(entries) {
				p.s.meter.step(1)
				to = entries[k]
			} else {
				to = entry(p.derive(s, d))
			}
			b.rowOfState(q)[c] = to
			if k < len(entries) || len(entries) == mostDistinct {
				known = known[:from]
			} else {
				entries = append(entries, to)
			}
		}
		expected.compare(b, q)
	}
	if expected.met() {
		return none
	}
	languages := b.intern()
	for i, s := range states {
		if len(s.atoms) == 1 {
			p.s.meter.charge(memoBytes)
			p.single[singleState{s.closed, s.atoms[0]}] = languages[i]
		}
	}
	return languages[0]
}

// derivatives appends to list the numbers that decide where a class of bytes leads from s: the derivative of its closed
// language and, of each atom, those of the relation and of the guard.
func (p *PEG) derivatives(s state, c int, list []int32) []int32 {
	list = append(list, p.pool.derive(s.closed, c))
	for _, a := range s.atoms {
		relation, guard := p.pool.derive(p.openOf[a.atom].relation, c), p.pool.derive(a.guard, c)
		if relation == none || guard == none { // the atom is gone
			relation, guard = none, none
		}
		list = append(list, relation, guard)
	}
	return list
}

// derive returns the state that s leads to by a class of bytes with these derivatives.
func (p *PEG) derive(s state, derivatives []int32) state {
	p.s.meter.step(1 + len(s.atoms))
	out := gathering{closed: derivatives[0], marked: none}
	for i, a := range s.atoms {
		p.addRead(derivatives[1+2*i], p.openOf[a.atom].rest, derivatives[2+2*i], &out)
	}
	return p.normalize(&out)
}

// A gathering is a state in the making. marked is the guard under which the input matches after the mark.
type gathering struct {
	closed, marked int32
	atoms          []guarded
	seen           map[[2]int32]bool
}

// normalize returns the state of g in its normal form. It overwrites g.atoms.
func (p *PEG) normalize(g *gathering) state {
	s := state{closed: g.closed, atoms: g.atoms}
	if g.marked != none {
		row := make([]int32, p.pool.k)
		row[p.s.mark()] = g.marked
		s.closed = p.pool.apply(union, s.closed, p.pool.rowState(row, false))
	}
	slices.SortFunc(s.atoms, func(a, b guarded) int { return cmp.Or(int(a.atom-b.atom), int(a.guard-b.guard)) })
	n := 0
	for _, a := range s.atoms {
		if n > 0 && s.atoms[n-1].atom == a.atom {
			s.atoms[n-1].guard = p.pool.apply(union, s.atoms[n-1].guard, a.guard)
			continue
		}
		s.atoms[n] = a
		n++
	}
	s.atoms = s.atoms[:n]
	return s
}

// addRead adds to out "the input is in the guard, and the relation and then the stack match it".
func (p *PEG) addRead(relation, rest, guard int32, out *gathering) {
	if relation == none || guard == none {
		return
	}
	row := p.pool.rowOf(relation)
	mark := p.s.mark()
	if row[mark] != none {
		s := p.enter(rest, p.pool.apply(intersection, guard, row[mark]))
		out.closed = p.pool.apply(union, out.closed, s.closed)
		out.atoms = append(out.atoms, s.atoms...)
	}
	for _, to := range row[:mark] {
		if to != none {
			out.atoms = append(out.atoms, guarded{p.openAtom(relation, rest), guard})
			return
		}
	}
}

// enter returns the state "the input is in the guard, and the stack matches it".
func (p *PEG) enter(k, guard int32) state {
	key := [2]int32{k, guard}
	if s, ok := p.entered[key]; ok {
		return s
	}
	out := gathering{closed: none, marked: none}
	p.enterStack(k, guard, &out)
	s := p.normalize(&out)
	p.s.meter.charge(int64(memoBytes + 32 + 8*len(s.atoms)))
	p.entered[key] = s
	return s
}

// enterStack adds to out the state that enter returns, unless out.seen says that it was added.
func (p *PEG) enterStack(k, guard int32, out *gathering) {
	if guard == none {
		return
	}
	switch k {
	case anywhere:
		out.closed = p.pool.apply(union, out.closed, guard)
		return
	case atEnd:
		out.closed = p.pool.apply(union, out.closed, p.pool.apply(intersection, guard, epsilon))
		return
	case marked:
		out.marked = p.pool.apply(union, out.marked, guard)
		return
	case nowhere:
		return
	}
	key := [2]int32{k, guard}
	if out.seen[key] {
		return
	}
	if out.seen == nil {
		out.seen = map[[2]int32]bool{}
	}
	out.seen[key] = true
	p.enterTerm(p.stackOf[k].term, p.stackOf[k].rest, guard, out)
}

// enterTerm adds to out the inputs that are in guard and on which the term x and then the stack rest succeed. It
// reads no byte: it adds atoms that read next, and closed languages.
func (p *PEG) enterTerm(x, rest, guard int32, out *gathering) {
	for guard != none {
		p.s.meter.step(1)
		t := *p.terms.term(x)
		switch t.op {
		case termEmpty:
			p.enterStack(rest, guard, out)
			return
		case termRead:
			p.addRead(t.a, rest, guard, out)
			return
		case termRule:
			relation, ok := p.summary[t.rule]
			if !ok {
				x = p.body(t.rule)
				continue
			}
			if p.inDeep[rest] {
				deep := p.pool.apply(intersection, guard, p.deepens(p.body(t.rule)))
				out.closed = p.pool.apply(union, out.closed, deep)
			}
			p.addRead(relation, rest, guard, out)
			return
		case termSeq:
			x, rest = t.a, p.pushTerm(t.b, rest)
			continue
		case termDeep:
			if p.inDeep[rest] {
				out.closed = p.pool.apply(union, out.closed, guard)
			}
			return
		}
		// The other operators depend on whether t.a succeeds, whatever follows, and on whether Deep ends the match in
		// it.
		yes, deep := p.succeeds(t.a), p.deepens(t.a)
		no := p.pool.apply(difference, p.pool.apply(difference, guard, yes), deep)
		switch t.op {
		case termNot, termAnd:
			if p.inDeep[rest] {
				out.closed = p.pool.apply(union, out.closed, p.pool.apply(intersection, guard, deep))
			}
			if t.op == termAnd {
				no = p.pool.apply(intersection, guard, yes)
			}
			p.enterStack(rest, no, out)
			return
		case termAlt:
			p.enterStack(p.pushTerm(t.a, rest), guard, out)
			x, guard = t.b, no
		default: // termStar
			p.enterStack(p.pushTerm(t.a, p.pushTerm(x, rest)), guard, out)
			p.enterStack(rest, no, out)
			return
		}
	}
}

// body returns the term for the expression of the rule.
func (p *PEG) body(id string) int32 {
	return expr.Memo(p.bodies, id, func() int32 { return p.terms.termOf(p.g.Rule(id).Expr) })
}

// pushTerm returns the stack with x on top of rest.
func (p *PEG) pushTerm(x, rest int32) int32 {
	s := stack{x, rest}
	k, ok := p.stacks[s]
	if !ok {
		p.s.meter.charge(memoBytes + 16)
		k = int32(len(p.stackOf))
		p.stacks[s] = k
		p.stackOf = append(p.stackOf, s)
		p.inDeep = append(p.inDeep, p.inDeep[rest])
	}
	return k
}

// openAtom returns the number of the atom that reads the relation and then matches the stack rest.
func (p *PEG) openAtom(relation, rest int32) int32 {
	o := openTerm{relation, rest}
	a, ok := p.opens[o]
	if !ok {
		p.s.meter.charge(memoBytes + 16)
		a = int32(len(p.openOf))
		p.opens[o] = a
		p.openOf = append(p.openOf, o)
	}
	return a
}

// key appends to list the numbers that are the same for two states exactly if they are equal.
func (s state) key(list []int32) []int32 {
	list = append(list, s.closed)
	for _, a := range s.atoms {
		list = append(list, a.atom, a.guard)
	}
	return list
}
