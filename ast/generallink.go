package ast

import (
	"cmp"
	"slices"
	"sort"
)

// The tree is built backwards along links. A link of an item is another item that it was reached
// from, and the production that ended between the two. An item has at most as many links as there
// are places where that production can begin. A production of n bytes therefore has some n links at
// each of its n places, and a tree of n productions takes n³ steps, like the items.
//
// Two things keep that bound. A link is found at once: the items of a place are sorted by origin
// when a link is first looked for among them. The agenda is not sorted: links lie in a list for
// each place, and only the places are in a heap.

// A generalAgenda holds the links that are still to be followed, the last place first.
type generalAgenda struct {
	heads  []int32 // by place: the last link that was added there, as an element of links from 1, or 0
	links  []generalChained
	places []int32 // those that have links, a heap with the last on top
}

// A generalChained is a link, and the one that was added before it at its place.
type generalChained struct {
	generalLink
	before int32
}

// add adds a link, even if it is there already. bytes is the length of the input. The caller must
// keep it the same until the agenda is empty.
func (a *generalAgenda) add(l generalLink, bytes int) {
	if len(a.heads) <= bytes {
		a.heads = make([]int32, bytes+1)
	}
	if a.heads[l.at] == 0 {
		a.places = append(a.places, l.at)
		for i := len(a.places) - 1; i > 0; {
			up := (i - 1) / 2
			if a.places[up] >= a.places[i] {
				break
			}
			a.places[up], a.places[i] = a.places[i], a.places[up]
			i = up
		}
	}
	a.links = append(a.links, generalChained{l, a.heads[l.at]})
	a.heads[l.at] = int32(len(a.links))
}

// next removes the links of the last place. It returns the place, and the first of its links as an
// element of links, counted from 1. There must be one.
func (a *generalAgenda) next() (at, first int32) {
	at = a.places[0]
	last := len(a.places) - 1
	a.places[0] = a.places[last]
	a.places = a.places[:last]
	for i := 0; ; {
		down := 2*i + 1
		if down+1 < last && a.places[down+1] > a.places[down] {
			down++
		}
		if down >= last || a.places[down] <= a.places[i] {
			break
		}
		a.places[down], a.places[i] = a.places[i], a.places[down]
		i = down
	}
	first, a.heads[at] = a.heads[at], 0
	return at, first
}

// clear empties the agenda, also where next has not taken everything, and keeps its memory.
func (a *generalAgenda) clear() {
	for _, at := range a.places {
		a.heads[at] = 0
	}
	a.places, a.links = a.places[:0], a.links[:0]
}

// fewItems caps the items at a place that are searched one by one.
const fewItems = 8

// span returns the bounds, lo and hi, of the items that are at the same place as item i.
func (r *generalRun) span(i int32) (lo, hi int32) {
	at := r.items[i].at
	for lo = i; lo > 0 && r.items[lo-1].at == at; lo-- {
		if i-lo >= fewItems {
			lo = int32(sort.Search(int(lo), func(k int) bool { return r.items[k].at >= at }))
			break
		}
	}
	for hi = i + 1; int(hi) < len(r.items) && r.items[hi].at == at; hi++ {
		if hi-i > fewItems {
			hi += int32(sort.Search(len(r.items)-int(hi), func(k int) bool { return r.items[int(hi)+k].at > at }))
			break
		}
	}
	return lo, hi
}

// A generalFrom is the last search in a list by origins: for an origin, and the index where its
// items begin.
type generalFrom struct{ origin, from int32 }

// byOrigin returns the items lo to hi-1 in the order of their origins. They are all items at a
// place, and at least one. The first call for a place sorts them, and resets its element of
// r.begun. The slice is part of r.order.
func (r *generalRun) byOrigin(lo, hi int32) []int32 {
	if more := len(r.items) - len(r.order); more > 0 {
		r.order, r.begun = append(r.order, make([]int32, more)...), append(r.begun, make([]generalFrom, more)...)
	}
	list := r.order[lo:hi]
	if list[0] != 0 || hi-lo > 1 && list[1] != 0 { // it was sorted: item 0 is there once, so two zeros are fresh memory
		return list
	}
	for i := range list {
		list[i] = lo + int32(i)
	}
	r.begun[lo].origin = -1
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.items[a].origin, r.items[b].origin), cmp.Compare(a, b))
	})
	r.steps += len(list) / 4
	return list
}

// from returns the index in a list by origins of the first item that began at an origin or later.
func (r *generalRun) from(list []int32, origin int32) int {
	return sort.Search(len(list), func(i int) bool { return r.items[list[i]].origin >= origin })
}

// eachOf calls f for each of the items lo to hi-1 that began at an origin. They must be all items at
// a place.
func (r *generalRun) eachOf(lo, hi, origin int32, f func(q int32)) {
	if hi-lo <= fewItems {
		for q := lo; q < hi; q++ {
			if r.items[q].origin == origin {
				f(q)
			}
		}
		return
	}
	list := r.byOrigin(lo, hi)
	// The last answer for this place is kept: a production asks for the same origin at one place again and again.
	known := &r.begun[lo]
	if known.origin != origin {
		*known = generalFrom{origin, int32(r.from(list, origin))}
	}
	for _, q := range list[known.from:] {
		if r.items[q].origin != origin {
			return
		}
		f(q)
	}
}

// eachLink calls f for each way to an item: with the item q that it was reached from, and the item
// child of the production that ended in between, or generalNone if bytes were read. The item must not be packed;
// if productions begin with it, q is -1. Finding the ways takes steps and may add sets, so that r.over may be set.
func (r *generalRun) eachLink(item int32, f func(q, child int32)) {
	x := r.items[item]
	if !x.more() {
		f(x.pred, x.by())
		return
	}
	if x.by() == generalNone {
		lo, hi := r.span(x.pred)
		r.eachOf(lo, hi, x.origin, func(q int32) {
			if r.reads(q, x) {
				f(q, generalNone)
			}
		})
	}
	lo, hi := r.span(item)
	if hi-lo <= fewItems {
		for c := lo; c < hi; c++ {
			r.linksBy(c, x, f)
		}
		return
	}
	list := r.byOrigin(lo, hi)
	for _, c := range list[r.from(list, x.origin):] { // what ended in x did not begin before it
		r.linksBy(c, x, f)
	}
}

// linksBy is eachLink for the ways by a production that ended as the item c, which is at the same
// place as the item x.
func (r *generalRun) linksBy(c int32, x generalItem, f func(q, child int32)) {
	r.steps++
	done := r.done(c)
	if len(done) == 0 || r.items[c].origin < x.origin { // what began before x's productions is not inside them
		return
	}
	o := r.origins[r.items[c].origin]
	r.eachOf(o.first, o.hi, x.origin, func(q int32) { // it needs all items at the place, though not all of them wait
		if q < o.lo || q >= o.hi {
			return
		}
		for _, k := range done {
			if r.after(r.items[q].set, k) == x.set {
				f(q, c)
				return
			}
		}
	})
}

// reads reports whether item x is reached from item q by the bytes between their places. This takes steps,
// and the sets on the way are made if they are new, so that r.over may be set.
func (r *generalRun) reads(q int32, x generalItem) bool {
	set := r.items[q].set
	for at := r.items[q].at; at < x.at; at++ {
		set = r.cell(set, int(r.classes[r.src[at]])).to
		r.steps++
	}
	return set == x.set
}
