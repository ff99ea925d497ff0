package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file decides which recursion an automaton can follow, and how.
//
// A production that uses itself at its end only (right recursion) is regular: the use is a jump
// back to its first state. The tree nests all the same. So entering a component of productions
// that use each other marks the innermost open node (opcode.Mark), each pass through a node of it
// opens a node, and the exit closes all of them at once (opcode.CloseTo). Where something follows the
// use ([expr.Component].Right), there is no automaton, and the production is refused.

// findComponents sets b.comp, b.leftmost and b.emptyCircle: the productions that use themselves.
func (b *builder) findComponents() {
	b.comp, b.leftmost = map[string]*expr.Component{}, map[*expr.Component]*expr.Rule{}
	for _, c := range b.facts.Components() {
		for _, r := range c.Rules {
			if !c.Recursive {
				continue
			}
			b.comp[r.ID] = c
			if b.leftmost[c] == nil && b.g.Path(r.ID, r.ID, b.facts.Leftmost) != nil {
				b.leftmost[c] = r
			}
		}
	}
	b.findEmptyCircles()
}

// findEmptyCircles sets b.emptyCircle: the productions that use themselves and derive the empty
// string alone. They are in no component, since nothing but the empty string goes through them.
func (b *builder) findEmptyCircles() {
	b.emptyCircle = map[string]*expr.Rule{}
	for id := range expr.Circles(b.g.Rules, b.usedToDerive) {
		if b.comp[id] == nil {
			b.emptyCircle[id] = b.g.Rule(id)
		}
	}
}

// usedToDerive lists the productions that e uses where that can be part of a derivation.
func (b *builder) usedToDerive(e *expr.Expr) (ids []string) {
	switch {
	case !b.facts.Derives(e):
		return nil
	case e.Op == expr.Ref:
		return []string{e.Name}
	}
	for _, s := range e.Sub {
		ids = append(ids, b.usedToDerive(s)...)
	}
	return ids
}

// emptyCircleIn returns r, or a production that r uses, if it uses itself and derives the empty
// string alone. It returns nil if there is none.
func (b *builder) emptyCircleIn(r *expr.Rule) *expr.Rule {
	if len(b.emptyCircle) == 0 {
		return nil
	}
	todo := []string{r.ID}
	for i := 0; i < len(todo); i++ {
		if c := b.emptyCircle[todo[i]]; c != nil {
			return c
		}
		for _, id := range b.usedToDerive(b.g.Rule(todo[i]).Expr) {
			if !slices.Contains(todo, id) {
				todo = append(todo, id)
			}
		}
	}
	return nil
}

// refusalOf returns why r cannot be an automaton, or nil if it can. r derives something.
func (b *builder) refusalOf(r *expr.Rule) *Refusal {
	if c := b.emptyCircleIn(r); c != nil {
		return &Refusal{r.ID, c.Pos, "`" + c.Name + "` can use itself before anything is read"}
	}
	used := b.facts.Used(r.Expr)
	used[r.ID] = true
	for _, q := range b.g.Those(used) {
		c := b.comp[q.ID]
		if c == nil {
			continue
		}
		// The use could be the whole string, so that a string would have derivations without end.
		if left := b.leftmost[c]; left != nil {
			return &Refusal{r.ID, left.Pos, "`" + left.Name + "` can use itself before anything is read"}
		}
		if !c.Right {
			continue
		}
		if !c.Left {
			return &Refusal{r.ID, q.Pos, "`" + q.Name + "` uses itself at its beginning"}
		}
		reason := "`" + q.Name + "` uses itself at its beginning and at its end"
		if e := b.facts.SelfEmbedding(q.ID); e != nil {
			reason = e.Message()
		}
		return &Refusal{r.ID, q.Pos, reason}
	}
	return nil
}

// A tail is the end of a production inside a component of productions that use each other. What
// follows it is the end of all nodes that have been opened since the component was entered.
type tail struct {
	component *expr.Component
	id        string       // of the innermost open node; "" if it is not of this component
	exit      continuation // where the component ends
}

// enter is [builder.build] for a reference to r, nil for a name without a production. It adds the
// actions that open and close the node of r, if r is one.
func (b *builder) enter(r *expr.Rule, k continuation) stateID {
	if r == nil {
		return dead
	}
	// The memory of build has r.Expr before k without r's node. The complement tells the two
	// apart.
	at := site{r.Expr, continuation{^k.afterNone, ^k.afterSome}}
	if q, ok := b.memo[at]; ok {
		return q
	}
	kind := b.kind(r.ID)
	c := b.comp[r.ID]
	if c == nil {
		var q stateID
		if kind == 0 {
			q = b.build(r.Expr, k)
		} else {
			closed := k.each(func(q stateID) stateID { return b.doAction(opcode.Close, q) })
			q = b.doAction(opcode.Action(kind), b.build(r.Expr, closed))
		}
		b.memo[at] = q
		return q
	}

	// r uses itself, so its state is remembered before its successor is known.
	q := b.addDistinct(state{op: opcode.Choice})
	b.memo[at] = q
	// Either live state of a continuation that [builder.endOfTail] made names the tail; the other
	// may be dead, which is the smallest.
	t, inside := b.tails[max(k.afterNone, k.afterSome)]
	inside = inside && t.component == c
	if inside {
		t.exit = continuation{b.exits[k.afterNone], b.exits[k.afterSome]}
	} else {
		exit := k.each(func(q stateID) stateID { return b.doAction(opcode.CloseTo, q) })
		t = tail{component: c, exit: exit}
	}
	var body stateID
	switch {
	case kind == 0 && inside, kind != 0 && t.id == r.ID:
		// No node begins: r is none, or its node is the innermost one.
		body = b.build(r.Expr, k)
	case kind == 0:
		body = b.build(r.Expr, b.endOfTail(t))
	default:
		t.id = r.ID
		body = b.doAction(opcode.Action(kind), b.build(r.Expr, b.endOfTail(t)))
	}
	if !inside {
		body = b.doAction(opcode.Mark, body)
	}
	if body != dead {
		b.states[q].next = []stateID{body}
	}
	return q
}

// endOfTail returns the continuation at the end of a tail: states of their own that lead to t.exit
// and do nothing. It enters them in b.tails and b.exits, by which [builder.enter] knows where it
// is.
func (b *builder) endOfTail(t tail) continuation {
	if k, ok := b.ends[t]; ok {
		return k
	}
	k := t.exit.each(func(exit stateID) stateID {
		if exit == dead {
			return dead
		}
		q := b.addDistinct(state{op: opcode.Choice, next: []stateID{exit}})
		b.tails[q] = t
		b.exits[q] = exit
		return q
	})
	b.ends[t] = k
	return k
}

// buildRoot returns the state from which r is read up to the end of the input, as the root of the
// tree, which has this kind even if r is no node elsewhere. [builder.refusalOf] r must be nil.
func (b *builder) buildRoot(r *expr.Rule, kind ast.Kind) stateID {
	end := always(b.doAction(opcode.Close, accept))
	c := b.comp[r.ID]
	if c == nil {
		return b.doAction(opcode.Action(kind), b.build(r.Expr, end))
	}
	// The root is the innermost open node of its own component.
	exit := always(b.doAction(opcode.CloseTo, end.afterSome))
	t := tail{component: c, id: r.ID, exit: exit}
	return b.doAction(opcode.Action(kind), b.doAction(opcode.Mark, b.build(r.Expr, b.endOfTail(t))))
}
