package regex

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// What an expression remembers of its groups: a backreference matches the text that a group has matched, and a
// condition asks whether a group has matched at all.
//
// A backreference is regular where its group has finitely many texts, as in (["']?)x\1. Then the state of a match is a
// place in the program and, for each group, which of its texts it has matched. The program is made for the group as a
// whole first; [compiler.unfold] then multiplies it by the texts, but only where a place can still come to a
// backreference (the usual analysis of live variables). A condition needs one bit.
//
// Engines differ in what becomes of a group in a repetition, or in a lookaround, once that is left: JavaScript forgets
// it, others keep it, some err. So a reference is read only where none of this matters: it stands after its group, and
// in the same innermost lookaround or atomic group, or in a lookahead inside of that. If a repetition encloses both,
// the group has matched in the same round on every way to the reference; if none encloses the group, it may also have
// been passed by, and then the row says whether the reference matches the empty string or nothing.

// maxTexts caps the texts of a group with a backreference, and maxSymbols the symbols of all of them.
const (
	maxTexts   = 1 << 10
	maxSymbols = 1 << 14
)

// notRegular is the usual reason for refusing a backreference.
const notRegular = "a backreference is not regular unless its group has finitely many texts"

// refer returns a backreference to a group by its number, and enters it in p.recalls. It begins at an offset and has
// been read to its end, so that the node gets its place here, and the flags of the moment. refer refuses a reference to
// a group that does not end before it. In some flavors it refuses all, or all where case is ignored.
func (p *parser) refer(at, group int) *node {
	n := &node{op: opRef, group: group, at: at, end: p.offset(), mode: p.flags}
	switch {
	case !p.d.has[remembers], p.d.has[crossFolds] && p.fold, p.foldsFully():
		p.refuse(at, "a backreference is not supported here")
	case !p.isClosed(group):
		p.refuse(at, "a backreference to a group that is not closed before it is not supported")
	}
	p.recalls = append(p.recalls, n)
	return n
}

// referNamed is refer for a group by its name, which it reads up to and past a mark. It fails if there is no mark, and
// refuses a name of no group so far or of several, and what refer does.
func (p *parser) referNamed(at int, mark string) *node {
	name := p.groupName(mark, "the backreference")
	switch len(p.namedIn[name]) {
	case 0:
		p.refuse(at, "a backreference to a group that is not closed before it is not supported")
	case 1: // the usual one
	default:
		p.refuse(at, "a backreference to two groups is not supported")
	}
	return p.refer(at, p.names[name])
}

// isClosed reports whether a group ends before the place that is read now.
func (p *parser) isClosed(group int) bool {
	return group > 0 && group <= len(p.groups) && p.groups[group-1] != nil
}

// groupPassed reads the condition that a group has matched, a number or a name, past its ")". ok is false if it is no
// such condition, or its group does not end before it; then group and the place of the parser mean nothing. It fails
// for a name that is not closed.
func (p *parser) groupPassed() (group int, ok bool) {
	named := func(mark string) int {
		name := p.until(mark, "the condition")
		if len(p.namedIn[name]) != 1 {
			return 0
		}
		return p.names[name]
	}
	v, n := p.number(10, 2)
	switch {
	case n > 0 && p.d.has[namesAlone] && p.hasNames: // which the engine does not count
	case n > 0:
		group = int(v)
	case p.d.has[bareConditions]:
		group = named(")")
		return group, p.isClosed(group)
	case p.next("<"):
		group = named(">")
	case p.next("'"):
		group = named("'")
	}
	return group, p.next(")") && p.isClosed(group)
}

// An enclosure is one step of the way from the root to a part: a node, and the index of the part below it.
type enclosure struct {
	n    *node
	part int
}

// mostSlots caps the groups that are remembered.
const mostSlots = 64

