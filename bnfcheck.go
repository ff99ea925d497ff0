// Package bnfcheck parses URIs and URLs exactly as the RFCs about them define them: the first ones, RFC 1630,
// "Universal Resource Identifiers in WWW" (June 1994), and RFC 1738, "Uniform Resource Locators (URL)" (December
// 1994), and that of today, RFC 3986, "Uniform Resource Identifier (URI): Generic Syntax" (January 2005).
//
//	g := bnfcheck.RFC3986 // or RFC1738, RFC1630, or Find("rfc3986")
//	if !g.Accepts(s) {
//		_, err := g.Parse(s)
//		return err // an *ast.SyntaxError: where, in which production, and what could have stood there
//	}
//	tree, _ := g.Parse(s)
//	host, ok := tree.Root().Find(rfc3986.KindHost) // of package gen/rfc3986, which has a type for each production
//	fmt.Println(ok, host.Text(), host.Start(), host.End())
//	verdict := bnfcheck.RFC1738.Check(s)           // does the scheme's production derive it, or only the generic one
//	fmt.Println(verdict.Value, verdict.Why())      // conforming, generic-only, no-production or rejected
//
// What a URL means, in components that are decoded, resolved, normalized and built, is package semantic.
//
// Its parsers are generated from the BNF of these texts and of the draft that became the second, and each production
// is proven to accept exactly the strings that its BNF derives. A [Grammar] is one of the texts. From cheap to
// thorough, its methods answer these questions:
//
//   - [Grammar.Accepts]: does the grammar derive this string?
//   - [Grammar.Parse]: how? The answer is a tree whose nodes are named as the RFC names its productions, or an
//     [*ast.SyntaxError] with the place where the scheme's production does not go on, and what it expects there.
//   - [Grammar.Check]: does the scheme's own production derive it, or only the generic one?
//
// A [Parser] does the same with options, and without allocating after the first few strings.
//
// Everything here takes any string of bytes, never panics, and is safe for concurrent use, except that one Parser
// serves one goroutine. The package and all it imports use only the standard library.
package bnfcheck

import (
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/draft06"
	"github.com/bnfcheck/bnfcheck/gen/rfc1630"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"
)

// The published grammars. They are immutable.
var (
	// RFC1630 is the grammar of RFC 1630, its generic BNF and its URL BNF. Its default start is fragmentaddress,
	// read so that a fragment may follow a prefixedurl, a url or a uri.
	RFC1630 = publish(&Grammar{Grammar: rfc1630.Grammar, unknown: NoProduction, wrapper: "url:", fragments: true})

	// RFC1738 is the grammar of RFC 1738, section 5. Its default start is url.
	RFC1738 = publish(&Grammar{Grammar: rfc1738.Grammar, unknown: Conforming})

	// Draft06 is the grammar of draft-ietf-uri-url-06, section 5: what was in last call before it became RFC 1738. Its
	// default start is url.
	Draft06 = publish(&Grammar{Grammar: draft06.Grammar, unknown: Conforming})

	// RFC3986 is the grammar of RFC 3986, appendix A. Its default start is URI-reference, which derives relative
	// references, and the empty one, too. It has no productions for schemes.
	RFC3986 = publish(&Grammar{Grammar: rfc3986.Grammar, uri: rfc3986.KindURI, relative: rfc3986.KindRelativeRef})
)

// publish fills in what follows from the rest.
func publish(g *Grammar) *Grammar {
	g.schemeOf = make([]string, len(g.Grammar.Productions))
	for _, s := range g.Schemes {
		g.schemeOf[s.Kind] = s.Name
		g.lengths |= 1 << len(s.Name)
	}
	return g
}

// RFCs returns the grammars of the first RFCs, oldest first: those that have productions for schemes.
func RFCs() []*Grammar { return []*Grammar{RFC1630, RFC1738} }

// Grammars returns all grammars: those of the first RFCs, then that of a draft, then that of RFC 3986.
func Grammars() []*Grammar { return append(RFCs(), Draft06, RFC3986) }

// Find returns the grammar with this name: "rfc1738", or "1738" for short.
func Find(name string) (*Grammar, error) {
	var names []string
	for _, g := range Grammars() {
		if g.Name == name || strings.TrimPrefix(g.Name, "rfc") == name {
			return g, nil
		}
		names = append(names, g.Name)
	}
	return nil, fmt.Errorf("no grammar %s; there are %s", ast.Quote(name), strings.Join(names, ", "))
}

// Grammar is a published grammar.
type Grammar struct {
	*ast.Grammar // its productions, schemes and tables

	unknown Value  // the verdict where only Generic derives a string, and its scheme has no production
	wrapper string // what may stand in front of a URL's scheme; "" for nothing

	fragments bool // "#" and a fragment may follow a URL

	// where the default start derives references: the productions of those with a scheme and without
	uri, relative ast.Kind

	lengths  uint64   // the lengths of scheme names, a bit for each
	schemeOf []string // by kind: the scheme whose own production it is, "" if it is none
}

// Parse returns the tree of s. It fails with an [*ast.SyntaxError], or with an [*ast.TooLongError] if s is
// longer than [DefaultMaxLength].
func (g *Grammar) Parse(s string) (*ast.Tree, error) { return g.ParseAs(g.Default, s) }

// Accepts reports whether the grammar derives s. It builds no tree. An s longer than [DefaultMaxLength] is not
// accepted.
func (g *Grammar) Accepts(s string) bool {
	return len(s) <= DefaultMaxLength && g.Accept(g.Default, s)
}

// Whole returns the production of whole URIs: the default start or, where that derives relative references as well, the
// production of those with a scheme.
func (g *Grammar) Whole() ast.Kind {
	if g.uri != 0 {
		return g.uri
	}
	return g.Default
}

// Check returns the verdict on s.
func (g *Grammar) Check(s string) Verdict { return g.Parser().Check(s) }

// Productions lists the grammar's productions in the order of the text. The index of the one with kind k is k-1.
func (g *Grammar) Productions() []ast.Production { return g.Grammar.Productions[1:] }

// Parser returns a new parser with the default options.
func (g *Grammar) Parser() *Parser {
	return &Parser{Parser: *g.NewParser(), g: g}
}
