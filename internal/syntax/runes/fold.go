package runes

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Folding says which symbols are the same to an engine that ignores case: those with one canonical form.
type Folding struct {
	to func(rune) rune

	once  sync.Once
	cased []rune // that are the same as another
	same  map[rune][]rune
}

// prepare computes the tables.
func (f *Folding) prepare() {
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

// changed lists the characters that have another case, be it one character or several, and the simple ones of those.
var changed = sync.OnceValue(func() (list []rune) {
	for r := range rune(utf8.MaxRune + 1) {
		if unicode.SimpleFold(r) != r || unicode.ToUpper(r) != r || unicode.ToLower(r) != r || Long.Has(r) {
			list = append(list, r, unicode.ToUpper(r), unicode.ToLower(r))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
})

// Of returns the symbols that are the same as one of s.
func (f *Folding) Of(s Set) Set {
	if f == nil {
		return s
	}
	f.once.Do(f.prepare)
	more := slices.Clone(s)
	for _, r := range f.cased {
		if s.Has(r) {
			for _, c := range f.same[r] {
				more = append(more, Span{c, c})
			}
		}
	}
	return more.Clean()
}

// The foldings of the engines.
var (
	// FoldASCII folds ASCII alone.
	FoldASCII = &Folding{to: func(r rune) rune {
		if r < utf8.RuneSelf {
			return unicode.ToLower(r)
		}
		return r
	}}

	// FoldSimple is Unicode's simple case folding.
	FoldSimple = &Folding{to: simple}

	// FoldSimple151 is Unicode's simple case folding since version 15.1, which joins three pairs that have the same upper case of
	// several characters.
	FoldSimple151 = &Folding{to: func(r rune) rune {
		if first, ok := sameLong[r]; ok {
			return first
		}
		return simple(r)
	}}

	// FoldUnits is JavaScript's without the flag u (ECMA-262, Canonicalize): upper case, unless that is more units, or only that is
	// ASCII.
	FoldUnits = &Folding{to: func(r rune) rune {
		up := unicode.ToUpper(r)
		if r > 0xffff || Long.Has(r) || up > 0xffff || r >= utf8.RuneSelf && up < utf8.RuneSelf {
			return r
		}
		return up
	}}

	// FoldLower is what Python's re does: lower case, and what has the same upper case as another lower case is the same.
	FoldLower = &Folding{to: func(r rune) rune {
		low := unicode.ToLower(r)
		if first, ok := sameLong[low]; ok {
			return first
		}
		if Long.Has(low) {
			return low
		}
		return unicode.ToUpper(low)
	}}
)

// simple returns the least of the characters that simple case folding takes for the same as r.
func simple(r rune) rune {
	least := r
	for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
		least = min(least, c)
	}
	return least
}

// sameLong has the characters whose upper case is several characters, and the same as that of another.
var sameLong = map[rune]rune{0x1fd3: 0x390, 0x1fe3: 0x3b0, 0xfb05: 0xfb06}

// Long are the characters whose upper case is more than one (SpecialCasing.txt of Unicode).
var Long = Of(0xdf, 0xdf, 0x149, 0x149, 0x1f0, 0x1f0, 0x390, 0x390, 0x3b0, 0x3b0, 0x587, 0x587, 0x1e96, 0x1e9a, 0x1f50, 0x1f50,
	0x1f52, 0x1f52, 0x1f54, 0x1f54, 0x1f56, 0x1f56, 0x1f80, 0x1faf, 0x1fb2, 0x1fb4, 0x1fb6, 0x1fb7, 0x1fbc, 0x1fbc, 0x1fc2, 0x1fc4,
	0x1fc6, 0x1fc7, 0x1fcc, 0x1fcc, 0x1fd2, 0x1fd3, 0x1fd6, 0x1fd7, 0x1fe2, 0x1fe4, 0x1fe6, 0x1fe7, 0x1ff2, 0x1ff4, 0x1ff6, 0x1ff7,
	0x1ffc, 0x1ffc, 0xfb00, 0xfb06, 0xfb13, 0xfb17)
