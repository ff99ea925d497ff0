package jspackage

import (
	"strings"
	"testing"
)

// Productions are packed as docs/table-format.md says, and what is none is an error.
func TestPackRules(t *testing.T) {
	const lines = "node seq bytes 2d,30-39 rule 1\nlexical alt times 2 -1 empty star bytes none\n"
	// Kind 0 and the second production are lexical. Set 0 has no ranges, and set 1 has two. Their expressions have 1, 3
	// and 9 characters.
	const lexical, sets, lengths = "%#!#", "$!&" + "&O!$+", "%#%+"
	const want = lexical + sets + lengths + "&" + "#()" + "$%$!!%!!&"
	got, err := packRules(lines)
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for _, wrong := range []string{
		"node what\n", "node times a 2 empty\n", "node times -1 2 empty\n", "node times 0 -2 empty\n", "node rule -1\n", "node rule -2\n",
		"node rule -3\n", "node empty empty\n", "node seq empty\n",
	} {
		if got, err := packRules(wrong); err == nil || strings.Contains(err.Error(), "nil") {
			t.Errorf("%q is packed: %q, %v", wrong, got, err)
		}
	}
}
