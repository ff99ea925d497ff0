package lang

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Expr returns an expression that derives the words that a accepts, each in one way. It eliminates one state after
// the other (Brzozowski and McCluskey, "Signal flow graph techniques for sequential circuit state diagrams", 1963),
// first the one that adds least. It fails, with an error that wraps [ErrTooLarge], if the expression has more than
// limit terminals and operators.
func (a *DFA) Expr(limit int) (*expr.Expr, error) {
	type edge struct {
		e    *expr.Expr
		size int
	}
	states := a.States()
	start, final := states, states+1
	out, in := make([]map[int]edge, states+2), make([]map[int]bool, states+2)
	for q := range out {
		out[q], in[q] = map[int]edge{}, map[int]bool{}
	}
	join := func(p, q int, d edge) error {
		old, ok := out[p][q]
		switch {
		case !ok:
		case old.e.Op == expr.Class && d.e.Op == expr.Class:
			d = edge{expr.In(old.e.Set.Union(d.e.Set)), 1}
		default:
			d = edge{expr.Or(old.e, d.e), old.size + d.size + 1}
		}
		if d.size > limit {
			return fmt.Errorf("%w: more than %d terminals and operators in an expression", ErrTooLarge, limit)
		}
		out[p][q], in[q][p] = d, true
		return nil
	}
	empty := edge{&expr.Expr{Op: expr.Empty}, 0}
	for q := range states {
		if a.Dead(q) {
			continue
		}
		for _, e := range a.Edges(q) {
			if err := join(q, int(e.To), edge{expr.In(e.Set), 1}); err != nil {
				return nil, err
			}
		}
		if a.Accepts(q) {
			out[q][final], in[final][q] = empty, true
		}
	}
	if !a.Dead(0) {
		out[start][0], in[0][start] = empty, true
	}
	left := map[int]bool{}
	for q := range states {
		left[q] = !a.Dead(q)
	}
	for {
		// The state that adds least: every way through it is written once for each pair of an edge in and an edge
		// out.
		best, least := -1, 0
		for q := range states {
			if !left[q] {
				continue
			}
			weight := out[q][q].size * len(in[q]) * len(out[q])
			for to, d := range out[q] {
				if to != q {
					weight += d.size * len(in[q])
				}
			}
			for from := range in[q] {
				if from != q {
					weight += out[from][q].size * len(out[q])
				}
			}
			if best < 0 || weight < least {
				best, least = q, weight
			}
		}
		if best < 0 {
			break
		}
		// Each way in is joined to each way out, with any number of rounds between them.
		q := best
		left[q] = false
		around := empty
		if d, ok := out[q][q]; ok {
			around = edge{expr.Times(d.e, 0, expr.Unbounded), d.size + 1}
		}
		for from := range states + 2 { // in the order of the states, so that the result is always the same
			if from == q || !in[q][from] {
				continue
			}
			before := out[from][q]
			delete(out[from], q)
			for to := range states + 2 {
				after, ok := out[q][to]
				if !ok || to == q {
					continue
				}
				way := edge{expr.Cat(before.e, around.e, after.e), before.size + around.size + after.size + 1}
				if err := join(from, to, way); err != nil {
					return nil, err
				}
			}
		}
		for to := range out[q] {
			delete(in[to], q)
		}
	}
	if d, ok := out[start][final]; ok {
		return d.e, nil
	}
	return expr.In(expr.Set{}), nil
}
