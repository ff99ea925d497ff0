package pegtogo

import (
	"fmt"
	"strings"
)

// Packed returns a long string as an expression of Go, in lines.
func Packed(s string) string {
	const line = 110
	var b strings.Builder
	b.WriteString("\"\"")
	for s != "" {
		part := s[:min(line, len(s))]
		s = s[len(part):]
		fmt.Fprintf(&b, " +\n%q", part)
	}
	return b.String() + ",\n"
}
