package bnf

import (
	"sort"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// The text that a reader takes apart is not always the text of the file: in XML "&quot;" stands for one character,
// markup stands between two, and a document may include lines of another file. A placed text keeps, for each of its
// bytes, the byte of the file that it comes from, so that every finding names the line and the column of the file
// itself.

// A fileText is the text of one file, whose offsets have places.
type fileText struct {
	name   string
	text   string
	starts []int // offsets of the first bytes of its lines
}

// newFileText returns a file with the offsets at which its lines start.
func newFileText(name, text string) *fileText {
	f := &fileText{name: name, text: text, starts: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			f.starts = append(f.starts, i+1)
		}
	}
	return f
}

// line returns the index of the line that the byte at offset stands on.
func (f *fileText) line(offset int) int { return sort.SearchInts(f.starts, offset+1) - 1 }

// lineText returns a line without its end.
func (f *fileText) lineText(i int) string {
	end := len(f.text)
	if i+1 < len(f.starts) {
		end = f.starts[i+1] - 1
	}
	return strings.TrimRight(f.text[f.starts[i]:end], "\r")
}

// at returns the place of the byte at offset.
func (f *fileText) at(offset int) expr.Pos {
	line := f.line(offset)
	return expr.Pos{File: f.name, Line: line + 1, Col: offset - f.starts[line] + 1}
}

// An origin is where a line of a placed text comes from.
type origin struct {
	file  *fileText
	start int   // offset of its first byte
	each  []int // offsets of its bytes, and of its end; nil if they follow start without a gap
}

// at returns the place in the file of a column of the line, from 1. A column after the end is that of the end.
func (o origin) at(col int) expr.Pos {
	if o.each == nil {
		return o.file.at(o.start + col - 1)
	}
	return o.file.at(o.each[min(col-1, len(o.each)-1)])
}

// origins are where the lines of a text come from. A nil *origins is that of a text which is its file.
type origins struct {
	lines []origin
	main  *fileText // the document, which may include others
}

// place returns the place of a byte in its file, from its place in the text.
func (o *origins) place(pos expr.Pos) expr.Pos {
	if o == nil || pos.Line < 1 || pos.Line > len(o.lines) {
		return pos
	}
	return o.lines[pos.Line-1].at(pos.Col)
}

// line returns the number of the document's line that a line of the text comes from, both from 1. It is 0 for a line
// of an included file. If o is nil, the text is the document.
func (o *origins) line(number int) int {
	if o == nil {
		return number
	}
	if pos := o.place(expr.Pos{Line: number, Col: 1}); pos.File == o.main.name {
		return pos.Line
	}
	return 0
}

// A placedText collects text with the offset of each byte in its file.
type placedText struct {
	text   []byte
	offset []int
}

// copy adds bytes of the file as they are; they begin at offset there.
func (t *placedText) copy(text string, offset int) {
	for i := range len(text) {
		t.text, t.offset = append(t.text, text[i]), append(t.offset, offset+i)
	}
}

// put adds text that stands in the place of other text, which begins at offset in the file: each of its bytes has this
// offset.
func (t *placedText) put(text string, offset int) {
	for i := range len(text) {
		t.text, t.offset = append(t.text, text[i]), append(t.offset, offset)
	}
}

// lines returns the lines of the text, without their ends, with their origins in f; an empty text is one empty line.
// end is the offset in f where the last line ends.
func (t *placedText) lines(f *fileText, end int) (lines []string, from []origin) {
	start := 0
	for i := 0; i <= len(t.text); i++ {
		if i < len(t.text) && t.text[i] != '\n' {
			continue
		}
		last := end
		if i < len(t.text) {
			last = t.offset[i]
		}
		each := append(t.offset[start:i:i], last)
		lines = append(lines, strings.TrimRight(string(t.text[start:i]), "\r"))
		from = append(from, origin{file: f, start: each[0], each: each})
		start = i + 1
	}
	return lines, from
}
