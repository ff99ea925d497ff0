// Package bnftopeg writes a PEG for a BNF, rule by rule, in pigeon's notation.
//
// An ordered choice commits: of "a" / "ab" it never tries the second where the first matches. So each rule is tried
// in several forms, from the most readable on, until it matches exactly the strings that its production derives:
//
//  1. as printed;
//  2. with its alternatives in another order: one that can begin what another derives comes after it;
//  3. with a lookahead after each alternative, so that one is taken only where a byte follows that can;
//  4. with the text after a choice moved into each alternative, so that the next is tried where that text fails;
//  5. with both.
//
// Forms 3 to 5 have the order of form 2. The text is read again by package peg, which reads as pigeon does, and each
// rule is compared by its automaton.
package bnftopeg

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Result is a PEG, and how far it is proven.
type Result struct {
	Text  []byte // the .peg file
	Rules []Rule // in the order of the file
}

// A Rule is the result for one production.
type Rule struct {
	Production string
	Pos        expr.Pos // of the production
	Form       Form
	Why        string // the reason, if it is not proven
}

// A Form is how a rule is written.
type Form int

// The forms.
const (
	Printed   Form = iota // as printed
	Reordered             // its alternatives are in another order
	Guarded               // as Reordered, and the alternatives look ahead
	Expanded              // as Reordered, and the text after a choice is moved into its alternatives
	Both                  // as Expanded, and the alternatives look ahead
	Unproven              // no form is proven to match exactly the strings that the production derives
)

// Proven reports whether all rules are proven.
func (r *Result) Proven() bool {
	return r.unproven() == 0
}

// PEG returns the transcription of the productions of g that start needs; name is the name of pigeon's
// package. A production for which a limit is passed is Unproven. PEG fails if g is itself a PEG or does not have start,
// if a name has no production, and if a limit is passed for the file as a whole; the result is then nil. If the text
// that was written cannot be read again or checked, the result comes with the error.
func PEG(g *expr.Grammar, start, name string) (result *Result, err error) {
	defer budget.Catch(&err)
	first := budget.Must(g.Lookup(start))
	if err := bnf.CheckMissing(g, first.ID); err != nil {
		return nil, err
	}
	w := &writer{g: g, exprs: map[string]*expr.Expr{}, wanted: map[string]*lang.DFA{}, idents: map[string]string{}}
	taken := map[string]bool{}
	for _, r := range g.Part(first.ID).Rules {
		ident := peg.Ident(r.ID)
		for peg.Reserved(ident) || taken[ident] {
			ident += "_"
		}
		taken[ident], w.idents[r.ID] = true, ident
		w.rules = append(w.rules, r)
	}
	w.entry = w.idents[first.ID] + "_entry"
	for taken[w.entry] {
		w.entry += "_"
	}
	w.taken = taken
	taken[w.entry] = true
	w.start = first
	w.follows = newFollows(w.rules)
	w.space = lang.NewSpace(lang.Limits{}, []*expr.Grammar{g})
	w.bnf = budget.Must(w.space.BNF(g)) // fails for a PEG
	return w.bestResult(name)
}

// A writer makes the rules of a PEG. That of [Forms] has neither start nor entry, exprs nor wanted.
type writer struct {
	g       *expr.Grammar
	rules   []*expr.Rule // the productions to write, in the order of g
	start   *expr.Rule
	entry   string // the identifier of the first rule, which matches start up to the end of the input
	follows *follows
	exprs   map[string]*expr.Expr // by production: the expression of its rule; nil between attempts
	texts   map[string]string     // by production: its rule and its helpers, as the last attempt wrote them
	wanted  map[string]*lang.DFA  // by production: its language; not of those that were too large
	idents  map[string]string     // by production: its identifier in the file
	taken   map[string]bool       // the identifiers in use, but for the helpers'
	space   *lang.Space
	bnf     *lang.BNF        // the languages of g's parts; nil where a writer of Forms has none
	helpers []helper         // of the rules' current forms
	large   map[string]error // by production: the limit because of which no form was decided
}

