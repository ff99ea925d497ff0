package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file makes the terms of literals and classes in a PEG. Pigeon compares characters, but terms
// are over bytes: a character becomes the bytes of its encoding in UTF-8. To pigeon, a byte that
// begins no encoding is an error or, with AllowInvalidUTF8(true), the character U+FFFD.

// onlyASCIIEscapes matches literals in which no escape stands for a byte above 127, such as "\xe9".
// A literal in back quotes has no escapes, but Go drops its carriage returns; so it must have none.
var onlyASCIIEscapes = regexp.MustCompile("^`[^\r]*$" + `|` +
	"^[^`]" + `(?:[^\\]|\\(?:[^x0-7]|x[0-7]|[01][0-7]{2}))*$`)

// A span is a range of characters, both ends included.
type span struct{ lo, hi rune }

// literalTerm returns the term of a literal, with its quotes. An i after it makes pigeon ignore case. It
// fails for a literal with U+FFFD, for one beyond ASCII whose case is ignored, and for escapes that are no
// Go or stand for a byte above 127.
func (r *reader) literalTerm(text string) int {
	quoted, fold := strings.CutSuffix(text, "i")
	s, err := strconv.Unquote(quoted)
	covered := err == nil && quoted != "''" && onlyASCIIEscapes.MatchString(quoted)
	r.must(covered, "not covered: the escapes of %s", text)
	var list []int
	for _, c := range s {
		// Pigeon's U+FFFD in a literal also matches the end of the input.
		covered := c <= unicode.MaxASCII || !fold && c != utf8.RuneError
		r.must(covered, "not covered: the character %q in %s", c, text)
		list = append(list, r.characterTerm([]span{{c, c}}, fold, false))
	}
	return joinRight(r.seq, append(list, empty))
}

// classTerm returns the term of a class of characters, such as "[a-z]" or "[^a-z]i". Unlike in a
// literal, an escape such as \xe9 stands for a character here. It fails for an escape that it does not
// know, a range out of order, and one beyond ASCII whose case is ignored.
func (r *reader) classTerm(text string) int {
	quoted, fold := strings.CutSuffix(text, "i")
	inside, inverted := strings.CutPrefix(quoted[1:len(quoted)-1], "^")
	chars := r.unescapeClass(inside, text)
	var spans []span
	for len(chars) > 0 {
		n := 1
		if len(chars) > 2 && chars[1] == '-' {
			n = 3
		}
		s := span{chars[0], chars[n-1]}
		covered := s.lo <= s.hi && (s.hi <= unicode.MaxASCII || !fold)
		r.must(covered, "not covered: the range %c-%c in %s", s.lo, s.hi, text)
		spans = append(spans, s)
		chars = chars[n:]
	}
	return r.characterTerm(spans, fold, inverted)
}

// unescapeClass returns the characters inside the brackets of a class, with escapes replaced. text
// is the whole class, for errors. It fails for an escape that it does not know, and for bytes that are not
// UTF-8.
func (r *reader) unescapeClass(inside, text string) (chars []rune) {
	for inside != "" {
		c, _, rest, err := strconv.UnquoteChar(inside, 0)
		if after, ok := strings.CutPrefix(inside, `\]`); ok {
			c, rest, err = ']', after, nil
		}
		covered := err == nil && utf8.ValidString(inside)
		r.must(covered, "not covered: the escapes of %s", text)
		chars = append(chars, c)
		inside = rest
	}
	return chars
}

