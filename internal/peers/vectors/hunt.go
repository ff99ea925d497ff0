package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/layout"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A Mutation is a suite that kills the mutants of a printed grammar, with the numbers of mutants killed and left.
type Mutation struct {
	Words   []string // the word first that kills the most, then the one that kills the most of the others, and so on
	Mutants int      // mutants of another language, as far as that is known
	Same    int      // mutants of the same language, which no word tells from the grammar
	Living  []string // mutants that may be of another language, and that no word is known to kill
	Unseen  int      // mutants that were not looked at, since no steps were left
	Left    []string // the unseen mutants by production, each with their number
	Wider   Wider    // words that tell the grammar from parsers that take one more character somewhere

	// Unmade is the reason why no mutant was tried, and Words is [lang.DFA.TransitionCover]; nil if mutants were tried.
	Unmade error
}

// Guarantee returns in words which mutants an implementation cannot be if it gives the right verdict on every word. If
// no mutant was made, or none is known to be killed, it says that and nothing about wider words.
func (m *Mutation) Guarantee() string {
	if m.Unmade != nil {
		return fmt.Sprintf("no mutant was made (%v): every transition of the automaton, and the same on "+
			"the way to an accepted end",
			m.Unmade)
	}
	killed := m.Mutants - len(m.Living)
	s := fmt.Sprintf("an implementation that passes every vector is none of the %d mutants of the printed grammar"+
		" that derive something else", killed) + m.Wider.Guarantee()
	switch {
	case m.Mutants+m.Unseen == 0:
		return "nothing was asked: the printed grammar has no mutants"
	case killed == 0:
		return fmt.Sprintf("of %s of the printed grammar none is known to be killed: %d may derive the same, "+
			"and %d were not looked at, which would take too "+
			"long", layout.Plural(m.Mutants+m.Unseen, "mutant"), len(m.Living), m.Unseen)
	}
	if n := len(m.Living); n > 0 {
		s += fmt.Sprintf("; %d more are not known to be killed, and may derive the same", n)
	}
	if m.Unseen > 0 {
		s += fmt.Sprintf("; %d more were not looked at: it would take too long", m.Unseen)
	}
	return s
}

// All returns the words that kill mutants, in their order, and after them the wider words that are not among these.
func (m *Mutation) All() []string {
	all := slices.Clone(m.Words)
	given := map[string]bool{}
	for _, w := range all {
		given[w] = true
	}
	for _, w := range m.Wider.Words {
		if !given[w] {
			all = append(all, w)
		}
	}
	return all
}

// Undecided returns the reasons why the words may let a mutant live, in clauses without names. There are none if they
// kill all. Wider words that were left out are no such reason.
func (m *Mutation) Undecided() (reasons []string) {
	all := m.Mutants + m.Unseen
	if m.Unmade != nil {
		reasons = append(reasons, fmt.Sprintf("no mutant was made (%v)", m.Unmade))
	}
	if m.Unseen > 0 {
		reasons = append(reasons,
			fmt.Sprintf("%d of %d mutants were not looked at: it would take too long; --limit-steps raises the limit",
				m.Unseen, all))
	}
	if n := len(m.Living); n > 0 {
		reasons = append(reasons, fmt.Sprintf("%d of %d mutants are not known to be killed, and may derive the same",
			n, all))
	}
	return reasons
}

// nesting is the depth at which recursion is cut off in a mutant that is not regular, so that the search ends on any
// grammar.
const nesting = 3

// maxSubsets is the least limit on the states of the automaton of all mutants, whatever that on others. A test sets
// less.
var maxSubsets = 1 << 14

