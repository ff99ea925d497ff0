package lint

import (
	"errors"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Whether what nests is ambiguous cannot be decided in general. Three things are tried, each within a share of the
// steps. An LR parser without a conflict proves that nothing is; larger languages prove it of one production (see
// [wide]); an ambiguous string of bounded nesting proves that one is. Of the others it is said what was searched.

const (
	searchDepth = 2 // the depth of the search for ambiguity in productions that nest, if none was asked for
	lrShare     = 4 // share of the steps, as a number of bits, for all LR parsers
	wideShare   = 4 // for the larger languages
	searchShare = 4 // for the search to each depth
)

// checkNested reports ambiguity in the productions that are not regular, and leaves open those that are neither
// proven unambiguous nor found ambiguous. It counts those that are proven or that it searched. With a depth that was
// asked for (Options.Nesting) they were searched before, and are only left open here. Without one, it searches to
// searchDepth, and those that are too large to lesser depths; l.spread is another one only meanwhile. It passes over
// productions that use a name without a production and, with a depth that was asked for, over those that are not
// proven and whose language is not known: they are left open already.
func (l *linter) checkNested() {
	var todo []*expr.Rule
	proven := l.proven()
	for _, r := range l.own {
		switch {
		case l.regular[r.ID] || l.lacksName[r.ID]:
		case proven[r.ID]:
			l.report.Proven++
			l.report.AmbiguousOf++
		case l.options.Nesting != nil && l.langs[r.ID].err == nil:
			l.leaveOpenAt(r, *l.options.Nesting)
		case l.options.Nesting == nil:
			todo = append(todo, r)
		}
	}
	// Search to the full depth, and then the productions that are too large at that depth to lesser ones. search reads
	// the grammar of l.spread, which is put back at the end.
	usual := l.spread
	defer func() { l.spread = usual }()
	var why error
	for depth := searchDepth; depth >= 0 && len(todo) > 0; depth-- {
		cut, err := l.g.Nesting().To(depth)
		if err != nil {
			why = err
			continue
		}
		cut = cut.With(cut.Rules)
		cut.Budget = l.g.Budget.Part(int64(l.g.Budget.Share(searchShare)))
		l.spread = newSpread(printer{cut, l.words}, l.options).knowing(usual, l.regular)
		var rest []*expr.Rule
		for _, r := range todo {
			if err := l.search(r); err != nil {
				why = err
				rest = append(rest, r)
				continue
			}
			l.report.Nested++
			l.leaveOpenAt(r, depth)
		}
		todo = rest
	}
	for _, r := range todo {
		l.leaveOpen(r, fmt.Errorf("whether it is ambiguous: it nests, and was not looked at: %w", why))
	}
}

// search is [linter.checkAmbiguity] in the grammar of l.spread, with the panic of a passed limit as an error.
func (l *linter) search(r *expr.Rule) (err error) {
	defer budget.Catch(&err)
	return l.checkAmbiguity(r)
}

// leaveOpenAt leaves open whether r is ambiguous: no string that nests no deeper than depth has two derivations. If r
// was found to be ambiguous, it is counted as decided instead, unless a depth was asked for.
func (l *linter) leaveOpenAt(r *expr.Rule, depth int) {
	if l.ambiguousAlone[r.ID] {
		if l.options.Nesting == nil { // otherwise it has been counted already
			l.report.AmbiguousOf++
		}
	} else {
		l.leaveOpen(r, fmt.Errorf("whether it is ambiguous: it nests, and no string that nests no deeper "+
			"than %d has two derivations", depth))
	}
}

// proven returns, by ID, the productions that nest and are proven unambiguous, within shares of the budget; what it
// says of regular ones means nothing. First it tries LALR(1), which proves all that a production uses as well; then
// [wide.unambiguous] for the rest. Productions that use a name without a production are tried in neither way. If a
// share is used up, the productions that were not reached are not proven in that way, and the next one is tried.
func (l *linter) proven() map[string]bool {
	proven := map[string]bool{}
	part := l.g.Budget.Part(int64(l.g.Budget.Share(lrShare)))
	regular := func(id string) (*lang.DFA, bool) {
		if !l.regular[id] {
			return nil, false
		}
		a, err := l.spread.of(id)
		if err != nil {
			a = nil
		}
		return a, true
	}
	// What is deterministic is unambiguous, with all that it uses. The other way takes more, and gets a share of
	// its own.
	for _, r := range l.own {
		if l.regular[r.ID] || l.lacksName[r.ID] || proven[r.ID] {
			continue
		}
		yes, err := deterministic(l.g, r.ID, regular, part)
		if err != nil {
			break
		}
		if !yes {
			continue
		}
		for _, id := range l.g.Reach(r.ID) {
			proven[id] = true
		}
	}
	g := l.g.With(l.g.Rules) // a copy, for a budget of its own
	g.Budget = l.g.Budget.Part(int64(l.g.Budget.Share(wideShare)))
	cut := newSpread(printer{g, l.words}, l.options).knowing(l.spread, l.regular)
	w := &wide{cut, l.regular, map[string]*language{}}
	for _, r := range l.own {
		if l.regular[r.ID] || l.lacksName[r.ID] || proven[r.ID] {
			continue
		}
		yes, err := w.unambiguous(r)
		if _, spent := errors.AsType[*budget.Exceeded](err); spent {
			break
		}
		proven[r.ID] = yes
	}
	return proven
}
