package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

// newResolve returns the command resolve, which resolves a partial form in the context of a URI.
func newResolve(s *streams) *cobra.Command {
	var asWorded, relative, backward bool
	var text *choice
	cmd := &cobra.Command{
		Use:   "resolve BASE PARTIAL",
		Short: "Resolve a partial form in the context of a URI",
		Long: `resolve prints the URI that a partial form stands for in the context of the URI
BASE, by RFC 1630, "Partial (relative) form".

For forms that begin with slashes, RFC 1630's rule and its own table of examples
disagree. The table is followed; if the rule as worded has another result, a remark on
standard error shows it, and --as-worded prints it instead.

--relative does the inverse: it prints a shortest partial form that stands for a URI
in the context of BASE.

--rfc 3986 resolves a relative reference by RFC 3986, section 5.2.`,
		Example: `  bnfcheck resolve magic://a/b/c//d/e/f ../g
  bnfcheck resolve --relative http://host/a/b http://host/a/c
  bnfcheck resolve --rfc 3986 'http://a/b/c/d;p?q' ../g`,
		Args:              takes("BASE", "PARTIAL"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case backward && text.value != "3986":
				return errors.New("--backward-compatible is for --rfc 3986")
			case (asWorded || relative) && text.value == "3986":
				return errors.New("--as-worded and --relative are for --rfc 1630")
			case text.value == "3986":
				return s.printTarget(args[0], args[1], backward)
			}
			if asWorded && relative {
				return errors.New("--as-worded and --relative cannot be used together")
			}
			resolve := func(g *bnfcheck.Grammar) (partial.Resolution, error) {
				return partial.Resolve(g, args[0], args[1])
			}
			if relative {
				resolve = func(g *bnfcheck.Grammar) (partial.Resolution, error) {
					form, err := partial.Relative(g, args[0], args[1])
					return partial.Resolution{URI: form, AsWorded: form}, err
				}
			}
			r, err := resolveByFirst(resolve)
			if err != nil {
				s.complain("%v", err)
				return errNegative
			}
			if r.Disagrees() {
				s.complain("%s", disagreement(r, asWorded))
			}
			if asWorded {
				if r.AsWorded == "" {
					return errNegative
				}
				r.URI = r.AsWorded
			}
			_, err = fmt.Fprintln(s.out, r.URI)
			return err
		},
	}
	text = addChoice(cmd, "rfc", "whose rules to follow", "1630", "3986")
	cmd.Flags().BoolVar(&backward, "backward-compatible", false, "ignore a scheme in the reference that is the base's")
	cmd.Flags().BoolVar(&asWorded, "as-worded", false, "follow the rule for leading slashes as it is worded")
	cmd.Flags().BoolVar(&relative, "relative", false, "print the partial form that stands for a URI")
	return cmd
}

// printTarget prints the target of a reference in the context of base by RFC 3986, or complains and returns errNegative
// if one of the two is no reference, or there is no target. With backward a scheme in the reference that is the base's
// is ignored.
func (s *streams) printTarget(base, reference string, backward bool) error {
	b, err := semantic.ParseReference(base)
	if err == nil {
		var r *semantic.Reference
		if r, err = semantic.ParseReference(reference); err == nil {
			resolve := b.Resolve
			if backward {
				resolve = b.ResolveNonStrict
			}
			if r, err = resolve(r); err == nil {
				_, err = fmt.Fprintln(s.out, r.Source)
				return err
			}
		}
	}
	s.complain("%v", err)
	return errNegative
}

// resolveByFirst calls resolve with the published grammars in turn, until one has partial forms, and returns its
// result. If none has, it returns the last error.
func resolveByFirst(resolve func(*bnfcheck.Grammar) (partial.Resolution, error)) (r partial.Resolution, err error) {
	for _, g := range bnfcheck.Grammars() {
		if r, err = resolve(g); !errors.Is(err, partial.ErrNoPartialForms) {
			return r, err
		}
	}
	return r, err
}

// disagreement returns a sentence about r, a resolution where RFC 1630's rule and its table of examples must disagree.
// The sentence has the result that is not printed: that of the table if asWorded says that the rule's is printed, and
// otherwise that of the rule.
func disagreement(r partial.Resolution, asWorded bool) string {
	switch {
	case asWorded && r.AsWorded == "":
		return "the rule as worded gives nothing; by the RFC's table of examples it is " + r.URI
	case asWorded:
		return "by the RFC's table of examples it is " + r.URI
	case r.AsWorded == "":
		return "as in the RFC's table of examples; the rule as worded gives nothing"
	}
	return "as in the RFC's table of examples; the rule as worded gives " + r.AsWorded
}
