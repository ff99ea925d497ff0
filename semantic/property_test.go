package semantic_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
	"github.com/bnfcheck/bnfcheck/semantic/partial"
)

// holds checks every law of a string but those of slow operations, and that a rejected one has a repair.
func holds(t *testing.T, g *bnfcheck.Grammar, s string) {
	t.Helper()
	scheme, _, _ := strings.Cut(s, ":")
	for _, fold := range []bool{false, true} {
		if fold && scheme == strings.ToLower(scheme) {
			break
		}
		d := dialect{g, fold}
		w, err := newWord(d, s)
		if err != nil {
			t.Errorf("%s %q: %v", d, s, err)
			continue
		}
		for _, l := range laws {
			if l.Every > 16 || l.Of != nil && !l.Of(w) {
				continue
			}
			if err := l.Holds(w, rand.New(rand.NewPCG(1, 0))); err != nil {
				t.Errorf("%s %q: %s: %v", d, s, l.Name, err)
			}
		}
	}
	repaired(t, g, s)
}

// repaired checks what is true of every repair: its edits are where they say, and what is certain is right.
func repaired(t *testing.T, g *bnfcheck.Grammar, s string) {
	t.Helper()
	r, err := fix.Nearest(g, s)
	if err != nil {
		if !errors.Is(err, fix.ErrTooLong) || len(s) < fix.MaxEdited {
			t.Errorf("%s %q: no repair: %v", g.Name, s, err)
		}
		return
	}
	if v := g.Check(s).Value; (len(r.Edits) == 0) != (v == bnfcheck.Conforming || v == bnfcheck.NoProduction) {
		t.Errorf("%s %q: %s, and repaired by %v", g.Name, s, v, r.Edits)
	}
	certainHolds(t, g, s, r)
	for _, e := range r.Edits {
		if e.Offset < 0 || e.Offset+len(e.Old) > len(s) && e.Kind != fix.FoldScheme || e.Why == "" {
			t.Errorf("%s %q: %+v", g.Name, s, e)
		}
	}
}

// certainHolds checks what is promised of every repair that may be applied without asking.
func certainHolds(t *testing.T, g *bnfcheck.Grammar, s string, r fix.Repair) {
	t.Helper()
	v := g.Check(r.URL)
	if v.Value != bnfcheck.Conforming && v.Value != bnfcheck.NoProduction {
		t.Errorf("%s %q: %q is %s", g.Name, s, r.URL, v.Value)
		return
	}
	u, err := semantic.Of(v.Tree)
	if err != nil {
		t.Errorf("%s %q: %q: %v", g.Name, s, r.URL, err)
		return
	}
	isError := func(f semantic.Finding) bool { return f.Severity == semantic.Error }
	wrong := slices.ContainsFunc(u.Findings(), isError)
	if wrong != (len(r.Errors) > 0) {
		t.Errorf("%s %q: %q has the errors %v", g.Name, s, r.URL, r.Errors)
	}
	if r.Certain() && (wrong || r.Guess || r.Differs != 0) {
		t.Errorf("%s %q: %q is certain: %+v", g.Name, s, r.URL, r)
	}
	if again, err := fix.Nearest(g, r.URL); err != nil || again.URL != r.URL || len(again.Edits) > 0 {
		t.Errorf("%s %q: %q is repaired to %q, %v", g.Name, s, r.URL, again.URL, err)
	}
}

func TestExamplesHold(t *testing.T) {
	list := append(examples(t), goldentest.Inputs(t, "../golden/semantic/*.golden")...)
	for _, c := range allRuleCases() {
		list = append(list, c.triggers, c.misses)
	}
	for _, s := range list {
		for _, g := range typedTexts() {
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
		b := must.Of(os.ReadFile(filepath.Join(dir, file)))(t)
		for line := range strings.Lines(string(b)) {
			s, _, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			for _, g := range typedTexts() {
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
		for _, g := range typedTexts() {
			holds(t, g, s)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add("a b+c%/?#\x00\xff..", uint8(0))
	f.Fuzz(func(t *testing.T, octets string, which uint8) {
		var list []semantic.Component
		for _, g := range typedTexts() {
			list = append(list, semantic.Components(g)...)
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
	g := grammar(semantic.Family1630)
	uri, _ := g.Kind("uri")
	f.Fuzz(func(t *testing.T, base, form string) {
		r, err := partial.Resolve(g, base, form)
		if err != nil {
			for _, known := range []error{partial.ErrBase, partial.ErrNoSuchSlashes, partial.ErrResult} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatal(err)
		}
		if !g.Accepts(r.URI) {
			t.Errorf("%q in %q is %q, which is no URI", form, base, r.URI)
		}
		// "x:" before it makes a URI of a partial form that consists of uri's path and search. (The URL BNF's search
		// takes more.)
		if g.Accept(uri, base) && g.Accept(uri, "x:"+form) && !g.Accept(uri, r.URI) {
			t.Errorf("%q in %q is %q, which is not in uri", form, base, r.URI)
		}
		if g.Accepts(base) {
			short := must.Of(partial.Relative(g, base, r.URI))(t)
			if back, err := partial.Resolve(g, base, short); err != nil || back.URI != r.URI {
				t.Errorf("%q in %q is %q, which is %q, %v", r.URI, base, short, back.URI, err)
			}
		}
	})
}
