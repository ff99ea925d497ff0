package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file makes terms of a grammar: first the tokens of each rule are put together under its ID,
// and then, when a line of the certificate needs a rule, its tokens become a term.

// A definition is the tokens of one definition of a name, that of the name first. In an assumption
// of the certificate the kind of the first token is endOfRule, which no definition of a file
// begins with.
type definition []token

// A reader reads a grammar. An ID is a name that the certificate uses: of a production that is in
// one part of several, the name, or with a prefix as the part demands.
type reader struct {
	*terms
	side, notation string

	prefixes [][]string              // of each part, the words of its line @ ids
	homes    map[string][]token      // where a name is defined
	ids      []string                // of the file
	names    map[string]string       // the first ID that is the same as a name
	rules    map[string][]definition // by ID

	bodies  map[string]int // the terms of rules
	settled map[int]int    // see settle
	wide    bool           // a value is above 255, and so all of them are characters

	tokens []token // what is being read
	depth  int     // how deep that is nested
}

// maxDepth bounds how deep elements, and rules in rules, are nested.
const maxDepth = 10000

var (
	notationLine = regexp.MustCompile(`(?m)^@ notation (?:(abnf|rfc822|rfc1630)$)?`)
	assumeLine   = regexp.MustCompile(`^assume ([^ ]*) = (.*) because .`)
	capitals     = regexp.MustCompile(`[A-Z]+`)
)

// read reads a grammar, and instead of some right-hand sides those that lines of a certificate
// assume.
func (t *terms) readGrammar(side, file, text, certificate string, assumed []string) {
	r := &reader{
		terms:    t,
		side:     side,
		notation: side,
		prefixes: [][]string{make([]string, 4)},
		homes:    map[string][]token{},
		names:    map[string]string{},
		rules:    map[string][]definition{},
		bodies:   map[string]int{},
		settled:  map[int]int{empty: empty},
	}
	t.sides[side] = r
	t.place = file
	if side == "bnf" {
		r.notation = "abnf"
		if m := notationLine.FindStringSubmatch(text); m != nil {
			r.notation = m[1]
		}
		t.must(r.notation != "", "not covered: the notation")
	}
	for _, d := range r.definitions(file, text) {
		id := r.id(d[0])
		r.ids = append(r.ids, id)
		r.rules[id] = append(r.rules[id], d)
		r.names[r.fold(id)] = r.knownID(id)
	}
	for i, line := range assumed {
		t.place = fmt.Sprintf("%s:%d", certificate, i+2)
		r.assume(file, certificate, line, i+2)
	}
}

// definitions takes the text of a file apart. Before the first definition of a part only its line
// @ ids may stand and, in a PEG, the code of the initializer.
func (r *reader) definitions(file, text string) (list []definition) {
	text = "\n\n" + strings.TrimPrefix(text, "\ufeff") // in RFC 1630 a production begins behind an empty line
	for _, k := range r.lex(file, text, -1, 0) {
		last := len(list) - 1
		k.part = len(r.prefixes) - 1
		r.wide = r.wide || slices.ContainsFunc(k.values, func(n int) bool { return n > 255 })
		switch {
		case k.kind == partLine:
			r.prefixes = append(r.prefixes, make([]string, 4))
		case k.kind == definesName || k.kind == addsToName:
			list = append(list, definition{k})
			r.homes[r.fold(k.text)] = append(r.homes[r.fold(k.text)], k)
		case last >= 0 && list[last][0].part == k.part:
			list[last] = append(list[last], k)
		case k.kind == prefixLine:
			r.prefixes[k.part] = strings.Split(k.text, " ")
		default:
			r.place = k.place
			r.must(k.kind == goCode, "expected a rule, found %q", k.text)
		}
	}
	return list
}

// assume reads a line of the certificate that assumes a right-hand side, and reports it.
func (r *reader) assume(file, certificate, line string, number int) {
	m := assumeLine.FindStringSubmatch(line)
	r.must(m != nil, "expected assume NAME = EXPRESSION because REASON")
	id := r.knownID(m[1])
	part := -1
	says := "assumed: " + strings.TrimPrefix(line, "assume ")
	if old := r.rules[id]; old != nil {
		r.must(old[0][0].kind != endOfRule, "there are two assumptions about %s", id)
		part = old[0][0].part
		says += ", instead of what " + file + " has"
	}
	name := token{place: r.place}
	d := append(definition{name}, r.lex(certificate, m[2], number, part)...)
	r.names[r.fold(id)] = id
	r.rules[id] = []definition{d}
	r.report = append(r.report, says)
}

