package lang

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// recursion is what must be known about an unordered grammar before an automaton can be built: which productions derive
// anything, which anything but the empty word, and which use each other in a circle.
type recursion struct {
	g         *expr.Grammar
	rules     []*expr.Rule // that can be reached
	facts     *expr.Facts
	component map[string]*component
}

// A component is a maximal set of productions that use each other, or a single production.
type component struct {
	rules       []*expr.Rule
	recursive   bool
	left, right bool // a use inside the component has something behind it (left-linear), something before it (right-linear)
}

// analyse looks at what e reaches in g. Its errors are a grammar or an expression with PEG operators, and the
// self-embedding of a production.
func analyse(g *expr.Grammar, e *expr.Expr) (*recursion, error) {
	if g.Ordered {
		return nil, fmt.Errorf("%s: ordered choice cannot be read as unordered", g.Name)
	}
	a := &recursion{g: g, component: map[string]*component{}}
	if err := a.collect(e); err != nil {
		return nil, err
	}
	a.facts = expr.Analyze(a.rules)
	a.components()
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

// components fills in a.component, by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972).
func (a *recursion) components() {
	index, low := map[string]int{}, map[string]int{}
	var stack []*expr.Rule
	var visit func(r *expr.Rule)
	visit = func(r *expr.Rule) {
		index[r.ID] = len(index) + 1
		low[r.ID] = index[r.ID]
		stack = append(stack, r)
		for _, u := range a.facts.Uses(r.ID) {
			if index[u.ID] == 0 {
				visit(a.g.Rule(u.ID))
				low[r.ID] = min(low[r.ID], low[u.ID])
			} else if a.component[u.ID] == nil {
				low[r.ID] = min(low[r.ID], index[u.ID])
			}
		}
		if low[r.ID] == index[r.ID] {
			i := slices.Index(stack, r)
			c := &component{rules: slices.Clone(stack[i:])}
			stack = stack[:i]
			for _, r := range c.rules {
				a.component[r.ID] = c
			}
		}
	}
	for _, r := range a.rules {
		if index[r.ID] == 0 {
			visit(r)
		}
	}
	for _, r := range a.rules {
		c := a.component[r.ID]
		for _, u := range a.facts.Uses(r.ID) {
			if a.component[u.ID] == c {
				c.recursive = true
				c.left = c.left || u.Right
				c.right = c.right || u.Left
			}
		}
	}
}

// selfEmbedding returns a [*expr.SelfEmbedding] if a derivation from e can use a production that embeds itself.
func (a *recursion) selfEmbedding(e *expr.Expr) error {
	used := a.facts.Used(e)
	for _, r := range a.g.Rules {
		if c := a.component[r.ID]; used[r.ID] && c.left && c.right {
			return a.facts.SelfEmbedding(r.ID)
		}
	}
	return nil
}
