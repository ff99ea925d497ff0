package lang

import "slices"

// A listIndex numbers lists of numbers in the order in which they are first met. It is a hash table over one piece of
// memory: a subset construction looks up millions of lists, and a map would want a string for each. The zero value is
// empty.
type listIndex struct {
	flat   []int32  // the lists, one after the other
	ends   []int    // by number: where a list ends in flat
	hashes []uint64 // by number

	// A hash table: the number of a list plus one stands at its hash or in the next place that is free, 0 in free ones.
	// There are a power of two of places, at least half of them free.
	slots []int32
}

// len returns how many lists have a number.
func (x *listIndex) len() int { return len(x.ends) }

// at returns list i, which must not be changed. It is valid until a list is added.
func (x *listIndex) at(i int32) []int32 {
	from := 0
	if i > 0 {
		from = x.ends[i-1]
	}
	return x.flat[from:x.ends[i]]
}

// of returns the number of a list, of which it keeps a copy if it is fresh.
func (x *listIndex) of(list []int32) (i int32, fresh bool) {
	if 2*len(x.ends) >= len(x.slots) {
		x.grow()
	}
	h := uint64(hashSeed)
	for _, n := range list {
		h = hashStep(h, uint64(uint32(n)))
	}
	slot := x.slotFrom(h, func(i int32) bool { return x.hashes[i] == h && slices.Equal(x.at(i), list) })
	if *slot > 0 {
		return *slot - 1, false
	}
	x.flat = append(x.flat, list...)
	x.ends = append(x.ends, len(x.flat))
	x.hashes = append(x.hashes, h)
	*slot = int32(len(x.ends))
	return *slot - 1, true
}

// slotFrom returns the first slot from the place of a hash on that is free or has a number for which same is true.
func (x *listIndex) slotFrom(h uint64, same func(i int32) bool) *int32 {
	for ; ; h++ {
		slot := &x.slots[h&uint64(len(x.slots)-1)]
		if *slot == 0 || same(*slot-1) {
			return slot
		}
	}
}

// grow doubles the slots.
func (x *listIndex) grow() {
	x.slots = make([]int32, max(16, 2*len(x.slots)))
	for i, h := range x.hashes {
		*x.slotFrom(h, func(int32) bool { return false }) = int32(i) + 1
	}
}
