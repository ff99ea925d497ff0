package expr

import "slices"

// Components returns the strongly connected components of a graph on 0..n-1, given what each node leads to: each node in
// one of them, and each component behind those that it leads to. It is Tarjan's algorithm ("Depth-first search and linear
// graph algorithms", 1972) without recursion, since a grammar may be as deep as it is long.
func Components(n int, next func(i int) []int) [][]int {
	index, low := make([]int, n), make([]int, n) // 0 before a node is met
	done := make([]bool, n)
	var out [][]int
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
			group := slices.Clone(stack[from:])
			stack = stack[:from]
			for _, j := range group {
				done[j] = true
			}
			slices.Sort(group)
			out = append(out, group)
		}
	}
	return out
}
