package ast

// A Visitor's method Visit is called by [Walk] for each node, as in package go/ast. If the visitor
// w that it returns is not nil, Walk visits each of the children of n with w, and then calls
// w.Visit with the zero Node.
type Visitor interface {
	Visit(n Node) (w Visitor)
}

// Walk visits the subtree of n, in the order of the source. It does not recurse, so that it takes
// trees of any depth.
func Walk(v Visitor, n Node) {
	type open struct {
		w   Visitor
		end int32 // of the subtree
	}
	var around []open // the visitors of the nodes that contain the current one, outermost first
	visit := v
	for i, end := n.i, limit(n); i < end; {
		for len(around) > 0 && around[len(around)-1].end <= i {
			around[len(around)-1].w.Visit(Node{})
			around = around[:len(around)-1]
		}
		if len(around) > 0 {
			visit = around[len(around)-1].w
		}
		next := min(max(n.tree.Nodes[i].Next, i+1), end)
		w := visit.Visit(Node{n.tree, i})
		if w == nil {
			i = next // without the nodes below
			continue
		}
		around = append(around, open{w, next})
		i++
	}
	for i := len(around) - 1; i >= 0; i-- {
		around[i].w.Visit(Node{})
	}
}

// Inspect calls f for each node of the subtree of n, in the order of the source. If f returns
// false, it does not go on below that node; otherwise it calls f with the zero Node after the nodes
// below. It is [Walk] with a function.
func Inspect(n Node, f func(Node) bool) { Walk(inspector(f), n) }

type inspector func(Node) bool

// Visit is part of [Visitor].
func (f inspector) Visit(n Node) Visitor {
	if f(n) {
		return f
	}
	return nil
}
