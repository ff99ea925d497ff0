package regex

import (
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Start is the ID of the production of a [Regex.Grammar] that derives what is matched.
const Start = "expression"

// Grammar returns a grammar whose parts have their places in the expression. A group with a name is a production,
// unless it begins or ends the expression, or a group before it has the name. If exact is nil the grammar derives
// exactly the strings that are matched. Otherwise it may derive more, for example because of a lookaround, and exact
// is the language. If m is Search it adds to r.Notices. It fails if a limit is passed.
func (r *Regex) Grammar(b *budget.Budget, m Match) (g *expr.Grammar, exact *lang.DFA, err error) {
	defer budget.Catch(&err)
	r.compile(b) // the error of an expression that is too large names its place
	w := &writer{
		r: r, budget: b, match: m, noting: m == Search, written: map[*expr.Expr]string{},
		named: map[string]*node{},
	}
	e, plain := w.write(r.root, true, true)
	if plain && w.crlf { // an LF after a CR is not the newline that $ matches before
		exact = budget.Must(r.DFA(b, m))
		plain = budget.Must(lang.FromBNF(w.grammar(e), Start)).Equal(exact)
		if plain {
			exact = nil
		}
	}
	if !plain || r.sticky && m == Search {
		if exact == nil {
			exact = budget.Must(r.DFA(b, m))
		}
		w = &writer{r: r, budget: b, match: m, loose: true, written: map[*expr.Expr]string{}, named: map[string]*node{}}
		e, _ = w.write(r.root, true, true)
	}
	return w.grammar(e), exact, nil
}

// grammar returns the grammar whose start derives e, with the productions that were written for groups.
func (w *writer) grammar(e *expr.Expr) *expr.Grammar {
	g := &expr.Grammar{
		Rules: append([]*expr.Rule{{ID: Start, Name: Start, Expr: expr.Cat(e)}}, w.rules...), Written: w.written,
	}
	w.r.describe(g)
	g.Budget = w.budget
	return g
}

// States returns a grammar whose productions are the states of a, the automaton of the strings that are matched. The
// grammar is described as r, and the production of the first state is [Start], which has the text and the assumptions
// of r. All others have State set.
func (r *Regex) States(a *lang.DFA) *expr.Grammar {
	g := a.Grammar(func(q int) string {
		if q == 0 {
			return Start
		}
		return fmt.Sprintf("%s@%d", Start, q)
	})
	r.describe(g)
	for _, rule := range g.Rules {
		rule.Pos, rule.State = r.pos(0), rule.ID != Start
	}
	return g
}

// describe sets the name, title, file, notation and alphabet of g, and gives its first rule the text, the place and
// the assumptions of r. g must have a rule.
func (r *Regex) describe(g *expr.Grammar) {
	g.Name, g.Title, g.File, g.Notation = r.File, r.title(), r.File, "regexp"
	g.UTF8, g.CodePoints = r.last != lastByte && !r.dialect.has[brokenUTF8], r.last != lastByte
	start := g.Rules[0]
	start.Printed, start.Pos = r.Text, r.pos(0)
	for _, a := range r.Assumes {
		start.Assumes = append(start.Assumes, expr.Assumption{Text: a, Pos: r.pos(0)})
	}
}

// title returns the name of the expression in sentences: the flavor and the text, cut to 40 characters. For an
// expression from a file it is the file alone, and for one with a character that cannot be printed the file or,
// without one, the flavor.
func (r *Regex) title() string {
	const most = 40
	text := []rune(r.Text)
	if r.File != r.Flavor || slices.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return r.File
	}
	if len(text) > most {
		text = append(text[:most-3:most], '.', '.', '.')
	}
	return r.Flavor + ":" + string(text)
}

// A writer turns parts of an expression into those of a grammar.
type writer struct {
	r      *Regex
	budget *budget.Budget
	match  Match
	rules  []*expr.Rule
	noting bool // notices are kept
	crlf   bool // there is a $ before a newline that may be CR LF
	loose  bool // a part that no grammar can express may be left out, or derive more than it matches

	written map[*expr.Expr]string // the text in the expression that a part of the grammar is printed as
	named   map[string]*node      // the group that the production of a name is made of
}

