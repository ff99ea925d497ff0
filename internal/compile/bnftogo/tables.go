package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file writes the automaton of a compiler as the tables of an [ast.Automaton].

// Automaton returns the tables that derive the production start, and nothing else. The kind of a node is the number
// of its production in g.Rules, from 1; kind is that of start. node reports whether a production is a node below the
// root. It fails with a [*Refusal] if the production nests, or uses itself before anything is read, with a
// [*budget.Exceeded] if a limit is passed, and if g is ordered, has no start or has too many productions. The
// production must derive something.
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
	starts := make([]choice.StateID, len(c.productions)+1)
	starts[p.kind] = c.buildRoot(p.Rule, p.kind)
	return &ast.Automaton{Packed: c.pack(starts, annotated.Store)}, p.kind, nil
}

// Tables are the tables of a [Program], packed as package ast reads them. A text is "" where the
// program has no such tables.
type Tables struct {
	Automaton string // of an [ast.Automaton]
	General   string // of an [ast.General]
	Accepting string // of the same, its tables that only accept

	// by kind: the engine of each production
	Derives []Engine
}

// An Engine is a kind of parser that derives productions.
type Engine byte

// The engines.
const (
	NoEngine        Engine = '-' // for kind 0
	CodeEngine      Engine = 'c' // straight-line code
	AutomatonEngine Engine = 't'
	GeneralEngine   Engine = 'g'
)

// Letters returns t.Derives as a string, with one letter for each kind.
func (t Tables) Letters() string {
	letters := make([]byte, len(t.Derives))
	for i, engine := range t.Derives {
		letters[i] = byte(engine)
	}
	return string(letters)
}

// Tables returns the tables of the program. The caller must not change them.
func (p *Program) Tables() Tables {
	t := Tables{Derives: p.engineOf}
	if slices.Contains(p.engineOf, AutomatonEngine) {
		t.Automaton = p.automaton.Packed
	}
	if p.parser != nil {
		t.General, t.Accepting = p.parser.Packed, p.parser.Accepting
	}
	return t
}

// pack returns the states that can be reached from starts as the packed text of an
// [ast.Automaton]. The index of a start is its kind; [choice.Dead] stands for a production that has no
// tables. The function pack encodes the lists: annotated.Pack compresses them, annotated.Store
// does not.
func (b *builder) pack(starts []choice.StateID, pack func(lists ...[]int) string) string {
	part := b.Partition()
	// choice.Dead and accept come first, as ast expects them.
	order, first, counts, next := annotated.NumberReached([]choice.StateID{choice.Dead, accept}, starts,
		func(q choice.StateID) []choice.StateID {
			b.Budget.Step(8 + 4*len(b.States[q].Next))
			return b.States[q].Next
		}, len(b.States))
	// The sets are numbered anew, since not all of them are read by a state that is reached.
	var used expr.Numbering[expr.Set]
	var ops, args []int
	for _, q := range order {
		s := &b.States[q]
		arg := int(s.Arg)
		if s.Op == opcode.Byte {
			arg, _ = used.Of(b.SetOf(s))
		}
		ops = append(ops, int(s.Op))
		args = append(args, arg)
	}
	classes := annotated.Numbers(part.Class[:])
	members := annotated.Members(part, used.List...)
	return pack(classes, []int{part.N}, members, ops, args, counts, []int{len(b.States)}, next, first)
}
