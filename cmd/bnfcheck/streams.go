package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/bnfcheck/bnfcheck/internal/check/render"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

// streams is what the program is connected to.
type streams struct {
	in            io.Reader
	out           *output
	err           io.Writer
	layout.Screen // what out shows

	// progress says that err is a terminal on which a line can be overwritten, and that out does not use the same
	// one: or rather, since that cannot be known, that out is no terminal.
	progress, outIsTerminal bool

	// earned is the error that the command would end with, by what it has found out so far. A command sets it before it
	// prints what it found out, and ends with it where nobody reads on.
	earned error
}

func newStreams(in io.Reader, out, err io.Writer) *streams {
	dumb := os.Getenv("TERM") == "dumb"
	s := &streams{in: in, out: &output{w: out}, err: err, outIsTerminal: isTerminal(out)}
	s.progress = isTerminal(err) && !dumb
	s.Colour = wantsColour(os.Getenv, s.outIsTerminal)
	s.Width = width(os.Getenv("COLUMNS"), out)
	return s
}

// complain writes a line to standard error. Nothing can be done where that fails.
func (s *streams) complain(format string, args ...any) {
	fmt.Fprintln(s.err, layout.Printable(fmt.Sprintf(format, args...)))
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

// printAll prints values as text or as JSON, one a line.
func printAll[T any](s *streams, format *choice, values []T, writeText func(io.Writer, []T) error) error {
	if format.value == "text" {
		return writeText(s.out, values)
	}
	for _, v := range values {
		if _, err := s.out.Write(render.JSON(nil, v)); err != nil {
			return err
		}
	}
	return nil
}

// appendURL appends a URL as it is or, for a terminal, without anything that could move its cursor.
func (s *streams) appendURL(b []byte, url string) []byte {
	if s.outIsTerminal {
		b, _ = render.AppendVisible(b, url, 0)
		return b
	}
	return append(b, url...)
}
