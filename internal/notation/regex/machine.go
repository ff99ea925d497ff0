package regex

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A machine computes which strings of symbols a program matches. It runs all matches at once, symbol by
// symbol, each of them a thread. A lookahead asks about the text that is left to read, the rest. So a thread
// has a guard, the language that the rest must be in. A lookbehind is decided when its end is reached: its
// own threads run along, in a context. Its answer is a language of rests as well, because a lookahead may
// stand in it.
//
// An atomic group keeps its threads in their order, in a frame. A thread that comes to the end of the group
// goes on after it under the guard that no thread before it will come to the end, and takes its guard from
// all that follow it.
//
// In this package a guard g is a language of the rest, and none is the empty one.
type machine struct {
	budget     *budget.Budget
	langs      *lang.Languages
	classCount int // classes of symbols

	prog      []inst
	lazy      map[int32]bool
	classesIn [][]bool // for each set, the classes in it
	looks     []look

	frames  []frame // thread pc len(prog)+i is frame i
	ctxs    []context
	behinds []running // the states of lookbehinds that were met
	// The numbers of contexts, frames and states of lookbehinds, by a key that begins with the kind.
	ids map[string]int32
	// Sets of loops, each as the number of a smaller set and one loop more; numbers are one more than the index.
	loops    expr.Numbering[[2]int32]
	steps    map[[2]int32]int32    // the context after another, by it and the class of the symbol between
	closures map[[2]int32][]thread // the closures, by instruction and context
	states   map[string]int32      // the languages of the states of explore, by a key
}

const (
	none    = int32(0) // numbers that lang.Languages gives: the empty language
	all     = int32(1)
	epsilon = int32(2)
)

// A thread is a match in progress: an instruction that reads or ends, or a frame, and the guard that the rest of the
// input must be in.
type thread struct{ pc, guard int32 }

// A frame is an atomic group in progress: its threads, the preferred first, and the instruction after the group.
type frame struct {
	list []thread
	next int32
}

// A context sums up the input that was read: the states of the lookbehinds in scope. In the methods of a machine, ctx
// is the number of one, and pc that of an instruction or a frame.
type context struct {
	scope []int32
	at    []int32 // for each, a number in machine.behinds
}

// A running is the state of a lookbehind: its threads, and the language of the rests for which it matches what was read
// so far.
type running struct {
	list  []thread
	match int32
}

// intern returns the number of the value with this key; the first byte of the key tells the kinds of values apart. A
// new value is added by add, which returns its number, and the memory for it is counted with that of the languages.
func (m *machine) intern(key []byte, add func() int) int32 {
	id, ok := m.ids[string(key)]
	if !ok {
		id = int32(add())
		m.ids[string(key)] = id
		m.langs.Take(int64(4 * len(key)))
	}
	return id
}

// frame returns the number that a thread in an atomic group has in place of an instruction: it stands for these threads
// in the group, the preferred first, with next after the group.
func (m *machine) frame(list []thread, next int32) int32 {
	key := appendThreads(binary.AppendVarint([]byte{'f'}, int64(next)), list)
	return int32(len(m.prog)) + m.intern(key, func() int {
		m.frames = append(m.frames, frame{slices.Clone(list), next})
		return len(m.frames) - 1
	})
}

// context returns the number of the context with this scope, in which the lookbehinds are in the states at. It adds the
// context if it is new, with copies of both slices, which must have the same length.
func (m *machine) context(scope, at []int32) int32 {
	key := []byte{'c'}
	for i := range scope {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(scope[i])), int64(at[i]))
	}
	return m.intern(key, func() int {
		m.ctxs = append(m.ctxs, context{slices.Clone(scope), slices.Clone(at)})
		return len(m.ctxs) - 1
	})
}

// appendThreads appends to key the instructions and guards of a list.
func appendThreads(key []byte, list []thread) []byte {
	for _, t := range list {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(t.pc)), int64(t.guard))
	}
	return key
}

// narrow returns the context for a smaller scope, which must be a part of ctx's.
func (m *machine) narrow(ctx int32, scope []int32) int32 {
	c := m.ctxs[ctx]
	if len(c.scope) == len(scope) {
		return ctx
	}
	at := make([]int32, len(scope))
	for i, l := range scope {
		at[i] = c.at[slices.Index(c.scope, l)]
	}
	return m.context(scope, at)
}

