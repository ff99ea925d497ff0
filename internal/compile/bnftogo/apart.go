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

// An apartness decides for the productions whose recursion nests whether their choices are right at every depth. That is shown
// with regular languages that are too large: a production that uses itself is followed for some levels, and then can be
// anything that begins with one of its first bytes; what follows a production is followed into those that use it, for as many levels, and
// then can be anything that begins with a byte that can follow. Where two alternatives, each with
// what follows, have no string in common even so, the one that matches is right.
//
// Where they have one, the same is asked of languages that are too small, in which what is deeper derives nothing: if these have a string in
// common, no depth shows more. Otherwise more levels are followed, as far as the budget of this question goes.
type apartness struct {
	*checker
	c      *compiler
	budget *budget.Budget
	uses   map[string][]use
	level  int
	least  bool                  // the languages are too small
	known  map[string]*expr.Expr // what follows, by production and level
}

// A use is a production that uses another, and what stands behind that up to its end.
type use struct {
	by   string
	rest *expr.Expr
}

// apartSteps is what telling the choices of a document apart may take.
const apartSteps = 1 << 25

// apart returns for each production that uses itself, and not only at its end, the first choice of which that cannot be shown.
func (c *compiler) apart(text *expr.Grammar) map[string]*expr.Expr {
	part := cmp.Or(c.budget, budget.New(context.Background(), budget.Limits{})).Part(apartSteps)
	a := &apartness{checker: newChecker(withoutCounts(text)), c: c, budget: part, uses: map[string][]use{}}
	a.g = a.g.With(a.g.Rules)
	a.g.Budget = part
	wrong := map[string]*expr.Expr{}
	var open []*expr.Rule
	for _, r := range a.g.Rules {
		a.collect(r.ID, r.Expr, expr.Cat())
		if k := c.comp[r.ID]; k != nil && k.Right {
			open = append(open, r)
			wrong[r.ID] = r.Expr
		}
	}
	var err error
	for a.level = 1; len(open) > 0 && err == nil; a.level++ {
		open, err = a.deepen(open, wrong)
	}
	return wrong
}

// deepen returns those of some productions of which more levels can show more.
func (a *apartness) deepen(open []*expr.Rule, wrong map[string]*expr.Expr) (left []*expr.Rule, err error) {
	defer budget.Catch(&err)
	final := map[string]bool{}
	for _, r := range open {
		a.least, a.known = false, map[string]*expr.Expr{}
		at := a.open(r.Expr, a.behind(r.ID, (a.level+1)/2))
		if at == nil {
			delete(wrong, r.ID)
			continue
		}
		wrong[r.ID] = at
		a.least, a.known = true, map[string]*expr.Expr{}
		if a.open(r.Expr, a.behind(r.ID, (a.level+1)/2)) != nil {
			final[r.ID] = true
		} else {
			left = append(left, r)
		}
	}
	return slices.DeleteFunc(left, func(r *expr.Rule) bool { // what uses one that is wrong is no code
		for id := range a.facts.Used(r.Expr) {
			if final[id] {
				return true
			}
		}
		return false
	}), nil
}

var anything = expr.Times(expr.In(expr.AnyByte), 0, expr.Unbounded)

// following returns what can follow, as far as its first byte is known.
func (a *apartness) following(f follow) *expr.Expr {
	e := expr.Cat(expr.In(f.bytes), anything)
	if a.least {
		e = expr.In(expr.Set{})
	}
	if f.end {
		return expr.Or(e, expr.Cat())
	}
	return e
}

// collect notes the uses in e, which stands in a production before rest.
func (a *apartness) collect(by string, e, rest *expr.Expr) {
	switch e.Op {
	case expr.Ref:
		a.uses[e.Name] = append(a.uses[e.Name], use{by, rest})
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			a.collect(by, e.Sub[i], rest)
			rest = then2(e.Sub[i], rest)
		}
	case expr.Alt:
		for _, s := range e.Sub {
			a.collect(by, s, rest)
		}
	case expr.Repeat:
		if e.Max != 1 {
			rest = then2(expr.Times(e.Sub[0], 0, expr.Unbounded), rest)
		}
		a.collect(by, e.Sub[0], rest)
	}
}

