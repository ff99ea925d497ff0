package expr

import "slices"

// A First has the bytes that the words of each rule can begin with. Lookaheads read nothing. The sets may be too
// large in one way: an alternative that derives no word, since a later part of it derives nothing, still adds its
// first bytes.
type First struct {
	facts *Facts
	rules map[string]Set
}

// First computes the bytes that words of the rules can begin with. If two rules have one ID, the set has the bytes
// of both.
func (f *Facts) First(rules []*Rule) *First {
	b := &First{f, map[string]Set{}}
	users := map[string][]*Rule{}
	for _, r := range rules {
		for _, id := range Refs(r.Expr) {
			users[id] = append(users[id], r)
		}
	}
	waits := map[*Rule]bool{}
	for todo := slices.Clone(rules); len(todo) > 0; todo = todo[1:] { // up to the least fixed point
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

// OfSeq returns the bytes that words of a sequence of expressions, followed by the bytes of next, can begin with.
func (b *First) OfSeq(seq []*Expr, next Set) (s Set) {
	for _, e := range seq {
		s = s.Union(b.Of(e))
		if !b.facts.Nullable(e) {
			return s
		}
	}
	return s.Union(next)
}

// Follow returns, by ID, the bytes that can follow each rule where these rules use it outside lookaheads. Every rule
// counts as a start, so the input can end after each as well. A rule that no byte can follow may have no entry.
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

// Round returns the bytes that can follow one round of the repetition e, if next can follow the whole repetition.
func (b *First) Round(e *Expr, next Set) Set {
	if e.Max == 1 {
		return next
	}
	return next.Union(b.Of(e.Sub[0]))
}

// Walk calls visit for e and every expression below it, each with the bytes that can follow it; next are those that
// can follow e. It does not go below a lookahead, nor into the rules that are used. An expression comes before its
// parts, and the parts of a sequence come from the last to the first.
func (b *First) Walk(e *Expr, next Set, visit func(e *Expr, next Set)) {
	visit(e, next)
	switch e.Op {
	case And, Not:
		// lookaheads are left out
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
