package ast

import (
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/base/quote"
)

// Machine is the automaton of a grammar that explains rejections: a deterministic automaton over
// bytes. Its states are small numbers. State 0 is dead; from every other state an accepting state
// can be reached. So a walk steps into state 0 at exactly the first byte with which no string of
// the production goes on.
//
// A Machine is a small value that points into the grammar's tables. Walking it allocates nothing.
type Machine struct {
	tables *Tables
}

// noTables is the automaton of a grammar without tables. It has the dead state only.
var noTables = &Tables{Width: 1, Next: []uint16{0}, Note: []uint16{0}, Notes: []TableNote{{}}}

// Machine returns the automaton that explains rejections. For a grammar without tables it has the
// dead state only.
func (g *Grammar) Machine() Machine {
	if g == nil || g.Tables == nil {
		return Machine{noTables}
	}
	return Machine{unpack(g.Tables, g.Tables.Packed, (*packedReader).explaining)}
}

// Starts returns the states in which the explanation of production k can begin. There are none if k
// is no production, or is not explained. The slice must not be changed.
func (m Machine) Starts(k Kind) []TableStart {
	if int(k) >= len(m.tables.Starts) {
		return nil
	}
	return m.tables.Starts[k]
}

// Start returns the start of production k that applies to input: the one whose prefix is the
// longest that input begins with. It is the zero TableStart, with the dead state, if k has none.
func (m Machine) Start(k Kind, input string) TableStart {
	best, length := TableStart{}, -1
	for _, s := range m.Starts(k) {
		if len(s.Prefix) > length && strings.HasPrefix(input, s.Prefix) {
			best, length = s, len(s.Prefix)
		}
	}
	return best
}

// States returns the number of states, the dead one included.
func (m Machine) States() int { return len(m.tables.Note) }

// Step returns the successor of state q by the byte b, or 0 if no accepted string goes on with b.
func (m Machine) Step(q uint16, b byte) uint16 {
	t := m.tables
	if i := uint(q)*uint(t.Width) + uint(t.Classes[b]); i < uint(len(t.Next)) {
		return t.Next[i]
	}
	return 0
}

// Class returns the class of the byte b. Bytes of one class have the same successor in every state.
func (m Machine) Class(b byte) int { return int(m.tables.Classes[b]) }

// Accepts reports whether the input may end in state q.
func (m Machine) Accepts(q uint16) bool { return m.note(q).Accept }

// In returns the productions that are being matched in state q, in the order of [SyntaxError.In].
// The slice is shared with the tables and must not be changed.
func (m Machine) In(q uint16) []Kind {
	in := m.note(q).In
	return in[:len(in):len(in)]
}

// Expected returns the terms that can be read in state q. The last is [EndOfInput] where the input
// may end. The slice belongs to the caller; the slices in its elements are shared with the tables
// and must not be changed.
func (m Machine) Expected(q uint16) []Expectation {
	note := m.note(q)
	list := make([]Expectation, 0, len(note.Expected)+1)
	for _, i := range note.Expected {
		if int(i) < len(m.tables.Expectations) {
			list = append(list, m.tables.Expectations[i])
		}
	}
	if note.Accept {
		list = append(list, Expectation{Term: EndOfInput})
	}
	return list
}

// note returns the note of state q, and that of the dead state for a number that is no state.
func (m Machine) note(q uint16) *TableNote {
	t := m.tables
	if int(q) < len(t.Note) {
		if n := t.Note[q]; int(n) < len(t.Notes) {
			return &t.Notes[n]
		}
	}
	return &noTables.Notes[0]
}

// run reads src from state q. It returns the last state before the dead one, the number of bytes
// read up to it, and whether src is accepted.
func (m Machine) run(q uint16, src string) (state uint16, offset int, ok bool) {
	for i := range len(src) {
		to := m.Step(q, src[i])
		if to == 0 {
			return q, i, false
		}
		q = to
	}
	return q, len(src), m.Accepts(q)
}

