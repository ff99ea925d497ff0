// Package bnftoregexp writes regular expressions for productions.
//
// An expression is made from the productions: each is put where it is used, and simplified. An expression
// that can match a string in two ways makes engines that backtrack slow. So the smallest part that does is
// made anew from its automaton, with one way for each string. Then all engines take linear time, with
// backtracking or without.
//
// Everything is computed with bytes. In an expression of characters, the bytes above 0x7F stand for classes
// of code points: see [alphabet].
package bnftoregexp

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/lint"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Regexp is an expression that matches exactly the strings of a rule, as whole strings.
type Regexp struct {
	Flavor *Flavor
	Text   string // the expression, without delimiters
	Flags  string // flags that follow the expression, in js

	// Octets says that it matches octets, not characters.
	Octets bool

	// Assumed is a condition, in words, that strings must meet; "" if there is none.
	Assumed string

	// Groups are its groups, in order.
	Groups []Group

	// Ambiguous is a string that it can match in two ways; nil if there is none. If there is one, engines
	// that backtrack take more than linear time, but not exponential.
	Ambiguous *string
}

// A Group is a group of an expression. It holds the text that the production derives.
type Group struct {
	Name, Production string

	id string
}

// String returns the expression as the source text of its language has it, or as an attribute or string of a
// schema.
func (r *Regexp) String() string {
	return r.Flavor.Source(r.Text, r.Flags)
}

// A RefusedError says why there is no expression.
type RefusedError struct {
	Pos  expr.Pos
	Text string
}

func (e *RefusedError) Error() string {
	if e.Pos == (expr.Pos{}) {
		return e.Text
	}
	return fmt.Sprintf("%s: %s", e.Pos, e.Text)
}

// Options control [New].
type Options struct {
	Captures []string // the IDs of the productions that become groups
	Comments bool     // the expression is written in several lines, with the names of productions as comments
}

// New returns an expression for the rule r of g; language is what r derives or matches. The expression is
// read back and proven equal to language, under x.Assumed if that is set. New fails with a [*RefusedError],
// or with an error that wraps [budget.ErrTooLarge]. Any other error says that the proof failed; x is then the
// expression that was written.
func New(g *expr.Grammar, r *expr.Rule, language *lang.DFA, f *Flavor, o Options) (x *Regexp, err error) {
	defer budget.Catch(&err)
	if o.Comments && !f.Extended {
		return nil, &RefusedError{Text: f.Name + " has no mode with comments"}
	}
	w := &writer{
		g: g, rule: r, whole: language, flavor: f, options: o,
		alphabet: &alphabet{},
		rules:    map[string]*expr.Expr{},
		groups:   map[string]string{},
		captured: map[string]bool{},
		labels:   map[string]string{},
	}
	for _, id := range o.Captures {
		w.captured[id] = true
	}
	if !g.Ordered {
		w.facts = expr.Analyze(g.Rules)
		w.decoder = &decoder{g, w.facts, map[string]bool{}, map[string]int{}, map[*expr.Expr][]span{}}
	} else if len(o.Captures) > 0 {
		return nil, &RefusedError{r.Pos, "groups are for the productions of a BNF, and this is a PEG"}
	}
	w.chooseAlphabet()
	x = w.writeShortest(w.ruleExpression())
	return x, w.prove(x)
}

// A writer makes the expression of one rule.
type writer struct {
	*alphabet
	g         *expr.Grammar
	rule      *expr.Rule
	whole     *lang.DFA   // the language of the rule
	facts     *expr.Facts // nil for a PEG
	decoder   *decoder    // nil for a PEG
	flavor    *Flavor
	decoded   bool                  // made from the automaton, since octets of one character are in several productions
	rules     map[string]*expr.Expr // by production: its expression, if it has no group in it
	captured  map[string]bool       // the IDs of the productions that become groups
	places    []Group               // the groups, in their order
	asPrinted bool                  // nothing is simplified
	groups    map[string]string     // by the names of Nodes: the names of groups
	repeated  []*expr.Expr          // the repetitions around the part at hand
	marks     []byte                // two for each group, as bytes in the words of [writer.languageOf]
	labels    map[string]string     // by the names of Nodes: the names of productions
	options   Options
	cheap     *printer
	measures  map[*expr.Expr]measure
	sums      map[**expr.Expr][]measure // see [writer.measureParts]
	sumParts  int                       // the length of all lists in sums
}

