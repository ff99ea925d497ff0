// Package ast has the results of the generated parsers: the tree of an accepted string ([Tree],
// [Node]) and the explanation of a rejected one ([SyntaxError]). Both are in the terms of a
// [Grammar] and its productions. With a package calendar, which is generated from a grammar:
//
//	tree, err := calendar.Parse(src) // or ParsePrefix, of a stream
//	var wrong *ast.SyntaxError
//	switch {
//	case errors.Is(err, ast.ErrIncomplete): // src is the beginning of a string of the language
//		return err
//	case errors.As(err, &wrong):
//		fmt.Print(wrong.Format(80)) // the message, the line of src, and a caret
//		fmt.Println(wrong.Position(), wrong.Unexpected(), wrong.Terms())
//		return err
//	}
//	// Each production has a type, with a method for each child.
//	for line := range calendar.AsCalendar(tree.Root()).Contentline() {
//		fmt.Println(line.Start(), line.End(), line.Name().Text(), ast.First(line.Param()).Text())
//	}
//	for depth, n := range tree.Root().All() { // or Walk and Inspect, as in go/ast
//		fmt.Println(depth, n.Name(), n.Text())
//	}
//
// A tree is faithful to its RFC: a node is a production of that RFC's BNF, its text is derived by
// that production, and its children stand in the order of the production. A production that derives
// only single characters (alpha, uchar, hex, safe ...) is lexical. It is not a node, unless it is
// the start: then the tree is that one node. A production that repeats itself at its right end
// (path, search, hostname of RFC 1630) is one node with its parts in order. Package semantic
// interprets trees.
//
// Trees are flat in memory: [Tree.Nodes] holds the nodes in pre-order, and a [Node] is a small
// value that points into it, so that walking a tree allocates nothing. No production of the
// published grammars embeds itself, so that the depth of a tree is at most the number of
// productions, however long the input. Nothing in this package recurses as deep as an input nests.
//
// All offsets count bytes from 0. Every input is a sequence of bytes; no encoding is assumed.
//
// The package imports only the standard library.
//
// # For generated code
//
// The packages that the generator writes rely on these types. Some exist only for them:
//
//   - the fields of [Grammar], whose Parse, Accept, Within and Tables are the parser, and its
//     methods ParseAs, NewParser and Machine;
//   - [Run], which brings limits to Within, and tells afterwards which of them was passed;
//   - [Production], [Scheme] and [Kind], which describe the grammar;
//   - [Raw], the node that a parser appends to the slice it is given, and [Tree], which holds these;
//   - [Typed], which the types of nodes embed, [Node.As], [Each], and [Alternative];
//   - [ReadProductions], which reads the table of productions;
//   - [Parser] and [DefaultMaxLength], which every generated package has under the same names, and [NewChecker];
//   - [Tables], [TableNote], [TableStart], [Expectation] and [ByteSet], the automaton that explains rejections;
//   - [Automaton], which decides where the code of a parser alone does not, and [General], which
//     decides where an automaton does not either, and also explains rejections;
//   - [Scanner], a function of the user that says where a production ends;
//   - [SyntaxError], which the generated tests look at;
//   - [RunGoGenerateToLeaveFormat4], without which a package for another format does not compile.
//
// They are part of the API and follow semantic versioning: a generated package compiles, and does
// the same, with every later release of the same major version, as long as the format of packages
// does not rise. Where it does, generated packages have to be generated again, and the compiler
// says so.
package ast

import (
	"fmt"
	"strings"
)

// RunGoGenerateToLeaveFormat4 is the number of the format that generated packages have. Each uses
// the constant of its own format, and the library has that of one format alone.
const RunGoGenerateToLeaveFormat4 = 4

// Kind identifies a production of one grammar: it is the production's index in
// [Grammar.Productions]. 0 stands for no production. Generated packages name their kinds
// (rfc1738.KindHostport).
type Kind uint16

