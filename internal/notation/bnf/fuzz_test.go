package bnf_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// The text of any document is read, with its blocks in order and each notice at its place in it, or refused with a
// place in it. What is read derives the same strings by an automaton and by an interpreter.
func FuzzDocument(f *testing.F) {
	f.Add([]byte("a = *3( b / [c] ) %x41-5A \"x\"\nb = DIGIT ; one\nc =/ %d13.10 / <b>\n"), uint8(0), "4x")
	f.Add([]byte("\n1. Grammar\n\n      item = %xe9 / 1#word\n      word = %s\"a\"\n\nDoe                 Informational               [Page 1]\n\f\nRFC 1   Title   1999\n\n      word = %s\"a\"\n"), uint8(5), "a,a")
	f.Add([]byte("a ::= b | c_d\r\n  \tb\r\nb = 2c_d\nc_d = %x100-10FFFF\n"), uint8(2), "\u0100")
	f.Fuzz(func(t *testing.T, text []byte, how uint8, word string) {
		if len(text) > 2000 {
			return
		}
		n := bnf.Usual
		n.Text = how&1 != 0
		n.Values, _ = bnf.ParseValues([]string{"auto", "octets", "code-points"}[how>>1%3])
		n.Lists, _ = bnf.ParseLists([]string{"sender", "recipient", "2616"}[how>>3%3])
		lines := bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) + 1
		d, err := bnf.ReadDocument("g.abnf", text, "abnf", n)
		if err != nil {
			at, ok := errors.AsType[*expr.Error](err)
			if !ok || at.Pos.Line < 1 || at.Pos.Line > lines || at.Pos.Col < 1 {
				t.Fatalf("%q: no place: %v", text, err)
			}
			return
		}
		last := 0
		for _, b := range d.Blocks {
			if b.First <= last && b.LeftOut == "" || b.Last < b.First || b.Last > lines {
				t.Fatalf("%q has %d lines, and the blocks %v", text, lines, d.Blocks)
			}
			if b.LeftOut == "" {
				last = b.Last
			}
		}
		for _, x := range d.Notices {
			if x.Pos.Line < 1 || x.Pos.Line > lines || x.Message == "" {
				t.Fatalf("%q: %v", text, x)
			}
		}
		if len(d.Grammar.Rules) == 0 || len(word) > 6 {
			return
		}
		id := d.Grammar.Rules[0].ID
		space := lang.NewSpace(lang.Limits{NFA: 1 << 12, DFA: 1 << 8, Bytes: 8 << 20, Steps: 1 << 18}, []*expr.Grammar{d.Grammar})
		b, err := space.BNF(d.Grammar)
		if err != nil {
			return
		}
		l, err := b.Of(id)
		if err != nil || len(bnf.Missing(d.Grammar, id)) > 0 {
			return
		}
		for _, w := range []string{"", word} {
			if ok := pegtest.Derives(d.Grammar, id, w); ok != space.Match(l, w) {
				t.Fatalf("%q: %s derives %q: %t, by the automaton %t", text, id, w, ok, space.Match(l, w))
			}
		}
	})
}