// chooseAlphabet decides what the bytes of expressions stand for: ASCII, octets, or classes of code points.
// It sets decoded if the productions do not show these classes, so that the automaton has to. If the flavor
// has no octets, it refuses a language that is not UTF-8.
func (w *writer) chooseAlphabet() {
	ascii := budget.Must(lang.FromExpr(&expr.Grammar{}, expr.Times(expr.In(expr.Range(0, 0x7f)), 0, expr.Unbounded)))
	text := budget.Must(lang.Text())
	w.next = 0x80
	switch {
	case w.whole.Subset(ascii):
		// Bytes are characters: no symbols are needed.
	case w.flavor.Octets:
		w.octets, w.next = true, 256
	case !w.whole.Subset(text):
		word, _ := w.whole.ShortestOutside(text)
		refused := fmt.Sprintf("`%s` derives %+q, which is not UTF-8, and %s matches characters; pcre matches octets",
			w.rule.Label(), word, w.flavor.Name)
		if !w.g.CodePoints { // otherwise the octets come from another grammar
			refused += ", and with --values code-points %x80 is U+0080"
		}
		w.refuse(w.rule.Pos, "%s", refused)
	default:
		var all [][]span
		if w.facts == nil || !w.decoder.eachCharacterSet(expr.To(w.rule.ID), func(s []span) { all = append(all, s) }) {
			w.decoded, all = true, nil
			eachCharacterEdge(w.whole, func(_, _ int, s []span) { all = append(all, s) })
		}
		w.assignSymbols(all)
	}
}

// refuse ends New with a [*RefusedError]. It does not return.
func (w *writer) refuse(pos expr.Pos, format string, args ...any) {
	panic(budget.Stopped(&RefusedError{pos, fmt.Sprintf(format, args...)}))
}

// ruleExpression returns the expression of the rule. It is made from the productions; for a PEG, and where
// octets of one character are in several productions, it is made from the automaton of the language, and
// groups are refused. With groups it is the one of [writer.groupedExpression]. It sets w.measures and
// w.cheap.
func (w *writer) ruleExpression() *expr.Expr {
	w.startMeasuring()
	if len(w.captured) > 0 && w.facts != nil && !w.decoded {
		return w.groupedExpression()
	}
	if w.facts == nil || w.decoded {
		if len(w.captured) > 0 {
			w.refuse(w.rule.Pos, "`%s` has no groups, because octets of one character stand in several productions",
				w.rule.Label())
		}
		return w.exprOfDFA(w.whole)
	}
	return w.buildProduction(w.rule.ID, expr.Pos{})
}

// groupedExpression returns the expression of a rule with groups, and sets marks and places. If a string can
// have the groups in two ways, it sets asPrinted and leaves the expression as the grammar has it: engines
// take the first alternative, and one more round, wherever the rest can be matched, and so does the tree. A
// production that is to be a group is refused if it derives no string or the rule does not use it.
func (w *writer) groupedExpression() *expr.Expr {
	e := w.buildProduction(w.rule.ID, expr.Pos{})
	for _, id := range slices.Sorted(maps.Keys(w.captured)) {
		if r := w.g.Rule(id); !w.facts.Derives(r.Expr) {
			w.refuse(r.Pos, "`%s` derives no string, and a group holds one", r.Label())
		}
		if !slices.ContainsFunc(w.places, func(g Group) bool { return g.id == id }) {
			w.refuse(w.rule.Pos, "`%s` does not use `%s`", w.rule.Label(), w.g.Rule(id).Label())
		}
	}
	w.marks = w.freeMarkers(2*len(w.places), w.whole)
	if marksAreUnique(budget.Must(w.languageOf(e)), w.marks) {
		return e
	}
	w.asPrinted, w.places, w.rules = true, nil, map[string]*expr.Expr{}
	return w.buildProduction(w.rule.ID, expr.Pos{})
}

