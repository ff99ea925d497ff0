package main

import (
	"slices"
	"strconv"
	"strings"
)

// This file has the rules by which lines follow from each other.

// checkRow checks a row of the table: it accepts where its language has the empty word, and each
// byte leads to a row that has the language which the byte leads to from its language. State 0 is
// dead, and has no row.
func (c *checker) checkRow(q int) {
	row := c.rows[q]
	language := c.languages[row.is]
	c.must(row.accepts == language.accepts, "state %d is wrong about the empty word", q)
	for b := range 256 {
		to := row.to[c.column[b]-1]
		want := language.to[c.class[b]-1]
		dead := to == 0 && want == noWord
		alive := c.rows[to].to != nil && c.rows[to].is == want
		c.must(dead || alive, "state %d leads to %d on the byte %02x", q, to, b)
	}
}

// checkStatement checks by the facts what a line states of a production.
func (c *checker) checkStatement(words []string) {
	kind, id := words[0], words[1]
	key := id
	if kind == "table" {
		key = "table " + id
	}
	c.must(c.sides["bnf"].rules[id] != nil, "there is no production %q", id)
	c.must(c.stated[key] == nil, "this is the second statement about %s", key)
	c.stated[key] = words
	if kind == "open" {
		return
	}
	c.about = append(c.about, id)
	production := c.languageOf("bnf", id)
	switch kind {
	case "table": // table PRODUCTION N ...: the languages of the states that it begins in make that of the production
		union := noWord
		for _, q := range words[2:] {
			row := c.rows[c.number(q, 10)]
			c.must(row.to != nil, "there is no state %s", q)
			union = c.operate("union", union, row.is)
		}
		c.must(union == production, "the table has language %d, and the production is %d", union, production)
	case "equal": // equal PRODUCTION RULE L
		rule := c.languageOf("peg", words[2])
		same := len(words) == 4 && production == rule && c.number(words[3], 10) == production
		c.must(same, "the production is language %d and the rule language %d", production, rule)
	case "differ": // differ PRODUCTION RULE WORD bnf L-...-L peg L-...-L
		c.must(len(words) == 8 && words[4] == "bnf" && words[6] == "peg", "unexpected form of a line")
		first := c.follow(production, words[3])
		second := c.follow(c.languageOf("peg", words[2]), words[3])
		differ := words[5] == first[1:] && words[7] == second[1:] && first[0] != second[0]
		c.must(differ, "the word leads through %s and %s", first, second)
	}
}

// languageOf returns the language of a rule of a side: what is stated of it before the empty word.
func (c *checker) languageOf(side, name string) int {
	return c.of(side, c.mk(term{kind: "rule", side: side, name: name}), emptyWord)
}

// follow returns the languages that a word in hexadecimal digits leads through from one of them,
// separated by -, after + if the last has the empty word, or -. The empty word is written -.
func (c *checker) follow(l int, word string) string {
	c.must(len(word)%2 == 0 || strings.HasSuffix(word, "-"), "the word is not in hexadecimal digits")
	way := strconv.Itoa(l)
	for rest := strings.TrimSuffix(word, "-"); rest != ""; rest = rest[2:] {
		b := c.number(rest[:2], 16)
		l = c.languages[l].to[c.class[b]-1]
		way += "-" + strconv.Itoa(l)
	}
	if c.languages[l].accepts {
		return "+" + way
	}
	return "-" + way
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
	if name == "minus" {
		switch {
		case a == b, b == everyWord:
			return noWord
		case b == noWord, a == noWord:
			return a
		}
		return c.of(name, a, b)
	}
	switch {
	case a == b, b == noWord, a == everyWord:
		return a
	case a == noWord, b == everyWord:
		return b
	}
	return c.of(name, a, b)
}

// checkOperation checks a line about two languages: whether the empty word is in the result, and
// on each class the lines about what the two lead to. So by induction on a word's length the line
// is right about it.
func (c *checker) checkOperation(f fact) {
	a, b := c.languages[f.a], c.languages[f.b]
	is := c.is[f]
	accepts := a.accepts || b.accepts
	if f.name == "minus" {
		accepts = a.accepts && !b.accepts
	}
	c.must(c.languages[is].accepts == accepts, "language %d is wrong about the empty word", is)
	for x := range slices.Max(c.class[:]) {
		want := c.operate(f.name, a.to[x], b.to[x])
		to := c.languages[is].to[x]
		c.must(to == want, "language %d leads to %d on class %d, and not to %d", is, to, x, want)
	}
}

// checkTerm checks a line about a term x before a language L by the lines about its parts. What a
// term comes back to has read something before, or is a smaller term; so by induction on a word's
// length and the term the line is right about it.
func (c *checker) checkTerm(f fact) {
	x, before, is := f.a, f.b, c.is[f]
	t := c.all[x]
	of := func(x, before int) int { return c.of(f.name, x, before) }
	fails := func(l int) int { // the words of l on which t.a fails; in a BNF nothing hides another alternative
		if f.name == "bnf" {
			return l
		}
		return c.operate("minus", l, of(t.a, everyWord))
	}
	c.must(x != empty, "the empty word needs no line")
	c.canBeEmpty(x) // fails where x comes back to itself before it has read anything
	want := is
	switch t.kind {
	case "bytes": // a byte of the set leads to L, and others to nothing
		c.must(!c.languages[is].accepts, "language %d has the empty word", is)
		for b, class := range c.class {
			to := c.languages[is].to[class-1]
			if t.set.has(b) {
				c.must(to == before, "language %d is wrong about the byte %02x", is, b)
			} else {
				c.must(to == noWord, "language %d is wrong about the byte %02x", is, b)
			}
		}
	case "seq": // a before (b before L)
		want = of(t.a, of(t.b, before))
	case "alt": // (a before L) or (b before L), the latter where a fails
		want = c.operate("union", of(t.a, before), fails(of(t.b, before)))
	case "star": // the R with R = (a before R) or L, the latter where a fails
		c.must(!c.canBeEmpty(t.a), "not covered: a repetition of what can match the empty word")
		want = c.operate("union", of(t.a, is), fails(before))
	case "not": // L where a fails
		c.must(f.name == "peg", "not covered: a lookahead in a BNF")
		want = fails(before)
	case "rule": // the body before L
		c.must(t.side == f.name, "the rule is of the other grammar")
		want = of(c.sides[t.side].body(t.name), before)
	}
	c.must(want == is, "the parts make language %d, and not %d", want, is)
}

// canBeEmpty reports whether a term can match the empty word; where that depends on the input, it
// can. It looks at all that the term can use before it has read anything, and fails where that is
// the term itself.
func (c *checker) canBeEmpty(x int) (can bool) {
	t := c.all[x]
	if known, ok := c.empties[x]; ok {
		c.must(known != nil, "not covered: %s can use itself before it has read anything", t.name)
		return *known
	}
	c.empties[x] = nil // while its parts are looked at
	switch t.kind {
	case "empty":
		can = true
	case "bytes":
		can = false
	case "seq": // what b uses counts only if a can be empty
		can = c.canBeEmpty(t.a) && c.canBeEmpty(t.b)
	case "alt": // both are looked at
		a, b := c.canBeEmpty(t.a), c.canBeEmpty(t.b)
		can = a || b
	case "star", "not":
		c.canBeEmpty(t.a)
		can = true
	case "rule":
		can = c.canBeEmpty(c.sides[t.side].body(t.name))
	}
	c.empties[x] = &can
	return can
}
