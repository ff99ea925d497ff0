package lang

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// recursion is what must be known about an unordered grammar before an automaton can be built: which productions derive
// anything, which anything but the empty word, and which use each other in a circle.
type recursion struct {
	g     *expr.Grammar
	rules []*expr.Rule // that can be reached
	facts *expr.Facts
}

// analyse looks at what e reaches in g. Its errors are a grammar or an expression with PEG operators, and the
// self-embedding of a production.
func analyse(g *expr.Grammar, e *expr.Expr) (*recursion, error) {
	if g.Ordered {
		return nil, fmt.Errorf("%s: ordered choice cannot be read as unordered", g.Name)
	}
	a := &recursion{g: g}
	if err := a.collect(e); err != nil {
		return nil, err
	}
	a.facts = expr.Analyze(a.rules)
	return a, a.selfEmbedding(e)
}

// collect lists the rules that e reaches. Its error is a lookahead.
func (a *recursion) collect(e *expr.Expr) error {
	all := []*expr.Expr{e}
	for _, id := range a.g.Reach(expr.Refs(e)...) {
		if r := a.g.Rule(id); r != nil {
			a.rules = append(a.rules, r)
			all = append(all, r.Expr)
		}
	}
	var err error
	for _, e := range all {
		expr.Walk(e, func(e *expr.Expr) bool {
			if err == nil && (e.Op == expr.And || e.Op == expr.Not) {
				err = expr.Errorf(e.Pos, "a lookahead in a grammar that is not ordered")
			}
			return err == nil
		})
	}
	return err
}

// selfEmbedding returns a [*expr.SelfEmbedding] if a derivation from e can use a production that embeds itself.
func (a *recursion) selfEmbedding(e *expr.Expr) error {
	used := a.facts.Used(e)
	for _, r := range a.g.Rules {
		if used[r.ID] && a.facts.Component(r.ID).Embeds() {
			return a.facts.SelfEmbedding(r.ID)
		}
	}
	return nil
}
