package regex

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of Ruby, whose engine is Onigmo. It ignores case as no other does: several characters can be one in
// another case ("ss" and U+00DF), and classes have rules of their own.
//
// https://docs.ruby-lang.org/en/3.1/Regexp.html and doc/RE of Onigmo

var ruby = dialect{
	engine: "Ruby 3.1", strings: "strings are UTF-8", unicode: runes.OfRuby31, tables: "Ruby 3.1",
	has: these(remembers, backtracks, finalNewline, lineEnd, namesAlone, lookaheadRepeats, lookbehindRepeats,
		anchorsRepeat, simpleLookbehinds, isolatedFlags, dotAllIsM, wholeFlagGroups, escapedComments,
		lazyQuantifiers, stacked, countThenOption, below, numbersChecked, anyNeedsAtom, emptyQuote, properties,
		caretProperties, keep, callEscapes, namedReferences, references, wideTypes, backspace, latinWords,
		refusedBracket, posixClasses, nested, lostComplements, soleCharacter, crossFolds, emptyStopsRepeats),
	lacks: these(colonsRefused, numberedCharacters, beyondAlphabet, fullFolds, bracedReferences,
		unsetIsEmpty, bareConditions, plainCounts, ownParser, brokenUTF8, noZero, delimited, crlf, strict,
		strayParen, verbs, spacedGroups, groupsFixed, flagsFirst, strictFlags, resetFlags, doubleX,
		flagsRepeatPrior, scopedFlags, flagsOnce, asciiExtended, pairedComments, spacedQuantifiers,
		spacedClasses, belowNothing, refusedBelow, emptyRepeats, countNeedsAtom, quote,
		strayQuoteEnd, letterProperties, upperZIsEnd, boundaryNeedsText, doubtfulBreaks, namesMakeK,
		octalReferences, looseReferences, checkedReferences, asciiFolds, doubtfulAscii, emptySet, posixScanned,
		posixBegun, collating, oddIntersection, plainClasses, dashAtEnds, looseRanges),

	types: "dDwWsShHR", anchors: "AZzGbB", controls: "aefnrtv", refused: "X",
	groups: ": = ! <= <! > <n 'n # (n f", flags: "aimux", possess: "?*+", repeats: 100000, nesting: 1000,

	openBrace: read, disorder: refused, sameName: refused, otherName: refused, half: wrong,
	bareProperty: refused, typeInRange: refused, bareFlags: wrong, refusedInClass: "R X",
	errorsInClass: noLetters, refusedRanges: noLetters, refusedDash: "[", refusedOperators: noWords,
	lookbehind: fixedBranches, isName: isRubyName, plainName: nameAsWritten,

	newlines: newline, space: asciiSpace, wideSpace: rubySpace, wideWord: rubyWord, horizontalSpace: xdigits,
	boundary: rubyBoundary, fold: runes.FoldSimple, foldTypes: foldNever,

	begin: beginRuby, finish: finishRuby, flag: (*parser).rubyFlag, literal: (*scanner).rubyLiteral,
	delimiters: "/", calls: []call{rubyCall}, symbol: rubySymbol, property: rubyProperty, posixClass: rubyClass,
}

// isRubyName reports whether a name of a group may have a character: anything but ")", and at its beginning but "-"
// and decimal digits. The library's own expressions have such names: (?<hier-part>...). A backslash is not read here,
// since Ruby looks for escapes before it looks for names.
func isRubyName(_ *runes.Unicode, c rune, first bool) bool {
	if first {
		return c != '-' && c != '\\' && !unicode.IsDigit(c)
	}
	return c != ')' && c != '\\'
}

var rubyWriting = Writing{
	Open: `\A`, Shut: `\z`, Group: "(?<", OtherInName: "_", FirstInName: "_", Escaped: "/", InClass: `\][^/`,
	Never: "(?!)", ReadAs: "ruby",
	Extended: true,
	Modes:    []Mode{{Short: true, Hex: true}},
	Point:    rubyPoint,
	Source:   asItIs, Reads: asItIs,
}