// startMeasuring sets w.measures, w.sums and w.cheap. The alphabet must be complete.
func (w *writer) startMeasuring() {
	w.measures, w.sums, w.sumParts = map[*expr.Expr]measure{}, map[**expr.Expr][]measure{}, 0
	w.cheap = &printer{Flavor: w.flavor, Mode: w.flavor.Modes[0], alphabet: w.alphabet, lengths: map[expr.Set]int{}}
}

// cost returns the length of e as it is written, and charges the budget for the parts of e: what compares expressions
// by their lengths looks at each part, or copies it.
func (w *writer) cost(e *expr.Expr) int {
	w.g.Budget.Step(32 * (1 + len(e.Sub)))
	return w.measure(e).length
}

// A measure is the number of terminals of an expression, and the length of what w.cheap writes for it. Both are capped
// at [math.MaxInt32].
type measure struct{ terminals, length int }

// maxMeasures caps the expressions whose measures are kept. Beyond it they are forgotten, since they would keep all the
// expressions in memory that were tried and are not used.
const maxMeasures = 1 << 18

// measure returns the measure of e. It is made of those of its parts, most of which are known: a change of an
// expression shares all others with it.
func (w *writer) measure(e *expr.Expr) measure {
	m, ok := w.measures[e]
	if ok {
		return m
	}
	w.g.Budget.Step(8)
	if e.Op == expr.Seq && len(e.Sub) >= longSequence {
		m = w.measureParts(e.Sub)
		w.keepMeasure(e, m)
		return m
	}
	w.g.Budget.Step(8 * len(e.Sub))
	length := 0
	add := func(n int) { length = min(length+n, math.MaxInt32) }
	switch e.Op {
	case expr.Class:
		m.terminals = 1
		add(w.cheap.classLength(e.Set))
	case expr.Node:
		add(w.measure(e.Sub[0]).length)
	case expr.Seq:
		for _, s := range e.Sub {
			add(w.lengthInside(s, bindSeq))
		}
	case expr.Alt:
		add(len(e.Sub) - 1)
		for _, s := range e.Sub {
			add(w.lengthInside(s, bindSeq))
		}
	case expr.Repeat:
		body := w.lengthInside(e.Sub[0], bindOne)
		if isWrittenOut(e, body) {
			add(body * e.Min)
		} else {
			add(body + len(e.Quantifier()))
		}
	}
	for _, s := range e.Sub {
		m.terminals = min(m.terminals+w.measure(s).terminals, math.MaxInt32)
	}
	m.length = length
	w.keepMeasure(e, m)
	return m
}

// keepMeasure keeps m as the measure of e. It first forgets all others if they are too many.
func (w *writer) keepMeasure(e *expr.Expr, m measure) {
	if len(w.measures) >= maxMeasures {
		clear(w.measures)
	}
	w.measures[e] = m
}

// longSequence is the number of parts from which on a sequence is measured by [writer.measureParts].
const longSequence = 8

// measureParts returns the measure of a sequence with these parts. Literals that begin alike lose one common part
// after the other, and what is left of each shares its list with the whole. So the sums of the last parts of a list,
// one part, two, and so on, are kept by the place where the list ends, and the parts are looked at once. Beyond
// maxMeasures parts the sums are forgotten.
func (w *writer) measureParts(list []*expr.Expr) measure {
	end := &list[len(list)-1]
	if sums := w.sums[end]; len(sums) > len(list) {
		return sums[len(list)]
	}
	w.g.Budget.Step(8 * len(list))
	sums := make([]measure, 1, len(list)+1)
	for i, s := range slices.Backward(list) {
		m := sums[len(list)-1-i]
		m.length = min(m.length+w.lengthInside(s, bindSeq), math.MaxInt32)
		m.terminals = min(m.terminals+w.measure(s).terminals, math.MaxInt32)
		sums = append(sums, m)
	}
	if w.sumParts += len(list); w.sumParts > 4*maxMeasures {
		clear(w.sums)
		w.sumParts = len(list)
	}
	w.sums[end] = sums
	return sums[len(list)]
}

