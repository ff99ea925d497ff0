package pegtogo

import (
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A function writes the body of one Go function.
type function struct {
	*program
	tree  bool // it builds nodes
	depth int  // how many pairs of variables are in use
}

// at is where the parser is when a piece of the generated code begins or ends: at v+off, after n+nodes nodes, if it builds any.
type at struct {
	v     string
	off   int
	n     string
	nodes int
	own   bool // v and n are variables that nothing goes back to
}

func (a at) pos() string   { return plus(a.v, a.off) }
func (a at) count() string { return plus(a.n, a.nodes) }

// past is a after n more bytes.
func (a at) past(n int) at {
	a.off += n
	return a
}

// borrowed is a with variables that must not be changed.
func (a at) borrowed() at {
	a.own = false
	return a
}

// vars are the names of positions and of node counts, outermost first.
var vars = [...][2]string{{"i", "n"}, {"j", "m"}, {"k", "l"}, {"p", "q"}, {"u", "v"}, {"x", "y"}}

// declare returns a pair of variables that is not in use.
func (f *function) declare() at {
	f.depth++
	if f.depth < len(vars) {
		return at{v: vars[f.depth][0], n: vars[f.depth][1], own: true}
	}
	k := strconv.Itoa(f.depth)
	return at{v: "i" + k, n: "n" + k, own: true}
}

// function writes a function that matches e: one that builds nodes or one that only accepts.
func (p *program) function(name string, e *expr.Expr, tree bool) {
	f := &function{program: p, tree: tree}
	if tree {
		f.builder(name, e)
	} else {
		f.acceptor(name, p.flat(e))
	}
}

func (f *function) acceptor(name string, e *expr.Expr) {
	f.printf("func %s%s(s string, i uint) uint {\n", pick(f.nests(e), "(b *builder) ", ""), name)
	if c, ok := f.charOf(e); ok && !c.single() {
		f.oneChar(c)
	} else {
		end := f.must(e, at{v: "i", own: true}, "return fail")
		f.printf("return %s\n", end.pos())
	}
	f.printf("}\n")
}

// oneChar writes what matches c and returns.
func (f *function) oneChar(c char) {
	if !c.class.IsEmpty() {
		f.printf("if i < uint(len(s)) && %s {\nreturn i+1\n}\n", f.member(c.class, "s[i]", true))
	}
	for _, seq := range c.long {
		f.printf("if %s {\nreturn i+%d\n}\n", f.sequence(seq, "i", 0), len(seq))
	}
	f.printf("return fail\n")
}

func (f *function) builder(name string, e *expr.Expr) {
	f.printf("func (b *builder) %s(s string, i, n uint) (uint, uint) {\n", name)
	here := at{v: "i", n: "n", own: true}
	const fail = "return fail, 0"
	var end at
	if kinds, body, ok := f.leaf(e); ok {
		end = f.matchLeaf(kinds, body, here.borrowed(), fail)
	} else if e.Op == expr.Node {
		f.printf("from, at := i, n\n")
		here.nodes = 1
		end = f.must(e.Sub[0], here, fail)
		f.printf("b.put(at, %s, from, %s, %s)\n", f.names[e.Name].kind, end.pos(), end.count())
	} else {
		end = f.must(e, here, fail)
	}
	f.printf("return %s, %s\n}\n", end.pos(), end.count())
}

func (f *function) printf(format string, args ...any) {
	f.grammar.Budget.Step(8)
	fmt.Fprintf(&f.out, format, args...)
}

// targets are the variables that a call assigns.
func targets(a at, nodes bool) string {
	if nodes {
		return a.v + ", " + a.n
	}
	return a.v
}

// commit writes that to is now where end is. The nodes that to counts beside its variable stay beside it.
func (f *function) commit(to, end at) {
	pos, more := end.pos(), end.nodes-to.nodes
	switch {
	case !f.tree || end.n == to.n && more == 0:
		f.assign(to.v, end.v, end.off)
	case pos == to.v:
		f.assign(to.n, end.n, more)
	default:
		f.printf("%s, %s = %s, %s\n", to.v, to.n, pos, plus(end.n, more))
	}
}

// into returns the place end, in the variables of a if it owns them.
func (f *function) into(a, end at) at {
	if !a.own {
		return end
	}
	to := at{v: a.v, n: a.n, own: true}
	f.commit(to, end)
	return to
}

// assign writes v = w+off in its shortest form.
func (f *function) assign(v, w string, off int) {
	switch {
	case v != w:
		f.printf("%s = %s\n", v, plus(w, off))
	case off == 1:
		f.printf("%s++\n", v)
	case off > 0:
		f.printf("%s += %d\n", v, off)
	}
}

// settled returns a place without offsets, in variables that may be changed; nodes reports whether the count may be changed too.
func (f *function) settled(a at, nodes bool) at {
	if a.own {
		return f.into(a, a)
	}
	to := f.declare()
	if nodes {
		f.printf("%s, %s := %s, %s\n", to.v, to.n, a.pos(), a.count())
		return to
	}
	f.printf("%s := %s\n", to.v, a.pos())
	return f.counting(to, a)
}

// counting returns the place to with as many nodes as a. Its count is a's, and where there is one not to be changed.
func (f *function) counting(to, a at) at {
	to.n, to.nodes, to.own = a.n, a.nodes, to.own && !f.tree
	return to
}

// within writes a block.
func (f *function) within(head string, body func()) {
	depth := f.depth
	f.printf("%s {\n", head)
	body()
	f.printf("}\n")
	f.depth = depth
}

// makes reports whether e makes nodes in this function.
func (f *function) makes(e *expr.Expr) bool { return f.tree && f.builds(e) }
