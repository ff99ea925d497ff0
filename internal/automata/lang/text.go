package lang

import (
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// textGrammar derives well-formed UTF-8 (RFC 3629, section 4).
func textGrammar() *expr.Grammar {
	char := expr.Or(expr.Encodings(0, utf8.MaxRune)...)
	text := &expr.Expr{Op: expr.Repeat, Sub: []*expr.Expr{char}, Max: expr.Unbounded}
	return &expr.Grammar{Name: "text", Rules: []*expr.Rule{{ID: "text", Name: "text", Expr: text}}}
}

// Text returns the strings that are well-formed UTF-8. It fails only with an error that wraps [ErrTooLarge].
func Text() (*DFA, error) { return FromBNF(textGrammar(), "text") }

// TextOf returns the strings of l that are well-formed UTF-8. A grammar of s must be one of text: see
// [expr.Grammar.UTF8].
func (s *Space) TextOf(l Language) (Language, error) {
	if s.text == nil {
		a, err := Text()
		if err != nil {
			return NoWord, err
		}
		var text Language
		if err := s.meter.shareFor(nil, func() { text = Language(s.pool.add(a, s.first)) }); err != nil {
			return NoWord, err
		}
		s.text = &text
	}
	return s.Intersect(l, *s.text)
}
