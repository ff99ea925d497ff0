package semantic_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// typical has URLs of the kinds that RFC 1738 defines.
var typical = []string{
	"http://www.ncsa.uiuc.edu:80/demoweb/url-primer.html?topic=url%20syntax",
	"ftp://anonymous:guest@ftp.uu.net/doc/literary/obi/DEC/humor/mstk3k.txt;type=a",
	"file://localhost/usr/local/etc/httpd/conf/httpd.conf",
	"gopher://gopher.micro.umn.edu:70/11/Information%20About%20Gopher",
	"mailto:timbl@info.cern.ch",
	"news:comp.infosystems.www.users",
	"news:1993Dec14.165412.12345@mcsun.eu.net",
	"nntp://news.cs.hut.fi/alt.html/239157",
	"telnet://guest:guest@melvyl.ucop.edu:23/",
	"wais://vega.lib.ncsu.edu:210/alawon.src?nren",
	"prospero://host.dom:1525//pros/name;attribute=value",
	"urn://info.cern.ch/draft/uri-07",
}

// BenchmarkURL measures the tree alone, the typed URL with it, and its findings as well: what the second and the third take
// beyond the first is what the semantic pass costs.
func BenchmarkURL(b *testing.B) {
	lists := []struct {
		name string
		urls []string
	}{{"http", typical[:1]}, {"typical", typical}}
	if dir := os.Getenv("BNFCHECK_CORPUS"); dir == "" {
		b.Log("BNFCHECK_CORPUS is not set: without the corpus")
	} else if text, err := os.ReadFile(filepath.Join(dir, "era.tsv")); err != nil {
		b.Logf("without era.tsv: %v", err)
	} else {
		var era []string
		for line := range strings.Lines(string(text)) {
			url, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			era = append(era, url)
		}
		lists = append(lists, struct {
			name string
			urls []string
		}{"era", era})
	}
	for _, g := range []*bnfcheck.Grammar{bnfcheck.RFC1630, bnfcheck.RFC1738} {
		for _, list := range lists {
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