// MutationSuite returns a suite that kills every mutant of the production's grammar. A mutant has one of these
// changes:
//
//   - an alternative is left out; an option is mandatory, or never taken; a bound of a repetition is lower or higher by
//     one; two neighbors of a sequence are exchanged;
//   - a class of bytes has one byte less, and a range of characters beyond ASCII lacks one of its ends or one between;
//   - a class has one byte more: the neighbors of each range, the other case of a letter, NUL, LF, "%", 0x80, and one
//     of each class of the automaton's bytes that has none among these.
//
// Each change is made in the definition, and so in all its uses, and at each use alone; uses inside different uses
// are told apart as well. A recursive use counts as the definition. Mutants that derive what the grammar does are
// left out. The words are few: those that kill the most are taken first.
//
// Wider has words that kill parsers which take one more character at a place, as far as a quarter of the budget goes;
// none for a grammar that is built in.
//
// Living lists the mutants that no word is known to kill, and Unseen counts those that there were no steps left for.
// If the automaton of all mutants is too large, or making it takes all steps of the hunt, none is tried: then Words is
// a transition cover, and Unmade is the reason; but if s.CanReadLess, MutationSuite fails with it, since mutants at a
// lesser depth say more than none.
//
// progress, if it is not nil, is called now and then with how many of the mutants have been looked at. MutationSuite
// also fails if there is no automaton for the production's language, and for a model, which has no productions.
func (s *Subject) MutationSuite(progress func(done, total int)) (*Mutation, error) {
	if s.Model != nil {
		return nil, errNoProductions
	}
	g := withDistinctParts(s.bnf, s.ID())
	m, err := newMarked(g, s.ID(), s.DFA)
	var wider Wider
	if catalog.PublishedAs(s.Grammar) == nil { // pages say what other parsers make of the words for those
		wider = s.spareWider(m)
	}
	var x *subsets
	if err == nil {
		// 1<<14 is half as much again as RFC 3986 takes.
		b := s.bnf.Budget
		x, err = newSubsets(m.marked, max(b.MaxStates(), maxSubsets), b.Share(0), b.MaxBytes())
	}
	switch {
	case errors.Is(err, lang.ErrTooLarge) && !s.CanReadLess:
		return &Mutation{Words: s.DFA.TransitionCover(), Wider: wider, Unmade: err}, nil
	case err != nil:
		return nil, err
	}
	result := newHunt(x, m, s).killAll(progress)
	result.Wider = wider
	return result, nil
}

// A spot is an expression at some of its uses: at one, at those within one use of the production around it, or at
// all.
type spot struct {
	e      *expr.Expr
	rule   *expr.Rule
	places []int32
	depth  int   // the number of uses, its own first and then outward, that its places share; 0 for the definition
	first  int32 // the number of its first mutant; it has one for each edit of e
}

// A hunt looks for words that kill mutants.
type hunt struct {
	*subsets
	subject *Subject
	marker  *marker
	edits   map[*expr.Expr][]edit
	// By expression: the index of the edit that makes it gain a byte, or lose it. The key is the index of the byte in
	// a literal, and the byte that is gained, or -1-byte for one that is lost.
	byteEdits map[*expr.Expr]map[[2]int]int
	spots     []spot
	total     int32
	spotsAt   [][]int32 // by place: the spots that contain it

	stepsBefore int64            // steps that the budget had taken before the hunt
	neededTerms []int32          // the terms that the word at hand cannot do without: see killsByNeed
	gateEdits   [][]int          // by gate: the edits, by number, that flip it
	gateKills   [][]int32        // by gate: the monotone mutants that flip it; see killsOfGate
	bytesAt     []map[[2]int]int // by term: the table in byteEdits of its expression
	partings    []subsetPartings // by subset; see partingsOf

	rank      []int32 // by state: open arcs lead only to equal or higher ranks
	rankCount int
	reverse   []struct {
		arcs  []int32
		edges []mark
	} // by state: the open arcs and the edges that lead to it, backwards
	ends map[string]*ending
}

// An ending is the set of states from which some word is accepted.
type ending struct {
	has  states
	list []int32
	prev []*ending // by place in letters: the ending of that byte followed by the word; nil if not computed
}

