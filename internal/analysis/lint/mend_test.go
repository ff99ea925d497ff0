package lint

import (
	"context"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Alternatives are sorted by prefixes as far as circles let them: those outside of a circle come before it, or after
// it, as their strings ask.
func TestSortByPrefixes(t *testing.T) {
	const circle = `"xy" ["zz"] / "xyz"` // each has a string that begins a longer one of the other
	for printed, want := range map[string]string{
		`"x" / "xy"`:                        `"xy" / "x"`,
		`"a" / "x" / "xy"`:                  `"a" / "xy" / "x"`,
		circle:                              `"xy" ["zz"] / "xyz"`,
		`"x" / ` + circle:                   `"xy" ["zz"] / "xyz" / "x"`,
		`"x" / ` + circle + ` / "xyzzz"`:    `"xyzzz" / "xy" ["zz"] / "xyz" / "x"`,
		`"x" / ` + circle + ` / "q" / "qq"`: `"qq" / "q" / "xy" ["zz"] / "xyz" / "x"`,
	} {
		g := must.Of(bnf.ReadABNF("g.abnf", []byte("a = "+printed+"\nb = "+want+"\n")))(t)
		g.Budget = budget.New(context.Background(), budget.Limits{})
		l := newLinter(g, Options{})
		l.spread = newSpread(l.printer, Options{})
		o := &order{linter: l}
		before := g.Rule("a").Expr.String()
		if got := o.sortByPrefixes(g.Rule("a").Expr).String(); got != g.Rule("b").Expr.String() {
			t.Errorf("%s becomes %s, and not %s", printed, got, want)
		}
		if after := g.Rule("a").Expr.String(); after != before {
			t.Errorf("%s is changed to %s", before, after)
		}
	}
}
