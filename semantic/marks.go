package semantic

import "strings"

// A mark is a character, or two, that some rule is about. Few URLs have one. All marks are looked for at once, and
// eight bytes at a time: one look tells most URLs from those that take a second.

// marks gives which marks stand somewhere in s.
func marks(s string) (has trait) {
	if unmarked(s) {
		return 0
	}
	var seen, pairs, before uint8
	for i := range len(s) {
		b := markOf[s[i]]
		seen |= b
		pairs |= before << 1 & b
		before = b
	}
	if seen&semicolon != 0 {
		has |= aSemicolon
	}
	if seen&starOrBang != 0 {
		has |= aStarOrBang
	}
	if seen&plusSign != 0 {
		has |= aPlus
	}
	if pairs&dot != 0 {
		has |= aDotAfterSlash
	}
	return has
}

const (
	semicolon uint8 = 1 << iota
	starOrBang
	plusSign
	slash
	dot // next to slash, so that a shift makes a pair of them
)

var markOf = [256]uint8{';': semicolon, '*': starOrBang, '!': starOrBang, '+': plusSign, '/': slash, '.': dot}

// unmarked reports whether s surely has no mark. It may be wrong about one that has none: of the characters below "-"
// all count as marks.
func unmarked(s string) bool {
	if len(s) < 8 {
		return !strings.ContainsAny(s, ";*!+") && !strings.Contains(s, "/.")
	}
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	// In a word of eight bytes x the highest bit of a byte of (x - n*ones) &^ x & highs is set if the byte is below n,
	// and in a byte above such a one perhaps as well.
	look := func(at int) uint64 {
		b := s[at : at+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		semicolons, slashes, dots := x^';'*ones, x^'/'*ones, x^'.'*ones
		return ((x-'-'*ones)&^x | (semicolons-ones)&^semicolons | (slashes-ones)&^slashes<<8&((dots-ones)&^dots)) & highs
	}
	found := look(len(s) - 8)
	for at := 0; at < len(s)-8; at += 7 { // one byte twice, so that both of a pair are in some word
		found |= look(at)
	}
	return found == 0
}
