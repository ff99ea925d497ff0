package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftogbnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// newGBNF returns the command that writes a grammar in GBNF.
func newGBNF(s *streams) *cobra.Command {
	var file string
	var naming *naming
	cmd := &cobra.Command{
		Use:   "gbnf GRAMMAR",
		Short: "Write a grammar for llama.cpp that is proven equal to a rule",
		Long: `gbnf writes a rule, with those that it uses, in GBNF, the notation by which llama.cpp
holds the output of a model to a grammar. Before it is printed, it is read back, and
each production is proven equal to the one that it was written for, also where they
nest. What llama.cpp cannot do is refused: left recursion, repetition without end of
what may be empty, and octets that are no UTF-8.`,
		Example: `  bnfcheck gbnf uri.abnf#URI -o uri.gbnf
  bnfcheck gbnf json.abnf#value --values code-points
  bnfcheck check uri.gbnf http://example.org/`,
		Args: takes("a rule"),
		RunE: func(_ *cobra.Command, args []string) error {
			_, rule, err := naming.start(args[0])
			if err != nil {
				return err
			}
			opened, err := naming.open(args[0])
			if err != nil {
				return err
			}
			switch {
			case opened.Grammar.Ordered:
				return &openError{errors.New("the alternatives of a PEG are ordered, and those of GBNF are not")}
			case opened.Models():
				return noGrammar(opened)
			}
			text, err := bnftogbnf.Write(opened.Grammar, rule.ID)
			if e, ok := errors.AsType[*expr.Error](err); ok && e.Refused {
				return &openError{err}
			}
			if err != nil {
				return naming.undecided(err)
			}
			return s.output(file, atomicfile.Text([]byte(text)))
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE` instead of standard output")
	naming = addNaming(s, cmd)
	cmd.ValidArgsFunction = orFiles(words(productionNames))
	return cmd
}
