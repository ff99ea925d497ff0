package bnf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// minus and proseMinus are the names of references that stand for a difference of languages while a document is read:
// what the first subexpression derives and the second does not. Lit is the text, with its sign, or for proseMinus the
// prose that describes the difference. [exclude] replaces them.
const (
	minus      = "-"
	proseMinus = "-<"
)

// anyCharacter is the name of a reference that stands for all characters while a document is read: those of the
// production Char, where that derives characters. [exclude] replaces it, too.
const anyCharacter = "."

// maxExcluded caps the terminals and operators of the expression for a difference. Larger ones are refused: they would
// slow down everything that is done with the grammar.
const maxExcluded = 1 << 14

// maxExcludedInAll caps the terminals and operators of the expressions for all differences of a document together.
const maxExcludedInAll = 1 << 18

// maxExclusions caps how many differences may be waiting for one another: each is a level of the stack.
const maxExclusions = 4096

// exclude replaces each difference of languages in the rules of g by an expression that derives exactly it, computed
// by automata, and each anyCharacter by all characters: in EBNF by the expression of Char, if that is a character or a
// choice of some, and otherwise by all code points or octets. note, which may be nil, gets each difference that prose
// describes. exclude fails with the first refusal: for a difference that uses itself, that is too large, or one side
// of which has no automaton, since its recursion nests. Prose that describes such a difference, or names something
// without a production, stays prose instead. After an error some rules have been changed.
//
// A difference may stand in another.
func exclude(g *expr.Grammar, note *notes) error {
	x := &excluder{g: g, note: note, state: map[string]settling{}, closed: map[string]bool{}}
	x.all = expr.In(expr.AnyByte)
	if g.CodePoints {
		x.all = encodings(expr.Encodings(0, utf8.MaxRune), "any character", expr.Pos{})
	}
	if r := g.Rule("Char"); g.Notation == EBNF && r != nil && isCharacter(r.Expr) {
		x.all = r.Expr
	}
	for _, r := range g.Rules {
		if err := x.settle(r); err != nil {
			return err
		}
	}
	return nil
}

// An excluder settles the rules of a grammar: it replaces the differences in them. It goes depth-first: a difference
// needs the languages of its two sides, so the rules that these use are settled before it.
type excluder struct {
	g    *expr.Grammar
	note *notes
	all  *expr.Expr // what anyCharacter becomes

	state map[string]settling // by ID
	// The rules that are settled with all that they use, so that none is looked at again for each difference in a chain
	// of them. Those of a search that goes on are not among them: a difference that it comes to may need them.
	closed   map[string]bool
	computed []string // the names that the differences of the rule at hand use

	size    int // of the expressions for all differences so far
	waiting int // the differences in the chain at hand
}

// A settling says how far a rule is settled.
type settling int

const (
	unsettled settling = iota
	replacing          // its differences are being replaced
	settled
)

// settle replaces the differences in r and each anyCharacter, and sets r.Computed to the names that the differences
// use and that have a rule. For a rule that is settled it does nothing. It fails if it is called while it does so,
// since one of them uses r then, and as replace does. After an error of replace the rule counts as settled all the
// same, and its expression is of no use.
func (x *excluder) settle(r *expr.Rule) (err error) {
	switch x.state[r.ID] {
	case settled:
		return nil
	case replacing:
		return expr.Refusef(r.Pos, "`%s` excludes what is defined by itself", r.Name)
	}
	if hasMinus(r.Expr) {
		x.state[r.ID] = replacing
		around := x.computed
		x.computed = nil
		r.Expr, err = x.replace(r.Expr)
		r.Computed = slices.DeleteFunc(x.computed, func(id string) bool { return x.g.Rule(id) == nil })
		x.computed = around
	}
	x.state[r.ID] = settled
	return err
}

