// Package charnames finds characters by their names in Unicode, as \N{DIGIT ONE} of an expression gives them.
//
// The names are those of golang.org/x/text, which come from UnicodeData.txt, and the two kinds that are computed there:
// those of Hangul syllables and of unified ideographs of CJK. (The Unicode Standard, section 4.8.) A name is never
// changed and never given to another character, so that they hold in every later version too. Aliases (NULL, LINE
// FEED) and sequences are not among them. In a page, where the tables would be a third of the program, no name is
// known.
package charnames

import "strings"

// Find returns the character with a name. As in Python, small letters stand for capital ones in the names of
// UnicodeData.txt, and in no others. ok is false if the name is not known here.
func Find(name string) (r rune, ok bool) {
	if syllable, is := strings.CutPrefix(name, "HANGUL SYLLABLE "); is {
		return findSyllable(syllable)
	}
	if digits, is := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); is {
		return findIdeograph(digits)
	}
	upper := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, name)
	r, ok = byName()[upper]
	return r, ok
}

// The short names of the letters that a Hangul syllable is made of, in the order in which the syllables are counted.
var (
	initials = strings.Split("G GG N D DD R M B BB S SS  J JJ C K T P H", " ")
	medials  = strings.Split("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I", " ")
	finals   = strings.Split(" G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H", " ")
)

// firstSyllable is the first Hangul syllable, GA.
const firstSyllable = 0xac00

// findSyllable returns the Hangul syllable with this romanization. Several ways to split it would be several
// syllables, but no two have the same one.
func findSyllable(name string) (r rune, ok bool) {
	for i, initial := range initials {
		for m, medial := range medials {
			rest, is := strings.CutPrefix(name, initial+medial)
			if !is {
				continue
			}
			for f, final := range finals {
				if rest == final {
					return firstSyllable + rune((i*len(medials)+m)*len(finals)+f), true
				}
			}
		}
	}
	return 0, false
}
