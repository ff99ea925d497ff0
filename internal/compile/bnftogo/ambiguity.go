package bnftogo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file finds the choices of a grammar for which a string has two trees.
//
// It searches the square of the automaton (C. Allauzen, M. Mohri and A. Rastogi, "General
// algorithms for testing the ambiguity of finite automata", 2008). A pair of states is reached by
// one string on two ways with one tree so far. If two ways lead on from a pair that do different
// actions, and a string is accepted from where they lead, the whole string can have two trees: it
// is a candidate. [compiler.findCandidates] finds candidates, at most a few for the same two lists
// of actions.
//
// A candidate says that there are two trees, but not which choice of the grammar makes them. So
// [compiler.settleAmbiguities] enumerates the derivations of each candidate in the order of
// preference, up to a limit on steps, until one has another tree than the first.
//
// Cost: the number of pairs is quadratic in the states at worst. The budget caps it.

// A square walks pairs of states of an automaton. It remembers the paths that lead on from each state.
type square struct {
	n         *choice.Automaton
	paths     map[choice.StateID][]path
	meets     map[choice.StateID][]meet
	exampleOf map[expr.Set]byte // see [square.readable]

	part    *expr.Partition
	members [][]int                    // by set, as n.Sets numbers them: the classes of its bytes
	readers map[choice.StateID][][]int // by state and class, the end last: indexes of the paths that read it

	disjoint map[pair]bool // no string is accepted from both
	held     int64         // bytes that s keeps
}

// A pair holds two states that one string leads to.
type pair struct{ one, other choice.StateID }

// sorted returns the pair with the smaller state first, for searches where the order does not matter.
func (p pair) sorted() pair { return pair{min(p.one, p.other), max(p.one, p.other)} }

// newSquare returns a square of n that has walked nothing yet. n must have all its states: it does not know the sets
// of bytes of later ones.
func newSquare(n *choice.Automaton) *square {
	s := &square{
		n:         n,
		paths:     map[choice.StateID][]path{},
		meets:     map[choice.StateID][]meet{},
		exampleOf: map[expr.Set]byte{},
		part:      n.Partition(),
		readers:   map[choice.StateID][][]int{},
		disjoint:  map[pair]bool{},
	}
	for _, set := range n.Sets.List {
		s.members = append(s.members, s.part.In(set))
	}
	return s
}

// readable returns a byte of the set, a printable one if there is one.
func (s *square) readable(set expr.Set) byte {
	return expr.Memo(s.exampleOf, set, func() byte { return lang.InOrder(set)[0] })
}

// chargeHeld charges for bytes that are kept as long as s is. It panics with the budget's error if they are
// too many.
func (s *square) chargeHeld(bytes int) {
	s.held += int64(bytes)
	s.checkRoom(0)
}

// checkRoom panics with the budget's error if this many bytes are too many, in addition to those that s and
// its automaton keep. It charges nothing.
func (s *square) checkRoom(bytes int) { s.n.Budget.Room(s.n.Held() + s.held + int64(bytes)) }

// pathsFrom is the function [pathsFrom] with a memory, which it charges for. It also sets s.meets and s.readers of q.
func (s *square) pathsFrom(q choice.StateID) []path {
	paths, ok := s.paths[q]
	if ok {
		return paths
	}
	paths, s.meets[q] = pathsFrom(s.n, q)
	s.paths[q] = paths
	readers := make([][]int, s.part.N+1)
	for i, x := range paths {
		classes := []int{s.part.N} // the end of the input
		if st := &s.n.States[x.to]; st.Op == opcode.Byte {
			classes = s.members[st.Arg]
		}
		for _, class := range classes {
			readers[class] = append(readers[class], i)
		}
	}
	s.readers[q] = readers
	s.chargeHeld(256 + 64*len(paths) + 24*len(readers))
	return paths
}

// meetsAt returns the states where two ways from the pair meet; none unless both states of the pair are the
// same.
func (s *square) meetsAt(p pair) []meet {
	if p.one != p.other {
		return nil
	}
	s.pathsFrom(p.one) // sets s.meets
	return s.meets[p.one]
}

