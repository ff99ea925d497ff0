// Package gopackage writes the Go package of a grammar: the parser, a constant and a type for each
// production, the tables that explain rejections, a test. [Make] is what bnfcheck generate calls,
// and what go generate calls for the packages under gen.
//
// Before it returns a file, it proves that the parser accepts exactly the strings that each
// production derives: with package bnftogo where the package is made of a grammar alone, and by
// comparing automata where a PEG transcribes it.
//
// A [writer] makes one package. Its steps depend on each other, and [writer.makeFiles] has their
// order: the parser first, which decides what the other files say about it.
package gopackage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
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
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogo"
	"github.com/bnfcheck/bnfcheck/internal/compile/pegtogo"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Format is the number of the format of generated packages, which every package contains. It rises when
// another generator would write another package for the same grammar.
const Format = 4

// The library has this constant only as long as it is of this format, and so does every package:
// one that is older than its library does not compile, and the constant's name says what to do.
const _ = ast.RunGoGenerateToLeaveFormat4

// changes lists what each format has added to the one before.
var changes = map[int]string{
	1: "a record of how it was made",
	2: "packed tables, which are made deterministic as they are used, and an example",
	3: "trees with each node that derives the empty string, in its test more strings of what the " +
		"general parser derives, and a library that it is held to",
	4: "limits on what an input may take that each parser sets itself, what nests ten times as deep, " +
		"rejections that the general parser explains, types of nodes around ast.Typed, which know the " +
		"alternative that was taken, and half as much Go",
}

// Upgrade returns a clause on the format of a Go package and what to do about it, or "" for one of the current format.
// For a package in another language, which has formats of its own, it means nothing.
func (r Record) Upgrade() string {
	if r.Format > Format {
		return fmt.Sprintf("made by format %d of the generator, which this program, of format %d, does "+
			"not know: install a newer bnfcheck", r.Format, Format)
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
		defect = ", which had a defect: with the library of its time, its trees may lack nodes of " +
			"productions that derive the empty string"
	}
	return fmt.Sprintf("made by format %d of the generator%s; %s: run go generate, or in its folder "+
		"%s", r.Format, defect, strings.Join(list, ", "), r.Command())
}

// Command returns the command that makes the package again, for a shell in its folder.
func (r Record) Command() string { return "bnfcheck generate " + quote.ShellWords(r.Args) }

// A Source has everything that decides the contents of a package.
type Source struct {
	Package string        // its name
	Grammar *expr.Grammar // unordered, under the readings that are on
	PEG     *expr.Grammar // the rules of the parser, by the IDs of their productions; nil: Grammar alone

	// Start is the production that Parse derives; the package then has this one and those that it
	// uses. "" stands for the one that [writer.defaultStart] finds; the package then has all.
	Start string

	// Nodes are the productions that are nodes: see [writer.chooseNodes].
	Nodes []string

	// Scan names the productions with scanners: see scan.go.
	Scan []string

	// Nesting is the depth to which recursion that nests is proven, if it is greater than the
	// default.
	Nesting int

	// Expression is the operand of a package that is made of a regular expression, FLAVOR:TEXT or
	// FLAVOR:@FILE, with a path relative to the package's folder; "" for other grammars. Then Inputs
	// has no grammar.
	Expression string

	Readings    []bnf.Reading // those of the ledger that are on
	Lock        []byte        // the lock file that the folder has, if there is one
	LockFile    string        // its name in messages
	Inputs      []Input
	Imported    []Input  // those that the first takes productions from, or that of the expression
	Args        []string // of bnfcheck generate, with paths relative to the package's folder
	Assumptions []string // those that the proof rests on

	// Plain is for the packages of this module: the tables that explain rejections are readable
	// Go, which is much longer, and there is no test file, since the module's own tests cover its
	// parsers.
	Plain bool

	// MaxGo caps the bytes of Go in the package without its test; 0 stands for DefaultMaxGo.
	MaxGo int

	// Defect is called for each self-check that failed, with a line on what failed, what was made
	// instead, and where to report it. It may be nil.
	Defect func(line string)

	// Unproven leaves out the comparison of the PEG with the grammar. It is for tests with PEGs
	// that transcribe nothing.
	Unproven bool
}

