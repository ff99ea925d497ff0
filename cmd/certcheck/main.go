// Certcheck checks a certificate that the rules of a PEG are the productions of a BNF. It shares no code with the program that
// writes certificates. It does not search: each line of a certificate follows from others by one rule, and is looked at once.
// The format and the rules are in docs/certificates.md.
//
//	certcheck GRAMMAR PEG CERTIFICATE
//
// The exit status is 0 if every line is right and covers what it is about, and 1 otherwise.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: certcheck GRAMMAR PEG CERTIFICATE")
		os.Exit(1)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "certcheck:", err)
		os.Exit(1)
	}
}

// A failure is a reason not to believe a certificate. It is panicked with, and recovered in [run].
type failure struct{ error }

func fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

func run(grammar, peg, certificate string, out io.Writer) (err error) {
	defer func() {
		r := recover()
		if f, ok := r.(failure); ok {
			err = f
		} else if r != nil {
			panic(r)
		}
	}()
	check(grammar, load(grammar, 4<<20), peg, load(peg, 4<<20), certificate, load(certificate, 256<<20), out)
	return nil
}

// load returns the text of a file that is not larger than most.
func load(file string, most int64) string {
	f, err := os.Open(file)
	if err != nil {
		fail("%w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil || int64(len(text)) > most {
		fail("%s is larger than %d bytes, or cannot be read: %v", file, most, err)
	}
	return string(text)
}

// The languages of a certificate are numbered. The first three are these; the others are states of an automaton.
const (
	noWord    = 0
	everyWord = 1
	emptyWord = 2
)

// A language is a state: whether it has the empty word, and where the classes of bytes lead, in ascending order. A class that
// is in no step leads to noWord.
type language struct {
	accepts bool
	steps   []struct{ from, to, language int }
}

// A fact is a line about languages: a and b are languages and name an operation, or a is a term, b the language that it
// stands in front of, and name a side.
type fact struct {
	name string
	a, b int
}

type certificate struct {
	file      string
	line      int      // the one that is read or checked
	words     []string // of a line that is read
	sides     map[string]*grammar
	class     [256]int
	classes   int
	terms     []int // as [mk] numbers them
	languages []language
	is        map[fact]int // what the facts state
	at        map[fact]int // their lines
	order     []fact
	stated    map[string]bool
	equal     int
	differ    []string
	open      []string
}

func (c *certificate) fail(format string, args ...any) {
	fail("%s:%d: %s", c.file, c.line, fmt.Sprintf(format, args...))
}

// check checks a certificate about two grammars, and writes what it states.
func check(bnfFile, bnfText, pegFile, pegText, file, text string, out io.Writer) {
	terms, known = nil, map[term]int{}
	mk(term{kind: "empty"})
	c := &certificate{
		file: file, is: map[fact]int{}, at: map[fact]int{}, stated: map[string]bool{}, terms: []int{empty},
		languages: []language{noWord: {}, everyWord: {accepts: true}, emptyWord: {accepts: true}},
	}
	lines := strings.Split(text, "\n")
	if n := len(lines); n < 3 || lines[0] != "bnfcheck certificate 1" || lines[n-1] != "" || lines[n-2] != fmt.Sprintf("end %d", n-2) {
		c.fail(`the certificate does not begin with "bnfcheck certificate 1" and end with "end" and the number of lines above it`)
	}
	lines = lines[:len(lines)-2]
	instead, assumed := map[string]string{}, assumptions
	for i, line := range lines {
		if c.line = i + 1; strings.HasPrefix(line, "assume ") {
			name, right, ok := strings.Cut(strings.TrimPrefix(line, "assume "), " = ")
			if j := strings.LastIndex(right, " because "); ok && j >= 0 && !has(instead, name) {
				instead[name], assumed = right[:j], append(assumed[:len(assumed):len(assumed)], line[len("assume "):])
			} else {
				c.fail("expected a NAME = EXPRESSION because REASON, and no second one")
			}
		}
	}
	b, productions := readBNF(bnfFile, bnfText, instead)
	c.sides = map[string]*grammar{"bnf": b, "peg": readPEG(pegFile, pegText)}
	var statements []int
	for i, line := range lines[1:] {
		c.line, c.words = i+2, strings.Fields(line)
		if len(c.words) == 0 || strings.Join(c.words, " ") != line {
			c.fail("unexpected blanks")
		}
		if slices.Contains([]string{"equal", "differ", "open"}, c.words[0]) {
			statements = append(statements, i+1)
		} else if c.words[0] != "assume" {
			c.read()
		}
	}
	c.whole()
	for _, f := range c.order {
		if c.line = c.at[f]; c.sides[f.name] != nil {
			c.term(f)
		} else {
			c.operation(f)
		}
	}
	for _, i := range statements {
		c.line, c.words = i+1, strings.Fields(lines[i])
		c.statement()
	}
	slices.Sort(productions)
	productions = slices.DeleteFunc(productions, func(name string) bool { return c.stated[name] })
	if len(c.open) == 0 && len(statements) > 0 {
		fmt.Fprintf(out, "verified: %d rules equal their productions, %d differ\n", c.equal, len(c.differ))
	}
	for _, line := range slices.Concat(c.differ, c.open) {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintf(out, "assumed: %s\n", strings.Join(assumed, "\nassumed: "))
	if len(productions) > 0 {
		fmt.Fprintf(out, "nothing is stated about %s\n", strings.Join(productions, " "))
	}
	if len(c.open) > 0 || len(statements) == 0 {
		fail("%s does not cover %d of the %d rules that it is about", file, len(c.open), len(statements))
	}
}

// assumptions is what every certificate rests on.
var assumptions = []string{
	"the input ends where the rule does; no action of the PEG returns an error; pigeon's parser is told AllowInvalidUTF8(true)",
	"pigeon's option -optimize-basic-latin is not used",
	"a value above 127 in the grammar is one byte of the input",
	"in the notation of RFC 1738 a literal matches as printed, brackets behind a count only group, and a slash is the literal",
}

// number reads word i, which must be less than most.
func (c *certificate) number(i, most int) int {
	if i >= len(c.words) {
		c.fail("the line is too short")
	}
	n, err := strconv.Atoi(c.words[i])
	if err != nil || n < 0 || n >= most || strconv.Itoa(n) != c.words[i] {
		c.fail("expected a number from 0 to %d as word %d, found %q", most-1, i+1, c.words[i])
	}
	return n
}

const many = 1<<31 - 1

// read reads a line that is no statement.
func (c *certificate) read() {
	form := map[string]int{"class": 3, "union": 5, "both": 5, "minus": 5, "bnf": 6, "peg": 6}[c.words[0]]
	if form > 0 && len(c.words) != form {
		c.fail("expected %d words", form)
	}
	switch c.words[0] {
	case "class":
		c.next(c.classes)
		for b, s := 0, c.bytes(c.words[2]); b < 256; b++ {
			if s.has(b) {
				if c.class[b] > 0 {
					c.fail("the byte %02x is in two classes", b)
				}
				c.class[b] = c.classes + 1 // see whole
			}
		}
		c.classes++
	case "term":
		c.next(len(c.terms))
		c.terms = append(c.terms, c.newTerm())
	case "language":
		c.next(len(c.languages))
		c.languages = append(c.languages, c.newLanguage())
	case "union", "both", "minus":
		c.state(fact{c.words[0], c.number(1, many), c.number(2, many)}, 4, c.words[3] == "is")
	case "bnf", "peg":
		x := c.terms[c.number(1, len(c.terms))]
		c.state(fact{c.words[0], x, c.number(3, many)}, 5, c.words[2] == "before" && c.words[4] == "is")
	default:
		c.fail("unexpected %q", c.words[0])
	}
}

func (c *certificate) state(f fact, i int, wellFormed bool) {
	if f = ordered(f); has(c.is, f) || !wellFormed {
		c.fail("malformed, or stated twice")
	}
	c.is[f], c.at[f] = c.number(i, many), c.line
	c.order = append(c.order, f)
}

func ordered(f fact) fact {
	if (f.name == "union" || f.name == "both") && f.a > f.b {
		f.a, f.b = f.b, f.a
	}
	return f
}

func (c *certificate) next(n int) {
	if c.number(1, many) != n || len(c.words) < 3 {
		c.fail("expected the number %d", n)
	}
}

// bytes reads a set: "2d,30-39", or "none".
func (c *certificate) bytes(word string) (s set) {
	for part := range strings.SplitSeq(word, ",") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		lo, err1 := strconv.ParseUint(from, 16, 8)
		hi, err2 := strconv.ParseUint(to, 16, 8)
		if (err1 != nil || err2 != nil || lo > hi) && word != "none" {
			c.fail("unexpected bytes %q", part)
		} else if word != "none" {
			s.add(int(lo), int(hi))
		}
	}
	return s
}

func (c *certificate) newTerm() int {
	t := term{kind: c.words[2]}
	want := map[string]int{"bytes": 4, "seq": 5, "alt": 5, "star": 4, "and": 4, "not": 4, "rule": 5}[t.kind]
	if len(c.words) != want {
		c.fail("unexpected kind of term, or number of words")
	}
	switch t.kind {
	case "bytes":
		t.set = c.bytes(c.words[3])
	case "rule":
		t.name = c.words[3] + " " + c.words[4]
	case "seq", "alt":
		t.b = c.terms[c.number(4, len(c.terms))]
		fallthrough
	default:
		t.a = c.terms[c.number(3, len(c.terms))]
	}
	return mk(t)
}

func (c *certificate) newLanguage() language {
	l, next := language{accepts: c.words[2] == "+"}, 0
	for _, w := range c.words[3:] {
		var from, to, n int
		if strings.Contains(w, "-") {
			fmt.Sscanf(w, "%d-%d:%d", &from, &to, &n)
		} else {
			fmt.Sscanf(w, "%d:%d", &from, &n)
			to = from
		}
		if w != fmt.Sprintf("%d-%d:%d", from, to, n) && (w != fmt.Sprintf("%d:%d", from, n) || from != to) || from < next || from > to || to >= c.classes {
			c.fail("unexpected classes %q", w)
		}
		next = to + 1
		l.steps = append(l.steps, struct{ from, to, language int }{from, to, n})
	}
	if !l.accepts && c.words[2] != "-" {
		c.fail("expected + or -")
	}
	return l
}

// whole checks that every byte has a class, and that every number of a language is that of a line.
func (c *certificate) whole() {
	for b := range c.class {
		if c.class[b]--; c.class[b] < 0 {
			c.fail("the byte %02x is in no class", b)
		}
	}
	exists := func(numbers ...int) {
		if n := slices.Max(numbers); n >= len(c.languages) || slices.Min(numbers) < 0 {
			c.fail("there is no language %d", n)
		}
	}
	for _, l := range c.languages {
		for _, s := range l.steps {
			exists(s.language)
		}
	}
	for f, is := range c.is {
		if c.line = c.at[f]; c.sides[f.name] == nil {
			exists(f.a)
		}
		exists(f.b, is)
	}
}

// to returns where a language leads on a class of bytes.
func (c *certificate) to(l, class int) int {
	steps := c.languages[l].steps
	i := 0
	for i < len(steps) && steps[i].to < class {
		i++
	}
	switch {
	case l == everyWord:
		return everyWord
	case i < len(steps) && steps[i].from <= class:
		return steps[i].language
	}
	return noWord
}

// operate returns the result of an operation that is plain, or stated on a line.
func (c *certificate) operate(name string, a, b int) int {
	switch f := ordered(fact{name, a, b}); {
	case name == "minus" && (a == b || b == everyWord), name == "both" && f.a == noWord:
		return noWord
	case a == b, name == "union" && f.a == everyWord, name == "minus" && (a == noWord || b == noWord):
		return f.a
	case name == "union" && f.a == noWord, name == "both" && f.a == everyWord:
		return f.b
	case has(c.is, f):
		return c.is[f]
	}
	c.fail("this needs a line \"%s %d %d is ...\"", name, a, b)
	return 0
}

// operation checks a line about two languages: whether the empty word is in the result, and on each class the lines about
// what the two lead to. So by induction on a word's length the line is right about it.
func (c *certificate) operation(f fact) {
	a, b, is := c.languages[f.a].accepts, c.languages[f.b].accepts, c.is[f]
	if c.languages[is].accepts != map[string]bool{"union": a || b, "both": a && b, "minus": a && !b}[f.name] {
		c.fail("language %d is wrong about the empty word", is)
	}
	for x := range c.classes {
		if want := c.operate(f.name, c.to(f.a, x), c.to(f.b, x)); want != c.to(is, x) {
			c.fail("language %d leads to %d on class %d, and not to %d", is, c.to(is, x), x, want)
		}
	}
}

// of returns what a line states of a term in front of a language.
func (c *certificate) of(side string, x, before int) int {
	if x == empty {
		return before
	}
	is, ok := c.is[fact{side, x, before}]
	if !ok {
		c.fail("this needs a line about a part (%s %s) in front of language %d", terms[x].kind, terms[x].name, before)
	}
	return is
}

// term checks a line about a term by the lines about its parts. What a term comes back to has read something before, or is a
// smaller term; so by induction on a word's length and the term the line is right about it.
func (c *certificate) term(f fact) {
	t, g, before, is := terms[f.a], c.sides[f.name], f.b, c.is[f]
	of := func(x, before int) int { return c.of(f.name, x, before) }
	fails := func(l int) int { // the words of l on which t.a fails; in a BNF nothing hides another alternative
		if f.name == "bnf" {
			return l
		}
		return c.operate("minus", l, of(t.a, everyWord))
	}
	want := is
	switch t.kind {
	case "bytes":
		for b, class := range c.class {
			if t.set.has(b) && c.to(is, class) != before || !t.set.has(b) && c.to(is, class) != noWord || c.languages[is].accepts {
				c.fail("language %d is wrong about the byte %02x, or the empty word", is, b)
			}
		}
	case "seq":
		want = of(t.a, of(t.b, before))
	case "alt":
		want = c.operate("union", of(t.a, before), fails(of(t.b, before)))
	case "star":
		want = c.operate("union", of(t.a, is), fails(before))
	case "and":
		want = c.operate("both", before, of(t.a, everyWord))
	case "not":
		want = fails(before)
	case "rule":
		name, ok := strings.CutPrefix(t.name, g.side)
		if !ok || !has(g.rules, name) || g.loops[name] {
			c.fail("not covered: %s does not exist, or can use itself before it has read anything", t.name)
		}
		want = of(g.body(name), before)
	default:
		c.fail("the term needs no line, or is not covered")
	}
	switch {
	case want != is:
		c.fail("the parts make language %d, and not %d", want, is)
	case t.kind == "star" && g.canBeEmpty(t.a), f.name == "bnf" && (t.kind == "and" || t.kind == "not"):
		c.fail("not covered: a repetition of what can match the empty word, or a lookahead in a BNF")
	}
}

// statement checks what is stated of a production and its rule.
func (c *certificate) statement() {
	if len(c.words) < 4 || c.stated[c.words[1]] {
		c.fail("too few words, or a second statement about %s", c.words[1])
	}
	c.stated[c.words[1]] = true
	if c.words[0] == "open" {
		c.open = append(c.open, fmt.Sprintf("not covered: %s, %s", c.words[1], strings.Join(c.words[3:], " ")))
		return
	}
	b := c.of("bnf", mk(term{kind: "rule", name: "bnf " + c.words[1]}), emptyWord)
	p := c.of("peg", mk(term{kind: "rule", name: "peg " + c.words[2]}), emptyWord)
	switch {
	case c.words[0] == "equal":
		if len(c.words) != 4 || b != p || c.number(3, many) != b {
			c.fail("the production is language %d and the rule language %d", b, p)
		}
		c.equal++
	case len(c.words) != 8 || c.words[4] != "bnf" || c.words[6] != "peg" || c.run(b, c.words[3], c.words[5]) == c.run(p, c.words[3], c.words[7]):
		c.fail("the word does not show a difference")
	default:
		c.differ = append(c.differ, fmt.Sprintf("differs: %s, on the bytes %s", c.words[1], c.words[3]))
	}
}

// run follows a word through the languages that the line has, and reports whether it is accepted.
func (c *certificate) run(l int, word, languages string) bool {
	way := []string{strconv.Itoa(l)}
	for word = strings.TrimPrefix(word, "-"); word != ""; word = word[min(2, len(word)):] {
		b, err := strconv.ParseUint(word[:min(2, len(word))], 16, 8)
		if err != nil || len(word) < 2 {
			c.fail("unexpected byte in the word")
		}
		l = c.to(l, c.class[b])
		way = append(way, strconv.Itoa(l))
	}
	if strings.Join(way, "-") != languages {
		c.fail("the word leads through %s", strings.Join(way, "-"))
	}
	return c.languages[l].accepts
}
