package pegtogo

import "github.com/bnfcheck/bnfcheck/internal/syntax/expr"

// asInPlace reports whether e makes nodes around an expression so small that a call would cost more: around
// one other node (RFC 1738: otherurl = genericurl), a choice between two (host = hostname | hostnumber), or a
// class and an optional leaf (RFC 1630: ialpha = alpha [ xalphas ]). It returns the IDs of the nodes,
// outermost first, and the content of the innermost one. It is false in a function that builds no nodes.
func (f *function) asInPlace(e *expr.Expr) (kinds []string, body *expr.Expr, ok bool) {
	if e.Op == expr.Ref {
		e = f.grammar.Rule(e.Name).Expr
	}
	if !f.tree || e.Op != expr.Node {
		return nil, nil, false
	}
	kinds, body = []string{e.Name}, e.Sub[0]
	switch {
	case f.isNodeCall(body):
		if more, inner, ok := f.asInPlace(body); ok {
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
func (f *function) isNodeCall(e *expr.Expr) bool {
	return f.isCall(e) && f.buildsHere(e) && !f.isLeaf(e)
}

// matchInPlace is matchOrFail for the nodes and the content that asInPlace returns.
func (f *function) matchInPlace(kinds []string, body *expr.Expr, a position, fail string) position {
	here := a.readOnly()
	here.countOff += len(kinds)
	end := f.matchOrFail(body, here, fail)
	f.putAround(kinds, a, end)
	return f.moveInto(a, end)
}

// putAround writes the code that stores nodes of these kinds from a to end, each around the next, and the
// last one around the nodes stored already.
func (f *function) putAround(kinds []string, a, end position) {
	for k, id := range kinds {
		f.printf("b.put(%s, %s, %s, %s, %s)\n", addOffset(a.countVar, a.countOff+k), f.names[id].kind, a.posText(),
			end.posText(), end.countText())
	}
}
