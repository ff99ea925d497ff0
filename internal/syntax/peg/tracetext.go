package peg

import (
	"strconv"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/report/layout"
)

// AppendText appends a trace of text, one line for each attempt: the rule, the bytes that it matched and their text, or "no".
// The attempts that it consists of stand below it, deeper by two columns.
func (t *Trace) AppendText(b []byte, s *layout.Screen, text string) []byte {
	return t.appendText(b, s, text, 0)
}

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
