package semantic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// fields returns the typed URL as one line: name "text", name = value ...
func fields(u *semantic.URL) string {
	var b strings.Builder
	for i, f := range u.Fields() {
		if i > 0 {
			b.WriteString(", ")
		}
		if f.Part.Present() {
			fmt.Fprintf(&b, "%s %q", f.Name, f.Part.Decoded())
		} else {
			fmt.Fprintf(&b, "%s = %s", f.Name, f.Value)
		}
	}
	return b.String()
}

// What the prose says a URL consists of, one row a sentence or example.
func TestTyped(t *testing.T) {
	for _, c := range []struct{ cites, url, want string }{
		{"1738:86", "foo:bar", `scheme "foo", path "bar"`},
		{"1738:106", "foo:a-b", `scheme "foo", path "a-b"`},
		{"1738:122", "foo:%41%62%2d", `scheme "foo", path "Ab-"`},
		{"1738:210", "file://h.dom/a/b/c", `scheme "file", host "h.dom", directory "a", directory "b", name "c"`},
		{"1738:259", "foo://u:p@h.dom:1/x/y", `scheme "foo", user "u", password "p", host "h.dom", port "1", path "x/y"`},
		{"1738:259", "foo://h.dom", `scheme "foo", host "h.dom"`},
		{"1738:271", "foo://u:p@h.dom/", `scheme "foo", user "u", password "p", host "h.dom", path ""`},
		{"1738:287", "ftp://@host.com/", `scheme "ftp", user "", host "host.com", port = 21, the default, name ""`},
		{"1738:287", "ftp://host.com/", `scheme "ftp", host "host.com", port = 21, the default, name ""`},
		{"1738:287", "ftp://foo:@host.com/",
			`scheme "ftp", user "foo", password "", host "host.com", port = 21, the default, name ""`},
		{"1738:313", "foo://h.dom//x", `scheme "foo", host "h.dom", path "/x"`},
		{"1738:319", "http://h.dom/a?b", `scheme "http", host "h.dom", port = 80, the default, path "a", search "b"`},
		{"1738:367", "ftp://h.dom/a",
			`scheme "ftp", host "h.dom", port = 21, the default, name "a", type = to be guessed from the name`},
		{"1738:469", "http://h.dom", `scheme "http", host "h.dom", port = 80, the default`},
		{"1738:469", "http://h.dom/?", `scheme "http", host "h.dom", port = 80, the default, path "", search ""`},
		{"1738:483", "gopher://h.dom/0a%09b%09!",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "b", ` +
				`gopher+ string "!", asks for = attributes`},
		{"1738:497", "gopher://h.dom/0a%09b",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "b"`},
		{"1738:513", "gopher://h.dom", `scheme "gopher", host "h.dom", port = 70, the default, type = 1, the default`},
		{"1738:527", "gopher://h.dom/00/a", `scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "0/a"`},
		{"1738:529", "gopher://h.dom/1", `scheme "gopher", host "h.dom", port = 70, the default, type "1", selector ""`},
		{"1738:535", "gopher://h.dom/7a%09b%20c",
			`scheme "gopher", host "h.dom", port = 70, the default, type "7", selector "a", search "b c"`},
		{"1738:572", "gopher://h.dom/0a%09%09+",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "", ` +
				`gopher+ string "+", asks for = the default view`},
		{"1738:573", "gopher://h.dom/0a%09%09?",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "", ` +
				`gopher+ string "?", asks for = an item with a form`},
		{"1738:590", "gopher://h.dom/0a%09%09!",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "", ` +
				`gopher+ string "!", asks for = attributes`},
		{"1738:597", "gopher://h.dom/0a%09%09!+ABSTRACT",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "", ` +
				`gopher+ string "!+ABSTRACT", asks for = attributes, attribute = "+ABSTRACT"`},
		{"1738:592", "gopher://h.dom/1a%09%09$",
			`scheme "gopher", host "h.dom", port = 70, the default, type "1", selector "a", search "", ` +
				`gopher+ string "$", asks for = attributes, of = all items of the directory`},
		{"1738:602", "gopher://h.dom/0a%09%09!+ABSTRACT%20+SMELL",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "", ` +
				`gopher+ string "!+ABSTRACT +SMELL", asks for = attributes, attribute = "+ABSTRACT", attribute = "+SMELL"`},
		{"1738:625", "gopher://h.dom/0a%09%09+application/postscript%20Es_ES",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "", ` +
				`gopher+ string "+application/postscript Es_ES", asks for = an alternate view, ` +
				`view = "application/postscript", language = "Es_ES"`},
		{"1738:631", "gopher://h.dom/0a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0Ano%0D%0A.%0D%0A",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "", ` +
				`gopher+ string "+\t1\r\n+-1\r\nyes\r\nno\r\n.\r\n", asks for = a filled-in form, answer = "yes", answer = "no"`},
		{"1738:681", "news:comp.infosystems.www.misc", `scheme "news", newsgroup "comp.infosystems.www.misc"`},
		{"1738:692", "news:123@host.dom",
			`scheme "news", message-id "123@host.dom", unique = "123", full domain name = "host.dom"`},
		{"1738:697", "news:*", `scheme "news", designates = all available news groups`},
		{"1738:745", "telnet://u@h.dom/",
			`scheme "telnet", user "u", host "h.dom", port = 23, the default, designates = an interactive service, by telnet`},
		{"1738:764", "wais://h.dom/db", `scheme "wais", host "h.dom", port = 210, the default, database "db"`},
		{"1738:764", "wais://h.dom/db?a+b", `scheme "wais", host "h.dom", port = 210, the default, database "db", search "a+b"`},
		{"1738:791", "wais://h.dom/db/TEXT/1%3Da%3B",
			`scheme "wais", host "h.dom", port = 210, the default, database "db", type "TEXT", document-id "1=a;"`},
		{"1738:805", "file:///etc/motd", `scheme "file", host "", host = this machine, directory "etc", name "motd"`},
		{"1738:811", "file://vms.host.edu/disk$user/my/notes/note12345.txt",
			`scheme "file", host "vms.host.edu", directory "disk$user", directory "my", directory "notes", name "note12345.txt"`},
		{"1738:849", "prospero://h.dom/a/b%20c", `scheme "prospero", host "h.dom", port = 1525, the default, hsoname "a/b c"`},
		{"1738:864", "prospero://host.dom//pros/name",
			`scheme "prospero", host "host.dom", port = 1525, the default, hsoname "/pros/name"`},
		{"1738:875", "prospero://h.dom/a;OBJECT-VERSION=2;x=",
			`scheme "prospero", host "h.dom", port = 1525, the default, hsoname "a", field "OBJECT-VERSION", ` +
				`value "2", field "x", value ""`},

		{"1630:276", "foo:bar", `scheme "foo", path "bar"`},
		{"1630:293", "fxqn:/us/va", `scheme "fxqn", path "/us/va"`},
		{"1630:298", "file://h.dom/a//b", `scheme "file", host "h.dom", directory "a", directory "", name "b"`},
		{"1630:352", "http://www.myu.edu/org/admin/people#andy",
			`scheme "http", host "www.myu.edu", port = 80, the default, path "org/admin/people", fragment "andy"`},
		{"1630:628", "news:a.b#c", `scheme "news", newsgroup "a.b", fragment "c"`},
		{"1630:357", "http://info.my.org/AboutUs/Index/Phonebook?dobbins",
			`scheme "http", host "info.my.org", port = 80, the default, path "AboutUs/Index/Phonebook", ` +
				`search "dobbins", search word "dobbins"`},
		{"1630:357", "http://h.dom?a+b%2Bc",
			`scheme "http", host "h.dom", port = 80, the default, search "a+b+c", search word "a", search word "b+c"`},
		{"1630:679", "mid:a@b.c", `scheme "mid", message-id "a@b.c", unique = "a", domain = "b.c"`},
		{"1630:853", "ftp://h.dom/a/",
			`scheme "ftp", host "h.dom", port = 21, the default, directory "a", name "", designates = a directory listing`},
		{"1630:878", "gopher://h.dom/00/a", `scheme "gopher", host "h.dom", port = 70, the default, type "0", command "0/a"`},
		{"1630:880", "gopher://h.dom/1", `scheme "gopher", host "h.dom", port = 70, the default, type "1", command ""`},
		{"1630:884", "gopher://h.dom", `scheme "gopher", host "h.dom", port = 70, the default, type = 1, the default`},
		{"1630:884", "gopher://1.2.3.4/", `scheme "gopher", host number "1.2.3.4", port = 70, the default, type = 1, the default`},
		{"1630:884", "gopher://h.dom//", `scheme "gopher", path "//h.dom//"`}, // no void command, but one that begins with "/"
		{"1630:869", "gopher://h.dom/7a%09b%09c",
			`scheme "gopher", host "h.dom", port = 70, the default, type "7", command "a\tb\tc"`},
		{"1630:276", "HTTP://A.B/", `scheme "HTTP", path "//A.B/"`},
		{"1630:276", "FILE:///a", `scheme "FILE", path "///a"`},
		{"1630:913", "news:Zaj@4ax.com", `scheme "news", message-id "Zaj@4ax.com", unique = "Zaj", full domain name = "4ax.com"`},
		{"1630:913", "news:a@b.c", `scheme "news", message-id "a@b.c", unique = "a", full domain name = "b.c"`},
		{"1630:997", "wais://h.dom/db/TEXT/1=a/b;",
			`scheme "wais", host "h.dom", port = 210, the default, database "db", type "TEXT", field 1 "a/b"`},
		{"1630:1015", "wais://h.dom/db/TEXT/3=x;1=%3B;",
			`scheme "wais", host "h.dom", port = 210, the default, database "db", type "TEXT", field 3 "x", field 1 ";"`},
		{"1630:1017", "wais://h.dom/db/TEXT/1=;",
			`scheme "wais", host "h.dom", port = 210, the default, database "db", type "TEXT", field 1 ""`},
		{"1630:1060", "mid:9412010101.AA00001@info.cern.ch",
			`scheme "mid", message-id "9412010101.AA00001@info.cern.ch", unique = "9412010101.AA00001", domain = "info.cern.ch"`},
		{"1630:1083", "cid:a@b.c", `scheme "cid", content-id "a@b.c", unique = "a", domain = "b.c"`},
		{"1630:1163", "prospero://h.dom//pros/name%0012",
			`scheme "prospero", host "h.dom", port = 1525, the default, hsoname "/pros/name", version "12"`},
		{"1630:1163", "prospero://h.dom/a%00b%001x",
			`scheme "prospero", host "h.dom", port = 1525, the default, hsoname "a\x00b", version "1", attributes "x"`},

		{"draft06:118", "foo:a%20%25%7F", `scheme "foo", path "a %\x7f"`},
		{"draft06:581", "telnet://u@h.dom",
			`scheme "telnet", user "u", host "h.dom", port = 23, the default, designates = an interactive service, by telnet`},
		{"draft06:581", "telnet://h.dom/",
			`scheme "telnet", host "h.dom", port = 23, the default, designates = an interactive service, by telnet`},
		{"draft06:630", "file://h.dom", `scheme "file", host "h.dom"`},
		{"draft06:630", "file:///a/b", `scheme "file", host "", host = this machine, directory "a", name "b"`},
		{"draft06:630", "file://h.dom/", `scheme "file", host "h.dom", name ""`},
		{"draft06:179", "foo://u:p@h.dom:1/x/y", `scheme "foo", user "u", password "p", host "h.dom", port "1", path "x/y"`},
		{"draft06:179", "foo://h.dom", `scheme "foo", host "h.dom"`},
		{"draft06:179", "foo://1/x", `scheme "foo", path "//1/x"`}, // neither a hostname nor a hostnumber
		{"draft06:365", "gopher://h.dom/0a%09+",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "+"`},
	} {
		citetest.Cite(t, c.cites)
		if got := fields(typedBy(t, citetest.Grammar(t, c.cites), c.url)); got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.cites, c.url, got, c.want)
		}
	}
}

