package repair

// A waiting is a place that was reached and is still to be looked at.
type waiting struct {
	cost  Cost
	place int32 // or finish
	at    int32
}

// finish stands for the end, after every string.
const finish int32 = -1

// before reports whether w comes before o: by cost, then the larger offset, then the one reached first.
func (w waiting) before(o waiting) bool {
	if w.cost != o.cost {
		return w.cost < o.cost
	}
	if w.at != o.at {
		return w.at > o.at
	}
	return w.place < o.place
}

// A queue is a binary heap with the first one on top.
type queue []waiting

// push adds w and restores the order of the heap.
func (q *queue) push(w waiting) {
	h := append(*q, w)
	*q = h
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !w.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = w
}

// pop removes the first one and returns it. The queue must not be empty.
func (q *queue) pop() waiting {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	return top
}
