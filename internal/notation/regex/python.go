package regex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/charnames"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of Python's package re, over characters, or over bytes for b"...".
//
// https://docs.python.org/3.11/library/re.html

var python = dialect{
	engine: "re of Python 3.11", strings: "strings are str without lone surrogates", unicode: runes.OfPython311,
	tables: "re of Python 3.11",
	has: these(remembers, bareConditions, backtracks, finalNewline, lookaheadRepeats, lookbehindRepeats,
		flagsFirst, strictFlags, asciiExtended, pairedComments, lazyQuantifiers, below, belowNothing,
		countNeedsAtom, anyNeedsAtom, emptyQuote, upperZIsEnd, boundaryNeedsText, references, octalReferences,
		checkedReferences, wideTypes, asciiFolds, backspace, doubtfulAscii),
	lacks: these(colonsRefused, numberedCharacters, beyondAlphabet, fullFolds, bracedReferences,
		unsetIsEmpty, plainCounts, ownParser, brokenUTF8, noZero, delimited, crlf, lineEnd, strict, strayParen,
		verbs, spacedGroups, namesAlone, anchorsRepeat, groupsFixed, simpleLookbehinds, isolatedFlags,
		resetFlags, doubleX, dotAllIsM, wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce,
		escapedComments, spacedQuantifiers, spacedClasses, stacked, countThenOption, refusedBelow,
		numbersChecked, emptyRepeats, emptyStopsRepeats, quote, strayQuoteEnd, properties, letterProperties,
		caretProperties, doubtfulBreaks, keep, callEscapes, namedReferences, namesMakeK, looseReferences,
		latinWords, emptySet, refusedBracket, posixClasses, posixScanned, posixBegun, collating, nested,
		oddIntersection, lostComplements, plainClasses, dashAtEnds, looseRanges, soleCharacter, crossFolds),

	types: "dDwWsS", anchors: "AZbB", controls: "afnrtv", refused: noLetters,
	groups: ": = ! <= <! > P<n P= # (n f", flags: "aimsux", possess: "?*+}", repeats: 1<<32 - 2, nesting: 400,

	openBrace: read, disorder: wrong, sameName: wrong, otherName: wrong, half: read, bareProperty: wrong,
	typeInRange: wrong, bareFlags: wrong, refusedInClass: noWords, errorsInClass: noLetters,
	refusedRanges: noLetters, refusedDash: noWords, refusedOperators: noWords, lookbehind: fixedLength,
	isName: isWordName, plainName: nameAsWritten,

	newlines: newline, space: asciiSpace, wideSpace: pythonSpace, wideWord: lettersAndNumbers,
	horizontalSpace: noSet, boundary: typedBoundary, fold: runes.FoldLower, foldTypes: foldNever,

	begin: beginPython, finish: finishPython, flag: noFlag, literal: (*scanner).pythonString, delimiters: "/",
	calls: []call{pythonCall, pythonMatchCall}, symbol: pythonSymbol, property: noProperty,
	posixClass: asciiClass,
}

// The newer versions have newer tables of Unicode. Python 3.14 has \z as well, and \B matches in the empty string.
var (
	python312 = newerPython("3.12", runes.OfPython312)
	python313 = newerPython("3.13", runes.OfPython313)
	python314 = func() dialect {
		d := newerPython("3.14", runes.OfPython314)
		d.anchors = "AZzbB"
		d.has, d.lacks = d.has.without(boundaryNeedsText), d.lacks.with(boundaryNeedsText)
		return d
	}()
)

// newerPython returns the dialect of a version that differs from 3.11 in its tables of Unicode alone.
func newerPython(version, unicode string) dialect {
	d := python
	d.engine = "re of Python " + version
	d.unicode, d.tables = unicode, d.engine
	return d
}

var pythonWriting = Writing{
	Open: "^", Shut: `\Z`, Group: "(?P<", OtherInName: "_", FirstInName: "_", InClass: `\][^`, Never: "(?!)",
	ReadAs:   "python",
	Extended: true,
	Modes:    []Mode{{}, {Short: true, Flags: "(?a)"}, {Short: true, Fold: true, Flags: "(?ai)"}},
	Point:    pythonPoint,
	Source:   asItIs, Reads: asItIs,
	Constants: &Constants{Comment: "# ", Constant: pythonConstant},
}

// pythonConstant writes a constant of Python.
func pythonConstant(name, text string) string {
	return name + " = r'" + strings.ReplaceAll(text, "'", `\x27`) + "'"
}

