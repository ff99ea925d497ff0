package gopackage

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file makes grammar.go and nodes.go. Their text is written as it comes out of templates,
// without regard to layout: makeFiles formats it.

// makeGrammarFile returns grammar.go: the package comment, the functions that a user calls, the
// constants of the productions and the grammar value. It says what the other steps have set, so it
// runs after them.
func (p *writer) makeGrammarFile() ([]byte, error) {
	var b bytes.Buffer
	p.writeHeader(&b)
	p.writeFrontDoor(&b)
	p.writeConstants(&b)
	p.writeGrammarValue(&b)
	if p.usesGeneral {
		p.writeNewChecker(&b)
	}
	return b.Bytes(), nil
}

// limitsComment returns the lines of the package documentation on what is refused although the grammar
// derives it. It is "" where no such limit is but the length.
func (p *writer) limitsComment() string {
	if !p.hasLimits {
		return ""
	}
	return `//
// An input that nests deeper than [ast.DefaultDepth] productions, or takes more than the other limits
// of a parser ([ast.Limits]), is refused although it may be derived: [Parse] returns an
// [*ast.TooDeepError] or an [*ast.TooLargeError], and [Accepts] is false. [ast.Parser] has the limits
// as options.
`
}

// writeFrontDoor writes the package comment and the functions that a user calls.
func (p *writer) writeFrontDoor(b *bytes.Buffer) {
	fmt.Fprintf(b, `%s
// Package %s parses what %s derives. [Parse] accepts exactly the strings that the production %[4]s derives:
//
//	tree, err := %[2]s.Parse(s)
//	if err != nil {
//		return err // an *ast.SyntaxError: where, in which production, and what could have stood there
//	}
//	for depth, node := range tree.Root().All() {
//		fmt.Println(depth, node.Name(), node.Text())
//	}
//
// [Accepts] only tells whether a string is derived. [NewParser] returns a parser that does not allocate after the first few
// strings. Each production has a constant, as [%[5]s], with which [ParseAs] and [AcceptsAs] begin.
%[6]s`, p.recordLines(), p.Package, p.bnf.Title, p.start.Name, p.kindName(p.start.ID), p.limitsComment())
	if !p.isLexical(p.start.ID) {
		fmt.Fprintf(b, "// Each node has a type with methods for its children: As%[1]s(tree.Root()) is a [%[1]s].\n",
			p.typeName(p.start.ID))
	}
	b.WriteString("//\n// The package imports the standard library and package ast, nothing else.\n//\n")
	b.WriteString(p.packageNotes())
	fmt.Fprintf(b, `package %[1]s

import "github.com/bnfcheck/bnfcheck/ast"

// The library has this constant as long as it is of the format of this package. If it is undefined, the package is older than the
// library: run go generate.
const _ = ast.RunGoGenerateToLeaveFormat4

// DefaultMaxLength is the limit on the length of an input in bytes if no other is set.
const DefaultMaxLength = ast.DefaultMaxLength

// Parse returns the tree of s as derived by the production %[2]s. The error is an [*ast.SyntaxError], or an
// [*ast.TooLongError] where s is longer than [DefaultMaxLength].
func Parse(s string) (*ast.Tree, error) { return ParseAs(%[3]s, s) }

// Accepts reports whether the production %[2]s derives s. It builds no tree and does not allocate. An s longer than
// [DefaultMaxLength] is not accepted.
func Accepts(s string) bool { return AcceptsAs(%[3]s, s) }

// ParseAs is [Parse] for any production: start is one of the constants of this package. 
func ParseAs(start ast.Kind, s string) (*ast.Tree, error) { return Grammar.ParseAs(start, s) }

// AcceptsAs is [Accepts] for any production: start is one of the constants of this package.
func AcceptsAs(start ast.Kind, s string) bool { return len(s) <= DefaultMaxLength && accept(start, s) }

// A Parser parses with options, and without allocating after the first few strings. See [ast.Parser].
type Parser = ast.Parser

// NewParser returns a new parser with the default options.
func NewParser() *Parser { return Grammar.NewParser() }

`, p.Package, p.start.Name, p.kindName(p.start.ID))
}

