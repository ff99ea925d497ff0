package choice

import (
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Continuation is what follows an expression. An iteration beyond the least number must not be empty, so a
// continuation has two states: AfterNone is where to go on if nothing has been consumed since the iteration
// around the expression began, and AfterSome if something has. Outside of iterations both are the same.
type Continuation struct{ AfterNone, AfterSome StateID }

// Always returns the continuation that goes on at q, whatever was consumed.
func Always(q StateID) Continuation { return Continuation{q, q} }

// Each applies f to both states. It calls f once if they are the same, so that f may add a state.
func (k Continuation) Each(f func(q StateID) StateID) Continuation {
	to := Always(f(k.AfterSome))
	if k.AfterNone != k.AfterSome {
		to.AfterNone = f(k.AfterNone)
	}
	return to
}

// A Builder adds expressions to an automaton.
//
// In this package b is a builder, e an expression, k what follows it, and q a state.
type Builder struct {
	*Automaton
	Facts *expr.Facts // of the grammar whose expressions are built

	// Reference returns the state that derives the production that e names, and goes on at k;
	// last is that of [Builder.Build]. It is asked again for the same arguments, and must give the
	// same answer: [Builder.Once] remembers one.
	Reference func(e *expr.Expr, k Continuation, last bool) StateID

	// Mark, unless it is nil, returns the mark of the state that reads the byte at offset i of the
	// terminal e. States with different marks are different.
	Mark func(e *expr.Expr, i int) int32

	memo map[Site]StateID // what is remembered: see [Builder.Once]
}

// NewBuilder returns a builder of an empty automaton. The caller sets Reference before it builds.
func NewBuilder(facts *expr.Facts, l Limits) *Builder {
	return &Builder{Automaton: newAutomaton(l), Facts: facts, memo: map[Site]StateID{}}
}

// A Site is an expression and what follows it: the arguments of [Builder.Build]. Whole distinguishes the
// expression of a production from the production itself, to which a reference adds more, such as the actions
// that open and close its node.
type Site struct {
	E     *expr.Expr
	K     Continuation
	Last  bool
	Whole bool
}

// siteBytes is about what a remembered site takes: 48 bytes of key, 4 of state, and its share of the map.
const siteBytes = 96

// Known returns the state that was remembered for a site.
func (b *Builder) Known(s Site) (q StateID, ok bool) {
	q, ok = b.memo[s]
	return q, ok
}

// Remember makes q the state of a site. Recursion needs it: the state of a production is
// remembered before its successors are known. It panics where the memory passes its limit.
func (b *Builder) Remember(s Site, q StateID) {
	b.chargeHeld(siteBytes)
	b.memo[s] = q
}

// Once returns the state of a site: the one that is remembered, or else what build returns, which
// it remembers only then: build itself may ask for the same site.
func (b *Builder) Once(s Site, build func() StateID) StateID {
	if q, ok := b.memo[s]; ok {
		return q
	}
	q := build()
	b.Remember(s, q)
	return q
}

// Forget drops the record of sites and states; the states stay. It is for builders that go on with another
// production, none of whose states can equal an earlier one.
func (b *Builder) Forget() {
	b.chargeHeld(-siteBytes * len(b.memo))
	b.memo = map[Site]StateID{}
	b.same = map[string]StateID{}
}

// Build returns the state that reads e and then goes on with k; [Dead] if no string leads from there to
// acceptance. It returns the same state for the same arguments. last says that e is at the end of its
// production, with nothing written after it; Build only passes it on to Reference. It panics at a limit.
func (b *Builder) Build(e *expr.Expr, k Continuation, last bool) StateID {
	if k == Always(Dead) || !b.Facts.Derives(e) {
		return Dead
	}
	b.Budget.Step(20) // an estimate of the time: a state or two are made or looked up
	// What is made in one step is not remembered: Intern finds it again.
	switch e.Op {
	case expr.Empty:
		return k.AfterNone
	case expr.Class:
		return b.ReadSet(e.Set, b.markOf(e, 0), k.AfterSome)
	case expr.Literal:
		q := k.AfterSome
		for i := len(e.Lit) - 1; i >= 0; i-- {
			q = b.ReadSet(expr.Bytes(e.Lit[i:i+1]), b.markOf(e, i), q)
		}
		return q
	case expr.Node:
		return b.Build(e.Sub[0], k, last)
	case expr.Ref:
		return b.Reference(e, k, last)
	}
	return b.Once(Site{E: e, K: k, Last: last}, func() StateID {
		switch e.Op {
		case expr.Seq:
			return b.buildSequence(e, k, last)
		case expr.Alt:
			next := make([]StateID, len(e.Sub))
			for i, s := range e.Sub {
				next[i] = b.Build(s, k, last)
			}
			return b.FirstOf(next...)
		case expr.Repeat:
			return b.buildRepeat(e, k, last)
		}
		return Dead
	})
}

// markOf returns the mark of the state that reads the i-th byte of a terminal, 0 where there are no
// marks.
func (b *Builder) markOf(e *expr.Expr, i int) int32 {
	if b.Mark == nil {
		return 0
	}
	return b.Mark(e, i)
}

// buildSequence is Build for a sequence, from its last part to its first. Where an earlier part has
// consumed something, the rest may be empty. So the rest is built a second time, as if it stood
// outside of the iteration.
func (b *Builder) buildSequence(e *expr.Expr, k Continuation, last bool) StateID {
	for i := len(e.Sub) - 1; i > 0; i-- {
		here := last && i == len(e.Sub)-1
		next := Always(b.Build(e.Sub[i], k, here))
		if k.AfterNone != k.AfterSome {
			next.AfterSome = b.Build(e.Sub[i], Always(k.AfterSome), here)
		}
		k = next
	}
	return b.Build(e.Sub[0], k, last && len(e.Sub) == 1)
}

// buildRepeat is Build for a repetition: the iterations beyond the least number first, which come
// last, and then those of the least number. Only the latter may be empty. Only the iteration after
// which no other can come is at the end of the production.
func (b *Builder) buildRepeat(e *expr.Expr, k Continuation, last bool) StateID {
	// k becomes the continuation of the part that is already built: first of the iterations beyond the least
	// number, then of those before, one by one. At the end nothing has been consumed yet.
	body := e.Sub[0]
	if e.Max == expr.Unbounded {
		k = b.buildLoop(body, k)
	} else {
		k = b.buildOptions(body, e.Max-e.Min, k, last)
	}
	for i := range e.Min {
		here := last && i == 0 && e.Max == e.Min
		next := Always(b.Build(body, Always(k.AfterSome), here))
		if k.AfterNone != k.AfterSome {
			next.AfterNone = b.Build(body, k, here)
		}
		k = next
	}
	return k.AfterNone
}

// buildLoop returns the continuation of any number of non-empty iterations of body before k.
func (b *Builder) buildLoop(body *expr.Expr, k Continuation) Continuation {
	if !b.Facts.NonEmpty(body) {
		return k // derives the empty string at most, so there is no iteration
	}
	// again is the loop after a byte of it has been read. Its state refers to itself, so it is
	// added before its successors are known.
	loops := map[StateID]StateID{}
	again := func(exit StateID) StateID {
		if q, ok := loops[exit]; ok {
			return q
		}
		q := b.AddDistinct(State{Op: opcode.Choice})
		loops[exit] = q
		if first := b.Build(body, Continuation{Dead, q}, false); first != Dead {
			b.States[q].Next = append(b.States[q].Next, first)
		}
		if exit != Dead {
			b.States[q].Next = append(b.States[q].Next, exit)
		}
		return q
	}
	// Once an iteration has read something, what follows is after something as well. So the first
	// iteration is its own choice where the exit without one leads elsewhere.
	loop := func(exit StateID) StateID {
		if exit == k.AfterSome {
			return again(exit)
		}
		return b.FirstOf(b.Build(body, Continuation{Dead, again(k.AfterSome)}, false), exit)
	}
	afterSome := Dead
	if k.AfterSome != Dead {
		afterSome = loop(k.AfterSome)
	}
	afterNone := afterSome
	if k.AfterNone != k.AfterSome {
		afterNone = loop(k.AfterNone)
	}
	return Continuation{afterNone, afterSome}
}

// buildOptions returns the continuation of at most count non-empty iterations of body before k. It
// begins with the last iteration that may be there. Each can be followed by the next or by k.
func (b *Builder) buildOptions(body *expr.Expr, count int, k Continuation, last bool) Continuation {
	if !b.Facts.NonEmpty(body) {
		return k
	}
	end := k
	for i := range count {
		next := k.AfterSome
		k = end.Each(func(exit StateID) StateID {
			return b.FirstOf(b.Build(body, Continuation{Dead, next}, last && i == 0), exit)
		})
	}
	return k
}
