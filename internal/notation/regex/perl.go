package regex

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of Perl, as it matches strings of bytes: text that nobody has decoded, by expressions without the pragma
// utf8 and without the feature unicode_strings. There \d, \w, \s and case are those of ASCII. A property, \p or \P,
// changes the whole expression to the rules of Unicode, by which a byte is one of the characters U+0000 to U+00FF. That
// is read unless case is ignored, since \xdf is then "ss" as well. What else makes Perl change is refused: \N{...}, a
// character above \xff, the flags a, d, l and u.
//
// Perl replaces variables, \Q and \L before its engine sees an expression. They are refused: a bare expression is what
// the engine gets, and of a literal it is not known.
//
// https://perldoc.perl.org/5.36.0/perlre

var perl = dialect{
	engine: "Perl 5.36", strings: "strings are bytes, which nobody has decoded", unicode: runes.OfPerl536, tables: "Perl 5.36",
	has: these(remembers, backtracks, finalNewline, lineEnd, verbs, lookaheadRepeats, lookbehindRepeats,
		resetFlags, doubleX, spacedClasses, lazyQuantifiers, anchorsRepeat, references, namedReferences, bracedReferences, backspace,
		posixClasses, collating, spacedGroups, properties, letterProperties, caretProperties, wideTypes),
	lacks: these(anyNeedsAtom, countNeedsAtom, keep, callEscapes, posixScanned, groupsFixed, spacedQuantifiers, refusedBelow,
		quote, strayQuoteEnd, emptyQuote, doubtfulBreaks,
		unsetIsEmpty, bareConditions, plainCounts, ownParser, brokenUTF8, noZero, delimited, crlf, strict,
		strayParen, namesAlone, simpleLookbehinds,
		isolatedFlags, flagsFirst, strictFlags, dotAllIsM, wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce,
		asciiExtended, escapedComments, stacked, countThenOption, below, belowNothing, numbersChecked, emptyRepeats,
		emptyStopsRepeats, upperZIsEnd, boundaryNeedsText, namesMakeK, octalReferences, looseReferences,
		checkedReferences, asciiFolds, latinWords, doubtfulAscii,
		emptySet, refusedBracket, posixBegun, nested, oddIntersection, plainClasses, dashAtEnds, looseRanges,
		soleCharacter, crossFolds),

	types: "dDwWsShHvVRN", anchors: "AZzGbB", controls: "aefnrt", refused: "XQELUluFCK",
	groups: ": = ! <= <! > <n P<n 'n # f", flags: "imsnx", possess: "?*+}", repeats: 65534, nesting: 200,

	openBrace: refused, disorder: refused, sameName: refused, otherName: refused, half: refused, bareProperty: refused, typeInRange: refused,
	bareFlags: refused, refusedInClass: "N X Q E L U l u F C K g k R b B A z Z G", errorsInClass: noLetters, refusedRanges: "dDwWsShHvVpP",
	refusedDash: noWords, lookbehind: shortLength, isName: isRustName,

	newlines: newline, space: asciiSpace, wideSpace: pcreSpace, wideWord: perlWord, horizontalSpace: horizontal, boundary: typedBoundary,
	fold: runes.FoldASCII, foldTypes: foldNever,

	begin: beginPerl, finish: finishPerl, flag: (*parser).perlFlag, literal: (*scanner).perlMatch, delimiters: "/",
	calls:  []call{},
	symbol: perlSymbol, property: perlProperty, posixClass: pcreClass,
}

// zeroCount matches a count whose number begins with a zero, which Perl does not take.
var zeroCount = regexp.MustCompile(`\{(?:0[0-9]|[0-9]+,0[0-9])`)

// wideNumber matches the number of a character that may be above \xff.
var wideNumber = regexp.MustCompile(`\\x\{0*[1-9A-Fa-f][0-9A-Fa-f]{2}|\\o\{0*(?:[4-7][0-7]{2}|[1-7][0-7]{3})`)

