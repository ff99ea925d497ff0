package vectors

import (
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A marked automaton is nondeterministic and reads the language of a production, with a copy of each production for
// each of its uses. Every edge has the terminal that it reads, and its use. Some arcs have a gate: a mutant closes
// it, or opens one that is closed. So every mutant of the grammar is this automaton with a few gates or bytes
// changed.
type marked struct {
	arcs  [][]arc  // by state: the arcs, which read no byte
	edges [][]mark // by state: the edges, which read one

	gates  []gate
	terms  []term
	places expr.Numbering[location]
	final  int32
}

type arc struct{ to, gate int32 } // gate is -1 for an arc without one

type mark struct {
	set      expr.Set
	to, term int32 // term is -1 if nothing is to be mutated
}

type gate struct {
	open  bool // in the grammar itself
	place int32
	role  int
	from  []int32 // the states with an arc through it
}

// A term is a class of bytes, or byte number at of a literal, at a place.
type term struct {
	place int32
	at    int
	from  []int32 // the states with an edge of it
}

// A location is an expression of a production, at one use of it.
type location struct {
	e  *expr.Expr
	in *use
}

// A use is a reference to a production: ref stands in the production of up. The uses of one automaton are shared, so
// that == compares them; nil is the start production.
type use struct {
	up  *use
	ref *expr.Expr
}

// The roles of the gates of a repetition. The gates of an alternation are numbered by alternative. A sequence has two
// for each pair of neighbors: one for the arc between the two, and one for the arc to both exchanged.
const (
	leaveBefore = iota // closed: it allows one round less than the least
	leaveAtLeast
	enterLast
	enterMore // closed: it allows one round more than the most
)

// A marker builds a marked automaton.
type marker struct {
	*marked
	grammar  *expr.Grammar
	language *lang.DFA // of the grammar
	facts    *expr.Facts
	plain    func(e *expr.Expr) (*lang.DFA, error)
	dfas     map[*expr.Expr]*lang.DFA
	uses     map[use]*use
	gateAt   map[gateKey]int32
	termAt   map[gateKey]int32
	parts    []part            // the expressions, each at its first place in the automaton
	hasPart  map[location]bool // by expression and use: parts has it
	err      error
}

type gateKey struct {
	place int32
	role  int
}

// maxMarked caps the states of a marked automaton, unless the budget has a limit for automata.
const maxMarked = 1 << 17

// newMarked builds the marked automaton of a production of g, which must exist. No expression of g may stand at two
// places. a is the automaton of the production. It fails if there is no automaton for the language of g, or with an
// error that wraps [lang.ErrTooLarge]; the marker is nil then.
func newMarked(g *expr.Grammar, id string, a *lang.DFA) (*marker, error) {
	m := &marker{
		marked: &marked{}, grammar: g, language: a, facts: expr.Analyze(g.Rules), dfas: map[*expr.Expr]*lang.DFA{},
		uses: map[use]*use{}, gateAt: map[gateKey]int32{}, termAt: map[gateKey]int32{}, hasPart: map[location]bool{},
	}
	space := lang.NewSpace(lang.Limits{}, []*expr.Grammar{g})
	languages, err := space.BNF(g)
	if err != nil {
		return nil, err
	}
	m.plain = func(e *expr.Expr) (*lang.DFA, error) {
		l, err := languages.OfExpr(e)
		if err != nil {
			return nil, err
		}
		return space.DFA(l)
	}
	start := m.addState()
	m.final = m.addState()
	m.buildProduction(g.Rule(id), start, m.final, nil, nil)
	if m.err != nil {
		return nil, m.err
	}
	return m, nil
}

// usesComponent reports whether c is recursive and e refers to one of its productions, directly.
func (m *marker) usesComponent(e *expr.Expr, c *expr.Component) bool {
	uses := func(e *expr.Expr) bool { return e.Op == expr.Ref && m.facts.Component(e.Name) == c }
	return c.Recursive && expr.Find(e, uses) != nil
}

// addState adds a state and returns it. Past the limit on states it sets m.err, and goes on.
func (m *marker) addState() int32 {
	if most := cmp.Or(m.grammar.Budget.MaxStates(), maxMarked); len(m.arcs) >= most && m.err == nil {
		m.err = lang.TooMany(most, "states in the automaton of all mutants")
	}
	m.arcs, m.edges = append(m.arcs, nil), append(m.edges, nil)
	return int32(len(m.arcs) - 1)
}

// addArc adds an arc, which reads nothing, with a gate, or -1 for none.
func (m *marker) addArc(from, to, gate int32) { m.arcs[from] = append(m.arcs[from], arc{to, gate}) }

// locationOf returns the number of the location that e has in a use.
func (m *marker) locationOf(e *expr.Expr, in *use) int32 {
	p, _ := m.places.Of(location{e, in})
	return int32(p)
}

// addGatedArc adds an arc with the gate for a role at the place of e in a use. The first arc of a gate makes the
// gate, open or closed; later ones share it.
func (m *marker) addGatedArc(from, to int32, e *expr.Expr, in *use, role int, open bool) {
	key := gateKey{m.locationOf(e, in), role}
	i, ok := m.gateAt[key]
	if !ok {
		i = int32(len(m.gates))
		m.gateAt[key] = i
		m.gates = append(m.gates, gate{open: open, place: key.place, role: role})
	}
	m.gates[i].from = append(m.gates[i].from, from)
	m.addArc(from, to, i)
}

// addEdge adds an edge that reads a byte of set: the set of a class, or of byte at of a literal e. All edges of one
// location and byte are one term, which mutants change together.
func (m *marker) addEdge(from, to int32, set expr.Set, e *expr.Expr, in *use, at int) {
	key := gateKey{m.locationOf(e, in), at}
	i, ok := m.termAt[key]
	if !ok {
		i = int32(len(m.terms))
		m.termAt[key] = i
		m.terms = append(m.terms, term{place: key.place, at: at})
	}
	m.terms[i].from = append(m.terms[i].from, from)
	m.edges[from] = append(m.edges[from], mark{set, to, i})
}

// languageOf returns the language of e. If it cannot be computed it sets m.err, and returns the empty language.
func (m *marker) languageOf(e *expr.Expr) *lang.DFA {
	if m.err != nil { // nobody uses what is built, and there may be thousands of large languages
		return lang.Empty()
	}
	if m.dfas[e] == nil {
		var err error
		if m.dfas[e], err = m.plain(e); err != nil {
			m.err = err
			return lang.Empty()
		}
	}
	return m.dfas[e]
}

// buildUnmarked adds paths between two states that read the words of a, without gates and terms.
func (m *marker) buildUnmarked(a *lang.DFA, from, to int32) {
	base := int32(len(m.arcs))
	for range a.States() {
		m.addState()
	}
	m.addArc(from, base, -1)
	for q := range a.States() {
		if a.Accepts(q) {
			m.addArc(base+int32(q), to, -1)
		}
		for _, e := range a.Edges(q) {
			m.edges[base+int32(q)] = append(m.edges[base+int32(q)], mark{e.Set, base + e.To, -1})
		}
	}
}

// A ring is one copy of a set of productions that use each other: see lang.BuildNFA.
type ring struct {
	of           *expr.Component
	start, final int32
	state        map[string]int32
	todo         []func()
}

// joinRing adds the arc for a use of rule inside its ring, to or from the state that the ring has for rule: see
// lang.BuildNFA. The words of a new state are built once, later, by buildProduction.
func (m *marker) joinRing(r *ring, rule *expr.Rule, from, to int32, in *use) {
	s, ok := r.state[rule.ID]
	if !ok {
		s = m.addState()
		r.state[rule.ID] = s
		r.todo = append(r.todo, func() {
			if r.of.Right {
				m.build(rule.Expr, r.start, s, in, r)
			} else {
				m.build(rule.Expr, s, r.final, in, r)
			}
		})
	}
	if r.of.Right {
		m.addArc(s, to, -1)
	} else {
		m.addArc(from, s, -1)
	}
}

// buildProduction adds paths between two states that read the words of a production that does not belong to around. A
// recursive one gets a ring of its own.
func (m *marker) buildProduction(rule *expr.Rule, from, to int32, in *use, around *ring) {
	c := m.facts.Component(rule.ID)
	if !c.Recursive {
		m.build(rule.Expr, from, to, in, around)
		return
	}
	r := &ring{of: c, start: from, final: to, state: map[string]int32{}}
	m.joinRing(r, rule, from, to, in)
	for i := 0; i < len(r.todo); i++ {
		r.todo[i]()
	}
}

// build adds paths from the state from to the state to that read the words that e derives. It adds no arc into from
// and none out of to. in is the use that e stands in, nil for the start; around is its ring, nil for none. The same
// holds for the other functions here that build. If a limit is passed it sets m.err, and the paths mean nothing.
func (m *marker) build(e *expr.Expr, from, to int32, in *use, around *ring) {
	m.notePart(e, from, to, in)
	switch { // before the other operators: repetitions, and what derives nothing or the empty string alone
	case m.err != nil:
		return
	case e.Op == expr.Repeat && m.facts.NonEmpty(e.Sub[0]):
		m.buildRepeat(e, from, to, in, around)
		return
	case !m.facts.Derives(e):
		return
	case !m.facts.NonEmpty(e):
		m.addArc(from, to, -1)
		return
	}
	if isCharacters(e) {
		m.buildCharacters(e, from, to, in)
		return
	}
	switch e.Op {
	case expr.Class:
		m.addEdge(from, to, e.Set, e, in, 0)
	case expr.Literal:
		for i := range len(e.Lit) {
			next := to
			if i < len(e.Lit)-1 {
				next = m.addState()
			}
			m.addEdge(from, next, singleByte(e.Lit[i]), e, in, i)
			from = next
		}
	case expr.Ref:
		u := use{in, e}
		if m.uses[u] == nil {
			m.uses[u] = &u
		}
		// A production of the ring's component is there already, or joins it; any other gets paths of its own.
		rule := m.grammar.Rule(e.Name)
		if around != nil && m.facts.Component(e.Name) == around.of {
			m.joinRing(around, rule, from, to, m.uses[u])
		} else {
			m.buildProduction(rule, from, to, m.uses[u], around)
		}
	case expr.Alt:
		for i, s := range e.Sub {
			m.buildBehindGate(s, from, to, in, around, e, i)
		}
	case expr.Seq:
		m.buildSequence(e, from, to, in, around)
	}
}

// notePart adds an expression to m.parts, unless it has it at another place of the same use.
func (m *marker) notePart(e *expr.Expr, from, to int32, in *use) {
	if at := (location{e, in}); !m.hasPart[at] {
		m.hasPart[at] = true
		m.parts = append(m.parts, part{from, to})
	}
}

// buildSequence is build for a sequence. Between two neighbors that can be exchanged it puts an open gate, role 2i for
// the part i and the next; next to both goes a closed one, role 2i+1, that leads to the two in the other order.
func (m *marker) buildSequence(e *expr.Expr, from, to int32, in *use, around *ring) {
	last := len(e.Sub) - 1
	before := from // the state before the part that was built last
	for i, s := range e.Sub {
		next := to
		if i < last {
			next = m.addState()
		}
		m.build(s, from, next, in, around)
		if i > 0 && m.canSwap(e, i-1, around) {
			// It goes around both parts, from where the first began to where this one ends.
			m.addGatedArc(before, m.buildSwapped(e, i-1, next), e, in, 2*(i-1)+1, false)
		}
		before = from
		if i < last {
			from = next // the next part begins here, or after the gate
			if m.canSwap(e, i, around) {
				from = m.addState()
				m.addGatedArc(next, from, e, in, 2*i, true)
			}
		}
	}
}

// isCharacters reports whether e stands for characters beyond ASCII, written out as their octets.
func isCharacters(e *expr.Expr) bool { return e.Chars != "" && (e.Op == expr.Alt || e.Op == expr.Seq) }

// buildCharacters is build for characters beyond ASCII. It makes a gate for each one that a mutant loses or gains,
// open for those that e has, and reads all others without one.
func (m *marker) buildCharacters(e *expr.Expr, from, to int32, in *use) {
	lost, gained := m.sampleCharacters(e)
	for i, w := range append(lost, gained...) {
		next := m.addState()
		m.addGatedArc(from, next, e, in, i, i < len(lost))
		for k := range len(w) {
			end := to
			if k < len(w)-1 {
				end = m.addState()
			}
			m.edges[next] = append(m.edges[next], mark{singleByte(w[k]), end, -1})
			next = end
		}
	}
	rest := newNetwork(nil)
	rest.Start = rest.State()
	for _, w := range lost {
		rest.addWord(rest.Start, w)
	}
	words, err := rest.finish(utf8.UTFMax)
	if err != nil {
		m.err = err
		return
	}
	m.buildUnmarked(m.languageOf(e).Minus(words.dfa), from, to)
}

// sampleCharacters returns the characters of e that mutants lose, its ends and the one halfway if e has that, and those
// that mutants gain: its neighbors, and the bytes of bytesGained, as far as e lacks them. e must derive a character. If
// the language of e is not known, both are nil and m.err is set.
func (m *marker) sampleCharacters(e *expr.Expr) (lost, gained []string) {
	a := m.languageOf(e)
	if m.err != nil {
		return nil, nil
	}
	// The first and the last character: byte by byte, the least or the greatest that leads on.
	first, last := rune(-1), rune(-1)
	for _, forward := range []bool{true, false} {
		var w []byte
		for q := 0; !a.Accepts(q); {
			x := 0 // counts from the least byte, or from the greatest
			for x < 255 && !a.Live(a.Next(q, byteFromEnd(x, forward))) {
				x++
			}
			w = append(w, byteFromEnd(x, forward))
			q = a.Next(q, byteFromEnd(x, forward))
		}
		c, _ := utf8.DecodeRune(w)
		if forward {
			first = c
		} else {
			last = c
		}
	}
	for _, c := range []rune{first, first + (last-first)/2, last} {
		if w := string(c); a.Match(w) && !slices.Contains(lost, w) {
			lost = append(lost, w)
		}
	}
	for _, c := range []rune{first - 1, last + 1} {
		if w := string(c); utf8.ValidRune(c) && !a.Match(w) {
			gained = append(gained, w)
		}
	}
	for _, b := range m.bytesGained(expr.Set{}).Members() {
		if w := string([]byte{b}); !a.Match(w) && !slices.Contains(gained, w) {
			gained = append(gained, w)
		}
	}
	return lost, gained
}

// byteFromEnd returns the byte x, or the byte 255-x if forward is false.
func byteFromEnd(x int, forward bool) byte {
	if forward {
		return byte(x)
	}
	return byte(255 - x)
}

// bytesGained returns the bytes that mutants add to a set: those in already, bytes at which programs stumble, and one
// of each class of the automaton that has none among these. Bytes of the set are left out.
func (m *marker) bytesGained(set expr.Set, already ...byte) expr.Set {
	gained := expr.Bytes("\x00\n%\x80" + string(already)).Minus(set)
	for c := range m.language.Classes() {
		if rest := m.language.ClassSet(c).Minus(set); !rest.IsEmpty() && gained.Intersect(rest).IsEmpty() {
			gained.Add(mostReadable(rest))
		}
	}
	return gained
}

// canSwap reports whether the automaton can express the exchange of part i of a sequence and the next. It cannot if
// one of them is part of the recursion around.
func (m *marker) canSwap(e *expr.Expr, i int, around *ring) bool {
	return around == nil || !m.usesComponent(e.Sub[i], around.of) && !m.usesComponent(e.Sub[i+1], around.of)
}

// buildSwapped returns a state from which part i+1 of a sequence, followed by part i, leads to another state.
func (m *marker) buildSwapped(e *expr.Expr, i int, to int32) int32 {
	from, between := m.addState(), m.addState()
	m.buildUnmarked(m.languageOf(e.Sub[i+1]), from, between)
	m.buildUnmarked(m.languageOf(e.Sub[i]), between, to)
	return from
}

// buildBehindGate builds part after the open gate that owner has for role. In a ring with something after its uses of
// itself ([expr.Component.Right]) the automaton is built backwards: the gate comes after the part.
func (m *marker) buildBehindGate(part *expr.Expr, from, to int32, in *use, around *ring, owner *expr.Expr, role int) {
	next := m.addState()
	if around != nil && around.of.Right {
		m.build(part, from, next, in, around)
		m.addGatedArc(next, to, owner, in, role, true)
	} else {
		m.addGatedArc(from, next, owner, in, role, true)
		m.build(part, next, to, in, around)
	}
}

// buildRepeat adds paths between two states that read the words of a repetition, with gates that a mutant flips to
// allow one round less or more. A body that is part of the recursion around it is built once.
func (m *marker) buildRepeat(e *expr.Expr, from, to int32, in *use, around *ring) {
	body := e.Sub[0]
	if around != nil && m.usesComponent(body, around.of) {
		if e.Min == 0 {
			m.addGatedArc(from, to, e, in, leaveAtLeast, true)
		}
		m.buildBehindGate(body, from, to, in, around, e, enterLast) // only once: a second copy would embed itself
		return
	}
	for i := 0; m.err == nil; i++ { // from is the state after i rounds
		switch {
		case i == e.Min-1:
			m.addGatedArc(from, to, e, in, leaveBefore, false)
		case i == e.Min:
			m.addGatedArc(from, to, e, in, leaveAtLeast, true)
		case i > e.Min:
			m.addArc(from, to, -1)
		}
		next := m.addState()
		switch {
		case e.Max == expr.Unbounded && i == e.Min:
			again := m.addState()
			m.addArc(from, again, -1)
			m.build(body, again, next, in, around)
			m.addArc(next, again, -1)
			m.addArc(next, to, -1)
			return
		case i == e.Max:
			begin := m.addState()
			m.addGatedArc(from, begin, e, in, enterMore, false)
			m.buildUnmarked(m.languageOf(body), begin, next)
			m.addArc(next, to, -1)
			return
		case i == e.Max-1:
			m.buildBehindGate(body, from, next, in, around, e, enterLast)
		default:
			m.build(body, from, next, in, around)
		}
		from = next
	}
}

// kernelKey returns a key for a kernel in maps.
func kernelKey(kernel []int32) string {
	b := make([]byte, 0, 4*len(kernel))
	for _, q := range kernel {
		b = binary.LittleEndian.AppendUint32(b, uint32(q))
	}
	return string(b)
}
