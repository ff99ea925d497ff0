package pegtogo

import (
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// must writes what matches e from a on, and returns where that ends. Where e does not match, the statement fail is
// executed, which leaves the function or the loop. Variables that a owns are changed in place.
func (f *function) must(e *expr.Expr, a at, fail string) at {
	if !f.tree {
		e = bare(e)
	}
	if test, n, ok := f.fixed(e, a, false); ok {
		f.printf("if %s {\n%s\n}\n", test, fail)
		return a.past(n)
	}
	if kinds, body, ok := f.leaf(e); ok && f.tree {
		return f.matchLeaf(kinds, body, a, fail)
	}
	switch e.Op {
	case expr.Seq:
		if l, ok := f.lastRound(e); ok {
			return f.matchLastRound(l, a, fail)
		}
		for k := 0; k < len(e.Sub); k++ {
			if k+1 == len(e.Sub) {
				return f.must(e.Sub[k], a, fail)
			}
			if s, ok := f.separated(e.Sub[k], e.Sub[k+1]); ok {
				a = f.matchSeparated(s, a, fail)
				k++
			} else if f.lateOption(e.Sub[k], e.Sub[k+1]) {
				a = f.matchLateOption(e.Sub[k], e.Sub[k+1], a, fail)
				k++
			} else {
				a = f.must(e.Sub[k], a, fail)
			}
		}
		return a
	case expr.Alt:
		return f.alternatives(e, a, fail)
	case expr.Repeat:
		return f.repeat(e, a, fail)
	case expr.Ref, expr.Node:
		if kinds, body, ok := f.inPlace(e); ok {
			return f.matchInPlace(kinds, body, a, fail)
		}
		return f.call(e, a, fail)
	}
	return a
}

// bare returns e without the nodes around it.
func bare(e *expr.Expr) *expr.Expr {
	for e.Op == expr.Node {
		e = e.Sub[0]
	}
	return e
}

// callee returns the call of a production, of a char or of a part at a, and whether it returns the number of nodes as well.
func (f *function) callee(e *expr.Expr, a at) (call string, nodes bool) {
	nodes = f.makes(e)
	name := ""
	if c, ok := f.charOf(e); ok {
		name = f.charFunc(e, c)
	} else if e.Op != expr.Ref {
		name = f.part(e, nodes)
	} else if nodes {
		name = f.buildName(e.Name)
	} else {
		name = f.acceptName(e.Name)
	}
	if nodes {
		return fmt.Sprintf("b.%s(s, %s, %s)", name, a.pos(), a.count()), true
	}
	return fmt.Sprintf("%s%s(s, %s)", pick(f.nests(e), "b.", ""), name, a.pos()), false
}

// charFunc returns the function that matches one char: that of the lexical production, or a part.
func (f *function) charFunc(e *expr.Expr, c char) string {
	if r := f.ruleOf(c); r != nil {
		return f.acceptName(r.ID)
	}
	return f.part(e, false)
}

// isCall reports whether e is matched by a call of another function.
func (f *function) isCall(e *expr.Expr) bool {
	if c, ok := f.charOf(e); ok {
		return !c.single() && e.Op != expr.Literal
	}
	return (e.Op == expr.Ref || e.Op == expr.Node) && !f.isEnd(e)
}

func (f *function) call(e *expr.Expr, a at, fail string) at {
	call, nodes := f.callee(e, a)
	to, assign := a, "="
	if !a.own {
		to, assign = f.declare(), ":="
		to.own = nodes
	}
	to.off = 0
	if nodes {
		to.nodes = 0
	} else {
		to.n, to.nodes = a.n, a.nodes
	}
	switch {
	case !f.mayFail(e):
		f.printf("%s %s %s\n", targets(to, nodes), assign, call)
	case a.own:
		f.printf("if %s = %s; %s == fail {\n%s\n}\n", targets(to, nodes), call, to.v, fail)
	default:
		f.printf("%s := %s\nif %s == fail {\n%s\n}\n", targets(to, nodes), call, to.v, fail)
	}
	return to
}

// leaf reports whether e makes nodes that all have the same text and no others in them, over something simple enough to
// be written where it is used: the productions, outermost first, and what the innermost consists of.
func (f *function) leaf(e *expr.Expr) (kinds []string, body *expr.Expr, ok bool) {
	kinds, body = f.unwrapped(e)
	return kinds, body, len(kinds) > 0 && !f.builds(body) && f.simple(body)
}

// simple reports whether e is a class, a run, or a class and a run.
func (f *function) simple(e *expr.Expr) bool {
	switch e.Op {
	case expr.Repeat:
		_, _, run := f.repeated(e)
		_, _, inner := f.interrupted(e)
		return run || inner
	case expr.Seq:
		return len(e.Sub) == 2 && f.isClass(e.Sub[0]) && e.Sub[1].Op == expr.Repeat && f.simple(e.Sub[1])
	}
	return f.isClass(e)
}

func (f *function) isClass(e *expr.Expr) bool {
	c, ok := f.charOf(e)
	return ok && c.single()
}

// matchLeaf writes a leaf at its place.
func (f *function) matchLeaf(kinds []string, body *expr.Expr, a at, fail string) at {
	end := f.must(body, a.borrowed(), fail)
	return f.into(a, f.putLeaf(kinds, a, end))
}

// putLeaf writes the nodes of a leaf from a to end.
func (f *function) putLeaf(kinds []string, a, end at) at {
	next := a
	next.nodes += len(kinds)
	for _, id := range kinds {
		f.printf("b.put(%s, %s, %s, %s, %s)\n", a.count(), f.names[id].kind, a.pos(), end.pos(), next.count())
		a.nodes++
	}
	end.n, end.nodes, end.own = next.n, next.nodes, false
	return end
}

// repeat writes a repetition.
func (f *function) repeat(e *expr.Expr, a at, fail string) at {
	if e.Max == 1 && e.Min == 1 {
		return f.must(e.Sub[0], a, fail)
	}
	if e.Max == 1 {
		to := f.settled(a, f.makes(e))
		f.attempt(e.Sub[0], to, func(end at) { f.commit(to, end) })
		return to
	}
	if guard, c, ok := f.repeated(e); ok && guard == nil && !c.short() {
		return f.skipLong(e, c, a, fail)
	}
	begin := a.borrowed()
	to := a.borrowed()
	if e.Min == 0 {
		to = a
	}
	to = f.settled(to, f.makes(e))
	if _, few := f.rounds(e, begin, to); f.mayFail(e) {
		f.printf("if %s {\n%s\n}\n", few, fail)
		return f.into(a, to)
	}
	return to
}

// skipLong writes ( char )* and ( char )+ as a call of the function that skips the char.
func (f *function) skipLong(e *expr.Expr, c char, a at, fail string) at {
	call := fmt.Sprintf("%s(s, %s)", f.run(c), a.pos())
	if e.Min == 0 && a.own {
		f.printf("%s = %s\n", a.v, call)
		a.off = 0
		return a
	}
	to := f.declare()
	to.n, to.nodes, to.own = a.n, a.nodes, false
	f.printf("%s := %s\n", to.v, call)
	if e.Min == 1 {
		f.printf("if %s == %s {\n%s\n}\n", to.v, a.pos(), fail)
	}
	return f.into(a, to)
}

// rounds writes the loop of e in place, where to is at begin. It returns the conditions that there were enough rounds, or too few.
func (f *function) rounds(e *expr.Expr, begin, to at) (enough, few string) {
	if !isCounted(e) {
		f.loop(e, to, "", "")
		return to.v + " != " + begin.pos(), to.v + " == " + begin.pos()
	}
	count, least := to.v, begin.past(e.Min).pos()
	c, ok := f.charOf(e.Sub[0])
	switch {
	case ok && c.single() && e.Max == expr.Unbounded:
		f.skip(c, to)
	case ok && c.single():
		end := f.declare().v
		f.printf("%s := min(%s, uint(len(s)))\n", end, plus(to.v, e.Max))
		f.printf("for %s < %s && %s {\n%[1]s++\n}\n", to.v, end, f.member(c.class, "s["+to.v+"]", true))
	default:
		count, least = f.declare().v, strconv.Itoa(e.Min)
		f.printf("%s := uint(0)\n", count)
		more := ""
		if e.Max != expr.Unbounded {
			more = fmt.Sprintf("%s < %d", count, e.Max)
		}
		f.loop(e, to, more, count+"++\n")
	}
	return count + " >= " + least, count + " < " + least
}

// isCounted reports whether e is a repetition other than ?, * and +. It is one loop, up to a place or with a variable for the rounds.
func isCounted(e *expr.Expr) bool {
	return e.Op == expr.Repeat && (e.Min > 1 || e.Max != 1 && e.Max != expr.Unbounded)
}

// loop writes e* in place, whatever the bounds of e. More is what else must hold before a round, and done what stands behind one.
func (f *function) loop(e *expr.Expr, a at, more, done string) {
	if guard, c, ok := f.repeated(e); ok {
		if guard == nil {
			f.skip(c, a)
		} else {
			f.guarded(e, guard, c, a)
		}
		return
	}
	if between, class, ok := f.interrupted(e); ok {
		f.loopInterrupted(between, class, a)
		return
	}
	depth := f.depth
	body := e.Sub[0].Factors()
	here := a.borrowed()
	if test, n, ok := f.fixed(body[0], a, true); ok {
		more += pick(more != "", " && "+operand(test), test)
		body, here = body[1:], here.past(n)
	}
	f.printf("for %s{\n", pick(more != "", more+" ", ""))
	if len(body) == 1 && f.isCall(body[0]) && !f.mayFail(body[0]) && !f.isLeaf(body[0]) {
		call, nodes := f.callee(body[0], here)
		f.printf("%s = %s\n", targets(a, nodes), call)
	} else {
		for _, s := range body {
			here = f.must(s, here, "break")
		}
		f.commit(a, here)
	}
	f.printf("%s}\n", done)
	f.depth = depth
}

func (f *function) isLeaf(e *expr.Expr) bool {
	_, _, ok := f.leaf(e)
	return ok && f.tree
}

// skip writes ( char )* in place.
func (f *function) skip(c char, a at) {
	if c.short() {
		f.printf("for %s < uint(len(s)) && %s {\n%s++\n}\n", a.v, f.member(c.class, "s["+a.v+"]", true), a.v)
	} else {
		f.printf("%s = %s(s, %s)\n", a.v, f.run(c), a.v)
	}
}

// guarded writes ( !guard char )* in place: past all that no guard can begin with, and then what stands there.
func (f *function) guarded(e, guard *expr.Expr, c char, a at) {
	lead := f.first(guard)
	f.printf("for {\n")
	f.skip(c.without(lead), a)
	if lead.Minus(c.class).IsEmpty() { // a guard begins with one of the chars: after the run it is that byte, or the end
		f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n", a.v, f.member(lead, "s["+a.v+"]", false))
		rest, here := guard, a
		if guard.Op == expr.Seq && len(guard.Sub) == 2 && f.isClass(guard.Sub[0]) {
			rest, here = guard.Sub[1], a.past(1) // its first byte has just been seen
		}
		f.printf("if %s {\nbreak\n}\n%s++\n", f.condition(rest, here, true), a.v)
	} else {
		f.printf("if %s {\nbreak\n}\n", f.condition(guard, a, true))
		f.oneMore(e.Sub[0].Sub[1], c, a)
	}
	f.printf("}\n")
}

// oneMore writes one char in place, or the end of the loop.
func (f *function) oneMore(e *expr.Expr, c char, a at) {
	if c.single() {
		f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n%s++\n", a.v, f.member(c.class, "s["+a.v+"]", false), a.v)
		return
	}
	depth := f.depth
	next := f.declare()
	f.printf("%s := %s(s, %s)\nif %s == fail {\nbreak\n}\n%s = %s\n", next.v, f.charFunc(e, c), a.v, next.v, a.v, next.v)
	f.depth = depth
}

// interrupted finds ( between* class )*: a run of a class that rows of others may interrupt, but not end
// (RFC 1738, domainlabel: hyphens).
func (f *function) interrupted(e *expr.Expr) (between, class expr.Set, ok bool) {
	if e.Op != expr.Repeat || e.Max != expr.Unbounded || e.Min != 0 || e.Sub[0].Op != expr.Seq || len(e.Sub[0].Sub) != 2 {
		return between, class, false
	}
	rep, last := e.Sub[0].Sub[0], e.Sub[0].Sub[1]
	c, ok := f.charOf(last)
	if !ok || !c.single() || rep.Op != expr.Repeat || rep.Min != 0 || rep.Max != expr.Unbounded {
		return between, class, false
	}
	d, ok := f.charOf(rep.Sub[0])
	if !ok || !d.single() || !d.class.Intersect(c.class).IsEmpty() {
		return between, class, false
	}
	return d.class, c.class, true
}

// loopInterrupted looks past the others only where one stands: most runs are not interrupted.
func (f *function) loopInterrupted(between, class expr.Set, a at) {
	depth := f.depth
	ahead := f.declare()
	f.printf("for {\n")
	f.skip(char{class: class}, a)
	f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n", a.v, f.member(between, "s["+a.v+"]", false))
	f.printf("%s := %s + 1\n", ahead.v, a.v)
	f.skip(char{class: between}, ahead)
	f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n", ahead.v, f.member(class, "s["+ahead.v+"]", false))
	f.printf("%s = %s + 1\n}\n", a.v, ahead.v)
	f.depth = depth
}
