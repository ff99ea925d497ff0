// Package annotated builds the automaton that explains rejections (see [ast.Tables]) from a grammar's BNF.
//
// It uses the subset construction, and each state keeps the items it stands for. An item is a terminal that can be
// read next, together with the productions around it and what is to be derived after it. From the items follow the
// terms that an error message expects and the production it names.
//
// Then states are merged if they accept the same continuations and give the same explanations: the result is the
// minimal Moore machine, computed by partition refinement (Moore, "Gedanken-experiments on sequential machines",
// 1956). It is larger than the minimal automaton of the language, which would merge states with different
// explanations.
//
// In this package b is the builder, q a state of the automaton in the making, it an item, and p the path of
// productions around an item. Items, paths, labels and conts are interned, so that == compares them and a state is
// known by the IDs of its items.
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

// MaxStates caps the states of an automaton before it is minimized.
const MaxStates = 1 << 18

// Build returns the tables of g, an unordered grammar whose productions are g.Rules in the order of their kinds, from
// 1. A production for which lexical returns true is a term of its own in explanations: "uchar", not the characters in
// it. Build fails if a production embeds itself, or with an error that wraps [budget.ErrTooLarge] or a
// [*budget.Exceeded] if the automaton is too large.
func Build(g *expr.Grammar, lexical func(id string) bool) (*ast.Tables, error) {
	return BuildFor(g, lexical, expr.IDs(g.Rules)...)
}

// BuildFor is like [Build], but only the productions with the IDs in of get a start. Productions that these
// do not use need not be regular.
func BuildFor(g *expr.Grammar, lexical func(id string) bool, of ...string) (t *ast.Tables, err error) {
	defer budget.Catch(&err)
	facts := expr.Analyze(g.Rules)
	used := g.Reached(of...)
	pruner := pruner{facts}
	b := &builder{
		lexical: lexical, kinds: map[string]ast.Kind{}, words: newWordMarker(), classNames: classNames(g),
		conts: map[contKey]*cont{}, paths: map[pathKey]*path{}, items: map[itemKey]*item{},
		labels:  map[label]*label{},
		repeats: map[repeatKey]*expr.Expr{}, tokens: map[string]*token{}, states: map[string]int{},
	}
	derived := func(e *expr.Expr) *expr.Expr { return b.words.markParts(pruner.prunedOrNothing(e)) }
	b.g = g.Rewritten(derived)
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
			c.collect(derived(v.Expr), nil, b.enterProduction(r.ID, nil), nil, true)
			starts[i+1] = append(starts[i+1], ast.TableStart{Prefix: v.Prefix, Explained: b.kinds[v.Explained]})
			b.from = append(b.from, b.internState(&c))
		}
	}
	b.expand()
	return b.writeTables(starts), nil
}

// A path lists the productions around an item: rule is the innermost, up leads outward, depth is the length
// of the list. Paths are interned.
type path struct {
	rule  string
	up    *path
	depth int
}

type pathKey struct {
	rule string
	up   *path
}

// A cont, for continuation, is the rest to be derived after an item: the expression e inside path, and then
// up. Conts are interned; nil stands for the end of the input. As long as no byte of a lexical production has
// been read, the conts in it carry its label; the cont of an item has none, since the item is a byte.
type cont struct {
	contKey
	id int

	// The items that can be read once a cont is reached are the same wherever it is, so they are found once:
	// see closure.addCont.
	known   bool
	entries []entry
	steps   int // the steps for finding them, without those for the conts among the entries
	visited int // the number of the last closure that has it
}

