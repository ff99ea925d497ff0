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
//  1. tokens.go splits the texts of the grammar and the PEG into tokens. grammar.go and
//     characters.go turn the tokens of a rule into a term when a line first needs that rule.
//  2. lines.go reads the lines of the certificate. Some declare a class of bytes, a term or a
//     language, numbered from 0 in their order. Some state a fact: the result of an operation.
//     The last ones state that a production equals a rule, or differs from it.
//  3. rules.go checks every fact against other facts, by one rule, and then the statements about
//     productions.
//  4. [checker.compareWith] compares the statements with what the user asked for.
//
// If anything is wrong, [terms.must] panics, and [check] turns the panic into an error with the
// place. The checker never searches: if the certificate lacks a line, it is refused. Facts may rest
// on each other in a circle; docs/certificates.md has the argument why that is sound.

// The languages of a certificate are the states of one automaton. The first three are fixed.
const (
	noWord    = iota // the empty language
	everyWord        // all words
	emptyWord        // the empty word alone
)

// A state is a state of the automaton, which is a language, or a row of the table.
type state struct {
	accepts  bool  // the empty word
	to       []int // the successor for each class of bytes or, in a row, for each column
	language int   // of a row: the language that it claims to accept
}

// A fact identifies an operation whose result a line of the certificate states:
//
//	union a b    the union of the languages a and b
//	minus a b    the language a without the language b
//	bnf a b      the term a before the language b, in the grammar
//	peg a b      the term a before the language b, in the PEG
type fact struct {
	name string
	a, b int
}

// A checker checks one certificate. What its methods check they check by must: they panic at a line
// that is wrong, and check recovers.
type checker struct {
	*terms
	class, column [256]int // of each byte: one more than the declared number; 0 if undeclared
	languages     []state
	rows          map[int]state
	results       map[fact]int  // the language that a line states for each fact
	nullable      map[int]*bool // by term; nil while canBeEmpty is looking at it
	decided       []string      // the productions with an equal, differ or table line, some twice

	// statements has the words of the equal, differ or open line about a production, by its ID,
	// and those of its table line, by "table " and the ID.
	statements map[string][]string
}

// assumptions are printed with every verdict: nothing in the files can show that they hold.
const assumptions = "assumed: the input ends where the rule does; pigeon v1.3 accepts the PEG\n" +
	"assumed: pigeon is run without -optimize-grammar and -support-left-recursion, " +
	"and, where a class ignores case, without\n  -optimize-basic-latin; " +
	"its parser is not told MaxExpressions\n" +
	"assumed: Go code in the PEG returns no error, does not panic, " +
	"and leaves the parser, its input and what it imports alone\n" +
	"assumed: case and classes of characters are those of Unicode " + unicode.Version + "\n" +
	"assumed: a value above 127 in the grammar is one byte of the input\n" +
	"assumed: in the notation of RFC 1738 a literal matches as printed, " +
	"brackets behind a count only group, and a slash is the literal"

// A request says which productions must be verified, and against what.
type request struct {
	productions []string          // empty: all of them
	rules       map[string]string // from --map: the rule to use in place of the one of its name
	allowOpen   bool              // accept productions that are open or left out
	noPEG       bool              // compare with the table and not with rules
	letInvalid  bool              // the parser is told AllowInvalidUTF8(true)
}

// newChecker returns a checker that knows the empty term and the first three languages.
func newChecker() *checker {
	nothing := term{kind: "empty"}
	return &checker{
		terms: &terms{
			all:   []term{nothing},
			index: map[term]int{nothing: empty},
			sides: map[string]*reader{},
		},
		languages: []state{
			noWord:    {to: make([]int, 256)},
			everyWord: {accepts: true, to: slices.Repeat([]int{everyWord}, 256)},
			emptyWord: {accepts: true, to: make([]int, 256)},
		},
		rows:       map[int]state{},
		results:    map[fact]int{},
		nullable:   map[int]*bool{},
		statements: map[string][]string{},
	}
}

// check checks a certificate and returns the report to print. files and texts hold the names and
// contents of the grammar, the PEG and the certificate. If a line of the certificate is wrong, or
// one of the grammar or the PEG that it needs or that cannot be divided into tokens, the report is
// "" and the error names the file and the line. If all lines are right but they do not verify what
// was asked for, check returns both a report and an error.
func check(files, texts [3]string, ask request) (report string, err error) {
	c := newChecker()
	c.letInvalid = ask.letInvalid
	defer func() {
		// must panics if something is wrong. So does an index: a state may lead to a language
		// that is not declared.
		if r := recover(); r != nil {
			report, err = "", fmt.Errorf("%s: %v", c.place, r)
		}
	}()
	setPlace := func(i int) { c.place = fmt.Sprintf("%s:%d", files[2], i+1) }
	setPlace(0)
	lines := strings.Split(texts[2], "\n")
	n := len(lines) - 2 // the index of the last line, "end n"; after it, Split yields ""
	end := fmt.Sprintf("end %d", n)
	framed := n > 0 && lines[0] == "bnfcheck certificate 2" && lines[n] == end && lines[n+1] == ""
	c.must(framed, `it does not begin with "bnfcheck certificate 2" `+
		`and end with "end" and the number of lines above`)

	// The lines that assume something come first, since the grammar is read with them.
	assumed := 1
	for strings.HasPrefix(lines[assumed], "assume ") {
		assumed++
	}
	c.readGrammar("bnf", files[0], texts[0], files[2], lines[1:assumed])
	c.readGrammar("peg", files[1], texts[1], files[2], nil)

	// All lines are read before any is checked, since facts may rest on facts below them.
	checks := make([]func(), n)
	for i := assumed; i < n; i++ {
		setPlace(i)
		words := strings.Split(lines[i], " ")
		separated := (len(words) > 2 || words[0] == "table") && !slices.Contains(words, "")
		c.must(separated, "expected three words or more, with one blank between")
		checks[i] = c.readLine(words)
	}
	c.must(!slices.Contains(c.class[:], 0), "a byte is in no class")
	c.must(len(c.rows) == 0 || !slices.Contains(c.column[:], 0), "a byte is in no column")
	for i := assumed; i < n; i++ {
		setPlace(i)
		checks[i]()
	}
	return c.compareWith(ask)
}

