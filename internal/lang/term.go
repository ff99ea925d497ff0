package lang

import "github.com/bnfcheck/bnfcheck/internal/expr"

// A term is an expression of a PEG in fewer kinds: literals are sequences of bytes, repetitions are stars and choices
// with nothing. Terms that look alike are one term.
type term struct {
	op   termOp
	a, b int32
	set  expr.Set // of bytes
	rule string
}

type termOp uint8

const (
	termEmpty termOp = iota
	termByte         // one byte of set
	termRule         // the rule
	termSeq          // a, then b
	termAlt          // a, or else b
	termStar         // as many a as there are
	termNot          // no a here
	termAnd          // an a here
)

type termTable struct {
	first  []byte // one byte of each class
	terms  []term
	index  map[term]int32
	byExpr map[*expr.Expr]int32
}

func newTermTable(first []byte) termTable {
	return termTable{first: first, index: map[term]int32{}, byExpr: map[*expr.Expr]int32{}}
}

func (t *termTable) at(x int32) *term { return &t.terms[x] }

// has reports whether the termByte x reads the bytes of class c.
func (t *termTable) has(x int32, c int) bool { return t.terms[x].set.Has(t.first[c]) }

func (t *termTable) make(n term) int32 {
	x, ok := t.index[n]
	if !ok {
		x = int32(len(t.terms))
		t.index[n] = x
		t.terms = append(t.terms, n)
	}
	return x
}

func (t *termTable) empty() int32 { return t.make(term{op: termEmpty}) }

func (t *termTable) seq(a, b int32) int32 {
	switch {
	case t.at(a).op == termEmpty:
		return b
	case t.at(b).op == termEmpty:
		return a
	}
	return t.make(term{op: termSeq, a: a, b: b})
}

// of returns the term for e.
func (t *termTable) of(e *expr.Expr) int32 {
	x, ok := t.byExpr[e]
	if !ok {
		x = t.translate(e)
		t.byExpr[e] = x
	}
	return x
}

func (t *termTable) translate(e *expr.Expr) int32 {
	switch e.Op {
	case expr.Class:
		return t.make(term{op: termByte, set: e.Set})
	case expr.Literal:
		x := t.empty()
		for i := len(e.Lit) - 1; i >= 0; i-- {
			x = t.seq(t.make(term{op: termByte, set: expr.Bytes(e.Lit[i : i+1])}), x)
		}
		return x
	case expr.Ref:
		return t.make(term{op: termRule, rule: e.Name})
	case expr.Seq:
		x := t.empty()
		for i := len(e.Sub) - 1; i >= 0; i-- {
			x = t.seq(t.of(e.Sub[i]), x)
		}
		return x
	case expr.Alt:
		last := len(e.Sub) - 1
		x := t.of(e.Sub[last])
		for i := last - 1; i >= 0; i-- {
			x = t.make(term{op: termAlt, a: t.of(e.Sub[i]), b: x})
		}
		return x
	case expr.Repeat:
		return t.repeat(t.of(e.Sub[0]), e.Min, e.Max)
	case expr.And:
		return t.make(term{op: termAnd, a: t.of(e.Sub[0])})
	case expr.Not:
		return t.make(term{op: termNot, a: t.of(e.Sub[0])})
	case expr.Node:
		return t.of(e.Sub[0])
	}
	return t.empty()
}

// repeat returns what is min times a followed by a star, or by ( a ( a ... / "" ) / "" ).
func (t *termTable) repeat(a int32, min, max int) int32 {
	x := t.empty()
	if max == expr.Unbounded {
		x = t.make(term{op: termStar, a: a})
	}
	for i := min; i < max; i++ {
		x = t.make(term{op: termAlt, a: t.seq(a, x), b: t.empty()})
	}
	for range min {
		x = t.seq(a, x)
	}
	return x
}

// expr returns an expression for the term x.
func (t *termTable) expr(x int32) *expr.Expr {
	n := t.at(x)
	switch n.op {
	case termByte:
		return expr.In(n.set)
	case termRule:
		return expr.To(n.rule)
	case termSeq:
		return expr.Cat(t.expr(n.a), t.expr(n.b))
	case termAlt:
		return expr.Or(t.expr(n.a), t.expr(n.b))
	case termStar:
		return expr.Times(t.expr(n.a), 0, expr.Unbounded)
	case termNot, termAnd:
		return expr.Lookahead(t.expr(n.a), n.op == termNot)
	}
	return expr.Cat()
}
