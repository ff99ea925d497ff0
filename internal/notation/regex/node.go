package regex

// A node is a part of an expression. Anchors are lookarounds: \b is one for the symbol before and one for that behind.
type node struct {
	op       op
	set      set      // opSet
	lit      rune     // opSet: the character that is written, where others beside it matter; 0 otherwise
	once     bool     // opSet: a negated class of the flag v, which V8 reads otherwise the second time it compiles it
	plain    bool     // opSet: a character that is written
	alone    bool     // opSet: what stands before it does not
	sub      []*node  // parts
	min, max int      // opRepeat; max is -1 for no limit
	lazy     bool     // opRepeat: fewer come first, which matters inside of an atomic group only
	not      bool     // opAhead, opBehind
	group    int      // opGroup, opCall, opRef, opTest: its number; 0 is none, or the whole expression
	slot     int      // opGroup, opRef, opTest: where the group is remembered, from 1 on; 0 if it is not
	name     string   // opGroup: its name, if it has one
	look     bool     // opAhead, opBehind: it is written as such
	anchor   rune     // '^' or '$' if it is one of these, and not multiline
	at, end  int      // place in the text
	texts    [][]rune // opGroup: what it matches, if a reference asks for it
	ways     [][]step // opGroup: the ways through it then
	mode     flags    // opRef: the flags there
}

type op uint8

const (
	opEmpty  op = iota
	opSet       // one symbol of set
	opSeq       // all parts, one after the other
	opAlt       // one of the parts; the order matters inside of an atomic group only
	opRepeat    // sub[0] min to max times
	opGroup     // sub[0], a group that captures
	opAtomic    // the first match of sub[0], without return to others
	opAhead     // sub[0] matches here, or does not; nothing is consumed
	opBehind    // sub[0] matches what ends here, or does not
	opCall      // the group with the number
	opRef       // the text that the group with the number has matched; sub[0] has all of them
	opTest      // sub[0] if the group with the number has matched, else sub[1]
)

func seq(list ...*node) *node { return &node{op: opSeq, sub: list} }
func alt(list ...*node) *node { return &node{op: opAlt, sub: list} }
func one(s set) *node         { return &node{op: opSet, set: s} }
func ahead(n *node, not bool) *node {
	return &node{op: opAhead, sub: []*node{n}, not: not}
}
func behind(n *node, not bool) *node {
	return &node{op: opBehind, sub: []*node{n}, not: not}
}

// written marks a lookaround as one that is written.
func written(n *node) *node {
	n.look = true
	return n
}

// walk calls f for n and its parts, in order.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, s := range n.sub {
		s.walk(f)
	}
}

// place sets the place of n and of the parts below it. A node that has a place keeps it, and so do its parts.
func (n *node) place(at, end int) {
	if n.end == 0 {
		n.at, n.end = at, end
		for _, s := range n.sub {
			s.place(at, end)
		}
	}
}
