package pegtogo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// fixed returns the Go condition that e, which needs no statement, matches (or, for !match, does not), and how many bytes it
// consumes.
func (f *function) fixed(e *expr.Expr, a at, match bool) (test string, n int, ok bool) {
	pos := a.pos()
	switch e.Op {
	case expr.Literal:
		if len(e.Lit) > 1 {
			return pick(match, "", "!") + fmt.Sprintf("strings.HasPrefix(s[%s:], %q)", pos, e.Lit), len(e.Lit), true
		}
	case expr.Not:
		if f.isEnd(e) {
			return fmt.Sprintf("%s %s uint(len(s))", pos, pick(match, "==", "!=")), 0, true
		}
		return f.condition(e.Sub[0], a, !match), 0, true
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

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// condition is the Go condition that e matches at a (or does not). Lookahead consumes and builds nothing.
func (f *function) condition(e *expr.Expr, a at, match bool) string {
	if test, _, ok := f.fixed(e, a, match); ok {
		return test
	}
	so := f.asked()
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
	f.forget(so)
	name := ""
	if e.Op == expr.Ref {
		name = f.acceptName(e.Name)
	} else {
		name = f.part(e, false)
	}
	return fmt.Sprintf("%s%s(s, %s) %s fail", pick(f.nests(e), "b.", ""), name, a.pos(), pick(match, "!=", "=="))
}

// any is the condition of an alternation without sequences.
func (f *function) any(e *expr.Expr, a at, match bool) (string, bool) {
	all := ""
	for i, s := range e.Sub {
		if s.Op == expr.Seq {
			return "", false
		}
		test := f.condition(s, a, true)
		if !f.isEnd(s) {
			test = "(" + test + ")"
		}
		all += pick(i > 0, " || ", "") + test
	}
	return pick(match, all, "!("+all+")"), !repeats(all)
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
		all += pick(i > 0, " && ", "") + operand(test)
		a = a.past(n)
	}
	return pick(match, all, "!("+all+")"), !repeats(all)
}

// repeats reports whether a condition asks the same twice in one row of && or ||, or compares the same with two bytes. Go
// vet takes either for a mistake. Lookahead can be written like that: &( "a" / "b" ) &"a".
func repeats(test string) bool {
	e, err := parser.ParseExpr(test)
	if err != nil {
		return true
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if e, ok := n.(*ast.BinaryExpr); ok && (e.Op == token.LAND || e.Op == token.LOR) {
			asked := map[string]bool{}
			for _, o := range operands(e, e.Op) {
				key := types.ExprString(o)
				if c, ok := o.(*ast.BinaryExpr); ok && c.Op == (map[token.Token]token.Token{token.LAND: token.EQL, token.LOR: token.NEQ}[e.Op]) {
					key = types.ExprString(c.X)
				}
				found = found || asked[key]
				asked[key] = true
			}
		}
		return !found
	})
	return found
}

// operands returns those of a row of one operator.
func operands(e ast.Expr, op token.Token) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == op {
		return append(operands(b.X, op), operands(b.Y, op)...)
	}
	return []ast.Expr{e}
}

// operand returns a condition as it stands beside &&.
func operand(test string) string {
	if e, err := parser.ParseExpr(test); err == nil {
		if e, ok := e.(*ast.BinaryExpr); ok && e.Op == token.LOR {
			return "(" + test + ")"
		}
	}
	return test
}
