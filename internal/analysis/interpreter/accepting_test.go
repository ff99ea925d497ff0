package interpreter

import (
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Tables that only accept, with productions put in where they are used, accept what has a tree, in random grammars of every
// kind and of each production.
func TestAcceptingTables(t *testing.T) {
	words := []string{""}
	for i := 0; len(words[i]) < longtest.Size(5, 6); i++ {
		for _, x := range "xyz" {
			words = append(words, words[i]+string(x))
		}
	}
	accepted, refused := 0, 0
	for seed := range uint64(longtest.Size(150, 5000)) {
		g := random(rand.New(rand.NewPCG(seed, 11)), seed%2 == 0)
		var starts []string
		for _, r := range g.Rules {
			starts = append(starts, r.ID)
		}
		trees := &ast.General{Packed: must.Of(Tables(g, all, nothingProven, starts...))(t)}
		for _, put := range []Put{{Size: 1 << 20, Recursive: true}, {Size: 1 << 20}, {Size: 3}} {
			packed, _, err := Accepting(g, put, starts...)
			must.Do(t, err)
			accepts := &ast.General{Packed: trees.Packed, Accepting: packed}
			for k := range starts {
				for _, w := range words {
					_, want := trees.Parse(nil, ast.Kind(k+1), w)
					if got := accepts.Accept(ast.Kind(k+1), w); got != want {
						t.Fatalf("seed %d: %s accepts %q: %t, has a tree: %t, put %v\n%s", seed, starts[k], w, got, want, put, text(g))
					}
					if want {
						accepted++
					} else {
						refused++
					}
				}
			}
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	if accepted < 5000 || refused < 5000 {
		t.Errorf("only %d accepted, %d refused", accepted, refused)
	}
}
