package semantic_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/semantic"
)

func TestFix(t *testing.T) {
	const r1630, r1738 = semantic.RFC1630, semantic.RFC1738
	for _, c := range []struct {
		cites    string
		rfc      semantic.RFC
		in, want string
		kinds    string // of the edits
		guess    bool
	}{
		{"1738:157", r1738, "http://h.dom/~me/", "http://h.dom/%7Eme/", "encode", false},
		{"1738:157", r1738, "http://h.dom/a b\x80", "http://h.dom/a%20b%80", "encode encode", false},
		{"1738:157", r1738, "http://h.dom/a#b", "http://h.dom/a", "drop-fragment", false},
		{"1738:151", r1738, "http://h.dom/100%", "http://h.dom/100%25", "encode", false},
		{"1738:474", r1738, "http://h.dom/?a?b/c", "http://h.dom/?a%3Fb%2Fc", "encode encode", false},
		{"1738:94", r1738, "HTTP://h.dom/", "http://h.dom/", "fold-scheme", false},
		{"1738:1201", r1738, " <URL: http://h.dom/a\n b> ", "http://h.dom/ab", "unwrap unwrap unwrap unwrap unwrap unwrap unwrap", false},
		{"1738:1201", r1738, "URL:Http://h.dom/~a", "http://h.dom/%7Ea", "unwrap fold-scheme encode", false},
		{"1738:310", r1738, "foo:#", "foo:", "drop-fragment", false},
		{"1738:92", r1738, "fo_o:x", "foo:x", "delete", true},
		{"1738:94", r1738, "http", "http:", "insert", true},
		{"1738:92", r1738, "", "a:", "insert insert", true},
		{"1630:425", r1630, "http://h.dom/~me/#a b", "http://h.dom/%7Eme/#a%20b", "encode encode", false},
		{"1630:425", r1630, "http://h.dom/a:b;c=d", "http://h.dom/a%3Ab%3Bc%3Dd", "encode encode encode", false},
		{"1630:485", r1630, "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", "fxqn:/us/va/reston/cnri/ietf/24/asdf%25*.fred", "encode", false},
		{"1630:485", r1630, "news:12345667123%asdghfh@info.cern.ch", "news:12345667123%25asdghfh@info.cern.ch", "encode", false},
		{"1630:1295", r1630, "url:http://h.dom/~a", "url:http://h.dom/%7Ea", "encode", false},
		{"1630:1295", r1630, "url:foo:b~", "foo:b%7E", "unwrap encode", false},
		{"1630:352", r1630, "http://h.dom/#a#b", "http://h.dom/#a%23b", "encode", false},
		{"1630:1392", r1630, "http://h.dom:/x", "http://h.dom/x", "delete", true},
	} {
		cite(t, c.cites)
		r, err := semantic.FixStrict(grammar(c.rfc).Grammar, c.in)
		if err != nil {
			t.Errorf("RFC %s %q: %v", c.rfc, c.in, err)
			continue
		}
		var kinds []string
		for _, e := range r.Edits {
			kinds = append(kinds, e.Kind.String())
			if e.Why == "" || !strings.HasPrefix(c.in[e.Offset:], e.Old) && e.Kind != semantic.Unwrap {
				t.Errorf("RFC %s %q: %+v is not at its place", c.rfc, c.in, e)
			}
		}
		if r.URL != c.want || strings.Join(kinds, " ") != c.kinds || r.Guess != c.guess {
			t.Errorf("RFC %s %q: %q by %v, guess %v", c.rfc, c.in, r.URL, kinds, r.Guess)
		}
	}
}

