package bnftogo

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A batch is a program with the packages of many grammars, which a Go compiler makes and which
// says how each parses all words of up to five of some letters.
type batch struct {
	t              *testing.T
	letters        string
	root, dir      string
	imports, calls strings.Builder
	want           []string // its lines
}

func newBatch(t *testing.T, letters string) *batch {
	b := &batch{t: t, letters: letters, root: must.Of(filepath.Abs("../../.."))(t), dir: t.TempDir()}
	b.put("go.mod", "module random\n\ngo 1.24\n\nrequire github.com/bnfcheck/bnfcheck v0.0.0\n\nreplace github.com/bnfcheck/bnfcheck => "+b.root+"\n")
	b.put("go.sum", string(must.Of(os.ReadFile(filepath.Join(b.root, "go.sum")))(t)))
	return b
}

func (b *batch) put(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.dir, filepath.FromSlash(name))
	must.Do(b.t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Do(b.t, os.WriteFile(path, []byte(text), 0o666))
}

// add adds the package of a compiled grammar, in a folder pkg.
func (b *batch) add(pkg string, c *compiler) {
	b.t.Helper()
	b.put(pkg+"/fast.go", string(c.Source))
	var constants strings.Builder
	fmt.Fprintf(&constants, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\nconst (\n\t_ ast.Kind = iota\n", c.options.Package)
	for _, p := range c.productions {
		fmt.Fprintf(&constants, "\t%s\n", strings.ToUpper(p.ID))
	}
	constants.WriteString(")\n\nvar Grammar = ast.Grammar{Parse: parse, Accept: accept}\n")
	b.put(pkg+"/grammar.go", constants.String())
	fmt.Fprintf(&b.imports, "\t%s %q\n", pkg, "random/"+pkg)
}

// expect has the program print how a production parses all words, which is to be as tree returns
// it.
func (b *batch) expect(pkg string, p *production, tree func(w string) (nodes []ast.Raw, ok bool)) {
	fmt.Fprintf(&b.calls, "\tprintln(%q, sum(&%s.Grammar, %d))\n", pkg+" "+p.ID, pkg, p.kind)
	h := fnv.New64a()
	for _, w := range pegtest.Words(b.letters, 5) {
		nodes, ok := tree(w)
		fmt.Fprintln(h, w, ok, ok, nodes)
	}
	b.want = append(b.want, fmt.Sprintln(pkg, p.ID, h.Sum64()))
}

// run compiles and runs the program.
func (b *batch) run() {
	b.t.Helper()
	b.put("main.go", `package main

import (
	"fmt"
	"hash/fnv"

	"github.com/bnfcheck/bnfcheck/ast"
`+b.imports.String()+`)

func sum(g *ast.Grammar, start ast.Kind) uint64 {
	h := fnv.New64a()
	all := []string{""}
	for i := 0; i < len(all); i++ {
		w := all[i]
		if len(w) < 5 {
			for _, x := range "`+b.letters+`" {
				all = append(all, w+string(x))
			}
		}
		tree, ok := g.Parse(nil, start, w)
		fmt.Fprintln(h, w, g.Accept(start, w), ok, tree)
	}
	return h.Sum64()
}

func main() {
`+b.calls.String()+"}\n")
	got := strings.SplitAfter(b.goCommand("run", "."), "\n")
	for i, line := range b.want {
		if i >= len(got) || got[i] != line {
			b.t.Errorf("want %sgot %s", line, got[min(i, len(got)-1)])
		}
	}
}

// goCommand returns what the go command prints.
func (b *batch) goCommand(args ...string) string {
	b.t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("go %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

// What a Go compiler makes of the files for random grammars parses all short words as the
// interpreter of the grammars does. One program holds many grammars.
func TestCompiled(t *testing.T) {
	defer func(n int) { enoughForLoop = n }(enoughForLoop)
	b := newBatch(t, "abc")
	nodes := map[string]int{}
	for seed := range longtest.Size(9, 250) {
		enoughForLoop = 2 + seed%4
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		g := random(t, rng)
		if seed%3 == 0 {
			g = randomNesting(t, rng)
		}
		node := map[string]bool{}
		for _, r := range g.Rules {
			node[r.ID] = rng.IntN(3) > 0
		}
		pkg := fmt.Sprintf("r%d", seed)
		c, err := compiled(g, Options{Package: pkg, Kind: strings.ToUpper, Nodes: func(id string) bool { return node[id] }})
		if err != nil {
			t.Fatalf("%v\n%s", err, show(g))
		}
		b.add(pkg, c)
		for _, p := range c.productions {
			nodes[p.engine()]++
			d := must.Of(interpreter.New(g, p.ID, func(id string) bool { return node[id] }))(t)
			b.expect(pkg, p, func(w string) ([]ast.Raw, bool) {
				tree, ok, err := d.Derive(nil, w)
				if err != nil {
					t.Fatal(err)
				}
				return tree, ok
			})
		}
	}
	b.goCommand("vet", "./...")
	b.run()
	t.Log(nodes, len(b.want), "productions,", len(pegtest.Words("abc", 5)), "words each")
}
