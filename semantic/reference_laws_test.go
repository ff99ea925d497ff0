package semantic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/bnf"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/semantic"
)

// referenceLaws hold of every string that RFC 3986 derives.
var referenceLaws = []struct {
	name  string
	check func(r *semantic.Reference, rng *rand.Rand) error
}{
	{"the components are pieces of the source, and make it up", func(r *semantic.Reference, _ *rand.Rand) error {
		if r.Recompose() != r.Source || semantic.Split(r.Source) != r.FiveComponents {
			return fmt.Errorf("%+v, %q", r.FiveComponents, r.Recompose())
		}
		for _, f := range r.Fields() {
			if p := f.Part; p.Present() && (p.End() > len(r.Source) || r.Source[p.Start():p.End()] != p.Raw) {
				return fmt.Errorf("%+v", f)
			}
		}
		if (r.Host.Kind == semantic.NoHost) == r.Authority.Present() || r.Host.Present() != r.Authority.Present() {
			return fmt.Errorf("host %+v of authority %+v", r.Host, r.Authority)
		}
		return nil
	}},
	{"it can be shown", func(r *semantic.Reference, _ *rand.Rand) error {
		b, err := json.Marshal(r)
		if err != nil || !json.Valid(b) || r.String() == "" {
			return fmt.Errorf("%s, %v", b, err)
		}
		return nil
	}},
	{"a finding lies in it, and is in order", func(r *semantic.Reference, _ *rand.Rand) error {
		last := 0
		for _, f := range r.Findings() {
			if f.Start < last || f.End < f.Start || f.End > len(r.Source) || f.Message == "" {
				return fmt.Errorf("%+v", f)
			}
			last = f.Start
		}
		return nil
	}},
	{"a normal form is derived as it is, is its own, and is that of every lower rung", func(r *semantic.Reference, _ *rand.Rand) error {
		for rung := semantic.SimpleString; rung <= semantic.SchemeRules; rung++ {
			n := r.Normalize(rung)
			v, err := semantic.ParseReference(n.Reference)
			if err != nil {
				return err
			}
			if v.Relative() != r.Relative() || v.Authority.Present() != r.Authority.Present() || v.Query.Present() != r.Query.Present() || v.Fragment.Present() != r.Fragment.Present() {
				return fmt.Errorf("%s: %q is another", rung, n.Reference)
			}
			for low := semantic.SimpleString; low <= rung; low++ {
				if again := v.Normalize(low); again.Reference != n.Reference || len(again.Steps) > 0 {
					return fmt.Errorf("%s: %q, and %s of that: %q %v", rung, n.Reference, low, again.Reference, again.Steps)
				}
			}
			if met, ok := r.Compare(v); !ok || met > rung {
				return fmt.Errorf("%s: %q is not equivalent by then: %s %t", rung, n.Reference, met, ok)
			}
			if (len(n.Steps) == 0) != (n.Reference == r.Source) {
				return fmt.Errorf("%s: %q by %v", rung, n.Reference, n.Steps)
			}
		}
		return nil
	}},
	{"its target is a URI, is its own target, and has no dot segments", func(r *semantic.Reference, rng *rand.Rand) error {
		for _, base := range []string{"http://a/b/c/d;p?q", "a:", "a://b", "a:b/c", "a:/b?c#d", "mailto:a@b"} {
			b, err := semantic.ParseReference(base)
			if err != nil {
				return err
			}
			o := semantic.Resolution3986{BackwardCompatible: rng.IntN(2) == 0}
			target, err := b.Resolve(r, o)
			if errors.Is(err, semantic.ErrTarget) {
				continue
			}
			if err != nil || target.Relative() {
				return fmt.Errorf("in %s: %v, %v", base, target, err)
			}
			for s := range strings.SplitSeq(target.Path.Raw, "/") {
				if s == "." || s == ".." {
					return fmt.Errorf("in %s: %s", base, target.Source)
				}
			}
			if again, err := b.Resolve(target, semantic.Resolution3986{}); err != nil || again.Source != target.Source {
				return fmt.Errorf("in %s: %s, and of that %v, %v", base, target.Source, again, err)
			}
		}
		if !r.Relative() {
			_, err := r.Resolve(r, semantic.Resolution3986{})
			if err != nil && !errors.Is(err, semantic.ErrTarget) {
				return err
			}
		}
		return nil
	}},
	{"net/url holds it, or it is said why not", func(r *semantic.Reference, _ *rand.Rand) error {
		u, err := r.URL()
		var loss *semantic.LossError
		switch {
		case err == nil && !strings.EqualFold(u.String(), r.Source):
			return fmt.Errorf("%s", u)
		case err != nil && (!errors.As(err, &loss) || loss.Err == nil && len(loss.Losses) == 0):
			return err
		}
		if c := semantic.CompareHosts(r.Source, semantic.HostRFC3986, semantic.HostNetURL); err == nil && c.Agreement != semantic.SameHost && !strings.Contains(r.Host.Raw, "%") {
			return fmt.Errorf("%+v", c)
		}
		return nil
	}},
}

