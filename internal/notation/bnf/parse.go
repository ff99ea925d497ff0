package bnf

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// maxNesting caps how deep brackets may stand in each other, since the readers of the notations are recursive. People
// nest a handful.
const maxNesting = 1000

// A syntax reads productions of one notation into a T, the struct that mirrors the notation's own productions.
type syntax[T any] struct {
	parser func() *participle.Parser[T] // which builds it when it is first used
	tokens []sample                     // every kind of token, in the order of messages
}

// A sample is a token of a kind, with some text that may follow it, and the name of the kind in messages.
type sample struct{ text, name string }

// newSyntax builds the reader of a notation out of its tokens and the struct tags of T; tokens with a name in lower
// case are skipped. The reader looks this many tokens further than the one at hand before it settles for an
// alternative.
func newSyntax[T any](tokens []lexer.SimpleRule, further int, samples ...sample) syntax[T] {
	return syntax[T]{
		parser: sync.OnceValue(func() *participle.Parser[T] {
			return participle.MustBuild[T](participle.Lexer(lexer.MustSimple(tokens)), participle.UseLookahead(further))
		}),
		tokens: samples,
	}
}

// rightHandSide returns the reader of right-hand sides alone, from the reader of productions.
func rightHandSide[A, T any](s syntax[T]) syntax[A] {
	return syntax[A]{parser: sync.OnceValue(func() *participle.Parser[A] {
		return mustBuiltIn(participle.ParserForProduction[A](s.parser())) // A is a part of T
	}), tokens: s.tokens}
}

// pattern returns a regular expression that is compiled when it is first used: a command uses few of them.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// read reads p. The error has the place, what stands there, and everything that could stand there instead. Brackets
// that nest too deeply are a refusal.
func (s syntax[T]) read(p printed) (*T, error) {
	if err := s.checkNesting(p); err != nil {
		return nil, err
	}
	tree, err := s.parser().ParseString("", p.text)
	if err == nil {
		return tree, nil
	}
	offset := offsetOf(err)
	return nil, expr.Errorf(p.at(offset), "unexpected %s; expected %s", s.tokenAt(p.text, offset),
		s.expectedAt(p.text, offset))
}

// checkNesting returns a refusal, at the bracket, for brackets nested more than maxNesting deep. Brackets in quotes
// count as well: a text with a thousand of them is refused, no harm done.
func (s syntax[T]) checkNesting(p printed) error {
	depth := 0
	for i := range len(p.text) {
		switch p.text[i] {
		case '[', '(':
			if depth++; depth > maxNesting {
				return expr.Refusef(p.at(i), "brackets are nested more than %d deep", maxNesting)
			}
		case ']', ')':
			depth--
		}
	}
	return nil
}

// offsetOf returns the offset that an error of participle names, 0 for any other error.
func offsetOf(err error) int {
	var at participle.Error
	if errors.As(err, &at) {
		return at.Position().Offset
	}
	return 0
}

// tokenAt quotes the token that starts at offset, for messages: as the rest of its line, named unclosed, if that is a
// string that is not closed, and as one character if no token starts there. Where only blanks follow it is "end of
// the production".
func (s syntax[T]) tokenAt(text string, offset int) string {
	rest := text[min(offset, len(text)):]
	if strings.TrimSpace(rest) == "" {
		return "end of the production"
	}
	lex, err := s.parser().Lexer().(lexer.StringDefinition).LexString("", rest)
	if err == nil {
		if t, err := lex.Next(); err == nil {
			return fmt.Sprintf("%q", t.Value)
		}
	}
	if rest[0] == '"' {
		line, _, _ := strings.Cut(rest, "\n")
		return fmt.Sprintf("unclosed %q", line)
	}
	return fmt.Sprintf("%q", rest[:1])
}

// expectedAt lists the kinds of tokens that can follow the text before offset, and the end of the production if it can;
// "nothing" if none can. It finds them by trial: a kind can stand there if the reader gets past one sample of it.
func (s syntax[T]) expectedAt(text string, offset int) string {
	before := text[:min(offset, len(text))] + " "
	var names []string
	for _, t := range s.tokens {
		if _, err := s.parser().ParseString("", before+t.text); err == nil || offsetOf(err) > len(before) {
			names = append(names, t.name)
		}
	}
	if _, err := s.parser().ParseString("", before); err == nil {
		names = append(names, "the end of the production")
	}
	return cmp.Or(layout.List(names, "or"), "nothing")
}
