package sample

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// language returns the language of the first production of an ABNF.
func language(t testing.TB, text string) *Language {
	t.Helper()
	g := must.Of(bnf.ReadABNF("test.abnf", []byte(text)))(t)
	a := must.Of(lang.FromBNF(g, g.Rules[0].ID))(t)
	return New(a, 12)
}

const pairs = "pairs = pair *(\",\" pair)\npair = 1*ALPHA \"=\" *DIGIT\n"

// Every word of a length is drawn equally often, and every length that has words.
func TestUniform(t *testing.T) {
	l := New(language(t, "a = *(%x61 / %x62 %x63)\n").DFA, 5) // 1, 1, 2, 3, 5 and 8 words
	rng := rand.New(rand.NewPCG(1, 2))
	drawn := map[string]float64{}
	const n = 60_000
	for range n {
		w, ok := l.Uniform(rng)
		if !ok {
			t.Fatal("no word")
		}
		drawn[w]++
	}
	if len(drawn) != 20 {
		t.Errorf("%d words: %v", len(drawn), drawn)
	}
	ofLength := map[int]int{}
	for w := range drawn {
		ofLength[len(w)]++
	}
	for w, times := range drawn {
		want := n / 6.0 / float64(ofLength[len(w)])
		if d := times - want; d*d > 25*want { // five standard deviations
			t.Errorf("%q was drawn %v times, want about %v", w, times, want)
		}
	}
	if _, ok := New(lang.Empty(), 5).Uniform(rng); ok {
		t.Error("a word of the empty language")
	}
}

// What is drawn is derived, takes the transition that it is drawn for, and a near miss is one edit away.
func TestWords(t *testing.T) {
	l := language(t, pairs)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20 * l.Transitions() {
		w := l.Through(i%l.Transitions(), rng)
		s := l.through[i%l.Transitions()]
		took := false
		for q, j := 0, 0; j < len(w); j++ {
			took = took || q == s.q && slices.Contains(s.bytes, w[j])
			q = l.DFA.Next(q, w[j])
		}
		if !l.DFA.Match(w) || !took {
			t.Errorf("%q does not take %v", w, s)
		}
		w, _ = l.Walk(rng)
		if !l.DFA.Match(w) {
			t.Errorf("%q", w)
		}
		if v := l.Near(w, rng); v != w && !oneEdit(w, v) {
			t.Errorf("%q is not near %q", v, w)
		}
	}
	edits := map[string]bool{}
	for range 3000 {
		edits[Near("abc", 'x', rng)] = true
	}
	for _, w := range []string{"xabc", "axbc", "abxc", "abcx", "bc", "ac", "ab", "xbc", "axc", "abx", "bac", "acb"} {
		if !edits[w] {
			t.Errorf("%q is not drawn near abc", w)
		}
	}
	if len(edits) != 12 {
		t.Errorf("%v", edits)
	}
}

func oneEdit(v, w string) bool {
	for len(v) > 0 && len(w) > 0 && v[0] == w[0] {
		v, w = v[1:], w[1:]
	}
	for len(v) > 0 && len(w) > 0 && v[len(v)-1] == w[len(w)-1] {
		v, w = v[:len(v)-1], w[:len(w)-1]
	}
	return len(v)+len(w) == 1 || len(v) == 1 && len(w) == 1 || len(v) == 2 && len(w) == 2 && v[0] == w[1] && v[1] == w[0]
}

func TestShrink(t *testing.T) {
	l := language(t, pairs)
	for _, c := range []struct {
		name, from, want string
		shortest         bool
		fails            func(w string) bool
	}{
		{"a byte anywhere", "abc=12,Z=9", "=", true, func(w string) bool { return strings.Contains(w, "=") }},
		{"a word of the language", "abc=12,Z=9", "a=", true, l.DFA.Match},
		{"two of a byte", "abc=12,Z=9", "==", true, func(w string) bool { return strings.Count(w, "=") == 2 }},
		{"another, not made of it", "ZZ==99", "a=0", true, func(w string) bool { return w == "ZZ==99" || w == "a=0" || w == "a=00" }},
		{"the same byte twice", "xyyx", "aa", true, func(w string) bool { return len(w) == 4 && w[1] == w[2] || len(w) == 2 && w[0] == w[1] }},
		{"the same byte in two places", "bdb", "aaa", true, func(w string) bool { return len(w) == 3 && w[0] == w[2] }},
		{"nothing at all", "abc=12,Z=9", "", true, func(string) bool { return true }},
		{"at the end of its bytes", "\xff\xff", "\xff", true, func(w string) bool { return strings.Contains(w, "\xff") }},
		{"more than can be tried", "abcdefgh=1111111,b=2222", "aaaaaa=0000000,a=0000", false, func(w string) bool { return len(w) > 20 && l.DFA.Match(w) && strings.Contains(w, "=") }},
	} {
		w, shortest := l.Shrink(c.from, c.fails)
		if w != c.want || shortest != c.shortest {
			t.Errorf("%s: %q, %t; want %q, %t", c.name, w, shortest, c.want, c.shortest)
		}
	}
}

