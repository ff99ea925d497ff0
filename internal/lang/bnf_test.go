package lang

import (
	"math/rand/v2"
	"testing"
)

func TestRandomBNFs(t *testing.T) {
	words := wordsOver("abc", 5)
	proper := 0
	for seed := range uint64(1000) {
		m := maker{rand.New(rand.NewPCG(seed, 2)), 3, false, []string{"a", "b", "c", "undefined"}}
		g := grammarOf(false, m.expr(3), m.expr(3), m.expr(2))
		a, err := FromBNF(g, "a")
		if err != nil {
			continue
		}
		if newc, _ := analyse(g, g.Rules[0].Expr); newc.component["a"] != nil && newc.component["a"].recursive {
			proper++
		}
		checkWords(t, show(g), a, words, func(w string) bool { return derive(g, w).match("a") })
	}
	t.Log(proper)
}
