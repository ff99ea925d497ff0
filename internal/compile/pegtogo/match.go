package pegtogo

import (
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// matchOrFail writes code that matches e from a on, and returns the end of the match. If e does not match,
// the code executes the statement fail, which leaves the function or the loop. Variables that a owns are
// changed in place. For the empty expression it writes nothing, and returns a. In an acceptor it looks inside of nodes
// around e.
func (f *function) matchOrFail(e *expr.Expr, a position, fail string) position {
	if !f.tree {
		e = e.InsideNodes()
	}
	if test, n, ok := f.fixedTest(e, a, false); ok {
		f.printf("if %s {\n%s\n}\n", test, fail)
		return a.advance(n)
	}
	if kinds, body, ok := f.asLeaf(e); ok && f.tree {
		return f.matchLeaf(kinds, body, a, fail)
	}
	switch e.Op {
	case expr.Seq:
		if l, ok := f.asLastRound(e); ok && fail != "break" { // which would leave only the loop of matchLastRound
			return f.matchLastRound(l, a, fail)
		}
		// Two neighbors may be written as one: k is then moved by two.
		for k := 0; k < len(e.Sub); k++ {
			if k+1 == len(e.Sub) {
				return f.matchOrFail(e.Sub[k], a, fail)
			}
			if s, ok := f.asSeparated(e.Sub[k], e.Sub[k+1]); ok {
				a = f.matchSeparated(s, a, fail)
				k++
			} else if f.lateOption(e.Sub[k], e.Sub[k+1]) {
				a = f.matchLateOption(e.Sub[k], e.Sub[k+1], a, fail)
				k++
			} else {
				a = f.matchOrFail(e.Sub[k], a, fail)
			}
		}
		return a
	case expr.Alt:
		return f.matchChoice(e, a, fail)
	case expr.Repeat:
		return f.matchRepeat(e, a, fail)
	case expr.Ref, expr.Node:
		if kinds, body, ok := f.asInPlace(e); ok {
			return f.matchInPlace(kinds, body, a, fail)
		}
		return f.matchCall(e, a, fail)
	}
	return a
}

// callOf returns the Go call that matches e at a, and whether it returns the number of nodes too. isCall must
// hold for e. A function that is missing is requested.
func (f *function) callOf(e *expr.Expr, a position) (call string, nodes bool) {
	nodes = f.buildsHere(e)
	name := ""
	if c, ok := f.asChar(e); ok {
		name = f.charFunc(e, c)
	} else if e.Op != expr.Ref {
		name = f.requestPart(e, nodes)
	} else if nodes {
		name = f.buildName(e.Name)
	} else {
		name = f.acceptName(e.Name)
	}
	if nodes {
		return fmt.Sprintf("b.%s(s, %s, %s)", name, a.posText(), a.countText()), true
	}
	return fmt.Sprintf("%s%s(s, %s)", choose(f.usesRecursive(e), "b.", ""), name, a.posText()), false
}

// charFunc returns the name of the function that matches one char: that of the lexical production,
// or a part.
func (f *function) charFunc(e *expr.Expr, c char) string {
	if r := f.ruleOf(c); r != nil {
		return f.acceptName(r.ID)
	}
	return f.requestPart(e, false)
}

// isCall reports whether e is matched by a call of another generated function.
func (f *function) isCall(e *expr.Expr) bool {
	if c, ok := f.asChar(e); ok {
		return !c.isOneByte() && e.Op != expr.Literal
	}
	return (e.Op == expr.Ref || e.Op == expr.Node) && !f.isEnd(e)
}

// matchCall is matchOrFail for an e that is matched by a call. If a owns its variables, the call's results
// are assigned to them, and otherwise to new ones; a call that makes no nodes leaves a's count as it is.
func (f *function) matchCall(e *expr.Expr, a position, fail string) position {
	call, nodes := f.callOf(e, a)
	to, assign := a, "="
	if !a.owned {
		to, assign = f.newVariables(), ":="
		to.owned = nodes // without nodes the count is still in a's variable, which must not be changed
	}
	to.posOff = 0
	if nodes {
		to.countOff = 0
	} else {
		to.countVar, to.countOff = a.countVar, a.countOff
	}
	switch {
	case !f.mayFail(e):
		f.printf("%s %s %s\n", assignees(to, nodes), assign, call)
	case a.owned:
		f.printf("if %s = %s; %s == fail {\n%s\n}\n", assignees(to, nodes), call, to.posVar, fail)
	default:
		f.printf("%s := %s\nif %s == fail {\n%s\n}\n", assignees(to, nodes), call, to.posVar, fail)
	}
	return to
}

// asLeaf reports whether e is a leaf: one or more nodes with the same text and no other nodes inside, over an
// expression simple enough to be written in place. It returns the productions, outermost first, and the
// content of the innermost one; they mean nothing if ok is false.
func (f *function) asLeaf(e *expr.Expr) (kinds []string, body *expr.Expr, ok bool) {
	kinds, body = f.unwrapNodes(e)
	return kinds, body, len(kinds) > 0 && !f.builds(body) && f.isSimple(body)
}

// isSimple reports whether e is a class, a run, or a class and a run. A run is what asRun or asInterrupted knows, with
// a guard as well.
func (f *function) isSimple(e *expr.Expr) bool {
	switch e.Op {
	case expr.Repeat:
		_, _, run := f.asRun(e)
		_, _, inner := f.asInterrupted(e)
		return run || inner
	case expr.Seq:
		return len(e.Sub) == 2 && f.isClass(e.Sub[0]) && e.Sub[1].Op == expr.Repeat && f.isSimple(e.Sub[1])
	}
	return f.isClass(e)
}

// isClass reports whether e is one byte of a class.
func (f *function) isClass(e *expr.Expr) bool {
	c, ok := f.asChar(e)
	return ok && c.isOneByte()
}

// matchLeaf is matchOrFail for a leaf, as asLeaf returns it.
func (f *function) matchLeaf(kinds []string, body *expr.Expr, a position, fail string) position {
	end := f.matchOrFail(body, a.readOnly(), fail)
	return f.moveInto(a, f.putLeaf(kinds, a, end))
}

// putLeaf writes the code that stores the nodes of a leaf whose text goes from a to end. It returns end with
// these nodes counted, in variables that it does not own.
func (f *function) putLeaf(kinds []string, a, end position) position {
	next := a
	next.countOff += len(kinds)
	for _, id := range kinds {
		f.printf("b.put(%s, %s, %s, %s, %s)\n", a.countText(), f.names[id].kind, a.posText(), end.posText(),
			next.countText())
		a.countOff++
	}
	end.countVar, end.countOff, end.owned = next.countVar, next.countOff, false
	return end
}

// matchRepeat is matchOrFail for a repetition. For an option, or any other that cannot fail, fail is not written.
func (f *function) matchRepeat(e *expr.Expr, a position, fail string) position {
	if e.Max == 1 && e.Min == 1 {
		return f.matchOrFail(e.Sub[0], a, fail)
	}
	if e.Max == 1 { // optional: to moves on if the body matches, and stays where it is if not
		to := f.asVariables(a, f.buildsHere(e))
		f.matchInScope(e.Sub[0], to, func(end position) { f.assignPosition(to, end) })
		return to
	}
	if guard, c, ok := f.asRun(e); ok && guard == nil && !c.isPlainLoop() {
		return f.skipLong(e, c, a, fail)
	}
	// The loop moves variables of its own if the number of its rounds is tested after it: the test needs the beginning.
	begin := a.readOnly()
	to := a.readOnly()
	if e.Min == 0 {
		to = a
	}
	to = f.asVariables(to, f.buildsHere(e))
	_, few := f.matchRounds(e, begin, to)
	if !f.mayFail(e) {
		return to
	}
	f.printf("if %s {\n%s\n}\n", few, fail)
	return f.moveInto(a, to)
}

// skipLong is matchOrFail for ( char )* and ( char )+ by a call of the function that skips the char.
func (f *function) skipLong(e *expr.Expr, c char, a position, fail string) position {
	call := fmt.Sprintf("%s(s, %s)", f.requestRun(c), a.posText())
	if e.Min == 0 && a.owned { // the beginning is not needed for a test
		f.printf("%s = %s\n", a.posVar, call)
		a.posOff = 0
		return a
	}
	to := f.newVariables()
	to.countVar, to.countOff, to.owned = a.countVar, a.countOff, false // the count is a's
	f.printf("%s := %s\n", to.posVar, call)
	if e.Min == 1 {
		f.printf("if %s == %s {\n%s\n}\n", to.posVar, a.posText(), fail)
	}
	return f.moveInto(a, to)
}

// matchRounds writes the loop of a repetition e. to must be at begin, and is moved to the end of the loop. It
// returns the conditions that there were enough rounds, and too few. Without counts (see isCounted) they say
// that there was a round, or none, even if e.Min is 0; they must not be used then.
func (f *function) matchRounds(e *expr.Expr, begin, to position) (enough, few string) {
	if !isCounted(e) {
		f.matchStar(e, to, "", "")
		return to.posVar + " != " + begin.posText(), to.posVar + " == " + begin.posText()
	}
	// If each round is one byte, the offset itself tells how many there were: count is its variable, and least the
	// offset after e.Min rounds. Otherwise count is a variable that counts the rounds, and least is e.Min.
	count, least := to.posVar, begin.advance(e.Min).posText()
	c, ok := f.asChar(e.Sub[0])
	switch {
	case ok && c.isOneByte() && e.Max == expr.Unbounded:
		f.skipChars(c, to)
	case ok && c.isOneByte():
		end := f.newVariables().posVar
		f.printf("%s := min(%s, uint(len(s)))\n", end, addOffset(to.posVar, e.Max))
		f.printf("for %s < %s && %s {\n%[1]s++\n}\n", to.posVar, end, f.memberTest(c.class, "s["+to.posVar+"]", true))
	default:
		count, least = f.newVariables().posVar, strconv.Itoa(e.Min)
		f.printf("%s := uint(0)\n", count)
		more := ""
		if e.Max != expr.Unbounded {
			more = fmt.Sprintf("%s < %d", count, e.Max)
		}
		f.matchStar(e, to, more, count+"++\n")
	}
	return count + " >= " + least, count + " < " + least
}

// isCounted reports whether e is a repetition other than ?, * and +. Such a loop ends at a place,
// or has a variable that counts its rounds.
func isCounted(e *expr.Expr) bool {
	return e.Op == expr.Repeat && (e.Min > 1 || e.Max != 1 && e.Max != expr.Unbounded)
}

// matchStar writes e*, whatever the bounds of the repetition e, and moves a to its end. more is a further condition
// for each round, and done a statement after each round; both are "" unless isCounted holds for e. What asRun or
// asInterrupted finds is never counted, so neither is written there. The variables of a must be ones that may be
// assigned to, and a must have no offsets: see asVariables.
func (f *function) matchStar(e *expr.Expr, a position, more, done string) {
	if guard, c, ok := f.asRun(e); ok {
		if guard == nil {
			f.skipChars(c, a)
		} else {
			f.matchGuarded(e, guard, c, a)
		}
		return
	}
	if between, class, ok := f.asInterrupted(e); ok {
		f.matchInterrupted(between, class, a)
		return
	}
	depth := f.depth
	body := e.Sub[0].Factors()
	here := a.readOnly()
	// If the first part has a fixed test, that is the condition of the loop; any other part breaks out of it
	// if it does not match.
	if test, n, ok := f.fixedTest(body[0], a, true); ok {
		more += choose(more != "", " && "+parenthesizeOr(test), test)
		body, here = body[1:], here.advance(n)
	}
	f.printf("for %s{\n", choose(more != "", more+" ", ""))
	if len(body) == 1 && f.isCall(body[0]) && !f.mayFail(body[0]) && !f.isLeaf(body[0]) {
		call, nodes := f.callOf(body[0], here)
		f.printf("%s = %s\n", assignees(a, nodes), call)
	} else {
		for _, s := range body {
			here = f.matchOrFail(s, here, "break")
		}
		f.assignPosition(a, here)
	}
	f.printf("%s}\n", done)
	f.depth = depth
}

// isLeaf reports whether e is a leaf and this function builds nodes.
func (f *function) isLeaf(e *expr.Expr) bool {
	_, _, ok := f.asLeaf(e)
	return ok && f.tree
}

// skipChars writes ( c )* and moves a to its end.
func (f *function) skipChars(c char, a position) {
	if c.isPlainLoop() {
		f.printf("for %s < uint(len(s)) && %s {\n%s++\n}\n", a.posVar, f.memberTest(c.class, "s["+a.posVar+"]", true),
			a.posVar)
	} else {
		f.printf("%s = %s(s, %s)\n", a.posVar, f.requestRun(c), a.posVar)
	}
}

// matchGuarded writes ( !guard char )* and moves a to its end. e is the whole repetition; guard and c are its parts,
// as asRun returns them. It skips the chars that no guard begins with, and tests the guard only after these.
func (f *function) matchGuarded(e, guard *expr.Expr, c char, a position) {
	lead := f.firstBytes(guard)
	f.printf("for {\n")
	f.skipChars(c.without(lead), a)
	if lead.Minus(c.class).IsEmpty() {
		// A guard begins with a byte of the class, so the run ends at such a byte, or where the loop ends.
		f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n", a.posVar, f.memberTest(lead, "s["+a.posVar+"]", false))
		rest, here := guard, a
		if guard.Op == expr.Seq && len(guard.Sub) == 2 && f.isClass(guard.Sub[0]) {
			rest, here = guard.Sub[1], a.advance(1) // its first byte has just been seen
		}
		f.printf("if %s {\nbreak\n}\n%s++\n", f.conditionOf(rest, here, true), a.posVar)
	} else {
		f.printf("if %s {\nbreak\n}\n", f.conditionOf(guard, a, true))
		f.matchOneChar(e.Sub[0].Sub[1], c, a)
	}
	f.printf("}\n")
}

// matchOneChar writes a match of e, which is the one char c, and moves a; or a break if there is none, which leaves
// the loop around it.
func (f *function) matchOneChar(e *expr.Expr, c char, a position) {
	if c.isOneByte() {
		f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n%s++\n", a.posVar,
			f.memberTest(c.class, "s["+a.posVar+"]", false), a.posVar)
		return
	}
	depth := f.depth
	next := f.newVariables()
	f.printf("%s := %s(s, %s)\nif %s == fail {\nbreak\n}\n%s = %s\n", next.posVar, f.charFunc(e, c), a.posVar,
		next.posVar, a.posVar, next.posVar)
	f.depth = depth
}

