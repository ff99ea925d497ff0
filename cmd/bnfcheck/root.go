package main

import (
	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/cli/version"
)

// newRoot returns the program's command tree. Every call makes a new one, without any state in common.
func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "bnfcheck",
		Short: "Hold a grammar against its parser, its next version or other people's parsers",
		Long: `bnfcheck holds a grammar against its parser, its next version, or other people's
parsers, exactly: an answer is a proof, or the shortest string on which they part.

It reads ABNF from an RFC or a file, and PEG. Four texts about URLs are built in: RFC
1630, a draft of RFC 1738, RFC 1738 and RFC 3986.`,
		Example: `  bnfcheck lint mail.abnf
  bnfcheck check -g mail.abnf 'someone@example.org'
  bnfcheck prove --abnf mail.abnf --peg mail.peg
  bnfcheck diff 'old.abnf#mailbox' 'new.abnf#mailbox'
  bnfcheck check 'http://info.cern.ch/~timbl/'
  bnfcheck conform --rfc 3986 -- ./yours`,
		Version:           version.String(),
		PersistentPreRun:  func(cmd *cobra.Command, _ []string) { s.fit(cmd); s.busy(cmd) },
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
		{"Your grammar:", []*cobra.Command{newLint(s), newProve(s), newDiff(s), newCheck(s), newParse(s), newFix(s), newInit(s), newGenerate(s), newVerify(s), newPEG(s), newRegexp(s)}},
		{"URLs:", []*cobra.Command{newExtract(s), newResolve(s), newSummary(s)}},
		{"The RFCs:", []*cobra.Command{newGrammars(s), newExplain(s), newRules(s), newClaims(s), newReport(s)}},
		{"Other parsers:", []*cobra.Command{newVectors(s), newConform(s), newLearn(s)}},
		{"This program:", nil},
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
	root.SetFlagErrorFunc(flagError)
	completeFlags(root)
	return root
}
