package peg

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A runeRange is all characters from lo to hi, both included.
type runeRange struct{ lo, hi rune }

// class reads a character class. Its characters are runes; what comes out is the class of bytes where all of them are
// ASCII, else an ordered choice of their encodings.
func (p *parser) class() (*expr.Expr, error) {
	pos := p.pos()
	p.next() // [
	inverted := false
	if p.peek() == '^' {
		inverted = true
		p.next()
	}
	var ranges []runeRange
	for p.peek() != ']' {
		if p.eof() || p.peek() == '\n' {
			return nil, &Error{pos, "character class not ended"}
		}
		if p.has(`\p`) {
			t, err := p.unicodeClass()
			if err != nil {
				return nil, err
			}
			ranges = append(ranges, t...)
			continue
		}
		lo, err := p.classChar()
		if err != nil {
			return nil, err
		}
		hi := lo
		if p.peek() == '-' && p.off+1 < len(p.src) && p.src[p.off+1] != ']' {
			at := p.pos()
			p.next()
			if hi, err = p.classChar(); err != nil {
				return nil, err
			}
			if hi < lo {
				return nil, &Error{at, "range out of order"}
			}
		}
		ranges = append(ranges, runeRange{lo, hi})
	}
	p.next() // ]
	if p.foldFlag() {
		ranges = foldRanges(ranges)
	}
	e := runes(ranges, inverted)
	e.Pos = pos
	return e, nil
}

func (p *parser) classChar() (rune, error) {
	if p.eof() || p.peek() == '\n' {
		return 0, p.errorf("character class not ended")
	}
	if p.peek() != '\\' {
		r, n := utf8.DecodeRuneInString(p.src[p.off:])
		p.skip(n)
		return r, nil
	}
	if p.has(`\]`) {
		p.skip(2)
		return ']', nil
	}
	var b strings.Builder
	at := p.pos()
	start := p.off
	if err := p.escape(&b, '\\'); err != nil {
		return 0, err
	}
	if p.src[start+1] == 'x' || '0' <= p.src[start+1] && p.src[start+1] <= '7' {
		return rune(b.String()[0]), nil // in a class \xff is the character U+00FF
	}
	r, n := utf8.DecodeRuneInString(b.String())
	if n != b.Len() {
		return 0, &Error{at, "invalid escape in a character class"}
	}
	return r, nil
}

