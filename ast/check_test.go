package ast_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

func TestCheck(t *testing.T) {
	if err := ast.Check(pairTree()); err != nil {
		t.Error(err)
	}
	if err := ast.Check(&ast.Tree{Grammar: tiny, Source: "7", Nodes: []ast.Raw{{Digit, 0, 1, 1}}}); err != nil {
		t.Errorf("a lexical production as the only node: %v", err)
	}
	for _, c := range []struct {
		breakIt func(*ast.Tree)
		err     string
	}{
		{func(t *ast.Tree) { t.Grammar = nil }, "ast: a tree without a grammar"},
		{func(t *ast.Tree) { t.Nodes = nil }, "ast: a tree without nodes"},
		{func(t *ast.Tree) { t.Nodes = t.Nodes[:3] }, "ast: the root's subtree ends at node 4 of 3"},
		{func(t *ast.Tree) { t.Source += "0" }, "ast: the root spans 0..7 of 0..8"},
		{func(t *ast.Tree) { t.Nodes[0].Start = 1 }, "ast: the root spans 1..7 of 0..7"},
		{func(t *ast.Tree) { t.Nodes[2].Kind = 0 }, "ast: node 2 is of kind 0, which is no production of tiny"},
		{func(t *ast.Tree) { t.Nodes[2].Kind = 99 }, "ast: node 2 is of kind 99, which is no production of tiny"},
		{func(t *ast.Tree) { t.Nodes[3].Kind = Digit }, "ast: node 3 is a digit, which is lexical"},
		{func(t *ast.Tree) { t.Nodes[1].Start, t.Nodes[1].End = 3, 2 }, "ast: node 1 (pair) spans 3..2"},
		{func(t *ast.Tree) { t.Nodes[1].Start = -1 }, "ast: node 1 (pair) spans -1..7"},
		{func(t *ast.Tree) { t.Nodes[2].Next = 2 }, "ast: the subtree of node 2 (uri_host) ends at node 2"},
		{func(t *ast.Tree) { t.Nodes[1].Next = 3; t.Nodes[2].Next = 4 }, "ast: the subtree of node 2 (uri_host) ends at node 4, its parent's at 3"},
		{func(t *ast.Tree) { t.Nodes[1].End = 6 }, "ast: node 3 (url_port) spans 5..7, its parent 0..6"},
		{func(t *ast.Tree) { t.Nodes[1].Start = 1 }, "ast: node 2 (uri_host) spans 0..4, its parent 1..7"},
		{func(t *ast.Tree) { t.Nodes[2].End = 6 }, "ast: node 3 (url_port) starts at 5, the node before it ends at 6"},
		{func(t *ast.Tree) { t.Nodes[1].Next = 3 }, "ast: node 3 (url_port) starts at 5, the node before it ends at 7"},
	} {
		tree := pairTree()
		c.breakIt(tree)
		if err := ast.Check(tree); message(err) != c.err {
			t.Errorf("%v; want %s", err, c.err)
		}
	}
	if err := ast.Check(nil); message(err) != "ast: no tree" {
		t.Error(err)
	}
}
