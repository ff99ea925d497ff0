package bnf

import (
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Values decides what the values of a document, such as %x41 or %d65, stand for.
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

// characters returns the octets or code points from lo to hi, which t stands for. It leaves surrogates out, which no
// text has, and notices that; surrogates alone derive nothing. Among octets the result means nothing if one of the
// values is above 255, since the document will be read again.
func (r *readerABNF) characters(t tokenABNF, lo, hi rune) *expr.Expr {
	if !r.codePoints {
		// A value above 255 was recorded, and the document is read again.
		return expr.In(expr.Range(byte(lo), byte(min(hi, 255))))
	}
	if hi < utf8.RuneSelf {
		return expr.In(expr.Range(byte(lo), byte(hi)))
	}
	if lo <= lastSurrogate && hi >= firstSurrogate {
		r.lexerABNF.note.add(surrogateNotice, t.pos, t.text)
	}
	return encodings(expr.Encodings(lo, hi), t.text, t.pos)
}

// encodings returns the expression for code points that have these encodings. It changes alts: all get the place pos,
// and the octets of a sequence get names for messages: the first octet, and a sequence among several, the name cut
// short ([expr.Abridged]), and the other octets the rest of it. The whole is called name, unless it is a single class:
// such a class has no name.
func encodings(alts []*expr.Expr, name string, pos expr.Pos) *expr.Expr {
	short := expr.Abridged(name)
	rest := "the rest of " + short
	for _, e := range alts {
		e.Pos = pos
		if e.Op == expr.Seq {
			e.Chars = short
		}
		for i, s := range e.Sub {
			s.Pos, s.Chars = pos, short
			if i > 0 {
				s.Chars = rest
			}
		}
	}
	e := expr.Or(alts...)
	if e.Op != expr.Class {
		e.Chars, e.Pos = name, pos
	}
	return e
}

// ParseValues returns the reading with a name; the error for any other name lists those that there are.
func ParseValues(name string) (Values, error) {
	i, err := indexOfName("values", name, ValuesNames)
	return Values(i), err
}
