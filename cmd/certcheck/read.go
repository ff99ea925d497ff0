package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A token of a grammar. Its kind is the name of its pattern, or the sign itself.
type token struct {
	kind byte
	text string
	line int
}

// The patterns of tokens, the first that matches counts: d a name that is defined, n a name, q a text, v a value, k a class of
// characters, x prose, c a count before an element, r a repetition behind one, l a lookahead, s a sign, _ a blank. The kind b is
// Go code, see block.
var notations = map[string]*regexp.Regexp{
	"abnf": pattern(`(?P<_>\n@DIRECTIVE.*|\s|;.*)|(?P<q><">|(?:%[sSiI])?"[^"\n]*")|(?P<d><(NAME)>\s*=/?)|(?P<d1>(NAME)\s*=/?)|(?P<n><(NAME)>)|(?P<n1>NAME)|(?P<x><[^>\n]*>)`+
		`|(?P<v>%[bBdDxX][[:xdigit:].-]+)|(?P<c>\d*\*\d*|\d+)|(?P<s>[/|()[\]])`, "NAME", `[A-Za-z][0-9A-Za-z_-]*`),
	"rfc822": pattern(`(?P<_>\n@DIRECTIVE.*|\s|;.*)|(?P<q><">|"[^"\n]*"|/)|(?P<d>(NAME)\s*=)|(?P<n>NAME)|(?P<x><[^>\n]*>)`+
		`|(?P<c>\d*\*\d*|\d+)|(?P<s>[|()[\]])`, "NAME", `[A-Za-z][0-9A-Za-z+_-]*`),
	"rfc1630": pattern(`(?P<d>BLANK(NAME)(?:[ \t\r]|(?m:$)))|(?P<x>BLANK[^\s@])|(?P<_>\n@DIRECTIVE.*|\s)|(?P<n>NAME)|(?P<s>[|[\]])|(?P<q>[!-~])`,
		"BLANK", `\n(?:[ \t\r]*\n|@`+directive+`.*\n)+[ \t]*`, "NAME", `[A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]`),
	"peg": pattern(`(?P<_>[\s;]|//[^{\n].*|//\n|//$|/\*(?s:.*?)\*/|NAME\s*:)|(?P<d>(NAME)\s*(?:TEXT)?\s*(?:<-|=|←|⟵))|(?P<n>NAME)`+
		`|(?P<q>(?:TEXT)i?)|(?P<k>\[(?:[^\]\\\n]|\\.)*\]i?|\.)|(?P<r>[?*+])|(?P<l>[&!])|(?P<s>[/()])`,
		"NAME", `[\pL_][\pL\p{Nd}_]*`, "TEXT", "\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`"),
}

const directive = ` (?:grammar|title|notation|section|part|ids|page) `

func pattern(s string, names ...string) *regexp.Regexp {
	return regexp.MustCompile("^(?:" + strings.NewReplacer(append(names, "DIRECTIVE", directive)...).Replace(s) + ")")
}

// A definition is a right-hand side.
type definition struct {
	name   string // "" where it is assumed
	part   int
	adds   bool // to what is defined above
	tokens []token
}

// A reader reads a grammar. An ID is a name that the certificate uses: of a production that is in one part of several, the
// name, or with a prefix as the part demands.
type reader struct {
	*terms
	side, notation, file string
	prefixes             [][]string       // of the parts, with the names that have them: "all" or "shared" ones
	homes                map[string][]int // the parts in which a name is defined
	rules                map[string][]definition
	bodies               map[string]int
	ids                  []string
	tokens               []token
	part, depth          int
	wide                 bool // a value is above 255, and so all of them are characters
}

var (
	notationLine = regexp.MustCompile(`(?m)^@ notation (abnf|rfc822|rfc1630)\s*$`)
	idsLine      = regexp.MustCompile(`(?m)^@ ids (\S+) (all|shared)\s*$`)
	assumeLine   = regexp.MustCompile(`^assume (\S+) = (.*) because .`)
)

