package catalog

import (
	"cmp"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Cite returns the citation of a production, with its place in the text that prints it. If a published grammar has no
// such production, or several, it cites only the grammar. In any other grammar it cites the production by name, with
// its place if it is one of [Referenced].
func Cite(grammar, title, production string) results.Citation {
	if g, err := FindPublished(grammar); err == nil {
		kind, err := g.Lookup(production)
		if err != nil {
			return results.Citation{Grammar: grammar, Title: title}
		}
		return results.Cite(g.Grammar, g.Production(kind))
	}
	for _, p := range Referenced(grammar) {
		if p.ID == production || p.Name == production {
			return results.Cite(&ast.Grammar{Name: grammar, Title: title}, p)
		}
	}
	return results.Citation{Grammar: grammar, Title: title, Production: production}
}

// CiteInner is like [Cite] for the last name of a path of productions: a name as the text spells it, and no ID. If
// several productions have that name, it cites the first one in the given section. If none is found so, or there is
// no path, it cites the start production, as Cite does.
func CiteInner(grammar, title, start, section string, path []string) results.Citation {
	if len(path) > 0 {
		productions := Referenced(grammar)
		if g, err := FindPublished(grammar); err == nil {
			productions = g.Productions[1:] // without the zero Production
		}
		found := slices.DeleteFunc(slices.Clone(productions),
			func(p ast.Production) bool { return p.Name != path[len(path)-1] })
		if at := slices.IndexFunc(found, func(p ast.Production) bool {
			return len(found) == 1 || p.Section == section
		}); at >= 0 {
			return results.Cite(&ast.Grammar{Name: grammar, Title: title}, found[at])
		}
	}
	return Cite(grammar, title, start)
}

// Referenced returns the productions of a reference, by its full name, and nil for any other grammar. A reference has
// no tree, so none is lexical.
func Referenced(grammar string) (list []ast.Production) {
	if !slices.Contains(bnf.References(), grammar) {
		return nil
	}
	src, err := bnf.Load(grammar)
	if err != nil {
		return nil
	}
	for _, r := range src.Text.Rules {
		list = append(list, Production(r))
	}
	return list
}

// Production returns the description of a rule for package ast.
func Production(r *expr.Rule) ast.Production {
	return ast.Production{ID: r.ID, Name: cmp.Or(r.Name, r.ID), Part: r.Part, Section: r.Section, Page: r.Page,
		Line: r.Line, Printed: r.Printed}
}
