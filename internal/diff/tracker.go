package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
	"github.com/bnfcheck/bnfcheck/internal/machine"
	"github.com/bnfcheck/bnfcheck/internal/subject"
)

// A tracker follows one side of a comparison through a string. It knows the state of the side's minimal automaton, which
// says what may still come, and the states of its BNF's automaton, which say what productions are being read.
//
// In this file s is always one of the subsets of the BNF's automaton that some string leads to.
type tracker struct {
	side    subject.Language
	rule    *expr.Rule
	lexical func(id string) bool
	dfa     *lang.DFA
	endings func(q int) (string, bool) // the first word from a state of dfa
	nfa     *lang.NFA

	class   [256]uint8 // bytes that neither automaton tells apart
	classes int
	subsets [][]int32
	index   map[string]int
	state   []int            // by subset: the state of dfa
	next    [][]int          // by subset and class; -1 where it is not known yet
	after   map[int]*terms   // by subset: what can be read there; as far as it is known
	paths   map[int][]string // by subset: the path of the place where all of that is read; as far as it is known
}

func newTracker(side subject.Language, limits lang.Limits) (*tracker, error) {
	r, err := side.Grammar.Lookup(side.Production)
	if err != nil {
		return nil, err
	}
	t := &tracker{side: side, rule: r, lexical: side.Lexical, index: map[string]int{}, after: map[int]*terms{}, paths: map[int][]string{}}
	if t.lexical == nil {
		t.lexical = tokens(side.Grammar)
	}
	plain, err := lang.BuildNFA(side.Grammar, r.ID, lang.Options{Limits: limits})
	if err != nil {
		return nil, err
	}
	if t.dfa, err = plain.Determinize(limits); err != nil {
		return nil, fmt.Errorf("%s: %w", r.ID, err)
	}
	if side.Prefix != "" {
		t.dfa = t.dfa.Intersect(lang.OfString(side.Prefix).Concat(lang.All()))
	}
	t.endings = t.dfa.Endings()
	keep := func(id string) bool { return !t.lexical(id) }
	if t.nfa, err = lang.BuildNFA(side.Grammar, r.ID, lang.Options{Keep: keep, Limits: limits}); err != nil {
		return nil, err
	}
	t.partition()
	t.subset(t.nfa.Closure(t.nfa.Start), 0)
	return t, nil
}

