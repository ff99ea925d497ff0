package command

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/language"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// newGenerate returns the command generate, which writes a package with a proven parser of a grammar.
func newGenerate(s *streams) *cobra.Command {
	return newGenerateOf(&generating{streams: s})
}

// newGenerateOf returns the command generate whose flags set g: verify reads the flags that a package records with it.
func newGenerateOf(g *generating) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate GRAMMAR [TRANSCRIPTION]",
		Short: "Write a " + strings.Join(language.Titles(), " or ") + " package with a proven parser of a grammar",
		Long: `generate writes a Go package that parses what a grammar derives: Parse, Accepts, a
reusable Parser, a constant and a type for each production, errors that name what was
expected where, a test and a fuzz target. The package imports the standard library and
github.com/bnfcheck/bnfcheck/ast, nothing else.

Before a file is written, the parser is proven to accept exactly the strings that
each production derives, as far as code and automata can decide that. All other
productions, those that nest or are left-recursive without a byte that decides, are
derived by a general parser, of which nothing is proven; the package says which they
are, why, and what they cost. Where a string has two trees, the parser takes the first
printed alternative with which the whole input can be derived, and prefers one more
iteration to none. The lock file bnfcheck.lock lists each such choice with its shortest
string, and another one can be chosen there. With a TRANSCRIPTION the parser is made from
the rules of this PEG, which are proven equal to the grammar first.

With --language js the package is one ES module without dependencies, its types for
TypeScript, a test for node's test runner, and a package.json, which is written where
there is none. The module has the same tables; straight-line code and transcriptions
are for Go alone.

The package has all productions of a FILE, and of FILE#RULE those that the rule uses.

Where a production ends that no grammar can say, as a string after its length, a
function of yours can: with --scan literal the package calls scanLiteral, which stands in
a file that you write. It is opaque: it can only refuse what the grammar derives, and the
package says what is known without it. The production and all that use it are derived by
the general parser.

The files are written all or none, into the folder and nowhere else. A file that has one
of their names and was not written by this command is not replaced. The same grammar
makes the same files, to the byte.

What is refused is printed with its place and the remedy.`,
		Example: `  bnfcheck generate uri.abnf#URI-reference -o uri
  bnfcheck generate tag.abnf#Language-Tag --nodes=-variant -o tag
  bnfcheck generate imap.abnf#response --scan literal -o imap
  bnfcheck generate uri.abnf uri.peg -o uri
  bnfcheck generate uri.abnf#URI-reference --language js -o uri`,
		Args: takesAtMost("a GRAMMAR", "a TRANSCRIPTION"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || g.folder == "" {
				return errors.New("generate takes a grammar and the folder of the package: bnfcheck generate FILE " +
					"-o FOLDER")
			}
			if len(args) == 2 {
				g.pegFile = args[1]
			}
			return g.run(args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&g.folder, "output", "o", "", "write into `FOLDER`, which is made if there is none")
	g.language = addChoice(cmd, "language", "write the package in `LANGUAGE`: "+strings.Join(language.Names(), " or "),
		language.Names()...)
	flags.StringVar(&g.name, "package", "", "the `NAME` of the package (default: that of the folder)")
	flags.StringSliceVar(&g.nodes, "nodes", nil,
		"the `RULES` that are nodes of the tree, separated by commas; or, each with + or - in front, changes to the "+
			"default, which leaves out what is lexical")
	flags.StringSliceVar(&g.scan, "scan", nil,
		"the `RULES` whose ends functions of yours say, separated by commas: "+
			"func scanRule(src string, at int) (end int, ok bool)")
	flags.IntVar(&g.maxGo, "limit-go", gopackage.DefaultMaxGo>>10,
		"refuse a package of more than `KB` kilobytes of Go, its test apart")
	g.naming = addNaming(g.streams, cmd)
	g.naming.addStandIns(cmd)
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// generating carries out one generate command.
type generating struct {
	*streams
	naming       *naming
	name, folder string
	language     *choice
	nodes        []string
	scan         []string // productions with scanners
	maxGo        int      // in kilobytes

	pegFile string // the transcription, "" for none
	base    string // the folder that the names of files are relative to, if it is not the current one
}

// path returns the file that a name stands for: relative names are below g.base, if it is set.
func (g *generating) path(name string) string {
	if g.base == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(g.base, filepath.FromSlash(name))
}

// operand returns the operand that stands for a grammar, with its file as path returns it. A regular expression is no
// file, but may be in one.
func (g *generating) operand(grammar string) string {
	if flavor, file, ok := catalog.RegexpFile(grammar); ok {
		return flavor + ":@" + g.path(file)
	}
	if catalog.IsRegexp(grammar) {
		return grammar
	}
	return g.path(grammar)
}

// run writes the package of the grammar in file to the folder, and says how many files changed. It complains of
// scanners that are still to be written. If it fails before that, nothing is written; errors are classified by fail.
func (g *generating) run(file string) error {
	if err := atLeast("limit-go", g.maxGo, 1); err != nil {
		return err
	}
	src, err := g.readSource(g.path(file))
	if err != nil {
		return g.naming.fail(err)
	}
	src.Defect = g.defect
	l, err := language.Lookup(g.language.value)
	if err != nil {
		return err
	}
	files, err := l.Make(src)
	if err != nil {
		return g.naming.fail(err)
	}
	ctx, stop := untilStopped()
	defer stop()
	changed, err := l.Save(ctx, g.folder, src.Package, files)
	if err != nil {
		return unwritten(ctx, g.folder, err)
	}
	said := "nothing has changed"
	if changed > 0 {
		said = layout.Plural(changed, "file") + " written"
	}
	if _, err = fmt.Fprintf(g.out, "%s: %s\n", layout.Printable(g.folder), said); err != nil {
		return err
	}
	// Only now: the scanners stand in the folder, in files beside the generated ones.
	missing, err := gopackage.MissingScanners(src, g.folder)
	if err != nil {
		return err
	}
	for _, name := range missing {
		g.complain("%s: write func %s(src string, at int) (end int, ok bool) in a file of this package",
			layout.Printable(g.folder), name)
	}
	return nil
}

// readSource reads everything that the package is made of: the grammar, its readings, imports, the PEG and the lock
// file. It refuses what no package can be made of: a PEG, a grammar that is built in, and with an openError an
// expression that has no grammar. What it returns with an error is of no use.
func (g *generating) readSource(file string) (gopackage.Source, error) {
	src := gopackage.Source{Nodes: g.nodes, Scan: g.scan, Nesting: max(g.naming.nesting, 0), Package: g.name,
		MaxGo: g.maxGo << 10}
	read := func(name string) ([]byte, error) {
		in, err := g.read(name)
		src.Inputs = append(src.Inputs, in)
		return in.Text, err
	}
	readings := g.naming.readings
	name, rule := catalog.Split(file)
	src.Start = rule
	if kind, _ := catalog.KindOf(name); kind == catalog.BNF && readings != "" {
		err := g.withLedger(name, &src, read)
		return src, err
	}
	opened, err := g.naming.open(file)
	if err != nil {
		return src, err
	}
	src.Start = opened.Asked
	// An expression is the operand itself, or in a file that the operand names; the package records which.
	if opened.Kind == catalog.Regexp {
		if src.Grammar = opened.Grammar; opened.Models() {
			return src, noGrammar(opened)
		}
		src.Expression = file
		if flavor, name, ok := catalog.RegexpFile(file); ok {
			in, err := g.read(name)
			if err != nil {
				return src, err
			}
			src.Imported = append(src.Imported, in)
			src.Expression = flavor + ":@" + in.Path
		}
		err = g.finish(&src, read)
		return src, err
	}
	if opened.File == "" || opened.File != layout.Printable(name) {
		if g.language.value != language.Languages[0].Name {
			return src, fmt.Errorf("%s is not a file: name one that has the grammar", file)
		}
		return src, fmt.Errorf("%s is not a file: the packages of the grammars that are built in are below "+
			"github.com/bnfcheck/bnfcheck/gen",
			file)
	}
	if opened.Grammar.Ordered {
		return src, fmt.Errorf("%s is a PEG: name the grammar that it transcribes first", opened.File)
	}
	path, err := g.relative(name)
	if err != nil {
		return src, err
	}
	src.Inputs = append(src.Inputs, gopackage.Input{Path: path, Text: opened.Text})
	src.Grammar = opened.Grammar
	if readings != "" {
		if _, err := read(readings); err != nil {
			return src, err
		}
		src.Readings = opened.Readings
	}
	if src.Grammar.Title == opened.File {
		src.Grammar.Title = filepath.Base(opened.File)
	}
	err = g.finish(&src, read)
	return src, err
}

// withLedger is readSource for ABNF with a ledger of readings: it fills src with the grammar under the readings that
// are on, and with those readings, and calls finish for the rest. read reads a file and notes it as an input.
func (g *generating) withLedger(file string, src *gopackage.Source, read func(string) ([]byte, error)) error {
	text, err := read(file)
	if err != nil {
		return err
	}
	ledger, err := read(g.naming.readings)
	if err != nil {
		return err
	}
	b, err := bnf.ReadSource(file, text, g.naming.readings, ledger)
	if err != nil {
		return err
	}
	src.Grammar, src.Readings = b.Default, slices.DeleteFunc(b.Readings, func(r bnf.Reading) bool { return !r.On })
	if src.Grammar.Budget, err = g.naming.budget(); err != nil {
		return err
	}
	return g.finish(src, read)
}

// finish fills the rest of src, which has its grammar already: the PEG, which read reads, the lock file if there is
// one, the imported files, the assumptions and the arguments that go generate repeats. A package's name that src has
// stays.
func (g *generating) finish(src *gopackage.Source, read func(string) ([]byte, error)) error {
	if g.pegFile != "" {
		text, err := read(g.path(g.pegFile))
		if err != nil {
			return err
		}
		// No code of the PEG becomes part of the package, so that it does not matter what it may do.
		o := catalog.Options{Kind: catalog.Pigeon, PEG: peg.Options{
			ActionsSucceed: true, InvalidUTF8: g.naming.invalid.value == "allow", Budget: src.Grammar.Budget}}
		rules, err := catalog.Read(g.pegFile, text, o)
		if err != nil {
			return err
		}
		src.PEG = rules.Grammar
	}
	l, err := language.Lookup(g.language.value)
	if err != nil {
		return err
	}
	src.Package = cmp.Or(src.Package, l.NameOf(g.folder))
	src.LockFile = filepath.Join(g.folder, gopackage.LockName)
	text, err := infile.ReadFile(src.LockFile, maxOwnFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &ioError{src.LockFile, err}
	}
	src.Lock = text
	more, imported, err := g.naming.recordedFlags(g.relative)
	if err != nil {
		return err
	}
	for _, file := range imported {
		in, err := g.read(file)
		if err != nil {
			return err
		}
		src.Imported = append(src.Imported, in)
	}
	for _, d := range g.naming.definitions {
		src.Assumptions = append(src.Assumptions, "defined: "+d)
	}
	if g.maxGo != gopackage.DefaultMaxGo>>10 && g.maxGo != 0 {
		more = append(more, "--limit-go", strconv.Itoa(g.maxGo))
	}
	if g.language.value != language.Languages[0].Name {
		more = append(more, "--language", g.language.value)
	}
	src.Args = gopackage.Args(*src, ".", more...)
	return nil
}

// maxOwnFile caps the size of files that bnfcheck itself has written and reads again: those of a package, lock files
// and baselines. The largest in use have a few megabytes; the cap is for a name that stands for something else.
const maxOwnFile = 256 << 20

// read reads a file, and returns it with its path relative to the package's folder. A file of more than maxOwnFile
// is an error.
func (g *generating) read(file string) (in gopackage.Input, err error) {
	if in.Text, err = infile.ReadFile(file, maxOwnFile); err != nil {
		return in, &ioError{file, err}
	}
	in.Path, err = g.relative(file)
	return in, err
}

// relative returns the path of a file from the package's folder, with slashes. The name of the file is relative to the
// current folder, not to g.base.
func (g *generating) relative(file string) (string, error) {
	folder, err := filepath.Abs(g.folder)
	if err != nil {
		return "", err
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", err
	}
	path, err := filepath.Rel(folder, file)
	return filepath.ToSlash(path), err
}

// recordedFlags returns the flags of n that differ from their defaults, for a command that is to read the grammar in
// the same way, with paths as relative makes them; --readings and --nesting are left to the caller. files are the
// files that are imported, named as they were given, without folders and grammars that are built in.
func (n *naming) recordedFlags(relative func(string) (string, error)) (args, files []string, err error) {
	add := func(flag, value, usual string) {
		if value != usual {
			args = append(args, "--"+flag, value)
		}
	}
	add("kind", n.kind.value, "")
	add("match", n.match.value, "search")
	add("unicode", n.unicode, "")
	add("invalid-utf8", n.invalid.value, "reject")
	for _, d := range n.definitions {
		add("define", d, "")
	}
	if n.standIns != nil {
		add("define-missing", n.standIns.value, "")
	}
	for _, v := range n.imports {
		before, file, after := importParts(v)
		// What does not exist as a file is the name of a grammar that is built in, and has no path.
		if info, err := os.Stat(file); err == nil {
			if !info.IsDir() {
				files = append(files, file)
			}
			if file, err = relative(file); err != nil {
				return nil, nil, err
			}
		}
		add("import", before+file+after, "")
	}
	if n.unnamed {
		args = append(args, "--no-standard-names")
	}
	add("values", n.values.value, bnf.AutoValues.String())
	add("lists", n.lists.value, bnf.Sender.String())
	add("lines", n.lines.String(), (bnf.Lines{}).String())
	add("max-grammar-size", strconv.Itoa(n.maxSize), strconv.Itoa(bnf.DefaultMaxSize))
	return args, files, nil
}

// importParts takes a value of --import apart: what stands before and after the name of the file.
func importParts(value string) (before, file, after string) {
	if name, from, ok := strings.Cut(value, "="); ok {
		before, value = name+"=", from
	}
	file, _ = catalog.Split(value)
	return before, file, value[len(file):]
}

// packageOf returns the name of a package for code that is made of a grammar's file: gopackage.NameOf the file, or
// "grammar" where that is no identifier.
func packageOf(file string) string {
	if name := gopackage.NameOf(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))); token.IsIdentifier(name) {
		return name
	}
	return "grammar"
}

