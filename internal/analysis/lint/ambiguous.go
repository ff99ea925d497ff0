package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// checkAmbiguities reports the productions that are ambiguous by themselves, and in these, and in those that repeat
// what can be empty, the parts that add nothing (see [linter.checkAdditions]). For the start of a regular expression
// of an engine that backtracks (Options.Backtracks) it also reports backtracking. It sets l.ambiguousAlone. It counts
// the productions that it decided in the report: those that are regular, or were found to be ambiguous, and use no
// name without a production. It passes over those whose language is not known, as that of all that nest if no depth
// was asked for, and leaves open those for which a limit is passed.
func (l *linter) checkAmbiguities() {
	for _, r := range l.own {
		if l.langs[r.ID].err != nil {
			continue
		}
		l.g.Budget.In(r.Label())
		if err := l.checkAmbiguity(r); err != nil {
			l.leaveOpen(r, fmt.Errorf("whether it is ambiguous: %w", err))
		} else if (l.regular[r.ID] || l.ambiguousAlone[r.ID]) && !l.lacksName[r.ID] {
			l.report.AmbiguousOf++
		}
		if l.options.Backtracks && r.ID == l.options.Start {
			if err := l.checkBacktracking(r); err != nil {
				l.leaveOpen(r, fmt.Errorf("how long an engine takes that backtracks: %w", err))
			}
		}
		if l.ambiguousAlone[r.ID] || l.repeatsEmpty[r.ID] {
			if err := l.checkAdditions(r); err != nil {
				l.leaveOpen(r, fmt.Errorf("what its alternatives add: %w", err))
			}
		}
	}
}

// checkAmbiguity reports r if it is ambiguous by itself in the grammar of l.spread, with the shortest such string and
// two derivations of it, enters it in l.ambiguousAlone, and counts it in the report. The drawing of the derivations
// shows more detail, step by step, until the two look different. It fails if a limit is passed.
func (l *linter) checkAmbiguity(r *expr.Rule) error {
	searched := l.spread.g.Rule(r.ID)
	e := searched.Expr
	a, err := l.spread.automatonOf(searched)
	if err != nil {
		return err
	}
	w, ok, err := a.ambiguous(l.options.Limits.pairs())
	if err != nil || !ok {
		return err
	}
	l.ambiguousAlone[r.ID] = true
	l.report.Ambiguous++
	two := a.derivations(w, 2)
	where, why, root := l.describeParting(w, two[0], two[1], r)
	f := l.found(Ambiguous, results.Warning, where, r, "`%s` is ambiguous: %s has two derivations: %s", r.Name,
		l.g.Quote(w), why)
	f.Word, f.root = new(quote.Word(w)), root
	for d := (drawer{l.spread.printer, w, uses}); ; d.shows++ {
		// Show more of the two derivations until they look different, or all is shown.
		f.Detail = []string{d.draw(e, two[0]), d.draw(e, two[1])}
		if f.Detail[0] != f.Detail[1] || d.shows == rounds {
			break
		}
	}
	return nil
}

// firstDifference returns the index at which two lists first differ; ok is false if one begins with the other.
func firstDifference(a, b []mark) (i int, ok bool) {
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i, i < len(a) && i < len(b)
}

