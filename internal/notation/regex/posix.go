package regex

import (
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of POSIX's extended expressions, as grep -E of GNU has them.
//
// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap09.html#tag_09_04

var posix = dialect{
	engine:  "extended expressions of glibc 2.36 in the POSIX locale, as grep -E has them",
	strings: "strings are bytes without 0",
	unicode: runes.OfGo, tables: "extended expressions of glibc 2.36 in the POSIX locale, as grep -E has them",
	has: these(noZero, strayParen, stacked, below, belowNothing, emptyQuote, references, wideTypes,
		posixClasses, colonsRefused, collating, plainClasses, dashAtEnds),
	lacks: these(numberedCharacters, beyondAlphabet, fullFolds, bracedReferences, remembers,
		unsetIsEmpty, bareConditions, plainCounts, backtracks, ownParser, brokenUTF8, delimited, finalNewline,
		crlf, lineEnd, strict, verbs, spacedGroups, namesAlone, lookaheadRepeats, lookbehindRepeats,
		anchorsRepeat, groupsFixed, simpleLookbehinds, isolatedFlags, flagsFirst, strictFlags, resetFlags,
		doubleX, dotAllIsM, wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce, asciiExtended,
		escapedComments, pairedComments, spacedQuantifiers, spacedClasses, lazyQuantifiers, countThenOption,
		refusedBelow, numbersChecked, emptyRepeats, countNeedsAtom, anyNeedsAtom, emptyStopsRepeats, quote,
		strayQuoteEnd, properties, letterProperties, caretProperties, upperZIsEnd, boundaryNeedsText,
		doubtfulBreaks, keep, callEscapes, namedReferences, namesMakeK, octalReferences, looseReferences,
		checkedReferences, asciiFolds, backspace, latinWords, doubtfulAscii, emptySet, refusedBracket,
		posixScanned, posixBegun, nested, oddIntersection, lostComplements, looseRanges, soleCharacter,
		crossFolds),

	types: "wWsS", anchors: "bB<>`'", controls: noLetters, refused: noLetters, groups: noWords,
	flags: noLetters, possess: noLetters, repeats: 32767, nesting: 1000,

	openBrace: refused, disorder: refused, sameName: wrong, otherName: wrong, half: wrong, bareProperty: wrong,
	typeInRange: read, bareFlags: wrong, refusedInClass: noWords, errorsInClass: noLetters,
	refusedRanges: noLetters, refusedDash: noWords, refusedOperators: noWords, lookbehind: noLookbehind,
	isName: isWordName, plainName: nameAsWritten,

	newlines: of(0, 0), space: asciiSpace, wideSpace: asciiSpace, wideWord: asciiWord, horizontalSpace: noSet,
	boundary: typedBoundary, fold: runes.FoldASCII, foldTypes: foldNever,

	begin: beginPOSIX, finish: finishPOSIX, flag: noFlag, literal: findQuotes, delimiters: noLetters,
	calls: []call{posixCall}, symbol: posixSymbol, property: noProperty, posixClass: posixClass,
}

// beginPOSIX is dialect.begin of POSIX: it sets the alphabet, bytes, and returns 0.
func beginPOSIX(p *parser, _ *literal) int {
	p.last = lastByte
	return 0
}

// finishPOSIX adds the assumption about an anchor inside an expression.
func finishPOSIX(p *parser, n *node) {
	if _, inside := lookarounds(n); inside {
		p.assume("posix: an anchor inside of the expression is as grep has it; regcomp of glibc 2.36 finds " +
			"matches there that are none")
	}
}

// findQuotes finds a text in quotes, which may be meant.
func findQuotes(s *scanner) *literal { return s.quotes(`"'`, `"'`, "") }

// posixSymbol returns the character after a "\", whichever it is.
func posixSymbol(_ *parser, _ int, c rune, _ bool) rune { return c }

// noProperty says that there are no properties.
func noProperty(*parser, string) (set, bool) { return nil, false }

// posixClass returns one of the twelve classes of POSIX; false for any other name. It fails if not is set, and for
// ascii and word, which other flavors have.
func posixClass(p *parser, at int, name string, not bool) (set, bool) {
	if not {
		p.fail(at, "there is no class [:^%s:]", name)
	}
	if name == "ascii" || name == "word" {
		p.fail(at, "there is no class [:%s:]", name)
	}
	return asciiClass(p, at, name, not)
}
