package main

import (
	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/report/explain"
	"github.com/bnfcheck/bnfcheck/semantic"
)

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
			chosen := map[string]bool{}
			for _, g := range *use {
				chosen[short(g.Name)] = true
			}
			var list []semantic.Rule
			for _, r := range semantic.Rules() {
				if chosen[r.Text] {
					list = append(list, r)
				}
			}
			return printList(s, format, list, explain.RuleJSON, explain.AppendRules)
		},
	}
	use = addRFC(cmd)
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}
