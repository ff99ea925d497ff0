package expr

import (
	"hash/maphash"
	"slices"
)

// A Component is a maximal set of rules that use each other, or a single rule. The uses are those of [Facts.Uses].
type Component struct {
	Rules     []*Rule // in the order of the text
	Recursive bool    // a rule of it uses one of it

	// Left and Right report whether something that is not empty can stand before and after such a use.
	Left, Right bool
}

// Embeds reports whether the rules embed themselves, so that no finite automaton accepts what they derive.
func (c *Component) Embeds() bool { return c.Left && c.Right }

// Components lists the components of the rules, each after those that it uses.
func (f *Facts) Components() []*Component { return f.components }

// Component returns the component of the rule with this ID, or nil if there is no such rule.
func (f *Facts) Component(id string) *Component { return f.at(id).in }

// findComponents sets f.components, and the component of each rule.
func (f *Facts) findComponents(rules []*Rule) {
	for _, group := range Groups(rules, func(r *Rule) (ids []string) {
		for _, u := range f.at(r.ID).uses {
			ids = append(ids, u.ID)
		}
		return ids
	}) {
		c := &Component{Rules: group}
		for _, r := range group {
			f.at(r.ID).in = c
		}
		for _, r := range group {
			for _, u := range f.at(r.ID).uses {
				if f.at(u.ID).in == c {
					c.Recursive, c.Left, c.Right = true, c.Left || u.Left, c.Right || u.Right
				}
			}
		}
		f.components = append(f.components, c)
	}
}

// Groups returns the rules in sets: rules that use each other are in one set, and every other rule is in a set of
// its own. Each set comes after those that it uses, and the rules of a set are in their order. If two rules have
// one ID, the first counts, and the other is in no set. Uses of IDs without a rule are ignored.
func Groups(rules []*Rule, uses func(r *Rule) []string) (groups [][]*Rule) {
	index := make(map[string]int, len(rules))
	for i, r := range slices.Backward(rules) {
		index[r.ID] = i
	}
	EachComponent(len(rules), func(i int) (next []int) {
		if index[rules[i].ID] != i {
			return nil
		}
		for _, id := range uses(rules[i]) {
			if j, ok := index[id]; ok {
				next = append(next, j)
			}
		}
		return next
	}, func(group []int) {
		var set []*Rule
		for _, i := range group {
			set = append(set, rules[i])
		}
		if index[set[0].ID] == group[0] { // another rule with the same ID is a set of its own, and dropped
			groups = append(groups, set)
		}
	})
	return groups
}

// Memo returns the value of k in known. If there is none, it makes the value, and stores it there.
func Memo[K comparable, V any](known map[K]V, k K, made func() V) V {
	v, ok := known[k]
	if !ok {
		v = made()
		known[k] = v
	}
	return v
}

// A Numbering numbers values from 0 on, in the order in which they are first met. Only its own methods may change its
// list. It is a hash table over the list, since a map would keep each value once more: searches number millions.
type Numbering[K comparable] struct {
	List []K

	// The number of a value plus one stands at its hash or in the next place that is free, 0 in free ones. There are a
	// power of two of places, at least half of them free; none while the list is short.
	slots []int32
}

// fewNumbered caps the values that a Numbering compares one by one.
const fewNumbered = 8

// numberingSeed is the seed of all hashes of a [Numbering]. They only decide where a search begins.
var numberingSeed = maphash.MakeSeed()

// Of returns the number of k. If k is fresh, not met before, that is the next one, and k is appended to n.List.
func (n *Numbering[K]) Of(k K) (i int, fresh bool) {
	if n.slots == nil {
		if i := slices.Index(n.List, k); i >= 0 {
			return i, false
		}
		n.List = append(n.List, k)
		if len(n.List) > fewNumbered {
			n.grow()
		}
		return len(n.List) - 1, true
	}
	slot := maphash.Comparable(numberingSeed, k)
	for ; ; slot++ {
		at := &n.slots[slot&uint64(len(n.slots)-1)]
		if *at == 0 {
			n.List = append(n.List, k)
			*at = int32(len(n.List))
			break
		}
		if n.List[*at-1] == k {
			return int(*at - 1), false
		}
	}
	if 2*len(n.List) > len(n.slots) {
		n.grow()
	}
	return len(n.List) - 1, true
}

// grow makes four places for each value of the list.
func (n *Numbering[K]) grow() {
	size := 4 * fewNumbered
	for size < 4*len(n.List) {
		size *= 2
	}
	n.slots = make([]int32, size)
	for i, k := range n.List {
		slot := maphash.Comparable(numberingSeed, k)
		for n.slots[slot&uint64(size-1)] != 0 {
			slot++
		}
		n.slots[slot&uint64(size-1)] = int32(i) + 1
	}
}

// Components returns the strongly connected components of a graph on 0..n-1: each node in one of them, and each
// component after those that it leads to. next returns the nodes that a node leads to. It is Tarjan's algorithm
// ("Depth-first search and linear graph algorithms", 1972) without recursion, since a grammar may be as deep as it
// is long.
func Components(n int, next func(i int) []int) (list [][]int) {
	EachComponent(n, next, func(group []int) { list = append(list, slices.Clone(group)) })
	return list
}

// EachComponent calls visit for each of [Components], with its nodes in ascending order. The slice is overwritten
// after the call.
func EachComponent(n int, next func(i int) []int, visit func(group []int)) {
	index, low := make([]int, n), make([]int, n) // 0 before a node is met
	done := make([]bool, n)
	var stack []int
	type call struct {
		node int
		to   []int
	}
	var calls []call
	met := 0
	enter := func(i int) {
		met++
		index[i], low[i] = met, met
		stack = append(stack, i)
		calls = append(calls, call{i, next(i)})
	}
	for root := range n {
		if index[root] > 0 {
			continue
		}
		for enter(root); len(calls) > 0; {
			c := &calls[len(calls)-1]
			if len(c.to) > 0 {
				to := c.to[0]
				c.to = c.to[1:]
				if index[to] == 0 {
					enter(to)
				} else if !done[to] {
					low[c.node] = min(low[c.node], index[to])
				}
				continue
			}
			i := c.node
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].node
				low[up] = min(low[up], low[i])
			}
			if low[i] < index[i] {
				continue
			}
			from := len(stack) - 1
			for stack[from] != i {
				from--
			}
			group := stack[from:]
			stack = stack[:from]
			for _, j := range group {
				done[j] = true
			}
			slices.Sort(group)
			visit(group)
		}
	}
}