// lengthInside returns the length of what [printer.write] writes for e where it must bind as strongly as bind.
func (w *writer) lengthInside(e *expr.Expr, bind int) int {
	inner := e.InsideNodes()
	length := w.measure(inner).length
	if strengthOf(inner) < bind {
		length += len("(?:)")
	}
	return length
}

// exprOfDFA returns an expression that matches each word of a in one way. The words of a are UTF-8 or octets;
// the bytes of the expression stand for what the alphabet says. If it would have more than 1<<16 terminals
// and operators, exprOfDFA panics with a limit, which [budget.Catch] returns.
func (w *writer) exprOfDFA(a *lang.DFA) *expr.Expr {
	if !w.octets && !w.readsASCIIOnly(a) {
		a = w.decode(a)
	}
	return budget.Must(w.exprOfWords(a, 1<<16))
}

// decode returns the automaton of a's words with each character as one byte, its symbol in the alphabet, in the place
// of its UTF-8. It panics with a limit if that would be too large.
func (w *writer) decode(a *lang.DFA) *lang.DFA {
	// A right-linear grammar with a rule for each state between characters, called by its number.
	g := &expr.Grammar{Budget: w.g.Budget}
	name := func(q int) string { return strconv.Itoa(q) }
	rules := map[int][]*expr.Expr{0: nil}
	order := []int{0}
	eachCharacterEdge(a, func(from, to int, s []span) {
		var set expr.Set
		for _, p := range s {
			set = set.Union(w.symbolsOf(p))
		}
		if _, ok := rules[to]; !ok {
			rules[to] = nil
			order = append(order, to)
		}
		rules[from] = append(rules[from], expr.Cat(expr.In(set), expr.To(name(to))))
	})
	for _, q := range order {
		if a.Accepts(q) {
			rules[q] = append(rules[q], empty)
		}
		g.Rules = append(g.Rules, &expr.Rule{ID: name(q), Name: name(q), Expr: expr.Or(rules[q]...)})
	}
	return budget.Must(lang.FromBNF(g, name(0)))
}

// exprOfWords is exprOfDFA for an automaton whose bytes already stand for what the alphabet says. The
// expression has at most most terminals and operators. It fails with an error that wraps [lang.ErrTooLarge]
// if it would have more.
func (w *writer) exprOfWords(a *lang.DFA, most int) (*expr.Expr, error) {
	const states = 2000
	if a.States() > states {
		return nil, fmt.Errorf("%w: an expression is made of an automaton of no more than %d states",
			lang.ErrTooLarge, states)
	}
	e, err := a.Expr(most)
	if err != nil {
		return nil, err
	}
	return w.simplify(e), nil
}

// readsASCIIOnly reports whether no word of a has a byte above 0x7F.
func (w *writer) readsASCIIOnly(a *lang.DFA) bool {
	for q := range a.States() {
		if a.Live(q) && !a.Viable(q).Intersect(expr.Range(0x80, 0xff)).IsEmpty() {
			return false
		}
	}
	return true
}

// simplify rebuilds an expression without references and groups, with the simplifications of this package.
func (w *writer) simplify(e *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.Class:
		return expr.In(e.Set)
	case expr.Seq, expr.Alt:
		list := make([]*expr.Expr, len(e.Sub))
		for i, s := range e.Sub {
			list[i] = w.simplify(s)
		}
		if e.Op == expr.Seq {
			return joinSequence(list...)
		}
		return alternation(w.cost, list...)
	case expr.Repeat:
		return repeat(w.simplify(e.Sub[0]), e.Min, e.Max)
	}
	return e
}

