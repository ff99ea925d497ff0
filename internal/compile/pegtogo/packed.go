package pegtogo

import (
	"go/format"
	"strings"
)

// Packed returns a long string of printable characters as a raw string of Go of several lines, with a comma after it.
// Package ast skips the line breaks.
func Packed(s string) string {
	const line = 120
	var b strings.Builder
	b.WriteString("`\n")
	for s != "" {
		part := s[:min(line, len(s))]
		s = s[len(part):]
		b.WriteString(part + "\n")
	}
	return b.String() + "`,\n"
}

// Format is [format.Source].
func Format(src []byte) ([]byte, error) { return format.Source(src) }
