package lang

import (
	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// pegForm knows which rules of an ordered grammar are well-formed (Ford, "Parsing Expression Grammars", 2004, section 3.6:
// no rule calls itself before it has read anything, nothing that can match the empty word is repeated without limit) and
// can be followed by an automaton: no rule calls itself but at its end. Whether something can match the empty word is
// decided as Ford does, from the form alone; it errs on the side of "it can".
type pegForm struct {
	g     *expr.Grammar
	facts *expr.Facts
	fault map[string]error // rule -> what is wrong with it
}

func newPEGForm(g *expr.Grammar) *pegForm {
	f := &pegForm{g: g, facts: expr.Analyze(g.Rules), fault: map[string]error{}}
	for _, r := range g.Rules {
		f.fault[r.ID] = f.ruleFault(r)
	}
	return f
}

// check returns what is wrong with e or with a rule that it uses, or nil.
func (f *pegForm) check(e *expr.Expr) error {
	if err := f.exprFault(e); err != nil {
		return err
	}
	for _, id := range f.g.Reach(expr.Refs(e)...) {
		if err := f.fault[id]; err != nil {
			return err
		}
	}
	return nil
}

func (f *pegForm) exprFault(e *expr.Expr) (err error) {
	expr.Walk(e, func(e *expr.Expr) bool {
		switch {
		case err != nil:
		case e.Op == expr.Ref && f.g.Rule(e.Name) == nil:
			err = expr.Errorf(e.Pos, "rule `%s` is not defined", e.Name)
		case e.Op == expr.Repeat && e.Max == expr.Unbounded && f.facts.Nullable(e.Sub[0]):
			err = expr.Errorf(e.Pos, "%s repeats something that can match the empty word", e)
		}
		return err == nil
	})
	return err
}

func (f *pegForm) ruleFault(r *expr.Rule) error {
	if err := f.exprFault(r.Expr); err != nil {
		return err
	}
	if way := f.g.Path(r.ID, r.ID, f.calledAtStart); way != nil {
		return expr.Errorf(r.Pos, "rule `%s` can call itself%s before it has read anything", r.ID, expr.Through(way[1:]))
	}
	for _, c := range calls(r.Expr) {
		if c.last {
			continue
		}
		if c.rule == r.ID {
			return expr.Errorf(r.Pos, "rule `%s` calls itself other than at its end", r.ID)
		}
		if way := f.g.Path(c.rule, r.ID, called); way != nil {
			return expr.Errorf(r.Pos, "rule `%s` calls itself%s other than at its end", r.ID, expr.Through(way))
		}
	}
	return nil
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
			if !f.facts.Nullable(s) {
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

// A call is a rule that an expression calls; last reports that the expression ends where the call does.
type call struct {
	rule string
	last bool
}

// calls lists what e calls on its own way through the input. What a lookahead calls does not count: it starts again, with
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
