package main

import (
	"fmt"
	"slices"
)

// A set is a set of bytes.
type set [4]uint64

func (s *set) add(lo, hi int) {
	for b := lo; b <= hi; b++ {
		s[b>>6] |= 1 << (b & 63)
	}
}

func (s set) has(b int) bool { return s[b>>6]>>(b&63)&1 != 0 }

// A term is an expression of a grammar in few kinds: "empty", "bytes", "seq", "alt", "star", "not" and "rule". Terms that look
// alike are one term, so that a term is a number.
type term struct {
	kind       string
	a, b       int
	set        set
	side, name string // of a rule
}

// The terms of both sides, "bnf" and "peg", are numbered together. The place is what is being looked at.
type terms struct {
	all    []term
	index  map[term]int
	sides  map[string]*reader
	file   string
	line   int
	report []string // what is printed
}

const empty = 0

// must panics unless something holds.
func (t *terms) must(holds bool, format string, args ...any) {
	if !holds {
		panic(fmt.Sprintf(format, args...))
	}
}

func (t *terms) mk(n term) int {
	x, ok := t.index[n]
	if !ok {
		x = len(t.all)
		t.must(x < 1<<21, "the grammars have more than %d terms", x)
		t.index[n], t.all = x, append(t.all, n)
	}
	return x
}

func (t *terms) bytes(lo, hi int) int {
	n := term{kind: "bytes"}
	n.set.add(lo, hi)
	return t.mk(n)
}

// seq: ( a b ) c = a ( b c ), and "" a = a "" = a.
func (t *terms) seq(a, b int) int {
	switch x := t.all[a]; {
	case a == empty:
		return b
	case b == empty:
		return a
	case x.kind == "seq":
		return t.seq(x.a, t.seq(x.b, b))
	}
	return t.mk(term{kind: "seq", a: a, b: b})
}

// alt: ( a / b ) / c = a / ( b / c ), and neighbouring single bytes are one set.
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

// nest joins a list of terms, from the right.
func nest(join func(a, b int) int, list []int) int {
	x := list[len(list)-1]
	for _, a := range slices.Backward(list[:len(list)-1]) {
		x = join(a, x)
	}
	return x
}

// repeat: a*2*4 = a a ( a ( a / "" ) / "" ), and a*2* = a a a*. There is no bound where most is negative.
func (t *terms) repeat(a, least, most int) int {
	x := empty
	if most < 0 {
		x = t.mk(term{kind: "star", a: a})
	}
	for range most - least {
		x = t.alt(t.seq(a, x), empty)
	}
	for range least {
		x = t.seq(a, x)
	}
	return x
}
