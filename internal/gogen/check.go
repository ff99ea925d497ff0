package gogen

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// check refuses what cannot be compiled. The properties of expressions (see nature.go) are only defined for a grammar
// that passes its first part: every name is a rule's, and no rule leads to itself.
func (p *program) check() error {
	if !p.grammar.Ordered {
		return &Error{expr.Pos{File: p.grammar.File}, "not a PEG: its alternatives have no order"}
	}
	for _, r := range p.grammar.Rules {
		for _, name := range expr.Refs(r.Expr) {
			if p.grammar.Rule(name) == nil {
				return &Error{r.Pos, fmt.Sprintf("%s refers to %s, which is not defined", r.ID, name)}
			}
		}
	}
	if err := p.noRecursion(); err != nil {
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
	const open, done = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(r *expr.Rule) error
	visit = func(r *expr.Rule) error {
		state[r.ID] = open
		path = append(path, r.ID)
		var err error
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if e.Op != expr.Ref || err != nil {
				return err == nil
			}
			switch state[e.Name] {
			case open:
				from := 0
				for path[from] != e.Name {
					from++
				}
				circle := strings.Join(append(path[from:len(path):len(path)], e.Name), " > ")
				err = &Error{e.Pos, "recursion, which must be written as a repetition: " + circle}
			case 0:
				err = visit(p.grammar.Rule(e.Name))
			}
			return err == nil
		})
		path = path[:len(path)-1]
		state[r.ID] = done
		return err
	}
	for _, r := range p.grammar.Rules {
		if state[r.ID] == 0 {
			if err := visit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *program) checkRule(r *expr.Rule) error {
	if p.number[r.ID] > 0 {
		node := r.Expr.Op == expr.Node && r.Expr.Name == r.ID
		switch lexical := p.opts.Lexical(r.ID); {
		case lexical && p.builds(r.Expr):
			return &Error{r.Pos, fmt.Sprintf("%s is lexical and has nodes", r.ID)}
		case !lexical && !node:
			return &Error{r.Pos, fmt.Sprintf("%s is a node, and its rule does not make one", r.ID)}
		}
	}
	var err error
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		switch {
		case err != nil:
		case e.Op == expr.Node && p.number[e.Name] == 0:
			err = &Error{e.Pos, fmt.Sprintf("a node %s, which is no production", e.Name)}
		case e.Op == expr.Node && p.opts.Lexical(e.Name):
			err = &Error{e.Pos, fmt.Sprintf("a node %s, which is lexical", e.Name)}
		case e.Op == expr.Repeat && e.Max == expr.Unbounded && p.mayBeEmpty(e.Sub[0]):
			err = &Error{e.Pos, fmt.Sprintf("%s repeats what can match without consuming, and would not end", e)}
		case e.Op == expr.Repeat && (e.Min < 0 || e.Min > 1 || e.Max != 1 && e.Max != expr.Unbounded):
			err = &Error{e.Pos, fmt.Sprintf("%s is a repetition other than ?, * and +", e)}
		}
		return err == nil
	})
	if err == nil {
		err = p.checkActions(r)
	}
	return err
}
