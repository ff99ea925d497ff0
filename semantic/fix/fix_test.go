package fix_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/citetest"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		cites, in, want string
		kinds           string // of the edits
		how             string // certain, changes (the meaning), or guess
		differs         string
	}{
		{"1738:157", "http://h.dom/~me/", "http://h.dom/%7Eme/", "encode", "certain", ""},
		{"1738:157", "http://h.dom/a b\x80", "http://h.dom/a%20b%80", "encode encode", "certain", ""},
		{"1738:157", "http://h.dom/~~~", "http://h.dom/%7E%7E%7E", "encode", "certain", ""},
		{"1738:157", "ftp://user:pa^ss@host.dom/x", "ftp://user:pa%5Ess@host.dom/x", "encode", "certain", ""},
		{"1738:157", "ftp://us^er@host.dom/x", "ftp://us%5Eer@host.dom/x", "encode", "certain", ""},
		{"1738:157", "ftp://a@b@host.dom/x", "ftp://a%40b@host.dom/x", "encode", "changes", "user"},
		{"1738:310", "http://h.dom/a#b", "http://h.dom/a", "drop-fragment", "changes", "fragment"},
		{"1738:310", "foo:#", "foo:", "drop-fragment", "certain", ""},
		{"1738:151", "http://h.dom/100%", "http://h.dom/100%25", "encode", "certain", ""},
		{"1738:474", "http://h.dom/?a?b/c", "http://h.dom/?a%3Fb%2Fc", "encode encode", "changes", "query"},
		{"1738:94", "HTTP://h.dom/", "http://h.dom/", "fold-scheme", "certain", ""},
		{"1738:94", `C:\foo`, "c:%5Cfoo", "fold-scheme encode", "changes", ""},
		{"1738:1201", " <URL: http://h.dom/a\n b> ", "http://h.dom/ab",
			"unwrap unwrap unwrap unwrap unwrap unwrap unwrap", "certain", ""},
		{"1738:1201", "URL:Http://h.dom/~a", "http://h.dom/%7Ea", "unwrap fold-scheme encode", "certain", ""},
		{"1738:92", "fo_o:x", "foo:x", "delete", "guess", "scheme"},
		{"1738:94", "http", "htt:p", "insert", "guess", "scheme and path"},
		{"1738:92", "", "a:", "insert", "guess", "scheme"},
		{"1738:233", "http:/www.example.com/", "http://www.example.com/", "insert", "guess", "host and path"},
		{"1738:233", "http:///x", "http://x", "delete", "guess", "host and path"},
		{"1738:319", "http://user:pw@www.example.com/", "http://www.example.com/", "delete", "guess", "user"},
		{"1738:313", "file:/etc/motd", "file:///etc/motd", "insert", "guess", ""},
		{"1738:658", "mailto:<a@b.c>", "mailto:a@b.c", "delete delete", "guess", "path"},
		{"1738:233", "www.example.com/", "http://www.example.com/", "insert", "guess", "scheme, host and path"},
		{"1738:233", "ftp.example.com/a b", "ftp://ftp.example.com/a%20b", "insert encode", "guess", "scheme, host and path"},
		{"1738:233", "//www.example.com/", "http://www.example.com/", "insert", "guess", "scheme"},
		{"1738:658", "a@b.c", "mailto:a@b.c", "insert", "guess", "scheme"},
		{"1630:425", "http://h.dom/~me/#a b", "http://h.dom/%7Eme/#a%20b", "encode encode", "certain", ""},
		{"1630:425", "http://h.dom/a:b;c=d", "http://h.dom/a%3Ab%3Bc%3Dd", "encode encode encode", "changes", "path"},
		{"1630:425", `C:\foo`, "C:%5Cfoo", "encode", "changes", ""},
		{"1630:425", `news:a^b@d.e`, "news:a%5Eb@d.e", "encode", "certain", ""},
		{"1630:847", "ftp://h.dom/a;type=i", "ftp://h.dom/a%3Btype%3Di", "encode encode", "changes", "path"},
		{"1630:485", "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred",
			"fxqn:/us/va/reston/cnri/ietf/24/asdf%25*.fred", "encode", "certain", ""},
		{"1630:485", "news:12345667123%asdghfh@info.cern.ch", "news:12345667123%25asdghfh@info.cern.ch", "encode", "certain", ""},
		{"1630:1295", "url:http://h.dom/~a", "url:http://h.dom/%7Ea", "encode", "certain", ""},
		{"1630:1295", "url:foo:b~", "foo:b%7E", "unwrap encode", "certain", ""},
		{"1630:1295", "URL:foo~", "URL:foo%7E", "encode", "certain", ""},
		{"1630:352", "http://h.dom/#a#b", "http://h.dom/#a%23b", "encode", "changes", "fragment"},
		{"1630:629", "http://h.dom/#", "http://h.dom/", "drop-fragment", "certain", ""},
		{"1630:1392", "http://h.dom:/x", "http://h.dom/x", "delete", "guess", "port"},
		{"1630:1392", "htt p://www.host.edu:8080/x", "http://www.host.edu:8080/x", "delete", "guess", "scheme"},
		{"1630:648", "http:/www.example.com/", "http://www.example.com/", "insert", "guess", "host and path"},
		{"1630:905", "mailto:<a@b.c>", "mailto:a@b.c", "delete delete", "guess", "path"},
	} {
		citetest.Cite(t, c.cites)
		r, err := fix.Nearest(citetest.Grammar(t, c.cites), c.in)
		if err != nil {
			t.Errorf("%s %q: %v", c.cites, c.in, err)
			continue
		}
		var kinds []string
		changes := false
		for _, e := range r.Edits {
			kinds = append(kinds, e.Kind.String())
			changes = changes || e.Changes
			if e.Why == "" || !strings.HasPrefix(c.in[e.Offset:], e.Old) && e.Kind != fix.Unwrap {
				t.Errorf("%s %q: %+v is not at its place", c.cites, c.in, e)
			}
		}
		how := "certain"
		switch {
		case r.Guess:
			how = "guess"
		case changes:
			how = "changes"
		}
		if r.URL != c.want || strings.Join(kinds, " ") != c.kinds || how != c.how || r.Certain() != (how == "certain") || r.Differs.String() != c.differs {
			t.Errorf("%s %q: %q by %v, %s (certain: %v), differs in %q", c.cites, c.in, r.URL, kinds, how, r.Certain(), r.Differs)
		}
	}
}

