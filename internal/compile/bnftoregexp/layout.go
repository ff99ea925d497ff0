package bnftoregexp

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A layout writes an expression in several lines, in the mode that ignores spaces and begins comments with #.
type layout struct {
	strings.Builder
	*printer
	labels map[string]string // the names of productions, by the names of Nodes
}

// lineWidth caps the columns of a line, apart from its comment.
const lineWidth = 76

// writeLine writes a line, indented by two spaces for each level of depth. names become its comment.
func (l *layout) writeLine(depth int, text string, names []string) {
	l.WriteString(strings.Repeat("  ", depth) + text)
	if len(names) > 0 {
		l.WriteString("  # " + strings.Join(names, ", "))
	}
	l.WriteByte('\n')
}

// hasLabel reports whether e has a Node in it, and so the name of a production.
func (l *layout) hasLabel(e *expr.Expr) bool {
	return expr.Find(e, func(e *expr.Expr) bool { return e.Op == expr.Node }) != nil
}

// writePart writes e in one line or several, indented by depth. bind says how tightly e must bind, as for
// [printer.write]. tail follows e: the quantifier of a repetition around it. names are the productions that e
// is the whole of; the first line gets them as a comment.
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
	// It takes several lines: a group in parentheses if e does not bind tightly enough, or has to be one thing.
	open := false
	switch e.Op {
	case expr.Alt:
		open = bind > bindAlt
	case expr.Repeat:
		open = bind > bindSeq
	case expr.Seq: // a tail, and the names, are about all of it
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
		l.writeSequence(e.Sub, depth)
	case expr.Alt:
		for i, s := range e.Sub {
			if i > 0 {
				l.writeLine(depth-1, "|", nil) // in the column of the parentheses
			}
			l.writePart(s, bindSeq, depth, "", nil)
		}
	}
	if open {
		l.writeLine(depth-1, ")"+tail, nil)
	}
}

// writeSequence writes the parts of a sequence, with short ones that follow each other in one line. A part with a
// label, or too long for a line, has lines of its own.
func (l *layout) writeSequence(parts []*expr.Expr, depth int) {
	line := ""
	flush := func() {
		if line != "" {
			l.writeLine(depth, line, nil)
		}
		line = ""
	}
	for _, s := range parts {
		var b strings.Builder
		l.write(&b, s, bindSeq)
		switch {
		case l.hasLabel(s) || 2*depth+b.Len() > lineWidth:
			flush()
			l.writePart(s, bindSeq, depth, "", nil)
			continue
		case 2*depth+len(line)+b.Len() > lineWidth:
			flush()
		}
		line += b.String()
	}
	flush()
}
