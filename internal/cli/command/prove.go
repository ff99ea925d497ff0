package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/urls/published"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

// newProve returns the command prove, which proves that a PEG or a regular expression equals a grammar.
func newProve(s *streams) *cobra.Command {
	p := &proving{streams: s}
	cmd := &cobra.Command{
		Use:   "prove [GRAMMAR TRANSCRIPTION | GRAMMAR] [PRODUCTION ...]",
		Short: "Prove that a PEG or a regular expression equals a grammar",
		Long: `prove compares the .peg file of each grammar with the BNF as printed, under the readings
that are on. It proves that every rule matches exactly the strings that its production
derives, or prints the shortest string that only one of them has; that the file is the
printed text rule by rule, and its marks are right; and that the trees are the
derivations that the ledger chooses. With --verbose it prints a table of the productions
as well, which alternatives are never taken, and what is ambiguous. With productions,
only these and what they use are proven.

A GRAMMAR and its TRANSCRIPTION, a file with a PEG, are any pair. An input is parsed as
the production of FILE#RULE. A TRANSCRIPTION can also be a regular expression, with its
flavor in front: it is proven to match exactly what the production derives.

A rule belongs to the production of its name, in whatever spelling: version-core,
version_core, VersionCore; --map pairs other names. Of the faults, rules that are wrong
in themselves come first, each with several strings and with what to write instead, if
that was found: letters in either case, a class, a bound, an alternative, another order,
or the rule that peg writes. It was tried, and with it the rule is proven. Then come the
rules that are wrong because of these. --fold-case ignores the case of letters.

Every production that is asked for must have a rule: all of them, or with FILE#RULE those
that this one needs. The core rules of ABNF need none. With --allow-missing, productions
may be written in place in the rules of others. Every name must have a production;
--define supplies one for a name that has none, or whose production is prose in angle
brackets. A production that nests, as a comment in comments, is not regular and is
refused; with --nesting N it is proven to a depth: every string that is derived within N
re-entries of the recursion is matched, and every match that stays within N is derived.

A rule with code that may do more than return a value is refused, since such code can
make the whole parse fail or change what the parser does; --assume-actions-succeed
asserts that none does. The result lists what it assumes, what was written in place and
what was supplied.

Each fault is printed with file and line.`,
		Example: `  bnfcheck prove
  bnfcheck prove rfc1738#httpurl
  bnfcheck prove 'date.abnf#year' 'js:/^\d{4}$/'
  bnfcheck prove uri.abnf uri.peg --map ip-literal=IPLiteral
  bnfcheck prove mail.abnf#mailbox mail.peg --define 'atom=1*ALPHA'`,
		RunE: func(_ *cobra.Command, args []string) error { return p.run(args) },
	}
	flags := cmd.Flags()
	p.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = orFiles(words(p.rfcs.productions))
	flags.StringArrayVar(&p.names, "map", nil,
		"the rule that transcribes a production, as `PRODUCTION=RULE`, where the names differ; may be repeated")
	p.naming = addNaming(s, cmd)
	flags.BoolVar(&p.allowMissing, "allow-missing", false,
		"of a pair: allow productions without a rule, written in place in the rules of others")
	flags.IntVar(&p.words, "words", 0, fmt.Sprintf("give the parsers at most `N` strings of each production "+
		"(default %d, -1 for no bound)", prove.DefaultWords))
	flags.BoolVar(&p.foldCase, "fold-case", false, "of a pair: ignore the case of letters, in both grammars")
	flags.StringVar(&p.certificate, "certificate", "",
		"write the proof to `FILE`, step by step, for the program certcheck")
	flags.StringVar(&p.rocq, "rocq", "", "write the proof into `FOLDER` as files that Rocq compiles into theorems")
	flags.BoolVar(&p.verbose, "verbose", false,
		"also print a table of the productions, what is ambiguous, and which alternatives are hidden")
	flags.IntVar(&p.most, "most", 10, "show at most `N` faults or groups as text, 0 for all")
	p.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	return cmd
}

// proving carries out one prove command.
type proving struct {
	*streams
	*naming
	rfcs         *rfcs
	names        []string
	allowMissing bool
	foldCase     bool
	words        int
	most         int
	format       *choice

	verbose     bool
	certificate string      // the file
	rocq        string      // the folder
	certified   []certified // in the order of the reports; none for files that cannot be computed with
}