// The same seed draws the same, in whatever order the cores take it; another draws another. Every law is tried.
func TestHold(t *testing.T) {
	l := []*Language{language(t, pairs), language(t, "a = \"x\" / a2\na2 = *\"y\"\n")}
	draw := func(seed uint64) (words []string, r *Report) {
		var mu sync.Mutex
		r = Hold(Plan{Languages: l, Words: 1000, Cover: -1, Given: []string{"given"}, Seed: seed}, func(i int, w string) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			words = append(words, w)
			return w, nil
		}, []Law[string]{
			{Name: "true", Holds: func(w string, rng *rand.Rand) error { return nil }},
			{Name: "rare", Every: 10, Holds: func(w string, rng *rand.Rand) error { return nil }},
			{Name: "of few", Of: func(w string) bool { return w == "given" }, Holds: func(w string, rng *rand.Rand) error { return nil }},
		})
		slices.Sort(words)
		return words, r
	}
	first, r := draw(1)
	second, _ := draw(1)
	other, _ := draw(2)
	if !slices.Equal(first, second) || slices.Equal(first, other) {
		t.Error("what is drawn does not depend on the seed alone")
	}
	if len(r.Failures) > 0 || r.Words != len(first) || r.Laws[1].Tried != int64(r.Words) || r.Laws[3].Tried != 2 {
		t.Errorf("%+v", r)
	}
	if n := r.Laws[2].Tried; n < int64(r.Words)/20 || n > int64(r.Words)/5 {
		t.Errorf("a law of one word of ten was tried on %d of %d", n, r.Words)
	}
	if r.Accepted < int64(r.Words)/4 || r.Accepted > int64(r.Words)*9/10 {
		t.Errorf("%d of %d words are derived", r.Accepted, r.Words)
	}
}

// A broken law is found and made short, a panic like any other, and what cannot be read comes first.
func TestHoldFinds(t *testing.T) {
	l := language(t, pairs)
	r := Hold(Plan{Languages: []*Language{l}, Words: 2000, Seed: 1}, func(_ int, w string) (string, error) {
		if strings.Contains(w, "7,") {
			return "", errors.New("cannot be read")
		}
		return w, nil
	}, []Law[string]{
		{Name: "no nine", Holds: func(w string, _ *rand.Rand) error {
			if l.DFA.Match(w) && strings.Contains(w, "9") {
				return errors.New("a nine")
			}
			return nil
		}},
		{Name: "no two commas", Holds: func(w string, _ *rand.Rand) error { _ = ",,"[strings.Count(w, ",")]; return nil }},
		{Name: "by chance", Holds: func(w string, rng *rand.Rand) error {
			if rng.IntN(2) == 0 && len(w) > 3 {
				return errors.New("four bytes")
			}
			return nil
		}},
	})
	want := map[string]string{"can be read": "7,", "no nine": "a=9", "no two commas": ",,", "by chance": "aaaa"}
	for _, f := range r.Failures {
		if f.Word != want[f.Law] || f.Err == nil || !f.Shortest {
			t.Errorf("%+v, want %q", f, want[f.Law])
		}
	}
	for _, l := range r.Laws {
		if l.Failed == 0 {
			t.Errorf("%s: not found", l.Law)
		}
	}
	if n := len(r.Failures); n != 4 {
		t.Errorf("%d failures", n)
	}
}

// TestHoldStops: a limit that is passed while words are drawn is an error for the caller, and no panic of a goroutine.
func TestHoldStops(t *testing.T) {
	g := must.Of(bnf.ReadABNF("test.abnf", []byte(pairs)))(t)
	g.Budget = budget.New(t.Context(), budget.Limits{Steps: 100_000})
	a := must.Of(lang.FromBNF(g, g.Rules[0].ID))(t)
	err := func() (err error) {
		defer budget.Catch(&err)
		Hold(Plan{Languages: []*Language{New(a, 12)}, Words: 1_000_000},
			func(int, string) (int, error) { return 0, nil }, nil)
		return nil
	}()
	if !errors.Is(err, budget.ErrTooLarge) {
		t.Errorf("%v; want that it is too large", err)
	}
}
