package bnftogo

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// To find the productions that use themselves takes memory that grows as their number does: no circle is searched for
// from each of them. Twice as many productions took four times as much.
func TestComponentsAreLinear(t *testing.T) {
	for _, c := range []struct{ name, line, last string }{
		{"a circle", "r%d = \"(\" r%d / \"x\"\n", "r%d = \"(\" r0 / \"x\"\n"},
		{"a circle that goes on before anything is read", "r%d = r%d \"x\" / \"y\"\n", "r%d = r0 \"x\" / \"y\"\n"},
		{"a chain that leads back after something is read", "r%d = r%d \"x\" / \"y\"\n", "r%d = \"(\" r0 / \"y\"\n"},
		{"a circle that derives nothing but the empty string", "r%d = r%d / \"\"\n", "r%d = r0 / \"\"\n"},
	} {
		var each []uint64
		for _, n := range []int{500, 1000, 2000} {
			var text strings.Builder
			for i := range n - 1 {
				fmt.Fprintf(&text, c.line, i, i+1)
			}
			fmt.Fprintf(&text, c.last, n-1)
			g := read(t, strings.TrimSpace(text.String()))
			facts := expr.Analyze(g.Rules)
			each = append(each, allocated(func() { newBuilder(g, facts, 1<<16) }))
		}
		t.Logf("%s: with 500, 1,000 and 2,000 productions: %d bytes", c.name, each)
		if each[1] > 3*each[0] || each[2] > 3*each[1] {
			t.Errorf("%s: %d bytes", c.name, each)
		}
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
