package lang

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// groups are the rules of a grammar in sets: those that use each other, and each of the others by itself.
type groups struct {
	of      map[string]int // rule -> its group
	members [][]*expr.Rule // of each group
	uses    [][]int        // the groups that each uses, itself perhaps among them
}

// newGroups groups the rules of g by the uses of each.
func newGroups(g *expr.Grammar, uses func(r *expr.Rule) []string) *groups {
	x := &groups{of: make(map[string]int, len(g.Rules)), members: expr.Groups(g.Rules, uses)}
	for i, members := range x.members {
		for _, r := range members {
			x.of[r.ID] = i
		}
	}
	x.uses = make([][]int, len(x.members))
	for i, members := range x.members {
		for _, r := range members {
			for _, id := range uses(r) {
				if j, ok := x.of[id]; ok {
					x.uses[i] = append(x.uses[i], j)
				}
			}
		}
	}
	return x
}

// visit computes the group of a rule, and before it the groups that it uses, unless they are done.
func (x *groups) visit(id string, done func(group int) bool, compute func(group int)) {
	met := map[int]bool{}
	var enter func(group int)
	enter = func(group int) {
		if met[group] || done(group) {
			return
		}
		met[group] = true
		for _, used := range x.uses[group] {
			enter(used)
		}
		compute(group)
	}
	if at, ok := x.of[id]; ok {
		enter(at)
	}
}
