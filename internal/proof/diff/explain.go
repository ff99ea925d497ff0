package diff

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// explain returns the edits of the side that stops by each of which it derives the witness of c, the best first. They change
// the innermost production of the same name and another text by which the side that goes on derives what the other does
// not; where there is none, any. The last says only where c parts. Joint asks also for edits that explain it together.
func (w *walk) explain(c *Cause, joint bool) (out []edits) {
	defer spare()
	goes, stops := w.sides(c.Region)
	on, off := c.A, c.B
	if c.Region == OnlyB {
		on, off = off, on
	}
	last := edit{feature: Parts, rule: stops.last(off), other: goes.last(on), rank: 100}
	if c.At == AtStart {
		return []edits{{{feature: Exists, rule: stops.rule, other: goes.rule}}, {last}}
	}
	last.set, last.words = w.read(c)
	out = []edits{{last}}
	if !stops.side.Model {
		if n := slices.IndexFunc(w.recounts(c.Region), func(e edit) bool { return e.all }); n >= 0 {
			return []edits{{w.counts[c.Region][n]}, {last}}
		}
	}
	s := string(c.Witness)
	x := &explainer{w: w, c: c, goes: goes.match(s), stops: stops.match(s), at: c.Offset, last: last, added: map[int][]addition{}}
	point := w.point(s, c.Offset)
	if point != "" {
		x.at = w.pointStart(s, c.Offset)
	}
	if x.stops.accepts(stops.nfa.Start, 0) { // its grammar is not all that makes its language
		return out
	}
	if scheme, ok := x.scheme(); ok {
		return []edits{{{feature: Scheme, rule: stops.rule, other: goes.rule, words: []string{scheme}}}, {last}}
	}
	if !stops.side.Model {
		x.repeats()
	}
	once := func(e edit) bool { return e.whole != nil }
	if e, ok := x.character(); ok && point == "" && !slices.ContainsFunc(x.found, once) {
		return []edits{{e}, {last}}
	}
	in, other, i, k := x.common()
	if !stops.side.Model {
		x.omits(in)
	}
	switch {
	case point == "":
		x.allows(in, other, i, k)
	case s[i:k] == point:
		x.found = append(x.found, edit{feature: Allows, rule: in, other: other, words: x.points(in, other, point)})
	default:
		if words := x.instead(point); words != nil {
			x.found = append(x.found, edit{feature: Allows, rule: in, other: other, words: words})
		}
	}
	x.adds(in, other)
	if in != stops.rule {
		x.found = append(x.found, edit{feature: Derives, rule: in, other: other, words: []string{s[i:k]}, rank: 9})
	}
	list := slices.DeleteFunc(x.found, func(e edit) bool { return stops.derivesMore() && !x.holds(edits{e}) })
	slices.SortStableFunc(list, func(e, f edit) int {
		return cmp.Or(e.rank-f.rank, len(f.run)-len(e.run), e.depth-f.depth)
	})
	var found []edits
	for _, e := range list {
		found = append(found, edits{e})
	}
	if len(found) == 0 && joint {
		found = x.counted()
	}
	if len(found) == 0 && joint {
		found = x.together()
	}
	return append(found, edits{last})
}

// spare is for defer: what would take more than explanations may is not found.
func spare() {
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
	w           *walk
	c           *Cause
	at          int // where the two part: at the first byte of a code point
	goes, stops *matcher
	last        edit
	found       []edit
	counts      edits // see [walk.recounts]

	// What [explainer.together] knows.
	reading map[string]bool
	edits   []*passage // by number
	index   map[mark]int
	added   map[int][]addition // by offset, as far as it is known
}

// differ reports whether a production of the side that stops has no namesake, or one with another text.
func (x *explainer) differ(r *expr.Rule) (named, ok bool) {
	other := x.goes.namesake(r)
	return other != nil, other == nil || x.goes.text(other) != x.stops.text(r)
}

