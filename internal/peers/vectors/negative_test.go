package vectors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/peers/anygrammar"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// acceptedCover returns the accepted words of a transition cover, at most so many.
func acceptedCover(a *lang.DFA, most int) []string {
	words := slices.DeleteFunc(a.TransitionCover(), func(w string) bool { return !a.Match(w) })
	return words[:min(most, len(words))]
}

// ofText returns a grammar's production as a subject, with tables that explain rejections.
func ofText(t *testing.T, name, text string) *Subject {
	t.Helper()
	o := catalog.Usual
	o.Notation.Budget = budget.New(context.Background(), budget.Limits{Steps: 1 << 40})
	if text != "" {
		o.Kind, o.Stdin = catalog.ABNF, strings.NewReader(text)
	}
	opened := must.Of(catalog.Open(name, o))(t)
	p := must.Of(anygrammar.New(opened))(t)
	g := must.Of(p.Explained())(t)
	id := g.Production(p.Start).ID
	return &Subject{Grammar: g, Production: p.Start, DFA: must.Of(lang.FromBNF(opened.Grammar, id))(t)}
}

// The tables say of each word which production it breaks, and where, as an explained rejection does.
func TestBrokenByTables(t *testing.T) {
	for _, test := range []struct{ grammar, production string }{
		{"rfc3986", "host"}, {"rfc1738", "url"}, {"rfc1738", "ftpurl"}, {"rfc1630", "uri"},
	} {
		g := must.Of(bnfcheck.Find(test.grammar))(t)
		if tried := checkBroken(t, must.Of(NewSubject(g.Grammar, test.production))(t)); tried < 400 {
			t.Errorf("%s: only %d words were tried", test.production, tried)
		}
	}
}

// Of code points, a word breaks at the beginning of a character.
func TestBrokenByTablesOfCodePoints(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"-#s", "s = 1*9( %x61-7A / %xC0-24F )\n"},
		{"-#s", "s = *3( a / b ) [c]\na = %x100-107 \".\" b\nb = %x1200-1207 / %x1240-124F\nc = %x1F600 / %x1208 \"!\"\n"},
		{"-#s", "s = \"http:\" h / %x100 h / h\nh = *5( %x61-7A / %x370-3FF ) [ \".\" %x10000-10FFFF ]\n"},
		{"go:^[^é]{1,5}$", ""}, {"go:^(é|.b)*$", ""}, {"js:/^[à-ÿ]{2,4}x?$/u", ""},
	} {
		s := ofText(t, test.name, test.text)
		if !s.Grammar.CodePoints {
			t.Errorf("%s%s is not of code points", test.name, test.text)
		}
		if tried := checkBroken(t, s); tried < 50 {
			t.Errorf("%s%s: only %d words were tried", test.name, test.text, tried)
		}
	}
}

// checkBroken compares what the tables of s say of the edits of words with the explanations of s, and returns how many
// there were.
func checkBroken(t *testing.T, s *Subject) (tried int) {
	t.Helper()
	tables, ok := s.explainingTables()
	if !ok {
		t.Fatalf("%s has no tables", s.ID())
	}
	x := newEditedWord(s.DFA)
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
			gotID, got, state := x.breakOf(e)
			if gotID != id || got != at || state != s.DFA.Run(0, v[:at]) {
				t.Errorf("%q breaks %s at %d by the edit, in state %d", v, gotID, got, state)
			}
			b, ok := e.byteAt(w, at)
			if ok != (at < len(v)) || ok && b != v[at] {
				t.Errorf("%q has %q at %d by the edit", v, b, at)
			}
		})
	}
	return tried
}

// Where a break is kept, the rest of the word is neither read nor charged.
func TestKeptBreaksAreNotCharged(t *testing.T) {
	s := ofText(t, "-#s", "s = *( \"a\" / \"b\" \"c\" )\n")
	tables, ok := s.explainingTables()
	if !ok {
		t.Fatal("there are no tables")
	}
	const n = 400
	x := newEditedWord(s.DFA)
	x.set(strings.Repeat("a", n))
	x.setTables(s, tables)
	for i, want := range []int64{n / 4, 0} {
		before := s.DFA.Budget().Taken()
		end := x.breakFrom(tablePlace{wordPlace{0, x.states[0]}, x.tableStates[0]})
		if end.at != n {
			t.Errorf("the tables break at %d; want %d", end.at, n)
		}
		if took := s.DFA.Budget().Taken() - before; took != want {
			t.Errorf("time %d took %d steps; want %d", i, took, want)
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

// The edits of the words of a bounded repetition are explained in as many steps of code points as of bytes, but for the
// two bytes of a character. A hundred times as many had been taken, since each edited word was read anew.
func TestNegativesOfBounds(t *testing.T) {
	for _, n := range []int{20, 40, 80} {
		steps := func(class string) int64 {
			s := ofText(t, "-#s", fmt.Sprintf("s = 1*%d( %s )\n", n, class))
			before := s.DFA.Budget().Taken()
			s.Negatives()
			return s.DFA.Budget().Taken() - before
		}
		bytes, characters := steps("%x61-7A"), steps("%x61-7A / %xC0-24F")
		if bytes == 0 || characters > 12*bytes {
			t.Errorf("up to %d: %d steps of code points, %d of bytes", n, characters, bytes)
		}
	}
}
