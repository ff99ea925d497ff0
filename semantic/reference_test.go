package semantic_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/extract"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

func reference(t testing.TB, s string) *semantic.Reference {
	t.Helper()
	r, err := semantic.ParseReference(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return r
}

// shown writes a part: "-" if it is absent.
func shown(p semantic.Part) string {
	if !p.Present() {
		return "-"
	}
	return "'" + p.Raw + "'"
}

// One row, all components: an absent one is "-", an empty one two quotes.
func TestReferenceComponents(t *testing.T) {
	citetest.Cite(t, "3986:308", "3986:604", "3986:621", "3986:715", "3986:749", "3986:869", "3986:906", "3986:937", "3986:942", "3986:960",
		"3986:970", "3986:996", "3986:1021", "3986:1030", "3986:1203", "3986:1208", "3986:1241", "3986:1378", "3986:1394",
		"3986:1440", "3986:1684", "3986:692", "3986:2433")
	for _, c := range []struct{ s, scheme, userinfo, host, kind, port, path, query, fragment string }{
		{"foo://example.com:8042/over/there?name=ferret#nose", "'foo'", "-", "'example.com'", "registered name", "'8042'", "'/over/there'", "'name=ferret'", "'nose'"},
		{"urn:example:animal:ferret:nose", "'urn'", "-", "-", "no host", "-", "'example:animal:ferret:nose'", "-", "-"},
		{"ldap://[2001:db8::7]/c=GB?objectClass?one", "'ldap'", "-", "'[2001:db8::7]'", "IPv6 address", "-", "'/c=GB'", "'objectClass?one'", "-"},
		{"telnet://192.0.2.16:80/", "'telnet'", "-", "'192.0.2.16'", "IPv4 address", "'80'", "'/'", "-", "-"},
		{"http://192.0.2.256", "'http'", "-", "'192.0.2.256'", "registered name", "-", "''", "-", "-"},
		{"a://u:p@[v1F.x:y]:", "'a'", "'u:p'", "'[v1F.x:y]'", "address of a future version", "''", "''", "-", "-"},
		{"foo://info.example.com?fred", "'foo'", "-", "'info.example.com'", "registered name", "-", "''", "'fred'", "-"},
		{"//@:", "-", "''", "''", "registered name", "''", "''", "-", "-"},
		{"", "-", "-", "-", "no host", "-", "''", "-", "-"},
		{"?", "-", "-", "-", "no host", "-", "''", "''", "-"},
		{"#", "-", "-", "-", "no host", "-", "''", "-", "''"},
		{"./this:that", "-", "-", "-", "no host", "-", "'./this:that'", "-", "-"},
		{"/a//b?/?#/?", "-", "-", "-", "no host", "-", "'/a//b'", "'/?'", "'/?'"},
	} {
		r := reference(t, c.s)
		for _, x := range []struct{ what, got, want string }{
			{"scheme", shown(r.Scheme), c.scheme}, {"userinfo", shown(r.Userinfo), c.userinfo}, {"host", shown(r.Host.Part), c.host},
			{"kind", r.Host.Kind.String(), c.kind}, {"port", shown(r.Port), c.port}, {"path", shown(r.Path), c.path},
			{"query", shown(r.Query), c.query}, {"fragment", shown(r.Fragment), c.fragment},
		} {
			if x.got != x.want {
				t.Errorf("%q: the %s is %s, want %s", c.s, x.what, x.got, x.want)
			}
		}
		if r.Relative() != (c.scheme == "-") {
			t.Errorf("%q: relative is %t", c.s, r.Relative())
		}
	}
	for s, want := range map[string]string{"http://h": "80 true", "http://h:": "80 true", "http://h:0080": "80 true", "foo://h": "0 false", "http://h:65536": "0 false", "http:a": "80 false"} {
		citetest.Cite(t, "3986:1180", "3986:1186")
		if n, ok := reference(t, s).PortNumber(); fmt.Sprint(n, ok) != want {
			t.Errorf("%s: port %d %t, want %s", s, n, ok, want)
		}
	}
}

// A tree that is none of a reference is refused.
func TestReferenceOf(t *testing.T) {
	p := bnfcheck.RFC3986.Parser()
	for _, start := range []string{"host", "path", "authority", "pchar"} {
		p.Start, _ = bnfcheck.RFC3986.Kind(start)
		tree := must.Of(p.Parse("a"))(t)
		if _, err := semantic.ReferenceOf(tree); !errors.Is(err, semantic.ErrNotURL) {
			t.Errorf("%s: %v", start, err)
		}
	}
	tree := must.Of(bnfcheck.RFC1738.Parse("http://a/"))(t)
	for _, tree := range []*ast.Tree{nil, {}, tree} {
		if _, err := semantic.ReferenceOf(tree); !errors.Is(err, semantic.ErrNotURL) {
			t.Error(err)
		}
	}
	tree = must.Of(bnfcheck.RFC3986.Parse("http://a/"))(t)
	if _, err := semantic.Of(tree); err == nil {
		t.Errorf("the tree of a reference as a typed URL: %v", err)
	}
	for _, start := range []string{"URI", "absolute-URI"} {
		p.Start, _ = bnfcheck.RFC3986.Kind(start)
		tree = must.Of(p.Parse("http://a/?b"))(t)
		if r, err := semantic.ReferenceOf(tree); err != nil || r.Query.Raw != "b" {
			t.Errorf("%s: %v, %v", start, r, err)
		}
	}
}

func TestReferenceText(t *testing.T) {
	citetest.Cite(t, "3986:631", "3986:708", "3986:802", "3986:759")
	r := reference(t, "HTTP://u%20@[::FFFF:1.2.3.4]/%25/%2f?")
	const want = `rfc3986: URI
  scheme 0..4 "HTTP"
  userinfo 7..11 "u%20" = "u "
  host 12..28 "[::FFFF:1.2.3.4]"
  kind of host = IPv6 address
  address = ::ffff:1.2.3.4
  port = 80, the default
  path 28..36 "/%25/%2f" = "/%//"
  query 37..37 ""
`
	if got := r.Table(); got != want {
		t.Errorf("got\n%s", got)
	}
	b, err := r.MarshalJSON()
	if err != nil || !strings.HasPrefix(string(b), `{"grammar":"rfc3986","reference":"HTTP://u%20@[::FFFF:1.2.3.4]/%25/%2f?","scheme":"http","production":"URI","fields":[{"name":"scheme","start":0,`) {
		t.Errorf("%s, %v", b, err)
	}
}

// The examples of section 5.4, read from the text where it is at hand, and here anyway.
func TestResolutionExamples(t *testing.T) {
	citetest.Cite(t, "3986:1250", "3986:1290", "3986:1370", "3986:1431", "3986:1460", "3986:1479", "3986:1551", "3986:1658", "3986:1701",
		"3986:1774", "3986:1802", "3986:1945", "3986:1990", "3986:2018", "3986:2039", "3986:2051")
	base := reference(t, "http://a/b/c/d;p?q")
	examples := map[string]string{
		"g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g", "//g": "http://g",
		"?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s", "g#s": "http://a/b/c/g#s",
		"g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x", "g;x?y#s": "http://a/b/c/g;x?y#s",
		"": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/", "..": "http://a/b/", "../": "http://a/b/",
		"../g": "http://a/b/g", "../..": "http://a/", "../../": "http://a/", "../../g": "http://a/g",
		"../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g", "g.": "http://a/b/c/g.",
		".g": "http://a/b/c/.g", "g..": "http://a/b/c/g..", "..g": "http://a/b/c/..g", "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/",
		"g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h", "g;x=1/./y": "http://a/b/c/g;x=1/y", "g;x=1/../y": "http://a/b/c/y",
		"g?y/./x": "http://a/b/c/g?y/./x", "g?y/../x": "http://a/b/c/g?y/../x", "g#s/./x": "http://a/b/c/g#s/./x", "g#s/../x": "http://a/b/c/g#s/../x",
		"http:g": "http:g",
	}
	for ref, want := range examples {
		if got, err := base.Resolve(reference(t, ref)); err != nil || got.Source != want {
			t.Errorf("%q is %v, %v, want %s", ref, got, err, want)
		}
	}
	for ref, want := range map[string]string{"http:g": "http://a/b/c/g", "HTTP:g": "http://a/b/c/g", "http:": "http://a/b/c/d;p?q", "http:?y": "http://a/b/c/d;p?y", "g:h": "g:h", "http://g": "http://g"} {
		got, err := base.ResolveNonStrict(reference(t, ref))
		if err != nil || got.Source != want {
			t.Errorf("%q, compatible, is %v, %v, want %s", ref, got, err, want)
		}
	}
	if dir := os.Getenv("BNFCHECK_RFC"); dir != "" {
		text := must.Of(os.ReadFile(filepath.Join(dir, "rfc3986.txt")))(t)
		n := 0
		for _, m := range regexp.MustCompile(`(?m)^ {6}"([^"]*)" +=  "([^"]*)"`).FindAllSubmatch(text, -1) {
			n++
			if examples[string(m[1])] != string(m[2]) {
				t.Errorf("the text has %q = %q", m[1], m[2])
			}
		}
		if n != len(examples) {
			t.Errorf("the text has %d examples, and here are %d", n, len(examples))
		}
	}
}

// What the algorithm says where no example is: other bases, and targets that no URI has.
func TestResolve3986(t *testing.T) {
	for _, c := range []struct{ base, ref, want string }{
		{"http://a", "g", "http://a/g"}, // an authority and an empty path
		{"http://a?q", "", "http://a?q"},
		{"http://a?q", "..", "http://a/"},
		{"http://a#f", "", "http://a"}, // the base's fragment
		{"mailto:a@b", "?subject=c", "mailto:a@b?subject=c"},
		{"mailto:a@b", "c", "mailto:c"},
		{"a:b/c", "../d", "a:/d"}, // to the letter: "b" goes, and the slash stays
		{"a:b/c", "./d", "a:b/d"},
		{"a:", "./b:c", "a:b:c"},
		{"a:/b", "c/./d:e/..", "a:/c/"},
		{"a:b", "//c/../d", "a://c/d"},
		{"a:b", "c:d/../e", "c:/e"},
		{"a://b/", ".//c", "a://b//c"},
		{"a:/", ".//c", `error: no reference has these components: the authority is "", and in "a://c" it would be "c"`},
		{"a:b/", "..//c", `error: no reference has these components: the authority is "", and in "a://c" it would be "c"`},
		{"a:/", "/.//:x", `error: no reference has these components: "a://:x"`},
		{"b", "c", `error: the base is a relative reference: it has no scheme: "b"`},
	} {
		got, err := reference(t, c.base).Resolve(reference(t, c.ref))
		text := ""
		if err != nil {
			text = "error: " + err.Error()
		} else {
			text = got.Source
		}
		if text != c.want {
			t.Errorf("%q in %q is %s, want %s", c.ref, c.base, text, c.want)
		}
	}
}

// Split takes any string apart, and Recompose puts it together again.
func TestSplit(t *testing.T) {
	citetest.Cite(t, "3986:1408", "3986:1908", "3986:2787", "3986:2799")
	appendixB := regexp.MustCompile(`(?s)^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`)
	const letters = ":/?#ab%\n"
	var all func(s string, n int)
	all = func(s string, n int) {
		c := semantic.Split(s)
		at := appendixB.FindStringSubmatchIndex(s)
		for i, p := range []semantic.Part{c.Scheme, c.Authority, c.Path, c.Query, c.Fragment} {
			group := [...]int{2, 4, 5, 7, 9}[i]
			if p.Present() != (at[2*group] >= 0) || p.Present() && (p.Raw != s[at[2*group]:at[2*group+1]] || p.Start() != at[2*group]) {
				t.Fatalf("%q: group %d is %s", s, group, shown(p))
			}
		}
		if c.Recompose() != s {
			t.Fatalf("%q is recomposed to %q", s, c.Recompose())
		}
		if r, err := semantic.ParseReference(s); err == nil && r.FiveComponents != c {
			t.Fatalf("%q: the grammar finds %+v, the expression %+v", s, r.FiveComponents, c)
		}
		for i := 0; n > 0 && i < len(letters); i++ {
			all(s+letters[i:i+1], n-1)
		}
	}
	all("", 6)
}

// One row, the rung on which two references meet, and what it changes.
func TestLadder(t *testing.T) {
	citetest.Cite(t, "3986:681", "3986:754", "3986:998", "3986:2132", "3986:2148", "3986:2194", "3986:2211", "3986:2215", "3986:2225",
		"3986:2258", "3986:2270", "3986:2277", "3986:2288", "3986:2307")
	for _, c := range []struct{ a, b, rung string }{
		{"http://a/", "http://a/", "simple string"},
		{"HTTP://www.EXAMPLE.com/", "http://www.example.com/", "case"},
		{"http://a/%3a", "http://a/%3A", "case"},
		{"http://[2001:DB8::1]/", "http://[2001:db8::1]/", "case"},
		{"http://[V1.A]/", "http://[v1.a]/", "case"},
		{"http://a/~b", "http://a/%7Eb", "percent-encoding"},
		{"http://a/~b", "http://a/%7eb", "percent-encoding"},
		{"http://ex%41mple/", "http://example/", "percent-encoding"},
		{"http://%31.2.3.4/", "http://1.2.3.4/", "percent-encoding"},
		{"example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "path segments"},
		{"http://a/%2e%2E/b", "http://a/b", "path segments"},
		{"http://example.com", "http://example.com/", "scheme"},
		{"http://example.com:/", "http://example.com/", "scheme"},
		{"http://example.com:80/", "http://example.com", "scheme"},
		{"https://example.com:443", "https://example.com/", "scheme"},
		{"file://localhost/a", "file:///a", "scheme"},
		{"mailto:Joe@Example.COM", "mailto:Joe@example.com", "scheme"},
		{"foo://a", "foo://a/", "scheme"}, // "in general"
		{"http://a/b", "http://a/B", "-"},
		{"http://u@a/", "http://U@a/", "-"},
		{"http://a/%2F", "http://a//", "-"},
		{"http://a/%21", "http://a/!", "-"}, // reserved
		{"http://example.com/?", "http://example.com/", "-"},
		{"http://a/", "http://a/#", "-"},
		{"http://@a/", "http://a/", "-"},
		{"http://a:8080/", "http://a/", "-"},
		{"file://u@localhost/a", "file://u@/a", "-"},
		{"./a", "a", "-"}, // relative references keep their dots
		{"A", "a", "-"},
		{"a:/.//b", "a:/b", "-"}, // without its dot it would have an authority
	} {
		a, b := reference(t, c.a), reference(t, c.b)
		for _, pair := range [][2]*semantic.Reference{{a, b}, {b, a}} {
			got := "-"
			if rung, ok := pair[0].Compare(pair[1]); ok {
				got = rung.String()
			}
			if got != c.rung {
				t.Errorf("%s and %s meet on %s, want %s", pair[0].Source, pair[1].Source, got, c.rung)
			}
		}
	}
	n := reference(t, "HTTP://User@EXA%4dple.com:80/a/./%7eb?%c3#%41").Normalize(semantic.SchemeRules)
	var steps []string
	for _, s := range n.Steps {
		steps = append(steps, fmt.Sprintf("%s (%s) %s: %s -> %s", s.Rung, s.Rung.Section(), s.Component, s.Before, s.After))
	}
	const want = `case (6.2.2.1) scheme: HTTP -> http
case (6.2.2.1) host: EXA%4dple.com -> exa%4Dple.com
case (6.2.2.1) path: /a/./%7eb -> /a/./%7Eb
case (6.2.2.1) query: %c3 -> %C3
percent-encoding (6.2.2.2) host: exa%4Dple.com -> example.com
percent-encoding (6.2.2.2) path: /a/./%7Eb -> /a/./~b
percent-encoding (6.2.2.2) fragment: %41 -> A
path segments (6.2.2.3) path: /a/./~b -> /a/~b
scheme (6.2.3) port: 80 -> `
	if got := strings.Join(steps, "\n"); got != want || n.Reference != "http://User@example.com/a/~b?%C3#A" {
		t.Errorf("%s:\n%s", n.Reference, got)
	}
}

func TestHosts3986(t *testing.T) {
	citetest.Cite(t, "3986:1066", "3986:1093", "3986:2476", "3986:2489")
	for host, want := range map[string]string{
		"1.2.3.4": "1.2.3.4", "[::1]": "::1", "[1:2:3:4:5:6:7.8.9.10]": "1:2:3:4:5:6:708:90a", "[::ffff:1.2.3.4]": "::ffff:1.2.3.4",
		"a": "-", "[v1.a]": "-", "1.2.3": "-", "": "-",
	} {
		got := "-"
		if a, ok := reference(t, "//"+host).Host.Addr(); ok {
			got = a.String()
		}
		if got != want {
			t.Errorf("%s: the address is %s, want %s", host, got, want)
		}
	}
	for host, want := range map[string]string{
		"127.1": "127.0.0.1", "127.0.1": "127.0.0.1", "1.2.65535": "1.2.255.255", "2130706433": "127.0.0.1", "0x7f.1": "127.0.0.1", "0X7F000001": "127.0.0.1",
		"0177.0.0.01": "127.0.0.1", "127.0.0.1.": "127.0.0.1", "%31%32%37.1": "127.0.0.1", "1.2.3.4": "-", "256.1.1.1": "-", "4294967296": "-", "4294967295": "255.255.255.255",
		"1.2.3.4.5": "-", "08": "-", "0x": "0.0.0.0", "1..2": "-", "a.1": "-", "": "-", "1.2.3.256": "-", "1_0": "-", "00000000000000000000127.0.0.1": "87.0.0.1",
	} {
		got := "-"
		if a, ok := reference(t, "//"+host).Host.RareIPv4(); ok {
			got = a.String()
		}
		if got != want {
			t.Errorf("%s is read as %s, want %s", host, got, want)
		}
	}
	if v, a, ok := reference(t, "//[V1F.x:y]").Host.Future(); v != "1F" || a != "x:y" || !ok {
		t.Error(v, a, ok)
	}
}

// net/url holds a reference, or it is said what it would lose.
func TestURLOfReference(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"http://user:pw@example.com:8080/a%2Fb?c=d#e", ""},
		{"HTTP://h/", ""},
		{"//h?", ""},
		{"", ""},
		{"./a:b", ""},
		{"urn:a:b", ""},
		{"http://[::1]:80/", ""},
		{"http://h/#", `net/url loses something of "http://h/#": the fragment "#" would become ""`},
		{"http://[v1.a]/", `net/url refuses "http://[v1.a]/": parse "http://[v1.a]/": invalid host: ParseAddr("v1.a"): unexpected character (at "v1.a")`},
		{"http://a%20b/", `net/url refuses "http://a%20b/": parse "http://a%20b/": invalid URL escape "%20"`},
	} {
		u, err := reference(t, c.s).URL()
		got := ""
		if err != nil {
			got = err.Error()
			var loss *semantic.LossError
			if !errors.As(err, &loss) || u != nil {
				t.Errorf("%q: %v, %T", c.s, u, err)
			}
		} else if !strings.EqualFold(u.String(), c.s) {
			t.Errorf("%q becomes %q", c.s, u)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.s, got, c.want)
		}
	}
}