// An entry is what a closure gets from a cont: an item, another cont that is reached without reading, or, if
// both are nil, the end of the input.
type entry struct {
	item   *item
	direct bool // see closure
	next   *cont
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

// A label is how an explanation names an item: its term, and the path of productions that reads it. Labels are
// interned.
type label struct {
	term    string
	lexical string // the ID of the production if the term is a lexical production; else ""
	path    *path
	from    *expr.Expr // the reference or terminal that the term comes from
	read    int        // for a part of a word, the number of bytes read before it
}

// An item is a terminal that can be read: a class, or the rest of a literal; set has its first byte.
type item struct {
	set   expr.Set
	lit   string // the bytes of a literal after the first; "" for a class
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

// A token is a lexical production split in two: single is the class of the bytes that it derives alone, longer lists
// the IDs of the productions in it that derive longer strings, such as escapes.
type token struct {
	single *expr.Expr
	longer []string
}

// splitToken returns the lexical production id as a token. If it is not a choice of single bytes and lexical
// productions, longer has the production itself, and single is empty.
func (b *builder) splitToken(id string) *token {
	if t := b.tokens[id]; t != nil {
		return t
	}
	t := &token{single: &expr.Expr{Op: expr.Class}}
	b.tokens[id] = t
	var take func(e *expr.Expr) (bytes expr.Set, longer []string, ok bool)
	// take splits e; ok is false if a part of e is neither a single byte nor a lexical production.
	take = func(e *expr.Expr) (expr.Set, []string, bool) {
		switch {
		case e.Op == expr.Class:
			return e.Set, nil, true
		case e.Op == expr.Literal && len(e.Lit) == 1:
			return expr.Bytes(e.Lit), nil, true
		case e.Op == expr.Ref && b.lexical(e.Name) && b.g.Rule(e.Name) != nil:
			in := b.splitToken(e.Name)
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

// A builder makes the automaton of one grammar.
type builder struct {
	g       *expr.Grammar
	lexical func(string) bool
	kinds   map[string]ast.Kind
	words   *wordMarker
	classes []expr.Set // a partition of the bytes: no terminal tells bytes of one class apart

	classNames map[expr.Set]*expr.Rule // the productions that are a class, by the class

	conts   map[contKey]*cont
	paths   map[pathKey]*path
	items   map[itemKey]*item
	labels  map[label]*label
	round   int // the number of the closure in the making
	repeats map[repeatKey]*expr.Expr
	tokens  map[string]*token

	states map[string]int   // the number of each state, by the IDs of its items
	sets   [][]*item        // by state
	ends   []bool           // by state: the input may end
	direct []map[*item]bool // by state: see closure
	next   [][]int          // by state and byte class; -1 is the dead state
	from   []int            // the start states, in the order of the starts
	held   int64            // the bytes charged so far
	taken  int              // the steps of the cont whose entries are being found
}

// chargeBytes charges bytes that are kept until the automaton is done to the budget of the grammar.
func (b *builder) chargeBytes(bytes int) {
	b.held += int64(bytes)
	b.g.Budget.Room(b.held)
}

// step charges steps to the budget of the grammar, and to the cont whose entries are being found.
func (b *builder) step(n int) {
	b.g.Budget.Step(n)
	b.taken += n
}

// enterProduction returns the path of the production id inside up. If up contains the production already, that is its
// tail recursion, which is read as repetition: the result is the path it had. A state of an automaton is no place that
// a reader knows, so it gets no path of its own: paths through an automaton are far more than its states.
func (b *builder) enterProduction(id string, up *path) *path {
	if up != nil && b.g.Rule(id).State {
		return up
	}
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

// internCont returns the cont with these fields.
func (b *builder) internCont(e *expr.Expr, p *path, up *cont, l *label) *cont {
	b.step(16)
	k := contKey{e, p, up, l}
	c := b.conts[k]
	if c == nil {
		b.chargeBytes(160)
		c = &cont{contKey: k, id: len(b.conts)}
		b.conts[k] = c
	}
	return c
}

// internLabel returns the pointer that stands for l.
func (b *builder) internLabel(l label) *label {
	if b.labels[l] == nil {
		b.labels[l] = &l
	}
	return b.labels[l]
}

// afterByte returns next without the labels of lexical productions, which hold only until a byte of them has been read.
func (b *builder) afterByte(next *cont) *cont {
	if next == nil || next.label == nil {
		return next
	}
	return b.internCont(next.e, next.path, b.afterByte(next.up), nil)
}

// internRepeat returns the repetition of e at least min and at most max times.
func (b *builder) internRepeat(e *expr.Expr, min, max int) *expr.Expr {
	k := repeatKey{e, min, max}
	if b.repeats[k] == nil {
		b.repeats[k] = expr.Times(e, min, max)
	}
	return b.repeats[k]
}

// internItem returns the item of the terminal e, a literal from its byte at off on, inside p and followed by next,
// without the labels that end with a byte. A nil label stands for the terminal's own text as its term.
func (b *builder) internItem(e *expr.Expr, off int, next *cont, p *path, l *label) *item {
	next = b.afterByte(next)
	k := itemKey{e, off, next, p, l}
	if it := b.items[k]; it != nil {
		return it
	}
	if l == nil {
		own := label{path: p, from: e}
		own.term, own.read = b.words.nameTerm(terminal{e, off, p.rule}, b.g, b.classNames)
		b.chargeBytes(len(own.term))
		l = b.internLabel(own)
	}
	b.chargeBytes(512)
	it := &item{set: e.Set, e: e, next: next, path: p, label: l, id: len(b.items)}
	if e.Op == expr.Literal {
		it.set, it.lit = expr.Bytes(e.Lit[off:off+1]), e.Lit[off+1:]
	}
	b.items[k] = it
	return it
}

// A closure collects the items that can be read next: those of one state.
type closure struct {
	b      *builder
	items  []*item
	direct map[*item]bool      // items at the very beginning of their production: nothing of it was read or skipped
	end    bool                // the input may end here
	depth  int                 // of the recursion of collect
	of     *cont               // the cont whose entries are being found; nil outside of one
	seen   map[closureKey]bool // the calls of collect that were made for of
}

// closure returns an empty closure. Only one can be in the making: conts remember the last one.
func (b *builder) closure() closure {
	b.round++
	return closure{b: b, direct: map[*item]bool{}, seen: map[closureKey]bool{}}
}

type closureKey struct {
	e      *expr.Expr
	next   *cont
	path   *path
	label  *label
	direct bool
}

// collect adds the items that can be read if e and then next are to be derived inside p. l is the label of
// the lexical production around e, or nil. direct says that e is at the beginning of its production. It
// panics with a limit if e nests too deeply.
func (c *closure) collect(e *expr.Expr, next *cont, p *path, l *label, direct bool) {
	k := closureKey{e, next, p, l, direct}
	if c.seen[k] {
		return
	}
	c.seen[k] = true
	c.b.g.Budget.Room(c.b.held + 96*int64(len(c.seen)))
	c.enter(e)
	defer c.leave()
	c.b.step(24)
	switch e.Op {
	case expr.Empty:
		c.collectNext(next)
	case expr.Class:
		if !e.Set.IsEmpty() {
			c.addItem(c.b.internItem(e, 0, next, p, l), direct)
		}
	case expr.Literal:
		c.addItem(c.b.internItem(e, 0, next, p, l), direct)
	case expr.Ref:
		r := c.b.g.Rule(e.Name)
		if l == nil && c.b.lexical(e.Name) { // the outermost lexical production names the term
			l = c.b.internLabel(label{term: r.Name, lexical: e.Name, path: p, from: e})
		}
		if l == nil { // no lexical production: its own terms are expected
			c.collect(r.Expr, next, c.b.enterProduction(e.Name, p), l, true)
			return
		}
		// Inside a lexical production, the bytes that it derives by themselves are one item, which does not say by
		// which production each of them is derived. Only longer strings are followed further in.
		t := c.b.splitToken(e.Name)
		if !t.single.Set.IsEmpty() {
			c.addItem(c.b.internItem(t.single, 0, next, p, l), direct)
		}
		for _, in := range t.longer {
			c.collect(c.b.g.Rule(in).Expr, next, c.b.enterProduction(in, p), l, direct)
		}
	case expr.Seq: // what follows is put together from the end
		for i := len(e.Sub) - 1; i > 0; i-- {
			next = c.b.internCont(e.Sub[i], p, next, l)
		}
		c.collect(e.Sub[0], next, p, l, direct)
	case expr.Alt:
		for _, s := range e.Sub {
			c.collect(s, next, p, l, direct)
		}
	case expr.Repeat:
		if e.Min == 0 {
			c.collectNext(next)
		}
		if e.Max != 0 && e.Max != 1 { // the further rounds follow the first
			next = c.b.internCont(c.b.internRepeat(e.Sub[0], max(e.Min-1, 0), max(e.Max-1, expr.Unbounded)), p, next, l)
		}
		if e.Max != 0 {
			c.collect(e.Sub[0], next, p, l, direct)
		}
	default:
		panic(budget.Stopped(fmt.Errorf("%s: %s: a BNF has no %s", c.b.g.Name, e.Pos, e.Op)))
	}
}

// addItem adds one item.
func (c *closure) addItem(it *item, direct bool) {
	c.recordEntry(entry{item: it, direct: direct})
	c.items = append(c.items, it)
	if direct {
		c.direct[it] = true
	}
}

// recordEntry adds an entry to those of the cont whose entries are being found, if there is one.
func (c *closure) recordEntry(e entry) {
	if c.of != nil {
		c.b.chargeBytes(24)
		c.of.entries = append(c.of.entries, e)
	}
}

// collectNext adds the items that can be read once next is reached: after a byte, or after a part that
// derives the empty string. For nil it records that the input may end.
func (c *closure) collectNext(next *cont) {
	c.recordEntry(entry{next: next})
	if next == nil {
		c.end = true
	} else {
		c.addCont(next)
	}
}

// addCont adds the entries of a cont, once for each closure. It finds them first if they are not known.
func (c *closure) addCont(at *cont) {
	if at.visited == c.b.round {
		return
	}
	at.visited = c.b.round
	if !at.known {
		// collect adds the entries to c and, by recordEntry, to at. It has to find them all, whatever c has seen.
		of, seen, taken := c.of, c.seen, c.b.taken
		c.of, c.seen, c.b.taken = at, map[closureKey]bool{}, 0
		c.collect(at.e, at.up, at.path, at.label, false)
		at.known, at.steps = true, c.b.taken
		c.of, c.seen, c.b.taken = of, seen, taken
		return
	}
	c.b.g.Budget.Step(at.steps)
	c.enter(at.e)
	defer c.leave()
	for _, e := range at.entries {
		switch {
		case e.item != nil:
			c.items = append(c.items, e.item)
			if e.direct {
				c.direct[e.item] = true
			}
		case e.next != nil:
			c.addCont(e.next)
		default:
			c.end = true
		}
	}
}

// enter counts one more level of recursion, for the expression e, and panics with a limit if there are too
// many. leave ends the level.
func (c *closure) enter(e *expr.Expr) {
	if c.depth++; c.depth > 10000 || len(c.b.conts) > MaxStates {
		panic(budget.Stopped(fmt.Errorf("%w: %s: %s: the automaton that explains rejections nests too deeply", budget.ErrTooLarge, c.b.g.Name, e.Pos)))
	}
}

// leave counts the end of a recursion: see enter.
func (c *closure) leave() { c.depth-- }

// internState returns the number of the state with the items of c, a new one if no state has these. It sorts
// c.items, and keeps them and c.direct.
func (b *builder) internState(c *closure) int {
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
		b.chargeBytes(256 + 32*len(c.items) + 8*len(b.classes))
		q = len(b.sets)
		b.states[string(key)] = q
		b.sets = append(b.sets, c.items)
		b.ends = append(b.ends, c.end)
		b.direct = append(b.direct, c.direct)
	}
	return q
}

// expand computes the successors of all states; states found on the way are appended to b.sets and expanded too.
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
				to = b.successor(q, class)
				same[string(readers)] = to
			}
			row[i] = to
		}
		b.next = append(b.next, row)
	}
}

// successor returns the state that the bytes of class lead to from state q, or -1 if no item reads them.
func (b *builder) successor(q int, class expr.Set) int {
	c := b.closure()
	for _, it := range b.sets[q] {
		if it.set.Intersect(class).IsEmpty() {
			continue
		}
		if it.lit != "" {
			c.items = append(c.items, b.internItem(it.e, len(it.e.Lit)-len(it.lit), it.next, it.path, nil))
		} else {
			c.collectNext(it.next)
		}
	}
	if len(c.items) == 0 && !c.end {
		return -1
	}
	return b.internState(&c)
}
