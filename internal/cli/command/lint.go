package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

// newLint returns the command lint, which finds what is wrong or surprising in a grammar.
func newLint(s *streams) *cobra.Command {
	l := &linting{streams: s}
	cmd := &cobra.Command{
		Use:   "lint GRAMMAR ...",
		Short: "Find what is wrong or surprising in a grammar",
		Long: `lint looks at grammars for their authors, before anyone transcribes them: names that are
not defined or not used, productions that derive nothing, repetitions of what may be
empty, letters whose case surprises, left recursion; ambiguity, with the shortest
ambiguous string and two derivations of it; alternatives that add nothing; and the
strings of a grammar that are lost where alternatives are tried in order, as a PEG and
most hand-written parsers do, with what hides them and the order that loses nothing. Such
a loss is a note; it is a warning with --peg, or where a PEG of the same name stands
beside the file. In a file of ABNF, and in the blocks of a document that are marked as
ABNF, what RFC 5234 does not derive is a warning, also if it can be read.

Of a PEG it finds alternatives that can never match, with the one before them that takes
their strings; repetitions that take what has to follow; rules that match nothing, or no
input to its end; left recursion and repetitions of the empty string, which do not end;
rules and labels without use. Each has a change that was tried, where one was found. What
code in it does is assumed: nothing but return values.

With FILE#RULE, what this production cannot use is unused; without it, a production that
no other uses may be where inputs begin.

Of the text of a specification, such as an RFC, it is an error if no production is found in it.

Ambiguity, what adds nothing and what is lost are decided for regular productions. One
that nests is proven to be unambiguous if an LR(1) parser or an automaton tells its
derivations apart. Otherwise ambiguity is looked for in derivations that re-enter a
recursion at most twice, and the production is undecided where none is found. --nesting
sets another number, and looks for what adds nothing, too.

A finding is an error, a warning or a note. --level leaves the lower ones out. --explain
says what a code in brackets means. A comment "bnfcheck:ignore CODE REASON" leaves out
the findings of that code in the production of its line, or, in a line of its own, in the
next one. --write-baseline lists what is known, and --baseline leaves it out.`,
		Example: `  bnfcheck lint uri.abnf
  bnfcheck lint uri.abnf#URI --level warning
  bnfcheck lint json.abnf --nesting 3 --format sarif
  bnfcheck lint --explain ambiguous`,
		RunE: func(_ *cobra.Command, args []string) error { return l.run(args) },
	}
	flags := cmd.Flags()
	cmd.ValidArgsFunction = orFiles(words(productionNames))
	l.level = addChoice(cmd, "level", "print only findings of this level and higher ones", string(results.Note),
		string(results.Warning), string(results.Error))
	flags.StringVar(&l.baseline, "baseline", "",
		"leave out the findings that `FILE` lists, as --write-baseline has written them")
	flags.StringVar(&l.write, "write-baseline", "", "write the findings into `FILE`, for --baseline")
	flags.StringVar(&l.explain, "explain", "", "explain the `CODE` of a finding, and read no grammar")
	flags.BoolVar(&l.peg, "peg", false,
		"warn of strings that are lost where alternatives are tried in order; without it, where a PEG stands beside "+
			"the file")
	flags.BoolVar(&l.skip, "skip-empty", false,
		"pass over documents in which nothing looks like grammar; without it they are errors")
	l.naming = addNaming(s, cmd)
	l.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	return cmd
}

// linting carries out one lint command.
type linting struct {
	*streams
	naming  *naming
	level   *choice
	nesting *int // as in [lint.Options]
	explain string
	format  *choice
	peg     bool // what ordered choices lose is a warning
	skip    bool // a document without a grammar is passed over

	baseline, write string
	known           lint.Baseline
}

