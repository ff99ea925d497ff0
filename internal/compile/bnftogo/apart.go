package bnftogo

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file decides, for productions whose recursion nests, whether one byte after a choice is
// enough at every depth. Equal automata at some depths (nesting.go) do not show that.
//
// The question "do two alternatives, each with what follows it, have a string in common?" is asked
// of context-free languages, for which it is undecidable. So it is asked of regular ones:
//
//   - of languages that are too large: a production that uses itself is followed for some levels, and
//     then stands for anything that begins with one of its first bytes. What follows a production is
//     followed into the productions that use it, for as many levels, and then stands for anything that
//     begins with a byte that can follow. If even these have no string in common, the alternative that
//     matches is the right one, at every depth.
//   - of languages that are too small: whatever is deeper derives nothing. If these have a string in
//     common, so do the real ones, and more levels cannot help.
//
// If neither decides, more levels are followed, until the budget of this question is spent.

// An apartness asks of all choices of a grammar, at some number of levels, whether two alternatives, each with what
// follows it, have a string in common.
type apartness struct {
	*lookaheads
	c      *compiler
	budget *budget.Budget
	uses   map[string][]use      // by production that is used
	level  int                   // how many levels are followed, from 1
	small  bool                  // the languages are the too small ones, not the too large ones
	after  map[string]*expr.Expr // the results of following, by production and level; see useSmall
}

// A use is a place where a production is used: the production around it, and the expression between the place
// and the end of that production.
type use struct {
	by   string
	rest *expr.Expr
}

// maxApartSteps caps the steps for the question of an apartness about one grammar.
const maxApartSteps = 1 << 25

// findUndecided returns, for each production of a component in which something follows a use
// ([expr.Component.Right]), a choice that cannot be shown to be right at every depth. If a limit is passed before a
// production is looked at, that is its whole expression. Productions without such a choice are missing from the map.
// A choice for which the budget was spent counts as undecided. text is the grammar, with every name defined.
func (c *compiler) findUndecided(text *expr.Grammar) map[string]*expr.Expr {
	whole := cmp.Or(c.Budget, budget.New(context.Background(), budget.Limits{}))
	part := whole.Part(maxApartSteps)
	a := &apartness{
		lookaheads: newLookaheads(writeOutCounts(text)),
		c:          c,
		budget:     part,
		uses:       map[string][]use{},
	}
	a.g = a.g.With(a.g.Rules)
	a.g.Budget = part
	undecided := map[string]*expr.Expr{}
	var left []*expr.Rule
	for _, r := range a.g.Rules {
		a.collectUses(r.ID, r.Expr, expr.Cat())
		if k := c.comp[r.ID]; k != nil && k.Right {
			left = append(left, r)
			undecided[r.ID] = r.Expr
		}
	}
	var err error // a passed limit
	for a.level = 1; len(left) > 0 && err == nil; a.level++ {
		left, err = a.decideAtLevel(left, undecided)
	}
	return undecided
}

// decideAtLevel asks the question of an apartness about some productions with a.level levels. It deletes from
// undecided those whose choices are right, and enters for the others the choice that is in doubt. It returns the
// productions for which more levels can change the answer. It switches between the large and the small languages,
// and leaves a.small as it happens to be. It fails if a limit is passed; then undecided has the answers so far,
// and left means nothing.
func (a *apartness) decideAtLevel(list []*expr.Rule, undecided map[string]*expr.Expr) (
	left []*expr.Rule, err error,
) {
	defer budget.Catch(&err)
	overlaps := map[string]bool{} // productions with a choice whose alternatives do overlap
	outward := (a.level + 1) / 2
	for _, r := range list {
		a.useSmall(false)
		at := a.firstOverlap(r.Expr, a.following(r.ID, outward))
		if at == nil {
			delete(undecided, r.ID)
			continue
		}
		undecided[r.ID] = at
		a.useSmall(true)
		if a.firstOverlap(r.Expr, a.following(r.ID, outward)) != nil {
			overlaps[r.ID] = true
		} else {
			left = append(left, r)
		}
	}
	// A production that uses one with an overlap is no code either way.
	return slices.DeleteFunc(left, func(r *expr.Rule) bool {
		for id := range a.facts.Used(r.Expr) {
			if overlaps[id] {
				return true
			}
		}
		return false
	}), nil
}

