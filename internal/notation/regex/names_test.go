package regex_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/charnames"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Every name that Python knows is found here, and is that of the same character; and of every other name that is found
// here the character has come later, and so is an error.
func TestNamesOfPython(t *testing.T) {
	longtest.Need(t, "asks Python for the names of all characters")
	longtest.Program(t, "python3")
	const program = `
import sys, unicodedata
for c in range(0x110000):
    name = unicodedata.name(chr(c), "")
    if name: print(name, c)`
	unassigned, ok := must.Of(runes.UnicodeOf(runes.OfPython311))(t).Category("Cn")
	if !ok {
		t.Fatal("no table of what is not assigned")
	}
	names := 0
	of := map[rune]bool{}
	for line := range strings.Lines(string(must.Of(exec.Command("python3", "-c", program).Output())(t))) {
		line = strings.TrimSuffix(line, "\n")
		at := strings.LastIndexByte(line, ' ')
		c := rune(must.Of(strconv.Atoi(line[at+1:]))(t))
		of[c] = true
		names++
		if found, ok := charnames.Find(line[:at]); !ok || found != c {
			t.Errorf("%s: %U, %t; Python has %U", line[:at], found, ok, c)
		}
		if unassigned.Has(c) {
			t.Errorf("%s: Python has it, and it is not assigned", line[:at])
		}
	}
	if names < 130_000 {
		t.Errorf("Python has %d names", names)
	}
}

func TestNamedCharacters(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`^\N{DIGIT ONE}$`, ""},
		{`^[\N{digit one}-\N{DIGIT THREE}]$`, ""},
		{`^(?x: \N{LATIN SMALL LETTER A WITH DIAERESIS} )$`, ""},
		{`\N{NULL}`, `1:1: "NULL" is the name of no character that is known here`},
		{`\N{SHAKING FACE}`, `1:1: "SHAKING FACE" is the name of no character of Unicode 14.0.0`},
		{`\N{}`, `1:1: \N{} has no name`},
		{`\N{DIGIT ONE`, `1:1: \N{ without }`},
		{`\N`, `1:1: \N is no escape`},
		{`"\N{DIGIT ONE}"`, ""},
		{`"\N{SHAKING FACE}"`, `"SHAKING FACE" is the name of no character of Unicode 14.0.0`},
		{`"\N{}"`, `\N{} has no name`},
		{`"\N"`, `\N{ without }`},
		{`"\N{NO NAME}"`, `"NO NAME" is the name of no character that is known here`},
		{`b"\N{DIGIT ONE}"`, ""}, // in bytes \N keeps its \, and is no escape of the expression either
	} {
		_, err := regex.ReadAs(nil, "python", "e", test.text, nil, regex.Full)
		if strings.HasPrefix(test.text, "b") {
			if err == nil {
				t.Errorf("%s: is read", test.text)
			}
			continue
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %q", test.text, err, test.want)
		}
	}
}

// Names of groups in JavaScript may have escapes, also those of the halves of a surrogate pair. Node 20 compiles each of
// these expressions, without flags and with u, or refuses it.
func TestNamesOfGroupsInJavascript(t *testing.T) {
	for text, compiles := range map[string]bool{
		`(?<n\u0061>a)`: true, `(?<n\u{61}>a)`: true, `(?<\u{0000061}>a)`: true, `(?<na>a)\k<n\u0061>`: true,
		`(?<\ud835\udc9c>a)`: true, `(?<𝒜>a)`: true, `(?<𝒜>a)\k<\ud835\udc9c>`: true, `(?<a\u200d>a)`: true, `(?<ⅷ·>a)`: true,
		`(?<n\u0061>a)|(?<na>b)`: false, `(?<\ud83d\udc53>a)`: false, `(?<\ud835>a)`: false, `(?<\u{d835}\u{dc9c}>a)`: false,
		`(?<\ud835\u{dc9c}>a)`: false, `(?<n\u0020>a)`: false, `(?<\u0031a>a)`: false, `(?<n\u006>a)`: false, `(?<n\x61>a)`: false,
		`(?<\u{110000}>a)`: false, `(?<\u{}>a)`: false, `(?<a\u005c>a)`: false, `(?<·>a)`: false, "(?<\u2e2f>a)": false,
	} {
		for _, flags := range []string{"", "u"} {
			_, err := regex.ReadAs(nil, "js", "e", "/"+text+"/"+flags, nil, regex.Full)
			if (err == nil) != compiles {
				t.Errorf("/%s/%s: %v; node compiles it: %t", text, flags, err, compiles)
			}
		}
	}
}
