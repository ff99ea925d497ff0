package prove

import (
	"cmp"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
)

// Options control [Prove]. The zero value is the default.
type Options struct {
	// Productions are the names or IDs of the productions to prove, with all that they use. If there are none, the
	// whole grammar is proven.
	Productions []string

	// AllowMissing allows productions without a rule, which are then taken to be written in place in the rules of
	// others. A production that was asked for by name, or that no production with a rule uses, must still have one.
	AllowMissing bool

	// Words caps the strings of each production that each parser is given. 0 stands for [DefaultWords], and a negative
	// number for no cap. If there are more, every k-th is taken.
	Words int

	// Nesting is the depth at which recursions that are not regular are cut off: see [expr.Nesting]. If it is
	// nil, productions with such a recursion are refused.
	Nesting *int

	Limits lang.Limits // for the automata

	// FoldCase reads both grammars as if every terminal matched letters of ASCII in either case. Rules that differ only
	// in case are then equal.
	FoldCase bool

	// Progress, if not nil, is called with the number of rules that were finished since the last call, and with the
	// number that there turned out to be to prove, which only the first call of each proof gives. It is called by
	// several goroutines at once.
	Progress func(done, more int)
}

// DefaultWords caps the strings of each production that each parser is given, unless [Options] say
// otherwise.
const DefaultWords = 100

// Prove compares the PEG of a pair with its BNF: the languages, the choices that hide alternatives, the ambiguities
// and, for a pair with a ledger, the text and the trees. It also gives sample strings to the parsers of the pair.
// Every claim that does not hold, or cannot be decided, is in the report. Prove fails if the start or a production of
// the options is not the name or ID of one production, if the BNF has none, if a grammar as a whole cannot be computed
// with (see [proof.compile]), or if the budget of the grammars is used up. An empty Start stands for the first rule.
func Prove(pair catalog.Pair, o Options) (r *Report, err error) {
	defer budget.Catch(&err)
	if o.FoldCase {
		pair.BNF, pair.PEG = foldCase(pair.BNF), foldCase(pair.PEG)
	}
	if pair.Start == "" && len(pair.BNF.Rules) > 0 {
		pair.Start = pair.BNF.Rules[0].ID
	}
	start, err := catalog.Lookup(pair.BNF, pair.Start)
	if err != nil {
		return nil, err
	}
	pair.Start = start.ID
	o.Productions = slices.Clone(o.Productions)
	for i, name := range o.Productions {
		r, err := catalog.Lookup(pair.BNF, name)
		if err != nil {
			return nil, err
		}
		o.Productions[i] = r.ID
	}
	p := newProof(pair, o)
	if err := p.compile(); err != nil {
		return nil, err
	}
	progress := o.Progress
	if progress == nil {
		progress = func(int, int) {}
	}
	progress(0, len(p.rows))
	budget.InParallel(len(p.rows), func(i int) {
		p.rows[i].reportLanguages(p)
		p.rows[i].analyzeBrackets(p)
		if pair.Ledger == nil && len(pair.Parsers) == 0 {
			p.rows[i].dropAutomata()
		}
	})
	// The trees of one rule are compared with what the others make as a start, so all makers must be known first.
	for _, r := range p.rows {
		if r.made != nil {
			p.makers[r.Production] = r.maker
		}
	}
	budget.InParallel(len(p.rows), func(i int) {
		p.rows[i].proveTrees(p)
		p.rows[i].runs = nil // most of the memory of a proof, for which nothing asks any more
		progress(1, 0)
	})
	p.runParsers()
	return p.assembleReport(), nil
}

// ProveAll proves several pairs concurrently and returns their reports in the order of the pairs. If some
// pairs fail, their reports are nil, and it returns the first of the errors along with the other reports.
func ProveAll(pairs []catalog.Pair, o Options) ([]*Report, error) {
	reports := make([]*Report, len(pairs))
	errs := make([]error, len(pairs))
	budget.InParallel(len(pairs), func(i int) { reports[i], errs[i] = Prove(pairs[i], o) })
	return reports, cmp.Or(errs...)
}
