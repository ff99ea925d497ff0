package command

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/compile/format"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// newFmt returns the command fmt, which lays out ABNF and PEGs of pigeon in one form.
func newFmt(s *streams) *cobra.Command {
	f := &formatting{streams: s}
	cmd := &cobra.Command{
		Use:   "fmt [FILE...|-]",
		Short: "Lay out ABNF and PEGs of pigeon in one form",
		Long: `fmt lays out grammars in one form, as gofmt does programs. Comments stay where they stand.
What is printed has the same elements and comments; fmt reads it again to make sure.

ABNF: names and "=" are aligned by group, "/" stands under "=", a line has at most 69
columns as RFCs need, names are spelled as they are defined, and hexadecimal digits are
capitals. A rule keeps its alternatives on lines of their own if its author wrote each on
one. In Markdown and in the sources of xml2rfc only the blocks of ABNF change. A block of
XML with markup or character references inside is left as it is.

PEGs of pigeon (.peg): the arrows of neighboring rules are aligned, "/" stands under the
arrow, and alternatives are wrapped at 120 columns. Line breaks between alternatives are
kept, and those in brackets whose author begins a line after "(". Code is kept to the byte.

Without a FILE, or for "-", the grammar is read from standard input. Without -d, -l and -w
the result is printed.`,
		Example: `  bnfcheck fmt -w mail.abnf
  bnfcheck fmt -d draft-example.md
  bnfcheck fmt -l grammar/*.peg
  bnfcheck fmt < mail.abnf`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.write, "write", "w", false, "write the result to the file instead of standard output")
	flags.BoolVarP(&f.diff, "diff", "d", false, "print what would change as a diff; the exit status is then 1")
	flags.BoolVarP(&f.list, "list", "l", false, "print the names of the files that would change")
	f.kind = (&choice{"", []string{string(catalog.ABNF), string(catalog.Pigeon)}}).add(cmd, "kind",
		"what a file holds, if its name does not show it: abnf, peg")
	flags.IntVar(&f.maxSize, "max-grammar-size", bnf.DefaultMaxSize, "refuse a grammar of more than `N` bytes")
	return cmd
}

// formatting carries out one fmt command.
type formatting struct {
	*streams
	write, diff, list bool
	kind              *choice
	maxSize           int
}

// run formats files, standard input if there are none. If one fails the others are formatted still: of several errors
// the last is returned, and those before it are written to standard error. Without an error it returns f.earned.
func (f *formatting) run(files []string) error {
	if len(files) == 0 {
		files = []string{"-"}
	}
	var failed error
	for done, name := range files {
		f.doing.set("files", done, len(files))
		if err := f.formatFile(name); err != nil {
			if failed != nil {
				f.complainOf(failed)
			}
			failed = err
		}
	}
	if failed != nil {
		return failed
	}
	return f.earned
}

// formatFile formats one file, or standard input for "-", and prints, lists or rewrites it as the flags say. With
// -d a file that would change sets f.earned. It fails for a file that cannot be read as a grammar or written, and
// for -w with standard input.
func (f *formatting) formatFile(name string) error {
	n := bnf.Notation{MaxSize: f.maxSize}
	title := name
	if name == "-" {
		if f.write {
			return errors.New("-w needs a file: standard input cannot be written to")
		}
		title = "<standard input>"
	}
	src, err := catalog.ReadFile(name, catalog.Options{Notation: n, Stdin: f.in})
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return &ioError{title, failed.Err}
	}
	if err != nil {
		return classifyNameError(err)
	}
	kind := catalog.KindOfText(name, src, catalog.Options{Kind: catalog.Kind(f.kind.value), Notation: n})
	out, err := format.File(title, src, kind, n)
	if err != nil {
		return classifyNameError(err)
	}
	// The flags can be combined. Without any, the text is printed whether it changed or not.
	changed := !bytes.Equal(src, out)
	if f.list && changed {
		if err := f.streams.write([]byte(title + "\n")); err != nil {
			return err
		}
	}
	if f.write && changed {
		if err := writeWhole(name, out); err != nil {
			return err
		}
	}
	if f.diff && changed {
		f.earned = errNegative
		return f.streams.write(diff.Diff(title, src, title+" (formatted)", out))
	}
	if f.list || f.write || f.diff {
		return nil
	}
	return f.streams.write(out)
}
