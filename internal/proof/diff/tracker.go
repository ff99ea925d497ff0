package diff

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/analysis/catalog"
	"github.com/bnfcheck/bnfcheck/internal/automata/annotated"
	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A tracker follows one side of a comparison through a string. It knows the state of the side's minimal automaton,
// which says what may still come, and the states of its BNF's automaton, which say what productions are being read.
//
// In this file s is always one of the subsets of the BNF's automaton that some string leads to.
type tracker struct {
	side     catalog.Language
	rule     *expr.Rule
	lexical  func(id string) bool
	byteSets map[string]expr.Set // see [tracker.singleBytes]
	dfa      *lang.DFA
	cut      bool                       // strings that are not UTF-8 were left out
	endings  func(q int) (string, bool) // the first word from a state of dfa
	nfa      *lang.NFA

	budget *budget.Budget // of the comparison; while groups are made, that of explanations
	held   int64          // bytes that the subsets take

	class   [256]uint8 // bytes that neither automaton tells apart
	classes int
	seen    []int // by state of nfa: the last round of [tracker.closureOf] that met it
	round   int
	closed  []int32 // memory of sharedClosureOf
	key     []byte  // memory of those who look for a set of states in an index
	subsets [][]int32
	index   map[string]int
	state   []int            // by subset: the state of dfa
	next    [][]int          // by subset and class; -1 where it is not known yet
	after   map[int]*terms   // by subset: the terms that can be read there; as far as known
	kept    int              // the number of terms in after
	paths   map[int][]string // by subset: the path of the place with all that is read there; as far as known

	// As far as they are known:
	nodes map[*lang.Context]*lang.Context // see [tracker.innermostNode]
	names map[*lang.Context][]string      // see [tracker.namesTo]

	met map[edgePlace]bool // scratch of pathTaking: the places of the edges before

	// Caches for explanations.
	closures     [][]int32
	viables      map[int]expr.Set    // by state of dfa
	moves        map[int][]lang.Edge // by state of dfa: the edges that lead to a state that is not dead
	starts, ends map[int32][]lang.Span
	inside       map[string]map[*lang.Edge]bool
	singles      map[string][]string
	named        map[string]*expr.Rule
	texts        map[*expr.Rule]string
	facts        *expr.Facts
}

// newTracker returns the tracker of a side. text restricts its strings to well-formed UTF-8. If the language is
// known but the automaton of the grammar nests or is too large, the tracker has no places: all bytes are read in the
// production itself. It fails if there is no such production, and if the language passes a limit or is not regular.
func newTracker(side catalog.Language, text bool, limits lang.Limits) (t *tracker, err error) {
	defer budget.Catch(&err)
	r, err := side.Grammar.Lookup(side.Production)
	if err != nil {
		return nil, err
	}
	side.Grammar = side.Grammar.Part(r.ID) // the other productions of a file explain nothing
	g := side.Grammar
	if g.Ordered {
		g = withoutOrder(g)
	}
	t = textOf(side, r, g)
	t.dfa = side.Exact
	if t.dfa == nil { // otherwise the grammar only serves to name places
		t.dfa, err = languageOf(side.Grammar, r.ID, limits)
		if err != nil {
			label := r.ID
			if t.isExpression() {
				label = r.Pos.String()
			}
			return nil, fmt.Errorf("%s: %w", label, side.WhyTooLarge(err))
		}
	}
	if side.Prefix != "" {
		t.dfa = t.dfa.Intersect(lang.OfString(side.Prefix).Concat(lang.All()))
	}
	if text {
		wellFormed, err := lang.Text()
		if err != nil {
			return nil, err
		}
		t.cut = !side.Grammar.Ordered && !t.dfa.Subset(wellFormed)
		t.dfa = t.dfa.Intersect(wellFormed)
	}
	t.endings = t.dfa.Endings()
	keep := func(id string) bool { return !t.lexical(id) }
	t.nfa, err = lang.BuildNFA(g, r.ID, lang.Options{Keep: keep, Limits: limits})
	_, nests := errors.AsType[*expr.SelfEmbedding](err)
	switch {
	case nests || errors.Is(err, lang.ErrTooLarge): // the language is known even so
		t.nfa = withoutPlaces(t.dfa, r)
	case err != nil:
		return nil, err
	}
	t.findByteClasses()
	t.subsetOf(t.sharedClosureOf(t.nfa.Start), 0)
	return t, nil
}

