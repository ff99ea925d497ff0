package main

import (
	"encoding/hex"
	"errors"
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

// A state says whether the empty word is in its language, and where each class or column of bytes leads. The first three languages
// need no list. The state of a table has a language.
type state struct {
	accepts  bool
	to       []int
	is, line int // of a table: the language, and where that stands
}

// A fact is what a line has the result of: the union of languages a and b, a minus b, or the term a of a side before b.
type fact struct {
	name string
	a, b int
}

// A parted is the bytes in numbered classes, or in the columns of a table. That of each byte is counted from 1.
type parted struct {
	of [256]int
	n  int
}

type checker struct {
	*terms
	class      parted
	column     parted // of the table
	rows       map[int]state
	tabled     map[string]bool
	numbered   []int // the terms that have a number in the certificate
	languages  []state
	is         map[fact]int
	facts      []fact
	lines      []int               // of the facts
	states     map[int]int         // see canBeEmpty
	statements [][]string          // the words of lines
	stated     map[string][]string // those about a production
}

// assumptions are what every certificate rests on.
const assumptions = `assumed: the input ends where the rule does; pigeon v1.3 accepts the PEG
assumed: pigeon is run without -optimize-grammar and -support-left-recursion, and, where a class ignores case, without
  -optimize-basic-latin; its parser is told AllowInvalidUTF8(true), and not MaxExpressions
assumed: Go code in the PEG returns no error, does not panic, and leaves the parser, its input and what it imports alone
assumed: case and classes of characters are those of Unicode ` + unicode.Version + `
assumed: a value above 127 in the grammar is one byte of the input
assumed: in the notation of RFC 1738 a literal matches as printed, brackets behind a count only group, and a slash is the literal`

// A request is for the equality of some productions, or of all, with the rules of their names, or those that a map has instead.
// Where open is set, a certificate may leave a production open, or out.
type request struct {
	productions []string
	rules       map[string]string
	open        bool
	alone       bool // there is no PEG, and each production is to be what the table accepts
}

// check checks a certificate against a grammar and a PEG, and returns what it states. The error is a line that is wrong, or that
// the certificate is about less than was asked for.
func check(files, texts [3]string, ask request) (report string, err error) {
	c := &checker{
		terms: &terms{index: map[term]int{}, sides: map[string]*reader{}}, is: map[fact]int{}, states: map[int]int{},
		stated: map[string][]string{}, rows: map[int]state{}, tabled: map[string]bool{}, languages: []state{noWord: {}, everyWord: {accepts: true}, emptyWord: {accepts: true}},
	}
	defer func() {
		if r := recover(); r != nil { // [terms.must], or a number of something that does not exist
			report, err = "", fmt.Errorf("%s:%d: %v", c.file, c.line, r)
		}
	}()
	c.numbered = []int{c.mk(term{kind: "empty"})}
	c.file, c.line = files[2], 1
	lines := strings.Split(texts[2], "\n")
	n := len(lines) - 2
	c.must(n > 0 && lines[0] == "bnfcheck certificate 2" && lines[n] == fmt.Sprintf("end %d", n) && lines[n+1] == "",
		`it does not begin with "bnfcheck certificate 2" and end with "end" and the number of lines above`)
	assumed := 1
	for strings.HasPrefix(lines[assumed], "assume ") {
		assumed++
	}
	c.read("bnf", files[0], texts[0], lines[1:assumed])
	c.read("peg", files[1], texts[1], nil)
	for i, line := range lines[assumed:n] {
		c.file, c.line = files[2], assumed+i+1
		words := strings.Fields(line)
		c.must((len(words) > 2 || words[0] == "table") && strings.Join(words, " ") == line, "expected three words or more, with one blank between")
		c.readLine(line, words)
	}
	c.must(!slices.Contains(c.class.of[:], 0), "a byte is in no class")
	c.must(len(c.rows) == 0 || !slices.Contains(c.column.of[:], 0), "a byte is in no column")
	for i, f := range c.facts {
		if c.file, c.line = files[2], c.lines[i]; c.sides[f.name] != nil {
			c.checkTerm(f, c.all[f.a])
		} else {
			c.checkOperation(f)
		}
	}
	for q, r := range c.rows {
		c.line = r.line
		c.checkRow(q, r)
	}
	for i, words := range c.statements {
		c.line = n - len(c.statements) + i + 1
		if words[0] == "table" {
			c.checkTable(words)
		} else {
			c.check(words)
		}
	}
	return c.answer(ask)
}

// answer holds what is stated, which is true by now, against what is asked for.
func (c *checker) answer(ask request) (string, error) {
	bnf, rules, ids, equal, tabled, less := c.sides["bnf"], c.pairs(), []string{}, 0, 0, false
	for _, production := range slices.Sorted(maps.Keys(ask.rules)) {
		rules[bnf.fold(production)] = ask.rules[production]
		c.say("mapped: %s to %s", production, ask.rules[production])
	}
	for _, production := range ask.productions {
		ids = append(ids, bnf.fold(production))
	}
	what := "equal the rules of their names"
	if ask.alone {
		what = "are what the table accepts"
	}
	if len(ids) == 0 {
		ids = slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.AppendSeq(slices.Clone(bnf.ids), maps.Keys(c.stated)), maps.Keys(c.tabled)))))
	}
	for _, id := range ids {
		if c.tabled[id] {
			tabled++
		}
		switch line := c.stated[id]; {
		case ask.alone && c.tabled[id]:
			equal++
			continue
		case line == nil || line[0] == "open":
			c.say("not covered: %s, %q", id, strings.Join(line[min(3, len(line)):], " "))
			less = less || !ask.open
			continue
		case line[0] == "differ":
			c.say("differs: %s, on the bytes %s", id, line[3])
		case line[2] != rules[id]:
			c.say("another rule: %s equals %s, and the one of its name is %q", id, line[2], rules[id])
		default:
			equal++
			continue
		}
		less = true
	}
	if len(c.tabled) > 0 {
		c.say("table: what is on the lines of rows accepts exactly what %d of %d productions derive", tabled, len(ids))
	}
	c.say("%s", assumptions)
	text := fmt.Sprintf(": %d of %d productions %s", equal, len(ids), what)
	report := text + "\n" + strings.Join(c.report, "\n") + "\n"
	if less || equal == 0 {
		return "every line is right" + report, errors.New("not verified" + text)
	}
	return "verified" + report, nil
}

