package lang

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// reverse finds the words on which e leaves what end wants, by way of an alternating automaton (Chandra, Kozen and Stockmeyer,
// "Alternation", 1981) that reads the input from its end to its beginning.
//
// Its variables are "K matches from here", one for every stack K of expressions that can be left to be matched after a
// byte was read. Whether one holds at a position is a boolean function, negation included, of the byte there and of the
// variables one position later; at the end of the input it is a constant. So the values of all variables are the state of
// a deterministic automaton for the reversed words. That automaton read backwards, and made deterministic, is the result.
//
// Where that makes too many states, the automaton is taken apart: what a variable stands for is a language, and it is the
// same function of other variables' languages. Each of those is then found by itself. The work is charged to the meter.
func reverse(g *expr.Grammar, e *expr.Expr, end *frame, l Limits, work *meter, small int) (a *DFA, err error) {
	err = work.within(nil, func() { a = reversed(g, e, end, l, work, small) })
	return a, err
}

func reversed(g *expr.Grammar, e *expr.Expr, end *frame, l Limits, work *meter, small int) *DFA {
	if !g.Ordered {
		panic(stopped{fmt.Errorf("%s: unordered alternatives cannot be read as ordered", g.Name)})
	}
	m := &alternating{
		g:        g,
		limits:   l,
		small:    small,
		work:     work,
		nowhere:  &frame{matchedAt: gateFalse, deep: true},
		frames:   map[frame]*frame{},
		anywhere: &frame{matchedAt: gateTrue},
		gateOf:   map[*frame]int{},
		variable: map[*frame]int{},
		known:    map[int]*DFA{},
		combined: map[int]*DFA{},
		apart:    map[int]bool{},
		same:     map[gate]int{},
		gates:    []gate{gateTrue: {op: opTrue}, gateEnd: {op: opEnd}, gateFalse: {op: opAndNot, a: gateTrue, b: gateTrue}},
	}
	m.deep = hasDeep(g)
	m.later(m.frame(e, 0, end))
	for i := 0; i < len(m.stacks); i++ {
		m.output = append(m.output, m.compile(m.stacks[i]))
	}
	return m.language(0)
}

// smallCone is how many states an automaton may have that is not taken apart.
const smallCone = 1 << 9

// alternating is the automaton as a circuit.
type alternating struct {
	g      *expr.Grammar
	limits Limits
	small  int
	work   *meter
	deep   bool // some rule has a Deep

	frames   map[frame]*frame
	anywhere *frame
	nowhere  *frame // below what is matched only to see whether it comes to a Deep
	gateOf   map[*frame]int

	stacks   []*frame // of each variable
	variable map[*frame]int
	output   []int  // the gate of each variable
	gates    []gate // each uses earlier ones only, and no two are the same
	same     map[gate]int

	known    map[int]*DFA // languages of variables
	combined map[int]*DFA // languages of gates
	apart    map[int]bool // variables whose language is, or is being, combined from others
}

// A frame is a stack of expressions to be matched one after the other; equal frames are one.
type frame struct {
	e    *expr.Expr
	done int // Literal: bytes matched; Seq: expressions matched; Alt: alternatives failed; Repeat: rounds matched
	rest *frame
	deep bool // the empty stack at the bottom is nowhere

	matchedAt int // where e is nil: the gate for whether the empty stack matches here
}

type gate struct {
	op   gateOp
	a, b int      // gates; for opByte a is a variable
	set  expr.Set // for opByte
}

type gateOp uint8

const (
	opTrue   gateOp = iota
	opEnd           // this is the end of the input
	opByte          // here is a byte of set, and behind it variable a holds
	opAnd           // a and b
	opOr            // a or b
	opAndNot        // a and not b
)

// The first gates of every circuit.
const (
	gateTrue = iota
	gateEnd
	gateFalse
)

func (m *alternating) frame(e *expr.Expr, done int, rest *frame) *frame {
	key := frame{e: e, done: done, rest: rest, deep: rest.deep}
	f, ok := m.frames[key]
	if !ok {
		m.work.take(2*memoBytes + 96)
		f = &key
		m.frames[key] = f
	}
	return f
}

// inside is frame for what remains of f's expression while a part of it is matched. Where that expression already waits
// below, it stands inside itself, and there is no end of stacks.
func (m *alternating) inside(f *frame, done int) *frame {
	for r := f.rest; r != nil; r = r.rest {
		if r.e == f.e {
			panic(stopped{expr.Errorf(f.e.Pos, "%s contains itself other than at its end", f.e)})
		}
	}
	return m.frame(f.e, done, f.rest)
}

// later returns the variable for a stack.
func (m *alternating) later(f *frame) int {
	v, ok := m.variable[f]
	if !ok {
		v = len(m.stacks)
		m.variable[f] = v
		m.stacks = append(m.stacks, f)
	}
	return v
}

