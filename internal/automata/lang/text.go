package lang

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// textGrammar derives well-formed UTF-8 (RFC 3629, section 4).
func textGrammar() *expr.Grammar {
	in := func(lo, hi byte) *expr.Expr { return expr.In(expr.Range(lo, hi)) }
	tail := in(0x80, 0xbf)
	char := expr.Or(
		in(0, 0x7f),
		expr.Cat(in(0xc2, 0xdf), tail),
		expr.Cat(in(0xe0, 0xe0), in(0xa0, 0xbf), tail),
		expr.Cat(in(0xe1, 0xec), tail, tail),
		expr.Cat(in(0xed, 0xed), in(0x80, 0x9f), tail),
		expr.Cat(in(0xee, 0xef), tail, tail),
		expr.Cat(in(0xf0, 0xf0), in(0x90, 0xbf), tail, tail),
		expr.Cat(in(0xf1, 0xf3), tail, tail, tail),
		expr.Cat(in(0xf4, 0xf4), in(0x80, 0x8f), tail, tail),
	)
	text := &expr.Expr{Op: expr.Repeat, Sub: []*expr.Expr{char}, Max: expr.Unbounded}
	return &expr.Grammar{Name: "text", Rules: []*expr.Rule{{ID: "text", Name: "text", Expr: text}}}
}

// Text returns the strings that are well-formed UTF-8. The error wraps [ErrTooLarge].
func Text() (*DFA, error) { return FromBNF(textGrammar(), "text") }

// TextOf returns the strings of l that are well-formed UTF-8. A grammar of s must be one of text: see [expr.Grammar.UTF8].
func (s *Space) TextOf(l Language) (Language, error) {
	if s.text == nil {
		a, err := Text()
		if err != nil {
			return NoWord, err
		}
		var text Language
		if err := s.meter.within(nil, func() { text = Language(s.pool.add(a, s.first)) }); err != nil {
			return NoWord, err
		}
		s.text = &text
	}
	return s.Intersect(l, *s.text)
}