// rubyPoint writes a character by its number. \xFF would be an octet.
func rubyPoint(r rune) string {
	if r < 0x80 {
		return javascriptPoint(r)
	}
	return fmt.Sprintf(`\u{%X}`, r)
}

// rubySpace returns \s under the flag u.
func rubySpace(u *runes.Unicode) set { return u.Table("White_Space") }

// rubyWord returns \w under the flag u.
func rubyWord(u *runes.Unicode) set {
	return u.Table("L", "M", "Nd", "Nl", "Pc", "Other_Alphabetic")
}

// rubyBoundary returns the word characters of \b, whatever the other flags: those of Unicode and latinNumbers, or
// under the flag a those of ASCII. It leaves the flags as they are, and sets p.usesTables as typeSet does.
func rubyBoundary(p *parser) set {
	outer := p.flags
	defer func() { p.flags = outer }()
	p.fold, p.unicode = false, !p.ascii
	if p.unicode {
		return p.typeSet('w').Or(latinNumbers)
	}
	return p.typeSet('w')
}

// beginRuby is dialect.begin of Ruby: it sets the flag that all expressions of Ruby have, and returns 0, since the
// expression begins with its pattern.
func beginRuby(p *parser, _ *literal) int {
	p.multiline = true
	return 0
}

// checkLeadingAny refuses an expression, or a branch of it, that begins with an assertion and then .* or .+ in mode m.
// Ruby 3.1 looks for such a match at the first places of a text only: \b(?m:.+) is not found in "  a". After \A and ^,
// which hold at the first place, that is right. asserted reports that an assertion stands before n.
func (p *parser) checkLeadingAny(n *node, asserted bool) {
	for _, part := range inSequence(n) {
		_, most := p.width(part)
		switch {
		case part.op == opEmpty || part.at < len(p.Text) && p.Text[part.at] == '^' || part.anchor == '^':
		case most == 0:
			asserted = true
		case part.op == opAlt:
			for _, branch := range part.sub {
				p.checkLeadingAny(branch, asserted)
			}
			return
		case asserted && part.op == opRepeat && part.max < 0 && slices.Equal(part.sub[0].set, p.any()):
			p.refuse(part.at, "a repetition of any character after an assertion at the beginning is not supported, "+
				"since Ruby 3.1 may miss a match")
		default:
			return
		}
	}
}

// finishRuby is dialect.finish of Ruby. It adds the assumption that \z and \Z are found, which Ruby may miss, for an
// expression that has one of them and a character of p.uneven, and does not begin with \A. It refuses what
// checkLeadingAny does.
func finishRuby(p *parser, n *node) {
	p.checkLeadingAny(n, false)
	if first := slices.Concat([]*node{n}, n.sub)[min(len(n.sub), 1)]; p.sawEndAnchor && p.uneven &&
		first.anchor != '^' {
		p.assume(`ruby: what \z and \Z end is found also where a character is written with more bytes than its other case; Ruby 3.1 misses it`)
	}
}

// rubySymbol is dialect.symbol of Ruby. It knows \x, \u, control characters and octal numbers. It fails for \x or \u
// with too few digits, and refuses \C, \M, a \c without a letter, a number in braces as braced does, an octal number
// that begins with an 8 or 9, and an octal number or \x above 7F. An unknown escape is the character itself.
func rubySymbol(p *parser, at int, c rune, _ bool) rune {
	v := c
	switch {
	case c == 'x':
		v = p.hexadecimal(at, c, 1, 2)
	case c == 'u' && p.next("{"):
		return p.braced(at, 16)
	case c == 'u':
		return p.hexadecimal(at, c, 4, 4)
	case c == 'c' && p.seesLetter():
		p.index++
		return p.src[p.index-1] & 0x1f
	case c == 'c', c == 'C', c == 'M':
		p.refuse(at, "this \\%c is not supported", c)
	case c >= '0' && c <= '9':
		v = p.octal(at, 3, byteOctal)
	default:
		return c
	}
	if v >= utf8.RuneSelf {
		p.refuse(at, "a byte of a character is not supported")
	}
	return v
}

