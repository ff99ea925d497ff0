package lang

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A pool's operations are those of DFAs, and equal languages have equal numbers.
func TestPool(t *testing.T) {
	classes := expr.NewPartition()
	for _, s := range []string{"a", "b", "c"} {
		classes.Split(expr.Bytes(s))
	}
	first := classes.First()
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 11))
		p := newPool(classes.N, classes.N, nil)
		byKey := map[string]int32{}
		check := func(what string, l int32, want *DFA) {
			t.Helper()
			if got := p.dfa(l, classes.Class); !got.Equal(want) {
				t.Fatalf("seed %d: %s is wrong", seed, what)
			}
			if old, ok := byKey[want.Key()]; ok && old != l {
				t.Fatalf("seed %d: %s has the numbers %d and %d", seed, what, old, l)
			}
			byKey[want.Key()] = l
		}
		var langs []int32
		var dfas []*DFA
		for range 40 {
			a := randomDFA(t, rng)
			if len(langs) > 1 {
				i, j := rng.IntN(len(langs)), rng.IntN(len(langs))
				op := operator(rng.IntN(3))
				l := p.apply(op, langs[i], langs[j])
				a = dfas[i].product(dfas[j], op.holds)
				check("the result of an operation", l, a)
			}
			l := p.add(a, first)
			check("an automaton", l, a)
			for c, x := range first {
				check("a derivative", p.derive(l, c), a.Derivative(string([]byte{x})))
			}
			check("an automaton made clumsily", clumsy(p, rng, a, l, first), a)
			langs, dfas = append(langs, l), append(dfas, a)
		}
		checkPoolIsMinimal(t, p)
	}
}

// clumsy interns a once more, known to the pool as l: every state three times over, transitions to any of the three or,
// now and then, to the language itself.
func clumsy(p *pool, rng *rand.Rand, a *DFA, l int32, first []byte) int32 {
	known := map[int]int32{0: l}
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		for c, x := range first {
			q := a.Next(todo[0], x)
			if _, ok := known[q]; !ok {
				known[q] = p.derive(known[todo[0]], c)
				todo = append(todo, q)
			}
		}
	}
	b := p.newBatch()
	for q := range a.States() {
		for range 3 {
			s := b.addState(a.Accepts(q))
			for c, x := range first {
				to := a.Next(q, x)
				b.rowOfState(s)[c] = local(int32(3*to + rng.IntN(3)))
				if rng.IntN(12) == 0 {
					b.rowOfState(s)[c] = known[to]
				}
			}
		}
	}
	return b.intern()[0]
}

// checkPoolIsMinimal looks for two states of the pool's automaton that are equal.
func checkPoolIsMinimal(t *testing.T, p *pool) {
	t.Helper()
	if _, blocks := (&table{k: p.k, next: slices.Concat(p.pages...), accept: p.accept}).minimize(); blocks != len(p.accept) {
		t.Fatalf("%d states for %d languages", len(p.accept), blocks)
	}
}

// The steps that a computation takes are the same in every run, so that what a limit leaves undecided is too.
func TestStepsAreTheSame(t *testing.T) {
	for seed := range uint64(300) {
		text := maker{rand.New(rand.NewPCG(seed, 7)), 3, false, []string{"b", "c"}}.expr(4)
		steps := func() int64 {
			rng := rand.New(rand.NewPCG(seed, 8))
			g := grammarOf(true, text, expr.Lit("a"), expr.Lit("b"))
			g.Budget = budget.New(t.Context(), budget.Limits{})
			longest := map[string]*DFA{"b": randomDFA(t, rng), "c": randomDFA(t, rng)}
			p, err := NewPEGLongest(g, longest, Limits{}, expr.Lit("abc"))
			if err == nil {
				_, err = p.Whole(expr.To("a"))
			}
			if errors.Is(err, ErrTooLarge) {
				t.Fatal(err)
			}
			return g.Budget.Taken()
		}
		want := steps()
		for range 3 {
			if got := steps(); got != want {
				t.Fatalf("seed %d: %d steps, and then %d", seed, want, got)
			}
		}
	}
}
