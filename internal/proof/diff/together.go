package diff

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// maxTogether caps the edits that explain a cause together, and maxCost their total cost. An edit costs 1, or more if
// it is less likely to be what a reader would see.
const (
	maxTogether = 3
	maxCost     = 4
)

// Limits for one cause: the places that are looked at, the ways by an edit out of all of them, and the edits.
const (
	maxPlaces = 1 << 15
	maxWays   = 1 << 20
	maxEdits  = 1 << 16
)

// maxTried caps the explanations of one cause that are tried out.
const maxTried = 16

// A passage is an edit that gets the side that stops through a part of the witness.
type passage struct {
	edit
	id    int
	key   string // of the edit, wherever it is
	known bool   // it explains other causes already
	moved bool   // it is not really added: the side that stops has it elsewhere
	omits bool   // it leaves something out
}

// A way is a step by a passage.
type way struct {
	*passage
	to     int32 // the state after it
	offset int   // the offset in the witness after it
	cost   int
}

// A mark identifies an edit.
type mark struct {
	feature     Feature
	rule, other *expr.Rule
	set         expr.Set
	run         int
	at          [2]lang.Span
}

// A place is a state of the side that stops at an offset of the witness, reached by the edits of a set.
type place struct {
	state       int32
	offset, set int
}

// A joint is a set of edits that are tried together.
type joint struct {
	ids         []int // the edits' numbers; one edit at two places has two
	edits       int   // the number of different edits
	first, last int   // offsets of edits
	omits       bool  // the last one leaves out something
}

// leastTogether returns the set of edits of least cost, at any places of the witness, that makes the side that stops
// derive it, as the one element of a list. The set has at most maxTogether edits and costs at most maxCost. Of several
// it prefers those whose edits explain other causes, then those that come latest and have the lowest ranks. The set is
// returned as withTextual and widenBytes make it, so it may allow more than the witness needs.
//
// leastTogether returns nil if a side is a model, if there is no such set, if none of the first maxTried derives the
// witness, or if the search passes maxPlaces, maxWays or maxEdits. It sets x.index and x.beingRead, and appends to
// x.edits and x.added.
//
// The search is Dijkstra's, over places, with the cost of the edits as the distance.
func (x *explainer) leastTogether() []edits {
	if x.stops.side.Model || x.goes.side.Model {
		return nil
	}
	x.index, x.beingRead = map[mark]int{}, x.rulesBeingRead()
	s := x.stops.s
	joints, index := []joint{{first: len(s)}}, map[string]int{"": 0}
	with := func(set int, p way, at, most int) (to, cost int) {
		j := joints[set]
		if slices.Contains(j.ids, p.id) {
			return set, 0
		}
		if !slices.ContainsFunc(j.ids, func(id int) bool { return x.edits[id].key == p.key }) {
			j.edits++
			cost = p.cost
			if !p.omits && j.omits && j.last == at {
				// A part was omitted just to reach a place where nothing fits either.
				cost++
			}
			if j.edits > maxTogether || cost > most {
				return set, maxCost + 1
			}
		}
		x.walk.explainBudget.Step(24 + 4*len(j.ids))
		j = joint{append(slices.Clone(j.ids), p.id), j.edits, min(at, j.first), at, p.omits}
		var key []byte
		for _, n := range append(slices.Sorted(slices.Values(j.ids)), j.last) {
			key = binary.AppendVarint(key, int64(n))
		}
		key = strconv.AppendBool(key, j.omits)
		to, ok := index[string(key)]
		if !ok {
			to = len(joints)
			index[string(key)] = to
			joints = append(joints, j)
		}
		return to, cost
	}
	var found []joint
	seen := map[place]bool{}
	passages, ways := map[place][]way{}, 0
	var at [maxCost + 1][]place // to be visited, by the cost so far
	at[0] = []place{{state: x.stops.nfa.Start}}
	for n := 0; n <= maxCost && len(found) == 0; n++ {
		for len(at[n]) > 0 {
			p := at[n][len(at[n])-1]
			at[n] = at[n][:len(at[n])-1]
			if seen[p] {
				continue
			}
			seen[p] = true
			x.walk.explainBudget.Step(16)
			if len(seen) > maxPlaces || ways > maxWays || len(x.edits) > maxEdits {
				return nil
			}
			if n > 0 && x.stops.acceptsFrom(p.state, p.offset) {
				found = append(found, joints[p.set])
				continue
			}
			state := &x.stops.nfa.States[p.state]
			for _, to := range state.Epsilon {
				at[n] = append(at[n], place{to, p.offset, p.set})
			}
			for j := range state.Edges {
				if e := &state.Edges[j]; p.offset < len(s) && e.Set.Has(s[p.offset]) {
					at[n] = append(at[n], place{e.To, p.offset + 1, p.set})
				}
			}
			here := place{state: p.state, offset: p.offset}
			if _, ok := passages[here]; !ok {
				passages[here] = x.waysByEdit(p.state, p.offset)
				ways += len(passages[here])
			}
			for _, way := range passages[here] {
				if set, cost := with(p.set, way, p.offset, maxCost-n); n+cost <= maxCost {
					at[n+cost] = append(at[n+cost], place{way.to, way.offset, set})
				}
			}
		}
	}
	type choice struct {
		joint
		edits         edits
		unknown, rank int // the number of edits that explain no other cause, and the sum of the ranks
	}
	var choices []choice
	for _, j := range found {
		c := choice{joint: j}
		for _, id := range j.ids {
			e := x.edits[id].edit
			if same := slices.IndexFunc(c.edits, func(f edit) bool { return f.key() == e.key() }); same >= 0 {
				c.edits[same].join(e)
				c.rank++
				continue
			}
			c.edits = append(c.edits, e)
			c.rank += e.rank
			if x.walk.groupOf(x.cause.Region, edits{e}) == nil {
				c.unknown++
			}
		}
		if x.walk.groupOf(x.cause.Region, c.edits) != nil {
			c.unknown = -1
		}
		choices = append(choices, c)
	}
	slices.SortStableFunc(choices, func(c, d choice) int {
		return cmp.Or(c.unknown-d.unknown, d.first-c.first, d.last-c.last, c.rank-d.rank)
	})
	for _, c := range choices[:min(len(choices), maxTried)] {
		if x.derivesWitness(c.edits) {
			return []edits{x.widenBytes(x.withTextual(c.edits))}
		}
	}
	return nil
}

