package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The languages of a certificate are the states of one automaton. The first three are these.
const (
	noWord = iota
	everyWord
	emptyWord
)

// A state says whether the empty word is in its language, and where each class or column of bytes leads.
type state struct {
	accepts bool
	to      []int
	is      int // of a table: the language
}

// A fact is what a line has the result of: the union of languages a and b, a minus b, or the term a of a side before b.
type fact struct {
	name string
	a, b int
}

type checker struct {
	*terms
	class, column [256]int // of each byte, counted from 1
	languages     []state
	rows          map[int]state // of the table
	is            map[fact]int
	empties       map[int]*bool       // see canBeEmpty
	stated        map[string][]string // the words of lines about a production, or about it and the table
	about         []string            // the productions of which more is stated than that they are open
}

// assumptions are what every certificate rests on.
const assumptions = `assumed: the input ends where the rule does; pigeon v1.3 accepts the PEG
assumed: pigeon is run without -optimize-grammar and -support-left-recursion, and, where a class ignores case, without
  -optimize-basic-latin; its parser is told AllowInvalidUTF8(true), and not MaxExpressions
assumed: Go code in the PEG returns no error, does not panic, and leaves the parser, its input and what it imports alone
assumed: case and classes of characters are those of Unicode ` + unicode.Version + `
assumed: a value above 127 in the grammar is one byte of the input
assumed: in the notation of RFC 1738 a literal matches as printed, brackets behind a count only group, and a slash is the literal`

// A request is for the equality of some productions, or of all, with the rules of their names, or those that a map has instead; or
// alone, with no PEG, with what the table accepts. Where open is set, a certificate may leave a production open, or out.
type request struct {
	productions []string
	rules       map[string]string
	open, alone bool
}

// check checks a certificate against a grammar and a PEG, and returns what it states. The error is a line that is wrong, or that
// the certificate is about less than was asked for.
func check(files, texts [3]string, ask request) (report string, err error) {
	c := &checker{
		terms: &terms{all: []term{{kind: "empty"}}, index: map[term]int{{kind: "empty"}: empty}, sides: map[string]*reader{}},
		rows:  map[int]state{}, is: map[fact]int{}, empties: map[int]*bool{}, stated: map[string][]string{},
		languages: []state{noWord: {to: make([]int, 256)}, everyWord: {true, slices.Repeat([]int{everyWord}, 256), 0}, emptyWord: {true, make([]int, 256), 0}},
	}
	defer func() {
		if r := recover(); r != nil { // [terms.must], or a number of something that does not exist
			report, err = "", fmt.Errorf("%s: %v", c.place, r)
		}
	}()
	at := func(i int) { c.place = fmt.Sprintf("%s:%d", files[2], i+1) }
	at(0)
	lines := strings.Split(texts[2], "\n")
	n := len(lines) - 2
	c.must(n > 0 && lines[0] == "bnfcheck certificate 2" && lines[n] == fmt.Sprintf("end %d", n) && lines[n+1] == "",
		`it does not begin with "bnfcheck certificate 2" and end with "end" and the number of lines above`)
	assumed := 1 + slices.IndexFunc(lines[1:], func(line string) bool { return !strings.HasPrefix(line, "assume ") })
	c.read("bnf", files[0], texts[0], files[2], lines[1:assumed])
	c.read("peg", files[1], texts[1], files[2], nil)
	checks := make([]func(), n)
	for i := assumed; i < n; i++ {
		at(i)
		words := strings.Split(lines[i], " ")
		c.must((len(words) > 2 || words[0] == "table") && !slices.Contains(words, ""), "expected three words or more, with one blank between")
		checks[i] = c.readLine(words)
	}
	c.must(!slices.Contains(c.class[:], 0), "a byte is in no class")
	c.must(len(c.rows) == 0 || !slices.Contains(c.column[:], 0), "a byte is in no column")
	for i := assumed; i < n; i++ {
		at(i)
		checks[i]()
	}
	return c.answer(ask)
}

