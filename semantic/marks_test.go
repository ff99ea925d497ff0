package semantic

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Marks are found wherever they stand, next to whatever, in strings of any length.
func TestMarks(t *testing.T) {
	const alphabet = "%;*!+/./.abz09-:<,$&\x00\x7F\x80\xAE\xAF\xFF"
	random := rand.New(rand.NewPCG(7, 8))
	with := map[trait]int{}
	for range 200_000 {
		b := []byte(strings.Repeat("a", random.IntN(40)))
		for range random.IntN(4) {
			if len(b) > 0 {
				b[random.IntN(len(b))] = alphabet[random.IntN(len(alphabet))]
			}
		}
		s := string(b)
		var want trait
		for _, c := range []struct {
			mark trait
			is   bool
		}{
			{aSemicolon, strings.Contains(s, ";")},
			{aStarOrBang, strings.ContainsAny(s, "*!")},
			{aPlus, strings.Contains(s, "+")},
			{aDotInFront, strings.Contains(s, "/.") || strings.Contains(s, ":.")},
		} {
			if c.is {
				want |= c.mark
				with[c.mark]++
			}
		}
		if got := marks(s, ^trait(0)); got != want {
			t.Fatalf("%q: %b, want %b", s, got, want)
		}
	}
	for mark, n := range with {
		if n < 100 {
			t.Errorf("only %d strings have the mark %b", n, mark)
		}
	}
}