// newHunt returns a hunt for all mutants of the marked automaton of m; x is its deterministic form. It lists the edits
// of each expression and the spots at which they are made, and reverses the arcs.
func newHunt(x *subsets, m *marker, s *Subject) *hunt {
	h := &hunt{
		subsets: x, subject: s, marker: m,
		edits: map[*expr.Expr][]edit{}, byteEdits: map[*expr.Expr]map[[2]int]int{},
		spotsAt: make([][]int32, len(m.places.List)), ends: map[string]*ending{}, stepsBefore: s.bnf.Budget.Taken(),
	}
	places := map[*expr.Expr][]int32{}
	for i, p := range m.places.List {
		places[p.e] = append(places[p.e], int32(i))
	}
	for _, r := range m.grammar.Rules {
		expr.Walk(r.Expr, func(e *expr.Expr) bool {
			if len(places[e]) == 0 {
				return true
			}
			h.edits[e] = m.editsOf(e, m.facts.Component(r.ID))
			table := map[[2]int]int{}
			for i, c := range h.edits[e] {
				if c.isByte && c.adds {
					table[[2]int{c.at, int(c.byte)}] = i
				} else if c.isByte {
					table[[2]int{c.at, -1 - int(c.byte)}] = i
				}
			}
			h.byteEdits[e] = table
			h.addSpots(r, e, places[e], make([]*use, len(places[e])), 0)
			return true
		})
	}
	// These tables find the edits for a word that kills by a gate or a term.
	h.gateEdits = make([][]int, len(m.gates))
	for i, g := range m.gates {
		for k, c := range h.edits[m.places.List[g.place].e] {
			if slices.Contains(c.close, g.role) || slices.Contains(c.open, g.role) {
				h.gateEdits[i] = append(h.gateEdits[i], k)
			}
		}
	}
	h.gateKills = make([][]int32, len(m.gates))
	for _, t := range m.terms {
		h.bytesAt = append(h.bytesAt, h.byteEdits[m.places.List[t.place].e])
	}
	h.partings = make([]subsetPartings, len(h.nodes))
	h.orderArcs()
	return h
}

// addSpots appends the spots of e, which stands in r, to h.spots: one for all these places together and, if they
// stand in different uses further out, those of each group of places. It numbers their mutants from h.total on, and
// enters the spots in h.spotsAt. in has the use around each place at the current depth, which counts the steps
// outward; at depth 0 it is ignored.
func (h *hunt) addSpots(r *expr.Rule, e *expr.Expr, places []int32, in []*use, depth int) {
	at := int32(len(h.spots))
	h.spots = append(h.spots, spot{e, r, places, depth, h.total})
	h.total += int32(len(h.edits[e]))
	for _, p := range places {
		h.spotsAt[p] = append(h.spotsAt[p], at)
	}
	// One step outward: the places are grouped by the reference that uses them. If that is one for all, go on.
	for len(places) > 1 {
		var refs []*expr.Expr
		of := map[*expr.Expr][]int32{}
		uses := map[*expr.Expr][]*use{}
		for i, p := range places {
			u := in[i]
			if depth == 0 { // the use of the production that e itself stands in
				u = h.places.List[p].in
			}
			var ref *expr.Expr
			var up *use
			if u != nil {
				ref, up = u.ref, u.up
			}
			if of[ref] == nil {
				refs = append(refs, ref)
			}
			of[ref] = append(of[ref], p)
			uses[ref] = append(uses[ref], up)
		}
		depth++
		if len(refs) > 1 {
			for _, ref := range refs {
				h.addSpots(r, e, of[ref], uses[ref], depth)
			}
			return
		}
		in = uses[refs[0]]
	}
}

// orderArcs sets h.rank and h.rankCount, the rank of each state in the order of the open arcs, and h.reverse, the
// open arcs and all edges backwards. States on a cycle of open arcs have one rank.
func (h *hunt) orderArcs() {
	n := len(h.arcs)
	parts := expr.Components(n, func(i int) (next []int) {
		for _, a := range h.arcs[i] {
			if a.gate < 0 || h.gates[a.gate].open {
				next = append(next, int(a.to))
			}
		}
		return next
	})
	// Each component comes after those that it leads to, so the rank counts from the end.
	h.rank, h.rankCount = make([]int32, n), len(parts)
	for i, part := range parts {
		for _, q := range part {
			h.rank[q] = int32(len(parts) - 1 - i)
		}
	}
	h.reverse = make([]struct {
		arcs  []int32
		edges []mark
	}, n)
	for q := range n {
		for _, a := range h.arcs[q] {
			if a.gate < 0 || h.gates[a.gate].open {
				h.reverse[a.to].arcs = append(h.reverse[a.to].arcs, int32(q))
			}
		}
		for _, e := range h.edges[q] {
			h.reverse[e.to].edges = append(h.reverse[e.to].edges, mark{e.set, int32(q), e.term})
		}
	}
}

