// Package layout lays out text for people: styles, wrapped lines, tables, counts and shares.
package layout

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Style is how a piece of text is coloured: the parameters of the escape sequence SGR.
type Style string

// The styles.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
	Caret  Style = "1;31"
)

// A Screen is what text is laid out for.
type Screen struct {
	Colour bool // text may be coloured
	Width  int  // columns that text may take; 0 for no limit
}

// Paint appends text in a style, or as it is where there are to be no colours.
func (s *Screen) Paint(b []byte, how Style, text string) []byte {
	if !s.Colour || how == Plain || text == "" {
		return append(b, text...)
	}
	b = append(b, "\x1b["...)
	b = append(b, how...)
	b = append(b, 'm')
	b = append(b, text...)
	return append(b, "\x1b[0m"...)
}

// Printable returns s with everything that could move a cursor or turn text around shown as its bytes, \xHH. It is for
// names that people chose; what stands in a URL is shown by package ast.
func Printable(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\n' || r == '\t' || r != utf8.RuneError && unicode.IsPrint(r) {
			b.WriteString(s[i : i+n])
		} else {
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, `\x%02X`, c)
			}
		}
		i += n
	}
	return b.String()
}

// Pad appends spaces up to a number of columns, of which some are already taken.
func Pad(b []byte, taken, columns int) []byte {
	for ; taken < columns; taken++ {
		b = append(b, ' ')
	}
	return b
}

// Wrap appends text in lines of at most width columns, each behind the indentation and the second and later ones
// deeper by two; 0 is any width. It breaks at spaces only.
func Wrap(b []byte, text string, indent, width int) []byte {
	b = Pad(b, 0, indent)
	if width == 0 {
		return append(append(b, text...), '\n')
	}
	column := indent
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
		case column+1+len(word) > width && column > indent+2:
			b = append(b, '\n')
			column = indent + 2
			b = Pad(b, 0, column)
		default:
			b = append(b, ' ')
			column++
		}
		b = append(b, word...)
		column += len(word)
	}
	return append(b, '\n')
}
