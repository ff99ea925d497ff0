package peg

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A TokenKind says what a [Token] is.
type TokenKind byte

// The kinds of tokens.
const (
	NameToken    TokenKind = iota // of a rule or a label
	StringToken                   // a quoted string, with its i
	ClassToken                    // a character class, with its i
	AnyToken                      // the dot
	ArrowToken                    // <-, =, ← or ⟵
	ColonToken                    // after a label
	PrefixToken                   // &, ! or #
	SuffixToken                   // ?, * or +
	SlashToken                    // /
	RecoverToken                  // //{labels}, whole
	ThrowToken                    // %{label}, whole
	OpenToken                     // (
	CloseToken                    // )
	CodeToken                     // a block of Go with its braces
	EndToken                      // ;
	CommentToken                  // // to the end of the line, or /* */
)

// A Token is a piece of pigeon's notation as it is written, for programs that lay a grammar out anew.
type Token struct {
	Kind  TokenKind
	Text  string // as it is written; a comment to the end of the line without the blanks at its end
	Line  int    // from 1
	Col   int    // from 1, in bytes
	Start int    // the offset of Text
}

// Tokens returns the tokens of a text in pigeon's notation, comments among them, in their order. It fails at a
// character that begins no token, and at a token that does not end; the list then has the tokens before that. For a
// text that is not UTF-8 it fails before it reads any. The error has the place. That the tokens make a grammar is
// for [Read] to say: in a text that it reads, these are the pieces that it reads.
func Tokens(file, text string) (list []Token, err error) {
	l := &lexer{file: file, src: text, line: 1}
	err = caught(func() {
		l.valid()
		for l.skipBlanks(); !l.eof(); l.skipBlanks() {
			t := Token{Line: l.line, Col: l.off - l.bol + 1, Start: l.off}
			t.Kind = l.skipToken()
			t.Text = text[t.Start:l.off]
			if t.Kind == CommentToken && strings.HasPrefix(t.Text, "//") {
				t.Text = strings.TrimRight(t.Text, " \t\r")
			}
			list = append(list, t)
		}
	})
	return list, err
}

// skipBlanks skips white space.
func (l *lexer) skipBlanks() {
	for {
		n, _ := l.blank()
		if n == 0 {
			return
		}
		l.skip(n)
	}
}

// skipToken skips the token that begins here and returns its kind. Where none begins, as at the end of the text or at a
// blank, and at a token that does not end, it panics with an error.
func (l *lexer) skipToken() TokenKind {
	switch {
	case l.has("//{"):
		l.skip(len("//{"))
		for l.space(); !l.eof() && l.peek() != '}'; l.space() {
			l.next()
		}
		if l.eof() {
			panic(l.errorf("expected } after the labels, found %s", l.found()))
		}
		l.next()
		return RecoverToken
	case l.atLineComment():
		l.skipLine()
		return CommentToken
	case l.has("/*"):
		l.skipComment()
		return CommentToken
	case l.has("%{"):
		n := strings.IndexByte(l.src[l.off:], '}')
		if n < 0 {
			panic(l.errorf("expected } after the label, found the end of the file"))
		}
		l.skip(n + 1)
		return ThrowToken
	case l.arrow():
		return ArrowToken
	case l.atName():
		l.ident()
		return NameToken
	}
	c := l.peek()
	switch c {
	case '{':
		l.code()
		return CodeToken
	case '"', '\'', '`':
		l.str()
		l.foldFlag()
		return StringToken
	case '[':
		l.skipClass()
		return ClassToken
	}
	kind, ok := signs[c]
	if !ok {
		panic(l.errorf("expected an expression, found %s", l.found()))
	}
	l.next()
	return kind
}

// signs has the tokens of one character that mean the same wherever they stand.
var signs = map[byte]TokenKind{
	'.': AnyToken, ':': ColonToken, '&': PrefixToken, '!': PrefixToken, '#': PrefixToken, '?': SuffixToken,
	'*': SuffixToken, '+': SuffixToken, '/': SlashToken, '(': OpenToken, ')': CloseToken, ';': EndToken,
}

// skipClass skips a character class, which must begin here, and its flag. At a class that does not end it panics with
// an error.
func (l *lexer) skipClass() {
	pos := l.pos()
	for l.next(); l.peek() != ']'; l.next() {
		if l.peek() == '\\' {
			l.next()
		}
		if l.eof() || l.peek() == '\n' {
			panic(expr.Errorf(pos, "character class not ended"))
		}
	}
	l.next()
	l.foldFlag()
}
