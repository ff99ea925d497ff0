// Package annotated builds the automaton that explains rejections (see [ast.Tables]) from a grammar's BNF.
//
// It is the subset construction, with each state keeping what it stands for: a set of items, an item being a terminal
// that can be read next together with the productions it stands in. Two strings lead to the same state of the machine
// only where the same continuations are accepted and both have the same explanation; so the machine is minimal among
// those that give these explanations (a Moore machine, minimised by partition refinement; Moore 1956).
package annotated

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// MaxStates is how many states a machine may have before minimisation.
const MaxStates = 1 << 18

// Build returns the machine of g, an unordered grammar whose productions are g.Rules in the order of their kinds, from 1.
// A production for which lexical returns true is a term of its own in explanations: "uchar", not the characters in it.
// It fails where g is not regular in the right-recursive way of these RFCs, or too large.
func Build(g *expr.Grammar, lexical func(id string) bool) (*ast.Tables, error) {
	return BuildFor(g, lexical, expr.IDs(g.Rules)...)
}

// BuildFor is [Build] for some productions: no other has a start, and what they do not use need not be regular.
func BuildFor(g *expr.Grammar, lexical func(id string) bool, of ...string) (t *ast.Tables, err error) {
	defer budget.Catch(&err)
	facts := expr.Analyze(g.Rules)
	used := g.Reached(of...)
	pruner := pruner{facts}
	b := &builder{
		g: g.Rewritten(pruner.orNothing), lexical: lexical, kinds: map[string]ast.Kind{},
		conts: map[contKey]*cont{}, paths: map[pathKey]*path{}, items: map[itemKey]*item{},
		labels: map[label]*label{}, seen: map[closureKey]bool{},
		repeats: map[repeatKey]*expr.Expr{}, tokens: map[string]*token{}, states: map[string]int{},
	}
	classes := expr.NewPartition()
	for i, r := range g.Rules {
		b.kinds[r.ID] = ast.Kind(i + 1)
		if !used[r.ID] {
			continue
		}
		if err := facts.SelfEmbedding(r.ID); err != nil {
			return nil, err
		}
		classes.SplitByTerminals(r.Expr)
	}
	b.classes = classes.Sets()
	starts := make([][]ast.TableStart, len(g.Rules)+1)
	variants := AllVariants(g)
	for i, r := range g.Rules {
		if !slices.Contains(of, r.ID) {
			continue
		}
		for _, v := range variants(r.ID) {
			c := b.closure() // before the first byte
			c.add(pruner.orNothing(v.Expr), nil, b.enter(r.ID, nil), nil, true)
			starts[i+1] = append(starts[i+1], ast.TableStart{Prefix: v.Prefix, Explained: b.kinds[v.Explained]})
			b.from = append(b.from, b.state(&c))
		}
	}
	b.expand()
	return b.machine(starts), nil
}

// A path is the productions that an item stands in, innermost first. Paths are interned.
type path struct {
	rule  string
	up    *path
	depth int
}

type pathKey struct {
	rule string
	up   *path
}

// A cont is what is still to be derived after an item. Conts are interned; nil is the end of the input. The label is that
// of the lexical production that e belongs to, as long as no byte of it has been read; an item's cont has none.
type cont struct {
	contKey
	id int
}

type contKey struct {
	e     *expr.Expr
	path  *path
	up    *cont
	label *label
}

type repeatKey struct {
	e        *expr.Expr
	min, max int
}

// A label is what an explanation calls an item: a term, and the innermost production that reads it. Labels are interned.
type label struct {
	term    string
	lexical string // the production's ID if the term is one
	path    *path
	from    *expr.Expr // the reference or terminal it comes from
}

// An item is a terminal that can be read: a class, or a literal from the byte at off on.
type item struct {
	set   expr.Set
	lit   string // of a literal, what follows its first byte
	e     *expr.Expr
	next  *cont
	path  *path
	label *label
	id    int
}

type itemKey struct {
	e     *expr.Expr
	off   int
	next  *cont
	path  *path
	label *label
}

// A token is a lexical production taken apart: the single bytes that it derives, and the productions in it that derive more.
type token struct {
	single *expr.Expr
	longer []string
}

// token returns the lexical production id taken apart.
func (b *builder) token(id string) *token {
	if t := b.tokens[id]; t != nil {
		return t
	}
	t := &token{single: &expr.Expr{Op: expr.Class}}
	b.tokens[id] = t
	var take func(e *expr.Expr) (bytes expr.Set, longer []string, ok bool)
	take = func(e *expr.Expr) (expr.Set, []string, bool) {
		switch {
		case e.Op == expr.Class:
			return e.Set, nil, true
		case e.Op == expr.Literal && len(e.Lit) == 1:
			return expr.Bytes(e.Lit), nil, true
		case e.Op == expr.Ref && b.lexical(e.Name) && b.g.Rule(e.Name) != nil:
			in := b.token(e.Name)
			return in.single.Set, in.longer, true
		case e.Op == expr.Alt:
			var set expr.Set
			var longer []string
			for _, s := range e.Sub {
				bytes, l, ok := take(s)
				if !ok {
					return expr.Set{}, nil, false
				}
				set, longer = set.Union(bytes), append(longer, l...)
			}
			return set, longer, true
		}
		return expr.Set{}, nil, false
	}
	if set, longer, ok := take(b.g.Rule(id).Expr); ok {
		t.single.Set, t.longer = set, longer
	} else {
		t.longer = []string{id}
	}
	return t
}