// An Input is a file that a package is made of.
type Input struct {
	Path string // relative to the folder of the package, with slashes
	Text []byte
}

// DefaultMaxGo caps the bytes of Go in a package if nothing else is asked for.
const DefaultMaxGo = 1 << 20

// A File is a file of the package.
type File struct {
	Name string
	Text []byte
}

// TablesName is the file with the tables that explain rejections.
const TablesName = "tables.go"

const testName = "generated_test.go"

// Files has the names of all files that [Make] can return, in its order.
var Files = []string{"grammar.go", "nodes.go", TablesName, "fast.go", testName, LockName}

// Make returns the files of the package, which depend on the source alone. If code makes a package without a PEG too
// large, all is made again with the general parser for all productions; src.Defect may then be called again. Make
// fails with an [*expr.Error], with several joined, with an error about an option or the name of the package, or with
// a [*budget.Exceeded] if a limit of src.Grammar.Budget is passed.
func Make(src Source) (files []File, err error) {
	defer func() { err = addPlace(src.Grammar, err) }()
	defer budget.Catch(&err)
	src.MaxGo = cmp.Or(src.MaxGo, DefaultMaxGo)
	if !canBeImported(src.Package) {
		return nil, fmt.Errorf("%q cannot be the name of a package that is imported", src.Package)
	}
	p, err := newWriter(src)
	if err != nil {
		return nil, err
	}
	files, err = p.makeFiles()
	// Code takes more room than the tables of the general parser, so try again with these alone.
	if p.tooLarge && p.peg == nil {
		p, err = newWriter(src)
		if err == nil {
			p.generalOnly = true
			files, err = p.makeFiles()
		}
	}
	return files, err
}

// canBeImported reports whether a package of this name can be imported.
func canBeImported(name string) bool {
	return token.IsIdentifier(name) && name != "main" && name != "_" &&
		!strings.HasSuffix(name, "_test")
}

// makeFiles returns the files in the order of [Files]: no lock file with a PEG, and no test if p.Plain is set. It sets
// all fields of p that the steps share. It fails where a step does, for text that is not Go, and if the files have
// more than p.MaxGo bytes of Go; it then sets p.tooLarge if another parser may be smaller: see checkSize.
func (p *writer) makeFiles() (files []File, err error) {
	size := 0 // bytes of Go so far
	for _, f := range []struct {
		name string
		make func() ([]byte, error)
	}{
		// nodes.go is quick, and makes the package too large where there are very many
		// productions.
		{"nodes.go", p.makeNodesFile},
		// The parser sets what the files after it need.
		{"fast.go", p.makeParserFile},
		{TablesName, p.makeTablesFile},
		{LockName, p.makeLockFile},
		{"grammar.go", p.makeGrammarFile},
		{testName, p.makeTestFile},
	} {
		if f.name == LockName && p.PEG != nil { // the PEG decides, and leaves no choice
			continue
		}
		if f.name == testName && p.Plain {
			continue
		}
		text, err := f.make()
		if errors.Is(err, pegtogo.ErrLong) { // larger than any limit
			err = p.checkSize(math.MaxInt, files)
		}
		isGo := strings.HasSuffix(f.name, ".go")
		counts := isGo && f.name != testName // users do not compile the test
		if err == nil && counts {
			// Far too much text takes long to format. Formatting can shorten it, so half of all is
			// counted for now.
			err = p.checkSize((size+len(text))/2, files)
		}
		if err == nil && isGo && f.name != "fast.go" { // package pegtogo has formatted that one
			text, err = format.Source(text)
			if err != nil {
				at := expr.Pos{File: p.bnf.File}
				err = expr.Errorf(at, "the generated %s is not Go: %v", f.name, err)
			}
		}
		if err != nil {
			return nil, err
		}
		files = append(files, File{f.name, text})
		if counts {
			size += len(text)
		}
	}
	if err := p.checkSize(size, files); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int {
		return slices.Index(Files, a.Name) - slices.Index(Files, b.Name)
	})
	return files, nil
}

