// Package interpreter interprets a BNF: it decides whether a production derives a string, and builds the tree of the one derivation
// that this rule chooses among all there are:
//
//	Depth first and from left to right, of alternatives the first in the printed order, and of a repetition one more
//	iteration, wherever the whole input can still be derived. An iteration beyond the least number is never empty.
//
// An option [ x ] is a repetition of at most one iteration. A production that uses itself at its very end goes on there, and
// is one node with its parts in order. Where a string has infinitely many derivations, because a production derives itself
// alone, a finite one is chosen.
//
// What is asked of the interpreter is that it be plainly right. It is what generated parsers are compared with, and what a
// grammar is parsed with for which nobody has generated a parser. There are two of them, which share no step. Where no
// production uses itself but at its end, an automaton reads the input forwards, then backwards, and then the tree is built, in
// time that is linear in the length of the input. All other grammars are read by a chart of what each expression derives from
// each place, in time that is at most cubic. The first is held against the second.
package interpreter

import (
	"fmt"
	"math"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Deriver derives strings from one production. It keeps what it has found out about the grammar, and is not safe for
// concurrent use.
type Deriver struct {
	engine engine
}

// An engine decides and derives. Errors are an [ErrTooLarge].
type engine interface {
	accepts(src string) (bool, error)
	derive(dst []ast.Raw, src string) ([]ast.Raw, bool, error)
}

// ErrTooLarge is the error for an input that takes more memory than there is to be used.
var ErrTooLarge = fmt.Errorf("%w to be derived", budget.ErrTooLarge)

// New returns a deriver for the production start of g, an unordered grammar. The kind of a production is its place in
// g.Rules, from 1. Node reports which productions are nodes; start always is one, as the root. The error is a production
// there is not, or an operator that a BNF does not have. A name without a production derives nothing.
func New(g *expr.Grammar, start string, node func(id string) bool) (*Deriver, error) {
	in, err := newGrammar(g, start, node)
	if err != nil {
		return nil, err
	}
	if in.endsOnly() {
		return &Deriver{newAutomaton(in)}, nil
	}
	return &Deriver{&chart{grammar: in}}, nil
}

// NewChart is [New] with the engine for all grammars.
func NewChart(g *expr.Grammar, start string, node func(id string) bool) (*Deriver, error) {
	in, err := newGrammar(g, start, node)
	if err != nil {
		return nil, err
	}
	return &Deriver{&chart{grammar: in}}, nil
}

// Accepts reports whether src is derived. The error is an [ErrTooLarge].
func (d *Deriver) Accepts(src string) (ok bool, err error) {
	defer budget.Catch(&err)
	if len(src) > math.MaxInt32 {
		return false, ErrTooLarge
	}
	return d.engine.accepts(src)
}

// Derive appends the nodes of src to dst, the root first, and reports whether src is derived. If it is not, the result is dst as
// given. The error is an [ErrTooLarge].
func (d *Deriver) Derive(dst []ast.Raw, src string) (nodes []ast.Raw, ok bool, err error) {
	defer budget.Catch(&err)
	if len(src) > math.MaxInt32 {
		return dst, false, ErrTooLarge
	}
	return d.engine.derive(dst, src)
}

// A grammar is what both engines read.
type grammar struct {
	*expr.Grammar
	facts *expr.Facts
	rules map[string]*rule
	start *rule
}

// A rule is a production, and its kind if it is a node, or 0.
type rule struct {
	*expr.Rule
	kind ast.Kind
}

func newGrammar(g *expr.Grammar, start string, node func(id string) bool) (*grammar, error) {
	in := &grammar{Grammar: g, rules: map[string]*rule{}}
	for i, r := range g.Rules {
		if in.rules[r.ID] != nil {
			continue
		}
		in.rules[r.ID] = &rule{Rule: r}
		if node(r.ID) {
			in.rules[r.ID].kind = ast.Kind(i + 1)
		}
		if r.ID == start {
			in.start = &rule{r, ast.Kind(i + 1)}
		}
	}
	switch {
	case in.start == nil:
		return nil, fmt.Errorf("%s has no production %q", g.Name, start)
	case g.Ordered:
		return nil, fmt.Errorf("%s: ordered choice cannot be read as unordered", g.Name)
	case len(g.Rules) >= math.MaxUint16:
		return nil, fmt.Errorf("%s: more than %d productions", g.Name, math.MaxUint16-1)
	}
	in.facts = expr.Analyze(g.Rules)
	for _, id := range g.Reach(start) {
		r := g.Rule(id)
		if r == nil {
			continue
		}
		var err error
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op > expr.Repeat && err == nil {
				err = expr.Errorf(e.Pos, "a BNF has no %s", e.Op)
			}
			return err == nil
		})
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}

