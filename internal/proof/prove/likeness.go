package prove

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A likeness tells how much a rule looks like its production. Its values are the marks of the .peg files.
type likeness string

const (
	identical likeness = "="
	reordered likeness = "~" // identical except for the order of alternatives
	rewritten likeness = "!"
)

// compareText compares a production with its rule as they are written, not by their languages. Spellings that differ
// only between the two notations count as the same: a class and a choice among its characters, adjacent literals and
// one, x x* and x+, parentheses that change nothing, and the actions of a PEG.
func compareText(bnf, peg *expr.Expr) likeness {
	a, b := plainForm(bnf, false), plainForm(peg, false)
	switch {
	case a.String() == b.String():
		return identical
	case plainForm(bnf, true).String() == plainForm(peg, true).String():
		return reordered
	}
	return rewritten
}

// plainForm returns a normal form of e without all that compareText ignores; sorted also brings alternatives into one
// order. Two expressions are alike if the strings of their forms are equal.
func plainForm(e *expr.Expr, sorted bool) *expr.Expr {
	sub := func() []*expr.Expr {
		var out []*expr.Expr
		for _, s := range e.Sub {
			out = append(out, plainForm(s, sorted))
		}
		return out
	}
	switch e.Op {
	case expr.Node:
		return plainForm(e.Sub[0], sorted)
	case expr.Class:
		if e.Set.Len() == 1 {
			return expr.Lit(string(e.Set.Members()))
		}
		return expr.In(e.Set)
	case expr.Literal:
		return expr.Lit(e.Lit) // without the text that it was printed as: see expr.Expr.Chars
	case expr.Seq:
		return plainSeq(expr.Cat(sub()...))
	case expr.Alt:
		return plainAlt(expr.Or(sub()...), sorted)
	case expr.Repeat:
		return expr.Times(plainForm(e.Sub[0], sorted), e.Min, e.Max)
	case expr.And, expr.Not:
		return expr.Lookahead(plainForm(e.Sub[0], sorted), e.Op == expr.Not)
	}
	return e
}

// plainSeq returns a sequence with adjacent literals joined into one, and x x* into x+; any other e as it is.
func plainSeq(e *expr.Expr) *expr.Expr {
	if e.Op != expr.Seq {
		return e
	}
	var out []*expr.Expr
	for _, s := range e.Sub {
		if len(out) > 0 {
			last := &out[len(out)-1]
			switch {
			case s.Op == expr.Literal && (*last).Op == expr.Literal:
				*last = expr.Lit((*last).Lit + s.Lit)
				continue
			case s.Op == expr.Repeat && s.Min == 0 && s.Max == expr.Unbounded && s.Sub[0].String() == (*last).String():
				*last = expr.Times(*last, 1, expr.Unbounded)
				continue
			}
		}
		out = append(out, s)
	}
	return expr.Cat(out...)
}

// plainAlt returns a choice with adjacent classes and one-byte literals joined into one class, or one literal for a
// single byte; any other e as it is. If sorted, the alternatives are sorted first, single bytes before all others.
func plainAlt(e *expr.Expr, sorted bool) *expr.Expr {
	if e.Op != expr.Alt {
		return e
	}
	alts := e.Sub
	if sorted {
		alts = slices.Clone(alts)
		slices.SortStableFunc(alts, func(a, b *expr.Expr) int {
			switch {
			case isByte(a) && isByte(b):
				return 0
			case isByte(a):
				return -1
			case isByte(b):
				return 1
			}
			return strings.Compare(a.String(), b.String())
		})
	}
	var out []*expr.Expr
	for _, s := range alts { // single bytes are merged only with their neighbors: the order of the others may matter
		if len(out) > 0 && isByte(s) && isByte(out[len(out)-1]) {
			out[len(out)-1] = expr.In(out[len(out)-1].OneByte().Union(s.OneByte()))
			continue
		}
		out = append(out, s)
	}
	for i, s := range out {
		if s.Op == expr.Class && s.Set.Len() == 1 {
			out[i] = expr.Lit(string(s.Set.Members()))
		}
	}
	return expr.Or(out...)
}
