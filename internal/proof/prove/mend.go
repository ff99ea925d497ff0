package prove

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/proof/bnftopeg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A report proposes a fix for a wrong rule only after trying it: with the change in place, the language of the rule is
// computed again and must be the production's, except in the last step. The search goes from small changes to large
// ones and stops at the first that succeeds:
//
//  1. one edit of the rule's text ([proof.textEdits]), or one move of an alternative, or one lookahead added
//     ([proof.structuralChanges]);
//  2. several edits, found greedily ([mender.shrinkDifference]);
//  3. the rule that package bnftopeg writes for the production ([proof.regeneratedRules]), for this rule, for one
//     that it uses, or with everything that it uses written in place;
//  4. edits of the case of letters after which the rule is wrong about fewer words than before.
//
// Computing a language is the costly step. Most changes are dismissed before it, by interpreting the changed rule on a
// few words that the original rule misjudges ([mender.sampleWrongWords]).

// Limits of the search.
const (
	maxMended   = 100     // wrong rules that a fix is searched for; nobody fixes more before proving again
	mostMending = 1 << 26 // steps, for all rules together
	maxTried    = 150     // changes of one rule
	maxSample   = 32      // misjudged words of one rule
	maxSpelled  = 400     // states of a rule, its repetitions written out, that is written anew
	longestText = 2000    // bytes of a proposed rule
)

// A change is a rule's expression after a change, and the change in words.
type change struct {
	rule    *expr.Expr   // nil if there is no change
	more    []*expr.Rule // further rules that the changed expression uses
	text    string       // an imperative clause, such as `put a before b`
	letters bool         // it changes only which case of letters matches
}

// A mender searches for a fix of the rule of one row.
type mender struct {
	*proof
	row     *row
	isWrong map[string]*row              // the wrong rules, by production
	left    int                          // how many more changes may be tried
	known   map[*expr.Expr]lang.Language // the languages of changed rules, as far as computed
	sample  []string                     // words that the rule misjudges, if found: see sampleWrongWords
	uses    map[string]bool              // the rules that the rule reaches; set if sample is
}

// findMend returns a change that makes the rule of r right, provided that the wrong rules it uses are right. A change
// without a rule has only a text: it changes another rule, or repairs a part of the rule if nothing more is found. Its
// text says so. It is the zero change if nothing helps or the limits are used up. It counts the call in
// p.mendAttempts; beyond the first maxMended calls it is the zero change at once. r.because and p.stepsBefore must be
// set, and p.wholeCache must be a map.
func (p *proof) findMend(r *row, isWrong map[string]*row) change {
	p.mendAttempts++
	if p.mendAttempts > maxMended {
		return change{}
	}
	m := &mender{proof: p, row: r, isWrong: isWrong, left: maxTried, known: map[*expr.Expr]lang.Language{}}
	m.sampleWrongWords()
	edits := p.textEdits(r.peg.Expr, r)
	for _, c := range slices.Concat(edits, p.structuralChanges(r.peg)) {
		if m.makesRight(c) {
			return c
		}
	}
	m.left = maxTried
	if c, mended := m.shrinkDifference(edits); mended {
		return c
	}
	if c, ok := m.regenerate(p.formsInPlace()); ok {
		return c
	}
	if c, ok := m.regenerateUsed(); ok {
		return c
	}
	// A form that inlines everything the production uses does not depend on how the other rules commit.
	left, alone := maxSpelled/4, *r.bnf
	alone.Expr = p.inlineRefs(r.bnf.Expr, &left, true)
	if left > 0 {
		if c, ok := m.regenerate(p.formsOf(p.pair.BNF.With([]*expr.Rule{&alone}))); ok {
			return c
		}
	}
	letters := slices.DeleteFunc(edits, func(c change) bool { return !c.letters })
	if c, _ := m.shrinkDifference(letters); c.text != "" {
		return change{text: c.text + "; that mends a part of it"}
	}
	return change{}
}

