package quote

import "unicode/utf8"

// CharacterStart returns the offset of the character that the bytes of src before offset begin but do not complete. It
// returns offset itself if these bytes complete a character, or are part of none. What follows offset tells whether
// these bytes are the beginning of a character in src: if they are not, broken is their number, and otherwise 0.
func CharacterStart(src string, offset int) (start, broken int) {
	for at := offset - 1; at >= max(0, offset-utf8.UTFMax+1); at-- {
		if !utf8.RuneStart(src[at]) {
			continue
		}
		if utf8.FullRuneInString(src[at:offset]) {
			break
		}
		if _, size := utf8.DecodeRuneInString(src[at:]); size <= offset-at { // 1, for a byte of no character
			broken = offset - at
		}
		return at, broken
	}
	return offset, 0
}
