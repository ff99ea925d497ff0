package main

import (
	"strconv"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

// A trace is the attempt to match a rule of a .peg file somewhere, and the attempts that it consists of.
type trace struct {
	rule       *expr.Rule
	start, end int // end is -1 where the rule does not match
	times      int // of a rule that matches several times in a row, how often
	ahead      bool
	parts      []*trace
}

// A tracer matches the rules of a .peg file as the parser does that pigeon generates from it, and keeps account. That
// parser is generated without its own means to do so, for speed; that it has the same rules is what the tests of
// package prove hold.
//
// Repetitions are loops, and no rule calls itself, so that the depth of the stack is bounded by the grammar.
type tracer struct {
	rules *expr.Grammar
	s     string
	at    *trace // what is being matched
	ahead int    // how many lookaheads that is in
}

// traceOf gives the trace of a start production.
func traceOf(rules *expr.Grammar, start, s string) *trace {
	t := &tracer{rules: rules, s: s, at: &trace{}}
	t.apply(start, 0)
	if len(t.at.parts) == 0 {
		return &trace{}
	}
	return t.at.parts[0]
}

// apply matches a rule.
func (t *tracer) apply(id string, from int) (end int, ok bool) {
	r := t.rules.Rule(id)
	if r == nil {
		return from, false
	}
	whole := t.at
	own := &trace{rule: r, start: from, end: -1, times: 1, ahead: t.ahead > 0}
	t.at = own
	if end, ok = t.match(r.Expr, from); ok {
		own.end = end
	}
	if r.Expr.Op != expr.Node {
		own.parts = nil // lexical: how a character is read is no news
	}
	t.at = whole
	whole.add(own)
	return end, ok
}

// add appends an attempt. Of a rule that matches several times in a row, one part is kept, without what it consists of.
func (w *trace) add(part *trace) {
	if n := len(w.parts); n > 0 {
		last := w.parts[n-1]
		if last.rule == part.rule && last.end == part.start && part.end > part.start && last.ahead == part.ahead {
			last.end, last.parts = part.end, nil
			last.times++
			return
		}
	}
	w.parts = append(w.parts, part)
}

// match matches an expression as a PEG does: choices commit, repetitions are greedy.
func (t *tracer) match(e *expr.Expr, from int) (end int, ok bool) {
	switch e.Op {
	case expr.Empty:
		return from, true
	case expr.Class:
		return from + 1, from < len(t.s) && e.Set.Has(t.s[from])
	case expr.Literal:
		end = from + len(e.Lit)
		return end, end <= len(t.s) && t.s[from:end] == e.Lit
	case expr.Ref:
		return t.apply(e.Name, from)
	case expr.Node:
		return t.match(e.Sub[0], from)
	case expr.And, expr.Not:
		t.ahead++
		_, ok = t.match(e.Sub[0], from)
		t.ahead--
		return from, ok == (e.Op == expr.And)
	case expr.Seq:
		for _, s := range e.Sub {
			if from, ok = t.match(s, from); !ok {
				return from, false
			}
		}
		return from, true
	case expr.Alt:
		for _, s := range e.Sub {
			if end, ok = t.match(s, from); ok {
				return end, true
			}
		}
		return from, false
	case expr.Repeat:
		n := 0
		for e.Max == expr.Unbounded || n < e.Max {
			end, ok = t.match(e.Sub[0], from)
			if !ok || end == from {
				break
			}
			from = end
			n++
		}
		return from, n >= e.Min || ok
	}
	return from, false
}

// appendText writes the trace, a line for each attempt, those that it consists of below it: the rule, the bytes that it
// matched and the text, or where it did not match.
func (w *trace) appendText(b []byte, s *streams, text string, depth int) []byte {
	b = layout.Pad(b, 0, indent*depth)
	if w.ahead {
		b = append(b, "? "...)
	}
	b = s.Paint(b, layout.Bold, w.rule.ID)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(w.start), 10)
	if w.end < 0 {
		b = s.Paint(b, layout.Red, " no")
	} else {
		b = append(b, ".."...)
		b = strconv.AppendInt(b, int64(w.end), 10)
		b = append(append(b, ' '), ast.Quote(text[w.start:w.end])...)
	}
	if w.times > 1 {
		b = append(b, ", "+strconv.Itoa(w.times)+" times"...)
	}
	b = append(b, '\n')
	for _, p := range w.parts {
		b = p.appendText(b, s, text, depth+1)
	}
	return b
}
