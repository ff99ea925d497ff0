package bnfcheck

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// One row, both verdicts, and the productions that matched.
func TestCheck(t *testing.T) {
	type want struct{ rfc1630, rfc1738 string }
	for _, tt := range []struct {
		s    string
		want want
	}{
		{"http://host/", want{"conforming httpaddress http", "conforming httpurl http"}},
		{"http://host/~b", want{"rejected - http", "rejected - http"}},
		{"http://user@host/", want{"conforming httpaddress http", "generic-only otherurl http"}},
		{"http://host:x/", want{"rejected - http", "generic-only otherurl http"}},
		{"http://host/a?b+c", want{"conforming httpaddress http", "conforming httpurl http"}},
		{"http://host/a?b c", want{"rejected - http", "rejected - http"}},
		{"http://host/#a", want{"conforming httpaddress http", "rejected - http"}},
		{"http://host/#", want{"rejected - http", "rejected - http"}},
		{"ftp://host", want{"generic-only uri ftp", "conforming ftpurl ftp"}},
		{"ftp://host/a;type=i", want{"rejected - ftp", "conforming ftpurl ftp"}},
		{"nntp:a/1", want{"conforming nntpaddress nntp", "generic-only otherurl nntp"}},
		{"nntp://host/a/1", want{"generic-only uri nntp", "conforming nntpurl nntp"}},
		{"news:*", want{"conforming newsaddress news", "conforming newsurl news"}},
		{"mid:a@b", want{"conforming midaddress mid", "conforming otherurl mid"}},
		{"file://host/a", want{"no-production uri file", "conforming fileurl file"}},
		{"urn:a", want{"no-production uri urn", "conforming otherurl urn"}},
		{"urn:a#b", want{"no-production uri urn", "rejected - urn"}},
		{"url:http://host/", want{"conforming httpaddress http", "conforming otherurl url"}},
		{"url:a", want{"no-production uri url", "conforming otherurl url"}},
		{"HTTP://host/", want{"no-production uri HTTP", "rejected - HTTP"}},
		{"1:a", want{"rejected - 1", "conforming otherurl 1"}},
		{"a", want{"rejected - ", "rejected - "}},
		{"", want{"rejected - ", "rejected - "}},
		{":", want{"rejected - ", "rejected - "}},
		{"a b:c", want{"rejected - ", "rejected - "}},
		{"http://host/\x00", want{"rejected - http", "rejected - http"}},
		{"http://host/\xff\xfe", want{"rejected - http", "rejected - http"}},
	} {
		for i, w := range []string{tt.want.rfc1630, tt.want.rfc1738} {
			g := Grammars()[i]
			if got := verdict(g, g.Check(tt.s)); got != w {
				t.Errorf("%s: %q is %s, want %s", g.Name, tt.s, got, w)
			}
		}
	}
}

// Every string without a scheme is a reference, too.
func TestCheckReferences(t *testing.T) {
	for s, want := range map[string]string{
		"":                        "conforming relative-ref ",
		"#fragment":               "conforming relative-ref ",
		"?":                       "conforming relative-ref ",
		"//host":                  "conforming relative-ref ",
		"./a:b":                   "conforming relative-ref ",
		"a:b":                     "conforming URI a",
		"HTTP://user@host:/~b?#x": "conforming URI HTTP",
		"http://[::1]/":           "conforming URI http",
		"http://host:x/":          "rejected - http",
		"http://host/a b":         "rejected - http",
		"1:a":                     "rejected - 1",
		":":                       "rejected - ",
		"a_b:c":                   "rejected - a_b",
		"#a#b":                    "rejected - ",
		"http://host/\xff":        "rejected - http",
	} {
		p := RFC3986.Parser()
		v := p.Check(s)
		p.Treeless = true
		for _, got := range []string{verdict(RFC3986, v), verdict(RFC3986, p.Check(s))} {
			if got != want {
				t.Errorf("%q is %s, want %s", s, got, want)
			}
		}
		if v.Value == Conforming && v.Tree.Nodes[1].Kind != v.Production {
			t.Errorf("%q is %s, and its tree is another's:\n%s", s, want, v.Tree)
		}
	}
}

func verdict(g *Grammar, v Verdict) string {
	production := "-"
	if v.Production != 0 {
		production = g.Production(v.Production).Name
	}
	return v.Value.String() + " " + production + " " + v.Scheme
}

func TestFoldScheme(t *testing.T) {
	for _, tt := range []struct{ grammar, in, out string }{
		{"rfc1738", "HTTP://Host/A", "http://Host/A"},
		{"rfc1738", "http://Host/A", "http://Host/A"},
		{"rfc1738", "X-Y.Z+1:A", "x-y.z+1:A"},
		{"rfc1738", "URL:HTTP://H/", "url:HTTP://H/"}, // here "url" is a scheme like any other
		{"rfc1630", "URL:HTTP://H/", "url:http://H/"}, // here it is a prefix
		{"rfc1738", "No/Scheme:", "No/Scheme:"},
		{"rfc1738", "NoColon", "NoColon"},
		{"rfc1738", "", ""},
	} {
		g := must.Of(Find(tt.grammar))(t)
		p := g.Parser()
		p.FoldScheme = true
		if got := p.fold(tt.in); got != tt.out {
			t.Errorf("%s: %q is folded to %q, want %q", tt.grammar, tt.in, got, tt.out)
		}
	}
}

