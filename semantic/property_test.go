package semantic_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// holds checks what is true of every string under every RFC: nothing panics, parts are where they say, the canonical form is of
// the same production, and its own canonical form, findings point into the URL, and a rejected string has a repair.
func holds(t *testing.T, g *bnfcheck.Grammar, s string) {
	t.Helper()
	repaired(t, g, s)
	tree, err := g.Parse(s)
	if err != nil {
		return
	}
	u, err := semantic.Of(tree)
	if err != nil {
		t.Errorf("%s %q: %v", g.Name, s, err)
		return
	}
	for _, f := range u.Fields() {
		if p := f.Part; p.Present() && (p.Start() < 0 || p.End() > len(s) || s[p.Start():p.End()] != p.Raw) {
			t.Errorf("%s %q: %s is %q at %d..%d", g.Name, s, f.Name, p.Raw, p.Start(), p.End())
		}
	}
	if !u.Scheme.Present() || u.Source[u.Scheme.End()] != ':' {
		t.Errorf("%s %q: the scheme is %q", g.Name, s, u.Scheme.Raw)
	}
	if b, err := json.Marshal(u); err != nil || !json.Valid(b) {
		t.Errorf("%s %q: %v", g.Name, s, err)
	}
	for _, f := range u.Findings() {
		rule, ok := semantic.RuleByID(f.Rule)
		if !ok || rule.Text != strings.TrimPrefix(g.Name, "rfc") || f.Start < 0 || f.Start > f.End || f.End > len(s) || f.Message == "" {
			t.Errorf("%s %q: %+v", g.Name, s, f)
		}
	}
	if len(u.Access()) == 0 {
		t.Errorf("%s %q: no steps", g.Name, s)
	}
	canonical := u.Canonical()
	tree, err = g.Parse(canonical)
	if err != nil {
		t.Errorf("%s %q: its canonical form %q: %v", g.Name, s, canonical, err)
		return
	}
	c, err := semantic.Of(tree)
	if err != nil {
		t.Errorf("%s %q: its canonical form %q: %v", g.Name, s, canonical, err)
		return
	}
	if c.Production != u.Production || c.Match != u.Match {
		t.Errorf("%s %q is a %s, its canonical form %q a %s", g.Name, s, u.Production, canonical, c.Production)
	}
	if again := c.Canonical(); again != canonical {
		t.Errorf("%s %q: canonical %q, then %q", g.Name, s, canonical, again)
	}
	if !semantic.Equal(u, c) {
		t.Errorf("%s %q is not equal to its canonical form", g.Name, s)
	}
}

// repaired checks what is true of every repair: its edits are where they say, and what is certain is right.
func repaired(t *testing.T, g *bnfcheck.Grammar, s string) {
	t.Helper()
	r, err := semantic.Fix(g, s)
	if err != nil {
		if !errors.Is(err, semantic.ErrTooLong) || len(s) < semantic.MaxEdited {
			t.Errorf("%s %q: no repair: %v", g.Name, s, err)
		}
		return
	}
	if v := g.Check(s).Value; (len(r.Edits) == 0) != (v == bnfcheck.Conforming || v == bnfcheck.NoProduction) {
		t.Errorf("%s %q: %s, and repaired by %v", g.Name, s, v, r.Edits)
	}
	certainHolds(t, g, s, r)
	for _, e := range r.Edits {
		if e.Offset < 0 || e.Offset+len(e.Old) > len(s) && e.Kind != semantic.FoldScheme || e.Why == "" {
			t.Errorf("%s %q: %+v", g.Name, s, e)
		}
	}
}

func TestExamplesHold(t *testing.T) {
	for _, s := range examples(t) {
		for _, g := range bnfcheck.Grammars() {
			holds(t, g, s)
		}
	}
}

// The corpus: real URLs of the 1990s, and strings that stress the grammars.
func TestCorpusHolds(t *testing.T) {
	dir := os.Getenv("BNFCHECK_CORPUS")
	if dir == "" {
		t.Skip("BNFCHECK_CORPUS is not set: there is no corpus to read")
	}
	n := 0
	for _, file := range []string{"era.tsv", "era-odd.tsv", "rare-schemes.tsv"} {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			s, _, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			for _, g := range bnfcheck.Grammars() {
				holds(t, g, s)
			}
			n++
		}
	}
	t.Logf("%d strings", n)
}

func FuzzHolds(f *testing.F) {
	for _, s := range examples(f) {
		f.Add(s)
	}
	for _, c := range ruleCases {
		f.Add(c.triggers)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 {
			return // what can go wrong goes wrong in short ones
		}
		for _, g := range bnfcheck.Grammars() {
			holds(t, g, s)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add("a b+c%/?#\x00\xff..", uint8(0))
	f.Fuzz(func(t *testing.T, octets string, which uint8) {
		var list []semantic.Component
		for _, g := range bnfcheck.Grammars() {
			list = append(list, semantic.Components(g.Grammar)...)
		}
		c := list[int(which)%len(list)]
		text, err := c.Encode(octets)
		if err != nil {
			return
		}
		if back := c.Decode(text); back != octets {
			t.Errorf("%s of %q URLs: %q is %q, which is %q", c.Name, c.Scheme, octets, text, back)
		}
	})
}

// For a base in uri, and a partial form made of its path and search, the result is in uri, or an error says why not.
func FuzzResolve(f *testing.F) {
	f.Add("magic://a/b/c//d/e/f", "../g")
	f.Add("http://h.dom/a?b", "/c?d#e")
	f.Add("http://A", "A?+")
	g := grammar(semantic.RFC1630)
	uri, _ := g.Kind("uri")
	f.Fuzz(func(t *testing.T, base, partial string) {
		r, err := semantic.Resolve(g.Grammar, base, partial)
		if err != nil {
			for _, known := range []error{semantic.ErrBase, semantic.ErrNoSuchSlashes, semantic.ErrResult} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatal(err)
		}
		if !g.Accepts(r.URI) {
			t.Errorf("%q in %q is %q, which is no URI", partial, base, r.URI)
		}
		// "x:" before it makes a URI of a partial form that consists of uri's path and search. (The URL BNF's search takes more.)
		if g.Accept(uri, base) && g.Accept(uri, "x:"+partial) && !g.Accept(uri, r.URI) {
			t.Errorf("%q in %q is %q, which is not in uri", partial, base, r.URI)
		}
		if g.Accepts(base) {
			form, err := semantic.Relative(g.Grammar, base, r.URI)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := semantic.Resolve(g.Grammar, base, form); err != nil || back.URI != r.URI {
				t.Errorf("%q in %q is %q, which is %q, %v", r.URI, base, form, back.URI, err)
			}
		}
	})
}
