package regex

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of JavaScript. The flags u and v change what is an expression, and what its alphabet is: see
// strictJavascript.
//
// https://262.ecma-international.org/15.0/#sec-regexp-regular-expression-objects

var javascript = dialect{
	engine: "ECMAScript 2024", strings: "strings are UTF-16 without lone surrogates",
	unicode: runes.OfNode20, tables: "node 20.20",
	has: these(remembers, unsetIsEmpty, backtracks, delimited, lookaheadRepeats, lazyQuantifiers,
		countNeedsAtom, anyNeedsAtom, namesMakeK, references, looseReferences, checkedReferences, backspace,
		emptySet, looseRanges),
	lacks: these(colonsRefused, numberedCharacters, beyondAlphabet, fullFolds, bracedReferences,
		bareConditions, plainCounts, ownParser, brokenUTF8, noZero, finalNewline, crlf, lineEnd, strict,
		strayParen, verbs, spacedGroups, namesAlone, lookbehindRepeats, anchorsRepeat, groupsFixed,
		simpleLookbehinds, isolatedFlags, flagsFirst, strictFlags, resetFlags, doubleX, dotAllIsM,
		wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce, asciiExtended, escapedComments,
		pairedComments, spacedQuantifiers, spacedClasses, stacked, countThenOption, below, belowNothing,
		refusedBelow, numbersChecked, emptyRepeats, emptyStopsRepeats, quote, strayQuoteEnd, emptyQuote,
		properties, letterProperties, caretProperties, upperZIsEnd, boundaryNeedsText, doubtfulBreaks, keep,
		callEscapes, namedReferences, octalReferences, wideTypes, asciiFolds, latinWords, doubtfulAscii,
		refusedBracket, posixClasses, posixScanned, posixBegun, collating, nested, oddIntersection,
		lostComplements, plainClasses, dashAtEnds, soleCharacter, crossFolds),

	types: "dDwWsS", anchors: "bB", controls: "fnrtv", refused: noLetters, groups: ": = ! <= <! <n",
	flags: noLetters, possess: noLetters, repeats: 1<<63 - 1, nesting: 1000,

	openBrace: read, disorder: wrong, sameName: wrong, otherName: wrong, half: read, bareProperty: wrong,
	typeInRange: read, bareFlags: wrong, refusedInClass: noWords, errorsInClass: noLetters,
	refusedRanges: noLetters, refusedDash: noWords, refusedOperators: noWords, lookbehind: anyLength,
	isName: isJavascriptName, plainName: plainJavascriptName,

	newlines: chars("\n\r\u2028\u2029"), space: javascriptSpace, wideSpace: javascriptSpace,
	wideWord: asciiWord, horizontalSpace: noSet, boundary: typedBoundary, fold: runes.FoldUnits,
	foldTypes: foldAfter,

	begin: beginJavascript, finish: finishJavascript, flag: (*parser).jsFlag, literal: (*scanner).jsLiteral,
	delimiters: "/", calls: []call{jsCall}, symbol: javascriptSymbol, property: javascriptProperty,
	posixClass: asciiClass,
}

// javascript2025 has the flags of groups and the names that stand in several branches, of ECMAScript 2025.
//
// https://262.ecma-international.org/16.0/#sec-patterns
var javascript2025 = func() dialect {
	d := javascript
	d.engine, d.tables = "ECMAScript 2025", "node 26.10"
	d.has, d.lacks = d.has.with(scopedFlags, flagsOnce), d.lacks.without(scopedFlags, flagsOnce)
	d.groups, d.flags, d.sameName = ": = ! <= <! <n f", "ims", apart
	return d
}()

// strictJavascript returns the dialect d changed as the flag u changes it, or the flag v if sets is true: the
// exceptions for old programs are gone, and there are properties and references by name. Case is ignored by Unicode's
// simple folding. With v, an escape for a class is closed under case before its complement is taken.
func strictJavascript(d dialect, sets bool) *dialect {
	gained := []feature{strict, properties, namedReferences}
	lost := []feature{looseReferences, looseRanges, lookaheadRepeats}
	d.has = d.has.with(gained...).without(lost...)
	d.lacks = d.lacks.without(gained...).with(lost...)
	d.openBrace, d.typeInRange = wrong, wrong
	d.fold = runes.FoldSimple
	if sets {
		d.foldTypes = foldBefore
	}
	return &d
}

