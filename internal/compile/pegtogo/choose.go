package pegtogo

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// alternatives writes ordered choice: the alternatives from the same place, until one matches.
func (f *function) alternatives(e *expr.Expr, a at, fail string) at {
	if c, ok := f.charOf(e); ok && !c.single() {
		return f.call(e, a, fail)
	}
	to := f.choose(e, a.borrowed())
	if f.mayFail(e) {
		f.printf("if %s == fail {\n%s\n}\n", to.v, fail)
	}
	return to
}

// choose writes the alternatives of e at a, and returns variables for where the first that matches ends, or fail.
func (f *function) choose(e *expr.Expr, a at) at {
	to := f.declare()
	nodes := f.makes(e)
	if !nodes {
		to = f.counting(to, a)
	}
	heads := f.heads(e)
	rest := e.Sub[len(heads):]
	switch {
	case len(heads) == 0 && f.isCall(rest[0]) && nodes == f.makes(rest[0]):
		call, _ := f.callee(rest[0], a)
		f.printf("%s := %s\n", targets(to, nodes), call)
		rest = rest[1:]
	case nodes:
		f.printf("%s, %s := fail, %s\n", to.v, to.n, a.count())
	default:
		f.printf("%s := fail\n", to.v)
	}
	f.chooseByFirst(heads, a, to)
	for _, s := range rest {
		test := f.begins(s, a)
		if len(rest) != len(e.Sub) || s != rest[0] {
			test = fmt.Sprintf("%s == fail", to.v) + pick(test != "", " && ", "") + test
		}
		if test == "" {
			f.alternative(s, a, to)
		} else {
			f.within("if "+test, func() { f.alternative(s, a, to) })
		}
	}
	return to
}

// begins returns the condition that spares the call of an alternative that begins with one certain byte; "" for others.
func (f *function) begins(e *expr.Expr, a at) string {
	lead := f.first(e)
	if !f.isCall(e.Factors()[0]) || f.facts.Nullable(e) || lead.Len() != 1 {
		return ""
	}
	return fmt.Sprintf("%s < uint(len(s)) && %s", a.pos(), f.member(lead, "s["+a.pos()+"]", true))
}

// heads returns those alternatives at the beginning that begin with one certain byte, if a switch on it is worth it.
func (f *function) heads(e *expr.Expr) []*expr.Expr {
	n := 0
	for n < len(e.Sub) && !f.facts.Nullable(e.Sub[n]) && f.first(e.Sub[n]).Len() == 1 {
		n++
	}
	if n < 3 {
		return nil
	}
	return e.Sub[:n]
}

// chooseByFirst writes a switch on the first byte; within a case the order is that of the alternatives.
func (f *function) chooseByFirst(heads []*expr.Expr, a, to at) {
	if len(heads) == 0 {
		return
	}
	f.printf("if %s < uint(len(s)) {\nswitch s[%s] {\n", a.pos(), a.pos())
	done := expr.Set{}
	for i, h := range heads {
		lead := f.first(h)
		if lead.Minus(done).IsEmpty() {
			continue
		}
		done = done.Union(lead)
		f.printf("case %s:\n", quoteByte(lead.Members()[0]))
		f.alternative(h, a, to)
		for _, g := range heads[i+1:] {
			if f.first(g) == lead {
				f.within(fmt.Sprintf("if %s == fail", to.v), func() { f.alternative(g, a, to) })
			}
		}
	}
	f.printf("}\n}\n")
}

// alternative writes one alternative, which sets to where it matches.
func (f *function) alternative(e *expr.Expr, a, to at) {
	nodes := f.tree && to.n != a.n
	if kinds, body, ok := f.inPlace(e); ok && f.isCall(body) && f.mayFail(body) {
		here := a
		here.nodes += len(kinds)
		call, _ := f.callee(body, here)
		f.within(fmt.Sprintf("if %s = %s; %s != fail", targets(to, true), call, to.v), func() { f.putAround(kinds, a, to) })
		return
	}
	if f.isCall(e) && nodes == f.makes(e) {
		call, _ := f.callee(e, a)
		f.printf("%s = %s\n", targets(to, nodes), call)
		return
	}
	f.attempt(e, a, func(end at) { f.commit(to, end) })
}

// attempt is try for e, in a scope of its own where it declares variables.
func (f *function) attempt(e *expr.Expr, a at, done func(end at)) {
	es := e.Factors()
	depth := f.depth
	_, _, fixed := f.fixed(es[0], a, true)
	scope := !fixed && !(f.isCall(es[0]) && f.mayFail(es[0]) && (!f.isLeaf(es[0]) || f.isLongLeaf(es[0])))
	if scope {
		f.printf("{\n")
	}
	f.try(es, a.borrowed(), done)
	if scope {
		f.printf("}\n")
	}
	f.depth = depth
}

