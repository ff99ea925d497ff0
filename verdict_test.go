package bnfcheck_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

var judged = []string{
	"http://info.cern.ch/hypertext/WWW/", "http://user@info.cern.ch/", "ftp://info.cern.ch/pub/www", "urn:a/b",
	"url:http://a/b",
	"http://info.cern.ch/~timbl/ a", "mailto:{}", "no scheme", "", ":", "HTTP://a b/",
}

// Unexplained leaves out the reason, and nothing else.
func TestUnexplained(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		with, without := g.Parser(), g.Parser()
		without.Unexplained = true
		with.MaxLength, without.MaxLength = 60, 60
		for _, s := range append(judged, "http://info.cern.ch/a-path-that-is-longer-than-the-sixty-bytes-allowed") {
			a, b := with.Check(s), without.Check(s)
			if b.Err != nil || (a.Err != nil) != (b.Tree == nil) {
				t.Errorf("%s %q: errors %v and %v", g.Name, s, a.Err, b.Err)
			}
			if a.Value != b.Value || a.Production != b.Production || a.Scheme != b.Scheme || (a.Tree == nil) != (b.Tree == nil) {
				t.Errorf("%s %q: %v and, unexplained, %v", g.Name, s, a, b)
			}
		}
	}
}

// After its first call a Parser allocates for explanations alone, whatever it was given first.
func TestCheckAllocatesNothing(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		for _, s := range judged {
			p := g.Parser()
			p.Unexplained = true
			if n := testing.AllocsPerRun(100, func() { p.Check(s) }); n != 0 {
				t.Errorf("%s %q: %v allocations", g.Name, s, n)
			}
		}
		if n := testing.AllocsPerRun(100, func() { g.Parser().Accepts("http://a/") }); n > 1 {
			t.Errorf("%s: Accepts makes %v allocations", g.Name, n)
		}
	}
}

// A tree of usual size is one allocation.
func TestParseAllocations(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		if n := testing.AllocsPerRun(100, func() { g.Parse("http://info.cern.ch/hypertext/WWW/") }); n != 1 {
			t.Errorf("%s: %v allocations", g.Name, n)
		}
	}
}

// Treeless leaves out the tree, and changes nothing else.
func TestTreeless(t *testing.T) {
	list := append([]string{"url:http://a/#b", "url:url:http://a/", "url:http:b#", "http://a#", "#", "http://a/#b#c", "url:foo:a#b", "wais://a/b/c/d", "foo:a"}, judged...)
	pieces := []string{"http:", "url:", "ftp:", "wais:", "news:", "mailto:", "foo:", "//", "a.b", "a@b", "/", "#", "?", ";type=a", "%41", "%4", "~", ":80", "1", " ", "*"}
	random := rand.New(rand.NewPCG(9, 10))
	for range 100_000 {
		var b strings.Builder
		for range 1 + random.IntN(7) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		list = append(list, b.String())
	}
	if folder := os.Getenv("BNFCHECK_CORPUS"); folder == "" {
		t.Log("BNFCHECK_CORPUS is not set: without the corpora")
	} else {
		for _, name := range []string{"era.tsv", "era-odd.tsv", "rare-schemes.tsv"} {
			text := must.Of(os.ReadFile(filepath.Join(folder, name)))(t)
			for line := range strings.Lines(string(text)) {
				url, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				list = append(list, url)
			}
		}
	}
	for _, g := range bnfcheck.Grammars() {
		with, without := g.Parser(), g.Parser()
		without.Treeless = true
		seen := map[bnfcheck.Value]int{}
		for i, s := range list {
			with.FoldScheme, without.FoldScheme = i%2 == 0, i%2 == 0
			with.Unexplained, without.Unexplained = i%100 > 0, i%100 > 0
			a, b := with.Check(s), without.Check(s)
			if b.Tree != nil || a.Value != b.Value || a.Production != b.Production || a.Scheme != b.Scheme || (a.Err == nil) != (b.Err == nil) {
				t.Errorf("%s %q: %v and, treeless, %v", g.Name, s, a, b)
			}
			seen[a.Value]++
		}
		for _, v := range []bnfcheck.Value{bnfcheck.Conforming, bnfcheck.GenericOnly, bnfcheck.Rejected} {
			if seen[v] < 100 && (v != bnfcheck.GenericOnly || len(g.Schemes) > 0) {
				t.Errorf("%s: only %d strings are %s", g.Name, seen[v], v)
			}
		}
	}
}
