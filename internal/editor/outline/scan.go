package outline

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
)

// A family describes how some notations divide a text into tokens.
type family struct {
	fold   bool // names are the same in either case
	atLine bool // a name that is defined begins its line
	shown  bool // a string may stand between a name and the sign

	comments  []string                      // signs of comments to the end of the line; "@ " and "--" must start one
	enclosed  [][2]string                   // signs that begin and end a comment, two bytes each
	signs     []string                      // those that define a name, the longest first
	quotes    string                        // those that begin a string
	multiline string                        // those of quotes whose strings may have several lines
	escapes   bool                          // a backslash escapes in strings
	name      func(first bool, c byte) bool // whether c can be in a name, at its beginning if first is set
	special   func(s *scanner) bool         // takes a token that only this family has, and reports whether it did
	prepare   func(s *scanner)              // looks at a whole span before it is divided

	// before, unless it is nil, reports whether a token before the name of a production belongs to the production,
	// like the numbers in EBNF.
	before func(o *Outline, i int) bool
}

// isLetter reports whether c is a letter of ASCII.
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isDigit reports whether c is a digit of ASCII.
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isABNFNamePart reports whether c may be in a name of ABNF, at its beginning if first is set. It allows "_",
// although ABNF does not.
func isABNFNamePart(first bool, c byte) bool {
	return isLetter(c) || !first && (isDigit(c) || c == '-' || c == '_')
}

// isIdentifierPart is isABNFNamePart for names as in programming languages.
func isIdentifierPart(first bool, c byte) bool {
	return isLetter(c) || c == '_' || c >= utf8.RuneSelf || !first && isDigit(c)
}

// isEBNFNamePart is isABNFNamePart for names of EBNF.
func isEBNFNamePart(first bool, c byte) bool {
	return isLetter(c) || c == '_' || c >= utf8.RuneSelf || !first && (isDigit(c) || c == '-' || c == '.')
}

// families has the family of each notation that has one.
var families = map[catalog.Kind]*family{
	catalog.ABNF: abnf, catalog.RFC: abnf, catalog.BNF: rfc822, catalog.EBNF: ebnf, catalog.ISO: iso,
	catalog.Pigeon: pigeon, catalog.Peggy: peggy, catalog.GBNF: gbnf, catalog.Naur: naur, catalog.RBNF: naur,
}

var (
	abnf = &family{
		fold: true, atLine: true, comments: []string{";"}, signs: []string{"::=", ":=", "=/", "="}, quotes: `"`,
		name: isABNFNamePart, special: scanABNF,
	}
	rfc822 = &family{
		fold: true, atLine: true, comments: []string{";", "@ "}, signs: []string{"::=", "=/", "="}, quotes: `"`,
		name: isRFC822NamePart, special: scanABNF,
	}
	ebnf = &family{
		enclosed: [][2]string{{"/*", "*/"}}, comments: []string{"//"}, signs: []string{"::="}, quotes: `"'`,
		name: isEBNFNamePart, special: scanEBNF, before: isNumber,
	}
	iso = &family{
		enclosed: [][2]string{{"(*", "*)"}, {"/*", "*/"}}, signs: []string{"::=", ":=", "=", ":"}, quotes: `"'`,
		name: isEBNFNamePart, special: scanISO, prepare: prepareISO,
	}
	pigeon = &family{
		shown: true, enclosed: [][2]string{{"/*", "*/"}}, comments: []string{"//"},
		signs: []string{"<-", "←", "⟵", "="}, quotes: "\"'`", multiline: "`", escapes: true, name: isIdentifierPart,
		special: scanPEG,
	}
	peggy = &family{
		shown: true, enclosed: [][2]string{{"/*", "*/"}}, comments: []string{"//"}, signs: []string{"="},
		quotes: `"'`, escapes: true, name: isPeggyNamePart, special: scanPEG,
	}
	gbnf = &family{
		comments: []string{"#"}, signs: []string{"::="}, quotes: `"`, escapes: true, name: isABNFNamePart,
		special: scanClass,
	}
	naur = &family{
		comments: []string{";", "//", "#", "--"}, signs: []string{"::=", ":=", "="}, quotes: `"'`,
		name: isEBNFNamePart, special: scanNaur,
	}
)

// isRFC822NamePart is isABNFNamePart for names of RFC 822's BNF, which may have "+".
func isRFC822NamePart(first bool, c byte) bool { return isABNFNamePart(first, c) || !first && c == '+' }

