package expr

import "slices"

// A First is what words can begin with. A word of a part that derives nothing counts as well.
type First struct {
	facts *Facts
	rules map[string]Set
}

// First computes what the words of the rules can begin with.
func (f *Facts) First(rules []*Rule) *First {
	b := &First{f, map[string]Set{}}
	users := map[string][]*Rule{}
	for _, r := range rules {
		for _, id := range Refs(r.Expr) {
			users[id] = append(users[id], r)
		}
	}
	waits := map[*Rule]bool{}
	for todo := slices.Clone(rules); len(todo) > 0; todo = todo[1:] { // to the least fixed point
		r := todo[0]
		waits[r] = false
		if s := b.Of(r.Expr); s != b.rules[r.ID] {
			b.rules[r.ID] = s
			for _, u := range users[r.ID] {
				if !waits[u] {
					todo, waits[u] = append(todo, u), true
				}
			}
		}
	}
	return b
}

// Of returns the bytes that words of e can begin with.
func (b *First) Of(e *Expr) (s Set) {
	switch e.Op {
	case Class:
		return e.Set
	case Literal:
		return Bytes(e.Lit[:1])
	case Ref:
		return b.rules[e.Name]
	}
	for _, sub := range e.Sub {
		s = s.Union(b.Of(sub))
		if e.Op == Seq && !b.facts.Nullable(sub) {
			break
		}
	}
	return s
}