// Production describes one production of a grammar.
type Production struct {
	ID      string // unique in its grammar, and what users type: "hostport", "uri_path"
	Name    string // the RFC's spelling: "hostport", "path", "gopher+_string"
	Part    string // the BNF that it belongs to ("generic", "url"); "" in a text with one BNF
	Section string // the section of the text, as it is cited
	Page    int    // the page that prints it; 0 in a text without pages
	File    string // base name of the grammar's file, "json.abnf", if Line counts in it; "" if Line counts in the text
	Line    int    // the line of the text or of the grammar's file; 0 if there is neither
	Printed string // the production as printed, wrapped lines joined by "\n"; see [Grammar.Production]
	Lexical bool   // it derives only single characters, and is never a node below the root
}

// Scheme is a URL scheme that has a production of its own.
type Scheme struct {
	Name string // the name as in a URL before the colon: "http"
	Kind Kind   // RFC 1738: httpurl; RFC 1630: httpaddress
}

// Grammar is a published grammar with the parser generated from it. Each generated package has one
// (rfc1738.Grammar). A Grammar must not be changed, and is safe for concurrent use.
type Grammar struct {
	Name        string       // the name in messages and on the command line: "rfc1738"
	CodePoints  bool         // the values in the text are code points: an error is at the first byte of one
	Title       string       // the title of the text: "RFC 1738"
	Productions []Production // by Kind, in the order of the text; Productions[0] is the zero Production
	Default     Kind         // the production that derives an input if no other is named: url
	Schemes     []Scheme     // the schemes that have a production of their own, in the order of the text
	Generic     Kind         // the production that Default names for URLs of any scheme: otherurl; 0 if there is none

	// Generated code fills in the fields below. Programs call [Grammar.ParseAs], [Grammar.Derive]
	// and [Grammar.Explain], which use them.

	// Parse appends the nodes of src as derived by start to dst, root first, and reports whether
	// start derives all of src. If it does not, the result is dst as given, though its spare
	// capacity may be overwritten. Next of a node counts from the root that is appended, not from the
	// beginning of dst. A kind that is no production derives nothing, and a src longer than math.MaxInt32
	// is not derived.
	Parse func(dst []Raw, start Kind, src string) ([]Raw, bool)

	// Accept reports whether start derives all of src, as Parse does, but builds no tree.
	Accept func(start Kind, src string) bool

	// Tables holds the automaton that explains rejections; nil if there is none.
	Tables *Tables

	// Explaining explains rejections where a production embeds itself, so that there is no
	// automaton; nil if there is none.
	Explaining *General

	// Rules holds the productions for [Grammar.NewChecker], [Node.Alternative] and
	// [Grammar.Production], packed; "" if there are none.
	Rules string

	// Within is Parse or, without a tree, Accept within limits. It is nil where a parser has no
	// limit but the length of its input, since its time is linear and nothing nests.
	Within func(run *Run, dst []Raw, start Kind, src string, tree bool) ([]Raw, bool)
}

// Production returns the production of kind k, or the zero Production if g has no such kind. Most
// generated packages hold the printed text of their productions packed: it is then in the result,
// and not in g.Productions.
func (g *Grammar) Production(k Kind) Production {
	if g == nil || int(k) >= len(g.Productions) {
		return Production{}
	}
	p := g.Productions[k]
	if p.Printed == "" && g.Rules != "" {
		if printed := g.rules().printed; int(k) < len(printed) {
			p.Printed = printed[k]
		}
	}
	return p
}

// Kind returns the production with this ID, and whether there is one.
func (g *Grammar) Kind(id string) (Kind, bool) {
	for i := 1; i < len(g.Productions); i++ {
		if g.Productions[i].ID == id {
			return Kind(i), true
		}
	}
	return 0, false
}

// Lookup returns the production with this ID or, if only one production has it, with this spelling
// in the RFC. For an ambiguous name the error lists the productions that it can mean. For an
// unknown name it lists those that differ from it only in case or punctuation.
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

// spelling returns a name in lower case and with the characters of an identifier in a .peg file, so
// that spellings of one name compare equal.
func spelling(name string) string {
	return strings.NewReplacer("-", "_", "+", "plus").Replace(strings.ToLower(name))
}

// Scheme returns the production of the URL scheme with this name (lower case, without the colon),
// and whether g has one.
func (g *Grammar) Scheme(name string) (Kind, bool) {
	for _, s := range g.Schemes {
		if s.Name == name {
			return s.Kind, true
		}
	}
	return 0, false
}
