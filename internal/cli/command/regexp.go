package command

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// newRegexp returns the command regexp, which writes a regular expression that is proven equal to a rule.
func newRegexp(s *streams) *cobra.Command {
	r := &expressing{streams: s}
	cmd := &cobra.Command{
		Use:   "regexp GRAMMAR",
		Short: "Write a regular expression that is proven equal to a rule",
		Long: `regexp writes a regular expression that matches exactly the strings that a rule derives,
from their first character to their last, in one line. Before it is printed, it is read
back in its flavor and proven equal to the rule.

The expression has one way to match a string wherever that is possible, so that engines
that backtrack are as quick as the others; where it has two, the shortest such string is
named on standard error, and one that could take exponential time is refused. The named groups of --captures hold what these productions
derive in the tree of a string. A rule with octets above 0x7F that are no UTF-8 is
written for pcre; with --values code-points %x80 is U+0080 in the others. What nests
is not regular, and is written to the depth of --nesting.`,
		Example: `  bnfcheck regexp uri.abnf#URI --flavor js
  bnfcheck regexp uri.abnf#URI --flavor go --captures scheme,host
  bnfcheck regexp json.abnf#value --flavor pcre --nesting 2
  bnfcheck regexp uri.abnf --all --flavor go -o uri.go`,
		Args: takes("a rule"),
		RunE: func(_ *cobra.Command, args []string) error { return r.run(args[0]) },
	}
	flags := cmd.Flags()
	flags.SetNormalizeFunc(inAmericanSpelling)
	r.flavor = addChoice(cmd, "flavor", "the notation, and the engine that reads it", bnftoregexp.Names()...)
	flags.StringSliceVar(&r.captures, "captures", nil, "make groups with names of these `RULES`, separated by commas")
	flags.BoolVar(&r.comments, "comments", false,
		"write several lines, with the names of rules as comments; python, pcre and ruby")
	flags.BoolVar(&r.all, "all", false, "write a file with a constant for each rule; "+
		strings.Join(bnftoregexp.Files(), ", "))
	flags.StringVar(&r.pkg, "package", "", "the `NAME` of the package of Go (default: that of the file)")
	flags.StringVarP(&r.file, "output", "o", "", "write to `FILE` instead of standard output")
	r.naming = addNaming(s, cmd)
	cmd.ValidArgsFunction = orFiles(words(productionNames))
	cmd.MarkFlagsMutuallyExclusive("all", "captures")
	cmd.MarkFlagsMutuallyExclusive("all", "comments")
	return cmd
}

// inAmericanSpelling returns the name of a flag, which may be written as in Britain.
func inAmericanSpelling(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "flavour" {
		name = "flavor"
	}
	return pflag.NormalizedName(name)
}

// expressing carries out one regexp command.
type expressing struct {
	*streams
	naming        *naming
	flavor        *choice
	captures      []string
	comments, all bool
	pkg, file     string
}

// run writes regular expressions: one, or with --all the constants of all productions. A production without an
// expression is an error if it is the one; with --all the others are written, and run returns errOpen.
func (r *expressing) run(name string) error {
	opened, err := r.naming.open(name)
	if err != nil {
		return err
	}
	write := r.writeOne
	if r.all {
		write = r.constants
	}
	text, err := write(opened)
	if err != nil {
		return err
	}
	return cmp.Or(r.output(r.file, atomicfile.Text(text)), r.earned)
}

// writeOne returns the expression of the rule that is meant, as a line. It complains of what the flavor's notation made
// it assume, and of a string that the expression can match in two ways.
func (r *expressing) writeOne(opened *catalog.Opened) ([]byte, error) {
	rule, err := opened.Start()
	if err != nil {
		return nil, classifyNameError(err)
	}
	options := bnftoregexp.Options{Comments: r.comments}
	for _, c := range r.captures {
		used, err := opened.Lookup(c)
		if err != nil {
			return nil, classifyNameError(err)
		}
		options.Captures = append(options.Captures, used.ID)
	}
	x, err := r.write(opened, rule, options)
	if err != nil {
		return nil, r.naming.undecided(err)
	}
	if x.Assumed != "" {
		r.complain("bnfcheck: assumed: %s", x.Assumed)
	}
	if x.Ambiguous != nil {
		r.complain("bnfcheck: %s can be matched in two ways", opened.Grammar.Quote(*x.Ambiguous))
	}
	return append([]byte(x.String()), '\n'), nil
}

// write returns the regular expression of a rule. It complains of the depth to which a rule that nests is
// read. If the flavor refuses the rule it fails with an openError; other errors are not yet classified.
func (r *expressing) write(
	opened *catalog.Opened, rule *expr.Rule, o bnftoregexp.Options,
) (*bnftoregexp.Regexp, error) {
	language, err := opened.Automaton(rule)
	if err != nil {
		return nil, err
	}
	x, err := bnftoregexp.New(opened.Within, rule, language, bnftoregexp.Of(r.flavor.value), o)
	if _, refused := errors.AsType[*bnftoregexp.RefusedError](err); refused {
		err = &openError{err}
	}
	if to := opened.ReadTo(rule.ID); err == nil && to != "" {
		r.complain("bnfcheck: %s is written %s: it matches nothing that nests deeper", rule.Label(), to)
	}
	return x, err
}

// constants returns a file of Go or another language with the expressions of all rules. A rule without an expression is
// a comment in it and a complaint, and r.earned becomes errOpen. It fails for a flavor that no such file is written in,
// and for an operand that names a rule.
func (r *expressing) constants(opened *catalog.Opened) ([]byte, error) {
	if !slices.Contains(bnftoregexp.Files(), r.flavor.value) {
		return nil, fmt.Errorf("--all writes %s, and not %s", strings.Join(bnftoregexp.Files(), ", "), r.flavor.value)
	}
	if opened.Asked != "" {
		return nil, fmt.Errorf("--all writes all rules, and not only %q", opened.Asked)
	}
	title := opened.Grammar.Title
	if title == opened.File {
		title = filepath.Base(title)
	}
	var entries []bnftoregexp.Entry
	rules := opened.Grammar.Rules
	written := make([]*bnftoregexp.Regexp, len(rules))
	// A rule that is too large for an expression leaves the others their share of the steps.
	errs := opened.Within.Budget.Divide(len(rules), func(i int) (err error) {
		written[i], err = r.write(opened, rules[i], bnftoregexp.Options{})
		return err
	})
	for i, rule := range rules {
		e := bnftoregexp.Entry{Production: rule.Label(), Place: rule.Place(title), Regexp: written[i]}
		if err := errs[i]; err != nil {
			e.Regexp = nil
			e.Err = r.naming.undecided(err)
			r.earned = errOpen
			r.complain("bnfcheck: %s: %v", rule.Label(), e.Err)
		}
		entries = append(entries, e)
	}
	return bnftoregexp.File(r.flavor.value, cmp.Or(r.pkg, packageOf(opened.File)), title, entries), nil
}
