package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
	place  string
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

// A token of a part of a grammar. Its kind is the name of its pattern, or the sign itself, or 0 at the end.
type token struct {
	kind        byte
	text, place string
	part        int
	values      []int // of the bytes of a text, or those that it has
}

// The patterns of tokens, the first that matches counts: d a name that is defined, a one that is added to, n another, Q a text, q one in
// either case, t one of a PEG, v values, w a range, k a class of characters, y any, c a count before an element, r one behind it, l a
// lookahead, o an or, s a sign, x what is not read, _ a blank, p the line of a part, i that with the prefix of its names, b a { of Go
// code. What counts of a token is in brackets within.
var notations = map[string]*regexp.Regexp{
	"abnf": pattern(`LINE|(?P<_>\s|;.*)|(?P<q>(?:%[iI])?"([^"\n]*)")|(?P<Q>%[sS]"([^"\n]*)"|<(")>)|(?P<a>(?:<(NAME)>|(NAME))\s*=/)`+
		`|(?P<d>(?:<(NAME)>|(NAME))\s*=)|(?P<n><(NAME)>|NAME)|(?P<x>".*|<[^>\n]*>|#)|(?P<w>%[bBdDxX]HEX-HEX)|(?P<v>%[bBdDxX]HEX(?:\.HEX)*)`+
		`|COUNT|(?P<o>[/|])|(?P<s>[()[\]])`, "HEX", `[[:xdigit:]]+`, "NAME", `[A-Za-z][0-9A-Za-z_-]*`),
	"rfc822": pattern(`LINE|(?P<_>\s|;.*)|(?P<Q>"([^"\n]*)"|<(")>|/)|(?P<d>(NAME)\s*=)|(?P<n>NAME)|(?P<x>".*|<[^>\n]*>|#)|COUNT`+
		`|(?P<o>\|)|(?P<s>[()[\]])`, "NAME", `[A-Za-z][0-9A-Za-z+_-]*`),
	"rfc1630": pattern(`(?P<d>EMPTY(NAME)(?:[ \t\f\r]|(?m:$)))|(?P<x>EMPTY(?:NAME|[!-?A-~]))|LINE|(?P<x1>\n@)|(?P<_>\s)|(?P<n>NAME)`+
		`|(?P<o>\|)|(?P<s>[[\]])|(?P<Q>[!-~])`, "EMPTY", `\n[ \t\f\r]*\n[ \t\f\r]*`, "NAME", `[A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]`),
	"peg": pattern(`(?P<b>\{)|(?P<_>[\s;]|COMMENT|NAME\s*:)|(?P<d>(NAME)\s*(?:TEXT)?\s*(?:<-|=|←|⟵))|(?P<n>NAME)|(?P<t>(?:TEXT)i?)`+
		`|(?P<k>\[(?:[^\]\\\n]|\\.)*\]i?)|(?P<y>\.)|(?P<r>[?*+])|(?P<l>[&!])|(?P<o>/)|(?P<s>[()])|(?P<x>[#%])`,
		"NAME", `[^\x00-@\[-^\x60{-\x7f←⟵][^\x00-/:-@\[-^\x60{-\x7f←⟵]*`,
		"TEXT", "\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`"),
}

func pattern(s string, names ...string) *regexp.Regexp {
	names = append(names, "COUNT", `(?P<c>\d*\*\d*|\d+)`, "COMMENT", comment, "LINE", `(?P<p>\n@ part .*)`+
		`|(?P<i>\n@ ids [^ \n]* (?:all|shared)(?m:$))|(?P<_1>\n@ (?:grammar|title|notation|section|page) .*)`)
	return regexp.MustCompile("^(?:" + strings.NewReplacer(names...).Replace(s) + ")")
}

var (
	comment = `/\*(?s:.*?)\*/|//(?:[^{\n].*|(?m:$))` // in a PEG, where //{ begins none
	// Comment and CodeStringLiteral of pigeon's own grammar, which does not read Go: a sign that nothing ends is one like others.
	opaque       = regexp.MustCompile("^(?:" + comment + `|'(?:\\['\\]|\\?[^'\\][^']*)'|` + "`[^`]*`" + `|"(?:[^"\\\r\n]|\\[^\r\n])*")`)
	notationLine = regexp.MustCompile(`(?m)^@ notation (?:(abnf|rfc822|rfc1630)$)?`)
	assumeLine   = regexp.MustCompile(`^assume ([^ ]*) = (.*) because .`)
	capitals     = regexp.MustCompile(`[A-Z]+`)
	// Texts in which an escape of a byte is for one of ASCII.
	ofASCII = regexp.MustCompile("^`[^\r]*$|^[^`]" + `(?:[^\\]|\\(?:[^x0-7]|x[0-7]|[01][0-7]{2}))*$`)
)

