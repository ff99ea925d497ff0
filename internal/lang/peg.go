package lang

import (
	"encoding/binary"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// FromPEG returns the words that the rule, in the ordered grammar g, matches from their first byte to their last. Who wants
// several rules of one grammar makes one [PEG] for all of them.
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

// A PEG computes the languages of an ordered grammar, by boolean derivatives in a normal form.
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
// pool. What remains is a union of guarded terms, "the input is in the guard, and c K": c reads one byte and K is a stack
// of expressions to come. So a state is one closed language and, for each such atom c K, one guard, a closed language as
// well; both have normal forms, and the guards of one atom are united. A derivative acts on the closed language, on each
// guard, and on each atom.
//
// A PEG remembers what it has compiled. It is not safe for concurrent use.
type PEG struct {
	g      *expr.Grammar
	limits Limits
	class  [256]uint8
	pool   *pool
	form   *pegForm

	terms   termTable
	bodies  map[string]int32 // rule -> term
	prefix  map[int32]int32  // term x -> S(x, all); pending while it is being compiled
	stacks  map[stack]int32
	stackOf []stack
	openOf  []openTerm // the atoms
	opens   map[openTerm]int32
	entered map[[2]int32]state // what becomes of a stack under a guard, without reading
}

// pending stands in PEG.prefix for a language that is being compiled.
const pending int32 = -1

// A stack is a term to be matched and the stack to be matched after it.
type stack struct{ term, rest int32 }

// The two stacks without a term: matched at the end of input only, and matched everywhere.
const (
	atEnd int32 = iota
	anywhere
)

// An openTerm is an atom: one byte of a set of classes, followed by a stack.
type openTerm struct{ term, rest int32 }

// A state is a union: a closed language, and guarded atoms in ascending order.
type state struct {
	closed int32
	atoms  []guarded
}

type guarded struct{ atom, guard int32 }

// NewPEG prepares to compile rules of the ordered grammar g, and expressions over it. An expression that is not a part of
// g and holds terminals of its own must be among extra. Its error is a grammar that is not ordered.
func NewPEG(g *expr.Grammar, l Limits, extra ...*expr.Expr) (*PEG, error) {
	if !g.Ordered {
		return nil, fmt.Errorf("%s: unordered alternatives cannot be read as ordered", g.Name)
	}
	classes := expr.NewPartition()
	for _, r := range g.Rules {
		classes.SplitByTerminals(r.Expr)
	}
	for _, e := range extra {
		classes.SplitByTerminals(e)
	}
	return &PEG{
		g:       g,
		limits:  l,
		class:   classes.Class,
		pool:    newPool(classes.N),
		terms:   newTermTable(firstBytes(&classes.Class, classes.N)),
		bodies:  map[string]int32{},
		prefix:  map[int32]int32{},
		stacks:  map[stack]int32{},
		stackOf: make([]stack, 2),
		opens:   map[openTerm]int32{},
		entered: map[[2]int32]state{},
		form:    newPEGForm(g),
	}, nil
}

// Whole returns S(e, {""}): the words that e matches from their first byte to their last.
//
// Errors are a rule that is not defined, a repetition without limit of something that can match the empty word, a rule
// that can call itself before it has read anything, one that calls itself other than at its end (so that no automaton
// follows it), terminals of e that [NewPEG] was not told of, and a passed limit.
func (p *PEG) Whole(e *expr.Expr) (*DFA, error) { return p.language(e, atEnd) }

// Prefix returns S(e, all): the words of which e matches some beginning. Errors are those of Whole.
func (p *PEG) Prefix(e *expr.Expr) (*DFA, error) { return p.language(e, anywhere) }

func (p *PEG) language(e *expr.Expr, end int32) (*DFA, error) {
	var foreign error
	expr.Terminals(e, func(s expr.Set) {
		if foreign == nil && splits(&p.class, s) {
			foreign = expr.Errorf(e.Pos, "%s has terminals that the automata of %s do not tell apart", e, p.g.Name)
		}
	})
	if foreign != nil {
		return nil, foreign
	}
	if err := p.form.check(e); err != nil {
		return nil, err
	}
	l, err := p.compile(p.terms.of(e), end)
	if err != nil {
		return nil, err
	}
	return p.pool.dfa(l, p.class), nil
}

// succeeds returns S(x, all) for a term x.
func (p *PEG) succeeds(x int32) (int32, error) {
	if l, ok := p.prefix[x]; ok && l != pending {
		return l, nil
	} else if ok {
		// S(x, all) is needed to find S(x, all): a rule calls itself at its end, behind an ordered choice. The alternating
		// automaton has no such difficulty.
		a, err := reversePrefix(p.g, p.terms.expr(x), p.limits)
		if err != nil {
			return none, err
		}
		p.prefix[x] = p.pool.add(a, p.terms.first)
		return p.prefix[x], nil
	}
	p.prefix[x] = pending
	l, err := p.compile(x, anywhere)
	if err != nil {
		delete(p.prefix, x)
		return none, err
	}
	p.prefix[x] = l
	return l, nil
}

// compile returns S(x, {""}) or S(x, all): the automaton of all states that the derivatives lead to, made part of the pool.
func (p *PEG) compile(x, end int32) (int32, error) {
	first, err := p.enter(p.push(x, end), all)
	if err != nil {
		return none, err
	}
	var states []state
	index := map[string]int32{}
	var key []byte
	entry := func(s state) int32 { // as an entry of a batch's row
		if len(s.atoms) == 0 || s.closed == all {
			return s.closed
		}
		key = s.key(key[:0])
		q, ok := index[string(key)]
		if !ok {
			q = int32(len(states))
			index[string(key)] = q
			states = append(states, s)
		}
		return local(q)
	}
	if l := entry(first); l >= 0 {
		return l, nil
	}
	b := p.pool.batch()
	for i := 0; i < len(states); i++ {
		if i >= p.limits.dfa() {
			return none, tooLarge("the automaton of a PEG", p.limits.dfa())
		}
		q := b.state(p.pool.accept[states[i].closed])
		for c := range p.pool.k {
			s, err := p.derive(states[i], c)
			if err != nil {
				return none, err
			}
			b.row(q)[c] = entry(s)
		}
	}
	return b.intern()[0], nil
}

// derive returns what s leaves to be matched after a byte of class c.
func (p *PEG) derive(s state, c int) (state, error) {
	out := state{closed: p.pool.derive(s.closed, c)}
	for _, a := range s.atoms {
		open := p.openOf[a.atom]
		if !p.terms.has(open.term, c) {
			continue
		}
		t, err := p.enter(open.rest, p.pool.derive(a.guard, c))
		if err != nil {
			return state{}, err
		}
		out = p.union(out, t)
	}
	return out, nil
}

func (p *PEG) union(s, t state) state {
	u := state{closed: p.pool.apply(union, s.closed, t.closed)}
	if len(s.atoms) == 0 || len(t.atoms) == 0 {
		u.atoms = append(s.atoms[:len(s.atoms):len(s.atoms)], t.atoms...)
		return u
	}
	i, j := 0, 0
	for i < len(s.atoms) || j < len(t.atoms) {
		switch {
		case j == len(t.atoms) || i < len(s.atoms) && s.atoms[i].atom < t.atoms[j].atom:
			u.atoms = append(u.atoms, s.atoms[i])
			i++
		case i == len(s.atoms) || t.atoms[j].atom < s.atoms[i].atom:
			u.atoms = append(u.atoms, t.atoms[j])
			j++
		default:
			u.atoms = append(u.atoms, guarded{s.atoms[i].atom, p.pool.apply(union, s.atoms[i].guard, t.atoms[j].guard)})
			i++
			j++
		}
	}
	return u
}

// enter returns the state "the input is in the guard, and the stack matches it".
func (p *PEG) enter(k, guard int32) (state, error) {
	if guard == none {
		return state{closed: none}, nil
	}
	switch k {
	case anywhere:
		return state{closed: guard}, nil
	case atEnd:
		return state{closed: p.pool.apply(intersection, guard, epsilon)}, nil
	}
	key := [2]int32{k, guard}
	if s, ok := p.entered[key]; ok {
		return s, nil
	}
	s, err := p.enterTerm(p.stackOf[k].term, p.stackOf[k].rest, guard)
	if err == nil {
		p.entered[key] = s
	}
	return s, err
}

func (p *PEG) enterTerm(x, rest, guard int32) (state, error) {
	t := p.terms.at(x)
	switch t.op {
	case termEmpty:
		return p.enter(rest, guard)
	case termByte:
		if t.set.IsEmpty() {
			return state{closed: none}, nil
		}
		return state{closed: none, atoms: []guarded{{p.open(x, rest), guard}}}, nil
	case termRule:
		return p.enter(p.push(p.body(t.rule), rest), guard)
	case termSeq:
		return p.enter(p.push(t.a, p.push(t.b, rest)), guard)
	}
	l, err := p.succeeds(t.a) // what is left decides by whether this part succeeds
	if err != nil {
		return state{}, err
	}
	no := p.pool.apply(difference, guard, l)
	switch t.op {
	case termNot:
		return p.enter(rest, no)
	case termAnd:
		return p.enter(rest, p.pool.apply(intersection, guard, l))
	case termAlt:
		return p.either(p.push(t.a, rest), guard, p.push(t.b, rest), no)
	default: // termStar
		return p.either(p.push(t.a, p.push(x, rest)), guard, rest, no)
	}
}

func (p *PEG) either(k, kGuard, m, mGuard int32) (state, error) {
	s, err := p.enter(k, kGuard)
	if err != nil {
		return state{}, err
	}
	t, err := p.enter(m, mGuard)
	if err != nil {
		return state{}, err
	}
	return p.union(s, t), nil
}

// body returns the term for the expression of the rule.
func (p *PEG) body(id string) int32 {
	x, ok := p.bodies[id]
	if !ok {
		x = p.terms.of(p.g.Rule(id).Expr)
		p.bodies[id] = x
	}
	return x
}

func (p *PEG) push(x, rest int32) int32 {
	s := stack{x, rest}
	k, ok := p.stacks[s]
	if !ok {
		k = int32(len(p.stackOf))
		p.stacks[s] = k
		p.stackOf = append(p.stackOf, s)
	}
	return k
}

func (p *PEG) open(x, rest int32) int32 {
	o := openTerm{x, rest}
	a, ok := p.opens[o]
	if !ok {
		a = int32(len(p.openOf))
		p.opens[o] = a
		p.openOf = append(p.openOf, o)
	}
	return a
}

// key appends what two states have in common exactly if they are equal.
func (s state) key(buf []byte) []byte {
	buf = binary.LittleEndian.AppendUint32(buf, uint32(s.closed))
	for _, a := range s.atoms {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.atom))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(a.guard))
	}
	return buf
}
