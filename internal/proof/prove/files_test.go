package prove

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/testkit/goldentest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// TestAuthority is a mistake from real life: a PEG of RFC 3986 whose host commits to what looks like an IPv4 address.
func TestAuthority(t *testing.T) {
	const golden = "../../../golden/proof/authority.golden"
	abnf, rules := goldentest.Read(t, golden, "input authority.abnf"), goldentest.Read(t, golden, "input authority.peg")
	pair := must.Of(catalog.Files("authority.abnf", []byte(abnf), "authority.peg", []byte(rules), catalog.FileOptions{}))(t)
	r := must.Of(Prove(pair, Options{}))(t)
	want := []string{
		`authority.peg:6:1: host: the production derives 0.0.0.0a, and the rule does not match it, nor 0.0.0.0., 0.0.0.0-; ` +
			`at offset 0 IPv4address hides reg-name, in host (authority.peg:6:16); to mend it, put reg-name before IPv4address (authority.peg:6:16)`,
		`authority.peg:4:1: authority: the production derives 0.0.0.0a, and the rule does not match it; wrong because of host`,
	}
	var got []string
	for _, f := range r.Faults {
		got = append(got, f.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the faults are\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, start := range []string{"host", "authority"} {
		if !slices.ContainsFunc(r.Hidden, func(h Hidden) bool {
			return h.Rule == "host" && h.Start == start && !h.Never() &&
				*h.Word == "0.0.0.0a" && h.Alternative == "reg-name" && h.Shadow == "IPv4address"
		}) {
			t.Errorf("from %s, IPv4address is not found to hide reg-name: %v", start, r.Hidden)
		}
	}
	if !slices.Equal(r.Unprinted, []string{"piece"}) || len(r.Untranscribed) > 0 {
		t.Errorf("rules without a production: %q; productions without a rule: %q", r.Unprinted, r.Untranscribed)
	}
}

// TestFilesByName: which rule transcribes which production.
func TestFilesByName(t *testing.T) {
	const (
		abnf  = "list = item *( \",\" item )\nitem = 1*\"x\"\nblank = *( *\"z\" )\nname-of = \"y\"\n"
		rules = "list <- entry ( \",\" entry )*\nentry <- [Xx]+\nitem <- \"z\"\nblank <- [Zz]*\nname_of <- [Yy]\n"
	)
	pair, err := catalog.Files("list.abnf", []byte(abnf), "list.peg", []byte(rules), catalog.FileOptions{Rules: [][2]string{{"ITEM", "entry"}}})
	if err != nil {
		t.Fatal(err)
	}
	r := must.Of(Prove(pair, Options{}))(t)
	for _, f := range r.Faults {
		t.Error(f)
	}
	var rows []string
	for _, p := range r.Productions {
		rows = append(rows, p.Production)
	}
	if want := []string{"list", "item", "blank", "name-of"}; !slices.Equal(rows, want) {
		t.Errorf("compared are %q, not %q", rows, want)
	}
	if want := []string{"list.abnf:3:9: warning: `*(*\"z\")` repeats what may be empty, so that there is no end to its derivations of the empty string [empty-repeated]"}; !slices.Equal(r.Lint, want) {
		t.Errorf("odd is %q, not %q", r.Lint, want)
	}
}
