package peg

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/syntax/runes"
)

// class reads a character class. Of ASCII it becomes a class of bytes, of other runes an ordered choice of their
// encodings. It notes what the class assumes, which also sets p.rare if that is a version of Unicode, and refuses the
// rule where pigeon's options decide what the class matches. At a class that is not ended, an escape or a name of \p
// that is unknown, or a range out of order, it panics with an error.
func (p *reader) class() *expr.Expr {
	pos, start := p.pos(), p.off
	p.next() // [
	inverted := p.peek() == '^'
	if inverted {
		p.next()
	}
	var members charClass
	var chars []rune
	for p.peek() != ']' {
		if p.eof() || p.peek() == '\n' {
			panic(expr.Errorf(pos, "character class not ended"))
		}
		if p.has(`\p`) {
			t := p.unicodeClass()
			members.tables = append(members.tables, t...)
			continue
		}
		r := p.classChar()
		chars = append(chars, r)
	}
	p.next() // ]
	if err := members.ranges(chars); err != nil {
		panic(expr.Errorf(pos, "%s", err.Error()))
	}
	fold := p.foldFlag()
	ranges := members.matched(fold)
	if c, differs := members.differsInBasicLatin(ranges, fold); differs {
		p.refuse(pos, "whether %s matches %q depends on pigeon's option -optimize-basic-latin; "+
			"write the class without i, with all that it shall match", p.src[start:p.off], c)
	}
	leavesASCII := func(r runes.Span) bool { return r.Hi >= utf8.RuneSelf }
	if len(members.tables) > 0 || fold && slices.ContainsFunc(members.list, leavesASCII) {
		p.assume(assumeUnicode, pos)
		p.rare = true
	}
	e := p.oneOf(ranges, inverted)
	e.Pos = pos
	if ranges.Has(invalid) != inverted {
		p.readsInvalid(pos)
	}
	return e
}

// A charClass is the content of the brackets of a class.
type charClass struct {
	list   runes.Set
	tables runes.Set // of \p{...}
}

// ranges adds to c.list the ranges of the characters of a class, without its \p{...}. As in pigeon, a range
// is a character, a "-" and a character, even if the "-" is written as an escape or a \p{...} stands on one
// of its sides. It fails for a range out of order.
func (c *charClass) ranges(chars []rune) error {
	for i := 0; i < len(chars); i++ {
		r := runes.Span{Lo: chars[i], Hi: chars[i]}
		if i+2 < len(chars) && chars[i+1] == '-' {
			i += 2
			if r.Hi = chars[i]; r.Hi < r.Lo {
				return fmt.Errorf("range out of order: %q to %q", r.Lo, r.Hi)
			}
		}
		c.list = append(c.list, r)
	}
	return nil
}

// matched returns the characters that pigeon's parser finds in the class, with its i if fold is set, an inversion
// aside. The result is sorted, and its ranges are apart.
func (c *charClass) matched(fold bool) runes.Set {
	if !fold {
		return c.tables.Or(c.list)
	}
	// The ends of the ranges are compared in lower case, not their members; the tables are compared as they are.
	lower := slices.Clone(c.tables)
	for _, r := range c.list {
		lower = append(lower, runes.Span{Lo: unicode.ToLower(r.Lo), Hi: unicode.ToLower(r.Hi)})
	}
	return lowered(lower.Clean())
}

// differsInBasicLatin returns the first ASCII character on which the parser's decision is another with
// -optimize-basic-latin, and false if there is none. matched is what c matches without that option. With it, the
// parser looks ASCII up in a table: of the members as they are written, and with fold of those in the other case.
func (c *charClass) differsInBasicLatin(matched runes.Set, fold bool) (rune, bool) {
	var table [utf8.RuneSelf]bool
	for _, r := range c.list {
		for x := r.Lo; x <= r.Hi && x < utf8.RuneSelf; x++ {
			table[x] = true
			switch {
			case !fold:
			case unicode.IsLower(x):
				table[unicode.ToUpper(x)] = true
			default:
				table[unicode.ToLower(x)] = true
			}
		}
	}
	for x := range rune(utf8.RuneSelf) {
		if (table[x] || c.tables.Has(x)) != matched.Has(x) {
			return x, true
		}
	}
	return 0, false
}

// classChar reads a character of a class, which may be an escape; the text must not be at its end. \xff is U+00FF
// here, and no byte. At an invalid escape it panics with an error.
func (p *reader) classChar() rune {
	if p.peek() != '\\' {
		r, n := utf8.DecodeRuneInString(p.src[p.off:])
		p.skip(n)
		return r
	}
	if p.has(`\]`) {
		p.skip(2)
		return ']'
	}
	r, _, tail, err := strconv.UnquoteChar(p.src[p.off:], 0)
	if err != nil {
		panic(p.errorf("invalid escape"))
	}
	p.skip(len(p.src) - p.off - len(tail))
	return r // in a class \xff is the character U+00FF
}

