package diff

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A replacesChange is a part of a production where the other side has another part. [editInOnePlace] finds
// it, with the whole definition that is taken over, so it changes no grammar by itself.
type replacesChange struct {
	grammarChange
	run     []*expr.Expr // of the side that goes on
	instead *expr.Expr   // what the side that stops has there
}

func (replacesChange) feature() Feature { return Replaces }

func (c replacesChange) key(e *edit) string { return fmt.Sprint(e.rule.ID, " ", c.run) }

// join is part of [change]; the other says nothing more.
func (c replacesChange) join(change) change { return c }

// spelled is part of [change]; the sentence spells all of c.run.
func (c replacesChange) spelled() []*expr.Expr { return c.run }

// rewrite is part of [change]; nothing is changed.
func (replacesChange) rewrite(*edit, *expr.Grammar, string) rewriting { return rewriting{} }

func (c replacesChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Text = t.goes.spell(c.run)
	instead := t.stops.spell([]*expr.Expr{c.instead})
	text := fmt.Sprintf(" has %s in %s where %s has %s", claim.Text, claim.Where, t.b, instead)
	return sentence{Claim: claim, text: text}
}
