package semantic_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// steps returns an access as one line: verb text; of what is sent the octets.
func steps(list []semantic.Step) string {
	var s []string
	for _, step := range list {
		if step.Verb == semantic.Send {
			s = append(s, strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(step.Octets, "\r\n", "$"), "\t", "<tab>"), "\x00", "<nul>"))
		} else {
			s = append(s, step.Verb.String()+" "+step.Text)
		}
	}
	return strings.Join(s, " | ")
}

// What a client does, in the words of the prose. "$" stands for CR LF.
func TestAccess(t *testing.T) {
	const closing = " | close the control connection, before another directory is visited"
	for _, c := range []struct{ cites, url, want string }{
		{"1738:401", "ftp://myname@host.dom/%2Fetc/motd",
			`connect host.dom:21 | USER myname$ | ask if the server requests a password, the user for it | ` +
				`CWD /etc$ | choose TYPE A or TYPE I, guessed from the name "motd" | RETR motd$` + closing},
		{"1738:404", "ftp://myname@host.dom/etc/motd",
			`connect host.dom:21 | USER myname$ | ask if the server requests a password, the user for it | ` +
				`CWD etc$ | choose TYPE A or TYPE I, guessed from the name "motd" | RETR motd$` + closing},
		{"1738:407", "ftp://myname@host.dom//etc/motd",
			`connect host.dom:21 | USER myname$ | ask if the server requests a password, the user for it | CWD $ | ` +
				`CWD etc$ | choose TYPE A or TYPE I, guessed from the name "motd" | RETR motd$` + closing},
		{"1738:345", "ftp://me:my%20word@h.dom/a;type=i",
			`connect h.dom:21 | USER me$ | PASS my word$ | TYPE I$ | RETR a$` + closing},
		{"1738:347", "ftp://h.dom/a;type=a",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | TYPE A$ | RETR a$` + closing},
		{"1738:356", "ftp://me@h.dom/a;type=a",
			`connect h.dom:21 | USER me$ | ask if the server requests a password, the user for it | TYPE A$ | RETR a$` +
				closing},
		{"1738:373", "ftp://h.dom/a/b/c;type=a",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | CWD a$ | ` +
				`CWD b$ | TYPE A$ | RETR c$` + closing},
		{"1738:378", "ftp://h.dom/a/b;type=d",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | CWD a$ | NLST b$` + closing},
		{"1738:382", "ftp://h.dom/b;type=I",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | TYPE I$ | RETR b$` + closing},
		{"1738:387", "ftp://h.dom/a%3Bb/c%2Fd;type=i",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | CWD a;b$ | ` +
				`TYPE I$ | RETR c/d$` + closing},
		{"1738:418", "ftp://h.dom/a.gif",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | ` +
				`choose TYPE A or TYPE I, guessed from the name "a.gif" | RETR a.gif$` + closing},
		{"1738:420", "ftp://h.dom",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | ` +
				`choose what to read: the name is empty, and a listing is asked for by ;type=d` + closing},
		{"1738:437", "ftp://h.dom/;type=d",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | NLST$` + closing},
		{"1738:1113", "ftp://h.dom/a%0D%0ADELE%20b/c",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | ` +
				`refuse for safety: "CWD a\x0D\x0ADELE b" holds the octet 0D, which would end the command there`},
		{"1738:467", "http://h.dom/a%20b?c", `connect h.dom:80 | GET /a%20b?c$`},
		{"1738:522", "gopher://h.dom/0a%20b", `connect h.dom:70 | a b$`},
		{"1738:537", "gopher://h.dom/7a%09b%20c", `connect h.dom:70 | a<tab>b c$`},
		{"1738:552", "gopher://h.dom/0a%09%09!+ABSTRACT", `connect h.dom:70 | a<tab><tab>!+ABSTRACT$`},
		{"1738:579", "gopher://h.dom/0a%09%09?",
			`connect h.dom:70 | a<tab><tab>!+ASK$ | ask the user to fill in the form, then send the answers with the selector`},
		{"1738:638", "gopher://h.dom/0a%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", `connect h.dom:70 | a<tab>+<tab>1$+-1$yes$.$`},
		// A filled-in form with a search string: section 3.4.3 has both sent.
		{"1738:552", "gopher://h.d/7/x%09s%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A",
			`connect h.d:70 | /x<tab>s<tab>+<tab>1$+-1$yes$.$`},
		{"1738:1113", "gopher://h.dom/7a%09b%09c%0Ad",
			`connect h.dom:70 | refuse for safety: the Gopher+ command "c\x0Ad" holds the octet "\x0A", at which it would end`},
		{"1738:1113", "gopher://h.dom/7a%09b%0A",
			`connect h.dom:70 | refuse for safety: the search string "b\x0A" holds the octet "\x0A", at which it would end`},
		{"1738:382", "ftp://h.dom/;type=a",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | TYPE A$ | ` +
				`choose what to read: the name is empty, and a listing is asked for by ;type=d` + closing},
		{"1738:1098", "gopher://h.dom:25/0HELO%0D%0AQUIT", `connect h.dom:25 | refuse a selector cannot hold the octet "\x0D"`},
		{"1738:665", "mailto:a%25b@c.d", `advise a message can be sent to "a%b@c.d"`},
		{"1738:700", "news:comp.infosystems.www.misc",
			`choose the user's own news host, or news already received: a news URL names none | GROUP comp.infosystems.www.misc$`},
		{"1738:712", "nntp://h.dom/a.b/12", `connect h.dom:119 | GROUP a.b$ | ARTICLE 12$`},
		{"1738:748", "telnet://me:pw@h.dom/", `connect h.dom:23 | advise the user to log in as "me" with the password "pw"`},
		{"1738:764", "wais://h.dom/db?a+b", `connect h.dom:210 | ask the server to search the database "db" for "a+b"`},
		{"1738:774", "wais://h.dom/db/TEXT/1%3D2",
			`connect h.dom:210 | ask the server to retrieve the document "1=2" of type "TEXT" from the database "db"`},
		{"1738:823", "file://h.dom/a", `refuse the file is on "h.dom", and no access method is specified`},
		{"1738:819", "file://localhost/a/b", `read the file that this machine's conventions call "a", "b"`},
		{"1738:854", "prospero://h.dom/a;v=1",
			`connect h.dom:1525 | ask the directory server for the access methods of "a", "v" = "1" | ` +
				`choose one of the access methods, and go on with the URL that stands for it`},
		{"1738:233", "http://me@h.dom/",
			`refuse the http scheme's own production does not derive this URL, so it has no defined meaning`},
		{"1738:912", "afs:x", `refuse the text defines no way to access URLs of the scheme afs`},
		{"1738:308", "http://h.dom:0/", `refuse no port that can be connected to: "0"`},

		{"1630:699", "http://h.dom/a%2Fb", `connect h.dom:80 | GET /a%2Fb$`},
		{"1630:704", "http://h.dom", `connect h.dom:80 | GET /$`},
		{"1630:709", "http://h.dom/a?b+c", `connect h.dom:80 | GET /a?b+c$`},
		{"1630:711", "http://h.dom/a#b",
			`connect h.dom:80 | GET /a$ | choose fragment "b" is kept by the client and applied to the whole object`},
		{"1630:752", "http://www.myu.edu/org/admin/people#andy",
			`connect www.myu.edu:80 | GET /org/admin/people$ | ` +
				`choose fragment "andy" is kept by the client and applied to the whole object`},
		{"1630:775", "ftp://h.dom/a",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | ` +
				`choose TYPE A or TYPE I, guessed from the name "a" | RETR a$` + closing},
		{"1630:803", "ftp://h.dom/a/b/",
			`connect h.dom:21 | USER anonymous$ | choose PASS with the user's Internet mail address | CWD a$ | ` +
				`CWD b$ | NLST$` + closing},
		{"1630:865", "gopher://h.dom/0a/b", `connect h.dom:70 | a/b$`},
		{"1630:869", "gopher://h.dom/0a%09%09+", `connect h.dom:70 | a<tab><tab>+$`},
		{"1630:869", "gopher://h.dom/0a%0D%0Ab%09c", `connect h.dom:70 | a$b<tab>c$`}, // embedded, and encoded for that
		{"1630:884", "gopher://h.dom/", `connect h.dom:70 | $`},
		{"1630:884", "gopher://1.2.3.4/", `connect 1.2.3.4:70 | $`},
		{"1630:276", "HTTP://A.B/", `refuse the text defines no way to access URLs of the scheme HTTP`},
		{"1630:913", "news:Zaj@4ax.com",
			`choose the user's own news host, or news already received: a news URL names none | ARTICLE <Zaj@4ax.com>$`},
		{"1630:1017", "wais://h.dom/db/TEXT/1=a%3B2%3D;2=b/c;",
			`connect h.dom:210 | ask the server to retrieve the document 1="a;2=" 2="b/c" of type "TEXT" from the database "db"`},
		{"1630:918", "news:a@b.c",
			`choose the user's own news host, or news already received: a news URL names none | ARTICLE <a@b.c>$`},
		{"1630:925", "news:*", `choose the user's own news host, or news already received: a news URL names none | LIST$`},
		{"1630:947", "rlogin://me@h.dom", `connect h.dom:513 | advise the user to log in as "me"`},
		{"1630:1076", "mid:a@b.c", `read the message <a@b.c> among the mail already received`},
		{"1630:1091", "cid:a@b.c", `read the body part <a@b.c> of the same MIME message`},
		{"1630:1141", "nntp:a.b/12",
			`choose the local news server: the URL names none, ` +
				`though article numbers differ from server to server | GROUP a.b$ | ARTICLE 12$`},
		{"1630:1158", "prospero://h.dom/a%0012",
			`connect h.dom:1525 | ask the directory server for the access methods of "a", version 12 | ` +
				`choose one of the access methods, and go on with the URL that stands for it`},
		{"1630:692", "urn:/iana/x", `refuse the prefix is reserved, and no resolution is defined for "/iana/x"`},
		{"1630:363", "wais://quake.think.com/wais-discussion-archives?lynch+x",
			`connect quake.think.com:210 | ask the server to search the database "wais-discussion-archives" for "lynch x"`},
	} {
		citetest.Cite(t, c.cites)
		if got := steps(typedBy(t, citetest.Grammar(t, c.cites), c.url).Access()); got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.cites, c.url, got, c.want)
		}
	}
	citetest.Cite(t, "1630:816", "1630:825", "1630:861") // every ftp dialogue ends the connection, chooses the type, and names no mode
}

