// Package opcode numbers the states and actions in the tables of package ast. The programs that
// write tables and the parsers that walk them import the same constants.
//
// The numbers are part of the format of generated packages: one that changes needs a new format.
package opcode

// An Op says what a state of an automaton or a network does. State 0 is dead and has the op Dead.
type Op uint8

// The successors of a state follow it in an order that matters.
const (
	Dead   Op = 0 // leads nowhere
	End    Op = 1 // the end of the input; in a network, the end of the production in its argument
	Byte   Op = 2 // reads a byte of the set in its argument, then goes on at its one successor
	Choice Op = 3 // goes on at the first successor from which the rest can be derived
	Act    Op = 4 // does the action in its argument, then goes on at its one successor

	// Call calls the production in its argument. It goes on at its first successor after a
	// string, and at its second after the empty string; a successor may be 0.
	Call Op = 5
)

// An Action changes the tree while a string is read. An action from 1 up to MaxKind is a kind: it
// opens a node of that kind.
type Action uint16

const (
	Close   Action = 0      // closes the innermost open node
	Mark    Action = 0xffff // marks the innermost open node
	CloseTo Action = 0xfffe // closes nodes up to the one that was marked last; removes that mark
)

// MaxKind is above all kinds of nodes in tables with actions.
const MaxKind = 0xfff0
