package vectors

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A machine is an automaton over two letters: half of all bytes each. It starts in state 0.
type machine struct {
	next   [][2]int
	accept []bool
}

var halves = [2]expr.Set{expr.Range(0x00, 0x7f), expr.Range(0x80, 0xff)}

func (m machine) match(w string) bool {
	q := 0
	for i := range len(w) {
		q = m.next[q][w[i]>>7]
	}
	return m.accept[q]
}

func (m machine) dfa(t testing.TB) *lang.DFA {
	n := newNetwork(nil)
	at := make([]int32, len(m.next))
	for q := range at {
		at[q] = n.State()
		if m.accept[q] {
			n.Silent(at[q], n.Final)
		}
	}
	for q, to := range m.next {
		for c, p := range to {
			n.Read(at[q], halves[c], at[p])
		}
	}
	n.Start = at[0]
	return must.Of(n.Determinize(lang.Limits{}))(t)
}

// machines yields every machine with n states.
func machines(n int, yield func(machine)) {
	m := machine{make([][2]int, n), make([]bool, n)}
	var choose func(i int)
	choose = func(i int) {
		switch {
		case i == 3*n:
			yield(m)
		case i < n:
			for _, accept := range []bool{false, true} {
				m.accept[i] = accept
				choose(i + 1)
			}
		default:
			q, c := (i-n)/2, (i-n)%2
			for p := range n {
				m.next[q][c] = p
				choose(i + 1)
			}
		}
	}
	choose(0)
}

// languages returns the automaton of every language that a machine with at most n states accepts, if it tells the two
// letters apart. (The others have one class, and a suite over one class says nothing of machines that see two.)
func languages(t testing.TB, n int) []*lang.DFA {
	seen := map[string]bool{}
	var all []*lang.DFA
	machines(n, func(m machine) {
		if a := m.dfa(t); a.Classes() == 2 && !seen[a.Key()] {
			seen[a.Key()] = true
			all = append(all, a)
		}
	})
	return all
}

// A machine with at most n+k states passes the suite for n states and k extra ones exactly if it accepts the language:
// every machine that there is, every language that there is.
func TestGuaranteeHoldsForEverySmallMachine(t *testing.T) {
	longtest.Sequential(t)
	for _, test := range []struct{ states, extra, every int }{
		{2, 0, 1}, {2, 1, 1}, {2, 2, 5}, {3, 0, 13}, {3, 1, 401},
	} {
		t.Run(fmt.Sprintf("n=%d,k=%d", test.states, test.extra), func(t *testing.T) {
			t.Parallel()
			tried := 0
			for i, a := range languages(t, test.states) {
				if a.States() != test.states || i%test.every != 0 {
					continue
				}
				tried++
				guaranteed(t, a, test.extra)
			}
			if tried == 0 {
				t.Error("no language tried")
			}
		})
	}
}

func guaranteed(t *testing.T, a *lang.DFA, extra int) {
	suites := map[Method][]string{}
	for _, m := range []Method{W, Wp, HSI} {
		words := must.Of(CompleteSuite(a, m, extra, false))(t)
		suites[m] = slices.Collect(words.All())
	}
	size := a.States() + extra
	machines(size, func(m machine) {
		equal := -1 // not known
		for method, suite := range suites {
			if !passes(m, a, suite) {
				continue
			}
			if equal < 0 {
				equal = 0
				if m.dfa(t).Equal(a) {
					equal = 1
				}
			}
			if equal == 0 {
				t.Fatalf("%v, k=%d: %v passes %q and does not accept the language of %d states", method, extra, m, suite, a.States())
			}
		}
	})
}

func passes(m machine, a *lang.DFA, suite []string) bool {
	for _, w := range suite {
		if m.match(w) != a.Match(w) {
			return false
		}
	}
	return true
}

// A machine that in some of its states takes a letter for the other passes the sweep exactly if it accepts the language:
// every such machine, every language of at most three states.
func TestSweepGuaranteeHoldsForEverySmallMachine(t *testing.T) {
	longtest.Sequential(t)
	var words []string // machines of three states that differ do so on one of these
	for n := range 6 {
		for i := range 1 << n {
			w := make([]byte, n)
			for j := range w {
				w[j] = byte(i>>j&1) << 7
			}
			words = append(words, string(w))
		}
	}
	tried := 0
	for _, a := range languages(t, 3) {
		var sweep []string
		for _, r := range SweepRows(a) {
			for c := range halves {
				if x := r.Bytes.Intersect(halves[c]); !x.IsEmpty() {
					sweep = append(sweep, r.Before+string(x.Members()[:1])+r.After)
				}
			}
		}
		n := a.States()
		for taken := range 1 << (2 * n) {
			m := machine{make([][2]int, n), make([]bool, n)}
			for q := range n {
				m.accept[q] = a.Accepts(q)
				for c := range 2 {
					m.next[q][c] = a.Next(q, byte(c^taken>>(2*q+c)&1)<<7)
				}
			}
			tried++
			if passes(m, a, sweep) != passes(m, a, words) {
				t.Fatalf("%v passes the sweep of another language", m)
			}
		}
	}
	t.Logf("%d machines", tried)
}

// The guarantee ends where it says: for some machine with one state more a suite is too small, by each method.
func TestGuaranteeEnds(t *testing.T) {
	longtest.Sequential(t)
	for _, method := range []Method{W, Wp, HSI} {
		missed := 0
		for _, a := range languages(t, 2) {
			words := must.Of(CompleteSuite(a, method, 0, false))(t)
			suite := slices.Collect(words.All())
			machines(a.States()+2, func(m machine) {
				if missed == 0 && passes(m, a, suite) && !m.dfa(t).Equal(a) {
					missed++
				}
			})
		}
		if missed == 0 {
			t.Errorf("%v: no machine with two states more than allowed passes", method)
		}
	}
}

// Over all bytes nothing is assumed about classes: a random machine that reads just one byte differently fails.
func TestEveryByteSeesOneByte(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	all := languages(t, 3)
	for range 20 {
		a := all[rng.IntN(len(all))]
		words := must.Of(CompleteSuite(a, Wp, 0, true))(t)
		for range 20 {
			q, p, x := rng.IntN(a.States()), rng.IntN(a.States()), byte(rng.IntN(256))
			if a.Next(q, x) == p {
				continue
			}
			match := func(w string) bool {
				at := 0
				for i := range len(w) {
					if at == q && w[i] == x {
						at = p
					} else {
						at = a.Next(at, w[i])
					}
				}
				return a.Accepts(at)
			}
			failed := false
			for w := range words.All() {
				failed = failed || match(w) != a.Match(w)
			}
			if !failed {
				t.Errorf("byte %#x after state %d of %d leads to %d, and every vector passes", x, q, a.States(), p)
			}
		}
	}
}

// What the size says without going through the words is what they are.
func TestSize(t *testing.T) {
	for _, a := range languages(t, 2) {
		for _, method := range []Method{W, Wp, HSI} {
			words := must.Of(CompleteSuite(a, method, 2, false))(t)
			var number, bytes int64
			last := ""
			for w := range words.All() {
				if number > 0 && lang.Compare(last, w) >= 0 {
					t.Errorf("%q after %q", w, last)
				}
				last = w
				number++
				bytes += int64(len(w))
			}
			if n, b := words.Size(); n.Int64() != number || b.Int64() != bytes {
				t.Errorf("%v: %v words of %v bytes; there are %d of %d", method, n, b, number, bytes)
			}
		}
	}
}
