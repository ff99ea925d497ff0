package ast

// Tables holds the automaton of a grammar that explains rejections, as generated code writes it.
// Programs walk it through [Grammar.Machine].
//
// The automaton is deterministic and reads bytes. It holds one automaton for each production that
// is explained, side by side in the same tables: state 0 is dead, the other states are numbered
// from 1, and each production has a state from which exactly its strings are accepted. It is trim:
// from every state but 0 an accepting state can be reached.
//
// Tables are plain data, or Packed holds them, so that a program that never rejects an input never
// touches them. They must not be changed.
type Tables struct {
	// Packed, unless it is empty, holds all of the fields below, compressed, and these are empty.
	// It is unpacked when it is first used. If it is damaged, the tables hold only the dead state,
	// so that every error is at offset 0 and expects nothing.
	Packed string
	// Classes maps each byte to its class. Bytes of one class have the same successor in every state.
	Classes [256]uint8

	// Width is the number of classes.
	Width int

	// Next holds the successors: from state q, a byte of class c leads to Next[q*Width+c]. The
	// first row, that of the dead state, is all 0.
	Next []uint16

	// Note maps each state to its place in Notes. States with equal notes share one.
	Note []uint16

	// Notes holds what is known of the states.
	Notes []TableNote

	// Expectations holds what the notes refer to.
	Expectations []Expectation

	// Starts lists, by Kind, the states to begin in. It is as long as the grammar's Productions.
	Starts [][]TableStart
}

// TableNote holds what is known of a state: whether it accepts, the productions that are being
// matched in it, and the terms that it can read.
type TableNote struct {
	Accept   bool     // the input may end here
	In       []Kind   // see SyntaxError.In
	Expected []uint16 // indexes in Tables.Expectations, in the order in which messages list them
}

// TableStart is a state in which the explanation of a production can begin. It applies to inputs
// that begin with Prefix; if several do, the one with the longest Prefix counts. The last of a
// production's starts has the Prefix "", so that one always applies. RFC 1738's url has a start for
// each scheme, such as "http:" with httpurl, and one for "" with genericurl.
type TableStart struct {
	Prefix    string
	State     uint16 // the state before the first byte of the input, prefix included; 0 if Explained derives nothing
	Explained Kind   // the production that is explained; State accepts its strings that begin with Prefix
}
