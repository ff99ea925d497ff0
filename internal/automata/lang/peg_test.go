package lang

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/peg"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// Both ways from a PEG to its automaton lead to the same one, and that agrees with an interpreter.
func TestRandomPEGs(t *testing.T) {
	words := pegtest.Words("abc", 6)
	for seed := range uint64(longtest.Size(300, 3000)) {
		m := maker{rand.New(rand.NewPCG(seed, 1)), 3, true, nil}
		checkPEG(t, seed, grammarOf(true, m.expr(4)), words)
	}
}

// The same with rules that call each other and themselves. Both ways refuse the same grammars.
func TestRandomRecursivePEGs(t *testing.T) {
	words := pegtest.Words("abc", 6)
	recursive := 0
	for seed := range uint64(longtest.Size(700, 4000)) {
		m := maker{rand.New(rand.NewPCG(seed, 2)), 3, true, []string{"a", "b", "c"}}
		g := grammarOf(true, m.expr(3), m.expr(3), m.expr(2))
		if checkPEG(t, seed, g, words) && g.Path("a", "a", expr.Refs) != nil {
			recursive++
		}
	}
	if recursive < 20 {
		t.Errorf("only %d grammars were well-formed and recursive", recursive)
	}
}

// FromPEGReverse is [FromPEG] by way of the alternating automaton.
func FromPEGReverse(g *expr.Grammar, id string) (*DFA, error) {
	p, err := NewPEG(g, Limits{})
	if err != nil {
		return nil, err
	}
	return p.reversed(expr.To(id), atEnd, smallCone)
}

// reversed returns what language finds, by way of the alternating automaton.
func (p *PEG) reversed(e *expr.Expr, end int32, small int) (a *DFA, err error) {
	if err := p.form.check(e); err != nil {
		return nil, err
	}
	var l int32
	err = p.s.meter.shareFor(nil, func() { l = p.compileBackward(p.pushTerm(p.terms.termOf(e), end), small) })
	return p.s.DFAOf(Language(l), err)
}

// checkPEG compares all that is said about the first rule of g. It is false if that has no automaton.
func checkPEG(t *testing.T, seed uint64, g *expr.Grammar, words []string) bool {
	t.Helper()
	what := fmt.Sprintf("seed %d:\n%s", seed, show(g))
	e := g.Rules[0].Expr
	whole, err := FromPEG(g, "a")
	reversed, err2 := FromPEGReverse(g, "a")
	if (err == nil) != (err2 == nil) {
		t.Fatalf("%sone way refuses, the other does not: %v; %v", what, err, err2)
	}
	if err != nil {
		return false
	}
	checkWords(t, what, whole, words, func(w string) bool { end, _ := peg.Match(g, e, w, 0); return end == len(w) })
	if !whole.Equal(reversed) {
		t.Fatalf("%sthe two ways differ", what)
	}
	// Whether it is a certain language is found in another way, also for one that tells bytes apart that g does not.
	for i, a := range []*DFA{
		whole, whole.Complement(), whole.Union(Epsilon()), whole.Minus(Epsilon()), OfSet(expr.Bytes("\xff")),
	} {
		p := must.Of(NewPEG(g, Limits{}, e))(t)
		same, l, err := p.WholeIs(e, a)
		if err != nil || same != whole.Equal(a) {
			t.Fatalf("%sit is language %d: %v, %v", what, i, same, err)
		}
		if !same && !must.Of(p.s.DFA(l))(t).Equal(whole) {
			t.Fatalf("%sit is not language %d, and another than by itself", what, i)
		}
	}
	// Taken apart wherever that can be, the alternating automaton is still the same.
	p, err := NewPEG(g, Limits{}, e)
	if err != nil {
		t.Fatalf("%s%v", what, err)
	}
	apart, err := p.reversed(expr.To("a"), atEnd, 1)
	if err != nil || !whole.Equal(apart) {
		t.Fatalf("%staken apart it differs: %v", what, err)
	}
	prefix, err := p.Prefix(e)
	if err != nil {
		t.Fatalf("%s%v", what, err)
	}
	checkWords(t, "beginnings, "+what, prefix, words, func(w string) bool { end, _ := peg.Match(g, e, w, 0); return end >= 0 })
	reversed, err = p.reversed(e, anywhere, smallCone)
	if err != nil || !prefix.Equal(reversed) {
		t.Fatalf("%sthe two ways differ on beginnings: %v", what, err)
	}
	return true
}

