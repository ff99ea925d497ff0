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

// The edits that explain a cause together are maxTogether at most. Each has a cost of 1, or more if it is less likely
// to be what a reader would see.
const (
	maxTogether = 3
	maxCost     = 4
)

// How many places are looked at for what explains one cause, how many ways lead out of them, and by how many edits.
const (
	maxPlaces = 1 << 15
	maxWays   = 1 << 20
	maxEdits  = 1 << 16
)

// maxTried is how many explanations of one cause are tried out.
const maxTried = 16

// A passage is an edit by which the side that stops gets through a part of the witness.
type passage struct {
	edit
	id    int
	key   string // of the edit, wherever it is
	known bool   // it explains other causes
	moved bool   // and not added: the side that stops has it elsewhere
	omits bool   // it leaves something out
}

// A way is where a passage leads.
type way struct {
	*passage
	to   int32 // the state behind it
	i    int   // the offset behind it
	cost int
}

// A mark is what sets edits apart.
type mark struct {
	feature     Feature
	rule, other *expr.Rule
	set         expr.Set
	run         int
	at          [2]lang.Span
}

// A place is where the side that stops may be, by the edits of a set.
type place struct {
	q      int32
	i, set int
}

// A joint is edits that are tried together.
type joint struct {
	ids         []int // of the edits, as they are at each place, in the order of the witness
	edits       int   // how many they are
	first, last int   // offsets of edits
	omits       bool  // the last one leaves out something
}

// leastTogether returns the smallest set of edits, at any places of the witness, with which the side that stops
// derives it. Sets whose edits other causes have are preferred, then those that come latest and have the lowest
// ranks. It returns none if there are too many.
func (x *explainer) leastTogether() []edits {
	if x.stops.side.Model || x.goes.side.Model {
		return nil
	}
	x.index, x.reading = map[mark]int{}, x.rulesBeingRead()
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
				// Something was left out to come to where nothing fits either.
				cost++
			}
			if j.edits > maxTogether || cost > most {
				return set, maxCost + 1
			}
		}
		x.w.left.Step(24 + 4*len(j.ids))
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
	var at [maxCost + 1][]place
	at[0] = []place{{q: x.stops.nfa.Start}}
	for n := 0; n <= maxCost && len(found) == 0; n++ {
		for len(at[n]) > 0 {
			p := at[n][len(at[n])-1]
			at[n] = at[n][:len(at[n])-1]
			if seen[p] {
				continue
			}
			seen[p] = true
			x.w.left.Step(16)
			if len(seen) > maxPlaces || ways > maxWays || len(x.edits) > maxEdits {
				return nil
			}
			if n > 0 && x.stops.acceptsFrom(p.q, p.i) {
				found = append(found, joints[p.set])
				continue
			}
			state := &x.stops.nfa.States[p.q]
			for _, to := range state.Epsilon {
				at[n] = append(at[n], place{to, p.i, p.set})
			}
			for j := range state.Edges {
				if e := &state.Edges[j]; p.i < len(s) && e.Set.Has(s[p.i]) {
					at[n] = append(at[n], place{e.To, p.i + 1, p.set})
				}
			}
			here := place{q: p.q, i: p.i}
			if _, ok := passages[here]; !ok {
				passages[here] = x.waysByEdit(p.q, p.i)
				ways += len(passages[here])
			}
			for _, way := range passages[here] {
				if set, cost := with(p.set, way, p.i, maxCost-n); n+cost <= maxCost {
					at[n+cost] = append(at[n+cost], place{way.to, way.i, set})
				}
			}
		}
	}
	type choice struct {
		joint
		edits         edits
		unknown, rank int // how many of the edits explain no other cause, and their ranks
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
			if x.w.groupOf(x.c.Region, edits{e}) == nil {
				c.unknown++
			}
		}
		if x.w.groupOf(x.c.Region, c.edits) != nil {
			c.unknown = -1
		}
		choices = append(choices, c)
	}
	slices.SortStableFunc(choices, func(c, d choice) int {
		return cmp.Or(c.unknown-d.unknown, d.first-c.first, d.last-c.last, c.rank-d.rank)
	})
	for _, c := range choices[:min(len(choices), maxTried)] {
		if x.derivesWitness(c.edits) {
			return []edits{x.widenBytes(x.withRecounts(c.edits))}
		}
	}
	return nil
}

// rulesBeingRead lists the productions that the side that stops reads where the two part, or has just read.
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