// foldGroup matches the beginning of a group that switches the flag i on.
var foldGroup = regexp.MustCompile(`\(\?\^?[a-z]*i`)

// beginPerl is dialect.begin of Perl: it refuses counts and characters that change their meaning (zeroCount,
// wideNumber), what the engine reads as a bound after \b, and in a literal what Perl takes for a variable. It sets
// p.unicode for an expression with a property, since what is read before the property depends on it. It returns 0.
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
			p.unicode = p.unicode || next == 'p' || next == 'P'
			i++
		case l.kind == "" || l.verbatim:
		case beginsPerlVariable(c, next):
			p.refuse(l.places[i], "%s begins a variable of Perl; write \\%c for the character", shown(l.pattern[i:i+2]), c)
		}
	}
	if at := foldGroup.FindStringIndex(l.pattern); p.unicode && (p.fold || at != nil) {
		p.refuse(0, "a property where case is ignored is not supported")
	}
	return 0
}

// beginsPerlVariable reports whether Perl takes a sign and the one after it for the beginning of a variable. A $ is an
// anchor only before |, a parenthesis or white space, and at the end.
func beginsPerlVariable(sign, next byte) bool {
	switch sign {
	case '$':
		return strings.IndexByte("|() \t\r\n", next) < 0
	case '@':
		return isWordByte(next) || strings.IndexByte("{:'$", next) >= 0
	}
	return false
}

// perlWord returns \w by the rules of Unicode.
func perlWord(u *runes.Unicode) set { return u.Table("L", "M", "Nd", "Nl", "Pc", "Other_Alphabetic") }

// perlProperty returns a general category by its short name, a property that is yes or no, or a script; false for any
// other name. Among U+0000 to U+00FF a script has the same members as its extensions, which Perl means by a name alone.
func perlProperty(p *parser, name string) (set, bool) {
	if name == "L&" || name == "L_" {
		return p.Unicode.Table("Lu", "Ll", "Lt"), true
	}
	if s, ok := p.Unicode.Category(name); ok && len(name) <= 2 {
		return s, true
	}
	if s, ok := p.Unicode.Property(name); ok {
		return s, true
	}
	return p.Unicode.Script(name)
}

