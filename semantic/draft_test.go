package semantic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// Where draft-ietf-uri-url-06 words things in another way than RFC 1738.

func TestDraftFields(t *testing.T) {
	for _, c := range []struct{ cites, url, want string }{
		{"draft06:118", "foo:a%20%25%7F", `scheme "foo", path "a%20%25%7F"`},
		{"draft06:581", "telnet://u@h.dom",
			`scheme "telnet", user "u", host "h.dom", port = 23, the default, designates = an interactive service, ` +
				`by telnet`},
		{"draft06:581", "telnet://h.dom/",
			`scheme "telnet", host "h.dom", port = 23, the default, designates = an interactive service, by telnet`},
		{"draft06:630", "file://h.dom", `scheme "file", host "h.dom"`},
		{"draft06:630", "file:///a/b", `scheme "file", host "", host = this machine, directory "a", name "b"`},
		{"draft06:630", "file://h.dom/", `scheme "file", host "h.dom", name ""`},
		{"draft06:179", "foo://u:p@h.dom:1/x/y",
			`scheme "foo", user "u", password "p", host "h.dom", port "1", path "x/y"`},
		{"draft06:179", "foo://h.dom", `scheme "foo", host "h.dom"`},
		{"draft06:179", "foo://1/x", `scheme "foo", path "//1/x"`}, // neither a hostname nor a hostnumber
		{"draft06:365", "gopher://h.dom/0a%09+",
			`scheme "gopher", host "h.dom", port = 70, the default, type "0", selector "a", search "+"`},
	} {
		cite(t, c.cites)
		var got []string
		for _, f := range typedBy(t, bnfcheck.Draft06, c.url).Fields() {
			if f.Part.Present() {
				got = append(got, f.Name+` "`+f.Part.Raw+`"`)
			} else {
				got = append(got, f.Name+" = "+f.Value)
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.url, got, c.want)
		}
	}
}

func TestDraftCanonical(t *testing.T) {
	const same, different = true, false
	for _, c := range []struct {
		cites, a, b string
		equal       bool
	}{
		{"draft06:127", "foo:%7E%21", "foo:~!", same},
		{"draft06:127", "foo:a%3Bb", "foo:a;b", different},
		{"draft06:127", "wais://h.dom/a%3D", "wais://h.dom/a=",
			different}, // extra holds "=", and a scheme may reserve it
		{"draft06:136", "http://h.dom/%7Ea", "http://h.dom/~a", same},
		{"draft06:153", "http://h.dom/%24%2B", "http://h.dom/$+", same},
		{"draft06:238", "ftp://h.dom", "ftp://h.dom/", different},
		{"draft06:384", "gopher://h.dom/0a%2Fb%3F", "gopher://h.dom/0a/b?", same},
		{"draft06:384", "gopher://h.dom/7a%09b%2Fc", "gopher://h.dom/7a%09b/c", different}, // the latter has no search
		{"draft06:512", "mailto:a%3Fb@c.d", "mailto:a?b@c.d", same},
		{"draft06:630", "file://h.dom", "file://h.dom/", different},
	} {
		cite(t, c.cites)
		if got := semantic.Equal(typedBy(t, bnfcheck.Draft06, c.a), typedBy(t, bnfcheck.Draft06, c.b)); got != c.equal {
			t.Errorf("%s and %s: equal %v, want %v", c.a, c.b, got, c.equal)
		}
	}
	for url, want := range map[string]string{
		"http://H.dom:80/~a%7e%2D!":            "http://h.dom/%7Ea%7E-%21",
		"http://h.dom":                         "http://h.dom/",
		"file://LOCALHOST/a":                   "file://localhost/a", // the BNF has no file URL with an empty host
		"gopher://h.dom/0a%09%09!+ABSTRACT":    "gopher://h.dom/0a%09%09!+ABSTRACT",
		"http://h.dom/a{b}":                    "http://h.dom/a%7Bb%7D",
		"HTTP://h%41.dom/":                     "http://ha.dom/",
		"prospero://h.dom/a;b=c=d":             "prospero://h.dom/a;b=c=d",
		"telnet://u@h.dom/":                    "telnet://u@h.dom",
		"nntp://h.dom:0119/a.b/007":            "nntp://h.dom/a.b/7",
		"ftp://h.dom/a/b;type=I":               "ftp://h.dom/a/b;type=i",
		"news:a.b":                             "news:a.b",
		"wais://h.dom/db?a|b":                  "wais://h.dom/db?a%7Cb",
		"http://1.2.3.004/":                    "http://1.2.3.4/",
		"file://vms.host.edu/disk$user/my/a.b": "file://vms.host.edu/disk$user/my/a.b",
	} {
		if got := folded(t, "draft06", url).Canonical(); got != want {
			t.Errorf("%s: canonical %s, want %s", url, got, want)
		}
	}
	if semantic.Equal(typedBy(t, bnfcheck.Draft06, "http://h.dom/"), typedBy(t, bnfcheck.RFC1738, "http://h.dom/")) {
		t.Error("URLs of two texts are equal")
	}
}

