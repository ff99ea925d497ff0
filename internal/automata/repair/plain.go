package repair

import (
	"container/heap"
	"slices"
)

// An Automaton is a deterministic automaton over bytes whose state 0 is the start, as package lang has it.
type Automaton interface {
	States() int
	Next(q int, x byte) int
	Accepts(q int) bool
	Live(q int) bool

	Classes() int
	ClassOf(x byte) int
	NextClass(q, c int) int
	Readable(c int) byte // the byte of a class that is shown for it
}

// maxPlain caps the table of [NearestPlain]: the states, times the bytes of the string.
const maxPlain = 1 << 24

// NearestPlain returns the edits that make of s the nearest string that a accepts: the one with the fewest bytes
// deleted, substituted or inserted. Among repairs with as many edits, it prefers, in this order:
//
//   - those without an edit before the byte at which s goes wrong, or the one before that;
//   - those that keep most bytes of s, where a letter in its other case counts as kept;
//   - substitutions of a letter for a letter, a digit for a digit or a sign for a sign; then deletions, then insertions,
//     then other substitutions.
//
// It reports false if a accepts nothing, or if the search would take too much memory. Unlike [Language.Nearest],
// it knows nothing of URLs.
func NearestPlain(a Automaton, s string) (steps []Step, ok bool) {
	if !a.Live(0) || (len(s)+1) > maxPlain/max(a.States(), 1) {
		return nil, false
	}
	p := &plain{a: a, s: s, n: a.States(), costs: costsFor(len(s) + a.States())}
	p.findSuccessors()
	for q := 0; p.fault < len(s); p.fault++ {
		q = a.Next(q, s[p.fault])
		if !a.Live(q) {
			break
		}
	}
	// A layer has the least cost of each state before a byte: first what inserting makes cheaper, then the next layer.
	p.came = make([]move, (len(s)+1)*p.n)
	layer := slices.Repeat([]uint64{unreached}, p.n)
	layer[0] = 0
	for i := 0; ; i++ {
		p.relaxInsertions(layer, i)
		if i == len(s) {
			break
		}
		layer = p.nextLayer(layer, i)
	}
	best := -1
	for q, cost := range layer {
		if a.Accepts(q) && cost != unreached && (best < 0 || cost < layer[best]) {
			best = q
		}
	}
	if best < 0 {
		return nil, false
	}
	// The way back, by the moves that were noted.
	for i, q := len(s), best; i > 0 || q != 0 || p.came[i*p.n+q].set; {
		m := p.came[i*p.n+q]
		if m.kind != Keep {
			steps = append(steps, Step{Kind: m.kind, Byte: m.to, Offset: int32(i - m.back)})
		}
		i, q = i-m.back, int(m.from)
	}
	slices.Reverse(steps)
	return steps, true
}

// unreached is more than any cost.
const unreached = 1 << 63

// costs has the costs of the edits of a string. A cost counts edits; below them it says whether the first is
// away from the error; below that it counts the bytes that are lost; and below that it has the preferences
// among edits. Each unit is more than all below it can add up to.
type costs struct {
	early      uint64 // for a first edit away from the error
	otherCase  uint64 // a letter in its other case
	likeForOne uint64 // a letter for a letter, and the like
	deleting   uint64
	inserting  uint64
	replacing  uint64 // any other substitution
}

// costsFor returns the costs for a repair of at most edits edits. For more than 2^17, the sums of the lower
// units may reach the next one; no count of edits passes 64 bits.
func costsFor(edits int) costs {
	m := uint64(min(edits, 1<<17))
	lost := 8 * m
	early := lost * m
	edit := 2 * early
	return costs{
		early:      early,
		otherCase:  edit,
		likeForOne: edit + lost + 1,
		deleting:   edit + lost + 2,
		inserting:  edit + 3,
		replacing:  edit + lost + 4,
	}
}

// A move tells how a state was reached at an offset.
type move struct {
	from int32
	back int // how many bytes were read: 0 or 1
	kind Kind
	to   byte
	set  bool
}