// class returns the bytes that neither side tells from the one at an offset; at the cause's own offset also those of the
// cause that the side that goes on reads in a production; alone, those behind which the rest of the witness follows.
func (x *explainer) class(i int, in *expr.Rule, alone bool) (set expr.Set) {
	for _, class := range x.w.classes {
		if class.bytes.Has(x.goes.s[i]) {
			set = class.bytes
		}
	}
	if i != x.at || x.w.codePoints() {
		return set
	}
	inside := x.goes.edgesIn(in.ID)
	for _, q := range x.goes.before[i] {
		for j := range x.goes.nfa.States[q].Edges {
			if e := &x.goes.nfa.States[q].Edges[j]; inside[e] && (!alone || x.goes.accepts(e.To, i+1)) {
				set = set.Union(e.Set.Intersect(x.c.bytes))
			}
		}
	}
	return set
}

// scheme returns the scheme of the witness, if no string of the side that stops has it, though all have one.
func (x *explainer) scheme() (string, bool) {
	scheme := schemeOf(x.goes.s)
	first, _ := x.stops.endings(x.stops.state[0])
	if scheme == "" || x.at > len(scheme) || schemeOf(first) == "" || !x.goes.ofURLs() && !x.stops.ofURLs() {
		return "", false
	}
	for _, spelling := range []string{strings.ToLower(scheme), strings.ToUpper(scheme)} {
		if x.stops.live(x.stops.follow(spelling + ":")) {
			return "", false
		}
	}
	for _, q := range x.stops.before[0] { // what reads any scheme reads another kind of character in it
		for _, span := range x.stops.starting(q) {
			if r := x.stops.used(span); r != nil && strings.EqualFold(r.Label(), "scheme") {
				return "", false
			}
		}
	}
	return scheme, true
}

// ofURLs reports whether a production is named after URLs or their schemes. In other grammars what stands before a colon is no scheme.
func (t *tracker) ofURLs() bool {
	return slices.ContainsFunc(t.side.Grammar.Rules, func(r *expr.Rule) bool {
		name := strings.ToLower(r.Label())
		return strings.Contains(name, "scheme") || strings.Contains(name, "url") || strings.Contains(name, "uri")
	})
}

// schemeOf returns what s has before its first colon, if that is like a scheme.
func schemeOf(s string) string {
	before, _, ok := strings.Cut(s, ":")
	if !ok || strings.ContainsFunc(before, func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("+-.", r))
	}) {
		return ""
	}
	return before
}

// character finds a production of characters that both have, and in which the side that goes on reads one more: the
// innermost.
func (x *explainer) character() (edit, bool) {
	i := x.at
	if x.c.At != AtByte {
		return edit{}, false
	}
	set := x.class(i, x.goes.rule, false)
	for _, q := range x.goes.before[i] {
		for j := range x.goes.nfa.States[q].Edges {
			e := &x.goes.nfa.States[q].Edges[j]
			if e.Term.Op != expr.Ref || !e.Set.Has(x.goes.s[i]) || !x.goes.accepts(e.To, i+1) {
				continue
			}
			names := x.goes.single(e.Term.Name)
			for n := len(names) - 1; n >= 0; n-- {
				other := x.goes.side.Grammar.Rule(names[n])
				if other == nil || !set.Minus(x.goes.bytes(expr.To(other.ID))).IsEmpty() {
					continue
				}
				r := x.stops.namesake(other)
				if r == nil || x.stops.text(r) == x.goes.text(other) || !x.stops.lexical(r.ID) || !x.stops.allowing(r.ID, set) {
					continue
				}
				found := edit{feature: Allows, rule: r, other: other, set: set}
				if !x.stops.derivesMore() || x.holds(edits{found}) {
					return found, true
				}
			}
		}
	}
	return edit{}, false
}

