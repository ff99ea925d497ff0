package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file turns a grammar into terms. First the tokens are collected for each rule, under its ID.
// The tokens of a rule are parsed into a term when a line of the certificate first needs the rule,
// so that a grammar may have rules which the checker does not cover.

// A definition is the tokens of one definition of a name. The first is the name; it has the kind
// definesName or addsToName, or, in an assumption of the certificate, endOfRule.
type definition []token

// A reader reads a grammar, which may consist of several parts. Parts may define the same name, so
// a production is known by its ID: the name, or the name with the prefix that its part declares in
// a line "@ ids". See idOf. Its methods use must too: they panic at a text that is wrong, or is in
// a part of the notation that is not covered.
type reader struct {
	*terms
	side, notation string

	prefixes  [][]string              // of each part, the words of its line "@ ids PREFIX all"
	definedAt map[string][]token      // by folded name, the names in all definitions of it
	ids       []string                // of the definitions in the file, in order
	idOfName  map[string]string       // by folded ID, the first such ID; see knownID
	rules     map[string][]definition // by ID

	bodies         map[string]int // the term of each parsed rule, by ID
	inlined        map[int]int    // the results of inlineByteRules
	valuesAreChars bool           // some value is above 255, so values are not bytes

	tokens []token // the rest of the rule that is being parsed
	depth  int     // of nesting, at present
}

// maxDepth caps the nesting of elements in a rule, and of rules that are parsed for another rule.
const maxDepth = 10000

var (
	notationLine = regexp.MustCompile(`(?m)^@ notation (?:(abnf|rfc822|rfc1630)$)?`)
	headLines    = regexp.MustCompile(`^(?:(?:@ .*|[ \t\f\r]*;.*|[ \t\f\r]*)\n)*$`)
	assumeLine   = regexp.MustCompile(`^assume ([^ ]*) = (.*) because .`)
	capitals     = regexp.MustCompile(`[A-Z]+`)
)

// readGrammar adds the reader of a side to t.sides, with the tokens of all rules in the text. The
// assumed lines of the certificate then replace or add right-hand sides, and each adds a line to
// t.report. file and certificate are names of files, for places. It fails for a notation that is not
// covered, and where no token begins. The right-hand sides are not parsed yet.
func (t *terms) readGrammar(side, file, text, certificate string, assumed []string) {
	r := &reader{
		terms:     t,
		side:      side,
		notation:  side,
		prefixes:  [][]string{make([]string, 4)},
		definedAt: map[string][]token{},
		idOfName:  map[string]string{},
		rules:     map[string][]definition{},
		bodies:    map[string]int{},
		inlined:   map[int]int{empty: empty},
	}
	t.sides[side] = r
	t.place = file
	text = strings.TrimPrefix(text, "\ufeff")
	if side == "bnf" {
		if !strings.Contains(text, "\n") {
			// The lines of such a file, and with them its comments, end at carriage returns alone.
			text = strings.ReplaceAll(text, "\r", "\n")
		}
		r.notation = "abnf"
		lines := notationLine.FindAllStringSubmatchIndex(text, -1)
		if len(lines) > 0 {
			at := lines[0]
			atHead := len(lines) == 1 && headLines.MatchString(text[:at[0]])
			t.must(atHead, "not covered: the notation, which one line at the head of a file gives")
			t.must(at[2] >= 0, "not covered: the notation")
			r.notation = text[at[2]:at[3]]
		}
	}
	// An ID depends on all parts that define the name, so all definitions are read first.
	for _, d := range r.splitDefinitions(file, text) {
		id := r.idOf(d[0])
		r.ids = append(r.ids, id)
		r.rules[id] = append(r.rules[id], d)
		r.idOfName[r.foldName(id)] = r.knownID(id)
	}
	for i, line := range assumed {
		number := i + 2 // after the first line of the certificate
		t.place = fmt.Sprintf("%s:%d", certificate, number)
		r.addAssumption(file, certificate, line, number)
	}
}

