package pegtogo

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// lateOption reports whether in ( o )? x the option can be tried after x (RFC 1738: login = [ user [ ":" password ] "@" ]
// hostport). Most inputs have no such o; trying it first reads bytes that are then read again as
// the x.
//
// The condition is that o needs a byte that x cannot hold ("@"). If both x and o match, o therefore ends
// after x, and the byte after x is one of o's. So if that byte is none of o's, there is no o.
func (f *function) lateOption(option, x *expr.Expr) bool {
	if option.Op != expr.Repeat || option.Min != 0 || option.Max != 1 || !f.isCall(x) || !f.mayFail(x) {
		return false
	}
	o := option.Sub[0]
	if f.makes(o) && !f.makes(x) {
		return false // there is no variable for the count
	}
	if f.first(o).Intersect(f.first(x)).IsEmpty() {
		return false // the first byte decides
	}
	held := f.bytes(x)
	return slices.ContainsFunc(o.Factors(), func(e *expr.Expr) bool {
		c, ok := f.charOf(e)
		return ok && c.single() && c.class.Intersect(held).IsEmpty()
	})
}

// matchLateOption writes x, and where x does not match, or may follow an o, ( o )? x as it is.
func (f *function) matchLateOption(option, x *expr.Expr, a at, fail string) at {
	o := option.Sub[0]
	call, nodes := f.callee(x, a)
	to := f.declare()
	if !nodes {
		to = f.counting(to, a)
	}
	f.printf("%s := %s\n", targets(to, nodes), call)
	more := f.member(f.bytes(o), "s["+to.v+"]", true)
	f.within(fmt.Sprintf("if %s == fail || %s < uint(len(s)) && %s", to.v, to.v, more), func() {
		behind := f.repeat(option, a.borrowed(), "")
		call, _ := f.callee(x, behind)
		f.printf("if %s = %s; %s == fail {\n%s\n}\n", targets(to, nodes), call, to.v, fail)
	})
	return to
}
