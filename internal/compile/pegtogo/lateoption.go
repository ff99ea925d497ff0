package pegtogo

import (
	"fmt"
	"slices"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// lateOption reports whether in ( o )? x the option can be tried after x (RFC 1738: login = [ user [ ":"
// password ] "@" ] hostport). Most inputs have no such o, and trying it first reads bytes that are then read
// again as x.
//
// The condition is that o needs a byte that x cannot contain ("@"). Then, if both match, o ends after x, and
// the byte after x is one of o's. So if that byte is not one of o's, there is no o. It is also false if nothing is
// gained, since no byte can begin both, and if x is not matched by a call that may fail.
func (f *function) lateOption(option, x *expr.Expr) bool {
	if option.Op != expr.Repeat || option.Min != 0 || option.Max != 1 || !f.isCall(x) || !f.mayFail(x) {
		return false
	}
	o := option.Sub[0]
	if f.buildsHere(o) && !f.buildsHere(x) {
		return false // there is no variable for the count
	}
	if f.firstBytes(o).Intersect(f.firstBytes(x)).IsEmpty() {
		return false // the first byte decides
	}
	held := f.bytesIn(x)
	return slices.ContainsFunc(o.Factors(), func(e *expr.Expr) bool {
		c, ok := f.asChar(e)
		return ok && c.isOneByte() && c.class.Intersect(held).IsEmpty()
	})
}

// matchLateOption is matchOrFail for ( o )? x, if lateOption holds: it writes x, and then ( o )? x in full for
// inputs on which x does not match or is followed by a byte of o. The end is in new variables.
func (f *function) matchLateOption(option, x *expr.Expr, a position, fail string) position {
	o := option.Sub[0]
	call, nodes := f.callOf(x, a)
	to := f.newVariables()
	if !nodes { // then o makes none either: see lateOption
		to = f.withCountOf(to, a)
	}
	f.printf("%s := %s\n", assignees(to, nodes), call)
	more := f.memberTest(f.bytesIn(o), "s["+to.posVar+"]", true)
	f.writeBlock(fmt.Sprintf("if %s == fail || %s < uint(len(s)) && %s", to.posVar, to.posVar, more), func() {
		behind := f.matchRepeat(option, a.readOnly(), "") // an option never fails
		call, _ := f.callOf(x, behind)
		f.printf("if %s = %s; %s == fail {\n%s\n}\n", assignees(to, nodes), call, to.posVar, fail)
	})
	return to
}
