package bnftoregexp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/compile/bnftoregexp"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A recursion that reads nothing, or never derives a string, is written as what is left without it.
func TestRecursionThatAddsNothing(t *testing.T) {
	for _, c := range []struct{ name, text, captures, want string }{
		{"an option of itself", "A = [ A ]\n", "", "/^$/"},
		{"a repetition of itself", "A = *A\n", "", "/^$/"},
		{"itself twice, or nothing", "A = A A / \"\"\n", "", "/^$/"},
		{"through another production", "A = [ B ]\nB = A\n", "", "/^$/"},
		{"a production without an end", "A = B / \"a\"\nB = B B\n", "", "/^a$/i"},
		{"the same with a string in it", "A = B / \"a\"\nB = B \"b\"\n", "", "/^a$/i"},
		{"the same above ASCII", "A = B / %xC3.A9\nB = B B %xC3.A9\n", "", "/^[\\xE9]$/"},
		{"in a repetition of zero rounds", "A = 0A \"a\"\n", "", "/^a$/i"},
		{"no string at all", "A = A\n", "", "/^[]$/"},
		{"a group in it", "A = \"a\" B\nB = [ B ]\n", "B", "/^a(?<B>)$/i"},
		{"a group of what derives nothing", "A = \"a\" / B\nB = B\n", "B", "2:1: `B` derives no string, and a group holds one"},
		{"a group of the empty string", "A = \"a\" B\nB = \"\"\n", "B", "/^a(?<B>)$/i"},
		{"a group around a recursion", "A = \"a\" B\nB = C \"x\"\nC = [ \"c\" C ]\n", "B", "/^a(?<B>c*x)$/i"},
		{"a group in a recursion", "A = [ \"a\" A ] B\nB = [ B ]\n", "B", "1:1: `B` stands in a recursion, and a group holds one string"},
	} {
		options := catalog.Usual
		options.Kind, options.Stdin = catalog.ABNF, strings.NewReader(c.text)
		o := must.Of(catalog.Open("-#A", options))(t)
		rule := must.Of(o.Start())(t)
		var asked bnftoregexp.Options
		if c.captures != "" {
			asked.Captures = []string{must.Of(o.Lookup(c.captures))(t).ID}
		}
		x, err := bnftoregexp.New(o.Within, rule, must.Of(o.Automaton(rule))(t), bnftoregexp.Of("js"), asked)
		if err != nil {
			if !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%s: %v; want %s", c.name, err, c.want)
			}
			continue
		}
		if x.String() != c.want {
			t.Errorf("%s: %s; want %s", c.name, x, c.want)
		}
	}
}

// In a chain of productions each is looked at with all that it uses. That takes the square of their number, and is
// charged, so that a long chain ends with a limit.
func TestLongChainEndsWithALimit(t *testing.T) {
	steps := map[int]int64{}
	for _, n := range []int{80, 160, 320, 2000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "r%d = \"a\" r%d / \"b\"\n", i, i+1)
		}
		options := catalog.Usual
		options.Kind, options.Stdin = catalog.ABNF, strings.NewReader(b.String()+fmt.Sprintf("r%d = \"c\"\n", n))
		options.Notation.Budget = budget.New(t.Context(), budget.Limits{Steps: 1 << 25})
		o := must.Of(catalog.Open("-#r0", options))(t)
		rule := must.Of(o.Start())(t)
		whole := must.Of(o.Automaton(rule))(t)
		before := options.Notation.Budget.Taken()
		_, err := bnftoregexp.New(o.Within, rule, whole, bnftoregexp.Of("js"), bnftoregexp.Options{})
		steps[n] = options.Notation.Budget.Taken() - before
		if _, limit := errors.AsType[*budget.Exceeded](err); limit != (n == 2000) || err != nil && !limit {
			t.Errorf("%d productions: %v", n, err)
		}
	}
	for _, n := range []int{80, 160, 320} {
		if least := int64(150 * n * n); steps[n] < least {
			t.Errorf("%d steps for %d productions; want at least %d: each is copied and read", steps[n], n, least)
		}
	}
}
