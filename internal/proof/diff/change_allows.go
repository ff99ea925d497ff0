package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An allowsChange allows more characters, in place of any other, in a production and in all that it uses.
type allowsChange struct {
	grammarChange
	reading

	// every is set if any code point beyond ASCII can be read; words has some of them.
	every bool
}

func (allowsChange) feature() Feature { return Allows }

func (allowsChange) key(e *edit) string { return fmt.Sprint(e.rule.ID, " ", e.other.ID) }

func (c allowsChange) join(other change) change {
	c.reading = c.reading.join(other.(allowsChange).reading)
	return c
}

// spelled is part of [change]; nothing is spelled.
func (allowsChange) spelled() []*expr.Expr { return nil }

// rewrite replaces the production by a copy, with copies of all that it uses, named by the prefix that everywhere
// gets. In these, each character can also be one that is allowed, or a word that is: a code point beyond ASCII in
// its UTF-8. It is the zero rewriting if c allows nothing.
func (c allowsChange) rewrite(e *edit, _ *expr.Grammar, _ string) rewriting {
	if c.isEmpty() {
		return rewriting{}
	}
	also := expr.In(c.set)
	for _, word := range c.words {
		also = expr.Or(also, expr.Lit(word))
	}
	if c.every {
		also = expr.Or(also, expr.Or(beyondASCII...))
	}
	return rewriting{everywhere: func(g *expr.Grammar, prefix string) *expr.Grammar {
		rules := slices.Clone(g.Rules)
		for i, r := range rules {
			if r.ID == e.rule.ID {
				changed := *r
				changed.Expr = expr.To(prefix + r.ID)
				rules[i] = &changed
			}
		}
		return g.With(append(rules, copyWithUses(g, e.rule.ID, prefix, also)...))
	}}
}

// beyondASCII derives the code points beyond ASCII.
var beyondASCII = expr.Encodings(utf8.RuneSelf, unicode.MaxRune)

// decide makes a change of bytes exact, if it is alone and no order is in the way: see [partings.makeExact]. A
// change of code points that is alone is decided with all of them allowed, and told with those in c and the ASCII
// that the classes part at. Any other is decided by the changed grammar, and told as it is.
func (c allowsChange) decide(s *partings, region Region, es edits) (of []bool, m *machine, told edits) {
	e := es[0]
	_, stops := s.walk.sidesOf(region)
	if len(es) > 1 || e.whole != nil {
		return c.grammarChange.decide(s, region, es)
	}
	if c.words == nil && !stops.side.Grammar.Ordered {
		of, m = s.makeExact(region, &e)
		return of, m, edits{e}
	}
	c.every = c.words != nil
	e.change = c
	of, m = s.decideByGrammar(region, edits{e})
	if c.every {
		ascii := expr.Range(0, utf8.RuneSelf-1)
		parts := s.bytesOf(of)
		c.set = parts.Intersect(ascii)
		if parts.Minus(ascii).IsEmpty() {
			c.words = nil
		}
		e.change = c
	}
	return of, m, edits{e}
}

// isClear is false for a change that allows every byte in the whole of the string.
func (allowsChange) isClear(e *edit, goes, stops *tracker) bool {
	return e.other != goes.rule || e.rule == stops.rule
}

// tell lists the further characters that the side that goes on reads. It names the production that reads them
// and the one of the other side that does not, where they have names.
func (c allowsChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Bytes = classText(c.set)
	read := c.listed("and")
	text := fmt.Sprintf(" allows %s%s", read, t.goes.whereIn(claim.Where))
	at := t.stops.whereIn(claim.Other)
	switch {
	case claim.Where == t.a: // two productions of one text
		text = fmt.Sprintf(" allows %s", read)
	case t.goes.side.Model:
		text = fmt.Sprintf(" allows %s where %s%s does not", read, t.b, at)
	case t.stops.side.Model:
		if e.several {
			text = fmt.Sprintf(" allows %s", read)
		}
		text += fmt.Sprintf(" where %s does not", t.b)
	case strings.EqualFold(claim.Where, claim.Other): // one name for both, which the text has already
	default:
		text += fmt.Sprintf("; %s does not%s", t.b, at)
	}
	return sentence{Claim: claim, text: text}
}