// checkRecalls refuses references and conditions beside the call of a group, those about more than mostSlots groups,
// those about a number that several groups have, and what checkRecall does. It gives each group that they are about a
// slot, and counts these in p.slots. It sets the texts and the ways of groups with references, and the sub of each
// reference. findWays and recalled may refuse a reference as well. Without references and conditions it does nothing.
func (p *parser) checkRecalls(root *node) {
	if len(p.recalls) == 0 {
		return
	}
	if len(p.calls) > 0 {
		p.refuse(p.recalls[0].at, "a backreference or a condition beside a call of a group is not supported")
	}
	ways := map[*node][]enclosure{} // the enclosures of groups, references and conditions, the outermost first
	groups := map[int][]*node{}
	var walk func(n *node, way []enclosure)
	walk = func(n *node, way []enclosure) {
		switch n.op {
		case opGroup:
			groups[n.group] = append(groups[n.group], n)
			ways[n] = slices.Clone(way)
		case opRef, opTest:
			ways[n] = slices.Clone(way)
		}
		for i, s := range n.sub {
			walk(s, append(way, enclosure{n, i}))
		}
	}
	walk(root, nil)
	for _, recall := range p.recalls {
		list := groups[recall.group]
		if len(list) != 1 || ways[recall] == nil {
			p.refuse(recall.at, "a backreference or a condition is not supported here")
		}
		g := list[0]
		p.checkRecall(recall, ways[recall], ways[g])
		if g.slot == 0 {
			if p.slots++; p.slots > mostSlots {
				p.refuse(recall.at, "backreferences and conditions about more than %d groups are not supported",
					mostSlots)
			}
			g.slot = p.slots
		}
		recall.slot = g.slot
	}
	// The ways record the end of every group with a slot, so all slots must be given first.
	for _, recall := range p.recalls {
		if recall.op != opRef {
			continue
		}
		g := groups[recall.group][0]
		if g.ways == nil {
			p.findWays(recall, g)
		}
		recall.sub = []*node{alt()}
		for _, t := range g.texts {
			recall.sub[0].sub = append(recall.sub[0].sub, p.recalled(recall, t))
		}
	}
}

// checkRecall refuses a reference or a condition unless every engine gives it the same meaning. around has the
// enclosures of recall, before those of its group, both with the outermost first. It refuses one that does not follow
// its group in a sequence around both, and any in a lookbehind. The group must not be in a lookaround, an atomic
// group or a repetition of more than one round that does not enclose both. If such a repetition encloses both, no
// round may pass the group by.
func (p *parser) checkRecall(recall *node, around, before []enclosure) {
	// The first enclosures that differ must be parts of one sequence, the group's before the reference's.
	common := 0
	for common < len(around) && common < len(before) && around[common] == before[common] {
		common++
	}
	if common == len(around) || common == len(before) || around[common].n != before[common].n ||
		around[common].n.op != opSeq || around[common].part < before[common].part {
		p.refuse(recall.at,
			"a backreference or a condition in its group, in another branch or before it is not supported")
	}
	if slices.ContainsFunc(around, func(e enclosure) bool { return e.n.op == opBehind }) {
		p.refuse(recall.at, "a backreference or a condition in a lookbehind is not supported")
	}
	// The enclosures that only the group has must neither hide it nor be passed by in a round of a common repetition.
	inLoop := slices.ContainsFunc(before[:common], func(e enclosure) bool { return e.n.op == opRepeat && e.n.max != 1 })
	for _, e := range before[common+1:] {
		switch e.n.op {
		case opAhead, opBehind, opAtomic:
			p.refuse(recall.at,
				"a backreference or a condition about a group in a lookaround or an atomic group is not supported")
		case opRepeat:
			if e.n.max != 1 {
				p.refuse(recall.at, "a backreference or a condition about a group in a repetition is not supported")
			}
			fallthrough
		case opAlt, opTest:
			if inLoop {
				p.refuse(recall.at,
					"a backreference or a condition about a group that a round may pass by is not supported")
			}
		}
	}
}

// recalled returns a node that matches a text of a group as the reference ref does; if case is ignored there, it also
// matches the text in other cases. It refuses a character that has several cases, one of them beyond ASCII. The flags
// at the reference hold meanwhile, and those of the moment afterwards.
func (p *parser) recalled(ref *node, text []rune) *node {
	outer := p.flags
	p.flags = ref.mode
	defer func() { p.flags = outer }()
	n := seq()
	for _, c := range text {
		same := p.folded(of(c, c))
		if last := same[len(same)-1]; len(same) > 1 && last.Hi >= utf8.RuneSelf {
			p.refuse(ref.at, "a backreference that ignores the case of %q is not supported", c)
		}
		n.sub = append(n.sub, one(same))
	}
	n.place(ref.at, ref.end)
	return n
}

// A step of a way through a group reads a symbol. If ends is set, it reads nothing instead: it is the end of that
// group, which is remembered and has read length symbols.
type step struct {
	symbol rune
	ends   *node
	length int
}

