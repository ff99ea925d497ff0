package expr

import "slices"

// A First is what words can begin with. A word of a part that derives nothing counts as well; what a lookahead reads does not.
type First struct {
	facts *Facts
	rules map[string]Set
}

// First computes what the words of the rules can begin with. Of two rules with one ID both count.
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
		if s := b.rules[r.ID].Union(b.Of(r.Expr)); s != b.rules[r.ID] {
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
	case And, Not:
		return s
	case Seq:
		return b.OfSeq(e.Sub, s)
	}
	for _, sub := range e.Sub {
		s = s.Union(b.Of(sub))
	}
	return s
}

// OfSeq returns the bytes that words of some expressions, one after the other, can begin with, where next come behind them.
func (b *First) OfSeq(seq []*Expr, next Set) (s Set) {
	for _, e := range seq {
		s = s.Union(b.Of(e))
		if !b.facts.Nullable(e) {
			return s
		}
	}
	return s.Union(next)
}

// Follow returns, by ID, the bytes that can stand behind the rules, each of which is a start: behind each the input can end as well.
func (b *First) Follow(rules []*Rule) map[string]Set {
	after := map[string]Set{}
	for changed := true; changed; {
		changed = false
		for _, r := range rules {
			b.Walk(r.Expr, after[r.ID], func(e *Expr, next Set) {
				if e.Op == Ref {
					if s := after[e.Name].Union(next); s != after[e.Name] {
						after[e.Name], changed = s, true
					}
				}
			})
		}
	}
	return after
}

// Round returns the bytes that can come behind one round of a repetition, where next come behind the whole.
func (b *First) Round(e *Expr, next Set) Set {
	if e.Max == 1 {
		return next
	}
	return next.Union(b.Of(e.Sub[0]))
}

// Walk calls visit for e and what is below it outside of lookaheads, with the bytes that can come behind, which are next for e.
func (b *First) Walk(e *Expr, next Set, visit func(e *Expr, next Set)) {
	visit(e, next)
	switch e.Op {
	case And, Not:
	case Seq:
		for i, s := range slices.Backward(e.Sub) {
			b.Walk(s, next, visit)
			next = b.OfSeq(e.Sub[i:i+1], next)
		}
	case Repeat:
		b.Walk(e.Sub[0], b.Round(e, next), visit)
	default:
		for _, s := range e.Sub {
			b.Walk(s, next, visit)
		}
	}
}
