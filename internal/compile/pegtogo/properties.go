package pegtogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Properties of expressions. Each answer is exact or errs on the safe side, which the comment names.

// A memo caches a property of expressions.
type memo[T any] map[*expr.Expr]T

// lookup returns the value for e, which find computes the first time. Computing it is charged to
// the budget.
func (m memo[T]) lookup(p *program, e *expr.Expr, find func() T) T {
	known, ok := m[e]
	if !ok {
		p.grammar.Budget.Step(4)
		known = find()
		m[e] = known
	}
	return known
}

// mayFail reports whether e can fail. It may be true for an expression that cannot.
func (p *program) mayFail(e *expr.Expr) bool {
	return p.memo.mayFail.lookup(p, e, func() bool { return p.findMayFail(e) })
}

// findMayFail computes mayFail. A rule that uses itself may always fail, since its depth is limited.
func (p *program) findMayFail(e *expr.Expr) bool {
	switch e.Op {
	case expr.Empty:
		return false
	case expr.Ref:
		return p.recursive[e.Name] != nil || p.mayFail(p.grammar.Rule(e.Name).Expr)
	case expr.Seq:
		return slices.ContainsFunc(e.Sub, p.mayFail)
	case expr.Alt:
		return !slices.ContainsFunc(e.Sub, func(s *expr.Expr) bool { return !p.mayFail(s) })
	case expr.Repeat:
		return e.Min > 0 && p.mayFail(e.Sub[0])
	case expr.Node:
		return p.mayFail(e.Sub[0])
	}
	return true
}

// firstBytes returns the bytes that a match of e can begin with, if it consumes anything. The set may have
// others as well.
func (p *program) firstBytes(e *expr.Expr) expr.Set {
	return p.memo.first.lookup(p, e, func() expr.Set { return p.firsts.Of(e) })
}

// bytesIn returns the bytes that a match of e can contain. The set may have others as well: it has all bytes if e uses
// a rule that uses itself. Lookaheads add none.
func (p *program) bytesIn(e *expr.Expr) expr.Set {
	if p.usesRecursive(e) {
		return expr.AnyByte
	}
	return p.memo.bytes.lookup(p, e, func() expr.Set {
		var t expr.Set
		switch e.Op {
		case expr.Class:
			t = e.Set
		case expr.Literal:
			t = expr.Bytes(e.Lit)
		case expr.Ref:
			t = p.bytesIn(p.grammar.Rule(e.Name).Expr)
		case expr.And, expr.Not:
			return t
		}
		for _, s := range e.Sub {
			t = t.Union(p.bytesIn(s))
		}
		return t
	})
}

// builds reports whether e makes nodes, itself or in a rule that it uses. Nodes in lookaheads do not count.
func (p *program) builds(e *expr.Expr) bool {
	return p.memo.builds.lookup(p, e, func() bool {
		switch e.Op {
		case expr.Node:
			return true
		case expr.Ref:
			if p.recursive[e.Name] != nil {
				return p.recursiveBuilds(e.Name)
			}
			return p.builds(p.grammar.Rule(e.Name).Expr)
		case expr.And, expr.Not:
			return false
		}
		return slices.ContainsFunc(e.Sub, p.builds)
	})
}

// recursiveBuilds is builds for a rule that uses itself: whether it reaches a node outside
// lookaheads.
func (p *program) recursiveBuilds(id string) bool {
	for _, id := range p.grammar.Reach(id) {
		found := false
		expr.Walk(p.grammar.Rule(id).Expr, func(e *expr.Expr) bool {
			found = found || e.Op == expr.Node
			return !found && e.Op != expr.And && e.Op != expr.Not
		})
		if found {
			return true
		}
	}
	return false
}

// isEnd reports whether e is the end of the input: !. or a rule that is nothing else.
func (p *program) isEnd(e *expr.Expr) bool {
	if e.Op == expr.Ref {
		e = p.grammar.Rule(e.Name).Expr
	}
	return e.Op == expr.Not && e.Sub[0].Op == expr.Class && e.Sub[0].Set == expr.AnyByte
}
