// Package render shows the judgments of package check: as text for a screen, as lines of JSON, and as results for
// package results. It is apart from package check because the live checker of the page needs judgments and shows them
// in its own way.
package render

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

// A Text renders judgments for people. A URL has one line: a cell for each grammar, and then the URL, which can have
// any length. Messages, findings and suggestions follow below it, indented. A Text belongs to one goroutine.
type Text struct {
	layout.Screen
	Grammars []*bnfcheck.Grammar // none where one production judges alone
	Strict   bool                // an answer that is generic-only is colored as a rejection

	visible []byte // reused from line to line
}

const (
	// Indent is the indentation of the lines below a URL.
	Indent = 2

	// longestShown caps the bytes of a URL that are shown.
	longestShown = 2000

	// narrow is the number of columns below which a URL that is cut tells too little; it then has a line of its own.
	narrow = 20

	// roomy is the width up to which carets are put under the URL itself if the output is no terminal.
	roomy = 240

	// cellGap stands between two columns.
	cellGap = "  "
)

// cellWidth returns the width of a grammar's cells: that of its longest conforming one, and of "generic-only
// otherurl".
func cellWidth(g *bnfcheck.Grammar) int {
	longest := 0
	for _, s := range g.Schemes {
		longest = max(longest, len(g.Production(s.Kind).Name))
	}
	return max(len("conforming ")+longest, len("generic-only otherurl"))
}

// widthOfOne is the width of the cells where one production judges alone: that of its longest answer.
const widthOfOne = len("undecided")

// prefixWidth returns the column, from 0, where the URL begins.
func (t *Text) prefixWidth() (n int) {
	if len(t.Grammars) == 0 {
		return widthOfOne + len(cellGap)
	}
	for _, g := range t.Grammars {
		n += cellWidth(g) + len(cellGap)
	}
	return n
}

// AppendHeader appends the line above the columns: the names of the grammars, and "URL".
func (t *Text) AppendHeader(b []byte) []byte {
	for _, g := range t.Grammars {
		b = t.Paint(b, layout.Bold, g.Name)
		b = layout.Pad(b, len(g.Name), cellWidth(g))
		b = append(b, cellGap...)
	}
	b = t.Paint(b, layout.Bold, "URL")
	return append(b, '\n')
}

// AppendLine appends the judgments and then the line, with details below if there is a message or a finding. A long
// line is cut: see longestShown and cutURL. A file that is one string is shown by its name, with details in any case.
func (t *Text) AppendLine(b []byte, l check.Line, judged []check.Judgment) []byte {
	for i := range judged {
		b = t.appendCell(b, &judged[i])
	}
	if l.Whole { // its text has no place in a table
		b = append(append(b, layout.Printable(l.Source.Title())...), '\n')
		return t.appendDetails(b, l, judged, 0)
	}
	shown, cut := shownPart(l)
	text, end := withCodePoints(judged[0].Grammar.Grammar, shown, len(shown))
	var columns int
	t.visible, columns = AppendVisible(t.visible[:0], text, end)
	b = append(b, cutURL(t.visible, t.prefixWidth(), t.Width)...)
	b = append(append(b, cut...), '\n')
	for i := range judged {
		if j := &judged[i]; j.Message != "" || len(j.Findings) > 0 {
			return t.appendDetails(b, l, judged, columns)
		}
	}
	return b
}

// shownPart returns as much of a line as is shown, and the sign that it was cut, "... (5000 bytes)": then what is shown
// ends with a whole character. The sign is "" if all of the line is shown.
func shownPart(l check.Line) (shown, cut string) {
	shown = l.Text[:min(len(l.Text), longestShown)]
	all := max(l.Length, len(l.Text))
	if len(shown) == all {
		return shown, ""
	}
	return wholeRunes(shown), "... (" + strconv.Itoa(all) + " bytes)"
}

