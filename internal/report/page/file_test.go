package page

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A page about a chain of productions that nest takes memory in proportion to its length: each was once found to nest by
// a look at all that it uses, and 10,000 took minutes.
func TestPageOfChainThatNests(t *testing.T) {
	allocated := func(n int) uint64 {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "r%d = r%d / \"x\" r%d \"y\"\n", i, i+1, i)
		}
		fmt.Fprintf(&text, "r%d = \"z\"\n", n)
		o := must.Of(catalog.Read("g.abnf", []byte(text.String()), catalog.Usual))(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f := CollectFile(o, "g")
		runtime.ReadMemStats(&after)
		if len(f.Productions) < n || f.Productions[n/2].Undecided != fmt.Sprintf("g.abnf:%d:1: `r%d` embeds itself", n/2+1, n/2) {
			t.Errorf("%d productions: %+v", n, f.Productions[n/2])
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(100), allocated(800)
	if t.Logf("%d bytes for 100 productions, %d for 800", few, many); many > 16*few {
		t.Errorf("%d bytes for 100 productions, %d for 800", few, many)
	}
}