// textOf returns a tracker without an automaton, which knows only the text of a side. plain is the grammar without
// its order.
func textOf(side catalog.Language, r *expr.Rule, plain *expr.Grammar) *tracker {
	t := &tracker{
		side:     side,
		rule:     r,
		lexical:  side.Lexical,
		byteSets: map[string]expr.Set{},
		budget:   plain.Budget,
		index:    map[string]int{},
		after:    map[int]*terms{},
		paths:    map[int][]string{},
		nodes:    map[*lang.Context]*lang.Context{},
		names:    map[*lang.Context][]string{},
		met:      map[edgePlace]bool{},
		inside:   map[string]map[*lang.Edge]bool{},
		singles:  map[string][]string{},
		texts:    map[*expr.Rule]string{},
	}
	if t.lexical == nil {
		t.lexical = expr.Tokens(plain)
	}
	return t
}

// derivesMore reports whether the NFA accepts more than the side's language.
func (t *tracker) derivesMore() bool { return t.side.Grammar.Ordered || t.side.Exact != nil }

// languageOf returns the language that the production derives or, in an ordered grammar, that the rule matches. It
// fails if that is not regular, or too large.
func languageOf(g *expr.Grammar, id string, limits lang.Limits) (*lang.DFA, error) {
	if g.Ordered {
		p, err := lang.NewPEG(g, limits)
		if err != nil {
			return nil, err
		}
		return p.Whole(expr.To(id))
	}
	n, err := lang.BuildNFA(g, id, lang.Options{Limits: limits})
	if err != nil {
		return nil, err
	}
	return n.Determinize(limits)
}

// withoutOrder returns the ordered grammar g without its order, its lookaheads and its nodes. It derives all that g
// matches, and more, so it serves only to name the places of strings that are known to match.
func withoutOrder(g *expr.Grammar) *expr.Grammar {
	var plain func(e *expr.Expr) *expr.Expr
	plain = func(e *expr.Expr) *expr.Expr {
		switch {
		case e.Op == expr.And || e.Op == expr.Not:
			return &expr.Expr{Op: expr.Empty, Pos: e.Pos}
		case e.Op == expr.Node:
			return plain(e.Sub[0])
		case len(e.Sub) == 0:
			return e
		}
		return e.Map(plain)
	}
	g = g.Rewritten(plain)
	g.Ordered = false
	return g
}

// withoutPlaces returns an automaton of the language of a whose edges all read their bytes in production r
// itself.
func withoutPlaces(a *lang.DFA, r *expr.Rule) *lang.NFA {
	n := &lang.NFA{States: make([]lang.NFAState, a.States()+1), Final: int32(a.States())}
	in := &lang.Context{ID: r.ID}
	for q := range a.States() {
		if a.Accepts(q) {
			n.States[q].Epsilon = []int32{n.Final}
		}
		for _, e := range a.Edges(q) {
			e.Term, e.In, e.Begin = &expr.Expr{Op: expr.Class, Set: e.Set, Pos: r.Pos}, in, -1
			n.States[q].Edges = append(n.States[q].Edges, e)
		}
	}
	return n
}

// findByteClasses sets class and classes: bytes that neither automaton tells apart have one class.
func (t *tracker) findByteClasses() {
	fine := t.nfa.Partition().Class
	index := map[[2]int]uint8{}
	for x := range 256 {
		key := [2]int{int(fine[x]), t.dfa.ClassOf(byte(x))}
		c, ok := index[key]
		if !ok {
			c = uint8(len(index))
			index[key] = c
		}
		t.class[x] = c
	}
	t.classes = len(index)
}

// appendKey appends the states to a key of a set of states, and returns it.
func appendKey(key []byte, states []int32) []byte {
	for _, q := range states {
		key = binary.LittleEndian.AppendUint32(key, uint32(q))
	}
	return key
}

// subsetOf returns the number of the subset with these states, in ascending order, and state q of the minimal
// automaton. It adds a copy of the subset if it is new.
func (t *tracker) subsetOf(states []int32, q int) int {
	t.budget.Step(8 + len(states))
	// q is determined by the states, except where a prefix was asked for.
	t.key = binary.LittleEndian.AppendUint32(appendKey(t.key[:0], states), uint32(q))
	s, ok := t.index[string(t.key)]
	if !ok {
		s = len(t.subsets)
		t.held += int64(8*t.classes + 8*len(states) + 128)
		t.budget.Room(t.held)
		t.index[string(t.key)] = s
		t.subsets = append(t.subsets, slices.Clone(states))
		t.state = append(t.state, q)
		row := make([]int, t.classes)
		for c := range row {
			row[c] = -1
		}
		t.next = append(t.next, row)
	}
	return s
}

