package bnftoregexp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Expressions whose alternatives begin or end with counts of the same parts are factored, which is where counts of
// counts meet. Each expression that is written is compared with the automaton by New.
func TestCommonCounts(t *testing.T) {
	write := func(text string) (string, error) {
		options := catalog.Usual
		options.Kind, options.Stdin = catalog.ABNF, strings.NewReader(text)
		o := must.Of(catalog.Open("-#r", options))(t)
		rule := must.Of(o.Start())(t)
		x, err := bnftoregexp.New(o.Within, rule, must.Of(o.Automaton(rule))(t), bnftoregexp.Of("js"), bnftoregexp.Options{})
		if err != nil {
			return "", err
		}
		return x.String(), nil
	}
	const once = "r = 3(\"x\" \"y\") \"a\" / 1*2(3(\"x\" \"y\")) \"b\"\n"
	if x, err := write(once); err != nil || x != "/^(?:xy){3}(?:a|(?:(?:xy){3})?b)$/i" {
		t.Errorf("%s, %v", x, err)
	}
	rng := rand.New(rand.NewPCG(25, 1))
	counts := []string{"", "2", "3", "*", "1*", "*1", "1*2", "2*3", "2*", "0*2"}
	var part func(depth int) string
	part = func(depth int) string {
		if depth == 0 {
			return []string{`"x"`, `"y"`, `%x61-62`, `"x" "y"`}[rng.IntN(4)]
		}
		return counts[rng.IntN(len(counts))] + "(" + part(depth-1) + ")"
	}
	for range longtest.Size(300, 20_000) {
		shared := part(1 + rng.IntN(2))
		side := func() string {
			s := counts[rng.IntN(len(counts))] + "(" + shared + ")"
			other := []string{`"a"`, `"b"`, part(1), ""}[rng.IntN(4)]
			if rng.IntN(2) == 0 {
				return s + " " + other
			}
			return other + " " + s
		}
		text := fmt.Sprintf("r = %s / %s\n", side(), side())
		if rng.IntN(3) == 0 {
			text = fmt.Sprintf("r = %s / %s / %s\n", side(), side(), side())
		}
		if _, err := write(text); err != nil {
			t.Errorf("%s: %v", strings.TrimSpace(text), err)
		}
	}
}
