package command

import (
	"cmp"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/decompress"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/cli/terminal"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
)

// urls are the URLs that a command goes through, and the grammars that it applies to them: what check and fix share.
type urls struct {
	*streams
	cmd   *cobra.Command
	rfcs  *rfcs
	files []string

	whole     bool // each file is one string
	everyLine bool // no line of a file is skipped
	column    int  // see check.Input
}

var errNoURL = errors.New("no URL: give some, or a file with -f FILE (-f - for standard input)")

// newURLs adds the flags --rfc and --file to cmd, which does something to URLs: check them, repair them. It has cmd
// refuse a command line with neither a URL nor a file.
func newURLs(s *streams, cmd *cobra.Command, verb string) *urls {
	u := &urls{streams: s, cmd: cmd}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 && len(u.files) == 0 {
			return errNoURL
		}
		return nil
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	u.rfcs = addRFC(cmd)
	cmd.Flags().StringArrayVarP(&u.files, "file", "f", nil, verb+
		" the URLs in `FILE`, - for standard input; may be repeated")
	return u
}

// dashes returns the URLs among the arguments, and all files of the command: see splitDashes.
func (u *urls) dashes(args []string) (urls, files []string) { return splitDashes(u.cmd, args, u.files) }

// splitDashes returns the arguments that are strings, and the files with "-" for each argument that is standard input:
// a "-" after "--" is the string. The arguments are the last ones of the command.
func splitDashes(cmd *cobra.Command, args, named []string) (inputs, files []string) {
	files = slices.Clone(named)
	dash := len(args) // the number of args that stand before "--"
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		// at counts from the first argument of the command, and args may lack some of these.
		taken := cmd.Flags().NArg() - len(args)
		dash = at - taken
	}
	for i, arg := range args {
		if arg == "-" && i < dash {
			files = append(files, arg)
		} else {
			inputs = append(inputs, arg)
		}
	}
	return inputs, files
}

// openFiles opens files, "-" for standard input, decompressed where their names say that they are compressed. A file
// that is no text fails only when it is read. The caller closes the list; after an error nothing is open.
func (s *streams) openFiles(files []string) (check.Sources, error) {
	list, err := check.OpenFiles(files, s.in)
	for _, source := range list {
		if text, ok := decompress.Reader(source.Name, source.Reader); ok {
			source.Reader, source.Size = text, 0
		}
		source.Reader = infile.Text(source.Reader)
	}
	return list, err
}

// addMaxLength adds the flag --max-length to cmd.
func addMaxLength(cmd *cobra.Command, n *int, what string) {
	cmd.Flags().IntVar(n, "max-length", bnfcheck.DefaultMaxLength, "refuse "+what+" of more than `N` bytes")
}

// streamBatches reads the URLs of args and of files in batches, has workers fill in the results of each
// batch, at the same time, and calls emit with the batches in the order of the input. A B has a batch, which
// batch returns, and the results of a worker. quiet says that emit prints nothing, so that a terminal can
// show the progress. It fails if emit does, and otherwise if reading does; everything before the error has
// been emitted.
func streamBatches[B any](
	u *urls, args []string, limit int, quiet bool,
	batch func(*B) *check.Batch, newWorker func() func(*B), emit func(*B) error,
) error {
	if err := atLeast("max-length", limit, 1); err != nil {
		return err
	}
	args, files := u.dashes(args)
	list, err := u.openFiles(files)
	if err != nil {
		return err
	}
	defer list.Close()
	line := terminal.NewLine(nil)
	if quiet || !u.outIsTerminal {
		line = u.newLine()
	}
	meter := terminal.NewMeter(line, list.Size())
	in := &check.Input{Args: args, Sources: list, Limit: limit, Whole: u.whole, Column: u.column, Progress: u.alive}
	in.EveryLine = u.everyLine || slices.Contains(*u.rfcs, bnfcheck.RFC3986)
	err = check.InOrder(func(b *B) bool { return in.Next(batch(b)) }, newWorker, func(b *B) error {
		meter.Add(batch(b).URLs, batch(b).Read)
		return emit(b)
	})
	line.End()
	return cmp.Or(err, in.Cause)
}
