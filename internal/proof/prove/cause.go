package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Cause is a wrong rule that would be wrong even if the wrong rules it uses were right: if each of them matched the
// longest string that its production derives, or was written as its Mend proposes. A rule for which that cannot be
// computed counts as one, too. Wrong rules that use each other can be one cause together: see Cycle.
type Cause struct {
	Production string `json:"production"`
	Place      string `json:"place"` // of the rule

	// Cycle lists wrong rules that use each other, none of them wrong by itself. Production is the first.
	Cycle []string `json:"cycle,omitempty"`

	// BNFOnly has strings that only the production derives, PEGOnly strings that only the rule matches, the
	// shortest first. Strings that differ merely in which letters and digits they have, and how many, are of
	// one kind, and only one of each kind is listed.
	BNFOnly []quote.Word `json:"bnf_only,omitempty"`
	PEGOnly []quote.Word `json:"peg_only,omitempty"`

	// Even says how the rule would be wrong even if the rules it uses were right. It is "" if BNFOnly and PEGOnly show
	// that too.
	Even string `json:"even,omitempty"`

	// Mend proposes what to write: the smallest change that was found, or another rule. It was tried: with it, and with
	// the wrong rules it uses being right, the rule matches exactly what its production derives. A proposal about
	// letters may mend only a part of the rule, and then says so. It is "" if none was found, and for a cycle.
	Mend string `json:"mend,omitempty"`

	// Affects are the productions whose rules are wrong because of this one.
	Affects []string `json:"affects,omitempty"`

	mends change // the change that Mend describes; without a rule if that changes another rule
}

// maxKinds caps the strings of different kinds that are shown for each side of a cause.
const maxKinds = 3

// findCauses settles which wrong rules are causes. It sets cause in their rows, and in all rows of a cycle. In the
// other wrong rows it sets rootCauses. In these and in the rows of cycles it sets because, the wrong rules that the
// row uses. It fills Affects. Rows whose languages are not known, or that are proven to a depth, are left out.
//
// p.wholeCache must be a map; p.matches may be in it under "", which saves a computation. From here on the steps of
// the search for fixes are counted (p.stepsBefore).
func (p *proof) findCauses() {
	p.stepsBefore = p.pair.PEG.Budget.Taken()
	var wrong []*row
	isWrong := map[string]*row{}
	for _, r := range p.rows {
		if r.languagesKnown && !r.Equal && r.Depth == nil {
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
	// With the proposed fixes in place of ideal rules, some causes turn out to be right: an ideal rule may stop where
	// the rule around it needs it to go on, and the proposed one need not. Later rules first, which the earlier ones
	// use.
	for _, r := range slices.Backward(wrong) {
		if causes[r.Production] != nil && len(causes) <= maxMended && p.rightOnceMended(r, wrong, causes) {
			delete(causes, r.Production)
			r.because = p.wrongUses(r, change{rule: r.peg.Expr}, isWrong)
		}
	}
	p.findCycles(wrong, isWrong, causes)
	p.traceToCauses(wrong, isWrong, causes)
}

// traceToCauses sets the cause or the rootCauses of each wrong row, these in the order of the BNF, and Affects of each
// cause, in the order of wrong. A cycle is named by its first rule. It follows because, which must be set, breadth
// first from a row up to the causes; the wrong rules on the way are not named.
func (p *proof) traceToCauses(wrong []*row, isWrong map[string]*row, causes map[string]*Cause) {
	rooted := map[*row]bool{} // rows whose rootCauses are complete
	// Backward: most rules use later ones, whose rootCauses are then known.
	for _, r := range slices.Backward(wrong) {
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
					r.rootCauses = append(r.rootCauses, causes[id].Production)
				case rooted[next]:
					r.rootCauses = append(r.rootCauses, next.rootCauses...)
				default:
					queue = append(queue, next)
				}
			}
		}
		rooted[r] = true
		slices.SortFunc(r.rootCauses, func(a, b string) int { return p.index[a] - p.index[b] })
		r.rootCauses = slices.Compact(r.rootCauses)
	}
	for _, r := range wrong {
		for _, id := range r.rootCauses {
			causes[id].Affects = append(causes[id].Affects, r.Production)
		}
	}
}

