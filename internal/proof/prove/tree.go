package prove

import (
	"cmp"
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// That the trees are right is proven in three steps, each of them a question about finite automata:
//
//  1. What a rule makes as a start is a derivation: the bracketed words that its runs make are among those of the BNF.
//     Where the production is unambiguous, that is all.
//  2. Of several derivations it is the one that the ledger chooses: [brackets.wordsNotBest] runs the parser's
//     derivation next to every other one of the same word and compares them clause by clause.
//  3. Inside other nodes a rule makes the same: [wordsMadeOtherwise] compares the bracketed words between the ends of
//     every node, in the runs of every start, with those that the node's production makes as a start.
//
// By induction over the depth, which no production can exceed since none embeds itself, the whole tree of every string
// is the one derivation that the BNF and the ledger determine.

// maxClauses caps the clauses of a choice. It is also how many children one derivation may be ahead
// of the other before they count as incomparable.
const maxClauses = 8

// A standing is the state of the comparison of two derivations under one clause.
type standing struct {
	first, second bool // whether the first has such a child, and whether the second has

	// For a comparison of lengths. The brackets of such children are events; as long as both derivations have the same
	// ones at the same places, neither is ahead.
	verdict outcome
	ahead   int8 // brackets that the first has made and the second has not
	inside  bool // after the brackets that both have made, a child is open
}

// An outcome is the result of comparing lengths.
type outcome int8

const (
	level          outcome = iota
	firstIsShorter         // at the first child where they differ
	secondIsShorter
	incomparable // the children begin at different places
)

// afterBracket returns the standing under clause c after one of the derivations has opened or closed a child of the
// clause's kind. A verdict stays. Where lengths are compared, one that is more than maxClauses brackets ahead makes
// the two incomparable.
func (s standing) afterBracket(c bnf.Clause, ofFirst, opens bool) standing {
	if c.Prefer == bnf.Present || c.Prefer == bnf.Absent {
		s.first = s.first || opens && ofFirst
		s.second = s.second || opens && !ofFirst
		return s
	}
	if s.verdict != level {
		return s
	}
	if ofFirst {
		if s.ahead < 0 {
			s.inside = !s.inside
		}
		s.ahead++
	} else {
		if s.ahead > 0 {
			s.inside = !s.inside
		}
		s.ahead--
	}
	if s.ahead > maxClauses || s.ahead < -maxClauses { // only empty children can take them so far apart
		s = standing{verdict: incomparable}
	}
	return s
}

// afterByte returns the standing after both derivations have read a byte. If one of them was ahead, that is a
// verdict. One that was ahead inside a child has ended the child here, where the other goes on with it, and so has
// the shorter one. One that was ahead outside of a child has begun one where the other has not, so the two are
// incomparable. Once there is a verdict, ahead is 0, so the verdict stays. A new verdict drops first and second,
// which are of clauses of another kind.
func (s standing) afterByte() standing {
	switch {
	case s.ahead == 0: // still alike
	case !s.inside:
		s = standing{verdict: incomparable}
	case s.ahead > 0:
		s = standing{verdict: firstIsShorter}
	default:
		s = standing{verdict: secondIsShorter}
	}
	return s
}

// preference returns which derivation the clause prefers at the end of the word: 1 for the first, -1 for the second, 0
// for neither. ok is false if they are incomparable.
func (s standing) preference(c bnf.Clause) (order int, ok bool) {
	switch c.Prefer {
	case bnf.Present, bnf.Absent:
		switch {
		case s.first && !s.second:
			order = 1
		case s.second && !s.first:
			order = -1
		}
		if c.Prefer == bnf.Absent {
			order = -order
		}
		return order, true
	}
	switch s.verdict {
	case incomparable:
		return 0, false
	case firstIsShorter:
		order = 1
	case secondIsShorter:
		order = -1
	}
	if c.Prefer == bnf.Longest {
		order = -order
	}
	return order, true
}

// wordsNotBest returns the words for which some derivation in made is not preferred, by the clauses in their order, to
// every other derivation in all; nil if there are none. made and all are over b's symbols, the result over bytes. Of
// incomparable derivations none is preferred. Without clauses, and with one automaton for both (the same pointer),
// these are the words with several derivations. It fails if a limit is passed; more than maxClauses clauses are one,
// and so are more pairs than 8 times limits.NFA, 1<<16 by default.
//
// The construction is the squared automaton (Book, Even, Greibach and Ott, "Ambiguity in graphs and expressions",
// 1971). A state is a pair of a derivation in made and one in all. Both read the same bytes, and make brackets
// together until they part, from where on they make them independently.
func (b *brackets) wordsNotBest(made, all *lang.DFA, clauses []bnf.Clause, limits lang.Limits) (*lang.DFA, error) {
	if len(clauses) > maxClauses {
		return nil, fmt.Errorf("%w: a choice with more than %d clauses", lang.ErrTooLarge, maxClauses)
	}
	type race struct {
		p, q   int32 // states of made and of all
		parted bool  // they have made different brackets
		// x if the first parted by making bracket x, -x if the other did. The one that did not must not make x next,
		// or the two would not have parted; this lasts until it makes another bracket, or both read a byte. Then it
		// is 0.
		parting   int32
		standings [maxClauses]standing
	}
	n := lang.NewNFA(nil)
	index := map[race]int32{}
	var order []race
	at := func(r race) int32 {
		i, ok := index[r]
		if !ok {
			i = n.State()
			index[r] = i
			order = append(order, r)
		}
		return i
	}
	to := func(from int32, r race) { n.Silent(from, at(r)) }
	bracket := func(r race, x int, ofFirst bool) race {
		kind, opens, _ := b.kindOfSymbol(x)
		for i, c := range clauses {
			if c.Child == kind {
				r.standings[i] = r.standings[i].afterBracket(c, ofFirst, opens)
			}
		}
		return r
	}
	classes := b.jointClasses(made, all)
	found := false
	to(n.Start, race{})
	most := 8 * cmp.Or(limits.NFA, 1<<16)
	for i := 0; i < len(order); i++ {
		if len(order) > most { // what is found is kept, not only what was taken
			return nil, lang.TooMany(most, "pairs of derivations")
		}
		r := order[i]
		from := index[r]
		for _, c := range classes {
			p, q := made.Next(int(r.p), byte(c.symbol)), all.Next(int(r.q), byte(c.symbol))
			if made.Dead(p) || all.Dead(q) {
				continue
			}
			next := r
			next.p, next.q, next.parting = int32(p), int32(q), 0
			for i := range clauses {
				next.standings[i] = r.standings[i].afterByte()
			}
			n.Read(from, c.bytes, at(next))
		}
		for x := b.alphabet.size(); x < b.size(); x++ {
			p, q := made.Next(int(r.p), byte(x)), all.Next(int(r.q), byte(x))
			canMine, canOther := !made.Dead(p), !all.Dead(q)
			mine, other := bracket(r, x, true), bracket(r, x, false)
			mine.p, other.q = int32(p), int32(q)
			if !r.parted {
				if canMine && canOther {
					both := bracket(mine, x, false)
					both.q = int32(q)
					to(from, both)
				}
				mine.parted, mine.parting = true, int32(x)
				other.parted, other.parting = true, -int32(x)
				// If both are one automaton, it is enough to let the first part from the other.
				canOther = canOther && made != all
			} else {
				// If the other made the same bracket after all, the two would not have parted.
				canMine = canMine && r.parting != -int32(x)
				canOther = canOther && r.parting != int32(x)
				mine.parting, other.parting = max(r.parting, 0), min(r.parting, 0)
			}
			if canMine {
				to(from, mine)
			}
			if canOther {
				to(from, other)
			}
		}
		if r.parted && made.Accepts(int(r.p)) && all.Accepts(int(r.q)) {
			better := 0
			for i, c := range clauses {
				order, ok := r.standings[i].preference(c)
				if !ok {
					break
				}
				better = order
				if better != 0 {
					break
				}
			}
			if better <= 0 {
				found = true
				n.Silent(from, n.Final)
			}
		}
	}
	if !found {
		return nil, nil
	}
	return n.Determinize(limits)
}

// A maker is the set of bracketed words that a production makes as a start, with their symbols. The zero maker stands
// for one that is not known.
type maker struct {
	*brackets
	made *lang.DFA
}

// A visit is a state in the search of [wordsMadeOtherwise].
type visit struct {
	at    int32 // the state of the runs
	phase phase
	kind  int16 // inside: the node's kind
	base  int16 // inside: the number of nodes that are open around its content
	q     int32 // inside: the state of the automaton of its production
}

// A phase says where a search stands in a run, with respect to the node that it has guessed.
type phase uint8

const (
	before phase = iota // the node
	inside
	afterFault // the disagreement
)

// wordsMadeOtherwise returns the words in whose runs some node below the root holds something other than its
// production, as a start, would make of the same text; nil if there are none. A node whose maker is not known counts
// as one that does. The runs must show nodes; root tells whether their rule is a node itself. It searches twice: first
// only whether there are any, since usually there are none. It fails if a limit is passed.
func wordsMadeOtherwise(r *runs, root bool, makers map[string]maker, limits lang.Limits) (*lang.DFA, error) {
	s := &otherwise{runs: r, root: root, makers: makers}
	if s.search(); !s.found {
		return nil, nil
	}
	s = &otherwise{runs: r, root: root, makers: makers, n: lang.NewNFA(nil)}
	s.search()
	return s.n.Determinize(limits)
}

// An otherwise is the search of [wordsMadeOtherwise]. From the runs it guesses a node (phase
// before), follows what the node makes in the automaton of its production (inside), and once the
// two disagree goes on to the end of the run (afterFault).
type otherwise struct {
	*runs
	root   bool
	makers map[string]maker
	kinds  expr.Numbering[string] // of nodes
	order  expr.Numbering[visit]
	found  bool
	n      *lang.NFA // nil where only found is wanted
}

// stateOf returns the state of the NFA for a visit, which is added if it is new. States 0 and 1 are
// the NFA's start and end.
func (s *otherwise) stateOf(v visit) int32 {
	i, fresh := s.order.Of(v)
	if fresh && s.n != nil {
		s.n.State()
	}
	return int32(i) + 2
}

// bytesOf returns the bytes of classes for addStep. It returns none if no automaton is built, since addStep ignores
// them then.
func (s *otherwise) bytesOf(classes expr.Set) expr.Set {
	if s.n == nil {
		return expr.Set{}
	}
	return s.promises.alphabet.expand(classes)
}

// addStep adds a step from a state to a visit, over bytes, or silent without any. If no automaton is built, it only
// puts the visit on the list.
func (s *otherwise) addStep(from int32, bytes expr.Set, v visit) {
	to := s.stateOf(v)
	switch {
	case s.n == nil: // no automaton is built, and stateOf has put the visit on the list
	case bytes.IsEmpty():
		s.n.Silent(from, to)
	default:
		s.n.Read(from, bytes, to)
	}
}

// search explores all visits, and sets found if there is a disagreement; a node whose maker is not known is one. With
// s.n it also builds the automaton of the words that show one, in s.n. It can be called once.
func (s *otherwise) search() {
	if !s.live[0] {
		return
	}
	first := s.stateOf(visit{})
	if s.n != nil {
		s.n.Silent(s.n.Start, first)
	}
	for i := 0; i < len(s.order.List); i++ {
		v := s.order.List[i]
		from := int32(i) + 2 // states 0 and 1 are the start and the end: see stateOf
		if s.n != nil && v.phase == afterFault && s.final[v.at] {
			s.n.Silent(from, s.n.Final)
		}
		for _, e := range s.edges[v.at] {
			if !s.live[e.to] {
				continue
			}
			if v.phase == inside {
				s.stepInside(from, v, e)
				continue
			}
			next := v
			next.at = e.to
			s.addStep(from, s.bytesOf(e.classes), next)
			switch {
			case v.phase != before || e.event.op != opened || s.root && s.depth(v.at) == 0:
				// No node opens whose content could be wrong: the start's own, at depth 0, is not compared.
			case s.makers[e.event.e.Name].made == nil:
				// A node without a production, or one whose bracketed words are not known.
				s.found = true
				s.addStep(from, expr.Set{}, visit{at: e.to, phase: afterFault})
			default:
				kind, _ := s.kinds.Of(e.event.e.Name)
				s.addStep(from, expr.Set{}, visit{e.to, inside, int16(kind), int16(s.depth(e.to)), 0})
			}
		}
	}
}

// stepInside follows a step of the runs inside a node, next to the automaton of the node's production. Where the step
// is none of that automaton it sets s.found, and the search goes on after the fault.
func (s *otherwise) stepInside(from int32, v visit, e runEdge) {
	m := s.makers[s.kinds.List[v.kind]]
	next := v
	next.at = e.to
	wrong := visit{at: e.to, phase: afterFault}
	symbol := func(x byte, bytes expr.Set) {
		if to := m.made.Next(int(v.q), x); m.made.Dead(to) {
			s.found = true
			s.addStep(from, bytes, wrong)
		} else {
			next.q = int32(to)
			s.addStep(from, bytes, next)
		}
	}
	depth := int16(s.depth(v.at)) // the number of nodes that are open before the step
	// A child is a symbol of made: its bracket opens at the depth v.base, and closes one deeper.
	opensChild := e.event.op == opened && depth == v.base
	closesChild := e.event.op == closed && depth == v.base+1
	closesNode := e.event.op == closed && depth == v.base // the node itself ends: made must accept its content
	switch {
	case !e.classes.IsEmpty():
		var done [256]bool // of the classes that made has
		for _, c := range e.classes.Members() {
			if k := m.made.ClassOf(c); !done[k] {
				done[k] = true
				symbol(c, s.bytesOf(e.classes.Intersect(m.made.ClassSet(k))))
			}
		}
	case opensChild, closesChild:
		switch id := e.event.e.Name; {
		case !m.has(id):
			s.found = true
			s.addStep(from, expr.Set{}, wrong)
		case opensChild:
			symbol(m.open(id), expr.Set{})
		default:
			symbol(m.close(id), expr.Set{})
		}
	case closesNode: // with right content nothing follows: this way shows no disagreement
		if !m.made.Accepts(int(v.q)) {
			s.found = true
			s.addStep(from, expr.Set{}, wrong)
		}
	default:
		s.addStep(from, expr.Set{}, next)
	}
}
