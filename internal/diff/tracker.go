package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
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
	state   []int   // by subset: the state of dfa
	next    [][]int // by subset and class; -1 where it is not known yet
}

func newTracker(side subject.Language, limits lang.Limits) (*tracker, error) {
	r, err := side.Grammar.Lookup(side.Production)
	if err != nil {
		return nil, err
	}
	t := &tracker{side: side, rule: r, lexical: side.Lexical, index: map[string]int{}}
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

// subset gives the number of the subset with these states, at which the minimal automaton is in state q.
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

// step gives the subset after s on x.
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

// reading gives the place where t reads one of the bytes after s.
func (t *tracker) reading(s int, bytes expr.Set) Place {
	return t.place(slices.DeleteFunc(t.edges(s), func(e *lang.Edge) bool { return e.Set.Intersect(bytes).IsEmpty() }))
}

// expecting gives the place after s, and all that could be read there.
func (t *tracker) expecting(s int) Place {
	p := t.place(t.edges(s))
	if t.accepts(s) {
		p.Terms = append(p.Terms, ast.EndOfInput)
	}
	return p
}

// ending gives the place after s, where the input ends.
func (t *tracker) ending(s int) Place {
	return Place{Path: t.place(t.edges(s)).Path, Terms: []string{ast.EndOfInput}}
}

func (t *tracker) place(edges []*lang.Edge) Place {
	if len(edges) == 0 {
		return Place{Path: []string{t.rule.Name}}
	}
	// The innermost first, then in the order of the text: this is how a reader meets them.
	in := map[*lang.Edge]*lang.Context{}
	for _, e := range edges {
		in[e] = t.node(e)
	}
	slices.SortStableFunc(edges, func(e, f *lang.Edge) int {
		return cmp.Or(
			depth(in[f])-depth(in[e]),
			e.Term.Pos.Line-f.Term.Pos.Line,
			e.Term.Pos.Col-f.Term.Pos.Col,
		)
	})
	outer := map[*lang.Context]bool{}
	for _, c := range in {
		for c = c.Up; c != nil; c = c.Up {
			outer[c] = true
		}
	}
	var paths [][]string
	seen := map[*lang.Context]bool{}
	for _, e := range edges {
		if c := in[e]; !outer[c] && !seen[c] {
			seen[c] = true
			var path []string
			for _, id := range c.Path() {
				path = append(path, t.side.Grammar.Rule(id).Name)
			}
			paths = append(paths, path)
		}
	}
	return Place{Path: common(paths), Terms: t.terms(edges)}
}

// common gives the path that all the paths share from above. Where they branch, and what each branch has in common ends
// in the same productions, it goes on with one step that names the branches, and those productions.
func common(paths [][]string) []string {
	top := paths[0]
	for _, p := range paths[1:] {
		n := 0
		for n < min(len(top), len(p)) && p[n] == top[n] {
			n++
		}
		top = top[:n]
	}
	var order []string
	branches := map[string][][]string{}
	for _, p := range paths {
		if len(p) == len(top) {
			return top
		}
		name := p[len(top)]
		if branches[name] == nil {
			order = append(order, name)
		}
		branches[name] = append(branches[name], p)
	}
	var rests [][]string
	for _, name := range order {
		rests = append(rests, common(branches[name])[len(top):])
	}
	shared := rests[0]
	for _, r := range rests[1:] {
		n := 0
		for n < min(len(shared), len(r)) && r[len(r)-1-n] == shared[len(shared)-1-n] {
			n++
		}
		shared = shared[len(shared)-n:]
	}
	if len(shared) == 0 {
		return top
	}
	var between []string
	for _, r := range rests {
		if r = r[:len(r)-len(shared)]; len(r) == 0 {
			r = []string{"directly"}
		}
		between = append(between, strings.Join(r, " > "))
	}
	return slices.Concat(top, []string{"(" + strings.Join(between, " | ") + ")"}, shared)
}

// node gives the innermost production around e that is not itself a term. The start production always is one.
func (t *tracker) node(e *lang.Edge) *lang.Context {
	c := e.In
	for c.Up != nil && t.lexical(c.ID) {
		c = c.Up
	}
	return c
}

// terms names what the edges read, each term once, and none whose bytes all belong to another.
func (t *tracker) terms(edges []*lang.Edge) []string {
	var names []string
	bytes := map[string]expr.Set{}
	for _, e := range edges {
		name := t.term(e)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		bytes[name] = bytes[name].Union(e.Set)
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		for i, other := range names {
			more, less := bytes[other].Minus(bytes[name]), bytes[name].Minus(bytes[other])
			if less.IsEmpty() && (!more.IsEmpty() || i < slices.Index(names, name)) {
				return true
			}
		}
		return false
	})
}

// term gives the name of what e reads: that of a term where e begins it, also where it begins it with an escape.
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

// tokens says which productions of g derive single characters: bytes, choices of these, and escapes, which are a byte
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