// lower returns a name with the letters of ASCII in lower case.
func lowerASCII(name string) string { return capitals.ReplaceAllStringFunc(name, strings.ToLower) }

// fold returns what names that are the same have in common: in ABNF and in RFC 822 case does not
// count.
func (r *reader) fold(name string) string {
	if r.notation == "abnf" || r.notation == "rfc822" {
		return lowerASCII(name)
	}
	return name
}

// knownID returns the ID that a name is, or the name itself.
func (r *reader) knownID(name string) string { return cmp.Or(r.names[r.fold(name)], name) }

// id returns the ID of a name that is used: of what its part defines, or else of what one other
// part does.
func (r *reader) id(t token) string {
	samePart := func(a, b token) bool { return a.part == b.part }
	homes := slices.CompactFunc(slices.Clone(r.homes[r.fold(t.text)]), samePart) // the first in each part
	if len(homes) == 0 {
		return r.knownID(t.text)
	}
	i := slices.IndexFunc(homes, func(home token) bool { return len(homes) == 1 || samePart(home, t) })
	r.must(i >= 0, "there is more than one %s", t.text)
	name := homes[i].text
	words := r.prefixes[homes[i].part] // @ ids PREFIX all, or shared
	prefix, always := words[2], words[3] == "all"
	if (always || len(homes) > 1) && prefix != name+"_" {
		return prefix + name
	}
	return name
}

// body returns the term of a rule. A rule is defined once, or several times by the same, and may
// then be added to.
func (r *reader) body(id string) (x int) {
	if x, ok := r.bodies[id]; ok {
		return x
	}
	r.must(r.rules[id] != nil, "not covered: %s is not defined", id)
	place := r.place
	for i, d := range r.rules[id] {
		name := d[0]
		r.place = name.place
		r.tokens = append(slices.Clip(d[1:]), token{place: name.place})
		y := r.alternatives(endOfRule)
		adds := name.kind == addsToName
		if adds && i > 0 {
			y = r.alt(x, y)
		}
		r.must(adds == (i > 0) || i > 0 && x == y, "%s is defined twice, or added to nothing", id)
		x = y
	}
	r.bodies[id] = r.intern(term{kind: "rule", side: r.side, name: id}) // while it is settled
	r.depth++
	r.bodies[id] = r.settle(x)
	r.depth--
	r.place = place
	return r.bodies[id]
}

// settle returns a term in which the name of a rule that is one byte of a set is that set.
func (r *reader) settle(x int) int {
	if y, ok := r.settled[x]; ok {
		return y
	}
	t, y := r.all[x], x
	t.a, t.b = r.settle(t.a), r.settle(t.b)
	switch t.kind {
	case "alt":
		y = r.alt(t.a, t.b) // neighbors may be sets now
	case "rule":
		if b := r.body(t.name); r.all[b].kind == "bytes" {
			y = b
		}
	default:
		y = r.intern(t)
	}
	r.settled[x] = y
	return y
}

// next takes the next token.
func (r *reader) next() token {
	t := r.tokens[0]
	r.tokens = r.tokens[1:]
	r.place = t.place
	return t
}

// alternatives reads what is before a token of this kind, and that token.
func (r *reader) alternatives(end tokenKind) int {
	var all, list []int // the alternatives, and the elements of the one that is being read
	for {
		kind := r.tokens[0].kind
		switch {
		case r.bracketAlone(end, len(all) > 0, len(list) > 0):
			c := int(kind[0])
			list = append(list, r.byteRange(c, c))
			r.next()
		case kind == or || kind == end:
			r.must(len(list) > 0 || r.notation == "rfc1630", "expected an element")
			all = append(all, joinRight(r.seq, append(list, empty)))
			list = nil
			r.next()
			if kind == end {
				return joinRight(r.alt, all)
			}
		default:
			list = append(list, r.element(false))
		}
	}
}