// A reader reads a grammar. An ID is a name that the certificate uses: of a production that is in one part of several, the
// name, or with a prefix as the part demands.
type reader struct {
	*terms
	side, notation string
	prefixes       [][]string           // of each part, the words of its line @ ids
	homes          map[string][]token   // where a name is defined
	ids            []string             // of the file
	names          map[string]string    // the first ID that is the same as a name
	rules          map[string][][]token // definitions, the name first
	bodies         map[string]int
	settled        map[int]int // see settle
	wide           bool        // a value is above 255, and so all of them are characters
	tokens         []token     // what is being read
	depth          int
}

// read reads a grammar, and instead of some right-hand sides those that lines of a certificate assume.
func (t *terms) read(side, file, text, certificate string, assumed []string) {
	r := &reader{
		terms: t, side: side, notation: side, homes: map[string][]token{}, rules: map[string][][]token{},
		bodies: map[string]int{}, settled: map[int]int{empty: empty}, names: map[string]string{}, prefixes: [][]string{make([]string, 4)},
	}
	t.sides[side], t.place = r, file
	if side == "bnf" {
		r.notation = append(notationLine.FindStringSubmatch(text), "", "abnf")[1]
		t.must(r.notation != "", "not covered: the notation")
	}
	var list [][]token
	for _, k := range r.lex(file, "\n\n"+strings.TrimPrefix(text, "\ufeff"), -1, 0) {
		n := len(list) - 1
		k.part = len(r.prefixes) - 1
		r.wide = r.wide || slices.ContainsFunc(k.values, func(n int) bool { return n > 255 })
		switch {
		case k.kind == 'p':
			r.prefixes = append(r.prefixes, make([]string, 4))
		case k.kind == 'd' || k.kind == 'a':
			list = append(list, []token{k})
			r.homes[r.fold(k.text)] = append(r.homes[r.fold(k.text)], k)
		case n >= 0 && list[n][0].part == k.part:
			list[n] = append(list[n], k)
		case k.kind == 'i':
			r.prefixes[k.part] = strings.Split(k.text, " ")
		default:
			t.place = k.place
			t.must(k.kind == 'b', "expected a rule, found %q", k.text)
		}
	}
	for _, d := range list {
		id := r.id(d[0])
		r.ids, r.rules[id], r.names[r.fold(id)] = append(r.ids, id), append(r.rules[id], d), r.known(id)
	}
	for i, line := range assumed {
		t.place = fmt.Sprintf("%s:%d", certificate, i+2)
		m := assumeLine.FindStringSubmatch(line)
		t.must(m != nil, "expected assume NAME = EXPRESSION because REASON")
		id, part := r.known(m[1]), -1
		line = "assumed: " + line[len("assume "):]
		if old := r.rules[id]; old != nil {
			t.must(old[0][0].kind != 0, "there are two assumptions about %s", id)
			part = old[0][0].part
			line += ", instead of what " + file + " has"
		}
		d := append([]token{{place: t.place}}, r.lex(certificate, m[2], i+2, part)...)
		r.names[r.fold(id)], r.rules[id], t.report = id, [][]token{d}, append(t.report, line)
	}
}

// lower returns a name with the letters of ASCII in lower case.
func lower(name string) string { return capitals.ReplaceAllStringFunc(name, strings.ToLower) }

func (r *reader) fold(name string) string {
	return map[bool]string{true: lower(name), false: name}[r.notation == "abnf" || r.notation == "rfc822"]
}

// known returns the ID that a name is, or the name itself.
func (r *reader) known(name string) string { return cmp.Or(r.names[r.fold(name)], name) }

