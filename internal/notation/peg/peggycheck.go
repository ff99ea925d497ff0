package peg

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// check panics with an error at what peggy finds out about whole grammars: a rule defined twice, a label that is
// there twice, @ next to an action. It sets p.byName. A name without a rule is supplied, as a further rule, if it is
// that of a core rule of RFC 5234; else the rules that come to it are refused.
func (p *peggy) check() {
	p.byName = make(map[string]*peggyRule, len(p.rules))
	for _, r := range p.rules {
		if first := p.byName[r.rule.ID]; first != nil {
			panic(expr.Errorf(r.rule.Pos, "rule %q is defined twice, first at %s", r.rule.ID, first.rule.Pos))
		}
		p.byName[r.rule.ID] = r
	}
	p.supply()
	for _, r := range p.rules {
		checkLabels(r.body, map[string]expr.Pos{})
		checkPlucks(r.body, false)
	}
}

// coreScript holds the rules of RFC 5234 appendix B.1, over characters.
var coreScript = map[string]string{
	"ALPHA": "[A-Za-z]", "BIT": "[01]", "CHAR": `[\x01-\x7F]`, "CR": `"\r"`, "CRLF": `"\r\n"`, "CTL": `[\x00-\x1F\x7F]`,
	"DIGIT": "[0-9]", "DQUOTE": `"\""`, "HEXDIG": "[0-9A-Fa-f]", "HTAB": `"\t"`, "LF": `"\n"`,
	"LWSP":  "( WSP / CRLF WSP )*",
	"OCTET": `[\x00-\xFF]`, "SP": `" "`, "VCHAR": `[\x21-\x7E]`, "WSP": `[ \t]`,
}

// supply adds the core rules that are used and not defined to p.rules, and their names to p.supplied. A rule that uses
// one assumes it. A rule that uses a name without a rule, or one that is imported, is refused, in p.refused: for the
// last imported name, if it uses any, and else for the first that is not defined.
func (p *peggy) supply() {
	for i := 0; i < len(p.rules); i++ {
		r := p.rules[i]
		for _, ref := range refs(r.body) {
			name := ref.name
			text, core := coreScript[name]
			at, imported := p.imported[name]
			switch {
			case p.byName[name] != nil:
				continue
			case imported:
				p.refused[r.rule.ID] = expr.Refusef(ref.pos,
					"rule %q is another module's, imported at %s, which is not read", name, at).(*expr.Error)
			case core:
				c := &peggy{lexer: lexer{file: "RFC 5234", src: name + " = " + text, line: 1, script: true}}
				c.grammar()
				p.rules = append(p.rules, c.rules[0])
				p.byName[name] = c.rules[0]
				p.supplied = append(p.supplied, name)
				fallthrough
			default:
				if core {
					r.rule.Assumes = append(r.rule.Assumes, expr.Assumption{Text: assumeCore, Pos: ref.pos})
				} else if p.refused[r.rule.ID] == nil {
					p.refused[r.rule.ID] = expr.Refusef(ref.pos,
						"rule %q is not defined; append the file that defines it to this one", name).(*expr.Error)
				}
			}
		}
	}
}

// refuseUsers adds to reasons, which has why rules are refused, those that use one of them, directly or not: they are
// refused for the same reason. uses returns the rules that a rule uses. Only the users among rules are found.
func refuseUsers(reasons map[string]*expr.Error, rules []string, uses func(id string) []string) {
	users := map[string][]string{}
	var todo []string
	for _, id := range rules {
		for _, used := range uses(id) {
			users[used] = append(users[used], id)
		}
		if reasons[id] != nil {
			todo = append(todo, id)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, id := range users[todo[0]] {
			if reasons[id] == nil {
				reasons[id] = reasons[todo[0]]
				todo = append(todo, id)
			}
		}
	}
}

// refs lists the references in n, n itself included, in their order; one that stands there twice is there twice.
func refs(n *node) (list []*node) {
	n.walk(func(e *node) {
		if e.kind == jRef {
			list = append(list, e)
		}
	})
	return list
}

// walk calls f for n and all nodes below it, delimiters of repetitions included, each before its own parts.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, s := range n.sub {
		s.walk(f)
	}
	if n.delim != nil {
		n.delim.walk(f)
	}
}

