package expr

import (
	"fmt"
	"strings"
)

func (e *Expr) print(b *strings.Builder, bind int) {
	open := func(own int) {
		if own < bind {
			b.WriteString("( ")
		}
	}
	shut := func(own int) {
		if own < bind {
			b.WriteString(" )")
		}
	}
	if e.Chars != "" {
		b.WriteString(e.Chars)
		return
	}
	switch e.Op {
	case Empty:
		b.WriteString(`""`)
	case Class:
		b.WriteString(e.Set.String())
	case Literal:
		fmt.Fprintf(b, "%q", e.Lit)
	case Ref:
		b.WriteString(e.Name)
	case Seq:
		open(bindSeq)
		for i, s := range e.Sub {
			if i > 0 {
				b.WriteByte(' ')
			}
			s.print(b, bindPrefix)
		}
		shut(bindSeq)
	case Alt:
		open(bindAlt)
		for i, s := range e.Sub {
			if i > 0 {
				b.WriteString(" / ")
			}
			s.print(b, bindSeq)
		}
		shut(bindAlt)
	case Repeat:
		open(bindSuffix)
		e.Sub[0].print(b, bindSuffix+1)
		switch {
		case e.Min == 0 && e.Max == Unbounded:
			b.WriteByte('*')
		case e.Min == 1 && e.Max == Unbounded:
			b.WriteByte('+')
		case e.Min == 0 && e.Max == 1:
			b.WriteByte('?')
		case e.Max == Unbounded:
			fmt.Fprintf(b, "{%d,}", e.Min)
		default:
			fmt.Fprintf(b, "{%d,%d}", e.Min, e.Max)
		}
		shut(bindSuffix)
	case And, Not:
		open(bindPrefix)
		if e.Op == And {
			b.WriteByte('&')
		} else {
			b.WriteByte('!')
		}
		e.Sub[0].print(b, bindSuffix)
		shut(bindPrefix)
	case Node:
		e.Sub[0].print(b, bind)
	case Deep:
		b.WriteString("deeper")
	}
}

// The binding strengths of the printed notation, weakest first.
const (
	bindAlt = iota
	bindSeq
	bindPrefix
	bindSuffix
)
