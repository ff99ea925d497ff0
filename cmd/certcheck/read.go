package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token of a grammar: 'n' a name, '=' what stands behind the name that is defined, 't' a terminal, '|' between alternatives,
// 'c' a count before an element, 's' a sign behind one, '&' a lookahead, '@' a line about the file, '(', ')', '[', ']'.
type token struct {
	kind byte
	text string
	term int // of 't'
	line int
}

// In a text as it is taken apart, mark stands behind a name that a line of RFC 1630 defines, and "\x02@" for a line about the file.
const mark = "\x01"

// A lexer has a pattern for each kind of token; ' ' is skipped, 'q' is quoted, 'v' a value, 'k' a class, 'x' is not covered.
type lexer struct {
	kinds   string
	pattern *regexp.Regexp
}

func newLexer(kinds string, patterns ...string) lexer {
	return lexer{kinds, regexp.MustCompile("^(?:(" + strings.Join(patterns, ")|(") + "))")}
}

var lexers = map[string]lexer{
	"abnf": newLexer(" @qnxqvc=|()[]", `[ \t\r\n\f\v]+|;[^\n]*`, `\x02[^\n]*`, `<">`, `[A-Za-z][0-9A-Za-z_-]*|<[A-Za-z][0-9A-Za-z_-]*>`, `<[^>\n]*>`,
		`(?:%[sSiI])?"[^"\n]*"`, `%[bBdDxX][0-9A-Fa-f.-]+`, `[0-9]*\*[0-9]*|[0-9]+`, `=/?`, `/|\|`, `\(`, `\)`, `\[`, `\]`),
	"rfc822": newLexer(" @qnxc=q|()[]", `[ \t\r\n]+|;[^\n]*`, `\x02[^\n]*`, `<">|"[^"\n]*"`, `[A-Za-z][0-9A-Za-z+_-]*`, `<[^>\n]*>`,
		`[0-9]*\*[0-9]*|[0-9]+`, `=`, `/`, `\|`, `\(`, `\)`, `\[`, `\]`),
	"rfc1630": newLexer(" @n=|[]q", `[ \t\r\n]+`, `\x02[^\n]*`, `[A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]`, mark, `\|`, `\[`, `\]`, `[!-~]`),
	"peg": newLexer(" n=qk.s&|()", `[ \t\r\n;]+|//[^{\n][^\n]*|//\n|//$|/\*(?s:.*?)\*/`, `[A-Za-z_][0-9A-Za-z_]*(?:[ \t\r\n]*:)?`, `<-|=|←|⟵`,
		"\"(?:[^\"\\\\\n]|\\\\.)*\"i?|'(?:[^'\\\\\n]|\\\\.)*'i?|`[^`]*`i?", `\[(?:[^\]\\\n]|\\.)*\]i?`, `\.`, `[?*+]`, `[&!#]`, `/`, `\(`, `\)`),
}

// inCode matches what stands between the braces of a Go block in a PEG.
var inCode = regexp.MustCompile("^(?:[^{}\"'`/]+|\"(?:[^\"\\\\\r\n]|\\\\.)*\"|'(?:\\\\[\\\\'][^']*|[^'\\\\]*)'|`[^`]*`|//[^{\n][^\n]*|//\n|/\\*(?s:.*?)\\*/|[\"'`/])")

// A reader reads a grammar in one notation.
type reader struct {
	file, notation string
	*grammar
	tokens  []token
	part    int // the names of each part are its own
	parts   []part
	ids     map[name]string   // of productions
	homes   map[string][]name // by what a text calls them, in small letters where the notation makes no difference
	depth   int
	outside bool // names of other parts are known, if they are the only ones
	wide    bool // there is a value above 255
	high    bool // there is a value above 127
}

type (
	part struct{ prefix, which string }
	name struct {
		part int
		name string
	}
)

func (r *reader) fail(format string, args ...any) {
	line := 0
	if len(r.tokens) > 0 {
		line = r.tokens[0].line
	}
	fail("%s:%d: "+format, append([]any{r.file, line}, args...)...)
}

