package main

import (
	"fmt"
	"slices"
)

// A set is a set of bytes, a bit each.
type set [4]uint64

// add adds the bytes from lo to hi.
func (s *set) add(lo, hi int) {
	for b := lo; b <= hi; b++ {
		s[b>>6] |= 1 << (b & 63)
	}
}

func (s set) has(b int) bool { return s[b>>6]>>(b&63)&1 != 0 }

// A term is an expression of a grammar in few kinds:
//
//	empty   the empty word
//	bytes   one byte of the set
//	seq     a, and then b
//	alt     a or b; in a PEG, b where a fails
//	star    a as often as it goes
//	not     what comes next is not a; it reads nothing
//	rule    the rule of a side with this name
//
// Terms that look alike are one term, so that a term is a number.
type term struct {
	kind       string
	a, b       int
	set        set
	side, name string // of a rule
}

// empty is the number of the term of the kind "empty".
const empty = 0

// maxTerms bounds how many terms the grammars and the certificate have together.
const maxTerms = 1 << 21

// terms are the terms of both sides, "bnf" and "peg", numbered together. The methods below build
// terms so that the same expression is the same number, however it is written:
// docs/certificates.md has the rules.
type terms struct {
	all    []term
	index  map[term]int
	sides  map[string]*reader
	place  string   // what is being looked at, for errors
	report []string // the lines that are printed
}

// must panics with a message unless something holds. The panic ends in [check], which adds the
// place.
func (t *terms) must(holds bool, format string, args ...any) {
	if !holds {
		panic(fmt.Sprintf(format, args...))
	}
}

// mk returns the number of a term, which it gets if it is new.
func (t *terms) mk(n term) int {
	x, ok := t.index[n]
	if ok {
		return x
	}
	x = len(t.all)
	t.must(x < maxTerms, "the grammars have more than %d terms", x)
	t.index[n] = x
	t.all = append(t.all, n)
	return x
}

// bytes returns the term for one byte from lo to hi.
func (t *terms) bytes(lo, hi int) int {
	n := term{kind: "bytes"}
	n.set.add(lo, hi)
	return t.mk(n)
}

// seq returns the term for a and then b. Sequences nest to the right, ( a b ) c = a ( b c ), and
// the empty word is left out of them.
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
	return t.mk(term{kind: "seq", a: a, b: b})
}

// alt returns the term for a or b. Choices nest to the right, ( a / b ) / c = a / ( b / c ), and
// neighboring alternatives of one byte are one set.
func (t *terms) alt(a, b int) int {
	x, y := t.all[a], t.all[b]
	switch {
	case x.kind == "alt":
		return t.alt(x.a, t.alt(x.b, b))
	case x.kind == "bytes" && y.kind == "bytes":
		for i := range x.set {
			x.set[i] |= y.set[i]
		}
		return t.mk(x)
	case x.kind == "bytes" && y.kind == "alt" && t.all[y.a].kind == "bytes":
		return t.mk(term{kind: "alt", a: t.alt(a, y.a), b: y.b})
	}
	return t.mk(term{kind: "alt", a: a, b: b})
}

// nest joins a list of terms by seq or alt, from the right. The list is not empty.
func nest(join func(a, b int) int, list []int) int {
	last := len(list) - 1
	x := list[last]
	for _, a := range slices.Backward(list[:last]) {
		x = join(a, x)
	}
	return x
}