func TestWildGuesses(t *testing.T) {
	for _, c := range []struct {
		in   string
		wild bool
	}{
		{"http://h.dom/~~~~~~", false}, // six edits, and each has a reason
		{"http://h.dom/(~", false},
		{"fo_o:x", false},
		{"http", false},
		{"not a URL at all", false}, // not:%20a%20URL%20at%20all
		{"http://[fe80::1]/", false},
		{"gopher+://a", false},
		{"http://[[[[/]]]]/", true},
	} {
		r, err := semantic.Fix(grammar(semantic.RFC1738).Grammar, c.in)
		if err != nil || r.Wild() != c.wild {
			t.Errorf("%q: %q by %v, wild %v, %v", c.in, r.URL, r.Edits, r.Wild(), err)
		}
	}
}

func TestFixStrict(t *testing.T) {
	g := bnfcheck.RFC1738.Grammar
	const url = "http://me@h.dom/"
	if r, err := semantic.Fix(g, url); err != nil || r.URL != url || len(r.Edits) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err := semantic.FixStrict(g, url)
	if err != nil || r.URL != "http://meh.dom/" || !r.Guess {
		t.Errorf("%+v, %v", r, err)
	}
}

// No string of the grammar is nearer than the guess: all within fewer edits are tried.
func TestGuessIsNearest(t *testing.T) {
	const alphabet = "a1./:@?-%;=" // what these inputs and their productions tell apart
	for _, rfc := range families {
		g := grammar(rfc)
		for _, in := range []string{"http://a:/", "http:///", "ftp://a@b@c", "wais://a", "nntp://a/", "news:", "gopher:", "telnet:a", "http//a", "mailto:", "a"} {
			r, err := semantic.FixStrict(g.Grammar, in)
			if err != nil {
				t.Errorf("RFC %s %q: %v", rfc, in, err)
				continue
			}
			own := func(s string) bool { return g.Accepts(s) && g.Explain(g.Default, s) == nil }
			if !own(r.URL) {
				t.Errorf("RFC %s %q: %q is not accepted", rfc, in, r.URL)
			}
			guesses := 0
			for _, e := range r.Edits {
				if e.Kind == semantic.Delete || e.Kind == semantic.Insert || e.Kind == semantic.Substitute {
					guesses++
				}
			}
			scheme, _, _ := strings.Cut(in, ":")
			near := map[string]bool{in: true}
			for n := range guesses {
				for s := range near {
					if own(s) && strings.HasPrefix(s, scheme+":") == strings.HasPrefix(in, scheme+":") {
						t.Errorf("RFC %s %q: %q is %d edits away, the guess %q is %d", rfc, in, s, n, r.URL, guesses)
					}
				}
				if n == 2 || n == guesses-1 {
					break
				}
				next := map[string]bool{}
				for s := range near {
					for i := range len(s) + 1 {
						if i < len(s) {
							next[s[:i]+s[i+1:]] = true
						}
						for _, b := range alphabet {
							next[s[:i]+string(b)+s[i:]] = true
							if i < len(s) {
								next[s[:i]+string(b)+s[i+1:]] = true
							}
						}
					}
				}
				near = next
			}
		}
	}
}

func TestFixLimits(t *testing.T) {
	g := bnfcheck.RFC1738.Grammar
	if _, err := semantic.Fix(&ast.Grammar{}, "a"); !errors.Is(err, semantic.ErrNoMachine) {
		t.Error(err)
	}
	if _, err := semantic.Fix(g, "a_b"+strings.Repeat("x", semantic.MaxEdited)); !errors.Is(err, semantic.ErrTooLong) {
		t.Error(err)
	}
	begin := time.Now()
	if _, err := semantic.FixStrict(g, "wais://a:b"+strings.Repeat(":", semantic.MaxEdited-10)); err != nil {
		t.Error(err)
	}
	t.Logf("the longest guess, all of it wrong: %v", time.Since(begin))
	if r, err := semantic.Fix(g, "http://h.dom/"+strings.Repeat("~", 1<<20)); err != nil || len(r.URL) != 13+3<<20 {
		t.Errorf("%d bytes, %v", len(r.URL), err)
	}
	t.Logf("a million octets to encode as well: %v", time.Since(begin))
}