// findCharacter finds a lexical production that both sides have with different texts, if the side that goes on reads
// the byte of the parting as a single byte of it. It tries the innermost production first. The edit lets the namesake
// read the byte too, so that the other side derives the witness. It returns false if there is none, and if the two do
// not part at a byte.
func (x *explainer) findCharacter() (edit, bool) {
	i := x.at
	if x.cause.At != AtByte {
		return edit{}, false
	}
	set := x.bytesLike(i, x.goes.rule, false)
	for _, q := range x.goes.before[i] {
		for j := range x.goes.nfa.States[q].Edges {
			e := &x.goes.nfa.States[q].Edges[j]
			if e.Term.Op != expr.Ref || !e.Set.Has(x.goes.s[i]) || !x.goes.acceptsFrom(e.To, i+1) {
				continue
			}
			names := x.goes.singleByteRules(e.Term.Name)
			for n := len(names) - 1; n >= 0; n-- { // the innermost comes last
				other := x.goes.side.Grammar.Rule(names[n])
				if other == nil || !set.Minus(x.goes.singleBytes(expr.To(other.ID))).IsEmpty() {
					continue
				}
				r := x.stops.namesake(other)
				if r == nil || x.stops.definitionText(r) == x.goes.definitionText(other) {
					continue
				}
				if !x.stops.lexical(r.ID) || !x.stops.acceptsAllowing(r.ID, set) {
					continue
				}
				c := allowsChange{reading: reading{set: set}}
				found := edit{change: c, rule: r, other: other}
				if !x.stops.derivesMore() || x.derivesWitness(edits{found}) {
					return found, true
				}
			}
		}
	}
	return edit{}, false
}

// findAllows adds to x.found the edit that allows the characters that are read at the parting: bytes or,
// beyond ASCII, code points. It adds nothing if bytes would not help, or nothing in ASCII is read in place of a code
// point.
func (x *explainer) findAllows() {
	words := []string(nil)
	switch {
	case x.point == "":
		x.findBytes(x.common, x.commonOther, x.from, x.to)
		return
	case x.goes.s[x.from:x.to] == x.point:
		words = x.pointsOfOneSide(x.common, x.commonOther, x.point)
	default:
		words = x.pointsInPlaceOfASCII(x.point)
		if words == nil {
			return
		}
	}
	c := allowsChange{reading: reading{words: words}}
	x.found = append(x.found, edit{change: c, rule: x.common, other: x.commonOther})
}

// findBytes adds to x.found an edit that lets a production of the side that stops read more bytes. That is
// in, the namesake of other, with which the side that goes on derives bytes i to k of the witness. If in is
// the start production, it is the innermost production around the parting for which this helps.
//
// The bytes are those like the byte of the parting or, if they do not help, like one before it. Bytes that a group of
// the same edit allows already count as allowed, and if they are enough the edit may have none of its own. findBytes
// adds nothing if no such edit lets the side that stops accept the witness.
func (x *explainer) findBytes(in, other *expr.Rule, i, k int) {
	rank := rankCommon
	if x.partsInCase() {
		rank = -1
	}
	try := func(r, other *expr.Rule, from int) bool {
		of := func(what reading) edit {
			return edit{change: allowsChange{reading: what}, rule: r, other: other, rank: rank}
		}
		var known expr.Set
		if g := x.walk.groupOf(x.cause.Region, edits{of(reading{})}); g != nil {
			known = g.edits[0].change.(allowsChange).set
		}
		// r derives single characters, so a "%" does not begin an escape.
		alone := !x.stops.singleBytes(r.Expr).IsEmpty()
		reads := x.at < k && x.at >= from               // r reads the byte of the parting
		for pass, more := range []expr.Set{{}, known} { // first what is enough alone, then together with what is known
			for j := min(x.at, k-1); j >= from; j-- {
				what := reading{set: x.bytesLike(j, other, alone)}
				if j == x.at {
					what.words = x.read.words
				}
				if pass == 0 && (!reads || j < x.at) && x.stops.acceptsAllowing(r.ID, known) {
					what.set = expr.Set{}
				} else if !x.stops.acceptsAllowing(r.ID, what.set.Union(more)) {
					continue
				}
				x.add(of(what))
				return true
			}
		}
		if !x.stops.acceptsAllowing(r.ID, known) {
			return false
		}
		x.add(of(reading{}))
		return true
	}
	if in != x.stops.rule {
		try(in, other, i)
		return
	}
	place, on := x.cause.B, x.cause.A
	if x.cause.Region == OnlyB {
		place, on = on, place
	}
	rank++
	for n, name := range slices.Backward(place.Path) {
		if n == 0 && len(place.Path) > 1 { // the start production says nothing about the place
			break
		}
		r, other := x.stops.ruleNamed(name), x.last.other
		if r == nil {
			continue
		}
		if same := x.goes.namesake(r); same != nil && slices.Contains(on.Path, same.Name) {
			other = same
		}
		if try(r, other, x.at) {
			break
		}
	}
}

