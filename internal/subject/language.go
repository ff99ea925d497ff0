package subject

import "github.com/bnfcheck/bnfcheck/internal/expr"

// A Language is the strings that a production derives in an unordered grammar.
type Language struct {
	Grammar    *expr.Grammar
	Production string // its ID or, where that is unique, its name

	// Prefix leaves only those strings that begin with it.
	Prefix string

	// Reading is in a few words how the grammar is read, where that is not as usual: "as printed".
	Reading string

	// Lexical reports whether a production is a term to a reader, "uchar" instead of the characters in it. Where it is nil,
	// these are the productions that derive single characters or escapes.
	Lexical func(id string) bool
}
