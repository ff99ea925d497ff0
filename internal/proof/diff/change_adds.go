package diff

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An addsChange adds a run of parts that only the side that goes on has.
type addsChange struct {
	grammarChange
	run []*expr.Expr // the parts added, as the side that goes on has them
	at  []lang.Span  // the parts of the other grammar after which it comes
}

func (addsChange) feature() Feature { return Adds }

func (c addsChange) key(e *edit) string { return fmt.Sprint(e.other.ID, " ", c.run) }

// join returns c with the places of other as well; the runs are equal. Places that differ only in At are one: however
// much of a literal a span covers, the run is added after all of it.
func (c addsChange) join(other change) change {
	for _, at := range other.(addsChange).at {
		known := slices.ContainsFunc(c.at, func(s lang.Span) bool { return s.Of == at.Of && s.I == at.I })
		if !known {
			c.at = append(slices.Clip(c.at), at)
		}
	}
	return c
}

// spelled is part of [change]; the sentence spells all of c.run.
func (c addsChange) spelled() []*expr.Expr { return c.run }

// rewrite adds the run as an option at each place of c.at, and copies of the production that it is from and of all
// that this uses. A place is the end of the whole start production (rule), after a part that is no sequence (part), or
// in a sequence (added).
func (c addsChange) rewrite(e *edit, goes *expr.Grammar, prefix string) rewriting {
	more := func() *expr.Expr { return expr.Opt(prefixRefs(expr.Cat(c.run...), prefix, nil)) }
	return rewriting{
		rule: func(r *expr.Rule, body *expr.Expr) *expr.Expr {
			// A span with no production around it is the use of the start: the end of its whole expression.
			atEnd := func(at lang.Span) bool { return at.In == nil && at.Of.Name == r.ID }
			if slices.ContainsFunc(c.at, atEnd) {
				return expr.Cat(body, more())
			}
			return body
		},
		part: func(old, body *expr.Expr) *expr.Expr {
			for _, at := range c.at {
				if at.Of == old {
					body = expr.Cat(body, more())
				}
			}
			return body
		},
		added: func(sequence *expr.Expr, i int) *expr.Expr {
			here := func(at lang.Span) bool { return at.Of == sequence && at.I == i }
			if slices.ContainsFunc(c.at, here) {
				return more()
			}
			return nil
		},
		rules: copyWithUses(goes, e.other.ID, prefix, nil),
	}
}

// isClear reports whether the addition is in a production that both sides have, or in the start.
func (addsChange) isClear(e *edit, goes, stops *tracker) bool {
	return e.other == goes.rule || stops.namesake(e.other) != nil
}

// places returns the states after the parts that the addition follows. ok is always true.
func (c addsChange) places(_ *edit, stops *tracker) (states []int32, ok bool) {
	for _, span := range stops.nfa.Spans {
		here := func(at lang.Span) bool { return at.Of == span.Of && at.I == span.I && at.At == span.At }
		if slices.ContainsFunc(c.at, here) {
			states = append(states, span.To)
		}
	}
	return states, true
}

func (c addsChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Text = t.goes.spell(c.run)
	text := fmt.Sprintf(" adds %s%s", claim.Text, t.goes.whereIn(claim.Where))
	return sentence{Claim: claim, text: text}
}

// An addition is an edit that adds what the side that goes on reads up to an offset, with its first span. The edit has
// no rule until findAdds has found a place for it.
type addition struct {
	edit
	run   []*expr.Expr
	end   int
	first lang.Span
}

// findAdds adds to x.found edits that add what the side that goes on reads from the parting on, inside x's common
// production, if the other side accepts the rest of the witness after that. Each adds it at one place, the outermost.
// An addition that does not begin inside x.commonOther is left out. x.common and x.commonOther must be set.
func (x *explainer) findAdds() {
	for _, more := range x.additionsAt(x.at) {
		e := more.edit
		run := more.run
		if x.common == x.stops.rule && isMarkedOption(run) {
			e.rank = 3
		}
		for _, p := range x.stops.before[x.at] {
			for _, span := range x.stops.spansTo(p) {
				if !x.stops.acceptsFrom(p, more.end) || !isInside(span, x.common.ID) {
					continue
				}
				if d := depthOf(span.In); e.rule == nil || d < e.depth { // the outermost place
					e.change = addsChange{run: run, at: []lang.Span{span}}
					e.rule, e.depth = x.stops.ruleAround(span), d
				}
			}
		}
		if e.rule != nil && isInside(more.first, x.commonOther.ID) {
			x.found = append(x.found, e)
		}
	}
}

// isMarkedOption reports whether a run is one option that begins with a fixed text: [ "?" query ].
func isMarkedOption(run []*expr.Expr) bool {
	if len(run) != 1 || run[0].Op != expr.Repeat || run[0].Min != 0 || run[0].Max != 1 {
		return false
	}
	body := run[0].Sub[0]
	return body.Op == expr.Literal || body.Op == expr.Seq && body.Sub[0].Op == expr.Literal
}

// additionsAt lists the parts that the side that goes on reads from offset i on, in productions that the other side
// does not have, or has with another text. After a part it can go on to the end of the witness. Runs of several parts
// that begin or end with an optional one are left out. The edits have no rule and no place yet: these are for the
// caller to find. The list is kept in x.added, so it must not be changed.
func (x *explainer) additionsAt(i int) (list []addition) {
	if list, ok := x.added[i]; ok {
		return list
	}
	for _, q := range x.goes.before[i] {
		x.goes.eachRun(q, func(first lang.Span, run []*expr.Expr, to int32) {
			at := x.goes.ruleAround(first)
			if len(run) > 1 && (isOptional(run[0]) || isOptional(run[len(run)-1])) {
				return
			}
			if same := x.stops.namesake(at); same != nil && x.stops.definitionText(same) == x.goes.definitionText(at) {
				return
			}
			inside := func(e *lang.Edge, b byte) bool { return e.Set.Has(b) && isInOrUsedIn(e.In, first.In) }
			for n, states := range x.goes.statesFrom(q, i, inside) {
				if n > 0 && slices.Contains(states, to) && x.goes.acceptsFrom(to, i+n) {
					e := edit{change: addsChange{run: run}, other: at, rank: 6}
					list = append(list, addition{e, run, i + n, first})
				}
			}
		})
	}
	x.added[i] = list
	return list
}
