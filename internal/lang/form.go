package lang

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// pegForm says which rules of an ordered grammar are well-formed (Ford, "Parsing Expression Grammars", 2004, section 3.6:
// no rule calls itself before it has read anything, nothing that can match the empty word is repeated without limit) and
// can be followed by an automaton: no rule calls itself but at its end. Whether something can match the empty word is
// decided as Ford does, from the form alone; it errs on the side of "it can".
type pegForm struct {
	g        *expr.Grammar
	nullable map[string]bool
	fault    map[string]error // rule -> what is wrong with it
}

func newPEGForm(g *expr.Grammar) *pegForm {
	f := &pegForm{g: g, nullable: map[string]bool{}, fault: map[string]error{}}
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			if !f.nullable[r.ID] && f.canBeEmpty(r.Expr) {
				f.nullable[r.ID], changed = true, true
			}
		}
	}
	for _, r := range g.Rules {
		f.fault[r.ID] = f.ruleFault(r)
	}
	return f
}

// check gives what is wrong with e or with a rule that it uses, or nil.
func (f *pegForm) check(e *expr.Expr) error {
	if err := f.exprFault(e); err != nil {
		return err
	}
	todo := expr.Refs(e)
	seen := map[string]bool{}
	for i := 0; i < len(todo); i++ {
		if id := todo[i]; !seen[id] {
			seen[id] = true
			if err := f.fault[id]; err != nil {
				return err
			}
			todo = append(todo, expr.Refs(f.g.Rule(id).Expr)...)
		}
	}
	return nil
}

func (f *pegForm) exprFault(e *expr.Expr) (err error) {
	expr.Walk(e, func(e *expr.Expr) bool {
		switch {
		case err != nil:
		case e.Op == expr.Ref && f.g.Rule(e.Name) == nil:
			err = at(e.Pos, fmt.Errorf("rule `%s` is not defined", e.Name))
		case e.Op == expr.Repeat && e.Max == expr.Unbounded && f.canBeEmpty(e.Sub[0]):
			err = at(e.Pos, fmt.Errorf("%s repeats something that can match the empty word", e))
		}
		return err == nil
	})
	return err
}

func (f *pegForm) ruleFault(r *expr.Rule) error {
	if err := f.exprFault(r.Expr); err != nil {
		return err
	}
	if way := f.way(r.ID, r.ID, f.calledAtStart); way != nil {
		return at(r.Pos, fmt.Errorf("rule `%s` can call itself%s before it has read anything", r.ID, through(way[1:])))
	}
	for _, c := range calls(r.Expr) {
		if c.last {
			continue
		}
		if c.rule == r.ID {
			return at(r.Pos, fmt.Errorf("rule `%s` calls itself other than at its end", r.ID))
		}
		if way := f.way(c.rule, r.ID, called); way != nil {
			return at(r.Pos, fmt.Errorf("rule `%s` calls itself%s other than at its end", r.ID, through(way)))
		}
	}
	return nil
}

// way lists the rules on a shortest way of at least one call from one rule to another, the first included and the last
// not, or nil.
func (f *pegForm) way(from, to string, calls func(*expr.Expr) []string) []string {
	up := map[string]string{}
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		r := f.g.Rule(todo[0])
		if r == nil {
			continue
		}
		for _, id := range calls(r.Expr) {
			if id == to {
				way := []string{todo[0]}
				for way[0] != from {
					way = slices.Insert(way, 0, up[way[0]])
				}
				return way
			}
			if _, ok := up[id]; !ok && id != from {
				up[id] = todo[0]
				todo = append(todo, id)
			}
		}
	}
	return nil
}

// canBeEmpty says whether e can succeed without having read anything.
func (f *pegForm) canBeEmpty(e *expr.Expr) bool {
	switch e.Op {
	case expr.Class, expr.Literal:
		return false
	case expr.Ref:
		return f.nullable[e.Name]
	case expr.Seq:
		return !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !f.canBeEmpty(s) })
	case expr.Alt:
		return slices.ContainsFunc(e.Sub, f.canBeEmpty)
	case expr.Repeat:
		return e.Min == 0 || f.canBeEmpty(e.Sub[0])
	case expr.Node:
		return f.canBeEmpty(e.Sub[0])
	}
	return true
}

// calledAtStart lists the rules that e can call before it has read anything.
func (f *pegForm) calledAtStart(e *expr.Expr) []string {
	switch e.Op {
	case expr.Ref:
		return []string{e.Name}
	case expr.Seq:
		var out []string
		for _, s := range e.Sub {
			out = append(out, f.calledAtStart(s)...)
			if !f.canBeEmpty(s) {
				break
			}
		}
		return out
	}
	var out []string
	for _, s := range e.Sub {
		out = append(out, f.calledAtStart(s)...)
	}
	return out
}

// A call is a rule that an expression calls; last says that the expression ends where the call does.
type call struct {
	rule string
	last bool
}

// calls lists what e calls on its own way through the input. What a lookahead calls does not count: it starts anew, with
// nothing to come back to.
func calls(e *expr.Expr) []call {
	var out []call
	var visit func(e *expr.Expr, last bool)
	visit = func(e *expr.Expr, last bool) {
		switch e.Op {
		case expr.And, expr.Not:
		case expr.Ref:
			out = append(out, call{e.Name, last})
		case expr.Seq:
			for i, s := range e.Sub {
				visit(s, last && i == len(e.Sub)-1)
			}
		case expr.Repeat:
			visit(e.Sub[0], last && e.Max == 1)
		default:
			for _, s := range e.Sub {
				visit(s, last)
			}
		}
	}
	visit(e, true)
	return out
}

// called lists the rules in calls.
func called(e *expr.Expr) []string {
	var ids []string
	for _, c := range calls(e) {
		ids = append(ids, c.rule)
	}
	return ids
}