// checkLabels panics with an error at a label that stands in the scope of another of its name. It adds the labels of n
// to scope where what follows n is in their scope too.
func checkLabels(n *node, scope map[string]expr.Pos) {
	switch n.kind {
	case jSequence:
		for _, s := range n.sub {
			checkLabels(s, scope)
		}
	case jLabeled:
		if first, twice := scope[n.name]; n.name != "" && twice {
			panic(expr.Errorf(n.pos, "label %q is there already, at %s", n.name, first))
		}
		checkLabels(n.sub[0], scope)
		if n.name != "" {
			scope[n.name] = n.pos
		}
	default:
		if n.delim != nil {
			checkLabels(n.delim, maps.Clone(scope))
		}
		for _, s := range n.sub {
			checkLabels(s, maps.Clone(scope))
		}
	}
}

// checkPlucks panics with an error at an @ in the sequence that an action belongs to, or in a group there. An @
// inside of a labeled element is another sequence's. inAction reports that n stands in such a sequence.
func checkPlucks(n *node, inAction bool) {
	if n.kind == jLabeled && n.pick && inAction {
		panic(expr.Errorf(n.pos, "@ cannot stand beside an action"))
	}
	switch n.kind {
	case jLabeled:
		inAction = false
	case jAction:
		inAction = true
	}
	for _, s := range n.sub {
		checkPlucks(s, inAction)
	}
	if n.delim != nil {
		checkPlucks(n.delim, inAction)
	}
}

// checkProgress panics with an error, as peggy stops with one, at a rule that can call itself before anything is
// consumed, and at a repetition whose body may consume nothing.
func checkProgress(g *expr.Grammar) {
	facts := expr.Analyze(g.Rules)
	left := expr.Circles(g.Rules, facts.Leftmost)
	for _, r := range g.Rules {
		if left[r.ID] == nil {
			continue
		}
		way := g.Path(r.ID, r.ID, facts.Leftmost)
		uses := facts.LeftmostRefs(g.Rule(way[len(way)-1]).Expr)
		at := uses[slices.IndexFunc(uses, func(e *expr.Expr) bool { return e.Name == r.ID })]
		if len(way) > 9 {
			way = append(way[:9], "...")
		}
		panic(expr.Errorf(at.Pos, "rule %q calls itself before anything is consumed: %s", r.ID,
			strings.Join(append(way, r.ID), " -> ")))
	}
	for _, r := range g.Rules {
		if e := expr.Find(r.Expr, facts.RepeatsEmpty); e != nil {
			panic(expr.Errorf(e.Pos, "what is repeated may consume nothing, so that it would be repeated for ever"))
		}
	}
}