// finishPerl refuses lookarounds that Perl 5.36 does not match as its documentation says. One is a lookaround or an
// atomic group in a lookbehind: (?<!(?<!(?>ab))) does not match "ab". The other is a lookahead that may read nothing
// and has a repetition: (?=\d*)\D does not match "a", since the optimizer takes \d for what the match begins with.
func finishPerl(p *parser, n *node) {
	if p.unicode && !p.sawProperty {
		p.refuse(0, "a property that is not read, as in a comment, is not supported")
	}
	if p.unicode {
		p.assume(`perl: with \p a byte is one of the characters U+0000 to U+00FF`)
	}
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

// A perlOperator is an operator of Perl whose operands stand between delimiters.
type perlOperator struct {
	name  string
	parts int    // operands between delimiters
	flags string // that it takes
	match bool   // the first operand is an expression
}

var perlOperators = []perlOperator{
	{name: "qr", parts: 1, flags: "msixnpodual", match: true},
	{name: "m", parts: 1, flags: "msixnpodualgc", match: true},
	{name: "s", parts: 2, flags: "msixnpodualgcer", match: true},
	{name: "tr", parts: 2, flags: "cdsr"},
	{name: "y", parts: 2, flags: "cdsr"},
}

// perlBinding matches what ties a string to an operator that follows.
var perlBinding = regexp.MustCompile(`^(?:[$]\w+)?\s*[=!]~\s`)

// perlMatch finds a match of Perl's, with flags: /.../, or m, qr or s with any delimiters, or an expression in quotes.
// It is doubtful unless it is /.../, m/.../ or qr/.../, since text such as m(a|b) may also be meant as an expression. It
// returns nil for any other text, also where an operator's operand is not closed. It panics for a / that is not closed,
// for flags of / that are not letters, for tr and y, which have no expression, and for $a =~ before one.
func (s *scanner) perlMatch() *literal {
	if found := perlBinding.FindStringIndex(s.text[s.from:]); found != nil {
		s.fail(s.from, "the expression begins after %s", strings.TrimSpace(s.text[s.from:s.from+found[1]]))
	}
	rest := s.text[s.from:]
	for _, o := range perlOperators {
		switch {
		case !strings.HasPrefix(rest, o.name):
		case o.parts == 1 && strings.HasPrefix(rest, o.name+"/"):
			return s.perlSlashes(s.from + len(o.name))
		default:
			if l := s.perlOperands(o); l != nil {
				return l
			}
		}
	}
	if rest[0] != '/' {
		return s.quotes(`"'`)
	}
	if s.closing(s.from+1, '/', '/') < 0 && rest != "/" {
		s.unclosed("/.../", "/")
	}
	return s.perlSlashes(s.from)
}

// perlSlashes returns the literal /.../ that begins at an offset, nil if it is not closed.
func (s *scanner) perlSlashes(from int) *literal {
	end := s.closing(from+1, '/', '/')
	if end < 0 {
		return nil
	}
	return s.flagged("/.../", end, raw(s.text, from+1, end))
}

// perlOperands returns the doubtful literal that the text is if it consists of o, its operands and flags, else nil.
func (s *scanner) perlOperands(o perlOperator) *literal {
	begin := s.from + len(o.name)
	from := s.afterSpace(begin)
	if from == len(s.text) || !isPunctuation(s.text[from]) || s.text[from] == '_' || s.text[from] == '#' && from > begin {
		return nil
	}
	mark := s.text[from]
	closes, bracketed := brackets[mark]
	if !bracketed {
		closes = mark
	}
	first := s.closing(from+1, mark, closes)
	end := first
	for part := 1; part < o.parts && end >= 0; part++ {
		next := end + 1
		if bracketed {
			if next = s.afterSpace(next); next == len(s.text) || s.text[next] != mark {
				return nil
			}
			next++
		}
		end = s.closing(next, mark, closes)
	}
	if end < 0 || strings.Trim(s.text[end+1:], o.flags) != "" {
		return nil
	}
	kind := o.name + strings.Repeat(string(mark)+"...", o.parts) + string(closes)
	if bracketed {
		kind = o.name + strings.Repeat(string(mark)+"..."+string(closes), o.parts)
	}
	if !o.match {
		s.fail(s.from, "%s replaces characters, and has no expression", kind)
	}
	l := &literal{kind: kind, flags: s.text[end+1:], flagsAt: end + 1, doubtful: true, verbatim: mark == '\''}
	for i := from + 1; i < first; i++ {
		// Perl takes away the \ before a delimiter, which then means what it means: \| in m|...| is an alternative.
		if s.text[i] == '\\' {
			if bracketed || s.text[i+1] != closes {
				l.add('\\', i)
			}
			i++
		}
		l.add(s.text[i], i)
	}
	l.places = append(l.places, first)
	return l
}

// afterSpace returns the offset of the first character, from an offset on, that is no white space.
func (s *scanner) afterSpace(from int) int {
	return len(s.text) - len(strings.TrimLeftFunc(s.text[from:], unicode.IsSpace))
}

// perlFlag sets the flag c after a literal, and returns false if Perl has no such flag. It refuses flags of
// replacement and those that change to the rules of Unicode. Flags that concern only how a match goes on, or
// speed, change nothing.
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
	case c == 'o' && p.next("{"):
		return p.braced(at, 8)
	case c == 'c' && p.more() && isPerlControl(p.src[p.index]):
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

// isPerlControl reports whether c may follow a \c that is read here: a letter, or a sign from @ to _ but a backslash.
func isPerlControl(c rune) bool { return '@' <= c && c <= '_' && c != '\\' || 'a' <= c && c <= 'z' }