// endingOf returns the ending with the states in list and all states that lead there without a byte. It sorts list, and
// takes steps for an ending that is new.
func (h *hunt) endingOf(list []int32) *ending {
	slices.Sort(list)
	k := kernelKey(slices.Compact(list))
	if e := h.ends[k]; e != nil {
		return e
	}
	e := &ending{has: newStates(len(h.arcs)), prev: make([]*ending, len(h.letters))}
	for _, q := range list {
		if !e.has.has(int(q)) {
			e.has.add(int(q))
			e.list = append(e.list, q)
		}
	}
	for i := 0; i < len(e.list); i++ {
		for _, q := range h.reverse[e.list[i]].arcs {
			if !e.has.has(int(q)) {
				e.has.add(int(q))
				e.list = append(e.list, q)
			}
		}
	}
	h.steps -= len(e.list)
	h.ends[k] = e
	return e
}

// endingBefore returns the ending of byte b followed by the word of e. It takes steps, as endingOf does.
func (h *hunt) endingBefore(b byte, e *ending) *ending {
	c := h.column[h.class[b]]
	if e.prev[c] == nil {
		var list []int32
		for _, q := range e.list {
			for _, m := range h.reverse[q].edges {
				if m.set.Has(b) {
					list = append(list, m.to)
				}
			}
		}
		e.prev[c] = h.endingOf(list)
	}
	return e.prev[c]
}

// traceWord returns, for each offset in w, its length included, the subset that the word leads to and the ending of the
// rest. It takes steps for endings that are new.
func (h *hunt) traceWord(w string) (nodes []int32, ends []*ending) {
	nodes, ends = make([]int32, len(w)+1), make([]*ending, len(w)+1)
	for i := range len(w) {
		nodes[i+1] = h.subsetAfter(nodes[i], w[i])
	}
	ends[len(w)] = h.endingOf([]int32{h.final})
	for i := len(w) - 1; i >= 0; i-- {
		ends[i] = h.endingBefore(w[i], ends[i+1])
	}
	return nodes, ends
}

// A subsetPartings lists the ways in which a mutant can leave a subset and the grammar cannot: the arcs that are
// closed, and the edges whose bytes can change.
type subsetPartings struct {
	known bool
	arcs  []arc
	edges []*mark
}

// partingsOf returns the ways in which a mutant can leave a subset: see [subsetPartings]. They are computed once and
// shared, so the caller must not change them.
func (h *hunt) partingsOf(node int32) *subsetPartings {
	p := &h.partings[node]
	if p.known {
		return p
	}
	p.known = true
	for _, q := range h.nodes[node].closure {
		for _, a := range h.arcs[q] {
			if a.gate >= 0 && !h.gates[a.gate].open {
				p.arcs = append(p.arcs, a)
			}
		}
		for i := range h.edges[q] {
			if e := &h.edges[q][i]; e.term >= 0 {
				p.edges = append(p.edges, e)
			}
		}
	}
	return p
}

// killsDirectly calls dead with mutants that w kills, found in one pass over w, some of them several times: those that
// lose w if it is accepted, those that gain it if not. It misses some: a mutant that closes one gate and opens another,
// and one that w kills only at several places together. If w is accepted it appends to h.neededTerms, like
// killsByNeed. It takes steps.
func (h *hunt) killsDirectly(w string, dead func(mutant int32)) {
	nodes, ends := h.traceWord(w)
	if h.nodes[nodes[len(w)]].accept {
		h.killsByNeed(w, nodes, ends, dead)
		return
	}
	// One arc or edge more, from where w leads to where its rest is accepted, accepts w.
	for i, node := range nodes {
		h.steps -= len(h.nodes[node].closure)
		part := h.partingsOf(node)
		for _, a := range part.arcs {
			if ends[i].has.has(int(a.to)) {
				h.killsOfGate(a.gate, dead)
			}
		}
		if i == len(w) {
			break
		}
		for _, e := range part.edges {
			if ends[i+1].has.has(int(e.to)) && !e.set.Has(w[i]) {
				h.killsOfTerm(e.term, int(w[i]), dead)
			}
		}
	}
}

