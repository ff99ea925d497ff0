package interpreter

import (
	"errors"
	"slices"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// An automaton derives where what is still to come is one of finitely many things, because no production uses itself but at
// its end. Its states are these things, as chains of what is to be derived one after the other. It reads an input three
// times: forwards to find the states that it can be in at each place; backwards to find those from which the rest is
// accepted; and forwards again, along these alone, by the first choice at each place.
type automaton struct {
	*grammar
	class   [256]uint8
	classes int
	chains  map[chainKey]*chain
	sets    map[string]*set
	lives   map[liveKey]*live
	liveOf  map[string]*live
	first   *set
	dead    *set
	start   *chain
	epoch   int
	links   []link // the memory of a walk
	events  []event
	taken   int   // steps since it began anew, for what it remembers
	held    int64 // bytes of that
	most    int   // steps that it may take
}

// What an input may cost: a share of the steps, of so many bits less, and some more for each byte. A repetition with a high count of what can be empty has as
// many states, each of which leads to all the others. Of the memory it is half: lists have an automaton on each core.
const (
	stepsAtAll  = 4
	stepsByByte = 1 << 10
	bytesAtAll  = 2
)

// on carries out f for an input. What is remembered of earlier inputs counts: where that is too much, the automaton begins anew. So the
// answer is that of an automaton which has seen no other input.
func (a *automaton) on(src string, f func()) error {
	a.most = a.Budget.Share(stepsAtAll) + stepsByByte*len(src)
	for {
		fresh := a.taken == 0
		err := within(f)
		if err != nil {
			a.reset()
		}
		if err == nil || fresh {
			return err
		}
	}
}

// within returns the error of the limit that f passes.
func within(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case error:
			if err = e; !errors.Is(err, budget.ErrTooLarge) {
				panic(e)
			}
		default:
			panic(e)
		}
	}()
	f()
	return nil
}

// take takes steps and bytes for what is remembered.
func (a *automaton) take(steps, bytes int) {
	a.taken, a.held = a.taken+steps, a.held+int64(bytes)
	if a.taken > a.most {
		panic(a.tooLarge())
	}
	a.Budget.Step(steps)
	a.Budget.Room(bytesAtAll * a.held)
}

// A frame is what is to be derived, at the top of a chain.
type frame struct {
	op    frameOp
	e     *expr.Expr
	count int   // repeat: the iterations that there have been, as far as that matters; literal: the bytes read; match: the parts
	at    int   // progress on a way: where it was pushed
	rule  *rule // end
}

type frameOp uint8

const (
	match    frameOp = iota // e; of a long sequence, the parts from count on
	repeat                  // e, a repetition, after some iterations
	literal                 // the rest of e
	progress                // at least one byte is read before what is below
	end                     // the end of a node
)

// A chain is frames to come, the nearest first. Chains are interned, without the ends of nodes and without what derives
// only the empty word; nil is the end of the input.
type chain struct {
	frame
	up *chain
	id int

	reads   []*chain // those that begin with a terminal and that can be entered without reading; once known
	ends    bool     // the end of the input is one of them
	known   bool
	moves   []move // what can take the place of its nearest frame; once moved
	reader  bool   // nothing does: it reads a byte
	moved   bool
	after   *chain // without its progress frames; once known
	cleared bool
	mark    int // the last epoch in which it was tried
}

type chainKey struct {
	frame
	up *chain
}

// A set is the chains that begin with a terminal and that some beginning of an input leads to.
type set struct {
	items []*chain
	ends  bool
	next  []*set
}

// A live is those chains of a set from which the rest of the input is accepted.
type live struct {
	items []*chain // in the order of their numbers
}

func (l *live) has(c *chain) bool {
	_, ok := slices.BinarySearchFunc(l.items, c, func(x, c *chain) int { return x.id - c.id })
	return ok
}

type liveKey struct {
	at    *set
	class uint8
	next  *live
}

func newAutomaton(in *grammar) *automaton {
	a := &automaton{grammar: in, links: make([]link, 1<<10)}
	classes := expr.NewPartition()
	for _, id := range in.Reach(in.start.ID) {
		if r := in.rules[id]; r != nil {
			classes.SplitByTerminals(r.Expr)
		}
	}
	a.class, a.classes = classes.Class, classes.N
	a.reset()
	return a
}

