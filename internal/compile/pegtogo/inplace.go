package pegtogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// inPlace reports whether e makes nodes around an expression so small that a call would cost more: around one other node
// (RFC 1738: otherurl = genericurl), a choice between two (host = hostname | hostnumber), or a class and an optional leaf
// (RFC 1630: ialpha = alpha [ xalphas ]). It returns these nodes, outermost first, and what is in the innermost.
func (f *function) inPlace(e *expr.Expr) (kinds []string, body *expr.Expr, ok bool) {
	if e.Op == expr.Ref {
		e = f.grammar.Rule(e.Name).Expr
	}
	if !f.tree || e.Op != expr.Node {
		return nil, nil, false
	}
	kinds, body = []string{e.Name}, e.Sub[0]
	switch {
	case f.isNodeCall(body):
		if more, inner, ok := f.inPlace(body); ok {
			return append(kinds, more...), inner, true
		}
		return kinds, body, true
	case body.Op == expr.Alt && len(body.Sub) == 2 && f.isNodeCall(body.Sub[0]) && f.isNodeCall(body.Sub[1]):
		return kinds, body, true
	case body.Op == expr.Seq && len(body.Sub) == 2 && f.isClass(body.Sub[0]) &&
		body.Sub[1].Op == expr.Repeat && body.Sub[1].Max == 1 && f.isLeaf(body.Sub[1].Sub[0]):
		return kinds, body, true
	}
	return nil, nil, false
}

// isNodeCall reports whether e is matched by a call that makes nodes.
func (f *function) isNodeCall(e *expr.Expr) bool { return f.isCall(e) && f.makes(e) && !f.isLeaf(e) }

// matchInPlace writes what inPlace returns.
func (f *function) matchInPlace(kinds []string, body *expr.Expr, a at, fail string) at {
	here := a.borrowed()
	here.nodes += len(kinds)
	end := f.must(body, here, fail)
	f.putAround(kinds, a, end)
	return f.into(a, end)
}

// putAround writes the nodes of these kinds from a to end, each around the next, and the last around what has been written.
func (f *function) putAround(kinds []string, a, end at) {
	for k, id := range kinds {
		f.printf("b.put(%s, %s, %s, %s, %s)\n", plus(a.n, a.nodes+k), f.names[id].kind, a.pos(), end.pos(), end.count())
	}
}
