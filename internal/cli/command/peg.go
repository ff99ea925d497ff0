package command

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck/internal/base/atomicfile"
	"github.com/bnfcheck/bnfcheck/internal/compile/format"
	"github.com/bnfcheck/bnfcheck/internal/proof/bnftopeg"
)

// newPEG returns the command peg, which writes a PEG for pigeon that is proven equal to a grammar.
func newPEG(s *streams) *cobra.Command {
	p := &transcribing{streams: s}
	cmd := &cobra.Command{
		Use:   "peg GRAMMAR",
		Short: "Write a PEG for pigeon that is proven equal to a grammar",
		Long: `peg writes a .peg file in pigeon's notation with a rule for each production: as printed
where an ordered choice matches what the production derives, with its alternatives in
another order where that does, or with what follows a choice inside of its alternatives.
Each rule that is marked so is proven to match exactly the strings that its production
derives; a rule for which that could not be done is marked with a question mark, and is
named on standard error with the shortest string in which it differs, or the limit that
was passed. The file is as fmt lays it out, unless it is larger than 1 MB: then each rule
is one line.`,
		Example: `  bnfcheck peg uri.abnf#URI-reference -o uri.peg
  bnfcheck prove uri.abnf#URI-reference uri.peg`,
		Args: takes("one GRAMMAR"),
		RunE: func(_ *cobra.Command, args []string) error { return p.run(args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&p.pkg, "package", "", "the `NAME` of the package that pigeon writes (default: that of the file)")
	flags.StringVarP(&p.file, "output", "o", "", "write to `FILE` instead of standard output")
	p.naming = addNaming(s, cmd)
	return cmd
}

// transcribing carries out one peg command.
type transcribing struct {
	*streams
	naming    *naming
	pkg, file string
}

// mostLaidOut is the size, in bytes, of the largest PEG that is laid out. In a larger one, which written-out counts
// make, each rule is one line: laying it out would take more than a hundred times its size in memory.
const mostLaidOut = 1 << 20

// run writes a PEG for the grammar. A rule that is not proven is a complaint, and makes it fail with errOpen after the
// PEG is written. It writes nothing for a grammar that is a PEG, or for an expression that has no grammar.
func (p *transcribing) run(name string) error {
	opened, err := p.naming.open(name)
	if err != nil {
		return err
	}
	if opened.Grammar.Ordered {
		return fmt.Errorf("%s is a PEG already", opened.File)
	}
	if opened.Models() {
		return noGrammar(opened)
	}
	start, err := opened.Start()
	if err != nil {
		return classifyNameError(err)
	}
	if opened.Grammar.Title == opened.File { // so that the PEG does not depend on the folder that it is made in
		opened.Grammar.Title = filepath.Base(opened.File)
	}
	result, err := bnftopeg.PEG(opened.Grammar, start.ID, cmp.Or(p.pkg, packageOf(opened.File)))
	if err != nil {
		return p.fail(err)
	}
	text := []byte(result.Text)
	if len(text) <= mostLaidOut {
		text, err = format.PEG(cmp.Or(p.file, "<standard output>"), text)
		if err != nil {
			return err
		}
	}
	if err := p.output(p.file, atomicfile.Text(text)); err != nil {
		return err
	}
	for _, r := range result.Rules {
		if r.Form == bnftopeg.Unproven {
			p.complain("bnfcheck: %s: %s: not proven: %s", r.Pos, r.Production, r.Why)
			p.earned = errOpen
		}
	}
	return p.earned
}
