package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/results"
	"github.com/bnfcheck/bnfcheck/semantic"
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

Below a URL stands what the RFC's prose asks beyond its grammar (errors and
warnings; --severity note shows all, bnfcheck explain RULE the rule), and below a
rejected one, if it is not too long, the nearest string that is accepted. Findings
do not change verdicts, nor the exit status.

A file has one URL a line, ended by LF or CR LF; blank lines and lines that start
with # are skipped. After more than one URL a summary follows.

Text is for people. For programs there is --format json: one object a URL, in the
order of the input, with the keys file (not for arguments), line, input (or
input_base64 where it is not UTF-8), verdicts: for each grammar verdict,
production, scheme; error, where it is rejected or generic-only: why (the
scheme's own production) does not derive it; findings; suggestion.

Markdown, JUnit XML and SARIF are for programs that show or collect results: one
for each URL and RFC and one for each finding, with the line of the RFC that it
rests on. Such a document is one piece, and made in memory: some 10 KB a URL.`,
		Example: `  bnfcheck check http://info.cern.ch/ 'HTTP://info.cern.ch/~timbl/'
  bnfcheck check --rfc 1738 --strict -f urls.txt
  grep -o 'http:[^ ">]*' page.html | bnfcheck check -f - --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(files) == 0 {
				return errNoURL
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
	c.selection = addSelection(cmd)
	flags.BoolVar(&c.foldScheme, "fold-scheme", false, "treat upper case letters in the scheme as lower case")
	c.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print the summary only")
	flags.IntVar(&c.maxLength, "max-length", bnfcheck.DefaultMaxLength, "refuse URLs of more than `N` bytes")
	return cmd
}

var errNoURL = errors.New("no URL: give some, or a file with -f FILE (-f - for standard input)")

// A checker carries out one check.
type checker struct {
	*streams
	rfcs               *rfcs
	selection          *selection
	format             *choice
	strict, foldScheme bool
	quiet              bool
	verdicts           bool // are all that is asked for, and no reasons
	maxLength          int
}

func (c *checker) run(args, files []string) error {
	if c.quiet && c.format.isDocument() {
		return errQuietDocument
	}
	if err := c.selection.prepare(); err != nil {
		return err
	}
	var total tally
	var list []results.Result
	names := namesake{}
	total.clear(*c.rfcs)
	header := !c.quiet && c.format.value == "text"
	err := c.stream(args, files, c.newWorker, func(b *batch) error {
		total.merge(&b.tally)
		if header && b.urls > 0 {
			header = false
			if _, err := c.out.Write(c.appendHeader(nil)); err != nil {
				return err
			}
		}
		names.tellApart(b.results)
		list = append(list, b.results...)
		if len(b.out) == 0 {
			return nil
		}
		_, err := c.out.Write(b.out)
		return err
	})
	if err != nil && total.lines == 0 {
		return err
	}
	if c.format.isDocument() {
		if err := results.Write(c.out, c.format.value, list); err != nil {
			return err
		}
	} else if _, err := c.out.Write(c.appendSummary(nil, &total)); err != nil {
		return err
	}
	if err == nil && total.negative(c.strict) {
		return errNegative
	}
	return err
}

// stream gives all URLs to workers, and what they make of them to emit, in order.
func (c *checker) stream(args, files []string, newWorker func() func(*batch), emit func(*batch) error) error {
	if c.maxLength < 1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--max-length\" flag: it must be positive", c.maxLength)
	}
	list, err := openFiles(files, c.in)
	if err != nil {
		return err
	}
	defer list.close()
	bar := newProgress(c.streams, c.quiet, list)
	in := &input{args: args, sources: list, limit: c.maxLength}
	err = inOrder(in.next, newWorker, func(b *batch) error {
		bar.add(b)
		return emit(b)
	})
	bar.end()
	if err == nil {
		err = in.err
	}
	return err
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

// A judgement is what one grammar says of a line.
type judgement struct {
	grammar *bnfcheck.Grammar
	answer  answer
	bnfcheck.Verdict
	why string           // one line, for people; "" where there is nothing to say
	at  int              // the byte that why is about, -1 if none
	err *ast.SyntaxError // what why is made of, if anything

	findings []semantic.Finding
	repair   *semantic.Repair
}

// A worker judges lines. It belongs to one goroutine.
type worker struct {
	*checker
	parsers []*bnfcheck.Parser
	judged  []judgement
	reader  semantic.Reader
	found   []*semantic.Tally // by grammar: the findings of a batch that are only to be counted
	visible []byte
}

func (c *checker) newWorker() func(*batch) { return c.newJudge().work }

func (c *checker) newJudge() *worker {
	w := &worker{checker: c, judged: make([]judgement, len(*c.rfcs))}
	for _, g := range *c.rfcs {
		p := g.Parser()
		p.FoldScheme, p.MaxLength, p.Unexplained = c.foldScheme, c.maxLength, c.quiet || c.verdicts
		p.Treeless = p.Unexplained && c.selection.off
		w.parsers = append(w.parsers, p)
		if !c.selection.off {
			w.found = append(w.found, c.selection.chosen.Tally())
		}
	}
	return w
}

// work judges a batch: it fills in the tally and what is to be printed.
func (w *worker) work(b *batch) {
	b.out, b.results = b.out[:0], b.results[:0]
	b.tally.clear(*w.rfcs)
	for l := range b.lines(w.maxLength) {
		if w.quiet {
			w.count(&b.tally, l)
			continue
		}
		s := l.text
		w.judge(s, l)
		for i := range w.judged {
			b.tally.add(i, &w.judged[i])
		}
		switch {
		case w.format.value == "json":
			b.out = w.appendJSON(b.out, s, l)
		case w.format.isDocument():
			b.results = w.appendResults(b.results, s, l)
		default:
			b.out = w.appendText(b.out, s, l)
		}
	}
	b.tally.lines, b.tally.skipped = b.urls, b.skipped
	for i, t := range w.found {
		b.tally.addFindings(i, t.Counts)
		clear(t.Counts)
	}
}

// count adds to a tally what judge would find, and makes nothing of it that is to be shown.
func (w *worker) count(t *tally, l line) {
	for i, p := range w.parsers {
		v := p.Check(l.text)
		answer := answer(v.Value)
		switch {
		case l.length > w.maxLength:
			answer = tooLong
		case v.Value == bnfcheck.Rejected && strings.IndexByte(l.text, 0) >= 0:
			answer = holdsNUL
		case v.Tree != nil && w.found != nil:
			if u := w.typed(v.Tree, l.text); u != nil {
				w.found[i].Add(u)
			}
		}
		t.count(i, v.Scheme, answer)
	}
}

// judge fills w.judged.
func (w *worker) judge(s string, l line) {
	nul := strings.IndexByte(s, 0)
	for i, p := range w.parsers {
		j := &w.judged[i]
		*j = judgement{grammar: p.Grammar(), Verdict: p.Check(s), at: -1}
		j.answer = answer(j.Value)
		switch {
		case l.length > w.maxLength:
			j.answer, j.Verdict = tooLong, bnfcheck.Verdict{Scheme: j.Scheme}
			tooLong := ast.TooLongError{Limit: w.maxLength, Length: l.length}
			j.why = tooLong.Error()
		case nul >= 0:
			j.answer, j.Verdict, j.at = holdsNUL, bnfcheck.Verdict{Scheme: j.Scheme}, nul
			j.why = "offset " + strconv.Itoa(nul) + ": a NUL byte, which no production derives"
		case w.verdicts:
		default:
			j.explain()
			w.interpret(i, s)
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
