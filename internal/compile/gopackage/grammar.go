package gopackage

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
)

// This file makes grammar.go and nodes.go. Their text is written as it comes out of templates,
// without regard to layout: makeFiles formats it.

// makeGrammarFile returns grammar.go: the package comment, the functions that a user calls, the constants of
// the productions and the grammar value. It uses what the other steps have set, so it runs after them. The
// caller formats the text. The error is always nil.
func (p *writer) makeGrammarFile() ([]byte, error) {
	var b bytes.Buffer
	p.writeHeader(&b)
	p.writeFrontDoor(&b)
	p.writeConstants(&b)
	p.writeGrammarValue(&b)
	if p.usesGeneral {
		writeNewChecker(&b)
	}
	return b.Bytes(), nil
}

// limitsComment returns the lines of the package comment on inputs that are refused although the grammar
// derives them. It returns "" if only their length is limited.
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

// writeFrontDoor writes the record, the package comment and the functions that a user calls. What was proven must be
// known by then: see packageNotes.
func (p *writer) writeFrontDoor(b *bytes.Buffer) {
	fmt.Fprintf(b, `%s
// Package %s parses what %s derives. [Parse] accepts exactly the strings that the production %[4]s derives%[6]s:
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
`, p.recordLines(), p.Package, p.bnf.Title, p.start.Name, p.kindName(p.start.ID), p.butForScanners())
	if !p.isLexical(p.start.ID) {
		fmt.Fprintf(b, "// Each node has a type with methods for its children: As%[1]s(tree.Root()) "+
			"has the type [%[1]s].\n",
			p.typeName(p.start.ID))
	}
	b.WriteString(p.limitsComment() + p.scannersComment())
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

// Accepts reports whether the production %[2]s derives s. It builds no tree and, after the first few calls, does not
// allocate. An s longer than [DefaultMaxLength] is not accepted.
func Accepts(s string) bool { return AcceptsAs(%[3]s, s) }

// ParseAs is [Parse] for any production: start is one of the constants of this package. 
func ParseAs(start ast.Kind, s string) (*ast.Tree, error) { return Grammar.ParseAs(start, s) }

// AcceptsAs is [Accepts] for any production: start is one of the constants of this package.
func AcceptsAs(start ast.Kind, s string) bool { return len(s) <= DefaultMaxLength && accept(start, s) }

// ParsePrefix returns the tree of the longest prefix of s that the production %[2]s derives, and its length: see
// [ast.Grammar.ParsePrefix].
func ParsePrefix(s string) (tree *ast.Tree, n int, err error) {
	return Grammar.ParsePrefix(%[3]s, s)
}

// A Parser parses with options, and without allocating after the first few strings. See [ast.Parser].
type Parser = ast.Parser

// NewParser returns a new parser with the default options.
func NewParser() *Parser { return Grammar.NewParser() }

`, p.Package, p.start.Name, p.kindName(p.start.ID))
}

// writeConstants writes a constant for each production, under the sections of the text. Those without a type have
// their production as a comment; in a plain package all have.
func (p *writer) writeConstants(b *bytes.Buffer) {
	fmt.Fprintf(b, "// The productions of %s, in the order of its text.\nconst (\n", p.bnf.Title)
	part := ""
	for i, r := range p.bnf.Rules {
		if r.Part != part {
			part = r.Part
			fmt.Fprintf(b, "\n// %s\n\n", r.Section)
		}
		if p.Plain || p.isLexical(r.ID) { // another one has a type, which has this line
			fmt.Fprintf(b, "// %s\n", p.citeLine(r))
		}
		b.WriteString(p.kindName(r.ID))
		if i == 0 {
			b.WriteString(" ast.Kind = iota + 1")
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n\n")
}

// writeGrammarValue writes the variable Grammar. Fields that would be zero are left out.
func (p *writer) writeGrammarValue(b *bytes.Buffer) {
	fmt.Fprintf(b, "// Grammar is the grammar of %s. It must not be changed.\nvar Grammar = &ast.Grammar{\n",
		p.bnf.Title)
	if p.bnf.CodePoints {
		b.WriteString("CodePoints: true,\n")
	}
	fmt.Fprintf(b, "Name: %q,\nTitle: %q,\n", p.Package, p.bnf.Title)
	p.writeProductions(b)
	fmt.Fprintf(b, "Default: %s,\n", p.kindName(p.start.ID))
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

// writeProductions writes the fields Productions and Rules of the grammar value. The printed text of the productions is
// packed with the rules; in a plain package it is readable, and only the rules are packed.
func (p *writer) writeProductions(b *bytes.Buffer) {
	if !p.Plain {
		b.WriteString("Productions: ast.ReadProductions(" + p.productionTable() + "),\n")
		b.WriteString("Rules: " + pegtogo.Packed(p.packRules()))
		return
	}
	b.WriteString("Productions: []ast.Production{\n{},\n") // element 0 is no production: kinds count from 1
	for i, r := range p.bnf.Rules {
		q := p.production(i)
		fmt.Fprintf(b, "%s: {ID: %q, Name: %q", p.kindName(r.ID), q.ID, q.Name)
		if q.Part != "" {
			fmt.Fprintf(b, ", Part: %q", q.Part)
		}
		if q.Section != "" {
			fmt.Fprintf(b, ", Section: %q", q.Section)
		}
		if q.Page > 0 {
			fmt.Fprintf(b, ", Page: %d", q.Page)
		}
		if q.File != "" {
			fmt.Fprintf(b, ", File: %q", q.File)
		}
		if q.Line > 0 {
			fmt.Fprintf(b, ", Line: %d", q.Line)
		}
		if q.Lexical {
			b.WriteString(", Lexical: true")
		}
		fmt.Fprintf(b, ", Printed: %q},\n", q.Printed)
	}
	b.WriteString("},\nRules: " + pegtogo.Packed(p.packRules()))
}

// production returns the description of p.bnf.Rules[i], whose kind is i+1. It has the place in the text or,
// if there is none, the name of the grammar's file and the line there.
func (p *writer) production(i int) ast.Production {
	r := p.bnf.Rules[i]
	q := ast.Production{
		ID:      r.ID,
		Name:    r.Name,
		Part:    r.Part,
		Section: r.Section,
		Page:    max(r.Page, 0),
		Line:    max(r.Line, 0),
		Printed: r.Printed,
		Lexical: p.isLexical(r.ID),
	}
	if r.Line <= 0 && r.Page == 0 && r.Section == "" {
		q.File = path.Base(filepath.ToSlash(r.Pos.File))
		q.Line = r.Pos.Line
	}
	return q
}

// productionTable returns the productions in the form that [ast.ReadProductions] reads, as a string of Go: an empty
// line, and one for each production, with tabs between its fields, and without empty fields at its end. A section or
// file that repeats the line above is [ast.Ditto], and a name that is the ID is empty.
func (p *writer) productionTable() string {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	ditto := func(s string, above *string) string {
		if s == *above && s != "" {
			return ast.Ditto
		}
		*above = s
		return s
	}
	var b strings.Builder
	section, file := "", ""
	for i := range p.bnf.Rules {
		q := p.production(i)
		name, lexical := q.Name, ""
		if name == q.ID {
			name = ""
		}
		if q.Lexical {
			lexical = "lexical"
		}
		fields := []string{
			q.ID, ditto(q.Section, &section), number(q.Page), number(q.Line),
			lexical, name, ditto(q.File, &file), q.Part,
		}
		b.WriteString(strings.TrimRight(strings.Join(fields, "\t"), "\t") + "\n")
	}
	if text := b.String(); !strings.ContainsAny(text, "`\r") && utf8.ValidString(text) { // what a raw string can hold
		return "`\n" + text + "`"
	}
	return strconv.Quote("\n" + b.String())
}

// writeNewChecker writes the function NewChecker, for packages with the general parser: nothing is proven
// about that, so a user can have its trees checked.
func writeNewChecker(b *bytes.Buffer) {
	b.WriteString("\n// NewChecker returns a checker of trees that shares nothing with the parser. " +
		"With its Check as that of a [Parser], every tree is checked\n// to be a derivation.\n" +
		"func NewChecker() (*ast.Checker, error) { return Grammar.NewChecker() }\n")
}

// packageNotes returns the part of the package comment on this grammar: the productions of the
// schemes, the lexical productions, the readings of ambiguous places, and what was proven.
func (p *writer) packageNotes() string {
	// Each list has its head only if it has items: a head alone would read as a statement about the grammar.
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
