package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/urls/check"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

// newFix returns the command fix, which finds the nearest string that a grammar accepts.
func newFix(s *streams) *cobra.Command {
	f := &fixing{}
	cmd := &cobra.Command{
		Use:   "fix [GRAMMAR] STRING ... [-f FILE|-]",
		Short: "Find the nearest string that a grammar accepts",
		Long: `fix finds, for a URL that an RFC rejects or that only its generic production
derives although the scheme has its own, the nearest string that the scheme's
production derives. It prints each edit with its reason, and the parts of the URL
that differ.

Some edits have a reason in the RFC: <URL: > is removed, the scheme is written in
lower case, octets that are not allowed in their place are encoded, and a fragment is
dropped if the RFC has none. If that is not enough, characters are deleted,
substituted or inserted, in inputs of up to 4 KiB, and the result is called a guess.
It is the nearest by this cost, over all productions; a line weighs more than all
lines below it:

  1. the scheme differs
  2. the host differs, is added or is lost; an empty host counts as none
  3. each character that is deleted, inserted or substituted, and two
     more for a scheme that the RFC does not know
  4. each octet that is encoded, two for a reserved character; each
     letter of the scheme that is put in lower case
  5. a first edit away from the place of the error
  6. insertions, and twice substitutions, rather than deletions

The scheme missing before the name of a host or a mail address is one insertion.
Scheme and host are never encoded. If a string that is no guess has an error by the
RFC's prose, and the nearest one without new escapes has none, fix chooses that one.

--apply prints each URL as one line, repaired if that is certain (every edit has a
reason, no part differs in its meaning, the result has no error), and unchanged
otherwise; a URL longer than --max-length is left out and reported on standard error.
It needs one --rfc.

With a GRAMMAR, which is the first argument and has a string or --file behind it, or is
the value of --grammar, it finds the nearest string that its production derives: the one
with the fewest bytes deleted, substituted or inserted, of several one with no edit before
the place of the error, and of these one that keeps most of the string; letters that are
added are spelled as the grammar has them. It is always a guess. Every line of a file is then a
string; --comments skips blank lines and those that start with #. What nests is read to a
depth, that of --nesting or else as deep as the steps go, at most 2; standard error says
so. Of a production whose automaton is too large, only strings that are one edit away are
looked for; standard error says that, too, and the status is 3.`,
		Example: `  bnfcheck fix 'http://www.example.edu/~jdoe/'
  bnfcheck fix --rfc 1738 --apply -f urls.txt >repaired.txt
  bnfcheck fix language.abnf#Language-Tag en_US`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.naming.withStrings(cmd, args, f.run) },
	}
	f.urls = newURLs(s, cmd, "repair")
	flags := cmd.Flags()
	flags.Bool("strict", false, "no longer needed: generic-only URLs are always repaired")
	flags.BoolVar(&f.apply, "apply", false, "print only the repaired URLs, one a line")
	f.naming = addGrammar(s, cmd)
	flags.BoolVar(&f.comments, "comments", false, "with --grammar: skip blank lines and lines that start with #")
	f.format = addChoice(cmd, "format", "how to print", "text", "json")
	addMaxLength(cmd, &f.maxLength, "URLs")
	for _, other := range []string{"rfc", "strict", "apply"} {
		cmd.MarkFlagsMutuallyExclusive("grammar", other)
	}
	return cmd
}

// fixing carries out one fix command.
type fixing struct {
	*urls
	naming    *naming
	comments  bool
	apply     bool
	format    *choice
	maxLength int
}

// memoryOfFix is the memory at which garbage is collected more often. The longest line and its repairs need less, and
// they are seldom in a list.
const memoryOfFix = 48 << 20

// A fixBatch is a batch of URLs and their repairs.
type fixBatch struct {
	check.Batch
	out        []byte
	negative   bool     // some URL could not be repaired
	open       bool     // whether some string is accepted is not decided
	complaints []string // for standard error
}

