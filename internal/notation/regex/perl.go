package regex

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of Perl, as it matches strings of bytes: text that nobody has decoded, by expressions without the pragma
// utf8 and without the feature unicode_strings. There \d, \w, \s and case are those of ASCII. What makes Perl change to
// the rules of Unicode is refused: \p, \N{...}, a character above \xff, the flags a, d, l and u.
//
// Perl replaces variables, \Q and \L before its engine sees an expression. They are refused: a bare expression is what
// the engine gets, and of a literal it is not known.
//
// https://perldoc.perl.org/5.36.0/perlre

var perl = dialect{
	engine: "Perl 5.36", strings: "strings are bytes, which nobody has decoded", unicode: runes.OfPerl536, tables: "Perl 5.36",
	has: these(remembers, backtracks, finalNewline, lineEnd, verbs, lookaheadRepeats, lookbehindRepeats,
		resetFlags, doubleX, spacedClasses, lazyQuantifiers, anchorsRepeat, references, backspace, posixClasses, collating, spacedGroups),
	lacks: these(anyNeedsAtom, countNeedsAtom, keep, callEscapes, namedReferences, posixScanned, groupsFixed, spacedQuantifiers, refusedBelow, quote, strayQuoteEnd, emptyQuote, properties, letterProperties,
		caretProperties, doubtfulBreaks, wideTypes,
		unsetIsEmpty, bareConditions, plainCounts, ownParser, brokenUTF8, noZero, delimited, crlf, strict,
		strayParen, namesAlone, simpleLookbehinds,
		isolatedFlags, flagsFirst, strictFlags, dotAllIsM, wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce,
		asciiExtended, escapedComments, stacked, countThenOption, below, belowNothing, numbersChecked, emptyRepeats,
		emptyStopsRepeats, upperZIsEnd, boundaryNeedsText, namesMakeK, octalReferences, looseReferences,
		checkedReferences, asciiFolds, latinWords, doubtfulAscii,
		emptySet, refusedBracket, posixBegun, nested, oddIntersection, plainClasses, dashAtEnds, looseRanges,
		soleCharacter, crossFolds),

	types: "dDwWsShHvVR", anchors: "AZzGbB", controls: "aefnrt", refused: "pPNXQELUluFCKgko",
	groups: ": = ! <= <! > <n P<n 'n # f", flags: "imsnx", possess: "?*+}", repeats: 65534, nesting: 200,

	openBrace: refused, disorder: refused, sameName: refused, otherName: refused, half: refused, bareProperty: refused, typeInRange: refused,
	bareFlags: refused, refusedInClass: "p P N X Q E L U l u F C K g k R b B A z Z G o", errorsInClass: noLetters, refusedRanges: "dDwWsShHvV",
	refusedDash: noWords, lookbehind: fixedBranches, isName: isRustName,

	newlines: newline, space: asciiSpace, wideSpace: pcreSpace, wideWord: lettersAndNumbers, horizontalSpace: horizontal, boundary: typedBoundary,
	fold: runes.FoldASCII, foldTypes: foldNever,

	begin: beginPerl, finish: finishPerl, flag: (*parser).perlFlag, literal: (*scanner).perlMatch, delimiters: "/",
	calls:  []call{},
	symbol: perlSymbol, property: noProperty, posixClass: pcreClass,
}

// zeroCount matches a count whose number begins with a zero, which Perl does not take.
var zeroCount = regexp.MustCompile(`\{(?:0[0-9]|[0-9]+,0[0-9])`)

// wideNumber matches the number of a character that may be above \xff.
var wideNumber = regexp.MustCompile(`\\x\{0*[1-9A-Fa-f][0-9A-Fa-f]{2}`)