func TestWildGuesses(t *testing.T) {
	for _, c := range []struct {
		in   string
		wild bool
	}{
		{"http://h.dom/~~~~~~", false}, // six octets, and there is a reason for each
		{"http://h.dom/(~", false},
		{"fo_o:x", false},
		{"http", false},
		{"www.host.dom", false},
		{"http://user:password@host.dom/", false}, // long, but at one place, and scheme and host are kept
		{"http://[fe80::1]/", false},
		{"gopher+://a", false},
		{"http://[[[[/]]]]/", true},
	} {
		r, err := fix.Nearest(bnfcheck.RFC1738, c.in)
		if err != nil || r.Wild() != c.wild {
			t.Errorf("%q: %q by %v, wild %v, %v", c.in, r.URL, r.Edits, r.Wild(), err)
		}
	}
}

// What the grammar derives and the prose forbids is not called right.
func TestErrorsAreReported(t *testing.T) {
	citetest.Cite(t, "1738:658")
	const url = "mailto:a"
	r, err := fix.Nearest(bnfcheck.RFC1738, url)
	if err != nil || r.URL != url || len(r.Edits) != 0 || len(r.Errors) != 1 || r.Certain() {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = fix.Nearest(bnfcheck.RFC1738, "mailto:a b")
	if err != nil || len(r.Errors) == 0 || r.Certain() {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLimits(t *testing.T) {
	for _, g := range []*bnfcheck.Grammar{nil, {}, {Grammar: &ast.Grammar{}}} {
		if _, err := fix.Nearest(g, "a"); !errors.Is(err, fix.ErrNoMachine) {
			t.Error(err)
		}
	}
	g := bnfcheck.RFC1738
	if _, err := fix.Nearest(g, "a_b"+strings.Repeat("x", fix.MaxEdited)); !errors.Is(err, fix.ErrTooLong) {
		t.Error(err)
	}
	begin := time.Now()
	for _, s := range []string{"wais://a:b", "news:", "http://h:", "a_", "", "ftp://"} {
		for _, fill := range []string{":", "%", "@", "/?#", "a ", "\x80", "[.]"} {
			for _, g := range bnfcheck.Grammars() {
				long := s + strings.Repeat(fill, (fix.MaxEdited-len(s))/len(fill))
				began := time.Now()
				if _, err := fix.Nearest(g, long); err != nil {
					t.Errorf("%s: %.20q...: %v", g.Name, long, err)
				}
				if took := time.Since(began); took > 200*time.Millisecond {
					t.Logf("%s: %.20q... takes %v", g.Name, long, took)
				}
			}
		}
	}
	t.Logf("the longest guesses: %v", time.Since(begin))
	begin = time.Now()
	if r, err := fix.Nearest(g, "http://h.dom/"+strings.Repeat("~", 1<<20)); err != nil || len(r.URL) != 13+3<<20 || len(r.Edits) != 1 {
		t.Errorf("%d bytes, %d edits, %v", len(r.URL), len(r.Edits), err)
	}
	t.Logf("a million octets to encode: %v", time.Since(begin))
}

// More than [fix.MaxEdits] edits of a kind are one, which still makes the repair of the input, and is told in a
// line.
func TestManyEdits(t *testing.T) {
	const n = fix.MaxEdits
	for _, c := range []struct {
		tail         string
		edits, bytes int // at most
		want         string
	}{
		{strings.Repeat("~a", n), n, 100, "at offset 9: \"~\" -> \"%7E\""},
		{strings.Repeat("~a", n+1), 1, 200, "encode: 21 octets encoded, offsets 9 to 49 ("},
		{strings.Repeat("~a^^", 1<<18), 1, 200, "encode: 786,432 octets encoded, offsets 9 to 1048584 ("},
		{strings.Repeat("~", 1<<20), 1, 200, "encode: 1,048,576 octets encoded, offsets 9 to 1048584 ("},
		{strings.Repeat("%a", 1<<19), 1, 200, "encode: 524,288 octets encoded, offsets 9 to 1048583 ("},
		{strings.Repeat("a\n", 1<<18), 2, 200, "unwrap: 262,143 octets taken out, offsets 10 to 524294 ("},
		{strings.Repeat("~#", n/2), 2, 200, "at offset 9: \"~\""},
	} {
		in := "http://h/" + c.tail
		g := bnfcheck.RFC1738
		r, err := fix.Nearest(g, in)
		p := g.Parser()
		p.MaxLength = len(r.URL)
		if err != nil || len(r.Edits) > c.edits || len(r.Edits) == 0 || !p.Accepts(r.URL) {
			t.Errorf("%.20q: %d edits, %v", in, len(r.Edits), err)
			continue
		}
		text := ""
		for _, e := range r.Edits {
			text += e.String()
		}
		if len(text) > c.bytes*len(r.Edits) || !strings.Contains(text, c.want) {
			t.Errorf("%.20q: %.300s, want %s", in, text, c.want)
		}
		if len(r.Edits) == 1 {
			e := r.Edits[0]
			if made := in[:e.Offset] + e.New + in[e.Offset+len(e.Old):]; !strings.HasPrefix(in[e.Offset:], e.Old) || made != r.URL {
				t.Errorf("%.20q: the edit does not make the repair", in)
			}
		}
	}
}
