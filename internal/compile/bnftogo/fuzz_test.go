package bnftogo

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Grammar in, parser out: the code, whose PEG is interpreted, and the tables, which are run, parse
// the short strings as an interpreter of the grammar does.
func FuzzCompile(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range longtest.Size(80, 1000) {
		f.Add(fuzztest.Random(rng, 40, i%4 == 0), uint8(i*37))
	}
	f.Fuzz(func(t *testing.T, data []byte, nodes uint8) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		o := usual(g)
		o.Nodes = func(id string) bool { return nodes>>(id[1]-'0')&1 == 0 }
		o.Limits.States = 1 << 12
		c, err := compiled(g, o)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, p := range c.productions {
			if p.isGeneral() && (p.refusal.Pos.Line < 1 || p.refusal.Reason == "") {
				t.Errorf("%s: %+v\n%s", p.ID, p.refusal, text)
			}
			d, err := interpreter.New(g, p.ID, o.Nodes)
			if err != nil {
				t.Fatalf("%s is compiled: %v\n%s", p.ID, err, text)
			}
			for _, w := range fuzztest.Words[:40] { // of up to three letters
				ok := pegtest.Derives(g, p.ID, w)
				want, derived, err := d.Derive(nil, w)
				if err != nil || derived != ok {
					t.Fatalf("%s: %q is derived: %t, by the interpreter %t, %v\n%s", p.ID, w, ok, derived, err, text)
				}
				got, parsed, accepted := c.run(p, w)
				if parsed != ok || accepted != ok || ok && !p.isGeneral() && !slices.Equal(got, want) {
					t.Fatalf("%s: %q is derived: %t %v; parsed: %t %v, accepted: %t\n%s", p.ID, w, ok, want, parsed, got, accepted, text)
				}
			}
		}
	})
}
