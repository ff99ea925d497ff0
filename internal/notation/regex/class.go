package regex

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// escape reads the rest of an escape outside of a class, after its "\", and reports whether a quantifier may follow.
// at is the offset of the "\". \G is the beginning of the input. \z and \Z set p.sawEndAnchor, \K is entered in
// p.keeps, a reference in p.recalls and a call in p.calls; \R may add an assumption. It fails for a "\" at the end,
// refuses the escapes that the engine has and that are not read here, and stops the parser as backreference,
// bracedReference, referNamed, callEscape, typeEscape, symbol and character do.
func (p *parser) escape(at int) (n *node, repeatable bool) {
	if !p.more() {
		p.fail(at, "a \\ at the end")
	}
	c := p.src[p.index]
	anchor := func(n *node) (*node, bool) { return n, p.repeatsAnchors() }
	if p.d.anchors.has(c) {
		p.index++
		p.sawEndAnchor = p.sawEndAnchor || c == 'z' || c == 'Z'
		switch c {
		case 'A', 'G', '`':
			return anchor(p.caret(false))
		case 'z', '\'':
			return anchor(p.end())
		case 'Z':
			if p.d.has[upperZIsEnd] {
				return anchor(p.end())
			}
			return anchor(p.dollar(false))
		}
		word := p.d.boundary(p)
		if n = boundary(word, c == 'B'); c == '<' || c == '>' {
			n = seq(behind(one(word), c == '<'), ahead(one(word), c == '>'))
		}
		if p.d.has[boundaryNeedsText] {
			n = seq(alt(behind(one(p.any()), false), ahead(one(p.any()), false)), n)
		}
		return anchor(n)
	}
	switch {
	case c == 'R' && p.d.types.has('R'):
		p.index++
		if p.d.has[doubtfulBreaks] {
			p.assume(`pcre: \R is read as documented; auto-possessification of PCRE2 10.42 errs where \s follows \R?`)
		}
		return &node{op: opAtomic, sub: []*node{alt(seq(one(cr), one(newline)), one(vertical.And(p.any())))}}, true
	case c == 'K' && p.d.has[keep]:
		p.index++
		p.keeps = append(p.keeps, at)
		return &node{op: opEmpty}, p.repeatsAnchors() && !p.d.has[numberedCharacters] // Perl forbids \K*
	case p.d.refused.has(c):
		p.refuse(at, "\\%c is not supported", c)
	case c == 'g' && (p.d.has[callEscapes] || p.d.has[bracedReferences]):
		p.index++
		for _, q := range []string{"<>", "''"} {
			if p.d.has[callEscapes] && p.next(q[:1]) {
				return p.callEscape(at, q[1:]), true
			}
		}
		return p.bracedReference(at), true
	case c == 'k' && (p.d.has[namedReferences] || p.d.has[namesMakeK] && p.hasNames):
		p.index++
		quotes := []string{"<>"}
		if p.d.has[bracedReferences] {
			quotes = append(quotes, "''", "{}")
		}
		for _, q := range quotes {
			if p.next(q[:1]) {
				return p.referNamed(at, q[1:]), true
			}
		}
		p.refuse(at, "this form of a backreference is not supported")
	case '1' <= c && c <= '9' && p.d.has[references]:
		if n := p.backreference(at); n != nil {
			return n, true
		}
	}
	if p.d.has[crossFolds] && p.fold && (c == 'p' || c == 'P') {
		s, not := p.property()
		return one(p.foldClass(at, p.typeMembers(s, false), not)), true
	}
	if s, ok := p.typeEscape(); ok {
		// \w and \W have these only where they stand by themselves, not in a class.
		if p.d.has[latinWords] && p.unicode && c == 'w' {
			s = s.Or(latinNumbers)
		} else if p.d.has[latinWords] && p.unicode && c == 'W' {
			s = s.And(latinNumbers.Not(p.last))
		}
		return one(s), true
	}
	return p.character(at, p.symbol(at, false)), true
}

