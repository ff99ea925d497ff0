package catalog

import (
	"errors"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck"
)

// Short returns the short form of a grammar's name: "1738".
func Short(name string) string { return strings.TrimPrefix(name, "rfc") }

// Named returns the subject with a name, which may be short, and nil if there is none.
func Named(subjects []*Subject, name string) *Subject {
	for _, s := range subjects {
		if s.Name == name || Short(s.Name) == name {
			return s
		}
	}
	return nil
}

// Side returns the side of a comparison that a person names as GRAMMAR/PRODUCTION, as GRAMMAR, or as a production of only one
// grammar. A draft or a reference is meant only if no RFC has that production.
func Side(subjects []*Subject, arg string) (Language, error) {
	name, production, qualified := strings.Cut(arg, "/")
	if s := Named(subjects, name); s != nil {
		if !qualified {
			return s.Default(), nil
		}
		id, err := s.Lookup(production)
		return s.Language(id), err
	}
	if qualified {
		_, err := New(name)
		return Language{}, err
	}
	var found []Language
	var places, problems []string
	for _, s := range subjects {
		id, err := s.Lookup(arg)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		rfc := slices.ContainsFunc(bnfcheck.RFCs(), func(g *bnfcheck.Grammar) bool { return g.Name == s.Name })
		if len(found) > 0 && !rfc {
			continue
		}
		found = append(found, s.Language(id))
		places = append(places, Short(s.Name)+"/"+arg)
	}
	switch len(found) {
	case 0:
		return Language{}, errors.New(strings.Join(problems, "; "))
	case 1:
		return found[0], nil
	}
	return Language{}, errors.New("several grammars have it: choose from " + strings.Join(places, ", "))
}
