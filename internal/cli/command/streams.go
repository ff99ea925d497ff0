package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/cli/terminal"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

// streams has everything that the program reads from and writes to.
type streams struct {
	in            io.Reader
	out           *output
	err           io.Writer
	layout.Screen // what out shows

	fits          int  // the columns that a line of text has: those of the terminal, or 80
	progress      bool // err is a terminal on which a line can be overwritten
	outIsTerminal bool // it may be the same one

	complaints atomic.Int64 // how many, those that were not written among them

	guarded bool // the process is this program, and it is watched
	watch   watch

	doing work                          // what the command has done so far, where it computes before it prints
	spent atomic.Pointer[budget.Budget] // that of the grammars it computes with; nil before there are any
	texts map[string][][]byte           // the lines of the grammars, by the names of their files

	// earned is the error that the command would end with by its findings so far. A command sets it before it
	// prints a finding, and ends with it if nobody reads on.
	earned error
}

// usualWidth is the width of text where there is no terminal.
const usualWidth = 80

// newStreams returns streams whose widths and colors are those of the terminal and the environment.
func newStreams(in io.Reader, out, err io.Writer) *streams {
	dumb := os.Getenv("TERM") == "dumb"
	s := &streams{in: in, out: &output{w: out}, err: err, outIsTerminal: terminal.Is(out)}
	s.out.alive, s.doing.alive = s.alive, s.alive
	s.progress = terminal.Is(err) && !dumb
	s.Color = terminal.Color(os.Getenv, s.outIsTerminal)
	s.Width = terminal.Width(os.Getenv("COLUMNS"), out)
	if s.fits = s.Width; s.fits == 0 {
		s.fits = usualWidth
	}
	return s
}

// newLine returns a line for the progress of a command, in place of that of showBusy. Without a terminal it shows
// nothing.
func (s *streams) newLine() *terminal.Line {
	s.out.endBusy()
	if !s.progress {
		return terminal.NewLine(nil)
	}
	return terminal.NewLine(s.err)
}

// newWait returns a wait for the first answers of programs, which complains of one that lets the user wait.
func (s *streams) newWait(p *pool) *terminal.Wait {
	return terminal.NewWait(func(program string) {
		if p.startup > terminal.Patience {
			s.complain("bnfcheck: %s: waiting for its first answer, for at most %v (--startup)", program, p.startup)
		}
	})
}

// mostComplaints is how many complaints a command writes before the error that it ends with.
const mostComplaints = 50

// complain writes a line to standard error, unless there were very many. Nothing can be done where that fails.
func (s *streams) complain(format string, args ...any) {
	if s.complaints.Add(1) <= mostComplaints {
		s.say(format, args...)
	}
}

// sayUnsaid writes how many complaints were left out, if any.
func (s *streams) sayUnsaid() {
	if more := int(s.complaints.Load()) - mostComplaints; more > 0 {
		s.say("bnfcheck: ... and %s more messages", quote.Thousands(more))
	}
}

// say writes to standard error, in lines of the terminal's width, without what could move a cursor, and with long parts
// shortened. It counts no complaint.
func (s *streams) say(format string, args ...any) {
	s.out.endBusy()
	for line := range strings.SplitSeq(layout.Printable(quote.Bounded(fmt.Sprintf(format, args...))), "\n") {
		fmt.Fprintln(s.err, strings.Join(layout.Fit(line, s.Width), "\n"))
	}
}

