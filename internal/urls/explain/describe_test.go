package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

func productions(t *testing.T, name string) []*Production {
	t.Helper()
	src := must.Of(bnf.Load(name))(t)
	return must.Of(Productions(src))(t)
}

func TestProductions(t *testing.T) {
	for _, tt := range []struct {
		grammar, id string
		cite        string
		mark        string // "none" without a rule
		unused      bool
		readings    string
		uses        string
		usedBy      string
	}{
		{"rfc1738", "hostport", "RFC 1738 section 5, page 18, line 967", "=", false,
			"", "host port", "login httpurl gopherurl nntpurl waisdatabase waisindex waisdoc prosperourl"},
		{"rfc1738", "national", "RFC 1738 section 5, page 20, line 1076", "=", true, "", "", ""},
		{"rfc1630", "uri_path", `RFC 1630 section "BNF of Generic URI Syntax", page 22, line 1226`, "*!", false,
			"1630-void-segment", "uri_void uri_xpalphas uri_path", "uri uri_path"},
		{"rfc3986", "URI", `RFC 3986 appendix A, page 49, line 2692`, "=", false,
			"", "scheme hier-part query fragment", "URI-reference"},
	} {
		list := productions(t, tt.grammar)
		i := slices.IndexFunc(list, func(p *Production) bool { return p.ID == tt.id })
		if i < 0 {
			t.Errorf("%s has no %s", tt.grammar, tt.id)
			continue
		}
		p := list[i]
		var readings []string
		for _, r := range p.Readings {
			readings = append(readings, r.ID)
		}
		mark := "none"
		if p.Rule != nil {
			mark = p.Rule.Mark
		}
		for _, x := range []struct{ what, got, want string }{
			{"cite", p.Cite, tt.cite}, {"mark", mark, tt.mark}, {"grammar", p.Grammar, tt.grammar},
			{"readings", strings.Join(readings, " "), tt.readings},
			{"uses", strings.Join(p.Uses, " "), tt.uses}, {"used by", strings.Join(p.UsedBy, " "), tt.usedBy},
		} {
			if x.got != x.want {
				t.Errorf("%s %s: %s is %q, want %q", tt.grammar, tt.id, x.what, x.got, x.want)
			}
		}
		if p.Unused != tt.unused {
			t.Errorf("%s %s: unused is %v", tt.grammar, tt.id, p.Unused)
		}
	}
}

// Every production of every grammar is described; one with a parser has a rule whose mark has a meaning.
func TestEveryProduction(t *testing.T) {
	for _, g := range bnfcheck.Grammars() {
		list := productions(t, g.Name)
		if len(list) != len(g.Productions()) {
			t.Errorf("%s: %d of %d productions", g.Name, len(list), len(g.Productions()))
		}
		for _, p := range list {
			switch {
			case p.Rule == nil:
				t.Errorf("%s %s has no rule", g.Name, p.ID)
			case p.Rule.Mark == "" || Meaning(p.Rule.Mark) == "":
				t.Errorf("%s %s: the mark %q means nothing", g.Name, p.ID, p.Rule.Mark)
			}
		}
	}
	for _, name := range bnf.References() {
		for _, p := range productions(t, name) {
			if p.Rule != nil || p.Lexical || p.Printed == "" {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}
