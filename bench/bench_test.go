// Package bench measures the generated parsers and their peers in one run, so that they can be compared:
//
//	go test -bench . ./bench
//
// Each iteration of a benchmark parses a whole list; compare ns/url and MB/s. The peers are net/url,
// package regexp with RFC 1738's httpurl as an expression, pigeon's parser, a table-driven automaton of the same
// production (what a textbook would do), and a scan that only tests whether each byte may occur in a URL (the
// lower bound for whatever looks at every byte).
package bench

import (
	"bufio"
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/gen/rfc1630"
	pigeon1630 "github.com/bnfcheck/bnfcheck/gen/rfc1630/pigeon"
	"github.com/bnfcheck/bnfcheck/gen/rfc1738"
	pigeon1738 "github.com/bnfcheck/bnfcheck/gen/rfc1738/pigeon"
	"github.com/bnfcheck/bnfcheck/gen/rfc3986"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
)

// An input is a list of URLs with a name.
type input struct {
	name string
	urls []string
}

// typical has one URL for each scheme, like those in documents of the time.
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

var rejected = []string{
	"http://www.ncsa.uiuc.edu:80/~demoweb/url-primer.html",
	"http://www.ncsa.uiuc.edu:80/demoweb/url primer.html",
	"ftp://ftp.uu.net/doc/literary/obi/DEC/humor/mstk3k.txt#here",
	"mailto:timbl@info.cern.ch?subject={hello}",
	"HTTP://www.w3.org/hypertext/WWW/",
	"http://info.cern.ch/%zz/hypertext",
}

func long() string {
	return "http://www.w3.org/hypertext/WWW/" + strings.Repeat("Addressing/URL/a.long-path_with(many)Segments/", 22)[:1024-32]
}

// inputs returns the lists to measure on, with those of the corpus where there is one.
func inputs(b *testing.B) []input {
	in := []input{
		{"http", typical[:1]},
		{"typical", typical},
		{"1KB", []string{long()}},
		{"rejected", rejected},
	}
	dir := os.Getenv("BNFCHECK_CORPUS")
	if dir == "" {
		b.Log("BNFCHECK_CORPUS is not set: without the corpora")
		return in
	}
	for _, f := range []struct{ name, path string }{
		{"era", "era.tsv"}, {"debian", "modern/debian.txt"}, {"node", "modern/node_files.txt"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, f.path))
		if err != nil {
			b.Logf("without %s: %v", f.path, err)
			continue
		}
		in = append(in, input{f.name, lines(text)})
	}
	return in
}

// lines returns the first column of each line.
func lines(text []byte) []string {
	var out []string
	s := bufio.NewScanner(bytes.NewReader(text))
	for s.Scan() {
		line, _, _ := strings.Cut(s.Text(), "\t")
		out = append(out, line)
	}
	return out
}

// each runs f over every list, as a sub-benchmark.
func each(b *testing.B, f func(s string)) {
	for _, in := range inputs(b) {
		b.Run(in.name, func(b *testing.B) {
			bytes := 0
			for _, u := range in.urls {
				bytes += len(u)
			}
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				for _, u := range in.urls {
					f(u)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(in.urls)), "ns/url")
		})
	}
}

func BenchmarkTreeReused(b *testing.B) {
	for _, g := range []*bnfcheck.Grammar{bnfcheck.RFC1738, bnfcheck.RFC1630} {
		b.Run(g.Name, func(b *testing.B) {
			var nodes []ast.Raw
			each(b, func(s string) { nodes, _ = g.Grammar.Parse(nodes[:0], g.Default, s) })
		})
	}
}

func BenchmarkAccepts(b *testing.B) {
	b.Run("rfc1738", func(b *testing.B) { each(b, func(s string) { rfc1738.AcceptsAs(rfc1738.KindUrl, s) }) })
	b.Run("rfc1630", func(b *testing.B) { each(b, func(s string) { rfc1630.AcceptsAs(rfc1630.KindUriFragmentaddress, s) }) })
}

// BenchmarkParse measures bnfcheck.Grammar.Parse: a new tree each time, or the explanation of the rejection.
func BenchmarkParse(b *testing.B) {
	for _, g := range []*bnfcheck.Grammar{bnfcheck.RFC1738, bnfcheck.RFC1630} {
		b.Run(g.Name, func(b *testing.B) { each(b, func(s string) { g.Parse(s) }) })
	}
}

func BenchmarkParser(b *testing.B) {
	for _, g := range []*bnfcheck.Grammar{bnfcheck.RFC1738, bnfcheck.RFC1630} {
		b.Run(g.Name, func(b *testing.B) {
			p := g.Parser()
			each(b, func(s string) { p.Parse(s) })
		})
	}
}

