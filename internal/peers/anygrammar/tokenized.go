package anygrammar

import (
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/analysis/tokens"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A tokenized engine parses by a grammar of tokens: the lexer takes a string apart, and the grammar over
// symbols derives the word that the tokens make. The nodes of a tree are productions of the text, and its
// leaves terminals, at their places in the string.
type tokenized struct {
	tokens  *tokens.Tokens
	symbols engine
}

// parseTokens makes p the parser of a production of a grammar of tokens: it sets all of p but opened. It fails
// if newOverSymbols does.
func (p *Parser) parseTokens(id string) error {
	t := p.opened.Tokens
	lexical := func(string) bool { return false }
	p.Grammar = grammarForAST(t.Text, true, lexical)
	p.Start, _ = p.Grammar.Kind(id)
	p.Grammar.Default = p.Start
	g := t.Grammar.With(t.Grammar.Rules)
	g.Budget = t.Text.Budget.Apart()
	p.apart = g.Budget
	symbols, err := newOverSymbols(g, id)
	if err != nil {
		return err
	}
	p.engine = &tokenized{t, symbols}
	p.explains.Do(func() { p.explain = p.explainByTokens(g, id) })
	return nil
}

// newOverSymbols returns the engine of a grammar over symbols, all of whose productions are nodes: as in
// newUnordered an automaton or the interpreter, but the size of the grammar is not looked at first. It fails if
// the production cannot be interpreted, or if a limit is passed.
func newOverSymbols(g *expr.Grammar, id string) (engine, error) {
	node := func(string) bool { return true }
	small := g.With(g.Rules)
	small.Budget = g.Budget.Part(enough)
	if a, start, err := bnftogo.Automaton(small, id, node); err == nil {
		return compiled{a.Accept, a.Parse, start}, nil
	}
	return interpreter.New(g, id, node)
}

// Accepts reports whether the tokens of s are derived. A string that is not made of tokens is not accepted.
func (e *tokenized) Accepts(s string) (bool, error) {
	word, _, ok := e.tokens.Lex(s)
	if !ok {
		return false, nil
	}
	return e.symbols.Accepts(word)
}

// Derive implements engine. The nodes have offsets in s and not in the word over symbols. A string that is not
// made of tokens has no tree.
func (e *tokenized) Derive(dst []ast.Raw, s string) ([]ast.Raw, bool, error) {
	word, list, ok := e.tokens.Lex(s)
	if !ok {
		return dst, false, nil
	}
	from := len(dst)
	dst, ok, err := e.symbols.Derive(dst, word)
	for i := from; i < len(dst); i++ {
		dst[i].Start, dst[i].End = spanInString(list, dst[i].Start, dst[i].End, len(s))
	}
	return dst, ok, err
}

// spanInString returns the place in the string of a part of the word over symbols, whose offsets start and end count
// bytes of the word. An empty part is at the beginning of the next token, or at the end of the string, whose length is
// given.
func spanInString(list []tokens.Token, start, end int32, length int) (from, to int32) {
	first, last := int(start/tokens.SymbolSize), int(end/tokens.SymbolSize)
	at := func(i int) int32 {
		if i < len(list) {
			return int32(list[i].Start)
		}
		return int32(length)
	}
	if first == last {
		return at(first), at(first)
	}
	return at(first), int32(list[last-1].End)
}

// explainByTokens returns the function that explains why a string is rejected: at the first token that is not expected
// or, if the tokens are a string or can begin one, where no terminal fits after them. The function's error is always
// nil. g is the grammar over symbols, whose productions have the kinds of p.Grammar. If it is too large for a general
// parser, every rejection of tokens is explained at offset 0.
func (p *Parser) explainByTokens(g *expr.Grammar, id string) func(s string) (*ast.SyntaxError, error) {
	over := grammarForAST(g, true, func(string) bool { return false })
	over.Explaining, _ = explainingParser(g) // without one, there is the offset 0 alone
	start, _ := over.Kind(id)
	return func(s string) (*ast.SyntaxError, error) {
		t := p.opened.Tokens
		word, list, ok := t.Lex(s)
		e := over.Explain(start, word) // nil if the tokens are a string
		if e == nil || !ok && e.Offset >= len(word) {
			// The tokens are or can begin a string: the fault is that no terminal fits after them.
			return p.syntaxError(s, t.LexedLength(s), nil, nil), nil
		}
		offset, _ := spanInString(list, int32(e.Offset), int32(e.Offset), len(s))
		out := *e // its kinds are those of p.Grammar too
		out.Grammar, out.Input, out.Offset = p.Grammar, s, int(offset)
		return &out, nil
	}
}