// rubyProperty returns a class of POSIX, "any", a script, or a general category by its name of one or two letters,
// whatever the case of the letters in these names. A category by its long name is found only as package runes spells
// it. It is false for any other name.
func rubyProperty(p *parser, name string) (set, bool) {
	if strings.EqualFold(name, "punct") { // [[:punct:]] also has some signs of ASCII
		return p.Unicode.Table("P"), true
	}
	if s, ok := rubyClass(p, 0, strings.ToLower(name), false); ok {
		return s, true
	}
	if strings.EqualFold(name, "any") {
		return p.any(), true
	}
	for _, script := range p.Unicode.Scripts() {
		if strings.EqualFold(script, name) {
			return p.Unicode.Script(script)
		}
	}
	if len(name) == 1 || len(name) == 2 {
		name = strings.ToUpper(name[:1]) + strings.ToLower(name[1:])
	}
	return p.Unicode.Category(name)
}

// rubyClass returns a class with a POSIX name, whose members are Unicode's except for ascii and xdigit; false for any
// other name. For a name that it knows, even these two, it sets p.usesTables.
func rubyClass(p *parser, _ int, name string, _ bool) (s set, ok bool) {
	alpha := p.Unicode.Table("L", "Nl", "Other_Alphabetic")
	graph := p.Unicode.Table("White_Space", "Cc", "Cs", "Cn").Not(p.last)
	s, ok = map[string]set{
		"alpha": alpha, "alnum": alpha.Or(p.Unicode.Table("Nd")), "digit": p.Unicode.Table("Nd"), "xdigit": xdigits,
		"cntrl": p.Unicode.Table("Cc"), "upper": p.Unicode.Table("Lu", "Other_Uppercase"), "ascii": of(0, 0x7f),
		"lower": p.Unicode.Table("Ll", "Other_Lowercase"), "space": p.Unicode.Table("White_Space"),
		"blank": p.Unicode.Table("Zs").Or(chars("\t")), "punct": p.Unicode.Table("P").Or(chars("$+<=>^`|~")),
		"word": alpha.Or(p.Unicode.Table("M", "Nd", "Pc")), "graph": graph, "print": graph.Or(p.Unicode.Table("Zs")),
	}[name]
	p.usesTables = p.usesTables || ok
	return s, ok
}

// foldRuby completes the node n of a character where case is ignored; n.set must have the character in each case. It
// sets n.lit, in lower case, so that joined finds those that are one together, and p.uneven if another case of the
// character has another length in UTF-8. It refuses characters that Ruby equates with several, and those of micro.
func (p *parser) foldRuby(at int, c rune, n *node) {
	if folded.Has(c) {
		p.refuse(at, "a character that is several in another case")
	}
	if micro.Has(c) {
		p.refuse(at, "U+%04X where case is ignored: Ruby 3.1 finds its last byte inside of U+00B5", c)
	}
	for _, s := range n.set {
		p.uneven = p.uneven || utf8.RuneLen(s.Lo) != utf8.RuneLen(c)
	}
	if n.lit = unicode.ToLower(c); c == '\u017f' {
		n.lit = 's'
	}
}

// combining reports whether a character may be the second of two that are one character in another case, where one of
// the two is beyond ASCII.
func (p *parser) combining(c rune) bool {
	greek, _ := p.Unicode.Script("Greek")
	armenian, _ := p.Unicode.Script("Armenian")
	return c == 0x2be || c == 'n' || greek.Has(c) || armenian.Has(c) || p.Unicode.Table("M").Has(c)
}

// twins are characters that are equal to another in full case mapping, and not in simple. Ruby equates the two where
// they stand alone, but not in a class.
var twins = of(0x390, 0x390, 0x3b0, 0x3b0, 0x1fd3, 0x1fd3, 0x1fe3, 0x1fe3, 0xfb05, 0xfb06)

