package pegtogo

import (
	"fmt"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// matchChoice is matchOrFail for an ordered choice: the alternatives are tried from the same position until
// one matches. The end is in new variables, unless e is a char of several bytes, which is matched by a call.
func (f *function) matchChoice(e *expr.Expr, a position, fail string) position {
	if c, ok := f.asChar(e); ok && !c.isOneByte() {
		return f.matchCall(e, a, fail)
	}
	to := f.tryAlternatives(e, a)
	if f.mayFail(e) {
		f.printf("if %s == fail {\n%s\n}\n", to.posVar, fail)
	}
	return to
}

// tryAlternatives writes the alternatives of e at a, and declares new variables, which it returns: they are then at
// the end of the first alternative that matches. If none does, the offset is fail and the count has no meaning. The
// variables of a keep their values, even if a owns them. The new ones are free again when the caller resets f.depth.
func (f *function) tryAlternatives(e *expr.Expr, a position) position {
	to := f.newVariables()
	nodes := f.buildsHere(e)
	if !nodes {
		to = f.withCountOf(to, a)
	}
	heads := f.switchable(e)
	rest := e.Sub[len(heads):]
	switch {
	case len(heads) == 0 && f.isCall(rest[0]) && nodes == f.buildsHere(rest[0]):
		call, _ := f.callOf(rest[0], a)
		f.printf("%s := %s\n", assignees(to, nodes), call)
		rest = rest[1:]
	case nodes:
		f.printf("%s, %s := fail, %s\n", to.posVar, to.countVar, a.countText())
	default:
		f.printf("%s := fail\n", to.posVar)
	}
	f.chooseByFirst(heads, a, to)
	for _, s := range rest { // in order, each only if none before it matches
		test := f.firstByteTest(s, a)
		if len(rest) != len(e.Sub) || s != rest[0] { // not the first of all: one before it may have matched
			test = fmt.Sprintf("%s == fail", to.posVar) + choose(test != "", " && ", "") + test
		}
		if test == "" {
			f.writeAlternative(s, a, to)
		} else {
			f.writeBlock("if "+test, func() { f.writeAlternative(s, a, to) })
		}
	}
	return to
}

// firstByteTest returns a condition that saves a call: the next byte is one that e can begin with. It returns
// "" if e does not begin with a call, if it can match the empty string, and if it can begin with several bytes and does
// not nest. A call for something that nests is most often in vain.
func (f *function) firstByteTest(e *expr.Expr, a position) string {
	lead := f.firstBytes(e)
	if !f.isCall(e.Factors()[0]) || f.facts.Nullable(e) || lead.Len() != 1 && !f.usesRecursive(e) {
		return ""
	}
	return fmt.Sprintf("%s < uint(len(s)) && %s", a.posText(), f.memberTest(lead, "s["+a.posText()+"]", true))
}

// switchable returns the leading alternatives that each begin with a single possible byte, or nil if there
// are fewer than three: too few for a switch.
func (f *function) switchable(e *expr.Expr) []*expr.Expr {
	n := 0
	for n < len(e.Sub) && !f.facts.Nullable(e.Sub[n]) && f.firstBytes(e.Sub[n]).Len() == 1 {
		n++
	}
	if n < 3 {
		return nil
	}
	return e.Sub[:n]
}

// chooseByFirst writes a switch on the next byte, which sets to if an alternative matches. heads are alternatives that
// each begin with one certain byte (see switchable). Those with the same byte are tried in their order. The generated
// code must have set the offset of to to fail. chooseByFirst writes nothing if there are no heads.
func (f *function) chooseByFirst(heads []*expr.Expr, a, to position) {
	if len(heads) == 0 {
		return
	}
	f.printf("if %s < uint(len(s)) {\nswitch s[%s] {\n", a.posText(), a.posText())
	done := expr.Set{}
	for i, h := range heads {
		lead := f.firstBytes(h)
		if lead.Minus(done).IsEmpty() {
			continue
		}
		done = done.Union(lead)
		f.printf("case %s:\n", quoteByte(lead.Members()[0])) // a head has only this first byte
		f.writeAlternative(h, a, to)
		for _, g := range heads[i+1:] {
			if f.firstBytes(g) == lead {
				f.writeBlock(fmt.Sprintf("if %s == fail", to.posVar), func() { f.writeAlternative(g, a, to) })
			}
		}
	}
	f.printf("}\n}\n")
}

// writeAlternative writes code that matches one alternative at a, and moves to to its end if it matches. If it does
// not, the offset in to is fail, as it has to be before, and the count has no meaning.
func (f *function) writeAlternative(e *expr.Expr, a, to position) {
	ownCount := f.tree && to.countVar != a.countVar // to has a variable for the count
	// Nodes around a call that may fail: it is tried first, and they are stored only if it matches.
	if kinds, body, ok := f.asInPlace(e); ok && f.isCall(body) && f.mayFail(body) {
		here := a
		here.countOff += len(kinds)
		call, _ := f.callOf(body, here)
		f.writeBlock(fmt.Sprintf("if %s = %s; %s != fail", assignees(to, true), call, to.posVar),
			func() { f.putAround(kinds, a, to) })
		return
	}
	// A call is assigned to to as it is, if it returns just as many results as to has variables.
	if f.isCall(e) && ownCount == f.buildsHere(e) {
		call, _ := f.callOf(e, a)
		f.printf("%s = %s\n", assignees(to, ownCount), call)
		return
	}
	f.matchInScope(e, a, func(end position) { f.assignPosition(to, end) })
}

// matchInScope is matchThen for all factors of e, in a block of its own if it has to declare variables, which are free
// again after it. Only done may change the variables of a.
func (f *function) matchInScope(e *expr.Expr, a position, done func(end position)) {
	es := e.Factors()
	depth := f.depth
	_, _, fixed := f.fixedTest(es[0], a, true)
	// A fixed test declares nothing, and a call that may fail declares its variables in the head of an if. A leaf is
	// written in place instead, unless it is long, and needs variables of its own.
	inHead := f.isCall(es[0]) && f.mayFail(es[0]) && (!f.isLeaf(es[0]) || f.isLongLeaf(es[0]))
	scope := !fixed && !inHead
	if scope {
		f.printf("{\n")
	}
	f.matchThen(es, a.readOnly(), done)
	if scope {
		f.printf("}\n")
	}
	f.depth = depth
}

// matchThen writes code that matches es one after the other from a on, as nested conditions. done writes the
// innermost statements, which run if all match, given the end of the match. If they do not all match, the
// code continues after the conditions; variables that a owns may have changed even then.
func (f *function) matchThen(es []*expr.Expr, a position, done func(end position)) {
	if len(es) == 0 {
		done(a)
		return
	}
	e, rest := es[0], es[1:]
	if !f.tree {
		e = e.InsideNodes()
	}
	if test, n, ok := f.fixedTest(e, a, true); ok {
		f.writeBlock("if "+test, func() { f.matchThen(rest, a.advance(n), done) })
		return
	}
	// The cases go from the cheapest code to the most general: a leaf in place, a call, an expression that
	// cannot fail and so needs no condition, and at last one that has to be tried. They are all that there are:
	// whatever else may fail has a fixed test.
	kinds, body, leaf := f.asLeaf(e)
	switch {
	case leaf && f.tree && !f.mayFail(body):
		f.matchThen(rest, f.matchLeaf(kinds, body, a, ""), done)
	case leaf && f.tree && f.isRun(body) && !f.isPlain(body):
		_, c, _ := f.asRun(body)
		f.tryLong(c, a, func(end position) { f.matchThen(rest, f.putLeaf(kinds, a, end), done) })
	case leaf && f.tree:
		end := f.asVariables(a.readOnly(), false)
		f.tryLeaf(body, a, end, func() { f.matchThen(rest, f.putLeaf(kinds, a, end), done) })
	case f.isCall(e):
		f.tryCall(e, rest, a, done)
	case e.Op == expr.Seq:
		f.matchThen(append(append([]*expr.Expr(nil), e.Sub...), rest...), a, done)
	case !f.mayFail(e):
		f.matchThen(rest, f.matchOrFail(e, a, ""), done)
	case e.Op == expr.Alt:
		to := f.tryAlternatives(e, a)
		f.writeBlock(fmt.Sprintf("if %s != fail", to.posVar), func() { f.matchThen(rest, to, done) })
	case e.Op == expr.Repeat && f.isRun(e) && !f.isPlain(e):
		_, c, _ := f.asRun(e)
		f.tryLong(c, a, func(end position) { f.matchThen(rest, end, done) })
	case e.Op == expr.Repeat:
		end := f.asVariables(a.readOnly(), f.buildsHere(e))
		enough, _ := f.matchRounds(e, a, end)
		f.writeBlock("if "+enough, func() { f.matchThen(rest, end, done) })
	}
}

// tryLeaf writes code that matches body from a on: a class, a run of at least one char, or a class and a run. done
// writes the code that runs if it matches. end must be at a, and is moved, even if body does not match.
func (f *function) tryLeaf(body *expr.Expr, a, end position, done func()) {
	if body.Op == expr.Repeat {
		f.matchStar(body, end, "", "")
		f.writeBlock(fmt.Sprintf("if %s != %s", end.posVar, a.posText()), done)
		return
	}
	es := body.Factors()
	test, _, _ := f.fixedTest(es[0], a, true)
	f.writeBlock("if "+test, func() {
		f.printf("%s++\n", end.posVar)
		if len(es) > 1 {
			f.matchStar(es[1], end, "", "")
			if es[1].Min > 0 {
				f.writeBlock(fmt.Sprintf("if %s != %s", end.posVar, a.advance(1).posText()), done)
				return
			}
		}
		done()
	})
}

// isPlain reports whether e is a run of a class.
func (f *function) isPlain(e *expr.Expr) bool {
	_, c, ok := f.asRun(e)
	return ok && c.isOneByte()
}

// isLongLeaf reports whether e is a leaf that tryLong writes.
func (f *function) isLongLeaf(e *expr.Expr) bool {
	_, body, ok := f.asLeaf(e)
	return ok && f.tree && f.isRun(body) && !f.isPlain(body) && body.Min == 1
}

// tryLong writes ( char )+ by a call of the function that skips the char, which it requests. done writes the code
// that runs if it matches, given the end. That is in a new variable, which the caller frees.
func (f *function) tryLong(c char, a position, done func(end position)) {
	end := f.newVariables()
	end.countVar, end.countOff, end.owned = a.countVar, a.countOff, false
	define := fmt.Sprintf("%s := %s(s, %s)", end.posVar, f.requestRun(c), a.posText())
	f.writeBlock(fmt.Sprintf("if %s; %s != %s", define, end.posVar, a.posText()), func() { done(end) })
}

// tryCall is matchThen for e, which is matched by a call, and rest. The results of the call go into new variables,
// which the caller frees. If the call cannot fail, they are declared in the block around.
func (f *function) tryCall(e *expr.Expr, rest []*expr.Expr, a position, done func(position)) {
	call, nodes := f.callOf(e, a)
	to := f.newVariables()
	if !nodes {
		to.countVar, to.countOff, to.owned = a.countVar, a.countOff, false
	}
	define := fmt.Sprintf("%s := %s", assignees(to, nodes), call)
	if !f.mayFail(e) {
		f.printf("%s\n", define)
		f.matchThen(rest, to, done)
		return
	}
	f.writeBlock(fmt.Sprintf("if %s; %s != fail", define, to.posVar), func() { f.matchThen(rest, to, done) })
}
