package check

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// A chunked is a reader that gives a few bytes at a time.
type chunked struct {
	text string
	size int
}

// FuzzLines reads lines in pieces of any size, and compares them with the lines of the whole text.
func FuzzLines(f *testing.F) {
	f.Add("\xEF\xBB\xBFa\r\n# c\n\n"+strings.Repeat("b", 300)+"\r\nc", uint8(1), uint8(3))
	f.Fuzz(func(t *testing.T, text string, size, limit uint8) {
		got, skipped := readAll(t, &chunked{text, 1 + int(size)}, int(limit))
		want, blank := splitAll(text, int(limit))
		if !slices.Equal(got, want) || skipped != blank {
			t.Errorf("%q by %d bytes: %q, %d skipped; want %q, %d", text, size, got, skipped, want, blank)
		}
	})
}

func (c *chunked) Read(p []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(c.size, len(p))], c.text)
	c.text = c.text[n:]
	return n, nil
}
