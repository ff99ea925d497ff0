package diff

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
)

// A Comparison is two sides, and what makes them worth comparing.
type Comparison struct {
	Topic string // a scheme, or "generic", "url" or "whole"
	A, B  catalog.Language
}

// Standard returns what there is to compare between two grammars: every scheme that both define, every scheme that one of
// them defines against what the other's generic production derives of it, the generic productions, and the productions
// that are called url in both or, where one is a reference, what the two start from.
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

// Diff compares the two sides.
func (c Comparison) Diff(o Options) (*Difference, error) {
	d, err := Compare(c.A, c.B, o)
	if err != nil {
		return nil, err
	}
	d.Topic = c.Topic
	return d, nil
}
