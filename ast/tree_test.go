package ast_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func names(n ast.Node) string {
	var s []string
	for c := range n.Children() {
		s = append(s, c.ID())
	}
	return strings.Join(s, " ")
}

func TestNode(t *testing.T) {
	tree := pairTree()
	root := tree.Root()
	pair, _ := root.Child(Pair)
	port, _ := root.Find(Port)
	for _, c := range []struct {
		node           ast.Node
		index          int
		kind           ast.Kind
		id, name, text string
		start, end     int
		children       string
	}{
		{root, 0, Address, "address", "address", "host:80", 0, 7, "pair"},
		{pair, 1, Pair, "pair", "pair", "host:80", 0, 7, "uri_host url_port"},
		{tree.Node(2), 2, Host, "uri_host", "host", "host", 0, 4, ""},
		{port, 3, Port, "url_port", "port", "80", 5, 7, ""},
		{ast.Node{}, 0, 0, "", "", "", 0, 0, ""},
		{tree.Node(4), 0, 0, "", "", "", 0, 0, ""},
		{tree.Node(-1), 0, 0, "", "", "", 0, 0, ""},
		{(*ast.Tree)(nil).Root(), 0, 0, "", "", "", 0, 0, ""},
		{(&ast.Tree{Grammar: tiny}).Root(), 0, 0, "", "", "", 0, 0, ""},
	} {
		n := c.node
		if n.IsZero() != (c.kind == 0) || n.Index() != c.index || n.Kind() != c.kind || n.ID() != c.id || n.Name() != c.name ||
			n.Text() != c.text || n.Start() != c.start || n.End() != c.end || names(n) != c.children {
			t.Errorf("%s %s: index %d, kind %d, %q %d..%d, children %q; want %+v",
				n.ID(), n.Name(), n.Index(), n.Kind(), n.Text(), n.Start(), n.End(), names(n), c)
		}
	}
	if root.Tree() != tree || root != tree.Node(0) {
		t.Error("a node is not comparable, or forgets its tree")
	}
}

func TestChildAndFind(t *testing.T) {
	tree := pairTree()
	for _, c := range []struct {
		node, kind  ast.Kind
		child, find bool
	}{
		{Address, Address, false, true},
		{Address, Pair, true, true},
		{Address, Port, false, true},
		{Address, Mail, false, false},
		{Pair, Address, false, false},
		{Pair, Host, true, true},
		{Host, Port, false, false}, // its sibling
		{Port, Port, false, true},
	} {
		n, _ := tree.Root().Find(c.node)
		child, ok := n.Child(c.kind)
		if ok != c.child || ok != (child.Kind() == c.kind) || ok == child.IsZero() {
			t.Errorf("%s.Child(%s) = %s, %t", n.Name(), tiny.Production(c.kind).Name, child.Name(), ok)
		}
		found, ok := n.Find(c.kind)
		if ok != c.find || ok != (found.Kind() == c.kind) || ok == found.IsZero() {
			t.Errorf("%s.Find(%s) = %s, %t", n.Name(), tiny.Production(c.kind).Name, found.Name(), ok)
		}
	}
	if _, ok := (ast.Node{}).Find(0); ok {
		t.Error("the zero Node finds something")
	}
}

func TestAll(t *testing.T) {
	tree := pairTree()
	pair := tree.Node(1)
	for _, c := range []struct {
		node ast.Node
		want string
	}{
		{tree.Root(), "0 address, 1 pair, 2 uri_host, 2 url_port"},
		{pair, "0 pair, 1 uri_host, 1 url_port"},
		{tree.Node(2), "0 uri_host"}, // and not its sibling
		{ast.Node{}, ""},
	} {
		var got []string
		for depth, n := range c.node.All() {
			got = append(got, fmt.Sprint(depth, " ", n.ID()))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s.All() = %s; want %s", c.node.ID(), s, c.want)
		}
	}
	for range tree.Root().All() {
		break
	}
	for range pair.Children() {
		break
	}
}

// chain returns a tree far deeper than any of the published grammars.
func chain(depth int) *ast.Tree {
	t := &ast.Tree{Grammar: tiny, Source: "x"}
	for range depth {
		t.Nodes = append(t.Nodes, ast.Raw{Kind: Host, Start: 0, End: 1, Next: int32(depth)})
	}
	return t
}

func TestDepthIsNoLimit(t *testing.T) {
	const depth = 1000
	tree := chain(depth)
	must.Do(t, treecheck.Tree(tree))
	want := 0
	for d := range tree.Root().All() {
		if d != want {
			t.Fatalf("depth %d, want %d", d, want)
		}
		want++
	}
	if want != depth {
		t.Errorf("%d nodes, want %d", want, depth)
	}
}

// Walking a malformed tree terminates and stays in bounds.
func TestBrokenTreesAreWalkedSafely(t *testing.T) {
	for _, next := range []int32{-1 << 31, -1, 0, 1, 2, 3, 9, 1<<31 - 1} {
		for _, end := range []int32{-1, 0, 3, 1<<31 - 1} {
			tree := &ast.Tree{Grammar: tiny, Source: "ab", Nodes: []ast.Raw{
				{Kind: Pair, Start: 0, End: 2, Next: 3},
				{Kind: 77, Start: 1, End: end, Next: next},
				{Kind: Port, Start: end, End: end, Next: next},
			}}
			_ = tree.String()
			if _, err := tree.MarshalJSON(); err != nil {
				t.Error(err)
			}
			if n := len(slices.Collect(tree.Root().Children())); n > 2 {
				t.Errorf("Next %d: %d children of 3 nodes", next, n)
			}
			if treecheck.Tree(tree) == nil {
				t.Errorf("Next %d, End %d: Check says nothing", next, end)
			}
		}
	}
}

func TestWalkingAllocatesNothing(t *testing.T) {
	tree := pairTree()
	sum := 0
	for what, walk := range map[string]func(){
		"All":      func() { sum += walkAll(tree) },
		"Children": func() { sum += walkChildren(tree.Root()) },
		"Find":     func() { n, _ := tree.Root().Find(Port); sum += len(n.Text()) },
		"Child":    func() { n, _ := tree.Root().Child(Pair); sum += len(n.Name()) },
	} {
		if n := testing.AllocsPerRun(100, walk); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

func walkAll(t *ast.Tree) (sum int) {
	for depth, n := range t.Root().All() {
		sum += depth + n.End()
	}
	return sum
}

func walkChildren(n ast.Node) (sum int) {
	for c := range n.Children() {
		sum += c.Start() + walkChildren(c)
	}
	return sum
}

// wide returns the tree of one pair with n children of one byte each.
func wide(n int) *ast.Tree {
	t := &ast.Tree{Grammar: tiny, Source: strings.Repeat("x", n), Nodes: []ast.Raw{{Kind: Pair, End: int32(n), Next: int32(n + 1)}}}
	for i := range int32(n) {
		t.Nodes = append(t.Nodes, ast.Raw{Kind: Host, Start: i, End: i + 1, Next: i + 2})
	}
	return t
}

func BenchmarkAll(b *testing.B) {
	tree := wide(1000)
	b.ReportAllocs()
	for b.Loop() {
		walkAll(tree)
	}
}

func BenchmarkChildren(b *testing.B) {
	tree := wide(1000)
	b.ReportAllocs()
	for b.Loop() {
		walkChildren(tree.Root())
	}
}