// settleUsed settles the rules that e uses, directly or through others, breadth-first. It fails at the first rule for
// which settle does.
func (x *excluder) settleUsed(e *expr.Expr) error {
	used := expr.Refs(e)
	seen := map[string]bool{}
	for _, id := range used {
		seen[id] = true
	}
	for i := 0; i < len(used); i++ {
		r := x.g.Rule(used[i])
		if r == nil || x.closed[used[i]] {
			continue
		}
		if err := x.settle(r); err != nil {
			return err
		}
		for _, id := range expr.Refs(r.Expr) { // fewer than before: those of its differences are gone
			if !seen[id] {
				seen[id] = true
				used = append(used, id)
			}
		}
	}
	for id := range seen {
		x.closed[id] = true
	}
	return nil
}

// replace returns e with all its differences and each anyCharacter replaced, the innermost first. e is not changed.
// It fails with the first error of compute, for a difference that no prose describes; the result is of no use then.
func (x *excluder) replace(e *expr.Expr) (_ *expr.Expr, err error) {
	switch {
	case e.Op == expr.Ref && e.Name == anyCharacter:
		return x.all, nil
	case len(e.Sub) == 0 || e.Chars != "":
		return e, nil
	}
	c := e.Map(func(s *expr.Expr) *expr.Expr {
		replaced, failed := x.replace(s)
		if err == nil {
			err = failed // the first error is returned
		}
		return replaced
	})
	switch {
	case err != nil || !isDifference(e):
		return c, err
	case e.Name == proseMinus:
		return x.replaceProse(c), nil
	}
	return x.compute(c)
}

// replaceProse returns the expression for the difference d that prose describes, and notices it. It settles the rules
// that d uses for that. If that fails, or something is named that has no production, the result is d's prose, a
// reference, without a notice.
func (x *excluder) replaceProse(d *expr.Expr) *expr.Expr {
	isMissing := func(id string) bool { return x.g.Rule(id) == nil && id != proseMinus }
	if x.settleUsed(d) == nil && !slices.ContainsFunc(x.g.Reach(expr.Refs(d)...), isMissing) {
		if computed, err := x.compute(d); err == nil {
			x.note.add(describedNotice, d.Pos, d.Lit)
			return computed
		}
	}
	return placed(expr.To(d.Lit), d.Pos)
}

// compute returns the expression for the difference d, and adds the names that d uses to x.computed. It settles the
// rules that d uses. It fails as difference does, and with a refusal where too many differences wait for one another
// or all are too large together.
func (x *excluder) compute(d *expr.Expr) (*expr.Expr, error) {
	if x.waiting == maxExclusions {
		return nil, expr.Refusef(d.Pos, "more than %d exclusions that use one another", maxExclusions)
	}
	x.waiting++
	e, err := difference(x.g, d, x.settleUsed)
	x.waiting--
	if err != nil {
		return nil, err
	}
	if x.size += e.Size(); x.size > maxExcludedInAll {
		return nil, expr.Refusef(d.Pos,
			"the exclusions up to this one have expressions of more than %d parts, the most that is computed",
			maxExcludedInAll)
	}
	x.computed = append(x.computed, expr.Refs(d)...)
	return e, nil
}

// isCharacter reports whether e is a single character, or a choice of some.
func isCharacter(e *expr.Expr) bool {
	if e.Op == expr.Class || e.Chars != "" {
		return true
	}
	return e.Op == expr.Alt && !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !isCharacter(s) })
}

// isDifference reports whether e stands for a difference: no other references have subexpressions.
func isDifference(e *expr.Expr) bool { return e.Op == expr.Ref && len(e.Sub) > 0 }

// hasMinus reports whether a difference is part of e, or the set of all characters.
func hasMinus(e *expr.Expr) bool {
	return expr.Find(e, func(e *expr.Expr) bool {
		return isDifference(e) || e.Op == expr.Ref && e.Name == anyCharacter
	}) != nil
}