func (r *reader) fold(name string) string {
	if r.notation == "abnf" || r.notation == "rfc822" {
		return strings.ToLower(name)
	}
	return name
}

// lex takes a text apart. Go in braces is left out: no action is assumed to fail, and a predicate is not covered.
func (r *reader) lex(text string) (list []token) {
	l, line := lexers[r.notation], 1
	for text != "" {
		t := token{line: line}
		m := l.pattern.FindStringSubmatchIndex(text)
		switch {
		case m != nil:
			for i := range l.kinds {
				if m[2*i+2] >= 0 {
					t.kind = l.kinds[i]
				}
			}
			t.text = text[:m[1]]
		case r.notation == "peg" && text[0] == '{':
			n, depth := 1, 1
			for ; depth > 0 && n < len(text); n += max(1, len(inCode.FindString(text[n:]))) {
				depth += strings.Count(text[n:n+1], "{") - strings.Count(text[n:n+1], "}")
			}
			if depth > 0 {
				fail("%s:%d: { without }", r.file, line)
			}
			t.text, t.kind = text[:n], ' '
			if len(list) > 0 && list[len(list)-1].kind == '&' {
				list, t.kind = list[:len(list)-1], 'x'
			}
		default: // a production that is read otherwise may have it
			t.kind, t.text = 'x', text[:1]
		}
		text = text[len(t.text):]
		line += strings.Count(t.text, "\n")
		if t.kind != ' ' && !(t.kind == 'n' && strings.HasSuffix(t.text, ":")) { // a label
			list = append(list, r.terminal(t))
		}
	}
	return list
}

// terminal returns the token with the term that it stands for.
func (r *reader) terminal(t token) token {
	kind := t.kind
	if strings.IndexByte("qvkx.", kind) >= 0 {
		t.kind = 't'
	}
	switch {
	case kind == 'x':
		t.term = mkBad("prose or code: " + strconv.Quote(t.text))
	case kind == '.':
		t.term = runes(nil, true)
	case kind == 'v':
		t.term = r.value(t.text)
	case kind == 'k':
		t.term = class(t.text)
	case kind == 'q' && r.notation == "peg":
		t.term = quotedPEG(t.text)
	case kind == 'q' && t.text == `<">`:
		t.term = mkLiteral(`"`)
	case kind == 'q' && strings.HasSuffix(t.text, `"`) && len(t.text) > 1:
		how, text, _ := strings.Cut(t.text[:len(t.text)-1], `"`)
		if t.term = mkLiteral(text); r.notation == "abnf" && !strings.EqualFold(how, "%s") {
			t.term = foldABNF(text)
		}
	case kind == 'q':
		t.term = mkLiteral(t.text)
	case kind == 'n' && r.notation == "rfc1630" && (t.text == "space" || t.text == "vline"):
		t.kind, t.term = 't', mkLiteral(map[string]string{"space": " ", "vline": "|"}[t.text])
	case kind == 'n':
		t.text = strings.Trim(t.text, "<>")
	}
	return t
}

// foldABNF returns a term for a text in either case.
func foldABNF(text string) int {
	x := empty
	for i := len(text) - 1; i >= 0; i-- {
		var one set
		for _, s := range []string{text[i : i+1], strings.ToLower(text[i : i+1]), strings.ToUpper(text[i : i+1])} {
			one.add(int(s[0]), int(s[0]))
		}
		x = mkSeq(mkBytes(one), x)
	}
	return x
}

// value reads %x41, %x41-5A and %x41.42.
func (r *reader) value(text string) int {
	base := map[byte]int{'b': 2, 'd': 10, 'x': 16}[text[1]|0x20]
	number := func(s string) int {
		n, err := strconv.ParseUint(s, base, 31)
		if err != nil {
			fail("%s: unexpected value %s", r.file, text)
		}
		r.wide, r.high = r.wide || n > 255, r.high || n > 127
		return int(min(n, 255))
	}
	var all set
	if lo, hi, ok := strings.Cut(text[2:], "-"); ok {
		all.add(number(lo), number(hi))
		return mkBytes(all)
	}
	x := []byte{}
	for s := range strings.SplitSeq(text[2:], ".") {
		x = append(x, byte(number(s)))
	}
	return mkLiteral(string(x))
}