// What is left out has a value all the same.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		cites, url string
		port       int
	}{
		{"1738:307", "http://h.dom:8000/", 8000},
		{"1738:327", "ftp://h.dom/", 21},
		{"1738:467", "http://h.dom/", 80},
		{"1738:511", "gopher://h.dom/", 70},
		{"1738:710", "nntp://h.dom/a.b/1", 119},
		{"1738:745", "telnet://h.dom/", 23},
		{"1738:768", "wais://h.dom/db", 210},
		{"1738:837", "prospero://h.dom/a", 1525},
		{"1738:823", "file://h.dom/a", 0},
		{"1630:770", "ftp://h.dom/", 21},
		{"1630:770", "ftp://h.dom:2121/", 2121},
		{"1630:1139", "nntp:a.b/1", 0},
	} {
		citetest.Cite(t, c.cites)
		u := typedBy(t, citetest.Grammar(t, c.cites), c.url)
		if got, ok := u.PortNumber(); got != c.port || ok != (c.port != 0) {
			t.Errorf("%s %s: port %d, %v; want %d", c.cites, c.url, got, ok, c.port)
		}
	}
}

// What the prose prescribes and the BNF has: strings on both sides of the line.
func TestGrammarHas(t *testing.T) {
	for _, c := range []struct{ cites, accepted, not string }{
		{"1738:92", "a1+.-:x", "a_:x"},
		{"1738:135", "foo:%80%7F", "foo:\x80"},
		{"1738:135", "foo:%7F", "foo:\x7F"},
		{"1738:142", "foo:%20%3C%22%3E", "foo: "},
		{"1738:142", "foo:%3C", "foo:<"},
		{"1738:148", "http://h.dom/%23a", "http://h.dom/#a"},
		{"1738:151", "foo:%25", "foo:%"},
		{"1738:152", "foo:%7E", "foo:~"},
		{"1738:152", "foo:%60", "foo:`"},
		{"1738:190", "foo:$-_.+!*'(),", "foo:\""},
		{"1738:275", "foo://a%3Ab%40c%2Fd:e@h.dom/", "foo://h.dom/\x00"},
		{"1738:299", "http://a-b.c-d/", "http://h.dom/ "},
		{"1738:511", "gopher://h.dom/%31a", "gopher://h.dom/\ta"},
		{"1738:543", "gopher://h.dom/0a%09%09+", "gopher://h.dom/0a\t\t+"},
		{"1738:662", "mailto:a%25b@c.d", "mailto:a%b@c.d%"},
		{"1630:315", "foo:%25", "foo:%"},
		{"1630:425", "foo:%7E", "foo:~"},
		{"1630:456", "foo:%2a", "foo:%*"},
		{"1630:485", "fxqn:/us/va/reston/cnri/ietf/24/asdf%2A.fred", "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred"},
		{"1630:485", "news:12345667123%25asdghfh@info.cern.ch", "news:12345667123%asdghfh@info.cern.ch"},
		{"1630:712", "http://h.dom/a%20b", "http://h.dom/a b"},
		{"1630:1216", "foo:%7B", "foo:{"},
		{"1630:1298", "http://h.dom/%3C", "http://h.dom/<"},
	} {
		citetest.Cite(t, c.cites)
		if g := citetest.Grammar(t, c.cites); !g.Accepts(c.accepted) || g.Accepts(c.not) {
			t.Errorf("%s rejects %q, or accepts %q", c.cites, c.accepted, c.not)
		}
	}
	// Here the generic production derives what the scheme's own does not.
	for _, c := range []struct{ cites, own, not string }{
		{"1738:275", "ftp://a%40b@h.dom/", "ftp://a@b@h.dom/"},
		{"1738:299", "http://a-b.c-d/", "http://a-.dom/"},
		{"1738:301", "http://1.2.3.4/", "http://a.1b/"},
		{"1738:310", "http://h.dom/", "http://h.dom:/"},
		{"1738:543", "gopher://h.dom/0a%09%09+", "gopher://u@h.dom/"},
		{"1738:851", "prospero://h.dom/a%3Bb", "prospero://h.dom/a;b"},
		{"1738:990", "file:///a", "file://h.dom"},
	} {
		citetest.Cite(t, c.cites)
		if u := typed(t, semantic.Family1738, c.own); u.Match != semantic.MatchOwn {
			t.Errorf("%s: %s", c.own, u.Match)
		}
		if u := typed(t, semantic.Family1738, c.not); u.Match != semantic.MatchGeneric {
			t.Errorf("%s: %s", c.not, u.Match)
		}
	}
}

