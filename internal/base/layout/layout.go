// Package layout lays out text for people: styles, wrapped lines, tables, counts and shares.
//
// Each character counts as one column of the screen, also a wide one and one that combines with another.
package layout

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Style is how a piece of text is colored: the parameters of the escape sequence SGR.
type Style string

// The styles. Each means one thing, in the output of every command.
const (
	Plain  Style = ""
	Bold   Style = "1"    // a name that others are listed under
	Dim    Style = "2"    // of no weight: nothing is counted, or it is off
	Red    Style = "31"   // what does not hold: rejected, refuted, an error
	Green  Style = "32"   // what holds: accepted, proven
	Yellow Style = "33"   // what may not hold: a warning, what is open
	Cyan   Style = "36"   // what is only told: a note
	Caret  Style = "1;31" // the place of something that does not hold
)

// A Screen says how wide and how colorful the output may be.
type Screen struct {
	Color bool // text may be colored
	Width int  // columns that text may take; 0 for no limit
}

// Paint appends text in a style to b, or as it is if s has no colors. Text must not be painted already: the style ends
// at the first end of another.
func (s *Screen) Paint(b []byte, how Style, text string) []byte {
	if !s.Color || how == Plain || text == "" {
		return append(b, text...)
	}
	b = append(b, "\x1b["...)
	b = append(b, how...)
	b = append(b, 'm')
	b = append(b, text...)
	return append(b, "\x1b[0m"...)
}

// Printable returns s with everything that could move a cursor or turn text around shown as its bytes, \xHH;
// newlines and tabs stay. It is for names that people chose; what stands in a URL is shown by package ast.
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

// Pad appends spaces up to a number of columns, some of which are already taken; none if all are.
func Pad(b []byte, taken, columns int) []byte {
	for ; taken < columns; taken++ {
		b = append(b, ' ')
	}
	return b
}

// Wrap appends text in lines of at most width columns, their indentation among them, each with its line feed. The
// second and later ones are indented deeper by two; a width of 0 is no limit. A longer word stays whole.
func Wrap(b []byte, text string, indent, width int) []byte {
	if width == 0 {
		return append(append(Pad(b, 0, indent), text...), '\n')
	}
	for i, line := range Fold(text, width-indent, width-indent-2, false) {
		if i == 1 {
			indent += 2
		}
		b = append(append(Pad(b, 0, indent), line...), '\n')
	}
	return b
}

// Fold breaks text at spaces into lines, the first of at most first columns and the others of at most width. A
// longer word is cut into lines if cut is set, and has a line of its own otherwise. The first word is in the first
// line in any case. "" is one empty line.
func Fold(text string, first, width int, cut bool) (lines []string) {
	words := strings.Split(text, " ")
	current, room := words[0], first // the line that is being filled, and the columns that it may take
	flush := func() {
		lines = append(lines, current)
		current, room = "", width
	}
	for i := 0; ; {
		for cut && utf8.RuneCountInString(current) > room {
			whole := current
			current = Cut(whole, room)
			rest := whole[len(current):]
			flush()
			current = rest
		}
		i++
		if i == len(words) {
			flush()
			return lines
		}
		if utf8.RuneCountInString(current)+1+utf8.RuneCountInString(words[i]) <= room {
			current += " " + words[i]
		} else {
			flush()
			current = words[i]
		}
	}
}

// Cut returns the first characters of s, as many as width and at least one if there is one. It knows no colors: an
// escape sequence counts as characters.
func Cut(s string, width int) string {
	n := 0
	for i := range s {
		if n == max(width, 1) {
			return s[:i]
		}
		n++
	}
	return s
}

// Unindent returns text without the indentation that all its lines have in common and the spaces at their ends.
// Every tab is first replaced by four spaces, wherever it stands; blank lines have no indentation.
func Unindent(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n")
	common := -1
	for _, l := range lines {
		if in := len(l) - len(strings.TrimLeft(l, " ")); in < len(l) && (common < 0 || in < common) {
			common = in
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(max(common, 0), len(l)):], " ")
	}
	return strings.Join(lines, "\n")
}
