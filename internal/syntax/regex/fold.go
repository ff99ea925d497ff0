package regex

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A folding says which symbols are the same to an engine that ignores case: those with one canonical form.
type folding struct {
	to func(rune) rune

	once  sync.Once
	cased []rune // that are the same as another
	same  map[rune][]rune
}

// prepare computes the tables.
func (f *folding) prepare() {
	of := map[rune][]rune{}
	seen := func(r rune) {
		of[f.to(r)] = append(of[f.to(r)], r)
	}
	for _, r := range changed() {
		seen(r)
	}
	f.same = map[rune][]rune{}
	for _, list := range of {
		for _, r := range list {
			if len(list) > 1 {
				f.same[r] = list
				f.cased = append(f.cased, r)
			}
		}
	}
	slices.Sort(f.cased)
}

// changed lists the characters that have another one of another case, and those.
var changed = sync.OnceValue(func() (list []rune) {
	for r := range rune(utf8.MaxRune + 1) {
		if unicode.SimpleFold(r) != r || unicode.ToUpper(r) != r || unicode.ToLower(r) != r {
			list = append(list, r, unicode.ToUpper(r), unicode.ToLower(r))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
})

// of returns the symbols that are the same as one of s.
func (f *folding) of(s set) set {
	if f == nil {
		return s
	}
	f.once.Do(f.prepare)
	more := slices.Clone(s)
	for _, r := range f.cased {
		if s.has(r) {
			for _, c := range f.same[r] {
				more = append(more, span{c, c})
			}
		}
	}
	return more.clean()
}

// The foldings of the engines.
var (
	foldASCII = &folding{to: func(r rune) rune {
		if r < utf8.RuneSelf {
			return unicode.ToLower(r)
		}
		return r
	}}

	// foldSimple is Unicode's simple case folding.
	foldSimple = &folding{to: func(r rune) rune {
		least := r
		for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
			least = min(least, c)
		}
		return least
	}}

	// foldUnits is what JavaScript does without the flag u (ECMA-262, Canonicalize): the upper case, unless that is more
	// than one unit, or is ASCII and r is not.
	foldUnits = &folding{to: func(r rune) rune {
		up := unicode.ToUpper(r)
		if r > lastUnit || long.has(r) || up > lastUnit || r >= utf8.RuneSelf && up < utf8.RuneSelf {
			return r
		}
		return up
	}}

	// foldLower is what Python's re does: lower case, and what has the same upper case as another lower case is the same.
	foldLower = &folding{to: func(r rune) rune {
		low := unicode.ToLower(r)
		switch low {
		case 0x1fd3, 0x1fe3, 0xfb05: // their upper case is more than one character, and that of another as well
			return map[rune]rune{0x1fd3: 0x390, 0x1fe3: 0x3b0, 0xfb05: 0xfb06}[low]
		}
		if long.has(low) {
			return low
		}
		return unicode.ToUpper(low)
	}}
)

// long are the characters whose upper case is more than one (SpecialCasing.txt of Unicode).
var long = of(0xdf, 0xdf, 0x149, 0x149, 0x1f0, 0x1f0, 0x390, 0x390, 0x3b0, 0x3b0, 0x587, 0x587, 0x1e96, 0x1e9a, 0x1f50, 0x1f50,
	0x1f52, 0x1f52, 0x1f54, 0x1f54, 0x1f56, 0x1f56, 0x1f80, 0x1faf, 0x1fb2, 0x1fb4, 0x1fb6, 0x1fb7, 0x1fbc, 0x1fbc, 0x1fc2, 0x1fc4,
	0x1fc6, 0x1fc7, 0x1fcc, 0x1fcc, 0x1fd2, 0x1fd3, 0x1fd6, 0x1fd7, 0x1fe2, 0x1fe4, 0x1fe6, 0x1fe7, 0x1ff2, 0x1ff4, 0x1ff6, 0x1ff7,
	0x1ffc, 0x1ffc, 0xfb00, 0xfb06, 0xfb13, 0xfb17)

// folded are the characters whose case folding is several characters, and ligatures what the ASCII ones of these can be
// instead. Behind others such a sequence has a character of combining.
var (
	folded    = long.or(of(0x130, 0x130, 0x1e9e, 0x1e9e))
	ligatures = map[string]set{
		"ss": of(0xdf, 0xdf, 0x1e9e, 0x1e9e), "ff": of(0xfb00, 0xfb00), "fi": of(0xfb01, 0xfb01), "fl": of(0xfb02, 0xfb02),
		"ffi": of(0xfb03, 0xfb03), "ffl": of(0xfb04, 0xfb04), "st": of(0xfb05, 0xfb06),
	}
	combining = tables(unicode.M, unicode.Greek, unicode.Armenian).or(of(0x2be, 0x2be), of('n', 'n'))
)
