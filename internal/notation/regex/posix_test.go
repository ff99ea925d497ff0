package regex_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The assumption about regcomp is made for an anchor inside an expression, and not for one at an end of it or of a
// branch; a branch that is an anchor alone has it at both ends.
func TestAssumptionOfAnchorsInside(t *testing.T) {
	for text, want := range map[string]bool{
		"^a$": false, "^a|b$": false, "a|^": false, "$|a": false, "ab|^|c": false, "ab|$|c": false,
		"a^b": true, "a$b|c": true, "(a|^)b": true, "a(^b|c)": true,
	} {
		assumed := strings.Contains(strings.Join(must.Of(regex.Parse("posix", text))(t).Assumes, "\n"), "an anchor inside")
		if assumed != want {
			t.Errorf("%s: assumed %t, want %t", text, assumed, want)
		}
	}
}
