package main

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// block returns the length of the Go code in braces that a text begins with, or 0.
func block(text string) int {
	for n, depth := 0, 0; n < len(text) && text[0] == '{'; n += max(1, opaque(text[n:])) {
		switch text[n] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return n + 1
			}
		}
	}
	return 0
}

// opaque returns the length of the comment or the quoted text that Go code begins with, or 0: Comment and CodeStringLiteral of
// pigeon's own grammar, which does not read Go. A sign that nothing ends is one like others, and //{ begins no comment.
func opaque(code string) int {
	switch {
	case strings.HasPrefix(code, "/*"):
		return until(code, 2, "*/")
	case strings.HasPrefix(code, "//") && !strings.HasPrefix(code, "//{"):
		return len(strings.SplitN(code, "\n", 2)[0])
	case strings.HasPrefix(code, `'\'`), strings.HasPrefix(code, `'\\`):
		return until(code[:min(4, len(code))], 3, "'")
	case code[0] == '`', code[0] == '\'' && !strings.HasPrefix(code, "''"):
		return until(code, 1, code[:1])
	case code[0] == '"':
		for i := 1; i < len(code) && code[i] != '\r' && code[i] != '\n'; i++ {
			if code[i] == '"' {
				return i + 1
			} else if strings.HasPrefix(code[i:], `\"`) || strings.HasPrefix(code[i:], `\\`) {
				i++
			}
		}
	}
	return 0
}

// until returns where the first end is over that is in a text from some place on, or 0.
func until(text string, from int, end string) int {
	if n := strings.Index(text[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return 0
}

// literal reads a literal. An i behind it makes pigeon compare in lower case. Pigeon reads a byte that begins no encoding, and
// the end of the input, as U+FFFD.
func (r *reader) literal(text string) int {
	s, err := strconv.Unquote(strings.TrimSuffix(text, "i"))
	r.must(err == nil, "not covered: the escapes of %s", text)
	var list []int
	for _, c := range s {
		x := r.characters([][2]rune{{c, c}}, strings.HasSuffix(text, "i"), false)
		if c == utf8.RuneError {
			x = r.alt(x, r.mk(term{kind: "not", a: r.bytes(0, 255)}))
		}
		list = append(list, x)
	}
	return nest(r.seq, append(list, empty))
}

// class reads a class of characters: "[a-z]", "[^a-z]i" or ".". In it, escapes of bytes stand for characters.
func (r *reader) class(text string) int {
	if text == "." {
		return r.characters(nil, false, true)
	}
	in, inverted := strings.CutPrefix(text[1:strings.LastIndexByte(text, ']')], "^")
	var chars []rune
	for in != "" {
		c, _, rest, err := strconv.UnquoteChar(in, 0)
		if after, ok := strings.CutPrefix(in, `\]`); ok {
			c, rest, err = ']', after, nil
		}
		r.must(err == nil, "not covered: the escapes of %s", text)
		chars, in = append(chars, c), rest
	}
	var ranges [][2]rune
	for i := 0; i < len(chars); i++ {
		lo, hi := chars[i], chars[i]
		if i+2 < len(chars) && chars[i+1] == '-' {
			hi, i = chars[i+2], i+2
		}
		r.must(lo <= hi, "the range %c-%c", lo, hi)
		ranges = append(ranges, [2]rune{lo, hi})
	}
	return r.characters(ranges, strings.HasSuffix(text, "i"), inverted)
}

// characters returns a term for one character of some ranges, or of none. Where fold is set, pigeon compares the lower case of a
// character with that of the ends of ranges. It reads a byte that begins no encoding as U+FFFD.
func (r *reader) characters(ranges [][2]rune, fold, inverted bool) int {
	top := rune(unicode.MaxASCII) // all that is above is in, or all is not
	for i, c := range ranges {
		if fold {
			ranges[i] = [2]rune{unicode.ToLower(c[0]), unicode.ToLower(c[1])}
		}
		top = max(top, ranges[i][1])
	}
	if fold && top > unicode.MaxASCII {
		top = max(top, 0x1ffff) // where no other case is above
	} else if fold {
		top = '\u212a' // the last with a lower case in ASCII
	}
	var list [][2]rune // of what is in, in ascending order, not touching
	for c := rune(0); c <= min(top+1, unicode.MaxRune); c++ {
		x, n, in := c, len(list)-1, false
		if fold {
			x = unicode.ToLower(c)
		}
		for _, ends := range ranges {
			in = in || ends[0] <= x && x <= ends[1]
		}
		if in != inverted && n >= 0 && list[n][1] == c-1 {
			list[n][1] = c
		} else if in != inverted {
			list = append(list, [2]rune{c, c})
		}
	}
	var alts, bad []int
	for _, c := range list {
		if c[1] > top {
			c[1] = unicode.MaxRune
		}
		alts = append(alts, r.encodings(c[0], c[1])...)
		if c[0] <= utf8.RuneError && utf8.RuneError <= c[1] {
			valid := r.mk(term{kind: "not", a: nest(r.alt, r.encodings(0x80, unicode.MaxRune))})
			bad = []int{r.seq(valid, r.bytes(0x80, 0xff))}
		}
	}
	if alts = append(alts, bad...); len(alts) == 0 {
		return r.mk(term{kind: "bytes"})
	}
	return nest(r.alt, alts)
}

// encodings returns terms for the encodings of the characters from lo to hi, each a sequence of ranges of bytes.
func (r *reader) encodings(lo, hi rune) (list []int) {
	if lo >= 0xd800 && hi <= 0xdfff { // surrogates have none
		return nil
	}
	ends := []rune{0x7f, 0x7ff, 0xd7ff, 0xdfff, 0xffff}
	for _, bits := range []int{6, 12, 18} { // whole blocks
		if block := rune(1)<<bits - 1; lo|block != hi|block && lo&block != 0 {
			ends = append(ends, lo|block)
		} else if lo|block != hi|block && hi&block != block {
			ends = append(ends, hi&^block-1)
		}
	}
	for _, end := range ends {
		if lo <= end && end < hi {
			return append(r.encodings(lo, end), r.encodings(end+1, hi)...)
		}
	}
	first, last := string(lo), string(hi)
	for i := range len(first) {
		list = append(list, r.bytes(int(first[i]), int(last[i])))
	}
	return []int{nest(r.seq, append(list, empty))}
}
