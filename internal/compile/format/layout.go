package format

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// maxAligned caps the length of names whose signs are aligned: the sign of a longer name follows it directly,
// so that one long name does not push all others to the right.
const maxAligned = 24

// commentGap is the number of blanks between a line and its comment.
const commentGap = 2

// layout returns the whole text: each rule in the columns of its group, with at most two blank lines between items. A
// comment that belongs to the rule above it begins under that rule's elements.
func (g *grammar) layout() string {
	var lines []textLine
	var c columns // of the current group
	elements := 0 // the column of the elements of the last rule
	for i, x := range g.items {
		if i == 0 || x.blank >= 2 || startsGroup(g.items, i) {
			c = columnsOf(g.items[i:])
		}
		if i > 0 {
			for range min(x.blank, 2) {
				lines = append(lines, textLine{})
			}
		}
		if !x.rule {
			indent := 0
			if x.inset {
				indent = elements
			}
			lines = append(lines, textLine{comment: blanks(indent) + x.comment})
			continue
		}
		w := newRuleWriter(x, c)
		elements = w.elements
		lines = append(lines, w.write()...)
	}
	return joinLines(lines, commentGap, "\n")
}

// startsGroup reports whether item i is a comment at the margin, or the first item after one. i must not be
// 0.
func startsGroup(items []item, i int) bool {
	atMargin := func(x item) bool { return !x.rule && !x.inset }
	return atMargin(items[i]) || atMargin(items[i-1])
}

// columns are the places of the signs in a group: the column, and the width of the widest. A group with "=/"
// has two columns for them.
type columns struct{ sign, width int }

// columnsOf returns the columns of the group at the beginning of items. Names longer than maxAligned
// do not count.
func columnsOf(items []item) columns {
	longest, width := 0, 1
	for i, x := range items {
		if i > 0 && (x.blank >= 2 || startsGroup(items, i)) {
			break
		}
		if !x.rule {
			continue
		}
		if len(x.name) <= maxAligned {
			longest = max(longest, len(x.name))
		}
		width = max(width, len(x.defines))
	}
	return columns{longest + 1, width}
}

// A ruleWriter lays out one rule, from left to right in one pass. Before each part it decides whether the
// line ends there: before a "/" it does if the alternative after it does not fit in the line, and before an
// element if that does not fit, unless it is a group that is better broken inside. A decision looks ahead at
// the whole alternative or element (fits), and is never taken back. A part that fits in no line makes its
// line too long.
type ruleWriter struct {
	rule     item
	signs    int  // the column of the sign, and of "/" between the outermost alternatives
	elements int  // the column of the first element, and of lines that are broken between elements
	each     bool // each outermost alternative begins a line, as its author had it
	keeps    bool // an outermost alternative that its author began on a new line begins one

	lineWriter
	open []int // the columns of the brackets that are open
}

// newRuleWriter returns the writer of a rule in a group with these columns.
func newRuleWriter(x item, c columns) *ruleWriter {
	signs := max(c.sign, len(x.name)+1)
	w := &ruleWriter{rule: x, signs: signs, elements: signs + c.width + 1}
	w.each, w.keeps = eachOnItsLine(x.parts), haveComments(x.parts)
	return w
}

// haveComments reports whether a comment ends a line before a "/" between the outermost alternatives: their author
// laid them out as a table.
func haveComments(parts []part) bool {
	for i, p := range parts {
		if p.Kind == bnf.SlashToken && p.depth == 0 && i > 0 && parts[i-1].after != "" {
			return true
		}
	}
	return false
}

// eachOnItsLine reports whether there are several outermost alternatives, and the author began a line at each but the
// first, before "/" or after it.
func eachOnItsLine(parts []part) bool {
	slashes := 0
	for i, p := range parts {
		if p.Kind != bnf.SlashToken || p.depth > 0 {
			continue
		}
		slashes++
		if !p.begins && (i+1 == len(parts) || !parts[i+1].begins) {
			return false
		}
	}
	return slashes > 0
}

// write returns the lines of the rule. It must be called only once.
func (w *ruleWriter) write() []textLine {
	x := w.rule
	w.line.WriteString(x.name + strings.Repeat(" ", w.signs-len(x.name)) + x.defines)
	w.line.WriteString(strings.Repeat(" ", w.elements-1-w.line.Len()))
	for _, c := range x.nameComments {
		w.endWithComment(c)
		w.beginLine(blanks(w.elements))
	}
	for i := range x.parts {
		w.writePart(i)
	}
	if !w.fresh {
		w.endLine("")
	}
	return w.lines
}

// writePart writes part i, with the comments that belong to it, in the current line or in a new one.
func (w *ruleWriter) writePart(i int) {
	p := w.rule.parts[i]
	for _, c := range p.own {
		if !w.fresh {
			w.endLine("")
		}
		w.lines = append(w.lines, textLine{comment: blanks(w.elements) + c})
		w.beginLine(blanks(w.elements))
	}
	w.writeSpaceBefore(i)
	if p.Kind == bnf.OpenToken {
		w.open = append(w.open, w.line.Len())
	} else if p.Kind == bnf.CloseToken && len(w.open) > 0 {
		w.open = w.open[:len(w.open)-1]
	}
	w.line.WriteString(p.Text)
	w.fresh = false
	if p.after != "" {
		w.endWithComment(p.after)
		w.beginLine(blanks(w.elements))
	}
}

