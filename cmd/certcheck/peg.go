package main

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexPEG takes a PEG apart as pigeon does: the grammar of its notation is grammar/pigeon.peg there.
func (r *reader) lexPEG(text string, line int) (list []token) {
	r.must(utf8.ValidString(text), "%s is not UTF-8", r.file)
	for n, last := 0, byte(0); ; {
		text, line = text[n:], line+strings.Count(text[:n], "\n")
		n = blank(text)
		ended := last == ';' || strings.Contains(text[:n], "\n") // so that a rule can begin
		if text, line = text[n:], line+strings.Count(text[:n], "\n"); text == "" {
			return list
		}
		t := token{text[0], "", line}
		switch first := text[0]; {
		case name(text) > 0:
			t.kind, n = 'n', name(text)
			t.text = text[:n]
			label := n + blank(text[n:])
			display := label + quoted(text[label:])
			display += blank(text[display:])
			if sign := arrow(text[display:]); sign > 0 {
				t.kind, n = 'd', display+sign
			} else if strings.HasPrefix(text[label:], ":") {
				t.kind, n = '_', label+1
			}
		case quoted(text)+brackets(text) > 0:
			t.kind, n = map[bool]byte{true: 'k', false: 'q'}[first == '['], quoted(text)+brackets(text)
			if strings.HasPrefix(text[n:], "i") {
				n++
			}
		case block(text) > 0:
			t.kind, n = 'b', block(text)
		default:
			n = 1
			if at := strings.IndexByte(".?*+&!;/()", first); at < 0 {
				t.kind = 'x'
			} else if at < 7 {
				t.kind = "krrrll_"[at]
			}
		}
		if t.text == "" {
			t.text = text[:n]
		}
		r.terms.file, r.terms.line = r.file, line
		r.must((t.kind != 'd' || ended) && (t.kind == 'd' || last != ';'), "unexpected %q", t.text)
		if last = text[0]; t.kind != '_' {
			list = append(list, t)
		}
	}
}

// name returns the length of the name that a text begins with, or 0. So do those below for what they are called after.
func name(text string) int {
	for i, c := range text {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return i
		}
	}
	return len(text)
}

func arrow(text string) int {
	for _, sign := range []string{"<-", "=", "←", "⟵"} {
		if strings.HasPrefix(text, sign) {
			return len(sign)
		}
	}
	return 0
}

func blank(text string) (n int) {
	for n < len(text) && (comment(text[n:]) > 0 || strings.IndexByte(" \t\r\n", text[n]) >= 0) {
		n += max(1, comment(text[n:]))
	}
	return n
}

func comment(text string) int {
	if strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "//{") {
		return len(strings.SplitN(text, "\n", 2)[0])
	}
	if in, ok := strings.CutPrefix(text, "/*"); ok && strings.Contains(in, "*/") {
		return len("/**/") + strings.Index(in, "*/")
	}
	return 0
}

// quoted: "...", '.' and `...`; whether the escapes are right is seen later.
func quoted(text string) int {
	for n := 1; n < len(text) && strings.IndexByte("\"'`", text[0]) >= 0 && (text[n] != '\n' || text[0] == '`'); n++ {
		if text[n] == text[0] {
			return n + 1
		} else if text[n] == '\\' && text[0] != '`' {
			n++
		}
	}
	return 0
}

func brackets(text string) int {
	for n := 1; n < len(text) && text[0] == '[' && text[n] != '\n'; n++ {
		if text[n] == ']' {
			return n + 1
		} else if text[n] == '\\' {
			n++
		}
	}
	return 0
}

