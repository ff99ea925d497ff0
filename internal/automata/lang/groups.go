package lang

import (
	"cmp"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// groups are the rules of a grammar in sets: rules that use each other are in one set, and every other rule is in a
// set of its own.
type groups struct {
	of      map[string]int   // by rule: its group
	members [][]*expr.Rule   // by group
	uses    [][]string       // by group: the rules that its members use, perhaps some of its own
	failed  map[string]error // by rule: why nothing can be computed for it
}

// newGroups groups the rules of g. uses returns the rules that one uses; names without a rule are ignored.
func newGroups(g *expr.Grammar, uses func(r *expr.Rule) []string) *groups {
	x := &groups{
		of: make(map[string]int, len(g.Rules)), members: expr.Groups(g.Rules, uses), failed: map[string]error{},
	}
	for i, members := range x.members {
		for _, r := range members {
			x.of[r.ID] = i
		}
	}
	x.uses = make([][]string, len(x.members))
	for i, members := range x.members {
		for _, r := range members {
			for _, id := range uses(r) {
				if _, ok := x.of[id]; ok {
					x.uses[i] = append(x.uses[i], id)
				}
			}
		}
	}
	return x
}

// visit computes the group of a rule, after the groups that it uses, unless they are done or have failed. done
// reports whether a rule is. A group that uses a failed rule fails too: x.failed gets the error for each of its
// rules. An unknown rule is ignored.
func (x *groups) visit(id string, done func(id string) bool, compute func(members []*expr.Rule) error) {
	met := map[int]bool{}
	var enter func(group int)
	enter = func(group int) {
		members := x.members[group]
		if first := members[0].ID; met[group] || done(first) || x.failed[first] != nil {
			return
		}
		met[group] = true
		var err error
		for _, used := range x.uses[group] {
			enter(x.of[used])
			err = cmp.Or(err, x.failed[used])
		}
		if err == nil {
			err = compute(members)
		}
		for _, r := range members {
			if err != nil {
				x.failed[r.ID] = err
			}
		}
	}
	if at, ok := x.of[id]; ok {
		enter(at)
	}
}
