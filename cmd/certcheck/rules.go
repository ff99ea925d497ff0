package main

import (
	"slices"
	"strconv"
)

// This file checks lines: facts about languages and terms, rows, and statements about productions.
// Each check looks at one line, and takes from other lines only what they state. So each is one
// step of an induction on the length of a word; the comments say why the step is sound.

// checkRow checks a row of the table. It must accept the empty word exactly if its language does,
// and each byte must lead to a row whose language is where the byte leads from this row's language.
// State 0 is dead and has no row: a byte may lead to it if the language leads to noWord. That each
// byte has a class and a column has been checked by then. If the row's language is not declared, it
// fails by an index.
func (c *checker) checkRow(q int) {
	row := c.rows[q]
	language := c.languages[row.language]
	c.must(row.accepts == language.accepts, "state %d is wrong about the empty word", q)
	for b := range 256 {
		to := row.to[c.column[b]-1]
		want := language.to[c.class[b]-1]
		dead := to == 0 && want == noWord
		alive := c.rows[to].to != nil && c.rows[to].language == want
		c.must(dead || alive, "state %d leads to %d on the byte %02x", q, to, b)
	}
}

// checkStatement checks what an equal, differ, open or table line claims about a production, by the
// languages that other lines state. It enters its words into c.statements for the verdict, and the
// production into c.decided unless it is open. It fails for a production that the grammar lacks,
// and for a second table line or a second other line about one.
func (c *checker) checkStatement(words []string) {
	kind, id := words[0], words[1]
	key := id
	if kind == "table" {
		key = "table " + id
	}
	c.must(c.sides["bnf"].rules[id] != nil, "there is no production %q", id)
	c.must(c.statements[key] == nil, "this is the second statement about %s", key)
	c.statements[key] = words
	if kind == "open" {
		return
	}
	c.decided = append(c.decided, id)
	production := c.languageOf("bnf", id)
	switch kind {
	case "table": // table PRODUCTION N ...
		// The table starts in all the rows at once, so it accepts the union of their languages.
		union := noWord
		for _, q := range words[2:] {
			row := c.rows[c.readNumber(q, 10)]
			c.must(row.to != nil, "there is no state %s", q)
			union = c.combine("union", union, row.language)
		}
		same := union == production
		c.must(same, "the table has language %d, and the production is %d", union, production)
	case "equal": // equal PRODUCTION RULE L
		rule := c.languageOf("peg", words[2])
		same := len(words) == 4 && production == rule && c.readNumber(words[3], 10) == production
		c.must(same, "the production is language %d and the rule language %d", production, rule)
	case "differ": // differ PRODUCTION RULE WORD bnf L-...-L peg L-...-L
		formed := len(words) == 8 && words[4] == "bnf" && words[6] == "peg"
		c.must(formed, "unexpected form of a line")
		derived, isDerived := c.followWord(production, words[3])
		matched, isMatched := c.followWord(c.languageOf("peg", words[2]), words[3])
		differ := words[5] == derived && words[7] == matched && isDerived != isMatched
		const format = "the word leads through %s%s and %s%s"
		c.must(differ, format, sign(isDerived), derived, sign(isMatched), matched)
	}
}

// languageOf returns the language of a rule of a side: the stated result of the rule before
// emptyWord. It fails if no line states it.
func (c *checker) languageOf(side, name string) int {
	rule := c.intern(term{kind: "rule", side: side, name: name})
	return c.before(side, rule, emptyWord)
}

// followWord follows a word through the automaton from the language l. The word is in hexadecimal
// digits, or "-" if it is empty. It returns the languages on the way, l first, as "3-5-2", and
// whether the last of them accepts the empty word. If l is not declared, it fails by an index.
func (c *checker) followWord(l int, word string) (way string, accepted bool) {
	if word == "-" {
		word = ""
	}
	c.must(len(word)%2 == 0, "the word is not in hexadecimal digits")
	way = strconv.Itoa(l)
	for rest := word; rest != ""; rest = rest[2:] {
		b := c.readNumber(rest[:2], 16)
		l = c.languages[l].to[c.class[b]-1] // check has made sure that every byte has a class
		way += "-" + strconv.Itoa(l)
	}
	return way, c.languages[l].accepts
}

// sign returns the sign of a state that accepts the empty word, "+", or of one that does not, "-".
func sign(accepts bool) string {
	if accepts {
		return "+"
	}
	return "-"
}

// resultOf returns the result that a line states for a fact. It fails if there is no such line.
func (c *checker) resultOf(f fact) int {
	result, stated := c.results[f]
	c.must(stated, "this needs a line about %s %d %d", f.name, f.a, f.b)
	return result
}

// before returns the language "x before l" in a side. The empty term before l is l; any other
// needs a line.
func (c *checker) before(side string, x, l int) int {
	if x == empty {
		return l
	}
	return c.resultOf(fact{side, x, l})
}