// read reads a grammar, and instead of some right-hand sides those that lines of a certificate assume.
func (t *terms) read(side, file, text string, assumed []string) {
	r := &reader{
		terms: t, side: side, notation: side, file: file, homes: map[string][]int{}, rules: map[string][]definition{}, bodies: map[string]int{},
	}
	t.sides[side] = r
	texts, line, list := []string{"\n\n" + strings.TrimPrefix(text, "\ufeff")}, -1, []definition{}
	if side == "bnf" {
		r.notation = append(notationLine.FindStringSubmatch(text), "", "abnf")[1]
		texts = strings.Split(texts[0], "\n@ part ")
	}
	for i, text := range texts {
		r.prefixes = append(r.prefixes, append(idsLine.FindStringSubmatch(text), "", "", ""))
		if i > 0 {
			text = "\n@ part " + text
		}
		for _, k := range r.lex(text, line) {
			n := len(list) - 1
			r.wide = r.wide || k.kind == 'v' && slices.Max(r.numbers(k.text)) > 255
			t.must(k.kind == 'd' || k.kind == 'b' || n >= 0 && list[n].part == i, "expected a rule, found %q", k.text)
			if k.kind == 'd' {
				name := strings.TrimSuffix(k.text, "=/")
				list = append(list, definition{r.fold(name), i, name != k.text, nil})
			} else if n >= 0 {
				list[n].tokens = append(list[n].tokens, k)
			}
		}
		line += strings.Count(text, "\n")
	}
	for _, d := range list {
		if !slices.Contains(r.homes[d.name], d.part) {
			r.homes[d.name] = append(r.homes[d.name], d.part)
		}
	}
	for _, d := range list {
		id := r.id(d.name, d.part)
		r.ids, r.rules[id] = append(r.ids, id), append(r.rules[id], d)
	}
	for i, line := range assumed {
		m := assumeLine.FindStringSubmatch(line)
		t.line = i + 2
		t.must(m != nil, "expected assume NAME = EXPRESSION because REASON")
		id, d := r.fold(m[1]), definition{part: len(texts), tokens: r.lex(m[2], 0)}
		if line = "assumed: " + line[len("assume "):]; r.rules[id] == nil {
			r.homes[id] = []int{d.part}
		} else {
			d.part = r.rules[id][0].part
			t.must(r.rules[id][0].name != "", "there are two assumptions about %s", id)
			line += ", instead of what " + file + " has"
		}
		r.rules[id], t.report = []definition{d}, append(t.report, line)
	}
	r.prefixes = append(r.prefixes, []string{"", "", ""})
}

func (r *reader) fold(name string) string {
	if r.notation == "abnf" || r.notation == "rfc822" {
		return strings.ToLower(name)
	}
	return name
}

// id returns the ID of a name that is used in a part: of what is defined there, or else of what one other part defines.
func (r *reader) id(name string, part int) string {
	homes := r.homes[name]
	if len(homes) == 1 {
		part = homes[0]
	}
	r.must(len(homes) == 0 || slices.Contains(homes, part), "there is more than one %s", name)
	if p := r.prefixes[part]; (p[2] == "all" || len(homes) > 1) && p[1] != name+"_" {
		return p[1] + name
	}
	return name
}

// lex takes a text apart.
func (r *reader) lex(text string, line int) (list []token) {
	pattern := notations[r.notation]
	names := append(pattern.SubexpNames(), "end")
	for text != "" {
		m := append(pattern.FindStringSubmatch(text), text[:1])
		t := token{'x', m[0], line}
		for i, name := range names[:len(m)-1] {
			if name != "" && m[i] != "" {
				if t.kind = name[0]; t.kind == 's' {
					t.kind = m[0][0]
				} else if names[i+1] == "" { // the name in it
					t.text = m[i+1] + strings.Repeat("=/", strings.Count(m[0], "=/"))
				}
			}
		}
		if n := block(text); n > 0 && r.notation == "peg" {
			t, m[0] = token{'b', text[:n], line}, text[:n]
		}
		if t.kind != '_' {
			list = append(list, t)
		}
		line += strings.Count(m[0], "\n")
		text = text[len(m[0]):]
	}
	for i, t := range list { // in RFC 1630, a bracket by itself is a character
		alone := r.notation == "rfc1630" && (i == 0 || strings.IndexByte("|d", list[i-1].kind) >= 0) &&
			(i+1 == len(list) || strings.IndexByte("|d", list[i+1].kind) >= 0)
		if alone && (t.kind == '[' || t.kind == ']') {
			list[i].kind = 'q'
		}
	}
	return list
}

// body returns the term of a rule.
func (r *reader) body(id string) int {
	if x, ok := r.bodies[id]; ok {
		return x
	}
	r.must(r.rules[id] != nil, "not covered: %s is not defined", id)
	x, outer := r.mk(term{kind: "rule", side: r.side, name: id}), *r
	r.bodies[id] = x // while it is read
	for i, d := range r.rules[id] {
		r.tokens, r.part = d.tokens, d.part
		y := r.alternatives()
		r.must(r.kind() == 0, "unexpected %q", r.next().text)
		if i > 0 && d.adds {
			y = r.alt(x, y)
		}
		r.must(i == 0 && !d.adds || i > 0 && (d.adds || x == y), "%s is defined twice, or added to nothing", id)
		x = y
	}
	r.tokens, r.part = outer.tokens, outer.part
	r.bodies[id] = x
	return x
}

// kind returns that of the next token, 0 at the end.
func (r *reader) kind() byte {
	if len(r.tokens) == 0 {
		return 0
	}
	r.terms.file, r.terms.line = r.file, r.tokens[0].line
	if k := r.tokens[0].kind; k != '/' {
		return k
	}
	return '|'
}

func (r *reader) next() (t token) {
	if len(r.tokens) > 0 {
		t, r.tokens = r.tokens[0], r.tokens[1:]
	}
	return t
}

