package format

import "strings"

// This file has the lines of the result, which are written one after the other. Comments at their ends are
// put in columns when all lines are there.

// A textLine is a line of the result, with the comment at its end in a field of its own. A raw line is kept
// to the byte, with the end that it has.
type textLine struct {
	text, comment string
	raw           bool
}

// tabWidth is the number of columns of a tab, as in gofmt.
const tabWidth = 8

// width returns the number of columns of a text of one line that begins at the margin: one for each character, and up
// to the next multiple of tabWidth for a tab.
func width(text string) int {
	n := 0
	for _, r := range text {
		if r == '\t' {
			n += tabWidth - n%tabWidth
			continue
		}
		n++
	}
	return n
}

// joinLines returns the lines as one text, each with this end, but raw lines with their own. In each run of lines that
// have both text and a comment, the comments begin in one column, at least gap blanks after the text.
func joinLines(lines []textLine, gap int, end string) string {
	var b strings.Builder
	for from := 0; from < len(lines); {
		to, widest := from, 0
		for ; to < len(lines) && lines[to].comment != "" && lines[to].text != ""; to++ {
			widest = max(widest, width(lines[to].text))
		}
		if l := lines[from]; to == from {
			b.WriteString(l.text + l.comment)
			if !l.raw {
				b.WriteString(end)
			}
			from++
			continue
		}
		for ; from < to; from++ {
			l := lines[from]
			b.WriteString(l.text + blanks(widest+gap-width(l.text)) + l.comment + end)
		}
	}
	return b.String()
}

// blanks returns n blanks.
func blanks(n int) string { return strings.Repeat(" ", n) }

// A lineWriter writes lines, each a piece at a time.
type lineWriter struct {
	lines []textLine      // finished ones
	line  strings.Builder // the current one
	fresh bool            // the current line has nothing but its indent
}

// endLine ends the current line, with a comment unless that is "". The next one is empty, without an indent:
// see beginLine.
func (w *lineWriter) endLine(comment string) {
	w.lines = append(w.lines, textLine{text: strings.TrimRight(w.line.String(), " \t"), comment: comment})
	w.line.Reset()
}

// beginLine makes the current line an indent. Whatever was in it is dropped.
func (w *lineWriter) beginLine(indent string) {
	w.line.Reset()
	w.line.WriteString(indent)
	w.fresh = true
}