// combine returns the union of the languages a and b, or a minus b. Some results follow from the
// numbers alone, such as a minus a; they need no line. All others do, and it fails if there is none.
func (c *checker) combine(operation string, a, b int) int {
	if operation == "minus" {
		switch {
		case a == b, b == everyWord:
			return noWord
		case b == noWord, a == noWord:
			return a
		}
		return c.resultOf(fact{operation, a, b})
	}
	switch {
	case a == b, b == noWord, a == everyWord:
		return a
	case a == noWord, b == everyWord:
		return b
	}
	return c.resultOf(fact{operation, a, b})
}

// checkOperation checks a union or minus line. The result must be right about the empty word, and
// on each class of bytes lead to the union (or difference) of the languages that a and b lead to.
// The lines about these may rest on this one in turn: by then the word is shorter by a byte.
func (c *checker) checkOperation(f fact) {
	c.must(f.a < len(c.languages), "there is no language %d", f.a)
	a, b := c.languages[f.a], c.languages[f.b]
	l := c.results[f]
	result := c.languages[l]
	accepts := a.accepts || b.accepts
	if f.name == "minus" {
		accepts = a.accepts && !b.accepts
	}
	c.must(result.accepts == accepts, "language %d is wrong about the empty word", l)
	for class := range slices.Max(c.class[:]) { // the numbers in c.class begin at 1, so that is how many there are
		want := c.combine(f.name, a.to[class], b.to[class])
		to := result.to[class]
		c.must(to == want, "language %d leads to %d on class %d, and not to %d", l, to, class, want)
	}
}

// checkTerm checks a bnf or peg line, "x before l is result", by the lines about the parts of x.
// The table in docs/certificates.md says how the parts determine the result. The first time that a
// rule is needed it parses its body, which adds terms: all lines must be read by then.
//
// The lines about the parts may rest on this one in turn. That is sound because canBeEmpty makes
// sure that x reads a byte before it uses itself: the answer for a word then depends only on
// shorter words, or on the same word and terms that x uses before it reads.
func (c *checker) checkTerm(f fact) {
	x, l, result := f.a, f.b, c.results[f]
	t := c.all[x]
	before := func(x, l int) int { return c.before(f.name, x, l) }

	// whereFails returns the words of l on which t.a fails: there a PEG goes on to the next
	// alternative. In a BNF the choice is free, so it returns all words of l.
	whereFails := func(l int) int {
		if f.name == "bnf" {
			return l
		}
		return c.combine("minus", l, before(t.a, everyWord))
	}

	c.must(x != empty, "the empty word needs no line")
	c.canBeEmpty(x) // fails if x can use itself before it has read anything
	want := result
	switch t.kind {
	case "bytes": // a byte of the set leads to l, and any other to noWord
		language := c.languages[result]
		c.must(!language.accepts, "language %d has the empty word", result)
		for b, class := range c.class {
			to := noWord
			if t.set.has(b) {
				to = l
			}
			right := language.to[class-1] == to
			c.must(right, "language %d is wrong about the byte %02x", result, b)
		}
	case "seq": // a before (b before l)
		want = before(t.a, before(t.b, l))
	case "alt": // (a before l) or (b before l), the latter where a fails
		want = c.combine("union", before(t.a, l), whereFails(before(t.b, l)))
	case "star": // the R with R = (a before R) or l, the latter where a fails
		// There is only one such R, because a reads a byte.
		c.must(!c.canBeEmpty(t.a), "not covered: a repetition of what can match the empty word")
		want = c.combine("union", before(t.a, result), whereFails(l))
	case "not": // l where a fails
		c.must(f.name == "peg", "not covered: a lookahead in a BNF")
		want = whereFails(l)
	case "rule": // the body before l
		c.must(t.side == f.name, "the rule is of the other grammar")
		want = before(c.sides[t.side].body(t.name), l)
	}
	c.must(want == result, "the parts make language %d, and not %d", want, result)
}

// canBeEmpty reports whether a term can match the empty word; if that depends on the input, it
// reports true. It visits every term that x can use before it reads a byte, and fails if one of
// them can use itself in this way, as in left recursion.
func (c *checker) canBeEmpty(x int) (can bool) {
	t := c.all[x]
	if known, visited := c.nullable[x]; visited {
		finished := known != nil
		c.must(finished, "not covered: %s can use itself before it has read anything", t.name)
		return *known
	}
	c.nullable[x] = nil // until all of its parts are visited
	switch t.kind {
	case "empty":
		can = true
	case "bytes":
		can = false
	case "seq": // b is visited only if a can be empty: otherwise a reads a byte before it
		can = c.canBeEmpty(t.a) && c.canBeEmpty(t.b)
	case "alt": // both must be visited, so || will not do
		a, b := c.canBeEmpty(t.a), c.canBeEmpty(t.b)
		can = a || b
	case "star", "not":
		c.canBeEmpty(t.a)
		can = true
	case "rule":
		can = c.canBeEmpty(c.sides[t.side].body(t.name))
	}
	c.nullable[x] = &can
	return can
}