// compareWith compares the statements, which have all been checked by now, with the request. It
// returns the report, and an error unless all that is asked for is verified. With allowOpen, productions
// that are open or left out count as verified, but at least one production must be equal. A name of no
// production counts as left out.
func (c *checker) compareWith(ask request) (string, error) {
	say := func(format string, args ...any) {
		c.report = append(c.report, fmt.Sprintf(format, args...))
	}
	bnf, rules := c.sides["bnf"], c.pairByName()
	for _, production := range slices.Sorted(maps.Keys(ask.rules)) {
		rules[bnf.knownID(production)] = ask.rules[production]
		say("mapped: %s to %s", production, ask.rules[production])
	}
	var ids []string
	for _, production := range ask.productions {
		ids = append(ids, bnf.knownID(production))
	}
	if len(ids) == 0 {
		ids = slices.Concat(bnf.ids, c.decided)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	equal, open, tabled := 0, 0, 0
	var empty []string // the productions that are equal and derive nothing
	for _, id := range ids {
		line := c.statements[id]
		table := c.statements["table "+id] != nil
		if table {
			tabled++
		}
		kind := "open" // a production without a line counts as open
		if line != nil {
			kind = line[0]
		}
		switch {
		case ask.noPEG && table, kind == "equal" && line[2] == rules[id]:
			equal++
			if !c.acceptsSome(c.languageOf("bnf", id)) {
				empty = append(empty, id)
			}
		case kind == "equal":
			const format = "another rule: %s equals %s, and the one of its name is %q"
			say(format, id, line[2], rules[id])
		case kind == "differ":
			say("differs: %s, on the bytes %s", id, line[3])
		default:
			why := strings.Join(line[min(3, len(line)):], " ")
			say("not covered: %s, %q", id, why)
			open++
		}
	}
	if tabled > 0 {
		say("table: what is on the lines of rows accepts exactly what %d of %d productions derive",
			tabled, len(ids))
	}
	for _, id := range empty {
		say("no string: %s derives none, and what it equals accepts none", id)
	}
	say("%s", assumptions)
	if c.letInvalid {
		say("assumed: the parser of the PEG is told AllowInvalidUTF8(true)")
	} else {
		say("assumed: the parser of the PEG is not told AllowInvalidUTF8(true)")
	}
	claim := "equal the rules of their names"
	if ask.noPEG {
		claim = "are what the table accepts"
	}
	summary := fmt.Sprintf(": %d of %d productions %s", equal, len(ids), claim)
	report := summary + "\n" + strings.Join(c.report, "\n") + "\n"
	all := equal == len(ids) || ask.allowOpen && equal+open == len(ids)
	if equal == 0 || !all {
		return "every line is right" + report, fmt.Errorf("not verified%s", summary)
	}
	return "verified" + report, nil
}

// acceptsSome reports whether a language has a word.
func (c *checker) acceptsSome(language int) bool {
	met := map[int]bool{language: true}
	for todo := []int{language}; len(todo) > 0; {
		l := c.languages[todo[0]]
		todo = todo[1:]
		if l.accepts {
			return true
		}
		for _, next := range l.to {
			if !met[next] {
				met[next] = true
				todo = append(todo, next)
			}
		}
	}
	return false
}

// pairByName maps each production to the rule of its name; one without such a rule is not in the
// map. Case does not count, and "plus" stands for +. The first pass ignores - and _; the second
// takes - for _, and overrides the first. A pass pairs a production and a rule only if no other
// production and no other rule has the same normalized name.
func (c *checker) pairByName() map[string]string {
	pairs := map[string]string{}
	for _, signs := range []*strings.Replacer{
		strings.NewReplacer("-", "", "_", "", "+", "plus"),
		strings.NewReplacer("-", "_", "+", "plus"),
	} {
		namesakes := map[string]*struct{ bnf, peg []string }{} // by normalized name
		for _, side := range []string{"bnf", "peg"} {
			for name := range c.sides[side].rules {
				normal := lowerASCII(signs.Replace(name))
				if namesakes[normal] == nil {
					namesakes[normal] = &struct{ bnf, peg []string }{}
				}
				if side == "bnf" {
					namesakes[normal].bnf = append(namesakes[normal].bnf, name)
				} else {
					namesakes[normal].peg = append(namesakes[normal].peg, name)
				}
			}
		}
		for _, names := range namesakes {
			if len(names.bnf) == 1 && len(names.peg) == 1 {
				pairs[names.bnf[0]] = names.peg[0]
			}
		}
	}
	return pairs
}
