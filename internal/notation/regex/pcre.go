package regex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of PCRE2, as PHP's functions call it: between delimiters, or bare with (*UTF) and (*UCP) at the
// beginning. Strings are bytes unless one of these says that they are characters.
//
// https://www.pcre.org/current/doc/html/pcre2pattern.html

var pcre = dialect{
	engine: "PCRE2 10.42", strings: "strings are bytes", unicode: runes.OfPCRE2_1042, tables: "PCRE2 10.42",
	has: these(remembers, backtracks, finalNewline, lineEnd, verbs, lookaheadRepeats, lookbehindRepeats,
		groupsFixed, resetFlags, doubleX, spacedQuantifiers, lazyQuantifiers, refusedBelow, anyNeedsAtom, quote,
		strayQuoteEnd, emptyQuote, properties, letterProperties, caretProperties, doubtfulBreaks, keep,
		callEscapes, namedReferences, bracedReferences, references, wideTypes, backspace, posixClasses,
		posixScanned, collating, lostComplements),
	lacks: these(colonsRefused, numberedCharacters, beyondAlphabet, fullFolds, unsetIsEmpty,
		bareConditions, plainCounts, ownParser, brokenUTF8, noZero, delimited, crlf, strict, strayParen,
		spacedGroups, namesAlone, anchorsRepeat, simpleLookbehinds, isolatedFlags, flagsFirst, strictFlags,
		dotAllIsM, wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce, asciiExtended, escapedComments,
		pairedComments, spacedClasses, stacked, countThenOption, below, belowNothing, numbersChecked,
		emptyRepeats, countNeedsAtom, emptyStopsRepeats, upperZIsEnd, boundaryNeedsText, namesMakeK,
		octalReferences, looseReferences, checkedReferences, asciiFolds, latinWords, doubtfulAscii, emptySet,
		refusedBracket, posixBegun, nested, oddIntersection, plainClasses, dashAtEnds, looseRanges,
		soleCharacter, crossFolds),

	types: "dDwWsShHvVNR", anchors: "AZzGbB", controls: "aefnrt", refused: "XC",
	groups: ": = ! <= <! > | <n P<n P= 'n # ( P> & R f", flags: "imnsxU", possess: "?*+}", repeats: 65535,
	nesting: 250,

	openBrace: read, disorder: wrong, sameName: refused, otherName: wrong, half: wrong, bareProperty: wrong,
	typeInRange: wrong, bareFlags: read, refusedInClass: "Q E g N{", errorsInClass: "BRXN",
	refusedRanges: noLetters, refusedDash: noWords, refusedOperators: noWords, lookbehind: fixedBranches,
	isName: isWordName, plainName: nameAsWritten,

	newlines: newline, space: asciiSpace, wideSpace: pcreSpace, wideWord: lettersAndNumbers,
	horizontalSpace: horizontal, boundary: typedBoundary, fold: runes.FoldASCII, foldTypes: foldNever,

	begin: beginPCRE, finish: finishPCRE, flag: (*parser).phpFlag, literal: (*scanner).phpPattern,
	delimiters: phpDelimiters, calls: []call{phpCall}, symbol: pcreSymbol, property: pcreProperty,
	posixClass: pcreClass,
}

// The modes that hold with others are not used: pcre has \d and \w of Unicode in PHP's mode u, which should change
// nothing.
var pcreWriting = Writing{
	Open: "^", Shut: `\z`, Group: "(?<", OtherInName: "_", FirstInName: "_", Escaped: "/", InClass: `\][^/`,
	Never: "(?!)", ReadAs: "pcre",
	Octets: true, Extended: true,
	Modes:  []Mode{{}, {Fold: true, Flags: "(?i)", But: "ks"}},
	Point:  bracedPoint,
	Source: asItIs, Reads: asItIs,
}

// pcreSpace returns \s under (*UCP).
func pcreSpace(u *runes.Unicode) set { return horizontal.Or(vertical, u.Table("Z")) }