// A helper is a rule for a loop that tries again.
type helper struct {
	of string // the production
	id string // the identifier
	e  *expr.Expr
}

// bestResult returns the better of two attempts. A rule that is right by itself can end too early inside another. So,
// if rules are left unproven that are not too large, a second attempt has lookaheads from the start, and is returned if
// it has more proven rules. Each attempt may take half of the steps that are left when it begins. bestResult fails only
// if the first attempt does; if that is because proveText fails, it returns the result as well. Afterward w may hold
// the texts of the attempt that was not returned.
func (w *writer) bestResult(name string) (*Result, error) {
	var best *Result
	var err error
	if large := w.g.Budget.Fraction(2, func() { best, err = w.attempt(name, Printed) }); large != nil {
		if e, ok := errors.AsType[*budget.Exceeded](large); ok && e.Limit == budget.Steps {
			e.Size = w.g.Budget.Steps // the limit that has to be raised, not the half of it
		}
		return nil, large
	}
	if err != nil || best.unproven() == len(w.large) { // rules that are too large would be so again
		return best, err
	}
	var second *Result
	large := w.g.Budget.Fraction(2, func() { second, err = w.attempt(name, Guarded) })
	if large != nil || err != nil || second.unproven() >= best.unproven() {
		return best, nil // whatever ended the second attempt
	}
	return second, nil
}

// unproven counts the rules that are not proven.
func (r *Result) unproven() (n int) {
	for _, rule := range r.Rules {
		if rule.Form == Unproven {
			n++
		}
	}
	return n
}

// attempt writes each rule in the form least or a later one, as transcribe says, and returns the result after
// proveText has checked it. A rule for which a limit was passed has the expression of asPrinted, and is Unproven.
// attempt discards the expressions, helpers and limits of an earlier attempt; languages in w.wanted stay. Afterward
// w.texts has the rules, and w.exprs and w.helpers are nil. If proveText fails, the result comes with its error.
// attempt panics as writeRules and proveText do.
func (w *writer) attempt(name string, least Form) (*Result, error) {
	w.exprs, w.helpers, w.large = map[string]*expr.Expr{}, nil, map[string]error{}
	for _, r := range w.rules { // one in a cycle is used before it has a form
		w.exprs[r.ID] = w.asPrinted(r)
	}
	out := &Result{}
	form := map[string]Form{}
	why := map[string]string{}
	list := w.bottomUp()
	list = append(list, usingLater(list)...) // once more, when what they use has its form
	whole := w.g.Budget.Fraction(2, func() { // the rest is for the check
		// Divide calls it again for a production that was too large, if others have left steps.
		transcribe := func(i int) error {
			r := list[i]
			if tried, ok := form[r.ID]; ok && tried != Unproven {
				return nil
			}
			if w.large[r.ID] != nil {
				w.bnf.Retry() // forgets the languages that a limit has stopped
			}
			w.large[r.ID] = budget.ErrTooLarge // stays if transcribe panics or fails
			w.g.Budget.In(r.Label())
			var large error
			if form[r.ID], why[r.ID], large = w.transcribe(r, least); large == nil {
				delete(w.large, r.ID)
			}
			return large
		}
		for i, err := range w.g.Budget.Divide(len(list), transcribe) {
			if r := list[i]; err != nil && w.large[r.ID] != nil {
				w.leaveAsPrinted(r, err)
				form[r.ID], why[r.ID] = Unproven, err.Error()
			}
		}
	})
	for _, r := range w.rules {
		if _, done := why[r.ID]; !done { // Divide did not come to it
			w.leaveAsPrinted(r, whole)
			form[r.ID], why[r.ID] = Unproven, whole.Error()
		}
		out.Rules = append(out.Rules, Rule{r.ID, r.Pos, form[r.ID], why[r.ID]})
	}
	w.writeRules()
	out.Text = w.fileText(name, out.Rules)
	return out, w.proveText(name, out)
}