// findWays appends to g.ways the ways through a group, and to g.texts its texts, both in the order in which the
// engine tries them and without duplicates. It must be called once for a group. It refuses the reference if there are
// none or too many, when they may be appended already, and where waysThrough does.
func (p *parser) findWays(ref, g *node) {
	seenText, seenWay, symbols := map[string]bool{}, map[string]bool{}, 0
	for _, way := range p.waysThrough(ref, g.sub[0]) {
		text := textOf(way)
		if key := string(text); !seenText[key] {
			seenText[key] = true
			g.texts = append(g.texts, text)
		}
		if key := fmt.Sprint(way); !seenWay[key] {
			seenWay[key] = true
			g.ways = append(g.ways, way)
			symbols += len(text)
		}
	}
	if len(g.ways) == 0 {
		p.refuse(ref.at, "a backreference to a group that matches nothing is not supported")
	}
	if symbols > maxSymbols {
		p.refuse(ref.at, notRegular+", of which at most %d symbols are followed", maxSymbols)
	}
}

// textOf returns the symbols of a way.
func textOf(way []step) (text []rune) {
	for _, s := range way {
		if s.ends == nil {
			text = append(text, s.symbol)
		}
	}
	return text
}

// waysThrough returns the ways through a part of a group, in the order in which an engine tries them. It
// refuses ref if there are too many, as through a repetition without a limit, or if they depend on the text
// around them, and so for every part that is a reference, a call, a condition, an atomic group or a lookaround.
func (p *parser) waysThrough(ref, n *node) (ways [][]step) {
	add := func(list ...[]step) {
		ways = append(ways, list...)
		if len(ways) > maxTexts {
			p.refuse(ref.at, notRegular+", of which at most %d are followed", maxTexts)
		}
	}
	switch n.op {
	case opEmpty:
		return [][]step{nil} // one way, without steps
	case opSet:
		for _, r := range n.set { // a large one passes maxTexts soon
			for c := r.Lo; c <= r.Hi; c++ {
				add([]step{{symbol: c}})
			}
		}
	case opSeq:
		ways = [][]step{nil}
		for _, s := range n.sub {
			ways = p.follow(ref, ways, p.waysThrough(ref, s))
		}
	case opAlt:
		if n.anchor != 0 { // a ^ or $ that is made of lookarounds
			p.refuse(ref.at, notRegular)
		}
		for _, s := range n.sub {
			add(p.waysThrough(ref, s)...)
		}
	case opGroup:
		inner := p.waysThrough(ref, n.sub[0])
		if n.slot == 0 {
			return inner
		}
		// The group is remembered itself, so its end is a step.
		for _, way := range inner {
			add(append(slices.Clone(way), step{ends: n, length: len(textOf(way))}))
		}
	case opRepeat:
		if n.max < 0 || n.max > maxTexts {
			p.refuse(ref.at, notRegular)
		}
		return p.waysThroughRounds(ref, n, p.waysThrough(ref, n.sub[0]))
	default:
		p.refuse(ref.at, notRegular+", and there is no lookaround or reference in it")
	}
	return ways
}

// follow returns each way of first followed by each of rest. It refuses ref if there are too many.
func (p *parser) follow(ref *node, first, rest [][]step) (both [][]step) {
	if len(first)*len(rest) > maxTexts {
		p.refuse(ref.at, notRegular+", of which at most %d are followed", maxTexts)
	}
	for _, a := range first {
		for _, b := range rest {
			both = append(both, slices.Concat(a, b))
		}
	}
	return both
}

// waysThroughRounds returns the ways through the repetition n, in the order in which the engine tries them: the
// shortest first if n is lazy. n must have a largest number of rounds; round has the ways through one round. It refuses
// ref if there are too many.
func (p *parser) waysThroughRounds(ref, n *node, round [][]step) [][]step {
	ways := [][]step{nil}
	for range n.max - n.min { // built from the last optional round back: another round, or the end
		another := p.follow(ref, round, ways)
		if n.lazy {
			ways = append([][]step{nil}, another...)
		} else {
			ways = append(another, nil)
		}
	}
	for range n.min {
		ways = p.follow(ref, round, ways)
	}
	return ways
}

// A store is the memory at a place of the program, by slot: 0 for a group that has not matched, else the number of its
// text plus one.
type store [mostSlots]int32

// groupNode compiles a group with a slot, with next after it, and returns its first instruction. If a reference asks
// for its text, each way through it is compiled separately, with a mark at its end.
func (c *compiler) groupNode(n *node, next int32) int32 {
	if n.ways == nil {
		return c.compileNode(n.sub[0], c.mark(n, nil, next))
	}
	start := int32(-1)
	for _, way := range slices.Backward(n.ways) {
		text := textOf(way)
		at := c.mark(n, text, next)
		for _, s := range slices.Backward(way) {
			if s.ends != nil {
				at = c.mark(s.ends, text[len(text)-s.length:], at)
				continue
			}
			at = c.emit(n, inst{op: iSet, x: at, arg: c.internSet(of(s.symbol, s.symbol))})
			text = text[:len(text)-1]
		}
		if start < 0 {
			start = at
		} else {
			start = c.emit(n, inst{op: iSplit, x: at, y: start})
		}
	}
	return start
}