// widenBytes returns es with all bytes of the cause that what reads its own allows as well.
func (x *explainer) widenBytes(es edits) edits {
	if x.c.At != AtByte || x.w.codePoints() {
		return es
	}
	s := x.stops.s
	for i, e := range es {
		c, ok := e.change.(allowsChange)
		if !ok || !c.set.Has(s[x.at]) {
			continue
		}
		for _, class := range x.w.classes {
			more := class.bytes.Intersect(x.c.bytes)
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

// waysByEdit lists the ways by an edit out of a state of the side that stops, at an offset of the witness.
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
			x.w.left.Step(16 + 2*len(key))
			moved := false
			if c, ok := e.change.(addsChange); ok {
				moved = slices.ContainsFunc(c.run, x.occursElsewhere(e.other))
			}
			x.edits = append(x.edits, &passage{
				edit:  e,
				id:    id,
				key:   key,
				known: x.w.keyed[string(x.c.Region)+key] != nil,
				moved: moved,
				omits: omits,
			})
		}
		p := way{x.edits[id], to, end, 1}
		switch {
		case p.known:
		case i < x.at && (!x.reading[e.rule.ID] || omits && m.run == 1):
			p.cost = 2
		case p.moved:
			p.cost = 3
		}
		list = append(list, p)
	}
	reads := false
	for _, q := range x.stops.closure(q) {
		for j := range x.stops.nfa.States[q].Edges {
			reads = reads || i < len(s) && x.stops.nfa.States[q].Edges[j].Set.Has(s[i])
		}
	}
	if !reads { // what is there is left out, and not what could be
		x.eachOmission(q, func(_ lang.Span, to int32, e edit) { add(e, lang.Span{}, to, i) })
	}
	if i == len(s) {
		return list
	}
	for j := range x.stops.nfa.States[q].Edges {
		e := &x.stops.nfa.States[q].Edges[j]
		switch {
		case e.Set.Has(s[i]) || x.w.codePoints() && s[i] >= utf8.RuneSelf:
			continue
		case e.In != x.stops.innermostNode(e) || x.stops.sign(q, e): // an escape, or a sign
			continue
		}
		inner := x.stops.side.Grammar.Rule(e.In.ID)
		for c := e.In; c != nil; c = c.Up {
			r := x.stops.side.Grammar.Rule(c.ID)
			other, same := x.readerOf(i, r)
			if _, differ := x.hasOtherText(r); !differ || r != inner && (!same || c.Up == nil) { // the start is all of the string
				continue
			}
			c := allowsChange{reading: reading{set: x.bytesLike(i, other, true)}}
			found := edit{change: c, rule: r, other: other, rank: 5}
			if same {
				found.rank = common
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

// occursElsewhere returns a function that reports whether the side that stops has a part of the production in as
// well: its namesake has the same part, or the part uses a production that both sides have and that is not lexical.
func (x *explainer) occursElsewhere(in *expr.Rule) func(part *expr.Expr) bool {
	same := x.stops.namesake(in)
	known := x.w.parts[same]
	if same != nil && known == nil {
		known = map[string]bool{}
		expr.Walk(same.Expr, func(e *expr.Expr) bool {
			text := e.String()
			x.w.left.Step(2 + len(text)/2)
			known[text] = true
			return true
		})
		x.w.parts[same] = known
	}
	return func(part *expr.Expr) bool {
		return known[part.String()] || slices.ContainsFunc(expr.Refs(part), func(id string) bool {
			r := x.goes.side.Grammar.Rule(id)
			return r != nil && !x.goes.lexical(id) && x.stops.namesake(r) != nil
		})
	}
}

// sign reports whether what is read out of a state is a part of a text, and no character of several.
func (t *tracker) sign(q int32, e *lang.Edge) bool {
	switch m := e.Set.Members(); {
	case e.Term.Op == expr.Ref || len(m) > 2 || len(m) == 2 && m[0]|0x20 != m[1]:
		return false
	case len(e.Term.Lit) > 1:
		return true
	}
	return slices.ContainsFunc(t.spansFrom(q), func(s lang.Span) bool { return s.Of.Op == expr.Seq && s.Of.Sub[s.I] == e.Term })
}

// readerOf returns the production in which the side that goes on reads the byte at an offset of the witness: the
// namesake of r if that is one of them, with same true, else the innermost one. If there is none it is the production
// of the last edit.
func (x *explainer) readerOf(i int, r *expr.Rule) (in *expr.Rule, same bool) {
	namesake := x.goes.namesake(r)
	for _, q := range x.goes.before[i] {
		x.goes.left.Step(1 + len(x.goes.nfa.States[q].Edges)/4)
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