// write returns an expression that derives what n matches. left says that n stands at the beginning of the whole
// expression: then the result also derives the text that may stand before a match. right says so for its end and the
// text after a match. If no grammar can express n, e is nil and ok is false; a loose writer then derives more
// instead. Groups with names are added to w.rules, except one that is the first or last part of the whole expression
// or that group writes in place. The texts of parts are added to w.written. Under Search, a $ that also matches
// before a newline gives a notice, and sets w.crlf to whether that newline may be CR LF.
func (w *writer) write(n *node, left, right bool) (e *expr.Expr, ok bool) {
	w.budget.Step(16)
	switch {
	case n.op == opSeq:
		parts := slices.DeleteFunc(slices.Clone(n.sub), func(s *node) bool { return s.op == opEmpty })
		if len(parts) == 0 {
			break
		}
		var list []*expr.Expr
		for i, s := range parts {
			e, ok := w.write(s, left && i == 0, right && i == len(parts)-1)
			if !ok {
				return nil, false
			}
			list = append(list, e)
		}
		return w.at(n, expr.Cat(list...)), true
	case n.op == opAlt && n.anchor == 0: // each branch has the ends of n, since an anchor may stand in one alone
		var list []*expr.Expr
		for _, s := range n.sub {
			e, ok := w.write(s, left, right)
			if !ok {
				return nil, false
			}
			if _, known := w.written[e]; !known && s.at < s.end {
				w.written[e] = w.r.Text[s.at:s.end]
			}
			list = append(list, e)
		}
		e = w.at(n, expr.Or(list...))
		w.written[e] = w.r.Text[n.at:n.end]
		return e, true
	case n.op == opGroup && (n.name == "" || left || right):
		return w.write(n.sub[0], left, right)
	case n.anchor == '^' && left: // nothing stands before a match then
		return w.around(expr.Cat(), false, right), true
	case n.anchor == '$' && right:
		e := expr.Cat()
		if w.r.dialect.has[finalNewline] && n.op == opAlt && w.match == Search {
			final := expr.Lit("\n")
			w.crlf = w.r.dialect.has[crlf]
			if w.crlf {
				final = expr.Or(expr.Lit("\r\n"), expr.Or(w.r.dialect.newlines.Encodings(utf8.RuneSelf)...))
			}
			e = w.at(n, expr.Opt(final))
			w.written[e] = ""
			w.notice(n.at, "$ also matches before a newline that ends the input")
		}
		return w.around(e, left, false), true
	}
	// What is left has no anchor at an end of the expression, so around adds the text there.
	switch n.op {
	case opEmpty, opSeq: // a sequence whose parts are all empty
		e, ok = expr.Cat(), true
	case opSet:
		e, ok = w.set(n, n.set, false)
	case opGroup:
		e, ok = w.group(n)
	case opCall:
		e, ok = w.write(w.r.groups[n.group], false, false)
	case opAtomic:
		e, ok = w.write(n.sub[0], false, false)
		ok = ok && w.loose
	case opRef:
		e, ok = w.write(n.sub[0], false, false)
		ok = ok && w.loose
	case opTest:
		e, ok = w.write(alt(n.sub...), false, false)
		ok = ok && w.loose
	case opAhead, opBehind:
		e, ok = expr.Cat(), w.loose
	case opAlt: // an anchor in the middle
		e, ok = expr.Cat(), w.loose
	case opRepeat:
		// A set that is repeated without a limit can also be written with the halves of pairs, and with broken bytes.
		if s := n.sub[0]; s.op == opSet && n.max < 0 && n.min < 2 {
			if e, ok = w.set(s, s.set, true); ok {
				e = w.at(n, expr.Times(e, n.min, expr.Unbounded))
			}
			break
		}
		if e, ok = w.write(n.sub[0], false, false); ok {
			e = w.at(n, expr.Times(e, n.min, n.max))
		}
	}
	if !ok {
		return nil, false
	}
	return w.around(e, left, right), true
}

// at returns a copy of e with the place of n; if e has a place already, e itself.
func (w *writer) at(n *node, e *expr.Expr) *expr.Expr {
	if e.Pos == (expr.Pos{}) {
		e = e.Map(func(s *expr.Expr) *expr.Expr { return s })
		e.Pos = w.r.pos(n.at)
	}
	return e
}

// around returns e with any text before it, if left, and any text after it, if right. It returns e alone if matches are
// to be full. With right it adds the notice that the end is not anchored.
func (w *writer) around(e *expr.Expr, left, right bool) *expr.Expr {
	if w.match == Full {
		return e
	}
	rest := func(at int) *expr.Expr {
		symbol, _ := w.set(&node{at: at, end: at}, of(0, w.r.last), true)
		text := w.at(&node{at: at}, expr.Times(symbol, 0, expr.Unbounded))
		w.written[text] = "" // it is not in the expression, so it is printed as nothing
		return text
	}
	if left {
		e = expr.Cat(rest(0), e)
	}
	if right {
		w.notice(len(w.r.Text), "the end is not anchored: anything may follow")
		e = expr.Cat(e, rest(len(w.r.Text)))
	}
	return e
}

