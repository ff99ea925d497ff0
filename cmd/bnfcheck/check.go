package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/results"
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
                 string of the scheme's production goes on (of the generic
                 production where the scheme is not known)
  too-long, nul  it is longer than --max-length, or holds a NUL byte

Below a URL stands what the RFC's prose asks beyond its grammar (errors and
warnings; --severity note shows all, bnfcheck explain RULE the rule), and below a
rejected or generic-only one, if it is not too long, the nearest string that the
scheme's own production derives, as bnfcheck fix finds it. Findings do not change
verdicts, nor the exit status.

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
	flags.BoolVar(&c.how.Strict, "strict", false, "count generic-only as rejected")
	c.selection = addSelection(cmd)
	flags.BoolVar(&c.how.FoldScheme, "fold-scheme", false, "treat upper case letters in the scheme as lower case")
	c.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print the summary only")
	flags.IntVar(&c.how.MaxLength, "max-length", bnfcheck.DefaultMaxLength, "refuse URLs of more than `N` bytes")
	return cmd
}

var errNoURL = errors.New("no URL: give some, or a file with -f FILE (-f - for standard input)")

// A checker carries out one check.
type checker struct {
	*streams
	how       check.Options
	rfcs      *rfcs
	selection *selection
	format    *choice
	quiet     bool
}

// Lines are some URLs of the input, and what was made of them.
type lines struct {
	check.Batch
	out     []byte // the text to print
	results []results.Result
	tally   check.Tally

	negative   bool     // something could not be repaired
	complaints []string // to be printed on standard error
}

func (c *checker) run(args, files []string) error {
	if c.quiet && c.format.isDocument() {
		return errQuietDocument
	}
	findings, err := c.selection.chosen()
	if err != nil {
		return err
	}
	c.how.Findings = findings
	var total check.Tally
	var list []results.Result
	names := namesake{}
	total.Reset(*c.rfcs)
	header := !c.quiet && c.format.value == "text"
	err = c.stream(args, files, c.newWorker, func(b *lines) error {
		total.Merge(&b.tally)
		if total.Negative(c.how.Strict) {
			c.earned = errNegative
		}
		if header && b.URLs > 0 {
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
	if err != nil && total.Lines == 0 {
		return err
	}
	if c.format.isDocument() {
		if err := results.Write(c.out, c.format.value, list); err != nil {
			return err
		}
	} else if _, err := c.out.Write(c.appendSummary(nil, &total)); err != nil {
		return err
	}
	if err == nil {
		return c.earned
	}
	return err
}

// stream gives all URLs to workers, and what they make of them to emit, in order.
func (c *checker) stream(args, files []string, newWorker func() func(*lines), emit func(*lines) error) error {
	if c.how.MaxLength < 1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--max-length\" flag: it must be positive", c.how.MaxLength)
	}
	list, err := check.OpenFiles(files, c.in)
	if err != nil {
		return err
	}
	defer list.Close()
	bar := newProgress(c.streams, c.quiet, list)
	in := &check.Input{Args: args, Sources: list, Limit: c.how.MaxLength}
	err = check.InOrder(func(b *lines) bool { return in.Next(&b.Batch) }, newWorker, func(b *lines) error {
		bar.add(&b.Batch)
		return emit(b)
	})
	bar.end()
	if err == nil {
		err = in.Cause
	}
	return err
}

func (c *checker) appendSummary(b []byte, total *check.Tally) []byte {
	switch {
	case c.format.value == "json" && c.quiet:
		return appendSummaryJSON(b, total)
	case c.format.value == "json":
		return b
	case c.quiet:
		return appendSummaryText(b, c.streams, total)
	case total.Lines == 1 && total.Skipped == 0:
		return b
	case total.Lines > 0:
		b = append(b, '\n')
	}
	return appendSummaryText(b, c.streams, total)
}

// A worker judges lines and prints what is said of them. It belongs to one goroutine.
type worker struct {
	*checker
	*check.Judge
	visible []byte
}

func (c *checker) newWorker() func(*lines) { return c.newJudge(c.quiet).work }

func (c *checker) newJudge(countOnly bool) *worker {
	return &worker{checker: c, Judge: check.NewJudge(*c.rfcs, c.how, countOnly)}
}

// work judges some lines: it fills in the tally and what is to be printed.
func (w *worker) work(b *lines) {
	b.out, b.results = b.out[:0], b.results[:0]
	b.tally.Reset(w.Grammars)
	for l := range b.Lines(w.MaxLength) {
		if w.quiet {
			w.Count(&b.tally, l)
			continue
		}
		w.Judge.Line(l)
		for i := range w.Judged {
			b.tally.Add(i, &w.Judged[i])
		}
		switch {
		case w.format.value == "json":
			b.out = w.appendJSON(b.out, l.Text, l)
		case w.format.isDocument():
			b.results = w.appendResults(b.results, l.Text, l)
		default:
			b.out = w.appendText(b.out, l.Text, l)
		}
	}
	b.tally.Lines, b.tally.Skipped = b.URLs, b.Skipped
	w.Flush(&b.tally)
}
