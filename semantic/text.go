package semantic

import (
	"strings"
	"sync"

	"github.com/bnfcheck/bnfcheck"
	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/citation"
)

// A text is one of the published texts: a grammar, and the prose around it. The prose is data, the sentences of the
// text. So a draft is described by its own sentences and its own grammar, and by the rules that no other text has.
type text struct {
	name  string // as in the IDs of rules and the keys of sentences: "1738", "draft06"
	index int    // among texts
	roles *cast

	// asks holds the names of behaviors that not every text asks for: a row "operation, URL.Canonical/ftp-slash" adds
	// ftp-slash.
	asks map[string]bool

	unsafe     ast.ByteSet // see [Component.Unsafe]
	components func() *componentTable
}

// texts are those of the published grammars.
var texts = publishedTexts()

// publishedTexts returns the texts, with what their sentences ask for.
func publishedTexts() (list []*text) {
	for _, g := range bnfcheck.Grammars() {
		t := &text{name: textName(g), index: len(list), roles: newCast(g.Grammar), asks: map[string]bool{}}
		t.components = sync.OnceValue(func() *componentTable { return componentsOf(t) })
		list = append(list, t)
	}
	for _, s := range sentences {
		if _, name, ok := strings.Cut(s.By, "/"); ok && (s.Became == becameOperation || s.Became == becameDerived) {
			for _, t := range list {
				if t.name == s.Text {
					t.asks[name] = true
				}
			}
		}
	}
	for _, t := range list {
		if t.asks["unsafe"] {
			t.unsafe = unsafeCharacters(t.roles.grammar)
		}
	}
	return list
}

// textOf returns the text of a grammar. A grammar that is not published, such as another reading of a published one,
// has the first text of its family. textOf returns nil for a grammar of no family of URLs: that of RFC 3986 has
// references.
func textOf(g *ast.Grammar) *text {
	for _, t := range texts {
		if t.roles.grammar == g && t.roles.hasURLs() {
			return t
		}
	}
	c := newCast(g)
	for _, t := range texts {
		if c.hasURLs() && t.roles.family == c.family {
			other := *t
			other.roles = c
			other.components = sync.OnceValue(func() *componentTable { return componentsOf(&other) })
			return &other
		}
	}
	return nil
}

// textNamed returns the text with this name, nil where there is none.
func textNamed(name string) *text {
	for _, t := range texts {
		if t.name == name {
			return t
		}
	}
	return nil
}

// familyNamed returns the family of the text with a name, and 0 if there is none.
func familyNamed(name string) Family {
	if t := textNamed(name); t != nil {
		return t.roles.family
	}
	return 0
}

// title returns the title of the text in citations: "RFC 1738".
func (t *text) title() string { return t.roles.grammar.Title }

// cite returns a section as it is cited: by its number, or by its heading where the text numbers none.
func (t *text) cite(section string) string {
	return citation.Place{Title: t.title(), Section: section}.String()
}
