// Package published makes the grammars of package bnfcheck known to the machine for any grammar. A program or a test that
// is to know "rfc1738" by its name imports it; nothing else is needed, since [catalog.Register] is called as the program
// starts.
package published

import (
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/gen"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
)

func init() {
	for _, g := range bnfcheck.Grammars() {
		catalog.Register(catalog.Published{
			Grammar:   g.Grammar,
			Whole:     g.Whole(),
			Preferred: slices.Contains(bnfcheck.RFCs(), g),
			Pigeon:    gen.Pigeons[g.Name].Tree,
		})
	}
}

// Of returns the grammar that was opened as package bnfcheck has it, or nil if it is not built in or has no parser.
func Of(opened *catalog.Opened) *bnfcheck.Grammar {
	known := opened.Published()
	if known == nil {
		return nil
	}
	for _, g := range bnfcheck.Grammars() {
		if g.Grammar == known.Grammar {
			return g
		}
	}
	return nil
}
