package gopackage

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// This file makes nodes.go: a type for each node, with a method for each child that it can have, and
// constants for the alternatives of its production.
//
// A large grammar has hundreds of types, so each costs little to write and to compile. All of them embed
// [ast.Typed], and each method is one call of a generic function. The methods have no comments: the type has
// its production, which says more. With types around ast.Node, comments and a body for each method, nodes.go
// of RFC 3261 had 229 KB and took 8.5 of the 9.4 s of the compiler. If a production is long, the comment has
// its beginning: the whole is in the package once, packed.

const nodesComment = `
// Each type below is a node of the production in its comment, with a method for each production that can be a
// child: the child, or the zero value where it is absent, or an iterator over the children where there can be
// several. The methods of zero values return zero values, so that a chain of them needs no check on its way: IsZero
// reports whether there is a node at its end. A function with the name of a type after As returns a node as that
// type, or the zero value if it is another one. [ast.Typed] has the methods that all types have.
//
// Of a long production the comment has the beginning, and [ast.Grammar.Production] all.
//
// Where a production is a choice, the method Alternative returns which alternative was taken: its number in the
// order of the text, from 1. Each has a constant, named after the production, the word or the sign that it is or
// begins with, unless it has none of these, as a range of characters.
`

// makeNodesFile returns nodes.go, which the caller formats. If no production is a node, it has only the
// package clause. Names for alternatives are taken in p.identifiers: see alternativeNames. The error is always nil.
func (p *writer) makeNodesFile() ([]byte, error) {
	var b, types bytes.Buffer
	usesIter := false
	for _, r := range p.bnf.Rules {
		if p.isLexical(r.ID) {
			continue
		}
		if p.writeNodeType(&types, r.ID) {
			usesIter = true
		}
	}
	p.writeHeader(&b)
	fmt.Fprintf(&b, "package %s\n", p.Package)
	if types.Len() > 0 {
		b.WriteString("\nimport (\n")
		if usesIter {
			b.WriteString("\"iter\"\n\n")
		}
		b.WriteString("\"github.com/bnfcheck/bnfcheck/ast\"\n)\n" + nodesComment)
	}
	types.WriteTo(&b)
	return b.Bytes(), nil
}

// writeNodeType writes the type of a node, the function that makes one, the methods for its children, and the
// constants for its alternatives. A child whose name is taken gets "Node" after it, as often as that takes. A
// production that is no node, or cannot occur, gets no method. writeNodeType reports whether one of the methods
// returns an iterator.
func (p *writer) writeNodeType(b *bytes.Buffer, id string) (usesIter bool) {
	r := p.bnf.Rule(id)
	name := p.typeName(id)
	fmt.Fprintf(b, "\n//\t%s\ntype %s struct{ ast.Typed }\n", beginningOf(p.productionLine(r))+p.shortPlace(r), name)
	fmt.Fprintf(b, "\nfunc As%[1]s(n ast.Node) %[1]s { return %[1]s{n.As(%s)} }\n", name, p.kindName(id))
	taken := typedMethods()
	for _, c := range p.childrenOf(r) {
		if c.max == 0 || p.isLexical(c.id) {
			continue
		}
		of := p.typeName(c.id)
		// A child whose name is a method of ast.Typed, or of another child, gets another name.
		method := of
		for taken[method] {
			method += "Node"
		}
		taken[method] = true
		format := "\nfunc (n %s) %s() %s { return %[3]s{n.Child(%s)} }\n"
		if c.max == many {
			usesIter = true
			format = "\nfunc (n %s) %s() iter.Seq[%s] { return ast.Each[%[3]s](n.Typed, %s) }\n"
		}
		fmt.Fprintf(b, format, name, method, of, p.kindName(c.id))
	}
	p.writeAlternatives(b, id)
	return usesIter
}

// maxTypeLine caps the bytes of a production in the comment of its type.
const maxTypeLine = 200

// beginningOf returns a line, cut between two words if it is longer than maxTypeLine. A line that is one word
// up to there is not cut.
func beginningOf(line string) string {
	if len(line) <= maxTypeLine {
		return line
	}
	if at := strings.LastIndexByte(line[:maxTypeLine], ' '); at > 0 {
		return line[:at] + " ..."
	}
	return line // one word
}

// vettedMethods has the method names for which go vet, in its check stdmethods, demands the signature of an
// interface of the standard library.
var vettedMethods = []string{
	"Format", "GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadFrom", "ReadRune",
	"Scan", "Seek", "UnmarshalJSON", "UnmarshalXML", "UnreadByte", "UnreadRune", "WriteByte", "WriteTo",
}

// typedMethods returns the names that the method for a child cannot have: the field and the methods of
// [ast.Typed], and those that go vet refuses.
func typedMethods() map[string]bool {
	t := reflect.TypeFor[ast.Typed]()
	taken := map[string]bool{t.Name(): true}
	for _, name := range vettedMethods {
		taken[name] = true
	}
	for i := range t.NumMethod() {
		taken[t.Method(i).Name] = true
	}
	return taken
}

// writeAlternatives writes the constants for the alternatives of a production, those that have a name. It writes
// nothing if none has.
func (p *writer) writeAlternatives(b *bytes.Buffer, id string) {
	names := p.alternativeNames()[id]
	for len(names) > 0 && names[len(names)-1] == "" {
		names = names[:len(names)-1]
	}
	if len(names) == 0 {
		return
	}
	b.WriteString("\nconst (\n_ ast.Alternative = iota\n")
	for _, name := range names {
		b.WriteString(cmp.Or(name, "_") + "\n")
	}
	b.WriteString(")\n")
}
