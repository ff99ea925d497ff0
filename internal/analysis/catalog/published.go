package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
)

// A Published is a grammar that is built into the program together with the parsers generated from it. This package knows
// none by itself: the package that has them hands them over with [Register], so that nothing that works for any grammar
// depends on the texts that are built in.
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
}

// published lists the grammars that were registered, in that order.
var published []*Published

// Register makes a grammar known under its name. It is to be called before anything is opened, from an init function; it is
// not safe for concurrent use. The order of the calls is the order in which grammars are listed.
func Register(g Published) { published = append(published, &g) }

// findPublished returns the published grammar with this name: "rfc1738", or "1738" for short. The error lists the names.
func findPublished(name string) (*Published, error) {
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
