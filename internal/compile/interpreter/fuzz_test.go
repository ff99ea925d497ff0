package interpreter_test

import (
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/compile/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/syntax/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/testkit/charttest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
)

// The interpreter, the chart and, where there is one, the automaton have one answer for every short string.
func FuzzDerive(f *testing.F) {
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := fuzztest.New(data).ABNF()
		g, err := bnf.ReadABNF("g.abnf", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		node := func(id string) bool { return id != "r1" }
		table, tableErr := interpreter.New(g, "r0", node)
		chart, chartErr := charttest.New(g, "r0", node)
		if tableErr != nil || chartErr != nil {
			if (tableErr == nil) != (chartErr == nil) {
				t.Fatalf("%v, and the chart: %v\n%s", tableErr, chartErr, text)
			}
			return
		}
		a, err := lang.FromBNF(g, "r0")
		if err != nil {
			a = nil // it nests
		}
		for _, w := range fuzztest.Words[:40] { // of up to three letters
			tree, ok, err := table.Derive(nil, w)
			other, also, otherErr := chart.Derive(nil, w)
			if err != nil || otherErr != nil {
				if !errors.Is(err, budget.ErrTooLarge) && !errors.Is(otherErr, budget.ErrTooLarge) {
					t.Fatalf("%q: %v, %v\n%s", w, err, otherErr, text)
				}
				continue
			}
			if ok != also {
				t.Fatalf("%q: %t %v, in the chart %t %v\n%s", w, ok, tree, also, other, text)
			}
			if a != nil && a.Match(w) != ok {
				t.Fatalf("%q is accepted: %t, by the automaton %t\n%s", w, ok, a.Match(w), text)
			}
		}
	})
}
