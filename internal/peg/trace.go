package peg

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A Trace is the attempt to match a rule somewhere, and the attempts that it consists of.
type Trace struct {
	Rule       *expr.Rule
	Start, End int  // End is -1 where the rule does not match
	Times      int  // of a rule that matches several times in a row, how often
	Ahead      bool // in a lookahead
	Parts      []*Trace
}

// Match returns where the part of s ends that e matches from there on, as pigeon's parser does, or -1. Choices commit, and
// repetitions are greedy. A rule that is not defined matches nothing; a repetition ends where it reads nothing.
//
// The stack is as deep as rules call each other. It is not bounded for a rule that calls itself before it has read
// anything.
func Match(g *expr.Grammar, e *expr.Expr, s string, from int) int {
	return (&matcher{rules: g, s: s}).match(e, from)
}

// Traced is Match for the rule with this ID at the beginning of s, with an account of it. It is an empty Trace if g has no such
// rule.
func Traced(g *expr.Grammar, id, s string) *Trace {
	m := &matcher{rules: g, s: s, at: &Trace{}}
	m.apply(id, 0)
	if len(m.at.Parts) == 0 {
		return &Trace{}
	}
	return m.at.Parts[0]
}

// A matcher interprets a grammar.
type matcher struct {
	rules *expr.Grammar
	s     string
	at    *Trace // what is being matched; nil where no account is kept
	ahead int    // how many lookaheads that is in
}

func (m *matcher) apply(id string, from int) int {
	r := m.rules.Rule(id)
	if r == nil {
		return -1
	}
	if m.at == nil {
		return m.match(r.Expr, from)
	}
	whole := m.at
	own := &Trace{Rule: r, Start: from, Times: 1, Ahead: m.ahead > 0}
	m.at = own
	own.End = m.match(r.Expr, from)
	if r.Expr.Op != expr.Node {
		own.Parts = nil // lexical: how a character is read is no news
	}
	m.at = whole
	whole.add(own)
	return own.End
}

// add appends an attempt. Of a rule that matches several times in a row, one part is kept, without what it consists of.
func (t *Trace) add(part *Trace) {
	if n := len(t.Parts); n > 0 {
		last := t.Parts[n-1]
		if last.Rule == part.Rule && last.End == part.Start && part.End > part.Start && last.Ahead == part.Ahead {
			last.End, last.Parts = part.End, nil
			last.Times++
			return
		}
	}
	t.Parts = append(t.Parts, part)
}

func (m *matcher) match(e *expr.Expr, from int) int {
	switch e.Op {
	case expr.Class:
		if from < len(m.s) && e.Set.Has(m.s[from]) {
			return from + 1
		}
		return -1
	case expr.Literal:
		if strings.HasPrefix(m.s[from:], e.Lit) {
			return from + len(e.Lit)
		}
		return -1
	case expr.Ref:
		return m.apply(e.Name, from)
	case expr.Node:
		return m.match(e.Sub[0], from)
	case expr.And, expr.Not:
		m.ahead++
		end := m.match(e.Sub[0], from)
		m.ahead--
		if end >= 0 != (e.Op == expr.And) {
			return -1
		}
		return from
	case expr.Seq:
		for _, s := range e.Sub {
			if from = m.match(s, from); from < 0 {
				return -1
			}
		}
		return from
	case expr.Alt:
		for _, s := range e.Sub {
			if end := m.match(s, from); end >= 0 {
				return end
			}
		}
		return -1
	case expr.Repeat:
		n := 0
		for ; e.Max == expr.Unbounded || n < e.Max; n++ {
			end := m.match(e.Sub[0], from)
			if end < 0 {
				break
			}
			if end == from { // and so it would be again
				return from
			}
			from = end
		}
		if n < e.Min {
			return -1
		}
	}
	return from
}
