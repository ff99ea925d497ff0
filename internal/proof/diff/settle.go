package diff

import (
	"math/big"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// makeGroups returns the groups of d. It tries the guesses that explain one string of a cause, starting with the
// cause that has the most strings. A guess that holds becomes a group of all the classes that it explains. Then for
// each class that is left, its own string is explained; then edits are tried together. The classes that remain are
// told by their places. It sets s.owner and w.groupByKey.
func (s *partings) makeGroups(d *Difference) (told []*Group) {
	w := s.walk
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
		for { // bytes that are allowed at different places get a group for each: see [partings.keepOnePlace]
			g := s.decideGroup(region, es)
			if g == nil {
				return
			}
			told = append(told, g)
			w.groupByKey[key] = g
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
			for i := range es { // one of several edits that explain a string often explains its parting alone
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

// isClear reports whether a reader of the side that stops knows where all the edits are, or one side is an
// expression, which has no names.
func (s *partings) isClear(region Region, es edits) bool {
	goes, stops := s.walk.sidesOf(region)
	unclear := func(e edit) bool { return !e.change.isClear(&e, goes, stops) }
	return goes.isExpression() || stops.isExpression() || !slices.ContainsFunc(es, unclear)
}

// maxLooked caps the classes of one cause that are explained by strings of their own.
const maxLooked = 1

// decideGroup returns a group of the classes that have no group yet and that the edits explain. It is nil if there
// are none, if the edits do not hold, or if a limit is passed. s.owner stays as it is.
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

// decideByGrammar decides edits by the automaton of the edited grammar, m. of reports, by number of a class, whether
// the class has no group yet and the edits explain all of it. Both are nil if a limit is passed, if the edited side
// derives too much, or if the edits explain only some strings of a class, unless a group of some of these edits has
// that class.
func (s *partings) decideByGrammar(region Region, es edits) (of []bool, m *machine) {
	goes, stops := s.walk.sidesOf(region)
	g := es.apply(stops.side.Grammar, goes.side.Grammar)
	s.walk.explainBudget.Step(16 * len(g.Rules))
	g.Budget = s.walk.explainBudget
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
		m.points = c.every // more code points than those meant do not count as an addition
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

// sharedPlaces returns a function that reports whether the edits can be blamed for an addition at a pair of
// subsets. Omitting or adding something matters only if both sides read up to that place. If the side that
// goes on can read nothing of what the other reads next, they differ in something else. At a pair without such a place
// the function returns true. It is nil if an edit has no place, or takes over a whole definition.
func (s *partings) sharedPlaces(region Region, es edits) func(on, off int) bool {
	goes, stops := s.walk.sidesOf(region)
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
		here := false // one of the places is in the subset off
		viable := goes.viableBytes(on)
		goesReads := func(e lang.Edge) bool { return !e.Set.Intersect(viable).IsEmpty() }
		for _, q := range places {
			if _, ok := slices.BinarySearch(stops.subsets[off], q); !ok {
				continue
			}
			here = true
			for _, q := range stops.closure(q) {
				if q == stops.nfa.Final && goes.accepts(on) {
					return true
				}
				if slices.ContainsFunc(stops.nfa.States[q].Edges, goesReads) {
					return true
				}
			}
		}
		return !here
	}
}

// bytesOf returns the bytes at which the classes part for which of, by number, is true.
func (s *partings) bytesOf(of []bool) (set expr.Set) {
	for i, yes := range of {
		if yes {
			set = set.Union(s.list[i].key.part)
		}
	}
	return set
}

// shortestDerived returns a shortest string of class k that m, the edited side, derives: its witness if possible, and
// otherwise the shortest one that begins like it, up to and including the byte of the parting. It returns false if
// there is none, or if the class parts at the end and m does not derive its witness. It searches breadth-first over
// pairs of a state of the side that goes on and a set of states of m.
func (s *partings) shortestDerived(region Region, k *Class, m *machine) (string, bool) {
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
	// Both sides read the beginning up to and with the byte of the parting; from there on all strings are searched.
	set := m.setNumber(m.closureOf(m.nfa.Start))
	at := m.goes.dfa.Run(0, w[:k.offset+1])
	column := func(x byte) int {
		return slices.IndexFunc(s.walk.classes, func(c byteClass) bool { return c.bytes.Has(x) })
	}
	for i := range k.offset + 1 {
		set = m.stepOn(set, column(w[i]), w[i])
	}
	words := map[node]string{}
	start := node{int32(at), set}
	words[start] = w[:k.offset+1]
	for todo := []node{start}; len(todo) > 0; todo = todo[1:] {
		n := todo[0]
		m.budget.Step(8 + s.columns)
		if m.goes.dfa.Accepts(int(n.dfa)) && slices.Contains(m.sets[n.set], m.nfa.Final) {
			return words[n], true
		}
		for c := range s.walk.classes {
			x := s.walk.classes[c].first
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

// takesMore returns the function for [tracker.matches] that also takes the extra bytes of m.
func (m *machine) takesMore() func(e *lang.Edge, b byte) bool {
	return func(e *lang.Edge, b byte) bool { return m.reads(e, b) }
}

// setWitness sets the witness of g to the first of its strings that the edited side derives. If there is none, or a
// limit is passed, that is the witness of the first class.
func (s *partings) setWitness(g *Group) {
	g.Witness = g.classes[0].Witness
	if g.machine == nil {
		return
	}
	s.walk.startExplaining() // each group has as many steps
	g.machine.budget = s.walk.explainBudget
	defer giveUpOverBudget()
	best := ""
	for _, k := range g.classes {
		if best != "" && lang.Compare(best, string(k.Witness)) < 0 {
			break
		}
		if w, ok := s.shortestDerived(g.Region, k, g.machine); ok && (best == "" || lang.Compare(w, best) < 0) {
			best = w
		}
	}
	if best != "" {
		g.Witness = quote.Word(best)
	}
}
