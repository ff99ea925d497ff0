package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Cause is a wrong rule that other wrong rules do not make wrong: it does not match what its production derives even if each
// wrong rule that it uses is read as what matches the longest string that its production derives, or is written as what mends it.
type Cause struct {
	Production string `json:"production"`
	Place      string `json:"place"` // of the rule

	// Cycle lists rules that use each other and are wrong, none of which is wrong by itself. Production is the first of them.
	Cycle []string `json:"cycle,omitempty"`

	// BNFOnly are strings that only the production derives, and PEGOnly such as only the rule matches, the shortest first. They
	// differ in kind: in more than in letters and digits and in how many of them there are.
	BNFOnly []quote.Word `json:"bnf_only,omitempty"`
	PEGOnly []quote.Word `json:"peg_only,omitempty"`

	// Even is how the rule is wrong with right rules in it, where no string shows both that and how it is wrong.
	Even string `json:"even,omitempty"`

	// Mend is what to write instead, in words: the smallest change that was found, or another rule. It was tried: with it, the
	// rule matches exactly what its production derives, the wrong rules that it uses being right. "" if none was found.
	Mend string `json:"mend,omitempty"`

	// Affects are the productions whose rules are wrong because of it.
	Affects []string `json:"affects,omitempty"`

	mends change // what Mend says, if it is a change of the rule
}

// maxKinds is how many strings of different kinds are shown for each side of a cause.
const maxKinds = 3

// findCauses finds which of the wrong rules are wrong by themselves.
func (p *proof) findCauses() {
	p.began = p.pair.PEG.Budget.Taken()
	var wrong []*row
	isWrong := map[string]*row{}
	for _, r := range p.rows {
		if r.known && !r.Equal && r.Depth == nil {
			wrong = append(wrong, r)
			isWrong[r.Production] = r
		}
	}
	for _, r := range wrong {
		r.because = p.wrongUses(r, change{rule: r.peg.Expr}, isWrong)
	}
	causes := map[string]*Cause{}
	for _, r := range wrong {
		c, ok := p.causeOf(r, isWrong)
		if !ok {
			continue
		}
		causes[r.Production] = c
		r.because = nil
	}
	for _, r := range slices.Backward(wrong) {
		if causes[r.Production] != nil && len(causes) <= maxMended && p.mendedBy(r, wrong, causes) {
			delete(causes, r.Production)
			r.because = p.wrongUses(r, change{rule: r.peg.Expr}, isWrong)
		}
	}
	p.findCycles(wrong, isWrong, causes)
	rooted := map[*row]bool{}
	for _, r := range slices.Backward(wrong) { // by the causes that lead to it, and not by what is wrong on the way
		if causes[r.Production] != nil {
			r.cause = causes[r.Production]
			continue
		}
		seen := map[string]bool{r.Production: true}
		for queue := []*row{r}; len(queue) > 0; queue = queue[1:] {
			for _, id := range queue[0].because {
				if seen[id] {
					continue
				}
				seen[id] = true
				switch next := isWrong[id]; {
				case causes[id] != nil:
					r.root = append(r.root, causes[id].Production)
				case rooted[next]:
					r.root = append(r.root, next.root...)
				default:
					queue = append(queue, next)
				}
			}
		}
		rooted[r] = true
		slices.SortFunc(r.root, func(a, b string) int { return p.index[a] - p.index[b] })
		r.root = slices.Compact(r.root)
	}
	for _, r := range wrong {
		for _, id := range r.root {
			causes[id].Affects = append(causes[id].Affects, r.Production)
		}
	}
}

// mendedBy reports whether a rule is right with what mends the causes that it uses. For one of them that can be another form of its rule.
func (p *proof) mendedBy(r *row, wrong []*row, causes map[string]*Cause) bool {
	g, reached := p.pair.PEG, p.pair.PEG.Reached(r.Production)
	used := slices.DeleteFunc(slices.Clone(wrong), func(u *row) bool { return u == r || causes[u.Production] == nil || !reached[u.Production] })
	for _, u := range used {
		if c := causes[u.Production].mends; c.rule != nil {
			g = changed(g, u, c)
		}
	}
	if g == p.pair.PEG || p.rightAfresh(r, g, nil) {
		return g != p.pair.PEG
	}
	for _, c := range p.replacements(used[0], p.forms()) {
		if g := changed(g, used[0], c); len(used) == 1 && p.rightAfresh(r, g, nil) && p.rightAfresh(used[0], g, nil) {
			causes[used[0].Production].mends, causes[used[0].Production].Mend = c, c.text
			return true
		}
	}
	return false
}

