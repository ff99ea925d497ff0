package quote

import (
	"testing"
	"unicode/utf8"
)

// What is found at an offset is what decoding the string from the left shows: the character around the offset, or, if
// there is none, the bytes that only begin one.
func TestCharacterStart(t *testing.T) {
	const bytes = "a\xc3\xa9\xe2\x82\xf0\x9f\xff"
	asked := 0
	check := func(src string) {
		within := make([]int, len(src)+1) // by offset: where the character around it begins, or the offset itself
		for at := 0; at < len(src); {
			_, size := utf8.DecodeRuneInString(src[at:])
			for i := range size {
				within[at+i] = at
			}
			at += size
		}
		within[len(src)] = len(src)
		for offset := range len(src) + 1 {
			asked++
			start, broken := CharacterStart(src, offset)
			switch {
			case within[offset] < offset: // inside of a character
				if start != within[offset] || broken != 0 {
					t.Errorf("%q at %d: %d, %d broken; the character begins at %d", src, offset, start, broken, within[offset])
				}
			case start < offset: // behind a beginning, with which no character goes on
				if broken != offset-start || utf8.FullRuneInString(src[start:offset]) || !utf8.RuneStart(src[start]) {
					t.Errorf("%q at %d: %d, %d broken", src, offset, start, broken)
				}
			case broken != 0:
				t.Errorf("%q at %d: %d broken of none", src, offset, broken)
			}
		}
	}
	var extend func(src string)
	extend = func(src string) {
		check(src)
		if len(src) == 4 {
			return
		}
		for i := range len(bytes) {
			extend(src + bytes[i:i+1])
		}
	}
	extend("")
	if asked < 20000 {
		t.Errorf("only %d offsets were asked about", asked)
	}
}
