package bnfcheck

import (
	"github.com/bnfcheck/bnfcheck/ast"
)

// DefaultMaxLength is the limit on the length of an input if no other is set: 1 MiB.
const DefaultMaxLength = ast.DefaultMaxLength

// maxLength is the longest input of all: the tree counts in int32.
const maxLength = 1<<31 - 1

// A Parser is a parser with options, made by [Grammar.Parser]. It reuses the memory of its last tree, so that after the first few
// calls it does not allocate. It is not safe for concurrent use.
type Parser struct {
	// Start is the production to derive; 0 is the grammar's default.
	Start ast.Kind

	// MaxLength is the limit on the length of an input in bytes; 0 is [DefaultMaxLength]. A longer one is refused with an
	// [*ast.TooLongError] before anything is read.
	MaxLength int

	// FoldScheme treats upper case letters in the scheme name as lower case, as section 2.1 of RFC 1738 asks of
	// programs "for resiliency" and its BNF does not. (Under RFC 1630 this is an extension.) The tree's source is
	// then the input with its scheme in lower case.
	FoldScheme bool

	// Unexplained leaves out the reason for a rejection: [Parser.Check] sets no Verdict.Err, takes no second pass, and
	// allocates nothing.
	Unexplained bool

	// Treeless leaves out the tree: [Parser.Check] sets no Verdict.Tree, and returns the same verdict in less time.
	Treeless bool

	g    *Grammar
	tree ast.Tree // the last one; its Nodes are the memory for the next
}

// Grammar returns the grammar that p parses.
func (p *Parser) Grammar() *Grammar { return p.g }

// Parse returns the tree of s, which is valid until the next use of p. Errors are those of [Grammar.Parse].
func (p *Parser) Parse(s string) (*ast.Tree, error) {
	if len(s) > p.limit() {
		return nil, p.tooLong(s)
	}
	if p.FoldScheme {
		s = p.fold(s)
	}
	start := p.start()
	nodes, ok := p.tree.Grammar.Parse(p.tree.Nodes[:0], start, s)
	if !ok {
		return nil, p.g.Rejection(start, s)
	}
	p.tree.Source, p.tree.Nodes = s, nodes
	return &p.tree, nil
}

// Accepts reports whether s is derived; a string that is too long is not.
func (p *Parser) Accepts(s string) bool {
	return len(s) <= p.limit() && p.g.Accept(p.start(), p.fold(s))
}

func (p *Parser) start() ast.Kind {
	if p.Start == 0 {
		return p.g.Default
	}
	return p.Start
}

func (p *Parser) limit() int {
	switch {
	case p.MaxLength <= 0:
		return DefaultMaxLength
	case p.MaxLength > maxLength:
		return maxLength
	}
	return p.MaxLength
}

func (p *Parser) tooLong(s string) error {
	if limit := p.limit(); len(s) > limit {
		return &ast.TooLongError{Limit: limit, Length: len(s)}
	}
	return nil
}

func (p *Parser) fold(s string) string {
	if !p.FoldScheme {
		return s
	}
	folded := foldScheme(s, 0)
	if n := len(p.g.wrapper); n > 0 && len(folded) >= n && folded[:n] == p.g.wrapper {
		folded = foldScheme(folded, n)
	}
	return folded
}

// foldScheme returns s with the scheme name that begins at from in lower case. If it has no upper case letter, that is s
// itself.
func foldScheme(s string, from int) string {
	upper := false
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
			upper = true
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '+', c == '-', c == '.':
		case c == ':' && upper:
			b := []byte(s)
			for j := from; j < i; j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		default:
			return s
		}
	}
	return s
}
