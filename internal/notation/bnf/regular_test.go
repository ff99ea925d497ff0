package bnf

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// regular returns the error of an automaton for a production that is not regular.
func regular(g *expr.Grammar, id string) error {
	_, err := lang.BuildNFA(g, id, lang.Options{})
	return err
}

// TestRegularIsExact checks Regular against the definition, on random grammars: what a production derives is found out
// as a set of lengths, and A derives uAv by composing the ways to use one production in another.
func TestRegularIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	embedding := 0
	for range 5000 {
		g := randomGrammar(rng)
		want := embedsByDefinition(g)
		for _, r := range g.Rules {
			err := regular(g, r.ID)
			if (err != nil) != want[r.ID] {
				t.Fatalf("%s: have %v, want an error: %v\n%s", r.ID, err, want[r.ID], dump(g))
			}
			if err != nil {
				embedding++
			}
		}
	}
	if embedding < 1000 {
		t.Errorf("only %d of the random grammars embed: the test shows little", embedding)
	}
}

// randomGrammar returns three rules over the letter x and a name that is not defined.
func randomGrammar(rng *rand.Rand) *expr.Grammar {
	var random func(depth int) *expr.Expr
	random = func(depth int) *expr.Expr {
		n := 11
		if depth == 0 {
			n = 5
		}
		switch rng.IntN(n) {
		case 0:
			return expr.Lit("x")
		case 1:
			return expr.Lit("")
		case 2, 3:
			return expr.To(string(rune('a' + rng.IntN(3))))
		case 4:
			if rng.IntN(3) == 0 {
				return expr.To("undefined")
			}
			return expr.Lit("x")
		case 5, 6:
			return expr.Cat(random(depth-1), random(depth-1))
		case 7, 8, 9:
			return expr.Or(random(depth-1), random(depth-1))
		default:
			bounds := [][2]int{{0, 1}, {0, expr.Unbounded}, {1, expr.Unbounded}, {2, 2}, {1, 1}}[rng.IntN(5)]
			return expr.Times(random(depth-1), bounds[0], bounds[1])
		}
	}
	g := &expr.Grammar{Name: "random"}
	for _, id := range []string{"a", "b", "c"} {
		g.Rules = append(g.Rules, &expr.Rule{ID: id, Name: id, Expr: random(3)})
	}
	return g
}

// embedsByDefinition reports for every rule whether a rule that it derives from embeds itself. Right-hand sides are
// first spelled out as sequences of symbols, "x" or a name; two rounds of a repetition are as good as any number of
// them.
func embedsByDefinition(g *expr.Grammar) map[string]bool {
	ids := []string{"a", "b", "c"}
	sequences := map[string][][]string{}
	for _, r := range g.Rules {
		sequences[r.ID] = spellOut(r.Expr)
	}
	const cap = 1 << 12
	lengths := map[string]uint64{"x": 2} // bit n: derives a word of n letters
	of := func(symbols []string) uint64 {
		sum := uint64(1)
		for _, s := range symbols {
			var next uint64
			for n := range 63 {
				if sum>>n&1 != 0 {
					next |= lengths[s] << n
				}
			}
			sum = next & (cap - 1)
		}
		return sum
	}
	for range 64 {
		for _, id := range ids {
			for _, s := range sequences[id] {
				lengths[id] |= of(s)
			}
		}
	}
	type way struct {
		from, to    string
		left, right bool
	}
	ways := map[way]bool{}
	for _, id := range ids {
		for _, s := range sequences[id] {
			for i, symbol := range s {
				left, right := of(s[:i]), of(s[i+1:])
				if symbol == "x" || lengths[symbol] == 0 || left == 0 || right == 0 {
					continue
				}
				for _, l := range []bool{false, true} {
					for _, r := range []bool{false, true} {
						if (l && left > 1 || !l && left&1 != 0) && (r && right > 1 || !r && right&1 != 0) {
							ways[way{id, symbol, l, r}] = true
						}
					}
				}
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for v := range ways {
			for w := range ways {
				both := way{v.from, w.to, v.left || w.left, v.right || w.right}
				if v.to == w.from && !ways[both] {
					ways[both] = true
					grown = true
				}
			}
		}
	}
	out := map[string]bool{}
	for _, id := range ids {
		out[id] = ways[way{id, id, true, true}]
	}
	for w := range ways {
		if ways[way{w.to, w.to, true, true}] {
			out[w.from] = true
		}
	}
	return out
}

func spellOut(e *expr.Expr) [][]string {
	join := func(a, b [][]string) [][]string {
		var out [][]string
		for _, x := range a {
			for _, y := range b {
				out = append(out, append(slices.Clone(x), y...))
			}
		}
		return out
	}
	switch e.Op {
	case expr.Empty:
		return [][]string{{}}
	case expr.Literal:
		return [][]string{{"x"}}
	case expr.Ref:
		return [][]string{{e.Name}}
	case expr.Seq:
		out := [][]string{{}}
		for _, s := range e.Sub {
			out = join(out, spellOut(s))
		}
		return out
	case expr.Alt:
		var out [][]string
		for _, s := range e.Sub {
			out = append(out, spellOut(s)...)
		}
		return out
	default: // Repeat
		max := e.Max
		if max == expr.Unbounded {
			max = 2
		}
		var out [][]string
		round := [][]string{{}}
		for n := 0; n <= max; n++ {
			if n >= e.Min {
				out = append(out, round...)
			}
			round = join(round, spellOut(e.Sub[0]))
			if len(round) > 4000 {
				break
			}
		}
		return out
	}
}