// checkSize returns an error if size is more than the bytes of Go that the package may have. It
// then sets p.tooLarge if some files were made: the parser may be what is too large, and another
// parser smaller. If nodes.go alone is too large, no parser helps.
func (p *writer) checkSize(size int, files []File) error {
	if size <= p.MaxGo {
		return nil
	}
	p.tooLarge = len(files) > 0
	return expr.Refusef(p.start.Pos, "the package of `%s` takes more than %d KB of Go; take a rule that "+
		"uses less, leave out nodes, or raise --limit-go", p.start.Name, p.MaxGo>>10)
}

// addPlace returns err. If err wraps a passed limit, other than the time, and names a production of g, addPlace
// instead returns a refusal at the place of that: the first rule whose name, ID or label it is. The refusal has only
// the text of the limit, and wraps nothing.
func addPlace(g *expr.Grammar, err error) error {
	passed, ok := errors.AsType[*budget.Exceeded](err)
	if !ok || passed.Limit == budget.Time {
		return err
	}
	for _, r := range g.Rules {
		switch passed.Production {
		case r.Name, r.ID, r.Label():
			return expr.Refusef(r.Pos, "%v", passed)
		}
	}
	return err
}

// A writer makes one package.
type writer struct {
	Source

	// Set by newWriter.
	bnf     *expr.Grammar     // the part of the grammar that the package has
	peg     *expr.Grammar     // the PEG under the BNF's IDs; nil if there is none
	start   *expr.Rule        // the production that Parse derives
	isNode  map[string]bool   // by production
	goNames map[string]string // by production: its name in Go

	scanned map[string]*expr.Rule // by production: one with a scanner that it is or uses; see findScanned

	identifiers  map[string]bool     // that the package declares; see takeIdentifier
	alternatives map[string][]string // see alternativeNames; nil before it is called

	generalOnly bool // set by Make: the general parser derives all productions

	// Set by MakeParts.
	tablesOnly bool   // no production becomes code
	language   string // the language of the package; "" for Go
	format     int    // of packages in that language; 0 for Go

	tooLarge bool // set by checkSize: the package is too large, and another parser may be smaller

	// Set by makeParserFile.
	hasLimits       bool                 // the parser has limits on depth or steps
	usesGeneral     bool                 // the general parser derives some productions
	proven          []string             // what was proven, in sentences without a full stop
	certificateHash string               // "" unless the package is made of a PEG
	languages       map[string]*lang.DFA // by production: its automaton, if it is known
	ambiguities     []bnftogo.Ambiguity
	generalWords    map[string][]string // by production of the general parser: words it derives
	entriesOn       []bnf.Reading       // entries of the lock file that are on
	program         *bnftogo.Program    // the parser; nil if it is made of a PEG

	needsGeneral bool // set by makeTablesFile: a general parser explains rejections, and not an automaton
}

// Args returns the arguments after "bnfcheck generate" that make the package again, for a run in its folder: the
// expression or the grammar, that with src.Start if it is set; the PEG; the ledger, which is the input that ends in
// ".readings", with --readings; --nodes, --scan and --nesting if they are set; and more, the options for reading the
// grammar. --package and -o come last; folder is the operand of -o.
func Args(src Source, folder string, more ...string) []string {
	var args, ledger []string
	if src.Expression != "" {
		args = append(args, src.Expression)
	}
	for i, in := range src.Inputs {
		switch {
		case i == 0 && src.Start != "" && src.Expression == "":
			args = append(args, in.Path+"#"+src.Start)
		case path.Ext(in.Path) == ".readings":
			ledger = []string{"--readings", in.Path}
		default: // the grammar, or the PEG
			args = append(args, in.Path)
		}
	}
	args = append(args, ledger...)
	if len(src.Nodes) > 0 {
		args = append(args, "--nodes", strings.Join(src.Nodes, ","))
	}
	if len(src.Scan) > 0 {
		args = append(args, "--scan", strings.Join(src.Scan, ","))
	}
	if src.Nesting != 0 {
		args = append(args, "--nesting", strconv.Itoa(src.Nesting))
	}
	args = append(args, more...)
	return append(args, "--package", src.Package, "-o", folder)
}

