package pegtogo

import (
	"bytes"
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strings"
)

// Packed returns a long string as a Go expression of several lines, which ends with a comma.
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

// packed matches what Packed returns, and takenOut its placeholder after formatting.
var (
	packed   = regexp.MustCompile(`"" \+\n(?:"(?:[^"\\\n]|\\.)*" \+\n)*"(?:[^"\\\n]|\\.)*",\n`)
	takenOut = regexp.MustCompile(`"" \+\n(\t+)"packed string",\n`)
)

// Format is [format.Source] for files with strings from [Packed]. The time of format.Source grows
// with the square of such an expression's lines, so that the strings are taken out before and put
// back after.
func Format(src []byte) ([]byte, error) {
	texts := packed.FindAll(src, -1)
	out, err := format.Source(packed.ReplaceAll(src, []byte("\"\" +\n\"packed string\",\n")))
	if err != nil || len(takenOut.FindAll(out, -1)) != len(texts) {
		return format.Source(src)
	}
	return takenOut.ReplaceAllFunc(out, func(line []byte) []byte {
		text := bytes.ReplaceAll(texts[0], []byte("\n\""), slices.Concat([]byte("\n"), takenOut.FindSubmatch(line)[1], []byte(`"`)))
		texts = texts[1:]
		return text
	}), nil
}
