package semantic_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

// Where draft-ietf-uri-url-06 words things in another way than RFC 1738; the tables of the RFCs have rows of it, too.

// Steps cite the draft; what a client sends for a Gopher+ item hangs on the type.
func TestDraftAccess(t *testing.T) {
	for _, c := range []struct{ cites, url, octets, section string }{
		{"draft06:412", "gopher://h.dom/7a%09b%09+", "a\tb\t+\r\n", "draft-ietf-uri-url-06 section 3.4.3"},
		{"draft06:412", "gopher://h.dom/0a%09%09+", "a\t+\r\n", "draft-ietf-uri-url-06 section 3.4.3"},
		{"draft06:412", "gopher://h.dom/0a%09%09?", "a\t!+ASK\r\n", "draft-ietf-uri-url-06 section 3.4.5"},
	} {
		citetest.Cite(t, c.cites)
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
	citetest.Cite(t, "draft06:916")
	r, err := fix.Nearest(bnfcheck.Draft06, "<URL:HTTP://h.dom/a b#c>")
	if err != nil || r.URL != "http://h.dom/ab" {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, e := range r.Edits {
		if !strings.Contains(e.Why, "draft-ietf-uri-url-06") {
			t.Errorf("%v does not rest on the draft", e)
		}
	}
	if _, err := partial.Resolve(bnfcheck.Draft06, "http://h.dom/a", "b"); err != partial.ErrNoPartialForms {
		t.Errorf("partial forms: %v", err)
	}
}

// Every sentence of the draft that prescribes something is listed, or stands word for word in RFC 1738, or is named
// here.
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
