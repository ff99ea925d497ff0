package ast

import (
	"iter"
)

// A Typed is embedded in every type of a node in a generated package. It holds the node, and has
// the methods that are the same for all types. The type itself adds a method for each production
// that can be a child. The zero value stands for no node; its methods return zero values.
type Typed struct{ n Node }

// The methods of Typed are few and not inlined, since the compiler writes each of them twice for
// each type around it.

// Node returns the node, for all that nodes can do.
func (t Typed) Node() Node { return t.n }

// IsZero reports whether there is no node.
func (t Typed) IsZero() bool { return t.n.tree == nil }

// Text returns the part of the source that the node's production derives.
//
//go:noinline
func (t Typed) Text() string { return t.n.Text() }

// Start returns the offset of the node's first byte in the source.
//
//go:noinline
func (t Typed) Start() int { return t.n.Start() }

// End returns the offset of the first byte after the node in the source.
//
//go:noinline
func (t Typed) End() int { return t.n.End() }

// Position returns the position of the node's first byte in the source.
//
//go:noinline
func (t Typed) Position() Position { return t.n.Position() }

// Alternative returns the alternative by which the node was derived: see [Node.Alternative].
//
//go:noinline
func (t Typed) Alternative() Alternative { return t.n.Alternative() }

// String returns the node as [Node.String] does.
//
//go:noinline
func (t Typed) String() string { return t.n.String() }

// Child returns the first child of kind k, or no node if there is none.
//
//go:noinline
func (t Typed) Child(k Kind) Typed {
	c, _ := t.n.Child(k)
	return Typed{c}
}

// As is for generated code: it returns n, or no node if n is not of kind k.
//
//go:noinline
func (n Node) As(k Kind) Typed {
	if n.Kind() != k {
		n = Node{}
	}
	return Typed{n}
}

// Each is for generated code: it returns an iterator over the children of kind k as Ts, in order.
//
//go:noinline
func Each[T ~struct{ Typed }](t Typed, k Kind) iter.Seq[T] {
	return func(yield func(T) bool) {
		for c := range t.n.Children() {
			if c.Kind() == k && !yield(T(struct{ Typed }{Typed{c}})) {
				return
			}
		}
	}
}

// First returns the first element of a sequence, or the zero value if it is empty. It is for a program
// that wants one child where the grammar allows several:
//
//	summary := ast.First(event.Eventprop().Summary())
func First[T any](all iter.Seq[T]) (first T) {
	for x := range all {
		return x
	}
	return first
}