// unquote reads escapes as Go does, \] as well; above 127, \x and octal escapes stand for a character where bytes is false.
func unquote(text string, quote byte, bytes bool) (out []byte, ok bool) {
	for text != "" {
		if strings.HasPrefix(text, `\]`) && !bytes {
			out, text = append(out, ']'), text[2:]
			continue
		}
		c, wide, rest, err := strconv.UnquoteChar(text, quote)
		if err != nil {
			return nil, false
		}
		if text = rest; wide || c < utf8.RuneSelf || !bytes {
			out = utf8.AppendRune(out, c)
		} else {
			out = append(out, byte(c))
		}
	}
	return out, utf8.Valid(out) && !strings.Contains(string(out), "\ufffd")
}

func quotedPEG(text string) int {
	inner, fold := strings.CutSuffix(text, "i")
	quote, inner := inner[0], inner[1:len(inner)-1]
	s, ok := []byte(strings.ReplaceAll(inner, "\r", "")), true
	if quote != '`' {
		s, ok = unquote(inner, quote, true)
	}
	if !ok || fold && strings.ContainsFunc(string(s), func(c rune) bool { return c >= utf8.RuneSelf }) {
		return mkBad("a literal that is not UTF-8, or with an i not ASCII")
	}
	if !fold {
		return mkLiteral(string(s))
	}
	x := empty
	for i := len(s) - 1; i >= 0; i-- {
		var one set
		low := int(unicode.ToLower(rune(s[i])))
		one.add(low, low)
		x = mkSeq(folded(one), x)
	}
	return x
}

// folded returns a term for the characters whose lower case is in a set of ASCII: pigeon compares so. Two are not ASCII.
func folded(lower set) int {
	var all [][2]rune
	for c := range rune(0x3000) {
		if low := unicode.ToLower(c); low < utf8.RuneSelf && lower.has(int(low)) {
			all = append(all, [2]rune{c, c})
		}
	}
	return runes(all, false)
}

func class(text string) int {
	inner, fold := strings.CutSuffix(text, "i")
	inner, inverted := strings.CutPrefix(inner[1:len(inner)-1], "^")
	s, ok := unquote(inner, 0, false)
	chars := []rune(string(s))
	var all [][2]rune
	var lower set
	for i := 0; i < len(chars); i++ {
		lo, hi := chars[i], chars[i]
		if i+2 < len(chars) && chars[i+1] == '-' {
			hi, i = chars[i+2], i+2
		}
		if fold { // pigeon compares the ends in lower case
			lo, hi = unicode.ToLower(lo), unicode.ToLower(hi)
			lower.add(int(min(lo, 127)), int(min(hi, 127)))
		}
		ok = ok && lo <= hi && !(fold && (inverted || hi >= utf8.RuneSelf))
		all = append(all, [2]rune{lo, hi})
	}
	switch {
	case !ok:
		return mkBad("a class that is out of order or not UTF-8, or with an i inverted or not ASCII")
	case fold:
		return folded(lower)
	}
	return runes(all, inverted)
}

