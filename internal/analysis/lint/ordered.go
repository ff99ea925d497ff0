package lint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// checkLosses reports the strings that the grammar loses if its alternatives are tried in the printed order. It asks
// this of the regular productions whose language is known, that use no name without a production, and that can be
// tried in order. It counts in the report those that it decided, those that lose strings, and those that cannot be
// tried in order; those that are not decided are left open. If a limit is passed before the first of these questions,
// all own productions are left open.
func (l *linter) checkLosses() {
	longest := map[string]*lang.DFA{} // by ID: rules that are read as the longest string that they derive
	blocked := l.blocked(longest)
	ordered := l.g.With(l.g.Rules)
	ordered.Ordered = true
	limits := l.options.Limits.lang()
	p, err := lang.NewPEGLongest(ordered, longest, limits)
	if err != nil {
		for _, r := range l.own {
			l.leaveOpen(r, err)
		}
		return
	}
	lost := map[string]lang.Language{}
	asPrinted := maps.Clone(longest)
	for _, r := range l.own {
		if blocked[r.ID] {
			l.report.Unordered++
		}
		if !l.regular[r.ID] || blocked[r.ID] || l.lacksName[r.ID] || l.langs[r.ID].err != nil {
			continue
		}
		err := l.spread.charge(l.effort(r))
		var same bool
		var a lang.Language
		if err == nil {
			same, a, err = p.WholeIs(expr.To(r.ID), l.langs[r.ID].dfa)
		}
		if err != nil {
			l.leaveOpen(r, fmt.Errorf("what it loses as an ordered choice: %w", err))
			continue
		}
		l.report.LosingOf++
		if !same {
			l.report.Losing++
			lost[r.ID] = a
			longest[r.ID] = l.langs[r.ID].dfa
		}
	}
	if len(lost) == 0 {
		return
	}
	right, err := lang.NewPEGLongest(ordered, longest, limits)
	if err != nil {
		for _, r := range l.own {
			if _, loses := lost[r.ID]; loses {
				l.leaveOpen(r, fmt.Errorf("why it loses strings as an ordered choice: %w", err))
			}
		}
		return
	}
	o := &order{l, longest, asPrinted, right, p.Space(), lost, map[string][]string{}}
	o.causes()
}

// effort estimates the states that are built when r is read as an ordered choice: each choice looks ahead.
func (l *linter) effort(r *expr.Rule) int {
	choices := r.Expr.Size()
	return choices * max(choices, l.langs[r.ID].dfa.States())
}

// blocked returns the regular rules that cannot be read as a PEG as they stand, because of left recursion or a
// repetition of a part that can be empty. It adds their languages to longest; a rule whose language is not known is in
// neither.
func (l *linter) blocked(longest map[string]*lang.DFA) map[string]bool {
	blocked := map[string]bool{}
	for _, r := range l.g.Rules {
		if !l.regular[r.ID] || l.leftCircles[r.ID] == nil && expr.Find(r.Expr, l.facts.RepeatsEmpty) == nil {
			continue
		}
		if a, err := l.spread.of(r.ID); err == nil {
			longest[r.ID], blocked[r.ID] = a, true
		}
	}
	return blocked
}

// An order is a grammar read with its alternatives in order.
type order struct {
	*linter
	// By ID: rules that are read as the longest string of their language: blocked and losing ones.
	longest        map[string]*lang.DFA
	blockedLongest map[string]*lang.DFA     // the blocked ones alone, so that all others are read as printed
	peg            *lang.PEG                // matches losing rules as the longest string
	printed        *lang.Space              // has the languages in stillMatched
	stillMatched   map[string]lang.Language // by ID, for rules that lose strings: what they still match as printed
	because        map[string][]string      // by cause: the rules that lose strings because of it
}