func (m *alternating) add(g gate) int {
	at, ok := m.same[g]
	if !ok {
		at = len(m.gates)
		m.same[g] = at
		m.gates = append(m.gates, g)
	}
	return at
}

// unfinished marks a frame whose gate is being made.
const unfinished = -1

// compile returns the gate for whether the stack matches here.
func (m *alternating) compile(f *frame) int {
	if f.e == nil {
		return f.matchedAt
	}
	if g, ok := m.gateOf[f]; ok {
		if g == unfinished {
			panic(stopped{expr.Errorf(f.e.Pos, "%s comes back to itself before it has read anything", f.e)})
		}
		return g
	}
	if len(m.frames) > m.limits.nfa() {
		panic(stopped{tooLarge("an alternating automaton", m.limits.nfa())})
	}
	m.gateOf[f] = unfinished
	m.gateOf[f] = m.gate(f)
	return m.gateOf[f]
}

func (m *alternating) gate(f *frame) int {
	e := f.e
	switch e.Op {
	case expr.Class:
		return m.add(gate{op: opByte, set: e.Set, a: m.later(f.rest)})
	case expr.Literal:
		behind := f.rest
		if f.done < len(e.Lit)-1 {
			behind = m.frame(e, f.done+1, f.rest)
		}
		return m.add(gate{op: opByte, set: expr.Bytes(e.Lit[f.done : f.done+1]), a: m.later(behind)})
	case expr.Ref:
		r := m.g.Rule(e.Name)
		if r == nil {
			panic(stopped{expr.Errorf(e.Pos, "rule `%s` is not defined", e.Name)})
		}
		return m.compile(m.frame(r.Expr, 0, f.rest))
	case expr.Seq:
		if f.done == len(e.Sub)-1 {
			return m.compile(m.frame(e.Sub[f.done], 0, f.rest))
		}
		return m.then(e.Sub[f.done], f, f.done+1)
	case expr.Alt:
		first := m.frame(e.Sub[f.done], 0, f.rest)
		if f.done == len(e.Sub)-1 {
			return m.compile(first)
		}
		a := m.compile(first)
		return m.orElse(a, e.Sub[f.done], m.frame(e, f.done+1, f.rest))
	case expr.Repeat:
		next := f.done + 1
		if e.Max == expr.Unbounded {
			next = min(next, e.Min)
		}
		switch {
		case f.done < e.Min:
			return m.then(e.Sub[0], f, next)
		case f.done == e.Max:
			return m.compile(f.rest)
		}
		a := m.then(e.Sub[0], f, next)
		return m.orElse(a, e.Sub[0], f.rest)
	case expr.And, expr.Not:
		ahead := m.compile(m.frame(e.Sub[0], 0, m.anywhere))
		behind := m.compile(f.rest)
		deep := m.deeper(e.Sub[0])
		op := opAnd
		if e.Op == expr.Not {
			op, ahead = opAndNot, m.or(ahead, deep)
		}
		g := m.add(gate{op: op, a: behind, b: ahead})
		if f.deep {
			g = m.or(g, deep)
		}
		return g
	case expr.Node:
		return m.compile(m.frame(e.Sub[0], 0, f.rest))
	case expr.Deep:
		if f.deep {
			return gateTrue
		}
		return gateFalse
	}
	return m.compile(f.rest) // Empty
}

// deeper returns the gate for: the match of e here comes to a Deep.
func (m *alternating) deeper(e *expr.Expr) int {
	if !m.deep {
		return gateFalse
	}
	return m.compile(m.frame(e, 0, m.nowhere))
}

// or returns the gate for a or b.
func (m *alternating) or(a, b int) int {
	if b == gateFalse {
		return a
	}
	return m.add(gate{op: opOr, a: a, b: b})
}

// then returns the gate for: part matches here, and behind it f with so much done. Where nothing of f is left, that is f's
// rest.
func (m *alternating) then(part *expr.Expr, f *frame, done int) int {
	rest := f.rest
	if f.e.Op != expr.Repeat || done != f.e.Max {
		rest = m.inside(f, done)
	}
	return m.compile(m.frame(part, 0, rest))
}

// orElse returns the gate for: a holds, or first does not match here at all and the stack other does.
func (m *alternating) orElse(a int, first *expr.Expr, other *frame) int {
	some := m.compile(m.frame(first, 0, m.anywhere))
	deep := m.deeper(first)
	some = m.or(some, deep)
	b := m.compile(other)
	return m.add(gate{op: opOr, a: a, b: m.add(gate{op: opAndNot, a: b, b: some})})
}