// leaveAsPrinted sets the expression of a production to its printed form, since no form of it was decided,
// and records why in w.large.
func (w *writer) leaveAsPrinted(r *expr.Rule, why error) {
	w.exprs[r.ID], w.large[r.ID] = w.asPrinted(r), why
}

// usingLater returns the productions in a list that use one after them.
func usingLater(list []*expr.Rule) (users []*expr.Rule) {
	at := map[string]int{}
	for i, r := range list {
		at[r.ID] = i
	}
	for i, r := range list {
		if slices.ContainsFunc(expr.Refs(r.Expr), func(id string) bool { return at[id] > i }) {
			users = append(users, r)
		}
	}
	return users
}

// bottomUp returns w.rules, each production after those that it uses, except in cycles. Every name must have a
// production among them.
func (w *writer) bottomUp() (list []*expr.Rule) {
	seen := map[string]bool{}
	var visit func(r *expr.Rule)
	visit = func(r *expr.Rule) {
		if seen[r.ID] {
			return
		}
		seen[r.ID] = true
		for _, id := range expr.Refs(r.Expr) {
			visit(w.g.Rule(id))
		}
		list = append(list, r)
	}
	for _, r := range w.rules {
		visit(r)
	}
	return list
}

// ruleFraction and formFraction divide the remaining steps: checking a rule of the text may take 1/ruleFraction of
// them, and trying a form 1/formFraction of those that its production has left.
const (
	ruleFraction = 4
	formFraction = 2
)

// asPrinted returns a production as printed, with its counts written out, or an expression that matches nothing if it
// would be too long.
func (w *writer) asPrinted(r *expr.Rule) *expr.Expr {
	if tooLong(r) != nil {
		return &expr.Expr{Op: expr.Class, Pos: r.Expr.Pos}
	}
	return writeOutCounts(r.Expr)
}

// tooLong returns an error that wraps [budget.ErrTooLarge] if the counts of a production take too much room when
// they are written out, else nil. The message says that the rule matches nothing: asPrinted makes it so.
func tooLong(r *expr.Rule) error {
	deep, long := r.Expr.WithoutCounts()
	if deep <= expr.DeepWithoutCounts && long <= expr.LongWithoutCounts {
		return nil
	}
	return fmt.Errorf("%w: pigeon's notation has no counts, and those in `%s` written out are %d expressions, up "+
		"to %d in each other; the rule matches nothing",
		budget.ErrTooLarge, r.Label(), long, deep)
}

// transcribe returns the first form of a production, from least on, whose rule matches exactly the strings that
// the production derives; why is "" and large nil then. A form before least counts only if no guard and no other order
// would change it. The productions that it uses must have expressions in w.exprs: their forms or, in a cycle, what they
// are printed as. It sets w.exprs and w.wanted for the production, and adds the helpers of the form to w.helpers.
//
// If no form is right, the form is Unproven, and the expression is that of asPrinted. large is then the first limit
// that was passed, nil if there was none; why names it, or else says what is wrong with the first form that was tried.
// If the production is too long, uses one that was too large, or has no automaton, no form is tried and w.wanted is not
// set. If the budget of the production is used up, transcribe panics.
func (w *writer) transcribe(r *expr.Rule, least Form) (form Form, why string, large error) {
	w.exprs[r.ID] = w.asPrinted(r)
	if err := tooLong(r); err != nil {
		return Unproven, err.Error(), err
	}
	for _, id := range expr.Refs(r.Expr) {
		if id != r.ID && w.large[id] != nil {
			err := fmt.Errorf("it uses `%s`, which is %w to be decided", w.g.Rule(id).Label(), budget.ErrTooLarge)
			return Unproven, err.Error(), err
		}
	}
	want, err := w.space.DFAOf(w.bnf.Of(r.ID))
	budget.Again(err)
	if err != nil {
		if errors.Is(err, budget.ErrTooLarge) {
			large = err
		}
		return Unproven, "its language has no automaton: " + err.Error(), large
	}
	w.wanted[r.ID] = want
	// try sets the expression and the helpers of a form, and reports whether its rule is right and the form counts. If
	// not, its helpers are dropped again.
	try := func(form Form) (proven bool) {
		plain := writeOutCounts(r.Expr)
		guarded := w.follows.addGuards(w.sortByPrefixes(plain), w.follows.after[r.ID])
		if form < least && guarded.String() != plain.String() {
			return false
		}
		e, helpers, ok := w.inForm(form, r)
		if !ok {
			return false
		}
		w.exprs[r.ID] = e
		w.g.Budget.Step(128 * want.States()) // a rule that is right has as many states
		before := w.helpers
		w.helpers = append(w.helpers[:len(w.helpers):len(w.helpers)], helpers...)
		defer func() {
			if !proven {
				w.helpers = before
			}
		}()
		got, err := w.ruleLanguage(r.ID)
		budget.Again(err)
		proven = err == nil && got.Equal(want)
		if !proven && why == "" {
			why = whyNotEqual(want, got, err)
		}
		return proven
	}
	for _, form := range []Form{Printed, Reordered, Guarded, Expanded, Both} {
		proven := false
		err := w.g.Budget.Fraction(formFraction, func() { proven = try(form) })
		if proven {
			return form, "", nil
		}
		large = cmp.Or(large, err) // the first
	}
	w.exprs[r.ID] = writeOutCounts(r.Expr)
	if large != nil {
		why = large.Error()
	}
	return Unproven, why, large
}

