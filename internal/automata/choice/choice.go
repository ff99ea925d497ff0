// Package choice builds automata with ordered choices from the expressions of a grammar.
//
// An automaton of this kind reads an input by trying, at each choice, the alternatives in their
// order, and takes the first from which the rest of the input can be derived. So it decides which
// of several derivations a string has, which an automaton of package lang cannot say.
//
// The construction is Thompson's ("Regular expression search algorithm", 1968), from the end of
// the input backwards: Build(e, k) returns a state that reads e and then goes on at k. Two rules
// are added, so that every string has finitely many derivations and repetitions end:
//
//   - an iteration beyond the least number is never empty ([Continuation]);
//   - of equal alternatives only the first is kept ([Automaton.FirstOf]).
//
// What a reference to a production does is left to the caller ([Builder.Reference]): it may put
// the production in its place, jump back to a state that it has made before, or call it.
//
// Invariant: a state stands for an expression and for everything that follows it up to an end. So
// whether the rest of an input can be derived from a state depends on the state alone, and each
// choice is right for whoever comes to it. Equal states are made once, so two uses of a production
// share a state exactly where they go on alike.
//
// Cost: at most the size of the expressions with the productions that are put in. That can be
// exponential, which the limits on states and bytes end.
package choice

import (
	"encoding/binary"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A StateID is the index of a state in [Automaton.States].
type StateID int32

// Dead is the state that accepts nothing. Every automaton has it.
const Dead StateID = 0

// A State is one step of an automaton. Package choice itself makes states that read a byte and
// states that choose; those that end, act or call are made by a [Builder.Reference] and by those
// who call Build.
type State struct {
	Op   opcode.Op
	Arg  int32 // of a Byte the number of its set in [Automaton.Sets]
	Mark int32 // of a Byte what [Builder.Mark] says of it
	Next []StateID
}

// Limits bound an automaton in the making. What passes a limit panics as package budget describes.
type Limits struct {
	Budget *budget.Budget
	States int // at most so many; 0 for no limit but that of the budget's bytes

	// What each state costs besides its own bytes and steps, such as its share of tables that are
	// made of the automaton later.
	StateBytes, StateSteps int
}

// An Automaton holds the states that have been made so far.
type Automaton struct {
	States []State
	Sets   expr.Numbering[expr.Set] // the sets of bytes, by the Arg of the states that read them
	Budget *budget.Budget

	limits Limits
	same   map[string]StateID // states by their contents, see [Automaton.Intern]
	held   int64              // bytes that the automaton and its builder keep
}

// newAutomaton returns an automaton with the state [Dead] alone.
func newAutomaton(l Limits) *Automaton {
	return &Automaton{
		States: []State{{Op: opcode.Dead}},
		Budget: l.Budget,
		limits: l,
		same:   map[string]StateID{},
	}
}

// chargeHeld charges bytes that are kept as long as a is; a negative number gives them back. It
// panics where all that is held passes the limit.
func (a *Automaton) chargeHeld(bytes int) {
	a.held += int64(bytes)
	a.Budget.Room(a.held)
}

// Held returns how many bytes have been charged that a and its builder keep.
func (a *Automaton) Held() int64 { return a.held }

// Intern returns the state that is equal to s, and adds s if there is none. It finds only states
// that it has added itself: the successors of others can still change (see [Automaton.AddDistinct]).
func (a *Automaton) Intern(s State) StateID {
	a.Budget.Step(8 + 4*len(s.Next))
	key := make([]byte, 0, 9+4*len(s.Next))
	key = append(key, byte(s.Op))
	key = binary.LittleEndian.AppendUint32(key, uint32(s.Arg))
	key = binary.LittleEndian.AppendUint32(key, uint32(s.Mark))
	for _, t := range s.Next {
		key = binary.LittleEndian.AppendUint32(key, uint32(t))
	}
	return expr.Memo(a.same, string(key), func() StateID { return a.AddDistinct(s) })
}

// AddDistinct adds a state even if there is an equal one. A loop needs it: its successors are set
// after its state is known. It panics with a [*budget.Exceeded] where there are too many states.
func (a *Automaton) AddDistinct(s State) StateID {
	if a.limits.States > 0 && len(a.States) >= a.limits.States {
		panic(&budget.Exceeded{
			Limit:      budget.States,
			Size:       int64(a.limits.States),
			Production: a.Budget.At(),
		})
	}
	a.Budget.Step(a.limits.StateSteps)
	// A state, its key in the index of states, and twice the successors, of 4 bytes each.
	a.chargeHeld(192 + 8*len(s.Next) + a.limits.StateBytes)
	a.States = append(a.States, s)
	return StateID(len(a.States) - 1)
}

// SetOf returns the bytes that a state with the op Byte reads.
func (a *Automaton) SetOf(s *State) expr.Set { return a.Sets.List[s.Arg] }

// Partition returns the classes of bytes that the states tell apart.
func (a *Automaton) Partition() *expr.Partition { return expr.NewPartition(a.Sets.List...) }

// ReadSet returns the state that reads a byte of the set, has a mark, and goes on at next. It is
// [Dead] if next is, or if the set is empty.
func (a *Automaton) ReadSet(set expr.Set, mark int32, next StateID) StateID {
	if next == Dead || set.IsEmpty() {
		return Dead
	}
	id, _ := a.Sets.Of(set)
	return a.Intern(State{Op: opcode.Byte, Arg: int32(id), Mark: mark, Next: []StateID{next}})
}

// FirstOf returns the ordered choice of the states. It leaves out dead states, and states that
// have come before: only the first of two equal alternatives can be taken.
func (a *Automaton) FirstOf(next ...StateID) StateID {
	var live []StateID
	seen := map[StateID]bool{}
	for _, q := range next {
		if q == Dead || seen[q] {
			continue
		}
		seen[q] = true
		live = append(live, q)
	}
	switch len(live) {
	case 0:
		return Dead
	case 1:
		return live[0]
	}
	return a.Intern(State{Op: opcode.Choice, Next: live})
}
