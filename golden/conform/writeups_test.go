package conform_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/peers/conform"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A standing says what a disagreement is to the parser's maintainer.
type standing string

const (
	contradicts standing = "Contradicts its own claim"
	documented  standing = "Known and documented"
	deliberate  standing = "Deliberate"
)

// standings are the lists of docs/conformance.md, in the order of writeUps.
var standings = []struct {
	standing
	heading, text string
}{
	{contradicts, "What a maintainer can act on",
		"These contradict what the parser says of itself, another host first, then what is accepted, then what is rejected:"},
	{documented, "Known and documented",
		"The parser's documentation has these. They are no news to its maintainers, and matter to those who use another beside it:"},
	{deliberate, "Deliberate", "These the parser does on purpose, as its source, its tests or its release notes show:"},
}

// lookedUp is when the registries were asked what is newest.
const lookedUp = "23 November 2026"

// newest maps each version that is shown to whether the registries had a newer one when they were asked.
var newest = map[string]struct{ version, remark string }{
	"go-net-url":          {"go1.26.8", "old: the Go module proxy has 1.27.4"},
	"node-url":            {"v20.20.2", "old: npm's package node has 26.10.0"},
	"node-url-parse":      {"v20.20.2", "old: npm's package node has 26.10.0"},
	"fast-uri":            {"4.2.4", "the newest that npm has"},
	"uri-js":              {"4.4.1", "the newest that npm has"},
	"url-parse":           {"1.5.10", "the newest that npm has"},
	"python-urllib":       {"3.11.7", "old: Debian unstable has 3.14.10"},
	"python-rfc3986":      {"1.5.0", "Debian 12's, and old: Debian unstable has 2.0.0"},
	"python-hyperlink":    {"21.0.0", "Debian 12's, and the newest that Debian unstable has"},
	"python-yarl":         {"1.8.2", "Debian 12's, and old: Debian unstable has 1.24.5"},
	"perl-uri":            {"5.17", "Debian 12's, and old: Debian unstable has 5.40"},
	"ruby-uri":            {"3.1.2", "Debian 12's, and old: Debian unstable has 3.3.8"},
	"ruby-addressable":    {"2.8.1", "Debian 12's, and old: Debian unstable has 2.9.0"},
	"java-uri":            {"javac 17.0.15", "old: Debian unstable has 25.0.5"},
	"java-url":            {"javac 17.0.15", "old: Debian unstable has 25.0.5"},
	"php-parse-url":       {"8.2.36", "Debian 12's, and old: Debian unstable has 8.4.27"},
	"erlang-uri-string":   {"stdlib 4.2, OTP 25", "Debian 12's, and old: Debian unstable has OTP 29.1.2"},
	"curl":                {"libcurl 7.88.1", "Debian 12's, and old: Debian unstable has 8.23.0"},
	"uriparser":           {"0.9.7", "Debian 12's, and old: Debian unstable has 1.0.1"},
	"glib-guri":           {"2.74.6", "Debian 12's, and old: Debian unstable has 2.90.1"},
	"qt-qurl":             {"5.15.8", "Debian 12's, and old: Debian unstable has 6.11.2"},
	"haskell-network-uri": {"network-uri-2.6.4.1", "Debian 12's, and old: Debian unstable has 2.6.4.2"},
	"tcl-uri":             {"1.2.7", "Debian 12's, and old: Debian unstable has 1.2.8"},
}