// block: Go code in braces. Braces in comments and in what is quoted do not count.
func block(text string) int {
	for n, depth := 0, 0; n < len(text) && text[0] == '{'; n += max(1, comment(text[n:]), quotedGo(text[n:])) {
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

// quotedGo: what is quoted in Go code, as pigeon sees it, which does not read Go. A quote that nothing ends is a sign like others.
func quotedGo(text string) int {
	n, in := 0, text[1:]
	switch text[0] {
	case '`':
		n = strings.IndexByte(in, '`')
	case '\'':
		if n = strings.IndexByte(in, '\''); strings.HasPrefix(in, `\'`) || strings.HasPrefix(in, `\\`) {
			n = 2
		}
		if n < 1 || !strings.HasPrefix(in[n:], "'") {
			return 0
		}
	case '"':
		for n < len(in) && strings.IndexByte("\"\r\n", in[n]) < 0 {
			if strings.HasPrefix(in[n:], `\"`) || strings.HasPrefix(in[n:], `\\`) {
				n++
			}
			n++
		}
		if !strings.HasPrefix(in[n:], `"`) {
			return 0
		}
	default:
		return 0
	}
	return n + 2
}

// literal reads a literal. An i behind it makes pigeon compare in lower case. Pigeon reads a byte that begins no encoding, and
// the end of the input, as U+FFFD, in the literal too.
func (r *reader) literal(text string) int {
	s, err := strconv.Unquote(strings.TrimSuffix(text, "i"))
	r.must(err == nil, "the literal %s", text)
	list := []int{}
	for _, c := range s {
		x := r.characters([][2]rune{{c, c}}, nil, strings.HasSuffix(text, "i"), false)
		if c == utf8.RuneError {
			x = r.alt(x, r.mk(term{kind: "not", a: r.bytes(0, 255)}))
		}
		list = append(list, x)
	}
	return nest(r.seq, append(list, empty))
}

// class reads a class of characters: "[a-z]", "[^a-z]i", "[\pL]" or ".". An escape stands for a character in it.
func (r *reader) class(text string) int {
	if text == "." {
		return r.characters(nil, nil, false, true)
	}
	chars, ranges, tables := []rune{}, [][2]rune{}, []*unicode.RangeTable{}
	in, inverted := strings.CutPrefix(text[1:strings.LastIndexByte(text, ']')], "^")
	for in != "" {
		c, _, rest, err := strconv.UnquoteChar(in, 0)
		if after, ok := strings.CutPrefix(in, `\]`); ok {
			c, rest, err = ']', after, nil
		} else if after, ok := strings.CutPrefix(in, `\p`); ok {
			name, end := after[:1], 1
			if name == "{" {
				end = strings.IndexByte(after, '}') + 1
				name = after[1 : end-1]
			}
			table := unicode.Categories[name]
			for _, other := range []map[string]*unicode.RangeTable{unicode.Properties, unicode.Scripts} {
				if table == nil {
					table = other[name]
				}
			}
			r.must(table != nil, "the class %s", text)
			in, tables = after[end:], append(tables, table)
			continue
		}
		r.must(err == nil, "the class %s", text)
		in, chars = rest, append(chars, c)
	}
	for i := 0; i < len(chars); i++ {
		lo, hi := chars[i], chars[i]
		if i+2 < len(chars) && chars[i+1] == '-' {
			hi, i = chars[i+2], i+2
		}
		r.must(lo <= hi, "the class %s", text)
		ranges = append(ranges, [2]rune{lo, hi})
	}
	return r.characters(ranges, tables, strings.HasSuffix(text, "i"), inverted)
}

// characters returns a term for one character of some ranges or tables, or of none. Where fold is set, pigeon compares the lower
// case of a character with that of the ends of ranges. It reads a byte that begins no encoding as U+FFFD.
func (r *reader) characters(ranges [][2]rune, tables []*unicode.RangeTable, fold, inverted bool) int {
	top := rune(unicode.MaxASCII) // beyond it all characters are in, or none
	if fold {
		top = '\u212a' // the last whose lower case is in ASCII
	}
	for i, c := range ranges {
		if fold {
			ranges[i] = [2]rune{unicode.ToLower(c[0]), unicode.ToLower(c[1])}
		}
		top = max(top, ranges[i][1])
		if fold && c[1] > unicode.MaxASCII {
			top = max(top, 0x1ffff) // the last that has another case is below
		}
	}
	if len(tables) > 0 {
		top = unicode.MaxRune
	}
	var in [][2]rune // in ascending order, not touching
	for c := rune(0); c <= min(top+1, unicode.MaxRune); c++ {
		x := c
		if fold {
			x = unicode.ToLower(c)
		}
		has := unicode.In(x, tables...)
		for _, ends := range ranges {
			has = has || ends[0] <= x && x <= ends[1]
		}
		if n := len(in) - 1; has == inverted {
			continue
		} else if n >= 0 && in[n][1] == c-1 {
			in[n][1] = c
		} else {
			in = append(in, [2]rune{c, c})
		}
	}
	if n := len(in) - 1; n >= 0 && in[n][1] > top {
		in[n][1] = unicode.MaxRune
	}
	var ascii set
	var alts []int
	for _, c := range in {
		if ascii.add(int(c[0]), int(min(c[1], unicode.MaxASCII))); c[1] > unicode.MaxASCII {
			alts = append(alts, r.encodings(max(c[0], 0x80), c[1])...)
		}
	}
	for _, c := range in {
		if c[0] <= utf8.RuneError && utf8.RuneError <= c[1] {
			valid := r.mk(term{kind: "not", a: nest(r.alt, r.encodings(0x80, unicode.MaxRune))})
			alts = append(alts, r.seq(valid, r.bytes(0x80, 0xff)))
		}
	}
	if ascii != (set{}) || len(alts) == 0 {
		alts = append([]int{r.mk(term{kind: "bytes", set: ascii})}, alts...)
	}
	return nest(r.alt, alts)
}

// encodings returns terms for the encodings of the characters from lo to hi, each a sequence of ranges of bytes.
func (r *reader) encodings(lo, hi rune) (list []int) {
	if lo >= 0xd800 && hi <= 0xdfff { // surrogates have none
		return nil
	}
	ends := []rune{0x7ff, 0xd7ff, 0xdfff, 0xffff}
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
