package peg

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// lexer is a place in the source.
type lexer struct {
	file string
	src  string
	off  int
	line int // of off, from 1
	bol  int // where that line begins
}

func (l *lexer) pos() expr.Pos { return expr.Pos{File: l.file, Line: l.line, Col: l.off - l.bol + 1} }

func (l *lexer) errorf(format string, args ...any) error {
	return &Error{l.pos(), fmt.Sprintf(format, args...)}
}

func (l *lexer) eof() bool { return l.off >= len(l.src) }

// peek gives the next byte, or 0 at the end.
func (l *lexer) peek() byte {
	if l.eof() {
		return 0
	}
	return l.src[l.off]
}

func (l *lexer) has(s string) bool { return strings.HasPrefix(l.src[l.off:], s) }

// found names what stands here, for messages.
func (l *lexer) found() string {
	if l.eof() {
		return "the end of the file"
	}
	r, n := utf8.DecodeRuneInString(l.src[l.off:])
	if r == utf8.RuneError && n == 1 {
		return fmt.Sprintf("the byte %#02x", l.src[l.off])
	}
	return strconv.QuoteRune(r)
}

func (l *lexer) next() {
	if l.src[l.off] == '\n' {
		l.line++
		l.bol = l.off + 1
	}
	l.off++
}

func (l *lexer) skip(n int) {
	for ; n > 0; n-- {
		l.next()
	}
}

// space skips white space and comments. It gives the text of the comment lines right above where it stops, the line
// comments that no blank line parts from it, each without its // and joined by newlines.
func (l *lexer) space() (comment string, err error) {
	var lines []string
	newlines := 1
	for !l.eof() {
		switch c := l.peek(); {
		case c == '\n':
			if newlines++; newlines > 1 {
				lines = lines[:0]
			}
			l.next()
		case c == ' ' || c == '\t' || c == '\r':
			l.next()
		case l.has("//") && !l.has("//{"):
			start := l.off + 2
			for !l.eof() && l.peek() != '\n' {
				l.next()
			}
			lines = append(lines, strings.TrimRight(l.src[start:l.off], " \t\r"))
			newlines = 0
		case l.has("/*"):
			pos := l.pos()
			n := strings.Index(l.src[l.off+2:], "*/")
			if n < 0 {
				return "", &Error{pos, "comment not ended"}
			}
			l.skip(n + 4)
		default:
			return strings.Join(lines, "\n"), nil
		}
	}
	return strings.Join(lines, "\n"), nil
}

// atName says whether an identifier begins here.
func (l *lexer) atName() bool {
	r, _ := utf8.DecodeRuneInString(l.src[l.off:])
	return r == '_' || unicode.IsLetter(r)
}

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

// arrow skips the sign between a rule's name and its expression.
func (l *lexer) arrow() bool {
	for _, a := range [...]string{"<-", "=", "←", "⟵"} {
		if l.has(a) {
			l.skip(len(a))
			return true
		}
	}
	return false
}

// foldFlag skips the i that makes a literal or class ignore case.
func (l *lexer) foldFlag() bool {
	if l.peek() != 'i' {
		return false
	}
	l.next()
	return true
}

// code skips a block of Go in braces and gives what stands between them. Braces inside Go strings, runes and comments
// do not count.
func (l *lexer) code() (string, error) {
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
				return l.src[start : l.off-1], nil
			}
		case c == '"' || c == '\'' || c == '`':
			l.next()
			for !l.eof() && l.peek() != c {
				if l.peek() == '\\' && c != '`' {
					l.next()
				}
				if !l.eof() {
					l.next()
				}
			}
			if !l.eof() {
				l.next()
			}
		case l.has("//"):
			for !l.eof() && l.peek() != '\n' {
				l.next()
			}
		case l.has("/*"):
			n := strings.Index(l.src[l.off+2:], "*/")
			if n < 0 {
				return "", &Error{pos, "code block not ended"}
			}
			l.skip(n + 4)
		default:
			l.next()
		}
	}
	return "", &Error{pos, "code block not ended"}
}

// nodeCall gives the ID in an action of the form { return c.node("ID", v) }, or "".
func nodeCall(code string) string {
	if m := nodeCallForm.FindStringSubmatch(code); m != nil {
		if id, err := strconv.Unquote(m[1]); err == nil {
			return id
		}
	}
	return ""
}

var nodeCallForm = regexp.MustCompile(`^\s*return c\.node\(("[^"]*"), [a-z]+\)\s*$`)

// str reads a quoted string: "..." and '...' with Go's escapes, `...` raw.
func (l *lexer) str() (string, error) {
	pos := l.pos()
	quote := l.peek()
	l.next()
	var b strings.Builder
	for !l.eof() {
		switch c := l.peek(); {
		case c == quote:
			l.next()
			return b.String(), nil
		case c == '\n' && quote != '`':
			return "", &Error{pos, "string not ended"}
		case c == '\\' && quote != '`':
			if err := l.escape(&b, quote); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
			l.next()
		}
	}
	return "", &Error{pos, "string not ended"}
}

// escape reads a backslash sequence. As in Go, \x and octal escapes give a byte, \u and \U a character.
func (l *lexer) escape(b *strings.Builder, quote byte) error {
	if l.off+1 < len(l.src) && l.src[l.off+1] == quote {
		b.WriteByte(quote)
		l.skip(2)
		return nil
	}
	r, multibyte, tail, err := strconv.UnquoteChar(l.src[l.off:], '"')
	if err != nil {
		return l.errorf("invalid escape")
	}
	if multibyte || r < utf8.RuneSelf {
		b.WriteRune(r)
	} else {
		b.WriteByte(byte(r))
	}
	l.skip(len(l.src) - l.off - len(tail))
	return nil
}
