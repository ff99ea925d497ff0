package lang

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

func TestCompare(t *testing.T) {
	order := []string{"", "a", "z", "0", "9", "A", "Z", ".", "-", "_", "/", ":", "@", "`", " ", "\x00", "\x1f", "\x7f",
		"\x80", "\xff",
		"aa", "a0", "aA", "a.", "0a", "Aa", ".a", "aaa"}
	for i, v := range order {
		for j, w := range order {
			got := Compare(v, w)
			if (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("Compare(%q, %q) = %d", v, w, got)
			}
		}
	}
	seen := map[byte]bool{}
	for _, x := range readable {
		seen[x] = true
	}
	if len(seen) != 256 {
		t.Errorf("%d bytes have a place in the order", len(seen))
	}
}

// Enumerate returns all words of the language, in order; Shortest returns the first.
func TestEnumerate(t *testing.T) {
	words := pegtest.Words("abc", 6)
	for seed := range uint64(300) {
		a := randomDFA(t, rand.New(rand.NewPCG(seed, 6)))
		var want []string
		for _, w := range words {
			if a.Match(w) {
				want = append(want, w)
			}
		}
		if got := slices.Collect(a.Enumerate(6)); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %q, want %q", seed, got, want)
		}
		for q := range a.States() {
			w, ok := a.ShortestFrom(q)
			if ok == a.Dead(q) {
				t.Fatalf("seed %d: state %d, shortest word %q, %v", seed, q, w, ok)
			}
			for v := range a.From(q).Enumerate(8) {
				if v != w {
					t.Fatalf("seed %d: state %d, shortest word %q, got %q", seed, q, v, w)
				}
				break
			}
		}
	}
}

func TestShortestIsReadable(t *testing.T) {
	for _, c := range []struct {
		e    *expr.Expr
		want string
	}{
		{expr.In(expr.AnyByte), "a"},
		{expr.In(expr.Bytes("~.Z9")), "9"},
		{expr.Or(expr.Lit("b"), expr.Lit("aa")), "b"},
		{expr.Or(expr.Lit("Ab"), expr.Lit("9z"), expr.Lit("/a")), "9z"},
		{expr.Times(expr.In(expr.Bytes("\x00 ")), 3, 5), "   "},
		{expr.Lit(""), ""},
	} {
		a := must.Of(FromExpr(grammarOf(false), c.e))(t)
		if got, ok := a.Shortest(); !ok || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.e, got, ok, c.want)
		}
	}
	if w, ok := Empty().Shortest(); ok {
		t.Errorf("no language, but the word %q", w)
	}
}

// Counts agrees with counting, and all words over all bytes are 256 to the n.
func TestCounts(t *testing.T) {
	for seed := range uint64(300) {
		a := randomDFA(t, rand.New(rand.NewPCG(seed, 7)))
		want := make([]int64, 7)
		for w := range a.Enumerate(6) {
			want[len(w)]++
		}
		for n, c := range a.Counts(6) {
			if c.Cmp(big.NewInt(want[n])) != 0 {
				t.Fatalf("seed %d: %d words of length %d, there are %d", seed, c, n, want[n])
			}
		}
		states := []int{a.States() - 1, 0, a.States() / 2, 0}
		for i, counts := range a.CountsFrom(6, states...) {
			for n, c := range counts {
				if c.Cmp(a.From(states[i]).Counts(n)[n]) != 0 {
					t.Fatalf("seed %d: from state %d, %d words of length %d", seed, states[i], c, n)
				}
			}
		}
	}
	want := new(big.Int).Lsh(big.NewInt(1), 8*50)
	if got := All().Counts(50)[50]; got.Cmp(want) != 0 {
		t.Errorf("words of 50 bytes: %d, want %d", got, want)
	}
}

