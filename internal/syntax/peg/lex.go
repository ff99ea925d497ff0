package peg

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
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
	return expr.Errorf(l.pos(), format, args...)
}

func (l *lexer) eof() bool { return l.off >= len(l.src) }

// peek returns the next byte, or 0 at the end.
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

// skipLine skips the rest of the line, without its newline.
func (l *lexer) skipLine() {
	for !l.eof() && l.peek() != '\n' {
		l.next()
	}
}

func (l *lexer) skip(n int) {
	for ; n > 0; n-- {
		l.next()
	}
}

// space skips white space and comments. It returns the text of the comment lines right above where it stops, the line
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
			l.skipLine()
			lines = append(lines, strings.TrimRight(l.src[start:l.off], " \t\r"))
			newlines = 0
		case l.has("/*"):
			pos := l.pos()
			n := strings.Index(l.src[l.off+2:], "*/")
			if n < 0 {
				return "", expr.Errorf(pos, "comment not ended")
			}
			l.skip(n + 4)
		default:
			return strings.Join(lines, "\n"), nil
		}
	}
	return strings.Join(lines, "\n"), nil
}

// atName reports whether an identifier begins here.
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

// code skips a block of Go in braces and returns what stands between them. Braces in comments and quoted text do not
// count. What is quoted is decided as pigeon does, without reading Go: a quote that nothing closes is a character like
// any other.
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
		case l.has("//") && !l.has("//{"):
			l.skipLine()
		default:
			l.skip(max(1, opaque(l.src[l.off:])))
		}
	}
	return "", expr.Errorf(pos, "code block not ended")
}

// opaque returns the length of the quoted Go text, or of the comment in /* */, that s begins with, or 0. It is pigeon's
// CodeStringLiteral / MultiLineComment.
func opaque(s string) int {
	n := -1 // of what stands between the quotes
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

// str reads a quoted string: "..." with Go's escapes, '.' with one character, `...` raw.
func (l *lexer) str() (string, error) {
	pos := l.pos()
	quote := l.peek()
	l.next()
	var b strings.Builder
	for !l.eof() {
		switch c := l.peek(); {
		case c == quote && (quote != '\'' || b.Len() > 0):
			l.next()
			return b.String(), nil
		case c == '\n' && quote != '`':
			return "", expr.Errorf(pos, "string not ended")
		case quote == '\'' && b.Len() > 0 || c == quote:
			return "", expr.Errorf(pos, "what stands in single quotes is one character; write it in double quotes")
		case c == '\\' && quote != '`':
			if err := l.escape(&b, quote); err != nil {
				return "", err
			}
		case c == '\r' && quote == '`': // as in Go
			l.next()
		default:
			_, n := utf8.DecodeRuneInString(l.src[l.off:])
			b.WriteString(l.src[l.off : l.off+n])
			l.skip(n)
		}
	}
	return "", expr.Errorf(pos, "string not ended")
}

// escape reads a backslash sequence: those of Go, with quote as the only quote that may be escaped, or none for 0. As in
// Go, \x and octal escapes stand for a byte, \u and \U for a character.
func (l *lexer) escape(b *strings.Builder, quote byte) error {
	r, multibyte, tail, err := strconv.UnquoteChar(l.src[l.off:], quote)
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

// eos skips the end of a rule or of the initializer: a semicolon, the end of the line, or that of the file.
func (l *lexer) eos() error {
	ahead := *l
	if _, err := ahead.space(); err != nil {
		return err
	}
	if ahead.peek() == ';' {
		*l = ahead
		l.next()
		return nil
	}
	last := ahead // where a rule ends at the end of the file
	for ahead = *l; !ahead.eof(); {
		switch n := opaque(ahead.src[ahead.off:]); {
		case ahead.peek() == '\n':
			*l = ahead
			l.next()
			return nil
		case strings.IndexByte(" \t\r", ahead.peek()) >= 0:
			ahead.next()
		case ahead.has("//") && !ahead.has("//{"):
			ahead.skipLine()
		case n > 0 && ahead.has("/*") && !strings.Contains(ahead.src[ahead.off:ahead.off+n], "\n"):
			ahead.skip(n)
		default:
			if last.eof() {
				*l = last
				return nil
			}
			return last.errorf("expected the end of the line or ;, found %s", last.found())
		}
	}
	*l = ahead
	return nil
}