// answer checks what is stated, which is true by now, against what is asked for.
func (c *checker) answer(ask request) (string, error) {
	bnf, rules, ids, equal, open, tabled := c.sides["bnf"], c.pairs(), []string{}, 0, 0, 0
	say := func(format string, args ...any) { c.report = append(c.report, fmt.Sprintf(format, args...)) }
	for _, production := range slices.Sorted(maps.Keys(ask.rules)) {
		rules[bnf.known(production)] = ask.rules[production]
		say("mapped: %s to %s", production, ask.rules[production])
	}
	for _, production := range ask.productions {
		ids = append(ids, bnf.known(production))
	}
	if len(ids) == 0 {
		ids = slices.Compact(slices.Sorted(slices.Values(slices.Concat(bnf.ids, c.about))))
	}
	for _, id := range ids {
		line, table := c.stated[id], c.stated["table "+id] != nil
		tabled += map[bool]int{true: 1}[table]
		switch kind := append(line, "open")[0]; {
		case ask.alone && table, kind == "equal" && line[2] == rules[id]:
			equal++
		case kind == "equal":
			say("another rule: %s equals %s, and the one of its name is %q", id, line[2], rules[id])
		case kind == "differ":
			say("differs: %s, on the bytes %s", id, line[3])
		default:
			say("not covered: %s, %q", id, strings.Join(line[min(3, len(line)):], " "))
			open++
		}
	}
	if tabled > 0 {
		say("table: what is on the lines of rows accepts exactly what %d of %d productions derive", tabled, len(ids))
	}
	say("%s", assumptions)
	what := map[bool]string{false: "equal the rules of their names", true: "are what the table accepts"}[ask.alone]
	text := fmt.Sprintf(": %d of %d productions %s", equal, len(ids), what)
	report := text + "\n" + strings.Join(c.report, "\n") + "\n"
	if equal == 0 || equal < len(ids) && (equal+open < len(ids) || !ask.open) {
		return "every line is right" + report, fmt.Errorf("not verified%s", text)
	}
	return "verified" + report, nil
}

// pairs returns the rule of each production: the only one that is called as it is, with the signs that identifiers have and then
// with none, in either case, where no other production is called so.
func (c *checker) pairs() map[string]string {
	pairs := map[string]string{}
	for _, signs := range []*strings.Replacer{strings.NewReplacer("-", "", "_", "", "+", "plus"), strings.NewReplacer("-", "_", "+", "plus")} {
		names := map[string][]string{}
		for _, side := range []string{"bnf", "peg"} {
			for name := range c.sides[side].rules {
				alike := lower(signs.Replace(name))
				names[alike] = append(names[alike], side, name)
			}
		}
		for _, list := range names {
			if len(list) == 4 && list[0] != list[2] {
				pairs[list[1]] = list[3]
			}
		}
	}
	return pairs
}

// readLine reads a line, which consists of words. It returns how the line is checked when all are read.
func (c *checker) readLine(words []string) func() {
	switch kind := words[0]; kind {
	case "class", "column":
		of, s := map[string]*[256]int{"class": &c.class, "column": &c.column}[kind], c.set(words[2])
		n := slices.Max(of[:])
		c.must(len(words) == 3 && words[1] == strconv.Itoa(n), "expected %s %d and bytes", kind, n)
		c.must(s != (set{}), "a class has no byte") // so that there are 256 at most
		for b := range of {
			if s.has(b) {
				c.must(of[b] == 0, "the byte %02x is in two classes", b)
				of[b] = n + 1
			}
		}
	case "term":
		t, x := term{kind: words[2]}, len(c.all) // all terms are from such lines, until a grammar is read
		n := map[string]int{"bytes": 4, "star": 4, "not": 4, "rule": 5, "seq": 5, "alt": 5}[t.kind]
		c.must(len(words) == n && words[1] == strconv.Itoa(x), "expected term %d, of a kind that there is", x)
		switch t.kind {
		case "bytes":
			t.set = c.set(words[3])
		case "rule":
			t.side, t.name = words[3], words[4]
			c.must(c.sides[t.side] != nil, "unexpected %q", t.side)
		case "seq", "alt":
			t.b = c.number(words[4], 10)
			fallthrough
		default:
			t.a = c.number(words[3], 10)
		}
		c.must(max(t.a, t.b) < x && c.mk(t) == x, "this is a term above, or of one that is not")
	case "language":
		c.must(words[1] == strconv.Itoa(len(c.languages)), "expected language %d", len(c.languages))
		c.languages = append(c.languages, c.state(words[2], words[3:], slices.Max(c.class[:])))
	case "row":
		c.must(len(words) > 4 && words[3] == "is", "expected row N + is L")
		q, r := c.number(words[1], 10), c.state(words[2], words[5:], slices.Max(c.column[:]))
		c.must(q > 0 && c.rows[q].to == nil, "this is state 0, or stated twice")
		r.is = c.number(words[4], 10)
		c.rows[q] = r
		return func() { // it accepts where its language has the empty word, and a byte leads to the state of what that leads to
			c.must(r.accepts == c.languages[r.is].accepts, "state %d is wrong about the empty word", q)
			for b := range 256 {
				to, want := r.to[c.column[b]-1], c.languages[r.is].to[c.class[b]-1]
				dead := to == 0 && want == noWord
				c.must(dead || c.rows[to].to != nil && c.rows[to].is == want, "state %d leads to %d on the byte %02x", q, to, b)
			}
		}
	case "union", "minus":
		c.must(len(words) == 5 && words[3] == "is", "expected %s A B is C", kind)
		return c.add(fact{kind, c.number(words[1], 10), c.number(words[2], 10)}, c.number(words[4], 10), c.checkOperation)
	case "bnf", "peg":
		c.must(len(words) == 6 && words[2] == "before" && words[4] == "is" && c.number(words[1], 10) < len(c.all), "expected %s T before L is M, of a term above", kind)
		return c.add(fact{kind, c.number(words[1], 10), c.number(words[3], 10)}, c.number(words[5], 10), c.checkTerm)
	case "equal", "differ", "open", "table":
		return func() { c.check(words) }
	default:
		c.must(false, "unexpected %q", kind)
	}
	return func() {}
}