// killsOfGate calls dead with the mutants that flip a gate and are monotone: they can only lose words or only gain
// some.
func (h *hunt) killsOfGate(g int32, dead func(mutant int32)) {
	if h.gateKills[g] == nil {
		kills := []int32{}
		place := h.gates[g].place
		for _, k := range h.gateEdits[g] {
			for _, s := range h.spotsAt[place] {
				if h.edits[h.spots[s].e][k].monotone() {
					kills = append(kills, h.spots[s].first+int32(k))
				}
			}
		}
		h.gateKills[g] = kills
	}
	for _, mutant := range h.gateKills[g] {
		dead(mutant)
	}
}

// killsOfTerm calls dead for each mutant in which a term has gained byte b. For -1-b it calls dead for those in which
// it has lost it.
func (h *hunt) killsOfTerm(t int32, b int, dead func(mutant int32)) {
	if k, ok := h.bytesAt[t][[2]int{h.terms[t].at, b}]; ok {
		for _, s := range h.spotsAt[h.terms[t].place] {
			dead(h.spots[s].first + int32(k))
		}
	}
}

// killsByNeed calls dead with the mutants that lack something that every way to accept w needs: a gate that all ways
// pass, or a term that reads a byte on all of them. It appends these terms to h.neededTerms, for the caller to read
// and reset. w must be accepted.
func (h *hunt) killsByNeed(w string, nodes []int32, ends []*ending, dead func(mutant int32)) {
	reach := -1 // the furthest position, by offset and rank, that a step taken so far leads to
	var useful []int32
	for i, node := range nodes {
		h.steps -= len(h.nodes[node].closure)
		useful = useful[:0]
		for _, q := range h.nodes[node].closure {
			if ends[i].has.has(int(q)) {
				useful = append(useful, q)
			}
		}
		slices.SortFunc(useful, func(p, q int32) int { return cmp.Compare(h.rank[p], h.rank[q]) })
		only := int32(-2) // the one term that reads w[i]; -2 if there is none so far, -1 if there are several
		for from := 0; from < len(useful); {
			rank := h.rank[useful[from]]
			at := i*h.rankCount + int(rank)
			cut := reach <= at
			gate, ways := int32(-1), 0
			for ; from < len(useful) && h.rank[useful[from]] == rank; from++ {
				q := useful[from]
				for _, a := range h.arcs[q] {
					if (a.gate < 0 || h.gates[a.gate].open) && h.rank[a.to] != rank && ends[i].has.has(int(a.to)) {
						reach = max(reach, i*h.rankCount+int(h.rank[a.to]))
						gate = a.gate
						ways++
					}
				}
				for j := range h.edges[q] {
					e := &h.edges[q][j]
					if i < len(w) && e.set.Has(w[i]) && ends[i+1].has.has(int(e.to)) {
						reach = max(reach, (i+1)*h.rankCount+int(h.rank[e.to]))
						ways++
						gate = -1
						if only == -2 {
							only = e.term
						} else if only != e.term {
							only = -1
						}
					}
				}
			}
			if cut && ways == 1 && gate >= 0 {
				h.killsOfGate(gate, dead)
			}
		}
		if only >= 0 {
			h.neededTerms = append(h.neededTerms, only)
			h.killsOfTerm(only, -1-int(w[i]), dead)
		}
	}
}

// changesOf returns the changes that the edit c at a spot makes to the marked automaton: the gates that are flipped,
// and the terms that read other bytes, with those bytes. It changes nothing itself.
func (h *hunt) changesOf(s *spot, c *edit) (gates, terms []int32, by expr.Set) {
	for _, p := range s.places {
		for _, role := range slices.Concat(c.close, c.open) {
			if g, ok := h.marker.gateAt[gateKey{p, role}]; ok {
				gates = append(gates, g)
			}
		}
		if c.isByte {
			by = singleByte(c.byte)
			if t, ok := h.marker.termAt[gateKey{p, c.at}]; ok {
				terms = append(terms, t)
			}
		}
	}
	return gates, terms, by
}

// A pile is a list of words with the mutants that each kills.
type pile struct {
	words  []string
	killed [][]int32
	needed [][]int32 // the terms that every way to accept the word reads
	index  map[string]int32
	dead   []bool // by mutant: some word kills it
}

