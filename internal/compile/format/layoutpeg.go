package format

import (
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
)

// maxAlignedPEG caps the width of names whose arrows are aligned. It is larger than that of ABNF, since names
// are often followed by a display name.
const maxAlignedPEG = 32

// layoutPEG returns the text of the items, in lines that end with end. All rules get the arrow of the first one.
func layoutPEG(items []pegItem, end string) string {
	arrow := "" // of the first rule; the others get it too
	for _, x := range items {
		if arrow == "" {
			arrow = x.arrow
		}
	}
	var lines []textLine
	group := alignment{lines: &lines}
	for _, x := range items {
		if x.blank {
			group.end()
			lines = append(lines, textLine{})
		}
		switch {
		case x.comment != "":
			group.end()
			lines = append(lines, rawLines("", x.comment)...)
		case x.code != "":
			raw := rawLines("", x.code)
			raw[len(raw)-1].comment = x.after
			lines = append(lines, raw...)
		default:
			x.arrow = arrow
			group.add(x)
		}
	}
	group.end()
	return joinLines(lines, 1, end)
}

// rawLines returns the lines of a text that are kept to the byte, the first after an indent. The last one is
// open: it has no line end, and a comment may follow it.
func rawLines(indent, text string) (lines []textLine) {
	for line := range strings.Lines(text) {
		lines = append(lines, textLine{text: indent + line, raw: strings.HasSuffix(line, "\n")})
		indent = ""
	}
	return lines
}

// An alignment is the group of neighboring one-line rules at the end of lines; their arrows are to be in one
// column.
type alignment struct {
	lines  *[]textLine
	heads  []string // of the rules: the text before the arrow
	widest int      // of the heads that are aligned
}

// add lays out a rule and appends its lines. A rule of one line joins the group; any other ends it.
func (a *alignment) add(x pegItem) {
	rule := newPEGWriter(x).write()
	if len(rule) > 1 {
		a.end()
		*a.lines = append(*a.lines, rule...)
		return
	}
	*a.lines = append(*a.lines, rule...)
	a.heads = append(a.heads, x.head)
	if w := width(x.head); w <= maxAlignedPEG {
		a.widest = max(a.widest, w)
	}
}

// end aligns the arrows of the group, and begins another one. A head wider than maxAlignedPEG stays as it is.
func (a *alignment) end() {
	first := len(*a.lines) - len(a.heads)
	for i, head := range a.heads {
		line := &(*a.lines)[first+i]
		pad := max(0, a.widest-width(head))
		line.text = head + blanks(pad) + line.text[len(head):]
	}
	a.heads, a.widest = nil, 0
}

// A pegWriter lays out one rule, from left to right in one pass, as a [ruleWriter] does. Its decisions depend
// on the tokens, on those breaks of their author that the result has as well, and on the columns: so a result
// stays as it is when it is laid out again.
type pegWriter struct {
	rule  pegItem
	scope pegScope   // of the next part
	outer []pegScope // those around it

	lineWriter
}

// A pegScope is the inside of a rule or a bracket. In a block each line begins with indent; elsewhere "/" and
// elements have columns of their own.
type pegScope struct {
	block           bool
	indent          string // of a block; elsewhere the indent of the block around it
	slash, elements int    // columns, outside of blocks
	each            bool   // each alternative begins a line
}

// newPEGWriter returns the writer of a rule. The text after the arrow is laid out in columns there, or in a
// block of its own if the author began it on a new line.
func newPEGWriter(x pegItem) *pegWriter {
	w := &pegWriter{rule: x}
	arrow := width(x.head) + 1
	elements := arrow + width(x.arrow) + 1
	w.scope = pegScope{slash: max(elements-2, 0), elements: elements}
	if x.arrowAfter != "" || len(x.parts) > 0 && (x.parts[0].begins || len(x.parts[0].own) > 0) {
		w.scope = pegScope{block: true, indent: "\t"}
	}
	return w
}

// write returns the lines of the rule. It must be called only once.
func (w *pegWriter) write() []textLine {
	x := w.rule
	w.line.WriteString(x.head + " " + x.arrow)
	first := w.column() + 1
	if w.scope.block {
		w.endLine(x.arrowAfter)
		w.beginLine(w.scope.indent)
		first = w.column()
	}
	w.scope.each = w.eachBegins(0, len(x.parts), first)
	for i := range x.parts {
		w.writePart(i)
	}
	if !w.fresh {
		w.endLine("")
	}
	return w.lines
}

