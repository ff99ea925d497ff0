package compile

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck/internal/expr"
)

// A function writes the body of one Go function.
type function struct {
	*program
	out   *bytes.Buffer
	tree  bool // it builds nodes
	fail  string
	depth int // how many pairs of variables are in use
}

// at is where the parser is: the position v+off, after n nodes. A function that builds none has no n.
type at struct {
	v   string
	off int
	n   string
	own bool // v and n are variables that nothing goes back to
}

func (a at) pos() string { return plus(a.v, a.off) }

// vars are the names of positions and of node counts, outermost first.
var vars = [...][2]string{{"i", "n"}, {"j", "m"}, {"k", "l"}, {"p", "q"}, {"u", "v"}, {"x", "y"}}

// declare gives a pair of variables that is not in use.
func (f *function) declare() at {
	f.depth++
	a := at{own: true}
	if f.depth < len(vars) {
		a.v, a.n = vars[f.depth][0], vars[f.depth][1]
	} else {
		a.v, a.n = "i"+strconv.Itoa(f.depth), "n"+strconv.Itoa(f.depth)
	}
	return a
}

// function writes a function that matches e.
func (p *program) function(name string, e *expr.Expr, tree bool) {
	f := &function{program: p, out: &p.out, tree: tree, fail: "return fail"}
	here := at{v: "i", n: "n", own: true}
	if !tree {
		e = bare(e)
		f.printf("func %s(s string, i uint) uint {\n", name)
		if c, ok := f.charOf(e); ok && !c.single() {
			f.oneChar(c)
			return
		}
		f.must(e, here, f.fail)
		f.printf("return i\n}\n")
		return
	}
	f.fail = "return fail, 0"
	f.printf("func (b *builder) %s(s string, i, n uint) (uint, uint) {\n", name)
	if e.Op == expr.Node {
		f.printf("from, at := i, n\nn++\n")
		f.must(e.Sub[0], here, f.fail)
		f.printf("b.put(at, %s, from, i, n)\n", p.opts.Kind(e.Name))
	} else {
		f.must(e, here, f.fail)
	}
	f.printf("return i, n\n}\n")
}

// bare gives e without the nodes around it.
func bare(e *expr.Expr) *expr.Expr {
	for e.Op == expr.Node {
		e = e.Sub[0]
	}
	return e
}

// oneChar writes the rest of a function that matches c.
func (f *function) oneChar(c char) {
	if !c.class.IsEmpty() {
		f.printf("if i < uint(len(s)) && %s {\nreturn i+1\n}\n", f.member(c.class, "s[i]", true))
	}
	for _, seq := range c.long {
		f.printf("if %s {\nreturn i+%d\n}\n", f.sequence(seq, "i", 0), len(seq))
	}
	f.printf("return fail\n}\n")
}

func (f *function) printf(format string, args ...any) { fmt.Fprintf(f.out, format, args...) }

// must writes what matches e and moves a, which has no offset, past it; fail is the statement for where it does not
// match.
func (f *function) must(e *expr.Expr, a at, fail string) {
	if !f.tree {
		e = bare(e)
	}
	if test, n, ok := f.fixed(e, a, false); ok {
		f.printf("if %s {\n%s\n}\n", test, fail)
		if n > 0 {
			f.printf("%s\n", advance(a.v, n))
		}
		return
	}
	switch e.Op {
	case expr.Seq:
		for _, s := range e.Sub {
			f.must(s, a, fail)
		}
	case expr.Alt:
		f.alternatives(e, a, fail)
	case expr.Repeat:
		f.repeat(e, a, fail)
	case expr.Ref, expr.Node:
		f.call(e, a, fail)
	}
}

func advance(v string, n int) string {
	if n == 1 {
		return v + "++"
	}
	return fmt.Sprintf("%s += %d", v, n)
}

