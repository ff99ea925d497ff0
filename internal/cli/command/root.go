package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/cli/version"
)

// newRoot returns the program's command tree, which reads and writes by s. Every call makes a new one, and two share
// nothing but s.
func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "bnfcheck",
		Short: "Prove that a grammar and a parser accept the same strings",
		Long: `bnfcheck proves that a grammar and a parser accept the same strings, or prints the
shortest string on which they disagree. It compares your grammar with its parser, with
its next version, and with other people's parsers.

It reads ABNF, from a file or the text of an RFC, the EBNF of W3C's specifications, PEG
and regular expressions. Four texts about URLs are built in: RFC 1630, a draft of RFC
1738, RFC 1738 and RFC 3986.`,
		Example: `  bnfcheck lint mail.abnf
  bnfcheck check mail.abnf 'someone@example.org'
  bnfcheck prove mail.abnf mail.peg
  bnfcheck prove 'date.abnf#date' 'js:/^\d{4}-\d\d-\d\d$/'
  bnfcheck diff 'old.abnf#mailbox' 'new.abnf#mailbox'
  bnfcheck conform 'mail.abnf#mailbox' --each-line -- ./yours`,
		Version: version.String(),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkValues(cmd); err != nil {
				return err
			}
			s.fit(cmd)
			s.showBusy(cmd)
			s.guard(cmd)
			return nil
		},
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
		{"Your grammar:", []*cobra.Command{newLint(s), newProve(s), newDiff(s), newCheck(s), newParse(s), newFix(s),
			newInit(s), newGenerate(s), newVerify(s), newPEG(s), newRegexp(s), newGBNF(s), newFmt(s), newLSP(s),
			newPlayground(s)}},
		{"URLs:", []*cobra.Command{newExtract(s), newResolve(s), newSummary(s)}},
		{"The RFCs:", []*cobra.Command{newGrammars(s), newExplain(s), newRules(s), newClaims(s), newReport(s)}},
		{"Other parsers:", []*cobra.Command{newVectors(s), newConform(s), newLearn(s)}},
		{"This program:", []*cobra.Command{newVersion(s)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("This program:")
	root.SetCompletionCommandGroupID("This program:")
	addStatuses(root)
	finishHelp(root, s)
	root.SetFlagErrorFunc(flagError)
	return root
}

// newVersion returns the command version, which prints the version of this program.
func newVersion(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
		Long:  "version prints the release or the commit of this program, and the version of Go that compiled it.",
		Args:  takesAtMost(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, "bnfcheck", version.String())
			return err
		},
	}
}
