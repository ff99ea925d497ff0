package semantic_test

import (
	"testing"

	"github.com/bnfcheck/bnfcheck/semantic"
)

// Two URLs, and whether they mean the same under an RFC.
func TestEqual(t *testing.T) {
	const same, different = true, false
	for _, c := range []struct {
		cites string
		rfc   semantic.Family
		a, b  string
		want  bool
	}{
		{"1630:460", semantic.Family1630, "http://info.cern.ch/albert/bertram/marie-claude",
			"http://info.cern.ch/albert/bertram/marie%2Dclaude", same},
		{"1630:472", semantic.Family1630, "http://info.cern.ch/albert/bertram/marie-claude",
			"http://info.cern.ch/albert/bertram%2Fmarie-claude", different},
		{"1630:441", semantic.Family1630, "http://h.dom/%41%62", "http://h.dom/Ab", same},
		{"1630:441", semantic.Family1630, "http://h.dom/%2d", "http://h.dom/-", same},
		{"1630:321", semantic.Family1630, "ftp://h.dom/a%2Fb", "ftp://h.dom/a/b", different},
		{"1630:444", semantic.Family1630, "http://h.dom/%2A", "http://h.dom/*", different},
		{"1630:444", semantic.Family1630, "http://h.dom/%21", "http://h.dom/!", different},
		{"1630:323", semantic.Family1630, "http://h.dom/%2E%2E/a", "http://h.dom/../a", different},
		{"1630:323", semantic.Family1630, "http://h.dom/%2E%2Ea/b", "http://h.dom/..a/b", same},
		{"1630:364", semantic.Family1630, "http://h.dom/?a%2Bb", "http://h.dom/?a+b", different},
		{"1630:363", semantic.Family1630, "http://h.dom/a%2Bb", "http://h.dom/a+b",
			same}, // "+" is reserved in the query alone
		{"1630:352", semantic.Family1630, "http://h.dom/a%23b", "http://h.dom/a#b", different},
		{"1630:1295", semantic.Family1630, "url:http://h.dom/", "http://h.dom/", same},
		{"1630:1051", semantic.Family1630, "file://localhost/a", "file:///a", same},
		{"1630:1051", semantic.Family1630, "file://LocalHost/a", "file:///a", same},
		{"1630:884", semantic.Family1630, "gopher://h.dom", "gopher://h.dom/1", same},
		{"1630:704", semantic.Family1630, "http://h.dom", "http://h.dom/",
			different}, // RFC 1630 does not say that the slash may be left out
		{"1630:629", semantic.Family1630, "http://h.dom/a#b", "http://h.dom/a", different},

		{"1738:94", semantic.Family1738, "HTTP://h.dom/", "http://h.dom/", same},
		{"1738:185", semantic.Family1738, "http://h.dom/%41%2d%5f", "http://h.dom/A-_", same},
		{"1738:186", semantic.Family1738, "http://h.dom/a%2Fb", "http://h.dom/a/b", different},
		{"1738:186", semantic.Family1738, "http://h.dom/a%3Bb", "http://h.dom/a;b", different},
		{"1738:185", semantic.Family1738, "http://h.dom/a%3Ab%40c%26d%3De", "http://h.dom/a:b@c&d=e",
			same}, // not reserved in http
		{"1738:185", semantic.Family1738, "ftp://h.dom/a%3Fb", "ftp://h.dom/a?b", same}, // nor in ftp
		{"1738:180", semantic.Family1738, "foo:%2A%21", "foo:*!", same},                 // never reserved
		{"1738:180", semantic.Family1738, "foo:a%3Bb", "foo:a;b", different},            // may be, by this scheme
		{"1738:287", semantic.Family1738, "ftp://@h.dom/", "ftp://h.dom/", different},
		{"1738:287", semantic.Family1738, "ftp://u:@h.dom/", "ftp://u@h.dom/", different},
		{"1738:295", semantic.Family1738, "http://H.DOM/", "http://h.dom/", same},
		{"1738:295", semantic.Family1738, "http://001.02.3.4/", "http://1.2.3.4/", same},
		{"1738:307", semantic.Family1738, "http://h.dom:80/", "http://h.dom/", same},
		{"1738:308", semantic.Family1738, "http://h.dom:0080/", "http://h.dom/", same},
		{"1738:308", semantic.Family1738, "http://h.dom:081/", "http://h.dom:81/", same},
		{"1738:369", semantic.Family1738, "ftp://h.dom", "ftp://h.dom/", same},
		{"1738:362", semantic.Family1738, "ftp://h.dom/a;type=A", "ftp://h.dom/a;type=a", same},
		{"1738:407", semantic.Family1738, "ftp://h.dom//etc/motd", "ftp://h.dom/%2Fetc/motd", different},
		{"1738:471", semantic.Family1738, "http://h.dom", "http://h.dom/", same},
		{"1738:469", semantic.Family1738, "http://h.dom/?", "http://h.dom/", different},
		{"1738:513", semantic.Family1738, "gopher://h.dom/", "gopher://h.dom/1", same},
		{"1738:513", semantic.Family1738, "gopher://h.dom", "gopher://h.dom/1", same},
		{"1738:525", semantic.Family1738, "gopher://h.dom/0a%2Fb%3F", "gopher://h.dom/0a/b?", same},
		{"1738:535", semantic.Family1738, "gopher://h.dom/7a%09b%2Fc", "gopher://h.dom/7a%09b/c",
			different}, // the latter has no search
		{"1738:659", semantic.Family1738, "mailto:a%40b.c", "mailto:a@b.c", same},
		{"1738:659", semantic.Family1738, "mailto:a@B.c", "mailto:a@b.c", same},
		{"1738:659", semantic.Family1738, "mailto:A@b.c", "mailto:a@b.c", different},
		{"1738:694", semantic.Family1738, "news:a%2Fb@c.d", "news:a/b@c.d", same},
		{"1738:744", semantic.Family1738, "telnet://h.dom/", "telnet://h.dom", same},
		{"1738:712", semantic.Family1738, "nntp://h.dom/a.b/012", "nntp://h.dom/a.b/12", same},
		{"1738:819", semantic.Family1738, "file://localhost/a", "file:///a", same},
		{"1738:861", semantic.Family1738, "prospero://h.dom/a%2Fb", "prospero://h.dom/a/b", same},
		{"1738:870", semantic.Family1738, "prospero://h.dom/a%3Bb%3Dc", "prospero://h.dom/a;b=c", different},
		{"1738:233", semantic.Family1738, "news:%2A", "news:*", different}, // the first is no news URL
	} {
		cite(t, c.cites)
		a, b := folded(t, c.rfc.String(), c.a), folded(t, c.rfc.String(), c.b)
		if got := semantic.Equal(a, b); got != c.want {
			t.Errorf("RFC %s: %s (%s) and %s (%s) are equal: %v", c.rfc, c.a, a.Canonical(), c.b, b.Canonical(), got)
		}
	}
	a, b := typed(t, semantic.Family1630, "http://h.dom/"), typed(t, semantic.Family1738, "http://h.dom/")
	if semantic.Equal(a, b) {
		t.Error("URLs of two RFCs are compared")
	}
}

