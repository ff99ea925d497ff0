package command

import (
	"errors"
	"fmt"
	"go/scanner"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
	"github.com/bnfcheck/bnfcheck/internal/compile/gopackage"
	"github.com/bnfcheck/bnfcheck/internal/compile/language"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// newInit returns the command init, which begins a package for a grammar, from ABNF or the text of an RFC.
func newInit(s *streams) *cobra.Command {
	i := &initializing{streams: s}
	cmd := &cobra.Command{
		Use:   "init [FILE | FILE#RULE]",
		Short: "Begin a package for a grammar, from ABNF or the text of an RFC",
		Long: `init writes NAME.go, with the go:generate line that makes a package of a grammar, and
NAME_test.go, a test to go on from. It prints what is left to do, up to go test.

With --language js it writes package.json, with a script that makes the module, and
NAME.examples.test.js. A package.json that is there stays as it is, and the commands that
are printed add what it lacks.

A FILE with ABNF that lies in the folder is used where it lies. Of any other, and of the
text of an RFC, init takes the productions as they are printed, each with its place, and
writes them as NAME.abnf. Without a FILE it is the one .abnf file of the folder; without
a RULE the one that no other uses.

Nothing is overwritten: if one of the files exists, nothing is written.

The go:generate line runs the bnfcheck of the module's go.mod, or of a bnfcheck.mod
beside it, if one of them has it as a tool; and else the one that is installed. A script
of npm runs the bnfcheck that npm has installed, or else the one in PATH.`,
		Example: `  bnfcheck init
  bnfcheck init host.abnf#hostname
  bnfcheck init rfc3986.txt#URI-reference -o uri
  bnfcheck init host.abnf --language js -o host`,
		Args: takesAtMost("one FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return i.run(args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&i.name, "name", "", "the `NAME` of the files (default: that of the package)")
	flags.StringVar(&i.pkg, "package", "",
		"the `NAME` of the package (default: that of the Go files in the folder, or else of the folder)")
	i.language = addChoice(cmd, "language", "begin a package in `LANGUAGE`: "+strings.Join(language.Names(), " or "),
		language.Names()...)
	flags.StringVarP(&i.folder, "output", "o", ".", "write into `FOLDER`, which is made if there is none")
	i.naming = addNaming(s, cmd)
	i.naming.addStandIns(cmd)
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// initializing carries out one init command.
type initializing struct {
	*streams
	naming            *naming
	name, pkg, folder string
	language          *choice
}

// run begins a package: it writes its files, prints their names, and then the commands that are to follow. If one of
// the files exists, it fails and writes nothing.
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
	b := gopackage.Beginning{Name: i.name, Package: i.pkg, Grammar: opened.Grammar, Start: opened.Asked}
	if b.Start == "" {
		start, err := opened.Meant()
		if err != nil {
			return err
		}
		b.Start = start.Name
	}
	name, _ := catalog.Split(file)
	path, err := i.relative(name)
	if err != nil {
		return err
	}
	// The package is generated from a file of ABNF in its folder as it is. From any other file, and from the text of an
	// RFC, the productions are written to a new file there.
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
	l, err := language.Lookup(i.language.value)
	if err != nil {
		return err
	}
	files, steps, err := l.Begin(i.folder, b)
	if notGo, ok := errors.AsType[scanner.ErrorList](err); ok {
		return &inputError{notGo}
	}
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
	if filepath.Clean(i.folder) != "." {
		steps = slices.Insert(steps, 0, "cd "+quote.Shell(layout.Printable(filepath.ToSlash(i.folder))))
	}
	_, err = fmt.Fprintf(i.out, "\nNext:\n  %s\n", strings.Join(steps, "\n  "))
	return err
}

// grammarFile returns the argument or, without one, the one .abnf file in the folder. It is an error if there is none,
// or several.
func (i *initializing) grammarFile(args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	list, err := gopackage.FilesIn(i.folder, "*.abnf")
	switch {
	case err != nil:
		return "", err
	case len(list) == 0:
		return "", errors.New("no .abnf file is here: name a grammar, or the text of an RFC and a rule: " +
			"bnfcheck init FILE#RULE")
	case len(list) > 1:
		return "", fmt.Errorf("%d .abnf files are here: name one: bnfcheck init %s", len(list), quote.Shell(list[0]))
	}
	return list[0], nil
}

// relative returns a file's path relative to the package's folder, with slashes.
func (i *initializing) relative(file string) (string, error) {
	return (&generating{folder: i.folder}).relative(file)
}

// withOwnFile prepares b for a package with a grammar file of its own, into which gopackage.Begin writes the
// productions, rather than with the user's file. It sets the notation, without what selects or imports, since imports
// are written with the rest, and the arguments of generate that the file needs. file is the name of the user's file: a
// title that is only that name loses its folder.
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
		// The file names RFCs, and a missing name would be taken from those and not get its stand-in.
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
