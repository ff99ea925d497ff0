package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/octets"
)

// A Cause is a wrong rule that other wrong rules do not make wrong: it does not match what its production derives even if each
// wrong rule that it uses is read as what matches the longest string that its production derives.
type Cause struct {
	Production string `json:"production"`
	Place      string `json:"place"` // of the rule

	// Cycle lists rules that use each other and are wrong, none of which is wrong by itself. Production is the first of them.
	Cycle []string `json:"cycle,omitempty"`

	// BNFOnly are strings that only the production derives, and PEGOnly such as only the rule matches, the shortest first. They
	// differ in kind: in more than in letters and digits and in how many of them there are.
	BNFOnly []octets.Word `json:"bnf_only,omitempty"`
	PEGOnly []octets.Word `json:"peg_only,omitempty"`

	// Even is how the rule is wrong with right rules in it, where no string shows both that and how it is wrong.
	Even string `json:"even,omitempty"`

	// Mend is a small change to the rule that makes it right, a reordering or a lookahead. It was tried: with it, the rule
	// matches exactly what its production derives, the wrong rules that it uses being right. "" if none was found.
	Mend string `json:"mend,omitempty"`

	// Affects are the productions whose rules are wrong because of it.
	Affects []string `json:"affects,omitempty"`
}

// maxKinds is how many strings of different kinds are shown for each side of a cause.
const maxKinds = 3

// findCauses finds which of the wrong rules are wrong by themselves.
func (p *proof) findCauses() {
	var wrong []*row
	isWrong := map[string]*row{}
	for _, r := range p.rows {
		if r.known && !r.Equal && r.Depth == nil {
			wrong = append(wrong, r)
			isWrong[r.Production] = r
		}
	}
	for _, r := range wrong {
		r.because = p.wrongUses(r, isWrong)
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
	p.findCycles(wrong, isWrong, causes)
	for _, r := range wrong { // by the causes that lead to it, and not by what is wrong on the way
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
				if c := causes[id]; c != nil {
					r.root = append(r.root, c.Production)
				} else {
					queue = append(queue, isWrong[id])
				}
			}
		}
		slices.SortFunc(r.root, func(a, b string) int { return p.index[a] - p.index[b] })
		r.root = slices.Compact(r.root)
		for _, id := range r.root {
			causes[id].Affects = append(causes[id].Affects, r.Production)
		}
	}
}

// wrongUses lists the wrong rules that a rule uses, not by way of others.
func (p *proof) wrongUses(r *row, isWrong map[string]*row) (list []string) {
	seen := map[string]bool{}
	for queue := []string{r.Production}; len(queue) > 0; queue = queue[1:] {
		rule := p.pair.PEG.Rule(queue[0])
		if rule == nil {
			continue
		}
		for _, id := range expr.Refs(rule.Expr) {
			if seen[id] || id == r.Production {
				continue
			}
			seen[id] = true
			if isWrong[id] != nil {
				list = append(list, id)
			} else {
				queue = append(queue, id)
			}
		}
	}
	return list
}

// mended computes what the rule of a row matches where the wrong rules that it uses are right. Its expression is e.
func (p *proof) mended(r *row, isWrong map[string]*row, e *expr.Expr) (lang.Language, error) {
	longest := map[string]lang.Language{}
	for _, id := range r.because {
		longest[id] = isWrong[id].derivedLanguage
	}
	g := p.pair.PEG
	if e != r.peg.Expr {
		rules := slices.Clone(g.Rules)
		for i, rule := range rules {
			if rule.ID == r.Production {
				c := *rule
				c.Expr = e
				rules[i] = &c
			}
		}
		g = g.With(rules)
	}
	m, err := p.space.PEGLongest(g, longest)
	if err != nil {
		return lang.NoWord, err
	}
	return m.WholeOf(expr.To(r.Production))
}