// A walked is a pair that a search has reached, with the byte that led to it.
type walked struct {
	pair
	from int // index of the pair before it; -1 for the first
	by   byte
}

// beginAt returns the walked pairs that a search from p begins with.
func beginAt(p pair) []walked { return []walked{{pair: p, from: -1}} }

// pairBytes is the memory of a walked pair, with its place in a map.
const pairBytes = 80

// wordOf returns the string that leads to pairs[i].
func wordOf(pairs []walked, i int) string {
	var w []byte
	for ; pairs[i].from >= 0; i = pairs[i].from {
		w = append(w, pairs[i].by)
	}
	slices.Reverse(w)
	return string(w)
}

// eachCommonStep calls f for each path from p.one and path from p.other whose ends read a byte in common. It passes
// the two paths, one such byte, and the pair that it leads to. For two paths that end in accept the byte is "" and the
// next pair is accept twice. If both states of p are the same, a path is also passed with itself, and two paths once,
// not in both orders. It stops when f returns false.
func (s *square) eachCommonStep(p pair, f func(x, y path, by string, next pair) bool) {
	others := s.pathsFrom(p.other)
	readers := s.readers[p.other]
	var found []int // indexes of others
	for i, x := range s.pathsFrom(p.one) {
		a := &s.n.States[x.to]
		found = found[:0]
		if a.Op == opcode.End {
			found = append(found, readers[s.part.N]...)
		} else {
			for _, class := range s.members[a.Arg] {
				found = append(found, readers[class]...)
			}
		}
		// A path that shares several classes with x is found several times.
		slices.Sort(found)
		s.n.Budget.Step(4 + 8*len(found))
		for _, j := range slices.Compact(found) {
			// Of one state, (x, y) and (y, x) are the same two paths.
			if p.one == p.other && j < i {
				continue
			}
			y := others[j]
			if a.Op == opcode.End {
				if !f(x, y, "", pair{accept, accept}) {
					return
				}
				continue
			}
			b := &s.n.States[y.to]
			by := s.readable(s.n.SetOf(a).Intersect(s.n.SetOf(b)))
			if !f(x, y, string([]byte{by}), pair{a.Next[0], b.Next[0]}) {
				return
			}
		}
	}
}

// shortestCommon returns a shortest string that is accepted from both states of a pair; ok is false if there
// is none. All pairs that it reached are then remembered as disjoint, and are not walked again. It panics if the pairs
// take too much memory.
func (s *square) shortestCommon(p pair) (word string, ok bool) {
	pairs := beginAt(p.sorted())
	seen := map[pair]bool{p.sorted(): true}
	for i := 0; i < len(pairs); i++ {
		ends := false
		if !s.disjoint[pairs[i].pair] {
			s.eachCommonStep(pairs[i].pair, func(_, _ path, by string, next pair) bool {
				if by == "" {
					ends = true
					return false
				}
				next = next.sorted()
				if !seen[next] {
					seen[next] = true
					pairs = append(pairs, walked{next, i, by[0]})
					s.checkRoom(len(pairs) * pairBytes)
				}
				return true
			})
		}
		if ends {
			return wordOf(pairs, i), true
		}
	}
	for _, x := range pairs {
		s.disjoint[x.pair] = true
	}
	return "", false
}