// endsOnly reports whether every production that start uses, and that uses itself, directly or through others, does so only
// where nothing can follow.
func (in *grammar) endsOnly() bool {
	used := in.facts.Used(in.start.Expr)
	used[in.start.ID] = true
	for id := range used {
		if c := in.facts.Component(id); c != nil && c.Right {
			return false
		}
	}
	return true
}

// A tree is nodes in the order in which they are made, with those that are still open.
type tree struct {
	nodes []ast.Raw
	base  int // nodes that stood there before
	open  []int32
	steps int // left for what is derived of the empty word
}

// newTree returns a tree whose nodes follow dst.
func (in *grammar) newTree(dst []ast.Raw) *tree {
	return &tree{nodes: dst, base: len(dst), steps: in.Budget.Share(maxSteps)}
}

// maxSteps bounds what is derived of the empty word, which can grow exponentially with the number of productions: a share of the
// steps, of so many bits less.
const maxSteps = 4

// tooLarge returns the error for an input.
func (in *grammar) tooLarge() error {
	return fmt.Errorf("%w: `%s`: the string takes too many steps; --limit-steps raises the limit", ErrTooLarge, in.start.Label())
}

func (t *tree) begin(kind ast.Kind, at int) {
	t.open = append(t.open, int32(len(t.nodes)))
	t.nodes = append(t.nodes, ast.Raw{Kind: kind, Start: int32(at)})
}

func (t *tree) end(at int) {
	last := len(t.open) - 1
	n := &t.nodes[t.open[last]]
	n.End, n.Next = int32(at), int32(len(t.nodes)-t.base)
	t.open = t.open[:last]
}

// empty adds the nodes of e as it derives the empty word, and reports whether it does without entering one of the active
// productions. Where no steps are left, it does not.
func (in *grammar) empty(t *tree, e *expr.Expr, at int, active map[string]bool) bool {
	in.Budget.Step(4)
	if t.steps--; t.steps < 0 {
		return false
	}
	switch e.Op {
	case expr.Empty:
		return true
	case expr.Ref:
		r := in.rules[e.Name]
		if r == nil || active[e.Name] || !in.facts.Nullable(e) {
			return false
		}
		nodes, open := len(t.nodes), len(t.open)
		active[e.Name] = true
		defer delete(active, e.Name)
		if r.kind != 0 {
			t.begin(r.kind, at)
		}
		if !in.empty(t, r.Expr, at, active) {
			t.nodes, t.open = t.nodes[:nodes], t.open[:open]
			return false
		}
		if r.kind != 0 {
			t.end(at)
		}
		return true
	case expr.Seq:
		nodes := len(t.nodes)
		for _, s := range e.Sub {
			if !in.empty(t, s, at, active) {
				t.nodes = t.nodes[:nodes]
				return false
			}
		}
		return true
	case expr.Alt:
		for _, s := range e.Sub {
			if in.empty(t, s, at, active) {
				return true
			}
		}
	case expr.Repeat:
		nodes := len(t.nodes)
		for range e.Min {
			if !in.empty(t, e.Sub[0], at, active) {
				t.nodes = t.nodes[:nodes]
				return false
			}
		}
		return true
	}
	return false
}