// partition finds the byte classes that neither automaton cuts.
func (t *tracker) partition() {
	fine, _ := t.nfa.Partition()
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

// subset returns the number of the subset with these states, at which the minimal automaton is in state q.
func (t *tracker) subset(states []int32, q int) int {
	key := make([]byte, 0, 4*len(states)+4)
	for _, n := range append(states, int32(q)) { // q follows from states, but for a prefix that is asked for
		key = append(key, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	s, ok := t.index[string(key)]
	if !ok {
		s = len(t.subsets)
		t.index[string(key)] = s
		t.subsets = append(t.subsets, states)
		t.state = append(t.state, q)
		row := make([]int, t.classes)
		for c := range row {
			row[c] = -1
		}
		t.next = append(t.next, row)
	}
	return s
}

// step returns the subset after s on x.
func (t *tracker) step(s int, x byte) int {
	c := t.class[x]
	if t.next[s][c] < 0 {
		var to []int32
		for _, e := range t.edges(s) {
			if e.Set.Has(x) {
				to = append(to, e.To)
			}
		}
		t.next[s][c] = t.subset(t.nfa.Closure(to...), t.dfa.Next(t.state[s], x))
	}
	return t.next[s][c]
}

// edges lists what can be read after s.
func (t *tracker) edges(s int) []*lang.Edge {
	viable := t.dfa.Viable(t.state[s])
	var out []*lang.Edge
	for _, n := range t.subsets[s] {
		for i := range t.nfa.States[n].Edges {
			if e := &t.nfa.States[n].Edges[i]; !e.Set.Intersect(viable).IsEmpty() {
				out = append(out, e)
			}
		}
	}
	return out
}

func (t *tracker) live(s int) bool    { return t.dfa.Live(t.state[s]) }
func (t *tracker) accepts(s int) bool { return t.dfa.Accepts(t.state[s]) }

func (t *tracker) party() Party {
	g := t.side.Grammar
	p := Party{
		Grammar: g.Name, Title: g.Title, Reading: t.side.Reading,
		Production: t.rule.ID, Name: t.rule.Name, Prefix: t.side.Prefix, Section: t.rule.Section, States: t.dfa.States(),
	}
	if p.Title == "" {
		p.Title = g.Name
	}
	return p
}

// A Place is where in its productions a grammar is after some beginning of a string, and what it can read there.
type Place struct {
	// Path leads from the start production down to the innermost production that all which is being read has in
	// common; names are the RFC's. What may follow once an inner production ends does not count. Where the same
	// productions are being read in several others, one step of the path names these: "(waisindex | waisdoc)".
	Path []string `json:"path"`

	// Terms are what is or could have been read, as the RFC names it: uchar, "//" (in quotes), end of input.
	Terms []string `json:"terms"`
}

// reading returns the place where t reads one of the bytes after s.
func (t *tracker) reading(s int, bytes expr.Set) Place {
	return t.place(s, t.readers(s, bytes))
}

// readers lists the edges after s that read one of the bytes.
func (t *tracker) readers(s int, bytes expr.Set) []*lang.Edge {
	return slices.DeleteFunc(t.edges(s), func(e *lang.Edge) bool { return e.Set.Intersect(bytes).IsEmpty() })
}

// expecting returns the place after s, and all that could be read there.
func (t *tracker) expecting(s int) Place {
	return Place{Path: t.whole(s), Terms: t.expected(s).told()}
}

// ending returns the place after s, where the input ends.
func (t *tracker) ending(s int) Place {
	return Place{Path: t.whole(s), Terms: []string{ast.EndOfInput}}
}

// whole returns the path of the place after s with all that can be read there. The caller does not change it.
func (t *tracker) whole(s int) []string {
	path, ok := t.paths[s]
	if !ok {
		path = t.path(s, t.edges(s))
		t.paths[s] = path
	}
	return path
}

// place returns the place after s where one of the edges, which leave s, is taken.
func (t *tracker) place(s int, edges []*lang.Edge) Place {
	if len(edges) == 0 {
		return Place{Path: t.path(s, edges)}
	}
	return Place{Path: t.path(s, edges), Terms: t.terms(edges).told()}
}

// path returns the path of the place after s where one of the edges, which leave s, is taken.
func (t *tracker) path(s int, edges []*lang.Edge) []string {
	if len(edges) == 0 {
		return []string{t.rule.Name}
	}
	t.order(edges)
	var readings []machine.Reading
	for _, e := range edges {
		r := machine.Reading{Begins: e.Begin >= 0 && slices.Contains(t.subsets[s], e.Begin)}
		for _, id := range t.node(e).Path() {
			r.Path = append(r.Path, t.side.Grammar.Rule(id).Name)
		}
		readings = append(readings, r)
	}
	return machine.Place(readings)
}

// node returns the innermost production around e that is not itself a term. The start production always is one.
func (t *tracker) node(e *lang.Edge) *lang.Context {
	c := e.In
	for c.Up != nil && t.lexical(c.ID) {
		c = c.Up
	}
	return c
}

// order sorts edges: the innermost first, then in the order of the text, as a reader meets them.
func (t *tracker) order(edges []*lang.Edge) {
	slices.SortStableFunc(edges, func(e, f *lang.Edge) int {
		return cmp.Or(
			depth(t.node(f))-depth(t.node(e)),
			e.Term.Pos.Line-f.Term.Pos.Line,
			e.Term.Pos.Col-f.Term.Pos.Col,
		)
	})
}

// terms returns what the edges read.
func (t *tracker) terms(edges []*lang.Edge) *terms {
	t.order(edges)
	all := &terms{}
	for _, e := range edges {
		name := t.term(e)
		all.add(&terms{[]string{name}, map[string]expr.Set{name: e.Set}})
	}
	return all
}

// expected returns all that can be read after s.
func (t *tracker) expected(s int) *terms {
	if t.after[s] == nil {
		all := t.terms(t.edges(s))
		if t.accepts(s) {
			all.add(&terms{names: []string{ast.EndOfInput}})
		}
		t.after[s] = all
	}
	return t.after[s]
}

// A terms is what can be read, by name, each with the bytes that it can begin with.
type terms struct {
	names []string
	bytes map[string]expr.Set // the end of the input has none
}

func (t *terms) add(more *terms) {
	if t.bytes == nil {
		t.bytes = map[string]expr.Set{}
	}
	for _, name := range more.names {
		if !slices.Contains(t.names, name) {
			t.names = append(t.names, name)
		}
		if set, ok := more.bytes[name]; ok {
			t.bytes[name] = t.bytes[name].Union(set)
		}
	}
}

// only returns those of t that are named.
func (t *terms) only(names []string) *terms {
	return &terms{slices.DeleteFunc(slices.Clone(t.names), func(name string) bool { return !slices.Contains(names, name) }), t.bytes}
}

// told returns the names that a message has, as [ast.SyntaxError.Terms] chooses them; the end of the input is the last.
func (t *terms) told() []string {
	var e ast.SyntaxError
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

// term returns the name of what e reads: that of a term where e begins it, also where it begins it with an escape.
func (t *tracker) term(e *lang.Edge) string {
	switch in := t.node(e); {
	case e.Term.Op == expr.Literal && in != e.In && e.At == 0:
		c := e.In
		for c.Up != in {
			c = c.Up
		}
		return t.side.Grammar.Rule(c.ID).Name
	case e.Term.Op == expr.Ref:
		return t.side.Grammar.Rule(e.Term.Name).Name
	case e.Term.Op == expr.Literal:
		return ast.Quote(e.Term.Lit[e.At:])
	case e.Set.Len() == 1:
		return ast.Quote(string(e.Set.Members()))
	}
	return e.Set.String()
}

func depth(c *lang.Context) int {
	n := 0
	for ; c != nil; c = c.Up {
		n++
	}
	return n
}

// tokens returns which productions of g derive single characters: bytes, choices of these, and escapes, which are a byte
// and then such productions.
func tokens(g *expr.Grammar) func(id string) bool {
	memo := map[string]bool{}
	var token func(e *expr.Expr) bool
	token = func(e *expr.Expr) bool {
		switch e.Op {
		case expr.Class:
			return true
		case expr.Literal:
			return len(e.Lit) == 1
		case expr.Alt:
			return !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !token(s) })
		case expr.Seq:
			escape := e.Sub[0].Op == expr.Literal && len(e.Sub[0].Lit) == 1
			for _, s := range e.Sub[1:] {
				escape = escape && s.Op == expr.Ref && token(s)
			}
			return escape
		case expr.Ref:
			is, ok := memo[e.Name]
			if r := g.Rule(e.Name); !ok && r != nil {
				memo[e.Name] = false // while it is being looked at: what uses itself is no token
				is = token(r.Expr)
				memo[e.Name] = is
			}
			return is
		}
		return false
	}
	return func(id string) bool { return token(expr.To(id)) }
}
