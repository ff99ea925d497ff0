package editor

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/editor/outline"
	"github.com/bnfcheck/bnfcheck/internal/editor/protocol"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An editor counts lines and columns from 0, columns in the units of UTF-16 unless UTF-8 was negotiated; the readers
// count from 1, columns in bytes; and the outline has offsets. A lineIndex converts between the three. A byte that is
// not UTF-8 counts as one unit. A place outside the text counts as the nearest place in it, as the protocol demands.

// A lineIndex knows where the lines of a text start.
type lineIndex struct {
	text   string
	starts []int
	utf8   bool // columns are bytes
}

// newLineIndex returns the index of a text. A line ends with LF, CR LF or CR.
func newLineIndex(text string, utf8 bool) *lineIndex {
	x := &lineIndex{text: text, starts: []int{0}, utf8: utf8}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			x.starts = append(x.starts, i+1)
		}
	}
	return x
}

// line returns a line, counted from 0, without its end.
func (x *lineIndex) line(i int) string {
	end := len(x.text)
	if i+1 < len(x.starts) {
		end = x.starts[i+1]
	}
	return strings.TrimRight(x.text[x.starts[i]:end], "\r\n")
}

// offset returns the offset of an editor's position. Inside a character it is that of the character, beyond the end of
// a line that of its end, and beyond the last line the length of the text.
func (x *lineIndex) offset(p protocol.Position) int {
	if int64(p.Line) >= int64(len(x.starts)) {
		return len(x.text)
	}
	line := x.line(int(p.Line))
	at := x.starts[p.Line]
	if x.utf8 {
		n := int(min(int64(p.Character), int64(len(line))))
		for n > 0 && n < len(line) && !utf8.RuneStart(line[n]) {
			n--
		}
		return at + n
	}
	units := int64(p.Character)
	for i, c := range line {
		units -= int64(unitsOf(c))
		if units < 0 {
			return at + i
		}
	}
	return at + len(line)
}

// unitsOf returns how many units of UTF-16 a character takes.
func unitsOf(c rune) int {
	if c > 0xFFFF {
		return 2
	}
	return 1
}

// position returns the editor's position for an offset, or for the nearest in the text.
func (x *lineIndex) position(offset int) protocol.Position {
	offset = max(0, min(offset, len(x.text)))
	line := sort.SearchInts(x.starts, offset+1) - 1
	before := x.text[x.starts[line]:offset]
	n := len(before)
	if !x.utf8 {
		n = 0
		for _, c := range before {
			n += unitsOf(c)
		}
	}
	return protocol.Position{Line: uint32(line), Character: uint32(n)}
}

// rangeOf returns the editor's range for a part of the text.
func (x *lineIndex) rangeOf(s outline.Span) protocol.Range {
	return protocol.Range{Start: x.position(s.Start), End: x.position(s.End)}
}

// span returns the part of the text that an editor's range stands for.
func (x *lineIndex) span(r protocol.Range) outline.Span {
	start := x.offset(r.Start)
	return outline.Span{Start: start, End: max(start, x.offset(r.End))}
}

// place returns the offset of a reader's place, at most that of the end of its line: 0 before the first line, and the
// length of the text after the last one. Readers do not count a byte order mark.
func (x *lineIndex) place(pos expr.Pos) int {
	line := pos.Line - 1
	if line < 0 {
		return 0
	}
	if line >= len(x.starts) {
		return len(x.text)
	}
	at := x.starts[line]
	if line == 0 && strings.HasPrefix(x.text, "\ufeff") {
		at += len("\ufeff")
	}
	return min(at+max(pos.Col-1, 0), x.starts[line]+len(x.line(line)))
}