func (p *parser) unicodeClass() ([]runeRange, error) {
	at := p.pos()
	p.skip(2)
	name := ""
	switch {
	case p.peek() == '{':
		n := strings.IndexByte(p.src[p.off:], '}')
		if n < 0 {
			return nil, &Error{at, "invalid Unicode class"}
		}
		name = p.src[p.off+1 : p.off+n]
		p.skip(n + 1)
	case !p.eof():
		name = p.src[p.off : p.off+1]
		p.next()
	}
	table, ok := unicode.Categories[name]
	if !ok {
		if table, ok = unicode.Scripts[name]; !ok {
			if table, ok = unicode.Properties[name]; !ok {
				return nil, &Error{at, "unknown Unicode class " + name}
			}
		}
	}
	var out []runeRange
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, runeRange{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			out = append(out, runeRange{r, r})
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return out, nil
}

// folded lists the characters that pigeon takes for r under i: it compares unicode.ToLower of both.
func folded(r rune) []runeRange {
	low := unicode.ToLower(r)
	out := []runeRange{}
	if unicode.ToLower(low) == low {
		out = append(out, runeRange{low, low})
	}
	for _, t := range unicode.CaseRanges {
		// Only characters inside the case tables change under ToLower, so nothing else can meet low.
		for c := rune(t.Lo); c <= rune(t.Hi); c++ {
			if c != low && unicode.ToLower(c) == low {
				out = append(out, runeRange{c, c})
			}
		}
	}
	return out
}

func foldLiteral(s string) *expr.Expr {
	var seq []*expr.Expr
	for _, r := range s {
		seq = append(seq, runes(folded(r), false))
	}
	return expr.Cat(seq...)
}

// foldRanges gives all characters c for which pigeon finds c's lower case in the lower-cased class. Ranges are compared
// end by end: pigeon lowers the two ends of a range, not its members.
func foldRanges(in []runeRange) []runeRange {
	var low []runeRange
	for _, r := range in {
		low = append(low, runeRange{unicode.ToLower(r.lo), unicode.ToLower(r.hi)})
	}
	has := func(c rune) bool {
		for _, r := range low {
			if r.lo <= c && c <= r.hi {
				return true
			}
		}
		return false
	}
	var out []runeRange
	for _, r := range low {
		for c := r.lo; c <= r.hi; c++ {
			if unicode.ToLower(c) == c {
				out = append(out, runeRange{c, c})
			}
		}
	}
	for _, t := range unicode.CaseRanges {
		for c := rune(t.Lo); c <= rune(t.Hi); c++ {
			if has(unicode.ToLower(c)) {
				out = append(out, runeRange{c, c})
			}
		}
	}
	return out
}

// anyRune is ".": one character. It is one value so that !. can be told from other expressions.
var anyRune = runes(nil, true)

// invalid is what a byte that begins no valid encoding counts as.
const invalid = utf8.RuneError

// runes gives an expression that matches one character of the ranges, or, inverted, one that is in none of them. The
// encodings of different characters are not prefixes of each other, so their order does not matter; bytes that are not
// UTF-8 come last, because they count as a character only where no valid encoding begins.
func runes(ranges []runeRange, inverted bool) *expr.Expr {
	ranges = normal(ranges)
	if inverted {
		ranges = invert(ranges)
	}
	var ascii expr.Set
	bad := false
	var alts []*expr.Expr
	for _, r := range ranges {
		if r.lo <= invalid && invalid <= r.hi {
			bad = true
		}
		for c := r.lo; c <= r.hi && c < utf8.RuneSelf; c++ {
			ascii.Add(byte(c))
		}
		if r.hi >= utf8.RuneSelf {
			alts = append(alts, encodings(max(r.lo, utf8.RuneSelf), r.hi)...)
		}
	}
	if !ascii.IsEmpty() || len(alts) == 0 && !bad {
		alts = append([]*expr.Expr{expr.In(ascii)}, alts...)
	}
	if bad {
		valid := make([]*expr.Expr, 0, 8)
		valid = append(valid, encodings(utf8.RuneSelf, unicode.MaxRune)...)
		alts = append(alts, expr.Cat(expr.Lookahead(expr.Or(valid...), true), expr.In(expr.Range(0x80, 0xff))))
	}
	return expr.Or(alts...)
}

// normal sorts ranges and joins those that touch.
func normal(in []runeRange) []runeRange {
	in = append([]runeRange(nil), in...)
	sort.Slice(in, func(i, j int) bool { return in[i].lo < in[j].lo })
	var out []runeRange
	for _, r := range in {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}

func invert(in []runeRange) []runeRange {
	var out []runeRange
	from := rune(0)
	for _, r := range in {
		if r.lo > from {
			out = append(out, runeRange{from, r.lo - 1})
		}
		from = r.hi + 1
	}
	if from <= unicode.MaxRune {
		out = append(out, runeRange{from, unicode.MaxRune})
	}
	return out
}

// encodings gives the UTF-8 encodings of all characters from lo to hi as sequences of byte ranges: the range is cut
// until in each piece every byte position varies over one range independently of the others (as in Go's
// regexp/syntax and in Thompson's grep).
func encodings(lo, hi rune) []*expr.Expr {
	if lo > hi {
		return nil
	}
	if lo <= 0xdfff && hi >= 0xd800 { // surrogates have no encoding
		return append(encodings(lo, 0xd7ff), encodings(0xe000, hi)...)
	}
	for _, last := range [...]rune{0x7f, 0x7ff, 0xffff} { // one length of encoding at a time
		if lo <= last && last < hi {
			return append(encodings(lo, last), encodings(last+1, hi)...)
		}
	}
	for i := 1; i < utf8.UTFMax; i++ { // whole blocks of 64, 4096, ...
		block := rune(1)<<(6*i) - 1
		if lo&^block != hi&^block {
			if lo&block != 0 {
				return append(encodings(lo, lo|block), encodings(lo|block+1, hi)...)
			}
			if hi&block != block {
				return append(encodings(lo, hi&^block-1), encodings(hi&^block, hi)...)
			}
		}
	}
	var a, b [utf8.UTFMax]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	seq := make([]*expr.Expr, n)
	for i := range seq {
		seq[i] = expr.In(expr.Range(a[i], b[i]))
	}
	return []*expr.Expr{expr.Cat(seq...)}
}
