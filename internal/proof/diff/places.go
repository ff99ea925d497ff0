package diff

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file tells where classes part that no edit explains. The place is known: at every parting the subsets show
// which productions either side can have ended there, and which it can be in. The first of these descriptions that
// holds at all partings of a class is told:
//
//   - ended: the side that goes on ends a production, and the other needs more of its namesake (see [Ends]);
//   - after: both can have ended a production, and only one goes on after it;
//   - inside: both are in productions of one name;
//   - otherwise the two innermost productions are named.

// A parting is a pair and a column.
type parting struct{ pair, column int }

// groupByPlaces returns groups for the classes that have none. It leaves s.owner as it is.
func (s *partings) groupByPlaces(d *Difference) (told []*Group) {
	at := make([][]parting, len(s.list)) // by class without a group: all its partings
	for i, class := range s.class {
		if class >= 0 && s.owner[class] == nil {
			at[class] = append(at[class], parting{i / s.columns, i % s.columns})
		}
	}
	known := map[string][]*placeGroup{} // by the key of the sentence: groups that differ in the bytes that they name
	for i, k := range s.list {
		if s.owner[i] != nil {
			continue
		}
		c := d.Causes[k.cause].ofClass(k)
		e := s.placeEdit(c, at[i])
		es := edits{e}
		key := es.key(c.Region)
		apart := s.partingBytes(c.Region, k)
		n := slices.IndexFunc(known[key], func(g *placeGroup) bool { return g.canTell(es, apart) })
		if n < 0 {
			n = len(known[key])
			g := &placeGroup{&Group{Region: c.Region, edits: es}, apart}
			known[key] = append(known[key], g)
			told = append(told, g.Group)
		}
		g := known[key][n]
		g.edits.join(es)
		g.apart = g.apart.Intersect(apart)
		g.classes = append(g.classes, k)
	}
	return told
}

// A placeGroup is a group whose sentence says where the two part, while it is made. All the bytes that the sentence
// names part them wherever it is told: bytes of different places get a group for each.
type placeGroup struct {
	*Group
	apart expr.Set // the bytes that part the two wherever the sentence is told
}

// canTell reports whether the sentence of g can also be told of one more class, whose own sentence is that of
// es and which parts at the bytes of apart. The sentences must have the same key. A sentence that names no
// bytes can be told of any such class.
func (g *placeGroup) canTell(es edits, apart expr.Set) bool {
	says, more := g.edits[0].change.(partsChange), es[0].change.(partsChange)
	named := says.set.Union(more.set)
	return says.feature() == Ends || named.Minus(g.apart.Intersect(apart)).IsEmpty()
}

// partingBytes returns the bytes that part the two where a class does: the side that goes on in a region can read
// them, and the other cannot.
func (s *partings) partingBytes(region Region, k *Class) expr.Set {
	s.walk.explainBudget.Step(len(s.walk.classes))
	a, b := s.walk.a.dfa.Viable(k.A), s.walk.b.dfa.Viable(k.B)
	if region == OnlyA {
		return a.Minus(b)
	}
	return b.Minus(a)
}

// placeEdit returns an edit of rank 100 that only tells where c parts. at has all its partings. If a limit is
// passed, or nothing better holds, it names the innermost productions of the two places.
func (s *partings) placeEdit(c *Cause, at []parting) (e edit) {
	goes, stops := s.walk.sidesOf(c.Region)
	on, off := c.placeOfGoes(), c.placeOfStops()
	e = edit{rule: stops.innermostRule(off), other: goes.innermostRule(on), rank: 100}
	var says partsChange
	if goes.side.Model || goes.isExpression() { // readers know no names of places there
		e.other = goes.rule
		says.alone = true
	}
	if c.At != AtStart {
		says.set, says.words = s.walk.readAtCause(c)
	}
	e.change = says
	if goes.side.Model || stops.side.Model || c.At == AtStart {
		return e
	}
	defer giveUpOverBudget() // e is good enough if a limit is passed
	// Below, r is a production of the side that stops and other one of the side that goes on. One of them is nil if
	// that side is an expression, and then says nothing.
	holds := func(r, other *expr.Rule, is func(r, other *expr.Rule, p parting) bool) bool {
		return !slices.ContainsFunc(at, func(p parting) bool { return !is(r, other, p) })
	}
	ends := func(r, other *expr.Rule, p parting) bool {
		_, off := s.subsetsOf(c.Region, p.pair)
		return s.alwaysEnded(goes, other, p) && stops.needsMoreOf(off, r)
	}
	follows := func(r, other *expr.Rule, p parting) bool {
		if other != nil && !s.alwaysEnded(goes, other, p) {
			return false
		}
		return r == nil || s.alwaysEnded(stops, r, parting{p.pair, anywhere})
	}
	for _, pass := range []struct {
		stand stand
		is    func(r, other *expr.Rule, p parting) bool
	}{{standEnded, ends}, {standAfter, follows}} {
		for _, pair := range s.endedCandidates(c, at, pass.stand) {
			if r, other := pair[0], pair[1]; holds(r, other, pass.is) {
				says.stand = pass.stand
				e.change = says
				e.rule, e.other = r, other
				return e
			}
		}
	}
	for _, name := range slices.Backward(off.Path) {
		r := stops.ruleNamed(name)
		if r == nil || r == stops.rule && e.rule != r { // the start production contains everything
			continue
		}
		other := goes.namesake(r)
		isOther := func(name string) bool { return goes.ruleNamed(name) == other }
		if other != nil && slices.ContainsFunc(on.Path, isOther) {
			says.stand = standInside
			e.change = says
			e.rule, e.other = r, other
			return e
		}
	}
	return e
}

