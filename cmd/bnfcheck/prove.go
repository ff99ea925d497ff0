package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/prove"
	"github.com/bnfcheck/bnfcheck/internal/results"
)

func newProve(s *streams) *cobra.Command {
	p := &proving{streams: s}
	cmd := &cobra.Command{
		Use:   "prove [PRODUCTION ...]",
		Short: "Prove that each PEG production equals its BNF",
		Long: `prove holds the .peg file of each grammar against the BNF as printed, under the
readings that are on: that every rule matches exactly what its production derives, or
the shortest string that only one of them has; that the file is the printed text rule
by rule, and its marks are right; which alternatives are never taken; what is ambiguous,
and that the trees are the derivations that the ledger chooses. It exits with 1 when
anything does not hold. With productions, only these and what they use are proven.

With --peg and --bnf or --abnf it does the same for anyone's pair of grammars. A .peg
file is in pigeon's notation; a .bnf file begins with a line "@ notation rfc1630",
"@ notation rfc822" or "@ notation abnf", and is in that notation; ABNF is that of
RFC 5234 and RFC 7405.`,
		Example: `  bnfcheck prove
  bnfcheck prove --rfc 1738 httpurl
  bnfcheck prove --abnf uri.abnf --peg uri.peg --map ip-literal=IPLiteral`,
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
	flags.StringVar(&p.start, "start", "", "with --peg: the `PRODUCTION` that an input is parsed as; the first, where it is not given")
	flags.IntVar(&p.words, "words", 0, fmt.Sprintf("give the parsers at most `N` strings of each production (default %d, -1 for no bound)", prove.DefaultWords))
	p.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	cmd.MarkFlagsMutuallyExclusive("bnf", "abnf")
	cmd.MarkFlagsMutuallyExclusive("rfc", "peg")
	return cmd
}

// proving carries out one prove command.
type proving struct {
	*streams
	rfcs           *rfcs
	bnf, abnf, peg string
	names          []string
	start          string
	words          int
	format         *choice
}

func (p *proving) run(productions []string) error {
	if p.words < -1 {
		return fmt.Errorf("invalid argument \"%d\" for \"--words\" flag: -1 is no bound, and nothing is below it", p.words)
	}
	reports, err := p.reports(productions)
	if err != nil {
		return err
	}
	holds := !slices.ContainsFunc(reports, func(r *prove.Report) bool { return !r.Holds() })
	if p.format.isDocument() {
		if err := results.Write(p.out, p.format.value, proofResults(reports)); err != nil {
			return err
		}
		reports = nil
	}
	for i, r := range reports {
		if err := p.print(r, i > 0); err != nil {
			return err
		}
	}
	if !holds {
		return errNegative
	}
	return nil
}

func (p *proving) print(r *prove.Report, more bool) error {
	if p.format.value == "json" {
		_, err := p.out.Write(appendJSON(nil, r))
		return err
	}
	if more {
		fmt.Fprintln(p.out)
	}
	return r.WriteText(p.out)
}

// reports proves what is to be proven: a pair from files, or the published grammars that have the productions.
func (p *proving) reports(productions []string) ([]*prove.Report, error) {
	o := prove.Options{Words: p.words}
	switch {
	case p.peg != "" || p.bnf != "" || p.abnf != "":
		pair, err := p.files()
		if err != nil {
			return nil, err
		}
		o.Productions = productions
		r, err := prove.Prove(pair, o)
		return []*prove.Report{r}, err
	case len(p.names) > 0 || p.start != "":
		return nil, errors.New("--map and --start are for a pair of grammars from files: give --peg as well")
	case len(productions) == 0:
		var pairs []prove.Pair
		for _, g := range *p.rfcs {
			pair, err := prove.Published(g.Name)
			if err != nil {
				return nil, &inputError{err}
			}
			pairs = append(pairs, pair)
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
		pair, err := prove.Published(g.Name)
		if err != nil {
			return nil, &inputError{err}
		}
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

func (p *proving) files() (prove.Pair, error) {
	bnfFile := p.bnf + p.abnf // one of them is empty
	if p.peg == "" || bnfFile == "" {
		return prove.Pair{}, errors.New("a pair of grammars is --peg FILE with --bnf FILE or --abnf FILE")
	}
	rules := map[string]string{}
	for _, m := range p.names {
		production, rule, ok := strings.Cut(m, "=")
		if !ok {
			return prove.Pair{}, fmt.Errorf("invalid argument %q for \"--map\" flag: expected PRODUCTION=RULE", m)
		}
		rules[production] = rule
	}
	bnfText, err := os.ReadFile(bnfFile)
	if err != nil {
		return prove.Pair{}, &ioError{bnfFile, err}
	}
	pegText, err := os.ReadFile(p.peg)
	if err != nil {
		return prove.Pair{}, &ioError{p.peg, err}
	}
	pair, err := prove.Files(bnfFile, bnfText, p.abnf != "", p.peg, pegText, rules)
	if err != nil {
		return prove.Pair{}, &inputError{err}
	}
	pair.Start = p.start
	return pair, nil
}
