package catalog

import (
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/results"
	"github.com/bnfcheck/bnfcheck/internal/notation/regex"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Language is the set of strings that a production derives, or that a rule of an ordered grammar matches as a
// whole.
type Language struct {
	Grammar    *expr.Grammar
	Production string // its ID or, if that is unique, its name

	// Prefix limits the language to the strings that begin with it.
	Prefix string

	// Reading tells in a few words how the grammar is read, such as "as printed"; "" if as usual.
	Reading string

	// Deeper reports whether the production derives a string at any depth; known is false if that takes too much.
	// It is nil if Grammar is not read to a depth.
	Deeper func(w string) (yes, known bool)

	// File reports that the grammar is a user's file, so that its productions are cited by file and line.
	File bool

	// Exact is the language, if Grammar derives more and only serves to find places; otherwise it is nil.
	Exact *lang.DFA

	// expression is the regular expression that the language is from, or nil; match tells which strings that stands
	// for.
	expression *regex.Regex
	match      regex.Match

	// Model reports that the grammar was made of an automaton: its productions are states, and no sentence names
	// them.
	Model bool

	// Lexical reports whether a production is a term to a reader, "uchar" instead of the characters in it. If it is
	// nil, the terms are the productions that derive single characters or escapes.
	Lexical func(id string) bool
}

// Cite returns where the last of a path of productions is printed. For a published text that is a citation, as of
// [CiteInner], and the place is zero. For a user's file it is the place, and the citation is zero; l.Production must
// then be an ID. Its place is returned if there is no path, or if the last name is not that of one production.
func (l Language) Cite(title, section string, path []string) (results.Citation, results.Place) {
	if !l.File {
		return CiteInner(l.Grammar.Name, title, l.Production, section, path), results.Place{}
	}
	r := l.Grammar.Rule(l.Production)
	if len(path) > 0 {
		if inner, err := l.Grammar.Lookup(path[len(path)-1]); err == nil {
			r = inner
		}
	}
	return results.Citation{}, PlaceOf(r.Pos)
}

// WhyTooLarge returns err, which occurred while the automaton was made. If err is a passed limit, and the reason is
// an expression without an anchor, it says so.
func (l Language) WhyTooLarge(err error) error {
	if l.expression == nil || l.match != regex.Search {
		return err
	}
	return whyTooLarge(l.expression, err, l.Grammar.Budget)
}

// A NothingError reports that a language has no string, with the place that is the reason.
type NothingError struct{ err error }

func (e *NothingError) Error() string { return e.err.Error() }
func (e *NothingError) Unwrap() error { return e.err }

// Nothing returns the [NothingError] of a language. The caller must know that it has no string, or none that is text.
// If the production does not exist, or the search for the reason fails, it returns that error.
func (l Language) Nothing() error {
	r, err := l.Grammar.Lookup(l.Production)
	if err != nil {
		return err
	}
	if l.expression != nil {
		at, text := l.expression.Nothing(l.Grammar.Budget)
		return &NothingError{expr.Errorf(at, "%s matches no string, and there is nothing to compare: nothing "+
			"matches from `%s` on", l.Grammar.Title, text)}
	}
	does := "derives"
	if l.Grammar.Ordered {
		does = "matches"
	}
	why, err := lang.FindNothing(l.Grammar, r.ID, lang.Limits{})
	if err != nil {
		return err
	}
	if why == nil {
		return &NothingError{expr.Errorf(r.Pos, "`%s` %s no string that is UTF-8, as the strings of the other "+
			"side are, and there is nothing to compare", r.Label(), does)}
	}
	to := ""
	if l.Reading != "" {
		to = ", read " + l.Reading
	}
	return &NothingError{expr.Errorf(why.Pos, "`%s` %s no string%s, and there is nothing to compare: %s", r.Label(),
		does, to, why.Why)}
}

// PlaceOf returns a place in a grammar's file in the form of results.
func PlaceOf(pos expr.Pos) results.Place {
	return results.Place{File: pos.File, Line: pos.Line, Column: pos.Col}
}
