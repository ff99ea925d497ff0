package command

import (
	"cmp"
	"errors"
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// newCheck returns the command check, which reports which grammar accepts a string, or where and why not.
func newCheck(s *streams) *cobra.Command {
	c := &checking{}
	cmd := &cobra.Command{
		Use:   "check [GRAMMAR] STRING ... [-f FILE|-]",
		Short: "Report which grammar accepts a string, or where and why not",
		Long: `check reports which strings a GRAMMAR derives, with the first byte that cannot follow in
one that is rejected, and what was expected there. The grammar is the first argument,
with a string or --file behind it, or the value of --grammar. Every line of a file is a
string then, the empty one and those with # too; --comments skips them. A production
that nests is tried on the string itself; "undecided" is a string for which that would
take too much memory.

With --whole each file is one string, with every byte of it: line ends are input like any
other, and a byte order mark belongs to it. The text shows the name of the file, and of one
that is rejected the line with the error, as FILE:LINE:COLUMN; in JSON its line is 1.

Without a GRAMMAR the strings are URLs. check prints the verdict of each RFC on each:

  conforming     the scheme's own production derives it (RFC 1738: or
                 otherurl does, where the scheme has none; RFC 3986:
                 URI-reference does, by URI or relative-ref)
  generic-only   only the generic production does, and the scheme has one
  no-production  RFC 1630: only uri does; the scheme has no production
  rejected       no production does; a caret shows the first byte that
                 cannot follow in the scheme's production (the generic
                 one, if the scheme is not known)
  too-long, nul  it is longer than --max-length, or holds a NUL byte

What violates the RFC's prose beyond its grammar follows below a URL as findings:
errors and warnings; --severity note shows all, bnfcheck explain RULE explains a rule.
Below a URL that is rejected or generic-only follows the nearest string that the
scheme's own production derives, as bnfcheck fix finds it; for the URLs of a file only
with --suggest, since the search takes many times what a verdict does. Findings change
neither verdicts nor the exit status.

A file of URLs has one a line, ended by LF or CR LF; blank lines and lines that start
with # are skipped, except under RFC 3986, where they are references as well. A summary
follows more than one URL. An argument "-" is standard input, as with --file; after --
it is that string. Files whose names end in .gz or .zst are decompressed.

--format json writes one object a string, in the order of the input, with the keys file
(not for arguments), line, input (or input_base64 where it is not UTF-8), and verdict
and error; of URLs verdicts, with verdict, production and scheme for each grammar;
error, which says why the scheme's own production does not derive it; findings;
suggestion.

--format tsv writes each line as it is (on a terminal without what moves its cursor),
with three columns for each grammar behind it: the verdict, the production, and the
offset of the first byte that cannot follow. Every line is a URL there, and there is no
summary. --column says in which field of a line the URL is; a line without that field
has the empty URL.

Markdown, JUnit XML and SARIF have a result for each URL and RFC and one for each
finding, with the line of the RFC that it rests on. They are written as the URLs are
judged, in memory that does not grow with the list. More than 10000 results are written
in parts, each with its totals, as Markdown and JUnit XML. A name that comes again gets
a number; after 65536 different names, others get their line instead.`,
		Example: `  bnfcheck check mail.abnf 'someone@example.org'
  bnfcheck check uri.abnf#URI -f uris.txt
  bnfcheck check json.abnf --whole -f config.json
  bnfcheck check rfc3986#authority 'user@host:80'
  bnfcheck check http://info.cern.ch/ 'HTTP://info.cern.ch/~timbl/'
  bnfcheck check --rfc 1738 --strict -f urls.txt
  grep -o 'http:[^ ">]*' page.html | bnfcheck check -f - --format json
  bnfcheck check -f log.tsv.gz --column 2 --format tsv`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.naming.withStrings(cmd, args, c.run) },
	}
	c.urls = newURLs(s, cmd, "check")
	flags := cmd.Flags()
	flags.BoolVar(&c.how.Strict, "strict", false, "count generic-only as rejected")
	c.naming = addGrammar(s, cmd)
	flags.BoolVar(&c.how.Suggest, "suggest", false, "show the nearest accepted string for the URLs of a file, too")
	flags.BoolVar(&c.whole, "whole", false, "with --grammar: take each file as one string, with its line ends")
	flags.BoolVar(&c.comments, "comments", false, "with --grammar: skip blank lines and lines that start with #")
	c.selection = addSelection(cmd)
	flags.BoolVar(&c.how.FoldScheme, "fold-scheme", false, "treat upper case letters in the scheme as lower case")
	c.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json", "tsv"}, documents...)...)
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print the summary only")
	flags.IntVar(&c.column, "column", 0,
		"take the URL from field `N` of each line of a file, fields being separated by tabs")
	flags.StringVar(&c.summary, "summary", "", "write the summary to `FILE` as JSON, which bnfcheck summary adds up")
	addMaxLength(cmd, &c.how.MaxLength, "URLs")
	cmd.MarkFlagsMutuallyExclusive("whole", "comments", "column")
	for _, other := range []string{"rfc", "summary", "strict", "suggest", "severity", "rule", "no-semantic",
		"fold-scheme"} {
		cmd.MarkFlagsMutuallyExclusive("grammar", other)
	}
	return cmd
}

