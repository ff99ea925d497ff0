package bnftogo

import (
	"encoding/binary"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file builds one automaton with ordered choices for all regular productions of a grammar.
//
// The construction is Thompson's, from the end of the input backwards: build(e, k) returns a state
// that reads e and then goes on at k. Productions are put in the places where they are used.
//
// Invariant: a state stands for an expression and for everything that follows it up to the end of
// the input. So whether the rest of an input can be derived from a state depends on the state
// alone, and each choice is right for its caller. Two uses of a production share a state exactly
// where they continue alike, since equal states are made once ([nfa.intern]).
//
// Cost: at most the size of the grammar with its productions put in. The limit on states ends what
// would take exponentially many.

// A stateID is the index of a state in [nfa.states].
type stateID int32

// Two states are in every automaton.
const (
	dead   stateID = 0 // nothing is accepted from it
	accept stateID = 1 // the end of the input
)

// An nfa holds the states that have been made so far.
type nfa struct {
	states []state
	sets   expr.Numbering[expr.Set]
	same   map[string]stateID // states by their contents, see [nfa.intern]
	limit  int                // of states
	budget *budget.Budget
	held   int64 // bytes that n keeps
}

// A state reads a byte, does an action or chooses.
type state struct {
	op   opcode.Op
	arg  int32 // of Byte the index of its set in nfa.sets, of Act the action
	next []stateID
}

func newNFA(limit int, b *budget.Budget) *nfa {
	return &nfa{
		states: []state{{op: opcode.Dead}, {op: opcode.End}},
		same:   map[string]stateID{},
		limit:  limit,
		budget: b,
	}
}

// chargeHeld charges bytes that are kept as long as n is. It fails by a panic of the budget.
func (n *nfa) chargeHeld(bytes int) {
	n.held += int64(bytes)
	n.budget.Room(n.held)
}

// intern returns the state that is equal to s, and adds s if there is none. It finds only states
// that it has added itself: the successors of others can still change (see [nfa.addDistinct]).
func (n *nfa) intern(s state) stateID {
	n.budget.Step(8 + 4*len(s.next))
	key := make([]byte, 0, 8+4*len(s.next))
	key = append(key, byte(s.op))
	key = binary.LittleEndian.AppendUint32(key, uint32(s.arg))
	for _, t := range s.next {
		key = binary.LittleEndian.AppendUint32(key, uint32(t))
	}
	return expr.Memo(n.same, string(key), func() stateID { return n.addDistinct(s) })
}

// addDistinct adds a state even if there is an equal one. A loop needs it: its successors are set
// after its state is known. It panics where there are more states than the limit.
func (n *nfa) addDistinct(s state) stateID {
	if len(n.states) >= n.limit {
		panic(&budget.Exceeded{
			Limit:      budget.States,
			Size:       int64(n.limit),
			Production: n.budget.At(),
		})
	}
	n.chargeHeld(192 + 8*len(s.next))
	n.states = append(n.states, s)
	return stateID(len(n.states) - 1)
}

// setOf returns the bytes that a state with the op Byte reads.
func (n *nfa) setOf(s *state) expr.Set { return n.sets.List[s.arg] }

// partition returns the classes of bytes that the states tell apart.
func (n *nfa) partition() *expr.Partition { return expr.NewPartition(n.sets.List...) }

// readByte returns the state that reads a byte of the set and goes on at next.
func (n *nfa) readByte(set expr.Set, next stateID) stateID {
	if next == dead || set.IsEmpty() {
		return dead
	}
	id, _ := n.sets.Of(set)
	return n.intern(state{op: opcode.Byte, arg: int32(id), next: []stateID{next}})
}

// doAction returns the state that does an action and goes on at next.
func (n *nfa) doAction(a opcode.Action, next stateID) stateID {
	if next == dead {
		return dead
	}
	return n.intern(state{op: opcode.Act, arg: int32(a), next: []stateID{next}})
}

// chooseFirst returns the ordered choice of the states. It leaves out dead states, and states that
// have come before: only the first of two equal alternatives can be taken.
func (n *nfa) chooseFirst(next ...stateID) stateID {
	var live []stateID
	seen := map[stateID]bool{}
	for _, q := range next {
		if q == dead || seen[q] {
			continue
		}
		seen[q] = true
		live = append(live, q)
	}
	switch len(live) {
	case 0:
		return dead
	case 1:
		return live[0]
	}
	return n.intern(state{op: opcode.Choice, next: live})
}

// A continuation is what follows an expression. An iteration beyond the least number must not be
// empty, so there are two states: afterNone is where to go on if nothing has been consumed since
// the iteration around the expression began, afterSome where something has. Outside of iterations
// both are the same.
type continuation struct{ afterNone, afterSome stateID }

// always returns the continuation that goes on at q, whatever was consumed.
func always(q stateID) continuation { return continuation{q, q} }

// each applies f to both states. It calls f once if they are the same, so that f may add a state.
func (k continuation) each(f func(q stateID) stateID) continuation {
	to := always(f(k.afterSome))
	if k.afterNone != k.afterSome {
		to.afterNone = f(k.afterNone)
	}
	return to
}

// A builder adds the expressions of a grammar to an nfa.
type builder struct {
	*nfa
	g     *expr.Grammar
	facts *expr.Facts

	kind     func(id string) ast.Kind // of a production that is a node; else 0
	comp     map[string]*expr.Component
	leftmost map[*expr.Component]*expr.Rule // a rule that can use itself before anything is read

	// emptyCircle has the productions that use themselves and derive the empty string alone.
	emptyCircle map[string]*expr.Rule

	memo  map[site]stateID
	ends  map[tail]continuation
	exits map[stateID]stateID // by state of tails: where the component ends
	tails map[stateID]tail    // states at the end of a production that uses itself there
}

// A site is an expression and what follows it: an argument of [builder.build].
type site struct {
	e *expr.Expr
	k continuation
}

// build returns the state from which e is read and k follows; dead if no string leads on that way.
// It returns the same state for the same arguments.
func (b *builder) build(e *expr.Expr, k continuation) stateID {
	if k == always(dead) || !b.facts.Derives(e) {
		return dead
	}
	b.budget.Step(20)
	// What is made in one step is not remembered: intern finds it again.
	switch e.Op {
	case expr.Empty:
		return k.afterNone
	case expr.Class:
		return b.readByte(e.Set, k.afterSome)
	case expr.Literal:
		q := k.afterSome
		for i := len(e.Lit) - 1; i >= 0; i-- {
			q = b.readByte(expr.Bytes(e.Lit[i:i+1]), q)
		}
		return q
	case expr.Node:
		return b.build(e.Sub[0], k)
	}
	at := site{e, k}
	if q, ok := b.memo[at]; ok {
		return q
	}
	var q stateID
	switch e.Op {
	case expr.Ref:
		return b.enter(b.g.Rule(e.Name), k) // remembers its result itself
	case expr.Seq:
		// Where an earlier part has consumed something, the rest may be empty. So the rest is
		// built a second time, as if it stood outside of the iteration.
		for i := len(e.Sub) - 1; i > 0; i-- {
			q := b.build(e.Sub[i], k)
			if k.afterNone != k.afterSome {
				k = continuation{q, b.build(e.Sub[i], always(k.afterSome))}
			} else {
				k = always(q)
			}
		}
		q = b.build(e.Sub[0], k)
	case expr.Alt:
		next := make([]stateID, len(e.Sub))
		for i, s := range e.Sub {
			next[i] = b.build(s, k)
		}
		q = b.chooseFirst(next...)
	case expr.Repeat:
		q = b.buildRepeat(e, k)
	}
	b.chargeHeld(96)
	b.memo[at] = q
	return q
}

// buildRepeat is build for a repetition: the iterations beyond the least number first, which come
// last, and then those of the least number. Only the latter may be empty.
func (b *builder) buildRepeat(e *expr.Expr, k continuation) stateID {
	body := e.Sub[0]
	if e.Max == expr.Unbounded {
		k = b.buildLoop(body, k)
	} else {
		k = b.buildOptions(body, e.Max-e.Min, k)
	}
	for range e.Min {
		afterSome := b.build(body, always(k.afterSome))
		afterNone := afterSome
		if k.afterNone != k.afterSome {
			afterNone = b.build(body, k)
		}
		k = continuation{afterNone, afterSome}
	}
	return k.afterNone
}

// buildLoop returns the continuation of any number of non-empty iterations of body before k.
func (b *builder) buildLoop(body *expr.Expr, k continuation) continuation {
	if !b.facts.NonEmpty(body) {
		return k // derives the empty string at most, so there is no iteration
	}
	// again is the loop after a byte of it has been read. Its state refers to itself, so it is
	// added before its successors are known.
	loops := map[stateID]stateID{}
	again := func(exit stateID) stateID {
		if q, ok := loops[exit]; ok {
			return q
		}
		q := b.addDistinct(state{op: opcode.Choice})
		loops[exit] = q
		if first := b.build(body, continuation{dead, q}); first != dead {
			b.states[q].next = append(b.states[q].next, first)
		}
		if exit != dead {
			b.states[q].next = append(b.states[q].next, exit)
		}
		return q
	}
	// Once an iteration has read something, what follows is after something as well. So the first
	// iteration is its own choice where the exit without one leads elsewhere.
	loop := func(exit stateID) stateID {
		if exit == k.afterSome {
			return again(exit)
		}
		return b.chooseFirst(b.build(body, continuation{dead, again(k.afterSome)}), exit)
	}
	afterSome := dead
	if k.afterSome != dead {
		afterSome = loop(k.afterSome)
	}
	afterNone := afterSome
	if k.afterNone != k.afterSome {
		afterNone = loop(k.afterNone)
	}
	return continuation{afterNone, afterSome}
}

// buildOptions returns the continuation of at most count non-empty iterations of body before k. It
// begins with the last iteration that may be there. Each can be followed by the next or by k.
func (b *builder) buildOptions(body *expr.Expr, count int, k continuation) continuation {
	if !b.facts.NonEmpty(body) {
		return k
	}
	end := k
	for range count {
		next := k.afterSome
		k = end.each(func(exit stateID) stateID {
			return b.chooseFirst(b.build(body, continuation{dead, next}), exit)
		})
	}
	return k
}

// A path is a way from a state without consuming anything. It ends in a state that reads a byte,
// or in accept.
type path struct {
	acts string // the actions on it, two bytes each
	to   stateID
}

// A meet is a state to which two ways with different actions lead. Any string that is accepted
// from it has two trees.
type meet struct {
	at         stateID
	one, other string // the actions of the two ways
}

// pathsFrom returns the paths from q, in the order of the choices. It follows only the first of
// several ways to a state, so there is one path for each end. The others are meets.
func (n *nfa) pathsFrom(q stateID) (paths []path, meets []meet) {
	seen := map[stateID]string{}
	var walk func(q stateID, acts []byte)
	walk = func(q stateID, acts []byte) {
		for {
			if one, ok := seen[q]; ok {
				if one != string(acts) {
					meets = append(meets, meet{q, one, string(acts)})
				}
				return
			}
			n.budget.Step(1 + len(acts))
			seen[q] = string(acts)
			s := &n.states[q]
			switch s.op {
			case opcode.Dead:
				return
			case opcode.End, opcode.Byte:
				paths = append(paths, path{string(acts), q})
				return
			case opcode.Act:
				// The capacity is cut, so that alternatives do not write over each other's
				// actions.
				acts = append(acts[:len(acts):len(acts)], byte(s.arg), byte(s.arg>>8))
				q = s.next[0]
			case opcode.Choice:
				if len(s.next) == 0 {
					return
				}
				// The last alternative needs no recursion, which keeps the stack small in long
				// chains.
				for _, p := range s.next[:len(s.next)-1] {
					walk(p, acts)
				}
				q = s.next[len(s.next)-1]
			}
		}
	}
	walk(q, nil)
	return paths, meets
}