// addToPile puts a word on the pile, with the mutants that it kills directly and the terms that it needs, and returns
// its index. It marks these mutants in p.dead, overwrites h.neededTerms, and takes steps. For a word that is there
// already it only returns the index. ok is false for a word that the grammar derives beyond the depth of the
// automaton: it is not put on the pile, because the automaton misjudges it.
func (h *hunt) addToPile(p *pile, w string) (i int32, ok bool) {
	if known, found := p.index[w]; found {
		return known, true
	}
	if h.nestsDeeper(w) {
		return 0, false
	}
	i = int32(len(p.words))
	p.index[w] = i
	var killed []int32
	h.neededTerms = nil
	h.killsDirectly(w, func(m int32) {
		killed = append(killed, m)
		p.dead[m] = true
	})
	slices.Sort(killed)
	slices.Sort(h.neededTerms)
	p.words, p.killed = append(p.words, w), append(p.killed, slices.Compact(killed))
	p.needed = append(p.needed, slices.Compact(h.neededTerms))
	return i, true
}

// isOutOfSteps reports whether no steps are left, either for hunting or for judging words by a grammar that nests. The
// latter keeps a reserve: all words are judged once more when they are written.
func (h *hunt) isOutOfSteps() bool {
	b := h.subject.bnf.Budget
	return h.steps < 0 || b.Taken()-h.stepsBefore > int64(b.Share(3)+b.Share(5))
}

// A target is a mutant: an edit of a spot.
type target struct {
	spot *spot
	edit int
}

// id returns the number of the mutant among all.
func (t target) id() int32 { return t.spot.first + int32(t.edit) }

// shares shift the number of all steps right, to give those that one mutant may take in each round of [hunt.killAll].
var shares = []int{8, 5, 2, 0}

// killAll hunts all mutants, in rounds with growing shares of the steps, and returns the suite. Few mutants take many
// steps, and those come last, so that they take nothing from the others. Mutants that are not decided even with the
// largest share count as living, and those that were not looked at when the steps ran out as unseen. progress, which
// may be nil, is told now and then how many are done.
func (h *hunt) killAll(progress func(done, total int)) *Mutation {
	result := &Mutation{}
	p := &pile{index: map[string]int32{}, dead: make([]bool, h.total)}
	for _, w := range h.subject.DFA.TransitionCover() {
		if h.isOutOfSteps() {
			break
		}
		h.addToPile(p, h.withFamiliarScheme(w))
	}
	var left []*expr.Rule
	unseen := map[*expr.Rule]int{}
	// hunt looks at one mutant and counts it in result; without steps it counts as unseen. It returns false if the
	// share of steps was too small.
	hunt := func(t target, steps int) (decided bool) {
		c := &h.edits[t.spot.e][t.edit]
		if p.dead[t.id()] {
			result.Mutants++
			return true
		}
		if h.isOutOfSteps() {
			rule := t.spot.rule
			if unseen[rule] == 0 {
				left = append(left, rule)
			}
			result.Unseen++
			unseen[rule]++
			return true
		}
		w, ok, decided := h.killingWord(t.spot, c, steps)
		switch {
		case !decided:
			return false
		case !ok:
			result.Same++
			return true
		}
		result.Mutants++
		i, known := h.addToPile(p, w)
		if !known {
			h.noteLiving(result, t)
		} else if !p.dead[t.id()] {
			p.killed[i], p.dead[t.id()] = append(p.killed[i], t.id()), true
		}
		return true
	}
	var round []target
	for i := range h.spots {
		for k, c := range h.edits[h.spots[i].e] {
			if c.other == nil || h.spots[i].depth == 0 {
				round = append(round, target{&h.spots[i], k})
			}
		}
	}
	all, done := h.steps, 0
	for _, share := range shares {
		var hard []target
		for _, t := range round {
			if progress != nil && done%64 == 0 {
				progress(done, int(h.total))
			}
			if hunt(t, all>>share) {
				done++
			} else {
				hard = append(hard, t)
			}
		}
		round = hard
	}
	for _, t := range round {
		result.Mutants++
		h.noteLiving(result, t)
	}
	for _, r := range left {
		result.Left = append(result.Left, fmt.Sprintf("%d of %s", unseen[r], r.Label()))
	}
	if !h.isOutOfSteps() {
		h.addVariedWords(p)
	}
	if progress != nil {
		progress(int(h.total), int(h.total))
	}
	for _, i := range greedyCover(p.words, p.killed, int(h.total)) {
		result.Words = append(result.Words, p.words[i])
	}
	return result
}

