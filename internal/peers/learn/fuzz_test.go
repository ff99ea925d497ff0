package learn

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A parser that is an automaton is learned exactly, as far as the guarantee goes: its model answers as it does to every word that was tried, and is its automaton
// if that has at most one state more. With the answers of the first run a second one asks nothing new.
func FuzzLearn(f *testing.F) {
	f.Add([]byte(nil), "a")
	f.Fuzz(func(t *testing.T, data []byte, try string) {
		text := fuzztest.New(data).ABNF()
		g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
		a, err := lang.FromBNF(g, "r0")
		if err != nil || a.States() > 12 || len(try) > 20 {
			return
		}
		cache := &Cache{}
		for round := range 2 {
			r, err := Learn(t.Context(), accepts(a), Options{Classes: a, Try: slices.Values(append([]string{try}, fuzztest.Words[:40]...)), Random: 10, Extra: 1, Cache: cache})
			if err != nil || !r.Exact || !r.DFA.Equal(a) && a.States() <= r.DFA.States()+1 {
				t.Fatalf("%v: %d states, want %d\n%s", err, r.DFA.States(), a.States(), text)
			}
			for _, w := range append([]string{try}, fuzztest.Words[:40]...) {
				if r.DFA.Match(w) != a.Match(w) {
					t.Fatalf("the model answers wrongly to %q\n%s", w, text)
				}
			}
			if asked := r.Queries - r.Again; round == 1 && asked != 0 {
				t.Errorf("%d new questions in the second run\n%s", asked, text)
			}
		}
	})
}

// A file of answers is refused with the line, or read as what is written again in the same way.
func FuzzCache(f *testing.F) {
	f.Add([]byte("{\"answers_of\":\"x\"}\n{\"input\":\"a\",\"accept\":true}\n{\"base64\":\"/w==\",\"accept\":null}\n"))
	f.Add([]byte("{\"input\":\"a\",\"accept\":true}\n{\"input\":\"a\",\"accept\":true}\n{\"input\":\"a\",\"accept\":false}\n"))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c Cache
		if err := c.Load(bytes.NewReader(text)); err != nil {
			if !bytes.HasPrefix([]byte(err.Error()), []byte("line ")) {
				t.Errorf("%q: no place: %v", text, err)
			}
			return
		}
		if c.Len() > bytes.Count(text, []byte("\n"))+1 {
			t.Errorf("%q: %d answers", text, c.Len())
		}
		var written bytes.Buffer
		copied := Cache{Of: c.Of, Log: &written}
		for _, w := range slices.AppendSeq(c.wordsInOrder(), maps.Keys(c.confirmed)) { // those twice
			must.Do(t, copied.Add([]string{w}, []Answer{c.answers[w]}))
		}
		var again Cache
		if err := again.Load(&written); err != nil || !maps.Equal(again.answers, c.answers) || !maps.Equal(again.confirmed, c.confirmed) {
			t.Errorf("%q is read as %v and %v, and what is written of it as %v and %v (%v)", text, c.answers, c.confirmed, again.answers, again.confirmed, err)
		}
	})
}
