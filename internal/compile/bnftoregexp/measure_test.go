package bnftoregexp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The length by which expressions are compared is that of what is written, also after measures were forgotten.
func TestMeasureIsLength(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	classes := []expr.Set{expr.Bytes("a"), expr.Bytes("."), expr.Range('0', '9'), expr.Range('a', 'z'), expr.Bytes("-_"), expr.Set{}}
	var random func(depth int) *expr.Expr
	random = func(depth int) *expr.Expr {
		n := r.IntN(6)
		if depth == 0 {
			n = 0
		}
		parts := func() (list []*expr.Expr) {
			for range 2 + r.IntN(3)*r.IntN(6) {
				list = append(list, random(depth-1))
			}
			return list
		}
		switch n {
		case 1:
			return &expr.Expr{Op: expr.Seq, Sub: parts()}
		case 2:
			return &expr.Expr{Op: expr.Alt, Sub: parts()}
		case 3:
			lo := r.IntN(12)
			hi := []int{lo, lo + r.IntN(3), expr.Unbounded}[r.IntN(3)]
			return &expr.Expr{Op: expr.Repeat, Sub: []*expr.Expr{random(depth - 1)}, Min: lo, Max: hi}
		case 4:
			return &expr.Expr{Op: expr.Node, Name: "n", Sub: []*expr.Expr{random(depth - 1)}}
		case 5:
			return empty
		}
		return expr.In(classes[r.IntN(len(classes))])
	}
	w := &writer{g: &expr.Grammar{}, flavor: Of("js"), alphabet: &alphabet{}}
	w.startMeasuring()
	kept, forgotten := 0, false
	for range 40_000 {
		e := random(4)
		for {
			if got, want := w.cost(e), len(w.cheap.print(e)); got != want {
				t.Fatalf("%s: measured %d, written %d", w.cheap.print(e), got, want)
			}
			if e.Op != expr.Seq || len(e.Sub) < 3 {
				break
			}
			e = sequenceOf(e.Sub[1:]) // it shares its list
		}
		forgotten = forgotten || len(w.measures) < kept
		kept = len(w.measures)
		if kept > maxMeasures {
			t.Fatalf("%d measures are kept", kept)
		}
	}
	if !forgotten {
		t.Errorf("none of %d measures were forgotten", kept)
	}
}

// Six hundred literals, of which many begin alike, are factored in steps that grow with their parts. Once each common
// letter cost as much as all that is written.
func TestLongAlternatives(t *testing.T) {
	var words []string
	for i := range 600 {
		words = append(words, fmt.Sprintf("%q", strings.Repeat("x", i%150)+fmt.Sprint("w", i)))
	}
	g := must.Of(bnf.ReadABNF("g.abnf", []byte("s = "+strings.Join(words, " / ")+"\n")))(t)
	language := must.Of(lang.FromBNF(g, "s"))(t)
	g.Budget = budget.New(context.Background(), budget.Limits{Steps: 1 << 24})
	must.Of(New(g, g.Rule("s"), language, Of("js"), Options{}))(t)
	t.Logf("%d steps", g.Budget.Taken())
}

// Literals that share beginnings of every length are factored letter by letter, and what is left of each is not measured
// anew. Once the limit was passed.
func TestLiteralsThatBeginAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 3))
	letters := func(n int) string {
		w := make([]byte, n)
		for i := range w {
			w[i] = 'a' + byte(r.IntN(26))
		}
		return string(w)
	}
	common := letters(200)
	var words []string
	for range 1500 {
		words = append(words, fmt.Sprintf("%q", common[:1+r.IntN(200)]+letters(3)))
	}
	g := must.Of(bnf.ReadABNF("g.abnf", []byte("s = "+strings.Join(words, " / ")+"\n")))(t)
	language := must.Of(lang.FromBNF(g, "s"))(t)
	g.Budget = budget.New(context.Background(), budget.Limits{Steps: 1 << 25})
	must.Of(New(g, g.Rule("s"), language, Of("js"), Options{}))(t)
	t.Logf("%d steps", g.Budget.Taken())
}
