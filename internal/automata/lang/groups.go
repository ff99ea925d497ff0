package lang

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// groups are the rules of a grammar in sets: those that use each other, and each of the others by itself.
type groups struct {
	of      map[string]int // rule -> its group
	members [][]*expr.Rule // of each group
	uses    [][]int        // the groups that each uses, itself perhaps among them
}

// newGroups groups the rules of g by the uses of each. Of two rules with one ID the first counts.
func newGroups(g *expr.Grammar, uses func(r *expr.Rule) []string) *groups {
	x := &groups{of: make(map[string]int, len(g.Rules))}
	index := make(map[string]int, len(g.Rules))
	var rules []*expr.Rule
	for _, r := range g.Rules {
		if _, ok := index[r.ID]; !ok {
			index[r.ID] = len(rules)
			rules = append(rules, r)
		}
	}
	next := make([][]int, len(rules))
	for i, r := range rules {
		for _, id := range uses(r) {
			if j, ok := index[id]; ok {
				next[i] = append(next[i], j)
			}
		}
	}
	for _, list := range expr.Components(len(rules), func(i int) []int { return next[i] }) {
		var members []*expr.Rule
		for _, i := range list {
			members = append(members, rules[i])
			x.of[rules[i].ID] = len(x.members)
		}
		x.members = append(x.members, members)
	}
	x.uses = make([][]int, len(x.members))
	for i, r := range rules {
		at := x.of[r.ID]
		for _, j := range next[i] {
			x.uses[at] = append(x.uses[at], x.of[rules[j].ID])
		}
	}
	return x
}

// visit computes the group of a rule, and before it the groups that it uses, unless they are done.
func (x *groups) visit(id string, done func(group int) bool, compute func(group int)) {
	at, ok := x.of[id]
	if !ok {
		return
	}
	type call struct {
		group int
		uses  []int
	}
	met := map[int]bool{}
	var calls []call
	enter := func(group int) {
		if !met[group] && !done(group) {
			met[group] = true
			calls = append(calls, call{group, x.uses[group]})
		}
	}
	for enter(at); len(calls) > 0; {
		top := &calls[len(calls)-1]
		if len(top.uses) > 0 {
			group := top.uses[0]
			top.uses = top.uses[1:]
			enter(group)
			continue
		}
		group := top.group
		calls = calls[:len(calls)-1]
		compute(group)
	}
}