// buildProduction returns the expression of a production that is used at a place. Without a group in it, it
// is made once and kept. Groups are entered in w.places, w.groups and w.labels. For a production that does
// not exist it returns nothing. It refuses a group in a repetition or a recursion.
func (w *writer) buildProduction(id string, at expr.Pos) *expr.Expr {
	if e, ok := w.rules[id]; ok {
		return e
	}
	r, c := w.g.Rule(id), w.facts.Component(id)
	if r == nil || c == nil {
		return nothing
	}
	groups := len(w.places)
	w.g.Budget.In(r.Label())
	var e *expr.Expr
	if w.captured[id] {
		if len(w.repeated) > 0 {
			w.refuse(at, "`%s` stands in a repetition, and a group holds one string", r.Label())
		}
		w.places = append(w.places, Group{w.freeGroupName(r.Label()), r.Label(), id})
	}
	own := len(w.places)
	if c.Recursive {
		for _, used := range w.g.Reach(id)[1:] {
			if w.captured[used] {
				w.refuse(r.Pos, "`%s` stands in a recursion, and a group holds one string", used)
			}
		}
		e = w.exprOfDFA(budget.Must(lang.FromBNF(w.g, id)))
	} else {
		e = w.build(r.Expr)
		w.g.Budget.In(r.Label())
		w.g.Budget.State(w.measure(e).terminals, 1<<16) // as many as engines that make automata can take
		if !w.asPrinted {
			e = w.makeUnambiguous(e)
		}
	}
	if w.captured[id] {
		node := w.places[own-1].Name
		w.groups[node], w.labels[node] = node, r.Label()
		e = &expr.Expr{Op: expr.Node, Name: node, Sub: []*expr.Expr{e}}
	}
	const short = 8 // needs no name
	if w.options.Comments && !w.captured[id] && w.cost(e) > short {
		w.labels["#"+id] = r.Label()
		e = &expr.Expr{Op: expr.Node, Name: "#" + id, Sub: []*expr.Expr{e}}
	}
	if groups == len(w.places) { // an expression with groups is made anew at each place
		w.rules[id] = e
	}
	return e
}

// freeGroupName makes a name for a group from that of its production, which no group in w.places has. If need
// be it adds a number from 2 up. The caller adds the group.
func (w *writer) freeGroupName(production string) string {
	other, first := w.flavor.OtherInName, w.flavor.FirstInName
	name := ""
	for _, r := range production {
		if r < 0x80 && word.Has(byte(r)) && r != '_' {
			name += string(r)
		} else {
			name += other
		}
	}
	if name == "" || digits.Has(name[0]) {
		name = first + name
	}
	free := name
	for n := 2; slices.ContainsFunc(w.places, func(g Group) bool { return g.Name == free }); n++ {
		free = fmt.Sprintf("%s%s%d", name, other, n)
	}
	return free
}

// build returns the expression of a part of a production. A part that derives no string is nothing, and is
// not followed: a recursion through it belongs to no [expr.Component], and would not end.
func (w *writer) build(e *expr.Expr) *expr.Expr {
	w.g.Budget.Step(1)
	if !w.facts.Derives(e) {
		return nothing
	}
	// Octets that spell characters are replaced as a whole: their parts mean nothing by themselves.
	if !w.octets && !w.decoder.isASCII(e) {
		if spans, ok := w.decoder.charactersOf(e); ok && !w.hasCaptures(e) {
			var set expr.Set
			for _, s := range spans {
				set = set.Union(w.symbolsOf(s))
			}
			return expr.In(set)
		}
	}
	switch e.Op {
	case expr.Class:
		return expr.In(e.Set)
	case expr.Literal:
		var list []*expr.Expr
		if w.octets {
			for i := range len(e.Lit) {
				list = append(list, expr.In(expr.Bytes(e.Lit[i:i+1])))
			}
		} else {
			for _, r := range e.Lit {
				list = append(list, expr.In(w.symbolsOf(span{Lo: r, Hi: r})))
			}
		}
		return joinSequence(list...)
	case expr.Ref:
		return w.buildProduction(e.Name, e.Pos)
	case expr.Seq, expr.Alt:
		var list []*expr.Expr
		for _, s := range e.Sub {
			list = append(list, w.build(s))
		}
		switch {
		case w.asPrinted && e.Op == expr.Seq:
			return expr.Cat(list...)
		case w.asPrinted:
			return alternationInOrder(list)
		case e.Op == expr.Seq:
			return joinSequence(list...)
		}
		return alternation(w.cost, w.dropRedundant(list)...)
	case expr.Repeat:
		if e.Max == expr.Unbounded || e.Max > 1 {
			w.repeated = append(w.repeated, e)
			defer func() { w.repeated = w.repeated[:len(w.repeated)-1] }()
		}
		x := w.build(e.Sub[0])
		if w.asPrinted && x.Op != expr.Empty {
			return expr.Times(x, e.Min, e.Max)
		}
		return repeat(x, e.Min, e.Max)
	}
	return empty
}

