package semantic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/automata/sample"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/report/webcheck/inspect"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	"github.com/bnfcheck/bnfcheck/internal/testkit/sampletest"
	"github.com/bnfcheck/bnfcheck/semantic"
	"github.com/bnfcheck/bnfcheck/semantic/fix"
	"github.com/bnfcheck/bnfcheck/semantic/samehost"
)

// A referenced is a string, and the reference that it is, nil if it is none.
type referenced struct {
	s string
	r *semantic.Reference
}

// referenceLaws hold of every string; all but the last two are about those that RFC 3986 derives.
var referenceLaws = []sample.Law[referenced]{
	{Name: "the components are pieces of the source, and make it up", Of: referenced.derived, Holds: func(v referenced, _ *rand.Rand) error {
		r := v.r
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
	{Name: "it can be shown", Of: referenced.derived, Holds: func(v referenced, _ *rand.Rand) error {
		r := v.r
		b, err := json.Marshal(r)
		if err != nil || !json.Valid(b) || r.Table() == "" || r.String() != r.Source {
			return fmt.Errorf("%s, %v", b, err)
		}
		return nil
	}},
	{Name: "a finding lies in it, and is in order", Of: referenced.derived, Holds: func(v referenced, _ *rand.Rand) error {
		r := v.r
		last := 0
		for _, f := range r.Findings() {
			if f.Start < last || f.End < f.Start || f.End > len(r.Source) || f.Message == "" {
				return fmt.Errorf("%+v", f)
			}
			last = f.Start
		}
		return nil
	}},
	{Name: "a normal form is derived as it is, is its own, and is that of every lower rung", Of: referenced.derived, Holds: func(v referenced, _ *rand.Rand) error {
		r := v.r
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
	{Name: "its target is a URI, is its own target, and has no dot segments", Of: referenced.derived, Holds: func(v referenced, rng *rand.Rand) error {
		r := v.r
		for _, base := range []string{"http://a/b/c/d;p?q", "a:", "a://b", "a:b/c", "a:/b?c#d", "mailto:a@b"} {
			b, err := semantic.ParseReference(base)
			if err != nil {
				return err
			}
			resolve := b.Resolve
			if rng.IntN(2) == 0 {
				resolve = b.ResolveNonStrict
			}
			target, err := resolve(r)
			if errors.Is(err, semantic.ErrComponents) {
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
			if again, err := b.Resolve(target); err != nil || again.Source != target.Source {
				return fmt.Errorf("in %s: %s, and of that %v, %v", base, target.Source, again, err)
			}
		}
		if !r.Relative() {
			_, err := r.Resolve(r)
			if err != nil && !errors.Is(err, semantic.ErrComponents) {
				return err
			}
		}
		return nil
	}},
	{Name: "net/url holds it, or it is said why not", Of: referenced.derived, Holds: func(v referenced, _ *rand.Rand) error {
		r := v.r
		u, err := r.URL()
		var loss *semantic.LossError
		switch {
		case err == nil && !strings.EqualFold(u.String(), r.Source):
			return fmt.Errorf("%s", u)
		case err != nil && (!errors.As(err, &loss) || loss.Err == nil && len(loss.Losses) == 0):
			return err
		}
		if c := samehost.Compare(r.Source, samehost.RFC3986, samehost.NetURL); err == nil && c.Agreement != samehost.Same && !strings.Contains(r.Host.Raw, "%") {
			return fmt.Errorf("%+v", c)
		}
		return nil
	}},
	{Name: "a near miss is repaired to what is derived", Every: 8, Holds: func(v referenced, rng *rand.Rand) error {
		near := nearMiss(v.s, rng)
		if fixed, err := fix.Nearest(bnfcheck.RFC3986, near); err == nil && !bnfcheck.RFC3986.Accepts(fixed.URL) {
			return fmt.Errorf("%q is repaired to %q, which is rejected", near, fixed.URL)
		}
		return nil
	}},
	{Name: "the live checker: never panics", Every: 64, Holds: func(v referenced, _ *rand.Rand) error {
		inspect.Check(v.s, 0)
		return nil
	}},
}

func (v referenced) derived() bool { return v.r != nil }

// TestReferenceLaws is [TestLaws] for RFC 3986.
func TestReferenceLaws(t *testing.T) {
	g := bnfcheck.RFC3986
	ledger := must.Of(bnf.Load(g.Name))(t)
	plan := sample.Plan{Words: sampletest.Words(1000), Cover: -1, Vary: telling3986,
		Given: []string{"a:/.//b", "a:/..//b", "a:/b/..//c", "a:%2E//b", "a:/%2e%2E//", "./a:b", "a:./b:c", "file://LOCALHOST:/", "http://h:00080"}} // where rungs meet
	for _, start := range []string{"URI-reference", "URI", "relative-ref"} {
		a := must.Of(lang.FromBNF(ledger.Default, start))(t)
		plan.Languages = append(plan.Languages, sample.New(a, 40))
	}
	sampletest.Hold(t, plan, func(_ int, s string) (referenced, error) {
		r, err := semantic.ParseReference(s)
		if (err == nil) != g.Accepts(s) {
			return referenced{}, fmt.Errorf("accepted: %t; a reference: %w", g.Accepts(s), err)
		}
		return referenced{s, r}, nil
	}, referenceLaws)
}

// telling3986 puts what means something in the place of some pieces of a word.
func telling3986(_ *sample.Language, w string, rng *rand.Rand) string {
	for _, c := range []struct{ old, new string }{
		{"//", "/../"}, {"/", "/./"}, {"/", "/.//"}, {"/", "/%2e%2E/"}, {"%", "%7E%"}, {"http", "HTTP"}, {"a:", "mailto:A@B,"}, {"a:", "file://localhost"}, {"a://", "http://A:80"}, {"//", "//%41.0x7F.1:"},
	} {
		if rng.IntN(6) == 0 {
			w = strings.Replace(w, c.old, c.new, 1)
		}
	}
	return w
}

// A second opinion: net/url resolves every reference that it holds to the same target, but for one with an empty
// authority, which it takes for none, and targets whose path begins with two slashes, of which it makes one.
func TestResolveAsNetURL(t *testing.T) {
	ledger := must.Of(bnf.Load("rfc3986"))(t)
	a := must.Of(lang.FromBNF(ledger.Default, "relative-ref"))(t)
	sampler, rng := a.Sampler(30), rand.New(rand.NewPCG(sampletest.Seed(), 5))
	resolved := 0
	for _, source := range []string{"http://a/b/c/d;p?q", "http://a", "http://a/"} {
		base := reference(t, source)
		of := must.Of(base.URL())(t)
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
			target, err := base.Resolve(r)
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
