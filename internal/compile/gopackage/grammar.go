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
)

// grammarFile returns the file with the grammar value, its constants and the front door.
func (p *writer) grammarFile() ([]byte, error) {
	var b bytes.Buffer
	p.header(&b)
	fmt.Fprintf(&b, `%s
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
`, p.record(), p.Package, p.bnf.Title, p.first.Name, p.kind(p.first.ID))
	if !p.lexical(p.first.ID) {
		fmt.Fprintf(&b, "// Each node has a type with methods for its children: %[1]s(tree.Root()) is a [%[2]s].\n", "As"+p.title(p.first.ID), p.title(p.first.ID))
	}
	b.WriteString("//\n// The package imports the standard library and package ast, nothing else.\n//\n" + p.companion())
	fmt.Fprintf(&b, `package %[1]s

import "github.com/bnfcheck/bnfcheck/ast"

// The library has this constant as long as it is of the format of this package. If it is undefined, the package is older than the
// library: run go generate.
const _ = ast.RunGoGenerateToLeaveFormat3

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

`, p.Package, p.first.Name, p.kind(p.first.ID))

	fmt.Fprintf(&b, "// The productions of %s, in the order of its text.\nconst (\n", p.bnf.Title)
	part := ""
	for i, r := range p.bnf.Rules {
		if r.Part != part {
			part = r.Part
			fmt.Fprintf(&b, "\n// %s\n\n", r.Section)
		}
		fmt.Fprintf(&b, "// %s\n%s", p.cite(r), p.kind(r.ID))
		if i == 0 {
			b.WriteString(" ast.Kind = iota + 1")
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n\n")

	fmt.Fprintf(&b, "// Grammar is the grammar of %s. It must not be changed.\nvar Grammar = &ast.Grammar{\n", p.bnf.Title)
	if p.bnf.CodePoints {
		b.WriteString("CodePoints: true,\n")
	}
	fmt.Fprintf(&b, "Name: %q,\nTitle: %q,\nProductions: []ast.Production{\n{},\n", p.Package, p.bnf.Title)
	for _, r := range p.bnf.Rules {
		fmt.Fprintf(&b, "%s: {ID: %q, Name: %q", p.kind(r.ID), r.ID, r.Name)
		if r.Part != "" {
			fmt.Fprintf(&b, ", Part: %q", r.Part)
		}
		if r.Section != "" {
			fmt.Fprintf(&b, ", Section: %q", r.Section)
		}
		if r.Page > 0 {
			fmt.Fprintf(&b, ", Page: %d", r.Page)
		}
		switch {
		case r.Line > 0:
			fmt.Fprintf(&b, ", Line: %d", r.Line)
		case r.Page == 0 && r.Section == "":
			fmt.Fprintf(&b, ", File: %q, Line: %d", path.Base(filepath.ToSlash(r.Pos.File)), r.Pos.Line)
		}
		if p.lexical(r.ID) {
			b.WriteString(", Lexical: true")
		}
		fmt.Fprintf(&b, ", Printed: %q},\n", r.Printed)
	}
	fmt.Fprintf(&b, "},\nDefault: %s,\n", p.kind(p.first.ID))
	if schemes := p.schemes(); len(schemes) > 0 {
		b.WriteString("Schemes: []ast.Scheme{\n")
		for _, v := range schemes {
			fmt.Fprintf(&b, "{Name: %q, Kind: %s},\n", strings.TrimSuffix(v.Prefix, ":"), p.kind(v.Explained))
		}
		b.WriteString("},\n")
	}
	if id := annotated.Generic(p.bnf, p.first.ID); id != "" {
		fmt.Fprintf(&b, "Generic: %s,\n", p.kind(id))
	}
	if p.nested {
		b.WriteString("Network: &network,\n")
	} else {
		b.WriteString("Tables: &tables,\n")
	}
	b.WriteString("Parse: parse,\nAccept: accept,\n")
	if p.deep {
		b.WriteString("Depth: depth,\nTooDeep: tooDeep,\n")
	}
	if p.general {
		b.WriteString("TooLarge: general.TooLarge,\n")
	}
	b.WriteString("}\n")
	if p.general {
		checked := interpreter.CheckedBy(p.bnf, interpreter.Named(p.bnf, func(id string) bool { return p.node[id] }))
		fmt.Fprintf(&b, "\n// NewChecker returns a checker of trees that shares nothing with the parser. With its Check as that of a [Parser], every tree is checked\n// to be a derivation.\n"+
			"func NewChecker() (*ast.Checker, error) { return ast.NewChecker(checked) }\n\nconst checked = `%s`\n", checked)
	}
	return b.Bytes(), nil
}

// companion returns the part of the package comment that complements the text: the productions of the schemes, the lexical
// ones, the readings of ambiguous places, and what was proven.
func (p *writer) companion() string {
	var b strings.Builder
	schemes := p.schemes()
	if len(schemes) > 0 {
		b.WriteString("// The schemes and their productions:\n//\n")
	}
	for _, v := range schemes {
		fmt.Fprintf(&b, "//   - %s [%s]\n", v.Prefix, p.kind(v.Explained))
	}
	var lexical []string
	for _, r := range p.bnf.Rules {
		if p.lexical(r.ID) {
			lexical = append(lexical, "["+p.kind(r.ID)+"]")
		}
	}
	if len(lexical) > 0 {
		b.WriteString("//\n// These productions are lexical. They are nodes only as the root of a tree:\n//\n")
		comment(&b, strings.Join(lexical, ", "))
	}
	if len(p.Readings) > 0 {
		b.WriteString("//\n// Where the text has several readings, or none, this is how it is read:\n//\n")
	}
	for _, r := range p.Readings {
		comment(&b, r.ID+": "+r.ReadAs)
	}
	if len(p.proven)+len(p.Assumptions) > 0 {
		b.WriteString("//\n// Proven when the package was written:\n//\n")
	}
	for _, line := range p.proven {
		comment(&b, line)
	}
	for _, line := range p.Assumptions {
		comment(&b, "assumed: "+line)
	}
	return b.String()
}

// comment writes text as an item of a list in a comment.
func comment(b *strings.Builder, text string) {
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

// nodesFile returns the file with a type for each node.
func (p *writer) nodesFile() ([]byte, error) {
	var b, types bytes.Buffer
	repeated := false
	for _, r := range p.bnf.Rules {
		if p.lexical(r.ID) {
			continue
		}
		name := p.title(r.ID)
		fmt.Fprintf(&types, "\n// %s is a node of this production, or the zero Node:\n//\n//\t%s\ntype %[1]s struct{ ast.Node }\n\n", name, p.cite(r))
		fmt.Fprintf(&types, "// As%[1]s returns n as %[2]s. It is the zero %[1]s if n is no such node.\nfunc As%[1]s(n ast.Node) %[1]s {\nif n.Kind() != %[3]s {\nreturn %[1]s{}\n}\nreturn %[1]s{n}\n}\n",
			name, article(name), p.kind(r.ID))
		taken := nodeMethods()
		for _, c := range p.shape(r) {
			if c.max == 0 || p.lexical(c.id) {
				continue
			}
			of := p.title(c.id)
			method := of
			for taken[method] {
				method += "Node"
			}
			taken[method] = true
			printed := p.bnf.Rule(c.id).Name
			switch {
			case c.max == many:
				repeated = true
				fmt.Fprintf(&types, "\n// %s returns an iterator over the children of the production %s, in order.\nfunc (n %s) %[1]s() iter.Seq[%[4]s] {\nreturn func(yield func(%[4]s) bool) {\nfor c := range n.Children() {\nif c.Kind() == %[5]s && !yield(%[4]s{c}) {\nreturn\n}\n}\n}\n}\n",
					method, printed, name, of, p.kind(c.id))
			case c.min == 1:
				fmt.Fprintf(&types, "\n// %s returns the child of the production %s.\n", method, printed)
			default:
				fmt.Fprintf(&types, "\n// %s returns the child of the production %s, or the zero %s where it is absent.\n", method, printed, of)
			}
			if c.max < many {
				fmt.Fprintf(&types, "func (n %s) %s() %s {\nc, _ := n.Child(%s)\nreturn %[3]s{c}\n}\n", name, method, of, p.kind(c.id))
			}
		}
	}
	p.header(&b)
	fmt.Fprintf(&b, "package %s\n", p.Package)
	if types.Len() > 0 {
		b.WriteString("\nimport (\n")
		if repeated {
			b.WriteString("\"iter\"\n\n")
		}
		b.WriteString("\"github.com/bnfcheck/bnfcheck/ast\"\n)\n")
		b.WriteString("\n// Each type below is a small value around a node. The methods of the zero value return zero values, so that a chain of\n// them needs no check on its way: IsZero reports whether there is a node at its end.\n")
	}
	types.WriteTo(&b)
	return b.Bytes(), nil
}

// nodeMethods returns the names that a type around a node has already.
func nodeMethods() map[string]bool {
	taken := map[string]bool{"Node": true}
	t := reflect.TypeFor[ast.Node]()
	for i := range t.NumMethod() {
		taken[t.Method(i).Name] = true
	}
	return taken
}

func article(name string) string {
	if strings.ContainsAny(name[:1], "AEIOU") {
		return "an " + name
	}
	return "a " + name
}
