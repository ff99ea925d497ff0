package lang

import (
	"cmp"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Empty returns the language without words.
func Empty() *DFA { return OfSet(expr.Set{}) }

// All returns the language of all words.
func All() *DFA { return Empty().Complement() }

// Epsilon returns the language whose only word is the empty one.
func Epsilon() *DFA { return OfString("") }

// OfSet returns the language of the words that are one byte of s.
func OfSet(s expr.Set) *DFA {
	const start, end, dead = 0, 1, 2
	p := expr.NewPartition(s)
	t := &table{class: p.Class, k: p.N, accept: []bool{end: true, dead: false}}
	t.next = slices.Repeat([]int32{dead}, len(t.accept)*t.k)
	for c, x := range p.First() {
		if s.Has(x) {
			t.next[start*t.k+c] = end
		}
	}
	return t.dfa(start)
}

// OfString returns the language whose only word is w.
func OfString(w string) *DFA {
	t := &table{k: 1}
	for i := 0; i < len(w); i++ {
		if x := w[i]; t.class[x] == 0 && t.k < 256 {
			t.class[x] = uint8(t.k)
			t.k++
		}
	}
	// Class 0 has the bytes that are not in w. If w has all 256 bytes, the last one keeps class 0, which is then its
	// own.
	dead := int32(len(w) + 1)
	t.accept = make([]bool, len(w)+2)
	t.accept[len(w)] = true
	t.next = slices.Repeat([]int32{dead}, len(t.accept)*t.k)
	for i := 0; i < len(w); i++ {
		t.next[i*t.k+int(t.class[w[i]])] = int32(i + 1)
	}
	return t.dfa(0)
}

// Union returns the words in a or b.
func (a *DFA) Union(b *DFA) *DFA {
	return a.product(b, func(p, q bool) bool { return p || q })
}

// Intersect returns the words in both a and b.
func (a *DFA) Intersect(b *DFA) *DFA {
	return a.product(b, func(p, q bool) bool { return p && q })
}

// Minus returns the words in a that are not in b.
func (a *DFA) Minus(b *DFA) *DFA {
	return a.product(b, func(p, q bool) bool { return p && !q })
}

// SymmetricDifference returns the words in exactly one of a and b.
func (a *DFA) SymmetricDifference(b *DFA) *DFA {
	return a.product(b, func(p, q bool) bool { return p != q })
}

// Complement returns the words not in a.
func (a *DFA) Complement() *DFA {
	b := &DFA{
		class: a.class, k: a.k, sets: a.sets, next: a.next,
		accept: make([]bool, len(a.accept)), dead: -1, budget: a.budget,
	}
	for q, ok := range a.accept {
		b.accept[q] = !ok
		if ok && !slices.ContainsFunc(a.next[q*a.k:(q+1)*a.k], func(to int32) bool { return to != int32(q) }) {
			b.dead = int32(q)
		}
	}
	return b
}

// IsEmpty reports whether a has no word.
func (a *DFA) IsEmpty() bool { return a.dead == 0 }

// Subset reports whether every word of a is in b.
func (a *DFA) Subset(b *DFA) bool {
	return a.neverHolds(b, func(p, q bool) bool { return p && !q })
}

// Disjoint reports whether a and b have no word in common.
func (a *DFA) Disjoint(b *DFA) bool {
	return a.neverHolds(b, func(p, q bool) bool { return p && q })
}

// From returns the words accepted from q, which are the words that may follow those that lead to q.
func (a *DFA) From(q int) *DFA {
	if q == 0 {
		return a
	}
	return (&table{a.class, a.k, a.next, a.accept, a.budget}).number(int32(q))
}

// Derivative returns the words v such that wv is in a (Brzozowski, "Derivatives of regular expressions", 1964).
func (a *DFA) Derivative(w string) *DFA { return a.From(a.Run(0, w)) }

// Concat returns the words that are a word of a followed by a word of b.
func (a *DFA) Concat(b *DFA) *DFA {
	n := NewNFA(a.budget)
	mid := n.State()
	n.Add(a, nil, n.Start, mid)
	n.Add(b, nil, mid, n.Final)
	return n.determinizeFully()
}

// Star returns the words that are any number of words of a, one after the other; no word of a is the empty word.
func (a *DFA) Star() *DFA {
	n := NewNFA(a.budget)
	loop := n.State()
	n.Silent(n.Start, loop)
	n.Add(a, nil, loop, loop)
	n.Silent(loop, n.Final)
	return n.determinizeFully()
}

// Reverse returns a's words spelled backward. That can take exponentially many states. No limit on states applies, only
// the budget of a.
func (a *DFA) Reverse() *DFA {
	n := &NFA{Budget: a.budget}
	for range a.accept {
		n.State()
	}
	n.Start, n.Final = n.State(), 0
	for q, ok := range a.accept {
		for _, e := range a.Edges(q) {
			n.Read(e.To, e.Set, int32(q))
		}
		if ok {
			n.Silent(n.Start, int32(q))
		}
	}
	return n.determinizeFully()
}

// Edges lists the live states that q leads to, each with the bytes that lead there, in the order of the smallest such
// byte.
func (a *DFA) Edges(q int) []Edge {
	var out []Edge
	for c, p := range a.next[q*a.k : (q+1)*a.k] { // classes are numbered by their smallest byte
		if p == a.dead {
			continue
		}
		if i := slices.IndexFunc(out, func(e Edge) bool { return e.To == p }); i >= 0 {
			out[i].Set = out[i].Set.Union(a.sets[c])
		} else {
			out = append(out, Edge{Set: a.sets[c], To: p})
		}
	}
	return out
}

// A joint runs a and b side by side. pairs has the pairs of their classes that share a byte, and class the index of
// the pair of each byte.
type joint struct {
	a, b  *DFA
	class [256]uint8
	pairs [][2]uint8
}

// joinClasses pairs the classes of a and b.
func joinClasses(a, b *DFA) *joint {
	j := &joint{a: a, b: b}
	var pairs expr.Numbering[[2]uint8]
	for x := range 256 {
		i, _ := pairs.Of([2]uint8{a.class[x], b.class[x]})
		j.class[x] = uint8(i)
	}
	j.pairs = pairs.List
	return j
}

// budget returns the budget of a or, if it has none, of b.
func (j *joint) budget() *budget.Budget { return cmp.Or(j.a.budget, j.b.budget) }

// walk visits the pairs of states that can be reached together from the starts, breadth-first, until visit returns
// false. It returns, for each pair in this order and each pair of classes, the place in this order that they lead to.
// The result is complete only if visit never returned false.
func (j *joint) walk(visit func(p, q int32) bool) (next []int32) {
	var order expr.Numbering[[2]int32]
	order.Of([2]int32{})
	b := j.budget()
	for i := 0; i < len(order.List); i++ {
		p, q := order.List[i][0], order.List[i][1]
		b.Step(2 * len(j.pairs))
		b.Room(int64(len(order.List)) * int64(16*len(j.pairs)+64)) // includes the memory for minimizing the product
		if !visit(p, q) {
			return next
		}
		for _, c := range j.pairs {
			to := [2]int32{j.a.next[int(p)*j.a.k+int(c[0])], j.b.next[int(q)*j.b.k+int(c[1])]}
			n, _ := order.Of(to)
			next = append(next, int32(n))
		}
	}
	return next
}

// product returns the words w for which accept(w in a, w in b).
func (a *DFA) product(b *DFA, accept func(p, q bool) bool) *DFA {
	j := joinClasses(a, b)
	t := &table{class: j.class, k: len(j.pairs), budget: j.budget()}
	t.next = j.walk(func(p, q int32) bool {
		t.accept = append(t.accept, accept(a.accept[p], b.accept[q]))
		return true
	})
	return t.dfa(0)
}

// neverHolds reports whether there is no word w with accept(w in a, w in b). It stops at the first one.
func (a *DFA) neverHolds(b *DFA, accept func(p, q bool) bool) bool {
	found := false
	joinClasses(a, b).walk(func(p, q int32) bool {
		found = accept(a.accept[p], b.accept[q])
		return !found
	})
	return !found
}
