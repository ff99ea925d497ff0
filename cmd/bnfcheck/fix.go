package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/layout"
)

func newFix(s *streams) *cobra.Command {
	f := &fixer{checker: checker{streams: s, how: check.Options{VerdictsOnly: true}}}
	var files []string
	cmd := &cobra.Command{
		Use:   "fix [URL ...] [-f FILE|-]",
		Short: "Give the nearest URL that an RFC accepts",
		Long: `fix gives, for a URL that an RFC rejects, the nearest string that it accepts, with
what was done and why. First come edits that have a reason in the RFC: <URL: > is
taken off, the scheme is written in lower case, octets that cannot stand where they
are are encoded, and a fragment is dropped where the RFC has none. Where that is not
enough, a smallest edit is found on the production's automaton, for inputs of up to
4 KiB, and offered as a guess.

--apply prints each URL as one line, repaired where that is no guess, and else as it
was; one that is longer than --max-length is left out, and complained about. It needs
one --rfc. The exit status is 1 if some URL has no repair but a guess, or none.`,
		Example: `  bnfcheck fix 'http://www.example.edu/~jdoe/'
  bnfcheck fix --rfc 1738 --apply -f urls.txt >repaired.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(files) == 0 {
				return errNoURL
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(_ *cobra.Command, args []string) error { return f.run(args, files) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.rfcs = addRFC(cmd)
	flags.StringArrayVarP(&files, "file", "f", nil, "repair the URLs in `FILE`, - for standard input; may be repeated")
	flags.BoolVar(&f.how.Strict, "strict", false, "repair what is generic-only, too")
	flags.BoolVar(&f.apply, "apply", false, "print the repaired URLs alone, one a line")
	f.format = addChoice(cmd, "format", "how to print", "text", "json")
	flags.IntVar(&f.how.MaxLength, "max-length", bnfcheck.DefaultMaxLength, "refuse URLs of more than `N` bytes")
	return cmd
}

// A fixer carries out one fix command. It judges lines as a checker does, and prints something else.
type fixer struct {
	checker
	apply bool
}

func (f *fixer) run(args, files []string) error {
	if f.apply && len(*f.rfcs) != 1 {
		return errors.New("--apply needs one grammar: choose with --rfc")
	}
	if f.apply && f.format.value == "json" {
		return errors.New("--apply prints lines, and cannot be used with --format json")
	}
	failed := false
	err := f.stream(args, files, func() func(*lines) {
		w := f.newJudge(false)
		return func(b *lines) { f.work(w, b) }
	}, func(b *lines) error {
		failed = failed || b.negative
		for _, c := range b.complaints {
			f.complain("%s", c)
		}
		_, err := f.out.Write(b.out)
		return err
	})
	if err == nil && failed {
		return errNegative
	}
	return err
}

func (f *fixer) work(w *worker, b *lines) {
	b.out, b.negative, b.complaints = b.out[:0], false, b.complaints[:0]
	for l := range b.Lines(f.how.MaxLength) {
		s := l.Text
		w.Judge.Line(l)
		for i := range w.Judged {
			j := &w.Judged[i]
			j.Repair = nil
			if j.Answer.Negative(f.how.Strict) && j.Answer != check.TooLong {
				j.Repair = check.Nearest(j.Grammar, s, f.how.Strict)
			}
			if j.Answer.Negative(f.how.Strict) && (j.Repair == nil || j.Repair.Guess) {
				b.negative = true
			}
		}
		switch {
		case f.apply && l.Length > f.how.MaxLength:
			b.complaints = append(b.complaints, w.place(l)+w.Judged[0].Message+", and left out")
		case f.apply:
			b.out = f.appendApplied(b.out, s, &w.Judged[0])
		case f.format.value == "json":
			b.out = f.appendLine(b.out, w, s, l)
		default:
			b.out = f.appendReport(b.out, w, s, l)
		}
	}
}

// appendApplied writes the repaired URL, or the URL as it was.
func (f *fixer) appendApplied(b []byte, s string, j *check.Judgement) []byte {
	if j.Repair != nil && !j.Repair.Guess {
		s = j.Repair.URL
	}
	if f.outIsTerminal {
		b, _ = appendVisible(b, s, 0)
	} else {
		b = append(b, s...)
	}
	return append(b, '\n')
}

// appendReport writes the URL, and for each grammar what it was repaired to, and how.
func (f *fixer) appendReport(b []byte, w *worker, s string, l check.Line) []byte {
	b, _ = appendVisible(b, s[:min(len(s), longestShown)], 0)
	b = append(b, '\n')
	for i := range w.Judged {
		j := &w.Judged[i]
		b = append(layout.Pad(b, 0, indent), w.place(l)+j.Grammar.Name+": "...)
		switch {
		case !j.Answer.Negative(f.how.Strict):
			b = append(b, "nothing to repair\n"...)
			continue
		case j.Answer == check.TooLong:
			b = append(b, j.Message+"\n"...)
			continue
		case j.Repair == nil:
			b = append(b, "no repair: encoding is not enough, and it is too long for a guess\n"...)
			continue
		case j.Repair.Guess:
			b = append(b, "a guess: "...)
		}
		b = append(f.Paint(b, layout.Bold, j.Repair.URL), '\n')
		for _, e := range j.Repair.Edits {
			b = layout.Wrap(b, e.String(), 2*indent, f.Width)
		}
	}
	return b
}

// appendLine writes one object: as check does, but for the verdicts.
func (f *fixer) appendLine(b []byte, w *worker, s string, l check.Line) []byte {
	b = append(w.appendInput(append(b, '{'), s, l), `,"repairs":{`...)
	for i := range w.Judged {
		j := &w.Judged[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, j.Grammar.Name)
		b = append(b, ':')
		if j.Repair == nil {
			b = append(b, "null"...)
		} else {
			b = appendRepair(b, j.Repair)
		}
	}
	return append(b, "}}\n"...)
}
