package main

import (
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

// In the text form a URL has one line: a cell for each grammar, and then the URL, since its length is anyone's guess.
// What there is to say about it follows below, indented.

const cellGap = "  "

// cellWidth is the width of a grammar's cells: that of its longest conforming one, and of "generic-only otherurl".
func cellWidth(g *bnfcheck.Grammar) int {
	longest := 0
	for _, s := range g.Schemes {
		longest = max(longest, len(g.Production(s.Kind).Name))
	}
	return max(len("conforming ")+longest, len("generic-only otherurl"))
}

// prefixWidth is the column where the URL begins.
func (c *checker) prefixWidth() (n int) {
	for _, g := range *c.rfcs {
		n += cellWidth(g) + len(cellGap)
	}
	return n
}

func (c *checker) appendHeader(b []byte) []byte {
	for _, g := range *c.rfcs {
		b = c.Paint(b, layout.Bold, g.Name)
		b = layout.Pad(b, len(g.Name), cellWidth(g))
		b = append(b, cellGap...)
	}
	b = c.Paint(b, layout.Bold, "URL")
	return append(b, '\n')
}

// longestShown is how much of a URL the text form shows.
const longestShown = 2000

func (w *worker) appendText(b []byte, s string, l check.Line) []byte {
	for i := range w.Judged {
		b = w.appendCell(b, &w.Judged[i])
	}
	shown := s
	if len(shown) > longestShown {
		shown = shown[:longestShown]
	}
	var columns int
	w.visible, columns = appendVisible(w.visible[:0], shown, len(shown))
	b = append(b, w.visible...)
	if len(shown) < l.Length {
		b = append(b, "... ("+strconv.Itoa(l.Length)+" bytes)"...)
	}
	b = append(b, '\n')
	for i := range w.Judged {
		if j := &w.Judged[i]; j.Message != "" || len(j.Findings) > 0 {
			return w.appendDetails(b, s, l, columns)
		}
	}
	return b
}

func (w *worker) appendCell(b []byte, j *check.Judgement) []byte {
	g := j.Grammar
	verdict := j.Answer.String()
	taken := len(verdict)
	how := styleOf(j.Answer)
	if w.Strict && j.Answer.Negative(true) {
		how = layout.Red
	}
	b = w.Paint(b, how, verdict)
	if j.Production != 0 {
		name := g.Production(j.Production).Name
		b = append(b, ' ')
		b = append(b, name...)
		taken += 1 + len(name)
	}
	return append(layout.Pad(b, taken, cellWidth(g)), cellGap...)
}

// roomy is the width up to which carets stand under the URL itself where there is no terminal to fit into.
const roomy = 240

// appendDetails writes what there is to say about a line. The carets stand under the URL where it fits into the width,
// else under an excerpt.
func (w *worker) appendDetails(b []byte, s string, l check.Line, columns int) []byte {
	limit := w.Width
	if limit == 0 {
		limit = roomy
	}
	prefix := w.prefixWidth()
	inline := prefix+columns+1 <= limit && len(s) <= longestShown
	if inline {
		b = w.appendCarets(b, s, prefix)
	}
	for i := range w.Judged {
		j := &w.Judged[i]
		if j.Message == "" {
			b = w.appendFindings(b, i, l)
			continue
		}
		if !inline && j.Offset >= 0 && !w.saidBefore(i) {
			text, column := ast.Excerpt(s, j.Offset, min(limit, 100)-indent)
			b = append(append(layout.Pad(b, 0, indent), text...), '\n')
			b = w.Paint(layout.Pad(b, 0, indent+column), layout.Caret, "^")
			b = append(b, '\n')
		}
		b = layout.Wrap(b, w.place(l)+j.Grammar.Name+": "+j.Message, indent, w.Width)
		b = w.appendFindings(b, i, l)
	}
	return w.appendSuggestions(b, l)
}

// indent is that of details.
const indent = 2

// saidBefore says whether the judgement before the i-th is about the same byte.
func (w *worker) saidBefore(i int) bool {
	return i > 0 && w.Judged[i-1].Message != "" && w.Judged[i-1].Offset == w.Judged[i].Offset
}

// appendCarets writes a line with a caret under each byte that a judgement is about, and a wave under the spans of
// findings.
func (w *worker) appendCarets(b []byte, s string, prefix int) []byte {
	column := 0
	for at := 0; at <= len(s); at++ {
		sign, how := w.sign(at)
		if sign == "" {
			continue
		}
		_, to := appendVisible(nil, s, at)
		b = layout.Pad(b, column, prefix+to)
		b = w.Paint(b, how, sign)
		column = prefix + to + 1
	}
	if column > 0 {
		b = append(b, '\n')
	}
	return b
}

// sign gives what stands under a byte.
func (w *worker) sign(at int) (string, layout.Style) {
	wave := false
	for i := range w.Judged {
		j := &w.Judged[i]
		if j.Message != "" && j.Offset == at {
			return "^", layout.Caret
		}
		for k := range j.Findings {
			f := &j.Findings[k]
			wave = wave || f.Start <= at && at < max(f.End, f.Start+1) && !j.SaysAlready(f)
		}
	}
	if wave {
		return "~", layout.Yellow
	}
	return "", layout.Plain
}

// place says where a line stands, so that an editor can go there: "urls.txt:17: "; nothing for an argument.
func (w *worker) place(l check.Line) string {
	switch l.Source.Name {
	case "":
		return ""
	case "-":
		return "line " + strconv.Itoa(l.Number) + ": "
	}
	return layout.Printable(l.Source.Name) + ":" + strconv.Itoa(l.Number) + ": "
}

// appendVisible appends s as a terminal can show it, as package ast does, and gives the column at which the byte at
// offset is shown.
func appendVisible(b []byte, s string, offset int) (out []byte, column int) {
	if isVisible(s) {
		return append(b, s...), offset
	}
	text, column := ast.Excerpt(s, offset, len(`\xHH`)*len(s)+16)
	return append(b, text...), column
}

func isVisible(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}
