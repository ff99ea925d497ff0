// Package fuzztest makes grammars of bytes, for fuzz targets: unlike one of text, a mutation of these bytes is a grammar.
package fuzztest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Letters are the bytes that the terminals of a [Grammar] are made of.
const Letters = "abc"

// Words are all strings of [Letters] of up to four bytes. They tell most small grammars apart.
var Words = pegtest.Words(Letters, 4)

// A Grammar is a few productions, r0 first. Each uses the later ones, and some use an earlier one or themselves.
type Grammar struct {
	rules []*node
}

type op uint8

const (
	literal op = iota
	class
	ref
	sequence
	choice
	repetition
)

// A node is an expression, small enough to be written in every notation.
type node struct {
	op       op
	text     string // of a literal, or the letters of a class
	rule     int    // of a reference
	sub      []*node
	min, max int // of a repetition; a max of 0 is none
}

// maxNodes bounds a grammar, so that all that is computed of it is small.
const maxNodes = 24

// A source hands out the bytes. Behind the last it is all zeros.
type source struct {
	data  []byte
	nodes int
}

func (s *source) pick(n int) int {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return int(b) % n
}

// Random returns the bytes of a random grammar, or of changes. Unless it may recurse, none of its productions uses itself or an earlier one.
func Random(rng *rand.Rand, n int, recurse bool) []byte {
	b := make([]byte, n)
	for i := range b {
		if b[i] = byte(rng.IntN(256)); b[i]%16 == 15 && !recurse {
			b[i] -= byte(1 + rng.IntN(15))
		}
	}
	return b
}

// New returns the grammar of some bytes. Of no bytes it is `r0 = "a"`.
func New(data []byte) *Grammar {
	s := &source{data: data}
	g := &Grammar{rules: make([]*node, 1+s.pick(4))}
	for i := range g.rules {
		g.rules[i] = s.expression(i, len(g.rules), 3)
	}
	return g
}

func (s *source) expression(rule, rules, depth int) *node {
	s.nodes++
	kinds := 12
	if depth == 0 || s.nodes > maxNodes {
		kinds = 5
	}
	switch k := s.pick(kinds); {
	case k < 2:
		return &node{op: literal, text: [...]string{"a", "b", "c", "ab", "bc", "aa", "abc", "cb"}[s.pick(8)]}
	case k == 2:
		return &node{op: class, text: [...]string{"ab", "bc", "ac", "abc"}[s.pick(4)]}
	case k < 5:
		if n := s.pick(16); n == 15 { // itself, or an earlier one
			return &node{op: ref, rule: s.pick(rule + 1)}
		} else if rule+1 < rules {
			return &node{op: ref, rule: rule + 1 + n%(rules-rule-1)}
		}
		return &node{op: literal, text: "b"}
	case k < 8:
		return &node{op: sequence, sub: s.several(rule, rules, depth)}
	case k < 10:
		return &node{op: choice, sub: s.several(rule, rules, depth)}
	}
	bounds := [...][2]int{{0, 1}, {0, 0}, {1, 0}, {2, 3}, {2, 2}, {0, 2}, {1, 2}, {2, 0}}[s.pick(8)]
	return &node{op: repetition, min: bounds[0], max: bounds[1], sub: []*node{s.expression(rule, rules, depth-1)}}
}

func (s *source) several(rule, rules, depth int) []*node {
	list := make([]*node, 2+s.pick(2))
	for i := range list {
		list[i] = s.expression(rule, rules, depth-1)
	}
	return list
}

// ABNF returns the grammar in the notation of RFC 5234 and RFC 7405.
func (g *Grammar) ABNF() string {
	var b strings.Builder
	for i, e := range g.rules {
		fmt.Fprintf(&b, "r%d = %s\n", i, e.abnf())
	}
	return b.String()
}

func (e *node) abnf() string {
	switch e.op {
	case literal:
		return `%s"` + e.text + `"`
	case class:
		return "(%s\"" + strings.Join(strings.Split(e.text, ""), "\" / %s\"") + "\")"
	case ref:
		return fmt.Sprint("r", e.rule)
	case repetition:
		body := e.sub[0].abnf()
		switch {
		case e.min == 0 && e.max == 1:
			return "[" + body + "]"
		case e.max == 0:
			return fmt.Sprintf("%d*(%s)", e.min, body)
		}
		return fmt.Sprintf("%d*%d(%s)", e.min, e.max, body)
	}
	return "(" + e.join((*node).abnf, map[op]string{sequence: " ", choice: " / "}[e.op]) + ")"
}

func (e *node) join(write func(*node) string, by string) string {
	var parts []string
	for _, s := range e.sub {
		parts = append(parts, write(s))
	}
	return strings.Join(parts, by)
}

// PEG returns a transcription of the grammar in pigeon's notation. Without changes it has the alternatives as they are printed; each byte
// that is not zero changes one place: the order of alternatives, a lookahead before or behind an expression, or a bound that is lost.
func (g *Grammar) PEG(changes []byte) string {
	s := &source{data: changes}
	var b strings.Builder
	for i, e := range g.rules {
		fmt.Fprintf(&b, "r%d <- %s\n", i, e.peg(s))
	}
	return b.String()
}

func (e *node) peg(s *source) string {
	change := s.pick(16)
	text := e.unchanged(s, change)
	switch change {
	case 13:
		return `( &"a" ` + text + " / " + text + " )"
	case 14:
		return "( " + text + ` !"b" )`
	case 15:
		return "( " + text + " !. )"
	}
	return text
}

func (e *node) unchanged(s *source, change int) string {
	write := func(n *node) string { return n.peg(s) }
	switch e.op {
	case literal:
		return `"` + e.text + `"`
	case class:
		return "[" + e.text + "]"
	case ref:
		return fmt.Sprint("r", e.rule)
	case sequence:
		return "( " + e.join(write, " ") + " )"
	case choice:
		n := change % len(e.sub)
		turned := node{sub: append(append([]*node{}, e.sub[n:]...), e.sub[:n]...)}
		return "( " + turned.join(write, " / ") + " )"
	}
	body := "( " + write(e.sub[0]) + " )"
	least := strings.Repeat(body+" ", e.min)
	switch {
	case e.max == 0 && e.min == 1:
		return body + "+"
	case e.max == 0 || change == 12:
		return "( " + least + body + "* )"
	}
	rest := ""
	for range e.max - e.min {
		rest = "( " + body + " " + rest + " )?"
	}
	return "( " + least + rest + " )"
}