// describeParting describes where two derivations of w, which must differ, first do: the place in the text, or that
// of r if the part has none, a clause that says how, and, if a use can end at two offsets, the name of the production
// that is the root of that, otherwise "".
func (l *linter) describeParting(w string, a, b []mark, r *expr.Rule) (pos expr.Pos, why, root string) {
	i, ok := firstDifference(a, b)
	if !ok {
		return r.Pos, "", "" // cannot be: neither of two derivations begins with the other
	}
	x, y := a[i], b[i]
	pos = y.e.Pos
	switch {
	case x.op == takes:
		s, t := x.e.Sub[x.i], x.e.Sub[y.i]
		pos = t.Pos
		why = fmt.Sprintf("at offset %d alternatives %d `%s` and %d `%s` are possible", x.at, x.i+1,
			l.spread.alternative(s), y.i+1, l.spread.alternative(t))
	case x.op == repeats || x.op == ends:
		verb := "take one more round or none"
		if x.e.Max == 1 && x.e.Min == 0 {
			verb = "be there or not"
		}
		why = fmt.Sprintf("at offset %d `%s` can %s", x.at, l.spread.print(x.e), verb)
	default:
		e := cmp.Or(x.e, y.e)
		pos = e.Pos
		from, to := referenceSpan(a, b, i)
		because := ""
		root, because = l.rootOf(e, w, from, x.at, to)
		why = fmt.Sprintf("`%s` can end at offset %d or go on%s", l.spread.print(e), x.at, because)
	}
	if pos == (expr.Pos{}) {
		pos = r.Pos
	}
	return pos, why, root
}

// referenceSpan returns the offset at which the use begins that one of two derivations, a or b, leaves at event i,
// while the other goes on in it, and the offset at which that other derivation leaves it. One of them must leave a
// use there, and before event i the two must be the same.
func referenceSpan(a, b []mark, i int) (from, to int) {
	for k := i; ; k-- {
		if a[k].op == enters && a[k].e == a[i].e {
			from = a[k].at
			break
		}
	}
	if a[i].op == leaves {
		a = b
	}
	for a[i].op != leaves {
		i++
	}
	return from, a[i].at
}

// rootOf follows e, a reference that is entered at offset from of w and can end at two offsets, short and long, down
// to the innermost production that is the reason: everything before it is the same in both derivations. Where an
// automaton is too large, it is the production reached so far. rootOf returns the name of that production, and a
// clause that names it; the clause is "" if the production is the one that e refers to.
func (l *linter) rootOf(e *expr.Expr, w string, from, short, long int) (root, because string) {
	at := e
	for range l.spread.g.Rules { // a bound: the way may come back to a production
		a, err := l.spread.automaton(l.spread.g.Rule(at.Name).Expr)
		if err != nil {
			break
		}
		x, y := a.derivations(w[from:short], 1), a.derivations(w[from:long], 1)
		if len(x) == 0 || len(y) == 0 {
			break
		}
		i, ok := firstDifference(x[0], y[0])
		if !ok || x[0][i].op != leaves || y[0][i].op != goesOn {
			break // the derivations part here, and not in a use: at is the production
		}
		start, end := referenceSpan(x[0], y[0], i)
		at, from, short, long = x[0][i].e, from+start, from+x[0][i].at, from+end
	}
	root = l.spread.print(at)
	if at != e {
		because = ", because of `" + root + "`"
	}
	return root, because
}

// A drawer writes derivations of a string in one line: each production in brackets before what it derives and, where
// that does not tell two derivations apart, each alternative likewise, and each repetition in braces with its rounds
// in parentheses.
type drawer struct {
	printer
	text  string
	shows detail
}

// A detail is a level of detail of a drawing; each shows all that the lower ones do.
type detail int

const (
	uses    detail = iota // the part that each production derives
	choices               // the alternatives that are taken
	rounds                // the part that each round of each repetition derives
)

// draw returns the drawing of the derivation of e that has these events.
func (d drawer) draw(e *expr.Expr, marks []mark) string {
	var b strings.Builder
	i := 0
	d.walk(&b, e, &marks, &i)
	return b.String()
}