// alternationInOrder returns the alternation of list, with neighboring classes merged. The list must have at
// least two elements.
func alternationInOrder(list []*expr.Expr) *expr.Expr {
	var out []*expr.Expr
	for _, e := range expr.Or(list...).Sub {
		if n := len(out); n > 0 && e.Op == expr.Class && out[n-1].Op == expr.Class {
			out[n-1] = expr.In(out[n-1].Set.Union(e.Set))
		} else {
			out = append(out, e)
		}
	}
	return expr.Or(out...)
}

// hasCaptures reports whether a production that e uses, directly or through others, becomes a group.
func (w *writer) hasCaptures(e *expr.Expr) bool {
	isCaptured := func(id string) bool { return w.captured[id] }
	usesCaptured := func(e *expr.Expr) bool {
		return e.Op == expr.Ref && slices.ContainsFunc(w.g.Reach(e.Name), isCaptured)
	}
	return expr.Find(e, usesCaptured) != nil
}

// languageOf returns the automaton of an expression. In its words a group begins and ends with a byte of its
// own.
func (w *writer) languageOf(e *expr.Expr) (*lang.DFA, error) {
	return lang.FromExpr(&expr.Grammar{Budget: w.g.Budget}, w.withMarks(e))
}

// languagesOf returns the automaton of each expression, or nil if one of them is too large.
func (w *writer) languagesOf(list []*expr.Expr) []*lang.DFA {
	all := make([]*lang.DFA, len(list))
	for i, e := range list {
		var err error
		if all[i], err = w.languageOf(e); err != nil {
			return nil
		}
	}
	return all
}

// withMarks returns e without Nodes; where a Node was a group, the group's marks come before and after it.
// w.marks must have the marks of all groups.
func (w *writer) withMarks(e *expr.Expr) *expr.Expr {
	switch {
	case e.Op == expr.Node && w.groups[e.Name] == "":
		return w.withMarks(e.Sub[0])
	case e.Op != expr.Node:
		return e.Map(w.withMarks)
	}
	i := slices.IndexFunc(w.places, func(g Group) bool { return g.Name == e.Name })
	mark := func(n int) *expr.Expr { return expr.In(expr.Bytes(string(w.marks[n : n+1]))) }
	return expr.Cat(mark(2*i), w.withMarks(e.Sub[0]), mark(2*i+1))
}

// dropRedundant returns the alternatives without those that add no words to the others. Later ones go first,
// so that the first of equal ones stays. If there are more than 64, or one has a group or is too large to
// compare, it returns the list itself.
func (w *writer) dropRedundant(list []*expr.Expr) []*expr.Expr {
	const most = 64
	if len(list) < 2 || len(list) > most || w.hasGroups(list...) {
		return list
	}
	all := w.languagesOf(list)
	if all == nil {
		return list
	}
	var kept []*expr.Expr // in reverse
	for i := len(list) - 1; i >= 0; i-- {
		rest := lang.Empty() // the words of the others, but for those that were dropped
		for j := range all {
			if j != i && all[j] != nil {
				rest = rest.Union(all[j])
			}
		}
		if all[i].Subset(rest) {
			all[i] = nil
		} else {
			kept = append(kept, list[i])
		}
	}
	slices.Reverse(kept)
	return kept
}

