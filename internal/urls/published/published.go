// Package published makes the grammars of package bnfcheck known to the machine for any grammar. A program or a test
// that is to know "rfc1738" by its name imports it; nothing else is needed, since [catalog.Register] is called as the
// program starts.
package published

import (
	"slices"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
)

// init registers each grammar, and for RFC 3986 the functions that it alone has.
func init() {
	for _, g := range bnfcheck.Grammars() {
		p := catalog.Published{
			Grammar:    g.Grammar,
			Whole:      g.Whole(),
			Preferred:  slices.Contains(bnfcheck.RFCs(), g),
			Pigeon:     gen.Pigeons[g.Name].Tree,
			Check:      func(s string) catalog.Verdict { return verdictOf(g.Check(s)) },
			Components: urlComponents,
		}
		if g == bnfcheck.RFC3986 {
			p.References = true
			p.Components = uriComponents
			p.ComponentOf = uriComponentOf
			p.Disputed = disputedReferences
			p.Familiar.From, p.Familiar.To = "a://[", "http://["
		}
		catalog.Register(p)
	}
}

// verdictOf returns a verdict in the words of the catalog.
func verdictOf(v bnfcheck.Verdict) catalog.Verdict {
	return catalog.Verdict{
		Accepted:     v.Value != bnfcheck.Rejected,
		GenericOnly:  v.Value == bnfcheck.GenericOnly,
		NoProduction: v.Value == bnfcheck.NoProduction,
		Scheme:       v.Scheme,
		Production:   v.Production,
		Tree:         v.Tree,
		Why:          v.Why,
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

// Texts returns the grammars as package ast has them: by these the machine knows them.
func Texts(grammars []*bnfcheck.Grammar) (texts []*ast.Grammar) {
	for _, g := range grammars {
		texts = append(texts, g.Grammar)
	}
	return texts
}

// References returns the registered description of RFC 3986.
func References() *catalog.Published { return catalog.PublishedAs(bnfcheck.RFC3986.Grammar) }
