package main

import (
	"slices"
	"strconv"
	"strings"
)

// This file reads the lines of a certificate: docs/certificates.md has a table of them.

// readLine reads a line: it enters into the checker what the words declare, or the fact that they
// state. It returns the check of the line, which must wait until all lines are read. An equal, differ,
// open or table line is left to that check: see checkStatement. Any other line fails here if it does
// not have the form of its kind. There are three words or more, except on a line about a table.
func (c *checker) readLine(words []string) (check func()) {
	nothing := func() {} // a declaration needs no check: it claims nothing
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
		n := len(c.languages)
		c.must(words[1] == strconv.Itoa(n), "expected language %d", n)
		c.languages = append(c.languages, c.readState(words[2], words[3:], slices.Max(c.class[:])))
		return nothing
	case "row":
		q := c.readRow(words)
		return func() { c.checkRow(q) }
	case "union", "minus": // union A B is C
		c.must(len(words) == 5 && words[3] == "is", "expected %s A B is C", kind)
		f := fact{kind, c.readNumber(words[1], 10), c.readNumber(words[2], 10)}
		c.recordFact(f, c.readNumber(words[4], 10))
		return func() { c.checkOperation(f) }
	case "bnf", "peg": // bnf T before L is M
		formed := len(words) == 6 && words[2] == "before" && words[4] == "is"
		declared := formed && c.readNumber(words[1], 10) < len(c.all)
		c.must(declared, "expected %s T before L is M, of a term above", kind)
		f := fact{kind, c.readNumber(words[1], 10), c.readNumber(words[3], 10)}
		c.recordFact(f, c.readNumber(words[5], 10))
		return func() { c.checkTerm(f) }
	case "equal", "differ", "open", "table":
		return func() { c.checkStatement(words) }
	default:
		c.must(false, "unexpected %q", kind)
		return nil
	}
}

// recordFact enters the result of a fact. Each fact is stated once. The result and f.b must be
// languages declared above. f.a is checked by readLine if it is a term, and by checkOperation if it
// is a language.
func (c *checker) recordFact(f fact, result int) {
	_, stated := c.results[f]
	declared := max(f.b, result) < len(c.languages)
	c.must(!stated && declared, "this is stated twice, or about a language that there is not")
	c.results[f] = result
}

// readClass reads "class N SET" or "column N SET" and enters N+1 into classOf for each byte of the
// set. It fails unless N is the number of classes above, and the set has a byte and none of another
// class. So there are at most 256 classes.
func (c *checker) readClass(words []string, classOf *[256]int) {
	s := c.readSet(words[2])
	n := slices.Max(classOf[:])
	c.must(len(words) == 3 && words[1] == strconv.Itoa(n), "expected %s %d and bytes", words[0], n)
	c.must(s != (set{}), "a class has no byte")
	for b := range classOf {
		if s.has(b) {
			c.must(classOf[b] == 0, "the byte %02x is in two classes", b)
			classOf[b] = n + 1
		}
	}
}

// wordsOfTerm has the number of words on a term line of each kind.
var wordsOfTerm = map[string]int{
	"bytes": 4, // term N bytes SET
	"star":  4, // term N star A
	"not":   4, // term N not A
	"rule":  5, // term N rule SIDE NAME
	"seq":   5, // term N seq A B
	"alt":   5, // term N alt A B
}

// readTerm reads "term N KIND ..." and adds the term. It fails unless the term is new and its parts are
// terms above. The grammars have no terms yet, since none of their rules is parsed before all lines are
// read: so N must be the number that intern gives.
func (c *checker) readTerm(words []string) {
	t := term{kind: words[2]}
	x := len(c.all)
	formed := len(words) == wordsOfTerm[t.kind] && words[1] == strconv.Itoa(x)
	c.must(formed, "expected term %d, of a kind that there is", x)
	switch t.kind {
	case "bytes":
		t.set = c.readSet(words[3])
	case "rule":
		t.side, t.name = words[3], words[4]
		c.must(c.sides[t.side] != nil, "unexpected %q", t.side)
	case "seq", "alt":
		t.b = c.readNumber(words[4], 10)
		t.a = c.readNumber(words[3], 10)
	case "star", "not":
		t.a = c.readNumber(words[3], 10)
	}
	isNew := max(t.a, t.b) < x && c.intern(t) == x
	c.must(isNew, "this is a term above, or of one that is not")
}

// readRow reads "row N + is L COLUMNS:M ...", adds the row, and returns N. It fails if N is 0 or was stated
// before. That L and the rows M exist is left to checkRow.
func (c *checker) readRow(words []string) int {
	c.must(len(words) > 4 && words[3] == "is", "expected row N + is L")
	q := c.readNumber(words[1], 10)
	row := c.readState(words[2], words[5:], slices.Max(c.column[:]))
	c.must(q > 0 && c.rows[q].to == nil, "this is state 0, or stated twice")
	row.language = c.readNumber(words[4], 10)
	c.rows[q] = row
	return q
}

// readState reads the end of a language or row line. The sign, + or -, says whether the state accepts the
// empty word. Each step, such as "12-14:5", gives some of the classes, which are below limit, a successor.
// The classes must ascend; those without a step lead to 0. The caller checks that the successors exist.
func (c *checker) readState(sign string, steps []string, limit int) state {
	s := state{accepts: sign == "+", to: make([]int, limit)}
	c.must(s.accepts || sign == "-", "expected + or -")
	next := 0 // the first class that no step has passed
	for _, step := range steps {
		classes, to, _ := strings.Cut(step, ":")
		low, high := c.readRange(classes, 10)
		ascend := next <= low && low <= high && high < limit
		c.must(ascend, "the classes %s are not in order, or not there", classes)
		for next = low; next <= high; next++ {
			s.to[next] = c.readNumber(to, 10)
		}
	}
	return s
}

// readSet reads a set of bytes in hexadecimal digits: "2d,30-39", or "none". The parts may be in any order,
// and overlap.
func (c *checker) readSet(text string) (s set) {
	if text == "none" {
		return s
	}
	for part := range strings.SplitSeq(text, ",") {
		low, high := c.readRange(part, 16)
		c.must(low <= high && high < 256, "unexpected bytes %q", part)
		s.add(low, high)
	}
	return s
}

// readRange reads both ends of a range such as "12-14". The range "12" is the number alone.
func (c *checker) readRange(text string, base int) (low, high int) {
	ends := strings.SplitN(text, "-", 2)
	return c.readNumber(ends[0], base), c.readNumber(ends[len(ends)-1], base)
}

// readNumber reads a number below 1<<31. Hexadecimal digits must be in lower case.
func (c *checker) readNumber(word string, base int) int {
	n, err := strconv.ParseUint(word, base, 31)
	c.must(err == nil && word == lowerASCII(word), "expected a number, found %q", word)
	return int(n)
}