// rulesBeingRead returns the productions, by ID, around what the side that stops could read at the parting, and around
// what it has just read. The start is always among them.
func (x *explainer) rulesBeingRead() map[string]bool {
	reading := map[string]bool{x.stops.rule.ID: true}
	note := func(i int, is func(e *lang.Edge) bool) {
		for _, q := range x.stops.before[i] {
			for j := range x.stops.nfa.States[q].Edges {
				if e := &x.stops.nfa.States[q].Edges[j]; is(e) {
					for c := e.In; c != nil; c = c.Up {
						reading[c.ID] = true
					}
				}
			}
		}
	}
	note(x.at, func(*lang.Edge) bool { return true })
	if x.at > 0 {
		note(x.at-1, func(e *lang.Edge) bool { return e.Set.Has(x.stops.s[x.at-1]) })
	}
	return reading
}

// widenBytes returns es with as many bytes of the cause as possible added to the edits that allow the byte of the
// parting. Bytes are added, a class at a time, if a string that parts at one of them is derived too.
func (x *explainer) widenBytes(es edits) edits {
	if x.cause.At != AtByte || x.walk.codePoints() {
		return es
	}
	s := x.stops.s
	for i, e := range es {
		c, ok := e.change.(allowsChange)
		if !ok || !c.set.Has(s[x.at]) {
			continue
		}
		for _, class := range x.walk.classes {
			more := class.bytes.Intersect(x.cause.bytes)
			if more.Minus(c.set).IsEmpty() {
				continue
			}
			begin := s[:x.at] + string(more.Members()[:1])
			rest, _ := x.goes.endings(x.goes.dfa.Run(0, begin))
			wide := slices.Clone(es)
			c := es[i].change.(allowsChange)
			c.set = c.set.Union(more)
			wide[i].change = c
			if x.derivesWitness(wide, begin+rest) {
				es = wide
			}
		}
	}
	return es
}