// useSmall chooses the languages that are too small, or those that are too large, and drops the results of following,
// which were of the others.
func (a *apartness) useSmall(small bool) {
	a.small = small
	a.after = map[string]*expr.Expr{}
}

// anything derives every string.
var anything = expr.Times(expr.In(expr.AnyByte), 0, expr.Unbounded)

// deriveNothing returns an expression of the empty language.
func deriveNothing() *expr.Expr { return expr.In(expr.Set{}) }

// beginningWith returns an expression for strings that are known only by their first byte: all that begin
// with one of f's bytes, or none if the languages are the too small ones. The end of the input is exact.
func (a *apartness) beginningWith(f follow) *expr.Expr {
	e := expr.Cat(expr.In(f.bytes), anything)
	if a.small {
		e = deriveNothing()
	}
	if f.end {
		return expr.Or(e, expr.Cat())
	}
	return e
}

// collectUses adds the uses in e to a.uses. The production by contains e, and rest follows e in it.
func (a *apartness) collectUses(by string, e, rest *expr.Expr) {
	switch e.Op {
	case expr.Ref:
		a.uses[e.Name] = append(a.uses[e.Name], use{by, rest})
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			a.collectUses(by, e.Sub[i], rest)
			rest = inSequence(e.Sub[i], rest)
		}
	case expr.Alt:
		for _, s := range e.Sub {
			a.collectUses(by, s, rest)
		}
	case expr.Repeat:
		if e.Max != 1 { // another iteration can follow
			rest = inSequence(expr.Times(e.Sub[0], 0, expr.Unbounded), rest)
		}
		a.collectUses(by, e.Sub[0], rest)
	}
}

// following returns an expression for all that can follow a production, up to the end of the input. It looks
// outward for some levels: at the productions that use this one, and at those that use them. Beyond them it
// knows only the first byte: see beginningWith. It keeps the result in a.after, except for level 0.
func (a *apartness) following(id string, level int) *expr.Expr {
	if level == 0 {
		return a.beginningWith(a.followOf(id))
	}
	key := fmt.Sprint(id, " ", level)
	if a.after[key] == nil {
		all := []*expr.Expr{expr.Cat()} // each production is a start
		for _, u := range a.uses[id] {
			all = append(all, inSequence(a.regular(u.rest, 1), a.following(u.by, level-1)))
		}
		// An alternation has at least two alternatives, and the last one changes nothing.
		a.after[key] = &expr.Expr{Op: expr.Alt, Sub: append(all, deriveNothing())}
	}
	return a.after[key]
}

// firstOverlap returns a choice in e that cannot be shown to be right before k: an
// alternation two of whose alternatives overlap, or a repetition whose next iteration overlaps
// with k. It returns nil if there is none. If a.small is set, it returns a choice only if it
// surely overlaps. In a sequence it looks at the last part first. It does not look into references: each production
// is asked about by itself.
func (a *apartness) firstOverlap(e, k *expr.Expr) *expr.Expr {
	inward := a.inward()
	switch e.Op {
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			if at := a.firstOverlap(e.Sub[i], k); at != nil {
				return at
			}
			k = inSequence(a.regular(e.Sub[i], inward), k)
		}
	case expr.Alt:
		for i, x := range e.Sub {
			for _, y := range e.Sub[i+1:] {
				one := inSequence(a.regular(x, inward), k)
				other := inSequence(a.regular(y, inward), k)
				if !a.areDisjoint(one, other) {
					return e
				}
			}
			if at := a.firstOverlap(x, k); at != nil {
				return at
			}
		}
	case expr.Repeat:
		body := a.regular(e.Sub[0], inward)
		again := k // what follows an iteration
		if e.Max != 1 {
			again = inSequence(expr.Times(body, 0, expr.Unbounded), k)
		}
		if e.Min != e.Max && !a.areDisjoint(inSequence(body, again), k) {
			return e
		}
		return a.firstOverlap(e.Sub[0], again)
	}
	return nil
}

