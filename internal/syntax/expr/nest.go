package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Call is a use of a rule in an expression of a PEG. Last reports that nothing of the expression follows it: a
// tail call.
type Call struct {
	ID   string
	Last bool
}

// Calls lists the calls of e outside of lookaheads. A lookahead is a match of its own, which begins anew.
func Calls(e *Expr) []Call {
	var out []Call
	var visit func(e *Expr, last bool)
	visit = func(e *Expr, last bool) {
		switch e.Op {
		case And, Not:
			// the calls in it are left out
		case Ref:
			out = append(out, Call{e.Name, last})
		case Seq:
			for i, s := range e.Sub {
				visit(s, last && i == len(e.Sub)-1)
			}
		case Repeat:
			visit(e.Sub[0], last && e.Max == 1)
		default:
			for _, s := range e.Sub {
				visit(s, last)
			}
		}
	}
	visit(e, true)
	return out
}

// A Nesting has the sets of rules of a grammar that use each other in such a way that no finite automaton follows
// them. In a BNF a rule of such a set embeds itself, in a PEG it calls itself other than at its end.
//
// In each set some rules are its heads, so that every circle of uses goes through one. They are found by a walk
// through the uses, depth-first and in the order of the text, that begins with the rules that are used from
// outside: the heads are the rules that it comes back to. A use of a head by a rule of the same set is a re-entry.
// The depth of a derivation, and of a match, is the largest number of re-entries of one set that lie inside each
// other. A re-entry in a PEG does not count if the rule cannot begin with the next byte and cannot match the empty
// word, so that it fails at any depth.
type Nesting struct {
	g     *Grammar
	set   map[string]*Rule // for each rule that nests, the first rule of its set, which stands for the set
	heads map[string]bool  // by rule: whether it is a head
	facts *Facts
	first *First // PEG: the bytes that matches of each rule can begin with
}

// Nesting finds the sets of rules that nest in g, and their heads.
func (g *Grammar) Nesting() *Nesting {
	facts := Analyze(g.Rules)
	n := &Nesting{g: g, set: map[string]*Rule{}, heads: map[string]bool{}, facts: facts}
	uses := Refs
	if !g.Ordered {
		uses = func(e *Expr) (ids []string) {
			for _, u := range facts.UsesIn(e) {
				ids = append(ids, u.ID)
			}
			return ids
		}
	}
	circles := Circles(g.Rules, uses)
	entered := map[string]bool{} // rules that are used from outside
	nests := map[*Rule]bool{}    // by the first of a circle
	for _, r := range g.Rules {
		circle := circles[r.ID]
		inside := func(id string) bool { return circle != nil && circles[id] != nil && circles[id][0] == circle[0] }
		for _, id := range uses(r.Expr) {
			entered[id] = entered[id] || !inside(id)
		}
		if circle != nil && g.Ordered {
			embeds := func(c Call) bool { return !c.Last && inside(c.ID) }
			nests[circle[0]] = nests[circle[0]] || slices.ContainsFunc(Calls(r.Expr), embeds)
		} else if circle != nil {
			nests[circle[0]] = facts.Component(r.ID).Embeds()
		}
	}
	for _, r := range g.Rules {
		circle := circles[r.ID]
		if circle == nil || !nests[circle[0]] || n.set[r.ID] != nil {
			continue
		}
		for _, in := range circle {
			n.set[in.ID] = circle[0]
		}
		n.findHeads(circle, entered, uses)
	}
	if g.Ordered && len(n.heads) > 0 {
		n.first = facts.First(g.Rules)
	}
	return n
}

// Begins returns the bytes that a match of a rule of a PEG can begin with. ok is false if the match can be empty.
// Some rule of the grammar must nest.
func (n *Nesting) Begins(id string) (s Set, ok bool) {
	return n.first.Of(To(id)), !n.facts.Nullable(To(id))
}

// findHeads enters in n.heads the rules of a set that a depth-first walk comes back to while they are open. The walk
// begins with the rules that are used from outside the set, those of entered, and goes on with those that it has not
// met. n.set must have the set.
func (n *Nesting) findHeads(set []*Rule, entered map[string]bool, uses func(*Expr) []string) {
	open := map[string]bool{} // true while the walk is inside the rule, false once it has left it
	var enter func(id string)
	enter = func(id string) {
		open[id] = true
		for _, to := range uses(n.g.Rule(id).Expr) {
			if n.set[to] != n.set[id] { // outside of the set
				continue
			}
			if is, met := open[to]; !met {
				enter(to)
			} else if is {
				n.heads[to] = true
			}
		}
		open[id] = false
	}
	for _, outside := range []bool{true, false} {
		for _, root := range set {
			if _, met := open[root.ID]; !met && entered[root.ID] == outside {
				enter(root.ID)
			}
		}
	}
}