// runes returns a term for one character of some ranges, or of none. A byte that begins no encoding counts as U+FFFD.
func runes(ranges [][2]rune, inverted bool) int {
	slices.SortFunc(ranges, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	var all, others [][2]rune
	from := rune(0) // of the others
	for _, r := range ranges {
		if n := len(all); n > 0 && r[0] <= all[n-1][1]+1 {
			all[n-1][1] = max(all[n-1][1], r[1])
		} else {
			all = append(all, r)
		}
	}
	for _, r := range append(slices.Clone(all), [2]rune{unicode.MaxRune + 1, 0}) {
		if from < r[0] {
			others = append(others, [2]rune{from, r[0] - 1})
		}
		from = r[1] + 1
	}
	if inverted {
		all = others
	}
	var ascii, high set
	var alts []int
	invalid := false
	for _, r := range all {
		invalid = invalid || r[0] <= utf8.RuneError && utf8.RuneError <= r[1]
		ascii.add(int(r[0]), int(min(r[1], utf8.RuneSelf-1)))
		alts = append(alts, encodings(max(r[0], utf8.RuneSelf), r[1])...)
	}
	if ascii != (set{}) || len(alts) == 0 {
		alts = append([]int{mkBytes(ascii)}, alts...)
	}
	if invalid {
		high.add(0x80, 0xff)
		valid := mk(term{kind: "not", a: mkAlts(encodings(utf8.RuneSelf, unicode.MaxRune))})
		alts = append(alts, mkSeq(valid, mkBytes(high)))
	}
	return mkAlts(alts)
}

// encodings returns terms for the encodings of the characters from lo to hi, each a sequence of ranges of bytes.
func encodings(lo, hi rune) []int {
	cut := func(at rune) []int { return append(encodings(lo, at), encodings(at+1, hi)...) }
	switch {
	case lo > hi:
		return nil
	case lo <= 0xdfff && hi >= 0xd800: // surrogates have no encoding
		return append(encodings(lo, 0xd7ff), encodings(0xe000, hi)...)
	case lo <= 0x7ff && hi > 0x7ff:
		return cut(0x7ff)
	case lo <= 0xffff && hi > 0xffff:
		return cut(0xffff)
	}
	for _, m := range []rune{1<<6 - 1, 1<<12 - 1, 1<<18 - 1} {
		if lo&^m != hi&^m && lo&m != 0 {
			return cut(lo | m)
		} else if lo&^m != hi&^m && hi&m != m {
			return cut(hi&^m - 1)
		}
	}
	x, first, last := empty, string(lo), string(hi)
	for i := len(first) - 1; i >= 0; i-- {
		var s set
		s.add(int(first[i]), int(last[i]))
		x = mkSeq(mkBytes(s), x)
	}
	return []int{x}
}

const core = `ALPHA=%x41-5A/%x61-7A BIT="0"/"1" CHAR=%x01-7F CR=%x0D CRLF=CR|LF CTL=%x00-1F/%x7F DIGIT=%x30-39 DQUOTE=%x22 HTAB=%x09
HEXDIG=DIGIT/"A"/"B"/"C"/"D"/"E"/"F" LF=%x0A LWSP=*(WSP/CRLF|WSP) OCTET=%x00-FF SP=%x20 VCHAR=%x21-7E WSP=SP/HTAB`

// readPEG reads a grammar in pigeon's notation.
func readPEG(file, text string) *grammar {
	r := &reader{file: file, notation: "peg", grammar: &grammar{side: "peg ", rules: map[string]int{}}}
	r.tokens = r.lex(text)
	for len(r.tokens) > 0 {
		if !r.defines(0) || has(r.rules, r.tokens[0].text) {
			r.fail("expected a rule that is not defined above")
		}
		id := r.tokens[0].text
		for !r.take('=') {
			r.tokens = r.tokens[1:]
		}
		r.rules[id] = r.alternatives()
	}
	r.finish()
	return r.grammar
}

func has[K comparable, V any](m map[K]V, k K) bool { _, ok := m[k]; return ok }

// readBNF reads a grammar in a notation that its "@ notation" line names, or in ABNF. It reads some right-hand sides instead of
// what the file has, or beside it. It returns the productions in the file.
func readBNF(file, text string, instead map[string]string) (*grammar, []string) {
	r := &reader{file: file, notation: "abnf", grammar: &grammar{side: "bnf ", rules: map[string]int{}}, ids: map[name]string{}, homes: map[string][]name{}}
	if m := regexp.MustCompile(`(?m)^@ notation (abnf|rfc822|rfc1630)\s*$`).FindStringSubmatch(text); m != nil {
		r.notation = m[1]
	}
	r.tokens = r.lex(marked(r.notation, text))
	r.findNames()
	var stated []string
	for _, id := range r.ids {
		stated = append(stated, id)
	}
	for word := range strings.FieldsSeq(core) {
		id, right, _ := strings.Cut(word, "=")
		if r.notation == "abnf" && r.homes[r.fold(id)] == nil && !has(instead, id) {
			instead[id] = strings.ReplaceAll(right, "|", " ")
		}
	}
	all, parts := r.tokens, map[string]int{}
	for n, id := range r.ids {
		parts[id] = n.part
	}
	for id := range instead {
		if !has(parts, id) {
			n := name{-1, id}
			r.ids[n], parts[id] = id, -1
			r.homes[r.fold(id)] = append(r.homes[r.fold(id)], n)
		}
	}
	r.outside = true
	for id, right := range instead {
		if r.tokens, r.part = r.lex(right), parts[id]; r.notation == "rfc1630" || len(r.tokens) > 0 {
			r.rules[id] = r.alternatives()
		}
		if len(r.tokens) > 0 {
			r.fail("unexpected %q in what is assumed of %s", r.tokens[0].text, id)
		}
	}
	r.tokens, r.part, r.outside = all, 0, false
	r.productions(instead)
	if r.wide {
		fail("%s: a value above 255 is not covered", file)
	}
	r.finish()
	return r.grammar, stated
}

// marked returns a text with marks before the lines about the file and behind the names that lines of RFC 1630 define.
func marked(notation, text string) string {
	if strings.ContainsAny(text, mark+"\x02") {
		fail("unexpected control characters")
	}
	var out strings.Builder
	begins := true // a production
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "@"):
			line, begins = "\x02"+line, true
		case len(words) == 0:
			begins = true
		case begins && notation == "rfc1630":
			line, begins = strings.Replace(line, words[0], words[0]+mark, 1), false
		}
		out.WriteString(line)
	}
	return out.String()
}