// writePart writes part i, with the comments that belong to it, in the current line or in a new one.
func (w *pegWriter) writePart(i int) {
	p := &w.rule.parts[i]
	indent := w.indentOf(i)
	for _, c := range p.own {
		if !w.fresh {
			w.endLine("")
		}
		w.line.Reset()
		w.lines = append(w.lines, rawLines(indent, c)...)
		w.beginLine(indent)
	}
	switch {
	case w.fresh: // the indent was that of another part, and may be wrong for this one
		w.beginLine(indent)
	case w.breaksBefore(i):
		w.endLine("")
		w.beginLine(indent)
	case !w.isGlued(i):
		w.line.WriteByte(' ')
	}
	// A closing bracket stands outside of its scope, but where it stands depends on that: so it is left only now.
	if p.Kind == peg.CloseToken && len(w.outer) > 0 {
		w.scope = w.outer[len(w.outer)-1]
		w.outer = w.outer[:len(w.outer)-1]
	}
	column := w.column()
	w.writeText(p.Text)
	w.fresh = false
	if p.Kind == peg.OpenToken {
		w.openScope(i, column)
	}
	if p.after != "" {
		w.endLine(p.after)
		w.beginLine(w.indentOf(i + 1))
	}
}

// deepestScope is the column at which the lines of a bracket begin that opens there or further to the right. Without
// it, a thousand brackets in each other would be written in lines of two thousand blanks.
const deepestScope = WidthPEG * 2 / 3

// openScope makes the inside of the bracket that part i opens in this column the scope, and appends the one around it
// to w.outer. The inside is a block if the line ends after the bracket, which must not be the last part.
func (w *pegWriter) openScope(i, column int) {
	parts := w.rule.parts
	next := &parts[i+1]
	w.outer = append(w.outer, w.scope)
	indent := w.scope.indent
	if !next.begins && len(next.own) == 0 && parts[i].after == "" {
		slash := min(column, max(deepestScope, width(indent)))
		w.scope = pegScope{indent: indent, slash: slash, elements: slash + 2}
		return
	}
	w.scope = pegScope{block: true, indent: indent + "\t"}
	w.scope.each = w.eachBegins(i+1, parts[i].mate, width(w.scope.indent))
}

// indentOf returns the indent of a line that begins with part i, or with comments in the line of part i. It is "" if
// there is no such part.
func (w *pegWriter) indentOf(i int) string {
	if i >= len(w.rule.parts) {
		return ""
	}
	p := &w.rule.parts[w.afterComments(i)]
	switch closes := p.Kind == peg.CloseToken; {
	case closes && w.scope.block:
		return strings.TrimSuffix(w.scope.indent, "\t")
	case w.scope.block:
		return w.scope.indent
	case closes, p.isSign():
		return w.indentTo(w.scope.slash)
	}
	return w.indentTo(w.scope.elements)
}

// indentTo returns the indent that ends before a column: the indent of the block, and blanks.
func (w *pegWriter) indentTo(column int) string {
	return w.scope.indent + strings.Repeat(" ", max(0, column-width(w.scope.indent)))
}

// column returns the column at which the next text begins.
func (w *pegWriter) column() int { return width(w.line.String()) }

// writeText writes a text to the line. If it has several lines, it ends the current one, and its last line
// becomes the current one.
func (w *pegWriter) writeText(text string) {
	first, rest, several := strings.Cut(text, "\n")
	if !several {
		w.line.WriteString(text)
		return
	}
	// Lines after the first are kept to the byte: what is inside a text is not indented.
	w.lines = append(w.lines, textLine{text: w.line.String() + first + "\n", raw: true})
	w.line.Reset()
	raw := rawLines("", rest)
	last := len(raw) - 1
	w.lines = append(w.lines, raw[:last]...)
	w.line.WriteString(raw[last].text)
}

// before returns the kind of the last part before part i that is not a comment. Before the first part it
// returns the kind of a "/": an alternative begins there.
func (w *pegWriter) before(i int) peg.TokenKind {
	for i--; i >= 0; i-- {
		if kind := w.rule.parts[i].Kind; kind != peg.CommentToken {
			return kind
		}
	}
	return peg.SlashToken
}