// fixed gives the Go condition for an expression that needs no statement, true where it matches (or, for !match, where
// it does not), and how many bytes it consumes.
func (f *function) fixed(e *expr.Expr, a at, match bool) (test string, n int, ok bool) {
	pos := a.pos()
	switch e.Op {
	case expr.Literal:
		if len(e.Lit) > 1 {
			f.literals = true
			return negate(!match) + fmt.Sprintf("strings.HasPrefix(s[%s:], %q)", pos, e.Lit), len(e.Lit), true
		}
	case expr.Not:
		if f.isEnd(e) {
			return fmt.Sprintf("%s %s uint(len(s))", pos, pick(match, "==", "!=")), 0, true
		}
		test := f.condition(e.Sub[0], a, !match)
		return test, 0, true
	case expr.And:
		return f.condition(e.Sub[0], a, match), 0, true
	case expr.Ref:
		if f.isEnd(e) {
			return f.fixed(f.grammar.Rule(e.Name).Expr, a, match)
		}
	}
	c, ok := f.charOf(e)
	if !ok || !c.single() {
		return "", 0, false
	}
	switch {
	case c.class == expr.AnyByte:
		return fmt.Sprintf("%s %s uint(len(s))", pos, pick(match, "<", ">=")), 1, true
	case match:
		return fmt.Sprintf("%s < uint(len(s)) && %s", pos, f.member(c.class, "s["+pos+"]", true)), 1, true
	}
	return fmt.Sprintf("%s >= uint(len(s)) || %s", pos, f.member(c.class, "s["+pos+"]", false)), 1, true
}

func negate(not bool) string { return pick(not, "!", "") }

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// condition is the Go condition that e matches at a (or does not), whatever it takes: lookahead consumes nothing and
// builds nothing.
func (f *function) condition(e *expr.Expr, a at, match bool) string {
	if test, _, ok := f.fixed(e, a, match); ok {
		return test
	}
	switch e.Op {
	case expr.Alt:
		if test, ok := f.any(e, a, match); ok {
			return test
		}
	case expr.Seq:
		if test, ok := f.all(e, a, match); ok {
			return test
		}
	}
	name := ""
	if e.Op == expr.Ref {
		name = f.acceptName(e.Name)
	} else {
		name = f.part(e, false)
	}
	return fmt.Sprintf("%s(s, %s) %s fail", name, a.pos(), pick(match, "!=", "=="))
}

// any is the condition of an alternation without sequences.
func (f *function) any(e *expr.Expr, a at, match bool) (string, bool) {
	all := ""
	for i, s := range e.Sub {
		if s.Op == expr.Seq {
			return "", false
		}
		if i > 0 {
			all += " || "
		}
		all += "(" + f.condition(s, a, true) + ")"
	}
	return pick(match, all, "!("+all+")"), true
}

// all is the condition of a sequence of which only the last element may have a length that is not fixed.
func (f *function) all(e *expr.Expr, a at, match bool) (string, bool) {
	all := ""
	for i, s := range e.Sub {
		test, n, ok := f.fixed(s, a, true)
		if !ok {
			if i < len(e.Sub)-1 || s.Op != expr.Ref {
				return "", false
			}
			test = f.condition(s, a, true)
		}
		if i > 0 {
			all += " && "
		}
		all += test
		a.off += n
	}
	return pick(match, all, "!("+all+")"), true
}

// callee gives the call of a production or of a part at a, and whether it gives nodes as well.
func (f *function) callee(e *expr.Expr, a at) (call string, nodes bool) {
	nodes = f.tree && f.builds(e)
	var name string
	switch {
	case e.Op != expr.Ref:
		name = f.part(e, nodes)
	case nodes:
		name = f.buildName(e.Name)
	default:
		name = f.acceptName(e.Name)
	}
	if nodes {
		return fmt.Sprintf("b.%s(s, %s, %s)", name, a.pos(), a.n), true
	}
	return fmt.Sprintf("%s(s, %s)", name, a.pos()), false
}

