package peg

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// lexer is a place in the source. A method that reads or skips something is called where that begins, unless its
// comment says what comes of it elsewhere.
type lexer struct {
	file string
	src  string
	off  int
	line int // of off, from 1
	bol  int // where that line begins

	script bool // the file is peggy's, whose space is JavaScript's
	depth  int  // how many choices enclose what is being read

	labels []expr.Label // of the rule that is being read
	codes  []string     // in that rule
	rare   bool         // see expr.Rule
}

// pos returns the place of the next byte.
func (l *lexer) pos() expr.Pos { return expr.Pos{File: l.file, Line: l.line, Col: l.off - l.bol + 1} }

// errorf returns an error at the next byte.
func (l *lexer) errorf(format string, args ...any) error {
	return expr.Errorf(l.pos(), format, args...)
}

// eof reports whether the text is at its end.
func (l *lexer) eof() bool { return l.off >= len(l.src) }

// peek returns the next byte, or 0 at the end.
func (l *lexer) peek() byte {
	if l.eof() {
		return 0
	}
	return l.src[l.off]
}

// has reports whether s stands here.
func (l *lexer) has(s string) bool { return strings.HasPrefix(l.src[l.off:], s) }

// found names the character that stands here, or the end of the file, for messages. At a # it also says how a comment
// begins, since other tools begin one so.
func (l *lexer) found() string {
	if l.eof() {
		return "the end of the file"
	}
	r, n := utf8.DecodeRuneInString(l.src[l.off:])
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf("the byte %#02x", l.src[l.off])
	}
	if r == '#' && !l.has("#{") {
		return `'#'; a comment begins with "//"`
	}
	return strconv.QuoteRune(r)
}

// next skips a byte, which must be there.
func (l *lexer) next() {
	if l.src[l.off] == '\n' {
		l.line++
		l.bol = l.off + 1
	}
	l.off++
}

// skip skips n bytes, which must be there.
func (l *lexer) skip(n int) {
	for ; n > 0; n-- {
		l.next()
	}
}

// caught calls f, and returns the error that it stopped with: what reads a file panics with the first.
func caught(f func()) (err error) {
	defer expr.Catch(&err)
	f()
	return nil
}

// valid panics with an error at the first byte that is not UTF-8.
func (l *lexer) valid() {
	if i := invalidUTF8(l.src); i >= 0 {
		l.skip(i)
		panic(l.errorf("not UTF-8: %s", l.found()))
	}
}

// blank returns the length of the one character of white space that stands here, or in peggy's grammars of a CR LF,
// and 0 if there is none; and whether it ends a line. In pigeon's a CR alone does not.
func (l *lexer) blank() (n int, ends bool) {
	if !l.script {
		c := l.peek()
		if c != '\n' && c != ' ' && c != '\t' && c != '\r' {
			return 0, false
		}
		return 1, c == '\n'
	}
	r, n := utf8.DecodeRuneInString(l.src[l.off:])
	switch {
	case l.has("\r\n"):
		return 2, true
	case n > 0 && lineEnd(r):
		return n, true
	case n > 0 && (r == '\t' || r == '\v' || r == '\f' || r == '\ufeff' || unicode.Is(unicode.Zs, r)):
		return n, false
	}
	return 0, false
}

// lineEnd reports whether r ends a line of JavaScript.
func lineEnd(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }

// atLineComment reports whether a comment to the end of the line begins here: pigeon has //{ for another sign.
func (l *lexer) atLineComment() bool { return l.has("//") && (l.script || !l.has("//{")) }

// skipLine skips the rest of the line, without its end.
func (l *lexer) skipLine() {
	for !l.eof() {
		if _, ends := l.blank(); ends {
			return
		}
		l.next()
	}
}

// skipComment skips a comment in /* */. At one that is not ended it panics with an error.
func (l *lexer) skipComment() {
	n := strings.Index(l.src[l.off+2:], "*/")
	if n < 0 {
		panic(l.errorf("comment not ended"))
	}
	l.skip(n + 4)
}

