package bnftogo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A squared is the square of the nfa as far as both sides do the same: its states are pairs of states that one string leads to with
// one tree so far. Where from a pair two ways lead on that do different things and accept one string, that string can have two
// trees (C. Allauzen, M. Mohri and A. Rastogi, "General algorithms for testing the ambiguity of finite automata", 2008).
type squared struct {
	n    *nfa
	way  map[int32][]path
	meet map[int32][]meet
	byte map[expr.Set]byte

	part    *expr.Partition
	members [][]int           // by set of the nfa: its classes
	by      map[int32][][]int // by state and class, and for the end of the input: the paths that read it

	apart map[pair]bool // no string is accepted from both
	held  int64         // bytes
}

type pair struct{ one, other int32 }

func newSquared(n *nfa) *squared {
	s := &squared{n: n, way: map[int32][]path{}, meet: map[int32][]meet{}, byte: map[expr.Set]byte{}, apart: map[pair]bool{},
		part: n.partition(), by: map[int32][][]int{}}
	for _, set := range n.sets.List {
		s.members = append(s.members, s.part.In(set))
	}
	return s
}

// readable returns a byte of a set, one that can be read if there is one.
func (s *squared) readable(set expr.Set) byte {
	return expr.Memo(s.byte, set, func() byte { return lang.InOrder(set)[0] })
}

// hold counts bytes that are kept as long as s is.
func (s *squared) hold(bytes int) {
	s.held += int64(bytes)
	s.room(0)
}

// room fails where so many bytes are too many beside what s and its automaton keep.
func (s *squared) room(bytes int) { s.n.budget.Room(s.n.held + s.held + int64(bytes)) }

func (s *squared) ways(q int32) []path {
	w, ok := s.way[q]
	if !ok {
		w, s.meet[q] = s.n.ways(q)
		s.way[q] = w
		by := make([][]int, s.part.N+1)
		for i, x := range w {
			classes := []int{s.part.N}
			if st := &s.n.states[x.to]; st.op == opByte {
				classes = s.members[st.arg]
			}
			for _, c := range classes {
				by[c] = append(by[c], i)
			}
		}
		s.by[q] = by
		s.hold(256 + 64*len(w) + 24*len(by))
	}
	return w
}

// A walked is a pair, and how it was reached: by a byte from an earlier one.
type walked struct {
	pair
	up int
	by byte
}

// pairBytes is what a pair that was walked takes, with its place in a map.
const pairBytes = 80

// wordOf returns the string that leads to pairs[i].
func wordOf(pairs []walked, i int) string {
	var w []byte
	for ; pairs[i].up >= 0; i = pairs[i].up {
		w = append(w, pairs[i].by)
	}
	slices.Reverse(w)
	return string(w)
}

// both calls f for each two paths from a pair that end in states that read one byte, with that byte and the states behind it, and for those
// that accept, with accept and no byte. It ends where f returns false.
func (s *squared) both(p pair, f func(x, y path, by string, next pair) bool) {
	other := s.ways(p.other)
	var found []int
	for i, x := range s.ways(p.one) {
		a := &s.n.states[x.to]
		found = found[:0]
		if a.op == opAccept {
			found = append(found, s.by[p.other][s.part.N]...)
		} else {
			for _, c := range s.members[a.arg] {
				found = append(found, s.by[p.other][c]...)
			}
		}
		slices.Sort(found)
		s.n.budget.Step(4 + 8*len(found))
		for _, j := range slices.Compact(found) {
			if p.one == p.other && j < i {
				continue
			}
			y := other[j]
			if a.op == opAccept {
				if !f(x, y, "", pair{accept, accept}) {
					return
				}
				continue
			}
			b := &s.n.states[y.to]
			set := s.n.sets.List[a.arg].Intersect(s.n.sets.List[b.arg])
			if !f(x, y, string([]byte{s.readable(set)}), pair{a.next[0], b.next[0]}) {
				return
			}
		}
	}
}

// common returns a shortest string that is accepted from both states of a pair.
func (s *squared) common(p pair) (string, bool) {
	if p.one > p.other {
		p.one, p.other = p.other, p.one
	}
	pairs := []walked{{p, -1, 0}}
	seen := map[pair]bool{p: true}
	for i := 0; i < len(pairs); i++ {
		ends := false
		if !s.apart[pairs[i].pair] {
			s.both(pairs[i].pair, func(_, _ path, by string, next pair) bool {
				if by == "" {
					ends = true
					return false
				}
				if next.one > next.other {
					next.one, next.other = next.other, next.one
				}
				if !seen[next] {
					seen[next] = true
					pairs = append(pairs, walked{next, i, by[0]})
					s.room(len(pairs) * pairBytes)
				}
				return true
			})
		}
		if ends {
			return wordOf(pairs, i), true
		}
	}
	for _, x := range pairs {
		s.apart[x.pair] = true
	}
	return "", false
}