// beginPCRE is dialect.begin of PCRE. Symbols are bytes unless the flag u, for which p.unicode is set already, or
// (*UTF) is given. It reads (*UTF) and (*UCP), which sets p.unicode, and returns the offset after them, where the
// expression begins. It refuses (*UCP) without (*UTF).
func beginPCRE(p *parser, l *literal) (from int) {
	if !p.unicode { // the flag u does the same as (*UTF) and (*UCP) together
		p.last = lastByte
	}
	for {
		if rest, ok := strings.CutPrefix(l.pattern[from:], "(*UTF)"); ok {
			p.utf8()
			from = len(l.pattern) - len(rest)
		} else if rest, ok := strings.CutPrefix(l.pattern[from:], "(*UCP)"); ok {
			p.unicode = true
			from = len(l.pattern) - len(rest)
		} else {
			break
		}
	}
	if p.unicode && p.last == lastByte {
		p.refuse(0, "(*UCP) without (*UTF) gives bytes the properties of U+0000 to U+00FF, which is not supported")
	}
	return from
}

// finishPCRE refuses an expression that PCRE2 may find too large, and one that it may look for at the wrong
// places.
func finishPCRE(p *parser, n *node) {
	p.checkLeadingLookahead(n)
	if p.compiledSize(n) > mostCompiled {
		p.refuse(0, "an expression that PCRE2 may find too large to compile: more than %d bytes", mostCompiled)
	}
}

// checkLeadingLookahead refuses an expression that begins with a lookahead for a literal and has a literal later,
// unless a literal follows at once. PCRE2 10.42 takes such a lookahead for the first character of each match, and
// wants the last literal of the expression after that: (?=a)b*a does not match "a". After ^ it refuses nothing, since a
// match is then looked for at one place.
func (p *parser) checkLeadingLookahead(n *node) {
	if n.op == opAlt && n.anchor == 0 {
		for _, branch := range n.sub {
			p.checkLeadingLookahead(branch)
		}
		return
	}
	items := inSequence(n)
	for i, look := range items {
		switch {
		case look.op == opBehind && look.anchor != 0: // ^ or \A: a match is looked for at one place
			return
		case look.op == opEmpty, look.op == opBehind, look.op == opAhead && look.not:
		case look.op == opAlt && looksAroundOnly(look): // like those before, it reads nothing: the next part may begin
		case look.op == opAhead && beginsWithLiteral(inSequence(look.sub[0])):
			if rest := items[i+1:]; !beginsWithLiteral(rest) && slices.ContainsFunc(rest, hasLiteral) {
				p.refuse(look.at,
					"a lookahead for a literal at the beginning is not supported, since PCRE2 10.42 may miss a match")
			}
			return
		default:
			return
		}
	}
}

// inSequence returns the parts of n that follow one another. In place of a sequence or a group, atomic or capturing,
// it has the parts of that; n itself is the only part if it is neither.
func inSequence(n *node) (items []*node) {
	switch n.op {
	case opSeq:
		for _, s := range n.sub {
			items = append(items, inSequence(s)...)
		}
		return items
	case opGroup, opAtomic:
		return inSequence(n.sub[0])
	}
	return []*node{n}
}

// looksAroundOnly reports whether each alternative of n is made of lookarounds alone, as in \b.
func looksAroundOnly(n *node) bool {
	return !slices.ContainsFunc(n.sub, func(s *node) bool {
		return slices.ContainsFunc(inSequence(s), func(part *node) bool {
			return part.op != opAhead &&
				part.op != opBehind
		})
	})
}

// isLiteral reports whether n is a set of at most three symbols, as one character in any case is: for k the third is
// the sign for kelvin. A class of so few counts too.
func isLiteral(n *node) bool {
	size := rune(0)
	for _, r := range n.set {
		size += r.Hi - r.Lo + 1
	}
	return n.op == opSet && size <= 3
}

// beginsWithLiteral reports whether the first part that is neither empty nor a lookaround is a literal, or a
// repetition, at least once, of something that begins with one.
func beginsWithLiteral(items []*node) bool {
	for _, n := range items {
		switch n.op {
		case opEmpty, opAhead, opBehind:
			continue
		case opRepeat:
			return n.min > 0 && beginsWithLiteral(inSequence(n.sub[0]))
		}
		return isLiteral(n)
	}
	return false
}

