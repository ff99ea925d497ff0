package bnftopeg

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// follows knows the bytes that can come next, if every production is a start. It is computed once and not changed.
type follows struct {
	*expr.First
	facts *expr.Facts
	after map[string]expr.Set // bytes that can come after it; the end of the input always can
}

// newFollows computes the bytes that can follow each of the rules, in a grammar of these rules.
func newFollows(rules []*expr.Rule) *follows {
	facts := expr.Analyze(rules)
	first := facts.First(rules)
	return &follows{first, facts, first.Follow(rules)}
}

// addGuards returns e with a negative lookahead after each alternative and each round, for the bytes that
// cannot come next. next has the bytes that can follow e; the end of the input can too. A part of a sequence is
// followed by the parts after it, a round also by another round. There is no lookahead where any byte can come next,
// in classes of characters, in choices of single bytes, and in repetitions of a class or of a production that may be
// empty. e is not changed.
func (f *follows) addGuards(e *expr.Expr, next expr.Set) *expr.Expr {
	if e.Chars != "" {
		return e
	}
	// guarded returns s with its own guards, and one after it unless any byte can come next.
	guarded := func(s *expr.Expr, next expr.Set) *expr.Expr {
		s = f.addGuards(s, next)
		if next == expr.AnyByte {
			return s
		}
		return expr.Cat(s, &expr.Expr{Op: expr.Not, Sub: []*expr.Expr{{Op: expr.Class, Set: next.Complement()}}})
	}
	c := *e
	switch e.Op {
	case expr.Seq:
		c.Sub = nil
		for i, s := range e.Sub { // followed by the parts after it, and then by next
			c.Sub = append(c.Sub, f.addGuards(s, f.OfSeq(e.Sub[i+1:], next)))
		}
	case expr.Alt:
		if isSingleBytes(e) { // no alternative hides another, so a guard would decide nothing
			return e
		}
		c.Sub = nil
		for _, s := range e.Sub {
			c.Sub = append(c.Sub, guarded(s, next))
		}
	case expr.Repeat:
		if e.Sub[0].Op == expr.Class || e.Sub[0].Op == expr.Ref && f.facts.Nullable(e.Sub[0]) {
			return e
		}
		c.Sub = []*expr.Expr{guarded(e.Sub[0], f.Round(e, next))}
	}
	return &c
}