// run proves that pairs of grammars are equal, writes the certificates, prints the reports, and ends with p.earned,
// the worst verdict. A regular expression is one language, without rules to go by: it is compared as by diff, and
// refused with productions and with flags for certificates.
func (p *proving) run(args []string) error {
	if p.words < -1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--words\" flag: it must be -1, for no bound, or more", p.words)
	}
	if err := atLeast("most", p.most, 0); err != nil {
		return err
	}
	if _, err := p.budget(); err != nil {
		return err
	}
	pair, productions, err := p.operands(args)
	if err != nil {
		return err
	}
	if pair != nil && (catalog.IsRegexp(pair[0]) || catalog.IsRegexp(pair[1])) { // it is one language or it is not
		if len(productions) > 0 || p.certificate+p.rocq != "" {
			return errors.New("a regular expression is compared with one grammar, and has no certificate: " +
				"bnfcheck prove GRAMMAR EXPRESSION")
		}
		d := &differing{streams: p.streams, naming: p.naming, length: diff.DefaultMaxLength, format: p.format,
			proof: !p.verbose, most: p.most}
		return d.run(pair)
	}
	if p.certificate+p.rocq != "" && pair == nil && len(*p.rfcs) != 1 {
		return errors.New("--certificate and --rocq are for one pair of grammars: name a grammar that is " +
			"built in, or a grammar and its transcription")
	}
	reports, err := p.reports(pair, productions)
	if err != nil {
		return err
	}
	if err := p.certify(reports); err != nil {
		return err
	}
	for _, r := range reports {
		switch r.Verdict {
		case prove.VerdictProven:
		case prove.VerdictEmpty:
			p.earned = worse(p.earned, errEmpty)
		case prove.VerdictRefuted:
			p.earned = worse(p.earned, errNegative)
		case prove.VerdictIncomplete:
			p.earned = worse(p.earned, errPartly)
		default:
			p.earned = worse(p.earned, errOpen)
		}
	}
	if p.format.isDocument() {
		if err := results.Write(p.out, p.format.value, prove.Results(reports)); err != nil {
			return err
		}
		reports = nil
	}
	for i, r := range reports {
		if err := p.print(r, i > 0); err != nil {
			return err
		}
	}
	return p.earned
}

// automata returns the limits for the automata of a pair.
func (p *proving) automata() lang.Limits {
	return lang.Limits{NFA: p.limits.States, DFA: p.limits.States, Bytes: p.limits.Bytes, Steps: p.limits.Steps}
}

// print prints one report; more says that another stands above it.
func (p *proving) print(r *prove.Report, more bool) error {
	if p.format.value == "json" {
		return p.write(render.JSON(nil, r))
	}
	if more {
		fmt.Fprintln(p.out)
	}
	return p.write(r.AppendText(nil, &p.Screen, p.verbose, p.most, p.appendSourceLine))
}

// operands takes the arguments apart. If the second is a grammar or an expression, the first two are a pair, a
// grammar and its transcription, and productions has the rest. Otherwise pair is nil, and the arguments are
// productions of published grammars. If the first of them names such a grammar, operands sets *p.rfcs to it, and its
// production, if it names one, is the first of productions. It fails if there is only one half of a pair.
func (p *proving) operands(args []string) (pair, productions []string, err error) {
	switch {
	case len(args) > 1 && p.isOperand(args[1]):
		return args[:2], args[2:], nil
	case len(args) == 2 && p.isOperand(args[0]) && !catalog.IsBuilt(args[0]):
		return nil, nil, fmt.Errorf("%s is neither a file with a PEG nor a regular expression; %s",
			layout.Printable(args[1]), flavored(args[1]))
	case len(args) == 0 || !p.isOperand(args[0]):
		return nil, args, nil
	}
	g, err := p.open(args[0])
	switch {
	case err != nil:
		return nil, nil, err
	case published.Of(g) == nil && len(args) == 1:
		return nil, nil,
			fmt.Errorf("%s is one half of a pair: name the PEG or the regular expression that is to equal "+
				"it, or write one, with bnfcheck peg or bnfcheck regexp",
				args[0])
	case published.Of(g) == nil:
		return nil, nil, errNoPair
	case g.Asked != "":
		productions = []string{g.Asked}
	}
	*p.rfcs = rfcs{published.Of(g)}
	return nil, append(productions, args[1:]...), nil
}

var errNoPair = errors.New("a pair is a grammar, and a PEG or a regular expression that is to equal it: bnfcheck " +
	"prove GRAMMAR TRANSCRIPTION")

