package diff

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A derivesChange adds words to the language of a production. It explains nearly every difference inside a production,
// and so is told only if no other change is.
type derivesChange struct {
	grammarChange
	words []string
}

func (derivesChange) feature() Feature { return Derives }

func (derivesChange) key(e *edit) string { return e.rule.ID }

func (c derivesChange) join(other change) change {
	c.words = joinWords(c.words, other.(derivesChange).words)
	return c
}

// spelled is part of [change]; nothing is spelled.
func (derivesChange) spelled() []*expr.Expr { return nil }

// rewrite adds each word as an alternative of the production.
func (c derivesChange) rewrite(e *edit, _ *expr.Grammar, _ string) rewriting {
	return rewriting{rule: func(r *expr.Rule, body *expr.Expr) *expr.Expr {
		if r.ID == e.rule.ID {
			for _, word := range c.words {
				body = expr.Or(body, expr.Lit(word))
			}
		}
		return body
	}}
}

// tell names the production, and up to three of the strings that only the side that goes on derives from it.
func (c derivesChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Text = listSome(c.words, t.goes.side.Grammar.Quote)
	text := fmt.Sprintf(" derives %s from %s", claim.Text, claim.Where)
	if t.goes.side.Model {
		text = fmt.Sprintf(" derives %s where %s in %s does not", claim.Text, t.b, claim.Other)
	}
	return sentence{Claim: claim, text: text}
}

// findDerives adds to x.found the edit with which x's common production also derives its part of the witness.
// It adds none if that is the start production, where the edit would only repeat the witness.
func (x *explainer) findDerives() {
	if x.common != x.stops.rule {
		words := []string{x.goes.s[x.from:x.to]}
		x.found = append(x.found, edit{
			change: derivesChange{words: words},
			rule:   x.common,
			other:  x.commonOther,
			rank:   9,
		})
	}
}
