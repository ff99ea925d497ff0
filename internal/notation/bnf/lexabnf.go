package bnf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A kindABNF is a kind of token: a sign stands for itself.
type kindABNF byte

const (
	endToken    kindABNF = 0
	nameToken   kindABNF = 'n' // rule-name
	quotedToken kindABNF = 'q' // "text", %i"text", %s"text"
	valueToken  kindABNF = 'v' // %x41, %x41-5A, %x41.42
	proseToken  kindABNF = '<' // <anything>
	countToken  kindABNF = '*' // 1*2, 3
	listToken   kindABNF = '#' // 1#2
	addsToken   kindABNF = '+' // =/
)

// A tokenABNF is a token. The text of prose that goes over several lines has single blanks.
type tokenABNF struct {
	kind kindABNF
	text string
	pos  expr.Pos
}

// String returns the token as messages quote it.
func (t tokenABNF) String() string {
	if t.kind == endToken {
		return "end of the production"
	}
	return fmt.Sprintf("%q", t.text)
}

// A lexerABNF takes a text apart into tokens.
type lexerABNF struct {
	text string
	at   int      // offset of the next byte
	pos  expr.Pos // of the next byte, in the text that from has the places of
	from *origins
	note *notes
}

// here returns the place of the next byte in its file.
func (l *lexerABNF) here() expr.Pos { return l.from.place(l.pos) }

// scan returns the next token, and goes past it; at the end it is endToken. 'text', "::=", ":=" and, after a blank,
// {1*2} are read as what they mean, and noticed. "|" and a "_" in a name are for the reader to notice. scan fails for
// a value with a letter or "_" right after it, and for a character that begins no token, such as a quotation mark or
// a "<" that is not closed. The error says what to write instead, if that is known; the lexer is of no more use then.
func (l *lexerABNF) scan() (tokenABNF, error) {
	l.skip()
	rest := l.text[l.at:]
	if rest == "" {
		return tokenABNF{pos: l.here()}, nil
	}
	kind, n := kindABNF(rest[0]), 1
	switch c := rest[0]; {
	case isLetter(c):
		kind, n = nameToken, span(rest, isNameByte)
	case c == '"':
		kind, n = quotedToken, quotedLength(rest)
	case c == '%':
		kind, n = percentToken(rest)
	case c == '\'', c == '`':
		if n = singleQuoted(rest); n > 0 {
			l.note.add(singleQuoteNotice, l.here(), rest[:n])
			return l.take(quotedToken, n, `"`+rest[1:n-1]+`"`), nil
		}
	case c == '{':
		n = 1 + span(rest[1:], func(c byte) bool { return isDigit(c) || c == '*' })
		// l.at: after an element it would be a second count.
		if n == 1 || n == len(rest) || rest[n] != '}' || l.at > 0 && l.text[l.at-1] > ' ' {
			n = 0
			break
		}
		l.note.add(braceNotice, l.here(), rest[:n+1])
		return l.take(countToken, n+1, rest[1:n]), nil
	case c == '<':
		kind, n = proseToken, proseLength(rest)
	case c == '*' || c == '#' || isDigit(c):
		kind, n = countToken, span(rest, isDigit)
		if n < len(rest) && (rest[n] == '*' || rest[n] == '#') {
			if rest[n] == '#' {
				kind = listToken
			}
			n += 1 + span(rest[n+1:], isDigit)
		}
	case strings.HasPrefix(rest, "=/"):
		kind, n = addsToken, 2
	case strings.HasPrefix(rest, "::="), strings.HasPrefix(rest, ":="):
		kind, n = '=', strings.IndexByte(rest, '=')+1
		l.note.add(colonNotice, l.here(), rest[:n])
	case strings.IndexByte("=/|()[]", c) < 0:
		n = 0
	}
	if n == 0 {
		return tokenABNF{}, l.beginsNoToken(rest)
	}
	if kind == valueToken && n < len(rest) && isNameByte(rest[n]) && rest[n] != '-' {
		l.pos.Col += n
		return tokenABNF{},
			expr.Errorf(l.here(), "unexpected %q in %q; expected digits, or a space before what follows", rest[n:n+1],
				firstWord(rest))
	}
	t := l.take(kind, n, rest[:n])
	if kind == proseToken && strings.Contains(t.text, "\n") {
		l.pos.Line += strings.Count(t.text, "\n")
		l.pos.Col = n - strings.LastIndexByte(t.text, '\n')
		t.text = strings.Join(strings.Fields(t.text), " ")
	}
	return t, nil
}

// take returns the token of the next n bytes, and goes past it. Its text may differ from these bytes.
func (l *lexerABNF) take(kind kindABNF, n int, text string) tokenABNF {
	t := tokenABNF{kind, text, l.here()}
	l.at += n
	l.pos.Col += n
	return t
}

// singleQuoted returns the length of the string in single quotes at the beginning of s, 0 if it is empty or not closed
// on its line, or holds anything but printable ASCII. s begins with ' or `, and the string ends with '.
func singleQuoted(s string) int {
	if n := singleQuotable(s); n > 1 && n < len(s) && s[n] == '\'' {
		return n + 1
	}
	return 0
}