// Nests reports whether the rule with this ID nests.
func (n *Nesting) Nests(id string) bool { return n.set[id] != nil }

// Use reports whether a use of one rule in another stays inside a set that nests, and whether it is a re-entry.
func (n *Nesting) Use(in, used string) (inside, again bool) {
	inside = n.set[in] != nil && n.set[in] == n.set[used]
	return inside, inside && n.heads[used]
}

// Users returns, by ID, the rules that nest and those that use them.
func (n *Nesting) Users() map[string]bool { return n.g.Using(slices.Collect(maps.Keys(n.set))...) }

// Heads lists the rules that are re-entered, in the order of the text.
func (n *Nesting) Heads() []*Rule { return n.g.Those(n.heads) }

// Least returns the least depth at which a rule of a BNF derives a string. ok is false if the rule derives none at
// any depth, or only at one for which [Nesting.To] fails. A shallowest derivation enters no head twice inside
// itself, so no more depths than there are heads need to be tried.
func (n *Nesting) Least(id string) (depth int, ok bool) {
	for ; depth <= len(n.heads); depth++ {
		cut, err := n.To(depth)
		if err != nil {
			return 0, false
		}
		if Analyze(cut.Rules).Derives(To(id)) {
			return depth, true
		}
	}
	return 0, false
}

// maxNested caps the rules of a grammar that is read to a depth.
const maxNested = 1 << 17

// To returns the grammar with each recursion read to a depth. Every rule that nests gets a copy for each further
// depth, whose ID ends in "@" and the depth, and a re-entry goes to the copy one level deeper. Beyond the last
// depth a BNF derives nothing, and a match of a PEG ends with [Deep]. If nothing nests, To returns the grammar
// itself, whatever the depth. Otherwise it fails if there would be more than about maxNested copies, or if depth is
// negative.
func (n *Nesting) To(depth int) (*Grammar, error) {
	if len(n.set) == 0 {
		return n.g, nil
	}
	if depth < 0 {
		return nil, fmt.Errorf("%s: read to a depth of %d, which is negative", n.g.Name, depth)
	}
	if depth > maxNested/len(n.set) {
		const format = "%s: read to a depth of %d, the grammar has more than %d rules"
		return nil, fmt.Errorf(format, n.g.Name, depth, maxNested)
	}
	var rules []*Rule
	for _, r := range n.g.Rules {
		if !n.Nests(r.ID) {
			rules = append(rules, r)
			continue
		}
		for d := range depth + 1 {
			c := *r
			c.ID = deepID(r.ID, d)
			c.Expr = n.at(r.Expr, r.ID, d, depth)
			rules = append(rules, &c)
		}
	}
	return n.g.With(rules), nil
}

// deepID returns the ID of the copy of a rule for a depth.
func deepID(id string, depth int) string {
	if depth == 0 {
		return id
	}
	return fmt.Sprintf("%s@%d", id, depth)
}

// Origin returns the ID of the rule that the rule with this ID is a copy of, if [Nesting.To] made it, and
// otherwise id itself.
func Origin(id string) string {
	id, _, _ = strings.Cut(id, "@")
	return id
}

// at returns e, a part of the rule in, for the copy of the rule for this depth: references inside the set go to
// its copies. A reference beyond last, the last depth, becomes the empty class in a BNF. In a PEG it becomes a
// [Deep], after a lookahead for the bytes that the rule can begin with, unless it can match the empty word.
func (n *Nesting) at(e *Expr, in string, depth, last int) *Expr {
	if e.Op != Ref {
		if len(e.Sub) == 0 {
			return e
		}
		return e.Map(func(s *Expr) *Expr { return n.at(s, in, depth, last) })
	}
	inside, again := n.Use(in, e.Name)
	if !inside {
		return e
	}
	if again {
		depth++
	}
	if depth > last {
		if n.g.Ordered {
			deep := &Expr{Op: Deep, Name: e.Name, Pos: e.Pos}
			if first, ok := n.Begins(e.Name); ok {
				return Cat(Lookahead(In(first), false), deep)
			}
			return deep
		}
		return &Expr{Op: Class, Pos: e.Pos}
	}
	c := *e
	c.Name = deepID(e.Name, depth)
	return &c
}
