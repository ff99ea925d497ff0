package bench

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// BenchmarkURL measures the tree alone, the typed URL with it, and its findings as well: what the second and the third take
// beyond the first is what the semantic pass costs.
func BenchmarkURL(b *testing.B) {
	for _, g := range []*bnfcheck.Grammar{bnfcheck.RFC1630, bnfcheck.RFC1738} {
		for _, list := range inputs(b) {
			var accepted []string
			for _, s := range list.urls {
				if g.Accepts(s) {
					accepted = append(accepted, s)
				}
			}
			if len(accepted) == 0 {
				continue
			}
			run := func(name string, f func(*ast.Tree)) {
				b.Run(g.Name+"/"+list.name+"/"+name, func(b *testing.B) {
					p := g.Parser()
					b.ReportAllocs()
					for b.Loop() {
						for _, s := range accepted {
							tree, _ := p.Parse(s)
							f(tree)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(accepted)), "ns/url")
				})
			}
			run("tree", func(*ast.Tree) {})
			var r semantic.Reader
			run("typed", func(t *ast.Tree) { r.Of(t) })
			run("findings", func(t *ast.Tree) {
				u, _ := r.Of(t)
				u.Findings()
			})
			run("canonical", func(t *ast.Tree) {
				u, _ := r.Of(t)
				u.Canonical()
			})
			run("of", func(t *ast.Tree) { semantic.Of(t) })
		}
	}
}

// BenchmarkCounting measures what it takes to count the findings of every rule, as a multiple of what the tree takes:
// "findings/tree". The typed URL is part of it, and alone "typed/tree". A list is measured in pieces of a few microseconds, of each of
// which the shortest time of all rounds counts, since nothing makes a program faster than it is.
func BenchmarkCounting(b *testing.B) {
	const most, piece = 20_000, 50
	lists := map[string]string{"examples": "../examples/urls.txt"}
	if dir := os.Getenv("BNFCHECK_CORPUS"); dir != "" {
		for _, name := range []string{"era.tsv", "rare-schemes.tsv", "modern/debian.txt", "modern/node_files.txt"} {
			lists[name] = filepath.Join(dir, name)
		}
	} else {
		b.Log("BNFCHECK_CORPUS is not set: without the corpus")
	}
	all := semantic.Select(func(semantic.Rule) bool { return true })
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		text, err := os.ReadFile(lists[name])
		if err != nil {
			b.Logf("without %s: %v", name, err)
		}
		urls := lines(text)
		for _, g := range bnfcheck.Grammars() {
			var accepted []string
			for _, s := range urls[:min(len(urls), most)] {
				if g.Accepts(s) {
					accepted = append(accepted, s)
				}
			}
			if len(accepted) == 0 {
				continue
			}
			b.Run(name+"/"+g.Name, func(b *testing.B) {
				p := g.Parser()
				var r semantic.Reader
				var ref semantic.Reference
				tally := all.Tally()
				const (
					tree = iota
					typed
					counted
					levels
				)
				pieces := slices.Collect(slices.Chunk(accepted, piece))
				best := make([][levels]time.Duration, len(pieces))
				for b.Loop() {
					for i, urls := range pieces {
						for level := range levels {
							begin := time.Now()
							for _, s := range urls {
								t, _ := p.Parse(s)
								switch {
								case level == tree:
								case g == bnfcheck.RFC3986:
									if ref.Read(t) == nil && level == counted {
										tally.AddReference(&ref)
									}
								default:
									if u, err := r.Of(t); err == nil && level == counted {
										tally.Add(u)
									}
								}
							}
							if d := time.Since(begin); best[i][level] == 0 || d < best[i][level] {
								best[i][level] = d
							}
						}
					}
				}
				var sum [levels]time.Duration
				for _, times := range best {
					for level, d := range times {
						sum[level] += d
					}
				}
				b.ReportMetric(float64(sum[tree].Nanoseconds())/float64(len(accepted)), "tree-ns/url")
				b.ReportMetric(float64(sum[typed]-sum[tree])/float64(sum[tree]), "typed/tree")
				b.ReportMetric(float64(sum[counted]-sum[tree])/float64(sum[tree]), "findings/tree")
			})
		}
	}
}
