package lang

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// A term is an expression of a PEG in fewer kinds: literals are sequences of bytes, repetitions are stars and choices
// with the empty string. Terms that look alike are one term.
type term struct {
	op     termOp
	a, b   int32
	rule   string
	source *expr.Expr // a Class or a Literal
}

// A termOp says what a term does.
type termOp uint8

const (
	termEmpty termOp = iota
	termRead         // a word of the relation a, which source matches
	termRule         // the rule
	termSeq          // a, then b
	termAlt          // a, or else b
	termStar         // as many a as there are
	termNot          // no a here
	termAnd          // an a here
	termDeep         // the end of the whole match
)

// A termTable numbers terms, and remembers the term of each expression.
type termTable struct {
	s      *Space
	terms  []term
	index  map[term]int32
	byExpr map[*expr.Expr]int32
	read   map[int32]int32 // by relation: the term that reads it
}

// term returns the term with a number. The pointer is valid until the next term is added.
func (t *termTable) term(x int32) *term { return &t.terms[x] }

// intern returns the number of a term, which it adds if it is new.
func (t *termTable) intern(n term) int32 {
	x, ok := t.index[n]
	if !ok {
		x = int32(len(t.terms))
		t.s.meter.charge(2*memoBytes + 48)
		t.index[n] = x
		t.terms = append(t.terms, n)
	}
	return x
}

// emptyTerm returns the term that matches the empty word.
func (t *termTable) emptyTerm() int32 { return t.intern(term{op: termEmpty}) }

// sequenceTerm returns the term for a then b.
func (t *termTable) sequenceTerm(a, b int32) int32 {
	switch {
	case t.term(a).op == termEmpty:
		return b
	case t.term(b).op == termEmpty:
		return a
	}
	return t.intern(term{op: termSeq, a: a, b: b})
}

// termOf returns the term for e.
func (t *termTable) termOf(e *expr.Expr) int32 {
	return expr.Memo(t.byExpr, e, func() int32 { return t.translate(e) })
}

// translate computes the term for e. Sequences and choices nest to the right, and a Node is what is inside it. For an
// empty expression it is the empty term.
func (t *termTable) translate(e *expr.Expr) int32 {
	switch e.Op {
	case expr.Class, expr.Literal:
		return t.readTerm(e)
	case expr.Ref:
		return t.intern(term{op: termRule, rule: e.Name})
	case expr.Seq:
		x := t.emptyTerm()
		for i := len(e.Sub) - 1; i >= 0; i-- {
			x = t.sequenceTerm(t.termOf(e.Sub[i]), x)
		}
		return x
	case expr.Alt: // from the end, so that choices that end alike share terms
		last := len(e.Sub) - 1
		x := t.termOf(e.Sub[last])
		for i := last - 1; i >= 0; i-- {
			x = t.intern(term{op: termAlt, a: t.termOf(e.Sub[i]), b: x})
		}
		return x
	case expr.Repeat:
		return t.repeatTerm(t.termOf(e.Sub[0]), e.Min, e.Max)
	case expr.And:
		return t.intern(term{op: termAnd, a: t.termOf(e.Sub[0])})
	case expr.Not:
		return t.intern(term{op: termNot, a: t.termOf(e.Sub[0])})
	case expr.Node:
		return t.termOf(e.Sub[0])
	case expr.Deep:
		return t.intern(term{op: termDeep})
	}
	return t.emptyTerm()
}

// readTerm returns the term for a Class or a Literal, whose relation is the same whatever comes after it.
func (t *termTable) readTerm(e *expr.Expr) int32 {
	row := make([]int32, t.s.pool.k)
	row[t.s.mark()] = all
	relation := t.s.prefixTerminal(e, t.s.pool.rowState(row, false))
	return expr.Memo(t.read, relation, func() int32 { return t.intern(term{op: termRead, a: relation, source: e}) })
}

// prefixTerminal returns the words of l with a word of e, a Class or a Literal, in front of them.
func (s *Space) prefixTerminal(e *expr.Expr, l int32) int32 {
	if e.Op == expr.Class {
		return s.prefixOneOf(e.Set, l)
	}
	return s.prefixLiteral(e.Lit, l)
}

// repeatTerm returns the term for a repetition: min times a, followed by a* or, if max is finite, by nested options,
// ( a ( a ... / "" ) / "" ).
func (t *termTable) repeatTerm(a int32, min, max int) int32 {
	x := t.emptyTerm()
	if max == expr.Unbounded {
		x = t.intern(term{op: termStar, a: a})
	}
	for i := min; i < max; i++ {
		x = t.intern(term{op: termAlt, a: t.sequenceTerm(a, x), b: t.emptyTerm()})
	}
	for range min {
		x = t.sequenceTerm(a, x)
	}
	return x
}

// neverFails reports whether the form of x shows that it matches before any rest. It may be false for a term that
// never fails.
func (t *termTable) neverFails(x int32) bool {
	for {
		switch n := t.term(x); n.op {
		case termEmpty, termStar:
			return true
		case termSeq:
			if !t.neverFails(n.a) {
				return false
			}
			x = n.b
		case termAlt:
			x = n.b // a choice fails only where its last alternative does
		default:
			return false
		}
	}
}
