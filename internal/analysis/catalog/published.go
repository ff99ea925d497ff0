package catalog

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Published is a grammar that is built into the program together with the parsers generated from it. This package
// knows none by itself: the package that has them passes them to [Register], so that code for any grammar does not
// depend on the texts that are built in.
type Published struct {
	*ast.Grammar

	// Whole is the production of whole URIs: the grammar's default start or, if that also derives relative
	// references, the production of those with a scheme.
	Whole ast.Kind

	// Preferred reports that a production named without its grammar means this grammar's, even if a grammar that is
	// not preferred has one of that name too.
	Preferred bool

	// Pigeon returns the tree of src as derived by start, by the parser that pigeon generates from the grammar's PEG.
	Pigeon func(start ast.Kind, src string) (*ast.Tree, error)

	// Check judges a string as a whole URI, by the production of its scheme.
	Check func(s string) Verdict

	// Components yields the parts of a URI in its tree, each with the name that parsers report it under, in a fixed
	// order. A part that is absent is left out; one that is there may be empty.
	Components func(t *ast.Tree) iter.Seq2[string, string]

	// References reports that the default start derives references as in RFC 3986, with or without a scheme. Their
	// components are known whatever the scheme, and an absent one differs from an empty one (section 5.3).
	References bool

	// ComponentOf has the component that each production is, by the production's name, if References is set.
	ComponentOf map[string]string

	// Disputed are strings that parsers have been found to differ about, besides those that follow from the grammar.
	Disputed []string

	// Familiar names two beginnings: a word that begins with From tests as much with To in its place, and more
	// parsers know that, since some know a few schemes only. Both are "" if there is none.
	Familiar struct{ From, To string }
}

// A Verdict is the judgment of a published grammar on a string as a whole URI.
type Verdict struct {
	Accepted     bool     // the grammar derives it
	GenericOnly  bool     // but only by its generic production, though its scheme has one of its own
	NoProduction bool     // only by its generic production, since it has none for the scheme and leaves its URLs open
	Scheme       string   // as written; "" if the string does not begin with one
	Production   ast.Kind // the one that derives it; 0 if none does
	Tree         *ast.Tree

	// Why returns why the scheme's own production does not derive the string, or nil if it does. It may take as long
	// as the verdict.
	Why func() *ast.SyntaxError
}

// published lists the grammars that were registered, in that order.
var published []*Published

// Register makes a grammar known under its name. It must be called before anything is opened, from an init function;
// it is not safe for concurrent use. Grammars are listed in the order of the calls.
func Register(g Published) { published = append(published, &g) }

// AllPublished returns the grammars that were registered, in that order.
func AllPublished() []*Published { return slices.Clone(published) }

// PublishedAs returns the registered entry of g, or nil if g is not a grammar that is built in.
func PublishedAs(g *ast.Grammar) *Published {
	for _, p := range published {
		if p.Grammar == g {
			return p
		}
	}
	return nil
}

// FindPublished returns the published grammar with this name: "rfc1738", or "1738" for short. For any other name it
// fails, and lists the names.
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
