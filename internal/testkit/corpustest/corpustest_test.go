package corpustest

import "testing"

func TestUnescape(t *testing.T) {
	for _, c := range []struct{ escaped, want string }{
		{``, ""},
		{`http://a/b`, "http://a/b"},
		{`\\ \t \n \r`, "\\ \t \n \r"},
		{`\xff\x00`, "\xff\x00"},
		{`\u00e9`, "é"},
		{`\uD83Da`, "\uFFFDa"},
	} {
		if got, err := unescape(c.escaped); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.escaped, got, err, c.want)
		}
	}
	for _, wrong := range []string{`\`, `\q`, `\x1`, `\u12`, `\uD8`} {
		if got, err := unescape(wrong); err == nil {
			t.Errorf("%s: %q, want an error", wrong, got)
		}
	}
}
