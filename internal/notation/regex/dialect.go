package regex

import (
	"maps"
	"math"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// A dialect is what a flavour has of the constructs that the parser knows.
type dialect struct {
	types       string // escapes that are classes: "dDwWsS"
	anchors     string // escapes that are anchors: "AzZbB"
	controls    string // escapes of control characters: "fnrtv"
	groups      string // what may follow "(?", a word each; "f" for flags
	flags       string // the inline flags
	octal       bool   // \0 and \012
	posix       bool   // [[:alpha:]]
	quote       bool   // \Q...\E
	props       bool   // \p{L}
	emptySet    bool   // [] is a class without members
	possess     string // what a "+" behind makes possessive: "?*+}"
	below       bool   // {,n}
	repeats     int64  // the largest number of a quantifier
	nesting     int    // how deep groups may nest, at most maxDepth
	strictFlags bool   // a flag that is switched on and off is an error, and so are a and u together
	isolated    bool   // (?i) in a branch opens a group up to the end of all branches

	finalNewline bool // $ also matches before a newline that ends the input
	crlf         bool // CR LF is one newline
	nested       bool // classes in classes, and &&
	lineEnd      bool // ^ of multiline mode does not match at the end of the input, behind its last newline
	newlines     set  // what . does not match, and what multiline anchors stand at
	space        set  // \s, beside the characters of spaceTable
	spaceTable   string
	broken       bool // bytes that are not UTF-8 are each U+FFFD

	unicode   string // the version of the tables of the engine
	tablesOf  string // what has that version; "" is the engine
	fold      runes.Fold
	foldTypes foldTypes // what ignoring case does to \w and \p{Lu}

	engine  string // and its version, where that matters
	strings string // what the alphabet is
}

// foldTypes is when an escape for a class is closed under case.
type foldTypes int

const (
	foldNever  foldTypes = iota
	foldBefore           // before it is negated: (?i)\W has no K (Kelvin)
	foldAfter
)

// Flavours lists the flavours.
func Flavours() []string { return slices.Sorted(maps.Keys(dialects)) }

// MostRepeats returns the largest number that a quantifier of a flavour may have.
func MostRepeats(flavour string) int64 { return dialects[flavour].repeats }

// Backtracks reports whether the engine of a flavour tries one way to match after the other.
func Backtracks(flavour string) bool { return flavour != "go" && flavour != "posix" }

var newline, cr = chars("\n"), chars("\r")

var dialects = map[string]*dialect{
	"go": {
		nesting: 1000, repeats: 1000, types: "dDwWsS", anchors: "AzbB", controls: "afnrtv", groups: ": P<n <n f", flags: "imsU", octal: true, posix: true,
		quote: true, props: true, newlines: newline, space: chars("\t\n\f\r "), broken: true, fold: runes.FoldSimple, foldTypes: foldBefore,
		unicode: runes.OfGo, engine: "regexp of Go 1.26", strings: "strings are bytes, and a byte that is no part of a character is read as U+FFFD",
	},
	"java": {
		nesting: 500, repeats: 1<<31 - 1, types: "dDwWsShHvV", anchors: "AZzG", controls: "aefnrt", groups: ": = ! <= <! > <n f", flags: "imsx", octal: true, quote: true,
		props: true, possess: "?*+}", finalNewline: true, nested: true, crlf: true, lineEnd: true, newlines: chars("\n\r\u0085\u2028\u2029"),
		space: chars("\t\n\v\f\r "), fold: runes.FoldASCII,
		unicode: runes.OfJava17, engine: "java.util.regex of Java 17", strings: "strings are UTF-16 without lone surrogates",
	},
	"js": {
		nesting: 1000, repeats: math.MaxInt64, types: "dDwWsS", anchors: "bB", controls: "fnrtv", groups: ": = ! <= <! <n", props: true, emptySet: true,
		newlines: chars("\n\r\u2028\u2029"), space: chars("\t\n\v\f\r\ufeff\u2028\u2029"), spaceTable: "Zs",
		fold: runes.FoldUnits, foldTypes: foldAfter, unicode: runes.OfNode20, tablesOf: "node 20.20", engine: "ECMAScript 2024", strings: "strings are UTF-16 without lone surrogates",
	},
	"python": {
		nesting: 400, repeats: 1<<32 - 2, types: "dDwWsS", anchors: "AZbB", controls: "afnrtv", groups: ": = ! <= <! > P<n # f", flags: "aimsux", strictFlags: true, octal: true,
		possess: "?*+}", below: true, finalNewline: true, newlines: newline, fold: runes.FoldLower,
		space: of(0x1c, 0x1f), spaceTable: "White_Space",
		unicode: runes.OfPython311, engine: "re of Python 3.11", strings: "strings are str without lone surrogates",
	},
	"pcre": {
		nesting: 250, repeats: 65535, types: "dDwWsShHvVNR", anchors: "AZzGbB", controls: "aefnrt", groups: ": = ! <= <! > | <n P<n 'n # ( P> & R f", flags: "imnsxU",
		octal: true, posix: true, quote: true, props: true, possess: "?*+}", finalNewline: true, lineEnd: true, newlines: newline,
		space: chars("\t\n\v\f\r "), fold: runes.FoldASCII,
		unicode: runes.OfPCRE2_1042, engine: "PCRE2 10.42", strings: "strings are bytes",
	},
	"posix": {
		nesting: 1000, repeats: 32767, types: "wWsS", anchors: "bB<>`'", posix: true, below: true, newlines: of(0, 0), space: chars("\t\n\v\f\r "),
		unicode: runes.OfGo, engine: "extended expressions of glibc 2.36 in the POSIX locale, as grep -E has them", strings: "strings are bytes without 0",
	},
	"ruby": {
		nesting: 1000, repeats: 100000, types: "dDwWsShHR", anchors: "AZzGbB", controls: "aefnrtv", groups: ": = ! <= <! > <n 'n # f", flags: "aimux", octal: true,
		posix: true, props: true, possess: "?*+", below: true, isolated: true, nested: true, finalNewline: true, lineEnd: true, newlines: newline,
		space: chars("\t\n\v\f\r "), fold: runes.FoldSimple,
		unicode: runes.OfRuby31, engine: "Ruby 3.1", strings: "strings are UTF-8",
	},
}
