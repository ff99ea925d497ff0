package expr

import (
	"fmt"
	"strings"
)

// Words returns e in the prefix notation that [ast.Checker] and proof/check read: words separated by blanks, each
// operator before its operands. name returns the number or name of a production there. A production for which it
// returns "" derives nothing. A Node is what is in it; there is no word for [Deep], which e must not have.
func Words(e *Expr, name func(id string) string) string {
	var b strings.Builder
	writeWords(&b, e, name)
	return b.String()[1:]
}

// writeWords writes e in that notation, with a blank before each word.
func writeWords(b *strings.Builder, e *Expr, name func(id string) string) {
	switch e.Op {
	case Empty:
		b.WriteString(" empty")
	case Class:
		separator := " bytes "
		for _, r := range e.Set.Ranges() {
			fmt.Fprintf(b, "%s%02x-%02x", separator, r[0], r[1])
			separator = ","
		}
		if e.Set.IsEmpty() {
			b.WriteString(" bytes none")
		}
	case Literal:
		b.WriteString(strings.Repeat(" seq", len(e.Lit)-1))
		for _, c := range []byte(e.Lit) {
			fmt.Fprintf(b, " bytes %02x", c)
		}
	case Ref:
		if n := name(e.Name); n != "" {
			b.WriteString(" rule " + n)
		} else {
			b.WriteString(" bytes none")
		}
	case Repeat:
		if e.Min == 0 && e.Max == Unbounded {
			b.WriteString(" star")
		} else {
			fmt.Fprintf(b, " times %d %d", e.Min, max(e.Max, -1))
		}
	case Seq, Alt, And, Not:
		op := map[Op]string{Seq: " seq", Alt: " alt", And: " and", Not: " not"}[e.Op]
		for i, s := range e.Sub {
			if i < len(e.Sub)-1 || len(e.Sub) == 1 {
				b.WriteString(op)
			}
			writeWords(b, s, name)
		}
		return
	}
	for _, s := range e.Sub { // of a node as well
		writeWords(b, s, name)
	}
}