// singleQuotable returns the offset in s of the first byte, after the one at its beginning, that cannot stand in a
// string in single quotes.
func singleQuotable(s string) int {
	return 1 + span(s[1:], func(c byte) bool { return ' ' <= c && c <= '~' && c != '\'' })
}

// maxProse caps the lines of prose in angle brackets. RFC 5234 has one; older texts have more.
const maxProse = 4

// proseLength returns the length of the prose at the beginning of s, which must begin with "<". The ">" of a
// quoteMark right before another ">" does not end it. It is 0 if no ">" ends the prose within maxProse lines, or a
// control character or a line that defines a name comes first.
func proseLength(s string) int {
	lines := 1
	for n := 1; n < len(s); n++ {
		switch c := s[n]; {
		case strings.HasPrefix(s[n:], quoteMark+">"): // <any TEXT except <">>
			n += len(quoteMark) - 1
		case c == '>':
			return n + 1
		case c == '\n':
			if lines++; lines > maxProse || definesName().MatchString(s[n+1:]) {
				return 0
			}
		case c < ' ' && c != '\t' && c != '\r' || c == 0x7f:
			return 0
		}
	}
	return 0
}

// skip goes past blanks, ends of lines and comments.
func (l *lexerABNF) skip() {
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case ' ', '\t', '\r', '\f', '\v':
			l.at++
			l.pos.Col++
		case '\n':
			l.at++
			l.pos.Line++
			l.pos.Col = 1
		case ';':
			n := strings.IndexByte(l.text[l.at:], '\n')
			if n < 0 {
				n = len(l.text) - l.at
			}
			l.at += n
			l.pos.Col += n
		default:
			return
		}
	}
}

// beginsNoToken returns the error for rest, the text that follows, which begins no token. Its place is the character
// that is wrong, in a quoted string perhaps later than rest begins. It is a refusal for a character or byte that a
// quoted string cannot hold, but for a curly quotation mark, and otherwise a mistake. l is not changed.
func (l *lexerABNF) beginsNoToken(rest string) error {
	c, size := utf8.DecodeRuneInString(rest)
	line, _, _ := strings.Cut(rest, "\n")
	line = strings.TrimSuffix(line, "\r")
	pos := l.here()
	quoted := rest[0] == '"' || rest[0] == '%' && len(rest) > 2 && rest[2] == '"'
	if quoted { // the character that ends the string too early, if it is on this line
		start := strings.IndexByte(rest, '"') + 1
		n := start + span(rest[start:], isQuotable)
		if n >= len(line) || !strings.Contains(line[n:], `"`) {
			return expr.Errorf(pos, "unclosed %s; a quoted string ends on its line, with a \"", quote(line))
		}
		behind := l.pos
		behind.Col += n
		pos = l.from.place(behind)
		c, size = utf8.DecodeRuneInString(rest[n:])
		if write, ok := lookalikes[c]; ok && write == `"` {
			return expr.Errorf(pos,
				"unexpected %s in a quoted string; write a straight \" to end it, or %%x%X for the character",
				quoteRune(rest[n:]), c)
		}
		if c == utf8.RuneError && size == 1 {
			return expr.Refusef(pos,
				"unexpected byte %#02x in a quoted string; write %%x%02X, and with --values octets "+
					"if it is to be an octet", rest[n], rest[n])
		}
		return expr.Refusef(pos, "unexpected %s in a quoted string, which holds only printable ASCII; write %%x%X",
			quoteRune(rest[n:]), c)
	}
	// Outside of a quoted string: characters that look like signs of ABNF, and signs of other notations.
	what := quoteRune(rest)
	if write, ok := lookalikes[c]; ok && size > 1 {
		return expr.Errorf(pos, "unexpected %s; write %s", what, write)
	}
	for entity, write := range entities {
		if strings.HasPrefix(rest, entity) {
			return expr.Errorf(pos, "unexpected %q, an HTML entity; write %s", entity, write)
		}
	}
	for _, sign := range signs {
		if strings.HasPrefix(rest, sign[0]) {
			return expr.Errorf(pos, "unexpected %q; %s", sign[0], sign[1])
		}
	}
	switch c {
	case '<':
		return expr.Errorf(pos, "unclosed %s; prose in angle brackets ends on its line, with a >", quote(line))
	case '%':
		return expr.Errorf(pos,
			`unexpected %s; expected a value such as %%x41, %%d65 or %%b1000001, or a string such as %%s"text"`,
			quote(firstWord(line)))
	case 0:
		return expr.Errorf(pos, "unexpected byte 0; a grammar is text in UTF-8")
	}
	return expr.Errorf(pos,
		`unexpected %s; expected a name, a quoted string, a value, a count, "(", ")", "[", "]" or "/"`, what)
}