// mergeClasses rewrites the bodies of p.rules as peggy does. Adjacent alternatives that are classes or single
// characters become one class if they have the same i and none is inverted; it has u if one of them has. References
// to rules that are such count, too. In a choice where some were merged, every class of a single character then
// becomes a literal, and a choice of one alternative that alternative. A $ around a class or a literal is left out.
// The order of the merges matters, and is peggy's. What a class was made of is kept in node.merged.
func (p *peggy) mergeClasses() {
	done := map[string]bool{}
	open := map[string]bool{} // rules that asClass looks into: one that is nothing but itself is no class
	var merge func(n *node)
	var asClass func(n *node, clone bool) *node
	asClass = func(n *node, clone bool) *node {
		switch n.kind {
		case jClass:
			if n.invert {
				return nil
			}
			if clone {
				return n.alone()
			}
			return n
		case jLiteral:
			chars := utf16.Decode(n.units)
			if len(chars) != 1 {
				return nil
			}
			one := runes.Span{Lo: chars[0], Hi: chars[0]}
			return &node{kind: jClass, pos: n.pos, fold: n.fold, unicode: one.Lo > 0xffff, parts: []part{{Span: one}}}
		case jRef:
			r := p.byName[n.name]
			if r == nil || open[n.name] {
				return nil
			}
			if !done[n.name] {
				done[n.name] = true
				merge(r.body)
			}
			open[n.name] = true
			c := asClass(r.body, true)
			delete(open, n.name)
			if c != nil {
				c.pos, c.name = n.pos, n.name
			}
			return c
		}
		return nil
	}
	merge = func(n *node) {
		switch n.kind {
		case jChoice:
			var prev *node
			var run []*node // the classes that prev is made of
			changed := false
			for i, alt := range n.sub {
				merge(alt)
				cls := asClass(alt, false)
				switch {
				case cls == nil:
					prev = nil
				case prev != nil && prev.fold == cls.fold:
					run = append(run, cls.alone())
					prev.merged = run
					prev.parts = append(prev.parts, cls.parts...)
					prev.unicode = prev.unicode || cls.unicode
					n.sub[i-1], n.sub[i] = prev, prev
					changed = true
				default:
					prev, run = cls, []*node{cls.alone()}
				}
			}
			if !changed {
				return
			}
			var alts []*node
			for i, alt := range n.sub {
				if i == 0 || alt != n.sub[i-1] {
					alts = append(alts, alt)
				}
			}
			for i, alt := range alts {
				if alt.kind != jClass {
					continue
				}
				alt.parts = cleaned(alt.parts)
				if len(alt.parts) == 1 && !alt.parts[0].escape && !alt.parts[0].isRange && !alt.invert {
					alts[i] = &node{
						kind: jLiteral, pos: alt.pos, units: units(alt.parts[0].Lo), fold: alt.fold,
						merged: alt.merged,
					}
				}
			}
			n.sub = alts
			if len(alts) == 1 {
				*n = *alts[0]
			}
		case jText:
			merge(n.sub[0])
			if e := n.sub[0]; e.kind == jClass || e.kind == jLiteral {
				pos := n.pos
				*n = *e
				n.pos = pos
			}
		default:
			for _, s := range n.sub {
				merge(s)
			}
			if n.delim != nil {
				merge(n.delim)
			}
		}
	}
	for _, r := range p.rules {
		done[r.rule.ID] = true
		merge(r.body)
	}
}

// cutSurrogates takes the surrogates out of the ranges across them in all classes of p.rules that have u, as peggy
// does before it merges classes.
func (p *peggy) cutSurrogates() {
	for _, r := range p.rules {
		r.body.walk(func(n *node) {
			if n.kind != jClass || !n.unicode {
				return
			}
			for i, r := range n.parts {
				if !r.escape && r.Lo < firstHigh && r.Hi > lastLow {
					n.parts[i].Hi = firstHigh - 1
					n.parts = append(n.parts, part{Span: runes.Span{Lo: lastLow + 1, Hi: r.Hi}, isRange: true})
				}
			}
		})
	}
}

// alone returns a copy of a class with the same parts, which does not tell what it was made of.
func (n *node) alone() *node {
	c := *n
	c.parts, c.merged = slices.Clone(n.parts), nil
	return &c
}

// mostSpans caps the ranges of a class that becomes the choice of its parts again, and mostMerged these parts: each is
// compared with all before it.
const (
	mostSpans  = 64
	mostMerged = 1 << 10
)

// bodyOf returns the body of a rule. A body that is a reference alone is followed to the body of that rule, and so
// on. It returns nil if a rule is missing, or if the references lead in a circle.
func (p *peggy) bodyOf(name string) *node {
	for range p.rules { // after as many it is a circle
		r := p.byName[name]
		if r == nil {
			return nil
		}
		if r.body.kind != jRef {
			return r.body
		}
		name = r.body.name
	}
	return nil
}

