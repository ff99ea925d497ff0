package bnftogo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A doubt is a place of a transducer at which two ways lead on that do different things and accept one string.
type doubt struct {
	list  int32
	class int    // the byte that is read there; -1 if there is none
	rest  []int  // classes of what follows
	acts  string // of the two ways: a doubt of the same actions is mostly one of the same choice
}

// merged notes that two ways lead from a list to one state of the nfa.
func (t *transducer) merged(class int, to int32, one, other string) {
	t.note(doubt{class: class, acts: one + "\xff\xff|" + other}, func() ([]int, bool) {
		s := t.d.of(to)
		return t.d.common(s, s)
	})
}

// note adds a doubt, unless there is one of the same actions from here already, or no string.
func (t *transducer) note(x doubt, rest func() ([]int, bool)) {
	x.list = int32(len(t.rows))
	if t.noted[x.acts] {
		return
	}
	t.noted[x.acts] = true
	var ok bool
	if x.rest, ok = rest(); ok {
		t.doubts = append(t.doubts, x)
	} else {
		delete(t.noted, x.acts)
	}
}

// words returns for each state the classes of a shortest string that leads to it.
func (t *transducer) words() [][]int {
	words := make([][]int, len(t.rows))
	seen := make([]bool, len(t.rows))
	seen[0] = true
	for level := []int32{0}; len(level) > 0; level = level[1:] {
		i := level[0]
		reach := func(c int, to int32) {
			if !seen[to] {
				seen[to] = true
				words[to] = append(slices.Clone(words[i]), c)
				level = append(level, to)
			}
		}
		for c, x := range t.rows[i][:t.d.width] {
			switch x.kind {
			case cellGo:
				reach(c, x.to)
			case cellAsk:
				for _, y := range t.sites[x.to].cells {
					reach(c, y.to)
				}
			case cellLook:
				looked := map[int32]bool{}
				var look func(row int32)
				look = func(row int32) {
					if looked[row] {
						return
					}
					looked[row] = true
					for _, y := range t.looks[row] {
						switch y.kind {
						case cellGo:
							reach(c, y.to)
						case cellLook:
							look(y.to)
						}
					}
				}
				look(x.to)
			}
		}
	}
	return words
}

// A candidate is a string that may have two trees.
type candidate struct {
	p    *production
	word string
	acts string
}

// doubted notes the doubts of the transducer of p.
func (c *compiler) doubted(p *production, x *transducer) {
	if len(x.doubts) == 0 {
		return
	}
	words, rep := x.words(), c.d.readable()
	for _, x := range x.doubts {
		var w []byte
		for _, k := range words[x.list] {
			w = append(w, rep[k])
		}
		if x.class >= 0 {
			w = append(w, rep[x.class])
		}
		for _, k := range x.rest {
			w = append(w, rep[k])
		}
		c.candidates = append(c.candidates, candidate{p, string(w), x.acts})
	}
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
		if tried[x.acts]++; tried[x.acts] > 8 {
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
		best[key] = Ambiguity{
			Choice: at.name, Production: at.production, Pos: at.pos, Start: x.p.ID, Shortest: x.word,
			Chosen: at.alternatives[key.first], Other: at.alternatives[key.not], Alternatives: at.alternatives, Preferred: at.preferred,
		}
	}
	for _, a := range best {
		c.Ambiguities = append(c.Ambiguities, a)
	}
	order := map[string]int{}
	for i, r := range c.g.Rules {
		order[r.ID] = i
	}
	slices.SortFunc(c.Ambiguities, func(a, b Ambiguity) int {
		return cmp.Or(order[a.Production]-order[b.Production], len(a.Choice)-len(b.Choice), strings.Compare(a.Choice, b.Choice),
			strings.Compare(a.Chosen, b.Chosen), strings.Compare(a.Other, b.Other))
	})
}

// readable returns a byte of each class, one that can be read if there is one.
func (d *dfa) readable() []byte {
	rep := make([]byte, d.width)
	done := make([]bool, d.width)
	const first = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.-_/:@?#=&;,+%~!*'()$\"<>[]{}|\\^` "
	all := []byte(first)
	for x := range 256 {
		all = append(all, byte(x))
	}
	for _, x := range all {
		if c := d.part.Class[x]; !done[c] {
			done[c], rep[c] = true, x
		}
	}
	return rep
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