// noGrammar returns the error for a command that needs a grammar and got a regular expression that has only an
// automaton.
func noGrammar(opened *catalog.Opened) error {
	return &openError{fmt.Errorf("%s: it has lookarounds or other parts that no grammar has: no parser can be "+
		"made of it", opened.Grammar.Rules[0].Pos)}
}

// defect complains of a self-check that failed.
func (s *streams) defect(line string) { s.complain("bnfcheck: %s", line) }

// fail is [streams.fail]. Where names are missing it also complains that --define-missing would help, if the command
// has that flag.
func (n *naming) fail(err error) error {
	failed := n.streams.fail(err)
	if _, missing := errors.AsType[*bnf.MissingError](err); missing && n.standIns != nil {
		n.complain("with --define-missing any, %s stands for each of them", bnf.StandIn)
	}
	return failed
}

// fail turns an error of package gopackage into the error that the command ends with. A refusal, and a name
// without a production, become errOpen, and a difference between grammar and PEG errNegative; these are printed to
// standard error first, a refusal with its place. Any other error about the text of a grammar becomes an inputError,
// and the rest come back unchanged.
func (s *streams) fail(err error) error {
	bad, ok := errors.AsType[*expr.Error](err)
	_, missing := errors.AsType[*bnf.MissingError](err)
	switch {
	case !ok && !missing:
		return err
	case missing || bad.Refused: // bad is nil only if missing is set
		s.complainOf(err)
		return errOpen
	}
	if _, differs := errors.AsType[*gopackage.DiffersError](err); differs { // it wraps an *expr.Error
		s.complain("bnfcheck: %s", strings.TrimSpace(err.Error()))
		return errNegative
	}
	return &inputError{err}
}
