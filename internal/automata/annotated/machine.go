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
// known by the IDs of its items. What the builder makes is charged to the budget of the grammar. A limit that is
// passed is a panic, which [BuildFor] returns as an error.
package annotated

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// MaxStates caps the states of an automaton before it is minimized.
const MaxStates = 1 << 18

// Build returns the tables of g, an unordered grammar whose productions are g.Rules in the order of their kinds,
// from 1. A production for which lexical returns true is a term of its own in explanations: "uchar", not the
// characters in it. Build fails if a production embeds itself, if one has an operator that only PEGs have, or with
// an error that wraps [budget.ErrTooLarge] or a [*budget.Exceeded] if the automaton is too large.
func Build(g *expr.Grammar, lexical func(id string) bool) (*ast.Tables, error) {
	return BuildFor(g, lexical, expr.IDs(g.Rules)...)
}

// BuildFor is like [Build], but only the productions with the IDs in of get starts, in the order of g.Rules: one
// for each of their [Variants]. Kinds are still those of all productions. Productions that those in of do not use
// need not be regular.
func BuildFor(g *expr.Grammar, lexical func(id string) bool, of ...string) (t *ast.Tables, err error) {
	defer budget.Catch(&err)
	facts := expr.Analyze(g.Rules)
	used := g.Reached(of...)
	pruner := pruner{facts}
	b := &builder{
		facts: facts, starts: len(of), lexical: lexical,
		kinds: map[string]ast.Kind{}, words: newWordMarker(), classNames: classNames(g),
		conts: map[contKey]*cont{}, paths: map[pathKey]*path{}, items: map[itemKey]*item{},
		labels:  map[label]*label{},
		repeats: map[repeatKey]*expr.Expr{}, tokens: map[string]*token{}, states: map[string]int{},
		places: map[string]ast.Kind{}, nullable: map[string]bool{},
	}
	derived := func(e *expr.Expr) *expr.Expr { return b.words.markParts(pruner.prunedOrNothing(e)) }
	b.g = g.Rewritten(derived)
	classes := expr.NewPartition()
	for i, r := range g.Rules {
		b.kinds[r.ID] = ast.Kind(i + 1)
		b.nullable[r.ID] = facts.Nullable(r.Expr)
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
			c.addCont(b.internCont(derived(v.Expr), b.enterProduction(r.ID, nil), nil, nil), way{})
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
	id    int // from 1
}

// shared returns the longest path that p and q both begin with, counted from the outermost production: nil if there
// is none. Either may be nil.
func (p *path) shared(q *path) *path {
	for p != q && p != nil && q != nil {
		switch {
		case p.depth > q.depth:
			p = p.up
		case p.depth < q.depth:
			q = q.up
		default:
			p, q = p.up, q.up
		}
	}
	if p != q {
		return nil
	}
	return p
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
	id    int
	outer *path // what the paths of the cont and of all that follow it share

	// The items that can be read once a cont is reached are the same wherever it is, so they are found once:
	// see closure.addCont.
	known   bool
	entries []entry
	steps   int   // the steps for finding them, without those for the conts among the entries
	visited int   // the number of the last closure that has it
	ways    []way // the ways on which that closure has reached it
}

// An entry is what a closure gets from a cont: an item, another cont that is reached without reading, or, if
// both are nil, the end of the input.
type entry struct {
	item *item
	next *cont
	way  way // from the cont
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

// around returns the path of productions around e that a reader is told of: if no byte of a lexical production was
// read, it ends before that production.
func (k contKey) around() *path {
	if k.label != nil {
		return k.label.path
	}
	return k.path
}

// A way says how an item is reached in a closure, that is, without reading a byte. A [Reading] is made of it.
type way struct {
	begun int   // how many productions around the item, outermost first, began before the next byte
	after *path // the production that ended last, if it stands directly in that of the item; else nil
	moved bool  // of an entry: after is known; else it is that of the way to the cont
}

// then returns the way that leads on from w by the way of an entry.
func (w way) then(e way) way {
	w.begun = min(w.begun, e.begun)
	if e.moved {
		w.after = e.after
	}
	return w
}

// enter returns the way that leads on into a production at the path p.
func (w way) enter(p *path) way {
	return way{begun: min(w.begun, p.depth), moved: true}
}

// leave returns the way on to what follows at the path to, after everything at the path p was derived. No more
// productions than to has can have begun. If p is inside to, after becomes the production directly in to that ended,
// or nil if there is none. If the paths are the same, nothing ended, and after stays.
func (w way) leave(p, to *path) way {
	w.begun = min(w.begun, to.depth)
	if p == to {
		return w
	}
	w.after, w.moved = nil, true
	for ; p != nil && p.depth > to.depth; p = p.up {
		if p.up == to {
			w.after = p
		}
	}
	return w
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

// splitToken returns the lexical production id, which b.g must have, as a token. If it is not a choice of classes,
// single bytes and lexical productions that b.g has, longer has the production itself, and single is empty. Tokens
// are kept: each call returns the same one for id.
func (b *builder) splitToken(id string) *token {
	if t := b.tokens[id]; t != nil {
		return t
	}
	t := &token{single: &expr.Expr{Op: expr.Class}}
	// Productions may refer to each other in a circle: those of the component of id are looked into here, each once,
	// and have no tokens yet. No other leads back to id, so all others have complete tokens of their own.
	component := b.facts.Component(id)
	seen := map[string]bool{}
	var addRule func(id string)
	var add func(e *expr.Expr) // for an e that isTokenChoice holds of
	addRule = func(id string) {
		if seen[id] {
			return
		}
		seen[id] = true
		if e := b.g.Rule(id).Expr; b.isTokenChoice(e) {
			add(e)
		} else {
			t.longer = append(t.longer, id)
		}
	}
	add = func(e *expr.Expr) {
		switch {
		case e.Op != expr.Ref:
			t.single.Set = t.single.Set.Union(e.OneByte())
			for _, s := range e.Sub {
				add(s)
			}
		case b.facts.Component(e.Name) == component:
			addRule(e.Name)
		default:
			in := b.splitToken(e.Name)
			t.single.Set, t.longer = t.single.Set.Union(in.single.Set), append(t.longer, in.longer...)
		}
	}
	addRule(id)
	b.tokens[id] = t
	return t
}

// isTokenChoice reports whether e is a class, a literal of one byte, a lexical production that b.g has, or a choice of
// such expressions.
func (b *builder) isTokenChoice(e *expr.Expr) bool {
	return e.IsByteChoice(func(id string) bool { return b.lexical(id) && b.g.Rule(id) != nil })
}

// A builder makes the automaton of one grammar.
type builder struct {
	g        *expr.Grammar
	facts    *expr.Facts // of the grammar as it was given
	starts   int         // the productions that get a start
	lexical  func(string) bool
	kinds    map[string]ast.Kind
	nullable map[string]bool // the productions that derive the empty string
	words    *wordMarker
	classes  []expr.Set // a partition of the bytes: no terminal tells bytes of one class apart

	classNames map[expr.Set]*expr.Rule // the productions that are a class, by the class

	conts   map[contKey]*cont
	paths   map[pathKey]*path
	items   map[itemKey]*item
	labels  map[label]*label
	round   int // the number of the closure in the making
	repeats map[repeatKey]*expr.Expr
	tokens  map[string]*token

	states map[string]int      // the number of each state, by the IDs of its items and its place
	places map[string]ast.Kind // the innermost production of a [Place], by the items and their ways
	sets   [][]*item           // by state
	ends   []bool              // by state: the input may end
	place  []ast.Kind          // by state: the innermost production of its [Place]; 0 without items
	next   [][]int             // by state and byte class; -1 is the dead state
	from   []int               // the start states, in the order of the starts
	held   int64               // the bytes charged so far
	taken  int                 // the steps of the cont whose entries are being found
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
// tail recursion, which is read as repetition: the result is the path it had. A production that stands for a state of
// an automaton (see [expr.Rule.State]) is no place that a reader knows, so inside of another it gets no path of its
// own, and the result is up. Paths through an automaton are far more than its states.
func (b *builder) enterProduction(id string, up *path) *path {
	if up != nil && b.g.Rule(id).State {
		return up
	}
	k := pathKey{id, up}
	known := b.paths[k]
	if known != nil {
		return known
	}
	component := b.facts.Component(id) // that of all productions between the two uses of one
	for p := up; p != nil && b.facts.Component(p.rule) == component; p = p.up {
		if p.rule == id {
			b.paths[k] = p
			return p
		}
	}
	p := &path{rule: id, up: up, depth: 1, id: len(b.paths) + 1}
	if up != nil {
		p.depth = up.depth + 1
	}
	b.paths[k] = p
	return p
}

// leaveOut returns the items of a state without the productions around all of them that nothing depends on any more,
// so that a state is the same whatever its items are in: a chain of n productions has n states, and not one for each
// two of them. New items are in the order of their IDs. It returns items itself if all is needed, or if only one
// production gets starts.
func (b *builder) leaveOut(items []*item) []*item {
	// From one start most productions are reached in one way. Little would be shared, and a chain of 10,000
	// productions, whose tables are too large in either case, would take longer to find that out.
	if len(items) == 0 || b.starts < 2 {
		return items
	}
	outer := b.outermostNeeded(items)
	if outer == nil || outer.up == nil {
		return items
	}
	known := map[*path]*path{outer.up: nil}
	var shorter func(p *path) *path
	shorter = func(p *path) *path {
		q, ok := known[p]
		if !ok {
			q = b.enterProduction(p.rule, shorter(p.up))
			known[p] = q
		}
		return q
	}
	var follows func(c *cont) *cont
	follows = func(c *cont) *cont {
		if c == nil {
			return nil
		}
		return b.internCont(c.e, shorter(c.path), follows(c.up), nil)
	}
	list := make([]*item, len(items))
	for i, it := range items {
		off := 0
		if it.e.Op == expr.Literal {
			off = len(it.e.Lit) - len(it.lit) - 1
		}
		var l *label // of a terminal by itself, internItem finds it
		if it.label.lexical != "" {
			inner := *it.label
			inner.path = shorter(inner.path)
			l = b.internLabel(inner)
		}
		list[i] = b.internItem(it.e, off, follows(it.next), shorter(it.path), l)
	}
	slices.SortFunc(list, func(x, y *item) int { return x.id - y.id })
	return list
}

// outermostNeeded returns the path of the outermost production that a state with these items keeps, or nil if they
// share none. The innermost that all share is needed, since a rejection may name it. So are those directly around it
// that it uses and that use it: their tail recursion leads back to them. There must be at least one item.
func (b *builder) outermostNeeded(items []*item) *path {
	outer := items[0].path
	for _, it := range items {
		outer = outer.shared(it.path).shared(it.label.path)
		if it.next != nil {
			outer = outer.shared(it.next.outer)
		}
	}
	if outer == nil {
		return nil
	}
	component := b.facts.Component(outer.rule)
	for outer.up != nil && b.facts.Component(outer.up.rule) == component {
		outer = outer.up
	}
	return outer
}

// internCont returns the cont with these fields.
func (b *builder) internCont(e *expr.Expr, p *path, up *cont, l *label) *cont {
	b.step(16)
	k := contKey{e, p, up, l}
	c := b.conts[k]
	if c == nil {
		b.chargeBytes(160)
		c = &cont{contKey: k, id: len(b.conts), outer: p}
		if up != nil {
			c.outer = p.shared(up.outer)
		}
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

// afterByte returns next without the labels of lexical productions, which hold only until a byte of them has been
// read.
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

// internItem returns the item of the terminal e, a literal from its byte at off on, inside p, and followed by next as
// afterByte returns it. A nil label stands for the terminal's own name as its term: see nameTerm.
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
	b     *builder
	items []reached
	end   bool                // the input may end here
	depth int                 // of the recursion of collect and addCont
	of    *cont               // the cont whose entries are being found; nil outside of findEntries
	seen  map[closureKey]bool // the calls of collect that were made for of
}

// A reached item is an item on one of the ways to it.
type reached struct {
	*item
	way way
}

// closure returns an empty closure. Only one can be in the making: conts remember the last one.
func (b *builder) closure() closure {
	b.round++
	return closure{b: b}
}

type closureKey struct {
	contKey
	way way
}

// findEntries fills in the entries of a cont, and the steps that it took to find them. It panics as collect does.
func (c *closure) findEntries(at *cont) {
	c.of, c.seen, c.b.taken = at, map[closureKey]bool{}, 0
	c.collect(at.contKey, way{begun: at.around().depth})
	at.known, at.steps = true, c.b.taken
	c.of, c.seen, c.b.taken = nil, nil, 0
}

// collect adds to the entries of c.of what can be read if k is to be derived after w: an item, or the cont after k,
// which it does not look into, if k itself is empty or a repetition from 0. Any other k that derives the empty string
// leads there through its parts. A second call for the same k and w adds nothing. All references must be defined. It
// panics with a limit if there is too much to collect (see enter), and with an error for an expression that no BNF
// has.
func (c *closure) collect(k contKey, w way) {
	if c.seen[closureKey{k, w}] {
		return
	}
	c.seen[closureKey{k, w}] = true
	c.b.g.Budget.Room(c.b.held + 96*int64(len(c.seen)))
	e, p, next, l := k.e, k.path, k.up, k.label
	c.enter(e)
	defer c.leave()
	c.b.step(24)
	switch e.Op {
	case expr.Empty:
		c.recordNext(k, w)
	case expr.Class:
		if !e.Set.IsEmpty() {
			c.recordItem(c.b.internItem(e, 0, next, p, l), w)
		}
	case expr.Literal:
		c.recordItem(c.b.internItem(e, 0, next, p, l), w)
	case expr.Ref:
		r := c.b.g.Rule(e.Name)
		if l == nil && c.b.lexical(e.Name) { // the outermost lexical production names the term
			l = c.b.internLabel(label{term: r.Name, lexical: e.Name, path: p, from: e})
		}
		if l == nil { // no lexical production: its own terms are expected
			in := c.b.enterProduction(e.Name, p)
			c.collect(contKey{r.Expr, in, next, l}, w.enter(in))
			return
		}
		// Inside a lexical production, the bytes that it derives by themselves are one item, which does not say by
		// which production each of them is derived. Only longer strings are followed further in.
		t := c.b.splitToken(e.Name)
		if !t.single.Set.IsEmpty() {
			c.recordItem(c.b.internItem(t.single, 0, next, p, l), w)
		}
		for _, in := range t.longer {
			c.collect(contKey{c.b.g.Rule(in).Expr, c.b.enterProduction(in, p), next, l}, w)
		}
	case expr.Seq: // what follows is put together from the end
		for i := len(e.Sub) - 1; i > 0; i-- {
			next = c.b.internCont(e.Sub[i], p, next, l)
		}
		c.collect(contKey{e.Sub[0], p, next, l}, w)
	case expr.Alt:
		for _, s := range e.Sub {
			c.collect(contKey{s, p, next, l}, w)
		}
	case expr.Repeat:
		if e.Min == 0 {
			c.recordNext(k, w)
		}
		if e.Max != 0 && e.Max != 1 { // the further rounds follow the first; Unbounded is -1, and stays
			next = c.b.internCont(c.b.internRepeat(e.Sub[0], max(e.Min-1, 0), max(e.Max-1, expr.Unbounded)), p, next, l)
		}
		if e.Max != 0 {
			c.collect(contKey{e.Sub[0], p, next, l}, w)
		}
	default:
		panic(budget.Stopped(fmt.Errorf("%s: %s: a BNF has no %s", c.b.g.Name, e.Pos, e.Op)))
	}
}

// recordItem adds an item to the entries of c.of.
func (c *closure) recordItem(it *item, w way) {
	c.recordEntry(entry{item: it, way: w})
}

// recordNext adds what follows k to the entries of c.of: k derives the empty string.
func (c *closure) recordNext(k contKey, w way) {
	if k.up != nil {
		w = w.leave(k.around(), k.up.around())
	}
	c.recordEntry(entry{next: k.up, way: w})
}

// recordEntry adds an entry to those of the cont whose entries are being found.
func (c *closure) recordEntry(e entry) {
	c.b.chargeBytes(40)
	c.of.entries = append(c.of.entries, e)
}

// addCont adds to c.items what can be read once a cont is reached by w. If this closure has reached it by w before,
// it adds nothing. Where the cont and all that follow it derive the empty string, and for nil, the end of the
// input, it sets c.end. It fills in the entries of a cont that has none yet, and panics as collect does.
func (c *closure) addCont(at *cont, w way) {
	if at == nil {
		c.end = true
		return
	}
	if at.visited != c.b.round {
		at.visited, at.ways = c.b.round, at.ways[:0]
	}
	if slices.Contains(at.ways, w) {
		return
	}
	at.ways = append(at.ways, w)
	if at.known {
		c.b.g.Budget.Step(at.steps)
	} else {
		c.findEntries(at)
	}
	c.enter(at.e)
	defer c.leave()
	for _, e := range at.entries {
		if e.item != nil {
			c.items = append(c.items, reached{e.item, w.then(e.way)})
		} else {
			c.addCont(e.next, w.then(e.way))
		}
	}
}

// enter counts one more level of recursion, for the expression e. It panics with a limit if there are too many
// levels, or if b has more than MaxStates conts. leave ends the level.
func (c *closure) enter(e *expr.Expr) {
	if c.depth++; c.depth > 10000 || len(c.b.conts) > MaxStates {
		panic(budget.Stopped(fmt.Errorf("%w: %s: %s: the automaton that explains rejections nests too deeply",
			budget.ErrTooLarge, c.b.g.Name, e.Pos)))
	}
}

// leave counts the end of a recursion: see enter.
func (c *closure) leave() { c.depth-- }

// internState returns the number of the state with the items and the end of c, a new one if no state has these and
// the same place. The state has the items as [builder.leaveOut] returns them. A new one has no successors yet.
// internState changes c.items as placeOf does.
func (b *builder) internState(c *closure) int {
	place := b.placeOf(c)
	items := make([]*item, 0, len(c.items))
	for _, it := range c.items {
		items = append(items, it.item)
	}
	items = b.leaveOut(slices.Compact(items))
	key := make([]byte, 0, 4*len(items)+1)
	key = binary.AppendUvarint(key, uint64(place))
	if c.end {
		key = append(key, 0)
	}
	for _, it := range items {
		key = binary.AppendUvarint(key, uint64(it.id+1))
	}
	q, ok := b.states[string(key)]
	if !ok {
		b.chargeBytes(256 + 32*len(items) + 8*len(b.classes))
		q = len(b.sets)
		b.states[string(key)] = q
		b.sets = append(b.sets, items)
		b.ends = append(b.ends, c.end)
		b.place = append(b.place, place)
	}
	return q
}

// placeOf returns the innermost production of the [Place] of the items of c, or 0 if there are none. It sorts
// c.items, drops those that are there twice with the same way, and keeps the answer in b.places.
func (b *builder) placeOf(c *closure) ast.Kind {
	slices.SortFunc(c.items, func(x, y reached) int {
		switch {
		case x.id != y.id:
			return x.id - y.id
		case x.way.begun != y.way.begun:
			return x.way.begun - y.way.begun
		}
		return x.way.after.number() - y.way.after.number()
	})
	c.items = slices.Compact(c.items)
	var key []byte
	for _, it := range c.items {
		for _, n := range []int{it.id, it.way.begun, it.way.after.number()} {
			key = binary.AppendUvarint(key, uint64(n))
		}
	}
	place, ok := b.places[string(key)]
	if !ok {
		place = b.findPlace(c.items)
		b.chargeBytes(len(key) + 32)
		b.places[string(key)] = place
	}
	return place
}

// findPlace returns the innermost production of the [Place] of items, or 0 if there are none.
func (b *builder) findPlace(items []reached) ast.Kind {
	if len(items) == 0 {
		return 0
	}
	first := items[0].label.path
	isElsewhere := func(it reached) bool { return it.label.path != first }
	if !slices.ContainsFunc(items, isElsewhere) {
		return b.kinds[first.rule]
	}
	type reading struct {
		path *path
		way  way
	}
	var readings []Reading
	index := map[reading]int{} // in readings
	for _, it := range items {
		r := reading{it.label.path, way{begun: it.way.begun, after: it.way.after}}
		i, ok := index[r]
		if !ok {
			i = len(readings)
			index[r] = i
			b.g.Budget.Step(16 + r.path.depth*r.path.depth/4)
			after := Nothing
			if r.way.after != nil {
				after = r.way.after.rule
			}
			readings = append(readings, Reading{Path: r.path.ids(), Begun: r.way.begun, After: after})
		}
		readings[i].Bytes = readings[i].Bytes.Union(it.set)
	}
	place := Place(readings, func(id string) bool { return b.nullable[id] })
	return b.kinds[place[len(place)-1]]
}

// number returns the number of a path, from 1, or 0 for nil.
func (p *path) number() int {
	if p == nil {
		return 0
	}
	return p.id
}

// expand computes the successors of all states. States found on the way are appended to b.sets and expanded too. It
// panics with a limit if there are more than MaxStates, or if the budget is used up.
func (b *builder) expand() {
	for q := 0; q < len(b.sets); q++ {
		if len(b.sets) > MaxStates {
			panic(budget.Stopped(fmt.Errorf("%w: %s: the explanation automaton has more than %d states",
				budget.ErrTooLarge, b.g.Name, MaxStates)))
		}
		b.g.Budget.Step(len(b.classes) * (1 + len(b.sets[q])))
		row := make([]int, len(b.classes))
		same := map[string]int{} // the successor, by the items that read a class: it depends on these alone
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

// successor returns the state that the bytes of class lead to from state q, or -1 if no item reads them. It may be a
// new state, without successors yet. class is one of b.classes.
func (b *builder) successor(q int, class expr.Set) int {
	c := b.closure()
	for _, it := range b.sets[q] {
		if it.set.Intersect(class).IsEmpty() {
			continue
		}
		switch {
		case it.lit != "":
			rest := b.internItem(it.e, len(it.e.Lit)-len(it.lit), it.next, it.path, nil)
			c.items = append(c.items, reached{rest, way{begun: it.path.depth}})
		case it.next == nil:
			c.end = true
		default:
			c.addCont(it.next, way{begun: it.path.depth}.leave(it.path, it.next.path))
		}
	}
	if len(c.items) == 0 && !c.end {
		return -1
	}
	return b.internState(&c)
}