// regenerate returns the first rule that forms can write for the row's production and that makes the row
// right. It returns false if none is found to: a limit that is passed counts as no.
func (m *mender) regenerate(forms *bnftopeg.Forms) (change, bool) {
	for _, c := range m.regeneratedRules(m.row, forms) {
		if m.rowIsRightIn(withChange(m.pair.PEG, m.row, c), m.wrongUses(m.row, c, m.isWrong)) {
			return c, true
		}
	}
	return change{}, false
}

// regenerateUsed looks for a used rule that is right by itself and yet spoils the row's: a rule that matches exactly
// what its production derives can still take too much or too little inside another. It proposes another form of that
// rule. The change returned has only a text, since it changes another rule than the row's. It returns false if none
// is found, or if there is no sample to try forms on.
func (m *mender) regenerateUsed() (change, bool) {
	if len(m.sample) == 0 {
		return change{}, false
	}
	reached := m.pair.PEG.Reached(m.row.Production)
	for _, used := range m.rows {
		if !used.Equal || used == m.row || !reached[used.Production] {
			continue
		}
		for _, c := range m.regeneratedRules(used, m.formsInPlace()) {
			g := withChange(m.pair.PEG, used, c)
			if m.rowIsRightIn(g, nil) && m.proof.isRightIn(used, g, nil) {
				text := fmt.Sprintf("%s, since %s is right by itself, and takes too much or too little in %s",
					c.text, used.Production, m.row.Production)
				return change{text: text}, true
			}
		}
	}
	return change{}, false
}

// rowIsRightIn reports whether the row's rule is well formed and right in the PEG g, with the wrong rules in uses
// read as right. The cheap interpreter tries the sample first, with the wrong rules as they are: a right rule that
// newly uses one of them may be dismissed. Like [proof.isRightIn] it is also false if a limit is passed. It takes
// nothing from the number of changes that may be tried.
func (m *mender) rowIsRightIn(g *expr.Grammar, uses []string) bool {
	if expr.NewForm(g).WellFormed(m.row.Production) != nil {
		return false
	}
	for _, w := range m.sample {
		end, _ := peg.Match(g, g.Rule(m.row.Production).Expr, w, 0)
		if m.space.Match(m.row.derivedLanguage, w) != (end == len(w)) {
			return false
		}
	}
	return m.proof.isRightIn(m.row, g, uses)
}

// matchedAfter returns the language that the rule matches after a change, which counts as tried. ok is false if that
// is not computed: a limit is used up, the change tells bytes apart that the proof's alphabet does not, or the rule is
// not well-formed with it.
func (m *mender) matchedAfter(c change) (l lang.Language, ok bool) {
	m.left--
	if m.left < 0 || !m.alphabetSuffices(c.rule) {
		return l, false
	}
	if l, ok := m.known[c.rule]; ok {
		return l, true
	}
	// The last part of the budget is kept for the rules that are still to be proven.
	bytes, steps := m.space.Left()
	if bytes < 1<<26 || steps < 1<<24 || m.pair.PEG.Budget.Taken()-m.stepsBefore > mostMending {
		return l, false
	}
	l, err := m.matchedWithRightUses(m.row, m.isWrong, c)
	if err == nil {
		m.known[c.rule] = l
	}
	return l, err == nil
}

// makesRight reports whether the rule matches exactly its production after a change, which counts as tried. It is also
// false if that cannot be computed. The first word of the sample dismisses most changes.
func (m *mender) makesRight(c change) bool {
	first := m.sample[:min(len(m.sample), 1)]
	if !m.mendsSomeWord(c, first...) {
		m.left--
		return false
	}
	l, ok := m.matchedAfter(c)
	return ok && l == m.row.derivedLanguage
}

// sampleWrongWords sets m.sample, at most [maxSample] words that the rule misjudges, spread over a transition cover
// of all of them, and m.uses. For a rule that is recursive or uses wrong rules both stay nil: the interpreter would
// use the wrong rules. If a limit is passed, m.sample stays nil.
func (m *mender) sampleWrongWords() {
	r := m.row
	if len(m.recursive[r.Production]) > 0 || len(r.because) > 0 {
		return
	}
	m.uses = m.pair.PEG.Reached(r.Production)
	wrong, err := m.misjudged(r.matched)
	if err != nil {
		return
	}
	if _, _, ok := m.space.States(wrong, maxEach); !ok {
		return
	}
	a, err := m.space.DFA(wrong)
	if err != nil {
		return
	}
	cover := slices.DeleteFunc(a.TransitionCover(), func(w string) bool { return !a.Match(w) })
	n := min(len(cover), maxSample)
	for i := range n {
		m.sample = append(m.sample, cover[i*len(cover)/n])
	}
}