// common returns the innermost production that has a namesake with another text, and by which the side that goes on derives
// a part of the witness, bytes i to k and the place where the two part, such that the other goes on too if its namesake
// derives that part. The start productions are as good as any.
func (x *explainer) common() (in, other *expr.Rule, i, k int) {
	s := x.goes.s
	for i := x.at; i >= 0; i-- {
		uses := map[*expr.Rule][]int32{} // where the side that stops would go on
		for _, q := range x.stops.before[i] {
			for _, span := range x.stops.starting(q) {
				if r := x.stops.used(span); r != nil {
					uses[r] = append(uses[r], span.To)
				}
			}
		}
		end, inner := len(s)+1, -1
		for _, q := range x.goes.before[i] {
			for _, span := range x.goes.starting(q) {
				r := x.goes.used(span)
				if r == nil {
					continue
				}
				of := x.stops.namesake(r)
				if len(uses[of]) == 0 || x.stops.text(of) == x.goes.text(r) {
					continue
				}
				for n, states := range x.goes.reach(span.From, i, func(e *lang.Edge, b byte) bool { return e.Set.Has(b) && reads(e, span) }) {
					if n == 0 && !x.goes.nullable(r) { // the state is also one after it
						continue
					}
					n += i
					if n < x.at || !slices.Contains(states, span.To) || !x.goes.accepts(span.To, n) ||
						!slices.ContainsFunc(uses[of], func(to int32) bool { return x.stops.accepts(to, n) }) {
						continue
					}
					if d := depth(span.In); n < end || n == end && d > inner {
						in, other, k, end, inner = of, r, n, n, d
					}
					break
				}
			}
		}
		if in != nil {
			return in, other, i, k
		}
	}
	return x.stops.rule, x.goes.rule, 0, len(s)
}

// inside reports whether a span is in a production, or is a use of it.
func inside(span lang.Span, id string) bool {
	return below(span.In, id) || span.Of.Op == expr.Ref && span.Of.Name == id
}

// in returns the production in which a span is, the start production also for itself.
func (t *tracker) in(span lang.Span) *expr.Rule {
	if span.In == nil {
		return t.rule
	}
	return t.side.Grammar.Rule(span.In.ID)
}

// used returns the production of which a span is a use, nil for a part of a sequence.
func (t *tracker) used(span lang.Span) *expr.Rule {
	if span.Of.Op != expr.Ref {
		return nil
	}
	return t.side.Grammar.Rule(span.Of.Name)
}

// omits finds what the side that stops needs at the place, and the other does not.
func (x *explainer) omits(in *expr.Rule) {
	for _, q := range x.stops.before[x.at] {
		x.omissions(q, func(first lang.Span, to int32, e edit) {
			if inside(first, in.ID) && x.stops.accepts(to, x.at) {
				x.add(e)
			}
		})
	}
}

// omissions calls f with each edit that leaves out something which begins in state q, and with the state behind it.
func (x *explainer) omissions(q int32, f func(first lang.Span, to int32, e edit)) {
	for _, span := range x.stops.starting(q) {
		r := x.stops.used(span)
		if r == nil {
			continue
		}
		named, differ := x.differ(r)
		at := x.stops.in(span)
		e := edit{feature: Omits, rule: r, other: x.goes.namesake(r), rank: 2, depth: -depth(span.In)}
		switch {
		case named && differ && x.goes.nullable(e.other):
			e.rank = 0
		case differ && !x.stops.lexical(r.ID) || span.In == nil:
		default:
			e.rule, e.other, e.run, e.at, e.rank = at, x.goes.namesake(at), []*expr.Expr{span.Of}, []lang.Span{span}, x.single()
			if _, differ := x.differ(at); !differ {
				continue
			}
		}
		f(span, span.To, e)
	}
	x.stops.runs(q, func(first lang.Span, run []*expr.Expr, to int32) {
		at := x.stops.in(first)
		last := run[len(run)-1]
		switch {
		case len(run) == 1 && run[0].Op == expr.Ref: // found above
			return
		case len(run) > 1 && (optional(last) || optional(run[0])): // may be missing as it is
			return
		case first.At == 0 && len(run) == len(first.Of.Sub): // so that the production may be empty
			return
		}
		if _, differ := x.differ(at); !differ {
			return
		}
		e := edit{feature: Omits, rule: at, other: x.goes.namesake(at), run: run, at: []lang.Span{first}, rank: 1, depth: -depth(first.In)}
		if len(run) == 1 {
			e.rank = x.single()
		}
		f(first, to, e)
	})
}

