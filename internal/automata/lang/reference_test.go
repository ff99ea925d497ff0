package lang

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file holds random grammars, whose automata are checked on all short words against recognizers that know nothing of automata:
// those of package pegtest for a BNF, and package peg's interpreter for a PEG.

// A maker makes random expressions over the first letters of the alphabet.
type maker struct {
	*rand.Rand
	letters int
	peg     bool
	refs    []string
}

func (m maker) expr(depth int) *expr.Expr {
	ops := []expr.Op{expr.Class, expr.Class, expr.Literal, expr.Empty}
	if depth > 0 {
		ops = []expr.Op{expr.Class, expr.Literal, expr.Seq, expr.Seq, expr.Seq, expr.Alt, expr.Alt, expr.Alt, expr.Repeat, expr.Repeat}
		if m.peg {
			ops = append(ops, expr.And, expr.Not, expr.Node)
		}
	}
	if len(m.refs) > 0 {
		ops = append(ops, expr.Ref)
	}
	switch op := ops[m.IntN(len(ops))]; op {
	case expr.Class:
		var s expr.Set
		for i := range m.letters {
			if m.IntN(2) == 0 {
				s.Add('a' + byte(i))
			}
		}
		return expr.In(s)
	case expr.Literal:
		var b strings.Builder
		for range 1 + m.IntN(3) {
			b.WriteByte('a' + byte(m.IntN(m.letters)))
		}
		return expr.Lit(b.String())
	case expr.Ref:
		return expr.To(m.refs[m.IntN(len(m.refs))])
	case expr.Seq, expr.Alt:
		sub := make([]*expr.Expr, 2+m.IntN(2))
		for i := range sub {
			sub[i] = m.expr(depth - 1)
		}
		if op == expr.Seq {
			return expr.Cat(sub...)
		}
		return expr.Or(sub...)
	case expr.Repeat:
		bounds := [][2]int{{0, 1}, {0, expr.Unbounded}, {0, expr.Unbounded}, {1, expr.Unbounded}, {0, 2}, {2, 2}, {1, 3}, {2, expr.Unbounded}}
		if !m.peg { // in a PEG what is never called still has to be well-formed
			bounds = append(bounds, [2]int{0, 0})
		}
		b := bounds[m.IntN(len(bounds))]
		return expr.Times(m.expr(depth-1), b[0], b[1])
	case expr.And, expr.Not:
		return expr.Lookahead(m.expr(depth-1), op == expr.Not)
	case expr.Node:
		return &expr.Expr{Op: expr.Node, Name: "n", Sub: []*expr.Expr{m.expr(depth - 1)}}
	}
	return expr.Lit("")
}

// grammarOf makes a grammar of productions a, b, c ... with these texts.
func grammarOf(ordered bool, texts ...*expr.Expr) *expr.Grammar {
	g := &expr.Grammar{Name: "test", Ordered: ordered}
	for i, e := range texts {
		id := string(rune('a' + i))
		g.Rules = append(g.Rules, &expr.Rule{ID: id, Name: id, Expr: e})
	}
	return g
}

// show prints a grammar.
func show(g *expr.Grammar) string {
	var b strings.Builder
	for _, r := range g.Rules {
		fmt.Fprintf(&b, "%s <- %s\n", r.ID, r.Expr)
	}
	return b.String()
}

// checkWords fails where the DFA and the reference disagree on a word.
func checkWords(t *testing.T, what string, a *DFA, words []string, want func(string) bool) {
	t.Helper()
	for _, w := range words {
		if got, want := a.Match(w), want(w); got != want {
			t.Fatalf("%s: %q: got %v, want %v", what, w, got, want)
		}
	}
}
