package diff

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An omitsChange makes a part optional that the side that stops needs.
type omitsChange struct {
	grammarChange
	run []*expr.Expr // the parts that may be missing; nil for all of the production
	at  []lang.Span  // the span at which run begins
}

func (omitsChange) feature() Feature { return Omits }

func (c omitsChange) key(e *edit) string {
	key := fmt.Sprint(e.rule.ID, " ", c.run)
	if len(c.at) > 0 {
		key += fmt.Sprint(c.at[0].I, " ", c.at[0].At)
	}
	return key
}

// join is part of [change]; the other says nothing more.
func (c omitsChange) join(change) change { return c }

// spelled is part of [change]; the sentence spells all of c.run.
func (c omitsChange) spelled() []*expr.Expr { return c.run }

// rewrite makes run optional where it begins, or all of the production if run is nil.
func (c omitsChange) rewrite(e *edit, _ *expr.Grammar, _ string) rewriting {
	if c.run == nil {
		return rewriting{rule: func(r *expr.Rule, body *expr.Expr) *expr.Expr {
			if r.ID == e.rule.ID {
				return expr.Opt(body)
			}
			return body
		}}
	}
	return rewriting{
		part: func(old, body *expr.Expr) *expr.Expr {
			for _, at := range c.at {
				if at.Of == old {
					body = expr.Opt(body)
				}
			}
			return body
		},
		omitted: func(sequence *expr.Expr, i int) ([]*expr.Expr, int) {
			n := slices.IndexFunc(c.at, func(at lang.Span) bool { return at.Of == sequence && at.I == i })
			if n < 0 {
				return nil, 0
			}
			return c.run, c.at[n].At
		},
	}
}

// places returns the states before the optional part, for a run of nil before each use of the production. ok is
// always true.
func (c omitsChange) places(e *edit, stops *tracker) (states []int32, ok bool) {
	for _, span := range stops.nfa.Spans {
		here := slices.ContainsFunc(c.at, func(at lang.Span) bool {
			return at.Of == span.Of && at.I == span.I && at.At == span.At
		})
		if c.run == nil {
			here = span.Of.Op == expr.Ref && span.Of.Name == e.rule.ID
		}
		if here {
			states = append(states, span.From)
		}
	}
	return states, true
}

// tell says what may be missing, in the production of the side that stops. That production is the Where of its claim,
// since the part is in it.
func (c omitsChange) tell(e *edit, t telling) sentence {
	claim := t.claim(e)
	claim.Where, claim.Other = claim.Other, claim.Where // Where is to be of the side that stops

	if c.run == nil && t.stops.whereIn(claim.Where) == "" { // the whole of an expression
		return sentence{Claim: claim, text: " allows the empty string"}
	}
	if c.run == nil {
		return sentence{Claim: claim, text: fmt.Sprintf(": %s may be empty", claim.Where)}
	}
	claim.Text = t.stops.spell(c.run)
	text := fmt.Sprintf(": %s may be missing%s", claim.Text, t.stops.whereIn(claim.Where))
	return sentence{Claim: claim, text: text}
}

// findOmits adds to x.found edits that omit what the side that stops needs at the parting: a part, inside x's common
// production, which must be set, after which it accepts the rest of the witness. It adds none if that side is a model,
// which has no parts.
func (x *explainer) findOmits() {
	if x.stops.side.Model {
		return
	}
	for _, q := range x.stops.before[x.at] {
		x.eachOmission(q, func(first lang.Span, to int32, e edit) {
			if isInside(first, x.common.ID) && x.stops.acceptsFrom(to, x.at) {
				x.add(e)
			}
		})
	}
}

// eachOmission calls f for each part, or run of parts, that begins in state q and could be omitted, with its first
// span, the state after it, and the edit that omits it. It skips parts of a production that has the same text on the
// other side, runs of several parts that begin or end with an optional one, and runs that are all of a production. For
// a use of a production that has another text there, or has no namesake, the edit may say that all of the production
// may be missing: its run is nil then.
func (x *explainer) eachOmission(q int32, f func(first lang.Span, to int32, e edit)) {
	for _, span := range x.stops.spansFrom(q) {
		r := x.stops.ruleUsed(span)
		if r == nil {
			continue
		}
		named, differ := x.hasOtherText(r)
		at := x.stops.ruleAround(span)
		e := edit{
			change: omitsChange{},
			rule:   r,
			other:  x.goes.namesake(r),
			rank:   2,
			depth:  -depthOf(span.In),
		}
		switch {
		case named && differ && x.goes.isNullable(e.other):
			e.rank = 0 // the namesake derives the empty string, so this is the likeliest
		case differ && !x.stops.lexical(r.ID) || span.In == nil: // or r is the start, which no production uses
			// All of the production may be missing, as e says so far.
		default: // this use of it may be missing
			e.change = omitsChange{run: []*expr.Expr{span.Of}, at: []lang.Span{span}}
			e.rule, e.other = at, x.goes.namesake(at)
			e.rank = x.rankOfSingle()
			if _, differ := x.hasOtherText(at); !differ {
				continue
			}
		}
		f(span, span.To, e)
	}
	x.stops.eachRun(q, func(first lang.Span, run []*expr.Expr, to int32) {
		at := x.stops.ruleAround(first)
		last := run[len(run)-1]
		switch {
		case len(run) == 1 && run[0].Op == expr.Ref: // found above
			return
		case len(run) > 1 && (isOptional(last) || isOptional(run[0])): // the last or first part is optional anyway
			return
		case first.At == 0 && len(run) == len(first.Of.Sub): // that would make all of the production optional
			return
		}
		if _, differ := x.hasOtherText(at); !differ {
			return
		}
		e := edit{
			change: omitsChange{run: run, at: []lang.Span{first}},
			rule:   at,
			other:  x.goes.namesake(at),
			rank:   1,
			depth:  -depthOf(first.In),
		}
		if len(run) == 1 {
			e.rank = x.rankOfSingle()
		}
		f(first, to, e)
	})
}

// rankOfSingle is the rank of an edit that leaves out one character or word. It is low only at the end: if the
// witness goes on, it more likely has something else in that place.
func (x *explainer) rankOfSingle() int {
	if x.cause.At == AtEnd {
		return 1
	}
	return 7
}