// callEscape reads the call of a group after "\g<" or "\g'", up to and past mark. The group is named, or has a number
// that may count from here, with a sign. Digits that are more than eight, or after two signs, are a name, which no
// group has. The call is entered in p.calls. It fails without the mark, as groupFrom does, and in flavors with
// namesAlone for a number other than 0 where groups have names.
func (p *parser) callEscape(at int, mark string) *node {
	name := p.until(mark, "the call")
	n := &node{op: opCall, name: name, at: at}
	digits := name
	if name != "" && (name[0] == '+' || name[0] == '-') {
		digits = name[1:]
	}
	if digits != "" && strings.Trim(digits, "0123456789") == "" && len(digits) < 9 {
		n.name = ""
		v := 0
		for _, c := range digits {
			v = 10*v + int(c-'0')
		}
		n.group = p.groupFrom(at, rune(name[0]), v)
		if p.d.has[namesAlone] && p.hasNames && n.group > 0 {
			p.fail(at, "a call by number where groups have names")
		}
	}
	return p.recordCall(n)
}

// groupFrom returns the number of the group that a call means by v after a sign: the groups count from here, those
// before it after a "-", and those to come after a "+". Any other sign stands for none, and v is returned. It fails for
// 0 after a sign, and for a group before the first. Whether there are as many to come is checked when all are read.
func (p *parser) groupFrom(at int, sign rune, v int) int {
	switch {
	case sign != '+' && sign != '-':
		return v
	case v == 0 || sign == '-' && v > p.groupCount:
		p.fail(at, "there is no group `%c%d`, counted from here", sign, v)
	case sign == '+':
		return p.groupCount + v
	}
	return p.groupCount + 1 - v
}

// backreference reads a reference by number, after its "\". It returns nil and reads nothing if the digits to come
// are the number of a character instead. It fails for a group that the expression does not have, if the flavor has
// checkedReferences. It refuses a number of several digits, which engines take apart in several ways, in Ruby any
// number where groups have names, and what refer does.
func (p *parser) backreference(at int) *node {
	start := p.index
	v, n := p.number(10, 9)
	p.index = start
	groups := p.captures
	octal := func(most int) bool {
		defer func() { p.index = start }()
		_, n := p.number(8, most)
		return n == most
	}
	switch {
	case p.d.has[looseReferences] && int(v) > groups:
		return nil
	case p.d.has[octalReferences] && n >= 3 && octal(3):
		return nil
	case p.d.has[checkedReferences] && int(v) > groups:
		p.fail(at, "there is no group %d", v)
	case n > 1, p.d.has[namesAlone] && p.hasNames:
		p.refuse(at, "this form of a backreference is not supported")
	}
	p.index++
	return p.refer(at, int(v))
}

// bracedReference reads a backreference after its "\g": a number, or in braces a number or a name. A number with a
// minus counts back from here. It refuses any other form, and each that the flavor does not have, and stops the parser
// as refer and referNamed do.
func (p *parser) bracedReference(at int) *node {
	if p.d.has[bracedReferences] {
		braced, start := p.next("{"), p.index
		back := p.next("-")
		digits := p.index
		switch v, n := p.number(10, 9); {
		case n == 0 && braced && !back:
			p.index = start
			return p.referNamed(at, "}")
		case n > 0 && p.src[digits] != '0' && (!braced || p.next("}")):
			if back {
				v = rune(p.groupCount) + 1 - v
			}
			return p.refer(at, int(v))
		}
	}
	p.refuse(at, "this form of a backreference is not supported")
	return nil
}

// countCaptures counts the capturing groups of the whole expression, read or not. Like the engine's own first
// pass it looks for nothing but parentheses outside of classes, so that it counts those in comments too.
func (p *parser) countCaptures() (n int) {
	class := false
	for i := 0; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '(' && !class:
			if beginsCapture(p.src[i+1:]) {
				n++
			}
		}
	}
	return n
}

// beginsCapture reports whether the "(" before rest begins a group that captures: no "?" follows, or the "?<" or "?P<"
// of a name, which is not the "?<=" or "?<!" of a lookbehind.
func beginsCapture(rest []rune) bool {
	switch {
	case len(rest) == 0 || rest[0] != '?':
		return true
	case len(rest) < 3:
		return false
	}
	return rest[1] == 'P' && rest[2] == '<' || rest[1] == '<' && rest[2] != '=' && rest[2] != '!'
}

