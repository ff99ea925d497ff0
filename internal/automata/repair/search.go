package repair

import "slices"

// MaxEdited is the length of the longest string that [Language.Nearest] edits. Longer ones are only encoded.
const MaxEdited = 4 << 10

// A Kind is the kind of a [Step].
type Kind uint8

const (
	Keep Kind = iota
	Encode
	Fold // put in lower case
	Delete
	Substitute
	Insert
)

// A Step is an edit of one byte of a string, or of the place before it. Bytes that are kept have none.
type Step struct {
	Kind   Kind
	Byte   byte // for Fold, Substitute, Insert: the new one
	Offset int32
}

// Encoded returns the steps from s to a string of l at the smallest cost, if it is enough to encode octets
// and to put the scheme in lower case, and scheme and host stay. Every other string of l costs more. It takes
// time and memory proportional to s.
func (l *Language) Encoded(s string) (steps []Step, cost Cost, ok bool) { return l.target(s).encoded() }

// Nearest returns the steps from s to a string of l at the smallest cost, in the order of s. It reports false
// if there are none: s is longer than [MaxEdited], or l is empty. It takes time and memory proportional to s
// times the number of states that cost less than the result.
func (l *Language) Nearest(s string) (steps []Step, cost Cost, ok bool) {
	return l.editedSteps(s, true)
}

// Unencoded is Nearest without encoding any octet.
func (l *Language) Unencoded(s string) (steps []Step, cost Cost, ok bool) {
	return l.editedSteps(s, false)
}

// editedSteps is Nearest, and with encodes false Unencoded.
func (l *Language) editedSteps(s string, encodes bool) ([]Step, Cost, bool) {
	if len(s) > MaxEdited {
		return nil, 0, false
	}
	steps, cost, ok := l.target(s).nearest(encodes)
	return joinDeletions(steps, s), cost, ok
}

// joinDeletions moves deletions to the left as far as the result stays the same, so that they join those
// before them. It changes steps in place and returns them; s is the string before the edits.
func joinDeletions(steps []Step, s string) []Step {
	deletes := func(i int, offset int32) bool {
		return i >= 0 && i < len(steps) && steps[i].Kind == Delete && steps[i].Offset == offset
	}
	// runBegin returns the index of the first step of the run of deletions that the i-th step belongs to.
	runBegin := func(i int) int {
		for deletes(i-1, steps[i].Offset-1) {
			i--
		}
		return i
	}
	// canMove reports whether a run can move left: the byte before it is the last one of the run, and has no edit.
	canMove := func(first, last int) bool {
		from := steps[first].Offset
		isEdited := first > 0 && steps[first-1].Offset >= from-1 // the byte before the run, or the place before the run
		if from == 0 || isEdited {
			return false
		}
		return s[from-1] == s[steps[last].Offset]
	}
	for i := range steps {
		last := steps[i].Offset
		if !deletes(i, last) || deletes(i+1, last+1) { // no deletion, or not the last one of its run
			continue
		}
		// steps[first:i+1] is a run of deletions. It moves left one byte at a time: a run of "ab" in "xabab" leaves the
		// same string one byte further left if the byte before it is its last one. Having met another run, it is longer.
		first := runBegin(i)
		for canMove(first, i) {
			for k := first; k <= i; k++ {
				steps[k].Offset--
			}
			first = runBegin(first)
		}
	}
	return steps
}