// Explain returns why start does not derive src. It explains one production
// ([SyntaxError.Explained]): start itself or, if start is a choice among schemes and src begins
// with the name of one, that scheme's production. The result is nil exactly if src is derived with
// that choice. So Explain also tells why a string that start does derive is not one of its scheme's
// own.
//
// Compare the result with nil before you store it in a variable of type error.
//
// By tables, Explain takes time linear in the bytes up to the offending one, and allocates little but the error. If g
// has no tables, or they have no start for this production, the error is at offset 0 and expects nothing. A general
// parser gives up at the default limits: the error then has an offset, up to which src was read, and expects nothing.
func (g *Grammar) Explain(start Kind, src string) *SyntaxError {
	e := g.explain(start, src, false)
	if e == nil || g == nil {
		return e
	}
	// Decided by bytes, before the offset moves to the beginning of a character: the input may end
	// inside one.
	e.Incomplete = g.isIncomplete(e)
	if !g.CodePoints {
		return e
	}
	at, broken := quote.CharacterStart(src, e.Offset)
	if at == e.Offset {
		return e
	}
	// A grammar may still read each byte of a broken character as U+FFFD, as Go does; 0xFF stands for
	// any such byte, since it is complete by itself.
	prefix := src[:at] + strings.Repeat("\xFF", broken)
	incomplete := e.Incomplete
	e = g.explain(start, prefix, true)
	e.Input, e.Incomplete = src, incomplete
	return e
}

// isIncomplete reports whether the input of e is the beginning of a string that its start derives,
// and no such string itself. By tables it finds that out anew. A general parser has found it out already:
// e must then be the rejection of an input that is not derived, and if it passed a limit the answer is
// false. The offset of e must still be that of a byte, not moved to the beginning of a character.
func (g *Grammar) isIncomplete(e *SyntaxError) bool {
	if g.Explaining != nil {
		// Without expectations nothing is known: the explanation passed a limit.
		return e.Offset == len(e.Input) && len(e.Expected) > 0
	}
	// Each way to explain the start derives some of its strings, and together they derive all of them.
	m := g.Machine()
	incomplete := false
	for _, s := range m.Starts(e.Start) {
		_, offset, derived := m.run(s.State, e.Input)
		if derived {
			return false
		}
		// State 0 derives nothing, so that not even the empty input begins a string.
		incomplete = incomplete || s.State != 0 && offset == len(e.Input)
	}
	return incomplete
}

// explain is [Grammar.Explain] by bytes, and does not set Incomplete. If ends, it explains the end of src even
// where start derives src: what else could follow.
func (g *Grammar) explain(start Kind, src string, ends bool) *SyntaxError {
	if g != nil && g.Explaining != nil {
		return g.explainNested(start, src, ends)
	}
	m := g.Machine()
	if len(m.Starts(start)) == 0 {
		return g.unexplained(start, src)
	}
	from := m.Start(start, src)
	state, offset, ok := m.run(from.State, src)
	if ok && !ends {
		return nil
	}
	in := m.In(state)
	at := from.Explained
	if len(in) > 0 {
		at = in[0]
	}
	return &SyntaxError{
		Grammar:   g,
		Start:     start,
		Explained: from.Explained,
		Input:     src,
		Offset:    offset,
		In:        in,
		Expected:  m.Expected(state),
		Section:   g.Production(at).Section,
	}
}

// Rejection explains an src that start does not derive. It is never nil, since the production that
// is explained derives only strings that start derives. If the tables were wrong, the error would
// be at offset 0 and expect nothing.
func (g *Grammar) Rejection(start Kind, src string) *SyntaxError {
	if err := g.Explain(start, src); err != nil {
		return err
	}
	return g.unexplained(start, src)
}

// unexplained returns an error that says no more than that start does not derive src: it is at
// offset 0 and expects nothing.
func (g *Grammar) unexplained(start Kind, src string) *SyntaxError {
	return &SyntaxError{Grammar: g, Start: start, Explained: start, Input: src, Section: g.Production(start).Section}
}
