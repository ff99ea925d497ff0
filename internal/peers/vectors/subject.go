package vectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Subject is the production, or the model, that vectors are about, with its judges.
type Subject struct {
	Grammar    *ast.Grammar // nil for a model
	Production ast.Kind
	Model      *Model // nil for a production
	DFA        *lang.DFA
	// One for each RFC that has a counterpart of the production, in their order; the grammar itself is among them.
	Judges []Judge

	// Named are the productions whose texts are the components, in a grammar that is not about URLs. It is nil for
	// the usual components of URLs.
	Named []ast.Kind

	// Large is the reason why DFA is nil: the automaton would be too large. Only derivations are possible then: see
	// [Subject.Derivations]. The methods that make other parts panic, but [Subject.Plan] returns Large.
	Large error

	// ReadTo tells in words how deep the automaton follows recursions, such as "to a nesting of 3"; "" if all the
	// way.
	ReadTo string

	// CanReadLess says that the grammar can be read to a lesser depth where mutants are too many at this one: see
	// [Subject.MutationSuite].
	CanReadLess bool

	bnf      *expr.Grammar
	familiar struct{ From, To string } // see [catalog.Published]
}

// NewForeign returns the subject for a production of any grammar, which is its only judge. The productions in named
// are its components; nil stands for none, and not for those of URLs. The words come from the automaton of rules.
// These derive what the grammar does, or only what it derives to a depth, which readTo then tells in words. It fails
// if the production's language is not regular by the rules, or if its automaton is too large.
func NewForeign(g *ast.Grammar, rules *expr.Grammar, kind ast.Kind, named []ast.Kind, readTo string) (*Subject, error) {
	s := &Subject{Grammar: g, Production: kind, Named: slices.Clone(named), bnf: rules, ReadTo: readTo}
	s.Judges = []Judge{{Grammar: g, Production: kind}}
	if s.Named == nil {
		s.Named = []ast.Kind{}
	}
	var err error
	if s.DFA, err = lang.FromBNF(rules, s.ID()); err != nil {
		return nil, fmt.Errorf("%s: %w", s.ID(), err)
	}
	return s, nil
}

// NewLarge is [NewForeign] for a production whose automaton is too large, with the error why that says so. It cannot
// fail.
func NewLarge(g *ast.Grammar, rules *expr.Grammar, kind ast.Kind, named []ast.Kind, why error) *Subject {
	s := &Subject{Grammar: g, Production: kind, Named: slices.Clone(named), bnf: rules, Large: why}
	s.Judges = []Judge{{Grammar: g, Production: kind}}
	if s.Named == nil {
		s.Named = []ast.Kind{}
	}
	return s
}

// A Judge is a production or a model that accepts words or rejects them.
type Judge struct {
	Grammar    *ast.Grammar
	Production ast.Kind
	Model      *Model // nil for a production
}

// Accepts reports whether the judge's production derives w, or its model accepts it.
func (j Judge) Accepts(w string) bool {
	if j.Model != nil && j.Model.Accept != nil {
		return j.Model.Accept(w)
	}
	if j.Model != nil {
		return j.Model.DFA.Match(w)
	}
	return j.Grammar.Accept(j.Production, w)
}

// Name returns the name of the judge's grammar, or of its model.
func (j Judge) Name() string {
	if j.Model != nil {
		return j.Model.Name
	}
	return j.Grammar.Name
}

// String returns the judge's name in a sentence.
func (j Judge) String() string {
	if j.Model != nil {
		return "the model"
	}
	return j.Grammar.Name + " " + j.Grammar.Production(j.Production).ID
}

// NewSubject returns the subject for a production of a published grammar, given by its name, its ID, or the name of
// its scheme: "http" for httpurl. Its judges are the preferred texts that have a counterpart of the production, and g
// itself. It fails if there is no such production, if its language is not known to be regular, if its automaton is
// too large ([lang.ErrTooLarge]), or if the grammar is not registered with package catalog.
func NewSubject(g *ast.Grammar, name string) (*Subject, error) {
	kind, ok := g.Scheme(name)
	if !ok {
		var err error
		if kind, err = g.Lookup(name); err != nil {
			return nil, err
		}
	}
	published := catalog.PublishedAs(g)
	if published == nil {
		return nil, fmt.Errorf("%s is not built in", g.Name)
	}
	source, err := bnf.Load(g.Name)
	if err != nil {
		return nil, err
	}
	s := &Subject{Grammar: g, Production: kind, bnf: source.Default}
	if s.DFA, err = lang.FromBNF(s.bnf, s.ID()); err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	s.familiar = published.Familiar
	// The preferred texts judge, each by its counterpart of the production, and the grammar itself in any case.
	var judges []*catalog.Published
	for _, other := range catalog.AllPublished() {
		if other.Preferred {
			judges = append(judges, other)
		}
	}
	if !published.Preferred {
		judges = append(judges, published)
	}
	for _, other := range judges {
		if kind, ok := counterpartIn(g, kind, other); ok {
			s.Judges = append(s.Judges, Judge{Grammar: other.Grammar, Production: kind})
		}
	}
	return s, nil
}

// ID returns the ID of the production, or the name of the model.
func (s *Subject) ID() string {
	if s.Model != nil {
		return s.Model.Name
	}
	return s.Grammar.Production(s.Production).ID
}

// Text returns the production and those that it uses, directly or not, a line each, or the key of the model's
// automaton. Two subjects with one text have the same suites within the same limits, unless just one is of a published
// grammar, which has no wider words and may have a familiar scheme.
func (s *Subject) Text() string {
	if s.Model != nil {
		return s.DFA.Key()
	}
	var b strings.Builder
	for _, id := range s.bnf.Reach(s.ID()) {
		if r := s.bnf.Rule(id); r != nil {
			fmt.Fprintf(&b, "%s = %v\n", id, r.Expr)
		}
	}
	return b.String()
}

// Scheme returns the name of the scheme whose production this is, or "". A model has none.
func (s *Subject) Scheme() string {
	if s.Model != nil {
		return ""
	}
	return schemeOf(s.Grammar, s.Production)
}

// schemeOf returns the name of the scheme whose production a kind is, "" if it is none.
func schemeOf(g *ast.Grammar, kind ast.Kind) string {
	for _, scheme := range g.Schemes {
		if scheme.Kind == kind {
			return scheme.Name
		}
	}
	return ""
}

// counterpartIn returns the production by which another grammar judges the words of a production of g. For a
// production of a scheme it is that of the same scheme or, if there is none, the generic one; for the default start it
// is the default start; for any other it is the production of the same name. In g itself it is the production itself.
// It returns false if there is none.
func counterpartIn(g *ast.Grammar, kind ast.Kind, other *catalog.Published) (ast.Kind, bool) {
	if other.Grammar == g {
		return kind, true
	}
	if scheme := schemeOf(g, kind); scheme != "" {
		if own, ok := other.Scheme(scheme); ok {
			return own, true
		}
		generic := other.Check(scheme + ":").Production // only the generic one can derive this
		return generic, generic != 0
	}
	if kind == g.Default {
		return other.Default, true
	}
	same, err := other.Lookup(g.Production(kind).Name)
	return same, err == nil
}
