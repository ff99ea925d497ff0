package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/report/drawing"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// longestCount bounds --length: the numbers of strings have more than twice as many digits as the strings have bytes,
// and there is one for each length, region and cause.
const longestCount = 250

// newDiff returns the command diff, which shows what two productions accept differently.
func newDiff(s *streams) *cobra.Command {
	d := &differing{streams: s}
	cmd := &cobra.Command{
		Use:   "diff [TOPIC | GRAMMAR | A B | --history [SCHEME]]",
		Short: "Show exactly what two productions accept differently",
		Long: `diff compares the sets of strings that two productions derive: whether one contains
the other, the shortest string that only the one derives, both, and only the other,
and how many strings there are. What sets the two apart comes in groups, a sentence
each, with the printed lines behind it. --causes prints the complete catalog below
them: every string that only one of the two derives has exactly one cause, the place
where the two part. What a side expects "sometimes" there, it expects after some of
the strings that lead there and not after others.

Without arguments it prints a row for each scheme of RFC 1630 and RFC 1738, for the
generic forms and for the two urls. A TOPIC is the name of such a row, and shows its
details. A and B are grammars, or each a production that only one of those that are
built in has. A single GRAMMAR that is built in shows how far the others are from it:
which of their schemes it derives completely, how much of the rest, and the shortest
string that it does not derive.

A rule of a PEG stands for what it matches from the first byte to the last.

Of productions that nest it shows, as text or JSON, whether they are equal, as far as what
nests in the one corresponds to what nests in the other, or a string that only one derives,
with the change of one production that explains it: strings are compared in the order of
their length, and then by how deep they nest; undecided comes with how far that went.
--nesting compares them to a depth.

Two sides whose productions are all defined alike are equal, whatever their size. Others that
are too large for automata are compared production by production, as text or JSON: those that
differ are shown with a string, and so is a whole string in which that is seen, if one is found.

Of two files that have several productions which no other uses, each production is compared
with the one of its name, and those that differ are rows. --against compares one file, FILE
or FILE#RULE, with the same in a revision of git: what it has is A, the file as it is B.

rfc2396 and rfc2732, which came between RFC 1738 and RFC 3986, can be compared as
well. They have productions here, and no parser.

--history shows what each text made legal and what illegal, beside the text before
it: whole URIs, or those of one SCHEME, from RFC 1630 by the draft, RFC 1738, RFC
2396 and RFC 2732 to RFC 3986.

--reading and --as-printed change how the texts are read: the latter turns off every
entry of the ledger but those without which a line has no meaning. Without arguments
they show what the named entry, or each one, changes.

In --format json, numbers of strings are strings of digits, since most readers of JSON
round numbers beyond 2^53.

--format svg draws the three regions of each row; --format dot writes both minimal
automata of one row as one graph, for Graphviz.`,
		Example: `  bnfcheck diff
  bnfcheck diff http
  bnfcheck diff rfc1630#hostname rfc1738#hostname
  bnfcheck diff rfc3986
  bnfcheck diff rfc1738 rfc3986
  bnfcheck diff --reading 1630-xpalphas=off httpaddress httpurl
  bnfcheck diff --as-printed
  bnfcheck diff old.abnf#URI new.abnf#URI
  bnfcheck diff --against HEAD~1 uri.abnf#URI
  bnfcheck diff uri.abnf#URI rfc3986#URI
  bnfcheck diff --history
  bnfcheck diff --history http`,
		Args:              takesAtMost("A", "B"),
		ValidArgsFunction: d.completions,
		RunE:              func(_ *cobra.Command, args []string) error { return d.run(args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&d.asPrinted, "as-printed", false, "read the texts as printed")
	flags.StringArrayVar(&d.readings, "reading", nil, "switch a reading on or off, as `ID=on|off`; may be repeated")
	flags.IntVar(&d.length, "length", diff.DefaultMaxLength,
		fmt.Sprintf("count strings of up to `N` bytes, at most %d", longestCount))
	flags.BoolVar(&d.history, "history", false, "show what each text changed")
	flags.BoolVar(&d.full, "full", false, "show the details of every row")
	flags.BoolVar(&d.causes, "causes", false, "also show every cause, and how many strings there are of each length")
	flags.StringVar(&d.against, "against", "",
		"compare a file, as it is, with what git has of it in the revision `REV`")
	d.naming = addNaming(s, cmd)
	d.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json", "svg", "dot"}, documents...)...)
	cmd.MarkFlagsMutuallyExclusive("history", "against")
	return cmd
}

// differing carries out one diff command.
type differing struct {
	*streams
	naming    *naming
	asPrinted bool
	readings  []string
	length    int
	full      bool
	against   string
	causes    bool
	history   bool
	format    *choice
	proof     bool // prove asks: print whether the two are equal, and why not
	most      int  // with proof: how many groups of causes are shown, 0 for all

	// What compareAll has found out beside the list that it returns.
	compared bool // productions without an automaton were compared, and the result is printed already
	alike    int  // rows that were left out since their productions derive the same strings in both files
}

// run compares what args name: two productions or grammars, a topic, or one grammar that is built in with the others;
// with --against two versions of a grammar, and with --history each published text with the one before it. Without
// arguments it compares all topics, or with readings says what these change. It returns d.earned, which says whether
// there are differences, unless something fails.
func (d *differing) run(args []string) error {
	if d.length < 1 || d.length > longestCount {
		return fmt.Errorf("invalid argument \"%d\" for \"--length\" flag: it must be positive, and at most %d",
			d.length, longestCount)
	}
	v := catalog.Version{AsPrinted: d.asPrinted, Set: map[string]bool{}}
	for _, r := range d.readings {
		id, state, _ := strings.Cut(r, "=")
		if state != "on" && state != "off" {
			return fmt.Errorf("invalid argument %q for \"--reading\" flag: expected ID=on or ID=off", r)
		}
		v.Set[id] = state == "on"
	}
	var err error
	if v.Budget, err = d.naming.askedBudget(); err != nil {
		return err
	}
	if d.history {
		return d.printHistory(v, args)
	}
	hasReadings := v.AsPrinted || len(v.Set) > 0
	if d.against != "" && (hasReadings || !d.isOneFile(args)) {
		return errors.New("--against takes one file, FILE or FILE#RULE, and no readings of the texts that are built in")
	}
	if len(args) == 0 && hasReadings {
		if d.format.value != "text" && d.format.value != "json" {
			return fmt.Errorf("--format %s is for comparisons: give a topic, or two productions or grammars",
				d.format.value)
		}
		return d.printEffects(v)
	}
	subjects, err := catalog.Load(v)
	if err != nil {
		return err
	}
	d.naming.version = v
	if len(args) == 1 {
		if to := catalog.Named(subjects, args[0]); to != nil {
			return d.printDistances(subjects, to)
		}
		if d.against == "" && d.naming.isOperand(args[0]) {
			return fmt.Errorf("%s is only one side: name the other as well", args[0])
		}
	}
	var comparisons []diff.Comparison
	whole := false
	if d.against != "" {
		comparisons, whole, err = d.comparisonsSince(args[0])
	} else {
		comparisons, whole, err = d.comparisons(subjects, args)
	}
	if err != nil {
		return err
	}
	if d.format.value == "dot" && len(comparisons) > 1 {
		return errors.New("--format dot draws one row: give a topic, or two productions")
	}
	list, err := d.compareAll(comparisons)
	if err != nil {
		return err
	}
	switch {
	case len(list) > 0: // printed below
	case d.compared:
		return d.earned
	case d.format.value == "text":
		d.sayAlike(args)
		return d.earned
	case d.format.value == "dot":
		d.complain("bnfcheck: nothing is drawn, since no production that was compared differs")
		return d.earned
	}
	return cmp.Or(d.print(list, whole || d.full), d.earned)
}

// isOneFile reports whether the arguments are one grammar that is not built in.
func (d *differing) isOneFile(args []string) bool {
	return len(args) == 1 && d.naming.isOperand(args[0]) && !catalog.IsBuilt(args[0])
}

// sayAlike prints that all productions that were compared derive the same strings in two files, which are the
// arguments or, with --against, the versions of the one. It prints nothing if d.alike is 0.
func (d *differing) sayAlike(args []string) {
	if d.alike == 0 {
		return
	}
	file, before := args[0], d.against
	if d.against == "" {
		file, before = args[1], args[0]
	}
	which := "every production"
	if d.earned != nil {
		which = "every production that was compared"
	}
	fmt.Fprintf(d.out, "%s: %s derives the same strings as in %s\n", layout.Printable(file), which,
		layout.Printable(before))
}

// compareAll makes the comparisons, and returns the differences that are to be printed together, in the order of the
// comparisons. Beside them it raises d.earned, counts d.alike, and prints comparisons without an automaton at once,
// which sets d.compared. One of several that stays undecided without an automaton, or whose side has no string, is a
// complaint, and the others go on; of a single one it is the error. Any other failure ends all.
func (d *differing) compareAll(comparisons []diff.Comparison) (list []*diff.Difference, err error) {
	several := len(comparisons) > 1
	found := make([]*diff.Difference, len(comparisons))
	var large []string // productions that are too large, and whose own text is the same: only what they use differs
	for done, i := range diff.DisplayOrder(comparisons) {
		c := comparisons[i]
		d.doing.set("comparisons", done, len(comparisons))
		same := diff.SameText(c.A, c.B)
		if same && c.Topic == diff.ChangedTopic {
			d.alike++
			continue
		}
		of := c
		if same { // that they are equal is known: only what is quick is said of them
			of = c.WithSmallBudget()
		}
		difference, err := of.Diff(diff.Options{MaxLength: d.length})
		switch {
		case err == nil:
			found[i] = difference
		case d.hasNoAutomaton(c, err):
			if several && errors.Is(err, budget.ErrTooLarge) && !diff.ChangedItself(c.A, c.B) {
				large = append(large, c.A.Production)
				continue
			}
			if err := d.compareWithoutAutomata(c, err); err != nil && !several {
				return nil, err
			} else if err != nil {
				d.complainOf(err)
				d.earned = worse(d.earned, errOpen)
			}
		case several && isNothing(err):
			d.complainOf(err)
			d.earned = worse(d.earned, errEmpty)
		default:
			return nil, d.undecided(c, err)
		}
	}
	if len(large) > 0 {
		d.complain("bnfcheck: not compared, since they are too large: %s; they use productions that differ",
			layout.Some(large, mostLarge, ", "))
		d.earned = worse(d.earned, errOpen)
	}
	for i, difference := range found {
		if difference == nil {
			continue
		}
		c := comparisons[i]
		switch {
		case difference.Relation == diff.Equal:
		case c.A.File || c.B.File:
			d.earned = worse(d.earned, errNegative)
		default:
			d.earned = worse(d.earned, errNews)
		}
		if c.Topic == diff.ChangedTopic && difference.Relation == diff.Equal {
			d.alike++
			continue
		}
		if several {
			difference.Forget()
		}
		list = append(list, difference)
	}
	return list, nil
}

// mostLarge caps the productions that are named as too large.
const mostLarge = 8

// isNothing reports whether an error says that a side has no string at all.
func isNothing(err error) bool {
	_, nothing := errors.AsType[*catalog.NothingError](err)
	return nothing
}

// hasNoAutomaton reports whether a comparison that failed with err can be made without automata. err must be that a
// production nests, or that a file's is too large; the latter must be [diff.Comparable]. The format must be able to
// show the result, and the alternatives of both sides must have no order, unless their texts are the same.
func (d *differing) hasNoAutomaton(c diff.Comparison, err error) bool {
	if d.format.value != "text" && d.format.value != "json" {
		return false
	}
	ordered := c.A.Grammar.Ordered || c.B.Grammar.Ordered
	if _, nests := errors.AsType[*expr.SelfEmbedding](err); nests {
		return !ordered || diff.SameText(c.A, c.B)
	}
	if !errors.Is(err, budget.ErrTooLarge) || !c.A.File && !c.B.File {
		return false
	}
	return diff.SameText(c.A, c.B) || !ordered && diff.Comparable(c.A, c.B)
}

// compareWithoutAutomata compares two productions that nest or are too large for automata, as why says. It prints the
// result and sets d.compared, unless the two are equal rows of a table, which only d.alike counts. A difference
// raises d.earned. It fails with an openError if it stays unknown whether they are equal; as text it then prints only
// which of their productions differ, if any are known.
func (d *differing) compareWithoutAutomata(c diff.Comparison, why error) error {
	s, err := diff.WithoutAutomata(c.A, c.B, why)
	switch {
	case err != nil:
		return d.undecided(c, err)
	case s.Relation == diff.Equal && c.Topic == diff.ChangedTopic:
		d.alike++
		return nil
	case s.Relation == diff.Different:
		d.earned = worse(d.earned, errNegative)
	}
	d.compared = true
	if s.Relation != diff.Unknown || s.LocalSentence() != "" || d.format.value == "json" {
		err = printAll(d.streams, d.format, []*diff.Search{s}, func(w io.Writer, _ []*diff.Search) error {
			_, err := w.Write(s.AppendText(nil, &d.Screen, d.proof))
			return err
		})
	}
	if s.Relation != diff.Unknown {
		return err
	}
	what := "are too large for automata"
	if s.Nests() {
		what = "nest"
	}
	text := fmt.Sprintf("%s and %s %s, and it is not known whether they are equal", s.A, s.B, what)
	if s.Nests() {
		text += ". " + s.Searched() + "; --nesting N compares those that nest at most N deep"
	}
	if s.Sentence != "" {
		text += ". " + strings.TrimRight(s.Sentence, ". ") // the message gets no period at its end
	}
	return cmp.Or[error](err, &openError{errors.New(text)})
}

// printHistory prints what each published text changed in the one before, for all URIs or those of one scheme. It fails
// for a format or a detail that a history does not have, and if the argument cannot be the name of a scheme.
func (d *differing) printHistory(v catalog.Version, args []string) error {
	switch {
	case len(args) > 1:
		return errors.New("--history takes one scheme at most")
	case d.full || d.format.value != "text" && d.format.value != "json" && d.format.value != "svg":
		return errors.New("--history has the formats text, json and svg, and no details: compare two of the texts " +
			"for these")
	}
	scheme := ""
	if len(args) == 1 {
		scheme = strings.TrimSuffix(args[0], ":")
		if k, _ := bnfcheck.RFC3986.Kind("scheme"); !bnfcheck.RFC3986.Accept(k, scheme) {
			return fmt.Errorf("%s is not a scheme", ast.Quote(args[0]))
		}
	}
	subjects, err := catalog.Load(v, diff.Texts...)
	if err != nil {
		return err
	}
	list, err := diff.History(subjects, scheme, diff.Options{MaxLength: d.length})
	if err != nil {
		return err
	}
	if d.format.value == "svg" {
		return drawing.WriteHistory(d.out, list)
	}
	return printTables(d, list, diff.WriteHistory)
}

// printDistances prints how far the other grammars with productions for schemes are from one. It fails for any format
// but text and json.
func (d *differing) printDistances(subjects []*catalog.Subject, to *catalog.Subject) error {
	if d.format.value != "text" && d.format.value != "json" {
		return fmt.Errorf("--format %s is for comparisons: give a topic, or two productions or grammars",
			d.format.value)
	}
	of := slices.DeleteFunc(slices.Clone(subjects),
		func(s *catalog.Subject) bool { return s == to || len(s.Schemes) == 0 })
	list, err := diff.Distances(of, to, diff.Options{MaxLength: d.length})
	if err != nil {
		return err
	}
	return printTables(d, list, diff.WriteDistances)
}

// comparisons returns the comparisons that the arguments ask for: without any the rows of the summary, for one the
// rows of that topic. Two names of grammars that are built in give the rows of their summary, and two files in which
// no production is meant those of [differing.namesakes], with its complaints and its errors. Any other two sides are
// one comparison. whole says that each is to be printed at length; otherwise they are rows of a table. It fails for a
// topic that there is not, and for a side that is nothing to compare.
func (d *differing) comparisons(
	subjects []*catalog.Subject, args []string,
) (list []diff.Comparison, whole bool, err error) {
	switch len(args) {
	case 0:
		return diff.Standard(subjects[0], subjects[1]), false, nil
	case 1:
		var topics []string
		for _, c := range diff.Standard(subjects[0], subjects[1]) {
			if c.Topic == args[0] {
				list = append(list, c)
			}
			topics = append(topics, c.Topic)
		}
		if len(list) == 0 {
			return nil, false, fmt.Errorf("no topic %s: choose from %s, or give a grammar, or two productions",
				ast.Quote(args[0]), strings.Join(slices.Compact(topics), ", "))
		}
		return list, true, nil
	}
	if a, b := catalog.Named(subjects, args[0]), catalog.Named(subjects, args[1]); a != nil && b != nil {
		return diff.Standard(a, b), false, nil
	}
	var sides [2]*catalog.Opened
	all := true // of two files without a production that is meant
	for i := range sides {
		if sides[i], err = d.naming.open(args[i]); err != nil {
			return nil, false, err
		}
		likely, why := sides[i].Starts()
		all = all && (len(likely) > 1 || why != "") && sides[i].Asked == "" && sides[i].Built == nil
	}
	if all {
		return d.namesakes(sides[0], sides[1])
	}
	return meantComparison(sides[0], sides[1])
}

// meantComparison returns the comparison of the two productions that are meant of two grammars. whole is always true.
// It fails as [catalog.Opened.Language] does for either.
func meantComparison(before, after *catalog.Opened) (list []diff.Comparison, whole bool, err error) {
	a, err := before.Language()
	if err != nil {
		return nil, false, classifyNameError(err)
	}
	b, err := after.Language()
	return []diff.Comparison{{A: a, B: b}}, true, classifyNameError(err)
}

// comparisonsSince returns the comparisons of a file, FILE or FILE#RULE, with the version that git has of it in the
// revision of --against. With a RULE, for an expression, and with --tokens it compares only the production that is
// meant, and whole is true. Otherwise it compares all that both versions have, as [differing.namesakes] does, with
// its complaints and its errors. Both versions are opened by openBy, so that each has its complaints; n.opened keeps
// the present one.
func (d *differing) comparisonsSince(name string) (list []diff.Comparison, whole bool, err error) {
	o, err := d.naming.options()
	if err != nil {
		return nil, false, err
	}
	o.Revision = d.against
	before, err := d.naming.openBy(name, o)
	if err != nil {
		return nil, false, err
	}
	o.Revision = ""
	after, err := d.naming.openBy(name, o)
	if err != nil {
		return nil, false, err
	}
	if after.Asked != "" {
		return meantComparison(before, after)
	}
	return d.namesakes(before, after)
}

// namesakes returns the comparisons of all productions that two files have by one name, as rows: whole is false. A
// production that has no counterpart to be compared with is a complaint, and raises d.earned to errPartly. It is an
// error if there is nothing to compare.
func (d *differing) namesakes(before, after *catalog.Opened) (list []diff.Comparison, whole bool, err error) {
	list, left := diff.Namesakes(before, after)
	for _, l := range left {
		d.complain("bnfcheck: %s is not compared: %v", l.Rule.Label(), l.Why)
		d.earned = worse(d.earned, errPartly)
	}
	if len(list) == 0 {
		err = fmt.Errorf("no production of %s can be compared with one of its name in %s",
			after.Grammar.File, before.Grammar.File)
	}
	return list, false, classifyNameError(err)
}

// printTables prints values as text with tables for the width of the screen, or as JSON.
func printTables[T any](d *differing, list []T, write func(io.Writer, int, []T) error) error {
	return printAll(d.streams, d.format, list, func(w io.Writer, list []T) error {
		return write(w, d.fits, list)
	})
}

// print prints the differences in the format that was asked for. Text is a table, or with whole each difference at
// length. A drawing for dot has only the first, and so has the text for prove.
func (d *differing) print(list []*diff.Difference, whole bool) error {
	switch {
	case d.format.isDocument():
		return results.Write(d.out, d.format.value, diff.Results(list))
	case d.format.value == "svg":
		return drawing.WriteRegions(d.out, list)
	case d.format.value == "dot":
		return drawing.WritePairs(d.out, list[0])
	case !whole:
		return printTables(d, list, diff.WriteSummary)
	}
	return printAll(d.streams, d.format, list, func(w io.Writer, list []*diff.Difference) error {
		for i, difference := range list {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if d.proof {
				_, err := w.Write(difference.AppendProof(nil, &d.Screen, d.most)) // prove compares one pair
				return err
			}
			if err := difference.WriteText(w, d.fits, d.causes); err != nil {
				return err
			}
		}
		return nil
	})
}

// undecided returns the error of a comparison that could not be made, classified for the exit status where a file takes
// part: that its grammar is not regular, or too large, leaves the question open. Built-in texts have no such failures.
func (d *differing) undecided(c diff.Comparison, err error) error {
	if c.A.File || c.B.File {
		return d.naming.undecided(err)
	}
	return err
}

// printEffects prints what readings change: those that are named, or all.
func (d *differing) printEffects(v catalog.Version) error {
	list, err := diff.EffectsOf(v, diff.Options{MaxLength: d.length})
	if err != nil {
		return err
	}
	return printTables(d, list, diff.WriteEffects)
}

// completions offers the topics, and either side of a comparison.
func (d *differing) completions(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return orFiles(words(topicNames, grammarNames, references, productionNames))(cmd, args, typed)
	case 1:
		return orFiles(words(grammarNames, references, productionNames))(cmd, args, typed)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}