// step returns the subset after s and the byte x. If no string goes on so, it is one without states, which is not
// live.
func (t *tracker) step(s int, x byte) int {
	c := t.class[x]
	if t.next[s][c] < 0 {
		var to []int32
		q := t.dfa.Next(t.state[s], x)
		for i := 0; t.dfa.Live(q) && i < len(t.subsets[s]); i++ {
			for _, e := range t.nfa.States[t.subsets[s][i]].Edges {
				if e.Set.Has(x) {
					to = append(to, e.To)
				}
			}
		}
		t.next[s][c] = t.subsetOf(t.sharedClosureOf(to...), q)
	}
	return t.next[s][c]
}

// edgesAfter lists the edges that can be taken after s.
func (t *tracker) edgesAfter(s int) []*lang.Edge { return t.edgesReading(s, expr.AnyByte) }

// edgesReading lists the edges after s that read one of the bytes. It leaves out an edge if the minimal automaton can
// follow none of its bytes; the byte that it can follow need not be one of bytes. An edge may be a copy, so it is not
// to be compared by its pointer: where the grammar derives more than the language, the set of a class is narrowed to
// the bytes that the language reads there.
func (t *tracker) edgesReading(s int, bytes expr.Set) []*lang.Edge {
	viable := t.dfa.Viable(t.state[s])
	var out []*lang.Edge
	t.budget.Step(16 + len(t.subsets[s]))
	for _, n := range t.subsets[s] {
		t.budget.Step(len(t.nfa.States[n].Edges))
		for i := range t.nfa.States[n].Edges {
			e := &t.nfa.States[n].Edges[i]
			read, set := e.Set.Intersect(viable), e.Set
			if t.derivesMore() && e.Term.Op == expr.Class { // a lookahead may forbid the rest of the class
				set = read
			}
			if read.IsEmpty() || set.Intersect(bytes).IsEmpty() {
				continue
			}
			if set != e.Set {
				narrow := *e
				narrow.Set = set
				e = &narrow
			}
			out = append(out, e)
		}
	}
	return out
}

// viableBytes returns the bytes after which some string of the language still goes on from s. They are kept.
func (t *tracker) viableBytes(s int) expr.Set {
	q := t.state[s]
	set, ok := t.viables[q]
	if !ok {
		set = t.dfa.Viable(q)
		if t.viables == nil {
			t.viables = map[int]expr.Set{}
		}
		t.viables[q] = set
	}
	return set
}

// movesOf returns the edges of a state of the minimal automaton that do not lead to the dead state. The list is kept,
// and must not be changed.
func (t *tracker) movesOf(q int) []lang.Edge {
	list, ok := t.moves[q]
	if !ok {
		list = slices.DeleteFunc(t.dfa.Edges(q), func(e lang.Edge) bool { return !t.dfa.Live(int(e.To)) })
		if t.moves == nil {
			t.moves = map[int][]lang.Edge{}
		}
		t.moves[q] = list
	}
	return list
}

// isLive reports whether some string is accepted from subset s.
func (t *tracker) isLive(s int) bool { return t.dfa.Live(t.state[s]) }

// accepts reports whether the input may end in subset s.
func (t *tracker) accepts(s int) bool { return t.dfa.Accepts(t.state[s]) }

// newParty returns the description of the side of t.
func (t *tracker) newParty() Party {
	g := t.side.Grammar
	p := Party{
		Grammar: g.Name, Title: cmp.Or(g.Title, g.Name), Reading: t.side.Reading,
		Production: t.rule.ID, Name: cmp.Or(t.rule.Name, t.rule.ID), Prefix: t.side.Prefix, Section: t.rule.Section,
		side: t.side,
	}
	if t.dfa != nil {
		p.States = t.dfa.States()
	}
	if t.side.File {
		p.File, p.Line = t.rule.Pos.File, t.rule.Pos.Line
	}
	return p
}

