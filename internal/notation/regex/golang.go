package regex

import (
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of Go's package regexp. Its own parser is at hand, so that what it does not compile is no expression;
// this package reads what it compiles anew, since the tree of regexp/syntax has lost the places.
//
// https://pkg.go.dev/regexp/syntax

var golang = dialect{
	engine:  "regexp of Go 1.26",
	strings: "strings are bytes, and a byte that is no part of a character is read as U+FFFD",
	unicode: runes.OfGo, tables: "regexp of Go 1.26",
	has: these(plainCounts, ownParser, brokenUTF8, anchorsRepeat, flagsRepeatPrior, lazyQuantifiers, emptyQuote,
		anyNeedsAtom, quote, strayQuoteEnd, properties, letterProperties, caretProperties, wideTypes,
		posixClasses, posixBegun),
	lacks: these(colonsRefused, numberedCharacters, beyondAlphabet, fullFolds, bracedReferences,
		remembers, unsetIsEmpty, bareConditions, backtracks, scopedFlags, flagsOnce, noZero, delimited,
		finalNewline, crlf, lineEnd, strict, strayParen, verbs, spacedGroups, namesAlone, lookaheadRepeats,
		lookbehindRepeats, groupsFixed, simpleLookbehinds, isolatedFlags, flagsFirst, strictFlags, resetFlags,
		doubleX, dotAllIsM, wholeFlagGroups, asciiExtended, escapedComments, pairedComments, spacedQuantifiers,
		spacedClasses, stacked, countThenOption, below, belowNothing, refusedBelow, numbersChecked,
		emptyRepeats, countNeedsAtom, emptyStopsRepeats, upperZIsEnd, boundaryNeedsText, doubtfulBreaks, keep,
		callEscapes, namedReferences, namesMakeK, references, octalReferences, looseReferences,
		checkedReferences, asciiFolds, backspace, latinWords, doubtfulAscii, emptySet, refusedBracket,
		posixScanned, collating, nested, oddIntersection, lostComplements, plainClasses, dashAtEnds,
		looseRanges, soleCharacter, crossFolds),

	types: "dDwWsS", anchors: "AzbB", controls: "afnrtv", refused: "C", groups: ": P<n <n f", flags: "imsU",
	possess: noLetters, repeats: 1000, nesting: 1000,

	openBrace: read, disorder: wrong, sameName: read, otherName: wrong, half: refused, bareProperty: wrong,
	typeInRange: read, bareFlags: read, refusedInClass: noWords, errorsInClass: noLetters,
	refusedRanges: noLetters, refusedDash: noWords, refusedOperators: noWords, lookbehind: noLookbehind,
	isName: isWordName, plainName: nameAsWritten,

	newlines: newline, space: spaceWithoutVT, wideSpace: spaceWithoutVT, wideWord: asciiWord,
	horizontalSpace: noSet, boundary: plainBoundary, fold: runes.FoldSimple, foldTypes: foldBefore,

	begin: beginGo, finish: finishNothing, flag: noFlag, literal: (*scanner).goString, delimiters: "/",
	calls: []call{goCall, goMatchCall, goPOSIXCall}, symbol: goSymbol, property: goPropertySet,
	posixClass: asciiClass,
}

var golangWriting = Writing{
	Open: "^", Shut: "$", Group: "(?P<", OtherInName: "_", FirstInName: "_", InClass: `\][^`,
	Never: `[^\x00-\x{10FFFF}]`, ReadAs: "go",
	Modes:  []Mode{{Short: true}, {Short: true, Fold: true, Flags: "(?i)", But: "ks"}},
	Point:  bracedPoint,
	Source: asItIs, Reads: asItIs,
	Constants: &Constants{Comment: "// ", Package: true, Exported: true, Constant: golangConstant},
}

// golangConstant returns the declaration of a constant of Go with this name, whose value is the text.
func golangConstant(name, text string) string {
	if strconv.CanBackquote(text) {
		return "const " + name + " = `" + text + "`"
	}
	return "const " + name + " = " + strconv.Quote(text)
}

// spaceWithoutVT returns \s of Go, which has no vertical tab.
func spaceWithoutVT(*runes.Unicode) set { return chars("\t\n\f\r ") }

// plainBoundary returns the word characters of Go's \b, which are those of ASCII whatever the flags.
func plainBoundary(p *parser) set {
	outer := p.flags
	defer func() { p.flags = outer }()
	p.fold, p.unicode = false, false
	return p.typeSet('w')
}

// beginGo is dialect.begin of Go: it fails where Go's own parser does, with that parser's error, and refuses what
// that finds too large or nested too deep. Otherwise it returns 0, the offset where the expression begins, and sets
// no flags: flags of Go stand in the expression.
func beginGo(p *parser, l *literal) int {
	_, err := syntax.Parse(l.pattern, syntax.Perl)
	if err == nil {
		return 0
	}
	e, ok := err.(*syntax.Error)
	if !ok {
		p.fail(0, "%v", err)
	}
	at := l.places[max(0, strings.Index(l.pattern, e.Expr))]
	if e.Code == syntax.ErrLarge || e.Code == syntax.ErrNestingDepth {
		p.refuse(at, "%s", e.Code)
	}
	p.fail(at, "%s: `%s`", e.Code, e.Expr)
	return 0
}

// goSymbol is dialect.symbol of Go. It reads the number after \x, and an octal number, and stops the parser as
// braced, hexadecimal and octal do. Any other c stands for itself, since Go's own parser has read it.
func goSymbol(p *parser, at int, c rune, _ bool) rune {
	switch {
	case c == 'x' && p.next("{"):
		return p.braced(at, 16)
	case c == 'x':
		return p.hexadecimal(at, c, 2, 2)
	case c >= '0' && c <= '9':
		return p.octal(at, 3, unicodeOctal)
	}
	return c
}

// goPropertySet returns Any, or a general category or a script by the name that Go has for it, from the tables of p;
// false if there is none.
func goPropertySet(p *parser, name string) (set, bool) {
	if name == "Any" {
		return p.any(), true
	}
	if s, ok := p.Unicode.Category(name); ok {
		return s, true
	}
	return p.Unicode.Script(name)
}

// goProperty returns the characters that Go's own parser finds in text, all of a \p{...} or \P{...} that property has
// read; it returns nil for any other text. The tables are
// those of the Go that this program is built with. Where case is ignored it adds the characters that package unicode
// has for the name in FoldCategory and FoldScript. These are not all the characters that are equal but for case:
// \p{LC} adds none.
func (p *parser) goProperty(text string) set {
	f := syntax.Perl
	if p.fold {
		f |= syntax.FoldCase
	}
	re, err := syntax.Parse(text, f)
	switch {
	case err != nil: // cannot be, since property has read it
		return nil
	case re.Op == syntax.OpLiteral: // the property has one character, as \p{Zl}
		return p.folded(of(re.Rune[0], re.Rune[0]))
	case re.Op == syntax.OpAnyChar:
		return p.any()
	}
	return of(re.Rune...)
}

// goString finds `...` and "...". The Go Programming Language Specification, String literals. It returns nil for a text
// that begins with neither quote, or goes on after "...". It panics for a string that is not closed, for a newline or a
// wrong escape in "...", for more after `...`, and for "..." with another string after it.
func (s *scanner) goString() *literal {
	text, from := s.text, s.from
	switch text[from] {
	case '`':
		end := strings.IndexByte(text[from+1:], '`')
		if end < 0 {
			s.unclosed("`...`", "`")
		}
		if end += from + 1; end < len(text)-1 {
			s.fail(end+1, "there is more behind `...`")
		}
		l := &literal{kind: "Go's raw string"}
		for i := from + 1; i < end; i++ {
			if text[i] != '\r' { // discarded
				l.add(text[i], i)
			}
		}
		l.close(end)
		return l
	case '"':
		end := s.quoted(`"`)
		if end < 0 {
			return nil
		}
		l := &literal{kind: "Go's string", plain: true}
		for i := from + 1; i < end; {
			if text[i] == '\n' {
				s.fail(i, "a newline inside of \"...\"")
			}
			// "\xff" is a byte, and not U+00FF: multibyte tells the two apart.
			c, multibyte, rest, err := strconv.UnquoteChar(text[i:end], '"')
			if err != nil {
				s.fail(i, "no escape of Go's strings")
			}
			if multibyte {
				l.addText(string(c), i)
			} else {
				l.add(byte(c), i)
			}
			i = end - len(rest)
		}
		l.close(end)
		return l
	}
	return nil
}
