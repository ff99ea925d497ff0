package bnf

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Lexical returns which productions of g are no nodes of a tree, where the user has not said: the core rules of ABNF,
// those that derive single characters ([expr.Tokens]), and those that only such productions use.
func Lexical(g *expr.Grammar) func(id string) bool {
	token := expr.Tokens(g)
	return LexicalBut(g, "", func(r *expr.Rule) bool { return token(r.ID) })
}

// LexicalBut is [Lexical] with another test for deriving a single character, and with one production, node, that is a
// node in any case.
func LexicalBut(g *expr.Grammar, node string, character func(r *expr.Rule) bool) func(id string) bool {
	lexical := map[string]bool{}
	for _, r := range g.Rules {
		lexical[r.ID] = IsCore(r) || character(r)
	}
	users, used := g.Users(), g.UsedByOthers()
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			outside := slices.ContainsFunc(users[r.ID], func(user string) bool { return user != r.ID && !lexical[user] })
			if used[r.ID] && r.ID != node && !outside && !lexical[r.ID] {
				lexical[r.ID], changed = true, true
			}
		}
	}
	return func(id string) bool { return lexical[id] }
}