// referenceCases has for every rule of RFC 3986 a reference that triggers it, with the part that it points at, and one
// that does not.
var referenceCases = []struct{ rule, at, triggers, misses string }{
	{"3986/escape-case", "%2f", "a%2f", "a%2F"},
	{"3986/escaped-unreserved", "%7E", "http://a/%7Eb", "http://a/%21b"},
	{"3986/escaped-unreserved", "%41", "//h%41", "//hA"},
	{"3986/scheme-case", "Http", "Http://a/", "http://A/"},
	{"3986/password", "p", "//u:p@h/", "//u:@h/"},
	{"3986/host-case", "Host", "//Host", "//host%4D"},
	{"3986/host-case", "[::A]", "//[::A]", "//[::a]"},
	{"3986/version-flag", "[v4.1.2.3.4]", "//[v4.1.2.3.4]/", "//[v4.x]/"},
	{"3986/version-flag", "[v6.::1]", "//[v6.::1]/", "//[::1]/"},
	{"3986/unknown-version", "[vF.x]", "//[vF.x]/", "//[v6.::1]/"},
	{"3986/dns-name", "a_b", "//a_b/", "//a-b./"},
	{"3986/dns-name", "a..b", "//a..b/", "//1.2.3.4/"},
	{"3986/empty-host", "", "http:///a", "file:///a"},
	{"3986/empty-host", "http", "http:a", "//a"},
	{"3986/host-utf8", "%FF", "//%FF/", "//%C3%A9/"},
	{"3986/idna", "%C3%A9", "//%C3%A9/", "//%25/"},
	{"3986/port-omitted", ":", "//h:/", "//h/"},
	{"3986/port-omitted", ":080", "http://h:080/", "http://h:81/"},
	{"3986/dot-segments", "/a/../b", "a:/a/../b", "/a/../b"},
	{"3986/dot-segments", "/%2e/b", "a:/%2e/b", "a:/.b"},
	{"3986/empty-path", "", "a://b?c", "//b?c"},
	{"3986/well-known-port", "25", "http://h:25/", "http://h:8025/"},
	{"3986/well-known-port", "25", "ftp://h:25/", "foo://h:25/"},
	{"3986/port-range", "65536", "//h:65536", "//h:065535"},
	{"3986/encoded-line-end", "%0A", "a:b%0A", "a:b%09"},
	{"3986/encoded-nul", "%00", "?%00", "?%30"},
	{"3986/file-name", "a%2Fb", "/a%2Fb/c", "/a/b?%2F"},
	{"3986/file-name", "a%5Cb", "a%5Cb", "#%5C"},
	{"3986/file-name", "aux.txt", "a:/aux.txt", "a:/auxiliary"},
	{"3986/file-name", "...", "/...", "/..."[:3]},
	{"3986/file-name", "%2E%2e", "/%2E%2e/a", "/../a"},
	{"3986/rare-ipv4", "0x7f.1", "http://0x7f.1/", "http://0x7g.1/"},
	{"3986/rare-ipv4", "127.1", "//127.1", "//127.0.0.1"},
	{"3986/misleading-user", "cnn.example.com&story=breaking_news", "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm", "ftp://cnn&story@10.0.0.1/"},
	{"3986/misleading-user", "www.a.com:80", "//www.a.com:80@b/", "//www:80@b/"},
}

