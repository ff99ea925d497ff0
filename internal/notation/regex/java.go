package regex

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of java.util.regex.
//
// https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/util/regex/Pattern.html

var java = dialect{
	engine: "java.util.regex of Java 17", strings: "strings are UTF-16 without lone surrogates",
	unicode: runes.OfJava17, tables: "java.util.regex of Java 17",
	has: these(remembers, backtracks, finalNewline, crlf, lineEnd, spacedGroups, lookaheadRepeats,
		lookbehindRepeats, anchorsRepeat, spacedQuantifiers, spacedClasses, lazyQuantifiers, emptyRepeats,
		anyNeedsAtom, emptyStopsRepeats, quote, properties, letterProperties, namedReferences, references,
		wideTypes, nested, oddIntersection),
	lacks: these(colonsRefused, numberedCharacters, beyondAlphabet, fullFolds, bracedReferences,
		unsetIsEmpty, bareConditions, plainCounts, ownParser, brokenUTF8, noZero, delimited, strict, strayParen,
		verbs, namesAlone, groupsFixed, simpleLookbehinds, isolatedFlags, flagsFirst, strictFlags, resetFlags,
		doubleX, dotAllIsM, wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce, asciiExtended,
		escapedComments, pairedComments, stacked, countThenOption, below, belowNothing, refusedBelow,
		numbersChecked, countNeedsAtom, strayQuoteEnd, emptyQuote, caretProperties, upperZIsEnd,
		boundaryNeedsText, doubtfulBreaks, keep, callEscapes, namesMakeK, octalReferences, looseReferences,
		checkedReferences, asciiFolds, backspace, latinWords, doubtfulAscii, emptySet, refusedBracket,
		posixClasses, posixScanned, posixBegun, collating, lostComplements, plainClasses, dashAtEnds,
		looseRanges, soleCharacter, crossFolds),

	types: "dDwWsShHvV", anchors: "AZzG", controls: "aefnrt", refused: "bBNRX", groups: ": = ! <= <! > <n f",
	flags: "imsx", possess: "?*+}", repeats: 1<<31 - 1, nesting: 500,

	openBrace: wrong, disorder: wrong, sameName: wrong, otherName: wrong, half: refused, bareProperty: wrong,
	typeInRange: read, bareFlags: read, refusedInClass: "Q N", errorsInClass: noLetters, refusedRanges: "v",
	refusedDash: "&&", refusedOperators: noWords, lookbehind: boundedLength, isName: isJavaName, plainName: nameAsWritten,

	newlines: chars("\n\r\u0085\u2028\u2029"), space: asciiSpace, wideSpace: asciiSpace, wideWord: asciiWord,
	horizontalSpace: horizontal, boundary: typedBoundary, fold: runes.FoldASCII, foldTypes: foldNever,

	begin: beginNothing, finish: finishJava, flag: noFlag, literal: (*scanner).javaString, delimiters: "/",
	calls: []call{javaCall, javaMatchCall}, symbol: javaSymbol, property: javaProperty, posixClass: asciiClass,
}

var javaWriting = Writing{
	// Names have letters and digits alone.
	Open: "^", Shut: `\z`, Group: "(?<", FirstInName: "g", InClass: `\][^&`, Never: "(?!)", ReadAs: "java",
	Modes:  []Mode{{Short: true}, {Short: true, Fold: true, Flags: "(?i)"}},
	Point:  bracedPoint,
	Source: asItIs, Reads: asItIs,
}

// isJavaName reports whether a name of a group may have a character: letters and digits of ASCII.
func isJavaName(u *runes.Unicode, c rune, first bool) bool {
	return c < utf8.RuneSelf && c != '_' && isWordName(u, c, first)
}

// finishJava adds the assumption that the language rests on where Java looks at the halves of surrogate pairs.
func finishJava(p *parser, n *node) {
	if p.seesHalves(n) {
		p.assume("java: a character beyond U+FFFF is one symbol, also to lookbehinds and where a match begins; to " +
			"Java 17 it is two there")
	}
}

// javaSymbol is dialect.symbol of Java. It knows \x, \u, control characters and, after a 0, octal numbers up to 377.
// It fails for another letter or digit, and refuses a \c that Java may read otherwise; any other c stands for itself.
// It stops the parser as braced, hexadecimal and checkedSymbol do.
func javaSymbol(p *parser, at int, c rune, _ bool) rune {
	switch {
	case c == 'x' && p.next("{"):
		return p.braced(at, 16)
	case c == 'x':
		return p.hexadecimal(at, c, 2, 2)
	case c == 'u':
		return p.checkedSymbol(at, p.paired(p.hexadecimal(at, c, 4, 4)))
	case c == 'c' && p.more() && p.src[p.index] < 0x7f && p.src[p.index] != '\\': // \Q is found before anything else
		p.index++
		return p.src[p.index-1] ^ 0x40
	case c == 'c':
		p.refuse(at, "this \\%c is not supported", c)
	case c == '0' && p.more() && digit(p.src[p.index]) < 8:
		most := 2
		if p.src[p.index] <= '3' {
			most = 3
		}
		v, _ := p.number(8, most)
		return v
	case word.Has(c) && c != '_':
		p.fail(at, "\\%c is no escape", c)
	}
	return c
}

