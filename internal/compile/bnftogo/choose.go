// Package bnftogo makes a parser of a grammar whose alternatives have no order. What it compiles derives each string by this
// rule: depth first and from left to right, of alternatives the first in the printed order, of a repetition one more iteration,
// wherever the whole input can still be derived; an iteration beyond the least number is never empty.
//
// There are two kinds of parsers. Straight-line code is what package pegtogo writes for a PEG: the grammar's own alternatives in
// their order, with a check of one byte behind an alternative or an iteration where the first byte does not decide ([checked]).
// A production becomes code where its PEG has the automaton of the production, where the code makes the trees of an interpreter
// (package interpreter) on words that take every transition, and where its time does not grow faster than the input.
//
// All other regular productions become tables ([ast.Automaton]). The grammar is put together to an automaton whose states stand
// for what is still to come up to the end of the input, so that each choice is right for its caller ([nfa]). A parser follows all
// ways that are possible, in the order in which they are preferred, until one is left, and makes a deterministic automaton of this as
// it goes. So tables are not larger than the grammar with its productions put in, and time is linear for every grammar and input.
//
// Recursion that nests becomes code with a depth limit where regular languages tell its alternatives apart ([apartness]) and,
// cut off at a depth, PEG and grammar have one automaton.
//
// Everything else is derived by the general parser ([ast.General]), so that nothing is refused. What is regular in it is still code: the
// general parser finds how far a production goes, and the code makes its nodes.
package bnftogo

import (
	"cmp"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Options are what a user decides.
type Options struct {
	Package string                 // name of the generated package
	Printed map[string]string      // by production: its line in the text, as a comment shows it
	Kind    func(id string) string // constant of a production, "Hostport"; "" for a rule that is no production
	Nodes   func(id string) bool   // whether a production is a node below the root
	Starts  []string               // the productions that must be compiled
	Prefer  []Preference           // choices that the ambiguity rule does not decide
	Nesting int                    // recursion that nests is proven to this depth
	Depth   int                    // the greatest depth of a recursion at run time
	MaxGo   int                    // how many bytes the code may have, else the error is [pegtogo.ErrLong]; 0 stands for any number
	Limits  Limits
}

// Limits bound what is built. Zero is the usual limit.
type Limits struct {
	States int // of each automaton
}

func (l Limits) states() int { return cmp.Or(l.States, 1<<18) }

// A Preference is the alternative of a choice that is taken before the others.
type Preference struct {
	Choice      string // see [Ambiguity]
	Alternative int
}

// A Program is a parser.
type Program struct {
	Source      []byte              // of fast.go
	Ambiguities []Ambiguity         // in the order of their places
	General     []*Refusal          // the productions that the general parser derives, and why
	Proof       []string            // what was proven
	Tried       map[string][]string // by production of the general parser: words that it was checked on, and derives
	Defects     []string            // the self-checks that failed: the production, how, and what was done instead

	// Languages are the automata, by production, whose transitions the code takes that was executed; not those of productions that nest.
	Languages map[string]*lang.DFA

	automaton *ast.Automaton // of the productions that are tables
	parser    *ast.General   // of those of the general parser
}

// An Ambiguity is a choice for which a string has two trees.
type Ambiguity struct {
	Choice       string // "URI-reference#2", the second choice in the production as it is printed
	Production   string
	Pos          expr.Pos
	Start        string // the production that Shortest is derived by
	Shortest     string
	Chosen       string
	Other        string
	Alternatives []string
	Preferred    bool
}

// A Refusal is why a production is neither code nor an automaton.
type Refusal struct {
	Production string
	Pos        expr.Pos
	Reason     string
}

// Error returns "file:line:col: reason".
func (r *Refusal) Error() string {
	return expr.Errorf(r.Pos, "%s", r.Reason).Error()
}

// Compile makes the parser of g.
func Compile(g *expr.Grammar, o Options) (p *Program, err error) {
	defer budget.Catch(&err)
	o.Limits.States = cmp.Or(o.Limits.States, g.Budget.MaxStates())
	c, err := newCompiler(g, o)
	if err != nil {
		return nil, err
	}
	if err := c.compile(); err != nil {
		return nil, err
	}
	return c.Program, nil
}

// limited calls f, which may reach a limit.
func limited(f func()) (err error) {
	defer func() {
		r := recover()
		if large, ok := r.(*budget.Exceeded); ok && large.Limit != budget.Time {
			err = large
		} else if r != nil {
			panic(r)
		}
	}()
	f()
	return nil
}
