package ast

// drop drops the items that the tree does not need. It needs those at the place that is read, those that wait for them, and what these
// were reached from. Of a production that ended it needs the nodes alone, if there is one item as its end and nothing is open that began
// there: they are appended to pool. Pred of that item is then -2 less where they begin, and child is where they end. Without a tree, what
// items were reached from is not needed.
func (r *generalRun) drop(tree bool) {
	whole, wanted := make([]bool, len(r.items)), make([]int32, len(r.origins)) // by origin: 0, the one end that is needed plus 1, or -1
	var todo []int32
	keep := func(i int32) {
		if !whole[i] {
			whole[i] = true
			todo = append(todo, i)
		}
	}
	for i := range r.items[r.cur:] {
		keep(r.cur + int32(i))
	}
	for n := 0; n < len(todo); n++ {
		o := r.items[todo[n]].origin
		for i := r.origins[o].lo; i < r.origins[o].hi && wanted[o] == 0; i++ {
			if x := &r.items[i]; x.pred == -1 || r.acts[r.cell(x.set, r.class(int(x.at))).act].begin != 0 {
				keep(i)
			}
		}
		wanted[o] = -1
	}
	want := func(c int32) {
		w := &wanted[r.items[c].origin]
		if done := r.done(c); *w == 0 && len(done) == 1 && !r.loose[done[0]] && len(r.pool) < 2*r.limits.Items {
			*w = c + 1
		}
		if *w == c+1 {
			return
		}
		if *w > 0 {
			keep(*w - 1)
		}
		*w = -1
		keep(c)
	}
	for n := 0; n < len(todo) && tree; n++ {
		if r.items[todo[n]].pred >= 0 {
			r.eachLink(todo[n], func(q, c int32) {
				if keep(q); c != generalNone {
					want(c)
				}
			})
		}
	}
	var made []generalItem // with the item as at
	for _, w := range wanted {
		if c := w - 1; w > 0 && !whole[c] && r.items[c].pred >= 0 && !r.over {
			lo, k := len(r.pool), r.done(c)[0]
			if !r.plain[k] && !r.proven[k] {
				r.ends, r.nodes, r.base = append(r.ends[:0], c), r.pool, lo
				r.walk(k, r.items[r.origins[r.items[c].origin].lo].at, false)
				r.pool, r.nodes = r.nodes, nil
			}
			made = append(made, generalItem{at: c, pred: -2 - int32(lo), child: int32(len(r.pool))})
		}
	}
	for _, m := range made {
		r.items[m.at].pred, r.items[m.at].child = m.pred, m.child
	}
	r.steps += len(r.items)

	index, n := make([]int32, len(r.items)+1), int32(0)
	for i, x := range r.items {
		if index[i] = n; whole[i] || wanted[x.origin] == int32(i)+1 {
			n++
		}
	}
	index[len(r.items)] = n
	origins := r.origins[:0]
	for o, x := range r.origins {
		if wanted[o] != 0 {
			wanted[o] = int32(len(origins))
			origins = append(origins, generalOrigin{index[x.lo], index[x.hi]})
		}
	}
	for i, x := range r.items {
		if index[i] == index[i+1] {
			continue
		}
		if x.origin = wanted[x.origin]; x.pred >= 0 {
			x.pred = index[x.pred]
			if c := x.by(); c != generalNone {
				x.child = index[c] | x.child&generalMore
			}
		}
		r.items[index[i]] = x
	}
	r.cur, r.place, r.items, r.origins, r.ends = index[r.cur], -1, r.items[:n], origins, r.ends[:0]
	r.full = 2*len(r.items) + r.spare(tree)
}

// spare returns how many items are made before some are dropped, beside twice those that are left. A tree is made faster if its parts are
// not moved; without one, what is near is.
func (r *generalRun) spare(tree bool) int {
	if tree {
		return r.limits.Items / 4
	}
	return min(r.limits.Items/4, 1<<16)
}

// paste appends nodes that are counted from the first of them.
func (r *generalRun) paste(list []Raw, shift int32) {
	n := len(r.nodes)
	r.nodes = append(r.nodes, list...)
	r.shift(r.nodes[n:], shift, n)
	r.steps += len(list)
	r.over = r.over || r.steps > r.limits.Steps
}

// shift has nodes begin later, and counts them from the first of all; the first of them is at n.
func (r *generalRun) shift(list []Raw, by int32, n int) {
	for i := range list {
		x := &list[i]
		x.Start, x.End, x.Next = x.Start+by, x.End+by, x.Next+int32(n-r.base)
	}
}
