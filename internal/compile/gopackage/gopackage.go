// Package gopackage writes the Go package of a grammar: the parser, a constant and a type for each production, the tables
// that explain rejections, a test. [Make] is what bnfcheck generate calls, and what go generate calls for the packages
// under gen.
//
// Before it returns a file, it proves that the parser accepts exactly the strings that each production derives.
package gopackage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Format is the number of what is written. It is in every package, and rises when another generator would write another
// package of the same grammar.
const Format = 3

// A package has a constant of the library in it that only libraries of its format have: one that is older than its library does not
// compile, and the constant's name says what to do.
const _ = ast.RunGoGenerateToLeaveFormat3

// changes lists what the packages of each format have that those of the format before it do not have.
var changes = map[int]string{
	1: "a record of how it was made",
	2: "packed tables, which are made deterministic as they are used, and an example",
	3: "trees with each node that derives the empty string, in its test more strings of what the general parser derives, and a library that it is held to",
}

// Upgrade returns a sentence on what to do with a package of another format, or "" for one of this format.
func (r Record) Upgrade() string {
	if r.Format > Format {
		return fmt.Sprintf("made by format %d of the generator, which this program, of format %d, does not know: install a newer bnfcheck", r.Format, Format)
	}
	var list []string
	for f := r.Format + 1; f <= Format; f++ {
		list = append(list, fmt.Sprintf("format %d has %s", f, changes[f]))
	}
	if len(list) == 0 {
		return ""
	}
	defect := ""
	if r.Format < 3 && r.Inside {
		defect = ", which had a defect: with the library of its time, its trees may lack nodes of productions that derive the empty string"
	}
	return fmt.Sprintf("made by format %d of the generator%s; %s: run go generate, or in its folder bnfcheck generate %s", r.Format, defect, strings.Join(list, ", "), strings.Join(r.Args, " "))
}

// A Source is what a package is made of.
type Source struct {
	Package string        // its name
	Grammar *expr.Grammar // unordered, under the readings that are on
	PEG     *expr.Grammar // the rules that the parser is made of, by the IDs of their productions; nil: it is made of Grammar

	// Start is the production that Parse derives; the package then has this one and those that it uses. "" stands for the
	// first that is a choice among schemes or, where there is none, that no other uses; the package then has all.
	Start string

	// Nodes are the productions that are nodes: see [Source.chooseNodes].
	Nodes []string

	// Nesting is how deep a recursion that nests is proven, if that is deeper than the default.
	Nesting int

	Readings    []bnf.Reading // that are on
	Lock        []byte        // the lock file that the folder has, if there is one
	LockFile    string        // its name in messages
	Inputs      []Input
	Imported    []Input  // that the first takes productions from
	Args        []string // the arguments of bnfcheck generate that make the package, with paths relative to its folder
	Assumptions []string // what the proof rests on

	// Plain is for the packages of this module: the tables that explain rejections are data that is read as it stands, and is much
	// longer, and there is no test file, since tests of the module hold all of its parsers.
	Plain bool

	// MaxGo is how many bytes of Go the package may have, its test apart; 0 stands for DefaultMaxGo.
	MaxGo int

	// Defect is told of each self-check that failed: what it was, what was made instead, and where to report it. It may be nil.
	Defect func(line string)

	// Unproven leaves out the comparison of the PEG with the grammar, for tests with PEGs that transcribe nothing.
	Unproven bool
}

// An Input is a file that a package is made of.
type Input struct {
	Path string // relative to the folder of the package, with slashes
	Text []byte
}

// DefaultMaxGo is how many bytes of Go a package may have if nothing else is asked for.
const DefaultMaxGo = 1 << 20

// A File is a file of the package.
type File struct {
	Name string
	Text []byte
}

// TablesName is the file with the tables that explain rejections.
const TablesName = "tables.go"

const testName = "generated_test.go"

// Files are the names of all that [Make] returns, in its order.
var Files = []string{"grammar.go", "nodes.go", TablesName, "fast.go", testName, LockName}

// Make returns the files of the package. They depend on the source alone. The error is an [*expr.Error], several joined, or
// one about an option.
func Make(src Source) (files []File, err error) {
	defer func() { err = placed(src.Grammar, err) }()
	defer budget.Catch(&err)
	src.MaxGo = cmp.Or(src.MaxGo, DefaultMaxGo)
	if !token.IsIdentifier(src.Package) || src.Package == "main" || src.Package == "_" || strings.HasSuffix(src.Package, "_test") {
		return nil, fmt.Errorf("%q cannot be the name of a package that is imported", src.Package)
	}
	p, err := load(src)
	if err != nil {
		return nil, err
	}
	files, err = p.files()
	if p.large && p.peg == nil { // code takes more than the tables of the general parser
		if p, err = load(src); err == nil {
			p.alone = true
			files, err = p.files()
		}
	}
	return files, err
}