// javaProperty returns a general category, which may follow Is, a script after Is, or a class of POSIX; false for any
// other name. It is also false for names about case where case is ignored.
func javaProperty(p *parser, name string) (set, bool) {
	if p.fold && slices.Contains([]string{"Lower", "Upper", "Ll", "Lt", "Lu", "IsLl", "IsLt", "IsLu"}, name) {
		return nil, false
	}
	if words("ASCII Alnum Alpha Blank Cntrl Digit Graph Lower Print Punct Space Upper XDigit").has(name) {
		return asciiClass(p, 0, strings.ToLower(name), false)
	}
	name, is := strings.CutPrefix(name, "Is")
	if s, ok := p.Unicode.Script(name); is && ok {
		return s, true
	}
	if len(name) > 2 {
		return nil, false
	}
	return p.Unicode.Category(name)
}

// seesHalves reports whether it can matter that Java looks at the halves of surrogate pairs: there is a lookaround, or
// a set that has the halves and only some of the characters that they make.
func (p *parser) seesHalves(n *node) (found bool) {
	pairs := of(0x10000, lastPoint)
	n.walk(func(n *node) {
		found = found || n.look || n.op == opSet && n.set.Has(0xdc00) && !slices.Equal(n.set.And(pairs), pairs)
	})
	return found
}

// javaString finds "...". The Java Language Specification 17, sections 3.3 and 3.10.7. It returns nil for a text that
// does not begin with a quotation mark, or that goes on after the string. It panics for a text block, and for a string
// that is not closed, is followed by another or has a wrong character or escape.
func (s *scanner) javaString() *literal {
	if s.text[s.from] != '"' {
		return nil
	}
	if strings.HasPrefix(s.text[s.from:], `"""`) {
		s.refuse(s.from, "a text block is not supported")
	}
	end := s.quoted(`"`)
	if end < 0 {
		return nil
	}
	units := s.javaUnits(s.from+1, end)
	l := &literal{kind: "Java's string", plain: true}
	for i := 0; i < len(units); i++ {
		c, at := units[i].value, units[i].at
		switch {
		case c == '"' || c == '\n' || c == '\r':
			s.fail(at, "%q inside of \"...\"", c)
		case c != '\\':
			l.addText(string(c), at)
			continue
		}
		// An escape: a sign, or an octal number of up to three digits.
		i++
		var next rune
		if i < len(units) {
			next = units[i].value
		}
		if plain := strings.IndexRune(`btnfrs"'\`, next); next != 0 && plain >= 0 {
			l.add("\b\t\n\f\r \"'\\"[plain], at)
			continue
		}
		most := 2 // digits of an octal number, so that it is at most \377
		if next >= '0' && next <= '3' {
			most = 3
		}
		value, n := rune(0), 0
		for ; n < most && i+n < len(units) && digit(units[i+n].value) < 8; n++ {
			value = 8*value + digit(units[i+n].value)
		}
		if n == 0 {
			s.fail(at, "no escape of Java's strings")
		}
		l.addText(string(value), at)
		i += n - 1
	}
	l.close(end)
	return l
}

// A unit is a character of a source text, and where it stands.
type unit struct {
	value rune
	at    int
}

// javaUnits returns the characters of the text between two offsets, with each escape such as \u0041 or \uu0041
// decoded, unless the \ before the u is itself preceded by a \ that escapes it. Java's lexer does this before
// anything else. It panics for a \u without four digits, for half of a surrogate pair, and for the number of a
// backslash.
func (s *scanner) javaUnits(from, to int) (list []unit) {
	high := rune(0) // the first half of a surrogate pair, as long as the second has not come
	add := func(r rune, at int) {
		pair := 0x10000 + (high-0xd800)<<10 + (r - 0xdc00)
		switch low := r >= 0xdc00 && r < 0xe000; {
		case high != 0 && low:
			list[len(list)-1].value, high = pair, 0
			return
		case high != 0 || low:
			s.refuse(at, "half of a surrogate pair is not supported")
		}
		if r >= 0xd800 && r < 0xdc00 {
			high = r
		}
		list = append(list, unit{r, at})
	}
	for i := from; i < to; {
		c, n := utf8.DecodeRuneInString(s.text[i:to])
		at := i
		i += n
		if c != '\\' {
			add(c, at)
			continue
		}
		hex := strings.TrimLeft(s.text[i:to], "u")
		switch {
		case len(hex) < to-i: // at least one u follows the backslash
			if len(hex) < 4 {
				s.fail(at, "no escape of Java's strings")
			}
			v, err := strconv.ParseUint(hex[:4], 16, 32)
			if err != nil {
				s.fail(at, "no escape of Java's strings")
			}
			if v == '\\' { // whether a decoded \ begins an escape is not clear enough to decide here
				s.refuse(at, "\\u005c is not supported")
			}
			add(rune(v), at)
			i = to - len(hex) + 4
		case i < to: // an escape of the string: the sign after the backslash begins none of this kind
			add(c, at)
			c, n := utf8.DecodeRuneInString(s.text[i:to])
			add(c, i)
			i += n
		}
	}
	if high != 0 {
		s.refuse(to, "half of a surrogate pair is not supported")
	}
	return list
}
