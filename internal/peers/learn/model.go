package learn

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Start is the ID of the production in a [Grammar] of a model that derives what the model accepts.
const Start = "model"

// Grammar writes an automaton as a grammar, so that a model can be compared with an RFC like one RFC with another. There
// is one production for each state from which anything is accepted, named after the word that first leads there:
//
//	after "http://" = [0-9A-Za-z] ( after "http://a" ) | ...
//
// A start production stands before them.
func Grammar(a *lang.DFA, name, title string) *expr.Grammar {
	g := &expr.Grammar{Name: name, Title: title}
	access := a.AccessWords()
	id := func(q int) string {
		if q == 0 {
			return Start
		}
		return "after " + ast.Quote(access[q])
	}
	for q := range a.States() {
		if a.Dead(q) {
			continue
		}
		to := map[int]expr.Set{}
		var order []int
		for c := range a.Classes() {
			p := a.NextClass(q, c)
			if a.Dead(p) {
				continue
			}
			if _, ok := to[p]; !ok {
				order = append(order, p)
			}
			to[p] = to[p].Union(a.ClassSet(c))
		}
		var alternatives []*expr.Expr
		if a.Accepts(q) {
			alternatives = append(alternatives, expr.Cat())
		}
		for _, p := range order {
			alternatives = append(alternatives, expr.Cat(expr.In(to[p]), expr.To(id(p))))
		}
		e := expr.Or(alternatives...)
		g.Rules = append(g.Rules, &expr.Rule{ID: id(q), Name: id(q), Expr: e, Printed: fmt.Sprintf("%s = %s", id(q), e)})
	}
	if a.Dead(0) {
		g.Rules = append(g.Rules, &expr.Rule{ID: Start, Name: Start, Expr: expr.Or()})
	}
	return g
}
