package vectors

import (
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
)

// A Component is a part of a URL that parsers report under much the same name.
type Component struct{ Name, Value string }

// ComponentNames lists the components in their order.
var ComponentNames = []string{"scheme", "user", "password", "host", "port", "path", "search", "fragment"}

// Components returns the components of the tree of a published grammar, in the terms that most parsers share, so that
// theirs can be compared with it: see [catalog.Published]. It returns nil for a tree of any other grammar.
func Components(t *ast.Tree) (list []Component) {
	p := catalog.PublishedAs(t.Grammar)
	if p == nil {
		return nil
	}
	for name, value := range p.Components(t) {
		list = append(list, Component{name, value})
	}
	return list
}

// NamedComponents returns the texts of the first node of each named production in a tree, under the name of the
// production. It leaves out productions without a node.
func NamedComponents(t *ast.Tree, named []ast.Kind) (list []Component) {
	for _, k := range named {
		if n, ok := t.Root().Find(k); ok {
			list = append(list, Component{t.Grammar.Production(k).Name, n.Text()})
		}
	}
	return list
}

// componentsOf returns the components of a tree of the subject's own grammar.
func (s *Subject) componentsOf(t *ast.Tree) []Component {
	if s.Named != nil {
		return NamedComponents(t, s.Named)
	}
	return Components(t)
}

// ComponentNames returns the names of the subject's components in their order.
func (s *Subject) ComponentNames() []string {
	if s.Named == nil {
		return ComponentNames
	}
	var names []string
	for _, k := range s.Named {
		names = append(names, s.Grammar.Production(k).Name)
	}
	return names
}
