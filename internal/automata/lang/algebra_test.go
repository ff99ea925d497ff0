package lang

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// randomDFA returns the language of a random expression.
func randomDFA(t *testing.T, rng *rand.Rand) *DFA {
	t.Helper()
	return must.Of(FromExpr(grammarOf(false), maker{rng, 3, false, nil}.expr(3)))(t)
}

// Each operation is what it says, word by word.
func TestAlgebra(t *testing.T) {
	words := pegtest.Words("abc", 6)
	splits := func(w string, f func(u, v string) bool) bool {
		for i := 0; i <= len(w); i++ {
			if f(w[:i], w[i:]) {
				return true
			}
		}
		return false
	}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		a, b := randomDFA(t, rng), randomDFA(t, rng)
		var inStar func(w string) bool
		inStar = func(w string) bool {
			return w == "" || splits(w, func(u, v string) bool { return u != "" && a.Match(u) && inStar(v) })
		}
		for _, c := range []struct {
			what string
			got  *DFA
			want func(w string) bool
		}{
			{"union", a.Union(b), func(w string) bool { return a.Match(w) || b.Match(w) }},
			{"intersection", a.Intersect(b), func(w string) bool { return a.Match(w) && b.Match(w) }},
			{"difference", a.Minus(b), func(w string) bool { return a.Match(w) && !b.Match(w) }},
			{"symmetric difference", a.SymmetricDifference(b), func(w string) bool { return a.Match(w) != b.Match(w) }},
			{"complement", a.Complement(), func(w string) bool { return !a.Match(w) }},
			{"concatenation", a.Concat(b), func(w string) bool {
				return splits(w, func(u, v string) bool { return a.Match(u) && b.Match(v) })
			}},
			{"star", a.Star(), inStar},
			{"reverse", a.Reverse(), func(w string) bool { return a.Match(backwards(w)) }},
			{"derivative", a.Derivative("ab"), func(w string) bool { return a.Match("ab" + w) }},
		} {
			checkWords(t, fmt.Sprintf("seed %d, %s", seed, c.what), c.got, words, c.want)
		}
	}
}

// What stops at the first difference answers as the whole construction does.
func TestStopsEarly(t *testing.T) {
	same, outside := 0, 0
	for seed := range uint64(longtest.Size(1000, 10000)) {
		rng := rand.New(rand.NewPCG(seed, 5))
		g := grammarOf(false, maker{rng, 3, false, nil}.expr(3), maker{rng, 3, false, nil}.expr(3))
		s := NewSpace(Limits{}, []*expr.Grammar{g})
		derived := must.Of(s.BNF(g))(t)
		a, b, c := must.Of(FromBNF(g, "a"))(t), must.Of(FromBNF(g, "b"))(t), randomDFA(t, rng)
		if rng.IntN(3) == 0 { // otherwise they are almost never equal
			b = must.Of(FromExpr(g, expr.Or(expr.To("a"), g.Rule("a").Expr)))(t)
		}

		n := must.Of(BuildNFA(g, "a", Options{}))(t)
		if got := must.Of(n.Derives(b, Limits{}))(t); got != a.Equal(b) {
			t.Errorf("seed %d: an NFA derives a language: %t\n%s", seed, got, show(g))
		}
		if got := must.Of(s.Is(must.Of(derived.Of("a"))(t), b))(t); got != a.Equal(b) {
			t.Errorf("seed %d: a language of a space is another: %t\n%s", seed, got, show(g))
		}
		if a.Equal(b) {
			same++
		}

		want, ok := a.Minus(b.Union(c)).Shortest()
		if w, found := a.ShortestOutside(b, c); w != want || found != ok {
			t.Errorf("seed %d: %q is outside: %t; it is %q: %t\n%s", seed, w, found, want, ok, show(g))
		}
		if ok {
			outside++
		}
		want, ok = a.SymmetricDifference(b).Shortest()
		if w, found := a.ShortestDifference(b); w != want || found != ok {
			t.Errorf("seed %d: %q differs: %t; it is %q: %t\n%s", seed, w, found, want, ok, show(g))
		}
	}
	if same < 100 || outside < 100 {
		t.Errorf("%d pairs are equal, %d languages have a word outside", same, outside)
	}
}

func backwards(w string) string {
	var b strings.Builder
	for i := len(w) - 1; i >= 0; i-- {
		b.WriteByte(w[i])
	}
	return b.String()
}

// However a language is made, its DFA is the same, down to the numbers of the states.
func TestOneAutomatonPerLanguage(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		a, b, c := randomDFA(t, rng), randomDFA(t, rng), randomDFA(t, rng)
		for _, law := range []struct {
			what        string
			left, right *DFA
		}{
			{"a = ~~a", a, a.Complement().Complement()},
			{"a = a|a", a, a.Union(a)},
			{"a = rev rev a", a, a.Reverse().Reverse()},
			{"a|b = b|a", a.Union(b), b.Union(a)},
			{"~(a|b) = ~a&~b", a.Union(b).Complement(), a.Complement().Intersect(b.Complement())},
			{"a-b = a&~b", a.Minus(b), a.Intersect(b.Complement())},
			{"a^b = (a-b)|(b-a)", a.SymmetricDifference(b), a.Minus(b).Union(b.Minus(a))},
			{"a(b|c) = ab|ac", a.Concat(b.Union(c)), a.Concat(b).Union(a.Concat(c))},
			{"(ab)c = a(bc)", a.Concat(b).Concat(c), a.Concat(b.Concat(c))},
			{"rev ab = rev b rev a", a.Concat(b).Reverse(), b.Reverse().Concat(a.Reverse())},
			{"a* = a*a*", a.Star(), a.Star().Concat(a.Star())},
			{"(a|b)* = (a*b*)*", a.Union(b).Star(), a.Star().Concat(b.Star()).Star()},
			{"a\"\" = a", a.Concat(Epsilon()), a},
			{"a none = none", a.Concat(Empty()), Empty()},
			{"a ~a", a.Union(a.Complement()), All()},
		} {
			if !law.left.Equal(law.right) || law.left.Key() != law.right.Key() {
				t.Errorf("seed %d: %s does not hold", seed, law.what)
			}
		}
		if (a.Key() == b.Key()) != a.Equal(b) || a.Equal(b) != a.SymmetricDifference(b).IsEmpty() {
			t.Errorf("seed %d: Key, Equal and the symmetric difference disagree", seed)
		}
		if a.Subset(b) != a.Minus(b).IsEmpty() || a.Disjoint(b) != a.Intersect(b).IsEmpty() {
			t.Errorf("seed %d: a comparison disagrees with the difference it stands for", seed)
		}
		if !a.Intersect(b).Subset(a) || !a.Subset(a.Union(b)) || !a.Minus(b).Disjoint(b) {
			t.Errorf("seed %d: what must hold of any two languages does not", seed)
		}
		checkNumbering(t, a)
		checkNumbering(t, a.Concat(b))
		checkNumbering(t, a.Complement())
	}
}

