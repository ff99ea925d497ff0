// Package bnftogo makes a parser of a grammar whose alternatives have no order. Where a string has
// several trees, the parser chooses by this rule: depth first and from left to right, the first
// alternative in the printed order, and one more iteration of a repetition, wherever the whole
// input can still be derived. An iteration beyond the least number is never empty.
//
// A production gets the first parser of these that passes its checks:
//
// Straight-line code is what package pegtogo writes for a PEG: the grammar's own alternatives in
// their order, with a check of one byte after an alternative or an iteration where the first byte
// does not decide ([withLookaheads]). A production becomes code if its PEG has the automaton of
// the production, if the code makes the trees of an interpreter (package interpreter) on words
// that take every transition, and if its time does not grow faster than the input.
//
// Tables ([ast.Automaton]) derive all other regular productions. They hold an automaton whose
// states stand for what is still to come up to the end of the input, so that each choice is right
// for its caller (package choice). A parser follows all possible ways in their order of preference until
// one is left, and makes a deterministic automaton of this as it goes. So tables are not larger
// than the grammar with its productions put in, and time is linear for every grammar and input.
//
// Recursion that nests becomes code with a depth limit if regular languages tell its alternatives
// apart ([apartness]) and if PEG and grammar, cut off at a depth, have one automaton.
//
// The general parser ([ast.General]) derives everything else, so that nothing is refused. Regular
// parts of it are still code: the general parser finds how far a production goes, and the code
// makes its nodes.
//
// Functions here take steps of the grammar's budget. Where a limit of it is passed, they panic with a
// *budget.Exceeded, which is caught where a slower parser can still be tried; a comment says so only
// where something else comes back.
//
// In this package b is a byte or a builder, e an expression, k what follows it, p a production, q
// a state, and w a word.
package bnftogo

import (
	"cmp"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Options are the choices of a user.
type Options struct {
	Package string                 // name of the generated package
	Printed map[string]string      // by production: its line in the text, for a comment
	Kind    func(id string) string // constant of a production, "Hostport"; "" for a rule that is no production
	Nodes   func(id string) bool   // whether a production is a node below the root
	Starts  []string               // the productions that must be compiled
	Prefer  []Preference           // choices that are made against the ambiguity rule, each at most once
	Nesting int                    // depth to which nesting recursion is proven; 0: DefaultNesting
	Scan    []string               // the productions with scanners of the user, see scan.go
	Scanner func(id string) string // the name of the function that is the scanner of a production
	MaxGo   int                    // caps the bytes of code, see pegtogo.ErrLong; 0: no limit
	Limits  Limits

	// TablesOnly has no production become code: it is for parsers in other languages, which have tables alone.
	TablesOnly bool
}

// Limits cap the automata. Zero is the usual limit.
type Limits struct {
	States int // an automaton with ordered choices may have four times as many, since it is not minimal
}

// states returns the limit, the usual one if none is set.
func (l Limits) states() int { return cmp.Or(l.States, 1<<18) }

// A Preference names the alternative of a choice that is taken before the others.
type Preference struct {
	Choice      string // see [Ambiguity]
	Alternative int    // from 0, in the printed order; of a repetition 0 is one more iteration
}

// A Program is a parser, and the facts known about it.
type Program struct {
	Source      []byte              // of fast.go
	Ambiguities []Ambiguity         // in the order of their places
	General     []*Refusal          // the reasons why the general parser derives these productions
	Proof       []string            // sentences about what was proven
	Tried       map[string][]string // by production of the general parser: derived words it was checked on
	Defects     []string            // failed self-checks: the production, how, what was done instead

	// Languages has, by production, the minimal automaton that its code was compared with.
	// Productions that nest and the general parser have none, and tables only with
	// [Options.TablesOnly].
	Languages map[string]*lang.DFA

	automaton *ast.Automaton // for the productions that are tables
	parser    *ast.General   // for the productions of the general parser; nil if there are none
	engineOf  []Engine       // by kind
}

// An Ambiguity is a choice at which a string gets two trees.
type Ambiguity struct {
	Choice       string // "URI-reference#2", the second choice in the production as it is printed
	Production   string
	Pos          expr.Pos
	Start        string // the production that derives Shortest
	Shortest     string // a string with two trees
	Chosen       string // the text of the alternative that is taken
	Other        string // the text of the alternative of the second tree
	Alternatives []string
	Preferred    bool // by the user, with a [Preference]
}

// A Refusal says why a production is neither code nor an automaton.
type Refusal struct {
	Production string
	Pos        expr.Pos
	Reason     string
}

// Error returns "file:line:col: reason".
func (r *Refusal) Error() string {
	return expr.Errorf(r.Pos, "%s", r.Reason).Error()
}

// Compile makes the parser of g, which stays as it is. It fails if g or an option is wrong, with a [*DefectError] if
// no parser passes its check, with [pegtogo.ErrLong] if there is more code than o.MaxGo, and with a
// [*budget.Exceeded] if a limit on the whole is passed: [General] may then still succeed.
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

// catchLimit calls f, and returns the *budget.Exceeded that f panics with, or nil if it does not panic. It
// lets other panics pass, and also the one for the end of the time, after which nothing should go on.
func catchLimit(f func()) (err error) {
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
