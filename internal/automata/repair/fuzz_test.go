package repair_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/repair"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The result is accepted, is as many edits away as there are steps, and no accepted string of a few bytes is nearer. What is accepted stays
// as it is.
func FuzzNearestPlain(f *testing.F) {
	f.Add([]byte(nil), "abcabc")
	f.Fuzz(func(t *testing.T, data []byte, s string) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		a, err := lang.FromBNF(g, "r0")
		if err != nil || len(s) > 40 || a.States() > 200 {
			return
		}
		steps, ok := repair.NearestPlain(a, s)
		if ok == a.IsEmpty() {
			t.Fatalf("%q: found: %t\n%s", s, ok, text)
		}
		if !ok {
			return
		}
		near := repair.Apply(s, steps)
		if !a.Match(near) || distance(s, near) != len(steps) {
			t.Fatalf("%q becomes %q in %d steps, accepted: %t\n%s", s, near, len(steps), a.Match(near), text)
		}
		if a.Match(s) && len(steps) > 0 {
			t.Fatalf("%q is accepted, and becomes %q\n%s", s, near, text)
		}
		for _, w := range fuzztest.Words {
			if a.Match(w) && distance(s, w) < len(steps) {
				t.Fatalf("%q becomes %q, and %q is nearer\n%s", s, near, w, text)
			}
		}
	})
}