// A Place says where in its productions a grammar is after some beginning of a string, and what it can read there.
type Place struct {
	// Path leads from the start production down to the innermost production that all which is being read has in
	// common; names are the RFC's. What may follow once an inner production ends does not count. Where the same
	// productions are being read in several others, one step of the path names these: "(waisindex | waisdoc)".
	Path []string `json:"path"`

	// Source is the file and line of the innermost production of Path, in a grammar that is not built in.
	Source string `json:"source,omitempty"`

	// Terms are the terms that are read, or could have been, as the RFC names them: uchar, "//" (in quotes), end of
	// input.
	Terms []string `json:"terms"`
}

// fullPath returns the path of the place after s with all that can be read there. The caller must not change it.
func (t *tracker) fullPath(s int) []string {
	return expr.Memo(t.paths, s, func() []string { return t.pathTaking(s, t.edgesAfter(s)) })
}

// placeAt returns the place with this path, which must not be empty. For a production of a file it sets the source.
func (t *tracker) placeAt(path, terms []string) Place {
	p := Place{Path: path, Terms: terms}
	if !t.side.File {
		return p
	}
	if r, err := t.side.Grammar.Lookup(path[len(path)-1]); err == nil && r.Pos.Line > 0 {
		p.Source = fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line)
	}
	return p
}

// pathSteps are the steps for each name in the path of an edge, which is looked up, kept and compared with others.
const pathSteps = 128

// pathTaking returns the path of the place after s if one of the edges, which leave s, is taken. Without edges that
// is the start production alone. It sorts edges. The caller must not change the path.
func (t *tracker) pathTaking(s int, edges []*lang.Edge) []string {
	if len(edges) == 0 {
		return []string{t.rule.Name}
	}
	t.budget.Step(8 * len(edges))
	t.sortEdges(edges)
	var readings []annotated.Reading
	clear(t.met) // most edges stand in one production, and one reading of it is as good as many
	for _, e := range edges {
		// The subset says where this edge stands, and not how it was reached: any production around it counts as begun.
		r := annotated.Reading{After: annotated.Anything}
		if e.Begin >= 0 && slices.Contains(t.subsets[s], e.Begin) {
			r.After = annotated.Nothing
		}
		w := edgePlace{t.innermostNode(e), r.After}
		if t.met[w] {
			continue
		}
		t.met[w] = true
		r.Path = t.namesTo(w.node)
		t.budget.Step(pathSteps * len(r.Path)) // each may be as deep as the grammar has rules
		r.Begun = len(r.Path)
		readings = append(readings, r)
	}
	return slices.Clip(annotated.Place(readings, func(string) bool { return false }))
}

// An edgePlace is what pathTaking asks of an edge: the innermost production around it, and what ends before it.
type edgePlace struct {
	node  *lang.Context
	after string
}

// namesTo returns the names of the productions from the start production down to that of c. They are kept, and must not
// be changed.
func (t *tracker) namesTo(c *lang.Context) []string {
	return expr.Memo(t.names, c, func() (names []string) {
		for _, id := range c.Path() {
			names = append(names, t.side.Grammar.Rule(id).Name)
		}
		return names
	})
}

// innermostNode returns the innermost production around e that is not itself a term. The start production always is
// one.
func (t *tracker) innermostNode(e *lang.Edge) *lang.Context {
	c, ok := t.nodes[e.In]
	if !ok {
		for c = e.In; c.Up != nil && t.lexical(c.ID); {
			c = c.Up
		}
		t.nodes[e.In] = c
	}
	return c
}

// sortEdges sorts edges: the innermost first, then in the order of the text, as a reader meets them.
func (t *tracker) sortEdges(edges []*lang.Edge) {
	depth := make(map[*lang.Edge]int, len(edges)) // counted once: depthOf walks a list
	for _, e := range edges {
		depth[e] = depthOf(t.innermostNode(e))
		t.budget.Step(depth[e])
	}
	slices.SortStableFunc(edges, func(e, f *lang.Edge) int {
		return cmp.Or(
			depth[f]-depth[e],
			e.Term.Pos.Line-f.Term.Pos.Line,
			e.Term.Pos.Col-f.Term.Pos.Col,
		)
	})
}

