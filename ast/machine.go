package ast

import (
	"errors"
	"fmt"
	"strings"
)

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
// exactly the first byte after which no continuation is accepted. The tables are read only, and plain data,
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
	Explained Kind   // the production whose strings are accepted from State
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
// ([SyntaxError.Explained]). It is nil exactly if that production derives src. So it can also say why a
// string that start does derive is not one of its scheme's own.
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
		Expected:  m.expected(note, from.Explained),
		Section:   g.Production(at).Section,
	}
}

// choose gives the start with the longest prefix of src.
func choose(starts []Start, src string) Start {
	var best Start
	for i, s := range starts {
		if (i == 0 || len(s.Prefix) > len(best.Prefix)) && strings.HasPrefix(src, s.Prefix) {
			best = s
		}
	}
	return best
}

// run reads src from state q. It gives the last state before the dead one, how far it came, and whether src
// is accepted.
func (m *Machine) run(q uint16, src string) (state uint16, offset int, ok bool) {
	for i := range len(src) {
		next := m.Next[int(q)*m.Width+int(m.Classes[src[i]])]
		if next == 0 {
			return q, i, false
		}
		q = next
	}
	return q, len(src), m.Notes[m.Note[q]].Accept
}

func (m *Machine) expected(note *Note, whole Kind) []Expectation {
	n := len(note.Reads)
	if note.Accept {
		n++
	}
	if n == 0 {
		return nil
	}
	list := make([]Expectation, 0, n)
	for _, r := range note.Reads {
		term := &m.Terms[r.Term]
		list = append(list, Expectation{term.Name, term.First, r.In[:len(r.In):len(r.In)]})
	}
	if note.Accept {
		list = append(list, Expectation{Term: EndOfInput, In: []Kind{whole}})
	}
	return list
}

// Validate checks the form of g and of its machine, so that neither can lead outside its tables; it does not
// say that they are right. It is for whoever makes a grammar value.
func (g *Grammar) Validate() error {
	if len(g.Productions) == 0 || g.Productions[0] != (Production{}) {
		return fmt.Errorf("%s: Productions[0] is not the zero Production", g.Name)
	}
	seen := map[string]bool{}
	for k, p := range g.Productions[1:] {
		switch {
		case p.ID == "" || p.Name == "":
			return fmt.Errorf("%s: production %d has no ID or no name", g.Name, k+1)
		case seen[p.ID]:
			return fmt.Errorf("%s: two productions have the ID %s", g.Name, Quote(p.ID))
		}
		seen[p.ID] = true
	}
	if !g.known(g.Default) {
		return fmt.Errorf("%s: the default start is kind %d, which is no production", g.Name, g.Default)
	}
	for _, s := range g.Schemes {
		if !g.known(s.Kind) {
			return fmt.Errorf("%s: scheme %s is of kind %d, which is no production", g.Name, Quote(s.Name), s.Kind)
		}
	}
	if g.Machine == nil {
		return nil
	}
	if err := g.Machine.validate(g); err != nil {
		return fmt.Errorf("%s: machine: %w", g.Name, err)
	}
	return nil
}

func (g *Grammar) known(kinds ...Kind) bool {
	for _, k := range kinds {
		if k == 0 || int(k) >= len(g.Productions) {
			return false
		}
	}
	return true
}

func (m *Machine) validate(g *Grammar) error {
	states := len(m.Note)
	switch {
	case len(m.Classes) != 256:
		return fmt.Errorf("Classes has %d bytes, not 256", len(m.Classes))
	case states == 0 || m.Width <= 0 || len(m.Next) != states*m.Width:
		return fmt.Errorf("Next has %d entries for %d states of %d classes", len(m.Next), states, m.Width)
	case len(m.Starts) != len(g.Productions):
		return fmt.Errorf("Starts has %d entries for %d kinds", len(m.Starts), len(g.Productions))
	}
	for b := range 256 {
		if int(m.Classes[b]) >= m.Width {
			return fmt.Errorf("byte %#02x is of class %d of %d", b, m.Classes[b], m.Width)
		}
	}
	for i, q := range m.Next {
		if int(q) >= states {
			return fmt.Errorf("state %d leads to state %d of %d", i/m.Width, q, states)
		}
		if i < m.Width && q != 0 {
			return errors.New("the dead state leads to another")
		}
	}
	for q, n := range m.Note {
		if int(n) >= len(m.Notes) {
			return fmt.Errorf("state %d has note %d of %d", q, n, len(m.Notes))
		}
	}
	if m.Notes[m.Note[0]].Accept {
		return errors.New("the dead state accepts")
	}
	if q := m.trapped(); q != 0 {
		return fmt.Errorf("no accepting state can be reached from state %d", q)
	}
	for i, n := range m.Notes {
		if !g.known(n.In...) {
			return fmt.Errorf("note %d names a kind that is no production", i)
		}
		for _, r := range n.Reads {
			if int(r.Term) >= len(m.Terms) || !g.known(r.In...) {
				return fmt.Errorf("note %d reads term %d of %d in kinds %v", i, r.Term, len(m.Terms), r.In)
			}
		}
	}
	for k, starts := range m.Starts {
		if k == 0 {
			continue
		}
		if len(starts) == 0 || starts[len(starts)-1].Prefix != "" {
			return fmt.Errorf("the last start of %s does not have an empty prefix", g.Productions[k].ID)
		}
		for _, s := range starts {
			if int(s.State) >= states || !g.known(s.Explained) {
				return fmt.Errorf("%s starts in state %d of %d, as kind %d", g.Productions[k].ID, s.State, states, s.Explained)
			}
		}
	}
	return nil
}

// trapped gives a state other than 0 from which no accepting state can be reached, or 0.
func (m *Machine) trapped() int {
	live := make([]bool, len(m.Note))
	for q, n := range m.Note {
		live[q] = m.Notes[n].Accept
	}
	for grown := true; grown; {
		grown = false
		for q := len(live) - 1; q > 0; q-- {
			for c := 0; c < m.Width && !live[q]; c++ {
				if live[m.Next[q*m.Width+c]] {
					live[q], grown = true, true
				}
			}
		}
	}
	for q := 1; q < len(live); q++ {
		if !live[q] {
			return q
		}
	}
	return 0
}