// newWriter decides which productions are in the package, which of them are nodes, and what they are called in Go, and
// adds to its copy of src.Assumptions those of stand-ins. It fails if there is no production or no such start, if a
// name that is used has no production, if --nodes or --scan is wrong, or if the PEG lacks rules or has two with one
// identifier. Nothing is proven or compiled yet.
func newWriter(src Source) (*writer, error) {
	p := &writer{Source: src, bnf: src.Grammar, isNode: map[string]bool{}}
	if len(p.bnf.Rules) == 0 {
		return nil, expr.Errorf(expr.Pos{File: p.bnf.File}, "no production")
	}
	if src.Start != "" {
		start, err := src.Grammar.Lookup(src.Start)
		if err != nil {
			return nil, err
		}
		p.bnf, err = partFrom(src.Grammar, start.ID)
		if err != nil {
			return nil, err
		}
		p.start = start
	} else {
		if err := bnf.CheckMissing(src.Grammar); err != nil {
			return nil, err
		}
		p.start = p.defaultStart()
	}
	p.assumeStandIns()
	// Nodes are chosen here too, also without a PEG.
	if err := p.readPEG(); err != nil {
		return nil, err
	}
	if err := p.findScanned(); err != nil {
		return nil, err
	}
	p.goNames = pegtogo.Titles(expr.IDs(p.bnf.Rules))
	p.identifiers = p.packageIdentifiers()
	return p, nil
}

// assumeStandIns adds to p.Assumptions those of each stand-in among the productions of the package: a rule that
// options supply for a production that the text lacks or leaves to prose. Called again, it adds them again.
func (p *writer) assumeStandIns() {
	for _, r := range p.bnf.Rules {
		if !r.StandIn {
			continue
		}
		for _, a := range r.Assumes {
			p.Assumptions = append(slices.Clip(p.Assumptions), a.Text) // not into the array of the caller's Source
		}
	}
}

// partFrom returns the productions of g that start uses, and start itself. It fails with a
// [*bnf.MissingError] if they use a name without a production.
func partFrom(g *expr.Grammar, start string) (*expr.Grammar, error) {
	if err := bnf.CheckMissing(g, start); err != nil {
		return nil, err
	}
	return g.Part(start), nil
}

// defaultStart returns the production that Parse derives if none is named: the first that is a choice among schemes,
// or else the first that no other production uses, or else the first. There must be a production.
func (p *writer) defaultStart() *expr.Rule {
	variants := annotated.AllVariants(p.bnf)
	for _, r := range p.bnf.Rules {
		if len(variants(r.ID)) > 1 {
			return r
		}
	}
	used := p.bnf.UsedByOthers()
	for _, r := range p.bnf.Rules {
		if !used[r.ID] {
			return r
		}
	}
	return p.bnf.Rules[0]
}

// schemeProductions returns the productions of the schemes with their prefixes: the alternatives of the first
// production that is a choice among schemes and uses no other such choice. Alternatives without a prefix are
// left out. It returns nil for a grammar without schemes.
func (p *writer) schemeProductions() []annotated.Variant {
	variants := annotated.AllVariants(p.bnf)
	isChoice := func(id string) bool { return p.bnf.Rule(id) != nil && len(variants(id)) > 1 }
	for _, r := range p.bnf.Rules {
		if isChoice(r.ID) && !slices.ContainsFunc(p.bnf.Reach(r.ID)[1:], isChoice) { // without r
			return slices.DeleteFunc(variants(r.ID), func(v annotated.Variant) bool {
				return v.Prefix == ""
			})
		}
	}
	return nil
}

// kindName returns the name of a production's constant.
func (p *writer) kindName(id string) string { return "Kind" + p.goNames[id] }

