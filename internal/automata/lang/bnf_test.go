package lang

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// A production has the words that a general recognizer derives from it, recursion and undefined names included.
func TestRandomBNFs(t *testing.T) {
	words := pegtest.Words("abc", 5)
	recursive := 0
	for seed := range uint64(longtest.Size(100, 400)) {
		m := maker{rand.New(rand.NewPCG(seed, 2)), 3, false, []string{"a", "b", "c", "undefined"}}
		g := grammarOf(false, m.expr(3), m.expr(3), m.expr(2))
		a, err := FromBNF(g, "a")
		if err != nil {
			continue
		}
		what := fmt.Sprintf("seed %d:\n%s", seed, show(g))
		checkWords(t, what, a, words, func(w string) bool { return pegtest.DerivesWithin(g, "a", 0, w) })
		facts := must.Of(analyze(g, expr.To("a")))(t)
		if facts.Component("a").Recursive {
			recursive++
		}
		for _, keep := range []func(string) bool{
			nil,
			func(string) bool { return true },
			func(string) bool { return false },
			func(id string) bool { return id != "c" },
		} {
			n := must.Of(BuildNFA(g, "a", Options{Keep: keep}))(t)
			if b, err := n.Determinize(Limits{}); err != nil || !a.Equal(b) {
				t.Fatalf("%skeeping productions changes the language: %v", what, err)
			}
			if keep != nil {
				checkTerms(t, what, g, n)
			}
		}
	}
	if recursive < 8 {
		t.Errorf("only %d grammars were regular and recursive", recursive)
	}
}

// checkTerms checks the labels of an NFA's edges against the grammar: the terminal stands in the text of the innermost
// production, and each production on the way there in that of the one before it.
func checkTerms(t *testing.T, what string, g *expr.Grammar, n *NFA) {
	t.Helper()
	within := func(id string, ok func(*expr.Expr) bool) bool {
		found := false
		expr.Walk(g.Rule(id).Expr, func(e *expr.Expr) bool {
			found = found || ok(e)
			return !found
		})
		return found
	}
	for _, s := range n.States {
		for _, e := range s.Edges {
			path := e.In.Path()
			if path[0] != "a" {
				t.Fatalf("%spath %v", what, path)
			}
			for i, id := range path[1:] {
				if !within(path[i], func(e *expr.Expr) bool { return e.Op == expr.Ref && e.Name == id }) {
					t.Fatalf("%spath %v: %s does not use %s", what, path, path[i], id)
				}
			}
			if !within(e.In.ID, func(x *expr.Expr) bool { return x == e.Term }) {
				t.Fatalf("%s%s does not stand in %s", what, e.Term, e.In.ID)
			}
			if e.Term.Op == expr.Literal && e.Set != expr.Bytes(e.Term.Lit[e.At:e.At+1]) {
				t.Fatalf("%sbyte %d of %s is not %s", what, e.At, e.Term, e.Set)
			}
		}
	}
}

// What is right-linear, left-linear, or recursive in name only is exact; the rest is refused with the way it embeds itself.
func TestRecursion(t *testing.T) {
	x, y, void := expr.Lit("x"), expr.Lit("y"), expr.Lit("")
	a, b, c, none := expr.To("a"), expr.To("b"), expr.To("c"), expr.To("none")
	for _, test := range []struct {
		texts []*expr.Expr
		want  string // the language of a as an expression, or the error
	}{
		{[]*expr.Expr{expr.Or(expr.Cat(x, a), y)}, `x*y`},
		{[]*expr.Expr{expr.Or(expr.Cat(a, x), y)}, `yx*`},
		{[]*expr.Expr{expr.Cat(x, expr.Opt(a))}, `x+`},
		{[]*expr.Expr{expr.Cat(x, expr.Opt(expr.Cat(y, a)))}, `x(yx)*`},
		{[]*expr.Expr{expr.Or(expr.Cat(x, b), x), expr.Cat(y, a)}, `x(yx)*`},
		{[]*expr.Expr{expr.Or(expr.Cat(b, x), x), expr.Cat(a, y)}, `x(yx)*`},
		{[]*expr.Expr{expr.Or(a, x)}, `x`},
		{[]*expr.Expr{expr.Or(b, x), a}, `x`},
		{[]*expr.Expr{a}, `never`},
		{[]*expr.Expr{expr.Cat(x, none)}, `never`},
		{[]*expr.Expr{expr.Or(expr.Cat(x, none), y)}, `y`},
		{[]*expr.Expr{expr.Or(expr.Cat(x, a, y, none), expr.Cat(x, a), y)}, `x*y`},
		{[]*expr.Expr{expr.Or(expr.Cat(b, a, x), y), void}, `yx*`},
		{[]*expr.Expr{expr.Or(expr.Cat(b, a, b), void), expr.Opt(b)}, ``},
		{[]*expr.Expr{expr.Or(expr.Cat(b, none), x), expr.Or(expr.Cat(x, b, y), x)},
			`x`}, // b embeds itself, and a never uses it
		{[]*expr.Expr{expr.Cat(b, x, c), expr.Opt(expr.Cat(x, b)), expr.Opt(expr.Cat(c, y))}, `x*xy*`},
		{[]*expr.Expr{expr.Or(expr.Cat(x, a, y), x)}, "`a` embeds itself"},
		{[]*expr.Expr{expr.Or(expr.Cat(x, b), x), expr.Cat(a, y)}, "`a` embeds itself through `b`"},
		{[]*expr.Expr{expr.Or(expr.Cat(x, a), expr.Cat(a, y), x)}, "`a` embeds itself"},
		{[]*expr.Expr{expr.Or(expr.Cat(a, a), x)}, "`a` embeds itself"},
		{[]*expr.Expr{expr.Times(expr.Or(x, expr.Cat(y, a)), 2, 2)}, "`a` embeds itself"},
		{[]*expr.Expr{expr.Cat(b, x), expr.Or(expr.Cat(x, c), y), expr.Cat(b, y)}, "`b` embeds itself through `c`"},
		{[]*expr.Expr{expr.Lookahead(x, true)}, "a lookahead in a grammar that is not ordered"},
	} {
		g := grammarOf(false, test.texts...)
		got, err := FromBNF(g, "a")
		if err != nil {
			if err.Error() != test.want {
				t.Errorf("%sgot %q, want %q", show(g), err, test.want)
			}
			continue
		}
		want := regular(t, test.want)
		if !got.Equal(want) {
			w, _ := got.SymmetricDifference(want).Shortest()
			t.Errorf("%snot %s: they differ on %q", show(g), test.want, w)
		}
	}
}