// findNames finds what is defined, and the IDs.
func (r *reader) findNames() {
	r.parts = []part{{}}
	here, shared := map[string]int{}, map[string]bool{}
	var all []name
	for i, t := range r.tokens {
		words := strings.Fields(strings.TrimPrefix(t.text, "\x02@"))
		switch {
		case t.kind == '@' && len(words) > 1 && words[0] == "part":
			r.parts = append(r.parts, part{})
		case t.kind == '@' && len(words) == 3 && words[0] == "ids":
			r.parts[len(r.parts)-1] = part{words[1], words[2]}
		case r.defines(i):
			n := name{len(r.parts) - 1, t.text}
			home, ok := here[t.text]
			shared[t.text] = shared[t.text] || ok && home != n.part
			here[t.text] = n.part
			all = append(all, n)
		}
	}
	for _, n := range all {
		k := name{n.part, r.fold(n.name)}
		if has(r.ids, k) {
			continue
		}
		p := r.parts[n.part]
		r.ids[k] = n.name
		if (p.which == "all" || shared[n.name]) && p.prefix != n.name+"_" {
			r.ids[k] = p.prefix + n.name
		}
		r.homes[k.name] = append(r.homes[k.name], k)
	}
}

// defines reports whether a definition begins at token i.
func (r *reader) defines(i int) bool {
	t := r.tokens[i:]
	return len(t) > 1 && t[0].kind == 'n' && (t[1].kind == '=' || r.notation == "peg" && len(t) > 2 && t[1].kind == 't' && t[2].kind == '=')
}

// productions reads the productions of the file.
func (r *reader) productions(instead map[string]string) {
	for len(r.tokens) > 0 {
		t := r.tokens[0]
		if r.tokens = r.tokens[1:]; t.kind == '@' {
			if strings.HasPrefix(t.text, "\x02@ part ") {
				r.part++
			}
			continue
		}
		if t.kind != 'n' || len(r.tokens) == 0 || r.tokens[0].kind != '=' {
			r.fail("expected a production, found %q", t.text)
		}
		id, adds := r.ids[name{r.part, r.fold(t.text)}], r.tokens[0].text == "=/"
		r.tokens = r.tokens[1:]
		x := r.alternatives()
		switch old, ok := r.rules[id]; {
		case has(instead, id):
		case ok && adds:
			r.rules[id] = mkAlt(old, x)
		case adds || ok && x != old:
			r.fail("%s is defined twice, or =/ adds to nothing", id)
		default:
			r.rules[id] = x
		}
	}
}