// behind returns what can follow a production.
func (a *apartness) behind(id string, level int) *expr.Expr {
	if level == 0 {
		return a.following(a.checker.behind(id))
	}
	key := fmt.Sprint(id, " ", level)
	if a.known[key] == nil {
		all := []*expr.Expr{expr.Cat()} // each production is a start
		for _, u := range a.uses[id] {
			all = append(all, then2(a.above(u.rest, 1), a.behind(u.by, level-1)))
		}
		a.known[key] = &expr.Expr{Op: expr.Alt, Sub: append(all, expr.In(expr.Set{}))}
	}
	return a.known[key]
}

// open returns the first choice in e that cannot be shown to be right before k, or nil.
func (a *apartness) open(e, k *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.Seq:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			if at := a.open(e.Sub[i], k); at != nil {
				return at
			}
			k = then2(a.above(e.Sub[i], a.inward()), k)
		}
	case expr.Alt:
		for i, x := range e.Sub {
			for _, y := range e.Sub[i+1:] {
				if !a.disjoint(then2(a.above(x, a.inward()), k), then2(a.above(y, a.inward()), k)) {
					return e
				}
			}
			if at := a.open(x, k); at != nil {
				return at
			}
		}
	case expr.Repeat:
		body := a.above(e.Sub[0], a.inward())
		again := k
		if e.Max != 1 {
			again = then2(expr.Times(body, 0, expr.Unbounded), k)
		}
		if e.Min != e.Max && !a.disjoint(then2(body, again), k) {
			return e
		}
		return a.open(e.Sub[0], again)
	}
	return nil
}

// inward is how many levels productions are followed inwards. It grows in turn with how many they are followed outwards.
func (a *apartness) inward() int { return 1 + a.level/2 }

// then2 is expr.Cat for expressions that are alternations.
func then2(e, k *expr.Expr) *expr.Expr {
	return &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{e, k}, Pos: e.Pos}
}

// above returns an expression that derives what e derives, and more, in which no production uses itself.
func (a *apartness) above(e *expr.Expr, level int) *expr.Expr {
	return renamed(e, func(e *expr.Expr) *expr.Expr {
		a.budget.Step(100)
		switch {
		case !a.recursive(e.Name):
			return e
		case a.c.comp[e.Name] == nil:
			return a.above(a.g.Rule(e.Name).Expr, level)
		case level > 0:
			return a.above(a.g.Rule(e.Name).Expr, level-1)
		}
		if a.least {
			return expr.In(expr.Set{})
		}
		all := expr.Cat(expr.In(a.Of(e)), anything)
		if a.facts.Nullable(e) {
			all = expr.Or(all, expr.Cat())
		}
		return all
	})
}

// recursive reports whether a production or one that it uses uses itself.
func (a *apartness) recursive(id string) bool {
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

// disjoint reports whether two expressions have no string in common, which is not known of languages that are too large.
func (a *apartness) disjoint(x, y *expr.Expr) bool {
	charge := func(steps int) {
		for _, e := range []*expr.Expr{x, y} {
			expr.Walk(e, func(*expr.Expr) bool { a.budget.Step(steps); return true })
		}
	}
	charge(4) // the first bytes already take all of each
	if a.Of(x).Intersect(a.Of(y)).IsEmpty() && !(a.facts.Nullable(x) && a.facts.Nullable(y)) {
		return true
	}
	charge(20)
	one, err := lang.FromExpr(a.g, x)
	budget.Again(err)
	if err != nil {
		return a.least
	}
	other, err := lang.FromExpr(a.g, y)
	budget.Again(err)
	if err != nil {
		return a.least
	}
	return one.Disjoint(other)
}