// begin returns the context at the beginning of the input.
func (m *machine) begin(scope []int32) int32 {
	var at []int32
	for i, l := range scope {
		at = append(at, m.behind(l, nil, m.context(scope[:i], at)))
	}
	return m.context(scope, at)
}

// behind returns the number of the state that lookbehind l has with these threads; another one begins here, and
// list may be overwritten. ctx must know the lookbehinds before l in its scope.
func (m *machine) behind(l int32, list []thread, ctx int32) int32 {
	list, match := m.collect(append(list, thread{m.looks[l].start, all}), m.narrow(ctx, m.looks[l].scope))
	key := appendThreads(binary.AppendVarint([]byte{'b'}, int64(match)), list)
	return m.intern(key, func() int {
		m.behinds = append(m.behinds, running{list, match})
		return len(m.behinds) - 1
	})
}

// step returns the context after a symbol of class x. The lookbehinds are ordered: each comes after those
// inside of it.
func (m *machine) step(ctx int32, x int) int32 {
	if next, ok := m.steps[[2]int32{ctx, int32(x)}]; ok {
		return next
	}
	c := m.ctxs[ctx]
	var at []int32
	for i, l := range c.scope {
		now := m.context(c.scope[:i], at)
		inner := m.narrow(now, m.looks[l].scope)
		at = append(at, m.behind(l, m.read(m.behinds[c.at[i]].list, x, inner), now))
	}
	next := m.context(c.scope, at)
	m.steps[[2]int32{ctx, int32(x)}] = next
	return next
}

// read returns the threads after a symbol of class x; ctx is the context after it. A thread stands where it arrives,
// without a closure, except inside frames. Threads that do not go on with the symbol are left out.
func (m *machine) read(list []thread, x int, ctx int32) (out []thread) {
	for _, t := range list {
		m.budget.Step(1)
		if g := m.langs.Derive(t.guard, x); g == none {
			continue
		} else if i := int(t.pc) - len(m.prog); i >= 0 {
			c := m.closer(ctx, true)
			for _, s := range m.read(m.frames[i].list, x, ctx) {
				c.add(s.pc, s.guard, 0)
			}
			// The closure that takes the frame up settles it, under its guard.
			if len(c.list) > 0 {
				out = append(out, thread{m.frame(c.list, m.frames[i].next), g})
			}
		} else if in := m.prog[t.pc]; in.op == iSet && m.classesIn[in.arg][x] {
			out = append(out, thread{in.x, g})
		}
	}
	return out
}

// collect returns the closure of a list of threads, sorted by instruction and with one guard for each. Threads whose
// guard would be none are left out. So are those at iMatch: match is the union of their guards, none if there are no
// such threads.
func (m *machine) collect(list []thread, ctx int32) (out []thread, match int32) {
	at := map[int32]int{}
	for _, t := range list {
		for _, s := range m.closure(t.pc, ctx) {
			m.budget.Step(2)
			g := m.langs.Intersect(s.guard, t.guard)
			if g == none {
				continue
			}
			if int(s.pc) < len(m.prog) && m.prog[s.pc].op == iMatch {
				match = m.langs.Union(match, g)
			} else if i, ok := at[s.pc]; ok {
				out[i].guard = m.langs.Union(out[i].guard, g)
			} else {
				at[s.pc] = len(out)
				out = append(out, thread{s.pc, g})
			}
		}
	}
	slices.SortFunc(out, func(a, b thread) int { return cmp.Compare(a.pc, b.pc) })
	return out, match
}

// closure returns the threads that an instruction leads to without reading, in a context, for every rest of the input.
// They are unordered, and must not be changed.
func (m *machine) closure(pc, ctx int32) []thread {
	key := [2]int32{pc, ctx}
	list, ok := m.closures[key]
	if !ok {
		c := m.closer(ctx, false)
		c.add(pc, all, 0)
		list = c.list
		m.closures[key] = list
		m.langs.Take(int64(16 * len(list)))
	}
	return list
}