// run prints the repairs of the URLs in args and in files, or with --apply the repaired lines; with a grammar the
// nearest strings that it derives. It ends as each does. Without GOMEMLIMIT URLs are repaired under memoryOfFix.
func (f *fixing) run(args []string) error {
	switch {
	case f.naming.grammar != "":
		return f.repairByGrammar(args)
	case f.comments:
		return errCommentsAlone
	}
	if f.apply && len(*f.rfcs) != 1 {
		return errors.New("--apply needs one grammar: choose with --rfc")
	}
	if f.apply && f.format.value == "json" {
		return errors.New("--apply prints lines, and cannot be used with --format json")
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryOfFix))
	}
	return f.each(args, f.newWorker)
}

// each has workers repair all strings, and prints the repairs and complaints in order. Unless reading or writing fails,
// it returns f.earned, which becomes errOpen if it is undecided whether a string is accepted, and otherwise errNegative
// if one has no certain repair.
func (f *fixing) each(args []string, newWorker func() func(*fixBatch)) error {
	batchOf := func(b *fixBatch) *check.Batch { return &b.Batch }
	err := streamBatches(f.urls, args, f.maxLength, false, batchOf, newWorker, func(b *fixBatch) error {
		switch {
		case b.open:
			f.earned = errOpen
		case b.negative && f.earned != errOpen:
			f.earned = errNegative
		}
		for _, c := range b.complaints {
			f.complain("%s", c)
		}
		return f.write(b.out)
	})
	return cmp.Or(err, f.earned)
}

// repairByGrammar prints the nearest strings of the user's grammar, and ends as printNearest does. A grammar that nests
// is read to a depth, which a complaint tells; a string that only nests deeper counts as accepted. One whose automaton
// is too large is left to repairBySingleEdits.
func (f *fixing) repairByGrammar(args []string) error {
	if err := f.naming.refuseSharedStdin(f.files); err != nil {
		return err
	}
	g, r, err := f.naming.start(f.naming.grammar)
	if err != nil {
		return err
	}
	var dfa *lang.DFA
	whole := g
	err = g.ReadDeep(r, func(read *catalog.Opened) (err error) {
		g = read
		dfa, err = g.Automaton(r)
		return err
	})
	if budget.IsTooLarge(err) {
		return f.repairBySingleEdits(args, whole, err)
	}
	if err != nil {
		return f.naming.undecided(err)
	}
	p, err := anygrammar.New(g)
	if err != nil {
		return classifyNameError(err)
	}
	if to := g.ReadTo(r.ID); to != "" {
		f.complain("bnfcheck: %s: the nearest strings are looked for %s", g.File, to)
	}
	// The spelling is no more than a preference: without this automaton, letters are lower-case.
	var spelled repair.Automaton
	if d, err := lang.FromBNF(g.Grammar.AsSpelled(), r.ID); err == nil {
		spelled = d
	}
	nearest := func(l check.Line) (edits []render.Edit, ok bool, err error) {
		edits, ok = render.Nearest(dfa, spelled, l, f.maxLength, p.Grammar.CodePoints)
		if g.Depth != nil && len(edits) > 0 { // it may be accepted, and nest deeper
			accepted, err := p.Accepts(l.Text)
			if err != nil {
				return nil, false, err
			}
			if accepted {
				edits = nil
			}
		}
		return edits, ok, nil
	}
	return f.printNearest(args, p.Grammar, render.NoRepair, nearest)
}