// mark emits the instruction that a group with a slot has matched a text, which leads to next; if no reference asks for
// the text, only that it has matched.
func (c *compiler) mark(group *node, text []rune, next int32) int32 {
	value := 1
	if group.ways != nil {
		value += slices.IndexFunc(group.texts, func(t []rune) bool { return slices.Equal(t, text) })
	}
	return c.emit(group, inst{op: iMark, x: next, arg: int32(group.slot - 1), y: int32(value)})
}

// refNode compiles a reference, with next after it, and returns its instruction. The texts that it may match are
// appended to c.texts, as one entry.
func (c *compiler) refNode(n *node, next int32) int32 {
	var texts [][]int32
	for _, text := range n.sub[0].sub {
		var sets []int32
		for _, s := range text.sub {
			sets = append(sets, c.internSet(s.set))
		}
		texts = append(texts, sets)
	}
	c.texts = append(c.texts, texts)
	return c.emit(n, inst{op: iRef, x: next, arg: int32(n.slot - 1), y: int32(len(c.texts) - 1)})
}

// forget compiles the end of a round of the repetition n: the groups in it are forgotten, so that all rounds begin
// alike. It returns the first instruction, which is next if there are no such groups.
func (c *compiler) forget(n *node, next int32) int32 {
	n.walk(func(s *node) {
		if s.op == opGroup && s.slot > 0 {
			next = c.emit(n, inst{op: iMark, x: next, arg: int32(s.slot - 1)})
		}
	})
	return next
}

// unfold multiplies the program by the stores, so that no iMark, iRef or iTest is left. The program, the lookarounds
// and the lazy loops of c are replaced, and c.inside[0] has the new lookbehinds. It returns the instruction at which
// the new program begins. If no group is remembered it changes nothing, and returns start.
func (c *compiler) unfold(start int32) int32 {
	if c.r.slots == 0 {
		return start
	}
	u := &unfolding{
		compiler: c,
		old:      c.prog,
		oldLooks: c.looks,
		oldLazy:  c.lazy,
		at:       map[placeOf]int32{},
		lookAt:   map[placeOf]int32{},
		behinds:  map[int32]int32{},
	}
	u.live = u.findLive()
	c.prog, c.looks, c.lazy = nil, nil, map[int32]bool{}
	for l, look := range u.oldLooks {
		if look.behind { // no reference stands in a lookbehind, so it does not depend on a store
			u.behinds[int32(l)] = u.look(int32(l), store{})
		}
	}
	for i, l := range c.inside[0] {
		c.inside[0][i] = u.behinds[l]
	}
	from := u.enter(start, store{})
	for len(u.todo) > 0 {
		next := u.todo[len(u.todo)-1]
		u.todo = u.todo[:len(u.todo)-1]
		to := u.enter(next.pc, next.store)
		switch {
		case next.fromLook:
			c.looks[next.from].start = to
		case next.asY:
			c.prog[next.from].y = to
		default:
			c.prog[next.from].x = to
		}
	}
	return from
}

// An unfolding is the state of [compiler.unfold]. The compiler inside it holds the new program.
type unfolding struct {
	*compiler
	old      []inst
	oldLooks []look
	oldLazy  map[int32]bool
	live     []uint64          // by old instruction, the set of slots that may still be read
	at       map[placeOf]int32 // new instructions
	lookAt   map[placeOf]int32 // new lookarounds
	behinds  map[int32]int32   // new lookbehinds
	todo     []successor
}

// A placeOf is an old instruction or lookaround, together with the store there.
type placeOf struct {
	pc    int32
	store store
}

// A successor is work to do: an instruction or a lookaround of the new program has to lead on, to the new instruction
// for the old one at pc with the store.
type successor struct {
	from     int32 // the number of the instruction or of the lookaround
	fromLook bool  // it is a lookaround, whose start is to be set
	asY      bool  // it is an instruction, whose y is to be set, and not its x
	pc       int32
	store    store
}