// isPeggyNamePart is isIdentifierPart for names of peggy, which may have "$" as in JavaScript, but not at the
// beginning.
func isPeggyNamePart(first bool, c byte) bool {
	return isIdentifierPart(first, c) || c == '$' && !first
}

// isNumber reports whether a token is the number of a production, with one of the letters a, b and c if it was added
// later: [42] or [42a].
func isNumber(o *Outline, i int) bool {
	text := o.TextOf(i)
	if o.Tokens[i].Kind != Value || len(text) <= 2 || text[0] != '[' {
		return false
	}
	return isDigit(text[1]) && strings.Trim(text[1:len(text)-1], "0123456789abc") == ""
}

// A scanner divides a text into tokens, which it appends to out.
type scanner struct {
	*family
	text string
	at   int
	out  *Outline

	spaced   bool // names may have blanks in them: see prepareISO
	unclosed int  // no bracket before this offset closes a class: see scanClass
}

// rest returns what is left of the text.
func (s *scanner) rest() string { return s.text[s.at:] }

// addToken appends a token of n bytes, or of what is left, and goes on after it. n counts as at least 1.
func (s *scanner) addToken(kind Kind, n int) {
	n = max(1, min(n, len(s.text)-s.at))
	s.out.Tokens = append(s.out.Tokens, Token{kind, s.at, s.at + n})
	s.at += n
}

// lineEnd returns the number of bytes to the end of the line, without blanks at the end.
func (s *scanner) lineEnd() int {
	line, _, _ := strings.Cut(s.rest(), "\n")
	return len(strings.TrimRight(line, " \t\r"))
}

// scanToken takes one token, or skips one blank or control character, or the byte order mark at the beginning of the
// text. A character that begins no token is an Operator by itself. There must be text left.
func (s *scanner) scanToken() {
	c := s.text[s.at]
	if c <= ' ' || s.at == 0 && strings.HasPrefix(s.text, "\ufeff") {
		_, n := utf8.DecodeRuneInString(s.rest())
		s.at += n
		return
	}
	for _, pair := range s.enclosed {
		if strings.HasPrefix(s.rest(), pair[0]) {
			n := strings.Index(s.text[s.at+2:], pair[1])
			if n < 0 {
				n = len(s.text) // to the end: addToken caps it
			}
			s.addToken(Comment, n+4) // with both signs
			return
		}
	}
	for _, sign := range s.comments {
		if strings.HasPrefix(s.rest(), sign) && (sign != "@ " && sign != "--" || s.startsLine()) {
			s.addToken(Comment, s.lineEnd())
			return
		}
	}
	if s.special(s) {
		return
	}
	for _, sign := range s.signs {
		if strings.HasPrefix(s.rest(), sign) {
			s.addToken(Defines, len(sign))
			return
		}
	}
	switch {
	case strings.IndexByte(s.quotes, c) >= 0:
		s.addToken(String, s.stringLength())
	case s.name(true, c):
		s.addToken(Name, s.nameLength())
	case c == '/' || c == '|':
		s.addToken(Slash, 1)
	case c == '(' || c == '[' || c == '{':
		s.addToken(Open, 1)
	case c == ')' || c == ']' || c == '}':
		s.addToken(Close, 1)
	default:
		_, n := utf8.DecodeRuneInString(s.rest())
		s.addToken(Operator, n)
	}
}

// startsLine reports whether only blanks stand before the scanner in the line. Lines end in LF here, or in CR LF. What
// is before the span counts as well, and a byte order mark is no blank.
func (s *scanner) startsLine() bool {
	for at := s.at - 1; at >= 0 && s.text[at] != '\n'; at-- {
		if s.text[at] != ' ' && s.text[at] != '\t' {
			return false
		}
	}
	return true
}

// maxSearch caps the search for the other end of a class, of prose and the like. Without it, each sign that begins
// one would be compared with the whole rest of the text.
const maxSearch = 4 << 10

// nearText returns the rest of the text, at most maxSearch bytes of it.
func (s *scanner) nearText() string { return s.text[s.at:min(len(s.text), s.at+maxSearch)] }

// nameLength returns the length of the name that begins here.
func (s *scanner) nameLength() int {
	n := 1
	for s.at+n < len(s.text) && s.name(false, s.text[s.at+n]) {
		n++
	}
	return n
}