// try writes what matches es one after the other from a on, as nested conditions; done writes the innermost
// statements, those for where all of them have matched. Where they do not, the code runs on behind.
func (f *function) try(es []*expr.Expr, a at, done func(end at)) {
	if len(es) == 0 {
		done(a)
		return
	}
	e, rest := es[0], es[1:]
	if !f.tree {
		e = bare(e)
	}
	if test, n, ok := f.fixed(e, a, true); ok {
		f.within("if "+test, func() { f.try(rest, a.past(n), done) })
		return
	}
	kinds, body, leaf := f.leaf(e)
	switch {
	case leaf && f.tree && !f.mayFail(body):
		f.try(rest, f.matchLeaf(kinds, body, a, ""), done)
	case leaf && f.tree && f.isRun(body) && !f.isPlain(body):
		_, c, _ := f.repeated(body)
		f.tryLong(c, a, func(end at) { f.try(rest, f.putLeaf(kinds, a, end), done) })
	case leaf && f.tree:
		end := f.settled(a.borrowed(), false)
		f.tryLeaf(body, a, end, func() { f.try(rest, f.putLeaf(kinds, a, end), done) })
	case f.isCall(e):
		f.tryCall(e, rest, a, done)
	case e.Op == expr.Seq:
		f.try(append(append([]*expr.Expr(nil), e.Sub...), rest...), a, done)
	case !f.mayFail(e):
		f.try(rest, f.must(e, a, ""), done)
	case e.Op == expr.Alt:
		to := f.choose(e, a)
		f.within(fmt.Sprintf("if %s != fail", to.v), func() { f.try(rest, to, done) })
	case e.Op == expr.Repeat && f.isRun(e) && !f.isPlain(e):
		_, c, _ := f.repeated(e)
		f.tryLong(c, a, func(end at) { f.try(rest, end, done) })
	case e.Op == expr.Repeat:
		end := f.settled(a.borrowed(), f.makes(e))
		enough, _ := f.rounds(e, a, end)
		f.within("if "+enough, func() { f.try(rest, end, done) })
	}
}

// tryLeaf writes what matches body from a on, which is a class, a run or a class and a run; done where it does. End is at a
// already.
func (f *function) tryLeaf(body *expr.Expr, a, end at, done func()) {
	if body.Op == expr.Repeat {
		f.loop(body, end, "", "")
		f.within(fmt.Sprintf("if %s != %s", end.v, a.pos()), done)
		return
	}
	es := body.Factors()
	test, _, _ := f.fixed(es[0], a, true)
	f.within("if "+test, func() {
		f.printf("%s++\n", end.v)
		if len(es) > 1 {
			f.loop(es[1], end, "", "")
			if es[1].Min > 0 {
				f.within(fmt.Sprintf("if %s != %s", end.v, a.past(1).pos()), done)
				return
			}
		}
		done()
	})
}

// isPlain reports whether e is a run of a class.
func (f *function) isPlain(e *expr.Expr) bool {
	_, c, ok := f.repeated(e)
	return ok && c.single()
}

// isLongLeaf reports whether e is a leaf for [function.tryLong].
func (f *function) isLongLeaf(e *expr.Expr) bool {
	_, body, ok := f.leaf(e)
	return ok && f.tree && f.isRun(body) && !f.isPlain(body) && body.Min == 1
}

// tryLong writes ( char )+ over a char with longer sequences.
func (f *function) tryLong(c char, a at, done func(end at)) {
	end := f.declare()
	end.n, end.nodes, end.own = a.n, a.nodes, false
	define := fmt.Sprintf("%s := %s(s, %s)", end.v, f.run(c), a.pos())
	f.within(fmt.Sprintf("if %s; %s != %s", define, end.v, a.pos()), func() { done(end) })
}

// tryCall is try for an element that is a call.
func (f *function) tryCall(e *expr.Expr, rest []*expr.Expr, a at, done func(at)) {
	call, nodes := f.callee(e, a)
	to := f.declare()
	if !nodes {
		to.n, to.nodes, to.own = a.n, a.nodes, false
	}
	define := fmt.Sprintf("%s := %s", targets(to, nodes), call)
	if !f.mayFail(e) {
		f.printf("%s\n", define)
		f.try(rest, to, done)
		return
	}
	f.within(fmt.Sprintf("if %s; %s != fail", define, to.v), func() { f.try(rest, to, done) })
}
