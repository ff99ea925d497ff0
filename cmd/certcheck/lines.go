package main

import (
	"slices"
	"strconv"
	"strings"
)

// This file reads the lines of a certificate: docs/certificates.md has a table of them.

// readLine reads a line, which consists of words, three or more but for a line about a table. It
// returns how the line is checked when all are read.
func (c *checker) readLine(words []string) (check func()) {
	nothing := func() {} // a declaration says nothing that could be wrong later
	switch kind := words[0]; kind {
	case "class":
		c.readClass(words, &c.class)
		return nothing
	case "column":
		c.readClass(words, &c.column)
		return nothing
	case "term":
		c.readTerm(words)
		return nothing
	case "language": // language N + CLASSES:M ...
		c.must(words[1] == strconv.Itoa(len(c.languages)), "expected language %d", len(c.languages))
		c.languages = append(c.languages, c.state(words[2], words[3:], slices.Max(c.class[:])))
		return nothing
	case "row":
		q := c.readRow(words)
		return func() { c.checkRow(q) }
	case "union", "minus": // union A B is C
		c.must(len(words) == 5 && words[3] == "is", "expected %s A B is C", kind)
		f := fact{kind, c.number(words[1], 10), c.number(words[2], 10)}
		c.enterFact(f, c.number(words[4], 10))
		return func() { c.checkOperation(f) }
	case "bnf", "peg": // bnf T before L is M
		formed := len(words) == 6 && words[2] == "before" && words[4] == "is" && c.number(words[1], 10) < len(c.all)
		c.must(formed, "expected %s T before L is M, of a term above", kind)
		f := fact{kind, c.number(words[1], 10), c.number(words[3], 10)}
		c.enterFact(f, c.number(words[5], 10))
		return func() { c.checkTerm(f) }
	case "equal", "differ", "open", "table":
		return func() { c.checkStatement(words) }
	default:
		c.must(false, "unexpected %q", kind)
		return nil
	}
}

// enterFact enters the result of a fact, which is stated once, about languages that exist.
func (c *checker) enterFact(f fact, is int) {
	_, ok := c.is[f]
	c.must(!ok && max(f.b, is) < len(c.languages), "this is stated twice, or about a language that there is not")
	c.is[f] = is
}

// readClass reads class N SET, or column N SET. Each has a byte, so that there are 256 at most.
func (c *checker) readClass(words []string, of *[256]int) {
	s := c.set(words[2])
	n := slices.Max(of[:])
	c.must(len(words) == 3 && words[1] == strconv.Itoa(n), "expected %s %d and bytes", words[0], n)
	c.must(s != (set{}), "a class has no byte")
	for b := range of {
		if s.has(b) {
			c.must(of[b] == 0, "the byte %02x is in two classes", b)
			of[b] = n + 1
		}
	}
}

// readTerm reads term N KIND ..., of terms above it. All terms are from such lines, until a rule
// of a grammar is needed.
func (c *checker) readTerm(words []string) {
	t := term{kind: words[2]}
	x := len(c.all)
	length := map[string]int{"bytes": 4, "star": 4, "not": 4, "rule": 5, "seq": 5, "alt": 5}[t.kind]
	c.must(len(words) == length && words[1] == strconv.Itoa(x), "expected term %d, of a kind that there is", x)
	switch t.kind {
	case "bytes":
		t.set = c.set(words[3])
	case "rule":
		t.side, t.name = words[3], words[4]
		c.must(c.sides[t.side] != nil, "unexpected %q", t.side)
	case "seq", "alt":
		t.b = c.number(words[4], 10)
		t.a = c.number(words[3], 10)
	case "star", "not":
		t.a = c.number(words[3], 10)
	}
	c.must(max(t.a, t.b) < x && c.mk(t) == x, "this is a term above, or of one that is not")
}

// readRow reads row N + is L COLUMNS:M ..., and returns N.
func (c *checker) readRow(words []string) int {
	c.must(len(words) > 4 && words[3] == "is", "expected row N + is L")
	q := c.number(words[1], 10)
	row := c.state(words[2], words[5:], slices.Max(c.column[:]))
	c.must(q > 0 && c.rows[q].to == nil, "this is state 0, or stated twice")
	row.is = c.number(words[4], 10)
	c.rows[q] = row
	return q
}

// state reads whether a state accepts, + or -, and where classes lead: "12-14:5". A class that is
// not named leads to 0.
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

// set reads a set of bytes in hexadecimal digits: "2d,30-39", or "none".
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

// ends reads the ends of a range, "12-14", or the one that both are.
func (c *checker) ends(text string, base int) (low, high int) {
	ends := strings.SplitN(text, "-", 2)
	return c.number(ends[0], base), c.number(ends[len(ends)-1], base)
}

// number reads a number, whose digits beyond 9 are in lower case.
func (c *checker) number(word string, base int) int {
	n, err := strconv.ParseUint(word, base, 31)
	c.must(err == nil && word == lower(word), "expected a number, found %q", word)
	return int(n)
}