// appendCell appends the answer of a grammar, with the name of the production that derives the line, padded to the
// width of its column, and the gap after it.
func (t *Text) appendCell(b []byte, j *check.Judgment) []byte {
	g := j.Grammar
	verdict := j.Answer.String()
	taken := len(verdict)
	how := styleOf(j.Answer)
	if t.Strict && j.Answer.Negative(true) {
		how = layout.Red
	}
	b = t.Paint(b, how, verdict)
	if j.Production != 0 {
		name := g.Production(j.Production).Name
		b = append(b, ' ')
		b = append(b, name...)
		taken += 1 + len(name)
	}
	width := widthOfOne
	if j.By == nil {
		width = cellWidth(g)
	}
	return append(layout.Pad(b, taken, width), cellGap...)
}

// appendDetails appends the lines below a URL: carets, messages, findings and suggestions. The carets are
// below the URL if it fits the width, and otherwise below an excerpt of it. columns is the width of the URL
// on the screen. For a file that is one string, only the first judgment is shown, with an excerpt of the
// line that has its error; with code points too only the first is shown. In both cases only one production
// judges.
func (t *Text) appendDetails(b []byte, l check.Line, judged []check.Judgment, columns int) []byte {
	s := l.Text
	limit := cmp.Or(t.Width, roomy)
	prefix := t.prefixWidth()
	fits := !l.Whole && prefix+columns+1 <= limit && len(s) <= longestShown
	at := placeOf(l, &judged[0])
	// Where the text that is shown is not that which was judged, a copy of the first judgment, the only one, gets the
	// offset in it. The caller's judgments stay as they are.
	if e := judged[0].Cause; l.Whole && e != nil {
		j := judged[0]
		s, j.Offset = e.Line()
		judged = []check.Judgment{j}
	}
	if g := judged[0].Grammar; g.CodePoints && judged[0].Offset >= 0 {
		j := judged[0]
		s, j.Offset = withCodePoints(g.Grammar, s, j.Offset)
		judged = []check.Judgment{j}
	}
	if fits {
		b = t.appendCarets(b, s, judged, prefix)
	}
	for i := range judged {
		j := &judged[i]
		if j.Message == "" {
			b = t.appendFindings(b, l, j)
			continue
		}
		// An excerpt is shown once for messages about the same place.
		samePlace := i > 0 && judged[i-1].Message != "" && judged[i-1].Offset == j.Offset
		if !fits && j.Offset >= 0 && !samePlace {
			text, column := ast.Excerpt(s, j.Offset, min(limit, 100)-Indent)
			b = append(append(layout.Pad(b, 0, Indent), text...), '\n')
			b = t.Paint(layout.Pad(b, 0, Indent+column), layout.Caret, "^")
			b = append(b, '\n')
		}
		b = layout.Wrap(b, at+j.Grammar.Name+": "+j.Message, Indent, t.Width)
		b = t.appendFindings(b, l, j)
	}
	return appendSuggestions(b, l, judged)
}

// appendCarets appends a line with a caret under each byte that a judgment is about, and a wave under the spans of
// findings: see markAt. It appends nothing if there is nothing to mark. prefix is the column where s begins.
func (t *Text) appendCarets(b []byte, s string, judged []check.Judgment, prefix int) []byte {
	column := 0
	for at := 0; at <= len(s); at++ {
		mark, how := markAt(judged, at)
		if mark == "" {
			continue
		}
		_, to := AppendVisible(nil, s, at)
		b = layout.Pad(b, column, prefix+to)
		b = t.Paint(b, how, mark)
		column = prefix + to + 1
	}
	if column > 0 {
		b = append(b, '\n')
	}
	return b
}

// markAt returns the mark below the byte at an offset, and its style; "" for no mark. The caret of a message
// comes before the wave of the most severe finding.
func markAt(judged []check.Judgment, at int) (string, layout.Style) {
	wave := semantic.Severity(0)
	for i := range judged {
		j := &judged[i]
		if j.Message != "" && j.Offset == at {
			return "^", layout.Caret
		}
		for k := range j.Findings {
			f := &j.Findings[k]
			if f.Start <= at && at < max(f.End, f.Start+1) && !j.SaysAlready(f) {
				wave = max(wave, f.Severity)
			}
		}
	}
	switch wave {
	case 0:
		return "", layout.Plain
	case semantic.Note:
		return "~", layout.Cyan
	case semantic.Error:
		return "~", layout.Red
	}
	return "~", layout.Yellow
}

