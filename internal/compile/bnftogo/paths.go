package bnftogo

import (
	"github.com/bnfcheck/bnfcheck/internal/automata/choice"
	"github.com/bnfcheck/bnfcheck/internal/base/opcode"
)

// This file has the two things that the automata of this package do besides reading bytes: actions, which
// change the tree, and the ways from one byte to the next.
//
// One automaton with ordered choices holds all regular productions of a grammar. Package choice builds it;
// recursion.go says how a reference to a production becomes states.

// accept is the state at the end of the input, which every automaton of this package has.
// [newBuilder] adds it first, after [choice.Dead].
const accept choice.StateID = 1

// doAction returns the state that does an action and goes on at next, or [choice.Dead] if next is
// that.
func (b *builder) doAction(a opcode.Action, next choice.StateID) choice.StateID {
	if next == choice.Dead {
		return choice.Dead
	}
	return b.Intern(choice.State{
		Op:   opcode.Act,
		Arg:  int32(a),
		Next: []choice.StateID{next},
	})
}

// A path is a way from a state without consuming anything. It ends in a state that reads a byte,
// or in accept.
type path struct {
	acts string // the actions on it, two bytes each
	to   choice.StateID
}

// A meet is a state that two ways with different actions lead to. Any string that is accepted from it has two
// trees.
type meet struct {
	at         choice.StateID
	one, other string // the actions of the two ways
}

// pathsFrom returns the paths from q, in the order of the choices. It follows only the first of several ways to a
// state, so there is one path for each end. Those of the others that have different actions are meets.
func pathsFrom(n *choice.Automaton, q choice.StateID) (paths []path, meets []meet) {
	seen := map[choice.StateID]string{}
	var walk func(q choice.StateID, acts []byte)
	walk = func(q choice.StateID, acts []byte) {
		for {
			if one, ok := seen[q]; ok {
				if one != string(acts) {
					meets = append(meets, meet{q, one, string(acts)})
				}
				return
			}
			n.Budget.Step(1 + len(acts))
			seen[q] = string(acts)
			s := &n.States[q]
			switch s.Op {
			case opcode.Dead:
				return
			case opcode.End, opcode.Byte:
				paths = append(paths, path{string(acts), q})
				return
			case opcode.Act:
				// The capacity is cut, so that alternatives do not write over each other's
				// actions.
				acts = append(acts[:len(acts):len(acts)], byte(s.Arg), byte(s.Arg>>8))
				q = s.Next[0]
			case opcode.Choice:
				if len(s.Next) == 0 {
					return
				}
				// The last alternative needs no recursion, which keeps the stack small in long
				// chains.
				for _, p := range s.Next[:len(s.Next)-1] {
					walk(p, acts)
				}
				q = s.Next[len(s.Next)-1]
			}
		}
	}
	walk(q, nil)
	return paths, meets
}