// targets are the variables that a call assigns.
func targets(a at, nodes bool) string {
	if nodes {
		return a.v + ", " + a.n
	}
	return a.v
}

func (f *function) call(e *expr.Expr, a at, fail string) {
	call, nodes := f.callee(e, a)
	if f.mayFail(e) {
		f.printf("if %s = %s; %s == fail {\n%s\n}\n", targets(a, nodes), call, a.v, fail)
	} else {
		f.printf("%s = %s\n", targets(a, nodes), call)
	}
}

// alternatives writes ordered choice: the alternatives one after the other, each from the same place, until one
// matches.
func (f *function) alternatives(e *expr.Expr, a at, fail string) {
	if c, ok := f.charOf(e); ok && !c.single() {
		f.printf("if %s = %s(s, %s); %s == fail {\n%s\n}\n", a.v, f.charFunc(e, c), a.v, a.v, fail)
		return
	}
	to, nodes := f.choose(e, a)
	if f.mayFail(e) {
		f.printf("if %s == fail {\n%s\n}\n", to.v, fail)
	}
	f.printf("%s = %s\n", targets(a, nodes), targets(to, nodes))
}

// choose writes the alternatives of e at a and gives the variables for where the first that matches ends.
func (f *function) choose(e *expr.Expr, a at) (to at, nodes bool) {
	to = f.declare()
	nodes = f.tree && f.builds(e)
	if !nodes {
		to.n = a.n
	}
	rest := e.Sub
	heads := f.heads(e)
	switch {
	case len(heads) == 0 && f.isCall(rest[0]) && nodes == (f.tree && f.builds(rest[0])):
		call, _ := f.callee(rest[0], a)
		f.printf("%s := %s\n", targets(to, nodes), call)
		rest = rest[1:]
	case nodes:
		f.printf("%s, %s := fail, %s\n", to.v, to.n, a.n)
	default:
		f.printf("%s := fail\n", to.v)
	}
	if len(heads) > 0 {
		rest = e.Sub[len(heads):]
		f.printf("if %s < uint(len(s)) {\nswitch s[%s] {\n", a.pos(), a.pos())
		done := expr.Set{}
		for i, h := range heads {
			lead := f.first(h)
			if !lead.Minus(done).IsEmpty() {
				f.printf("case %s:\n", quoteByte(lead.Members()[0]))
				tried := false
				for _, g := range heads[i:] {
					if f.first(g) == lead {
						f.alternative(g, a, to, nodes, tried)
						tried = true
					}
				}
				done = done.Union(lead)
			}
		}
		f.printf("}\n}\n")
	}
	for i, s := range rest {
		f.alternative(s, a, to, nodes, i > 0 || len(rest) < len(e.Sub))
	}
	return to, nodes
}

// heads gives the alternatives that e begins with, as long as each begins with one certain byte, if a switch on that
// byte is worth it.
func (f *function) heads(e *expr.Expr) []*expr.Expr {
	n := 0
	for n < len(e.Sub) && !f.mayBeEmpty(e.Sub[n]) && f.first(e.Sub[n]).Len() == 1 {
		n++
	}
	if n < 3 {
		return nil
	}
	return e.Sub[:n]
}

func (f *function) alternative(e *expr.Expr, a, to at, nodes, tried bool) {
	if tried {
		f.printf("if %s == fail {\n", to.v)
		defer f.printf("}\n")
	}
	if builds := f.tree && f.builds(e); builds == nodes && f.isCall(e) {
		call, _ := f.callee(e, a)
		f.printf("%s = %s\n", targets(to, nodes), call)
		return
	}
	f.attempt(e, a, func(end at) { f.commit(to, end, nodes) })
}

// attempt is try for e in a scope of its own.
func (f *function) attempt(e *expr.Expr, a at, done func(end at)) {
	a.own = false
	es := elements(e)
	depth := f.depth
	_, _, fixed := f.fixed(es[0], a, true)
	scope := !fixed && !(f.mayFail(es[0]) && (f.isCall(es[0]) || f.isChar(es[0])))
	if scope {
		f.printf("{\n")
	}
	f.try(es, a, done)
	if scope {
		f.printf("}\n")
	}
	f.depth = depth
}

