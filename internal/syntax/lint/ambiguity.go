package lint

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/syntax/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// ambiguous returns a shortest word that has two paths in a; ok is false if there is none. It searches the square of a
// (Book, Even, Greibach and Ott, "Ambiguity in graphs and expressions", 1971): two paths that read the same bytes go
// together as long as they are the same, and once they differ go on separately. The error is a square of more than limit
// pairs of states.
func (a *automaton) ambiguous(limit int) (w string, ok bool, err error) {
	classes := expr.NewPartition()
	for q := range a.arcs {
		for _, s := range a.arcs[q] {
			classes.Split(s.set)
		}
	}
	order := preferred(classes)
	next := a.table(classes)

	// A pair with p > q does not occur; paths that are still the same are the pair p, -1.
	type pair struct{ p, q int32 }
	type arrival struct {
		pair
		from int32
		byte byte
		read bool
	}
	var seen []arrival
	index := map[pair]struct{}{}
	var level, after []int32
	add := func(list []int32, p, q, from int32, x byte, read bool) []int32 {
		if q >= 0 && p > q {
			p, q = q, p
		}
		if _, ok := index[pair{p, q}]; ok {
			return list
		}
		index[pair{p, q}] = struct{}{}
		seen = append(seen, arrival{pair{p, q}, from, x, read})
		return append(list, int32(len(seen)-1))
	}
	level = add(level, a.start, -1, -1, 0, false)
	tooLarge := func() error {
		a.budget.Step(8)
		if len(seen) > limit {
			return fmt.Errorf("%w: more than %d pairs of states when its derivations are compared; --limit-states raises the limit", lang.ErrTooLarge, limit)
		}
		return nil
	}
	for len(level) > 0 {
		after = after[:0:0]
		for i := 0; i < len(level); i++ {
			if err := tooLarge(); err != nil {
				return "", false, err
			}
			at := level[i]
			p, q := seen[at].p, seen[at].q
			switch {
			case q < 0:
				for j, s := range a.steps[p] {
					level = add(level, s.to, -1, at, 0, false)
					if err := tooLarge(); err != nil {
						return "", false, err
					}
					for _, t := range a.steps[p][j+1:] {
						level = add(level, s.to, t.to, at, 0, false)
					}
				}
			case len(a.steps[p]) > 0:
				for _, s := range a.steps[p] {
					level = add(level, s.to, q, at, 0, false)
				}
			case len(a.steps[q]) > 0:
				for _, s := range a.steps[q] {
					level = add(level, p, s.to, at, 0, false)
				}
			case p == a.final && q == a.final:
				var word []byte
				for ; at >= 0; at = seen[at].from {
					if seen[at].read {
						word = append(word, seen[at].byte)
					}
				}
				slices.Reverse(word)
				return string(word), true, nil
			}
		}
		for _, at := range level { // once nothing more can be reached without reading
			p, q := seen[at].p, seen[at].q
			if next[p] == nil || q >= 0 && next[q] == nil {
				continue
			}
			a.budget.Step(2 * len(order))
			for _, c := range order {
				to, other := next[p][c.class], int32(-1)
				if q >= 0 {
					if other = next[q][c.class]; other < 0 {
						continue
					}
				}
				if to >= 0 {
					after = add(after, to, other, at, c.byte, true)
				}
			}
		}
		level = after
	}
	return "", false, nil
}

// table returns where each class leads each state that reads, -1 for nowhere, and nil for the other states.
func (a *automaton) table(classes *expr.Partition) [][]int32 {
	first := make([]byte, classes.N)
	for x := 255; x >= 0; x-- {
		first[classes.Class[x]] = byte(x)
	}
	next := make([][]int32, len(a.arcs))
	for q, arcs := range a.arcs {
		if len(arcs) == 0 {
			continue
		}
		next[q] = make([]int32, classes.N)
		for c, x := range first {
			next[q][c] = -1
			for _, s := range arcs {
				if s.set.Has(x) {
					next[q][c] = s.to
				}
			}
		}
	}
	return next
}

// A readable is a class and its most readable byte.
type readable struct {
	class uint8
	byte  byte
}

