package semantic_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// places has for each component a URL in which the text stands at "*", so that what Encode gives can be checked
// against the grammar and against the typed URL.
var places = map[string]string{
	"1738/ftp/user": "ftp://*@h.dom/", "1738/ftp/password": "ftp://u:*@h.dom/", "1738/ftp/segment": "ftp://h.dom/a/*",
	"1738/telnet/user": "telnet://*@h.dom/", "1738/telnet/password": "telnet://u:*@h.dom/",
	"1738//host": "http://a*a/",
	"1738//user": "foo://*@h.dom/", "1738//password": "foo://u:*@h.dom/", "1738//segment": "foo://h.dom/*",
	"1738/file/segment": "file://h.dom/a/*",
	"1738/http/segment": "http://h.dom/a/*", "1738/http/search": "http://h.dom/a?*",
	"1738/gopher/type": "gopher://h.dom/*", "1738/gopher/selector": "gopher://h.dom/0a*",
	"1738/gopher/search":         "gopher://h.dom/0a%09*",
	"1738/gopher/gopher+ string": "gopher://h.dom/0a%09%09*",
	"1738/mailto/addr-spec":      "mailto:a*", "1738/news/message-id": "news:a*@b.c",
	"1738/news/newsgroup": "news:a*", "1738/nntp/newsgroup": "nntp://h.dom/a*/1",
	"1738/wais/database": "wais://h.dom/*", "1738/wais/search": "wais://h.dom/db?*",
	"1738/wais/type":        "wais://h.dom/db/*/p",
	"1738/wais/document-id": "wais://h.dom/db/t/*",
	"1738/prospero/hsoname": "prospero://h.dom/a*", "1738/prospero/field": "prospero://h.dom/a;*=b",
	"1738/prospero/value": "prospero://h.dom/a;b=*",

	"1630/ftp/user": "ftp://u*@h.dom/", "1630/ftp/password": "ftp://u:p*@h.dom/", "1630/ftp/segment": "ftp://h.dom/a/*",
	"1630/telnet/user": "telnet://u*@h.dom", "1630/telnet/password": "telnet://u:p*@h.dom",
	"1630//host": "http://h*/", "1630/file/segment": "file://h.dom/a/*",
	"1630/http/segment": "http://h.dom/a/*", "1630/http/search": "http://h.dom/a?b*",
	"1630/gopher/type": "gopher://h.dom/*", "1630/gopher/command": "gopher://h.dom/0a*",
	"1630/mailto/addr-spec": "mailto:a*@b.c", "1630/mid/message-id": "mid:a*@b.c",
	"1630/news/message-id": "news:a*@b.c",
	"1630/news/newsgroup":  "news:a*", "1630/nntp/newsgroup": "nntp:a*/1",
	"1630/wais/database": "wais://h.dom/d*", "1630/wais/search": "wais://h.dom/db?a*",
	"1630/wais/type":        "wais://h.dom/db/t*/1=p;",
	"1630/wais/document-id": "wais://h.dom/db/t/1=p*;", "1630/prospero/hsoname": "prospero://h.dom/a*",
	"1630//segment": "foo:/a/*", "1630//search": "foo:a?b*", "1630//fragment": "foo:a#b*",
}

// placeOf returns a URL around a component, and what is needed before and after an octet to make a component of it: a
// newsgroup begins with a letter.
func placeOf(family string, c semantic.Component) (before, head, tail, after string) {
	before, after, _ = strings.Cut(places[family+"/"+c.Scheme+"/"+c.Name], "*")
	if n := len(before) - 1; n >= 0 && 'a' <= before[n] && before[n] <= 'z' {
		before, head = before[:n], before[n:]
	}
	if strings.HasPrefix(after, "a") {
		after, tail = after[1:], after[:1]
	}
	return before, head, tail, after
}

// Every octet goes into every component and comes back, or is refused; and what goes in leaves the URL one of its
// scheme's own production, with that octet at that place.
func TestEncodeEveryOctet(t *testing.T) {
	citetest.Cite(t, "1738:127", "1738:177", "1630:307", "1630:406", "1630:412", "1630:984")
	for _, g := range typedTexts() {
		encodeEveryOctet(t, g)
	}
}