// writeUps are the disagreements that docs/conformance.md explains. Each is about a parser whose claim names RFC 3986, in
// whole or in part, or whose documentation lists it.
var writeUps = []chosen{
	{list: contradicts, parser: "qt-qurl", input: "http://010.0.0.1/", component: "host",
		why: "Of strict mode the documentation says: “Only valid URLs are accepted. This mode is useful " +
			"for general URL validation.” (the documentation of QUrl::ParsingMode).",
		note: "A name that looks like a number is read as inet_aton does, in every scheme and in strict " +
			"mode too. uriparser and most others here keep the name, so that a check with one of them " +
			"before QUrl sees another host than the request after it.",
		also: []string{"//1", "ftp://010.0.0.1/", "http://2130706433/"}},
	{list: contradicts, parser: "uri-js", input: "http://[::ffff:0.1.2.3]/", component: "host",
		why: "The claim includes “IPv6 Address (RFC 5952)”, and what comes out is no such address.",
		note: "The leading zeros of each part between colons are taken away, and the IPv4 address is such a " +
			"part: of an octet 0 at its beginning nothing is left."},
	{list: contradicts, parser: "erlang-uri-string", input: "http://[::1]a/",
		why: "The type of the argument is documented as “an RFC 3986 compliant URI”, and the function has " +
			"an error for what is none.",
		note: "What follows the bracket is taken into the host. uri-js 4.4.1 sees `::1` in the same string, and " +
			"so does urllib of Python 3.11.7; in Python that is CVE-2025-0938, and 3.14.10 rejects the string. " +
			"`IP-literal` is all of a host or none of it."},
	{list: contradicts, parser: "ruby-addressable", input: "http://[::1",
		why: "The claim is “closely conforms”, and the README excepts nothing.",
		note: "The unclosed bracket is split at its last colon, so that there is a host `[:` and a port 1 " +
			"in a string that no production derives. A check for an unclosed \"[\" before the port is " +
			"looked for would reject it."},
	{list: contradicts, parser: "glib-guri", input: "http://u@v@a/",
		why: "The program does not set G_URI_FLAGS_PARSE_RELAXED, of which the documentation says: “Parse " +
			"the URI more relaxedly than the RFC 3986 grammar specifies, fixing up or ignoring common " +
			"mistakes in URIs coming from external sources.” (GUriFlags).",
		note: "The first \"@\" ends the userinfo, and the host is `v@a`. Parsers that look for the last one " +
			"(Go's net/url, Python's urllib) see `a`. Neither `userinfo` nor `reg-name` holds an \"@\" " +
			"(section 3.2), and so rejecting it is the only reading that no other contradicts."},
	{list: contradicts, parser: "haskell-network-uri", input: "http://[::1.2.3.04]/",
		why: "Its `decOctet` takes one to three digits up to 255, where the definition that it stands for " +
			"has no leading zero.",
		note: `Go's net/netip rejects the address. A parser that reads "04" as octal agrees by chance, and ` +
			`does not for "010". One string that it accepts here and the text does not derive has no such octet, ` +
			"but a zone (RFC 6874): `http://[::1%25eth0]/`."},
	{list: contradicts, parser: "erlang-uri-string", input: "http://a/%zz",
		why: "The module's documentation has an error `invalid_percent_encoding`, and " +
			"`uri_string:percent_decode` gives it for this path.",
		note: `A "%" that begins no escape is accepted. What decodes the path later fails, or keeps it, or ` +
			`drops it, each in its own way.`},
	{list: contradicts, parser: "haskell-network-uri", input: "http://[v1F.a]/", production: "IPvFuture", term: "HEXDIG", offset: 10,
		why:  "Its `ipvFuture` takes one digit, and \";\" where the definition that it stands for has \":\".",
		note: "The version of an `IPvFuture` may have several digits, and the address may hold a \":\".",
		also: []string{"http://[v1.a]/", "http://[v1.a:b]/"}},
	{list: documented, parser: "fast-uri", input: "http://010.0.0.1/", component: "host",
		why: "The README has it: “A domain host or a `mailto` recipient domain whose final label is an IPv4 number is " +
			"converted with the WHATWG IPv4 parser.” Of using another parser beside it SECURITY.md says: “Reports based solely " +
			"on comparing or mixing parsers that follow these different standards are out of scope.”",
		note: "By section 3.2.2 a host that is no `IPv4address` of four decimal octets without leading " +
			"zeros is a `reg-name`, and section 7.4 describes what follows where one program filters addresses by the string and " +
			"another connects. The schemes with domain hosts are http, https, ws and wss; in others, and without a scheme, the name " +
			"is kept:",
		also: []string{"//010.0.0.1/", "https://010.0.0.1/", "ws://010.0.0.1/", "wss://010.0.0.1/", "ftp://010.0.0.1/",
			"http://2130706433/", "//2130706433/"}},
	{list: documented, parser: "uri-js", input: "http://010.0.0.1/", component: "host",
		why: `The README has it under “IPv4 normalization”: “URI.normalize("//192.068.001.000") === ` +
			`"//192.68.1.0"”. Parsing normalizes too, which it does not say.`,
		note: "The zero is dropped: this parser sees 10.0.0.1, fast-uri 8.0.0.1, as inet_aton does, and " +
			"uriparser a name. Comparing the original string with the host is what a caller can do."},
	{list: documented, parser: "tcl-uri", input: "mailto:a@b", component: "host",
		why: "“The set of constituents of a URL (= the set of keys in the returned dictionary) is " +
			"dependent on the scheme of the URL.” And of mailto: “user, host. The host is optional.” " +
			"(uri(3tcl), uri::split).",
		note: "RFC 3986 has an authority only behind \"//\" (section 3.2); what follows in `mailto:` is a " +
			"path. The exception that the claim makes is another one."},
	{list: documented, parser: "uri-js", input: "http://[::1",
		why: `The published README says “validating”. The repository's README does not since April 2021, ` +
			`after 4.4.1: “Remove "validating"; Add "normalizing" and "serializing" (#61)” (commit ` +
			`a1acf73).`,
		note: "The parser rejects nothing for its syntax: `error` is set for an http URI without a host and " +
			"the like only. So `[` is a host and `:1` a path here."},
	{list: documented, parser: "ruby-uri", input: "http:a?b", component: "query",
		why: "“The portion of the path that does not make use of the slash '/'. The path typically refers " +
			"to an absolute path or an opaque part. (See RFC2396 Section 3 and 5.2.)” " +
			"(URI::Generic#opaque). By RFC 2396, which it claims, the string has an opaque part.",
		note: "URI.parse calls a parser of RFC 3986, whose result goes into classes of RFC 2396. A path " +
			"that begins without \"/\" (`path-rootless`) is kept as \"opaque\", and takes the query with it. " +
			"RFC 3986 has no opaque part (section 3; the change is in appendix D.2).",
		also: []string{"urn:a?b"}},
	{list: deliberate, parser: "ruby-addressable", input: "http://a:0/", component: "port",
		why:  "“@port = nil if @port == 0” (Addressable::URI#port=, since the first commit of 2007).",
		note: `A program that takes nil for "no port" connects to the default port.`},
	{list: deliberate, parser: "go-net-url", input: "http://u@v@a/",
		why: `“However, URLs are diverse, and in some cases, the userinfo may contain an '@' character, ` +
			`for example, in "http://username:p@ssword@google.com", the string "username:p@ssword" should ` +
			`be treated as valid userinfo.” (a comment of validUserinfo, with issues 3439 and 22655).`,
		note: "The last \"@\" ends the userinfo, where GLib takes the first and sees the host `v@a`."},
	{list: deliberate, parser: "python-rfc3986", input: "http://a\\@b/",
		why: "“Prevent users from receiving an invalid authority parsed from a malicious URL. Previously " +
			"we did not stop parsing the authority section at the first backslash (\\) character.” " +
			"(release notes of 1.4.0).",
		note: "The authority ends at the backslash; what follows is the path, and is percent-encoded before " +
			"the validator sees it. uri-js, hyperlink, Addressable, GLib and curl see the host `b`. A " +
			"backslash is in no production."},
	{list: deliberate, parser: "python-hyperlink", input: "http://a:/", production: "authority", term: `":"`, offset: 8,
		why: `Its tests want it: “# empty port” and “self.assertRaises(URLParseError, URL.from_text, ` +
			`"http://127.0.0.1:")” (test_from_text_bad_authority).`,
		note: "The port may be empty: section 3.2.3 has `port = *DIGIT`, and section 6.2.3 names " +
			"\"http://example.com:/\" as equivalent to the URI without the colon."},
	{list: deliberate, parser: "glib-guri", input: "http://a:65536/", production: "port", term: "DIGIT", offset: 13,
		why: "The error says so.",
		note: "Here the parser is right: the text sets no limit to a port (section 3.2.3), TCP does, and a " +
			"parser that hands out a number has to have one. fast-uri, Python's urllib and rfc3986, Qt " +
			"and curl reject it too."},
}