func TestReferenceRules(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range referenceCases {
		tried[c.rule] = true
		found := false
		for _, f := range reference(t, c.triggers).Findings() {
			if f.Rule == c.rule {
				found = true
				if at := c.triggers[f.Start:f.End]; at != c.at {
					t.Errorf("%s %s: points at %q, want %q", c.rule, c.triggers, at, c.at)
				}
				if f.Message == "" || f.Section == "" {
					t.Errorf("%+v", f)
				}
			}
		}
		if !found {
			t.Errorf("%s: %s does not trigger it: %v", c.rule, c.triggers, reference(t, c.triggers).Findings())
		}
		for _, f := range reference(t, c.misses).Findings() {
			if f.Rule == c.rule {
				t.Errorf("%s: %s triggers it: %v", c.rule, c.misses, f)
			}
		}
	}
	for _, r := range semantic.Rules() {
		if r.Text == "3986" && !tried[r.ID] {
			t.Errorf("%s has no case", r.ID)
		}
	}
	if got := reference(t, "http://example.com/a?b#c").Findings(); len(got) > 0 {
		t.Errorf("findings about nothing: %v", got)
	}
	warnings := semantic.Select(func(r semantic.Rule) bool { return r.Severity >= semantic.Warning })
	if got := warnings.ReferenceFindings(reference(t, "HTTP://u:p@h:")); len(got) != 1 || got[0].Rule != "3986/password" {
		t.Errorf("of warnings: %v", got)
	}
	tally := warnings.Tally()
	tally.AddReference(reference(t, "HTTP://u:p@h:"))
	n := 0
	for _, k := range tally.Counts {
		n += k
	}
	if n != 1 {
		t.Errorf("%d findings are counted", n)
	}
}