// makeDisjoint changes list in place, so that no two of the alternatives derive the same word, and returns
// it: each alternative, the last one first, loses the words that others have as well. One that would become
// much longer stays as it is. All stay if one has a group, or is too large.
func (w *writer) makeDisjoint(list []*expr.Expr) []*expr.Expr {
	if w.hasGroups(list...) {
		return list
	}
	all := w.languagesOf(list)
	if all == nil {
		return list
	}
	for i := len(list) - 1; i >= 0; i-- {
		rest := lang.Empty()
		for j, a := range all {
			if j != i {
				rest = rest.Union(a)
			}
		}
		if all[i].Disjoint(rest) {
			continue
		}
		own := all[i].Minus(rest)
		e, err := w.exprOfWords(own, 4*list[i].Size()+100)
		if err == nil && w.cost(e) <= 2*w.cost(list[i])+40 {
			list[i], all[i] = e, own
		}
	}
	return list
}

// hasGroups reports whether one of the expressions has a group in it.
func (w *writer) hasGroups(list ...*expr.Expr) bool {
	return slices.ContainsFunc(list, func(e *expr.Expr) bool { return w.groups[e.Name] != "" || w.hasGroups(e.Sub...) })
}

// ambiguousWord returns a word that e matches in two ways; ok is false if there is none. It fails if a limit
// is passed. What it takes to copy and read e is charged here, since in a chain of productions each is asked about with
// all that it uses.
func (w *writer) ambiguousWord(e *expr.Expr) (word string, ok bool, err error) {
	w.g.Budget.Step(64 * e.Size())
	return lint.AmbiguousExpr(withoutNodes(e), w.g.Budget)
}

// withoutNodes returns e without its Nodes.
func withoutNodes(e *expr.Expr) *expr.Expr {
	if e.Op == expr.Node {
		return withoutNodes(e.Sub[0])
	}
	return e.Map(withoutNodes)
}

// makeUnambiguous returns e if it matches each word in one way, and otherwise an expression of the same words
// that does. Parts are settled first, so that no more than needed is made anew from its automaton. An
// expression that has groups, or would become too large, can still match a word in two ways.
func (w *writer) makeUnambiguous(e *expr.Expr) *expr.Expr {
	if _, ok, err := w.ambiguousWord(e); !ok && err == nil {
		return e
	}
	settled := e
	switch e.Op {
	case expr.Seq, expr.Alt:
		list := make([]*expr.Expr, len(e.Sub))
		for i, s := range e.Sub {
			list[i] = w.makeUnambiguous(s)
		}
		if e.Op == expr.Seq {
			settled = joinSequence(list...)
		} else {
			settled = alternation(w.cost, w.makeDisjoint(list)...)
		}
	case expr.Repeat:
		settled = repeat(w.makeUnambiguous(e.Sub[0]), e.Min, e.Max)
	case expr.Node:
		settled = e.Map(w.makeUnambiguous)
	}
	// If the parts are unambiguous and the whole is not, it is made from its automaton, in which each word
	// has one path.
	_, ok, err := w.ambiguousWord(settled)
	if (ok || err != nil) && !w.hasGroups(settled) {
		if a, err := w.languageOf(settled); err == nil {
			if x, err := w.exprOfWords(a, 16*settled.Size()+1000); err == nil {
				return x
			}
		}
	}
	return settled
}