// causes finds the rules that lose strings by themselves, and reports and counts them. It sets o.because. A rule for
// which that is not decided is left open.
func (o *order) causes() {
	found := map[string]*cause{}
	for _, r := range o.own {
		if _, loses := o.stillMatched[r.ID]; !loses {
			continue
		}
		c, err := o.causeIn(r)
		if err != nil {
			o.leaveOpen(r, fmt.Errorf("why it loses strings as an ordered choice: %w", err))
		} else if c != nil {
			found[r.ID] = c
		}
	}
	for _, r := range o.own {
		if _, loses := o.stillMatched[r.ID]; !loses || found[r.ID] != nil {
			continue
		}
		for _, id := range o.g.Reach(r.ID) {
			if found[id] != nil {
				o.because[id] = append(o.because[id], r.Name)
			}
		}
	}
	for _, r := range o.own {
		if c := found[r.ID]; c != nil {
			o.report.Causes++
			o.explain(r, c)
		}
	}
}

// A cause is a rule that loses strings by itself.
type cause struct {
	matched *lang.DFA // what it matches if each rule that it uses matches the longest string
	word    string    // the first string that is lost there as well as in the grammar as printed
}

// causeIn returns r, which loses strings, as a cause: some string of its language is matched neither as printed, nor if
// every losing rule that it uses matches its longest string. It is nil if there is no such string. It fails if a limit
// is passed.
func (o *order) causeIn(r *expr.Rule) (*cause, error) {
	if err := o.spread.charge(o.effort(r)); err != nil {
		return nil, err
	}
	whole, space := o.langs[r.ID].dfa, o.peg.Space()
	same, l, err := o.peg.WholeIs(r.Expr, whole)
	if same || err != nil { // as it mostly is
		return nil, err
	}
	matched, err := space.DFA(l)
	if err != nil {
		return nil, err
	}
	still, err := o.printed.DFA(o.stillMatched[r.ID])
	if err != nil {
		return nil, err
	}
	// Both are part of the language.
	w, lost := whole.ShortestOutside(matched, still)
	if !lost {
		return nil, nil
	}
	return &cause{matched, w}, nil
}

// explain reports a rule that loses strings by itself: the string that c has, what hides its derivation, an order of
// the alternatives that loses nothing, if one was found, and the rules that lose strings because of this one. It is a
// warning with Options.Ordered, and otherwise a note. If no deviation is known, it says only that something commits
// too early, and stands at the place of the rule.
func (o *order) explain(r *expr.Rule, c *cause) {
	whole, a, w := o.langs[r.ID].dfa, c.matched, c.word
	pos, how, root := r.Pos, "something in it commits too early", ""
	if d := o.deviations(r.Expr, w, o.blockedLongest); len(d) > 0 {
		pos = d[0].pos
		how, root = o.describe(d[0], w)
		if pos == (expr.Pos{}) {
			pos = r.Pos
		}
	}
	level := results.Note // the author of a grammar without order may not care
	if o.options.Ordered {
		level = results.Warning
	}
	f := o.found(OrderedChoice, level, pos, r, "`%s` read as an ordered choice loses %s: %s", r.Name, o.g.Quote(w), how)
	f.Word, f.root = new(quote.Word(w)), root
	switch mended, none := o.findOrder(r, a, whole); {
	case mended != nil:
		o.tellOrder(f, mended, r, whole)
	case countOrders(r.Expr) == 1:
		f.Detail = append(f.Detail, "it has no alternatives that could be in another order")
	case none:
		f.Detail = append(f.Detail, "no order of its alternatives mends it")
	default:
		f.Detail = append(f.Detail, "no order of its alternatives that was tried mends it")
	}
	if others := o.because[r.ID]; len(others) > 0 {
		f.Detail = append(f.Detail, fmt.Sprintf("strings are lost because of it in %s", list(others)))
	}
}

// tellOrder adds to f that r loses nothing if it is written as mended. It shows mended, and sets f.Mended, unless the
// text that would be shown is read as something else, or that was not found out within limits; f then says only that
// there is such an order. Text that nothing can reread is shown unchecked: see printsAs.
func (o *order) tellOrder(f *Finding, mended *expr.Expr, r *expr.Rule, whole *lang.DFA) {
	const another = "another order of its alternatives loses nothing"
	printed, err := o.printsAs(mended, r, whole)
	switch {
	case err != nil:
		f.Detail = append(f.Detail, fmt.Sprintf("%s; its text was not checked: %v", another, err))
	case !printed:
		f.Detail = append(f.Detail, another)
	default:
		f.Mended = o.whole(mended)
		f.Detail = append(f.Detail, "this order loses nothing: "+f.Mended)
	}
}

