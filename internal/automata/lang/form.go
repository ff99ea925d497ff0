package lang

import (
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// pegForm knows which rules of an ordered grammar are well-formed (Ford, "Parsing Expression Grammars", 2004, section 3.6:
// no rule calls itself before it has read anything, nothing that can match the empty word is repeated without limit) and
// can be followed by an automaton: no rule calls itself but at its end. Whether something can match the empty word is
// decided as Ford does, from the form alone; it errs on the side of "it can".
type pegForm struct {
	g       *expr.Grammar
	facts   *expr.Facts
	fault   map[string]error // rule -> what is wrong with it
	broken  map[string]error // rule -> why it is not well-formed
	reaches map[string]bool  // rules that use a rule with a fault, or have one
}

func newPEGForm(g *expr.Grammar) *pegForm {
	f := &pegForm{g: g, facts: expr.Analyze(g.Rules), fault: map[string]error{}, broken: map[string]error{}}
	atStart, onTheWay := expr.Circles(g.Rules, f.facts.Leftmost), expr.Circles(g.Rules, called)
	for _, r := range g.Rules {
		if err := f.ruleFault(r, atStart, onTheWay); err != nil && f.fault[r.ID] == nil {
			f.fault[r.ID] = err
		}
	}
	f.reaches = g.Using(slices.Collect(maps.Keys(f.fault))...)
	return f
}

// check returns what is wrong with e or with a rule that it uses, or nil.
func (f *pegForm) check(e *expr.Expr) error {
	if err := f.exprFault(e); err != nil {
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

// WellFormed returns why a rule, or one that it uses, is not well-formed, or nil. A rule that nests is well-formed, although
// it has no automaton.
func (p *PEG) WellFormed(id string) error {
	for _, id := range p.g.Reach(id) {
		if err := p.form.broken[id]; err != nil {
			return err
		}
	}
	return nil
}

func (f *pegForm) exprFault(e *expr.Expr) error {
	switch bad := expr.Find(e, func(e *expr.Expr) bool { return e.Op == expr.Ref && f.g.Rule(e.Name) == nil || f.facts.RepeatsEmpty(e) }); {
	case bad == nil:
		return nil
	case bad.Op == expr.Ref:
		return expr.Errorf(bad.Pos, "rule `%s` is not defined", bad.Name)
	default:
		return expr.Errorf(bad.Pos, "%s repeats something that can match the empty word", bad)
	}
}

// formFault returns why a rule is not well-formed, or nil.
func (f *pegForm) formFault(r *expr.Rule, atStart map[string][]*expr.Rule) error {
	if err := f.exprFault(r.Expr); err != nil {
		return err
	}
	if circle := atStart[r.ID]; circle != nil {
		way := f.way(circle, r.ID, r.ID, f.facts.Leftmost)
		return expr.Errorf(r.Pos, "rule `%s` can call itself%s before it has read anything", r.ID, expr.Through(way[1:]))
	}
	return nil
}

func (f *pegForm) ruleFault(r *expr.Rule, atStart, onTheWay map[string][]*expr.Rule) error {
	if err := f.formFault(r, atStart); err != nil {
		f.broken[r.ID] = err
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
		way := f.way(circle, c.ID, r.ID, called)
		return expr.Errorf(r.Pos, "rule `%s` calls itself%s other than at its end", r.ID, expr.Through(way))
	}
	return nil
}

// way returns a shortest way inside a circle. In a circle of many rules it is not looked for.
func (f *pegForm) way(circle []*expr.Rule, from, to string, uses func(*expr.Expr) []string) []string {
	const most = 1000
	if len(circle) <= most {
		if way := f.g.Path(from, to, uses); way != nil {
			return way
		}
	}
	return []string{from}
}

// called lists the rules that e calls on its own way through the input.
func called(e *expr.Expr) []string {
	var ids []string
	for _, c := range expr.Calls(e) {
		ids = append(ids, c.ID)
	}
	return ids
}
