package lang

import (
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// pegForm knows which rules of an ordered grammar are well-formed ([expr.Form]) and can be followed by an automaton:
// these call themselves only at their end.
type pegForm struct {
	*expr.Form
	g       *expr.Grammar
	fault   map[string]error // by rule: its fault
	reaches map[string]bool  // rules that have a fault, or use a rule with one
}

// checkForm finds the faults of all rules of g.
func checkForm(g *expr.Grammar) *pegForm {
	f := &pegForm{Form: expr.NewForm(g), g: g, fault: map[string]error{}}
	onTheWay := expr.Circles(g.Rules, called)
	for _, r := range g.Rules {
		if err := f.ruleFault(r, onTheWay); err != nil && f.fault[r.ID] == nil {
			f.fault[r.ID] = err
		}
	}
	f.reaches = g.Using(slices.Collect(maps.Keys(f.fault))...)
	return f
}

// check returns the fault of e, or of a rule that it uses, or nil.
func (f *pegForm) check(e *expr.Expr) error {
	if err := f.OfExpr(e); err != nil {
		return err
	}
	refs := expr.Refs(e)
	if !slices.ContainsFunc(refs, func(id string) bool { return f.reaches[id] }) {
		return nil
	}
	for _, id := range f.g.Reach(refs...) {
		if err := f.fault[id]; err != nil {
			return err
		}
	}
	return nil
}

// WellFormed returns an error if a rule, or one that it uses, is not well-formed: see [expr.Form]. A rule that nests
// is well-formed, although it has no automaton.
func (p *PEG) WellFormed(id string) error { return p.form.WellFormed(id) }

// ruleFault returns the fault of the rule r itself, or nil. onTheWay has, by member, the circles of rules that call
// each other while the input is read.
func (f *pegForm) ruleFault(r *expr.Rule, onTheWay map[string][]*expr.Rule) error {
	if err := f.OfRule(r.ID); err != nil {
		return err
	}
	for _, c := range expr.Calls(r.Expr) {
		circle := onTheWay[r.ID]
		if c.Last || circle == nil || onTheWay[c.ID] == nil || onTheWay[c.ID][0] != circle[0] {
			continue
		}
		if c.ID == r.ID {
			return expr.Errorf(r.Pos, "rule `%s` calls itself other than at its end", r.ID)
		}
		way := f.Way(circle, c.ID, r.ID, called)
		return expr.Errorf(r.Pos, "rule `%s` calls itself%s other than at its end", r.ID, expr.Through(way))
	}
	return nil
}

// called lists the rules that e calls on its own way through the input.
func called(e *expr.Expr) []string {
	var ids []string
	for _, c := range expr.Calls(e) {
		ids = append(ids, c.ID)
	}
	return ids
}