// hasLiteral reports whether a literal is a part of n, outside of lookarounds.
func hasLiteral(n *node) bool {
	if n.op == opAhead || n.op == opBehind {
		return false
	}
	return isLiteral(n) || slices.ContainsFunc(n.sub, hasLiteral)
}

// pcreSymbol is dialect.symbol of PCRE: c, after a \ at an offset, was passed, and is no control that parser.symbol
// knows. It fails for a letter or digit that is no escape; any other c stands for itself, unless it is refused: a \c
// before a character that is not visible, and without (*UTF) a character that is no byte. It stops the parser as
// braced, hexadecimal and octal do.
func pcreSymbol(p *parser, at int, c rune, _ bool) rune {
	switch {
	case c == 'x' && p.next("{"):
		return p.braced(at, 16)
	case c == 'x':
		return p.hexadecimal(at, c, 0, 2)
	case c == 'o' && p.next("{"):
		return p.braced(at, 8)
	case c == 'c' && p.more() && p.src[p.index] > ' ' && p.src[p.index] < 0x7f:
		p.index++
		return unicode.ToUpper(p.src[p.index-1]) ^ 0x40
	case c == 'c':
		p.refuse(at, "this \\%c is not supported", c)
	case c >= '0' && c <= '9':
		return p.octal(at, 3, byteOctal)
	case word.Has(c) && c != '_':
		p.fail(at, "\\%c is no escape", c)
	case c >= utf8.RuneSelf && p.last == lastByte:
		p.refuse(at, "a \\ before a character that is no byte")
	}
	return c
}

// pcreProperty returns a general category by its short name, or a property that PCRE2 adds; false for any other name,
// those of scripts among them.
func pcreProperty(p *parser, name string) (set, bool) {
	switch name {
	case "Any":
		return p.any(), true
	case "L&":
		return p.Unicode.Table("Lu", "Ll", "Lt"), true
	case "Xan":
		return p.Unicode.Table("L", "N"), true
	case "Xwd":
		return p.Unicode.Table("L", "N").Or(chars("_")), true
	case "Xsp", "Xps":
		return pcreSpace(p.Unicode), true
	}
	if len(name) > 2 {
		return nil, false
	}
	return p.Unicode.Category(name)
}

// pcreClass returns the class of ASCII with a POSIX name. It returns false for names whose members depend on the mode:
// all of them under (*UCP), and upper and lower where case is ignored.
func pcreClass(p *parser, at int, name string, not bool) (set, bool) {
	if p.unicode || p.fold && (name == "upper" || name == "lower") {
		return nil, false
	}
	return asciiClass(p, at, name, not)
}

// posixSyntax reports whether [: or [. or [=, whose "[" was passed, has its end, as PCRE2 looks for it
// (check_posix_syntax): before another such beginning, and before a ] that no \ precedes.
func (p *parser) posixSyntax() bool {
	mark := p.src[p.index]
	for i := p.index + 1; i+1 < len(p.src); i++ {
		switch c, next := p.src[i], p.src[i+1]; {
		case c == '\\' && (next == ']' || next == '\\'):
			i++
		case c == '[' && next == mark, c == ']':
			return false
		case c == mark && next == ']':
			return true
		}
	}
	return false
}

// mostCompiled is the largest size in bytes of an expression that PCRE2 compiles, with links of two bytes, its default.
const mostCompiled = 1 << 16

