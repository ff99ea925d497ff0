package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A hasChange is an alternative of a production that the other side does not have, or has with its parts in another
// order.
type hasChange struct {
	grammarChange
	run       []*expr.Expr // the alternative, or one expression with several
	reordered bool         // the other side has its parts in another order
}

func (hasChange) feature() Feature { return Has }

func (c hasChange) key(e *edit) string { return fmt.Sprint(e.rule.ID, " ", c.run) }

// join is part of [change]; the other says nothing more.
func (c hasChange) join(change) change { return c }

// spelled is part of [change]; the sentence spells all of c.run.
func (c hasChange) spelled() []*expr.Expr { return c.run }

// rewrite adds the alternative to the production. It also adds copies of the other side's production with all that it
// uses, for the alternative to refer to.
func (c hasChange) rewrite(e *edit, goes *expr.Grammar, prefix string) rewriting {
	return rewriting{
		rule: func(r *expr.Rule, body *expr.Expr) *expr.Expr {
			if r.ID == e.rule.ID {
				return expr.Or(body, prefixRefs(expr.Cat(c.run...), prefix, nil))
			}
			return body
		},
		rules: copyWithUses(goes, e.other.ID, prefix, nil),
	}
}

// tell names the alternatives, or says that the parts of the production have another order.
func (c hasChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Text = t.goes.spell(c.run)
	text := fmt.Sprintf(" has the alternative %s in %s", claim.Text, claim.Where)
	if c.run[0].Op == expr.Alt {
		text = fmt.Sprintf(" has the alternatives %s in %s", claim.Text, claim.Where)
	}
	if c.reordered {
		text = fmt.Sprintf(" has the parts of %s in another order", claim.Where)
	}
	return sentence{Claim: claim, text: text}
}

// compareAlternatives calls add with a hasChange for each alternative that other has and r, its namesake, does not
// have in these words. There are two kinds: one that r has with its parts in another order, and, if other has all
// alternatives of r, one that is new. A new one is left out if it uses no production, which [Derives] tells, or may
// be a single byte, which [Allows] tells.
func compareAlternatives(goes, stops *tracker, r, other *expr.Rule, add func(edit)) {
	less, more := stops.alternativesByText(r), goes.alternativesByText(other)
	for text := range more {
		if less[text] != nil {
			delete(less, text)
			delete(more, text)
		}
	}
	parts := func(t *tracker, e *expr.Expr) string {
		var texts []string
		for _, s := range e.Sub {
			texts = append(texts, t.lowerNames(s).String())
		}
		slices.Sort(texts)
		return strings.Join(texts, "\n")
	}
	orders := map[string]bool{} // the sequences that only r has, with their parts sorted
	for _, of := range less {
		if of.Op == expr.Seq {
			orders[parts(stops, of)] = true
		}
	}
	for _, text := range slices.Sorted(maps.Keys(more)) {
		of := more[text]
		reordered := of.Op == expr.Seq && orders[parts(goes, of)]
		isNew := len(less) == 0 && len(expr.Refs(of)) > 0 && goes.singleBytes(of).IsEmpty()
		if reordered || isNew {
			c := hasChange{run: []*expr.Expr{of}, reordered: reordered}
			add(edit{change: c, rule: r, other: other, rank: 3})
		}
	}
}