// A plain is the state of one call of [NearestPlain]: a shortest way in the graph of offsets and
// states, offset by offset. A layer has the cost of each state at one offset.
type plain struct {
	costs
	a     Automaton
	s     string
	fault int // the length of the longest beginning of s that an accepted string has too
	n     int
	next  [][]successor // by state
	came  []move        // by offset and state
}

// A successor is a live state, and the byte that is shown for the way there: of all bytes, and of each sort.
type successor struct {
	to   int
	x    byte
	like [sorts]byte // 0 for none
}

// The sorts of bytes.
const (
	letter = iota
	digit
	sign
	otherByte
	sorts
)

// sortOf returns the sort of a byte.
func sortOf(x byte) int {
	switch {
	case 'a' <= x|0x20 && x|0x20 <= 'z':
		return letter
	case '0' <= x && x <= '9':
		return digit
	case ' ' < x && x <= '~':
		return sign
	}
	return otherByte
}

// findSuccessors sets p.next, by state.
func (p *plain) findSuccessors() {
	p.next = make([][]successor, p.n)
	for q := range p.n {
		if !p.a.Live(q) {
			continue
		}
		at := map[int]int{} // by state: where in p.next[q] it is
		for c := range p.a.Classes() {
			to := p.a.NextClass(q, c)
			if !p.a.Live(to) {
				continue
			}
			x := p.a.Readable(c)
			i, ok := at[to]
			if !ok {
				at[to] = len(p.next[q])
				p.next[q] = append(p.next[q], successor{to: to, x: x})
			} else if nicer(x, p.next[q][i].x) {
				p.next[q][i].x = x
			}
		}
		// A class may have letters and signs: the nicest of each sort is found byte by byte.
		for x := range 256 {
			if i, ok := at[p.a.Next(q, byte(x))]; ok {
				if best := &p.next[q][i].like[sortOf(byte(x))]; *best == 0 || nicer(byte(x), *best) {
					*best = byte(x)
				}
			}
		}
	}
}

// nicer reports whether x is the better byte to show: lower case comes first, then digits, upper case, other
// printable characters, and the rest.
func nicer(x, y byte) bool {
	rank := func(x byte) int {
		switch {
		case 'a' <= x && x <= 'z':
			return 0
		case '0' <= x && x <= '9':
			return 1
		case 'A' <= x && x <= 'Z':
			return 2
		case '!' <= x && x <= '~':
			return 3
		}
		return 4
	}
	return rank(x) < rank(y) || rank(x) == rank(y) && x < y
}

// costOfEarly returns the penalty for an edit at i if the edits so far cost cost: p.early for the first edit
// if it is away from the error, else 0.
func (p *plain) costOfEarly(i int, cost uint64) uint64 {
	if cost == 0 && i+1 < p.fault {
		return p.early
	}
	return 0
}

// relaxInsertions lowers the costs of a layer by insertions before the byte at i, by Dijkstra's algorithm
// within the layer. It records the moves in p.came.
func (p *plain) relaxInsertions(layer []uint64, i int) {
	todo := &plainQueue{}
	for q, cost := range layer {
		if cost != unreached {
			*todo = append(*todo, entry{cost, q})
		}
	}
	heap.Init(todo)
	for todo.Len() > 0 {
		e := heap.Pop(todo).(entry)
		if e.cost > layer[e.q] {
			continue
		}
		for _, s := range p.next[e.q] {
			if cost := e.cost + p.inserting + p.costOfEarly(i, e.cost); cost < layer[s.to] {
				layer[s.to] = cost
				p.came[i*p.n+s.to] = move{int32(e.q), 0, Insert, s.x, true}
				heap.Push(todo, entry{cost, s.to})
			}
		}
	}
}