// Why explains by the scheme's own production, also where the generic one has matched.
func TestWhy(t *testing.T) {
	for _, tt := range []struct{ s, want string }{
		{"http://user@host/", `rfc1738: offset 11: unexpected "@" in hostname; expected alphadigit, "-", ".", ":", ` +
			`"/" or end of input (section 5)`},
		{"http://host:x/", `rfc1738: offset 12: unexpected "x" in digits; expected digit (section 5)`},
		{"http://host/a%2", `rfc1738: offset 15: unexpected end of input in escape; expected hex (section 5)`},
		{"gopher://host/1a%09b%09c%zz", `rfc1738: offset 25: unexpected "z" in escape; expected hex (section 5)`},
		{"http:/host/", `rfc1738: offset 6: unexpected "h" in httpurl; expected "/" (section 5)`},
		{"x:a b", `rfc1738: offset 3: unexpected " " in schemepart; expected xchar or end of input (section 5)`},
	} {
		v := RFC1738.Check(tt.s)
		why := v.Why()
		if why == nil {
			t.Errorf("%q (%s) is not explained", tt.s, v.Value)
		} else if why.Error() != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.s, why, tt.want)
		}
	}
	if why := RFC1738.Check("http://host/").Why(); why != nil {
		t.Errorf("a conforming URL is explained: %s", why)
	}
}

func TestTooLong(t *testing.T) {
	long := "http://h/" + strings.Repeat("a", DefaultMaxLength)
	for _, g := range Grammars() {
		var tooLong *ast.TooLongError
		if _, err := g.Parse(long); !errors.As(err, &tooLong) || tooLong.Length != len(long) || tooLong.Limit != DefaultMaxLength {
			t.Errorf("%s: %v", g.Name, err)
		}
		if v := g.Check(long); v.Value != Rejected || !errors.As(v.Err, &tooLong) || v.Why() != nil {
			t.Errorf("%s: %v", g.Name, v.Value)
		}
		if g.Accepts(long) {
			t.Errorf("%s accepts it", g.Name)
		}
		p := g.Parser()
		p.MaxLength = len(long)
		if _, err := p.Parse(long); err != nil || !p.Accepts(long) {
			t.Errorf("%s: under a higher limit: %v", g.Name, err)
		}
		p.MaxLength = 8
		if _, err := p.Parse("http://h/"); !errors.As(err, &tooLong) {
			t.Errorf("%s: under a limit of 8: %v", g.Name, err)
		}
	}
}

func TestParserAllocatesNothing(t *testing.T) {
	inputs := []string{
		"http://www.my.uni.edu/info/matriculation/enroling.html",
		"ftp://user:password@host.dom:21/etc/motd;type=a",
		"gopher://host.dom:70/11/about%09words",
		"mailto:user@host.dom",
	}
	for _, g := range Grammars() {
		p := g.Parser()
		for _, s := range inputs {
			p.Check(s)
		}
		if n := testing.AllocsPerRun(100, func() {
			for _, s := range inputs {
				p.Accepts(s)
				if g == RFC1738 { // RFC 1630 has no ";type=": that rejection is an allocation
					p.Parse(s)
					p.Check(s)
				}
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", g.Name, n)
		}
	}
}

func TestGrammarsAreSafeForConcurrentUse(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				for _, g := range Grammars() {
					g.Check("http://host/a?b")
					g.Check("http://host/~")
				}
			}
		})
	}
	wg.Wait()
}

func TestFind(t *testing.T) {
	for name, want := range map[string]*Grammar{"rfc1630": RFC1630, "1630": RFC1630, "1738": RFC1738, "rfc1738": RFC1738, "draft06": Draft06, "3986": RFC3986} {
		if g, err := Find(name); err != nil || g != want {
			t.Errorf("Find(%q): %v", name, err)
		}
	}
	if _, err := Find("rfc2396"); err == nil || !strings.Contains(err.Error(), "rfc1630, rfc1738, draft06, rfc3986") {
		t.Errorf("Find of an unknown name: %v", err)
	}
}

func TestGrammarsAreWhole(t *testing.T) {
	if n := len(RFC1630.Productions()); n != 85 {
		t.Errorf("RFC 1630 has %d productions", n)
	}
	if n := len(RFC1738.Productions()); n != 67 {
		t.Errorf("RFC 1738 has %d productions", n)
	}
	if n := len(RFC3986.Productions()); n != 36+3 { // and the core rules of RFC 5234
		t.Errorf("RFC 3986 has %d productions", n)
	}
}