// wrongUses lists the wrong rules that the rule of a row uses after a change, not by way of others.
func (p *proof) wrongUses(r *row, c change, isWrong map[string]*row) (list []string) {
	seen := map[string]bool{}
	queue := []*expr.Expr{c.rule}
	for _, m := range c.more {
		queue = append(queue, m.Expr)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, id := range expr.Refs(queue[0]) {
			if seen[id] || id == r.Production {
				continue
			}
			seen[id] = true
			if isWrong[id] != nil {
				list = append(list, id)
			} else if rule := p.pair.PEG.Rule(id); rule != nil {
				queue = append(queue, rule.Expr)
			}
		}
	}
	return list
}

// mended computes what the rule of a row matches where the wrong rules that it uses are right.
func (p *proof) mended(r *row, isWrong map[string]*row, c change) (lang.Language, error) {
	longest := map[string]lang.Language{}
	uses := p.wrongUses(r, c, isWrong)
	for _, id := range uses {
		longest[id] = isWrong[id].derivedLanguage
	}
	if len(p.recursive[r.Production]) > 0 {
		_, l, err := wholeOf(p.space, changed(p.pair.PEG, r, c), r.Production, longest, nil)
		return l, err
	}
	key := strings.Join(uses, " ")
	m, l, err := wholeOf(p.space, changed(p.pair.PEG, r, c), r.Production, longest, p.mending[key])
	if p.mending[key] == nil {
		p.mending[key] = m
	}
	return l, err
}

// changed returns a PEG with a change of the rule of a row.
func changed(g *expr.Grammar, r *row, c change) *expr.Grammar {
	if c.rule == r.peg.Expr {
		return g
	}
	g = g.Change(r.Production, c.rule)
	return g.With(append(g.Rules, c.more...))
}

// wholeOf returns what a rule matches, where some rules match the longest word of these languages, and what computed it. What is
// known of the rules that it uses, where these do not use it, is not computed again.
func wholeOf(s *lang.Space, g *expr.Grammar, id string, longest map[string]lang.Language, known *lang.PEG) (*lang.PEG, lang.Language, error) {
	var rules []*expr.Rule // that it needs: all of them are analysed
	seen := map[string]bool{}
	for todo := []string{id}; len(todo) > 0; todo = todo[1:] {
		r := g.Rule(todo[0])
		if r == nil || seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		rules = append(rules, r)
		if _, ok := longest[r.ID]; !ok {
			todo = append(todo, expr.Refs(r.Expr)...)
		}
	}
	for _, r := range rules {
		g.Budget.Step(64 + 16*r.Expr.Size())
	}
	g = g.With(rules)
	of := s.PEG
	if len(longest) > 0 {
		of = func(g *expr.Grammar) (*lang.PEG, error) { return s.PEGLongest(g, longest) }
	}
	m, err := of(g)
	if err != nil {
		return nil, lang.NoWord, err
	}
	for _, r := range rules[1:] {
		if _, ok := longest[r.ID]; !ok && known != nil {
			m.Take(known, r.ID)
		}
	}
	l, err := m.WholeOf(expr.To(id))
	return m, l, err
}

// causeOf returns the cause that a wrong rule is; ok is false if it is wrong because of others. A rule for which that cannot be
// computed counts as a cause.
func (p *proof) causeOf(r *row, isWrong map[string]*row) (*Cause, bool) {
	c := &Cause{Production: r.Production, Place: r.RulePlace}
	matched := r.matched
	if len(r.because) > 0 {
		m, err := p.mended(r, isWrong, change{rule: r.peg.Expr})
		if err == nil && m == r.derivedLanguage {
			return nil, false
		}
		if err == nil {
			matched = m
		}
	}
	var overlap bool
	c.BNFOnly, overlap = p.both(r.derivedLanguage, matched, r.derivedLanguage, r.matched)
	var more bool
	if c.PEGOnly, more = p.both(matched, r.derivedLanguage, r.matched, r.derivedLanguage); !overlap && !more {
		c.BNFOnly, c.PEGOnly = p.kinds(r.derivedLanguage, r.matched), p.kinds(r.matched, r.derivedLanguage)
		c.Even = p.even(r, matched)
	}
	if len(c.BNFOnly)+len(c.PEGOnly) == 0 { // the budget was used up
		c.BNFOnly, c.PEGOnly = r.bnfOnly.words(), r.pegOnly.words()
	}
	c.mends = p.mend(r, isWrong)
	c.Mend = c.mends.text
	return c, true
}