// difference returns an expression for the difference e, whose two sides contain no difference themselves. It calls
// settle for each side first, which replaces the differences in the rules that the side uses. It fails as settle
// does, whose error names the difference that is the cause, which may be far down in a chain. It fails with a refusal
// at e if a side has no automaton, or if the result is too large. The result has the place of e, and names for
// messages: see [expr.Expr.Chars].
func difference(g *expr.Grammar, e *expr.Expr, settle func(*expr.Expr) error) (*expr.Expr, error) {
	// Both sides are settled before the first automaton is made: settling goes on along a chain of differences, and the
	// automata of all of them would be held meanwhile.
	for _, s := range e.Sub {
		if err := settle(s); err != nil {
			return nil, err
		}
	}
	var of [2]*lang.DFA
	for i, s := range e.Sub {
		var err error
		if of[i], err = lang.FromExpr(g, s); err != nil {
			return nil, expr.Refusef(e.Pos, "the exclusion %s cannot be computed: %v", e.Lit, err)
		}
	}
	d, err := of[0].Minus(of[1]).Expr(maxExcluded)
	if err != nil {
		return nil, expr.Refusef(e.Pos, "the exclusion %s cannot be computed: %v", e.Lit, err)
	}
	short := expr.Abridged(e.Lit)
	rest := "the rest of " + short
	label := func(s *expr.Expr) *expr.Expr {
		if s.Op != expr.Class || s.Set.Minus(expr.Range(0, 0x7F)).IsEmpty() || !g.CodePoints {
			return s // ASCII and octets need no name
		}
		c := *s
		c.Chars = short
		if s.Set.Minus(expr.Range(0x80, 0xBF)).IsEmpty() { // continuation bytes of UTF-8
			c.Chars = rest
		}
		return &c
	}
	made := placed(rewrite(d, label), e.Pos)
	if made.Op != expr.Class && made.Op != expr.Empty && derivesCharacters(g, e.Sub[0]) {
		made.Chars = e.Lit // a set of characters: messages use the words of the text
	}
	return made, nil
}

// derivesCharacters reports whether an expression derives single characters alone, as far as its form tells: a
// character, a choice of characters, or the name of a rule that is one of these.
func derivesCharacters(g *expr.Grammar, e *expr.Expr) bool {
	if e.Op == expr.Ref {
		r := g.Rule(e.Name)
		return r != nil && r.Expr.Op != expr.Ref && isCharacter(r.Expr)
	}
	return isCharacter(e)
}

// RightOf reads a right-hand side in the notation of g, as [Usual] has it; its names mean productions of g. g is not
// changed, and gets no notices. A name that g does not have, be it that of a core rule, stays a reference to nothing.
// It fails if g's notation is unknown, for a text that is no right-hand side, and for a difference as exclude does.
func RightOf(g *expr.Grammar, text string) (*expr.Expr, error) {
	how, ok := notations[g.Notation]
	if !ok {
		return nil, expr.Errorf(expr.Pos{}, "no notation %q", g.Notation)
	}
	e, err := how.right(printed{text: text}, reading{Notation: Usual, codePoints: g.CodePoints})
	if err != nil {
		return nil, err
	}
	s := newScope(g)
	for _, r := range g.Rules {
		s.add(r)
	}
	r := &expr.Rule{ID: "right-hand side", Name: "right-hand side", Expr: e}
	s.resolve(r, s.ruleAnywhere)
	if hasMinus(r.Expr) {
		with := g.With(append(g.Rules[:len(g.Rules):len(g.Rules)], r))
		if err := exclude(with, nil); err != nil {
			return nil, err
		}
	}
	return r.Expr, nil
}

// usASCII matches prose that means one character, or those of a range: <US-ASCII HT, horizontal-tab (9)>.
var usASCII = pattern(`^<(?:any )?US-ASCII [^()"]*(?:\((?:octets )?(\d+)(?: - (\d+))?\)|"(.)"\.\."(.)")>$`)