// inForm returns the expression of a production in a form, with the helpers that it needs. Every form but Printed has
// its alternatives in the order of sortByPrefixes. ok is false if an expanded form has more than maxSize expressions.
// Every form has its counts written out, without a limit here: the caller asks tooLong first. w is not changed. inForm
// panics with a limit of the budget that is passed.
func (w *writer) inForm(form Form, r *expr.Rule) (e *expr.Expr, helpers []helper, ok bool) {
	e = writeOutCounts(r.Expr)
	if form == Printed {
		return e, nil, true
	}
	e = w.sortByPrefixes(e)
	if form == Guarded || form == Both {
		e = w.follows.addGuards(e, w.follows.after[r.ID])
	}
	if form != Expanded && form != Both {
		return e, nil, true
	}
	x := &expander{w: w, rule: r}
	e = x.expand(e, nil)
	return e, x.helpers, x.size <= maxSize
}

// Forms writes single rules for the productions of a grammar, without proving them.
type Forms struct{ w *writer }

// NewForms returns the forms of g's productions. idents has the identifiers of the productions in a PEG, and
// taken all identifiers there, which helpers avoid; both are kept and not changed. If g has no languages, no
// alternatives are reordered.
func NewForms(g *expr.Grammar, idents map[string]string, taken map[string]bool) *Forms {
	w := &writer{g: g, rules: g.Rules, follows: newFollows(g.Rules), idents: idents, taken: taken}
	w.space = lang.NewSpace(lang.Limits{}, []*expr.Grammar{g})
	w.bnf, _ = w.space.BNF(g) // without it, what parts derive is not known
	return &Forms{w}
}

// Of lists the forms of a production of g, given by its ID, the most readable first. Each form is a list of pairs
// of a rule's identifier and its expression: first the production's own, then its helpers. Forms that would be too
// large are left out, which may be all; equal ones are not. None of them is proven. There must be a production with the
// ID. Of panics with a limit of the budget that is passed.
func (f *Forms) Of(id string) (list [][][2]string) {
	r := f.w.g.Rule(id)
	if tooLong(r) != nil { // before inForm, which writes counts out without a limit
		return nil
	}
	for form := Printed; form < Unproven; form++ {
		e, helpers, ok := f.w.inForm(form, r)
		left := maxSize // parts are shared, so a text can be much longer than the expressions it is made from
		for _, h := range append([]helper{{e: e}}, helpers...) {
			expr.Walk(h.e, func(*expr.Expr) bool { left--; return left > 0 })
		}
		if !ok || left <= 0 {
			continue
		}
		rules := [][2]string{{f.w.idents[id], f.w.exprText(e, loosest)}}
		for _, h := range helpers {
			rules = append(rules, [2]string{h.id, f.w.exprText(h.e, loosest)})
		}
		list = append(list, rules)
	}
	return list
}