func TestCanonical(t *testing.T) {
	cite(t, "1630:381")
	for _, c := range []struct {
		rfc       semantic.Family
		url, want string
	}{
		{semantic.Family1630, "url:http://INFO.cern.ch:80/a%2d%2f%7e?b%41+%2b#%43",
			"http://info.cern.ch/a-%2F%7E?bA+%2B#C"},
		{semantic.Family1630, "http://h.dom/%20%00%80%7E",
			"http://h.dom/%20%00%80%7E"}, // "shall not be used unencoded"
		{semantic.Family1630, "wais://h.dom/db/T%45XT/1=%61;2=%3b;", "wais://h.dom/db/TEXT/1=a;2=%3B;"},
		{semantic.Family1738, "HTTP://H.dom:0080/%7e%2f%2D?%3f%2a", "http://h.dom/%7E%2F-?%3F*"},
		{semantic.Family1738, "ftp://%61%40:%3A@h.dom:021/%2fetc/%2E%2e/motd;type=I",
			"ftp://a%40:%3A@h.dom/%2Fetc/../motd;type=i"},
		{semantic.Family1738, "gopher://h.dom:70/%30a%09b%09%2b", "gopher://h.dom/0a%09b%09+"},
		{semantic.Family1738, "http://User@H.dom:80/%7e%41", "http://User@h.dom:80/%7E%41"}, // generic-only: as it is
	} {
		if got := folded(t, c.rfc.String(), c.url).Canonical(); got != c.want {
			t.Errorf("RFC %s: %s\n got %s\nwant %s", c.rfc, c.url, got, c.want)
		}
	}
}
