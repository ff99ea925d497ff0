package conform

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/peers/vectors"
)

// A Judge is a grammar that implementations are compared with.
type Judge struct {
	Grammar *ast.Grammar

	// Production is the one that judges strings, whatever they are part of. If it is 0, strings are URLs,
	// each judged by the production of its scheme.
	Production ast.Kind

	// Generic accepts a string that only the generic production derives, though its scheme has a production
	// of its own. By default it is rejected: RFC 1738's otherurl swallows every scheme, so that nothing would
	// be left to disagree about in http://user@host/.
	Generic bool

	// Schemes are the schemes asked about; empty for all. A string that the grammar accepts as a URL of
	// another scheme is not compared.
	Schemes []string

	// For a production of a user's grammar: the productions that are its components, and its file. Named is
	// nil for the components of URLs; if it is empty but not nil, components do not matter, and no tree is
	// made.
	Named []ast.Kind
	File  string

	known *explanations // of the inputs that a comparison has come to
}

// Names returns the names of the productions in j.Named; never nil.
func (j Judge) Names() []string {
	names := []string{}
	for _, k := range j.Named {
		names = append(names, j.Grammar.Production(k).Name)
	}
	return names
}

// References returns a judge by a published grammar of references. It judges references or, if absolute is
// set, only URIs.
func References(g *catalog.Published, absolute bool) Judge {
	j := Judge{Grammar: g.Grammar, Production: g.Default}
	if absolute {
		j.Production = g.Whole
	}
	return j
}

// judgesReferences reports whether j judges by a grammar of references. Such a grammar knows the components
// of every scheme, and tells an absent one from an empty one.
func (j Judge) judgesReferences() bool {
	p := catalog.PublishedAs(j.Grammar)
	return p != nil && p.References
}

// judgesURLs reports whether j judges whole URLs by their schemes, and so rejects a string without a scheme.
func (j Judge) judgesURLs() bool {
	return j.Production == 0 && catalog.PublishedAs(j.Grammar) != nil && !j.judgesReferences()
}

// componentName returns j's name of a component.
func (j Judge) componentName(c Component) string {
	if c == Search && j.judgesReferences() {
		return query
	}
	return c.String()
}

// startProduction returns the production that strings are derived by.
func (j Judge) startProduction() ast.Kind {
	if j.Production != 0 {
		return j.Production
	}
	return j.Grammar.Default
}

// productionID returns the ID of the production that j judges by, or "" for URLs.
func (j Judge) productionID() string {
	if j.judgesURLs() {
		return ""
	}
	return j.Grammar.Production(j.startProduction()).ID
}

// asksAbout reports whether f is about a URL of a scheme in j.Schemes, or j.Schemes is empty.
func (j Judge) asksAbout(f finding) bool {
	return len(j.Schemes) == 0 || slices.Contains(j.Schemes, strings.ToLower(f.components[Scheme].Text))
}

// Judges returns a judge for each RFC. Parsers are not compared with drafts.
func Judges() []Judge {
	var list []Judge
	for _, g := range catalog.AllPublished() {
		if g.Preferred {
			list = append(list, Judge{Grammar: g.Grammar})
		}
	}
	return list
}

// Answer returns j's verdict on w in the form of an implementation's answer, with the components of URLs only. A
// string that is not compared, because of j.Schemes, is rejected. If w exceeds the limits of package ast, Answer
// panics so that [budget.Catch] sets the error.
func (j Judge) Answer(w string) Answer {
	f := j.findingOn(w)
	if !f.accepted {
		return Answer{Verdict: Rejected}
	}
	return Answer{Verdict: Accepted, Components: f.components}
}

// A finding is a judge's verdict on one input.
type finding struct {
	accepted   bool
	components Components
	named      map[string]Value  // see Judge.Named
	elsewhere  bool              // accepted as a URL of a scheme that is not in Judge.Schemes; nothing else is set
	why        func() *rejection // explains a rejection, nil if the reason is a limit; nil if accepted
}

// findingOn returns j's finding on w: that of judgeProduction if j judges by one production, with its panic.
// Otherwise a string that only the generic production derives is rejected, unless j.Generic is set. In an accepted
// string, a component that no production sets is absent. But RFC 1630's uri, which derives all schemes that have no
// production of their own, has no host: for these nothing is said of a host, or of where a path begins.
func (j Judge) findingOn(w string) finding {
	if !j.judgesURLs() {
		return j.judgeProduction(w)
	}
	v := catalog.PublishedAs(j.Grammar).Check(w)
	if len(j.Schemes) > 0 && v.Accepted && !slices.Contains(j.Schemes, v.Scheme) {
		return finding{elsewhere: true}
	}
	if !v.Accepted || v.GenericOnly && !j.Generic {
		return finding{why: func() *rejection { return newRejection(v.Why()) }}
	}
	f := finding{accepted: true}
	for c := range UserInfo { // all of RFC 1738; the userinfo is derived from them
		if !v.NoProduction || c == Scheme || c >= Search {
			f.components[c] = None
		}
	}
	f.takeApart(v.Tree, false)
	return f
}