var javascriptWriting = Writing{
	Open: "^", Shut: "$", Group: "(?<", OtherInName: "_", FirstInName: "_", Escaped: "/", InClass: `\][^`,
	Never: "[]", ReadAs: "js",
	FlagsAfter: true, WideFlag: "u",
	Modes:  []Mode{{Short: true}, {Short: true, Fold: true, Flags: "i"}},
	Point:  javascriptPoint,
	Source: func(text, flags string) string { return "/" + text + "/" + flags },
	Reads:  func(text, flags string) string { return "/" + text + "/" + flags },
	Constants: &Constants{Comment: "// ", Constant: func(name, text string) string {
		return "export const " + name +
			" = " + text + ";"
	}},
}

// Since 2023 browsers read the attribute in mode v, before in mode u. Neither " nor & is there, so that it can be
// pasted.
var htmlPattern = Writing{
	Group: "(?<", OtherInName: "_", FirstInName: "_", Escaped: `/`, InClass: `()[]{}/-\|^`, ByNumber: `"&`,
	Never: "[^\\s\\S]", ReadAs: "js",
	Modes:  []Mode{{Short: true}},
	Point:  javascriptPoint,
	Source: asItIs,
	Reads:  func(text, _ string) string { return "/^(?:" + text + ")$/v" },
}

// The specification of JSON Schema has mode u.
var jsonSchema = Writing{
	Open: "^", Shut: "$", Group: "(?<", OtherInName: "_", FirstInName: "_", Escaped: "/", InClass: `\][^-`,
	Never: "[^\\s\\S]", ReadAs: "js",
	Modes:  []Mode{{Short: true}},
	Point:  javascriptPoint,
	Source: func(text, _ string) string { return strconv.Quote(text) },
	Reads:  func(text, _ string) string { return "/" + text + "/u" },
}

// isJavascriptName reports whether a name of a group may have a character: $, or one of an identifier (ECMA-262, 12.7).
// It looks c up in tables that are kept, since Property would make those of ID_Start and ID_Continue for each character.
func isJavascriptName(u *runes.Unicode, c rune, first bool) bool {
	switch {
	case c < utf8.RuneSelf:
		return c == '$' || isWordName(u, c, first)
	case c == '\u200c', c == '\u200d': // the joiners
		return !first
	case u.Table("Pattern_Syntax", "Pattern_White_Space").Has(c):
		return false
	}
	starts := u.Table("L", "Nl", "Other_ID_Start").Has(c)
	return starts || !first && u.Table("Mn", "Mc", "Nd", "Pc", "Other_ID_Continue").Has(c)
}

// nameEscape matches an escape in a name, two of them where they are the halves of a surrogate pair: a half in braces
// is none.
var nameEscape = regexp.MustCompile(
	`\\u(?:([Dd][89ABab][[:xdigit:]]{2})\\u([Dd][C-Fc-f][[:xdigit:]]{2})|([[:xdigit:]]{4})|\{0*([[:xdigit:]]{1,6})\})`)

// plainJavascriptName returns a name without its escapes: \u0061, \u{61}, and two of the first form for the halves of
// a surrogate pair. Two halves that stand in the name themselves, where symbols are UTF-16 units, are one character
// too. Anything else stays as it is.
func plainJavascriptName(symbols []rune) []rune {
	var joined []rune
	for _, c := range symbols {
		if last := len(joined) - 1; last >= 0 && utf16.DecodeRune(joined[last], c) != utf8.RuneError {
			joined[last] = utf16.DecodeRune(joined[last], c)
		} else {
			joined = append(joined, c)
		}
	}
	number := func(digits string) rune {
		v, _ := strconv.ParseUint(digits, 16, 32) // at most six digits
		return rune(v)
	}
	return []rune(nameEscape.ReplaceAllStringFunc(string(joined), func(escape string) string {
		m := nameEscape.FindStringSubmatch(escape)
		if m[1] != "" {
			return string(utf16.DecodeRune(number(m[1]), number(m[2])))
		}
		return string(number(m[3] + m[4])) // U+FFFD, which no name has, for half a pair and what is no character
	}))
}

// javascriptSpace returns \s, with all of White_Space and with the byte order mark.
func javascriptSpace(u *runes.Unicode) set {
	return chars("\t\n\v\f\r \ufeff\u2028\u2029").Or(u.Table("Zs"))
}

// beginJavascript is dialect.begin of JavaScript. It sets the alphabet: UTF-16 code units, or code points
// with the flag u or v, which also make the dialect strict. It returns 0, since the expression begins with
// its pattern. For a flag that is there twice, and for u with v, it stops the parser with an error, by a
// panic.
func beginJavascript(p *parser, l *literal) int {
	for i, c := range l.flags {
		if strings.ContainsRune(l.flags[:i], c) {
			p.fail(l.flagsAt+i, "the flag %c is there twice", c)
		}
	}
	if p.classSets && strings.ContainsRune(l.flags, 'u') {
		p.fail(l.flagsAt, "there are both of the flags u and v")
	}
	p.last = lastUnit
	if p.unicode {
		p.last = lastPoint
		p.dialect = strictJavascript(*p.dialect, p.classSets)
		p.d = p.dialect
	}
	return 0
}