// isGlued reports whether part i follows the part before it without a blank: after a prefix or the colon of a label,
// and as a suffix or such a colon. A comment is never glued, nor what follows one.
func (w *pegWriter) isGlued(i int) bool {
	if i == 0 {
		return false
	}
	switch before := &w.rule.parts[i-1]; {
	case before.Kind == peg.PrefixToken, before.Kind == peg.ColonToken:
		return w.rule.parts[i].Kind != peg.CommentToken
	case before.Kind == peg.CommentToken:
		return false
	}
	kind := w.rule.parts[i].Kind
	return kind == peg.SuffixToken || kind == peg.ColonToken
}

// beginsElement reports whether part i is the first of an element: its label, its prefix, or itself.
func (w *pegWriter) beginsElement(i int) bool {
	before := w.before(i)
	if before == peg.PrefixToken || before == peg.ColonToken {
		return false
	}
	switch w.rule.parts[i].Kind {
	case peg.NameToken, peg.StringToken, peg.ClassToken, peg.AnyToken, peg.ThrowToken, peg.PrefixToken, peg.OpenToken:
		return true
	}
	return false
}

// isAction reports whether part i is code after a sequence: other code belongs to a predicate.
func (w *pegWriter) isAction(i int) bool {
	before := w.before(i)
	return w.rule.parts[i].Kind == peg.CodeToken && before != peg.PrefixToken && before != peg.ColonToken
}

// breaksBefore reports whether the line must end before part i. The line has something in it already. A comment stays
// with the part that follows it in its line, and that part decides for both.
func (w *pegWriter) breaksBefore(i int) bool {
	parts := w.rule.parts
	if i == 0 || parts[i-1].Kind == peg.CommentToken {
		return false
	}
	k := w.afterComments(i)
	p, before := &parts[k], parts[i-1].Kind
	switch {
	case w.scope.block && (before == peg.OpenToken || p.Kind == peg.CloseToken): // the inside of a block has its own lines
		return true
	case p.Kind == peg.CloseToken:
		return false
	case p.isSign(): // where all alternatives begin a line, the author broke this one, or it does not fit
		if before == peg.CodeToken && parts[i-1].isMultiline() {
			return false // "} / b", as Go has "} else {"
		}
		return w.scope.each || w.keepsBreak(k) || !w.fits(i, w.endOfAlternative(k))
	case w.isAction(k): // only code of one line that the author put on a line of its own, if it does not fit
		return w.begins(k) && !p.isMultiline() && !w.fits(i, k+1)
	case !w.beginsElement(k), parts[i-1].isSign(), before == peg.OpenToken: // parts that stay together
		return false
	case w.scope.block && w.begins(k): // a block keeps the breaks of its author
		return true
	}
	return w.breaksBeforeElement(i)
}

// afterComments returns the index of the first part from i on that is not a comment.
func (w *pegWriter) afterComments(i int) int {
	for w.rule.parts[i].Kind == peg.CommentToken {
		i++ // a comment is a part only if something follows it
	}
	return i
}

// begins reports whether part i, or a comment just before it, began a line.
func (w *pegWriter) begins(i int) bool {
	parts := w.rule.parts
	for !parts[i].begins {
		i--
		if i < 0 || parts[i].Kind != peg.CommentToken {
			return false
		}
	}
	return true
}

// breaksBeforeElement reports whether the element that begins with part i goes into a line of its own because
// it does not fit. As in ABNF, a bracket that fits into no line is entered in the current one, if its first
// element without brackets fits there and half of the columns are left.
func (w *pegWriter) breaksBeforeElement(i int) bool {
	end := w.endOfElement(i)
	if w.fits(i, end) {
		return false
	}
	indent := width(w.indentOf(i))
	if w.fitsAt(indent, i, end) || 2*(WidthPEG-w.column()-1) < WidthPEG-indent {
		return true
	}
	first := i
	for first < end-1 && !w.isWhole(first) {
		first++
	}
	return !w.fits(i, first+1)
}

// isWhole reports whether part i is an element without brackets, not counting its prefix and label.
func (w *pegWriter) isWhole(i int) bool {
	switch w.rule.parts[i].Kind {
	case peg.OpenToken, peg.PrefixToken, peg.CommentToken:
		return false
	}
	return !w.isLabel(i)
}

// keepsBreak reports whether the author broke the line before or after the sign that is part i, in a scope
// whose breaks are kept: that of the rule, and those of blocks.
func (w *pegWriter) keepsBreak(i int) bool {
	if len(w.outer) > 0 && !w.scope.block {
		return false
	}
	return w.begins(i) || i+1 < len(w.rule.parts) && w.rule.parts[i+1].begins
}

