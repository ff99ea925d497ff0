package prove

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
)

// Options control [Prove]. The zero value is the default.
type Options struct {
	// Productions are the names or IDs of those to prove, with all that they use; the whole grammar if there are none.
	Productions []string

	// AllowMissing allows productions without a rule, which are then taken to be written in place in the rules of others.
	// One that was asked for by name, or that no production with a rule uses, must have a rule all the same.
	AllowMissing bool

	// Words is how many strings of each production are given to each of the parsers, at most; 0 stands for
	// [DefaultWords], and a negative number for no bound. If there are more, a fixed sample of them is drawn.
	Words int

	// Nesting is the depth to which a recursion is read that no finite automaton follows: see [expr.Nesting]. If it is nil,
	// productions with one are refused.
	Nesting *int

	Limits lang.Limits // for the automata

	// FoldCase reads both grammars as if every terminal matched letters of ASCII in either case, so that rules which differ in
	// that alone are equal.
	FoldCase bool

	// Progress, if not nil, is called with the number of rules that are done since the last call, and of those that are found to
	// be there to prove. Several goroutines call it at once.
	Progress func(done, more int)
}

// DefaultWords is the number of strings of each production that each parser is given by default.
const DefaultWords = 100

// Prove compares the PEG of a pair with its BNF: the languages, the text, the choices that hide alternatives, the
// ambiguities and the trees. What does not hold, or cannot be decided, is in the report; an error is a production that
// does not exist.
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
	each(len(p.rows), func(i int) {
		p.rows[i].languages(p)
		p.rows[i].bracketed(p)
		if pair.Ledger == nil && len(pair.Parsers) == 0 {
			p.rows[i].forget()
		}
	})
	for _, r := range p.rows {
		if r.made != nil {
			p.makers[r.Production] = r.maker
		}
	}
	each(len(p.rows), func(i int) {
		p.rows[i].trees(p)
		progress(1, 0)
	})
	p.sample()
	return p.report(), nil
}

// ProveAll proves several pairs at once, and returns their reports in the order of the pairs.
func ProveAll(pairs []catalog.Pair, o Options) ([]*Report, error) {
	reports := make([]*Report, len(pairs))
	errs := make([]error, len(pairs))
	each(len(pairs), func(i int) { reports[i], errs[i] = Prove(pairs[i], o) })
	return reports, cmp.Or(errs...)
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
