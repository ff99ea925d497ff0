package main

import (
	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/describe"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

func newGrammars(s *streams) *cobra.Command {
	var format *choice
	cmd := &cobra.Command{
		Use:   "grammars [GRAMMAR]",
		Short: "List the grammars, or the productions of one",
		Long: `grammars lists the published grammars: how many productions each has, what it
starts with, which schemes have a production of their own, and how many places
of the text had to be read in one of several ways. After them it lists the texts
that diff can compare with, and that have no parser.

With the name of a grammar it lists its productions in the order of the text.
"lexical" productions derive single characters and are no tree nodes; "unused"
ones cannot be reached from the start. explain prints the details of one.`,
		Example: `  bnfcheck grammars
  bnfcheck grammars 1738
  bnfcheck grammars rfc3986`,
		Args:              takesAtMost("one GRAMMAR"),
		ValidArgsFunction: atMost(1, words(grammarNames, references)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				list, err := describe.Grammars()
				if err != nil {
					return &inputError{err}
				}
				return printList(s, format, list, func(g describe.Grammar) any { return g }, describe.AppendGrammars)
			}
			named, err := subject.New(args[0])
			if err != nil {
				return err
			}
			src, err := bnf.Load(named.Name)
			if err != nil {
				return &ioError{named.Name, err}
			}
			list, err := describe.Productions(src)
			if err != nil {
				return &ioError{named.Name, err}
			}
			return printList(s, format, list, (*describe.Production).Entry, describe.AppendProductions)
		},
	}
	format = addChoice(cmd, "format", "how to print", "text", "json")
	return cmd
}
