package runes

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Fold is a way to ignore case.
type Fold int

const (
	FoldASCII  Fold = iota // ASCII alone
	FoldSimple             // Unicode's simple case folding
	FoldUnits              // JavaScript's without the flag u (ECMA-262, Canonicalize)
	FoldLower              // that of Python's re

	folds = iota // how many there are
)

// A Folding says which symbols are the same to an engine that ignores case: those with one canonical form.
type Folding struct {
	to func(rune) rune // returns the canonical form

	once  sync.Once
	cased []rune          // the characters that are the same as another, ascending
	same  map[rune][]rune // by one of cased: all that are the same, itself among them
}

// prepare sets f.same and f.cased: it computes, among the characters that have another case, those that are the same by
// f.to, which must be set. f.once calls it.
func (f *Folding) prepare(changed []rune) {
	of := map[rune][]rune{}
	for _, r := range changed {
		of[f.to(r)] = append(of[f.to(r)], r)
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

// changed lists the characters of package unicode that have another case, be it one character or several, and the
// simple ones of those. A test compares it with all characters.
var changed = sync.OnceValue(func() (list []rune) {
	add := func(lo, hi rune) {
		for r := lo; r <= hi; r++ {
			list = append(list, r, unicode.ToUpper(r), unicode.ToLower(r))
		}
	}
	for _, c := range unicode.CaseRanges {
		add(rune(c.Lo), rune(c.Hi))
	}
	for _, s := range Long {
		add(s.Lo, s.Hi)
	}
	slices.Sort(list)
	return slices.Compact(list)
})

// Fold returns s with all symbols that are the same as one of it, to an engine with these tables that ignores case in
// the given way. s is not changed.
func (u *Unicode) Fold(how Fold, s Set) Set {
	u.once.Do(u.prepare)
	f := &u.foldings[how]
	f.once.Do(func() {
		f.to = u.canonicalizer(how)
		f.prepare(u.changed)
	})
	more := slices.Clone(s)
	for _, span := range s {
		for i, _ := slices.BinarySearch(f.cased, span.Lo); i < len(f.cased) && f.cased[i] <= span.Hi; i++ {
			for _, c := range f.same[f.cased[i]] {
				more = append(more, Span{c, c})
			}
		}
	}
	return more.Clean()
}

// canonicalizer returns the function that maps each character to its canonical form, which is common to all characters
// that are the same under a way to ignore case. Anything but the first three ways is [FoldLower]. u.prepare must have
// run: without it the mappings are Go's.
func (u *Unicode) canonicalizer(how Fold) func(rune) rune {
	upper := func(r rune) rune { return mapCase(u.upper, unicode.ToUpper, r) }
	switch how {
	case FoldASCII:
		return func(r rune) rune {
			if r < utf8.RuneSelf {
				return unicode.ToLower(r)
			}
			return r
		}
	case FoldSimple:
		return func(r rune) rune { return mapCase(u.simple, leastFolded, r) }
	case FoldUnits: // upper case, unless that is more units, or only that is ASCII
		return func(r rune) rune {
			up := upper(r)
			if r > 0xffff || Long.Has(r) || up > 0xffff || r >= utf8.RuneSelf && up < utf8.RuneSelf {
				return r
			}
			return up
		}
	}
	// FoldLower: a character is the same as its lower case, and as all whose lower cases have the same upper case. An
	// upper case of several characters, which upper does not have, is compared by sameLong.
	return func(r rune) rune {
		low := mapCase(u.lower, unicode.ToLower, r)
		if first, ok := sameLong[low]; ok {
			return first
		}
		if Long.Has(low) {
			return low
		}
		return upper(low)
	}
}

// leastFolded returns the least of the characters that simple case folding takes for the same as r.
func leastFolded(r rune) rune {
	least := r
	for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
		least = min(least, c)
	}
	return least
}

// sameLong has the characters whose upper case is several characters, and the same as that of another.
var sameLong = map[rune]rune{0x1fd3: 0x390, 0x1fe3: 0x3b0, 0xfb05: 0xfb06}

// Long are the characters whose upper case is several characters (SpecialCasing.txt of Unicode, the same in all
// versions).
var Long = Of(0xdf, 0xdf, 0x149, 0x149, 0x1f0, 0x1f0, 0x390, 0x390, 0x3b0, 0x3b0, 0x587, 0x587, 0x1e96, 0x1e9a,
	0x1f50, 0x1f50,
	0x1f52, 0x1f52, 0x1f54, 0x1f54, 0x1f56, 0x1f56, 0x1f80, 0x1faf, 0x1fb2, 0x1fb4, 0x1fb6, 0x1fb7, 0x1fbc, 0x1fbc,
	0x1fc2, 0x1fc4,
	0x1fc6, 0x1fc7, 0x1fcc, 0x1fcc, 0x1fd2, 0x1fd3, 0x1fd6, 0x1fd7, 0x1fe2, 0x1fe4, 0x1fe6, 0x1fe7, 0x1ff2, 0x1ff4,
	0x1ff6, 0x1ff7,
	0x1ffc, 0x1ffc, 0xfb00, 0xfb06, 0xfb13, 0xfb17)
