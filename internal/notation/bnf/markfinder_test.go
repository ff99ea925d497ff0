package bnf

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestMarkFinder compares a finder, whose searches go forth and sometimes back, with a search that remembers nothing.
func TestMarkFinder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	found := 0
	for range 2000 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteString([]string{"a", "]", "*/", "*", "\n"}[rng.IntN(5)])
		}
		text, mark := b.String(), []string{"]", "*/"}[rng.IntN(2)]
		var f markFinder
		for from := 0; from <= len(text); from += rng.IntN(4) - min(from, rng.IntN(2)) {
			line, _, _ := strings.Cut(text[from:], "\n")
			want := strings.Index(line, mark)
			if want >= 0 {
				want += from
				found++
			}
			if got := f.find(text, mark, from); got != want {
				t.Fatalf("%q in %q from %d: %d, want %d", mark, text, from, got, want)
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d marks were found", found)
	}
}

// TestLongLines: what stands on one line takes time in proportion to its length, both to read and to print.
func TestLongLines(t *testing.T) {
	for _, c := range []struct{ notation, before, part, after string }{
		{ISO, `a = `, `[ "x" ] , `, `"y" ;`},
		{ISO, `a = `, `‘x’ , `, `"y" ;`},
		{Naur, `<a> ::= `, `‘x’ `, `"y"`},
		{Naur, `<a> ::= [a-z] `, `[ "x" ] `, `"y"`},
		{Naur, `<a> ::= `, `x /* y */ `, `"y"`},
		{ABNF, `a = `, `"x" / `, `"y"`},
	} {
		cost := func(n int) time.Duration {
			text := c.before + strings.Repeat(c.part, n) + c.after + "\n"
			start := time.Now()
			if _, err := ReadDocument("x", []byte(text), c.notation, Usual); err != nil {
				t.Fatalf("%s: %.200v", c.part, err)
			}
			RightSide(c.notation, "a", text)
			return time.Since(start)
		}
		const n = 8000
		var small, large time.Duration
		isLinear := false
		for range 4 { // another program may have taken the time
			small, large = cost(n), cost(16*n)
			if isLinear = large < time.Second || large < 50*small; isLinear {
				break
			}
		}
		if !isLinear {
			t.Errorf("%s: %d of %s take %v, %d take %v", c.notation, n, c.part, small, 16*n, large)
		}
	}
}
