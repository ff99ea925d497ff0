package interpreter

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/pegtest"
)

// derivedByGeneral returns a grammar that the general parser derives, all of it.
func derivedByGeneral(t *testing.T, g *expr.Grammar) *ast.Grammar {
	t.Helper()
	general := explaining(t, g)
	of := &ast.Grammar{
		Productions: []ast.Production{{}},
		Explaining:  general,
		Accept:      general.Accept,
		Parse:       general.Parse,
		Within:      general.Within,
	}
	for _, r := range g.Rules {
		of.Productions = append(of.Productions, ast.Production{ID: r.ID, Name: r.Name})
	}
	return of
}

// In random grammars of every kind, ParsePrefix finds the prefix that trying all of them finds.
func TestPrefixOfRandomGrammars(t *testing.T) {
	words := pegtest.Words("xyz", longtest.Size(5, 6))
	compared, shorter := 0, 0
	for seed := range uint64(longtest.Size(150, 2000)) {
		g := random(rand.New(rand.NewPCG(seed, 44)), seed%3 == 0)
		of := derivedByGeneral(t, g)
		for k := ast.Kind(1); int(k) < len(of.Productions); k++ {
			derived := map[string]bool{}
			for _, w := range words {
				derived[w] = of.Accept(k, w)
			}
			for _, w := range words {
				want := len(w)
				for want >= 0 && !derived[w[:want]] {
					want--
				}
				_, n, err := of.ParsePrefix(k, w)
				if err != nil {
					n = -1
				}
				if n != want {
					t.Fatalf("seed %d: %s on %q: %d, want %d; %v\n%s", seed, of.Productions[k].ID, w, n, want, err, text(g))
				}
				compared++
				if 0 < n && n < len(w) {
					shorter++
				}
			}
		}
	}
	t.Logf("%d prefixes, %d of them neither empty nor all of the input", compared, shorter)
	if shorter < 10_000 {
		t.Errorf("only %d prefixes are neither empty nor all of the input", shorter)
	}
}

// The steps for a prefix grow with the input, not with its square: twenty for each byte are enough, for
// 2 KB and for 200 KB. A prefix that ends far before the place where the input goes wrong is found as
// well.
func TestPrefixIsLinear(t *testing.T) {
	const stepsByByte = 20
	for _, c := range pegtest.PrefixCases {
		g := must.Of(bnf.ReadABNF("a.abnf", []byte(c.Grammar)))(t)
		p := derivedByGeneral(t, g).NewParser()
		p.Start = 1
		for _, size := range []int{2 << 10, 20 << 10, 200 << 10} {
			src, want := c.Input(size)
			p.Limits.Steps = stepsByByte * len(src)
			_, n, err := p.ParsePrefix(src)
			if want < 0 && !errors.Is(err, ast.ErrIncomplete) || want >= 0 && (err != nil || n != want) {
				t.Errorf("%s: of %d bytes, which begin with %.20q: %d, %v", c.Grammar, len(src), src, n, err)
			}
		}
	}
}

// The context of a parser holds for all that ParsePrefix does: nothing reads the input without it.
func TestPrefixWithinContext(t *testing.T) {
	g := must.Of(bnf.ReadABNF("a.abnf", []byte("s = \"a\" s \"b\" / \"\"\r\n")))(t)
	of := derivedByGeneral(t, g)
	p := of.NewParser()
	p.Start = 1
	if _, n, err := p.ParsePrefix("aabbb"); n != 4 || err != nil {
		t.Errorf("the prefix has %d bytes: %v", n, err)
	}
	of.Accept = func(ast.Kind, string) bool {
		t.Error("the input is read without limits")
		return false
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.Context = ctx
	_, _, err := p.ParsePrefix(strings.Repeat("a", 1<<18) + strings.Repeat("b", 1<<18))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, not that of the context", err)
	}
}