// pythonPoint writes a character by its number.
func pythonPoint(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08X`, r)
	}
	return javascriptPoint(r)
}

// pythonSpace returns \s of str.isspace.
func pythonSpace(u *runes.Unicode) set { return of(0x1c, 0x1f).Or(u.Table("White_Space")) }

// beginPython is dialect.begin of Python. It sets the alphabet, bytes for b"...", and otherwise p.unicode. It reads
// the flags at the very beginning, and returns the offset after them. It fails where pythonFlags does.
func beginPython(p *parser, l *literal) int {
	if p.unicode = true; l.octets {
		p.octets()
	}
	return p.pythonFlags(l.pattern)
}

// A wide is a character beyond the BMP, or a range up to one, that stands where case is ignored.
type wide struct {
	at      int
	lo, hi  rune // of a range; the same for a character
	inClass bool
	isRange bool // it is written as one
	unicode bool // case is ignored by the rules of Unicode
}

// noteWide enters w in p.wides if it is a wide. It sets w.unicode.
func (p *parser) noteWide(w wide) {
	if p.fold && w.hi > lastUnit && p.last == lastPoint {
		w.unicode = p.unicode
		p.wides = append(p.wides, w)
	}
}

// finishPython is dialect.finish of Python. It refuses what re compiles in a way of its own: classes have a map of the BMP
// alone (re._compiler._optimize_charset). A character beyond it stays in a class as it is, so that a capital, to whose
// lower case a text is changed, matches nothing. So it does where characters are alternatives, since these become a
// class. A range up to such a character also matches what has its upper case in it, even under the flag a.
func finishPython(p *parser, n *node) {
	for _, w := range p.wides {
		switch {
		case w.isRange && p.reachesFurther(w):
			p.refuse(w.at, "a range up to a character beyond U+FFFF, which also matches what has its upper case in it, "+
				"is not supported where case is ignored")
		case !w.isRange && w.unicode && p.isCapital(w.lo) && (w.inClass || isInChoice(n, w.at)):
			p.refuse(w.at, "a capital beyond U+FFFF in a class, or in an alternative, is not supported where case is ignored: "+
				"Python does not match it")
		}
	}
}

// upperFirst has the characters whose upper case is several ones, and the first of these, if that is the greater.
var upperFirst = map[rune]rune{0x149: 0x2bc, 0x390: 0x399, 0x1fb2: 0x1fba, 0x1fc2: 0x1fca, 0x1ff2: 0x1ffa}

// reachesFurther reports whether a range matches a character for its upper case alone, or perhaps does.
func (p *parser) reachesFurther(w wide) bool {
	members := of(w.lo, w.hi)
	for lower, upper := range upperFirst {
		if members.Has(upper) && !members.Has(lower) {
			return true
		}
	}
	if w.unicode { // then all cases are in it anyway
		return false
	}
	for _, s := range p.Unicode.Fold(runes.FoldSimple, members).And(members.Not(p.last)) {
		for c := s.Lo; c <= s.Hi; c++ {
			if c > lastUnit || members.Has(unicode.ToUpper(c)) {
				return true
			}
		}
	}
	return false
}

// isCapital reports whether a character has a lower case that is another one.
func (p *parser) isCapital(c rune) bool {
	capitals, _ := p.Unicode.Category("Lu")
	return capitals.Has(c) && len(p.Unicode.Fold(runes.FoldSimple, of(c, c))) > 1
}

// isInChoice reports whether the part at an offset of the text stands in a written choice.
func isInChoice(n *node, at int) (found bool) {
	n.walk(func(s *node) { found = found || s.op == opAlt && s.branched && s.at <= at && at < s.end })
	return found
}

// pythonSymbol is dialect.symbol of Python. It knows \x, octal numbers and, unless symbols are bytes, \u, \U and
// \N{name}. It fails for another letter or digit of ASCII, and refuses an octal number above 377; any other c stands
// for itself.
func pythonSymbol(p *parser, at int, c rune, _ bool) rune {
	switch {
	case c == 'x':
		return p.hexadecimal(at, c, 2, 2)
	case c == 'u' && p.last != lastByte:
		return p.hexadecimal(at, c, 4, 4)
	case c == 'U' && p.last != lastByte:
		return p.hexadecimal(at, c, 8, 8)
	case c >= '8' && c <= '9':
		p.fail(at, "\\%c is no escape", c)
	case c >= '0' && c <= '7':
		return p.octal(at, 3, byteOctal)
	case c == 'N' && p.last != lastByte && p.sees("{"):
		return p.namedCharacter(at)
	case word.Has(c) && c != '_':
		p.fail(at, "\\%c is no escape", c)
	}
	return c
}

// namedCharacter reads the name of a character in braces, and returns the character. It stops the parser as findNamed
// does.
func (p *parser) namedCharacter(at int) rune {
	rest := p.src[p.index:]
	rest = rest[:slices.Index(rest, '}')+1] // empty if there is none
	c, length := p.findNamed(at, string(rest), p.fail)
	p.index += length
	return c
}

// findNamed returns the character that is named in braces at the beginning of text, after a \N at an offset, and the
// length of text up to and with the "}", in characters and bytes alike: names are ASCII. It calls fail, which must
// panic, if there is no name, or if it is that of a character that the engine's version of Unicode does not have. It
// refuses a name that is not known here: Python knows aliases, and newer names, that are not.
func (r *Regex) findNamed(at int, text string, fail func(at int, format string, args ...any)) (c rune, length int) {
	braced, opened := strings.CutPrefix(text, "{")
	name, _, closed := strings.Cut(braced, "}")
	switch {
	case !opened || !closed:
		fail(at, "\\N{ without }")
	case name == "":
		fail(at, "\\N{} has no name")
	}
	c, ok := charnames.Find(name)
	if !ok {
		panic(expr.Refusef(r.pos(at),
			"%q is the name of no character that is known here; write the character, or \\u and its number", name))
	}
	if unassigned, known := r.Unicode.Category("Cn"); known && unassigned.Has(c) {
		fail(at, "%q is the name of no character of Unicode %s", name, r.Unicode.Version)
	}
	return c, len(name) + len("{}")
}

// pythonFlags reads the groups of flags, (?i), at the very beginning of text, the pattern, which hold for the whole
// expression. It sets p.flags and p.whole, and returns the offset after them, 0 if there are none. It fails where
// checkFlag does.
func (p *parser) pythonFlags(text string) (from int) {
	switched := map[rune]bool{}
	for {
		rest := text[from:]
		end := strings.IndexByte(rest, ')')
		if !strings.HasPrefix(rest, "(?") || end < 3 || strings.Trim(rest[2:end], string(p.d.flags)) != "" {
			p.whole = p.flags
			return from
		}
		for _, c := range rest[2:end] {
			p.checkFlag(switched, c, true, 0)
			p.setFlag(&p.flags, c, true, 0)
		}
		from += end + 1
	}
}

// checkFlag fails where Python does (_parse_flags of re._parser): at a and u together, and at a flag that is switched
// on and off. switched has the flags so far, and c is entered there.
func (p *parser) checkFlag(switched map[rune]bool, c rune, on bool, at int) {
	if was, seen := switched[c]; seen && was != on {
		p.fail(at, "the flag %c is switched on and off", c)
	}
	switched[c] = on
	if switched['a'] && switched['u'] {
		p.fail(at, "the flags a and u are incompatible")
	}
}

// pythonString finds a string, with a prefix or without. The Python Language Reference 3.11, section 2.4.1. It
// returns nil for a text that does not begin like a string, or that goes on after a plain one: one without a prefix,
// with one quotation mark on each side, ' or ". It panics for any string that is not closed, is followed by another
// string or, unless plain, by anything, is formatted (f"..."), has the prefix ur of Python 2, has a line end between
// single marks, has a wrong escape, or is b"..." with a character beyond ASCII. The literal has plain set for a plain
// string and octets for b"...".
func (s *scanner) pythonString() *literal {
	text := s.text
	at := s.from
	for at < len(text) && at < s.from+3 && strings.IndexByte("rRbBuUfF", text[at]) >= 0 {
		at++
	}
	prefix := strings.ToLower(text[s.from:at])
	if at == len(text) || text[at] != '"' && text[at] != '\'' ||
		!slices.Contains([]string{"", "r", "b", "br", "rb", "u", "f", "fr", "rf", "ur"}, prefix) {
		return nil
	}
	mark := text[at : at+1]
	if triple := strings.Repeat(mark, 3); strings.HasPrefix(text[at:], triple) {
		mark = triple
	}
	from := at + len(mark)
	end := -1
	for i := from; i < len(text) && end < 0; i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], mark):
			end = i
		}
	}
	kind := prefix + mark + "..." + mark
	behind := ""
	if end >= 0 {
		behind = text[end+len(mark):]
	}
	next := strings.TrimLeft(behind, " \t\r\n\\rRbBuUfF")
	switch {
	case end < 0:
		s.unclosed(kind, mark)
	case behind != "" && next != "" && (next[0] == '"' || next[0] == '\'') && len(next) > 1 &&
		next[len(next)-1] == next[0]:
		s.fail(end+len(mark), "two strings, one behind the other, are not supported")
	case behind != "" && prefix == "" && len(mark) == 1:
		return nil // the quotes belong to an expression
	case behind != "":
		s.fail(end+len(mark), "there is more behind %s", kind)
	case prefix == "ur":
		s.fail(s.from, "Python 3 has no strings with the prefix ur")
	case strings.Contains(prefix, "f"):
		s.refuse(s.from, "a string that is formatted is not supported")
	}
	l := &literal{kind: "Python's string", octets: strings.Contains(prefix, "b"), plain: prefix == "" && len(mark) == 1}
	for i := from; i < end; {
		c := text[i]
		switch {
		case len(mark) == 1 && (c == '\n' || c == '\r'):
			s.fail(i, "a newline inside of %s", kind)
		case l.octets && c >= utf8.RuneSelf:
			s.fail(i, "b%s...%s holds ASCII characters alone", mark, mark)
		case c == '\r': // Python reads every end of a line as LF
			l.add('\n', i)
			if i++; i < end && text[i] == '\n' {
				i++
			}
		case c != '\\':
			l.add(c, i)
			i++
		case strings.Contains(prefix, "r"):
			l.add(c, i)
			if i++; text[i] != '\r' {
				l.add(text[i], i)
				i++
			}
		default:
			i = s.pythonEscape(l, i, end)
		}
	}
	l.close(end)
	return l
}

// pythonEscape appends to l the text that the escape at an offset stands for, and returns the offset after it; the
// string ends at end. A \ before a line end stands for nothing. An unknown escape keeps its backslash, which is then
// all that is passed; in b"..." \N, \u and \U are unknown. It panics with an error at a number with too few digits or
// above U+10FFFF, at half of a surrogate pair, at an octal number above 377, and where findNamed does.
func (s *scanner) pythonEscape(l *literal, at, end int) int {
	text := s.text[:end]
	next := text[at+1]
	number := func(from, n, base int) rune {
		if from+n > end {
			s.fail(at, "no escape of Python's strings")
		}
		v, err := strconv.ParseUint(text[from:from+n], base, 32)
		if err != nil || v > unicode.MaxRune {
			s.fail(at, "no escape of Python's strings")
		}
		return rune(v)
	}
	put := func(c rune) {
		switch {
		case l.octets:
			l.add(byte(c), at)
		case c >= 0xd800 && c < 0xe000:
			s.refuse(at, "half of a surrogate pair is not supported")
		default:
			l.addText(string(c), at)
		}
	}
	if plain := strings.IndexByte("\\'\"abfnrtv", next); plain >= 0 {
		l.add("\\'\"\a\b\f\n\r\t\v"[plain], at)
		return at + 2
	}
	switch {
	case next == '\n': // a \ at the end of a line joins it to the next
		return at + 2
	case next == '\r':
		if at+2 < end && text[at+2] == '\n' {
			return at + 3
		}
		return at + 2
	case next == 'x':
		put(number(at+2, 2, 16))
		return at + 4
	case next >= '0' && next <= '7':
		n := 1
		for n < 3 && at+1+n < end && text[at+1+n] >= '0' && text[at+1+n] <= '7' {
			n++
		}
		v := number(at+1, n, 8)
		if v > 0xff {
			s.refuse(at, "an octal number above 377")
		}
		put(v)
		return at + 1 + n
	case next == 'N' && !l.octets:
		c, length := s.regex.findNamed(at, text[at+2:], s.fail)
		put(c)
		return at + len(`\N`) + length
	case next == 'u' && !l.octets:
		put(number(at+2, 4, 16))
		return at + 6
	case next == 'U' && !l.octets:
		put(number(at+2, 8, 16))
		return at + 10
	}
	l.add('\\', at) // an unknown escape keeps its \
	return at + 1
}

// octets changes the parser to read an expression over bytes, and gives the Regex a dialect of its own for that. u is
// no flag then. Names of groups must be ASCII, and others are refused.
func (p *parser) octets() {
	p.last, p.unicode = lastByte, false
	d := *p.dialect
	d.strings, d.flags = "strings are bytes", "aimsx"
	// Python 3.11 warns of other names, and newer versions refuse them.
	d.otherName, d.isName = refused, func(u *runes.Unicode, c rune, first bool) bool {
		return c < utf8.RuneSelf && isWordName(u, c, first)
	}
	p.d, p.dialect = &d, &d
}
