package lint

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file looks at parsing expression grammars. What a PEG does with a string is certain, but seldom what its
// author expects: the first alternative that matches is taken for good, and a repetition gives nothing back.
//
// All questions are about two languages of an expression e (see [lang.PEG]): B(e), the inputs that e matches a prefix
// of, and W(e), those that it matches from the first byte to the last.
//
//	an alternative never matches      B(e) is in the union of the B of those before it
//	a repetition eats what follows    B(e* f) is empty, and B(f) is not
//	a rule matches nothing            B(e) is empty, and B of what it uses is not
//	it matches no input to its end    W(e) is empty, and B(e) is not
//	it accepts what follows a match   B(e) has more than W(e)
//
// If a rule nests, no automaton has these languages. It is read to a depth, and a third language has the inputs on
// which the match goes deeper. A match that is found to a depth is one; that there is none is not proven, and the
// finding says so.
//
// A finding shows how to mend the rule if a change was found that, compiled again, does what the finding says.

// A recognizer looks at the rules of a PEG.
type recognizer struct {
	*linter
	text  *expr.Grammar // the grammar, unfolded to depth
	depth int           // -1 if nothing nests
	nests map[string]bool
	dead  map[string]bool // rules that match nothing
	found map[string]bool // rules with a finding that explains why they match nothing

	// deadFrom has the part of a dead rule from which on nothing matches, as far as it is known. A rule that was
	// explained when it was checked has none.
	deadFrom map[string]*expr.Expr

	// shared is the question for rules that do not nest, bottom up: what is known of a rule serves those that use it.
	// It is nil after it has passed its limit, until a new one is made.
	shared *question
}

// sharedSteps caps the steps for rules that do not nest, until one of them is left open and a new question begins,
// and pegSteps those for each of the others.
const (
	sharedSteps = 1 << 24
	pegSteps    = 1 << 22
)

// lintPEG makes the checks for a PEG: those of unused rules and of labels, then those of each rule, and that of the
// entry. The text must have a rule. It counts the rules with code. It leaves open a rule that is refused, one that
// passes a limit, and one that may not end, itself or because of a rule that it uses. The others are counted as
// regular or nested. lintPEG fails if there are too many rules at the depth of nesting.
func (l *linter) lintPEG() error {
	r := &recognizer{
		linter: l, text: l.g, depth: -1, nests: map[string]bool{}, dead: map[string]bool{},
		found: map[string]bool{}, deadFrom: map[string]*expr.Expr{},
	}
	r.rulesWithoutUse()
	r.checkLabels()
	if err := r.unfold(); err != nil {
		return err
	}
	for _, rule := range l.own {
		if peg.RestsOnCode(rule) {
			l.report.Code++
		}
		if rule.Refused != nil {
			l.openWhy[rule] = errors.New(rule.Refused.Message)
			continue
		}
		r.reportEmptyLoops(rule)
		if l.leftCircles[rule.ID] != nil {
			r.reportLeftRecursion(rule)
		}
	}
	endless := r.usersOfEndless()
	for _, rule := range r.bottomUp() {
		if rule.Refused != nil || endless[rule.ID] {
			if rule.Refused == nil {
				l.leaveOpen(rule,
					errors.New("it uses a rule that calls itself before anything is read, or repeats the empty string"))
			}
			continue
		}
		if err := r.checkRule(rule); err != nil {
			l.leaveOpen(rule, err)
			r.shared = nil // its steps may be used up
			continue
		}
		if r.nests[rule.ID] {
			l.report.Nested++
		} else {
			l.report.Regular++
		}
	}
	r.reportDead()
	r.checkEntry()
	return nil
}

// unfold finds which rules nest, and unfolds them to a depth: the one asked for, or [searchDepth]. It sets nests and,
// if any rule nests, depth and text; otherwise these stay. It fails if there are too many rules at that depth.
func (r *recognizer) unfold() (err error) {
	nesting := r.g.Nesting()
	r.nests = nesting.Users()
	if len(r.nests) == 0 {
		return nil
	}
	r.depth = searchDepth
	if r.options.Nesting != nil {
		r.depth = *r.options.Nesting
	}
	r.text, err = nesting.To(r.depth)
	return err
}

