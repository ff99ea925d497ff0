package bnftogo

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// What a Go compiler makes of the files for random grammars parses all short words as the interpreter of the grammars does.
// One program holds many grammars.
func TestCompiled(t *testing.T) {
	defer func(n int) { enoughForLoop = n }(enoughForLoop)
	root := must.Of(filepath.Abs("../../.."))(t)
	dir := t.TempDir()
	put := func(name string, text []byte) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, text, 0o666))
	}
	put("go.mod", []byte("module random\n\ngo 1.24\n\nrequire github.com/bnfcheck/bnfcheck v0.0.0\n\nreplace github.com/bnfcheck/bnfcheck => "+root+"\n"))
	all := pegtest.Words("abc", 5)
	var imports, calls strings.Builder
	var want []string
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
		put(pkg+"/fast.go", c.Source)
		var constants strings.Builder
		fmt.Fprintf(&constants, "package %s\n\nimport \"github.com/bnfcheck/bnfcheck/ast\"\n\nconst (\n\t_ ast.Kind = iota\n", pkg)
		for _, r := range g.Rules {
			fmt.Fprintf(&constants, "\t%s\n", strings.ToUpper(r.ID))
		}
		constants.WriteString(")\n\nvar Grammar = ast.Grammar{Parse: parse, Accept: accept}\n")
		put(pkg+"/grammar.go", []byte(constants.String()))
		fmt.Fprintf(&imports, "\t%q\n", "random/"+pkg)
		for _, p := range c.productions {
			nodes[p.engine()]++
			fmt.Fprintf(&calls, "\tprintln(%q, sum(&%s.Grammar, %d))\n", pkg+" "+p.ID, pkg, p.kind)
			d := must.Of(interpreter.New(g, p.ID, func(id string) bool { return node[id] }))(t)
			h := fnv.New64a()
			for _, w := range all {
				tree, ok, err := d.Derive(nil, w)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(h, w, ok, ok, tree)
			}
			want = append(want, fmt.Sprintln(pkg, p.ID, h.Sum64()))
		}
	}
	put("main.go", []byte(`package main

import (
	"fmt"
	"hash/fnv"

	"github.com/bnfcheck/bnfcheck/ast"
`+imports.String()+`)

func sum(g *ast.Grammar, start ast.Kind) uint64 {
	h := fnv.New64a()
	all := []string{""}
	for i := 0; i < len(all); i++ {
		w := all[i]
		if len(w) < 5 {
			all = append(all, w+"a", w+"b", w+"c")
		}
		tree, ok := g.Parse(nil, start, w)
		fmt.Fprintln(h, w, g.Accept(start, w), ok, tree)
	}
	return h.Sum64()
}

func main() {
`+calls.String()+"}\n"))
	sums := must.Of(os.ReadFile(filepath.Join(root, "go.sum")))(t)
	put("go.sum", sums)
	for _, args := range [][]string{{"vet", "./..."}, {"run", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, out.String())
		}
		if args[0] == "run" {
			got := strings.SplitAfter(out.String(), "\n")
			for i, line := range want {
				if i >= len(got) || got[i] != line {
					t.Errorf("want %sgot %s", line, got[min(i, len(got)-1)])
				}
			}
		}
	}
	t.Log(nodes, len(want), "productions,", len(all), "words each")
}