// micro has the micro sign and the letters that are the same where case is ignored.
var micro = of(0xb5, 0xb5, 0x39c, 0x39c, 0x3bc, 0x3bc)

// latinNumbers are superscripts and fractions. Ruby 3.1 takes them for letters or digits in \b, and under the flag u in
// \w by itself, but neither in a class nor in [[:word:]].
var latinNumbers = of(0xb2, 0xb3, 0xb9, 0xb9, 0xbc, 0xbe)

// joined returns the parts of a sequence with a choice where several characters can be one in another case, as in
// Ruby: "ss" is also U+00DF. The first such place and all that follows it become one part, a choice: the ligatures
// come first, in alphabetical order, and then the characters as they are, each with what follows, joined too. It
// refuses pairs for which it does not know whether they join, more than mostJoined parts in the branches of these
// choices, and choices that are nested more than maxDepth/8 deep. If there is such a choice it sets p.usesTables.
func (p *parser) joined(list []*node) []*node {
	for i, n := range list {
		if n.lit == 0 {
			continue
		}
		options := []*node{}
		for _, text := range slices.Sorted(maps.Keys(ligatures)) { // in an order that is the same in every run
			if len(list)-i < len(text) {
				continue
			}
			same := true
			for j, c := range text {
				same = same && list[i+j].lit == c && (j == 0 || !list[i+j].alone)
			}
			if same {
				p.countJoined(n.at, len(list)-i)
				p.usesTables = true
				options = append(options, seq(slices.Insert(p.joined(list[i+len(text):]), 0, one(ligatures[text]))...))
			}
		}
		// Pairs that are not among the ligatures.
		if i+1 < len(list) && list[i+1].lit != 0 {
			next := list[i+1]
			if max(n.lit, next.lit) >= utf8.RuneSelf && p.combining(next.lit) {
				p.refuse(next.at, "two characters that may be one in another case")
			}
		}
		if len(options) > 0 {
			if p.depth++; p.depth > maxDepth/8 {
				p.refuse(n.at, joinsTooMany)
			}
			p.countJoined(n.at, len(list)-i)
			// The last option: n by itself.
			options = append(options, seq(slices.Insert(p.joined(list[i+1:]), 0, n)...))
			p.depth--
			all := seq(alt(options...)) // one part, so that in a lookbehind all branches must have one length
			all.place(n.at, list[len(list)-1].end)
			return append(slices.Clone(list[:i]), all)
		}
	}
	return slices.Clone(list)
}

// mostJoined caps the parts that joined puts into branches. Each branch of a choice has all that follows it, so their
// number can double with each "ss".
const mostJoined = 1 << 18

const joinsTooMany = "too many characters that together are one in another case"

// countJoined counts the parts that joined is about to put into a branch, for all calls together, and refuses those
// beyond mostJoined.
func (p *parser) countJoined(at, parts int) {
	if p.joinedParts += parts; p.joinedParts > mostJoined {
		p.refuse(at, joinsTooMany)
	}
}

// joinsItself reports whether the last character of n and the first of another n after it may be one in another case.
func (p *parser) joinsItself(n *node) bool {
	first, last := edge(n, false), edge(n, true)
	if first == 0 || last == 0 {
		return false
	}
	if len(ligatures[string([]rune{last, first})]) > 0 {
		return true
	}
	return max(first, last) >= utf8.RuneSelf && p.combining(first)
}

// edge returns the lit of the first part of n or, if last is set, of the last one, inside of nested sequences. It is 0
// if that part is no character that may be joined to others.
func edge(n *node, last bool) rune {
	for n.op == opSeq && len(n.sub) > 0 {
		i := 0
		if last {
			i = len(n.sub) - 1
		}
		n = n.sub[i]
	}
	return n.lit
}