// Appendix C: what stands around a URI in text is taken off.
func TestDelimiters3986(t *testing.T) {
	citetest.Cite(t, "3986:2847", "3986:2861", "3986:2866", "3986:2873", "3986:2876", "3986:2881")
	for in, want := range map[string]string{
		` http://example.com/ `:                "http://example.com/",
		`"http://example.com/"`:                "http://example.com/",
		"<http://example.com/>":                "http://example.com/",
		"<URL:http://example.com/>":            "http://example.com/",
		"<URL: http://ex.com/a\n b>":           "http://ex.com/ab",
		"<ftp://foo.example.\n      com/rfc/>": "ftp://foo.example.com/rfc/",
		"":                                     "", "#a": "#a", "a b": "a%20b", "é": "%C3%A9", "100%": "100%25", ":a": "%3Aa",
	} {
		r, err := fix.Nearest(bnfcheck.RFC3986, in)
		if err != nil || r.URL != want || r.Guess {
			t.Errorf("%q: %+v, %v, want %q", in, r, err, want)
		}
	}
	text := "found it under \"http://www.w3.org/Addressing/\",\nbut you can probably pick it up from <ftp://foo.example.\ncom/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/\nietf/uri/historical.html#WARNING>."
	var found []string
	for x, err := range extract.URLs(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, x.URL)
	}
	if got := strings.Join(found, " "); got != "ftp://foo.example.com/rfc/ http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING" {
		t.Errorf("extracted: %s", got)
	}
}
