package command

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

// newSummary returns the command summary, which adds up the summaries of several runs of check.
func newSummary(s *streams) *cobra.Command {
	var strict bool
	var format *choice
	cmd := &cobra.Command{
		Use:   "summary FILE ...",
		Short: "Add up the summaries of several runs of check",
		Long: `summary adds up summaries that bnfcheck check --summary FILE wrote, and prints what
one run over all their URLs would have printed as its summary: the parts of a large
list can be checked on different machines. All must be of the same grammars.

The sum is exact for up to 4096 schemes. Of more, a run counts those that it sees
first one by one, and all others together.`,
		Example: `  bnfcheck check -f part1.txt --quiet --summary 1.json
  bnfcheck check -f part2.txt --quiet --summary 2.json
  bnfcheck summary 1.json 2.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("summary takes the files that check --summary wrote")
			}
			total, err := addSummaries(args)
			if err != nil {
				return err
			}
			var b []byte
			if format.value == "json" {
				b = render.AppendSummaryJSON(nil, total)
			} else {
				b = render.AppendSummary(nil, &s.Screen, total)
			}
			if _, err := s.out.Write(b); err != nil {
				return err
			}
			if total.Negative(strict) {
				return errNegative
			}
			return nil
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&strict, "strict", false, "count generic-only as rejected")
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}

// addSummaries reads summaries and adds them up; they must be of the same grammars. It returns nil for no files.
func addSummaries(files []string) (*check.Tally, error) {
	var total *check.Tally
	for _, name := range files {
		t, err := readSummary(name)
		if err != nil {
			return nil, &ioError{name, err}
		}
		switch {
		case total == nil:
			total = t
		case !slices.Equal(total.Grammars, t.Grammars):
			return nil, fmt.Errorf("%s is of other grammars than %s", name, files[0])
		default:
			total.Merge(t)
		}
	}
	return total, nil
}

// readSummary reads the file of check --summary. "-" is no standard input here. An error does not name the file.
func readSummary(name string) (*check.Tally, error) {
	f, err := infile.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was read only
	return render.ReadSummary(infile.Text(f))
}
