package bnftopeg

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// follows computes the bytes that can come next, for every production as a start.
type follows struct {
	facts *expr.Facts
	first *expr.First
	after map[string]expr.Set // bytes that can come after it; the end of the input always can
}

func newFollows(rules []*expr.Rule) *follows {
	facts := expr.Analyze(rules)
	f := &follows{facts, facts.First(rules), map[string]expr.Set{}}
	for changed := true; changed; {
		changed = false
		for _, r := range rules {
			f.uses(r.Expr, f.after[r.ID], func(id string, next expr.Set) {
				if s := f.after[id].Union(next); s != f.after[id] {
					f.after[id], changed = s, true
				}
			})
		}
	}
	return f
}

// begin returns the bytes that a sequence can begin with, where next come after it.
func (f *follows) begin(seq []*expr.Expr, next expr.Set) (s expr.Set) {
	for _, e := range seq {
		s = s.Union(f.first.Of(e))
		if !f.facts.Nullable(e) {
			return s
		}
	}
	return s.Union(next)
}

// uses calls with for every production that e uses, with the bytes that can come after it there.
func (f *follows) uses(e *expr.Expr, next expr.Set, with func(id string, next expr.Set)) {
	switch e.Op {
	case expr.Ref:
		with(e.Name, next)
	case expr.Seq:
		for i, s := range e.Sub {
			f.uses(s, f.begin(e.Sub[i+1:], next), with)
		}
	case expr.Repeat:
		f.uses(e.Sub[0], f.round(e, next), with)
	default:
		for _, s := range e.Sub {
			f.uses(s, next, with)
		}
	}
}

// round returns the bytes that can come after one round of a repetition.
func (f *follows) round(e *expr.Expr, next expr.Set) expr.Set {
	if e.Max == 1 {
		return next
	}
	return next.Union(f.first.Of(e.Sub[0]))
}

// guard returns e with a lookahead behind each alternative and each round: what comes next must be able to.
func (f *follows) guard(e *expr.Expr, next expr.Set) *expr.Expr {
	if e.Chars != "" {
		return e
	}
	behind := func(s *expr.Expr, next expr.Set) *expr.Expr {
		s = f.guard(s, next)
		if next == expr.AnyByte {
			return s
		}
		return expr.Cat(s, &expr.Expr{Op: expr.Not, Sub: []*expr.Expr{{Op: expr.Class, Set: next.Complement()}}})
	}
	c := *e
	switch e.Op {
	case expr.Seq:
		c.Sub = nil
		for i, s := range e.Sub {
			c.Sub = append(c.Sub, f.guard(s, f.begin(e.Sub[i+1:], next)))
		}
	case expr.Alt:
		if single(e) {
			return e
		}
		c.Sub = nil
		for _, s := range e.Sub {
			c.Sub = append(c.Sub, behind(s, next))
		}
	case expr.Repeat:
		if e.Sub[0].Op == expr.Class || e.Sub[0].Op == expr.Ref && f.facts.Nullable(e.Sub[0]) {
			return e
		}
		c.Sub = []*expr.Expr{behind(e.Sub[0], f.round(e, next))}
	}
	return &c
}
