package semantic

import "slices"

// Stable reports whether u's canonical form has all its edits, and none was given up because it would be read in
// another way.
func Stable(u *URL) bool {
	_, l := u.canonical(nil)
	return l == everything
}

// DefaultPort returns the default port of u's scheme, 0 if it has none.
func DefaultPort(u *URL) int { return u.defaultPort }

// What the tests compare with the texts.
type Sentence = sentence

const (
	BecameRule      = becameRule
	BecameDefault   = becameDefault
	BecameDerived   = becameDerived
	BecameOperation = becameOperation
	BecameGrammar   = becameGrammar
	BecameDecision  = becameDecision
	Uncheckable     = uncheckable
)

// Sentences returns the sentences of all texts.
func Sentences() []Sentence { return slices.Clone(sentences) }
