package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file looks for strings with two trees that a production without an automaton derives, since its
// recursion nests.
//
// Whether such a production derives any cannot be decided. So it is searched: the grammar is read to a depth
// of re-entries, which is regular, and the square of that automaton (ambiguity.go) has candidates. A
// candidate is a string of the grammar itself, so it is settled like any other.

// ambiguityDepth caps the depth to which nesting productions are searched, as lint does.
const ambiguityDepth = 2

// ambiguityShare is the part of the steps that the search of one depth may take: one in 1<<ambiguityShare of
// the whole budget.
const ambiguityShare = 4

// findNestedCandidates adds strings of productions that are refused to c.candidates. A production for which
// the search passes a limit is searched again to a smaller depth, in the end without re-entries; if that passes a
// limit too, nothing more is found of it.
func (c *compiler) findNestedCandidates() {
	var todo []*production
	for _, p := range c.productions {
		if p.refusal != nil && c.facts.Derives(p.Expr) {
			todo = append(todo, p)
		}
	}
	slices.SortStableFunc(todo, compareUses)
	nesting := c.g.Nesting()
	for depth := ambiguityDepth; depth >= 0 && len(todo) > 0; depth-- {
		cut, err := nesting.To(depth)
		if err != nil {
			continue
		}
		cut = cut.With(cut.Rules)
		cut.Budget = c.Budget.Part(int64(c.Budget.Share(ambiguityShare)))
		todo = c.searchCut(cut, todo)
	}
}

// searchCut adds strings of the productions todo to c.candidates; cut is the grammar read to a depth. It returns the
// productions for which a limit was passed; what was found of them before that stays. Those that no automaton of cut
// derives either are not searched.
func (c *compiler) searchCut(cut *expr.Grammar, todo []*production) (left []*production) {
	var b *builder
	begin := func() {
		b = newBuilder(cut, expr.Analyze(cut.Rules), 4*c.options.Limits.states())
		b.kind = func(id string) ast.Kind { return c.kind(expr.Origin(id)) }
	}
	if catchLimit(begin) != nil {
		return todo
	}
	starts := map[*production]choice.StateID{}
	for _, p := range todo {
		build := func() {
			if r := cut.Rule(p.ID); r != nil && b.refusalOf(r) == nil {
				starts[p] = b.buildRoot(r, p.kind)
			}
		}
		if catchLimit(build) != nil {
			left = append(left, p)
		}
	}
	s := newSquare(b.Automaton) // made last: it needs the sets of bytes of all that was built
	for _, p := range todo {
		inCut := *p
		inCut.start = starts[p]
		if inCut.start == choice.Dead { // also if starts does not have p
			continue
		}
		if catchLimit(func() { c.findCandidates(&inCut, s) }) != nil {
			left = append(left, p)
		}
	}
	return left
}