// splitDefinitions returns the definitions in the text of a file. It also fills r.prefixes, which
// must have an entry for what stands before the first part line, r.definedAt and r.valuesAreChars.
// Before its first definition a part may have only an "@ ids" line and, in a PEG, Go code: the
// initializer. Whatever follows a definition in its part belongs to it; body fails where it does
// not fit there.
func (r *reader) splitDefinitions(file, text string) (list []definition) {
	// In RFC 1630 a production begins after an empty line: the first one may lack it.
	text = "\n\n" + text
	for _, t := range r.lex(file, text, -1, 0) {
		last := len(list) - 1
		t.part = len(r.prefixes) - 1
		isWide := func(n int) bool { return n > 255 }
		r.valuesAreChars = r.valuesAreChars || slices.ContainsFunc(t.values, isWide)
		switch {
		case t.kind == partLine:
			r.prefixes = append(r.prefixes, make([]string, 4))
		case t.kind == definesName || t.kind == addsToName:
			list = append(list, definition{t})
			name := r.foldName(t.text)
			r.definedAt[name] = append(r.definedAt[name], t)
		case last >= 0 && list[last][0].part == t.part: // not the first definition of its part
			list[last] = append(list[last], t)
		case t.kind == prefixLine:
			r.prefixes[t.part] = strings.Split(t.text, " ")
		default:
			r.place = t.place
			r.must(t.kind == goCode, "expected a rule, found %q", t.text)
		}
	}
	return list
}

// addAssumption reads an assume line of the certificate, which stands at the line with this number:
// its right-hand side replaces all definitions of the production, and adds one that nothing defines.
// It adds a line to the report, since whoever runs certcheck must agree to it. It fails at a second
// assumption about a production, and at a defined name that is no ID.
func (r *reader) addAssumption(file, certificate, line string, number int) {
	m := assumeLine.FindStringSubmatch(line)
	r.must(m != nil, "expected assume NAME = EXPRESSION because REASON")
	id := r.knownID(m[1])
	// A name that several parts define, or a part with a prefix, is not an ID: an assumption about it would pass by the
	// definitions without a word.
	defined := len(r.definedAt[r.foldName(m[1])]) > 0
	r.must(r.rules[id] != nil || !defined, "%s is defined: the assumption must name it by its ID", m[1])
	part := -1
	says := "assumed: " + strings.TrimPrefix(line, "assume ")
	if old := r.rules[id]; old != nil {
		r.must(old[0][0].kind != endOfRule, "there are two assumptions about %s", id)
		part = old[0][0].part
		says += ", instead of what " + file + " has"
	}
	name := token{place: r.place}
	d := append(definition{name}, r.lex(certificate, m[2], number, part)...)
	r.idOfName[r.foldName(id)] = id
	r.rules[id] = []definition{d}
	r.report = append(r.report, says)
}

// lowerASCII returns a name with the letters A to Z in lower case.
func lowerASCII(name string) string { return capitals.ReplaceAllStringFunc(name, strings.ToLower) }

// foldName maps all spellings of a name to one: case does not count in ABNF and in RFC 822.
func (r *reader) foldName(name string) string {
	if r.notation == "abnf" || r.notation == "rfc822" {
		return lowerASCII(name)
	}
	return name
}

// knownID returns the ID that is spelled like the name except for case. If there is none, it
// returns the name.
func (r *reader) knownID(name string) string {
	id := r.idOfName[r.foldName(name)]
	return cmp.Or(id, name)
}

// idOf returns the ID of the production that a name token defines or refers to. That is the one in
// the token's own part or, if this part has none, the one in the only part that defines the name;
// it fails if several others do. The ID has the part's prefix if several parts define the name, or
// if the part's line "@ ids" says "all"; but a prefix that repeats the name is left out. If no part
// defines the name, an assumption may: then it is the knownID.
func (r *reader) idOf(t token) string {
	samePart := func(a, b token) bool { return a.part == b.part }
	all := slices.Clone(r.definedAt[r.foldName(t.text)])
	first := slices.CompactFunc(all, samePart) // the first definition in each part
	if len(first) == 0 {
		return r.knownID(t.text)
	}
	i := slices.IndexFunc(first, func(def token) bool { return len(first) == 1 || samePart(def, t) })
	r.must(i >= 0, "there is more than one %s", t.text)
	name := first[i].text
	words := r.prefixes[first[i].part] // @ ids PREFIX all, or @ ids PREFIX shared
	prefix, always := words[2], words[3] == "all"
	if (always || len(first) > 1) && prefix != name+"_" {
		return prefix + name
	}
	return name
}

