package semantic_test

import (
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// Two URLs, and whether they mean the same under an RFC.
func TestEqual(t *testing.T) {
	const same, different = true, false
	for _, c := range []struct {
		cites, a, b string
		want        bool
	}{
		{"1630:460", "http://info.cern.ch/albert/bertram/marie-claude", "http://info.cern.ch/albert/bertram/marie%2Dclaude", same},
		{"1630:472", "http://info.cern.ch/albert/bertram/marie-claude",
			"http://info.cern.ch/albert/bertram%2Fmarie-claude", different},
		{"1630:441", "http://h.dom/%41%62", "http://h.dom/Ab", same},
		{"1630:441", "http://h.dom/%2d", "http://h.dom/-", same},
		{"1630:321", "ftp://h.dom/a%2Fb", "ftp://h.dom/a/b", different},
		{"1630:444", "http://h.dom/%2A", "http://h.dom/*", different},
		{"1630:444", "http://h.dom/%21", "http://h.dom/!", different},
		{"1630:323", "http://h.dom/%2E%2E/a", "http://h.dom/../a", different},
		{"1630:323", "http://h.dom/%2E%2Ea/b", "http://h.dom/..a/b", same},
		{"1630:364", "http://h.dom/?a%2Bb", "http://h.dom/?a+b", different},
		{"1630:363", "http://h.dom/a%2Bb", "http://h.dom/a+b", same}, // "+" is reserved in the query alone
		{"1630:352", "http://h.dom/a%23b", "http://h.dom/a#b", different},
		{"1630:1295", "url:http://h.dom/", "http://h.dom/", same},
		{"1630:1051", "file://localhost/a", "file:///a", same},
		{"1630:1051", "file://LocalHost/a", "file:///a", same},
		{"1630:884", "gopher://h.dom", "gopher://h.dom/1", same},
		{"1630:704", "http://h.dom", "http://h.dom/", different}, // RFC 1630 does not say that the slash may be left out
		{"1630:629", "http://h.dom/a#b", "http://h.dom/a", different},

		{"1738:94", "HTTP://h.dom/", "http://h.dom/", same},
		{"1738:185", "http://h.dom/%41%2d%5f", "http://h.dom/A-_", same},
		{"1738:186", "http://h.dom/a%2Fb", "http://h.dom/a/b", different},
		{"1738:186", "http://h.dom/a%3Bb", "http://h.dom/a;b", different},
		{"1738:185", "http://h.dom/a%3Ab%40c%26d%3De", "http://h.dom/a:b@c&d=e", same}, // not reserved in http
		{"1738:185", "ftp://h.dom/a%3Fb", "ftp://h.dom/a?b", same},                     // nor in ftp
		{"1738:180", "foo:%2A%21", "foo:*!", same},                                     // never reserved
		{"1738:180", "foo:a%3Bb", "foo:a;b", different},                                // may be, by this scheme
		{"1738:287", "ftp://@h.dom/", "ftp://h.dom/", different},
		{"1738:287", "ftp://u:@h.dom/", "ftp://u@h.dom/", different},
		{"1738:295", "http://H.DOM/", "http://h.dom/", same},
		{"1738:295", "http://001.02.3.4/", "http://1.2.3.4/", same},
		{"1738:307", "http://h.dom:80/", "http://h.dom/", same},
		{"1738:308", "http://h.dom:0080/", "http://h.dom/", same},
		{"1738:308", "http://h.dom:081/", "http://h.dom:81/", same},
		{"1738:369", "ftp://h.dom", "ftp://h.dom/", same},
		{"1738:362", "ftp://h.dom/a;type=A", "ftp://h.dom/a;type=a", same},
		{"1738:407", "ftp://h.dom//etc/motd", "ftp://h.dom/%2Fetc/motd", different},
		{"1738:471", "http://h.dom", "http://h.dom/", same},
		{"1738:469", "http://h.dom/?", "http://h.dom/", different},
		{"1738:513", "gopher://h.dom/", "gopher://h.dom/1", same},
		{"1738:513", "gopher://h.dom", "gopher://h.dom/1", same},
		{"1738:525", "gopher://h.dom/0a%2Fb%3F", "gopher://h.dom/0a/b?", same},
		{"1738:535", "gopher://h.dom/7a%09b%2Fc", "gopher://h.dom/7a%09b/c", different}, // the latter has no search
		{"1738:659", "mailto:a%40b.c", "mailto:a@b.c", same},
		{"1738:659", "mailto:a@B.c", "mailto:a@b.c", same},
		{"1738:659", "mailto:A@b.c", "mailto:a@b.c", different},
		{"1738:694", "news:a%2Fb@c.d", "news:a/b@c.d", same},
		{"1738:744", "telnet://h.dom/", "telnet://h.dom", same},
		{"1738:712", "nntp://h.dom/a.b/012", "nntp://h.dom/a.b/12", same},
		{"1738:819", "file://localhost/a", "file:///a", same},
		{"1738:861", "prospero://h.dom/a%2Fb", "prospero://h.dom/a/b", same},
		{"1738:870", "prospero://h.dom/a%3Bb%3Dc", "prospero://h.dom/a;b=c", different},
		{"1738:233", "news:%2A", "news:*", different}, // the first is no news URL

		{"draft06:127", "foo:%7E%21", "foo:~!", same},
		{"draft06:127", "foo:a%3Bb", "foo:a;b", different},
		{"draft06:127", "wais://h.dom/a%3D", "wais://h.dom/a=", different}, // extra holds "=", and a scheme may reserve it
		{"draft06:136", "http://h.dom/%7Ea", "http://h.dom/~a", same},
		{"draft06:153", "http://h.dom/%24%2B", "http://h.dom/$+", same},
		{"draft06:238", "ftp://h.dom", "ftp://h.dom/", different},
		{"draft06:384", "gopher://h.dom/0a%2Fb%3F", "gopher://h.dom/0a/b?", same},
		{"draft06:384", "gopher://h.dom/7a%09b%2Fc", "gopher://h.dom/7a%09b/c", different}, // the latter has no search
		{"draft06:512", "mailto:a%3Fb@c.d", "mailto:a?b@c.d", same},
		{"draft06:630", "file://h.dom", "file://h.dom/", different},
	} {
		citetest.Cite(t, c.cites)
		text, _, _ := strings.Cut(c.cites, ":")
		a, b := folded(t, text, c.a), folded(t, text, c.b)
		if got := a.Equal(b); got != c.want {
			t.Errorf("%s: %s (%s) and %s (%s) are equal: %v", c.cites, c.a, a.Canonical(), c.b, b.Canonical(), got)
		}
	}
	b := typed(t, semantic.Family1738, "http://h.dom/")
	for _, other := range []*bnfcheck.Grammar{bnfcheck.RFC1630, bnfcheck.Draft06} {
		if typedBy(t, other, "http://h.dom/").Equal(b) {
			t.Error("URLs of two texts are equal")
		}
	}
}

func TestCanonical(t *testing.T) {
	citetest.Cite(t, "1630:381")
	for _, c := range []struct{ text, url, want string }{
		{"1630", "url:http://INFO.cern.ch:80/a%2d%2f%7e?b%41+%2b#%43", "http://info.cern.ch/a-%2F%7E?bA+%2B#C"},
		{"1630", "http://h.dom/%20%00%80%7E", "http://h.dom/%20%00%80%7E"}, // "shall not be used unencoded"
		{"1630", "wais://h.dom/db/T%45XT/1=%61;2=%3b;", "wais://h.dom/db/TEXT/1=a;2=%3B;"},
		{"1738", "HTTP://H.dom:0080/%7e%2f%2D?%3f%2a", "http://h.dom/%7E%2F-?%3F*"},
		{"1738", "ftp://%61%40:%3A@h.dom:021/%2fetc/%2E%2e/motd;type=I", "ftp://a%40:%3A@h.dom/%2Fetc/../motd;type=i"},
		{"1738", "gopher://h.dom:70/%30a%09b%09%2b", "gopher://h.dom/0a%09b%09+"},
		{"1738", "http://User@H.dom:80/%7e%41", "http://User@h.dom:80/%7E%41"}, // generic-only: as it is
		{"draft06", "http://H.dom:80/~a%7e%2D!", "http://h.dom/%7Ea%7E-%21"},
		{"draft06", "http://h.dom", "http://h.dom/"},
		{"draft06", "file://LOCALHOST/a", "file://localhost/a"}, // the BNF has no file URL with an empty host
		{"draft06", "gopher://h.dom/0a%09%09!+ABSTRACT", "gopher://h.dom/0a%09%09!+ABSTRACT"},
		{"draft06", "http://h.dom/a{b}", "http://h.dom/a%7Bb%7D"},
		{"draft06", "HTTP://h%41.dom/", "http://ha.dom/"},
		{"draft06", "prospero://h.dom/a;b=c=d", "prospero://h.dom/a;b=c=d"},
		{"draft06", "telnet://u@h.dom/", "telnet://u@h.dom"},
		{"draft06", "nntp://h.dom:0119/a.b/007", "nntp://h.dom/a.b/7"},
		{"draft06", "ftp://h.dom/a/b;type=I", "ftp://h.dom/a/b;type=i"},
		{"draft06", "news:a.b", "news:a.b"},
		{"draft06", "wais://h.dom/db?a|b", "wais://h.dom/db?a%7Cb"},
		{"draft06", "http://1.2.3.004/", "http://1.2.3.4/"},
		{"draft06", "file://vms.host.edu/disk$user/my/a.b", "file://vms.host.edu/disk$user/my/a.b"},
	} {
		if got := folded(t, c.text, c.url).Canonical(); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.text, c.url, got, c.want)
		}
	}
}
