package golden

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/grammar"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestTrees shows a tree for every production of every grammar.
func TestTrees(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		t.Run(g.Name, func(t *testing.T) {
			var out strings.Builder
			have := map[string]bool{}
			for _, line := range goldentest.Inputs(t, "testdata/trees/"+g.Name+".golden") {
				id, s, _ := strings.Cut(line, "\t")
				have[id] = true
				showTree(t, &out, g, id, s)
			}
			for _, p := range g.Productions() {
				if !have[p.ID] {
					t.Errorf("production %q has no golden tree", p.ID)
				}
			}
			assert(t, "trees/"+g.Name, "trees", out.String())
		})
	}
}

// TestDerivations shows the trees that the ledger chooses for ambiguous strings, for each of its entries about derivations.
func TestDerivations(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		t.Run(g.Name, func(t *testing.T) {
			file := g.Name + ".readings"
			src := must.Of(fs.ReadFile(grammar.Files, file))(t)
			ledger := must.Of(bnf.ParseReadings(file, src))(t)
			strs := map[string]int{}
			for _, r := range ledger {
				if r.Kind == bnf.Derivation {
					strs[r.ID] = 0
				}
			}
			var out strings.Builder
			last := ""
			for _, line := range goldentest.Inputs(t, "testdata/trees/derivations-"+g.Name+".golden") {
				col := strings.Split(line, "\t")
				if len(col) != 3 {
					t.Fatalf("%d columns, want 3: %q", len(col), line)
				}
				if _, ok := strs[col[0]]; !ok {
					t.Errorf("%s has no entry %q about derivations", file, col[0])
				}
				strs[col[0]]++
				if col[0] != last {
					fmt.Fprintf(&out, "%s\n\n", col[0])
					last = col[0]
				}
				showTree(t, &out, g, col[1], col[2])
			}
			for id, n := range strs {
				if n == 0 {
					t.Errorf("entry %q has no golden tree", id)
				}
			}
			assert(t, "trees/derivations-"+g.Name, "trees", out.String())
		})
	}
}

// showTree writes the tree of s as a production derives it, under a line with the production's ID.
func showTree(t *testing.T, out *strings.Builder, g *bnfcheck.Grammar, id, s string) {
	t.Helper()
	k, ok := g.Kind(id)
	if !ok {
		t.Errorf("%s has no production %q", g.Name, id)
		return
	}
	p := g.Parser()
	p.Start = k
	tree, err := p.Parse(s)
	if err != nil {
		t.Errorf("%s does not derive %q: %v", id, s, err)
		return
	}
	if err := treecheck.Tree(tree); err != nil {
		t.Errorf("%s %q: %v", id, s, err)
	}
	checkJSON(t, tree)
	fmt.Fprintf(out, "%s\n", id)
	for line := range strings.Lines(tree.String()) {
		fmt.Fprintf(out, "    %s", line)
	}
	out.WriteByte('\n')
}

// A node is a node of a tree in its JSON form.
type node struct {
	Production string
	Name       string
	Start, End int
	Text       string
	Children   []node
}

// checkJSON checks the JSON form of a tree against the tree.
func checkJSON(t testing.TB, tree *ast.Tree) {
	t.Helper()
	src := must.Of(json.Marshal(tree))(t)
	var got struct {
		Grammar, Input string
		Tree           node
	}
	if err := json.Unmarshal(src, &got); err != nil {
		t.Fatalf("%v in %s", err, src)
	}
	if got.Grammar != tree.Grammar.Name || got.Input != tree.Source {
		t.Errorf("JSON is about %s %q, the tree about %s %q", got.Grammar, got.Input, tree.Grammar.Name, tree.Source)
	}
	if want := jsonNode(tree.Root()); !reflect.DeepEqual(got.Tree, want) {
		t.Errorf("JSON holds %+v, the tree %+v", got.Tree, want)
	}
}

func jsonNode(n ast.Node) node {
	j := node{Production: n.ID(), Start: n.Start(), End: n.End(), Text: n.Text()}
	if n.Name() != n.ID() {
		j.Name = n.Name()
	}
	for c := range n.Children() {
		j.Children = append(j.Children, jsonNode(c))
	}
	return j
}
