package lang

import (
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Grammar returns a grammar with a production for each live state, which derives the words accepted from there. The
// first production is that of the start. If a accepts nothing, it is the only one, and derives nothing. name names
// the production of a state.
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
