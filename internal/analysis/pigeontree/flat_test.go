package pigeontree

import (
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

const (
	_ ast.Kind = iota
	Address
	Pair
	Host
	Port
)

var tiny = &ast.Grammar{Name: "tiny", Productions: []ast.Production{
	{},
	{ID: "address", Name: "address"},
	{ID: "pair", Name: "pair"},
	{ID: "host", Name: "host"},
	{ID: "port", Name: "port"},
}}

// draft returns what pigeon's actions build for address <- pair, pair <- host ( ":" port )?
func draft() *Draft {
	letters := []any{[]byte("h"), []byte("o"), []byte("s"), []byte("t")}
	host := Node(Host, 0, []byte("host"), letters)
	port := Node(Port, 5, []byte("80"), []any{[]byte("8"), []byte("0")})
	pair := Node(Pair, 0, []byte("host:80"), []any{nil, host, []any{[]byte(":"), []any{port}}, (*Draft)(nil), "", 7})
	return Node(Address, 0, []byte("host:80"), pair)
}

func TestTree(t *testing.T) {
	got := must.Of(Tree(tiny, "host:80", draft()))(t)
	want := []ast.Raw{
		{Kind: Address, Start: 0, End: 7, Next: 4},
		{Kind: Pair, Start: 0, End: 7, Next: 4},
		{Kind: Host, Start: 0, End: 4, Next: 3},
		{Kind: Port, Start: 5, End: 7, Next: 4},
	}
	if got.Grammar != tiny || got.Source != "host:80" || !slices.Equal(got.Nodes, want) {
		t.Errorf("got %v, want %v", got.Nodes, want)
	}
}

func TestDeepDrafts(t *testing.T) {
	const depth = 1_000_000
	d := &Draft{Kind: Host, End: 1}
	for range depth - 1 {
		d = &Draft{Kind: Host, End: 1, Children: []*Draft{nil, d}}
	}
	tree, err := Tree(tiny, "x", d)
	if err != nil || len(tree.Nodes) != depth {
		t.Fatalf("%v", err)
	}
}

func TestTreeRefuses(t *testing.T) {
	for _, c := range []struct {
		draft *Draft
		err   string
	}{
		{nil, "flat: no draft to flatten"},
		{&Draft{Kind: Pair, End: 3}, "flat: node 0: span 0..3 in a source of 2 bytes"},
		{&Draft{Kind: Pair, Start: -1, End: 2}, "flat: node 0: span -1..2 in a source of 2 bytes"},
		{&Draft{Kind: Pair, Start: 2, End: 1}, "flat: node 0: span 2..1 in a source of 2 bytes"},
		{&Draft{Kind: Pair, End: 1}, "the root spans 0..1 of 0..2"},
		{&Draft{Kind: Pair, End: 2, Children: []*Draft{{Kind: Host, End: 1 << 30}}},
			"flat: node 1: span 0..1073741824 in a source of 2 bytes"},
		{&Draft{Kind: Pair, End: 2, Children: []*Draft{{Kind: Host, End: 2}, {Kind: Port, Start: 1, End: 2}}},
			"node 2 (port) starts at 1, the node before it ends at 2"},
	} {
		if _, err := Tree(tiny, "ab", c.draft); err == nil || err.Error() != c.err {
			t.Errorf("%+v: %v; want %s", c.draft, err, c.err)
		}
	}
}