// waysByEdit lists the ways out of q, a state of the side that stops, by one edit at the offset i of the witness:
// omitting a part, if that side does not read the next byte there, allowing a byte, or adding a part. No byte is
// allowed in place of a fixed sign or in a part of an escape, and none beyond ASCII where texts have code points. New
// edits are added to x.edits and x.index, which must be made; x.beingRead must be set. A way costs 1, or 2 or 3 if its
// edit explains no other cause so far and is unlikely to be what a reader would see.
func (x *explainer) waysByEdit(q int32, i int) (list []way) {
	s := x.stops.s
	add := func(e edit, first lang.Span, to int32, end int) {
		e.other = cmp.Or(e.other, x.last.other)
		m := mark{
			feature: e.change.feature(),
			rule:    e.rule,
			other:   e.other,
			run:     len(e.change.spelled()),
			at:      [2]lang.Span{first},
		}
		omits := false
		var at []lang.Span
		switch c := e.change.(type) {
		case allowsChange:
			m.set = c.set
		case omitsChange:
			omits = true
			at = c.at
		case addsChange:
			at = c.at
		}
		if at != nil {
			m.at[1] = lang.Span{Of: at[0].Of, I: at[0].I, At: at[0].At}
		}
		id, ok := x.index[m]
		if !ok {
			id = len(x.edits)
			x.index[m] = id
			key := e.key()
			x.walk.explainBudget.Step(16 + 2*len(key))
			moved := false
			if c, ok := e.change.(addsChange); ok {
				moved = slices.ContainsFunc(c.run, x.occursElsewhere(e.other))
			}
			x.edits = append(x.edits, &passage{
				edit:  e,
				id:    id,
				key:   key,
				known: x.walk.groupByKey[string(x.cause.Region)+key] != nil,
				moved: moved,
				omits: omits,
			})
		}
		p := way{x.edits[id], to, end, 1}
		switch {
		case p.known:
		case i < x.at && (!x.beingRead[e.rule.ID] || omits && m.run == 1):
			p.cost = 2
		case p.moved:
			p.cost = 3
		}
		list = append(list, p)
	}
	reads := false
	for _, r := range x.stops.closure(q) {
		for j := range x.stops.nfa.States[r].Edges {
			reads = reads || i < len(s) && x.stops.nfa.States[r].Edges[j].Set.Has(s[i])
		}
	}
	if !reads { // a part is omitted only if the witness does not go on with it
		x.eachOmission(q, func(_ lang.Span, to int32, e edit) { add(e, lang.Span{}, to, i) })
	}
	if i == len(s) {
		return list
	}
	for j := range x.stops.nfa.States[q].Edges {
		e := &x.stops.nfa.States[q].Edges[j]
		switch {
		case e.Set.Has(s[i]) || x.walk.codePoints() && s[i] >= utf8.RuneSelf:
			continue
		case e.In != x.stops.innermostNode(e) || x.stops.isSign(q, e): // a part of an escape, or a fixed sign
			continue
		}
		inner := x.stops.side.Grammar.Rule(e.In.ID)
		for c := e.In; c != nil; c = c.Up {
			r := x.stops.side.Grammar.Rule(c.ID)
			other, same := x.readerOf(i, r)
			// The start production contains everything.
			if _, differ := x.hasOtherText(r); !differ || r != inner && (!same || c.Up == nil) {
				continue
			}
			c := allowsChange{reading: reading{set: x.bytesLike(i, other, true)}}
			found := edit{change: c, rule: r, other: other, rank: 5}
			if same {
				found.rank = rankCommon
			}
			add(found, lang.Span{}, e.To, i+1)
			if same {
				break
			}
		}
	}
	ends := x.stops.spansTo(q)
	for _, more := range x.additionsAt(i) {
		e := more.edit
		for _, span := range ends {
			if d := depthOf(span.In); e.rule == nil || d < e.depth {
				e.change = addsChange{run: more.run, at: []lang.Span{span}}
				e.rule, e.depth = x.stops.ruleAround(span), d
			}
		}
		if e.rule != nil {
			add(e, more.first, q, more.end)
		}
	}
	return list
}

// occursElsewhere returns a function that reports whether the side that stops also has a part of production in: its
// namesake has the same part, or the part uses a production that both sides have and that is not lexical.
func (x *explainer) occursElsewhere(in *expr.Rule) func(part *expr.Expr) bool {
	same := x.stops.namesake(in)
	known := x.walk.parts[same]
	if same != nil && known == nil {
		known = map[string]bool{}
		expr.Walk(same.Expr, func(e *expr.Expr) bool {
			text := e.String()
			x.walk.explainBudget.Step(2 + len(text)/2)
			known[text] = true
			return true
		})
		x.walk.parts[same] = known
	}
	return func(part *expr.Expr) bool {
		return known[part.String()] || slices.ContainsFunc(expr.Refs(part), func(id string) bool {
			r := x.goes.side.Grammar.Rule(id)
			return r != nil && !x.goes.lexical(id) && x.stops.namesake(r) != nil
		})
	}
}

// isSign reports whether edge e out of a state reads a fixed sign of a text, and not one character out of several.
func (t *tracker) isSign(q int32, e *lang.Edge) bool {
	switch m := e.Set.Members(); {
	case e.Term.Op == expr.Ref || len(m) > 2 || len(m) == 2 && m[0]|0x20 != m[1]:
		return false
	case len(e.Term.Lit) > 1:
		return true
	}
	return slices.ContainsFunc(t.spansFrom(q), func(s lang.Span) bool {
		return s.Of.Op == expr.Seq && s.Of.Sub[s.I] == e.Term
	})
}

// readerOf returns the production in which the side that goes on reads the byte at offset i of the witness, before
// the rest of it. If that can be in the namesake of r, a production of the side that stops, in is the namesake, and
// same is true. Otherwise in is the innermost production that is no term around the first edge that reads the byte;
// if none does, it is x.last.other.
func (x *explainer) readerOf(i int, r *expr.Rule) (in *expr.Rule, same bool) {
	namesake := x.goes.namesake(r)
	for _, q := range x.goes.before[i] {
		x.goes.budget.Step(1 + len(x.goes.nfa.States[q].Edges)/4)
		for j := range x.goes.nfa.States[q].Edges {
			e := &x.goes.nfa.States[q].Edges[j]
			if !e.Set.Has(x.goes.s[i]) || !x.goes.acceptsFrom(e.To, i+1) {
				continue
			}
			if namesake != nil && isInProduction(e.In, namesake.ID) {
				return namesake, true
			}
			if in == nil {
				in = x.goes.side.Grammar.Rule(x.goes.innermostNode(e).ID)
			}
		}
	}
	return cmp.Or(in, x.last.other), false
}
