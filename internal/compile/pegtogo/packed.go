package pegtogo

import "strings"

// Packed returns a long string as a raw string of Go of several lines, with a comma after it. The string may hold
// only printable ASCII characters, and no backquote. Package ast skips the line breaks.
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