// commit writes that to is now where end is.
func (f *function) commit(to, end at, nodes bool) {
	if nodes && to.n != end.n {
		f.printf("%s, %s = %s, %s\n", to.v, to.n, end.pos(), end.n)
	} else {
		f.printf("%s = %s\n", to.v, end.pos())
	}
}

func elements(e *expr.Expr) []*expr.Expr {
	if e.Op == expr.Seq {
		return e.Sub
	}
	return []*expr.Expr{e}
}

// charFunc gives the function that matches one char: that of the lexical production, or a part.
func (f *function) charFunc(e *expr.Expr, c char) string {
	for _, r := range f.rules {
		if d, ok := f.charOf(r.Expr); ok && d.key() == c.key() {
			return f.acceptName(r.ID)
		}
	}
	return f.part(e, false)
}

// repeat writes ?, * and +.
func (f *function) repeat(e *expr.Expr, a at, fail string) {
	if e.Max == 1 {
		if e.Min == 1 {
			f.must(e.Sub[0], a, fail)
			return
		}
		nodes := f.tree && f.builds(e)
		f.attempt(e.Sub[0], a, func(end at) { f.commit(a, end, nodes) })
		return
	}
	begin := ""
	if e.Min == 1 {
		begin = f.declare().v
		f.printf("%s := %s\n", begin, a.v)
	}
	f.loop(e, a)
	if e.Min == 1 {
		f.printf("if %s == %s {\n%s\n}\n", a.v, begin, fail)
	}
}

// loop writes e* (e is the repetition).
func (f *function) loop(e *expr.Expr, a at) {
	guard, c, ok := f.repeated(e)
	switch {
	case ok && guard == nil && c.single():
		f.printf("for %s < uint(len(s)) && %s {\n%s++\n}\n", a.v, f.member(c.class, "s["+a.v+"]", true), a.v)
		return
	case ok && guard == nil:
		f.printf("%s = %s(s, %s)\n", a.v, f.run(c), a.v)
		return
	case ok:
		f.printf("for {\n")
		f.skip(c.without(f.first(guard)), a)
		f.printf("if %s {\nbreak\n}\n", f.condition(guard, a, true))
		if c.single() {
			f.must(e.Sub[0].Sub[1], a, "break")
		} else {
			next := f.declare()
			f.printf("%s := %s(s, %s)\n", next.v, f.charFunc(e.Sub[0].Sub[1], c), a.v)
			f.printf("if %s == fail {\nbreak\n}\n%s = %s\n", next.v, a.v, next.v)
			f.depth--
		}
		f.printf("}\n")
		return
	}
	nodes := f.tree && f.builds(e)
	depth := f.depth
	body := elements(e.Sub[0])
	here := f.declare()
	head := "for {\n"
	start := a.v
	if test, n, ok := f.fixed(body[0], a, true); ok {
		head = "for " + test + " {\n"
		start = plus(a.v, n)
		body = body[1:]
	}
	f.printf("%s", head)
	if len(body) == 1 && f.isCall(body[0]) {
		call, nodes := f.callee(body[0], at{v: start, n: a.n})
		if f.mayFail(body[0]) {
			f.printf("%s := %s\nif %s == fail {\nbreak\n}\n", targets(here, nodes), call, here.v)
			call = targets(here, nodes)
		}
		f.printf("%s = %s\n}\n", targets(a, nodes), call)
		f.depth = depth
		return
	}
	if nodes {
		f.printf("%s, %s := %s, %s\n", here.v, here.n, start, a.n)
	} else {
		f.printf("%s := %s\n", here.v, start)
		here.n = a.n
	}
	for _, s := range body {
		f.must(s, here, "break")
	}
	f.commit(a, here, nodes)
	f.printf("}\n")
	f.depth = depth
}

