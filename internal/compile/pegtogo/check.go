package pegtogo

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// checkGrammar refuses grammars that cannot be compiled, finds the rules that use themselves, and names all
// rules. The properties of expressions (properties.go) are defined only once its first part has passed: every
// name is a rule's, and no rule leads to itself, unless rules may nest.
func (p *program) checkGrammar() {
	if !p.grammar.Ordered {
		refuse(expr.Pos{File: p.grammar.File}, "not a PEG: its alternatives have no order")
	}
	for _, r := range p.grammar.Rules {
		if r.Refused != nil { // a rule that the model does not cover has no expression to compile
			panic(budget.Stopped(r.Refused))
		}
		for _, e := range p.grammar.Undefined(r.Expr) {
			refuse(e.Pos, "%s refers to %s, which is not defined", r.ID, e.Name)
		}
	}
	p.findRecursion()
	if p.opts.Nested {
		p.refuseLeftRecursion()
	} else {
		p.refuseRecursion()
	}
	p.nameRules()
	for _, r := range p.grammar.Rules {
		p.checkRule(r)
	}
}

// refuse ends [Go] with an error at a place. It panics with a value that budget.Catch recovers, and does not
// return.
func refuse(pos expr.Pos, format string, args ...any) {
	panic(budget.Stopped(expr.Errorf(pos, format, args...)))
}

// refuseRecursion refuses a rule that leads to itself, at the reference that closes the circle.
func (p *program) refuseRecursion() {
	recursive := expr.Circles(p.grammar.Rules, expr.Refs)
	for _, r := range p.grammar.Rules {
		if recursive[r.ID] != nil {
			way := p.grammar.Path(r.ID, r.ID, expr.Refs)
			last := p.grammar.Rule(way[len(way)-1]).Expr
			closes := expr.Find(last, func(e *expr.Expr) bool { return e.Op == expr.Ref && e.Name == r.ID })
			refuse(closes.Pos, "recursion, which must be written as a repetition: %s",
				strings.Join(append(way, r.ID), " > "))
		}
	}
}

// checkRule refuses a rule whose nodes, actions or repetitions cannot be compiled. Repetitions other than ?, * and
// + are refused unless a reference judges the file: the comparison with a PEG has no words at their bounds. With a
// reference, counts of more than maxSteps are refused still. nameRules must have set p.number.
func (p *program) checkRule(r *expr.Rule) {
	if p.number[r.ID] > 0 {
		node := r.Expr.Op == expr.Node && r.Expr.Name == r.ID
		switch lexical := p.opts.Lexical(r.ID); {
		case lexical && p.builds(r.Expr):
			refuse(r.Pos, "%s is lexical and has nodes", r.ID)
		case !lexical && !node:
			refuse(r.Pos, "%s is a node, and its rule does not make one", r.ID)
		}
	}
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		switch {
		case e.Op == expr.Node && p.number[e.Name] == 0:
			refuse(e.Pos, "a node %s, which is no production", e.Name)
		case e.Op == expr.Node && p.opts.Lexical(e.Name):
			refuse(e.Pos, "a node %s, which is lexical", e.Name)
		case e.Op == expr.Node && e.Drops && p.builds(e.Sub[0]):
			refuse(e.Pos,
				"the node %s can drop the nodes in it: it must be made of one expression with "+
					"a label, as in v:( ... )", e.Name)
		case e.Op != expr.Node && e.Drops && p.builds(e):
			refuse(e.Pos, "an action that makes no node can drop the nodes of %s", e)
		case p.facts.RepeatsEmpty(e):
			refuse(e.Pos, "%s repeats what can match without consuming, and would not end", e)
		case isCounted(e) && p.opts.Reference == nil: // a reference has words at the bounds
			refuse(e.Pos, "%s is a repetition other than ?, * and +", e)
		case isCounted(e) && max(e.Min, e.Max) > maxSteps: // no execution would reach the bound
			refuse(e.Pos, "%s counts to more than %d", e, maxSteps)
		}
		return true
	})
}
