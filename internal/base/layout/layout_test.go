package layout

import (
	"math/big"
	"testing"
)

// Printable shows everything that could move a cursor or turn text around as its bytes.
func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain":            "plain",
		"café":             "café",
		"a\x1b[2Jb":        `a\x1B[2Jb`,
		"\xff":             `\xFF`,
		"\u202egnp.exe":    `\xE2\x80\xAEgnp.exe`,
		"one\n\ttwo\r\x00": "one\n\ttwo" + `\x0D\x00`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestMagnitude(t *testing.T) {
	for _, c := range []struct{ n, want string }{
		{"0", "0"}, {"999999", "999999"}, {"1000000", "1.00 × 10⁶"}, {"1999999", "2.00 × 10⁶"},
		{"218257720803982468541696367700", "2.18 × 10²⁹"},
	} {
		n, ok := new(big.Int).SetString(c.n, 10)
		if got := Magnitude(n); !ok || got != c.want {
			t.Errorf("%s is shown as %s, want %s", c.n, got, c.want)
		}
	}
}

func TestUnindent(t *testing.T) {
	for text, want := range map[string]string{
		"  a = b\n      c":     "a = b\n    c",
		"\ta = b\n\t  c":       "a = b\n  c",
		"a = b  \n  c":         "a = b\n  c",
		"    a = b\n\n    c  ": "a = b\n\nc",
		"   a\n \n   b":        "a\n\nb",
		"  ":                   "",
		"":                     "",
	} {
		if got := Unindent(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