// Steps cite the draft; what a client sends for a Gopher+ item hangs on the type.
func TestDraftAccess(t *testing.T) {
	for _, c := range []struct{ cites, url, octets, section string }{
		{"draft06:412", "gopher://h.dom/7a%09b%09+", "a\tb\t+\r\n", "draft-ietf-uri-url-06 section 3.4.3"},
		{"draft06:412", "gopher://h.dom/0a%09%09+", "a\t+\r\n", "draft-ietf-uri-url-06 section 3.4.3"},
		{"draft06:412", "gopher://h.dom/0a%09%09?", "a\t!+ASK\r\n", "draft-ietf-uri-url-06 section 3.4.5"},
	} {
		cite(t, c.cites)
		steps := typedBy(t, bnfcheck.Draft06, c.url).Access()
		if len(steps) < 2 || steps[1].Octets != c.octets || steps[1].Section != c.section {
			t.Errorf("%s: %v", c.url, steps)
		}
	}
	// By the draft's last words the search string is not sent. It is not lost in silence either.
	steps := typedBy(t, bnfcheck.Draft06, "gopher://h.dom/0a%09b%09+").Access()
	if len(steps) != 3 || steps[1].Verb != semantic.Advise || !strings.Contains(steps[1].Text, `"b" is not sent`) || steps[2].Octets != "a\t+\r\n" {
		t.Errorf("a search string of a gopher item of type 0: %v", steps)
	}
	steps = typedBy(t, bnfcheck.Draft06, "file://localhost").Access()
	if len(steps) != 1 || steps[0].Verb != semantic.Refuse {
		t.Errorf("a file URL without a path: %v", steps)
	}
}

// What a text restates is cited as the text has it.
func TestRestatedRule(t *testing.T) {
	r, ok := semantic.RuleByID("draft06/ftp-typecode")
	if want := "draft-ietf-uri-url-06 section 3.2.2, line 262"; !ok || !strings.Contains(r.String(), want) {
		t.Errorf("%s: want %s", r, want)
	}
	for _, f := range typedBy(t, bnfcheck.Draft06, "http://u@h.dom/").Findings() {
		if !strings.HasPrefix(f.Rule, "draft06/") {
			t.Errorf("%v", f)
		}
	}
}

func TestDraftRepair(t *testing.T) {
	cite(t, "draft06:916")
	r, err := semantic.Fix(bnfcheck.Draft06, "<URL:HTTP://h.dom/a b#c>")
	if err != nil || r.URL != "http://h.dom/ab" {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, e := range r.Edits {
		if !strings.Contains(e.Why, "draft-ietf-uri-url-06") {
			t.Errorf("%v does not rest on the draft", e)
		}
	}
	if _, err := semantic.Resolve(bnfcheck.Draft06, "http://h.dom/a", "b"); err != semantic.ErrNoPartialForms {
		t.Errorf("partial forms: %v", err)
	}
}

// Every sentence of the draft that prescribes something is listed, or stands word for word in RFC 1738, or is named here.
func TestNoSentenceOfTheDraftForgotten(t *testing.T) {
	dir := os.Getenv("BNFCHECK_RFC")
	if dir == "" {
		t.Skip("BNFCHECK_RFC is not set: the texts are not here to be read")
	}
	draft := must.Of(os.ReadFile(filepath.Join(dir, "draft-ietf-uri-url-06.txt")))(t)
	rfc := must.Of(os.ReadFile(filepath.Join(dir, "rfc1738.txt")))(t)
	words := func(s string) string { return " " + strings.Join(strings.Fields(s), " ") + " " }
	become := words(string(rfc))
	listed := map[int]bool{}
	for _, s := range semantic.Sentences() {
		if s.Text == "draft06" {
			for n := s.First; n <= s.Last; n++ {
				listed[n] = true
			}
		}
	}
	first, sentence := 0, ""
	end := func(last int) {
		if prescribes.MatchString(sentence) && !strings.Contains(become, words(sentence)) {
			for n := first; n <= last; n++ {
				if listed[n] || sameInSubstance[n] != "" {
					sentence = ""
					return
				}
			}
			t.Errorf("line %d is in no listed sentence: %s", first, words(sentence))
		}
		sentence = ""
	}
	lines := strings.Split(string(draft), "\n")
	stop := regexp.MustCompile(`[.:?!]["')]*(\s|$)`)
	for n := 64; n <= 920; n++ {
		line := lines[n-1]
		if strings.TrimSpace(line) == "" || n >= 734 && n <= 831 || n >= 864 && n <= 894 { // the BNF; the acknowledgements
			end(n - 1)
			continue
		}
		for line != "" {
			if strings.TrimSpace(sentence) == "" {
				first = n
			}
			at := stop.FindStringIndex(line)
			if at == nil {
				sentence += " " + line
				break
			}
			sentence += " " + line[:at[1]]
			line = line[at[1]:]
			end(n)
		}
	}
}

// sameInSubstance holds the sentences that RFC 1738 words again, by a line, with the reason why they are not listed.
var sameInSubstance = map[int]string{
	107: "heading",
	124: "1738:177 has it with octets for bytes",
	217: "1738:307 has it without \"optional\"",
	230: "1738:319 has it with the syntax as well",
	515: "1738:662 has it with \"encoded\" alone",
	712: "1738:892 has it at the end of a longer sentence",
}

// A grammar from elsewhere may have a scheme that nothing here knows: its URLs are typed as far as any URL is.
func TestUnknownScheme(t *testing.T) {
	g := *bnfcheck.Draft06.Grammar
	g.Productions = slices.Clone(g.Productions)
	kind, _ := g.Kind("mailtourl")
	g.Productions[kind].ID, g.Productions[kind].Name = "lampurl", "lampurl"
	tree := must.Of(g.Derive(g.Default, "mailto:a%40b"))(t)
	u := must.Of(semantic.Of(tree))(t)
	if o, ok := u.Specific.(*semantic.Other); !ok || u.Match != semantic.MatchOwn || u.Production != "lampurl" || o.Path.Raw != "a%40b" {
		t.Errorf("%s: %T, %s", u, u.Specific, u.Match)
	}
	for _, f := range u.Findings() {
		if f.Severity == semantic.Error {
			t.Errorf("%v", f)
		}
	}
}