// described returns the expression that a description in prose means: a character of US-ASCII, which it notices, or a
// difference such as <any CHAR except CTLs or ";">. With "including", as in <any CHAR except CTLs, including LF>, that
// is a choice of the difference and the rest. exclude notices a difference, if it can be computed. Any other prose
// becomes a reference named by it. described does not go past the token.
func (r *readerABNF) described(t tokenABNF) *expr.Expr {
	if set, ok := charactersOf(t.text); ok {
		r.lexerABNF.note.add(describedNotice, t.pos, t.text)
		return expr.In(set)
	}
	d, ok := r.partsOf(t)
	if !ok {
		return expr.To(t.text)
	}
	sides := []*expr.Expr{d.of, expr.Or(d.left...)}
	e := &expr.Expr{Op: expr.Ref, Name: proseMinus, Lit: t.text, Sub: sides, Pos: t.pos}
	return expr.Or(append(d.included, e)...)
}

// charactersOf returns the characters of US-ASCII that prose means; ok is false if it has no such form, names a
// number above 127, or a range that ends below its beginning.
func charactersOf(prose string) (set expr.Set, ok bool) {
	m := usASCII().FindStringSubmatch(prose)
	if m == nil {
		return set, false
	}
	firstOctet, lastOctet, first, last := m[1], m[2], m[3], m[4]
	if firstOctet != "" {
		lo, _ := strconv.Atoi(firstOctet)
		hi, _ := strconv.Atoi(cmp.Or(lastOctet, firstOctet))
		first, last = string(rune(lo)), string(rune(hi))
	}
	if first > last || last > "\x7f" {
		return set, false
	}
	return expr.Range(first[0], last[0]), true
}

// A description is prose that describes a difference, taken apart.
type description struct {
	of             *expr.Expr   // what something is left out of
	left, included []*expr.Expr // what is left out, and what is included all the same
}

// partsOf takes the description in prose apart. ok is false if the prose describes no difference, or holds more than
// names, quoted strings, values and the words that are known here; the values in it then have no effect on how the
// document is read.
func (r *readerABNF) partsOf(t tokenABNF) (d description, ok bool) {
	if r.state != nil {
		wide := r.state.wide
		defer func() {
			if !ok {
				r.state.wide = wide
			}
		}()
	}
	var parts [3][]*expr.Expr // as the fields of a description
	part := 0
	separate := true // a sign or a word stands before what follows: two names in a row are prose
	for l := (lexerABNF{text: t.text[1 : len(t.text)-1], pos: t.pos}); ; {
		if l.skip(); strings.HasPrefix(l.text[l.at:], ",") {
			l.at++
			separate = true
			continue
		}
		token, err := l.scan()
		if err != nil {
			return d, false
		}
		if token.kind == endToken {
			ok = len(parts[0]) == 1 && len(parts[1]) > 0 && (part < 2 || len(parts[2]) > 0)
			if ok {
				d = description{parts[0][0], parts[1], parts[2]}
			}
			return d, ok
		}
		switch word := token.text; { // none of a quoted string, whose text has its quotes
		case word == "except" || word == "excluding" || word == "than" || word == "not":
			part, separate = 1, true
			continue
		case word == "including" && part == 1:
			part, separate = 2, true
			continue
		case slices.Contains([]string{"any", "but", "other", "for", "and", "or", "/"}, word):
			separate = true
			continue
		}
		e := r.termOf(token, t.pos)
		if e == nil || !separate {
			return d, false
		}
		parts[part], separate = append(parts[part], placed(e, t.pos)), false
	}
}

// termOf returns what a token in a description stands for: a name, whose plural counts, a quoted string, quoteMark or
// a value, which may set r.state.wide. It is nil for any other token, and for a value that is an error. pos is the
// place of the prose.
func (r *readerABNF) termOf(token tokenABNF, pos expr.Pos) (e *expr.Expr) {
	switch word := token.text; {
	case token.kind == nameToken && len(word) > 1 && word[len(word)-1] == 's' && word[len(word)-2] < 'a': // CTLs are CTL
		return expr.To(word[:len(word)-1])
	case token.kind == nameToken:
		return expr.To(word)
	case token.kind == quotedToken:
		return quotedABNF(word, pos)
	case token.kind == valueToken:
		var err error
		defer expr.Catch(&err) // the result is nil then
		return r.value(token)
	case word == quoteMark:
		return expr.Lit(`"`)
	}
	return nil
}