// encoded is [Language.Encoded]. It follows all states of the automaton through s at once, and keeps the
// cheapest way to each. If t.base is set, it also sets t.fault, the place of the error. The steps are Encode
// and, for letters of the scheme that are put in lower case, Fold; the host never changes.
func (t *target) encoded() (steps []Step, cost Cost, ok bool) {
	type live struct {
		state
		cost Cost
		way  link
	}
	var now, then []live
	trail := make([]link, 0, len(t.text)+len(t.starts)) // of every live state, one offset after the other
	reach := func(k state, cost Cost, from int, kind Kind) {
		for i := range then {
			if then[i].state == k {
				if cost < then[i].cost {
					then[i].cost, then[i].way = cost, newLink(from, kind)
				}
				return
			}
		}
		then = append(then, live{k, cost, newLink(from, kind)})
	}
	const most = 1 << 30 // of them fit into a link; no string that is accepted at all comes near
	for _, k := range t.startStates() {
		now = append(now, live{state: k})
	}
	trail = append(trail, make([]link, len(now))...)
	base := 0 // index in trail of now[0]
	for at := range len(t.text) {
		then = then[:0]
		for i := range now {
			k := &now[i]
			// A byte that is kept costs something only if the scheme or the host becomes another one.
			if next, more, ok := t.step(k.state, t.text[at]); ok && more == 0 {
				reach(next, k.cost, base+i, Keep)
			}
			if next, more, ok := t.encodeAt(k.state, at); ok && more < hostDiffers {
				reach(next, k.cost+more, base+i, Encode)
			}
			if b, may := t.foldAt(at); may {
				if next, more, ok := t.step(k.state, b); ok && more == 0 {
					reach(next, k.cost+escape, base+i, Fold)
				}
			}
		}
		if len(then) == 0 || len(trail) > most {
			return nil, 0, false
		}
		base = len(trail)
		for i := range then {
			trail = append(trail, then[i].way)
			if t.base != 0 && t.canGoOn(then[i].state) {
				t.fault = at + 1
			}
		}
		now, then = then, now
	}
	best := -1
	for i := range now {
		more, accepts := t.costOfEnding(now[i].state)
		if accepts && more == 0 && (best < 0 || now[i].cost < now[best].cost) {
			best = i
		}
	}
	if best < 0 {
		return nil, 0, false
	}
	cost = now[best].cost
	for way, at := now[best].way, len(t.text)-1; at >= 0; at-- {
		switch way.kind() {
		case Encode:
			steps = append(steps, Step{Kind: Encode, Offset: int32(at)})
		case Fold:
			steps = append(steps, Step{Fold, lower(t.text[at]), int32(at)})
		}
		way = trail[way.from()]
	}
	slices.Reverse(steps)
	return steps, cost, true
}

// A link says how encoded came to a state: from which one, by its index in the trail, and by a Keep, an Encode or a Fold.
type link uint32

// newLink returns a link; from must be less than 1<<30.
func newLink(from int, kind Kind) link { return link(from)<<2 | link(kind) }

// from returns the index in the trail.
func (l link) from() int { return int(l >> 2) }

// kind returns the kind of the step.
func (l link) kind() Kind { return Kind(l & 3) }

// nearest returns the steps, in the order of s, and their cost; it reports false if no string is accepted. It
// first decides whether scheme and host can stay: any edit is possible anywhere, so they can if there is any
// string with them. It sets t.base, t.never and t.fault. With encodes, octets may also be encoded.
func (t *target) nearest(encodes bool) ([]Step, Cost, bool) {
	t.base = schemeDiffers | hostDiffers
	t.encoded() // finds the place of the error
	for _, differs := range [...]Cost{0, hostDiffers, schemeDiffers, schemeDiffers | hostDiffers} {
		noSchemeToKeep := differs&schemeDiffers == 0 && !t.hasScheme && !t.mayBeWithout()
		noHostToChange := differs&hostDiffers != 0 && !t.hostCounts
		if noSchemeToKeep || noHostToChange {
			continue
		}
		t.base, t.never = differs, (schemeDiffers|hostDiffers)&^differs
		s := newSearch(t)
		if s.isPossible() {
			steps, cost, ok := s.cheapest(encodes)
			s.release()
			return steps, cost + t.base, ok
		}
	}
	return nil, 0, false
}

