package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// File describes the productions of a grammar in a file, in its order. What the production that was meant does not
// lead to is unused; where none was meant, nothing is. The core rules of ABNF, which stand in no file, are left out.
// Nests stays empty for a PEG, and Rule and Readings for all.
func File(n *catalog.Opened) (list []*Production) {
	g := n.Grammar
	usedBy := g.Users()
	lexical := bnf.Lexical(g)
	facts := expr.Analyze(g.Rules)
	var reached []string
	if start, err := n.Meant(); err == nil {
		reached = g.ReachInText(start.ID)
	}
	for _, r := range g.Rules {
		if bnf.IsCore(r) {
			continue
		}
		p := &Production{
			Production: catalog.Production(r), Grammar: g.Name, File: r.Pos.File,
			Cite:   fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line),
			Unused: reached != nil && !slices.Contains(reached, r.ID), Uses: r.Uses(), UsedBy: usedBy[r.ID],
		}
		p.Line, p.Lexical = r.Pos.Line, lexical(r.ID)
		if e := facts.SelfEmbedding(r.ID); e != nil && !g.Ordered {
			p.Nests = e.Message()
		}
		list = append(list, p)
	}
	return list
}

// Document returns the lines that tell a person how a grammar stands in its file: the parts of a text that hold it,
// if there are several or the text is that of an RFC; what was noticed while it was read; and, unless it is a PEG,
// the names without a production.
func Document(n *catalog.Opened) (lines []string) {
	if len(n.Blocks) > 1 || n.Kind == catalog.RFC {
		for _, b := range n.Blocks {
			lines = append(lines, n.File+": "+b.String())
		}
	}
	for _, notice := range n.Notices {
		lines = append(lines, notice.String())
	}
	if !n.Grammar.Ordered {
		if err := bnf.CheckMissing(n.Grammar); err != nil {
			lines = append(lines, strings.Split(err.Error(), "\n")...)
		}
	}
	return lines
}

// AppendFile appends a table of the productions of a file. Its lines are not folded at the width of s.
func AppendFile(b []byte, s *layout.Screen, list []*Production) []byte {
	t := layout.Table{Header: []string{"production", "line", "", "as printed"}, Right: 1 << 1}
	for _, p := range list {
		t.Add(p.ID, Number(p.Line), p.noteWords(), strings.Join(strings.Fields(p.Printed), " "))
	}
	return t.Append(b, s)
}

// noteWords returns the notes of a table about a production: "lexical unused nests", or fewer of these words.
func (p *Production) noteWords() string {
	var words []string
	if p.Lexical {
		words = append(words, "lexical")
	}
	if p.Unused {
		words = append(words, "unused")
	}
	if p.Nests != "" {
		words = append(words, "nests")
	}
	return strings.Join(words, " ")
}
