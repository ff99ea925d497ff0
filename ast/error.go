package ast

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/base/citation"
	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// EndOfInput is the Term of an [Expectation] that the input ends, and the result of
// [SyntaxError.Unexpected] for an input that ends too early.
const EndOfInput = "end of input"

// SyntaxError describes where and why a grammar does not derive an input.
//
// It explains one production, Explained: Start itself or, if Start is a choice among schemes, the
// production of the input's scheme. Offset is exact. Of the strings that Start derives with that
// choice, one begins with Input[:Offset], and none goes on with the byte at Offset (or, if Offset
// is len(Input), the input ends too early). If the values of the grammar are code points, Offset is
// the beginning of a character: no string goes on with this character, or its bytes are no
// character. Expected lists everything that could stand there. The order of alternatives plays no
// role.
//
// Another production may go further: RFC 1738's genericurl derives "http://a:/", but no httpurl
// begins with it. So "http://a:/#" is rejected at the "/", where httpurl fails, and not at the "#".
//
// The slices are shared with the grammar's tables and must not be changed.
type SyntaxError struct {
	Grammar   *Grammar
	Start     Kind   // the production that the input was parsed as
	Explained Kind   // the production that is explained: the scheme's own if the scheme is known
	Input     string // the whole input
	Offset    int    // in bytes; len(Input) if the input ends too early

	// In lists the productions that were being matched at Offset. The first is the innermost one
	// that all derivations of the input so far share: the hsegment inside a path, the host where a
	// hostname or a hostnumber may begin, the login where a user or a host may be open. A term that
	// follows an inner production does not count if that production could go on instead, except where
	// productions nest: after "[1, " of JSON it is the array, also where white space is a production
	// that could go on. A production that would only begin is the first of In if nothing else can be
	// read, or if it can be empty. Of two productions that read the same byte, one inside the other,
	// the inner counts if it began before. The others follow, inner before outer.
	In []Kind

	// Incomplete reports that Input is the beginning of a string that Start derives, so that more
	// input could complete it: see [ErrIncomplete]. Start may derive such a string even where
	// Explained goes on with nothing.
	Incomplete bool

	Expected []Expectation // what could stand at Offset; empty if Explained derives nothing
	Section  string        // the section of the text that prints In[0]
}

// Expectation is a terminal or lexical production that could be read, or the end of the input.
type Expectation struct {
	// Term is the RFC's name (uchar), the literal in quotes (";"), or EndOfInput. Of a literal that
	// was read in part it is the whole.
	Term  string
	First ByteSet // the bytes that it can begin with or, where a part of it was read, go on with; empty for EndOfInput
	In    []Kind  // the productions that read it here; empty for EndOfInput
}

// String returns the term.
func (x Expectation) String() string { return x.Term }

// ByteSet is a set of bytes: bit b%64 of element b/64 is set if it contains b.
type ByteSet [4]uint64

// ByteSetOf returns the set of the bytes of a string.
func ByteSetOf(bytes string) (s ByteSet) {
	for i := range len(bytes) {
		s[bytes[i]>>6] |= 1 << (bytes[i] & 63)
	}
	return s
}

// Has reports whether s contains b.
func (s ByteSet) Has(b byte) bool { return s[b>>6]>>(b&63)&1 == 1 }

// covers reports whether s contains every byte of t.
func (s ByteSet) covers(t ByteSet) bool {
	return t[0]&^s[0]|t[1]&^s[1]|t[2]&^s[2]|t[3]&^s[3] == 0
}

// Error returns the one-line message, safe for a terminal:
//
//	rfc1738: offset 9: unexpected "~" in hsegment; expected uchar, ";", "/", "?" or end of input (section 5)
//	ini: line 2, column 5 (offset 12): unexpected "=" in key; expected letter (ini.abnf:3)
//
// The place is an offset; from the second line of the input on, the line and column come first. The expected terms are
// those of [SyntaxError.Terms]. The message ends with the section of the text or, if that has none, with the file and
// line of the grammar that has the production. Of words and lines that are very long it has only the beginning and the
// end.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	if e.Grammar != nil {
		fmt.Fprintf(&b, "%s: ", e.Grammar.Name)
	}
	fmt.Fprintf(&b, "%s: unexpected %s", e.at(), e.Unexpected())
	if len(e.In) > 0 {
		if p := e.Grammar.Production(e.In[0]); p.Name != "" {
			b.WriteString(" in " + p.Name)
		}
	}
	if terms := e.Terms(); len(terms) > 0 {
		b.WriteString("; expected " + quote.List(terms, "or"))
	}
	if place := e.place(); place != "" {
		fmt.Fprintf(&b, " (%s)", place)
	}
	return quote.Bounded(b.String())
}

// String returns the message, so that a copy of the error prints as the error does.
func (e SyntaxError) String() string { return e.Error() }

