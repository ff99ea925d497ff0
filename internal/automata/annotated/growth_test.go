package annotated

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// The automaton of all productions of a chain takes steps that grow as the chain does: what a production is in makes no
// difference, unless the rejection of some string names it. There had been a state for each two productions.
func TestChainsAreLinear(t *testing.T) {
	for _, c := range []struct{ name, each, last string }{
		{"in brackets", "r%d = \"(\" r%d / \"x\"\n", "r%d = \"y\"\n"},
		{"with ends", "r%d = \"(\" r%d / \"[\" r%[2]d / \"x\" *\"z\"\n", "r%d = \"y\" / \"z\"\n"},
		{"of loops", "r%d = *\"a\" \"(\" r%d\n", "r%d = \"y\"\n"},
		{"to a circle", "r%d = \"(\" r%d / \"x\"\n", "r%d = \"y\" c\nc = \"(\" d / \"x\"\nd = \")\" c\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var steps []int64
			for _, n := range []int{50, 100, 200} {
				var text strings.Builder
				for i := range n {
					fmt.Fprintf(&text, c.each, i, i+1)
				}
				fmt.Fprintf(&text, c.last, n)
				g := must.Of(bnf.ReadABNF("g.abnf", []byte(text.String())))(t)
				g.Budget = budget.New(context.Background(), budget.Limits{})
				tables := must.Of(Build(g, func(string) bool { return false }))(t)
				if states := len(tables.Note); states > 3*n+10 {
					t.Errorf("%d productions: %d states", n, states)
				}
				steps = append(steps, g.Budget.Taken())
			}
			if steps[2] > 5*steps[0] || steps[1] > 5*steps[0]/2 {
				t.Errorf("50, 100 and 200 productions take %d steps; they are to grow as the productions do", steps)
			}
		})
	}
}
