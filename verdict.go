package bnfcheck

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Value is the verdict of a grammar on a string.
type Value uint8

// The verdicts.
const (
	Rejected Value = iota // no production matches
	// the scheme's own production matches or, under RFC 1738 and RFC 3986, the scheme has none
	Conforming
	GenericOnly  // only the generic production matches, though the scheme has one of its own
	NoProduction // RFC 1630: only uri matches, and the URL BNF has no production for the scheme
)

var valueNames = [...]string{"rejected", "conforming", "generic-only", "no-production"}

// String returns the verdict as it is printed: "conforming", "generic-only", "no-production", "rejected".
func (v Value) String() string {
	if int(v) < len(valueNames) {
		return valueNames[v]
	}
	return fmt.Sprintf("Value(%d)", uint8(v))
}

// MarshalText returns the verdict as String does.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// A Verdict is the answer of [Grammar.Check] for one string.
type Verdict struct {
	Value Value

	// Production is the kind of the production that matched: the scheme's own (httpurl), the generic one (otherurl,
	// uri), or under RFC 3986 URI or relative-ref. It is 0 if none matched.
	Production ast.Kind

	// Scheme is the scheme name, as written (or folded); "" where the string does not begin with one.
	Scheme string

	// Tree is the tree of the whole string, nil if it was rejected or if no tree was asked for. From a [Parser] it
	// holds until the next call.
	Tree *ast.Tree

	// Err is the reason for a rejection: an [*ast.SyntaxError] or an [*ast.TooLongError].
	Err error
}

// Check returns the verdict on s. RFC 1738 is judged by url; RFC 1630 by prefixedurl, url or uri, each with an optional
// fragment; RFC 3986 by URI-reference. p.Start is not used.
func (p *Parser) Check(s string) Verdict {
	if err := p.CheckLength(s); err != nil {
		v := p.rejected(s)
		if !p.Unexplained {
			v.Err = err
		}
		return v
	}
	s = p.fold(s)
	if p.Treeless {
		return p.treeless(s)
	}
	tree, ok := p.Derive(p.g.Default, s)
	if !ok {
		return p.explained(p.rejected(s), s)
	}
	if p.g.uri != 0 {
		v := p.reference(s)
		v.Tree = tree
		return v
	}
	for i := range tree.Nodes {
		k := tree.Nodes[i].Kind
		if k == p.g.Generic {
			return p.generic(s, tree)
		}
		if name := p.g.schemeOf[k]; name != "" {
			return Verdict{Value: Conforming, Production: k, Scheme: name, Tree: tree}
		}
	}
	name, _, _ := p.g.scheme(s)
	return Verdict{Value: Conforming, Scheme: name, Tree: tree}
}

// rejected returns the verdict on a string that nothing derives, without a reason.
func (p *Parser) rejected(s string) Verdict {
	name, _, _ := p.g.scheme(s)
	return Verdict{Scheme: name}
}

// explained returns v with the reason why s is rejected, unless the parser leaves reasons out.
func (p *Parser) explained(v Verdict, s string) Verdict {
	if !p.Unexplained {
		v.Err = p.g.Rejection(p.g.Default, s)
	}
	return v
}

// generic returns the verdict on a string that only the generic production derives.
func (p *Parser) generic(s string, tree *ast.Tree) Verdict {
	name, _, own := p.g.scheme(s)
	v := Verdict{Value: p.g.unknown, Production: p.g.Generic, Scheme: name, Tree: tree}
	if own != 0 {
		v.Value = GenericOnly
	}
	return v
}

// reference returns the verdict on a reference that is derived.
func (p *Parser) reference(s string) Verdict {
	name := before(s)
	if name == "" { // the first segment of a relative reference holds no colon
		return Verdict{Value: Conforming, Production: p.g.relative}
	}
	return Verdict{Value: Conforming, Production: p.g.uri, Scheme: name}
}

// treeless returns the verdict on s without a tree. If the scheme's own production derives a URL, a tree has that
// production.
func (p *Parser) treeless(s string) Verdict {
	if p.g.uri != 0 {
		if !p.g.Accept(p.g.Default, s) {
			return p.explained(p.rejected(s), s)
		}
		return p.reference(s)
	}
	name, url, own := p.g.scheme(s)
	more := len(url) != len(s) // something surrounds the URL, so the default start decides
	if p.g.fragments {
		if i := strings.IndexByte(url, '#'); i >= 0 {
			url, more = url[:i], true
		}
	}
	v := Verdict{Value: Conforming, Production: own, Scheme: name}
	conforming := own != 0 && p.g.Accept(own, url)
	switch {
	case conforming && !more:
	case !p.g.Accept(p.g.Default, s):
		return p.explained(Verdict{Scheme: name}, s)
	case conforming:
	case own != 0:
		v.Value, v.Production = GenericOnly, p.g.Generic
	default:
		v.Value, v.Production = p.g.unknown, p.g.Generic
	}
	return v
}

// scheme returns the scheme name of s, the URL that begins with it, and its own production, 0 if it has none. A
// wrapper before a known scheme is left out.
func (g *Grammar) scheme(s string) (name, url string, own ast.Kind) {
	if g.wrapper != "" {
		if rest, wrapped := strings.CutPrefix(s, g.wrapper); wrapped {
			if name := before(rest); name != "" {
				if own := g.own(name); own != 0 {
					return name, rest, own
				}
			}
		}
	}
	name = before(s)
	return name, s, g.own(name)
}

// own returns the production of a scheme, 0 if it has none. Most schemes without one differ in length from all that
// have one.
func (g *Grammar) own(name string) ast.Kind {
	if len(name) >= 64 || g.lengths>>len(name)&1 == 0 {
		return 0
	}
	own, _ := g.Grammar.Scheme(name)
	return own
}

// before returns the text before the first colon if it can be a scheme name in any of the grammars.
func before(s string) string {
	for i := range len(s) {
		if endsScheme[s[i]] {
			if s[i] == ':' {
				return s[:i]
			}
			return ""
		}
	}
	return ""
}

// endsScheme reports, by byte, whether it is in no scheme name of any grammar.
var endsScheme = func() (ends [256]bool) {
	for c := range ends {
		ends[c] = c <= ' ' || c >= 0x7f
	}
	for _, c := range []byte(`:/?#%<>"\^{}|[]` + "`") {
		ends[c] = true
	}
	return ends
}()

// Why returns the reason why the scheme's own production does not derive a string that is GenericOnly, or why a string is
// rejected. It returns nil for the other verdicts, for a string that is too long, and for GenericOnly without a tree.
func (v Verdict) Why() *ast.SyntaxError {
	if err, ok := v.Err.(*ast.SyntaxError); ok {
		return err
	}
	if v.Value == GenericOnly && v.Tree != nil {
		return v.Tree.Grammar.Explain(v.Tree.Grammar.Default, v.Tree.Source)
	}
	return nil
}
