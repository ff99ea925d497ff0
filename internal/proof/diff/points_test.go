package diff

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// The first code points are those that a look at each of them in turn finds. Where there are none, few bytes are read.
func TestFirstPoints(t *testing.T) {
	rows := []struct {
		name  string
		words []string
		are   func(r rune) bool
	}{
		{"none", nil, func(rune) bool { return false }},
		{"all", nil, func(rune) bool { return true }},
		{"all but those that are known", []string{"\u0080", "\u0082"}, func(rune) bool { return true }},
		{"the last", []string{"\u0080"}, func(r rune) bool { return r == utf8.MaxRune }},
		{"one that is known, and one with the same last byte", []string{"\u0101"}, func(r rune) bool { return r == 0x101 || r == 0x10101 }},
		{"around the surrogates", nil, func(r rune) bool { return r > 0xd7fd && r < 0xe002 }},
		{"where the lengths change", nil, func(r rune) bool { return r == 0x7ff || r == 0x800 || r == 0xffff || r == 0x10000 }},
	}
	for _, row := range rows {
		var want []string
		want = append(want, row.words...)
		for r := rune(utf8.RuneSelf); r <= utf8.MaxRune && len(want) < 5; r++ {
			if word := string(r); utf8.ValidRune(r) && row.are(r) && !slices.Contains(want, word) {
				want = append(want, word)
			}
		}
		// A state is the bytes read, so that no two are alike.
		next := func(at string, b byte) string { return at + string([]byte{b}) }
		are := func(at string) bool {
			r, size := utf8.DecodeRuneInString(at)
			if size != len(at) || !utf8.ValidString(at) {
				t.Fatalf("%s: %q is not one code point", row.name, at)
			}
			return row.are(r)
		}
		if got := firstPoints("", next, are, row.words...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", row.name, got, want)
		}
	}
	// A state is the last byte.
	read := 0
	next := func(_, b byte) byte {
		read++
		return b
	}
	if got := firstPoints(0, next, func(byte) bool { return false }); got != nil || read > 20_000 {
		t.Errorf("%q after %d bytes were read", got, read)
	}
	want := []string{"\u0081", "\u00c1", "\u0101", "\u0141", "\u0181"}
	if got := firstPoints(0, next, func(at byte) bool { return at == 0x81 }); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