var errCommentsAlone = errors.New("--comments is for --grammar: without it, comments are always skipped")

var errWholeAlone = errors.New("--whole is for --grammar: without it, each line of a file is a URL")

var errWholeTSV = errors.New("--whole has no row for --format tsv, which writes a line for each line of a file")

var errQuietDocument = errors.New("--quiet is for text and json: the other formats have no summary on its own")

// checking carries out one check command.
type checking struct {
	*urls
	naming    *naming
	comments  bool
	how       check.Options
	judges    []*bnfcheck.Grammar
	selection *selection
	format    *choice
	quiet     bool
	summary   string
}

// A checkBatch is a batch of URLs and what was found about them.
type checkBatch struct {
	check.Batch
	out     []byte // the text to print
	results []results.Result
	tally   check.Tally
}

// run judges the strings of args and of files as they are read, prints the verdicts, and then the totals. Without a
// file it also looks for suggestions. If reading fails in the middle, the totals of what was read and the summary are
// still written, and the error is returned after that. It fails for flags that do not go together, if reading or
// writing does, and otherwise with c.earned, which has the exit status.
func (c *checking) run(args []string) (err error) {
	if c.quiet && (c.format.isDocument() || c.format.value == "tsv") {
		return errQuietDocument
	}
	if err := atLeast("column", c.column, 0); err != nil {
		return err
	}
	switch {
	case c.whole && c.naming.grammar == "":
		return errWholeAlone
	case c.whole && c.format.value == "tsv":
		return errWholeTSV
	}
	c.everyLine = c.format.value == "tsv" // a line out for every line in
	c.judges = *c.rfcs
	if c.naming.grammar != "" {
		if err := c.naming.refuseSharedStdin(c.files); err != nil {
			return err
		}
		parser, err := c.naming.parser(c.naming.grammar)
		if err != nil {
			return err
		}
		c.how.By, c.judges = parser, []*bnfcheck.Grammar{{Grammar: parser.Grammar}}
		c.everyLine = c.everyLine || !c.comments
	} else if c.comments {
		return errCommentsAlone
	} else if c.how.Findings, err = c.selection.chosen(); err != nil {
		return err
	}
	var total check.Tally
	names := render.Names{}
	document, err := c.document()
	if err != nil {
		return err
	}
	total.Reset(c.judges)
	if _, files := c.dashes(args); len(files) == 0 { // a suggestion takes long: for files only with --suggest
		c.how.Suggest = true
	}
	header := !c.quiet && c.format.value == "text" && c.how.By == nil
	batchOf := func(b *checkBatch) *check.Batch { return &b.Batch }
	err = streamBatches(c.urls, args, c.how.MaxLength, c.quiet, batchOf, c.newWorker, func(b *checkBatch) error {
		total.Merge(&b.tally)
		switch {
		case total.Negative(c.how.Strict):
			c.earned = errNegative
		case total.Open():
			c.earned = errOpen
		}
		if header && b.URLs > 0 {
			header = false
			if _, err := c.out.Write(c.text().AppendHeader(nil)); err != nil {
				return err
			}
		}
		if document != nil {
			names.Distinguish(b.results)
			return document.Write(b.results)
		}
		if len(b.out) == 0 {
			return nil
		}
		return c.write(b.out)
	})
	if err != nil && total.Lines == 0 {
		return err
	}
	// Reading may have failed in the middle. The totals of what was judged before are still written, and then
	// the error is returned.
	if c.summary != "" {
		if err := writeWhole(c.summary, render.AppendSummaryJSON(nil, &total)); err != nil {
			return err
		}
	}
	if document != nil {
		if err := document.Close(); err != nil {
			return err
		}
	} else if _, err := c.out.Write(c.appendSummary(nil, &total)); err != nil {
		return err
	}
	return cmp.Or(err, c.earned)
}

