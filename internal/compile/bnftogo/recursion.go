package bnftogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
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

// A builder adds the productions of a grammar to an automaton.
type builder struct {
	*choice.Builder
	g *expr.Grammar

	kind     func(id string) ast.Kind // of a production that is a node; else 0
	comp     map[string]*expr.Component
	leftmost map[*expr.Component]*expr.Rule // a rule that can use itself before anything is read

	// emptyCircle has the productions that use themselves and derive the empty string alone.
	emptyCircle map[string]*expr.Rule

	ends  map[tail]choice.Continuation
	exits map[choice.StateID]choice.StateID // by state of tails: where the component ends
	tails map[choice.StateID]tail           // states at the end of a production that uses itself there
}

// newBuilder returns a builder of an automaton with the state accept, of at most so many states.
// The caller sets kind.
func newBuilder(g *expr.Grammar, facts *expr.Facts, states int) *builder {
	b := &builder{
		Builder: choice.NewBuilder(facts, choice.Limits{Budget: g.Budget, States: states}),
		g:       g,
		ends:    map[tail]choice.Continuation{},
		exits:   map[choice.StateID]choice.StateID{},
		tails:   map[choice.StateID]tail{},
	}
	b.Intern(choice.State{Op: opcode.End}) // accept
	b.Reference = func(e *expr.Expr, k choice.Continuation, _ bool) choice.StateID {
		return b.enter(b.g.Rule(e.Name), k)
	}
	b.findComponents()
	return b
}

// build is [choice.Builder.Build]. The end of a production needs no word here: enter knows it by
// the continuation.
func (b *builder) build(e *expr.Expr, k choice.Continuation) choice.StateID {
	return b.Build(e, k, false)
}

// findComponents sets b.comp, b.leftmost and b.emptyCircle: the productions that use themselves.
func (b *builder) findComponents() {
	b.comp, b.leftmost = map[string]*expr.Component{}, map[*expr.Component]*expr.Rule{}
	left := expr.Circles(b.g.Rules, b.Facts.Leftmost)
	for _, c := range b.Facts.Components() {
		for _, r := range c.Rules {
			if !c.Recursive {
				continue
			}
			b.comp[r.ID] = c
			if b.leftmost[c] == nil && left[r.ID] != nil {
				b.leftmost[c] = r
			}
		}
	}
	b.findEmptyCircles()
}

// findEmptyCircles sets b.emptyCircle: the productions that use themselves and derive the empty string alone. They
// are not in b.comp, which must be set, since nothing but the empty string goes through them.
func (b *builder) findEmptyCircles() {
	b.emptyCircle = map[string]*expr.Rule{}
	for id := range expr.Circles(b.g.Rules, b.usedToDerive) {
		if b.comp[id] == nil {
			b.emptyCircle[id] = b.g.Rule(id)
		}
	}
}

// usedToDerive lists the productions that e uses in a way that can be part of a derivation. One can come more than
// once.
func (b *builder) usedToDerive(e *expr.Expr) (ids []string) {
	switch {
	case !b.Facts.Derives(e):
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

// refusalOf returns why r cannot be an automaton, or nil if it can: recursion in r or in what it uses that nests, or
// that begins before anything is read. r must derive something.
func (b *builder) refusalOf(r *expr.Rule) *Refusal {
	if c := b.emptyCircleIn(r); c != nil {
		return &Refusal{r.ID, c.Pos, "`" + c.Name + "` can use itself before anything is read"}
	}
	used := b.Facts.Used(r.Expr)
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
		if !c.Right { // nothing stands after a use: an automaton can follow it
			continue
		}
		if !c.Left { // nothing stands before a use
			return &Refusal{r.ID, q.Pos, "`" + q.Name + "` uses itself at its beginning"}
		}
		reason := "`" + q.Name + "` uses itself at its beginning and at its end"
		if e := b.Facts.SelfEmbedding(q.ID); e != nil {
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
	id        string              // of the innermost open node; "" if it is not of this component
	exit      choice.Continuation // where the component ends
}

// enter is [builder.build] for a reference to r. It adds the actions that open and close the node of r, if r is one;
// but no node begins where r ends its own node, which then goes on. In a component, the nodes are closed together where
// it ends: see tail. For nil, a name without a production, it returns [choice.Dead].
func (b *builder) enter(r *expr.Rule, k choice.Continuation) choice.StateID {
	if r == nil {
		return choice.Dead
	}
	at := choice.Site{E: r.Expr, K: k, Whole: true}
	if q, ok := b.Known(at); ok {
		return q
	}
	kind := b.kind(r.ID)
	c := b.comp[r.ID]
	if c == nil {
		var q choice.StateID
		if kind == 0 {
			q = b.build(r.Expr, k)
		} else {
			closeNode := func(q choice.StateID) choice.StateID { return b.doAction(opcode.Close, q) }
			closed := k.Each(closeNode)
			q = b.doAction(opcode.Action(kind), b.build(r.Expr, closed))
		}
		b.Remember(at, q)
		return q
	}

	// r uses itself, so its state is remembered before its successor is known.
	q := b.AddDistinct(choice.State{Op: opcode.Choice})
	b.Remember(at, q)
	// A choice.Continuation that [builder.endOfTail] made has two states. One of them can be choice.Dead, which is
	// 0; the greater one is live, and names the tail.
	t, inside := b.tails[max(k.AfterNone, k.AfterSome)]
	inside = inside && t.component == c
	if inside {
		t.exit = choice.Continuation{AfterNone: b.exits[k.AfterNone], AfterSome: b.exits[k.AfterSome]}
	} else {
		closeAll := func(q choice.StateID) choice.StateID { return b.doAction(opcode.CloseTo, q) }
		exit := k.Each(closeAll)
		t = tail{component: c, exit: exit}
	}
	var body choice.StateID
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
	if body != choice.Dead { // otherwise q stays without successors, which derives nothing either
		b.States[q].Next = []choice.StateID{body}
	}
	return q
}

// endOfTail returns the continuation at the end of a tail: states of its own that lead to t.exit and do
// nothing. It enters them in b.tails and b.exits, which tell [builder.enter] where it is. For the same tail
// it returns the same states.
func (b *builder) endOfTail(t tail) choice.Continuation {
	if k, ok := b.ends[t]; ok {
		return k
	}
	k := t.exit.Each(func(exit choice.StateID) choice.StateID {
		if exit == choice.Dead {
			return choice.Dead
		}
		q := b.AddDistinct(choice.State{Op: opcode.Choice, Next: []choice.StateID{exit}}) // of its own, with no choice
		b.tails[q] = t
		b.exits[q] = exit
		return q
	})
	b.ends[t] = k
	return k
}

// buildRoot returns the state from which r is read up to the end of the input. r becomes the root of the tree
// and has this kind there, even if it is no node elsewhere. [builder.refusalOf] r must be nil.
func (b *builder) buildRoot(r *expr.Rule, kind ast.Kind) choice.StateID {
	end := choice.Always(b.doAction(opcode.Close, accept))
	c := b.comp[r.ID]
	if c == nil {
		return b.doAction(opcode.Action(kind), b.build(r.Expr, end))
	}
	// The root is the innermost open node of its own component. Mark marks it; at the end of the input CloseTo
	// closes the nodes that were opened after it, and then the Close in end closes the root itself.
	exit := choice.Always(b.doAction(opcode.CloseTo, end.AfterSome))
	t := tail{component: c, id: r.ID, exit: exit}
	return b.doAction(opcode.Action(kind), b.doAction(opcode.Mark, b.build(r.Expr, b.endOfTail(t))))
}
