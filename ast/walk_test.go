package ast_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

// nestedTree returns a tree of n nodes inside each other.
func nestedTree(n int) *ast.Tree {
	t := &ast.Tree{Grammar: tiny, Source: strings.Repeat("a", n)}
	for range n {
		t.Nodes = append(t.Nodes, ast.Raw{Kind: Host, End: int32(n), Next: int32(n)})
	}
	return t
}

// hostPortTree returns the tree of ab:12.
func hostPortTree() *ast.Tree {
	return &ast.Tree{Grammar: tiny, Source: "ab:12", Nodes: []ast.Raw{{Pair, 0, 5, 3}, {Host, 0, 2, 2}, {Port, 3, 5, 3}}}
}

// Inspect visits nodes as package go/ast does: not below a node for which the function is false,
// and once more with the zero node after what is below.
func TestInspect(t *testing.T) {
	tree := hostPortTree()
	for _, c := range []struct {
		skip string
		want string
	}{
		{"", "pair host . port . ."},
		{"host", "pair host port . ."},
		{"pair", "pair"},
	} {
		var got []string
		ast.Inspect(tree.Root(), func(n ast.Node) bool {
			if n.IsZero() {
				got = append(got, ".")
				return false
			}
			got = append(got, n.Name())
			return n.Name() != c.skip
		})
		if strings.Join(got, " ") != c.want {
			t.Errorf("without %s: %s, want %s", c.skip, got, c.want)
		}
	}
	ast.Inspect(ast.Node{}, func(ast.Node) bool { t.Error("no node is visited"); return true })
}

// Walking a tree does not recurse.
func TestInspectDeep(t *testing.T) {
	const depth = 1 << 20
	visits := [2]int{}
	ast.Inspect(nestedTree(depth).Root(), func(n ast.Node) bool {
		if n.IsZero() {
			visits[1]++
		} else {
			visits[0]++
		}
		return true
	})
	if visits != [2]int{depth, depth} {
		t.Errorf("%d visits, want %d of each kind", visits, depth)
	}
}

// A typed node is the node, and no node where the kind is another one.
func TestTyped(t *testing.T) {
	tree := hostPortTree()
	type host struct{ ast.Typed }
	pair := tree.Root().As(Pair)
	h := host{pair.Child(Host)}
	if h.Text() != "ab" || h.Start() != 0 || h.End() != 2 || h.IsZero() || h.Node().Kind() != Host || h.Position().Column != 1 {
		t.Errorf("%v is not the host", h)
	}
	if got := fmt.Sprint(h); got != `host 0..2 "ab"` {
		t.Errorf("printed as %s", got)
	}
	if no := (host{h.Child(Port)}); !no.IsZero() || no.Text() != "" || fmt.Sprint(no) != "no node" || !tree.Root().As(Host).IsZero() {
		t.Errorf("%v is a port of the host", no)
	}
	if all := slices.Collect(ast.Each[host](pair, Host)); len(all) != 1 || all[0] != h {
		t.Errorf("the hosts are %v", all)
	}
}

// The table of productions and the productions are the same.
func TestReadProductions(t *testing.T) {
	got := ast.ReadProductions("\na-b\t7.1\t27\t3\nc\t\t\t4\tlexical\tC\tx.abnf\tgeneric\n" +
		"d\t7.2\t\t5\t\t\t\"\ne\t\"\t\t6\t\t\t\"\nf\n")
	want := []ast.Production{
		{},
		{ID: "a-b", Name: "a-b", Section: "7.1", Page: 27, Line: 3},
		{ID: "c", Name: "C", Line: 4, Lexical: true, File: "x.abnf", Part: "generic"},
		{ID: "d", Name: "d", Section: "7.2", Line: 5, File: "x.abnf"},
		{ID: "e", Name: "e", Section: "7.2", Line: 6, File: "x.abnf"},
		{ID: "f", Name: "f"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