// Every word of a length is drawn equally often, by the chi-square test at a level that one seed in a million fails.
func TestSampleIsUniform(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 8))
		a := randomDFA(t, rng)
		sampler := a.Sampler(5)
		for n := range 6 {
			var words []string
			for w := range a.Enumerate(n) {
				if len(w) == n {
					words = append(words, w)
				}
			}
			if len(words) == 0 {
				if w, ok := sampler.Sample(rng, n); ok {
					t.Errorf("seed %d: %q is not in the language", seed, w)
				}
				continue
			}
			const each = 50
			seen := map[string]int{}
			for range each * len(words) {
				w, ok := sampler.Sample(rng, n)
				if !ok || !a.Match(w) || len(w) != n {
					t.Fatalf("seed %d: drew %q, %v", seed, w, ok)
				}
				seen[w]++
			}
			chi := 0.0
			for _, w := range words {
				d := float64(seen[w] - each)
				chi += d * d / each
			}
			// Wilson and Hilferty: the cube root of chi-square over its degrees of freedom is nearly normal.
			if k := float64(len(words) - 1); k > 0 {
				z := (math.Cbrt(chi/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
				if z > 4.9 {
					t.Errorf("seed %d, length %d: chi-square %.1f with %.0f degrees of freedom", seed, n, chi, k)
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	if w, ok := All().Sampler(100).Sample(rng, 100); !ok || len(w) != 100 {
		t.Errorf("drew %q, %v", w, ok)
	}
	if _, ok := All().Sampler(3).Sample(rng, 4); ok {
		t.Error("drew a word longer than what was prepared for")
	}
}

// Access words are the first that lead to their states.
func TestAccessWords(t *testing.T) {
	words := pegtest.Words("abc", 6)
	for seed := range uint64(300) {
		a := randomDFA(t, rand.New(rand.NewPCG(seed, 9)))
		first := map[int]string{}
		for _, w := range words {
			q := a.Run(0, w)
			if _, ok := first[q]; !ok {
				first[q] = w
			}
		}
		for q, w := range a.AccessWords() {
			if a.Run(0, w) != q {
				t.Fatalf("seed %d: %q does not lead to state %d", seed, w, q)
			}
			if v, ok := first[q]; ok && v != w && Compare(v, w) < 0 {
				t.Fatalf("seed %d: %q leads to state %d before %q", seed, v, q, w)
			}
		}
	}
}

// The cover takes every transition, both without more and, where that can be, to an accepted end.
func TestTransitionCover(t *testing.T) {
	for seed := range uint64(300) {
		a := randomDFA(t, rand.New(rand.NewPCG(seed, 10)))
		type transition struct{ q, c int }
		last, accepted := map[transition]bool{}, map[transition]bool{}
		cover := a.TransitionCover()
		if !slices.IsSortedFunc(cover, Compare) || cover[0] != "" {
			t.Fatalf("seed %d: the cover is not in order", seed)
		}
		for _, w := range cover {
			q := 0
			for i := range len(w) {
				tr := transition{q, a.ClassOf(w[i])}
				last[tr] = last[tr] || i == len(w)-1
				accepted[tr] = accepted[tr] || a.Match(w)
				q = a.Next(q, w[i])
			}
		}
		for q := range a.States() {
			for c := range a.Classes() {
				if !last[transition{q, c}] {
					t.Fatalf("seed %d: no word ends with state %d, class %d", seed, q, c)
				}
				if a.Live(a.NextClass(q, c)) != accepted[transition{q, c}] {
					t.Fatalf("seed %d: state %d, class %d: accepted words are missing", seed, q, c)
				}
			}
		}
	}
}

func TestViable(t *testing.T) {
	a := OfString("ab").Union(OfString("ac"))
	if got := a.Viable(a.Run(0, "a")); got != expr.Bytes("bc") {
		t.Errorf("after a: %s", got)
	}
	if got := a.Viable(a.Run(0, "x")); !got.IsEmpty() {
		t.Errorf("after x: %s", got)
	}
}

func TestWriteDOT(t *testing.T) {
	a := must.Of(FromExpr(grammarOf(false), expr.Cat(expr.Lit(`"\`), expr.Times(expr.In(expr.Range('a', 'f')), 0, expr.Unbounded))))(t)
	var b strings.Builder
	must.Do(t, a.WriteDOT(&b))
	want := `digraph {
	rankdir=LR
	node [shape=circle]
	start [shape=point]
	start -> 0
	0 -> 2 [label="\""]
	2 -> 3 [label="\\"]
	3 [shape=doublecircle]
	3 -> 3 [label="[a-f]"]
}
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
