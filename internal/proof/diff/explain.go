package diff

import (
	"cmp"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// explain returns the edits of the side that stops that explain c, the best first: with any one of them it
// derives the witness. They change the innermost production that both sides have, with different texts, and
// that derives, on the side that goes on, what the other does not; if there is none, any production. The last
// edit only says where c parts. With joint, explain also looks for edits that explain c together. It returns the last
// edit alone if the grammar of the side that stops derives the witness, and only its language does not. If a limit is
// passed it returns that alone, or none.
func (w *walk) explain(c *Cause, joint bool) (out []edits) {
	defer giveUpOverBudget()
	goes, stops := w.sidesOf(c.Region)
	on, off := c.A, c.B
	if c.Region == OnlyB {
		on, off = off, on
	}
	last := edit{change: partsChange{}, rule: stops.innermostRule(off), other: goes.innermostRule(on), rank: 100}
	if c.At == AtStart {
		return []edits{{{change: existsChange{}, rule: stops.rule, other: goes.rule}}, {last}}
	}
	var read reading
	read.set, read.words = w.readAtCause(c)
	last.change = partsChange{reading: read}
	out = []edits{{last}}
	if !stops.side.Model {
		if n := slices.IndexFunc(w.textualEdits(c.Region), func(e edit) bool { return e.all }); n >= 0 {
			return []edits{{w.textual[c.Region][n]}, {last}}
		}
	}
	s := string(c.Witness)
	x := &explainer{
		walk:  w,
		cause: c,
		goes:  goes.newMatcher(s),
		stops: stops.newMatcher(s),
		at:    c.Offset,
		point: w.pointAt(s, c.Offset),
		read:  read,
		last:  last,
		added: map[int][]addition{},
	}
	if x.point != "" {
		x.at = w.pointStart(s, c.Offset)
	}
	// Its automaton is not exact, so an edit of the grammar explains nothing.
	if x.stops.acceptsFrom(stops.nfa.Start, 0) {
		return out
	}
	if scheme, ok := x.schemeOnlyHere(); ok {
		change := schemeChange{words: []string{scheme}}
		return []edits{{{change: change, rule: stops.rule, other: goes.rule}}, {last}}
	}
	if !stops.side.Model {
		x.findTextual()
	}
	once := func(e edit) bool { return e.whole != nil }
	if e, ok := x.findCharacter(); ok && x.point == "" && !slices.ContainsFunc(x.found, once) {
		return []edits{{e}, {last}}
	}
	x.common, x.commonOther, x.from, x.to = x.commonProduction()
	for _, kind := range kinds {
		if kind.find != nil {
			kind.find(x)
		}
	}
	list := slices.DeleteFunc(x.found, func(e edit) bool { return stops.derivesMore() && !x.derivesWitness(edits{e}) })
	slices.SortStableFunc(list, func(e, f edit) int {
		return cmp.Or(e.rank-f.rank, len(f.change.spelled())-len(e.change.spelled()), e.depth-f.depth)
	})
	var found []edits
	for _, e := range list {
		found = append(found, edits{e})
	}
	if len(found) == 0 && joint {
		found = x.leastTextual()
	}
	if len(found) == 0 && joint {
		found = x.leastTogether()
	}
	return append(found, edits{last})
}

// giveUpOverBudget, deferred around a search for explanations, turns the panic of a passed limit into "nothing was
// found". The limit on time still panics.
func giveUpOverBudget() {
	switch e := recover().(type) {
	case nil:
	case *budget.Exceeded:
		if e.Limit == budget.Time {
			panic(e)
		}
	default:
		panic(e)
	}
}

// An explainer looks for the edits that explain one cause.
type explainer struct {
	walk        *walk
	cause       *Cause
	at          int    // the offset of the parting, at the first byte of a code point
	point       string // the code point beyond ASCII that is read there, "" if there is none
	read        reading
	goes, stops *matcher
	last        edit
	found       []edit
	textual     edits // see [walk.textualEdits]

	// The innermost production that both have, and what it derives of the witness: see
	// [explainer.commonProduction].
	common, commonOther *expr.Rule // of the side that stops, and of the other
	from, to            int

	// What [explainer.leastTogether] knows.
	beingRead map[string]bool
	edits     []*passage // by number
	index     map[mark]int
	added     map[int][]addition // by offset, as far as it is known
}

// hasOtherText returns named if a production of the side that stops has a namesake, and ok if it has none or one with
// another text.
func (x *explainer) hasOtherText(r *expr.Rule) (named, ok bool) {
	other := x.goes.namesake(r)
	return other != nil, other == nil || x.goes.definitionText(other) != x.stops.definitionText(r)
}

// bytesLike returns the bytes that neither side tells from the one at offset i, where the witness must have one. At the
// parting, unless the texts have code points, they include all bytes of the cause that the side that goes on reads in
// the production in; with alone set, only those after which the rest of the witness can follow.
func (x *explainer) bytesLike(i int, in *expr.Rule, alone bool) (set expr.Set) {
	for _, class := range x.walk.classes {
		if class.bytes.Has(x.goes.s[i]) {
			set = class.bytes
		}
	}
	if i != x.at || x.walk.codePoints() {
		return set
	}
	inside := x.goes.edgesIn(in.ID)
	for _, q := range x.goes.before[i] {
		for j := range x.goes.nfa.States[q].Edges {
			if e := &x.goes.nfa.States[q].Edges[j]; inside[e] && (!alone || x.goes.acceptsFrom(e.To, i+1)) {
				set = set.Union(e.Set.Intersect(x.cause.bytes))
			}
		}
	}
	return set
}

// commonProduction returns the innermost production in, of the side that stops, that has a namesake other with
// another text, and that is being read at the parting or ends there. The side that goes on derives bytes i to k of
// the witness with other; if in derived them too, the side that stops would accept the witness. Innermost is the
// production that begins last, of these the one that ends first, and then the deepest. If there is none it returns
// the start productions, with all of the witness.
func (x *explainer) commonProduction() (in, other *expr.Rule, i, k int) {
	s := x.goes.s
	for begin := x.at; begin >= 0; begin-- {
		uses := map[*expr.Rule][]int32{} // the states after a use of each production that begins here
		for _, q := range x.stops.before[begin] {
			for _, span := range x.stops.spansFrom(q) {
				if r := x.stops.ruleUsed(span); r != nil {
					uses[r] = append(uses[r], span.To)
				}
			}
		}
		end, inner := len(s)+1, -1
		for _, q := range x.goes.before[begin] {
			for _, span := range x.goes.spansFrom(q) {
				r := x.goes.ruleUsed(span)
				if r == nil {
					continue
				}
				of := x.stops.namesake(r)
				if len(uses[of]) == 0 || x.stops.definitionText(of) == x.goes.definitionText(r) {
					continue
				}
				inside := func(e *lang.Edge, b byte) bool { return e.Set.Has(b) && readsIn(e, span) }
				for n, states := range x.goes.statesFrom(span.From, begin, inside) {
					if n == 0 && !x.goes.isNullable(r) { // span.From is its end as well only if it can be empty
						continue
					}
					n += begin
					if n < x.at || !slices.Contains(states, span.To) || !x.goes.acceptsFrom(span.To, n) ||
						!slices.ContainsFunc(uses[of], func(to int32) bool { return x.stops.acceptsFrom(to, n) }) {
						continue
					}
					if d := depthOf(span.In); n < end || n == end && d > inner {
						in, other, k, end, inner = of, r, n, n, d
					}
					break
				}
			}
		}
		if in != nil {
			return in, other, begin, k
		}
	}
	return x.stops.rule, x.goes.rule, 0, len(s)
}

// isInside reports whether a span is in a production, or is a use of it.
func isInside(span lang.Span, id string) bool {
	return isInProduction(span.In, id) || span.Of.Op == expr.Ref && span.Of.Name == id
}

// ruleAround returns the innermost production around a span; the start production if there is
// none.
func (t *tracker) ruleAround(span lang.Span) *expr.Rule {
	if span.In == nil {
		return t.rule
	}
	return t.side.Grammar.Rule(span.In.ID)
}

// ruleUsed returns the production that a span is a use of, nil for a part of a sequence.
func (t *tracker) ruleUsed(span lang.Span) *expr.Rule {
	if span.Of.Op != expr.Ref {
		return nil
	}
	return t.side.Grammar.Rule(span.Of.Name)
}

// findTextual sets x.textual to the edits of [walk.textualEdits], and adds to x.found those that explain the
// witness alone.
func (x *explainer) findTextual() {
	x.textual = x.walk.textualEdits(x.cause.Region)
	for _, e := range x.textual {
		if e.derives != nil && e.derives(x.stops.s) || e.derives == nil && x.derivesWitness(edits{e}) {
			x.found = append(x.found, e)
		}
	}
}

// textualEdits lists edits of one production each, found by comparing the two texts without any string: counts of
// repetitions, alternatives, and a difference in one place. The first of them have derives set, as long as all together
// keep fewer than allKept states. The list is remembered, and must not be changed. If the steps do not suffice it is
// empty, from the second call on: the first panics.
func (w *walk) textualEdits(region Region) edits {
	if list, ok := w.textual[region]; ok {
		return list
	}
	w.textual[region] = nil // if the steps do not suffice
	goes, stops := w.sidesOf(region)
	var list edits
	one := onlyOtherText(goes, stops)
	for _, r := range stops.side.Grammar.Rules {
		other := goes.namesake(r)
		if other == nil || goes.definitionText(other) == stops.definitionText(r) {
			continue
		}
		add := func(found edit) {
			if derives, states := w.deriverWith(region, edits{found}); w.kept+states < allKept {
				found.derives, w.kept = derives, w.kept+states
			}
			list = append(list, found)
		}
		compareAlternatives(goes, stops, r, other, add)
		if e, ok := editInOnePlace(goes, stops, r, other); ok && (r == one || !isSubstitution(e.change)) {
			e.all = r == one
			if c, ok := e.change.(allowsChange); ok {
				// The other side may read the rest elsewhere. Then the sentence does not tell everything that
				// the texts differ in, and has to be decided by itself.
				if here := c.set.Intersect(w.partingBytes(region)); !here.IsEmpty() && here != c.set {
					c.set = here
					e.change, e.all, e.whole, e.uses = c, false, nil, nil
				}
			}
			add(e)
		}
		compareRepetitions(r, other, add)
	}
	w.textual[region] = list
	return list
}

// isSubstitution reports whether a change puts one thing in the place of another.
func isSubstitution(c change) bool {
	switch c.(type) {
	case allowsChange, replacesChange:
		return true
	}
	return false
}

// leastTextual returns edits of x.textual that together explain the witness, as the one element of a list. It
// leaves out each edit that is not needed. It returns nil if there are fewer than two, which were tried alone already,
// or if even all of them do not explain the witness.
func (x *explainer) leastTextual() []edits {
	if len(x.textual) < 2 || !x.derivesWitness(x.textual) {
		return nil
	}
	es := slices.Clone(x.textual)
	for i := len(es) - 1; i >= 0; i-- {
		if fewer := slices.Concat(es[:i], es[i+1:]); x.derivesWitness(fewer) {
			es = fewer
		}
	}
	return []edits{es}
}

// withTextual returns es with each edit replaced by one of x.textual that changes the same production, if the witness
// is still derived: such an edit says more.
func (x *explainer) withTextual(es edits) edits {
	for i := range es {
		for _, e := range x.textual {
			if e.rule != es[i].rule || slices.ContainsFunc(es, func(f edit) bool { return f.key() == e.key() }) {
				continue
			}
			if told := slices.Concat(es[:i], edits{e}, es[i+1:]); x.derivesWitness(told) {
				es = told
			}
		}
	}
	return es
}

// isOptional reports whether e is a repetition that may be missing.
func isOptional(e *expr.Expr) bool { return e.Op == expr.Repeat && e.Min == 0 }

// add adds an edit to x.found, with the innermost production as its other if it has none.
func (x *explainer) add(e edit) {
	e.other = cmp.Or(e.other, x.last.other)
	x.found = append(x.found, e)
}

// derivesWitness reports whether, with the edits, the side that stops derives the witness and all of words.
func (x *explainer) derivesWitness(es edits, words ...string) bool {
	derives, _ := x.walk.deriverWith(x.cause.Region, es)
	return !slices.ContainsFunc(append(words, x.stops.s), func(w string) bool { return !derives(w) })
}

// deriverWith returns a function that reports whether the side that stops derives a string with the edits. If the first
// edit judges by itself, that is its judge; if an edit alone explains all, the language of the side that goes on.
// Otherwise the edited grammar is made, which takes steps of the budget of explanations. For a BNF so does each call of
// the function, states is the number of states that it keeps, and where the side that stops is not exact, a string that
// it derives without the edits does not count. If the automaton passes a limit on states the function is always false.
func (w *walk) deriverWith(region Region, es edits) (derives func(s string) bool, states int) {
	goes, stops := w.sidesOf(region)
	if judge := es[0].change.judge(); judge != nil {
		return judge, 0
	}
	if len(es) == 1 && es[0].all {
		return goes.dfa.Match, 0
	}
	w.explainBudget.Step(16 * len(stops.side.Grammar.Rules))
	g := es.apply(stops.side.Grammar, goes.side.Grammar)
	g.Budget = w.explainBudget
	if g.Ordered {
		a, err := languageOf(g, stops.rule.ID, lang.Limits{})
		return func(s string) bool { return err == nil && a.Match(s) }, 0
	}
	n, err := lang.BuildNFA(g, stops.rule.ID, lang.Options{Limits: lang.Limits{NFA: allKept}})
	if err != nil {
		return func(string) bool { return false }, 0
	}
	w.explainBudget.Step(7 * len(n.States))
	t, less := &tracker{nfa: n}, stops.cut || stops.side.Exact != nil || stops.side.Prefix != ""
	return func(s string) bool {
		t.budget = w.explainBudget
		return t.matches(s, nil) && !(less && stops.matches(s, nil))
	}, len(n.States)
}

// isNullable reports whether a production derives the empty string.
func (t *tracker) isNullable(r *expr.Rule) bool {
	if t.facts == nil {
		t.facts = expr.Analyze(t.side.Grammar.Rules)
	}
	return t.facts.Nullable(expr.To(r.ID))
}

// innermostRule returns the innermost production on the path of a place that its name alone identifies: see
// ruleNamed. If there is none it returns the start production.
func (t *tracker) innermostRule(p Place) *expr.Rule {
	for _, name := range slices.Backward(p.Path) {
		if r := t.ruleNamed(name); r != nil {
			return r
		}
	}
	return t.rule
}

// spell returns parts of a grammar as the text of t writes them.
func (t *tracker) spell(run []*expr.Expr) string {
	return lint.Text(t.side.Grammar, expr.Cat(run...))
}