// printsAs reports whether e, printed as the right-hand side of r and read again, derives whole, the language of r. It
// is true without a check if nothing can reread it or the notation is not ebnf or abnf. It is false if the text cannot
// be read. The effort for r is charged to the work of the document. It fails if a limit is passed.
func (o *order) printsAs(e *expr.Expr, r *expr.Rule, whole *lang.DFA) (bool, error) {
	if o.options.Reread == nil || o.g.Notation != "ebnf" && o.g.Notation != "abnf" {
		return true, nil
	}
	again, err := o.options.Reread(o.g, o.whole(e))
	if err != nil {
		return false, nil
	}
	if err := o.spread.charge(o.effort(r)); err != nil {
		return false, err
	}
	a, err := lang.FromBNF(o.g.Change(r.ID, again), r.ID)
	if err != nil {
		return false, err
	}
	return a.Equal(whole), nil
}

// A deviation is a place at which a derivation of a string takes another way than the parser.
type deviation struct {
	e       *expr.Expr
	want    int // the alternative that the derivation takes; for a use, the offset at which it ends there; else 0
	instead int // the alternative that the parser takes; else 0
	at, end int // the part that the parser reads instead; end is -1 if it fails
	pos     expr.Pos
}

// describe returns in words what the parser does at a deviation, and the production that is the root of it, "" if there
// is none.
func (o *order) describe(d deviation, w string) (how, root string) {
	read := "the empty string"
	if d.end > d.at {
		read = o.g.Quote(w[d.at:d.end])
	}
	switch d.e.Op {
	case expr.Alt:
		return fmt.Sprintf("alternative `%s` matches %s at offset %d and hides alternative `%s`",
			o.print(d.e.Sub[d.instead]), read, d.at, o.print(d.e.Sub[d.want])), ""
	case expr.Repeat:
		return fmt.Sprintf("`%s` takes %s at offset %d too, and what follows is left without it", o.print(d.e), read,
			d.at), ""
	}
	because := ""
	if d.e.Op == expr.Ref && d.end >= 0 {
		root, because = o.rootOf(d.e, w, d.at, min(d.end, d.want), max(d.end, d.want))
	}
	switch {
	case d.end < 0:
		return fmt.Sprintf("`%s` matches nothing at offset %d", o.print(d.e), d.at), ""
	case d.end < d.want:
		return fmt.Sprintf("`%s` takes only %s at offset %d%s, and what follows does not fit the rest", o.print(d.e),
			read, d.at, because), root
	}
	return fmt.Sprintf("`%s` takes all of %s at offset %d%s, and what follows is left without it", o.print(d.e), read,
		d.at, because), root
}

// A reader reads one string with the rules of an order.
type reader struct {
	*order
	text    string
	matcher *peg.Matcher
	matches map[readAt]int // the offset at which a match ends, -1 for none
	costs   map[span]cost
}

// reader returns a reader of w. Rules in longest match the longest string of their language, and others as they are
// written.
func (o *order) reader(w string, longest map[string]*lang.DFA) *reader {
	return &reader{o, w, peg.NewMatcher(o.g, w, func(rule string, at int) (end int, ok bool) {
		a, q := longest[rule], 0
		if a == nil {
			return 0, false
		}
		for end = -1; ; at++ { // -1: no match
			if a.Accepts(q) {
				end = at
			}
			if at == len(w) || a.Dead(q) {
				return end, true
			}
			q = a.Next(q, w[at])
		}
	}), map[readAt]int{}, map[span]cost{}}
}

// A readAt is an expression and the offset at which it is matched.
type readAt struct {
	e *expr.Expr
	i int
}

// A span is a part of the string, from i to j, to be derived from e; of a sequence only the elements from k on, of a
// repetition only the rounds after the first k.
type span struct {
	e       *expr.Expr
	k, i, j int
}

// A cost is the smallest number of deviations in a derivation, with the deviations themselves.
type cost struct {
	n   int
	dev []deviation
}

// impossible is the cost if there is no derivation.
const impossible = 1 << 20

// longestExplained caps the length of a string whose derivations are compared with the parser's way.
const longestExplained = 200