// repeats adds the edits of [walk.recounts] each of which explains the witness by itself.
func (x *explainer) repeats() {
	x.counts = x.w.recounts(x.c.Region)
	for _, e := range x.counts {
		if e.derives != nil && e.derives(x.stops.s) || e.derives == nil && x.holds(edits{e}) {
			x.found = append(x.found, e)
		}
	}
}

// recounts lists the changes of one production each that the texts of the two sides show: how often a part is repeated, alternatives, and
// whatever they differ in once.
func (w *walk) recounts(region Region) edits {
	if list, ok := w.counts[region]; ok {
		return list
	}
	w.counts[region] = nil // where the steps do not suffice
	goes, stops := w.sides(region)
	var list edits
	one := only(goes, stops)
	for _, r := range stops.side.Grammar.Rules {
		other := goes.namesake(r)
		if other == nil || goes.text(other) == stops.text(r) {
			continue
		}
		add := func(found edit) {
			if derives, states := w.derives(region, edits{found}); w.kept+states < allKept {
				found.derives, w.kept = derives, w.kept+states
			}
			list = append(list, found)
		}
		w.alternatives(goes, stops, edit{feature: Has, rule: r, other: other, rank: 3}, add)
		if e, ok := once(goes, stops, r, other); ok && (r == one || e.feature != Allows && e.feature != Replaces) {
			if e.all = r == one; !e.set.Intersect(w.parting(region)).IsEmpty() { // the other side may read the rest elsewhere
				e.set = e.set.Intersect(w.parting(region))
			}
			add(e)
		}
		here, there := repetitions(r), repetitions(other)
		for _, of := range slices.Sorted(maps.Keys(here)) {
			e, f := here[of], there[of]
			if e == nil || f == nil {
				continue
			}
			found := edit{feature: Repeats, rule: r, other: other, run: f.Sub, counts: [2]*expr.Expr{f, e}}
			switch more := e.Max != expr.Unbounded && (f.Max == expr.Unbounded || e.Max < f.Max); {
			case !more && e.Min <= f.Min:
				continue
			case f.Min == 0 && f.Max == e.Max: // it may be missing
				found.rank = 8
			}
			add(found)
		}
	}
	w.counts[region] = list
	return list
}

// alternatives calls add with e for each alternative that its production has on the side that goes on only, where it has all those of
// the other as well, or has one of them in another order. What is one character is allowed, and what uses no production is derived.
func (w *walk) alternatives(goes, stops *tracker, e edit, add func(edit)) {
	less, more := stops.alternatives(e.rule), goes.alternatives(e.other)
	for text := range more {
		if less[text] != nil {
			delete(less, text)
			delete(more, text)
		}
	}
	parts := func(t *tracker, e *expr.Expr) string {
		var texts []string
		for _, s := range e.Sub {
			texts = append(texts, t.lower(s).String())
		}
		slices.Sort(texts)
		return strings.Join(texts, "\n")
	}
	orders := map[string]bool{} // the sequences of less, without their order
	for _, of := range less {
		if of.Op == expr.Seq {
			orders[parts(stops, of)] = true
		}
	}
	for _, text := range slices.Sorted(maps.Keys(more)) {
		of := more[text]
		e.run = []*expr.Expr{of}
		e.reordered = of.Op == expr.Seq && orders[parts(goes, of)]
		if e.reordered || len(less) == 0 && len(expr.Refs(of)) > 0 && goes.bytes(of).IsEmpty() {
			add(e)
		}
	}
}

// counted returns edits of [walk.recounts] that explain the witness together, none if there are no such.
func (x *explainer) counted() []edits {
	if len(x.counts) < 2 || !x.holds(x.counts) {
		return nil
	}
	es := slices.Clone(x.counts)
	for i := len(es) - 1; i >= 0; i-- {
		if fewer := slices.Concat(es[:i], es[i+1:]); x.holds(fewer) {
			es = fewer
		}
	}
	return []edits{es}
}

// recounted returns es with edits of [walk.recounts] in place of those that say less.
func (x *explainer) recounted(es edits) edits {
	for i := range es {
		for _, e := range x.counts {
			if e.rule != es[i].rule || slices.ContainsFunc(es, func(f edit) bool { return f.key() == e.key() }) {
				continue
			}
			if told := slices.Concat(es[:i], edits{e}, es[i+1:]); x.holds(told) {
				es = told
			}
		}
	}
	return es
}