func (f *function) skip(c char, a at) {
	if c.single() {
		f.printf("for %s < uint(len(s)) && %s {\n%s++\n}\n", a.v, f.member(c.class, "s["+a.v+"]", true), a.v)
	} else {
		f.printf("%s = %s(s, %s)\n", a.v, f.run(c), a.v)
	}
}

// try writes what matches es one after the other from a on, as nested conditions; done writes the innermost
// statements, those for where all of them have matched. Where they do not, the code runs on behind.
func (f *function) try(es []*expr.Expr, a at, done func(end at)) {
	if len(es) == 0 {
		done(a)
		return
	}
	e := es[0]
	if test, n, ok := f.fixed(e, a, true); ok {
		a.off += n
		f.within("if "+test, func() { f.try(es[1:], a, done) })
		return
	}
	switch {
	case e.Op == expr.Ref, e.Op == expr.Node:
		f.tryCall(e, es[1:], a, done)
	case e.Op == expr.Seq:
		f.try(append(append([]*expr.Expr(nil), e.Sub...), es[1:]...), a, done)
	case f.isRun(e):
		_, c, _ := f.repeated(e)
		to := f.declare()
		to.n = a.n
		f.printf("%s := %s(s, %s)\n", to.v, f.run(c), a.pos())
		f.try(es[1:], to, done)
	case !f.mayFail(e):
		here := f.own(es, a)
		f.must(e, here, "")
		f.try(es[1:], here, done)
	case e.Op == expr.Alt && !f.isChar(e):
		to, _ := f.choose(e, a)
		f.within(fmt.Sprintf("if %s != fail", to.v), func() { f.try(es[1:], to, done) })
	default:
		f.tryCall(e, es[1:], a, done)
	}
}

// isCall says whether e is matched by a call of another function.
func (f *function) isCall(e *expr.Expr) bool {
	if e.Op != expr.Ref && e.Op != expr.Node {
		return false
	}
	_, _, fixed := f.fixed(e, at{}, true)
	return !fixed
}

// isRun says whether e is ( char )* with a function of its own.
func (f *function) isRun(e *expr.Expr) bool {
	guard, c, ok := f.repeated(e)
	return ok && guard == nil && !c.single() && e.Min == 0
}

func (f *function) isChar(e *expr.Expr) bool {
	_, ok := f.charOf(e)
	return ok
}

// tryCall is try for an element that is a call.
func (f *function) tryCall(e *expr.Expr, rest []*expr.Expr, a at, done func(at)) {
	var call string
	nodes := false
	if c, ok := f.charOf(e); ok {
		call = fmt.Sprintf("%s(s, %s)", f.charFunc(e, c), a.pos())
	} else {
		call, nodes = f.callee(e, a)
	}
	to := f.declare()
	if !nodes {
		to.n = a.n
	}
	define := fmt.Sprintf("%s := %s", targets(to, nodes), call)
	if f.mayFail(e) {
		f.within(fmt.Sprintf("if %s; %s != fail", define, to.v), func() { f.try(rest, to, done) })
		return
	}
	f.printf("%s\n", define)
	f.try(rest, to, done)
}

// own gives variables that hold a, for what is changed in place; es is what is still to be matched.
func (f *function) own(es []*expr.Expr, a at) at {
	if a.own {
		if a.off > 0 {
			f.printf("%s\n", advance(a.v, a.off))
			a.off = 0
		}
		return a
	}
	to := f.declare()
	for _, e := range es {
		if f.tree && f.builds(e) {
			f.printf("%s, %s := %s, %s\n", to.v, to.n, a.pos(), a.n)
			return to
		}
	}
	f.printf("%s := %s\n", to.v, a.pos())
	to.n = a.n
	return to
}

func (f *function) within(head string, body func()) {
	depth := f.depth
	f.printf("%s {\n", head)
	body()
	f.printf("}\n")
	f.depth = depth
}