// A tree may begin at any production that derives a URL, and gives the same typed URL.
func TestOfAnyStart(t *testing.T) {
	for _, c := range []struct {
		rfc   semantic.Family
		start string
		url   string
	}{
		{semantic.Family1738, "httpurl", "http://h.dom/a?b"},
		{semantic.Family1738, "otherurl", "http://h.dom/a?b"},
		{semantic.Family1738, "genericurl", "http://h.dom/a?b"},
		{semantic.Family1738, "waisurl", "wais://h.dom/db/t/p"},
		{semantic.Family1738, "waisdoc", "wais://h.dom/db/t/p"},
		{semantic.Family1630, "url", "http://h.dom/a?b"},
		{semantic.Family1630, "uri", "http://h.dom/a?b"},
		{semantic.Family1630, "httpaddress", "http://h.dom/a?b"},
		{semantic.Family1630, "prosperoaddress", "prospero://h.dom/a%001"},
		{semantic.Family1630, "prosperolink", "prospero://h.dom/a%001"},
		{semantic.Family1630, "waisaddress", "wais://h.dom/db/t/1=p;"},
	} {
		p := grammar(c.rfc).Parser()
		p.Start, _ = p.Grammar().Kind(c.start)
		tree, err := p.Parse(c.url)
		if err != nil {
			t.Errorf("%s as %s: %v", c.url, c.start, err)
			continue
		}
		u, err := semantic.Of(tree)
		if err != nil {
			t.Errorf("%s as %s: %v", c.url, c.start, err)
			continue
		}
		if got, want := u.Table(), typed(t, c.rfc, c.url).Table(); got != want {
			t.Errorf("%s as %s:\n%swant\n%s", c.url, c.start, got, want)
		}
	}
	for rfc, starts := range map[semantic.Family]map[string]string{
		semantic.Family1738: {"hostport": "h.dom:80", "fpath": "a/b", "user": "me", "schemepart": "a:b", "digit": "1"},
		semantic.Family1630: {"hostport": "h.dom:80", "url_path": "a/b", "user": "me", "wpath": "1=a;"},
	} {
		for start, s := range starts {
			p := grammar(rfc).Parser()
			p.Start, _ = p.Grammar().Kind(start)
			tree, err := p.Parse(s)
			if err != nil {
				t.Errorf("%s as %s: %v", s, start, err)
				continue
			}
			if _, err := semantic.Of(tree); !errors.Is(err, semantic.ErrNotURL) {
				t.Errorf("%s as %s: %v", s, start, err)
			}
		}
	}
	for _, tree := range []*ast.Tree{nil, {}, {Grammar: bnfcheck.RFC1738.Grammar}} {
		if _, err := semantic.Of(tree); err == nil {
			t.Errorf("%v is the tree of a URL", tree)
		}
	}
}

