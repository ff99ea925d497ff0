package diff

import (
	"slices"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file decides which sentences are true.
//
// The candidates of explain.go are guesses from one string each. A guess is told only for classes of which all
// strings prove it. To find these, the two sides and the edited side that stops run side by side over all beginnings
// that both sides have in common. The edit explains a parting if the edited side can go on there to a string of the
// side that goes on. It explains a class if it explains every parting of it; and it holds if
//
//   - it explains nothing else: no parting in part, and none that another sentence tells;
//   - it adds nothing else: after a common beginning the edited side goes on only where one of the sides does.
//
// An Allows is more than a guess about a production: it is made exact. It names the production in which the side that
// goes on reads the byte, and its edit allows a byte only at those terminals of the other's production at which it
// explains a parting and adds nothing else.
//
// A class that no guess explains is told by the places, which are known: see [Parts].
//
// In this file a parting is a pair of states and a byte class of the walk, or the end, at which exactly one side goes
// on; on and off are the subsets of the side that goes on and of the side that stops.

// partings is the table of the successors of each pair of a walk, and of the classes that part there.
type partings struct {
	difference *Difference
	walk       *walk
	columns    int         // one for each byte class, and the last for the end
	next       []int32     // by pair and column: the pair after it, -1 if a side stops
	class      []int32     // by pair and column: the class that parts there, -1 if none does
	list       []*Class    // by number
	region     []Region    // by number of a class
	steps      [][]parting // see [partings.stepsTo]; nil as long as nobody asked
	owner      []*Group    // by number of a class: the group that tells it, nil as long as it has none
}

const neither = -1

// newPartings makes the table of all partings of d. It holds two numbers for each pair and column, and charges the
// budget for them.
func (d *Difference) newPartings() *partings {
	w := d.walk
	n := len(w.classes) + 1
	w.chargeHeld(8 * n * len(w.pairs))
	s := &partings{
		difference: d, walk: w, columns: n, next: make([]int32, n*len(w.pairs)),
		class: make([]int32, n*len(w.pairs)),
	}
	// Number the classes.
	number := map[classKey]int32{}
	for i := range d.Causes {
		for k := range d.Causes[i].Classes {
			c := &d.Causes[i].Classes[k]
			number[c.key] = int32(len(s.list))
			s.list, s.region = append(s.list, c), append(s.region, d.Causes[i].Region)
		}
	}
	s.owner = make([]*Group, len(s.list))
	for i := range w.pairs {
		// The rows of the pair. A byte class leads to a pair if both sides stay live, and to a class if one does.
		p := &w.pairs[i]
		next, class := s.next[i*n:(i+1)*n], s.class[i*n:(i+1)*n]
		for c := range next {
			next[c], class[c] = neither, neither
		}
		for c := range w.classes {
			x := w.classes[c].first
			if j, ok := w.index[[2]int{w.a.step(p.a, x), w.b.step(p.b, x)}]; ok {
				next[c] = int32(j)
			}
		}
		for _, x := range p.exits {
			for _, all := range classesMeeting(w.causeClasses[x.group], x.bytes) {
				k := w.classKeyOf(p, x, all)
				for c := range w.classes {
					if k.part.Has(w.classes[c].first) {
						class[c] = number[k]
					}
				}
				if w.groups[x.group].at == AtEnd { // it has no bytes, and the last column
					class[n-1] = number[k]
				}
			}
		}
	}
	return s
}

// subsetsOf returns the two subsets of a pair: first that of the side that goes on in a region, then that of the side
// that stops.
func (s *partings) subsetsOf(region Region, pair int) (on, off int) {
	p := &s.walk.pairs[pair]
	if region == OnlyA {
		return p.a, p.b
	}
	return p.b, p.a
}

// A machine is the edited side that stops: an automaton with more bytes at some of its edges. Its tracker has only
// the automaton and the budget, for closures and [tracker.matches]; nothing else of it may be used.
type machine struct {
	*tracker
	extra map[*lang.Edge]expr.Set // see [machine.allow]
	added expr.Set                // all bytes of extra, which few lookups pass
	alive []bool

	sets  [][]int32 // the sets of states that were reached
	index map[string]int32
	after [][]int32 // by set and column: the next set; -1 as long as it is not known

	states []int32 // memory of stepOn

	points bool // all code points are allowed, though only some are meant

	goes   *tracker
	in     map[*lang.Edge]bool // the edges at which the side that goes on reads what the edit allows; nil for any
	common map[meeting]bool    // whether a string leads all three to acceptance, as far as known
}

// A meeting is three states that one string leads to: of the minimal automaton of the side that goes on, of its
// grammar's automaton, and of the machine. The second is -1 if any way through that grammar will do.
type meeting struct{ dfa, grammar, machine int32 }

// newMachine returns a machine of the automaton n, without extra bytes. goes is the side that goes on. in has the
// edges of that side at which it may read what the edit allows; nil stands for all. The machine keeps in, and takes
// its steps from the budget of goes.
func newMachine(goes *tracker, n *lang.NFA, in map[*lang.Edge]bool) *machine {
	ends := make([]bool, len(n.States))
	ends[n.Final] = true
	m := &machine{tracker: &tracker{nfa: n, budget: goes.budget}, goes: goes, in: in,
		index: map[string]int32{}, common: map[meeting]bool{}}
	m.budget.Step(8 * len(n.States))
	m.alive = lang.Live(ends, func(q int, visit func(int32)) {
		for _, to := range n.States[q].Epsilon {
			visit(to)
		}
		for i := range n.States[q].Edges {
			visit(n.States[q].Edges[i].To)
		}
	})
	return m
}

// allow makes each edge of extra also read these bytes. The machine keeps the map.
func (m *machine) allow(extra map[*lang.Edge]expr.Set) {
	m.extra, m.added = extra, expr.Set{}
	for _, set := range extra {
		m.added = m.added.Union(set)
	}
}

// allows reports whether an edge may read x since the edit allows it.
func (m *machine) allows(e *lang.Edge, x byte) bool { return m.added.Has(x) && m.extra[e].Has(x) }

// reads reports whether an edge reads x, by itself or since the edit allows it.
func (m *machine) reads(e *lang.Edge, x byte) bool { return e.Set.Has(x) || m.allows(e, x) }

// widenedNFA returns a copy of m's automaton, without a budget, whose edges also read the extra bytes allowed there.
func (m *machine) widenedNFA() *lang.NFA {
	n := *m.nfa
	n.Budget = nil
	n.States = slices.Clone(m.nfa.States)
	for q := range n.States {
		edges := slices.Clone(n.States[q].Edges)
		for i := range edges {
			edges[i].Set = edges[i].Set.Union(m.extra[&m.nfa.States[q].Edges[i]])
		}
		n.States[q].Edges = edges
	}
	return &n
}

// setNumber returns the number of a set of states, which must be sorted. It adds a copy of the set if it is new.
func (m *machine) setNumber(states []int32) int32 {
	m.key = appendKey(m.key[:0], states)
	n, ok := m.index[string(m.key)]
	if !ok {
		n = int32(len(m.sets))
		m.budget.Step(16 + len(states))
		m.index[string(m.key)], m.sets, m.after = n, append(m.sets, slices.Clone(states)), append(m.after, nil)
	}
	return n
}

// stepOn returns the number of the set after a set and the byte x; the set is empty where nothing reads x. It keeps
// the answer in m.after under column, the column of x's byte class.
func (m *machine) stepOn(set int32, column int, x byte) int32 {
	for len(m.after[set]) <= column {
		m.after[set] = append(m.after[set], -1)
	}
	to := m.after[set][column]
	if to < 0 {
		states := m.states[:0]
		for _, q := range m.sets[set] {
			edges := m.nfa.States[q].Edges
			m.budget.Step(1 + len(edges)/2)
			for i := range edges {
				if e := &edges[i]; m.reads(e, x) && m.alive[e.To] {
					states = append(states, e.To)
				}
			}
		}
		m.states = states
		to = m.setNumber(m.sharedClosureOf(states...))
		m.after[set][column] = to
	}
	return to
}

// An explained says how a machine explains a parting.
type explained int

const (
	not       explained = iota
	otherwise           // both can go on, but the side that goes on does not read the byte where the edit allows it
	asMeant
)

// explains returns how the machine, in a set, explains that the side that goes on reads x in its subset on: asMeant
// if it reads x, too, and can then accept a string that this side accepts, having read x at an edge of m.in. If only
// that last condition fails it is otherwise, and else not.
func (m *machine) explains(set int32, on int, x byte) (how explained) {
	to := int32(m.goes.state[m.goes.step(on, x)])
	for _, q := range m.sets[set] {
		edges := m.nfa.States[q].Edges
		m.budget.Step(1 + len(edges)/2)
		for i := range edges {
			switch e := &edges[i]; {
			case !m.reads(e, x) || !m.alive[e.To]: // it explains nothing
			case m.meetsAfter(on, x, to, e.To):
				return asMeant
			case how == not && m.in != nil && m.canMeet(meeting{to, -1, e.To}): // without m.in, the case above has asked this
				how = otherwise
			}
		}
	}
	return how
}

// meetsAfter reports whether, after x is read in the subset on, some string leads both the
// machine, from state q, and the side that goes on, from state to of its minimal automaton, to
// acceptance. Where m.in is set, that side must read x at one of these edges.
func (m *machine) meetsAfter(on int, x byte, to, q int32) bool {
	if m.in == nil {
		return m.canMeet(meeting{to, -1, q})
	}
	for _, g := range m.goes.subsets[on] {
		edges := m.goes.nfa.States[g].Edges
		m.budget.Step(1 + len(edges)/2)
		for i := range edges {
			if e := &edges[i]; m.in[e] && e.Set.Has(x) && m.canMeet(meeting{to, e.To, q}) {
				return true
			}
		}
	}
	return false
}

// canMeet reports whether some string leads all states of a meeting to acceptance. It remembers
// the answer and, if that is no, for all meetings that it has reached.
func (m *machine) canMeet(from meeting) bool {
	if yes, ok := m.common[from]; ok {
		return yes
	}
	seen := map[meeting]bool{from: true}
	todo := []meeting{from}
	visit := func(k meeting) {
		if !seen[k] {
			seen[k] = true
			todo = append(todo, k)
		}
	}
	for i := 0; i < len(todo); i++ {
		k := todo[i]
		m.budget.Step(4)
		allEnd := k.machine == m.nfa.Final && m.goes.dfa.Accepts(int(k.dfa)) &&
			(k.grammar < 0 || k.grammar == m.goes.nfa.Final)
		if m.common[k] || allEnd {
			m.common[from] = true
			return true
		}
		state := &m.nfa.States[k.machine]
		for _, to := range state.Epsilon {
			visit(meeting{k.dfa, k.grammar, to})
		}
		if k.grammar >= 0 {
			for _, to := range m.goes.nfa.States[k.grammar].Epsilon {
				visit(meeting{k.dfa, to, k.machine})
			}
		}
		for j := range state.Edges {
			e := &state.Edges[j]
			if !m.alive[e.To] {
				continue
			}
			set := e.Set
			if more, ok := m.extra[e]; ok {
				set = set.Union(more)
			}
			m.eachMove(k, set, func(dfa, grammar int32) { visit(meeting{dfa, grammar, e.To}) })
		}
	}
	for k := range seen { // none of these leads to acceptance, or the search would have ended
		m.common[k] = false
	}
	return false
}

// eachMove calls f with each pair of states that the side that goes on can reach from k by one byte of the set.
func (m *machine) eachMove(k meeting, set expr.Set, f func(dfa, grammar int32)) {
	from := func(set expr.Set, grammar int32) {
		for _, d := range m.goes.movesOf(int(k.dfa)) {
			m.budget.Step(1)
			if !d.Set.Intersect(set).IsEmpty() {
				f(d.To, grammar)
			}
		}
	}
	if k.grammar < 0 {
		from(set, -1)
		return
	}
	edges := m.goes.nfa.States[k.grammar].Edges
	for i := range edges {
		m.budget.Step(1)
		if both := edges[i].Set.Intersect(set); !both.IsEmpty() {
			from(both, edges[i].To)
		}
	}
}

// A finding is the part of each class, by number, that an edit explains.
type finding struct {
	some []bool // it explains a parting of the class, as meant or otherwise
	all  []bool // it explains every parting of the class, as meant
	adds bool   // the edited side goes on where neither side does; some and all are incomplete then
}

// runMachine runs m side by side with the two sides over all their common beginnings, and returns the part of
// each class that m explains. It stops as soon as m adds something. An addition does not count at a pair of
// subsets for which shared returns false; nil stands for true everywhere.
func (s *partings) runMachine(region Region, m *machine, shared func(on, off int) bool) (f finding) {
	goes, stops := s.walk.sidesOf(region)
	f.some, f.all = make([]bool, len(s.list)), make([]bool, len(s.list))
	for i := range f.all {
		f.all[i] = s.region[i] == region
	}
	type node struct{ pair, set int32 }
	// A machine with the automaton of the side that stops is in the states of that side, which are known, until it
	// reads a byte that was allowed: as long as it is, set is unedited.
	const unedited = -1
	start := node{0, unedited}
	if m.extra == nil {
		start.set = m.setNumber(m.closureOf(m.nfa.Start))
	}
	// Whether an addition at a pair of subsets counts.
	counts := func(on, off int) bool { return shared == nil || shared(on, off) }
	more := map[int]expr.Set{} // by subset of the side that stops: the bytes that m allows there
	seen := map[node]bool{start: true}
	end := s.columns - 1
	for todo := []node{start}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		m.budget.Step(8 + s.columns/4)
		on, off := s.subsetsOf(region, int(at.pair))
		row := int(at.pair) * s.columns
		judge := func(class int32, explained explained) {
			if s.region[class] == region {
				f.some[class] = f.some[class] || explained != not
				f.all[class] = f.all[class] && explained == asMeant
			}
		}
		states := stops.subsets[off]
		if at.set != unedited {
			states = m.sets[at.set]
		}
		allowed, ok := more[off]
		if at.set == unedited && !ok {
			for _, q := range states {
				edges := m.nfa.States[q].Edges
				for i := range edges {
					if set, ok := m.extra[&edges[i]]; ok {
						allowed = allowed.Union(set)
					}
				}
			}
			more[off] = allowed
		}
		set := at.set
		ends := slices.Contains(states, m.nfa.Final)
		switch class := s.class[row+end]; {
		case class >= 0:
			explained := not
			if ends {
				explained = asMeant
			}
			judge(class, explained)
		case ends && !stops.accepts(off) && !slices.Contains(stops.subsets[off], stops.nfa.Final) && counts(on, off):
			f.adds = true
			return f
		}
		for c := range s.walk.classes {
			x := s.walk.classes[c].first
			plain := at.set == unedited && !allowed.Has(x)
			if !plain && set == unedited {
				set = m.setNumber(states)
			}
			if to := s.next[row+c]; to >= 0 {
				n := node{to, unedited}
				if !plain {
					n.set = m.stepOn(set, c, x)
				}
				if !seen[n] {
					seen[n] = true
					todo = append(todo, n)
				}
				continue
			}
			// At least one side stops at this byte: the two part, and class is what parts here, or neither goes on.
			class := s.class[row+c]
			parts := class >= 0
			switch {
			case !parts && m.points && x >= utf8.RuneSelf:
				// m allows more code points than are meant, so what it adds does not count.
			case parts && s.region[class] != region:
				// The side that stops in this region goes on here.
			case stops.grammarReads(off, x):
				// The grammar derives more than the side's language, so the edit is not the reason.
				if parts {
					judge(class, not)
				}
			case parts && (plain || len(m.sets[m.stepOn(set, c, x)]) == 0):
				judge(class, not) // m stops, too
			case parts:
				judge(class, m.explains(set, on, x))
			case !plain && !goes.isLive(goes.step(on, x)) && m.goesOnAlone(set, on, x) && counts(on, off):
				f.adds = true
				return f
			}
		}
	}
	return f
}