// shown returns a line whose row can be printed: as it is or, for a terminal, without anything that could move its
// cursor.
func (c *checking) shown(l check.Line) check.Line {
	if c.outIsTerminal {
		l.Row = layout.Printable(l.Row)
	}
	return l
}

// document returns the writer of a document, nil if the format is for lines.
func (c *checking) document() (results.Writer, error) {
	if !c.format.isDocument() {
		return nil, nil
	}
	return results.NewWriter(c.out, c.format.value)
}

// text returns the layout of verdicts as text. A user's grammar has no column of its own: there is only one.
func (c *checking) text() *render.Text {
	t := &render.Text{Screen: c.Screen, Strict: c.how.Strict}
	if c.how.By == nil {
		t.Grammars = c.judges
	}
	return t
}

// appendSummary appends the totals to b, in the format that was asked for, and in the words for URLs or for strings
// of a user's grammar. Below verdicts as text an empty line comes first. It appends nothing for TSV and, unless
// --quiet is set, for JSON, and after a single string, which the totals would only repeat.
func (c *checking) appendSummary(b []byte, total *check.Tally) []byte {
	asText := func(b []byte) []byte { return render.AppendSummary(b, &c.Screen, total) }
	asJSON := render.AppendSummaryJSON
	if c.how.By != nil {
		asText = func(b []byte) []byte { return render.AppendForeignSummary(b, total) }
		asJSON = render.AppendForeignSummaryJSON
	}
	switch {
	case c.format.value == "json" && c.quiet:
		return asJSON(b, total)
	case c.format.value == "json", c.format.value == "tsv":
		return b
	case c.quiet:
		return asText(b)
	case total.Lines == 1 && total.Skipped == 0:
		return b
	case total.Lines > 0:
		b = append(b, '\n')
	}
	return asText(b)
}

// newWorker returns a function that judges a batch. It fills in the tally and the output or, for a document, the
// results, in place of those of the batch before; with --quiet it fills in the tally alone. Each worker has a judge
// of its own, so that several can run at once.
func (c *checking) newWorker() func(*checkBatch) {
	judge, text := check.NewJudge(c.judges, c.how, c.quiet), c.text()
	return func(b *checkBatch) {
		b.out, b.results = b.out[:0], b.results[:0]
		b.tally.Reset(c.judges)
		for l := range b.Lines(c.how.MaxLength) {
			judged := judge.Line(l)
			for i := range judged {
				b.tally.Add(i, &judged[i])
			}
			switch {
			case c.quiet:
			case c.format.value == "json":
				b.out = render.AppendJSON(b.out, l, judged)
			case c.format.value == "tsv":
				b.out = render.AppendTSV(b.out, c.shown(l), judged)
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

// A selection is the flags that select the findings of package semantic.
type selection struct {
	off      bool
	severity *choice
	patterns []string
}

// addSelection adds the flags --severity, --rule and --no-semantic.
func addSelection(cmd *cobra.Command) *selection {
	s, flags := &selection{}, cmd.Flags()
	s.severity = (&choice{"warning", []string{"note", "warning", "error"}}).add(cmd, "severity",
		"show findings from this `SEVERITY` on: note, warning, error")
	flags.StringArrayVar(&s.patterns, "rule", nil,
		"show only findings of this `RULE`, whatever their severity; a * stands for any name; may be repeated")
	flags.BoolVar(&s.off, "no-semantic", false,
		"print the verdicts of the grammars only, without findings and suggestions")
	cmd.MarkFlagsMutuallyExclusive("rule", "no-semantic")
	return s
}

// chosen returns the selection of findings that the flags ask for: those of the rules that a pattern matches,
// whatever their severity, or without patterns those of the severity and above. It is nil where findings are switched
// off. A pattern that is malformed or that no rule matches is an error.
func (s *selection) chosen() (*semantic.Selection, error) {
	if s.off {
		return nil, nil
	}
	var atLeast semantic.Severity
	if err := atLeast.UnmarshalText([]byte(s.severity.value)); err != nil {
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
