package ast

import "iter"

// Raw is a node as [Tree.Nodes] stores it. Programs that walk a tree use [Node].
type Raw struct {
	Kind       Kind
	Start, End int32 // the node's text is Source[Start:End]
	Next       int32 // the index of the first node after the subtree: the next sibling, if there is one
}

// Tree is the tree of an accepted string. Its nodes are in pre-order: the descendants of Nodes[i]
// are Nodes[i+1:Nodes[i].Next], and Nodes[0] is the root, which spans all of Source. The children
// of a node lie inside it, in order and without overlap.
type Tree struct {
	Grammar *Grammar
	Source  string
	Nodes   []Raw
}

// Root returns the root, or the zero Node if t has no nodes.
func (t *Tree) Root() Node { return t.Node(0) }

// Node returns Nodes[i] as a Node, or the zero Node if i is out of range.
func (t *Tree) Node(i int) Node {
	if t == nil || i < 0 || i >= len(t.Nodes) {
		return Node{}
	}
	return Node{t, int32(i)}
}

// Node is a node of a tree. It is a small value, comparable with ==, and valid until its tree's
// Nodes are overwritten. The zero Node stands for no node: it has kind 0, no text and no children.
type Node struct {
	tree *Tree
	i    int32
}

// raw returns n as its tree stores it, or the zero Raw if the tree has no such node.
func raw(n Node) Raw {
	if n.tree == nil || int(n.i) >= len(n.tree.Nodes) {
		return Raw{}
	}
	return n.tree.Nodes[n.i]
}

// IsZero reports whether n is the zero Node.
func (n Node) IsZero() bool { return n.tree == nil }

// Tree returns the tree that n belongs to, or nil for the zero Node.
func (n Node) Tree() *Tree { return n.tree }

// Index returns the index of n in its tree's Nodes.
func (n Node) Index() int { return int(n.i) }

// Kind returns the kind of n's production.
func (n Node) Kind() Kind { return raw(n).Kind }

// Start returns the offset of n's first byte in the source.
func (n Node) Start() int { return int(raw(n).Start) }

// End returns the offset of the first byte after n in the source.
func (n Node) End() int { return int(raw(n).End) }

// Text returns the part of the source that n's production derives.
func (n Node) Text() string {
	r := raw(n)
	if n.tree == nil || r.Start < 0 || r.Start > r.End || int(r.End) > len(n.tree.Source) {
		return ""
	}
	return n.tree.Source[r.Start:r.End]
}

// Production returns n's production.
func (n Node) Production() Production {
	if n.tree == nil {
		return Production{}
	}
	return n.tree.Grammar.Production(n.Kind())
}

// Name returns the RFC's name of n's production: "path", "gopher+_string".
func (n Node) Name() string { return production(n).Name }

// ID returns the ID of n's production, which is unique in its grammar: "uri_path", "gopher+_string".
func (n Node) ID() string { return production(n).ID }

var noProduction Production

// production returns the production of n, or &noProduction if it has none. It is no method, and is
// not inlined: the compiler writes every method of Node, with all that it inlines, twice for each
// type that embeds it, and the types of a generated package do.
//
//go:noinline
func production(n Node) *Production {
	k := int(n.Kind())
	if n.tree == nil || n.tree.Grammar == nil || k >= len(n.tree.Grammar.Productions) {
		return &noProduction
	}
	return &n.tree.Grammar.Productions[k]
}

// limit returns the index of the first node after n's subtree.
func limit(n Node) int32 {
	if n.tree == nil {
		return 0
	}
	return min(raw(n).Next, int32(len(n.tree.Nodes)))
}

// Children returns an iterator over n's children, in order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i, end := n.i+1, limit(n); i < end; {
			if !yield(Node{n.tree, i}) {
				return
			}
			i = max(i+1, n.tree.Nodes[i].Next) // ends also where a tree made by hand has a wrong Next
		}
	}
}

// Child returns n's first child of kind k, and whether there is one. The zero Node has none.
func (n Node) Child(k Kind) (Node, bool) {
	for i, end := n.i+1, limit(n); i < end; i = max(i+1, n.tree.Nodes[i].Next) { // max: see Children
		if n.tree.Nodes[i].Kind == k {
			return Node{n.tree, i}, true
		}
	}
	return Node{}, false
}

// Find returns the first node of kind k in n's subtree, in pre-order and including n, and whether
// there is one.
func (n Node) Find(k Kind) (Node, bool) {
	for i, end := n.i, limit(n); i < end; i++ {
		if n.tree.Nodes[i].Kind == k {
			return Node{n.tree, i}, true
		}
	}
	return Node{}, false
}

// All returns an iterator over n's subtree in pre-order, including n, with the depth of each node
// below n (0 for n itself).
func (n Node) All() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) {
		// The ends of the subtrees that contain the current node, outermost first. No tree of the
		// published grammars is as deep as the array, so that append does not allocate.
		var room [32]int32
		open := room[:0]
		for i, end := n.i, limit(n); i < end; i++ {
			for len(open) > 0 && open[len(open)-1] <= i {
				open = open[:len(open)-1]
			}
			if !yield(len(open), Node{n.tree, i}) {
				return
			}
			open = append(open, n.tree.Nodes[i].Next)
		}
	}
}