// A closer collects the threads that can be entered without reading, in a context.
type closer struct {
	*machine
	ctx     int32
	ordered bool
	list    []thread
	at      map[int32]int   // the index in list of the thread at an instruction, the last one in an ordered list
	emitted map[int32]int32 // the union of the guards of all threads at an instruction
	// The union of the guards under which an instruction was entered, by it and, if ordered, the loops on the way.
	seen map[[2]int32]int32
}

// closer returns an empty closer. An ordered one keeps the threads in their order of preference, for an atomic group.
func (m *machine) closer(ctx int32, ordered bool) *closer {
	return &closer{
		machine: m, ctx: ctx, ordered: ordered,
		at: map[int32]int{}, emitted: map[int32]int32{}, seen: map[[2]int32]int32{},
	}
}

// add emits the threads that an instruction leads to without reading, under the guard g, which lookarounds narrow. An
// instruction that was entered before is entered again only for rests that are new.
//
// loops is a number of machine.loops: the loops that were entered since the last symbol. A loop that is among them can
// only be left.
func (c *closer) add(pc, g, loops int32) {
	c.budget.Step(4)
	if int(pc) >= len(c.prog) {
		f := c.frames[int(pc)-len(c.prog)]
		c.settle(f.list, f.next, g, loops)
		return
	}
	key := [2]int32{pc, loops}
	if !c.ordered {
		key[1] = 0
	}
	before := c.seen[key]
	g = c.langs.Minus(g, before)
	if g == none {
		return
	}
	c.seen[key] = c.langs.Union(before, g)
	switch in := c.prog[pc]; in.op {
	case iSet, iMatch:
		c.emit(pc, g)
	case iSplit:
		c.add(in.x, g, loops)
		c.add(in.y, g, loops)
	case iLoop:
		lazy := c.lazy[pc]
		body, out := in.x, in.y
		if lazy { // x is preferred
			body, out = in.y, in.x
		}
		again := c.loop(loops, pc) // the loops, now with this one
		switch {
		case again == loops: // nothing was read since it was entered
			c.add(out, g, loops)
		case lazy:
			c.add(out, g, loops)
			c.add(body, g, again)
		default:
			c.add(body, g, again)
			c.add(out, g, loops)
		}
	case iLook: // its answer is a language of the rest, which narrows the guard
		l := c.look(in.arg, c.ctx)
		if in.y == 0 {
			g = c.langs.Intersect(g, l)
		} else {
			g = c.langs.Minus(g, l)
		}
		c.add(in.x, g, loops)
	case iAtomic:
		inner := c.closer(c.ctx, true)
		inner.add(in.x, all, 0) // 0: no loop around the group is met inside it
		c.settle(inner.list, in.y, g, loops)
	}
}

// emit adds a thread to the list, for the rests that the list does not have it for yet. In an ordered list only the
// last thread is extended; for an earlier one another is appended, so that the order of preference stays.
func (c *closer) emit(pc, g int32) {
	before := c.emitted[pc]
	g = c.langs.Minus(g, before)
	if g == none {
		return
	}
	c.emitted[pc] = c.langs.Union(before, g)
	if i, ok := c.at[pc]; ok && (!c.ordered || i == len(c.list)-1) {
		c.list[i].guard = c.langs.Union(c.list[i].guard, g)
		return
	}
	c.at[pc] = len(c.list)
	c.list = append(c.list, thread{pc, g})
}

// settle enters an atomic group with a list of its threads, the preferred first, under the guard g. Threads that have
// not ended go into a frame, which is emitted. A thread that has ended continues at next, for the rests that no
// preferred thread matches. loops is as in add.
func (c *closer) settle(list []thread, next, g, loops int32) {
	var kept []thread
	ended := none // the rests for which the group has ended here
	var ends []int32
	for _, t := range list {
		t.guard = c.langs.Minus(t.guard, ended)
		if t.guard == none {
			continue
		}
		if int(t.pc) < len(c.prog) && c.prog[t.pc].op == iMatch {
			ends = append(ends, c.langs.Minus(t.guard, c.matches(kept, c.ctx)))
			ended = c.langs.Union(ended, t.guard)
		} else {
			kept = append(kept, t)
		}
	}
	// The continuations and the frame exclude each other, so their order does not matter.
	if len(kept) > 0 {
		c.emit(c.frame(kept, next), g)
	}
	for _, e := range ends {
		c.add(next, c.langs.Intersect(g, e), loops)
	}
}

