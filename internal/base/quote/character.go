package quote

import "unicode/utf8"

// CharacterStart returns the offset of the character that the bytes of src before offset begin but do not complete. It
// returns offset itself if these bytes complete a character, or are part of none.
func CharacterStart(src string, offset int) int {
	for at := offset - 1; at >= max(0, offset-utf8.UTFMax+1); at-- {
		if utf8.RuneStart(src[at]) {
			if utf8.FullRuneInString(src[at:offset]) {
				break
			}
			return at
		}
	}
	return offset
}
