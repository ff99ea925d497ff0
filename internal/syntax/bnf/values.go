package bnf

import (
	"fmt"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Values is what the values of a document, %x41 or %d65, stand for.
type Values int

// The readings of values.
const (
	AutoValues Values = iota // code points if the document has a value above 255, otherwise octets
	Octets                   // each value is an octet
	CodePoints               // each value is a code point of Unicode, and stands for its octets in UTF-8
)

// ValuesNames are the names of the readings, in the order of their constants.
var ValuesNames = []string{"auto", "octets", "code-points"}

// String returns the name of the reading.
func (v Values) String() string { return ValuesNames[v] }

const (
	firstSurrogate = 0xD800
	lastSurrogate  = 0xDFFF
)

func isSurrogate(c rune) bool { return firstSurrogate <= c && c <= lastSurrogate }

// characters returns the octets or code points from lo to hi, which t stands for.
func (r *readerABNF) characters(t tokenABNF, lo, hi rune) *expr.Expr {
	if !r.codePoints {
		return expr.In(expr.Range(byte(lo), byte(min(hi, 255)))) // a higher value has been seen, and all is read again
	}
	if hi < utf8.RuneSelf {
		return expr.In(expr.Range(byte(lo), byte(hi)))
	}
	if lo <= lastSurrogate && hi >= firstSurrogate {
		r.lexerABNF.note.add(surrogateNotice, t.pos, t.text)
	}
	return utf8Range(lo, hi, t.text, t.pos)
}

// utf8Range returns the encodings of the code points from lo to hi, without surrogates. Messages call the first octet of an
// encoding by name.
func utf8Range(lo, hi rune, name string, pos expr.Pos) *expr.Expr {
	var alts []*expr.Expr
	for _, part := range [][2]rune{{0, 0x7F}, {0x80, 0x7FF}, {0x800, firstSurrogate - 1}, {lastSurrogate + 1, 0xFFFF}, {0x10000, utf8.MaxRune}} {
		first, last := max(lo, part[0]), min(hi, part[1])
		if first <= last {
			alts = appendUTF8(alts, nil, utf8.AppendRune(nil, first), utf8.AppendRune(nil, last), name, pos)
		}
	}
	e := expr.Or(alts...)
	if len(alts) > 1 { // Or made it
		e.Chars, e.Pos = name, pos
	}
	return e
}

// appendUTF8 appends the encodings from lo to hi, which are of one length, as few sequences of classes, behind the classes
// that they share.
func appendUTF8(alts []*expr.Expr, before []*expr.Expr, lo, hi []byte, name string, pos expr.Pos) []*expr.Expr {
	class := func(lo, hi byte) []*expr.Expr {
		what := name
		if len(before) > 0 {
			what = "the rest of " + name
		}
		return append(before[:len(before):len(before)], &expr.Expr{Op: expr.Class, Set: expr.Range(lo, hi), Chars: what, Pos: pos})
	}
	if len(lo) == 1 {
		e := expr.Cat(class(lo[0], hi[0])...)
		if e.Op == expr.Seq {
			e.Chars = name
		} else if hi[0] < utf8.RuneSelf {
			e.Chars = ""
		}
		return append(alts, e)
	}
	if lo[0] == hi[0] {
		return appendUTF8(alts, class(lo[0], lo[0]), lo[1:], hi[1:], name, pos)
	}
	first, last := lo[0], hi[0]
	if !all(lo[1:], 0x80) {
		alts = appendUTF8(alts, class(first, first), lo[1:], highest(lo[1:]), name, pos)
		first++
	}
	var tail []*expr.Expr
	if !all(hi[1:], 0xBF) {
		tail = appendUTF8(nil, class(last, last), lowest(hi[1:]), hi[1:], name, pos)
		last--
	}
	if first <= last {
		alts = appendWhole(alts, class(first, last), len(lo)-1, name, pos)
	}
	return append(alts, tail...)
}

// appendWhole appends what stands before, followed by n octets of any continuation.
func appendWhole(alts, seq []*expr.Expr, n int, name string, pos expr.Pos) []*expr.Expr {
	for range n {
		seq = append(seq, &expr.Expr{Op: expr.Class, Set: expr.Range(0x80, 0xBF), Chars: "the rest of " + name, Pos: pos})
	}
	e := expr.Cat(seq...)
	e.Chars = name
	return append(alts, e)
}

func all(s []byte, c byte) bool {
	for _, x := range s {
		if x != c {
			return false
		}
	}
	return true
}

func highest(s []byte) []byte { return filled(len(s), 0xBF) }
func lowest(s []byte) []byte  { return filled(len(s), 0x80) }

func filled(n int, c byte) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = c
	}
	return s
}

// ParseValues returns the reading with a name.
func ParseValues(name string) (Values, error) {
	for i, n := range ValuesNames {
		if n == name {
			return Values(i), nil
		}
	}
	return 0, fmt.Errorf("unknown reading of values %q; expected auto, octets or code-points", name)
}