func (a *automaton) reset() {
	a.taken, a.held = 0, 0
	a.chains, a.sets = map[chainKey]*chain{}, map[string]*set{}
	a.lives, a.liveOf = map[liveKey]*live{}, map[string]*live{}
	a.start = a.push(frame{op: match, e: a.grammar.start.Expr}, nil)
	a.dead = a.set(nil, false)
	a.first = nil
}

// begin returns the set before the first byte.
func (a *automaton) begin() *set {
	if a.first == nil {
		reads, ends := a.enter(a.start)
		if !a.facts.Derives(a.grammar.start.Expr) {
			return a.dead
		}
		a.first = a.set(slices.Clone(reads), ends)
	}
	return a.first
}

// push returns the chain of f and then up.
func (a *automaton) push(f frame, up *chain) *chain {
	switch {
	case f.op == end:
		return up
	case a.void(f):
		return up
	case f.op == progress && up != nil && up.op == progress:
		return up
	}
	k := chainKey{frame{op: f.op, e: f.e, count: f.count}, up}
	c := a.chains[k]
	if c == nil {
		a.take(0, 256) // with its moves
		c = &chain{frame: k.frame, up: up, id: len(a.chains)}
		a.chains[k] = c
	}
	return c
}

// partsAtOnce is how many parts of a sequence become chains together: those of a long one, as far as they are come to.
const partsAtOnce = 64

// An option is the frames that can take the place of one, the nearest last.
type option []frame

// options lists what can take the place of f, in the order of preference. ok is false where f reads a byte.
func (in *grammar) options(f frame) (list []option, ok bool) {
	e := f.e
	switch {
	case f.op == progress:
		return nil, true
	case f.op == end:
		return []option{nil}, true
	case f.op == literal:
		return nil, false
	case !in.facts.Derives(e):
		return nil, true
	}
	switch e.Op {
	case expr.Empty:
		return []option{nil}, true
	case expr.Ref:
		r := in.rules[e.Name]
		if r.kind == 0 {
			return []option{{{op: match, e: r.Expr}}}, true
		}
		return []option{{{op: end, rule: r}, {op: match, e: r.Expr}}}, true
	case expr.Seq:
		var all option
		parts := e.Sub[f.count:]
		if len(parts) > partsAtOnce {
			parts, all = parts[:partsAtOnce], option{{op: match, e: e, count: f.count + partsAtOnce}}
		}
		for _, s := range slices.Backward(parts) {
			all = append(all, frame{op: match, e: s})
		}
		return []option{all}, true
	case expr.Alt:
		for _, s := range e.Sub {
			list = append(list, option{{op: match, e: s}})
		}
		return list, true
	case expr.Repeat:
		if e.Max == expr.Unbounded || f.count < e.Max {
			var again option
			next := f.count + 1
			if e.Max == expr.Unbounded {
				next = min(next, e.Min)
			}
			if next != e.Max {
				again = append(again, frame{op: repeat, e: e, count: next})
			}
			if f.count >= e.Min {
				again = append(again, frame{op: progress})
			}
			list = append(list, append(again, frame{op: match, e: e.Sub[0]}))
		}
		if f.count >= e.Min {
			list = append(list, nil)
		}
		return list, true
	}
	return nil, false
}

// A move is an option for the nearest frame of a chain, with the chain that it leads to. Void says of each frame that it
// derives the empty word alone.
type move struct {
	option option
	void   []bool
	to     *chain
}

// move finds the moves of c.
func (a *automaton) move(c *chain) {
	if c.moved {
		return
	}
	list, ok := a.options(c.frame)
	c.reader, c.moved = !ok, true
	for _, o := range list {
		m := move{o, make([]bool, len(o)), c.up}
		for i, f := range o {
			m.void[i], m.to = a.void(f), a.push(f, m.to)
		}
		c.moves = append(c.moves, m)
	}
}

// void reports whether f derives the empty word alone.
func (a *automaton) void(f frame) bool {
	return f.op == match && !a.facts.NonEmpty(f.e) && a.facts.Derives(f.e)
}

// enter returns the chains that begin with a terminal and can be entered from c without reading, and whether the end of the
// input can.
func (a *automaton) enter(c *chain) (reads []*chain, ends bool) {
	if c == nil {
		return nil, true
	}
	if c.known {
		return c.reads, c.ends
	}
	seen := map[*chain]bool{}
	for todo := []*chain{c}; len(todo) > 0; {
		a.take(4, 8)
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if d == nil {
			c.ends = true
			continue
		}
		if seen[d] {
			continue
		}
		seen[d] = true
		a.move(d)
		if d.reader {
			c.reads = append(c.reads, d)
		}
		for _, m := range d.moves {
			todo = append(todo, m.to)
		}
	}
	c.known = true
	return c.reads, c.ends
}

