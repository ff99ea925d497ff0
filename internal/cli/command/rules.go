package command

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// newRules returns the command rules, which lists what the RFCs require beyond their grammars.
func newRules(s *streams) *cobra.Command {
	var use *rfcs
	var format *choice
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List what the RFCs require beyond their grammars",
		Long: `rules lists the requirements that the prose of the RFCs states and no BNF can,
each with its severity, the schemes it applies to and the line of the text where it
stands. explain RULE prints what a rule requires.`,
		Args: takesAtMost(),
		RunE: func(*cobra.Command, []string) error {
			list := slices.DeleteFunc(slices.Clone(semantic.Rules()), func(r semantic.Rule) bool {
				return !slices.ContainsFunc(*use, func(g *bnfcheck.Grammar) bool { return short(g.Name) == r.Text })
			})
			return printList(s, format, list, explain.RuleJSON, explain.AppendRules)
		},
	}
	use = addRFC(cmd)
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}
