package bnftoregexp

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A layout writes an expression in lines, in the mode in which spaces mean nothing and # begins a comment.
type layout struct {
	strings.Builder
	*printer
	labels map[string]string // the names of productions by those of Nodes
}

// lineWidth caps the columns of a line, without its comment.
const lineWidth = 76

// writeLine writes a line at a depth, with the names of productions as its comment.
func (l *layout) writeLine(depth int, text string, names []string) {
	l.WriteString(strings.Repeat("  ", depth) + text)
	if len(names) > 0 {
		l.WriteString("  # " + strings.Join(names, ", "))
	}
	l.WriteByte('\n')
}

// hasLabel reports whether e has the name of a production in it.
func (l *layout) hasLabel(e *expr.Expr) bool {
	return expr.Find(e, func(e *expr.Expr) bool { return e.Op == expr.Node }) != nil
}

// writePart writes e, what stands behind it, and the productions that it is.
func (l *layout) writePart(e *expr.Expr, bind, depth int, tail string, names []string) {
	if e.Op == expr.Node {
		names = append(names, l.labels[e.Name])
		if name, group := l.names[e.Name]; group {
			l.writeLine(depth, l.Group+name+">", names)
			l.writePart(e.Sub[0], bindAlt, depth+1, "", nil)
			l.writeLine(depth, ")"+tail, nil)
			return
		}
		l.writePart(e.Sub[0], bind, depth, tail, names)
		return
	}
	var b strings.Builder
	l.write(&b, e, bind)
	if text := b.String() + tail; 2*depth+len(text) <= lineWidth && !l.hasLabel(e) || e.Op == expr.Class {
		l.writeLine(depth, text, names)
		return
	}
	open := false
	switch e.Op {
	case expr.Alt:
		open = bind > bindAlt
	case expr.Repeat:
		open = bind > bindSeq
	case expr.Seq: // a tail, and the comment with names, are about all of it
		open = bind > bindSeq || tail != "" || len(names) > 0
	}
	if open {
		l.writeLine(depth, "(?:", names)
		depth++
	}
	switch e.Op {
	case expr.Repeat:
		l.writePart(e.Sub[0], bindOne, depth, e.Quantifier()+tail, names)
	case expr.Seq:
		text := "" // short parts that stand in one line
		flush := func() {
			if text != "" {
				l.writeLine(depth, text, nil)
			}
			text = ""
		}
		for _, s := range e.Sub {
			var b strings.Builder
			l.write(&b, s, bindSeq)
			switch {
			case l.hasLabel(s) || 2*depth+b.Len() > lineWidth:
				flush()
				l.writePart(s, bindSeq, depth, "", nil)
				continue
			case 2*depth+len(text)+b.Len() > lineWidth:
				flush()
			}
			text += b.String()
		}
		flush()
	case expr.Alt:
		for i, s := range e.Sub {
			if i > 0 {
				l.writeLine(depth-1, "|", nil)
			}
			l.writePart(s, bindSeq, depth, "", nil)
		}
	}
	if open {
		l.writeLine(depth-1, ")"+tail, nil)
	}
}