// finishJavascript is dialect.finish of JavaScript: it refuses, by a panic, expressions that V8 compiles wrongly. In
// strict mode, where the least width of the expression is 0 and it has lookarounds, it adds the assumption that no
// match is looked for between the halves of a surrogate pair. That width is 0 also for a+ and the like.
func finishJavascript(p *parser, n *node) {
	p.checkRepeatedClasses(n)
	p.checkMixedCase(n)
	looks, _ := lookarounds(n)
	// After a failed match V8 advances by a code unit.
	if shortest, _ := p.width(n); p.d.has[strict] && shortest == 0 && looks {
		p.assume("js: no empty match is looked for between the halves of a surrogate pair, as ECMAScript " +
			"has it; V8 looks there too")
	}
}

// checkMixedCase refuses a class whose meaning depends on case, in an expression of js2025 with a group that changes
// the flag i. V8 of node 26 takes the case of one part for another's: /(?i-s:a)[\p{Lu}--S]/v matches "aa", and
// /(?-i:[^k]b|[\x0a-a])/i matches "b". Characters that are written are matched correctly, and so are classes that are
// the same in either case.
func (p *parser) checkMixedCase(n *node) {
	if !mixedCase.MatchString(p.Text) || !p.d.has[scopedFlags] {
		return
	}
	letters := p.Unicode.Table("Lu", "Ll", "Lt").And(of(utf8.RuneSelf, p.last))
	n.walk(func(s *node) {
		if s.op != opSet || s.plain {
			return
		}
		if some := s.set.And(letters); len(some) > 0 && !slices.Equal(some, letters) {
			p.refuse(s.at,
				"a class with letters beyond ASCII, beside a group that changes the flag i: node 26 "+
					"mistakes the case of some")
		}
		for _, how := range []runes.Fold{runes.FoldUnits, runes.FoldSimple} {
			if !slices.Equal(p.Unicode.Fold(how, s.set).And(p.any()), s.set.Clean()) {
				p.refuse(s.at,
					"a class with letters of one case, beside a group that changes the flag i: node 26 "+
						"mistakes the case of some")
			}
			if !p.d.has[strict] {
				break
			}
		}
	})
}

// mixedCase matches the beginning of a group that changes the flag i.
var mixedCase = regexp.MustCompile(`\(\?[ms-]*i`)

// javascriptSymbol is dialect.symbol of JavaScript. It reads numbers, octal ones too, and control characters. Without
// the flag u or v, an unknown escape is the character itself; with it, it is an error, unless the character is a sign
// of the syntax. So is \k in a class where groups have names. It stops the parser as looseHexadecimal, braced,
// javascriptControl and javascriptDigit do.
func javascriptSymbol(p *parser, at int, c rune, class bool) rune {
	if c == 'k' && class && p.hasNames {
		p.fail(at, "\\k in a class of an expression in which groups have names")
	}
	switch {
	case c == 'x':
		return p.looseHexadecimal(at, c, 2)
	case c == 'u' && p.d.has[strict] && p.next("{"):
		return p.braced(at, 16)
	case c == 'u':
		return p.paired(p.looseHexadecimal(at, c, 4))
	case c == 'c':
		return javascriptControl(p, at, class)
	case c >= '0' && c <= '9':
		return javascriptDigit(p, at, c)
	case p.d.has[strict] && !strings.ContainsRune(`^$\.*+?()[]{}|/`, c) && !(c == '-' && class):
		p.fail(at, "\\%c is no escape", c)
	}
	return c
}

// looseHexadecimal reads exactly n hexadecimal digits of the escape c, and returns the symbol with that number, or
// stops the parser as hexadecimal does. If there are fewer, it fails with the flag u or v, and otherwise reads none
// and returns c.
func (p *parser) looseHexadecimal(at int, c rune, n int) rune {
	start := p.index
	if _, digits := p.number(16, n); digits < n && !p.d.has[strict] {
		p.index = start
		return c
	}
	p.index = start
	return p.hexadecimal(at, c, n, n)
}

// javascriptControl reads \cA after its c; in a class without the flags u and v, a digit or "_" may stand for the
// letter. If none of these follows, it fails with one of the flags, and otherwise the \ is a character itself, and c
// is read again.
func javascriptControl(p *parser, at int, class bool) rune {
	if p.seesLetter() || class && !p.unicode && p.more() && word.Has(p.src[p.index]) {
		p.index++
		return p.src[p.index-1] & 0x1f
	}
	if p.unicode {
		p.fail(at, "\\c needs a letter")
	}
	p.index--
	return '\\'
}

