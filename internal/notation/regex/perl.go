package regex

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// The flavor of Perl, as it matches strings of bytes: text that nobody has decoded, by expressions without the
// pragma utf8 and without the feature unicode_strings. There \d, \w, \s and case are those of ASCII. A property,
// \N{U+41} or a character above \xff changes the whole expression to the rules of Unicode, by which a byte is one
// of the characters U+0000 to U+00FF. Where case is ignored then, \xdf is "ss" as well; perlfold.go reads that.
// What else makes Perl change is refused: a character by its name, the flags a, d, l and u.
//
// Perl replaces variables, \Q and \L before its engine sees an expression. Of these \Q is read in a literal. The others
// are refused, as is \Q in a bare expression, which is what the engine gets.
//
// https://perldoc.perl.org/5.36.0/perlre

var perl = dialect{
	engine: "Perl 5.36", strings: "strings are bytes, which nobody has decoded", unicode: runes.OfPerl536,
	tables: "Perl 5.36",
	has: these(remembers, backtracks, finalNewline, lineEnd, verbs, lookaheadRepeats, lookbehindRepeats, keep,
		numberedCharacters, beyondAlphabet, asciiFolds, fullFolds, resetFlags, doubleX, lazyQuantifiers,
		anchorsRepeat, references, namedReferences, bracedReferences, backspace, posixClasses, collating,
		spacedGroups, properties, letterProperties, caretProperties, wideTypes),
	lacks: these(colonsRefused, anyNeedsAtom, countNeedsAtom, callEscapes, posixScanned,
		groupsFixed, spacedQuantifiers, refusedBelow, quote, strayQuoteEnd, emptyQuote, doubtfulBreaks,
		unsetIsEmpty, bareConditions, plainCounts, ownParser, brokenUTF8, noZero, delimited, crlf, strict,
		strayParen, namesAlone, simpleLookbehinds, isolatedFlags, flagsFirst, strictFlags, dotAllIsM,
		wholeFlagGroups, flagsRepeatPrior, scopedFlags, flagsOnce, asciiExtended, escapedComments,
		pairedComments, spacedClasses, stacked, countThenOption, below, belowNothing, numbersChecked,
		emptyRepeats, emptyStopsRepeats, upperZIsEnd, boundaryNeedsText, namesMakeK, octalReferences,
		looseReferences, checkedReferences, latinWords, doubtfulAscii, emptySet, refusedBracket, posixBegun,
		nested, oddIntersection, lostComplements, plainClasses, dashAtEnds, looseRanges, soleCharacter,
		crossFolds),

	types: "dDwWsShHvVRN", anchors: "AZzGbB", controls: "aefnrt", refused: "XLUluFC",
	groups: ": = ! <= <! > <n P<n P= 'n # f", flags: "imsnx", possess: "?*+}", repeats: 65534, nesting: 200,

	openBrace: refused, disorder: refused, sameName: refused, otherName: refused, half: refused,
	bareProperty: refused, typeInRange: refused, bareFlags: refused,
	refusedInClass: "N X L U l u F C K g k R b B A z Z G", errorsInClass: noLetters,
	refusedRanges: "dDwWsShHvVpP", refusedDash: noWords, refusedOperators: noWords, lookbehind: shortLength,
	isName: isRustName, plainName: nameAsWritten,

	newlines: newline, space: asciiSpace, wideSpace: pcreSpace, wideWord: perlWord, horizontalSpace: horizontal,
	boundary: typedBoundary, fold: runes.FoldSimple, foldTypes: foldNever,

	begin: beginPerl, finish: finishPerl, flag: (*parser).perlFlag, literal: (*scanner).perlMatch,
	delimiters: "/", calls: []call{}, symbol: perlSymbol, property: perlProperty, posixClass: perlClass,
}

// zeroCount matches a count whose number begins with a zero, which Perl does not take.
var zeroCount = regexp.MustCompile(`\{(?:0[0-9]|[0-9]+,0[0-9])`)

// wideEscape matches what changes an expression to the rules of Unicode: a property, or a character by a number that is
// written with U+ or is above \xff.
var wideEscape = regexp.MustCompile(`^\\(?:[pP]|N\{U\+|x\{0*[1-9A-Fa-f][0-9A-Fa-f]{2}|o\{0*(?:[4-7][0-7]{2}|[1-7][0-7]{3}))`)