// preferred lists the classes in the order of their most readable bytes.
func preferred(p *expr.Partition) (list []readable) {
	seen := make([]bool, p.N)
	bytes := expr.AnyByte.Members()
	slices.SortFunc(bytes, func(x, y byte) int { return lang.Compare(string([]byte{x}), string([]byte{y})) })
	for _, x := range bytes {
		if c := p.Class[x]; !seen[c] {
			seen[c] = true
			list = append(list, readable{c, x})
		}
	}
	return list
}

// AmbiguousExpr returns a shortest string that e, which uses no production, derives in two ways; ok is false if there is none.
// The error wraps [lang.ErrTooLarge].
func AmbiguousExpr(e *expr.Expr, left *budget.Budget) (w string, ok bool, err error) {
	var l Limits
	a, err := build(e, expr.Analyze(nil), nil, 4*l.states(), left)
	if err != nil {
		return "", false, err
	}
	return a.ambiguous(l.pairs())
}

// ExponentialExpr reports whether an engine that backtracks can take exponential time with e, which uses no production: whether
// some word leads from a place in e back to it in two ways (Weber and Seidl, "On the degree of ambiguity of finite automata",
// 1991). The error wraps [lang.ErrTooLarge].
func ExponentialExpr(e *expr.Expr, left *budget.Budget) (bool, error) {
	var l Limits
	a, err := build(e, expr.Analyze(nil), nil, 4*l.states(), left)
	if err != nil {
		return false, err
	}
	return a.exponential(l.pairs())
}

// exponential searches the square of a, from every state beside itself. The error is a square of more than limit pairs.
func (a *automaton) exponential(limit int) (bool, error) {
	classes := expr.NewPartition()
	for q := range a.arcs {
		for _, s := range a.arcs[q] {
			classes.Split(s.set)
		}
	}
	next := a.table(classes)
	ways := map[int32][]int32{} // the states that read to which steps lead from a state, twice if in two ways
	var from func(q int32) []int32
	from = func(q int32) []int32 {
		if list, ok := ways[q]; ok {
			return list
		}
		var list []int32
		if next[q] != nil {
			list = append(list, q)
		}
		for _, s := range a.steps[q] {
			list = append(list, from(s.to)...)
		}
		ways[q] = list
		a.budget.Step(1 + len(list))
		return list
	}
	type pair struct{ p, q int32 }
	index := map[pair]int{}
	var pairs []pair
	add := func(p, q int32) int {
		x := pair{min(p, q), max(p, q)}
		i, ok := index[x]
		if !ok {
			i = len(pairs)
			index[x] = i
			pairs = append(pairs, x)
		}
		return i
	}
	for q := range next {
		if next[q] != nil {
			add(int32(q), int32(q))
		}
	}
	type edge struct{ from, to int }
	twice := map[edge]bool{} // steps of a state beside itself that it can take in two ways
	var out [][]int
	for i := 0; i < len(pairs); i++ {
		if len(pairs) > limit {
			return false, fmt.Errorf("%w: more than %d pairs of states when its paths are compared", lang.ErrTooLarge, limit)
		}
		at := pairs[i]
		var to []int
		for c := range classes.N {
			p, q := next[at.p][c], next[at.q][c]
			if p < 0 || q < 0 {
				continue
			}
			for j, r := range from(p) {
				for k, s := range from(q) {
					a.budget.Step(1)
					n := add(r, s)
					if at.p == at.q && r == s && j != k {
						twice[edge{i, n}] = true
					}
					to = append(to, n)
				}
			}
		}
		out = append(out, to)
	}
	component := make([]int, len(pairs))
	for n, group := range expr.Components(len(pairs), func(i int) []int { return out[i] }) {
		same, apart := false, false
		for _, i := range group {
			component[i] = n
			same = same || pairs[i].p == pairs[i].q
			apart = apart || pairs[i].p != pairs[i].q
		}
		if same && apart {
			return true, nil
		}
	}
	for e := range twice {
		if component[e.from] == component[e.to] {
			return true, nil
		}
	}
	return false, nil
}