// states returns for each state that q leads to a string that is accepted by way of it, and that string without its last byte.
func (s *squared) states(q int32) (words []string) {
	pairs := []walked{{pair{q, q}, -1, 0}}
	index := map[int32]int{q: 0}
	type edge struct {
		from int
		by   byte
	}
	var into [][]edge // by state: those that lead to it
	var done []int
	end := map[int]string{}
	keep := func(w string) string {
		s.n.budget.Step(1 + len(w)/8)
		s.hold(pairBytes + len(w))
		return w
	}
	for i := 0; i < len(pairs); i++ {
		for _, x := range s.ways(pairs[i].one) {
			st := &s.n.states[x.to]
			if st.op == opAccept {
				end[i], done = "", append(done, i)
				continue
			}
			by, next := s.readable(s.n.sets.List[st.arg]), st.next[0]
			j, ok := index[next]
			if !ok {
				j = len(pairs)
				index[next] = j
				pairs = append(pairs, walked{pair{next, next}, i, by})
			}
			for len(into) < len(pairs) {
				into = append(into, nil)
			}
			into[j] = append(into[j], edge{i, by})
			s.n.budget.Step(4)
		}
	}
	for ; len(done) > 0; done = done[1:] {
		if done[0] < len(into) {
			for _, e := range into[done[0]] {
				if _, ok := end[e.from]; !ok {
					end[e.from] = keep(string([]byte{e.by}) + end[done[0]])
					done = append(done, e.from)
				}
			}
		}
	}
	for i := range pairs {
		w := keep(wordOf(pairs, i) + end[i])
		if words = append(words, w); len(w) > 0 {
			words = append(words, w[:len(w)-1])
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// doubted notes strings of p that may have two trees: of ways that do the same two things, the first few that are found.
func (c *compiler) doubted(p *production, s *squared) {
	pairs := []walked{{pair{p.start, p.start}, -1, 0}}
	seen := map[pair]bool{pairs[0].pair: true}
	const few = 4
	noted := map[string]map[pair]bool{}
	for i := 0; i < len(pairs); i++ {
		note := func(one, other, by string, rest pair) {
			acts := one + "\xff\xff|" + other
			if len(noted[acts]) == few || noted[acts][rest] {
				return
			}
			if w, ok := s.common(rest); ok {
				if noted[acts] == nil {
					noted[acts] = map[pair]bool{}
				}
				noted[acts][rest] = true
				c.candidates = append(c.candidates, candidate{p, wordOf(pairs, i) + by + w, acts})
			}
		}
		at := pairs[i].pair
		for _, m := range s.meets(at) {
			note(m.one, m.other, "", pair{m.at, m.at})
		}
		s.both(at, func(x, y path, by string, next pair) bool {
			switch {
			case at.one == at.other && x == y:
				next.other = next.one
			case x.acts != y.acts:
				note(x.acts, y.acts, by, next)
				return true
			}
			if key := (pair{min(next.one, next.other), max(next.one, next.other)}); by != "" && !seen[key] {
				seen[key] = true
				pairs = append(pairs, walked{next, i, by[0]})
				s.room(len(pairs) * pairBytes)
			}
			return true
		})
	}
}

// meets returns the states in which ways from one state meet.
func (s *squared) meets(p pair) []meet {
	if p.one != p.other {
		return nil
	}
	s.ways(p.one)
	return s.meet[p.one]
}

// A candidate is a string that may have two trees.
type candidate struct {
	p    *production
	word string
	acts string
}

// ambiguities lists the choices for which a string has two trees.
func (c *compiler) ambiguities() {
	type found struct {
		at         *place
		first, not int
	}
	best := map[found]Ambiguity{}
	all := c.candidates
	// The shortest first; of what does the same, they are mostly one choice in longer and longer contexts.
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(len(a.word)-len(b.word), strings.Compare(a.word, b.word))
	})
	tried := map[string]int{}
	for _, x := range all {
		if tried[x.acts]++; tried[x.acts] > 24 {
			continue
		}
		e := &enumerator{c: c, src: x.word, steps: 1 << 15}
		at, first, not := e.differ(x.p)
		if at == nil {
			continue
		}
		key := found{at, at.order[first], at.order[not]}
		if old, ok := best[key]; ok && (len(old.Shortest) < len(x.word) || old.Start == at.production || x.p.ID != at.production) {
			continue
		}
		alternatives := at.alternatives()
		best[key] = Ambiguity{
			Choice: at.name, Production: at.production, Pos: at.pos, Start: x.p.ID, Shortest: x.word,
			Chosen: alternatives[key.first], Other: alternatives[key.not], Alternatives: alternatives, Preferred: at.preferred,
		}
	}
	c.Ambiguities = slices.AppendSeq(c.Ambiguities, maps.Values(best))
	order := map[string]int{}
	for i, r := range c.g.Rules {
		order[r.ID] = i
	}
	slices.SortFunc(c.Ambiguities, func(a, b Ambiguity) int {
		return cmp.Or(order[a.Production]-order[b.Production], len(a.Choice)-len(b.Choice), strings.Compare(a.Choice, b.Choice),
			strings.Compare(a.Chosen, b.Chosen), strings.Compare(a.Other, b.Other))
	})
}

// An enumerator goes through the derivations of a short string in the order of preference.
type enumerator struct {
	c     *compiler
	src   string
	steps int
	trail []int32 // begins and ends of nodes: a kind or 0, and the offset
	took  []took
}

// A took is an alternative that was taken.
type took struct {
	at          *place
	alternative int
}

// differ returns the choice at which the first derivation and the next one with another tree differ, and what both take there.
func (e *enumerator) differ(p *production) (at *place, first, not int) {
	var trail []int32
	var path []took
	seen := false
	e.match(p.Expr, 0, p.ID, func(i int) bool {
		switch {
		case i < len(e.src):
			return false
		case !seen:
			trail, path, seen = slices.Clone(e.trail), slices.Clone(e.took), true
			return false
		case slices.Equal(trail, e.trail):
			return false
		}
		for k := range min(len(path), len(e.took)) {
			if path[k] != e.took[k] {
				if path[k].at == e.took[k].at && path[k].at != nil {
					at, first, not = path[k].at, path[k].alternative, e.took[k].alternative
				}
				break
			}
		}
		return true
	})
	return at, first, not
}

// match calls then with the end of each match of x from i on, until it returns true. The tail is the production whose end
// follows, if one does.
func (e *enumerator) match(x *expr.Expr, i int, tail string, then func(i int) bool) bool {
	e.c.budget.Step(1)
	if e.steps--; e.steps < 0 {
		return true
	}
	switch x.Op {
	case expr.Empty:
		return then(i)
	case expr.Class:
		return i < len(e.src) && x.Set.Has(e.src[i]) && then(i+1)
	case expr.Literal:
		return strings.HasPrefix(e.src[i:], x.Lit) && then(i+len(x.Lit))
	case expr.Ref:
		r := e.c.g.Rule(x.Name)
		if r == nil {
			return false
		}
		kind := int32(e.c.kind(x.Name))
		if kind == 0 || tail == x.Name {
			return e.match(r.Expr, i, tail, then)
		}
		mark := len(e.trail)
		e.trail = append(e.trail, kind, int32(i))
		ok := e.match(r.Expr, i, x.Name, func(j int) bool {
			mark := len(e.trail)
			e.trail = append(e.trail, 0, int32(j))
			ok := then(j)
			e.trail = e.trail[:mark]
			return ok
		})
		e.trail = e.trail[:mark]
		return ok
	case expr.Seq:
		return e.seq(x.Sub, i, tail, then)
	case expr.Alt:
		for k, s := range x.Sub {
			if e.take(x, k, func() bool { return e.match(s, i, tail, then) }) {
				return true
			}
		}
	case expr.Repeat:
		return e.repeat(x, 0, i, tail, then)
	}
	return false
}

func (e *enumerator) take(x *expr.Expr, alternative int, f func() bool) bool {
	mark := len(e.took)
	e.took = append(e.took, took{e.c.places[x], alternative})
	ok := f()
	e.took = e.took[:mark]
	return ok
}

func (e *enumerator) seq(es []*expr.Expr, i int, tail string, then func(int) bool) bool {
	if len(es) == 1 {
		return e.match(es[0], i, tail, then)
	}
	return e.match(es[0], i, "", func(j int) bool { return e.seq(es[1:], j, tail, then) })
}

func (e *enumerator) repeat(x *expr.Expr, done, i int, tail string, then func(int) bool) bool {
	again := func() bool {
		inside := tail
		if done+1 != x.Max {
			inside = ""
		}
		return e.match(x.Sub[0], i, inside, func(j int) bool {
			return (j > i || done < x.Min) && e.repeat(x, done+1, j, tail, then)
		})
	}
	if done < x.Min {
		return again()
	}
	if (x.Max == expr.Unbounded || done < x.Max) && e.take(x, 0, again) {
		return true
	}
	return e.take(x, 1, func() bool { return then(i) })
}