// endedCandidates lists the productions that the side that goes on can have ended at the first of the partings: the
// innermost first for [standEnded] and the outermost first for [standAfter]. Each is the second of a pair, and the
// first is its namesake on the side that stops. Whether that can have ended too is not looked at. An expression has no
// names: its part of a pair is nil, and there are no pairs for standEnded. If only the side that goes on is an
// expression, the productions are those that the other can have ended. Without partings the list is empty.
func (s *partings) endedCandidates(c *Cause, at []parting, stand stand) (list [][2]*expr.Rule) {
	if len(at) == 0 {
		return nil
	}
	goes, stops := s.walk.sidesOf(c.Region)
	on, off := s.subsetsOf(c.Region, at[0].pair)
	alone := goes.isExpression() || stops.isExpression()
	switch {
	case alone && stand == standEnded:
		return nil
	case goes.isExpression() && !stops.isExpression():
		for _, r := range stops.rulesEndedAt(off) {
			list = append(list, [2]*expr.Rule{r, nil})
		}
	default:
		for _, other := range goes.rulesEndedAt(on) {
			r := stops.namesake(other)
			if r != nil || alone {
				list = append(list, [2]*expr.Rule{r, other})
			}
		}
	}
	if stand == standAfter {
		slices.Reverse(list)
	}
	return list
}

// rulesEndedAt lists the productions that can have ended in a subset, the innermost first, without the start
// production and terms.
func (t *tracker) rulesEndedAt(s int) (list []*expr.Rule) {
	depths := map[*expr.Rule]int{}
	for _, q := range t.subsets[s] {
		for _, span := range t.spansTo(q) {
			r := t.ruleUsed(span)
			if r == nil || t.lexical(r.ID) || r == t.rule {
				continue
			}
			if _, ok := depths[r]; !ok {
				list = append(list, r)
			}
			depths[r] = max(depths[r], depthOf(span.In))
		}
	}
	slices.SortStableFunc(list, func(a, b *expr.Rule) int { return depths[b] - depths[a] })
	return list
}

// needsMoreOf reports whether everything that can be read in a subset is in a production, and the input cannot end
// there.
func (t *tracker) needsMoreOf(s int, r *expr.Rule) bool {
	if t.accepts(s) {
		return false
	}
	in := t.edgesIn(r.ID)
	viable := t.viableBytes(s)
	for _, q := range t.subsets[s] {
		edges := t.nfa.States[q].Edges
		for i := range edges {
			if !in[&edges[i]] && !edges[i].Set.Intersect(viable).IsEmpty() {
				return false
			}
		}
	}
	return true
}

// anywhere is the column of a parting at which any byte, or the end, may come.
const anywhere = -1

// alwaysEnded reports whether, after every string that leads to the pair of p, a side can have ended production r with
// the last byte and go on with p's column. It is false for the first pair, to which the empty string leads.
func (s *partings) alwaysEnded(t *tracker, r *expr.Rule, p parting) bool {
	if p.pair == 0 {
		return false
	}
	for _, last := range s.stepsTo(p.pair) {
		subset, x := s.walk.pairs[last.pair].a, s.walk.classes[last.column].first
		if t == s.walk.b {
			subset = s.walk.pairs[last.pair].b
		}
		if !s.canEndWith(t, subset, x, r, p.column) {
			return false
		}
	}
	return true
}

// canEndWith reports whether a side, in a subset, can read x as the last byte of production r and then go on with the
// column.
func (s *partings) canEndWith(t *tracker, subset int, x byte, r *expr.Rule, column int) bool {
	in := t.edgesIn(r.ID)
	isUse := func(span lang.Span) bool { return t.ruleUsed(span) == r }
	for _, q := range t.subsets[subset] {
		edges := t.nfa.States[q].Edges
		for i := range edges {
			if e := &edges[i]; !in[e] || !e.Set.Has(x) {
				continue
			}
			for _, end := range t.closure(edges[i].To) {
				if slices.ContainsFunc(t.spansTo(end), isUse) && s.canFollow(t, end, column) {
					return true
				}
			}
		}
	}
	return false
}

// canFollow reports whether state q leads, without reading, to an edge that reads a column, or to the end for the last
// column. For anywhere it is true.
func (s *partings) canFollow(t *tracker, q int32, column int) bool {
	return column == anywhere || slices.ContainsFunc(t.closure(q), func(q int32) bool {
		if column == len(s.walk.classes) {
			return q == t.nfa.Final
		}
		x := s.walk.classes[column].first
		return slices.ContainsFunc(t.nfa.States[q].Edges, func(e lang.Edge) bool { return e.Set.Has(x) })
	})
}

// stepsTo lists the partings that lead to a pair: its predecessors, each with the column of its byte class. The first
// call makes the table for all pairs.
func (s *partings) stepsTo(pair int) []parting {
	if s.steps == nil {
		s.steps = make([][]parting, len(s.walk.pairs))
		for i, to := range s.next {
			if to >= 0 {
				s.walk.explainBudget.Step(2)
				s.steps[to] = append(s.steps[to], parting{i / s.columns, i % s.columns})
			}
		}
	}
	return s.steps[pair]
}
