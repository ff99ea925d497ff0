package diff

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

func today(t *testing.T) *catalog.Subject {
	t.Helper()
	s := must.Of(catalog.Load(catalog.Version{}, "rfc3986"))(t)
	if s[0].Reference() || s[0].Start != "URI" || s[0].Generic != "URI" || len(s[0].Schemes) > 0 {
		t.Fatalf("%+v", s[0])
	}
	return s[0]
}

// TestTodayDerives: what RFC 3986 derives, by its own examples and at its edges.
func TestTodayDerives(t *testing.T) {
	s := today(t)
	a := map[string]*lang.DFA{}
	for _, c := range []struct{ production, in, out string }{
		{"URI", "ftp://ftp.is.co.za/rfc/rfc1808.txt ldap://[2001:db8::7]/c=GB?objectClass?one " +
			"mailto:John.Doe@example.com " +
			"tel:+1-816-555-1212 urn:oasis:names:specification:docbook:dtd:xml:4.1.2 a: A: HTTP://a http://a:/ " +
			"http://:1 file:///etc/hosts a:b#c? a:?%2f", // section 1.1.2
			"0: a http://[::1 http://a:b/ http://a[b a:b#c#d a:%2 a:%2g a_b: http://a@b@c/ a:b\\c a:b^ a:\" a:{ //a"},
		{"absolute-URI", "http://a/b?c a:", "a:#b"},
		{"URI-reference", "//a ../g;x?y#z ?y #s g:h " + "a:b", "1:2/3"},
		{"relative-ref", "./1:2 /a//b", "//[::1"},
		{"host", "[::] [1:2:3:4:5:6:7:8] [::ffff:1.2.3.4] [v1F.a:b] [V0.x] 256.1.1.1 1.2.3.4 a%20b",
			"[:] [1:2:3:4:5:6:7:8:9] [1::2::3] [::1.2.3.256] [v.a] a:b"},
		{"IPv4address", "0.10.199.255", "256.1.1.1 01.2.3.4"},
		{"path-empty", "", "a"},
	} {
		if a[c.production] == nil {
			a[c.production] = must.Of(lang.FromBNF(s.BNF, c.production))(t)
		}
		for _, in := range strings.Fields(c.in) {
			if !a[c.production].Match(in) {
				t.Errorf("%s does not derive %s", c.production, in)
			}
		}
		for _, out := range strings.Fields(c.out) {
			if a[c.production].Match(out) {
				t.Errorf("%s derives %s", c.production, out)
			}
		}
	}
	if !a["path-empty"].Match("") || !a["URI-reference"].Match("") {
		t.Error("nothing at all is no path-empty or URI-reference")
	}
}

// TestDistances: the counts of a distance are those of the two automata, and what is missing is missing.
func TestDistances(t *testing.T) {
	longtest.Need(t, "it counts every distance twice")
	olds := must.Of(catalog.Load(catalog.Version{}, "1630", "1738", "draft06"))(t)
	to := today(t)
	list := must.Of(Distances(olds, to, Options{MaxLength: 12}))(t)
	if want := (11 + 2) + (10 + 2) + (10 + 2); len(list) != want {
		t.Errorf("%d distances, want %d", len(list), want)
	}
	total := func(a *lang.DFA) *big.Int { return newPart(a, 12).Total() }
	uri := must.Of(lang.FromBNF(to.BNF, "URI"))(t)
	for _, d := range list {
		var old *lang.DFA
		for _, s := range olds {
			if s.Name == d.Of.Grammar {
				old = must.Of(lang.FromBNF(s.BNF, d.Of.Production))(t)
			}
		}
		if total(old).Cmp(d.All.Int) != 0 || total(old.Intersect(uri)).Cmp(d.Shared.Int) != 0 {
			t.Errorf("%s %s: %s of %s", d.Of.Grammar, d.Topic, d.Shared, d.All)
		}
		if in := old.Subset(uri); in != d.In() || in != (d.Missing == nil) || in != (d.Causes == 0) {
			t.Errorf("%s %s: contained %v, but %+v", d.Of.Grammar, d.Topic, in, d)
		}
		if d.Missing != nil && (!old.Match(string(*d.Missing)) || uri.Match(string(*d.Missing))) {
			t.Errorf("%s %s: %s is not missing", d.Of.Grammar, d.Topic, d.Missing)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		shared, all int64
		want        string
	}{{0, 5, "0%"}, {5, 5, "100%"}, {1, 3, "33.33%"}, {99999, 100000, ">99.99%"}, {1, 100000, "<0.01%"}} {
		if got := (Distance{Shared: Count{big.NewInt(c.shared)}, All: Count{big.NewInt(c.all)}}).shareText(); got != c.want {
			t.Errorf("%d of %d is %s, want %s", c.shared, c.all, got, c.want)
		}
	}
}

// TestDistanceAsJSON: the counts are numbers, and a party that is contained misses nothing.
func TestDistanceAsJSON(t *testing.T) {
	olds := must.Of(catalog.Load(catalog.Version{}, "1738"))(t)
	to := today(t)
	want := map[string]string{
		"file": `{"topic":"file","of":{"grammar":"rfc1738","title":"RFC ` +
			`1738","production":"fileurl","name":"fileurl","section":"5","states":`,
		"mailto": `"shared":"80","all":"80","max_length":8,"missing":"mailto://:a","causes":`,
	}
	for _, c := range Standard(olds[0], to) {
		if want[c.Topic] == "" {
			continue
		}
		text := string(must.Of(json.Marshal(must.Of(c.Diff(Options{MaxLength: 8}))(t).Distance()))(t))
		if !strings.Contains(text, want[c.Topic]) || strings.Contains(text, `"missing"`) != (c.Topic == "mailto") {
			t.Errorf("%s: %s", c.Topic, text)
		}
	}
}
