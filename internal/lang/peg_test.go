package lang

import (
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// Both roads from a PEG to its automaton lead to the same one, and that agrees with an interpreter.
func TestRandomPEGs(t *testing.T) {
	words := wordsOver("abc", 6)
	for seed := range uint64(3000) {
		m := maker{rand.New(rand.NewPCG(seed, 1)), 3, true, nil}
		g := grammarOf(true, m.expr(4))
		checkPEG(t, seed, g, words)
	}
}

// The same with rules that call each other, themselves included.
func TestRandomRecursivePEGs(t *testing.T) {
	words := wordsOver("abc", 6)
	proper := 0
	for seed := range uint64(4000) {
		m := maker{rand.New(rand.NewPCG(seed, 2)), 3, true, []string{"a", "b", "c"}}
		g := grammarOf(true, m.expr(3), m.expr(3), m.expr(2))
		if checkPEG(t, seed, g, words) && newPEGForm(g).way("a", "a", expr.Refs) != nil {
			proper++
		}
	}
	if proper < 100 {
		t.Errorf("only %d grammars were well-formed and recursive", proper)
	}
}

func checkPEG(t *testing.T, seed uint64, g *expr.Grammar, words []string) bool {
	t.Helper()
	a, err := FromPEG(g, "a")
	b, err2 := FromPEGReverse(g, "a")
	if err != nil {
		return false
	}
	if err2 != nil {
		t.Fatalf("seed %d:\n%sreverse: %v", seed, show(g), err2)
	}
	e := g.Rule("a").Expr
	checkWords(t, show(g), a, words, func(w string) bool { return pegMatch(g, e, w, 0) == len(w) })
	if !a.Equal(b) {
		t.Fatalf("seed %d:\n%sthe two roads differ", seed, show(g))
	}
	p, err := PEGPrefix(g, e)
	if err != nil {
		t.Fatalf("seed %d:\n%sprefix: %v", seed, show(g), err)
	}
	checkWords(t, "prefix of "+show(g), p, words, func(w string) bool { return pegMatch(g, e, w, 0) >= 0 })
	q, err := reversePrefix(g, e, Limits{})
	if err != nil || !p.Equal(q) {
		t.Fatalf("seed %d:\n%sthe two roads differ on prefixes: %v", seed, show(g), err)
	}
	return true
}