// loop returns the number of a set of loops with pc added; loops itself if that has pc. 0 is the empty set. Others can
// have several numbers, one for each order in which their loops were added.
func (m *machine) loop(loops, pc int32) int32 {
	for l := loops; l != 0; {
		key := m.loops.List[l-1]
		if key[1] == pc {
			return loops
		}
		l = key[0]
	}
	id, _ := m.loops.Of([2]int32{loops, pc})
	return int32(id) + 1
}

// look returns the rests for which lookaround l matches in a context. It is not its concern whether l is
// negated where it is used.
func (m *machine) look(l, ctx int32) int32 {
	if m.looks[l].behind {
		c := m.ctxs[ctx]
		return m.behinds[c.at[slices.Index(c.scope, l)]].match
	}
	return m.explore(m.narrow(ctx, m.looks[l].scope), -1, false, []thread{{m.looks[l].start, all}})
}

// matches returns the rests for which one of the threads in an atomic group comes to its end, whatever
// follows the group.
func (m *machine) matches(list []thread, ctx int32) int32 {
	if len(list) == 0 {
		return none
	}
	return m.explore(ctx, -1, false, list)
}

// A state of [machine.explore] is all that decides how the rest of the input is read.
type state struct {
	ctx  int32
	done int32 // the rests for which there is a match already
	list []thread
}

// explore returns the language of the rests for which one of the threads comes to its end after a part of the rest,
// whatever follows, or, with full, after all of it. If again is not -1, another thread begins there, at first and after
// each symbol. It may append to list in place. This is a subset construction. Its states are interned as languages once
// all are known. States that an earlier call has explored are not explored again.
func (m *machine) explore(ctx, again int32, full bool, list []thread) int32 {
	var todo []state
	var accept []bool           // by place in todo
	var next []int32            // by place in todo and class: the language after a symbol of it
	var keys []string           // by place in todo: the key in m.states
	local := map[string]int32{} // by key: the place in todo
	var key []byte
	// enter returns the language of a state. If that is not interned yet, it is lang.Local of its place in todo, which
	// enter appends it to. done has the rests for which a thread has ended already; a thread counts only for the
	// others, so its guard loses those.
	enter := func(ctx, done int32, list []thread) int32 {
		if again >= 0 {
			list = append(list, thread{again, all})
		}
		list, match := m.collect(list, ctx)
		if full {
			match = m.langs.Intersect(match, epsilon)
		}
		done = m.langs.Union(done, match)
		if done == all {
			return all
		}
		kept := list[:0]
		for _, t := range list {
			t.guard = m.langs.Minus(t.guard, done)
			if t.guard != none {
				kept = append(kept, t)
			}
		}
		if len(kept) == 0 && again < 0 { // no thread is left that could end later
			return done
		}
		key = append(key[:0], 0)
		if full {
			key[0] = 1
		}
		key = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(key, int64(ctx)), int64(again)), int64(done))
		key = appendThreads(key, kept)
		if l, ok := m.states[string(key)]; ok {
			return l
		}
		i, ok := local[string(key)]
		if !ok {
			i = int32(len(todo))
			m.budget.State(len(todo), maxStates)
			m.langs.Take(int64(8*m.classCount + 4*len(key)))
			keys = append(keys, string(key))
			local[keys[i]] = i
			todo = append(todo, state{ctx, done, slices.Clone(kept)})
		}
		return lang.Local(i)
	}
	first := enter(ctx, none, list)
	for i := 0; i < len(todo); i++ {
		s := todo[i]
		todo[i].list = nil
		accept = append(accept, m.langs.Accepts(s.done))
		for x := range m.classCount {
			after := m.step(s.ctx, x)
			next = append(next, enter(after, m.langs.Derive(s.done, x), m.read(s.list, x, after)))
		}
	}
	if len(todo) == 0 { // otherwise first is the state in todo[0]
		return first
	}
	for i, l := range m.langs.Intern(accept, next) {
		m.states[keys[i]] = l
	}
	return m.states[keys[0]]
}

// maxStates caps the states of an expression's automaton before it is minimized, unless the budget has its own limit.
const maxStates = 1 << 16