func (c *checker) add(f fact, is int, check func(fact)) func() {
	_, ok := c.is[f]
	c.must(!ok && max(f.b, is) < len(c.languages), "this is stated twice, or about a language that there is not")
	c.is[f] = is
	return func() { check(f) }
}

// state reads whether a state accepts, and where classes lead: "12-14:5".
func (c *checker) state(sign string, steps []string, classes int) state {
	l := state{accepts: sign == "+", to: make([]int, classes)}
	c.must(l.accepts || sign == "-", "expected + or -")
	next := 0
	for _, step := range steps {
		classes, to, _ := strings.Cut(step, ":")
		low, high := c.ends(classes, 10)
		c.must(next <= low && low <= high && high < len(l.to), "the classes %s are not in order, or not there", classes)
		for next = low; next <= high; next++ {
			l.to[next] = c.number(to, 10)
		}
	}
	return l
}

// set reads a set: "2d,30-39", or "none".
func (c *checker) set(text string) (s set) {
	if text == "none" {
		return s
	}
	for part := range strings.SplitSeq(text, ",") {
		low, high := c.ends(part, 16)
		c.must(low <= high && high < 256, "unexpected bytes %q", part)
		s.add(low, high)
	}
	return s
}

// ends reads the ends of a range, or the one that both are.
func (c *checker) ends(text string, base int) (low, high int) {
	ends := strings.SplitN(text, "-", 2)
	return c.number(ends[0], base), c.number(ends[len(ends)-1], base)
}

func (c *checker) number(word string, base int) int {
	n, err := strconv.ParseUint(word, base, 31)
	c.must(err == nil && word == lower(word), "expected a number, found %q", word)
	return int(n)
}

// check checks by the facts what a line states of a production.
func (c *checker) check(words []string) {
	kind, id := words[0], words[1]
	key := map[bool]string{true: "table "}[kind == "table"] + id
	c.must(c.sides["bnf"].rules[id] != nil, "there is no production %q", id)
	c.must(c.stated[key] == nil, "this is the second statement about %s", key)
	if c.stated[key] = words; kind == "open" {
		return
	}
	c.about = append(c.about, id)
	language := func(side, name string) int {
		return c.of(side, c.mk(term{kind: "rule", side: side, name: name}), emptyWord)
	}
	switch b := language("bnf", id); kind {
	case "table": // the languages of the states that it begins in make that of the production
		l := noWord
		for _, q := range words[2:] {
			r := c.rows[c.number(q, 10)]
			c.must(r.to != nil, "there is no state %s", q)
			l = c.operate("union", l, r.is)
		}
		c.must(l == b, "the table has language %d, and the production is %d", l, b)
	case "equal":
		p := language("peg", words[2])
		c.must(len(words) == 4 && b == p && c.number(words[3], 10) == b, "the production is language %d and the rule language %d", b, p)
	case "differ":
		c.must(len(words) == 8 && words[4] == "bnf" && words[6] == "peg", "unexpected form of a line")
		first, second := c.follow(b, words[3]), c.follow(language("peg", words[2]), words[3])
		c.must(words[5] == first[1:] && words[7] == second[1:] && first[0] != second[0], "the word leads through %s and %s", first, second)
	}
}