// noteLiving adds to result.Living a mutant that no word is known to kill.
func (h *hunt) noteLiving(result *Mutation, t target) {
	result.Living = append(result.Living, h.spotName(t.spot)+": "+h.edits[t.spot.e][t.edit].what)
}

// killingWord returns a word that kills the mutant with the edit c at a spot. ok is false if there is none; if
// decided is false too, the steps were not enough. Each of the two searches that it may need takes at most steps
// steps (see [subsets.distinguish]); an edit that replaces the expression ignores steps. The mutant is the one at
// hand only during the call. A word that begins with a familiar scheme is preferred if it kills too, and so is one
// nearby if the word nests deeper than the automaton follows; if there is none nearby, the deeper word is returned.
func (h *hunt) killingWord(spot *spot, c *edit, steps int) (w string, ok, decided bool) {
	if c.other != nil {
		return h.killingWordNested(spot, c)
	}
	gates, terms, by := h.changesOf(spot, c)
	defer h.setMutant(gates, terms, by, c.adds)()
	w, ok, decided = h.distinguish(gates, terms, c.gains(), c.loses(), false, steps)
	kills := func(w string) bool { return h.mutantAccepts(w) != h.subject.DFA.Match(w) }
	if ok && !c.monotone() && !kills(w) {
		w, ok, decided = h.distinguish(gates, terms, true, true, true, steps)
	}
	if v := h.withFamiliarScheme(w); ok && v != w && kills(v) {
		w = v
	}
	if ok && h.nestsDeeper(w) {
		if v, found := h.nearbyKill(w, kills); found {
			w = v
		}
	}
	return w, ok, decided
}

// nestsDeeper reports whether the grammar derives a word that the automaton rejects because it nests deeper than the
// automaton follows.
func (h *hunt) nestsDeeper(w string) bool {
	// Whatever the automaton accepts is derived.
	return h.subject.ReadTo != "" && !h.subject.DFA.Match(w) && h.subject.Judges[0].Accepts(w)
}

// nearbyKill returns a word near w that also kills and does not nest deeper than the automaton follows: w with one
// byte replaced, or with one more. It returns false if there is none, or if the steps are used up. It is for a mutant
// that reads at the last depth what the grammar reads after it. For example, a mutant with "0" as white space is
// killed by [[0]], and by [[00]] too.
func (h *hunt) nearbyKill(w string, kills func(string) bool) (string, bool) {
	for i := range len(w) + 1 {
		for _, b := range h.letters {
			for _, rest := range []int{i, i + 1} { // b is put in, or replaces a byte
				if rest > len(w) || h.steps < 0 {
					continue
				}
				if v := w[:i] + string([]byte{b}) + w[rest:]; kills(v) && !h.nestsDeeper(v) {
					return v, true
				}
			}
		}
	}
	return "", false
}

// killingWordNested is killingWord for an edit inside a recursion. The marked automaton has only one copy of a
// recursion, so the changed grammar is made. If that is not regular, or its automaton is too large, it is read to a
// depth, and only words that it gains can be found. decided is false if it is too large even so, or gains no word
// there.
func (h *hunt) killingWordNested(spot *spot, c *edit) (w string, ok, decided bool) {
	g := h.marker.grammar.Change(spot.rule.ID, spot.rule.Expr.With(spot.e, c.other))
	a, err := lang.FromBNF(g, h.subject.ID())
	if err == nil {
		w, ok = h.subject.DFA.ShortestDifference(a)
		return w, ok, true
	}
	if g, err = g.Nesting().To(nesting); err != nil {
		return "", false, false
	}
	if a, err = lang.FromBNF(g, h.subject.ID()); err != nil {
		return "", false, false
	}
	w, ok = a.ShortestOutside(h.subject.DFA)
	return w, ok, ok
}