// right is the section on what is no mistake.
const right = `## Where the parser is right, or claims something else

The versions are those of the table above.

- **uriparser** agrees with RFC 3986 on every string here, and its model below is equal to the text.
- **A limit for ports.** The text has none; that of fast-uri, urllib, rfc3986, GLib, Qt and curl is sensible. fast-uri
  documents it.
- **WHATWG.** Node's URL claims the WHATWG standard, which reads "http:a" as "http://a/" and 010.0.0.1 as 8.0.0.1 on purpose.
- **curl** says "RFC 3986 plus" and documents that it takes one to three slashes behind the scheme, so that "http:/a" has the
  host a. It also reads numbers as inet_aton does. Beside a strict parser these are two hosts all the same.
- **RFC 2396.** Perl's URI and Java's URI claim the RFC before, in which the authority may be "registry-based". Java's documents
  that, and reports no host then, for "//a_b" and "//." as well, which a program may take for nothing to check.
- **No claim.** PHP's parse_url, the legacy url.parse, url-parse and yarl claim no RFC. parse_url reads "a:0" as a host and a
  port, and not as a scheme and a path.
- **An empty host in http.** The generic syntax allows it, and RFC 9110 (section 4.2.1) does not; fast-uri and uri-js reject "http://u@/".
`

// age returns in words whether the version of a parser is the newest. It fails for a version that nobody has looked up.
func age(t *testing.T, p today) string {
	t.Helper()
	n := newest[p.Name()]
	if n.version != p.version {
		t.Errorf("%s: whether %s is the newest was not looked up; %q was", p.Name(), p.version, n.version)
	}
	return n.remark
}