// rightOnceMended reports whether the rule of r is right once the causes that it reaches are fixed as they propose. A
// proposal in words alone, without a rule, counts as none; if there are no others, it is false. It is also false if a
// limit is passed. If the rule is not right and reaches exactly one cause, it tries the other forms of that cause's
// rule. A form with which both rules are right becomes that cause's proposal, and the result is true.
func (p *proof) rightOnceMended(r *row, wrong []*row, causes map[string]*Cause) bool {
	g, reached := p.pair.PEG, p.pair.PEG.Reached(r.Production)
	used := slices.DeleteFunc(slices.Clone(wrong), func(u *row) bool {
		return u == r || causes[u.Production] == nil || !reached[u.Production]
	})
	for _, u := range used {
		if c := causes[u.Production].mends; c.rule != nil {
			g = withChange(g, u, c)
		}
	}
	if g == p.pair.PEG || p.isRightIn(r, g, nil) {
		return g != p.pair.PEG
	}
	if len(used) != 1 {
		return false
	}
	for _, c := range p.regeneratedRules(used[0], p.formsInPlace()) {
		if g := withChange(g, used[0], c); p.isRightIn(r, g, nil) && p.isRightIn(used[0], g, nil) {
			causes[used[0].Production].mends, causes[used[0].Production].Mend = c, c.text
			return true
		}
	}
	return false
}

// wrongUses lists the wrong rules, those of isWrong, that the rule of r uses after a change, directly or through rules
// that are right, each once and breadth first. The rule itself is not among them. The change must have a rule: that of
// r as it is, if nothing changes.
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

// matchedWithRightUses returns the language that the rule of r would match, after a change, if the wrong rules it uses
// were right. The change must have a rule: that of r as it is, if nothing changes. It fails as matchWhole does. If the
// rule does not call itself, the computation is kept in p.wholeCache, which must be a map, and used again for other
// rules and changes.
func (p *proof) matchedWithRightUses(r *row, isWrong map[string]*row, c change) (lang.Language, error) {
	longest := map[string]lang.Language{}
	uses := p.wrongUses(r, c, isWrong)
	for _, id := range uses {
		longest[id] = isWrong[id].derivedLanguage
	}
	if len(p.recursive[r.Production]) > 0 {
		_, l, err := matchWhole(p.space, withChange(p.pair.PEG, r, c), r.Production, longest, nil)
		return l, err
	}
	// A computation under the same assumption is used again for the rules that this one uses. None of them is changed in
	// it: the other wrong rules are in longest, and this one, which does not call itself, is always matched afresh.
	key := strings.Join(uses, " ")
	m, l, err := matchWhole(p.space, withChange(p.pair.PEG, r, c), r.Production, longest, p.wholeCache[key])
	if p.wholeCache[key] == nil {
		p.wholeCache[key] = m
	}
	return l, err
}

// withChange returns a copy of the PEG g with the rule of r changed.
func withChange(g *expr.Grammar, r *row, c change) *expr.Grammar {
	if c.rule == r.peg.Expr {
		return g
	}
	g = g.Change(r.Production, c.rule)
	return g.With(append(g.Rules, c.more...))
}