// writeShortest writes the expression in each mode of the flavor and returns the shortest. If a string can
// still be matched in two ways, it sets Ambiguous. It refuses a count that the flavor does not have, and an
// expression that takes exponential time in engines that backtrack.
func (w *writer) writeShortest(e *expr.Expr) *Regexp {
	large := func(s *expr.Expr) bool { return s.Op == expr.Repeat && int64(max(s.Min, s.Max)) > w.flavor.most }
	if s := expr.Find(e, large); s != nil {
		w.refuse(w.rule.Pos, "`%s` has a repetition of %d, and %s takes at most %d",
			w.rule.Label(), max(s.Min, s.Max), w.flavor.Name, w.flavor.most)
	}
	if !w.asPrinted {
		e = foldRepeats(e)
	}
	x := &Regexp{Flavor: w.flavor, Octets: w.octets, Groups: w.places}
	if word, ok, err := w.ambiguousWord(e); err != nil {
		panic(budget.Stopped(err))
	} else if ok {
		x.Ambiguous = &word
		if budget.Must(lint.ExponentialExpr(withoutNodes(e), w.g.Budget)) {
			w.refuse(w.rule.Pos,
				"`%s` would take exponential time in engines that backtrack, because its groups leave it "+
					"as it is printed: %+q can be matched in two ways", w.rule.Label(), word)
		}
	}
	for _, m := range w.flavor.Modes {
		if m.Fold && !w.ignoresCase(e, m.But) {
			continue
		}
		text, flags := w.writeInMode(e, m)
		if x.Text == "" || len(text)+len(flags) < len(x.Text)+len(x.Flags) {
			x.Text, x.Flags = text, flags
		}
	}
	return x
}

// writeInMode returns the expression as a mode of the flavor writes it, and the flags that must follow it.
// Other flags are part of the text.
func (w *writer) writeInMode(e *expr.Expr, m regex.Mode) (text, flags string) {
	f := w.flavor
	p := &printer{Flavor: f, Mode: m, alphabet: w.alphabet, names: w.groups, extended: w.options.Comments}
	if w.options.Comments {
		l := &layout{printer: p, labels: w.labels}
		l.writeLine(0, strings.TrimSuffix(cmp.Or(m.Flags, "(?)"), ")")+"x)", nil) // "(?i)" becomes "(?ix)"
		l.writeLine(0, f.Open, nil)
		l.writePart(e, bindSeq, 0, "", nil)
		l.writeLine(0, f.Shut, nil)
		return strings.TrimSuffix(l.String(), "\n"), ""
	}
	body := p.print(e)
	if e.Op == expr.Alt && f.Open+f.Shut != "" {
		body = "(?:" + body + ")"
	}
	text = f.Open + body + f.Shut
	switch {
	case !f.FlagsAfter:
		return m.Flags + text, ""
	case f.WideFlag != "" && w.hasWideCharacters():
		return text, f.WideFlag
	}
	return text, m.Flags
}

// ignoresCase reports whether e treats both cases of every letter alike, and has no letter of but in either
// case; but lists lower-case letters.
// It is false for octets and if the rule has characters above U+007F, whose case is not looked at.
func (w *writer) ignoresCase(e *expr.Expr, but string) bool {
	if w.octets || w.next > 0x80 {
		return false
	}
	ok := true
	expr.Walk(e, func(e *expr.Expr) bool {
		for c := byte('A'); c <= 'Z' && e.Op == expr.Class; c++ {
			has := e.Set.Has(c)
			ok = ok && has == e.Set.Has(c+'a'-'A') && !(has && strings.IndexByte(but, c+'a'-'A') >= 0)
		}
		return ok
	})
	return ok
}

// prove reads the expression back and compares its language with w.whole. If the two are equal for UTF-8
// only, it sets x.Assumed. It fails if they differ, or if the expression cannot be read.
func (w *writer) prove(x *Regexp) error {
	r, err := regex.Parse(x.Flavor.ReadAs, x.Flavor.Reads(x.Text, x.Flags))
	if err != nil {
		return fmt.Errorf("the expression that was written is not read: %w", err)
	}
	a := budget.Must(r.DFA(w.g.Budget, regex.Search))
	if a.Equal(w.whole) {
		return nil
	}
	if !x.Octets && a.Intersect(budget.Must(lang.Text())).Equal(w.whole) {
		x.Assumed = "strings are UTF-8, and not octets of which " + x.Flavor.Name + " makes U+FFFD"
		return nil
	}
	word, _ := a.ShortestDifference(w.whole)
	return fmt.Errorf("the expression that was written for `%s` is not its language: they differ in %+q",
		w.rule.Label(), word)
}