// rubyLiteral finds /.../flags and %r{...}flags, with any punctuation for the braces, or a text in quotes that may be
// meant. As Ruby's lexer does, it drops a \ before the closing mark, unless that is a sign of expressions, and one
// before a line end with that. It is nil for any other text, and panics for a literal that is not closed, has flags
// that are not letters, or inserts a value, with #{...}, #$x or #@x.
func (s *scanner) rubyLiteral() *literal {
	text, from := s.text, s.from
	kind, mark := "/.../", text[from]
	if rest := text[from:]; len(rest) > 2 && rest[:2] == "%r" && isPunctuation(rest[2]) {
		from += 2
		mark = text[from]
	} else if mark != '/' {
		return s.quotes(`"'`, `'`, "") // #{...} is an error in both
	}
	closes := mark
	if other := brackets[mark]; other != 0 {
		closes = other
	}
	if from > s.from {
		kind = "%r" + string(mark) + "..." + string(closes)
	}
	end := s.closing(from+1, mark, closes)
	if end < 0 {
		s.unclosed(kind, string(closes))
	}
	l := &literal{}
	for i := from + 1; i < end; i++ {
		c, next := text[i], byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case c == '\\' && next == '\n': // the line goes on
			i++
			continue
		// The lexer keeps the \ before these characters.
		case c == '\\' && next == closes && !strings.ContainsRune("$*+.?^|)]}>", rune(next)):
			i++
		case c == '\\':
			l.add(c, i)
			i++
		case c == '#' && interpolates(text[i+1:]):
			s.refuse(i, "what #%c inserts is not known", next)
		}
		l.add(text[i], i)
	}
	l.close(end)
	return s.flagged(kind, end, l)
}

// interpolates reports whether the text after a # makes Ruby insert a value: #{...}, or a variable such as #@a, #@@a,
// #$a, #$1, #$~ or #$-w. Other signs are characters: #@1, #$-1 and #$^ insert nothing (parser_peek_variable in parse.y
// of Ruby 3.1).
func interpolates(behind string) bool {
	if behind == "" {
		return false
	}
	rest := behind[1:]
	switch behind[0] {
	case '{':
		return true
	case '@':
		return beginsRubyName(strings.TrimPrefix(rest, "@"))
	case '$':
		if option, ok := strings.CutPrefix(rest, "-"); ok {
			return beginsRubyName(option)
		}
		const special = "0123456789~*$?!@/\\;,.=:<>\"&`'+"
		return beginsRubyName(rest) || rest != "" && strings.IndexByte(special, rest[0]) >= 0
	}
	return false
}

// beginsRubyName reports whether the name of a variable can begin a text.
func beginsRubyName(text string) bool {
	return text != "" && (text[0] >= utf8.RuneSelf || isWordByte(text[0]) && !('0' <= text[0] && text[0] <= '9'))
}

// rubyFlag sets the flag c of Ruby; false if Ruby has none such. The flags o and u change nothing; n, e and s, which
// are for other encodings, are refused.
func (p *parser) rubyFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 'x':
		p.setFlag(&p.flags, c, true, at)
	case 'o', 'u': // o concerns inserted values; strings are UTF-8 in any case
	case 'n', 'e', 's':
		p.refuse(at, "the flag %c, for another encoding, is not supported", c)
	default:
		return false
	}
	return true
}

// foldRubyClass returns the set of a class in Ruby whose case is ignored, not yet complemented. Ruby relates ASCII to
// ASCII and the rest to the rest. Between the two it relates only members that cross. Other cases from U+0080 to U+00FF
// do not count, since Ruby never finds them. It refuses twins and, unless the class will be complemented (not),
// characters that are several in another case.
func (p *parser) foldRubyClass(at int, m members, not bool) set {
	s := m.all
	ascii := of(0, 0x7f)
	rest := ascii.Not(p.last)
	more := p.folded(s.And(ascii)).And(ascii).Or(p.folded(s.And(rest)).And(rest), p.folded(s.And(m.cross)))
	// Not those from 0x80 to 0xff: Ruby adds them among the characters of one byte, where it never finds them.
	s = s.Or(more.And(of(0x80, 0xff).Not(p.last)))
	if !not && len(s.And(folded)) > 0 || len(s.And(twins)) > 0 {
		p.refuse(at, "a class with a character that is several in another case")
	}
	return s
}
