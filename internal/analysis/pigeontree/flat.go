// Package pigeontree makes the flat trees of package ast from nested drafts, which the actions of pigeon's parsers
// return from the leaves up.
package pigeontree

import (
	"errors"
	"fmt"
	"math"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
)

// Draft is a node before its tree is flat: what an action returns.
type Draft struct {
	Kind       ast.Kind
	Start, End int
	Children   []*Draft
}

// Node returns the draft of a node of kind k with the given text, which begins at start. Its children are the drafts
// in v, in order. v is what pigeon passes to an action: a draft, a []any of such values at any depth, or what lexical
// rules and literals leave there (byte slices and nil), which is skipped.
func Node(k ast.Kind, start int, text []byte, v any) *Draft {
	return &Draft{Kind: k, Start: start, End: start + len(text), Children: appendDrafts(nil, v)}
}

// appendDrafts appends the drafts in v. Its recursion is as deep as the parentheses and lexical rules of one
// right-hand side are nested: a repetition is one []any, however long.
func appendDrafts(to []*Draft, v any) []*Draft {
	switch v := v.(type) {
	case *Draft:
		if v != nil {
			to = append(to, v)
		}
	case []any:
		for _, e := range v {
			to = appendDrafts(to, e)
		}
	}
	return to
}

// Tree returns the tree of src whose root is d. The error tells where d does not describe a well-formed tree.
func Tree(g *ast.Grammar, src string, d *Draft) (*ast.Tree, error) {
	if d == nil {
		return nil, errors.New("flat: no draft to flatten")
	}
	type frame struct {
		children []*Draft // still to be placed
		node     int32
	}
	t := &ast.Tree{Grammar: g, Source: src}
	var open []frame
	place := func(d *Draft) error {
		switch {
		case d.Start < 0 || d.Start > d.End || d.End > len(src) || d.End > math.MaxInt32:
			return fmt.Errorf("flat: node %d: span %d..%d in a source of %d bytes", len(t.Nodes), d.Start, d.End,
				len(src))
		case len(t.Nodes) == math.MaxInt32:
			return errors.New("flat: more nodes than an int32 can count")
		}
		open = append(open, frame{d.Children, int32(len(t.Nodes))})
		t.Nodes = append(t.Nodes, ast.Raw{Kind: d.Kind, Start: int32(d.Start), End: int32(d.End)})
		return nil
	}
	if err := place(d); err != nil {
		return nil, err
	}
	for len(open) > 0 {
		top := &open[len(open)-1]
		if len(top.children) == 0 {
			t.Nodes[top.node].Next = int32(len(t.Nodes))
			open = open[:len(open)-1]
			continue
		}
		child := top.children[0]
		top.children = top.children[1:]
		if child == nil {
			continue
		}
		if err := place(child); err != nil {
			return nil, err
		}
	}
	if err := treecheck.Tree(t); err != nil {
		return nil, err
	}
	return t, nil
}
