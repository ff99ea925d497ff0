package semantic

import "strings"

// A mark is a character, or two, that some rule is about. Few URLs have one.

// marks gives which marks stand somewhere in s. Each is looked for alone: Go compares many bytes at a time, and is done with
// all of them before a loop over the bytes is.
func marks(s string) (has trait) {
	if strings.IndexByte(s, ';') >= 0 {
		has |= aSemicolon
	}
	if strings.IndexByte(s, '*') >= 0 || strings.IndexByte(s, '!') >= 0 {
		has |= aStarOrBang
	}
	if strings.IndexByte(s, '+') >= 0 {
		has |= aPlus
	}
	if strings.Contains(s, "/.") {
		has |= aDotAfterSlash
	}
	return has
}
