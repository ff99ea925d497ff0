package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/proof/prove"
	"github.com/bnfcheck/bnfcheck/internal/report/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
	"github.com/bnfcheck/bnfcheck/internal/urls/render"
)

func newProve(s *streams) *cobra.Command {
	p := &proving{streams: s}
	cmd := &cobra.Command{
		Use:   "prove [PRODUCTION ...]",
		Short: "Prove that each PEG production equals its BNF",
		Long: `prove compares the .peg file of each grammar with the BNF as printed, under the readings
that are on. It proves that every rule matches exactly the strings that its production
derives, or prints the shortest string that only one of them has; that the file is the
printed text rule by rule, and its marks are right; and that the trees are the
derivations that the ledger chooses. It reports alternatives that are never taken, and
what is ambiguous. With productions, only these and what they use are proven.

--peg and --bnf or --abnf do the same for any pair of grammars. A .peg file is in
pigeon's notation, a .peggy or .pegjs file in peggy's; a .bnf file begins with a line
"@ notation rfc1630", "@ notation rfc822" or "@ notation abnf", and is in that notation;
ABNF is that of RFC 5234 and RFC 7405.

A rule belongs to the production of its name, in whatever spelling: version-core,
version_core, VersionCore; --map pairs other names. Of the faults, rules that are wrong
in themselves come first, each with several strings and with what to write instead, if
that was found: letters in either case, a class, a bound, an alternative, another order,
or the rule that peg writes. It was tried, and with it the rule is proven. Then come the
rules that are wrong because of these. --fold-case ignores the case of letters.

Every production that is asked for must have a rule: all of them, or with --start those
that this one needs. The core rules of ABNF need none. With --allow-missing, productions
may be written in place in the rules of others. Every name must have a production;
--define supplies one for a name that has none, or whose production is prose in angle
brackets. A production that nests, as a comment in comments, is not regular and is
refused; with --nesting N it is proven to a depth: every string that is derived within N
re-entries of the recursion is matched, and every match that stays within N is derived.

An action that may return an error is refused, since it makes the whole parse
fail; --assume-actions-succeed asserts that none does. The result lists what it assumes,
what was written in place and what was supplied.

The exit status is 0 if everything that was asked for is proven; 1 if something is
refuted; 2 for wrong usage, a file that is not in its notation, and failed input or
output; 3 if it is neither proven nor refuted: undecided because an automaton is too
large, incomplete because a rule or a name is missing, or refused because the model does
not cover something in a grammar. Each fault is printed with file and line.`,
		Example: `  bnfcheck prove
  bnfcheck prove --rfc 1738 httpurl
  bnfcheck prove --abnf uri.abnf --peg uri.peg --map ip-literal=IPLiteral
  bnfcheck prove --abnf mail.abnf --peg mail.peg --define 'atom=1*ALPHA'`,
		RunE: func(_ *cobra.Command, args []string) error { return p.run(args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	p.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = words(p.rfcs.productions)
	flags.StringVar(&p.bnf, "bnf", "", "prove against the BNF in `FILE`")
	flags.StringVar(&p.abnf, "abnf", "", "prove against the ABNF in `FILE`")
	flags.StringVar(&p.peg, "peg", "", "prove the PEG in `FILE`")
	flags.StringArrayVar(&p.names, "map", nil, "the rule that transcribes a production, as `PRODUCTION=RULE`, where the names differ; may be repeated")
	flags.StringArrayVar(&p.starts, "start", nil, "with --peg: the `PRODUCTION` that an input is parsed as; only what it needs is proven")
	flags.StringArrayVar(&p.definitions, "define", nil, "with --peg: define a name that the grammar does not, as `NAME=EXPRESSION` in the notation of the file; may be repeated")
	p.notating = addNotating(s, cmd)
	flags.BoolVar(&p.allowMissing, "allow-missing", false, "with --peg: allow productions without a rule, written in place in the rules of others")
	flags.IntVar(&p.words, "words", 0, fmt.Sprintf("give the parsers at most `N` strings of each production (default %d, -1 for no bound)", prove.DefaultWords))
	flags.BoolVar(&p.foldCase, "fold-case", false, "with --peg: ignore the case of letters, in both grammars")
	flags.BoolVar(&p.actionsSucceed, "assume-actions-succeed", false, "with --peg: assume that no action returns an error")
	flags.StringVar(&p.certificate, "certificate", "", "write the proof to `FILE`, step by step, for the program certcheck")
	p.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	cmd.MarkFlagsMutuallyExclusive("bnf", "abnf")
	cmd.MarkFlagsMutuallyExclusive("rfc", "peg")
	return cmd
}

// proving carries out one prove command.
type proving struct {
	*streams
	*notating
	rfcs           *rfcs
	bnf, abnf, peg string
	names          []string
	starts         []string
	definitions    []string
	allowMissing   bool
	actionsSucceed bool
	foldCase       bool
	words          int
	format         *choice

	certificate string // the file
	certified   []certified
}

func (p *proving) run(productions []string) error {
	if p.words < -1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--words\" flag: it must be -1, for no bound, or more", p.words)
	}
	if _, err := p.budget(); err != nil {
		return err
	}
	if p.certificate != "" && p.peg == "" && len(*p.rfcs) != 1 {
		return errors.New("--certificate is for one pair of grammars: give --rfc with one grammar, or --peg")
	}
	reports, err := p.reports(productions)
	if err != nil {
		return err
	}
	if err := p.certify(reports); err != nil {
		return err
	}
	for _, r := range reports {
		switch r.Verdict {
		case prove.VerdictProven:
		case prove.VerdictRefuted:
			p.earned = errNegative
		default:
			if p.earned == nil {
				p.earned = errOpen
			}
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

func (p *proving) print(r *prove.Report, more bool) error {
	if p.format.value == "json" {
		_, err := p.out.Write(render.JSON(nil, r))
		return err
	}
	if more {
		fmt.Fprintln(p.out)
	}
	return r.WriteText(p.out)
}

// reports proves what is to be proven: a pair from files, or the published grammars that have the productions.
func (p *proving) reports(productions []string) ([]*prove.Report, error) {
	o := prove.Options{Words: p.words, Limits: p.automata(), FoldCase: p.foldCase, Progress: p.doing.rules}
	var err error
	if o.Nesting, err = p.depth(); err != nil {
		return nil, err
	}
	switch {
	case p.peg != "" || p.bnf != "" || p.abnf != "":
		pair, err := p.files()
		if err != nil {
			if bad, ok := errors.AsType[*inputError](err); ok {
				if r := prove.Refused(p.bnf+p.abnf, p.peg, bad.error); r != nil {
					return []*prove.Report{r}, nil
				}
			}
			return nil, err
		}
		o.AllowMissing = p.allowMissing
		o.Productions = slices.Concat(p.starts, productions)
		p.certifies(pair, o.Productions)
		r, err := prove.Prove(pair, o)
		return []*prove.Report{r}, err
	case o.Nesting != nil:
		return nil, errors.New("--nesting is for a pair of grammars from files, since nothing nests in the published ones: give --peg as well")
	case len(p.names) > 0 || len(p.starts) > 0 || len(p.definitions) > 0 || p.allowMissing || p.actionsSucceed || p.foldCase:
		return nil, errors.New("--map, --start, --define, --allow-missing, --fold-case and --assume-actions-succeed are for a pair of grammars from files: give --peg as well")
	case len(productions) == 0:
		var pairs []catalog.Pair
		for _, g := range *p.rfcs {
			pair, err := catalog.Published(g.Name)
			if err != nil {
				return nil, &inputError{err}
			}
			pairs = append(pairs, pair)
			p.certifies(pair, nil)
		}
		return prove.ProveAll(pairs, o)
	}
	var reports []*prove.Report
	var problems []error
	for _, g := range *p.rfcs {
		o.Productions = nil
		for _, name := range productions {
			kind, err := g.Lookup(name)
			switch {
			case err != nil && names(g, name) > 1:
				return nil, err
			case err != nil:
				problems = append(problems, err)
			default:
				o.Productions = append(o.Productions, g.Production(kind).ID)
			}
		}
		if len(o.Productions) == 0 {
			continue
		}
		pair, err := catalog.Published(g.Name)
		if err != nil {
			return nil, &inputError{err}
		}
		p.certifies(pair, o.Productions)
		r, err := prove.Prove(pair, o)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	if len(reports) == 0 {
		return nil, didYouMean(oneLine(problems), productions[0], p.rfcs.productions)
	}
	return reports, nil
}

func (p *proving) files() (catalog.Pair, error) {
	bnfFile := p.bnf + p.abnf // one of them is empty
	if p.peg == "" || bnfFile == "" {
		return catalog.Pair{}, errors.New("a pair of grammars is --peg FILE with --bnf FILE or --abnf FILE")
	}
	o := catalog.FileOptions{ABNF: p.abnf != "", ActionsSucceed: p.actionsSucceed}
	var err error
	if o.Rules, err = equations(p.names, "map", "PRODUCTION=RULE"); err != nil {
		return catalog.Pair{}, err
	}
	if o.Define, err = equations(p.definitions, "define", "NAME=EXPRESSION"); err != nil {
		return catalog.Pair{}, err
	}
	o.Notation = bnf.Usual
	if err := p.notating.apply(&o.Notation); err != nil {
		return catalog.Pair{}, err
	}
	bnfText, err := readGrammar(bnfFile, o.Notation)
	if err != nil {
		return catalog.Pair{}, err
	}
	pegText, err := readGrammar(p.peg, o.Notation)
	if err != nil {
		return catalog.Pair{}, err
	}
	pair, err := catalog.Files(bnfFile, bnfText, p.peg, pegText, o)
	if err != nil {
		return catalog.Pair{}, &inputError{err}
	}
	// The proof has its limits for each rule: steps are not added up once more.
	pair.BNF.Budget, pair.PEG.Budget = pair.BNF.Budget.Apart(), pair.PEG.Budget.Apart()
	if len(p.starts) > 0 {
		pair.Start = p.starts[0]
	}
	return pair, nil
}

// readGrammar reads a file, as far as a grammar may be large.
func readGrammar(file string, n bnf.Notation) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, &ioError{file, err}
	}
	defer f.Close()
	text, err := n.ReadAll(file, f)
	if tooLarge, ok := errors.AsType[*bnf.SizeError](err); ok {
		return nil, &inputError{tooLarge}
	}
	if err != nil {
		return nil, &ioError{file, err}
	}
	return text, nil
}

// equations takes the arguments of a flag apart at their first equals sign.
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
