package regex

// A node is a part of an expression. Anchors are lookarounds: \b asks for the symbol before and the one after.
type node struct {
	op       op
	set      set      // opSet
	lit      rune     // opSet: the character that is written, if it may be part of a ligature (Ruby); 0 otherwise
	sharp    int      // opSet, opAlt: the letters s in its full case folding (Perl)
	once     bool     // opSet: a negated class of the flag v, which V8 reads differently the second time it compiles it
	plain    bool     // opSet: a character that is written
	alone    bool     // opSet: it cannot be joined to the character before it
	sub      []*node  // parts
	min, max int      // opRepeat; max is -1 for no limit
	lazy     bool     // opRepeat: fewer rounds are tried first, which matters inside atomic groups only
	not      bool     // opAhead, opBehind
	group    int      // opGroup, opCall, opRef, opTest: its number; 0 is none, or the whole expression
	slot     int      // opGroup, opRef, opTest: the number by which the group is remembered, from 1; 0 if it is not
	name     string   // opGroup: its name, if it has one
	look     bool     // opAhead, opBehind: it is written as a lookaround, and is no anchor
	anchor   rune     // '^' or '$' if it is one of these, and not multiline
	branched bool     // opAlt: the parts are the branches that stand between "|" in the text
	at, end  int      // place in the text; an end of 0 says that none is set
	texts    [][]rune // opGroup: the texts that it matches, if a reference asks for them
	ways     [][]step // opGroup: the ways through it, if a reference asks for its texts
	mode     flags    // opRef: the flags where it stands
}

type op uint8

const (
	opEmpty  op = iota
	opSet       // one symbol of set
	opSeq       // all parts, one after the other
	opAlt       // one of the parts; the order matters inside atomic groups only
	opRepeat    // sub[0] min to max times
	opGroup     // sub[0], a group that captures
	opAtomic    // the first match of sub[0], without a return to others
	opAhead     // sub[0] matches here, or does not; nothing is consumed
	opBehind    // sub[0] matches what ends here, or does not
	opCall      // the group with the number, again
	opRef       // the text that the group with the number has matched; sub[0] is a choice of all of them
	opTest      // sub[0] if the group with the number has matched, else sub[1]
)

// seq, alt, one, ahead and behind return new nodes without a place: a sequence, a choice, a symbol of a set, a
// lookahead and a lookbehind, the last two negated if not is set.
func seq(list ...*node) *node { return &node{op: opSeq, sub: list} }
func alt(list ...*node) *node { return &node{op: opAlt, sub: list} }
func one(s set) *node         { return &node{op: opSet, set: s} }
func ahead(n *node, not bool) *node {
	return &node{op: opAhead, sub: []*node{n}, not: not}
}
func behind(n *node, not bool) *node {
	return &node{op: opBehind, sub: []*node{n}, not: not}
}

// written marks a lookaround as one that is written, and returns it.
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

// hasLookaround reports whether n or a part of it is an anchor or a lookaround.
func (n *node) hasLookaround() (found bool) {
	n.walk(func(s *node) { found = found || s.op == opAhead || s.op == opBehind })
	return found
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