// withFamiliarScheme returns w with its beginning replaced by one that more parsers know, if the subject has such a
// replacement for it; see catalog.Published.
func (h *hunt) withFamiliarScheme(w string) string {
	if rest, ok := strings.CutPrefix(w, h.subject.familiar.From); ok && h.subject.familiar.From != "" {
		return h.subject.familiar.To + rest
	}
	return w
}

// spotName returns the production of a spot and, if only some uses are meant, the productions that use it there.
func (h *hunt) spotName(s *spot) string {
	name := s.rule.Label()
	u := h.places.List[s.places[0]].in
	for range s.depth {
		if u == nil {
			break
		}
		u = u.up
		if u == nil {
			name += " in " + h.subject.ID()
			break
		}
		name += " in " + h.marker.grammar.Rule(u.ref.Name).Label()
	}
	return name
}

// addVariedWords adds to the pile words that try several bytes at once. In an accepted word, each byte is replaced by
// another one that the grammar also allows there, as long as the word stays accepted. So a word has no more variants
// than the largest class has bytes. The words that are varied are a cover of the terms that any word needs. It takes
// steps, and goes on even if none are left.
func (h *hunt) addVariedWords(p *pile) {
	var words []string
	var terms [][]int32
	for i, w := range p.words {
		if t := p.needed[i]; len(t) > 0 {
			words, terms = append(words, w), append(terms, t)
		}
	}
	a := h.subject.DFA
	edited := newEditedWord(a.Charged(nil)) // it goes on if there is no budget left
	for _, i := range greedyCover(words, terms, len(h.terms)) {
		w := words[i]
		others, most := make([][]byte, len(w)), 0
		nodes, ends := h.traceWord(w)
		for k := range len(w) {
			set := singleByte(w[k])
			scheme := h.subject.familiar.To
			inScheme := k < len(scheme) && strings.HasPrefix(w, scheme) // a familiar scheme is not varied
			if !inScheme {
				set = h.bytesWithSameSuccessor(nodes[k], w[k], ends[k+1])
			}
			others[k] = lang.InOrder(set)
			most = max(most, len(others[k]))
		}
		edited.set(w)
		for n := range most {
			v := []byte(w)
			q := 0 // the state after v[:k]
			for k, list := range others {
				x := list[n%len(list)]
				// otherwise the bytes before it do not allow it
				if edited.accepts(wordPlace{int32(k + 1), int32(a.Next(q, x))}) {
					v[k] = x
				}
				q = a.Next(q, v[k])
			}
			h.addToPile(p, string(v))
		}
	}
}

// bytesWithSameSuccessor returns the bytes that lead from a subset to any of those states of e that b leads to.
func (h *hunt) bytesWithSameSuccessor(node int32, b byte, e *ending) (set expr.Set) {
	var to []int32
	for _, q := range h.nodes[node].closure {
		for _, m := range h.edges[q] {
			if m.set.Has(b) && e.has.has(int(m.to)) {
				to = append(to, m.to)
			}
		}
	}
	for _, q := range h.nodes[node].closure {
		for _, m := range h.edges[q] {
			if slices.Contains(to, m.to) {
				set = set.Union(m.set)
			}
		}
	}
	return set
}

// greedyCover returns indexes of words that together have every member that some word has. members has the members of
// each word, numbers below n, each once. It is the greedy set cover: it takes the word with the most uncovered
// members until none is left uncovered. Among equals it takes the first in the order of lang.Compare. The indexes are
// in the order in which they were taken; a word without members is never taken.
func greedyCover(words []string, members [][]int32, n int) (chosen []int) {
	have := make([]bool, n)
	// The words by the number of their members that no chosen word has, or had when it was last counted.
	byGain := make([][]int, n+1)
	for i := range words {
		byGain[len(members[i])] = append(byGain[len(members[i])], i)
	}
	for gain := n; gain > 0; gain-- {
		slices.SortFunc(byGain[gain], func(i, j int) int { return lang.Compare(words[i], words[j]) })
		for _, i := range byGain[gain] {
			now := 0
			for _, m := range members[i] {
				if !have[m] {
					now++
				}
			}
			if now < gain {
				byGain[now] = append(byGain[now], i)
				continue
			}
			chosen = append(chosen, i)
			for _, m := range members[i] {
				have[m] = true
			}
		}
	}
	return chosen
}
