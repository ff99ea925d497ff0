package treecheck

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

// The productions of the trees below.
const (
	_ ast.Kind = iota
	Address
	Pair
	Host
	Port
	Digit
)

var tiny = &ast.Grammar{Name: "tiny", Productions: []ast.Production{
	{},
	{ID: "address", Name: "address"},
	{ID: "pair", Name: "pair"},
	{ID: "uri_host", Name: "host"},
	{ID: "url_port", Name: "port"},
	{ID: "digit", Name: "digit", Lexical: true},
}}

// pairTree returns the tree of "host:80" as an address.
func pairTree() *ast.Tree {
	return &ast.Tree{Grammar: tiny, Source: "host:80", Nodes: []ast.Raw{
		{Kind: Address, Start: 0, End: 7, Next: 4},
		{Kind: Pair, Start: 0, End: 7, Next: 4},
		{Kind: Host, Start: 0, End: 4, Next: 3},
		{Kind: Port, Start: 5, End: 7, Next: 4},
	}}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestTree(t *testing.T) {
	if err := Tree(pairTree()); err != nil {
		t.Error(err)
	}
	if err := Tree(&ast.Tree{Grammar: tiny, Source: "7", Nodes: []ast.Raw{{Kind: Digit, End: 1, Next: 1}}}); err != nil {
		t.Errorf("a lexical production as the only node: %v", err)
	}
	for _, c := range []struct {
		breakIt func(*ast.Tree)
		err     string
	}{
		{func(t *ast.Tree) { t.Grammar = nil }, "a tree without a grammar"},
		{func(t *ast.Tree) { t.Nodes = nil }, "a tree without nodes"},
		{func(t *ast.Tree) { t.Nodes = t.Nodes[:3] }, "the root's subtree ends at node 4 of 3"},
		{func(t *ast.Tree) { t.Source += "0" }, "the root spans 0..7 of 0..8"},
		{func(t *ast.Tree) { t.Nodes[0].Start = 1 }, "the root spans 1..7 of 0..7"},
		{func(t *ast.Tree) { t.Nodes[2].Kind = 0 }, "node 2 is of kind 0, which is no production of tiny"},
		{func(t *ast.Tree) { t.Nodes[2].Kind = 99 }, "node 2 is of kind 99, which is no production of tiny"},
		{func(t *ast.Tree) { t.Nodes[3].Kind = Digit }, "node 3 is a digit, which is lexical"},
		{func(t *ast.Tree) { t.Nodes[1].Start, t.Nodes[1].End = 3, 2 }, "node 1 (pair) spans 3..2"},
		{func(t *ast.Tree) { t.Nodes[1].Start = -1 }, "node 1 (pair) spans -1..7"},
		{func(t *ast.Tree) { t.Nodes[2].Next = 2 }, "the subtree of node 2 (uri_host) ends at node 2"},
		{func(t *ast.Tree) { t.Nodes[1].Next = 3; t.Nodes[2].Next = 4 },
			"the subtree of node 2 (uri_host) ends at node 4, its parent's at 3"},
		{func(t *ast.Tree) { t.Nodes[1].End = 6 }, "node 3 (url_port) spans 5..7, its parent 0..6"},
		{func(t *ast.Tree) { t.Nodes[1].Start = 1 }, "node 2 (uri_host) spans 0..4, its parent 1..7"},
		{func(t *ast.Tree) { t.Nodes[2].End = 6 }, "node 3 (url_port) starts at 5, the node before it ends at 6"},
		{func(t *ast.Tree) { t.Nodes[1].Next = 3 }, "node 3 (url_port) starts at 5, the node before it ends at 7"},
	} {
		tree := pairTree()
		c.breakIt(tree)
		if err := Tree(tree); message(err) != c.err {
			t.Errorf("%v; want %s", err, c.err)
		}
	}
	if err := Tree(nil); message(err) != "no tree" {
		t.Error(err)
	}
}