// typeName returns the name of the type of a production's nodes.
func (p *writer) typeName(id string) string { return p.goNames[id] }

// isLexical reports whether a production is no node below the root.
func (p *writer) isLexical(id string) bool { return !p.isNode[id] }

// writeHeader writes the first line of every file.
func (p *writer) writeHeader(b *bytes.Buffer) {
	const line = "// Code generated by bnfcheck generate from %s; DO NOT EDIT.\n\n"
	fmt.Fprintf(b, line, p.grammarFileName())
}

// oneLine returns text as one line of UTF-8: each run of line ends and other white space becomes one space, none is
// left at the ends, and each run of bytes that are not UTF-8 becomes one U+FFFD.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
}

// grammarFileName returns the name of the first input's file, without its folder; without inputs, as for an
// expression, that of p.bnf.File.
func (p *writer) grammarFileName() string {
	if len(p.Inputs) > 0 {
		return path.Base(p.Inputs[0].Path)
	}
	return filepath.Base(p.bnf.File)
}

// recordLines returns the comment lines in grammar.go that say how the package was made.
// [ReadRecord] reads them. It uses p.certificateHash. For another language the lines also have what was
// proven and assumed, from p.proven and p.Assumptions.
func (p *writer) recordLines() string {
	var b strings.Builder
	if p.language != "" {
		fmt.Fprintf(&b, "//bnfcheck:language %s\n", p.language)
	}
	fmt.Fprintf(&b, "//bnfcheck:format %d\n", cmp.Or(p.format, Format))
	fmt.Fprintf(&b, "//bnfcheck:generate%s\n", quoteArgs(p.Args))
	for _, in := range slices.Concat(p.Inputs, p.Imported) {
		fmt.Fprintf(&b, "//bnfcheck:input %s sha256 %s\n", quoteArg(in.Path), Sum(in.Text))
	}
	if p.certificateHash != "" {
		fmt.Fprintf(&b, "//bnfcheck:certificate sha256 %s\n", p.certificateHash)
	}
	if p.language == "" {
		return b.String() // the documentation of the package says what was proven
	}
	for _, line := range p.proven {
		fmt.Fprintf(&b, "//bnfcheck:proven %s\n", oneLine(line))
	}
	for _, line := range p.Assumptions {
		fmt.Fprintf(&b, "//bnfcheck:assumed %s\n", oneLine(line))
	}
	return b.String()
}

// placeOf returns where a production is printed: its place in the text, the section of a core
// rule, or the file and line of the grammar, as messages have them: "json.abnf:2".
func (p *writer) placeOf(r *expr.Rule) string {
	switch {
	case r.Page > 0 || r.Line > 0:
		return r.Place(p.bnf.Title)
	case bnf.IsCore(r):
		return r.Section
	}
	return fmt.Sprintf("%s:%d", path.Base(filepath.ToSlash(r.Pos.File)), r.Pos.Line)
}

// citeLine returns a production as it is printed, in one line, and the place where it is printed.
func (p *writer) citeLine(r *expr.Rule) string {
	return fmt.Sprintf("%s   (%s)", p.productionLine(r), oneLine(p.placeOf(r)))
}

// productionLine returns a production as it is printed, in one line of UTF-8: with "=" after its
// name, whatever the notation.
func (p *writer) productionLine(r *expr.Rule) string {
	right := bnf.RightSide(p.bnf.Notation, r.Name, r.Printed)
	return strings.ToValidUTF8(strings.TrimSpace(r.Name+" = "+right), "\ufffd")
}

// shortPlace returns the place of a production in parentheses, for the end of its line: "(7.1, p. 27)". It
// leaves out the title of the text, which the header has.
func (p *writer) shortPlace(r *expr.Rule) string {
	place, ok := strings.CutPrefix(oneLine(p.placeOf(r)), oneLine(p.bnf.Title)+" ")
	if ok { // a place in the text, and no line of a file
		place = strings.TrimPrefix(strings.Replace(place, ", page ", ", p. ", 1), "section ")
	}
	return "   (" + place + ")"
}
