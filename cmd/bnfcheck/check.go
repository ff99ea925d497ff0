package main

import (
	"errors"
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/check/render"
	"github.com/bnfcheck/bnfcheck/internal/results"
	"github.com/bnfcheck/bnfcheck/semantic"
)

func newCheck(s *streams) *cobra.Command {
	c := &checking{}
	cmd := &cobra.Command{
		Use:   "check [URL ...] [-f FILE|-]",
		Short: "Report which RFC accepts a URL, by which production, or why not",
		Long: `check prints the verdict of each RFC on each URL:

  conforming     the scheme's own production derives it (RFC 1738: or the scheme
                 has none there, and otherurl does)
  generic-only   only the generic production does, though the scheme has its own
  no-production  RFC 1630: only uri does, and there is no production for the scheme
  rejected       no production does; a caret shows the first byte that cannot
                 follow in the scheme's production (in the generic production
                 if the scheme is not known)
  too-long, nul  it is longer than --max-length, or holds a NUL byte

Findings follow below a URL: what violates the RFC's prose beyond its grammar
(errors and warnings; --severity note shows all, bnfcheck explain RULE explains a
rule). Below a URL that is rejected or generic-only follows the nearest string that
the scheme's own production derives, as bnfcheck fix finds it, unless the URL is too
long. Findings change neither verdicts nor the exit status.

A file has one URL a line, ended by LF or CR LF; blank lines and lines that start
with # are skipped. After more than one URL a summary follows.

Text is for people. --format json is for programs: one object a URL, in the
order of the input, with the keys file (not for arguments), line, input (or
input_base64 where it is not UTF-8), verdicts: for each grammar verdict,
production, scheme; error, if it is rejected or generic-only: why (the scheme's
own production) does not derive it; findings; suggestion.

Markdown, JUnit XML and SARIF are for programs that show or collect results: one
for each URL and RFC and one for each finding, with the line of the RFC that it
rests on. Such a document is built in memory: some 10 KB a URL.`,
		Example: `  bnfcheck check http://info.cern.ch/ 'HTTP://info.cern.ch/~timbl/'
  bnfcheck check --rfc 1738 --strict -f urls.txt
  grep -o 'http:[^ ">]*' page.html | bnfcheck check -f - --format json`,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	c.urls = newURLs(s, cmd, "check")
	flags := cmd.Flags()
	flags.BoolVar(&c.how.Strict, "strict", false, "count generic-only as rejected")
	c.selection = addSelection(cmd)
	flags.BoolVar(&c.how.FoldScheme, "fold-scheme", false, "treat upper case letters in the scheme as lower case")
	c.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print the summary only")
	addMaxLength(cmd, &c.how.MaxLength, "URLs")
	return cmd
}

var errQuietDocument = errors.New("--quiet is for text and json: the other formats have no summary on its own")

// checking carries out one check command.
type checking struct {
	*urls
	how       check.Options
	selection *selection
	format    *choice
	quiet     bool
}

// A checkBatch is a batch of URLs and what was found about them.
type checkBatch struct {
	check.Batch
	out     []byte // the text to print
	results []results.Result
	tally   check.Tally
}

func (c *checking) run(args []string) (err error) {
	if c.quiet && c.format.isDocument() {
		return errQuietDocument
	}
	if c.how.Findings, err = c.selection.chosen(); err != nil {
		return err
	}
	var total check.Tally
	var list []results.Result
	names := render.Names{}
	total.Reset(*c.rfcs)
	header := !c.quiet && c.format.value == "text"
	err = stream(c.urls, args, c.how.MaxLength, c.quiet, func(b *checkBatch) *check.Batch { return &b.Batch }, c.newWorker, func(b *checkBatch) error {
		total.Merge(&b.tally)
		if total.Negative(c.how.Strict) {
			c.earned = errNegative
		}
		if header && b.URLs > 0 {
			header = false
			if _, err := c.out.Write(c.text().AppendHeader(nil)); err != nil {
				return err
			}
		}
		names.Distinguish(b.results)
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

func (c *checking) text() *render.Text {
	return &render.Text{Screen: c.Screen, Grammars: *c.rfcs, Strict: c.how.Strict}
}

func (c *checking) appendSummary(b []byte, total *check.Tally) []byte {
	switch {
	case c.format.value == "json" && c.quiet:
		return render.AppendSummaryJSON(b, total)
	case c.format.value == "json":
		return b
	case c.quiet:
		return render.AppendSummary(b, &c.Screen, total)
	case total.Lines == 1 && total.Skipped == 0:
		return b
	case total.Lines > 0:
		b = append(b, '\n')
	}
	return render.AppendSummary(b, &c.Screen, total)
}

// newWorker returns a function that judges a batch: it fills in the tally and what is to be printed.
func (c *checking) newWorker() func(*checkBatch) {
	judge, text := check.NewJudge(*c.rfcs, c.how, c.quiet), c.text()
	return func(b *checkBatch) {
		b.out, b.results = b.out[:0], b.results[:0]
		b.tally.Reset(*c.rfcs)
		for l := range b.Lines(c.how.MaxLength) {
			if c.quiet {
				judge.Count(&b.tally, l)
				continue
			}
			judged := judge.Line(l)
			for i := range judged {
				b.tally.Add(i, &judged[i])
			}
			switch {
			case c.format.value == "json":
				b.out = render.AppendJSON(b.out, l, judged)
			case c.format.isDocument():
				b.results = render.AppendResults(b.results, l, judged, c.how.Strict)
			default:
				b.out = text.AppendLine(b.out, l, judged)
			}
		}
		b.tally.Lines, b.tally.Skipped = b.URLs, b.Skipped
		judge.Flush(&b.tally)
	}
}

// A selection is the flags that select findings.
type selection struct {
	off      bool
	severity *choice
	patterns []string
}

// addSelection returns cmd the flags --severity, --rule and --no-semantic.
func addSelection(cmd *cobra.Command) *selection {
	s := &selection{severity: &choice{"warning", []string{"note", "warning", "error"}}}
	flags := cmd.Flags()
	flags.Var(s.severity, "severity", "show findings from this `SEVERITY` on: note, warning, error")
	complete(cmd, "severity", s.severity.choices)
	flags.StringArrayVar(&s.patterns, "rule", nil, "show only findings of this `RULE`, whatever their severity; a * stands for any name; may be repeated")
	complete(cmd, "rule", ruleIDs)
	flags.BoolVar(&s.off, "no-semantic", false, "print the verdicts of the grammars only, without findings and suggestions")
	cmd.MarkFlagsMutuallyExclusive("rule", "no-semantic")
	return s
}

// chosen returns the findings that the flags ask for, nil where they are switched off.
func (s *selection) chosen() (*semantic.Selection, error) {
	if s.off {
		return nil, nil
	}
	atLeast, err := semantic.ParseSeverity(s.severity.value)
	if err != nil {
		return nil, err
	}
	if len(s.patterns) == 0 {
		return semantic.Select(func(r semantic.Rule) bool { return r.Severity >= atLeast }), nil
	}
	rules := map[string]bool{}
	for _, pattern := range s.patterns {
		found := false
		for _, r := range semantic.Rules() {
			if ok, err := path.Match(pattern, r.ID); err != nil || ok {
				rules[r.ID], found = true, err == nil
			}
		}
		if !found {
			return nil, didYouMean(fmt.Errorf("no rule %s: see bnfcheck rules", ast.Quote(pattern)), pattern, ruleIDs)
		}
	}
	return semantic.Select(func(r semantic.Rule) bool { return rules[r.ID] }), nil
}
