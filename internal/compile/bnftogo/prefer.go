package bnftogo

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file applies the choices of the user to a grammar: it copies the grammar so that the
// printed order of alternatives becomes the order of preference. Everything after it knows one
// order only.

// A place is a choice in a grammar at which the ambiguity rule decides: an alternation, a
// repetition or an option. A repetition has two alternatives: 0 is one more iteration, 1 is no
// further one.
type place struct {
	name       string // "host#2", the second choice of the production
	production string
	pos        expr.Pos
	printed    *expr.Expr
	order      []int // by the index of an alternative as it is tried: its index as it is printed
	preferred  bool  // the user has chosen here
}

// alternatives returns the texts of the alternatives in the printed order. Those of a repetition of x are "one more x"
// and "no further x".
func (p *place) alternatives() (texts []string) {
	if p.printed.Op == expr.Repeat {
		text := p.printed.Sub[0].String()
		return []string{"one more " + text, "no further " + text}
	}
	for _, s := range p.printed.Sub {
		texts = append(texts, s.String())
	}
	return texts
}

// A reordering copies the rules of a grammar. rule and count are those of the choice at hand.
type reordering struct {
	places map[*expr.Expr]*place // by expression of the copy
	prefer map[string]int        // by name of a choice: the alternative that comes first
	used   map[string]bool       // names of choices that were found
	rule   *expr.Rule
	count  int          // choices of the rule so far
	extra  []*expr.Rule // rules that the copy has in addition
}

// applyPreferences returns a copy of g in which the printed order of the alternatives is the order of
// preference, and the choices by the expressions of the copy. It fails for a preference that names no choice
// or alternative of g, and for one that comes twice.
func applyPreferences(g *expr.Grammar, prefer []Preference) (
	*expr.Grammar, map[*expr.Expr]*place, error,
) {
	p := &reordering{
		places: map[*expr.Expr]*place{},
		prefer: map[string]int{},
		used:   map[string]bool{},
	}
	for _, x := range prefer {
		if _, ok := p.prefer[x.Choice]; ok {
			return nil, nil, fmt.Errorf("%s: the choice %s is settled twice", g.File, x.Choice)
		}
		p.prefer[x.Choice] = x.Alternative
	}
	var rules []*expr.Rule
	for _, r := range g.Rules {
		c := *r
		p.rule = r
		p.count = 0
		var err error
		if c.Expr, err = p.copyExpr(r.Expr); err != nil {
			return nil, nil, err
		}
		rules = append(rules, &c)
	}
	// Only now all choices have their names.
	for _, x := range prefer {
		if !p.used[x.Choice] {
			return nil, nil, fmt.Errorf("%s has no choice %s", g.File, x.Choice)
		}
	}
	return g.With(append(rules, p.extra...)), p.places, nil
}

// newPlace returns a place for the choice e, the next one of the rule, with its alternatives in the
// printed order. It counts the choice in p.count; the caller enters the place in p.places.
func (p *reordering) newPlace(e *expr.Expr) *place {
	p.count++
	at := &place{
		name:       fmt.Sprintf("%s#%d", p.rule.ID, p.count),
		production: p.rule.ID,
		pos:        e.Pos,
		printed:    e,
		order:      []int{0, 1},
	}
	if at.pos.Line == 0 {
		at.pos = p.rule.Pos
	}
	if e.Op == expr.Alt {
		at.order = make([]int, len(e.Sub))
		for i := range e.Sub {
			at.order[i] = i
		}
	}
	return at
}

// copyExpr returns a copy of e in the order of preference. It enters the choices in p.places, and the names of those
// with a preference in p.used; an outer one is numbered before those inside it. As putFirst it can add to p.extra.
// It fails for a preference for an alternative that a choice does not have; the copy then is of no use.
func (p *reordering) copyExpr(e *expr.Expr) (*expr.Expr, error) {
	var at *place // nil if e is no choice
	if e.Op == expr.Alt || e.Op == expr.Repeat && e.Min != e.Max {
		at = p.newPlace(e)
	}
	var failed error
	c := *e
	if len(e.Sub) > 0 {
		c = *e.Map(func(s *expr.Expr) *expr.Expr {
			x, err := p.copyExpr(s)
			if err != nil {
				failed = err
			}
			return x
		})
	}
	if failed != nil || at == nil {
		return &c, failed
	}
	out := &c
	if first, ok := p.prefer[at.name]; ok {
		if first < 0 || first >= len(at.order) {
			const format = "the choice %s has %d alternatives, numbered from 0"
			return nil, expr.Errorf(at.pos, format, at.name, len(at.order))
		}
		p.used[at.name] = true
		at.preferred = true
		out = p.putFirst(out, first, at)
	}
	p.places[out] = at
	return out, nil
}

// putFirst returns e with an alternative first, given by its printed index, and sets at.order. For 0 it
// returns e itself and leaves at.order alone. For a repetition it can add a rule to p.extra, and enters the
// alternations that it makes in p.places. The caller enters the result.
func (p *reordering) putFirst(e *expr.Expr, first int, at *place) *expr.Expr {
	if first == 0 {
		return e
	}
	if e.Op == expr.Alt {
		out := *e
		out.Sub = []*expr.Expr{e.Sub[first]}
		at.order = []int{first}
		for i, s := range e.Sub {
			if i != first {
				out.Sub = append(out.Sub, s)
				at.order = append(at.order, i)
			}
		}
		return &out
	}
	// "No further iteration" comes before "one more". A repetition always tries one more first, so
	// it becomes alternations between nothing and an iteration with the rest.
	at.order = []int{1, 0}
	body, nothing := e.Sub[0], &expr.Expr{Op: expr.Empty, Pos: e.Pos}
	sequence := func(a, b *expr.Expr) *expr.Expr {
		return &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{a, b}, Pos: e.Pos}
	}
	nothingOr := func(more *expr.Expr) *expr.Expr {
		return &expr.Expr{Op: expr.Alt, Sub: []*expr.Expr{nothing, more}, Pos: e.Pos}
	}
	var rest *expr.Expr
	if e.Max == expr.Unbounded {
		// Without a limit this takes a rule that uses itself at its end.
		again := &expr.Expr{Op: expr.Ref, Name: at.name, Pos: e.Pos}
		loop := nothingOr(sequence(body, again))
		p.extra = append(p.extra, &expr.Rule{ID: at.name, Name: at.name, Pos: e.Pos, Expr: loop})
		p.places[loop] = at
		rest = again
	} else {
		rest = nothing
		for range e.Max - e.Min {
			more := body
			if rest != nothing {
				more = sequence(body, rest)
			}
			rest = nothingOr(more)
			p.places[rest] = at
		}
	}
	if e.Min == 0 {
		return rest
	}
	least := &expr.Expr{
		Op:  expr.Repeat,
		Sub: []*expr.Expr{body},
		Min: e.Min,
		Max: e.Min,
		Pos: e.Pos,
	}
	return sequence(least, rest)
}