// partsInCase reports whether the two part at a letter that the side that stops reads in the other case only, and
// otherwise alike.
func (x *explainer) partsInCase() bool {
	if x.at >= len(x.goes.s) || !unicode.IsLetter(rune(x.goes.s[x.at])) {
		return false
	}
	other := expr.Bytes(string([]byte{x.goes.s[x.at] ^ 0x20}))
	readsOther := func(e lang.Edge) bool { return e.Set == other && x.stops.acceptsFrom(e.To, x.at+1) }
	return slices.ContainsFunc(x.stops.before[x.at], func(q int32) bool {
		return slices.ContainsFunc(x.stops.nfa.States[q].Edges, readsOther)
	})
}

// rankCommon is the rank of an edit that allows more in a production that both sides have.
const rankCommon = 4

// pointsInPlaceOfASCII lists point and up to four more code points that only the side that goes on reads, if both
// sides read some ASCII byte there before the same rest. It is nil if there is no such byte.
func (x *explainer) pointsInPlaceOfASCII(point string) (words []string) {
	before, rest := x.goes.s[:x.at], x.goes.s[x.at+len(point):]
	goes := func(word string) bool { return x.goes.dfa.Match(before + word + rest) }
	stops := func(word string) bool { return x.stops.dfa.Match(before + word + rest) }
	for b := range rune(utf8.RuneSelf) {
		if goes(string(b)) && stops(string(b)) {
			run := func(a *lang.DFA) int { return a.Run(0, before) }
			start := statePair{run(x.goes.dfa), run(x.stops.dfa)}
			return firstPointsApart(x.goes.dfa, x.stops.dfa, start, rest, point)
		}
	}
	return nil
}

// pointsOfOneSide lists point, and up to four more code points that production other derives and in does not. If a
// language cannot be computed it lists point alone.
func (x *explainer) pointsOfOneSide(in, other *expr.Rule, point string) []string {
	stops, err := languageOf(x.stops.side.Grammar, in.ID, lang.Limits{})
	if err != nil {
		return []string{point}
	}
	goes, err := languageOf(x.goes.side.Grammar, other.ID, lang.Limits{})
	if err != nil {
		return []string{point}
	}
	return firstPointsApart(goes, stops, statePair{}, "", point)
}

// A statePair is a state of each of two automata.
type statePair [2]int

// firstPointsApart lists point and up to four more code points beyond ASCII that goes, and not stops, accepts before
// rest. Both are read from the states of start.
func firstPointsApart(goes, stops *lang.DFA, start statePair, rest, point string) []string {
	next := func(at statePair, b byte) statePair { return statePair{goes.Next(at[0], b), stops.Next(at[1], b)} }
	are := func(at statePair) bool {
		return goes.Accepts(goes.Run(at[0], rest)) && !stops.Accepts(stops.Run(at[1], rest))
	}
	return firstPoints(start, next, are, point)
}

// firstPoints returns words, followed by code points beyond ASCII in ascending order, as long as there are fewer than
// five in all. They are those whose bytes lead by next from start to a state that satisfies are.
//
// It reads bytes along the automaton of UTF-8, instead of trying a million code points. Where nothing was found behind a
// state of both, it does not look again.
func firstPoints[S comparable](start S, next func(S, byte) S, are func(S) bool, words ...string) []string {
	type place struct {
		state S
		text  int // the state of the automaton of UTF-8
	}
	text := budget.Must(lang.Text())
	nonASCII := expr.Range(utf8.RuneSelf, 0xff)
	barren := map[place]bool{}
	// walk adds to words the code points that begin with these bytes, which lead to a place. It reports whether there are
	// any, also such as are in words already.
	var walk func(at place, point []byte) bool
	walk = func(at place, point []byte) (found bool) {
		if len(point) > 0 && text.Accepts(at.text) { // a whole code point
			if found = are(at.state); found && !slices.Contains(words, string(point)) {
				words = append(words, string(point))
			}
			return found
		}
		if barren[at] {
			return false
		}
		for _, b := range text.Viable(at.text).Intersect(nonASCII).Members() {
			if len(words) >= 5 {
				return true
			}
			found = walk(place{next(at.state, b), text.Next(at.text, b)}, append(point, b)) || found
		}
		barren[at] = !found
		return found
	}
	walk(place{state: start}, nil)
	return words
}