// printNearest prints, for each string, the edits of nearest, which lead to the nearest string: none if the
// string is accepted itself. If ok is false there is no such string, and none is the text that says so. If nearest
// fails, it is undecided whether the string is accepted: a complaint says why, and no edits are printed. printNearest
// fails with errOpen if there is such a string, and with errNegative unless all strings are accepted.
func (f *fixing) printNearest(
	args []string, g *ast.Grammar, none string,
	nearest func(l check.Line) (edits []render.Edit, ok bool, err error),
) error {
	f.everyLine = !f.comments
	show := &render.Text{Screen: f.Screen}
	return f.each(args, func() func(*fixBatch) {
		return func(b *fixBatch) {
			b.out, b.negative, b.open, b.complaints = b.out[:0], false, false, b.complaints[:0]
			for l := range b.Lines(f.maxLength) {
				edits, ok, err := nearest(l)
				why := none
				if err != nil {
					b.open, why = true, render.NotDecided
					complaint := fmt.Sprintf("bnfcheck: undecided: whether %s is accepted: %v", ast.Quote(l.Text), err)
					b.complaints = append(b.complaints, complaint)
				}
				b.negative = b.negative || !ok || len(edits) > 0
				if f.format.value == "json" {
					b.out = render.AppendNearestJSON(b.out, l, edits, ok)
				} else {
					b.out = show.AppendNearest(b.out, l, g, edits, ok, why)
				}
			}
		}
	})
}

// repairBySingleEdits prints strings that are one edit away and that the parser of the user's grammar accepts. A
// complaint says that it does so because the automaton is too large, as why says. It fails with errOpen in any case,
// since there may be other repairs; if there is no parser either, with why, and if writing fails, with that error.
func (f *fixing) repairBySingleEdits(args []string, g *catalog.Opened, why error) error {
	fresh := *g
	fresh.Grammar = g.Grammar.With(g.Grammar.Rules)
	fresh.Grammar.Budget = g.Grammar.Budget.Fresh()
	p, err := anygrammar.New(&fresh)
	if err != nil {
		return f.naming.undecided(why)
	}
	f.complain("bnfcheck: undecided: there is no automaton, and strings one edit away are looked for (%v)", why)
	nearest := func(l check.Line) (edits []render.Edit, ok bool, err error) {
		accepted, err := p.Accepts(l.Text)
		if err != nil {
			return nil, false, err
		}
		accepts := func(s string) bool { // an undecided string is not offered
			if s == l.Text {
				return accepted
			}
			ok, err := p.Accepts(s)
			return ok && err == nil
		}
		fault := len(l.Text)
		if e, ok := errors.AsType[*ast.SyntaxError](p.Explain(l.Text)); ok {
			fault = e.Offset
		}
		edits, ok = render.NearestSingle(accepts, fault, l, f.maxLength, p.Grammar.CodePoints)
		return edits, ok, nil
	}
	err = f.printNearest(args, p.Grammar, render.NoSingleRepair, nearest)
	if err != nil && !errors.Is(err, errNegative) {
		return err
	}
	return errOpen
}

// newWorker returns a function that repairs one batch, and keeps in it the output and, with --apply, a complaint for
// each URL that is too long and left out. Each worker has a judge of its own, so that several can run at once. A
// batch is negative if a repair is missing or not certain.
func (f *fixing) newWorker() func(*fixBatch) {
	judge := check.NewJudge(*f.rfcs, check.Options{VerdictsOnly: true, MaxLength: f.maxLength}, false)
	text := &render.Text{Screen: f.Screen, Grammars: *f.rfcs}
	return func(b *fixBatch) {
		b.out, b.negative, b.complaints = b.out[:0], false, b.complaints[:0]
		for l := range b.Lines(f.maxLength) {
			judged := judge.Repair(l)
			for i := range judged {
				r := judged[i].Repair
				b.negative = b.negative || r == nil || !r.Certain()
			}
			switch {
			case f.apply && judged[0].Answer == check.TooLong:
				b.complaints = append(b.complaints, render.LeftOut(l, &judged[0]))
			case f.apply:
				s := l.Text
				if r := judged[0].Repair; r != nil && r.Certain() {
					s = r.URL
				}
				b.out = append(f.appendURL(b.out, s), '\n')
			case f.format.value == "json":
				b.out = render.AppendRepairsJSON(b.out, l, judged)
			default:
				b.out = text.AppendRepairs(b.out, l, judged)
			}
		}
	}
}
