package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/report/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
	"github.com/bnfcheck/bnfcheck/internal/syntax/lint"
	"github.com/bnfcheck/bnfcheck/internal/syntax/regex"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

func newLint(s *streams) *cobra.Command {
	l := &linting{streams: s}
	cmd := &cobra.Command{
		Use:   "lint GRAMMAR ...",
		Short: "Find what is wrong or surprising in a grammar",
		Long: `lint looks at grammars for their authors, before anyone transcribes them: names that are
not defined or not used, productions that derive nothing, repetitions of what may be
empty, letters whose case surprises, left recursion; ambiguity, with the shortest
ambiguous string and two derivations of it; alternatives that add nothing; and the
strings that are lost where alternatives are tried in order, as a PEG and most
hand-written parsers do, with what hides them and the order that loses nothing.

With FILE#RULE, what this production cannot use is unused; without it, a production that
no other uses may be where inputs begin.

Ambiguity, what adds nothing and what is lost are decided for regular productions. For
the others --nesting looks for ambiguity and what adds nothing in derivations that
re-enter a recursion no more than so many times.

A finding is an error, a warning or a note. --level leaves the lower ones out. --explain
says what a code in brackets means. The exit status is 0 if nothing but notes is printed;
1 if a warning or an error is; 2 for wrong usage, a file that is not in its notation, and
failed input or output; 3 if there are only notes, and something was not decided.`,
		Example: `  bnfcheck lint uri.abnf
  bnfcheck lint uri.abnf#URI --level warning
  bnfcheck lint json.abnf --nesting 3 --format sarif
  bnfcheck lint --explain ambiguous`,
		RunE: func(_ *cobra.Command, args []string) error { return l.run(args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	cmd.ValidArgsFunction = orFiles(words(sides))
	l.level = addChoice(cmd, "level", "print only findings of this level and higher ones", string(results.Note), string(results.Warning), string(results.Error))
	flags.StringVar(&l.explain, "explain", "", "explain the `CODE` of a finding, and read no grammar")
	complete(cmd, "explain", lint.Codes)
	l.naming = addNaming(s, cmd)
	l.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	return cmd
}

// linting carries out one lint command.
type linting struct {
	*streams
	naming  *naming
	level   *choice
	options lint.Options
	explain string
	format  *choice
}

func (l *linting) run(args []string) error {
	if l.explain != "" {
		return l.say(args)
	}
	if len(args) == 0 {
		return errors.New("lint takes a grammar: bnfcheck lint FILE")
	}
	var err error
	if l.options.Nesting, err = l.naming.depth(); err != nil {
		return err
	}
	var reports []*lint.Report
	for _, name := range args {
		r, err := l.lint(name)
		if err != nil {
			return err
		}
		reports = append(reports, r)
		switch {
		case r.Worst() != "" && r.Worst() != results.Note:
			l.earned = errNegative
		case r.Undecided > 0 && l.earned == nil:
			l.earned = errOpen
		}
	}
	if err := l.print(reports); err != nil {
		return err
	}
	return l.earned
}

func (l *linting) lint(name string) (*lint.Report, error) {
	opened, err := l.naming.open(name)
	if err != nil {
		return nil, err
	}
	o := l.options
	if opened.Kind == catalog.Regexp {
		if opened, err = l.expression(name, opened, &o); err != nil {
			return nil, err
		}
	}
	if opened.Asked != "" {
		r, err := opened.Lookup(opened.Asked)
		if err != nil {
			return nil, named(err)
		}
		o.Start = r.ID
	}
	for _, n := range opened.Notices {
		o.Noticed = append(o.Noticed, lint.Finding{Code: lint.Notation, Level: results.Note, Pos: n.Pos, Message: n.Message})
	}
	r, err := lint.Lint(opened.Grammar, o)
	if err != nil {
		return nil, err
	}
	return r.AtLeast(results.Level(l.level.value)), nil
}

// expression returns what is looked at of a regular expression: a match by itself, without what stands before and behind it.
func (l *linting) expression(name string, search *catalog.Opened, o *lint.Options) (*catalog.Opened, error) {
	o.Backtracks = !strings.HasPrefix(name, "go:")
	if search.Models() {
		l.earned = errOpen
		o.Noticed = append(o.Noticed, lint.Finding{Code: lint.Undecided, Level: results.Note, Pos: search.Grammar.Rules[0].Pos,
			Message: "it has lookarounds or other parts that no grammar has: whether it is ambiguous, and how long an engine takes, is not decided"})
		return search, nil
	}
	options, err := l.naming.options()
	if err != nil {
		return nil, err
	}
	options.Match = regex.Full
	full, err := catalog.Open(name, options)
	if err != nil {
		return nil, named(err)
	}
	full.Notices = search.Notices
	return full, nil
}

func (l *linting) print(reports []*lint.Report) error {
	if l.format.isDocument() {
		return results.Write(l.out, l.format.value, lint.Results(reports))
	}
	var b []byte
	for _, r := range reports {
		if l.format.value == "json" {
			b = render.JSON(b, r.JSON())
		} else {
			b = r.AppendText(b, &l.Screen)
		}
	}
	_, err := l.out.Write(b)
	return err
}

// say explains a code.
func (l *linting) say(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("--explain takes no grammar, and got %q", args[0])
	}
	c, ok := lint.Of(l.explain)
	if !ok {
		return didYouMean(fmt.Errorf("no code %q; there are %s", l.explain, strings.Join(lint.Codes(), ", ")), l.explain, lint.Codes)
	}
	head, text, _ := strings.Cut(c.String(), "\n\n")
	fmt.Fprintf(l.out, "%s\n\n%s\n", head, fill(text, min(l.fits, roomForHelp)))
	return nil
}
