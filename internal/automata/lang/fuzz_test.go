package lang_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/fuzztest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// small are the limits of what is computed for a fuzz target.
var small = lang.Limits{NFA: 1 << 14, DFA: 1 << 12, Bytes: 16 << 20, Steps: 1 << 20}

// automaton returns that of the first production of a grammar, nil where it is not regular.
func automaton(t *testing.T, data []byte) (*lang.DFA, string) {
	t.Helper()
	text := fuzztest.New(data).ABNF()
	g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
	space := lang.NewSpace(small, []*expr.Grammar{g})
	b, err := space.BNF(g)
	if err != nil {
		return nil, text
	}
	l, err := b.Of("r0")
	if err != nil {
		return nil, text
	}
	plain, err := lang.FromBNF(g, "r0")
	if err != nil {
		t.Fatalf("%v, and not in a space\n%s", err, text)
	}
	for _, w := range fuzztest.Words {
		if plain.Match(w) != space.Match(l, w) {
			t.Fatalf("%q: %t, in a space %t\n%s", w, plain.Match(w), space.Match(l, w), text)
		}
	}
	return plain, text
}

// The operations have their laws, on all strings by equality of minimal automata and on the short ones by asking.
func FuzzAlgebra(f *testing.F) {
	f.Add([]byte(nil), []byte{2, 2, 2})
	f.Fuzz(func(t *testing.T, one, other []byte) {
		a, at := automaton(t, one)
		b, bt := automaton(t, other)
		if a == nil || b == nil {
			return
		}
		wrong := func(law string) { t.Errorf("%s does not hold of\n%sand\n%s", law, at, bt) }
		union, both, minus := a.Union(b), a.Intersect(b), a.Minus(b)
		for _, w := range fuzztest.Words {
			x, y := a.Match(w), b.Match(w)
			if union.Match(w) != (x || y) || both.Match(w) != (x && y) || minus.Match(w) != (x && !y) || a.Complement().Match(w) == x {
				wrong("a Boolean operation on " + w)
			}
		}
		if !a.Complement().Union(b.Complement()).Complement().Equal(both) {
			wrong("de Morgan's law")
		}
		if !a.SymmetricDifference(b).Equal(minus.Union(b.Minus(a))) || a.Equal(b) != a.SymmetricDifference(b).IsEmpty() {
			wrong("the symmetric difference")
		}
		if a.Subset(b) != minus.IsEmpty() || a.Disjoint(b) != both.IsEmpty() || (a.Key() == b.Key()) != a.Equal(b) {
			wrong("a comparison")
		}
		if a.States()*b.States() > 200 {
			return // a reversal or a product may take exponentially many states
		}
		if !a.Reverse().Reverse().Equal(a) || !a.Concat(b).Reverse().Equal(b.Reverse().Concat(a.Reverse())) {
			wrong("reversal")
		}
		if s := a.Star(); !s.Concat(s).Equal(s) || !s.Match("") || !a.Subset(s) {
			wrong("the star")
		}
		n := 0
		for w := range a.Enumerate(4) {
			if !a.Match(w) {
				wrong("enumeration")
			}
			n++
		}
		total := int64(0)
		for _, c := range a.Counts(4) {
			total += c.Int64()
		}
		if total != int64(n) {
			wrong("the count")
		}
		taken := map[[2]int]bool{}
		for _, w := range a.TransitionCover() {
			if len(w) >= 2*a.States() {
				wrong("the length of a word of the cover")
			}
			q := 0
			for _, x := range []byte(w) {
				taken[[2]int{q, a.ClassOf(x)}] = true
				q = a.Next(q, x)
			}
		}
		if len(taken) != a.States()*a.Classes() {
			wrong("the cover")
		}
		if w, ok := a.Shortest(); ok == a.IsEmpty() || ok && !a.Match(w) {
			wrong("the shortest string")
		}
	})
}

// The automaton of a PEG accepts what its interpreter matches, built forwards and backwards.
func FuzzPEG(f *testing.F) {
	f.Add([]byte(nil), []byte{1})
	f.Fuzz(func(t *testing.T, data, changes []byte) {
		text := fuzztest.New(data).PEG(changes)
		g := must.Of(peg.Read("g.peg", []byte(text)))(t)
		s := lang.NewSpace(small, []*expr.Grammar{g})
		p, err := s.PEG(g)
		if err != nil || p.WellFormed("r0") != nil {
			return // it is left-recursive, or does not end
		}
		l, err := p.WholeOf(expr.To("r0"))
		if err != nil {
			return // not regular, or too large
		}
		a, err := s.DFA(l)
		if err != nil {
			return
		}
		for _, w := range fuzztest.Words {
			end, _ := peg.Match(g, expr.To("r0"), w, 0)
			if matched := end == len(w); matched != s.Match(l, w) || matched != a.Match(w) {
				t.Fatalf("%q is matched: %t, by the automaton %t and %t\n%s", w, matched, s.Match(l, w), a.Match(w), text)
			}
		}
	})
}