// typeEscape reads an escape for a class, such as \d or \pL, after its "\". The text must not end there. ok is false,
// and nothing is read, if another escape follows. It refuses \N{...}. In flavors with numberedCharacters it refuses
// only the name of a character there: a number is another escape, and \N{2} is \N with a quantifier. It stops the
// parser, and sets p.usesTables and p.sawWide, as property and typeSet do.
func (p *parser) typeEscape() (s set, ok bool) {
	c := p.src[p.index]
	switch {
	case (c == 'p' || c == 'P') && p.d.has[properties]:
		start := p.index
		s, not := p.property()
		if p.d.has[ownParser] && p.Unicode.Version == runes.OfGo {
			return p.goProperty(`\` + string(p.src[start:p.index])), true
		}
		return p.foldedTypeSet(s, not), true
	case c == 'N' && p.d.types.has(c):
		numbered := p.d.has[numberedCharacters]
		switch {
		case numbered && p.sees("N{U+"):
			return nil, false
		case numbered && p.seesCount(p.index+1): // \N{2} is \N twice
		case numbered && p.sees("N{"):
			p.refuse(p.offset(), "the name of a character is not known here; write its number, as in \\N{U+E9}")
		case p.sees("N{"):
			p.refuse(p.offset()+1, "\\N{...} is not supported")
		}
		p.index++
		return newline.Not(p.last), true
	case p.d.types.has(c) && c != 'R':
		p.index++
		return p.typeSet(c), true
	}
	return nil, false
}

// seesCount reports whether the symbol at an index is a brace that begins a count.
func (p *parser) seesCount(index int) bool {
	if index+1 >= len(p.src) || p.src[index] != '{' {
		return false
	}
	return digit(p.src[index+1]) < 10 || p.src[index+1] == ','
}

var (
	digits     = of('0', '9')
	word       = of('0', '9', 'A', 'Z', '_', '_', 'a', 'z')
	xdigits    = of('0', '9', 'A', 'F', 'a', 'f')
	horizontal = of(9, 9, ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f,
		0x205f, 0x205f, 0x3000, 0x3000)
	vertical = of(0x0a, 0x0d, 0x85, 0x85, 0x2028, 0x2029)
)

// typeSet returns the class of the escape of c, which is one of d, w, s, h and v or, for the complement, their
// capital, under the flags of the moment. It refuses what Python 3.11 compiles inconsistently (see [flags.mixed]). It
// sets p.usesTables if the class, before the complement is taken, has a symbol beyond ASCII.
func (p *parser) typeSet(c rune) (s set) {
	if p.mixed { // re._compiler compiles the first symbol of a match by the flags of the whole expression
		p.refuse(p.at[max(p.index-2, 0)],
			"\\%c in a group with the flag a or u: Python 3.11 looks for it without that flag where a match begins", c)
	}
	wide := p.unicode && p.d.has[wideTypes]
	switch unicode.ToLower(c) {
	case 'd':
		s = digits
		if wide {
			s = p.Unicode.Table("Nd")
		}
	case 'w':
		s = word
		if wide {
			s = p.d.wideWord(p.Unicode)
		}
		if p.d.has[strict] && p.fold {
			s = p.folded(s)
		}
	case 's':
		s = p.d.space(p.Unicode)
		if wide {
			s = p.d.wideSpace(p.Unicode)
		}
	case 'h':
		s = p.d.horizontalSpace
	case 'v':
		s = vertical
	}
	p.usesTables = p.usesTables || len(s) > 0 && s[len(s)-1].Hi >= utf8.RuneSelf
	return p.foldedTypeSet(s, unicode.IsUpper(c))
}

// foldedTypeSet returns the class s of an escape, complemented if not is set, without symbols beyond the alphabet.
// The flavor says whether case is ignored before the complement is taken, after that, or not at all; see folded,
// which may set p.usesTables.
func (p *parser) foldedTypeSet(s set, not bool) set {
	if p.d.foldTypes == foldBefore {
		s = p.folded(s)
	}
	if s = s.And(p.any()); not {
		s = s.Not(p.last)
	}
	if p.d.foldTypes == foldAfter {
		s = p.folded(s)
	}
	return s
}

// property reads \p{...} or \P{...}, after the "\". It returns the property itself, and whether its complement is
// meant. It sets p.usesTables and p.sawWide. It stops the parser for a name that is not known, or that engines differ
// on, for braces that are not closed, for a letter without braces in flavors without letterProperties, and under the
// flag a.
func (p *parser) property() (s set, not bool) {
	at := p.offset() - 1
	not = p.src[p.index] == 'P'
	p.index++
	p.sawWide = true
	if p.ascii {
		p.refuse(at, "a property under the flag a is not supported")
	}
	name := ""
	switch {
	case p.next("{"):
		name = p.until("}", "the property")
	case p.more() && p.d.has[letterProperties]:
		name = string(p.src[p.index])
		p.index++
	default:
		p.stop(p.d.bareProperty, at, "a property needs { and }")
	}
	p.usesTables = true
	if p.d.has[ownParser] {
		if _, err := syntax.Parse(p.Text[at:p.offset()], syntax.Perl); err != nil {
			p.fail(at, "%v", err)
		}
	}
	full := name
	if p.d.has[caretProperties] && strings.HasPrefix(name, "^") {
		not, name = !not, name[1:]
	}
	s, ok := p.d.property(p, name)
	if !ok {
		p.refuse(at, "the property `%s` is not supported", full)
	}
	if not && p.classSets && p.fold && !strings.Contains(name, "=") {
		// ECMAScript folds a property and then negates it. V8 11.3 does otherwise for some that are yes or no
		// (Lowercase, ASCII, Math and more), so that no reading of these is right in every engine. It agrees on general
		// categories.
		if _, general := p.Unicode.Category(name); !general {
			p.refuse(at, "\\P{%s} with the flags i and v is not supported: engines differ", full)
		}
	}
	return s, not
}

// symbol reads the escape of one symbol, after its "\", and returns the symbol. The text must not end there. at is the
// offset of the "\", and class says that the escape stands in a class. What is no escape fails or is refused, as
// dialect.symbol decides.
func (p *parser) symbol(at int, class bool) rune {
	c := p.src[p.index]
	p.index++
	if i := strings.IndexRune("abefnrtv", c); i >= 0 && p.d.controls.has(c) || c == 'b' && class && p.d.has[backspace] {
		// b is in the string, so i is its index as well
		return rune("\a\b\x1b\f\n\r\t\v"[i])
	}
	return p.d.symbol(p, at, c, class)
}

// checkedSymbol returns v, the number that an escape has for a symbol. It stops the parser if v is no symbol, or half
// of a surrogate pair where the flavor does not read that. A symbol beyond the alphabet, which some flavors have, sets
// p.sawWide and p.sawBeyond; where case is ignored it is refused.
func (p *parser) checkedSymbol(at int, v rune) rune {
	half := v >= 0xd800 && v <= 0xdfff && p.last == lastPoint
	if half {
		p.stop(p.d.half, at, "half of a surrogate pair is not supported")
	}
	switch {
	case v <= p.last:
	case !p.d.has[beyondAlphabet]:
		p.fail(at, "%X is the number of no character", v)
	case p.fold:
		p.refuse(at, "a character above \\xff where case is ignored is not supported")
	default:
		p.sawWide, p.sawBeyond = true, true
	}
	return v
}

// class reads a class from after its "[", which is at an offset, past its "]", and sets its place. In flavors with
// soleCharacter a class of one character is that character, with alone set. With the flag v of JavaScript a negated
// class has once set. A text such as [:alpha:], outside of another class, fails in flavors with posixScanned, and is
// refused in those with colonsRefused. class stops the parser as classMembers, setClass, foldClass and character do.
func (p *parser) class(at int) *node {
	if p.d.has[posixScanned] && (p.sees(":") || p.sees(".") || p.sees("=")) && p.posixSyntax() {
		p.fail(at, "[%c...%c] stands in a class only, as in [[%c...%c]]", p.src[p.index], p.src[p.index],
			p.src[p.index], p.src[p.index])
	}
	if p.classSets {
		negated := p.sees("^")
		n := one(p.setClass(at))
		n.once = negated
		n.at, n.end = at, p.offset()
		return n
	}
	start := p.index
	m, not := p.classMembers(at)
	if p.d.has[colonsRefused] && isBetweenColons(p.src[start:p.index-1]) {
		p.refuse(at, "[:...:] stands in a class, as in [[:...:]]; by itself it is a class of characters to some "+
			"programs and an error to others")
	}
	var n *node
	if c := m.all; p.d.has[soleCharacter] && !not && len(c) == 1 && c[0].Lo == c[0].Hi { // Ruby reads [a] as a
		n = p.character(at, c[0].Lo)
		n.alone = true
	} else {
		n = one(p.foldClass(at, m, not))
	}
	n.at, n.end = at, p.offset()
	return n
}

// setClass reads a class of the flag v from after its "[" past its "]": a union of parts, or operands between && or
// between --. It fails where these are mixed, where the class is not closed, and where setOperand does. It refuses
// classes that nest more than maxDepth deep, and what V8 reads otherwise than ECMAScript: [^], and -- where case is
// ignored.
func (p *parser) setClass(at int) (s set) {
	if p.depth++; p.depth > maxDepth {
		p.refuse(at, "classes are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	not := p.next("^")
	if not && p.sees("]") { // V8 11.3 lets [^]{2} match one character
		p.refuse(at, "[^] with the flag v is not supported")
	}
	between, ranges := "", false
	for n := 0; !p.next("]"); n++ {
		from, sign := p.offset(), ""
		for _, o := range []string{"&&", "--"} {
			if p.next(o) {
				sign = o
			}
		}
		if sign == "&&" && p.sees("&") { // the grammar of ClassIntersection has [lookahead ≠ &] after &&
			p.fail(from, "a third & needs a \\ before it")
		}
		if n == 1 {
			between = sign
		}
		t, isRange := p.setOperand(at)
		if ranges = ranges || isRange; sign != between || ranges && between != "" {
			p.fail(from, "the parts of a class are joined, or stand between && or --, and these are no ranges")
		}
		switch sign {
		case "&&":
			s = s.And(t)
		case "--":
			if p.fold { // V8 11.3 keeps what ECMAScript takes away
				p.refuse(from, "-- where case is ignored is not supported")
			}
			s = s.And(t.Not(p.last))
		default:
			s = s.Or(t)
		}
	}
	if not {
		s = s.Not(p.last)
	}
	return s
}

// setOperand reads one part of a class of the flag v: a class, an escape, a symbol or a range. isRange reports that
// it is a range, which no operator may follow. class is the offset of the class around it, for the error that it is
// not closed. setOperand fails for a symbol that needs a \, and for a range out of order, and refuses \q{...} and an
// escape such as \P{Any}, which no symbol matches. It stops the parser as setClass, typeEscape and parser.symbol do.
func (p *parser) setOperand(class int) (s set, isRange bool) {
	from := p.offset()
	// symbol reads one symbol, as it is or as an escape.
	symbol := func() rune {
		if !p.more() {
			p.fail(class, "the class is not closed by ]")
		}
		const double = "&!#$%*+,.:;<=>?@^`~" // signs that are reserved where they stand twice
		c := p.src[p.index]
		switch p.index++; {
		case c == '\\' && p.sees("q{"):
			p.refuse(from, "\\q{...} is not supported")
		case c == '\\' && p.more() && strings.ContainsRune("&-!#%,:;<=>@`~", p.src[p.index]):
			p.index++
			return p.src[p.index-1]
		case c == '\\' && p.more():
			return p.symbol(from, true)
		case strings.ContainsRune(`()[]{}/-\|`, c), strings.ContainsRune(double, c) && p.sees(string(c)):
			p.fail(from, "`%c` needs a \\ before it", c)
		}
		return c
	}
	if p.next("[") {
		return p.setClass(from), false
	}
	if p.sees(`\`) && p.index+1 < len(p.src) { // an escape for a class, or else symbol reads it
		p.index++
		if s, ok := p.typeEscape(); ok {
			if len(s) == 0 { // V8 11.3 crashes at [\P{Any}]
				p.refuse(from, "a property that no character has is not supported in a class with the flag v")
			}
			return s, false
		}
		p.index--
	}
	lo := symbol()
	hi := lo
	if p.sees("-") && !p.sees("--") {
		p.index++
		if hi = symbol(); hi < lo {
			p.fail(from, "a range from %U to %U", lo, hi)
		}
		isRange = true
	}
	return p.folded(of(lo, hi)), isRange
}

// Members are the symbols of a class. In Ruby they are those before case is ignored, and cross has those whose other
// cases beyond ASCII, or in ASCII, count too. In other flavors case is ignored in them already, and cross is not used.
// complement reports that an escape such as \D is among them as written, at any depth.
type members struct {
	all, cross set
	complement bool
}

func (m members) or(n members) members {
	return members{m.all.Or(n.all), m.cross.Or(n.cross), m.complement || n.complement}
}

func (m members) and(n members) members {
	return members{m.all.And(n.all), m.cross.And(n.cross), m.complement || n.complement}
}

// foldClass returns the set of the class with these members, complemented if not is set. Ruby ignores case only here;
// for other flavors the members are folded already. It refuses what foldRubyClass does, which does not complement.
func (p *parser) foldClass(at int, m members, not bool) set {
	s := m.all
	if p.d.has[crossFolds] && p.fold {
		s = p.foldRubyClass(at, m, not)
	}
	if not {
		s = s.Not(p.last)
	}
	return s
}

// isBetweenColons reports whether the members of a class, as written, begin and end with a colon, with something
// between.
func isBetweenColons(members []rune) bool {
	if len(members) > 0 && members[0] == '^' {
		members = members[1:]
	}
	return len(members) > 2 && members[0] == ':' && members[len(members)-1] == ':'
}

// classMembers reads a class from after its "[" past its "]". It returns the members, which are not negated, and
// whether a "^" negates them. A "]" at the beginning is a member, except in flavors with emptySet or refusedBracket.
// It fails at a range that is out of order, at a class that does not end, and in flavors with dashAtEnds at a "-"
// that makes no range and is at neither end. It refuses operators that are not read here, what seesIgnoredInClass
// reports, \xdf by itself in a class without "^" where foldsFully holds, and classes that nest more than maxDepth deep.
// It treats an escape for a class as an end of a range as the flavor says, and stops the parser as classAtom does.
func (p *parser) classMembers(at int) (m members, not bool) {
	if p.depth++; p.depth > maxDepth {
		p.refuse(at, "classes are nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	not = p.next("^")
	single := set{} // symbols and ranges, whose case may be ignored
	var types, both members
	meets := false // there was a &&, and both has the members before it
	all := func() members {
		s := single.Clean()
		m := types.or(members{all: s, cross: s})
		if !p.d.has[crossFolds] {
			m.all = p.folded(s).Or(types.all)
		}
		if meets {
			m = m.and(both)
		}
		return m
	}
	first := true
	var order typeOrder
	for ; ; first = false {
		if !p.more() {
			p.fail(at, "the class is not closed by ]")
		}
		from := p.offset()
		switch {
		case p.seesRefusedOperator():
			p.refuse(from, "%c%[1]c in a class is not supported", p.src[p.index])
		case p.d.has[dashAtEnds] && !first && p.sees("-") && !p.sees("-]"):
			p.fail(from, "a - that is not at the beginning or the end of a class")
		case p.sees("]") && first && p.d.has[refusedBracket]:
			p.refuse(from, "a ] at the beginning of a class")
		case p.sees("]") && (!first || p.d.has[emptySet]):
			p.checkOrder(at, order, not)
			p.index++
			return all(), not
		case p.d.has[nested] && p.next("&&"):
			if p.d.has[oddIntersection] && (first || meets || p.sees("&") || p.sees("]")) {
				p.refuse(from, "this use of && in a class is not supported")
			}
			both, single, types, meets = all(), nil, members{}, true
			continue
		case p.seesIgnoredInClass():
			p.refuse(from, "what is ignored in a class is not supported")
		}
		begin := p.index
		lo, t, isType := p.classAtom(from)
		if isType {
			order.add(string(p.src[begin:p.index]))
			types = types.or(t)
			if p.sees("-") && !p.sees("-]") && !p.seesRefusedOperator() {
				if p.d.refusedRanges.has(p.src[p.index-1]) {
					p.refuse(from, "a - behind a class")
				}
				p.stop(p.d.typeInRange, from, "a class cannot begin a range")
				if p.d.has[looseRanges] {
					single = append(single, span{Lo: '-', Hi: '-'})
					p.index++
					if p.more() {
						if lo, t, isType := p.classAtom(p.offset()); isType {
							types = types.or(t)
						} else {
							single = append(single, span{Lo: lo, Hi: lo})
						}
					}
				}
			}
			continue
		}
		hi := lo
		for _, next := range strings.Fields(string(p.d.refusedDash)) {
			if p.sees("-" + next) {
				p.refuse(p.offset(), "a - before %s in a class is not supported", next)
			}
		}
		isRange := p.seesRange()
		if isRange {
			if p.index++; p.seesIgnoredInClass() {
				p.refuse(p.offset(), "what is ignored in a class is not supported")
			}
			hi, t, isType = p.classAtom(p.offset())
			if isType {
				if !p.d.has[looseRanges] {
					if p.d.typeInRange == refused || p.d.refusedRanges.has(p.src[p.index-1]) {
						p.refuse(from, "a class at the end of a range")
					}
					p.fail(from, "a class cannot end a range")
				}
				types = types.or(t)
				single = append(single, span{Lo: lo, Hi: lo}, span{Lo: '-', Hi: '-'})
				continue
			}
			if hi < lo {
				p.fail(from, "a range from %U to %U", lo, hi)
			}
		}
		if lo == hi && lo == sharpS && !not && p.foldsFully() {
			p.refuse(from, "\\xdf, which is also ss, in a class where case is ignored is not supported")
		}
		p.noteWide(wide{at: from, lo: lo, hi: hi, inClass: true, isRange: isRange})
		single = append(single, span{Lo: lo, Hi: hi})
	}
}

// seesIgnoredInClass reports whether the next symbol, which there must be, is one that a flag has the engine ignore in
// a class. It may report one that begins a comment.
func (p *parser) seesIgnoredInClass() bool {
	c := p.src[p.index]
	return p.doubled && (c == ' ' || c == '\t') || p.extended && p.d.has[spacedClasses] &&
		strings.ContainsRune(ignored, c)
}

// A typeOrder is what PCRE2 10.42 knows of the types in a class when it compiles it without (*UCP) (compile_branch): all
// characters beyond U+00FF are members if the last negated type or POSIX class was negated. So a POSIX class takes back
// what a \D before it said. In a negated class with a property, what \D says is not looked at.
type typeOrder struct{ negated, forgotten, property bool }

// add notes the next escape for a class or class in brackets, as it is written. One that typeOrder is not about, such
// as \d, changes nothing.
func (o *typeOrder) add(text string) {
	switch {
	case strings.HasPrefix(text, "[:^"), text == `\D`, text == `\S`, text == `\W`:
		o.negated, o.forgotten = true, false
	case strings.HasPrefix(text, "[:"):
		o.forgotten = o.negated
	case strings.HasPrefix(text, `\p`), strings.HasPrefix(text, `\P`):
		o.property = true
	}
}

// checkOrder refuses a class whose types have this order, and which is negated if not is set, where PCRE2 takes
// characters beyond U+00FF otherwise than its types say.
func (p *parser) checkOrder(at int, o typeOrder, not bool) {
	beyond := p.last == lastPoint && !p.unicode // there are such characters, and (*UCP) is not given
	if p.d.has[lostComplements] && !p.d.has[nested] && beyond && (o.forgotten || not && o.property && o.negated) {
		p.refuse(at, "a class with \\D or the like and [:...:] or \\p{...} is not supported: "+
			"PCRE2 10.42 loses characters beyond U+00FF there")
	}
}

// seesRange reports whether a - comes next that makes a range of the symbol before it and what follows. It does not at
// the end of the class or of the expression, as the beginning of an operator, or, where classes nest, before one or
// before &&.
func (p *parser) seesRange() bool {
	if !p.sees("-") || p.sees("-]") || p.index+1 == len(p.src) || p.seesRefusedOperator() {
		return false
	}
	return !p.d.has[nested] || !p.sees("-[") && !p.sees("-&&")
}

// seesRefusedOperator reports whether an operator of classes comes next that the flavor has and that is not read here.
func (p *parser) seesRefusedOperator() bool {
	return slices.ContainsFunc(strings.Fields(string(p.d.refusedOperators)), p.sees)
}

// classAtom reads one symbol of a class, as c, or a part that is a class itself: an escape such as \d, [:alpha:], or
// a class in brackets. For the latter isType is set, and m has its members, complemented already if it is negated.
// The text must not be at its end; at is the offset of the atom. A "[:" that begins no class is the symbol "[" in
// some flavors. classAtom stops the parser for an atom that the flavor does not have in a class, or that is not read
// here, such as what lostComplements names.
func (p *parser) classAtom(at int) (c rune, m members, isType bool) {
	c = p.src[p.index]
	p.index++
	switch {
	case c == '[' && p.d.has[posixClasses] && p.sees(":"):
		if p.d.has[posixScanned] && !p.posixSyntax() {
			break // [ is a character
		}
		if end := strings.Index(string(p.src[p.index:min(len(p.src), p.index+20)]), ":]"); end > 0 {
			p.index++
			name := p.until(":]", "the class")
			not := strings.HasPrefix(name, "^")
			s, ok := p.d.posixClass(p, at, strings.TrimPrefix(name, "^"), not)
			if !ok || p.ascii {
				p.refuse(at, "the class [:%s:] is not supported", name)
			}
			return 0, p.typeMembers(p.foldedTypeSet(s, not), strings.HasSuffix(name, "word") ||
				strings.HasSuffix(name, "ascii")), true
		}
		if !p.d.has[posixBegun] {
			p.refuse(at, "[: in a class")
		}
	case c == '[' && p.d.has[collating] && (p.sees(".") || p.sees("=")):
		if p.d.has[posixScanned] && !p.posixSyntax() {
			break
		}
		p.refuse(at, "this kind of class is not supported")
	case c == '[' && p.d.has[nested]:
		m, not := p.classMembers(at)
		if not && m.complement && p.d.has[lostComplements] {
			p.refuse(at, "a negated class in a class, with \\D or the like in it, is not supported: "+
				"Ruby 3.1 lets it match characters beyond ASCII")
		}
		if not {
			m.all, m.cross = m.all.Not(p.last), m.cross.Not(p.last)
		}
		return 0, m, true
	case c == '\\' && !p.d.has[plainClasses]:
		if !p.more() {
			p.fail(at, "a \\ at the end")
		}
		numbered := p.d.has[numberedCharacters] && p.sees("N{U+")
		if !numbered && slices.ContainsFunc(strings.Fields(string(p.d.refusedInClass)), p.sees) {
			p.refuse(at, "\\%c in a class is not supported", p.src[p.index])
		}
		if p.d.errorsInClass.has(p.src[p.index]) {
			p.fail(at, "\\%c in a class", p.src[p.index])
		}
		c := p.src[p.index]
		if s, ok := p.typeEscape(); ok {
			m := p.typeMembers(s, c == 'w' || c == 'W')
			m.complement = strings.ContainsRune("DHSW", c)
			return 0, m, true
		}
		return p.symbol(at, true), members{}, false
	}
	return c, members{}, false
}

// typeMembers returns the members of an escape or of a class with a name. In Ruby the classes of words and of ASCII do
// not cross.
func (p *parser) typeMembers(s set, words bool) members {
	if ascii := of(0, 0x7f); words || slices.Equal(s, ascii) || slices.Equal(s, ascii.Not(p.last)) {
		return members{all: s}
	}
	return members{all: s, cross: s}
}