// writeSpaceBefore writes the space between part i and the part before it: a line break and an indent,
// blanks, or nothing after a count.
func (w *ruleWriter) writeSpaceBefore(i int) {
	parts := w.rule.parts
	switch {
	case w.fresh:
		w.beginLine(blanks(w.indentOf(parts[i])))
	case w.breaksBefore(i):
		w.endLine("")
		w.beginLine(blanks(w.indentOf(parts[i])))
	case i > 0 && parts[i-1].Kind == bnf.CountToken:
		// no space: a count is written together with its element
	case i > 0 && parts[i-1].Kind == bnf.SlashToken && w.line.Len() == w.signs+1:
		// The "/" is in the column of signs, so it began the line: the alternative after it begins where
		// those of the other lines do.
		w.line.WriteString(blanks(w.elements - w.line.Len()))
	default:
		w.line.WriteByte(' ')
	}
}

// endWithComment ends the line with a comment. In a line that has only its indent, the comment begins after that. The
// next line is empty, without an indent: see beginLine.
func (w *ruleWriter) endWithComment(c string) {
	if w.fresh {
		w.lines = append(w.lines, textLine{comment: w.line.String() + c})
		w.line.Reset()
		return
	}
	w.endLine(c)
}

// indentOf returns the column of a part that begins a line. A "/" goes under the sign or the bracket whose
// alternatives it divides, and a closing bracket under its opening one. An element goes two columns to the
// right of the bracket around it or, outside brackets, to the column of the first element.
func (w *ruleWriter) indentOf(p part) int {
	left, right := w.signs, w.elements
	if p.depth > 0 && len(w.open) > 0 {
		// The innermost bracket around the part is the one at its depth; before a closing bracket, one more is open.
		left = w.open[min(p.depth, len(w.open))-1]
		right = left + 2
	}
	switch p.Kind {
	case bnf.SlashToken:
		return left
	case bnf.CloseToken:
		return w.open[len(w.open)-1]
	}
	return right
}

// breaksBefore reports whether the line must end before part i, by the rules of [ruleWriter]. The line has something
// in it already.
func (w *ruleWriter) breaksBefore(i int) bool {
	parts := w.rule.parts
	p := parts[i]
	if p.Kind == bnf.SlashToken { // before an alternative that the author put on a line, or that does not fit
		began := p.begins || i+1 < len(parts) && parts[i+1].begins
		if p.depth == 0 && (w.each || w.keeps && began) {
			return true
		}
		return !w.fits(w.line.Len()+1, i, endOfAlternative(parts, i))
	}
	// Nothing else breaks before a closing bracket, or between parts that stay together.
	if i == 0 || p.Kind == bnf.CloseToken {
		return false
	}
	switch parts[i-1].Kind {
	case bnf.CountToken, bnf.SlashToken, bnf.OpenToken:
		return false
	}
	end := endOfElement(parts, i)
	if w.fits(w.line.Len()+1, i, end) {
		return false
	}
	// A group that fits in no line is entered where it stands, if its beginning fits there and leaves half of the
	// columns that a new line would have: further to the right it would become a narrow column of single names.
	indent := w.indentOf(p)
	if w.fits(indent, i, end) || 2*(Width-w.line.Len()-1) < Width-indent {
		return true
	}
	begins := i
	for parts[begins].Kind == bnf.CountToken {
		begins++
	}
	if parts[begins].Kind != bnf.OpenToken {
		return true
	}
	return !w.fits(w.line.Len()+1, i, endOfElement(parts, begins+1))
}

// fits reports whether the parts from..to-1, and the brackets that close after them, end within the line if
// they begin in this column, with a blank between two of them but none after a count. Comments do not count.
func (w *ruleWriter) fits(column, from, to int) bool {
	parts := w.rule.parts
	for to < len(parts) && parts[to].Kind == bnf.CloseToken {
		to++
	}
	for i := from; i < to; i++ {
		if i > from && parts[i-1].Kind != bnf.CountToken {
			column++
		}
		column += len(parts[i].Text)
	}
	return column <= Width-(w.elements-w.signs-2) // a "/" may be followed by more than one blank
}

// endOfElement returns the index after the element that begins at part i: counts and what they count, or a whole
// group. It is len(parts) at most.
func endOfElement(parts []part, i int) int {
	for i < len(parts) && parts[i].Kind == bnf.CountToken {
		i++
	}
	if i >= len(parts) || parts[i].Kind != bnf.OpenToken {
		return min(i+1, len(parts))
	}
	depth := parts[i].depth
	for i++; i < len(parts); i++ {
		if parts[i].Kind == bnf.CloseToken && parts[i].depth == depth {
			return i + 1
		}
	}
	return len(parts)
}

// endOfAlternative returns the index of the next "/" or closing bracket that belongs with the "/" at part i;
// len(parts) if there is none.
func endOfAlternative(parts []part, i int) int {
	depth := parts[i].depth
	for i++; i < len(parts); i++ {
		if parts[i].depth == depth && parts[i].Kind == bnf.SlashToken || parts[i].depth < depth {
			break
		}
	}
	return i
}