// coverStates returns, for q and each state that it leads to by bytes, a string that is accepted by way
// of it, and that string without its last byte. For a state from which nothing is accepted the string only
// leads to it. The words are sorted, each once.
func (s *square) coverStates(q choice.StateID) (words []string) {
	pairs := beginAt(pair{q, q}) // both sides of a pair are the same state here
	index := map[choice.StateID]int{q: 0}
	type edge struct {
		from int
		by   byte
	}
	type found struct {
		into   []edge // the edges that lead to the state
		ends   bool   // its ending is known
		ending string // a shortest string that is accepted from it; "" if there is none
	}
	states := []found{{}} // by index, as in pairs
	var done []int        // a queue of states whose ending is known
	keep := func(w string) string {
		s.n.Budget.Step(1 + len(w)/8)
		s.chargeHeld(pairBytes + len(w))
		return w
	}
	// Forward, breadth-first: all states with a shortest string to each.
	for i := 0; i < len(pairs); i++ {
		for _, x := range s.pathsFrom(pairs[i].one) {
			st := &s.n.States[x.to]
			if st.Op == opcode.End {
				states[i].ends = true
				done = append(done, i)
				continue
			}
			by, next := s.readable(s.n.SetOf(st)), st.Next[0]
			j, ok := index[next]
			if !ok {
				j = len(pairs)
				index[next] = j
				pairs = append(pairs, walked{pair{next, next}, i, by})
				states = append(states, found{})
			}
			states[j].into = append(states[j].into, edge{i, by}) // followed against its direction below
			s.n.Budget.Step(4)
		}
	}
	// Backward from the accepting states: a shortest ending of each.
	for ; len(done) > 0; done = done[1:] {
		to := &states[done[0]]
		for _, e := range to.into {
			from := &states[e.from] // it ends as well: by e.by, and then like the state to
			if !from.ends {
				from.ends = true
				from.ending = keep(string([]byte{e.by}) + to.ending)
				done = append(done, e.from)
			}
		}
	}
	for i := range pairs {
		w := keep(wordOf(pairs, i) + states[i].ending)
		words = append(words, w)
		if len(w) > 0 {
			words = append(words, w[:len(w)-1])
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// A candidate is a string that has two derivations by different actions.
type candidate struct {
	p    *production // the production that derives it
	word string
	acts string // the actions of the two ways where they part; candidates with the same ones are alike
}

// maxPlaces caps the pairs of states at which candidates for the same two lists of actions are
// recorded. More of them are mostly the same choice in other contexts.
const maxPlaces = 4

// findCandidates adds strings of p that may have two trees to c.candidates, at most maxPlaces with the same actions.
// p.start must be built, in the automaton of s.
func (c *compiler) findCandidates(p *production, s *square) {
	pairs := beginAt(pair{p.start, p.start})
	seen := map[pair]bool{pairs[0].pair: true}
	recorded := map[string]map[pair]bool{} // by actions: the pairs for which a common string was found
	for i := 0; i < len(pairs); i++ {
		// record adds a candidate: the string to pairs[i], by, and a string from both of rest.
		record := func(one, other, by string, rest pair) {
			acts := one + "\xff\xff|" + other
			if len(recorded[acts]) == maxPlaces || recorded[acts][rest] {
				return
			}
			if w, ok := s.shortestCommon(rest); ok {
				if recorded[acts] == nil {
					recorded[acts] = map[pair]bool{}
				}
				recorded[acts][rest] = true
				word := wordOf(pairs, i) + by + w
				c.candidates = append(c.candidates, candidate{p, word, acts})
			}
		}
		at := pairs[i].pair
		for _, m := range s.meetsAt(at) {
			record(m.one, m.other, "", pair{m.at, m.at})
		}
		s.eachCommonStep(at, func(x, y path, by string, next pair) bool {
			if x.acts != y.acts {
				// The trees differ from here on, so nothing beyond is walked.
				record(x.acts, y.acts, by, next)
				return true
			}
			if key := next.sorted(); by != "" && !seen[key] {
				seen[key] = true
				pairs = append(pairs, walked{next, i, by[0]})
				s.checkRoom(len(pairs) * pairBytes)
			}
			return true
		})
	}
}

// Limits on the search for the choice that gives a candidate two trees.
const (
	maxAlike   = 24      // candidates with the same actions
	maxMatches = 1 << 15 // steps of the enumeration of one candidate
)

// settleAmbiguities sets c.Ambiguities to the choices that give some candidate two trees: one entry for two
// alternatives of a choice, with the shortest string. Of strings of the same length it prefers one that the
// production of the choice derives itself. The entries have the order of the text. A candidate whose
// enumeration takes more than maxMatches steps is dropped, and so is one after maxAlike others with the same actions.
// It sorts c.candidates by length, and those of one length by their text.
func (c *compiler) settleAmbiguities() {
	type found struct {
		at            *place
		chosen, other int
	}
	best := map[found]Ambiguity{}
	all := c.candidates
	// Of candidates with the same actions, the longer ones are mostly one choice in longer and
	// longer contexts.
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(len(a.word)-len(b.word), strings.Compare(a.word, b.word))
	})
	tried := map[string]int{} // by actions
	for _, x := range all {
		tried[x.acts]++
		if tried[x.acts] > maxAlike {
			continue
		}
		e := &enumerator{c: c, src: x.word, steps: maxMatches, open: map[opened]int{}}
		at, first, second := e.firstDifference(x.p)
		if at == nil {
			continue
		}
		key := found{at, at.order[first], at.order[second]}
		if old, ok := best[key]; ok {
			shorter := len(old.Shortest) < len(x.word)
			if shorter || old.Start == at.production || x.p.ID != at.production {
				continue
			}
		}
		alternatives := at.alternatives()
		best[key] = Ambiguity{
			Choice:       at.name,
			Production:   at.production,
			Pos:          at.pos,
			Start:        x.p.ID,
			Shortest:     x.word,
			Chosen:       alternatives[key.chosen],
			Other:        alternatives[key.other],
			Alternatives: alternatives,
			Preferred:    at.preferred,
		}
	}
	c.Ambiguities = slices.AppendSeq(c.Ambiguities, maps.Values(best))
	order := map[string]int{}
	for i, r := range c.g.Rules {
		order[r.ID] = i
	}
	slices.SortFunc(c.Ambiguities, func(a, b Ambiguity) int {
		return cmp.Or(
			order[a.Production]-order[b.Production],
			len(a.Choice)-len(b.Choice), // host#2 before host#10
			strings.Compare(a.Choice, b.Choice),
			strings.Compare(a.Chosen, b.Chosen),
			strings.Compare(a.Other, b.Other),
		)
	})
}

// An enumerator goes through the derivations of src, a short string, by backtracking, in the order of
// preference. trail and decisions are those of the derivation that is being tried.
type enumerator struct {
	c         *compiler
	src       string
	steps     int // left; below 0 the enumeration ends
	trail     []event
	decisions []decision
	open      map[opened]int // how often a production is open at a place, since left recursion opens it again
}

// An opened is a production that begins at a place.
type opened struct {
	id string
	at int
}

// An event is the begin or the end of a node. The events of a derivation determine its tree.
type event struct {
	kind ast.Kind // of the node that begins; 0 for the end of the innermost one
	at   int
}

// A decision is an alternative that was taken at a choice, by its index in the order of
// preference.
type decision struct {
	at          *place // nil for a choice that is no place of the grammar
	alternative int
}

// firstDifference compares the first derivation of the string by p with the next one that has another tree. It
// returns the first choice at which the two differ, and the index of the alternative that each takes there,
// in the order in which they are tried. The choice is nil if there is no second tree, if none was found
// within the steps, or if the derivations do not part at one choice. It uses e up.
func (e *enumerator) firstDifference(p *production) (at *place, first, second int) {
	var trail []event
	var decisions []decision
	seen := false
	// The first complete derivation is kept; each later one is compared with it, until a tree differs.
	e.match(p.Expr, 0, p.ID, func(i int) bool {
		switch {
		case i < len(e.src):
			return false
		case !seen:
			trail = slices.Clone(e.trail)
			decisions = slices.Clone(e.decisions)
			seen = true
			return false
		case slices.Equal(trail, e.trail):
			return false
		}
		for k := range min(len(decisions), len(e.decisions)) {
			was, is := decisions[k], e.decisions[k]
			if was == is {
				continue
			}
			// Only the first difference counts: what follows is a consequence of it.
			if was.at == is.at && was.at != nil {
				at, first, second = was.at, was.alternative, is.alternative
			}
			break
		}
		return true
	})
	return at, first, second
}

// match calls rest with the end of each match of x from i on, in the order of preference, until
// rest returns true; then match returns true. It also returns true when no steps are left, which
// ends the whole enumeration. tail is the production whose node ends where x ends, "" if there is
// none: a reference to it there begins no node, as in [builder.enter].
func (e *enumerator) match(x *expr.Expr, i int, tail string, rest func(i int) bool) bool {
	e.c.Budget.Step(1)
	e.steps--
	if e.steps < 0 {
		return true
	}
	switch x.Op {
	case expr.Empty:
		return rest(i)
	case expr.Class:
		return i < len(e.src) && x.Set.Has(e.src[i]) && rest(i+1)
	case expr.Literal:
		return strings.HasPrefix(e.src[i:], x.Lit) && rest(i+len(x.Lit))
	case expr.Ref:
		return e.matchRef(x.Name, i, tail, rest)
	case expr.Seq:
		return e.matchSequence(x.Sub, i, tail, rest)
	case expr.Alt:
		for k, s := range x.Sub {
			matched := e.decide(x, k, func() bool { return e.match(s, i, tail, rest) })
			if matched {
				return true
			}
		}
	case expr.Repeat:
		return e.matchRepeat(x, 0, i, tail, rest)
	}
	return false
}

// matchRef is match for a reference to the production id. The begin and the end of its node are in e.trail
// while rest runs. It matches nothing if there is no such production, or if the production is open at i more often than
// there are bytes left.
func (e *enumerator) matchRef(id string, i int, tail string, rest func(i int) bool) bool {
	r := e.c.g.Rule(id)
	if r == nil {
		return false
	}
	// Left recursion that reads at least a byte each time needs no more of them than are left.
	here := opened{id, i}
	if e.open[here] > len(e.src)-i {
		return false
	}
	e.open[here]++
	defer func() { e.open[here]-- }()
	closed := func(j int) bool { // what follows is not inside of r
		e.open[here]--
		defer func() { e.open[here]++ }()
		return rest(j)
	}
	kind := e.c.kind(id)
	if kind == 0 || tail == id {
		return e.match(r.Expr, i, tail, closed)
	}
	mark := len(e.trail)
	e.trail = append(e.trail, event{kind, i})
	matched := e.match(r.Expr, i, id, func(j int) bool {
		mark := len(e.trail)
		e.trail = append(e.trail, event{0, j})
		matched := closed(j)
		e.trail = e.trail[:mark]
		return matched
	})
	e.trail = e.trail[:mark]
	return matched
}

// decide has the decision for an alternative of x in e.decisions while f runs, and returns f's result.
func (e *enumerator) decide(x *expr.Expr, alternative int, f func() bool) bool {
	mark := len(e.decisions)
	e.decisions = append(e.decisions, decision{e.c.places[x], alternative})
	matched := f()
	e.decisions = e.decisions[:mark]
	return matched
}

// matchSequence is match for one expression after the other, at least one. Only the last can end
// where the node of tail ends, so the others have no tail.
func (e *enumerator) matchSequence(
	es []*expr.Expr, i int, tail string, rest func(int) bool,
) bool {
	if len(es) == 1 {
		return e.match(es[0], i, tail, rest)
	}
	return e.match(es[0], i, "", func(j int) bool {
		return e.matchSequence(es[1:], j, tail, rest)
	})
}

// matchRepeat is match for the repetition x after its first done iterations. An iteration beyond
// the least number is never empty.
func (e *enumerator) matchRepeat(
	x *expr.Expr, done, i int, tail string, rest func(int) bool,
) bool {
	// again tries one more iteration, and after each match of it the rest of the repetition.
	again := func() bool {
		inside := tail
		if done+1 != x.Max { // another iteration may follow: x need not end where this one does
			inside = ""
		}
		return e.match(x.Sub[0], i, inside, func(j int) bool {
			needed := done < x.Min
			return (j > i || needed) && e.matchRepeat(x, done+1, j, tail, rest)
		})
	}
	if done < x.Min {
		return again()
	}
	// One more iteration is alternative 0, which is preferred, and to end here is alternative 1.
	more := x.Max == expr.Unbounded || done < x.Max
	if more && e.decide(x, 0, again) {
		return true
	}
	return e.decide(x, 1, func() bool { return rest(i) })
}
