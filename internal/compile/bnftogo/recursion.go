package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// components finds the productions that use themselves.
func (b *builder) components() {
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

// findEmptyCircles finds the productions that use themselves and derive the empty string alone. They are in no component, since
// nothing but the empty string goes through them.
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

// usesEmptyCircle returns a production that uses itself and derives the empty string alone, which r is or uses, or nil.
func (b *builder) usesEmptyCircle(r *expr.Rule) *expr.Rule {
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

// refused returns why r cannot be an automaton, or nil.
func (b *builder) refused(r *expr.Rule) *Refusal {
	if c := b.usesEmptyCircle(r); c != nil {
		return &Refusal{r.ID, c.Pos, "`" + c.Name + "` can use itself before anything is read"}
	}
	used := b.facts.Used(r.Expr)
	used[r.ID] = true
	for _, q := range b.g.Those(used) {
		c := b.comp[q.ID]
		if c == nil {
			continue
		}
		if id := b.leftmost[c]; id != nil { // at its end as well it would be all of itself, in derivations without end
			return &Refusal{r.ID, id.Pos, "`" + id.Name + "` can use itself before anything is read"}
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

// A tail is the end of a production that is a node, or of no node, inside a component that was entered at some place: what
// follows is the end of all that has been opened since.
type tail struct {
	component *expr.Component
	id        string // of the innermost open node; "" if it is none of the component's
	exit      then   // where the component ends
}

// enter returns the state from which r is read and k follows.
func (b *builder) enter(r *expr.Rule, k then) int32 {
	if r == nil {
		return dead
	}
	at := site{r.Expr, then{^k.none, ^k.some}} // other than that of r's expression
	if q, ok := b.memo[at]; ok {
		return q
	}
	kind := b.kind(r.ID)
	c := b.comp[r.ID]
	if c == nil {
		var q int32
		if kind == 0 {
			q = b.build(r.Expr, k)
		} else {
			q = b.act(kind, b.build(r.Expr, k.each(func(q int32) int32 { return b.act(actClose, q) })))
		}
		b.memo[at] = q
		return q
	}

	q := b.fresh(state{op: opAlt})
	b.memo[at] = q
	t, inside := b.tails[max(k.none, k.some)]
	inside = inside && t.component == c
	if inside {
		t.exit = then{b.exits[k.none], b.exits[k.some]}
	} else {
		t = tail{component: c, exit: k.each(func(q int32) int32 { return b.act(actCloseTo, q) })}
	}
	var body int32
	switch {
	case kind == 0 && inside, kind != 0 && t.id == r.ID:
		body = b.build(r.Expr, k)
	case kind == 0:
		body = b.build(r.Expr, b.tail(t))
	default:
		t.id = r.ID
		body = b.act(kind, b.build(r.Expr, b.tail(t)))
	}
	if !inside {
		body = b.act(actMark, body)
	}
	if body != dead {
		b.states[q].next = []int32{body}
	}
	return q
}

// tail returns the states of a tail, which do nothing by themselves.
func (b *builder) tail(t tail) then {
	if k, ok := b.ends[t]; ok {
		return k
	}
	k := t.exit.each(func(exit int32) int32 {
		if exit == dead {
			return dead
		}
		q := b.fresh(state{op: opAlt, next: []int32{exit}})
		b.tails[q], b.exits[q] = t, exit
		return q
	})
	b.ends[t] = k
	return k
}

// start returns the state from which r is read as the root.
func (b *builder) start(r *expr.Rule, kind int) int32 {
	end := both(b.act(actClose, accept))
	if c := b.comp[r.ID]; c != nil {
		// The root is the innermost node around itself.
		t := tail{component: c, id: r.ID, exit: both(b.act(actCloseTo, end.some))}
		return b.act(kind, b.act(actMark, b.build(r.Expr, b.tail(t))))
	}
	return b.act(kind, b.build(r.Expr, end))
}
