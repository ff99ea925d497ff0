package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// How a verdict comes about, from the bytes of three files:
//
//  1. tokens.go takes the texts of the grammar and the PEG apart; grammar.go and characters.go make
//     terms of their rules.
//  2. lines.go reads each line of the certificate. A line declares something, numbered from 0 in
//     its order (a class of bytes, a term, a language), or states a fact, or states something of a
//     production.
//  3. rules.go checks each fact, which follows from other facts by one rule, and then what is
//     stated of the productions.
//  4. [checker.answer] compares what is stated with what was asked for.
//
// Where something is wrong, [terms.must] panics, and [check] returns that with the place. Nothing
// is searched for, so that a certificate that lacks a line is refused. The argument why facts may
// rest on each other is in docs/certificates.md.

// The languages of a certificate are the states of one automaton. The first three are these.
const (
	noWord    = iota // the empty language
	everyWord        // all words
	emptyWord        // the empty word alone
)

// A state is a language, or a row of a table: whether it has the empty word, and where each class
// or column of bytes leads.
type state struct {
	accepts bool
	to      []int
	is      int // of a row: the language that it has
}

// A fact is what a line has the result of: the union of languages a and b, a minus b, or the term
// a of a side before b. Its name is "union", "minus", "bnf" or "peg".
type fact struct {
	name string
	a, b int
}

// A checker checks one certificate.
type checker struct {
	*terms
	class, column [256]int      // of each byte, counted from 1; 0 before it is declared
	languages     []state       // by number
	rows          map[int]state // of the table, by number
	is            map[fact]int  // the results of the facts
	empties       map[int]*bool // see canBeEmpty
	about         []string      // the productions of which more is stated than that they are open

	// stated has the words of the line about a production, by its ID, and those of the line about
	// its table, by "table " and the ID.
	stated map[string][]string
}

// assumptions are what every certificate rests on.
const assumptions = `assumed: the input ends where the rule does; pigeon v1.3 accepts the PEG
assumed: pigeon is run without -optimize-grammar and -support-left-recursion, and, where a class ignores case, without
  -optimize-basic-latin; its parser is told AllowInvalidUTF8(true), and not MaxExpressions
assumed: Go code in the PEG returns no error, does not panic, and leaves the parser, its input and what it imports alone
assumed: case and classes of characters are those of Unicode ` + unicode.Version + `
assumed: a value above 127 in the grammar is one byte of the input
assumed: in the notation of RFC 1738 a literal matches as printed, brackets behind a count only group, and a slash is the literal`

// A request is for the equality of some productions, or of all, with the rules of their names, or
// those that a map has instead; or alone, with no PEG, with what the table accepts. Where open is
// set, a certificate may leave a production open, or out.
type request struct {
	productions []string
	rules       map[string]string
	open, alone bool
}

// newChecker returns a checker that knows the empty term and the first three languages.
func newChecker() *checker {
	nothing := term{kind: "empty"}
	return &checker{
		terms: &terms{all: []term{nothing}, index: map[term]int{nothing: empty}, sides: map[string]*reader{}},
		languages: []state{
			noWord:    {to: make([]int, 256)},
			everyWord: {accepts: true, to: slices.Repeat([]int{everyWord}, 256)},
			emptyWord: {accepts: true, to: make([]int, 256)},
		},
		rows:    map[int]state{},
		is:      map[fact]int{},
		empties: map[int]*bool{},
		stated:  map[string][]string{},
	}
}