// run lints the grammars that args name, prints the findings that the baseline does not have, and complains of those
// that only the baseline has. It returns l.earned: negative for a finding above a note, and otherwise errOpen if
// something is not decided. The first grammar that cannot be linted ends the run, and nothing is printed.
//
// With --write-baseline it prints as usual, writes all findings as a new baseline, and returns nil: what is in the
// baseline is no negative result, and what is not decided does not count either. With --explain it explains a code,
// and lints nothing.
func (l *linting) run(args []string) error {
	if l.explain != "" {
		return l.explainCode(args)
	}
	if len(args) == 0 {
		return errors.New("lint takes a grammar: bnfcheck lint FILE")
	}
	var err error
	if l.nesting, err = l.naming.depth(); err != nil {
		return err
	}
	if err := l.readBaseline(); err != nil {
		return err
	}
	var reports []*lint.Report
	written := lint.Baseline{}
	for done, name := range args {
		l.doing.set("grammars", done, len(args))
		r, err := l.lint(name)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		level := results.Level(l.level.value)
		written.Add(r.AtLeast(level)) // with the findings that are known already: the new baseline is complete
		r = l.known.Without(r).AtLeast(level)
		reports = append(reports, r)
		switch {
		case r.Worst() != "" && r.Worst() != results.Note:
			l.earned = errNegative
		case r.Open() && l.earned == nil:
			l.earned = errOpen
		}
	}
	if err := l.print(reports); err != nil {
		return err
	}
	for _, finding := range l.known.Left(reports) {
		l.complain("bnfcheck: %s: not found any more: %s", l.baseline, finding)
	}
	if l.write != "" {
		return writeWhole(l.write, written.Text("bnfcheck lint --write-baseline "+l.write))
	}
	return l.earned
}

// readBaseline reads the findings of --baseline into l.known; without the flag there are none.
func (l *linting) readBaseline() error {
	if l.baseline == "" {
		return nil
	}
	text, err := infile.ReadFile(l.baseline, maxOwnFile)
	if err != nil {
		return err
	}
	l.known, err = lint.ReadBaseline(l.baseline, text)
	return err
}

// lint returns the report on a grammar. For a document without a grammar the report has one finding, an error; with
// --skip-empty it is nil, without an error. It sets l.naming.vouched.
func (l *linting) lint(name string) (*lint.Report, error) {
	l.naming.vouched = true // what is found in a PEG holds if its code only returns values, as the report says
	opened, err := l.naming.open(name)
	if in, ok := errors.AsType[*inputError](err); ok {
		switch e, ok := in.error.(*expr.Error); {
		case ok && e.Empty && l.skip:
			return nil, nil
		case ok && e.Empty:
			return lint.Empty(e), nil
		}
	}
	if err != nil {
		return nil, err
	}
	start := &expr.Rule{}
	if opened.Asked != "" {
		if start, err = opened.Lookup(opened.Asked); err != nil {
			return nil, classifyNameError(err)
		}
	}
	o, err := anygrammar.LintOptions(opened)
	if err != nil {
		return nil, l.naming.undecided(err)
	}
	o.Start, o.Nesting, o.Ordered = start.ID, l.nesting, l.peg || opened.HasPEG()
	return lint.Lint(opened.Grammar, o)
}

// print prints the reports in the format that was asked for.
func (l *linting) print(reports []*lint.Report) error {
	if l.format.isDocument() {
		return results.Write(l.out, l.format.value, lint.Results(reports))
	}
	var b []byte
	for _, r := range reports {
		if l.format.value == "json" {
			b = render.JSON(b, r.JSON())
		} else {
			b = r.AppendText(b, &l.Screen, l.appendSourceLine)
		}
	}
	_, err := l.out.Write(b)
	return err
}

// explainCode prints the explanation of the code of --explain. It fails for an unknown code, with suggestions, and if
// args names a grammar.
func (l *linting) explainCode(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("--explain takes no grammar, and got %q", args[0])
	}
	c, ok := lint.Of(l.explain)
	if !ok {
		return didYouMean(fmt.Errorf("no code %q; there are %s", l.explain, strings.Join(lint.Codes(), ", ")),
			l.explain, lint.Codes)
	}
	head, text, _ := strings.Cut(c.String(), "\n\n")
	fmt.Fprintf(l.out, "%s\n\n%s\n", head, wrap(text, min(l.fits, roomForHelp)))
	return nil
}
