package regex

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of the crate regex of Rust, over &str: strings are UTF-8, and classes are Unicode's unless they say
// otherwise. The flags u and x, and the operators -- and ~~ of classes, are not read.
//
// https://docs.rs/regex/1.7.1/regex/#syntax

var rust = dialect{
	engine: "the crate regex 1.7.1 of Rust", strings: "strings are UTF-8", unicode: "14.0.0",
	tables: "the crate regex 1.7.1 of Rust",
	has: these(anchorsRepeat, flagsOnce, lazyQuantifiers, stacked, countNeedsAtom, anyNeedsAtom,
		properties, letterProperties, wideTypes, posixClasses, nested, oddIntersection),
	lacks: these(colonsRefused, numberedCharacters, beyondAlphabet, fullFolds, bracedReferences, remembers,
		unsetIsEmpty, bareConditions, plainCounts, backtracks, ownParser, brokenUTF8, noZero, delimited,
		finalNewline, crlf, lineEnd, strict, strayParen, verbs, spacedGroups, namesAlone, lookaheadRepeats,
		lookbehindRepeats, groupsFixed, simpleLookbehinds, isolatedFlags, flagsFirst, strictFlags, resetFlags,
		doubleX, dotAllIsM, wholeFlagGroups, flagsRepeatPrior, scopedFlags, asciiExtended, escapedComments,
		pairedComments, spacedQuantifiers, spacedClasses, countThenOption, below, belowNothing, refusedBelow,
		numbersChecked, emptyRepeats, emptyStopsRepeats, quote, strayQuoteEnd, emptyQuote, caretProperties,
		upperZIsEnd, boundaryNeedsText, doubtfulBreaks, keep, callEscapes, namedReferences, namesMakeK,
		references, octalReferences, looseReferences, checkedReferences, asciiFolds, backspace, latinWords,
		doubtfulAscii, emptySet, refusedBracket, posixScanned, posixBegun, collating, lostComplements, plainClasses,
		dashAtEnds, looseRanges, soleCharacter, crossFolds),

	types: "dDwWsS", anchors: "AzbB", controls: "afnrtv", refused: noLetters, groups: ": P<n f", flags: "imsU",
	possess: noLetters, repeats: 1<<32 - 1, nesting: 100,

	openBrace: wrong, disorder: wrong, sameName: wrong, otherName: refused, half: wrong, bareProperty: wrong,
	typeInRange: wrong, bareFlags: wrong, refusedInClass: noWords, errorsInClass: noLetters, refusedRanges: "]",
	refusedDash: "[ &&", refusedOperators: "-- ~~", lookbehind: noLookbehind, isName: isRustName, plainName: nameAsWritten,

	newlines: newline, space: rustSpace, wideSpace: rustSpace, wideWord: rustWord, horizontalSpace: noSet,
	boundary: typedBoundary, fold: runes.FoldSimple, foldTypes: foldBefore,

	begin: beginRust, finish: finishRust, flag: noFlag, literal: (*scanner).rustString, delimiters: noLetters,
	calls: []call{rustCall, rustBuildCall}, symbol: rustSymbol, property: rustProperty, posixClass: asciiClass,
}

// isRustName reports whether a name of a group may have a character.
func isRustName(u *runes.Unicode, c rune, first bool) bool {
	return c < 0x80 && isWordName(u, c, first)
}

// rustSpace returns \s.
func rustSpace(u *runes.Unicode) set { return u.Table("White_Space") }

// rustWord returns \w, as annex C of UTS #18 has it.
func rustWord(u *runes.Unicode) set {
	return u.Table("L", "M", "Nd", "Nl", "Pc", "Other_Alphabetic").Or(of(0x200c, 0x200d))
}

// beginRust is dialect.begin of Rust: it sets the flag u. It returns 0, since the parser begins with the pattern.
func beginRust(p *parser, _ *literal) int {
	p.unicode = true
	return 0
}

// largestRust caps the estimated size in bytes of an expression that is read. The crate compiles one to at most ten
// times as much.
const largestRust = 1 << 20

// finishRust is dialect.finish of Rust: it fails at a class without members, and refuses an expression that the crate may
// find too large, or for which it finds other matches.
func finishRust(p *parser, n *node) {
	n.walk(func(s *node) {
		if s.op == opSet && len(s.set) == 0 {
			p.fail(s.at, "the class has no members")
		}
	})
	if p.rustSize(n) > largestRust {
		p.refuse(0, "an expression that the crate regex may find too large to compile")
	}
	n.walk(func(s *node) { // within largestRust few such repetitions nest, so each part is looked at a few times
		if s.op == opRepeat && s.min > 1 && s.sub[0].hasLookaround() {
			p.refuse(s.at, "an anchor in what is repeated at least twice is not supported: "+
				"the crate regex 1.7.1 finds other matches")
		}
	})
	p.refuseLostAnchors(n, false)
}