// repetitions returns what r repeats, each by what is repeated; nil for what stands twice.
func repetitions(r *expr.Rule) map[string]*expr.Expr {
	all := map[string]*expr.Expr{}
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		if e.Op == expr.Repeat {
			of := e.Sub[0].String()
			if _, twice := all[of]; twice {
				e = nil
			}
			all[of] = e
		}
		return true
	})
	return all
}

func optional(e *expr.Expr) bool { return e.Op == expr.Repeat && e.Min == 0 }

// single is the rank of an edit that leaves out one character or word: where the witness has more, it rather has another.
func (x *explainer) single() int {
	if x.c.At == AtEnd {
		return 1
	}
	return 7
}

func (x *explainer) add(e edit) bool {
	e.other = cmp.Or(e.other, x.last.other)
	x.found = append(x.found, e)
	return true
}

// allows finds a production in which other bytes are read: the one that is given or, if it is the start production, the
// innermost around the place where the two part.
func (x *explainer) allows(in, other *expr.Rule, i, k int) {
	rank := common
	if x.otherCase() {
		rank = -1
	}
	try := func(r, other *expr.Rule, from int) bool {
		e := edit{feature: Allows, rule: r, other: other, rank: rank}
		var known expr.Set
		if g := x.w.group(x.c.Region, edits{e}); g != nil {
			known = g.edits[0].set
		}
		alone := !x.stops.bytes(r.Expr).IsEmpty() // r derives one character, so that a "%" is not the beginning of an escape
		reads := x.at < k && x.at >= from         // the byte at which the two part
		for pass, more := range []expr.Set{{}, known} {
			for j := min(x.at, k-1); j >= from; j-- {
				if e.set, e.words = x.class(j, other, alone), nil; j == x.at {
					e.words = x.last.words
				}
				if pass == 0 && (!reads || j < x.at) && x.stops.allowing(r.ID, known) {
					e.set = expr.Set{}
				} else if !x.stops.allowing(r.ID, e.set.Union(more)) {
					continue
				}
				return x.add(e)
			}
		}
		return x.stops.allowing(r.ID, known) && x.add(edit{feature: Allows, rule: r, other: other, rank: rank})
	}
	if in != x.stops.rule {
		try(in, other, i)
		return
	}
	place, on := x.c.B, x.c.A
	if x.c.Region == OnlyB {
		place, on = on, place
	}
	rank++
	for n, name := range slices.Backward(place.Path) {
		if n == 0 && len(place.Path) > 1 { // in all of the string
			break
		}
		r, other := x.stops.production(name), x.last.other
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

// otherCase reports whether the two part at a letter that the side that stops reads in the other case, and all else alike.
func (x *explainer) otherCase() bool {
	return x.at < len(x.goes.s) && unicode.IsLetter(rune(x.goes.s[x.at])) && slices.ContainsFunc(x.stops.before[x.at], func(q int32) bool {
		other := expr.Bytes(string([]byte{x.goes.s[x.at] ^ 0x20}))
		return slices.ContainsFunc(x.stops.nfa.States[q].Edges, func(e lang.Edge) bool { return e.Set == other && x.stops.accepts(e.To, x.at+1) })
	})
}

// common is the rank of an edit that allows more in a production that both have.
const common = 4

// adds finds what the side that goes on reads at the place, such that the other can go on after it.
func (x *explainer) adds(in, other *expr.Rule) {
	for _, more := range x.additions(x.at) {
		e := more.edit
		if p := e.run[0]; in == x.stops.rule && len(e.run) == 1 && p.Op == expr.Repeat && p.Min == 0 && p.Max == 1 {
			if p = p.Sub[0]; p.Op == expr.Literal || p.Op == expr.Seq && p.Sub[0].Op == expr.Literal {
				e.rank = 3
			}
		}
		for _, p := range x.stops.before[x.at] {
			for _, span := range x.stops.stopping(p) {
				if d := depth(span.In); x.stops.accepts(p, more.i) && inside(span, in.ID) && (e.rule == nil || d < e.depth) {
					e.rule, e.at, e.depth = x.stops.in(span), []lang.Span{span}, d
				}
			}
		}
		if e.rule != nil && inside(more.first, other.ID) {
			x.found = append(x.found, e)
		}
	}
}

// instead lists a code point, and a few others, that only the one side reads where both read a byte of ASCII before the same rest;
// nil if there is no such byte.
func (x *explainer) instead(point string) (words []string) {
	before, rest := x.goes.s[:x.at], x.goes.s[x.at+len(point):]
	goes := func(word string) bool { return x.goes.dfa.Match(before + word + rest) }
	stops := func(word string) bool { return x.stops.dfa.Match(before + word + rest) }
	for b := range rune(utf8.RuneSelf) {
		if goes(string(b)) && stops(string(b)) {
			return points(func(word string) bool { return goes(word) && !stops(word) }, point)
		}
	}
	return nil
}

// points lists a code point, and a few others that the one production derives and its namesake does not.
func (x *explainer) points(in, other *expr.Rule, point string) []string {
	stops, err := language(x.stops.side.Grammar, in.ID, lang.Limits{})
	if err != nil {
		return []string{point}
	}
	goes, err := language(x.goes.side.Grammar, other.ID, lang.Limits{})
	if err != nil {
		return []string{point}
	}
	return points(func(word string) bool { return goes.Match(word) && !stops.Match(word) }, point)
}

// points returns words and, up to five, code points beyond ASCII that are.
func points(are func(word string) bool, words ...string) []string {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune && len(words) < 5; r++ {
		if word := string(r); utf8.ValidRune(r) && !slices.Contains(words, word) && are(word) {
			words = append(words, word)
		}
	}
	return words
}

// holds reports whether the side that stops derives the witness with the edits, and other words as well.
func (x *explainer) holds(es edits, words ...string) bool {
	derives, _ := x.w.derives(x.c.Region, es)
	return !slices.ContainsFunc(append(words, x.stops.s), func(w string) bool { return !derives(w) })
}

// derives returns a function that reports whether the side that stops derives a string with the edits, and not without, or whether
// a string is what they say; and how many states it keeps.
func (w *walk) derives(region Region, es edits) (derives func(s string) bool, states int) {
	goes, stops := w.sides(region)
	switch e := es[0]; e.feature {
	case Parts, Exists:
		return func(string) bool { return true }, 0
	case Scheme:
		return func(s string) bool { return slices.Contains(e.words, schemeOf(s)) }, 0
	}
	if len(es) == 1 && es[0].all {
		return goes.dfa.Match, 0
	}
	w.left.Step(16 * len(stops.side.Grammar.Rules))
	g := es.apply(stops.side.Grammar, goes.side.Grammar)
	g.Budget = w.left
	if g.Ordered {
		a, err := language(g, stops.rule.ID, lang.Limits{})
		return func(s string) bool { return err == nil && a.Match(s) }, 0
	}
	n, err := lang.BuildNFA(g, stops.rule.ID, lang.Options{Limits: lang.Limits{NFA: allKept}})
	if err != nil {
		return func(string) bool { return false }, 0
	}
	w.left.Step(7 * len(n.States))
	t, less := &tracker{nfa: n}, stops.cut || stops.side.Exact != nil || stops.side.Prefix != ""
	return func(s string) bool {
		t.left = w.left
		return t.matches(s, nil) && !(less && stops.matches(s, nil))
	}, len(n.States)
}

func (t *tracker) nullable(r *expr.Rule) bool {
	if t.facts == nil {
		t.facts = expr.Analyze(t.side.Grammar.Rules)
	}
	return t.facts.Nullable(expr.To(r.ID))
}

// last returns the innermost production of a place.
func (t *tracker) last(p Place) *expr.Rule {
	for _, name := range slices.Backward(p.Path) {
		if r := t.production(name); r != nil {
			return r
		}
	}
	return t.rule
}

// spelled returns an expression as the text of t has it.
func (t *tracker) spelled(run []*expr.Expr) string {
	return lint.Text(t.side.Grammar, expr.Cat(run...))
}
