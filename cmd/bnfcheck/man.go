package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/manpage"
	"github.com/bnfcheck/bnfcheck/internal/version"
)

func newMan(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man [FOLDER]",
		Short: "Write the manual pages",
		Long: `man writes a manual page for each command into a folder: bnfcheck.1, bnfcheck-check.1
and so on, with the texts of --help. Without a folder it prints the page of bnfcheck
itself. The date of a page is that of the commit that the program was built from, so
that the same program always writes the same pages.`,
		Example: `  bnfcheck man ~/.local/share/man/man1
  bnfcheck man | man -l -`,
		Args:              takesAtMost("one FOLDER"),
		ValidArgsFunction: atMost(1, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := s.out.Write(manual().Append(nil, cmd.Root()))
				return err
			}
			return writeManPages(args[0], cmd.Root())
		},
	}
}

func writeManPages(folder string, root *cobra.Command) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return &ioError{folder, err}
	}
	for _, cmd := range append([]*cobra.Command{root}, manpage.Documented(root)...) {
		if err := writeWhole(filepath.Join(folder, manpage.Name(cmd)+".1"), manual().Append(nil, cmd)); err != nil {
			return err
		}
	}
	return nil
}

func manual() *manpage.Manual {
	return &manpage.Manual{
		Version: version.Release(),
		Date:    version.Date(),
		ExitStatus: `0; 1 if something was rejected or does not hold, unless the description says otherwise;
2 for wrong usage, and if reading or writing failed. A reader that closes the pipe
early ends the program quietly, with the exit status of the work done so far.`,
		Environment: `Colours are used on terminals only. NO_COLOR and TERM=dumb turn them off; FORCE_COLOR
turns them on. COLUMNS sets the width of a line, if it is not that of the terminal.`,
		SeeAlso: "RFC 1630, RFC 1738",
	}
}
