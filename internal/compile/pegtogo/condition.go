package pegtogo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// fixedTest returns the Go condition that e matches at a, or with match false its negation, and the number of bytes
// that e consumes: 0 for a lookahead. ok is false unless a single condition decides, and the number is always the
// same. The condition may have && or || at its top: a caller that joins it puts it in parentheses where that matters.
// The functions and classes that the condition uses are requested; a caller that drops it retracts them.
func (f *function) fixedTest(e *expr.Expr, a position, match bool) (test string, n int, ok bool) {
	pos := a.posText()
	switch e.Op {
	case expr.Literal:
		if len(e.Lit) > 1 {
			return choose(match, "", "!") + fmt.Sprintf("strings.HasPrefix(s[%s:], %q)", pos, e.Lit), len(e.Lit), true
		}
	case expr.Not:
		if f.isEnd(e) {
			return fmt.Sprintf("%s %s uint(len(s))", pos, choose(match, "==", "!=")), 0, true
		}
		return f.conditionOf(e.Sub[0], a, !match), 0, true
	case expr.And:
		return f.conditionOf(e.Sub[0], a, match), 0, true
	case expr.Ref:
		if f.isEnd(e) {
			return f.fixedTest(f.grammar.Rule(e.Name).Expr, a, match)
		}
	}
	c, ok := f.asChar(e)
	if !ok || !c.isOneByte() {
		return "", 0, false
	}
	switch {
	case c.class == expr.AnyByte:
		return fmt.Sprintf("%s %s uint(len(s))", pos, choose(match, "<", ">=")), 1, true
	case match: // the comparison with the length spares a bounds check
		return fmt.Sprintf("%s < uint(len(s)) && %s", pos, f.memberTest(c.class, "s["+pos+"]", true)), 1, true
	}
	return fmt.Sprintf("%s >= uint(len(s)) || %s", pos, f.memberTest(c.class, "s["+pos+"]", false)), 1, true
}

// choose returns a if first is true, and b if not.
func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// conditionOf returns the Go condition that e matches at a, or with match false its negation. It is for
// lookaheads: nothing is consumed or built. An expression that makes no plain condition becomes the call of a
// function, which conditionOf requests.
func (f *function) conditionOf(e *expr.Expr, a position, match bool) string {
	if test, _, ok := f.fixedTest(e, a, match); ok {
		return test
	}
	so := f.demandSoFar()
	switch e.Op {
	case expr.Alt:
		if test, ok := f.anyCondition(e, a, match); ok {
			return test
		}
	case expr.Seq:
		if test, ok := f.allCondition(e, a, match); ok {
			return test
		}
	}
	f.retract(so)
	name := ""
	if e.Op == expr.Ref {
		name = f.acceptName(e.Name)
	} else {
		name = f.requestPart(e, false)
	}
	return fmt.Sprintf("%s%s(s, %s) %s fail", choose(f.usesRecursive(e), "b.", ""), name, a.posText(),
		choose(match, "!=", "=="))
}

// anyCondition returns the condition for an alternation, or with match false its negation. ok is false if an
// alternative is a sequence, or the condition would test the same thing twice. The functions and classes
// requested for it by then are left for the caller to retract.
func (f *function) anyCondition(e *expr.Expr, a position, match bool) (string, bool) {
	all := ""
	for i, s := range e.Sub {
		if s.Op == expr.Seq {
			return "", false
		}
		test := f.conditionOf(s, a, true)
		if !f.isEnd(s) {
			test = "(" + test + ")"
		}
		all += choose(i > 0, " || ", "") + test
	}
	return choose(match, all, "!("+all+")"), !asksTwice(all)
}

// allCondition returns the condition for a sequence, or with match false its negation. ok is false if an
// element has no fixed test (see [function.fixedTest]) and is not a reference at the end, or if the condition
// would test the same thing twice.
func (f *function) allCondition(e *expr.Expr, a position, match bool) (string, bool) {
	all := ""
	for i, s := range e.Sub {
		test, n, ok := f.fixedTest(s, a, true)
		if !ok {
			if i < len(e.Sub)-1 || s.Op != expr.Ref {
				return "", false
			}
			test = f.conditionOf(s, a, true)
		}
		all += choose(i > 0, " && ", "") + parenthesizeOr(test)
		a = a.advance(n)
	}
	return choose(match, all, "!("+all+")"), !asksTwice(all)
}

// asksTwice reports whether a condition has the same operand twice in one chain of && or ||, or compares one value
// with two so that the chain is never or always true: x == 1 && x == 2, x != 1 || x != 2. go vet takes either for a
// mistake, but a lookahead can be written like that: &( "a" / "b" ) &"a". It also reports true for a text that is no
// condition.
func asksTwice(test string) bool {
	e, err := parser.ParseExpr(test)
	if err != nil {
		return true
	}
	found := false
	// The comparisons that may be in a chain once for each value: they count by their left side alone.
	once := map[token.Token]token.Token{token.LAND: token.EQL, token.LOR: token.NEQ}
	ast.Inspect(e, func(n ast.Node) bool {
		if e, ok := n.(*ast.BinaryExpr); ok && (e.Op == token.LAND || e.Op == token.LOR) {
			asked := map[string]bool{}
			for _, o := range splitOperator(e, e.Op) {
				key := types.ExprString(o)
				if c, ok := o.(*ast.BinaryExpr); ok && c.Op == once[e.Op] {
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

// splitOperator returns the operands of a chain of operators op; e alone if it is none.
func splitOperator(e ast.Expr, op token.Token) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == op {
		return append(splitOperator(b.X, op), splitOperator(b.Y, op)...)
	}
	return []ast.Expr{e}
}

// parenthesizeOr returns a condition that can be an operand of &&: with parentheses if it is an ||.
func parenthesizeOr(test string) string {
	if e, err := parser.ParseExpr(test); err == nil {
		if e, ok := e.(*ast.BinaryExpr); ok && e.Op == token.LOR {
			return "(" + test + ")"
		}
	}
	return test
}
