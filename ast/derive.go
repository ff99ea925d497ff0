package ast

import "sync"

// Derive gives the tree of src as derived by start. The error is a [*SyntaxError].
func (g *Grammar) Derive(start Kind, src string) (*Tree, error) {
	if len(src) > scratchSource {
		return g.derive(start, src)
	}
	scratch := scratches.Get().(*[scratchNodes]Raw)
	nodes, ok := g.Parse(scratch[:0], start, src)
	var tree *Tree
	switch {
	case !ok:
	case len(nodes) > scratchNodes: // they are in memory of their own
		tree = &Tree{Nodes: nodes}
	default:
		tree = holding(scratch, len(nodes))
	}
	scratches.Put(scratch)
	if !ok {
		return nil, g.Rejection(start, src)
	}
	tree.Grammar, tree.Source = g, src
	return tree, nil
}

// derive makes the tree where it stays.
func (g *Grammar) derive(start Kind, src string) (*Tree, error) {
	nodes, ok := g.Parse(make([]Raw, 0, 16+len(src)/4), start, src)
	if !ok {
		return nil, g.Rejection(start, src)
	}
	return &Tree{g, src, nodes}, nil
}

// How many nodes a string has is known when it is parsed. A string of usual length is parsed into scratch memory, so that
// its tree takes no more than it needs, and a rejected one nothing: new memory is what a new tree costs most.
const (
	scratchNodes  = 256
	scratchSource = 1 << 10
)

var scratches = sync.Pool{New: func() any { return new([scratchNodes]Raw) }}

// A tree with room for its nodes is one allocation. The sizes are some of those in which Go gives memory (288, 384 and 512
// bytes), and few: which it will be is foreseen more often, and what is faster to copy is a number of nodes that the
// compiler knows.
type (
	tree15 struct {
		Tree
		room [15]Raw
	}
	tree21 struct {
		Tree
		room [21]Raw
	}
	tree29 struct {
		Tree
		room [29]Raw
	}
)

// holding gives a tree with a copy of the first n nodes. What else is copied nobody sees.
func holding(scratch *[scratchNodes]Raw, n int) *Tree {
	switch {
	case n <= 15:
		t := new(tree15)
		t.room = [15]Raw(scratch[:15])
		t.Nodes = t.room[:n:n]
		return &t.Tree
	case n <= 21:
		t := new(tree21)
		t.room = [21]Raw(scratch[:21])
		t.Nodes = t.room[:n:n]
		return &t.Tree
	case n <= 29:
		t := new(tree29)
		t.room = [29]Raw(scratch[:29])
		t.Nodes = t.room[:n:n]
		return &t.Tree
	}
	return &Tree{Nodes: append(make([]Raw, 0, n), scratch[:n]...)}
}
