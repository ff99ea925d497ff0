package bnftogo

import (
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Automaton returns the tables of one production, of which it returns the kind: its place in g.Rules, from 1. The error is that the production nests, or
// that its automaton is too large.
func Automaton(g *expr.Grammar, start string, node func(id string) bool) (a *ast.Automaton, kind ast.Kind, err error) {
	defer budget.Catch(&err)
	c, err := newCompiler(g, Options{Kind: func(id string) string { return id }, Nodes: node, Starts: []string{start}, Limits: Limits{g.Budget.MaxStates()}})
	if err != nil {
		return nil, 0, err
	}
	p := c.byID[start]
	if r := c.refused(p.Rule); r != nil {
		return nil, 0, r
	}
	starts := make([]int32, len(c.productions)+1)
	starts[p.kind] = c.start(p.Rule, p.kind)
	return &ast.Automaton{Packed: c.pack(starts, annotated.Store)}, ast.Kind(p.kind), nil
}

// pack returns what the nfa has from the states in starts, by kind, as an [ast.Automaton] holds it.
func (n *nfa) pack(starts []int32, pack func(lists ...[]int) string) string {
	part := n.partition()
	order, first, counts, next := annotated.NumberReached([]int32{dead, accept}, starts, func(q int32) []int32 {
		n.budget.Step(8 + 4*len(n.states[q].next))
		return n.states[q].next
	}, len(n.states))
	var used expr.Numbering[expr.Set]
	var ops, args []int
	for _, q := range order {
		s := &n.states[q]
		arg := int(s.arg)
		if s.op == opByte {
			arg, _ = used.Of(n.sets.List[arg])
		}
		ops, args = append(ops, int(s.op)), append(args, arg)
	}
	classes, members := annotated.Numbers(part.Class[:]), annotated.Members(part, used.List...)
	return pack(classes, []int{part.N}, members, ops, args, counts, []int{len(n.states)}, next, first)
}
