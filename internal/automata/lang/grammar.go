package lang

import (
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Grammar returns a grammar with a production for each state from which anything is accepted, which derives what is
// accepted from there. The first one is the start's. If a accepts nothing, that is the only one, and derives nothing.
// The productions have the states' names.
func (a *DFA) Grammar(name func(q int) string) *expr.Grammar {
	g := &expr.Grammar{}
	for q := range a.States() {
		if a.Dead(q) {
			continue
		}
		var alternatives []*expr.Expr
		if a.Accepts(q) {
			alternatives = append(alternatives, expr.Cat())
		}
		for _, e := range a.Edges(q) {
			alternatives = append(alternatives, expr.Cat(expr.In(e.Set), expr.To(name(int(e.To)))))
		}
		g.Rules = append(g.Rules, &expr.Rule{ID: name(q), Name: name(q), Expr: expr.Or(alternatives...)})
	}
	if a.Dead(0) {
		g.Rules = append(g.Rules, &expr.Rule{ID: name(0), Name: name(0), Expr: expr.Or()})
	}
	return g
}
