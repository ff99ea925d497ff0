package main

import (
	"errors"
	"fmt"
	goparser "go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/infile"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

func newInit(s *streams) *cobra.Command {
	i := &initializing{streams: s}
	cmd := &cobra.Command{
		Use:   "init [FILE | FILE#RULE]",
		Short: "Begin a Go package for a grammar, from ABNF or the text of an RFC",
		Long: `init writes NAME.go, with the go:generate line that makes a package of a grammar, and
NAME_test.go, a test to go on from. It prints what is left to do, up to go test.

A FILE with ABNF that lies in the folder is used where it lies. Of any other, and of the
text of an RFC, init takes the productions as they are printed, each with its place, and
writes them as NAME.abnf. Without a FILE it is the one .abnf file of the folder; without
a RULE the one that no other uses.

Nothing is overwritten: if one of the files exists, nothing is written.

The go:generate line runs the bnfcheck of the module's go.mod, or of a bnfcheck.mod
beside it, if one of them has it as a tool; and else the one that is installed.`,
		Example: `  bnfcheck init
  bnfcheck init host.abnf#hostname
  bnfcheck init rfc3986.txt#URI-reference -o uri`,
		Args: takesAtMost("one FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return i.run(args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&i.name, "name", "", "the `NAME` of the files (default: that of the package)")
	flags.StringVar(&i.pkg, "package", "",
		"the `NAME` of the package (default: that of the Go files in the folder, or else of the folder)")
	flags.StringVarP(&i.folder, "output", "o", ".", "write into `FOLDER`, which is made if there is none")
	i.naming = addNaming(s, cmd)
	i.naming.addStandIns(cmd)
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// fileName matches what init names files: they stay in their folder, and the name can stand in a go:generate line.
var fileName = regexp.MustCompile(`^[\pL\pN][\pL\pN_-]*$`)

// initializing carries out one init command.
type initializing struct {
	*streams
	naming            *naming
	name, pkg, folder string

	start string // the rule that Parse derives
}

// run begins a package: it writes its files, prints their names, and then the commands that are to follow.
func (i *initializing) run(args []string) error {
	file, err := i.grammarFile(args)
	if err != nil {
		return err
	}
	opened, err := i.naming.open(file)
	if err != nil {
		return err
	}
	if opened.File == "" || opened.Grammar.Ordered || opened.Grammar.Notation != "abnf" {
		return fmt.Errorf("%s: expected the text of an RFC, or ABNF", file)
	}
	if i.start = opened.Asked; i.start == "" {
		start, err := opened.Meant()
		if err != nil {
			return err
		}
		i.start = start.Name
	}
	b := gopackage.Beginning{Name: i.name, Package: i.pkg, Grammar: opened.Grammar, Start: i.start}
	name, _ := catalog.Split(file)
	path, err := i.relative(name)
	if err != nil {
		return err
	}
	if opened.Kind == catalog.ABNF && filepath.Base(name) == path && name != "-" {
		b.File = path
		if b.Args, _, err = i.naming.recordedFlags(i.relative); err != nil {
			return err
		}
		if i.naming.readings != "" {
			ledger, err := i.relative(i.naming.readings)
			if err != nil {
				return err
			}
			b.Args = append(b.Args, "--readings", ledger)
		}
	} else if err := i.withOwnFile(&b, opened.File); err != nil {
		return err
	}
	if err := i.chooseNames(&b); err != nil {
		return err
	}
	steps := i.chooseCommand(&b)
	files, err := gopackage.Begin(b)
	if err != nil {
		return i.naming.fail(err)
	}
	if err := gopackage.Write(i.folder, files); err != nil {
		return &inputError{err}
	}
	for _, f := range files {
		if _, err := fmt.Fprintln(i.out, layout.Printable(filepath.Join(i.folder, f.Name))); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(i.out, "\nNext:\n  %s\n", strings.Join(steps, "\n  "))
	return err
}

// grammarFile returns the argument, or the one .abnf file in the folder; it is an error if there is none or several.
func (i *initializing) grammarFile(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	list, err := filepath.Glob(filepath.Join(i.folder, "*.abnf"))
	switch {
	case err != nil:
		return "", err
	case len(list) == 0:
		return "", errors.New("no .abnf file is here: name a grammar, or the text of an RFC and a rule: bnfcheck init " +
			"FILE#RULE")
	case len(list) > 1:
		return "", fmt.Errorf("%d .abnf files are here: name one: bnfcheck init %s", len(list), list[0])
	}
	return list[0], nil
}

// relative returns a file's path relative to the package's folder, with slashes.
func (i *initializing) relative(file string) (string, error) {
	return (&generating{folder: i.folder}).relative(file)
}

// withOwnFile prepares b for a package with a grammar file of its own, into which gopackage.Begin writes the
// productions, rather than with the user's file. It sets the notation, without what selects or imports, since imports
// are written with the rest, and the arguments of generate that the file needs.
func (i *initializing) withOwnFile(b *gopackage.Beginning, file string) error {
	o, err := i.naming.options()
	if err != nil {
		return err
	}
	b.Notation = o.Notation
	for _, d := range i.naming.definitions {
		b.Args = append(b.Args, "--define", d)
	}
	if v := i.naming.standIns.value; v != "" {
		// The file names RFCs, from which a missing name would be taken in place of its stand-in.
		b.Args = append(b.Args, "--define-missing", v, "--no-standard-names")
	}
	if v := i.naming.values.value; v != bnf.AutoValues.String() {
		b.Args = append(b.Args, "--values", v)
	}
	if v := i.naming.lists.value; v != bnf.Sender.String() {
		b.Args = append(b.Args, "--lists", v)
	}
	b.Notation.Lines, b.Notation.Imports, b.Notation.Readings, b.Notation.StandardNames = bnf.Lines{}, nil, nil, false
	if b.Grammar.Title == file {
		b.Grammar.Title = filepath.Base(file)
	}
	return nil
}

// chooseNames sets b.Package and b.Name where flags did not. The package is named like the Go files in the folder, or
// the folder, or the start rule where the folder's name is no good for a package; the files are named like the
// package, or "generate" where generated files have that name.
func (i *initializing) chooseNames(b *gopackage.Beginning) (err error) {
	if b.Package == "" {
		if b.Package, err = packageIn(i.folder); err != nil {
			return err
		}
	}
	if b.Package == "" {
		if b.Package = packageName(i.folder); !token.IsIdentifier(b.Package) || b.Package == "_" ||
			b.Package == "main" {
			first, _, _ := strings.Cut(i.start, "-")
			b.Package = packageName(first)
		}
	}
	if !token.IsIdentifier(b.Package) || b.Package == "_" {
		return fmt.Errorf("%q cannot be the name of a package; give another one with --package", b.Package)
	}
	if b.Name == "" {
		b.Name = b.Package
		if slices.Contains(gopackage.Files, b.Name+".go") || slices.Contains(gopackage.Files, b.Name+"_test.go") {
			b.Name = "generate"
		}
	}
	if !fileName.MatchString(b.Name) {
		return fmt.Errorf("%q cannot be the name of the files: write letters, digits, \"-\" and \"_\" with --name",
			b.Name)
	}
	return nil
}

// The module that generated packages import, and the tool in it.
const (
	ownModule = "github.com/bnfcheck/bnfcheck"
	ownTool   = ownModule + "/cmd/bnfcheck"
)

// chooseCommand sets b.Command, by which go generate runs bnfcheck in the folder: a tool of the module where go.mod or
// bnfcheck.mod names it, else the program in PATH. It returns the commands that a person is to run next, up to go test,
// beginning with those that install what is missing. It runs none of them.
func (i *initializing) chooseCommand(b *gopackage.Beginning) (steps []string) {
	folder, err := filepath.Abs(i.folder)
	if err != nil {
		folder = i.folder
	}
	if filepath.Clean(i.folder) != "." {
		steps = append(steps, "cd "+layout.Printable(i.folder))
	}
	root := folder
	for !exists(filepath.Join(root, "go.mod")) && root != filepath.Dir(root) {
		root = filepath.Dir(root)
	}
	has := func(file, pattern string) bool {
		text, err := infile.ReadFile(filepath.Join(root, file), maxOwnFile)
		return err == nil && regexp.MustCompile(`(?m)^\s*`+pattern).Match(text)
	}
	if !exists(filepath.Join(root, "go.mod")) {
		steps = append(steps, "go mod init example.com/"+b.Package)
	}
	if !has("go.mod", `(require |module )?`+ownModule+`( v|$)`) {
		get := "go get " + ownModule
		// It was built in a clone, whose module need not be published.
		if _, file, _, ok := runtime.Caller(0); ok && !strings.Contains(file, "@") {
			if clone := filepath.Join(filepath.Dir(file), "..", ".."); exists(filepath.Join(clone, "go.mod")) {
				get = fmt.Sprintf("go mod edit -require %s@v0.0.0 -replace %[1]s=%s", ownModule,
					layout.Printable(clone))
			}
		}
		steps = append(steps, get)
	}
	const tool = `(tool )?` + ownTool + `\s*$`
	switch rel, err := filepath.Rel(folder, filepath.Join(root, "bnfcheck.mod")); {
	case err == nil && has("bnfcheck.mod", tool):
		b.Command = "go tool -modfile=" + filepath.ToSlash(rel) + " bnfcheck"
	case has("go.mod", tool):
		b.Command = "go tool bnfcheck"
	default:
		b.Command = "bnfcheck"
		if _, err := exec.LookPath("bnfcheck"); err != nil {
			steps = append(steps, "go install "+ownTool+"@latest    # and have its folder in PATH")
		}
	}
	return append(steps, "go generate", "go test")
}

// packageIn returns the name of the package whose Go files are in a folder, by the first file, "" if there are none.
func packageIn(folder string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		return "", err
	}
	f, err := goparser.ParseFile(token.NewFileSet(), files[0], nil, goparser.PackageClauseOnly)
	if err != nil {
		return "", &inputError{err}
	}
	return strings.TrimSuffix(f.Name.Name, "_test"), nil
}