// complainOf writes an error to standard error, with the line of a grammar that it is about, if that is known. Of
// several that are joined, and are about grammars, it writes the first 20 so. It counts no complaint.
func (s *streams) complainOf(err error) {
	inner := err
	switch e := err.(type) {
	case *inputError:
		inner = e.error
	case *openError:
		inner = e.error
	}
	if all, ok := inner.(interface{ Unwrap() []error }); ok {
		if _, places := errors.AsType[*expr.Error](inner); places {
			const most = 20
			list := all.Unwrap()
			for _, one := range list[:min(len(list), most)] {
				s.complainOf(one)
			}
			if more := len(list) - most; more > 0 {
				s.say("bnfcheck: ... and %s more", quote.Thousands(more))
			}
			return
		}
	}
	message := strings.TrimSpace(err.Error())
	s.say("bnfcheck: %s", message)
	if bad, ok := errors.AsType[*expr.Error](inner); ok && !strings.Contains(message, "\n") {
		plain := &streams{fits: s.fits, texts: s.texts}
		_, _ = s.err.Write(plain.appendSourceLine(nil, bad.Pos, layout.Plain))
	}
}

// appendSourceLine appends the line of a grammar that a place is in, and a caret below it; nothing where the text is
// not at hand. A file that was not kept is read, and kept, as it may be one that another file imports.
func (s *streams) appendSourceLine(b []byte, pos expr.Pos, how layout.Style) []byte {
	if _, known := s.texts[pos.File]; !known {
		var text []byte
		if info, err := os.Stat(pos.File); err == nil && info.Mode().IsRegular() && info.Size() <= bnf.DefaultMaxSize {
			text, _ = infile.ReadFile(pos.File, bnf.DefaultMaxSize)
		}
		s.keepText(pos.File, text)
	}
	lines := s.texts[pos.File]
	if pos.Line < 1 || pos.Line > len(lines) {
		return b
	}
	whole := strings.TrimRight(string(lines[pos.Line-1]), "\r\t ")
	at := pos.Col - 1
	if whole == "" || at < 0 || at > len(whole) {
		return b
	}
	const indent = 4
	shown := strings.ReplaceAll(strings.TrimLeft(whole, "\t "), "\t", " ")
	at = max(0, at-(len(whole)-len(shown)))
	var line string
	var column int
	// That many bytes need not be counted: a line of megabytes may have thousands of faults.
	long := len(shown) >= utf8.UTFMax*s.fits
	if !long {
		line, column = layout.Printable(shown), utf8.RuneCountInString(layout.Printable(shown[:at]))
	}
	if long || utf8.RuneCountInString(line)+indent >= s.fits {
		line, column = ast.Excerpt(shown, at, s.fits-indent)
	}
	b = append(append(layout.Pad(b, 0, indent), line...), '\n')
	return append(s.Paint(layout.Pad(b, 0, indent+column), how, "^"), '\n')
}

// keepText keeps the text of a grammar, for messages to show its lines. Of two texts with one name, as two expressions
// of one flavor are, neither is shown.
func (s *streams) keepText(file string, text []byte) {
	if s.texts == nil {
		s.texts = map[string][][]byte{}
	}
	lines := bytes.Split(text, []byte("\n"))
	if other, known := s.texts[file]; known && !slices.EqualFunc(other, lines, bytes.Equal) {
		lines = nil
	}
	s.texts[file] = lines
}

// An output keeps the first error of w and returns it from every later write, so that a program that ignores it still
// ends with it.
type output struct {
	w      io.Writer
	err    error
	before func()         // called before the first write, unless it is nil
	alive  func()         // called with each write
	fit    *layout.Fitter // nil where lines are as wide as they are
}

// fitted has the commands whose text is for people, and is laid out for a width. The others write what a program reads,
// strings among it that must stay whole, or lay out their lines themselves.
var fitted = map[string]bool{
	"claims": true, "conform": true, "diff": true, "explain": true, "grammars": true, "help": true,
	"learn": true, "lint": true, "prove": true, "rules": true, "summary": true,
}

// fit sets up s.out for a command: its text is laid out for the width, if it is text for people, and each object of
// JSON gets the version of its form.
func (s *streams) fit(cmd *cobra.Command) {
	s.out.fit = nil
	if format := cmd.Flag("format"); format != nil && format.Value.String() != "text" {
		if format.Value.String() == "json" {
			s.out.w = &versioned{w: s.out.w}
		}
		return
	}
	if fitted[cmd.Name()] ||
		s.Width > 0 && (cmd.Name() == "check" || cmd.Name() == "fix" && !cmd.Flags().Changed("apply")) {
		s.out.fit = &layout.Fitter{W: s.out.w, Width: s.fits}
	}
}

