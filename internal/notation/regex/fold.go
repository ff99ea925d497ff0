package regex

import "github.com/bnfcheck/bnfcheck/internal/syntax/runes"

type (
	set  = runes.Set
	span = runes.Span
)

var (
	of    = runes.Of
	chars = runes.Chars
)

// folded are the characters whose case folding is several characters; they are the same in all versions of Unicode.
// ligatures has, by the ASCII ones of these sequences, the characters that fold to them. Each of the other sequences
// has a character of [parser.combining] in second place.
var (
	folded    = runes.Long.Or(of(0x130, 0x130, 0x1e9e, 0x1e9e))
	ligatures = map[string]set{
		"ss": of(0xdf, 0xdf, 0x1e9e, 0x1e9e), "ff": of(0xfb00, 0xfb00), "fi": of(0xfb01, 0xfb01),
		"fl":  of(0xfb02, 0xfb02),
		"ffi": of(0xfb03, 0xfb03), "ffl": of(0xfb04, 0xfb04), "st": of(0xfb05, 0xfb06),
	}
)
