package main

import (
	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/version"
)

// newRoot returns the program's command tree. Every call makes a new one, without any state in common.
func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "bnfcheck",
		Short: "Check URLs against the grammars of RFC 1630 and RFC 1738",
		Long: `bnfcheck checks URLs against the BNF of RFC 1630 (June 1994) and RFC 1738 (December 1994).
Its parsers are generated from the two texts, and each production is proven to
accept the strings that its BNF derives and no other.`,
		Example: `  bnfcheck check 'http://info.cern.ch/~timbl/'
  bnfcheck check -f urls.txt
  bnfcheck parse --rfc 1738 'ftp://host.dom/%2Fetc/motd;type=a'
  bnfcheck explain hostport`,
		Version:           version.String(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("bnfcheck {{.Version}}\n")
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"URLs:", []*cobra.Command{newCheck(s), newParse(s), newFix(s), newResolve(s), newExtract(s)}},
		{"The RFCs:", []*cobra.Command{newGrammars(s), newExplain(s), newRules(s), newProve(s), newDiff(s), newClaims(s), newReport(s), newServe(s)}},
		{"Other parsers:", []*cobra.Command{newVectors(s), newConform(s), newLearn(s)}},
		{"This program:", []*cobra.Command{newMan(s)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("This program:")
	root.SetCompletionCommandGroupID("This program:")
	finishHelp(root, s)
	completeFlags(root)
	return root
}