// files is [Make].
func (p *writer) files() (files []File, err error) {
	size := 0
	for _, f := range []struct {
		name string
		make func() ([]byte, error)
	}{
		{"nodes.go", p.nodesFile}, // first, since what has very many productions takes long to be refused for another reason
		{"fast.go", p.parser},
		{TablesName, p.tables},
		{LockName, p.lockFile},
		{"grammar.go", p.grammarFile},
		{testName, p.testFile},
	} {
		if f.name == LockName && p.PEG != nil || f.name == testName && p.Plain { // the PEG decides
			continue
		}
		text, err := f.make()
		if errors.Is(err, pegtogo.ErrLong) {
			err = p.fits(math.MaxInt, files)
		}
		counts := strings.HasSuffix(f.name, ".go") && f.name != testName
		if err == nil && counts { // what is too much takes long to format
			err = p.fits((size+len(text))/2, files)
		}
		if err == nil && path.Ext(f.name) == ".go" && f.name != "fast.go" { // which is as gofmt leaves it
			if text, err = pegtogo.Format(text); err != nil {
				err = expr.Errorf(expr.Pos{File: p.bnf.File}, "the generated %s is not Go: %v", f.name, err)
			}
		}
		if err != nil {
			return nil, err
		}
		if files = append(files, File{f.name, text}); counts {
			size += len(text)
		}
	}
	if err := p.fits(size, files); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return slices.Index(Files, a.Name) - slices.Index(Files, b.Name) })
	return files, nil
}

// fits returns an error if the package is to have more bytes of Go than it may. That of another parser may have less, if there are other
// files by then.
func (p *writer) fits(size int, files []File) error {
	if size > p.MaxGo {
		p.large = len(files) > 0
		return expr.Refusef(p.first.Pos, "the package of `%s` takes more than %d KB of Go; take a rule that uses less, leave out nodes, or raise --limit-go",
			p.first.Name, p.MaxGo>>10)
	}
	return nil
}

// placed returns the error of a passed limit with the place of its production.
func placed(g *expr.Grammar, err error) error {
	large, ok := errors.AsType[*budget.Exceeded](err)
	if !ok || large.Limit == budget.Time {
		return err
	}
	for _, r := range g.Rules {
		if r.Name == large.Production || r.ID == large.Production || r.Label() == large.Production {
			return expr.Refusef(r.Pos, "%v", large)
		}
	}
	return err
}

// A writer is a package in the making.
type writer struct {
	Source
	bnf     *expr.Grammar // what the package has of the grammar
	peg     *expr.Grammar // under the BNF's IDs
	first   *expr.Rule    // the default start
	node    map[string]bool
	titles  map[string]string // by production: its name in Go
	nested  bool              // a production embeds itself, so that a network explains rejections and not an automaton
	deep    bool              // the parser has a depth limit
	general bool              // the general parser derives some productions
	alone   bool              // it derives all of them
	large   bool              // the package is too large
	proven  []string          // what was proven, in sentences without a full stop

	certificate string               // its hash, if the package is made of a PEG
	languages   map[string]*lang.DFA // by production: what its code was executed on

	ambiguities []bnftogo.Ambiguity
	tried       map[string][]string // by production: words that the general parser was checked on, and derives
	switched    []bnf.Reading       // entries of the lock file that are on
}

// Args returns the arguments of bnfcheck generate, run in the folder of the package, that make the source: the grammar with its
// start, the PEG, and options. More are options that the grammar was read with.
func Args(src Source, folder string, more ...string) []string {
	var args, ledger []string
	for i, in := range src.Inputs {
		switch ext := path.Ext(in.Path); {
		case i == 0 && src.Start != "":
			args = append(args, in.Path+"#"+src.Start)
		case ext == ".readings":
			ledger = []string{"--readings", in.Path}
		default: // the grammar, or the PEG
			args = append(args, in.Path)
		}
	}
	args = append(args, ledger...)
	if len(src.Nodes) > 0 {
		args = append(args, "--nodes", strings.Join(src.Nodes, ","))
	}
	if src.Nesting != 0 {
		args = append(args, "--nesting", strconv.Itoa(src.Nesting))
	}
	args = append(args, more...)
	return append(args, "--package", src.Package, "-o", folder)
}