// stringLength returns the length of the string that begins here. A string that is not closed ends with its first
// line, less blanks at the end. If its quotes allow several lines, or its line is the last, it ends with the text.
func (s *scanner) stringLength() int {
	quote := s.text[s.at]
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == quote:
			return i + 1 - s.at
		case c == '\\' && s.escapes && quote != '`':
			i++
		case c == '\n' && strings.IndexByte(s.multiline, quote) < 0:
			return s.lineEnd()
		}
	}
	return len(s.text) - s.at
}

// Each of the functions below takes a token that only some notations have, and reports whether it did: see
// family.special. Tokens that all have are left to scanToken.

// scanABNF takes values, counts, prose and strings with a mark. A "%" alone is a Value. A "<" that is not closed
// before two LF in a row, or not within maxSearch bytes, is no prose. An empty line that ends with CR LF does not
// end prose.
func scanABNF(s *scanner) bool {
	switch c := s.text[s.at]; {
	case c == '%':
		if rest := s.rest(); len(rest) > 2 && rest[2] == '"' && strings.IndexByte("sSiI", rest[1]) >= 0 {
			s.at += 2 // the string begins after its mark
			n := s.stringLength()
			s.at -= 2
			s.addToken(String, n+2)
			return true
		}
		n := 1
		inValue := func(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' || c == '-' }
		for s.at+n < len(s.text) && inValue(s.text[s.at+n]) {
			n++
		}
		s.addToken(Value, n)
	case isDigit(c) || c == '*' || c == '#':
		n := 1
		for s.at+n < len(s.text) && (isDigit(s.text[s.at+n]) || s.text[s.at+n] == '*' || s.text[s.at+n] == '#') {
			n++
		}
		s.addToken(Count, n)
	case c == '<':
		n := strings.IndexByte(s.nearText(), '>')
		if n < 0 || strings.Contains(s.nearText()[:n], "\n\n") {
			return false
		}
		s.addToken(Prose, n+1)
	default:
		return false
	}
	return true
}

// scanEBNF takes characters by their number, classes, the numbers of productions, and lines that begin with
// "@", which are comments.
func scanEBNF(s *scanner) bool {
	if strings.HasPrefix(s.rest(), "#x") {
		n := 2
		for s.at+n < len(s.text) && (isDigit(s.text[s.at+n]) || isLetter(s.text[s.at+n])) {
			n++
		}
		s.addToken(Value, n)
		return true
	}
	if s.text[s.at] == '@' && s.startsLine() {
		s.addToken(Comment, s.lineEnd())
		return true
	}
	return scanClass(s)
}

// scanClass takes a class of characters or, if that is not closed in its line, a bracket. It takes nothing where no
// bracket opens. It records in s.unclosed how far no class is closed.
func scanClass(s *scanner) bool {
	if s.text[s.at] != '[' {
		return false
	}
	i := s.at + 1
	if s.at < s.unclosed { // no bracket closes before there, so the loop has nothing to look for
		i = len(s.text)
	}
	for ; i < len(s.text) && s.text[i] != '\n'; i++ {
		switch c := s.text[i]; {
		case c == '\\' && s.escapes:
			i++
		case c == ']':
			s.addToken(Value, i+1-s.at)
			return true
		}
	}
	if s.at >= s.unclosed {
		s.unclosed = i
	}
	s.addToken(Open, 1)
	return true
}

// betweenQuotes matches strings and comments, whose commas mean nothing.
var betweenQuotes = regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'|\(\*(?s:.*?)\*\)`)

// prepareISO sets s.spaced: names may have blanks in them if there are commas between elements in what is left of the
// text.
func prepareISO(s *scanner) {
	s.spaced = strings.Contains(betweenQuotes.ReplaceAllString(s.rest(), ""), ",")
}

// scanISO takes special sequences and names of several words. A "?" that is not closed in its paragraph, or not within
// maxSearch bytes, begins no special sequence, and neither does one directly after an element.
func scanISO(s *scanner) bool {
	switch c := s.text[s.at]; {
	case c == '?' && !s.afterElement():
		if n := strings.IndexByte(s.nearText()[1:], '?'); n >= 0 && !strings.Contains(s.nearText()[1:1+n], "\n\n") {
			s.addToken(Value, n+2)
			return true
		}
	case s.spaced && s.name(true, c):
		n := s.nameLength()
		for {
			blanks := len(s.text[s.at+n:]) - len(strings.TrimLeft(s.text[s.at+n:], " \t"))
			at := s.at + n + blanks
			if blanks == 0 || at == len(s.text) || !s.name(true, s.text[at]) {
				break
			}
			word := *s
			word.at = at
			n += blanks + word.nameLength()
		}
		s.addToken(Name, n)
		return true
	}
	return false
}

// afterElement reports whether an element ends directly here: a name, a string, a value or a closing bracket. Then "?"
// means "optional".
func (s *scanner) afterElement() bool {
	n := len(s.out.Tokens)
	if n == 0 || s.out.Tokens[n-1].End != s.at {
		return false
	}
	switch s.out.Tokens[n-1].Kind {
	case Name, String, Value, Close:
		return true
	}
	return false
}

// scanPEG takes labels, code, the "." for any character, and strings and classes with the "i" after them. A label has
// its colon, and "::" is none.
func scanPEG(s *scanner) bool {
	switch c := s.text[s.at]; {
	case c == '[':
		scanClass(s) // takes something in any case: a class or a bracket
		last := &s.out.Tokens[len(s.out.Tokens)-1]
		if n := s.markLength(s.at); last.Kind == Value && n > 0 {
			last.End += n
			s.at += n
		}
		return true
	case c == '{':
		s.addToken(Code, s.codeLength())
		return true
	case c == '.':
		s.addToken(Value, 1)
		return true
	case s.name(true, c):
		n := s.nameLength()
		rest := strings.TrimLeft(s.text[s.at+n:], " \t")
		if strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::") {
			s.addToken(Label, n+len(s.text[s.at+n:])-len(rest)+1)
			return true
		}
	case strings.IndexByte(s.quotes, c) >= 0:
		n := s.stringLength()
		s.addToken(String, n+s.markLength(s.at+n))
		return true
	}
	return false
}

