package bnftogo

import (
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file writes the automaton of nfa.go as the tables of an [ast.Automaton].

// Automaton returns the tables that derive the production start, with start as their only start.
// The kinds of nodes are the places of their productions in g.Rules, from 1; kind is that of
// start. node reports whether a production is a node below the root. The error is a [*Refusal] if
// the production nests, or a limit that its automaton passes.
func Automaton(g *expr.Grammar, start string, node func(id string) bool) (
	a *ast.Automaton, kind ast.Kind, err error,
) {
	defer budget.Catch(&err)
	c, err := newCompiler(g, Options{
		Kind:   func(id string) string { return id },
		Nodes:  node,
		Starts: []string{start},
		Limits: Limits{g.Budget.MaxStates()},
	})
	if err != nil {
		return nil, 0, err
	}
	p := c.byID[start]
	if r := c.refusalOf(p.Rule); r != nil {
		return nil, 0, r
	}
	starts := make([]stateID, len(c.productions)+1)
	starts[p.kind] = c.buildRoot(p.Rule, p.kind)
	return &ast.Automaton{Packed: c.pack(starts, annotated.Store)}, p.kind, nil
}

// pack returns the states that can be reached from starts as the packed text of an
// [ast.Automaton]. The index of a start is its kind; dead stands for a production that has no
// tables. The function pack encodes the lists: annotated.Pack compresses them, annotated.Store
// does not.
func (n *nfa) pack(starts []stateID, pack func(lists ...[]int) string) string {
	part := n.partition()
	// dead and accept come first, as ast expects them.
	order, first, counts, next := annotated.NumberReached([]stateID{dead, accept}, starts,
		func(q stateID) []stateID {
			n.budget.Step(8 + 4*len(n.states[q].next))
			return n.states[q].next
		}, len(n.states))
	// The sets are numbered anew, since not all of them are read by a state that is reached.
	var used expr.Numbering[expr.Set]
	var ops, args []int
	for _, q := range order {
		s := &n.states[q]
		arg := int(s.arg)
		if s.op == opcode.Byte {
			arg, _ = used.Of(n.setOf(s))
		}
		ops = append(ops, int(s.op))
		args = append(args, arg)
	}
	classes := annotated.Numbers(part.Class[:])
	members := annotated.Members(part, used.List...)
	return pack(classes, []int{part.N}, members, ops, args, counts, []int{len(n.states)}, next, first)
}
