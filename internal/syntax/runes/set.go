// Package runes computes with sets of characters, and knows which characters are the same to engines that ignore case.
package runes

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Set is a set of symbols: the first and last of each of its ranges, ascending. The ranges never touch.
type Set []Span

// A Span is a range of symbols, both ends included.
type Span struct{ Lo, Hi rune }

// Of returns the set of these ranges, each given as its first and last symbol.
func Of(pairs ...rune) Set {
	s := make(Set, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, Span{pairs[i], pairs[i+1]})
	}
	return s.Clean()
}

// Chars returns the set of the characters of a string.
func Chars(text string) (s Set) {
	for _, r := range text {
		s = append(s, Span{r, r})
	}
	return s.Clean()
}

// Clean sorts the ranges of s in place, joins those that touch and drops those whose first symbol is above the
// last. The result shares the memory of s.
func (s Set) Clean() Set {
	slices.SortFunc(s, func(a, b Span) int { return cmp.Compare(a.Lo, b.Lo) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
		} else if r.Lo <= r.Hi {
			out = append(out, r)
		}
	}
	return out
}

// Or returns the union of s and others, in new memory.
func (s Set) Or(t ...Set) Set { return slices.Concat(append(t, s)...).Clean() }

// Not returns the symbols from 0 to last that are not in s. s must have none above last.
func (s Set) Not(last rune) (out Set) {
	next := rune(0)
	for _, r := range s {
		if r.Lo > next {
			out = append(out, Span{next, min(r.Lo-1, last)})
		}
		next = r.Hi + 1
	}
	if next <= last {
		out = append(out, Span{next, last})
	}
	return out
}

// And returns the symbols that are in both sets.
func (s Set) And(t Set) (out Set) {
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if lo, hi := max(s[i].Lo, t[j].Lo), min(s[i].Hi, t[j].Hi); lo <= hi {
			out = append(out, Span{lo, hi})
		}
		if s[i].Hi < t[j].Hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// Has reports whether a symbol is in s.
func (s Set) Has(r rune) bool {
	i, ok := slices.BinarySearchFunc(s, r, func(a Span, r rune) int { return cmp.Compare(a.Lo, r) })
	return ok || i > 0 && r <= s[i-1].Hi
}

// Encodings lists expressions that are alternatives of one another and together derive the symbols of s: one class for
// all below limit, each of which is a byte, and expressions for the UTF-8 of the others. The limit is at most 0x100.
// There are none for the empty set.
func (s Set) Encodings(limit rune) (alts []*expr.Expr) {
	var single expr.Set
	for _, r := range s.And(Of(0, limit-1)) {
		single = single.Union(expr.Range(byte(r.Lo), byte(r.Hi)))
	}
	if !single.IsEmpty() {
		alts = append(alts, expr.In(single))
	}
	for _, r := range s.And(Of(limit, unicode.MaxRune)) {
		alts = append(alts, expr.Encodings(r.Lo, r.Hi)...)
	}
	return alts
}

// Tables returns the characters of tables of package unicode.
func Tables(list ...*unicode.RangeTable) (s Set) {
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			s = append(s, Span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			s = append(s, Span{r, r})
		}
	}
	for _, t := range list {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return s.Clean()
}
