package semantic_test

import (
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/treecheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// ruleCases has for every rule a URL that triggers it, with the part that it points at, and a near miss that does not.
var ruleCases = []ruleCase{
	{"1630/generic-only", "h", "telnet:h", "telnet://h"},
	{"1630/generic-only", "?", "gopher://h.dom/1?a", "gopher://h.dom/"}, // the prose has it, if not the BNF
	{"1630/generic-only", "A", "http:/A.B", "HTTP://A.B/"},              // which is no http
	{"1630/scheme-experimental", "x-foo", "x-foo:bar", "xx-foo:bar"},
	{"1630/scheme-unknown", "foo", "foo:bar", "mid:a@b.c"},
	{"1630/hex-lower-case", "%2f", "http://h.dom/a%2fb", "http://h.dom/a%2Fb"},
	{"1630/encoding-unneeded", "%2D", "http://info.cern.ch/albert/bertram/marie%2Dclaude",
		"http://info.cern.ch/albert/bertram%2Fmarie-claude"},
	{"1630/encoded-reserved", "%2F", "http://info.cern.ch/albert/bertram%2Fmarie-claude",
		"http://info.cern.ch/albert/bertram/marie%2Dclaude"},
	{"1630/reserved-star-bang", "*", "http://h.dom/a*b", "news:*"},
	{"1630/reserved-star-bang", "!", "http://h.dom/a!b", "http://h.dom/a%21b"},
	{"1630/reserved-star-bang", "*", "http://h*.dom/a*b",
		"http://h*.dom/"}, // of the host 1630/host-name has more to say
	{"1630/dot-segment", "..", "http://h.dom/a/../b", "http://h.dom/a/..b"},
	{"1630/dot-segment", ".", "http://h.dom/./b", "http://h.dom/%2E/b"},
	{"1630/dot-segment", "..", "foo:../b", "foo:..b"},
	{"1630/query-plus", "+", "http://h.dom/a?b+c", "http://h.dom/a+b?b%2Bc"},
	{"1630/encoded-reserved", "%2E", "http://h.dom/a/%2E%2E/b", "http://h.dom/a/%2E%2Ex/b"},
	{"1630/encoded-reserved", "%25", "mailto:a%25b@c.d", "mailto:a%2Fb@c.d"}, // a bare "/" cannot stand there
	{"1630/encoded-reserved", "%2B", "http://h.dom/a?b%2Bc", "http://h.dom/a%2Bb"},
	{"1630/encoded-reserved", "%3B", "wais://h.dom/db/t/1=a%3Bb;", "http://h.dom/a%3Bb"},
	{"1630/gopher-command", "%0A", "gopher://h.dom/0a%0Ab", "gopher://h.dom/0a%09b"},
	{"1630/gopher-command", "%0D", "gopher://h.dom/0a%0D%0Ab",
		"gopher://h.dom/0a%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A"},
	{"1630/scheme-case", "HTTP", "HTTP://A.B/", "http://A.B/"},
	{"1630/scheme-case", "FILE", "FILE:///a", "NFS:///a"}, // whose name the text does not have
	{"1630/scheme-unknown", "NFS", "NFS:///a", "HTTP://A.B/"},
	{"1630/gopher-type", "/", "gopher://h.dom/", "gopher://h.dom"},
	{"1630/mailto-addr-spec", "a(b@c.dom", "mailto:a(b@c.dom", "mailto:a%25b@c.dom"},
	{"1630/news-group", ".", "news:a..b", "news:a.b"},
	{"1630/news-group", "$", "news:a$b", "news:a-b"},
	{"1630/news-message-id", "%20", "news:%20a@b.c", "news:a@b.c"},
	{"1630/news-message-id", "@", "news:Z@@4ax.com", "news:Z@4ax.com"},
	{"1630/news-message-id", "%E9", "news:a%E9b@c.d", "news:a%65b@c.d"},
	{"1630/news-domain", "Z@4ax", "news:Z@4ax", "news:Z@4ax.com"},
	{"1630/news-domain", "Z@a_b.com", "news:Z@a_b.com", "news:Z@a-b.com"},
	{"1630/news-domain", "Z@1.2.3.4", "news:Z@1.2.3.4", "news:Z@1.2.3.com"},
	{"1630/news-group", "%24", "news:a%24b", "news:a%2Bb"},
	{"1630/encoding-unneeded", "%2B", "news:a%2Bb", "news:a%24b"}, // 1630/news-group wants that removed
	{"1630/news-message-id", "@b.c", "news:@b.c", "news:a@b.c"},
	{"1630/mid-addr-spec", "%3Ca@b.c%3E", "mid:%3Ca@b.c%3E", "mid:a@b.c"},
	{"1630/mid-addr-spec", "a..b@c.d", "cid:a..b@c.d", "cid:a.b@c"},
	{"1630/nntp-article-number", "0", "nntp:a.b/0", "nntp:a.b/1"},
	{"1630/nntp-local", "nntp", "nntp:a.b/1", "news:a.b"},
	{"1630/nntp-no-server", "a.b", "nntp:a.b/1", "news:a.b"},
	{"1630/telnet-prose", "rlogin", "rlogin://h.dom", "telnet://h.dom"},
	{"1630/file-local", "localhost", "file://localhost/a", "file://h.dom/a"},
	{"1630/file-host", "a", "file:/a", "file:///a"},
	{"1630/file-prose", "file", "file://h.dom/a", "ftp://h.dom/a"},
	{"1630/cid-context", "a@b.c", "cid:a@b.c", "mid:a@b.c"},
	{"1630/mid-news", "mid", "mid:a@b.c", "cid:a@b.c"},
	{"1630/afs-historical", "afs", "afs://cern.ch/a", "aft://cern.ch/a"},
	{"1630/urn-reserved", "urn", "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3", "ur:/iana"},
	{"1630/host-label", strings.Repeat("a", 64), "http://" + strings.Repeat("a", 64) + ".dom/",
		"http://" + strings.Repeat("a", 63) + ".dom/"},
	{"1630/host-label", "", "http://h..d/", "http://h.d./"},
	{"1630/host-root", ".", "http://h.d./", "http://h.d/"},
	{"1630/host-name", "_", "http://h_a.dom/", "http://h-a.dom/"},
	{"1630/host-name", "%5F", "http://h%5Fa.dom/", "http://h-a.dom/"},
	{"1630/host-name", "%41", "http://h%41.dom/", "http://hA.dom/"},
	{"1630/hostnumber-octet", "256", "http://1.2.3.256/", "http://1.2.3.255/"},
	{"1630/hostnumber-octet", "256", "file://1.2.3.256/a", "file://1.2.3.255/a"},
	{"1630/port-number", "65536", "http://h.dom:65536/", "http://h.dom:65535/"},

	{"1738/scheme-case", "HTTP", "HTTP://h.dom/", "http://h.dom/"},
	{"1738/hex-lower-case", "%2f", "http://h.dom/a%2fb", "http://h.dom/a%2Fb"},
	{"1738/encoding-unneeded", "%2D", "http://h.dom/a%2Db", "http://h.dom/a%2Fb"},
	{"1738/encoding-unneeded", "%40", "mailto:a%40b.c", "mailto:a@b.c"},
	{"1738/encoded-delimiter", "%3B", "http://h.dom/a%3Bb", "ftp://h.dom/a%3Bb"}, // where a bare ";" cannot stand
	{"1738/encoded-delimiter", "%3B", "http://h.dom/?%3B", "http://h.dom/?a%2Fb"},
	{"1738/encoded-delimiter", "%3F", "foo://h.dom/a%3Fb", "ftp://myname@host.dom/%2Fetc/motd"},
	{"1738/encoded-delimiter", "%3D", "foo:a%3Db", "gopher://h.dom/0a%3Db"},
	{"1738/common-syntax", "a_b", "foo://a_b/c", "foo://a.b/c"},
	{"1738/common-syntax", "", "foo:///c", "foo:/c"},
	{"1738/encoded-control", "%0D", "telnet://a%0D%0Ab@h.dom/", "telnet://a%20b@h.dom/"},
	{"1738/encoded-control", "%0D", "gopher://h.dom:25/7HELO%0D%0AMAIL", "gopher://h.dom/7a%09b"},
	{"1738/encoded-control", "%1B", "gopher://h.dom/7a%1Bb",
		"gopher://h.dom/7a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A"},
	{"1738/encoded-nul", "%00", "http://h.dom/a%00", "http://h.dom/a%01"},
	{"1738/generic-only", "@", "http://user@host.dom/", "http://host.dom/"},
	{"1738/generic-only", "", "mailto:", "mailto:a@b.c"},
	{"1738/scheme-only-1630", "mid", "mid:a@b.c", "news:a@b.c"},
	{"1738/scheme-unknown", "foo", "foo:bar", "x-foo:bar"},
	{"1738/scheme-experimental", "x-foo", "x-foo:bar", "xfoo:bar"},
	{"1738/scheme-proposed", "z39.50", "z39.50://h.dom/", "z39.51://h.dom/"},
	{"1738/no-user", "me", "gopher://me@h.dom/", "gopher://h.dom/"},
	{"1738/no-user", "me", "file://me@h.dom/a", "file://h.dom/a"},
	{"1738/empty-user", "", "ftp://@host.com/", "ftp://host.com/"},
	{"1738/host-qualified", "host", "http://host/", "file://localhost/a"},
	{"1738/host-label", strings.Repeat("a", 64), "http://" + strings.Repeat("a", 64) + ".dom/",
		"http://" + strings.Repeat("a", 63) + ".dom/"},
	{"1738/host-length", strings.Repeat("a.", 126) + "aa", "http://" + strings.Repeat("a.", 126) + "aa/",
		"http://" + strings.Repeat("a.", 126) + "a/"},
	{"1738/hostnumber-octet", "256", "http://1.2.3.256/", "http://1.2.3.255/"},
	{"1738/hostnumber-zeros", "010", "http://10.0.0.010/", "http://10.0.0.10/"},
	{"1738/port-number", "0", "http://h.dom:0/", "http://h.dom:1/"},
	{"1738/port-number", "65536", "http://h.dom:65536/", "http://h.dom:65535/"},
	{"1738/port-zeros", "080", "http://h.dom:080/", "http://h.dom:80/"},
	{"1738/file-host", "1.2.3.4", "file://1.2.3.4/a", "file://localhost/a"},
	{"1738/port-not-default", "8080", "http://h.dom:8080/", "http://h.dom:80/"},
	{"1738/port-reserved", "25", "gopher://h.dom:25/0", "gopher://h.dom:70/0"},
	{"1738/password", "secret", "ftp://me:secret@h.dom/", "ftp://me:@h.dom/"},
	{"1738/password", "me", "ftp://anonymou:me@h.dom/", "ftp://anonymous:me@h.dom/"},
	{"1738/ftp-typecode", "x", "ftp://h.dom/a;type=x", "ftp://h.dom/a;type=i"},
	{"1738/ftp-typecode", ";TYPE=", "ftp://h.dom/a;TYPE=a", "ftp://h.dom/a;b"},
	{"1738/ftp-typecode-case", "I", "ftp://h.dom/a;type=I", "ftp://h.dom/a;type=i"},
	{"1738/ftp-semicolon", ";", "ftp://h.dom/a;b", "ftp://h.dom/a%3Bb"},
	{"1738/ftp-semicolon", ";", "ftp://h.dom/a;b;TYPE=a", "ftp://h.dom/a;TYPE=a"},
	{"1738/ftp-null-cwd", "", "ftp://myname@host.dom//etc/motd", "ftp://myname@host.dom/%2Fetc/motd"},
	{"1738/ftp-empty-name", "", "ftp://h.dom/pub/", "ftp://h.dom/pub/;type=d"},
	{"1738/ftp-empty-name", "a", "ftp://h.dom/;type=a", "ftp://h.dom/b;type=a"},
	{"1738/http-no-user", "me", "http://me@h.dom/", "ftp://me@h.dom/"},
	{"1738/http-reserved", ";", "http://h.dom/a;b", "http://h.dom/a%3Bb"},
	{"1738/gopher-selector", "%0A", "gopher://h.dom/0a%0Ab", "gopher://h.dom/0a%09b"},
	{"1738/gopher-selector", "%09", "gopher://h.dom/0a%09b/c", "gopher://h.dom/0a%09b%2Fc"},
	{"1738/gopher-plus", "abc", "gopher://h.dom/0a%09%09abc", "gopher://h.dom/0a%09%09+"},
	{"1738/gopher-plus", "+%091%0D%0A+-1%0D%0Ayes", "gopher://h.dom/0a%09%09+%091%0D%0A+-1%0D%0Ayes",
		"gopher://h.dom/0a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A"},
	{"1738/gopher-view-language", "+text/plain", "gopher://h.dom/0a%09%09+text/plain",
		"gopher://h.dom/0a%09%09+text/plain%20En_US"},
	{"1738/mailto-extra", "?subject=x", "mailto:a@b.c?subject=x", "mailto:a?b@b.c"},
	{"1738/mailto-extra", "%3Fsubject=x", "mailto:a%40b.c%3Fsubject=x", "mailto:a%3Fb@b.c"},
	{"1738/mailto-addr-spec", "foo", "mailto:foo", "mailto:foo@b.c"},
	{"1738/mailto-addr-spec", "a..b@c.d", "mailto:a..b@c.d", "mailto:%22a..b%22@c.d"},
	{"1738/news-group", ".", "news:a..b", "news:a.b"},
	{"1738/news-message-id", "%3C", "news:%3Ca@b.c%3E", "news:a@b.c"},
	{"1738/news-domain", "a@b", "news:a@b", "news:a@b.c"},
	{"1738/news-domain", "a@1.2.3.4", "news:a@1.2.3.4", "news:a@1.2.3.c"},
	{"1738/news-message-id", "%40", "news:a%40b@c.d", "news:a%41b@c.d"},
	{"1738/nntp-article-missing", "", "nntp://h.dom/a.b", "nntp://h.dom/a.b/1"},
	{"1738/nntp-article-number", "00", "nntp://h.dom/a.b/00", "nntp://h.dom/a.b/01"},
	{"1738/nntp-local", "nntp", "nntp://h.dom/a.b/1", "news:a.b"},
	{"1738/telnet-login", "me", "telnet://me:pw@h.dom/", "telnet://h.dom/"},
	{"1738/wais-database", "", "wais://h.dom/", "wais://h.dom/db"},
	{"1738/wais-type", "", "wais://h.dom/db//1", "wais://h.dom/db/TEXT/1"},
	{"1738/file-local", "localhost", "file://localhost/a", "file://h.dom/a"},
	{"1738/file-local", "", "file:///a", "file://h.dom/a"},
	{"1738/file-remote", "h.dom", "file://h.dom/a", "file:///a"},
	{"1738/prospero-no-user", "me", "prospero://me@h.dom/a", "prospero://h.dom/a"},
	{"1738/prospero-field", "", "prospero://h.dom/a;=1", "prospero://h.dom/a;OBJECT-VERSION=1"},
}

type ruleCase struct{ rule, at, triggers, misses string }

// casesOfDrafts has what a draft's rules need of their own, because its BNF rejects what the other case shows.
var casesOfDrafts = []ruleCase{
	{"draft06/unsafe", "~", "http://h.dom/~a", "http://h.dom/%7Ea$-_.+"},
	{"draft06/unsafe", "!", "ftp://a!b@h.dom/", "http://h!dom/"}, // draft06/host-name says that
	{"draft06/unsafe", "*", "news:a*@b.c", "news:*"},
	{"draft06/unsafe", "'", "gopher://h.dom/0a'", "gopher://h.dom/0a%09%09!+ABSTRACT"},
	{"draft06/encoding-unneeded", "%24", "http://h.dom/a%24b", "http://h.dom/a%7Eb"}, // "~" is better encoded
	{"draft06/host-name", "~", "http://h~a.dom/", "http://h-a.dom/"},
	{"draft06/host-label", "", "http://h..d/", "http://h.d./"},
	{"draft06/host-root", ".", "http://h.d./", "http://h.d/"},
	{"draft06/host-label", strings.Repeat("a", 64), "http://" + strings.Repeat("a", 64) + ".dom/",
		"http://" + strings.Repeat("a", 63) + ".dom/"},
	{"draft06/common-syntax", "1", "foo://1/x", "foo://a/x"},
	{"draft06/file-local", "localhost", "file://localhost/a", "file://h.dom/a"},
	{"draft06/file-empty-host", "", "file:///a", "file://localhost/a"},
	{"draft06/generic-only", ";", "file://localhost/a/?;", "file:///a"}, // the prose has it, if not the BNF
	{"draft06/file-remote", "h.dom", "file://h.dom/a", "file://localhost/a"},
}

// allRuleCases are those, and for the other rules of drafts what shows the rule of that name of the RFC.
func allRuleCases() []ruleCase {
	list := slices.Clone(casesOfDrafts)
	has := map[string]bool{}
	for _, c := range list {
		has[c.rule] = true
	}
	for _, c := range ruleCases {
		list = append(list, c)
		has[c.rule] = true
	}
	for _, r := range semantic.Rules() {
		if has[r.ID] {
			continue
		}
		for _, c := range ruleCases {
			if c.rule == r.Family.String()+strings.TrimPrefix(r.ID, r.Text) {
				c.rule = r.ID
				list = append(list, c)
			}
		}
	}
	return list
}

func TestRules(t *testing.T) {
	tried := map[string]bool{"1630/ftp-type": true} // TestTypeSuffix
	for _, c := range allRuleCases() {
		tried[c.rule] = true
		r, ok := semantic.RuleByID(c.rule)
		if !ok {
			t.Errorf("no rule %s", c.rule)
			continue
		}
		if c.triggers == "" {
			continue
		}
		t.Run(c.rule, func(t *testing.T) {
			u := folded(t, r.Text, c.triggers)
			found := false
			for _, f := range u.Findings() {
				if f.Rule == c.rule {
					found = true
					if at := c.triggers[f.Start:f.End]; at != c.at {
						t.Errorf("%s: points at %q, want %q", c.triggers, at, c.at)
					}
					if f.Severity != r.Severity || f.Section != r.Section {
						t.Errorf("%s: %v is not of the rule's severity and section", c.triggers, f)
					}
				}
			}
			if !found {
				t.Errorf("%s: does not trigger it; found %v", c.triggers, u.Findings())
			}
			for _, f := range folded(t, r.Text, c.misses).Findings() {
				if f.Rule == c.rule {
					t.Errorf("%s: triggers it: %v", c.misses, f)
				}
			}
		})
	}
	for _, r := range semantic.Rules() {
		if !tried[r.ID] && r.Text != "3986" { // see TestReferenceRules
			t.Errorf("rule %s has no case", r.ID)
		}
	}
}

// folded is typed for URLs whose scheme may have upper-case letters.
func folded(t *testing.T, text string, s string) *semantic.URL {
	t.Helper()
	p := published(t, text).Parser()
	p.FoldScheme = true
	tree, err := p.Parse(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	u, err := new(semantic.Reader).OfWritten(tree, s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return u
}

// The reading 1630-ftptype is off in the published grammar, where the bare code of the BNF belongs to the path. So that
// a grammar that has it on is read right, this makes the tree that it would give.
func TestTypeSuffix(t *testing.T) {
	citetest.Cite(t, "1630:834", "1630:856")
	for _, c := range []struct{ path, code, sent string }{
		{"a", "I", "TYPE I\r\nRETR a\r\n"},
		{"a", "AN", "TYPE A N\r\nRETR a\r\n"}, // "the space is omitted from the URL"
		{"a", "L8", "TYPE L 8\r\nRETR a\r\n"},
		{"", "A", "TYPE A\r\nNLST\r\n"},
	} {
		u := must.Of(semantic.Of(withTypeSuffix(t, "ftp://h.dom/"+c.path+c.code, len(c.code))))(t)
		if f := u.Specific.(*semantic.FTP); f.Type.Raw != c.code || f.Path.Raw != c.path {
			t.Errorf("%s: path %q, type %q", u.Source, f.Path.Raw, f.Type.Raw)
		}
		if !slices.ContainsFunc(u.Findings(), func(f semantic.Finding) bool { return f.Rule == "1630/ftp-type" }) {
			t.Errorf("%s: no 1630/ftp-type among %v", u.Source, u.Findings())
		}
		var sent strings.Builder
		for _, step := range u.Access() {
			sent.WriteString(step.Octets)
		}
		if !strings.HasSuffix(sent.String(), c.sent) {
			t.Errorf("%s: %q, which does not end in %q", u.Source, sent.String(), c.sent)
		}
		for _, f := range typed(t, semantic.Family1630, u.Source).Findings() {
			if f.Rule == "1630/ftp-type" {
				t.Errorf("%s: %v", u.Source, f)
			}
		}
	}
}

// withTypeSuffix returns the tree of an ftp URL whose last n bytes are an ftptype.
func withTypeSuffix(t *testing.T, s string, n int) *ast.Tree {
	tree := must.Of(bnfcheck.RFC1630.Parse(s))(t)
	kind, ok := tree.Grammar.Kind("ftptype")
	if !ok {
		t.Fatal("no production ftptype")
	}
	kept := slices.DeleteFunc(slices.Clone(tree.Nodes), func(n ast.Raw) bool { return n.Start >= int32(len("ftp://h.dom/")) })
	end := int32(len(s))
	kept = append(kept, ast.Raw{Kind: kind, Start: end - int32(n), End: end, Next: int32(len(kept) + 1)})
	for i := range kept {
		if kept[i].End == end { // the root and what only chooses
			kept[i].Next = int32(len(kept))
		}
	}
	suffixed := &ast.Tree{Grammar: tree.Grammar, Source: tree.Source, Nodes: kept}
	must.Do(t, treecheck.Tree(suffixed))
	return suffixed
}

// What a careful colleague would call it: an error is forbidden by the text, a warning will bite, a note is good to
// know.
func TestSeverities(t *testing.T) {
	for _, c := range []struct {
		rule, why string
		want      semantic.Severity
	}{
		{"1738/port-not-default", "caution, and most such ports are what they say", semantic.Note},
		{"1738/port-reserved", "especially there", semantic.Warning},
		{"1738/encoded-delimiter", "encoded is how data is written", semantic.Note},
		{"1738/common-syntax", "the BNF takes it", semantic.Warning},
		{"1738/file-host", "the BNF takes it", semantic.Warning},
		{"1738/host-label", "labels must be 63 characters or less", semantic.Error},
		{"1630/host-label", "no sentence of RFC 1630 forbids it, and no host has the name", semantic.Warning},
		{"1630/host-root", "the domain system has such names", semantic.Note},
		{"draft06/host-root", "the domain system has such names", semantic.Note},
		{"1738/hostnumber-octet", "the host is a domain name or an IP address", semantic.Error},
		{"1630/hostnumber-octet", "no sentence forbids it, and no host has the number", semantic.Warning},
		{"1630/port-number", "no sentence forbids it, and no server listens there", semantic.Warning},
		{"1630/scheme-case", "no sentence forbids it, and it is another scheme", semantic.Warning},
		{"1630/gopher-type", "the prose has it, and software that reads the BNF will not", semantic.Warning},
		{"draft06/file-empty-host", "the prose has it, and software that reads the BNF will not", semantic.Warning},
		{"1630/gopher-command", "the prose allows it", semantic.Warning},
		{"1630/mid-addr-spec", "the format is that of addr-spec", semantic.Error},
		{"1630/news-domain", "the BNF takes it", semantic.Warning},
	} {
		if r, ok := semantic.RuleByID(c.rule); !ok || r.Severity != c.want {
			t.Errorf("%s is of severity %v, want %v: %s", c.rule, r.Severity, c.want, c.why)
		}
	}
}

func TestRuleForm(t *testing.T) {
	id := regexp.MustCompile(`^(1630|1738|draft06|3986)/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	last, order := semantic.Rule{}, map[string]int{"": 0, "1630": 1, "1738": 2, "draft06": 3, "3986": 4}
	for _, r := range semantic.Rules() {
		if !id.MatchString(r.ID) || !strings.HasPrefix(r.ID, r.Text+"/") || seen[r.ID] {
			t.Errorf("%s: a bad ID", r.ID)
		}
		seen[r.ID] = true
		if r.Section == "" || r.Line == 0 || r.Severity == 0 || r.Title == "" || !strings.HasSuffix(r.Requirement, ".") && !strings.HasSuffix(r.Requirement, ")") {
			t.Errorf("%s: incomplete", r.ID)
		}
		if order[last.Text] > order[r.Text] || last.Text == r.Text && last.Line > r.Line {
			t.Errorf("%s stands after %s", r.ID, last.ID)
		}
		last = r
	}
}

// Rules returns copies: what a caller does to them changes nothing.
func TestRulesAreCopies(t *testing.T) {
	list := semantic.Rules()
	for i := range list {
		list[i].ID = "gone"
		for j := range list[i].Schemes {
			list[i].Schemes[j] = "gone"
		}
	}
	for _, r := range semantic.Rules() {
		if r.ID == "gone" || len(r.Schemes) > 0 && r.Schemes[0] == "gone" {
			t.Fatal("the rules can be changed from outside")
		}
	}
}

func TestSeverity(t *testing.T) {
	for s := semantic.Note; s <= semantic.Error; s++ {
		text, err := s.MarshalText()
		if err != nil || string(text) != s.String() {
			t.Errorf("the text of %v is %q, %v", s, text, err)
		}
		var got semantic.Severity
		if err := got.UnmarshalText(text); err != nil || got != s {
			t.Errorf("%q is the severity %v, %v", text, got, err)
		}
	}
	if err := new(semantic.Severity).UnmarshalText([]byte("fatal")); err == nil {
		t.Error("fatal is a severity")
	}
}

// Addresses are read against RFC 822 section 6.1. net/mail reads RFC 5322's mailboxes; this says where it is right.
func TestAddrSpec(t *testing.T) {
	for _, c := range []struct {
		address        string
		valid, mailbox bool // by RFC 822; by net/mail
	}{
		{`a@b`, true, true},
		{`a.b@c.d.e`, true, true},
		{`"a b"@c.d`, true, true},
		{`"a\"b"@c.d`, true, true},      // a quoted pair
		{`a%b@c.d`, true, true},         // "%" is a character of atoms
		{`a@[10.0.0.1]`, true, true},    // a domain literal
		{`a@b.[10.0.0.1]`, true, false}, // a sub-domain may be one in RFC 822
		{"\"a\x01b\"@c.d", true, false}, // RFC 822's characters include the controls
		{`a@[x]`, true, false},          // what is in a literal is not RFC 822's matter
		{`a`, false, false},             // no domain
		{`@b`, false, false},            // no local part
		{`a@`, false, false},            // no domain
		{`a..b@c`, false, false},        // an empty word
		{`.a@c`, false, false},          // an empty word
		{`a@b.`, false, false},          // an empty sub-domain
		{`a b@c`, false, false},         // a space outside quotes
		{`A <a@b>`, false, true},        // a mailbox with a name is no addr-spec
		{"\u00e4@b", false, true},       // RFC 6532's UTF-8
		{`a@b@c`, false, false},         // one "@" too many
		{`a(comment)@b`, false, false},  // comments are not part of the address
		{`a@b (comment)`, false, true},  // nor here
		{`"a@b`, false, false},          // an open quote
		{`a@[10.0.0.1`, false, false},   // an open literal
		{`a@b]`, false, false},          // a stray bracket
	} {
		component, _ := semantic.ComponentOf(bnfcheck.RFC1738, "mailto", "addr-spec")
		text := must.Of(component.Encode(c.address))(t)
		found := slices.ContainsFunc(typed(t, semantic.Family1738, "mailto:"+text).Findings(),
			func(f semantic.Finding) bool { return f.Rule == "1738/mailto-addr-spec" })
		if found == c.valid {
			t.Errorf("%s: an addr-spec is %v, want %v", c.address, !found, c.valid)
		}
		if _, err := mail.ParseAddress(c.address); (err == nil) != c.mailbox {
			t.Errorf("%s: net/mail reads it: %v, want %v", c.address, err == nil, c.mailbox)
		}
	}
}
