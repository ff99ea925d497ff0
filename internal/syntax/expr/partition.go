package expr

// A Partition divides the bytes into classes: Class[b] is the class of b, and the classes are numbered from 0 by
// their smallest byte. It is refined set by set: in the end, each set that it was split by consists of whole
// classes. [NewPartition] makes one; the zero Partition cannot be split.
type Partition struct {
	Class [256]uint8
	N     int // the number of classes

	done map[Set]bool
}

// NewPartition returns the coarsest partition in which each class lies inside or outside of each set.
func NewPartition(sets ...Set) *Partition {
	p := &Partition{N: 1, done: map[Set]bool{}}
	for _, s := range sets {
		p.Split(s)
	}
	return p
}

// Split refines the partition until each class lies inside s or outside, and numbers the classes anew.
func (p *Partition) Split(s Set) {
	if p.done[s] {
		return
	}
	p.done[s] = true
	var index [2][256]uint16 // by whether s has a byte, and its class: the new class plus one
	n := uint16(0)
	for x := range p.Class {
		side := &index[0]
		if s.Has(byte(x)) {
			side = &index[1]
		}
		c := &side[p.Class[x]]
		if *c == 0 {
			n++
			*c = n
		}
		p.Class[x] = uint8(*c - 1)
	}
	p.N = int(n)
}

// SplitByTerminals refines the partition until no terminal in e tells two bytes of a class apart.
func (p *Partition) SplitByTerminals(e *Expr) { Terminals(e, p.Split) }

// Terminals calls f with the bytes of each class in e and with each byte of each literal.
func Terminals(e *Expr, f func(Set)) {
	Walk(e, func(e *Expr) bool {
		switch e.Op {
		case Class:
			f(e.Set)
		case Literal:
			for i := range len(e.Lit) {
				f(Bytes(e.Lit[i : i+1]))
			}
		}
		return true
	})
}

// First returns the smallest byte of each class.
func (p *Partition) First() []byte {
	first := make([]byte, p.N)
	for x := 255; x >= 0; x-- {
		first[p.Class[x]] = byte(x)
	}
	return first
}

// In returns the numbers of the classes that have a byte of s, in ascending order.
func (p *Partition) In(s Set) (list []int) {
	for c, class := range p.Sets() {
		if !class.Intersect(s).IsEmpty() {
			list = append(list, c)
		}
	}
	return list
}

// Sets returns the bytes of each class.
func (p *Partition) Sets() []Set {
	out := make([]Set, p.N)
	for x, c := range p.Class {
		out[c].Add(byte(x))
	}
	return out
}
