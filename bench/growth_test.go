package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
)

// BenchmarkGrowth reports how much longer a byte takes at 1 MB than at 1 KB: for what is accepted, what is rejected at
// its end, and rows that a backtracking parser is slow on.
func BenchmarkGrowth(b *testing.B) {
	inputs := []struct{ name, head, unit, tail string }{
		{"accepted", "http://h/", "a-path/", ""},
		{"rejected", "http://h/", "a-path/", " "},
		{"a@", "mailto:", "a@", ""},
		{"percent", "http://h/", "%", ""},
		{"slash", "http://h/", "/", ""},
		{"semicolon", "prospero://h/p", ";=", ""},
		{"dot", "http://", "a.", "a"},
		{"dots", "http://", ".", ""},
		{"hyphen", "http://a", "-", ""},
		{"%09", "gopher://h/0", "%09", ""},
		{"article", "news:", "a@1.2.3.", ""},
	}
	for _, g := range []*bnfcheck.Grammar{bnfcheck.RFC1738, bnfcheck.RFC1630} {
		for _, in := range inputs {
			b.Run(g.Name+"/"+in.name, func(b *testing.B) {
				var nodes []ast.Raw
				run := func(s string) {
					if t, ok := g.Grammar.Parse(nodes[:0], g.Default, s); ok {
						nodes = t
					}
					g.Grammar.Accept(g.Default, s)
				}
				text := func(size int) string { return in.head + strings.Repeat(in.unit, size/len(in.unit)) + in.tail }
				long, short := text(1<<20), text(1<<10)
				run(long) // so that the nodes have their memory
				best := func(s string, repeat int) float64 {
					least := time.Duration(1 << 62)
					for range 40 {
						began := time.Now()
						for range repeat {
							run(s)
						}
						least = min(least, time.Since(began))
					}
					return float64(least.Nanoseconds()) / float64(repeat*len(s))
				}
				ratio := best(long, 1) / best(short, 100)
				for b.Loop() {
					run(long)
				}
				b.SetBytes(int64(len(long)))
				b.ReportMetric(ratio, "1MB:1KB")
			})
		}
	}
}
