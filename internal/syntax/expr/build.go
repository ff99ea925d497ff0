package expr

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Cat returns the sequence of es. Nested sequences are flattened, except those that spell a character
// ([Expr.Chars]), and empty words are left out. If one part is left, Cat returns that part, and if none is, the empty
// word.
func Cat(es ...*Expr) *Expr {
	var sub []*Expr
	for _, e := range es {
		switch {
		case e.Op == Empty:
			// left out
		case e.Op == Seq && e.Chars == "":
			sub = append(sub, e.Sub...)
		default:
			sub = append(sub, e)
		}
	}
	switch len(sub) {
	case 0:
		return &Expr{Op: Empty}
	case 1:
		return sub[0]
	}
	return &Expr{Op: Seq, Sub: sub, Pos: sub[0].Pos}
}

// Or returns the alternation of es in their order. Nested alternations are flattened, except those that spell
// characters ([Expr.Chars]). A single alternative is returned itself. Without alternatives Or returns the empty
// class, which derives nothing.
func Or(es ...*Expr) *Expr {
	var sub []*Expr
	for _, e := range es {
		if e.Op == Alt && e.Chars == "" {
			sub = append(sub, e.Sub...)
		} else {
			sub = append(sub, e)
		}
	}
	switch len(sub) {
	case 0:
		return &Expr{Op: Class}
	case 1:
		return sub[0]
	}
	return &Expr{Op: Alt, Sub: sub, Pos: sub[0].Pos}
}

// Times returns e repeated at least min and at most max times (max may be [Unbounded]).
func Times(e *Expr, min, max int) *Expr {
	return &Expr{Op: Repeat, Sub: []*Expr{e}, Min: min, Max: max, Pos: e.Pos}
}

// Opt returns e or nothing.
func Opt(e *Expr) *Expr { return Times(e, 0, 1) }

// Lit returns the literal s, or the empty word.
func Lit(s string) *Expr {
	if s == "" {
		return &Expr{Op: Empty}
	}
	return &Expr{Op: Literal, Lit: s}
}

// To returns a reference to the production with this ID.
func To(id string) *Expr { return &Expr{Op: Ref, Name: id} }

// In returns a class.
func In(s Set) *Expr { return &Expr{Op: Class, Set: s} }

// Encodings returns the UTF-8 encodings of all characters from lo to hi as sequences of byte ranges. Surrogates have
// none, and are left out; nil if no character is left. The range is cut until in each piece every byte varies over
// one range independently of the others (as in Go's regexp/syntax and in Thompson's grep).
func Encodings(lo, hi rune) []*Expr {
	if lo > hi {
		return nil
	}
	if lo <= 0xdfff && hi >= 0xd800 { // surrogates have no encoding
		return append(Encodings(lo, 0xd7ff), Encodings(0xe000, hi)...)
	}
	for _, last := range [...]rune{0x7f, 0x7ff, 0xffff} { // one length of encoding at a time
		if lo <= last && last < hi {
			return append(Encodings(lo, last), Encodings(last+1, hi)...)
		}
	}
	for i := 1; i < utf8.UTFMax; i++ { // whole blocks of 64, 4096, ...
		block := rune(1)<<(6*i) - 1
		if lo&^block != hi&^block {
			if lo&block != 0 {
				return append(Encodings(lo, lo|block), Encodings(lo|block+1, hi)...)
			}
			if hi&block != block {
				return append(Encodings(lo, hi&^block-1), Encodings(hi&^block, hi)...)
			}
		}
	}
	var a, b [utf8.UTFMax]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	seq := make([]*Expr, n)
	for i := range seq {
		seq[i] = In(Range(a[i], b[i]))
	}
	return []*Expr{Cat(seq...)}
}

// WrittenOut returns a repetition without its counts: x x ( x ( x )? )? for two to four. Repetitions inside x keep
// theirs. It returns e itself if e is not a repetition with counts.
func (e *Expr) WrittenOut() *Expr {
	if e.Op != Repeat || e.Min <= 1 && e.Max == Unbounded || e.Min == 0 && e.Max == 1 {
		return e
	}
	body, rest := e.Sub[0], Cat()
	if e.Max == Unbounded {
		rest = Times(body, 0, Unbounded)
	}
	for range e.Max - e.Min { // none if there is no limit, since Unbounded is negative
		rest = Opt(Cat(body, rest))
	}
	all := *Cat(append(slices.Repeat([]*Expr{body}, e.Min), rest)...)
	all.Pos = e.Pos
	return &all
}

// Factors returns the parts of a sequence; any other expression is its own only part. The slice must not be changed.
func (e *Expr) Factors() []*Expr {
	if e.Op == Seq {
		return e.Sub
	}
	return []*Expr{e}
}

// InsideNodes returns the expression inside the Nodes around e, and e itself if it is no Node.
func (e *Expr) InsideNodes() *Expr {
	for e.Op == Node {
		e = e.Sub[0]
	}
	return e
}

// Lookahead returns &e or, for not, !e.
func Lookahead(e *Expr, not bool) *Expr {
	op := And
	if not {
		op = Not
	}
	return &Expr{Op: op, Sub: []*Expr{e}, Pos: e.Pos}
}

// String prints e in a notation close to pigeon's: a/b for alternatives, e? e* e+ e{2,3} for repetitions.
func (e *Expr) String() string {
	var b strings.Builder
	e.print(&b, 0)
	return b.String()
}
