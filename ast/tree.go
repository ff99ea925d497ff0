package ast

import "iter"

// Raw is a node as it is stored. Next is the index of the first node after its subtree: the node's next
// sibling, where it has one, else where its parent's subtree ends too.
type Raw struct {
	Kind       Kind
	Start, End int32 // the node's text is Source[Start:End]
	Next       int32
}

// Tree is the tree of an accepted string. Nodes stand in pre-order, so that the descendants of Nodes[i] are
// Nodes[i+1:Nodes[i].Next]; Nodes[0] is the root and spans all of Source. [Check] holds a tree against these
// invariants; every tree that a parser gives meets them.
type Tree struct {
	Grammar *Grammar
	Source  string
	Nodes   []Raw
}

// Root gives the root, or the zero Node where t has no nodes.
func (t *Tree) Root() Node { return t.Node(0) }

// Node gives Nodes[i] as a Node, or the zero Node where t has no such node.
func (t *Tree) Node(i int) Node {
	if t == nil || i < 0 || i >= len(t.Nodes) {
		return Node{}
	}
	return Node{t, int32(i)}
}

// Node is a node of a tree. It is a small value, comparable with ==, and good as long as its tree's Nodes
// are not overwritten. The zero Node stands for "no node": it has kind 0, no text and no children.
type Node struct {
	tree *Tree
	i    int32
}

func (n Node) raw() Raw {
	if n.tree == nil || int(n.i) >= len(n.tree.Nodes) {
		return Raw{}
	}
	return n.tree.Nodes[n.i]
}

// IsZero reports whether n is the zero Node.
func (n Node) IsZero() bool { return n.tree == nil }

// Tree gives the tree that n belongs to, nil for the zero Node.
func (n Node) Tree() *Tree { return n.tree }

// Index gives n's place in its tree's Nodes.
func (n Node) Index() int { return int(n.i) }

// Kind gives n's production.
func (n Node) Kind() Kind { return n.raw().Kind }

// Start gives the offset of n's first byte in the source.
func (n Node) Start() int { return int(n.raw().Start) }

// End gives the offset of the first byte after n in the source.
func (n Node) End() int { return int(n.raw().End) }

// Text gives the part of the source that n's production derives.
func (n Node) Text() string {
	r := n.raw()
	if n.tree == nil || r.Start < 0 || r.Start > r.End || int(r.End) > len(n.tree.Source) {
		return ""
	}
	return n.tree.Source[r.Start:r.End]
}

// Production describes n's production.
func (n Node) Production() Production {
	if n.tree == nil {
		return Production{}
	}
	return n.tree.Grammar.Production(n.Kind())
}

// Name gives the RFC's name of n's production: "path", "gopher+_string".
func (n Node) Name() string { return n.Production().Name }

// ID gives the ID of n's production, unique in its grammar: "uri_path", "gopher+_string".
func (n Node) ID() string { return n.Production().ID }

// limit is the index of the first node after n's subtree.
func (n Node) limit() int32 {
	if n.tree == nil {
		return 0
	}
	return min(n.raw().Next, int32(len(n.tree.Nodes)))
}

// Children gives n's children in their order.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i, end := n.i+1, n.limit(); i < end; {
			if !yield(Node{n.tree, i}) {
				return
			}
			i = max(i+1, n.tree.Nodes[i].Next)
		}
	}
}

// Child gives n's first child of kind k, and false where it has none.
func (n Node) Child(k Kind) (Node, bool) {
	for i, end := n.i+1, n.limit(); i < end; i = max(i+1, n.tree.Nodes[i].Next) {
		if n.tree.Nodes[i].Kind == k {
			return Node{n.tree, i}, true
		}
	}
	return Node{}, false
}

// Find gives the first node of kind k in n's subtree, in pre-order and n included, and false where there is
// none.
func (n Node) Find(k Kind) (Node, bool) {
	for i, end := n.i, n.limit(); i < end; i++ {
		if n.tree.Nodes[i].Kind == k {
			return Node{n.tree, i}, true
		}
	}
	return Node{}, false
}

// All walks n's subtree in pre-order, n included, and gives each node with its depth below n (that of n is
// 0).
func (n Node) All() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) {
		// The ends of the subtrees that the walk is in. Deeper than any tree of these grammars: it does
		// not grow.
		var room [32]int32
		open := room[:0]
		for i, end := n.i, n.limit(); i < end; i++ {
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
