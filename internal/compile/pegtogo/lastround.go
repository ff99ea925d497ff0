package pegtogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// A lastRound is ( a x )* b where b is a but for its first byte, of which it allows fewer (RFC 1738: hostname = *[ domainlabel "."
// ] toplabel). Its loop ends with an a that no x follows, which would be read again as the b.
type lastRound struct {
	a, b           []string // their nodes, outermost first
	firstA, firstB *expr.Expr
	tail           *expr.Expr // what follows the first byte of both
	x              *expr.Expr // a class
}

// lastRound finds one in a sequence.
func (f *function) lastRound(e *expr.Expr) (l lastRound, ok bool) {
	if len(e.Sub) != 2 || e.Sub[0].Op != expr.Repeat || e.Sub[0].Min != 0 || e.Sub[0].Max != expr.Unbounded {
		return l, false
	}
	round := e.Sub[0].Sub[0].Factors()
	if len(round) != 2 || !f.isClass(round[1]) {
		return l, false
	}
	kindsA, a, okA := f.leaf(round[0])
	kindsB, b, okB := f.leaf(e.Sub[1])
	if !okA || !okB || a.Op != expr.Seq || b.Op != expr.Seq || a.Sub[1].String() != b.Sub[1].String() {
		return l, false
	}
	more, _ := f.charOf(a.Sub[0])
	fewer, _ := f.charOf(b.Sub[0])
	if !fewer.class.Minus(more.class).IsEmpty() {
		return l, false
	}
	return lastRound{a: kindsA, b: kindsB, firstA: a.Sub[0], firstB: b.Sub[0], tail: a.Sub[1], x: round[1]}, true
}

// matchLastRound writes the loop so that an a that no x follows becomes the b, and ends it. Where no a begins, no b does.
func (f *function) matchLastRound(l lastRound, start at, fail string) at {
	to := f.settled(start, f.tree)
	f.within("for", func() {
		test, _, _ := f.fixed(l.firstA, to, false)
		f.printf("if %s {\n%s\n}\n", test, fail)
		end := f.must(l.tail, to.borrowed().past(1), fail)
		another, n, _ := f.fixed(l.x, end, false)
		f.within("if "+another, func() {
			last, _, _ := f.fixed(l.firstB, to, false)
			f.printf("if %s {\n%s\n}\n", last, fail)
			next := end
			if f.tree {
				next = f.putLeaf(l.b, to, end)
			}
			f.commit(to, next)
			f.printf("break\n")
		})
		if f.tree {
			end = f.putLeaf(l.a, to, end)
		}
		f.commit(to, end.past(n))
	})
	return to
}
