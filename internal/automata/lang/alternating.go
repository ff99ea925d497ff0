package lang

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// compileBackward finds the language of a stack with an alternating automaton (Chandra, Kozen and Stockmeyer,
// "Alternation", 1981) that reads the input from its end to its beginning.
//
// Its variables are "K matches from here", one for every stack K that can be left to be matched after a byte was
// read. Whether one holds at a position is a boolean function, negation included, of the byte there and of the
// variables one position later; at the end of the input it is a constant. So the values of all variables are the
// state of a deterministic automaton for the reversed words. That automaton read backwards, and made deterministic,
// is the result.
//
// If that makes more states than small, the automaton is taken apart: a variable stands for a language, which is the
// same function of the languages of other variables. Each of those is then found by itself.
func (p *PEG) compileBackward(k int32, small int) int32 {
	m := &alternating{
		PEG:      p,
		small:    small,
		gateOf:   map[int32]int{},
		known:    map[int]int32{},
		combined: map[int]int32{},
		apart:    map[int]bool{},
		same:     map[gate]int{},
		gates: []gate{
			gateTrue:  {op: opTrue},
			gateEnd:   {op: opEnd},
			gateFalse: {op: opAndNot, a: gateTrue, b: gateTrue},
		},
	}
	m.variableOf(k)
	for i := 0; i < len(m.variables.List); i++ {
		m.output = append(m.output, m.gateOfStack(m.variables.List[i]))
	}
	return m.languageOfVariable(0)
}

// smallCone caps the states of an automaton that is not taken apart.
const smallCone = 1 << 9

// alternating is the automaton as a circuit.
type alternating struct {
	*PEG
	small  int
	gateOf map[int32]int // by stack

	variables expr.Numbering[int32] // stacks
	output    []int                 // the gate of each variable
	gates     []gate                // each uses earlier ones only, and no two are the same
	same      map[gate]int

	known    map[int]int32 // languages of variables
	combined map[int]int32 // languages of gates
	apart    map[int]bool  // variables whose language is, or is being, combined from others
}

// A gate is a node of the circuit: whether it holds at a position.
type gate struct {
	op   gateOp
	a, b int      // gates; for opByte a is a variable
	set  expr.Set // for opByte
}

type gateOp uint8

