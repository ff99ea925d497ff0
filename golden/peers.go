package golden

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unescape undoes the escapes \\ \t \n \r \xHH \uXXXX in which other projects' test cases are written down. Go has them
// too, but for half a surrogate pair: that becomes U+FFFD. Anything else behind a backslash is an error.
func Unescape(s string) (string, error) {
	var b []byte
	for rest := s; rest != ""; {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, 0)
		switch {
		case err != nil && len(rest) >= len(`\uD800`) && strings.HasPrefix(rest, `\uD`):
			b, tail = utf8.AppendRune(b, utf8.RuneError), rest[len(`\uD800`):]
		case err != nil:
			return "", fmt.Errorf("%q: %w", s, err)
		case multibyte:
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, byte(r))
		}
		rest = tail
	}
	return string(b), nil
}