// walk writes the derivation of e to b, with as much detail as d.shows has. It consumes the events of e from the front
// of marks, and advances *i by the bytes that e derives. The events are those of derivations: an Alt has one, the
// alternative that it takes. A Ref enters its production and leaves it; what lies between is passed over. A Repeat has
// one before each round, and one at its end unless it has reached its maximum.
func (d drawer) walk(b *strings.Builder, e *expr.Expr, marks *[]mark, i *int) {
	take := func() mark {
		m := (*marks)[0]
		*marks = (*marks)[1:]
		return m
	}
	bytes := func(n int) {
		for ; n > 0; n-- {
			c := d.text[*i]
			if d.g.CodePoints && c >= utf8.RuneSelf { // the whole character is shown with its first byte
				if r, size := utf8.DecodeRuneInString(d.text[*i:]); size > 1 {
					fmt.Fprintf(b, "(U+%04X)", r)
				}
			} else if c == ' ' || c == '[' || c == ']' || c == '\\' {
				fmt.Fprintf(b, `\x%02X`, c)
			} else {
				b.Write(quote.AppendVisible(nil, c))
			}
			*i++
		}
	}
	bracket := func(name string, inside func()) {
		b.WriteString("[" + name)
		at := *i
		n := b.Len()
		inside()
		if *i > at { // a blank goes in between, which was not known to be needed before
			s := b.String()
			b.Reset()
			b.WriteString(s[:n] + " " + s[n:])
		}
		b.WriteString("]")
	}
	switch e.Op {
	case expr.Class:
		bytes(1)
	case expr.Literal:
		bytes(len(e.Lit))
	case expr.Seq:
		for _, s := range e.Sub {
			d.walk(b, s, marks, i)
		}
	case expr.Alt:
		m := take()
		s := e.Sub[m.i]
		if d.shows >= choices && e.Chars == "" { // e.Chars: a class of characters, not a choice
			bracket(d.alternative(e, m.i), func() { d.walk(b, s, marks, i) })
		} else {
			d.walk(b, s, marks, i)
		}
	case expr.Ref:
		take() // enters
		m := take()
		for m.op != leaves { // of the same use: the derivation inside of it, where others could be, has no events
			m = take()
		}
		bracket(d.name(e.Name), func() { bytes(m.at - *i) })
	case expr.Repeat:
		all := func() { // takes the mark before each round, and the one that ends them
			for n := 0; (n < e.Max || e.Max == expr.Unbounded) && take().op == repeats; n++ {
				if d.shows >= rounds {
					b.WriteString("(")
				}
				d.walk(b, e.Sub[0], marks, i)
				if d.shows >= rounds {
					b.WriteString(")")
				}
			}
		}
		if d.shows >= rounds {
			b.WriteString("{")
			all()
			b.WriteString("}")
		} else {
			all()
		}
	}
}

// alternative returns a name for alternative i of e in a drawing: its text, if that is short and no other alternative
// has it, and otherwise "alternative" and its number, from 1.
func (d drawer) alternative(e *expr.Expr, i int) string {
	const short = 24
	text := d.printer.alternative(e.Sub[i])
	for k, s := range e.Sub {
		if len(text) > short || k != i && d.printer.alternative(s) == text {
			return fmt.Sprintf("alternative %d", i+1)
		}
	}
	return text
}