const (
	opTrue   gateOp = iota
	opEnd           // this is the end of the input
	opByte          // a byte of set is here, and variable a holds after it
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

// variableOf returns the variable for a stack.
func (m *alternating) variableOf(k int32) int {
	v, _ := m.variables.Of(k)
	return v
}

// addGate returns the number of a gate, which it adds if it is new.
func (m *alternating) addGate(g gate) int {
	at, ok := m.same[g]
	if !ok {
		m.s.meter.charge(memoBytes + 96)
		at = len(m.gates)
		m.same[g] = at
		m.gates = append(m.gates, g)
	}
	return at
}

// gateOfStack returns the gate for whether the stack k matches here. k must not end in marked. If there are more
// stacks than an NFA may have states, it panics with [budget.Stopped].
func (m *alternating) gateOfStack(k int32) int {
	switch k {
	case atEnd:
		return gateEnd
	case anywhere:
		return gateTrue
	case nowhere:
		return gateFalse
	}
	g, ok := m.gateOf[k]
	if !ok {
		if most := m.s.limits.maxNFA(); len(m.gateOf) > most {
			panic(budget.Stopped(TooMany(most, "states in an alternating automaton")))
		}
		g = m.gateOfTerm(m.stackOf[k].term, m.stackOf[k].rest)
		m.gateOf[k] = g
	}
	return g
}

// gateOfTerm returns the gate for whether the term x and then the stack rest match here. It follows the equations in
// the comment of [PEG]. There is no gate for a rule that matches at its longest only (see [NewPEGLongest]):
// gateOfTerm then panics with [budget.Stopped].
func (m *alternating) gateOfTerm(x, rest int32) int {
	t := *m.terms.term(x)
	switch t.op {
	case termEmpty:
		return m.gateOfStack(rest)
	case termRead:
		set, behind := t.source.Set, rest
		if lit := t.source.Lit; lit != "" {
			if set = expr.Bytes(lit[:1]); len(lit) > 1 {
				behind = m.pushTerm(m.terms.readTerm(expr.Lit(lit[1:])), rest)
			}
		}
		return m.addGate(gate{op: opByte, set: set, a: m.variableOf(behind)})
	case termRule:
		if _, ok := m.longest[t.rule]; ok {
			panic(budget.Stopped(fmt.Errorf(
				"what calls itself at its end, behind an ordered choice, uses `%s` at its longest", t.rule)))
		}
		return m.gateOfStack(m.pushTerm(m.body(t.rule), rest))
	case termSeq:
		return m.gateOfStack(m.pushTerm(t.a, m.pushTerm(t.b, rest)))
	case termDeep:
		if m.inDeep[rest] {
			return gateTrue
		}
		return gateFalse
	}
	// The other operators decide by whether t.a succeeds, whatever follows, and by whether Deep ends the match in it.
	some, deep := m.gateOfStack(m.pushTerm(t.a, anywhere)), gateFalse
	if m.deep {
		deep = m.gateOfStack(m.pushTerm(t.a, nowhere))
	}
	switch t.op {
	case termAlt:
		first, second := m.gateOfStack(m.pushTerm(t.a, rest)), m.gateOfStack(m.pushTerm(t.b, rest))
		return m.or(first, m.addGate(gate{op: opAndNot, a: second, b: m.or(some, deep)}))
	case termStar:
		another, none := m.gateOfStack(m.pushTerm(t.a, m.pushTerm(x, rest))), m.gateOfStack(rest)
		return m.or(another, m.addGate(gate{op: opAndNot, a: none, b: m.or(some, deep)}))
	}
	g := gate{op: opAnd, a: m.gateOfStack(rest), b: some}
	if t.op == termNot {
		g.op, g.b = opAndNot, m.or(some, deep)
	}
	if m.inDeep[rest] {
		return m.or(m.addGate(g), deep)
	}
	return m.addGate(g)
}

// or returns the gate for a or b.
func (m *alternating) or(a, b int) int {
	if b == gateFalse {
		return a
	}
	return m.addGate(gate{op: opOr, a: a, b: b})
}

// languageOfVariable returns the words on which variable v holds at their beginning. If v is made of itself, it
// cannot be taken apart. If its automaton then has more states than a DFA may have, languageOfVariable panics with
// [budget.Stopped].
func (m *alternating) languageOfVariable(v int) int32 {
	if l, ok := m.known[v]; ok {
		return l
	}
	c := m.coneOf(v)
	a := c.run(m.small, m.s.meter)
	if a == nil && !m.apart[v] {
		// The values of many variables that have little to do with each other have too many combinations. But the
		// gate of v is a function of other variables, and the language of v is the same function of their languages.
		m.apart[v] = true
		m.known[v] = m.languageOfGate(m.output[v])
		return m.known[v]
	}
	if a == nil { // v is made of itself
		if a = c.run(m.s.limits.maxDFA(), m.s.meter); a == nil {
			panic(budget.Stopped(TooMany(m.s.limits.maxDFA(), "states in an alternating automaton made deterministic")))
		}
	}
	m.known[v] = m.pool.add(a, m.s.first)
	return m.known[v]
}

// languageOfGate returns the words on which the gate holds at their beginning.
func (m *alternating) languageOfGate(at int) int32 {
	return expr.Memo(m.combined, at, func() int32 { return m.languageOfParts(m.gates[at]) })
}

// languageOfParts computes the language of a gate from those of its operands.
func (m *alternating) languageOfParts(g gate) int32 {
	switch g.op {
	case opTrue:
		return all
	case opEnd:
		return epsilon
	case opByte:
		return m.s.prefixOneOf(g.set, m.languageOfVariable(g.a))
	}
	op := map[gateOp]operator{opAnd: intersection, opOr: union, opAndNot: difference}[g.op]
	return m.pool.apply(op, m.languageOfGate(g.a), m.languageOfGate(g.b))
}

// A cone is the part of the circuit that one variable needs. That is its variable 0; output has the gate of each.
type cone struct {
	gates  []gate
	output []int
}

// coneOf returns the part of the circuit that the variable v depends on. In it, v is the variable 0, the others are
// numbered in the order in which they are met, and the gates are numbered anew.
func (m *alternating) coneOf(v int) *cone {
	var variables expr.Numbering[int]
	variables.Of(v)
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
			g.a, _ = variables.Of(g.a)
		case opAnd, opOr, opAndNot:
			g.a, g.b = need(g.a), need(g.b)
		}
		place[at] = len(c.gates)
		c.gates = append(c.gates, g)
		return place[at]
	}
	for i := 0; i < len(variables.List); i++ {
		c.output = append(c.output, need(m.output[variables.List[i]]))
	}
	return c
}

// run follows the values of all variables from the end of the input, for all bytes at once. It returns the words on
// which variable 0 holds at their beginning, or nil if there are more than limit combinations of values. It charges
// steps and memory to work, and gives the memory back at its end.
func (c *cone) run(limit int, work *meter) *DFA {
	classes := expr.NewPartition()
	for _, g := range c.gates {
		if g.op == opByte {
			classes.Split(g.set)
		}
	}
	first := classes.First()
	t := &table{class: classes.Class, k: classes.N}

	var held int64
	defer func() { work.release(held) }()
	var vectors []string // the states: one bit for each variable
	index := map[string]int32{}
	vector := make([]byte, (len(c.output)+7)/8)
	values := make([]expr.Set, len(c.gates)) // by gate: the bytes for which it holds here
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
			work.chargeHeld(size)
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

// evaluate sets values to the bytes for which each gate holds here. later has the values of the variables one
// position later, one bit each; it is "" at the end of the input.
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
