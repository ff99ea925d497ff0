package bnfcheck_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck"
)

var judged = []string{
	"http://info.cern.ch/hypertext/WWW/", "http://user@info.cern.ch/", "ftp://info.cern.ch/pub/www", "urn:a/b", "url:http://a/b",
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
