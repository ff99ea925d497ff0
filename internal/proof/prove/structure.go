package prove

import (
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A structure is a proof without automata, for grammars that are not regular, or too large. It holds for a
// set of rules such that
//
//   - each is written like its production, but for the order of alternatives ([compareText]), is not refused, and
//     uses only rules of the set;
//   - none calls itself before it has read anything, and nothing that can be empty is repeated;
//   - the next byte decides every choice: no two alternatives can begin with the same byte; only the last can be empty,
//     and then no other can begin with a byte that may follow; and no round of a repetition can begin with one that
//     may follow.
//
// Then, for each expression e of the set: if e derives u, and v is empty or begins with a byte that may
// follow e, then e matches exactly u on uv. The proof is by induction on the derivation. In a choice, the
// alternatives before the one that derives u cannot match: they would have to begin with the byte that u
// begins with or, if u is empty, with one that may follow. A repetition goes on as long as u does, since what
// is left of u begins a round, and ends there, since v does not. So a rule matches all that its production
// derives, v being empty. And what an expression without lookahead matches it derives. These are the LL(1)
// grammars, for which R. R. Redziejowski shows the same ("From EBNF to PEG", 2013).
type structure struct {
	p     *proof
	set   map[string]bool // rules
	facts *expr.Facts
	first *expr.First
}

// proveByStructure reports whether a rule is proven by structure, and if so sets Equal and Structure of its row. The
// first call computes p.structure, so it must not be called concurrently.
func (p *proof) proveByStructure(r *row) bool {
	if p.structure == nil {
		p.structure = &structure{p: p, set: map[string]bool{}, facts: expr.Analyze(p.pair.PEG.Rules)}
		p.structure.findProvable()
	}
	if !p.structure.set[r.Production] {
		return false
	}
	r.Equal, r.Structure = true, true
	return true
}

// findProvable computes s.set, which is empty before, and s.first: it starts with the rules that are written as their
// productions and removes those that fail a condition, with all that use them.
func (s *structure) findProvable() {
	users := map[string][]string{}
	for _, r := range s.p.rows {
		if s.p.missing.open[r.Production] || r.peg.Refused != nil || compareText(r.bnf.Expr, r.peg.Expr) == rewritten {
			continue
		}
		s.set[r.Production] = true
		for _, id := range expr.Refs(r.peg.Expr) {
			users[id] = append(users[id], r.Production)
		}
	}
	drop := func(ids []string) { // and, transitively, whatever uses them
		for ; len(ids) > 0; ids = ids[1:] {
			if s.set[ids[0]] {
				delete(s.set, ids[0])
				ids = append(ids, users[ids[0]]...)
			}
		}
	}
	var outside []string
	for id, by := range users {
		if !s.set[id] {
			outside = append(outside, by...)
		}
	}
	drop(outside)
	drop(slices.Collect(maps.Keys(expr.Circles(s.p.pair.PEG.Those(s.set), s.facts.Leftmost))))
	list := s.p.pair.PEG.Those(s.set)
	s.first = s.facts.First(list) // also of rules that are dropped next: what may begin does not depend on these
	after := s.first.Follow(list)
	var undecided []string
	for _, r := range list {
		if !s.nextByteDecides(r.Expr, after[r.ID]) {
			undecided = append(undecided, r.ID)
		}
	}
	drop(undecided)
}

// nextByteDecides reports whether the next byte decides every choice in e, if a byte of after, or the end of the
// input, follows e. It is false if e has a lookahead, repeats something that can be empty, or was cut off at a depth.
// It does not look at what the references in e lead to. s.first must be set.
func (s *structure) nextByteDecides(e *expr.Expr, after expr.Set) (ok bool) {
	ok = true
	s.first.Walk(e, after, func(e *expr.Expr, after expr.Set) {
		switch e.Op {
		case expr.Alt:
			var before expr.Set
			for i, sub := range e.Sub {
				begins := s.first.Of(sub)
				if s.facts.Nullable(sub) {
					begins = begins.Union(after)
					ok = ok && i == len(e.Sub)-1
				}
				ok = ok && before.Intersect(begins).IsEmpty()
				before = before.Union(begins)
			}
		case expr.Repeat:
			ok = ok && !s.facts.Nullable(e.Sub[0])
			// With an exact count there is nothing to decide.
			ok = ok && (e.Max == e.Min || s.first.Of(e.Sub[0]).Intersect(after).IsEmpty())
		case expr.And, expr.Not, expr.Deep:
			ok = false
		}
	})
	return ok
}
