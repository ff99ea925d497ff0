package main

import (
	"strconv"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/peg"
)

// appendTrace writes a trace, a line for each attempt, those that it consists of below it: the rule, the bytes that it
// matched and the text, or where it did not match.
func appendTrace(b []byte, t *peg.Trace, s *streams, text string, depth int) []byte {
	b = layout.Pad(b, 0, indent*depth)
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
		b = appendTrace(b, p, s, text, depth+1)
	}
	return b
}