type builder struct {
	g       *expr.Grammar
	lexical func(string) bool
	kinds   map[string]ast.Kind
	classes []expr.Set

	conts   map[contKey]*cont
	paths   map[pathKey]*path
	items   map[itemKey]*item
	labels  map[label]*label
	seen    map[closureKey]bool // of the closure in the making
	repeats map[repeatKey]*expr.Expr
	tokens  map[string]*token

	states map[string]int // by the IDs of their items
	sets   [][]*item      // by state
	ends   []bool         // by state: the input may end
	direct []map[*item]bool
	next   [][]int // by state and byte class; -1 is the dead state
	from   []int   // the start states, in the order of the starts
	held   int64   // bytes
}

// hold counts bytes that are kept.
func (b *builder) hold(bytes int) {
	b.held += int64(bytes)
	b.g.Budget.Room(b.held)
}

// enter returns the path of the production id inside up. A production that is already there goes on at its right end, on the path
// it had.
func (b *builder) enter(id string, up *path) *path {
	for p := up; p != nil; p = p.up {
		if p.rule == id {
			return p
		}
	}
	k := pathKey{id, up}
	if b.paths[k] == nil {
		p := &path{rule: id, up: up, depth: 1}
		if up != nil {
			p.depth = up.depth + 1
		}
		b.paths[k] = p
	}
	return b.paths[k]
}

func (b *builder) push(e *expr.Expr, p *path, up *cont, l *label) *cont {
	b.g.Budget.Step(16)
	k := contKey{e, p, up, l}
	c := b.conts[k]
	if c == nil {
		b.hold(160)
		c = &cont{k, len(b.conts)}
		b.conts[k] = c
	}
	return c
}

func (b *builder) label(l label) *label {
	if b.labels[l] == nil {
		b.labels[l] = &l
	}
	return b.labels[l]
}

// afterByte returns next as it is once a byte has been read.
func (b *builder) afterByte(next *cont) *cont {
	if next == nil || next.label == nil {
		return next
	}
	return b.push(next.e, next.path, b.afterByte(next.up), nil)
}

func (b *builder) repeat(e *expr.Expr, min, max int) *expr.Expr {
	k := repeatKey{e, min, max}
	if b.repeats[k] == nil {
		b.repeats[k] = expr.Times(e, min, max)
	}
	return b.repeats[k]
}

func (b *builder) item(e *expr.Expr, off int, next *cont, p *path, l *label) *item {
	next = b.afterByte(next)
	k := itemKey{e, off, next, p, l}
	if it := b.items[k]; it != nil {
		return it
	}
	if l == nil {
		own := label{path: p, from: e}
		switch {
		case e.Chars != "":
			own.term = expr.CodePoints(e.Chars)
		case e.Op == expr.Literal:
			own.term = b.g.Quote(e.Lit[off:])
		case e.Set.Len() == 1:
			own.term = ast.Quote(string(e.Set.Members()))
		default:
			own.term = e.Set.String()
		}
		l = b.label(own)
	}
	b.hold(512)
	it := &item{set: e.Set, e: e, next: next, path: p, label: l, id: len(b.items)}
	if e.Op == expr.Literal {
		it.set, it.lit = expr.Bytes(e.Lit[off:off+1]), e.Lit[off+1:]
	}
	b.items[k] = it
	return it
}

// A closure collects what can be read next.
type closure struct {
	b      *builder
	items  []*item
	direct map[*item]bool // items that begin their production: no byte of it has been read, and nothing of it passed over
	end    bool
	depth  int
}

func (b *builder) closure() closure {
	clear(b.seen)
	return closure{b: b, direct: map[*item]bool{}}
}

type closureKey struct {
	e      *expr.Expr
	next   *cont
	path   *path
	label  *label
	direct bool
}