// body returns the term of a rule. The first call for a rule parses it, which uses up r.tokens: it
// must not come while another rule is being parsed. It fails for a rule that is not defined, or has
// something that is not covered. A rule is refused if its first definition is one with =/, or if a
// later one without =/ does not repeat what the definitions before it make together. References to
// rules that are a set of bytes are replaced by the set; a call for this rule meanwhile returns a
// reference to it.
func (r *reader) body(id string) (x int) {
	if x, parsed := r.bodies[id]; parsed {
		return x
	}
	r.must(r.rules[id] != nil, "not covered: %s is not defined", id)
	place := r.place
	for i, d := range r.rules[id] {
		name := d[0]
		r.place = name.place
		r.tokens = append(slices.Clip(d[1:]), token{place: name.place}) // of the kind endOfRule
		y := r.parseAlternatives(endOfRule)
		adds := name.kind == addsToName
		if adds && i > 0 {
			y = r.alt(x, y)
		}
		isFirst := i == 0 && !adds
		extends := i > 0 && adds
		repeats := i > 0 && x == y
		r.must(isFirst || extends || repeats, "%s is defined twice, or added to nothing", id)
		x = y
	}
	// While inlineByteRules visits the rules that this one uses, one of them may ask for this body.
	// Until it is known, the answer is a reference to this rule.
	r.bodies[id] = r.intern(term{kind: "rule", side: r.side, name: id})
	r.depth++
	r.bodies[id] = r.inlineByteRules(x)
	r.depth--
	r.place = place
	return r.bodies[id]
}

// inlineByteRules returns x with each reference to a rule that is a set of bytes replaced by the
// set. To find out, it parses all rules that x refers to, and fails as body does. It goes into both
// parts of every term. A term that lacks one has the empty term there, which r.inlined has from the
// beginning.
func (r *reader) inlineByteRules(x int) int {
	if y, done := r.inlined[x]; done {
		return y
	}
	t, y := r.all[x], x
	t.a, t.b = r.inlineByteRules(t.a), r.inlineByteRules(t.b)
	switch t.kind {
	case "alt":
		y = r.alt(t.a, t.b) // neighbors that are sets now become one
	case "rule":
		if body := r.body(t.name); r.all[body].kind == "bytes" {
			y = body
		}
	default:
		y = r.intern(t) // as r.seq would: no part becomes empty, or a sequence
	}
	r.inlined[x] = y
	return y
}

// takeToken removes the next token of the rule, returns it, and makes its place the current one.
func (r *reader) takeToken() token {
	t := r.tokens[0]
	r.tokens = r.tokens[1:]
	r.place = t.place
	return t
}

// parseAlternatives parses one or more alternatives up to a token of the kind end, and takes that
// token too. In RFC 1630 an alternative may be empty; elsewhere it fails at one.
func (r *reader) parseAlternatives(end tokenKind) int {
	var alternatives []int
	var elements []int // of the alternative that is being parsed
	for {
		kind := r.tokens[0].kind
		switch {
		case r.isLoneBracket(end, len(alternatives) > 0, len(elements) > 0):
			c := int(kind[0])
			elements = append(elements, r.byteRange(c, c))
			r.takeToken()
		case kind == or || kind == end:
			r.must(len(elements) > 0 || r.notation == "rfc1630", "expected an element")
			alternatives = append(alternatives, joinRight(r.seq, append(elements, empty)))
			elements = nil
			r.takeToken()
			if kind == end {
				return joinRight(r.alt, alternatives)
			}
		default:
			elements = append(elements, r.parseElement(false))
		}
	}
}

// isLoneBracket reports whether the next token is a bracket that is a whole alternative. In RFC 1630 such a bracket is
// a character. end is the kind of the token that ends the alternatives. The flags say whether there are alternatives
// before it, and elements in it, that have been parsed. Within brackets neither the first alternative nor the last can
// be one: [ ] and [ [ | a ] ] have empty alternatives instead.
func (r *reader) isLoneBracket(end tokenKind, hasAlternatives, hasElements bool) bool {
	kind := r.tokens[0].kind
	isBracket := kind == openBracket || kind == closeBracket
	begins := !hasElements && (end == endOfRule || hasAlternatives)
	if r.notation != "rfc1630" || !isBracket || !begins {
		return false
	}
	after := r.tokens[1].kind
	return after == endOfRule || after == or
}