// bottomUp returns the own rules, those that a rule uses before it. Rules that use each other are in their order.
func (r *recognizer) bottomUp() (list []*expr.Rule) {
	own := map[string]*expr.Rule{}
	for _, rule := range r.own {
		own[rule.ID] = rule
	}
	// The components of r.facts lack uses in what derives nothing, which may be an error to report.
	for _, group := range expr.Groups(r.g.Rules, refsOf) {
		for _, rule := range group {
			if own[rule.ID] != nil {
				list = append(list, own[rule.ID])
			}
		}
	}
	return list
}

// refsOf returns the IDs of the rules that a rule uses.
func refsOf(rule *expr.Rule) []string { return expr.Refs(rule.Expr) }

// usersOfEndless returns the rules that are left-recursive or repeat the empty string, and those that use them: their
// parsers may not end. reportEmptyLoops must have been called for all rules.
func (r *recognizer) usersOfEndless() map[string]bool {
	var ids []string
	for _, rule := range r.g.Rules {
		if r.leftCircles[rule.ID] != nil || r.repeatsEmpty[rule.ID] {
			ids = append(ids, rule.ID)
		}
	}
	return r.g.Using(ids...)
}

// A question computes the languages of expressions, with a budget of its own.
type question struct {
	space *lang.Space
	peg   *lang.PEG
	deep  bool // the rules are read only to a depth
}

// ask returns a new question about the rules of g, which are r.text or a change of it, with a budget of steps. extra
// are expressions outside of g that will be asked about. It fails if a limit is passed; the question cannot be asked
// anything then.
func (r *recognizer) ask(steps int64, g *expr.Grammar, extra ...*expr.Expr) (*question, error) {
	limits := r.options.Limits.lang()
	limits.Steps = steps
	q := &question{space: lang.NewSpace(limits, []*expr.Grammar{g}, extra...), deep: r.depth >= 0}
	var err error
	q.peg, err = q.space.PEG(g)
	return q, err
}

// questionFor returns the question for a rule: one of its own if it nests, and otherwise the shared one, which it
// makes if there is none. It fails as ask does. The caller must set r.shared to nil then.
func (r *recognizer) questionFor(rule *expr.Rule) (q *question, err error) {
	if r.nests[rule.ID] {
		return r.ask(pegSteps, r.text)
	}
	if r.shared == nil {
		r.shared, err = r.ask(sharedSteps, r.text)
	}
	return r.shared, err
}

// begins returns B(e), the inputs that e matches a prefix of, as explained at the top of this file. deeper
// has the inputs on which the match goes deeper than the rules are read; it is the empty language, and not
// nil, if they are read in full. It fails if a limit is passed.
func (q *question) begins(e *expr.Expr) (matched, deeper *lang.DFA, err error) {
	if matched, err = q.peg.Prefix(e); err != nil {
		return nil, nil, err
	}
	deeper = lang.Empty()
	if q.deep {
		deeper, err = q.space.DFAOf(q.peg.DeeperOf(e))
	}
	return matched, deeper, err
}

// shortest returns the shortest string that e matches whole. If there is none, or that is too large to compute, it
// returns the shortest of matched, which is B(e), and "" if that is empty.
func (q *question) shortest(e *expr.Expr, matched *lang.DFA) string {
	if whole, err := q.peg.Whole(e); err == nil && !whole.IsEmpty() {
		w, _ := whole.Shortest()
		return w
	}
	w, _ := matched.Shortest()
	return w
}