// javascriptDigit reads \0, and without the flags u and v an octal number up to 377, after its first digit c; \8 and
// \9 are then the digits themselves. With one of the flags it fails for every other digit, and for \0 before a digit.
func javascriptDigit(p *parser, at int, c rune) rune {
	switch {
	case p.d.has[strict] && (c != '0' || p.more() && digit(p.src[p.index]) < 10):
		p.fail(at, "\\%c is no escape", c)
	case p.d.has[strict]:
		return 0
	case c >= '8':
		return c
	case c > '3':
		return p.octal(at, 2, byteOctal)
	}
	return p.octal(at, 3, byteOctal)
}

// javascriptProperty returns a property of ECMAScript, by its name or as script=name; false for any other name. In the
// flavor js2025 it is false for ASCII with i and v: there \p{ASCII} has U+017F and U+212A as other cases; V8 of node 26
// leaves them out, and that of node 20 does not.
func javascriptProperty(p *parser, name string) (set, bool) {
	if name == "ASCII" && p.classSets && p.fold && p.d.has[scopedFlags] {
		return nil, false
	}
	return p.Unicode.Property(name)
}

// checkRepeatedClasses refuses a class [^...] of the flag v below a quantifier, even ?, unless the class is all that
// the quantifier repeats. V8 11.3 compiles such a group several times, and negates the class each time anew:
// /^(?:[^a]x|[^a]y){2}$/v does not match "byby".
func (p *parser) checkRepeatedClasses(n *node) {
	n.walk(func(n *node) {
		if n.op == opRepeat && n.sub[0].op != opSet {
			n.walk(func(s *node) {
				if s.once {
					p.refuse(s.at, "[^...] with the flag v in a group that is repeated: node 20 compiles it wrongly")
				}
			})
		}
	})
}

// jsLiteral finds /.../flags, a String.raw, or a text in quotes that may be meant. It is nil for any other text. It
// panics for a text that begins with a / and is no such literal, for flags that are not letters, and where
// jsRawTemplate does. ECMAScript 2024, section 12.9.5: a / in a class does not close it.
func (s *scanner) jsLiteral() *literal {
	text := s.text
	if l := s.jsRawTemplate(); l != nil {
		return l
	}
	if text[s.from] != '/' {
		inserts := ""
		if s.text[s.from] == '`' {
			inserts = "${"
		}
		return s.quotes("\"'`", "", inserts)
	}
	class := false // in a class, where a / does not close the literal
	for i := s.from + 1; i < len(text); i++ {
		switch c, n := utf8.DecodeRuneInString(text[i:]); {
		case c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029':
			s.fail(i, "a newline inside of /.../")
		case c == '\\' && i+1 < len(text) && !strings.HasPrefix(text[i+1:], "\n") &&
			!strings.HasPrefix(text[i+1:], "\r"):
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class && i == s.from+1:
			s.fail(s.from, "// begins a comment")
		case c == '*' && i == s.from+1:
			s.fail(s.from, "/* begins a comment")
		case c == '/' && !class:
			return s.flagged("/.../", i, raw(text, s.from+1, i))
		default:
			i += n - 1
		}
	}
	s.unclosed("/.../", "/")
	return nil
}

// jsRawTemplate finds String.raw`...`, in which no escape has a meaning. It is nil for a text that does not begin so.
// It panics where the template does not end with the text, inserts a value, or has a carriage return, which JavaScript
// drops.
func (s *scanner) jsRawTemplate() *literal {
	const begin = "String.raw`"
	if !strings.HasPrefix(s.text[s.from:], begin) {
		return nil
	}
	from, end := s.from+len(begin), len(s.text)-1
	if s.closing(from, '`', '`') != end || strings.Contains(s.text, "${") || strings.Contains(s.text, "\r") {
		s.refuse(s.from,
			"this is no String.raw`...` without values: write %s for the expression, and %s for all of the text",
			s.regex.spelled("/.../"), s.regex.spelledWhole())
	}
	l := raw(s.text, from, end)
	l.kind = "String.raw`...`"
	return l
}

// jsFlag sets the flag c of ECMAScript, which stands at the offset at of the text; false if ECMAScript has none such.
// The flags g and d change nothing, and y sets p.sticky. u sets p.unicode, and v that and p.classSets;
// beginJavascript then sets the alphabet, and fails for both of them and for a flag that is there twice.
func (p *parser) jsFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 's':
		p.setFlag(&p.flags, c, true, at)
	case 'u':
		p.unicode = true
	case 'y':
		p.sticky = true
	case 'v':
		p.unicode, p.classSets = true, true
	case 'g', 'd': // they decide where the next search begins, and what a match reports of its groups
	default:
		return false
	}
	return true
}
