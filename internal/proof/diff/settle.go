package diff

import (
	"math/big"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// makeGroups returns the groups of d. It tries the guesses that explain one string of a cause, starting with the
// cause that has the most strings. A guess that holds becomes a group of all the classes that it explains. For each
// class that is left, its own string is explained; then edits are tried together; what remains is told by its places.
func (s *partings) makeGroups(d *Difference) (told []*Group) {
	w := s.w
	order := make([]int, len(d.Causes))
	totals := make([]*big.Int, len(d.Causes))
	free := make([]int, len(d.Causes)) // how many classes have no group yet
	for i := range order {
		order[i], totals[i], free[i] = i, d.Causes[i].Total(), len(d.Causes[i].Classes)
	}
	slices.SortStableFunc(order, func(i, j int) int { return totals[j].Cmp(totals[i]) })
	numbers := map[*Class]int{}
	for i, k := range s.list {
		numbers[k] = i
	}
	tried := map[string]bool{}
	try := func(region Region, es edits) {
		key := es.key(region)
		if _, explainsNothing := es[0].change.(partsChange); explainsNothing || tried[key] || !s.isClear(region, es) {
			return
		}
		tried[key] = true
		for { // of what is allowed at different places each has a group: see [partings.keepOnePlace]
			g := s.decideGroup(region, es)
			if g == nil {
				return
			}
			told = append(told, g)
			w.keyed[key] = g
			for _, k := range g.classes {
				s.owner[numbers[k]] = g
				free[k.cause]--
			}
			if _, again := es[0].change.(allowsChange); !again || len(es) > 1 {
				return
			}
		}
	}
	explain := func(c *Cause, joint bool, done func() bool) {
		for _, es := range w.explain(c, joint) {
			for i := range es { // one of edits that explain a string together often explains where it parts
				if len(es) > 1 && !done() {
					try(c.Region, es[i:i+1:i+1])
				}
			}
			if done() {
				return
			}
			try(c.Region, es)
		}
	}
	causes := func(joint bool) {
		for _, i := range order {
			if c := &d.Causes[i]; free[i] > 0 {
				explain(c, joint, func() bool { return free[i] == 0 })
			}
		}
	}
	causes(false)
	for _, i := range order {
		c, looked := &d.Causes[i], 0
		for k := range c.Classes {
			number := numbers[&c.Classes[k]]
			if s.owner[number] == nil && looked < maxLooked && string(c.Classes[k].Witness) != string(c.Witness) {
				looked++
				explain(c.ofClass(&c.Classes[k]), false, func() bool { return s.owner[number] != nil })
			}
		}
	}
	w.chargeAndLimit(allJoint)
	causes(true)
	w.startExplaining()
	return append(told, s.groupByPlaces(d)...)
}

// isClear reports whether a reader of the side that stops knows where the edits are: what is added is added in a
// production that both have, in the start productions, or in what has no names on one side, and what is allowed in
// less than all.
func (s *partings) isClear(region Region, es edits) bool {
	goes, stops := s.w.sidesOf(region)
	unclear := func(e edit) bool { return !e.change.isClear(&e, goes, stops) }
	return goes.isExpression() || stops.isExpression() || !slices.ContainsFunc(es, unclear)
}

// maxLooked caps the classes of one cause that are explained by their own strings.
const maxLooked = 1

// decideGroup returns the group of the classes that have no group yet and that the edits explain. It is nil if there
// are none, if the edits do not hold, or if a limit was passed.
func (s *partings) decideGroup(region Region, es edits) (g *Group) {
	defer giveUpOverBudget()
	of, m, told := es[0].change.decide(s, region, es)
	g = &Group{Region: region, edits: told}
	for i, yes := range of {
		if yes {
			g.classes = append(g.classes, s.list[i])
		}
	}
	if len(g.classes) == 0 {
		return nil
	}
	g.machine = m
	return g
}

// isFree reports whether a class is of a region and has no group yet.
func (s *partings) isFree(class int32, region Region) bool {
	return s.region[class] == region && s.owner[class] == nil
}

// decideByGrammar decides edits by the automaton of the edited grammar. It returns, by number of a class, whether the
// edits explain all of a class that has no group yet, and the machine. It returns nil if a limit was passed, if the
// edited side derives too much, or if the edits explain only some strings of a class. A class that some of these
// edits already tell does not count.
func (s *partings) decideByGrammar(region Region, es edits) (of []bool, m *machine) {
	goes, stops := s.w.sidesOf(region)
	g := es.apply(stops.side.Grammar, goes.side.Grammar)
	s.w.left.Step(16 * len(g.Rules))
	g.Budget = s.w.left
	var n *lang.NFA
	var err error
	if g.Ordered {
		var a *lang.DFA
		if a, err = languageOf(g, stops.rule.ID, lang.Limits{}); err == nil {
			n = withoutPlaces(a, stops.rule)
		}
	} else {
		n, err = lang.BuildNFA(g, stops.rule.ID, lang.Options{Limits: lang.Limits{NFA: allKept}})
	}
	if err != nil {
		return nil, nil
	}
	m = newMachine(goes, n, nil)
	if c, ok := es[0].change.(allowsChange); ok {
		m.points = c.every
	}
	f := s.runMachine(region, m, s.sharedPlaces(region, es))
	if f.adds {
		return nil, nil
	}
	of = make([]bool, len(s.list))
	for i := range of {
		of[i] = f.all[i] && s.owner[i] == nil
		if f.some[i] && !of[i] && !(s.owner[i] != nil && s.owner[i].edits.isWithin(es)) {
			return nil, nil
		}
	}
	return of, m
}

// isWithin reports whether all edits of es are among fs.
func (es edits) isWithin(fs edits) bool {
	return !slices.ContainsFunc(es, func(e edit) bool {
		return !slices.ContainsFunc(fs, func(f edit) bool { return e.key() == f.key() })
	})
}

// sharedPlaces returns a function that reports whether edits may be held to a pair of states of the two sides.
// Leaving out or adding something matters only if both sides read up to that place. If the side that goes on can read
// nothing of what the other reads next, the two differ in something else. The function is nil if an edit has no such
// place.
func (s *partings) sharedPlaces(region Region, es edits) func(on, off int) bool {
	goes, stops := s.w.sidesOf(region)
	var places []int32
	for i := range es {
		states, ok := es[i].change.places(&es[i], stops)
		if !ok || es[i].whole != nil {
			return nil
		}
		places = append(places, states...)
	}
	if len(places) == 0 {
		return nil
	}
	return func(on, off int) bool {
		here := false
		viable := goes.viableBytes(on)
		for _, q := range places {
			if _, ok := slices.BinarySearch(stops.subsets[off], q); !ok {
				continue
			}
			here = true
			for _, q := range stops.closure(q) {
				if q == stops.nfa.Final && goes.accepts(on) || slices.ContainsFunc(stops.nfa.States[q].Edges, func(e lang.Edge) bool {
					return !e.Set.Intersect(viable).IsEmpty()
				}) {
					return true
				}
			}
		}
		return !here
	}
}

// bytesOf returns the bytes at which classes part.
func (s *partings) bytesOf(of []bool) (set expr.Set) {
	for i, yes := range of {
		if yes {
			set = set.Union(s.list[i].key.part)
		}
	}
	return set
}

// shortestTurned returns a shortest string of class k that the edited side derives: its witness if possible, else the
// shortest one that begins with the same bytes, up to and with the one at which the two part. It returns false if
// there is none. It searches breadth-first over pairs of a state of the side that goes on and a set of states of m.
func (s *partings) shortestTurned(region Region, k *Class, m *machine) (string, bool) {
	w := string(k.Witness)
	if m.matches(w, m.takesMore()) {
		return w, true
	}
	if k.offset >= len(w) {
		return "", false
	}
	type node struct {
		dfa, set int32
	}
	set := m.setNumber(m.closureOf(m.nfa.Start))
	at := m.goes.dfa.Run(0, w[:k.offset+1])
	column := func(x byte) int {
		return slices.IndexFunc(s.w.classes, func(c byteClass) bool { return c.bytes.Has(x) })
	}
	for i := range k.offset + 1 {
		set = m.stepOn(set, column(w[i]), w[i])
	}
	words := map[node]string{}
	start := node{int32(at), set}
	words[start] = w[:k.offset+1]
	for todo := []node{start}; len(todo) > 0; todo = todo[1:] {
		n := todo[0]
		m.left.Step(8 + s.columns)
		if m.goes.dfa.Accepts(int(n.dfa)) && slices.Contains(m.sets[n.set], m.nfa.Final) {
			return words[n], true
		}
		for c := range s.w.classes {
			x := s.w.classes[c].first
			next := node{int32(m.goes.dfa.Next(int(n.dfa), x)), m.stepOn(n.set, c, x)}
			if _, ok := words[next]; ok || !m.goes.dfa.Live(int(next.dfa)) || len(m.sets[next.set]) == 0 {
				continue
			}
			words[next] = words[n] + string([]byte{x})
			todo = append(todo, next)
		}
	}
	return "", false
}

// takesMore returns what [tracker.matches] may take.
func (m *machine) takesMore() func(e *lang.Edge, b byte) bool {
	return func(e *lang.Edge, b byte) bool { return m.reads(e, b) }
}

// setWitness sets the witness of g to the first of its strings that its edits turn.
func (s *partings) setWitness(g *Group) {
	g.Witness = g.classes[0].Witness
	if g.machine == nil {
		return
	}
	s.w.startExplaining() // for each group as many steps
	g.machine.left = s.w.left
	defer giveUpOverBudget()
	best := ""
	for _, k := range g.classes {
		if best != "" && lang.Compare(best, string(k.Witness)) < 0 {
			break
		}
		if w, ok := s.shortestTurned(g.Region, k, g.machine); ok && (best == "" || lang.Compare(w, best) < 0) {
			best = w
		}
	}
	if best != "" {
		g.Witness = quote.Word(best)
	}
}
