package engine

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Node is a node of a tree, or a part of a string that a right-hand side derives without one: the index of its
// production, -1 for a terminal; where it begins and ends; its depth; and the line and the column of its name, or of
// the terminal, in the production above it.
type Node [6]int

// The bounds of trees that tell which part of a right-hand side derives what.
const (
	maxUses = 1500 // names and terminals in a grammar
	maxWord = 2000 // bytes of a string
)

// withUses returns a parser whose trees tell which name or terminal of a right-hand side derived each part.
// For that, the grammar gets one more production for each such use in a production that is a node of trees;
// its own productions keep their indices, and the uses follow in h.uses, which withUses sets. With more than
// maxUses, or if no such parser can be made, the result is the plain parser. parserOf keeps the result.
func (h *held) withUses() (*anygrammar.Parser, error) {
	g := h.Grammar
	var uses []*expr.Rule
	lexical := bnf.Lexical(g)
	rules := make([]*expr.Rule, len(g.Rules))
	var nodes []string
	var wrap func(e *expr.Expr) *expr.Expr
	wrap = func(e *expr.Expr) *expr.Expr {
		switch e.Op {
		case expr.Ref, expr.Literal, expr.Class:
			use := &expr.Rule{ID: fmt.Sprintf("use %d", len(uses)), Expr: e, Pos: e.Pos}
			uses, nodes = append(uses, use), append(nodes, use.ID)
			return expr.To(use.ID)
		case expr.Alt, expr.Seq, expr.Repeat:
			return e.Map(wrap)
		}
		return e // of a PEG, a lookahead among them
	}
	for i, r := range g.Rules {
		rules[i] = r
		if lexical(r.ID) && r.ID != h.Asked || len(uses) > maxUses {
			continue
		}
		c := *r
		c.Expr = wrap(r.Expr)
		rules[i], nodes = &c, append(nodes, r.ID)
	}
	if len(uses) <= maxUses {
		opened := *h.Opened
		opened.Grammar = g.With(append(rules, uses...))
		if p, err := anygrammar.New(&opened, nodes...); err == nil {
			h.uses = uses
			return p, nil
		}
	}
	return anygrammar.New(h.Opened)
}

// addTree sets in v the nodes of a string that is accepted, at most maxNodes of them, the number of all, and the parts
// that no node covers, also at most maxNodes. It leaves out parts that are empty, and those below a node that is not
// listed. p must be the parser of withUses or the plain one, which tells no parts. It fails as p.Parse does.
func (h *held) addTree(p *anygrammar.Parser, w string, v *Verdict) error {
	t, err := p.Parse(w)
	if err != nil {
		return err
	}
	own := len(h.Grammar.Rules)
	var pos expr.Pos
	// listed says whether the node above n is listed: a part below one that is not has no place to be shown.
	var add func(n ast.Node, depth int, listed bool)
	add = func(n ast.Node, depth int, listed bool) {
		rule := int(n.Kind()) - 1
		if rule >= own { // a use: below it is the node of the production that is used, if that is one
			use := h.uses[rule-own]
			pos = use.Pos
			for c := range n.Children() {
				add(c, depth, listed)
				return // there is only one
			}
			if listed && len(v.Parts) < maxNodes && n.Start() < n.End() {
				isUsed := func(r *expr.Rule) bool { return use.Expr.Op == expr.Ref && r.ID == use.Expr.Name }
				rule = slices.IndexFunc(h.Grammar.Rules, isUsed)
				v.Parts = append(v.Parts, Node{rule, n.Start(), n.End(), depth, pos.Line, pos.Col})
			}
			return
		}
		v.Count++ // of nodes that are not listed, too
		listed = len(v.Nodes) < maxNodes
		if listed {
			v.Nodes = append(v.Nodes, Node{rule, n.Start(), n.End(), depth, pos.Line, pos.Col})
		}
		for c := range n.Children() {
			pos = expr.Pos{} // a use has its place for the next node only
			add(c, depth+1, listed)
		}
	}
	add(t.Root(), 0, true)
	return nil
}