// add collects what can be read where e and then next is to be derived inside path. A label is that of the lexical
// production around e, until a byte has been read. If direct, e begins its production.
func (c *closure) add(e *expr.Expr, next *cont, p *path, l *label, direct bool) {
	k := closureKey{e, next, p, l, direct}
	if c.b.seen[k] {
		return
	}
	c.b.seen[k] = true
	c.b.g.Budget.Room(c.b.held + 96*int64(len(c.b.seen)))
	if c.depth++; c.depth > 10000 || len(c.b.conts) > MaxStates {
		panic(budget.Stopped(fmt.Errorf("%w: %s: %s: the automaton that explains rejections nests too deeply", budget.ErrTooLarge, c.b.g.Name, e.Pos)))
	}
	defer func() { c.depth-- }()
	c.b.g.Budget.Step(24)
	switch e.Op {
	case expr.Empty:
		c.resume(next)
	case expr.Class:
		if !e.Set.IsEmpty() {
			c.reads(c.b.item(e, 0, next, p, l), direct)
		}
	case expr.Literal:
		c.reads(c.b.item(e, 0, next, p, l), direct)
	case expr.Ref:
		r := c.b.g.Rule(e.Name)
		if l == nil && c.b.lexical(e.Name) {
			l = c.b.label(label{r.Name, e.Name, p, e})
		}
		if l == nil {
			c.add(r.Expr, next, c.b.enter(e.Name, p), l, true)
			return
		}
		t := c.b.token(e.Name)
		if !t.single.Set.IsEmpty() {
			c.reads(c.b.item(t.single, 0, next, p, l), direct)
		}
		for _, in := range t.longer {
			c.add(c.b.g.Rule(in).Expr, next, c.b.enter(in, p), l, direct)
		}
	case expr.Seq:
		for i := len(e.Sub) - 1; i > 0; i-- {
			next = c.b.push(e.Sub[i], p, next, l)
		}
		c.add(e.Sub[0], next, p, l, direct)
	case expr.Alt:
		for _, s := range e.Sub {
			c.add(s, next, p, l, direct)
		}
	case expr.Repeat:
		if e.Min == 0 {
			c.resume(next)
		}
		if e.Max != 0 && e.Max != 1 { // behind the first round
			next = c.b.push(c.b.repeat(e.Sub[0], max(e.Min-1, 0), max(e.Max-1, expr.Unbounded)), p, next, l)
		}
		if e.Max != 0 {
			c.add(e.Sub[0], next, p, l, direct)
		}
	default:
		panic(budget.Stopped(fmt.Errorf("%s: %s: a BNF has no %s", c.b.g.Name, e.Pos, e.Op)))
	}
}

// reads collects an item.
func (c *closure) reads(it *item, direct bool) {
	c.items = append(c.items, it)
	if direct {
		c.direct[it] = true
	}
}

// resume collects what can be read where next is reached, after a byte or after what derives the empty word.
func (c *closure) resume(next *cont) {
	if next == nil {
		c.end = true
	} else {
		c.add(next.e, next.up, next.path, next.label, false)
	}
}

// state returns the number of the state with the items of c.
func (b *builder) state(c *closure) int {
	slices.SortFunc(c.items, func(x, y *item) int { return cmp.Compare(x.id, y.id) })
	c.items = slices.Compact(c.items)
	key := make([]byte, 0, 4*len(c.items)+1)
	if c.end {
		key = append(key, 1)
	}
	for _, it := range c.items {
		id := uint64(it.id+1) << 1
		if c.direct[it] {
			id |= 1
		}
		key = binary.AppendUvarint(key, id)
	}
	q, ok := b.states[string(key)]
	if !ok {
		b.hold(256 + 32*len(c.items) + 8*len(b.classes))
		q = len(b.sets)
		b.states[string(key)] = q
		b.sets = append(b.sets, c.items)
		b.ends = append(b.ends, c.end)
		b.direct = append(b.direct, c.direct)
	}
	return q
}

// expand computes the successors of all states.
func (b *builder) expand() {
	for q := 0; q < len(b.sets); q++ {
		if len(b.sets) > MaxStates {
			panic(budget.Stopped(fmt.Errorf("%w: %s: the explanation automaton has more than %d states", budget.ErrTooLarge, b.g.Name, MaxStates)))
		}
		b.g.Budget.Step(len(b.classes) * (1 + len(b.sets[q])))
		row := make([]int, len(b.classes))
		same := map[string]int{} // by the items that a class can be read by: most classes are read by the same ones
		var readers []byte
		for i, class := range b.classes {
			readers = readers[:0]
			for j, it := range b.sets[q] {
				if !it.set.Intersect(class).IsEmpty() {
					readers = binary.AppendUvarint(readers, uint64(j))
				}
			}
			to, ok := same[string(readers)]
			if !ok {
				to = b.read(q, class)
				same[string(readers)] = to
			}
			row[i] = to
		}
		b.next = append(b.next, row)
	}
}

// read returns the state that the bytes of class lead to from state q, or -1.
func (b *builder) read(q int, class expr.Set) int {
	c := b.closure()
	for _, it := range b.sets[q] {
		if it.set.Intersect(class).IsEmpty() {
			continue
		}
		if it.lit != "" {
			c.items = append(c.items, b.item(it.e, len(it.e.Lit)-len(it.lit), it.next, it.path, nil))
		} else {
			c.resume(it.next)
		}
	}
	if len(c.items) == 0 && !c.end {
		return -1
	}
	return b.state(&c)
}
