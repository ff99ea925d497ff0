package ast_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// flat derives rows of "x", each x a host below one pair: a string of n bytes has n+1 nodes, and is
// read with room for more.
var flat = &ast.Grammar{
	Name:        "flat",
	Productions: tinyProducts,
	Default:     Pair,
	Parse: func(dst []ast.Raw, _ ast.Kind, src string) ([]ast.Raw, bool) {
		if strings.Trim(src, "x") != "" {
			return dst, false
		}
		return append(slices.Grow(dst, 4*len(src)), wide(len(src)).Nodes...), true
	},
}

// The zero Parser accepts nothing: every method says so, as an error or as false.
func TestZeroParser(t *testing.T) {
	var p ast.Parser
	_, err := p.Parse("x")
	var syntax *ast.SyntaxError
	if !errors.As(err, &syntax) || syntax.Input != "x" {
		t.Errorf("Parse fails with %v, want a syntax error", err)
	}
	_, _, err = p.ParsePrefix("x")
	if !errors.As(err, &syntax) {
		t.Errorf("ParsePrefix fails with %v, want a syntax error", err)
	}
	_, derived := p.Derive(0, "x")
	if derived || p.Accepts("x") {
		t.Error("the zero parser accepts a string")
	}
}

// A derived tree has the nodes that Parse returns, however many, and shares no memory with another tree.
func TestDeriveCopiesTheNodes(t *testing.T) {
	var trees []*ast.Tree
	sizes := []int{0, 1, 6, 7, 8, 10, 11, 13, 14, 15, 20, 21, 28, 29, 30, 100, 254, 255, 256, 1023, 1024, 1025, 5000}
	for _, n := range append(sizes, sizes...) {
		tree := must.Of(flat.Derive(Pair, strings.Repeat("x", n)))(t)
		trees = append(trees, tree)
	}
	for i, tree := range trees {
		n := sizes[i%len(sizes)]
		if tree.Grammar != flat || tree.Source != strings.Repeat("x", n) || !slices.Equal(tree.Nodes, wide(n).Nodes) {
			t.Errorf("%d nodes: not the tree that Parse returns", n+1)
		}
	}
}

func TestDeriveAllocates(t *testing.T) {
	for _, c := range []struct{ bytes, want int }{{1, 1}, {7, 1}, {28, 1}, {29, 2}, {200, 2}} {
		src, nodes := strings.Repeat("x", c.bytes), wide(c.bytes).Nodes
		g := &ast.Grammar{Productions: tinyProducts, Parse: func(dst []ast.Raw, _ ast.Kind, _ string) ([]ast.Raw, bool) {
			return append(dst, nodes...), true
		}}
		if n := testing.AllocsPerRun(100, func() { g.Derive(Pair, src) }); int(n) != c.want {
			t.Errorf("%d nodes: %v allocations, want %d", c.bytes+1, n, c.want)
		}
	}
}

func TestDeriveExplainsWhatIsRejected(t *testing.T) {
	for _, src := range []string{"y", strings.Repeat("x", 2000) + "y"} {
		tree, err := flat.Derive(Pair, src)
		if e, ok := err.(*ast.SyntaxError); tree != nil || !ok || e.Start != Pair || e.Input != src {
			t.Errorf("%.10q: got %v, %v, want a syntax error in a pair", src, tree, err)
		}
	}
}
