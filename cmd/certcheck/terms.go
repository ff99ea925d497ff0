package main

import (
	"fmt"
	"slices"
)

// A set is a set of bytes, one bit for each.
type set [4]uint64

// add adds the bytes from lo to hi, both included.
func (s *set) add(lo, hi int) {
	for b := lo; b <= hi; b++ {
		s[b>>6] |= 1 << (b & 63)
	}
}

// has reports whether b is in the set.
func (s set) has(b int) bool { return s[b>>6]>>(b&63)&1 != 0 }

// A term is an expression of a grammar, of one of these kinds:
//
//	empty   the empty word
//	bytes   one byte of the set
//	seq     a, and then b
//	alt     a or b; in a PEG, b only where a fails
//	star    a, any number of times; in a PEG, as often as it matches
//	not     a negative lookahead: matches the empty word where a fails
//	rule    the rule of this side and name
//
// Equal terms are stored once, so a term is known by its number.
type term struct {
	kind       string
	a, b       int    // the parts, by number; not and star have only a
	set        set    // of bytes
	side, name string // of a rule
}

// empty is the number of the term of the kind "empty".
const empty = 0

// maxTerms caps the number of terms of the grammars and the certificate together.
const maxTerms = 1 << 21

// terms holds the terms of both sides, "bnf" and "peg", numbered together. Its methods seq and alt
// normalize: expressions that differ only in how they are grouped get the same number. The rules
// are in docs/certificates.md.
type terms struct {
	all    []term       // by number
	index  map[term]int // the number of each term
	sides  map[string]*reader
	place  string   // the file and line at work, for errors
	report []string // the lines to print below the verdict

	letInvalid bool // to the PEG, a byte that begins no encoding is U+FFFD, and not an error
}

// must panics with the message unless holds is true. [check] recovers, and puts the place before
// the message.
func (t *terms) must(holds bool, format string, args ...any) {
	if !holds {
		panic(fmt.Sprintf(format, args...))
	}
}

// intern returns the number of a term. A new term is added and gets the next number, and it fails
// if there are too many.
func (t *terms) intern(n term) int {
	x, known := t.index[n]
	if known {
		return x
	}
	x = len(t.all)
	t.must(x < maxTerms, "the grammars have more than %d terms", x)
	t.index[n] = x
	t.all = append(t.all, n)
	return x
}

// byteRange returns the term for one byte from lo to hi.
func (t *terms) byteRange(lo, hi int) int {
	n := term{kind: "bytes"}
	n.set.add(lo, hi)
	return t.intern(n)
}

// seq returns the term for a and then b. Sequences nest to the right: ( a b ) c becomes a ( b c ).
// An empty a or b is dropped.
func (t *terms) seq(a, b int) int {
	if a == empty {
		return b
	}
	if b == empty {
		return a
	}
	if x := t.all[a]; x.kind == "seq" {
		return t.seq(x.a, t.seq(x.b, b))
	}
	return t.intern(term{kind: "seq", a: a, b: b})
}

// alt returns the term for a or b. Choices nest to the right: ( a / b ) / c becomes a / ( b / c ).
// Neighboring alternatives that each match one byte become one set; ordered choice allows that,
// since both read just that byte.
func (t *terms) alt(a, b int) int {
	x, y := t.all[a], t.all[b]
	switch {
	case x.kind == "alt":
		return t.alt(x.a, t.alt(x.b, b))
	case x.kind == "bytes" && y.kind == "bytes":
		for i := range x.set {
			x.set[i] |= y.set[i]
		}
		return t.intern(x)
	case x.kind == "bytes" && y.kind == "alt" && t.all[y.a].kind == "bytes":
		return t.intern(term{kind: "alt", a: t.alt(a, y.a), b: y.b})
	}
	return t.intern(term{kind: "alt", a: a, b: b})
}

// joinRight folds a list of terms, which must not be empty, from the right by seq or alt.
func joinRight(join func(a, b int) int, list []int) int {
	last := len(list) - 1
	x := list[last]
	for _, a := range slices.Backward(list[:last]) {
		x = join(a, x)
	}
	return x
}
