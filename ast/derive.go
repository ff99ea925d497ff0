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
		tree = holding(nodes)
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

// A tree with room for its nodes is one allocation. The sizes are some of those in which Go gives memory: 176, 224, 288,
// 384 and 512 bytes.
type (
	tree8 struct {
		Tree
		room [8]Raw
	}
	tree11 struct {
		Tree
		room [11]Raw
	}
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

// holding gives a tree with a copy of nodes.
func holding(nodes []Raw) *Tree {
	switch n := len(nodes); {
	case n <= 8:
		t := new(tree8)
		return t.hold(t.room[:n:n], nodes)
	case n <= 11:
		t := new(tree11)
		return t.hold(t.room[:n:n], nodes)
	case n <= 15:
		t := new(tree15)
		return t.hold(t.room[:n:n], nodes)
	case n <= 21:
		t := new(tree21)
		return t.hold(t.room[:n:n], nodes)
	case n <= 29:
		t := new(tree29)
		return t.hold(t.room[:n:n], nodes)
	default:
		t := new(Tree)
		return t.hold(make([]Raw, n), nodes)
	}
}

func (t *Tree) hold(room, nodes []Raw) *Tree {
	copy(room, nodes)
	t.Nodes = room
	return t
}
