package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// streams is what the program is connected to.
type streams struct {
	in     io.Reader
	out    *output
	err    io.Writer
	colour bool // text on out may be coloured
	width  int  // columns that text on out may take; 0 for no limit

	// progress says that err is a terminal on which a line can be overwritten, and that out does not use the same
	// one: or rather, since that cannot be known, that out is no terminal.
	progress, outIsTerminal bool
}

func newStreams(in io.Reader, out, err io.Writer) *streams {
	dumb := os.Getenv("TERM") == "dumb"
	s := &streams{in: in, out: &output{w: out}, err: err, outIsTerminal: isTerminal(out)}
	s.progress = isTerminal(err) && !dumb
	s.colour = wantsColour(os.Getenv, s.outIsTerminal)
	s.width = width(os.Getenv("COLUMNS"), out)
	return s
}

// complain writes a line to standard error. Nothing can be done where that fails.
func (s *streams) complain(format string, args ...any) {
	fmt.Fprintln(s.err, printable(fmt.Sprintf(format, args...)))
}

// wantsColour follows the usual conventions, strongest first: FORCE_COLOR (where "0" and "false" mean no), NO_COLOR,
// TERM=dumb, and colour on a terminal alone.
func wantsColour(getenv func(string) string, terminal bool) bool {
	switch force := getenv("FORCE_COLOR"); {
	case force == "0" || force == "false":
		return false
	case force != "":
		return true
	case getenv("NO_COLOR") != "", getenv("TERM") == "dumb":
		return false
	}
	return terminal
}

// width gives COLUMNS where it is a number, else the width of the terminal that out is, else 0.
func width(columns string, out io.Writer) int {
	if n, err := strconv.Atoi(columns); err == nil && n > 0 {
		return n
	}
	if f, ok := out.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// output keeps the first error of w and gives it to every later write, so that a program that does not look still ends
// with it.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// A style is how a piece of text is coloured: the parameters of the escape sequence SGR.
type style string

// The styles.
const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
	caret  style = "1;31"
)

// paint appends text in a style, or as it is where there are to be no colours.
func (s *streams) paint(b []byte, how style, text string) []byte {
	if !s.colour || how == plain || text == "" {
		return append(b, text...)
	}
	b = append(b, "\x1b["...)
	b = append(b, how...)
	b = append(b, 'm')
	b = append(b, text...)
	return append(b, "\x1b[0m"...)
}

// printable gives s with everything that could move a cursor or turn text around shown as its bytes, \xHH. It is for
// names that people chose; what stands in a URL is shown by package ast.
func printable(s string) string {
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

// pad appends spaces up to a number of columns, of which some are already taken.
func pad(b []byte, taken, columns int) []byte {
	for ; taken < columns; taken++ {
		b = append(b, ' ')
	}
	return b
}

// wrap appends text in lines of at most width columns, each behind the indentation and the second and later ones
// deeper by two; 0 is any width. It breaks at spaces alone.
func wrap(b []byte, text string, indent, width int) []byte {
	b = pad(b, 0, indent)
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
			b = pad(b, 0, column)
		default:
			b = append(b, ' ')
			column++
		}
		b = append(b, word...)
		column += len(word)
	}
	return append(b, '\n')
}