// checkRule reports the choices and sequences of a rule that are wrong. If the rule matches nothing it marks it in
// r.dead, and adds it to r.deadFrom unless what was found before explains it. It fails if a limit is passed or the
// budget is used up; what it reported before stays.
func (r *recognizer) checkRule(rule *expr.Rule) (err error) {
	defer budget.Catch(&err)
	r.g.Budget.In(rule.Label())
	e := r.text.Rule(rule.ID).Expr
	q, err := r.questionFor(rule)
	if err != nil {
		return err
	}
	expr.Walk(e, func(part *expr.Expr) bool {
		switch {
		case err != nil:
		case part.Op == expr.Alt && slices.ContainsFunc(part.Sub, r.isWritten):
			err = r.checkChoice(q, rule, part)
		case part.Op == expr.Seq:
			err = r.checkSequence(q, rule, part)
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	matched, deeper, err := q.begins(e)
	if err != nil || !matched.IsEmpty() || !deeper.IsEmpty() {
		return err
	}
	usesDead := slices.ContainsFunc(refsOf(rule), func(id string) bool { return r.dead[id] })
	if !usesDead && !r.found[rule.ID] {
		r.deadFrom[rule.ID] = r.firstDead(q, e)
	}
	r.dead[rule.ID] = true
	return nil
}

// reportDead reports the rules that match nothing, unless another rule that they use, or something found in them, is
// the reason. Of rules that use each other it reports the first, if neither explains any of them. All rules must have
// been checked, since a rule may be explained by one that comes after it.
func (r *recognizer) reportDead() {
	dead := slices.DeleteFunc(slices.Clone(r.own), func(rule *expr.Rule) bool { return !r.dead[rule.ID] })
	for _, circle := range expr.Groups(dead, refsOf) {
		in := map[string]bool{}
		for _, rule := range circle {
			in[rule.ID] = true
		}
		isExplained := slices.ContainsFunc(circle, func(rule *expr.Rule) bool {
			isReason := func(id string) bool { return r.dead[id] && !in[id] }
			return r.found[rule.ID] || slices.ContainsFunc(refsOf(rule), isReason)
		})
		if isExplained {
			continue
		}
		rule := circle[0]
		f := r.linter.found(MatchesNothing, results.Warning, rule.Pos, rule, "`%s` matches no beginning of any input",
			rule.Name)
		if part := r.deadFrom[rule.ID]; part != nil {
			f.Detail = append(f.Detail, "nothing matches from `"+r.brief(rule, part)+"` on")
		}
	}
}

// firstDead returns the part at which a sequence fails: the first element after which the sequence so far is known to
// match nothing. An expr.Node around the sequence does not count. It is nil if e is no sequence, or no such element
// is known: where the language up to an element is too large, that element is passed over.
func (r *recognizer) firstDead(q *question, e *expr.Expr) *expr.Expr {
	if e.Op == expr.Node {
		return r.firstDead(q, e.Sub[0])
	}
	if e.Op != expr.Seq {
		return nil
	}
	for i := range e.Sub {
		head := expr.Cat(e.Sub[:i+1]...)
		if matched, err := q.peg.Prefix(head); err == nil && matched.IsEmpty() {
			return e.Sub[i]
		}
	}
	return nil
}

// checkChoice reports the alternatives that never match, because those before them match wherever they would, unless
// only a deeper match could be in their way. One that matches nothing even when tried alone is passed over, and so is
// one that the text does not write. It fails if a limit is passed; what it reported before stays.
func (r *recognizer) checkChoice(q *question, rule *expr.Rule, choice *expr.Expr) error {
	taken := lang.Empty() // the inputs that the alternatives so far match, or may match deeper
	var each []*lang.DFA
	for i, e := range choice.Sub {
		matched, deeper, err := q.begins(e)
		if err != nil {
			return err
		}
		if i > 0 && r.isWritten(e) && !matched.IsEmpty() && matched.Subset(taken) {
			r.reportNeverMatches(q, rule, choice, i, matched, each)
		}
		each = append(each, matched)
		taken = taken.Union(matched).Union(deeper)
	}
	return nil
}

// isWritten reports whether an expression is written in the text, and is not a byte in the spelling of a character.
func (r *recognizer) isWritten(e *expr.Expr) bool { return e.Pos.Line > 0 }

// reportNeverMatches reports that alternative i of a choice never matches, and marks rule in r.found. matched
// is B of the alternative. It is not empty, and the alternatives before it match, or may match deeper, all of
// it; each has the B of every one of these. If the string to show is in none of them, only a deeper match can
// be in its way. Then nothing is known, and nothing is reported or marked. For a rule that nests it is a note.
func (r *recognizer) reportNeverMatches(q *question, rule *expr.Rule, choice *expr.Expr, i int, matched *lang.DFA,
	each []*lang.DFA) {
	w := q.shortest(choice.Sub[i], matched)
	by := slices.IndexFunc(each, func(a *lang.DFA) bool { return matched.Subset(a) })
	alone := by >= 0
	if !alone {
		by = slices.IndexFunc(each, func(a *lang.DFA) bool { return a.Match(w) })
	}
	if by < 0 { // only a deeper match may be in the way: nothing is known
		return
	}
	end, _ := peg.Match(r.text, choice.Sub[by], w, 0)
	own, other := r.brief(rule, choice.Sub[i]), r.brief(rule, choice.Sub[by])
	level, how := results.Warning, "never matches"
	if r.nests[rule.ID] {
		level, how = results.Note, fmt.Sprintf("matches nothing that nests no deeper than %d", r.depth)
	}
	others := "before it"
	if !alone {
		others = "before it, with the other alternatives there, for other strings,"
	}
	f := r.linter.found(NeverMatches, level, choice.Sub[i].Pos, rule,
		"alternative `%s` of `%s` %s: `%s` %s takes %s first",
		own, rule.Name, how, other, others, r.g.Quote(w))
	if end >= 0 {
		f.Word = new(quote.Word(w))
		f.Detail = append(f.Detail, drawMatch(r.g, other, w, end), drawMatch(r.g, own, w, len(w))+", not tried")
	}
	f.Detail = append(f.Detail, r.mendOrder(rule, choice, i))
	r.found[rule.ID] = true
}

// drawMatch draws, in one line, the part of w that an expression matches, up to end, and the part that it leaves. name
// is the expression as text.
func drawMatch(g *expr.Grammar, name, w string, end int) string {
	taken, left := g.Quote(w[:end]), ""
	if end < len(w) {
		left = " " + g.Quote(w[end:]) + " is left"
	}
	return fmt.Sprintf("|-- %s --| by `%s`%s", taken, name, left)
}

// mendOrder returns, in a sentence, how to mend alternative i of a choice, which never matches. It tries the places
// before it, the last one first, until the changed order [recognizer.improves] the rule. If none does, or limits are
// passed, the sentence says that the alternative can go, which is true in any case. For a rule that nests nothing is
// tried: the sentence says only where the alternative has to stand.
func (r *recognizer) mendOrder(rule *expr.Rule, choice *expr.Expr, i int) string {
	const gone = "it can be left out: the rule matches the same without it"
	if r.nests[rule.ID] {
		return "where it should match, it has to stand before that alternative"
	}
	for to := i - 1; to >= 0; to-- {
		order := slices.Clone(choice.Sub)
		order = slices.Insert(slices.Delete(order, i, i+1), to, choice.Sub[i])
		changed := *choice
		changed.Sub = order
		whole := replacePart(r.text.Rule(rule.ID).Expr, choice, &changed)
		g := r.text.Change(rule.ID, whole)
		if r.improves(g, rule, choice, &changed) {
			return "this order matches all that it did, and more: `" + r.briefList(rule, order) + "`"
		}
	}
	return gone
}

// improves reports whether g is better than r.text. choice is a part of rule in r.text; in g changed, which has the
// same alternatives in another order, stands in its place. g is better if more alternatives can be taken, and the rule
// matches every string that it did, and others. It is false if a limit is passed.
func (r *recognizer) improves(g *expr.Grammar, rule *expr.Rule, choice, changed *expr.Expr) bool {
	before, err1 := r.ask(pegSteps, r.text)
	after, err2 := r.ask(pegSteps, g)
	if err1 != nil || err2 != nil {
		return false
	}
	if usedBefore, ok := before.countReachable(choice); !ok {
		return false
	} else if used, ok := after.countReachable(changed); !ok || used <= usedBefore {
		return false
	}
	old, err1 := before.peg.Whole(expr.To(rule.ID))
	now, err2 := after.peg.Whole(expr.To(rule.ID))
	return err1 == nil && err2 == nil && old.Subset(now) && !now.Equal(old)
}

// countReachable counts the alternatives of a choice that can be taken: those that match some input that no
// alternative before them matches. Matches deeper than the rules are read do not count. ok is false if a limit is
// passed.
func (q *question) countReachable(choice *expr.Expr) (n int, ok bool) {
	taken := lang.Empty()
	for _, e := range choice.Sub {
		matched, err := q.peg.Prefix(e)
		if err != nil {
			return 0, false
		}
		if !matched.Subset(taken) {
			n++
		}
		taken = taken.Union(matched)
	}
	return n, true
}

// replacePart returns e with one of its parts, the pointer itself and not its equals, replaced. e is not changed.
func replacePart(e, part, by *expr.Expr) *expr.Expr {
	if e == part {
		return by
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return replacePart(s, part, by) })
}

// checkSequence reports the repetitions of a sequence after which nothing can match, because they take what should
// follow, and marks the rule in r.found. A repetition is one if what begins with it never matches, not even deeper,
// but would with the fewest rounds. Repetitions of an exact count are passed over, and so are those that the text
// does not write. The sequence must not be empty. checkSequence fails if a limit is passed; what it reported before
// stays.
func (r *recognizer) checkSequence(q *question, rule *expr.Rule, sequence *expr.Expr) error {
	for i, rep := range sequence.Sub[:len(sequence.Sub)-1] {
		if rep.Op != expr.Repeat || rep.Max == rep.Min || !r.isWritten(rep) {
			continue
		}
		rest := expr.Cat(sequence.Sub[i+1:]...)
		fewest := expr.Cat(expr.Times(rep.Sub[0], rep.Min, rep.Min), rest)
		both := expr.Cat(rep, rest)
		greedy, deeper, err := q.begins(both)
		if err != nil {
			return err
		}
		if !greedy.IsEmpty() || !deeper.IsEmpty() { // some input gets past the repetition
			continue
		}
		few, _, err := q.begins(fewest)
		if err != nil {
			return err
		}
		if few.IsEmpty() { // nothing could match here in any case
			continue
		}
		w := q.shortest(fewest, few)
		end, _ := peg.Match(r.text, rep, w, 0)
		next := sequence.Sub[i+1]
		f := r.linter.found(EatsAll, results.Warning, rep.Pos, rule,
			"`%s` in `%s` takes what `%s` needs: nothing matches after it",
			r.brief(rule, rep), rule.Name, r.brief(rule, next))
		f.Word = new(quote.Word(w))
		if end >= 0 {
			f.Detail = append(f.Detail, drawMatch(r.g, r.brief(rule, rep), w, end))
		}
		if mend := r.mendRepetition(q, rule, rep, next, rest, w); mend != "" {
			f.Detail = append(f.Detail, mend)
		}
		r.found[rule.ID] = true
	}
	return nil
}

// mendRepetition returns, in a sentence, the repetition with a lookahead that makes it stop before next, the
// element that follows. It returns "" if a limit is passed, or if that and then rest, which begins with next, match
// no beginning of w.
func (r *recognizer) mendRepetition(q *question, rule *expr.Rule, rep, next, rest *expr.Expr, w string) string {
	stops := *rep
	stops.Sub = []*expr.Expr{expr.Cat(expr.Lookahead(next, true), rep.Sub[0])}
	matched, err := q.peg.Prefix(expr.Cat(&stops, rest))
	if err != nil || !matched.Match(w) {
		return ""
	}
	return fmt.Sprintf("this matches %s: `( !%s %s )%s %s`",
		r.g.Quote(w), r.operand(rule, next), r.body(rule, rep), repeatSign(rep), asElement(r.brief(rule, next)))
}

// operand returns an expression in brief, so that a sign may stand before or after it: see asOperand.
func (r *recognizer) operand(rule *expr.Rule, e *expr.Expr) string {
	return asOperand(r.brief(rule, e))
}

// asOperand returns the text of an expression, in parentheses unless it is a single element without a prefix.
func asOperand(text string) string {
	if text != "" && strings.IndexByte("&!$@", text[0]) >= 0 {
		return "( " + text + " )"
	}
	return asElement(text)
}

// asElement returns the text of an expression, in parentheses unless it is a single element.
func asElement(text string) string {
	if peg.PrimaryLength(text) < len(text) {
		return "( " + text + " )"
	}
	return text
}

// body returns the body of a repetition, as an operand.
func (r *recognizer) body(rule *expr.Rule, rep *expr.Expr) string {
	return withoutSuffix(r.brief(rule, rep))
}

// withoutSuffix returns the text of an element without the signs of repetitions at its end.
func withoutSuffix(text string) string { return repetitionSigns.ReplaceAllString(text, "") }

// repetitionSigns matches the suffixes of repetitions at the end of an element.
var repetitionSigns = regexp.MustCompile(`(?:\s*(?:[?*+]|\|[^|]*\|))+$`)

// repeatSign returns the suffix of a repetition in a PEG: ?, * or +, or Peggy's |min..max|. One of exactly one round
// has none, and must not be given.
func repeatSign(rep *expr.Expr) string {
	switch {
	case rep.Max == 1:
		return "?"
	case rep.Min == 0 && rep.Max == expr.Unbounded:
		return "*"
	case rep.Min == 1 && rep.Max == expr.Unbounded:
		return "+"
	case rep.Max == expr.Unbounded:
		return fmt.Sprintf("|%d..|", rep.Min)
	}
	return fmt.Sprintf("|%d..%d|", rep.Min, rep.Max)
}

// reportEmptyLoops reports repetitions that do not end, since a round may read nothing, and marks the rule in
// r.repeatsEmpty. If the body only repeats something that is not empty, it shows the repetition of that.
func (r *recognizer) reportEmptyLoops(rule *expr.Rule) {
	expr.Walk(rule.Expr, func(e *expr.Expr) bool {
		if !r.facts.RepeatsEmpty(e) {
			return true
		}
		r.repeatsEmpty[rule.ID] = true
		f := r.linter.found(EmptyRepetition, results.Error, e.Pos, rule, "`%s` repeats what may be empty, for ever",
			r.brief(rule, e))
		body := e.Sub[0]
		for body.Op == expr.Repeat && body.Min == 0 || body.Op == expr.Seq && len(body.Sub) == 1 {
			body = body.Sub[0]
		}
		if !r.facts.Nullable(body) { // each round reads something, and any number of rounds matches the same strings
			once := r.operand(rule, body)
			if body.Op == expr.Repeat && body.Min > 1 {
				once = "( " + once + " )"
			} else { // any number of times it is the same without the sign that its text may end with
				once = withoutSuffix(once)
			}
			f.Detail = append(f.Detail, "this ends, and matches the same strings: `"+once+"*`")
		}
		return true
	})
}

// reportLeftRecursion reports rule, which must call itself before anything is read. If some alternatives begin with
// the rule itself and others do not, it shows the rule as a repetition, unless that is left-recursive, too, or could
// repeat the empty string.
func (r *recognizer) reportLeftRecursion(rule *expr.Rule) {
	way := r.g.Path(rule.ID, rule.ID, r.facts.Leftmost)
	f := r.linter.found(LeftRecursion, results.Error, rule.Pos, rule,
		"`%s` calls itself%s before anything is read, and does not end", rule.Name,
		expr.Through(r.named(way[min(1, len(way)):])))
	e := rule.Expr.InsideNodes()
	if e.Op != expr.Alt {
		return
	}
	// E = E tail / base becomes E = base tail*.
	var base, tails []*expr.Expr
	var baseTexts, tailTexts []string
	for _, alt := range e.Sub {
		alt = alt.InsideNodes()
		text := r.brief(rule, alt)
		if alt.Op == expr.Seq && alt.Sub[0].Op == expr.Ref && alt.Sub[0].Name == rule.ID {
			tails = append(tails, expr.Cat(alt.Sub[1:]...))
			// The place of a tail would be inside of the parentheses that it may begin with.
			tailTexts = append(tailTexts, strings.TrimSpace(text[peg.PrimaryLength(text):]))
		} else {
			base = append(base, alt)
			baseTexts = append(baseTexts, text)
		}
	}
	if len(base) == 0 || len(tails) == 0 {
		return
	}
	mended := expr.Cat(expr.Or(base...), expr.Times(expr.Or(tails...), 0, expr.Unbounded))
	rules := slices.Clone(r.g.Rules)
	for i, other := range rules {
		if other.ID == rule.ID {
			changed := *other
			changed.Expr = mended
			rules[i] = &changed
		}
	}
	facts := expr.Analyze(rules)
	if expr.Circles(rules, facts.Leftmost)[rule.ID] != nil || facts.Nullable(expr.Or(tails...)) {
		return
	}
	f.Detail = append(f.Detail,
		"this ends, and is the same as a grammar: `"+groupOf(baseTexts)+" "+groupOf(tailTexts)+"*`")
}

// groupOf returns the texts of alternatives as one operand, which a sign of repetition may follow.
func groupOf(texts []string) string {
	if len(texts) == 1 && !repetitionSigns.MatchString(texts[0]) {
		return asOperand(texts[0])
	}
	return "( " + strings.Join(texts, " / ") + " )"
}

// checkEntry reports the rule at which inputs begin, Options.Start or the first own one, if it matches no input to its
// end, or, in a PEG of pigeon, if an input is accepted of which it matches only a beginning. If that cannot be decided
// it leaves the rule open. A rule that is refused, left open or matches nothing is passed over. There must be such
// a rule.
func (r *recognizer) checkEntry() {
	id := r.options.Start
	if id == "" {
		id = r.own[0].ID
	}
	rule := r.g.Rule(id)
	if rule.Refused != nil || r.openWhy[rule] != nil || r.dead[id] {
		return
	}
	err := func() (err error) {
		defer budget.Catch(&err)
		return r.checkEntryRule(rule)
	}()
	if err != nil {
		r.leaveOpen(rule, err)
	}
}

// checkEntryRule reports the rule, which the inputs begin at and which matches something: as a warning if it matches
// no input to its end, or else, in a PEG of pigeon, as a note if an input is accepted of which it matches only a
// beginning. In a rule read only to a depth, a deeper match may reach the end. checkEntryRule fails if that cannot be
// decided within limits or, after the note, if it cannot be decided whether "!." mends the rule.
func (r *recognizer) checkEntryRule(rule *expr.Rule) error {
	noMore := expr.Lookahead(expr.In(expr.AnyByte), true)
	q, err := r.ask(pegSteps, r.text, noMore)
	if err != nil {
		return err
	}
	matched, deeper, err := q.begins(expr.To(rule.ID))
	if err != nil {
		return err
	}
	whole, err := q.peg.Whole(expr.To(rule.ID))
	if err != nil {
		return err
	}
	if whole.IsEmpty() && deeper.IsEmpty() {
		w, _ := matched.Shortest()
		end, _ := peg.Match(r.text, expr.To(rule.ID), w, 0)
		f := r.linter.found(PrefixOnly, results.Warning, rule.Pos, rule, "`%s` matches no input to its end", rule.Name)
		if end >= 0 {
			f.Detail = append(f.Detail, drawMatch(r.g, rule.Name, w, end))
		}
		return nil
	}
	if !r.g.InvalidUTF8 { // pigeon refuses other inputs in any case
		matched = matched.Intersect(budget.Must(lang.Text()))
	}
	if r.g.Notation == peg.Peggy || matched.Subset(whole) { // peggy's parser demands the end of the input
		return nil
	}
	// A match in matched goes no deeper than the rules are read, so w is a witness for a rule that nests, too.
	w, _ := matched.ShortestOutside(whole)
	f := r.linter.found(PrefixOnly, results.Note, rule.Pos, rule,
		"pigeon accepts %s, of which `%s` matches a beginning: nothing in it says that the input ends", r.g.Quote(w),
		rule.Name)
	f.Word = new(quote.Word(w))
	if end, _ := peg.Match(r.text, expr.To(rule.ID), w, 0); end >= 0 {
		f.Detail = append(f.Detail, drawMatch(r.g, rule.Name, w, end))
	}
	ended := expr.Cat(expr.To(rule.ID), noMore)
	now, err := q.peg.Prefix(ended)
	if err != nil {
		return err
	}
	if now.Equal(whole) {
		f.Detail = append(f.Detail, "an entry that ends where the input does: `"+rule.ID+"_entry <- "+rule.ID+" !.`")
	}
	return nil
}

// rulesWithoutUse reports rules that the entry does not use: as warnings if Options.Start names the entry, and as
// notes if the entry is taken to be the first rule.
func (r *recognizer) rulesWithoutUse() {
	start, level := r.options.Start, results.Warning
	if start == "" {
		start, level = r.own[0].ID, results.Note
	}
	reached := r.g.Reached(start)
	for _, rule := range r.own {
		if !reached[rule.ID] {
			r.linter.found(Unused, level, rule.Pos, rule, "`%s` cannot be reached from `%s`", rule.Name, r.name(start))
		}
	}
}

// checkLabels reports labels that no code reads.
func (r *recognizer) checkLabels() {
	for _, rule := range r.own {
		for _, label := range rule.Idle {
			r.linter.found(UnusedLabel, results.Note, label.Pos, rule, "no code in `%s` reads the label `%s`",
				rule.Name, label.Name)
		}
	}
}

// briefList returns alternatives in brief, joined.
func (r *recognizer) briefList(rule *expr.Rule, list []*expr.Expr) string {
	var all []string
	for _, e := range list {
		all = append(all, r.brief(rule, e))
	}
	return strings.Join(all, " / ")
}

// brief returns a part of a rule in one line, cut to 60 characters: as the text has it or, if it is not found there,
// as [expr.Expr.String] prints it.
func (r *recognizer) brief(rule *expr.Rule, e *expr.Expr) string {
	const most = 60
	text := r.part(rule, e)
	if text == "" {
		text = e.String()
	}
	return layout.Cut(strings.Join(strings.Fields(text), " "), most)
}

// part returns the source of e, a part of a rule, as the text has it: the element, or the whole sequence or choice,
// that begins at its place. It is "" if the place is not in the printed rule.
func (r *recognizer) part(rule *expr.Rule, e *expr.Expr) string {
	if e.Pos.Line < rule.Pos.Line || e.Pos.File != rule.Pos.File {
		return ""
	}
	rest := rule.Printed
	for line := rule.Pos.Line; line < e.Pos.Line; line++ {
		_, after, ok := strings.Cut(rest, "\n")
		if !ok {
			return ""
		}
		rest = after
	}
	skip := e.Pos.Col - 1
	if e.Pos.Line == rule.Pos.Line {
		skip = e.Pos.Col - rule.Pos.Col
	}
	if skip < 0 || skip >= len(rest) {
		return ""
	}
	rest = rest[skip:]
	length := peg.PrimaryLength
	e = e.InsideNodes()
	if len(e.Sub) > 0 && r.isWritten(e.Sub[0]) { // the parts are written, and are not bytes of a character
		switch e.Op {
		case expr.Seq:
			length = peg.SequenceLength
		case expr.Alt:
			length = peg.ChoiceLength
		}
	}
	return strings.TrimSpace(rest[:length(rest)])
}
