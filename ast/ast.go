// Package ast holds what the generated parsers give: the tree of an accepted string, and the explanation of
// a rejected one.
//
// A tree is faithful to its RFC: a node is a production of that RFC's BNF, its text is derived by that
// production, and its children stand in the order the production gives. A production that derives only
// single characters (alpha, uchar, hex, safe ...) is lexical and no node, unless it is itself the start:
// then the tree is that one node. A production that repeats itself at its right end (path, search, hostname
// of RFC 1630) is one node with its parts in order. What a tree means is the matter of package semantic.
//
// Trees are flat in memory: the nodes stand in pre-order in one slice ([Tree.Nodes]), and [Node] is a small
// value that points into it, so that walking allocates nothing. No production of these grammars embeds
// itself, so the depth of a tree is bounded by the number of productions, whatever the length of the input;
// nothing here recurses all the same.
//
// All offsets are bytes, counted from 0, and every input is a sequence of bytes: nothing is assumed about
// its encoding.
//
// The package imports the standard library alone.
package ast

import (
	"fmt"
	"strings"
)

// Kind is a production of one grammar: its index in [Grammar.Productions]. 0 is no production. The generated
// packages name their kinds (rfc1738.Hostport).
type Kind uint16

// Production describes one production of a grammar.
type Production struct {
	ID      string // unique in its grammar, what users type: "hostport", "uri_path"
	Name    string // the RFC's spelling: "hostport", "path", "gopher+_string"
	Part    string // which of the text's BNFs it belongs to ("generic", "url"); "" where there is one
	Section string // the section of the text, as it is cited
	Page    int    // where it is printed; 0 in a text without pages
	Line    int    // line of the text; 0 where there is no text
	Printed string // as printed, wrapped lines joined by "\n"
	Lexical bool   // derives single characters only: never a node below the root
}

// Scheme says which production of a grammar is that of a URL scheme.
type Scheme struct {
	Name string // as in a URL before the colon: "http"
	Kind Kind   // RFC 1738: httpurl; RFC 1630: httpaddress
}

// Grammar is a published grammar with the parser generated from it. Its value stands in a generated package
// (rfc1738.Grammar); it is never changed, and safe for concurrent use.
type Grammar struct {
	Name        string       // as in messages and on the command line: "rfc1738"
	Title       string       // "RFC 1738"
	Productions []Production // by Kind, in the order of the text; Productions[0] is the zero Production
	Default     Kind         // the start where none is asked for: url
	Schemes     []Scheme     // the schemes that have a production of their own, in the order of the text

	// What follows is for generated code. Programs call [Grammar.Derive], [Grammar.Explain] and [Grammar.Machine].

	// Tables holds the automaton that explains rejections; nil if there is none.
	Tables *Tables

	// Parse appends the nodes of src as derived by start to dst, root first, and reports whether start
	// derives src as a whole. If not, the result is dst as it was given (its spare capacity may be
	// overwritten). A start that is no production, and a src longer than an int32 can count, are not
	// derived.
	Parse func(dst []Raw, start Kind, src string) ([]Raw, bool)

	// Accept reports whether start derives src as a whole: what Parse reports, without a tree.
	Accept func(start Kind, src string) bool
}

// Production gives the production of kind k, or the zero Production where k is none of g's.
func (g *Grammar) Production(k Kind) Production {
	if g == nil || int(k) >= len(g.Productions) {
		return Production{}
	}
	return g.Productions[k]
}

// Kind finds a production by its ID.
func (g *Grammar) Kind(id string) (Kind, bool) {
	for i := 1; i < len(g.Productions); i++ {
		if g.Productions[i].ID == id {
			return Kind(i), true
		}
	}
	return 0, false
}

// Lookup finds a production by its ID or, where only one production has it, by the RFC's spelling. The error
// lists what an ambiguous name can mean, and for an unknown one what differs from it in case or punctuation
// alone.
func (g *Grammar) Lookup(name string) (Kind, error) {
	if k, ok := g.Kind(name); ok {
		return k, nil
	}
	var named, near []string
	var found Kind
	for i := 1; i < len(g.Productions); i++ {
		p := &g.Productions[i]
		switch {
		case p.Name == name:
			found = Kind(i)
			named = append(named, p.ID)
		case spelling(p.ID) == spelling(name), spelling(p.Name) == spelling(name):
			near = append(near, p.ID)
		}
	}
	switch {
	case len(named) == 1:
		return found, nil
	case len(named) > 1:
		return 0, fmt.Errorf("%s has %d productions %s: %s", g.Name, len(named), Quote(name), strings.Join(named, ", "))
	case len(near) > 0:
		return 0, fmt.Errorf("%s has no production %s, but %s", g.Name, Quote(name), strings.Join(near, ", "))
	}
	return 0, fmt.Errorf("%s has no production %s", g.Name, Quote(name))
}

// spelling is what a name keeps when it is typed in another case or as the identifier that it has in a .peg
// file.
func spelling(name string) string {
	return strings.NewReplacer("-", "_", "+", "plus").Replace(strings.ToLower(name))
}

// Scheme gives the production of the URL scheme with this name (lower case, without the colon), and false
// where g has none for it.
func (g *Grammar) Scheme(name string) (Kind, bool) {
	for _, s := range g.Schemes {
		if s.Name == name {
			return s.Kind, true
		}
	}
	return 0, false
}