// causeOf returns the cause that a wrong rule is; it is not ok if it is wrong because of others. A rule for which that cannot be
// computed counts as a cause.
func (p *proof) causeOf(r *row, isWrong map[string]*row) (*Cause, bool) {
	c := &Cause{Production: r.Production, Place: r.RulePlace}
	matched := r.matched
	if len(r.because) > 0 {
		m, err := p.mended(r, isWrong, r.peg.Expr)
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
	c.Mend = p.mend(r, isWrong)
	return c, true
}

// both is kinds of the words of a without b that are in x without y too.
func (p *proof) both(a, b, x, y lang.Language) (words []octets.Word, some bool) {
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
	var lost, more witness
	p.witness(&lost, r.derivedLanguage, matched)
	p.witness(&more, matched, r.derivedLanguage)
	switch rules := strings.Join(r.because, ", "); {
	case lost.found:
		return fmt.Sprintf("if %s were right, it would not match %s", rules, octets.Word(lost.word))
	case more.found:
		return fmt.Sprintf("if %s were right, it would match %s, which is not derived", rules, octets.Word(more.word))
	}
	return ""
}

// kinds returns words of a without b that differ in kind.
func (p *proof) kinds(a, b lang.Language) (words []octets.Word) {
	only, err := p.space.Minus(a, b)
	if err != nil {
		return nil
	}
	if _, _, ok := p.space.States(only, maxEach); !ok {
		if w, found, err := p.space.Shortest(only); err == nil && found {
			words = append(words, octets.Word(w))
		}
		return words
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
		words = append(words, octets.Word(w))
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

// maxTried is how many changes of one rule are tried.
const maxTried = 150

// mend returns the smallest change to a rule that makes it right, of those that are a reordering of a choice or a lookahead.
func (p *proof) mend(r *row, isWrong map[string]*row) string {
	tried := 0
	for _, c := range p.changes(r.peg.Expr) {
		if tried++; tried > maxTried {
			break
		}
		if bytes, steps := p.space.Left(); bytes < 1<<26 || steps < 1<<24 { // what remains to be proven needs them
			break
		}
		if m, err := p.mended(r, isWrong, c.rule); err == nil && m == r.derivedLanguage {
			return c.text
		}
	}
	return ""
}

// A change is a rule's expression, changed, and the change in words.
type change struct {
	rule *expr.Expr
	text string
}

// changes lists the changes to try, the smallest first: one alternative put before another; a lookahead behind an alternative,
// an option or a repetition; another order of a choice.
func (p *proof) changes(e *expr.Expr) (all []change) {
	var choices, greedy []*expr.Expr
	var sets []*expr.Expr
	known := map[expr.Set]bool{}
	set := func(e *expr.Expr, name string) {
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
			if s.Chars == "" {
				choices = append(choices, s)
			}
		case expr.Repeat:
			greedy = append(greedy, s)
		case expr.Class:
			set(s, s.Chars)
		case expr.Ref:
			if rule := p.pair.PEG.Rule(s.Name); rule != nil {
				set(rule.Expr, strings.TrimSuffix(s.Name, " (PEG)"))
			}
		}
		return true
	})
	for _, c := range choices {
		n := len(c.Sub)
		for from := 1; from < n; from++ {
			for to := range from {
				order := slices.Clone(c.Sub)
				copy(order[to+1:from+1], c.Sub[to:from])
				order[to] = c.Sub[from]
				text := fmt.Sprintf("put %s before %s (%s)", short(c.Sub[from].String()), short(c.Sub[to].String()), c.Pos)
				all = append(all, change{with(e, c, &expr.Expr{Op: expr.Alt, Sub: order, Pos: c.Pos}), text})
			}
		}
	}
	ahead := func(at *expr.Expr, where string) {
		for _, s := range sets {
			look := expr.Lookahead(s, true)
			text := fmt.Sprintf("write !%s behind %s%s (%s)", s, where, short(at.String()), at.Pos)
			all = append(all, change{with(e, at, &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{at, look}, Pos: at.Pos}), text})
		}
	}
	for _, c := range choices {
		for _, a := range c.Sub[:len(c.Sub)-1] {
			ahead(a, "the alternative ")
		}
	}
	for _, g := range greedy {
		ahead(g.Sub[0], "what is repeated, ")
	}
	for _, c := range choices {
		n := len(c.Sub)
		if n < 3 {
			continue
		}
		if n > 4 {
			order := slices.Clone(c.Sub)
			slices.Reverse(order)
			all = append(all, change{with(e, c, &expr.Expr{Op: expr.Alt, Sub: order, Pos: c.Pos}),
				fmt.Sprintf("write the alternatives of %s in the reverse order (%s)", short(c.String()), c.Pos)})
			continue
		}
		for _, order := range permutations(c.Sub) {
			var names []string
			for _, s := range order {
				names = append(names, short(s.String()))
			}
			all = append(all, change{with(e, c, &expr.Expr{Op: expr.Alt, Sub: order, Pos: c.Pos}),
				fmt.Sprintf("order the alternatives: %s (%s)", strings.Join(names, " / "), c.Pos)})
		}
	}
	return all
}

// permutations lists the orders of a list.
func permutations(list []*expr.Expr) (all [][]*expr.Expr) {
	if len(list) < 2 {
		return [][]*expr.Expr{list}
	}
	for i := range list {
		rest := slices.Delete(slices.Clone(list), i, i+1)
		for _, order := range permutations(rest) {
			all = append(all, append([]*expr.Expr{list[i]}, order...))
		}
	}
	return all
}

// with returns e with other in the place of part.
func with(e, part, other *expr.Expr) *expr.Expr {
	if e == part {
		return other
	}
	if len(e.Sub) == 0 {
		return e
	}
	return e.Map(func(s *expr.Expr) *expr.Expr { return with(s, part, other) })
}