// newSearch returns an empty search. If the states do not depend on the text, it may have the automaton of an
// earlier search.
func newSearch(t *target) *search {
	s := &search{target: t, columns: make([][]int32, len(t.text)+1)}
	if t.isFree() {
		s.automaton, _ = t.free.Get().(*automaton)
	}
	if s.automaton == nil {
		s.automaton = &automaton{numbers: map[state]int32{}}
	}
	return s
}

// isFree reports whether the states are independent of the text, because that has neither a scheme nor a host
// that could stay. Such texts, most of them no URLs at all, share an automaton.
func (t *target) isFree() bool { return !t.hasScheme && !t.hostCounts && !t.mayBeWithout() }

// release keeps the automaton for the next text, if it does not depend on this one.
func (s *search) release() {
	if s.isFree() {
		s.free.Put(s.automaton)
	}
}

// isPossible reports whether any string satisfies the constraints on scheme and host. It numbers the states
// that it finds and keeps their leads. If the answer is yes, it is kept too.
func (s *search) isPossible() bool {
	if s.possible {
		return true
	}
	for _, k := range s.startStates() {
		s.numberOf(k)
	}
	// States are numbered in the order of discovery. The last one is searched first: it is nearest to an end.
	var todo []int32
	for n := range s.states {
		todo = append(todo, int32(n))
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		_, s.possible = s.costOfEnding(s.states[n])
		if s.possible {
			return true
		}
		if s.leads[n] != nil {
			continue
		}
		for _, l := range s.leadsFrom(n) {
			if s.leads[l.to] == nil {
				todo = append(todo, l.to)
			}
		}
	}
	return false
}

// cheapest returns a cheapest path in the graph of (offset, state) to the end of the text and an accepting
// state, by Dijkstra's algorithm. Places are expanded by the bytes of the text at once, and by edits only
// when their higher cost is due (see [search]). It reports false if there is no path.
func (s *search) cheapest(encodes bool) ([]Step, Cost, bool) {
	t := s.target
	for _, k := range t.startStates() {
		s.reach(-1, 0, s.numberOf(k), 0, Step{})
	}
	for len(s.queue) > 0 || len(s.due) > 0 {
		// Edits cost much, so places wait in s.due until one might be as cheap as the first in the queue.
		// They come in the order of their costs.
		if len(s.queue) == 0 || len(s.due) > 0 && s.places[s.due[0]].cost+deleted < s.queue[0].cost {
			s.reachByEdit(s.due[0])
			s.due = s.due[1:]
			continue
		}
		w := s.queue.pop()
		if w.place == finish {
			return s.stepsTo(s.last), w.cost, true
		}
		p := s.places[w.place]
		if p.done {
			continue
		}
		s.places[w.place].done = true
		s.due = append(s.due, w.place)
		k, at := s.states[p.state], int(p.at)
		if at == len(t.text) {
			if more, accepts := t.costOfEnding(k); accepts {
				s.recordEnd(w.place, p.cost+more)
			}
			continue
		}
		if next, more, ok := t.step(k, t.text[at]); ok {
			s.reach(w.place, at+1, s.numberOf(next), p.cost+more, Step{})
		}
		if b, may := t.foldAt(at); may {
			if next, more, ok := t.step(k, b); ok {
				s.reach(w.place, at+1, s.numberOf(next), p.cost+escape+more, Step{Fold, b, p.at})
			}
		}
		if encodes {
			if next, more, ok := t.encodeAt(k, at); ok {
				s.reach(w.place, at+1, s.numberOf(next), p.cost+more, Step{Kind: Encode, Offset: p.at})
			}
		}
	}
	return nil, 0, false
}

// A search is the part of the graph that was reached.
type search struct {
	*target
	*automaton
	places  []place
	columns [][]int32 // by offset and state: the place, plus 1
	queue   queue

	// Places that are done, in the order of their costs. An edit there costs at least one edit more, so it is
	// put off until that cost is reached.
	due []int32

	last     int32 // the place before the cheapest end found so far
	lastCost Cost
	ended    bool
}