// follow returns the languages that a word leads through from one of them, after + if the last has the empty word, or -.
func (c *checker) follow(l int, word string) string {
	c.must(len(word)%2 == 0 || strings.HasSuffix(word, "-"), "the word is not in hexadecimal digits")
	way := strconv.Itoa(l)
	for rest := strings.TrimSuffix(word, "-"); rest != ""; rest = rest[2:] {
		l = c.languages[l].to[c.class[c.number(rest[:2], 16)]-1]
		way += "-" + strconv.Itoa(l)
	}
	return map[bool]string{false: "-", true: "+"}[c.languages[l].accepts] + way
}

// of returns what a line states of two languages, or what a term of a side before a language is.
func (c *checker) of(name string, a, b int) int {
	if a == empty { // no line is about this term; and what language 0 makes is plain
		return b
	}
	is, ok := c.is[fact{name, a, b}]
	c.must(ok, "this needs a line about %s %d %d", name, a, b)
	return is
}

// operate returns the union of a and b or a minus b, which is plain, or stated on a line.
func (c *checker) operate(name string, a, b int) int {
	switch minus := name == "minus"; {
	case minus && (a == b || b == everyWord):
		return noWord
	case a == b, b == noWord, minus && a == noWord, !minus && a == everyWord:
		return a
	case !minus && (a == noWord || b == everyWord):
		return b
	}
	return c.of(name, a, b)
}

// checkOperation checks a line about two languages: whether the empty word is in the result, and on each class the lines about
// what the two lead to. So by induction on a word's length the line is right about it.
func (c *checker) checkOperation(f fact) {
	a, b, is := c.languages[f.a].accepts, c.languages[f.b].accepts, c.is[f]
	c.must(c.languages[is].accepts == (a && !b || f.name == "union" && b), "language %d is wrong about the empty word", is)
	for x := range slices.Max(c.class[:]) {
		want, to := c.operate(f.name, c.languages[f.a].to[x], c.languages[f.b].to[x]), c.languages[is].to[x]
		c.must(to == want, "language %d leads to %d on class %d, and not to %d", is, to, x, want)
	}
}

// checkTerm checks a line about a term by the lines about its parts. What a term comes back to has read something before, or is
// a smaller term; so by induction on a word's length and the term the line is right about it.
func (c *checker) checkTerm(f fact) {
	t, before, is := c.all[f.a], f.b, c.is[f]
	of := func(x, before int) int { return c.of(f.name, x, before) }
	fails := func(l int) int { // the words of l on which t.a fails; in a BNF nothing hides another alternative
		if f.name == "bnf" {
			return l
		}
		return c.operate("minus", l, of(t.a, everyWord))
	}
	want := is
	c.must(f.a != empty, "the empty word needs no line")
	c.canBeEmpty(f.a)
	switch t.kind {
	case "bytes":
		c.must(!c.languages[is].accepts, "language %d has the empty word", is)
		for b, class := range c.class {
			to := c.languages[is].to[class-1]
			c.must(t.set.has(b) && to == before || !t.set.has(b) && to == noWord, "language %d is wrong about the byte %02x", is, b)
		}
	case "seq":
		want = of(t.a, of(t.b, before))
	case "alt":
		want = c.operate("union", of(t.a, before), fails(of(t.b, before)))
	case "star":
		c.must(!c.canBeEmpty(t.a), "not covered: a repetition of what can match the empty word")
		want = c.operate("union", of(t.a, is), fails(before))
	case "not":
		c.must(f.name == "peg", "not covered: a lookahead in a BNF")
		want = fails(before)
	case "rule":
		c.must(t.side == f.name, "the rule is of the other grammar")
		want = of(c.sides[t.side].body(t.name), before)
	}
	c.must(want == is, "the parts make language %d, and not %d", want, is)
}

// canBeEmpty reports whether a term can match the empty word; where that depends on the input, it can. It looks at all that the
// term can use before it has read anything, and fails where that is the term itself.
func (c *checker) canBeEmpty(x int) (can bool) {
	t := c.all[x]
	if known, ok := c.empties[x]; ok {
		c.must(known != nil, "not covered: %s can use itself before it has read anything", t.name)
		return *known
	}
	c.empties[x] = nil // while its parts are looked at
	switch can = t.kind != "bytes"; t.kind {
	case "seq":
		can = c.canBeEmpty(t.a) && c.canBeEmpty(t.b)
	case "alt":
		a, b := c.canBeEmpty(t.a), c.canBeEmpty(t.b)
		can = a || b
	case "star", "not":
		c.canBeEmpty(t.a)
	case "rule":
		can = c.canBeEmpty(c.sides[t.side].body(t.name))
	}
	c.empties[x] = &can
	return can
}