// markLength returns the length of the mark at an offset that has a string or a class before it match in either case:
// 1 for an "i" that does not begin a longer name, and otherwise 0.
func (s *scanner) markLength(at int) int {
	after := s.text[at:]
	if strings.HasPrefix(after, "i") && (len(after) == 1 || !s.name(false, after[1])) {
		return 1
	}
	return 0
}

// codeLength returns the length of the code that begins here, with an opening brace: to the brace that closes it,
// or to the end of the text. Braces in its strings and comments do not count.
func (s *scanner) codeLength() int {
	depth := 0
	// What was searched for in vain is not searched for again. After an unclosed string no other of its quotes closes
	// in the same line, since all that follow are escaped.
	unclosed := map[byte]int{} // by quote: the offset before which no string is closed
	noEnd := false             // no comment ends in the rest of the text
	for i := s.at; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1 - s.at
			}
		case '"', '\'', '`':
			if i < unclosed[c] {
				continue
			}
			inner := *s
			inner.at = i
			if n := inner.stringLength(); n > 1 && s.text[i+n-1] == c {
				i += n - 1
			} else {
				unclosed[c] = i + n
			}
		case '/':
			switch rest := s.text[i:]; {
			case strings.HasPrefix(rest, "//"):
				n := strings.IndexByte(rest, '\n')
				if n < 0 { // it is a comment to the end of the text
					return len(s.text) - s.at
				}
				i += n
			case strings.HasPrefix(rest, "/*") && !noEnd:
				if n := strings.Index(rest[2:], "*/"); n >= 0 {
					i += n + 3
				} else {
					noEnd = true
				}
			}
		}
	}
	return len(s.text) - s.at
}

// scanNaur takes text in angle brackets, which is Prose, words, which are terminals, and "...", which is a Count: it
// repeats what stands before it. A "<" that is not closed in its line, or not within maxSearch bytes, is left to
// scanToken, and so is "<>".
func scanNaur(s *scanner) bool {
	switch c := s.text[s.at]; {
	case c == '<':
		line, _, _ := strings.Cut(s.nearText(), "\n")
		if n := strings.IndexByte(line, '>'); n > 1 {
			s.addToken(Prose, n+1)
			return true
		}
	case s.name(true, c):
		s.addToken(String, s.nameLength()) // a word is a terminal
		return true
	case strings.HasPrefix(s.rest(), "..."):
		s.addToken(Count, 3)
		return true
	}
	return false
}
