package vectors

import (
	"cmp"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A marked automaton is nondeterministic and reads what a production derives, with a copy of each production for each
// of its uses. Every edge knows which terminal it reads at which use. Some arcs have a gate: an arc that a mutant
// closes, or one that is closed and that a mutant opens. So every mutant of the grammar is this automaton but for a few
// gates or bytes.
type marked struct {
	arcs  [][]arc  // by state: to where it leads without reading a byte
	edges [][]mark // by state: to where it leads with a byte

	gates  []gate
	terms  []term
	places expr.Numbering[location]
	final  int32
}

type arc struct{ to, gate int32 } // gate is -1 for an arc without one

type mark struct {
	set      expr.Set
	to, term int32 // term is -1 where nothing is to be mutated
}

type gate struct {
	open  bool // by default
	place int32
	role  int
	from  []int32 // the states with an arc that has it
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

// A use is where a production is used: ref stands in the production of up. The uses of one automaton are shared, so
// that == compares them; nil is the start production.
type use struct {
	up  *use
	ref *expr.Expr
}

// The gates of a repetition; those of an alternation are numbered by alternative, and those of a sequence two by two: the
// arc between two neighbours, and that to both exchanged.
const (
	leaveBefore = iota // closed: with one less than the least
	leaveAtLeast
	enterLast
	enterMore // closed: one more than the most
)

// A marker builds a marked automaton.
type marker struct {
	*marked
	g      *expr.Grammar
	of     *lang.DFA // of the grammar
	facts  *expr.Facts
	plain  func(e *expr.Expr) (*lang.DFA, error)
	dfas   map[*expr.Expr]*lang.DFA
	uses   map[use]*use
	gateAt map[gateKey]int32
	termAt map[gateKey]int32
	err    error
}

type gateKey struct {
	place int32
	role  int
}

// maxMarked caps the states of a marked automaton, unless the budget has a limit for automata.
const maxMarked = 1 << 17

// newMarked builds the automaton of a production of g, in which no expression stands twice. The error is one of the
// grammar's language, or wraps [lang.ErrTooLarge].
func newMarked(g *expr.Grammar, id string, a *lang.DFA) (*marker, error) {
	m := &marker{
		marked: &marked{}, g: g, of: a, facts: expr.Analyze(g.Rules), dfas: map[*expr.Expr]*lang.DFA{},
		uses: map[use]*use{}, gateAt: map[gateKey]int32{}, termAt: map[gateKey]int32{},
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
	start := m.state()
	m.final = m.state()
	m.enter(g.Rule(id), start, m.final, nil, nil)
	return m, m.err
}

// recurs reports whether e uses a production of the set.
func (m *marker) recurs(e *expr.Expr, c *expr.Component) bool {
	return c.Recursive && expr.Find(e, func(e *expr.Expr) bool { return e.Op == expr.Ref && m.facts.Component(e.Name) == c }) != nil
}

func (m *marker) state() int32 {
	if most := cmp.Or(m.g.Budget.MaxStates(), maxMarked); len(m.arcs) >= most && m.err == nil {
		m.err = lang.TooMany(most, "states in the automaton of all mutants")
	}
	m.arcs, m.edges = append(m.arcs, nil), append(m.edges, nil)
	return int32(len(m.arcs) - 1)
}

func (m *marker) arc(from, to, gate int32) { m.arcs[from] = append(m.arcs[from], arc{to, gate}) }

func (m *marker) place(e *expr.Expr, in *use) int32 {
	p, _ := m.places.Of(location{e, in})
	return int32(p)
}

// gated adds an arc with a gate.
func (m *marker) gated(from, to int32, e *expr.Expr, in *use, role int, open bool) {
	key := gateKey{m.place(e, in), role}
	i, ok := m.gateAt[key]
	if !ok {
		i = int32(len(m.gates))
		m.gateAt[key] = i
		m.gates = append(m.gates, gate{open: open, place: key.place, role: role})
	}
	m.gates[i].from = append(m.gates[i].from, from)
	m.arc(from, to, i)
}

func (m *marker) edge(from, to int32, set expr.Set, e *expr.Expr, in *use, at int) {
	key := gateKey{m.place(e, in), at}
	i, ok := m.termAt[key]
	if !ok {
		i = int32(len(m.terms))
		m.termAt[key] = i
		m.terms = append(m.terms, term{place: key.place, at: at})
	}
	m.terms[i].from = append(m.terms[i].from, from)
	m.edges[from] = append(m.edges[from], mark{set, to, i})
}

// dfa returns the words of e.
func (m *marker) dfa(e *expr.Expr) *lang.DFA {
	if m.dfas[e] == nil {
		var err error
		if m.dfas[e], err = m.plain(e); err != nil {
			m.err = err
			return lang.Empty()
		}
	}
	return m.dfas[e]
}

// unmarked makes words lead from one state to another, without gates and terms.
func (m *marker) unmarked(a *lang.DFA, from, to int32) {
	base := int32(len(m.arcs))
	for range a.States() {
		m.state()
	}
	m.arc(from, base, -1)
	for q := range a.States() {
		if a.Accepts(q) {
			m.arc(base+int32(q), to, -1)
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

func (m *marker) join(r *ring, rule *expr.Rule, from, to int32, in *use) {
	s, ok := r.state[rule.ID]
	if !ok {
		s = m.state()
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
		m.arc(s, to, -1)
	} else {
		m.arc(from, s, -1)
	}
}

// enter makes the words of a production lead from one state to another.
func (m *marker) enter(rule *expr.Rule, from, to int32, in *use, around *ring) {
	c := m.facts.Component(rule.ID)
	if !c.Recursive {
		m.build(rule.Expr, from, to, in, around)
		return
	}
	r := &ring{of: c, start: from, final: to, state: map[string]int32{}}
	m.join(r, rule, from, to, in)
	for i := 0; i < len(r.todo); i++ {
		r.todo[i]()
	}
}

// build makes the words that e derives lead from one state to another. It adds no arc into from and none out of to.
func (m *marker) build(e *expr.Expr, from, to int32, in *use, around *ring) {
	switch {
	case m.err != nil:
		return
	case e.Op == expr.Repeat && m.facts.NonEmpty(e.Sub[0]):
		m.repeat(e, from, to, in, around)
		return
	case !m.facts.Derives(e):
		return
	case !m.facts.NonEmpty(e):
		m.arc(from, to, -1)
		return
	}
	if characters(e) {
		m.characters(e, from, to, in)
		return
	}
	switch e.Op {
	case expr.Class:
		m.edge(from, to, e.Set, e, in, 0)
	case expr.Literal:
		for i := range len(e.Lit) {
			next := to
			if i < len(e.Lit)-1 {
				next = m.state()
			}
			m.edge(from, next, byteSet(e.Lit[i]), e, in, i)
			from = next
		}
	case expr.Ref:
		u := use{in, e}
		if m.uses[u] == nil {
			m.uses[u] = &u
		}
		rule := m.g.Rule(e.Name)
		if around != nil && m.facts.Component(e.Name) == around.of {
			m.join(around, rule, from, to, m.uses[u])
		} else {
			m.enter(rule, from, to, m.uses[u], around)
		}
	case expr.Alt:
		for i, s := range e.Sub {
			m.behind(s, from, to, in, around, e, i)
		}
	case expr.Seq:
		last := len(e.Sub) - 1
		before := from // of the element before
		for i, s := range e.Sub {
			next := to
			if i < last {
				next = m.state()
			}
			m.build(s, from, next, in, around)
			if i > 0 && m.swaps(e, i-1, around) {
				m.gated(before, m.exchanged(e, i-1, next), e, in, 2*(i-1)+1, false)
			}
			before = from
			if i < last {
				from = next
				if m.swaps(e, i, around) {
					from = m.state()
					m.gated(next, from, e, in, 2*i, true)
				}
			}
		}
	}
}

// characters reports whether e is characters beyond ASCII, of which octets are no part that anybody wrote.
func characters(e *expr.Expr) bool { return e.Chars != "" && (e.Op == expr.Alt || e.Op == expr.Seq) }

// characters makes a gate for each character that a mutant loses or gains.
func (m *marker) characters(e *expr.Expr, from, to int32, in *use) {
	lost, gained := m.samples(e)
	rest := newNetwork(nil)
	start := rest.State()
	rest.Start = start
	for i, w := range append(lost, gained...) {
		next := m.state()
		m.gated(from, next, e, in, i, i < len(lost))
		for k := range len(w) {
			end := to
			if k < len(w)-1 {
				end = m.state()
			}
			m.edges[next] = append(m.edges[next], mark{byteSet(w[k]), end, -1})
			next = end
		}
		if i < len(lost) {
			rest.word(start, w)
		}
	}
	words, err := rest.words(utf8.UTFMax)
	if err != nil {
		m.err = err
		return
	}
	m.unmarked(m.dfa(e).Minus(words.dfa), from, to)
}

// samples returns the characters of e that a mutant loses, its ends and one between, and those that one gains: its
// neighbours, and bytes.
func (m *marker) samples(e *expr.Expr) (lost, gained []string) {
	a := m.dfa(e)
	if m.err != nil {
		return nil, nil
	}
	first, last := rune(-1), rune(-1)
	for _, forward := range []bool{true, false} {
		var w []byte
		for q := 0; !a.Accepts(q); {
			x := 0
			for ; x < 255 && !a.Live(a.Next(q, turned(x, forward))); x++ {
			}
			w = append(w, turned(x, forward))
			q = a.Next(q, turned(x, forward))
		}
		if c, _ := utf8.DecodeRune(w); forward {
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
	for _, b := range m.gains(expr.Set{}).Members() {
		if w := string([]byte{b}); !a.Match(w) && !slices.Contains(gained, w) {
			gained = append(gained, w)
		}
	}
	return lost, gained
}

// turned returns byte x from one end or the other.
func turned(x int, forward bool) byte {
	if forward {
		return byte(x)
	}
	return byte(255 - x)
}

// gains returns the bytes that a mutant's class has more than a set, of those that every set is tried with: bytes at
// which programs stumble, and one of each class of the automaton that has none among these and those that are gained
// already.
func (m *marker) gains(set expr.Set, already ...byte) expr.Set {
	gained := expr.Bytes("\x00\n%\x80" + string(already)).Minus(set)
	for c := range m.of.Classes() {
		if rest := m.of.ClassSet(c).Minus(set); !rest.IsEmpty() && gained.Intersect(rest).IsEmpty() {
			gained.Add(mostReadable(rest))
		}
	}
	return gained
}

// swaps reports whether the automaton can follow the exchange of part i of a sequence and the next.
func (m *marker) swaps(e *expr.Expr, i int, around *ring) bool {
	return around == nil || !m.recurs(e.Sub[i], around.of) && !m.recurs(e.Sub[i+1], around.of)
}

// exchanged returns a state from which part i+1 of a sequence and then part i lead to another.
func (m *marker) exchanged(e *expr.Expr, i int, to int32) int32 {
	from, between := m.state(), m.state()
	m.unmarked(m.dfa(e.Sub[i+1]), from, between)
	m.unmarked(m.dfa(e.Sub[i]), between, to)
	return from
}

// behind builds an expression with an open gate before it or, where productions use themselves at their beginnings,
// behind it.
func (m *marker) behind(s *expr.Expr, from, to int32, in *use, around *ring, e *expr.Expr, role int) {
	next := m.state()
	if around != nil && around.of.Right {
		m.build(s, from, next, in, around)
		m.gated(next, to, e, in, role, true)
	} else {
		m.gated(from, next, e, in, role, true)
		m.build(s, next, to, in, around)
	}
}

func (m *marker) repeat(e *expr.Expr, from, to int32, in *use, around *ring) {
	body := e.Sub[0]
	if around != nil && m.recurs(body, around.of) {
		if e.Min == 0 {
			m.gated(from, to, e, in, leaveAtLeast, true)
		}
		m.behind(body, from, to, in, around, e, enterLast) // once: more often it would embed itself
		return
	}
	for i := 0; m.err == nil; i++ { // from is behind i of them
		switch {
		case i == e.Min-1:
			m.gated(from, to, e, in, leaveBefore, false)
		case i == e.Min:
			m.gated(from, to, e, in, leaveAtLeast, true)
		case i > e.Min:
			m.arc(from, to, -1)
		}
		next := m.state()
		switch {
		case e.Max == expr.Unbounded && i == e.Min:
			again := m.state()
			m.arc(from, again, -1)
			m.build(body, again, next, in, around)
			m.arc(next, again, -1)
			m.arc(next, to, -1)
			return
		case i == e.Max:
			begin := m.state()
			m.gated(from, begin, e, in, enterMore, false)
			m.unmarked(m.dfa(body), begin, next)
			m.arc(next, to, -1)
			return
		case i == e.Max-1:
			m.behind(body, from, next, in, around, e, enterLast)
		default:
			m.build(body, from, next, in, around)
		}
		from = next
	}
}

// key returns a kernel as a map key.
func key(kernel []int32) string {
	b := make([]byte, 0, 4*len(kernel))
	for _, q := range kernel {
		b = binary.LittleEndian.AppendUint32(b, uint32(q))
	}
	return string(b)
}