// id returns the ID of a name that is used: of what its part defines, or else of what one other part does.
func (r *reader) id(t token) string {
	same := func(a, b token) bool { return a.part == b.part }
	homes := slices.CompactFunc(slices.Clone(r.homes[r.fold(t.text)]), same) // the first in each part
	if len(homes) == 0 {
		return r.known(t.text)
	}
	i := slices.IndexFunc(homes, func(home token) bool { return len(homes) == 1 || same(home, t) })
	r.must(i >= 0, "there is more than one %s", t.text)
	name := homes[i].text
	if p := r.prefixes[homes[i].part]; (p[3] == "all" || len(homes) > 1) && p[2] != name+"_" {
		return p[2] + name
	}
	return name
}

// lex takes a text of a part of the grammar apart, which begins on a line of a file.
func (r *reader) lex(file, text string, line, part int) (list []token) {
	pattern := notations[r.notation]
	for text != "" {
		r.place = fmt.Sprintf("%s:%d", file, line)
		m := pattern.FindStringSubmatchIndex(text)
		r.must(m != nil, "unexpected %q", text[:1])
		t, end := token{place: r.place, part: part}, m[1]
		for i, name := range pattern.SubexpNames() {
			if m[2*i] >= 0 { // of what counts, there is no name
				t.kind, t.text = append([]byte(name), t.kind)[0], text[m[2*i]:m[2*i+1]]
			}
		}
		switch t.kind {
		case 's':
			t.kind = t.text[0]
		case 'b':
			end = block(text)
			r.must(end > 0, "unexpected %q", t.text)
		case 'q', 'Q':
			for _, c := range []byte(t.text) {
				t.values = append(t.values, int(c))
			}
		case 'v', 'w':
			for _, s := range strings.FieldsFunc(t.text[2:], unicode.IsPunct) {
				n, err := strconv.ParseUint(s, map[byte]int{'b': 2, 'd': 10, 'x': 16}[t.text[1]|0x20], 31)
				r.must(err == nil, "the value %s", t.text)
				t.values = append(t.values, int(n))
			}
		}
		list = append(list, t)
		line += strings.Count(text[:end], "\n")
		if text = text[end:]; strings.HasPrefix(t.text, "\n@ ") { // such a line is as good as an empty one
			text, line = "\n"+text, line-1
		}
	}
	return slices.DeleteFunc(list, func(t token) bool { return t.kind == '_' })
}

// block returns the length of the Go code in braces that a text begins with, or 0.
func block(text string) int {
	depth, signs := 0, map[byte]int{'{': 1, '}': -1}
	for n := 0; n < len(text); n += max(1, len(opaque.FindString(text[n:]))) {
		if depth += signs[text[n]]; depth == 0 {
			return n + 1
		}
	}
	return 0
}

// body returns the term of a rule.
func (r *reader) body(id string) (x int) {
	if x, ok := r.bodies[id]; ok {
		return x
	}
	r.must(r.rules[id] != nil, "not covered: %s is not defined", id)
	place := r.place
	for i, d := range r.rules[id] {
		r.tokens, r.place = append(slices.Clip(d[1:]), token{place: d[0].place}), d[0].place
		y := r.alternatives(0)
		if d[0].kind == 'a' && i > 0 {
			y = r.alt(x, y)
		}
		r.must((d[0].kind == 'a') == (i > 0) || i > 0 && x == y, "%s is defined twice, or added to nothing", id)
		x = y
	}
	r.bodies[id], r.depth = r.mk(term{kind: "rule", side: r.side, name: id}), r.depth+1 // while it is settled
	r.bodies[id], r.depth, r.place = r.settle(x), r.depth-1, place
	return r.bodies[id]
}

// settle returns a term in which the name of a rule that is one byte of a set is that set.
func (r *reader) settle(x int) int {
	if y, ok := r.settled[x]; ok {
		return y
	}
	t, y := r.all[x], x
	t.a, t.b = r.settle(t.a), r.settle(t.b)
	if t.kind == "alt" {
		y = r.alt(t.a, t.b)
	} else if t.kind != "rule" {
		y = r.mk(t)
	} else if b := r.body(t.name); r.all[b].kind == "bytes" {
		y = b
	}
	r.settled[x] = y
	return y
}

func (r *reader) next() token {
	t := r.tokens[0]
	r.tokens, r.place = r.tokens[1:], t.place
	return t
}