// language returns the words on which variable v holds at their beginning.
func (m *alternating) language(v int) *DFA {
	if a := m.known[v]; a != nil {
		return a
	}
	c := m.cone(v)
	a := c.run(m.small, m.work)
	if a == nil && !m.apart[v] {
		// The values of many variables that have little to do with each other have too many combinations. But the
		// language of v is the same function of the languages that v is made of as v's gate is of those variables.
		m.apart[v] = true
		a = m.combine(m.output[v])
	}
	if a == nil { // v is made of itself
		if a = c.run(m.limits.dfa(), m.work); a == nil {
			panic(stopped{tooLarge("an alternating automaton made deterministic", m.limits.dfa())})
		}
	}
	m.known[v] = a
	return a
}

// combine returns the words on which the gate holds at their beginning.
func (m *alternating) combine(at int) *DFA {
	if a := m.combined[at]; a != nil {
		return a
	}
	m.combined[at] = m.combineParts(m.gates[at])
	return m.combined[at]
}

func (m *alternating) combineParts(g gate) *DFA {
	switch g.op {
	case opTrue:
		return All()
	case opEnd:
		return Epsilon()
	case opByte:
		a := m.language(g.a)
		return OfSet(g.set).Concat(a)
	}
	a := m.combine(g.a)
	b := m.combine(g.b)
	switch g.op {
	case opAnd:
		return a.Intersect(b)
	case opOr:
		return a.Union(b)
	}
	return a.Minus(b)
}

// A cone is the part of the circuit that a variable needs, its first.
type cone struct {
	gates  []gate
	output []int
}

func (m *alternating) cone(v int) *cone {
	variable := map[int]int{v: 0}
	variables := []int{v}
	place := map[int]int{}
	c := &cone{}
	var need func(at int) int
	need = func(at int) int {
		p, ok := place[at]
		if ok {
			return p
		}
		g := m.gates[at]
		switch g.op {
		case opByte:
			n, ok := variable[g.a]
			if !ok {
				n = len(variables)
				variable[g.a] = n
				variables = append(variables, g.a)
			}
			g.a = n
		case opAnd, opOr, opAndNot:
			g.a, g.b = need(g.a), need(g.b)
		}
		place[at] = len(c.gates)
		c.gates = append(c.gates, g)
		return place[at]
	}
	for i := 0; i < len(variables); i++ {
		c.output = append(c.output, need(m.output[variables[i]]))
	}
	return c
}

// run follows the values of all variables from the end of the input, for all bytes at once, and returns the words on which
// the first holds at their beginning, or nil if there are more than so many combinations of values.
func (c *cone) run(limit int, work *meter) *DFA {
	classes := expr.NewPartition()
	for _, g := range c.gates {
		if g.op == opByte {
			classes.Split(g.set)
		}
	}
	first := firstBytes(&classes.Class, classes.N)
	t := &table{class: classes.Class, k: classes.N}

	var held int64
	defer func() { work.release(held) }()
	var vectors []string // the states: one bit for each variable
	index := map[string]int32{}
	vector := make([]byte, (len(c.output)+7)/8)
	values := make([]expr.Set, len(c.gates)) // of each gate: the bytes for which it holds here
	intern := func(x byte) int32 {
		clear(vector)
		for v, g := range c.output {
			if values[g].Has(x) {
				vector[v/8] |= 1 << (v % 8)
			}
		}
		q, ok := index[string(vector)]
		if !ok {
			q = int32(len(vectors))
			size := int64(2*len(vector) + memoBytes + 4*t.k)
			work.hold(size)
			held += size
			vectors = append(vectors, string(vector))
			index[vectors[q]] = q
			t.accept = append(t.accept, vector[0]&1 != 0)
		}
		return q
	}
	c.evaluate(values, "")
	intern(0)
	for q := 0; q < len(vectors); q++ {
		if q >= limit {
			return nil
		}
		work.step(len(c.gates))
		c.evaluate(values, vectors[q])
		for _, x := range first {
			t.next = append(t.next, intern(x))
		}
	}
	return t.dfa(0).Reverse()
}

// evaluate computes all gates, given the variables one position later, or "" at the end of the input.
func (c *cone) evaluate(values []expr.Set, later string) {
	for i, g := range c.gates {
		var v expr.Set
		switch g.op {
		case opTrue:
			v = expr.AnyByte
		case opEnd:
			if later == "" {
				v = expr.AnyByte
			}
		case opByte:
			if later != "" && later[g.a/8]>>(g.a%8)&1 != 0 {
				v = g.set
			}
		case opAnd:
			v = values[g.a].Intersect(values[g.b])
		case opOr:
			v = values[g.a].Union(values[g.b])
		case opAndNot:
			v = values[g.a].Minus(values[g.b])
		}
		values[i] = v
	}
}
