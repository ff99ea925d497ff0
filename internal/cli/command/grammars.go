package command

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/urls/explain"
)

// newGrammars returns the command grammars, which lists the grammars, or the productions of one.
func newGrammars(s *streams) *cobra.Command {
	var format *choice
	var naming *naming
	cmd := &cobra.Command{
		Use:   "grammars [GRAMMAR]",
		Short: "List the grammars, or the productions of one",
		Long: `grammars lists the published grammars: how many productions each has, where it starts,
which schemes have a production of their own, and how many places of the text have
more than one reading. The texts that diff can compare and that have no parser follow.

With the name of a grammar it lists its productions in the order of the text.
"lexical" productions derive single characters and are no tree nodes; "unused"
ones cannot be reached from the start. explain prints the details of one.

With a file it lists its productions with their lines. "nests" marks those that embed
themselves, so that no automaton accepts the same strings. Below the table it prints
which lines were read as ABNF (--lines corrects that), what was noticed while reading,
and the names that nothing defines. FILE#RULE sets the start.

` + howNamed(),
		Example: `  bnfcheck grammars
  bnfcheck check rfc3986#authority user@host:80
  bnfcheck grammars 1738
  bnfcheck grammars rfc3986
  bnfcheck grammars rfc9110.txt`,
		Args:              takesAtMost("one GRAMMAR or FILE"),
		ValidArgsFunction: orFiles(atMostOne(words(grammarNames, references))),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				list, err := explain.Grammars()
				if err != nil {
					return &inputError{err}
				}
				return printList(s, format, list, func(g explain.Grammar) any { return g }, explain.AppendGrammars)
			}
			name := args[0]
			if naming.isOperand(name) {
				g, err := naming.open(name)
				switch {
				case err != nil:
					return err
				case g.Built == nil:
					return listFile(s, format, g)
				}
				name = g.Built.Name
			}
			named, err := catalog.New(name)
			if err != nil {
				return err
			}
			src, err := bnf.Load(named.Name)
			if err != nil {
				return &ioError{named.Name, err}
			}
			list, err := explain.Productions(src)
			if err != nil {
				return &ioError{named.Name, err}
			}
			return printList(s, format, list, (*explain.Production).Entry, explain.AppendProductions)
		},
	}
	format = addChoice(cmd, "format", "how to print", "text", "json")
	naming = addNaming(s, cmd)
	return cmd
}

// howNamed returns the part of the help that explains how every command takes a grammar. Its tables are those of
// package catalog.
func howNamed() string {
	var b strings.Builder
	row := func(left, right string) {
		for i, line := range strings.Split(wrap(right, 54), "\n") {
			if i > 0 {
				left = ""
			}
			fmt.Fprintf(&b, "  %-16s %s\n", left, line)
		}
	}
	b.WriteString("Every command takes a grammar as an argument of one of these forms:\n\n")
	for _, f := range catalog.Forms {
		row(f.Written, f.About)
	}
	b.WriteString(`
check, fix and parse take it before the strings, prove before its transcription as a PEG,
and diff takes two. An argument is a grammar if what stands before the # is the name of
a file that exists or of a grammar that is built in, or ends like a grammar's; "-" is
standard input, with --kind. -- ends all that. The ending of a file's name tells how the
grammar is written, and --kind does for other names:

`)
	for _, n := range catalog.Notations {
		row(strings.Join(n.Endings, " "), n.About+" (--kind "+string(n.Kind)+")")
	}
	b.WriteString(`
The flags below mean the same in every command that takes a grammar.`)
	return b.String()
}

// listFile prints the productions of a file, and remarks about the whole of it; with JSON the remarks go to standard
// error. It fails if the production that was asked for does not exist. It returns errOpen if something in the file
// looks like grammar and is not read.
func listFile(s *streams, format *choice, g *catalog.Opened) error {
	if g.Asked != "" {
		if _, err := g.Lookup(g.Asked); err != nil {
			return classifyNameError(err)
		}
	}
	if err := printList(s, format, explain.File(g), (*explain.Production).Entry, explain.AppendFile); err != nil {
		return err
	}
	lines := explain.Document(g)
	var earned error
	if left := g.LeftOut(); len(left) > 0 {
		earned = errOpen
		lines = append(lines, fmt.Sprintf("%s: %s that %s like grammar %s not read", g.File,
			layout.Plural(len(left), "part"),
			layout.Agree(len(left), "looks", "look"), layout.Agree(len(left), "is", "are")))
	}
	if format.value == "json" {
		for _, line := range lines {
			s.complain("%s", line)
		}
		return earned
	}
	if len(lines) == 0 {
		return nil
	}
	return cmp.Or(s.write([]byte("\n"+layout.Printable(strings.Join(lines, "\n"))+"\n")), earned)
}