func encodeEveryOctet(t *testing.T, g *bnfcheck.Grammar) {
	family := typedBy(t, g, "http://h.dom/").Family
	for _, c := range semantic.Components(g) {
		name := g.Name + "/" + c.Scheme + "/" + c.Name
		before, head, tail, after := placeOf(family.String(), c)
		if before == "" {
			t.Errorf("component %s has no place in a URL", name)
			continue
		}
		for b := range 256 {
			octets := head + string([]byte{byte(b)}) + tail
			text, err := c.Encode(octets)
			if err != nil {
				var e *semantic.EncodeError
				if c.Escapes && !c.Never.Has(byte(b)) || !errors.As(err, &e) || !e.End && e.Octet != byte(b) {
					t.Errorf("%s refuses %02X: %v", name, b, err)
				}
				continue
			}
			if back := c.Decode(text); back != octets {
				t.Errorf("%s: %02X is encoded %q and decoded %q", name, b, text, back)
			}
			tree, err := g.Parse(before + text + after)
			if err != nil {
				t.Errorf("%s: %02X: %v", name, b, err)
				continue
			}
			u, err := semantic.Of(tree)
			if err != nil {
				t.Errorf("%s: %02X: %v", name, b, err)
				continue
			}
			if u.Match == semantic.MatchGeneric {
				t.Errorf("%s: %02X: %s is %s", name, b, tree.Source, u.Match)
			}
			// The octet is where it was put: no delimiter has come or gone.
			plain := typedBy(t, g, before+head+"x"+tail+after)
			if got, want := parts(u), parts(plain); got != want {
				t.Errorf("%s: %02X: %s has %d fields, with x it has %d", name, b, tree.Source, got, want)
			}
			// Bare octets mean the same encoded: that is what makes them bare.
			if text == octets && c.Escapes && !(c.Dots && octets == ".") {
				e := before + head + "%" + strings.ToUpper(hex(byte(b))) + tail + after
				if !u.Equal(typedBy(t, g, e)) {
					t.Errorf("%s: %s and %s are not equal", name, tree.Source, e)
				}
			}
		}
	}
}

// parts counts the fields of a URL that are parts of it.
func parts(u *semantic.URL) int {
	n := 0
	for _, f := range u.Fields() {
		if f.Part.Present() {
			n++
		}
	}
	return n
}

func hex(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

// RFC 1738 section 2.2: what is not bare is unsafe, has no character, or is one of the seven that may be reserved.
func TestReservedAreSeven(t *testing.T) {
	citetest.Cite(t, "1738:180")
	const may = ";/?:@=&"
	for _, c := range semantic.Components(bnfcheck.RFC1738) {
		if !c.Escapes {
			continue
		}
		for _, b := range []byte("ABCXYZabcxyz0189$-_.+!*'(),") {
			if !c.Bare.Has(b) {
				t.Errorf("%s of %q URLs reserves %q", c.Name, c.Scheme, b)
			}
		}
		for b := range 256 {
			if octet := byte(b); c.Bare.Has(octet) && strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$-_.+!*'(),"+may, octet) < 0 {
				t.Errorf("%s of %q URLs has %02X bare", c.Name, c.Scheme, b)
			}
		}
	}
}

func TestEncode(t *testing.T) {
	for _, c := range []struct{ cites, scheme, name, octets, want, fail string }{
		{"1738:386", "ftp", "segment", "/etc", "%2Fetc", ""},
		{"1738:662", "mailto", "addr-spec", "user%host@gate", "user%25host@gate", ""},
		{"1630:905", "mailto", "addr-spec", "user%host", "user%25host", ""},
		{"1630:364", "http", "search", "C++ and C", "C%2B%2B+and+C", ""},
		{"1630:455", "http", "segment", "100%", "100%25", ""},
		{"1630:323", "http", "segment", "..", "%2E%2E", ""},
		{"1630:323", "http", "segment", "..a", "..a", ""},
		{"1738:517", "gopher", "selector", "a\tb", "",
			"RFC 1738: the selector of gopher URLs cannot hold the octet 09 (at offset 1)"},
		{"1738:275", "ftp", "password", "a:b@c/d", "a%3Ab%40c%2Fd", ""},
		{"1738:689", "news", "newsgroup", "a b", "", "RFC 1738: the newsgroup of news URLs cannot hold the octet 20 (at offset 1)"},
		{"1738:689", "news", "newsgroup", "1a", "", "RFC 1738: the newsgroup of news URLs cannot hold the octet 31 (at offset 0)"},
		{"1738:513", "gopher", "type", "01", "", "RFC 1738: the type of gopher URLs cannot hold the octet 31 (at offset 1)"},
		{"1738:295", "", "host", "a-", "", "RFC 1738: the host of other URLs cannot end there (at offset 2)"},
		{"1630:1163", "prospero", "hsoname", "a\x001", "",
			"RFC 1630: the hsoname of prospero URLs cannot hold the octet 00 (at offset 1)"},
	} {
		citetest.Cite(t, c.cites)
		component, ok := semantic.ComponentOf(citetest.Grammar(t, c.cites), c.scheme, c.name)
		if !ok {
			t.Errorf("no %s of %s", c.name, c.scheme)
			continue
		}
		got, err := component.Encode(c.octets)
		if got != c.want || (err == nil) != (c.fail == "") || err != nil && err.Error() != c.fail {
			t.Errorf("%s of %s: %q is %q, %v", c.name, c.scheme, c.octets, got, err)
		}
	}
	if _, ok := semantic.ComponentOf(bnfcheck.RFC1738, "ftp", "fragment"); ok {
		t.Error("ftp URLs have fragments")
	}
}

func TestEncodeURN(t *testing.T) {
	citetest.Cite(t, "1630:326", "1630:407", "1630:975", "1630:978", "1630:981")
	got, err := semantic.EncodeURN("iana", "dns", "a/b", "c:d#e", "..")
	if want := "urn:iana/dns/a%2Fb/c%3Ad%23e/%2E%2E"; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if !grammar(semantic.Family1630).Accepts(got) {
		t.Errorf("%s is no URI", got)
	}
	if _, err := semantic.EncodeURN(); err == nil {
		t.Error("a name without parts has a URI")
	}
}
