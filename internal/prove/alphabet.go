package prove

import (
	"github.com/bnfcheck/bnfcheck/internal/expr"
	"github.com/bnfcheck/bnfcheck/internal/lang"
)

// An alphabet divides the bytes into classes that no terminal of some grammars tells apart, so that automata over them
// have rows of a few dozen entries and not of 256.
type alphabet struct {
	class [256]uint8
	bytes []expr.Set // of each class
	first []byte     // one byte of each class
}

func newAlphabet(grammars ...*expr.Grammar) *alphabet {
	a := &alphabet{}
	k := 1
	split := func(s expr.Set) {
		index := map[[2]uint8]uint8{}
		for b := range 256 {
			key := [2]uint8{a.class[b], 0}
			if s.Has(byte(b)) {
				key[1] = 1
			}
			c, ok := index[key]
			if !ok {
				c = uint8(len(index))
				index[key] = c
			}
			a.class[b] = c
		}
		k = len(index)
	}
	seen := map[expr.Set]bool{}
	terminal := func(s expr.Set) {
		if !seen[s] {
			seen[s] = true
			split(s)
		}
	}
	for _, g := range grammars {
		for _, r := range g.Rules {
			expr.Walk(r.Expr, func(e *expr.Expr) bool {
				switch e.Op {
				case expr.Class:
					terminal(e.Set)
				case expr.Literal:
					for i := range len(e.Lit) {
						terminal(expr.Bytes(e.Lit[i : i+1]))
					}
				}
				return true
			})
		}
	}
	a.bytes, a.first = make([]expr.Set, k), make([]byte, k)
	for b := 255; b >= 0; b-- {
		a.bytes[a.class[b]].Add(byte(b))
		a.first[a.class[b]] = byte(b)
	}
	return a
}

func (a *alphabet) size() int { return len(a.bytes) }

// classes gives the classes that s is made of, as a set of class numbers.
func (a *alphabet) classes(s expr.Set) expr.Set {
	var out expr.Set
	for c, b := range a.first {
		if s.Has(b) {
			out.Add(byte(c))
		}
	}
	return out
}

// expand is the inverse of classes.
func (a *alphabet) expand(classes expr.Set) expr.Set {
	var out expr.Set
	for _, c := range classes.Members() {
		out = out.Union(a.bytes[c])
	}
	return out
}

// table gives a DFA's successors by class: next[q*size+c].
func (a *alphabet) table(d *lang.DFA) []int32 {
	next := make([]int32, 0, d.States()*a.size())
	for q := range d.States() {
		for _, b := range a.first {
			next = append(next, int32(d.Next(q, b)))
		}
	}
	return next
}

// An nfa is a [lang.NFA] in the making.
type nfa struct{ lang.NFA }

func newNFA() *nfa {
	n := &nfa{}
	n.Start, n.Final = n.state(), n.state()
	return n
}

func (n *nfa) state() int32 {
	n.States = append(n.States, lang.NFAState{})
	return int32(len(n.States) - 1)
}

func (n *nfa) silent(from, to int32) {
	if from != to {
		n.States[from].Epsilon = append(n.States[from].Epsilon, to)
	}
}

func (n *nfa) read(from int32, s expr.Set, to int32) {
	if !s.IsEmpty() {
		n.States[from].Edges = append(n.States[from].Edges, lang.Edge{Set: s, To: to})
	}
}
