package fuzztest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
)

// Whatever the bytes, both texts are grammars. The transcription without changes has rules of the same names.
func TestNew(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	regular, languages := 0, map[string]bool{}
	for range 2000 {
		data, changes := make([]byte, rng.IntN(60)), make([]byte, rng.IntN(30))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		for i := range changes {
			changes[i] = byte(rng.Uint32())
		}
		g := fuzztest.New(data)
		read, err := bnf.ReadABNF("g.abnf", []byte(g.ABNF()))
		if err != nil {
			t.Fatalf("%v\n%s", err, g.ABNF())
		}
		for _, text := range []string{g.PEG(nil), g.PEG(changes)} {
			rules, err := peg.Read("g.peg", []byte(text))
			if err != nil || len(rules.Rules) != len(read.Rules) {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		if a, err := lang.FromBNF(read, "r0"); err == nil {
			regular++
			languages[a.Key()] = true
		}
	}
	if regular < 1000 || len(languages) < 200 {
		t.Errorf("%d grammars are regular, of %d languages: too few to test much", regular, len(languages))
	}
	if got := fuzztest.New(nil).ABNF(); got != "r0 = %s\"a\"\n" {
		t.Errorf("of no bytes: %s", got)
	}
	if n := len(fuzztest.Words); n != 1+3+9+27+81 {
		t.Errorf("%d words", n)
	}
}