// characterTerm returns the term that matches one character in any of the spans or, if inverted is
// set, one character in none of them. If fold is set, the spans must be in ASCII, which the caller
// checks: pigeon then compares characters and ends of spans in lower case. If letInvalid is set, a
// term that matches U+FFFD also matches a byte above 127 that begins no encoding. If no character
// matches, the term is an empty set of bytes, which matches nothing.
func (r *reader) characterTerm(spans []span, fold, inverted bool) int {
	lower := func(c rune) rune { return c }
	if fold {
		lower = unicode.ToLower
	}
	matches := func(c rune) bool {
		within := slices.ContainsFunc(spans, func(s span) bool {
			return lower(s.lo) <= lower(c) && lower(c) <= lower(s.hi)
		})
		return within != inverted
	}
	var alternatives []int
	start := rune(-1) // of the current run of characters that match; -1 outside of a run
	for _, c := range membershipBorders(spans, lower) {
		now := c <= unicode.MaxRune && matches(c)
		if now && start < 0 {
			start = c
		} else if !now && start >= 0 {
			alternatives = append(alternatives, r.encodingTerms(start, c-1)...)
			start = -1
		}
	}
	if len(alternatives) == 0 {
		nothing := r.intern(term{kind: "bytes"})
		alternatives = []int{nothing}
	}
	if r.letInvalid && matches(utf8.RuneError) {
		encoded := joinRight(r.alt, r.encodingTerms(utf8.RuneSelf, unicode.MaxRune))
		invalid := r.intern(term{kind: "not", a: encoded})
		alternatives = append(alternatives, r.seq(invalid, r.byteRange(0x80, 0xff)))
	}
	return joinRight(r.alt, alternatives)
}

// membershipBorders returns, in order, 0, every character whose membership in the spans may differ from that of its
// predecessor, and unicode.MaxRune+1. A border too many, or twice, does no harm. lower is the identity or
// unicode.ToLower, and then the spans are in ASCII: so case matters for A to Z, and for the two characters beyond
// ASCII whose lower case is in ASCII, U+0130 and U+212A.
func membershipBorders(spans []span, lower func(rune) rune) []rune {
	const toSmall = 'a' - 'A'
	list := []rune{0, 'A', 'Z' + 1, 0x130, 0x131, 0x212a, 0x212b, unicode.MaxRune + 1}
	for _, s := range spans {
		lo, after := lower(s.lo), lower(s.hi)+1
		list = append(list, lo, after, max(0, lo-toSmall), max(0, after-toSmall))
	}
	slices.Sort(list)
	return list
}

// encodingTerms returns terms for the UTF-8 encodings of the characters from lo to hi. Surrogates have none,
// and are left out. Each term is a sequence of ranges of bytes, so the characters are split: first where the
// length of an encoding changes, and then until the bytes at each position make one range, independent of the
// others. From U+0800 to U+1FFF there are two: U+0800 to U+0FFF is e0 a0-bf 80-bf, and U+1000 to U+1FFF is e1
// 80-bf 80-bf.
func (r *reader) encodingTerms(lo, hi rune) (list []int) {
	// The last characters of one length each; from U+D800 to U+DFFF are surrogates.
	lasts := []rune{0x7f, 0x7ff, 0xd7ff, 0xdfff, 0xffff, hi}
	for lo <= hi {
		i := slices.IndexFunc(lasts, func(last rune) bool { return lo <= last })
		end := min(hi, lasts[i])
		// Encodings in a block of n characters differ only in their last byte, or last two, or
		// three. If the piece spans blocks, it must consist of whole ones. A piece that is cut once
		// more still does, of the smaller blocks.
		for _, n := range []rune{1 << 6, 1 << 12, 1 << 18} {
			if lo/n == end/n {
				continue
			}
			if lo%n != 0 {
				end = lo | (n - 1) // cut after the block of lo
			} else if end%n != n-1 {
				end = end/n*n - 1 // cut before the block of end
			}
		}
		if utf8.ValidRune(lo) { // surrogates have no encoding
			first, last := string(lo), string(end)
			var bytes []int
			for i := range len(first) {
				bytes = append(bytes, r.byteRange(int(first[i]), int(last[i])))
			}
			list = append(list, joinRight(r.seq, append(bytes, empty)))
		}
		lo = end + 1
	}
	return list
}
