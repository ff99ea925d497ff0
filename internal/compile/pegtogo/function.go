package pegtogo

import (
	"fmt"
	"strconv"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// A function writes the body of one generated function.
//
// The methods that begin with match write code that matches an expression from a position on. They come in
// two styles: the code of matchOrFail leaves the function or loop if there is no match; the code of matchThen
// nests all that follows in a condition.
type function struct {
	*program
	tree  bool // it builds nodes
	depth int  // how many pairs of variables are in use
}

// A position is the place of the parser where a piece of generated code begins or ends: at byte posVar+posOff of the
// input, after countVar+countOff nodes. If no nodes are built, the count has no meaning. A method that says that it
// moves a position needs one without offsets, whose variables may be assigned to: see asVariables.
type position struct {
	posVar   string
	posOff   int
	countVar string
	countOff int
	owned    bool // the variables may be changed in place: no later code goes back to their old values
}

// posText returns the Go expression for the byte offset.
func (a position) posText() string { return addOffset(a.posVar, a.posOff) }

// countText returns the Go expression for the number of nodes.
func (a position) countText() string { return addOffset(a.countVar, a.countOff) }

// advance returns a moved forward by n bytes.
func (a position) advance(n int) position {
	a.posOff += n
	return a
}

// readOnly returns a with owned false: the code written for it must not assign to its variables.
func (a position) readOnly() position {
	a.owned = false
	return a
}

// vars are the names of the variables for offsets and node counts, by nesting.
var vars = [...][2]string{{"i", "n"}, {"j", "m"}, {"k", "l"}, {"p", "q"}, {"u", "v"}, {"x", "y"}}

// newVariables returns a position in a pair of variables that is not in use. The caller writes their
// declaration. They are free again when the caller resets f.depth.
func (f *function) newVariables() position {
	f.depth++
	if f.depth < len(vars) {
		return position{posVar: vars[f.depth][0], countVar: vars[f.depth][1], owned: true}
	}
	k := strconv.Itoa(f.depth)
	return position{posVar: "i" + k, countVar: "n" + k, owned: true}
}

// writeFunc appends a function that matches e to p.out. With tree it builds nodes; without, it only accepts.
func (p *program) writeFunc(name string, e *expr.Expr, tree bool) {
	f := &function{program: p, tree: tree}
	if tree {
		f.writeBuilder(name, e)
	} else {
		f.writeAcceptor(name, p.mergeRuns(e))
	}
}

// writeAcceptor writes a function that returns the end of a match of e, or fail. It is a method of the builder if e
// uses a rule that uses itself.
func (f *function) writeAcceptor(name string, e *expr.Expr) {
	f.printf("func %s%s(s string, i uint) uint {\n", choose(f.usesRecursive(e), "(b *builder) ", ""), name)
	if c, ok := f.asChar(e); ok && !c.isOneByte() {
		f.writeOneChar(c)
	} else {
		end := f.matchOrFail(e, position{posVar: "i", owned: true}, "return fail")
		f.printf("return %s\n", end.posText())
	}
	f.printf("}\n")
}

// writeOneChar writes the body of a function that matches a single c at i in s, its parameters.
func (f *function) writeOneChar(c char) {
	if !c.class.IsEmpty() {
		f.printf("if i < uint(len(s)) && %s {\nreturn i+1\n}\n", f.memberTest(c.class, "s[i]", true))
	}
	for _, seq := range c.long {
		f.printf("if %s {\nreturn i+%d\n}\n", f.sequenceTest(seq, "i", 0), len(seq))
	}
	f.printf("return fail\n")
}

// writeBuilder writes a method that matches e and stores its nodes. It returns the end of the match and the
// number of nodes then, or fail and 0.
func (f *function) writeBuilder(name string, e *expr.Expr) {
	f.printf("func (b *builder) %s(s string, i, n uint) (uint, uint) {\n", name)
	here := position{posVar: "i", countVar: "n", owned: true}
	const fail = "return fail, 0"
	var end position
	if kinds, body, ok := f.asLeaf(e); ok {
		end = f.matchLeaf(kinds, body, here.readOnly(), fail)
	} else if e.Op == expr.Node {
		f.printf("from, at := i, n\n")
		here.countOff = 1
		end = f.matchOrFail(e.Sub[0], here, fail)
		f.printf("b.put(at, %s, from, %s, %s)\n", f.names[e.Name].kind, end.posText(), end.countText())
	} else {
		end = f.matchOrFail(e, here, fail)
	}
	f.printf("return %s, %s\n}\n", end.posText(), end.countText())
}

// printf appends Go to f.out, which gofmt lays out later, and charges the budget for it.
func (f *function) printf(format string, args ...any) {
	f.grammar.Budget.Step(8)
	fmt.Fprintf(&f.out, format, args...)
}

// assignees returns the left side of an assignment of a call's results to a: the variable of its offset and,
// with nodes, the one of its count.
func assignees(a position, nodes bool) string {
	if nodes {
		return a.posVar + ", " + a.countVar
	}
	return a.posVar
}

// assignPosition writes the assignment that moves to to the place of end. The bytes are all in to's variable then: to
// must not have any in its offset. Nodes that to counts in its offset stay there.
func (f *function) assignPosition(to, end position) {
	pos, more := end.posText(), end.countOff-to.countOff
	switch {
	case !f.tree || end.countVar == to.countVar && more == 0: // the count stays
		f.assign(to.posVar, end.posVar, end.posOff)
	case pos == to.posVar: // the place stays
		f.assign(to.countVar, end.countVar, more)
	default:
		f.printf("%s, %s = %s, %s\n", to.posVar, to.countVar, pos, addOffset(end.countVar, more))
	}
}

// moveInto returns a position at the place of end: in the variables of a, if a owns them, to which it writes the
// assignment, and otherwise end itself.
func (f *function) moveInto(a, end position) position {
	if !a.owned {
		return end
	}
	to := position{posVar: a.posVar, countVar: a.countVar, owned: true}
	f.assignPosition(to, end)
	return to
}

// assign writes v = w+off in its shortest form: nothing if it changes nothing. If v is w, off must not be negative.
func (f *function) assign(v, w string, off int) {
	switch {
	case v != w:
		f.printf("%s = %s\n", v, addOffset(w, off))
	case off == 1:
		f.printf("%s++\n", v)
	case off > 0:
		f.printf("%s += %d\n", v, off)
	}
}

// asVariables returns a position equal to a, without offsets, in variables that may be assigned to. With
// nodes, so may the count. If a owns its variables it uses these, and otherwise declares new ones.
func (f *function) asVariables(a position, nodes bool) position {
	if a.owned {
		return f.moveInto(a, a)
	}
	to := f.newVariables()
	if nodes {
		f.printf("%s, %s := %s, %s\n", to.posVar, to.countVar, a.posText(), a.countText())
		return to
	}
	f.printf("%s := %s\n", to.posVar, a.posText())
	return f.withCountOf(to, a)
}

// withCountOf returns to with the node count of a, which must not be assigned to.
func (f *function) withCountOf(to, a position) position {
	to.countVar, to.countOff, to.owned = a.countVar, a.countOff, to.owned && !f.tree
	return to
}

// writeBlock writes a block with this head; body writes the statements in it. Variables declared there are
// free again after it.
func (f *function) writeBlock(head string, body func()) {
	depth := f.depth
	f.printf("%s {\n", head)
	body()
	f.printf("}\n")
	f.depth = depth
}

// buildsHere reports whether e makes nodes and this function builds them.
func (f *function) buildsHere(e *expr.Expr) bool { return f.tree && f.builds(e) }