// An automaton holds the states found so far.
type automaton struct {
	states   []state
	numbers  map[state]int32 // of states
	leads    [][]lead        // by state; nil where they are not known yet
	possible bool            // an end can be reached
}

// A place is a state at an offset, and the cheapest way there that is known.
type place struct {
	cost  Cost
	from  int32 // the place before it, or -1
	state int32
	at    int32
	step  Step
	done  bool
}

// A lead is a byte that may be written in a state, with the next state and the cost.
type lead struct {
	to   int32
	b    byte
	cost Cost
}

// numberOf returns the number of a state, which is added if it is new.
func (s *search) numberOf(k state) int32 {
	n, ok := s.numbers[k]
	if !ok {
		n = int32(len(s.states))
		s.numbers[k] = n
		s.states = append(s.states, k)
		s.leads = append(s.leads, nil)
	}
	return n
}

// reach records a way to a state at an offset, by a step from the place from, and queues the place if no
// cheaper way is known. Ways that cost as much as the best end found are dropped.
func (s *search) reach(from int32, at int, state int32, cost Cost, step Step) {
	if s.ended && cost >= s.lastCost {
		return
	}
	// A column has, by state, one more than the index of the place in s.places; 0 if there is none.
	column := s.columns[at]
	if int(state) >= len(column) {
		column = append(column, make([]int32, max(int(state)+1, len(s.states))-len(column))...)
		s.columns[at] = column
	}
	i := column[state] - 1
	if i < 0 {
		i = int32(len(s.places))
		column[state] = i + 1
		s.places = append(s.places, place{cost: cost + 1, state: state, at: int32(at)}) // dearer than the way below
	}
	if p := &s.places[i]; !p.done && cost < p.cost {
		p.cost, p.from, p.step = cost, from, step
		s.queue.push(waiting{cost, i, int32(at)})
	}
}

// reachByEdit reaches the places that are one edit away from a place.
func (s *search) reachByEdit(from int32) {
	p := s.places[from]
	at, more := int(p.at), int(p.at) < len(s.text)
	if p.cost < edit && at+1 < s.fault {
		p.cost += early
	}
	if more {
		s.reach(from, at+1, p.state, p.cost+deleted, Step{Kind: Delete, Offset: p.at})
	}
	for _, l := range s.leadsFrom(p.state) {
		s.reach(from, at, l.to, p.cost+inserted+l.cost, Step{Insert, l.b, p.at})
		if more {
			s.reach(from, at+1, l.to, p.cost+substituted+l.cost, Step{Substitute, l.b, p.at})
		}
	}
}

// leadsFrom returns the leads of a state. Of the bytes that lead to the same state at the same cost it has
// only the most readable. They are kept for the next call, and the states that they lead to get numbers.
func (s *search) leadsFrom(n int32) []lead {
	if s.leads[n] != nil {
		return s.leads[n]
	}
	list := []lead{}
	for _, b := range s.bytesToTry() {
		next, cost, ok := s.step(s.states[n], b)
		if !ok {
			continue
		}
		l := lead{s.numberOf(next), b, cost}
		if !slices.ContainsFunc(list, func(o lead) bool { return o.to == l.to && o.cost <= l.cost }) {
			list = append(list, l)
		}
	}
	s.leads[n] = list
	return list
}

// recordEnd records a way to the end of the search, and queues the end if no other way was as cheap.
func (s *search) recordEnd(from int32, cost Cost) {
	if !s.ended || cost < s.lastCost {
		s.ended, s.last, s.lastCost = true, from, cost
		s.queue.push(waiting{cost, finish, int32(len(s.text)) + 1})
	}
}

// stepsTo returns the edits on the cheapest way to the place i, in the order of the string.
func (s *search) stepsTo(i int32) (list []Step) {
	for ; i >= 0; i = s.places[i].from {
		if p := &s.places[i]; p.step.Kind != Keep {
			list = append(list, p.step)
		}
	}
	slices.Reverse(list)
	return list
}
