package prove

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// nesting makes random expressions in which rules use each other.
type nesting struct{ *rand.Rand }

func (m nesting) expr(depth int) *expr.Expr {
	n := 9
	if depth == 0 {
		n = 4
	}
	sub := func() *expr.Expr { return m.expr(depth - 1) }
	switch m.IntN(n) {
	case 0, 1:
		return expr.Lit(string(rune('a' + m.IntN(3))))
	case 2:
		return expr.In(expr.Bytes([]string{"ab", "bc", "ac"}[m.IntN(3)]))
	case 3:
		return expr.To(string(rune('a' + m.IntN(3))))
	case 4, 5:
		return expr.Cat(sub(), sub(), sub())
	case 6, 7:
		return expr.Or(sub(), sub())
	}
	return expr.Times(sub(), 0, []int{1, expr.Unbounded}[m.IntN(2)])
}

// fault returns e with its alternatives in another order here and there, or with another small change.
func (m nesting) fault(e *expr.Expr) *expr.Expr {
	e = e.Map(m.fault)
	switch e.Op {
	case expr.Alt:
		if m.IntN(3) == 0 {
			e.Sub[0], e.Sub[1] = e.Sub[1], e.Sub[0]
		}
	case expr.Literal, expr.Class:
		if m.IntN(40) == 0 {
			return expr.Cat(expr.Lookahead(expr.To("b"), true), e)
		}
	case expr.Ref:
		if m.IntN(40) == 0 {
			return expr.Lit("c")
		}
	}
	return e
}

// TestRandomNesting: what is said of pairs that nest is checked, on all short words, against recognizers that count.
func TestRandomNesting(t *testing.T) {
	words := pegtest.Words("abc", 5)
	count := map[string]int{}
	for seed := range uint64(longtest.Size(200, 10000)) {
		m := nesting{rand.New(rand.NewPCG(seed, 77))}
		bnf := &expr.Grammar{Name: "x", Title: "x", File: "x.abnf", Notation: "abnf"}
		peg := &expr.Grammar{Name: "x", Title: "x", File: "x.peg", Ordered: true}
		for i, id := range []string{"a", "b", "c"} {
			e := m.expr(2 + i%2)
			bnf.Rules = append(bnf.Rules, &expr.Rule{ID: id, Name: id, Expr: e})
			peg.Rules = append(peg.Rules, &expr.Rule{ID: id, Name: id, Expr: m.fault(e)})
		}
		most := m.IntN(3)
		r := must.Of(Prove(catalog.Pair{BNF: bnf, PEG: peg, Start: "a"}, Options{Nesting: &most}))(t)
		var text strings.Builder
		for i := range bnf.Rules {
			fmt.Fprintf(&text, "%s = %s\n%s <- %s\n", bnf.Rules[i].ID, bnf.Rules[i].Expr, peg.Rules[i].ID, peg.Rules[i].Expr)
		}
		for _, row := range r.Productions {
			id := row.Production
			if row.Depth == nil && !row.Structure && row.BNFStates > 0 {
				count["regular"]++
				continue
			}
			fail := func(w, what string) {
				t.Fatalf("seed %d, to %d: %s, %q: %s\n%s%v", seed, most, id, w, what, text.String(), r.Faults)
			}
			match := func(w string) int { return pegtest.MatchWithin(peg, id, most, w) }
			derived := func(w string) bool { yes, ok := interpreter.Derives(bnf, id, w); return yes && ok }
			if w := row.BNFOnly; w != nil {
				if w := string(*w); !pegtest.DerivesWithin(bnf, id, most, w) || match(w) == len(w) || match(w) == pegtest.Deeper {
					fail(w, "is no string that refutes the rule")
				}
			}
			if w := row.PEGOnly; w != nil {
				if w := string(*w); match(w) != len(w) || derived(w) {
					fail(w, "is no string that refutes the rule")
				}
			}
			open := ""
			for _, f := range r.Faults {
				if f.Production == id && f.Kind == Limit && f.Word != nil {
					open = "open"
					if w := string(*f.Word); !(pegtest.DerivesWithin(bnf, id, most, w) && match(w) == pegtest.Deeper) && match(w) != len(w) {
						fail(w, "does not leave anything open")
					}
				}
			}
			switch {
			case row.Structure:
				count["structure"]++
				for _, w := range words {
					if match := pegtest.MatchWithin(peg, id, 20, w); derived(w) != (match == len(w)) {
						fail(w, "is not what the structure proves")
					}
				}
			case row.Equal:
				for _, w := range words {
					if pegtest.DerivesWithin(bnf, id, most, w) && match(w) != len(w) {
						fail(w, "is derived and not matched")
					}
					if match(w) == len(w) && !derived(w) {
						fail(w, "is matched and not derived")
					}
				}
				count["equal"]++
			case row.BNFOnly != nil || row.PEGOnly != nil:
				count["refuted"]++
			case open != "":
				count["open"]++
			default:
				count["refused"]++
			}
		}
	}
	t.Log(count)
	for _, kind := range []string{"equal", "structure", "refuted", "open"} {
		if count[kind] < longtest.Size(2, 10) {
			t.Errorf("only %d rows were %s", count[kind], kind)
		}
	}
}