// goesOnAlone reports whether the machine reads x in its set of states number set and can still accept after it. on is
// the number of a subset of the side that goes on. The caller has made sure that this side gets nowhere by x from
// there. A terminal at which x is only allowed does not count where that side reads none of the terminal's own bytes:
// there the two differ in something else.
func (m *machine) goesOnAlone(set int32, on int, x byte) bool {
	viable := m.goes.viableBytes(on)
	for _, q := range m.sets[set] {
		edges := m.nfa.States[q].Edges
		for i := range edges {
			e := &edges[i]
			if !m.alive[e.To] {
				continue
			}
			if e.Set.Has(x) || m.allows(e, x) && !e.Set.Intersect(viable).IsEmpty() {
				return true
			}
		}
	}
	return false
}

// grammarReads reports whether the grammar of t reads x in the subset s where its language does not go on with x,
// which the caller has found. It is false if the grammar derives exactly the language.
func (t *tracker) grammarReads(s int, x byte) bool {
	if !t.derivesMore() && !t.cut && t.side.Prefix == "" {
		return false
	}
	return slices.ContainsFunc(t.subsets[s], func(q int32) bool {
		return slices.ContainsFunc(t.nfa.States[q].Edges, func(e lang.Edge) bool { return e.Set.Has(x) })
	})
}