// checkNumbering checks a against what a DFA promises about its numbers.
func checkNumbering(t *testing.T, a *DFA) {
	t.Helper()
	next := 1 // breadth-first: a state that was not met before has the next number
	for q := range a.States() {
		for c := range a.Classes() {
			p := a.NextClass(q, c)
			if p > next {
				t.Fatalf("state %d is met before state %d", p, next)
			}
			next = max(next, p+1)
		}
		if a.Live(q) == a.From(q).IsEmpty() || a.Live(q) == a.Dead(q) {
			t.Fatalf("state %d is live or dead wrongly", q)
		}
		for p := range q {
			if a.From(p).Equal(a.From(q)) {
				t.Fatalf("states %d and %d are equal", p, q)
			}
		}
	}
	if next != a.States() {
		t.Fatalf("%d states, of which %d can be reached", a.States(), next)
	}
	classes := 0
	for x := range 256 {
		c := a.ClassOf(byte(x))
		if c > classes {
			t.Fatalf("class %d is met before class %d", c, classes)
		}
		classes = max(classes, c+1)
		if !a.ClassSet(c).Has(byte(x)) {
			t.Fatalf("byte %d is not in its class", x)
		}
	}
	if classes != a.Classes() {
		t.Fatalf("%d classes, of which %d have bytes", a.Classes(), classes)
	}
	for c := range a.Classes() {
		for d := range c {
			same := true
			for q := range a.States() {
				same = same && a.NextClass(q, c) == a.NextClass(q, d)
			}
			if same {
				t.Fatalf("classes %d and %d are equal", d, c)
			}
		}
	}
}

func TestConstants(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for _, c := range []struct {
		what            string
		got             *DFA
		states, classes int
		in, out         []string
	}{
		{"no word", Empty(), 1, 1, nil, []string{"", "a"}},
		{"all words", All(), 1, 1, []string{"", "a", "\xff\x00"}, nil},
		{"the empty word", Epsilon(), 2, 1, []string{""}, []string{"a"}},
		{"a set", OfSet(expr.Range('0', '9')), 3, 2, []string{"0", "9"}, []string{"", "a", "00"}},
		{"the empty set", OfSet(expr.Set{}), 1, 1, nil, []string{"", "a"}},
		{"any byte", OfSet(expr.AnyByte), 3, 1, []string{"a", "\x00"}, []string{"", "ab"}},
		{"a string", OfString("abba"), 6, 3, []string{"abba"}, []string{"", "abb", "abbab"}},
		{"the empty string", OfString(""), 2, 1, []string{""}, []string{"a"}},
		{"all bytes in a row", OfString(string(every)), 258, 256, []string{string(every)},
			[]string{"", string(every[1:])}},
	} {
		if c.got.States() != c.states || c.got.Classes() != c.classes {
			t.Errorf("%s: %d states, %d classes; want %d, %d", c.what, c.got.States(), c.got.Classes(), c.states, c.classes)
		}
		for _, w := range c.in {
			if !c.got.Match(w) {
				t.Errorf("%s: %q is missing", c.what, w)
			}
		}
		for _, w := range c.out {
			if c.got.Match(w) {
				t.Errorf("%s: %q is too much", c.what, w)
			}
		}
	}
}

// A random expression has the words that Go's regexp finds it to have.
func TestAgainstRegexp(t *testing.T) {
	words := pegtest.Words("abc", 6)
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		e := maker{rng, 3, false, nil}.expr(4)
		re := regexp.MustCompile(`\A(?:` + regexpOf(e) + `)\z`)
		a := must.Of(FromExpr(grammarOf(false), e))(t)
		checkWords(t, e.String(), a, words, re.MatchString)
	}
}

func regexpOf(e *expr.Expr) string {
	var sub []string
	for _, s := range e.Sub {
		sub = append(sub, "(?:"+regexpOf(s)+")")
	}
	switch e.Op {
	case expr.Class:
		if e.Set.IsEmpty() {
			return `[^\x00-\x{10ffff}]`
		}
		return e.Set.String()
	case expr.Literal:
		return regexp.QuoteMeta(e.Lit)
	case expr.Seq:
		return strings.Join(sub, "")
	case expr.Alt:
		return strings.Join(sub, "|")
	case expr.Repeat:
		if e.Max == expr.Unbounded {
			return fmt.Sprintf("%s{%d,}", sub[0], e.Min)
		}
		return fmt.Sprintf("%s{%d,%d}", sub[0], e.Min, e.Max)
	}
	return ""
}