// matchWhole returns the language of the inputs that the rule id of g, which must exist, matches as a whole. A rule in
// longest is read as one that matches the longest string of the language given for it. known may be the computation
// for another rule of the same grammar, with the same longest: its results are taken over. The first result is the
// computation, to be passed as known later; it can come with an error. matchWhole takes steps of g's budget for each
// rule that id reaches. It fails for a grammar that is not well-formed, if a rule nests, or if a limit is passed.
func matchWhole(s *lang.Space, g *expr.Grammar, id string, longest map[string]lang.Language,
	known *lang.PEG) (*lang.PEG, lang.Language, error) {
	// Only the rules that id reaches, since building a PEG analyzes all the rules it is given.
	var rules []*expr.Rule
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

// causeOf returns the cause that a wrong rule is, with its strings and the fix that findMend found for it, and false
// if the rule is wrong only because of others. r.because must be set. If the question cannot be computed, the rule
// counts as a cause. If no strings are found, those of the row are shown.
func (p *proof) causeOf(r *row, isWrong map[string]*row) (c *Cause, ok bool) {
	c = &Cause{Production: r.Production, Place: r.RulePlace}
	matched := r.matched // what the rule would match if the rules it uses were right
	if len(r.because) > 0 {
		m, err := p.matchedWithRightUses(r, isWrong, change{rule: r.peg.Expr})
		if err == nil && m == r.derivedLanguage {
			return nil, false
		}
		if err == nil {
			matched = m
		}
	}
	// Best are strings that show both how the rule is wrong now and how it would remain wrong.
	var overlap bool
	c.BNFOnly, overlap = p.overlapKinds(r.derivedLanguage, matched, r.derivedLanguage, r.matched)
	var more bool
	if c.PEGOnly, more = p.overlapKinds(matched, r.derivedLanguage, r.matched, r.derivedLanguage); !overlap && !more {
		c.BNFOnly, c.PEGOnly = p.sampleKinds(r.derivedLanguage, r.matched), p.sampleKinds(r.matched, r.derivedLanguage)
		c.Even = p.describeRemaining(r, matched)
	}
	if len(c.BNFOnly)+len(c.PEGOnly) == 0 { // a limit was passed; the shortest words are known already
		c.BNFOnly, c.PEGOnly = r.bnfOnly.asList(), r.pegOnly.asList()
	}
	c.mends = p.findMend(r, isWrong)
	c.Mend = c.mends.text
	return c, true
}

// overlapKinds returns words of different kinds, as sampleKinds does, that are in a and not in b, and also in x and
// not in y. some reports whether there are such words, even if none could be listed; it is also false if a limit was
// passed.
func (p *proof) overlapKinds(a, b, x, y lang.Language) (words []quote.Word, some bool) {
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
	return p.sampleKinds(both, lang.NoWord), true
}

// describeRemaining says how the rule of r would be wrong if it matched the language matched, as it does once the rules
// it uses are right; "" if no string shows it.
func (p *proof) describeRemaining(r *row, matched lang.Language) string {
	lost, more := p.findWitness(r.derivedLanguage, matched).word, p.findWitness(matched, r.derivedLanguage).word
	switch rules := strings.Join(r.because, ", "); {
	case lost != nil:
		return fmt.Sprintf("if %s were right, it would not match %s", rules, r.showWord(*lost))
	case more != nil:
		return fmt.Sprintf("if %s were right, it would match %s, which is not derived", rules, r.showWord(*more))
	}
	return ""
}

// sampleKinds returns up to [maxKinds] words that are in a and not in b, no two of one kind (see [wordsOfKind]), the
// shortest first. It takes no more after a word of over 64 bytes, or once the rest is too large. If the difference
// has more than maxEach states it returns the shortest word alone, or none if that was not found either. It returns
// none if any other limit is passed.
func (p *proof) sampleKinds(a, b lang.Language) (words []quote.Word) {
	only, err := p.space.Minus(a, b)
	if err != nil {
		return nil
	}
	if _, _, ok := p.space.States(only, maxEach); !ok {
		return p.shortestWord(only).asList()
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
		left = left.Minus(wordsOfKind(w))
	}
	return words
}

// wordsOfKind returns the words of the same kind as w. Each run of letters, of digits, or of letters and digits in w
// stands for every run of such bytes, and so does each run of bytes above 127. Each run of one other byte stands for a
// run of that byte of any length but 0. The empty word is a kind of its own.
func wordsOfKind(w string) *lang.DFA {
	letters := expr.Range('a', 'z').Union(expr.Range('A', 'Z'))
	digits := expr.Range('0', '9')
	word := letters.Union(digits)
	// runSet returns the bytes that continue a run that begins with b.
	runSet := func(b byte) expr.Set {
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
		set, end := runSet(w[i]), i+1
		for end < len(w) && set.Has(w[end]) {
			end++
		}
		run := w[i:end]
		if set == word { // a run of letters alone, or of digits alone, is narrowed to these
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

// findCycles adds a cause for each group of wrong rules that use each other, where no rule of the group is a cause or
// uses one, directly or through others. It is the cause of the first rule, has no proposal, and stands in causes under
// each rule of the group. because of the rows must be set; it is nil in those that are causes. The components of the
// graph of uses come in topological order, used ones first.
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
	caused := make([]bool, len(wrong)) // is a cause, or leads to one
	for _, group := range expr.Components(len(wrong), uses) {
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
		c.BNFOnly = p.sampleKinds(first.derivedLanguage, first.matched)
		c.PEGOnly = p.sampleKinds(first.matched, first.derivedLanguage)
		for _, i := range group {
			c.Cycle = append(c.Cycle, wrong[i].Production)
			causes[wrong[i].Production] = c
			caused[i] = true
		}
	}
}