// bracketAlone reports whether a bracket stands here that is all of an alternative. In RFC 1630 it
// is a character then. Inside of brackets, the first alternative cannot be one.
func (r *reader) bracketAlone(end tokenKind, hasAlternatives, hasElements bool) bool {
	kind := r.tokens[0].kind
	isBracket := kind == openBracket || kind == closeBracket
	begins := !hasElements && (end == endOfRule || hasAlternatives)
	if r.notation != "rfc1630" || !isBracket || !begins {
		return false
	}
	after := r.tokens[1].kind
	return after == endOfRule || after == or
}

// element reads an element, which a lookahead or a count may be before, or a count behind.
func (r *reader) element(counted bool) (x int) {
	r.depth++
	r.must(r.depth < maxDepth, "nested too deeply")
	defer func() { r.depth-- }()
	switch t := r.next(); t.kind {
	case lookahead:
		return r.lookahead(t.text)
	case count:
		r.must(!counted, "there are two counts")
		return r.repeat(r.element(true), t.text)
	case literal:
		x = r.literal(t.text)
	case anyCase, exactText, values:
		x = r.text(t)
	case valueRange:
		r.covered(t)
		r.must(t.values[0] <= t.values[1], "not covered: the range %s", t.text)
		x = r.byteRange(t.values[0], t.values[1])
	case class:
		x = r.class(t.text)
	case anyChar:
		x = r.class("[^]")
	case usesName:
		x = r.name(t)
	case openParen:
		x = r.alternatives(closeParen)
	case openBracket:
		x = r.alternatives(closeBracket)
		if !counted || r.notation != "rfc822" { // in RFC 1738, brackets behind a count only group
			x = r.alt(x, empty)
		}
	default:
		r.must(false, "unexpected or not covered: %q", t.text)
	}
	if r.tokens[0].kind == suffix {
		x = r.repeat(x, map[string]string{"?": "*1", "*": "*", "+": "1*"}[r.next().text])
	}
	if r.tokens[0].kind == goCode { // an action, which is assumed to do nothing
		r.next()
	}
	return x
}

// lookahead reads the element that a lookahead is about: !a is not a, and &a is !!a.
func (r *reader) lookahead(sign string) int {
	x := r.element(false)
	if x == r.class("[^]") { // some character is there: some byte is
		x = r.byteRange(0, 255)
	}
	x = r.intern(term{kind: "not", a: x})
	if sign == "&" {
		x = r.intern(term{kind: "not", a: x})
	}
	return x
}

// covered refuses a value that is not a byte for certain. Those of ASCII are; and others where all
// values are bytes.
func (r *reader) covered(t token) {
	top := slices.Max(append(t.values, 0))
	quoted := t.kind == anyCase || t.kind == exactText
	r.must(top < 128 || top < 256 && (!r.wide || quoted), "not covered: the value %s of a character", t.text)
}

// text returns the term of a text or of values: their bytes one after the other.
func (r *reader) text(t token) int {
	r.covered(t)
	var list []int
	for _, n := range t.values {
		x := r.byteRange(n, n)
		if lower := n | 0x20; t.kind == anyCase && 'a' <= lower && lower <= 'z' {
			x = r.alt(x, r.byteRange(n^0x20, n^0x20))
		}
		list = append(list, x)
	}
	return joinRight(r.seq, append(list, empty))
}

// name returns the term of a name that is used. RFC 1630 has two that are characters.
func (r *reader) name(t token) int {
	if r.notation == "rfc1630" {
		switch t.text {
		case "space":
			return r.byteRange(' ', ' ')
		case "vline":
			return r.byteRange('|', '|')
		}
	}
	return r.intern(term{kind: "rule", side: r.side, name: r.id(t)})
}

// repeat reads a count: 3, 1*, *4, 2*4 or *. Then 2*4a = a a ( a ( a / "" ) / "" ), and 2*a = a a
// *a.
func (r *reader) repeat(a int, count string) int {
	const bits = 13 // so that a count is spelt out in reasonable time
	low, high, _ := strings.Cut(count, "*")
	least, err1 := strconv.ParseUint("0"+low, 10, bits)
	most, err2 := strconv.ParseUint("0"+cmp.Or(high, low), 10, bits)
	r.must(err1 == nil && err2 == nil && least <= most, "not covered: the count %s", count)
	x := empty
	if strings.HasSuffix(count, "*") {
		x = r.intern(term{kind: "star", a: a})
	}
	for range most - least {
		x = r.alt(r.seq(a, x), empty)
	}
	for range least {
		x = r.seq(a, x)
	}
	return x
}
