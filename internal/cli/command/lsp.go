package command

import (
	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/cli/version"
	"github.com/bnfcheck/bnfcheck/internal/editor"
)

// newLSP returns the command lsp, which answers an editor in the language server protocol.
func newLSP(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Answer an editor in the language server protocol",
		Long: `lsp is a language server for grammars. An editor starts it and speaks the Language Server
Protocol (3.17) with it on standard input and output: ABNF in files, Markdown, the sources
of xml2rfc and the texts of RFCs, EBNF, and PEGs of pigeon and peggy.

It reports what lint finds while one types, says what a production accepts, finds and
renames names, completes them, and formats ABNF. A grammar is read as comments in it say,
"bnfcheck:start NAME" for one, or as the package beside it was generated. docs/editor.md
has them all, and how editors are set up.

It reads no file outside the folder that is open, uses no network, and runs no program
unless a person clicks.`,
		Example: `  bnfcheck lsp < recorded`,
		Args:    takesAtMost(),
		RunE: func(*cobra.Command, []string) error {
			ctx, stop := untilStopped()
			defer stop()
			options := editor.Options{Version: version.String(), Log: s.err, Alive: s.alive}
			if err := editor.Serve(ctx, s.in, s.out, options); err != nil {
				return &ioError{"standard input", err}
			}
			return nil
		},
	}
	cmd.Flags().Bool("stdio", false,
		"speak on standard input and output, as it does without the flag; some editors add it")
	return cmd
}