// parseElement takes the tokens of an element with its lookahead sign, count or suffix, and an action after
// it, and returns its term. counted is set if a count has been taken already, so that it fails at a second
// one. It also fails at a token that begins no element or is not covered, and beyond maxDepth.
func (r *reader) parseElement(counted bool) (x int) {
	r.depth++
	r.must(r.depth < maxDepth, "nested too deeply")
	defer func() { r.depth-- }()
	switch t := r.takeToken(); t.kind {
	case lookahead:
		return r.parseLookahead(t.text)
	case count:
		r.must(!counted, "there are two counts")
		return r.repeatTerm(r.parseElement(true), t.text)
	case literal:
		x = r.literalTerm(t.text)
	case anyCase, exactText, values:
		x = r.textTerm(t)
	case valueRange:
		r.requireBytes(t)
		r.must(t.values[0] <= t.values[1], "not covered: the range %s", t.text)
		x = r.byteRange(t.values[0], t.values[1])
	case class:
		x = r.classTerm(t.text)
	case anyChar:
		x = r.classTerm("[^]")
	case usesName:
		x = r.nameTerm(t)
	case openParen:
		x = r.parseAlternatives(closeParen)
	case openBracket:
		x = r.parseAlternatives(closeBracket)
		onlyGroups := counted && r.notation == "rfc822" // in RFC 1738, *[ a ] repeats a
		if !onlyGroups {
			x = r.alt(x, empty)
		}
	default:
		r.must(false, "unexpected or not covered: %q", t.text)
	}
	if r.tokens[0].kind == suffix {
		switch r.takeToken().text {
		case "?":
			x = r.repeatTerm(x, "*1")
		case "*":
			x = r.repeatTerm(x, "*")
		case "+":
			x = r.repeatTerm(x, "1*")
		}
	}
	if r.tokens[0].kind == goCode { // an action: assumed to have no effect on matching
		r.takeToken()
	}
	return x
}

// parseLookahead parses the element after a lookahead sign, and returns the term for both. &a is
// !!a.
func (r *reader) parseLookahead(sign string) int {
	x := r.parseElement(false)
	anyCharacter := r.classTerm("[^]") // the term of . as well
	if x == anyCharacter {             // there is a character if, and only if, there is a byte
		x = r.byteRange(0, 255)
	}
	x = r.intern(term{kind: "not", a: x})
	if sign == "&" {
		x = r.intern(term{kind: "not", a: x})
	}
	return x
}

// requireBytes fails unless the values of a token are bytes of the input. Quoted text is bytes, and
// so are values in ASCII. Values from 128 to 255 are bytes unless some value in the file is above
// 255: then all of them are characters.
func (r *reader) requireBytes(t token) {
	top := slices.Max(append(t.values, 0))
	quoted := t.kind == anyCase || t.kind == exactText
	areBytes := top < 128 || top < 256 && (quoted || !r.valuesAreChars)
	r.must(areBytes, "not covered: the value %s of a character", t.text)
}

// textTerm returns the term of a quoted text or of values: the sequence of their bytes, each letter
// in both cases if the text ignores case. It fails for values that are no bytes.
func (r *reader) textTerm(t token) int {
	r.requireBytes(t)
	const caseBit = 'a' - 'A'
	var list []int
	for _, n := range t.values {
		x := r.byteRange(n, n)
		if lower := n | caseBit; t.kind == anyCase && 'a' <= lower && lower <= 'z' {
			other := n ^ caseBit
			x = r.alt(x, r.byteRange(other, other))
		}
		list = append(list, x)
	}
	return joinRight(r.seq, append(list, empty))
}

// nameTerm returns the term of a reference to a production, which need not be defined: body fails
// then. In RFC 1630, the names "space" and "vline" stand for characters. It fails as idOf does.
func (r *reader) nameTerm(t token) int {
	if r.notation == "rfc1630" {
		switch t.text {
		case "space":
			return r.byteRange(' ', ' ')
		case "vline":
			return r.byteRange('|', '|')
		}
	}
	return r.intern(term{kind: "rule", side: r.side, name: r.idOf(t)})
}

// repeatTerm returns the term for a, repeated as a count says: 3, 1*, *4, 2*4 or *. Counts are
// spelled out: 2*4a is a a ( a ( a / "" ) / "" ), and 2*a is a a *a. It fails for a count above
// 8191, or whose ends are out of order.
func (r *reader) repeatTerm(a int, count string) int {
	const bits = 13 // a count of at most 8191 is spelled out in reasonable time
	low, high, _ := strings.Cut(count, "*")
	least, err1 := strconv.ParseUint("0"+low, 10, bits)              // 0 if there is no number
	most, err2 := strconv.ParseUint("0"+cmp.Or(high, low), 10, bits) // least without an upper end
	counts := err1 == nil && err2 == nil && least <= most
	r.must(counts, "not covered: the count %s", count)
	x := empty
	if strings.HasSuffix(count, "*") { // no upper end
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