// What ordered choice, greed and lookahead do to a language.
func TestPEGTraps(t *testing.T) {
	lower := expr.In(expr.Range('a', 'z'))
	star := func(e *expr.Expr) *expr.Expr { return expr.Times(e, 0, expr.Unbounded) }
	not := func(e *expr.Expr) *expr.Expr { return expr.Lookahead(e, true) }
	x, y := expr.Lit("x"), expr.Lit("y")
	for _, test := range []struct {
		e       *expr.Expr
		in, out []string
	}{
		{expr.Cat(star(lower), lower), nil, []string{"", "a", "ab", "abc"}},
		{expr.Or(expr.Lit("a"), expr.Lit("ab")), []string{"a"}, []string{"ab"}},
		{expr.Or(expr.Lit("ab"), expr.Lit("a")), []string{"a", "ab"}, nil},
		{expr.Or(expr.Cat(expr.Lit("a"), not(expr.In(expr.AnyByte))), expr.Lit("ab")), []string{"a", "ab"}, nil},
		{expr.Cat(expr.Opt(x), x), []string{"xx"}, []string{"x"}},
		{expr.Cat(expr.Or(x, expr.Lit("xy")), y), []string{"xy"}, []string{"xyy"}},
		{expr.Cat(star(expr.Cat(not(expr.Lit("xy")), lower)), expr.Lit("xy")), []string{"xy", "axxxy"},
			[]string{"xyxy", "a"}},
		{expr.Cat(expr.Lookahead(expr.Cat(star(x), y), false), star(expr.Or(x, y))), []string{"y", "xxy", "yx"},
			[]string{"", "x", "xx"}},
		{not(not(x)), nil, []string{"", "x"}},
		{expr.Cat(not(not(x)), lower), []string{"x"}, []string{"a", "xx"}},
		{expr.Times(x, 2, 3), []string{"xx", "xxx"}, []string{"x", "xxxx"}},
		{expr.Cat(expr.Times(x, 2, 3), x), []string{"xxxx"}, []string{"xxx"}},
	} {
		g := grammarOf(true, test.e)
		a, err := FromPEG(g, "a")
		if err != nil {
			t.Errorf("%s: %v", test.e, err)
			continue
		}
		for _, w := range test.in {
			if !a.Match(w) {
				t.Errorf("%s: does not match %q", test.e, w)
			}
		}
		for _, w := range test.out {
			if a.Match(w) {
				t.Errorf("%s: matches %q", test.e, w)
			}
		}
		if test.in == nil && !a.IsEmpty() {
			t.Errorf("%s: is not empty", test.e)
		}
	}
}

func TestPEGErrors(t *testing.T) {
	x, y := expr.Lit("x"), expr.Lit("y")
	a, b := expr.To("a"), expr.To("b")
	for _, test := range []struct {
		texts []*expr.Expr
		want  string
	}{
		{[]*expr.Expr{expr.To("none")}, "rule `none` is not defined"},
		{[]*expr.Expr{expr.Times(expr.Opt(x), 0, expr.Unbounded)},
			`( "x"? )* repeats something that can match the empty word`},
		{[]*expr.Expr{expr.Times(expr.Lookahead(x, true), 1, expr.Unbounded)},
			`( !"x" )+ repeats something that can match the empty word`},
		{[]*expr.Expr{expr.Or(expr.Cat(a, x), x)}, "g.peg:1:1: rule `a` can call itself before it has read anything"},
		{[]*expr.Expr{expr.Cat(expr.Opt(x), b), expr.Cat(expr.Lookahead(a, false), y)},
			"g.peg:1:1: rule `a` can call itself through `b` before it has read anything"},
		{[]*expr.Expr{expr.Or(expr.Cat(x, a, y), y)}, "g.peg:1:1: rule `a` calls itself other than at its end"},
		{[]*expr.Expr{expr.Cat(x, b), expr.Times(expr.Cat(y, a), 0, expr.Unbounded)},
			"g.peg:2:1: rule `b` calls itself through `a` other than at its end"},
	} {
		g := grammarOf(true, test.texts...)
		for i, r := range g.Rules {
			r.Pos = expr.Pos{File: "g.peg", Line: i + 1, Col: 1}
		}
		if _, err := FromPEG(g, "a"); err == nil || err.Error() != test.want {
			t.Errorf("%sgot  %v\nwant %s", show(g), err, test.want)
		}
	}
	if _, err := FromPEG(grammarOf(true, x), "b"); err == nil {
		t.Error("a rule that does not exist has a language")
	}
	if _, err := FromPEG(grammarOf(false, x), "a"); err == nil {
		t.Error("unordered alternatives were read as ordered")
	}
	g := grammarOf(true, expr.Times(x, 100, 100))
	p := must.Of(NewPEG(g, Limits{DFA: 50}))(t)
	if _, err := p.Whole(y); err == nil {
		t.Error("a byte that the automata do not know was looked for")
	}
	if p, err := NewPEG(g, Limits{}, y); err != nil {
		t.Error(err)
	} else if got, err := p.Whole(y); err != nil || !got.Equal(OfString("y")) {
		t.Errorf("an expression of its own: %v", err)
	}
	if _, err := p.Whole(a); !errors.Is(err, ErrTooLarge) {
		t.Errorf("limit: %v", err)
	}
}
