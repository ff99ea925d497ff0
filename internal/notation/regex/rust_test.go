package regex_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestRustOperators: the operators -- and ~~ of the crate regex are refused wherever they stand in a class, also
// where the same signs stand outside of classes before. Signs that are no operators are read. The words are those of
// one character that version 1.7.1 of the crate matches.
func TestRustOperators(t *testing.T) {
	const refused = "refused"
	for _, c := range []struct{ text, words string }{
		{`[a--b]`, refused},
		{`(?:--)?[a--b]`, refused},
		{`(?:--)?[+--b]`, refused},
		{`(?:--)?[a-z--b]`, refused},
		{`(?:--)?[--b]`, refused},
		{`(?:--)?[^--b]`, refused},
		{`(?:--)?[\d--1]`, refused},
		{`(?:--)?[[:alpha:]--b]`, refused},
		{`(?:--)?[[a-z]--b]`, refused},
		{`(?:--)?[a-z&&--b]`, refused},
		{`(?:--)?[\--\---]`, refused},
		{`(?:--)?[\[--b]`, refused},
		{`(?:~~)?[a~~b]`, refused},
		{`(?:~~)?[ab[c~~b]]`, refused},
		{`(?:~~)?[\\~~b]`, refused},
		{`[[a-z]-b]`, refused}, // the - is a character to the crate
		{`[[:alpha:]-b]`, refused},
		{`[a]|--`, "a"},
		{`\[--|a`, "a"},
		{`\[~~|a`, "a"},
		{`[a\~~b]`, "ab~"},
		{`[+-\--b]`, "+,-b"},
		{`[+-\-]`, "+,-"},
		{`[+\--b]`, "+-.019AZ[\\]^ab"},
		{`[a-~~b]`, "abkz|~"},
		{`[a&b]`, "&ab"},
		{`[a\&&b]`, "&ab"},
	} {
		r, err := regex.Parse("rust", "^(?:"+c.text+")$")
		if e, ok := errors.AsType[*expr.Error](err); c.words == refused && (!ok || !e.Refused) {
			t.Errorf("%s: %v, want it refused", c.text, err)
		}
		if c.words == refused {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		a := must.Of(r.DFA(nil, regex.Full))(t)
		var words strings.Builder
		for _, w := range `&+,-.019AZ[\]^abkz|~` {
			if a.Match(string(w)) {
				words.WriteRune(w)
			}
		}
		if words.String() != c.words {
			t.Errorf("%s matches %q, want %q", c.text, words.String(), c.words)
		}
	}
}

// anchored returns a random expression of anchors and a few characters, nested at most depth times.
func anchored(rng *rand.Rand, depth int) string {
	atoms := []string{"a", "a", "b", `\n`, `\n`, "^", "$", `\b`, `\B`, `\A`, `\z`}
	switch kind := rng.IntN(8); {
	case depth == 0 || kind < 3:
		return atoms[rng.IntN(len(atoms))]
	case kind < 6:
		return anchored(rng, depth-1) + anchored(rng, depth-1)
	case kind == 6:
		return "(?:" + anchored(rng, depth-1) + "|" + anchored(rng, depth-1) + ")"
	}
	return "(?:" + anchored(rng, depth-1) + ")" + []string{"*", "+", "?", "*?"}[rng.IntN(4)]
}

// TestAnchorsOfRust asks the crate of random expressions of anchors: it misses matches of some, which are refused.
func TestAnchorsOfRust(t *testing.T) {
	longtest.Need(t, "compiles the crate")
	e := engines["rust"]
	rng := rand.New(rand.NewPCG(*seed, 3))
	var texts []string
	var read []*regex.Regex
	for len(texts) < 5000 {
		text := []string{"", "(?m)"}[rng.IntN(2)] + anchored(rng, 4)
		r, err := regex.Parse("rust", text)
		if failed, ok := errors.AsType[*expr.Error](err); ok && failed.Refused {
			continue
		}
		if r == nil {
			t.Errorf("%s: %v", text, err)
		}
		texts, read = append(texts, text), append(read, r)
	}
	list := words([]string{"a", "b", "\n"}, 4)
	for i, answer := range e.ask(t, list, texts) {
		a := must.Of(read[i].DFA(nil, regex.Search))(t)
		for j, w := range list {
			if (answer[j] == '1') != a.Match(w) {
				t.Errorf("%s on %q: the engine says %c", texts[i], w, answer[j])
				break
			}
		}
	}
}
