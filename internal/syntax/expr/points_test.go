package expr

import "testing"

func TestCodePoints(t *testing.T) {
	for _, c := range []struct{ chars, want string }{
		{"%x61C", "U+061C"},
		{"%x610-61B", "U+0610-061B"},
		{"the rest of %x10000-EFFFF", "the rest of U+10000-EFFFF"},
		{"#x0", "U+0000"},
		{"[#x0300-#x036F]", "U+0300-036F"},
		{"the rest of #xB7", "the rest of U+00B7"},
		{"[^#xE9\u00e9a-c]", "[^U+00E9U+00E9 a-c]"},
		{"chars - [#xC0-#xD0]", "chars - [U+00C0-U+00D0]"},
		{"[\u202e-\U0001F600]", "[U+202E-U+1F600]"},
		{"any character", "any character"},
	} {
		if got := CodePoints(c.chars); got != c.want {
			t.Errorf("%q is shown as %s, want %s", c.chars, got, c.want)
		}
	}
}
