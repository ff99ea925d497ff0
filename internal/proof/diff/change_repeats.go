package diff

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A repeatsChange is a part that the two sides repeat other numbers of times.
type repeatsChange struct {
	grammarChange
	run  []*expr.Expr // what is repeated, on the side that goes on
	goes *expr.Expr   // the repetition of the side that goes on
	old  *expr.Expr   // that of the side that stops, which is changed
}

func (repeatsChange) feature() Feature { return Repeats }

func (c repeatsChange) key(e *edit) string { return fmt.Sprint(e.rule.ID, " ", c.run) }

// join is part of [change]; the other says nothing more.
func (c repeatsChange) join(change) change { return c }

// spelled is part of [change]; the sentence spells all of c.run.
func (c repeatsChange) spelled() []*expr.Expr { return c.run }

// rewrite lets the part be repeated as often as on the other side, too. An old that asRepetition made stands in no
// definition, so nothing is replaced; the edit then has its whole.
func (c repeatsChange) rewrite(*edit, *expr.Grammar, string) rewriting {
	return rewriting{part: func(old, body *expr.Expr) *expr.Expr {
		if old == c.old {
			return expr.Or(body, expr.Times(body.Sub[0], c.goes.Min, c.goes.Max))
		}
		return body
	}}
}

func (c repeatsChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Text = t.goes.spell(c.run)
	text := fmt.Sprintf(" repeats %s%s %s, %s %s",
		claim.Text, t.goes.whereIn(claim.Where), timesText(c.goes), t.b, timesText(c.old))
	return sentence{Claim: claim, text: text}
}

// timesText returns how often a repetition repeats, in words.
func timesText(e *expr.Expr) string {
	switch {
	case e.Min == 0 && e.Max == expr.Unbounded:
		return "any number of times"
	case e.Max == expr.Unbounded:
		return fmt.Sprintf("at least %s", layout.Plural(e.Min, "time"))
	case e.Min == 0:
		return fmt.Sprintf("at most %s", layout.Plural(e.Max, "time"))
	case e.Min == e.Max:
		return layout.Plural(e.Min, "time")
	}
	return fmt.Sprintf("%d to %d times", e.Min, e.Max)
}

// compareRepetitions calls add for each part that r and other repeat other numbers of times, such that other allows a
// number that r does not. Parts are compared by their texts; one that a side repeats at several places is left out.
func compareRepetitions(r, other *expr.Rule, add func(edit)) {
	here, there := repetitions(r), repetitions(other)
	for _, of := range slices.Sorted(maps.Keys(here)) {
		old, goes := here[of], there[of]
		if old == nil || goes == nil {
			continue
		}
		found := edit{
			change: repeatsChange{run: goes.Sub, goes: goes, old: old},
			rule:   r,
			other:  other,
		}
		more := old.Max != expr.Unbounded && (goes.Max == expr.Unbounded || old.Max < goes.Max)
		switch {
		case !more && old.Min <= goes.Min:
			continue
		case goes.Min == 0 && goes.Max == old.Max: // only a missing part is new, which is omitted
			found.rank = 8
		}
		add(found)
	}
}

// repetitions returns the repetitions in r by the text of their bodies; nil for a body that is repeated at several
// places.
func repetitions(r *expr.Rule) map[string]*expr.Expr {
	all := map[string]*expr.Expr{}
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		if e.Op == expr.Repeat {
			of := e.Sub[0].String()
			if _, twice := all[of]; twice {
				e = nil
			}
			all[of] = e
		}
		return true
	})
	return all
}