// nextLayer returns the costs after the byte at i is kept, deleted or substituted, and records in p.came how
// each state was reached. Insertions are left to relaxInsertions.
func (p *plain) nextLayer(layer []uint64, i int) []uint64 {
	after := slices.Repeat([]uint64{unreached}, p.n)
	x := p.s[i]
	reach := func(from, to int, cost uint64, m move) {
		if p.a.Live(to) && cost < after[to] {
			after[to] = cost
			m.from, m.back, m.set = int32(from), 1, true
			p.came[(i+1)*p.n+to] = m
		}
	}
	for q, cost := range layer {
		if cost == unreached {
			continue
		}
		reach(q, p.a.Next(q, x), cost, move{kind: Keep})
		cost += p.costOfEarly(i, cost)
		reach(q, q, cost+p.deleting, move{kind: Delete})
		if other := x ^ 0x20; 'a' <= x|0x20 && x|0x20 <= 'z' {
			reach(q, p.a.Next(q, other), cost+p.otherCase, move{kind: Substitute, to: other})
		}
		for _, s := range p.next[q] {
			reach(q, s.to, cost+p.replacing, move{kind: Substitute, to: s.x})
			if like := s.like[sortOf(x)]; like != 0 && sortOf(x) != otherByte {
				reach(q, s.to, cost+p.likeForOne, move{kind: Substitute, to: like})
			}
		}
	}
	return after
}

// An entry is a state of a layer and its cost.
type entry struct {
	cost uint64
	q    int
}

// A plainQueue is a heap.Interface with the cheapest entry first.
type plainQueue []entry

func (h plainQueue) Len() int           { return len(h) }
func (h plainQueue) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h plainQueue) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *plainQueue) Push(x any)        { *h = append(*h, x.(entry)) }
func (h *plainQueue) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// Spell returns steps with the letters that they add in the spelling of the grammar, if a takes them in
// either case. spelled is an automaton of the strings in the grammar's spelling; the letters of s itself may
// be in any case. If spelled has no string that is the repaired one in some case, Spell returns steps itself.
func Spell(a, spelled Automaton, s string, steps []Step) []Step {
	w := Apply(s, steps)
	added := map[int]int{} // by offset in w: the index of its step
	shift := 0
	for i, e := range steps {
		switch e.Kind {
		case Delete:
			shift--
		case Substitute:
			added[int(e.Offset)+shift] = i
		case Insert:
			added[int(e.Offset)+shift] = i
			shift++
		}
	}
	letters, ok := spellingOf(spelled, w)
	if !ok {
		return steps
	}
	out := slices.Clone(steps)
	for at, i := range added {
		out[i].Byte = letters[at]
	}
	q := 0
	for _, x := range []byte(Apply(s, out)) {
		q = a.Next(q, x)
	}
	if !a.Accepts(q) {
		return steps
	}
	return out
}

// spellingOf returns a string that a accepts and that differs from w only in the case of letters. ok is false
// if there is none.
func spellingOf(a Automaton, w string) (spelling string, ok bool) {
	type reached struct {
		from int
		by   byte
	}
	// Of several ways to a state it keeps the one from the state with the least number, so that the result
	// does not depend on the order of a map.
	layers := []map[int]reached{{0: {}}}
	for i := range len(w) {
		next := map[int]reached{}
		options := []byte{w[i]}
		if sortOf(w[i]) == letter {
			options = append(options, w[i]^0x20)
		}
		for q := range layers[i] {
			for _, x := range options {
				to := a.Next(q, x)
				if old, ok := next[to]; a.Live(to) && (!ok || q < old.from) {
					next[to] = reached{q, x}
				}
			}
		}
		layers = append(layers, next)
	}
	at := -1
	for q := range layers[len(w)] {
		if a.Accepts(q) && (at < 0 || q < at) {
			at = q
		}
	}
	if at < 0 {
		return "", false
	}
	out := make([]byte, len(w))
	for i := len(w); i > 0; i-- {
		r := layers[i][at]
		out[i-1], at = r.by, r.from
	}
	return string(out), true
}

// Apply returns s with steps applied. It knows the kinds that [NearestPlain] returns: Delete, Substitute and
// Insert. A byte with any other step is kept.
func Apply(s string, steps []Step) string {
	var b []byte
	at := 0
	for _, e := range steps {
		b = append(b, s[at:e.Offset]...)
		at = int(e.Offset)
		if e.Kind == Delete || e.Kind == Substitute {
			at++
		}
		if e.Kind == Substitute || e.Kind == Insert {
			b = append(b, e.Byte)
		}
	}
	return string(append(b, s[at:]...))
}