// place returns where the text has the production that was being matched: "section 5",
// "ini.abnf:3", "line 3 of the grammar" from an older package without file names, or "" if it is
// not known.
func (e *SyntaxError) place() string {
	if e.Section != "" || len(e.In) == 0 {
		return citation.Place{Section: e.Section}.String()
	}
	p := e.Grammar.Production(e.In[0])
	switch {
	case p.Line == 0:
		return ""
	case p.File == "": // in a package that was generated before productions had their file
		return "line " + strconv.Itoa(p.Line) + " of the grammar"
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// Unexpected returns the byte at Offset, quoted by [Quote], or [EndOfInput]. If the grammar's
// values are code points, it returns the code point at Offset; one outside ASCII is written as
// U+061C, and a byte that is part of none is quoted.
func (e *SyntaxError) Unexpected() string {
	if e.Offset < 0 || e.Offset >= len(e.Input) {
		return EndOfInput
	}
	size := 1
	if e.Grammar != nil && e.Grammar.CodePoints {
		_, size = utf8.DecodeRuneInString(e.Input[e.Offset:])
		if size > 1 {
			return quote.CodePoints(e.Input[e.Offset : e.Offset+size])
		}
	}
	return Quote(e.Input[e.Offset : e.Offset+1])
}

// Terms returns the expected terms that the message names, in the order of Expected and each once.
// It omits a term whose first bytes all belong to another term, such as alpha if alphadigit is
// expected. A literal of several bytes makes no other term superfluous, and is omitted only if all
// its bytes belong to another term: "%09" if uchar is expected, but not "nntp:" if "news:" is.
func (e *SyntaxError) Terms() []string {
	var terms []string
	texts := make([]string, len(e.Expected)) // the bytes of each literal
	codePoints := e.Grammar != nil && e.Grammar.CodePoints
	// Literals of several bytes cover no other term. Of terms with the same bytes the first is enough.
	covering := coveringTerms{first: map[ByteSet][]int{}, byTerm: map[string][]int{}}
	for i := range e.Expected {
		if texts[i] = e.Expected[i].literal(); len(texts[i]) <= 1 {
			covering.add(e.Expected, i, codePoints)
		}
	}
	seen := map[string]bool{} // a choice of a thousand words expects as many terms
	for i := range e.Expected {
		term := e.Expected[i].Term
		if !seen[term] && !e.covered(i, texts[i], &covering) {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	return terms
}

// coveringTerms has the indexes in Expected of the terms that can make others superfluous. A class of
// characters can be thousands of terms with the same first bytes, so each is compared with few others.
type coveringTerms struct {
	sets   []ByteSet         // the keys of first, in the order of Expected
	first  map[ByteSet][]int // by first bytes: the first term; of code points also the next one that has another name
	byTerm map[string][]int  // of code points: those with different first bytes, by term
}

// add enters the i-th expectation. Of those with the same first bytes only the first is kept. With codePoints set,
// these are the first two with different terms, and in byTerm the first of each term.
func (c *coveringTerms) add(expected []Expectation, i int, codePoints bool) {
	x := &expected[i]
	if codePoints {
		sameBytes := func(j int) bool { return expected[j].First == x.First }
		if slices.ContainsFunc(c.byTerm[x.Term], sameBytes) {
			return
		}
		c.byTerm[x.Term] = append(c.byTerm[x.Term], i)
	}
	switch list := c.first[x.First]; {
	case len(list) == 0:
		c.sets = append(c.sets, x.First)
		c.first[x.First] = []int{i}
	case codePoints && len(list) == 1: // of two terms, at least one is another one than that which they may cover
		c.first[x.First] = append(list, i)
	}
}

// covered reports whether Terms omits the i-th expectation, because all its first bytes belong to
// another term. text is its literal, or "" if it is none. Of two terms with the same bytes, the first stays.
// The end of the input is never omitted.
func (e *SyntaxError) covered(i int, text string, covering *coveringTerms) bool {
	x := &e.Expected[i]
	if x.First == (ByteSet{}) {
		return false
	}
	bytes := x.First
	for _, b := range []byte(text) {
		bytes[b>>6] |= 1 << (b & 63)
	}
	by := func(j int) bool {
		y := &e.Expected[j]
		switch {
		case j == i || x.Term == y.Term && x.First == y.First:
			return false // the same expectation
		case bytes == y.First:
			return j < i
		}
		return y.First.covers(bytes)
	}
	if e.Grammar != nil && e.Grammar.CodePoints && x.First[2]|x.First[3] != 0 { // beyond ASCII a first byte says little
		return slices.ContainsFunc(covering.byTerm[x.Term], by)
	}
	for _, set := range covering.sets {
		if set.covers(bytes) && slices.ContainsFunc(covering.first[set], by) {
			return true
		}
	}
	return false
}

// literal returns the text of a term that is a literal, and "" for any other term. If a message has
// shortened the literal, it returns the beginning.
func (x *Expectation) literal() string {
	if !strings.HasPrefix(x.Term, `"`) && !strings.HasPrefix(x.Term, "`") {
		return ""
	}
	quoted, _ := strconv.QuotedPrefix(x.Term) // a long literal has only its beginning in quotes
	text, _ := strconv.Unquote(quoted)
	return text
}

// TooLongError is the error for an input that is refused for its length. Such an input is not parsed.
type TooLongError struct {
	Limit, Length int // in bytes
}

// Error returns the one-line message.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("input of %d bytes is longer than the limit of %d", e.Length, e.Limit)
}

// String returns the message.
func (e TooLongError) String() string { return e.Error() }
