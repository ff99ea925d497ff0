package peg

import (
	"strconv"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Trace is the attempt to match a rule somewhere, and the attempts that it consists of.
type Trace struct {
	Rule       *expr.Rule
	Start, End int  // End is -1 where the rule does not match
	Times      int  // of a rule that matches several times in a row, how often
	Ahead      bool // in a lookahead
	Parts      []*Trace
}

// Traced matches the rule with this ID at the beginning of s, as [Match] does, and returns an account of it. Without
// such a rule the account is empty.
func Traced(g *expr.Grammar, id, s string) *Trace {
	m := &matcher{g: g, src: s, at: &Trace{}}
	m.apply(id, 0)
	if len(m.at.Parts) == 0 {
		return &Trace{}
	}
	return m.at.Parts[0]
}

// traced matches a rule and adds the attempt to m.at. If the rule makes a node, the attempts inside it are its parts;
// otherwise they are dropped. It returns the match, -1 at the end of one that failed.
func (m *matcher) traced(r *expr.Rule, from int) matched {
	whole := m.at
	own := &Trace{Rule: r, Start: from, Times: 1, Ahead: m.ahead > 0}
	m.at = own
	result := m.match(r.Expr, from)
	own.End = result.end
	if r.Expr.Op != expr.Node {
		own.Parts = nil // lexical: how a character is read is no news
	}
	m.at = whole
	whole.add(own)
	return result
}

// add appends an attempt, unless it goes on where the last part of the same rule ended, has read something, and
// both or neither are in a lookahead. Then the last part is changed instead: it ends where the attempt does, its
// Times grows by one, and it loses its own parts.
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

// AppendText appends a trace of text, one line for each attempt: the rule, the bytes that it matched and their text,
// or "no". The attempts that it consists of stand below it, deeper by two columns. t must not be empty: its Rule is
// printed.
func (t *Trace) AppendText(b []byte, s *layout.Screen, text string) []byte {
	return t.appendText(b, s, text, 0)
}

// appendText appends a line for the attempt, indented by its depth, and those of its parts, in the colors of s. text
// is the whole input that was parsed; the part of it that a rule matched is never cut short. The rule must be set.
func (t *Trace) appendText(b []byte, s *layout.Screen, text string, depth int) []byte {
	b = layout.Pad(b, 0, 2*depth)
	if t.Ahead {
		b = append(b, "? "...)
	}
	b = s.Paint(b, layout.Bold, t.Rule.ID)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(t.Start), 10)
	if t.End < 0 {
		b = s.Paint(b, layout.Red, " no")
	} else {
		b = append(b, ".."...)
		b = strconv.AppendInt(b, int64(t.End), 10)
		b = append(append(b, ' '), ast.Quote(text[t.Start:t.End])...)
	}
	if t.Times > 1 {
		b = append(b, ", "+strconv.Itoa(t.Times)+" times"...)
	}
	b = append(b, '\n')
	for _, p := range t.Parts {
		b = p.appendText(b, s, text, depth+1)
	}
	return b
}
