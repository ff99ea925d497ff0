package diff

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Comparison is two sides to compare, with the topic that they share.
type Comparison struct {
	Topic string // a scheme, "generic", "url" or "whole", [ChangedTopic], or the production of [Effect.Compare]
	A, B  catalog.Language
}

// Standard returns the comparisons between two grammars that make sense: every scheme that both define; every scheme
// that one of them defines, against what the other's generic production derives of it; the generic productions; and
// the productions called url in both or, if one grammar has no schemes, as references have none, the start
// productions.
func Standard(a, b *catalog.Subject) []Comparison {
	var both, one []Comparison
	var names []string
	for _, s := range slices.Concat(a.Schemes, b.Schemes) {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	for _, name := range names {
		switch pa, pb := a.SchemeProduction(name), b.SchemeProduction(name); {
		case pb == "":
			one = append(one, Comparison{name, a.Language(pa), b.GenericOf(name)})
		case pa == "":
			one = append(one, Comparison{name, a.GenericOf(name), b.Language(pb)})
		default:
			both = append(both, Comparison{name, a.Language(pa), b.Language(pb)})
		}
	}
	list := slices.Concat(both, one, []Comparison{{"generic", a.Language(a.Generic), b.Language(b.Generic)}})
	switch {
	case len(a.Schemes) == 0 || len(b.Schemes) == 0:
		list = append(list, Comparison{"whole", a.Default(), b.Default()})
	case a.BNF.Rule("url") != nil && b.BNF.Rule("url") != nil:
		list = append(list, Comparison{"url", a.Language("url"), b.Language("url")})
	}
	return list
}

// Diff compares the two sides, and sets the topic. It fails where [Compare] does.
func (c Comparison) Diff(o Options) (*Difference, error) {
	d, err := Compare(c.A, c.B, o)
	if err != nil {
		return nil, err
	}
	d.Topic = c.Topic
	return d, nil
}

// ChangedTopic is the topic of a production in a file that is compared with the one of its name in another file.
const ChangedTopic = "changed"

// A LeftOut is a production that [Namesakes] does not compare, and why.
type LeftOut struct {
	Rule *expr.Rule
	Why  error
}

// Namesakes returns the comparisons of all productions that two files have by one name, in the order of the
// later file, with [ChangedTopic]. left has the productions that only one file has, and those that cannot be
// compared because a version is no language: first those of the later file. Core rules of ABNF are left out.
func Namesakes(before, after *catalog.Opened) (list []Comparison, left []LeftOut) {
	for _, r := range after.Grammar.Rules {
		if bnf.IsCore(r) {
			continue
		}
		old, now := *before, *after
		old.Asked, now.Asked = r.ID, r.ID
		a, err := old.Language()
		if err != nil {
			left = append(left, LeftOut{r, err})
			continue
		}
		b, err := now.Language()
		if err != nil {
			left = append(left, LeftOut{r, err})
			continue
		}
		list = append(list, Comparison{Topic: ChangedTopic, A: a, B: b})
	}
	for _, r := range before.Grammar.Rules {
		if _, err := after.Lookup(r.ID); err != nil && !bnf.IsCore(r) {
			left = append(left, LeftOut{r, err})
		}
	}
	return list, left
}