// flush writes all that is held back.
func (o *output) flush() {
	o.endBusy()
	if o.fit != nil && o.err == nil {
		o.err = o.fit.Flush()
	}
}

// Write writes to the fitter, if there is one, or to the writer. After an error, which o.err keeps, it writes nothing
// more.
func (o *output) Write(p []byte) (int, error) {
	o.endBusy()
	if o.alive != nil {
		o.alive()
	}
	if o.err != nil {
		return 0, o.err
	}
	w := o.w
	if o.fit != nil {
		w = o.fit
	}
	n, err := w.Write(p)
	o.err = err
	return n, err
}

// beginsForm begins each JSON object with the version of its form, which docs/json.md has: that of all forms is 1.
const beginsForm = `{"version":1,`

// A versioned writer writes lines of JSON objects, and puts the version of its form into each that does not begin
// with it.
type versioned struct {
	w      io.Writer
	inLine bool
}

// Write writes p with beginsForm in place of the brace that begins each line of JSON, unless it stands there already.
// A line may come in several calls.
func (v *versioned) Write(p []byte) (int, error) {
	b := make([]byte, 0, len(p)+64)
	for line := range bytes.Lines(p) {
		if !v.inLine && line[0] == '{' && !bytes.HasPrefix(line, []byte(beginsForm)) {
			b, line = append(b, beginsForm...), line[1:]
		}
		b = append(b, line...)
		v.inLine = !bytes.HasSuffix(b, []byte("\n"))
	}
	if _, err := v.w.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}

// printAll prints values as text, by writeText, or in any other format as JSON, one a line.
func printAll[T any](s *streams, format *choice, values []T, writeText func(io.Writer, []T) error) error {
	if format.value == "text" {
		return writeText(s.out, values)
	}
	for _, v := range values {
		if err := s.write(render.JSON(nil, v)); err != nil {
			return err
		}
	}
	return nil
}

// printList prints values as one text, by appendText, or in any other format as JSON, one a line.
func printList[T any](
	s *streams, format *choice, list []T, asJSON func(T) any, appendText func([]byte, *layout.Screen, []T) []byte,
) error {
	var b []byte
	if format.value == "text" {
		b = appendText(nil, &s.Screen, list)
	} else {
		for _, v := range list {
			b = render.JSON(b, asJSON(v))
		}
	}
	return s.write(b)
}

// write writes to standard output.
func (s *streams) write(b []byte) error {
	_, err := s.out.Write(b)
	return err
}

// appendURL appends a URL as it is or, for a terminal, without anything that could move its cursor.
func (s *streams) appendURL(b []byte, url string) []byte {
	if s.outIsTerminal {
		b, _ = render.AppendVisible(b, url, 0)
		return b
	}
	return append(b, url...)
}

// writeWhole writes a file whole or not at all.
func writeWhole(name string, text []byte) error {
	return streamWhole(name, atomicfile.Text(text))
}

// output has write write to standard output if the name is "", or else the named file, whole or not at all.
func (s *streams) output(name string, write func(io.Writer) error) error {
	if name == "" {
		return write(s.out)
	}
	return streamWhole(name, write)
}

// streamWhole is like writeWhole, with the text that write writes. A signal that would end the program ends the
// writing, with errInterrupted; the file is then as it was.
func streamWhole(name string, write func(io.Writer) error) error {
	ctx, stop := untilStopped()
	defer stop()
	if err := atomicfile.Write(ctx, name, write); err != nil {
		return unwritten(ctx, name, err)
	}
	return nil
}

// unwritten returns the error of a command that failed to write a file or folder with this name: that it was
// interrupted, if ctx has ended.
func unwritten(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return &ioError{name, err}
}

var errInterrupted = &inputError{errors.New("interrupted")}