// unicodeClass reads \p and a name, in braces or of one letter, and returns the characters of that class. At braces
// that are not closed, and at a name that Go does not know, it panics with an error.
func (p *reader) unicodeClass() runes.Set {
	at := p.pos()
	p.skip(2)
	name := ""
	switch {
	case p.peek() == '{':
		n := strings.IndexByte(p.src[p.off:], '}')
		if n < 0 {
			panic(expr.Errorf(at, "invalid Unicode class"))
		}
		name = p.src[p.off+1 : p.off+n]
		p.skip(n + 1)
	case strings.IndexByte("LMNCPZS", p.peek()) >= 0:
		name = p.src[p.off : p.off+1]
		p.next()
	}
	table, ok := unicode.Categories[name]
	if !ok {
		if table, ok = unicode.Properties[name]; !ok {
			if table, ok = unicode.Scripts[name]; !ok {
				panic(expr.Errorf(at, "unknown Unicode class %q", name))
			}
		}
	}
	return runes.Tables(table)
}

// lowered returns the characters whose lower case, by Go's version of Unicode, is in the ranges, which must be sorted
// and apart, as those of [runes.Set.Clean] are; so are those of the result.
func lowered(ranges runes.Set) runes.Set {
	var out runes.Set
	for _, r := range ranges { // those that are their own lower case: what is left between the uppers, which ascend
		for _, u := range uppers() {
			if r.Lo <= u && u <= r.Hi {
				if r.Lo < u {
					out = append(out, runes.Span{Lo: r.Lo, Hi: u - 1})
				}
				r.Lo = u + 1
			}
		}
		if r.Lo <= r.Hi {
			out = append(out, r)
		}
	}
	for _, u := range uppers() {
		if ranges.Has(unicode.ToLower(u)) {
			out = append(out, runes.Span{Lo: u, Hi: u})
		}
	}
	return out.Clean()
}

// uppers lists the characters that are not their own lower case, in ascending order.
var uppers = sync.OnceValue(func() []rune {
	var out []rune
	for _, t := range unicode.CaseRanges {
		for c := rune(t.Lo); c <= rune(t.Hi); c++ {
			if unicode.ToLower(c) != c {
				out = append(out, c)
			}
		}
	}
	return out
})

// literal returns an expression that matches what a literal of pigeon does. A character U+FFFD in it, or a byte that
// is part of no encoding, matches that character, the end of the input and, with [Options.InvalidUTF8], a byte of the
// input that is part of none: pigeon compares runes, and reads all three as one. With fold, pigeon compares in lower
// case. literal notes what the match assumes, and sets p.rare if U+FFFD is in s or, with fold, a character beyond
// ASCII.
func (p *reader) literal(s string, fold bool, pos expr.Pos) *expr.Expr {
	var seq []*expr.Expr
	var run strings.Builder // the bytes that are compared as they stand
	flush := func() {
		if run.Len() > 0 {
			seq = append(seq, &expr.Expr{Op: expr.Literal, Lit: run.String(), Pos: pos})
			run.Reset()
		}
	}
	for _, r := range s {
		one := runes.Of(r, r)
		p.rare = p.rare || r == invalid || fold && r >= utf8.RuneSelf
		if fold {
			low := unicode.ToLower(r)
			one = lowered(runes.Of(low, low))
			if low >= utf8.RuneSelf && low != invalid {
				p.assume(assumeUnicode, pos)
			}
		}
		switch {
		case r == invalid:
			flush()
			seq = append(seq, expr.Or(p.oneOf(one, false), expr.Lookahead(expr.In(expr.AnyByte), true)))
			p.readsInvalid(pos)
		case fold:
			seq = append(seq, p.oneOf(one, false))
		default:
			run.WriteRune(r)
		}
	}
	flush()
	e := expr.Cat(seq...)
	e.Pos = pos
	return e
}

// anyCharacter and anyRune are ".": one character of UTF-8, and one or a byte that begins none. What is read has their
// parts, so that !. can be told from other expressions.
var (
	anyCharacter = oneOf(nil, true, false)
	anyRune      = oneOf(nil, true, true)
)

// anyRune returns the expression of ".": any character or, if bytes that are not UTF-8 are let through, such
// a byte.
func (p *reader) anyRune() *expr.Expr {
	if p.opts.InvalidUTF8 {
		return anyRune
	}
	return anyCharacter
}

// isAnyRune reports whether an expression is what was read for ".".
func (p *reader) isAnyRune(e *expr.Expr) bool {
	return e.Op == expr.Alt && e.Sub[0] == p.anyRune().Sub[0]
}

// oneOf is [oneOf] with the reader's choice.
func (p *reader) oneOf(ranges runes.Set, inverted bool) *expr.Expr {
	return oneOf(ranges, inverted, p.opts.InvalidUTF8)
}

// invalid is the character that a byte counts as if it begins no valid encoding.
const invalid = utf8.RuneError

// oneOf returns an expression that matches one character of the ranges, or, inverted, one that is in none of them. It
// never matches if there is no such character. The encodings of different characters are not prefixes of each other,
// so their order does not matter. Where U+FFFD is one of them and bytes that are not UTF-8 are let through, these
// come last, because they count as a character only where no valid encoding begins.
func oneOf(ranges runes.Set, inverted, letThrough bool) *expr.Expr {
	if inverted {
		ranges = ranges.Not(unicode.MaxRune)
	}
	alts := ranges.Encodings(utf8.RuneSelf)
	if letThrough && ranges.Has(invalid) {
		valid := expr.Or(expr.Encodings(utf8.RuneSelf, unicode.MaxRune)...)
		alts = append(alts, expr.Cat(expr.Lookahead(valid, true), expr.In(expr.Range(0x80, 0xff))))
	}
	return expr.Or(alts...)
}