// check checks a certificate against a grammar and a PEG, and returns what it states. Files are
// the names of the three, and texts what they hold. The error is a line that is wrong, or that the
// certificate is about less than was asked for.
func check(files, texts [3]string, ask request) (report string, err error) {
	c := newChecker()
	defer func() {
		if r := recover(); r != nil { // [terms.must], or a number of something that does not exist
			report, err = "", fmt.Errorf("%s: %v", c.place, r)
		}
	}()
	at := func(i int) { c.place = fmt.Sprintf("%s:%d", files[2], i+1) }
	at(0)
	lines := strings.Split(texts[2], "\n")
	n := len(lines) - 2 // the last line, "end n", is followed by the end of the file
	end := fmt.Sprintf("end %d", n)
	framed := n > 0 && lines[0] == "bnfcheck certificate 2" && lines[n] == end && lines[n+1] == ""
	c.must(framed, `it does not begin with "bnfcheck certificate 2" and end with "end" and the number of lines above`)

	// The lines that assume something come first, since the grammar is read with them.
	assumed := 1 + slices.IndexFunc(lines[1:], func(line string) bool { return !strings.HasPrefix(line, "assume ") })
	c.read("bnf", files[0], texts[0], files[2], lines[1:assumed])
	c.read("peg", files[1], texts[1], files[2], nil)

	// All lines are read before any is checked, since facts may rest on facts below them.
	checks := make([]func(), n)
	for i := assumed; i < n; i++ {
		at(i)
		words := strings.Split(lines[i], " ")
		separated := (len(words) > 2 || words[0] == "table") && !slices.Contains(words, "")
		c.must(separated, "expected three words or more, with one blank between")
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

// answer compares what is stated, which is true by now, with what is asked for.
func (c *checker) answer(ask request) (string, error) {
	say := func(format string, args ...any) { c.report = append(c.report, fmt.Sprintf(format, args...)) }
	bnf, rules := c.sides["bnf"], c.pairs()
	for _, production := range slices.Sorted(maps.Keys(ask.rules)) {
		rules[bnf.known(production)] = ask.rules[production]
		say("mapped: %s to %s", production, ask.rules[production])
	}
	var ids []string
	for _, production := range ask.productions {
		ids = append(ids, bnf.known(production))
	}
	if len(ids) == 0 {
		ids = slices.Compact(slices.Sorted(slices.Values(slices.Concat(bnf.ids, c.about))))
	}
	equal, open, tabled := 0, 0, 0
	for _, id := range ids {
		line := c.stated[id]
		table := c.stated["table "+id] != nil
		if table {
			tabled++
		}
		kind := "open" // so is what nothing is stated of
		if line != nil {
			kind = line[0]
		}
		switch {
		case ask.alone && table, kind == "equal" && line[2] == rules[id]:
			equal++
		case kind == "equal":
			say("another rule: %s equals %s, and the one of its name is %q", id, line[2], rules[id])
		case kind == "differ":
			say("differs: %s, on the bytes %s", id, line[3])
		default:
			why := strings.Join(line[min(3, len(line)):], " ")
			say("not covered: %s, %q", id, why)
			open++
		}
	}
	if tabled > 0 {
		say("table: what is on the lines of rows accepts exactly what %d of %d productions derive", tabled, len(ids))
	}
	say("%s", assumptions)
	what := "equal the rules of their names"
	if ask.alone {
		what = "are what the table accepts"
	}
	text := fmt.Sprintf(": %d of %d productions %s", equal, len(ids), what)
	report := text + "\n" + strings.Join(c.report, "\n") + "\n"
	all := equal == len(ids) || ask.open && equal+open == len(ids)
	if equal == 0 || !all {
		return "every line is right" + report, fmt.Errorf("not verified%s", text)
	}
	return "verified" + report, nil
}

// pairs returns the rule of each production: the only one that is called as it is, where no other
// production is called so. Names are compared in either case and with "plus" for +, first without
// - and _; what is found with _ for - goes before that.
func (c *checker) pairs() map[string]string {
	pairs := map[string]string{}
	for _, signs := range []*strings.Replacer{
		strings.NewReplacer("-", "", "_", "", "+", "plus"),
		strings.NewReplacer("-", "_", "+", "plus"),
	} {
		called := map[string]*struct{ bnf, peg []string }{} // by what names have in common
		for _, side := range []string{"bnf", "peg"} {
			for name := range c.sides[side].rules {
				common := lower(signs.Replace(name))
				if called[common] == nil {
					called[common] = &struct{ bnf, peg []string }{}
				}
				if side == "bnf" {
					called[common].bnf = append(called[common].bnf, name)
				} else {
					called[common].peg = append(called[common].peg, name)
				}
			}
		}
		for _, names := range called {
			if len(names.bnf) == 1 && len(names.peg) == 1 {
				pairs[names.bnf[0]] = names.peg[0]
			}
		}
	}
	return pairs
}