// mendsSomeWord reports whether the changed rule judges at least one of the words as the production does. It is also
// true if there are no words, or if the change uses a rule that the original does not reach: the interpreter may be
// wrong about that rule.
func (m *mender) mendsSomeWord(c change, words ...string) bool {
	if len(words) == 0 || slices.ContainsFunc(expr.Refs(c.rule), func(id string) bool { return !m.uses[id] }) {
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool {
		end, _ := peg.Match(m.pair.PEG, c.rule, w, 0)
		return m.space.Match(m.row.derivedLanguage, w) == (end == len(w))
	})
}

// isRightIn reports whether the rule of r matches exactly its production in the PEG g, if each rule in uses matches the
// longest string that its production derives. It computes in a space of its own, since g may tell bytes apart that the
// grammars of the proof do not. It is also false if a limit is passed.
func (p *proof) isRightIn(r *row, g *expr.Grammar, uses []string) bool {
	limits := lang.Limits{NFA: p.limits.NFA, DFA: p.limits.DFA, Bytes: 1 << 26, Steps: 1 << 24}
	s := lang.NewSpace(limits, []*expr.Grammar{p.pair.BNF, g})
	derives, err := s.BNF(p.pair.BNF)
	if err != nil {
		return false
	}
	derived := func(id string) lang.Language {
		l, failed := derives.Of(id)
		if failed == nil && g.UTF8 {
			l, failed = s.TextOf(l)
		}
		err = cmp.Or(err, failed)
		return l
	}
	want, longest := derived(r.Production), map[string]lang.Language{}
	for _, id := range uses {
		longest[id] = derived(id)
	}
	if err != nil {
		return false
	}
	_, got, err := matchWhole(s, g, r.Production, longest, nil)
	return err == nil && got == want
}

// shrinkDifference applies changes greedily. Each must shrink the set of misjudged words and add none to it. A later
// one wins only if it leaves a proper subset of what the best one before it leaves, so the order of next matters. It
// starts with the changes in next and then tries the edits of the changed rule; if next are all about letters, only
// such edits. Each change that it looks at counts as tried. One that mends no word of the sample, or whose language is
// not computed, does not help. It returns the changes that were applied as one, without a rule if none helped, and
// whether the rule is right with them.
func (m *mender) shrinkDifference(next []change) (all change, mended bool) {
	wrong, err := m.misjudged(m.row.matched)
	if err != nil {
		return all, false
	}
	for {
		least, best := wrong, change{}
		for _, c := range next {
			if !m.mendsSomeWord(c, m.sample...) {
				m.left--
				continue
			}
			l, ok := m.matchedAfter(c)
			if !ok {
				continue
			}
			less, err := m.misjudged(l)
			if err != nil || less == least {
				continue
			}
			// The difference must shrink as a set: a change that trades some wrong words for others is no progress.
			if more, err := m.space.Minus(less, least); err == nil && more == lang.NoWord {
				least, best = less, c
			}
		}
		if best.rule == nil {
			return all, wrong == lang.NoWord
		}
		if all.rule != nil {
			best.text = all.text + ", and " + best.text
		}
		all, wrong = best, least
		onlyLetters := !slices.ContainsFunc(next, func(c change) bool { return !c.letters })
		next = m.textEdits(best.rule, m.row)
		if onlyLetters {
			next = slices.DeleteFunc(next, func(c change) bool { return !c.letters })
		}
	}
}

