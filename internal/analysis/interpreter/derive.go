// Package interpreter interprets a BNF: it decides whether a production derives a string, and builds the tree of the
// one derivation that this rule chooses among all there are:
//
//	Depth first and from left to right, of alternatives the first in the printed order, and of a repetition one more
//	iteration, wherever the whole input can still be derived. An iteration beyond the least number is never empty.
//
// An option [ x ] is a repetition of at most one iteration. A production that uses itself at its very end goes on
// there, and is one node with its parts in order. A production never stands inside itself with the same text, so that
// every string has finitely many derivations.
//
// The interpreter is the general parser of package ast, [ast.General], whose tables are made here. It parses grammars
// for which nobody has generated a parser. The code and the automata of generated parsers, which are made in other
// ways, are compared with it.
//
// Where the budget of a grammar is used up, functions that make tables panic with a *budget.Exceeded; those that are
// exported return it as an error.
package interpreter

import (
	"fmt"
	"math"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Deriver derives strings from one production. It is safe for concurrent use.
type Deriver struct {
	in     *grammar
	parser ast.General
}

// ErrTooLarge is the error for an input that takes more steps or memory than one input may.
var ErrTooLarge = fmt.Errorf("%w to be derived", budget.ErrTooLarge)

// New returns a deriver for the production start of g. The kind of a production is its place in g.Rules, counted from
// 1. node reports which productions are nodes; start always is one as the root, and below the root only if node says
// so. New fails if g is ordered, if it has no production start, if that uses an operator that a BNF does not have, if
// g has more than 65,534 productions, or if the budget of g is used up. A name without a production derives nothing.
// Of several productions with one ID the first counts.
func New(g *expr.Grammar, start string, node func(id string) bool) (d *Deriver, err error) {
	defer budget.Catch(&err)
	in, err := newGrammar(g, node, start)
	if err != nil {
		return nil, err
	}
	return &Deriver{in, ast.General{Packed: in.packTables(nothingProven, start)}}, nil
}

// Tables returns the tables of an [ast.General] for some productions of g and those that they use. g must be
// unordered, and there must be at least one start. Kinds and node are those of [New], and Tables fails as New does,
// for any of the starts.
func Tables(g *expr.Grammar, node func(id string) bool, inside Inside, starts ...string) (packed string, err error) {
	defer budget.Catch(&err)
	in, err := newGrammar(g, node, starts...)
	if err != nil {
		return "", err
	}
	return in.packTables(inside, starts...), nil
}

// Accepting returns the tables with which an [ast.General] accepts what some productions of g derive, and the number
// of states that were made; the tables may have fewer. put says which productions are put in where
// they are used. Kinds are those of [New]. g must be unordered, and there must be at least one start; Accepting fails
// as New does, for any of them.
func Accepting(g *expr.Grammar, put Put, starts ...string) (packed string, states int, err error) {
	defer budget.Catch(&err)
	in, err := newGrammar(g, func(string) bool { return false }, starts...)
	if err != nil {
		return "", 0, err
	}
	packed, states = in.packAccepting(put, starts...)
	return packed, states, nil
}

// Explaining returns the tables of an [ast.General] that explains rejections by any production of g, and the number
// of states that were made; the tables may have fewer. g must be unordered. Kinds are those of
// [New]. Explaining fails as New does, for any production, and if there is none. Errors name lexical productions that
// can begin, in place of the bytes that these begin with. Which are lexical is not in the tables: the [ast.Grammar]
// that has these says so.
func Explaining(g *expr.Grammar) (packed string, states int, err error) {
	defer budget.Catch(&err)
	if len(g.Rules) == 0 {
		return "", 0, fmt.Errorf("%s has no production", g.Name)
	}
	var all []string
	for _, r := range g.Rules {
		all = append(all, r.ID)
	}
	in, err := newGrammar(g, func(string) bool { return true }, all...)
	if err != nil {
		return "", 0, err
	}
	packed, states = in.packExplaining()
	return packed, states, nil
}

// Accepts reports whether src is derived. It fails with [ErrTooLarge] if that takes too much, and with a
// *budget.Exceeded if the budget of the grammar is used up. With an error the answer is false.
func (d *Deriver) Accepts(src string) (bool, error) {
	_, ok, err := d.deriveWithin(nil, src, false)
	return ok, err
}

// Derives reports whether the production start of g derives src. ok is false if that cannot be found out; yes is then
// false, too. It makes the tables anew: for several strings, use [New].
func Derives(g *expr.Grammar, start, src string) (yes, ok bool) {
	d, err := New(g, start, func(string) bool { return false })
	if err != nil {
		return false, false
	}
	yes, err = d.Accepts(src)
	return yes && err == nil, err == nil
}

// Derive appends the nodes of src to dst, the root first, and reports whether src is derived. If it is not, the nodes
// are dst as given. It fails as [Deriver.Accepts] does; ok is then false, and the nodes mean nothing.
func (d *Deriver) Derive(dst []ast.Raw, src string) (nodes []ast.Raw, ok bool, err error) {
	return d.deriveWithin(dst, src, true)
}

// An input may cost a share of the steps, the total shifted right by stepsAtAll, and stepsByByte for each byte; and
// five eighths of the memory, since the nodes that the parser no longer keeps take half as much again.
const (
	stepsAtAll   = 4
	stepsByByte  = 1 << 10
	memoryShare  = 5
	memoryShares = 8
)

// deriveWithin derives src within a part of the grammar's budget: a share of its steps and some more for each byte of
// src, and most of its memory, but never more than [ast.LimitsFor] gives a string of its length. The steps are charged
// to the budget. deriveWithin fails with ErrTooLarge if the string takes more, or has 2 GiB or more, and with a
// *budget.Exceeded if the whole budget is then used up, also where the string was decided. With tree set it appends
// the nodes of a string that is derived to dst; otherwise the nodes are dst. With an error ok is false, and the nodes
// mean nothing.
func (d *Deriver) deriveWithin(dst []ast.Raw, src string, tree bool) (nodes []ast.Raw, ok bool, err error) {
	defer budget.Catch(&err)
	b := d.in.Budget
	if len(src) > math.MaxInt32 {
		return dst, false, ErrTooLarge
	}
	run := ast.Run{Limits: ast.LimitsFor(len(src))}
	run.Steps = min(run.Steps, b.Share(stepsAtAll)+stepsByByte*len(src))
	if b != nil { // plus 1, since 0 stands for the usual limit
		run.Memory = int(min(int64(run.Memory), b.Bytes*memoryShare/memoryShares+1))
	}
	out, derived := d.parser.Within(&run, dst, d.in.start.kind, src, tree)
	b.Step(min(run.Taken, run.Steps))
	if run.Stopped != 0 {
		return dst, false, d.tooLargeError(&run, ast.LimitsFor(len(src)))
	}
	return out, derived, nil
}

// tooLargeError returns the error for a string that stopped run at a limit of its steps or memory. It wraps
// ErrTooLarge, and names the flag that raises the limit, --limit-steps or --limit-memory, unless the limit is not of
// the budget but that of most, which no flag raises.
func (d *Deriver) tooLargeError(run *ast.Run, most ast.Limits) error {
	// A limit below most is the share of the budget: deriveWithin takes the lower one.
	what, flag, isOfBudget := "many steps", "--limit-steps", run.Steps < most.Steps
	if run.Stopped == ast.StopMemory {
		what, flag, isOfBudget = "much memory", "--limit-memory", run.Memory < most.Memory
	}
	remedy := ""
	if d.in.Budget != nil && isOfBudget {
		remedy = "; " + flag + " raises the limit"
	}
	return fmt.Errorf("%w: `%s`: the string takes too %s%s", ErrTooLarge, d.in.start.Label(), what, remedy)
}

// A grammar is a BNF and what follows from it.
type grammar struct {
	*expr.Grammar
	facts *expr.Facts
	rules map[string]*rule // by ID, as the productions are where they are used
	start *rule            // the first start, as the root, which is a node
}

// A rule is a production, and its kind if it is a node, or 0.
type rule struct {
	*expr.Rule
	kind ast.Kind
}

// newGrammar analyzes g. The kind of a production is its place in g.Rules, from 1; node says which are nodes. The
// first start becomes the start of the result, which is a node. Where productions use it, it is one only if node says
// so. There must be at least one start. Of several productions with one ID only the first has a rule. newGrammar
// fails as [New] does, for any of the starts, but takes nothing of the budget.
func newGrammar(g *expr.Grammar, node func(id string) bool, starts ...string) (*grammar, error) {
	in := &grammar{Grammar: g, rules: map[string]*rule{}}
	for i, r := range g.Rules {
		if in.rules[r.ID] != nil {
			continue
		}
		in.rules[r.ID] = &rule{Rule: r}
		if node(r.ID) {
			in.rules[r.ID].kind = ast.Kind(i + 1)
		}
		if r.ID == starts[0] {
			in.start = &rule{r, ast.Kind(i + 1)}
		}
	}
	for _, id := range starts {
		if in.rules[id] == nil {
			return nil, fmt.Errorf("%s has no production %q", g.Name, id)
		}
	}
	switch {
	case g.Ordered:
		return nil, fmt.Errorf("%s: ordered choice cannot be read as unordered", g.Name)
	case len(g.Rules) >= math.MaxUint16:
		return nil, fmt.Errorf("%s: more than %d productions", g.Name, math.MaxUint16-1)
	}
	in.facts = expr.Analyze(g.Rules)
	for _, id := range g.Reach(starts...) {
		r := g.Rule(id)
		if r == nil {
			continue
		}
		// The operators after Repeat are those of a PEG.
		if e := expr.Find(r.Expr, func(e *expr.Expr) bool { return e.Op > expr.Repeat }); e != nil {
			return nil, expr.Errorf(e.Pos, "a BNF has no %s", e.Op)
		}
	}
	return in, nil
}
