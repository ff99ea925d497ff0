package ast

import (
	"cmp"
	"context"
)

// DefaultMaxLength is the limit on the length of an input if no other is set: 1 MiB.
const DefaultMaxLength = 1 << 20

// maxLength is the longest input of all: a tree counts in int32.
const maxLength = 1<<31 - 1

// ParseAs returns the tree of s as derived by start. It fails with a [*TooLongError] if s is longer
// than [DefaultMaxLength], and otherwise as [Grammar.Derive] does.
func (g *Grammar) ParseAs(start Kind, s string) (*Tree, error) {
	if len(s) > DefaultMaxLength {
		return nil, &TooLongError{Limit: DefaultMaxLength, Length: len(s)}
	}
	return g.Derive(start, s)
}

// A Parser is a parser with options, made by [Grammar.NewParser]; the zero Parser accepts nothing.
// It reuses the memory of its last tree, so that after the first few calls it does not allocate.
//
// A Parser is not safe for concurrent use, and neither is reading its tree while it parses again. A
// [Grammar], a tree that no parser uses again, and an error may be used by several goroutines at
// once. An error leaves no tree; the Parser can be used again, and the error keeps its input.
type Parser struct {
	// Start is the production to derive; 0 is the grammar's default.
	Start Kind

	// MaxLength is the limit on the length of an input in bytes; 0 stands for [DefaultMaxLength]. A
	// longer input is refused with a [*TooLongError] before any of it is read.
	MaxLength int

	// Limits bound what one input may take. An input that nests deeper than Limits.Depth is refused
	// with a [*TooDeepError], and one that takes more than the other limits with a
	// [*TooLargeError]. The defaults grow with the input.
	Limits Limits

	// Context, unless it is nil, ends the parsing of an input that takes long: soon after the
	// context is done, Parse fails with its cause, wrapped. Parsers that take linear time do not
	// look at it.
	Context context.Context

	// Check, unless it is nil, is called with each tree that Parse makes. If it returns an error,
	// so does Parse. With [Checker.Check] a program finds out whether the parser is wrong.
	Check func(*Tree) error

	tree Tree // the last one; its Nodes are the memory for the next
	run  *Run // in a place of its own: a pointer into p would move every parser to the heap
}

// NewParser returns a new parser with the default options.
func (g *Grammar) NewParser() *Parser {
	// A rejected string leaves no memory for the next tree, so some is allocated here.
	p := new(struct {
		Parser
		run  Run
		room [64]Raw
	})
	p.tree.Grammar, p.tree.Nodes = g, p.room[:0]
	p.Parser.run = &p.run
	return &p.Parser
}

// Parse returns the tree of s, which is valid until the next use of p. It fails with a
// [*SyntaxError], a [*TooLongError], a [*TooDeepError], a [*TooLargeError], the cause of Context,
// or the error that Check returned.
func (p *Parser) Parse(s string) (*Tree, error) {
	if err := p.CheckLength(s); err != nil {
		return nil, err
	}
	g, start := p.tree.Grammar, p.start()
	if g == nil {
		return nil, &SyntaxError{Input: s}
	}
	tree, ok := p.Derive(start, s)
	if !ok {
		return nil, g.reject(p.run, start, s)
	}
	if p.Check != nil {
		if err := p.Check(tree); err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// Derive returns the tree of s as derived by start, which is valid until the next use of p. start
// must be a production: p.Start is not looked at. Derive has no limit on the length of s, does not
// call Check, and explains nothing: ok reports whether s is derived. ok is also false if Limits or
// Context end the parsing before that is known.
func (p *Parser) Derive(start Kind, s string) (tree *Tree, ok bool) {
	g := p.tree.Grammar
	if g == nil {
		return nil, false
	}
	p.begin()
	nodes, ok := g.parse(p.run, p.tree.Nodes[:0], start, s)
	if !ok {
		return nil, false
	}
	p.tree.Source, p.tree.Nodes = s, nodes
	return &p.tree, true
}

// Accepts reports whether s is derived and not longer than MaxLength. It builds no tree and, after the first few
// calls, does not allocate. It is also false if [Parser.Parse] would refuse s because of Limits or Context: one that
// nests deeper than Limits.Depth, for example, even if the grammar derives it.
func (p *Parser) Accepts(s string) bool {
	g := p.tree.Grammar
	if g == nil || len(s) > p.limit() {
		return false
	}
	p.begin()
	return g.accept(p.run, p.start(), s)
}

// begin makes p.run ready for an input, with the Limits and the Context of p.
func (p *Parser) begin() {
	p.run.reset()
	p.run.Limits, p.run.Context = p.Limits, p.Context
}

// CheckLength returns a [*TooLongError] if s is longer than p takes, and otherwise nil.
func (p *Parser) CheckLength(s string) error {
	if limit := p.limit(); len(s) > limit {
		return &TooLongError{Limit: limit, Length: len(s)}
	}
	return nil
}

// start returns the production to parse as: Start or, if that is 0, the default of the grammar.
func (p *Parser) start() Kind {
	if p.Start == 0 && p.tree.Grammar != nil {
		return p.tree.Grammar.Default
	}
	return p.Start
}

// limit returns the longest input that p takes, in bytes.
func (p *Parser) limit() int { return min(cmp.Or(max(p.MaxLength, 0), DefaultMaxLength), maxLength) }
