package ast

import "strings"

// ByteSet is a set of bytes: b is in it if bit b%64 of element b/64 is set.
type ByteSet [4]uint64

// Has reports whether b is in s.
func (s ByteSet) Has(b byte) bool { return s[b>>6]>>(b&63)&1 == 1 }

// Covers reports whether every byte of t is in s.
func (s ByteSet) Covers(t ByteSet) bool {
	return t[0]&^s[0]|t[1]&^s[1]|t[2]&^s[2]|t[3]&^s[3] == 0
}

// Machine is a deterministic automaton over bytes that explains why a string is rejected. It holds one
// automaton for each production that explains, side by side in the same tables: state 0 is dead, the others
// are numbered from 1, and each production has a state from which exactly its strings are accepted.
//
// A machine is trim: from every state but 0 an accepting one can be reached. So a step into state 0 comes at
// exactly the first byte with which what was read begins no string of the [Start]. The tables are read only, and plain data,
// so that a program that never rejects anything pays nothing for them. [Grammar.Validate] checks their form.
type Machine struct {
	// Classes maps each byte to its class, in 256 bytes. Bytes of one class have the same successor in
	// every state.
	Classes string

	// Width is the number of classes, the length of a row of Next.
	Width int

	// Next holds the successors: that of state q by a byte of class c is Next[q*Width+c]. The first row,
	// that of the dead state, is all 0.
	Next []uint16

	// Note maps each state to its place in Notes. Two states share a note if the same can be said about
	// both.
	Note []uint16

	// Notes holds what can be said about a state.
	Notes []Note

	// Terms holds the terminals and lexical productions that notes refer to.
	Terms []Term

	// Starts lists, by Kind, the states to begin in. It is as long as the grammar's Productions.
	Starts [][]Start
}

// Start is one state in which to begin explaining a production. Of a production's starts the one whose
// Prefix is the longest that the input begins with is taken; the last must have the Prefix "", so that there
// always is one. For RFC 1738's url these are the scheme's own productions ("http:" and httpurl, ...) and
// genericurl for "".
type Start struct {
	Prefix    string
	State     uint16 // before the first byte of the input, the prefix included; 0 if Explained derives nothing
	Explained Kind   // the production that is chosen; accepted from State are the strings with this choice
}

// Term is a terminal or lexical production.
type Term struct {
	Name  string  // as it is shown: uchar, or the literal in quotes
	First ByteSet // the bytes it can begin with; left empty, it is never omitted from a message
}

// Note is what can be said about a state: where in the productions it is, and what can be read there.
type Note struct {
	Accept bool   // the input may end here
	In     []Kind // see [SyntaxError]
	Reads  []Read // one for each term that can be read here, in the order in which they are to be shown
}

// Read is a term that can be read, and who reads it.
type Read struct {
	Term uint16 // its place in Terms
	In   []Kind // the productions that read it here
}

// Explain says why start does not derive src. The explanation is that of one production: start's own or,
// where start is a choice among schemes and src begins with a known one, that scheme's production
// ([SyntaxError.Explained]). It is nil exactly if src is derived with that choice. So it can also say why a
// string that start does derive is not one of its scheme's own.
//
// A nil result must not be stored in a variable of type error before it is compared with nil.
//
// It takes one pass up to the offending byte, and allocates the error alone. Where g has no machine, or the
// machine no start for this production, the error is at offset 0 and expects nothing.
func (g *Grammar) Explain(start Kind, src string) *SyntaxError {
	m := g.Machine
	if m == nil || int(start) >= len(m.Starts) || len(m.Starts[start]) == 0 {
		section := g.Production(start).Section
		return &SyntaxError{Grammar: g, Start: start, Explained: start, Input: src, Section: section}
	}
	from := choose(m.Starts[start], src)
	state, offset, ok := m.run(from.State, src)
	if ok {
		return nil
	}
	note := &m.Notes[m.Note[state]]
	at := from.Explained
	if len(note.In) > 0 {
		at = note.In[0]
	}
	return &SyntaxError{
		Grammar:   g,
		Start:     start,
		Explained: from.Explained,
		Input:     src,
		Offset:    offset,
		In:        note.In[:len(note.In):len(note.In)],
		Expected:  m.expected(note),
		Section:   g.Production(at).Section,
	}
}

// choose gives the start with the longest prefix of src.
func choose(starts []Start, src string) Start {
	best, length := Start{}, -1
	for _, s := range starts {
		if len(s.Prefix) > length && strings.HasPrefix(src, s.Prefix) {
			best, length = s, len(s.Prefix)
		}
	}
	return best
}

// run reads src from state q. It gives the last state before the dead one, how far it came, and whether src
// is accepted.
func (m *Machine) run(q uint16, src string) (state uint16, offset int, ok bool) {
	classes, next, width := m.Classes, m.Next, m.Width
	for i := range len(src) {
		to := next[int(q)*width+int(classes[src[i]])]
		if to == 0 {
			return q, i, false
		}
		q = to
	}
	return q, len(src), m.Notes[m.Note[q]].Accept
}

// expected gives what a note says can be read, and the end of the input where it may end.
func (m *Machine) expected(note *Note) []Expectation {
	list := make([]Expectation, 0, len(note.Reads)+1)
	for _, r := range note.Reads {
		term := &m.Terms[r.Term]
		list = append(list, Expectation{term.Name, term.First, r.In[:len(r.In):len(r.In)]})
	}
	if note.Accept {
		list = append(list, Expectation{Term: EndOfInput})
	}
	return list
}
