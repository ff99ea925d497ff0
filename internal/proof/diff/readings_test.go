package diff

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestEffectsFollowFromTheLedger: what an entry replaces changes, and what changes uses what the entry is about. Every
// entry that decides strings changes some, or the notation has no meaning without it.
func TestEffectsFollowFromTheLedger(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		effects := must.Of(ReadingEffects(g.Name, Options{MaxLength: 2}))(t)
		src := must.Of(bnf.Load(g.Name))(t)
		for _, e := range effects {
			r, ok := src.Reading(e.Reading)
			if !ok {
				if e.Reading != AllReadings {
					t.Errorf("%s is not in the ledger", e.Reading)
				}
				continue
			}
			if len(e.Changes) == 0 && e.Meaningless == "" {
				t.Errorf("%s changes nothing", e.Reading)
			}
			changed := map[string]bool{}
			for _, c := range e.Changes {
				changed[c.Production] = true
				if !slices.ContainsFunc(src.Default.Reach(c.Production), func(id string) bool { return slices.Contains(r.Productions, id) }) {
					t.Errorf("%s changes %s, which uses none of %s", e.Reading, c.Production, r.Productions)
				}
			}
			for _, to := range r.Replace {
				if !changed[to.Production] && e.Meaningless == "" {
					t.Errorf("%s replaces %s and does not change it", e.Reading, to.Production)
				}
			}
		}
	}
}

func TestReadingEffects(t *testing.T) {
	effects := map[string]Effect{}
	for _, g := range bnfcheck.Grammars() {
		es := must.Of(ReadingEffects(g.Name, Options{MaxLength: 4}))(t)
		for _, e := range es {
			if e.Reading == AllReadings {
				e.Reading = g.Name
			}
			effects[e.Reading] = e
		}
	}
	for _, tt := range []struct {
		reading, production string
		relation            Relation // of the production with the reading to that without
		gained, kept, lost  string
	}{
		{"1630-void-segment", "httpaddress", Contains, "http://a//", "http://a", "-"},
		{"1630-void-segment", "uri", Contains, "a:/", "a:", "-"},
		{"1630-xpalphas", "uri_xpalphas", Contains, "aaa", "a", "-"},
		{"1630-addr-spec", "midaddress", Contains, "mid:a@a", "-", "-"},
		{"1630-fragment", "uri_fragmentaddress", Contains, "ftp://a:0/", "a:", "-"},
		{"1630-void-fragment", "uri_fragmentid", Contains, `""`, "a", "-"},
		{"1630-ftptype", "ftpaddress", Contains, "ftp://a/;type=I", "ftp://a/", "-"},
		{"1738-brackets", "scheme", ContainedIn, "-", "a", `""`},
		{"1738-brackets", "url", ContainedIn, "-", "a:", ":"},
		{"1738-literal-case", "hialpha", ContainedIn, "-", "A", "a"},
		{"1738-scheme-case", "httpurl", Contains, "httP://a", "http://a", "-"},
		{"rfc1630", "uri_path", Contains, "/", `""`, "-"},
	} {
		i := slices.IndexFunc(effects[tt.reading].Changes, func(c Change) bool { return c.Production == tt.production })
		if i < 0 {
			t.Errorf("%s does not change %s", tt.reading, tt.production)
			continue
		}
		c := effects[tt.reading].Changes[i]
		got := strings.Join([]string{string(c.Relation), c.Gained.First(), c.Kept.First(), c.Lost.First()}, " ")
		if want := strings.Join([]string{string(tt.relation), tt.gained, tt.kept, tt.lost}, " "); got != want {
			t.Errorf("%s, %s: %s, want %s", tt.reading, tt.production, got, want)
		}
	}
	if e := effects["1738-E5118"]; !strings.Contains(e.Meaningless, `unexpected "/"`) {
		t.Errorf("without 1738-E5118: %q", e.Meaningless)
	}
	if _, err := json.Marshal(effects); err != nil {
		t.Error(err)
	}
	if _, err := ReadingEffects("rfc822", Options{}); err == nil {
		t.Error("effects of an unknown grammar")
	}
}

// TestEffectCompare: the full comparison says the same as the summary.
func TestEffectCompare(t *testing.T) {
	longtest.Need(t, "it compares every reading with its summary")
	effects := must.Of(ReadingEffects("rfc1630", Options{MaxLength: 6}))(t)
	for _, e := range effects {
		for _, c := range e.Changes {
			if c.Production == "uri_fragmentaddress" { // large, and made of the others
				continue
			}
			comparison := must.Of(e.Compare(c.Production))(t)
			d := must.Of(comparison.Diff(Options{MaxLength: 6}))(t)
			if d.OnlyA.First() != c.Lost.First() || d.Both.First() != c.Kept.First() || d.OnlyB.First() != c.Gained.First() {
				t.Errorf("%s, %s: without, both, with: %s %s %s, want %s %s %s", e.Reading, c.Production,
					d.OnlyA.First(), d.Both.First(), d.OnlyB.First(), c.Lost.First(), c.Kept.First(), c.Gained.First())
			}
			if err := checkPartition(d); err != nil {
				t.Errorf("%s, %s: %v", e.Reading, c.Production, err)
			}
		}
	}
}
