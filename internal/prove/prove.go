package prove

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// A Pair is a grammar in a BNF and its transcription as a PEG. [Published] and [Files] make pairs.
type Pair struct {
	BNF *expr.Grammar // unordered
	PEG *expr.Grammar // ordered; a rule for a production has the production's ID

	// Start is the ID of the production that an input is usually parsed as; "" is the first.
	Start string

	// Ledger is the published text with its readings; BNF is its default grammar. Then the PEG is held against the text
	// as well, rule by rule, and what is ambiguous must be settled in the ledger. It is nil for a pair that claims
	// nothing of the kind.
	Ledger *bnf.Source

	// Parsers are made from the PEG and build trees, which are held against the BNF.
	Parsers []Parser

	// Defined is what was supplied for names without a production, for the report.
	Defined []Definition
}

// Options says how [Prove] works. The zero value is the default.
type Options struct {
	// Productions are the names or IDs of those to prove, with all that they use; the whole grammar if there are none.
	Productions []string

	// AllowMissing allows productions without a rule, which are then taken to be written in place in the rules of others.
	// One that was asked for by name, or that no production with a rule uses, must have a rule all the same.
	AllowMissing bool

	// Words is how many strings of each production are given to each of the parsers, at most; 0 stands for
	// [DefaultWords], and a negative number for no bound. Of more than that a part is drawn, the same every time.
	Words int

	Limits lang.Limits // for the automata
}

// DefaultWords is how many strings each parser is given of each production where nothing else is asked for.
const DefaultWords = 100

// Prove holds the PEG of a pair against its BNF: the languages, the text, the choices that hide alternatives, the
// ambiguities and the trees. What does not hold, or cannot be decided, is in the report; an error is a production that
// does not exist.
func Prove(pair Pair, o Options) (*Report, error) {
	if pair.Start == "" && len(pair.BNF.Rules) > 0 {
		pair.Start = pair.BNF.Rules[0].ID
	}
	start, err := lookup(pair.BNF, pair.Start)
	if err != nil {
		return nil, err
	}
	pair.Start = start.ID
	o.Productions = slices.Clone(o.Productions)
	for i, name := range o.Productions {
		r, err := lookup(pair.BNF, name)
		if err != nil {
			return nil, err
		}
		o.Productions[i] = r.ID
	}
	p := newProof(pair, o)
	if err := p.compile(); err != nil {
		return nil, err
	}
	each(len(p.rows), func(i int) { p.rows[i].languages(p) })
	each(len(p.rows), func(i int) { p.rows[i].bracketed(p) })
	for _, r := range p.rows {
		if r.made != nil {
			p.makers[r.Production] = r.maker
		}
	}
	each(len(p.rows), func(i int) { p.rows[i].trees(p) })
	p.sample()
	return p.report(), nil
}

// lookup is [bnf.Lookup] with an error that names the file.
func lookup(g *expr.Grammar, name string) (*expr.Rule, error) {
	r, err := bnf.Lookup(g, name)
	if err != nil && g.File != "" {
		err = fmt.Errorf("%s: %w", g.File, err)
	}
	return r, err
}

// ProveAll proves several pairs at once, and gives their reports in the order of the pairs.
func ProveAll(pairs []Pair, o Options) ([]*Report, error) {
	reports := make([]*Report, len(pairs))
	errs := make([]error, len(pairs))
	each(len(pairs), func(i int) { reports[i], errs[i] = Prove(pairs[i], o) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// each calls f for 0..n-1, as many at once as there are processors.
func each(n int, f func(i int)) {
	var wait sync.WaitGroup
	jobs := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range jobs {
				f(i)
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wait.Wait()
}
