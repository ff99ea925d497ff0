package bnfcheck

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Value is what a grammar says of a string.
type Value uint8

// The verdicts.
const (
	Rejected     Value = iota // no production matches
	Conforming                // the scheme's own production matches or, under RFC 1738, the scheme has none
	GenericOnly               // only the generic production matches, though the scheme has one of its own
	NoProduction              // RFC 1630: only uri matches, and the URL BNF has no production for the scheme
)

var valueNames = [...]string{"rejected", "conforming", "generic-only", "no-production"}

// String gives the verdict as it is printed: "conforming", "generic-only", "no-production", "rejected".
func (v Value) String() string {
	if int(v) < len(valueNames) {
		return valueNames[v]
	}
	return fmt.Sprintf("Value(%d)", uint8(v))
}

// MarshalText gives the verdict as String does.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Verdict is what a grammar says of one string.
type Verdict struct {
	Value Value

	// Production is the one that matched: the scheme's own (httpurl), or the generic one (otherurl, uri); 0 if none.
	Production ast.Kind

	// Scheme is the scheme name, as written (or folded); "" where the string does not begin with one.
	Scheme string

	// Tree is the tree of the whole string, nil if it was rejected. From a [Parser] it holds until the next call.
	Tree *ast.Tree

	// Err says why the string was rejected: an [*ast.SyntaxError] or an [*ast.TooLongError].
	Err error
}

// Check gives the verdict on s. RFC 1738 is judged by url; RFC 1630 by prefixedurl, url or uri, each with an optional
// fragment. p.Start is not used.
func (p *Parser) Check(s string) Verdict {
	whole := *p
	whole.Start = 0
	tree, err := whole.Parse(s)
	p.nodes = whole.nodes
	if err != nil {
		return Verdict{Scheme: p.g.scheme(p.foldWithinLimit(s)), Err: err}
	}
	p.tree = *tree
	v := Verdict{Value: Conforming, Scheme: p.g.scheme(tree.Source), Tree: &p.tree}
	for _, n := range tree.Nodes {
		if n.Kind == p.g.generic {
			v.Production = n.Kind
			v.Value = p.g.unknown
			if _, known := p.g.Grammar.Scheme(v.Scheme); known {
				v.Value = GenericOnly
			}
			return v
		}
		if p.g.isSchemes(n.Kind) {
			v.Production = n.Kind
			return v
		}
	}
	return v
}

func (p *Parser) foldWithinLimit(s string) string {
	if p.tooLong(s) != nil {
		return s
	}
	return p.fold(s)
}

func (g *Grammar) isSchemes(k ast.Kind) bool {
	for _, s := range g.Schemes {
		if s.Kind == k {
			return true
		}
	}
	return false
}

// scheme gives what stands before the first colon, with a wrapper before it left out where a known scheme follows.
func (g *Grammar) scheme(s string) string {
	rest, wrapped := strings.CutPrefix(s, g.wrapper)
	if g.wrapper != "" && wrapped {
		if name := before(rest); name != "" {
			if _, known := g.Grammar.Scheme(name); known {
				return name
			}
		}
	}
	return before(s)
}

// before gives what stands before the first colon if it can be a scheme name in either RFC.
func before(s string) string {
	for i := range len(s) {
		switch c := s[i]; {
		case c == ':':
			return s[:i]
		case c <= ' ' || c >= 0x7f || strings.IndexByte(`/?#%<>"\^{}|[]`+"`", c) >= 0:
			return ""
		}
	}
	return ""
}

// Why says why the scheme's own production does not match a string that was found GenericOnly, and why a rejected
// string was rejected. It is nil for the other verdicts, and for a string that was too long.
func (v Verdict) Why() *ast.SyntaxError {
	if err, ok := v.Err.(*ast.SyntaxError); ok {
		return err
	}
	if v.Value == GenericOnly {
		return v.Tree.Grammar.Explain(v.Tree.Grammar.Default, v.Tree.Source)
	}
	return nil
}
