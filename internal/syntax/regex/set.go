package regex

import (
	"cmp"
	"slices"
	"unicode"
)

// A set is a set of symbols: the first and last of each of its ranges, ascending. The ranges never touch.
type set []span

type span struct{ lo, hi rune }

// of returns the set of these ranges, each given as its first and last symbol.
func of(pairs ...rune) set {
	s := make(set, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, span{pairs[i], pairs[i+1]})
	}
	return s.clean()
}

// chars returns the set of the characters of a string.
func chars(text string) (s set) {
	for _, r := range text {
		s = append(s, span{r, r})
	}
	return s.clean()
}

// clean sorts the ranges of s and joins those that touch.
func (s set) clean() set {
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
		} else if r.lo <= r.hi {
			out = append(out, r)
		}
	}
	return out
}

func (s set) or(t ...set) set { return slices.Concat(append(t, s)...).clean() }

// not returns the symbols up to last that are not in s.
func (s set) not(last rune) (out set) {
	next := rune(0)
	for _, r := range s {
		if r.lo > next {
			out = append(out, span{next, min(r.lo-1, last)})
		}
		next = r.hi + 1
	}
	if next <= last {
		out = append(out, span{next, last})
	}
	return out
}

func (s set) and(t set) (out set) {
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if lo, hi := max(s[i].lo, t[j].lo), min(s[i].hi, t[j].hi); lo <= hi {
			out = append(out, span{lo, hi})
		}
		if s[i].hi < t[j].hi {
			i++
		} else {
			j++
		}
	}
	return out
}

func (s set) has(r rune) bool {
	i, ok := slices.BinarySearchFunc(s, r, func(a span, r rune) int { return cmp.Compare(a.lo, r) })
	return ok || i > 0 && r <= s[i-1].hi
}

// tables returns the characters of tables of package unicode.
func tables(list ...*unicode.RangeTable) (s set) {
	for _, t := range list {
		for _, r := range t.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				if r.Stride == 1 {
					s = append(s, span{c, rune(r.Hi)})
					break
				}
				s = append(s, span{c, c})
			}
		}
		for _, r := range t.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				if r.Stride == 1 {
					s = append(s, span{c, rune(r.Hi)})
					break
				}
				s = append(s, span{c, c})
			}
		}
	}
	return s.clean()
}