// compiledSize returns an upper estimate of the bytes that PCRE2 compiles n to; it is mostCompiled+1 for all that are
// more. PCRE2 repeats the code of a group as often as its quantifier says. A call counts without the group that it
// calls.
func (p *parser) compiledSize(n *node) int {
	const link, overflow = 2, mostCompiled + 1
	size := 4 * (1 + link) // the brackets around it
	switch n.op {
	case opSet: // a class has a map of 32 bytes, and a list of ranges beyond
		if size = 1 + utf8.UTFMax; n.lit == 0 && len(n.set) > 1 {
			size = 40 + 2*utf8.UTFMax*min(len(n.set), 64)
		}
	case opSeq, opAlt, opGroup, opAtomic, opAhead, opBehind, opTest:
		for _, s := range n.sub {
			size = min(size+p.compiledSize(s)+1+link, overflow)
		}
	case opRepeat:
		one := p.compiledSize(n.sub[0])
		if n.sub[0].op == opSet {
			return min(2*(one+4), overflow)
		}
		size = min(size+(one+4*(1+link))*max(1, n.min, n.max, n.min+1), overflow)
	}
	return size
}

// phpDelimiters are the delimiters of PHP's functions that hardly any expression begins with.
const phpDelimiters = "/~#"

// phpPattern finds the pattern of PHP's functions: a delimiter, the expression, the delimiter again or the bracket
// that closes it, and flags. A \ before the delimiter stays in the expression, and a class does not hide a delimiter.
// Blanks and line ends among the flags are dropped, as PHP ignores them. The literal is doubtful unless its delimiter
// is one of phpDelimiters.
//
// It panics for a text that can be nothing else and is wrong: after a first /, one without an end or with flags that
// are not letters; after ~ or #, one with another such sign inside that has no \ before it. It returns nil for any
// other text that is no pattern, also for one with flags that are not letters, or after a doubtful delimiter with
// letters that PHP has no flag for. Other letters are left to phpFlag.
func (s *scanner) phpPattern() *literal {
	mark := s.text[s.from]
	if !isPunctuation(mark) || mark == '\\' {
		return nil
	}
	closes := mark
	if other := brackets[mark]; other != 0 {
		closes = other
	}
	end := s.closing(s.from+1, mark, closes)
	kind := string(mark) + "..." + string(closes)
	certain := strings.IndexByte(phpDelimiters, mark) >= 0
	switch {
	case end < 0 && mark == '/':
		s.unclosed(kind, string(closes))
	case end < 0:
		return nil
	}
	rest := s.text[end+1:]
	if flags := ignoredByPHP.Replace(rest); strings.Trim(flags, phpFlags) == "" {
		l := raw(s.text, s.from+1, end)
		l.kind, l.flags, l.flagsAt, l.doubtful = kind, flags, end+1, !certain
		return l
	}
	switch {
	case mark == '/', certain && isLetters(rest): // certainly a pattern; its flags are wrong
	case certain && isLetters(s.text[strings.LastIndexByte(s.text, mark)+1:]):
		// The closing character is the same; one inside needs a \, as flagged says.
	default:
		return nil
	}
	return s.flagged(kind, end, raw(s.text, s.from+1, end))
}

// ignoredByPHP removes the white space that may stand between flags.
var ignoredByPHP = strings.NewReplacer(" ", "", "\n", "", "\r", "")

// phpFlags are the pattern modifiers of PHP 8.2. e has been none since PHP 7.3.
const phpFlags = "imsxADSUXJun"

// phpFlag sets the flag c, a modifier of PHP; false if PHP has none such. A sets p.sticky and D p.atEnd. u changes
// the parser to read characters, as utf8 does, and sets p.unicode. S, J and X change nothing.
func (p *parser) phpFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 's', 'U', 'n':
		p.setFlag(&p.flags, c, true, at)
	case 'x': // PHP does not know xx: a second x changes nothing
		p.extended = true
	case 'A':
		p.sticky = true
	case 'D':
		p.atEnd = true
	case 'u':
		p.utf8()
		p.unicode = true // \w and the like change with it
	// These concern speed, names that occur twice, and unknown escapes, which are errors here in any case.
	case 'S', 'J', 'X':
	default:
		return false
	}
	return true
}

// utf8 changes the parser to read an expression over characters, with the case of Unicode, and gives the Regex a
// dialect of its own for that.
func (p *parser) utf8() {
	p.last = lastPoint
	d := *p.dialect
	d.fold, d.strings = runes.FoldSimple, "strings are UTF-8"
	p.d, p.dialect = &d, &d
}