// folded returns text in lines that can be read as they are.
func folded(text string) string { return strings.Join(layout.Fold(text, 120, 120, false), "\n") }

// opening returns in words in which list a write-up stands and why, and whether the version is the newest.
func (w chosen) opening(t *testing.T, p today) string {
	t.Helper()
	remark := age(t, p)
	s := fmt.Sprintf("%s\n\n**Newest.** Version %s is %s (%s).", folded("**"+string(w.list)+".** "+w.why), p.version, remark, lookedUp)
	if strings.Contains(remark, "old: ") {
		s += " That answers the same."
	}
	return s + "\n\n"
}

// others returns a table of what the parser sees in other strings.
func (w chosen) others(t *testing.T, p today) string {
	t.Helper()
	if len(w.also) == 0 {
		return ""
	}
	component := "host"
	if w.component != "" {
		component = w.component
	}
	at := map[string]conform.Component{"host": conform.Host, "query": conform.Search}[component]
	s := fmt.Sprintf("\n| string | its %s by this parser |\n|---|---|\n", component)
	for _, input := range w.also {
		a, err := p.Ask(t.Context(), input)
		if err != nil || a.Fault != nil {
			t.Fatalf("%s: %v %v", input, err, a.Fault)
		}
		value := seen(a.Components[at].String())
		if a.Verdict != conform.Accepted {
			value = "(" + a.Verdict.String() + ")"
		}
		s += fmt.Sprintf("| %s | %s |\n", conform.Shown(input), value)
	}
	return s
}

// TestWriteUps runs the programs of docs/conformance.md whose parsers are here in the versions that the page names, and
// compares what it shows.
func TestWriteUps(t *testing.T) {
	longtest.Need(t, "it runs a program in each language")
	page := must.Of(os.ReadFile("../../docs/conformance.md"))(t)
	list, _ := installed(t)
	for i, w := range writeUps {
		t.Run(w.parser, func(t *testing.T) {
			at := slices.IndexFunc(list, func(p today) bool { return p.Name() == w.parser })
			if at < 0 || list[at].version != newest[w.parser].version {
				t.Skipf("%s %s is not here", w.parser, newest[w.parser].version)
			}
			if want := w.write(t, i+1, list[at], conform.Comparison{}); !strings.Contains(string(page), want) {
				t.Errorf("docs/conformance.md does not have\n%s", want)
			}
		})
	}
}