// beginPerl refuses what the engine reads as a bound after \b, and in a literal what Perl takes for a variable.
func beginPerl(p *parser, l *literal) int {
	p.last = lastByte
	if at := zeroCount.FindStringIndex(l.pattern); at != nil {
		p.refuse(l.places[at[0]], "a count that begins with a zero is not supported")
	}
	if at := wideNumber.FindStringIndex(l.pattern); at != nil {
		p.refuse(l.places[at[0]], "a character above \\xff, by which Perl changes to the rules of Unicode, is not supported")
	}
	for i := 0; i+1 < len(l.pattern); i++ {
		switch c, next := l.pattern[i], l.pattern[i+1]; {
		case c == '\\':
			if strings.HasPrefix(l.pattern[i+1:], "b{") || strings.HasPrefix(l.pattern[i+1:], "B{") {
				p.refuse(l.places[i], "\\%c{...} is not supported", next)
			}
			i++
		case l.kind == "":
		case c == '$' && (next == '{' || next == '_' || isLetters(string(next))), c == '@' && (next == '{' || next == '_' || isLetters(string(next))):
			p.refuse(l.places[i], "%c%c begins a variable of Perl; write \\%c for the character", c, next, c)
		}
	}
	return 0
}

// finishPerl refuses lookarounds that Perl 5.36 does not match as its documentation says. One is a lookaround or an
// atomic group in a lookbehind: (?<!(?<!(?>ab))) does not match "ab". The other is a lookahead that may read nothing
// and has a repetition: (?=\d*)\D does not match "a", since the optimizer takes \d for what the match begins with.
func finishPerl(p *parser, n *node) {
	n.walk(func(look *node) {
		switch {
		case look.op == opBehind:
			look.walk(func(s *node) {
				if s != look && (s.op == opAhead || s.op == opBehind || s.op == opAtomic || s.op == opTest) {
					p.refuse(s.at, "a lookaround or an atomic group in a lookbehind is not supported")
				}
			})
		case look.op == opAhead && !look.not:
			if least, _ := p.width(look.sub[0]); least > 0 {
				return
			}
			look.walk(func(s *node) {
				if s.op == opRepeat {
					p.refuse(s.at, "a repetition in a lookahead that may read nothing is not supported, since Perl 5.36 may not match it")
				}
			})
		}
	})
}

// perlMatch finds a match of Perl's, with flags: /.../, m/.../ or qr/.../. It returns nil for any other text, also for
// an m/ or qr/ that is not closed. It panics for a / that is not closed, and for flags that are not letters.
func (s *scanner) perlMatch() *literal {
	for _, operator := range []string{"", "m", "qr"} {
		if rest, ok := strings.CutPrefix(s.text[s.from:], operator+"/"); ok && rest != "" {
			from := s.from + len(operator) + 1
			end := s.closing(from, '/', '/')
			if end < 0 && operator != "" {
				return nil
			}
			if end < 0 {
				s.unclosed("/.../", "/")
			}
			return s.flagged("/.../", end, raw(s.text, from, end))
		}
	}
	return nil
}

// perlFlag sets the flag c behind a literal, and returns false if Perl has no such flag. Flags of replacement and those
// that change to the rules of Unicode are refused; those that concern only how a match goes on, or speed, change nothing.
func (p *parser) perlFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 's', 'n':
		p.setFlag(&p.flags, c, true, at)
	case 'x':
		p.extended = true
	case 'g', 'c', 'o':
	case 'a', 'd', 'l', 'u', 'p', 'e', 'r':
		p.refuse(at, "the flag %c is not supported", c)
	default:
		return false
	}
	return true
}

// perlSymbol is dialect.symbol of Perl. It refuses a letter or digit that is no escape here; any other character of
// ASCII stands for itself.
func perlSymbol(p *parser, at int, c rune, _ bool) rune {
	switch {
	case c == 'x' && p.next("{"):
		return p.braced(at, 16)
	case c == 'x':
		return p.hexadecimal(at, c, 0, 2)
	case c == 'c' && p.more() && (p.src[p.index] >= '@' && p.src[p.index] <= '_' && p.src[p.index] != '\\' || p.src[p.index] >= 'a' && p.src[p.index] <= 'z'):
		p.index++
		return unicode.ToUpper(p.src[p.index-1]) ^ 0x40
	case c == '0':
		return p.octal(at, 3, byteOctal)
	case c >= '1' && c <= '9':
		p.refuse(at, "\\%c, which is a reference or an octal number, is not supported here", c)
	case word.Has(c) && c != '_':
		p.refuse(at, "\\%c is not supported", c)
	case c > 0x7f:
		p.refuse(at, "a \\ before a character that is no byte")
	}
	return c
}