// eachBegins reports whether each alternative of a scope begins a line. It does if one of them has code, and
// either their author broke the line at a sign between them, or they do not fit in one. A sign after code of
// several lines stays on the line of the closing brace, so a break there does not count. The scope has the
// parts from..to-1 and begins in this column.
func (w *pegWriter) eachBegins(from, to, column int) bool {
	parts := w.rule.parts
	depth := len(w.outer)
	hasCode, hasBreak := false, false
	for i := from; i < to; i++ {
		p := &parts[i]
		if p.depth != depth {
			continue
		}
		switch {
		case w.isAction(i):
			hasCode = true
		case !p.isSign():
			// neither code nor a break at a sign
		case parts[i-1].Kind == peg.CodeToken && parts[i-1].isMultiline():
			// a sign on the line of the closing brace
		case w.begins(i) || parts[i+1].begins || len(p.own) > 0 || parts[i-1].after != "":
			hasBreak = true
		}
	}
	return hasCode && (hasBreak || !w.fitInLines(from, to, column))
}

// fitInLines reports whether parts from..to-1 fit if only the lines of their own texts, and comments, break
// them.
func (w *pegWriter) fitInLines(from, to, column int) bool {
	for from < to {
		end := from
		for end < to && !w.endsLine(end) {
			end++
		}
		end = min(end+1, to)
		if !w.fitsAt(column, from, end) {
			return false
		}
		text := w.rule.parts[end-1].Text
		column = width(text[strings.LastIndexByte(text, '\n')+1:]) + 1
		from = end
	}
	return true
}

// endsLine reports whether the line ends in or after part i, whatever the columns are.
func (w *pegWriter) endsLine(i int) bool {
	parts := w.rule.parts
	if parts[i].isMultiline() || parts[i].after != "" {
		return true
	}
	if i+1 >= len(parts) {
		return false
	}
	return len(parts[i+1].own) > 0 || parts[i].Kind == peg.OpenToken && parts[i+1].begins
}

// fits reports whether the parts from..to-1 fit in the current line, after a blank.
func (w *pegWriter) fits(from, to int) bool { return w.fitsAt(w.column()+1, from, to) }

// fitsAt reports whether the parts from..to-1, and the brackets that close after them, end within the line if
// they begin in this column. Parts after a line end do not count.
func (w *pegWriter) fitsAt(column, from, to int) bool {
	parts := w.rule.parts
	for to < len(parts) && (parts[to].Kind == peg.CloseToken || parts[to].Kind == peg.SuffixToken) {
		to++
	}
	for i := from; i < to; i++ {
		if i > from && !w.isGlued(i) {
			column++
		}
		first, _, _ := strings.Cut(parts[i].Text, "\n")
		column += utf8.RuneCountInString(strings.TrimRight(first, "\r"))
		if column > WidthPEG {
			return false
		}
		if w.endsLine(i) {
			break
		}
	}
	return column <= WidthPEG
}

// endOfElement returns the index after the element that begins with part i: its label, its prefix, itself,
// all of a bracket, and its suffix.
func (w *pegWriter) endOfElement(i int) int {
	parts := w.rule.parts
	for i < len(parts) && (parts[i].Kind == peg.PrefixToken || parts[i].Kind == peg.CommentToken || w.isLabel(i)) {
		i++
	}
	if i < len(parts) && parts[i].Kind == peg.OpenToken {
		i = parts[i].mate
	}
	for i++; i < len(parts) && parts[i].Kind == peg.SuffixToken; i++ {
	}
	return min(i, len(parts))
}

// isLabel reports whether part i is a label or its colon.
func (w *pegWriter) isLabel(i int) bool {
	parts := w.rule.parts
	if parts[i].Kind == peg.ColonToken {
		return true
	}
	if parts[i].Kind != peg.NameToken {
		return false
	}
	for i++; i < len(parts) && parts[i].Kind == peg.CommentToken; i++ {
	}
	return i < len(parts) && parts[i].Kind == peg.ColonToken
}

// endOfAlternative returns the index of the next sign or closing bracket that belongs with the sign that is part i, or
// the number of parts if there is none.
func (w *pegWriter) endOfAlternative(i int) int {
	parts := w.rule.parts
	depth := parts[i].depth
	for i++; i < len(parts); i++ {
		if parts[i].depth < depth || parts[i].depth == depth && parts[i].isSign() {
			break
		}
	}
	return i
}