// misjudged returns the words that are in exactly one of the production's language and matched. It fails if a limit is
// passed.
func (m *mender) misjudged(matched lang.Language) (lang.Language, error) {
	lost, err := m.space.Minus(m.row.derivedLanguage, matched)
	if err != nil {
		return lost, err
	}
	more, err := m.space.Minus(matched, m.row.derivedLanguage)
	if err != nil {
		return more, err
	}
	return m.space.Union(lost, more)
}

// regeneratedRules lists the rules that forms has for the production of r, each as a change of r's rule. There are
// none if the production is too large to be written anew. A form that does not read back in the notation of the PEG,
// or is too long to print, is left out. None has been tried.
func (p *proof) regeneratedRules(r *row, forms *bnftopeg.Forms) (all []change) {
	if _, _, ok := p.space.States(r.derivedLanguage, maxEach); !ok {
		return nil
	}
	if estimateStates(p.pair.BNF, p.inlineUnruled(r.bnf.Expr), 64) > maxSpelled {
		return nil
	}
	for _, form := range forms.Of(r.Production) {
		rules := p.readRules(form)
		if rules == nil {
			continue
		}
		var lines []string
		for _, rule := range form {
			lines = append(lines, rule[0]+p.arrow()+rule[1])
		}
		if text := "write " + strings.Join(lines, "; "); len(text) < longestText {
			all = append(all, change{rule: rules[0].Expr, more: rules[1:], text: text})
		}
	}
	return all
}

// structuralChanges lists changes of a rule that move or guard its parts, the smallest first: one alternative put
// before another, then a negative lookahead after an alternative that is not the last, or after the operand of a
// repetition. The lookaheads are the first eight classes among those in the rule and the rules that are a class and
// to which it refers. When more than maxTried moves are listed, the list ends there, without lookaheads.
func (p *proof) structuralChanges(rule *expr.Rule) (all []change) {
	e := rule.Expr
	var choices, repeats []*expr.Expr
	var sets []*expr.Expr
	known := map[expr.Set]bool{}
	addSet := func(e *expr.Expr, name string) {
		if e.Op == expr.Class && !e.Set.IsEmpty() && !known[e.Set] && len(sets) < 8 {
			known[e.Set] = true
			c := *e
			c.Chars = name
			sets = append(sets, &c)
		}
	}
	expr.Walk(e, func(s *expr.Expr) bool {
		switch s.Op {
		case expr.Alt:
			if s.Chars == "" { // otherwise it is one class as written, and its alternatives are encodings
				choices = append(choices, s)
			}
		case expr.Repeat:
			repeats = append(repeats, s)
		case expr.Class:
			addSet(s, s.Chars)
		case expr.Ref:
			if rule := p.pair.PEG.Rule(s.Name); rule != nil {
				addSet(rule.Expr, strings.TrimSuffix(s.Name, " (PEG)"))
			}
		}
		return true
	})
	for _, c := range choices {
		for from := 1; from < len(c.Sub); from++ {
			for to := range from {
				if len(all) > maxTried {
					return all
				}
				order := slices.Clone(c.Sub)
				copy(order[to+1:from+1], c.Sub[to:from])
				order[to] = c.Sub[from]
				moved, before := shorten(spellAsWritten(rule, c.Sub[from])), shorten(spellAsWritten(rule, c.Sub[to]))
				all = append(all, change{
					rule: e.With(c, &expr.Expr{Op: expr.Alt, Sub: order, Pos: c.Pos}),
					text: fmt.Sprintf("put %s before %s (%s)", moved, before, c.Pos),
				})
			}
		}
	}
	addLookaheads := func(after *expr.Expr, where string) {
		for _, s := range sets {
			guarded := &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{after, expr.Lookahead(s, true)}, Pos: after.Pos}
			all = append(all, change{
				rule: e.With(after, guarded),
				text: fmt.Sprintf("write !%s behind %s%s (%s)", s, where, shorten(spellAsWritten(rule, after)),
					after.Pos),
			})
		}
	}
	for _, c := range choices {
		for _, alternative := range c.Sub[:len(c.Sub)-1] {
			addLookaheads(alternative, "the alternative ")
		}
	}
	for _, r := range repeats {
		addLookaheads(r.Sub[0], "what is repeated, ")
	}
	return all
}
