package main

import (
	"fmt"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/report/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
)

func newInit(s *streams) *cobra.Command {
	i := &initializing{streams: s}
	cmd := &cobra.Command{
		Use:   "init FILE#RULE",
		Short: "Begin a Go package for a grammar, from the text of an RFC or from ABNF",
		Long: `init takes the ABNF out of a text, as an RFC has it, and writes three files: NAME.abnf
with the productions as they are printed, each with its place; NAME.go with the
go:generate line that makes the package; and NAME_test.go, a test to go on from. Then run
go generate.

Nothing is overwritten: if one of the files exists, nothing is written.

Where the folder of the go.mod file has a bnfcheck.mod as well, the go:generate line runs
the bnfcheck that it names, so that your module does not need what bnfcheck needs.

The exit status is 0 if the files are written; 2 for wrong usage, a text that is not in
its notation, a file that exists, and failed input or output; 3 if a name that the start
needs has no production.`,
		Example: `  bnfcheck init rfc3986.txt#URI-reference
  bnfcheck init rfc5322.txt#address --name mail -o mail`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return i.run(args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&i.start, "start", "", "the `RULE` that Parse derives")
	_ = flags.MarkHidden("start")
	flags.StringVar(&i.name, "name", "", "the `NAME` of the files (default: the first word of the rule)")
	flags.StringVar(&i.pkg, "package", "", "the `NAME` of the package (default: that of the Go files in the folder, or else the name of the files)")
	flags.StringVarP(&i.folder, "output", "o", ".", "write into `FOLDER`, which is made if there is none")
	i.naming = addNaming(s, cmd)
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// fileName matches what init names files: they stay in their folder, and the name can stand in a go:generate line.
var fileName = regexp.MustCompile(`^[\pL\pN][\pL\pN_-]*$`)

// initializing carries out one init command.
type initializing struct {
	*streams
	naming                   *naming
	start, name, pkg, folder string
}

func (i *initializing) run(file string) error {
	opened, err := i.naming.open(file)
	if err != nil {
		return err
	}
	if opened.File == "" || opened.Grammar.Ordered || opened.Grammar.Notation != "abnf" {
		return fmt.Errorf("%s: expected the text of an RFC, or ABNF", file)
	}
	if i.start != "" {
		i.oldStart("init", file, i.start)
	} else if i.start = opened.Asked; i.start == "" {
		return fmt.Errorf("%s: name the rule that Parse derives as well: bnfcheck init %s#RULE", file, file)
	}
	b := gopackage.Beginning{Name: i.name, Package: i.pkg, Grammar: opened.Grammar, Start: i.start, Command: i.command()}
	o, err := i.naming.options()
	if err != nil {
		return err
	}
	b.Notation = o.Notation
	// What is imported is written with the rest; the values and lists of the text are those of the file.
	for _, d := range i.naming.definitions {
		b.Args = append(b.Args, "--define", d)
	}
	if v := i.naming.values.value; v != bnf.AutoValues.String() {
		b.Args = append(b.Args, "--values", v)
	}
	if v := i.naming.lists.value; v != bnf.Sender.String() {
		b.Args = append(b.Args, "--lists", v)
	}
	b.Notation.Lines, b.Notation.Imports, b.Notation.StandardNames = bnf.Lines{}, nil, false
	if b.Grammar.Title == opened.File {
		b.Grammar.Title = filepath.Base(opened.File)
	}
	if b.Name == "" {
		first, _, _ := strings.Cut(i.start, "-")
		b.Name = packageName(first)
	}
	if !fileName.MatchString(b.Name) {
		return fmt.Errorf("%q cannot be the name of the files: write letters, digits, \"-\" and \"_\" with --name", b.Name)
	}
	if b.Package == "" {
		if b.Package, err = packageIn(i.folder); err != nil {
			return err
		}
	}
	if b.Package == "" {
		b.Package = packageName(b.Name)
	}
	if !token.IsIdentifier(b.Package) || b.Package == "_" {
		return fmt.Errorf("%q cannot be the name of a package; give another one with --package", b.Package)
	}
	files, err := gopackage.Begin(b)
	if err != nil {
		return i.fail(err)
	}
	if err := gopackage.Write(i.folder, files); err != nil {
		return &inputError{err}
	}
	for _, f := range files {
		if _, err := fmt.Fprintln(i.out, layout.Printable(filepath.Join(i.folder, f.Name))); err != nil {
			return err
		}
	}
	return nil
}

// command returns how go generate runs bnfcheck in the folder.
func (i *initializing) command() string {
	folder, err := filepath.Abs(i.folder)
	if err != nil {
		return "go tool bnfcheck"
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			file := filepath.Join(dir, "bnfcheck.mod")
			if _, err := os.Stat(file); err == nil {
				if rel, err := filepath.Rel(folder, file); err == nil {
					return "go tool -modfile=" + filepath.ToSlash(rel) + " bnfcheck"
				}
			}
			return "go tool bnfcheck"
		}
	}
}

// packageIn returns the name of the package whose files are in a folder, "" if there are none.
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
