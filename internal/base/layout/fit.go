package layout

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
)

// Whole begins a line, behind its indentation, that Fit does not break: it is code to be copied.
const Whole = "repeat: "

// Fit returns a line in lines of at most width columns. It is broken at spaces, and continues deeper than it began
// by two. A line with two spaces in a row is taken for a row of a table, and continues below its second column if
// that begins in the left half. A word that is longer than a line, such as a long URL, loses its middle, so that its
// beginning and its end stay in sight. A line that begins with [Whole] is not broken. Colors take no column. A width
// of 0 is any width, and one below 16 is taken as 16.
func Fit(line string, width int) []string {
	if strings.HasPrefix(strings.TrimLeft(line, " "), Whole) {
		return []string{line}
	}
	if width == 0 || columnsOf(line) <= width {
		return []string{line}
	}
	width = max(width, 16)
	// The second line and all later ones have this indentation, which is at most half the width.
	indent := len(line) - len(strings.TrimLeft(line, " ")) + 2
	if gap := strings.Index(line[indent-2:], "  "); gap > 0 { // a row of a table continues below its second column
		at := indent - 2 + gap
		if second := columnsOf(line[:at]) + len(line[at:]) - len(strings.TrimLeft(line[at:], " ")); second <= width/2 {
			indent = second
		}
	}
	indent = min(indent, width/2)
	var lines []string
	current, taken := "", 0 // the line that is being filled, and its columns
	for rest := line; rest != ""; {
		n := len(rest) - len(strings.TrimLeft(rest, " "))
		space := rest[:n] // what stands before the next word
		rest = rest[n:]
		n = strings.IndexByte(rest, ' ')
		if n < 0 {
			n = len(rest)
		}
		word := rest[:n]
		rest = rest[n:]
		if word == "" {
			break
		}
		wide := columnsOf(word)
		if taken+len(space)+wide > width && strings.TrimSpace(current) != "" {
			lines = append(lines, current)
			current, taken, space = strings.Repeat(" ", indent), indent, ""
		}
		if taken+len(space) > indent && current == "" { // the first line is indented no deeper than the others
			space = space[:min(len(space), indent)]
		}
		if room := width - taken - len(space); wide > room {
			word = Middle(word, room)
			wide = columnsOf(word)
		}
		current += space + word
		taken += len(space) + wide
	}
	return append(lines, current)
}

// columnsOf returns how many columns of a screen s takes.
func columnsOf(s string) (n int) {
	for s != "" {
		size, wide := nextCharacter(s)
		n += wide
		s = s[size:]
	}
	return n
}

// nextCharacter returns how many bytes the first character of s has, and that it takes one column. If s begins with
// an escape sequence, which must be one for colors and so ends with an m, it returns the bytes of that and no
// column. s must not be empty.
func nextCharacter(s string) (size, columns int) {
	if strings.HasPrefix(s, "\x1b[") {
		if end := strings.IndexByte(s, 'm'); end >= 0 {
			return end + 1, 0
		}
	}
	_, size = utf8.DecodeRuneInString(s)
	return size, 1
}

// Middle returns s in at most width columns, with "..." in place of its middle if it is longer, colors kept. The width
// must be at least 1. Below 3 the result is wider than that, since the dots stay.
func Middle(s string, width int) string {
	const dots = "..."
	all := columnsOf(s)
	if all <= width {
		return s
	}
	first := (width - len(dots) + 1) / 2
	last := width - len(dots) - first
	var b strings.Builder
	for n := 0; s != ""; {
		size, wide := nextCharacter(s)
		if wide > 0 && n == first {
			b.WriteString(dots)
		}
		if wide == 0 || n < first || n >= all-last {
			b.WriteString(s[:size])
		}
		n += wide
		s = s[size:]
	}
	return b.String()
}

// A Fitter writes lines to W as [Fit] returns them. What follows the last line feed is written by Flush.
type Fitter struct {
	W     io.Writer
	Width int    // as in [Fit]
	rest  []byte // what no line feed has ended yet
}

// Write takes text, and writes the lines that it ends. If W fails it returns 0 and the error, and these lines are
// lost.
func (f *Fitter) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if end == 0 {
		f.rest = append(f.rest, p...)
		return len(p), nil
	}
	var b []byte
	for line := range bytes.Lines(append(f.rest, p[:end]...)) {
		b = f.appendFitted(b, line[:len(line)-1])
		b = append(b, '\n')
	}
	f.rest = append(f.rest[:0:0], p[end:]...) // a copy: p is the caller's
	if _, err := f.W.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}

// appendFitted appends line, which is without its line feed, in as many lines as the width asks for, with line feeds
// between them.
func (f *Fitter) appendFitted(b, line []byte) []byte {
	if f.Width == 0 || len(line) <= f.Width {
		return append(b, line...)
	}
	return append(b, strings.Join(Fit(string(line), f.Width), "\n")...)
}

// Flush writes the last line, without a line feed, if none has ended it. If W fails that line is lost.
func (f *Fitter) Flush() error {
	if len(f.rest) == 0 {
		return nil
	}
	b := f.appendFitted(nil, f.rest)
	f.rest = nil
	_, err := f.W.Write(b)
	return err
}
