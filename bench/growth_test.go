package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// BenchmarkGrowth reports how much longer a byte takes at 1 MB than at 1 KB: for each grammar and entry point, the worst ratio
// over all starts and rows. The rows are those that a start accepts and those on which a backtracking parser is slow. It takes
// some minutes. (A test of package pegtogo counts the work and requires it to be linear.)
func BenchmarkGrowth(b *testing.B) {
	nodes := make([]ast.Raw, 0, 1<<22)
	for _, g := range bnfcheck.Grammars() {
		for _, entry := range []struct {
			name string
			run  func(start ast.Kind, s string)
		}{
			{"accept", func(start ast.Kind, s string) { g.Accept(start, s) }},
			{"tree", func(start ast.Kind, s string) { g.Grammar.Parse(nodes, start, s) }},
			{"rejection", func(start ast.Kind, s string) { g.Rejection(start, s) }},
		} {
			b.Run(g.Name+"/"+entry.name, func(b *testing.B) {
				worst, at := 0.0, ""
				for b.Loop() {
					for k, p := range g.Productions() {
						start := ast.Kind(k + 1)
						for _, r := range rows(b, g, p.ID) {
							ratio := growth(r, worst, func(s string) { entry.run(start, s) })
							if ratio > worst {
								worst, at = ratio, p.ID+" on "+r.head+r.unit+"..."+r.tail
							}
						}
					}
				}
				b.ReportMetric(worst, "1MB:1KB")
				b.Logf("the worst is %s", at)
			})
		}
	}
}

// A row is a string of any length: a head, a repeated unit and a tail.
type row struct{ head, unit, tail string }

func (r row) text(n int) string { return r.head + strings.Repeat(r.unit, n/len(r.unit)) + r.tail }

// rows returns the rows of a start: one for each short cycle of its automaton, which it accepts, and rows of separators.
func rows(b *testing.B, g *bnfcheck.Grammar, id string) []row {
	var all []row
	published, err := bnf.Load(g.Name)
	if err != nil {
		b.Fatal(err)
	}
	d, err := lang.FromBNF(published.Default, id)
	if err != nil {
		b.Fatal(err)
	}
	seen := map[string]bool{}
	for q, head := range d.AccessWords() {
		tail, live := d.ShortestFrom(q)
		for _, unit := range []string{"a", "1", "%41", "/", "a/", ".", "a.", "-", "a-", "+", "a+", "@", ";", ";=", "1=;", "?"} {
			if live && !seen[unit] && d.Run(q, unit) == q {
				seen[unit] = true
				all = append(all, row{head, unit, tail}, row{head, unit, tail + "\x00"})
			}
		}
	}
	for _, unit := range []string{"a@", "%", "/", ";=", ".", "-", "%09", "%00", "a@1.2.3."} {
		all = append(all, row{"", unit, ""}, row{"a", unit, ""})
	}
	return all
}

// growth returns the ratio of the times for a byte, each the minimum of some rounds. Both lengths read the same number of
// bytes, so that other load on the machine affects both alike. A ratio that exceeds the limit, and exceeds 1 by more than a
// twentieth, is measured again, because load can only make a time longer.
func growth(r row, limit float64, run func(s string)) float64 {
	long, short := r.text(1<<20), r.text(1<<10)
	repeat := len(long) / len(short)
	most, least := time.Duration(1<<62), time.Duration(1<<62)
	ratio := 0.0
	for round := range 100 {
		least = min(least, timed(short, repeat, run))
		most = min(most, timed(long, 1, run))
		ratio = float64(most) / float64(len(long)) * float64(repeat*len(short)) / float64(least)
		if round >= 2 && ratio <= max(limit, 1.05) {
			break
		}
	}
	return ratio
}

func timed(s string, repeat int, run func(s string)) time.Duration {
	began := time.Now()
	for range repeat {
		run(s)
	}
	return time.Since(began)
}
