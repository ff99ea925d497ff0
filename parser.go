package bnfcheck

import "github.com/bnfcheck/bnfcheck/ast"

// DefaultMaxLength is the limit on the length of an input if no other is set: 1 MiB.
const DefaultMaxLength = ast.DefaultMaxLength

// A Parser is a parser with options, made by [Grammar.Parser]: those of an [ast.Parser], and its own. It reuses the memory of its last
// tree, so that after the first few calls it does not allocate. It is not safe for concurrent use.
type Parser struct {
	ast.Parser

	// FoldScheme treats upper case letters in the scheme name as lower case, as section 2.1 of RFC 1738 asks of
	// programs "for resiliency" and its BNF does not. (Under RFC 1630 this is an extension.) The tree's source is
	// then the input with its scheme in lower case.
	FoldScheme bool

	// Unexplained leaves out the reason for a rejection: [Parser.Check] sets no Verdict.Err, takes no second pass, and
	// allocates nothing.
	Unexplained bool

	// Treeless leaves out the tree: [Parser.Check] sets no Verdict.Tree, and returns the same verdict in less time.
	Treeless bool

	g *Grammar
}

// Grammar returns the grammar that p parses.
func (p *Parser) Grammar() *Grammar { return p.g }

// Parse returns the tree of s, which is valid until the next use of p. Errors are those of [Grammar.Parse].
func (p *Parser) Parse(s string) (*ast.Tree, error) { return p.Parser.Parse(p.fold(s)) }

// Accepts reports whether s is derived; a string that is too long is not.
func (p *Parser) Accepts(s string) bool { return p.Parser.Accepts(p.fold(s)) }

// fold returns s with its scheme in lower case, if that is asked for and s is not too long.
func (p *Parser) fold(s string) string {
	if !p.FoldScheme || p.CheckLength(s) != nil {
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