// judgeProduction returns j's finding by its production alone. If the tree of a string exceeds the limits of
// package ast, it panics so that [budget.Catch] sets the error: such a string is not judged. With j.Named, the
// finding has those components and no others. Without it, it has the components of URLs: in a string with a scheme,
// or a reference whose tree has a path, a component that is not there is absent; in any other string nothing is said
// of it.
func (j Judge) judgeProduction(w string) finding {
	if !j.Grammar.Accept(j.startProduction(), w) {
		return finding{why: func() *rejection { return j.explain(w) }}
	}
	if j.Named != nil && len(j.Named) == 0 { // nobody asks for the tree, which may cost more than the verdict
		return finding{accepted: true, named: map[string]Value{}}
	}
	tree, err := j.Grammar.Derive(j.startProduction(), w)
	if err != nil {
		panic(budget.Stopped(err))
	}
	f := finding{accepted: true}
	if j.Named != nil {
		f.named = map[string]Value{}
		for _, k := range j.Named {
			f.named[j.Grammar.Production(k).Name] = None
		}
		for _, c := range vectors.NamedComponents(tree, j.Named) {
			f.named[c.Name] = Is(c.Value)
		}
		return f
	}
	if j.judgesReferences() {
		f.takeApart(tree, true)
		// A tree without a path, such as one of a host, cannot show that a component is absent.
		if f.components[Path].Said {
			for _, c := range uriParts {
				f.components[c].Said = true
			}
		}
		return f
	}
	for c := range UserInfo { // as in findingOn
		f.components[c] = None
	}
	f.takeApart(tree, false)
	if !f.components[Scheme].Present {
		for c := range components {
			f.components[c].Said = f.components[c].Present
		}
	}
	return f
}

// uriParts are the components of RFC 3986.
var uriParts = []Component{Scheme, UserInfo, Host, Port, Path, Search, Fragment}

// takeApart sets the components that a tree has: all of them, or only those already marked as Said.
func (f *finding) takeApart(t *ast.Tree, all bool) {
	for _, c := range vectors.Components(t) {
		if i, ok := componentNamed(c.Name); ok && (all || f.components[i].Said) {
			f.components[i] = Is(c.Value)
		}
	}
}

// A transition of the grammar's explanation automaton: the class of the byte read in a state, or end.
type transition struct {
	state uint16
	class int16
}

// Classes of a transition that are no class of bytes. They are also the classes of a key, see letters.
const (
	end     = -1 // the end of the input
	nowhere = -2 // no place at all: a whole component is absent, empty or not expected
)

// transitionsOf returns the transitions that the automaton takes over w from a production's start, with the
// end of the input last, and the production whose automaton it is. It stops after the first transition into
// the dead state, so there is always one.
//
// If the grammar has no such automata (see [explains]), the transitions are the productions in the tree of w,
// in the place of states.
func transitionsOf(g *ast.Grammar, start ast.Kind, w string) (taken []transition, explained ast.Kind) {
	if !explains(g) {
		return productionsIn(g, start, w), start
	}
	m := g.Machine()
	from := m.Start(start, w)
	q := from.State
	for i := range len(w) {
		taken = append(taken, transition{q, int16(m.Class(w[i]))})
		q = m.Step(q, w[i])
		if q == 0 {
			return taken, from.Explained
		}
	}
	return append(taken, transition{q, end}), from.Explained
}

// explains reports whether the grammar has automata that explain rejections; one that is too large has none.
func explains(g *ast.Grammar) bool { return g.Tables != nil }

// productionsIn returns one transition for each production in the tree of w, the start first. Its class is end,
// wherever in w the production is. productionsIn returns the start alone if w has no tree.
func productionsIn(g *ast.Grammar, start ast.Kind, w string) (taken []transition) {
	taken = []transition{{uint16(start), end}}
	tree, err := g.Derive(start, w)
	if err != nil {
		return taken
	}
	seen := map[transition]bool{taken[0]: true} // a tree may have thousands of productions
	for _, n := range tree.Root().All() {
		if t := (transition{uint16(n.Kind()), end}); !seen[t] {
			seen[t] = true
			taken = append(taken, t)
		}
	}
	return taken
}

// readerOf returns the innermost production that reads byte x in the state of t, and the RFC's name of the
// term it reads there. If none reads x, it returns 0 and the byte in quotes.
func readerOf(g *ast.Grammar, t transition, x byte) (in ast.Kind, term string) {
	for _, e := range g.Machine().Expected(t.state) {
		if e.First.Has(x) && len(e.In) > 0 {
			return e.In[0], e.Term
		}
	}
	return 0, ast.Quote(string([]byte{x}))
}
