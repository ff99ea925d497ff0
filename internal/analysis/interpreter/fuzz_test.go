package interpreter_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// The interpreter, a recognizer that tries everything and, where there is one, the automaton have one answer for every short string.
func FuzzDerive(f *testing.F) {
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		node := func(id string) bool { return id != "r1" }
		table, tableErr := interpreter.New(g, "r0", node)
		if tableErr != nil {
			t.Fatalf("%v\n%s", tableErr, text)
		}
		a, err := lang.FromBNF(g, "r0")
		if err != nil {
			a = nil // it nests
		}
		for _, w := range fuzztest.Words[:40] { // of up to three letters
			tree, ok, err := table.Derive(nil, w)
			if want := pegtest.Derives(g, "r0", w); err != nil || ok != want || a != nil && a.Match(w) != want {
				t.Fatalf("%q: %t %v %v, and it is derived: %t\n%s", w, ok, tree, err, want, text)
			}
		}
	})
}