// regular returns the language of a small regular expression with *, + and parentheses, or of "never".
func regular(t *testing.T, s string) *DFA {
	t.Helper()
	if s == "never" {
		return Empty()
	}
	var seq func() *DFA
	i := 0
	seq = func() *DFA {
		a := Epsilon()
		for i < len(s) && s[i] != ')' {
			var b *DFA
			if s[i] == '(' {
				i++
				b = seq()
			} else {
				b = OfString(s[i : i+1])
			}
			i++
			if i < len(s) && s[i] == '*' {
				b = b.Star()
				i++
			} else if i < len(s) && s[i] == '+' {
				b = b.Concat(b.Star())
				i++
			}
			a = a.Concat(b)
		}
		return a
	}
	return seq()
}

func TestBNFErrors(t *testing.T) {
	pos := expr.Pos{File: "g.bnf", Line: 3, Col: 1}
	g := grammarOf(false, expr.Or(expr.Cat(expr.Lit("("), expr.To("a"), expr.Lit(")")), expr.Lit("x")))
	g.Rules[0].Pos = pos
	_, err := FromBNF(g, "a")
	var embeds *expr.SelfEmbedding
	if !errors.As(err, &embeds) || embeds.Production != "a" || embeds.Pos != pos || err.Error() != "g.bnf:3:1: `a` embeds itself" {
		t.Errorf("self-embedding: %v", err)
	}
	if _, err := FromBNF(g, "b"); err == nil {
		t.Error("a production that does not exist has a language")
	}
	if _, err := FromBNF(grammarOf(true, expr.Lit("x")), "a"); err == nil {
		t.Error("ordered choice was read as unordered")
	}
	// 20 doublings: no state need be many, but the edges are.
	var texts []*expr.Expr
	for i := range 20 {
		next := expr.To(string(rune('b' + i)))
		texts = append(texts, expr.Or(expr.Cat(expr.Lit("x"), next), expr.Cat(expr.Lit("y"), next)))
	}
	texts = append(texts, expr.Lit("z"))
	if _, err := BuildNFA(grammarOf(false, texts...), "a", Options{Limits: Limits{NFA: 1 << 12}}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("NFA limit: %v", err)
	}
	// The n-th byte from the end is an x: 2 to the n states.
	n := must.Of(BuildNFA(grammarOf(false, expr.Cat(
		expr.Times(expr.In(expr.Bytes("xy")), 0, expr.Unbounded), expr.Lit("x"), expr.Times(expr.In(expr.Bytes("xy")),
			12, 12),
	)), "a", Options{}))(t)
	if _, err := n.Determinize(Limits{DFA: 1000}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("DFA limit: %v", err)
	}
	if a, err := n.Determinize(Limits{}); err != nil || a.States() != 1<<13+1 {
		t.Errorf("the 13th byte from the end: %v", err)
	}
}