// deviations returns the deviations of a derivation of w from e with the fewest, in order. The parser it is compared
// with matches each rule in longest as its longest string. It returns nil for a string of more than longestExplained
// bytes, and if there is no derivation or no deviation.
func (o *order) deviations(e *expr.Expr, w string, longest map[string]*lang.DFA) []deviation {
	if len(w) > longestExplained {
		return nil
	}
	return o.reader(w, longest).cost(span{e, 0, 0, len(w)}).dev
}

// match returns the offset at which the parser's match of e at offset i ends, -1 if there is none.
func (r *reader) match(e *expr.Expr, i int) int {
	return expr.Memo(r.matches, readAt{e, i}, func() int { return r.matcher.End(e, i) })
}

// cost returns the cost of a span; its n is [impossible] if there is no derivation. While a span is being computed it
// counts as impossible, which breaks cycles: a cheapest derivation does not come back to a span.
func (r *reader) cost(s span) cost {
	if known, ok := r.costs[s]; ok {
		return known
	}
	r.costs[s] = cost{n: impossible}
	c := r.cheapest(s)
	r.costs[s] = c
	return c
}

// cheapest returns the cost of a span, which is not known yet. A sequence and a repetition try each split of the
// string. An alternative deviates if the parser takes an earlier one, a use if the parser's match of it ends
// elsewhere, and the end of a repetition if the parser would read another round. Of equal costs the first stays: the
// earlier alternative, the shorter first part. A use whose language is too large is impossible.
func (r *reader) cheapest(s span) cost {
	best := cost{n: impossible}
	offer := func(dev []deviation, parts ...cost) {
		c := cost{n: len(dev)}
		for _, p := range parts {
			c.n += p.n
		}
		if c.n >= best.n {
			return
		}
		c.dev = slices.Clone(dev)
		for _, p := range parts {
			c.dev = append(c.dev, p.dev...)
		}
		best = c
	}
	e := s.e
	switch e.Op {
	case expr.Class, expr.Literal:
		if r.match(e, s.i) == s.j {
			offer(nil)
		}
	case expr.Ref:
		if a, err := r.spread.of(e.Name); err != nil || !a.Match(r.text[s.i:s.j]) {
			break
		}
		if end := r.match(e, s.i); end == s.j {
			offer(nil)
		} else {
			offer([]deviation{{e: e, want: s.j, at: s.i, end: end, pos: e.Pos}})
		}
	case expr.Seq:
		first := span{e: e.Sub[s.k], i: s.i}
		if s.k == len(e.Sub)-1 { // the rest is one element, and costs what it does
			return r.cost(span{first.e, 0, s.i, s.j})
		}
		for m := s.i; m <= s.j; m++ {
			if head := r.cost(span{first.e, 0, s.i, m}); head.n < best.n {
				offer(nil, head, r.cost(span{e, s.k + 1, m, s.j}))
			}
		}
	case expr.Alt:
		taken := slices.IndexFunc(e.Sub, func(sub *expr.Expr) bool { return r.match(sub, s.i) >= 0 })
		for k, sub := range e.Sub {
			var dev []deviation
			if taken >= 0 && taken < k {
				dev = []deviation{{e, k, taken, s.i, r.match(e.Sub[taken], s.i), e.Sub[taken].Pos}}
			}
			offer(dev, r.cost(span{sub, 0, s.i, s.j}))
		}
	case expr.Repeat:
		body := e.Sub[0]
		if s.k >= e.Min && s.i == s.j {
			var dev []deviation
			if end := r.match(body, s.i); end > s.i && (s.k < e.Max || e.Max == expr.Unbounded) {
				dev = []deviation{{e: e, at: s.i, end: end, pos: e.Pos}}
			}
			offer(dev)
		}
		if s.k == e.Max {
			break
		}
		least := s.i
		next := min(s.k+1, e.Min) // without an upper limit, rounds beyond the least number need not be counted
		if e.Max != expr.Unbounded {
			next = s.k + 1
		}
		if s.k >= e.Min {
			least++ // a further round must not be empty
		}
		for m := least; m <= s.j; m++ {
			if head := r.cost(span{body, 0, s.i, m}); head.n < best.n {
				offer(nil, head, r.cost(span{e, next, m, s.j}))
			}
		}
	default:
		if s.i == s.j {
			offer(nil)
		}
	}
	return best
}