// A later text of a family reads as its family does: what counts is the productions, not the grammar's name.
func TestFamilyByProductions(t *testing.T) {
	draft := *bnfcheck.RFC1738.Grammar
	draft.Name, draft.Title = "draft", "draft-ietf-uri-url-06"
	tree := must.Of(bnfcheck.RFC1738.Parse("ftp://h.dom/a;type=d"))(t)
	tree.Grammar = &draft
	u, err := semantic.Of(tree)
	if err != nil || u.Family != semantic.Family1738 || !u.Specific.(*semantic.FTP).Listing(u.Family) {
		t.Errorf("%v, %v", u, err)
	}
}

func TestAddr(t *testing.T) {
	for host, want := range map[string]string{
		"1.2.3.4": "1.2.3.4", "001.02.3.255": "1.2.3.255", "1.2.3.256": "", "h.dom": "",
	} {
		addr, ok := typed(t, semantic.Family1738, "http://"+host+"/").Host.Addr()
		if ok != (want != "") || ok && addr.String() != want {
			t.Errorf("%s: %v, %v", host, addr, ok)
		}
	}
}

func TestJSON(t *testing.T) {
	b := must.Of(json.Marshal(typed(t, semantic.Family1738, "foo://h.dom/%FF%41")))(t)
	want := `{"grammar":"rfc1738","url":"foo://h.dom/%FF%41","scheme":"foo","production":"otherurl","match":"no-production","fields":[` +
		`{"name":"scheme","start":0,"end":3,"raw":"foo","octets":"foo"},{"name":"host","start":6,"end":11,"raw":"h.dom","octets":"h.dom"},` +
		`{"name":"path","start":12,"end":18,"raw":"%FF%41","octets_base64":"/0E="}]}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

// Parse has the errors of the grammar's Parse, and is otherwise Of.
func TestParse(t *testing.T) {
	for _, g := range typedTexts() {
		for _, s := range examples(t) {
			got, err := semantic.Parse(g, s)
			tree, want := g.Parse(s)
			if want != nil {
				if err == nil || err.Error() != want.Error() || got != nil {
					t.Errorf("%s %q: %v, %v; want %v", g.Name, s, got, err, want)
				}
				continue
			}
			if u, _ := semantic.Of(tree); err != nil || got.Table() != u.Table() {
				t.Errorf("%s %q: %v, %v; want %v", g.Name, s, got, err, u)
			}
		}
		var tooLong *ast.TooLongError
		if _, err := semantic.Parse(g, "foo:"+strings.Repeat("a", bnfcheck.DefaultMaxLength)); !errors.As(err, &tooLong) {
			t.Errorf("%s: a string that is too long: %v", g.Name, err)
		}
	}
}
