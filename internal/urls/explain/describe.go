// Package explain describes the productions of grammars without any proof: where the text prints each, the rule that
// transcribes it, the readings that concern it, what it uses and what uses it. It also describes the grammars, the
// rules of the prose and the steps by which a URL is accessed.
//
// The commands explain, grammars and rules print it, and the report adds the proof.
package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Production describes a production and its uses. Other productions of the grammar are named by their IDs.
type Production struct {
	ast.Production
	Grammar string // "rfc1738"
	Cite    string // "RFC 1738 section 5, page 18, line 983"
	Unused  bool   // the grammar's start, as the text is read and not as it is printed, does not lead to it
	Rule    *Rule  // nil in a reference, which has no parser
	File    string // the user's file that it stands in, to which Line belongs; "" for an embedded grammar
	Nests   string // how it embeds itself, if it is in a user's BNF and does

	Readings []bnf.Reading // that touch it, those that are off as well

	// Uses and UsedBy refer to the printed text, not to its reading: a person sees those when reading it.
	Uses, UsedBy []string
}

// A Rule is the transcription of a production.
type Rule struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Mark    string `json:"mark,omitempty"`    // how it is carried over: see [Meaning]
	Comment string `json:"comment,omitempty"` // the lines above it, with the mark and the printed line
	Source  string `json:"source"`
}

// Productions describes the productions of a grammar in the order of its text. The grammar is a published one
// or a reference. It fails if a transcription cannot be read, or if the name is that of neither.
func Productions(src *bnf.Source) ([]*Production, error) {
	printed, start, err := listProductions(src)
	if err != nil {
		return nil, err
	}
	var rules *expr.Grammar // the transcription; a reference has none
	if !slices.Contains(bnf.References(), src.Text.Name) {
		if rules, err = peg.Load(src.Default); err != nil {
			return nil, err
		}
	}
	usedBy := src.Text.Users()
	reached := src.Default.Reach(start)
	var list []*Production
	for _, p := range printed {
		r := src.Text.Rule(p.ID)
		out := &Production{
			Production: p, Grammar: src.Text.Name, Cite: citation.Place{
				Title: src.Text.Title, Section: r.Section, Page: r.Page, Lines: strconv.Itoa(r.Line),
			}.String(),
			Unused: !slices.Contains(reached, p.ID), Uses: expr.Refs(r.Expr), UsedBy: usedBy[p.ID],
		}
		if rules != nil {
			out.Rule = transcription(rules.Rule(p.ID))
		}
		for _, reading := range src.Readings {
			if slices.Contains(reading.Productions, p.ID) {
				out.Readings = append(out.Readings, reading)
			}
		}
		list = append(list, out)
	}
	return list, nil
}

// listProductions returns the productions of a grammar and the ID of its start. The start of a reference is
// its first production, which stands for the whole text. It fails for a name of no grammar.
func listProductions(src *bnf.Source) (list []ast.Production, start string, err error) {
	if !slices.Contains(bnf.References(), src.Text.Name) {
		g, err := bnfcheck.Find(src.Text.Name)
		if err != nil {
			return nil, "", err
		}
		return g.Productions(), g.Production(g.Default).ID, nil
	}
	list = catalog.Referenced(src.Text.Name)
	return list, list[0].ID, nil
}

// transcription describes a rule, nil for none.
func transcription(r *expr.Rule) *Rule {
	if r == nil {
		return nil
	}
	return &Rule{r.Pos.File, r.Pos.Line, markOf(r.Comment), r.Comment, r.Printed}
}

// markOf returns the mark above a rule: the characters of [marks] that stand before the printed line in its comment,
// "" for none.
func markOf(comment string) string {
	comment = strings.TrimLeft(comment, " ")
	return comment[:len(comment)-len(strings.TrimLeft(comment, "=~!*"))]
}

// Meaning returns a mark in words: "read through the ledger, rewritten"; "" for no mark.
func Meaning(mark string) string {
	var words []string
	for _, c := range mark {
		words = append(words, marks[c])
	}
	return strings.Join(words, ", ")
}

// marks has the meaning of each character of a mark.
var marks = map[rune]string{
	'=': "as printed",
	'~': "alternatives reordered",
	'!': "rewritten",
	'*': "read through the ledger",
}