func (c *checker) say(format string, args ...any) {
	c.report = append(c.report, fmt.Sprintf(format, args...))
}

// pairs returns the rule of each production: the only one that is called as it is, with the signs that identifiers have and then
// with none, in either case, where no other production is called so.
func (c *checker) pairs() map[string]string {
	pairs := map[string]string{}
	for _, signs := range []*strings.Replacer{strings.NewReplacer("-", "", "_", "", "+", "plus"), strings.NewReplacer("-", "_", "+", "plus")} {
		names := map[string][]string{}
		for _, side := range []string{"bnf", "peg"} {
			for name := range c.sides[side].rules {
				alike := strings.ToLower(signs.Replace(name))
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

// scan reads words in a format.
func (c *checker) scan(words, format string, to ...any) {
	_, err := fmt.Sscanf(words+" .", format+" .", to...)
	c.must(err == nil, "expected %s", format)
}

// readLine reads a line, which consists of words.
func (c *checker) readLine(line string, words []string) {
	var a, b, is uint32
	var text string
	switch words[0] {
	case "class", "column":
		c.part(map[string]*parted{"class": &c.class, "column": &c.column}[words[0]], line, words)
	case "term":
		t, place := term{kind: words[2]}, fmt.Sprintf("term %d %s ", len(c.numbered), words[2])
		switch t.kind {
		case "bytes":
			c.scan(line, place+"%s", &text)
			t.set = c.set(text)
		case "rule":
			c.scan(line, place+"%s %s", &t.side, &t.name)
			c.must(c.sides[t.side] != nil, "unexpected %q", t.side)
			t.name = c.sides[t.side].fold(t.name)
		case "seq", "alt":
			c.scan(line, place+"%d %d", &a, &b)
			t.a, t.b = c.numbered[a], c.numbered[b]
		default:
			c.must(t.kind == "star" || t.kind == "not", "unexpected %q", t.kind)
			c.scan(line, place+"%d", &a)
			t.a = c.numbered[a]
		}
		c.numbered = append(c.numbered, c.mk(t))
	case "language":
		c.must(words[1] == strconv.Itoa(len(c.languages)), "expected language %d", len(c.languages))
		c.languages = append(c.languages, c.state(words[2], words[3:], c.class.n))
	case "row":
		c.must(len(words) > 4 && words[3] == "is", "expected row N + is L")
		q, r := c.number(words[1]), c.state(words[2], words[5:], c.column.n)
		c.must(q > 0 && c.rows[q].line == 0, "this is state 0, or stated twice")
		r.is, r.line = c.number(words[4]), c.line
		c.rows[q] = r
	case "union", "minus":
		c.scan(line, words[0]+" %d %d is %d", &a, &b, &is)
		c.add(fact{words[0], int(a), int(b)}, int(is))
	case "bnf", "peg":
		c.scan(line, words[0]+" %d before %d is %d", &a, &b, &is)
		c.add(fact{words[0], c.numbered[a], int(b)}, int(is))
	default:
		c.must(slices.Contains([]string{"table", "equal", "differ", "open"}, words[0]), "unexpected %q", words[0])
		c.statements = append(c.statements, words)
	}
}

// part reads a line about a class or a column.
func (c *checker) part(p *parted, line string, words []string) {
	var text string
	c.scan(line, fmt.Sprintf("%s %d %%s", words[0], p.n), &text)
	p.n++
	s := c.set(text)
	c.must(s != (set{}), "a class has no byte") // so that there are 256 at most
	for b := range 256 {
		if s.has(b) {
			c.must(p.of[b] == 0, "the byte %02x is in two classes", b)
			p.of[b] = p.n
		}
	}
}

// state reads whether a state accepts, and where classes lead: "12-14:5".
func (c *checker) state(sign string, steps []string, classes int) state {
	l := state{accepts: sign == "+", to: make([]int, classes)}
	c.must(l.accepts || sign == "-", "expected + or -")
	next := 0
	for _, step := range steps {
		classes, to, _ := strings.Cut(step, ":")
		first, last, ok := strings.Cut(classes, "-")
		if !ok {
			last = first
		}
		low, high := c.number(first), c.number(last)
		c.must(next <= low && low <= high && high < len(l.to), "the classes %s are not in order, or not there", classes)
		for next = low; next <= high; next++ {
			l.to[next] = c.number(to)
		}
	}
	return l
}

func (c *checker) number(word string) int {
	n, err := strconv.ParseUint(word, 10, 31)
	c.must(err == nil, "expected a number, found %q", word)
	return int(n)
}

// set reads a set: "2d,30-39", or "none".
func (c *checker) set(text string) (s set) {
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "none"), ",") {
		if text != "none" {
			bytes, err := hex.DecodeString(strings.Replace(part, "-", "", 1))
			c.must(err == nil && (len(part) == 2 || len(part) == 5 && part[2] == '-' && bytes[0] < bytes[1]), "unexpected bytes %q", part)
			s.add(int(bytes[0]), int(bytes[len(bytes)-1]))
		}
	}
	return s
}

func (c *checker) add(f fact, is int) {
	_, ok := c.is[f]
	c.must(!ok && max(f.b, is) < len(c.languages), "this is stated twice, or about a language that there is not")
	c.is[f], c.facts, c.lines = is, append(c.facts, f), append(c.lines, c.line)
}

// check checks by the facts what a line states of a production and its rule.
func (c *checker) check(words []string) {
	id := c.sides["bnf"].fold(words[1])
	c.must(c.sides["bnf"].rules[id] != nil, "there is no production %q", words[1])
	c.must(c.stated[id] == nil, "this is the second statement about %s", words[1])
	c.stated[id] = words
	if words[0] == "open" {
		return
	}
	b := c.result(fact{"bnf", c.mk(term{kind: "rule", side: "bnf", name: id}), emptyWord})
	p := c.result(fact{"peg", c.mk(term{kind: "rule", side: "peg", name: words[2]}), emptyWord})
	if words[0] == "equal" {
		c.must(len(words) == 4 && b == p && c.number(words[3]) == b, "the production is language %d and the rule language %d", b, p)
		return
	}
	c.must(len(words) == 8 && words[4] == "bnf" && words[6] == "peg", "unexpected form of a line")
	first, second := c.follow(b, words[3]), c.follow(p, words[3])
	c.must(words[5] == first[1:] && words[7] == second[1:] && first[0] != second[0], "the word leads through %s and %s", first, second)
}

// follow returns the languages that a word leads through from one of them, after + if the last has the empty word, or -.
func (c *checker) follow(l int, word string) string {
	bytes, err := hex.DecodeString(strings.TrimPrefix(word, "-"))
	c.must(err == nil, "the word is not in hexadecimal digits")
	way := strconv.Itoa(l)
	for _, b := range bytes {
		l = c.to(l, c.class.of[b]-1)
		way += "-" + strconv.Itoa(l)
	}
	return map[bool]string{false: "-", true: "+"}[c.languages[l].accepts] + way
}

// to returns where a language leads on a class of bytes.
func (c *checker) to(l, class int) int {
	if l <= emptyWord { // the first two lead to themselves
		return l % emptyWord
	}
	return c.languages[l].to[class]
}

func (c *checker) result(f fact) int {
	is, ok := c.is[f]
	c.must(ok, "this needs a line about %s %d %d", f.name, f.a, f.b)
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
	return c.result(fact{name, a, b})
}

// checkOperation checks a line about two languages: whether the empty word is in the result, and on each class the lines about
// what the two lead to. So by induction on a word's length the line is right about it.
func (c *checker) checkOperation(f fact) {
	a, b, is := c.languages[f.a].accepts, c.languages[f.b].accepts, c.is[f]
	c.must(c.languages[is].accepts == (a && !b || f.name == "union" && b), "language %d is wrong about the empty word", is)
	for x := range c.class.n {
		want, to := c.operate(f.name, c.to(f.a, x), c.to(f.b, x)), c.to(is, x)
		c.must(to == want, "language %d leads to %d on class %d, and not to %d", is, to, x, want)
	}
}

// checkRow checks that a state of the table has its language: it accepts where that has the empty word, and each byte leads from the
// one to the state of what it leads to from the other. State 0 has no word.
func (c *checker) checkRow(q int, r state) {
	c.must(r.accepts == c.languages[r.is].accepts, "state %d is wrong about the empty word", q)
	for b := range 256 {
		to, want := r.to[c.column.of[b]-1], c.to(r.is, c.class.of[b]-1)
		c.must(to == 0 && want == noWord || c.rows[to].line > 0 && c.rows[to].is == want, "state %d leads to %d on the byte %02x", q, to, b)
	}
}

// checkTable checks that a production is the languages of its starts together.
func (c *checker) checkTable(words []string) {
	id, l := c.sides["bnf"].fold(words[1]), noWord
	for _, q := range words[2:] {
		r := c.rows[c.number(q)]
		c.must(r.line > 0, "there is no state %s", q)
		l = c.operate("union", l, r.is)
	}
	is := c.result(fact{"bnf", c.mk(term{kind: "rule", side: "bnf", name: id}), emptyWord})
	c.must(l == is && !c.tabled[id], "the table has language %d for %s, and the production is %d", l, id, is)
	c.tabled[id] = true
}

// checkTerm checks a line about a term by the lines about its parts. What a term comes back to has read something before, or is
// a smaller term; so by induction on a word's length and the term the line is right about it.
func (c *checker) checkTerm(f fact, t term) {
	before, is := f.b, c.is[f]
	of := func(x, before int) int { // what x before a language is
		if x == empty {
			return before
		}
		return c.result(fact{f.name, x, before})
	}
	fails := func(l int) int { // the words of l on which t.a fails; in a BNF nothing hides another alternative
		if f.name == "bnf" {
			return l
		}
		return c.operate("minus", l, of(t.a, everyWord))
	}
	want := is
	c.canBeEmpty(f.a)
	switch t.kind {
	case "bytes":
		c.must(!c.languages[is].accepts, "language %d has the empty word", is)
		for b, class := range c.class.of {
			to := c.to(is, class-1)
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
	default:
		c.must(false, "the empty word needs no line")
	}
	c.must(want == is, "the parts make language %d, and not %d", want, is)
}

// canBeEmpty reports whether a term can match the empty word; where that depends on the input, it can. It looks at all that the
// term can use before it has read anything, and fails where that is the term itself.
func (c *checker) canBeEmpty(x int) bool {
	const open, no, yes = 1, 2, 3
	t, state := c.all[x], c.states[x]
	c.must(state != open, "not covered: %s can use itself before it has read anything", t.name)
	if state != 0 {
		return state == yes
	}
	c.states[x] = open
	can := true
	switch t.kind {
	case "bytes":
		can = false
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
	c.states[x] = map[bool]int{false: no, true: yes}[can]
	return can
}