func (r *reader) take(kind byte) bool {
	ok := len(r.tokens) > 0 && r.tokens[0].kind == kind
	if ok {
		r.tokens = r.tokens[1:]
	}
	return ok
}

func (r *reader) alternatives() int {
	if r.depth++; r.depth > 1000 {
		r.fail("nested too deeply")
	}
	all := []int{r.sequence()}
	for r.take('|') {
		all = append(all, r.sequence())
	}
	r.depth--
	return mkAlts(all)
}

func (r *reader) sequence() int {
	var all []int
	ends := func(i int) bool {
		return i >= len(r.tokens) || strings.IndexByte("|)]@", r.tokens[i].kind) >= 0 || r.defines(i)
	}
	if !ends(0) || r.notation == "rfc1630" && len(r.tokens) > 0 && r.tokens[0].kind == ']' {
		if t := r.tokens[0]; r.notation == "rfc1630" && (t.kind == '[' || t.kind == ']') && ends(1) && (len(r.tokens) < 2 || r.tokens[1].kind != ']') {
			r.tokens = r.tokens[1:] // a bracket by itself is a character
			return mkLiteral(t.text)
		}
	}
	for !ends(0) {
		all = append(all, r.element())
	}
	if len(all) == 0 && r.notation != "rfc1630" {
		r.fail("expected an element")
	}
	x := empty
	for i := len(all) - 1; i >= 0; i-- {
		x = mkSeq(all[i], x)
	}
	return x
}

func (r *reader) element() int {
	t := r.tokens[0]
	r.tokens = r.tokens[1:]
	if (t.kind == '&' || t.kind == 'c') && len(r.tokens) == 0 {
		r.fail("expected an element")
	}
	x := 0
	switch t.kind {
	case '&':
		if x = r.element(); x == runes(nil, true) { // some character is there: some byte is
			var any set
			any.add(0, 255)
			x = mkBytes(any)
		}
		return mk(term{kind: map[string]string{"&": "and", "!": "not"}[t.text], a: x})
	case 'c':
		if r.notation == "rfc822" && r.tokens[0].kind == '[' { // brackets behind a count only group
			r.tokens[0].kind = '('
		}
		return counted(r.element(), t.text)
	case 't':
		x = t.term
	case 'n':
		x = r.reference(t.text)
	case '(', '[':
		x = r.alternatives()
		if !r.take(map[string]byte{"(": ')', "[": ']'}[t.text]) {
			r.fail("expected the end of what %s begins in line %d", t.text, t.line)
		}
		if t.kind == '[' {
			x = mkAlt(x, empty)
		}
	default:
		r.fail("unexpected %q", t.text)
	}
	if len(r.tokens) > 0 && r.tokens[0].kind == 's' {
		least, most := map[string]int{"+": 1}[r.tokens[0].text], map[string]int{"?": 1, "*": -1, "+": -1}[r.tokens[0].text]
		x, r.tokens = mkRepeat(x, least, most), r.tokens[1:]
	}
	return x
}

// counted reads 3, 1*, *4, 1*4 and *.
func counted(x int, count string) int {
	low, high, star := strings.Cut(count, "*")
	least, err1 := strconv.ParseUint("0"+low, 10, 31)
	most, err2 := strconv.ParseUint("0"+high, 10, 31)
	switch {
	case err1 != nil || err2 != nil || star && high != "" && most < least:
		return mkBad("the count " + count)
	case !star:
		return mkRepeat(x, int(least), int(least))
	case high == "":
		return mkRepeat(x, int(least), -1)
	}
	return mkRepeat(x, int(least), int(most))
}

// reference returns the term for a name: that of the same part, or the only one where that is allowed.
func (r *reader) reference(text string) int {
	all := r.homes[r.fold(text)]
	for _, n := range all {
		if n.part == r.part || n.part < 0 || r.outside && len(all) == 1 {
			return mk(term{kind: "rule", name: r.side + r.ids[n]})
		}
	}
	if r.notation == "peg" {
		return mk(term{kind: "rule", name: r.side + text})
	}
	return mkBad(text + " is not defined")
}
