package regex

import (
	"encoding/binary"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
)

// A trie reads characters byte by byte. A character is of some kind, which is all that is asked of it. Node 0 begins a
// character. A successor of -1-i, which is no node, ends a character of kind i.
type trie struct {
	nodes [][256]int32
	kinds [][]int32 // of each node, the kinds of characters it leads to, ascending
	ids   map[[256]int32]int32
	alike map[[2]int32]int32 // nodes with characters of one kind alone, by the kind and the number of bytes to come

	// characters up to last[i], and after last[i-1], are of kind[i]
	last []rune
	kind []int32
}

// broken is the successor for a byte that no character of UTF-8 has at that place.
const broken = int32(-1 << 30)

// newTrie returns the trie of UTF-8. The characters up to last[i], and after last[i-1], are of kind[i].
// Surrogates and overlong spellings are broken.
func newTrie(last []rune, kind []int32) *trie {
	t := &trie{ids: map[[256]int32]int32{}, alike: map[[2]int32]int32{}, last: last, kind: kind}
	t.nodes, t.kinds = make([][256]int32, 1), make([][]int32, 1)
	for b := range rune(256) {
		to := broken
		switch {
		case b < 0x80:
			to = t.nodeAfter(b, 0, 0)
		case b >= 0xc2 && b < 0xe0:
			to = t.nodeAfter(b&0x1f, 1, 0x80)
		case b >= 0xe0 && b < 0xf0:
			to = t.nodeAfter(b&0x0f, 2, 0x800)
		case b >= 0xf0 && b < 0xf5:
			to = t.nodeAfter(b&0x07, 3, 0x10000)
		}
		t.nodes[0][b] = to
	}
	return t
}

// nodeAfter returns the successor after some bytes of a character, which give it its high bits; n more bytes follow.
// For n = 0 that is the end of the character, and otherwise a node, which it makes with all nodes after it. least is
// the first character with as many bytes in all: lower ones would be overlong. If no character begins so, the
// successor is broken. Equal nodes are made once.
func (t *trie) nodeAfter(high rune, n int, least rune) int32 {
	lo, hi := high<<(6*n), (high+1)<<(6*n)-1
	if hi < least || lo > 0x10ffff || lo >= 0xd800 && hi <= 0xdfff {
		return broken
	}
	i, _ := slices.BinarySearch(t.last, lo)
	if n == 0 {
		return -1 - t.kind[i]
	}
	// Where all characters from lo to hi exist and are of one kind, the node depends on the kind and n alone.
	key := [2]int32{t.kind[i], int32(n)}
	allExist := lo >= least && (hi < 0xd800 || lo > 0xdfff)
	allOneKind := allExist && t.last[i] >= hi
	if id, ok := t.alike[key]; ok && allOneKind {
		return id
	}
	var node [256]int32
	var kinds []int32
	for b := range node {
		node[b] = broken
		if b&0xc0 == 0x80 { // a byte that continues a character
			node[b] = t.nodeAfter(high<<6|rune(b&0x3f), n-1, least)
		}
		if to := node[b]; to >= 0 {
			kinds = append(kinds, t.kinds[to]...)
		} else if to != broken {
			kinds = append(kinds, -1-to)
		}
	}
	id, ok := t.ids[node]
	if !ok {
		id = int32(len(t.nodes))
		slices.Sort(kinds)
		t.nodes, t.kinds, t.ids[node] = append(t.nodes, node), append(t.kinds, slices.Compact(kinds)), id
	}
	if allOneKind {
		t.alike[key] = id
	}
	return id
}

// A speller turns an automaton over symbols into one over bytes.
type speller struct {
	budget     *budget.Budget
	trie       *trie
	kinds      [][]int // of each kind of character, the classes of its symbols
	bad        int     // the class of a byte that is no part of a character; -1 if an input has no such byte
	classCount int
	next       []int32 // of the automaton over symbols: state q goes on class c to next[q*k+c]
	dead       int32   // its state that accepts nothing, or -1
	nfa        lang.NFA
	ids        map[string]int32
	key        []byte // the buffer for the key of a state
	todo       []spelled
}

// A spelled is the state q of the automaton after some bytes of a character, which lead to node.
type spelled struct {
	q, node int32
	bytes   int
}