func BenchmarkNetURL(b *testing.B) { each(b, func(s string) { url.Parse(s) }) }

// httpurl is RFC 1738's httpurl as an expression.
var httpurl = regexp.MustCompile(`^http://` +
	`((([A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?\.)*[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?)|([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+))(:[0-9]+)?` +
	`(/([A-Za-z0-9$_.+!*'(),;:@&=/-]|%[0-9A-Fa-f]{2})*(\?([A-Za-z0-9$_.+!*'(),;:@&=-]|%[0-9A-Fa-f]{2})*)?)?$`)

func BenchmarkRegexp(b *testing.B) { each(b, func(s string) { httpurl.MatchString(s) }) }

func BenchmarkPigeon(b *testing.B) {
	b.Run("rfc1738", func(b *testing.B) { each(b, func(s string) { pigeon1738.Tree(rfc1738.KindUrl, s) }) })
	b.Run("rfc1630", func(b *testing.B) {
		each(b, func(s string) { pigeon1630.Tree(rfc1630.KindUriFragmentaddress, s) })
	})
}

// A table is an automaton as in a textbook: each byte takes one load for its class and one for the next state.
type table struct {
	class  [256]uint8
	next   []uint16 // state*256 would be faster by one load, and too large for the cache
	accept []bool
	width  uint16
}

func newTable(b *testing.B, name, id string) *table {
	g, err := bnf.Load(name)
	if err != nil {
		b.Fatal(err)
	}
	d, err := lang.FromBNF(g.Default, id)
	if err != nil {
		b.Fatal(err)
	}
	t := &table{width: uint16(d.Classes())}
	for c := range 256 {
		t.class[c] = uint8(d.ClassOf(byte(c)))
	}
	for q := range d.States() {
		t.accept = append(t.accept, d.Accepts(q))
		for c := range d.Classes() {
			t.next = append(t.next, uint16(d.NextClass(q, c))*t.width)
		}
	}
	return t
}

func (t *table) match(s string) bool {
	q := uint16(0)
	for i := range len(s) {
		q = t.next[q+uint16(t.class[s[i]])]
	}
	return t.accept[q/t.width]
}

func BenchmarkTable(b *testing.B) {
	for _, start := range []struct{ grammar, id string }{{"rfc1738", "url"}, {"rfc1630", "uri_fragmentaddress"}} {
		t := newTable(b, start.grammar, start.id)
		b.Run(start.grammar, func(b *testing.B) { each(b, func(s string) { t.match(s) }) })
	}
}

var inURL = func() (t [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$-_.+!*'(),;/?:@&=%") {
		t[c] = true
	}
	return t
}()

// scan tests whether each byte may occur in a URL, the least work of a parser.
func scan(s string) bool {
	i := 0
	for i < len(s) && inURL[s[i]] {
		i++
	}
	return i == len(s)
}

func BenchmarkScan(b *testing.B) { each(b, func(s string) { scan(s) }) }

// BenchmarkProven compares Accepts, which is straight-line code, with the loop over the table that is proven: in turn, on the same strings.
func BenchmarkProven(b *testing.B) {
	for _, c := range []struct {
		name    string
		g       *bnfcheck.Grammar
		kind    ast.Kind
		accepts func(ast.Kind, string) bool
	}{
		{"rfc3986", bnfcheck.RFC3986, rfc3986.KindURI, rfc3986.AcceptsAs},
		{"rfc1738", bnfcheck.RFC1738, rfc1738.KindUrl, rfc1738.AcceptsAs},
		{"rfc1630", bnfcheck.RFC1630, rfc1630.KindUriFragmentaddress, rfc1630.AcceptsAs},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, code, table := c.g.Machine(), time.Duration(0), time.Duration(0)
			for b.Loop() {
				start := time.Now()
				n := 0
				for _, s := range typical {
					if c.accepts(c.kind, s) {
						n++
					}
				}
				between := time.Now()
				for _, s := range typical {
					ok := runs(m, m.Start(c.kind, s).State, s)
					for _, other := range m.Starts(c.kind) { // where the one that its scheme has does not
						ok = ok || runs(m, other.State, s)
					}
					if ok {
						n--
					}
				}
				table += time.Since(between)
				code += between.Sub(start)
				if n != 0 {
					b.Fatalf("%d strings more are accepted by the code", n)
				}
			}
			b.ReportMetric(float64(table)/float64(code), "table/code")
		})
	}
}

func runs(m ast.Machine, q uint16, s string) bool {
	for i := 0; i < len(s) && q != 0; i++ {
		q = m.Step(q, s[i])
	}
	return q != 0 && m.Accepts(q)
}
