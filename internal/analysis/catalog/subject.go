// Package catalog knows where grammars come from: they are built in, or in a user's files.
//
// A [Subject] is a published grammar or a reference, in the version that a ledger of readings makes of it. A
// [Language] is the set of strings that one production of a grammar derives; package diff compares two of them. A
// [Pair] is a grammar and its transcription as a PEG, which package prove compares.
package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Version is a choice of readings from the ledgers. The zero value is the default.
type Version struct {
	AsPrinted bool            // only those readings that give the notation a meaning
	Set       map[string]bool // readings switched on or off, by ID; this takes precedence over AsPrinted
	Budget    *budget.Budget  // charged for what is computed with them; nil for none
}

// A Subject is an embedded grammar, read in some version, for comparisons.
type Subject struct {
	Name, Title string // "rfc1738", "RFC 1738"
	BNF         *expr.Grammar
	Reading     string   // the version in a few words: "as printed", "1630-xpalphas off"; "" for the default
	Start       string   // the ID of the production that the whole grammar starts from
	Schemes     []Scheme // those that have a production of their own

	// Generic is the ID of the production for URLs of any scheme, which is meant if the grammar does not know the
	// scheme of an input.
	Generic string

	published *Published // nil for a reference
}

// A Scheme is a URL scheme and the ID of its production.
type Scheme struct{ Name, Production string }

// Reference reports whether the grammar is one that others are compared with, which has no parser.
func (s *Subject) Reference() bool { return s.published == nil }

// Names lists the grammars that [Load] knows: the published ones, then the references.
func Names() (names []string) {
	for _, g := range published {
		names = append(names, g.Name)
	}
	return append(names, bnf.References()...)
}

// Load reads embedded grammars, all of them in the order of [Names] if none is named. Each takes from the version the
// readings of its own ledger. It fails if a name is unknown, if a reading is in none of the ledgers or changes no
// strings, or if readings contradict each other.
func Load(v Version, names ...string) ([]*Subject, error) {
	if len(names) == 0 {
		names = Names()
	}
	var subjects []*Subject
	known := map[string]bool{}
	for _, name := range names {
		s, err := New(name)
		if err != nil {
			return nil, err
		}
		src, err := bnf.Load(s.Name)
		if err != nil {
			return nil, err
		}
		if s.BNF, s.Reading, err = v.apply(src); err != nil {
			return nil, err
		}
		if v.Budget != nil {
			s.BNF = s.BNF.With(s.BNF.Rules)
			s.BNF.Budget = v.Budget
		}
		s.Title = src.Text.Title
		if s.Reference() {
			s.Start = src.Text.Rules[0].ID
			s.Generic = s.Start
		}
		subjects = append(subjects, s)
		for _, r := range src.Readings {
			known[r.ID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(v.Set)) { // of several, the error is about the same one every time
		if !known[id] {
			return nil, fmt.Errorf("none of the grammars has a reading %q", id)
		}
	}
	return subjects, nil
}

// New finds a grammar by its name, "rfc1738" or "1738" for short. It leaves BNF, Reading and Title for [Load] to set,
// and for a reference sets only Name.
func New(name string) (*Subject, error) {
	for _, r := range bnf.References() {
		if name == r || name == strings.TrimPrefix(r, "rfc") {
			return &Subject{Name: r}, nil
		}
	}
	g, err := FindPublished(name)
	if err != nil {
		return nil, fmt.Errorf("%w, and %s to compare with", err, strings.Join(bnf.References(), ", "))
	}
	choice := g.Tables.Starts[g.Default]
	generic := choice[len(choice)-1].Explained
	s := &Subject{Name: g.Name, Start: g.Production(g.Whole).ID, Generic: g.Production(generic).ID, published: g}
	if len(g.Schemes) == 0 {
		s.Generic = s.Start
	}
	for _, scheme := range g.Schemes {
		s.Schemes = append(s.Schemes, Scheme{scheme.Name, g.Production(scheme.Kind).ID})
	}
	return s, nil
}

// Lookup finds a production by its ID or, if only one production has it, by the text's spelling, and returns the ID.
// In a grammar with a parser it also knows the names of the parser's grammar, and the error is then about these. With
// an error it returns "".
func (s *Subject) Lookup(name string) (string, error) {
	r, err := s.BNF.Lookup(name)
	if err == nil {
		return r.ID, nil
	}
	if s.Reference() {
		return "", err
	}
	kind, err := s.published.Lookup(name)
	return s.published.Production(kind).ID, err
}

// apply returns the grammar in this version, and the version in words, "" for the default. Readings that the ledger of
// src lacks are ignored. It fails for a reading that changes no strings, and if readings contradict each other.
func (v Version) apply(src *bnf.Source) (*expr.Grammar, string, error) {
	own := map[string]bool{}
	var words []string
	if v.AsPrinted {
		words = append(words, "as printed")
	}
	for _, r := range src.Readings {
		on, ok := v.Set[r.ID]
		if !ok {
			continue
		}
		own[r.ID] = on
		state := " off"
		if on {
			state = " on"
		}
		words = append(words, r.ID+state)
	}
	g, err := src.With(own)
	if err == nil && v.AsPrinted {
		g, err = bnf.Apply(src.Text, src.Readings, func(r bnf.Reading) bool {
			if on, ok := own[r.ID]; ok {
				return on
			}
			return bnf.AsPrinted(r)
		})
	}
	return g, strings.Join(words, ", "), err
}

// Language returns the language of the production with this ID, or with this name if that is unique.
func (s *Subject) Language(production string) Language {
	side := Language{Grammar: s.BNF, Production: production, Reading: s.Reading}
	if !s.Reference() {
		side.Lexical = s.isLexical
	}
	return side
}

// isLexical reports whether a production is a term to readers.
func (s *Subject) isLexical(id string) bool {
	k, ok := s.published.Kind(id)
	return ok && s.published.Production(k).Lexical
}

// Default returns the language of the production that the whole grammar starts from.
func (s *Subject) Default() Language { return s.Language(s.Start) }

// SchemeProduction returns the ID of the production of a scheme, which is named in lower case, or "" if the grammar
// has none for it.
func (s *Subject) SchemeProduction(name string) string {
	for _, scheme := range s.Schemes {
		if scheme.Name == name {
			return scheme.Production
		}
	}
	return ""
}

// GenericOf returns the strings of a scheme that the generic production derives.
func (s *Subject) GenericOf(scheme string) Language {
	side := s.Language(s.Generic)
	side.Prefix = scheme + ":"
	return side
}

// Short returns the short form of a grammar's name: "1738".
func Short(name string) string { return strings.TrimPrefix(name, "rfc") }

// Named returns the subject with a name, which may be short, or nil if there is none.
func Named(subjects []*Subject, name string) *Subject {
	for _, s := range subjects {
		if s.Name == name || Short(s.Name) == name {
			return s
		}
	}
	return nil
}

// TitleOf returns the title of a published text with this name, "RFC 1738", or the name itself.
func TitleOf(name string) string {
	g, err := FindPublished(name)
	if err != nil {
		return name
	}
	return g.Title
}