// What one look at a grammar finds wrong with the form of its productions is what is found for each.
func TestFaults(t *testing.T) {
	faulty := 0
	for seed := range uint64(200) {
		m := maker{rand.New(rand.NewPCG(seed, 3)), 3, seed%4 == 0, []string{"a", "b", "c", "undefined"}}
		g := grammarOf(false, m.expr(3), m.expr(3), m.expr(2))
		faults := must.Of(Faults(g))(t)
		for _, r := range g.Rules {
			_, err := FromBNF(g, r.ID)
			if fmt.Sprint(err) != fmt.Sprint(faults[r.ID]) {
				t.Errorf("seed %d, %s: %v, want %v\n%s", seed, r.ID, faults[r.ID], err, show(g))
			}
			if err != nil {
				faulty++
			}
		}
	}
	if faulty < 100 {
		t.Errorf("only %d productions have no automaton", faulty)
	}
}

// A budget that is used up when a language is asked for, or before, is an error and no panic.
func TestBudgetUsedUp(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		g := &expr.Grammar{Name: "g", Ordered: ordered, Rules: []*expr.Rule{{ID: "a", Name: "a", Expr: expr.In(expr.AnyByte)}}}
		for _, steps := range []int64{1, 300} {
			g.Budget = budget.New(t.Context(), budget.Limits{Steps: steps})
			_, err := FromBNF(g, "a")
			if ordered {
				_, err = FromPEG(g, "a")
			}
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("ordered %t, %d steps: %v", ordered, steps, err)
			}
			if _, err := NewPEGLongest(g, nil, Limits{}); !errors.Is(err, ErrTooLarge) {
				t.Errorf("longest, ordered %t, %d steps: %v", ordered, steps, err)
			}
		}
	}
}

// Where nothing is left of the budget, no part of the grammar is looked at: in a circle of 10,000 productions, the page
// about each looked for the others in vain.
func TestNothingIsLookedForInVain(t *testing.T) {
	g := &expr.Grammar{Name: "g"}
	for i := range 3000 {
		next := expr.To(fmt.Sprintf("r%d", (i+1)%3000))
		g.Rules = append(g.Rules, &expr.Rule{ID: fmt.Sprintf("r%d", i), Expr: expr.Or(expr.Lit("a"), expr.Cat(next, expr.Lit("b")))})
	}
	g.Budget = budget.New(t.Context(), budget.Limits{Steps: 1})
	for range 2 { // the first uses it up
		if _, err := FromBNF(g, "r7"); !errors.Is(err, ErrTooLarge) {
			t.Fatal(err)
		}
	}
	allocations := testing.AllocsPerRun(10, func() {
		_, _ = FromBNF(g, "r7")
		_, _ = FromExpr(g, expr.To("r7"))
	})
	if allocations > 20 {
		t.Errorf("%v allocations", allocations)
	}
}

// A use of a lexical production is one term, but for what it derives that is longer than one byte.
func TestTermsOfLexicalProductions(t *testing.T) {
	g := &expr.Grammar{Name: "test", Rules: []*expr.Rule{
		{ID: "segment", Expr: expr.Times(expr.Or(expr.To("uchar"), expr.Lit(";")), 0, expr.Unbounded)},
		{ID: "uchar", Expr: expr.Or(expr.To("unreserved"), expr.To("escape"))},
		{ID: "unreserved", Expr: expr.Or(expr.In(expr.Range('a', 'z')), expr.To("safe"))},
		{ID: "safe", Expr: expr.Or(expr.Lit("-"), expr.Lit("."))},
		{ID: "escape", Expr: expr.Cat(expr.Lit("%"), expr.To("hex"), expr.To("hex"))},
		{ID: "hex", Expr: expr.In(expr.Bytes("0123456789abcdef"))},
	}}
	for _, test := range []struct {
		start string
		want  []string
	}{
		{"segment", []string{
			`[.\-a-z] as uchar in segment`,
			`[%] as "%" in segment uchar escape`,
			`[0-9a-f] as hex in segment uchar escape`,
			`[0-9a-f] as hex in segment uchar escape`,
			`[;] as ";" in segment`,
		}},
		{"uchar", []string{
			`[.\-a-z] as unreserved in uchar`,
			`[%] as "%" in uchar escape`,
			`[0-9a-f] as hex in uchar escape`,
			`[0-9a-f] as hex in uchar escape`,
		}},
	} {
		n := must.Of(BuildNFA(g, test.start, Options{Keep: func(id string) bool { return id == "segment" }}))(t)
		var got []string
		for _, s := range n.States {
			for _, e := range s.Edges {
				got = append(got, fmt.Sprintf("%s as %s in %s", classOf(e.Set), e.Term, strings.Join(e.In.Path(), " ")))
			}
		}
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", test.start, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// classOf prints a set with the hyphen where it is easily seen.
func classOf(s expr.Set) string {
	if s.Has('-') && s.Has('.') {
		return `[.\-` + s.Minus(expr.Bytes("-.")).String()[1:]
	}
	return s.String()
}
