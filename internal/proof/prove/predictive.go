package prove

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A structure is a proof without automata, for what is not regular, or too large. It holds for a set of rules such that
//
//   - each is its production as it is written, but for the order of alternatives ([compareText]), and uses only rules of
//     the set;
//   - none calls itself before it has read anything, and nothing that can be empty is repeated;
//   - the next byte decides every choice: no two alternatives can begin with one byte; only the last can be empty, and then
//     no other can begin with a byte that may follow; and no round of a repetition can begin with one that may follow.
//
// Then, for each expression e of the set: if e derives u, and v is empty or begins with a byte that may follow e, then e
// matches exactly u on uv. By induction on the derivation: of a choice, the alternatives before the one that derives u
// cannot match, since they would have to begin with the byte that u begins with, or if u is empty with one that may follow;
// a repetition goes on as long as u does, since what is left of u begins a round, and ends there, since v does not. So a
// rule matches all that its production derives, v being empty. And what an expression without lookahead matches it derives.
// These are the LL(1) grammars, of which R. R. Redziejowski shows the same ("From EBNF to PEG", 2013).
type structure struct {
	p     *proof
	found bool
	set   map[string]bool // rules
	first map[string]expr.Set
	after map[string]expr.Set // what may follow a rule
	facts *expr.Facts
	bad   bool // the rule that is being looked at has a choice that the next byte does not decide
	grew  bool
}

func newStructure(p *proof) *structure { return &structure{p: p} }

// holds reports whether a row is proven in this way, and if so enters that.
func (s *structure) holds(r *row) bool {
	s.find()
	if !s.set[r.Production] {
		return false
	}
	r.Equal, r.Structure = true, true
	return true
}

// find computes the set.
func (s *structure) find() {
	if s.found {
		return
	}
	s.found = true
	s.set, s.first, s.after = map[string]bool{}, map[string]expr.Set{}, map[string]expr.Set{}
	rules := s.p.pair.PEG
	s.facts = expr.Analyze(rules.Rules)
	users := map[string][]string{}
	for _, r := range s.p.rows {
		if s.p.missing.open[r.Production] || compareText(r.bnf.Expr, r.peg.Expr) == rewritten {
			continue
		}
		s.set[r.Production] = true
		for _, id := range expr.Refs(r.peg.Expr) {
			users[id] = append(users[id], r.Production)
		}
	}
	drop := func(ids []string) {
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
	list := s.list()
	drop(s.leftRecursive(list))
	list = s.list()

	for s.grew = true; s.grew; {
		s.grew = false
		for _, r := range slices.Backward(list) { // which mostly come before what they use
			s.add(s.first, r.ID, s.begins(r.Expr))
		}
	}
	for s.grew = true; s.grew; {
		s.grew = false
		for _, r := range list {
			s.follow(r.Expr, s.after[r.ID])
		}
	}
	var bad []string
	for _, r := range list {
		s.bad = false
		s.follow(r.Expr, s.after[r.ID])
		if s.bad {
			bad = append(bad, r.ID)
		}
	}
	drop(bad)
}

// list returns the rules of the set in the order of the file.
func (s *structure) list() (list []*expr.Rule) {
	for _, r := range s.p.pair.PEG.Rules {
		if s.set[r.ID] {
			list = append(list, r)
		}
	}
	return list
}

func (s *structure) add(to map[string]expr.Set, id string, set expr.Set) {
	if old := to[id]; old.Union(set) != old {
		to[id] = old.Union(set)
		s.grew = true
	}
}

// leftRecursive lists the rules that can call themselves before they have read anything.
func (s *structure) leftRecursive(list []*expr.Rule) (ids []string) {
	index := map[string]int{}
	for i, r := range list {
		index[r.ID] = i
	}
	var atStart func(e *expr.Expr) []int
	atStart = func(e *expr.Expr) (out []int) {
		if e.Op == expr.Ref {
			if i, ok := index[e.Name]; ok {
				return []int{i}
			}
			return nil
		}
		for _, sub := range e.Sub {
			out = append(out, atStart(sub)...)
			if e.Op == expr.Seq && !s.facts.Nullable(sub) {
				break
			}
		}
		return out
	}
	for _, group := range expr.Components(len(list), func(i int) []int { return atStart(list[i].Expr) }) {
		if len(group) > 1 || slices.Contains(atStart(list[group[0]].Expr), group[0]) {
			for _, i := range group {
				ids = append(ids, list[i].ID)
			}
		}
	}
	return ids
}

// begins returns the bytes with which what e matches can begin.
func (s *structure) begins(e *expr.Expr) (set expr.Set) {
	switch e.Op {
	case expr.Class:
		return e.Set
	case expr.Literal:
		return expr.Bytes(e.Lit[:1])
	case expr.Ref:
		return s.first[e.Name]
	}
	for _, sub := range e.Sub {
		set = set.Union(s.begins(sub))
		if e.Op == expr.Seq && !s.facts.Nullable(sub) {
			break
		}
	}
	return set
}

// follow adds what may follow the rules that e calls, given what may follow e, and looks whether the next byte decides the
// choices in e.
func (s *structure) follow(e *expr.Expr, after expr.Set) {
	switch e.Op {
	case expr.Empty, expr.Class, expr.Literal:
	case expr.Ref:
		s.add(s.after, e.Name, after)
	case expr.Seq:
		for _, sub := range slices.Backward(e.Sub) {
			s.follow(sub, after)
			if begins := s.begins(sub); s.facts.Nullable(sub) {
				after = after.Union(begins)
			} else {
				after = begins
			}
		}
	case expr.Alt:
		var before expr.Set
		for i, sub := range e.Sub {
			s.follow(sub, after)
			begins := s.begins(sub)
			if s.facts.Nullable(sub) {
				begins = begins.Union(after)
				s.bad = s.bad || i < len(e.Sub)-1
			}
			s.bad = s.bad || !before.Intersect(begins).IsEmpty()
			before = before.Union(begins)
		}
	case expr.Repeat:
		begins := s.begins(e.Sub[0])
		s.bad = s.bad || s.facts.Nullable(e.Sub[0])
		if e.Max != e.Min {
			s.bad = s.bad || !begins.Intersect(after).IsEmpty()
		}
		if e.Max == expr.Unbounded || e.Max > 1 {
			after = after.Union(begins)
		}
		s.follow(e.Sub[0], after)
	case expr.Node:
		s.follow(e.Sub[0], after)
	default: // a lookahead
		s.bad = true
	}
}
