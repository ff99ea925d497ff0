package learn

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Start is the ID of a model's start production in its [Grammar]: it derives all that the model accepts.
const Start = "model"

// Grammar writes an automaton as a grammar, so that a model can be compared with an RFC like one RFC with another.
// There is one production for each state from which anything is accepted, named after the word that first leads
// there:
//
//	after "http://" = [0-9A-Za-z] ( after "http://a" ) | ...
//
// A start production stands before them.
func Grammar(a *lang.DFA, name, title string) *expr.Grammar {
	access := a.AccessWords()
	g := a.Grammar(func(q int) string {
		if q == 0 {
			return Start
		}
		return "after " + ast.Quote(access[q])
	})
	g.Name, g.Title = name, title
	for _, r := range g.Rules {
		r.Printed = fmt.Sprintf("%s = %s", r.Name, r.Expr)
	}
	return g
}

// languageOf returns the model in r, which must have a DFA, as a side of a comparison.
func languageOf(r *Result, name, title string) catalog.Language {
	return catalog.Language{
		Grammar:    Grammar(r.DFA, name, title),
		Production: Start,
		Model:      true,
		Lexical:    func(id string) bool { return id != Start }, // a path of states says nothing
	}
}