// run returns the state of the automaton over symbols that it reaches from q by symbols of these classes.
func (s *speller) run(q int32, classes ...int) int32 {
	for _, c := range classes {
		q = s.next[int(q)*s.classCount+c]
	}
	return q
}

// state returns the state of the NFA for a spelled, or -1 if it is known to accept nothing: where an input may be
// broken UTF-8, that is known between characters alone. A new one is appended to todo. Two spelleds at one node are
// the same state if all characters lead from them to the same states, unless an input may be broken UTF-8 (s.bad is
// not -1): then the bytes so far count as well.
func (s *speller) state(p spelled) int32 {
	key := binary.AppendVarint(s.key[:0], int64(p.node))
	if p.node == 0 || s.bad >= 0 {
		key = binary.AppendVarint(binary.AppendVarint(key, int64(p.q)), int64(p.bytes))
	} else { // its successors alone tell it from others
		for _, k := range s.trie.kinds[p.node] {
			key = binary.AppendVarint(key, int64(s.run(p.q, s.kinds[k]...)))
		}
	}
	s.key = key
	s.budget.Step(len(key))
	id, ok := s.ids[string(key)]
	if !ok {
		id = -1
		if p.q != s.dead && (p.node == 0 || s.bad >= 0 || slices.ContainsFunc(s.trie.kinds[p.node], func(k int32) bool {
			return s.run(p.q, s.kinds[k]...) != s.dead
		})) {
			id = int32(len(s.todo)) + 1 // 0 is the final state; todo only grows
			s.budget.State(int(id), 1<<20)
			s.todo = append(s.todo, p)
		}
		s.ids[string(key)] = id
	}
	return id
}

// after returns the state after one more byte, x. It is -1 where state says so, and where no input has such bytes. If
// the bytes of p and x begin no character, and an input may be broken, the bytes of p count as broken, and x is read
// again at the beginning of a character.
func (s *speller) after(p spelled, x int) int32 {
	to := s.trie.nodes[p.node][x]
	switch {
	case to >= 0:
		return s.state(spelled{p.q, to, p.bytes + 1})
	case to != broken:
		return s.state(spelled{q: s.run(p.q, s.kinds[-1-to]...)})
	case s.bad < 0:
		return -1
	case p.bytes == 0:
		return s.state(spelled{q: s.run(p.q, s.bad)})
	}
	return s.after(spelled{q: s.afterBroken(p)}, x)
}

// afterBroken returns the state of the automaton after the bytes of p, each of them read as one broken byte.
func (s *speller) afterBroken(p spelled) int32 {
	for range p.bytes {
		p.q = s.run(p.q, s.bad)
	}
	return p.q
}

// spell returns the automaton over bytes. accept says, by state of the automaton over symbols, whether it accepts. It
// fails if a limit is passed. A speller spells once.
func (s *speller) spell(accept []bool, l lang.Limits) (*lang.DFA, error) {
	s.ids = map[string]int32{}
	s.nfa.States = make([]lang.NFAState, 1)
	s.nfa.Budget = s.budget
	if s.nfa.Start = s.state(spelled{}); s.nfa.Start < 0 {
		return lang.Empty(), nil
	}
	for i := 0; i < len(s.todo); i++ {
		p := s.todo[i]
		var state lang.NFAState
		at := -1 // the index of the edge that the byte before has; -1 for none
		for x := range 256 {
			// Bytes with one successor in the trie lead to one state, but not if they are broken: x is read again then.
			to := &s.trie.nodes[p.node]
			if x == 0 || to[x] != to[x-1] || to[x] == broken {
				q := s.after(p, x)
				if at = slices.IndexFunc(state.Edges, func(e lang.Edge) bool { return e.To == q }); at < 0 && q >= 0 {
					at = len(state.Edges)
					state.Edges = append(state.Edges, lang.Edge{To: q})
				}
			}
			if at >= 0 {
				state.Edges[at].Set.Add(byte(x))
			}
		}
		if (p.bytes == 0 || s.bad >= 0) && accept[s.afterBroken(p)] {
			state.Epsilon = []int32{s.nfa.Final}
		}
		s.nfa.States = append(s.nfa.States, state)
	}
	return s.nfa.Determinize(l)
}
