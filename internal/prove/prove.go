package prove

import (
	"fmt"
	"runtime"
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
}

// Options says how [Prove] works. The zero value is the default.
type Options struct {
	// Productions are the IDs of those to prove, with all that they use; the whole grammar if there are none.
	Productions []string

	// Words is how many strings of each production are given to each of the parsers, at most; 0 stands for
	// [DefaultWords], and a negative number for no bound. Of more than that a part is drawn, the same every time.
	Words int

	Limits lang.Limits // for the automata
}

// DefaultWords is how many strings each parser is given of each production where nothing else is asked for.
const DefaultWords = 100

// Prove holds the PEG of a pair against its BNF: the languages, the text, the choices that hide alternatives, the
// ambiguities and the trees. What does not hold is in the report; an error is a pair that nothing can be said about,
// because no rule of the PEG has the ID of a production, or Start is none.
func Prove(pair Pair, o Options) (*Report, error) {
	if pair.Start == "" && len(pair.BNF.Rules) > 0 {
		pair.Start = pair.BNF.Rules[0].ID
	}
	if pair.BNF.Rule(pair.Start) == nil {
		return nil, fmt.Errorf("%s has no production %q", pair.BNF.Name, pair.Start)
	}
	for _, id := range o.Productions {
		if pair.BNF.Rule(id) == nil {
			return nil, fmt.Errorf("%s has no production %q", pair.BNF.Name, id)
		}
	}
	p := newProof(pair, o)
	if len(p.rows) == 0 {
		return nil, fmt.Errorf("no rule of %s has the name of a production of %s", pair.PEG.File, pair.BNF.File)
	}
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