// checkAdditions reports the parts of r's right-hand side that add no string: alternatives, and repetitions that may
// be missing. It takes each out of a copy before it looks at the next, inner parts first and the last alternative
// first. So of two equal alternatives only the later one is reported. A part of a regular expression must also add
// nothing with the text around a match. The language of r must be known. checkAdditions fails if a limit is passed;
// what it reported before stays.
func (l *linter) checkAdditions(r *expr.Rule) error {
	printed := l.spread.g.Rule(r.ID).Expr
	t := &trimming{l, r, []*expr.Expr{printed}, []*lang.DFA{l.langs[r.ID].dfa}}
	if l.regexp() && l.around != nil {
		e := l.searched.Rule(r.ID).Expr
		a, err := l.spread.derived(e)
		if err != nil {
			return err
		}
		t.trees, t.wholes = append(t.trees, e), append(t.wholes, a)
	}
	for _, at := range placesToTrim(printed) {
		e, ok := partAt(t.trees[0], at)
		if !ok {
			continue
		}
		before, _ := partAt(printed, at)
		var err error
		switch e.Op {
		case expr.Repeat:
			err = t.checkOption(at, e, before)
		case expr.Alt:
			err = t.checkAlternatives(at, e, before)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// placesToTrim lists the places (see [partAt]) of the alternations in e, and of the repetitions that may be missing.
// Inner ones come first, since changes outside may move them; others come in the order of the text. A class of
// characters (e.Chars) is left out whole.
func placesToTrim(e *expr.Expr) (places [][]int) {
	var collect func(e *expr.Expr, at []int)
	collect = func(e *expr.Expr, at []int) {
		if e.Chars != "" {
			return
		}
		for i, s := range e.Sub {
			collect(s, append(at[:len(at):len(at)], i))
		}
		if e.Op == expr.Alt || e.Op == expr.Repeat && e.Min == 0 {
			places = append(places, at)
		}
	}
	collect(e, nil)
	return places
}

// A trimming is the right-hand side of a production without the parts that were found to add nothing.
type trimming struct {
	*linter
	rule *expr.Rule

	// The right-hand side so far. A regular expression has a second tree, with the text around a match, so that its
	// test stays the same, too.
	trees  []*expr.Expr
	wholes []*lang.DFA // by tree: the language that it must keep
}

// try makes an edit of the part at a place, in all trees, if each of them then still derives its language, and reports
// whether it did. Otherwise no tree changes. It fails if a limit is passed.
func (t *trimming) try(at []int, edit func(*expr.Expr) *expr.Expr) (bool, error) {
	changed := slices.Clone(t.trees)
	for i, tree := range t.trees {
		part, _ := partAt(tree, at)
		changed[i] = replaceAt(tree, at, edit(part))
		if same, err := t.derivesSame(t.rule, changed[i], t.wholes[i]); !same {
			return false, err
		}
	}
	t.trees = changed
	return true, nil
}

// checkOption reports e, a repetition that may be missing, as a warning if it adds nothing, or as a note if only its
// brackets add nothing, and takes it or them out of t.trees. One whose body derives the empty string at most is
// passed over. before is e as printed. It fails if a limit is passed.
func (t *trimming) checkOption(at []int, e, before *expr.Expr) error {
	body := e.Sub[0]
	if !t.spread.facts.NonEmpty(body) {
		return nil
	}
	nothing := func(e *expr.Expr) *expr.Expr { return &expr.Expr{Op: expr.Empty, Pos: e.Pos} }
	same, err := t.try(at, nothing)
	if err != nil {
		return err
	}
	text := t.spread.print(before)
	if same {
		t.found(AddsNothing, results.Warning, e.Pos, t.rule,
			"`%s` adds nothing: without it `%s` derives the same strings", text, t.rule.Name)
		return nil
	}
	if e.Max != 1 || !t.spread.facts.Nullable(body) {
		return nil
	}
	same, err = t.try(at, func(e *expr.Expr) *expr.Expr { return e.Sub[0] })
	if same {
		t.found(AddsNothing, results.Note, e.Pos, t.rule,
			"the brackets of `%s` add nothing: what is in them may be empty", text)
	}
	return err
}

// checkAlternatives takes the alternatives of e, which stands at a place, that add nothing to the others out of
// t.trees, the last first, and reports them. One that derives nothing stays, since what it uses has a finding already
// (Undefined, DerivesNothing). before is e as printed; its parts are reported. It fails if a limit is passed; what was
// taken out is not reported then.
func (t *trimming) checkAlternatives(at []int, e, before *expr.Expr) error {
	var idle []*expr.Expr
	for i := len(e.Sub) - 1; i >= 0 && len(e.Sub) > 1; i-- {
		if !t.spread.facts.Derives(e.Sub[i]) {
			continue
		}
		rest := func(e *expr.Expr) *expr.Expr {
			e = e.Map(func(s *expr.Expr) *expr.Expr { return s }) // a copy with a list of parts of its own
			e.Sub = slices.Delete(e.Sub, i, i+1)
			return e
		}
		same, err := t.try(at, func(e *expr.Expr) *expr.Expr {
			e = rest(e)
			if len(e.Sub) == 1 {
				return e.Sub[0]
			}
			return e
		})
		if err != nil {
			return err
		}
		if same {
			idle = append(idle, before.Sub[i]) // only later ones have been taken out, so i is the index there, too
			e = rest(e)
		}
	}
	slices.Reverse(idle)
	t.reportIdle(t.rule, idle, e.Sub)
	return nil
}

// reportIdle reports alternatives that add nothing to others. Those whose first cover is the same other alternative
// share findings: a warning for those that derive the same as it, and a note for those that derive less. Those that
// need several others, or whose language is too large to compare, share a warning. Each finding stands at its first
// alternative. Those in l.sameLetters have a finding already, and are passed over.
func (l *linter) reportIdle(r *expr.Rule, alternatives, others []*expr.Expr) {
	type cover struct {
		by   *expr.Expr // nil if it takes several others
		more bool       // by derives more
	}
	tested := func(e *expr.Expr) *expr.Expr { return cmp.Or(l.around[e], e) }
	covered := map[cover][]*expr.Expr{}
	var order []cover
	for _, e := range alternatives {
		if l.sameLetters[e.Pos] {
			continue
		}
		var c cover
		if a, err := l.spread.derived(tested(e)); err == nil {
			for _, s := range others {
				if b, err := l.spread.derived(tested(s)); err == nil && a.Subset(b) {
					c = cover{s, !b.Equal(a)}
					break
				}
			}
		}
		if covered[c] == nil {
			order = append(order, c)
		}
		covered[c] = append(covered[c], e)
	}
	for _, c := range order {
		what, verb, it, its := "alternative", "adds", "it", "its"
		var names []string
		for _, e := range covered[c] {
			names = append(names, l.spread.alternative(e))
		}
		if len(names) > 1 {
			what, verb, it, its = "alternatives", "add", "them", "their"
		}
		level, why := results.Warning, fmt.Sprintf("without %s `%s` derives the same strings", it, r.Name)
		switch {
		case c.more: // this may be intended: names next to the token that they are examples of
			level, why = results.Note, fmt.Sprintf("`%s` derives all %s strings", l.spread.alternative(c.by), its)
		case c.by != nil:
			why = fmt.Sprintf("`%s` derives the same strings", l.spread.alternative(c.by))
		}
		l.found(AddsNothing, level, covered[c][0].Pos, r, "%s %s %s nothing: %s", what, list(names), verb, why)
	}
}

// derivesSame reports whether r still derives the language whole if its right-hand side is e, also where r uses
// itself. It fails if a limit is passed; the answer is then false.
func (l *linter) derivesSame(r *expr.Rule, e *expr.Expr, whole *lang.DFA) (bool, error) {
	a, err := l.spread.automaton(e)
	if err != nil {
		return false, err
	}
	same, err := a.nfa().Derives(whole, l.spread.options.Limits.lang())
	if !same || !l.spread.recursive[r.ID] {
		return same, err
	}
	// In a recursive production, the part that was left out may be needed elsewhere.
	d, err := lang.FromBNF(l.spread.g.Change(r.ID, e), r.ID)
	return err == nil && d.Equal(whole), err
}

// partAt returns the part of e at a place, which has the index of the part at each level; false if there is none.
func partAt(e *expr.Expr, at []int) (*expr.Expr, bool) {
	for _, i := range at {
		if i >= len(e.Sub) {
			return nil, false
		}
		e = e.Sub[i]
	}
	return e, true
}

// replaceAt returns e with the part at a place replaced; the place must be there. e is not changed.
func replaceAt(e *expr.Expr, at []int, part *expr.Expr) *expr.Expr {
	if len(at) == 0 {
		return part
	}
	changed := *e
	changed.Sub = slices.Clone(e.Sub)
	changed.Sub[at[0]] = replaceAt(e.Sub[at[0]], at[1:], part)
	return &changed
}
