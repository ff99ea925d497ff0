package bnf

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A TokenKind says what a [Token] is.
type TokenKind byte

// The kinds of tokens.
const (
	NameToken     TokenKind = iota // a rule name
	DefinesToken                   // = or =/, or what is written instead
	TerminalToken                  // "text", %x41-5A, <prose>
	CountToken                     // 1*2 or 1#2, in front of an element
	SlashToken                     // / or |
	OpenToken                      // ( or [
	CloseToken                     // ) or ]
	CommentToken                   // ; and the rest of the line
)

// A Token is a piece of ABNF as it is written, for programs that lay a grammar out anew.
type Token struct {
	Kind TokenKind
	Text string // as it is written; a comment without the blanks at its end
	Line int    // from 1
	Col  int    // from 1, in bytes
}

// Tokens returns the tokens of ABNF, comments among them, in their order. The error names the place of the first
// character that begins no token; list then has the tokens before it.
func Tokens(file, text string) (list []Token, err error) {
	l := lexerABNF{text: text, pos: expr.Pos{File: file, Line: 1, Col: 1}}
	for {
		list = append(list, commentsAhead(&l)...)
		l.skip()
		start, at := l.at, l.pos
		t, err := l.scan()
		if err != nil {
			return list, err
		}
		if t.kind == endToken {
			return list, nil
		}
		list = append(list, Token{Kind: publicKind(t), Text: text[start:l.at], Line: at.Line, Col: at.Col})
	}
}

// commentsAhead returns the comments that the lexer is about to skip. The lexer is not moved.
func commentsAhead(l *lexerABNF) (list []Token) {
	before := *l
	before.skip()
	gap, at := l.text[l.at:before.at], l.pos
	for line := range strings.Lines(gap) {
		if i := strings.IndexByte(line, ';'); i >= 0 {
			list = append(list, Token{
				Kind: CommentToken, Text: strings.TrimRight(line[i:], " \t\r\n\f\v"), Line: at.Line,
				Col: at.Col + i,
			})
		}
		at.Line++
		at.Col = 1
	}
	return list
}

// publicKind returns the kind of a token as [Token] has it. Quoted strings, values and prose are TerminalToken.
func publicKind(t tokenABNF) TokenKind {
	switch t.kind {
	case nameToken:
		return NameToken
	case countToken, listToken:
		return CountToken
	case '=', addsToken:
		return DefinesToken
	case '/', '|':
		return SlashToken
	case '(', '[':
		return OpenToken
	case ')', ']':
		return CloseToken
	}
	return TerminalToken
}