// inward returns the number of levels that productions are followed inward. It grows in turn with the levels
// outward.
func (a *apartness) inward() int { return 1 + a.level/2 }

// inSequence returns e and then k. Unlike [expr.Cat] it looks into neither.
func inSequence(e, k *expr.Expr) *expr.Expr {
	return &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{e, k}, Pos: e.Pos}
}

// regular returns an expression without recursion for e. It puts in the productions that use
// themselves, for some levels. Deeper ones are replaced: by all that begins as they do, so that
// the expression derives what e derives and more; or, if a.small is set, by nothing, so that it
// derives less. References that lead to no recursion stay. e is not changed.
func (a *apartness) regular(e *expr.Expr, level int) *expr.Expr {
	return replaceRefs(e, func(e *expr.Expr) *expr.Expr {
		a.budget.Step(100)
		switch {
		case !a.reachesRecursion(e.Name):
			return e
		case a.c.comp[e.Name] == nil: // it uses recursion, and takes no level itself
			return a.regular(a.g.Rule(e.Name).Expr, level)
		case level > 0:
			return a.regular(a.g.Rule(e.Name).Expr, level-1)
		}
		if a.small {
			return deriveNothing()
		}
		all := expr.Cat(expr.In(a.Of(e)), anything)
		if a.facts.Nullable(e) {
			all = expr.Or(all, expr.Cat())
		}
		return all
	})
}

// reachesRecursion reports whether a production, or one that it uses, uses itself.
func (a *apartness) reachesRecursion(id string) bool {
	if a.c.comp[id] != nil {
		return true
	}
	r := a.g.Rule(id)
	if r == nil {
		return false
	}
	for id := range a.facts.Used(r.Expr) {
		if a.c.comp[id] != nil {
			return true
		}
	}
	return false
}

// areDisjoint reports whether two expressions have no string in common. Where an automaton is too
// large this is not known, and the answer is the one that decides nothing: not disjoint for
// languages that are too large, disjoint (a.small) for those that are too small. A passed limit of
// the budget panics.
func (a *apartness) areDisjoint(x, y *expr.Expr) bool {
	// Different first bytes, and not both empty: no automaton is needed.
	begin, xNullable := a.beginning(x)
	other, yNullable := a.beginning(y)
	shareByte := !a.OfSeq(begin, expr.Set{}).Intersect(a.OfSeq(other, expr.Set{})).IsEmpty()
	if !shareByte && !(xNullable && yNullable) {
		return true
	}
	a.chargeSize(20, x, y)
	one, err := lang.FromExpr(a.g, x)
	budget.Again(err)
	if err != nil {
		return a.small
	}
	two, err := lang.FromExpr(a.g, y)
	budget.Again(err)
	if err != nil {
		return a.small
	}
	return one.Disjoint(two)
}

// beginning returns the parts of a sequence that its words can begin with, or e alone if it is none, and whether e
// derives the empty word. The parts are in the memory of e, and must not be changed. It charges for these parts
// alone: what follows them is most of the expression, and nothing looks at it.
func (a *apartness) beginning(e *expr.Expr) (parts []*expr.Expr, nullable bool) {
	parts = []*expr.Expr{e}
	if e.Op == expr.Seq {
		parts = e.Sub
	}
	for i, part := range parts {
		a.chargeSize(4, part)
		if !a.facts.Nullable(part) {
			return parts[:i+1], false
		}
	}
	return parts, true
}

// chargeSize charges steps for each node of the expressions.
func (a *apartness) chargeSize(steps int, es ...*expr.Expr) {
	for _, e := range es {
		expr.Walk(e, func(*expr.Expr) bool {
			a.budget.Step(steps)
			return true
		})
	}
}
