package semantic

import "strings"

// A mark is a character, or two, that some rule is about. Few URLs have one.

// marks gives which of the marks that are asked for stand somewhere in s. Each is looked for alone: Go compares many bytes at
// a time, and is done with all of them before a loop over the bytes is.
func marks(s string, asked trait) (has trait) {
	if asked&aSemicolon != 0 && strings.IndexByte(s, ';') >= 0 {
		has |= aSemicolon
	}
	if asked&aStarOrBang != 0 && (strings.IndexByte(s, '*') >= 0 || strings.IndexByte(s, '!') >= 0) {
		has |= aStarOrBang
	}
	if asked&aPlus != 0 && strings.IndexByte(s, '+') >= 0 {
		has |= aPlus
	}
	if asked&aDotInFront != 0 && (strings.Contains(s, "/.") || strings.Contains(s, ":.")) {
		has |= aDotInFront
	}
	return has
}
