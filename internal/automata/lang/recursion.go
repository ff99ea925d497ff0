package lang

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// analyze returns the facts about the rules that e reaches in g, if it has an automaton. It fails if g is ordered or
// a rule has a lookahead. It fails with a [*expr.SelfEmbedding] if a derivation from e can use a production that
// embeds itself.
func analyze(g *expr.Grammar, e *expr.Expr) (*expr.Facts, error) {
	if g.Ordered {
		return nil, fmt.Errorf("%s: ordered choice cannot be read as unordered", g.Name)
	}
	if err := lookaheadIn(e); err != nil {
		return nil, err
	}
	rules := g.Part(expr.Refs(e)...).Rules
	for _, r := range rules {
		g.Budget.Step(4 * r.Expr.Size())
		if err := lookaheadIn(r.Expr); err != nil {
			return nil, err
		}
	}
	facts := expr.Analyze(rules)
	used := facts.Used(e)
	for _, r := range rules {
		if used[r.ID] && facts.Component(r.ID).Embeds() {
			return nil, facts.SelfEmbedding(r.ID)
		}
	}
	return facts, nil
}

// hasDeep reports whether some rule of g has a Deep.
func hasDeep(g *expr.Grammar) bool {
	deep := func(e *expr.Expr) bool { return e.Op == expr.Deep }
	return slices.ContainsFunc(g.Rules, func(r *expr.Rule) bool { return expr.Find(r.Expr, deep) != nil })
}

// foreign returns an error if e has terminals that the automata of g do not tell apart.
func (s *Space) foreign(g *expr.Grammar, e *expr.Expr) (err error) {
	expr.Terminals(e, func(set expr.Set) {
		if err == nil && splits(&s.class, set) {
			err = expr.Errorf(e.Pos, "%s has terminals that the automata of %s do not tell apart", e, g.Name)
		}
	})
	return err
}
