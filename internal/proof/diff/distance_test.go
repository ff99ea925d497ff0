package diff

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/catalog"
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

// TestDistances: the counts of a distance are those of the two automata, and what is missing is missing.
func TestDistances(t *testing.T) {
	longtest.Need(t, "it counts every distance twice")
	olds := must.Of(catalog.Load(catalog.Version{}, "1630", "1738", "draft06"))(t)
	to := today(t)
	list := must.Of(Distances(olds, to, Options{MaxLength: 12}))(t)
	if want := (11 + 2) + (10 + 2) + (10 + 2); len(list) != want {
		t.Errorf("%d distances, want %d", len(list), want)
	}
	total := func(a *lang.DFA) *big.Int { return partOf(a, 12).Total() }
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
		if got := (Distance{Shared: Count{big.NewInt(c.shared)}, All: Count{big.NewInt(c.all)}}).share(); got != c.want {
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
