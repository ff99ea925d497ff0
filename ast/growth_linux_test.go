package ast_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/interpreter"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// explainedByGeneral returns a grammar whose rejections the general parser explains.
func explainedByGeneral(t *testing.T, text string) *ast.Grammar {
	t.Helper()
	g := must.Of(bnf.ReadABNF("g.abnf", []byte(text)))(t)
	packed, _, err := interpreter.Explaining(g)
	must.Do(t, err)
	general := &ast.General{Packed: packed}
	of := &ast.Grammar{Productions: []ast.Production{{}}, Explaining: general, Within: general.Within,
		Accept: general.Accept, Parse: general.Parse}
	for _, r := range g.Rules {
		of.Productions = append(of.Productions, ast.Production{ID: r.ID, Name: r.Name})
	}
	return of
}

// timeOnThread returns the processor time that n calls of f take on its thread, the least of three. Other programs do
// not count.
func timeOnThread(t *testing.T, n int, f func()) time.Duration {
	t.Helper()
	const thread = 1 // RUSAGE_THREAD
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := func() time.Duration {
		var u syscall.Rusage
		must.Do(t, syscall.Getrusage(thread, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	least := time.Hour
	for range 3 {
		before := used()
		for range n {
			f()
		}
		least = min(least, used()-before)
	}
	return least
}

// To explain a rejection takes time that grows as the number of productions that could go on does, and so does the
// search for the longest beginning that is derived: no production is searched for in a list of them. There are no steps
// to count in a search of a list, so its time is measured: twice as many productions took four times as long.
func TestExplanationsAreLinear(t *testing.T) {
	chain := func(n int) string { // each derives the next one, or a word; the last one leads back to the first
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "p%d = p%d / \"%05d\"\n", i, i+1, i)
		}
		fmt.Fprintf(&text, "p%d = \"(\" p0 \")\"\n", n)
		return text.String()
	}
	circle := func(n int) string { // each leads to the next one in brackets, and to the first
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "p%d = \"(\" p%d \")\" / \"[\" p0 \"]\" / \"x\"\n", i, (i+1)%n)
		}
		return text.String()
	}
	words := func(n int) string { // all that could go on is in one production
		var text strings.Builder
		text.WriteString("s = \"(\" s \")\"")
		for i := range n {
			fmt.Fprintf(&text, " / \"%05d\"", i)
		}
		return text.String() + "\n"
	}
	for _, c := range []struct {
		name  string
		text  func(n int) string
		input func(n int) string
	}{
		{"a chain", chain, func(int) string { return "!" }},
		{"a chain that went through itself", chain, func(int) string { return "(((!" }},
		{"a chain with a beginning", chain, func(int) string { return "((00000))00001" }},
		{"a circle", circle, func(n int) string { return strings.Repeat("(", n) + "!" }},
		{"a circle that goes back", circle, func(n int) string { return strings.Repeat("([", n/2) + "x]" + "!" }},
		{"words", words, func(int) string { return "((!" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var each []time.Duration
			most := longtest.Size(3200, 8000)
			for _, n := range []int{most / 16, most / 4, most} {
				g, input := explainedByGeneral(t, c.text(n)), c.input(n)
				g.Explain(1, input) // unpacks the tables
				each = append(each, timeOnThread(t, most/n, func() {
					g.Explain(1, input)
					g.ParsePrefix(1, input)
				}))
			}
			t.Logf("16 times a 16th, four times a fourth, and once all of %d productions: %v", most, each)
			if each[2] > 4*max(each[0], each[1], 20*time.Millisecond) {
				t.Errorf("the time grows faster than the productions: %v", each)
			}
		})
	}
}