// alternatives reads what is before a sign, and the sign.
func (r *reader) alternatives(end byte) int {
	var all, list []int
	for {
		first := len(list) == 0 && (end == 0 || len(all) > 0)
		switch kind := r.tokens[0].kind; {
		case first && r.notation == "rfc1630" && (kind == '[' || kind == ']') && strings.IndexByte("\x00o", r.tokens[1].kind) >= 0:
			list = append(list, r.bytes(int(kind), int(kind))) // a bracket that is all of an alternative is a character
			r.next()
		case kind == 'o' || kind == end:
			r.must(len(list) > 0 || r.notation == "rfc1630", "expected an element")
			all, list = append(all, nest(r.seq, append(list, empty))), nil
			if r.next(); kind == end {
				return nest(r.alt, all)
			}
		default:
			list = append(list, r.element(false))
		}
	}
}

// element reads an element, which a lookahead or a count may be before, or a count behind.
func (r *reader) element(counted bool) (x int) {
	r.depth++
	r.must(r.depth < 10000, "nested too deeply")
	defer func() { r.depth-- }()
	switch t := r.next(); t.kind {
	case 'l':
		if x = r.element(false); x == r.class("[^]") { // some character is there: some byte is
			x = r.bytes(0, 255)
		}
		if x = r.mk(term{kind: "not", a: x}); t.text == "&" {
			x = r.mk(term{kind: "not", a: x})
		}
		return x
	case 'c':
		r.must(!counted, "there are two counts")
		return r.repeat(r.element(true), t.text)
	case 't':
		x = r.literal(t.text)
	case 'q', 'Q', 'v', 'w':
		top, list := slices.Max(append(t.values, 0)), []int{}
		r.must(top < 128 || top < 256 && (!r.wide || t.kind|0x20 == 'q'), "not covered: the value %s of a character", t.text)
		for _, n := range t.values {
			x := r.bytes(n, n)
			if lower := n | 0x20; t.kind == 'q' && 'a' <= lower && lower <= 'z' {
				x = r.alt(x, r.bytes(n^0x20, n^0x20))
			}
			list = append(list, x)
		}
		if x = nest(r.seq, append(list, empty)); t.kind == 'w' {
			r.must(t.values[0] <= t.values[1], "not covered: the range %s", t.text)
			x = r.bytes(t.values[0], t.values[1])
		}
	case 'k':
		x = r.class(t.text)
	case 'y':
		x = r.class("[^]")
	case 'n':
		if c := map[string]int{"space": ' ', "vline": '|'}[t.text]; c > 0 && r.notation == "rfc1630" {
			x = r.bytes(c, c)
		} else {
			x = r.mk(term{kind: "rule", side: r.side, name: r.id(t)})
		}
	case '(', '[':
		x = r.alternatives(map[byte]byte{'(': ')', '[': ']'}[t.kind])
		if t.kind == '[' && !(counted && r.notation == "rfc822") { // behind a count it only groups
			x = r.alt(x, empty)
		}
	default:
		r.must(false, "unexpected or not covered: %q", t.text)
	}
	if r.tokens[0].kind == 'r' {
		x = r.repeat(x, map[string]string{"?": "*1", "*": "*", "+": "1*"}[r.next().text])
	}
	if r.tokens[0].kind == 'b' {
		r.next()
	}
	return x
}

// repeat reads a count: 3, 1*, *4, 2*4 or *. Then 2*4a = a a ( a ( a / "" ) / "" ), and 2*a = a a *a.
func (r *reader) repeat(a int, count string) int {
	low, high, _ := strings.Cut(count, "*")
	least, err1 := strconv.ParseUint("0"+low, 10, 13)
	most, err2 := strconv.ParseUint("0"+cmp.Or(high, low), 10, 13)
	r.must(err1 == nil && err2 == nil && least <= most, "not covered: the count %s", count)
	x := empty
	if strings.HasSuffix(count, "*") {
		x = r.mk(term{kind: "star", a: a})
	}
	for range most - least {
		x = r.alt(r.seq(a, x), empty)
	}
	for range least {
		x = r.seq(a, x)
	}
	return x
}

// literal reads a literal of a PEG. An i behind it makes pigeon compare in lower case.
func (r *reader) literal(text string) int {
	quoted, fold := strings.CutSuffix(text, "i")
	s, err := strconv.Unquote(quoted)
	r.must(err == nil && quoted != "''" && ofASCII.MatchString(quoted), "not covered: the escapes of %s", text)
	var list []int
	for _, c := range s { // U+FFFD matches the end of the input as well
		r.must(c <= unicode.MaxASCII || !fold && c != utf8.RuneError, "not covered: the character %q in %s", c, text)
		list = append(list, r.characters([][2]rune{{c, c}}, fold, false))
	}
	return nest(r.seq, append(list, empty))
}

