package pegtogo

import (
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// mergeRuns returns an expression that consumes what e consumes and is faster to match where no nodes are built:
// runs that only nodes kept apart become one.
//
//   - ( x+ )? becomes x*.
//   - x* ( c x* )* becomes ( x / c )*: a path is a run of what its segments are made of, and of "/".
//   - a ( !( c a ) x )* ( c a ( !( c a ) x )* )* becomes a x*, if both c and a are x as well: every c that ends a part
//     begins the next one (RFC 1630, hostname).
//
// Nodes are left out, and a reference to a node that becomes a run, or a part and a run, is replaced by that.
// Everything else stays as it is. e itself is not changed.
func (p *program) mergeRuns(e *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.Node:
		return p.mergeRuns(e.Sub[0])
	case expr.Ref:
		if r := p.grammar.Rule(e.Name); r.Expr.Op == expr.Node && !p.deep[e.Name] {
			run := p.mergeRuns(r.Expr)
			partAndRun := run.Op == expr.Seq && len(run.Sub) == 2 && p.isRun(run.Sub[1])
			if p.isRun(run) || partAndRun {
				return run
			}
		}
		return e
	case expr.Seq:
		sub := make([]*expr.Expr, 0, len(e.Sub))
		for _, s := range e.Sub {
			s = p.mergeRuns(s)
			if s.Op == expr.Seq {
				sub = append(sub, s.Sub...)
			} else {
				sub = append(sub, s)
			}
		}
		sub = p.joinParts(sub)
		sub = p.joinRuns(sub)
		if len(sub) == 1 {
			return sub[0]
		}
		c := *e
		c.Sub = sub
		return &c
	case expr.Alt, expr.Repeat:
		c := e.Map(p.mergeRuns)
		inner := c.Sub[0]
		isOption := c.Op == expr.Repeat && c.Min == 0 && c.Max == 1
		if isOption && inner.Op == expr.Repeat && inner.Max == expr.Unbounded && inner.Min <= 1 {
			loop := *inner // ( x+ )? is x*
			loop.Min = 0
			return &loop
		}
		return c
	}
	return e
}

// isRun reports whether e is ( char )* or ( char )+.
func (p *program) isRun(e *expr.Expr) bool {
	guard, _, ok := p.asRun(e)
	return ok && guard == nil
}

// joinRuns replaces each x* ( c x* )* in a sequence by one run, if x and c together are a char (see asChar). es itself
// is not changed; it is returned if there is none.
func (p *program) joinRuns(es []*expr.Expr) []*expr.Expr {
	for i := 0; i+1 < len(es); i++ {
		x, rest := es[i], es[i+1]
		if !p.isRun(x) || x.Min != 0 || rest.Op != expr.Repeat || rest.Max != expr.Unbounded || rest.Min != 0 {
			continue
		}
		body := rest.Sub[0]
		if body.Op != expr.Seq || len(body.Sub) != 2 || body.Sub[1].String() != x.String() {
			continue
		}
		both := expr.Or(x.Sub[0], body.Sub[0])
		if _, ok := p.asChar(both); !ok {
			continue
		}
		run := *x
		run.Sub = []*expr.Expr{both}
		out := append(append([]*expr.Expr(nil), es[:i]...), &run)
		return p.joinRuns(append(out, es[i+2:]...))
	}
	return es
}

// joinParts replaces the first a g ( c a g )* in a sequence by a x*, where g is ( !( c a ) x )* and x covers both c and
// a. es itself is not changed; it is returned if there is none.
func (p *program) joinParts(es []*expr.Expr) []*expr.Expr {
	for i := 0; i+2 < len(es); i++ {
		a, g, rest := es[i], es[i+1], es[i+2]
		guard, x, ok := p.asRun(g)
		if !ok || guard == nil || g.Min != 0 || guard.Op != expr.Seq || len(guard.Sub) != 2 {
			continue
		}
		c := guard.Sub[0]
		isStar := rest.Op == expr.Repeat && rest.Max == expr.Unbounded && rest.Min == 0
		if guard.Sub[1].String() != a.String() || !isStar {
			continue
		}
		round := &expr.Expr{Op: expr.Seq, Sub: []*expr.Expr{c, a, g}}
		if rest.Sub[0].String() != round.String() {
			continue
		}
		if !p.coveredBy(c, x) || !p.coveredBy(a, x) {
			continue
		}
		run := *g
		run.Sub = []*expr.Expr{g.Sub[0].Sub[1]}
		out := append(append([]*expr.Expr(nil), es[:i+1]...), &run)
		return append(out, es[i+3:]...)
	}
	return es
}

// coveredBy reports whether e is a char and each match of it is one match of x. It may be false for one that is: a
// sequence of e has to be equal to one of x.
func (p *program) coveredBy(e *expr.Expr, x char) bool {
	c, ok := p.asChar(e)
	if !ok || !c.class.Minus(x.class).IsEmpty() {
		return false
	}
	for _, seq := range c.long {
		if !slices.ContainsFunc(x.long, func(other []expr.Set) bool { return slices.Equal(seq, other) }) {
			return false
		}
	}
	return true
}