// beginPerl is dialect.begin of Perl. It refuses counts that Perl does not take (zeroCount), what the engine reads as
// a bound after \b, in a literal what Perl takes for a variable, and an empty literal other than of qr. It replaces
// \Q in a literal. It sets the alphabet, bytes, and p.unicode for an expression with a wideEscape, since what is read
// before it depends on it. It returns 0.
func beginPerl(p *parser, l *literal) int {
	p.last = lastByte
	if at := zeroCount.FindStringIndex(l.pattern); at != nil {
		p.refuse(l.places[at[0]], "a count that begins with a zero is not supported")
	}
	isQuoted := false
	for i := 0; i+1 < len(l.pattern); i++ {
		switch c, next := l.pattern[i], l.pattern[i+1]; {
		case c == '\\':
			isQuoted = isQuoted || next == 'Q'
			i++
		case l.kind == "" || l.verbatim:
		case beginsPerlVariable(c, next):
			p.refuse(l.places[i], "%s begins a variable of Perl; write \\%c for the character",
				shown(l.pattern[i:i+2]), c)
		}
	}
	if isQuoted && l.kind != "" && !l.verbatim {
		p.replaceQuotes(l)
	}
	if l.kind != "" && l.pattern == "" && !strings.HasPrefix(strings.TrimSpace(p.Text), "qr") {
		p.refuse(0, "an empty pattern stands for the last one that matched; write (?:) for the empty expression")
	}
	for i := 0; i+1 < len(l.pattern); i++ {
		if l.pattern[i] == '\\' {
			if rest := l.pattern[i+1:]; strings.HasPrefix(rest, "b{") || strings.HasPrefix(rest, "B{") {
				p.refuse(l.places[i], "\\%c{...} is not supported", rest[0])
			}
			p.unicode = p.unicode || wideEscape.MatchString(l.pattern[i:])
			i++
		}
	}
	return 0
}

// replaceQuotes changes a literal that has a \Q: it replaces each \Q...\E by the characters in it, with a \ before
// each sign, as Perl's lexer does. A \Q without an \E goes on to the end; an \E without a \Q stays. It refuses a
// literal that the lexer may read in another way: one with a comment, which may hide the end of a quote, one with \U
// or the like, and one with a quote that has another \Q, or a character by its name, in it.
func (p *parser) replaceQuotes(l *literal) {
	made := *l
	made.pattern, made.places = "", nil
	hasComments := strings.Contains(l.flags, "x") || strings.Contains(l.pattern, "(?#")
	if comment := strings.IndexByte(l.pattern, '#'); comment >= 0 && hasComments {
		p.refuse(l.places[comment], "\\Q beside a comment is not supported")
	}
	inQuote := false
	for i := 0; i < len(l.pattern); i++ {
		add := made.add
		if inQuote {
			add = made.addQuoted
		}
		c, at := l.pattern[i], l.places[i]
		if c != '\\' || i+1 == len(l.pattern) {
			add(c, at)
			continue
		}
		i++
		next, nextAt := l.pattern[i], l.places[i]
		switch {
		case next == 'Q' && !inQuote:
			inQuote = true
		case next == 'E' && inQuote:
			inQuote = false
		case strings.IndexByte("QULulF", next) >= 0, inQuote && next == 'N':
			p.refuse(at, "\\%c beside \\Q is not supported", next)
		case inQuote && next == '/' && l.kind == "/.../":
			add(next, nextAt) // the \ before it is the literal's, and none of the characters
		default: // in a quote the \ is one of the characters, and so is what follows
			add(c, at)
			add(next, nextAt)
		}
	}
	made.close(l.places[len(l.pattern)])
	*l = made
}

// addQuoted appends a character that stands for itself, with a \ before it if it is a sign.
func (l *literal) addQuoted(c byte, at int) {
	if c < 0x80 && !isWordByte(c) {
		l.add('\\', at)
	}
	l.add(c, at)
}

// beginsPerlVariable reports whether Perl takes a sign and the byte after it, which there must be, for the beginning
// of a variable: a $ unless |, a parenthesis, a space, a tab or a line end follows, and an @ before a letter, a digit
// or one of _{:'$. No other sign begins one.
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