// refuseLostAnchors refuses an anchor that looks back, such as ^, where one that looks ahead, such as $ or \b, may have
// matched at the same place, before it in the expression: the crate misses matches of $^ and \b^. looked reports that
// this may be so before n, and the result that it may be so after n. n must not have calls or references, nor an anchor
// in what is repeated at least twice.
func (p *parser) refuseLostAnchors(n *node, looked bool) (after bool) {
	switch n.op {
	case opSet:
		return false
	case opAhead:
		return true
	case opBehind:
		if looked {
			p.refuse(n.at, "an anchor such as ^, where one such as $ or \\b may have matched at the same place, "+
				"is not supported: the crate regex 1.7.1 finds other matches")
		}
		return false
	case opAlt:
		for _, s := range n.sub {
			after = p.refuseLostAnchors(s, looked) || after
		}
		return after
	case opRepeat:
		if n.max == 0 {
			return looked
		}
		after = p.refuseLostAnchors(n.sub[0], looked)
		// The next round begins with looked true. A first one that did has checked it; to look again in each of the
		// repetitions that nest would take time that is exponential in their depth.
		if n.max != 1 && after && !looked {
			p.refuseLostAnchors(n.sub[0], true)
		}
		return after || n.min == 0 && looked
	}
	// a sequence, a group, or nothing
	for _, s := range n.sub {
		looked = p.refuseLostAnchors(s, looked)
	}
	return looked
}

// rustSize estimates the bytes that the crate compiles n to, with a copy for each round of a repetition. It is
// largestRust+1 for all that are more.
func (p *parser) rustSize(n *node) (size int) {
	const most = largestRust + 1
	if n.op == opSet {
		return 64 + 64*len(n.set)
	}
	for _, s := range n.sub {
		size = min(size+p.rustSize(s)+64, most)
	}
	if n.op == opRepeat {
		size = min(size*max(1, n.min, n.max), most)
	}
	return size
}

// rustSymbol is dialect.symbol of the crate: it reads a number after x, u or U, or a sign of the syntax. It fails for
// any other c, and stops the parser as braced and hexadecimal do.
func rustSymbol(p *parser, at int, c rune, _ bool) rune {
	digits := strings.IndexRune("xuU", c)
	switch {
	case digits >= 0 && p.next("{"):
		return p.braced(at, 16)
	case digits >= 0:
		n := 2 << digits
		return p.hexadecimal(at, c, n, n)
	case !strings.ContainsRune(`\.+*?()|[]{}^$#&-~`, c):
		p.fail(at, "\\%c is no escape", c)
	}
	return c
}

// rustProperty returns a general category or a script, by its name in the tables. It is false for Cs, LC and Sc,
// which the crate does not read as categories, and for any other name, though the crate takes other spellings as
// well.
func rustProperty(p *parser, name string) (set, bool) {
	if name == "Cs" || name == "LC" || name == "Sc" { // errors of the crate: the last is taken for a script's
		return nil, false
	}
	if s, ok := p.Unicode.Category(name); ok && len(name) <= 2 { // the long names of categories are not read
		return s, true
	}
	return p.Unicode.Script(name)
}

// rustString finds r"..." and r#"..."#, with as many # as there are, or a text in quotes that may be meant. It is nil
// for any other text, and panics for a raw string that is not closed, goes on or has a carriage return in it. The
// Rust Reference, Raw string literals.
func (s *scanner) rustString() *literal {
	rest, isRaw := strings.CutPrefix(s.text[s.from:], "r")
	marks := len(rest) - len(strings.TrimLeft(rest, "#"))
	if !isRaw || !strings.HasPrefix(rest[marks:], `"`) {
		return s.quotes(`"`, "", "")
	}
	closes := `"` + rest[:marks]
	from := s.from + 1 + marks + 1
	end := strings.Index(s.text[from:], closes)
	if end < 0 {
		s.unclosed("r"+rest[:marks]+`"..."`+rest[:marks], closes)
	}
	if end += from; end+len(closes) < len(s.text) {
		s.fail(end+len(closes), "there is more after %s", closes)
	}
	if cr := strings.IndexByte(s.text[from:end], '\r'); cr >= 0 { // before "\n" it is no part of the string
		s.refuse(from+cr, "a carriage return in Rust's raw string is not supported")
	}
	l := raw(s.text, from, end)
	l.kind = "Rust's raw string"
	return l
}
