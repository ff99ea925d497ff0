package lang

import (
	"math"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A pool holds languages over one fixed set of byte classes as the states of one growing automaton in which no two
// states are equal. A language is the number of its state. So comparing languages is comparing numbers, taking a
// derivative is a table lookup, and a boolean operation is done once for every pair of states that it ever meets.
//
// Without a pool, every guard of every step of a [PEG] would intersect whole automata and minimize the result.
type pool struct {
	k      int       // classes
	pages  [][]int32 // the rows, pageStates to a page
	accept []bool
	memo   map[operation]int32
	meter  *meter

	slots  []int32              // a hash table of the rows: a state plus one, or 0
	cycles map[cycleKey][]int32 // the components with a cycle, by a key that equal ones share
	member []int32              // by state: its component, -1 if it is on no cycle
	comps  []comp               // the components

	spare [][]int32 // memory of batches that were released, for others

	mark  []int32 // scratch of reachFew: the place of each state, if stamp is turn
	stamp []int32
	turn  int32
}

// pageStates is the number of rows in a page. A pool grows by pages, so that no row after the first page is copied.
const (
	pageBits   = 10
	pageStates = 1 << pageBits
)

// A comp is a strongly connected part of the pool's automaton with a cycle, and the hashes of its states: see
// fingerprint.
type comp struct {
	states []int32
	hash   []uint64
}

// A cycleKey is shared by components with the same languages: see fingerprint.
type cycleKey struct {
	size int
	hash uint64
}

// An operation is an operator applied to two languages: two bits for the operator, and 31 for each language. A pool
// looks up millions of them, and a number is hashed faster than a struct.
type operation uint64

// operands returns the languages of o.
func (o operation) operands() (a, b int32) {
	const mask = 1<<31 - 1
	return int32(o >> 31 & mask), int32(o & mask)
}

// An operator is a boolean operation on two languages.
type operator uint8

const (
	union operator = iota
	intersection
	difference
)

// holds reports whether a word is in the result, given whether it is in the operands.
func (o operator) holds(a, b bool) bool {
	switch o {
	case union:
		return a || b
	case intersection:
		return a && b
	}
	return a && !b
}

// The languages that every pool begins with.
const (
	none    int32 = iota // no word
	all                  // every word
	epsilon              // the empty word
)

// newPool returns a pool for words over the given number of classes of bytes, and k classes in all. It charges its
// work to m, except for the three languages that every pool has. Its operations take the language all to be every
// word over the classes of bytes. So only the operands of a union may have words with other classes.
func newPool(bytes, k int, m *meter) *pool {
	p := &pool{k: k, memo: map[operation]int32{}, cycles: map[cycleKey][]int32{}, slots: make([]int32, 64)}
	b := p.newBatch()
	for _, l := range []struct {
		to     int32
		accept bool
	}{{local(0), false}, {local(1), true}, {local(0), true}} {
		q := b.addState(l.accept)
		for c := range k {
			b.rowOfState(q)[c] = l.to
			if c >= bytes {
				b.rowOfState(q)[c] = local(0)
			}
		}
	}
	b.intern()
	p.meter = m
	return p
}

// rowOf returns the row of language l: its derivatives, by class.
func (p *pool) rowOf(l int32) []int32 {
	i := int(l&(pageStates-1)) * p.k
	return p.pages[l>>pageBits][i : i+p.k : i+p.k]
}

// dfa returns language l as a DFA. class has the class of each byte.
func (p *pool) dfa(l int32, class [256]uint8) *DFA {
	t := &table{class: class, k: p.k, budget: p.meter.sharedBudget()}
	t.next, t.accept = p.table(l)
	defer p.meter.release(int64(8 * len(t.next)))
	return t.number(0)
}

// table returns the automaton of language l: next[q*k+c] is the state that q leads to on class c, and accept tells
// whether a state accepts. The first state is the start. The caller releases eight bytes for each element of next.
func (p *pool) table(l int32) (next []int32, accept []bool) {
	order := p.reach(l)
	p.meter.step(4 * len(order) * p.k) // it is also numbered, and searched
	p.meter.chargeHeld(int64(8 * len(order) * p.k))
	next, accept = make([]int32, 0, len(order)*p.k), make([]bool, len(order))
	for i, q := range order {
		accept[i] = p.accept[q]
		for _, to := range p.rowOf(q) {
			next = append(next, p.mark[to])
		}
	}
	return next, accept
}

// reach lists the languages that l leads to, l first, and leaves the place of each in p.mark.
func (p *pool) reach(l int32) []int32 {
	order, _ := p.reachFew(l, math.MaxInt)
	return order
}

// reachFew is [pool.reach] with a limit: if l leads to more than most languages, it returns nil and false, and
// p.mark is of no use.
func (p *pool) reachFew(l int32, most int) (order []int32, ok bool) {
	if n := len(p.accept) - len(p.mark); n > 0 {
		p.mark = append(p.mark, make([]int32, n)...)
		p.stamp = append(p.stamp, make([]int32, n)...)
	}
	p.turn++
	order = []int32{l}
	p.mark[l], p.stamp[l] = 0, p.turn
	for i := 0; i < len(order); i++ {
		if len(order) > most {
			return nil, false
		}
		p.meter.step(p.k)
		for _, to := range p.rowOf(order[i]) {
			if p.stamp[to] != p.turn {
				p.stamp[to], p.mark[to] = p.turn, int32(len(order))
				order = append(order, to)
			}
		}
	}
	return order, true
}

// add returns the language of a. Its classes must not be finer than those of the pool; first has one byte of each of
// these.
func (p *pool) add(a *DFA, first []byte) int32 {
	b := p.newBatchFor(len(a.accept))
	b.distinct = true
	defer b.release()
	for q, accept := range a.accept {
		b.addState(accept)
		row := b.rowOfState(int32(q))
		for c, x := range first {
			row[c] = local(int32(a.Next(q, x)))
		}
	}
	return b.intern()[0]
}

// derive returns the words v such that cv is in l.
func (p *pool) derive(l int32, c int) int32 {
	return p.pages[l>>pageBits][int(l&(pageStates-1))*p.k+c]
}

// apply returns the language of a boolean operation on two languages: their product automaton, as far as it is not
// known. It remembers the result of each pair that it meets. Until the pairs have languages, p.memo holds their states
// in the batch, made by local; a limit that is passed meanwhile takes these out again.
func (p *pool) apply(op operator, a, b int32) int32 {
	if l, ok := trivialResult(op, a, b); ok {
		return l
	}
	whole := canonical(op, a, b)
	if l, ok := p.memo[whole]; ok {
		return l
	}
	todo := []operation{whole} // by state of the batch
	p.memo[whole] = local(0)
	batch := p.newBatch()
	finished := false
	defer func() {
		batch.release()
		if !finished {
			for _, o := range todo {
				delete(p.memo, o)
			}
		}
	}()
	for i := 0; i < len(todo); i++ {
		left, right := todo[i].operands()
		p.meter.step(p.k)
		q := batch.addState(op.holds(p.accept[left], p.accept[right]))
		row := batch.rowOfState(q)
		for c := range p.k {
			// The derivative of a boolean operation is the operation on the derivatives.
			a, b := p.derive(left, c), p.derive(right, c)
			to, ok := trivialResult(op, a, b)
			if !ok {
				o := canonical(op, a, b)
				if to, ok = p.memo[o]; !ok {
					to = local(int32(len(todo)))
					p.memo[o] = to
					todo = append(todo, o)
				}
			}
			row[c] = to
		}
	}
	p.meter.charge(int64(len(todo)) * memoBytes)
	for i, l := range batch.intern() {
		p.memo[todo[i]] = l
	}
	finished = true
	return p.memo[whole]
}

// trivialResult returns the result of an operation that needs no automaton.
func trivialResult(op operator, a, b int32) (l int32, ok bool) {
	switch op {
	case union:
		switch {
		case a == b || b == none || a == all:
			return a, true
		case a == none || b == all:
			return b, true
		}
	case intersection:
		switch {
		case a == b || a == none || b == all:
			return a, true
		case b == none || a == all:
			return b, true
		}
	case difference:
		switch {
		case a == b || a == none || b == all:
			return none, true
		case b == none:
			return a, true
		}
	}
	return 0, false
}

// canonical returns the operation with the operands of a commutative operator in ascending order.
func canonical(op operator, a, b int32) operation {
	if op != difference && a > b {
		a, b = b, a
	}
	return operation(op)<<62 | operation(a)<<31 | operation(b)
}

// A batch is an automaton whose states are to become states of the pool, new or old. An entry of a row is a language
// of the pool or, made by local, a state of the batch.
type batch struct {
	p      *pool
	next   []int32
	accept []bool

	// distinct promises that no two states of a component are equal, as those of a minimal automaton: then none have
	// to be merged.
	distinct bool

	result []int32
	place  []int32 // scratch of quotient: by state, its place in the component
	found  []int32 // scratch of simulate: by state, its language, or -1
	held   int64   // bytes
}

// memoBytes is the approximate size of an entry of a map.
const memoBytes = 48

// local returns the row entry for state q of the batch itself. stateOfLocal is its inverse.
func local(q int32) int32 { return -1 - q }

// stateOfLocal returns the state of the batch that a row entry from local stands for.
func stateOfLocal(entry int32) int32 { return -1 - entry }

// newBatch returns an empty batch, in the memory of one that was released if there is one.
func (p *pool) newBatch() *batch {
	b := &batch{p: p}
	if n := len(p.spare); n > 0 {
		b.next, p.spare = p.spare[n-1][:0], p.spare[:n-1]
	}
	return b
}

// newBatchFor is newBatch for at most n states, whose memory is allocated once.
func (p *pool) newBatchFor(n int) *batch {
	b := p.newBatch()
	b.next, b.accept = slices.Grow(b.next, n*p.k), make([]bool, 0, n)
	return b
}

// addState adds a state, and returns its number. The caller fills in its row.
func (b *batch) addState(accept bool) int32 {
	size := int64(4*b.p.k + 32)
	b.p.meter.chargeHeld(size)
	b.held += size
	b.accept = append(b.accept, accept)
	n := len(b.next)
	b.next = slices.Grow(b.next, b.p.k)[:n+b.p.k]
	clear(b.next[n:])
	return int32(len(b.accept) - 1)
}

// release gives the memory of the batch back to the budget, and its rows to the pool for another batch. The batch is
// of no use then.
func (b *batch) release() {
	b.p.meter.release(b.held)
	b.held = 0
	if b.next != nil {
		b.p.spare = append(b.p.spare, b.next)
		b.next = nil
	}
}

// rowOfState returns the row of the batch's state q, for the caller to fill in. It is valid until a state is added.
func (b *batch) rowOfState(q int32) []int32 { return b.next[int(q)*b.p.k : int(q+1)*b.p.k] }

// intern returns the language of every state of the batch. It takes the strongly connected components from the last
// to the first, so that the languages that one leads to are known, and looks up each component as a whole in the
// pool. It changes the rows of the batch.
func (b *batch) intern() []int32 {
	b.result = slices.Repeat([]int32{-1}, len(b.accept))
	b.place = make([]int32, len(b.accept))
	seen := make([]int32, len(b.accept)) // by state: the last one that it was listed for, plus one
	var states []int32
	expr.EachComponent(len(b.accept), func(q int) (next []int) {
		for _, to := range b.rowOfState(int32(q)) {
			if to < 0 && seen[stateOfLocal(to)] != int32(q)+1 {
				seen[stateOfLocal(to)] = int32(q) + 1
				next = append(next, int(stateOfLocal(to)))
			}
		}
		return next
	}, func(group []int) {
		states = states[:0]
		for _, q := range group {
			states = append(states, int32(q))
		}
		b.internComponent(states)
	})
	return b.result
}

// internComponent finds the languages of a strongly connected component, and enters them in b.result. Other than to
// itself, the component leads only to languages and to components that were done. Their languages take their place in
// its rows.
func (b *batch) internComponent(states []int32) {
	p := b.p
	cyclic := len(states) > 1
	for _, q := range states { // edges to components that were done now lead to languages
		for c, to := range b.rowOfState(q) {
			if to < 0 {
				if l := b.result[stateOfLocal(to)]; l >= 0 {
					b.rowOfState(q)[c] = l
				} else {
					cyclic = true
				}
			}
		}
	}
	if !cyclic {
		q := states[0]
		b.result[q] = p.rowState(b.rowOfState(q), b.accept[q])
		return
	}
	if b.insideExits(states) {
		return
	}
	small, of := b.quotient(states)
	defer small.release()
	languages := p.languagesOfCycle(small)
	for i, q := range states {
		b.result[q] = languages[of[i]]
	}
}

// insideExits reports whether the component's states equal states of a component that it leads to, and then enters
// their languages in b.result. That happens to a loop whose first rounds were unrolled.
func (b *batch) insideExits(states []int32) bool {
	p := b.p
	tried := map[int32]bool{}
	for _, q := range states {
		for _, l := range b.rowOfState(q) {
			if l < 0 || p.member[l] < 0 || tried[p.member[l]] {
				continue
			}
			tried[p.member[l]] = true
			for _, m := range p.comps[p.member[l]].states {
				if b.simulate(q, m, b.result) {
					return true
				}
			}
		}
	}
	return false
}

// simulate reports whether state q of the batch is language l, and then enters the languages of all states of q's
// component in of. Otherwise of stays as it is.
func (b *batch) simulate(q, l int32, of []int32) bool {
	p := b.p
	same := func(q, l int32) bool {
		if b.accept[q] != p.accept[l] {
			return false
		}
		for c, to := range b.rowOfState(q) {
			if to >= 0 && to != p.derive(l, c) {
				return false
			}
		}
		return true
	}
	if !same(q, l) {
		return false
	}
	// q is l if the states that the two lead to on the same words, within the component, agree in all that same
	// compares, and if no state would be two languages. found has each state's language on this supposition.
	if b.found == nil {
		b.found = slices.Repeat([]int32{-1}, len(b.accept))
	}
	met := []int32{q}
	b.found[q] = l
	defer func() {
		for _, q := range met {
			b.found[q] = -1
		}
	}()
	p.meter.step(p.k)
	for i := 0; i < len(met); i++ {
		q := met[i]
		l := b.found[q]
		for c, to := range b.rowOfState(q) {
			if to >= 0 {
				continue
			}
			r, m := stateOfLocal(to), p.derive(l, c)
			if old := b.found[r]; old >= 0 {
				if old != m {
					return false
				}
				continue
			}
			if !same(r, m) {
				return false
			}
			b.found[r] = m
			p.meter.step(p.k)
			met = append(met, r)
		}
	}
	for _, q := range met {
		of[q] = b.found[q]
	}
	return true
}

// quotient merges the equal states of a component. small holds the merged component, and of[i] is the state of small
// for states[i]. b stays as it is. The caller releases small.
func (b *batch) quotient(states []int32) (small *batch, of []int32) {
	for i, q := range states {
		b.place[q] = int32(i)
	}
	if b.distinct {
		of = make([]int32, len(states))
		for i := range states {
			of[i] = int32(i)
		}
	} else {
		of = b.equalStates(states)
	}
	small = b.p.newBatchFor(int(slices.Max(of)) + 1)
	for i, q := range states {
		if int(of[i]) < len(small.accept) { // it equals a state before it
			continue
		}
		row := small.rowOfState(small.addState(b.accept[q]))
		for c, to := range b.rowOfState(q) {
			if to < 0 {
				to = local(of[b.place[stateOfLocal(to)]])
			}
			row[c] = to
		}
	}
	return small, of
}

// equalStates numbers the states of a component, in their order, so that equal states have one number. None of them may
// equal a state of another component that this one leads to (see insideExits). Then two states differ if one byte leads
// from them to different languages, or from one to a language and from the other back into the component. b.place has
// the place of each state in the component.
func (b *batch) equalStates(states []int32) (number []int32) {
	k := b.p.k
	// The successors of a state outside the component are part of its kind from the start. The rest is a table with
	// one more state, where all edges that leave the component end.
	outside := int32(len(states))
	t := &table{k: k, next: make([]int32, 0, (len(states)+1)*k), accept: make([]bool, len(states)+1)}
	var kinds listIndex
	number = make([]int32, len(states)) // at first by kind
	var key []int32
	for i, q := range states {
		key = key[:0]
		if b.accept[q] {
			key = append(key, 1)
		}
		for _, to := range b.rowOfState(q) {
			if to < 0 {
				t.next = append(t.next, b.place[stateOfLocal(to)])
				key = append(key, -1)
			} else {
				t.next = append(t.next, outside)
				key = append(key, to)
			}
		}
		b.p.meter.step(k)
		number[i], _ = kinds.of(key)
	}
	if kinds.len() == len(states) {
		return number // no two are alike in what leads out of the component
	}
	for range k {
		t.next = append(t.next, outside)
	}
	// The kinds are split off in the order of their first states, so that the steps are the same in every run.
	byKind := make([][]int32, kinds.len())
	for i, kind := range number {
		byKind[kind] = append(byKind[kind], int32(i))
	}
	p := newPartition(len(states) + 1)
	for _, group := range byKind {
		for _, i := range group {
			p.mark(i)
		}
		p.split(nil)
	}
	t.refine(p, t.inverse(), p.block[outside], b.p.meter) // the kind of a state tells its edges to the outside
	numberOf := slices.Repeat([]int32{-1}, p.blocks())
	next := int32(0)
	for i := range states {
		block := p.block[i]
		if numberOf[block] < 0 {
			numberOf[block] = next
			next++
		}
		number[i] = numberOf[block]
	}
	return number
}

// rowState returns the language with this row, which it adds if it is new.
func (p *pool) rowState(row []int32, accept bool) int32 {
	p.meter.step(p.k)
	for i := rowHash(row, accept); ; i++ {
		l := p.slots[i&uint64(len(p.slots)-1)] - 1
		if l < 0 {
			return p.addState(row, accept, -1)
		}
		if p.accept[l] == accept && slices.Equal(p.rowOf(l), row) {
			return l
		}
	}
}

// rowHash returns the hash of a state by its row and whether it accepts.
func rowHash(row []int32, accept bool) uint64 {
	h := uint64(hashSeed)
	if accept {
		h++
	}
	for _, to := range row {
		h = hashStep(h, uint64(to))
	}
	return h
}

// bytesPerState is the approximate size of a state of the pool.
func (p *pool) bytesPerState() int64 { return int64(4*p.k + 24) }

// addState adds a state of the component member, and returns its language. For a state that is on no cycle member is
// -1, and addState charges its bytes. The caller that adds a component charges the bytes of all its states first: see
// [pool.languagesOfCycle].
func (p *pool) addState(row []int32, accept bool, member int32) int32 {
	if member < 0 {
		p.meter.charge(p.bytesPerState())
	}
	l := int32(len(p.accept))
	if l&(pageStates-1) == 0 {
		rows := pageStates
		if l == 0 {
			rows = 16 // many pools never have more, so the first page is copied as it grows
		}
		p.pages = append(p.pages, make([]int32, 0, rows*p.k))
	}
	last := &p.pages[len(p.pages)-1]
	*last = append(*last, row...)
	p.accept = append(p.accept, accept)
	p.member = append(p.member, member)
	if 2*len(p.accept) > len(p.slots) {
		p.slots = make([]int32, 2*len(p.slots))
		for l := range p.accept {
			p.enterSlot(int32(l))
		}
	} else {
		p.enterSlot(l)
	}
	return l
}

// enterSlot makes rowState find l.
func (p *pool) enterSlot(l int32) {
	i := rowHash(p.rowOf(l), p.accept[l])
	for p.slots[i&uint64(len(p.slots)-1)] != 0 {
		i++
	}
	p.slots[i&uint64(len(p.slots)-1)] = l + 1
}

// languagesOfCycle returns the languages of the states of a merged component. Either the pool already holds the whole
// component, or it is added, and the rows of b then lead to languages only.
func (p *pool) languagesOfCycle(b *batch) []int32 {
	hash, key := b.fingerprint()
	languages := make([]int32, len(b.accept))
	for _, id := range p.cycles[key] { // equal components have equal keys, but others may have the same key
		for i, l := range p.comps[id].states {
			if p.comps[id].hash[i] != hash[0] {
				continue
			}
			if b.simulate(0, l, languages) {
				return languages
			}
		}
	}
	p.meter.charge(int64(len(languages)) * (p.bytesPerState() + 16))
	id, base := int32(len(p.comps)), int32(len(p.accept))
	for q := range languages {
		languages[q] = base + int32(q)
		row := b.rowOfState(int32(q))
		for c, to := range row {
			if to < 0 {
				row[c] = base + stateOfLocal(to)
			}
		}
		p.addState(row, b.accept[q], id)
	}
	p.comps = append(p.comps, comp{languages, hash})
	p.cycles[key] = append(p.cycles[key], id)
	return languages
}

// fingerprint returns a hash of each state of a component, which depends only on the next few steps from it, and a key
// that components with the same languages share.
func (b *batch) fingerprint() (hash []uint64, key cycleKey) {
	// Most neighboring classes lead to the same state, and most lead out of the component. So a row is hashed once as
	// far as it leads out, and further rounds look only at the runs of classes that stay inside.
	type run struct {
		class uint64 // the first of the run
		to    int32
	}
	var inside []run
	n := len(b.accept)
	// by state: the hash of its edges to the outside, and the end of its runs
	outside, ends := make([]uint64, n), make([]int, n)
	b.p.meter.step(len(b.next))
	for q, accept := range b.accept {
		h := uint64(hashSeed)
		if accept {
			h++
		}
		row := b.rowOfState(int32(q))
		for c, to := range row {
			switch {
			case c > 0 && row[c-1] == to:
			case to < 0:
				inside = append(inside, run{uint64(c), stateOfLocal(to)})
			default:
				h = hashStep(h, uint64(c)<<32|uint64(to))
			}
		}
		outside[q], ends[q] = h, len(inside)
	}
	const rounds = 3
	hash = outside
	for range rounds {
		b.p.meter.step(len(inside))
		fresh := make([]uint64, n)
		from := 0
		for q, end := range ends {
			h := outside[q]
			for _, r := range inside[from:end] {
				h = hashStep(hashStep(h, r.class), ^hash[r.to])
			}
			fresh[q], from = h, end
		}
		hash = fresh
	}
	key.size = n
	for _, h := range hash {
		key.hash += h
	}
	return hash, key
}
