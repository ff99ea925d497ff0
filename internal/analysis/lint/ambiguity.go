package lint

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// ambiguous returns a shortest word that has two paths in a; ok is false if there is none. It searches the square of a
// (Book, Even, Greibach and Ott, "Ambiguity in graphs and expressions", 1971). It fails if that has more than limit
// pairs of states.
func (a *automaton) ambiguous(limit int) (w string, ok bool, err error) {
	return newPumper(a, limit).search(2, [3]int32{a.start, a.start}, [3]int32{a.final, a.final},
		func(int, int32) bool { return true })
}

// table returns the transitions by state and class, -1 if there is none. The row of a state that does not read is
// nil. The classes must tell apart the sets of all arcs of a.
func (a *automaton) table(classes *expr.Partition) [][]int32 {
	known := map[expr.Set][]int{} // by set: its classes; many arcs have the same set
	classesOf := func(set expr.Set) []int {
		return expr.Memo(known, set, func() []int { return classes.In(set) })
	}
	next := make([][]int32, len(a.arcs))
	for q, arcs := range a.arcs {
		if len(arcs) == 0 {
			continue
		}
		next[q] = slices.Repeat([]int32{-1}, classes.N)
		for _, s := range arcs {
			for _, c := range classesOf(s.set) {
				next[q][c] = s.to
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
	for _, x := range lang.InOrder(expr.AnyByte) {
		if c := p.Class[x]; !seen[c] {
			seen[c] = true
			list = append(list, readable{c, x})
		}
	}
	return list
}

// AmbiguousExpr returns a shortest string that e derives in two ways; ok is false if there is none. e uses no
// production. It fails, with an error that wraps [lang.ErrTooLarge], if its automaton or the square of that is larger
// than the default of [Limits] allows, and panics where left is used up.
func AmbiguousExpr(e *expr.Expr, left *budget.Budget) (w string, ok bool, err error) {
	var l Limits
	a, err := build(e, expr.Analyze(nil), nil, l.derivationStates(), left)
	if err != nil {
		return "", false, err
	}
	return a.ambiguous(l.pairs())
}

// ExponentialExpr reports whether an engine that backtracks can take exponential time with e, which uses no
// production: whether some word leads from a place in e back to it in two ways (Weber and Seidl, "On the degree of
// ambiguity of finite automata", 1991). It fails and panics as [AmbiguousExpr] does; with an error the answer means
// nothing.
func ExponentialExpr(e *expr.Expr, left *budget.Budget) (bool, error) {
	var l Limits
	a, err := build(e, expr.Analyze(nil), nil, l.derivationStates(), left)
	if err != nil {
		return false, err
	}
	q, _, err := newPumper(a, l.pairs()).exponential()
	return q >= 0, err
}