// reports proves what is to be proven: the pair of, or, if that is nil, the published grammars that have the
// productions, each in a report of its own. It appends an entry to p.certified for each. Files that are in their
// notations and cannot be computed with still get a report, which says why, and no entry. It fails for flags that go
// with a pair alone where there is none.
func (p *proving) reports(of, productions []string) ([]*prove.Report, error) {
	o := prove.Options{Words: p.words, Limits: p.automata(), FoldCase: p.foldCase, Progress: p.doing.rules}
	var err error
	if o.Nesting, err = p.depth(); err != nil {
		return nil, err
	}
	switch {
	case of != nil:
		pair, err := p.pair(of)
		if err != nil {
			// Both files are in their notations, and the machine cannot compute with one: that is a verdict, not a
			// fault.
			if bad, ok := errors.AsType[*inputError](err); ok {
				grammar, _ := catalog.Split(of[0])
				if r := prove.RefusedReport(grammar, of[1], bad.error); r != nil {
					return []*prove.Report{r}, nil
				}
			}
			return nil, err
		}
		o.AllowMissing = p.allowMissing
		if pair.Start != "" {
			productions = slices.Concat([]string{pair.Start}, productions)
		}
		o.Productions = productions
		p.certified = append(p.certified, certified{pair, o.Productions})
		r, err := prove.Prove(pair, o)
		return []*prove.Report{r}, err
	case o.Nesting != nil:
		return nil, errors.New("--nesting is for a pair of grammars, since nothing nests in the published ones: " +
			"bnfcheck prove GRAMMAR TRANSCRIPTION")
	case len(p.names) > 0 || len(p.definitions) > 0 || p.allowMissing || p.vouched || p.foldCase:
		return nil, errors.New("--map, --define, --allow-missing, --fold-case and --assume-actions-succeed are for a " +
			"pair of grammars: bnfcheck prove GRAMMAR TRANSCRIPTION")
	case len(productions) == 0:
		var pairs []catalog.Pair
		for _, g := range *p.rfcs {
			pair, err := catalog.PublishedPair(g.Name)
			if err != nil {
				return nil, &inputError{err}
			}
			pairs = append(pairs, pair)
			p.certified = append(p.certified, certified{pair, nil})
		}
		return prove.ProveAll(pairs, o)
	}
	for _, name := range productions {
		hint := ""
		if likeExpression(name) {
			hint = flavored(name)
		}
		if err := p.rfcs.checkKnown(name, hint); err != nil {
			return nil, err
		}
	}
	var reports []*prove.Report
	for _, g := range *p.rfcs {
		o.Productions = nil
		for _, name := range productions {
			if kind, err := g.Lookup(name); err == nil {
				o.Productions = append(o.Productions, g.Production(kind).ID)
			}
		}
		if len(o.Productions) == 0 {
			continue
		}
		pair, err := catalog.PublishedPair(g.Name)
		if err != nil {
			return nil, &inputError{err}
		}
		p.certified = append(p.certified, certified{pair, o.Productions})
		r, err := prove.Prove(pair, o)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// pair opens a grammar and its transcription, as the flags --map and --define join them. --kind is that of the
// transcription if it is a kind of PEG, and otherwise that of the grammar; a transcription whose name does not tell
// its kind is then taken for a PEG of pigeon. pair fails if one of the two cannot be read, or if the flags do not fit
// them.
func (p *proving) pair(names []string) (pair catalog.Pair, err error) {
	o, err := p.options()
	if err != nil {
		return pair, err
	}
	o.Nesting = nil // the proof reads what nests to its depth by itself
	kinds := []catalog.Kind{o.Kind, ""}
	if o.Kind.IsPEG() {
		kinds = []catalog.Kind{"", o.Kind}
	} else if _, told := catalog.KindOf(names[1]); !told {
		kinds[1] = catalog.Pigeon
	}
	var opened [2]*catalog.Opened
	for i, name := range names {
		o.Kind = kinds[i]
		if opened[i], err = p.openBy(name, o); err != nil {
			return pair, err
		}
	}
	by := catalog.FileOptions{ActionsSucceed: p.vouched, InvalidUTF8: p.invalid.value == "allow"}
	if by.Rules, err = equations(p.names, "map", "PRODUCTION=RULE"); err != nil {
		return pair, err
	}
	if by.Define, err = equations(p.definitions, "define", "NAME=EXPRESSION"); err != nil {
		return pair, err
	}
	if pair, err = catalog.PairOf(opened[0], opened[1], by); err != nil {
		return pair, &inputError{err}
	}
	// The proof has its limits for each rule: steps are not added up once more.
	pair.BNF.Budget, pair.PEG.Budget = pair.BNF.Budget.Apart(), pair.PEG.Budget.Apart()
	pair.Start = opened[0].Asked
	return pair, nil
}

// equations splits the values of a flag at their first equals sign, and trims white space. It fails for a
// value without the sign, or with nothing on one side of it; form is the form that the error says was
// expected.
func equations(args []string, flag, form string) (list [][2]string, err error) {
	for _, arg := range args {
		left, right, ok := strings.Cut(arg, "=")
		left, right = strings.TrimSpace(left), strings.TrimSpace(right)
		if !ok || left == "" || right == "" {
			return nil, fmt.Errorf("invalid argument %q for \"--%s\" flag: expected %s", arg, flag, form)
		}
		list = append(list, [2]string{left, right})
	}
	return list, nil
}
