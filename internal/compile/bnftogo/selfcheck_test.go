package bnftogo

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func TestCoveringWords(t *testing.T) {
	for _, c := range []struct{ expression, words string }{
		{`"0" / "1"`, "0 1"},
		{`("0" / "1") "-" ("2" / "3")`, "0-2 0-3 1-2"},
		{`"0" *"1" "2"`, "0112 012 02"},
		{`3*("0" / "1")`, "000"},
		{`"0" s / "1"`, "1"},
	} {
		g := read(t, "g = "+c.expression+"\ns = \"x\" s")
		words := must.Of(newCompiler(g, usual(g)))(t).coveringWords(g.Rules[0].Expr)
		slices.Sort(words)
		if got := strings.Join(slices.Compact(words), " "); got != c.words {
			t.Errorf("%s: %s, want %s", c.expression, got, c.words)
		}
	}
}

// What derives nothing has no words: as a use, a repetition of that, and a sequence with it.
func TestNoCoveringWords(t *testing.T) {
	for _, expression := range []string{`s`, `1*s`, `2*s`, `"0" s`, `*3("0" s) 2s`} {
		g := read(t, "g = "+expression+"\ns = \"x\" s")
		if words := must.Of(newCompiler(g, usual(g)))(t).coveringWords(g.Rules[0].Expr); len(words) > 0 {
			t.Errorf("%s: %q, want no words", expression, words)
		}
	}
}

// A text of n letters is n parts of a sequence, each of which is covered by words of that length: no
// more of them are made than are returned.
func TestCoveringWordsOfLongText(t *testing.T) {
	const n = 20000
	g := read(t, `g = "`+strings.Repeat("ab", n/2)+`"`)
	c := must.Of(newCompiler(g, usual(g)))(t)
	c.leastWords()
	bytes := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			c.coveringWords(g.Rules[0].Expr)
		}
	}).AllocedBytesPerOp()
	if most := int64(2 * maxCovering * n); bytes > most {
		t.Errorf("the words of a text of %d letters take %d bytes, want at most %d", n, bytes, most)
	}
}
