package ast_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

// What pigeon's actions build for address <- pair, pair <- host ( ":" port )?
func draft() *ast.Draft {
	letters := []any{[]byte("h"), []byte("o"), []byte("s"), []byte("t")}
	host := ast.Derived(Host, 0, []byte("host"), letters)
	port := ast.Derived(Port, 5, []byte("80"), []any{[]byte("8"), []byte("0")})
	pair := ast.Derived(Pair, 0, []byte("host:80"), []any{nil, host, []any{[]byte(":"), []any{port}}, (*ast.Draft)(nil), "", 7})
	return ast.Derived(Address, 0, []byte("host:80"), pair)
}

func TestFlatten(t *testing.T) {
	got, err := ast.Flatten(tiny, "host:80", draft())
	if err != nil {
		t.Fatal(err)
	}
	want := pairTree()
	if got.String() != want.String() {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	for i, n := range got.Nodes {
		if n != want.Nodes[i] {
			t.Errorf("node %d is %v, want %v", i, n, want.Nodes[i])
		}
	}
}

func TestFlattenDeepDrafts(t *testing.T) {
	const depth = 1_000_000
	d := &ast.Draft{Kind: Host, End: 1}
	for range depth - 1 {
		d = &ast.Draft{Kind: Host, End: 1, Children: []*ast.Draft{nil, d}}
	}
	tree, err := ast.Flatten(tiny, "x", d)
	if err != nil || len(tree.Nodes) != depth {
		t.Fatalf("%v", err)
	}
}

func TestFlattenRefuses(t *testing.T) {
	for _, c := range []struct {
		draft *ast.Draft
		err   string
	}{
		{nil, "ast: no draft to flatten"},
		{&ast.Draft{Kind: Pair, End: 3}, "ast: node 0: span 0..3 in a source of 2 bytes"},
		{&ast.Draft{Kind: Pair, Start: -1, End: 2}, "ast: node 0: span -1..2 in a source of 2 bytes"},
		{&ast.Draft{Kind: Pair, Start: 2, End: 1}, "ast: node 0: span 2..1 in a source of 2 bytes"},
		{&ast.Draft{Kind: Pair, End: 1}, "ast: the root spans 0..1 of 0..2"},
		{&ast.Draft{Kind: Pair, End: 2, Children: []*ast.Draft{{Kind: Host, End: 1 << 30}}}, "ast: node 1: span 0..1073741824 in a source of 2 bytes"},
		{&ast.Draft{Kind: Pair, End: 2, Children: []*ast.Draft{{Kind: Host, End: 2}, {Kind: Port, Start: 1, End: 2}}},
			"ast: node 2 (url_port) starts at 1, the node before it ends at 2"},
	} {
		if _, err := ast.Flatten(tiny, "ab", c.draft); message(err) != c.err {
			t.Errorf("%+v: %v; want %s", c.draft, err, c.err)
		}
	}
}
