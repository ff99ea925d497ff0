package bnf

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// Each rule that is supplied is found by its name: 60,000 were once held against each other. To compare two names with
// capitals allocates memory, which shows how often that was done.
func TestManySuppliedRules(t *testing.T) {
	allocated := func(count int) uint64 {
		var text strings.Builder
		var n Notation
		text.WriteString("s = \"a\"")
		for i := range count {
			name := fmt.Sprintf("RULE%d", i)
			text.WriteString(" / " + name)
			n.Define = append(n.Define, Replacement{Production: name, Text: "\"b\""})
		}
		text.WriteString("\n")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g := must.Of(ReadABNFWith("g.abnf", []byte(text.String()), n))(t)
		runtime.ReadMemStats(&after)
		if len(g.Rules) != count+1 {
			t.Errorf("%d rules", len(g.Rules))
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(200), allocated(1600)
	if t.Logf("%d bytes for 200 rules, %d for 1,600", few, many); many > 16*few {
		t.Errorf("%d bytes for 200 rules, %d for 1,600", few, many)
	}
}