// Text returns e in pigeon's notation, with counts written out, and in parentheses if it needs them as an operand of
// below: of a sequence, a repetition or a lookahead. Below any other operator it needs none. Text panics if the steps
// of the budget are used up.
func (f *Forms) Text(e *expr.Expr, below expr.Op) string {
	bind := loosest
	switch below {
	case expr.Seq:
		bind = inSequence
	case expr.And, expr.Not:
		bind = inSuffix
	case expr.Repeat:
		bind = inSuffix + 1
	}
	return f.w.exprText(writeOutCounts(e), bind)
}

// maxSize caps the expressions that an expanded rule is made from. In [Forms.Of] any form, with its helpers and with
// parts that are shared counted each time, must have fewer.
const maxSize = 400

// whyNotEqual says in words why a rule is not right: the text of err if there is one, else a shortest string
// that only one of the languages want (the production's) and got (the rule's) has. If err is nil, they must differ.
func whyNotEqual(want, got *lang.DFA, err error) string {
	if err != nil {
		return err.Error()
	}
	s, _ := want.ShortestDifference(got)
	if want.Accepts(want.Run(0, s)) {
		return "it derives " + quote.Word(s).String() + ", and the rule does not match it"
	}
	return "the rule matches " + quote.Word(s).String() + ", which it does not derive"
}

// ruleLanguage returns the language that the rule of a production matches as a whole, with the rules and
// helpers as they are now. It computes it anew each time. It fails if the rules have no language as a PEG, as
// with left recursion, or a limit is passed; if the steps of the budget are used up it panics.
func (w *writer) ruleLanguage(id string) (*lang.DFA, error) {
	exprs := map[string]*expr.Expr{}
	for _, h := range w.helpers {
		exprs[h.id] = h.e
	}
	var rules []*expr.Rule
	seen := map[string]bool{}
	for todo := []string{id}; len(todo) > 0; { // those that the rule needs
		next, e := todo[0], cmp.Or(w.exprs[todo[0]], exprs[todo[0]])
		if todo = todo[1:]; seen[next] || e == nil {
			continue
		}
		seen[next] = true
		w.g.Budget.Step(128 + 32*e.Size()) // all of it is analyzed for each rule
		rules = append(rules, &expr.Rule{ID: next, Name: next, Expr: e})
		todo = append(todo, expr.Refs(e)...)
	}
	l, err := lang.NewPEG(&expr.Grammar{
		Name: w.g.Name, File: w.g.File, Ordered: true, Rules: rules, Budget: w.g.Budget,
	}, lang.Limits{})
	if err != nil {
		return nil, err
	}
	return l.Whole(expr.To(id))
}

// writeOutCounts returns e with its counts written out, since pigeon has none. e is not changed.
func writeOutCounts(e *expr.Expr) *expr.Expr {
	if e.Chars != "" {
		return e
	}
	return e.Map(writeOutCounts).WrittenOut()
}