// Where RFC 1630 has no sentence, a refusal for safety cites that of RFC 1738.
func TestSafetyCited(t *testing.T) {
	for _, c := range []struct {
		rfc semantic.Family
		url string
	}{
		{semantic.Family1630, "ftp://h.dom/a%0D%0ADELE%20b"},
		{semantic.Family1630, "news:a%0Ab@c.d"},
		{semantic.Family1738, "ftp://h.dom/a%0D%0ADELE%20b"},
	} {
		list := typed(t, c.rfc, c.url).Access()
		last := list[len(list)-1]
		if last.Verb != semantic.Refuse || !strings.HasPrefix(last.Text, "for safety: ") || last.Section != "RFC 1738 section 6" {
			t.Errorf("RFC %s %s: %v", c.rfc, c.url, last)
		}
	}
}

func TestAccessVia(t *testing.T) {
	citetest.Cite(t, "1630:707")
	u := typed(t, semantic.Family1630, "url:ftp://h.dom/a#b")
	want := `connect proxy.dom:80 | GET ftp://h.dom/a$ | choose fragment "b" is kept by the client and applied to the whole object`
	if got := steps(u.AccessVia("proxy.dom:80")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A step after a refusal would be one that no client takes; and each step says what prescribes it.
func TestNothingAfterRefusal(t *testing.T) {
	for _, rfc := range families {
		for _, s := range examples(t) {
			tree, err := grammar(rfc).Parse(s)
			if err != nil {
				continue
			}
			u, err := semantic.Of(tree)
			if err != nil {
				t.Errorf("%s: %v", s, err)
				continue
			}
			list := u.Access()
			if len(list) == 0 {
				t.Errorf("RFC %s %s: no steps", rfc, s)
			}
			if i := slices.IndexFunc(list, func(s semantic.Step) bool { return s.Verb == semantic.Refuse }); i >= 0 && i < len(list)-1 {
				t.Errorf("RFC %s %s: goes on after %v", rfc, s, list[i])
			}
			for _, step := range list {
				if step.Section == "" || (step.Verb == semantic.Send) != (step.Octets != "") {
					t.Errorf("RFC %s %s: %#v", rfc, s, step)
				}
			}
		}
	}
}