// perlProperty returns a general category by its short name, what ECMAScript has for the name (Unicode.Property), or
// a script; false for any other name. Among U+0000 to U+00FF a script has the same members as its extensions, which
// Perl means by a name alone. Where case is ignored, a property about case has the letters of every case.
func perlProperty(p *parser, name string) (set, bool) {
	if name == "L&" || name == "L_" {
		return p.Unicode.Table(casedLetters...), true
	}
	category := name // which may stand alone
	if key, value, pair := strings.Cut(name, "="); pair && (key == "General_Category" || key == "gc") {
		category = value
	}
	tables, cased := casedCategories[category]
	if !cased {
		tables, cased = casedProperties[name]
	}
	if cased && p.fold {
		return p.Unicode.Table(tables...), true
	}
	if s, ok := p.Unicode.Category(name); ok && len(name) <= 2 {
		return s, true
	}
	if s, ok := p.Unicode.Property(name); ok {
		return s, true
	}
	return p.Unicode.Script(name)
}

// The letters of every case, as a general category and as a property.
var (
	casedLetters = []string{"Lu", "Ll", "Lt"}
	casedAll     = []string{"Lu", "Ll", "Lt", "Other_Uppercase", "Other_Lowercase"}
)

// casedCategories has what each general category that is about case matches where case is ignored, and casedProperties
// the same for other properties.
var (
	casedCategories = map[string][]string{
		"Lu": casedLetters, "Uppercase_Letter": casedLetters, "Ll": casedLetters, "Lowercase_Letter": casedLetters,
		"Lt": casedAll, "Titlecase_Letter": casedAll,
	}
	casedProperties = map[string][]string{
		"Uppercase": casedAll, "Upper": casedAll, "Lowercase": casedAll, "Lower": casedAll,
	}
)

// perlClass returns a class with a POSIX name; false for any other name. By the rules of Unicode it has their members,
// and where case is ignored too, [:upper:] and [:lower:] have the letters of every case. Without these rules it has
// those of ASCII, and where case is ignored then, it is false for these two names.
func perlClass(p *parser, at int, name string, not bool) (set, bool) {
	switch cased := name == "upper" || name == "lower"; {
	case !p.unicode:
		return pcreClass(p, at, name, not)
	case cased && p.fold:
		p.usesTables = true
		return p.Unicode.Table(casedAll...), true
	}
	return rubyClass(p, at, name, not)
}