// findLive returns, for each instruction, the slots that some way from there reads before it sets them. It is the usual
// fixed point of live variables.
func (u *unfolding) findLive() []uint64 {
	live := make([]uint64, len(u.old))
	for changed := true; changed; {
		changed = false
		for pc, in := range u.old {
			slot, asks := uint64(1)<<(in.arg&(mostSlots-1)), uint64(0)
			switch u.budget.Step(1); in.op {
			case iSet:
				asks = live[in.x]
			case iSplit, iLoop, iAtomic:
				asks = live[in.x] | live[in.y]
			case iLook:
				asks = live[in.x] | live[u.oldLooks[in.arg].start]
			case iMark:
				asks = live[in.x] &^ slot
			case iRef:
				asks = live[in.x] | slot
			case iTest:
				asks = live[in.x] | live[in.y] | slot
			}
			if asks != live[pc] {
				live[pc], changed = asks, true
			}
		}
	}
	return live
}

// kept returns s without the slots that are not live at an old instruction.
func (u *unfolding) kept(pc int32, s store) store {
	for slot := range u.r.slots {
		if u.live[pc]>>slot&1 == 0 {
			s[slot] = 0
		}
	}
	return s
}

// enter returns the new instruction for an old one with a store. Marks, tests and empty references are carried out
// first, since they only change the store or choose a way: the result stands for the first other instruction. The
// slots that nothing reads any more are cleared then. The result is taken from u.at if it is there. Otherwise it is
// made and entered there, and its successors are put on u.todo; those of a reference are left to readText.
func (u *unfolding) enter(pc int32, s store) int32 {
	for {
		in := u.old[pc]
		switch u.budget.Step(2); in.op {
		case iMark:
			s[in.arg], pc = in.y, in.x
			continue
		case iTest:
			pc = in.x
			if s[in.arg] == 0 {
				pc = in.y
			}
			continue
		case iRef:
			text := s[in.arg]
			isEmpty := text == 0 && u.r.dialect.has[unsetIsEmpty] || text > 0 && len(u.texts[in.y][text-1]) == 0
			if isEmpty {
				pc = in.x
				continue
			}
		}
		break
	}
	s = u.kept(pc, s)
	key := placeOf{pc, s}
	if at, known := u.at[key]; known {
		return at
	}
	in := u.old[pc]
	if in.op == iRef {
		u.at[key] = u.readText(in, s)
		return u.at[key]
	}
	// The copy leads to old instructions until its successors on u.todo are made.
	if in.op == iLook {
		in.arg = u.look(in.arg, s)
	}
	at := u.emit(u.r.root, in)
	u.at[key] = at
	if u.oldLazy[pc] {
		u.lazy[at] = true
	}
	switch in.op {
	case iSplit, iLoop, iAtomic:
		u.todo = append(u.todo,
			successor{from: at, pc: in.x, store: s}, successor{from: at, asY: true, pc: in.y, store: s})
	case iSet, iLook:
		u.todo = append(u.todo, successor{from: at, pc: in.x, store: s})
	}
	return at
}

// readText emits instructions that read the text that the reference in asks for under the store s, and returns the
// first. What follows them is put on u.todo. The reference is an iRef: its arg is the slot of the group in the store,
// and its y the number of the group's texts in u.texts. If the group is not set the one instruction fails, and
// nothing follows it. u.enter has passed over the references that read nothing: those to an empty text and, where
// that matches, as in JavaScript, those to a group that is not set.
func (u *unfolding) readText(in inst, s store) int32 {
	texts, text := u.texts[in.y], s[in.arg] // text counts from 1; 0 for a group that has not matched
	if text == 0 {
		return u.emit(u.r.root, inst{op: iSet, arg: u.internSet(nil)}) // reads nothing, so the reference fails
	}
	sets := texts[text-1]
	first := int32(len(u.prog))
	for i, set := range sets {
		u.emit(u.r.root, inst{op: iSet, x: first + int32(i) + 1, arg: set})
	}
	u.todo = append(u.todo, successor{from: int32(len(u.prog) - 1), pc: in.x, store: s})
	return first
}

// look returns the new lookaround for an old one. A lookbehind that is in u.behinds is that one, whatever the store,
// and any other lookaround is a new one for each store of the slots that it reads. u.behinds must have the lookbehinds
// inside of it. The instruction that a new one begins at is put on u.todo.
func (u *unfolding) look(l int32, s store) int32 {
	old := u.oldLooks[l]
	if at, known := u.behinds[l]; known {
		return at
	}
	s = u.kept(old.start, s)
	key := placeOf{l, s}
	at, known := u.lookAt[key]
	if !known {
		at = int32(len(u.looks))
		u.lookAt[key] = at
		scope := make([]int32, len(old.scope))
		for i, b := range old.scope {
			scope[i] = u.behinds[b]
		}
		u.looks = append(u.looks, look{behind: old.behind, scope: scope})
		u.todo = append(u.todo, successor{from: at, fromLook: true, pc: old.start, store: s})
	}
	return at
}