// load decides what is in the package.
func load(src Source) (*writer, error) {
	p := &writer{Source: src, bnf: src.Grammar, node: map[string]bool{}}
	if len(p.bnf.Rules) == 0 {
		return nil, expr.Errorf(expr.Pos{File: p.bnf.File}, "no production")
	}
	if src.Start != "" {
		start, err := src.Grammar.Lookup(src.Start)
		if err != nil {
			return nil, err
		}
		if p.bnf, err = reached(src.Grammar, start.ID); err != nil {
			return nil, err
		}
		p.first = start
	} else {
		if err := bnf.CheckMissing(src.Grammar); err != nil {
			return nil, err
		}
		p.first = p.start()
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	p.titles = pegtogo.Titles(expr.IDs(p.bnf.Rules))
	return p, nil
}

// reached returns the part of g that the production start needs. The error is a [*bnf.MissingError].
func reached(g *expr.Grammar, start string) (*expr.Grammar, error) {
	if err := bnf.CheckMissing(g, start); err != nil {
		return nil, err
	}
	return g.Part(start), nil
}

// start returns the production that Parse derives where none is named.
func (p *writer) start() *expr.Rule {
	variants, used := annotated.AllVariants(p.bnf), p.bnf.UsedByOthers()
	if i := slices.IndexFunc(p.bnf.Rules, func(r *expr.Rule) bool { return len(variants(r.ID)) > 1 }); i >= 0 {
		return p.bnf.Rules[i]
	}
	return p.bnf.Rules[max(0, slices.IndexFunc(p.bnf.Rules, func(r *expr.Rule) bool { return !used[r.ID] }))]
}

// schemes returns the productions of the schemes: the alternatives of the first production that is a choice among schemes
// and uses no other such. A grammar need not have any.
func (p *writer) schemes() []annotated.Variant {
	variants := annotated.AllVariants(p.bnf)
	for _, r := range p.bnf.Rules {
		all := variants(r.ID)
		if len(all) > 1 && !slices.ContainsFunc(p.bnf.Reach(r.ID)[1:], func(id string) bool {
			return p.bnf.Rule(id) != nil && len(variants(id)) > 1
		}) {
			return slices.DeleteFunc(all, func(v annotated.Variant) bool { return v.Prefix == "" })
		}
	}
	return nil
}

// kind returns the name of a production's constant, and title that of its type.
func (p *writer) kind(id string) string  { return "Kind" + p.titles[id] }
func (p *writer) title(id string) string { return p.titles[id] }

func (p *writer) lexical(id string) bool { return !p.node[id] }

// header begins every file.
func (p *writer) header(b *bytes.Buffer) {
	fmt.Fprintf(b, "// Code generated by bnfcheck generate from %s; DO NOT EDIT.\n\n", p.origin())
}

// oneLine returns a text without what would end or break a line.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
}

// origin is the grammar's file, as the header names it.
func (p *writer) origin() string {
	if len(p.Inputs) > 0 {
		return path.Base(p.Inputs[0].Path)
	}
	return filepath.Base(p.bnf.File)
}

// record is what grammar.go and the lock file say of how the package was made.
func (p *writer) record() string {
	var b strings.Builder
	fmt.Fprintf(&b, "//bnfcheck:format %d\n", Format)
	fmt.Fprintf(&b, "//bnfcheck:generate%s\n", quoteArgs(p.Args))
	for _, in := range slices.Concat(p.Inputs, p.Imported) {
		fmt.Fprintf(&b, "//bnfcheck:input %s sha256 %s\n", quoteArg(in.Path), Sum(in.Text))
	}
	if p.certificate != "" {
		fmt.Fprintf(&b, "//bnfcheck:certificate sha256 %s\n", p.certificate)
	}
	for _, line := range p.proven {
		fmt.Fprintf(&b, "//bnfcheck:proven %s\n", oneLine(line))
	}
	for _, line := range p.Assumptions {
		fmt.Fprintf(&b, "//bnfcheck:assumed %s\n", oneLine(line))
	}
	return b.String()
}

// place returns where a production is printed.
func (p *writer) place(r *expr.Rule) string {
	switch {
	case r.Page > 0 || r.Line > 0:
		return r.Place(p.bnf.Title)
	case bnf.IsCore(r):
		return r.Section
	}
	return fmt.Sprintf("%s line %d", path.Base(filepath.ToSlash(r.Pos.File)), r.Pos.Line)
}

// cite returns a printed production in one line, with a sign between its name and its text in every notation, and the
// place where it is printed.
func (p *writer) cite(r *expr.Rule) string {
	line := strings.TrimSpace(r.Name + " = " + bnf.RightSide(p.bnf.Notation, r.Name, r.Printed))
	return strings.ToValidUTF8(fmt.Sprintf("%s   (%s)", line, p.place(r)), "\ufffd")
}
