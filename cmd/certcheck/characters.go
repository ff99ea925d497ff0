package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file makes terms of the literals and the classes of a PEG. Pigeon compares characters; the
// terms are over the bytes of their encodings in UTF-8. A byte that begins no encoding is U+FFFD
// to pigeon.

// ofASCII matches texts in which an escape of a byte is for one of ASCII. In a text between back
// quotes there is no escape, and Go leaves carriage returns out.
var ofASCII = regexp.MustCompile("^`[^\r]*$|^[^`]" + `(?:[^\\]|\\(?:[^x0-7]|x[0-7]|[01][0-7]{2}))*$`)

// A span is the characters from one to another.
type span struct{ lo, hi rune }

// literal reads a literal of a PEG. An i behind it makes pigeon compare in lower case.
func (r *reader) literal(text string) int {
	quoted, fold := strings.CutSuffix(text, "i")
	s, err := strconv.Unquote(quoted)
	r.must(err == nil && quoted != "''" && ofASCII.MatchString(quoted), "not covered: the escapes of %s", text)
	var list []int
	for _, c := range s { // U+FFFD matches the end of the input as well
		r.must(c <= unicode.MaxASCII || !fold && c != utf8.RuneError, "not covered: the character %q in %s", c, text)
		list = append(list, r.characters([]span{{c, c}}, fold, false))
	}
	return joinRight(r.seq, append(list, empty))
}

// class reads a class of characters: "[a-z]" or "[^a-z]i". In it, escapes of bytes stand for
// characters.
func (r *reader) class(text string) int {
	quoted, fold := strings.CutSuffix(text, "i")
	in, inverted := strings.CutPrefix(quoted[1:len(quoted)-1], "^")
	chars := r.classChars(in, text)
	var spans []span
	for len(chars) > 0 {
		n := 1
		if len(chars) > 2 && chars[1] == '-' {
			n = 3
		}
		s := span{chars[0], chars[n-1]}
		r.must(s.lo <= s.hi && (s.hi <= unicode.MaxASCII || !fold), "not covered: the range %c-%c in %s", s.lo, s.hi, text)
		spans = append(spans, s)
		chars = chars[n:]
	}
	return r.characters(spans, fold, inverted)
}

// classChars returns the characters in the brackets of a class, escapes read.
func (r *reader) classChars(in, text string) (chars []rune) {
	for in != "" {
		c, _, rest, err := strconv.UnquoteChar(in, 0)
		if after, ok := strings.CutPrefix(in, `\]`); ok {
			c, rest, err = ']', after, nil
		}
		r.must(err == nil && utf8.ValidString(in), "not covered: the escapes of %s", text)
		chars = append(chars, c)
		in = rest
	}
	return chars
}

// characters returns a term for one character of some spans, or of none of them. Where fold is
// set, the spans are in ASCII, and pigeon compares the lower case of a character with that of
// their ends.
func (r *reader) characters(spans []span, fold, inverted bool) int {
	low := func(c rune) rune { return c }
	if fold {
		low = unicode.ToLower
	}
	in := func(c rune) bool {
		within := slices.ContainsFunc(spans, func(s span) bool { return low(s.lo) <= low(c) && low(c) <= low(s.hi) })
		return within != inverted
	}
	var alts []int
	from := rune(-1) // where the run of characters that are in began
	for _, c := range borders(spans, low) {
		now := c <= unicode.MaxRune && in(c)
		if now && from < 0 {
			from = c
		} else if !now && from >= 0 {
			alts = append(alts, r.encodings(from, c-1)...)
			from = -1
		}
	}
	if len(alts) == 0 {
		alts = []int{r.intern(term{kind: "bytes"})}
	}
	if in(utf8.RuneError) { // and so is a byte that begins no encoding of another character
		valid := r.intern(term{kind: "not", a: joinRight(r.alt, r.encodings(utf8.RuneSelf, unicode.MaxRune))})
		alts = append(alts, r.seq(valid, r.byteRange(0x80, 0xff)))
	}
	return joinRight(r.alt, alts)
}

// borders returns, in order, the characters at which it can change whether a character is in the
// spans. Beyond ASCII two characters have a lower case in it, U+0130 and U+212A.
func borders(spans []span, low func(rune) rune) []rune {
	list := []rune{0, 'A', 'Z' + 1, 0x130, 0x131, 0x212a, 0x212b, unicode.MaxRune + 1}
	for _, s := range spans {
		lo, hi := low(s.lo), low(s.hi)+1
		const up = 'a' - 'A'
		list = append(list, lo, hi, max(0, lo-up), max(0, hi-up))
	}
	slices.Sort(list)
	return list
}

// encodings returns terms for the encodings of the characters from lo to hi, each a sequence of
// ranges of bytes. The characters are split where the length of an encoding changes, and then so
// that in each piece every byte has one range.
func (r *reader) encodings(lo, hi rune) (list []int) {
	lasts := []rune{0x7f, 0x7ff, 0xd7ff, 0xdfff, 0xffff, hi} // of one length each; from 0xd800 to 0xdfff are surrogates
	for lo <= hi {
		end := min(hi, lasts[slices.IndexFunc(lasts, func(last rune) bool { return lo <= last })])
		for _, n := range []rune{1 << 6, 1 << 12, 1 << 18} { // as many characters have the same bytes but for the last ones
			if lo/n == end/n {
				continue
			}
			if lo%n != 0 {
				end = lo | (n - 1) // up to the end of the block that lo is in
			} else if end%n != n-1 {
				end = end/n*n - 1 // without the block that end is in
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