// appendFindings appends the findings of a judgment, each on lines of its own, except those that its message says
// already.
func (t *Text) appendFindings(b []byte, l check.Line, j *check.Judgment) []byte {
	for k := range j.Findings {
		f := &j.Findings[k]
		if j.SaysAlready(f) {
			continue
		}
		text := fmt.Sprintf("%s%s: offset %d: %s: %s (%s)", place(l), j.Grammar.Name, f.Start, f.Severity, f.Message,
			f.Rule)
		b = layout.Wrap(b, text, Indent, t.Width)
	}
	return b
}

// appendSuggestions appends the repairs of the judgments that have one: one line for all grammars that share a URL.
func appendSuggestions(b []byte, l check.Line, judged []check.Judgment) []byte {
	seen := map[string]bool{}
	for i := range judged {
		r := judged[i].Repair
		if r == nil || seen[r.URL] {
			continue
		}
		seen[r.URL] = true
		names := judged[i].Grammar.Name
		for k := i + 1; k < len(judged); k++ {
			if o := judged[k].Repair; o != nil && o.URL == r.URL {
				names += ", " + judged[k].Grammar.Name
			}
		}
		b = append(layout.Pad(b, 0, Indent), place(l)+names+": "+suggestion(r)+"\n"...)
	}
	return b
}

// suggestion describes a repair in one line, without its edits.
func suggestion(r *fix.Repair) string {
	if r.Guess {
		return "a guess: " + r.URL + remark(r)
	}
	return "try " + r.URL + remark(r)
}

// remark returns, in parentheses after a space, the parts where a repair differs from the input, and the errors
// that it keeps. If it differs in no part but changes the input, the remark says that the meaning may be another.
// It is "" if there is nothing to say.
func remark(r *fix.Repair) string {
	var list []string
	if n := len(r.Differs.Names()); n == 1 {
		list = append(list, "the "+r.Differs.String()+" differs")
	} else if n > 1 {
		list = append(list, r.Differs.String()+" differ")
	} else if r.Changes() {
		list = append(list, "the meaning may be another")
	}
	for _, e := range r.Errors {
		list = append(list, "still an error: "+e.Rule)
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, "; ") + ")"
}

// AppendRepairs appends a line and, for each grammar, its repair, the edits that make it and the errors that it keeps.
// If there is no repair, it appends why; a line that the grammar derives has nothing to repair, but may have errors.
func (t *Text) AppendRepairs(b []byte, l check.Line, judged []check.Judgment) []byte {
	shown, cut := shownPart(l)
	b, _ = AppendVisible(b, shown, 0)
	b = append(append(b, cut...), '\n')
	for i := range judged {
		j := &judged[i]
		b = append(layout.Pad(b, 0, Indent), place(l)+j.Grammar.Name+": "...)
		r := j.Repair
		switch {
		case j.Answer == check.TooLong:
			b = append(b, j.Message+"\n"...)
			continue
		case r == nil:
			b = append(b, "no repair: encoding is not enough, and it is too long for a guess\n"...)
			continue
		case len(r.Edits) > 0:
			if r.Guess {
				b = append(b, "a guess: "...)
			}
			b = t.Paint(b, layout.Bold, r.URL)
			if why := remark(r); why != "" {
				b = append(b, why+"\n"...)
			} else {
				b = append(b, " (no part differs)\n"...)
			}
		case len(r.Errors) > 0:
			b = append(b, "no repair: the grammar derives it, and what is wrong is more than its syntax\n"...)
		default:
			b = append(b, "nothing to repair\n"...)
		}
		for _, e := range r.Edits {
			b = layout.Wrap(b, e.String(), 2*Indent, t.Width)
		}
		for i := range r.Errors {
			e := &r.Errors[i]
			b = layout.Wrap(b, fmt.Sprintf("error at offset %d: %s (%s)", e.Start, e.Message, e.Rule), 2*Indent,
				t.Width)
		}
	}
	return b
}

