package vectors

import (
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// acceptedCover returns the accepted words of a transition cover, at most so many.
func acceptedCover(a *lang.DFA, most int) []string {
	words := slices.DeleteFunc(a.TransitionCover(), func(w string) bool { return !a.Match(w) })
	return words[:min(most, len(words))]
}

// The tables say of each word which production it breaks, and where, as an explained rejection does.
func TestBrokenByTables(t *testing.T) {
	for _, test := range []struct{ grammar, production string }{
		{"rfc3986", "host"}, {"rfc1738", "url"}, {"rfc1738", "ftpurl"}, {"rfc1630", "uri"},
	} {
		g := must.Of(bnfcheck.Find(test.grammar))(t)
		s := must.Of(NewSubject(g.Grammar, test.production))(t)
		tables, ok := s.explainingTables()
		if !ok {
			t.Fatalf("%s has no tables", test.production)
		}
		x, tried := newEditedWord(s.DFA), 0
		for _, w := range acceptedCover(s.DFA, 100) {
			x.set(w)
			x.setTables(s, tables)
			x.eachRejected(func(e wordEdit) {
				tried++
				v := e.apply(w)
				id, at := s.brokenByTables(tables, v)
				if wantID, want, _ := s.brokenProduction(v); id != wantID || at != want {
					t.Errorf("%q breaks %s at %d by the tables, %s at %d by its explanation", v, id, at, wantID, want)
				}
				gotID, got, state := x.breakOf(s, e)
				if gotID != id || got != at || state != s.DFA.Run(0, v[:at]) {
					t.Errorf("%q breaks %s at %d by the edit, in state %d", v, gotID, got, state)
				}
				b, ok := e.byteAt(w, at)
				if ok != (at < len(v)) || ok && b != v[at] {
					t.Errorf("%q has %q at %d by the edit", v, b, at)
				}
			})
		}
		if tried < 400 {
			t.Errorf("%s: only %d words were tried", test.production, tried)
		}
	}
}

// What the edits of earlier words make is found out from the words alone.
func TestEditedWords(t *testing.T) {
	g := must.Of(bnfcheck.Find("rfc1738"))(t)
	s := must.Of(NewSubject(g.Grammar, "host"))(t)
	words := acceptedCover(s.DFA, 40)
	edited := newEditedWords(s.DFA, words)
	x := newEditedWord(s.DFA)
	made := map[string]bool{}
	again := 0
	for i, w := range words {
		var here []string
		x.set(w)
		x.eachRejected(func(e wordEdit) {
			v := e.apply(w)
			if edited.madeEarlier(i, v) != made[v] {
				t.Errorf("%q, an edit of %q: before = %v, want %v", v, w, !made[v], made[v])
			}
			if made[v] {
				again++
			}
			here = append(here, v)
		})
		for _, v := range here {
			made[v] = true
		}
	}
	if again < 100 || len(made) < 100 {
		t.Errorf("%d words were made, %d of them by several", len(made), again)
	}
}