// space skips white space and comments. It returns the text of the line comments right above where it stops, the
// first of which may stand behind other text, each without its // and joined by newlines. Those that a blank line
// parts from it are not returned, nor are comments in /* */. At one of these that is not ended it panics with an
// error.
func (l *lexer) space() (comment string) {
	var lines []string
	newlines := 1
	for !l.eof() {
		switch n, _ := l.blank(); {
		case n > 0:
			if l.src[l.off+n-1] == '\n' {
				if newlines++; newlines > 1 {
					lines = lines[:0]
				}
			}
			l.skip(n)
		case l.atLineComment():
			start := l.off + 2
			l.skipLine()
			lines = append(lines, strings.TrimRight(l.src[start:l.off], " \t\r"))
			newlines = 0
		case l.has("/*"):
			l.skipComment()
		default:
			return strings.Join(lines, "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// atName reports whether an identifier begins here.
func (l *lexer) atName() bool {
	r, _ := utf8.DecodeRuneInString(l.src[l.off:])
	return r == '_' || unicode.IsLetter(r)
}

// ident skips an identifier of letters, digits and "_", of which the first is no digit, and returns it, or "" if
// none begins here. Words of Go are identifiers, too.
func (l *lexer) ident() string {
	start := l.off
	for !l.eof() {
		r, n := utf8.DecodeRuneInString(l.src[l.off:])
		if r != '_' && !unicode.IsLetter(r) && !(l.off > start && unicode.IsDigit(r)) {
			break
		}
		l.skip(n)
	}
	return l.src[start:l.off]
}

// arrow skips the sign between a rule's name and its expression, and reports whether it stands here.
func (l *lexer) arrow() bool {
	for _, a := range [...]string{"<-", "=", "←", "⟵"} {
		if l.has(a) {
			l.skip(len(a))
			return true
		}
	}
	return false
}

// foldFlag skips the i that makes a literal or class ignore case, and reports whether it stands here.
func (l *lexer) foldFlag() bool {
	if l.peek() != 'i' {
		return false
	}
	l.next()
	return true
}

// code skips the block of Go in braces that begins here, and returns the text between them. Braces in comments and
// quoted text do not count. As for pigeon, a quote that nothing closes is a character. At a block that is not ended
// code panics with an error.
func (l *lexer) code() string {
	pos := l.pos()
	start := l.off + 1
	for depth := 0; !l.eof(); {
		switch c := l.peek(); {
		case c == '{':
			depth++
			l.next()
		case c == '}':
			depth--
			l.next()
			if depth == 0 {
				return l.src[start : l.off-1]
			}
		case l.atLineComment():
			l.skipLine()
		default:
			l.skip(max(1, opaque(l.src[l.off:])))
		}
	}
	panic(expr.Errorf(pos, "code block not ended"))
}

// opaque returns the length of pigeon's CodeStringLiteral or MultiLineComment that s begins with, or 0 if it begins
// with neither, or with one that is not ended. s must not be empty.
func opaque(s string) int {
	n := -1 // of the text between the quotes
	switch s[0] {
	case '/':
		if strings.HasPrefix(s, "/*") {
			if n = strings.Index(s[2:], "*/"); n >= 0 {
				return n + 4
			}
		}
	case '`':
		n = strings.IndexByte(s[1:], '`')
	case '\'':
		if n = strings.IndexByte(s[1:], '\''); strings.HasPrefix(s[1:], `\'`) || strings.HasPrefix(s[1:], `\\`) {
			n = 2
		}
		if n == 0 || n+1 >= len(s) || s[n+1] != '\'' {
			return 0
		}
	case '"':
		for i := 1; i < len(s) && s[i] != '\r' && s[i] != '\n'; i++ {
			if s[i] == '"' {
				return i + 1
			}
			if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
				i++
			}
		}
	}
	if n < 0 {
		return 0
	}
	return n + 2
}

// str reads a quoted string: "..." with Go's escapes, '.' with one character, `...` raw. It returns the string that
// is meant, without quotes. At one that does not end, that has a wrong escape, or that has more or less than one
// character in single quotes, it panics with an error. A carriage return in `...` is left out, as in Go. That sets
// l.rare, and so does an escape for a byte above 0x7f.
func (l *lexer) str() string {
	pos := l.pos()
	quote := l.peek()
	l.next()
	var b strings.Builder
	for !l.eof() {
		switch c := l.peek(); {
		case c == quote && (quote != '\'' || b.Len() > 0):
			l.next()
			return b.String()
		case c == '\n' && quote != '`':
			panic(expr.Errorf(pos, "string not ended"))
		case quote == '\'' && b.Len() > 0 || c == quote: // a second character, or '' with none
			panic(expr.Errorf(pos, "what stands in single quotes is one character; write it in double quotes"))
		case c == '\\' && quote != '`':
			l.escape(&b, quote)
		case c == '\r' && quote == '`': // as in Go
			l.rare = true
			l.next()
		default:
			_, n := utf8.DecodeRuneInString(l.src[l.off:])
			b.WriteString(l.src[l.off : l.off+n])
			l.skip(n)
		}
	}
	panic(expr.Errorf(pos, "string not ended"))
}

// escape reads a backslash sequence of Go and writes the character that it stands for to b. quote is the only
// quote that may be escaped, or 0 for none. As in Go, \x and octal escapes stand for a byte, \u and \U for a
// character. A byte above 0x7f sets l.rare. At any other sequence it panics with an error.
func (l *lexer) escape(b *strings.Builder, quote byte) {
	r, multibyte, tail, err := strconv.UnquoteChar(l.src[l.off:], quote)
	if err != nil {
		panic(l.errorf("invalid escape"))
	}
	if multibyte || r < utf8.RuneSelf {
		b.WriteRune(r)
	} else {
		b.WriteByte(byte(r))
		l.rare = true
	}
	l.skip(len(l.src) - l.off - len(tail))
}

// ruleHead reads the beginning of a rule up to its expression: its name, by the function name; its display name, by
// display, if a quote begins one; and the sign before the expression, by sign. signs names the signs in messages. It
// returns the rule, without an expression, and the offset at which it begins. A rule without a display name has its
// ID for one. ruleHead forgets the labels and the code of the rule before. At anything else it panics with an error.
func (l *lexer) ruleHead(name func() string, display func(id string) string, sign func() bool,
	signs string) (r *expr.Rule, start int) {
	r, start = &expr.Rule{Pos: l.pos()}, l.off
	l.labels, l.codes = nil, nil
	l.depth = 0 // a rule ends where a lexer inside its choice stood, which still counts that choice
	id := name()
	if id == "" {
		panic(l.errorf("expected the name of a rule, found %s", l.found()))
	}
	r.ID, r.Name, r.Line = id, id, r.Pos.Line
	l.space()
	if c := l.peek(); c == '"' || c == '\'' || c == '`' && !l.script {
		r.Name = display(id)
		l.space()
	}
	if !sign() {
		panic(l.errorf("expected %s after the name of rule %q, found %s", signs, id, l.found()))
	}
	l.space()
	return r, start
}

// alternatives reads a choice. It calls read for each alternative, with white space before it skipped; read must read
// the alternative and the white space after it. A "/" parts two of them. At a choice that is nested deeper than
// maxDepth, alternatives panics with an error.
func (l *lexer) alternatives(read func()) {
	if l.depth++; l.depth > maxDepth {
		panic(l.errorf("nested too deeply"))
	}
	defer func() { l.depth-- }()
	l.space()
	for read(); l.peek() == '/' && (l.script || !l.has("//{")); read() {
		l.next()
		l.space()
	}
}

// eos skips the end of a rule or of the initializer: a semicolon, in peggy any number, the end of the line, or that of
// the file. If none stands here, it panics with an error.
func (l *lexer) eos() {
	// A semicolon counts wherever it stands, even after the ends of lines.
	after := *l // past all white space and comments
	unended := caught(func() { after.space() })
	if unended == nil && after.peek() == ';' {
		// l ends after the last semicolon, and after the first for pigeon; what stands behind it is only looked at.
		for *l = after; unended == nil && after.peek() == ';'; unended = caught(func() { after.space() }) {
			after.next()
			if *l = after; !l.script {
				return
			}
		}
		return
	}
	// Otherwise the line has to end, after nothing but blanks and comments. In the grammars of pigeon and peggy these
	// comments have no end of a line in them.
	for ahead := *l; !ahead.eof(); {
		n, ends := ahead.blank()
		switch comment, _, ended := strings.Cut(ahead.src[min(ahead.off+2, len(ahead.src)):], "*/"); {
		case n > 0:
			ahead.skip(n)
			if ends {
				*l = ahead
				return
			}
			continue
		case ahead.atLineComment():
			ahead.skipLine()
			continue
		case ahead.has("/*") && ended && ahead.isOneLine(comment):
			ahead.skip(len("/*") + len(comment) + len("*/"))
			continue
		}
		break
	}
	switch {
	case unended != nil:
		panic(unended)
	case !after.eof():
		panic(after.errorf("expected the end of the line or ;, found %s", after.found()))
	}
	*l = after
}

// isOneLine reports whether no line ends in a text: for peggy at any of JavaScript's line ends.
func (l *lexer) isOneLine(text string) bool {
	if l.script && strings.ContainsFunc(text, lineEnd) {
		return false
	}
	return !strings.Contains(text, "\n")
}
