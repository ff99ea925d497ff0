package regex_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
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