// matchedAlone returns what a class, or a literal of one character, matches by itself; nil for anything else.
func (n *node) matchedAlone() runes.Set {
	switch chars := utf16.Decode(n.units); {
	case n.kind == jClass:
		return n.matched().Clean()
	case n.kind == jLiteral && len(chars) == 1 && n.fold:
		low := unicode.ToLower(chars[0])
		return lowered(runes.Of(low, low)).Clean()
	case n.kind == jLiteral && len(chars) == 1:
		return runes.Of(chars[0], chars[0])
	}
	return nil
}

// partsOf returns what a class, or a character, was merged from: an expression for each alternative, as it is read
// in the class, at its own place. One that is a rule is that rule, if it matches the same by itself. partsOf
// returns nil for a class that was not merged, and for one that is not exactly their union, as may happen above
// U+FFFF (see cleaned), or that reads halves of characters. It also returns nil for a class of more than mostSpans
// ranges, such as the letters of Unicode, unless an alternative never matches, since a choice takes an automaton
// more steps than a class; and for more than mostMerged alternatives.
func (p *peggy) partsOf(n *node) (alts []*expr.Expr) {
	var nodes []*node
	var union runes.Set
	taken := false // all that some alternative matches is matched before it
	if len(n.merged) > mostMerged {
		return nil
	}
	for _, m := range n.merged {
		alt := *m
		if n.kind == jLiteral { // all are this character
			if only := alt.parts[0]; len(alt.parts) != 1 || only.escape || !slices.Equal(units(only.Lo), n.units) {
				return nil
			}
			alt.kind, alt.units = jLiteral, n.units
		} else {
			alt.unicode = n.unicode
			matched := alt.matched()
			taken = taken || len(matched.And(union.Clean().Not(unicode.MaxRune))) == 0
			union = append(union, matched...)
		}
		nodes = append(nodes, &alt)
	}
	if n.kind == jClass {
		whole := n.matched()
		halves := p.halves && len(whole.And(runes.Of(firstHigh, lastLow))) > 0
		if halves || !slices.Equal(union.Clean(), whole.Clean()) || len(whole) > mostSpans && !taken {
			return nil
		}
	}
	assumes, refusal := p.assumes, p.refusal // which n has already
	for i, alt := range nodes {
		name := n.merged[i].name // of the rule that was written, "" if none was
		if body := p.bodyOf(name); body != nil && slices.Equal(body.matchedAlone(), alt.matchedAlone()) {
			alt = &node{kind: jRef, name: name, pos: alt.pos}
		}
		alts = append(alts, p.compileNode(alt))
	}
	p.assumes, p.refusal = assumes, refusal
	return alts
}

// cleaned returns the parts of a class sorted and joined as peggy does that. Peggy compares strings of UTF-16 and
// takes their first unit for the character, so characters above U+FFFF can be lost, and others come in. parts is not
// changed.
func cleaned(parts []part) []part {
	key := func(p part) []uint16 {
		if p.escape {
			return utf16.Encode([]rune("[object Object]")) // what JavaScript compares
		}
		return units(p.Lo)
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b part) int {
		if c := slices.Compare(key(a), key(b)); c != 0 || a.escape || b.escape {
			return c
		}
		return slices.Compare(units(b.Hi), units(a.Hi))
	})
	var out []part
	for _, cur := range parts {
		if n := len(out); n > 0 && !cur.escape && !out[n-1].escape {
			prev := &out[n-1]
			if slices.Compare(units(cur.Hi), units(prev.Hi)) <= 0 {
				continue
			}
			if int(units(prev.Hi)[0])+1 >= int(units(cur.Lo)[0]) {
				prev.Hi, prev.isRange = cur.Hi, true
				continue
			}
		}
		out = append(out, cur)
	}
	return out
}
