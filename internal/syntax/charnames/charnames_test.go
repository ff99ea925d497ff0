package charnames

import (
	"testing"

	"golang.org/x/text/unicode/runenames"
)

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name string
		want rune // 0 for a name that is not known
	}{
		{"DIGIT ONE", '1'},
		{"latin small letter a", 'a'},
		{"LATIN SMALL LETTER SHARP S", 'ß'},
		{"HANGUL SYLLABLE GA", 0xac00},
		{"HANGUL SYLLABLE A", 0xc544},
		{"HANGUL SYLLABLE GAGG", 0xac02},
		{"HANGUL SYLLABLE HIH", 0xd7a3},
		{"HANGUL SYLLABLE ga", 0},
		{"HANGUL SYLLABLE ", 0},
		{"CJK UNIFIED IDEOGRAPH-4E00", 0x4e00},
		{"CJK UNIFIED IDEOGRAPH-20000", 0x20000},
		{"CJK UNIFIED IDEOGRAPH-4e00", 0},
		{"CJK UNIFIED IDEOGRAPH-0041", 0},
		{"CJK UNIFIED IDEOGRAPH-4E0", 0},
		{"NULL", 0},
		{"<control>", 0},
		{" DIGIT ONE", 0},
		{"", 0},
	} {
		if r, ok := Find(test.name); r != test.want || ok != (test.want != 0) {
			t.Errorf("%q: %U, %t; want %U", test.name, r, ok, test.want)
		}
	}
}

// Every character with a name is found by it, and every Hangul syllable by one of its own.
func TestFindEvery(t *testing.T) {
	found := 0
	for r := rune(0); r <= 0x10ffff; r++ {
		name := runenames.Name(r)
		if name == "" || name[0] == '<' {
			continue
		}
		if got, ok := Find(name); !ok || got != r {
			t.Errorf("%q: %U, %t; want %U", name, got, ok, r)
		}
		found++
	}
	if found < 30_000 {
		t.Errorf("%d names", found)
	}
	syllables := map[rune]bool{}
	for _, initial := range initials {
		for _, medial := range medials {
			for _, final := range finals {
				r, ok := Find("HANGUL SYLLABLE " + initial + medial + final)
				if !ok || syllables[r] {
					t.Errorf("%s%s%s: %U, %t", initial, medial, final, r, ok)
				}
				syllables[r] = true
			}
		}
	}
	if len(syllables) != 0xd7a3-firstSyllable+1 {
		t.Errorf("%d syllables", len(syllables))
	}
}