// TestReferenceLaws is [TestLaws] for RFC 3986: on words of its starts, along every transition of the automaton, and at random; and Fix
// and the checker on strings one edit away.
func TestReferenceLaws(t *testing.T) {
	g := bnfcheck.RFC3986
	ledger, err := bnf.Load(g.Name)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(*lawSeed, 3986))
	const longest = 40
	words := []string{"a:/.//b", "a:/..//b", "a:/b/..//c", "a:%2E//b", "a:/%2e%2E//", "./a:b", "a:./b:c", "file://LOCALHOST:/", "http://h:00080"} // where rungs meet
	var samplers []*lang.Sampler
	for _, start := range []string{"URI-reference", "URI", "relative-ref"} {
		a, err := lang.FromBNF(ledger.Default, start)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, a.TransitionCover()...)
		samplers = append(samplers, a.Sampler(longest))
	}
	for len(words) < 4000+*lawWords {
		if w, ok := samplers[rng.IntN(len(samplers))].Sample(rng, rng.IntN(longest+1)); ok {
			words = append(words, telling3986(w, rng))
		}
	}
	accepted, failed := 0, map[string]int{}
	for _, w := range words {
		near := nearMiss(w, rng)
		if fixed, err := semantic.Fix(g, near); err == nil && !g.Accepts(fixed.URL) {
			t.Errorf("%q is repaired to %q, which is rejected", near, fixed.URL)
		}
		if rng.IntN(50) == 0 {
			inspect.Check(near, 0)
		}
		for _, s := range []string{w, near} {
			r, err := semantic.ParseReference(s)
			if (err == nil) != g.Accepts(s) {
				t.Fatalf("%q: %v", s, err)
			}
			if err != nil {
				continue
			}
			accepted++
			for _, l := range referenceLaws {
				if err := caught(func() error { return l.check(r, rng) }); err != nil {
					if failed[l.name]++; failed[l.name] < 8 {
						t.Errorf("%q: %s: %v", s, l.name, err)
					}
				}
			}
		}
	}
	t.Logf("%d words, and as many near misses, %d accepted", len(words), accepted)
}

// telling3986 puts what means something in the place of some pieces of a word.
func telling3986(w string, rng *rand.Rand) string {
	for _, c := range []struct{ old, new string }{
		{"//", "/../"}, {"/", "/./"}, {"/", "/.//"}, {"/", "/%2e%2E/"}, {"%", "%7E%"}, {"http", "HTTP"}, {"a:", "mailto:A@B,"}, {"a:", "file://localhost"}, {"a://", "http://A:80"}, {"//", "//%41.0x7F.1:"},
	} {
		if rng.IntN(6) == 0 {
			w = strings.Replace(w, c.old, c.new, 1)
		}
	}
	return w
}

// A second opinion: net/url resolves every reference that it holds to the same target, but for one with an empty authority, which it
// takes for none, and targets whose path begins with two slashes, of which it makes one.
func TestResolveAsNetURL(t *testing.T) {
	ledger, err := bnf.Load("rfc3986")
	if err != nil {
		t.Fatal(err)
	}
	a, err := lang.FromBNF(ledger.Default, "relative-ref")
	if err != nil {
		t.Fatal(err)
	}
	sampler, rng := a.Sampler(30), rand.New(rand.NewPCG(*lawSeed, 5))
	resolved := 0
	for _, source := range []string{"http://a/b/c/d;p?q", "http://a", "http://a/"} {
		base := reference(t, source)
		of, err := base.URL()
		if err != nil {
			t.Fatal(err)
		}
		for range 5000 {
			w, _ := sampler.Sample(rng, rng.IntN(31))
			b := []byte(w)
			for i := range b {
				if rng.IntN(3) == 0 && strings.IndexByte(w[max(0, i-2):i+1], '%') < 0 {
					b[i] = "./"[rng.IntN(2)]
				}
			}
			r, err := semantic.ParseReference(string(b))
			if err != nil || r.Authority.Present() && r.Authority.Raw == "" {
				continue
			}
			u, err := r.URL()
			if err != nil {
				continue
			}
			target, err := base.Resolve(r, semantic.Resolution3986{})
			if err == nil && strings.HasPrefix(target.Path.Raw, "//") {
				continue
			}
			if err != nil || !strings.EqualFold(target.Source, of.ResolveReference(u).String()) {
				t.Errorf("%q in %s is %v, %v; net/url: %s", b, source, target, err, of.ResolveReference(u))
			}
			resolved++
		}
	}
	if resolved < 10_000 {
		t.Errorf("only %d references", resolved)
	}
}
