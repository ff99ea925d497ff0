package catalog

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Published is a grammar that is built into the program together with the parsers generated from it. This package
// knows none by itself: the package that has them hands them over with [Register], so that nothing that works for any
// grammar depends on the texts that are built in.
type Published struct {
	*ast.Grammar

	// Whole is the production of whole URIs: the grammar's default start or, where that derives relative references as
	// well, the production of those with a scheme.
	Whole ast.Kind

	// Preferred reports that a production named without its grammar is meant to be this grammar's, even if a grammar that
	// is not preferred has one of that name too.
	Preferred bool

	// Pigeon returns the tree of src as derived by start, by the parser that pigeon generates from the grammar's PEG.
	Pigeon func(start ast.Kind, src string) (*ast.Tree, error)

	// Check judges a string as a whole URI, by the production of its scheme.
	Check func(s string) Verdict

	// Components yields the parts of a URI that its tree has, each with the name under which parsers report it, in a fixed
	// order. A part that is absent is left out; one that is there may be empty.
	Components func(t *ast.Tree) iter.Seq2[string, string]

	// References reports that the default start derives references as RFC 3986 has them, with or without a scheme. Of
	// these the components are known whatever the scheme, and an absent one differs from an empty one (section 5.3).
	References bool

	// ComponentOf holds, where References is set, the component that a production is, by the production's name.
	ComponentOf map[string]string

	// Disputed are strings that parsers have been found to differ about, beyond those that follow from the grammar.
	Disputed []string

	// Familiar names two beginnings: a word that begins with From tests as much with To in its place, and more parsers
	// know that, since some know a few schemes only. Both are "" if there is none.
	Familiar struct{ From, To string }
}

// A Verdict is what a published grammar says of a string as a whole URI.
type Verdict struct {
	Accepted     bool     // the grammar derives it
	GenericOnly  bool     // but only by its generic production, though its scheme has one of its own
	NoProduction bool     // by its generic production, since the grammar has none for the scheme and leaves its URLs open
	Scheme       string   // as written; "" if the string does not begin with one
	Production   ast.Kind // that derives it; 0 if none does
	Tree         *ast.Tree

	// Why returns why the scheme's own production does not derive the string, nil if it does. It may take as long as the
	// verdict.
	Why func() *ast.SyntaxError
}

// published lists the grammars that were registered, in that order.
var published []*Published

// Register makes a grammar known under its name. It is to be called before anything is opened, from an init function;
// it is not safe for concurrent use. The order of the calls is the order in which grammars are listed.
func Register(g Published) { published = append(published, &g) }

// AllPublished returns the grammars that were registered, in that order.
func AllPublished() []*Published { return slices.Clone(published) }

// PublishedAs returns what is registered with g, nil if g is not a grammar that is built in.
func PublishedAs(g *ast.Grammar) *Published {
	for _, p := range published {
		if p.Grammar == g {
			return p
		}
	}
	return nil
}

// FindPublished returns the published grammar with this name: "rfc1738", or "1738" for short. The error lists the
// names.
func FindPublished(name string) (*Published, error) {
	var names []string
	for _, g := range published {
		if g.Name == name || Short(g.Name) == name {
			return g, nil
		}
		names = append(names, g.Name)
	}
	return nil, fmt.Errorf("no grammar %s; there are %s", ast.Quote(name), strings.Join(names, ", "))
}

// isPreferred reports whether the published grammar with this name is preferred to others that have a production of the
// same name.
func isPreferred(name string) bool {
	return slices.ContainsFunc(published, func(g *Published) bool { return g.Preferred && g.Name == name })
}

// hasScheme reports whether a published grammar has a production for the URL scheme with this name.
func hasScheme(name string) bool {
	return slices.ContainsFunc(published, func(g *Published) bool {
		_, ok := g.Scheme(name)
		return ok
	})
}