// both is kinds of the words of a without b that are in x without y too.
func (p *proof) both(a, b, x, y lang.Language) (words []quote.Word, some bool) {
	only, err := p.space.Minus(a, b)
	if err != nil {
		return nil, false
	}
	now, err := p.space.Minus(x, y)
	if err != nil {
		return nil, false
	}
	both, err := p.space.Intersect(only, now)
	if err != nil || both == lang.NoWord {
		return nil, false
	}
	return p.kinds(both, lang.NoWord), true
}

// even returns how a rule is wrong with right rules in it, where that is otherwise than as it is.
func (p *proof) even(r *row, matched lang.Language) string {
	lost, more := p.witness(r.derivedLanguage, matched).word, p.witness(matched, r.derivedLanguage).word
	switch rules := strings.Join(r.because, ", "); {
	case lost != nil:
		return fmt.Sprintf("if %s were right, it would not match %s", rules, r.shown(*lost))
	case more != nil:
		return fmt.Sprintf("if %s were right, it would match %s, which is not derived", rules, r.shown(*more))
	}
	return ""
}

// kinds returns words of a without b that differ in kind.
func (p *proof) kinds(a, b lang.Language) (words []quote.Word) {
	only, err := p.space.Minus(a, b)
	if err != nil {
		return nil
	}
	if _, _, ok := p.space.States(only, maxEach); !ok {
		return p.shortest(only).words()
	}
	left, err := p.space.DFA(only)
	if err != nil {
		return nil
	}
	for len(words) < maxKinds {
		w, ok := left.Shortest()
		if !ok {
			break
		}
		words = append(words, quote.Word(w))
		if len(w) > 64 || left.States() > maxEach {
			break
		}
		left = left.Minus(kindOf(w))
	}
	return words
}

// kindOf returns the words of one kind with w: a run of letters, of digits, or of both stands for every such run, and a run of
// any other byte for one of another length.
func kindOf(w string) *lang.DFA {
	letters := expr.Range('a', 'z').Union(expr.Range('A', 'Z'))
	digits := expr.Range('0', '9')
	word := letters.Union(digits)
	of := func(b byte) expr.Set {
		switch {
		case word.Has(b):
			return word
		case b >= 0x80:
			return expr.Range(0x80, 0xff)
		}
		return expr.Bytes(string([]byte{b}))
	}
	out := lang.Epsilon()
	for i := 0; i < len(w); {
		set, end := of(w[i]), i+1
		for end < len(w) && set.Has(w[end]) {
			end++
		}
		if run := w[i:end]; set == word {
			switch {
			case !strings.ContainsFunc(run, func(r rune) bool { return !letters.Has(byte(r)) }):
				set = letters
			case !strings.ContainsFunc(run, func(r rune) bool { return !digits.Has(byte(r)) }):
				set = digits
			}
		}
		one := lang.OfSet(set)
		out = out.Concat(one).Concat(one.Star())
		i = end
	}
	return out
}

// findCycles makes one cause of wrong rules that use each other where none of those that they use is one.
func (p *proof) findCycles(wrong []*row, isWrong map[string]*row, causes map[string]*Cause) {
	index := map[string]int{}
	for i, r := range wrong {
		index[r.Production] = i
	}
	uses := func(i int) (next []int) {
		for _, id := range wrong[i].because {
			next = append(next, index[id])
		}
		return next
	}
	caused := make([]bool, len(wrong))
	for _, group := range expr.Components(len(wrong), uses) { // those that are used come first
		for _, i := range group {
			if causes[wrong[i].Production] != nil {
				caused[i] = true
			}
			for _, j := range uses(i) {
				caused[i] = caused[i] || caused[j]
			}
		}
		if slices.ContainsFunc(group, func(i int) bool { return caused[i] }) {
			for _, i := range group {
				caused[i] = true
			}
			continue
		}
		slices.Sort(group)
		first := wrong[group[0]]
		c := &Cause{Production: first.Production, Place: first.RulePlace}
		c.BNFOnly, c.PEGOnly = p.kinds(first.derivedLanguage, first.matched), p.kinds(first.matched, first.derivedLanguage)
		for _, i := range group {
			c.Cycle = append(c.Cycle, wrong[i].Production)
			causes[wrong[i].Production] = c
			caused[i] = true
		}
	}
}