// makeExact makes an [allowsChange] exact. It returns the classes that it explains, by number, and a machine that
// allows their bytes only at those terminals of the production at which they explain a parting and add nothing else.
// It sets the change of e to these bytes, and clears e.several: the change is known to be about the one production.
// It returns nil, nil, and leaves e as it is, if no class is left, if the machine adds something, or if it explains
// a part of a class that was dropped.
//
// It begins with all free classes and drops those that are not wholly explained, and those that keepOnePlace clears,
// until none is dropped.
func (s *partings) makeExact(region Region, e *edit) (of []bool, exact *machine) {
	set := e.change.(allowsChange).set
	goes, stops := s.walk.sidesOf(region)
	var in map[*lang.Edge]bool
	if !goes.side.Model {
		in = goes.edgesIn(e.other.ID)
	}
	of = make([]bool, len(s.list))
	for i := range of {
		of[i] = s.isFree(int32(i), region)
	}
	within := map[int]expr.Set{} // by subset of the side that goes on: the bytes that it can read there in e.other
	readable := func(on int) expr.Set {
		if in == nil {
			return expr.AnyByte
		}
		set, ok := within[on]
		if !ok {
			for _, q := range goes.subsets[on] {
				edges := goes.nfa.States[q].Edges
				for i := range edges {
					if in[&edges[i]] {
						set = set.Union(edges[i].Set)
					}
				}
			}
			within[on] = set
		}
		return set
	}
	// The edges at which a byte can be allowed: those that read ASCII, where texts have code points.
	open := map[*lang.Edge]bool{}
	for edge := range stops.edgesIn(e.rule.ID) {
		if !s.walk.codePoints() || !edge.Set.Intersect(expr.Range(0, 0x7f)).IsEmpty() {
			open[edge] = true
		}
	}
	for i, k := range s.list { // also try the bytes of other causes in the same production
		c := &s.difference.Causes[k.cause]
		if of[i] && c.At == AtByte && goes.innermostRule(c.placeOfGoes()) == e.other {
			set = set.Union(k.key.part)
		}
	}
	broad := newMachine(goes, stops.nfa, in) // as meant: only where the side that goes on reads them in e.other
	everywhere := map[*lang.Edge]expr.Set{}
	for edge := range open {
		everywhere[edge] = set
	}
	broad.allow(everywhere)
	other := newMachine(goes, stops.nfa, nil) // the same, wherever the side that goes on reads them
	other.allow(everywhere)
	for {
		mine := func(class int32, on int, x byte) bool {
			return class >= 0 && of[class] && set.Has(x) && readable(on).Has(x)
		}
		// First each edge may read all bytes that explain a parting there, and then loses those that also add
		// something, or explain a string of a class that is not meant.
		with := map[*lang.Edge]expr.Set{} // by edge: the bytes that explain a parting there
		addExplaining := func(on int, c byteClass, _ int32, edge *lang.Edge) {
			if broad.meetsAfter(on, c.first, int32(goes.state[goes.step(on, c.first)]), edge.To) {
				with[edge] = with[edge].Union(c.bytes)
			}
		}
		s.eachUnread(region, open, mine, true, addExplaining)
		useful := map[*lang.Edge]bool{}
		for edge := range with {
			useful[edge] = true
		}
		dropHarmful := func(on int, c byteClass, class int32, edge *lang.Edge) {
			if with[edge].Intersect(c.bytes).IsEmpty() {
				return
			}
			adds := !edge.Set.Intersect(goes.viableBytes(on)).IsEmpty()
			if adds || class >= 0 && other.meetsAfter(on, c.first, int32(goes.state[goes.step(on, c.first)]), edge.To) {
				with[edge] = with[edge].Minus(c.bytes)
			}
		}
		s.eachUnread(region, useful, mine, false, dropHarmful)
		exact = newMachine(goes, stops.nfa, in)
		maps.DeleteFunc(with, func(_ *lang.Edge, set expr.Set) bool { return set.IsEmpty() })
		if len(with) == 0 {
			return nil, nil
		}
		exact.allow(with)
		f := s.runMachine(region, exact, nil)
		if f.adds {
			return nil, nil
		}
		fewer, any := false, false
		for i := range of {
			if of[i] && !f.all[i] {
				of[i], fewer = false, true
			}
			any = any || of[i]
		}
		switch {
		case !any:
			return nil, nil
		case fewer:
			continue
		}
		for i := range of {
			if f.some[i] && !of[i] {
				return nil, nil
			}
		}
		if s.keepOnePlace(of) {
			continue
		}
		e.change = allowsChange{reading: reading{set: s.bytesOf(of)}}
		e.several = false
		return of, exact
	}
}

