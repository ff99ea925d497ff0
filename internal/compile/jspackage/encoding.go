package jspackage

import (
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file decides how a module reads strings. Tables read bytes, and a string of JavaScript has
// none. A grammar of code points was turned into bytes by way of UTF-8. A grammar of bytes may spell
// UTF-8, as RFC 3629 and JSON in RFC 8259 do: then the bytes of a string are its UTF-8 too. Or it may
// have bytes above 0x7F that do not, as HTTP's obs-text: then a character of a string is a byte, as
// node gives headers. Where all bytes are ASCII both are the same.

// An encoding is how strings are read.
type encoding string

const (
	utf8   encoding = "utf8"
	latin1 encoding = "latin1"
)

// encodingOf returns how strings are read as a production: as UTF-8 if the grammar is one of code points, or if all
// that the production derives is UTF-8, and otherwise as Latin-1. A part that uses a production that uses itself is
// not judged as a whole but by its own parts, one by one. What is too large for an automaton counts as no UTF-8.
func encodingOf(g *expr.Grammar, start *expr.Rule) encoding {
	if g.CodePoints {
		return utf8
	}
	d := &encodingFinder{g: g, facts: expr.Analyze(g.Rules), seen: map[string]bool{}}
	if d.spellsUTF8(expr.To(start.ID)) {
		return utf8
	}
	return latin1
}

// An encodingFinder looks for bytes that are no UTF-8.
type encodingFinder struct {
	g     *expr.Grammar
	facts *expr.Facts
	seen  map[string]bool // productions that use themselves, and were looked into
}

// spellsUTF8 reports whether e derives UTF-8 only. It is false where that is not known: if an automaton is too
// large, or if e nests and one of its parts is not UTF-8 by itself, even where its parts together are. It enters
// the productions that it looks into in d.seen, and takes those for UTF-8 when they come again, so a finder answers
// one question.
func (d *encodingFinder) spellsUTF8(e *expr.Expr) bool {
	if !d.hasHighBytes(e) {
		return true
	}
	if !d.nests(e) {
		rule := &expr.Rule{ID: "\x00part", Name: "part", Expr: e}
		part := d.g.With(append(slices.Clip(d.g.Rules), rule))
		language, err := lang.FromBNF(part, rule.ID)
		return err == nil && language.Subset(utf8Language())
	}
	if e.Op == expr.Ref {
		if d.seen[e.Name] {
			return true
		}
		d.seen[e.Name] = true
		r := d.g.Rule(e.Name)
		return r == nil || d.spellsUTF8(r.Expr)
	}
	for _, s := range e.Sub {
		if !d.spellsUTF8(s) {
			return false
		}
	}
	return true
}

// used returns e and the expressions of all productions that it uses.
func (d *encodingFinder) used(e *expr.Expr) []*expr.Expr {
	all := []*expr.Expr{e}
	for _, r := range d.g.Those(d.facts.Used(e)) {
		all = append(all, r.Expr)
	}
	return all
}

// hasHighBytes reports whether e has a byte above 0x7F.
func (d *encodingFinder) hasHighBytes(e *expr.Expr) bool {
	return slices.ContainsFunc(d.used(e), hasHighByte)
}

// hasHighByte is hasHighBytes for e without the productions that it uses.
func hasHighByte(e *expr.Expr) bool {
	switch e.Op {
	case expr.Class:
		return !e.Set.Intersect(expr.Range(0x80, 0xff)).IsEmpty()
	case expr.Literal:
		return slices.ContainsFunc([]byte(e.Lit), func(b byte) bool { return b > 0x7f })
	}
	return slices.ContainsFunc(e.Sub, hasHighByte)
}

// nests reports whether e uses a production that uses itself.
func (d *encodingFinder) nests(e *expr.Expr) bool {
	for _, r := range d.g.Those(d.facts.Used(e)) {
		if d.facts.Component(r.ID).Recursive {
			return true
		}
	}
	return false
}

// utf8Language returns the automaton of all UTF-8: see RFC 3629, section 4.
var utf8Language = sync.OnceValue(func() *lang.DFA {
	between := func(lo, hi byte) *expr.Expr { return expr.In(expr.Range(lo, hi)) }
	tail := between(0x80, 0xbf)
	character := expr.Or(
		between(0, 0x7f),
		expr.Cat(between(0xc2, 0xdf), tail),
		expr.Cat(between(0xe0, 0xe0), between(0xa0, 0xbf), tail),
		expr.Cat(between(0xe1, 0xec), tail, tail),
		expr.Cat(between(0xed, 0xed), between(0x80, 0x9f), tail),
		expr.Cat(between(0xee, 0xef), tail, tail),
		expr.Cat(between(0xf0, 0xf0), between(0x90, 0xbf), tail, tail),
		expr.Cat(between(0xf1, 0xf3), tail, tail, tail),
		expr.Cat(between(0xf4, 0xf4), between(0x80, 0x8f), tail, tail),
	)
	rule := &expr.Rule{ID: "UTF8-octets", Name: "UTF8-octets", Expr: expr.Times(character, 0, expr.Unbounded)}
	language, err := lang.FromBNF(&expr.Grammar{Name: "UTF-8", Rules: []*expr.Rule{rule}}, rule.ID)
	if err != nil { // it has some ten states
		return lang.Empty()
	}
	return language
})
