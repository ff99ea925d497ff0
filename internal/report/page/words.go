package page

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/proof/diff"
)

// isDerived reports whether some published grammar takes w for a whole URL, so that there is something to be seen
// when it is tried.
func isDerived(w string) bool {
	return slices.ContainsFunc(bnfcheck.Grammars(), func(g *bnfcheck.Grammar) bool { return g.Accept(g.Whole(), w) })
}

// countInEither returns how many strings of at most the counted length at least one of the two sides of d derives.
func countInEither(d *diff.Difference) *big.Int {
	all := d.OnlyA.Total()
	return all.Add(all, d.Both.Total()).Add(all, d.OnlyB.Total())
}

// countIn returns how many strings of at most the counted length lie in a region of d.
func countIn(d *diff.Difference, r diff.Region) *big.Int {
	switch r {
	case diff.OnlyA:
		return d.OnlyA.Total()
	case diff.OnlyB:
		return d.OnlyB.Total()
	}
	return d.Both.Total()
}

// shareOf returns the share of a region's strings that n are.
func shareOf(d *diff.Difference, r diff.Region, n *big.Int) string {
	return layout.Share(n, countIn(d, r))
}

// shareWithin returns how much of a language is in the other one: all, some or none of its strings.
func shareWithin(d diff.Distance) string {
	switch {
	case d.In():
		return "all"
	case d.Relation == diff.Disjoint:
		return "none"
	}
	return "some"
}

// describePlace returns where lines of a text are: "RFC 1738 section 3.1, lines 302-304".
func describePlace(title, section, lines string) string {
	return citation.Place{Title: title, Section: section, Lines: lines}.String()
}

// lineList returns numbers of lines as [describePlace] takes them.
func lineList(ns []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(ns), " ", ", "), "[]")
}
