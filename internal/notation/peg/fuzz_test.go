package peg_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Any text is refused with a place, or read as rules that stand in it, whose automaton accepts what the interpreter matches.
func FuzzRead(f *testing.F) {
	f.Add("{ package a }\n\n// ! a = b 1*b   RFC 1, page 1\na \"a\" <- v:( b ( '-'* b )* ) { return c.node(\"a\", v) }\nb <- [0-9a-f]i / \"%\" a\n", "a-b")
	f.Add("a <- [^\\p{L}b-]i* / 'x'i !. //{l} ( &{ } )", "x")
	f.Add("a <- b / &\"x\" . a?\nb <- !'y' [a-c]+", "xab")
	f.Fuzz(func(t *testing.T, src, word string) {
		g, err := peg.Read("fuzz.peg", []byte(src))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.peg:") {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		for _, r := range g.Rules {
			if !strings.Contains(src, r.Printed) {
				t.Errorf("rule %s is not in the source: %q", r.ID, r.Printed)
			}
		}
		if again, err := peg.Read("fuzz.peg", []byte(src)); err != nil || len(again.Rules) != len(g.Rules) {
			t.Errorf("%q is read in two ways (%v)", src, err)
		}
		if len(g.Rules) == 0 || len(src) > 300 || len(word) > 20 {
			return
		}
		start := expr.To(g.Rules[0].ID)
		space := lang.NewSpace(lang.Limits{NFA: 1 << 12, DFA: 1 << 8, Bytes: 8 << 20, Steps: 1 << 18}, []*expr.Grammar{g})
		p, err := space.PEG(g)
		if err != nil || p.WellFormed(g.Rules[0].ID) != nil {
			return // it is not defined for every string
		}
		l, err := p.WholeOf(start)
		if err != nil {
			return
		}
		for _, w := range []string{"", word} {
			if end, _ := peg.Match(g, start, w, 0); (end == len(w)) != space.Match(l, w) {
				t.Errorf("%q matches %q up to %d, and its automaton: %t", src, w, end, space.Match(l, w))
			}
		}
	})
}

// Any bytes end with an error that has a place, or with a grammar whose automata accept what the interpreter matches.
func FuzzPeggy(f *testing.F) {
	f.Add("a = b:('x'i / [^a-c\\n]) c* { return b; }\nc 'name' = $('\\u{41}' ..) / !'y' . / &{ return true; }\n")
	f.Add("{{ var x; }}\na = @b|2..3, ','| / #'z'\nb = 'é' // c\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := peg.Options{}.ReadPeggy("t.peggy", []byte(text))
		if err != nil {
			if at, ok := errors.AsType[*expr.Error](err); !ok || at.Pos.Line < 1 || at.Pos.Col < 1 {
				t.Errorf("%q: no place: %v", text, err)
			}
			return
		}
		if len(text) > 300 {
			return
		}
		space := lang.NewSpace(lang.Limits{NFA: 1 << 12, DFA: 1 << 8, Bytes: 8 << 20, Steps: 1 << 18}, []*expr.Grammar{g})
		p, automataErr := space.PEG(g)
		for _, r := range g.Rules {
			for _, w := range []string{"", "x😀y", text[:min(20, len(text))]} {
				end, _ := peg.Match(g, expr.To(r.ID), w, 0)
				if end > len(w) {
					t.Fatalf("%q: %s matches %q up to %d", text, r.ID, w, end)
				}
				if automataErr != nil || r.Refused != nil || p.WellFormed(r.ID) != nil {
					continue
				}
				l, err := p.WholeOf(expr.To(r.ID))
				if err == nil && (end == len(w)) != space.Match(l, w) {
					t.Fatalf("%q: %s matches %q up to %d, and its automaton: %t", text, r.ID, w, end, space.Match(l, w))
				}
			}
		}
	})
}
