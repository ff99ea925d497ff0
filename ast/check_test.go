package ast_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// checkedRules are an address, a pair of a host and a port, a host that goes on in itself, a port,
// and two lexical productions that use each other.
const checkedRules = `node rule 2
node seq rule 3 seq bytes 3a rule 4
node seq bytes 61-7a alt rule 3 empty
node times 1 2 rule 5
lexical alt bytes 30-39 rule 6
lexical alt rule 5 bytes 78
`

// tree returns the tree that is written as "(1 (2 ..." with the text between.
func tree(written string) *ast.Tree {
	t := &ast.Tree{Grammar: tiny}
	var text []byte
	var open []int
	for i := 0; i < len(written); i++ {
		switch c := written[i]; c {
		case '(':
			i++
			open = append(open, len(t.Nodes))
			t.Nodes = append(t.Nodes, ast.Raw{Kind: ast.Kind(written[i] - '0'), Start: int32(len(text))})
		case ')':
			n := &t.Nodes[open[len(open)-1]]
			n.End, n.Next = int32(len(text)), int32(len(t.Nodes))
			open = open[:len(open)-1]
		default:
			text = append(text, c)
		}
	}
	t.Source = string(text)
	return t
}

func TestChecker(t *testing.T) {
	c := must.Of(ast.NewChecker(checkedRules))(t)
	for _, row := range []struct{ tree, err string }{
		{"(1(2(3abc):(4x1)))", ""},
		{"(3abc)", ""},
		{"(3a(3b))", ""},
		{"(3a(3b(3c)))", ""},
		{"(5x)", ""},
		{"(3a(3b)c)", "at 0 does not derive"},
		{"(3a(3))", "at 1 does not derive"},
		{"(1(2(3abc):(4x12)))", "at 4 does not derive"},
		{"(1(2(3abc):(4)))", "at 4 does not derive"},
		{"(2(3abc)(4x1))", "at 0 does not derive"},
		{"(2(3abc):(3x))", "at 0 does not derive"},
		{"(2(3abc):x)", "at 0 does not derive"},
		{"(2(3abc):(4(5x)))", "at 4 does not derive"},
		{"(1(2(3abc):(4x))(2(3abc):(4x)))", "at 0 does not derive"},
		{"(1)", "at 0 does not derive"},
		{"(0)", "at 0 does not derive"},
		{"(9abc)", "at 0 does not derive"},
	} {
		if err := c.Check(tree(row.tree)); (err == nil) != (row.err == "") || err != nil && !strings.Contains(err.Error(), row.err) {
			t.Errorf("%s: %v; want %q", row.tree, err, row.err)
		}
	}
	for _, forge := range []struct {
		do  func(t *ast.Tree)
		err string
	}{
		{func(t *ast.Tree) { t.Nodes = nil }, "the root is not all of the tree"},
		{func(t *ast.Tree) { t.Source += "1" }, "the root is not all of the tree"},
		{func(t *ast.Tree) { t.Nodes[0].Start = 1 }, "the root is not all of the tree"},
		{func(t *ast.Tree) { t.Nodes = append(t.Nodes, t.Nodes[3]) }, "the root is not all of the tree"},
		{func(t *ast.Tree) { t.Nodes[2].Next = 2 }, "node 2 does not lie in its place"},
		{func(t *ast.Tree) { t.Nodes[1].Next = 5 }, "node 1 does not lie in its place"},
		{func(t *ast.Tree) { t.Nodes[2].End = -1 }, "node 2 does not lie in its place"},
		{func(t *ast.Tree) { t.Nodes[3].Start = 2 }, "node 3 does not lie in its place"},
		{func(t *ast.Tree) { t.Nodes[3].End = 9 }, "node 3 does not lie in its place"},
		{func(t *ast.Tree) { t.Nodes[1].Next = 3 }, "node 3 does not lie in its place"},
		{func(t *ast.Tree) { t.Nodes[2].Next = 4 }, `pair at 0 does not derive "abc:x1" with the nodes below it`},
	} {
		x := tree("(1(2(3abc):(4x1)))")
		forge.do(x)
		if err := c.Check(x); err == nil || err.Error() != forge.err {
			t.Errorf("%v: %v; want %s", x.Nodes, err, forge.err)
		}
	}
	if c.Check(nil) == nil {
		t.Error("nothing is a derivation")
	}
}

// The checker takes steps in proportion to a long text, and to a production that goes on in its own
// node or is lexical, and does not recurse as deep. Steps have a limit.
func TestCheckerIsLinear(t *testing.T) {
	c := must.Of(ast.NewChecker("node star bytes 61\nnode seq bytes 61 alt rule 2 empty\nnode rule 4\nlexical alt bytes 62 seq bytes 61 rule 4\n" +
		"node times 2147483647 2147483647 empty\n"))(t)
	text := strings.Repeat("a", 1<<16)
	for _, row := range []struct {
		tree  string
		steps int // that are enough; 0: none are
	}{{"(1" + text + ")", 4 << 16}, {"(2" + text + ")", 32 << 16}, {"(4" + text + "b)", 32 << 16}, {"(5)", 0}} {
		c.Steps = row.steps
		x := tree(row.tree)
		if row.steps > 0 {
			if err := c.Check(x); err != nil {
				t.Error(err)
			}
		}
		c.Steps = 1 << 16
		if err := c.Check(x); err == nil || !strings.Contains(err.Error(), " at 0 takes more than 65536 steps to derive ") {
			t.Error(err)
		}
	}
}

func TestNewCheckerRefuses(t *testing.T) {
	for _, rules := range []string{
		"", "node", "node seq empty", "node empty empty", "tree empty", "node bytes 100", "node bytes -1", "node bytes 30-",
		"node rule -1", "node rule a", "node rule 65536", "node times 1 star empty", "node times 2 1 empty", "node times -1 1 empty", "node times 0 -2 empty", "node times 1 99999999999 empty", "node and empty",
	} {
		if _, err := ast.NewChecker(rules + "\nnode empty\n"); err == nil {
			t.Errorf("%q is taken", rules)
		}
	}
}

func TestParserCheck(t *testing.T) {
	c := must.Of(ast.NewChecker(checkedRules))(t)
	g := ast.Grammar{Name: "one", Productions: tinyProducts, Parse: func(dst []ast.Raw, k ast.Kind, s string) ([]ast.Raw, bool) {
		return append(dst, tree("(3"+s+")").Nodes...), true
	}}
	p := g.NewParser()
	p.Check = c.Check
	if _, err := p.Parse("host"); err != nil {
		t.Error(err)
	}
	if _, err := p.Parse("80"); err == nil || err.Error() != `uri_host at 0 does not derive "80" with the nodes below it` {
		t.Error(err)
	}
}
