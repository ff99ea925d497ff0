package ast

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Position is a place in an input.
type Position struct {
	Offset int // in bytes, from 0
	Line   int // from 1; a line ends after CRLF, LF or CR
	Column int // in code points, from 1; see PositionAt for bytes of none
}

// String returns "LINE:COLUMN".
func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// PositionAt returns the position of the byte at offset in s. An offset outside s is taken as its nearest end. A byte
// that is part of no code point counts as a column. So does, for an offset inside a code point, each byte of it before
// the offset: the third byte of a "€" that begins a line is in column 3. PositionAt reads s up to offset: a program
// that needs many positions of one input should count lines itself.
func PositionAt(s string, offset int) Position {
	offset = min(max(offset, 0), len(s))
	p := Position{Offset: offset, Line: 1, Column: 1}
	start := 0 // of the line
	for i := 0; i < offset; i++ {
		// The CR of a CRLF ends no line by itself: the LF after it does. An offset between the two
		// is still in the line.
		if s[i] == '\n' || s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			p.Line++
			start = i + 1
		}
	}
	p.Column += utf8.RuneCountInString(s[start:offset])
	return p
}

// Position returns the position of n's first byte in the source.
func (n Node) Position() Position {
	if n.tree == nil {
		return Position{}
	}
	return PositionAt(n.tree.Source, n.Start())
}

// Position returns the position of the offending byte.
func (e *SyntaxError) Position() Position { return PositionAt(e.Input, e.Offset) }

// at returns the place of the error as messages have it: the offset, and from the second line on
// the line and column before it.
func (e *SyntaxError) at() string {
	p := e.Position()
	if p.Line == 1 {
		return fmt.Sprintf("offset %d", e.Offset)
	}
	return fmt.Sprintf("line %d, column %d (offset %d)", p.Line, p.Column, e.Offset)
}

// Format returns three lines, each ended by a line feed: the message of [SyntaxError.Error], the line of the input
// that has the offending byte, and a caret under that byte. The message is not wrapped; the other two lines are at
// most width columns wide. A width below 16 is taken as 80, and 16 and 17 as 18. Bytes that are not printable ASCII
// are written as \xHH, so the result is safe for a terminal.
//
//	ini: line 2, column 5 (offset 12): unexpected "=" in key; expected letter
//	  key =x
//	      ^
func (e *SyntaxError) Format(width int) string {
	if width < minWidth {
		width = 80
	}
	const indent = "  "
	line, at := e.Line()
	text, column := Excerpt(line, at, width-len(indent))
	return e.Error() + "\n" + indent + text + "\n" + indent + strings.Repeat(" ", column) + "^\n"
}

// Line returns the line of the input that has the offending byte, without its line end, and the
// offset of that byte in it.
func (e *SyntaxError) Line() (text string, offset int) {
	begin, end := lineAround(e.Input, e.Offset)
	return e.Input[begin:end], e.Offset - begin
}

// lineAround returns the bounds of the line of s that contains the byte at offset, without its line
// end: a CR, an LF, or both. A byte of a line end belongs to the line that it ends. An offset
// outside of s stands for the nearest end of s, and len(s) is in the last line.
func lineAround(s string, offset int) (begin, end int) {
	offset = min(max(offset, 0), len(s))
	if 0 < offset && offset < len(s) && s[offset-1] == '\r' && s[offset] == '\n' {
		offset-- // between the CR and the LF of one line end, which ends the line before the CR
	}
	begin = strings.LastIndexAny(s[:offset], "\r\n") + 1
	end = len(s)
	if i := strings.IndexAny(s[offset:], "\r\n"); i >= 0 {
		end = offset + i
	}
	return begin, end
}

// ErrIncomplete is matched, in the sense of [errors.Is], by the error of an input that is the
// beginning of a string that is derived: more input could complete it. It is not matched by the
// error of an input that no continuation repairs, nor where that is not known, as after a limit.
//
//	tree, err := g.ParseAs(start, buffered)
//	if errors.Is(err, ast.ErrIncomplete) {
//		// read more, and try again
//	}
var ErrIncomplete = errors.New("incomplete input")

// Is reports whether target is [ErrIncomplete] and e.Incomplete is set.
func (e *SyntaxError) Is(target error) bool { return target == ErrIncomplete && e.Incomplete }
