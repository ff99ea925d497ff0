package partial_test

import (
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

func TestResolve(t *testing.T) {
	const f, slash = "magic://a/b/c//d/e/f", "magic://a/b/c//d/e/"
	for _, c := range []struct {
		cites               string
		base, partial, want string
		worded              string // "=": the same
	}{
		// The RFC's own table, in both contexts.
		{"1630:584", f, "g", "magic://a/b/c//d/e/g", "="},
		{"1630:584", f, "/g", "magic://a/g", "magic://a/b/c//d/g"},
		{"1630:584", f, "//g", "magic://g", "="},
		{"1630:584", f, "../g", "magic://a/b/c//d/g", "="},
		{"1630:584", f, "g:h", "g:h", "="},
		{"1630:602", slash, "g", "magic://a/b/c//d/e/g", "="},
		{"1630:602", slash, "/g", "magic://a/g", "magic://a/b/c//d/g"},
		{"1630:602", slash, "//g", "magic://g", "="},
		{"1630:602", slash, "../g", "magic://a/b/c//d/g", "="},
		{"1630:602", slash, "g:h", "g:h", "="},

		{"1630:530", "http://h.dom/a", "news:x", "news:x", "="},
		{"1630:530", "http://h.dom/a", "b/c", "http://h.dom/b/c", "="},
		{"1630:543", "http://h.dom/a/b", "/c", "http://h.dom/c", "="},
		{"1630:543", "magic://a/b/c", "///d", "", ""}, // there is no run of three
		{"1630:543", "http://h.dom", "/c", "http://h.dom/c", "="},
		{"1630:543", "http://h.dom?q", "/c", "http://h.dom/c", "="},
		{"1630:550", "http://h.dom/a/b?q", "c", "http://h.dom/a/c", "="},
		{"1630:550", "http://h.dom/a/b#q", "c#d", "http://h.dom/a/c#d", "="},
		{"1630:554", "http://h.dom/a/b/c", "../../d", "http://h.dom/d", "="},
		{"1630:554", "http://h.dom/a/b/c", "./d", "http://h.dom/a/b/d", "="},
		{"1630:554", "http://h.dom/a/b/c", "..d/.e", "http://h.dom/a/b/..d/.e", "="},     // not complete elements
		{"1630:554", "http://h.dom/a/b/c", "..", "http://h.dom/a/b/..", "="},             // as worded, "xxx/../" ends in a slash
		{"1630:554", "http://h.dom/a/b/c", ".", "http://h.dom/a/b", "="},                 // as worded, "/." is removed
		{"1630:554", "http://h.dom/a", "../../d", "http://h.dom/../../d", "="},           // the host is no element
		{"1630:554", "http://h.dom/a/b/c", "d/../../e", "http://h.dom/a/e", "="},         // recursively
		{"1630:554", "http://h.dom/a/b/c", "d?e/../f", "", ""},                           // "/" cannot stand in a query
		{"1630:525", "http://h.dom/a/b/c", "%2E%2E/d", "http://h.dom/a/b/%2E%2E/d", "="}, // encoded dots are data
		{"1630:567", "http://h.dom/a/b", "c", "http://h.dom/a/c", "="},
		{"1630:567", "http://h.dom/a/b/", "c", "http://h.dom/a/b/c", "="},
		{"1630:915", "news:123@h.dom", "comp.infosystems.www", "news:comp.infosystems.www", "="},
		{"1630:915", "news:comp.infosystems.www", "123@h.dom", "news:123@h.dom", "="},
		{"1630:1003", "wais://h.dom/db/TEXT/1=a;", "TEXT", "wais://h.dom/db/TEXT/TEXT", "="},
		{"1630:500", "http://h.dom/a?b#c", "", "http://h.dom/a?b", "="},
		{"1630:500", "http://h.dom/a?b#c", "#d", "http://h.dom/a?b#d", "="},
	} {
		citetest.Cite(t, c.cites)
		worded := c.worded
		if worded == "=" {
			worded = c.want
		}
		got, err := partial.Resolve(bnfcheck.RFC1630, c.base, c.partial)
		if got.URI != c.want || got.AsWorded != worded || (err == nil) != (c.want != "") {
			t.Errorf("%q in %s\n got %q, as worded %q, %v\nwant %q, as worded %q", c.partial, c.base, got.URI, got.AsWorded, err, c.want, worded)
		}
		if got.Disagrees() != (worded != c.want) {
			t.Errorf("%q in %s: Disagrees is wrong", c.partial, c.base)
		}
	}
}

func TestResolveErrors(t *testing.T) {
	for _, c := range []struct {
		grammar       *bnfcheck.Grammar
		base, partial string
		want          error
	}{
		{bnfcheck.RFC1738, "http://h.dom/a", "b", partial.ErrNoPartialForms},
		{bnfcheck.RFC1630, "no URI", "b", partial.ErrBase},
		{bnfcheck.RFC1630, "urn:/iana/x", "//g", partial.ErrNoSuchSlashes},
		{bnfcheck.RFC1630, "http://h.dom/a", "b~c", partial.ErrResult},
		{bnfcheck.RFC1630, "http://h.dom/a", "b:c~d", partial.ErrResult},
	} {
		if _, err := partial.Resolve(c.grammar, c.base, c.partial); !errors.Is(err, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.partial, c.base, err, c.want)
		}
	}
}

func TestRelative(t *testing.T) {
	citetest.Cite(t, "1630:540")
	for _, c := range []struct{ base, target, want string }{
		{"magic://a/b/c//d/e/f", "magic://a/b/c//d/e/g", "g"},
		{"magic://a/b/c//d/e/f", "magic://a/b/c//d/g", "../g"},
		{"magic://a/b/c//d/e/f", "magic://a/g", "/g"},
		{"magic://a/b/c//d/e/f", "magic://g", "//g"},
		{"magic://a/b/c//d/e/f", "g:h", "g:h"},
		{"http://h.dom/a", "http://h.dom/a#b", "#b"},
		{"http://h.dom/a#b", "http://h.dom/a", ""},
		{"http://h.dom/a/b", "http://h.dom/a/", "./"},
		{"http://h.dom/a", "http://g.dom/a", "//g.dom/a"},
		{"news:a.b", "news:c@d.e", "c@d.e"},
	} {
		got, err := partial.Relative(bnfcheck.RFC1630, c.base, c.target)
		if err != nil || got != c.want {
			t.Errorf("%s in %s is %q, %v; want %q", c.target, c.base, got, err, c.want)
		}
	}
}

// Relative is inverse to Resolve, and so is any partial form that is no longer than the whole.
func TestRelativeIsInverse(t *testing.T) {
	g := bnfcheck.RFC1630
	var uris []string
	for _, s := range goldentest.Inputs(t, "../../golden/testdata/schemes/*.golden") {
		if g.Accepts(s) {
			uris = append(uris, s)
		}
	}
	for i, base := range uris {
		for j := range 40 {
			target := uris[(i+j*j)%len(uris)]
			form, err := partial.Relative(g, base, target)
			if err != nil {
				t.Fatalf("%s in %s: %v", target, base, err)
			}
			back, err := partial.Resolve(g, base, form)
			if err != nil || back.URI != target {
				t.Errorf("%s in %s is %q, which is %q, %v", target, base, form, back.URI, err)
			}
		}
	}
}
