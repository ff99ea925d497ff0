package layout

import "testing"

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