// clear returns c without its progress frames, after a byte.
func (a *automaton) clear(c *chain) *chain {
	if c == nil {
		return nil
	}
	if c.cleared {
		return c.after
	}
	c.after = a.clear(c.up)
	if c.op != progress {
		c.after = a.push(c.frame, c.after)
	}
	c.cleared = true
	return c.after
}

// read returns what is to come after c, which begins with a terminal, has read the byte x; ok is false if c does not read x.
func (a *automaton) read(c *chain, x byte) (to *chain, ok bool) {
	if c.e.Op == expr.Class {
		return a.clear(c.up), c.e.Set.Has(x)
	}
	if c.e.Lit[c.count] != x {
		return nil, false
	}
	if to = a.clear(c.up); c.count+1 < len(c.e.Lit) {
		to = a.push(frame{op: literal, e: c.e, count: c.count + 1}, to)
	}
	return to, true
}

func (a *automaton) set(items []*chain, ends bool) *set {
	slices.SortFunc(items, func(c, d *chain) int { return c.id - d.id })
	items = slices.Compact(items)
	k := key(items, ends)
	s := a.sets[k]
	if s == nil {
		a.take(0, 192+12*len(items)+8*a.classes)
		s = &set{items: items, ends: ends, next: make([]*set, a.classes)}
		a.sets[k] = s
	}
	return s
}

func key(items []*chain, ends bool) string {
	b := make([]byte, 1, 1+4*len(items))
	if ends {
		b[0] = 1
	}
	for _, c := range items {
		b = append(b, byte(c.id), byte(c.id>>8), byte(c.id>>16), byte(c.id>>24))
	}
	return string(b)
}

// step returns the set after s and the byte x.
func (a *automaton) step(s *set, x byte) *set {
	class := a.class[x]
	if s.next[class] == nil {
		var items []*chain
		ends := false
		for _, c := range s.items {
			if to, ok := a.read(c, x); ok {
				reads, end := a.enter(to)
				a.take(1+len(reads)/4, 0)
				items, ends = append(items, reads...), ends || end
			}
		}
		s.next[class] = a.set(items, ends)
	}
	return s.next[class]
}

func (a *automaton) accepts(src string) (ok bool, err error) {
	a.Budget.Step(len(src))
	err = a.on(src, func() {
		s := a.begin()
		for i := 0; i < len(src) && s != a.dead; i++ {
			s = a.step(s, src[i])
		}
		ok = s.ends
	})
	return ok && err == nil, err
}

func (a *automaton) derive(dst []ast.Raw, src string) (nodes []ast.Raw, ok bool, err error) {
	a.Budget.Step(4 * len(src))
	err = a.on(src, func() { nodes, ok = a.tree(dst, src) })
	if err != nil || !ok {
		return dst, false, err
	}
	return nodes, true, nil
}

func (a *automaton) tree(dst []ast.Raw, src string) ([]ast.Raw, bool) {
	sets := make([]*set, len(src)+1)
	sets[0] = a.begin()
	for i := range len(src) {
		if sets[i+1] = a.step(sets[i], src[i]); sets[i+1] == a.dead {
			return dst, false
		}
	}
	if !sets[len(src)].ends {
		return dst, false
	}
	lives := make([]*live, len(src)+1)
	lives[len(src)] = a.live(nil)
	for i := len(src) - 1; i >= 0; i-- {
		lives[i] = a.back(sets[i], src[i], lives[i+1], i+1 == len(src))
	}
	t := a.newTree(dst)
	w := &walk{automaton: a, src: src, lives: lives, tree: t, events: a.events}
	t.begin(a.grammar.start.kind, 0)
	ok := w.run()
	a.events = w.events
	if t.steps < 0 {
		panic(a.tooLarge())
	}
	return t.nodes, ok // what the lives promise is there
}

// live returns the live of some chains.
func (a *automaton) live(items []*chain) *live {
	k := key(items, false)
	l := a.liveOf[k]
	if l == nil {
		a.take(0, 128+12*len(items))
		l = &live{items}
		a.liveOf[k] = l
	}
	return l
}

