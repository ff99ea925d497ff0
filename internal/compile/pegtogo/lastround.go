package pegtogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// A lastRound is ( a x )* b where b differs from a only in allowing fewer first bytes (RFC 1738:
// hostname = *[ domainlabel "." ] toplabel). As it stands, its loop would end with an a that no x
// follows, and read that again as the b.
type lastRound struct {
	a, b           []string // the nodes of a and b, outermost first
	firstA, firstB *expr.Expr
	tail           *expr.Expr // the rest of both, after their first byte
	x              *expr.Expr // a class
}

// asLastRound returns e, which must be a sequence, as a lastRound; ok is false if it is not one.
func (f *function) asLastRound(e *expr.Expr) (l lastRound, ok bool) {
	if len(e.Sub) != 2 || e.Sub[0].Op != expr.Repeat || e.Sub[0].Min != 0 || e.Sub[0].Max != expr.Unbounded {
		return l, false
	}
	round := e.Sub[0].Sub[0].Factors()
	if len(round) != 2 || !f.isClass(round[1]) {
		return l, false
	}
	kindsA, a, okA := f.asLeaf(round[0])
	kindsB, b, okB := f.asLeaf(e.Sub[1])
	if !okA || !okB || a.Op != expr.Seq || b.Op != expr.Seq || a.Sub[1].String() != b.Sub[1].String() {
		return l, false
	}
	more, _ := f.asChar(a.Sub[0])
	fewer, _ := f.asChar(b.Sub[0])
	if !fewer.class.Minus(more.class).IsEmpty() {
		return l, false
	}
	return lastRound{a: kindsA, b: kindsB, firstA: a.Sub[0], firstB: b.Sub[0], tail: a.Sub[1], x: round[1]}, true
}

// matchLastRound is matchOrFail for a lastRound: one loop, in which an a that no x follows becomes the b and
// ends the loop. fail stands inside this loop, so it must not be a break.
func (f *function) matchLastRound(l lastRound, start position, fail string) position {
	to := f.asVariables(start, f.tree)
	f.writeBlock("for", func() {
		noA, _, _ := f.fixedTest(l.firstA, to, false)
		f.printf("if %s {\n%s\n}\n", noA, fail) // where no a begins, no b does
		end := f.matchOrFail(l.tail, to.readOnly().advance(1), fail)
		noMore, n, _ := f.fixedTest(l.x, end, false)
		f.writeBlock("if "+noMore, func() { // no x follows: this is the b, if it begins as one
			noB, _, _ := f.fixedTest(l.firstB, to, false)
			f.printf("if %s {\n%s\n}\n", noB, fail)
			next := end
			if f.tree {
				next = f.putLeaf(l.b, to, end)
			}
			f.assignPosition(to, next)
			f.printf("break\n")
		})
		if f.tree {
			end = f.putLeaf(l.a, to, end)
		}
		f.assignPosition(to, end.advance(n))
	})
	return to
}