// finishPerl is dialect.finish of Perl: it notes the assumption about bytes, and makes the checks that need the whole
// expression. It fails for \K in a lookaround. It refuses what checkSharps and checkBeyond do, a wideEscape that was
// not read, and lookarounds that Perl 5.36 does not match as its documentation says. One is a lookaround, a condition
// or an atomic group in a lookbehind: (?<!(?<!(?>ab))) does not match "ab". The other is a positive lookahead whose
// least width is 0 and that has a repetition: (?=\d*)\D does not match "a", since the optimizer takes \d for what the
// match begins with.
func finishPerl(p *parser, n *node) {
	if p.unicode && !p.sawWide {
		p.refuse(0, "a property or a number that is not read, as in a comment, is not supported")
	}
	if p.unicode {
		p.assume(`perl: with \p, \N{U+41} or a character above \xff, a byte is one of the characters U+0000 to U+00FF`)
	}
	p.checkSharps(n)
	p.checkBeyond(n)
	n.walk(func(look *node) {
		next, _ := slices.BinarySearch(p.keeps, look.at) // the first \K from there on
		if look.look && next < len(p.keeps) && p.keeps[next] < look.end {
			p.fail(p.keeps[next], "\\K is not permitted in a lookaround")
		}
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
					p.refuse(s.at,
						"a repetition in a lookahead that may read nothing is not supported, since "+
							"Perl 5.36 may not match it")
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

// perlMatch finds a match of Perl's, with flags: /.../, or m, qr or s with any delimiters, or an expression in
// quotes. It is doubtful unless it is /.../, m/.../ or qr/.../, since text such as m(a|b) may also be meant as an
// expression. It returns nil for any other text, also for a / alone, and where an operator's operand is not closed.
// It panics for a text that begins with / and goes on, but not to another /, for flags of /.../ that are not letters,
// for g and c after qr, for tr and y, which have no expression, and for $a =~ before one.
func (s *scanner) perlMatch() *literal {
	if found := perlBinding.FindStringIndex(s.text[s.from:]); found != nil {
		s.fail(s.from, "the expression begins after %s", strings.TrimSpace(s.text[s.from:s.from+found[1]]))
	}
	rest := s.text[s.from:]
	for _, o := range perlOperators {
		switch {
		case !strings.HasPrefix(rest, o.name):
		case o.parts == 1 && strings.HasPrefix(rest, o.name+"/"):
			l := s.perlSlashes(s.from + len(o.name))
			if l == nil || o.name != "qr" {
				return l
			}
			if i := strings.IndexAny(l.flags, "gc"); i >= 0 {
				s.fail(l.flagsAt+i, "qr has no flag %c, as it compiles an expression and matches nothing", l.flags[i])
			}
			return l
		default:
			if l := s.perlOperands(o); l != nil {
				return l
			}
		}
	}
	if rest[0] != '/' {
		return s.quotes(`"'`, `'`, "$ @")
	}
	if s.closing(s.from+1, '/', '/') < 0 && rest != "/" {
		s.unclosed("/.../", "/")
	}
	return s.perlSlashes(s.from)
}

// perlSlashes returns the literal /.../ that begins at an offset, nil if it is not closed. It panics for flags that
// are not letters.
func (s *scanner) perlSlashes(from int) *literal {
	end := s.closing(from+1, '/', '/')
	if end < 0 {
		return nil
	}
	return s.flagged("/.../", end, raw(s.text, from+1, end))
}

// perlOperands returns the doubtful literal that the text is if it consists of o, its operands and flags of o, else
// nil. The pattern is the first operand; a \ before the delimiter is dropped, unless that is a bracket. Space may
// stand before an operand in brackets and before the first, but not before a delimiter #. It panics with an error if
// the operator has no expression.
func (s *scanner) perlOperands(o perlOperator) *literal {
	begin := s.from + len(o.name)
	from := s.afterSpace(begin)
	if from == len(s.text) || !isPunctuation(s.text[from]) || s.text[from] == '_' || s.text[from] == '#' &&
		from > begin {
		return nil
	}
	mark := s.text[from]
	closes, bracketed := brackets[mark]
	if !bracketed {
		closes = mark
	}
	first := s.closing(from+1, mark, closes)
	end := first // of the operand at hand: s/a/b/ shares the delimiter between two, s{a} {b} does not
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
	l.close(first)
	return l
}

// afterSpace returns the offset of the first character, from an offset on, that is no white space.
func (s *scanner) afterSpace(from int) int {
	return len(s.text) - len(strings.TrimLeftFunc(s.text[from:], unicode.IsSpace))
}

// perlFlag sets the flag c after a literal, and returns false if Perl has no such flag; a second x is xx. It refuses
// flags of replacement, p, and a, d, l and u, which choose the rules for characters. g, c and o, which concern only how
// a match goes on, or speed, change nothing.
func (p *parser) perlFlag(c rune, at int) bool {
	switch c {
	case 'i', 'm', 's', 'n':
		p.setFlag(&p.flags, c, true, at)
	case 'x':
		p.extended, p.doubled = true, p.extended // the second x need not follow the first at once
	case 'g', 'c', 'o':
	case 'a', 'd', 'l', 'u', 'p', 'e', 'r':
		p.refuse(at, "the flag %c is not supported", c)
	default:
		return false
	}
	return true
}

// perlSymbol is dialect.symbol of Perl. It reads numbers and control characters; \N{U+41} sets p.sawWide. It refuses
// a letter or digit that is no escape here, and a character beyond ASCII; any other stands for itself. It stops the
// parser as braced, hexadecimal and octal do.
func perlSymbol(p *parser, at int, c rune, _ bool) rune {
	switch {
	case c == 'N' && p.next("{U+"):
		p.sawWide = true
		return p.braced(at, 16)
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
	case c == 'Q' || c == 'E':
		p.refuse(at, "\\%c is replaced before the engine of Perl sees an expression; it is read "+
			"in a literal: perl:/.../", c)
	case word.Has(c) && c != '_':
		p.refuse(at, "\\%c is not supported", c)
	case c > 0x7f:
		p.refuse(at, "a \\ before a character that is no byte")
	}
	return c
}

// isPerlControl reports whether c may follow a \c that is read here: a letter, or a sign from @ to _ but a backslash.
func isPerlControl(c rune) bool { return '@' <= c && c <= '_' && c != '\\' || 'a' <= c && c <= 'z' }
