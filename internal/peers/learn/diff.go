package learn

import (
	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
)

// Diff compares a model with a production of a published grammar, or with that of a scheme: the catalogue of all places
// where the two part, the model being A. Name and title are the parser's, as an RFC's would be. Errors are those of
// [vectors.NewSubject] and [prove.Diff].
func Diff(r *Result, name, title string, g *bnfcheck.Grammar, production string) (*diff.Difference, error) {
	s, err := vectors.NewSubject(g, production)
	if err != nil {
		return nil, err
	}
	source, err := bnf.Load(g.Name)
	if err != nil {
		return nil, err
	}
	rfc := catalog.Language{
		Grammar:    source.Default,
		Production: s.ID(),
		Lexical: func(id string) bool {
			k, ok := g.Kind(id)
			return ok && g.Production(k).Lexical
		},
	}
	return diff.Compare(language(r, name, title), rfc, diff.Options{})
}

// language returns a model as a side of a comparison.
func language(r *Result, name, title string) catalog.Language {
	return catalog.Language{
		Grammar:    Grammar(r.DFA, name, title),
		Production: Start,
		Model:      true,
		Lexical:    func(id string) bool { return id != Start }, // a path of states says nothing
	}
}