// keepOnePlace reports whether the side that goes on never reads the bytes of all these classes at one place where the
// other side reads none of them. In that case a sentence must not say that the one side allows these bytes and the
// other does not. keepOnePlace then takes the place with the most such bytes, and returns true. In of it clears each
// class that also parts where the one side reads still other bytes, and each that parts at the end. If all part at the
// end it returns false.
//
// If one side has ("x" / "y") ("x" / "y") and the other "x" "y", then the one allows "y" first and "x" next,
// and not [xy].
func (s *partings) keepOnePlace(of []bool) (fewer bool) {
	set := s.bytesOf(of)
	if set.IsEmpty() { // they part at the end of the string
		return false
	}
	s.walk.explainBudget.Step(len(s.class) / 2)
	at := func(pair int) (here expr.Set) { // the bytes that only the one side reads at this place
		for c, class := range s.class[pair*s.columns : (pair+1)*s.columns-1] {
			if class >= 0 && of[class] {
				here = here.Union(s.walk.classes[c].bytes)
			}
		}
		return here
	}
	var most expr.Set
	for pair := range s.walk.pairs {
		here := at(pair)
		if set.Minus(here).IsEmpty() {
			return false
		}
		if here.Len() > most.Len() {
			most = here
		}
	}
	elsewhere := make([]bool, len(of)) // classes that part at a place where other bytes are read
	for pair := range s.walk.pairs {
		if at(pair).Minus(most).IsEmpty() {
			continue
		}
		for _, class := range s.class[pair*s.columns : (pair+1)*s.columns-1] {
			if class >= 0 {
				elsewhere[class] = true
			}
		}
	}
	for i, yes := range of {
		of[i] = yes && !elsewhere[i] && !s.list[i].key.part.IsEmpty()
	}
	return true
}

// eachUnread calls f for each place where the side that stops, at a pair, does not read a byte class c, with
// each of edges that leaves the pair on that side. on is the subset of the side that goes on at the pair;
// class is the class of strings that part there by these bytes, or -1 if none do.
//
// mine selects the calls: f is called only where mine returns the value of yes. mine is asked with the first byte of
// c, and also with a class of -1. Classes of the other region are left out, and so are bytes that the grammar of the
// side that stops reads: see [tracker.grammarReads].
func (s *partings) eachUnread(
	region Region, edges map[*lang.Edge]bool, mine func(class int32, on int, x byte) bool, yes bool,
	f func(on int, c byteClass, class int32, edge *lang.Edge),
) {
	_, stops := s.walk.sidesOf(region)
	leaving := map[int][]*lang.Edge{} // by subset
	for pair := range s.walk.pairs {
		on, off := s.subsetsOf(region, pair)
		list, ok := leaving[off]
		if !ok {
			for _, q := range stops.subsets[off] {
				all := stops.nfa.States[q].Edges
				for i := range all {
					if edges[&all[i]] {
						list = append(list, &all[i])
					}
				}
			}
			leaving[off] = list
		}
		if len(list) == 0 {
			continue
		}
		s.walk.explainBudget.Step(s.columns / 2)
		for c := range s.walk.classes {
			x := s.walk.classes[c].first
			class := s.class[pair*s.columns+c]
			if s.next[pair*s.columns+c] >= 0 { // both sides go on
				continue
			}
			if class >= 0 && s.region[class] != region || mine(class, on, x) != yes || stops.grammarReads(off, x) {
				continue
			}
			s.walk.explainBudget.Step(1 + len(list))
			for _, edge := range list {
				f(on, s.walk.classes[c], class, edge)
			}
		}
	}
}