func (r *reader) alternatives() int {
	all := []int{r.sequence()}
	for ; r.kind() == '|'; all = append(all, r.sequence()) {
		r.next()
	}
	return nest(r.alt, all)
}

func (r *reader) sequence() int {
	var all []int
	for strings.IndexByte("\x00|)]", r.kind()) < 0 {
		if r.kind() == 'b' {
			r.next()
		} else {
			all = append(all, r.element(false))
		}
	}
	r.must(len(all) > 0 || r.notation == "rfc1630", "expected an element")
	return nest(r.seq, append(all, empty))
}

// element reads an element, which a count may be before.
func (r *reader) element(counted bool) (x int) {
	r.depth++
	r.must(r.depth < 2000 && r.kind() > 0, "expected an element, or nested too deeply")
	defer func() { r.depth-- }()
	kind, text := r.kind(), r.next().text
	switch kind {
	case 'l':
		if x = r.element(false); x == r.class(".") { // some character is there: some byte is
			x = r.bytes(0, 255)
		}
		x = r.mk(term{kind: "not", a: x})
		if text == "&" {
			x = r.mk(term{kind: "not", a: x})
		}
		return x
	case 'c':
		r.must(!counted, "there are two counts")
		return r.counted(r.element(true), text)
	case 'q':
		if x = empty; r.notation == "peg" {
			x = r.literal(text)
		} else {
			x = r.text(text)
		}
	case 'v':
		x = r.value(text)
	case 'k':
		x = r.class(text)
	case 'n':
		x = r.reference(text)
	case '(', '[':
		x = r.alternatives()
		r.must(r.next().kind == map[byte]byte{'(': ')', '[': ']'}[kind], "%s does not end", text)
		if kind == '[' && !(counted && r.notation == "rfc822") { // behind a count it only groups
			x = r.alt(x, empty)
		}
	default:
		r.must(false, "unexpected or not covered: %q", text)
	}
	if r.kind() == 'r' {
		sign := r.next().text
		x = r.repeat(x, map[string]int{"+": 1}[sign], map[string]int{"?": 1, "*": -1, "+": -1}[sign])
	}
	return x
}

// counted reads 3, 1*, *4, 1*4 and *.
func (r *reader) counted(x int, count string) int {
	low, high, star := strings.Cut(count, "*")
	least, err1 := strconv.ParseUint("0"+low, 10, 13)
	most, err2 := strconv.ParseUint("0"+high, 10, 13)
	r.must(err1 == nil && err2 == nil && (most >= least || high == ""), "not covered: the count %s", count)
	if !star {
		most = least
	}
	return r.repeat(x, int(least), map[bool]int{true: -1, false: int(most)}[star && high == ""])
}

// reference returns the term for a name: a byte where its rule is one.
func (r *reader) reference(name string) int {
	if c := map[string]string{"space": " ", "vline": "|"}[name]; c != "" && r.notation == "rfc1630" {
		return r.bytes(int(c[0]), int(c[0]))
	}
	id := r.id(r.fold(name), r.part)
	if x := r.body(id); r.all[x].kind == "bytes" {
		return x
	}
	return r.mk(term{kind: "rule", side: r.side, name: id})
}

// value reads %x41, %x41-5A and %x41.42.
func (r *reader) value(text string) int {
	all, terms := r.numbers(text), []int{}
	r.must(slices.Max(all) < 128 || !r.wide, "not covered: the value %s of a character", text)
	if strings.Contains(text, "-") {
		r.must(len(all) == 2 && all[0] <= all[1], "the values %s", text)
		return r.bytes(all[0], all[1])
	}
	for _, n := range all {
		terms = append(terms, r.bytes(n, n))
	}
	return nest(r.seq, append(terms, empty))
}

// numbers returns those in a value.
func (r *reader) numbers(text string) (list []int) {
	for s := range strings.SplitSeq(strings.ReplaceAll(text[2:], "-", "."), ".") {
		n, err := strconv.ParseUint(s, map[byte]int{'b': 2, 'd': 10, 'x': 16}[text[1]|0x20], 31)
		r.must(err == nil, "the value %s", text)
		list = append(list, int(n))
	}
	return list
}

// text reads a text of a BNF: in ABNF in either case unless %s is before it.
func (r *reader) text(text string) int {
	var list []int
	fold := r.notation == "abnf" && !strings.EqualFold(text[:min(2, len(text))], "%s")
	if text = strings.ReplaceAll(text, `<">`, `"""`); len(text) > 1 {
		text = text[strings.Index(text, `"`)+1 : len(text)-1]
	}
	for _, c := range []byte(text) {
		x := r.bytes(int(c), int(c))
		if lower := c | 0x20; fold && 'a' <= lower && lower <= 'z' {
			x = r.alt(x, r.bytes(int(c^0x20), int(c^0x20)))
		}
		list = append(list, x)
	}
	return nest(r.seq, append(list, empty))
}
