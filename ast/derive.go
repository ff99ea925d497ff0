package ast

import "sync"

// Derive returns the tree of src as derived by start. It fails with a [*SyntaxError] or, if src
// takes more than the default limits ([LimitsFor]), with a [*TooDeepError] or a [*TooLargeError].
func (g *Grammar) Derive(start Kind, src string) (*Tree, error) {
	if len(src) > scratchSource {
		return g.derive(start, src)
	}
	scratch := scratches.Get().(*scratchMemory)
	nodes, ok := g.parse(&scratch.run, scratch.nodes[:0], start, src)
	var tree *Tree
	switch {
	case !ok:
		err := g.reject(&scratch.run, start, src)
		scratch.run.reset() // after a parse that accepts it was not stopped, and nothing else in it counts
		scratches.Put(scratch)
		return nil, err
	case len(nodes) > 0 && &nodes[0] != &scratch.nodes[0]: // they outgrew the scratch memory
		tree = &Tree{Nodes: nodes}
	default:
		tree = newTree(&scratch.nodes, len(nodes))
	}
	scratches.Put(scratch)
	tree.Grammar, tree.Source = g, src
	return tree, nil
}

// parse is g.Parse within the limits of run, if g has limits. If one is passed, it sets run.Stopped
// and returns false.
func (g *Grammar) parse(run *Run, dst []Raw, start Kind, src string) ([]Raw, bool) {
	if g.Within == nil {
		return g.Parse(dst, start, src)
	}
	return g.Within(run, dst, start, src, true)
}

// accept reports whether start derives src. It is also false, and sets run.Stopped, if a limit of
// run is passed before that is known.
func (g *Grammar) accept(run *Run, start Kind, src string) bool {
	if g.Within == nil {
		return g.Accept(start, src)
	}
	_, ok := g.Within(run, nil, start, src, false)
	return ok
}

// reject returns the error for an src that parse has not derived: the limit that stopped it, or
// where and why start does not derive src.
func (g *Grammar) reject(run *Run, start Kind, src string) error {
	if run.Stopped != 0 {
		return run.err(g, src)
	}
	return g.Rejection(start, src)
}

// derive is Derive without scratch memory, for long strings.
func (g *Grammar) derive(start Kind, src string) (*Tree, error) {
	var run Run
	nodes, ok := g.parse(&run, make([]Raw, 0, 16+len(src)/4), start, src)
	if !ok {
		return nil, g.reject(&run, start, src)
	}
	return &Tree{g, src, nodes}, nil
}

// scratchNodes caps the nodes that are parsed into scratch memory, and scratchSource the bytes of a
// string that is. The number of nodes is known only after parsing, and allocating them is most of
// the cost of a tree. So strings of usual length are parsed into scratch memory: an accepted string
// then allocates exactly its nodes, a rejected one none.
const (
	scratchNodes  = 256
	scratchSource = 1 << 10
)

type scratchMemory struct {
	nodes [scratchNodes]Raw
	run   Run
}

var scratches = sync.Pool{New: func() any { return new(scratchMemory) }}

// A tree with room for 15, 21 or 29 nodes, in one allocation. The sizes fill size classes of Go's
// allocator (288, 384 and 512 bytes). There are only three, so that the branch that chooses one is
// well predicted, and they are constant, so that copying is fast.
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

// newTree returns a tree with a copy of the first n nodes of scratch, without Grammar and Source.
// It may copy more, beyond the capacity of the tree's Nodes.
func newTree(scratch *[scratchNodes]Raw, n int) *Tree {
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