// notice adds a notice to those of the Regex, once. It does nothing unless w.noting.
func (w *writer) notice(at int, message string) {
	if n := (Notice{w.r.pos(at), message}); w.noting && !slices.Contains(w.r.Notices, n) {
		w.r.Notices = append(w.r.Notices, n)
	}
}

// group returns a use of the production for a group with a name, which it adds to w.rules the first time. A group is
// written in place if its name is Start, or was another group's before. The result is false as for write.
func (w *writer) group(n *node) (*expr.Expr, bool) {
	if n.name == Start {
		return w.write(n.sub[0], false, false)
	}
	if first := w.named[n.name]; first != nil && first != n { // the name is that of another group
		return w.write(n.sub[0], false, false)
	}
	if w.named[n.name] == nil {
		w.named[n.name] = n
		e, ok := w.write(n.sub[0], false, false)
		if !ok { // no grammar is made then, so that the name may stay in w.named
			return nil, false
		}
		w.rules = append(w.rules, &expr.Rule{
			ID: n.name, Name: n.name, Expr: e, Printed: w.r.Text[n.at:n.end], Pos: w.r.pos(n.at),
		})
	}
	e := expr.To(n.name)
	e.Pos = w.r.pos(n.at)
	return e, true
}

// set returns an expression for the bytes that spell the symbols of s, without the byte 0 in flavors with noZero. It
// has the place of n, and is named by n's text.
//
// Halves of surrogate pairs and bytes of broken UTF-8 are symbols that a grammar over whole characters cannot tell
// apart. A set with only some of them gives false. One with all of them does so too, unless it is repeated without
// limit, and so reads whole characters in any case. A loose writer lets the set read more instead.
func (w *writer) set(n *node, s set, repeated bool) (*expr.Expr, bool) {
	// half and broken: the set, in a loose writer, also reads parts of spelled-out characters.
	// limit: symbols below it are spelled as one byte.
	r, half, broken := w.r, false, false
	limit := rune(utf8.RuneSelf)
	switch {
	case r.last == lastByte:
		limit = lastByte + 1
		if r.dialect.has[noZero] {
			s = s.And(of(1, lastByte))
		}
	case r.dialect.has[brokenUTF8] && s.Has('\ufffd'):
		if rest := s.And(of(0x80, lastPoint)); !w.loose && (!repeated || rest[0] != (span{Lo: 0x80, Hi: lastPoint})) {
			return nil, false
		}
		broken = w.loose
		if !broken {
			limit, s = lastByte+1, s.And(of(0, 0x7f)).Or(of(0x80, lastByte))
		}
	default:
		if halves := s.And(of(0xd800, 0xdfff)); r.last == lastUnit && len(halves) > 0 {
			if !w.loose && (!repeated || halves[0] != (span{Lo: 0xd800, Hi: 0xdfff})) {
				return nil, false
			}
			s = s.Or(of(0x10000, lastPoint))
			half = w.loose
		}
	}
	alts := s.Encodings(limit)
	if broken {
		alts = append(alts, expr.In(expr.Range(0x80, 0xff)))
	}
	if half {
		tail := expr.In(expr.Range(0x80, 0xbf))
		alts = append(alts, expr.Cat(expr.In(expr.Range(0xf0, 0xf4)), tail), expr.Cat(tail, tail))
	}
	e := expr.Or(alts...)
	pos, text := r.pos(n.at), r.Text[n.at:n.end]
	short := expr.Abridged(text)
	first := cmp.Or(short, "any character")
	rest := "the rest of " + first
	// name names the parts after the text of the set: the first byte of a character by it, the others as its rest.
	var name func(e *expr.Expr, chars string)
	name = func(e *expr.Expr, chars string) {
		e.Pos = pos
		if e.Op == expr.Alt || e.Op == expr.Seq {
			e.Chars = short
		}
		for i, s := range e.Sub {
			if e.Op == expr.Seq && i > 0 {
				chars = rest
			}
			name(s, chars)
			if s.Op == expr.Class {
				s.Chars = chars
			}
		}
	}
	name(e, first)
	if e.Op != expr.Class {
		e.Chars = text
	}
	return e, true
}
