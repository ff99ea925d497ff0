package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

func newCheck(s *streams) *cobra.Command {
	c := &checker{streams: s}
	var files []string
	cmd := &cobra.Command{
		Use:   "check [URL ...] [-f FILE|-]",
		Short: "Say which RFC accepts a URL, by which production, and why not",
		Long: `check gives the verdict of each RFC on each URL:

  conforming     the scheme's own production derives it (RFC 1738: or the scheme
                 has none there, and otherurl does)
  generic-only   only the generic production does, though the scheme has its own
  no-production  RFC 1630: only uri does, and there is no production for the scheme
  rejected       nothing does; a caret shows the first byte with which no
                 continuation is accepted
  too-long, nul  it is longer than --max-length, or holds a NUL byte

A file has one URL a line, ended by LF or CR LF; blank lines and lines that start
with # are skipped. After more than one URL a summary follows.

Text is for people. For programs there is --format json: one object a URL, in the
order of the input, with the keys file (not for arguments), line, input (or
input_base64 where it is not UTF-8), verdicts: for each grammar verdict,
production, scheme and, where it is rejected or generic-only, error: why (the
scheme's own production) does not derive it.`,
		Example: `  bnfcheck check http://info.cern.ch/ 'HTTP://info.cern.ch/~timbl/'
  bnfcheck check --rfc 1738 --strict -f urls.txt
  grep -o 'http:[^ ">]*' page.html | bnfcheck check -f - --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(files) == 0 {
				return errors.New("no URL: give some, or a file with -f FILE (-f - for standard input)")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args, files) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	c.rfcs = addRFC(cmd)
	flags.StringArrayVarP(&files, "file", "f", nil, "check the URLs in `FILE`, - for standard input; may be repeated")
	flags.BoolVar(&c.strict, "strict", false, "count generic-only as rejected")
	flags.BoolVar(&c.foldScheme, "fold-scheme", false, "treat upper case letters in the scheme as lower case")
	c.format = addChoice(cmd, "format", "how to print", "text", "json")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print the summary only")
	flags.IntVar(&c.maxLength, "max-length", bnfcheck.DefaultMaxLength, "refuse URLs of more than `N` bytes")
	return cmd
}

// A checker carries out one check.
type checker struct {
	*streams
	rfcs               *rfcs
	format             *choice
	strict, foldScheme bool
	quiet              bool
	maxLength          int
}

func (c *checker) run(args, files []string) error {
	if c.maxLength < 1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--max-length\" flag: it must be positive", c.maxLength)
	}
	sources, err := c.open(files)
	if err != nil {
		return err
	}
	defer sources.close()

	var total tally
	total.clear(*c.rfcs)
	bar := newProgress(c.streams, c.quiet, sources)
	in := &input{args: args, sources: sources, limit: c.maxLength}
	header := !c.quiet && c.format.value == "text"
	err = inOrder(in.next, c.newWorker, func(b *batch) error {
		total.merge(&b.tally)
		bar.add(b)
		if header && len(b.lines) > 0 {
			header = false
			if _, err := c.out.Write(c.appendHeader(nil)); err != nil {
				return err
			}
		}
		if len(b.out) == 0 {
			return nil
		}
		_, err := c.out.Write(b.out)
		return err
	})
	bar.end()
	if err != nil {
		return err
	}
	if _, err := c.out.Write(c.appendSummary(nil, &total)); err != nil {
		return err
	}
	switch {
	case in.err != nil:
		return in.err
	case total.negative(c.strict):
		return errNegative
	}
	return nil
}

func (c *checker) appendSummary(b []byte, total *tally) []byte {
	switch {
	case c.format.value == "json" && c.quiet:
		return total.appendJSON(b)
	case c.format.value == "json":
		return b
	case c.quiet:
		return total.appendText(b, c.streams)
	case total.lines == 1 && total.skipped == 0:
		return b
	case total.lines > 0:
		b = append(b, '\n')
	}
	return total.appendText(b, c.streams)
}

// sources are the files to read, open.
type sources []*source

// open opens all files before any is read, so that a misspelt name is seen at once.
func (c *checker) open(files []string) (sources, error) {
	var list sources
	stdin := false
	for _, name := range files {
		if name == "-" {
			if stdin {
				list.close()
				return nil, errors.New("standard input can be read only once")
			}
			stdin = true
			list = append(list, newSource("-", c.in))
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			list.close()
			return nil, &ioError{name, err}
		}
		list = append(list, newSource(name, f))
	}
	return list, nil
}

func newSource(name string, r io.Reader) *source {
	s := &source{name: name, r: r}
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			s.size = info.Size()
		}
	}
	return s
}

func (list sources) close() {
	for _, s := range list {
		if f, ok := s.r.(io.Closer); ok && s.name != "-" {
			_ = f.Close() // it was read only
		}
	}
}

// title is a source's name in messages.
func (s *source) title() string {
	if s.name == "-" {
		return "standard input"
	}
	return s.name
}

// input gives all URLs in batches: first those of the command line, then those of the files.
type input struct {
	args    []string
	sources sources
	limit   int
	reader  *lineReader // of sources[0]; nil before the first read
	err     error       // the first that was met; may be asked for when next has said that there are no more
}

// next fills b and says whether there are more batches.
func (in *input) next(b *batch) (more bool) {
	b.text, b.lines, b.skipped, b.read = b.text[:0], b.lines[:0], 0, 0
	if len(in.args) > 0 {
		in.arguments(b)
		return len(in.sources) > 0
	}
	if in.reader == nil {
		in.reader = newLineReader(in.sources[0], in.limit)
	}
	r := in.reader
	skipped, read := r.skipped, r.read
	err := r.next(b)
	b.skipped, b.read = r.skipped-skipped, r.read-read
	switch {
	case err == nil:
		return true
	case err != io.EOF:
		in.err = &ioError{in.sources[0].title(), err}
		return false
	}
	in.sources, in.reader = in.sources[1:], nil
	return len(in.sources) > 0
}

// argument is the source of what stands on the command line.
var argument source

// arguments fills b with the URLs of the command line, which are taken as they are.
func (in *input) arguments(b *batch) {
	for i, arg := range in.args {
		from := len(b.text)
		kept := arg
		if len(arg) > in.limit {
			kept = arg[:min(len(arg), headLength)]
		}
		b.text = append(b.text, kept...)
		b.lines = append(b.lines, line{from, len(b.text), i + 1, len(arg), &argument})
	}
	in.args = nil
}

// A judgement is what one grammar says of a line.
type judgement struct {
	answer answer
	bnfcheck.Verdict
	why string           // one line, for people; "" where there is nothing to say
	at  int              // the byte that why is about, -1 if none
	err *ast.SyntaxError // what why is made of, if anything
}

// A worker judges lines. It belongs to one goroutine.
type worker struct {
	*checker
	parsers []*bnfcheck.Parser
	judged  []judgement
	visible []byte
}

func (c *checker) newWorker() func(*batch) {
	w := &worker{checker: c, judged: make([]judgement, len(*c.rfcs))}
	for _, g := range *c.rfcs {
		p := g.Parser()
		p.FoldScheme, p.MaxLength = c.foldScheme, c.maxLength
		w.parsers = append(w.parsers, p)
	}
	return w.work
}

// work judges a batch: it fills in the tally and what is to be printed.
func (w *worker) work(b *batch) {
	b.out = b.out[:0]
	b.tally.clear(*w.rfcs)
	b.tally.lines, b.tally.skipped = len(b.lines), b.skipped
	text := string(b.text)
	for _, l := range b.lines {
		s := text[l.from:l.to]
		w.judge(s, l)
		for i, j := range w.judged {
			b.tally.add(j.Scheme, i, j.answer)
		}
		switch {
		case w.quiet:
		case w.format.value == "json":
			b.out = w.appendJSON(b.out, s, l)
		default:
			b.out = w.appendText(b.out, s, l)
		}
	}
}

// judge fills w.judged.
func (w *worker) judge(s string, l line) {
	nul := strings.IndexByte(s, 0)
	for i, p := range w.parsers {
		j := &w.judged[i]
		*j = judgement{Verdict: p.Check(s), at: -1}
		j.answer = answer(j.Value)
		switch {
		case l.length > w.maxLength:
			j.answer, j.Verdict = tooLong, bnfcheck.Verdict{Scheme: j.Scheme}
			if !w.quiet {
				tooLong := ast.TooLongError{Limit: w.maxLength, Length: l.length}
				j.why = tooLong.Error()
			}
		case nul >= 0:
			j.answer, j.Verdict, j.at = holdsNUL, bnfcheck.Verdict{Scheme: j.Scheme}, nul
			j.why = "offset " + strconv.Itoa(nul) + ": a NUL byte, which no production derives"
		case !w.quiet:
			j.explain()
		}
	}
}

// explain fills in why and at.
func (j *judgement) explain() {
	err := j.Why()
	if err == nil {
		return
	}
	j.err, j.at = err, err.Offset
	j.why = strings.TrimPrefix(err.Error(), err.Grammar.Name+": ")
	if j.Value == bnfcheck.GenericOnly {
		j.why = "no " + err.Grammar.Production(err.Explained).Name + ": " + j.why
	}
}
