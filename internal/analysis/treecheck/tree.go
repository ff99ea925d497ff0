// Package treecheck checks the form of trees of package ast: what any tree that a parser builds must satisfy,
// whatever the grammar.
package treecheck

import (
	"errors"
	"fmt"

	"github.com/bnfcheck/bnfcheck/ast"
)

// Tree checks the form of a tree. The error is the first of these rules that is broken: every node is of a production
// of the grammar; the root spans the source; a node's subtree ends no later than its parent's; children lie inside
// their parent, in order and without overlap (a node may be empty); a node of a lexical production is the only node.
// Tree does not check that the productions derive the texts of their nodes.
func Tree(t *ast.Tree) error {
	switch {
	case t == nil:
		return errors.New("no tree")
	case t.Grammar == nil:
		return errors.New("a tree without a grammar")
	case len(t.Nodes) == 0:
		return errors.New("a tree without nodes")
	}
	root := t.Nodes[0]
	if int(root.Next) != len(t.Nodes) {
		return fmt.Errorf("the root's subtree ends at node %d of %d", root.Next, len(t.Nodes))
	}
	if root.Start != 0 || int(root.End) != len(t.Source) {
		return fmt.Errorf("the root spans %d..%d of 0..%d", root.Start, root.End, len(t.Source))
	}
	type frame struct {
		ast.Raw
		at int32 // no further child may start before
	}
	var open []frame
	for i, n := range t.Nodes {
		p := t.Grammar.Production(n.Kind)
		if n.Kind == 0 || p.ID == "" {
			return fmt.Errorf("node %d is of kind %d, which is no production of %s", i, n.Kind, t.Grammar.Name)
		}
		if p.Lexical && len(t.Nodes) > 1 {
			return fmt.Errorf("node %d is a %s, which is lexical", i, p.ID)
		}
		for len(open) > 0 && int(open[len(open)-1].Next) <= i {
			open = open[:len(open)-1]
		}
		switch {
		case n.Start < 0 || n.Start > n.End:
			return fmt.Errorf("node %d (%s) spans %d..%d", i, p.ID, n.Start, n.End)
		case int(n.Next) <= i:
			return fmt.Errorf("the subtree of node %d (%s) ends at node %d", i, p.ID, n.Next)
		}
		if len(open) > 0 {
			parent := &open[len(open)-1]
			switch {
			case n.Next > parent.Next:
				return fmt.Errorf("the subtree of node %d (%s) ends at node %d, its parent's at %d", i, p.ID, n.Next,
					parent.Next)
			case n.End > parent.End || n.Start < parent.Start:
				return fmt.Errorf("node %d (%s) spans %d..%d, its parent %d..%d", i, p.ID, n.Start, n.End,
					parent.Start, parent.End)
			case n.Start < parent.at:
				return fmt.Errorf("node %d (%s) starts at %d, the node before it ends at %d", i, p.ID, n.Start,
					parent.at)
			}
			parent.at = n.End
		}
		open = append(open, frame{n, n.Start})
	}
	return nil
}