// asInterrupted returns the classes of ( between* class )*: a run of a class that rows of other
// bytes may interrupt but not end (RFC 1738, domainlabel: hyphens). ok is false for any other expression, and if the
// classes have a byte in common.
func (f *function) asInterrupted(e *expr.Expr) (between, class expr.Set, ok bool) {
	if e.Op != expr.Repeat || e.Max != expr.Unbounded || e.Min != 0 {
		return between, class, false
	}
	if e.Sub[0].Op != expr.Seq || len(e.Sub[0].Sub) != 2 {
		return between, class, false
	}
	rep, last := e.Sub[0].Sub[0], e.Sub[0].Sub[1]
	c, ok := f.asChar(last)
	if !ok || !c.isOneByte() || rep.Op != expr.Repeat || rep.Min != 0 || rep.Max != expr.Unbounded {
		return between, class, false
	}
	d, ok := f.asChar(rep.Sub[0])
	if !ok || !d.isOneByte() || !d.class.Intersect(c.class).IsEmpty() {
		return between, class, false
	}
	return d.class, c.class, true
}

// matchInterrupted writes such a run and moves a to its end. It looks past the other bytes only if there is
// one, since most runs are not interrupted.
func (f *function) matchInterrupted(between, class expr.Set, a position) {
	depth := f.depth
	ahead := f.newVariables()
	f.printf("for {\n")
	f.skipChars(char{class: class}, a)
	f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n", a.posVar, f.memberTest(between, "s["+a.posVar+"]", false))
	f.printf("%s := %s + 1\n", ahead.posVar, a.posVar)
	f.skipChars(char{class: between}, ahead)
	f.printf("if %s >= uint(len(s)) || %s {\nbreak\n}\n", ahead.posVar,
		f.memberTest(class, "s["+ahead.posVar+"]", false))
	f.printf("%s = %s + 1\n}\n", a.posVar, ahead.posVar)
	f.depth = depth
}
