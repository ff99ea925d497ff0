package conform

import (
	"errors"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// Subject returns the subject of test vectors for the production that g is opened at, and its parser.
// components are the names of the productions that are its components. Of a PEG it makes a [vectors.Model], which has
// no components: naming some is an error. If the PEG is read to a depth, the model's Accept panics, so that
// [budget.Catch] sets the error, for a string that the PEG leaves undecided. Subject fails if [anygrammar.New] or
// [catalog.Opened.Lookup] does, or if the production has no automaton or derives no string.
func Subject(g *catalog.Opened, components ...string) (*vectors.Subject, *anygrammar.Parser, error) {
	var ids []string
	for _, c := range components {
		r, err := g.Lookup(c)
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, r.ID)
	}
	p, err := anygrammar.New(g, ids...)
	if err != nil {
		return nil, nil, err
	}
	id := p.Grammar.Production(p.Start).ID
	if g.Grammar.Ordered {
		if len(components) > 0 {
			return nil, nil, errors.New("a PEG is a model without productions here, and so has no components")
		}
		dfa, err := g.Automaton(g.Grammar.Rule(id))
		if err != nil {
			return nil, nil, err
		}
		if dfa.IsEmpty() {
			return nil, nil, noStringError(g)
		}
		m := &vectors.Model{Name: g.Grammar.Name, About: id + " of " + g.Grammar.Title, DFA: dfa}
		if to := g.ReadTo(id); to != "" {
			m.Bound = []string{"read " + to + ": the automaton accepts what is matched without coming deeper, and the",
				"  guarantees are about such strings; the verdicts are those of the PEG itself, at whatever depth"}
			m.Accept = func(w string) bool {
				ok, err := p.Accepts(w)
				if err != nil { // undecided is not rejected
					panic(budget.Stopped(err))
				}
				return ok
			}
		}
		return m.Subject(), p, nil
	}
	explained, err := p.Explained()
	if err != nil { // the explanation is too large
		return nil, nil, err
	}
	var kinds []ast.Kind
	for _, id := range ids {
		k, _ := p.Grammar.Kind(id)
		kinds = append(kinds, k)
	}
	s, err := vectors.NewForeign(explained, g.Within, p.Start, kinds, g.ReadTo(id))
	if err != nil {
		return nil, nil, err
	}
	if s.DFA.IsEmpty() {
		return nil, nil, noStringError(g)
	}
	s.CanReadLess = g.CanReadLess
	return s, p, nil
}

// SubjectWithout is like [Subject], for a production whose automaton is too large; why is the error that said
// so. The vectors are then made of derivations, of the whole grammar, whatever depth was asked for. A regular
// expression has no derivations but the paths through its own automaton, each of which is as large; SubjectWithout
// then fails with why. It does not ask whether the production derives a string, nor makes a model of a PEG, for which
// it must not be called. The grammar gets a budget of its own, in a copy: g stays as it is.
func SubjectWithout(g *catalog.Opened, why error, components ...string) (*vectors.Subject, *anygrammar.Parser, error) {
	if g.Grammar.Notation == "regexp" {
		return nil, nil, why
	}
	// The budget of g is spent, so the copy gets one of its own.
	fresh := *g
	fresh.Grammar = g.Grammar.With(g.Grammar.Rules)
	fresh.Grammar.Budget = g.Grammar.Budget.Fresh()
	fresh.Within, fresh.Depth = fresh.Grammar, nil
	var ids []string
	for _, c := range components {
		r, err := fresh.Lookup(c)
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, r.ID)
	}
	p, err := anygrammar.New(&fresh, ids...)
	if err != nil {
		return nil, nil, err
	}
	explained, err := p.ExplainedByParser()
	if err != nil {
		return nil, nil, err
	}
	var kinds []ast.Kind
	for _, id := range ids {
		k, _ := p.Grammar.Kind(id)
		kinds = append(kinds, k)
	}
	return vectors.NewLarge(explained, fresh.Grammar, p.Start, kinds, why), p, nil
}

// noStringError returns the error that the language of g is empty.
func noStringError(g *catalog.Opened) error {
	l, err := g.Language()
	if err != nil {
		return err
	}
	return l.Nothing()
}