// back returns the chains of s that by reading x lead to one of next or, if last, to the end of the input.
func (a *automaton) back(s *set, x byte, next *live, last bool) *live {
	k := liveKey{s, a.class[x], next}
	if l := a.lives[k]; l != nil && !last {
		return l
	}
	var items []*chain
	a.take(4*len(s.items), 64)
	for _, c := range s.items {
		to, ok := a.read(c, x)
		if !ok {
			continue
		}
		reads, ends := a.enter(to)
		a.take(len(reads)/4, 0)
		if last && ends || !last && slices.ContainsFunc(reads, next.has) {
			items = append(items, c)
		}
	}
	l := a.live(items)
	if !last {
		a.lives[k] = l
	}
	return l
}

// A walk builds the tree along the lives.
type walk struct {
	*automaton
	src    string
	lives  []*live
	tree   *tree
	events []event // of what is being tried
	used   int     // of the links
}

// link returns a link: one of those that are used again for each input, as long as there are any.
func (w *walk) link(f frame, void bool, up *link) *link {
	if w.used == len(w.automaton.links) {
		return &link{f, up, void}
	}
	l := &w.automaton.links[w.used]
	w.used++
	*l = link{f, up, void}
	return l
}

// An event is the beginning or the end of a node, or an expression that derives the empty word.
type event struct {
	begin ast.Kind
	empty *expr.Expr
}

// A link is frames to come as they are, with the ends of nodes and all that derives the empty word, the nearest first.
type link struct {
	frame
	up   *link
	void bool // it derives the empty word alone
}

// run builds the tree. It reports whether there is one.
func (w *walk) run() bool {
	whole := frame{op: match, e: w.grammar.start.Expr}
	l, c := w.link(whole, w.void(whole), w.link(frame{op: end, rule: w.grammar.start}, false, nil)), w.automaton.start
	for i := 0; ; i++ {
		w.epoch++
		w.events = w.events[:0]
		to, state, ok := w.find(l, c, i)
		if !ok || !w.commit(i) {
			return false
		}
		if to == nil {
			return true
		}
		state, ok = w.read(state, w.src[i])
		if !ok {
			return false
		}
		if l, c = to.up, state; to.e.Op == expr.Literal && to.count+1 < len(to.e.Lit) {
			l = w.link(frame{op: literal, e: to.e, count: to.count + 1}, false, l)
		}
	}
}

// commit adds to the tree what was found at a place.
func (w *walk) commit(at int) bool {
	for _, e := range w.events {
		switch {
		case e.empty != nil:
			if !w.empty(w.tree, e.empty, at, map[string]bool{}) {
				return false
			}
		case e.begin != 0:
			w.tree.begin(e.begin, at)
		default:
			w.tree.end(at)
		}
	}
	return true
}

// find returns the first way from l, with what it is as a chain, to a terminal by which the rest of the input is accepted, or
// to its end, where the link is nil.
func (w *walk) find(l *link, c *chain, at int) (to *link, state *chain, ok bool) {
	for {
		switch {
		case l == nil:
			return nil, nil, at == len(w.src)
		case l.op == end:
			w.events = append(w.events, event{})
		case l.op == progress && l.at == at:
			return nil, nil, false
		case l.op == progress:
		case l.void:
			w.events = append(w.events, event{empty: l.e})
		default:
			return w.choose(l, c, at)
		}
		l = l.up
	}
}

// choose is find where l is no mere end of something, so that it and c begin with the same.
func (w *walk) choose(l *link, c *chain, at int) (to *link, state *chain, ok bool) {
	if c.mark == w.epoch { // it leads nowhere, or only back here
		return nil, nil, false
	}
	c.mark = w.epoch
	w.Budget.Step(16)
	w.move(c)
	if c.reader {
		return l, c, at < len(w.src) && w.lives[at].has(c)
	}
	before := len(w.events)
	for _, m := range c.moves {
		next := l.up
		o, void := m.option, m.void
		if l.e.Op == expr.Ref && len(o) == 2 {
			if l.up.endOf() == o[0].rule.ID { // it goes on
				o, void = o[1:], void[1:]
			} else {
				w.events = append(w.events, event{begin: o[0].rule.kind})
			}
		}
		for i, f := range o {
			f.at = at
			next = w.link(f, void[i], next)
		}
		if to, state, ok := w.find(next, m.to, at); ok {
			return to, state, true
		}
		w.events = w.events[:before]
	}
	return nil, nil, false
}

// endOf returns the ID of the production whose node ends at l, "" if something else is to come before.
func (l *link) endOf() string {
	for l != nil && l.op == progress {
		l = l.up
	}
	if l == nil || l.op != end {
		return ""
	}
	return l.rule.ID
}
