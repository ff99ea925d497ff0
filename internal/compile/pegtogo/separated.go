package pegtogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// A separated is x ( c x )* where c is a class: the segments of a path, the labels of a host. It is one loop over x
// that c continues, so that the code for x is written once and nothing is matched twice:
//
//   - x never fails (RFC 1738: hsegment), or
//   - x fails on its first byte or not at all (RFC 1630: the ialpha of a hostname).
//
// Any other x is left to the repetition: where it fails after a c, the parser must go back before that c.
type separated struct {
	x      *expr.Expr
	c      *expr.Expr
	first  *expr.Expr // the class that x fails on; nil if x never fails
	rest   []*expr.Expr
	around []string // the nodes around first and rest, outermost first
}

// asSeparated returns the elements x and again of a sequence as a separated; ok is false if they are not one, and s
// means nothing then.
func (f *function) asSeparated(x, again *expr.Expr) (s separated, ok bool) {
	if again.Op != expr.Repeat || again.Min != 0 || again.Max != expr.Unbounded {
		return s, false
	}
	round := again.Sub[0].Factors()
	if len(round) != 2 || !f.isClass(round[0]) || partKey(round[1], true) != partKey(x, true) {
		return s, false
	}
	s.x, s.c = x, round[0]
	if !f.mayFail(x) {
		return s, true
	}
	s.around, x = f.unwrapNodes(x)
	es := x.Factors()
	if !f.isClass(es[0]) {
		return s, false
	}
	for _, e := range es[1:] {
		if f.mayFail(e) {
			return s, false
		}
	}
	s.first, s.rest = es[0], es[1:]
	return s, true
}

// unwrapNodes returns the IDs of the nodes around e, outermost first, and the content of the innermost. It
// looks through references to rules that are nodes.
func (f *function) unwrapNodes(e *expr.Expr) (kinds []string, body *expr.Expr) {
	for {
		switch e.Op {
		case expr.Node:
			kinds = append(kinds, e.Name)
			e = e.Sub[0]
			continue
		case expr.Ref:
			if r := f.grammar.Rule(e.Name).Expr; r.Op == expr.Node {
				e = r
				continue
			}
		}
		return kinds, e
	}
}

// matchSeparated is matchOrFail for a separated: one loop from start on. fail is written only before the loop, and not
// at all if x never fails.
func (f *function) matchSeparated(s separated, start position, fail string) position {
	to := f.asVariables(start, f.buildsHere(s.x))
	if s.first != nil {
		noFirst, _, _ := f.fixedTest(s.first, to, false)
		f.printf("if %s {\n%s\n}\n", noFirst, fail)
	}
	depth := f.depth
	f.printf("for {\n")
	if s.first == nil { // x never fails, so fail is not written inside the loop
		f.assignPosition(to, f.matchOrFail(s.x, to, fail))
	} else {
		f.assignPosition(to, f.matchAfterFirst(s, to))
	}
	// The loop ends where no c comes next, or no x can begin after it.
	noMore, n, _ := f.fixedTest(s.c, to, false)
	if s.first != nil {
		noFirst, _, _ := f.fixedTest(s.first, to.advance(n), false)
		noMore += " || " + noFirst
	}
	f.printf("if %s {\nbreak\n}\n", noMore)
	f.assignPosition(to, to.advance(n))
	f.printf("}\n")
	f.depth = depth
	return to
}

// matchAfterFirst writes the rest of an x whose first byte has been tested, with the nodes around it, and
// returns its end.
func (f *function) matchAfterFirst(s separated, to position) position {
	end := to.readOnly().advance(1)
	if f.tree {
		end.countOff += len(s.around)
	}
	for _, e := range s.rest {
		end = f.matchOrFail(e, end, "")
	}
	if f.tree {
		f.putAround(s.around, to, end)
	}
	return end
}
