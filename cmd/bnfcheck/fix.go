package main

import (
	"errors"
	"fmt"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/check"
	"github.com/bnfcheck/bnfcheck/internal/layout"
	"github.com/bnfcheck/bnfcheck/internal/octets"
	"github.com/spf13/cobra"
)

func newFix(s *streams) *cobra.Command {
	f := &fixer{checker: checker{streams: s, how: check.Options{VerdictsOnly: true}}}
	var files []string
	cmd := &cobra.Command{
		Use:   "fix [URL ...] [-f FILE|-]",
		Short: "Give the nearest URL that an RFC accepts",
		Long: `fix gives, for a URL that an RFC rejects or that only its generic production
derives although the scheme has its own, the nearest string that the scheme's
production derives: what was done, why, and in which parts it differs from what
stood there.

Some edits have a reason in the RFC: <URL: > is taken off, the scheme is written in
lower case, octets that cannot stand where they are are encoded, and a fragment is
dropped where the RFC has none. Where that is not enough, characters are deleted,
substituted or inserted, in inputs of up to 4 KiB, and the result is called a guess.
It is the nearest by this cost, over all productions; a line weighs more than all
lines below it:

  1. the scheme differs
  2. the host differs; an added or a lost one does, an empty one is none
  3. each character that is deleted, inserted or substituted, and two more for a
     scheme that the RFC does not know
  4. each octet encoded, two for a reserved character; each letter of the scheme
     put in lower case
  5. insertions, and twice substitutions, rather than deletions

The scheme missing before the name of a host or a mail address is one insertion.
Scheme and host are never encoded. Where a string that is no guess has an error by
the RFC's prose, and the nearest one without new escapes has none, fix gives that one.

--apply prints each URL as one line, repaired where that is certain (every edit has
a reason, no part differs in its meaning, the result has no error), and else as it
was; one that is longer than --max-length is left out, and complained about. It needs
one --rfc. The exit status is 1 if some URL has no certain repair, or an error that
no repair of its syntax mends.`,
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
	flags.BoolVar(&f.how.Strict, "strict", false, "no longer needed: what is generic-only is always repaired")
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
	err := f.stream(args, files, func() func(*lines) {
		w := f.newJudge(false)
		return func(b *lines) { f.work(w, b) }
	}, func(b *lines) error {
		if b.negative {
			f.earned = errNegative
		}
		for _, c := range b.complaints {
			f.complain("%s", c)
		}
		_, err := f.out.Write(b.out)
		return err
	})
	if err == nil {
		return f.earned
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
			if j.Answer != check.TooLong {
				j.Repair = check.Nearest(j.Grammar, s)
			}
			b.negative = b.negative || j.Repair == nil || !j.Repair.Certain()
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
	if j.Repair != nil && j.Repair.Certain() {
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
		switch r := j.Repair; {
		case j.Answer == check.TooLong:
			b = append(b, j.Message+"\n"...)
			continue
		case r == nil:
			b = append(b, "no repair: encoding is not enough, and it is too long for a guess\n"...)
			continue
		case len(r.Edits) > 0:
			if r.Guess {
				b = append(b, "a guess: "...)
			}
			b = f.Paint(b, layout.Bold, r.URL)
			if why := remark(r); why != "" {
				b = append(b, why+"\n"...)
			} else {
				b = append(b, " (no part differs)\n"...)
			}
		case len(r.Errors) > 0:
			b = append(b, "no repair: the grammar derives it, and what is wrong is more than its syntax\n"...)
		default:
			b = append(b, "nothing to repair\n"...)
		}
		for _, e := range j.Repair.Edits {
			b = layout.Wrap(b, e.String(), 2*indent, f.Width)
		}
		for i := range j.Repair.Errors {
			e := &j.Repair.Errors[i]
			b = layout.Wrap(b, fmt.Sprintf("error at offset %d: %s (%s)", e.Start, e.Message, e.Rule), 2*indent, f.Width)
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
		b = octets.AppendString(b, j.Grammar.Name)
		b = append(b, ':')
		if r := j.Repair; r == nil || len(r.Edits) == 0 && len(r.Errors) == 0 {
			b = append(b, "null"...)
		} else {
			b = appendRepair(b, j.Repair)
		}
	}
	return append(b, "}}\n"...)
}
