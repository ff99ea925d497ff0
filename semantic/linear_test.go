package semantic_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/extract"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

// Everything takes time in proportion to its input: each of these has 128 KiB that some loop might look at
// again and again. The limit is generous; what is not linear takes hours.
func TestLinear(t *testing.T) {
	const n = 1 << 17
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	within := func(name string, f func()) {
		begin := time.Now()
		f()
		if took := time.Since(begin); took > 4*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
	}
	for _, s := range []string{
		"http://h.dom/" + fill("%2E"), "http://h.dom/" + fill("%2F"), "http://h.dom/" + fill("a/"),
		"http://h.dom/?" + fill("a+"), "http://h.dom/" + fill("%41"),
		"ftp://h.dom/" + fill("/"), "ftp://h.dom/" + fill("../"), "http://" + fill("a.") + "a/",
		"http://" + fill("A") + "/", "http://h.dom:" + fill("0") + "/",
		"gopher://h.dom/0" + fill("%09"), "gopher://h.dom/0%09%09!" + fill("a%20"),
		"gopher://h.dom/0a%09%09+%091%0D%0A+-1%0D%0A" + fill("%0D%0A") + ".%0D%0A",
		"mailto:" + fill("a.") + "a@b", "mailto:" + fill("a@"), "mailto:%22" + fill("%5C%22") + "%22@b",
		"news:" + fill("a.") + "a", "news:" + fill("a") + "@b.c",
		"wais://h.dom/d/t/" + fill("1=a;"), "prospero://h.dom/a" + fill(";a=b"), "file:" + fill("/"),
		"urn:" + fill("a/"), "foo:" + fill("%2e/"),
	} {
		for _, rfc := range families {
			within(s[:20], func() {
				tree, err := grammar(rfc).Parse(s)
				if err != nil {
					return
				}
				u, err := semantic.Of(tree)
				if err != nil {
					t.Errorf("%s...: %v", s[:20], err)
					return
				}
				u.Findings()
				u.Fields()
				u.Access()
				u.Canonical()
			})
		}
	}
	g := bnfcheck.RFC1630
	for _, c := range [][2]string{
		{"magic://a/" + fill("b/"), fill("../")}, {"magic:" + fill("a//"), "/b"}, {"magic:" + fill("/"),
			"b"}, {"magic:a", fill("b/../")}, {"magic:a/b", fill("./")},
	} {
		within("resolve", func() {
			r, err := partial.Resolve(g, c[0], c[1])
			if err == nil {
				_, err = partial.Relative(g, c[0], r.URI)
			}
			if err != nil && len(c[1]) < n/2 {
				t.Error(err)
			}
		})
	}
	for _, s := range []string{fill("<"), "<URL:" + fill("\n"), fill("<URL:a:- \n>"), "<a:" + fill("- \n")} {
		within("extract", func() {
			for _, err := range extract.URLs(strings.NewReader(s)) {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	for _, s := range []string{"http://h.dom/" + fill("~"), "<URL:http://h.dom/" + fill("a \n"), "http://h.dom/" + fill("#")} {
		within("fix", func() {
			if _, err := fix.Nearest(bnfcheck.RFC1738, s); err != nil {
				t.Error(err)
			}
		})
	}
}