// signs lists signs of other notations, each with the way to write it in ABNF.
var signs = [][2]string{
	{"'", `write quoted strings between "`}, {"{", "write *( ) for a repetition"},
	{",", "elements follow each other without a sign"},
	{"+", "write 1*element for one or more"}, {"?", "write [ element ] for none or one"},
	{":", "write = behind the name that is defined"}, {"<-", "write = behind the name that is defined"},
	{"->", "write = behind the name that is defined"},
	{"-", "a range is written %x41-5A"}, {"..", "a range is written %x41-5A"},
	{"^", `write the ranges that are left, as %x20-21 / %x23-7E for [^"]`},
	{"!", "write the alternatives that are left"},
	{"\\", `write a value, as %x5C for this sign and %x30-39 for \d`},
}

// lookalikes are characters that stand for ASCII in text from word processors, and what to write instead.
var lookalikes = map[rune]string{
	'“': `"`, '”': `"`, '„': `"`, '‟': `"`, '″': `"`, '«': `"`, '»': `"`, '＂': `"`,
	'‘': `quoted strings between "`, '’': `quoted strings between "`, '´': `quoted strings between "`,
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '−': "-", '­': "nothing there: it is a soft hyphen",
	'\u00a0': "a space: it is a no-break space", '\u2007': "a space", '\u202f': "a space", '\u3000': "a space",
	'\u2002': "a space", '\u2003': "a space", '\u2009': "a space",
	'\u200b': "nothing there: it has no width", '\u200c': "nothing there: it has no width",
	'\u200d': "nothing there: it has no width",
	'\u2060': "nothing there: it has no width", '\ufeff': "nothing there: it is a byte order mark",
	'∗': "*", '×': "*", '⁄': "/", '∕': "/", '＝': "=", '…': "the values between them", '→': "=",
}

// entities has the HTML references for characters of ABNF.
var entities = map[string]string{
	"&quot;": `"`, "&#34;": `"`, "&#x22;": `"`, "&lt;": "<", "&#60;": "<", "&gt;": ">", "&#62;": ">",
	"&amp;": "&", "&#38;": "&", "&nbsp;": "a space", "&#160;": "a space", "&ldquo;": `"`, "&rdquo;": `"`,
}

// quoteRune quotes the character that text begins with, and names it where it is not ASCII.
func quoteRune(text string) string {
	c, size := utf8.DecodeRuneInString(text)
	if size == 1 {
		return fmt.Sprintf("%q", text[:1])
	}
	return fmt.Sprintf("%q (U+%04X)", c, c)
}

// quote quotes a piece of a line. One longer than 60 bytes is cut to them, and "..." put after it.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		n := most
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n] + "..."
	}
	return fmt.Sprintf("%q", text)
}

// firstWord returns the bytes of line before its first blank.
func firstWord(line string) string {
	n := span(line, func(c byte) bool { return c > ' ' })
	return line[:n]
}

// span returns the length of the longest beginning of s whose bytes all satisfy is.
func span(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

// quotedLength returns the length of the quoted string at the beginning of s, 0 if it is not closed.
func quotedLength(s string) int {
	if n := 1 + span(s[1:], isQuotable); n < len(s) && s[n] == '"' {
		return n + 1
	}
	return 0
}

// percentToken returns the kind and the length of the token at the beginning of s, which must begin with "%": a value,
// or a quoted string with its case, as in %s"text" or %i"text". The length is 0 if there is none.
func percentToken(s string) (kind kindABNF, n int) {
	if len(s) > 2 && strings.IndexByte("iIsS", s[1]) >= 0 && s[2] == '"' {
		if n := quotedLength(s[2:]); n > 0 {
			return quotedToken, 2 + n
		}
		return quotedToken, 0
	}
	return valueToken, valueLength(s)
}

// valueLength returns the length of the value at the beginning of s, 0 if there is none. s must begin with "%". The
// digits may be hexadecimal whatever the base is.
func valueLength(s string) int {
	if len(s) < 2 || strings.IndexByte("bBdDxX", s[1]) < 0 {
		return 0
	}
	digits := span(s[2:], isHexDigit)
	if digits == 0 {
		return 0
	}
	n := 2 + digits
	for first := true; n < len(s) && (s[n] == '.' || s[n] == '-' && first); first = false {
		digits := span(s[n+1:], isHexDigit)
		if digits == 0 {
			break
		}
		isRange := s[n] == '-'
		n += 1 + digits
		if isRange {
			break
		}
	}
	return n
}

// isQuotable reports whether a quoted string of ABNF may have the byte in it.
func isQuotable(c byte) bool { return ' ' <= c && c <= '~' && c != '"' }

// isDigit reports whether c is a decimal digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isHexDigit reports whether c is a hexadecimal digit, in either case.
func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isNameByte reports whether the name of a rule of ABNF may have c after its first letter; "_" is read there,
// too.
func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' || c == '_' }

// proseName returns the name that prose in angle brackets consists of. For any other text it returns false, and the
// name means nothing.
func proseName(prose string) (string, bool) {
	if len(prose) < 3 || prose[0] != '<' {
		return "", false
	}
	name := strings.TrimSpace(prose[1 : len(prose)-1])
	return name, name != "" && isLetter(name[0]) && span(name, isNameByte) == len(name)
}
