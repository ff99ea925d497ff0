package bnf

import (
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A grammar of W3C's specifications may be one of tokens. The tool of its editors has two lines for that: after
// "@terminals" stand terminals alone, and "@pass ::= expression" says what may stand between two of them. On a page a
// heading speaks of terminals instead.

// passName is the name under which what may stand between terminals is read. No production of a text has it.
const passName = "@pass"

// Keywords is which quoted strings of a grammar of tokens match either case. The notation has none, and the texts of
// its grammars say so in words.
type Keywords int

// The readings of keywords.
const (
	ExactKeywords  Keywords = iota // none
	DoubleKeywords                 // those in double quotes, as in Turtle
	WordKeywords                   // those of two letters or more, as in SPARQL, where "a" matches one case
)

// KeywordsNames are the names of the readings, in the order of their constants.
var KeywordsNames = []string{"exact", "double", "words"}

// ParseKeywords returns the reading with a name; the error for any other name lists those that there are.
func ParseKeywords(name string) (Keywords, error) {
	i, err := indexOfName("keywords", name, KeywordsNames)
	return Keywords(i), err
}

// String returns the name of the reading.
func (k Keywords) String() string { return KeywordsNames[k] }

// keyword returns e, a quoted string, so that it matches either case if r.Tokens is set and r.Keywords says so for
// this quotation mark and string, and e itself otherwise. A string that is changed is one terminal for messages, named
// by its text with the quotation marks.
func (r *readerEBNF) keyword(quote byte, e *expr.Expr) *expr.Expr {
	letters := len(e.Lit) - len(strings.Map(func(c rune) rune {
		if c < 0x80 && isLetter(byte(c)) {
			return -1
		}
		return c
	}, e.Lit))
	folds := r.Keywords == DoubleKeywords && quote == '"' && letters > 0 || r.Keywords == WordKeywords && letters > 1
	if !r.Tokens || !folds {
		return e
	}
	pos, text := e.Pos, string(quote)+e.Lit+string(quote)
	e = placed(foldLiteral(e, len(e.Lit)), pos)
	e.Chars = text // so that it is one terminal
	return e
}

// Terminals says what a document declares about its terminals.
type Terminals struct {
	// Pass derives what may stand between two terminals, any number of times; nil if the document does not say.
	Pass *expr.Expr
	// From is the line after which all productions are terminals; 0 if there is none.
	From int
	// ByWhiteSpace is the production for white space that is taken for Pass, since the document does not say; "" if
	// it does.
	ByWhiteSpace string
}

// Is reports whether a production is a terminal: one after the line, or else one whose name is in capitals.
func (t *Terminals) Is(r *expr.Rule) bool {
	if t.From > 0 {
		return r.Pos.Line > t.From
	}
	return inCapitals(r.Name)
}

// inCapitals reports whether a name has a letter, and none that is lower-case.
func inCapitals(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

var (
	directivePass    = pattern(`^\s*@pass\b[ \t]*(?:::=)?`)
	headingTerminals = pattern(`\v[^\f]*\b[Tt]erminals?\b[^\f]*\f`)
)

// whiteSpaceNames are the names that grammars of tokens have for white space, the likeliest first.
var whiteSpaceNames = []string{"PASSED_TOKENS", "WS", "WHITESPACE", "WHITE_SPACE", "S", "Whitespace"}

// takePass returns what the document declares about its terminals; from is the line after which they stand. It
// removes the production named passName from g's rules. If there is none, a production for white space serves as
// Pass, which ByWhiteSpace names, and Pass is nil without one.
func takePass(g *expr.Grammar, from int) *Terminals {
	t := &Terminals{From: from}
	if r := g.Rule(passName); r != nil {
		t.Pass = r.Expr
		g.Rules = slices.DeleteFunc(g.Rules, func(r *expr.Rule) bool { return r.ID == passName })
		return t
	}
	for _, name := range whiteSpaceNames {
		if r := g.Rule(name); r != nil {
			t.Pass, t.ByWhiteSpace = expr.To(name), name
			return t
		}
	}
	return t
}

// LooksTokenized reports whether a grammar in [EBNF] looks like one of tokens: its other productions use some that
// are named in capitals, of two letters or more, and none of them uses white space. It is false for any other
// notation.
func LooksTokenized(g *expr.Grammar) bool {
	if g.Notation != EBNF {
		return false
	}
	terminals, spaced := map[string]bool{}, false
	for _, r := range g.Rules {
		if inCapitals(r.Name) {
			continue
		}
		for _, id := range r.Uses() {
			if to := g.Rule(id); to != nil && inCapitals(to.Name) && len(to.Name) > 1 {
				terminals[id] = true
			}
			spaced = spaced || slices.Contains(whiteSpaceNames, id)
		}
	}
	return len(terminals) > 0 && !spaced
}