// writeConstants writes a constant for each production, under the sections of the text.
func (p *writer) writeConstants(b *bytes.Buffer) {
	fmt.Fprintf(b, "// The productions of %s, in the order of its text.\nconst (\n", p.bnf.Title)
	part := ""
	for i, r := range p.bnf.Rules {
		if r.Part != part {
			part = r.Part
			fmt.Fprintf(b, "\n// %s\n\n", r.Section)
		}
		fmt.Fprintf(b, "// %s\n%s", p.citeLine(r), p.kindName(r.ID))
		if i == 0 {
			b.WriteString(" ast.Kind = iota + 1")
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n\n")
}

// writeGrammarValue writes the variable Grammar. Fields that would be zero are left out.
func (p *writer) writeGrammarValue(b *bytes.Buffer) {
	fmt.Fprintf(b, "// Grammar is the grammar of %s. It must not be changed.\nvar Grammar = &ast.Grammar{\n", p.bnf.Title)
	if p.bnf.CodePoints {
		b.WriteString("CodePoints: true,\n")
	}
	fmt.Fprintf(b, "Name: %q,\nTitle: %q,\nProductions: []ast.Production{\n{},\n", p.Package, p.bnf.Title)
	for _, r := range p.bnf.Rules {
		p.writeProduction(b, r)
	}
	fmt.Fprintf(b, "},\nDefault: %s,\n", p.kindName(p.start.ID))
	if schemes := p.schemeProductions(); len(schemes) > 0 {
		b.WriteString("Schemes: []ast.Scheme{\n")
		for _, v := range schemes {
			fmt.Fprintf(b, "{Name: %q, Kind: %s},\n", strings.TrimSuffix(v.Prefix, ":"), p.kindName(v.Explained))
		}
		b.WriteString("},\n")
	}
	if id := annotated.Generic(p.bnf, p.start.ID); id != "" {
		fmt.Fprintf(b, "Generic: %s,\n", p.kindName(id))
	}
	if p.needsGeneral {
		b.WriteString("Explaining: &explaining,\n")
	} else {
		b.WriteString("Tables: &tables,\n")
	}
	b.WriteString("Parse: parse,\nAccept: accept,\n")
	if p.hasLimits {
		b.WriteString("Within: within,\n")
	}
	b.WriteString("}\n")
}

// writeProduction writes the entry of a production in the grammar value, with the place in its
// text or else the line in the grammar's file.
func (p *writer) writeProduction(b *bytes.Buffer, r *expr.Rule) {
	fmt.Fprintf(b, "%s: {ID: %q, Name: %q", p.kindName(r.ID), r.ID, r.Name)
	if r.Part != "" {
		fmt.Fprintf(b, ", Part: %q", r.Part)
	}
	if r.Section != "" {
		fmt.Fprintf(b, ", Section: %q", r.Section)
	}
	if r.Page > 0 {
		fmt.Fprintf(b, ", Page: %d", r.Page)
	}
	switch {
	case r.Line > 0:
		fmt.Fprintf(b, ", Line: %d", r.Line)
	case r.Page == 0 && r.Section == "":
		file := path.Base(filepath.ToSlash(r.Pos.File))
		fmt.Fprintf(b, ", File: %q, Line: %d", file, r.Pos.Line)
	}
	if p.isLexical(r.ID) {
		b.WriteString(", Lexical: true")
	}
	fmt.Fprintf(b, ", Printed: %q},\n", r.Printed)
}

// writeNewChecker writes the function NewChecker, for packages with the general parser: of that
// nothing is proven, so a user can have its trees checked.
func (p *writer) writeNewChecker(b *bytes.Buffer) {
	isNode := func(id string) bool { return p.isNode[id] }
	checked := interpreter.CheckedBy(p.bnf, interpreter.Named(p.bnf, isNode))
	fmt.Fprintf(b, "\n// NewChecker returns a checker of trees that shares nothing with the parser. "+
		"With its Check as that of a [Parser], every tree is checked\n// to be a derivation.\n"+
		"func NewChecker() (*ast.Checker, error) { return ast.NewChecker(checked) }\n\n"+
		"const checked = `%s`\n", checked)
}

// packageNotes returns the part of the package comment on this grammar: the productions of the
// schemes, the lexical productions, the readings of ambiguous places, and what was proven.
func (p *writer) packageNotes() string {
	var b strings.Builder
	schemes := p.schemeProductions()
	if len(schemes) > 0 {
		b.WriteString("// The schemes and their productions:\n//\n")
	}
	for _, v := range schemes {
		fmt.Fprintf(&b, "//   - %s [%s]\n", v.Prefix, p.kindName(v.Explained))
	}
	var lexical []string
	for _, r := range p.bnf.Rules {
		if p.isLexical(r.ID) {
			lexical = append(lexical, "["+p.kindName(r.ID)+"]")
		}
	}
	if len(lexical) > 0 {
		b.WriteString("//\n// These productions are lexical. They are nodes only as the root of a tree:\n//\n")
		writeItem(&b, strings.Join(lexical, ", "))
	}
	if len(p.Readings) > 0 {
		b.WriteString("//\n// Where the text has several readings, or none, this is how it is read:\n//\n")
	}
	for _, r := range p.Readings {
		writeItem(&b, r.ID+": "+r.ReadAs)
	}
	if len(p.proven)+len(p.Assumptions) > 0 {
		b.WriteString("//\n// Proven when the package was written:\n//\n")
	}
	for _, line := range p.proven {
		writeItem(&b, line)
	}
	for _, line := range p.Assumptions {
		writeItem(&b, "assumed: "+line)
	}
	return b.String()
}

// writeItem writes text as an item of a list in a comment, wrapped at 120 columns.
func writeItem(b *strings.Builder, text string) {
	line := "//   - "
	for i, word := range strings.Fields(strings.ToValidUTF8(text, "\ufffd")) {
		if i > 0 && len(line)+1+len(word) > 120 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "//     "
		} else if i > 0 {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}

// makeNodesFile returns nodes.go: a type for each node, with a method for each child that it can
// have.
func (p *writer) makeNodesFile() ([]byte, error) {
	var b, types bytes.Buffer
	usesIter := false
	for _, r := range p.bnf.Rules {
		if p.isLexical(r.ID) {
			continue
		}
		if p.writeNodeType(&types, r) {
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
		b.WriteString("\"github.com/bnfcheck/bnfcheck/ast\"\n)\n")
		b.WriteString("\n// Each type below is a small value around a node. The methods of the zero value return zero " +
			"values, so that a chain of\n// them needs no check on its way: IsZero reports whether there is a " +
			"node at its end.\n")
	}
	types.WriteTo(&b)
	return b.Bytes(), nil
}

// writeNodeType writes the type of a node, the function that makes one, and the methods for its
// children. It reports whether one of them is an iterator.
func (p *writer) writeNodeType(b *bytes.Buffer, r *expr.Rule) (usesIter bool) {
	name := p.typeName(r.ID)
	fmt.Fprintf(b, "\n// %s is a node of this production, or the zero Node:\n//\n//\t%s\n"+
		"type %[1]s struct{ ast.Node }\n\n", name, p.citeLine(r))
	fmt.Fprintf(b, "// As%[1]s returns n as %[2]s. It is the zero %[1]s if n is no such node.\n"+
		"func As%[1]s(n ast.Node) %[1]s {\nif n.Kind() != %[3]s {\nreturn %[1]s{}\n}\nreturn %[1]s{n}\n}\n",
		name, withArticle(name), p.kindName(r.ID))
	taken := nodeMethods()
	for _, c := range p.childrenOf(r) {
		if c.max == 0 || p.isLexical(c.id) {
			continue
		}
		of := p.typeName(c.id)
		// A child whose name is a method of ast.Node, or of another child, gets another name.
		method := of
		for taken[method] {
			method += "Node"
		}
		taken[method] = true
		printed := p.bnf.Rule(c.id).Name
		switch {
		case c.max == many:
			usesIter = true
			fmt.Fprintf(b, "\n// %s returns an iterator over the children of the production %s, in order.\n"+
				"func (n %s) %[1]s() iter.Seq[%[4]s] {\nreturn func(yield func(%[4]s) bool) {\n"+
				"for c := range n.Children() {\nif c.Kind() == %[5]s && !yield(%[4]s{c}) {\nreturn\n}\n}\n}\n}\n",
				method, printed, name, of, p.kindName(c.id))
			continue
		case c.min == 1:
			fmt.Fprintf(b, "\n// %s returns the child of the production %s.\n", method, printed)
		default:
			fmt.Fprintf(b, "\n// %s returns the child of the production %s, or the zero %s where it is absent.\n",
				method, printed, of)
		}
		fmt.Fprintf(b, "func (n %s) %s() %s {\nc, _ := n.Child(%s)\nreturn %[3]s{c}\n}\n",
			name, method, of, p.kindName(c.id))
	}
	return usesIter
}

// vettedMethods are the names that go vet, in its check stdmethods, wants to have the signature of an
// interface of the standard library.
var vettedMethods = []string{
	"Format", "GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadFrom", "ReadRune",
	"Scan", "Seek", "UnmarshalJSON", "UnmarshalXML", "UnreadByte", "UnreadRune", "WriteByte", "WriteTo",
}

// nodeMethods returns the names that the method for a child cannot have: the field and the methods
// of [ast.Node], and what go vet refuses.
func nodeMethods() map[string]bool {
	taken := map[string]bool{"Node": true}
	for _, name := range vettedMethods {
		taken[name] = true
	}
	t := reflect.TypeFor[ast.Node]()
	for i := range t.NumMethod() {
		taken[t.Method(i).Name] = true
	}
	return taken
}

// withArticle returns a name in Go with "a" or "an" before it.
func withArticle(name string) string {
	if strings.ContainsAny(name[:1], "AEIOU") {
		return "an " + name
	}
	return "a " + name
}