// class reads a class of characters: "[a-z]" or "[^a-z]i". In it, escapes of bytes stand for characters.
func (r *reader) class(text string) int {
	quoted, fold := strings.CutSuffix(text, "i")
	in, inverted := strings.CutPrefix(quoted[1:len(quoted)-1], "^")
	var chars []rune
	for in != "" {
		c, _, rest, err := strconv.UnquoteChar(in, 0)
		if after, ok := strings.CutPrefix(in, `\]`); ok {
			c, rest, err = ']', after, nil
		}
		r.must(err == nil && utf8.ValidString(in), "not covered: the escapes of %s", text)
		chars, in = append(chars, c), rest
	}
	var ranges [][2]rune
	for n := 1; len(chars) > 0; chars = chars[n:] {
		if n = 1; len(chars) > 2 && chars[1] == '-' {
			n = 3
		}
		lo, hi := chars[0], chars[n-1]
		r.must(lo <= hi && (hi <= unicode.MaxASCII || !fold), "not covered: the range %c-%c in %s", lo, hi, text)
		ranges = append(ranges, [2]rune{lo, hi})
	}
	return r.characters(ranges, fold, inverted)
}

// characters returns a term for one character of some ranges, or of none. Where fold is set, the ranges are in ASCII, and pigeon
// compares the lower case of a character with that of their ends. It reads a byte that begins no encoding as U+FFFD.
func (r *reader) characters(ranges [][2]rune, fold, inverted bool) int {
	low := map[bool]func(c rune) rune{true: unicode.ToLower, false: func(c rune) rune { return c }}[fold]
	in := func(c rune) bool {
		return slices.ContainsFunc(ranges, func(ends [2]rune) bool { return low(ends[0]) <= low(c) && low(c) <= low(ends[1]) }) != inverted
	}
	borders := []rune{0, 'A', 'Z' + 1, 0x130, 0x131, 0x212a, 0x212b, unicode.MaxRune + 1} // beyond ASCII two have a lower case in it
	for _, ends := range ranges {
		lo, hi := low(ends[0]), low(ends[1])+1
		borders = append(borders, lo, hi, max(0, lo-'a'+'A'), max(0, hi-'a'+'A'))
	}
	slices.Sort(borders)
	alts, from := []int{}, rune(-1) // where what is in began
	for _, c := range borders {
		if now := c <= unicode.MaxRune && in(c); now && from < 0 {
			from = c
		} else if !now && from >= 0 {
			alts, from = append(alts, r.encodings(from, c-1)...), -1
		}
	}
	if len(alts) == 0 {
		alts = []int{r.mk(term{kind: "bytes"})}
	}
	if in(utf8.RuneError) {
		valid := r.mk(term{kind: "not", a: nest(r.alt, r.encodings(0x80, unicode.MaxRune))})
		alts = append(alts, r.seq(valid, r.bytes(0x80, 0xff)))
	}
	return nest(r.alt, alts)
}

// encodings returns terms for the encodings of the characters from lo to hi, each a sequence of ranges of bytes.
func (r *reader) encodings(lo, hi rune) (list []int) {
	for next := lo; lo <= hi; lo = next {
		planes := []rune{0x7f, 0x7ff, 0xd7ff, 0xdfff, 0xffff, hi}
		end := min(hi, planes[slices.IndexFunc(planes, func(last rune) bool { return lo <= last })])
		for _, n := range []rune{1 << 6, 1 << 12, 1 << 18} { // whole blocks
			if lo/n != end/n && lo%n != 0 {
				end = lo | (n - 1)
			} else if lo/n != end/n && end%n != n-1 {
				end = end/n*n - 1
			}
		}
		var bytes []int
		for i := range len(string(lo)) {
			bytes = append(bytes, r.bytes(int(string(lo)[i]), int(string(end)[i])))
		}
		if next = end + 1; utf8.ValidRune(lo) { // surrogates have none
			list = append(list, nest(r.seq, append(bytes, empty)))
		}
	}
	return list
}