// sortByPrefixes returns e with the alternatives of each choice sorted: as far as possible, one that begins a longer
// string of another comes after that other. Two alternatives keep their order if neither begins the other, if each
// begins the other, or if the language of one is not known; but one that has to stand before a third moves up over all
// alternatives from that third on. e is not changed. It panics with a limit of the budget that is passed.
func (w *writer) sortByPrefixes(e *expr.Expr) *expr.Expr {
	if e.Chars != "" {
		return e
	}
	e = e.Map(w.sortByPrefixes)
	if e.Op != expr.Alt {
		return e
	}
	words := make([]*lang.DFA, len(e.Sub))
	for i, s := range e.Sub {
		words[i] = w.languageOf(s)
	}
	// mustFollow reports whether i must come after j: a word of i is the beginning of a longer one of j.
	mustFollow := func(i, j int) bool {
		if words[i] == nil || words[j] == nil {
			return false
		}
		w.g.Budget.Step(1 << 11) // automata are made, however small
		return !words[i].Concat(lang.All().Minus(lang.Epsilon())).Intersect(words[j]).Equal(lang.Empty())
	}
	var order []int
	for i := range e.Sub {
		// It comes before the first that must follow it and not precede it too.
		at := slices.IndexFunc(order, func(k int) bool { return mustFollow(k, i) && !mustFollow(i, k) })
		if at < 0 {
			at = len(order)
		}
		order = slices.Insert(order, at, i)
	}
	c := *e
	c.Sub = nil
	for _, i := range order {
		c.Sub = append(c.Sub, e.Sub[i])
	}
	return &c
}

// languageOf returns the language of an unordered expression, or nil if it has no automaton or w.bnf is nil. It
// panics with a limit of the budget that is passed.
func (w *writer) languageOf(e *expr.Expr) *lang.DFA {
	if w.bnf == nil {
		return nil
	}
	d, err := w.space.DFAOf(w.bnf.OfExpr(e))
	budget.Again(err)
	return d
}

// An expander moves the text after a choice into the alternatives of the choice.
type expander struct {
	w       *writer
	rule    *expr.Rule // the production that is expanded
	helpers []helper   // those made so far
	size    int        // the expressions expanded so far
}

// expand returns e followed by rest, such that each choice and repetition in e itself is tried in every way until rest
// matches; a reference matches as its rule does, once. The counts of e must be written out. Before a rest, a
// repetition becomes a helper, added to x.helpers, which calls itself, and an option becomes a choice. If rest is nil,
// there is none: repetitions and options stay, and only what follows a part within e counts as a rest of that part. If
// x.size exceeds maxSize, the result means nothing. e must be no sequence without parts. e and rest are not changed,
// and parts of the result may be shared.
func (x *expander) expand(e *expr.Expr, rest *expr.Expr) *expr.Expr {
	if x.size++; x.size > maxSize {
		return e
	}
	then := func(e *expr.Expr) *expr.Expr {
		if rest == nil {
			return e
		}
		return expr.Cat(e, rest)
	}
	if e.Chars != "" {
		return then(e)
	}
	switch e.Op {
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			rest = x.expand(e.Sub[i], rest)
		}
		return rest
	case expr.Alt:
		if isSingleBytes(e) {
			return then(e)
		}
		var sub []*expr.Expr
		for _, s := range e.Sub {
			sub = append(sub, x.expand(s, rest))
		}
		return expr.Or(sub...)
	case expr.Repeat:
		if rest == nil { // its body is tried again by itself
			return e.Map(func(s *expr.Expr) *expr.Expr { return x.expand(s, nil) })
		}
		if e.Max == 1 {
			return expr.Or(x.expand(e.Sub[0], rest), rest)
		}
		h := helper{of: x.rule.ID, id: fmt.Sprintf("%s_rest%d", x.w.idents[x.rule.ID], len(x.helpers)+1)}
		for x.w.taken[h.id] {
			h.id += "_"
		}
		x.helpers = append(x.helpers, h)
		at := len(x.helpers) - 1
		again := expr.To(h.id)
		// A body that may be empty makes the helper call itself without reading: then the rules have no language, and
		// the form is not right.
		x.helpers[at].e = expr.Or(x.expand(e.Sub[0], again), rest)
		if e.Min == 1 {
			return x.expand(e.Sub[0], again) // the first round, and then the loop
		}
		return again
	}
	return then(e)
}

// isSingleBytes reports whether every alternative of e is one byte, so that none hides another.
func isSingleBytes(e *expr.Expr) bool {
	isLonger := func(s *expr.Expr) bool { return s.Op != expr.Class && (s.Op != expr.Literal || len(s.Lit) != 1) }
	return !slices.ContainsFunc(e.Sub, isLonger)
}
