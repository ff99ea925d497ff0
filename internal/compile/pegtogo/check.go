package pegtogo

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// check refuses what cannot be compiled. The properties of expressions (see nature.go) are only defined for a grammar
// that passes its first part: every name is a rule's, and no rule leads to itself.
func (p *program) check() error {
	if !p.grammar.Ordered {
		return expr.Errorf(expr.Pos{File: p.grammar.File}, "not a PEG: its alternatives have no order")
	}
	for _, r := range p.grammar.Rules {
		for _, e := range p.grammar.Undefined(r.Expr) {
			return expr.Errorf(e.Pos, "%s refers to %s, which is not defined", r.ID, e.Name)
		}
	}
	p.recursion()
	if p.opts.Depth == 0 {
		if err := p.noRecursion(); err != nil {
			return err
		}
	} else if err := p.leftRecursion(); err != nil {
		return err
	}
	if err := p.nameRules(); err != nil {
		return err
	}
	for _, r := range p.grammar.Rules {
		if err := p.checkRule(r); err != nil {
			return err
		}
	}
	return nil
}

// noRecursion refuses a rule that leads to itself. The position is that of the reference that closes the circle.
func (p *program) noRecursion() error {
	for _, r := range p.grammar.Rules {
		if way := p.grammar.Path(r.ID, r.ID, expr.Refs); way != nil {
			var closes *expr.Expr
			expr.Walk(p.grammar.Rule(way[len(way)-1]).Expr, func(e *expr.Expr) bool {
				if e.Op == expr.Ref && e.Name == r.ID && closes == nil {
					closes = e
				}
				return closes == nil
			})
			return expr.Errorf(closes.Pos, "recursion, which must be written as a repetition: %s", strings.Join(append(way, r.ID), " > "))
		}
	}
	return nil
}

func (p *program) checkRule(r *expr.Rule) error {
	if p.number[r.ID] > 0 {
		node := r.Expr.Op == expr.Node && r.Expr.Name == r.ID
		switch lexical := p.opts.Lexical(r.ID); {
		case lexical && p.builds(r.Expr):
			return expr.Errorf(r.Pos, "%s is lexical and has nodes", r.ID)
		case !lexical && !node:
			return expr.Errorf(r.Pos, "%s is a node, and its rule does not make one", r.ID)
		}
	}
	var err error
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		switch {
		case err != nil:
		case e.Op == expr.Node && p.number[e.Name] == 0:
			err = expr.Errorf(e.Pos, "a node %s, which is no production", e.Name)
		case e.Op == expr.Node && p.opts.Lexical(e.Name):
			err = expr.Errorf(e.Pos, "a node %s, which is lexical", e.Name)
		case e.Op == expr.Node && e.Drops && p.builds(e.Sub[0]):
			err = expr.Errorf(e.Pos, "the node %s can drop the nodes in it: it must be made of one expression with a label, as in v:( ... )", e.Name)
		case e.Op != expr.Node && e.Drops && p.builds(e):
			err = expr.Errorf(e.Pos, "an action that makes no node can drop the nodes of %s", e)
		case e.Op == expr.Repeat && e.Max == expr.Unbounded && p.facts.Nullable(e.Sub[0]):
			err = expr.Errorf(e.Pos, "%s repeats what can match without consuming, and would not end", e)
		case isCounted(e) && (p.opts.Reference == nil || max(e.Min, e.Max) > maxSteps): // a reference has words at the bounds
			err = expr.Errorf(e.Pos, "%s is a repetition other than ?, * and +", e)
		}
		return err == nil
	})
	return err
}
