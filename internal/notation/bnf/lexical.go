package bnf

import (
	"slices"
	"sync"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Lexical returns which productions of g are no nodes of a tree, where the user has not said: the core rules of ABNF,
// those that derive single characters ([DerivesCharacter]), and those that only such productions use. What messages
// expect where such a production is read is its name.
func Lexical(g *expr.Grammar) func(id string) bool { return LexicalBut(g, "") }

// LexicalBut is [Lexical] with one production, node, that is a node although only lexical productions use it. If it is
// a core rule or derives single characters it is no node all the same. A production that no other uses is a node
// unless it is one of these. The function returned is false for an ID that g does not have.
func LexicalBut(g *expr.Grammar, node string) func(id string) bool {
	characters := characterRules(g)
	lexical := map[string]bool{}
	for _, r := range g.Rules {
		lexical[r.ID] = IsCore(r) || characters(r)
	}
	users, used := g.Users(), g.UsedByOthers()
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			outside := slices.ContainsFunc(users[r.ID],
				func(user string) bool { return user != r.ID && !lexical[user] })
			if used[r.ID] && r.ID != node && !outside && !lexical[r.ID] {
				lexical[r.ID], changed = true, true
			}
		}
	}
	return func(id string) bool { return lexical[id] }
}

// characterRules returns a function that reports whether a rule of g derives single characters. What the rules of a PEG
// match is not asked of an automaton, but seen by their form.
func characterRules(g *expr.Grammar) func(r *expr.Rule) bool {
	if g.Ordered {
		token := expr.Tokens(g)
		return func(r *expr.Rule) bool { return token(r.ID) }
	}
	longest := map[string]int{}
	return func(r *expr.Rule) bool { return derivesCharacter(g, r, longest) }
}

// DerivesCharacter reports whether a production of g, which must not be ordered, derives single characters and
// nothing else, and at least one. A character is a byte, the UTF-8 encoding of one, or an escape for one: "%" and two
// hexadecimal digits, or a backslash and what makes one character with it. It is false if an automaton is too large.
func DerivesCharacter(g *expr.Grammar, r *expr.Rule) bool {
	return derivesCharacter(g, r, map[string]int{})
}

// longestCharacter is the length of the longest escape, \U0010FFFF.
const longestCharacter = 10

// derivesCharacter is [DerivesCharacter]. longest is the memory of [expr.Grammar.Longest].
func derivesCharacter(g *expr.Grammar, r *expr.Rule, longest map[string]int) bool {
	// Most productions derive longer strings. That is known without an automaton.
	if g.Longest(r.Expr, longestCharacter+1, longest) > longestCharacter {
		return false
	}
	d, err := lang.FromBNF(g, r.ID)
	return err == nil && d.Subset(characterLanguage()) && !d.Equal(lang.Empty())
}

// characterLanguage returns the automaton of a single character: see [DerivesCharacter].
var characterLanguage = sync.OnceValue(func() *lang.DFA {
	hex := expr.In(expr.Bytes("0123456789ABCDEFabcdef"))
	between := func(lo, hi byte) *expr.Expr { return expr.In(expr.Range(lo, hi)) }
	tail := between(0x80, 0xbf) // of UTF-8
	one := expr.Or(
		expr.In(expr.AnyByte),
		expr.Cat(between(0xc2, 0xdf), tail),
		expr.Cat(between(0xe0, 0xef), tail, tail),
		expr.Cat(between(0xf0, 0xf4), tail, tail, tail),
		expr.Cat(expr.Lit("%"), hex, hex),
		expr.Cat(expr.Lit(`\`), expr.In(expr.AnyByte)),
		expr.Cat(expr.Lit(`\`), expr.In(expr.Bytes("uUx")), expr.Times(hex, 2, 8)),
	)
	rule := &expr.Rule{ID: "character", Name: "character", Expr: one}
	g := &expr.Grammar{Name: "characters", Rules: []*expr.Rule{rule}}
	d, err := lang.FromBNF(g, rule.ID)
	if err != nil {
		return lang.Empty()
	}
	return d
})
