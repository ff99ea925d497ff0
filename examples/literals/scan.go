package literals

import (
	"strconv"
	"strings"
)

// scanLiteral is the scanner of the production literal: after {50} and a line end it is exactly 50 bytes long.
func scanLiteral(src string, at int) (end int, ok bool) {
	head, _, found := strings.Cut(src[at:], "}\r\n")
	if !found {
		return len(src) + 1, true // the length is not complete
	}
	n, err := strconv.ParseUint(head[1:], 10, 31)
	return at + len(head) + len("}\r\n") + int(n), err == nil
}
