package command

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/urls/claims"
)

// newClaims returns the command claims, which decides what the RFCs claim about themselves.
func newClaims(s *streams) *cobra.Command {
	c := &claiming{streams: s}
	cmd := &cobra.Command{
		Use:   "claims [GRAMMAR | ID ...]",
		Short: "Decide what the RFCs claim about themselves",
		Long: `claims decides the claims that the RFCs make about their own grammars: each holds or is
refuted, with the strings that refute it, for the grammar as it is read and as it is
printed. With IDs, only these claims; a grammar, such as 1738, stands for all of its own.

--printed lists every URI and URL that either text prints, with the verdict of that
text's own grammar.`,
		Example: `  bnfcheck claims 1738
  bnfcheck claims --rfc 1630 --printed`,
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	flags := cmd.Flags()
	c.rfcs = addRFC(cmd)
	cmd.ValidArgsFunction = words(c.rfcs.claimIDs)
	flags.BoolVar(&c.printed, "printed", false, "list the URLs that the texts print")
	c.add(s, cmd)
	c.format = addChoice(cmd, "format", "how to print", append([]string{"text", "json"}, documents...)...)
	return cmd
}

// claiming carries out one claims command.
type claiming struct {
	*streams
	rfcs    *rfcs
	printed bool
	format  *choice
	limiting
}

// run prints the claims that ids name, all of them without any. An id may also be the name of a text: the claims of
// such texts, in place of those of --rfc, are then the only ones. An unknown ID is an error, and a refuted claim is
// none. With --printed it prints the URLs that the texts print instead; it then refuses the IDs of claims, and a
// format for documents.
func (c *claiming) run(ids []string) error {
	if c.printed && c.format.isDocument() {
		return fmt.Errorf("--format %s is for claims, and not for --printed", c.format.value)
	}
	if c.printed && len(ids) > 0 {
		return errors.New("--printed and the IDs of claims cannot be used together")
	}
	// The names of texts are taken out of ids: they say where to look, and the others say what for.
	var named []*bnfcheck.Grammar
	ids = slices.DeleteFunc(slices.Clone(ids), func(arg string) bool {
		g, err := bnfcheck.Find(arg)
		if err == nil {
			named = append(named, g)
		}
		return err == nil
	})
	if named == nil {
		named = *c.rfcs
	}
	var names []string
	var rows []claims.PrintedURL
	for _, g := range named {
		names = append(names, g.Name)
		if c.printed {
			of, err := claims.Printed(g.Name)
			if err != nil {
				return err
			}
			rows = append(rows, of...)
		}
	}
	if c.printed {
		return printAll(c.streams, c.format, rows, claims.WritePrinted)
	}
	left, err := c.askedBudget()
	if err != nil {
		return err
	}
	list, err := claims.Of(left, names...)
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		if list, err = pickClaims(list, ids); err != nil {
			return err
		}
	}
	if c.format.isDocument() {
		return results.Write(c.out, c.format.value, claims.Results(list))
	}
	return printAll(c.streams, c.format, list, claims.WriteText)
}

// pickClaims returns the claims with these IDs, in the order of the IDs. An unknown ID is an error that suggests
// others.
func pickClaims(list []claims.Claim, ids []string) ([]claims.Claim, error) {
	var picked []claims.Claim
	for _, id := range ids {
		n := len(picked)
		for _, c := range list {
			if c.ID == id {
				picked = append(picked, c)
			}
		}
		if len(picked) == n {
			known := func() (known []string) {
				for _, c := range list {
					known = append(known, c.ID)
				}
				return known
			}
			return nil, didYouMean(fmt.Errorf("no claim %q; bnfcheck claims lists all", id), id, known)
		}
	}
	return picked, nil
}