// termsOf returns the terms that the edges read, in the order of sortEdges. It sorts edges.
func (t *tracker) termsOf(edges []*lang.Edge) *terms {
	t.budget.Step(8 * len(edges))
	t.sortEdges(edges)
	all := &terms{points: t.side.Grammar.CodePoints}
	for _, e := range edges {
		name := t.termOf(e)
		all.add(&terms{names: []string{name}, bytes: map[string]expr.Set{name: e.Set}})
	}
	return all
}

// termsAfter returns the terms that can be read after s, and the end of input if s accepts. It keeps them, up to a
// limit on their number, so they must not be added to.
func (t *tracker) termsAfter(s int) *terms {
	if t.after[s] == nil {
		all := t.termsOf(t.edgesAfter(s))
		if t.accepts(s) {
			all.add(&terms{names: []string{ast.EndOfInput}})
		}
		if t.kept += len(all.names); t.kept > 1<<19 { // a name takes about a hundred bytes
			clear(t.after)
			t.kept = 0
		}
		t.after[s] = all
	}
	return t.after[s]
}

// A terms is a set of terms by name, each with the bytes that it can begin with.
type terms struct {
	names  []string
	bytes  map[string]expr.Set // the end of the input has none
	points bool                // the values of the text are code points
	end    bool                // the end of the input is one of the names
}

// has reports whether a term of that name is among them.
func (t *terms) has(name string) bool {
	_, ok := t.bytes[name]
	return ok || name == ast.EndOfInput && t.end
}

// add adds the terms of more to t, with the bytes they begin with.
func (t *terms) add(more *terms) {
	if t.bytes == nil {
		t.bytes = map[string]expr.Set{}
	}
	t.points = t.points || more.points
	for _, name := range more.names {
		if !t.has(name) {
			t.names = append(t.names, name)
		}
		t.end = t.end || name == ast.EndOfInput
		if set, ok := more.bytes[name]; ok {
			t.bytes[name] = t.bytes[name].Union(set)
		}
	}
}

// restrictedTo returns the terms of t with these names, which t must have. The two share their bytes, so neither may
// be added to.
func (t *terms) restrictedTo(names []string) *terms {
	return &terms{names: names, bytes: t.bytes, points: t.points}
}

// shownNames returns the names for a message, as [ast.SyntaxError.Terms] chooses them; the end of the input comes
// last. Of more than 1000 names it returns all, in the order in which they were added. The caller must not change
// them.
func (t *terms) shownNames() []string {
	e := ast.SyntaxError{Grammar: &ast.Grammar{CodePoints: t.points}}
	if len(t.names) > 1000 { // too many to drop those whose bytes others cover
		return t.names
	}
	end := false
	for _, name := range t.names {
		if set, ok := t.bytes[name]; ok {
			e.Expected = append(e.Expected, ast.Expectation{Term: name, First: ast.ByteSet(set)})
		} else {
			end = true
		}
	}
	if end {
		e.Expected = append(e.Expected, ast.Expectation{Term: ast.EndOfInput})
	}
	return e.Terms()
}

// termOf returns the name of the term that e reads a byte of: that of a lexical production, or a literal or class as
// messages show it. If e reads the first byte of a literal inside lexical productions, such as the "%" of an escape,
// it is the name of the outermost of these.
func (t *tracker) termOf(e *lang.Edge) string {
	switch in := t.innermostNode(e); {
	case e.Term.Op == expr.Literal && in != e.In && e.At == 0:
		c := e.In
		for c.Up != in {
			c = c.Up
		}
		return t.side.Grammar.Rule(c.ID).Name
	case e.Term.Op == expr.Ref:
		return t.side.Grammar.Rule(e.Term.Name).Name
	case e.Term.Chars != "": // a code point
		return expr.CodePoints(e.Term.Chars)
	case e.Term.Op == expr.Literal:
		return t.side.Grammar.Quote(e.Term.Lit[e.At:])
	case e.Set.Len() == 1:
		return ast.Quote(string(e.Set.Members()))
	case e.Set.Len() == 2:
		// A letter in either case, quoted as in ABNF.
		if m := e.Set.Members(); 'A' <= m[0] && m[0] <= 'Z' && m[1] == m[0]|0x20 {
			return ast.Quote(string(m[1:]))
		}
	}
	return e.Set.String()
}

// depthOf returns the number of contexts from c outward, c included; 0 for nil.
func depthOf(c *lang.Context) int {
	n := 0
	for ; c != nil; c = c.Up {
		n++
	}
	return n
}