// LeftOut returns the message about a line that is too long to be repaired.
func LeftOut(l check.Line, j *check.Judgment) string { return place(l) + j.Message + ", and left out" }

// place returns the place of a line in the form that editors follow: "urls.txt:17: ". It is "line 17: " for standard
// input, and "" for an argument.
func place(l check.Line) string {
	switch l.Source.Name {
	case "":
		return ""
	case "-":
		return "line " + strconv.Itoa(l.Number) + ": "
	}
	return layout.Printable(l.Source.Name) + ":" + strconv.Itoa(l.Number) + ": "
}

// placeOf is place for a judgment on l. In a file that is one string the place is that of the error:
// "cal.ics:17:4: ", or the file alone if there is no syntax error. For such a string from standard input it is "".
func placeOf(l check.Line, j *check.Judgment) string {
	switch {
	case !l.Whole:
		return place(l)
	case l.Source.Name == "-":
		return ""
	case j.Cause == nil:
		return layout.Printable(l.Source.Name) + ": "
	}
	return layout.Printable(l.Source.Name) + ":" + j.Cause.Position().String() + ": "
}

// LineCaret is [Caret] for only the line of the input in which the syntax error is.
func LineCaret(e *ast.SyntaxError, width int) string {
	line := *e
	line.Input, line.Offset = e.Line()
	return Caret(&line, width)
}

// Caret returns two lines: an excerpt of the input of a syntax error around its offset, and a caret below that. A line
// has at most width columns; for 0 the limit is roomy. There is no line feed at the end.
func Caret(e *ast.SyntaxError, width int) string {
	input, offset := withCodePoints(e.Grammar, e.Input, e.Offset)
	text, column := ast.Excerpt(input, offset, cmp.Or(width, roomy)-Indent)
	margin := strings.Repeat(" ", Indent)
	return margin + text + "\n" + margin + strings.Repeat(" ", column) + "^"
}

// withCodePoints returns s as it is shown, and the offset in it of the byte at offset. If the values of the
// grammar are code points, those outside of ASCII become <U+061C>, and an offset inside one becomes that of its
// beginning. Otherwise, and for a nil grammar, both stay as they are.
func withCodePoints(g *ast.Grammar, s string, offset int) (text string, at int) {
	if g == nil || !g.CodePoints {
		return s, offset
	}
	var b strings.Builder
	for i, r := range s {
		if i <= offset {
			at = b.Len()
		}
		if _, size := utf8.DecodeRuneInString(s[i:]); size > 1 {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteByte(s[i])
		}
	}
	if offset >= len(s) {
		at = b.Len()
	}
	return b.String(), at
}

// AppendVisible appends all of s as a terminal can show it, with the escapes of [ast.Excerpt], and returns the column
// at which the byte at offset is shown, counted from the beginning of s.
func AppendVisible(b []byte, s string, offset int) (out []byte, column int) {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		return append(b, s...), offset
	}
	text, column := ast.Excerpt(s, offset, len(`\xHH`)*len(s)+16)
	return append(b, text...), column
}

// cutURL returns a URL, which must be ASCII, that follows a prefix of the given number of columns. It is cut in the
// middle if the width has no room for it. If fewer than narrow columns are left, it is cut for an indented line of its
// own, on which [layout.Fit] puts it when all is written. A width of 0 is no limit.
func cutURL(url []byte, prefix, width int) []byte {
	if width == 0 || prefix+len(url) <= width {
		return url
	}
	if width-prefix < narrow {
		return []byte(layout.Middle(string(url), width-Indent))
	}
	return []byte(layout.Middle(string(url), width-prefix))
}
